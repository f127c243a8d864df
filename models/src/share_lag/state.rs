//! The state, and how it is packed.

use super::constants::ShareConstants;
use crate::checker::Word;

const RECORDS: usize = ShareConstants::RECORDS_MAX as usize;

/// A record as the leader sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RecordSlot {
    /// 0: not in flight; else 1 + the position of its state among Available, Acquired,
    /// Acknowledged, Archived.
    pub state: u8,
    /// Deliveries.
    pub deliveries: u8,
    /// A write is under way that is to make the state lasting.
    pub pending: bool,
}

/// A write on its way to the share coordinator: one record each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WriteUnderWay {
    /// There is one.
    pub there: bool,
    /// The leader that sent it.
    pub leader_epoch: u8,
    /// The state epoch that leader knew.
    pub state_epoch: u8,
    /// Its start offset.
    pub start_offset: u8,
    /// Its delivery complete count.
    pub count: u8,
    /// The record.
    pub offset: u8,
    /// The record's new state, as in [`RecordSlot::state`].
    pub state: u8,
    /// The record's deliveries.
    pub deliveries: u8,
    /// The record waits for it: not so when a lock expired.
    pub awaited: bool,
}

/// What the share coordinator keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PersistedState {
    /// The last leader that read or wrote.
    pub leader_epoch: u8,
    /// The state epoch.
    pub state_epoch: u8,
    /// The start offset.
    pub start_offset: u8,
    /// The delivery complete count, plus 1; 0: not known.
    pub count: u8,
    /// Each record's state, as in [`RecordSlot::state`]; 0: nothing is kept of it.
    pub states: [u8; RECORDS],
    /// Each record's deliveries.
    pub deliveries: [u8; RECORDS],
}

/// Log, leader, share coordinator, group coordinator and what has been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShareLagState {
    /// The log's start.
    pub log_start: u8,
    /// The log's end.
    pub log_end: u8,
    /// Nothing is produced, and no offset altered, any more.
    pub quiet: bool,
    /// The leader's epoch.
    pub leader_epoch: u8,
    /// The state epoch as the leader knows it.
    pub state_epoch: u8,
    /// SPSO.
    pub start_offset: u8,
    /// SPEO, exclusive.
    pub end_offset: u8,
    /// The leader's records.
    pub records: [RecordSlot; RECORDS],
    /// Writes under way, the older first.
    pub writes: [WriteUnderWay; ShareConstants::WRITES],
    /// The share coordinator.
    pub persisted: PersistedState,
    /// The summary that the group coordinator has read (start offset; count plus 1), before it
    /// knows the end offset. With the end offset first: that, and 0.
    pub read: Option<(u8, u8)>,
    /// What it reads now is what the share coordinator has now.
    pub read_is_current: bool,
    /// The last lag answered, plus 1; 0: none yet, or not since the producers stopped.
    pub answered: u8,
    /// Writes that failed so far.
    pub failures: u8,
    /// Moves of the log start so far.
    pub log_moves: u8,
    /// The leader's last write failed.
    pub write_failed: bool,
    /// Records that are done with: terminal and lasting, or gone from the log, or below what the
    /// offset was altered to.
    pub done: u8,
    /// The highest SPSO since the last alteration.
    pub start_offset_max: u8,
    /// A lag answered in the quiet was higher than the one before.
    pub rose_in_quiet: bool,
    /// The persisted count has fallen.
    pub count_fell: bool,
}

impl ShareLagState {
    fn for_each_field(&mut self, mut field: impl FnMut(&mut u8, u32)) {
        field(&mut self.log_start, 2);
        field(&mut self.log_end, 2);
        flag(&mut self.quiet, &mut field);
        field(&mut self.leader_epoch, 2);
        field(&mut self.state_epoch, 1);
        field(&mut self.start_offset, 2);
        field(&mut self.end_offset, 2);
        for record in &mut self.records {
            field(&mut record.state, 3);
            field(&mut record.deliveries, 2);
            flag(&mut record.pending, &mut field);
        }
        for write in &mut self.writes {
            flag(&mut write.there, &mut field);
            field(&mut write.leader_epoch, 2);
            field(&mut write.state_epoch, 1);
            field(&mut write.start_offset, 2);
            field(&mut write.count, 2);
            field(&mut write.offset, 2);
            field(&mut write.state, 3);
            field(&mut write.deliveries, 2);
            flag(&mut write.awaited, &mut field);
        }
        field(&mut self.persisted.leader_epoch, 2);
        field(&mut self.persisted.state_epoch, 1);
        field(&mut self.persisted.start_offset, 2);
        field(&mut self.persisted.count, 3);
        self.persisted.states.iter_mut().for_each(|state| field(state, 3));
        self.persisted.deliveries.iter_mut().for_each(|count| field(count, 2));
        let mut there = u8::from(self.read.is_some());
        let (mut start, mut count) = self.read.unwrap_or_default();
        field(&mut there, 1);
        field(&mut start, 2);
        field(&mut count, 3);
        self.read = (there == 1).then_some((start, count));
        flag(&mut self.read_is_current, &mut field);
        field(&mut self.answered, 3);
        field(&mut self.failures, 2);
        field(&mut self.log_moves, 2);
        flag(&mut self.write_failed, &mut field);
        field(&mut self.done, 3);
        field(&mut self.start_offset_max, 2);
        flag(&mut self.rose_in_quiet, &mut field);
        flag(&mut self.count_fell, &mut field);
    }

    pub(super) fn pack(mut self) -> u128 {
        let (mut word, mut shift) = (0u128, 0);
        self.for_each_field(|value, width| {
            debug_assert!(u32::from(*value) < 1 << width, "{value} in {width} bits at {shift}");
            word = word.with_field(shift, (1 << width) - 1, u32::from(*value));
            shift += width;
        });
        debug_assert!(shift < u128::BITS, "{shift} bits");
        word
    }

    pub(super) fn unpack(word: u128) -> Self {
        let (mut state, mut shift) = (Self::default(), 0);
        state.for_each_field(|value, width| {
            *value = word.field(shift, (1 << width) - 1) as u8;
            shift += width;
        });
        state
    }
}

fn flag(value: &mut bool, field: &mut impl FnMut(&mut u8, u32)) {
    let mut bit = u8::from(*value);
    field(&mut bit, 1);
    *value = bit == 1;
}
