//! Lines about timestamps, lags and invariants.

use super::{Teller, broker, grouped};
use crate::trace::line::{Line, Value};
use crate::trace::names::Actor;
use isrlab_sim::cluster::{BatchOutcome, LagSample, StampedBatch};
use isrlab_sim::protocol::timestamp::RejectedRecord;

impl Teller<'_> {
    /// The line of a batch that was rejected for its timestamps; none for one that was not.
    pub fn stamped(&self, batch: &StampedBatch<'_>) -> Option<Line> {
        let BatchOutcome::Rejected(error) = batch.outcome else { return None };
        let leader = self.state.partition(batch.partition).leader;
        let first: Option<&RejectedRecord> = error.records.first();
        let line = self.partition_line("timestamps-rejected", batch.partition, Actor::Broker(leader));
        Some(
            line.field("broker", broker(leader))
                .field("records", Value::Count(batch.batch.records.len() as u64))
                .field("exception", Value::Text(error.exception().to_owned()))
                .field("error", Value::Text(error.produce_error().name().to_owned()))
                .field("reason", Value::Text(error.to_string()))
                .field("broker_clock_ms", Value::Int(batch.broker_clock))
                .field("timestamp_ms", Value::maybe(first.map(|record| record.timestamp)))
                .field("allowed_from_ms", Value::Int(error.allowed.from))
                .field("allowed_to_ms", Value::Int(error.allowed.to))
                .words(format!("{}: {error}", self.names.partition(batch.partition))),
        )
    }

    /// The line of a lag that was looked at.
    pub fn lag(&self, sample: &LagSample<'_>) -> Line {
        let actor = self.names.find_lag_actor(sample.actor);
        let name = Value::Text(sample.actor.to_owned());
        let (mirror, group) = match actor {
            Actor::Mirror(_) => (name, Value::Null),
            _ => (Value::Null, name),
        };
        let reported = sample.reported.map_or("unknown".to_owned(), grouped);
        self.begin("lag", actor)
            .field("mirror", mirror)
            .field("group", group)
            .on_partition(self.names, sample.partition)
            .field("rule", Value::Text(sample.rule.to_owned()))
            .field("reported_messages", Value::maybe(sample.reported))
            .field("true_messages", Value::Int(sample.truth))
            .words(format!(
                "{}: {} reports {reported}, truly {}",
                self.names.partition(sample.partition),
                sample.rule,
                grouped(sample.truth)
            ))
    }

    /// The line of an invariant that does not hold. `partition` is the one that it is of.
    pub fn violation(&self, partition: Option<usize>, invariant: String, state: &str) -> Line {
        let leader = partition.map_or(0, |partition| self.state.partition(partition).leader);
        let mut line = self.begin("violation", Actor::Broker(leader));
        if let Some(partition) = partition {
            line = line.on_partition(self.names, partition);
        }
        let words = format!("it must hold that {invariant}");
        line.field("broker", broker(leader))
            .field("invariant", Value::Text(invariant))
            .field("state", Value::Text(state.to_owned()))
            .words(words)
    }
}
