//! The CSV files. One file of code per table; [`TABLES`] lists them.
//!
//! A new table is a file here and a line in [`TABLES`]: its columns are described once, and from
//! that description come the header, the check of each row's width, and `docs/csv.md`.

mod format;
mod isr_changes;
pub(crate) mod lag;
mod produce_latency;
mod reference;
mod rows;
mod summary;
mod timeline;
pub(crate) mod timestamps;

pub use format::Millis;
pub use isrlab_sim::cluster::LatencyRecorder;
pub use reference::csv_reference;
pub use rows::{Chunk, Rows};

use crate::layout::Layout;
use crate::plan::Plan;
use isrlab_sim::cluster::{ClusterSpec, IsrChange, LagSample, RunSummary, Sample, StampedBatch};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::Acks;
use std::sync::Arc;

/// One column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the header; a unit, where there is one, is in it.
    pub name: &'static str,
    /// The unit in words, or what kind of value it is.
    pub unit: &'static str,
    /// What it tells, and when it is empty.
    pub meaning: &'static str,
}

impl Column {
    /// A column.
    pub const fn new(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Column { name, unit, meaning }
    }
}

/// One CSV file of a replay.
#[derive(Clone, Copy)]
pub struct Table {
    /// The file's name.
    pub file: &'static str,
    /// What one row is.
    pub row: &'static str,
    /// When a run's rows are there.
    pub note: &'static str,
    /// The columns after those of [`IDENTITY`], which every table starts with.
    pub columns: fn() -> Vec<Column>,
    /// Whether there is anything for it to tell of a cluster.
    pub applies: fn(&ClusterSpec) -> bool,
    /// Starts the table's part of one run.
    pub start: fn(&RunContext) -> Box<dyn TableRun>,
}

impl Table {
    /// Every column, those of the identity first.
    pub fn all_columns(&self) -> Vec<Column> {
        IDENTITY.into_iter().chain((self.columns)()).collect()
    }

    /// The header line as it stands in the file.
    pub fn header(&self) -> Vec<u8> {
        let mut rows = Rows::default();
        for column in self.all_columns() {
            rows.text(column.name);
        }
        rows.end();
        rows.take().bytes
    }
}

/// The tables of a replay, in the order of the manifest.
pub static TABLES: [Table; 6] = [
    isr_changes::TABLE,
    timeline::TABLE,
    produce_latency::TABLE,
    timestamps::TABLE,
    lag::TABLE,
    summary::TABLE,
];

/// Of a table that every cluster has.
const ALWAYS: fn(&ClusterSpec) -> bool = |_| true;

/// The tables of a plan, in the order of [`TABLES`]: those that apply to any of its variants.
pub fn tables_of(plan: &Plan) -> Vec<&'static Table> {
    let applies = |table: &Table| plan.variants.iter().any(|variant| (table.applies)(&variant.spec));
    TABLES.iter().filter(|table| applies(table)).collect()
}

/// What every row of every table starts with: which run it is of.
pub const IDENTITY: [Column; 3] = [
    Column::new("scenario", "name", "The scenario."),
    Column::new(
        "criterion",
        "name",
        "The profile or bare criterion of the run, such as `kafka-0.10.1` or `pre-4485`.",
    ),
    Column::new("seed", "number", "The seed of the run."),
];

/// Which run a row is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunIdentity {
    /// The scenario's name.
    pub scenario: Arc<str>,
    /// The variant: a profile's or criterion's name.
    pub criterion: Arc<str>,
    /// The seed.
    pub seed: u64,
}

/// What a table is told when a run starts.
#[derive(Clone, Debug)]
pub struct RunContext {
    /// Which run it is.
    pub identity: RunIdentity,
    /// The partitions' names.
    pub layout: Arc<Layout>,
}

/// A table's part of one run. Each method may write rows.
pub trait TableRun: Send {
    /// An ISR changed.
    fn isr_changed(&mut self, change: &IsrChange, rows: &mut Rows) {
        let _ = (change, rows);
    }

    /// A partition was sampled.
    fn sampled(&mut self, sample: &Sample<'_>, rows: &mut Rows) {
        let _ = (sample, rows);
    }

    /// The timestamps of a batch were looked at.
    fn stamped(&mut self, batch: &StampedBatch<'_>, rows: &mut Rows) {
        let _ = (batch, rows);
    }

    /// A lag was looked at.
    fn lag_sampled(&mut self, sample: &LagSample<'_>, rows: &mut Rows) {
        let _ = (sample, rows);
    }

    /// Whether [`TableRun::produced`] is to be called: it is the hot one.
    fn watches_produce(&self) -> bool {
        false
    }

    /// A request was answered.
    fn produced(&mut self, at: SimTime, partition: usize, acks: Acks, latency_ns: u64) {
        let _ = (at, partition, acks, latency_ns);
    }

    /// The run reached its end. Not called for a run that was cut short.
    fn finished(&mut self, summary: &RunSummary, rows: &mut Rows) {
        let _ = (summary, rows);
    }
}
