//! Writes the rows of a sweep: runs come in the order of the grid.

use super::cell::{CellStats, EVENTS, MetricStats};
use super::plan::SweepPlan;
use super::record::{RunOutcome, RunRecord};
use super::tables::{CELLS, EXPECTATIONS, FAILURES, RUNS, TABLES, is_axis};
use crate::error::ReportError;
use crate::judge::VerdictKind;
use crate::replay::{ExpectationResult, FirstCase, TableFile};
use crate::stats::{share_bounds, wilson_interval};
use crate::tables::{Millis, Rows};
use isrlab_sim::cluster::{METRICS, MetricValue};
use std::fmt;
use std::path::Path;

/// The open files and the cell under way.
pub struct Writer<'a> {
    plan: &'a SweepPlan,
    /// In the order of [`TABLES`].
    files: Vec<TableFile>,
    rows: [Rows; TABLES.len()],
    stats: CellStats,
}

/// Runs of whose rows so many wait at most; a file can be watched as it grows.
const ROWS_WAITING_MAX: usize = 64;

impl<'a> Writer<'a> {
    /// Begins the files, whatever is in them.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn create(plan: &'a SweepPlan, folder: &Path) -> Result<Self, ReportError> {
        let files = TABLES
            .iter()
            .map(|table| TableFile::create_with(folder.join(table.csv()), &table.header(&plan.axes)));
        Ok(Writer {
            plan,
            files: files.collect::<Result<_, _>>()?,
            rows: std::array::from_fn(|_| Rows::default()),
            stats: CellStats::new(),
        })
    }

    /// Takes in a run; to be called in the order of the runs.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn add(&mut self, record: &RunRecord) -> Result<(), ReportError> {
        let (cell, seed) = self.plan.run(record.run);
        self.run_row(cell, seed, record);
        self.failure_rows(cell, seed, record);
        let plan = self.plan;
        let case = |words: &[String; 3]| {
            let [got, wanted, premise] = words.clone();
            FirstCase { seed, got, wanted, premise, command: plan.repeat_command(cell, seed) }
        };
        let begin = |index: usize, case: FirstCase| {
            let known = plan.scenario.expectations().iter().find(|known| known.index() == index);
            ExpectationResult::begun(
                known.map_or(String::new(), |known| known.that().to_owned()),
                known.map_or(String::new(), |known| plan.scenario.place(known)),
                known.and_then(|known| known.share()),
                case,
            )
        };
        self.stats.add(record, begin, case);
        if (record.run + 1).is_multiple_of(self.plan.seeds as usize) {
            self.cell_rows(cell);
            self.expectation_rows(cell);
            self.stats = CellStats::new();
        }
        if record.run.is_multiple_of(ROWS_WAITING_MAX) || self.rows[0].waiting() > 32 * 1024 {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Hands all rows over to the files.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn flush(&mut self) -> Result<(), ReportError> {
        for (rows, file) in self.rows.iter_mut().zip(&mut self.files) {
            let chunk = rows.take();
            if chunk.rows > 0 {
                file.append(&chunk.bytes, chunk.rows)?;
            }
        }
        Ok(())
    }

    /// Rows of each file, in the order of [`TABLES`].
    pub fn rows(&self) -> Vec<u64> {
        self.files.iter().map(TableFile::rows).collect()
    }

    fn run_row(&mut self, cell: usize, seed: u64, record: &RunRecord) {
        let rows = &mut self.rows[0];
        RUNS.begin(self.plan, cell, Some(seed), rows);
        let duration_is_own = !is_axis(&self.plan.axes, "duration_ms");
        match &record.outcome {
            RunOutcome::Finished { duration_ns, metrics, verdicts } => {
                rows.text("finished");
                if duration_is_own {
                    rows.value(Millis(*duration_ns));
                }
                for kind in [VerdictKind::Held, VerdictKind::PremiseNeverMet, VerdictKind::Violated] {
                    rows.value(verdicts.iter().filter(|verdict| verdict.kind == kind).count());
                }
                for metric in metrics {
                    match metric.map(MetricValue::from) {
                        Some(MetricValue::Nanos(nanos)) => rows.value(Millis(nanos)),
                        value => rows.optional(value),
                    }
                }
            }
            RunOutcome::Violated { at_ns, .. } => {
                rows.text("violated");
                if duration_is_own {
                    rows.value(Millis(*at_ns));
                }
                for _ in 0..3 {
                    rows.value(0);
                }
                for _ in METRICS {
                    rows.text("");
                }
            }
        }
        rows.end();
    }

    fn failure_rows(&mut self, cell: usize, seed: u64, record: &RunRecord) {
        let rows = &mut self.rows[3];
        let command = || self.plan.repeat_command(cell, seed);
        match &record.outcome {
            RunOutcome::Violated { at_ns, invariant, event } => {
                FAILURES.begin(self.plan, cell, Some(seed), rows);
                rows.text("invariant");
                rows.text(invariant);
                rows.value(Millis(*at_ns));
                rows.text(event);
                rows.text("");
                rows.text(&command());
                rows.end();
            }
            RunOutcome::Finished { verdicts, .. } => {
                for verdict in verdicts.iter().filter(|verdict| verdict.kind == VerdictKind::Violated) {
                    let known = self.plan.scenario.expectations().iter();
                    let Some(known) = known.clone().find(|known| known.index() == verdict.index) else {
                        continue;
                    };
                    if known.share().is_some() {
                        continue;
                    }
                    FAILURES.begin(self.plan, cell, Some(seed), rows);
                    rows.text("expectation");
                    rows.text(known.that());
                    rows.text("");
                    rows.text(&verdict.words[0]);
                    rows.text(&verdict.words[1]);
                    rows.text(&command());
                    rows.end();
                }
            }
        }
    }

    fn cell_rows(&mut self, cell: usize) {
        let rows = &mut self.rows[1];
        for (event, hits) in EVENTS.iter().zip(self.stats.events) {
            let runs = self.stats.finished;
            let Some(interval) = wilson_interval(hits, runs) else { continue };
            CELLS.begin(self.plan, cell, None, rows);
            rows.text(event.name);
            rows.text("share");
            rows.value(runs);
            rows.value(hits);
            rows.value(Real(hits as f64 / runs as f64));
            for _ in 0..8 {
                rows.text("");
            }
            rows.value(Real(interval.low));
            rows.value(Real(interval.high));
            rows.text("wilson");
            rows.text("");
            rows.end();
        }
        for (metric, stats) in METRICS.iter().zip(&self.stats.metrics) {
            let MetricStats { moments, quantiles } = stats;
            if moments.count() == 0 {
                continue;
            }
            CELLS.begin(self.plan, cell, None, rows);
            rows.text(metric.name);
            rows.text(metric.unit.name());
            rows.value(moments.count());
            rows.text("");
            rows.optional(moments.mean().map(Real));
            rows.optional(moments.standard_deviation().map(Real));
            rows.optional(moments.min().map(Real));
            for share in [0.05, 0.25, 0.5, 0.75, 0.95] {
                // The middle of a bin may be beyond what was seen.
                let (low, high) = (moments.min().unwrap_or(f64::MIN), moments.max().unwrap_or(f64::MAX));
                rows.optional(quantiles.at(share).map(|value| Real(value.clamp(low, high))));
            }
            rows.optional(moments.max().map(Real));
            let interval = moments.mean_interval();
            rows.optional(interval.map(|interval| Real(interval.low)));
            rows.optional(interval.map(|interval| Real(interval.high)));
            rows.text(if interval.is_some() { "student-t" } else { "" });
            rows.text(if quantiles.is_exact() { "exact" } else { "binned" });
            rows.end();
        }
    }

    fn expectation_rows(&mut self, cell: usize) {
        let rows = &mut self.rows[2];
        for (_, result) in &self.stats.expectations {
            EXPECTATIONS.begin(self.plan, cell, None, rows);
            rows.text(&result.expectation);
            rows.text(&result.place);
            rows.text(result.kind().name());
            rows.value(result.runs());
            rows.value(result.held);
            rows.value(result.premise_never_met);
            rows.value(result.violated);
            match result.share {
                Some(rule) => {
                    let hits = result.held + result.premise_never_met;
                    let bounds = share_bounds(hits, result.runs(), rule.confidence);
                    rows.value(Real(rule.share));
                    rows.value(Real(rule.confidence));
                    rows.value(Real(bounds.low));
                    rows.value(Real(bounds.high));
                }
                None => (0..4).for_each(|_| rows.text("")),
            }
            rows.value(result.first.seed);
            for text in
                [&result.first.got, &result.first.wanted, &result.first.premise, &result.first.command]
            {
                rows.text(text);
            }
            rows.end();
        }
    }
}

/// A number with at most nine significant digits: what statistics are worth, and the same on
/// every machine.
struct Real(f64);

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 || !self.0.is_finite() {
            return f.write_str("0");
        }
        let rounded: f64 = format!("{:.8e}", self.0).parse().map_err(|_| fmt::Error)?;
        write!(f, "{rounded}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_nine_digits() {
        for (value, wanted) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333333"),
            (123_456_789_012.0, "123456789000"),
            (-2.5, "-2.5"),
            (20_030.0, "20030"),
        ] {
            assert_eq!(Real(value).to_string(), wanted);
        }
    }
}
