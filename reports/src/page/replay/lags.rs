//! The reported and the true lags of `lag.csv`.

use super::super::csv_file::CsvFile;
use super::super::error::PageError;
use super::super::source::Source;
use super::drawn::DrawnRuns;
use super::encode::Deltas;
use super::thin::Thinner;
use serde::Serialize;

/// The file.
pub const FILE: &str = "lag.csv";
/// About how many points of all lags together are on the page.
const POINTS_MAX: u64 = 150_000;
/// Mirrors and share groups that are drawn.
const ACTORS_MAX: usize = 8;

/// One lag over time, by each rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LagSeries {
    /// The mirror or share group, and what it reads.
    pub name: String,
    /// Times, nanoseconds.
    pub at: Deltas,
    /// The true number of records.
    pub truth: Vec<i64>,
    /// What each rule reports.
    pub rules: Vec<LagRule>,
    /// How many times the folder has.
    pub total: u64,
}

/// What one rule reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LagRule {
    /// Its name.
    pub rule: String,
    /// What it reports; none: unknown.
    pub reported: Vec<Option<i64>>,
}

#[derive(Clone, Debug)]
struct Point {
    at: u64,
    truth: i64,
    reported: Vec<Option<i64>>,
}

struct Actor {
    name: String,
    rules: Vec<String>,
    open: Option<Point>,
    thinner: Thinner<Point, 2>,
}

impl Actor {
    fn close(&mut self) {
        if let Some(point) = self.open.take() {
            let errors = point.reported.iter().flatten().map(|reported| reported - point.truth);
            let above = errors.clone().max().map(|error| error as f64);
            let below = errors.min().map(|error| -(error as f64));
            self.thinner.push(point, [above, below]);
        }
    }

    fn finish(mut self) -> LagSeries {
        self.close();
        let (points, total) = self.thinner.finish();
        let rules = self.rules.into_iter().enumerate().map(|(index, rule)| LagRule {
            rule,
            reported: points.iter().map(|point| point.reported.get(index).copied().flatten()).collect(),
        });
        LagSeries {
            name: self.name,
            rules: rules.collect(),
            at: Deltas::of_times(points.iter().map(|point| point.at)),
            truth: points.iter().map(|point| point.truth).collect(),
            total,
        }
    }
}

/// The lags of each drawn run; whether there are more mirrors and share groups than are drawn.
pub struct Lags {
    /// By run.
    pub runs: Vec<Vec<LagSeries>>,
    /// Whether some are not drawn.
    pub are_more: bool,
}

/// Reads the lags; none if the file is not there. `expected` is the number of rows of one run.
///
/// # Errors
/// If the file is not what it should be.
pub fn read(source: &Source, drawn: &DrawnRuns, expected: u64) -> Result<Option<Lags>, PageError> {
    let Some(mut file) = CsvFile::open(&source.file(FILE))? else { return Ok(None) };
    let [criterion, seed, time, topic, partition, actor, rule, reported, truth] = file.columns([
        "criterion",
        "seed",
        "time_ms",
        "topic",
        "partition",
        "actor",
        "rule",
        "reported_records",
        "true_records",
    ])?;
    let mut runs: Vec<Vec<Actor>> = (0..drawn.len()).map(|_| Vec::new()).collect();
    let mut are_more = false;
    let most = (POINTS_MAX / drawn.len().max(1) as u64).clamp(600, 12_000);
    while let Some(row) = file.next_row()? {
        let Some(run) = drawn.of_row(row, criterion, seed)? else { continue };
        let name = format!("{} on {}-{}", row.text(actor), row.text(topic), row.text(partition));
        let actors = &mut runs[run];
        let index = match actors.iter().position(|known| known.name == name) {
            Some(index) => index,
            None if actors.len() == ACTORS_MAX => {
                are_more = true;
                continue;
            }
            None => {
                let thinner = Thinner::new(expected, most);
                actors.push(Actor { name, rules: Vec::new(), open: None, thinner });
                actors.len() - 1
            }
        };
        let actor = &mut actors[index];
        let at = row.nanos(time)?;
        if actor.open.as_ref().is_some_and(|open| open.at != at) {
            actor.close();
        }
        let rule = row.text(rule);
        let place = match actor.rules.iter().position(|known| known == rule) {
            Some(place) => place,
            None => {
                actor.rules.push(rule.to_owned());
                actor.rules.len() - 1
            }
        };
        let truth = row.value(truth)?;
        let open = actor.open.get_or_insert_with(|| Point { at, truth, reported: Vec::new() });
        if open.reported.len() <= place {
            open.reported.resize(place + 1, None);
        }
        open.reported[place] = row.optional(reported)?;
    }
    let runs = runs.into_iter().map(|actors| actors.into_iter().map(Actor::finish).collect());
    Ok(Some(Lags { runs: runs.collect(), are_more }))
}
