//! What a sweep came to, read back from its files: as text, as JSON, as an exit code.

mod json;
mod matrix;
mod text;

use super::manifest::SweepManifest;
use super::plan::{Shard, SweepPlan, point_of};
use super::tables::{CELLS, EXPECTATIONS, FAILURES};
use crate::error::ReportError;
use crate::judge::VerdictKind;
use crate::output::FileEntry;
use crate::report::{ExitCode, human};
use isrlab_scenarios::Axis;
use std::path::{Path, PathBuf};

/// What a sweep came to.
pub struct SweepReport {
    /// The scenario's name.
    pub scenario: String,
    /// The command that repeats the whole sweep.
    pub command: String,
    /// The varied keys.
    pub axes: Vec<Axis>,
    /// The profiles and criteria, in order.
    pub criteria: Vec<String>,
    /// Seeds of each cell.
    pub seeds: u64,
    /// Which of the cells are here.
    pub shard: Shard,
    /// Whether what was never exercised makes the result inconclusive.
    pub strict: bool,
    /// Runs planned.
    pub runs: usize,
    /// Runs that are over.
    pub runs_finished: usize,
    /// Runs that broke an invariant.
    pub runs_violated: u64,
    /// The cells that are whole, in order.
    pub cells: Vec<CellDigest>,
    /// The expectations, in the order of the scenario.
    pub expectations: Vec<ExpectationDigest>,
    /// The expectations that name cells of which there are none, `file:line: sentence`.
    pub unjudged: Vec<String>,
    /// `[[expect]]` blocks of the scenario.
    pub expectations_written: usize,
    /// The first failing runs.
    pub failures: Vec<Failure>,
    /// How many there are, one for each thing that failed in a run.
    pub failures_total: u64,
    /// What a person should know beside the result.
    pub notes: Vec<String>,
    /// The folder.
    pub folder: PathBuf,
    /// The files in it.
    pub files: Vec<FileEntry>,
    /// Whether an earlier result was there and was removed.
    pub replaced: bool,
}

/// The little of a cell that the text shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellDigest {
    /// Its number in the whole sweep.
    pub cell: usize,
    /// Runs that reached their end.
    pub runs: u64,
    /// Those in which a removed replica came back.
    pub flapped: u64,
    /// Those in which a replica was removed.
    pub shrunk: u64,
    /// Mean number of returns.
    pub flaps_mean: f64,
    /// Mean number of removals.
    pub shrinks_mean: f64,
    /// Whether any metric differs from one seed to another.
    pub varies: bool,
}

/// An expectation over the cells in which it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectationDigest {
    /// The expectation as a sentence.
    pub expectation: String,
    /// Where it stands, `file:line`.
    pub place: String,
    /// Cells by verdict.
    pub held: u64,
    /// Cells in which what it speaks of never happened.
    pub premise_never_met: u64,
    /// Cells in which it did not hold.
    pub violated: u64,
    /// Cells in which more seeds are needed to tell.
    pub inconclusive: u64,
    /// The first cell of the worst kind.
    pub first: FirstCell,
}

/// A cell in which an expectation was judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstCell {
    /// Its number in the whole sweep.
    pub cell: usize,
    /// What came.
    pub got: String,
    /// What was wanted.
    pub wanted: String,
    /// What must happen for the expectation to mean anything.
    pub premise: String,
    /// The command that repeats one run of it.
    pub command: String,
}

impl ExpectationDigest {
    /// The worst that became of it in any cell.
    pub fn kind(&self) -> VerdictKind {
        VerdictKind::worst(self.violated, self.inconclusive, self.held)
    }

    /// Cells in which it was judged.
    pub fn cells(&self) -> u64 {
        self.held + self.premise_never_met + self.violated + self.inconclusive
    }
}

/// A run that broke something.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Failure {
    /// `invariant` or `expectation`.
    pub kind: String,
    /// Its cell.
    pub cell: usize,
    /// The criterion.
    pub criterion: String,
    /// The seed.
    pub seed: u64,
    /// The invariant or expectation as a sentence.
    pub what: String,
    /// What came.
    pub got: String,
    /// The command that repeats it.
    pub command: String,
}

/// How many failing runs are told in full.
const TOLD_MAX: usize = 10;

impl SweepReport {
    /// Reads what is in a sweep's folder.
    ///
    /// # Errors
    /// If the operating system refuses, or a file is not what was written.
    pub fn read(plan: &SweepPlan, manifest: &SweepManifest, notes: Vec<String>) -> Result<Self, ReportError> {
        let folder = &plan.out;
        let (failures, failures_total, runs_violated) = failures(folder)?;
        Ok(SweepReport {
            scenario: plan.source.name.clone(),
            command: plan.command(),
            axes: plan.axes.clone(),
            criteria: plan.profiles.iter().map(|profile| profile.name.to_owned()).collect(),
            seeds: plan.seeds,
            shard: plan.shard,
            strict: plan.strict,
            runs: manifest.runs,
            runs_finished: manifest.runs_finished,
            runs_violated,
            cells: cells(folder)?,
            expectations: expectations(folder)?,
            unjudged: manifest.unjudged.clone(),
            expectations_written: plan.scenario.expectations().len(),
            failures,
            failures_total,
            notes,
            folder: folder.clone(),
            files: manifest.files.clone(),
            replaced: false,
        })
    }

    /// The exit code. Violated goes before inconclusive: what was found stays found when the
    /// rest is missing.
    pub fn exit_code(&self) -> ExitCode {
        let any = |kind| self.expectations.iter().any(|known| known.kind() == kind);
        if self.failures_total > 0 || any(VerdictKind::Violated) {
            ExitCode::Violated
        } else if self.runs_finished < self.runs
            || any(VerdictKind::Inconclusive)
            || (self.strict && (any(VerdictKind::PremiseNeverMet) || !self.unjudged.is_empty()))
        {
            ExitCode::Inconclusive
        } else {
            ExitCode::Held
        }
    }

    /// Whether the seeds make any difference, as far as the cells tell; none with one seed.
    pub fn seeds_matter(&self) -> Option<bool> {
        (self.seeds > 1 && !self.cells.is_empty()).then(|| self.cells.iter().any(|cell| cell.varies))
    }

    /// The report as a person reads it.
    pub fn text(&self) -> String {
        text::text(self)
    }

    /// The report as one JSON document.
    pub fn json(&self) -> String {
        json::json(self)
    }

    /// The number of the value of each axis in a cell, and that of the criterion.
    fn place(&self, cell: usize) -> (Vec<usize>, usize) {
        let lengths: Vec<usize> = self.axes.iter().map(|axis| axis.values().len()).collect();
        (point_of(cell, self.criteria.len(), &lengths), cell % self.criteria.len())
    }

    /// `replica.lag.time.max.ms=5s, link.far.latency=1ms`; empty where nothing is varied.
    pub(crate) fn settings_in_words(&self, cell: usize) -> String {
        let (values, _) = self.place(cell);
        let settings = self.axes.iter().zip(values);
        let settings: Vec<String> =
            settings.map(|(axis, value)| format!("{}={}", axis.key(), axis.values()[value].text())).collect();
        settings.join(", ")
    }

    /// The criterion of a cell.
    pub(crate) fn criterion_of(&self, cell: usize) -> &str {
        &self.criteria[cell % self.criteria.len()]
    }

    /// `pre-4485 at replica.lag.time.max.ms=5s, link.far.latency=1ms`.
    pub(crate) fn cell_in_words(&self, cell: usize) -> String {
        let (settings, criterion) = (self.settings_in_words(cell), self.criterion_of(cell));
        if settings.is_empty() { criterion.to_owned() } else { format!("{criterion} at {settings}") }
    }

    /// Tells `each` of every expectation in every cell, in the order of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn each_expectation(&self, each: impl FnMut(ExpectationDigest)) -> Result<(), ReportError> {
        each_expectation(&self.folder, each)
    }

    /// Tells `each` of everything that failed, in the order of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn each_failure(&self, each: impl FnMut(Failure)) -> Result<(), ReportError> {
        each_failure(&self.folder, each)
    }
}

/// A CSV file and the numbers of the columns that are asked for.
pub(super) struct Columns {
    reader: csv::Reader<std::fs::File>,
    path: PathBuf,
    wanted: Vec<usize>,
}

impl Columns {
    /// Opens a file of a sweep.
    ///
    /// # Errors
    /// If it cannot be read, or lacks a column.
    pub fn open(path: PathBuf, names: &[&str]) -> Result<Self, ReportError> {
        let mut reader =
            csv::Reader::from_path(&path).map_err(|error| unreadable(&path, &error.to_string()))?;
        let header = reader.headers().map_err(|error| unreadable(&path, &error.to_string()))?.clone();
        let wanted = names.iter().map(|name| {
            let found = header.iter().position(|column| column == *name);
            found.ok_or_else(|| unreadable(&path, &format!("it has no column {name}")))
        });
        let wanted = wanted.collect::<Result<Vec<usize>, _>>()?;
        Ok(Columns { reader, path, wanted })
    }

    /// Tells `each` of every row: the wanted fields, in the order of their names.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn each(&mut self, mut each: impl FnMut(&[&str])) -> Result<(), ReportError> {
        let mut record = csv::StringRecord::new();
        loop {
            let more = self.reader.read_record(&mut record);
            if !more.map_err(|error| unreadable(&self.path, &error.to_string()))? {
                return Ok(());
            }
            let fields: Vec<&str> =
                self.wanted.iter().map(|column| record.get(*column).unwrap_or_default()).collect();
            each(&fields);
        }
    }
}

fn unreadable(path: &Path, reason: &str) -> ReportError {
    ReportError::io("read", path, std::io::Error::other(reason.to_owned()))
}

fn number<T: std::str::FromStr + Default>(text: &str) -> T {
    text.parse().unwrap_or_default()
}

fn cells(folder: &Path) -> Result<Vec<CellDigest>, ReportError> {
    let mut cells: Vec<CellDigest> = Vec::new();
    let names = ["cell", "metric", "runs", "hits", "mean", "min", "max"];
    Columns::open(folder.join(CELLS.csv()), &names)?.each(|fields| {
        let [cell, metric, runs, hits, mean, min, max] = fields else { return };
        let cell: usize = number(cell);
        if cells.last().is_none_or(|last| last.cell != cell) {
            cells.push(CellDigest { cell, ..CellDigest::default() });
        }
        let digest = cells.last_mut().expect("one was just pushed");
        match *metric {
            "flapped" => (digest.runs, digest.flapped) = (number(runs), number(hits)),
            "shrunk" => digest.shrunk = number(hits),
            "isr_flaps" => digest.flaps_mean = number(mean),
            "isr_shrinks" => digest.shrinks_mean = number(mean),
            _ => {}
        }
        digest.varies |= min != max;
    })?;
    Ok(cells)
}

fn each_expectation(folder: &Path, mut each: impl FnMut(ExpectationDigest)) -> Result<(), ReportError> {
    let names = [
        "cell",
        "expectation",
        "place",
        "verdict",
        "got",
        "wanted",
        "premise",
        "command",
        "runs",
        "violated",
        "share_wanted",
        "confidence",
        "share_low",
        "share_high",
    ];
    Columns::open(folder.join(EXPECTATIONS.csv()), &names)?.each(|fields| {
        let [cell, expectation, place, verdict, got, wanted, premise, command, of_share @ ..] = fields else {
            return;
        };
        let (got, wanted) = share_in_words(of_share, got, wanted);
        let is = |name: &str| u64::from(*verdict == name);
        let (held, premise_never_met, violated) = (is("held"), is("premise-never-met"), is("violated"));
        each(ExpectationDigest {
            expectation: (*expectation).to_owned(),
            place: (*place).to_owned(),
            held,
            premise_never_met,
            violated,
            inconclusive: 1 - held - premise_never_met - violated,
            first: FirstCell {
                cell: number(cell),
                got,
                wanted,
                premise: (*premise).to_owned(),
                command: (*command).to_owned(),
            },
        });
    })
}

/// What came and what was wanted, in words. Of an expectation about a share of the runs both are
/// about that share, and not about the one run that is shown; `of_share` are the columns `runs`,
/// `violated`, `share_wanted`, `confidence`, `share_low` and `share_high`.
pub(crate) fn share_in_words(of_share: &[&str], got: &str, wanted: &str) -> (String, String) {
    let numbers: Vec<Option<f64>> = of_share.iter().map(|text| text.parse().ok()).collect();
    let [Some(runs), Some(violated), Some(share), Some(confidence), Some(low), Some(high)] = numbers[..]
    else {
        return (got.to_owned(), wanted.to_owned());
    };
    let percent = human::share;
    // With every run held, the lower bound is (1 − confidence) ^ (1 / runs).
    let enough = libm::ceil(libm::log(1.0 - confidence) / libm::log(share));
    let hint = if violated == 0.0 && low < share && enough.is_finite() {
        format!("; {} seeds would be enough if it holds in all", human::count(enough))
    } else {
        String::new()
    };
    let found = format!(
        "it held in {} of {}, so that its share is from {} to {} (each bound right at {}){hint}",
        human::count(runs - violated),
        human::plural(runs, "run", "runs"),
        percent(low),
        percent(high),
        percent(confidence)
    );
    (found, format!("{} of the runs or more with {wanted}", percent(share)))
}

/// The expectations over all cells.
fn expectations(folder: &Path) -> Result<Vec<ExpectationDigest>, ReportError> {
    let mut found: Vec<ExpectationDigest> = Vec::new();
    each_expectation(folder, |one| {
        let same =
            |known: &&mut ExpectationDigest| known.place == one.place && known.expectation == one.expectation;
        match found.iter_mut().find(same) {
            Some(known) => {
                let before = known.kind();
                known.held += one.held;
                known.premise_never_met += one.premise_never_met;
                known.violated += one.violated;
                known.inconclusive += one.inconclusive;
                if known.kind() != before {
                    known.first = one.first;
                }
            }
            None => found.push(one),
        }
    })?;
    // In the order of the scenario, whichever cell came first.
    let line =
        |known: &ExpectationDigest| known.place.rsplit(':').next().and_then(|line| line.parse::<u64>().ok());
    found.sort_by_key(line);
    Ok(found)
}

fn each_failure(folder: &Path, mut each: impl FnMut(Failure)) -> Result<(), ReportError> {
    let names = ["kind", "cell", "criterion", "seed", "what", "got", "command"];
    Columns::open(folder.join(FAILURES.csv()), &names)?.each(|fields| {
        let [kind, cell, criterion, seed, what, got, command] = fields else { return };
        each(Failure {
            kind: (*kind).to_owned(),
            cell: number(cell),
            criterion: (*criterion).to_owned(),
            seed: number(seed),
            what: (*what).to_owned(),
            got: (*got).to_owned(),
            command: (*command).to_owned(),
        });
    })
}

/// The first failures, how many there are, and how many of them are of invariants.
fn failures(folder: &Path) -> Result<(Vec<Failure>, u64, u64), ReportError> {
    let (mut told, mut total, mut violated) = (Vec::new(), 0, 0);
    each_failure(folder, |failure| {
        total += 1;
        violated += u64::from(failure.kind == "invariant");
        if told.len() < TOLD_MAX {
            told.push(failure);
        }
    })?;
    Ok((told, total, violated))
}
