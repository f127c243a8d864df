//! Lines about produce requests.

use super::{Teller, broker, bytes, length, records};
use crate::trace::line::{Line, Value};
use crate::trace::names::Actor;
use isrlab_sim::cluster::happening::{Happening, RequestView};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::Acks;

impl Teller<'_> {
    /// The line of what happened to a request, between its producer and its broker.
    pub(super) fn request_line(&self, happening: &Happening<'_>) -> Line {
        match happening {
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
            _ => unreachable!("only requests come here"),
        }
    }

    pub(super) fn handled_request(&self, kind: &'static str, request: &RequestView) -> Line {
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

    pub(super) fn request_answered(&self, request: &RequestView, arrives: Option<SimTime>) -> Line {
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

    pub(super) fn producer_line(&self, kind: &str, producer: usize, partition: usize) -> Line {
        self.begin(kind, Actor::Producer(producer))
            .field("producer", Value::Text(self.names.producer(producer).to_owned()))
            .on_partition(self.names, partition)
    }

    pub(super) fn producer(&self, request: &RequestView) -> Actor {
        Actor::Producer(request.producer)
    }

    /// A line about a request, with the fields that all of them have.
    pub(super) fn request(&self, kind: &str, request: &RequestView, from: Actor) -> Line {
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

    /// `request 7`.
    pub(super) fn number(&self, request: &RequestView) -> String {
        format!("request {}", self.state.serial(request))
    }

    pub(super) fn error(&self, request: &RequestView) -> Value {
        Value::maybe_text(request.error.map(|error| error.name()))
    }
}

pub(super) fn because(request: &RequestView) -> String {
    request.error.map_or(String::new(), |error| format!(": {}", error.name()))
}
