//! `timestamps.csv`: what leaders did to each record's time.

use super::{Column, Millis, Rows, RunContext, Table, TableRun};
use isrlab_sim::cluster::clock::ClockSpec;
use isrlab_sim::cluster::{BatchOutcome, StampedBatch};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::timestamp::{NO_TIMESTAMP, RecordFault, TimestampError};

/// The table.
pub const TABLE: Table = Table {
    file: "timestamps.csv",
    row: "one record of a batch whose timestamps a leader looked at",
    note: "Written as the run goes; only there if a topic of the scenario has a policy for timestamps.",
    columns,
    applies: |spec| spec.topics.iter().any(|topic| topic.timestamps.is_some()),
    start: |context| Box::new(Timestamps { context: context.clone(), policy: String::new() }),
};

fn columns() -> Vec<Column> {
    const SINCE: &str = "ms since 1970";
    vec![
        Column::new("time_ms", "ms", "Virtual time at which the leader had the batch in hand."),
        Column::new("topic", "name", "The topic."),
        Column::new("partition", "number", "The partition of the topic, from 0."),
        Column::new("offset", "offset", "The record's offset. Empty: its batch was rejected."),
        Column::new(
            "policy",
            "text",
            "How the topic treats timestamps: the rule set, `message.timestamp.type` and its limits.",
        ),
        Column::new("made_ms", SINCE, "When the record was made, by a true clock."),
        Column::new("broker_clock_ms", SINCE, "What the leader's clock showed."),
        Column::new("sent_ms", SINCE, "The time that the producer wrote. Empty: none (−1)."),
        Column::new("stored_ms", SINCE, "The time that a consumer reads. Empty: none, or not stored."),
        Column::new(
            "outcome",
            "appended, rejected",
            "`rejected`: nothing of the batch was appended, good records among it.",
        ),
        Column::new("error", "name", "Kafka's name of the error of the answer. Empty: it was appended."),
        Column::new(
            "fault",
            "out-of-range, marked-log-append-time, negative",
            "What is wrong with this very record. Empty: nothing, as far as the leader looked.",
        ),
    ]
}

struct Timestamps {
    context: RunContext,
    /// Room for the policy in words.
    policy: String,
}

impl TableRun for Timestamps {
    fn stamped(&mut self, batch: &StampedBatch<'_>, rows: &mut Rows) {
        use std::fmt::Write;
        let name = &self.context.layout.partitions[batch.partition];
        self.policy.clear();
        write!(self.policy, "{}", batch.policy).expect("a String takes everything");
        for (index, record) in batch.batch.records.iter().enumerate() {
            let (offset, stored, error) = match batch.outcome {
                BatchOutcome::Appended(stored) => {
                    (Some(stored.base_offset + index as i64), known(stored.timestamp(record)), None)
                }
                BatchOutcome::Rejected(error) => (None, None, Some(error)),
            };
            rows.identity(&self.context.identity);
            rows.value(Millis(batch.at.as_nanos()));
            rows.text(&name.topic);
            rows.value(name.number);
            rows.optional(offset);
            rows.text(&self.policy);
            rows.value(made_ms(batch, index));
            rows.value(batch.broker_clock);
            rows.optional(known(record.timestamp));
            rows.optional(stored);
            rows.text(if error.is_some() { "rejected" } else { "appended" });
            rows.text(error.map_or("", |error| error.produce_error().name()));
            rows.text(error.and_then(|error| fault(error, index)).unwrap_or(""));
            rows.end();
        }
    }
}

/// When a record was made, by a true clock.
fn made_ms(batch: &StampedBatch<'_>, index: usize) -> i64 {
    ClockSpec::default().read_ms(made(batch, index))
}

/// The same as virtual time.
pub(crate) fn made(batch: &StampedBatch<'_>, index: usize) -> SimTime {
    let since_first = batch.spacing.as_nanos().saturating_mul(index as u64);
    SimTime::from_nanos(batch.first_made.as_nanos().saturating_add(since_first))
}

fn known(timestamp: i64) -> Option<i64> {
    (timestamp != NO_TIMESTAMP).then_some(timestamp)
}

fn fault(error: &TimestampError, index: usize) -> Option<&'static str> {
    let record = error.records.iter().find(|record| record.index == index)?;
    Some(match record.fault {
        RecordFault::OutOfRange => "out-of-range",
        RecordFault::MarkedLogAppendTime => "marked-log-append-time",
        RecordFault::Negative => "negative",
    })
}
