//! The ISR changes of `isr_changes.csv`.

use super::super::csv_file::CsvFile;
use super::super::error::PageError;
use super::super::source::Source;
use super::drawn::{DrawnPartitions, DrawnRuns, PARTITIONS_MAX, PartitionKey};
use serde::Serialize;
use std::collections::BTreeMap;

/// The file.
pub const FILE: &str = "isr_changes.csv";
/// The most changes of one run that are on the page.
pub const CHANGES_MAX: usize = 5_000;

/// One replica that left an ISR or joined it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// When, nanoseconds.
    pub at: u64,
    /// The partition, `topic-0`.
    pub partition: String,
    /// Whether it joined.
    pub joined: bool,
    /// Who.
    pub replica: i64,
    /// The ISR after, `1;2`.
    pub isr: String,
    /// Why.
    pub cause: String,
    /// The leader's log end offset.
    pub leo: i64,
    /// The high watermark.
    pub hw: i64,
    /// The replica's log end offset as the leader knows it.
    pub replica_leo: Option<i64>,
    /// Milliseconds since it was caught up.
    pub since: Option<f64>,
}

/// The changes of all drawn runs.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By run; at most [`CHANGES_MAX`] each.
    pub runs: Vec<Vec<Change>>,
    /// How many each run had.
    pub totals: Vec<u64>,
    /// The partitions to draw.
    pub partitions: DrawnPartitions,
    /// Whether the file was there.
    pub is_there: bool,
}

/// Reads the changes.
///
/// # Errors
/// If the file is not what it should be.
pub fn read(source: &Source, drawn: &DrawnRuns) -> Result<Changes, PageError> {
    let mut changes =
        Changes { runs: vec![Vec::new(); drawn.len()], totals: vec![0; drawn.len()], ..Changes::default() };
    let Some(mut file) = CsvFile::open(&source.file(FILE))? else { return Ok(changes) };
    changes.is_there = true;
    let [criterion, seed, time, topic, partition, change, replica, isr, cause, leo, hw, replica_leo, since] =
        file.columns([
            "criterion",
            "seed",
            "time_ms",
            "topic",
            "partition",
            "change",
            "replica",
            "new_isr",
            "cause",
            "leo",
            "hw",
            "replica_leo",
            "since_caught_up_ms",
        ])?;
    let mut by_partition: BTreeMap<PartitionKey, u64> = BTreeMap::new();
    while let Some(row) = file.next_row()? {
        let Some(run) = drawn.of_row(row, criterion, seed)? else { continue };
        let key = PartitionKey { topic: row.text(topic).to_owned(), number: row.value(partition)? };
        changes.totals[run] += 1;
        if changes.runs[run].len() < CHANGES_MAX {
            changes.runs[run].push(Change {
                at: row.nanos(time)?,
                partition: key.to_string(),
                joined: match row.text(change) {
                    "expand" => true,
                    "shrink" => false,
                    _ => return Err(row.wrong(change, "\"shrink\" or \"expand\"")),
                },
                replica: row.value(replica)?,
                isr: row.text(isr).to_owned(),
                cause: row.text(cause).to_owned(),
                leo: row.value(leo)?,
                hw: row.value(hw)?,
                replica_leo: row.optional(replica_leo)?,
                since: row.finite(since)?,
            });
        }
        *by_partition.entry(key).or_default() += 1;
    }
    let mut busiest: Vec<(PartitionKey, u64)> = by_partition.into_iter().collect();
    busiest.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    changes.partitions.are_more = busiest.len() > PARTITIONS_MAX;
    changes.partitions.chosen = busiest.into_iter().take(PARTITIONS_MAX).map(|(key, _)| key).collect();
    Ok(changes)
}
