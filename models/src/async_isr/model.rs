//! The model.

use stateright::Model;

use super::constants::{AsyncIsrConstants, AsyncIsrConstantsError};
use super::state::AsyncIsrState;
use crate::checker::{Checkable, Claim, Judgement, Packed};
use crate::trace::{Message, Moment, Variable};

/// Name of the claim.
pub const VALID_HIGH_WATERMARK: &str = "valid-high-watermark";

const LEADER: u8 = 0b1;

/// What the leader does while a shrink that it has asked for is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsyncIsrVariant {
    /// It goes on counting the replica to be removed (KIP-497).
    Kip497,
    /// It stops counting it at once.
    ShrinkAtOnce,
}

impl AsyncIsrVariant {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Kip497, Self::ShrinkAtOnce];

    /// The variant's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kip497 => "kip-497",
            Self::ShrinkAtOnce => "kip-497-shrink-at-once",
        }
    }

    /// The variant of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

/// What can happen; replicas are numbered from 0 here, and from 1 in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are what the variants' words name")]
pub enum AsyncIsrAction {
    /// The controller takes a failed follower out of the ISR.
    ControllerShrinkIsr { replica: u8 },
    /// The controller grants a request that was made for its current version.
    ControllerHandleRequest { isr: u8 },
    /// The leader asks for a follower to be taken out.
    LeaderRequestShrink { replica: u8 },
    /// The leader asks for a follower to be taken in.
    LeaderRequestExpand { replica: u8 },
    /// The leader appends a record.
    Write,
    /// The leader learns of a newer ISR.
    LeaderHandleUpdate { version: u8 },
    /// A follower copies the next record.
    Replicate { replica: u8 },
}

const KINDS: [&str; 7] = [
    "controller shrinks ISR",
    "controller handles request",
    "leader asks to shrink ISR",
    "leader asks to expand ISR",
    "write",
    "leader handles update",
    "replicate",
];

const CLAIM: Claim = Claim {
    name: VALID_HIGH_WATERMARK,
    statement: "every member of the controller's ISR has all records below the leader's high watermark",
    premise: "the leader's high watermark is above 0, and a follower is in the controller's ISR",
};

/// The model of one variant within one bound.
#[derive(Clone, Debug)]
pub struct AsyncIsr {
    pub(super) variant: AsyncIsrVariant,
    pub(super) constants: AsyncIsrConstants,
}

impl AsyncIsr {
    /// The model of `variant`.
    ///
    /// # Errors
    /// If the constants are out of range.
    pub fn new(
        variant: AsyncIsrVariant,
        constants: AsyncIsrConstants,
    ) -> Result<Self, AsyncIsrConstantsError> {
        constants.validate()?;
        Ok(Self { variant, constants })
    }

    /// The controller writes a new ISR, under a new version, and tells it.
    fn controller_writes(&self, state: &AsyncIsrState, isr: u8) -> Option<AsyncIsrState> {
        let version = state.controller_version + 1;
        if u32::from(version) > self.constants.max_version {
            return None;
        }
        let mut next = *state;
        next.controller_isr = isr;
        next.controller_version = version;
        next.updates[usize::from(version)] = isr;
        Some(next)
    }

    /// The leader asks for `isr`; until it hears, whoever is in there may be in the ISR.
    fn leader_asks(state: &AsyncIsrState, isr: u8) -> AsyncIsrState {
        let mut next = *state;
        next.requests[usize::from(state.leader_version)] |= 1 << (isr >> 1);
        next.pending_isr |= isr;
        next
    }

    fn leader_asks_to_shrink(&self, state: &AsyncIsrState, isr: u8) -> AsyncIsrState {
        let mut next = Self::leader_asks(state, isr);
        if self.variant == AsyncIsrVariant::ShrinkAtOnce {
            next.leader_isr = isr;
        }
        next
    }
}

impl Model for AsyncIsr {
    type State = AsyncIsrState;
    type Action = AsyncIsrAction;

    /// Version 0, everyone in the ISR, nothing written, nothing sent.
    fn init_states(&self) -> Vec<AsyncIsrState> {
        let everyone = (1 << self.constants.replicas) - 1;
        vec![AsyncIsrState { controller_isr: everyone, leader_isr: everyone, ..Default::default() }]
    }

    fn actions(&self, state: &AsyncIsrState, actions: &mut Vec<AsyncIsrAction>) {
        self.for_each_step(state, |action, _| actions.push(action));
    }

    fn next_state(&self, state: &AsyncIsrState, action: AsyncIsrAction) -> Option<AsyncIsrState> {
        let mut outcome = None;
        self.for_each_step(state, |taken, next| {
            if taken == action {
                outcome = Some(next);
            }
        });
        outcome
    }
}

impl Checkable for AsyncIsr {
    fn title(&self) -> String {
        format!("async-isr {} {}", self.variant.name(), self.constants)
    }

    fn bound(&self) -> String {
        let AsyncIsrConstants { replicas, max_offset, max_version } = self.constants;
        format!("{replicas} replicas, offsets up to {max_offset}, ISR versions 0 to {max_version}")
    }

    fn action_kinds(&self) -> Vec<&'static str> {
        KINDS.to_vec()
    }

    fn action_kind(&self, action: &AsyncIsrAction) -> usize {
        match action {
            AsyncIsrAction::ControllerShrinkIsr { .. } => 0,
            AsyncIsrAction::ControllerHandleRequest { .. } => 1,
            AsyncIsrAction::LeaderRequestShrink { .. } => 2,
            AsyncIsrAction::LeaderRequestExpand { .. } => 3,
            AsyncIsrAction::Write => 4,
            AsyncIsrAction::LeaderHandleUpdate { .. } => 5,
            AsyncIsrAction::Replicate { .. } => 6,
        }
    }

    fn action_label(&self, from: &AsyncIsrState, action: &AsyncIsrAction) -> String {
        self.label(from, action)
    }

    fn message(&self, from: &AsyncIsrState, action: &AsyncIsrAction) -> Option<Message> {
        Some(self.as_message(from, action))
    }

    fn participants(&self) -> Vec<String> {
        self.columns()
    }

    fn claims(&self) -> Vec<Claim> {
        vec![CLAIM]
    }

    fn judge(&self, state: &AsyncIsrState) -> Judgement {
        let high_watermark = state.high_watermark();
        let members = state.offsets.iter().enumerate().filter(|(i, _)| state.controller_isr >> i & 1 == 1);
        let lacks = members.map(|(_, &offset)| offset).any(|offset| offset < high_watermark);
        let premise = high_watermark > 0 && state.controller_isr != LEADER;
        Judgement { premises: u32::from(premise), violated: u32::from(lacks) }
    }

    fn variables(&self, state: &AsyncIsrState) -> Vec<Variable> {
        self.describe(state)
    }

    fn conclusion(&self, _: usize, path: &[Moment<AsyncIsrState, AsyncIsrAction>]) -> Vec<String> {
        self.conclude(path)
    }

    /// Followers are alike: the least of the words that their renamings give.
    fn canonical(&self, state: &AsyncIsrState) -> AsyncIsrState {
        let renamed = self.renamings(state).map(|state| (state.pack(self.constants), state));
        renamed.min_by_key(|(word, _)| *word).map_or(*state, |(_, state)| state)
    }

    fn for_each_step<F: FnMut(AsyncIsrAction, AsyncIsrState)>(&self, state: &AsyncIsrState, mut visit: F) {
        let AsyncIsrConstants { replicas, max_offset, .. } = self.constants;
        let followers = 1..replicas as u8;
        for replica in followers.clone() {
            let bit = 1 << replica;
            if state.controller_isr & bit != 0
                && let Some(next) = self.controller_writes(state, state.controller_isr & !bit)
            {
                visit(AsyncIsrAction::ControllerShrinkIsr { replica }, next);
            }
            if state.leader_isr & bit != 0 {
                let next = self.leader_asks_to_shrink(state, state.leader_isr & !bit);
                visit(AsyncIsrAction::LeaderRequestShrink { replica }, next);
            } else if state.offsets[usize::from(replica)] >= state.high_watermark() {
                let next = Self::leader_asks(state, state.leader_isr | bit);
                visit(AsyncIsrAction::LeaderRequestExpand { replica }, next);
            }
        }
        let asked = state.requests[usize::from(state.controller_version)];
        for others in (0..u8::BITS as u8).filter(|n| asked >> n & 1 == 1) {
            let isr = others << 1 | LEADER;
            if let Some(next) = self.controller_writes(state, isr) {
                visit(AsyncIsrAction::ControllerHandleRequest { isr }, next);
            }
        }
        for version in state.leader_version + 1..=state.controller_version {
            let mut next = *state;
            next.leader_isr = state.updates[usize::from(version)];
            next.leader_version = version;
            next.pending_isr = 0;
            visit(AsyncIsrAction::LeaderHandleUpdate { version }, next);
        }
        if u32::from(state.offsets[0]) < max_offset {
            let mut next = *state;
            next.offsets[0] += 1;
            visit(AsyncIsrAction::Write, next);
        }
        for replica in followers {
            if state.offsets[usize::from(replica)] < state.offsets[0] {
                let mut next = *state;
                next.offsets[usize::from(replica)] += 1;
                visit(AsyncIsrAction::Replicate { replica }, next);
            }
        }
    }
}

impl Packed for AsyncIsr {
    type Word = u128;

    fn pack(&self, state: &AsyncIsrState) -> u128 {
        state.pack(self.constants)
    }

    fn unpack(&self, word: u128) -> AsyncIsrState {
        AsyncIsrState::unpack(word, self.constants)
    }
}
