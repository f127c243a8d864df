//! Between the model's small state and the protocol's own types.

use isrlab_sim::protocol::Offset;
use isrlab_sim::protocol::share::{
    Lock, MemberId, NO_MEMBER, OffsetRange, Record, RecordState, SharePartition, ShareState, StateBatch,
    StateWrite, UNKNOWN_COUNT,
};

use super::constants::{ShareConstants, ShareVariant};
use super::state::{PersistedState, RecordSlot, ShareLagState, WriteUnderWay};

/// The one member.
pub(super) const MEMBER: MemberId = 1;

/// The number of a write that a record waits for, by the record; locks that expire have another.
fn number_of(offset: u8, awaited: bool) -> u64 {
    u64::from(offset) + if awaited { 100 } else { 200 }
}

/// The bits below an offset.
pub(super) fn below(end: u8) -> u8 {
    (1 << end) - 1
}

const STATES: [RecordState; 4] =
    [RecordState::Available, RecordState::Acquired, RecordState::Acknowledged, RecordState::Archived];

pub(super) fn code_of(state: RecordState) -> u8 {
    STATES.iter().position(|&known| known == state).expect("there are four states") as u8 + 1
}

pub(super) fn state_of(code: u8) -> RecordState {
    STATES[usize::from(code) - 1]
}

impl ShareLagState {
    /// The leader's share partition.
    pub(super) fn partition(&self, variant: ShareVariant) -> SharePartition {
        let records =
            self.records.iter().enumerate().filter(|(_, slot)| slot.state != 0).map(|(at, slot)| {
                let state = state_of(slot.state);
                let held = state == RecordState::Acquired;
                let record = Record {
                    state,
                    delivery_count: u16::from(slot.deliveries),
                    member: if held { MEMBER } else { NO_MEMBER },
                    lock: (held || slot.pending).then_some(Lock { deadline: 0, number: at as u64 }),
                    pending: slot.pending.then(|| (number_of(at as u8, true), MEMBER)),
                };
                (at as Offset, record)
            });
        let epochs = (i32::from(self.leader_epoch), i32::from(self.state_epoch));
        let offsets = (Offset::from(self.start_offset), Offset::from(self.end_offset));
        SharePartition::restored(variant.settings(), epochs, offsets, records)
    }

    /// Takes the leader's share partition over, and remembers which records are done with.
    pub(super) fn set_partition(&mut self, partition: &SharePartition) {
        self.start_offset = partition.start_offset() as u8;
        self.end_offset = partition.end_offset() as u8;
        self.start_offset_max = self.start_offset_max.max(self.start_offset);
        self.records = Default::default();
        for (range, record) in partition.runs() {
            for at in range.first..=range.last {
                self.records[at as usize] = RecordSlot {
                    state: code_of(record.state),
                    deliveries: record.delivery_count as u8,
                    pending: record.pending.is_some(),
                };
                self.done |= u8::from(record.is_settled()) << at;
            }
        }
    }

    /// Lets the leader do something that may need a write; none comes back if a write is needed
    /// and no more can be under way.
    pub(super) fn lead(
        &self,
        variant: ShareVariant,
        awaited: bool,
        act: impl FnOnce(&mut SharePartition) -> Option<StateWrite>,
    ) -> Option<ShareLagState> {
        let mut next = *self;
        let mut partition = self.partition(variant);
        let write = act(&mut partition);
        next.set_partition(&partition);
        if let Some(write) = write {
            let free = next.writes.iter().position(|write| !write.there)?;
            next.writes[free] = under_way(&write, awaited);
        }
        Some(next)
    }

    /// The share coordinator's state.
    pub(super) fn share_state(&self) -> ShareState {
        let kept = &self.persisted;
        let batches = (0..ShareConstants::RECORDS_MAX as usize)
            .filter(|&at| kept.states[at] != 0 && at as u8 >= kept.start_offset)
            .map(|at| StateBatch {
                range: OffsetRange::new(at as Offset, at as Offset),
                state: state_of(kept.states[at]),
                delivery_count: u16::from(kept.deliveries[at]),
            });
        ShareState::found(
            i32::from(kept.state_epoch),
            i32::from(kept.leader_epoch),
            Offset::from(kept.start_offset),
            if kept.count == 0 { UNKNOWN_COUNT } else { Offset::from(kept.count - 1) },
            batches.collect(),
        )
    }

    /// Takes the share coordinator's state over.
    pub(super) fn set_share_state(&mut self, state: &ShareState) {
        let summary = state.summary();
        let before = self.persisted;
        self.persisted = PersistedState {
            leader_epoch: summary.leader_epoch as u8,
            state_epoch: summary.state_epoch as u8,
            start_offset: summary.start_offset as u8,
            count: (summary.delivery_complete_count + 1) as u8,
            ..PersistedState::default()
        };
        for batch in state.batches() {
            for at in batch.range.first..=batch.range.last {
                self.persisted.states[at as usize] = code_of(batch.state);
                self.persisted.deliveries[at as usize] = batch.delivery_count as u8;
            }
        }
        let same = (before.start_offset, before.count) == (self.persisted.start_offset, self.persisted.count);
        self.read_is_current &= same;
        self.count_fell |= before.count != 0 && self.persisted.count < before.count;
    }

    /// The leader reads the state anew, at the beginning of its term or after it was fenced.
    pub(super) fn read_state(&mut self, variant: ShareVariant) {
        let mut state = self.share_state();
        let mut partition = SharePartition::new(variant.settings(), i32::from(self.leader_epoch));
        let log_start = Offset::from(self.log_start);
        let read = state.read(i32::from(self.leader_epoch)).expect("leaders' epochs rise");
        let altered = read.state_epoch() != i32::from(self.state_epoch);
        self.state_epoch = read.state_epoch() as u8;
        partition.initialize(Ok(read), log_start).expect("the persisted state is sound");
        partition.log_start_moved(log_start);
        if altered {
            self.done = below(self.persisted.start_offset.max(self.log_start));
            self.start_offset_max = 0;
        }
        for batch in state.batches().iter().filter(|batch| batch.state.is_terminal()) {
            self.done |= below(batch.range.last as u8 + 1) & !below(batch.range.first as u8);
        }
        self.set_share_state(&state);
        self.set_partition(&partition);
        self.write_failed = false;
    }

    /// The oldest write under way ends: it is applied or not, and its leader told of it or not.
    pub(super) fn end_write(&self, variant: ShareVariant, applied: bool, told: bool) -> ShareLagState {
        let mut next = *self;
        let write = next.writes[0];
        next.writes = [next.writes[1], WriteUnderWay::default()];
        let mut written = told;
        if applied {
            let mut state = next.share_state();
            let fenced = state.write(&as_sent(&write, &next, variant)).is_err();
            written &= !fenced;
            next.set_share_state(&state);
        }
        if write.leader_epoch == next.leader_epoch && write.state_epoch == next.state_epoch {
            let mut partition = next.partition(variant);
            partition.write_ended(number_of(write.offset, write.awaited), written);
            next.done |= u8::from(written && state_of(write.state).is_terminal()) << write.offset;
            next.set_partition(&partition);
            next.write_failed = !written;
        }
        next
    }
}

fn under_way(write: &StateWrite, awaited: bool) -> WriteUnderWay {
    let [batch] = write.batches[..] else { panic!("each record of the model is a batch of its own") };
    WriteUnderWay {
        there: true,
        leader_epoch: write.leader_epoch as u8,
        state_epoch: write.state_epoch as u8,
        start_offset: write.start_offset as u8,
        count: write.delivery_complete_count as u8,
        offset: batch.range.first as u8,
        state: code_of(batch.state),
        deliveries: batch.delivery_count as u8,
        awaited,
    }
}

/// The write as the share coordinator sees it; one that fences nobody takes it for its own.
fn as_sent(write: &WriteUnderWay, now: &ShareLagState, variant: ShareVariant) -> StateWrite {
    let fences = variant != ShareVariant::NoFencing;
    let epochs = if fences {
        (write.leader_epoch, write.state_epoch)
    } else {
        (now.persisted.leader_epoch, now.persisted.state_epoch)
    };
    let at = Offset::from(write.offset);
    StateWrite {
        number: number_of(write.offset, write.awaited),
        leader_epoch: i32::from(epochs.0),
        state_epoch: i32::from(epochs.1),
        start_offset: Offset::from(write.start_offset),
        delivery_complete_count: Offset::from(write.count),
        batches: vec![StateBatch {
            range: OffsetRange::new(at, at),
            state: state_of(write.state),
            delivery_count: u16::from(write.deliveries),
        }],
    }
}
