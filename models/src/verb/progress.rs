//! How progress is told.

use std::io::Write;
use std::time::Duration;

use crate::checker::{Progress, Report};

/// Whether and how progress is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// Each time a line of its own: for files and pipes.
    #[default]
    Lines,
    /// One line that is written over, for terminals.
    InPlace,
    /// Not at all.
    Nothing,
}

impl Telling {
    /// As the command line says, for a standard error that is a terminal or not.
    pub fn of(quiet: bool, terminal: bool) -> Telling {
        match (quiet, terminal) {
            (true, _) => Telling::Nothing,
            (false, true) => Telling::InPlace,
            (false, false) => Telling::Lines,
        }
    }

    /// Tells what changes. Progress that cannot be told is no reason to stop.
    pub fn tell(self, out: &mut dyn Write, line: &str) {
        let _ = match self {
            Telling::Nothing => Ok(()),
            Telling::Lines => writeln!(out, "{line}"),
            // To the beginning of the line, and what was longer before is erased.
            Telling::InPlace => write!(out, "\r{line}\u{1b}[K").and_then(|()| out.flush()),
        };
    }

    /// Tells what will not change any more: the next thing goes on a new line.
    pub fn tell_last(self, out: &mut dyn Write, line: &str) {
        self.tell(out, line);
        if self == Telling::InPlace {
            let _ = writeln!(out);
        }
    }
}

/// Tells progress, a line a second at most and one at the end of each check.
pub(super) struct Ticker<'a> {
    telling: Telling,
    out: &'a mut dyn Write,
    name: &'a str,
    told: Duration,
    last: Option<Progress>,
}

impl<'a> Ticker<'a> {
    /// Tells of the check of that name.
    pub(super) fn new(telling: Telling, out: &'a mut dyn Write, name: &'a str) -> Self {
        Ticker { telling, out, name, told: Duration::ZERO, last: None }
    }

    /// The check goes on.
    pub(super) fn tick(&mut self, progress: &Progress) {
        const PERIOD: Duration = Duration::from_secs(1);
        self.last = Some(*progress);
        if progress.elapsed.saturating_sub(self.told) >= PERIOD {
            self.told = progress.elapsed;
            let pending = progress.pending.map_or(String::new(), |n| format!(", {n} pending"));
            let what = format!("{}: {} states{pending}", self.name, progress.states);
            self.telling.tell(self.out, &Self::line(&what, progress));
        }
    }

    /// The check is over.
    pub(super) fn end(&mut self, report: &Report) {
        let what = format!("{}: done, {} states", report.model, report.distinct_states);
        let line = match self.last {
            Some(last) => Self::line(&what, &Progress { states: report.distinct_states, ..last }),
            // It was over before there was any.
            None => what,
        };
        self.telling.tell_last(self.out, &line);
    }

    fn line(what: &str, progress: &Progress) -> String {
        let memory = progress.memory.map_or(String::new(), |bytes| format!(", {} MB", bytes / 1_000_000));
        format!(
            "{what}, depth {}, {:.2} s, {:.2} M states/s{memory}",
            progress.depth,
            progress.elapsed.as_secs_f64(),
            progress.states_per_second() / 1e6,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(telling: Telling) -> String {
        let mut out = Vec::new();
        telling.tell(&mut out, "1 of 2");
        telling.tell_last(&mut out, "2 of 2");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn only_a_terminal_is_written_over_and_the_quiet_see_nothing() {
        assert_eq!(told(Telling::of(false, false)), "1 of 2\n2 of 2\n");
        assert_eq!(told(Telling::of(false, true)), "\r1 of 2\u{1b}[K\r2 of 2\u{1b}[K\n");
        assert_eq!(told(Telling::of(true, true)), "");
    }
}
