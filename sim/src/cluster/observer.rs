//! Who is told what happens in a run.

use super::happening::Happening;
use super::spec::REPLICAS_MAX;
use crate::engine::{SimDuration, SimTime};
use crate::protocol::share::{SharePartition, StateSummary};
use crate::protocol::timestamp::{SentBatch, StoredBatch, TimestampError, TimestampPolicy};
use crate::protocol::{Acks, Offset, PartitionLeader, ReplicaSet, ReplicaSlot, TimeMs};

/// Is told what happens in a run, as it happens. Every method does nothing unless overridden.
///
/// Partitions are numbered through all topics, in the order of the specification; replicas by
/// their slot in the partition's assignment.
pub trait Observer {
    /// The ISR of a partition changed. One change of several members is one call.
    fn isr_changed(&mut self, change: &IsrChange) {
        let _ = change;
    }

    /// The leader of a partition took a step.
    #[inline]
    fn stepped(&mut self, step: &Step<'_>) {
        let _ = step;
    }

    /// The state of one partition at a sampling time: as it is before any event of that very
    /// time. Partitions come in rising order.
    fn sampled(&mut self, sample: &Sample<'_>) {
        let _ = sample;
    }

    /// The lag of a mirror by one rule, or of a share group, at a sampling time.
    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        let _ = sample;
    }

    /// A request was answered (or, with acks=0, sent): `latency_ns` from when it arose.
    fn produced(&mut self, at: SimTime, partition: usize, acks: Acks, latency_ns: u64) {
        let _ = (at, partition, acks, latency_ns);
    }

    /// The leader has checked the timestamps of a batch on a topic with a policy for them, and
    /// appended or rejected it.
    fn stamped(&mut self, batch: &StampedBatch<'_>) {
        let _ = batch;
    }

    /// A fault began (`started`) or ended; `fault` is its index in the specification.
    fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        let _ = (at, fault, started);
    }

    /// An event is next, the `number`th of the run, from 1.
    #[inline]
    fn event(&mut self, at: SimTime, number: u64) {
        let _ = (at, number);
    }

    /// Whether [`Observer::happened`] is to be called. The answer must always be the same.
    #[inline]
    fn wants_happenings(&self) -> bool {
        false
    }

    /// Something happened, finer than all of the above.
    #[inline]
    fn happened(&mut self, at: SimTime, happening: &Happening<'_>) {
        let _ = (at, happening);
    }
}

/// A lag at a sampling time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LagSample<'a> {
    /// The sampling time.
    pub at: SimTime,
    /// Which partition: a mirror's source, or the share group's.
    pub partition: usize,
    /// The mirror's or group's name.
    pub actor: &'a str,
    /// The rule's name.
    pub rule: &'a str,
    /// What it reports; none: unknown.
    pub reported: Option<i64>,
    /// The true number of records.
    pub truth: i64,
    /// Milliseconds since the end offset that it goes by was read at the partition.
    pub end_age_ms: Option<i64>,
    /// Milliseconds since the other constituent was read: a mirror's LRO, a share group's summary.
    pub progress_age_ms: Option<i64>,
    /// What the lag is made of.
    pub parts: LagParts<'a>,
}

/// What a lag is made of, and what else can be seen of its actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LagParts<'a> {
    /// Of one rule of a mirror.
    Mirror {
        /// The end offset that the rule goes by (`last-polled`: the last polled offset).
        leo: Option<Offset>,
        /// The last replicated offset.
        lro: Option<Offset>,
        /// Of the records that were in the source when that end offset was read, those that are
        /// still to be replicated; none: it was not read of the topic that is there now.
        truth_then: Option<i64>,
    },
    /// Of a share group.
    Share {
        /// The share partition on its leader.
        leader: &'a SharePartition,
        /// What the share coordinator has.
        persisted: StateSummary,
    },
}

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// Which way an ISR changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IsrChangeKind {
    /// Members were removed.
    Shrink,
    /// A replica joined.
    Expand,
}

impl IsrChangeKind {
    /// `shrink` or `expand`.
    pub fn name(self) -> &'static str {
        match self {
            IsrChangeKind::Shrink => "shrink",
            IsrChangeKind::Expand => "expand",
        }
    }
}

/// Why a replica left or joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IsrCause {
    /// The check found it not caught up for longer than `replica.lag.time.max.ms`.
    LagTime,
    /// The check found it more than `replica.lag.max.messages` behind (`max-messages`).
    LagMessages,
    /// Its fetch met the join test.
    Fetch,
}

impl IsrCause {
    /// `lag-time`, `lag-messages` or `fetch`.
    pub fn name(self) -> &'static str {
        match self {
            IsrCause::LagTime => "lag-time",
            IsrCause::LagMessages => "lag-messages",
            IsrCause::Fetch => "fetch",
        }
    }
}

/// One replica that left or joined in an ISR change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsrChangeReplica {
    /// Its slot in the assignment.
    pub slot: usize,
    /// Its broker.
    pub broker: i32,
    /// Why.
    pub cause: IsrCause,
    /// Its log end offset as the leader knows it; −1: unknown.
    pub known_leo: Offset,
    /// Milliseconds since it was last caught up as the leader knows (for `max-messages`: since
    /// its last fetch); none: never under this leader.
    pub since_caught_up_ms: Option<i64>,
}

/// One ISR change of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IsrChange {
    /// When.
    pub at: SimTime,
    /// Which partition.
    pub partition: usize,
    /// Which way.
    pub kind: IsrChangeKind,
    /// Who left or joined.
    pub replicas: Vec<IsrChangeReplica>,
    /// The ISR before, as slots.
    pub old_isr: ReplicaSet,
    /// The ISR after, as slots.
    pub new_isr: ReplicaSet,
    /// The leader's log end offset.
    pub leo: Offset,
    /// The high watermark after the change.
    pub high_watermark: Offset,
}

/// What a leader did in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// It appended so many records.
    Appended {
        /// How many.
        records: Offset,
    },
    /// It took a fetch into its state.
    Fetched {
        /// The follower's slot.
        slot: ReplicaSlot,
        /// The fetch offset.
        offset: Offset,
        /// Records that the first read found.
        records: Offset,
    },
    /// It looked for followers that are out of sync.
    Checked,
}

/// One step of a partition's leader.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// When.
    pub at: SimTime,
    /// What the broker's clock read.
    pub clock_ms: TimeMs,
    /// Which partition.
    pub partition: usize,
    /// What it did.
    pub kind: StepKind,
    /// The leader after the step.
    pub leader: &'a PartitionLeader<REPLICAS_MAX>,
}

/// One partition at a sampling time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The sampling time.
    pub at: SimTime,
    /// Which partition.
    pub partition: usize,
    /// The leader's broker.
    pub leader: i32,
    /// The leader's log end offset.
    pub leo: Offset,
    /// The leader's high watermark.
    pub high_watermark: Offset,
    /// Number of ISR members.
    pub isr_size: usize,
    /// Each replica in the order of the assignment, the leader included.
    pub replicas: &'a [ReplicaSample],
}

/// One replica at a sampling time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicaSample {
    /// Its broker.
    pub broker: i32,
    /// The log end offset of its own log: what it holds.
    pub leo: Offset,
    /// Its log end offset as the leader knows it; −1: unknown. The leader's own is its LEO.
    pub known_leo: Offset,
    /// Records that the leader has and the replica does not hold.
    pub lag_messages: Offset,
    /// Milliseconds since it was last caught up as the leader knows; 0 for the leader; none:
    /// never under this leader.
    pub lag_ms: Option<i64>,
    /// Whether it is in the ISR.
    pub in_isr: bool,
}

/// A batch whose timestamps were checked.
#[derive(Clone, Copy, Debug)]
pub struct StampedBatch<'a> {
    /// When.
    pub at: SimTime,
    /// Which partition.
    pub partition: usize,
    /// How its topic treats timestamps.
    pub policy: &'a TimestampPolicy,
    /// What the leader's clock read.
    pub broker_clock: TimeMs,
    /// When its first record was made.
    pub first_made: SimTime,
    /// Time from one record to the next.
    pub spacing: SimDuration,
    /// The batch as sent.
    pub batch: SentBatch<'a>,
    /// What became of it.
    pub outcome: BatchOutcome<'a>,
}

/// What became of a batch.
#[derive(Clone, Copy, Debug)]
pub enum BatchOutcome<'a> {
    /// It was appended, as this says.
    Appended(&'a StoredBatch),
    /// It was rejected: nothing of it was appended.
    Rejected(&'a TimestampError),
}
