//! `answers.json` of a check, as far as the page needs it.

use serde::Deserialize;
use serde_json::Value;

/// One claim of one variant.
#[derive(Clone, Debug, Deserialize)]
pub struct MatrixCell {
    /// The variant, generation or rule.
    pub variant: String,
    /// The condition under which it was checked, where there are several.
    pub condition: Option<String>,
    /// The model that was checked, with its constants.
    pub model: String,
    /// The claim.
    pub claim: String,
    /// `holds`, `violated` or `inconclusive`.
    pub verdict: String,
    /// States of the shortest counterexample.
    pub counterexample_states: Option<u64>,
    /// How it compares with what is expected.
    pub comparison: String,
    /// Whether it does not contradict what is expected.
    pub as_expected: bool,
}

/// The answer of every check but that of the ISR.
#[derive(Clone, Debug, Deserialize)]
pub struct Answers {
    /// Claims by variants.
    pub matrix: Vec<MatrixCell>,
    /// What was never exercised.
    pub unexercised: Vec<String>,
    /// The exit code.
    pub exit_code: u8,
    /// What was done for each model.
    pub reports: Vec<ModelReport>,
}

impl Answers {
    /// The report on a model.
    pub fn report(&self, model: &str) -> Option<&ModelReport> {
        self.reports.iter().find(|report| report.model == model)
    }

    /// The claim that a cell is about.
    pub fn claim(&self, cell: &MatrixCell) -> Option<&ClaimReport> {
        self.report(&cell.model)?.claims.iter().find(|claim| claim.name == cell.claim)
    }
}

/// What was done for one model.
#[derive(Clone, Debug, Deserialize)]
pub struct ModelReport {
    /// The model and its constants.
    pub model: String,
    /// The bound within which a "holds" is meant.
    pub bound: String,
    /// The search.
    pub engine: String,
    /// Distinct states visited.
    pub distinct_states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// States on the longest of the shortest paths.
    pub depth: Option<u64>,
    /// What ended the search early.
    pub stopped: Option<Value>,
    /// How often each kind of action was taken.
    pub actions: Vec<ActionCount>,
    /// The claims.
    pub claims: Vec<ClaimReport>,
}

/// How often actions of one kind were taken.
#[derive(Clone, Debug, Deserialize)]
pub struct ActionCount {
    /// The kind.
    pub kind: String,
    /// How often.
    pub taken: u64,
}

/// What was found about one claim.
#[derive(Clone, Debug, Deserialize)]
pub struct ClaimReport {
    /// Its name.
    pub name: String,
    /// Its sentence.
    pub statement: String,
    /// Its premise.
    pub premise: String,
    /// States in which the premise was true.
    pub premise_states: u64,
    /// States in which it was false.
    pub violating_states: u64,
    /// A shortest counterexample.
    pub counterexample: Option<Trace>,
}

/// A counterexample.
#[derive(Clone, Debug, Deserialize)]
pub struct Trace {
    /// The claim that it violates.
    pub violated: Violated,
    /// Who takes part.
    pub participants: Vec<String>,
    /// The steps; the first is the initial state.
    pub steps: Vec<TraceStep>,
    /// What it comes to.
    pub conclusion: Vec<String>,
}

/// The claim that a counterexample violates.
#[derive(Clone, Debug, Deserialize)]
pub struct Violated {
    /// Its sentence.
    pub statement: String,
}

/// One step of a counterexample.
#[derive(Clone, Debug, Deserialize)]
pub struct TraceStep {
    /// Its number, from 0.
    pub number: u64,
    /// What was done.
    pub action: String,
    /// The message that it stands for.
    pub message: Option<Message>,
    /// What it changed.
    pub changed: Vec<Change>,
    /// The whole state after it.
    pub state: Vec<Variable>,
}

/// A message between two participants.
#[derive(Clone, Debug, Deserialize)]
pub struct Message {
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// What is sent.
    pub text: String,
}

/// A variable that a step changed.
#[derive(Clone, Debug, Deserialize)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// Its value before.
    pub before: Value,
    /// Its value after.
    pub after: Value,
}

/// A variable of a state.
#[derive(Clone, Debug, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// A value as a person reads it.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_shown_without_quotes() {
        assert_eq!(shown(&json!(["a", 1, [true]])), "[a, 1, [true]]");
        assert_eq!(shown(&json!("none")), "none");
    }
}
