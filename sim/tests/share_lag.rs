//! The share-partition lag: worked figures.

use isrlab_sim::protocol::share::{
    AcknowledgeBatch, OffsetRange, PersisterError, RecordState, SharePartition, ShareSettings, ShareState,
    StateBatch, StateWrite, UNINITIALIZED_OFFSET, UNKNOWN_COUNT, UNKNOWN_LAG, share_offset,
};

const ACCEPT: i8 = 1;
const RELEASE: i8 = 2;
const REJECT: i8 = 3;
const MEMBER: u32 = 1;
const LOCK_MS: i64 = 30_000;

/// A partition and what the share coordinator keeps of it.
struct Bench {
    partition: SharePartition,
    persisted: ShareState,
    now: i64,
}

impl Bench {
    fn new(persisted: ShareState, deliveries: u16) -> Bench {
        let settings = ShareSettings { delivery_count_limit: deliveries, ..ShareSettings::default() };
        let mut partition = SharePartition::new(settings, 1);
        let mut persisted = persisted;
        partition.initialize(persisted.read(1), 0).expect("sound state");
        Bench { partition, persisted, now: 0 }
    }

    /// Five records: 0 acquired alone, 1 to 4 together.
    fn five(deliveries: u16) -> Bench {
        let mut bench = Bench::new(ShareState::initialized(0, 0), deliveries);
        bench.acquire(0, 0);
        bench.acquire(1, 4);
        bench
    }

    fn acquire(&mut self, first: i64, last: i64) {
        let range = OffsetRange::new(first, last);
        let acquired = self.partition.acquire(MEMBER, 500, &[range], self.now);
        assert!(!acquired.is_empty(), "{first} to {last} were acquired");
    }

    fn take(&mut self, write: StateWrite) {
        let result = self.persisted.write(&write);
        self.partition.write_ended(write.number, result.is_ok());
        result.expect("nobody fences it");
    }

    fn acknowledge(&mut self, first: i64, last: i64, id: i8) {
        let batch = AcknowledgeBatch::all(first, last, id);
        let write = self.partition.acknowledge(MEMBER, &[batch]).expect("it is acquired");
        self.take(write.expect("something changed"));
    }

    fn expire(&mut self) {
        self.expire_after(LOCK_MS);
    }

    fn expire_after(&mut self, ms: i64) {
        self.now += ms;
        while let Some(write) = self.partition.expire_lock(self.now) {
            self.take(write);
        }
    }

    /// SPSO, SPEO, delivery complete count.
    fn figures(&self) -> (i64, i64, i64) {
        (self.partition.start_offset(), self.partition.end_offset(), self.partition.delivery_complete_count())
    }

    fn lag(&self, end: i64) -> i64 {
        share_offset(Ok(self.persisted.summary()), Some(end)).lag
    }

    /// The leader fails; another takes over from what is persisted.
    fn fail_over(&mut self) {
        let mut partition = SharePartition::new(ShareSettings::default(), 2);
        partition.initialize(self.persisted.read(2), 0).expect("sound state");
        self.partition = partition;
    }
}

#[test]
fn accepted_and_rejected_records_count_and_released_ones_do_not() {
    for (id, expected) in [(ACCEPT, (0, 5, 2)), (REJECT, (0, 5, 2)), (RELEASE, (0, 5, 0))] {
        let mut bench = Bench::five(5);
        bench.acknowledge(2, 3, id);
        assert_eq!(bench.figures(), expected, "type {id}");
    }
}

#[test]
fn at_the_delivery_limit_a_release_and_a_lock_that_expires_archive() {
    let mut released = Bench::five(1);
    released.acknowledge(2, 3, RELEASE);
    assert_eq!(released.figures(), (0, 5, 2));
    // Both locks expire; then 1 to 4 are acquired for the last time, and 0 a little later.
    let mut expired = Bench::five(2);
    expired.expire();
    assert_eq!(expired.figures(), (0, 5, 0));
    expired.acquire(1, 4);
    expired.now += 1;
    expired.acquire(0, 0);
    expired.expire_after(LOCK_MS - 1);
    assert_eq!(expired.figures(), (0, 5, 4));
}

#[test]
fn the_start_offset_moves_over_what_is_done() {
    let mut three = Bench::new(ShareState::initialized(0, 0), 5);
    three.acquire(0, 2);
    three.acknowledge(0, 2, ACCEPT);
    assert_eq!(three.figures(), (3, 3, 0));
    let mut five = Bench::five(5);
    five.acknowledge(2, 3, ACCEPT);
    five.acknowledge(0, 0, ACCEPT);
    assert_eq!(five.figures(), (1, 5, 2));
    let mut log_start = Bench::five(5);
    log_start.partition.log_start_moved(3);
    assert_eq!(log_start.figures(), (3, 5, 0));
}

/// The count alone says nothing about the lag: it falls when the start offset passes terminal
/// records, while the lag stays or falls.
#[test]
fn the_count_alone_is_not_monotone() {
    let mut bench = Bench::five(5);
    bench.acknowledge(1, 4, ACCEPT);
    assert_eq!((bench.figures(), bench.lag(5)), ((0, 5, 4), 1));
    bench.acknowledge(0, 0, ACCEPT);
    assert_eq!((bench.figures(), bench.lag(5)), ((5, 5, 0), 0));
}

fn restored(start: i64, batches: &[(i64, i64, RecordState)]) -> (i64, i64, i64) {
    let batch = |&(first, last, state): &(i64, i64, RecordState)| StateBatch {
        range: OffsetRange::new(first, last),
        state,
        delivery_count: 1,
    };
    let state = ShareState::found(0, 0, start, 0, batches.iter().map(batch).collect());
    Bench::new(state, 5).figures()
}

#[test]
fn restored_from_persisted_state() {
    use RecordState::{Acknowledged, Archived, Available};
    let first = [(2, 3, Available), (4, 5, Acknowledged), (6, 6, Archived)];
    assert_eq!(restored(2, &first), (2, 7, 3));
    let second = [(0, 1, Acknowledged), (2, 3, Available), (4, 4, Archived)];
    assert_eq!(restored(0, &second), (2, 5, 1));
    assert_eq!(restored(0, &[(0, 1, Acknowledged), (2, 3, Archived)]), (4, 4, 0));
}

#[test]
fn the_lag_of_a_run() {
    let mut bench = Bench::new(ShareState::initialized(0, 0), 5);
    bench.acquire(0, 0);
    bench.acknowledge(0, 0, ACCEPT);
    assert_eq!(bench.lag(1), 0);
    assert_eq!(bench.lag(2), 1, "one more is produced");
    bench.acquire(1, 1);
    assert_eq!(bench.lag(2), 1, "acquired is not done");
    bench.acknowledge(1, 1, RELEASE);
    assert_eq!(bench.lag(2), 1);
    bench.acquire(1, 1);
    bench.acknowledge(1, 1, REJECT);
    assert_eq!(bench.lag(2), 0);
    assert_eq!(bench.lag(3), 1);
    bench.fail_over();
    assert_eq!(bench.lag(3), 1, "leader, group and coordinator start again");
}

#[test]
fn a_group_that_starts_at_the_latest_and_one_that_is_altered() {
    let mut latest = Bench::new(ShareState::initialized(0, 100), 5);
    latest.acquire(100, 104);
    assert_eq!(latest.lag(105), 5);
    latest.acknowledge(100, 104, ACCEPT);
    assert_eq!(latest.lag(105), 0);
    latest.persisted.alter(40);
    assert_eq!(latest.lag(105), 65);
}

#[test]
fn a_summary_that_fails_is_its_own_partitions_affair() {
    let state = ShareState::found(0, 0, 10, 3, Vec::new());
    let answers = [Ok(state.summary()), Err(PersisterError::CoordinatorNotAvailable), Ok(state.summary())]
        .map(|summary| share_offset(summary, Some(20)));
    assert_eq!(answers.map(|answer| answer.lag), [7, UNKNOWN_LAG, 7]);
    assert_eq!(answers.map(|answer| answer.error_code), [0, 15, 0]);
    assert_eq!(answers[1].start_offset, UNINITIALIZED_OFFSET);
}

#[test]
fn unknown_is_minus_one() {
    let uninitialized = ShareState::initialized(0, UNINITIALIZED_OFFSET).summary();
    let before_upgrade = ShareState::found(0, 0, 10, UNKNOWN_COUNT, Vec::new()).summary();
    for summary in [uninitialized, before_upgrade] {
        assert_eq!(share_offset(Ok(summary), Some(20)).lag, UNKNOWN_LAG);
    }
    let known = ShareState::initialized(0, 10).summary();
    assert_eq!(share_offset(Ok(known), None).lag, UNKNOWN_LAG, "the end offset is not known");
    assert_eq!(share_offset(Ok(known), Some(20)).lag, 10);
    // Deleted: as if it had never been.
    let mut state = ShareState::initialized(0, 10);
    state.delete();
    assert_eq!(share_offset(Ok(state.summary()), Some(20)).lag, UNKNOWN_LAG);
}

/// State that was written without the count gets one with the first write of the new version.
#[test]
fn the_first_write_after_an_upgrade_brings_the_count() {
    let batches =
        vec![StateBatch { range: OffsetRange::new(2, 3), state: RecordState::Archived, delivery_count: 1 }];
    let mut bench = Bench::new(ShareState::found(0, 0, 0, UNKNOWN_COUNT, batches), 5);
    assert_eq!(bench.lag(6), UNKNOWN_LAG);
    bench.acquire(0, 1);
    assert_eq!(bench.lag(6), UNKNOWN_LAG, "an acquisition writes nothing");
    bench.acknowledge(1, 1, ACCEPT);
    assert_eq!(bench.lag(6), 3);
}

/// Leaders and states that are out of date cannot write.
#[test]
fn late_writes_are_fenced() {
    let mut bench = Bench::five(5);
    let accept = [AcknowledgeBatch::all(0, 0, ACCEPT)];
    let late = bench.partition.acknowledge(MEMBER, &accept).unwrap().unwrap();
    bench.persisted.read(2).unwrap();
    assert_eq!(bench.persisted.write(&late), Err(PersisterError::FencedLeaderEpoch));
    assert!(bench.persisted.read(1).is_err());
    let mut altered = Bench::five(5);
    let late = altered.partition.acknowledge(MEMBER, &accept).unwrap().unwrap();
    altered.persisted.alter(3);
    assert_eq!(altered.persisted.write(&late), Err(PersisterError::FencedStateEpoch));
    assert_eq!(altered.persisted.summary().start_offset, 3);
}

/// Until its write has ended, a released record cannot be given to another; a write that fails
/// gives it back to its holder, whose lock still runs.
#[test]
fn a_write_under_way_keeps_its_records_apart() {
    let mut bench = Bench::five(5);
    let release = [AcknowledgeBatch::all(1, 4, RELEASE)];
    let write = bench.partition.acknowledge(MEMBER, &release).unwrap().unwrap();
    assert!(bench.partition.acquire(2, 500, &[OffsetRange::new(1, 4)], bench.now).is_empty());
    bench.partition.write_ended(write.number, false);
    assert_eq!(bench.partition.record(1).unwrap().member, MEMBER);
    bench.expire();
    assert_eq!(bench.partition.record(1).unwrap().state, RecordState::Available);
    assert_eq!(bench.partition.acquire(2, 500, &[OffsetRange::new(1, 4)], bench.now).len(), 1);
}

/// Offsets that hold no records do not hold the lag.
#[test]
fn offsets_without_records_are_archived() {
    let mut bench = Bench::new(ShareState::initialized(0, 0), 5);
    bench.acquire(0, 4);
    bench.acquire(10, 14);
    assert_eq!(bench.figures(), (0, 15, 5));
    bench.acknowledge(0, 4, ACCEPT);
    assert_eq!(bench.figures(), (10, 15, 0));
    assert_eq!(bench.partition.undelivered(15), 5);
}

/// The start offset does not pass a record whose write is under way, and the count holds only
/// what is at or above the start offset.
#[test]
fn a_write_under_way_holds_the_start_offset() {
    let mut bench = Bench::five(5);
    let accept = [AcknowledgeBatch::all(0, 0, ACCEPT)];
    let write = bench.partition.acknowledge(MEMBER, &accept).unwrap().unwrap();
    bench.acknowledge(1, 1, ACCEPT);
    assert_eq!(bench.figures(), (0, 5, 2));
    bench.take(write);
    assert_eq!(bench.figures(), (2, 5, 0));
    let mut moved = Bench::five(5);
    let accept = [AcknowledgeBatch::all(1, 4, ACCEPT)];
    let write = moved.partition.acknowledge(MEMBER, &accept).unwrap().unwrap();
    moved.partition.log_start_moved(3);
    assert_eq!(moved.figures(), (3, 5, 2));
    assert_eq!(moved.partition.undelivered(5), 2, "not lasting yet");
    moved.take(write);
    assert_eq!(moved.figures(), (5, 5, 0));
}

/// A member that leaves gives back what it holds, whoever holds the records before.
#[test]
fn a_member_that_leaves_gives_back_its_own() {
    let mut bench = Bench::new(ShareState::initialized(0, 0), 5);
    bench.acquire(0, 4);
    bench.acknowledge(0, 1, RELEASE);
    assert!(!bench.partition.acquire(2, 500, &[OffsetRange::new(0, 1)], bench.now).is_empty());
    let write = bench.partition.release_member(MEMBER).expect("it holds 2 to 4");
    assert_eq!(write.batches.len(), 3);
    bench.take(write);
    let states: Vec<RecordState> = (0..5).map(|at| bench.partition.record(at).unwrap().state).collect();
    use RecordState::{Acquired, Available};
    assert_eq!(states, [Acquired, Acquired, Available, Available, Available]);
}
