//! Watches a run and hands the lines of its window to a format.

use super::export::{Exporter, Footer, Header, Told};
use super::line::Line;
use super::state::State;
use super::words::Teller;
use isrlab_sim::cluster::{Happening, IsrChange, LagSample, Observer, StampedBatch, Violation};
use isrlab_sim::engine::SimTime;
use std::cell::Cell;
use std::io::{self, Write};

/// Watches one run.
pub struct TraceWatch<'a> {
    header: &'a Header,
    state: State,
    exporter: &'a mut dyn Exporter,
    out: &'a mut dyn Write,
    /// The most lines that are shown.
    limit: u64,
    /// Set when there is no use in going on.
    closed: &'a Cell<bool>,
    event: u64,
    /// The simulator's events in the window.
    pub events: u64,
    /// Lines that were shown.
    pub lines: u64,
    /// Lines beyond the limit.
    pub left_out: u64,
    /// When the last line was shown.
    pub last: SimTime,
    failed: Option<io::Error>,
}

impl<'a> TraceWatch<'a> {
    /// A watch from the start of a run; `state` is of that moment.
    pub fn new(
        header: &'a Header,
        state: State,
        exporter: &'a mut dyn Exporter,
        out: &'a mut dyn Write,
        limit: u64,
        closed: &'a Cell<bool>,
    ) -> Self {
        TraceWatch {
            header,
            state,
            exporter,
            out,
            limit,
            closed,
            event: 0,
            events: 0,
            lines: 0,
            left_out: 0,
            last: SimTime::ZERO,
            failed: None,
        }
    }

    /// Shows the violation that ended the run.
    pub fn violated(&mut self, violation: &Violation) {
        if self.header.window.contains(violation.at) {
            let first = violation.state.lines().next().and_then(|line| line.strip_prefix("partition "));
            let partition = first.and_then(|name| self.header.names.find_partition(name));
            let teller = self.teller(violation.at);
            let line = teller.violation(partition, violation.invariant.to_string(), &violation.state);
            self.show(&line, Told::Other);
        }
    }

    /// Closes the trace, if there is a line in it.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn end(self, run: &'static str, until: SimTime) -> io::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.lines == 0 {
            return Ok(());
        }
        let footer = Footer { lines: self.lines, left_out: self.left_out, events: self.events, run, until };
        self.exporter.end(self.header, &self.state, &footer, self.out)?;
        self.out.flush()
    }

    fn teller(&self, at: SimTime) -> Teller<'_> {
        Teller { names: &self.header.names, state: &self.state, at, event: self.event }
    }

    /// Shows a line, if the filter keeps it and there is room.
    fn show(&mut self, line: &Line, told: Told<'_>) {
        if self.failed.is_some() || !self.header.filter.keeps(line) {
            return;
        }
        if self.lines == self.limit {
            self.left_out += 1;
            return;
        }
        let first = self.lines == 0;
        self.lines += 1;
        self.last = line.at;
        let begun = if first { self.exporter.begin(self.header, self.out) } else { Ok(()) };
        let shown = begun.and_then(|()| self.exporter.line(self.header, &self.state, line, told, self.out));
        if let Err(error) = shown {
            self.failed = Some(error);
            self.closed.set(true);
        }
    }
}

impl Observer for TraceWatch<'_> {
    fn event(&mut self, at: SimTime, number: u64) {
        self.event = number;
        self.events += u64::from(self.header.window.contains(at));
    }

    fn wants_happenings(&self) -> bool {
        true
    }

    fn happened(&mut self, at: SimTime, happening: &Happening<'_>) {
        self.state.before(at, happening);
        if self.header.window.contains(at) {
            let line = self.teller(at).line(happening);
            self.show(&line, Told::Happening(happening));
            if let Some(line) = self.teller(at).caught_up(happening) {
                self.show(&line, Told::Happening(happening));
            }
        }
        self.state.after(happening);
    }

    fn isr_changed(&mut self, change: &IsrChange) {
        if self.header.window.contains(change.at) {
            let line = self.teller(change.at).isr_change(change);
            self.show(&line, Told::IsrChange(change));
        }
        self.state.isr_changed(change);
    }

    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        if self.header.window.contains(sample.at) {
            let line = self.teller(sample.at).lag(sample);
            self.show(&line, Told::Other);
        }
    }

    fn stamped(&mut self, batch: &StampedBatch<'_>) {
        if self.header.window.contains(batch.at)
            && let Some(line) = self.teller(batch.at).stamped(batch)
        {
            self.show(&line, Told::Other);
        }
    }

    fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        self.state.fault(at, fault, started);
    }
}
