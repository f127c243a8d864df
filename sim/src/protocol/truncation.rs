//! Where a replica cuts its log when it starts to follow a new leader.
//!
//! Kafka has answered that question in three ways, and each answer is one function here. They are
//! pure: they look at two logs and a high watermark and say an offset. When they may be asked
//! (which leader, under which epoch) is fencing, and belongs to the caller.
//!
//! Sources of the rules: KIP-101 (leader epochs in place of the high watermark), KIP-279 (fix of
//! the divergence after fast leader changes) and KIP-320 (fetches that carry an epoch).

/// A replica's log as the truncation rules see it: records at the offsets `0 .. end_offset()`.
pub trait ReplicaLog {
    /// What makes a record itself: two records are the same exactly if these are equal.
    type Record: PartialEq;

    /// The log end offset: the next offset to be written, 0 for an empty log.
    fn end_offset(&self) -> u64;

    /// The record at `offset`, which must be below [`ReplicaLog::end_offset`].
    fn record(&self, offset: u64) -> Self::Record;

    /// The leader epoch that the record at `offset` was written in; `offset` must be below
    /// [`ReplicaLog::end_offset`]. Epochs never fall along a log that one leader served.
    fn leader_epoch(&self, offset: u64) -> u32;

    /// The epoch of the last record, or `None` for an empty log.
    #[inline]
    fn latest_epoch(&self) -> Option<u32> {
        self.end_offset().checked_sub(1).map(|last| self.leader_epoch(last))
    }
}

/// A way to choose the truncation offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TruncationRule {
    /// Before KIP-101: to the follower's own high watermark.
    HighWatermark,
    /// KIP-101: to the end, in the leader's log, of the follower's latest epoch.
    LeaderEpoch,
    /// KIP-279: to just above the last record that both logs share.
    LastSharedRecord,
}

impl TruncationRule {
    /// The offset to which `follower` is to be cut before it fetches from `leader`.
    ///
    /// `high_watermark` is the follower's own. The answer can lie above the follower's end (the
    /// high watermark and the KIP-101 answer are not bounded by it): the caller decides what that
    /// means, it is never a reason to extend a log.
    #[inline]
    pub fn offset<F, L>(self, follower: &F, high_watermark: u64, leader: &L) -> u64
    where
        F: ReplicaLog,
        L: ReplicaLog<Record = F::Record>,
    {
        match self {
            Self::HighWatermark => high_watermark,
            Self::LeaderEpoch => match follower.latest_epoch() {
                None => 0,
                Some(epoch) => end_offset_for_epoch(leader, epoch).unwrap_or(high_watermark),
            },
            Self::LastSharedRecord => end_of_last_shared_record(follower, leader),
        }
    }
}

/// The leader's answer to "where does `epoch` end in your log?" (OffsetForLeaderEpoch, KIP-101).
///
/// It is the log end if `epoch` is the leader's latest, else the lowest offset that holds a later
/// epoch. `None` (unknown) if the log is empty or holds earlier epochs only.
#[inline]
pub fn end_offset_for_epoch<L: ReplicaLog>(leader: &L, epoch: u32) -> Option<u64> {
    if leader.latest_epoch()? == epoch {
        return Some(leader.end_offset());
    }
    (0..leader.end_offset()).find(|&offset| leader.leader_epoch(offset) > epoch)
}

/// One above the highest offset at which both logs hold the same record; 0 if there is none.
#[inline]
pub fn end_of_last_shared_record<F, L>(follower: &F, leader: &L) -> u64
where
    F: ReplicaLog,
    L: ReplicaLog<Record = F::Record>,
{
    (0..follower.end_offset().min(leader.end_offset()))
        .rev()
        .find(|&offset| follower.record(offset) == leader.record(offset))
        .map_or(0, |offset| offset + 1)
}

/// Whether a leader that checks the epoch of a fetch (KIP-320, as first drafted) finds that
/// `follower` must truncate: its log ends beyond the leader's, or its last record's epoch is not
/// the one that the leader has at that offset.
#[inline]
pub fn needs_truncation<F: ReplicaLog, L: ReplicaLog>(follower: &F, leader: &L) -> bool {
    let end = follower.end_offset();
    end > leader.end_offset() || (end > 0 && follower.leader_epoch(end - 1) != leader.leader_epoch(end - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records as (id, epoch).
    struct Log(&'static [(u32, u32)]);

    impl ReplicaLog for Log {
        type Record = u32;

        fn end_offset(&self) -> u64 {
            self.0.len() as u64
        }

        fn record(&self, offset: u64) -> u32 {
            self.0[offset as usize].0
        }

        fn leader_epoch(&self, offset: u64) -> u32 {
            self.0[offset as usize].1
        }
    }

    const EMPTY: Log = Log(&[]);

    #[test]
    fn high_watermark_rule_ignores_both_logs() {
        let follower = Log(&[(0, 0)]);
        assert_eq!(TruncationRule::HighWatermark.offset(&follower, 3, &EMPTY), 3);
    }

    #[test]
    fn leader_epoch_rule_keeps_all_of_the_leaders_latest_epoch() {
        let leader = Log(&[(0, 0), (1, 1), (2, 1)]);
        let follower = Log(&[(0, 0), (1, 1)]);
        assert_eq!(TruncationRule::LeaderEpoch.offset(&follower, 0, &leader), 3);
    }

    #[test]
    fn leader_epoch_rule_cuts_where_a_later_epoch_starts() {
        let leader = Log(&[(0, 0), (2, 2)]);
        let follower = Log(&[(0, 0), (1, 1)]);
        assert_eq!(TruncationRule::LeaderEpoch.offset(&follower, 0, &leader), 1);
    }

    #[test]
    fn leader_epoch_rule_falls_back_to_the_high_watermark() {
        let follower = Log(&[(0, 0), (1, 5)]);
        for leader in [EMPTY, Log(&[(0, 0), (2, 3)])] {
            assert_eq!(TruncationRule::LeaderEpoch.offset(&follower, 1, &leader), 1);
        }
        assert_eq!(TruncationRule::LeaderEpoch.offset(&EMPTY, 7, &follower), 0);
    }

    #[test]
    fn last_shared_record_looks_from_the_tail() {
        let leader = Log(&[(9, 0), (1, 1), (2, 2)]);
        let follower = Log(&[(0, 0), (1, 1), (3, 1)]);
        assert_eq!(TruncationRule::LastSharedRecord.offset(&follower, 0, &leader), 2);
        assert_eq!(TruncationRule::LastSharedRecord.offset(&EMPTY, 0, &leader), 0);
        assert_eq!(TruncationRule::LastSharedRecord.offset(&follower, 0, &EMPTY), 0);
    }

    #[test]
    fn a_fetch_needs_truncation_when_it_is_beyond_the_end_or_of_another_epoch() {
        let leader = Log(&[(0, 0), (1, 1)]);
        assert!(needs_truncation(&Log(&[(0, 0), (1, 1), (2, 1)]), &leader));
        assert!(needs_truncation(&Log(&[(0, 0), (2, 0)]), &leader));
        assert!(!needs_truncation(&Log(&[(0, 0)]), &leader));
        assert!(!needs_truncation(&EMPTY, &leader));
        assert!(!needs_truncation(&EMPTY, &EMPTY));
    }
}
