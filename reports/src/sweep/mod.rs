//! Sweeps: a grid of values, under every criterion, under many seeds, on all cores.
//!
//! | file | holds |
//! |---|---|
//! | `plan.rs` | what a sweep is to do: the grid, its cells, the runs, shards |
//! | `prepare.rs` | the cluster of a cell, and what is wrong with the grid before anything runs |
//! | `record.rs` | what is kept of one run |
//! | `journal.rs` | the runs that are over, on disk as they end: what a killed sweep resumes from |
//! | `drive.rs` | runs on all cores, brought into the order of the grid |
//! | `cell.rs` | the statistics of one cell |
//! | `tables.rs` | the CSV files and their columns |
//! | `writer.rs` | writes the rows of runs and cells in the order of the grid |
//! | `manifest.rs` | what the folder holds and how to make it again |
//! | `finish.rs` | what is made of the rows once they are all there: Parquet, plots, the manifest |
//! | `merge.rs` | one folder of all shards |
//! | `parquet.rs` | the tables as Parquet |
//! | `plot/` | the plots |
//! | `report/` | what it came to, as text and JSON |
//!
//! A *cell* is one combination of values under one criterion; it has one run for each seed. Rows
//! come in the order of the cells whatever the number of threads, so that the same sweep gives
//! the same bytes; memory does not grow with the number of runs.

mod cell;
mod drive;
mod finish;
mod journal;
mod manifest;
mod merge;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod plot;
mod prepare;
mod record;
mod report;
mod tables;
mod writer;

pub(crate) use cell::EVENTS;
pub use drive::{resume, run};
pub use manifest::SweepManifest;
pub use merge::merge;
pub(crate) use plan::point_of;
pub use plan::{Shard, SweepPlan, default_plots, plottable};
pub use prepare::Refusal;
pub use report::SweepReport;
pub(crate) use report::share_in_words;
pub use tables::{Column, ColumnKind, SweepTable, sweep_reference};
