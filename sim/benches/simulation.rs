//! The whole simulation beside the engine alone and beside a bare loop over Rust's `BinaryHeap`,
//! in one run, in events per second of CPU time and as ratios.
//!
//! `cargo bench -p isrlab-sim --bench simulation`
//!
//! The engine and the bare loop handle as many events as the simulation did, from periodic sources
//! that keep as many of them pending, at the same distances in time; each event schedules the
//! next of its source. What the simulation adds is the protocol, the links, the statistics and
//! the invariants after each event.

use cpu_time::ProcessTime;
use isrlab_sim::cluster::spec::*;
use isrlab_sim::cluster::{Cluster, ClusterSpec, NoObserver, RunOptions};
use isrlab_sim::engine::{Distribution, Scheduler, SimDuration, SimTime, Streams};
use isrlab_sim::protocol::{Acks, Profile};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

/// One source of events: the first at `first`, then each `every`, nanoseconds; or, without an
/// interval, after the next of the [`jitters`].
#[derive(Clone, Copy)]
struct Source {
    first: u64,
    every: Option<u64>,
}

const JITTERS: usize = 1 << 12;

/// Latencies of a link with jitter, drawn beforehand: the bare loops draw nothing.
fn jitters() -> Vec<u64> {
    let mut stream = Streams::new(1).stream("bench", "jitter");
    (0..JITTERS).map(|_| jitter().sample(&mut stream).as_nanos()).collect()
}

/// A request's or answer's latency where there is jitter: 0.5 to 1.5 ms.
fn jitter() -> Distribution {
    Distribution::Uniform { min: SimDuration::from_micros(500), max: SimDuration::from_micros(1500) }
}

fn link(latency: Distribution) -> LinkSpec {
    LinkSpec { request_latency: latency, response_latency: latency, bandwidth: None }
}

/// `partitions` partitions on three brokers, each with a producer of one record per millisecond
/// whose requests and answers take `produce` each way, and followers whose fetches take `fetch`
/// each way.
fn cluster(
    partitions: usize,
    seconds: u64,
    acks: Acks,
    produce: Distribution,
    fetch: SimDuration,
) -> ClusterSpec {
    let profile: Profile = "post-4485".parse().expect("a profile");
    let partition = |number: usize| {
        let leader = number % 3;
        PartitionSpec {
            replicas: (0..3).map(|step| ((leader + step) % 3) as i32 + 1).collect(),
            start: PartitionStart::Established,
            min_insync_replicas: None,
        }
    };
    let producer = |number: usize| ProducerSpec {
        partitioner: Partitioner::Partition(number),
        acks,
        ..ProducerSpec::new(
            &format!("p{number}"),
            0,
            Arrivals::Constant {
                first: SimTime::from_nanos(1_000_000 + 997 * number as u64 % 1_000_000),
                interval: SimDuration::from_millis(1),
                until: None,
            },
        )
    };
    ClusterSpec {
        profile,
        replication: ReplicationSettings::of_profile(&profile),
        duration: SimDuration::from_secs(seconds),
        brokers: (1..=3).map(BrokerSpec::new).collect(),
        topics: vec![TopicSpec {
            name: "t".into(),
            partitions: (0..partitions).map(partition).collect(),
            timestamps: None,
        }],
        producers: (0..partitions).map(producer).collect(),
        links: LinksSpec {
            follower: link(Distribution::Constant(fetch)),
            producer: link(produce),
            overrides: vec![],
        },
        faults: vec![],
        lag: Default::default(),
    }
}

/// Runs the simulation; returns events and CPU seconds.
fn simulate(spec: &ClusterSpec) -> (u64, f64) {
    let mut cluster = Cluster::new(spec, 1).expect("a sound specification");
    let start = ProcessTime::now();
    let (_, summary) =
        cluster.run(&RunOptions::default(), &mut NoObserver, &mut |_| true).expect("no violation");
    (summary.events, start.elapsed().as_secs_f64())
}

/// The same number of events from as many sources as the simulation has pending.
fn engine_alone(sources: &[Source], events: u64) -> f64 {
    let jitters = jitters();
    let gap = |source: Source, at: u64| source.every.unwrap_or_else(|| jitters[at as usize % JITTERS]);
    let start = ProcessTime::now();
    let mut scheduler = Scheduler::new();
    for (index, source) in sources.iter().enumerate() {
        scheduler.schedule(SimTime::from_nanos(source.first), index as u32);
    }
    let mut sum = 0u64;
    for event in 0..events {
        let index = scheduler.pop().expect("sources never end");
        sum = sum.wrapping_add(u64::from(index));
        scheduler.schedule_in(SimDuration::from_nanos(gap(sources[index as usize], event)), index);
    }
    black_box(sum);
    start.elapsed().as_secs_f64()
}

fn bare_heap(sources: &[Source], events: u64) -> f64 {
    let jitters = jitters();
    let gap = |source: Source, at: u64| source.every.unwrap_or_else(|| jitters[at as usize % JITTERS]);
    let start = ProcessTime::now();
    let mut heap = BinaryHeap::new();
    let mut sequence = 0u64;
    for (index, source) in sources.iter().enumerate() {
        heap.push(Reverse((source.first, sequence, index as u32)));
        sequence += 1;
    }
    let mut sum = 0u64;
    for event in 0..events {
        let Reverse((time, _, index)) = heap.pop().expect("sources never end");
        sum = sum.wrapping_add(u64::from(index));
        heap.push(Reverse((time + gap(sources[index as usize], event), sequence, index)));
        sequence += 1;
    }
    black_box(sum);
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Measures the three in turn, and prints a row.
fn compare(name: &str, spec: &ClusterSpec, sources: &[Source], rounds: usize) {
    let (mut heap, mut engine, mut whole) = (vec![], vec![], vec![]);
    let (mut heap_ratio, mut engine_ratio) = (vec![], vec![]);
    let mut events = 0;
    for _ in 0..rounds {
        let (count, seconds) = simulate(spec);
        events = count;
        let heap_s = bare_heap(sources, count);
        let engine_s = engine_alone(sources, count);
        heap_ratio.push(heap_s / seconds);
        engine_ratio.push(engine_s / seconds);
        let rate = |seconds: f64| count as f64 / seconds / 1e6;
        heap.push(rate(heap_s));
        engine.push(rate(engine_s));
        whole.push(rate(seconds));
    }
    println!(
        "{name:<46} {events:>10} {:>8} {:>9.1} {:>9.1} {:>9.1} {:>10.2} {:>10.2}",
        sources.len(),
        median(heap),
        median(engine),
        median(whole),
        median(heap_ratio),
        median(engine_ratio),
    );
}

fn main() {
    println!(
        "{:<46} {:>10} {:>8} {:>9} {:>9} {:>9} {:>10} {:>10}",
        "M events per CPU second",
        "events",
        "pending",
        "bare heap",
        "engine",
        "whole",
        "whole/heap",
        "whole/eng"
    );
    // (a) One partition: one producer, two followers, and the checks: about four pending.
    let millisecond = SimDuration::from_millis(1);
    let one = cluster(1, 1300, Acks::None, Distribution::Constant(SimDuration::ZERO), millisecond);
    let sources = [
        Source { first: 1_000_000, every: Some(1_000_000) },
        Source { first: 1_000_000, every: Some(1_000_000) },
        Source { first: 2_000_000, every: Some(1_000_000) },
        Source { first: 5_000_000_000, every: Some(5_000_000_000) },
    ];
    compare("(a) 1 partition, 2 followers", &one, &sources, 7);
    // (b) 1000 partitions on 3 brokers, requests and answers 1 ms on their way: of each producer
    // one arrival, one request and one answer are pending.
    let constant = Distribution::Constant(millisecond);
    let many = cluster(1000, 3, Acks::Leader, constant, SimDuration::from_millis(5));
    compare("(b) 1000 partitions on 3 brokers", &many, &pending(Some(1_000_000)), 5);
    // (c) The same with a latency that is drawn for each request and answer.
    let many = cluster(1000, 3, Acks::Leader, jitter(), SimDuration::from_millis(5));
    compare("(c) as (b), latencies drawn", &many, &pending(None), 5);
}

/// What 1000 producers have pending: an arrival, a request and an answer each.
fn pending(latency: Option<u64>) -> Vec<Source> {
    let source = |index: u64| Source {
        first: 1_000_000 + 997 * index % 1_000_000,
        every: match index {
            0..1000 => Some(1_000_000),
            1000..3000 => latency,
            _ => Some(10_000_000),
        },
    };
    (0..3009).map(source).collect()
}
