//! The command line of the two lag checks, for `clap`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::args::EngineArg;
use super::kept::Kept;
use super::lag::{CheckLag, LagModel, check_lag_keeping};
use super::search_args::SearchArgs;
use crate::checker::{Engine, Options};

/// How to search, and what to write.
#[derive(Args, Clone, Debug)]
pub struct LagSearchArgs {
    /// The search.
    #[arg(long, value_enum, default_value_t = EngineArg::Fast)]
    pub engine: EngineArg,
    /// Show, write and save counterexamples to this claim only; may be given more than once. All
    /// claims are checked.
    #[arg(long = "claim", value_name = "CLAIM")]
    pub claims: Vec<String>,
    /// Write each counterexample into this folder, as text, JSON, ITF, Mermaid and as a scenario.
    #[arg(long, value_name = "FOLDER")]
    pub traces: Option<PathBuf>,
    /// Write the answer and the counterexamples into this folder, for `isrlab report`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the first counterexample as a scenario: `isrlab replay FILE` shows the same in the
    /// simulator.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its text would replace the command's own")]
    pub common: SearchArgs,
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
        let limits = self.common.limits(interrupt);
        CheckLag {
            model,
            rows: rows.to_vec(),
            conditions: conditions.to_vec(),
            claims: self.claims.clone(),
            options: Options { engine, threads: self.common.threads, limits, ..Options::default() },
            strict: self.common.strict,
            telling: self.common.telling(),
            format: self.common.format(),
            show: self.common.show(),
            traces: self.traces.clone(),
            save: self.save.clone(),
        }
    }
}

/// Check four rules for MirrorMaker 2's replication offset lag (KAFKA-14112, KIP-971) over every run
/// within a bound.
///
/// Exit codes: 0 all as expected; 1 an answer changed, or something outside the table is violated;
/// 2 bad usage; 3 inconclusive (a limit, an interrupt, a failure to write).
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
/// 2 bad usage; 3 inconclusive (a limit, an interrupt, a failure to write).
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
