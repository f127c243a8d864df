//! Everything that leaves an isrlab run: CSV, summaries, a manifest, plots.
//!
//! [`replay::run`] drives a whole replay (every variant under every seed, on several threads) and
//! gives back a [`Report`], which prints itself as text or JSON and knows its exit code.
//!
//! | module | holds |
//! |---|---|
//! | [`tables`] | the CSV files: one file of code per table, and the list of them |
//! | [`replay`] | the driver, and the order in which rows of parallel runs are written |
//! | [`report`] | what a replay came to, as text and as JSON |
//! | [`plot`] | the timeline figure: data of bounded size, SVG, PNG |
//! | [`ci`] | results as JUnit XML and as annotations of GitHub |
//! | [`output`] | the run folder and its manifest |
//! | [`page`] | a folder as one HTML file |
//! | [`stats`] | mean, interval, share, quantiles |
//! | [`sweep`] | a grid of values under every criterion and many seeds |
//! | [`trace`] | every event in a window of one run, in four formats |
//!
//! Nothing here reads a clock into an output: the same scenario, seed and version give the same
//! bytes on every machine and with any number of threads.

pub mod ci;
pub mod error;
pub mod judge;
pub mod layout;
pub mod output;
pub mod page;
pub mod plan;
pub mod plot;
pub mod replay;
pub mod report;
pub mod simulate;
pub mod stats;
pub mod sweep;
pub mod tables;
pub mod trace;

pub use error::ReportError;
pub use judge::{Judge, NoJudge, RunJudge, Verdict, VerdictKind};
pub use plan::{Plan, ScenarioSource, Variant};
pub use report::{ExitCode, Report};
pub use simulate::{ClusterSimulator, RunStop, Simulator, ViolationReport};

/// The version of isrlab that writes these files.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
