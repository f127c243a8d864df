//! Traces for viewers: what the Trace Event Format asks for, checked on whole runs.

use isrlab_reports::ClusterSimulator;
use isrlab_reports::trace::{Filter, Names, TraceFormat, TraceRequest, Window, trace};
use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::{Cluster, NoObserver, RunOptions};
use isrlab_sim::engine::SimTime;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

fn request(name: &str) -> TraceRequest {
    let scenario = Scenario::from_library(name).unwrap_or_else(|error| panic!("{error}"));
    let spec = scenario.cluster_spec(&scenario.variants()[0]).unwrap();
    TraceRequest {
        scenario: name.to_owned(),
        window: Window::new(None, None, spec.duration).unwrap(),
        spec,
        seed: scenario.seed(),
        filter: Filter::default(),
        limit: Some(u64::MAX),
        format: TraceFormat::Chrome,
    }
}

fn events(request: &TraceRequest) -> Vec<Value> {
    let mut out = Vec::new();
    trace(request, &ClusterSimulator, &mut out, &AtomicBool::new(false)).unwrap();
    // JSON has no NaN and no infinity: what parses has none.
    let document: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(document["displayTimeUnit"], "ms");
    document["traceEvents"].as_array().unwrap().clone()
}

fn text<'a>(event: &'a Value, field: &str) -> &'a str {
    event[field].as_str().unwrap_or_else(|| panic!("{field} of {event}"))
}

fn place(event: &Value) -> (u64, u64) {
    (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap())
}

/// Nanoseconds, exactly: times are microseconds with at most three decimals.
fn ns(value: &Value) -> u64 {
    let micros = value.as_f64().unwrap();
    assert!(micros >= 0.0 && micros.is_finite());
    (micros * 1_000.0).round() as u64
}

const SCENARIOS: [&str; 5] =
    ["kafka-4485", "timestamps-failover", "timestamps-retries", "mirror-lag", "share-lag"];

fn of_phase<'a>(events: &'a [Value], phase: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |event| text(event, "ph") == phase)
}

#[test]
fn every_process_and_thread_is_named_once_and_numbers_are_unique() {
    for name in SCENARIOS {
        let events = events(&request(name));
        let mut processes = BTreeSet::new();
        let mut threads = BTreeSet::new();
        for event in of_phase(&events, "M") {
            assert!(event["args"].is_object());
            match text(event, "name") {
                "process_name" => assert!(processes.insert(place(event).0), "{event}"),
                "thread_name" => assert!(threads.insert(place(event)), "{event}"),
                other => assert_eq!(other, "process_sort_index"),
            }
        }
        let tids: BTreeSet<u64> = threads.iter().map(|(_, tid)| *tid).collect();
        assert_eq!(tids.len(), threads.len(), "{name}: threads have numbers of their own");
        assert!(tids.is_disjoint(&processes), "{name}: no thread has a process's number");
        for event in &events {
            assert!(processes.contains(&place(event).0) && threads.contains(&place(event)), "{event}");
            assert!(["M", "X", "b", "e", "i", "C"].contains(&text(event, "ph")), "{event}");
            assert!(!text(event, "name").is_empty());
        }
    }
}

#[test]
fn every_begin_has_its_end() {
    for name in SCENARIOS {
        let events = events(&request(name));
        let mut open: BTreeMap<&str, u64> = BTreeMap::new();
        let mut closed = BTreeSet::new();
        for event in events.iter().filter(|event| ["b", "e"].contains(&text(event, "ph"))) {
            let id = text(event, "id");
            assert_eq!(text(event, "cat"), "produce");
            if text(event, "ph") == "b" {
                assert!(open.insert(id, ns(&event["ts"])).is_none() && !closed.contains(id), "{event}");
            } else {
                let begun = open.remove(id).unwrap_or_else(|| panic!("no begin of {event}"));
                assert!(begun <= ns(&event["ts"]), "{event}");
                closed.insert(id);
            }
        }
        assert!(open.is_empty(), "{name}: {open:?} have no end");
        assert!(!closed.is_empty(), "{name}: there are requests");
    }
}

#[test]
fn time_never_goes_back_on_a_track() {
    for name in SCENARIOS {
        let events = events(&request(name));
        let mut last: BTreeMap<(u64, u64, &str, &str), u64> = BTreeMap::new();
        for event in events.iter().filter(|event| ["C", "i", "X"].contains(&text(event, "ph"))) {
            let phase = text(event, "ph");
            let counter = if phase == "C" { text(event, "name") } else { "" };
            let (pid, tid) = place(event);
            let at = ns(&event["ts"]);
            let before = last.insert((pid, tid, phase, counter), at).unwrap_or(0);
            assert!(before <= at, "{name}: {event} comes after {before} ns");
        }
    }
}

#[test]
fn spans_of_a_thread_are_one_after_the_other_or_one_within_the_other() {
    for name in SCENARIOS {
        let events = events(&request(name));
        let mut spans: BTreeMap<(u64, u64), Vec<(u64, u64)>> = BTreeMap::new();
        for event in of_phase(&events, "X") {
            let (from, length) = (ns(&event["ts"]), ns(&event["dur"]));
            spans.entry(place(event)).or_default().push((from, from + length));
        }
        assert!(!spans.is_empty());
        for (thread, spans) in spans {
            let mut around: Vec<(u64, u64)> = Vec::new();
            for (from, until) in spans {
                while around.last().is_some_and(|outer| outer.1 <= from) {
                    around.pop();
                }
                if let Some(outer) = around.last() {
                    assert!(until <= outer.1, "{name} {thread:?}: {from} to {until} within {outer:?}");
                }
                around.push((from, until));
            }
        }
    }
}

#[test]
fn what_the_viewer_shows_is_what_the_run_counted() {
    let request = request("kafka-4485");
    let events = events(&request);
    let mut cluster = Cluster::new(&request.spec, request.seed).unwrap();
    let (_, summary) = cluster.run(&RunOptions::default(), &mut NoObserver, &mut |_| true).unwrap();
    let count = |phase: &str, name: &str| {
        of_phase(&events, phase).filter(|event| text(event, "name").starts_with(name)).count() as u64
    };
    assert_eq!(count("b", "request "), summary.requests);
    assert_eq!(count("i", "isr-shrink"), summary.isr_shrinks);
    assert_eq!(count("i", "isr-expand"), summary.isr_expands);
    // Three replicas in the ISR at the end but one; each removal ended a span before.
    assert_eq!(count("X", "in the ISR"), summary.isr_shrinks + 2);
    // Fetches that the leader has handled, or that had not come to it at the end.
    let fetches = count("X", "fetch ");
    assert!((summary.fetches..=summary.fetches + 2).contains(&fetches), "{fetches}");
    let faults: u64 = summary.exercised.faults.iter().map(|(_, applied)| applied).sum();
    assert_eq!(count("X", "f3-pause"), faults);
    let leo = of_phase(&events, "C").filter(|event| text(event, "name") == "LEO").last().unwrap();
    assert_eq!(leo["args"]["value"].as_u64(), Some(summary.records_appended));
}

#[test]
fn what_a_limit_or_a_filter_leaves_out_is_no_span() {
    let whole = request("kafka-4485");
    let sound = |request: &TraceRequest, fetches: usize| {
        let events = events(request);
        let spans = of_phase(&events, "X").filter(|event| text(event, "name").starts_with("fetch "));
        assert_eq!(spans.count(), fetches);
        let begun = of_phase(&events, "b").count();
        assert_eq!(begun, of_phase(&events, "e").count());
    };
    let kinds = vec!["fetch-sent".to_owned()];
    let filter = Filter::new(&Names::of(&whole.spec), &[], &[], &kinds).unwrap();
    // Of the fetches that were sent, only those that are under way at the end are known to be so.
    sound(&TraceRequest { filter, ..whole.clone() }, 2);
    sound(&TraceRequest { limit: Some(1), ..whole }, 0);
}

#[test]
fn spans_are_cut_to_the_window_and_say_when_they_began() {
    let (from, until) = (SimTime::from_millis(19_990), SimTime::from_millis(20_010));
    let request = TraceRequest { window: Window { from, until }, ..request("kafka-4485") };
    let events = events(&request);
    for event in events.iter().filter(|event| text(event, "ph") != "M") {
        let end = ns(&event["ts"]) + event.get("dur").map_or(0, ns);
        assert!(ns(&event["ts"]) >= from.as_nanos() && end <= until.as_nanos(), "{event}");
    }
    let fetch = of_phase(&events, "X").find(|event| event["args"]["sent_ms"] == 19980).unwrap();
    assert_eq!((ns(&fetch["ts"]), ns(&fetch["dur"])), (from.as_nanos(), 15_000_000));
    assert_eq!(fetch["args"]["latency_ms"], 25);
    let open = of_phase(&events, "X").filter(|event| event["args"]["under_way_at_the_end"] == true);
    assert_eq!(open.count(), 2, "both followers' fetches are under way");
    let isr: Vec<u64> = of_phase(&events, "C")
        .filter(|event| text(event, "name") == "ISR size")
        .map(|event| event["args"]["value"].as_u64().unwrap())
        .collect();
    assert_eq!(isr, [3, 2]);
}
