//! `isr_changes.csv`: who left an ISR or joined it, when and why.

use super::{Column, Millis, Rows, RunContext, Table, TableRun};
use isrlab_sim::cluster::IsrChange;

/// The table.
pub const TABLE: Table = Table {
    file: "isr_changes.csv",
    row: "one replica that left an ISR or joined it; a check that removes two writes two rows",
    note: "Written as the run goes.",
    columns,
    applies: super::ALWAYS,
    start: |context| Box::new(IsrChanges { context: context.clone() }),
};

fn columns() -> Vec<Column> {
    vec![
        Column::new("time_ms", "ms", "Virtual time of the change."),
        Column::new("topic", "name", "The topic."),
        Column::new("partition", "number", "The partition of the topic, from 0."),
        Column::new("change", "shrink, expand", "`shrink`: the replica left. `expand`: it joined."),
        Column::new("replica", "broker id", "Who left or joined."),
        Column::new(
            "old_isr",
            "broker ids",
            "The ISR before the change, such as `1;2;3`, in the order of the assignment.",
        ),
        Column::new("new_isr", "broker ids", "The ISR after the change."),
        Column::new(
            "cause",
            "lag-time, lag-messages, fetch",
            "`lag-time`: not caught up for longer than `replica.lag.time.max.ms`. `lag-messages`: more than \
             `replica.lag.max.messages` behind. `fetch`: its fetch met the join test.",
        ),
        Column::new("leo", "offset", "The leader's log end offset."),
        Column::new("hw", "offset", "The high watermark after the change."),
        Column::new(
            "replica_leo",
            "offset",
            "The replica's log end offset as the leader knows it. Empty: the leader knows none.",
        ),
        Column::new(
            "since_caught_up_ms",
            "ms",
            "Time since the replica was last caught up as the leader knows it (`max-messages`: since its last \
             fetch). Empty: never under this leader.",
        ),
    ]
}

struct IsrChanges {
    context: RunContext,
}

impl TableRun for IsrChanges {
    fn isr_changed(&mut self, change: &IsrChange, rows: &mut Rows) {
        let name = &self.context.layout.partitions[change.partition];
        for replica in &change.replicas {
            rows.identity(&self.context.identity);
            rows.value(Millis(change.at.as_nanos()));
            rows.text(&name.topic);
            rows.value(name.number);
            rows.text(change.kind.name());
            rows.value(replica.broker);
            rows.text(&name.brokers_of(change.old_isr));
            rows.text(&name.brokers_of(change.new_isr));
            rows.text(replica.cause.name());
            rows.value(change.leo);
            rows.value(change.high_watermark);
            rows.optional(known(replica.known_leo));
            rows.optional(replica.since_caught_up_ms);
            rows.end();
        }
    }
}

/// An offset, unless the leader knows none.
pub(super) fn known(offset: i64) -> Option<i64> {
    (offset >= 0).then_some(offset)
}
