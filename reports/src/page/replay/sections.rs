//! The sections of a replay's page.

mod exercised;
mod expectations;
mod numbers;
mod settings;

use super::{ReplayPage, actors};
use crate::page::html::{command, note_list};
use crate::simulate::ViolationReport;
use maud::{Markup, html};

type Section = (&'static str, String, Markup);

/// All of them, the answer first.
pub fn sections(page: &ReplayPage) -> Vec<Section> {
    let report = page.rerun.as_ref().ok().and_then(|rerun| rerun.report.as_ref());
    let mut found: Vec<Section> = Vec::new();
    let mut add = |id, heading: &str, content| found.push((id, heading.to_owned(), content));
    if let Some(report) = report
        && !report.violations.is_empty()
    {
        add("violations", "Violations", violations(&report.violations, report.violations_total));
    }
    if let Some(summary) = &page.summary {
        add("numbers", "Numbers", numbers::main(page, summary));
    }
    if page.has_lags {
        let table = page.summary.as_ref().map(actors::lag_table);
        let content = html! { (chart("lag", "Reported and true lag over time")) @if let Some(table) = table { (table) } };
        add("lag", "Reported lag", content);
    }
    if page.has_stamps {
        add("timestamps", "Timestamps", chart("stamps", "Stored times less true ones, over time"));
    }
    if page.has_samples {
        add(
            "timeline",
            "Timeline",
            chart("timeline", "Replicas in and out of the ISR, and their lag, over time"),
        );
    }
    if let Some(report) = report {
        add("expectations", "Expectations", expectations::section(report));
    }
    if page.changes.totals.iter().any(|&total| total > 0) {
        add("changes", "ISR changes", html! { div data-chart="changes" {} });
    }
    if let Some(summary) = &page.summary {
        add("metrics", "All numbers", numbers::all(summary));
    }
    if let Some(report) = report {
        add("exercised", "Exercised", exercised::section(report));
    }
    add("settings", "What was asked", settings::asked(page));
    add("reproduce", "Reproduce", settings::reproduce(page, report));
    if !page.notes.is_empty() {
        add("notes", "About this page", note_list(&page.notes));
    }
    found
}

/// A place that the script draws in.
fn chart(kind: &str, what: &str) -> Markup {
    html! {
        div.charts data-chart=(kind) role="group" aria-label=(what) {}
    }
}

fn violations(violations: &[ViolationReport], total: u64) -> Markup {
    html! {
        @for violation in violations {
            article.violation {
                h3 { (violation.criterion) ", seed " (violation.seed) ": " (violation.invariant) }
                p {
                    "At " (isrlab_sim::engine::SimTime::from_nanos(violation.at_ns)) ", after event "
                    (violation.event_number) ": " (violation.event) "."
                }
                pre { (violation.state) }
                (command("Repeat this run:", &violation.command))
            }
        }
        @if total > violations.len() as u64 {
            p { (total - violations.len() as u64) " more runs violated an invariant." }
        }
    }
}
