//! The answer of a replay, in a few words.

use super::ReplayPage;
use super::actors;
use crate::Report;
use crate::judge::VerdictKind;
use crate::output::RunState;
use crate::page::html::{Verdict, VerdictMark};
use crate::report::human;
use crate::report::text::{failures, finished, grouped, in_words, names};

/// The answer.
pub fn verdict(page: &ReplayPage) -> Verdict {
    let manifest = &page.manifest;
    match &page.rerun {
        Ok(rerun) => match &rerun.report {
            Some(report) => {
                let mut verdict = of_report(report);
                verdict.findings.extend(page.summary.iter().flat_map(actors::findings));
                verdict
            }
            None => Verdict {
                mark: VerdictMark::Unsure,
                headline: format!(
                    "The replay was cut short: {} of {} runs reached their end",
                    manifest.runs_finished, manifest.runs
                ),
                findings: vec![
                    "Expectations are judged when all runs are there: run the command below again."
                        .to_owned(),
                ],
            },
        },
        Err(reason) => {
            let headline = match manifest.state {
                RunState::Violated => "An invariant was violated".to_owned(),
                _ => "The expectations were not judged here".to_owned(),
            };
            let mark = match manifest.state {
                RunState::Violated => VerdictMark::Bad,
                _ => VerdictMark::Unsure,
            };
            let finding = format!(
                "What no file holds (verdicts, faults, single fetches) is left out, as the replay could not be run \
                 again: {reason}."
            );
            Verdict { mark, headline, findings: vec![finding] }
        }
    }
}

fn of_report(report: &Report) -> Verdict {
    let told = finished(report)
        .map(|variant| (format!("{}{}", in_words(variant, report.duration_ns), failures(variant)), variant));
    let mut findings: Vec<String> =
        grouped(told).into_iter().map(|(words, variants)| format!("{} {words}", names(&variants))).collect();
    let expectations = expectations(report);
    let count = |wanted: VerdictKind| expectations.iter().filter(|kind| **kind == wanted).count();
    let (violated, all) = (count(VerdictKind::Violated), expectations.len());
    let (mark, headline) = match () {
        () if report.violations_total > 0 => (
            VerdictMark::Bad,
            format!("An invariant was violated in {} of {} runs", report.violations_total, report.runs),
        ),
        () if violated > 0 => (
            VerdictMark::Bad,
            format!(
                "{violated} of {} did not come true",
                human::plural(all as f64, "expectation", "expectations")
            ),
        ),
        () if report.nothing_ran() => (VerdictMark::Unsure, "Nothing ran".to_owned()),
        () if all == 0 => {
            (VerdictMark::Good, "Every invariant held; the scenario expects nothing else".to_owned())
        }
        () if count(VerdictKind::Held) < all => (
            VerdictMark::Unsure,
            format!("{} of {all} expectations held; the others show nothing", count(VerdictKind::Held)),
        ),
        () if all == 1 => (VerdictMark::Good, "Every invariant and the one expectation held".to_owned()),
        () => (VerdictMark::Good, format!("Every invariant and all {all} expectations held")),
    };
    for variant in &report.variants {
        let violated = variant.expectations.iter().filter(|found| found.kind() == VerdictKind::Violated);
        let told = violated.take(1).map(|found| {
            let first = &found.first;
            format!(
                "Not true under {}: “{}”; wanted {}, got {}.",
                variant.name, found.expectation, first.wanted, first.got
            )
        });
        let told: Vec<String> = told.collect();
        if !told.is_empty() {
            findings.splice(0..0, told);
            break;
        }
    }
    for violation in report.violations.iter().take(1) {
        findings
            .insert(0, format!("{}, seed {}: {}", violation.criterion, violation.seed, violation.invariant));
    }
    Verdict { mark, headline, findings }
}

/// Each expectation once, with the worst that became of it under any variant.
fn expectations(report: &Report) -> Vec<VerdictKind> {
    let judged = report.variants.iter().flat_map(|variant| {
        variant.expectations.iter().map(move |found| ((&found.expectation, &found.place), variant))
    });
    let severity = |kind: &VerdictKind| match kind {
        VerdictKind::Violated => 3,
        VerdictKind::Inconclusive => 2,
        VerdictKind::PremiseNeverMet => 1,
        VerdictKind::Held => 0,
    };
    grouped(judged)
        .into_iter()
        .filter_map(|((expectation, place), variants)| {
            let same = variants.iter().flat_map(|variant| &variant.expectations);
            let same = same.filter(|found| found.expectation == *expectation && found.place == *place);
            same.map(|found| found.kind()).max_by_key(severity)
        })
        .collect()
}
