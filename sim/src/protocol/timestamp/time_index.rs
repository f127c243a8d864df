//! The first offset with a time at or above a given one, in a log whose times need not rise.

use crate::protocol::types::{Offset, TimeMs};

/// An entry of the index: no record below `end_offset` has a time above `max_timestamp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IndexedTime {
    /// The largest time of all records below `end_offset`, milliseconds.
    pub max_timestamp: TimeMs,
    /// One above the last offset of the batch that brought it.
    pub end_offset: Offset,
}

/// A partition's time index (KIP-33): entries whose time *and* offset rise.
///
/// It keeps the running maximum, not each batch's own time, and so stays sorted, and right, when
/// times step back: [`TimeIndex::scan_from`] names an offset below which no record can match.
/// Entries may be left out ([`TimeIndex::observe`] without `keep`, as Kafka writes one each
/// `index.interval.bytes`): the scan then begins earlier, and finds the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct TimeIndex {
    entries: Vec<IndexedTime>,
    running: Option<IndexedTime>,
}

impl TimeIndex {
    /// A batch whose largest time is `max_timestamp` was appended and ends before `end_offset`.
    /// If `keep`, the running maximum gets an entry, unless the last entry has that time.
    pub fn observe(&mut self, max_timestamp: TimeMs, end_offset: Offset, keep: bool) {
        match &mut self.running {
            Some(running) if max_timestamp <= running.max_timestamp => running.end_offset = end_offset,
            running => *running = Some(IndexedTime { max_timestamp, end_offset }),
        }
        let last = self.entries.last().map(|entry| entry.max_timestamp);
        if let Some(running) = self.running.filter(|_| keep) {
            if last == Some(running.max_timestamp) {
                self.entries.pop();
            }
            self.entries.push(running);
        }
    }

    /// The log was cut to `end_offset`: forgets what is above it.
    pub fn truncate(&mut self, end_offset: Offset) {
        self.entries.retain(|entry| entry.end_offset <= end_offset);
        self.running = self.entries.last().copied();
    }

    /// The largest time so far; none before the first batch.
    pub fn running_maximum(&self) -> Option<TimeMs> {
        self.running.map(|running| running.max_timestamp)
    }

    /// The entries, their times and offsets rising.
    pub fn entries(&self) -> &[IndexedTime] {
        &self.entries
    }

    /// Where a search for the first record with a time at or above `timestamp` has to begin:
    /// every record below has an earlier time.
    pub fn scan_from(&self, timestamp: TimeMs) -> Offset {
        let below = self.entries.partition_point(|entry| entry.max_timestamp < timestamp);
        below.checked_sub(1).map_or(0, |index| self.entries[index].end_offset)
    }

    /// The first of `records` (offset and time, by rising offset) with a time at or above
    /// `timestamp`; what Kafka's `ListOffsets` answers.
    pub fn lookup(
        &self,
        timestamp: TimeMs,
        records: impl IntoIterator<Item = (Offset, TimeMs)>,
    ) -> Option<Offset> {
        let from = self.scan_from(timestamp);
        let found = records.into_iter().find(|&(offset, time)| offset >= from && time >= timestamp);
        found.map(|(offset, _)| offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_time_that_steps_back_gets_no_entry_of_its_own() {
        let mut index = TimeIndex::default();
        for (time, end) in [(10, 1), (7, 2), (12, 3), (12, 4), (11, 5)] {
            index.observe(time, end, true);
        }
        let entry = |max_timestamp, end_offset| IndexedTime { max_timestamp, end_offset };
        assert_eq!(index.entries(), [entry(10, 2), entry(12, 5)]);
        assert_eq!(index.running_maximum(), Some(12));
        assert_eq!([9, 10, 11, 12, 13].map(|time| index.scan_from(time)), [0, 0, 2, 2, 5]);
    }

    #[test]
    fn a_cut_forgets_what_is_above_it() {
        let mut index = TimeIndex::default();
        for (time, end) in [(10, 1), (12, 2), (20, 3)] {
            index.observe(time, end, true);
        }
        index.truncate(2);
        assert_eq!((index.running_maximum(), index.scan_from(20)), (Some(12), 2));
        index.truncate(0);
        assert_eq!((index.running_maximum(), index.scan_from(20)), (None, 0));
    }

    proptest! {
        /// Whatever the times, and whichever entries are left out, the answer is that of reading
        /// the whole log.
        #[test]
        fn the_answer_is_that_of_a_scan(
            appended in proptest::collection::vec((-1i64..20, any::<bool>()), 0..30),
            asked in -1i64..21,
        ) {
            let mut index = TimeIndex::default();
            for (offset, (time, keep)) in (0i64..).zip(&appended) {
                index.observe(*time, offset + 1, *keep);
            }
            let records = || (0i64..).zip(appended.iter().map(|(time, _)| *time));
            let scanned = records().find(|(_, time)| *time >= asked).map(|(offset, _)| offset);
            prop_assert_eq!(index.lookup(asked, records()), scanned);
            let rises = |a: &IndexedTime, b: &IndexedTime| {
                a.max_timestamp < b.max_timestamp && a.end_offset < b.end_offset
            };
            prop_assert!(index.entries().is_sorted_by(rises), "{:?}", index.entries());
        }
    }
}
