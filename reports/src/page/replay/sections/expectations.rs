//! What was expected, and what became of it.

use crate::Report;
use crate::judge::VerdictKind;
use crate::page::html::{VerdictMark, command, mark_sign};
use crate::replay::ExpectationResult;
use crate::report::text::{grouped, names, outcome};
use maud::{Markup, html};

/// Each expectation once, with what became of it under each variant.
pub fn section(report: &Report) -> Markup {
    let judged = report.variants.iter().flat_map(|variant| {
        variant.expectations.iter().map(move |found| ((&found.expectation, &found.place), variant))
    });
    let groups = grouped(judged);
    if groups.is_empty() {
        return html! { p { "The scenario expects nothing of these criteria: only the invariants were checked." } };
    }
    let groups = groups.into_iter().map(|((expectation, place), variants)| {
        let found_in = |variant: &'_ crate::replay::VariantResult| -> Option<usize> {
            let same = |found: &ExpectationResult| found.expectation == *expectation && found.place == *place;
            variant.expectations.iter().position(same)
        };
        let outcomes = variants.into_iter().filter_map(|variant| {
            let found = &variant.expectations[found_in(variant)?];
            Some(((found.kind(), outcome(found, variant.runs_finished)), variant))
        });
        let outcomes = grouped(outcomes).into_iter().map(|((kind, text), variants)| {
            let commands: Vec<&str> = variants
                .iter()
                .filter_map(|variant| Some(variant.expectations[found_in(variant)?].first.command.as_str()))
                .collect();
            Outcome {
                kind,
                text,
                names: names(&variants),
                commands: commands.iter().map(|c| (*c).to_owned()).collect(),
            }
        });
        (expectation.as_str(), place.as_str(), outcomes.collect::<Vec<Outcome>>())
    });
    let mut groups: Vec<_> = groups.collect();
    // What did not come true first; the order of the scenario within.
    groups.sort_by_key(|(_, _, outcomes)| mark_of(outcomes) == VerdictMark::Good);
    html! {
        ul.expectations { @for (expectation, place, outcomes) in &groups {
            li {
                p.expectation { (mark_sign(mark_of(outcomes))) " " (expectation) }
                @for outcome in outcomes {
                    p.outcome { strong { (outcome.names) } ": " (outcome.text) }
                    @if outcome.kind == VerdictKind::Violated {
                        p.outcome { "Expected in " code { (place) } "." }
                        @for line in &outcome.commands { (command("Repeat it:", line)) }
                    }
                }
            }
        } }
    }
}

struct Outcome {
    kind: VerdictKind,
    text: String,
    names: String,
    commands: Vec<String>,
}

fn mark_of(outcomes: &[Outcome]) -> VerdictMark {
    let any = |kind| outcomes.iter().any(|outcome| outcome.kind == kind);
    if any(VerdictKind::Violated) {
        VerdictMark::Bad
    } else if outcomes.iter().all(|outcome| outcome.kind == VerdictKind::Held) {
        VerdictMark::Good
    } else {
        VerdictMark::Unsure
    }
}
