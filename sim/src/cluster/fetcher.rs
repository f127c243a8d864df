//! A fetcher: one thread of a follower's broker that fetches from one leader's broker.

use super::link::Direction;
use super::partition::Partition;
use super::spec::ReplicationSettings;
use crate::engine::SimTime;
use crate::protocol::{Offset, ReplicaSlot};

/// Bytes of a fetch request or answer beside its partitions, roughly as on the wire.
const FETCH_OVERHEAD_BYTES: u64 = 64;
/// Bytes of each partition that a fetch request or answer names.
const FETCH_PARTITION_BYTES: u64 = 32;

/// Where a fetcher's fetch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FetchState {
    /// There is none.
    Idle,
    /// On its way to the leader, or being answered.
    UnderWay,
    /// At the leader, waiting for data until the given time.
    Waiting { deadline: SimTime },
}

/// A partition that a fetcher fetches.
#[derive(Clone, Copy, Debug)]
pub(super) struct FetchPartition {
    pub(super) partition: u32,
    pub(super) slot: u32,
    /// Number of the first fetch that names it.
    pub(super) since_fetch: u64,
    /// What the answer under way holds.
    pub(super) answer_records: Offset,
    pub(super) answer_high_watermark: Offset,
    /// The high watermark at the latest fetch's first read (Kafka's last sent high watermark,
    /// which an answer after a wait does not move).
    pub(super) read_high_watermark: Offset,
}

/// A fetcher under way. At most one fetch of it is.
#[derive(Debug)]
pub(super) struct Fetcher {
    /// Index of the follower's broker.
    pub(super) follower_broker: u32,
    /// Index of the leader's broker.
    pub(super) leader_broker: u32,
    pub(super) partitions: Vec<FetchPartition>,
    pub(super) state: FetchState,
    /// Number of the latest fetch.
    pub(super) fetch_number: u64,
    /// Number of the first fetch that names all its partitions.
    pub(super) newest_since: u64,
    /// Bytes that a waiting fetch could be answered with.
    pub(super) gathered: u64,
    /// A timer for the end of the wait is pending. One that comes too early is set again, so
    /// that a fetch that is answered soon, as nearly all are, costs no timer.
    pub(super) timer_pending: bool,
    /// The partition that comes first, so that none starves when an answer is full (KIP-74).
    pub(super) first: usize,
    /// When its fetches arrive, where that is given.
    pub(super) recorded: Option<Box<RecordedFetches>>,
    pub(super) to_leader: Direction,
    pub(super) to_follower: Direction,
}

/// Given times at which fetches arrive, and how many of them are over.
#[derive(Debug)]
pub(super) struct RecordedFetches {
    times: Vec<SimTime>,
    next: usize,
}

impl RecordedFetches {
    pub(super) fn new(times: &[SimTime]) -> Box<Self> {
        Box::new(RecordedFetches { times: times.to_vec(), next: 0 })
    }

    /// When a fetch that is ready at `now` arrives; none: no more.
    fn arrival(&mut self, now: SimTime) -> Option<SimTime> {
        while *self.times.get(self.next)? < now {
            self.next += 1;
        }
        self.next += 1;
        Some(self.times[self.next - 1])
    }
}

impl Fetcher {
    /// Bytes of a request that names all partitions.
    #[inline]
    pub(super) fn request_bytes(&self) -> u64 {
        FETCH_OVERHEAD_BYTES + FETCH_PARTITION_BYTES * self.partitions.len() as u64
    }

    /// Starts the next fetch; returns when it arrives at the leader. None: it fetches no more.
    #[inline]
    pub(super) fn send(&mut self, now: SimTime) -> Option<SimTime> {
        let arrival = match &mut self.recorded {
            None => {
                let bytes = self.request_bytes();
                self.to_leader.arrival(now, bytes)
            }
            Some(recorded) => recorded.arrival(now)?,
        };
        self.fetch_number += 1;
        self.state = FetchState::UnderWay;
        Some(arrival)
    }

    /// Sends the answer of `bytes` of records; returns when it arrives at the follower.
    #[inline]
    pub(super) fn answer(&mut self, now: SimTime, bytes: u64) -> SimTime {
        self.state = FetchState::UnderWay;
        let overhead = self.request_bytes();
        self.to_follower.arrival(now, overhead + bytes)
    }

    /// Adds a partition from the next fetch on; returns that fetch's number.
    pub(super) fn add(&mut self, partition: u32, slot: ReplicaSlot) -> u64 {
        let since_fetch = self.fetch_number + 1;
        self.newest_since = since_fetch;
        self.partitions.push(FetchPartition {
            partition,
            slot: slot as u32,
            since_fetch,
            answer_records: 0,
            answer_high_watermark: 0,
            read_high_watermark: 0,
        });
        since_fetch
    }

    /// Takes a partition out; an answer under way no longer concerns it.
    pub(super) fn remove(&mut self, partition: u32) {
        self.partitions.retain(|entry| entry.partition != partition);
        self.first = 0;
    }

    /// Reads for a fetch that has waited: what is there now, and the high watermark as it is now.
    /// Returns the bytes.
    #[inline(always)]
    pub(super) fn read_again(&mut self, partitions: &[Partition], limits: &ReplicationSettings) -> u64 {
        let mut answer = AnswerBuilder::new(limits);
        let count = self.partitions.len();
        for step in 0..count {
            let index = wrapped(self.first + step, count);
            let entry = &mut self.partitions[index];
            if entry.since_fetch > self.fetch_number {
                continue;
            }
            let partition = &partitions[entry.partition as usize];
            let offset = partition.logs[entry.slot as usize].log_end_offset;
            entry.answer_high_watermark = partition.leader.high_watermark();
            entry.answer_records = answer.add(partition, offset, index);
        }
        self.first = answer.next_first(self.first, count);
        answer.bytes
    }
}

/// `index` modulo `count`, for indices below twice `count`.
#[inline]
pub(super) fn wrapped(index: usize, count: usize) -> usize {
    if index >= count { index - count } else { index }
}

/// Fills an answer partition by partition, within the limits of bytes.
pub(super) struct AnswerBuilder {
    pub(super) bytes: u64,
    partition_max: u64,
    left: u64,
    /// The last partition that got records, and whether any got fewer than there are because the
    /// whole answer was full.
    last_filled: usize,
    full: bool,
}

impl AnswerBuilder {
    #[inline]
    pub(super) fn new(limits: &ReplicationSettings) -> Self {
        AnswerBuilder {
            bytes: 0,
            partition_max: limits.replica_fetch_max_bytes,
            left: limits.replica_fetch_response_max_bytes,
            last_filled: 0,
            full: false,
        }
    }

    /// Adds what fits of a partition from `offset` on; returns the number of records.
    #[inline]
    pub(super) fn add(&mut self, partition: &Partition, offset: Offset, index: usize) -> Offset {
        let end = partition.leader.log_end_offset();
        if offset >= end {
            return 0;
        }
        let max = self.partition_max.min(self.left);
        let (records, bytes) = partition.sizes.fit(offset, end, max, self.bytes == 0);
        self.bytes += bytes;
        self.left = self.left.saturating_sub(bytes);
        if records > 0 {
            self.last_filled = index;
        }
        if offset + records < end && self.left < self.partition_max {
            self.full = true;
        }
        records
    }

    /// The partition that comes first in the next fetch.
    #[inline]
    pub(super) fn next_first(&self, first: usize, count: usize) -> usize {
        if self.full { wrapped(self.last_filled + 1, count) } else { first }
    }
}

/// Kafka's choice of the fetcher for a partition, from the hash of the topic's name as Java
/// computes it.
pub(super) fn fetcher_number(topic: &str, partition: u32, fetchers: u32) -> u32 {
    let hash = topic.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    let mixed = hash.wrapping_mul(31).wrapping_add(partition as i32);
    // Kafka's Utils.abs: the smallest integer, which has no positive counterpart, becomes 0.
    mixed.checked_abs().unwrap_or(0) as u32 % fetchers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_times_that_are_over_are_passed_over() {
        let mut recorded = RecordedFetches::new(&[1, 3, 5, 9].map(SimTime::from_millis));
        let mut at = |now| recorded.arrival(SimTime::from_millis(now)).map(SimTime::as_millis);
        assert_eq!([at(0), at(4), at(9), at(9)], [Some(1), Some(5), Some(9), None]);
    }

    #[test]
    fn fetcher_numbers_follow_java() {
        // "orders".hashCode() in Java is −1008770331.
        let hash = -1_008_770_331i32;
        for partition in 0..7 {
            let expected = hash.wrapping_mul(31).wrapping_add(partition).unsigned_abs() % 4;
            assert_eq!(fetcher_number("orders", partition as u32, 4), expected);
        }
        assert_eq!(fetcher_number("", 5, 4), 1);
    }
}
