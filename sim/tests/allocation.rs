//! In a steady state no event asks for memory, and a run's memory does not grow with its length.
//!
//! Each cluster runs for some seconds and for ten times as long, and the allocator counts. What a
//! run asks for while it settles, and for its summary at the end, is the same in both; if a kind
//! of event asked for memory, the longer run would ask many thousands of times more.

mod common;

use allocation_counter::{AllocationInfo, measure};
use common::*;
use isrlab_sim::cluster::spec::*;
use isrlab_sim::cluster::{
    Cluster, ClusterSpec, IsrChange, Observer, RunOptions, Sample, StampedBatch, Step,
};
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::Acks;
use isrlab_sim::protocol::timestamp::{TimestampPolicy, TimestampRules};

/// Looks at everything and keeps nothing, so that what is told is really made.
#[derive(Default)]
struct Counts {
    steps: u64,
    samples: u64,
    produced: u64,
    stamped: u64,
    isr_changes: u64,
}

impl Observer for Counts {
    fn isr_changed(&mut self, change: &IsrChange) {
        self.isr_changes += change.replicas.len() as u64;
    }

    fn stepped(&mut self, step: &Step<'_>) {
        self.steps += u64::from(step.leader.is_leading());
    }

    fn sampled(&mut self, sample: &Sample<'_>) {
        self.samples += sample.replicas.len() as u64;
    }

    fn produced(&mut self, _: SimTime, _: usize, _: Acks, _: u64) {
        self.produced += 1;
    }

    fn stamped(&mut self, batch: &StampedBatch<'_>) {
        self.stamped += batch.batch.records.len() as u64;
    }
}

/// Runs for so long; what the allocator counted during the run, what the observer saw, and the
/// number of events.
fn run_for(spec: &ClusterSpec, seconds: u64) -> (AllocationInfo, Counts, u64) {
    let spec = ClusterSpec { duration: SimDuration::from_secs(seconds), ..spec.clone() };
    let mut cluster = Cluster::new(&spec, 1).expect("a sound specification");
    let options = RunOptions { sample_every: Some(SimDuration::from_millis(100)) };
    let mut counts = Counts::default();
    let mut events = 0;
    let memory = measure(|| {
        let (_, summary) = cluster.run(&options, &mut counts, &mut |_| true).expect("no violation");
        events = summary.events;
    });
    (memory, counts, events)
}

/// Requires that ten times the length asks for memory as often, and for as much; returns what
/// the longer run's observer saw.
fn assert_steady(name: &str, spec: &ClusterSpec, seconds: u64) -> Counts {
    assert_steady_but_for(0, name, spec, seconds)
}

/// The same, but the tables of what is pending may double `late` times more: where chance decides,
/// the most that are pending at once come late.
fn assert_steady_but_for(late: u64, name: &str, spec: &ClusterSpec, seconds: u64) -> Counts {
    let (short, _, _) = run_for(spec, seconds);
    let (long, counts, events) = run_for(spec, 10 * seconds);
    assert!(events > 20_000, "{name}: {events} events show little");
    assert!(short.count_total > 0, "{name}: the allocator is not counted");
    let more = long.count_total - short.count_total;
    assert!(more <= late, "{name}: {more} allocations more, over {events} events");
    if late == 0 {
        assert_eq!(long.bytes_max, short.bytes_max, "{name}: bytes held at the most");
    }
    counts
}

fn busy(profile: &str, acks: Acks) -> ClusterSpec {
    let mut spec = one_partition(profile, 3, 0);
    let partition = spec.topics[0].partitions[0].clone();
    for leader in 1..3 {
        let mut partition = partition.clone();
        partition.replicas.rotate_left(leader);
        spec.topics[0].partitions.push(partition);
    }
    spec.producers[0].acks = acks;
    spec.producers[0].arrivals = every_ms(5, 2);
    spec.links.producer = LinkSpec::constant(ms(3));
    spec
}

fn jitter(min: u64, max: u64) -> Distribution {
    Distribution::Uniform { min: SimDuration::from_micros(min), max: SimDuration::from_micros(max) }
}

#[test]
fn constant_latencies() {
    for profile in ["max-messages", "pre-4485", "proposed-4485", "post-4485", "equal-leo", "kafka-3.9"] {
        for acks in [Acks::None, Acks::Leader, Acks::All] {
            let counts = assert_steady(profile, &busy(profile, acks), 20);
            assert!(counts.steps > 10_000 && counts.samples > 1_000 && counts.produced > 10_000);
        }
    }
}

#[test]
fn drawn_latencies_service_times_and_arrivals() {
    let mut spec = busy("post-4485", Acks::All);
    spec.links.producer.request_latency = jitter(500, 1_500);
    spec.links.producer.response_latency =
        Distribution::LogNormal { median: SimDuration::from_micros(800), sigma: 0.3 };
    spec.links.follower.response_latency = jitter(2_000, 6_000);
    for broker in &mut spec.brokers {
        broker.service_time = Distribution::Exponential { mean: SimDuration::from_micros(20) };
    }
    spec.producers[0].arrivals = Arrivals::Poisson { start: SimTime::ZERO, mean: ms(2), until: None };
    assert_steady_but_for(8, "drawn", &spec, 300);
}

#[test]
fn limited_bandwidth_and_batches_of_several_sizes() {
    let mut spec = busy("post-4485", Acks::Leader);
    spec.links.producer.bandwidth = Some(1_000_000);
    spec.links.follower.bandwidth = Some(10_000_000);
    let mut large = spec.producers[0].clone();
    large.name = "large".into();
    (large.records_per_request, large.record_bytes) = (3, 250);
    large.arrivals = every_ms(6, 7);
    spec.producers.push(large);
    assert_steady("bandwidth", &spec, 60);
}

#[test]
fn timestamps() {
    let mut spec = busy("kafka-3.9", Acks::All);
    spec.topics[0].timestamps = Some(TimestampPolicy::new(TimestampRules::V2024));
    spec.producers[0].records_per_request = 4;
    let counts = assert_steady("timestamps", &spec, 60);
    assert!(counts.stamped > 100_000);
}

#[test]
fn an_isr_change_asks_once_for_the_list_of_who_left_or_joined() {
    // One follower pauses for longer than the lag time, again and again.
    let mut spec = busy("post-4485", Acks::Leader);
    spec.faults.push(FaultSpec { every: Some(ms(60_000)), ..pause(3, 5_000, 20_000) });
    let (short, few, _) = run_for(&spec, 600);
    let (long, many, events) = run_for(&spec, 6_000);
    assert!(many.isr_changes > few.isr_changes + 100, "{} changes", many.isr_changes);
    let more = long.count_total - short.count_total;
    assert!(more <= 2 * (many.isr_changes - few.isr_changes), "{more} allocations over {events} events");
    assert_eq!(long.bytes_max, short.bytes_max);
}
