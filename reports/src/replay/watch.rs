//! What watches one run: the tables, the judge, the plot's data.

use super::ordered::Ordered;
use super::spool::Spool;
use crate::judge::RunJudge;
use crate::plot::Trace;
use crate::tables::{Rows, TableRun};
use isrlab_sim::cluster::{IsrChange, LagSample, Observer, RunSummary, Sample, StampedBatch};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::Acks;
use std::cell::Cell;

/// Bytes of rows after which they are handed over.
const BYTES_MAX: usize = 32 * 1024;

/// Signals between a run's observer and the question whether it is to go on.
#[derive(Debug, Default)]
pub struct Signals {
    /// Rows are to be handed over, however few.
    pub flush: Cell<bool>,
    /// Rows have no place to go any more.
    pub closed: Cell<bool>,
}

/// Watches one run.
pub struct RunWatch<'a, 'b, T> {
    run: usize,
    ordered: &'a Ordered<'b, T>,
    signals: &'a Signals,
    tables: Vec<Box<dyn TableRun>>,
    /// Those of `tables` that count requests.
    produce_watchers: Vec<usize>,
    rows: Vec<Rows>,
    spools: Vec<Spool>,
    /// Says what became of the expectations.
    pub judge: Box<dyn RunJudge + 'a>,
    /// Draws the run, if it is one that is drawn.
    pub trace: Option<Trace>,
}

impl<'a, 'b, T> RunWatch<'a, 'b, T> {
    /// Watches `run` with the given tables.
    pub fn new(
        run: usize,
        ordered: &'a Ordered<'b, T>,
        signals: &'a Signals,
        tables: Vec<Box<dyn TableRun>>,
        judge: Box<dyn RunJudge + 'a>,
        trace: Option<Trace>,
    ) -> Self {
        let produce_watchers = (0..tables.len()).filter(|&index| tables[index].watches_produce()).collect();
        let rows = tables.iter().map(|_| Rows::default()).collect();
        let spools = tables.iter().map(|_| Spool::default()).collect();
        RunWatch { run, ordered, signals, tables, produce_watchers, rows, spools, judge, trace }
    }

    /// Ends the tables of a run that reached its end, and gives back all rows that wait.
    pub fn end(
        mut self,
        summary: Option<&RunSummary>,
    ) -> (Vec<Spool>, Box<dyn RunJudge + 'a>, Option<Trace>) {
        if let Some(summary) = summary {
            for (table, rows) in self.tables.iter_mut().zip(&mut self.rows) {
                table.finished(summary, rows);
            }
        }
        self.spool();
        (self.spools, self.judge, self.trace)
    }

    fn spool(&mut self) {
        for (rows, spool) in self.rows.iter_mut().zip(&mut self.spools) {
            spool.push(rows.take());
        }
    }

    fn hand_over_if_due(&mut self) {
        let full = self.rows.iter().any(|rows| rows.waiting() >= BYTES_MAX);
        if (full || self.signals.flush.replace(false)) && !self.signals.closed.get() {
            self.spool();
            self.signals.closed.set(self.ordered.offer(self.run, &mut self.spools).is_err());
        }
    }
}

impl<T> Observer for RunWatch<'_, '_, T> {
    fn isr_changed(&mut self, change: &IsrChange) {
        for (table, rows) in self.tables.iter_mut().zip(&mut self.rows) {
            table.isr_changed(change, rows);
        }
        self.judge.isr_changed(change);
        if let Some(trace) = &mut self.trace {
            trace.isr_changed(change);
        }
        self.hand_over_if_due();
    }

    fn sampled(&mut self, sample: &Sample<'_>) {
        for (table, rows) in self.tables.iter_mut().zip(&mut self.rows) {
            table.sampled(sample, rows);
        }
        self.judge.sampled(sample);
        if let Some(trace) = &mut self.trace {
            trace.sampled(sample);
        }
        self.hand_over_if_due();
    }

    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        for (table, rows) in self.tables.iter_mut().zip(&mut self.rows) {
            table.lag_sampled(sample, rows);
        }
        self.judge.lag_sampled(sample);
        if let Some(trace) = &mut self.trace {
            trace.lag_sampled(sample);
        }
        self.hand_over_if_due();
    }

    fn produced(&mut self, at: SimTime, partition: usize, acks: Acks, latency_ns: u64) {
        for &index in &self.produce_watchers {
            self.tables[index].produced(at, partition, acks, latency_ns);
        }
        self.judge.produced(at, partition, acks, latency_ns);
    }

    fn stamped(&mut self, batch: &StampedBatch<'_>) {
        for (table, rows) in self.tables.iter_mut().zip(&mut self.rows) {
            table.stamped(batch, rows);
        }
        if let Some(trace) = &mut self.trace {
            trace.stamped(batch);
        }
        self.hand_over_if_due();
    }

    fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        self.judge.fault(at, fault, started);
        if let Some(trace) = &mut self.trace {
            trace.fault(at, fault, started);
        }
    }
}
