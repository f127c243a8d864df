//! The sections of the output.

use crate::bare::{Source, bare_heap, engine_alone, one_partition, producers};
use crate::measure::{build, median, run_to_end, simulate};
use crate::workload::{Workload, jitter};
use allocation_counter::measure;
use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::engine::{Distribution, SimDuration};

/// A table, and what to say before it.
pub struct Section {
    pub name: &'static str,
    pub explanation: &'static str,
    pub run: fn(),
}

/// All of them, in the order of the output.
pub const SECTIONS: [Section; 4] = [
    Section {
        name: "against",
        explanation: "\
The whole simulation (protocol, links, statistics, invariants after every event) beside two loops
that handle as many events, from as many sources, and do nothing else: one over Rust's BinaryHeap,
one over this engine's own queue. All three in CPU time, in turn, in this process; each column is
the median of the rounds.
  events      events handled in a run
  sources     events that are pending in the bare loops at any time
  heap        million events per CPU second, bare loop over BinaryHeap
  engine      the same, bare loop over the engine's queue
  whole       the same, the whole simulation
  whole/heap  speed of the whole simulation, the heap loop's being 1 (higher is better)
  whole/eng   the same with the engine's loop as 1",
        run: against,
    },
    Section {
        name: "partitions",
        explanation: "\
Cost of an event by the number of partitions, each with a producer of one record per millisecond
(acks=1) and two followers. A fetch is one event however many partitions it names.
  ns/event    CPU nanoseconds per event, median of the rounds
  ns/step     CPU nanoseconds per append or fetch of one partition: what a leader does
  state       bytes that the cluster holds in memory, per partition",
        run: by_partitions,
    },
    Section {
        name: "followers",
        explanation: "\
Cost of an event by the number of followers of one partition (acks=0).
  ns/event    CPU nanoseconds per event, median of the rounds
  ns/step     CPU nanoseconds per append or fetch: what a leader does",
        run: by_followers,
    },
    Section {
        name: "length",
        explanation: "\
Memory by the length of the run: it must not grow. 100 partitions, latencies drawn at random.
  built       bytes that the cluster holds before its first event
  peak        bytes at the most during the run, building included
  requests    times that memory was asked for during the run",
        run: by_length,
    },
];

const MILLISECOND: SimDuration = SimDuration::from_millis(1);

/// A name, a cluster for so many virtual seconds, and the sources of the bare loops.
type Case = (&'static str, &'static str, fn(u64) -> ClusterSpec, fn() -> Vec<Source>, u64);

const CASES: [Case; 4] = [
    (
        "a",
        "1 partition, 2 followers",
        |seconds| Workload::one_partition(2, SimDuration::from_secs(seconds)).cluster(),
        one_partition,
        1300,
    ),
    (
        "b",
        "1000 partitions on 3 brokers",
        |seconds| thousand(seconds, Distribution::Constant(MILLISECOND)),
        || producers(1000, Some(1_000_000)),
        3,
    ),
    ("c", "as b, latencies drawn", |seconds| thousand(seconds, jitter()), || producers(1000, None), 3),
    (
        "d",
        "as c, 100 partitions",
        |seconds| Workload::partitions(100, SimDuration::from_secs(seconds), jitter()).cluster(),
        || producers(100, None),
        30,
    ),
];

fn thousand(seconds: u64, produce: Distribution) -> ClusterSpec {
    Workload::partitions(1000, SimDuration::from_secs(seconds), produce).cluster()
}

/// One run of a case and nothing else, for a profiler.
pub fn once(name: &str, seconds: u64) {
    let case = CASES.iter().find(|case| case.0 == name).expect("a, b, c or d");
    let (summary, cpu) = simulate(&case.2(seconds));
    println!("{} events, {:.1} ns each", summary.events, cpu * 1e9 / summary.events as f64);
}

fn against() {
    const ROUNDS: usize = 7;
    println!(
        "{:<36} {:>9} {:>8} {:>7} {:>7} {:>7} {:>11} {:>10}",
        "", "events", "sources", "heap", "engine", "whole", "whole/heap", "whole/eng"
    );
    for (name, title, cluster, sources, seconds) in CASES {
        let (spec, sources) = (cluster(seconds), sources());
        let [mut heap, mut engine, mut whole, mut to_heap, mut to_engine] = [const { Vec::new() }; 5];
        let mut events = 0;
        for _ in 0..ROUNDS {
            let (summary, seconds) = simulate(&spec);
            let count = summary.events;
            events = count;
            let heap_s = bare_heap(&sources, count);
            let engine_s = engine_alone(&sources, count);
            to_heap.push(heap_s / seconds);
            to_engine.push(engine_s / seconds);
            let rate = |seconds: f64| count as f64 / seconds / 1e6;
            heap.push(rate(heap_s));
            engine.push(rate(engine_s));
            whole.push(rate(seconds));
        }
        println!(
            "{:<36} {events:>9} {:>8} {:>7.1} {:>7.1} {:>7.1} {:>11.2} {:>10.2}",
            format!("({name}) {title}"),
            sources.len(),
            median(heap),
            median(engine),
            median(whole),
            median(to_heap),
            median(to_engine),
        );
    }
}

/// A run's cost, medians of some rounds: nanoseconds per event, and per step of a leader.
fn cost(spec: &ClusterSpec) -> (u64, f64, f64) {
    const ROUNDS: usize = 5;
    let (mut per_event, mut per_step, mut events) = (vec![], vec![], 0);
    for _ in 0..ROUNDS {
        let (summary, seconds) = simulate(spec);
        events = summary.events;
        per_event.push(seconds * 1e9 / summary.events as f64);
        per_step.push(seconds * 1e9 / summary.exercised.invariant_checks as f64);
    }
    (events, median(per_event), median(per_step))
}

fn by_partitions() {
    println!("{:>10} {:>9} {:>9} {:>8} {:>7}", "partitions", "events", "ns/event", "ns/step", "state");
    for partitions in [1, 10, 100, 1_000, 10_000] {
        let length = SimDuration::from_micros(2_000_000_000 / partitions as u64);
        let workload = Workload::partitions(partitions, length, Distribution::Constant(MILLISECOND));
        let spec = workload.cluster();
        let (events, per_event, per_step) = cost(&spec);
        let mut cluster = None;
        let built = measure(|| cluster = Some(build(&spec)));
        let state = built.bytes_current / partitions as i64;
        println!("{partitions:>10} {events:>9} {per_event:>9.1} {per_step:>8.1} {state:>7}");
    }
}

fn by_followers() {
    println!("{:>10} {:>9} {:>9} {:>8}", "followers", "events", "ns/event", "ns/step");
    for followers in [1, 2, 4, 7] {
        let spec = Workload::one_partition(followers, SimDuration::from_secs(500)).cluster();
        let (events, per_event, per_step) = cost(&spec);
        println!("{followers:>10} {events:>9} {per_event:>9.1} {per_step:>8.1}");
    }
}

fn by_length() {
    println!(
        "{:>10} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "length", "events", "ns/event", "built", "peak", "requests"
    );
    for seconds in [1, 10, 100] {
        let spec = Workload::partitions(100, SimDuration::from_secs(seconds), jitter()).cluster();
        let (mut built, mut run, mut events, mut cpu) = (None, None, 0, 0.0);
        let whole = measure(|| {
            let mut cluster = None;
            built = Some(measure(|| cluster = Some(build(&spec))));
            let mut cluster = cluster.expect("it was just built");
            run = Some(measure(|| {
                let (summary, seconds) = run_to_end(&mut cluster);
                (events, cpu) = (summary.events, seconds);
            }));
        });
        let (built, run) = (built.expect("measured"), run.expect("measured"));
        println!(
            "{:>10} {events:>9} {:>9.1} {:>9} {:>9} {:>9}",
            format!("{seconds} s"),
            cpu * 1e9 / events as f64,
            built.bytes_current,
            whole.bytes_max,
            run.count_total,
        );
    }
}
