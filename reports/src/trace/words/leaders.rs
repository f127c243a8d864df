//! Lines about what leaders do with their logs and the ISR.

use super::{Teller, broker, grouped, records};
use crate::trace::line::{Line, Value};
use crate::trace::names::Actor;
use isrlab_sim::cluster::happening::{AppendSource, Happening, virtual_ms};
use isrlab_sim::cluster::{IsrChange, IsrChangeKind};
use isrlab_sim::protocol::ReplicaSet;

impl Teller<'_> {
    pub(super) fn log(&self, happening: &Happening<'_>) -> Line {
        match happening {
            Happening::Appended { partition, broker: id, source, from, to } => {
                let (who, request) = match source {
                    AppendSource::Request(request) => ("producer", Value::Count(self.state.serial(request))),
                    AppendSource::Mirror(_) => ("mirror", Value::Null),
                    AppendSource::Fetch => ("fetch", Value::Null),
                };
                self.partition_line("appended", *partition, Actor::Broker(*id))
                    .field("broker", broker(*id))
                    .field("leads", Value::Bool(*source != AppendSource::Fetch))
                    .field("source", Value::Text(who.to_owned()))
                    .field("request", request)
                    .field("records", Value::Int(to - from))
                    .field("from_offset", Value::Int(*from))
                    .field("leo", Value::Int(*to))
                    .words(format!("{}: LEO {from} → {to}", self.names.partition(*partition)))
            }
            Happening::HighWatermark { partition, broker: id, leads, from, to } => self
                .partition_line("hw-moved", *partition, Actor::Broker(*id))
                .field("broker", broker(*id))
                .field("leads", Value::Bool(*leads))
                .field("from_offset", Value::Int(*from))
                .field("hw", Value::Int(*to))
                .words(format!(
                    "{}: {}HW {from} → {to}",
                    self.names.partition(*partition),
                    if *leads { "" } else { "its own " }
                )),
            Happening::Truncated { partition, broker: id, from, to } => self
                .partition_line("truncated", *partition, Actor::Broker(*id))
                .field("broker", broker(*id))
                .field("from_offset", Value::Int(*from))
                .field("leo", Value::Int(*to))
                .words(format!("{}: LEO {from} → {to}, cut off", self.names.partition(*partition))),
            _ => unreachable!("only logs come here"),
        }
    }

    pub(super) fn election(&self, happening: &Happening<'_>) -> Line {
        match happening {
            Happening::Elected { partition, leader, former, leo, high_watermark } => {
                let how = if leader == former {
                    "is elected again".to_owned()
                } else {
                    format!("takes over from broker {former}")
                };
                let mut line = self.partition_line("elected", *partition, Actor::Broker(*leader));
                line.brokers.push(*former);
                line.field("leader", broker(*leader))
                    .field("former_leader", broker(*former))
                    .field("leo", Value::Int(*leo))
                    .field("hw", Value::Int(*high_watermark))
                    .words(format!(
                        "{}: {how}, LEO {leo}, HW {high_watermark}",
                        self.names.partition(*partition)
                    ))
            }
            Happening::ElectionRefused { partition, candidate } => self
                .partition_line("election-refused", *partition, Actor::Broker(*candidate))
                .field("broker", broker(*candidate))
                .words(format!("{}: is not in the ISR, or in a pause", self.names.partition(*partition))),
            _ => unreachable!("only elections come here"),
        }
    }

    pub(super) fn judged(&self, happening: &Happening<'_>) -> Line {
        let Happening::Judged {
            partition,
            leader,
            follower,
            known,
            lag_ms,
            limit_ms,
            lag_messages,
            limit_messages,
            out_of_sync,
        } = happening
        else {
            unreachable!("only judgements come here")
        };
        let mut line = self.begin("isr-judged", Actor::Broker(*leader));
        line.brokers.push(*follower);
        let behind = (known.log_end_offset >= 0).then_some(*lag_messages);
        let behind_words = match (behind, limit_messages) {
            (None, _) => "LEO unknown".to_owned(),
            (Some(behind), None) => format!("{} behind", records(behind)),
            (Some(behind), Some(limit)) => format!("{} behind of {}", records(behind), grouped(*limit)),
        };
        let lag = lag_ms.map_or("never caught up".to_owned(), |lag| format!("lag {} ms", grouped(lag)));
        let verdict = if *out_of_sync { "out of sync" } else { "in sync" };
        line.on_partition(self.names, *partition)
            .field("leader", broker(*leader))
            .field("follower", broker(*follower))
            .field("lag_ms", Value::maybe(*lag_ms))
            .field("limit_ms", Value::Int(*limit_ms))
            .field("behind_messages", Value::maybe(behind))
            .field("limit_messages", Value::maybe(*limit_messages))
            .field("last_caught_up_ms", Value::maybe(virtual_ms(known.last_caught_up)))
            .field("known_leo", Value::Int(known.log_end_offset))
            .field("out_of_sync", Value::Bool(*out_of_sync))
            .words(format!(
                "{}: broker {follower}: {lag}, limit {} ms, {behind_words}: {verdict}",
                self.names.partition(*partition),
                grouped(*limit_ms)
            ))
    }

    /// The line of an ISR change.
    pub fn isr_change(&self, change: &IsrChange) -> Line {
        let kind = match change.kind {
            IsrChangeKind::Shrink => "isr-shrink",
            IsrChangeKind::Expand => "isr-expand",
        };
        let leader = self.state.partition(change.partition).leader;
        let ids = |set: ReplicaSet| set.iter().map(|slot| self.names.replica(change.partition, slot));
        let listed = |set: ReplicaSet| ids(set).map(|id| id.to_string()).collect::<Vec<_>>().join(",");
        let who: Vec<String> = change
            .replicas
            .iter()
            .map(|replica| {
                let lag = replica.since_caught_up_ms;
                let lag = lag.map_or("never".to_owned(), |lag| format!("{} ms", grouped(lag)));
                format!("broker {} ({}, lag {lag})", replica.broker, replica.cause.name())
            })
            .collect();
        let verb = if change.kind == IsrChangeKind::Shrink { "leaves" } else { "joins" };
        let each = |value: &dyn Fn(&isrlab_sim::cluster::IsrChangeReplica) -> Value| {
            Value::List(change.replicas.iter().map(value).collect())
        };
        let mut line = self.partition_line(kind, change.partition, Actor::Broker(leader));
        line.brokers.extend(change.replicas.iter().map(|replica| replica.broker));
        line.field("leader", broker(leader))
            .field("replicas", each(&|replica| broker(replica.broker)))
            .field("cause", each(&|replica| Value::Text(replica.cause.name().to_owned())))
            .field("lags_ms", each(&|replica| Value::maybe(replica.since_caught_up_ms)))
            .field("old_isr", Value::brokers(ids(change.old_isr)))
            .field("new_isr", Value::brokers(ids(change.new_isr)))
            .field("leo", Value::Int(change.leo))
            .field("hw", Value::Int(change.high_watermark))
            .words(format!(
                "{}: {} {verb}: ISR [{}] → [{}]",
                self.names.partition(change.partition),
                who.join(", "),
                listed(change.old_isr),
                listed(change.new_isr)
            ))
    }
}
