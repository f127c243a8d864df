//! Counterexamples: numbered steps, each an action and what it changed, and an end in words.
//!
//! A [`Trace`] is data; [`text`], [`json`], [`itf`] and [`mermaid`] write it.

pub mod itf;
pub mod json;
pub mod mermaid;
pub mod text;
mod value;

use serde::Serialize;

pub use value::Value;

/// One state on a path, and the action that led to it (`None` for the initial state).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment<S, A> {
    /// The action taken in the state before.
    pub action: Option<A>,
    /// The state.
    pub state: S,
}

/// A named part of a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variable {
    /// Its name, unique in the state; parts of one thing share a prefix (`replica 1: log`).
    pub name: String,
    /// Its value.
    pub value: Value,
}

impl Variable {
    /// A variable of that name and value.
    pub fn new(name: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// A variable that a step changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The variable's name.
    pub name: String,
    /// Its value before the step.
    pub before: Value,
    /// Its value after the step.
    pub after: Value,
}

impl Change {
    /// The variables whose values differ. Both lists must have the same names in the same order.
    pub fn between(before: &[Variable], after: &[Variable]) -> Vec<Self> {
        debug_assert!(before.iter().map(|v| &v.name).eq(after.iter().map(|v| &v.name)));
        let pairs = before.iter().zip(after).filter(|(before, after)| before.value != after.value);
        pairs
            .map(|(before, after)| Self {
                name: after.name.clone(),
                before: before.value.clone(),
                after: after.value.clone(),
            })
            .collect()
    }
}

/// A message between two participants (or from one to itself: something done alone).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The sender, one of [`Trace::participants`].
    pub from: String,
    /// The receiver, one of [`Trace::participants`].
    pub to: String,
    /// What is sent, in a few words.
    pub text: String,
}

/// A claim's name and sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimInfo {
    /// The short name.
    pub name: &'static str,
    /// The sentence.
    pub statement: &'static str,
}

/// What one state says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimValue {
    /// The claim's short name.
    pub name: &'static str,
    /// Whether its premise is true.
    pub premise: bool,
    /// Whether it holds.
    pub holds: bool,
}

/// One step of a trace; step 0 is the initial state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The step's number, from 0.
    pub number: usize,
    /// What was done, in words.
    pub action: String,
    /// The kind of action; `None` for the initial state.
    pub kind: Option<&'static str>,
    /// The message that the action stands for, if it is one.
    pub message: Option<Message>,
    /// What it changed.
    pub changed: Vec<Change>,
    /// What the state after it says about each claim.
    pub claims: Vec<ClaimValue>,
    /// The whole state after it.
    pub state: Vec<Variable>,
}

/// A counterexample: a path from an initial state to one that violates a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The model and its constants.
    pub model: String,
    /// The claim that the last state violates.
    pub violated: ClaimInfo,
    /// Who takes part, in the order of a sequence diagram's columns.
    pub participants: Vec<String>,
    /// The steps; the first is the initial state, the last the violation.
    pub steps: Vec<Step>,
    /// What it comes to, a sentence each.
    pub conclusion: Vec<String>,
}
