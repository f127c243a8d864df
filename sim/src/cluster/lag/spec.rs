//! What mirrors and share groups there are, as plain data.

use crate::engine::{SimDuration, SimTime};
use crate::protocol::Offset;
use crate::protocol::share::ShareSettings;

/// The actors whose lag is watched.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LagSpec {
    /// How often each lag is looked at, for the numbers of the run and for observers; above 0 if
    /// there is an actor.
    pub watch_interval: SimDuration,
    /// MirrorMaker 2's source tasks.
    pub mirrors: Vec<MirrorSpec>,
    /// Share groups.
    pub share_groups: Vec<ShareGroupSpec>,
}

/// A partition: index into the topics of the cluster, and its number there.
pub type PartitionRef = (usize, usize);

/// One source task: it reads a partition and writes another.
#[derive(Clone, Debug, PartialEq)]
pub struct MirrorSpec {
    /// Its name.
    pub name: String,
    /// What it reads.
    pub source: PartitionRef,
    /// What it writes.
    pub target: PartitionRef,
    /// How long a request to the source, or its answer, is under way.
    pub source_latency: SimDuration,
    /// How long a request to the target, or its answer, is under way.
    pub target_latency: SimDuration,
    /// From a poll's return to the next poll; above 0.
    pub poll_interval: SimDuration,
    /// `offset.flush.interval.ms`; above 0.
    pub flush_interval: SimDuration,
    /// `replication.record.lag.metric.refresh.interval` of `end-offsets`; above 0.
    pub sample_interval: SimDuration,
    /// Time to live of the LRO of `end-offsets`; none: for ever.
    pub lro_time_to_live: Option<SimDuration>,
    /// When the task restarts, in rising order.
    pub restarts: Vec<SimTime>,
    /// When the source topic is deleted and made again: its offsets start at 0.
    pub source_recreated: Option<SimTime>,
    /// Each so manieth offset of the source holds no record; at least 2.
    pub gap_every: Option<u32>,
    /// Further offsets of the source that hold no record, in rising order.
    pub gaps: Vec<Offset>,
    /// Bytes of a record in the target; at least 1.
    pub record_bytes: u32,
    /// If there are any, the mirror does these steps and nothing of its own accord; in rising
    /// order of their times.
    pub script: Vec<(SimTime, MirrorStep)>,
}

/// One step of a mirror that goes by a script. One that is not possible when its time comes is
/// passed over and counted ([`LagSummary::script_steps_skipped`](crate::cluster::LagSummary::script_steps_skipped)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MirrorStep {
    /// The source answers a poll: the answer tells its end offset.
    AnswerPoll,
    /// That answer reaches the task; not possible while none is under way.
    PollReturns,
    /// The record of that source offset is in the target, and its callback runs; not possible
    /// while it is not in flight.
    Callback(Offset),
    /// The task's offsets are flushed.
    Flush,
    /// The task restarts, and answers under way are lost; what was in flight is `written` to the
    /// target after all, or lost too.
    Restart {
        /// Whether it is written.
        written: bool,
    },
    /// The source answers a sample of its end offset.
    AnswerSample,
    /// That answer reaches the rule `end-offsets`; not possible while none is under way.
    SampleReturns,
    /// The source topic is deleted and made again; answers under way are lost.
    Recreate,
}

/// One share group on one partition.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareGroupSpec {
    /// Its name.
    pub name: String,
    /// What it reads.
    pub partition: PartitionRef,
    /// Its members; at least 1.
    pub members: u32,
    /// From a member's acknowledgement, or a fetch that found nothing, to its next fetch; above 0.
    pub fetch_interval: SimDuration,
    /// Most records that a member acquires at once; at least 1.
    pub max_records: u32,
    /// How long a member works on what it has acquired.
    pub process_time: SimDuration,
    /// Each so manieth offset is released at its first delivery.
    pub release_every: Option<u32>,
    /// Each so manieth offset is rejected.
    pub reject_every: Option<u32>,
    /// Each so manieth offset is never acknowledged: its lock expires.
    pub forget_every: Option<u32>,
    /// The share partition's settings.
    pub settings: ShareSettings,
    /// How long a write is under way to the share coordinator, and its answer back.
    pub write_latency: SimDuration,
    /// From one answer of the group coordinator to the next; above 0.
    pub describe_interval: SimDuration,
    /// From its reading of the summary to that of the end offset.
    pub describe_gap: SimDuration,
    /// Whether what is persisted at the beginning was written before the count existed.
    pub written_before_upgrade: bool,
    /// When the share-partition leader fails and another takes over, in rising order.
    pub fail_overs: Vec<SimTime>,
    /// When the log start moves, and where to, in rising order.
    pub log_starts: Vec<(SimTime, Offset)>,
    /// When the group's offset is altered, and to what, in rising order.
    pub alterations: Vec<(SimTime, Offset)>,
    /// Whether the share coordinator fences leaders of an older epoch and of older state, as
    /// Kafka's does.
    pub fencing: bool,
    /// Which of its two readings the group coordinator makes first.
    pub first_reading: FirstReading,
    /// If there are any, the group does these steps and nothing of its own accord; in rising
    /// order of their times.
    pub script: Vec<(SimTime, ShareStep)>,
}

/// What the group coordinator reads first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FirstReading {
    /// The share coordinator's summary, as KIP-1226 has it.
    #[default]
    Summary,
    /// The partition's end offset.
    EndOffset,
}

/// One step of a share group that goes by a script. One that is not possible when its time comes
/// is passed over and counted ([`LagSummary::script_steps_skipped`](crate::cluster::LagSummary::script_steps_skipped)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareStep {
    /// The member acquires the record at this offset; possible if it is the next one to be
    /// delivered.
    Acquire(Offset),
    /// It accepts a record that it holds, and a write goes out.
    Accept(Offset),
    /// It releases a record that it holds, and a write goes out.
    Release(Offset),
    /// It rejects a record that it holds, and a write goes out.
    Reject(Offset),
    /// Its lock of a record expires, and a write goes out.
    LockExpires(Offset),
    /// The oldest write under way reaches the share coordinator, and its leader learns of it.
    WriteArrives,
    /// The oldest write under way is lost, and its leader gives it up.
    WriteLost,
    /// The oldest write under way is applied, but its answer is lost, and its leader gives it up.
    AnswerLost,
    /// The share-partition leader fails, and another takes over.
    FailOver,
    /// The log start moves to this offset.
    MoveLogStart(Offset),
    /// The group's offset is altered to this; the leader does not know until it reads again.
    Alter(Offset),
    /// The leader reads the persisted state anew.
    ReadAgain,
    /// The group coordinator makes the first of its two readings.
    ReadFirst,
    /// It makes the second and answers.
    Answer,
}
