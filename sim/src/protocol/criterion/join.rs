//! When a fetch adds a replica to the ISR.

use crate::protocol::types::Offset;

/// What a [`JoinRule`] looks at, after the follower's state has taken in the fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinView {
    /// The fetch offset: the follower's log end offset.
    pub offset: Offset,
    /// The high watermark before the read.
    pub high_watermark: Offset,
    /// The leader's log end offset when its epoch began.
    pub epoch_start_offset: Offset,
    /// Whether this fetch met the criterion's caught-up rule.
    pub caught_up: bool,
}

/// When a replica outside the ISR joins on a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinRule {
    /// At or above the high watermark (Kafka up to 2.0.0).
    AtHighWatermark,
    /// When the fetch meets the caught-up rule: one test for joining and staying (the text of
    /// KAFKA-4485).
    CaughtUp,
    /// At or above the high watermark, and the start offset of the leader's epoch (KAFKA-7128,
    /// 2.0.1 and later).
    AtHighWatermarkAndEpochStart,
}

impl JoinRule {
    /// Whether the replica joins.
    #[inline]
    pub fn admits(self, view: JoinView) -> bool {
        match self {
            JoinRule::AtHighWatermark => view.offset >= view.high_watermark,
            JoinRule::CaughtUp => view.caught_up,
            JoinRule::AtHighWatermarkAndEpochStart => {
                view.offset >= view.high_watermark && view.offset >= view.epoch_start_offset
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: JoinView = JoinView { offset: 5, high_watermark: 5, epoch_start_offset: 5, caught_up: false };

    #[test]
    fn the_high_watermark_itself_is_enough() {
        assert!(JoinRule::AtHighWatermark.admits(VIEW));
        assert!(!JoinRule::AtHighWatermark.admits(JoinView { offset: 4, ..VIEW }));
        assert!(JoinRule::AtHighWatermark.admits(JoinView { epoch_start_offset: 9, ..VIEW }));
    }

    #[test]
    fn epoch_start_counts_from_2_0_1() {
        let rule = JoinRule::AtHighWatermarkAndEpochStart;
        assert!(rule.admits(VIEW));
        assert!(!rule.admits(JoinView { epoch_start_offset: 6, ..VIEW }));
        assert!(!rule.admits(JoinView { high_watermark: 6, ..VIEW }));
    }

    #[test]
    fn the_proposed_rule_asks_only_its_own_criterion() {
        assert!(!JoinRule::CaughtUp.admits(VIEW));
        assert!(JoinRule::CaughtUp.admits(JoinView { offset: 0, caught_up: true, ..VIEW }));
    }
}
