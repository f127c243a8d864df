//! The page of a sweep.

mod cells;
mod grid;
mod judged;
mod sections;
mod verdict;

use super::error::PageError;
use super::html::PageParts;
use super::source::Source;
use crate::output::RunState;
use crate::report::human;
use crate::sweep::{EVENTS, SweepManifest};
use cells::Cells;
use grid::Grid;
use isrlab_sim::cluster::Metric;
use judged::{Expectation, Failures};
use serde_json::json;

const SCRIPT: &str =
    concat!(include_str!("../../../assets/plot.js"), include_str!("../../../assets/sweep.js"));

/// All that a page of a sweep is made of.
struct SweepPage {
    manifest: SweepManifest,
    grid: Grid,
    cells: Option<Cells>,
    expectations: Option<Vec<Expectation>>,
    failures: Option<Failures>,
    /// What the reader should know about the page.
    notes: Vec<String>,
}

/// The page of a folder with a sweep.
///
/// # Errors
/// If a file is not what it should be.
pub fn page(source: &Source) -> Result<PageParts, PageError> {
    let manifest: SweepManifest = source.manifest()?;
    let keys: Vec<String> = manifest.vary.iter().map(|key| key.column.clone()).collect();
    let mut first = vec!["flapped".to_owned()];
    first.extend(manifest.plots.iter().cloned());
    let cells = cells::read(source, &keys, &first)?;
    let mut page = SweepPage {
        grid: Grid::of(&manifest, cells.as_ref()),
        cells,
        expectations: judged::expectations(source, &keys)?
            .map(|found| judged::with_unjudged(found, &manifest.unjudged)),
        failures: judged::failures(source, &keys)?,
        manifest,
        notes: Vec::new(),
    };
    page.note_what_is_missing();
    let data = page.data();
    Ok(PageParts {
        kind: "sweep",
        name: page.manifest.scenario.clone(),
        subtitle: page.subtitle(),
        verdict: verdict::verdict(&page),
        sections: sections::sections(&page),
        data,
        script: SCRIPT,
    })
}

impl SweepPage {
    fn subtitle(&self) -> String {
        let manifest = &self.manifest;
        let keys: Vec<String> =
            manifest.vary.iter().map(|key| format!("{} ({} values)", key.key, key.values.len())).collect();
        let varied = if keys.is_empty() {
            "nothing varied".to_owned()
        } else {
            format!("varied: {}", keys.join(" × "))
        };
        format!(
            "{varied} · {} · {} each · {} runs",
            human::plural(manifest.profiles.len() as f64, "criterion", "criteria"),
            human::plural(manifest.seeds.count as f64, "seed", "seeds"),
            human::count(manifest.runs as f64)
        )
    }

    fn note_what_is_missing(&mut self) {
        let missing = [
            (self.cells.is_some(), cells::FILE),
            (self.expectations.is_some(), judged::EXPECTATIONS),
            (self.failures.is_some(), judged::FAILURES),
        ];
        for (_, file) in missing.into_iter().filter(|(is_there, _)| !is_there) {
            self.notes.push(format!("{file} is not in the folder: what it would tell is left out."));
        }
        let manifest = &self.manifest;
        if manifest.shard.count > 1 {
            self.notes.push(format!(
                "This is shard {} of {}: every other cell is elsewhere; isrlab merge puts them together.",
                manifest.shard.index, manifest.shard.count
            ));
        }
        if manifest.state == RunState::Unfinished {
            self.notes.push(
                "The sweep is under way, or was ended from outside: what is here is of the runs whose turn had come; \
                 isrlab sweep --resume goes on with it."
                    .to_owned(),
            );
        }
        if manifest.state == RunState::Interrupted {
            self.notes.push(format!(
                "The sweep is not finished: {} of {} runs are over; isrlab sweep --resume goes on with it.",
                human::count(manifest.runs_finished as f64),
                human::count(manifest.runs as f64)
            ));
        }
        let Some(cells) = &self.cells else { return };
        if cells.total > cells.cells.len() {
            self.notes.push(format!(
                "The page has {} of {} cells, the first of the grid; the others are in cells.csv.",
                human::count(cells.cells.len() as f64),
                human::count(cells.total as f64)
            ));
        }
        if !cells.left_out.is_empty() {
            self.notes
                .push(format!("Without room on the page, in cells.csv only: {}.", cells.left_out.join(", ")));
        }
    }

    /// What the script draws.
    fn data(&self) -> String {
        let Some(cells) = &self.cells else { return String::new() };
        let vary: Vec<_> = self
            .manifest
            .vary
            .iter()
            .zip(&self.grid.numbers)
            .map(|(key, numbers)| {
                json!({ "key": key.key, "unit": key.unit, "values": key.values, "numbers": numbers })
            })
            .collect();
        let meanings: Vec<String> = cells.metrics.iter().map(|metric| meaning(&metric.name)).collect();
        let data = json!({
            "vary": vary,
            "criteria": self.manifest.profiles,
            "seeds": self.manifest.seeds.count,
            "plots": self.manifest.plots,
            "commands": self.grid.commands,
            "cells": cells.cells,
            "meanings": meanings,
            "metrics": cells.metrics.iter().map(cells::MetricColumns::to_json).collect::<Vec<_>>(),
        });
        data.to_string()
    }
}

/// What a metric or share tells.
fn meaning(name: &str) -> String {
    if let Some(metric) = Metric::find(name) {
        return metric.doc.to_owned();
    }
    let share = EVENTS.iter().find(|event| event.name == name);
    share.map_or_else(String::new, |event| format!("The {}.", event.meaning))
}
