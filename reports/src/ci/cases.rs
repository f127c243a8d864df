//! A result as test cases: one for each expectation, and one for the invariants.

use crate::error::ReportError;
use crate::judge::VerdictKind;
use crate::report::Report;
use crate::sweep::SweepReport;
use std::collections::BTreeMap;

/// One test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The suite: the criterion.
    pub suite: String,
    /// What is tested, as a sentence; in a sweep with the cell's values.
    pub name: String,
    /// Where it stands, `file:line`; empty where that is nowhere.
    pub place: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It held.
    Passed,
    /// There was nothing to test, or it could not be told: why.
    Skipped(String),
    /// It did not hold: in a line, and in full with the command that repeats it.
    Failed {
        /// In a line.
        message: String,
        /// In full.
        details: String,
    },
}

impl Outcome {
    fn of(kind: VerdictKind, got: &str, wanted: &str, premise: &str, command: &str) -> Self {
        match kind {
            VerdictKind::Held => Outcome::Passed,
            VerdictKind::PremiseNeverMet => Outcome::Skipped(format!("its premise never held: {premise}")),
            VerdictKind::Inconclusive => {
                Outcome::Skipped(format!("inconclusive, more seeds are needed: {got}, wanted {wanted}"))
            }
            VerdictKind::Violated => Outcome::Failed {
                message: format!("got {got}, wanted {wanted}"),
                details: format!("got     {got}\nwanted  {wanted}\nrepeat  {command}"),
            },
        }
    }
}

const INVARIANTS: &str = "the invariants hold after every event";

impl Report {
    /// The replay as test cases.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        for variant in &self.variants {
            let broken = self.violations.iter().find(|violation| violation.criterion == variant.name);
            let outcome = match broken {
                Some(violation) => Outcome::Failed {
                    message: format!("seed {}: {}", violation.seed, violation.invariant),
                    details: format!(
                        "it must hold that {}\nafter   event {}: {}\n{}\nrepeat  {}",
                        violation.invariant,
                        violation.event_number,
                        violation.event,
                        violation.state,
                        violation.command
                    ),
                },
                None if variant.runs_finished == 0 => Outcome::Skipped("no run reached its end".to_owned()),
                None => Outcome::Passed,
            };
            let suite = variant.name.clone();
            cases.push(Case { suite, name: INVARIANTS.to_owned(), place: String::new(), outcome });
            cases.extend(variant.expectations.iter().map(|known| {
                let first = &known.first;
                Case {
                    suite: variant.name.clone(),
                    name: known.expectation.clone(),
                    place: known.place.clone(),
                    outcome: Outcome::of(
                        known.kind(),
                        &format!("{} (seed {})", first.got, first.seed),
                        &first.wanted,
                        &first.premise,
                        &first.command,
                    ),
                }
            }));
        }
        cases
    }
}

impl SweepReport {
    /// The sweep as test cases: each expectation in each cell.
    ///
    /// # Errors
    /// If the sweep's files cannot be read.
    pub fn cases(&self) -> Result<Vec<Case>, ReportError> {
        let mut broken: BTreeMap<String, (String, String)> = BTreeMap::new();
        self.each_failure(|failure| {
            if failure.kind == "invariant" {
                broken.entry(failure.criterion.clone()).or_insert_with(|| {
                    let message = format!(
                        "{} under seed {}: {}",
                        self.cell_in_words(failure.cell),
                        failure.seed,
                        failure.what
                    );
                    (message, format!("{}\nrepeat  {}", failure.got, failure.command))
                });
            }
        })?;
        let mut cases: Vec<Case> = self
            .criteria
            .iter()
            .map(|criterion| Case {
                suite: criterion.clone(),
                name: INVARIANTS.to_owned(),
                place: String::new(),
                outcome: match broken.remove(criterion) {
                    Some((message, details)) => Outcome::Failed { message, details },
                    None if !self.cells.iter().any(|cell| self.criterion_of(cell.cell) == criterion) => {
                        Outcome::Skipped("no cell of it is whole".to_owned())
                    }
                    None => Outcome::Passed,
                },
            })
            .collect();
        self.each_expectation(|known| {
            let settings = self.settings_in_words(known.first.cell);
            let at = if settings.is_empty() { String::new() } else { format!(" [{settings}]") };
            cases.push(Case {
                suite: self.criterion_of(known.first.cell).to_owned(),
                name: format!("{}{at}", known.expectation),
                place: known.place.clone(),
                outcome: Outcome::of(
                    known.kind(),
                    &known.first.got,
                    &known.first.wanted,
                    &known.first.premise,
                    &known.first.command,
                ),
            });
        })?;
        cases.extend(self.unjudged.iter().map(|unjudged| Case {
            suite: "no cell".to_owned(),
            name: unjudged.clone(),
            place: String::new(),
            outcome: Outcome::Skipped("it names cells of which this sweep has none".to_owned()),
        }));
        Ok(cases)
    }
}
