//! Spans: fetches, requests, times in the ISR, faults.

use super::arguments::Arguments;
use super::tracks::{Process, micros};
use super::{Chrome, SeenFetch};
use crate::trace::export::Header;
use crate::trace::line::Value;
use crate::trace::state::{FirstRead, OpenFetch};
use isrlab_sim::cluster::happening::RequestView;
use isrlab_sim::engine::SimTime;
use std::io::{self, Write};

impl Chrome {
    /// A span of a track that has no two at the same time, except one within the other.
    pub(super) fn span(
        &mut self,
        (process, thread): (Process, &str),
        (from, until): (SimTime, SimTime),
        name: &str,
        arguments: Arguments,
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let from = from.max(header.window.from);
        let place = self.tracks.place(process, thread, header, out)?;
        let rest = format!("\"dur\":{},\"args\":{}", micros((until - from).as_nanos()), arguments.json());
        self.tracks.event("X", from, place, name, &rest, out)
    }

    /// A fetch as a span of its fetcher's thread, with its ways and its wait within it.
    pub(super) fn fetch(
        &mut self,
        fetcher: usize,
        seen: &SeenFetch,
        open: &OpenFetch,
        (until, records): (SimTime, Option<i64>),
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let thread =
            (Process::Broker(seen.follower), format!("fetcher {fetcher}, from broker {}", seen.leader));
        let track = (thread.0, thread.1.as_str());
        let names = &header.names;
        let list = |value: &dyn Fn(&FirstRead) -> Value| Value::List(open.reads.iter().map(value).collect());
        let mut arguments = Arguments::default()
            .with("fetch", &Value::Count(seen.number))
            .with("leader", &Value::Int(seen.leader.into()))
            .with("sent_ms", &Value::time(open.sent))
            .with("partitions", &list(&|read| Value::Text(names.partition(read.partition).to_owned())))
            .with("fetch_offsets", &list(&|read| Value::Int(read.offset)))
            .with("bytes", &open.answered.map_or(Value::Null, |(_, bytes)| Value::Count(bytes)))
            .with("records", &Value::maybe(records));
        let whole = records.is_some();
        arguments = if whole {
            arguments.with("latency_ms", &Value::length(until - open.sent))
        } else {
            arguments.with("under_way_at_the_end", &Value::Bool(true))
        };
        self.span(track, (open.sent, until), &format!("fetch {}", seen.number), arguments, header, out)?;
        let read = open.read.unwrap_or(until);
        let answered = open.answered.map_or(until, |(at, _)| at);
        for (from, until, name) in [
            (open.sent, read, "to the leader"),
            (read, answered, "waits for data"),
            (answered, until, "answer"),
        ] {
            if from < until && until > header.window.from {
                self.span(track, (from, until), name, Arguments::default(), header, out)?;
            }
        }
        Ok(())
    }

    /// A request as an asynchronous span of its producer: requests of one producer overlap.
    pub(super) fn request(
        &mut self,
        serial: u64,
        request: &RequestView,
        (until, whole): (SimTime, bool),
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place = self.tracks.place(Process::Producer(request.producer), "requests", header, out)?;
        let mut arguments = Arguments::default()
            .with("request", &Value::Count(serial))
            .with("partition", &Value::Text(header.names.partition(request.partition).to_owned()))
            .with("broker", &Value::Int(request.broker.into()))
            .with("records", &Value::Count(request.records.into()))
            .with("bytes", &Value::Count(request.bytes))
            .with("acks", &Value::Text(request.acks.name().to_owned()))
            .with("retries", &Value::Count(request.retries.into()))
            .with("arose_ms", &Value::time(request.created))
            .with("error", &Value::maybe_text(request.error.map(|error| error.name())));
        arguments = if whole {
            arguments.with("latency_ms", &Value::length(until - request.created))
        } else {
            arguments.with("under_way_at_the_end", &Value::Bool(true))
        };
        let name = format!("request {serial}");
        let from = request.created.max(header.window.from);
        let rest = format!("\"cat\":\"produce\",\"id\":\"{serial}\",\"args\":{}", arguments.json());
        self.tracks.event("b", from, place, &name, &rest, out)?;
        let rest = format!("\"cat\":\"produce\",\"id\":\"{serial}\"");
        self.tracks.event("e", until, place, &name, &rest, out)
    }

    pub(super) fn in_isr(
        &mut self,
        (partition, broker): (usize, i32),
        (since, until): (SimTime, SimTime),
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let thread = format!("broker {broker} in the ISR");
        let arguments = Arguments::default().with("since_ms", &Value::time(since));
        self.span(
            (Process::Partition(partition), &thread),
            (since, until),
            "in the ISR",
            arguments,
            header,
            out,
        )
    }

    pub(super) fn fault(
        &mut self,
        fault: usize,
        times: (SimTime, SimTime),
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let name = header.names.fault(fault);
        let id = header.names.fault_broker(fault).map(i64::from);
        let arguments =
            Arguments::default().with("since_ms", &Value::time(times.0)).with("broker", &Value::maybe(id));
        self.span((Process::Faults, name), times, name, arguments, header, out)
    }
}
