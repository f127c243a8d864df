//! How the start offset moves: over terminal records, and with the log start.

use super::batch::Batch;
use super::partition::SharePartition;
use super::record::{Record, RecordState};
use crate::protocol::Offset;

impl SharePartition {
    /// The log start has moved (retention, deleted records). Records below it leave the count;
    /// available ones among them are archived without being counted; what a member holds there
    /// stays until the member is done with it. Nothing is written. Ignored if the start offset
    /// is there already.
    pub fn log_start_moved(&mut self, log_start: Offset) {
        if log_start <= self.start_offset {
            return;
        }
        let locks_made = &mut self.locks_made;
        for (_, batch) in self.batches.range_mut(..log_start) {
            if batch.range.last >= log_start && batch.alike().is_some_and(Record::is_available) {
                batch.split(|| Self::next_lock_number(locks_made));
            }
            let below = batch.runs_mut().filter(|(run, _)| run.last < log_start);
            for (_, record) in below.filter(|(_, record)| record.is_available()) {
                record.state = RecordState::Archived;
            }
        }
        self.start_offset = log_start;
        self.end_offset = self.end_offset.max(log_start);
        if !self.settings.defects.start_offset_moves_back {
            self.advance_start();
        }
    }

    /// Moves the start offset over the terminal records that begin there, and forgets batches
    /// that are not needed any more.
    pub(super) fn advance_start(&mut self) {
        if self.settings.defects.start_offset_moves_back {
            self.search_start_from_oldest();
        } else {
            self.start_offset = self.end_of_settled(self.start_offset);
        }
        if self.start_offset >= self.end_offset {
            self.end_offset = self.start_offset;
        }
        let start = self.start_offset;
        let keep_all = self.settings.defects.start_offset_moves_back;
        self.batches
            .retain(|_, batch| batch.range.last >= start || keep_all && !is_settled(batch) || is_held(batch));
    }

    /// The first offset from `from` on that is not settled; not more than the end offset.
    fn end_of_settled(&self, from: Offset) -> Offset {
        let mut at = from;
        let first = self.batches.range(..=from).next_back().map_or(from, |(&key, _)| key);
        for (run, record) in self.batches.range(first..).flat_map(|(_, batch)| batch.runs()) {
            if run.last < at {
                continue;
            }
            // Offsets of which nothing is known hold the start offset; between records they are
            // passed over.
            if at == from && run.first > from {
                return from;
            }
            if !record.is_settled() {
                return run.first.max(at);
            }
            at = run.last + 1;
        }
        at
    }

    /// The defect: when the record at the start offset, or the batch before it, is terminal, the
    /// start offset becomes the end of the terminal records that begin with the oldest one.
    fn search_start_from_oldest(&mut self) {
        let Some((_, batch)) = self.batches.range(..=self.start_offset).next_back() else { return };
        let at_start = batch.record(self.start_offset.min(batch.range.last));
        if !at_start.is_settled() {
            return;
        }
        let oldest = *self.batches.keys().next().expect("a batch was just found");
        let found = self.end_of_settled(oldest);
        let last = self.batches.values().next_back().expect("a batch was just found").range.last;
        if found == oldest {
            return;
        }
        self.start_offset = found;
        if found > last {
            self.end_offset = found;
            self.batches.clear();
        }
    }
}

fn is_settled(batch: &Batch) -> bool {
    batch.runs().all(|(_, record)| record.is_settled())
}

/// Whether a member holds records of the batch, or a write of them is under way.
fn is_held(batch: &Batch) -> bool {
    batch.runs().any(|(_, record)| record.state == RecordState::Acquired || record.pending.is_some())
}
