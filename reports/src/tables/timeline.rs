//! `timeline.csv`: the state of every replica at each sampling time.

use super::isr_changes::known;
use super::{Column, Millis, Rows, RunContext, Table, TableRun};
use isrlab_sim::cluster::Sample;

/// The table.
pub const TABLE: Table = Table {
    file: "timeline.csv",
    row: "one replica of one partition at one sampling time, the leader included",
    note: "Written as the run goes. Without sampling it has no rows.",
    columns,
    applies: super::ALWAYS,
    start: |context| Box::new(Timeline { context: context.clone() }),
};

fn columns() -> Vec<Column> {
    vec![
        Column::new(
            "time_ms",
            "ms",
            "Virtual time of the sample; the state is the one before any event of that time.",
        ),
        Column::new("topic", "name", "The topic."),
        Column::new("partition", "number", "The partition of the topic, from 0."),
        Column::new("leader", "broker id", "The leader."),
        Column::new("leo", "offset", "The leader's log end offset."),
        Column::new("hw", "offset", "The leader's high watermark."),
        Column::new("isr_size", "replicas", "Number of ISR members, the leader included."),
        Column::new("replica", "broker id", "The replica that the rest of the row is about."),
        Column::new("replica_leo", "offset", "The log end offset of the replica's own log."),
        Column::new(
            "replica_known_leo",
            "offset",
            "Its log end offset as the leader knows it. Empty: the leader knows none.",
        ),
        Column::new("lag_messages", "records", "Records that the leader has and the replica does not hold."),
        Column::new(
            "lag_ms",
            "ms",
            "Time since the replica was last caught up as the leader knows it; 0 for the leader. Empty: never under \
             this leader.",
        ),
        Column::new("in_isr", "true, false", "Whether the replica is in the ISR."),
    ]
}

struct Timeline {
    context: RunContext,
}

impl TableRun for Timeline {
    fn sampled(&mut self, sample: &Sample<'_>, rows: &mut Rows) {
        let name = &self.context.layout.partitions[sample.partition];
        for replica in sample.replicas {
            rows.identity(&self.context.identity);
            rows.value(Millis(sample.at.as_nanos()));
            rows.text(&name.topic);
            rows.value(name.number);
            rows.value(sample.leader);
            rows.value(sample.leo);
            rows.value(sample.high_watermark);
            rows.value(sample.isr_size);
            rows.value(replica.broker);
            rows.value(replica.leo);
            rows.optional(known(replica.known_leo));
            rows.value(replica.lag_messages);
            rows.optional(replica.lag_ms);
            rows.value(replica.in_isr);
            rows.end();
        }
    }
}
