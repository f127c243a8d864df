//! What is expected of every answer: one table of formulas, held against every answer that is
//! computed. A refutation of an old criterion is an expected answer like any other; an answer that
//! differs from its formula fails.
//!
//! D, P, F, w, M, b, K and n are as in [`Setting`]. Where a check and other events fall in one
//! tick, any order is possible; so a follower that is removed by the check at age `D + P` was a
//! member until that tick.

mod formulas;
mod table;

use std::fmt;

use isrlab_sim::protocol::IsrCriterion;

use super::bound::Extent;
use super::measure::Measure;
use super::setting::{Behaviour, Setting, Start};

/// What an answer should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicted {
    /// The premise is never true.
    Never,
    /// Exactly this.
    Exactly(u8),
    /// No bound.
    Unbounded,
}

impl Predicted {
    /// Whether an answer is as predicted.
    pub fn matches(self, extent: &Extent) -> bool {
        match (self, extent) {
            (Predicted::Never, Extent::Never) | (Predicted::Unbounded, Extent::Unbounded(_)) => true,
            (Predicted::Exactly(predicted), Extent::Exactly(found)) => predicted == *found,
            _ => false,
        }
    }
}

impl fmt::Display for Predicted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Predicted::Never => f.write_str("never"),
            Predicted::Exactly(value) => write!(f, "{value}"),
            Predicted::Unbounded => f.write_str("unbounded"),
        }
    }
}

/// A line of the table: what one measure comes to in a family of settings.
pub struct Expectation {
    /// The measure.
    pub measure: Measure,
    /// Criteria that the line is about.
    pub criteria: &'static [IsrCriterion],
    /// Behaviours that it is about.
    pub behaviours: &'static [Behaviour],
    /// The start that it is about; `None`: both.
    pub start: Option<Start>,
    /// What else a setting must be for the line to apply.
    pub only_if: fn(&Setting) -> bool,
    /// The formula as text.
    pub formula: &'static str,
    /// The formula.
    pub value: fn(&Setting) -> Predicted,
    /// Why, in a sentence.
    pub why: &'static str,
}

impl fmt::Debug for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.measure, self.formula)
    }
}

/// The line of the table for a measure in a setting: the first that applies.
///
/// `None` for settings that the table says nothing about: a steady producer; second followers
/// that behave as the first does, with unlimited reads; and, with limited reads, elections,
/// how often one of two returning followers is removed (that grows with the backlog),
/// and the last read of a `max-messages` follower slower than the producer.
pub fn expected(setting: &Setting, measure: Measure) -> Option<&'static Expectation> {
    if setting.steady || is_silent_about_reads(setting, measure) {
        return None;
    }
    table::TABLE.iter().find(|line| {
        line.measure == measure
            && line.criteria.contains(&setting.criterion)
            && line.behaviours.contains(&setting.behaviour)
            && line.start.is_none_or(|start| start == setting.start)
            && (line.only_if)(setting)
    })
}

fn is_silent_about_reads(setting: &Setting, measure: Measure) -> bool {
    let two = setting.followers == 2;
    if setting.reads.is_none() {
        return two && setting.alike;
    }
    let repeats = !matches!(setting.criterion, IsrCriterion::Pre4485 | IsrCriterion::Proposed4485);
    let returning = setting.behaviour == Behaviour::Returning;
    let slow_reader = measure == Measure::ReadBeforeRemoval
        && setting.criterion == IsrCriterion::MaxMessages
        && !returning
        && setting.gap > 1
        && !formulas::keeps_up(setting);
    setting.start == Start::Election
        || (two && !setting.alike)
        || (two && repeats && returning && measure == Measure::Removals)
        || slow_reader
}

/// Every line of the table.
pub fn table() -> &'static [Expectation] {
    table::TABLE
}

/// Whether a diligent follower of an established leader can be removed: the heart of the matter.
///
/// With limited reads this speaks of followers whose every read reaches the LEO.
pub fn removable(setting: &Setting) -> bool {
    let formulas::Wide { lag, gap, writes, messages_max, .. } = setting.wide();
    match setting.criterion {
        IsrCriterion::MaxMessages => gap > lag || writes * (2 * gap + 1) > messages_max,
        IsrCriterion::Pre4485 => true,
        IsrCriterion::Proposed4485 => gap > lag,
        IsrCriterion::Post4485 | IsrCriterion::EpochStart | IsrCriterion::EqualLeo => 2 * gap > lag,
    }
}
