//! What happened, as lines: the fields and the words of each kind.

use super::line::{Line, Value};
use super::names::{Actor, Names};
use super::state::State;
use crate::report::human;
use isrlab_sim::cluster::happening::{AppendSource, FetchView, Happening, RequestView, Subject, virtual_ms};
use isrlab_sim::cluster::{BatchOutcome, IsrChange, IsrChangeKind, LagSample, StampedBatch};
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::protocol::timestamp::RejectedRecord;
use isrlab_sim::protocol::{Acks, Offset, ReplicaSet};

/// Makes lines of what happens.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// Who is who.
    pub names: &'a Names,
    /// What is under way.
    pub state: &'a State,
    /// When.
    pub at: SimTime,
    /// The number of the event.
    pub event: u64,
}

impl Teller<'_> {
    /// The line of what happened.
    pub fn line(&self, happening: &Happening<'_>) -> Line {
        match happening {
            Happening::Handled { kind, subject } => self.handled(kind, subject),
            Happening::PutAside { kind, subject, broker } => self.put_aside(kind, subject, *broker),
            Happening::RequestRefused { arrival } => self
                .producer_line("request-refused", arrival.producer, arrival.partition)
                .field("records", Value::Count(arrival.records.into()))
                .field("bytes", Value::Count(arrival.bytes))
                .words(format!(
                    "{} for {}: buffer.memory is full",
                    records(arrival.records.into()),
                    self.names.partition(arrival.partition)
                )),
            Happening::RequestWaits(request) => {
                self.request("request-waits", request, self.producer(request)).words(format!(
                    "{} for {} waits to be sent",
                    self.number(request),
                    self.names.partition(request.partition)
                ))
            }
            Happening::RequestSent { request, arrives } => self
                .request("request-sent", request, self.producer(request))
                .departs(Actor::Broker(request.broker), *arrives)
                .field("arrives_ms", Value::time(*arrives))
                .words(format!(
                    "{} for {} to broker {}, there at {arrives}",
                    self.number(request),
                    self.names.partition(request.partition),
                    request.broker
                )),
            Happening::RequestQueued(request) => self
                .request("request-queued", request, Actor::Broker(request.broker))
                .words(format!("{} waits for the one before it", self.number(request))),
            Happening::RequestDropped(request) => self
                .request("request-dropped", request, Actor::Broker(request.broker))
                .words(format!("{}: its connection was closed", self.number(request))),
            Happening::RequestAnswered { request, arrives } => self.request_answered(request, *arrives),
            Happening::RequestTimedOut { request, .. } => self
                .request("request-timed-out", request, self.producer(request))
                .words(format!("{} has had no answer for request.timeout.ms", self.number(request))),
            Happening::RequestRetries { request, due } => self
                .request("request-retries", request, self.producer(request))
                .field("error", self.error(request))
                .field("due_ms", Value::time(*due))
                .words(format!("{} is sent again at {due}", self.number(request))),
            Happening::RequestFailed(request) => self
                .request("request-failed", request, self.producer(request))
                .field("error", self.error(request))
                .words(format!("{} failed for good{}", self.number(request), because(request))),
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
            Happening::FetchRead { .. } | Happening::FetchWaits { .. } | Happening::FetchAnswered { .. } => {
                self.fetch_at_leader(happening)
            }
            Happening::Appended { .. } | Happening::HighWatermark { .. } | Happening::Truncated { .. } => {
                self.log(happening)
            }
            Happening::Judged { .. } => self.judged(happening),
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
        }
    }

    fn handled(&self, kind: &'static str, subject: &Subject<'_>) -> Line {
        match subject {
            Subject::Arrival(arrival) => self
                .producer_line(kind, arrival.producer, arrival.partition)
                .field("records", Value::Count(arrival.records.into()))
                .field("bytes", Value::Count(arrival.bytes))
                .words(format!(
                    "{}, {}, for {}",
                    records(arrival.records.into()),
                    bytes(arrival.bytes),
                    self.names.partition(arrival.partition)
                )),
            Subject::Request(request) => self.handled_request(kind, request),
            Subject::Connection { producer, broker: id } => {
                let mut line = self.begin(kind, Actor::Producer(*producer));
                line.brokers.push(*id);
                line.field("producer", Value::Text(self.names.producer(*producer).to_owned()))
                    .field("broker", broker(*id))
                    .words(format!("looks at the oldest request to broker {id}"))
            }
            Subject::Fetch(fetch) => self.handled_fetch(kind, fetch),
            Subject::Broker(id) => self
                .begin(kind, Actor::Broker(*id))
                .field("broker", broker(*id))
                .words("looks for followers that are out of sync".to_owned()),
            Subject::Mirror { mirror, step, partition } => self
                .begin(kind, Actor::Mirror(*mirror))
                .field("mirror", Value::Text(self.names.mirror(*mirror).to_owned()))
                .on_partition(self.names, *partition)
                .field("step", Value::Text((*step).to_owned()))
                .words((*step).to_owned()),
            Subject::ShareGroup { group, step, partition } => self
                .begin(kind, Actor::ShareGroup(*group))
                .field("group", Value::Text(self.names.group(*group).to_owned()))
                .on_partition(self.names, *partition)
                .field("step", Value::Text((*step).to_owned()))
                .words((*step).to_owned()),
            Subject::Fault(fault) => {
                let id = self.names.fault_broker(*fault);
                let verb = if kind == "fault-starts" { "begins" } else { "ends" };
                let mut line = self.begin(kind, Actor::Faults);
                line.to = id.map(Actor::Broker);
                line.field("fault", Value::Text(self.names.fault(*fault).to_owned()))
                    .field("broker", Value::maybe(id.map(i64::from)))
                    .words(format!("{} {verb}", self.names.fault(*fault)))
            }
        }
    }

    fn handled_request(&self, kind: &'static str, request: &RequestView) -> Line {
        let (producer, leader) = (self.producer(request), Actor::Broker(request.broker));
        let number = self.number(request);
        match kind {
            "produce-arrives" => self.request(kind, request, producer).to(leader).words(format!(
                "{number}: {}, {}, for {}",
                records(request.records.into()),
                bytes(request.bytes),
                self.names.partition(request.partition)
            )),
            "produce-answered" => {
                let latency = self.at - request.created;
                self.request(kind, request, leader)
                    .to(producer)
                    .field("error", self.error(request))
                    .field("latency_ms", Value::length(latency))
                    .words(format!("{number}{}, after {}", because(request), length(latency)))
            }
            "retry-due" => self.request(kind, request, producer).words(format!("{number} may be sent again")),
            _ => self.request(kind, request, leader).words(format!("{number} is handled")),
        }
    }

    fn handled_fetch(&self, kind: &'static str, fetch: &FetchView<'_>) -> Line {
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

    fn put_aside(&self, kind: &'static str, subject: &Subject<'_>, id: i32) -> Line {
        let mut line = self.begin("put-aside", Actor::Broker(id));
        let (mut request_number, mut fetch_number) = (Value::Null, Value::Null);
        match subject {
            Subject::Request(request) => {
                request_number = Value::Count(self.state.serial(request));
                line.partitions.push(request.partition);
            }
            Subject::Fetch(fetch) => {
                fetch_number = Value::Count(fetch.number);
                line.partitions.extend(fetch.partitions().map(|(partition, _)| partition));
                line.brokers.extend([fetch.follower, fetch.leader]);
            }
            _ => {}
        }
        line.field("what", Value::Text(kind.to_owned()))
            .field("broker", broker(id))
            .field("request", request_number)
            .field("fetch", fetch_number)
            .words(format!("{kind} waits for the end of the pause"))
    }

    fn request_answered(&self, request: &RequestView, arrives: Option<SimTime>) -> Line {
        let line = self.request("request-answered", request, Actor::Broker(request.broker));
        let line = line
            .field("error", self.error(request))
            .field("arrives_ms", arrives.map_or(Value::Null, Value::time));
        let (number, because) = (self.number(request), because(request));
        match arrives {
            Some(arrives) => line
                .departs(self.producer(request), arrives)
                .words(format!("{number}{because}, there at {arrives}")),
            None if request.acks == Acks::None => line.words(format!("{number}{because}: acks=0, no answer")),
            None => line.words(format!("{number}{because}: nobody waits for the answer")),
        }
    }

    fn fetch_at_leader(&self, happening: &Happening<'_>) -> Line {
        match happening {
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

    fn log(&self, happening: &Happening<'_>) -> Line {
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

    fn judged(&self, happening: &Happening<'_>) -> Line {
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
            .field("lag_ms", each(&|replica| Value::maybe(replica.since_caught_up_ms)))
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

    fn begin(&self, kind: &str, from: Actor) -> Line {
        Line::new(self.at, self.event, kind, from)
    }

    fn partition_line(&self, kind: &str, partition: usize, from: Actor) -> Line {
        self.begin(kind, from).on_partition(self.names, partition)
    }

    fn producer_line(&self, kind: &str, producer: usize, partition: usize) -> Line {
        self.begin(kind, Actor::Producer(producer))
            .field("producer", Value::Text(self.names.producer(producer).to_owned()))
            .on_partition(self.names, partition)
    }

    fn producer(&self, request: &RequestView) -> Actor {
        Actor::Producer(request.producer)
    }

    /// A line about a request, with the fields that all of them have.
    fn request(&self, kind: &str, request: &RequestView, from: Actor) -> Line {
        let mut line = self.begin(kind, from);
        line.brokers.push(request.broker);
        line.field("request", Value::Count(self.state.serial(request)))
            .field("producer", Value::Text(self.names.producer(request.producer).to_owned()))
            .on_partition(self.names, request.partition)
            .field("broker", broker(request.broker))
            .field("records", Value::Count(request.records.into()))
            .field("bytes", Value::Count(request.bytes))
            .field("acks", Value::Text(request.acks.name().to_owned()))
            .field("retries", Value::Count(request.retries.into()))
    }

    /// A line about a fetch, with the fields that all of them have.
    fn fetch(&self, kind: &str, fetch: &FetchView<'_>, from: Actor) -> Line {
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
    fn of_partitions(&self, fetch: &FetchView<'_>) -> String {
        let mut named = fetch.partitions().map(|(partition, _)| partition);
        match (named.next(), named.count()) {
            (None, _) => String::new(),
            (Some(only), 0) => format!(" of {}", self.names.partition(only)),
            (Some(_), more) => format!(" of {} partitions", more + 1),
        }
    }

    fn fetch_latency(&self, fetch: &FetchView<'_>) -> SimDuration {
        self.state.fetch(fetch.fetcher).map_or(SimDuration::ZERO, |open| self.at - open.sent)
    }

    /// `request 7`.
    fn number(&self, request: &RequestView) -> String {
        format!("request {}", self.state.serial(request))
    }

    fn error(&self, request: &RequestView) -> Value {
        Value::maybe_text(request.error.map(|error| error.name()))
    }
}

impl Line {
    /// Of this partition, named in the field `partition`.
    fn on_partition(mut self, names: &Names, partition: usize) -> Self {
        self.partitions.push(partition);
        self.field("partition", Value::Text(names.partition(partition).to_owned()))
    }
}

fn broker(id: i32) -> Value {
    Value::Int(id.into())
}

fn because(request: &RequestView) -> String {
    request.error.map_or(String::new(), |error| format!(": {}", error.name()))
}

fn answer_records(fetch: &FetchView<'_>) -> Offset {
    fetch.partitions().map(|(_, records)| records).sum()
}

fn grouped(value: i64) -> String {
    human::count(value as f64)
}

fn records(count: Offset) -> String {
    match count {
        0 => "no records".to_owned(),
        1 => "1 record".to_owned(),
        _ => format!("{} records", grouped(count)),
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{} bytes", human::count(count as f64)) }
}

/// A length of time with every digit: `25 ms`, `0.3 ms`.
fn length(length: SimDuration) -> String {
    format!("{} ms", super::line::decimal(length.as_nanos(), 6))
}
