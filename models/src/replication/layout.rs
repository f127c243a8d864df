//! Where each part of a state lies in its word.
//!
//! A state is small because much of it follows from the rest: there is one request for each epoch,
//! so a replica's leader follows from its epoch, and the quorum's leader from its own; a record's
//! epoch follows from its id; a log's end follows from its records.

use super::constants::Constants;
use crate::checker::Word;

/// A bit field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Field {
    pub shift: u32,
    pub mask: u32,
}

impl Field {
    #[inline]
    pub fn get<W: Word>(self, word: W) -> u32 {
        word.field(self.shift, self.mask)
    }

    #[inline]
    pub fn set<W: Word>(self, word: W, value: u32) -> W {
        debug_assert!(value <= self.mask, "{value} does not fit in {:b}", self.mask);
        word.with_field(self.shift, self.mask, value)
    }
}

/// The fields of a replica.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReplicaFields {
    /// The records, offset 0 lowest; each is an id plus 1, or 0 beyond the end.
    pub log: Field,
    pub high_watermark: Field,
    /// Leader epoch plus 1; 0 is none.
    pub epoch: Field,
    /// One bit for each replica.
    pub isr: Field,
}

/// The fields of a LeaderAndIsr request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RequestFields {
    /// Replica plus 1; 0 is none.
    pub leader: Field,
    pub isr: Field,
}

#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub replicas: [ReplicaFields; Constants::MAX_REPLICAS],
    /// By epoch. Requests of epochs not reached are 0.
    pub requests: [RequestFields; Constants::MAX_EPOCHS],
    /// By record id. Epochs of records that are in no log (not yet, or no longer) are 0.
    pub record_epochs: [Field; Constants::MAX_RECORDS],
    /// Epoch plus 1; 0 is none.
    pub quorum_epoch: Field,
    pub quorum_isr: Field,
    pub next_record: Field,
    /// One bit for each record that was ever committed by a true leader; no bits without history.
    pub committed: Field,
    /// Bits of a record in a log.
    pub slot_bits: u32,
    /// The log end offset by the number of significant bits of the log.
    pub end_by_bits: [u8; 33],
    bits: u32,
}

/// Bits for the values 0 to `most`.
fn bits_for(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

impl Layout {
    pub fn new(constants: Constants, history: bool) -> Self {
        let Constants { replicas, log_size, max_records, max_leader_epoch } = constants;
        let mut bits = 0;
        let mut field = |width: u32| {
            let mask = u32::try_from((1u64 << width) - 1).expect("a field has at most 32 bits");
            let field = Field { shift: bits, mask };
            bits += width;
            field
        };
        let slot_bits = bits_for(max_records);
        let epoch_bits = bits_for(max_leader_epoch + 1);
        let mut layout = Self {
            replicas: Default::default(),
            requests: Default::default(),
            record_epochs: Default::default(),
            quorum_epoch: Field::default(),
            quorum_isr: Field::default(),
            next_record: Field::default(),
            committed: Field::default(),
            slot_bits,
            end_by_bits: [0; 33],
            bits: 0,
        };
        for replica in &mut layout.replicas[..replicas as usize] {
            replica.log = field(log_size * slot_bits);
            replica.high_watermark = field(bits_for(log_size));
            replica.epoch = field(epoch_bits);
            replica.isr = field(replicas);
        }
        for request in &mut layout.requests[..=max_leader_epoch as usize] {
            request.leader = field(bits_for(replicas));
            request.isr = field(replicas);
        }
        for epoch in &mut layout.record_epochs[..max_records as usize] {
            *epoch = field(bits_for(max_leader_epoch));
        }
        layout.quorum_epoch = field(epoch_bits);
        layout.quorum_isr = field(replicas);
        layout.next_record = field(bits_for(max_records));
        layout.committed = field(if history { max_records } else { 0 });
        layout.bits = bits;
        for significant in 0..=log_size * slot_bits {
            layout.end_by_bits[significant as usize] =
                significant.checked_div(slot_bits).map_or(0, |_| significant.div_ceil(slot_bits)) as u8;
        }
        layout
    }

    /// Bits of a state.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of records in a log.
    #[inline]
    pub fn end_offset(&self, log: u32) -> u32 {
        u32::from(self.end_by_bits[(u32::BITS - log.leading_zeros()) as usize])
    }

    /// A log cut to its first `records` records.
    #[inline]
    pub fn first_records(&self, log: u32, records: u32) -> u32 {
        log & (1u64 << (records * self.slot_bits)).wrapping_sub(1) as u32
    }

    /// What stands at an offset of a log: an id plus 1, or 0.
    #[inline]
    pub fn slot(&self, log: u32, offset: u32) -> u32 {
        (log >> (offset * self.slot_bits)) & ((1 << self.slot_bits) - 1)
    }
}
