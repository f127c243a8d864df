//! Acquisition: a member is given records under a lock.

use super::partition::{SharePartition, ShareStatus};
use super::record::{Lock, MemberId, OffsetRange, Record, RecordState};
use crate::protocol::{Offset, TimeMs};

/// Records given to a member, all for the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcquiredRange {
    /// Which offsets.
    pub range: OffsetRange,
    /// Their delivery count, this delivery included.
    pub delivery_count: u16,
}

impl SharePartition {
    /// `member` acquires of the record batches `fetched`, which were read from the log and rise.
    ///
    /// `max_records` is a soft limit: a record batch is not cut. Offsets between the records in
    /// flight and the first fetched one hold no records (compaction, transactions): they are
    /// archived, or, with nothing in flight, passed over.
    pub fn acquire(
        &mut self,
        member: MemberId,
        max_records: u32,
        fetched: &[OffsetRange],
        now: TimeMs,
    ) -> Vec<AcquiredRange> {
        let (Some(first), Some(last)) = (fetched.first(), fetched.last()) else { return Vec::new() };
        if self.status() != ShareStatus::Active || max_records == 0 {
            return Vec::new();
        }
        let span = OffsetRange::new(first.first.max(self.start_offset), last.last);
        let limit = Offset::from(max_records);
        let mut acquired = Vec::new();
        if span.first <= span.last {
            self.archive_absent(span.first);
            let again = self.acquire_again(member, limit, span, now, &mut acquired);
            if again < limit && span.last >= self.end_offset {
                self.acquire_new(member, limit - again, fetched, span, now, &mut acquired);
            }
        }
        acquired
    }

    fn lock(&mut self, now: TimeMs) -> Lock {
        let deadline = now + self.settings.record_lock_duration_ms;
        Lock { deadline, number: Self::next_lock_number(&mut self.locks_made) }
    }

    /// What was never delivered and lies below the first record that the log still has is gone.
    fn archive_absent(&mut self, first: Offset) {
        let start = self.start_offset;
        let mut any = false;
        for (range, record) in self.batches.values_mut().flat_map(|batch| batch.runs_mut()) {
            if range.first >= start
                && range.last < first
                && record.is_available()
                && record.delivery_count == 0
            {
                record.state = RecordState::Archived;
                any = true;
            }
        }
        if any {
            self.advance_start();
        }
    }

    /// Acquires what is in flight and available within `span`; returns how many records.
    fn acquire_again(
        &mut self,
        member: MemberId,
        limit: Offset,
        span: OffsetRange,
        now: TimeMs,
        acquired: &mut Vec<AcquiredRange>,
    ) -> Offset {
        let below = self.batches.range(..=span.first).next_back();
        let from =
            below.filter(|(_, batch)| batch.range.contains(span.first)).map_or(span.first, |(&key, _)| key);
        let keys: Vec<Offset> = self.batches.range(from..=span.last).map(|(&key, _)| key).collect();
        let mut count = 0;
        for key in keys {
            if count >= limit {
                break;
            }
            let mut lock = self.lock(now);
            let locks_made = &mut self.locks_made;
            let batch = self.batches.get_mut(&key).expect("its key was just read");
            let whole = span.contains(batch.range.first) && span.contains(batch.range.last);
            if !whole {
                if !batch.alike().is_none_or(Record::is_available) {
                    continue;
                }
                batch.split(|| Self::next_lock_number(locks_made));
            }
            for (range, record) in batch.runs_mut() {
                if span.contains(range.first) && record.is_available() {
                    *record = Record::acquired(member, record.delivery_count + 1, lock);
                    acquired.push(AcquiredRange { range, delivery_count: record.delivery_count });
                    count += range.len();
                    lock.number = Self::next_lock_number(locks_made);
                }
            }
        }
        count
    }

    /// Acquires what is fetched beyond the end offset.
    fn acquire_new(
        &mut self,
        member: MemberId,
        limit: Offset,
        fetched: &[OffsetRange],
        span: OffsetRange,
        now: TimeMs,
        acquired: &mut Vec<AcquiredRange>,
    ) {
        let first = span.first.max(self.end_offset);
        let mut last = span.last;
        if limit < last - first + 1 {
            let wanted = first + limit - 1;
            let whole = fetched.iter().find(|batch| batch.contains(wanted));
            last = whole.map_or(wanted, |batch| batch.last);
        }
        if first > self.end_offset {
            if self.end_offset > self.start_offset {
                let absent = OffsetRange::new(self.end_offset, first - 1);
                self.insert(absent, Record::at_rest(RecordState::Archived, 0));
            } else {
                self.start_offset = first;
            }
        }
        let lock = self.lock(now);
        let range = OffsetRange::new(first, last);
        self.insert(range, Record::acquired(member, 1, lock));
        self.end_offset = last + 1;
        acquired.push(AcquiredRange { range, delivery_count: 1 });
    }
}
