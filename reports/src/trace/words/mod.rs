//! What happened, as lines: the fields and the words of each kind.

mod fetches;
mod leaders;
mod others;
mod requests;

use super::line::{Line, Value};
use super::names::{Actor, Names};
use super::state::State;
use crate::report::human;
use isrlab_sim::cluster::happening::{Happening, Subject};
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::protocol::Offset;

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
            Happening::RequestRefused { .. }
            | Happening::RequestWaits(_)
            | Happening::RequestSent { .. }
            | Happening::RequestQueued(_)
            | Happening::RequestDropped(_)
            | Happening::RequestAnswered { .. }
            | Happening::RequestTimedOut { .. }
            | Happening::RequestRetries { .. }
            | Happening::RequestFailed(_) => self.request_line(happening),
            Happening::FetchSent { .. }
            | Happening::FetchRead { .. }
            | Happening::FetchWaits { .. }
            | Happening::FetchAnswered { .. } => self.fetch_line(happening),
            Happening::Appended { .. } | Happening::HighWatermark { .. } | Happening::Truncated { .. } => {
                self.log(happening)
            }
            Happening::Judged { .. } => self.judged(happening),
            Happening::Elected { .. } | Happening::ElectionRefused { .. } => self.election(happening),
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

    fn begin(&self, kind: &str, from: Actor) -> Line {
        Line::new(self.at, self.event, kind, from)
    }

    fn partition_line(&self, kind: &str, partition: usize, from: Actor) -> Line {
        self.begin(kind, from).on_partition(self.names, partition)
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
