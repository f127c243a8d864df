//! The model: a variant, its bound, and the packed states.

use std::fmt;
use std::marker::PhantomData;

use stateright::Model;

use super::action::{Action, KINDS};
use super::claims::{self, CLAIMS};
use super::constants::{Constants, ConstantsError};
use super::layout::Layout;
use super::symmetry::orders;
use super::variant::{Rules, TruncateWhen, Variant};
use super::view::View;
use crate::checker::{Checkable, Claim, Judgement, Packed, Word};
use crate::trace::{Message, Moment, Variable};

/// A state of the model, packed. Only the model that made it can read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State<W>(pub(super) W);

impl<W: fmt::Debug> fmt::Debug for State<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({:?})", self.0)
    }
}

/// The replication model of one variant within one bound.
///
/// `W` is the word that a state is packed in: `u64` where it fits, else `u128`.
#[derive(Clone, Debug)]
pub struct Replication<W> {
    pub(super) name: String,
    pub(super) rules: Rules,
    pub(super) constants: Constants,
    pub(super) layout: Layout,
    pub(super) orders: Vec<Vec<u8>>,
    word: PhantomData<W>,
}

impl<W: Word> Replication<W> {
    /// The model of `variant`.
    ///
    /// With `history` a state also holds which records were ever committed by a true leader, which
    /// the fourth claim asks about; the state space grows accordingly.
    ///
    /// # Errors
    /// If the constants are out of range, or a state does not fit in `W`.
    pub fn new(variant: Variant, constants: Constants, history: bool) -> Result<Self, ConstantsError> {
        Self::with_rules(variant.name(), variant.rules(), constants, history)
    }

    /// The model of any set of rules, under a name of the caller's.
    ///
    /// # Errors
    /// As [`Replication::new`].
    pub fn with_rules(
        name: &str,
        rules: Rules,
        constants: Constants,
        history: bool,
    ) -> Result<Self, ConstantsError> {
        constants.validate()?;
        let layout = Layout::new(constants, history);
        if layout.bits() >= W::BITS {
            return Err(ConstantsError::TooManyBits { bits: layout.bits() });
        }
        Ok(Self {
            name: name.to_owned(),
            rules,
            constants,
            layout,
            orders: orders(constants.replicas as usize),
            word: PhantomData,
        })
    }

    /// Bits that a state takes.
    pub fn bits(&self) -> u32 {
        self.layout.bits()
    }

    pub(super) fn has_history(&self) -> bool {
        self.layout.committed.mask != 0
    }

    #[inline]
    pub(super) fn view(&self, state: State<W>) -> View<'_> {
        View::new(&self.layout, self.constants, state.0)
    }
}

impl<W: Word> Model for Replication<W> {
    type State = State<W>;
    type Action = Action;

    /// No epoch yet, no leader, everyone in the quorum's ISR, nothing anywhere else.
    fn init_states(&self) -> Vec<State<W>> {
        let everyone = (1 << self.constants.replicas) - 1;
        vec![State(self.layout.quorum_isr.set(W::default(), everyone))]
    }

    fn actions(&self, state: &State<W>, actions: &mut Vec<Action>) {
        self.steps(*state, |action, _| actions.push(action));
    }

    fn next_state(&self, state: &State<W>, action: Action) -> Option<State<W>> {
        let mut outcome = None;
        self.steps(*state, |taken, next| {
            if taken == action {
                outcome = Some(next);
            }
        });
        outcome
    }
}

impl<W: Word> Checkable for Replication<W> {
    fn title(&self) -> String {
        let history = if self.has_history() { ", with history" } else { "" };
        format!("replication {} {}{history}", self.name, self.constants)
    }

    fn bound(&self) -> String {
        let Constants { replicas, log_size, max_records, max_leader_epoch } = self.constants;
        format!(
            "{replicas} replicas, at most {log_size} records in a log, {max_records} records ever \
             written, leader epochs 0 to {max_leader_epoch}"
        )
    }

    fn action_kinds(&self) -> Vec<&'static str> {
        match self.rules.truncate_when {
            TruncateWhen::Fetching => KINDS.to_vec(),
            _ => KINDS[..KINDS.len() - 1].to_vec(),
        }
    }

    #[inline]
    fn action_kind(&self, action: &Action) -> usize {
        action.kind()
    }

    fn action_label(&self, from: &State<W>, action: &Action) -> String {
        self.label(*from, *action)
    }

    fn message(&self, from: &State<W>, action: &Action) -> Option<Message> {
        Some(self.as_message(*from, *action))
    }

    fn participants(&self) -> Vec<String> {
        self.columns()
    }

    fn claims(&self) -> Vec<Claim> {
        CLAIMS[..if self.has_history() { 4 } else { 3 }].to_vec()
    }

    #[inline]
    fn judge(&self, state: &State<W>) -> Judgement {
        claims::judge(&self.view(*state))
    }

    fn variables(&self, state: &State<W>) -> Vec<Variable> {
        self.describe(*state)
    }

    fn conclusion(&self, claim: usize, path: &[Moment<State<W>, Action>]) -> Vec<String> {
        self.conclude(claim, path)
    }

    fn canonical(&self, state: &State<W>) -> State<W> {
        self.least_renaming(*state)
    }

    #[inline]
    fn for_each_step<F: FnMut(Action, State<W>)>(&self, state: &State<W>, visit: F) {
        self.steps(*state, visit);
    }

    #[inline]
    fn judge_and_step<F: FnMut(Action, State<W>)>(&self, state: &State<W>, visit: F) -> Judgement {
        let view = self.view(*state);
        self.steps_from(*state, &view, visit);
        claims::judge(&view)
    }
}

impl<W: Word> Packed for Replication<W> {
    type Word = W;

    #[inline]
    fn pack(&self, state: &State<W>) -> W {
        state.0
    }

    #[inline]
    fn unpack(&self, word: W) -> State<W> {
        State(word)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Visits every state by stateright's own two methods.
    fn reachable(model: &Replication<u64>) -> Vec<State<u64>> {
        let mut states = model.init_states();
        let mut seen: HashSet<_> = states.iter().copied().collect();
        let mut next = 0;
        while next < states.len() {
            for (_, state) in model.next_steps(&states[next]) {
                if seen.insert(state) {
                    states.push(state);
                }
            }
            next += 1;
        }
        states
    }

    #[test]
    fn what_the_packing_and_the_claims_rely_on_is_true_in_every_state() {
        for variant in Variant::ALL {
            let model = Replication::<u64>::new(variant, Constants::new(2, 2, 2, 2), true).expect("fits");
            let states = reachable(&model);
            assert!(states.len() > 7000);
            for state in states {
                let view = model.view(state);
                for replica in view.replicas() {
                    assert!(replica.high_watermark <= replica.end_offset);
                    for offset in 0..replica.end_offset {
                        let slot = model.layout.slot(replica.log, offset);
                        assert!(slot >= 1 && slot <= view.next_record, "a log has no holes");
                        let places = view.replicas().iter().map(|other| {
                            (0..other.end_offset).find(|&at| model.layout.slot(other.log, at) == slot)
                        });
                        assert!(places.flatten().all(|place| place == offset), "a record has one offset");
                    }
                }
            }
        }
    }

    #[test]
    fn renamed_states_have_one_representative_and_are_judged_alike() {
        let model =
            Replication::<u64>::new(Variant::TruncateToHw, Constants::new(3, 1, 1, 1), true).expect("fits");
        for state in reachable(&model) {
            let canonical = model.canonical(&state);
            assert_eq!(model.canonical(&canonical), canonical);
            for renamed in model.renamings(state) {
                assert_eq!(model.canonical(&renamed), canonical);
                assert_eq!(model.judge(&renamed), model.judge(&state));
            }
        }
    }
}
