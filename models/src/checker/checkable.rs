//! What a model tells the checker beside its transitions.

use std::fmt::Debug;
use std::hash::Hash;

use stateright::Model;

use super::fast::Word;
use crate::trace::{Message, Moment, Variable};

/// The most claims a model can make.
pub const MAX_CLAIMS: usize = 16;

/// The most kinds of action a model can have.
pub const MAX_ACTION_KINDS: usize = 32;

/// A property that must hold in every reachable state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A short name, unique in the model, as used on the command line (`strong-isr`).
    pub name: &'static str,
    /// The property as a sentence.
    pub statement: &'static str,
    /// When the claim says anything at all, as a sentence; a claim whose premise was never true
    /// holds for want of a case.
    pub premise: &'static str,
}

/// What a state says about each claim; bit *i* stands for the model's *i*-th claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Claims whose premise is true here.
    pub premises: u32,
    /// Claims that are violated here.
    pub violated: u32,
}

/// A model that can be checked, explained and explored.
///
/// Keep states small and free of heap (`Copy` is required): both engines are bound by memory.
/// The order of initial states and of actions must be the same at every call.
pub trait Checkable:
    Model<
        State: Copy + Eq + Hash + Debug + Send + Sync + 'static,
        Action: Copy + Eq + Debug + Send + Sync + 'static,
    > + Clone
    + Send
    + Sync
    + 'static
{
    /// The model and its constants in one line: the subject of a report.
    fn title(&self) -> String;

    /// The bound within which a "holds" is meant, in words.
    fn bound(&self) -> String;

    /// The kinds of action of this model, at most [`MAX_ACTION_KINDS`]. A kind that is never taken
    /// in a whole search is reported, so leave out what this variant of the model does not have.
    fn action_kinds(&self) -> Vec<&'static str>;

    /// The index in [`Checkable::action_kinds`] of an action.
    fn action_kind(&self, action: &Self::Action) -> usize;

    /// An action in words, as taken in `from`.
    fn action_label(&self, from: &Self::State, action: &Self::Action) -> String;

    /// The message that an action stands for, if it is one, for sequence diagrams.
    fn message(&self, _from: &Self::State, _action: &Self::Action) -> Option<Message> {
        None
    }

    /// Who takes part, in the order of a sequence diagram's columns.
    fn participants(&self) -> Vec<String> {
        Vec::new()
    }

    /// The claims, at most [`MAX_CLAIMS`].
    fn claims(&self) -> Vec<Claim>;

    /// Judges all claims in one state.
    fn judge(&self, state: &Self::State) -> Judgement;

    /// The state as named values; the same names in the same order for every state.
    fn variables(&self, state: &Self::State) -> Vec<Variable>;

    /// What a path that violates claim number `claim` in its last state comes to, in words: what
    /// is lost or differs, since when, and where.
    fn conclusion(&self, claim: usize, path: &[Moment<Self::State, Self::Action>]) -> Vec<String>;

    /// The representative of all states that differ from `state` by a renaming only. Must be the
    /// same for all of them; the claims must not tell them apart. The default knows no symmetry.
    fn canonical(&self, state: &Self::State) -> Self::State {
        *state
    }

    /// Calls `visit` with every action enabled in `state` and the state it leads to.
    ///
    /// Both engines step through this. The default asks stateright's two methods; a model that
    /// can make both in one go should, and then let those two ask this.
    fn for_each_step<F: FnMut(Self::Action, Self::State)>(&self, state: &Self::State, mut visit: F) {
        let mut actions = Vec::new();
        self.actions(state, &mut actions);
        for action in actions {
            if let Some(next) = self.next_state(state, action) {
                visit(action, next);
            }
        }
    }

    /// [`Checkable::judge`] and [`Checkable::for_each_step`] in one, for models that have to take
    /// a state apart first. The fast engine goes through this.
    #[inline]
    fn judge_and_step<F: FnMut(Self::Action, Self::State)>(
        &self,
        state: &Self::State,
        visit: F,
    ) -> Judgement {
        self.for_each_step(state, visit);
        self.judge(state)
    }
}

/// A model whose states fit in one machine word, for [`Engine::Fast`](super::Engine::Fast).
///
/// `unpack(pack(s)) == s` for every reachable state, different states pack differently, and none
/// packs to [`Word::EMPTY`].
pub trait Packed: Checkable {
    /// The word: `u64` or `u128`.
    type Word: Word;

    /// Packs a state.
    fn pack(&self, state: &Self::State) -> Self::Word;

    /// Unpacks what [`Packed::pack`] made.
    fn unpack(&self, word: Self::Word) -> Self::State;
}
