//! What the command lines of `check timestamps` and of the two lag checks have in common.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;

use super::args::{FormatArg, ShowArg, parse_duration, parse_threads};
use super::{Format, Show, Telling};
use crate::checker::Limits;

/// How long to search, and what to tell.
#[derive(Args, Clone, Debug)]
pub struct SearchArgs {
    /// Threads. No answer of the fast engine depends on it.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_threads)]
    pub threads: usize,
    /// Stop each check after this many distinct states.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Stop after this time in all (90s, 5m, 500ms).
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// If the premise of a claim was never true, or an action never taken, nothing was shown: exit
    /// code 3.
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
    /// How much of each counterexample the text shows [default: steps for a single check, else
    /// less].
    #[arg(long, value_enum)]
    pub show: Option<ShowArg>,
}

impl SearchArgs {
    /// How progress is told.
    pub(super) fn telling(&self) -> Telling {
        Telling::of(self.quiet, self.terminal)
    }

    /// The limits of a check; the time is for all checks together.
    pub(super) fn limits(&self, interrupt: Option<Arc<AtomicBool>>) -> Limits {
        Limits { max_states: self.max_states, timeout: self.timeout, interrupt, ..Limits::default() }
    }

    pub(super) fn format(&self) -> Format {
        match self.format {
            FormatArg::Text => Format::Text,
            FormatArg::Json => Format::Json,
        }
    }

    pub(super) fn show(&self) -> Option<Show> {
        self.show.map(|show| match show {
            ShowArg::Ends => Show::Ends,
            ShowArg::Steps => Show::Steps,
            ShowArg::Full => Show::Full,
        })
    }
}

/// The limits of the next of several checks that began together.
pub(super) fn remaining(limits: &Limits, started: Instant) -> Limits {
    let timeout = limits.timeout.map(|timeout| timeout.saturating_sub(started.elapsed()));
    Limits { timeout, ..limits.clone() }
}
