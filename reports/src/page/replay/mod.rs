//! The page of a replay.

mod actors;
mod changes;
mod drawn;
mod encode;
mod events;
mod lags;
mod rerun;
mod samples;
mod sections;
mod stamps;
mod summary;
mod thin;
mod verdict;

use super::error::PageError;
use super::html::PageParts;
use super::source::Source;
use crate::output::{Manifest, RunState};
use crate::replay::Control;
use crate::report::human;
use changes::{CHANGES_MAX, Change, Changes};
use drawn::DrawnRuns;
use events::Steps;
use lags::LagSeries;
use rerun::{FaultWindows, LagLimit, Rerun};
use samples::Samples;
use serde::Serialize;
use stamps::Stamps;
use summary::Summary;

const SCRIPT: &str = concat!(
    include_str!("../../../assets/plot.js"),
    include_str!("../../../assets/replay/series.js"),
    include_str!("../../../assets/replay/timeline.js"),
    include_str!("../../../assets/replay/lags.js"),
    include_str!("../../../assets/replay/stamps.js"),
);

/// All that a page of a replay is made of.
struct ReplayPage {
    manifest: Manifest,
    drawn: DrawnRuns,
    changes: Changes,
    summary: Option<Summary>,
    /// The replay, run again; or why it was not.
    rerun: Result<Rerun, String>,
    has_samples: bool,
    has_lags: bool,
    has_stamps: bool,
    /// What the reader should know about the page.
    notes: Vec<String>,
}

/// The drawn data of one run.
#[derive(Serialize)]
struct RunData<'a> {
    limit: Option<LagLimit>,
    changes: &'a [Change],
    faults: &'a [FaultWindows],
    partitions: Vec<PartitionData<'a>>,
    lags: &'a [LagSeries],
    stamps: &'a [Stamps],
}

#[derive(Serialize)]
struct PartitionData<'a> {
    samples: Option<&'a Samples>,
    steps: Option<&'a Steps>,
}

/// The page of a folder with a replay.
///
/// # Errors
/// If a file is not what it should be, or if it was told to stop.
pub fn page(source: &Source, control: Control<'_>) -> Result<PageParts, PageError> {
    let manifest: Manifest = source.manifest()?;
    let drawn = DrawnRuns::of(&manifest);
    let mut changes = changes::read(source, &drawn)?;
    let samples = samples::read(source, &drawn, &mut changes, samples_of_run(&manifest))?;
    let summary = summary::read(source, &manifest.profiles)?;
    let runs = manifest.runs.max(1) as u64;
    let rows_of_run = |file: &str| {
        let entry = manifest.files.iter().find(|entry| entry.file == file);
        entry.and_then(|entry| entry.rows).unwrap_or(0) / runs
    };
    let lags = lags::read(source, &drawn, rows_of_run(lags::FILE))?;
    let stamps = stamps::read(source, &drawn, rows_of_run(stamps::FILE))?;
    let rerun = rerun::rerun(&manifest, &drawn, &changes.partitions, control)?;
    let mut page = ReplayPage {
        has_samples: samples.as_ref().is_some_and(|runs| !runs.is_empty()),
        has_lags: lags.as_ref().is_some_and(|lags| lags.runs.iter().any(|run| !run.is_empty())),
        has_stamps: stamps.as_ref().is_some_and(|found| found.runs.iter().any(|run| !run.is_empty())),
        manifest,
        drawn,
        changes,
        summary,
        rerun,
        notes: Vec::new(),
    };
    let missing = [
        (page.changes.is_there, changes::FILE),
        (samples.is_some(), samples::FILE),
        (page.summary.is_some(), summary::FILE),
    ];
    for (_, file) in missing.into_iter().filter(|(is_there, _)| !is_there) {
        page.notes.push(format!("{file} is not in the folder: what it would tell is left out."));
    }
    for file in [lags::FILE, stamps::FILE] {
        let is_listed = page.manifest.files.iter().any(|entry| entry.file == file);
        if is_listed && !source.file(file).exists() {
            page.notes.push(format!("{file} is not in the folder: what it would tell is left out."));
        }
    }
    page.check_rerun();
    let samples = samples.unwrap_or_default();
    let lags = lags.unwrap_or(lags::Lags { runs: Vec::new(), are_more: false });
    let stamps = stamps.unwrap_or_default();
    page.note_what_is_thinned(&samples, &lags, &stamps.runs);
    if stamps.are_more {
        page.notes.push("Timestamps of further partitions are in timestamps.csv only.".to_owned());
    }
    let data = page.data(&samples, &lags.runs, &stamps.runs);
    Ok(PageParts {
        kind: "replay",
        name: page.manifest.scenario.clone(),
        subtitle: page.subtitle(),
        verdict: verdict::verdict(&page),
        sections: sections::sections(&page),
        data,
        script: SCRIPT,
    })
}

/// How many samples one partition has in one run.
fn samples_of_run(manifest: &Manifest) -> u64 {
    manifest.sample_every_ns.map_or(0, |every| manifest.duration_ns / every.max(1) + 1)
}

impl ReplayPage {
    fn subtitle(&self) -> String {
        let duration = human::duration(self.manifest.duration_ns as f64 / 1e6);
        let seeds = match self.manifest.seeds.as_slice() {
            [] => "no seed".to_owned(),
            [seed] => format!("seed {seed}"),
            [first, .., last] => format!("{} seeds ({first} to {last})", self.manifest.seeds.len()),
        };
        let title = match &self.rerun {
            Ok(rerun) => format!("{} · ", rerun.title.trim_end_matches('.')),
            Err(_) => String::new(),
        };
        format!("{title}{duration} of virtual time, {seeds}")
    }

    /// Compares the replay that was run again with the folder's files; where they differ the
    /// files are right, and what only the other could tell is left out.
    fn check_rerun(&mut self) {
        let (Ok(rerun), Some(summary)) = (&self.rerun, &self.summary) else { return };
        let Some(report) = &rerun.report else { return };
        let differs = report.variants.iter().zip(&summary.criteria).any(|(variant, read)| {
            variant.metrics.iter().any(|result| {
                let (again, read) = (result.values.mean(), summary.metric(read, result.metric.name));
                let close = |a: f64, b: f64| (a - b).abs() <= 5e-4 + 1e-9 * a.abs();
                match (again, read.map(|values| values.mean())) {
                    (_, None) => false,
                    (Some(again), Some(Some(read))) => !close(again, read),
                    (again, Some(read)) => again.is_some() != read.is_some(),
                }
            })
        });
        if differs {
            self.rerun =
                Err("running it again gives other numbers than its summary.csv: the folder was made by \
                              another build, or its files were changed"
                    .to_owned());
        }
    }

    fn note_what_is_thinned(&mut self, samples: &[Vec<Samples>], lags: &lags::Lags, stamps: &[Vec<Stamps>]) {
        let seeds = self.manifest.seeds.len();
        if seeds > self.drawn.seeds.len() {
            self.notes.push(format!(
                "Charts are of the first {} of {seeds} seeds; tables and verdicts are of all.",
                self.drawn.seeds.len()
            ));
        }
        if self.changes.partitions.are_more {
            self.notes.push(format!(
                "Charts are of {} partitions, those whose ISR changed most first; tables and verdicts are of all.",
                self.changes.partitions.chosen.len()
            ));
        }
        let thinned =
            samples.iter().flatten().find(|samples| samples.at.deltas.len() < samples.total as usize);
        if let Some(thinned) = thinned {
            self.notes.push(format!(
                "Charts show {} of {} samples of a partition: of each stretch the first, the one with the longest \
                 lag and the one with the most records.",
                human::count(thinned.at.deltas.len() as f64),
                human::count(thinned.total as f64)
            ));
        }
        if self.changes.totals.iter().any(|&total| total > CHANGES_MAX as u64) {
            self.notes.push(format!(
                "Of each run the first {} ISR changes are listed; later ones are in isr_changes.csv, and in the \
                 charts to the next sample.",
                human::count(CHANGES_MAX as f64)
            ));
        }
        if let Ok(rerun) = &self.rerun {
            let steps: Vec<&Steps> = rerun.runs.iter().flat_map(|run| &run.steps).flatten().collect();
            if let Some(partial) = steps.iter().find(|steps| steps.kind.len() < steps.total as usize) {
                let left_out = if steps.iter().any(|steps| steps.are_left_out) {
                    " There was no room for the surroundings of all of them."
                } else {
                    ""
                };
                self.notes.push(format!(
                    "A run is too long to show each of its steps ({} of {} are here): they are shown at the \
                     beginning and around ISR changes and faults.{left_out}",
                    human::count(partial.kind.len() as f64),
                    human::count(partial.total as f64)
                ));
            }
        }
        if lags.are_more {
            self.notes.push("Lags of further mirrors and share groups are in lag.csv only.".to_owned());
        }
        let lag = lags.runs.iter().flatten().find(|lag| lag.at.deltas.len() < lag.total as usize);
        if let Some(lag) = lag {
            self.notes.push(format!(
                "Charts show {} of {} lags of an actor: of each stretch the first and those that are furthest off.",
                human::count(lag.at.deltas.len() as f64),
                human::count(lag.total as f64)
            ));
        }
        let stamp = stamps.iter().flatten().find(|stamps| stamps.at.deltas.len() < stamps.total as usize);
        if let Some(stamp) = stamp {
            self.notes.push(format!(
                "Charts show {} of {} timestamps of a partition: of each stretch the first, the extremes and one that \
                 was rejected.",
                human::count(stamp.at.deltas.len() as f64),
                human::count(stamp.total as f64)
            ));
        }
        if matches!(self.manifest.state, RunState::Interrupted | RunState::Unfinished) {
            self.notes.push(format!(
                "The replay was cut short: {} of {} runs reached their end.",
                self.manifest.runs_finished, self.manifest.runs
            ));
        }
    }

    /// What the script draws. Runs that are equal are there once.
    fn data(&self, samples: &[Vec<Samples>], lags: &[Vec<LagSeries>], stamps: &[Vec<Stamps>]) -> String {
        let mut distinct: Vec<String> = Vec::new();
        let mut runs = Vec::new();
        let partitions = &self.changes.partitions.chosen;
        for run in 0..self.drawn.len() {
            let criterion = run / self.drawn.seeds.len();
            let again = self.rerun.as_ref().ok().and_then(|rerun| rerun.runs.get(run));
            let data = RunData {
                limit: self.rerun.as_ref().ok().and_then(|rerun| rerun.limits.get(criterion).copied()),
                changes: self.changes.runs.get(run).map_or(&[], Vec::as_slice),
                faults: again.map_or(&[], |again| again.faults.as_slice()),
                partitions: (0..partitions.len())
                    .map(|index| PartitionData {
                        samples: samples.get(run).and_then(|run| run.get(index)),
                        steps: again.and_then(|again| again.steps.get(index)?.as_ref()),
                    })
                    .collect(),
                lags: lags.get(run).map_or(&[], Vec::as_slice),
                stamps: stamps.get(run).map_or(&[], Vec::as_slice),
            };
            let data = json(&data);
            let index = distinct.iter().position(|known| *known == data).unwrap_or_else(|| {
                distinct.push(data);
                distinct.len() - 1
            });
            runs.push((criterion, self.drawn.seeds[run % self.drawn.seeds.len()].to_string(), index));
        }
        let names: Vec<String> = partitions.iter().map(ToString::to_string).collect();
        format!(
            "{{\"duration\":{},\"sampleEvery\":{},\"criteria\":{},\"seeds\":{},\"partitions\":{},\"runs\":{},\"data\":[{}]}}",
            self.manifest.duration_ns,
            json(&self.manifest.sample_every_ns),
            json(&self.drawn.criteria),
            json(&self.drawn.seeds.iter().map(u64::to_string).collect::<Vec<_>>()),
            json(&names),
            json(&runs),
            distinct.join(",")
        )
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("series are plain data")
}
