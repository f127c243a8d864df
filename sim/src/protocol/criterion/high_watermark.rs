//! Whose log end offsets hold the high watermark back.

use crate::protocol::follower_state::FollowerState;
use crate::protocol::types::TimeMs;

/// Which followers the high watermark waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighWatermarkRule {
    /// The members of the ISR (Kafka up to 0.10.1).
    Isr,
    /// The members of the ISR, and every follower that was caught up within the lag time: one
    /// that is about to join is not overtaken (KAFKA-4485).
    IsrAndCaughtUp,
}

impl HighWatermarkRule {
    /// Whether the high watermark waits for `follower`.
    #[inline]
    pub fn waits_for(
        self,
        follower: &FollowerState,
        in_isr: bool,
        now: TimeMs,
        lag_time_max: TimeMs,
    ) -> bool {
        in_isr
            || match self {
                HighWatermarkRule::Isr => false,
                HighWatermarkRule::IsrAndCaughtUp => follower.caught_up_age(now) <= lag_time_max,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_up_outsider_is_waited_for_up_to_the_lag_time() {
        let follower = FollowerState { last_caught_up: 0, ..FollowerState::UNKNOWN };
        let rule = HighWatermarkRule::IsrAndCaughtUp;
        assert!(rule.waits_for(&follower, false, 10, 10));
        assert!(!rule.waits_for(&follower, false, 11, 10));
        assert!(rule.waits_for(&follower, true, 11, 10));
        assert!(!HighWatermarkRule::Isr.waits_for(&follower, false, 0, 10));
        assert!(HighWatermarkRule::Isr.waits_for(&follower, true, 0, 10));
    }
}
