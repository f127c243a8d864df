//! A model as stateright sees it: the same transitions, with counters and a way to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use stateright::{Model, Property};

use super::checkable::{Checkable, MAX_ACTION_KINDS, MAX_CLAIMS};

/// What a search is after.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Visit everything, judge every claim, stop at nothing. It is one always-true property: a
    /// second property would lengthen paths, and none at all would visit one state.
    Everything,
    /// Find a state that violates this claim, by a shortest path.
    Refute(usize),
}

/// Counters of a search; the order of updates between threads does not matter to their sums.
pub(super) struct Meter {
    pub stop: AtomicBool,
    pub max_states: u64,
    pub states: AtomicU64,
    pub taken: [AtomicU64; MAX_ACTION_KINDS],
    pub premises: [AtomicU64; MAX_CLAIMS],
    pub violated: [AtomicU64; MAX_CLAIMS],
}

impl Meter {
    pub fn new(max_states: Option<u64>) -> Self {
        Self {
            stop: AtomicBool::new(false),
            max_states: max_states.unwrap_or(u64::MAX),
            states: AtomicU64::new(0),
            taken: Default::default(),
            premises: Default::default(),
            violated: Default::default(),
        }
    }

    pub fn transitions(&self) -> u64 {
        self.taken.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// Counts one more state, or says that the limit is reached.
    fn admit(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let before = self.states.fetch_add(1, Ordering::Relaxed);
        if before >= self.max_states {
            self.states.fetch_sub(1, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
            return false;
        }
        true
    }
}

/// An action together with the state it leads to, so that each transition is worked out once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken<A, S> {
    action: A,
    next: S,
}

pub(super) struct Instrumented<M: Checkable> {
    pub model: M,
    pub goal: Goal,
    pub symmetry: bool,
    pub meter: Arc<Meter>,
}

impl<M: Checkable> Instrumented<M> {
    fn representative(&self, state: M::State) -> M::State {
        if self.symmetry { self.model.canonical(&state) } else { state }
    }

    fn survey(&self, state: &M::State) -> bool {
        if self.meter.admit() {
            let judgement = self.model.judge(state);
            count_bits(judgement.premises, &self.meter.premises);
            count_bits(judgement.violated, &self.meter.violated);
        }
        true
    }

    fn refute(&self, state: &M::State) -> bool {
        let Goal::Refute(claim) = self.goal else {
            return true;
        };
        !self.meter.admit() || self.model.judge(state).violated >> claim & 1 == 0
    }
}

fn count_bits(mut bits: u32, counters: &[AtomicU64]) {
    while bits != 0 {
        counters[bits.trailing_zeros() as usize].fetch_add(1, Ordering::Relaxed);
        bits &= bits - 1;
    }
}

impl<M: Checkable> Model for Instrumented<M> {
    type State = M::State;
    type Action = Taken<M::Action, M::State>;

    fn init_states(&self) -> Vec<M::State> {
        let states = self.model.init_states();
        states.into_iter().map(|state| self.representative(state)).collect()
    }

    fn actions(&self, state: &M::State, actions: &mut Vec<Self::Action>) {
        // stateright ignores its own time limit on one thread, so a stopped search is drained:
        // what is still queued has no successors.
        if self.meter.stop.load(Ordering::Relaxed) {
            return;
        }
        let mut taken = [0u64; MAX_ACTION_KINDS];
        self.model.for_each_step(state, |action, next| {
            taken[self.model.action_kind(&action)] += 1;
            actions.push(Taken { action, next: self.representative(next) });
        });
        for (count, counter) in taken.iter().zip(&self.meter.taken) {
            if *count > 0 {
                counter.fetch_add(*count, Ordering::Relaxed);
            }
        }
    }

    fn next_state(&self, _: &M::State, taken: Self::Action) -> Option<M::State> {
        Some(taken.next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        match self.goal {
            Goal::Everything => vec![Property::always("survey", Self::survey)],
            Goal::Refute(_) => vec![Property::always("refute", Self::refute)],
        }
    }

    fn within_boundary(&self, _: &M::State) -> bool {
        !self.meter.stop.load(Ordering::Relaxed)
    }
}
