//! `manifest.json` of a sweep: what the folder holds, and all that is needed to go on with it or
//! to make it again. No dates, no host, no wall time.

use super::plan::{Shard, SweepPlan, plottable};
use super::prepare::check_plan;
use crate::VERSION;
use crate::error::ReportError;
use crate::output::{FileEntry, FolderKind, MADE_BY, MANIFEST, RunState};
use crate::plan::ScenarioSource;
use isrlab_scenarios::{Axis, Scenario};
use isrlab_sim::protocol::Profile;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepManifest {
    /// Always `isrlab`.
    pub made_by: String,
    /// The version of isrlab.
    pub version: String,
    /// Always `sweep`.
    pub kind: FolderKind,
    /// How far it came. A run that broke an invariant makes it violated, when all runs are over.
    pub state: RunState,
    /// The command that makes the whole sweep again, given the scenario.
    pub command: String,
    /// The scenario's name.
    pub scenario: String,
    /// How it was called for.
    pub scenario_reference: String,
    /// Its full text.
    pub scenario_text: String,
    /// What was changed in it, `KEY=VALUE`, in order.
    pub overrides: Vec<String>,
    /// The varied keys; the last varies fastest.
    pub vary: Vec<VariedKey>,
    /// The profiles and criteria; they vary faster than any key.
    pub profiles: Vec<String>,
    /// The seeds of each cell.
    pub seeds: Seeds,
    /// Which of the cells are here.
    pub shard: Shard,
    /// The metrics, or shares, that are drawn.
    pub plots: Vec<String>,
    /// The expectations that name cells of which there are none, `file:line: sentence`.
    #[serde(default)]
    pub unjudged: Vec<String>,
    /// Whether what was never exercised makes the result inconclusive.
    pub strict: bool,
    /// Cells that are here.
    pub cells: usize,
    /// Runs planned here.
    pub runs: usize,
    /// Runs that are over.
    pub runs_finished: usize,
    /// The files.
    pub files: Vec<FileEntry>,
}

/// A varied key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariedKey {
    /// The key.
    pub key: String,
    /// As it was given, `KEY=…`.
    pub given: String,
    /// Its column in the tables.
    pub column: String,
    /// The unit of the column, if it has one.
    pub unit: Option<String>,
    /// Its values as `--set` takes them.
    pub values: Vec<String>,
}

/// Consecutive seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeds {
    /// The first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl SweepManifest {
    /// The manifest of a sweep that has just begun.
    pub fn begun(plan: &SweepPlan) -> Self {
        let vary = plan.axes.iter().map(|axis| VariedKey {
            key: axis.key().to_owned(),
            given: axis.given().to_owned(),
            column: axis.column().to_owned(),
            unit: axis.unit().map(str::to_owned),
            values: axis.values().iter().map(|value| value.text().to_owned()).collect(),
        });
        SweepManifest {
            made_by: MADE_BY.to_owned(),
            version: VERSION.to_owned(),
            kind: FolderKind::Sweep,
            state: RunState::Unfinished,
            command: plan.command(),
            scenario: plan.source.name.clone(),
            scenario_reference: plan.source.reference.clone(),
            scenario_text: plan.source.text.clone(),
            overrides: plan.overrides(),
            vary: vary.collect(),
            profiles: plan.profiles.iter().map(|profile| profile.name.to_owned()).collect(),
            seeds: Seeds { first: plan.seed_first, count: plan.seeds },
            shard: plan.shard,
            plots: plan.plots.clone(),
            unjudged: plan.unjudged(),
            strict: plan.strict,
            cells: plan.cells(),
            runs: plan.runs(),
            runs_finished: 0,
            files: Vec::new(),
        }
    }

    /// Whether every run is over.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, RunState::Complete | RunState::Violated)
    }

    /// As it stands in the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        text.push('\n');
        text
    }

    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// If it cannot be read, or is not of a sweep.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let path = folder.join(MANIFEST);
        let no_sweep = |reason: String| ReportError::NoSweep { path: folder.to_owned(), reason };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(no_sweep(format!("it has no {MANIFEST}")));
            }
            Err(source) => return Err(ReportError::io("read", &path, source)),
        };
        let manifest: SweepManifest = serde_json::from_str(&text).map_err(|error| {
            let other = crate::output::Mark::from_json(&text);
            no_sweep(match other {
                Some(mark) if mark.kind != FolderKind::Sweep => "its manifest is of another kind".to_owned(),
                _ => format!("its {MANIFEST} is not one of a sweep: {error}"),
            })
        })?;
        if manifest.made_by != MADE_BY || manifest.kind != FolderKind::Sweep {
            return Err(no_sweep("its manifest is of another kind".to_owned()));
        }
        Ok(manifest)
    }

    /// The plan that the manifest is of, for its folder.
    ///
    /// # Errors
    /// If another version wrote it, or the scenario cannot be read any more.
    pub fn plan(&self, folder: &Path, threads: usize) -> Result<SweepPlan, ReportError> {
        let no_sweep = |reason: String| ReportError::NoSweep { path: folder.to_owned(), reason };
        if self.version != VERSION {
            return Err(no_sweep(format!(
                "it was made by isrlab {}, and this is {VERSION}, which may give other results; begin anew",
                self.version
            )));
        }
        let parsed =
            match isrlab_scenarios::library().iter().find(|entry| entry.name == self.scenario_reference) {
                Some(entry) if entry.text == self.scenario_text => Scenario::from_library(entry.name),
                _ => Scenario::parse(&self.scenario_text, &self.scenario_reference),
            };
        let overrides: Vec<(String, String)> = self
            .overrides
            .iter()
            .filter_map(|change| change.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let scenario =
            parsed
                .and_then(|scenario| {
                    if overrides.is_empty() { Ok(scenario) } else { scenario.with_overrides(&overrides) }
                })
                .map_err(|diagnostics| no_sweep(format!("its scenario is wrong:\n{diagnostics}")))?;
        let axes = self.vary.iter().map(|key| key.given.parse::<Axis>());
        let axes = axes.collect::<Result<Vec<Axis>, _>>().map_err(|error| no_sweep(error.to_string()))?;
        let profiles = self.profiles.iter().map(|name| name.parse::<Profile>());
        let profiles = profiles.collect::<Result<Vec<Profile>, _>>().map_err(no_sweep)?;
        let plan = SweepPlan {
            source: ScenarioSource {
                name: self.scenario.clone(),
                reference: self.scenario_reference.clone(),
                text: self.scenario_text.clone(),
            },
            scenario,
            profiles,
            axes,
            seed_first: self.seeds.first,
            seeds: self.seeds.count,
            shard: self.shard,
            threads,
            out: folder.to_owned(),
            plots: self.plots.clone(),
            restart: false,
            strict: self.strict,
        };
        let sound = self.seeds.count > 0
            && !plan.profiles.is_empty()
            && (1..=self.shard.count).contains(&self.shard.index)
            && self.plots.iter().all(|metric| plottable(metric).is_ok())
            && plan.runs() == self.runs;
        if !sound {
            return Err(no_sweep("its manifest contradicts itself".to_owned()));
        }
        check_plan(&plan).map_err(|refusal| no_sweep(refusal.to_string()))?;
        Ok(plan)
    }
}
