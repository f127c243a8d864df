//! Specifications that the tests start from, and an observer that keeps what happened.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod vectors;

use isrlab_sim::cluster::spec::*;
use isrlab_sim::cluster::{
    Cluster, ClusterSpec, IsrChange, IsrChangeKind, Observer, RunEnd, RunOptions, RunSummary, Sample,
};
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::Profile;

pub fn ms(millis: u64) -> SimDuration {
    SimDuration::from_millis(millis)
}

pub fn at_ms(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

/// A link on which a request takes no time and an answer one round trip.
pub fn round_trip(round_trip: SimDuration) -> LinkSpec {
    LinkSpec {
        request_latency: Distribution::Constant(SimDuration::ZERO),
        response_latency: Distribution::Constant(round_trip),
        bandwidth: None,
    }
}

pub fn every_ms(first: u64, interval: u64) -> Arrivals {
    Arrivals::Constant { first: at_ms(first), interval: ms(interval), until: None }
}

pub fn pause(broker: i32, at: u64, length: u64) -> FaultSpec {
    FaultSpec {
        name: format!("pause of {broker}"),
        kind: FaultKind::Pause { broker, length: ms(length) },
        at: at_ms(at),
        every: None,
        until: None,
    }
}

/// One partition on brokers 1 … `replicas`, a producer of one record each 10 ms from 5 ms on,
/// followers whose first fetch is at 1 ms and whose round trip is 5 ms.
pub fn one_partition(profile: &str, replicas: i32, duration_ms: u64) -> ClusterSpec {
    let profile: Profile = profile.parse().unwrap();
    let brokers: Vec<i32> = (1..=replicas).collect();
    ClusterSpec {
        profile,
        replication: ReplicationSettings::of_profile(&profile),
        duration: ms(duration_ms),
        brokers: brokers
            .iter()
            .map(|&id| BrokerSpec { first_fetch: at_ms(1), ..BrokerSpec::new(id) })
            .collect(),
        topics: vec![TopicSpec {
            name: "orders".into(),
            partitions: vec![PartitionSpec {
                replicas: brokers,
                start: PartitionStart::Established,
                min_insync_replicas: None,
            }],
            timestamps: None,
        }],
        producers: vec![ProducerSpec::new("p", 0, every_ms(5, 10))],
        links: LinksSpec {
            follower: round_trip(ms(5)),
            producer: round_trip(SimDuration::ZERO),
            overrides: vec![],
        },
        faults: vec![],
        lag: Default::default(),
    }
}

/// Gives the fetches of one broker a round trip of their own.
pub fn with_round_trip(mut spec: ClusterSpec, broker: i32, millis: u64) -> ClusterSpec {
    spec.links.overrides.push(LinkOverride {
        name: format!("of {broker}"),
        client: LinkEnd::Broker(broker),
        broker: None,
        link: round_trip(ms(millis)),
    });
    spec
}

/// What happened, as (broker, milliseconds).
#[derive(Default, Debug)]
pub struct Log {
    pub shrinks: Vec<(i32, u64)>,
    pub expands: Vec<(i32, u64)>,
    pub changes: Vec<IsrChange>,
    /// (time, leader, LEO, HW, what each replica holds)
    pub samples: Vec<(u64, i32, i64, i64, Vec<i64>)>,
    /// (time of the answer, latency), milliseconds
    pub produced: Vec<(u64, u64)>,
}

impl Observer for Log {
    fn isr_changed(&mut self, change: &IsrChange) {
        for replica in &change.replicas {
            let entry = (replica.broker, change.at.as_millis());
            match change.kind {
                IsrChangeKind::Shrink => self.shrinks.push(entry),
                IsrChangeKind::Expand => self.expands.push(entry),
            }
        }
        self.changes.push(change.clone());
    }

    fn sampled(&mut self, sample: &Sample<'_>) {
        let held = sample.replicas.iter().map(|replica| replica.leo).collect();
        self.samples.push((sample.at.as_millis(), sample.leader, sample.leo, sample.high_watermark, held));
    }

    fn produced(&mut self, at: SimTime, _: usize, _: isrlab_sim::protocol::Acks, latency_ns: u64) {
        self.produced.push((at.as_millis(), latency_ns / 1_000_000));
    }
}

/// Runs to the end, with a sample each `sample_ms` (0: none).
pub fn run(spec: &ClusterSpec, seed: u64, sample_ms: u64) -> (Log, RunSummary) {
    let mut log = Log::default();
    let options = RunOptions { sample_every: (sample_ms > 0).then(|| ms(sample_ms)) };
    let mut cluster = Cluster::new(spec, seed).unwrap();
    let (end, summary) =
        cluster.run(&options, &mut log, &mut |_| true).unwrap_or_else(|broken| panic!("{broken}"));
    assert_eq!(end, RunEnd::Finished);
    (log, summary)
}
