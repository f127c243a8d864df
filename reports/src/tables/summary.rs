//! `summary.csv`: what each run came to.

use super::{Column, Rows, RunContext, Table, TableRun};
use crate::metrics::METRICS;
use isrlab_sim::cluster::RunSummary;

/// The table.
pub const TABLE: Table = Table {
    file: "summary.csv",
    row: "one run",
    note: "Written when the run is over; a run that was cut short has none.",
    columns,
    start: |context| Box::new(Summary { context: context.clone() }),
};

fn columns() -> Vec<Column> {
    METRICS.iter().map(|metric| Column::new(metric.name, metric.unit, metric.meaning)).collect()
}

struct Summary {
    context: RunContext,
}

impl TableRun for Summary {
    fn finished(&mut self, summary: &RunSummary, rows: &mut Rows) {
        rows.identity(&self.context.identity);
        for metric in &METRICS {
            rows.value((metric.of)(summary));
        }
        rows.end();
    }
}
