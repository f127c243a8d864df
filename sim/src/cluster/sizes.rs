//! How many bytes the records of a log have.

use crate::protocol::Offset;
use std::collections::VecDeque;

/// The most runs of equal record sizes that are kept apart.
const RUNS_MAX: usize = 1024;

/// The sizes of a log's records, as runs of records of one size.
///
/// Offsets below the smallest log end of all replicas are never asked for again and may be
/// forgotten ([`RecordSizes::forget_below`]). Should producers of many different sizes meet a
/// follower that is far behind, neighbouring runs are merged into one of their mean size: the
/// memory stays bounded, and only the size of answers to that follower is approximate.
#[derive(Clone, Debug)]
pub(super) struct RecordSizes {
    /// Bytes of each record, if they are all of one size, as they nearly always are; else 0.
    uniform: u64,
    /// First offset of each run and the bytes of one record of it; never empty. Out of the way:
    /// it is looked at when there are several.
    #[allow(clippy::box_collection, reason = "keeps what is beside it in a partition's first cache line")]
    runs: Box<VecDeque<(Offset, u64)>>,
}

impl RecordSizes {
    pub(super) fn new() -> Self {
        RecordSizes { uniform: 1, runs: Box::new(VecDeque::from([(0, 1)])) }
    }

    /// Records from `at` on have `bytes` each.
    #[inline]
    pub(super) fn append(&mut self, at: Offset, bytes: u64) {
        if self.uniform != bytes {
            self.append_to_runs(at, bytes);
        }
    }

    #[inline(never)]
    fn append_to_runs(&mut self, at: Offset, bytes: u64) {
        if self.runs.back().is_none_or(|&(_, last)| last != bytes) {
            self.start_run(at, bytes);
        }
    }

    fn start_run(&mut self, at: Offset, bytes: u64) {
        if self.runs.back().is_some_and(|&(start, _)| start == at) {
            self.runs.pop_back();
        }
        self.runs.push_back((at, bytes));
        if self.runs.len() > RUNS_MAX {
            self.merge_pairs(at);
        }
        self.note_runs();
    }

    /// Keeps what is asked for most beside the runs themselves.
    fn note_runs(&mut self) {
        self.uniform = if self.runs.len() == 1 { self.runs[0].1 } else { 0 };
    }

    /// Whether it would help to call [`RecordSizes::forget_below`].
    #[inline]
    pub(super) fn wants_to_forget(&self) -> bool {
        self.uniform == 0 && self.runs.len() > RUNS_MAX / 2
    }

    /// Forgets the runs that end at or below `offset`.
    pub(super) fn forget_below(&mut self, offset: Offset) {
        while self.runs.len() > 1 && self.runs[1].0 <= offset {
            self.runs.pop_front();
        }
        self.note_runs();
    }

    /// The log was cut so that `end` is its end.
    pub(super) fn truncate(&mut self, end: Offset) {
        while self.runs.len() > 1 && self.runs.back().is_some_and(|&(start, _)| start >= end) {
            self.runs.pop_back();
        }
        self.note_runs();
    }

    fn merge_pairs(&mut self, end: Offset) {
        let runs = std::mem::take(&mut *self.runs);
        let ends: Vec<Offset> = runs.iter().skip(1).map(|run| run.0).chain([end]).collect();
        let spans: Vec<(Offset, u64, u64)> = runs
            .iter()
            .zip(ends)
            .map(|(&(start, bytes), end)| (start, (end - start).max(0) as u64, bytes))
            .collect();
        for pair in spans.chunks(2) {
            let records: u64 = pair.iter().map(|span| span.1).sum();
            let total: u64 = pair.iter().map(|span| span.1 * span.2).sum();
            let mean = (total + records / 2).checked_div(records);
            let bytes = mean.unwrap_or(pair[pair.len() - 1].2).max(1);
            self.runs.push_back((pair[0].0, bytes));
        }
    }

    /// How many records from `from` up to `to` fit into `max_bytes`, and their bytes. At least
    /// one record, if there is one and `first_always`.
    #[inline]
    pub(super) fn fit(&self, from: Offset, to: Offset, max_bytes: u64, first_always: bool) -> (Offset, u64) {
        if from >= to {
            return (0, 0);
        }
        if self.uniform != 0 {
            return fit_run((to - from) as u64, self.uniform, max_bytes, first_always);
        }
        self.fit_runs(from, to, max_bytes, first_always)
    }

    #[inline(never)]
    fn fit_runs(&self, from: Offset, to: Offset, max_bytes: u64, first_always: bool) -> (Offset, u64) {
        let first = self.runs.partition_point(|&(start, _)| start <= from).saturating_sub(1);
        let (mut records, mut bytes, mut at) = (0, 0, from);
        for index in first..self.runs.len() {
            let end = self.runs.get(index + 1).map_or(to, |run| run.0.min(to));
            if at >= to {
                break;
            }
            let count = (end - at).max(0) as u64;
            let one_free = first_always && records == 0;
            let (fit, size) = fit_run(count, self.runs[index].1, max_bytes.saturating_sub(bytes), one_free);
            records += fit;
            bytes += size;
            at = end;
            if (fit as u64) < count {
                break;
            }
        }
        (records, bytes)
    }
}

#[inline]
fn fit_run(count: u64, record_bytes: u64, max_bytes: u64, first_always: bool) -> (Offset, u64) {
    let all = count.saturating_mul(record_bytes);
    if all <= max_bytes {
        return (count as Offset, all);
    }
    let fit = (max_bytes / record_bytes).max(first_always as u64);
    (fit as Offset, fit * record_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_size_is_a_division() {
        let mut sizes = RecordSizes::new();
        sizes.append(0, 100);
        assert_eq!(sizes.fit(3, 13, u64::MAX, true), (10, 1000));
        assert_eq!(sizes.fit(3, 13, 950, true), (9, 900));
        assert_eq!(sizes.fit(3, 13, 99, true), (1, 100));
        assert_eq!(sizes.fit(3, 13, 99, false), (0, 0));
        assert_eq!(sizes.fit(13, 13, 99, true), (0, 0));
    }

    #[test]
    fn several_sizes_are_added_up() {
        let mut sizes = RecordSizes::new();
        for (at, bytes) in [(0, 10), (2, 100), (3, 1), (7, 1)] {
            sizes.append(at, bytes);
        }
        assert_eq!(sizes.fit(0, 9, u64::MAX, true), (9, 126));
        assert_eq!(sizes.fit(1, 9, 110, true), (2, 110));
        assert_eq!(sizes.fit(1, 9, 112, true), (4, 112));
        assert_eq!(sizes.fit(1, 9, 15, true), (1, 10));
        assert_eq!(sizes.fit(2, 9, 15, true), (1, 100));
        assert_eq!(sizes.fit(2, 9, 15, false), (0, 0));
        assert_eq!(sizes.fit(4, 6, 15, false), (2, 2));
        sizes.forget_below(3);
        assert_eq!(sizes.fit(4, 6, 15, false), (2, 2));
        sizes.truncate(3);
        sizes.append(3, 7);
        assert_eq!(sizes.fit(3, 4, 15, false), (1, 7));
    }

    #[test]
    fn memory_is_bounded_and_totals_stay() {
        let mut sizes = RecordSizes::new();
        let mut total = 0;
        for at in 0..100_000 {
            let bytes = 1 + (at as u64 * 7919) % 97;
            sizes.append(at, bytes);
            total += bytes;
        }
        assert!(sizes.runs.len() <= RUNS_MAX + 1, "{} runs", sizes.runs.len());
        let (records, bytes) = sizes.fit(0, 100_000, u64::MAX, true);
        assert_eq!(records, 100_000);
        assert!(bytes.abs_diff(total) < total / 20, "{bytes} bytes instead of {total}");
    }
}
