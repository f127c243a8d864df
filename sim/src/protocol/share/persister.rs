//! What the share coordinator keeps of a share partition, and who may change it.

use super::record::{OffsetRange, RecordState};
use crate::protocol::Offset;

/// "No start offset yet": the group starts where its reset policy says.
pub const UNINITIALIZED_OFFSET: Offset = -1;

/// "The count is not known": it was written before the count existed.
pub const UNKNOWN_COUNT: Offset = -1;

/// Records of one state, as persisted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateBatch {
    /// Which offsets.
    pub range: OffsetRange,
    /// Their state.
    pub state: RecordState,
    /// Their deliveries so far.
    pub delivery_count: u16,
}

/// A write by the share-partition leader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StateWrite {
    /// The leader's number for it, unique in its term.
    pub number: u64,
    /// The epoch of the leader that writes.
    pub leader_epoch: i32,
    /// The epoch of the state that it was initialised from.
    pub state_epoch: i32,
    /// The start offset *before* it moves over what this write makes terminal.
    pub start_offset: Offset,
    /// Terminal records from that start offset on, those of this write included.
    pub delivery_complete_count: Offset,
    /// What has changed.
    pub batches: Vec<StateBatch>,
}

/// Why the share coordinator does not do as asked, or why nobody knows whether it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PersisterError {
    /// `FENCED_LEADER_EPOCH` (74): a newer leader has read the state.
    FencedLeaderEpoch,
    /// `FENCED_STATE_EPOCH` (124): the state was altered, reset or deleted since.
    FencedStateEpoch,
    /// `NOT_COORDINATOR` (16), `COORDINATOR_LOAD_IN_PROGRESS` (14) and the like: not now.
    CoordinatorNotAvailable,
    /// `UNKNOWN_TOPIC_OR_PARTITION` (3): nothing is kept of the partition.
    UnknownPartition,
}

impl PersisterError {
    /// Kafka's error code.
    pub fn code(self) -> i16 {
        match self {
            PersisterError::FencedLeaderEpoch => 74,
            PersisterError::FencedStateEpoch => 124,
            PersisterError::CoordinatorNotAvailable => 15,
            PersisterError::UnknownPartition => 3,
        }
    }
}

/// What is asked of a summary: no batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateSummary {
    /// Epoch of the state.
    pub state_epoch: i32,
    /// Epoch of the last leader that read or wrote.
    pub leader_epoch: i32,
    /// Persisted start offset; [`UNINITIALIZED_OFFSET`]: none.
    pub start_offset: Offset,
    /// Persisted delivery complete count; [`UNKNOWN_COUNT`]: none.
    pub delivery_complete_count: Offset,
}

/// The persisted state of one share partition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShareState {
    state_epoch: i32,
    leader_epoch: i32,
    start_offset: Offset,
    delivery_complete_count: Offset,
    batches: Vec<StateBatch>,
}

impl ShareState {
    /// Initialised with a start offset: the count is 0, or unknown while there is none.
    pub fn initialized(state_epoch: i32, start_offset: Offset) -> ShareState {
        let count = if start_offset >= 0 { 0 } else { UNKNOWN_COUNT };
        ShareState {
            state_epoch,
            leader_epoch: 0,
            start_offset,
            delivery_complete_count: count,
            batches: Vec::new(),
        }
    }

    /// State as found: batches in rising order that do not overlap, and the count that goes with
    /// them or [`UNKNOWN_COUNT`] if it was written before the upgrade.
    pub fn found(
        state_epoch: i32,
        leader_epoch: i32,
        start_offset: Offset,
        delivery_complete_count: Offset,
        batches: Vec<StateBatch>,
    ) -> ShareState {
        ShareState { state_epoch, leader_epoch, start_offset, delivery_complete_count, batches }
    }

    /// Persisted start offset.
    pub fn start_offset(&self) -> Offset {
        self.start_offset
    }

    /// Epoch of the state.
    pub fn state_epoch(&self) -> i32 {
        self.state_epoch
    }

    /// What was persisted of records from the start offset on, in rising order.
    pub fn batches(&self) -> &[StateBatch] {
        &self.batches
    }

    /// A leader of `leader_epoch` reads the state; from then on leaders before it are fenced.
    ///
    /// # Errors
    /// [`PersisterError::FencedLeaderEpoch`] if a later leader was there before.
    pub fn read(&mut self, leader_epoch: i32) -> Result<&ShareState, PersisterError> {
        if leader_epoch < self.leader_epoch {
            return Err(PersisterError::FencedLeaderEpoch);
        }
        self.leader_epoch = leader_epoch;
        Ok(self)
    }

    /// What the group coordinator reads.
    pub fn summary(&self) -> StateSummary {
        StateSummary {
            state_epoch: self.state_epoch,
            leader_epoch: self.leader_epoch,
            start_offset: self.start_offset,
            delivery_complete_count: self.delivery_complete_count,
        }
    }

    /// Takes a leader's write: new batches go before old ones, and what ends below the start
    /// offset is dropped.
    ///
    /// # Errors
    /// The fencing errors; nothing is changed then.
    pub fn write(&mut self, write: &StateWrite) -> Result<(), PersisterError> {
        if write.leader_epoch < self.leader_epoch {
            return Err(PersisterError::FencedLeaderEpoch);
        }
        if write.state_epoch < self.state_epoch {
            return Err(PersisterError::FencedStateEpoch);
        }
        self.leader_epoch = write.leader_epoch;
        self.start_offset = write.start_offset;
        self.delivery_complete_count = write.delivery_complete_count;
        for batch in &write.batches {
            overlay(&mut self.batches, *batch);
        }
        self.batches.retain(|batch| batch.range.last >= write.start_offset);
        if let Some(first) = self.batches.first_mut() {
            first.range.first = first.range.first.max(write.start_offset);
        }
        merge_alike(&mut self.batches);
        Ok(())
    }

    /// The group's offset is altered or reset to `start_offset`: a new state epoch, nothing in
    /// flight, count 0. Leaders that still work on the old state are fenced.
    pub fn alter(&mut self, start_offset: Offset) {
        let leader_epoch = self.leader_epoch;
        *self = ShareState::initialized(self.state_epoch + 1, start_offset);
        self.leader_epoch = leader_epoch;
    }

    /// The group's offset is deleted: as if it had never been initialised, in a new state epoch.
    pub fn delete(&mut self) {
        self.alter(UNINITIALIZED_OFFSET);
    }
}

/// Puts `new` over what is there.
fn overlay(batches: &mut Vec<StateBatch>, new: StateBatch) {
    let mut result = Vec::with_capacity(batches.len() + 2);
    for old in batches.drain(..) {
        let below = OffsetRange::new(old.range.first, old.range.last.min(new.range.first - 1));
        let above = OffsetRange::new(old.range.first.max(new.range.last + 1), old.range.last);
        if old.range.last < new.range.first || old.range.first > new.range.last {
            result.push(old);
            continue;
        }
        result.extend(
            [below, above]
                .into_iter()
                .filter(|range| range.first <= range.last)
                .map(|range| StateBatch { range, ..old }),
        );
    }
    let at = result.partition_point(|old| old.range.first < new.range.first);
    result.insert(at, new);
    *batches = result;
}

/// Makes one of neighbours that differ in nothing but their offsets.
fn merge_alike(batches: &mut Vec<StateBatch>) {
    batches.dedup_by(|later, earlier| {
        let alike = earlier.range.last + 1 == later.range.first
            && (earlier.state, earlier.delivery_count) == (later.state, later.delivery_count);
        if alike {
            earlier.range.last = later.range.last;
        }
        alike
    });
}
