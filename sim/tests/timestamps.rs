//! Broker timestamps in a simulated cluster, figures worked out by hand.

mod common;

use common::{at_ms, every_ms, ms, one_partition};
use isrlab_sim::cluster::clock::{ClockSpec, TimestampUnit};
use isrlab_sim::cluster::spec::{FaultKind, FaultSpec, LinkEnd, LinkSelector, LinkSpec};
use isrlab_sim::cluster::{
    BatchOutcome, Cluster, ClusterSpec, Observer, RunOptions, RunSummary, StampedBatch,
};
use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::timestamp::{TimestampLimits, TimestampPolicy, TimestampRules, TimestampType};

const START: i64 = 1_600_000_000_000;

/// What was stored, as (offset, time since the start), and which records of which batch were bad.
#[derive(Default)]
struct Stamps {
    stored: Vec<(i64, i64)>,
    rejected: Vec<Vec<usize>>,
}

impl Observer for Stamps {
    fn stamped(&mut self, batch: &StampedBatch<'_>) {
        match batch.outcome {
            BatchOutcome::Appended(stored) => {
                let read = stored.read(&batch.batch);
                self.stored.extend(read.map(|(offset, time)| (offset, time - START)));
            }
            BatchOutcome::Rejected(error) => {
                self.rejected.push(error.records.iter().map(|record| record.index).collect());
            }
        }
    }
}

fn run(spec: &ClusterSpec) -> (Stamps, RunSummary) {
    let mut stamps = Stamps::default();
    let mut cluster = Cluster::new(spec, 1).unwrap();
    let (_, summary) = cluster
        .run(&RunOptions::default(), &mut stamps, &mut |_| true)
        .unwrap_or_else(|broken| panic!("{broken}"));
    (stamps, summary)
}

fn limited(before_max: i64, after_max: i64) -> TimestampPolicy {
    TimestampPolicy {
        limits: TimestampLimits { before_max, after_max },
        ..TimestampPolicy::new(TimestampRules::V2024)
    }
}

fn appending() -> TimestampPolicy {
    TimestampPolicy {
        timestamp_type: TimestampType::LogAppendTime,
        ..TimestampPolicy::new(TimestampRules::V2024)
    }
}

fn clock_ms(offset: i64) -> ClockSpec {
    ClockSpec { offset_ns: offset * 1_000_000, drift_ppm: 0 }
}

#[test]
fn a_rejected_batch_is_not_appended_and_not_sent_again() {
    // Requests at 5, 15, … 95 ms, over links that take no time, from a clock 11 ms ahead.
    let mut spec = one_partition("post-4485", 2, 100);
    spec.producers[0].timestamps.clock = clock_ms(11);
    spec.topics[0].timestamps = Some(limited(i64::MAX, 10));
    let (stamps, summary) = run(&spec);
    assert!(stamps.stored.is_empty() && stamps.rejected.len() == 10);
    assert_eq!((summary.requests, summary.requests_failed, summary.request_retries), (10, 10, 0));
    assert_eq!((summary.records_appended, summary.requests_acked), (0, 0));
    assert_eq!(summary.timestamps.batches_rejected, 10);
    // One millisecond less is at the limit.
    spec.producers[0].timestamps.clock = clock_ms(10);
    let (stamps, summary) = run(&spec);
    assert_eq!(stamps.stored[0], (0, 15));
    assert_eq!((summary.records_appended, summary.requests_failed), (10, 0));
    assert_eq!((summary.timestamps.ahead_max_ms, summary.timestamps.behind_max_ms), (10, 0));
}

#[test]
fn a_clock_that_drifts_leaves_the_limits_in_time() {
    // 1000 ppm fast: after 10 s it is 10 ms ahead, after 11 s 11 ms.
    let mut spec = one_partition("post-4485", 2, 12_000);
    spec.producers[0].arrivals = every_ms(0, 1_000);
    spec.producers[0].timestamps.clock = ClockSpec { offset_ns: 0, drift_ppm: 1_000 };
    spec.topics[0].timestamps = Some(limited(i64::MAX, 10));
    let (stamps, summary) = run(&spec);
    assert_eq!(stamps.stored.len(), 11);
    assert_eq!(stamps.stored[10], (10, 10_010));
    assert_eq!(summary.timestamps.batches_rejected, 2);
}

#[test]
fn one_old_record_rejects_its_batch() {
    // Three records 30 ms apart, the last made when the request arises: the first is 60 ms old.
    let mut spec = one_partition("post-4485", 2, 1_000);
    spec.producers[0].arrivals = every_ms(100, 100);
    spec.producers[0].records_per_request = 3;
    spec.producers[0].timestamps.spacing = ms(30);
    spec.topics[0].timestamps = Some(limited(59, i64::MAX));
    let (stamps, summary) = run(&spec);
    assert_eq!(stamps.rejected, vec![vec![0]; 10]);
    assert_eq!((summary.records_appended, summary.timestamps.records_rejected), (0, 30));
    spec.topics[0].timestamps = Some(limited(60, i64::MAX));
    let (stamps, _) = run(&spec);
    assert_eq!(stamps.stored[..4], [(0, 40), (1, 70), (2, 100), (3, 140)]);
}

#[test]
fn log_append_time_steps_back_between_leaders_only() {
    let (stamps, summary) = run(&handed_over(503));
    assert_eq!(stamps.stored[48..52], [(48, 525), (49, 535), (50, 485), (51, 495)]);
    let found = summary.timestamps;
    assert_eq!((found.append_time_back_in_epoch, found.append_time_back_across_epochs), (0, 1));
    // 485, 495, …, 525 are below 535, the largest time before them.
    assert_eq!((found.records_back, found.back_max_ms), (5, 50));
    assert_eq!((found.ahead_max_ms, found.behind_max_ms), (40, 20));
}

#[test]
fn a_record_that_an_election_cuts_off_is_not_compared_with() {
    // At 500 ms the new leader does not have the record of 495 ms yet: it is lost, and the largest
    // time is that of the one before, 525.
    let (stamps, summary) = run(&handed_over(500));
    assert_eq!(stamps.stored[48..52], [(48, 525), (49, 535), (49, 485), (50, 495)]);
    let found = summary.timestamps;
    assert_eq!((found.records_back, found.back_max_ms, found.append_time_back_across_epochs), (4, 40, 1));
}

/// Leader 1 is 40 ms fast, leader 2 is 20 ms slow; leadership moves at `move_ms`.
fn handed_over(move_ms: u64) -> ClusterSpec {
    let mut spec = one_partition("post-4485", 2, 1_000);
    spec.brokers[0].clock = clock_ms(40);
    spec.brokers[1].clock = clock_ms(-20);
    spec.topics[0].timestamps = Some(appending());
    spec.faults.push(FaultSpec {
        name: "move".into(),
        kind: FaultKind::Election { topic: 0, partition: 0, leader: 2 },
        at: at_ms(move_ms),
        every: None,
        until: None,
    });
    spec
}

#[test]
fn units_matter() {
    for (unit, accepted) in [
        (TimestampUnit::None, true),
        (TimestampUnit::Seconds, true),
        (TimestampUnit::Milliseconds, true),
        (TimestampUnit::Microseconds, false),
        (TimestampUnit::Nanoseconds, false),
    ] {
        let mut spec = one_partition("post-4485", 2, 100);
        spec.producers[0].timestamps.unit = unit;
        spec.topics[0].timestamps = Some(limited(i64::MAX, 3_600_000));
        let (stamps, _) = run(&spec);
        assert_eq!(stamps.stored.len(), if accepted { 10 } else { 0 }, "{}", unit.name());
        assert_eq!(stamps.rejected.len(), if accepted { 0 } else { 10 }, "{}", unit.name());
    }
}

/// Answers stop reaching the producer at 1 s for 2 s; it gives up after 1.5 s and sends again all
/// that was in flight.
fn lost_answers(max_in_flight: u32) -> ClusterSpec {
    let mut spec = one_partition("post-4485", 2, 4_000);
    let producer = &mut spec.producers[0];
    producer.max_in_flight = max_in_flight;
    producer.request_timeout = ms(1_500);
    producer.retry_backoff = ms(100);
    spec.links.producer = LinkSpec::constant(ms(20));
    spec.topics[0].timestamps = Some(limited(i64::MAX, i64::MAX));
    spec.faults.push(FaultSpec {
        name: "stall".into(),
        kind: FaultKind::LinkStall {
            link: LinkSelector { client: Some(LinkEnd::Producer("p".into())), broker: None },
            length: SimDuration::from_secs(2),
        },
        at: at_ms(1_000),
        every: None,
        until: None,
    });
    spec
}

#[test]
fn retries_reorder_create_time_only_with_several_in_flight() {
    let (stamps, summary) = run(&lost_answers(5));
    assert!(summary.request_timeouts > 0 && summary.request_retries > 0);
    let offsets: Vec<i64> = stamps.stored.iter().map(|(offset, _)| *offset).collect();
    assert!(offsets.iter().copied().eq(0..offsets.len() as i64));
    // At 1 s the requests of 985 and 995 ms are on their way and are appended; their answers are
    // stalled. Both are sent again, so 985 is stored after 995. The third and following ones of
    // the five are stalled on their way, and come once, behind.
    let around: Vec<i64> = stamps.stored.iter().map(|(_, time)| *time).skip(97).take(7).collect();
    assert_eq!(around, [975, 985, 995, 985, 995, 1005, 1015]);
    assert_eq!((summary.timestamps.records_back, summary.timestamps.back_max_ms), (1, 10));
    let (_, summary) = run(&lost_answers(1));
    assert!(summary.request_retries > 0);
    assert_eq!(summary.timestamps.records_back, 0);
}

#[test]
fn unsound_clocks_and_policies_are_refused() {
    let sound = one_partition("post-4485", 2, 100);
    let refused = |change: &dyn Fn(&mut ClusterSpec)| {
        let mut spec = sound.clone();
        change(&mut spec);
        Cluster::new(&spec, 1).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let stopped = ClockSpec { offset_ns: 0, drift_ppm: -1_000_000 };
    assert!(refused(&|spec| spec.brokers[0].clock = stopped).contains("broker 1: its clock drifts"));
    assert!(refused(&|spec| spec.producers[0].timestamps.clock = stopped).contains("producer 'p'"));
    assert!(refused(&|spec| spec.topics[0].timestamps = Some(limited(-1, 0))).contains("0 or more"));
    let one_limit = TimestampPolicy { rules: TimestampRules::V0_10, ..limited(1, 2) };
    assert!(refused(&|spec| spec.topics[0].timestamps = Some(one_limit)).contains("one limit"));
    assert_eq!(refused(&|spec| spec.topics[0].timestamps = Some(limited(1, 2))), "");
}
