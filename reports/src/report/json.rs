//! The report as one JSON document. Fields are only ever added.

use super::Report;
use crate::VERSION;
use crate::judge::VerdictKind;
use crate::output::FileEntry;
use crate::replay::{ExpectationResult, MissingRun, VariantResult};
use crate::simulate::ViolationReport;
use crate::stats::{Interval, wilson_interval};
use serde::Serialize;

/// The whole document.
pub fn json(report: &Report) -> String {
    let document = Document {
        version: VERSION,
        scenario: &report.scenario,
        exit_code: report.exit_code() as u8,
        duration_ns: report.duration_ns,
        seeds: &report.seeds,
        command: &report.command,
        runs: report.runs,
        runs_finished: report.runs_finished,
        variants: report.variants.iter().map(variant).collect(),
        violations_total: report.violations_total,
        violations: &report.violations,
        not_exercised: report
            .not_exercised()
            .into_iter()
            .map(|missing| NotExercised { criterion: missing.variant, what: missing.what })
            .collect(),
        missing_total: report.missing_total,
        missing: &report.missing,
        folder: report.folder.as_ref().map(|folder| Folder {
            path: folder.path.display().to_string(),
            replaced: folder.replaced,
            files: &folder.files,
        }),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("a report is plain data");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    scenario: &'a str,
    exit_code: u8,
    duration_ns: u64,
    seeds: &'a [u64],
    command: &'a str,
    runs: usize,
    runs_finished: usize,
    variants: Vec<Variant<'a>>,
    violations_total: u64,
    violations: &'a [ViolationReport],
    not_exercised: Vec<NotExercised>,
    missing_total: usize,
    missing: &'a [MissingRun],
    folder: Option<Folder<'a>>,
}

#[derive(Serialize)]
struct NotExercised {
    criterion: String,
    what: String,
}

#[derive(Serialize)]
struct Folder<'a> {
    path: String,
    replaced: bool,
    files: &'a [FileEntry],
}

#[derive(Serialize)]
struct Variant<'a> {
    criterion: &'a str,
    runs_finished: u64,
    flapped: Share,
    metrics: serde_json::Map<String, serde_json::Value>,
    expectations: Vec<Expectation<'a>>,
    exercised: Exercised,
}

/// A share of runs with Wilson's interval.
#[derive(Serialize)]
struct Share {
    runs: u64,
    share: Option<f64>,
    interval_95_wilson: Option<Interval>,
}

/// A metric over runs.
#[derive(Serialize)]
struct Spread {
    unit: &'static str,
    runs: u64,
    mean: Option<f64>,
    standard_deviation: Option<f64>,
    interval_95_t: Option<Interval>,
    min: Option<f64>,
    max: Option<f64>,
}

#[derive(Serialize)]
struct Expectation<'a> {
    expectation: &'a str,
    verdict: VerdictKind,
    runs_held: u64,
    runs_premise_never_met: u64,
    runs_violated: u64,
    runs_inconclusive: u64,
    seed: u64,
    got: &'a str,
    wanted: &'a str,
    premise: &'a str,
    place: &'a str,
    command: &'a str,
}

#[derive(Serialize)]
struct Exercised {
    events: serde_json::Map<String, serde_json::Value>,
    faults: serde_json::Map<String, serde_json::Value>,
    isr_checks: u64,
    join_attempts: u64,
    invariant_checks: u64,
    hw_within_isr_premise: u64,
    acks_all_acknowledged: u64,
}

fn variant(variant: &VariantResult) -> Variant<'_> {
    let metrics = variant.metrics.iter().map(|result| {
        let spread = Spread {
            unit: result.metric.unit.name(),
            runs: result.values.count(),
            mean: result.values.mean(),
            standard_deviation: result.values.standard_deviation(),
            interval_95_t: result.values.mean_interval(),
            min: result.values.min(),
            max: result.values.max(),
        };
        let value = serde_json::to_value(spread).expect("numbers are plain data");
        (result.metric.name.to_owned(), value)
    });
    let counts = |counts: &[(String, u64)]| -> serde_json::Map<String, serde_json::Value> {
        counts.iter().map(|(name, count)| (name.clone(), (*count).into())).collect()
    };
    Variant {
        criterion: &variant.name,
        runs_finished: variant.runs_finished,
        flapped: Share {
            runs: variant.runs_flapped,
            share: (variant.runs_finished > 0)
                .then(|| variant.runs_flapped as f64 / variant.runs_finished as f64),
            interval_95_wilson: wilson_interval(variant.runs_flapped, variant.runs_finished),
        },
        metrics: metrics.collect(),
        expectations: variant.expectations.iter().map(expectation).collect(),
        exercised: Exercised {
            events: variant
                .events
                .iter()
                .map(|(name, count)| ((*name).to_owned(), (*count).into()))
                .collect(),
            faults: counts(&variant.faults),
            isr_checks: variant.isr_checks,
            join_attempts: variant.join_attempts,
            invariant_checks: variant.invariant_checks,
            hw_within_isr_premise: variant.hw_within_isr_premise,
            acks_all_acknowledged: variant.acks_all_acknowledged,
        },
    }
}

fn expectation(found: &ExpectationResult) -> Expectation<'_> {
    Expectation {
        expectation: &found.expectation,
        verdict: found.kind(),
        runs_held: found.held,
        runs_premise_never_met: found.premise_never_met,
        runs_violated: found.violated,
        runs_inconclusive: found.inconclusive,
        seed: found.first.seed,
        got: &found.first.got,
        wanted: &found.first.wanted,
        premise: &found.first.premise,
        place: &found.place,
        command: &found.first.command,
    }
}
