//! The answers that the models are held to: one table, `models/expected/replication.csv`.
//!
//! A row is one claim of one model within one bound. CI fails when any answer changes, in either
//! direction: an old generation that is no longer refuted is as much a change as a new one that is.

use std::fmt;

use crate::checker::{ClaimReport, Report, Verdict};

const TABLE: &str = include_str!("../../expected/replication.csv");
const TIMESTAMPS: &str = include_str!("../../expected/timestamps.csv");
const LAG_TABLE: &str = include_str!("../../expected/lag.csv");

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The model and its bound: [`Report::model`].
    pub model: String,
    /// Distinct states of the whole space.
    pub distinct_states: u64,
    /// Depth, in states.
    pub depth: u32,
    /// The claim's name.
    pub claim: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// States of a shortest counterexample, if it does not.
    pub counterexample_states: Option<usize>,
}

/// How an answer compares with the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The table says the same.
    AsExpected,
    /// The table says something else: what, in words.
    Changed(String),
    /// The search ended early, and what it saw does not contradict the table.
    Unfinished,
    /// The table has no such row.
    NotInTable,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsExpected => f.write_str("as expected"),
            Self::Changed(what) => write!(f, "CHANGED: {what}"),
            Self::Unfinished => f.write_str("unfinished"),
            Self::NotInTable => f.write_str("no expectation for this bound"),
        }
    }
}

/// The whole table.
///
/// # Panics
/// If the table in the source is malformed; a test reads all of it.
pub fn table() -> Vec<Expectation> {
    TABLE.lines().skip(1).map(row).collect()
}

/// The table of the models of timestamps, `models/expected/timestamps.csv`.
///
/// # Panics
/// As [`table`].
pub fn timestamps_table() -> Vec<Expectation> {
    TIMESTAMPS.lines().skip(1).map(row).collect()
}

/// The table of the lag models, `models/expected/lag.csv`.
///
/// # Panics
/// As [`table`].
pub fn lag_table() -> Vec<Expectation> {
    LAG_TABLE.lines().skip(1).map(row).collect()
}

fn row(line: &str) -> Expectation {
    let cells: Vec<&str> = line.split(';').map(str::trim).collect();
    let [model, distinct_states, depth, claim, verdict, counterexample] = cells[..] else {
        panic!("a row of models/expected/replication.csv has {} cells, not 6: {line}", cells.len());
    };
    let number = |cell: &str| -> u64 {
        cell.parse().unwrap_or_else(|_| panic!("not a number: \"{cell}\" in the row {line}"))
    };
    let verdict = match verdict {
        "holds" => Verdict::Holds,
        "violated" => Verdict::Violated,
        other => panic!("\"{other}\" in the row {line}; accepted are holds and violated"),
    };
    Expectation {
        model: model.to_owned(),
        distinct_states: number(distinct_states),
        depth: number(depth) as u32,
        claim: claim.to_owned(),
        verdict,
        counterexample_states: (!counterexample.is_empty()).then(|| number(counterexample) as usize),
    }
}

/// A row of the table for an answer, as it would be written.
pub fn as_row(report: &Report, claim: &ClaimReport) -> String {
    format!(
        "{}; {}; {}; {}; {}; {}",
        report.model,
        report.distinct_states,
        report.depth.map_or(String::new(), |depth| depth.to_string()),
        claim.name,
        claim.verdict.name(),
        claim.counterexample_states().map_or(String::new(), |states| states.to_string()),
    )
    .trim_end()
    .to_owned()
}

/// Compares one claim of a report with the table.
///
/// With symmetry fewer states are visited, so only verdicts, depth and lengths are compared.
pub fn compare(table: &[Expectation], report: &Report, claim: &ClaimReport) -> Comparison {
    let expected = table.iter().find(|row| row.model == report.model && row.claim == claim.name);
    let Some(expected) = expected else { return Comparison::NotInTable };
    let mut differences = Vec::new();
    let mut differ = |what: &str, expected: String, actual: String| {
        if expected != actual {
            differences.push(format!("{what}: expected {expected}, got {actual}"));
        }
    };
    let length = |states: Option<usize>| states.map_or("none".to_owned(), |n| format!("{n} states"));
    if report.is_whole() || claim.verdict == Verdict::Violated {
        differ("verdict", expected.verdict.name().to_owned(), claim.verdict.name().to_owned());
        if claim.counterexample.is_some() || report.is_whole() {
            let actual = length(claim.counterexample_states());
            differ("shortest counterexample", length(expected.counterexample_states), actual);
        }
    }
    if report.is_whole() {
        if !report.symmetry {
            let actual = report.distinct_states.to_string();
            differ("distinct states", expected.distinct_states.to_string(), actual);
        }
        if let Some(depth) = report.depth {
            differ("depth", expected.depth.to_string(), depth.to_string());
        }
    }
    match (differences.is_empty(), report.is_whole()) {
        (false, _) => Comparison::Changed(differences.join("; ")),
        (true, true) => Comparison::AsExpected,
        (true, false) => Comparison::Unfinished,
    }
}
