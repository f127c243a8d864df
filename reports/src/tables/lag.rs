//! `lag.csv`: what each rule reports, against the truth.

use super::{Column, Millis, Rows, RunContext, Table, TableRun};
use isrlab_sim::cluster::LagSample;

/// The table.
pub const TABLE: Table = Table {
    file: "lag.csv",
    row: "one lag by one rule at one time: of a mirror by each of the four rules, or of a share group",
    note: "Written as the run goes, every `sample.every`; only for scenarios with mirrors or share groups.",
    applies: |spec| !spec.lag.mirrors.is_empty() || !spec.lag.share_groups.is_empty(),
    columns,
    start: |context| Box::new(Lag { context: context.clone() }),
};

fn columns() -> Vec<Column> {
    vec![
        Column::new("time_ms", "ms", "Virtual time."),
        Column::new("topic", "name", "The topic: a mirror's source, or the share group's."),
        Column::new("partition", "number", "The partition of the topic, from 0."),
        Column::new("actor", "name", "The mirror or the share group."),
        Column::new("rule", "name", "The rule by which the lag is made."),
        Column::new("reported_records", "records", "What it reports. Empty: unknown."),
        Column::new("true_records", "records", "Records still to be replicated, or still to be delivered."),
        Column::new("error_records", "records", "Reported less true. Empty: unknown."),
        Column::new(
            "end_age_ms",
            "ms",
            "Time since the end offset that it goes by was read at the partition. Empty: there is none.",
        ),
        Column::new(
            "progress_age_ms",
            "ms",
            "Time since the other part was read: a mirror's last callback, a share group's summary. Empty: there is \
             none.",
        ),
    ]
}

struct Lag {
    context: RunContext,
}

impl TableRun for Lag {
    fn lag_sampled(&mut self, sample: &LagSample<'_>, rows: &mut Rows) {
        let name = &self.context.layout.partitions[sample.partition];
        rows.identity(&self.context.identity);
        rows.value(Millis(sample.at.as_nanos()));
        rows.text(&name.topic);
        rows.value(name.number);
        rows.text(sample.actor);
        rows.text(sample.rule);
        rows.optional(sample.reported);
        rows.value(sample.truth);
        rows.optional(sample.reported.map(|reported| reported - sample.truth));
        rows.optional(sample.end_age_ms);
        rows.optional(sample.progress_age_ms);
        rows.end();
    }
}
