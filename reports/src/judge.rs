//! Whether what was expected of a run came true.

use crate::plan::Variant;
use isrlab_sim::cluster::{NoObserver, Observer, RunSummary};
use serde::Serialize;

/// What became of one expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// It held, and there was something to hold.
    Held,
    /// It held, but what it speaks of never happened.
    PremiseNeverMet,
    /// It did not hold.
    Violated,
    /// It could not be told.
    Inconclusive,
}

/// One expectation and what became of it in one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The expectation in words, the same in every run of a variant.
    pub expectation: String,
    /// What became of it.
    pub kind: VerdictKind,
    /// What was found, in words; for a premise, how often it was met.
    pub found: String,
}

/// Gives each run someone who watches and judges it.
pub trait Judge: Sync {
    /// A judge for one run of a variant.
    fn start(&self, variant: &Variant, seed: u64) -> Box<dyn RunJudge>;
}

/// Watches one run and says what became of its expectations.
pub trait RunJudge: Observer {
    /// The verdicts, in the order of the scenario. Asked only when the run reached its end.
    fn verdicts(self: Box<Self>, summary: &RunSummary) -> Vec<Verdict>;
}

/// Expects nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJudge;

impl Judge for NoJudge {
    fn start(&self, _: &Variant, _: u64) -> Box<dyn RunJudge> {
        Box::new(NoObserver)
    }
}

impl RunJudge for NoObserver {
    fn verdicts(self: Box<Self>, _: &RunSummary) -> Vec<Verdict> {
        Vec::new()
    }
}
