//! Faults: pauses, slow and silent links, elections.

mod common;

use common::*;
use isrlab_sim::cluster::spec::*;
use isrlab_sim::engine::SimDuration;
use isrlab_sim::invariants::Invariant;
use isrlab_sim::protocol::Acks;

fn fault(kind: FaultKind, at: u64) -> FaultSpec {
    FaultSpec { name: "fault".into(), kind, at: at_ms(at), every: None, until: None }
}

fn election(leader: i32, at: u64) -> FaultSpec {
    fault(FaultKind::Election { topic: 0, partition: 0, leader }, at)
}

#[test]
fn a_paused_leader_checks_when_it_goes_on() {
    let mut spec = one_partition("pre-4485", 2, 40_000);
    spec.faults = vec![pause(2, 1_000, 38_000), pause(1, 19_000, 4_000)];
    let (log, summary) = run(&spec, 1, 0);
    // The check of 20 s is made at the end of the leader's pause.
    assert_eq!(log.shrinks, [(2, 23_000)]);
    let checks = summary.exercised.events.iter().find(|event| event.0 == "isr-check").unwrap().1;
    // The follower's broker checks at 39 s what was due at 10, 20 and 30 s.
    assert_eq!(checks, 8);
}

#[test]
fn pauses_that_overlap_are_one() {
    let mut spec = one_partition("post-4485", 2, 10_000);
    spec.faults = vec![pause(2, 1_000, 1_000), FaultSpec { name: "second".into(), ..pause(2, 1_500, 2_000) }];
    let (log, _) = run(&spec, 1, 100);
    let held = |at: u64| log.samples.iter().find(|sample| sample.0 == at).unwrap().4[1];
    assert_eq!(held(1_100), held(3_500));
    assert!(held(3_700) > held(3_500));
}

#[test]
fn a_stalled_link_delivers_all_at_its_end() {
    let mut spec = one_partition("post-4485", 2, 30_000);
    let link = LinkSelector { client: Some(LinkEnd::Broker(2)), broker: None };
    spec.faults = vec![fault(FaultKind::LinkStall { link, length: ms(18_000) }, 2_000)];
    let (log, summary) = run(&spec, 1, 0);
    assert_eq!((log.shrinks, log.expands.len()), (vec![(2, 15_000)], 1));
    assert_eq!(summary.exercised.faults, [("fault".to_owned(), 1)]);
    let nothing = LinkSelector { client: Some(LinkEnd::Broker(1)), broker: None };
    spec.faults = vec![fault(FaultKind::LinkStall { link: nothing, length: ms(18_000) }, 2_000)];
    let (_, summary) = run(&spec, 1, 0);
    assert_eq!(summary.exercised.faults, [("fault".to_owned(), 0)], "no link was touched");
}

#[test]
fn a_delayed_link_is_slower_for_a_while() {
    let mut spec = one_partition("post-4485", 1, 3_000);
    let link = LinkSelector { client: Some(LinkEnd::Producer("p".into())), broker: Some(1) };
    spec.faults = vec![fault(FaultKind::LinkDelay { link, length: ms(1_000), extra: ms(20) }, 1_000)];
    let (log, summary) = run(&spec, 1, 0);
    let latency = |at: u64| log.produced.iter().find(|produced| produced.0 >= at).unwrap().1;
    assert_eq!((latency(500), latency(1_500), latency(2_500)), (0, 40, 0));
    assert_eq!(summary.requests_acked, 300);
}

#[test]
fn leadership_moves_and_everybody_follows() {
    let mut spec = one_partition("kafka-2.6", 3, 10_000);
    spec.producers[0].acks = Acks::All;
    spec.faults = vec![election(2, 4_000), FaultSpec { name: "back".into(), ..election(1, 7_000) }];
    let (log, summary) = run(&spec, 1, 1_000);
    let leaders: Vec<i32> = log.samples.iter().map(|sample| sample.1).collect();
    assert_eq!(leaders, [1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1]);
    assert_eq!((log.shrinks.len(), summary.requests_failed), (0, 0));
    let (_, _, leo, high_watermark, held) = log.samples.last().unwrap().clone();
    assert!(leo - high_watermark <= 1 && held.iter().all(|held| leo - held <= 1), "{held:?}");
    assert!(summary.requests_acked >= 990, "{}", summary.requests_acked);
}

#[test]
fn a_candidate_that_is_paused_or_out_of_sync_is_not_elected() {
    let mut spec = one_partition("post-4485", 2, 30_000);
    spec.faults = vec![
        pause(2, 1_000, 28_000),
        election(2, 2_000),
        FaultSpec { name: "late".into(), ..election(2, 25_000) },
    ];
    let (_, summary) = run(&spec, 1, 0);
    let applied: Vec<u64> = summary.exercised.faults.iter().map(|fault| fault.1).collect();
    assert_eq!(applied, [1, 0, 0]);
}

#[test]
fn what_a_new_leader_remembers_depends_on_the_version() {
    // The election is at 14.999 s, the check of the new leader at 15 s, before any fetch.
    let shrinks = |profile: &str| {
        let mut spec = one_partition(profile, 3, 20_000);
        spec.replication.replica_lag_time_max = SimDuration::from_secs(10);
        spec.replication.isr_check_period = Some(SimDuration::from_secs(5));
        spec.producers[0].arrivals = every_ms(60_000, 10);
        for broker in [1, 3] {
            spec = with_round_trip(spec, broker, 20);
        }
        spec.faults = vec![
            election(2, 14_999),
            pause(1, 14_999, 5),
            FaultSpec { name: "3".into(), ..pause(3, 14_999, 5) },
        ];
        run(&spec, 1, 0).0.shrinks
    };
    // As merged, KAFKA-4485 forgot when ISR members were caught up.
    assert_eq!(shrinks("post-4485"), [(1, 15_000), (3, 15_000)]);
    // Before it, a new leader knew times from whenever it had first heard of the partition.
    assert_eq!(shrinks("pre-4485"), [(1, 15_000), (3, 15_000)]);
    // Before 0.9, unknown log ends counted as set now; from 0.10.2 on ISR members start afresh.
    for profile in ["max-messages", "epoch-start", "equal-leo", "kafka-0.10.2", "kafka-2.0", "kafka-2.6"] {
        assert_eq!(shrinks(profile), [], "{profile}");
    }
}

#[test]
fn truncation_to_the_high_watermark_can_lose_what_was_acknowledged() {
    use isrlab_sim::cluster::{Cluster, NoObserver, RunOptions};
    // Two moves in quick succession: at the first, broker 2 cuts its log down to its own high
    // watermark, which is stale, and it is elected before it has fetched again what it cut (the
    // first scenario of KIP-101).
    let mut spec = one_partition("kafka-0.10.2", 3, 10_000);
    spec.producers[0].acks = Acks::All;
    spec.faults = vec![election(3, 4_012), FaultSpec { name: "second".into(), ..election(2, 4_013) }];
    let outcome = |spec: &isrlab_sim::cluster::ClusterSpec| {
        Cluster::new(spec, 1).unwrap().run(&RunOptions::default(), &mut NoObserver, &mut |_| true)
    };
    let violation = outcome(&spec).unwrap_err();
    assert_eq!(violation.invariant, Invariant::AcknowledgedIsKept, "{violation}");
    assert_eq!(violation.at, at_ms(4_013));
    let told = violation.to_string();
    for part in
        ["4.013 s", "fault second begins", "missing from the leader's log", "partition orders-0", "seed 1"]
    {
        assert!(told.contains(part), "no '{part}' in\n{told}");
    }
    // From 0.11 on the same moves lose nothing.
    spec.profile = "kafka-0.11.0".parse().unwrap();
    assert!(outcome(&spec).is_ok());
}

#[test]
fn a_connection_made_while_a_link_is_slow_is_slow_too() {
    let slow = |from: u64| {
        let mut spec = one_partition("kafka-2.6", 2, 20_000);
        let link = LinkSelector { client: Some(LinkEnd::Broker(1)), broker: None };
        let delay = FaultKind::LinkDelay { link, length: ms(10_000), extra: ms(400) };
        spec.faults = vec![election(2, 5_000), FaultSpec { name: "slow".into(), ..fault(delay, from) }];
        run(&spec, 1, 0).1.fetches
    };
    // Broker 1 fetches from 5 s on, over a connection that did not exist before.
    assert!(slow(4_000) + 500 < slow(19_000), "{} {}", slow(4_000), slow(19_000));
}
