//! All answers of a setting.

use super::bound::{Bound, bound};
use super::expected::{Expectation, expected};
use super::graph::Graph;
use super::measure::Measure;
use super::setting::Setting;
use crate::checker::{Limits, StopReason};

/// The answer to one question in one setting, and what the table expects.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The measure that was asked for.
    pub measure: Measure,
    /// The answer.
    pub bound: Bound,
    /// The line of the table, if it has one for this setting.
    pub expectation: Option<&'static Expectation>,
}

impl Answer {
    /// Whether the answer is as the table says; true where the table says nothing.
    pub fn is_as_expected(&self, setting: &Setting) -> bool {
        self.expectation.is_none_or(|line| (line.value)(setting).matches(&self.bound.extent))
    }
}

/// The graph of a setting and its answers.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The setting.
    pub setting: Setting,
    /// Its reachable states.
    pub graph: Graph,
    /// The answers, in the order of the measures asked for.
    pub answers: Vec<Answer>,
}

/// Answers those of `measures` that mean something in `setting`.
///
/// # Errors
/// What ended the search early.
///
/// # Panics
/// If the setting is not valid ([`Setting::validate`]).
pub fn answer(setting: &Setting, measures: &[Measure], limits: &Limits) -> Result<Answers, StopReason> {
    setting.validate().expect("a valid setting");
    let graph = Graph::explore(setting, limits)?;
    let applying = measures.iter().copied().filter(|measure| measure.applies(setting));
    let answers = applying
        .map(|measure| Answer {
            measure,
            bound: bound(&graph, measure),
            expectation: expected(setting, measure),
        })
        .collect();
    Ok(Answers { setting: *setting, graph, answers })
}
