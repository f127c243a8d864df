//! A run can be stopped whatever it is doing.

mod common;

use common::*;
use isrlab_sim::cluster::{Cluster, NoObserver, RunEnd, RunOptions};
use isrlab_sim::engine::SimDuration;

/// Runs until asked for the third time whether to go on; the virtual times of the questions.
fn asked(sample_every: Option<SimDuration>, duration_ms: u64, interval_ms: u64) -> (RunEnd, Vec<u64>) {
    let mut spec = one_partition("post-4485", 2, duration_ms);
    spec.producers[0].arrivals = every_ms(1, interval_ms);
    let mut times = Vec::new();
    let mut keep_going = |now: isrlab_sim::engine::SimTime| {
        times.push(now.as_nanos());
        times.len() < 3
    };
    let mut cluster = Cluster::new(&spec, 1).unwrap();
    let (end, _) = cluster.run(&RunOptions { sample_every }, &mut NoObserver, &mut keep_going).unwrap();
    (end, times)
}

#[test]
fn while_there_are_events() {
    let (end, times) = asked(None, 10_000_000, 1);
    assert_eq!((end, times.len()), (RunEnd::Interrupted, 3));
}

#[test]
fn while_there_are_only_samples_between_two_events() {
    let (end, times) = asked(Some(SimDuration::from_nanos(1)), 10_000, 10_000);
    assert_eq!((end, times.len()), (RunEnd::Interrupted, 3));
    assert!(times[2] < 1_000_000, "within the first millisecond: {times:?}");
}

#[test]
fn while_there_are_only_samples_to_the_end() {
    let (end, times) = asked(Some(SimDuration::from_nanos(10)), 1, 10_000);
    assert_eq!((end, times.len()), (RunEnd::Interrupted, 3), "100,000 samples make three questions");
}
