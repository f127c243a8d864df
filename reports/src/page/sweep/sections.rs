//! The sections of a sweep's page.

use super::SweepPage;
use super::cells::Cells;
use super::judged::{Expectation, Failures, TOLD_MAX};
use crate::judge::VerdictKind;
use crate::output::RunState;
use crate::page::html::{Cell, Head, Table, VerdictMark, command, details, mark_sign, note_list};
use crate::report::human;
use isrlab_sim::cluster::Metric;
use maud::{Markup, html};

type Section = (&'static str, String, Markup);

/// The most rows of the table of cells.
const ROWS_MAX: usize = 1_500;

/// All of them, the answer first.
pub fn sections(page: &SweepPage) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut add = |id, heading: &str, content| found.push((id, heading.to_owned(), content));
    if page.cells.as_ref().is_some_and(|cells| !cells.cells.is_empty()) {
        add(
            "map",
            "Map",
            html! { div.charts data-chart="map" role="group" aria-label="A metric over the grid" {} },
        );
        if !page.manifest.vary.is_empty() {
            add(
                "lines",
                "Lines",
                html! { div.charts data-chart="lines" role="group" aria-label="A metric over one key" {} },
            );
        }
    }
    if let Some(failures) = &page.failures
        && failures.total > 0
    {
        add("failures", "Failures", failed(failures));
    }
    if let Some(expectations) = &page.expectations {
        add("expectations", "Expectations", expected(expectations));
    }
    if let Some(cells) = &page.cells {
        add("cells", "Cells", table(page, cells));
    }
    add("settings", "What was asked", asked(page));
    add("reproduce", "Reproduce", reproduce(page));
    if !page.notes.is_empty() {
        add("notes", "About this page", note_list(&page.notes));
    }
    found
}

fn failed(failures: &Failures) -> Markup {
    html! {
        p {
            (human::plural(failures.total as f64, "run", "runs")) " failed"
            @if failures.invariants > 0 { ", " (human::count(failures.invariants as f64)) " of them by breaking an invariant" }
            "."
        }
        @for failure in &failures.told {
            details.trace {
                summary { (mark_sign(VerdictMark::Bad)) " " (failure.run) ": " (failure.what) }
                p { (if failure.is_invariant { "After: " } else { "Got: " }) (failure.got) }
                @if !failure.wanted.is_empty() { p { "Wanted: " (failure.wanted) } }
                (command("Repeat it:", &failure.command))
            }
        }
        @if failures.total > failures.told.len() as u64 {
            p.hint { "The first " (TOLD_MAX) " of them; all are in failures.csv." }
        }
    }
}

fn expected(expectations: &[Expectation]) -> Markup {
    if expectations.is_empty() {
        return html! { p { "The scenario expects nothing of these cells: only the invariants were checked." } };
    }
    html! { ul.expectations { @for expectation in expectations {
        li {
            p.expectation { (mark_sign(mark(expectation))) " " (expectation.sentence) }
            p.outcome { (counts(expectation)) " (" code { (expectation.place) } ")" }
            @if !expectation.failures.is_empty() {
                (details("The cells in which it did not hold", html! { @for failed in &expectation.failures {
                    p { strong { (failed.cell) } ": wanted " (failed.wanted) ", got " (failed.got) }
                    (command("", &failed.command))
                } }))
            }
        }
    } } }
}

fn mark(expectation: &Expectation) -> VerdictMark {
    match expectation.kind() {
        VerdictKind::Violated => VerdictMark::Bad,
        VerdictKind::Held => VerdictMark::Good,
        VerdictKind::Inconclusive | VerdictKind::PremiseNeverMet => VerdictMark::Unsure,
    }
}

fn counts(expectation: &Expectation) -> String {
    let told = [
        (expectation.held, "held in"),
        (expectation.violated, "did not hold in"),
        (expectation.inconclusive, "cannot be told, from so few runs, in"),
        (expectation.premise_never_met, "shows nothing, as its premise was never met, in"),
    ];
    let told = told.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told
        .map(|(count, words)| format!("{words} {}", human::plural(*count as f64, "cell", "cells")))
        .collect();
    told.join("; ")
}

/// Numbers with their unit.
fn show(unit: &str) -> fn(f64) -> String {
    match unit {
        "ms" => human::duration,
        "share" => human::share,
        _ => human::count,
    }
}

/// What the table of cells shows, where there is such a metric.
const COLUMNS: [&str; 8] = [
    "flapped",
    "isr_flaps",
    "isr_shrinks",
    "isr_shrink_first_ms",
    "under_replicated_ms",
    "hw_stalls",
    "produce_latency_p99_ms",
    "requests_failed",
];

fn table(page: &SweepPage, cells: &Cells) -> Markup {
    let mut names: Vec<&str> = COLUMNS.to_vec();
    names.extend(page.manifest.plots.iter().map(String::as_str).filter(|name| !COLUMNS.contains(name)));
    let columns: Vec<_> = names.iter().filter_map(|name| cells.metric(name)).collect();
    let mut heads = vec![Head::text("criterion")];
    heads.extend(page.manifest.vary.iter().map(|key| Head::number(&key.key)));
    heads.extend(columns.iter().map(|metric| {
        let doc = Metric::find(&metric.name)
            .map_or_else(|| super::meaning(&metric.name), |metric| metric.doc.to_owned());
        Head::number(metric.name.replace('_', " ")).meaning(doc)
    }));
    heads.push(Head::text("command"));
    let rows = cells.cells.iter().enumerate().take(ROWS_MAX).map(|(at, &cell)| {
        let criterion = page.manifest.profiles.get(page.grid.criterion(cell)).map_or("", String::as_str);
        let mut row = vec![Cell::text(criterion)];
        row.extend(page.grid.point(cell).into_iter().enumerate().map(|(key, value)| {
            let text = page.manifest.vary[key].values.get(value).map_or("", String::as_str);
            let number = page.grid.numbers[key].get(value).copied().flatten();
            Cell::markup(html! { (text) }, number.map_or_else(|| text.to_owned(), |number| number.to_string()))
        }));
        row.extend(columns.iter().map(|metric| {
            let cell = Cell::number(metric.mean[at], show(&metric.unit));
            if metric.mean[at] == Some(0.0) { cell.class("zero") } else { cell }
        }));
        let command = page.grid.command(cell);
        let button = html! {
            button.copy type="button" data-copy=(command) aria-label="Copy the command that repeats this cell" { "Copy" }
        };
        row.push(Cell::markup(button, cell.to_string()));
        row
    });
    let table = Table { caption: "The cells".to_owned(), heads, rows: rows.collect() };
    let constant: Vec<String> =
        cells.constant.iter().map(|(name, value)| format!("{name} {}", human::trimmed(*value, 3))).collect();
    html! {
        div.tall { (table.markup()) }
        p.hint { "Means over the runs of a cell; intervals are in the map and in cells.csv." }
        @if cells.cells.len() > ROWS_MAX {
            p.hint { "The first " (human::count(ROWS_MAX as f64)) " of " (human::count(cells.total as f64)) " cells." }
        }
        @if !constant.is_empty() { (details("The same in every cell", html! { p.hint { (constant.join(", ")) } })) }
    }
}

fn asked(page: &SweepPage) -> Markup {
    let manifest = &page.manifest;
    let last = manifest.seeds.first.saturating_add(manifest.seeds.count.saturating_sub(1));
    html! {
        dl.facts {
            dt { "scenario" } dd { (manifest.scenario) " (" code { (manifest.scenario_reference) } ")" }
            @for key in &manifest.vary {
                dt { code { (key.key) } } dd { (key.values.join(", ")) }
            }
            dt { "criteria and profiles" } dd { (manifest.profiles.join(", ")) }
            dt { "changed values" } dd {
                @if manifest.overrides.is_empty() { "none" }
                @for change in &manifest.overrides { code { (change) } " " }
            }
            dt { "seeds of each cell" } dd { (manifest.seeds.first) " to " (last) }
            dt { "cells" } dd { (human::count(manifest.cells as f64)) }
            dt { "runs" } dd {
                @if manifest.state == RunState::Unfinished { (human::count(manifest.runs as f64)) ", not all of them over" }
                @else { (human::count(manifest.runs_finished as f64)) " of " (human::count(manifest.runs as f64)) " are over" }
            }
            dt { "isrlab" } dd { "version " (manifest.version) }
            dt { "files" } dd { @for (index, entry) in manifest.files.iter().enumerate() {
                @if index > 0 { ", " }
                code { (entry.file) }
                @if let Some(rows) = entry.rows { " (" (human::plural(rows as f64, "row", "rows")) ")" }
            } }
        }
        (details("The scenario’s text", html! {
            div.command { div.line {
                pre.text tabindex="0" { (manifest.scenario_text) }
                button.copy type="button" data-copy=(manifest.scenario_text) aria-label="Copy the scenario" { "Copy" }
            } }
        }))
    }
}

fn reproduce(page: &SweepPage) -> Markup {
    let manifest = &page.manifest;
    let is_file =
        manifest.scenario_reference.contains(['/', '\\']) || manifest.scenario_reference.ends_with(".toml");
    html! {
        @if is_file {
            p { "The scenario is a file of its own: save its text, above, as " code { (manifest.scenario_reference) } "." }
        }
        (command("The whole sweep, to the byte:", &manifest.command))
        p.hint { "With version " (manifest.version) " of isrlab the same command gives the same bytes on every machine, \
            with any number of threads, and from any number of shards." }
    }
}
