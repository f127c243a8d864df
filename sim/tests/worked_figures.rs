//! The cases that were worked out by hand from the versions' rules, to the millisecond.
//!
//! One record each 10 ms from 5 ms on; followers' first fetch arrives at 1 ms; a fetch takes no
//! time to the leader and its answer one round trip back; the lag time is 10 s.

mod common;

use common::*;
use isrlab_sim::cluster::spec::*;
use isrlab_sim::cluster::{ClusterSpec, RunSummary};
use isrlab_sim::engine::SimDuration;

struct Case {
    criterion: &'static str,
    seconds: u64,
    /// Round trip of each follower, milliseconds; brokers 2, 3, …
    round_trips_ms: &'static [u64],
    arrivals: Arrivals,
    pauses: Vec<FaultSpec>,
}

fn steady() -> Arrivals {
    every_ms(5, 10)
}

fn spec(case: &Case) -> ClusterSpec {
    let replicas = 1 + case.round_trips_ms.len() as i32;
    let mut spec = one_partition(case.criterion, replicas, case.seconds * 1000);
    for (&millis, broker) in case.round_trips_ms.iter().zip(2..) {
        spec = with_round_trip(spec, broker, millis);
    }
    spec.producers[0].arrivals = case.arrivals.clone();
    spec.faults = case.pauses.clone();
    spec
}

fn run_case(case: &Case) -> (Log, RunSummary) {
    run(&spec(case), 1, 0)
}

fn seconds(broker: i32, seconds: &[u64]) -> Vec<(i32, u64)> {
    seconds.iter().map(|s| (broker, s * 1000)).collect()
}

#[test]
fn two_replicas_steady() {
    let case = |criterion| Case {
        criterion,
        seconds: 60,
        round_trips_ms: &[25],
        arrivals: steady(),
        pauses: vec![],
    };
    let (old, summary) = run_case(&case("pre-4485"));
    assert_eq!((old.shrinks, old.expands), (seconds(2, &[20]), vec![]));
    assert_eq!(summary.records_appended, 6000);
    let (new, summary) = run_case(&case("post-4485"));
    assert_eq!((new.shrinks, new.expands), (vec![], vec![]));
    assert_eq!(summary.exercised.isr_checks, 12);
}

#[test]
fn two_replicas_in_bursts() {
    let case = |criterion| Case {
        criterion,
        seconds: 120,
        round_trips_ms: &[25],
        arrivals: Arrivals::OnOff {
            on: SimDuration::from_secs(25),
            off: SimDuration::from_secs(1),
            first: SimDuration::from_millis(5),
            interval: SimDuration::from_millis(10),
            until: None,
        },
        pauses: vec![],
    };
    let (old, summary) = run_case(&case("pre-4485"));
    assert_eq!(old.shrinks, seconds(2, &[20, 40, 70, 90, 120]));
    assert_eq!(old.expands, [(2, 25_030), (2, 51_030), (2, 77_030), (2, 103_030)]);
    assert_eq!(summary.flaps, 4);
    let (new, _) = run_case(&case("post-4485"));
    assert_eq!((new.shrinks, new.expands), (vec![], vec![]));
}

#[test]
fn three_replicas_and_one_that_holds_the_high_watermark() {
    let case = |criterion| Case {
        criterion,
        seconds: 70,
        round_trips_ms: &[25, 3],
        arrivals: steady(),
        pauses: vec![FaultSpec { every: Some(SimDuration::from_secs(5)), ..pause(3, 5_000, 4_000) }],
    };
    let (old, _) = run_case(&case("pre-4485"));
    assert_eq!(old.shrinks, seconds(2, &[20, 30, 40, 50, 60, 70]));
    assert_eq!(old.expands, [(2, 20_030), (2, 30_030), (2, 40_030), (2, 50_030), (2, 60_030)]);
    let (new, summary) = run_case(&case("post-4485"));
    assert_eq!((new.shrinks, new.expands), (vec![], vec![]));
    assert_eq!(summary.exercised.faults, [("pause of 3".to_owned(), 14)]);
}

#[test]
fn a_pause_of_fifteen_seconds() {
    let case = |criterion| Case {
        criterion,
        seconds: 60,
        round_trips_ms: &[3],
        arrivals: steady(),
        pauses: vec![pause(2, 31_000, 15_000)],
    };
    let (old, _) = run_case(&case("pre-4485"));
    assert_eq!((old.shrinks, old.expands), (vec![], vec![]));
    let (new, _) = run_case(&case("post-4485"));
    assert_eq!(new.shrinks, seconds(2, &[45]));
    let (broker, back) = new.expands[0];
    assert!(broker == 2 && new.expands.len() == 1 && (46_000..=46_010).contains(&back), "back at {back} ms");
}

#[test]
fn one_fetch_behind_and_then_paused() {
    let case = |criterion| Case {
        criterion,
        seconds: 70,
        round_trips_ms: &[25],
        arrivals: steady(),
        pauses: vec![pause(2, 30_000, 25_000)],
    };
    let (old, _) = run_case(&case("pre-4485"));
    assert_eq!((old.shrinks, old.expands), (seconds(2, &[20]), vec![]));
    let (new, _) = run_case(&case("post-4485"));
    assert_eq!(new.shrinks, seconds(2, &[40]));
    // The first fetch after the pause arrives at its end; two round trips later it is back.
    assert_eq!(new.expands, [(2, 55_050)]);
}
