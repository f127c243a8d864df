//! Gathers what runs came to, in the order of the runs and in constant memory per variant.

use crate::error::ReportError;
use crate::judge::{Verdict, VerdictKind};
use crate::plan::Plan;
use crate::plot::Trace;
use crate::report::Report;
use crate::simulate::ViolationReport;
use crate::stats::{Moments, share_bounds};
use isrlab_scenarios::ShareRule;
use isrlab_sim::cluster::{METRICS, Metric, RunSummary, Violation};

/// What is told of a run when its turn has come.
pub struct RunTold {
    /// What became of it.
    pub outcome: RunOutcome,
    /// Its drawing, if it is drawn.
    pub trace: Option<Trace>,
}

/// What became of a run.
pub enum RunOutcome {
    /// It reached its end.
    Finished(RunSummary, Vec<Verdict>),
    /// It was cut short.
    Interrupted(RunSummary),
    /// It broke an invariant.
    Violated(Box<Violation>),
    /// The simulator did not take it.
    Refused(String),
}

impl RunOutcome {
    /// Virtual time up to which there is something of the run.
    fn reached_ns(&self) -> u64 {
        match self {
            RunOutcome::Finished(summary, _) | RunOutcome::Interrupted(summary) => summary.duration_ns,
            RunOutcome::Violated(violation) => violation.at.as_nanos(),
            RunOutcome::Refused(_) => 0,
        }
    }
}

/// One metric over the runs of a variant.
#[derive(Clone, Copy)]
pub struct MetricResult {
    /// Which one.
    pub metric: &'static Metric,
    /// Its values, in the unit of its name. A run in which it has no value is not counted.
    pub values: Moments,
}

/// A run and what was found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstCase {
    /// The run's seed.
    pub seed: u64,
    /// What came.
    pub got: String,
    /// What was wanted.
    pub wanted: String,
    /// What must happen for the expectation to mean anything.
    pub premise: String,
    /// The command that repeats the run.
    pub command: String,
}

/// One expectation over the runs of a variant, or of a cell of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationResult {
    /// The expectation in words.
    pub expectation: String,
    /// Where it stands, `file:line`.
    pub place: String,
    /// In what share of the runs it must hold; none: in each.
    pub share: Option<ShareRule>,
    /// Runs in which it held and there was something to hold.
    pub held: u64,
    /// Runs in which what it speaks of never happened.
    pub premise_never_met: u64,
    /// Runs in which it did not hold.
    pub violated: u64,
    /// Runs in which it could not be told.
    pub inconclusive: u64,
    /// The first run in which it did not hold, else the first that could not tell, else the
    /// first without its premise, else the first.
    pub first: FirstCase,
}

impl ExpectationResult {
    /// One that no run has been judged by; `case` is told until a worse one comes.
    pub(crate) fn begun(
        expectation: String,
        place: String,
        share: Option<ShareRule>,
        case: FirstCase,
    ) -> Self {
        ExpectationResult {
            expectation,
            place,
            share,
            held: 0,
            premise_never_met: 0,
            violated: 0,
            inconclusive: 0,
            first: case,
        }
    }

    /// Runs in which it was judged.
    pub fn runs(&self) -> u64 {
        self.held + self.premise_never_met + self.violated + self.inconclusive
    }

    /// What became of it over all runs: the worst that became of it in one; or, where it must
    /// hold in a share of the runs only, what the bounds on that share say. A premise counts as
    /// met when it was met in any run.
    pub fn kind(&self) -> VerdictKind {
        match (self.share, self.worst()) {
            (Some(rule), VerdictKind::Held | VerdictKind::Violated) => {
                let bounds = share_bounds(self.held + self.premise_never_met, self.runs(), rule.confidence);
                if bounds.low >= rule.share {
                    VerdictKind::Held
                } else if bounds.high < rule.share {
                    VerdictKind::Violated
                } else {
                    VerdictKind::Inconclusive
                }
            }
            (_, worst) => worst,
        }
    }

    /// The worst that became of it in one run.
    fn worst(&self) -> VerdictKind {
        VerdictKind::worst(self.violated, self.inconclusive, self.held)
    }

    pub(crate) fn add(&mut self, kind: VerdictKind, case: impl FnOnce() -> FirstCase) {
        let before = self.worst();
        let count = match kind {
            VerdictKind::Held => &mut self.held,
            VerdictKind::PremiseNeverMet => &mut self.premise_never_met,
            VerdictKind::Violated => &mut self.violated,
            VerdictKind::Inconclusive => &mut self.inconclusive,
        };
        *count += 1;
        if self.worst() != before {
            self.first = case();
        }
    }
}

/// What the runs of one variant came to.
pub struct VariantResult {
    /// The variant's name.
    pub name: String,
    /// Runs that reached their end.
    pub runs_finished: u64,
    /// Those of them in which a removed replica came back.
    pub runs_flapped: u64,
    /// Those of them in which a replica was removed.
    pub runs_shrunk: u64,
    /// Partitions of the cluster.
    pub partitions: usize,
    /// Every metric, in the order of [`METRICS`].
    pub metrics: Vec<MetricResult>,
    /// Every expectation, in the order of the scenario.
    pub expectations: Vec<ExpectationResult>,
    /// Each kind of event and how often it was handled in all runs.
    pub events: Vec<(&'static str, u64)>,
    /// Each fault and how often it was applied in all runs.
    pub faults: Vec<(String, u64)>,
    /// Runs of the ISR check that had a follower to look at, in all runs.
    pub isr_checks: u64,
    /// Fetches by replicas outside the ISR, in all runs.
    pub join_attempts: u64,
    /// Steps after which the invariants were checked, in all runs.
    pub invariant_checks: u64,
    /// Those of them at which the high watermark had something to be held against, in all runs.
    pub hw_within_isr_premise: u64,
    /// Requests acknowledged with acks=all, in all runs.
    pub acks_all_acknowledged: u64,
}

impl VariantResult {
    fn new(name: &str, partitions: usize) -> Self {
        VariantResult {
            name: name.to_owned(),
            runs_finished: 0,
            runs_flapped: 0,
            runs_shrunk: 0,
            partitions,
            metrics: METRICS
                .iter()
                .map(|metric| MetricResult { metric, values: Moments::default() })
                .collect(),
            expectations: Vec::new(),
            events: Vec::new(),
            faults: Vec::new(),
            isr_checks: 0,
            join_attempts: 0,
            invariant_checks: 0,
            hw_within_isr_premise: 0,
            acks_all_acknowledged: 0,
        }
    }

    /// The values of the metric called `name`.
    ///
    /// # Panics
    /// If there is no such metric.
    pub fn metric(&self, name: &str) -> &Moments {
        let result = self.metrics.iter().find(|result| result.metric.name == name);
        &result.unwrap_or_else(|| panic!("no metric is called {name}")).values
    }

    fn add(&mut self, summary: &RunSummary) {
        self.runs_finished += 1;
        self.runs_flapped += u64::from(summary.flaps > 0);
        self.runs_shrunk += u64::from(summary.isr_shrinks > 0);
        for result in &mut self.metrics {
            if let Some(value) = (result.metric.value)(summary) {
                result.values.add(value.as_f64());
            }
        }
        let exercised = &summary.exercised;
        add_counts(&mut self.events, &exercised.events);
        add_counts(&mut self.faults, &exercised.faults);
        self.isr_checks += exercised.isr_checks;
        self.join_attempts += exercised.join_attempts;
        self.invariant_checks += exercised.invariant_checks;
        self.hw_within_isr_premise += exercised.hw_within_isr_premise;
        self.acks_all_acknowledged += exercised.acks_all_acknowledged;
    }

    fn judge(&mut self, verdicts: Vec<Verdict>, plan: &Plan, run: usize) {
        let (variant, seed) = plan.run(run);
        for (index, verdict) in verdicts.into_iter().enumerate() {
            let case = FirstCase {
                seed,
                got: verdict.got,
                wanted: verdict.wanted,
                premise: verdict.premise,
                command: plan.repeat_command(variant, seed),
            };
            if index == self.expectations.len() {
                self.expectations.push(ExpectationResult::begun(
                    verdict.expectation,
                    verdict.place,
                    verdict.share,
                    case.clone(),
                ));
            }
            self.expectations[index].add(verdict.kind, || case);
        }
    }
}

/// Adds counts by name; names keep the order in which they first came.
fn add_counts<N: PartialEq + Clone>(sums: &mut Vec<(N, u64)>, counts: &[(N, u64)]) {
    for (name, count) in counts {
        match sums.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += count,
            None => sums.push((name.clone(), *count)),
        }
    }
}

/// A run that is not in the results as a whole.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MissingRun {
    /// The profile or criterion.
    pub criterion: String,
    /// The seed.
    pub seed: u64,
    /// Virtual time up to which its rows are there, nanoseconds; none: it did not start.
    pub reached_ns: Option<u64>,
}

/// How many violations and missing runs are told in full.
const TOLD_MAX: usize = 10;

/// Gathers runs.
pub struct Collector<'a> {
    plan: &'a Plan,
    variants: Vec<VariantResult>,
    traces: Vec<Option<Trace>>,
    violations: Vec<ViolationReport>,
    violations_total: u64,
    cut: Vec<MissingRun>,
    /// Whether each run was told of. One byte a run, so that what is missing can be named.
    told: Vec<bool>,
    refused: Option<(usize, String)>,
}

impl<'a> Collector<'a> {
    /// Has seen nothing.
    pub fn new(plan: &'a Plan) -> Self {
        let variants = plan.variants.iter().map(|variant| {
            let partitions = variant.spec.topics.iter().map(|topic| topic.partitions.len()).sum();
            VariantResult::new(&variant.name, partitions)
        });
        Collector {
            plan,
            variants: variants.collect(),
            traces: plan.variants.iter().map(|_| None).collect(),
            violations: Vec::new(),
            violations_total: 0,
            cut: Vec::new(),
            told: vec![false; plan.runs()],
            refused: None,
        }
    }

    /// Adds a run; to be called in the order of the runs.
    pub fn add(&mut self, run: usize, told: RunTold) {
        self.told[run] = true;
        let (variant, seed) = self.plan.run(run);
        let index = run / self.plan.seeds.len();
        if let Some(mut trace) = told.trace {
            trace.end(told.outcome.reached_ns());
            self.traces[index] = Some(trace);
        }
        match told.outcome {
            RunOutcome::Finished(summary, verdicts) => {
                self.variants[index].add(&summary);
                self.variants[index].judge(verdicts, self.plan, run);
            }
            RunOutcome::Interrupted(summary) => self.cut.push(MissingRun {
                criterion: variant.name.to_string(),
                seed,
                reached_ns: Some(summary.duration_ns),
            }),
            RunOutcome::Violated(violation) => {
                self.violations_total += 1;
                if self.violations.len() < TOLD_MAX {
                    self.violations.push(ViolationReport {
                        criterion: variant.name.to_string(),
                        seed,
                        invariant: violation.invariant.to_string(),
                        at_ns: violation.at.as_nanos(),
                        event_number: violation.event_number,
                        event: violation.event,
                        state: violation.state,
                        command: self.plan.repeat_command(variant, seed),
                    });
                }
            }
            RunOutcome::Refused(reason) => {
                self.refused.get_or_insert((index, reason));
            }
        }
    }

    /// What all runs came to, and the drawings of the variants.
    ///
    /// # Errors
    /// If the simulator did not take a variant.
    pub fn report(self) -> Result<(Report, Vec<Option<Trace>>), ReportError> {
        if let Some((index, reason)) = self.refused {
            return Err(ReportError::Refused { variant: self.variants[index].name.clone(), reason });
        }
        let never_started = (0..self.plan.runs()).filter(|&run| !self.told[run]);
        let missing_total = self.cut.len() + never_started.clone().count();
        let mut missing = self.cut;
        missing.extend(never_started.take(TOLD_MAX).map(|run| {
            let (variant, seed) = self.plan.run(run);
            MissingRun { criterion: variant.name.to_string(), seed, reached_ns: None }
        }));
        missing.truncate(TOLD_MAX);
        let report = Report {
            scenario: self.plan.scenario.name.clone(),
            seeds: self.plan.seeds.clone(),
            duration_ns: self.plan.variants.first().map_or(0, |variant| variant.spec.duration.as_nanos()),
            strict: self.plan.strict,
            command: self.plan.command(),
            runs: self.plan.runs(),
            runs_finished: self.variants.iter().map(|variant| variant.runs_finished as usize).sum(),
            variants: self.variants,
            violations: self.violations,
            violations_total: self.violations_total,
            missing,
            missing_total,
            folder: None,
        };
        Ok((report, self.traces))
    }
}
