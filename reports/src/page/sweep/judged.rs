//! What a sweep expected and what failed: `expectations.csv` and `failures.csv`.

use super::super::csv_file::CsvFile;
use super::super::error::PageError;
use super::super::source::Source;
use crate::judge::VerdictKind;

/// The file of the expectations.
pub const EXPECTATIONS: &str = "expectations.csv";
/// The file of the failures.
pub const FAILURES: &str = "failures.csv";
/// The most failing cells of one expectation that are told, and the most failing runs.
pub const TOLD_MAX: usize = 300;

/// One expectation over all cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The expectation as a sentence.
    pub sentence: String,
    /// Where it stands.
    pub place: String,
    /// Cells in which it held.
    pub held: u64,
    /// Cells in which what it speaks of never happened.
    pub premise_never_met: u64,
    /// Cells in which it did not hold.
    pub violated: u64,
    /// Cells in which it could not be told.
    pub inconclusive: u64,
    /// The first cells in which it did not hold.
    pub failures: Vec<FailedCell>,
}

impl Expectation {
    /// What became of it over all cells: the worst that became of it in one. A premise counts as
    /// met when it was met in any cell.
    pub fn kind(&self) -> VerdictKind {
        VerdictKind::worst(self.violated, self.inconclusive, self.held)
    }
}

/// A cell in which an expectation did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCell {
    /// The criterion and the varied values.
    pub cell: String,
    /// What came.
    pub got: String,
    /// What was wanted.
    pub wanted: String,
    /// The command that repeats a run of it.
    pub command: String,
}

/// One run that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Whether it broke an invariant.
    pub is_invariant: bool,
    /// The criterion, the seed and the varied values.
    pub run: String,
    /// The invariant or expectation.
    pub what: String,
    /// What came.
    pub got: String,
    /// What was wanted.
    pub wanted: String,
    /// The command that repeats it.
    pub command: String,
}

/// Failures of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// The first of them.
    pub told: Vec<Failure>,
    /// How many there are.
    pub total: u64,
    /// How many of them broke an invariant.
    pub invariants: u64,
}

/// Reads the expectations; `keys` are the columns of the varied keys.
///
/// # Errors
/// If the file is not what it should be.
pub fn expectations(source: &Source, keys: &[String]) -> Result<Option<Vec<Expectation>>, PageError> {
    let Some(mut file) = CsvFile::open(&source.file(EXPECTATIONS))? else { return Ok(None) };
    let [criterion, sentence, place, verdict, got, wanted, command] =
        file.columns(["criterion", "expectation", "place", "verdict", "got", "wanted", "command"])?;
    let of_share =
        file.columns(["runs", "violated", "share_wanted", "confidence", "share_low", "share_high"])?;
    let keys = key_columns(&file, keys)?;
    let mut found: Vec<Expectation> = Vec::new();
    while let Some(row) = file.next_row()? {
        let is_same =
            |known: &Expectation| known.sentence == row.text(sentence) && known.place == row.text(place);
        let at = found.iter().position(is_same).unwrap_or_else(|| {
            found.push(Expectation {
                sentence: row.text(sentence).to_owned(),
                place: row.text(place).to_owned(),
                ..Expectation::default()
            });
            found.len() - 1
        });
        let expectation = &mut found[at];
        match row.text(verdict) {
            "held" => expectation.held += 1,
            "premise-never-met" => expectation.premise_never_met += 1,
            "inconclusive" => expectation.inconclusive += 1,
            "violated" => {
                expectation.violated += 1;
                if expectation.failures.len() < TOLD_MAX {
                    let (got, wanted) = crate::sweep::share_in_words(
                        &of_share.map(|column| row.text(column)),
                        row.text(got),
                        row.text(wanted),
                    );
                    expectation.failures.push(FailedCell {
                        cell: place_of(row.text(criterion), None, &keys, |column| row.text(column)),
                        got,
                        wanted,
                        command: row.text(command).to_owned(),
                    });
                }
            }
            _ => return Err(row.wrong(verdict, "held, premise-never-met, violated or inconclusive")),
        }
    }
    Ok(Some(found))
}

/// Adds the expectations that name cells of which there are none: they had nothing to speak of.
pub fn with_unjudged(mut found: Vec<Expectation>, unjudged: &[String]) -> Vec<Expectation> {
    found.extend(unjudged.iter().map(|known| {
        let (place, sentence) = known.split_once(": ").unwrap_or(("", known));
        Expectation {
            sentence: sentence.to_owned(),
            place: format!("{place}, it names cells of which this sweep has none"),
            ..Expectation::default()
        }
    }));
    found
}

/// Reads the failures.
///
/// # Errors
/// If the file is not what it should be.
pub fn failures(source: &Source, keys: &[String]) -> Result<Option<Failures>, PageError> {
    let Some(mut file) = CsvFile::open(&source.file(FAILURES))? else { return Ok(None) };
    let [criterion, seed, kind, what, got, wanted, command] =
        file.columns(["criterion", "seed", "kind", "what", "got", "wanted", "command"])?;
    let keys = key_columns(&file, keys)?;
    let mut found = Failures::default();
    while let Some(row) = file.next_row()? {
        let is_invariant = match row.text(kind) {
            "invariant" => true,
            "expectation" => false,
            _ => return Err(row.wrong(kind, "invariant or expectation")),
        };
        found.total += 1;
        found.invariants += u64::from(is_invariant);
        if found.told.len() < TOLD_MAX {
            found.told.push(Failure {
                is_invariant,
                run: place_of(row.text(criterion), Some(row.text(seed)), &keys, |column| row.text(column)),
                what: row.text(what).to_owned(),
                got: row.text(got).to_owned(),
                wanted: row.text(wanted).to_owned(),
                command: row.text(command).to_owned(),
            });
        }
    }
    Ok(Some(found))
}

fn key_columns(file: &CsvFile, keys: &[String]) -> Result<Vec<(String, usize)>, PageError> {
    keys.iter().map(|key| Ok((key.clone(), file.columns([key.as_str()])?[0]))).collect()
}

fn place_of<'a>(
    criterion: &str,
    seed: Option<&str>,
    keys: &[(String, usize)],
    text: impl Fn(usize) -> &'a str,
) -> String {
    let mut place = criterion.to_owned();
    for (key, column) in keys {
        place += &format!(", {key} = {}", text(*column));
    }
    if let Some(seed) = seed {
        place += &format!(", seed {seed}");
    }
    place
}
