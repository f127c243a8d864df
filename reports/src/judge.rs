//! Whether what was expected of a run came true.

use crate::plan::Variant;
use isrlab_scenarios::{ExpectationObserver, Scenario, ShareRule};
use isrlab_sim::cluster::{IsrChange, LagSample, NoObserver, Observer, RunSummary, Sample};
use isrlab_sim::protocol::Profile;
use serde::{Deserialize, Serialize};

/// What became of one expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl VerdictKind {
    /// The worst of so many verdicts. A premise counts as met when it was met once.
    pub fn worst(violated: u64, inconclusive: u64, held: u64) -> Self {
        if violated > 0 {
            VerdictKind::Violated
        } else if inconclusive > 0 {
            VerdictKind::Inconclusive
        } else if held == 0 {
            VerdictKind::PremiseNeverMet
        } else {
            VerdictKind::Held
        }
    }

    /// `held`, `premise-never-met`, `violated` or `inconclusive`.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Held => "held",
            VerdictKind::PremiseNeverMet => "premise-never-met",
            VerdictKind::Violated => "violated",
            VerdictKind::Inconclusive => "inconclusive",
        }
    }
}

/// One expectation and what became of it in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Its number among the scenario's `[[expect]]` blocks, from 0.
    pub index: usize,
    /// In what share of the runs it must hold; none: in each.
    pub share: Option<ShareRule>,
    /// The expectation in words, the same in every run of a variant.
    pub expectation: String,
    /// What became of it.
    pub kind: VerdictKind,
    /// What came, in words.
    pub got: String,
    /// What was wanted, in words.
    pub wanted: String,
    /// What must happen for the expectation to mean anything; where something of it did not
    /// happen, that.
    pub premise: String,
    /// Where the expectation stands, `file:line`; empty where that is not known.
    pub place: String,
}

/// Gives each run someone who watches and judges it.
pub trait Judge: Sync {
    /// A judge for one run of a variant.
    fn start<'a>(&'a self, variant: &'a Variant, seed: u64) -> Box<dyn RunJudge + 'a>;
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
    fn start<'a>(&'a self, _: &'a Variant, _: u64) -> Box<dyn RunJudge + 'a> {
        Box::new(NoObserver)
    }
}

impl RunJudge for NoObserver {
    fn verdicts(self: Box<Self>, _: &RunSummary) -> Vec<Verdict> {
        Vec::new()
    }
}

/// A scenario judges by its own `[[expect]]` blocks.
impl Judge for Scenario {
    fn start<'a>(&'a self, variant: &'a Variant, _: u64) -> Box<dyn RunJudge + 'a> {
        let profile = &variant.spec.profile;
        let observer = ExpectationObserver::new(self, profile);
        Box::new(ScenarioJudge { scenario: self, profile, observer })
    }
}

struct ScenarioJudge<'a> {
    scenario: &'a Scenario,
    profile: &'a Profile,
    observer: ExpectationObserver,
}

impl Observer for ScenarioJudge<'_> {
    fn isr_changed(&mut self, change: &IsrChange) {
        self.observer.isr_changed(change);
    }

    fn sampled(&mut self, sample: &Sample<'_>) {
        self.observer.sampled(sample);
    }

    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        self.observer.lag_sampled(sample);
    }
}

impl RunJudge for ScenarioJudge<'_> {
    fn verdicts(self: Box<Self>, summary: &RunSummary) -> Vec<Verdict> {
        let verdicts = self.scenario.evaluate(self.profile, &self.observer, summary);
        let told = verdicts.into_iter().map(|verdict| Verdict {
            kind: match (verdict.held, verdict.premise_held) {
                (false, _) => VerdictKind::Violated,
                (true, false) => VerdictKind::PremiseNeverMet,
                (true, true) => VerdictKind::Held,
            },
            index: verdict.index,
            share: verdict.share,
            expectation: verdict.expectation,
            got: verdict.got,
            wanted: verdict.wanted,
            premise: verdict.premise,
            place: match verdict.position {
                Some(position) => format!("{}:{}", verdict.file, position.line),
                None => verdict.file,
            },
        });
        told.collect()
    }
}
