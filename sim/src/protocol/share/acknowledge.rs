//! What ends an acquisition: acknowledgement, a member that leaves, a lock that expires.

use super::partition::{ShareError, SharePartition};
use super::persister::{StateBatch, StateWrite};
use super::record::{AcknowledgeType, Lock, MemberId, OffsetRange, Record, RecordState};
use crate::protocol::{Offset, TimeMs};

/// A member's acknowledgement of offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcknowledgeBatch {
    /// Which offsets.
    pub range: OffsetRange,
    /// Kafka's numbers of the types: one for all, or one for each offset.
    pub types: Vec<i8>,
}

impl AcknowledgeBatch {
    /// One type for all offsets from `first` to `last`.
    pub fn all(first: Offset, last: Offset, id: i8) -> AcknowledgeBatch {
        AcknowledgeBatch { range: OffsetRange::new(first, last), types: vec![id] }
    }

    /// The types as states; an error for a type that there is not, or a wrong number of them.
    fn targets(&self) -> Result<Vec<RecordState>, ShareError> {
        let count = self.types.len();
        if count != 1 && count as Offset != self.range.len() {
            return Err(ShareError::InvalidRequest);
        }
        let target = |&id| AcknowledgeType::of_id(id).map(AcknowledgeType::target);
        self.types.iter().map(target).collect::<Option<_>>().ok_or(ShareError::InvalidRequest)
    }
}

/// The entry of a write that a record's new state makes.
fn entry(range: OffsetRange, record: &Record) -> StateBatch {
    StateBatch { range, state: record.state, delivery_count: record.delivery_count }
}

impl SharePartition {
    /// `member` acknowledges records: all of them or, on an error, none. The states count as
    /// given when the write has succeeded ([`SharePartition::write_ended`]). Nothing is to be
    /// written if all is below the start offset.
    ///
    /// # Errors
    /// [`ShareError::InvalidRecordState`] or [`ShareError::InvalidRequest`].
    pub fn acknowledge(
        &mut self,
        member: MemberId,
        acknowledged: &[AcknowledgeBatch],
    ) -> Result<Option<StateWrite>, ShareError> {
        let number = self.next_write_number();
        let mut entries = Vec::new();
        for batch in acknowledged {
            if let Err(error) = self.acknowledge_batch(member, batch, number, &mut entries) {
                self.end_pending(number, false);
                return Err(error);
            }
        }
        Ok(self.write(number, entries))
    }

    fn acknowledge_batch(
        &mut self,
        member: MemberId,
        batch: &AcknowledgeBatch,
        number: u64,
        entries: &mut Vec<StateBatch>,
    ) -> Result<(), ShareError> {
        let targets = batch.targets()?;
        if batch.range.last < self.start_offset {
            return Ok(());
        }
        for key in self.batches_of(batch.range)? {
            self.acknowledge_within(key, member, batch.range, &targets, number, entries)?;
        }
        Ok(())
    }

    /// Keys of the batches in flight that a request's offsets lie in.
    fn batches_of(&self, range: OffsetRange) -> Result<Vec<Offset>, ShareError> {
        let straddles = range.first < self.start_offset;
        let past_end = straddles && range.last >= self.end_offset;
        let from = self
            .batches
            .range(..=range.first)
            .next_back()
            .or_else(|| if straddles { self.batches.range(..=self.start_offset).next_back() } else { None })
            .ok_or(if past_end { ShareError::InvalidRequest } else { ShareError::InvalidRecordState })?;
        let found: Vec<(Offset, Offset)> =
            self.batches.range(*from.0..=range.last).map(|(&key, batch)| (key, batch.range.last)).collect();
        let last = found.last().map_or(from.1.range.last, |found| found.1);
        if range.last > last {
            return Err(ShareError::InvalidRequest);
        }
        Ok(found.into_iter().map(|found| found.0).collect())
    }

    fn acknowledge_within(
        &mut self,
        key: Offset,
        member: MemberId,
        range: OffsetRange,
        targets: &[RecordState],
        number: u64,
        entries: &mut Vec<StateBatch>,
    ) -> Result<(), ShareError> {
        let (start, limit) = (self.start_offset, self.settings.delivery_count_limit);
        let locks_made = &mut self.locks_made;
        let batch = self.batches.get_mut(&key).expect("its key was just read");
        if batch.range.last < start {
            return Ok(());
        }
        let whole = range.contains(batch.range.first) && range.contains(batch.range.last);
        if let Some(record) = batch.alike() {
            must_be_held(record, member)?;
            if !whole || targets.len() > 1 || batch.range.first < start {
                batch.split(|| Self::next_lock_number(locks_made));
            }
        }
        let alike = batch.is_alike();
        for (run, record) in batch.runs_mut() {
            if !alike && (!range.contains(run.first) || run.first < start) {
                continue;
            }
            must_be_held(record, member)?;
            let target =
                if targets.len() > 1 { targets[(run.first - range.first) as usize] } else { targets[0] };
            record.leave_acquired_pending(target, limit, number);
            entries.push(entry(run, record));
        }
        Ok(())
    }

    /// A member leaves: what it holds is available again, or archived if its deliveries are used
    /// up or it is below the start offset. Returns what is to be written, if anything.
    pub fn release_member(&mut self, member: MemberId) -> Option<StateWrite> {
        let number = self.next_write_number();
        let (start, limit) = (self.start_offset, self.settings.delivery_count_limit);
        let locks_made = &mut self.locks_made;
        let mut entries = Vec::new();
        for batch in self.batches.values_mut() {
            let held = |record: &Record| record.state == RecordState::Acquired && record.member == member;
            if batch.range.first < start && batch.range.last >= start && batch.alike().is_some_and(held) {
                batch.split(|| Self::next_lock_number(locks_made));
            }
            for (run, record) in batch.runs_mut().filter(|(_, record)| held(record)) {
                let target = released_to(run, start);
                record.leave_acquired_pending(target, limit, number);
                entries.push(entry(run, record));
            }
        }
        self.write(number, entries)
    }

    /// When the next lock expires, if one will.
    pub fn next_expiry(&self) -> Option<TimeMs> {
        self.next_lock().map(|(lock, _)| lock.deadline)
    }

    fn next_lock(&self) -> Option<(Lock, Offset)> {
        let held = self.runs().filter(|(_, record)| record.state == RecordState::Acquired);
        held.filter_map(|(run, record)| record.lock.map(|lock| (lock, run.first))).min()
    }

    /// Lets the lock expire whose time came first, if its time has come at `now`. Its records
    /// change at once, whether the write succeeds or not.
    pub fn expire_lock(&mut self, now: TimeMs) -> Option<StateWrite> {
        let (lock, offset) = self.next_lock()?;
        (lock.deadline <= now).then(|| self.expire_at(offset))
    }

    /// Lets the lock of the record at `offset` expire whatever the time is, for models without
    /// time.
    ///
    /// # Panics
    /// If no member holds that record.
    pub fn expire_at(&mut self, offset: Offset) -> StateWrite {
        let number = self.next_write_number();
        let (start, limit) = (self.start_offset, self.settings.delivery_count_limit);
        let locks_made = &mut self.locks_made;
        let batch = self.batches.range_mut(..=offset).next_back().expect("the record is in flight").1;
        let was_alike = batch.is_alike();
        if was_alike && batch.range.first < start && batch.range.last >= start {
            batch.split(|| Self::next_lock_number(locks_made));
        }
        let mut entries = Vec::new();
        for (run, record) in batch.runs_mut() {
            if (was_alike || run.first == offset) && record.state == RecordState::Acquired {
                record.leave_acquired(released_to(run, start), limit);
                record.lock = None;
                entries.push(entry(run, record));
            }
        }
        self.write(number, entries).expect("a member held the record")
    }

    /// The write with this number has ended: what it was to make lasting lasts, or is undone. A
    /// lock that has expired meanwhile expires at once. The start offset then moves over
    /// terminal records.
    pub fn write_ended(&mut self, number: u64, written: bool) {
        let changed = self.end_pending(number, written);
        if written || !changed {
            self.advance_start();
        }
    }

    /// Returns whether a record waited for the write.
    fn end_pending(&mut self, number: u64, written: bool) -> bool {
        let mut any = false;
        for (_, record) in self.batches.values_mut().flat_map(|batch| batch.runs_mut()) {
            if record.pending.is_some_and(|(write, _)| write == number) {
                record.end_write(written);
                any = true;
            }
        }
        any
    }
}

/// Where a record goes that is given back: below the start offset it is not needed any more.
fn released_to(run: OffsetRange, start_offset: Offset) -> RecordState {
    if run.last < start_offset { RecordState::Archived } else { RecordState::Available }
}

fn must_be_held(record: &Record, member: MemberId) -> Result<(), ShareError> {
    let held = record.state == RecordState::Acquired && record.member == member;
    held.then_some(()).ok_or(ShareError::InvalidRecordState)
}
