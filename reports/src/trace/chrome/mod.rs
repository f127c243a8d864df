//! The Trace Event Format, which Perfetto and `chrome://tracing` read: brokers, producers and
//! partitions as processes, fetches and faults as spans, offsets and lags as counters.

mod arguments;
mod counters;
mod spans;
mod tracks;

use super::export::{Exporter, Footer, Header, Told};
use super::line::{Line, Value};
use super::names::Actor;
use super::state::{OpenFetch, State};
use crate::VERSION;
use arguments::Arguments;
use isrlab_sim::cluster::IsrChangeKind;
use isrlab_sim::cluster::happening::{FetchView, Happening, RequestView, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use tracks::{Process, Tracks};

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

impl Chrome {
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
                Some(open) if !open.over => drop(self.fetches.insert(fetch.fetcher, seen)),
                _ => {}
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
            // The end of an earlier fetch is among the lines that were not shown.
            let same = |open: &&OpenFetch| open.number == seen.number && !open.over;
            if let Some(open) = state.fetch(fetcher).filter(same) {
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
