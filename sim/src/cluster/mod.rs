//! The simulated cluster: producers, brokers, links and faults on the virtual clock.
//!
//! [`ClusterSpec`] says what there is; [`Observer`] is told what happens; [`RunSummary`] counts
//! it.
//!
//! What is simulated, and how:
//!
//! - A **fetcher** (one per follower's broker, leader's broker and fetcher number) has one fetch
//!   under way at a time, which names all its partitions. The leader takes the first read of it
//!   into its state; a fetch without enough data waits, and is answered with what is there then.
//!   A follower appends what the answer holds and fetches again at once.
//! - A **produce request** is appended when its broker handles it. A broker handles one request
//!   of a connection at a time and reads the next when it has answered, as Kafka's network layer
//!   does; requests of one connection never overtake one another.
//! - **Brokers' clocks** read whole milliseconds, as Kafka's do; events have nanoseconds.
//! - In a **pause** a broker handles nothing; what came is handled at its end, in order, and so
//!   are the checks that were due.
//! - An ISR change takes effect at once, on all who care.
//! - **Timestamps** are checked or overwritten on topics that have a policy for them, by the leader's
//!   own clock, which may be off. The ISR is judged by differences of one clock, and by a true one.

mod arrivals;
mod broker;
mod build;
pub mod clock;
mod describe;
mod event;
mod fault;
mod fetch;
mod fetcher;
pub mod happening;
mod lag;
mod latency;
mod link;
pub mod metric;
pub mod observer;
mod partition;
mod produce;
mod produce_path;
mod retry;
mod run;
mod sampler;
mod sizes;
pub mod spec;
pub mod summary;
mod tell;
mod timestamps;
mod validate;

pub use happening::{EVENT_KINDS, Happening};
pub use lag::SHARE_RULE;
pub use lag::summary::{LagCounts, LagSummary, ShareCounts};
pub use latency::LatencyRecorder;
pub use metric::{METRICS, Metric, MetricValue};
pub use observer::{
    BatchOutcome, IsrCause, IsrChange, IsrChangeKind, IsrChangeReplica, LagParts, LagSample, NoObserver,
    Observer, ReplicaSample, Sample, StampedBatch, Step, StepKind,
};
pub use run::{RunEnd, RunOptions, Violation};
pub use spec::ClusterSpec;
pub use summary::{Exercised, LatencyQuantiles, RunSummary, TimestampStats};
pub use validate::SpecError;

use crate::engine::{Scheduler, SimTime, Streams};
use crate::invariants::Invariant;
use crate::protocol::{FollowerTruncation, LeaderSettings};
use broker::Broker;
use event::Event;
use fault::Fault;
use fetcher::Fetcher;
use partition::Partition;
use produce::{Connection, Producer, RequestTable};
use retry::Holds;
use spec::ReplicationSettings;
use std::collections::BTreeMap;
use timestamps::Timestamps;

/// A cluster under way: built from a specification and a seed, and run once.
pub struct Cluster {
    scheduler: Scheduler<Event>,
    end: SimTime,
    seed: u64,
    limits: ReplicationSettings,
    answers_new_high_watermarks: bool,
    truncation: FollowerTruncation,
    /// Leaders' settings; partitions with the same ones share them.
    settings: Vec<LeaderSettings>,
    topics: Vec<String>,
    brokers: Vec<Broker>,
    /// Brokers that are in a pause.
    paused_brokers: u32,
    partitions: Vec<Partition>,
    /// Index of each partition's leader's broker, for producers.
    leader_brokers: Vec<u32>,
    fetchers: Vec<Fetcher>,
    /// Fetches that wait at their leader for data.
    waiting_fetches: u32,
    /// Fetchers by follower's broker, leader's broker and number.
    fetcher_index: BTreeMap<(u32, u32, u32), u32>,
    producers: Vec<Producer>,
    /// Each producer's connection to each broker: producer × number of brokers + broker.
    connections: Vec<Connection>,
    requests: RequestTable,
    /// What waits for retries of its partition.
    holds: Holds,
    /// Timestamps, if a topic has a policy for them.
    timestamps: Option<Box<Timestamps>>,
    /// Connections whose broker has answered and may take the next request.
    ready: Vec<u32>,
    faults: Vec<Fault>,
    /// Mirrors and share groups.
    lag: lag::LagActors,
    stats: RunSummary,
    latency: LatencyRecorder,
    event_counts: [u64; Event::KINDS.len()],
    /// The first invariant that was found broken, and where.
    broken: Option<(usize, Invariant)>,
    spec: ClusterSpec,
    streams: Streams,
}
