//! Draws the figures that the layout is judged by: `cargo run --example gallery -- FOLDER`.
//!
//! Each goes to a folder of its own, with all that a replay writes.

use isrlab_reports::replay::{self, Control};
use isrlab_reports::{ClusterSimulator, NoJudge, Plan, ScenarioSource, Variant};
use isrlab_sim::cluster::spec::{
    Arrivals, BrokerSpec, ClusterSpec, FaultKind, FaultSpec, LinkEnd, LinkOverride, LinkSpec, LinksSpec,
    PartitionSpec, PartitionStart, ProducerSpec, ReplicationSettings, TopicSpec,
};
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::Profile;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const ALL: [&str; 6] = ["max-messages", "pre-4485", "proposed-4485", "post-4485", "epoch-start", "equal-leo"];
const OLD_AND_NEW: [&str; 2] = ["pre-4485", "post-4485"];

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/gallery".to_owned()));
    let millis = SimDuration::from_millis;
    let pause = |broker, at, length, every: Option<u64>| FaultSpec {
        name: format!("broker {broker} paused"),
        kind: FaultKind::Pause { broker, length: millis(length) },
        at: SimTime::from_millis(at),
        every: every.map(millis),
        until: None,
    };

    let mut flapping = cluster(3, 1, 70);
    flapping.faults = vec![pause(3, 5_000, 4_000, Some(5_000))];
    draw(&folder, "kafka-4485", &flapping, &OLD_AND_NEW, 100, 1);
    draw(&folder, "kafka-4485-seeds", &flapping, &OLD_AND_NEW, 100, 3);
    draw(&folder, "six-criteria", &flapping, &ALL, 100, 1);

    let mut hour = cluster(5, 1, 3_600);
    hour.faults = vec![
        pause(3, 5_000, 4_000, Some(5_000)),
        pause(2, 600_000, 15_000, Some(300_000)),
        pause(5, 1_000_000, 60_000, Some(900_000)),
    ];
    draw(&folder, "one-hour-of-flaps", &hour, &ALL, 100, 1);

    draw(&folder, "healthy", &cluster(3, 1, 60), &["kafka-2.5"], 100, 1);

    let mut paused = cluster(2, 1, 60);
    paused.faults = vec![pause(2, 31_000, 15_000, None)];
    draw(&folder, "follower-pause", &paused, &OLD_AND_NEW, 100, 1);

    let mut several = cluster(3, 12, 120);
    several.topics[0].name = "a topic with <a> \"rather\" long & unusual name, ünïcode 日本".to_owned();
    several.faults = vec![
        pause(2, 20_000, 30_000, None),
        FaultSpec {
            name: "leadership of partition 0 moves to broker 3".to_owned(),
            kind: FaultKind::Election { topic: 0, partition: 0, leader: 3 },
            at: SimTime::from_secs(70),
            every: None,
            until: None,
        },
    ];
    draw(&folder, "several partitions, \"odd\" names", &several, &["kafka-0.10.1", "kafka-2.5"], 200, 1);
}

/// One producer at 100 records a second to each partition; broker 2 is 12.5 ms away from the
/// leader, the other followers 1.5 ms.
fn cluster(replicas: i32, partitions: usize, seconds: u64) -> ClusterSpec {
    let profile: Profile = "pre-4485".parse().expect("a profile");
    let partition = PartitionSpec {
        replicas: (1..=replicas).collect(),
        start: PartitionStart::Established,
        min_insync_replicas: None,
    };
    let arrivals = Arrivals::Constant {
        first: SimTime::from_millis(5),
        interval: SimDuration::from_micros(10_000 / partitions as u64),
        until: None,
    };
    let latency = |micros| Distribution::Constant(SimDuration::from_micros(micros));
    let link = |micros| LinkSpec {
        request_latency: latency(micros),
        response_latency: latency(micros),
        bandwidth: None,
    };
    ClusterSpec {
        profile,
        replication: ReplicationSettings::of_profile(&profile),
        duration: SimDuration::from_secs(seconds),
        brokers: (1..=replicas).map(BrokerSpec::new).collect(),
        topics: vec![TopicSpec {
            name: "orders".to_owned(),
            partitions: vec![partition; partitions],
            timestamps: None,
        }],
        producers: vec![ProducerSpec::new("producer", 0, arrivals)],
        links: LinksSpec {
            follower: link(1_500),
            producer: link(500),
            overrides: vec![LinkOverride {
                name: "far".to_owned(),
                client: LinkEnd::Broker(2),
                broker: None,
                link: link(12_500),
            }],
        },
        faults: Vec::new(),
        lag: Default::default(),
    }
}

fn draw(folder: &Path, name: &str, spec: &ClusterSpec, profiles: &[&str], sample_ms: u64, seeds: u64) {
    let variants = profiles.iter().map(|profile| {
        let profile: Profile = profile.parse().expect("a profile");
        let replication = ReplicationSettings::of_profile(&profile);
        Variant::of(ClusterSpec { profile, replication, ..spec.clone() })
    });
    let plan = Plan {
        scenario: ScenarioSource { name: name.to_owned(), reference: name.to_owned(), text: String::new() },
        overrides: Vec::new(),
        variants: variants.collect(),
        seeds: (1..=seeds).collect(),
        sample_every: Some(SimDuration::from_millis(sample_ms)),
        threads: 2,
        out: Some(folder.join(name.replace([' ', '"'], "-"))),
        strict: false,
    };
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {} };
    match replay::run(&plan, &ClusterSimulator, &NoJudge, control) {
        Ok(report) => println!("{}", report.text()),
        Err(error) => eprintln!("error: {error}"),
    }
}
