//! What the simulation is held against: loops that handle as many events and do nothing else.

use crate::measure::cpu_seconds;
use crate::workload::jitter;
use isrlab_sim::engine::{Scheduler, SimDuration, SimTime, Streams};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

/// One source of events: the first at `first`, then each `every`, nanoseconds; or, without an
/// interval, after the next of a table of latencies.
#[derive(Clone, Copy)]
pub struct Source {
    first: u64,
    every: Option<u64>,
}

const JITTERS: usize = 1 << 12;

/// Latencies of a link with jitter, drawn beforehand: the bare loops draw nothing.
fn jitters() -> Vec<u64> {
    let mut stream = Streams::new(1).stream("bench", "jitter");
    (0..JITTERS).map(|_| jitter().sample(&mut stream).as_nanos()).collect()
}

/// What one partition has pending: an arrival, two fetches, the check.
pub fn one_partition() -> Vec<Source> {
    let source = |first_ms: u64, every_ms: u64| Source {
        first: first_ms * 1_000_000,
        every: Some(every_ms * 1_000_000),
    };
    vec![source(1, 1), source(1, 1), source(2, 1), source(5_000, 5_000)]
}

/// What producers that wait for answers have pending: an arrival, a request and an answer each,
/// requests and answers `latency` on their way; and the fetches of three brokers.
pub fn producers(count: u64, latency: Option<u64>) -> Vec<Source> {
    let source = |index: u64| Source {
        first: 1_000_000 + 997 * index % 1_000_000,
        every: match index {
            index if index < count => Some(1_000_000),
            index if index < 3 * count => latency,
            _ => Some(10_000_000),
        },
    };
    (0..3 * count + 9).map(source).collect()
}

/// CPU seconds of the engine's own scheduler for so many events.
pub fn engine_alone(sources: &[Source], events: u64) -> f64 {
    let jitters = jitters();
    let gap = |source: Source, at: u64| source.every.unwrap_or_else(|| jitters[at as usize % JITTERS]);
    cpu_seconds(|| {
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
    })
}

/// CPU seconds of a loop over the standard library's heap for so many events.
pub fn bare_heap(sources: &[Source], events: u64) -> f64 {
    let jitters = jitters();
    let gap = |source: Source, at: u64| source.every.unwrap_or_else(|| jitters[at as usize % JITTERS]);
    cpu_seconds(|| {
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
    })
}
