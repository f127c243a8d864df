//! When a fetch shows that its follower is caught up, and since when.

use crate::protocol::follower_state::{FetchObservation, FollowerState};

/// How a fetch moves a follower's last caught-up time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaughtUpRule {
    /// Every fetch counts (Kafka up to 0.8.2 kept the time of each fetch, wherever it read).
    AnyFetch,
    /// A fetch at the leader's log end offset: caught up now (0.9.0 to 0.10.1).
    AtLogEnd,
    /// A fetch at or above both the high watermark and the leader's log end offset of the
    /// follower's previous fetch: caught up now (the text of KAFKA-4485).
    Proposed4485,
    /// A fetch at the leader's log end offset: caught up now; one that has all the leader had at
    /// the follower's previous fetch: caught up then. Never back (KAFKA-4485 as merged).
    AtPreviousLogEnd,
}

impl CaughtUpRule {
    /// Takes a fetch into `follower`, and says whether it showed the follower to be caught up.
    #[inline]
    pub fn observe(self, follower: &mut FollowerState, fetch: FetchObservation) -> bool {
        let met = match self {
            CaughtUpRule::AnyFetch => {
                follower.last_caught_up = fetch.now;
                true
            }
            CaughtUpRule::AtLogEnd => {
                let met = fetch.offset >= fetch.leader_leo;
                if met {
                    follower.last_caught_up = fetch.now;
                }
                met
            }
            CaughtUpRule::Proposed4485 => {
                let met = fetch.offset >= fetch.high_watermark.max(follower.last_fetch_leader_leo);
                if met {
                    follower.last_caught_up = fetch.now;
                }
                follower.last_fetch_leader_leo = fetch.leader_leo;
                met
            }
            CaughtUpRule::AtPreviousLogEnd => {
                let since = if fetch.offset >= fetch.leader_leo {
                    Some(fetch.now)
                } else if fetch.offset >= follower.last_fetch_leader_leo {
                    Some(follower.last_fetch_time)
                } else {
                    None
                };
                if let Some(since) = since {
                    follower.last_caught_up = follower.last_caught_up.max(since);
                }
                follower.last_fetch_leader_leo = fetch.leader_leo;
                follower.last_fetch_time = fetch.now;
                since.is_some()
            }
        };
        follower.log_end_offset = fetch.offset;
        met
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetch(offset: i64, leader_leo: i64, high_watermark: i64, now: i64) -> FetchObservation {
        FetchObservation { offset, leader_leo, high_watermark, now }
    }

    fn follower(last_caught_up: i64, last_fetch_time: i64, last_fetch_leader_leo: i64) -> FollowerState {
        FollowerState { log_end_offset: 5, last_caught_up, last_fetch_time, last_fetch_leader_leo }
    }

    #[test]
    fn any_fetch_counts_wherever_it_reads() {
        let mut state = follower(1, -1, -1);
        assert!(CaughtUpRule::AnyFetch.observe(&mut state, fetch(0, 100, 50, 7)));
        assert_eq!(state, FollowerState { log_end_offset: 0, last_caught_up: 7, ..follower(0, -1, -1) });
    }

    #[test]
    fn at_log_end_needs_exactly_the_log_end() {
        let mut state = follower(1, -1, -1);
        assert!(!CaughtUpRule::AtLogEnd.observe(&mut state, fetch(9, 10, 0, 7)));
        assert_eq!(state.last_caught_up, 1);
        assert!(CaughtUpRule::AtLogEnd.observe(&mut state, fetch(10, 10, 0, 8)));
        assert_eq!(state.last_caught_up, 8);
    }

    #[test]
    fn proposed_needs_high_watermark_and_previous_log_end() {
        let mut state = follower(1, -1, 8);
        assert!(!CaughtUpRule::Proposed4485.observe(&mut state, fetch(8, 12, 9, 7)));
        assert_eq!((state.last_caught_up, state.last_fetch_leader_leo), (1, 12));
        assert!(!CaughtUpRule::Proposed4485.observe(&mut state, fetch(11, 20, 9, 8)));
        assert!(CaughtUpRule::Proposed4485.observe(&mut state, fetch(20, 30, 9, 9)));
        assert_eq!(state.last_caught_up, 9);
    }

    #[test]
    fn previous_log_end_counts_from_the_previous_fetch_and_never_back() {
        let mut state = follower(1, 4, 8);
        assert!(CaughtUpRule::AtPreviousLogEnd.observe(&mut state, fetch(8, 12, 0, 7)));
        assert_eq!(state.last_caught_up, 4);
        assert!(!CaughtUpRule::AtPreviousLogEnd.observe(&mut state, fetch(11, 20, 0, 8)));
        assert_eq!(state.last_caught_up, 4);
        assert!(CaughtUpRule::AtPreviousLogEnd.observe(&mut state, fetch(20, 20, 0, 9)));
        assert_eq!(state.last_caught_up, 9);
        let mut later = follower(9, 4, 8);
        assert!(CaughtUpRule::AtPreviousLogEnd.observe(&mut later, fetch(8, 12, 0, 10)));
        assert_eq!(later.last_caught_up, 9);
    }
}
