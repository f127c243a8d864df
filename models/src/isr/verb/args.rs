//! The command line of `check isr`, for `clap`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use isrlab_sim::protocol::IsrCriterion;

use super::run::{CheckIsr, check_isr_keeping};
use crate::checker::{Engine, Limits};
use crate::isr::grid::{default_settings, grid_settings, resets};
use crate::isr::measure::Measure;
use crate::isr::question::Question;
use crate::isr::setting::{Behaviour, LimitedReads, Setting, Start};
use crate::verb::args::{EngineArg, FormatArg, parse_duration, parse_size, parse_threads};
use crate::verb::{Format, Kept, Telling, exit};

/// Settle what KAFKA-4485 claims about the ISR criteria, with exact bounds, over runs of any length
/// in discrete time.
///
/// Without --lag, --period, --gap, --writes, --reads, --behaviour or --start a fixed set of settings
/// is answered, or with --grid a large one. What is expected of every answer is in one table of
/// formulas; a refutation of an old criterion is no failure. Exit codes: 0 all as expected; 1 an
/// answer changed; 2 bad usage; 3 inconclusive (a limit, an interrupt, a failure to write); 4 nothing
/// was asked.
#[derive(Args, Clone, Debug)]
pub struct IsrArgs {
    /// Ask about this criterion only; may be given more than once.
    #[arg(long = "criterion", value_name = "CRITERION", value_parser = parse_criterion)]
    pub criteria: Vec<IsrCriterion>,
    /// Followers: 1 or 2 [default: both].
    #[arg(long, value_name = "N")]
    pub followers: Option<u8>,
    /// D, replica.lag.time.max in ticks [default: 4].
    #[arg(long, value_name = "TICKS")]
    pub lag: Option<u8>,
    /// P, the period of the check in ticks [default: the criterion's, D or D/2].
    #[arg(long, value_name = "TICKS")]
    pub period: Option<u8>,
    /// F, the longest gap between two fetches of a diligent follower, in ticks [default: 2].
    #[arg(long, value_name = "TICKS")]
    pub gap: Option<u8>,
    /// w, the most records appended in a tick [default: 1].
    #[arg(long, value_name = "RECORDS")]
    pub writes: Option<u8>,
    /// Append exactly w records in every tick. The table says nothing about that.
    #[arg(long)]
    pub steady: bool,
    /// b, the most records in an answer to a fetch [default: all there are].
    #[arg(long, value_name = "RECORDS")]
    pub reads: Option<u8>,
    /// K: with --reads, the producer waits while a follower lacks this many records. The only bound.
    #[arg(long, value_name = "RECORDS", default_value_t = 8)]
    pub backlog: u8,
    /// M, replica.lag.max.messages; only max-messages reads it.
    #[arg(long, value_name = "RECORDS", default_value_t = 4)]
    pub messages: u8,
    /// How the first follower behaves: diligent, any or returning [default: all]. The second may do
    /// anything.
    #[arg(long, value_parser = parse_behaviour)]
    pub behaviour: Option<Behaviour>,
    /// Where runs begin: established or election [default: both].
    #[arg(long, value_parser = parse_start)]
    pub start: Option<Start>,
    /// Ask this question only: g1, removal, g2, flap, invariants, lag, or 1 to 6 (7, slow followers, is
    /// --reads); may be given more than once.
    #[arg(long = "question", value_name = "QUESTION", value_parser = Question::from_name)]
    pub questions: Vec<Question>,
    /// Answer for a grid of small D, P, F, w, M and b, and hold every number against its formula.
    #[arg(long)]
    pub grid: bool,
    /// Threads. No answer depends on it.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = parse_threads)]
    pub threads: usize,
    /// Give a setting up after this many distinct states.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Stop after this time in all (90s, 5m, 500ms).
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// The checker's search, for the second opinion.
    #[arg(long, value_enum, default_value_t = EngineArg::Stateright)]
    pub engine: EngineArg,
    /// Ask the checker for a second opinion on settings of up to this many states [default: 3000, and
    /// none with --grid].
    #[arg(long, value_name = "N")]
    pub verify: Option<u64>,
    /// Stop when the process takes more memory (1.5GiB, 800MB, or bytes). Default: four fifths of
    /// what is free.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
    /// If the premise of a question was never true, or an action never taken, nothing was shown:
    /// exit code 3.
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
    /// Every answer on a line of its own, instead of tables.
    #[arg(long)]
    pub full: bool,
    /// Write the answer as JUnit XML, too.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write each counterexample into this folder, as text, JSON, ITF, Mermaid, as a schedule and as a
    /// scenario; of a cycle the last two.
    #[arg(long, value_name = "FOLDER")]
    pub traces: Option<PathBuf>,
    /// Write the first counterexample, or cycle, as a scenario: `isrlab replay FILE` shows the same in the
    /// simulator.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Write the answer and the counterexamples into this folder, for `isrlab report`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl IsrArgs {
    /// What these arguments ask for. `interrupt` ends the run with exit code 3 when it is set.
    ///
    /// # Errors
    /// A sentence about arguments that do not go together.
    pub fn plain(&self, interrupt: Option<Arc<AtomicBool>>) -> Result<CheckIsr, String> {
        let measures: Vec<Measure> = match self.questions.as_slice() {
            [] => Question::ALL.iter().flat_map(|question| question.measures()).copied().collect(),
            asked => asked.iter().flat_map(|question| question.measures()).copied().collect(),
        };
        if self.grid && self.is_own_setting() {
            return Err("--grid chooses the settings itself; leave out --lag, --period, --gap, --writes, \
                        --steady and --reads"
                .to_owned());
        }
        let verify_up_to = self.verify.unwrap_or(if self.grid { 0 } else { 3_000 });
        Ok(CheckIsr {
            settings: self.settings(),
            measures,
            threads: self.threads,
            limits: Limits {
                max_states: self.max_states,
                timeout: self.timeout,
                max_memory: self.max_memory,
                interrupt,
            },
            engine: match self.engine {
                EngineArg::Stateright => Engine::Stateright,
                EngineArg::Fast => Engine::Fast,
            },
            verify_up_to,
            strict: self.strict,
            telling: Telling::of(self.quiet, self.terminal),
            format: match self.format {
                FormatArg::Text => Format::Text,
                FormatArg::Json => Format::Json,
            },
            full: self.full || self.grid,
            junit: self.junit.clone(),
            traces: self.traces.clone(),
            save: self.save.clone(),
        })
    }

    /// Runs the verb: the answer to `out`, progress to `progress`; the exit code comes back. What
    /// is to be written into [`IsrArgs::out`] is kept for the caller to write.
    pub fn run(
        &self,
        interrupt: Option<Arc<AtomicBool>>,
        out: &mut dyn Write,
        progress: &mut dyn Write,
        kept: Option<&mut Kept>,
    ) -> u8 {
        match self.plain(interrupt) {
            Ok(ask) => check_isr_keeping(&ask, out, progress, kept),
            Err(error) => {
                let _ = writeln!(progress, "error: {error}");
                exit::USAGE
            }
        }
    }

    fn is_own_setting(&self) -> bool {
        let numbers = [self.lag, self.period, self.gap, self.writes, self.reads];
        self.steady || numbers.iter().any(Option::is_some)
    }

    fn settings(&self) -> Vec<Setting> {
        let mut settings = if self.grid {
            grid_settings()
        } else if self.is_own_setting() {
            self.own_settings()
        } else {
            default_settings()
        };
        settings.retain(|setting| {
            (self.criteria.is_empty() || self.criteria.contains(&setting.criterion))
                && self.followers.is_none_or(|followers| followers == setting.followers)
                && self.behaviour.is_none_or(|behaviour| behaviour == setting.behaviour)
                && self.start.is_none_or(|start| start == setting.start)
        });
        settings
    }

    /// The settings that the numbers on the command line describe, for all that is not said.
    fn own_settings(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        let reads = self.reads.map(|records| LimitedReads { records, backlog: self.backlog });
        for criterion in IsrCriterion::ALL {
            for followers in 1..=self.followers.unwrap_or(2).max(2) {
                for start in Start::ALL {
                    for reset in resets(criterion, start) {
                        for behaviour in Behaviour::ALL {
                            let base = Setting::of(criterion).with_lag(self.lag.unwrap_or(4));
                            settings.push(Setting {
                                followers,
                                start,
                                reset,
                                behaviour,
                                reads,
                                alike: reads.is_some(),
                                gap: self.gap.unwrap_or(2),
                                writes: self.writes.unwrap_or(1),
                                steady: self.steady,
                                messages_max: self.messages,
                                period: self.period.unwrap_or(base.period),
                                ..base
                            });
                        }
                    }
                }
            }
        }
        settings
    }
}

pub(crate) fn parse_criterion(text: &str) -> Result<IsrCriterion, String> {
    text.parse()
}

pub(crate) fn parse_behaviour(text: &str) -> Result<Behaviour, String> {
    let found = Behaviour::ALL.into_iter().find(|behaviour| behaviour.name() == text);
    found.ok_or_else(|| "accepted are diligent, any and returning".to_owned())
}

pub(crate) fn parse_start(text: &str) -> Result<Start, String> {
    let found = Start::ALL.into_iter().find(|start| start.name() == text);
    found.ok_or_else(|| "accepted are established and election".to_owned())
}
