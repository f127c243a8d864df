//! `manifest.json`: what a run folder holds and how to make it again. No dates, no host, no wall
//! time: the same replay gives the same bytes.

use crate::VERSION;
use crate::plan::Plan;
use serde::{Deserialize, Serialize};

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";

/// What marks a manifest as ours.
pub const MADE_BY: &str = "isrlab";

/// What a folder holds the results of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FolderKind {
    /// A replay; what a manifest without a kind is of.
    #[default]
    Replay,
    /// A sweep, or one shard of it.
    Sweep,
    /// A check of a model.
    Check,
}

/// What every manifest has, whatever the folder holds: enough to know that it is ours and which
/// files in it are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Mark {
    /// Always `isrlab`.
    pub made_by: String,
    /// The version of isrlab that wrote it.
    #[serde(default)]
    pub version: String,
    /// What the folder holds.
    #[serde(default)]
    pub kind: FolderKind,
    /// How far it came.
    pub state: RunState,
    /// The files.
    pub files: Vec<FileEntry>,
}

impl Mark {
    /// Reads the mark of a manifest; none if `text` is not one of ours.
    pub fn from_json(text: &str) -> Option<Self> {
        let mark: Mark = serde_json::from_str(text).ok()?;
        (mark.made_by == MADE_BY).then_some(mark)
    }

    /// Whether more could be done in the folder.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.state, RunState::Unfinished | RunState::Interrupted)
    }
}

/// How far a replay came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// It is under way, or something ended it that it could not catch.
    Unfinished,
    /// It was interrupted: rows are whole, but not all of them are there.
    Interrupted,
    /// An invariant was violated: the run that broke it has no rows after that.
    Violated,
    /// All runs reached their end.
    Complete,
}

/// One file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name.
    pub file: String,
    /// Rows in it, the header not counted; none for what is not a CSV, and while the replay is
    /// under way.
    pub rows: Option<u64>,
}

/// A manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `isrlab`: it marks a manifest as ours.
    pub made_by: String,
    /// The version of isrlab.
    pub version: String,
    /// What the folder holds.
    #[serde(default)]
    pub kind: FolderKind,
    /// How far the replay came.
    pub state: RunState,
    /// The command that makes this folder again, given the scenario.
    pub command: String,
    /// The scenario's name.
    pub scenario: String,
    /// How it was called for.
    pub scenario_reference: String,
    /// Its full text.
    pub scenario_text: String,
    /// What was changed in it, as `--set` takes it, in order.
    pub overrides: Vec<String>,
    /// The profiles and criteria, in order.
    pub profiles: Vec<String>,
    /// The seeds, in order.
    pub seeds: Vec<u64>,
    /// Virtual length of a run, nanoseconds.
    pub duration_ns: u64,
    /// Virtual time from one sample to the next, nanoseconds.
    pub sample_every_ns: Option<u64>,
    /// Runs planned.
    pub runs: usize,
    /// Runs that reached their end.
    pub runs_finished: usize,
    /// The files.
    pub files: Vec<FileEntry>,
}

impl Manifest {
    /// The manifest of a replay that has just begun.
    pub fn begun(plan: &Plan, files: Vec<FileEntry>) -> Self {
        Manifest {
            made_by: MADE_BY.to_owned(),
            version: VERSION.to_owned(),
            kind: FolderKind::Replay,
            state: RunState::Unfinished,
            command: plan.command(),
            scenario: plan.scenario.name.clone(),
            scenario_reference: plan.scenario.reference.clone(),
            scenario_text: plan.scenario.text.clone(),
            overrides: plan.overrides.clone(),
            profiles: plan.variants.iter().map(|variant| variant.name.to_string()).collect(),
            seeds: plan.seeds.clone(),
            duration_ns: plan.variants.first().map_or(0, |variant| variant.spec.duration.as_nanos()),
            sample_every_ns: plan.sample_every.map(|every| every.as_nanos()),
            runs: plan.runs(),
            runs_finished: 0,
            files,
        }
    }

    /// As it stands in the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        text.push('\n');
        text
    }

    /// Reads a manifest; none if `text` is not one of ours.
    pub fn from_json(text: &str) -> Option<Self> {
        let manifest: Manifest = serde_json::from_str(text).ok()?;
        (manifest.made_by == MADE_BY).then_some(manifest)
    }
}
