//! What a replay came to: as text, as JSON, as an exit code.

pub(crate) mod human;
mod json;
pub(crate) mod table;
pub(crate) mod text;

use crate::judge::VerdictKind;
use crate::output::FileEntry;
use crate::replay::{MissingRun, VariantResult};
use crate::simulate::ViolationReport;
use std::path::PathBuf;

/// The exit codes of `isrlab`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// All held, and the run was complete within its stated bound.
    Held = 0,
    /// An invariant or an expectation was violated.
    Violated = 1,
    /// Bad usage or input.
    BadInput = 2,
    /// A limit, an interrupt or an I/O failure: nothing can be said.
    Inconclusive = 3,
    /// Nothing ran.
    NothingRan = 4,
}

/// The folder that a replay wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderReport {
    /// Where it is.
    pub path: PathBuf,
    /// The files in it.
    pub files: Vec<FileEntry>,
    /// Whether an earlier replay's files were there and were removed.
    pub replaced: bool,
}

/// What a replay came to.
pub struct Report {
    /// The scenario's name.
    pub scenario: String,
    /// The seeds, in order.
    pub seeds: Vec<u64>,
    /// Virtual length of a run, nanoseconds.
    pub duration_ns: u64,
    /// Whether what was never exercised makes the result inconclusive.
    pub strict: bool,
    /// The command that repeats the replay.
    pub command: String,
    /// Runs planned.
    pub runs: usize,
    /// Runs that reached their end.
    pub runs_finished: usize,
    /// The variants, in order.
    pub variants: Vec<VariantResult>,
    /// The first broken invariants.
    pub violations: Vec<ViolationReport>,
    /// How many runs broke an invariant.
    pub violations_total: u64,
    /// The first runs that were cut short or did not start.
    pub missing: Vec<MissingRun>,
    /// How many there are.
    pub missing_total: usize,
    /// What was written; none without a folder.
    pub folder: Option<FolderReport>,
}

/// A fault that no run of a variant applied, or an expectation about something that never
/// happened: a green that shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotExercised {
    /// The variant.
    pub variant: String,
    /// What was not exercised, as a sentence without a full stop.
    pub what: String,
}

impl Report {
    /// The exit code. Violated goes before inconclusive: what was found stays found when the
    /// rest is missing.
    pub fn exit_code(&self) -> ExitCode {
        let any = |kind| self.expectation_kinds().any(|found| found == kind);
        if self.violations_total > 0 || any(VerdictKind::Violated) {
            ExitCode::Violated
        } else if self.nothing_ran() {
            ExitCode::NothingRan
        } else if self.missing_total > 0
            || any(VerdictKind::Inconclusive)
            || (self.strict && !self.not_exercised().is_empty())
        {
            ExitCode::Inconclusive
        } else {
            ExitCode::Held
        }
    }

    /// Whether there was nothing to run, or every run came to its end without a single event.
    pub fn nothing_ran(&self) -> bool {
        let mut counts = self.variants.iter().flat_map(|variant| &variant.events);
        self.missing_total == 0 && self.violations_total == 0 && counts.all(|(_, count)| *count == 0)
    }

    /// What no run exercised although the scenario has it.
    pub fn not_exercised(&self) -> Vec<NotExercised> {
        let ran = self.variants.iter().filter(|variant| variant.runs_finished > 0);
        ran.flat_map(|variant| {
            let faults = variant.faults.iter().filter(|(_, count)| *count == 0);
            let faults = faults.map(|(name, _)| format!("fault '{name}' was never applied"));
            let premises = variant
                .expectations
                .iter()
                .filter(|expectation| expectation.kind() == VerdictKind::PremiseNeverMet)
                .map(|expectation| format!("the premise of '{}' never held", expectation.expectation));
            faults.chain(premises).map(|what| NotExercised { variant: variant.name.clone(), what })
        })
        .collect()
    }

    fn expectation_kinds(&self) -> impl Iterator<Item = VerdictKind> {
        self.variants.iter().flat_map(|variant| variant.expectations.iter().map(|found| found.kind()))
    }

    /// The report as a person reads it, at most 100 columns wide but for names, paths and
    /// commands.
    pub fn text(&self) -> String {
        text::text(self)
    }

    /// The report as one JSON document.
    pub fn json(&self) -> String {
        json::json(self)
    }
}
