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
    /// Bytes of a record in the target; at least 1.
    pub record_bytes: u32,
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
}
