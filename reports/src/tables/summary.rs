//! `summary.csv`: what each run came to.

use super::{Column, Millis, Rows, RunContext, Table, TableRun};
use isrlab_sim::cluster::{METRICS, MetricValue, RunSummary};

/// The table.
pub const TABLE: Table = Table {
    file: "summary.csv",
    row: "one run",
    note: "Written when the run is over; a run that was cut short has none. The columns after `duration_ms` are the \
           metrics that expectations name. A metric is empty when it has no value in that run.",
    columns,
    applies: super::ALWAYS,
    start: |context| Box::new(Summary { context: context.clone() }),
};

fn columns() -> Vec<Column> {
    let duration = Column::new("duration_ms", "ms", "Virtual time that the run covered.");
    let metrics = METRICS.iter().map(|metric| Column::new(metric.name, metric.unit.name(), metric.doc));
    std::iter::once(duration).chain(metrics).collect()
}

struct Summary {
    context: RunContext,
}

impl TableRun for Summary {
    fn finished(&mut self, summary: &RunSummary, rows: &mut Rows) {
        rows.identity(&self.context.identity);
        rows.value(Millis(summary.duration_ns));
        for metric in METRICS {
            match (metric.value)(summary) {
                Some(MetricValue::Nanos(nanos)) => rows.value(Millis(nanos)),
                value => rows.optional(value),
            }
        }
        rows.end();
    }
}
