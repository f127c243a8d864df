//! What a leader knows of one follower.

use super::types::{Offset, TimeMs, UNKNOWN_OFFSET};

/// What a leader remembers of one follower. −1 stands for "never" and "unknown", as in Kafka.
///
/// A criterion writes only the fields that it reads (design: the table of criteria), so that two
/// states that the criterion cannot tell apart are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FollowerState {
    /// The follower's log end offset as the leader knows it: the offset of its latest fetch.
    pub log_end_offset: Offset,
    /// The latest time at which the follower is known to have had all the leader had; for
    /// `max-messages` the time of the latest fetch; for `proposed-4485` the latest time at which
    /// a fetch met the criterion.
    pub last_caught_up: TimeMs,
    /// When the latest fetch arrived.
    pub last_fetch_time: TimeMs,
    /// The leader's log end offset when the latest fetch arrived.
    pub last_fetch_leader_leo: Offset,
}

impl FollowerState {
    /// Nothing is known and nothing ever happened.
    pub const UNKNOWN: FollowerState = FollowerState {
        log_end_offset: UNKNOWN_OFFSET,
        last_caught_up: -1,
        last_fetch_time: -1,
        last_fetch_leader_leo: UNKNOWN_OFFSET,
    };

    /// A follower of which the broker has just begun to keep state, at `now`: Kafka before
    /// KAFKA-4485 started its clock at that moment.
    pub fn created(now: TimeMs) -> Self {
        FollowerState { last_caught_up: now, ..FollowerState::UNKNOWN }
    }

    /// How long ago the follower was last known to be caught up, in the unit of `now`. Kafka's
    /// difference wraps around; no real clock comes near that.
    #[inline]
    pub fn caught_up_age(&self, now: TimeMs) -> TimeMs {
        now.wrapping_sub(self.last_caught_up)
    }

    /// Number of records that the leader has and the follower is not known to have. All of them
    /// while nothing is known.
    #[inline]
    pub fn lag_messages(&self, leader_leo: Offset) -> Offset {
        leader_leo - self.log_end_offset.max(0)
    }
}

/// One fetch, as the leader saw it on arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchObservation {
    /// First offset that the follower asks for.
    pub offset: Offset,
    /// The leader's log end offset before the read.
    pub leader_leo: Offset,
    /// The leader's high watermark before the read.
    pub high_watermark: Offset,
    /// Time of arrival.
    pub now: TimeMs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lag_and_age_count_from_what_is_known() {
        let follower = FollowerState { log_end_offset: 4, last_caught_up: 7, ..FollowerState::UNKNOWN };
        assert_eq!((follower.lag_messages(10), follower.caught_up_age(20)), (6, 13));
        assert_eq!(FollowerState::UNKNOWN.lag_messages(10), 10);
        assert_eq!(FollowerState::created(5).caught_up_age(5), 0);
    }
}
