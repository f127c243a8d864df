//! Kafka's own share partition: every recorded sequence must come out field by field.
//!
//! The recordings are in `tests/vectors/share`; `SHARE_VECTORS` names a folder with more of them.
//! Sequences whose `quirks` name something that the recorded code got wrong are left out, but
//! those of the two defects that are switches are run with the switch on.

mod common;

use common::vectors;
use isrlab_sim::protocol::share::{
    AcknowledgeBatch, MemberId, OffsetRange, PersisterError, RecordState, ShareDefects, ShareError,
    SharePartition, ShareSettings, ShareState, StateBatch, StateWrite,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct Sequence {
    name: String,
    max_delivery_count: u16,
    max_in_flight: u32,
    lock_ms: i64,
    start_time_ms: i64,
    quirks: Vec<String>,
    ops: Vec<Op>,
}

#[derive(Deserialize)]
struct Op {
    op: String,
    start_offset: Option<i64>,
    state_epoch: Option<i32>,
    #[serde(default)]
    state_batches: Vec<(i64, i64, i8, u16)>,
    error: Option<String>,
    member: Option<String>,
    max_records: Option<u32>,
    #[serde(default)]
    batches: Vec<Vec<serde_json::Value>>,
    ms: Option<i64>,
    log_start_offset: Option<i64>,
    #[serde(default)]
    persister_fails: serde_json::Value,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    result: String,
    exception: Option<String>,
    count: Option<i64>,
    acquired: Option<Vec<(i64, i64, u16)>>,
    now_ms: i64,
    partition_state: String,
    spso: i64,
    speo: i64,
    next_fetch_offset: i64,
    can_acquire_records: bool,
    offsets: BTreeMap<i64, (String, u16, String)>,
    terminal_count: i64,
    writes: Vec<ExpectWrite>,
    persisted: ExpectPersisted,
}

#[derive(Deserialize)]
struct ExpectWrite {
    state_epoch: i32,
    start_offset: i64,
    state_batches: Vec<(i64, i64, i8, u16)>,
}

#[derive(Deserialize)]
struct ExpectPersisted {
    start_offset: i64,
    state_batches: Vec<(i64, i64, i8, u16)>,
}

fn range_of(batch: &[serde_json::Value]) -> OffsetRange {
    OffsetRange::new(batch[0].as_i64().unwrap(), batch[1].as_i64().unwrap())
}

fn member_of(name: &str) -> MemberId {
    if name.is_empty() { 0 } else { name[1..].parse().expect("members are called m1, m2, …") }
}

fn state_batch(&(first, last, state, delivery_count): &(i64, i64, i8, u16)) -> StateBatch {
    StateBatch {
        range: OffsetRange::new(first, last),
        state: RecordState::of_id(state).expect("a state"),
        delivery_count,
    }
}

fn exception_of(error: ShareError) -> &'static str {
    match error {
        ShareError::InvalidRecordState => "InvalidRecordStateException",
        ShareError::InvalidRequest => "InvalidRequestException",
        ShareError::InvalidPersistedState | ShareError::NotActive => "IllegalStateException",
        ShareError::Persister(PersisterError::CoordinatorNotAvailable) => "CoordinatorNotAvailableException",
        ShareError::Persister(PersisterError::FencedLeaderEpoch) => "NotLeaderOrFollowerException",
        ShareError::Persister(PersisterError::FencedStateEpoch) => "FencedStateEpochException",
        ShareError::Persister(PersisterError::UnknownPartition) => "InvalidRequestException",
    }
}

fn persister_error(name: &str) -> PersisterError {
    match name {
        "FENCED_STATE_EPOCH" => PersisterError::FencedStateEpoch,
        "FENCED_LEADER_EPOCH" => PersisterError::FencedLeaderEpoch,
        _ => PersisterError::CoordinatorNotAvailable,
    }
}

/// The partition, its persister and what an op wrote.
struct Bench {
    partition: SharePartition,
    persisted: ShareState,
    writes: Vec<StateWrite>,
    acquired: Vec<(i64, i64, u16)>,
    now: i64,
}

fn settings_of(sequence: &Sequence, defects: ShareDefects) -> ShareSettings {
    ShareSettings {
        delivery_count_limit: sequence.max_delivery_count,
        max_record_locks: sequence.max_in_flight,
        record_lock_duration_ms: sequence.lock_ms,
        defects,
    }
}

impl Bench {
    fn new(settings: ShareSettings, now: i64) -> Bench {
        Bench {
            partition: SharePartition::new(settings, 0),
            persisted: ShareState::initialized(0, 0),
            writes: Vec::new(),
            acquired: Vec::new(),
            now,
        }
    }

    /// Takes a write to the persister and its answer back.
    fn take(&mut self, write: Option<StateWrite>, fails: bool) -> Result<(), ShareError> {
        let Some(write) = write else { return Ok(()) };
        let result =
            if fails { Err(PersisterError::CoordinatorNotAvailable) } else { self.persisted.write(&write) };
        self.partition.write_ended(write.number, result.is_ok());
        self.writes.push(write);
        result.map_err(ShareError::Persister)
    }

    fn step(&mut self, op: &Op, settings: ShareSettings) -> Result<(), ShareError> {
        let fails = !matches!(op.persister_fails, serde_json::Value::Null | serde_json::Value::Bool(false));
        let member = op.member.as_deref().map_or(0, member_of);
        match op.op.as_str() {
            "initialize" => {
                let epoch = op.state_epoch.unwrap();
                let batches: Vec<StateBatch> = op.state_batches.iter().map(state_batch).collect();
                self.persisted = ShareState::found(epoch, 0, op.start_offset.unwrap(), 0, batches);
                self.partition = SharePartition::new(settings, 0);
                let read = match &op.error {
                    Some(name) => Err(persister_error(name)),
                    None => Ok(&self.persisted),
                };
                self.partition.initialize(read, 0)
            }
            "acquire" => {
                let fetched: Vec<OffsetRange> = op.batches.iter().map(|batch| range_of(batch)).collect();
                let acquired = self.partition.acquire(member, op.max_records.unwrap(), &fetched, self.now);
                let triple = |got: &isrlab_sim::protocol::share::AcquiredRange| {
                    (got.range.first, got.range.last, got.delivery_count)
                };
                self.acquired = acquired.iter().map(triple).collect();
                Ok(())
            }
            "acknowledge" => {
                let types = |batch: &[serde_json::Value]| {
                    batch[2].as_array().unwrap().iter().map(|id| id.as_i64().unwrap() as i8).collect()
                };
                let acknowledged: Vec<AcknowledgeBatch> = op
                    .batches
                    .iter()
                    .map(|batch| AcknowledgeBatch { range: range_of(batch), types: types(batch) })
                    .collect();
                let write = self.partition.acknowledge(member, &acknowledged)?;
                self.take(write, fails)
            }
            "release_acquired_records" => {
                let write = self.partition.release_member(member);
                self.take(write, fails)
            }
            "lock_timeout" => {
                self.now += op.ms.unwrap();
                while let Some(write) = self.partition.expire_lock(self.now) {
                    // A write that fails at a timeout is nobody's error.
                    let _ = self.take(Some(write), fails);
                }
                Ok(())
            }
            "update_cache_and_offsets" => {
                self.partition.log_start_moved(op.log_start_offset.unwrap());
                Ok(())
            }
            other => panic!("unknown op {other}"),
        }
    }
}

fn quadruples(batches: &[StateBatch]) -> Vec<(i64, i64, i8, u16)> {
    batches
        .iter()
        .map(|batch| (batch.range.first, batch.range.last, batch.state.id(), batch.delivery_count))
        .collect()
}

/// Batches offset by offset: which neighbours the recorder's persister merged is its own affair.
fn by_offset(batches: &[(i64, i64, i8, u16)]) -> Vec<(i64, i8, u16)> {
    let each = |&(first, last, state, count): &(i64, i64, i8, u16)| {
        (first..=last).map(move |offset| (offset, state, count))
    };
    batches.iter().flat_map(each).collect()
}

/// Drives one recorded sequence; returns how many ops were compared.
fn run(sequence: &Sequence, defects: ShareDefects) -> usize {
    let settings = settings_of(sequence, defects);
    let mut bench = Bench::new(settings, sequence.start_time_ms);
    for (index, op) in sequence.ops.iter().enumerate() {
        bench.writes.clear();
        bench.acquired.clear();
        let result = bench.step(op, settings);
        compare(&format!("{}, op {index} ({})", sequence.name, op.op), op, result, &bench);
    }
    sequence.ops.len()
}

fn compare(place: &str, op: &Op, result: Result<(), ShareError>, bench: &Bench) {
    let (expect, partition) = (&op.expect, &bench.partition);
    match expect.result.as_str() {
        "ok" => assert_eq!(result, Ok(()), "{place}: result"),
        "error" => assert_eq!(
            result.map_err(exception_of),
            Err(expect.exception.as_deref().unwrap()),
            "{place}: result"
        ),
        // The recorded code fell over a null pointer; the request must fail and change nothing.
        "thrown" => assert!(result.is_err(), "{place}: result"),
        other => panic!("{place}: result {other}"),
    }
    if let Some(acquired) = &expect.acquired {
        let count: i64 = bench.acquired.iter().map(|(first, last, _)| last - first + 1).sum();
        assert_eq!((&bench.acquired, Some(count)), (acquired, expect.count), "{place}: acquired");
    }
    let spso = partition.start_offset();
    let in_flight = partition.end_offset() > spso;
    // SPEO was recorded inclusive while something is in flight.
    let speo = partition.end_offset() - i64::from(in_flight);
    assert_eq!(
        (bench.now, spso, speo),
        (expect.now_ms, expect.spso, expect.speo),
        "{place}: time, SPSO, SPEO"
    );
    assert_eq!(partition.status().name(), expect.partition_state, "{place}: state of the partition");
    let mut offsets = BTreeMap::new();
    for (range, record) in partition.runs() {
        for offset in range.first.max(spso)..=range.last {
            let member = if record.member == 0 { String::new() } else { format!("m{}", record.member) };
            offsets.insert(offset, (record.state.name().to_owned(), record.delivery_count, member));
        }
    }
    assert_eq!(offsets, expect.offsets, "{place}: records");
    assert_eq!(
        partition.delivery_complete_count(),
        expect.terminal_count,
        "{place}: delivery complete count"
    );
    assert_eq!(partition.next_fetch_offset(), expect.next_fetch_offset, "{place}: next fetch offset");
    assert_eq!(partition.can_acquire(), expect.can_acquire_records, "{place}: can acquire");
    let writes: Vec<_> = bench
        .writes
        .iter()
        .map(|write| (write.state_epoch, write.start_offset, quadruples(&write.batches)))
        .collect();
    let expected: Vec<_> = expect
        .writes
        .iter()
        .map(|write| (write.state_epoch, write.start_offset, write.state_batches.clone()))
        .collect();
    assert_eq!(writes, expected, "{place}: what is written");
    assert_eq!(
        (bench.persisted.start_offset(), by_offset(&quadruples(bench.persisted.batches()))),
        (expect.persisted.start_offset, by_offset(&expect.persisted.state_batches)),
        "{place}: what is persisted"
    );
}

fn sequences_of(folder: &Path) -> (usize, Vec<Sequence>) {
    let mut sequences = Vec::new();
    let files = vectors::for_each(folder, |_, sequence| sequences.push(sequence));
    (files, sequences)
}

/// Runs all sequences without quirks; returns (files, sequences, ops).
fn run_folder(folder: &Path) -> (usize, usize, usize) {
    let (files, sequences) = sequences_of(folder);
    let plain = |sequence: &&Sequence| sequence.quirks.iter().all(|quirk| quirk == "thrown_npe");
    let matched: Vec<&Sequence> = sequences.iter().filter(plain).collect();
    let ops = matched.iter().map(|sequence| run(sequence, ShareDefects::default())).sum();
    (files, matched.len(), ops)
}

#[test]
fn share_vectors_of_the_project() {
    // The counts are those of the recordings: a file that went missing is noticed.
    assert_eq!(run_folder(&vectors::project_folder("share")), (4, 145, 4_881));
}

#[test]
fn share_vectors_of_the_folder_named_by_share_vectors() {
    vectors::run_named_by("SHARE_VECTORS", run_folder);
}

/// The switches show the recorded defects, state by state.
#[test]
fn share_vectors_of_the_defects() {
    let moves_back = ShareDefects { start_offset_moves_back: true, ..ShareDefects::default() };
    let loses = ShareDefects { loses_acquired_at_failover: true, ..ShareDefects::default() };
    let cases = [
        ("lso-beyond-end-acquired-release", moves_back),
        ("lso-beyond-end-acquired-timeout", moves_back),
        ("lso-onto-acknowledged", moves_back),
        ("failover", loses),
        ("init-persisted-hole", loses),
    ];
    let (_, sequences) = sequences_of(&vectors::project_folder("share"));
    for (name, defects) in cases {
        let sequence = sequences.iter().find(|sequence| sequence.name == name).expect(name);
        run(sequence, defects);
    }
}

/// All sequences, those with quirks too, without defects: whatever the recorded code did there,
/// ours keeps to what must always hold.
#[test]
fn share_vectors_with_quirks_keep_what_must_hold() {
    let (_, sequences) = sequences_of(&vectors::project_folder("share"));
    let mut ops = 0;
    for sequence in &sequences {
        let mut bench = Bench::new(settings_of(sequence, ShareDefects::default()), sequence.start_time_ms);
        let mut before = 0;
        for (index, op) in sequence.ops.iter().enumerate() {
            // Whether it succeeds is not the question here.
            let _ = bench.step(op, settings_of(sequence, ShareDefects::default()));
            let place = format!("{}, op {index} ({})", sequence.name, op.op);
            let partition = &bench.partition;
            let (start, end) = (partition.start_offset(), partition.end_offset());
            if op.op != "initialize" {
                assert!(start >= before, "{place}: the start offset moved back from {before} to {start}");
            }
            before = start;
            assert!(end >= start, "{place}: the end offset {end} is below the start offset {start}");
            for offset in start..end {
                assert!(partition.record(offset).is_some(), "{place}: offset {offset} is not in flight");
            }
            let first = partition.record(start);
            assert!(first.is_none_or(|record| !record.is_settled()), "{place}: terminal at the start offset");
            assert!((start..=end).contains(&partition.next_fetch_offset()), "{place}: next fetch offset");
            ops += 1;
        }
    }
    assert_eq!((sequences.len(), ops), (171, 5_075));
}
