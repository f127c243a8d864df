//! The Trace Event Format, which Perfetto and `chrome://tracing` read: brokers, producers and
//! partitions as processes, fetches and faults as spans, offsets and lags as counters.

use super::chrome_tracks::{Process, Tracks, micros};
use super::export::{Exporter, Footer, Header, Told};
use super::line::{Line, Value, write_json_text};
use super::names::Actor;
use super::state::{OpenFetch, State};
use crate::VERSION;
use isrlab_sim::cluster::IsrChangeKind;
use isrlab_sim::cluster::happening::{FetchView, Happening, RequestView, Subject, virtual_ms};
use isrlab_sim::engine::SimTime;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// A fetch of which a line was shown, and whose end was not.
#[derive(Clone, Debug)]
struct SeenFetch {
    number: u64,
    follower: i32,
    leader: i32,
}

/// Writes trace events.
#[derive(Debug, Default)]
pub struct Chrome {
    tracks: Tracks,
    fetches: BTreeMap<usize, SeenFetch>,
    /// Requests of which a line was shown, and whose end was not, by their number in the run.
    requests: BTreeSet<u64>,
    /// Partitions of which a line was shown.
    partitions: BTreeSet<usize>,
}

/// Arguments of an event, in JSON.
#[derive(Debug, Default)]
struct Arguments(String);

impl Arguments {
    fn with(mut self, name: &str, value: &Value) -> Self {
        self.0.push_str(if self.0.is_empty() { "{" } else { "," });
        write_json_text(name, &mut self.0);
        self.0.push(':');
        value.write_json(&mut self.0);
        self
    }

    /// All fields of a line.
    fn of(line: &Line) -> Self {
        line.fields.iter().fold(
            Arguments::default().with("event", &Value::Count(line.event)),
            |arguments, (name, value)| arguments.with(name, value),
        )
    }

    fn json(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}

impl Chrome {
    /// A span of a track that has no two at the same time, except one within the other.
    fn span(
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

    fn instant(
        &mut self,
        (process, thread): (Process, &str),
        line: &Line,
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place = self.tracks.place(process, thread, header, out)?;
        let scope = if line.kind.name == "violation" { 'g' } else { 't' };
        let arguments = Arguments::of(line).with("what", &Value::Text(line.words.clone()));
        let rest = format!("\"s\":\"{scope}\",\"args\":{}", arguments.json());
        self.tracks.event("i", line.at, place, line.kind.name, &rest, out)
    }

    fn counter(
        &mut self,
        process: Process,
        name: &str,
        (at, value): (SimTime, i64),
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place = self.tracks.place(process, "", header, out)?;
        self.tracks.event("C", at, place, name, &format!("\"args\":{{\"value\":{value}}}"), out)
    }

    /// The first line of a partition: its counters as they were at the start of the window.
    fn meet_partition(
        &mut self,
        partition: usize,
        header: &Header,
        state: &State,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !self.partitions.insert(partition) {
            return Ok(());
        }
        let (at, process) = (header.window.from, Process::Partition(partition));
        let known = state.partition(partition);
        self.counter(process, "LEO", (at, known.leo_of(known.leader)), header, out)?;
        self.counter(process, "HW", (at, known.high_watermark), header, out)?;
        self.counter(process, "ISR size", (at, known.isr_size() as i64), header, out)?;
        for (slot, &broker) in header.names.layout().partitions[partition].brokers.iter().enumerate() {
            if broker != known.leader {
                let behind = known.leo_of(known.leader) - known.replicas[slot].leo;
                self.counter(process, &behind_track(broker), (at, behind), header, out)?;
            }
        }
        Ok(())
    }

    /// Counters of the logs of a partition, after a line that moves one of them.
    fn count_log(
        &mut self,
        happening: &Happening<'_>,
        at: SimTime,
        header: &Header,
        state: &State,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match *happening {
            Happening::Appended { partition, broker, to, .. }
            | Happening::Truncated { partition, broker, to, .. } => {
                let (process, known) = (Process::Partition(partition), state.partition(partition));
                if broker != known.leader {
                    let behind = known.leo_of(known.leader) - to;
                    return self.counter(process, &behind_track(broker), (at, behind), header, out);
                }
                self.counter(process, "LEO", (at, to), header, out)?;
                let brokers = &header.names.layout().partitions[partition].brokers;
                for (slot, &follower) in brokers.iter().enumerate().filter(|(_, id)| **id != broker) {
                    let behind = to - known.replicas[slot].leo;
                    self.counter(process, &behind_track(follower), (at, behind), header, out)?;
                }
                Ok(())
            }
            Happening::HighWatermark { partition, leads: true, to, .. } => {
                self.counter(Process::Partition(partition), "HW", (at, to), header, out)
            }
            Happening::Elected { partition, leo, high_watermark, .. } => {
                let process = Process::Partition(partition);
                self.counter(process, "LEO", (at, leo), header, out)?;
                self.counter(process, "HW", (at, high_watermark), header, out)
            }
            Happening::FetchRead { ref fetch, partition, before, after, .. } => {
                let (process, name) = (Process::Partition(partition), lag_track(fetch.follower));
                for known in [before, after] {
                    if let Some(caught_up) = virtual_ms(known.last_caught_up) {
                        let lag = at.as_millis() as i64 - caught_up;
                        self.counter(process, &name, (at, lag), header, out)?;
                    }
                }
                Ok(())
            }
            Happening::Judged { partition, follower, lag_ms: Some(lag), .. } => {
                let process = Process::Partition(partition);
                self.counter(process, &lag_track(follower), (at, lag), header, out)
            }
            _ => Ok(()),
        }
    }

    /// A fetch as a span of its fetcher's thread, with its ways and its wait within it.
    fn fetch(
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
        let list = |value: &dyn Fn(&super::state::FirstRead) -> Value| {
            Value::List(open.reads.iter().map(value).collect())
        };
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
    fn request(
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

    fn in_isr(
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

    /// Notes who is under way, and writes what is over.
    fn follow(
        &mut self,
        happening: &Happening<'_>,
        line: &Line,
        header: &Header,
        state: &State,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if let Some(fetch) = fetch_of(happening) {
            let seen = SeenFetch { number: fetch.number, follower: fetch.follower, leader: fetch.leader };
            let over = line.kind.name == "fetch-answered";
            match state.fetch(fetch.fetcher) {
                Some(open) if over => {
                    self.fetches.remove(&fetch.fetcher);
                    let records = fetch.partitions().map(|(_, records)| records).sum();
                    let open = open.clone();
                    self.fetch(fetch.fetcher, &seen, &open, (line.at, Some(records)), header, out)?;
                }
                _ => drop(self.fetches.insert(fetch.fetcher, seen)),
            }
        }
        if let Some(request) = request_of(happening)
            && let Some(open) = state.request(request).filter(|open| !open.given_up)
        {
            let over = match line.kind.name {
                "produce-answered" => request.error.is_none(),
                "request-failed" => true,
                "request-answered" => line.departs.is_none(),
                _ => false,
            };
            if over {
                self.requests.remove(&open.serial);
                self.request(open.serial, request, (line.at, true), header, out)?;
            } else {
                self.requests.insert(open.serial);
            }
        }
        self.count_log(happening, line.at, header, state, out)
    }
}

fn behind_track(broker: i32) -> String {
    format!("broker {broker} behind (records)")
}

fn lag_track(broker: i32) -> String {
    format!("broker {broker} not caught up for (ms)")
}

fn fetch_of<'a, 'b>(happening: &'b Happening<'a>) -> Option<&'b FetchView<'a>> {
    match happening {
        Happening::FetchSent { fetch, .. }
        | Happening::FetchRead { fetch, .. }
        | Happening::FetchWaits { fetch, .. }
        | Happening::FetchAnswered { fetch, .. }
        | Happening::Handled { subject: Subject::Fetch(fetch), .. } => Some(fetch),
        _ => None,
    }
}

fn request_of<'b>(happening: &'b Happening<'_>) -> Option<&'b RequestView> {
    match happening {
        Happening::RequestWaits(request)
        | Happening::RequestSent { request, .. }
        | Happening::RequestQueued(request)
        | Happening::RequestAnswered { request, .. }
        | Happening::RequestRetries { request, .. }
        | Happening::RequestFailed(request)
        | Happening::Handled { subject: Subject::Request(request), .. } => Some(request),
        _ => None,
    }
}

/// Where instants of a kind are shown; none: it is shown in another way.
fn instants(line: &Line) -> Option<&'static str> {
    match line.kind.name {
        "isr-judged" => Some("ISR check"),
        "isr-shrink" | "isr-expand" => Some("ISR changes"),
        "elected" | "election-refused" | "truncated" => Some("elections"),
        "violation" => Some("violations"),
        "put-aside" => Some("put aside in a pause"),
        "timestamps-rejected" => Some("rejected timestamps"),
        "mirror-step" | "share-step" => Some("steps"),
        "request-refused" | "request-timed-out" | "request-retries" | "request-failed"
        | "request-dropped" | "request-queued" | "request-waits" => Some("trouble and waits"),
        _ => None,
    }
}

impl Exporter for Chrome {
    fn begin(&mut self, header: &Header, out: &mut dyn Write) -> io::Result<()> {
        let told = Arguments::default()
            .with("made_by", &Value::Text(format!("isrlab {VERSION}")))
            .with("scenario", &Value::Text(header.scenario.clone()))
            .with("criterion", &Value::Text(header.criterion.clone()))
            .with("seed", &Value::Count(header.seed))
            .with("from_ms", &Value::time(header.window.from))
            .with("until_ms", &Value::time(header.window.until));
        write!(out, "{{\"displayTimeUnit\":\"ms\",\"otherData\":{},\n\"traceEvents\":[", told.json())
    }

    fn line(
        &mut self,
        header: &Header,
        state: &State,
        line: &Line,
        told: Told<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for &partition in &line.partitions {
            self.meet_partition(partition, header, state, out)?;
        }
        if let Some(thread) = instants(line) {
            let process = match (line.kind.name, line.partitions.first()) {
                ("isr-shrink" | "isr-expand" | "elected" | "election-refused" | "truncated", Some(&one)) => {
                    Process::Partition(one)
                }
                _ => Process::of(line.from),
            };
            self.instant((process, thread), line, header, out)?;
        }
        match told {
            // A caught-up time that moves comes of the same happening as the read before it.
            Told::Happening(_) if line.kind.name == "caught-up" => Ok(()),
            Told::Happening(happening) => {
                self.follow(happening, line, header, state, out)?;
                match happening {
                    Happening::Handled { kind: "fault-ends", subject: Subject::Fault(fault) } => {
                        let since = state.faults()[*fault].unwrap_or(header.window.from);
                        self.fault(*fault, (since, line.at), header, out)
                    }
                    Happening::Handled { kind: "fault-starts", .. } => {
                        self.instant((Process::Faults, "begins"), line, header, out)
                    }
                    _ => Ok(()),
                }
            }
            Told::IsrChange(change) => {
                let known = state.partition(change.partition);
                let size = change.new_isr.len() as i64;
                if change.kind == IsrChangeKind::Shrink {
                    for replica in &change.replicas {
                        let since = known.replicas[replica.slot].in_isr_since.unwrap_or(line.at);
                        let who = (change.partition, replica.broker);
                        self.in_isr(who, (since, line.at), header, out)?;
                    }
                }
                let process = Process::Partition(change.partition);
                self.counter(process, "ISR size", (line.at, size), header, out)
            }
            Told::Other => match (line.kind.name, line.value("rule"), line.value("true_messages")) {
                ("lag", Some(Value::Text(rule)), Some(Value::Int(truth))) => {
                    let process = Process::of(line.from);
                    if let Some(Value::Int(reported)) = line.value("reported_messages") {
                        self.counter(process, rule, (line.at, *reported), header, out)?;
                    }
                    self.counter(process, "true lag", (line.at, *truth), header, out)
                }
                _ => Ok(()),
            },
        }
    }

    fn end(
        &mut self,
        header: &Header,
        state: &State,
        footer: &Footer,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (fetcher, seen) in std::mem::take(&mut self.fetches) {
            if let Some(open) = state.fetch(fetcher) {
                let open = open.clone();
                self.fetch(fetcher, &seen, &open, (footer.until.max(open.sent), None), header, out)?;
            }
        }
        for open in state.requests() {
            if self.requests.contains(&open.serial) {
                self.request(open.serial, &open.view, (footer.until, false), header, out)?;
            }
        }
        for partition in self.partitions.clone() {
            let known = state.partition(partition);
            for (slot, &broker) in header.names.layout().partitions[partition].brokers.iter().enumerate() {
                if let Some(since) = known.replicas[slot].in_isr_since {
                    self.in_isr((partition, broker), (since, footer.until), header, out)?;
                }
            }
        }
        for (fault, since) in state.faults().iter().enumerate() {
            if let Some(since) = since.filter(|&since| since <= footer.until) {
                self.fault(fault, (since, footer.until), header, out)?;
            }
        }
        writeln!(out, "\n]}}")
    }
}

impl Chrome {
    fn fault(
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

impl Process {
    fn of(actor: Actor) -> Self {
        match actor {
            Actor::Producer(producer) => Process::Producer(producer),
            Actor::Broker(id) => Process::Broker(id),
            Actor::Mirror(mirror) => Process::Mirror(mirror),
            Actor::ShareGroup(group) => Process::ShareGroup(group),
            Actor::Faults => Process::Faults,
        }
    }
}
