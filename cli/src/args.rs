//! What the command line takes.

use crate::trace_args::TraceArgs;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use isrlab_models::isr::verb::IsrArgs;
use isrlab_models::verb::args::{ExploreArgs, ReplicationArgs};
use isrlab_models::verb::lag_args::{MirrorLagArgs, ShareLagArgs};
use isrlab_models::verb::timestamps::TimestampsArgs;
use isrlab_reports::sweep::{Shard, plottable};
use isrlab_sim::protocol::{IsrCriterion, Profile};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Shown below the help of every verb.
const EXIT_CODES: &str = "\
Exit codes:
  0  all held, and the run was complete
  1  an invariant or an expectation was violated
  2  bad usage or input
  3  inconclusive: interrupted, a limit, or a failure to read or write
  4  nothing ran";

/// Shown below the help of `report`, which only tells of what was found before.
const REPORT_EXIT_CODES: &str = "\
Exit codes:
  0  the report was written, whatever it tells
  2  bad usage, or a folder that is not what it should be
  3  interrupted, or a failure to read or write";

/// A deterministic simulator and model-checking laboratory for Kafka's replication protocol.
#[derive(Debug, Parser)]
#[command(name = "isrlab", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replay a scenario under one or more ISR criteria or Kafka versions
    #[command(after_help = EXIT_CODES)]
    Replay(ReplayArgs),
    /// Run a scenario over a grid of values, under every criterion and many seeds, on all cores
    #[command(after_help = EXIT_CODES)]
    Sweep(SweepArgs),
    /// Put the shards of a sweep together
    #[command(after_help = EXIT_CODES)]
    Merge(MergeArgs),
    /// Show every event in a window of one run: as text, JSON Lines, a diagram, or for Perfetto
    #[command(after_help = EXIT_CODES)]
    Trace(TraceArgs),
    /// List the scenarios of the library
    List(ListArgs),
    /// Print a scenario of the library, to read it or to start one's own from
    Show(ShowArgs),
    /// Check scenario files without running them
    #[command(after_help = EXIT_CODES)]
    Validate(ValidateArgs),
    /// Make one HTML file of a folder that a replay, a sweep or a check has written
    #[command(after_help = REPORT_EXIT_CODES)]
    Report(ReportArgs),
    /// Check a model over every run within a bound
    #[command(subcommand)]
    Check(CheckCommand),
    /// Walk through a model in a browser
    Explore(ExploreArgs),
    /// Print the JSON Schema of scenario files
    Schema,
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// The models.
#[derive(Debug, Subcommand)]
pub enum CheckCommand {
    /// The guarantees that the in-sync replica set is to give, and what KAFKA-4485 claims
    #[command(after_help = EXIT_CODES)]
    Isr(IsrArgs),
    /// Five generations of log truncation and fencing, and ISR changes in flight (KIP-497)
    #[command(after_help = EXIT_CODES)]
    Replication(ReplicationArgs),
    /// What leaders do to the times of records (KIP-32, KAFKA-3026)
    #[command(after_help = EXIT_CODES)]
    Timestamps(TimestampsArgs),
    /// What each rule for MirrorMaker 2's replication offset lag can be trusted with
    #[command(after_help = EXIT_CODES)]
    MirrorLag(MirrorLagArgs),
    /// What the lag of a share partition can be trusted with
    #[command(after_help = EXIT_CODES)]
    ShareLag(ShareLagArgs),
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
}

/// What `replay` takes.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A scenario of the library (see `isrlab list`), or a scenario file
    #[arg(value_name = "SCENARIO-or-FILE", value_parser = NonEmptyStringValueParser::new())]
    pub scenario: String,
    /// Run under this criterion, instead of those that the scenario compares; repeatable
    #[arg(long, value_name = "NAME", value_parser = criterion)]
    pub criterion: Vec<Profile>,
    /// Run under this Kafka version, such as kafka-2.5, or criterion; repeatable
    #[arg(long, value_name = "NAME", value_parser = profile)]
    pub profile: Vec<Profile>,
    /// Change a value of the scenario, such as replica.lag.time.max.ms=5s or
    /// link.follower.latency=1ms; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub set: Vec<(String, String)>,
    /// The seed, or the first of --seeds [default: the scenario's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Run so many consecutive seeds; results are means with their range and a 95 % interval
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub seeds: u64,
    /// Virtual time to run, such as 70s or 10m [default: the scenario's]
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub duration: Option<String>,
    /// The folder for CSV files, plots and manifest [default: isrlab-out/SCENARIO]
    #[arg(long, value_name = "DIR", conflicts_with = "no_files")]
    pub out: Option<PathBuf>,
    /// Write no files
    #[arg(long)]
    pub no_files: bool,
    /// Runs at the same time; the results are the same with any number [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// A fault never applied, or an expectation whose premise never held, makes the result
    /// inconclusive
    #[arg(long)]
    pub strict: bool,
    /// Write a JUnit report: a test case for each expectation under each criterion
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print no progress, and of the result only what is wrong
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `report` takes.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// A folder that `isrlab replay`, `isrlab sweep` or `isrlab check … --out DIR` has written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The file to write [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How the result, where the report is, is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `sweep` takes.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// A scenario of the library (see `isrlab list`), or a scenario file
    #[arg(value_name = "SCENARIO-or-FILE", value_parser = NonEmptyStringValueParser::new(), required_unless_present = "resume")]
    pub scenario: Option<String>,
    /// Vary a value that --set takes: a list of values and ranges, such as
    /// replica.lag.time.max.ms=5s,10s,30s or link.follower.latency=1ms..50ms/8 (8 values, evenly
    /// spaced) or 1ms..1s/7/log (equal ratios); repeatable: every combination is run
    /// [default: the scenario's own grid]
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// Run each cell under so many consecutive seeds [default: the scenario's, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub seeds: Option<u64>,
    /// The first seed [default: the scenario's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Run under this criterion, instead of those that the scenario compares; repeatable
    #[arg(long, value_name = "NAME", value_parser = criterion)]
    pub criterion: Vec<Profile>,
    /// Run under this Kafka version, such as kafka-2.5, or criterion; repeatable
    #[arg(long, value_name = "NAME", value_parser = profile)]
    pub profile: Vec<Profile>,
    /// Change a value of the scenario in every cell; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub set: Vec<(String, String)>,
    /// Virtual time to run, such as 70s or 10m [default: the scenario's]
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub duration: Option<String>,
    /// The folder for tables, plots and manifest [default: isrlab-out/SCENARIO-sweep]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Run only every Nth cell, from the Kth on: one of N machines' part (see `isrlab merge`)
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub shard: Shard,
    /// Finish the sweep in this folder, which was interrupted or killed: what is over is not run
    /// again
    #[arg(long, value_name = "DIR", conflicts_with_all = ["scenario", "vary", "seeds", "seed", "criterion", "profile", "set", "duration", "out", "shard", "plot", "restart", "strict"])]
    pub resume: Option<PathBuf>,
    /// Draw this metric, or this share of runs: a heat map over the last two varied keys, and
    /// lines over the last; repeatable [default: isr_flaps and isr_shrinks]
    #[arg(long, value_name = "METRIC", value_parser = plottable)]
    pub plot: Vec<String>,
    /// Throw away an unfinished sweep that is in the folder
    #[arg(long)]
    pub restart: bool,
    /// Runs at the same time; the results are the same with any number [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// An expectation whose premise never held makes the result inconclusive
    #[arg(long)]
    pub strict: bool,
    /// Write a JUnit report: a test case for each expectation in each cell
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print no progress, and of the result only what is wrong
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `merge` takes.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The folders of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The folder of the whole sweep
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Write a JUnit report: a test case for each expectation in each cell
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Of the result print only what is wrong
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `list` takes.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// How the list is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// What `show` takes.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A scenario of the library (see `isrlab list`)
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub scenario: String,
    /// How the scenario is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// What `validate` takes.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Scenario files, or scenarios of the library
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// How the findings are printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

pub(crate) fn criterion(name: &str) -> Result<Profile, String> {
    name.parse::<IsrCriterion>().map(Profile::of_criterion)
}

pub(crate) fn profile(name: &str) -> Result<Profile, String> {
    name.parse()
}

pub(crate) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected KEY=VALUE, such as replica.lag.time.max.ms=5s".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn key_value_needs_both() {
        assert_eq!(key_value("a.b=c=d"), Ok(("a.b".into(), "c=d".into())));
        assert_eq!(key_value("a ="), Ok(("a".into(), String::new())));
        assert!(key_value("a").is_err() && key_value("=5").is_err());
    }
}
