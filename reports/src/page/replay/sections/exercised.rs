//! What the runs exercised: a check that had nothing to check proves nothing.

use crate::Report;
use crate::page::html::{Cell, Head, Table, details, note_list};
use crate::replay::VariantResult;
use crate::report::human;
use maud::{Markup, html};

/// Counts by variant, and what was never exercised.
pub fn section(report: &Report) -> Markup {
    let heads = vec![
        Head::text("criterion"),
        Head::number("events").meaning("Events that the simulator handled"),
        Head::number("invariant checks").meaning("Steps after which the invariants were checked"),
        Head::number("ISR checks").meaning("Runs of the ISR check that had a follower to look at"),
        Head::number("attempts to join").meaning("Fetches by replicas outside the ISR"),
        Head::number("acks=all").meaning("Requests acknowledged with acks=all"),
        Head::number("faults").meaning("Faults that were applied"),
    ];
    let count = |value: u64| Cell::number(Some(value as f64), human::count);
    let rows = report.variants.iter().map(|variant| {
        vec![
            Cell::text(&variant.name),
            count(variant.events.iter().map(|(_, count)| count).sum()),
            count(variant.invariant_checks),
            count(variant.isr_checks),
            count(variant.join_attempts),
            count(variant.acks_all_acknowledged),
            count(variant.faults.iter().map(|(_, count)| count).sum()),
        ]
    });
    let table = Table { caption: "What was exercised".to_owned(), heads, rows: rows.collect() };
    let missing: Vec<String> = report
        .not_exercised()
        .into_iter()
        .map(|missing| format!("Under {}, {}.", missing.variant, missing.what))
        .collect();
    html! {
        (note_list(&missing))
        (table.markup())
        (details("Events and faults by kind", kinds(report)))
    }
}

fn kinds(report: &Report) -> Markup {
    let mut names: Vec<(&str, bool)> = Vec::new();
    for variant in &report.variants {
        let events = variant.events.iter().map(|(name, _)| (*name, false));
        let faults = variant.faults.iter().map(|(name, _)| (name.as_str(), true));
        for name in events.chain(faults) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let of = |variant: &VariantResult, name: &str, is_fault: bool| -> Option<f64> {
        if is_fault {
            variant.faults.iter().find(|(known, _)| known == name).map(|(_, count)| *count as f64)
        } else {
            variant.events.iter().find(|(known, _)| *known == name).map(|(_, count)| *count as f64)
        }
    };
    let mut heads = vec![Head::text("kind")];
    heads.extend(report.variants.iter().map(|variant| Head::number(&variant.name)));
    let rows = names.iter().map(|(name, is_fault)| {
        let title = if *is_fault { format!("fault {name}") } else { (*name).to_owned() };
        let mut row = vec![Cell::text(title)];
        row.extend(
            report.variants.iter().map(|variant| Cell::number(of(variant, name, *is_fault), human::count)),
        );
        row
    });
    Table { caption: "Events and faults by kind".to_owned(), heads, rows: rows.collect() }.markup()
}
