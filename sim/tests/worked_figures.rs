//! The cases that were worked out by hand from the versions' rules, to the millisecond.
//!
//! One record each 10 ms from 5 ms on; followers' first fetch arrives at 1 ms; a fetch takes no
//! time to the leader and its answer one round trip back; the lag time is 10 s.

use isrlab_sim::cluster::spec::*;
use isrlab_sim::cluster::{
    Cluster, ClusterSpec, IsrChange, IsrChangeKind, Observer, RunEnd, RunOptions, RunSummary,
};
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::{IsrCriterion, Profile};

fn link(round_trip: SimDuration) -> LinkSpec {
    LinkSpec {
        request_latency: Distribution::Constant(SimDuration::ZERO),
        response_latency: Distribution::Constant(round_trip),
        bandwidth: None,
    }
}

struct Case {
    criterion: IsrCriterion,
    seconds: u64,
    /// Round trip of each follower, milliseconds; brokers 2, 3, …
    round_trips_ms: &'static [u64],
    arrivals: Arrivals,
    pauses: Vec<FaultSpec>,
}

fn steady() -> Arrivals {
    Arrivals::Constant { first: SimTime::from_millis(5), interval: SimDuration::from_millis(10), until: None }
}

fn pause(broker: i32, at_s: u64, length_s: u64, every_s: Option<u64>) -> FaultSpec {
    FaultSpec {
        name: format!("pause of {broker}"),
        kind: FaultKind::Pause { broker, length: SimDuration::from_secs(length_s) },
        at: SimTime::from_secs(at_s),
        every: every_s.map(SimDuration::from_secs),
        until: None,
    }
}

fn spec(case: &Case) -> ClusterSpec {
    let profile = Profile::of_criterion(case.criterion);
    let replicas: Vec<i32> = (1..=1 + case.round_trips_ms.len() as i32).collect();
    let broker = |id: i32| BrokerSpec { first_fetch: SimTime::from_millis(1), ..BrokerSpec::new(id) };
    let overrides = case.round_trips_ms.iter().zip(2..).map(|(&ms, id)| LinkOverride {
        name: format!("f{id}"),
        client: LinkEnd::Broker(id),
        broker: None,
        link: link(SimDuration::from_millis(ms)),
    });
    ClusterSpec {
        profile,
        replication: ReplicationSettings::of_profile(&profile),
        duration: SimDuration::from_secs(case.seconds),
        brokers: replicas.iter().map(|&id| broker(id)).collect(),
        topics: vec![TopicSpec {
            name: "orders".into(),
            partitions: vec![PartitionSpec {
                replicas,
                start: PartitionStart::Established,
                min_insync_replicas: None,
            }],
        }],
        producers: vec![ProducerSpec::new("p", 0, case.arrivals.clone())],
        links: LinksSpec {
            follower: link(SimDuration::ZERO),
            producer: link(SimDuration::ZERO),
            overrides: overrides.collect(),
        },
        faults: case.pauses.clone(),
    }
}

#[derive(Default)]
struct Changes {
    shrinks_ms: Vec<(i32, u64)>,
    expands_ms: Vec<(i32, u64)>,
}

impl Observer for Changes {
    fn isr_changed(&mut self, change: &IsrChange) {
        for replica in &change.replicas {
            let entry = (replica.broker, change.at.as_millis());
            match change.kind {
                IsrChangeKind::Shrink => self.shrinks_ms.push(entry),
                IsrChangeKind::Expand => self.expands_ms.push(entry),
            }
        }
    }
}

fn run(case: &Case) -> (Changes, RunSummary) {
    let mut changes = Changes::default();
    let mut cluster = Cluster::new(&spec(case), 1).unwrap();
    let (end, summary) = cluster
        .run(&RunOptions::default(), &mut changes, &mut |_| true)
        .unwrap_or_else(|broken| panic!("{broken}"));
    assert_eq!(end, RunEnd::Finished);
    (changes, summary)
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
    let (old, summary) = run(&case(IsrCriterion::Pre4485));
    assert_eq!((old.shrinks_ms, old.expands_ms), (seconds(2, &[20]), vec![]));
    assert_eq!(summary.records_appended, 6000);
    let (new, summary) = run(&case(IsrCriterion::Post4485));
    assert_eq!((new.shrinks_ms, new.expands_ms), (vec![], vec![]));
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
    let (old, summary) = run(&case(IsrCriterion::Pre4485));
    assert_eq!(old.shrinks_ms, seconds(2, &[20, 40, 70, 90, 120]));
    assert_eq!(old.expands_ms, [(2, 25_030), (2, 51_030), (2, 77_030), (2, 103_030)]);
    assert_eq!(summary.flaps, 4);
    let (new, _) = run(&case(IsrCriterion::Post4485));
    assert_eq!((new.shrinks_ms, new.expands_ms), (vec![], vec![]));
}

#[test]
fn three_replicas_and_one_that_holds_the_high_watermark() {
    let case = |criterion| Case {
        criterion,
        seconds: 70,
        round_trips_ms: &[25, 3],
        arrivals: steady(),
        pauses: vec![pause(3, 5, 4, Some(5))],
    };
    let (old, _) = run(&case(IsrCriterion::Pre4485));
    assert_eq!(old.shrinks_ms, seconds(2, &[20, 30, 40, 50, 60, 70]));
    assert_eq!(old.expands_ms, [(2, 20_030), (2, 30_030), (2, 40_030), (2, 50_030), (2, 60_030)]);
    let (new, summary) = run(&case(IsrCriterion::Post4485));
    assert_eq!((new.shrinks_ms, new.expands_ms), (vec![], vec![]));
    assert_eq!(summary.exercised.faults, [("pause of 3".to_owned(), 14)]);
}

#[test]
fn a_pause_of_fifteen_seconds() {
    let case = |criterion| Case {
        criterion,
        seconds: 60,
        round_trips_ms: &[3],
        arrivals: steady(),
        pauses: vec![pause(2, 31, 15, None)],
    };
    let (old, _) = run(&case(IsrCriterion::Pre4485));
    assert_eq!((old.shrinks_ms, old.expands_ms), (vec![], vec![]));
    let (new, _) = run(&case(IsrCriterion::Post4485));
    assert_eq!(new.shrinks_ms, seconds(2, &[45]));
    let (broker, back) = new.expands_ms[0];
    assert!(
        broker == 2 && new.expands_ms.len() == 1 && (46_000..=46_010).contains(&back),
        "back at {back} ms"
    );
}

#[test]
fn one_fetch_behind_and_then_paused() {
    let case = |criterion| Case {
        criterion,
        seconds: 70,
        round_trips_ms: &[25],
        arrivals: steady(),
        pauses: vec![pause(2, 30, 25, None)],
    };
    let (old, _) = run(&case(IsrCriterion::Pre4485));
    assert_eq!((old.shrinks_ms, old.expands_ms), (seconds(2, &[20]), vec![]));
    let (new, _) = run(&case(IsrCriterion::Post4485));
    assert_eq!(new.shrinks_ms, seconds(2, &[40]));
    // The first fetch after the pause arrives at its end; two round trips later it is back.
    assert_eq!(new.expands_ms, [(2, 55_050)]);
}
