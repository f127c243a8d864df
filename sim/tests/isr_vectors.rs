//! Kafka's own answers: every recorded sequence must come out field by field.
//!
//! The recordings are in `tests/vectors/isr`; `ISR_VECTORS` names a folder with more of them.

mod common;

use common::vectors;
use isrlab_sim::protocol::{
    Acks, FollowerLog, IsrCriterion, LeaderSettings, PartitionLeader, Profile, ReplicaSet,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

const REPLICAS_MAX: usize = 8;

#[derive(Deserialize)]
struct Sequence {
    name: String,
    version: String,
    replica_lag_time_max_ms: i64,
    replicas: Vec<i32>,
    leader: i32,
    start_time_ms: i64,
    initial_leo: i64,
    initial_hw: i64,
    ops: Vec<Op>,
}

#[derive(Deserialize)]
struct Op {
    op: String,
    isr: Option<Vec<i32>>,
    ms: Option<i64>,
    n: Option<i64>,
    hw: Option<i64>,
    follower: Option<i32>,
    offset: Option<i64>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    now_ms: i64,
    leo: i64,
    hw: i64,
    isr: Vec<i32>,
    followers: BTreeMap<i32, Option<ExpectFollower>>,
}

#[derive(Deserialize)]
struct ExpectFollower {
    leo: i64,
    last_caught_up_ms: i64,
    last_fetch_ms: Option<i64>,
    last_fetch_leader_leo: Option<i64>,
}

fn criterion_of(version: &str) -> IsrCriterion {
    match version {
        "pre-4485" => IsrCriterion::Pre4485,
        "post-4485" => IsrCriterion::Post4485,
        "trunk-2024" => IsrCriterion::EqualLeo,
        other => panic!("unknown version {other}; known are pre-4485, post-4485, trunk-2024"),
    }
}

/// Drives one recorded sequence; returns how many ops were compared.
fn run(sequence: &Sequence) -> usize {
    let mut settings = LeaderSettings::of_profile(&Profile::of_criterion(criterion_of(&sequence.version)));
    settings.lag.time_max = sequence.replica_lag_time_max_ms;
    let slot_of = |id: i32| sequence.replicas.iter().position(|&replica| replica == id).expect("a replica");
    let mut now = sequence.start_time_ms;
    let mut leader: PartitionLeader<REPLICAS_MAX> =
        PartitionLeader::new(sequence.replicas.len(), slot_of(sequence.leader), now);
    let initial = FollowerLog { log_end_offset: sequence.initial_leo, high_watermark: sequence.initial_hw };
    leader.set_log(initial);
    for (index, op) in sequence.ops.iter().enumerate() {
        match op.op.as_str() {
            "become_leader" => {
                let isr: ReplicaSet = op.isr.as_ref().unwrap().iter().map(|&id| slot_of(id)).collect();
                leader.become_leader(&settings, isr, now);
            }
            "advance" => now += op.ms.unwrap(),
            "append" => {
                leader.append(&settings, op.n.unwrap(), Acks::Leader, now).expect("it leads");
            }
            "fetch" => {
                leader.fetch(&settings, slot_of(op.follower.unwrap()), op.offset.unwrap(), now);
            }
            "isr_expiration" => {
                leader.check_isr(&settings, now);
            }
            "become_follower" => leader.become_follower(),
            "follower_append" => {
                let mut log = leader.log();
                log.append(op.n.unwrap(), op.hw.unwrap());
                leader.set_log(log);
            }
            other => panic!("unknown op {other}"),
        }
        let place = format!("{} {}, op {index} ({})", sequence.version, sequence.name, op.op);
        compare(&place, sequence, op, &leader, now);
    }
    sequence.ops.len()
}

fn compare(place: &str, sequence: &Sequence, op: &Op, leader: &PartitionLeader<REPLICAS_MAX>, now: i64) {
    let expect = &op.expect;
    let isr: Vec<i32> = leader.isr().iter().map(|slot| sequence.replicas[slot]).collect();
    assert_eq!(
        (now, leader.log_end_offset(), leader.high_watermark(), &isr),
        (expect.now_ms, expect.leo, expect.hw, &expect.isr),
        "{place}: time, LEO, HW, ISR"
    );
    for (id, expected) in &expect.followers {
        let Some(expected) = expected else { continue };
        let slot = sequence.replicas.iter().position(|replica| replica == id).unwrap();
        let got = leader.follower(slot);
        assert_eq!(
            (got.log_end_offset, got.last_caught_up),
            (expected.leo, expected.last_caught_up_ms),
            "{place}: follower {id}: LEO, last caught-up time"
        );
        if let Some(last_fetch) = expected.last_fetch_ms {
            assert_eq!(
                (got.last_fetch_time, got.last_fetch_leader_leo),
                (last_fetch, expected.last_fetch_leader_leo.unwrap()),
                "{place}: follower {id}: last fetch time, leader's LEO at it"
            );
        }
    }
}

/// Runs all recordings of a folder; returns (files, sequences, ops).
fn run_folder(folder: &Path) -> (usize, usize, usize) {
    let (mut sequences, mut ops) = (0, 0);
    let files = vectors::for_each(folder, |_, sequence: Sequence| {
        sequences += 1;
        ops += run(&sequence);
    });
    (files, sequences, ops)
}

#[test]
fn isr_vectors_of_the_project() {
    // The counts are those of the recordings: a file that went missing is noticed.
    assert_eq!(run_folder(&vectors::project_folder("isr")), (9, 480, 35_034));
}

#[test]
fn isr_vectors_of_the_folder_named_by_isr_vectors() {
    vectors::run_named_by("ISR_VECTORS", run_folder);
}
