//! The answer of a check.

use serde::Serialize;

use super::limits::StopReason;
use super::options::Engine;
use crate::trace::Trace;

/// What a check found out about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// True in every reachable state: the whole space within the stated bound was visited.
    Holds,
    /// False in some reachable state.
    Violated,
    /// Not false in any state visited, but the search ended early.
    Inconclusive,
}

impl Verdict {
    /// The verdict as one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// The verdict on a claim from what a search saw of it.
    pub(super) fn from_search(violating_states: u64, whole_space: bool) -> Self {
        match (violating_states, whole_space) {
            (1.., _) => Self::Violated,
            (0, true) => Self::Holds,
            (0, false) => Self::Inconclusive,
        }
    }
}

/// How often actions of one kind were taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionCount {
    /// The kind of action.
    pub kind: &'static str,
    /// Transitions of that kind, over all states visited.
    pub taken: u64,
}

/// What was found out about one claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimReport {
    /// The claim's name.
    pub name: &'static str,
    /// The claim as a sentence.
    pub statement: &'static str,
    /// Its premise as a sentence.
    pub premise: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// Distinct states visited in which the premise was true.
    pub premise_states: u64,
    /// Distinct states visited in which the claim was false.
    pub violating_states: u64,
    /// A shortest counterexample, unless none was asked for or a limit came first.
    pub counterexample: Option<Trace>,
}

impl ClaimReport {
    /// States in the counterexample, the initial one included.
    pub fn counterexample_states(&self) -> Option<usize> {
        self.counterexample.as_ref().map(|trace| trace.steps.len())
    }
}

/// The answer of a check. It holds nothing that depends on the clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The model and its constants.
    pub model: String,
    /// The bound within which a "holds" is meant.
    pub bound: String,
    /// The search that was run.
    pub engine: Engine,
    /// Whether states that differ by a renaming were taken as one.
    pub symmetry: bool,
    /// Distinct states visited (representatives only, with symmetry).
    pub distinct_states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// States on the longest of the shortest paths, the initial one included. `None` where the
    /// engine cannot tell: stateright on several threads.
    pub depth: Option<u32>,
    /// What ended the search early; `None` if the whole space was visited.
    pub stopped: Option<StopReason>,
    /// Upper bound of the chance that two states were taken as one because their 64-bit
    /// fingerprints are equal (n² / 2⁶⁵); `None` for the fast engine, which compares states.
    pub collision_chance: Option<f64>,
    /// How often each kind of action was taken.
    pub actions: Vec<ActionCount>,
    /// The claims, in the model's order.
    pub claims: Vec<ClaimReport>,
}

impl Report {
    /// Whether the whole space was visited.
    pub fn is_whole(&self) -> bool {
        self.stopped.is_none()
    }

    /// The claim of that name.
    pub fn claim(&self, name: &str) -> Option<&ClaimReport> {
        self.claims.iter().find(|claim| claim.name == name)
    }

    /// What was never exercised, one sentence each: actions never taken and premises never true.
    /// A report with any of these says less than it seems to; strict runs fail on it.
    pub fn unexercised(&self) -> Vec<String> {
        let actions = self.actions.iter().filter(|action| action.taken == 0);
        let claims = self.claims.iter().filter(|claim| claim.premise_states == 0);
        actions
            .map(|action| format!("action \"{}\" was never taken", action.kind))
            .chain(
                claims.map(|claim| {
                    format!("the premise of \"{}\" ({}) was never true", claim.name, claim.premise)
                }),
            )
            .collect()
    }
}
