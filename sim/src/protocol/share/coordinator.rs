//! What the group coordinator answers about a group's offsets (KIP-1226).

use super::persister::{PersisterError, StateSummary, UNINITIALIZED_OFFSET, UNKNOWN_COUNT};
use crate::protocol::Offset;

/// The lag that stands for "not known".
pub const UNKNOWN_LAG: i64 = -1;

/// The answer for one partition of `DescribeShareGroupOffsets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShareOffset {
    /// Persisted start offset; −1: none.
    pub start_offset: Offset,
    /// Epoch of the leader, as the share coordinator knows it.
    pub leader_epoch: i32,
    /// Records to be delivered; [`UNKNOWN_LAG`]: not known.
    pub lag: i64,
    /// Kafka's error code; 0: none.
    pub error_code: i16,
}

/// Makes the answer for one partition from the share coordinator's summary and the end offset
/// (of a read-committed group: the last stable offset), which is asked for *after* it.
pub fn share_offset(
    summary: Result<StateSummary, PersisterError>,
    end_offset: Option<Offset>,
) -> ShareOffset {
    match summary {
        Ok(summary) => ShareOffset {
            start_offset: summary.start_offset,
            leader_epoch: summary.leader_epoch,
            lag: end_offset.map_or(UNKNOWN_LAG, |end| lag_of(&summary, end)),
            error_code: 0,
        },
        Err(error) => ShareOffset {
            start_offset: UNINITIALIZED_OFFSET,
            leader_epoch: 0,
            lag: UNKNOWN_LAG,
            error_code: error.code(),
        },
    }
}

/// End offset − start offset − delivery complete count; −1 when the start offset or the count is
/// not known. It is not clamped: an end offset older than the summary makes it negative.
pub fn lag_of(summary: &StateSummary, end_offset: Offset) -> i64 {
    let known =
        summary.start_offset != UNINITIALIZED_OFFSET && summary.delivery_complete_count != UNKNOWN_COUNT;
    if known { end_offset - summary.start_offset - summary.delivery_complete_count } else { UNKNOWN_LAG }
}
