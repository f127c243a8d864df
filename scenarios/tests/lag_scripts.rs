//! Mirrors and share groups take any script, and any faults, without a panic: a step that is not
//! possible is passed over.

use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::spec::{FaultKind, FaultSpec, FirstReading, MirrorStep, ShareStep, WriteFault};
use isrlab_sim::cluster::{Cluster, ClusterSpec, NoObserver, RunOptions, RunSummary};
use isrlab_sim::engine::{SimDuration, SimTime};
use proptest::prelude::*;

fn spec(name: &str) -> ClusterSpec {
    let scenario = Scenario::from_library(name).unwrap();
    scenario.cluster_spec(&scenario.variants()[0]).unwrap()
}

fn run(spec: &ClusterSpec) -> RunSummary {
    let mut cluster = Cluster::new(spec, 1).unwrap_or_else(|error| panic!("{error}"));
    let run = cluster.run(&RunOptions::default(), &mut NoObserver, &mut |_| true);
    run.unwrap_or_else(|violation| panic!("{violation}")).1
}

/// One after the other, from 1 s on: ten records a second come meanwhile.
fn timed<S: Copy>(steps: &[S]) -> Vec<(SimTime, S)> {
    let time = |number: usize| SimTime::from_millis(1_000 + 20 * number as u64);
    steps.iter().enumerate().map(|(number, step)| (time(number), *step)).collect()
}

fn mirror_step() -> impl Strategy<Value = MirrorStep> {
    prop_oneof![
        3 => Just(MirrorStep::AnswerPoll),
        3 => Just(MirrorStep::PollReturns),
        6 => (0i64..30).prop_map(MirrorStep::Callback),
        1 => Just(MirrorStep::Flush),
        1 => any::<bool>().prop_map(|written| MirrorStep::Restart { written }),
        2 => Just(MirrorStep::AnswerSample),
        2 => Just(MirrorStep::SampleReturns),
        1 => Just(MirrorStep::Recreate),
    ]
}

fn share_step() -> impl Strategy<Value = ShareStep> {
    let offset = || 0i64..14;
    prop_oneof![
        6 => offset().prop_map(ShareStep::Acquire),
        3 => offset().prop_map(ShareStep::Accept),
        3 => offset().prop_map(ShareStep::Release),
        1 => offset().prop_map(ShareStep::Reject),
        3 => offset().prop_map(ShareStep::LockExpires),
        3 => Just(ShareStep::WriteArrives),
        1 => Just(ShareStep::WriteLost),
        1 => Just(ShareStep::AnswerLost),
        1 => Just(ShareStep::FailOver),
        1 => offset().prop_map(ShareStep::MoveLogStart),
        1 => prop_oneof![0i64..40, Just(i64::MAX / 2)].prop_map(ShareStep::Alter),
        1 => Just(ShareStep::ReadAgain),
        2 => Just(ShareStep::ReadFirst),
        2 => Just(ShareStep::Answer),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mirror_takes_any_script(
        steps in prop::collection::vec(mirror_step(), 1..120),
        gaps in prop::collection::btree_set(0i64..30, 0..4),
    ) {
        let mut spec = spec("mirror-lag");
        spec.duration = SimDuration::from_secs(5);
        spec.lag.mirrors[0].script = timed(&steps);
        spec.lag.mirrors[0].gaps = gaps.into_iter().collect();
        let lag = run(&spec).lag;
        prop_assert_eq!(lag.script_steps + lag.script_steps_skipped, steps.len() as u64);
    }

    #[test]
    fn a_share_group_takes_any_script(
        steps in prop::collection::vec(share_step(), 1..120),
        (fencing, end_first, back, loses) in any::<(bool, bool, bool, bool)>(),
    ) {
        let mut spec = spec("share-lag");
        spec.duration = SimDuration::from_secs(5);
        let group = &mut spec.lag.share_groups[0];
        group.script = timed(&steps);
        group.fencing = fencing;
        if end_first {
            group.first_reading = FirstReading::EndOffset;
        }
        group.settings.defects.start_offset_moves_back = back;
        group.settings.defects.loses_acquired_at_failover = loses;
        let lag = run(&spec).lag;
        prop_assert_eq!(lag.script_steps + lag.script_steps_skipped, steps.len() as u64);
    }

    /// However writes fail, a group goes on, and with the faults over it has delivered everything.
    #[test]
    fn a_share_group_gets_over_any_faults(
        faults in prop::collection::vec((0u64..9_000, 1u64..3_000, 0u64..3), 0..6),
        fail_overs in prop::collection::btree_set(1u64..15_000, 0..4),
        alterations in prop::collection::btree_map(1u64..15_000, 0i64..100, 0..3),
    ) {
        let mut spec = spec("share-lag");
        let group = &mut spec.lag.share_groups[0];
        group.fail_overs = fail_overs.into_iter().map(SimTime::from_millis).collect();
        // To what is there by then: an offset above the end makes the lag negative by itself.
        let there = |at: u64, to: i64| to.min(at as i64 / 100 - 1).max(0);
        let alterations = alterations.into_iter();
        group.alterations = alterations.map(|(at, to)| (SimTime::from_millis(at), there(at, to))).collect();
        spec.faults = faults.iter().enumerate().map(|(number, &(at, length, kind))| FaultSpec {
            name: format!("fault-{number}"),
            kind: FaultKind::ShareWrites {
                group: 0,
                fault: match kind {
                    0 => WriteFault::Fails,
                    1 => WriteFault::AnswerLost,
                    _ => WriteFault::Late(SimDuration::from_millis(700)),
                },
                length: SimDuration::from_millis(length),
            },
            at: SimTime::from_millis(at),
            every: None,
            until: None,
        }).collect();
        spec.duration = SimDuration::from_secs(120);
        let lag = run(&spec).lag;
        prop_assert_eq!(lag.share.last, Some(0), "{:?}", lag);
        prop_assert!(lag.share.min >= Some(0), "{:?}", lag);
    }
}

/// The other way round, an end offset from before the summary makes the lag negative.
#[test]
fn with_the_end_offset_first_the_lag_can_be_negative() {
    let mut spec = spec("share-lag");
    spec.lag.share_groups[0].describe_gap = SimDuration::from_millis(500);
    assert!(run(&spec).lag.share.min >= Some(0));
    spec.lag.share_groups[0].first_reading = FirstReading::EndOffset;
    assert!(run(&spec).lag.share.min < Some(0));
}
