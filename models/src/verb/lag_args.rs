//! The command line of the two lag checks, for `clap`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;

use super::args::{EngineArg, FormatArg, ShowArg, parse_duration, parse_threads};
use super::kept::Kept;
use super::lag::{CheckLag, LagModel, check_lag_keeping};
use super::{Format, Show};
use crate::checker::{Engine, Limits, Options};

/// How to search, and what to write.
#[derive(Args, Clone, Debug)]
pub struct LagSearchArgs {
    /// The search.
    #[arg(long, value_enum, default_value_t = EngineArg::Fast)]
    pub engine: EngineArg,
    /// Threads. No answer of the fast engine depends on it.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_threads)]
    pub threads: usize,
    /// Stop each check after this many distinct states.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Stop after this time in all (90s, 5m, 500ms).
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Fail if an action was never taken or a premise was never true.
    #[arg(long)]
    pub strict: bool,
    /// How the answer is written to standard output.
    #[arg(long, value_enum, default_value_t = FormatArg::Text)]
    pub format: FormatArg,
    /// How much of each counterexample the text shows [default: steps for one check, else nothing].
    #[arg(long, value_enum)]
    pub show: Option<ShowArg>,
    /// Write each counterexample into this folder, as text, JSON, ITF and Mermaid.
    #[arg(long, value_name = "FOLDER")]
    pub traces: Option<PathBuf>,
    /// Write the answer and the counterexamples into this folder, for `isrlab report`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl LagSearchArgs {
    fn plain(
        &self,
        model: LagModel,
        rows: &[String],
        conditions: &[String],
        interrupt: Option<Arc<AtomicBool>>,
    ) -> CheckLag {
        let engine = match self.engine {
            EngineArg::Stateright => Engine::Stateright,
            EngineArg::Fast => Engine::Fast,
        };
        let limits =
            Limits { max_states: self.max_states, timeout: self.timeout, interrupt, ..Limits::default() };
        CheckLag {
            model,
            rows: rows.to_vec(),
            conditions: conditions.to_vec(),
            options: Options { engine, threads: self.threads, limits, ..Options::default() },
            strict: self.strict,
            format: match self.format {
                FormatArg::Text => Format::Text,
                FormatArg::Json => Format::Json,
            },
            show: self.show.map(|show| match show {
                ShowArg::Ends => Show::Ends,
                ShowArg::Steps => Show::Steps,
                ShowArg::Full => Show::Full,
            }),
            traces: self.traces.clone(),
        }
    }
}

/// Check four rules for MirrorMaker 2's replication offset lag (KAFKA-14112, KIP-971) over every run
/// within a bound.
///
/// Exit codes: 0 all as expected; 1 an answer changed, or something outside the table is violated;
/// 2 bad usage; 3 inconclusive.
#[derive(Args, Clone, Debug)]
pub struct MirrorLagArgs {
    /// Check this rule only; may be given more than once. Known: jira, jira-corrected, last-polled,
    /// end-offsets, end-offsets-expiring.
    #[arg(long = "rule", value_name = "RULE")]
    pub rules: Vec<String>,
    /// Check under this condition only; may be given more than once. Known: plain, gaps, restart,
    /// source-recreated, any-order.
    #[arg(long = "condition", value_name = "CONDITION")]
    pub conditions: Vec<String>,
    /// Offsets of the source log (1 to 4).
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub offsets: u32,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its text would replace this command's own")]
    pub search: LagSearchArgs,
}

impl MirrorLagArgs {
    /// Runs the verb: the answer to `out`, progress to `progress`; the exit code comes back. What
    /// is to be written into [`LagSearchArgs::out`] is kept for the caller to write.
    pub fn run(
        &self,
        interrupt: Option<Arc<AtomicBool>>,
        out: &mut dyn Write,
        progress: &mut dyn Write,
        kept: Option<&mut Kept>,
    ) -> u8 {
        let model = LagModel::Mirror { offsets: self.offsets };
        let plain = self.search.plain(model, &self.rules, &self.conditions, interrupt);
        check_lag_keeping(&plain, out, progress, kept)
    }
}

/// Check the lag of share partitions (KIP-1226) over every run within a bound.
///
/// Exit codes: 0 all as expected; 1 an answer changed, or something outside the table is violated;
/// 2 bad usage; 3 inconclusive.
#[derive(Args, Clone, Debug)]
pub struct ShareLagArgs {
    /// Check this variant only; may be given more than once. Known: kip-1226, end-offset-first,
    /// no-fencing, start-offset-moves-back, loses-acquired.
    #[arg(long = "variant", value_name = "VARIANT")]
    pub variants: Vec<String>,
    /// Check under this condition only; may be given more than once. Known: plain, fail-over,
    /// write-lost, answer-lost, log-start-moves, altered.
    #[arg(long = "condition", value_name = "CONDITION")]
    pub conditions: Vec<String>,
    /// Records produced (1 to 3).
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub records: u32,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its text would replace this command's own")]
    pub search: LagSearchArgs,
}

impl ShareLagArgs {
    /// Runs the verb: the answer to `out`, progress to `progress`; the exit code comes back. What
    /// is to be written into [`LagSearchArgs::out`] is kept for the caller to write.
    pub fn run(
        &self,
        interrupt: Option<Arc<AtomicBool>>,
        out: &mut dyn Write,
        progress: &mut dyn Write,
        kept: Option<&mut Kept>,
    ) -> u8 {
        let model = LagModel::Share { records: self.records };
        let plain = self.search.plain(model, &self.variants, &self.conditions, interrupt);
        check_lag_keeping(&plain, out, progress, kept)
    }
}
