//! One partition: its leader, its replicas' logs, who waits on it, and what is measured of it.

use super::broker::clock_ms;
use super::observer::{IsrCause, IsrChange, IsrChangeKind, IsrChangeReplica, ReplicaSample};
use super::produce::RequestQueue;
use super::sizes::RecordSizes;
use super::spec::{EarlierTerms, PartitionStart, REPLICAS_MAX};
use super::summary::{HW_STALL_THRESHOLD_MS, RunSummary};
use crate::engine::SimTime;
use crate::invariants::{Invariant, StepMemory, check_step};
use crate::protocol::{
    FollowerLog, FollowerState, FollowerTruncation, LeaderSettings, Offset, PartitionLeader, ReplicaSet,
    ReplicaSlot, TimeMs, UNKNOWN_OFFSET,
};

/// The leader's side of a partition, as large as the simulator needs it.
pub(super) type Leader = PartitionLeader<REPLICAS_MAX>;

/// One replica of a partition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replica {
    /// Index of its broker.
    pub(super) broker: u32,
    /// Id of its broker.
    pub(super) broker_id: i32,
    /// Number of its fetcher's first fetch that names this partition.
    pub(super) since_fetch: u64,
    /// It was removed from the ISR and has not come back.
    removed: bool,
}

/// A partition under way. The order of the fields is that of their use: an append touches the
/// first ones and the head of the leader's state, and with thousands of partitions each cache
/// line more is what an event costs.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Partition {
    /// Index of its leader's settings.
    pub(super) settings: u32,
    /// Index of the leader's broker.
    leader_broker: u32,
    /// Requests with acks=all that wait for the high watermark.
    pub(super) waiters: RequestQueue,
    /// Since when the high watermark has stood still below the log end; `MAX`: it does not.
    behind_since: SimTime,
    pub(super) memory: StepMemory,
    pub(super) sizes: RecordSizes,
    pub(super) leader: Leader,
    /// Each replica's own log, while it follows.
    pub(super) logs: [FollowerLog; REPLICAS_MAX],
    /// Index of the fetcher that fetches for each replica; meaningless for the leader.
    pub(super) fetchers: [u32; REPLICAS_MAX],
    replica_count: u32,
    /// Its number through all topics.
    index: u32,
    pub(super) topic: u32,
    /// Its number within its topic.
    pub(super) number: u32,
    replicas: [Replica; REPLICAS_MAX],
    /// Memory of the partition on brokers that led it before, by slot.
    former_leaders: Vec<(ReplicaSlot, Leader)>,
    isr_since: SimTime,
}

impl Partition {
    pub(super) fn new(
        index: u32,
        (topic, number): (u32, u32),
        settings: u32,
        brokers: &[(u32, i32)],
        now: TimeMs,
    ) -> Self {
        let unused = Replica { broker: u32::MAX, broker_id: -1, since_fetch: 0, removed: false };
        let mut replicas = [unused; REPLICAS_MAX];
        for (replica, &(broker, broker_id)) in replicas.iter_mut().zip(brokers) {
            replica.broker = broker;
            replica.broker_id = broker_id;
        }
        Partition {
            leader: Leader::new(brokers.len(), 0, now),
            index,
            settings,
            topic,
            number,
            replica_count: brokers.len() as u32,
            replicas,
            fetchers: [u32::MAX; REPLICAS_MAX],
            logs: [FollowerLog::default(); REPLICAS_MAX],
            sizes: RecordSizes::new(),
            waiters: RequestQueue::EMPTY,
            leader_broker: brokers[0].0,
            memory: StepMemory::default(),
            former_leaders: Vec::new(),
            isr_since: SimTime::ZERO,
            behind_since: SimTime::MAX,
        }
    }

    /// Makes its first replica the leader, at the beginning of the run.
    pub(super) fn start(
        &mut self,
        start: &PartitionStart,
        settings: &LeaderSettings,
        clock: TimeMs,
        stats: &mut RunSummary,
    ) {
        let all = ReplicaSet::first(self.replica_count as usize);
        match start {
            PartitionStart::Established => {
                self.leader.become_leader(settings, all, clock);
                let caught_up = FollowerState {
                    log_end_offset: 0,
                    last_caught_up: clock,
                    last_fetch_time: clock,
                    last_fetch_leader_leo: 0,
                };
                for slot in self.leader.follower_slots() {
                    self.leader.set_follower(slot, caught_up);
                }
            }
            PartitionStart::Elected => self.leader.become_leader(settings, all, clock),
            PartitionStart::ElectedAfter(earlier) => {
                let EarlierTerms { isr, log_end_offset, high_watermark, followers } = **earlier;
                self.leader.set_log(FollowerLog { log_end_offset, high_watermark });
                for slot in self.leader.follower_slots() {
                    let follower = &followers[slot];
                    let mut known = *self.leader.follower(slot);
                    known.last_caught_up = clock - follower.caught_up_before.as_millis() as TimeMs;
                    known.last_fetch_leader_leo = follower.fetched_at_log_end.unwrap_or(UNKNOWN_OFFSET);
                    self.leader.set_follower(slot, known);
                    let log_end_offset = follower.log_end_offset;
                    let high_watermark = high_watermark.min(log_end_offset);
                    self.logs[slot] = FollowerLog { log_end_offset, high_watermark };
                }
                self.leader.become_leader(settings, isr, clock);
                self.note_high_watermark(SimTime::ZERO, stats);
            }
        }
    }

    #[inline]
    pub(super) fn replica(&self, slot: ReplicaSlot) -> &Replica {
        &self.replicas[slot]
    }

    #[inline]
    pub(super) fn replica_mut(&mut self, slot: ReplicaSlot) -> &mut Replica {
        &mut self.replicas[slot]
    }

    /// Index of the leader's broker.
    #[inline]
    pub(super) fn leader_broker(&self) -> u32 {
        self.leader_broker
    }

    /// Id of the leader's broker.
    pub(super) fn leader_id(&self) -> i32 {
        self.replicas[self.leader.slot()].broker_id
    }

    /// The slot of the replica on the broker with this index.
    pub(super) fn slot_on(&self, broker: u32) -> Option<ReplicaSlot> {
        self.replicas[..self.replica_count as usize].iter().position(|replica| replica.broker == broker)
    }

    /// What a replica holds.
    pub(super) fn log_of(&self, slot: ReplicaSlot) -> FollowerLog {
        if slot == self.leader.slot() { self.leader.log() } else { self.logs[slot] }
    }

    /// Records of `bytes` each were appended at `from`. Call after the append.
    #[inline(always)]
    pub(super) fn note_append(
        &mut self,
        from: Offset,
        bytes: u64,
        high_watermark_rose: bool,
        now: SimTime,
        stats: &mut RunSummary,
    ) {
        self.sizes.append(from, bytes);
        if self.sizes.wants_to_forget() {
            self.forget_sizes(from);
        }
        if high_watermark_rose {
            self.note_high_watermark(now, stats);
        } else if self.behind_since == SimTime::MAX {
            self.behind_since = now;
        }
    }

    #[inline(never)]
    fn forget_sizes(&mut self, from: Offset) {
        let lowest = self.leader.follower_slots().map(|slot| self.logs[slot].log_end_offset).min();
        self.sizes.forget_below(lowest.unwrap_or(from));
    }

    /// The high watermark rose: closes a stall, if it stood still for long enough.
    #[inline]
    pub(super) fn note_high_watermark(&mut self, now: SimTime, stats: &mut RunSummary) {
        if self.behind_since != SimTime::MAX {
            self.close_stall(now, stats);
        }
        let caught_up = self.leader.high_watermark() == self.leader.log_end_offset();
        self.behind_since = if caught_up { SimTime::MAX } else { now };
    }

    #[inline]
    fn close_stall(&mut self, now: SimTime, stats: &mut RunSummary) {
        let length = (now - self.behind_since).as_nanos();
        if length > HW_STALL_THRESHOLD_MS * 1_000_000 {
            stats.hw_stalls += 1;
            stats.hw_stalled_ns += length;
            stats.hw_stall_max_ns = stats.hw_stall_max_ns.max(length);
        }
    }

    /// The run is over: closes what is still open.
    pub(super) fn finish(&mut self, settings: &LeaderSettings, now: SimTime, stats: &mut RunSummary) {
        if self.behind_since != SimTime::MAX {
            self.close_stall(now, stats);
            self.behind_since = now;
        }
        self.note_isr_time(self.leader.isr(), settings, now, stats);
    }

    /// Adds the time that the ISR was as `isr` to what it was under.
    fn note_isr_time(
        &mut self,
        isr: ReplicaSet,
        settings: &LeaderSettings,
        now: SimTime,
        stats: &mut RunSummary,
    ) {
        let length = (now - self.isr_since).as_nanos();
        let size = isr.len() as u32;
        if size < self.replica_count {
            stats.under_replicated_ns += length;
        }
        if size < settings.min_insync_replicas {
            stats.under_min_isr_ns += length;
        }
        if size == settings.min_insync_replicas {
            stats.at_min_isr_ns += length;
        }
        self.isr_since = now;
    }

    /// The ISR was `old_isr` until now: counts the change and describes it.
    pub(super) fn note_isr_change(
        &mut self,
        old_isr: ReplicaSet,
        settings: &LeaderSettings,
        now: SimTime,
        stats: &mut RunSummary,
    ) -> IsrChange {
        self.note_isr_time(old_isr, settings, now, stats);
        let new_isr = self.leader.isr();
        let removed = old_isr.without(new_isr);
        let (kind, who) = if removed.is_empty() {
            (IsrChangeKind::Expand, new_isr.without(old_isr))
        } else {
            (IsrChangeKind::Shrink, removed)
        };
        let mut replicas = Vec::with_capacity(who.len());
        for slot in who.iter() {
            let replica = &mut self.replicas[slot];
            match kind {
                IsrChangeKind::Shrink => {
                    stats.isr_shrinks += 1;
                    stats.first_shrink.get_or_insert(now);
                    replica.removed = true;
                }
                IsrChangeKind::Expand => {
                    stats.isr_expands += 1;
                    stats.flaps += u64::from(replica.removed);
                    replica.removed = false;
                }
            }
            replicas.push(self.describe_change(slot, kind, settings, clock_ms(now)));
        }
        stats.last_isr_change = Some(now);
        IsrChange {
            at: now,
            partition: self.index as usize,
            kind,
            replicas,
            old_isr,
            new_isr,
            leo: self.leader.log_end_offset(),
            high_watermark: self.leader.high_watermark(),
        }
    }

    fn describe_change(
        &self,
        slot: ReplicaSlot,
        kind: IsrChangeKind,
        settings: &LeaderSettings,
        clock: TimeMs,
    ) -> IsrChangeReplica {
        let state = self.leader.follower(slot);
        let since_caught_up_ms = since_caught_up(state.last_caught_up, clock);
        let late = since_caught_up_ms.is_none_or(|age| age > settings.lag.time_max);
        let cause = match (kind, late) {
            (IsrChangeKind::Expand, _) => IsrCause::Fetch,
            (IsrChangeKind::Shrink, true) => IsrCause::LagTime,
            (IsrChangeKind::Shrink, false) => IsrCause::LagMessages,
        };
        IsrChangeReplica {
            slot,
            broker: self.replicas[slot].broker_id,
            cause,
            known_leo: state.log_end_offset,
            since_caught_up_ms,
        }
    }

    /// The partition's leader moves to `slot`, whose log goes on; everyone else cuts its log as
    /// the version does and follows. The former leader's broker keeps its memory of the
    /// partition. Or, `slot` leading already, it is elected again.
    pub(super) fn elect(
        &mut self,
        slot: ReplicaSlot,
        settings: &LeaderSettings,
        truncation: FollowerTruncation,
        now: SimTime,
        stats: &mut RunSummary,
    ) {
        let isr = self.leader.isr();
        let former = self.leader.slot();
        if former != slot {
            self.leader_broker = self.replicas[slot].broker;
            let new_log = self.logs[slot];
            self.logs[former] = self.leader.log();
            let mut outgoing = self.leader;
            outgoing.become_follower();
            self.former_leaders.retain(|(kept, _)| *kept != former);
            self.former_leaders.push((former, outgoing));
            let known = self.former_leaders.iter().position(|(kept, _)| *kept == slot);
            self.leader = match known {
                Some(index) => self.former_leaders.swap_remove(index).1,
                None => Leader::new(self.replica_count as usize, slot, clock_ms(SimTime::ZERO)),
            };
            self.leader.set_log(new_log);
            for follower in self.leader.follower_slots() {
                let log = &mut self.logs[follower];
                log.truncate_to(match truncation {
                    FollowerTruncation::ToHighWatermark => log.high_watermark,
                    FollowerTruncation::ToLeaderEpochEnd => new_log.log_end_offset,
                });
            }
            self.sizes.truncate(new_log.log_end_offset);
            self.memory = StepMemory { lost_below: self.memory.lost_below, ..StepMemory::default() };
            self.behind_since = SimTime::MAX;
        }
        self.leader.become_leader(settings, isr, clock_ms(now));
        self.note_high_watermark(now, stats);
    }

    /// Checks the invariants after a step.
    #[inline]
    pub(super) fn check(&mut self) -> Result<(), Invariant> {
        check_step(&self.leader, &mut self.memory)
    }

    /// Each replica as a sample shows it.
    pub(super) fn sample(&self, clock: TimeMs, into: &mut Vec<ReplicaSample>) {
        into.clear();
        let leo = self.leader.log_end_offset();
        for (slot, replica) in self.replicas[..self.replica_count as usize].iter().enumerate() {
            let leads = slot == self.leader.slot();
            let held = self.log_of(slot).log_end_offset;
            let state = self.leader.follower(slot);
            into.push(ReplicaSample {
                broker: replica.broker_id,
                leo: held,
                known_leo: if leads { leo } else { state.log_end_offset },
                lag_messages: leo - held,
                lag_ms: if leads { Some(0) } else { since_caught_up(state.last_caught_up, clock) },
                in_isr: self.leader.isr().contains(slot),
            });
        }
    }
}

/// Milliseconds since a caught-up time; none for 0 and −1, which mean never.
fn since_caught_up(last_caught_up: TimeMs, clock: TimeMs) -> Option<TimeMs> {
    (last_caught_up > 0).then(|| clock - last_caught_up)
}
