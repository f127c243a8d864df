//! A share partition on its leader.

use super::batch::Batch;
use super::persister::{PersisterError, ShareState, StateBatch, StateWrite, UNINITIALIZED_OFFSET};
use super::record::{OffsetRange, Record, RecordState};
use crate::protocol::{Offset, TimeMs};
use std::collections::BTreeMap;

/// Defects of Kafka's code of October 2024, to be shown; a partition has none unless told so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ShareDefects {
    /// After the log start has passed acquired records, their release moves the start offset
    /// back: it is searched for from the oldest record in flight, not from where it is.
    pub start_offset_moves_back: bool,
    /// A new leader does not notice offsets of which nothing was persisted, because they were
    /// acquired when the old one failed: they are never delivered again.
    pub loses_acquired_at_failover: bool,
}

/// The settings of a share partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShareSettings {
    /// `group.share.delivery.count.limit`; at least 1.
    pub delivery_count_limit: u16,
    /// `group.share.partition.max.record.locks`: most records in flight.
    pub max_record_locks: u32,
    /// `group.share.record.lock.duration.ms`.
    pub record_lock_duration_ms: TimeMs,
    /// Defects to be shown.
    pub defects: ShareDefects,
}

impl Default for ShareSettings {
    /// Kafka's defaults of October 2024.
    fn default() -> Self {
        ShareSettings {
            delivery_count_limit: 5,
            max_record_locks: 200,
            record_lock_duration_ms: 30_000,
            defects: ShareDefects::default(),
        }
    }
}

/// Whether a share partition can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareStatus {
    /// Its state has not been read.
    Empty,
    /// It works.
    Active,
    /// Its state could not be read: another leader has to.
    Failed,
}

impl ShareStatus {
    /// Kafka's name of the status.
    pub fn name(self) -> &'static str {
        match self {
            ShareStatus::Empty => "EMPTY",
            ShareStatus::Active => "ACTIVE",
            ShareStatus::Failed => "FAILED",
        }
    }
}

/// Why a request to a share partition failed; nothing was changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareError {
    /// `INVALID_RECORD_STATE` (121): not acquired, or not by this member.
    InvalidRecordState,
    /// `INVALID_REQUEST` (42): offsets that are not in flight, or an unknown acknowledge type.
    InvalidRequest,
    /// The persisted state contradicts itself.
    InvalidPersistedState,
    /// What the persister answered.
    Persister(PersisterError),
    /// The partition is not active.
    NotActive,
}

/// A share partition under way: which records from its start offset on have gone where.
///
/// Records from the start offset up to the end offset are in flight, each in one of the four
/// [`RecordState`]s. Below the start offset only those are remembered that a member still holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharePartition {
    pub(super) settings: ShareSettings,
    status: ShareStatus,
    leader_epoch: i32,
    state_epoch: i32,
    pub(super) start_offset: Offset,
    /// One above the last record in flight, or the start offset.
    pub(super) end_offset: Offset,
    /// By first offset; they do not overlap.
    pub(super) batches: BTreeMap<Offset, Batch>,
    pub(super) locks_made: u64,
    writes_made: u64,
}

impl SharePartition {
    /// A partition whose state has not been read yet, on a leader of `leader_epoch`.
    pub fn new(settings: ShareSettings, leader_epoch: i32) -> SharePartition {
        SharePartition {
            settings,
            status: ShareStatus::Empty,
            leader_epoch,
            state_epoch: 0,
            start_offset: 0,
            end_offset: 0,
            batches: BTreeMap::new(),
            locks_made: 0,
            writes_made: 0,
        }
    }

    /// A partition in the middle of its work, for models that keep states in a form of their own.
    /// `records` has those in flight, each a batch of its own, and those that are held below
    /// `start_offset`.
    pub fn restored(
        settings: ShareSettings,
        (leader_epoch, state_epoch): (i32, i32),
        (start_offset, end_offset): (Offset, Offset),
        records: impl IntoIterator<Item = (Offset, Record)>,
    ) -> SharePartition {
        let batches =
            records.into_iter().map(|(at, record)| (at, Batch::new(OffsetRange::new(at, at), record)));
        SharePartition {
            status: ShareStatus::Active,
            state_epoch,
            start_offset,
            end_offset,
            batches: batches.collect(),
            ..SharePartition::new(settings, leader_epoch)
        }
    }

    /// Takes over what the persister answered to the read of the state. A group without a start
    /// offset begins at `reset_offset`, which its reset policy gave.
    ///
    /// # Errors
    /// What the persister answered, or [`ShareError::InvalidPersistedState`]; the partition has
    /// failed then.
    pub fn initialize(
        &mut self,
        read: Result<&ShareState, PersisterError>,
        reset_offset: Offset,
    ) -> Result<(), ShareError> {
        let result =
            read.map_err(ShareError::Persister).and_then(|state| self.take_over(state, reset_offset));
        self.status = if result.is_ok() { ShareStatus::Active } else { ShareStatus::Failed };
        result
    }

    fn take_over(&mut self, state: &ShareState, reset_offset: Offset) -> Result<(), ShareError> {
        let start = match state.start_offset() {
            UNINITIALIZED_OFFSET => reset_offset,
            offset => offset,
        };
        if state.batches().iter().any(|batch| batch.range.first < start) {
            return Err(ShareError::InvalidPersistedState);
        }
        self.state_epoch = state.state_epoch();
        self.start_offset = start;
        self.end_offset = start;
        self.batches.clear();
        for batch in state.batches() {
            self.restore(batch);
        }
        self.advance_start();
        Ok(())
    }

    /// Restores a persisted batch. What lies before it and was not persisted was acquired when
    /// the last leader wrote: it is to be delivered again, as if for the first time.
    fn restore(&mut self, batch: &StateBatch) {
        let first = batch.range.first;
        if first > self.end_offset && !self.settings.defects.loses_acquired_at_failover {
            let unknown = OffsetRange::new(self.end_offset, first - 1);
            self.insert(unknown, Record::at_rest(RecordState::Available, 0));
        }
        let state = match batch.state {
            RecordState::Acquired => RecordState::Available,
            other => other,
        };
        self.insert(batch.range, Record::at_rest(state, batch.delivery_count));
        self.end_offset = batch.range.last + 1;
    }

    pub(super) fn insert(&mut self, range: OffsetRange, record: Record) {
        self.batches.insert(range.first, Batch::new(range, record));
    }

    /// Whether it can be used.
    pub fn status(&self) -> ShareStatus {
        self.status
    }

    /// SPSO: the first offset that may still be delivered.
    pub fn start_offset(&self) -> Offset {
        self.start_offset
    }

    /// SPEO, exclusive: one above the last record in flight; the start offset if there is none.
    pub fn end_offset(&self) -> Offset {
        self.end_offset
    }

    /// The epochs of the leader and of the persisted state, as it knows them.
    pub fn epochs(&self) -> (i32, i32) {
        (self.leader_epoch, self.state_epoch)
    }

    /// The delivery complete count (KIP-1226): records in flight that are Acknowledged or
    /// Archived, those included whose write is under way.
    pub fn delivery_complete_count(&self) -> Offset {
        self.batches.values().map(|batch| batch.terminal_from(self.start_offset)).sum()
    }

    /// Records from the start offset to `log_end` that may still be delivered: what the lag is
    /// meant to tell.
    pub fn undelivered(&self, log_end: Offset) -> Offset {
        let settled = self.runs().filter(|(_, record)| record.is_settled());
        let from = self.start_offset;
        let settled: Offset = settled.map(|(range, _)| (range.last - range.first.max(from) + 1).max(0)).sum();
        (log_end - from - settled).max(0)
    }

    /// Every run of records that is kept as one, in rising order; those below the start offset
    /// first, which a member still holds.
    pub fn runs(&self) -> impl Iterator<Item = (OffsetRange, &Record)> {
        self.batches.values().flat_map(Batch::runs)
    }

    /// The record at an offset in flight.
    pub fn record(&self, offset: Offset) -> Option<&Record> {
        let batch = self.batches.range(..=offset).next_back()?.1;
        batch.range.contains(offset).then(|| batch.record(offset))
    }

    /// Where the leader reads next: the first record that can be acquired, else the end offset.
    pub fn next_fetch_offset(&self) -> Offset {
        let available =
            self.runs().find(|(range, record)| range.last >= self.start_offset && record.is_available());
        available.map_or(self.end_offset, |(range, _)| range.first.max(self.start_offset))
    }

    /// Whether a member may be given more: something can be delivered again, or fewer records
    /// are in flight than allowed.
    pub fn can_acquire(&self) -> bool {
        self.next_fetch_offset() != self.end_offset
            || self.end_offset - self.start_offset < Offset::from(self.settings.max_record_locks)
    }

    /// A lock's number; locks of the same deadline expire in the order of their numbers.
    pub(super) fn next_lock_number(locks_made: &mut u64) -> u64 {
        *locks_made += 1;
        *locks_made
    }

    pub(super) fn next_write_number(&mut self) -> u64 {
        self.writes_made += 1;
        self.writes_made
    }

    /// The write of `batches`, if there is anything to write.
    pub(super) fn write(&self, number: u64, batches: Vec<StateBatch>) -> Option<StateWrite> {
        (!batches.is_empty()).then(|| StateWrite {
            number,
            leader_epoch: self.leader_epoch,
            state_epoch: self.state_epoch,
            start_offset: self.start_offset,
            delivery_complete_count: self.delivery_complete_count(),
            batches,
        })
    }
}
