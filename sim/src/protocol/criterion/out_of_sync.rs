//! When the periodic check removes a member of the ISR.

use crate::protocol::follower_state::FollowerState;
use crate::protocol::types::{Offset, TimeMs};

/// The settings that an [`OutOfSyncRule`] compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LagLimits {
    /// `replica.lag.time.max.ms`, in the unit of the clock.
    pub time_max: TimeMs,
    /// `replica.lag.max.messages` (up to 0.8.2), in records.
    pub messages_max: Offset,
}

/// When a follower in the ISR is out of sync. Every comparison is strict: exactly at the limit
/// keeps the replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfSyncRule {
    /// Stuck: no fetch for longer than the lag time; or slow: known to be more than
    /// `replica.lag.max.messages` behind (Kafka up to 0.8.2).
    StuckOrSlow,
    /// Not caught up for longer than the lag time (0.9.0 to 2.0.1).
    NotCaughtUp,
    /// Not caught up for longer than the lag time, and not at the leader's log end offset
    /// (KAFKA-7152, 2.1 and later).
    NotCaughtUpAndBehind,
}

impl OutOfSyncRule {
    /// Whether `follower` is out of sync at `now`.
    #[inline]
    pub fn applies(
        self,
        follower: &FollowerState,
        leader_leo: Offset,
        now: TimeMs,
        limits: LagLimits,
    ) -> bool {
        let late = follower.caught_up_age(now) > limits.time_max;
        match self {
            OutOfSyncRule::StuckOrSlow => {
                let known = follower.log_end_offset >= 0;
                late || (known && leader_leo - follower.log_end_offset > limits.messages_max)
            }
            OutOfSyncRule::NotCaughtUp => late,
            OutOfSyncRule::NotCaughtUpAndBehind => late && follower.log_end_offset != leader_leo,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: LagLimits = LagLimits { time_max: 10, messages_max: 4 };

    fn follower(log_end_offset: i64, last_caught_up: i64) -> FollowerState {
        FollowerState { log_end_offset, last_caught_up, ..FollowerState::UNKNOWN }
    }

    #[test]
    fn exactly_the_lag_time_stays() {
        for rule in
            [OutOfSyncRule::StuckOrSlow, OutOfSyncRule::NotCaughtUp, OutOfSyncRule::NotCaughtUpAndBehind]
        {
            assert!(!rule.applies(&follower(5, 0), 6, 10, LIMITS));
            assert!(rule.applies(&follower(5, 0), 6, 11, LIMITS));
        }
    }

    #[test]
    fn only_messages_max_counts_messages_and_only_when_known() {
        assert!(!OutOfSyncRule::StuckOrSlow.applies(&follower(5, 0), 9, 0, LIMITS));
        assert!(OutOfSyncRule::StuckOrSlow.applies(&follower(5, 0), 10, 0, LIMITS));
        assert!(OutOfSyncRule::StuckOrSlow.applies(&follower(0, 0), 10, 0, LIMITS));
        assert!(!OutOfSyncRule::StuckOrSlow.applies(&follower(-1, 0), 100, 0, LIMITS));
        assert!(!OutOfSyncRule::NotCaughtUp.applies(&follower(5, 0), 100, 0, LIMITS));
    }

    #[test]
    fn equal_log_end_keeps_an_idle_follower() {
        assert!(!OutOfSyncRule::NotCaughtUpAndBehind.applies(&follower(6, 0), 6, 1000, LIMITS));
        assert!(OutOfSyncRule::NotCaughtUp.applies(&follower(6, 0), 6, 1000, LIMITS));
    }
}
