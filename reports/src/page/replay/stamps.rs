//! The records of `timestamps.csv`: how far a stored time is from the true one.

use super::super::csv_file::CsvFile;
use super::super::error::PageError;
use super::super::source::Source;
use super::drawn::{DrawnPartitions, DrawnRuns};
use super::encode::Deltas;
use super::thin::Thinner;
use serde::Serialize;

/// The file.
pub const FILE: &str = "timestamps.csv";
/// About how many records of all runs together are on the page.
const POINTS_MAX: u64 = 100_000;

/// The records of one partition.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stamps {
    /// The partition, `topic-0`.
    pub name: String,
    /// How its topic treats timestamps.
    pub policy: String,
    /// When the leader had each in hand, nanoseconds.
    pub at: Deltas,
    /// Stored time less the true one, milliseconds; none: not stored, or stored without a time.
    pub stored: Vec<Option<i64>>,
    /// Sent time less the true one, milliseconds; none: sent without a time.
    pub sent: Vec<Option<i64>>,
    /// What is wrong with it, an index into `faults`; of a rejected one −1 less the index.
    pub verdict: Vec<i64>,
    /// What was found wrong with records, or with others of their batch.
    pub faults: Vec<String>,
    /// How many records the folder has.
    pub total: u64,
    /// How many of them were rejected.
    pub rejected: u64,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    at: u64,
    stored: Option<i64>,
    sent: Option<i64>,
    verdict: i64,
}

struct Partition {
    policy: String,
    faults: Vec<String>,
    rejected: u64,
    thinner: Thinner<Point, 3>,
}

/// The records of each drawn run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllStamps {
    /// By run, and in it by partition.
    pub runs: Vec<Vec<Stamps>>,
    /// Whether there are partitions that are not drawn.
    pub are_more: bool,
}

/// The records of each drawn run, by partition; none if the file is not there. `expected` is the
/// number of records of one run.
///
/// # Errors
/// If the file is not what it should be.
pub fn read(source: &Source, drawn: &DrawnRuns, expected: u64) -> Result<Option<AllStamps>, PageError> {
    let Some(mut file) = CsvFile::open(&source.file(FILE))? else { return Ok(None) };
    let [criterion, seed, time, topic, partition, policy, made, sent, stored, outcome, error, fault] =
        file.columns([
            "criterion",
            "seed",
            "time_ms",
            "topic",
            "partition",
            "policy",
            "made_ms",
            "sent_ms",
            "stored_ms",
            "outcome",
            "error",
            "fault",
        ])?;
    // Partitions of its own choice: those that have timestamps.
    let mut partitions = DrawnPartitions::default();
    let mut runs: Vec<Vec<Option<Partition>>> = (0..drawn.len()).map(|_| Vec::new()).collect();
    let most = (POINTS_MAX / drawn.len().max(1) as u64).clamp(600, 6_000);
    while let Some(row) = file.next_row()? {
        let Some(run) = drawn.of_row(row, criterion, seed)? else { continue };
        let Some(place) = partitions.index(row.text(topic), row.value(partition)?) else { continue };
        let of_run = &mut runs[run];
        if of_run.len() <= place {
            of_run.resize_with(place + 1, || None);
        }
        let partition = of_run[place].get_or_insert_with(|| Partition {
            policy: row.text(policy).to_owned(),
            faults: Vec::new(),
            rejected: 0,
            thinner: Thinner::new(expected, most),
        });
        let is_rejected = match row.text(outcome) {
            "appended" => false,
            "rejected" => true,
            _ => return Err(row.wrong(outcome, "\"appended\" or \"rejected\"")),
        };
        let what = match (row.text(fault), row.text(error)) {
            ("", "") => String::new(),
            ("", error) => format!("{error}, for another record of its batch"),
            (fault, "") => fault.to_owned(),
            (fault, error) => format!("{error}: {fault}"),
        };
        let known = partition.faults.iter().position(|known| *known == what).unwrap_or_else(|| {
            partition.faults.push(what);
            partition.faults.len() - 1
        });
        let made: i64 = row.value(made)?;
        let off = |column| -> Result<Option<i64>, PageError> {
            Ok(row.optional::<i64>(column)?.map(|time| time.saturating_sub(made)))
        };
        let point = Point {
            at: row.nanos(time)?,
            stored: off(stored)?,
            sent: off(sent)?,
            verdict: if is_rejected { -1 - known as i64 } else { known as i64 },
        };
        partition.rejected += u64::from(is_rejected);
        let shown = point.stored.or(point.sent).map(|off| off as f64);
        let scores = [shown, shown.map(|off| -off), is_rejected.then_some(1.0)];
        partition.thinner.push(point, scores);
    }
    let names: Vec<String> = partitions.chosen.iter().map(ToString::to_string).collect();
    let finish = |(place, partition): (usize, Option<Partition>)| {
        let partition = partition?;
        let (points, total) = partition.thinner.finish();
        Some(Stamps {
            name: names[place].clone(),
            policy: partition.policy,
            at: Deltas::of_times(points.iter().map(|point| point.at)),
            stored: points.iter().map(|point| point.stored).collect(),
            sent: points.iter().map(|point| point.sent).collect(),
            verdict: points.iter().map(|point| point.verdict).collect(),
            faults: partition.faults,
            total,
            rejected: partition.rejected,
        })
    };
    let runs = runs.into_iter().map(|run| run.into_iter().enumerate().filter_map(finish).collect());
    Ok(Some(AllStamps { runs: runs.collect(), are_more: partitions.are_more }))
}
