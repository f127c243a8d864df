//! What was asked, and how to ask it again.

use super::super::ReplayPage;
use crate::Report;
use crate::page::html::{command, details};
use crate::report::human;
use maud::{Markup, html};

/// The settings of the replay.
pub fn asked(page: &ReplayPage) -> Markup {
    let manifest = &page.manifest;
    let duration = |ns: u64| human::duration(ns as f64 / 1e6);
    let seeds = match manifest.seeds.as_slice() {
        [first, .., last] => format!("{first} to {last}"),
        [seed] => seed.to_string(),
        [] => "none".to_owned(),
    };
    let about = page.rerun.as_ref().map_or("", |rerun| rerun.about.trim());
    html! {
        @for paragraph in about.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
            p { (paragraph) }
        }
        dl.facts {
            dt { "scenario" } dd { (manifest.scenario) " (" code { (manifest.scenario_reference) } ")" }
            dt { "criteria and profiles" } dd { (manifest.profiles.join(", ")) }
            dt { "changed values" } dd {
                @if manifest.overrides.is_empty() { "none" }
                @for change in &manifest.overrides { code { (change) } " " }
            }
            dt { "seeds" } dd { (seeds) }
            dt { "virtual time" } dd { (duration(manifest.duration_ns)) " a run" }
            dt { "samples" } dd {
                @match manifest.sample_every_ns {
                    Some(every) => { "every " (duration(every)) }
                    None => "none",
                }
            }
            dt { "runs" } dd { (manifest.runs_finished) " of " (manifest.runs) " reached their end" }
            dt { "isrlab" } dd { "version " (manifest.version) }
            dt { "files" } dd {
                @for (index, entry) in manifest.files.iter().enumerate() {
                    @if index > 0 { ", " }
                    code { (entry.file) }
                    @if let Some(rows) = entry.rows { " (" (human::plural(rows as f64, "row", "rows")) ")" }
                }
            }
        }
        (details("The scenario’s text", html! {
            div.command { div.line {
                pre.text tabindex="0" { (manifest.scenario_text) }
                button.copy type="button" data-copy=(manifest.scenario_text) aria-label="Copy the scenario" { "Copy" }
            } }
        }))
    }
}

/// The commands that make the same again.
pub fn reproduce(page: &ReplayPage, report: Option<&Report>) -> Markup {
    let manifest = &page.manifest;
    let is_file =
        manifest.scenario_reference.contains(['/', '\\']) || manifest.scenario_reference.ends_with(".toml");
    let repeated: Vec<(String, &str)> = report.map_or_else(Vec::new, |report| {
        let violated = report.variants.iter().flat_map(|variant| {
            let violated = variant.expectations.iter().filter(|found| found.violated > 0);
            violated.map(|found| {
                (format!("{}, seed {}:", variant.name, found.first.seed), found.first.command.as_str())
            })
        });
        let mut found: Vec<(String, &str)> = violated.collect();
        found.dedup();
        found
    });
    html! {
        @if is_file {
            p { "The scenario is a file of its own: save its text, above, as " code { (manifest.scenario_reference) } "." }
        }
        (command("The whole replay, to the byte:", &manifest.command))
        @for (label, line) in &repeated { (command(label, line)) }
        p.hint { "With version " (manifest.version) " of isrlab the same command gives the same bytes on every machine, \
            with any number of threads." }
    }
}
