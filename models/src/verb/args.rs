//! The command line of both verbs, for `clap`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::kept::Kept;
use super::replication::{CheckReplication, Format, Show, check_replication_keeping};
use super::runs::ModelName;
use super::{Explore, Telling, explore};
use crate::async_isr::AsyncIsrConstants;
use crate::checker::{Engine, Limits};
use crate::isr::verb::{IsrModelArgs, explore_isr};
use crate::replication::Constants;

/// How large the models are.
#[derive(Args, Clone, Debug)]
pub struct BoundArgs {
    /// Replicas of the partition (1 to 8; 1 to 4 for kip-497).
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub replicas: u32,
    /// Most records in a log (1 to 8).
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub log_size: u32,
    /// Records ever written (0 to 14).
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub max_records: u32,
    /// Highest leader epoch; the first is 0 (0 to 14).
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub max_leader_epoch: u32,
    /// kip-497: highest log end offset (0 to 7).
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub max_offset: u32,
    /// kip-497: highest version of the ISR (0 to 6).
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub max_version: u32,
}

impl BoundArgs {
    fn constants(&self) -> Constants {
        Constants::new(self.replicas, self.log_size, self.max_records, self.max_leader_epoch)
    }

    fn async_isr_constants(&self) -> AsyncIsrConstants {
        AsyncIsrConstants::new(self.replicas, self.max_offset, self.max_version)
    }
}

/// A search, as named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// stateright's breadth-first search, the reference.
    Stateright,
    /// The packed breadth-first search: exact, and several times as fast.
    Fast,
}

/// A format, as named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// For people.
    Text,
    /// One JSON document.
    Json,
}

/// How much of a counterexample, as named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowArg {
    /// What it comes to.
    Ends,
    /// Its steps, with what each changed.
    Steps,
    /// Its steps, with the whole state after each.
    Full,
}

/// Check five generations of log truncation and fencing, and ISR changes in flight (KIP-497), over
/// every run within a bound.
///
/// What is expected of each answer is in one table; an old generation that is refuted as it should
/// be is no failure. Exit codes: 0 all as expected; 1 an answer changed, or something outside the
/// table is violated; 2 bad usage; 3 inconclusive (a limit, an interrupt, a failure to write).
#[derive(Args, Clone, Debug)]
pub struct ReplicationArgs {
    /// Check this variant only; may be given more than once. Known: truncate-to-hw, kip-101, kip-279,
    /// kip-320-first-try, kip-320, kip-497, kip-497-shrink-at-once.
    #[arg(long = "variant", value_name = "VARIANT", value_parser = parse_model)]
    pub variants: Vec<ModelName>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its text would replace this command's own")]
    pub bound: BoundArgs,
    /// The search.
    #[arg(long, value_enum, default_value_t = EngineArg::Fast)]
    pub engine: EngineArg,
    /// Threads. No answer of the fast engine depends on it.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_threads)]
    pub threads: usize,
    /// Visit one state of each set that differs by the replicas' names only.
    #[arg(long)]
    pub symmetry: bool,
    /// Stop each check after this many distinct states.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Stop a check that needs more memory (1.5GiB, 800MB, or bytes). Default: four fifths of what
    /// is free.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
    /// Stop after this time in all (90s, 5m, 500ms).
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// If an action was never taken, or a premise never true, nothing was shown: exit code 3.
    #[arg(long)]
    pub strict: bool,
    /// Tell no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// Whether progress goes to a terminal.
    #[arg(skip)]
    pub terminal: bool,
    /// How the answer is written to standard output.
    #[arg(long, value_enum, default_value_t = FormatArg::Text)]
    pub format: FormatArg,
    /// How much of each counterexample the text shows [default: steps for one variant, else ends].
    #[arg(long, value_enum)]
    pub show: Option<ShowArg>,
    /// Write the answer as JUnit XML, too.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write each counterexample into this folder, as text, JSON, ITF and Mermaid.
    #[arg(long, value_name = "FOLDER")]
    pub traces: Option<PathBuf>,
    /// Write the answer and the counterexamples into this folder, for `isrlab report`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl ReplicationArgs {
    /// What these arguments ask for. `interrupt` ends the run with exit code 3 when it is set.
    pub fn plain(&self, interrupt: Option<Arc<AtomicBool>>) -> CheckReplication {
        CheckReplication {
            models: self.variants.clone(),
            constants: self.bound.constants(),
            async_isr_constants: self.bound.async_isr_constants(),
            engine: match self.engine {
                EngineArg::Stateright => Engine::Stateright,
                EngineArg::Fast => Engine::Fast,
            },
            threads: self.threads,
            symmetry: self.symmetry,
            limits: Limits {
                max_states: self.max_states,
                timeout: self.timeout,
                max_memory: self.max_memory,
                interrupt,
            },
            strict: self.strict,
            telling: Telling::of(self.quiet, self.terminal),
            format: match self.format {
                FormatArg::Text => Format::Text,
                FormatArg::Json => Format::Json,
            },
            show: self.show.map(|show| match show {
                ShowArg::Ends => Show::Ends,
                ShowArg::Steps => Show::Steps,
                ShowArg::Full => Show::Full,
            }),
            junit: self.junit.clone(),
            traces: self.traces.clone(),
        }
    }

    /// Runs the verb: the answer to `out`, progress to `progress`; the exit code comes back. What
    /// is to be written into [`ReplicationArgs::out`] is kept for the caller to write.
    pub fn run(
        &self,
        interrupt: Option<Arc<AtomicBool>>,
        out: &mut dyn Write,
        progress: &mut dyn Write,
        kept: Option<&mut Kept>,
    ) -> u8 {
        check_replication_keeping(&self.plain(interrupt), out, progress, kept)
    }
}

/// Walk through a model in a browser: stateright's Explorer on the loopback address.
#[derive(Args, Clone, Debug)]
pub struct ExploreArgs {
    /// The model: truncate-to-hw, kip-101, kip-279, kip-320-first-try, kip-320, kip-497,
    /// kip-497-shrink-at-once or isr.
    #[arg(value_name = "MODEL", value_parser = parse_explored)]
    pub model: Explored,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its text would replace this command's own")]
    pub bound: BoundArgs,
    #[command(flatten, next_help_heading = "Options of the model isr")]
    #[allow(missing_docs, reason = "its text would replace this command's own")]
    pub isr: IsrModelArgs,
    /// Let states remember which records were ever committed, and add the claim about them.
    #[arg(long)]
    pub history: bool,
    /// The port; 0 for any that is free.
    #[arg(long, default_value_t = 3000, value_name = "PORT")]
    pub port: u16,
}

impl ExploreArgs {
    /// Runs the verb; it ends only on an error, with the exit code.
    pub fn run(&self, progress: &mut dyn Write) -> u8 {
        let model = match self.model {
            Explored::Isr => return explore_isr(self.isr.watch(), self.port, progress),
            Explored::Model(model) => model,
        };
        let args = Explore {
            model,
            constants: self.bound.constants(),
            history: self.history,
            async_isr_constants: self.bound.async_isr_constants(),
            port: self.port,
        };
        explore(&args, progress)
    }
}

/// A model that can be explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explored {
    /// One that `check replication` knows.
    Model(ModelName),
    /// The one of `check isr`.
    Isr,
}

fn parse_explored(text: &str) -> Result<Explored, String> {
    match text {
        "isr" => Ok(Explored::Isr),
        _ => parse_model(text).map(Explored::Model).map_err(|error| format!("{error}, and isr")),
    }
}

fn parse_model(text: &str) -> Result<ModelName, String> {
    ModelName::from_name(text).map_err(|error| error.to_string())
}

pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=256) => Ok(threads),
        _ => Err("accepted are 1 to 256".to_owned()),
    }
}

/// A number with a unit after it, times what the unit stands for.
fn parse_with_unit(text: &str, units: &[(&str, u64)], accepted: &str) -> Result<u64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let refused = || format!("accepted are {accepted}");
    let scale = units.iter().find(|(name, _)| *name == unit.trim()).ok_or_else(refused)?.1;
    let value = number.parse::<f64>().map_err(|_| refused())? * scale as f64;
    if value.is_finite() && value < u64::MAX as f64 { Ok(value as u64) } else { Err(refused()) }
}

pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
    parse_with_unit(text, &units, "a number and ms, s, m or h, like 90s").map(Duration::from_millis)
}

pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let units = [
        ("", 1),
        ("kB", 1000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
    ];
    parse_with_unit(text, &units, "bytes, or a number and kB, MB, GB, KiB, MiB or GiB, like 1.5GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_have_units() {
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        for text in ["", "5", "5 weeks", "-1s", "1.2.3s"] {
            assert!(parse_duration(text).expect_err(text).contains("like 90s"));
        }
        assert!(parse_size("lots").is_err());
    }

    #[test]
    fn an_unknown_variant_is_answered_with_the_known_ones() {
        let error = parse_model("kip-1").expect_err("unknown");
        assert!(error.contains("kip-320-first-try") && error.contains("kip-497"), "{error}");
    }
}
