//! The state, and how it is packed.

use super::constants::AsyncIsrConstants;
use crate::checker::Word;

const VERSIONS: usize = AsyncIsrConstants::MAX_VERSION + 1;

/// Who is in the ISR as of which version, and all messages ever sent. ISRs are bit sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AsyncIsrState {
    /// The controller's ISR.
    pub controller_isr: u8,
    /// The controller's version.
    pub controller_version: u8,
    /// The ISR that the leader last learnt from the controller.
    pub leader_isr: u8,
    /// The version of that ISR.
    pub leader_version: u8,
    /// Everyone who is in an ISR that the leader has asked for since; empty if it has not.
    pub pending_isr: u8,
    /// Each replica's log end offset, as the leader knows it.
    pub offsets: [u8; AsyncIsrConstants::MAX_REPLICAS],
    /// By version, which ISRs the leader has asked for: bit *n* for the ISR of the followers in
    /// *n* (the leader is in every ISR, so its bit is left out).
    pub requests: [u8; VERSIONS],
    /// By version, the ISR that the controller told. Versions not reached are 0.
    pub updates: [u8; VERSIONS],
}

impl AsyncIsrState {
    /// The high watermark: the lowest offset of all who are, or may be, in the ISR.
    pub fn high_watermark(&self) -> u8 {
        let may_be_in_isr = self.leader_isr | self.pending_isr;
        let offsets = self.offsets.iter().enumerate();
        offsets.filter(|(i, _)| may_be_in_isr >> i & 1 == 1).map(|(_, &o)| o).min().unwrap_or(0)
    }

    /// Each field with its width in bits, in one fixed order.
    fn for_each_field(&mut self, constants: AsyncIsrConstants, mut field: impl FnMut(&mut u8, u32)) {
        let AsyncIsrConstants { replicas, max_version, .. } = constants;
        let versions = max_version as usize + 1;
        field(&mut self.controller_isr, replicas);
        field(&mut self.controller_version, 3);
        field(&mut self.leader_isr, replicas);
        field(&mut self.leader_version, 3);
        field(&mut self.pending_isr, replicas);
        self.offsets[..replicas as usize].iter_mut().for_each(|offset| field(offset, 3));
        self.requests[..versions].iter_mut().for_each(|set| field(set, 1 << (replicas - 1)));
        self.updates[..versions].iter_mut().for_each(|isr| field(isr, replicas));
    }

    pub(super) fn pack(mut self, constants: AsyncIsrConstants) -> u128 {
        let mut word = 0;
        let mut shift = 0;
        self.for_each_field(constants, |value, width| {
            word = u128::with_field(word, shift, (1 << width) - 1, u32::from(*value));
            shift += width;
        });
        debug_assert!(shift < u128::BITS);
        word
    }

    pub(super) fn unpack(word: u128, constants: AsyncIsrConstants) -> Self {
        let mut state = Self::default();
        let mut shift = 0;
        state.for_each_field(constants, |value, width| {
            *value = word.field(shift, (1 << width) - 1) as u8;
            shift += width;
        });
        state
    }
}
