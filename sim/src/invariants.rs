//! What must hold after every step of a partition's leader.
//!
//! The simulator calls [`check_step`] after every event on the partition that it touched; the
//! models use the same functions as properties.

pub mod timestamps;

use crate::protocol::{Offset, PartitionLeader, ReplicaSet};

/// A property of one partition that no step may break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Invariant {
    /// The high watermark never falls under one leader.
    HighWatermarkNeverBack,
    /// The high watermark is at most the log end offset of each ISR member as the leader knows
    /// it, from that member's first fetch from this leader on.
    HighWatermarkWithinIsr,
    /// The leader's log end offset never falls under one leader.
    LogEndNeverBack,
    /// The ISR contains the leader.
    IsrContainsLeader,
    /// Every ISR member is a replica of the partition.
    IsrWithinReplicas,
    /// No record acknowledged to an acks=all producer is at or above the high watermark.
    AcknowledgedIsCommitted,
    /// No record acknowledged to an acks=all producer, under this leader or an earlier one, is
    /// missing from the leader's log.
    AcknowledgedIsKept,
    /// Every stored CreateTime was within the limits of the leader's clock at its append.
    CreateTimeWithinLimits,
    /// LogAppendTime never falls under one leader.
    LogAppendTimeNotBack,
}

impl Invariant {
    /// All of them.
    pub const ALL: [Invariant; 9] = [
        Invariant::HighWatermarkNeverBack,
        Invariant::HighWatermarkWithinIsr,
        Invariant::LogEndNeverBack,
        Invariant::IsrContainsLeader,
        Invariant::IsrWithinReplicas,
        Invariant::AcknowledgedIsCommitted,
        Invariant::AcknowledgedIsKept,
        Invariant::CreateTimeWithinLimits,
        Invariant::LogAppendTimeNotBack,
    ];

    /// The property as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Invariant::HighWatermarkNeverBack => "the high watermark never falls under one leader",
            Invariant::HighWatermarkWithinIsr => {
                "the high watermark is at most the log end offset of each ISR member as the leader knows it"
            }
            Invariant::LogEndNeverBack => "the log end offset never falls under one leader",
            Invariant::IsrContainsLeader => "the ISR contains the leader",
            Invariant::IsrWithinReplicas => "every ISR member is a replica of the partition",
            Invariant::AcknowledgedIsCommitted => {
                "no record acknowledged with acks=all is at or above the high watermark"
            }
            Invariant::AcknowledgedIsKept => {
                "no record acknowledged with acks=all is missing from the leader's log"
            }
            Invariant::CreateTimeWithinLimits => {
                "every stored CreateTime is within the limits of the leader's clock at its append"
            }
            Invariant::LogAppendTimeNotBack => "LogAppendTime never falls under one leader",
        }
    }
}

impl std::fmt::Display for Invariant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sentence())
    }
}

/// What a partition's observer remembers from one step to the next, under one leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StepMemory {
    /// The log end offset after the previous step.
    pub log_end_offset: Offset,
    /// The high watermark after the previous step.
    pub high_watermark: Offset,
    /// One above the highest offset acknowledged with acks=all under this leader.
    pub acknowledged_end: Offset,
    /// One above the highest offset acknowledged with acks=all under any leader: below it a
    /// record that is missing is lost.
    pub lost_below: Offset,
}

impl StepMemory {
    /// A request whose last record is at `end` − 1 is acknowledged with acks=all.
    #[inline]
    pub fn acknowledge(&mut self, end: Offset) {
        self.acknowledged_end = self.acknowledged_end.max(end);
        self.lost_below = self.lost_below.max(end);
    }
}

/// Checks every [`Invariant`] of a leader's offsets after a step, and remembers its ends for the next one.
///
/// # Errors
/// The first invariant that does not hold, in the order of [`Invariant::ALL`].
#[inline]
pub fn check_step<const R: usize>(
    leader: &PartitionLeader<R>,
    memory: &mut StepMemory,
) -> Result<(), Invariant> {
    // All of them at once and without branches: next to nothing ever fails, and a check that costs
    // little can be done after every event.
    let holds = (leader.high_watermark() >= memory.high_watermark)
        & high_watermark_within_isr(leader)
        & (leader.log_end_offset() >= memory.log_end_offset)
        & leader.isr().contains(leader.slot())
        & leader.isr().is_subset_of(leader.replicas())
        & (memory.acknowledged_end <= leader.high_watermark())
        & (memory.lost_below <= leader.log_end_offset());
    let checked = if holds { Ok(()) } else { Err(first_broken(leader, memory)) };
    memory.log_end_offset = leader.log_end_offset();
    memory.high_watermark = leader.high_watermark();
    checked
}

/// The first invariant that does not hold, of those in [`check_step`].
#[cold]
#[inline(never)]
fn first_broken<const R: usize>(leader: &PartitionLeader<R>, memory: &StepMemory) -> Invariant {
    if leader.high_watermark() < memory.high_watermark {
        Invariant::HighWatermarkNeverBack
    } else if !high_watermark_within_isr(leader) {
        Invariant::HighWatermarkWithinIsr
    } else if leader.log_end_offset() < memory.log_end_offset {
        Invariant::LogEndNeverBack
    } else if !leader.isr().contains(leader.slot()) {
        Invariant::IsrContainsLeader
    } else if !leader.isr().is_subset_of(leader.replicas()) {
        Invariant::IsrWithinReplicas
    } else if memory.acknowledged_end > leader.high_watermark() {
        Invariant::AcknowledgedIsCommitted
    } else {
        Invariant::AcknowledgedIsKept
    }
}

/// Whether the high watermark is at most the known log end offset of each ISR member. A member
/// that has not fetched from this leader yet is not counted.
#[inline]
pub fn high_watermark_within_isr<const R: usize>(leader: &PartitionLeader<R>) -> bool {
    let high_watermark = leader.high_watermark();
    let mut behind = high_watermark > leader.log_end_offset();
    let members = leader.isr().intersection(leader.replicas()).without(ReplicaSet::only(leader.slot()));
    let mut rest = members.bits();
    for follower in leader.followers() {
        if rest == 0 {
            break;
        }
        let known = follower.log_end_offset;
        behind |= (rest & 1 != 0) & (known >= 0) & (known < high_watermark);
        rest >>= 1;
    }
    !behind
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{FollowerLog, FollowerState, ReplicaSet};

    fn leader(log_end_offset: i64, high_watermark: i64, isr: u32) -> PartitionLeader<3> {
        let log = FollowerLog { log_end_offset, high_watermark };
        let mut leader = PartitionLeader::restored(3, 0, log, 0, ReplicaSet::from_bits(isr));
        leader.set_follower(1, FollowerState { log_end_offset: 5, ..FollowerState::UNKNOWN });
        leader.set_follower(2, FollowerState::UNKNOWN);
        leader
    }

    fn memory(log_end_offset: i64, high_watermark: i64, acknowledged_end: i64) -> StepMemory {
        StepMemory { log_end_offset, high_watermark, acknowledged_end, lost_below: 0 }
    }

    #[test]
    fn each_invariant_can_fail_and_is_named() {
        let cases = [
            (leader(9, 5, 0b111), memory(9, 5, 5), Ok(())),
            (leader(9, 4, 0b111), memory(9, 5, 0), Err(Invariant::HighWatermarkNeverBack)),
            (leader(9, 6, 0b111), memory(9, 5, 0), Err(Invariant::HighWatermarkWithinIsr)),
            (leader(9, 10, 0b001), memory(9, 5, 0), Err(Invariant::HighWatermarkWithinIsr)),
            (leader(9, 6, 0b101), memory(9, 5, 0), Ok(())),
            (leader(8, 5, 0b111), memory(9, 5, 0), Err(Invariant::LogEndNeverBack)),
            (leader(9, 5, 0b110), memory(9, 5, 0), Err(Invariant::IsrContainsLeader)),
            (leader(9, 5, 0b1001), memory(9, 5, 0), Err(Invariant::IsrWithinReplicas)),
            (leader(9, 5, 0b111), memory(9, 5, 6), Err(Invariant::AcknowledgedIsCommitted)),
        ];
        for (leader, mut memory, expected) in cases {
            assert_eq!(check_step(&leader, &mut memory), expected);
        }
    }

    #[test]
    fn a_member_that_is_known_to_hold_nothing_counts() {
        let mut leader = leader(9, 1, 0b111);
        leader.set_follower(2, FollowerState { log_end_offset: 0, ..FollowerState::UNKNOWN });
        assert!(!high_watermark_within_isr(&leader));
        leader.set_follower(2, FollowerState { log_end_offset: 1, ..FollowerState::UNKNOWN });
        assert!(high_watermark_within_isr(&leader));
    }

    #[test]
    fn each_invariant_is_a_sentence_of_its_own() {
        let sentences: Vec<String> = Invariant::ALL.iter().map(|invariant| invariant.to_string()).collect();
        for (index, sentence) in sentences.iter().enumerate() {
            assert!(sentence.split(' ').count() >= 5, "{sentence}");
            assert!(!sentences[..index].contains(sentence), "{sentence}");
            assert_eq!(sentence, Invariant::ALL[index].sentence());
        }
        assert!(Invariant::HighWatermarkNeverBack.sentence().contains("high watermark never falls"));
    }

    #[test]
    fn a_lost_acknowledged_record_is_found_under_a_later_leader() {
        let mut seen = StepMemory::default();
        seen.acknowledge(10);
        assert_eq!((seen.acknowledged_end, seen.lost_below), (10, 10));
        let mut later = StepMemory { lost_below: seen.lost_below, ..StepMemory::default() };
        assert_eq!(check_step(&leader(9, 5, 0b111), &mut later), Err(Invariant::AcknowledgedIsKept));
        assert_eq!(check_step(&leader(10, 5, 0b111), &mut later), Ok(()));
    }

    #[test]
    fn the_memory_moves_on() {
        let mut seen = memory(0, 0, 0);
        check_step(&leader(9, 5, 0b111), &mut seen).unwrap();
        assert_eq!(seen, memory(9, 5, 0));
    }
}
