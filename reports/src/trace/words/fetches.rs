//! Lines about fetches.

use super::{Teller, broker, bytes, length, records};
use crate::trace::line::{Line, Value};
use crate::trace::names::Actor;
use isrlab_sim::cluster::happening::{FetchView, Happening, virtual_ms};
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::protocol::Offset;

impl Teller<'_> {
    pub(super) fn handled_fetch(&self, kind: &'static str, fetch: &FetchView<'_>) -> Line {
        let (follower, leader) = (Actor::Broker(fetch.follower), Actor::Broker(fetch.leader));
        let number = fetch.number;
        match kind {
            "fetcher-starts" => self
                .fetch(kind, fetch, follower)
                .words(format!("the fetcher from broker {} starts", fetch.leader)),
            "fetch-arrives" => self
                .fetch(kind, fetch, follower)
                .to(leader)
                .words(format!("fetch {number}{}", self.of_partitions(fetch))),
            "fetch-answered" => {
                let latency = self.fetch_latency(fetch);
                let count = answer_records(fetch);
                self.fetch(kind, fetch, leader)
                    .to(follower)
                    .field("records", Value::Int(count))
                    .field("latency_ms", Value::length(latency))
                    .words(format!("fetch {number}: {}, after {}", records(count), length(latency)))
            }
            "fetch-wait-check" => self
                .fetch(kind, fetch, leader)
                .words(format!("has fetch {number} of broker {} waited for long enough?", fetch.follower)),
            _ => self
                .fetch(kind, fetch, leader)
                .words(format!("fetch {number} of broker {} is handled", fetch.follower)),
        }
    }

    /// The line of what happened to a fetch, between its follower and its leader.
    pub(super) fn fetch_line(&self, happening: &Happening<'_>) -> Line {
        match happening {
            Happening::FetchSent { fetch, arrives } => self
                .fetch("fetch-sent", fetch, Actor::Broker(fetch.follower))
                .departs(Actor::Broker(fetch.leader), *arrives)
                .field("arrives_ms", Value::time(*arrives))
                .words(format!(
                    "fetch {} to broker {}{}, there at {arrives}",
                    fetch.number,
                    fetch.leader,
                    self.of_partitions(fetch)
                )),
            Happening::FetchRead {
                fetch, partition, offset, records: found, leo, high_watermark, ..
            } => {
                let mut line = self.begin("fetch-read", Actor::Broker(fetch.leader));
                line.brokers.push(fetch.follower);
                let behind = leo - offset;
                line.field("fetch", Value::Count(fetch.number))
                    .field("follower", broker(fetch.follower))
                    .field("leader", broker(fetch.leader))
                    .on_partition(self.names, *partition)
                    .field("fetch_offset", Value::Int(*offset))
                    .field("records", Value::Int(*found))
                    .field("leo", Value::Int(*leo))
                    .field("hw", Value::Int(*high_watermark))
                    .field("behind_messages", Value::Int(behind))
                    .words(format!(
                        "fetch {} of broker {}: {} from {offset}: {}; LEO {leo}, HW {high_watermark}",
                        fetch.number,
                        fetch.follower,
                        self.names.partition(*partition),
                        records(*found),
                    ))
            }
            Happening::FetchWaits { fetch, deadline } => self
                .fetch("fetch-waits", fetch, Actor::Broker(fetch.leader))
                .field("deadline_ms", Value::time(*deadline))
                .words(format!(
                    "fetch {} of broker {} waits until {deadline} at the most",
                    fetch.number, fetch.follower
                )),
            Happening::FetchAnswered { fetch, bytes: size, arrives } => {
                let read = self.state.fetch(fetch.fetcher).and_then(|open| open.read);
                let waited = read.map_or(SimDuration::ZERO, |read| self.at - read);
                let count = answer_records(fetch);
                let waiting = match waited.is_zero() {
                    true => String::new(),
                    false => format!(" after a wait of {}", length(waited)),
                };
                self.fetch("fetch-answered-sent", fetch, Actor::Broker(fetch.leader))
                    .departs(Actor::Broker(fetch.follower), *arrives)
                    .field("records", Value::Int(count))
                    .field("bytes", Value::Count(*size))
                    .field("waited_ms", Value::length(waited))
                    .field("arrives_ms", Value::time(*arrives))
                    .words(format!(
                        "fetch {} of broker {}: {}, {}{waiting}, there at {arrives}",
                        fetch.number,
                        fetch.follower,
                        records(count),
                        bytes(*size)
                    ))
            }
            _ => unreachable!("only fetches come here"),
        }
    }

    /// The last caught-up time of a follower moved by a fetch, if it did.
    pub fn caught_up(&self, happening: &Happening<'_>) -> Option<Line> {
        let Happening::FetchRead { fetch, partition, before, after, .. } = happening else { return None };
        if before.last_caught_up == after.last_caught_up {
            return None;
        }
        let mut line = self.begin("caught-up", Actor::Broker(fetch.leader));
        line.brokers.push(fetch.follower);
        let (from, to) = (virtual_ms(before.last_caught_up), virtual_ms(after.last_caught_up));
        let shown = |ms: Option<i64>| match ms {
            None => "never".to_owned(),
            Some(ms) if ms < 0 => format!("{} ms before the run", -ms),
            Some(ms) => SimTime::from_millis(ms as u64).to_string(),
        };
        Some(
            line.on_partition(self.names, *partition)
                .field("leader", broker(fetch.leader))
                .field("follower", broker(fetch.follower))
                .field("from_ms", Value::maybe(from))
                .field("to_ms", Value::maybe(to))
                .words(format!(
                    "{}: broker {} was last caught up at {} (before: {})",
                    self.names.partition(*partition),
                    fetch.follower,
                    shown(to),
                    shown(from)
                )),
        )
    }

    /// A line about a fetch, with the fields that all of them have.
    pub(super) fn fetch(&self, kind: &str, fetch: &FetchView<'_>, from: Actor) -> Line {
        let mut line = self.begin(kind, from);
        line.brokers.extend([fetch.follower, fetch.leader]);
        line.partitions.extend(fetch.partitions().map(|(partition, _)| partition));
        let names = line.partitions.iter().map(|&named| self.names.partition(named).to_owned());
        let names = Value::List(names.map(Value::Text).collect());
        line.field("fetch", Value::Count(fetch.number))
            .field("follower", broker(fetch.follower))
            .field("leader", broker(fetch.leader))
            .field("partitions", names)
    }

    /// ` of orders-0`, or how many partitions a fetch names.
    pub(super) fn of_partitions(&self, fetch: &FetchView<'_>) -> String {
        let mut named = fetch.partitions().map(|(partition, _)| partition);
        match (named.next(), named.count()) {
            (None, _) => String::new(),
            (Some(only), 0) => format!(" of {}", self.names.partition(only)),
            (Some(_), more) => format!(" of {} partitions", more + 1),
        }
    }

    pub(super) fn fetch_latency(&self, fetch: &FetchView<'_>) -> SimDuration {
        self.state.fetch(fetch.fetcher).map_or(SimDuration::ZERO, |open| self.at - open.sent)
    }
}

fn answer_records(fetch: &FetchView<'_>) -> Offset {
    fetch.partitions().map(|(_, records)| records).sum()
}
