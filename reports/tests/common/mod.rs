//! What the tests share: small clusters, a simulator that follows a script, golden files.
#![allow(dead_code)]

use isrlab_reports::replay::{self, Control};
use isrlab_reports::{
    Judge, NoJudge, Plan, Report, ReportError, RunStop, ScenarioSource, Simulator, Variant,
};
use isrlab_sim::cluster::spec::{
    Arrivals, BrokerSpec, ClusterSpec, LinkSpec, LinksSpec, PartitionSpec, PartitionStart, ProducerSpec,
    ReplicationSettings, TopicSpec,
};
use isrlab_sim::cluster::{
    Exercised, IsrCause, IsrChange, IsrChangeKind, IsrChangeReplica, LatencyQuantiles, Observer,
    ReplicaSample, RunSummary, Sample,
};
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::protocol::{Acks, Profile, ReplicaSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Compares with `tests/golden/NAME`, or writes it when `ISRLAB_BLESS` is set.
pub fn assert_golden(name: &str, found: &[u8]) {
    assert_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name), found);
}

/// Compares with a file of the repository, or writes it when `ISRLAB_BLESS` is set.
pub fn assert_file(path: &Path, found: &[u8]) {
    if std::env::var_os("ISRLAB_BLESS").is_some() {
        std::fs::write(path, found).unwrap();
    }
    let expected = std::fs::read(path).unwrap_or_default();
    assert!(
        expected == found,
        "{} is not what the program writes now; look at the difference, and set ISRLAB_BLESS=1 to accept it.\n\
         <<< found\n{}\n>>>",
        path.display(),
        String::from_utf8_lossy(found)
    );
}

/// A cluster of three brokers with one topic.
pub fn spec(profile: &str, topic: &str) -> ClusterSpec {
    let profile: Profile = profile.parse().unwrap();
    let partition = PartitionSpec {
        replicas: vec![1, 2, 3],
        start: PartitionStart::Established,
        min_insync_replicas: None,
    };
    let arrivals =
        Arrivals::Poisson { start: SimTime::ZERO, mean: SimDuration::from_millis(10), until: None };
    let link = LinkSpec::constant(SimDuration::from_millis(5));
    ClusterSpec {
        profile,
        replication: ReplicationSettings::of_profile(&profile),
        duration: SimDuration::from_secs(30),
        brokers: (1..=3).map(BrokerSpec::new).collect(),
        topics: vec![TopicSpec { name: topic.to_owned(), partitions: vec![partition], timestamps: None }],
        producers: vec![ProducerSpec::new("producer", 0, arrivals)],
        links: LinksSpec { follower: link, producer: link, overrides: Vec::new() },
        faults: Vec::new(),
        lag: Default::default(),
    }
}

/// A plan with one variant per profile.
pub fn plan(profiles: &[&str], seeds: u64, threads: usize, out: Option<PathBuf>) -> Plan {
    named_plan("demo", "orders", profiles, seeds, threads, out)
}

/// A plan with names of its own.
pub fn named_plan(
    scenario: &str,
    topic: &str,
    profiles: &[&str],
    seeds: u64,
    threads: usize,
    out: Option<PathBuf>,
) -> Plan {
    Plan {
        scenario: ScenarioSource {
            name: scenario.to_owned(),
            reference: scenario.to_owned(),
            text: "# the scenario\n".to_owned(),
        },
        overrides: vec!["replica.lag.time.max.ms=10s".to_owned()],
        variants: profiles.iter().map(|profile| Variant::of(spec(profile, topic))).collect(),
        seeds: (1..=seeds).collect(),
        sample_every: Some(SimDuration::from_millis(100)),
        threads,
        out,
        strict: false,
    }
}

/// Runs a plan that nobody interrupts, without expectations.
pub fn run(plan: &Plan, simulator: &impl Simulator) -> Result<Report, ReportError> {
    run_with(plan, simulator, &NoJudge)
}

/// Runs a plan that nobody interrupts.
pub fn run_with(plan: &Plan, simulator: &impl Simulator, judge: &dyn Judge) -> Result<Report, ReportError> {
    replay::run(plan, simulator, judge, Control { stop: &AtomicBool::new(false), progress: &|_| {} })
}

/// A simulator that does as a function says.
pub struct Script<F>(F);

/// A simulator that does as `run` says.
pub fn script<F>(run: F) -> Script<F>
where
    F: Fn(&ClusterSpec, u64, &mut dyn Observer, &mut dyn FnMut(SimTime) -> bool) -> RunStop + Sync,
{
    Script(run)
}

impl<F> Simulator for Script<F>
where
    F: Fn(&ClusterSpec, u64, &mut dyn Observer, &mut dyn FnMut(SimTime) -> bool) -> RunStop + Sync,
{
    fn run<O: Observer>(
        &self,
        spec: &ClusterSpec,
        seed: u64,
        _: Option<SimDuration>,
        observer: &mut O,
        keep_going: &mut dyn FnMut(SimTime) -> bool,
    ) -> RunStop {
        (self.0)(spec, seed, observer, keep_going)
    }
}

/// Broker 2 leaves the ISR of the partition, or joins it.
pub fn change(at: SimTime, kind: IsrChangeKind) -> IsrChange {
    let (all, without) = (ReplicaSet::first(3), ReplicaSet::from_bits(0b101));
    let is_shrink = kind == IsrChangeKind::Shrink;
    IsrChange {
        at,
        partition: 0,
        kind,
        replicas: vec![IsrChangeReplica {
            slot: 1,
            broker: 2,
            cause: if is_shrink { IsrCause::LagTime } else { IsrCause::Fetch },
            known_leo: if is_shrink { 1_998 } else { -1 },
            since_caught_up_ms: is_shrink.then_some(20_000),
        }],
        old_isr: if is_shrink { all } else { without },
        new_isr: if is_shrink { without } else { all },
        leo: 2_000,
        high_watermark: 1_999,
    }
}

/// A sample in which broker 2 is behind and broker 3 has never fetched.
pub fn sample(at: SimTime, observer: &mut (impl Observer + ?Sized)) {
    let replica = |broker, leo, known_leo, lag_ms, in_isr| ReplicaSample {
        broker,
        leo,
        known_leo,
        lag_messages: 2_000 - leo,
        lag_ms,
        in_isr,
    };
    observer.sampled(&Sample {
        at,
        partition: 0,
        leader: 1,
        leo: 2_000,
        high_watermark: 1_999,
        isr_size: 2,
        replicas: &[
            replica(1, 2_000, 2_000, Some(0), true),
            replica(2, 1_999, 1_998, Some(20_000), false),
            replica(3, 0, -1, None, true),
        ],
    });
}

/// A run of few events, the same for every seed.
pub fn short_run(observer: &mut (impl Observer + ?Sized)) -> RunSummary {
    sample(SimTime::ZERO, observer);
    observer.produced(SimTime::from_millis(1), 0, Acks::Leader, 1_234_567);
    observer.produced(SimTime::from_millis(2), 0, Acks::All, 2_000_000);
    observer.isr_changed(&change(SimTime::from_nanos(20_000_000_001), IsrChangeKind::Shrink));
    sample(SimTime::from_millis(20_015), observer);
    observer.isr_changed(&change(SimTime::from_millis(20_030), IsrChangeKind::Expand));
    summary()
}

/// What [`short_run`] comes to.
pub fn summary() -> RunSummary {
    RunSummary {
        duration_ns: 30_000_000_000,
        events: 9_000,
        isr_shrinks: 1,
        isr_expands: 1,
        flaps: 1,
        first_shrink: Some(SimTime::from_nanos(20_000_000_001)),
        last_isr_change: Some(SimTime::from_millis(20_030)),
        under_replicated_ns: 29_999_999,
        max_lag_messages: 2_000,
        requests: 2,
        requests_acked: 2,
        records_appended: 2_000,
        bytes_appended: 200_000,
        records_acked: 2_000,
        fetches: 5_000,
        fetches_delayed: 10,
        produce_latency: LatencyQuantiles {
            count: 2,
            min_ns: 1_234_567,
            mean_ns: 1_617_284,
            p50_ns: 1_234_567,
            p90_ns: 2_000_000,
            p99_ns: 2_000_000,
            p999_ns: 2_000_000,
            max_ns: 2_000_000,
        },
        exercised: Exercised {
            events: vec![("fetch", 5_000), ("produce", 4_000)],
            faults: vec![("broker 3 paused".to_owned(), 0)],
            isr_checks: 3,
            join_attempts: 1,
            invariant_checks: 9_000,
            hw_within_isr_premise: 8_000,
            acks_all_acknowledged: 1,
        },
        ..RunSummary::default()
    }
}

/// The rows of a CSV file, the header first.
pub fn read_csv(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The names and bytes of all files in a folder, in order.
pub fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}
