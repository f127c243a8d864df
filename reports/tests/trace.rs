//! Traces: they tell of every event of a run, change nothing of it, and are what their table says.

mod common;

use common::assert_file;
use isrlab_reports::trace::kinds::{FIELDS, KINDS, is_frame};
use isrlab_reports::trace::{
    Filter, Names, TraceFormat, TraceRequest, Traced, Window, trace, trace_reference,
};
use isrlab_reports::{ClusterSimulator, ExitCode};
use isrlab_scenarios::{Scenario, library};
use isrlab_sim::cluster::{Cluster, NoObserver, RunOptions, RunSummary};
use isrlab_sim::engine::SimTime;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn scenario(name: &str) -> Scenario {
    Scenario::from_library(name).unwrap_or_else(|error| panic!("{error}"))
}

/// A trace of the whole run under the scenario's first criterion, without a limit.
fn request(scenario: &Scenario, format: TraceFormat) -> TraceRequest {
    let spec = scenario.cluster_spec(&scenario.variants()[0]).unwrap();
    let window = Window::new(None, None, spec.duration).unwrap();
    TraceRequest {
        scenario: scenario.name().to_owned(),
        spec,
        seed: scenario.seed(),
        window,
        filter: Filter::default(),
        limit: Some(u64::MAX),
        format,
    }
}

fn traced(request: &TraceRequest) -> (Traced, String) {
    let mut out = Vec::new();
    let traced = trace(request, &ClusterSimulator, &mut out, &AtomicBool::new(false)).unwrap();
    (traced, String::from_utf8(out).unwrap())
}

fn parse(text: &str) -> Vec<serde_json::Map<String, Value>> {
    let line = |line: &str| match serde_json::from_str(line) {
        Ok(Value::Object(object)) => object,
        other => panic!("{other:?} of {line}"),
    };
    text.lines().map(line).collect()
}

fn untraced(request: &TraceRequest) -> RunSummary {
    let mut cluster = Cluster::new(&request.spec, request.seed).unwrap();
    cluster.run(&RunOptions::default(), &mut NoObserver, &mut |_| true).unwrap().1
}

/// Scenarios that together have every part of the simulator in them.
const SCENARIOS: [&str; 7] = [
    "kafka-4485",
    "follower-pause",
    "timestamps-failover",
    "timestamps-retries",
    "timestamps",
    "mirror-lag-restart",
    "share-lag",
];

#[test]
fn a_trace_has_every_event_of_the_run_and_changes_none() {
    for name in SCENARIOS {
        let request = request(&scenario(name), TraceFormat::JsonLines);
        let summary = untraced(&request);
        let (traced, text) = traced(&request);
        assert_eq!(traced.exit_code(), ExitCode::Held);
        let lines = parse(&text);
        let mut events = BTreeSet::new();
        let mut handled: BTreeMap<&str, u64> = BTreeMap::new();
        for line in &lines {
            let kind = line["kind"].as_str().unwrap();
            if let Some(event) = line["event"].as_u64() {
                events.insert(event);
            }
            *handled.entry(kind).or_default() += 1;
        }
        assert_eq!(events.len() as u64, summary.events, "{name}: events");
        assert_eq!(events.last().copied(), Some(summary.events), "{name}: the last event's number");
        assert_eq!(traced.events, summary.events, "{name}: events counted");
        for (kind, count) in &summary.exercised.events {
            assert_eq!(handled.get(kind).copied().unwrap_or(0), *count, "{name}: {kind}");
        }
        let of = |kind| handled.get(kind).copied().unwrap_or(0);
        assert_eq!(of("isr-expand"), summary.isr_expands, "{name}");
        let frame = lines.iter().filter(|line| is_frame(line["kind"].as_str().unwrap())).count() as u64;
        assert_eq!(frame + traced.lines, lines.len() as u64, "{name}: lines");
        assert_eq!(lines.last().unwrap()["run"], "complete");
    }
}

#[test]
fn every_line_has_the_fields_of_its_kind_and_time_never_goes_back() {
    let mut met: BTreeSet<String> = BTreeSet::new();
    let unusual = Scenario::parse(UNUSUAL, "unusual.toml").unwrap_or_else(|error| panic!("{error}"));
    let scenarios = library().iter().map(|entry| scenario(entry.name)).chain([unusual]);
    for scenario in scenarios {
        let origin = scenario.name().to_owned();
        let (_, text) = traced(&request(&scenario, TraceFormat::JsonLines));
        let mut before = 0.0;
        for line in parse(&text) {
            let name = line["kind"].as_str().unwrap();
            let kind = KINDS.iter().find(|kind| kind.name == name).expect("a known kind");
            let mut fields: Vec<&str> = line.keys().map(String::as_str).collect();
            let mut wanted = ["time_ms", "event", "kind"].to_vec();
            wanted.extend(kind.fields);
            fields.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(fields, wanted, "{origin}: {name}");
            let time = line["time_ms"].as_f64().unwrap();
            assert!(time >= before, "{origin}: {time} after {before}");
            before = time;
            if !met.contains(name) {
                met.insert(name.to_owned());
            }
        }
    }
    let never: Vec<&str> = KINDS.iter().map(|kind| kind.name).filter(|name| !met.contains(*name)).collect();
    assert_eq!(never, ["violation"], "the command line's tests have one of these");
}

/// What no scenario of the library comes to: a producer out of memory, an election of a broker in a
/// pause, logs that are cut.
const UNUSUAL: &str = r#"title = "unusual"
duration = "5s"
brokers = 2
compare = ["kafka-0.10.2"]

[[topic]]
name = "orders"
replicas = [1, 2]

[[producer]]
name = "p"
topic = "orders"
"buffer.memory" = 300
arrivals = { kind = "poisson", mean = "1ms" }

[[fault]]
name = "pause"
kind = "pause"
broker = 2
at = "1s"
for = "1s"

[[fault]]
name = "too-early"
kind = "election"
leader = 2
at = "1.5s"

[[fault]]
name = "moves"
kind = "election"
leader = 2
at = "3s"
"#;

#[test]
fn a_window_is_what_the_whole_run_has_there() {
    for name in ["kafka-4485", "timestamps-retries", "share-lag"] {
        let whole = request(&scenario(name), TraceFormat::JsonLines);
        let (_, all) = traced(&whole);
        let (from, until) = (SimTime::from_millis(19_990), SimTime::from_millis(20_055));
        let part = TraceRequest { window: Window { from, until }, ..whole };
        let (_, some) = traced(&part);
        let wanted: Vec<_> = parse(&all)
            .into_iter()
            .filter(|line| !is_frame(line["kind"].as_str().unwrap()))
            .filter(|line| (19_990.0..=20_055.0).contains(&line["time_ms"].as_f64().unwrap()))
            .collect();
        let got: Vec<_> =
            parse(&some).into_iter().filter(|line| !is_frame(line["kind"].as_str().unwrap())).collect();
        assert!(!wanted.is_empty(), "{name}: there is something to compare");
        assert_eq!(got, wanted, "{name}");
    }
}

#[test]
fn filters_keep_what_they_name_and_drop_the_rest() {
    let all = request(&scenario("kafka-4485"), TraceFormat::JsonLines);
    let names = Names::of(&all.spec);
    let kept = |partitions: &[&str], brokers: &[i32], kinds: &[&str]| {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
        let filter = Filter::new(&names, &owned(partitions), brokers, &owned(kinds)).unwrap();
        parse(&traced(&TraceRequest { filter, ..all.clone() }).1)
    };
    let whole = kept(&[], &[], &[]);
    let judged = kept(&[], &[], &["isr-judged"]);
    let wanted: Vec<_> = whole.iter().filter(|line| line["kind"] == "isr-judged").collect();
    assert_eq!(judged[1..judged.len() - 1].iter().collect::<Vec<_>>(), wanted);
    let of_3 = kept(&[], &[3], &["isr-judged", "fault-starts", "isr-shrink"]);
    assert!(of_3.iter().filter(|line| line["kind"] == "isr-judged").all(|line| line["follower"] == 3));
    assert_eq!(of_3.iter().filter(|line| line["kind"] == "fault-starts").count(), 14);
    assert!(!of_3.iter().any(|line| line["kind"] == "isr-shrink"), "broker 3 is never removed");
    let of_partition = kept(&["orders-0"], &[], &[]);
    assert!(!of_partition.iter().any(|line| line["kind"] == "isr-check"), "a check is of a broker");
    assert!(of_partition.len() < whole.len());
}

#[test]
fn traces_are_the_same_bytes_every_time() {
    for format in [TraceFormat::Text, TraceFormat::JsonLines, TraceFormat::Mermaid, TraceFormat::Chrome] {
        let request = request(&scenario("timestamps-failover"), format);
        let (first, second) = (traced(&request).1, traced(&request).1);
        assert!(!first.is_empty() && first == second, "{format:?}");
    }
}

#[test]
fn the_limit_counts_what_it_leaves_out() {
    let all = request(&scenario("kafka-4485"), TraceFormat::JsonLines);
    let (whole, _) = traced(&all);
    let cut = TraceRequest { limit: Some(7), ..all };
    let (some, text) = traced(&cut);
    assert_eq!((some.lines, some.lines + some.left_out), (7, whole.lines));
    assert_eq!(some.exit_code(), ExitCode::Inconclusive);
    let lines = parse(&text);
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[8]["left_out_lines"], some.left_out);
    let notes = some.notes(&cut);
    assert!(
        notes[0].starts_with("note: 7 lines of 75,780 are here, the last at 0.001 s; 75,773 are left out")
    );
}

#[test]
fn documentation_follows_the_table() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/trace.md");
    let wanted = trace_reference();
    assert_file(&page, wanted.as_bytes());
    assert!(FIELDS.iter().all(|field| wanted.contains(&format!("| `{}` |", field.name))));
}
