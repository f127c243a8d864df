//! The CSV files of a sweep: their columns, declared once for the files, Parquet and the
//! documentation.

use super::cell::EVENTS;
use super::plan::SweepPlan;
use crate::tables::Rows;
use isrlab_scenarios::Axis;
use isrlab_sim::cluster::METRICS;
use isrlab_sim::cluster::metric::Unit;
use std::fmt::Write;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A text.
    Text,
    /// A whole number of 64 bits without a sign.
    Whole,
    /// A whole number of 64 bits with a sign.
    Signed,
    /// A number.
    Real,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name; a unit, where there is one, is in it.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether it may be empty.
    pub optional: bool,
    /// What it tells, and when it is empty.
    pub meaning: String,
}

/// One file.
pub struct SweepTable {
    /// Its name, without an extension.
    pub name: &'static str,
    /// What one row is.
    pub row: &'static str,
    own: fn() -> Vec<Column>,
    /// Whether the row is of one seed.
    has_seed: bool,
}

/// One row for each run.
pub static RUNS: SweepTable = SweepTable { name: "runs", row: "one run", own: runs, has_seed: true };
/// The statistics of the cells.
pub static CELLS: SweepTable =
    SweepTable { name: "cells", row: "one metric, or one share, in one cell", own: cells, has_seed: false };
/// What became of the expectations.
pub static EXPECTATIONS: SweepTable = SweepTable {
    name: "expectations",
    row: "one expectation in one cell",
    own: expectations,
    has_seed: false,
};
/// The runs that broke an invariant or an expectation.
pub static FAILURES: SweepTable = SweepTable {
    name: "failures",
    row: "one run that broke an invariant, or an expectation that must hold under each seed",
    own: failures,
    has_seed: true,
};

/// All of them, in the order of the manifest.
pub static TABLES: [&SweepTable; 4] = [&RUNS, &CELLS, &EXPECTATIONS, &FAILURES];

impl SweepTable {
    /// The CSV file's name.
    pub fn csv(&self) -> String {
        format!("{}.csv", self.name)
    }

    /// The Parquet file's name.
    pub fn parquet(&self) -> String {
        format!("{}.parquet", self.name)
    }

    /// Its columns in a sweep over these axes.
    pub fn columns(&self, axes: &[Axis]) -> Vec<Column> {
        let mut columns = vec![
            whole(
                "cell",
                "The cell, from 0, in the order of the grid: the criterion varies fastest, then the last varied key.",
            ),
            text("scenario", "The scenario."),
            text("criterion", "The profile or bare criterion."),
        ];
        if self.has_seed {
            columns.push(whole("seed", "The seed of the run."));
        }
        columns.extend(axes.iter().map(|axis| Column {
            name: axis.column().to_owned(),
            kind: if axis.is_numeric() { ColumnKind::Real } else { ColumnKind::Text },
            optional: false,
            meaning: format!("The value of `{}`.", axis.key()),
        }));
        // A run's duration may itself be what is varied.
        columns.extend((self.own)().into_iter().filter(|own| !is_axis(axes, &own.name)));
        columns
    }

    /// The header line as it stands in the file.
    pub fn header(&self, axes: &[Axis]) -> Vec<u8> {
        let mut rows = Rows::default();
        for column in self.columns(axes) {
            rows.text(&column.name);
        }
        rows.end();
        rows.take().bytes
    }

    /// Writes the first fields of a row.
    pub fn begin(&self, plan: &SweepPlan, cell: usize, seed: Option<u64>, rows: &mut Rows) {
        rows.value(cell);
        rows.text(&plan.source.name);
        rows.text(plan.profile(cell).name);
        if let Some(seed) = seed {
            rows.value(seed);
        }
        for (axis, value) in plan.point(cell) {
            rows.text(axis.values()[value].in_column());
        }
    }
}

/// Whether a column is that of a varied key.
pub fn is_axis(axes: &[Axis], name: &str) -> bool {
    axes.iter().any(|axis| axis.column() == name)
}

fn column(name: &str, kind: ColumnKind, optional: bool, meaning: &str) -> Column {
    Column { name: name.to_owned(), kind, optional, meaning: meaning.to_owned() }
}

fn text(name: &str, meaning: &str) -> Column {
    column(name, ColumnKind::Text, false, meaning)
}

fn whole(name: &str, meaning: &str) -> Column {
    column(name, ColumnKind::Whole, false, meaning)
}

fn real(name: &str, meaning: &str) -> Column {
    column(name, ColumnKind::Real, true, meaning)
}

fn runs() -> Vec<Column> {
    let mut columns = vec![
        text("outcome", "`finished`, or `violated`: the run broke an invariant, and the metrics are empty."),
        real("duration_ms", "Virtual time that the run covered."),
        whole("expectations_held", "Expectations that held, and had something to hold."),
        whole("expectations_premise_never_met", "Expectations about something that never happened."),
        whole("expectations_violated", "Expectations that did not hold."),
    ];
    columns.extend(METRICS.iter().map(|metric| {
        let kind = if metric.unit == Unit::Count { ColumnKind::Signed } else { ColumnKind::Real };
        column(metric.name, kind, true, metric.doc)
    }));
    columns
}

fn cells() -> Vec<Column> {
    vec![
        text("metric", "The metric, as a column of `runs` is called, or a share of runs."),
        text("unit", "`count`, `ms`, `1/s`, or `share`."),
        whole("runs", "Runs with a value. A metric without a value in any run of the cell has no row."),
        column("hits", ColumnKind::Whole, true, "Of a share: runs in which it happened."),
        real("mean", "The arithmetic mean; of a share, hits ÷ runs."),
        real(
            "standard_deviation",
            "Of the population that the runs are a sample of (n − 1); empty with fewer than two runs.",
        ),
        real("min", "The smallest value."),
        real("p05", "The 5 % quantile, interpolated as NumPy and R (type 7) do."),
        real("p25", "The first quartile."),
        real("p50", "The median."),
        real("p75", "The third quartile."),
        real("p95", "The 95 % quantile."),
        real("max", "The largest value."),
        real("interval_low", "The lower end of the 95 % interval of the mean or share."),
        real("interval_high", "Its upper end."),
        text(
            "interval_method",
            "`student-t` for means (none with fewer than two runs), `wilson` for shares.",
        ),
        text(
            "quantile_method",
            "`exact`; `binned`: within 0.1 %, when a cell has more than 10,000 different values; empty for shares.",
        ),
    ]
}

fn expectations() -> Vec<Column> {
    vec![
        text("expectation", "The expectation as a sentence."),
        text("place", "Where it stands, `file:line`."),
        text("verdict", "`held`, `premise-never-met`, `violated` or `inconclusive`."),
        whole("runs", "Runs in which it was judged."),
        whole("held", "Of them, those in which it held and had something to hold."),
        whole("premise_never_met", "Those in which what it speaks of never happened."),
        whole("violated", "Those in which it did not hold."),
        real("share_wanted", "The share of runs in which it must hold; empty: under each seed."),
        real("confidence", "How sure to be of that share."),
        real(
            "share_low",
            "The exact (Clopper–Pearson) lower bound of the share in which it holds, right with that confidence.",
        ),
        real("share_high", "The upper bound."),
        whole("seed", "The seed of the run that `got` is of: the first of the worst kind."),
        text("got", "What came in it."),
        text("wanted", "What was wanted."),
        text("premise", "What must happen for the expectation to mean anything."),
        text("command", "The command that repeats that run."),
    ]
}

fn failures() -> Vec<Column> {
    vec![
        text("kind", "`invariant` or `expectation`."),
        text("what", "The invariant, or the expectation, as a sentence."),
        column(
            "time_ms",
            ColumnKind::Real,
            true,
            "Virtual time at which an invariant was broken; empty for an expectation.",
        ),
        text("got", "What came; the event that broke an invariant."),
        text("wanted", "What was wanted; empty for an invariant."),
        text("command", "The command that repeats the run."),
    ]
}

/// The reference of the files, as it stands in `docs/sweep.md`.
pub fn sweep_reference() -> String {
    let mut out = String::new();
    let axis: Axis = "KEY=1,2".parse().expect("an axis of two values");
    for table in TABLES {
        writeln!(out, "### `{}` and `{}`\n\nOne row is {}.\n", table.csv(), table.parquet(), table.row)
            .expect("a String takes everything");
        out.push_str("| column | type | meaning |\n|---|---|---|\n");
        let columns = table.columns(std::slice::from_ref(&axis));
        let metrics = columns.iter().position(|column| column.name == METRICS[0].name);
        let shown = if table.name == RUNS.name { metrics.unwrap_or(columns.len()) } else { columns.len() };
        for column in &columns[..shown] {
            let (name, meaning) = match column.name.as_str() {
                "KEY" => (
                    "*one column for each varied key*",
                    "Its value: in ms for durations and in bytes for sizes, with the unit in the name.",
                ),
                name => (name, column.meaning.as_str()),
            };
            let name = if name.starts_with('*') { name.to_owned() } else { format!("`{name}`") };
            let kind = match column.kind {
                ColumnKind::Text => "text",
                ColumnKind::Whole => "whole number",
                ColumnKind::Signed => "whole number, signed",
                ColumnKind::Real => "number",
            };
            let empty = if column.optional { ", may be empty" } else { "" };
            writeln!(out, "| {name} | {kind}{empty} | {meaning} |").expect("a String takes everything");
        }
        if shown < columns.len() {
            out.push_str(
                "| *the metrics* | number, may be empty | As in `summary.csv`, see [csv.md](csv.md). |\n",
            );
        }
        if table.name == CELLS.name {
            out.push_str("\nThe shares are:\n\n");
            for event in &EVENTS {
                writeln!(out, "- `{}`: {};", event.name, event.meaning).expect("a String takes everything");
            }
        }
        out.push('\n');
    }
    out
}
