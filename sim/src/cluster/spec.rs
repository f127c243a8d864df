//! What a cluster is made of, as plain data with every default filled in.

use super::clock::{ClockSpec, TimestampUnit};
pub use super::lag::spec::{
    FirstReading, LagSpec, MirrorSpec, MirrorStep, PartitionRef, ShareGroupSpec, ShareStep,
};
pub use super::lag::writes::WriteFault;
use crate::engine::{Distribution, SimDuration, SimTime};
use crate::protocol::timestamp::{Compression, TimestampPolicy};
use crate::protocol::{Acks, Offset, Profile, ReplicaSet};

/// Everything that a run needs but the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterSpec {
    /// The rules and defaults of the Kafka version, or bare criterion, that all brokers run.
    pub profile: Profile,
    /// The brokers' settings, the same on all of them.
    pub replication: ReplicationSettings,
    /// How long the run is.
    pub duration: SimDuration,
    /// The brokers; ids are unique.
    pub brokers: Vec<BrokerSpec>,
    /// The topics; names are unique.
    pub topics: Vec<TopicSpec>,
    /// The producers; names are unique.
    pub producers: Vec<ProducerSpec>,
    /// The network.
    pub links: LinksSpec,
    /// What goes wrong, and when.
    pub faults: Vec<FaultSpec>,
    /// Mirrors and share groups.
    pub lag: LagSpec,
}

/// The broker settings that replication depends on, by Kafka's names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplicationSettings {
    /// `replica.lag.time.max.ms`, whole milliseconds.
    pub replica_lag_time_max: SimDuration,
    /// `replica.lag.max.messages`, records; only `max-messages` reads it.
    pub replica_lag_max_messages: Offset,
    /// `replica.fetch.wait.max.ms`.
    pub replica_fetch_wait_max: SimDuration,
    /// `replica.fetch.min.bytes`; 0 answers every fetch at once.
    pub replica_fetch_min_bytes: u64,
    /// `replica.fetch.max.bytes`: most bytes of one partition in one answer; the first record is
    /// always sent (KIP-74).
    pub replica_fetch_max_bytes: u64,
    /// `replica.fetch.response.max.bytes`: most bytes of one answer.
    pub replica_fetch_response_max_bytes: u64,
    /// `replica.fetch.backoff.ms`: how long a fetcher waits after an error. Nothing here makes a
    /// fetch fail, so it has no effect.
    pub replica_fetch_backoff: SimDuration,
    /// `num.replica.fetchers`: fetchers from one broker to another; at least 1.
    pub num_replica_fetchers: u32,
    /// `min.insync.replicas`; at least 1.
    pub min_insync_replicas: u32,
    /// How often the ISR check runs, when not as the criterion says.
    pub isr_check_period: Option<SimDuration>,
}

impl ReplicationSettings {
    /// The defaults of a profile.
    pub fn of_profile(profile: &Profile) -> Self {
        let defaults = &profile.defaults;
        let millis = |value: i64| SimDuration::from_millis(value as u64);
        ReplicationSettings {
            replica_lag_time_max: millis(defaults.replica_lag_time_max_ms),
            replica_lag_max_messages: defaults.replica_lag_max_messages,
            replica_fetch_wait_max: millis(defaults.replica_fetch_wait_max_ms),
            replica_fetch_min_bytes: defaults.replica_fetch_min_bytes,
            replica_fetch_max_bytes: defaults.replica_fetch_max_bytes,
            replica_fetch_response_max_bytes: defaults.replica_fetch_response_max_bytes,
            replica_fetch_backoff: millis(defaults.replica_fetch_backoff_ms),
            num_replica_fetchers: defaults.num_replica_fetchers,
            min_insync_replicas: defaults.min_insync_replicas,
            isr_check_period: None,
        }
    }
}

/// One broker.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokerSpec {
    /// The broker's id; 0 or more.
    pub id: i32,
    /// How long a request handler is busy with one request.
    pub service_time: Distribution,
    /// `num.io.threads`: requests handled at the same time; at least 1.
    pub io_threads: u32,
    /// When the broker's fetchers send their first fetch.
    pub first_fetch: SimTime,
    /// Phase of the ISR check: it runs at this time plus each multiple of its period from 1 on.
    pub isr_check_phase: SimDuration,
    /// When the ISR check first runs, when not as its phase says; then each period.
    pub isr_check_first: Option<SimTime>,
    /// When fetches of the broker's fetchers reach their leaders, in rising order, instead of a
    /// latency after the answer to the one before. A time at which a fetcher's fetch is still
    /// under way is passed over; after the last time it fetches no more.
    pub fetch_arrivals: Option<Vec<SimTime>>,
    /// The clock of its LogAppendTime and of its limits for CreateTime.
    pub clock: ClockSpec,
}

impl BrokerSpec {
    /// A broker without delay that starts at once.
    pub fn new(id: i32) -> Self {
        BrokerSpec {
            id,
            service_time: Distribution::Constant(SimDuration::ZERO),
            io_threads: 8,
            first_fetch: SimTime::ZERO,
            isr_check_phase: SimDuration::ZERO,
            isr_check_first: None,
            fetch_arrivals: None,
            clock: ClockSpec::default(),
        }
    }
}

/// One topic.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicSpec {
    /// Its name.
    pub name: String,
    /// Its partitions, from 0.
    pub partitions: Vec<PartitionSpec>,
    /// How its leaders treat timestamps; none: records have none, and nothing is said of them.
    pub timestamps: Option<TimestampPolicy>,
}

/// One partition as it is when the run starts.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionSpec {
    /// Broker ids of the replicas, the leader first; unique; at most
    /// [`crate::cluster::spec::REPLICAS_MAX`].
    pub replicas: Vec<i32>,
    /// What has gone before.
    pub start: PartitionStart,
    /// `min.insync.replicas` of the topic, when not the broker's.
    pub min_insync_replicas: Option<u32>,
}

/// The most replicas a partition can have in the simulator.
pub const REPLICAS_MAX: usize = 8;

/// What has gone before a partition's first event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartitionStart {
    /// The leader has led for long: every replica is in the ISR, caught up at time 0, and the
    /// leader knows it.
    Established,
    /// The leader is elected at time 0, every replica in the ISR: follower state is as the
    /// version resets it, and no follower has fetched yet.
    Elected,
    /// The leader is elected at time 0, after terms of its own and of others.
    ElectedAfter(Box<EarlierTerms>),
}

/// What earlier terms leave to a leader that is elected at time 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierTerms {
    /// The ISR that it is elected with, as slots; it leads from slot 0.
    pub isr: ReplicaSet,
    /// The end of its log; the records have one byte each.
    pub log_end_offset: Offset,
    /// Its high watermark, at most what each ISR member holds.
    pub high_watermark: Offset,
    /// The other replicas, by slot; what stands for the leader itself is not looked at.
    pub followers: [EarlierFollower; REPLICAS_MAX],
}

/// What a new leader finds of one follower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EarlierFollower {
    /// What the follower holds: at most what the leader does.
    pub log_end_offset: Offset,
    /// How long before time 0 it was last caught up, as the leader remembers it from an earlier
    /// term of its own; whole milliseconds.
    pub caught_up_before: SimDuration,
    /// The leader's log end at the follower's last fetch from it, as the leader remembers it;
    /// none: it remembers none.
    pub fetched_at_log_end: Option<Offset>,
}

/// One producer.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducerSpec {
    /// Its name, which also names its random streams.
    pub name: String,
    /// Index into [`ClusterSpec::topics`].
    pub topic: usize,
    /// Where its requests go.
    pub partitioner: Partitioner,
    /// When its requests arise.
    pub arrivals: Arrivals,
    /// Records in one request; at least 1.
    pub records_per_request: u32,
    /// Bytes of one record, everything included; at least 1.
    pub record_bytes: u32,
    /// `acks`.
    pub acks: Acks,
    /// `max.in.flight.requests.per.connection`; at least 1.
    pub max_in_flight: u32,
    /// `request.timeout.ms`: without an answer for so long, the producer disconnects and retries
    /// all that was in flight on the connection.
    pub request_timeout: SimDuration,
    /// `retries`: how often a request is sent again.
    pub retries: u32,
    /// `retry.backoff.ms`.
    pub retry_backoff: SimDuration,
    /// `delivery.timeout.ms`: a request that is older is not sent, or sent again: it fails.
    pub delivery_timeout: SimDuration,
    /// `buffer.memory`: bytes that may wait or be in flight; a request beyond is refused.
    pub buffer_memory: u64,
    /// What timestamps it writes; only topics with a policy for them look.
    pub timestamps: ProducerTimestamps,
}

/// What timestamps a producer writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerTimestamps {
    /// The clock of its CreateTime.
    pub clock: ClockSpec,
    /// The unit that it writes.
    pub unit: TimestampUnit,
    /// Time between one record of a request and the next; the last is made when the request
    /// arises.
    pub spacing: SimDuration,
    /// `compression.type`.
    pub compression: Compression,
}

impl Default for ProducerTimestamps {
    /// True milliseconds, every record of a request made when it arises, not compressed.
    fn default() -> Self {
        ProducerTimestamps {
            clock: ClockSpec::default(),
            unit: TimestampUnit::default(),
            spacing: SimDuration::ZERO,
            compression: Compression::None,
        }
    }
}

impl ProducerSpec {
    /// A producer with Kafka's defaults (2024), but acks=1.
    pub fn new(name: &str, topic: usize, arrivals: Arrivals) -> Self {
        ProducerSpec {
            name: name.to_owned(),
            topic,
            partitioner: Partitioner::RoundRobin,
            arrivals,
            records_per_request: 1,
            record_bytes: 100,
            acks: Acks::Leader,
            max_in_flight: 5,
            request_timeout: SimDuration::from_secs(30),
            retries: i32::MAX as u32,
            retry_backoff: SimDuration::from_millis(100),
            delivery_timeout: SimDuration::from_secs(120),
            buffer_memory: 32 * 1024 * 1024,
            timestamps: ProducerTimestamps::default(),
        }
    }
}

/// Which partition of its topic a producer's next request goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partitioner {
    /// Always this one.
    Partition(usize),
    /// Each in turn, from 0.
    RoundRobin,
}

/// When requests arise.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// One each `interval`, the first at `first`.
    Constant {
        /// When the first arises.
        first: SimTime,
        /// Time from one to the next; above 0.
        interval: SimDuration,
        /// None arises at this time or later.
        until: Option<SimTime>,
    },
    /// A Poisson process.
    Poisson {
        /// When the process starts; the first arises one gap later.
        start: SimTime,
        /// Mean time from one to the next; above 0.
        mean: SimDuration,
        /// None arises at this time or later.
        until: Option<SimTime>,
    },
    /// Bursts: each cycle is `on` and then `off` long, from time 0, and in its first part a
    /// request arises at `first` after its begin and then each `interval`.
    OnOff {
        /// Length of the part with requests; above 0.
        on: SimDuration,
        /// Length of the part without.
        off: SimDuration,
        /// From a cycle's begin to its first request.
        first: SimDuration,
        /// Time between requests; above 0.
        interval: SimDuration,
        /// None arises at this time or later.
        until: Option<SimTime>,
    },
    /// The rate moves linearly from one value to another, and stays there.
    Ramp {
        /// When the ramp starts.
        start: SimTime,
        /// How long it takes.
        over: SimDuration,
        /// Requests per second at its start; above 0.
        from_per_s: f64,
        /// Requests per second at its end; above 0.
        to_per_s: f64,
        /// None arises at this time or later.
        until: Option<SimTime>,
    },
    /// At recorded times, in rising order.
    Recorded {
        /// Each arrival.
        arrivals: Vec<RecordedArrival>,
    },
}

/// One recorded arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedArrival {
    /// When it arises.
    pub at: SimTime,
    /// Records in it, when not as the producer says; at least 1.
    pub records: Option<u32>,
}

/// The network: the first override that fits decides, else the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct LinksSpec {
    /// From a follower's broker to a leader's, and back.
    pub follower: LinkSpec,
    /// From a producer to a broker, and back.
    pub producer: LinkSpec,
    /// Exceptions.
    pub overrides: Vec<LinkOverride>,
}

/// A link that is unlike the others.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkOverride {
    /// Its name in the scenario.
    pub name: String,
    /// Who sends requests over it.
    pub client: LinkEnd,
    /// The broker that answers them; any when absent.
    pub broker: Option<i32>,
    /// What it is like.
    pub link: LinkSpec,
}

/// The end of a link that sends requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEnd {
    /// The fetchers of this broker.
    Broker(i32),
    /// The producer of this name.
    Producer(String),
}

/// What a link does to what crosses it. Each connection keeps its order: nothing overtakes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkSpec {
    /// How long a request is under way.
    pub request_latency: Distribution,
    /// How long an answer is under way.
    pub response_latency: Distribution,
    /// Bytes per second of each connection and direction; none: no limit.
    pub bandwidth: Option<u64>,
}

impl LinkSpec {
    /// The same constant latency both ways, no limit of bandwidth.
    pub fn constant(latency: SimDuration) -> Self {
        let latency = Distribution::Constant(latency);
        LinkSpec { request_latency: latency, response_latency: latency, bandwidth: None }
    }
}

/// Something that goes wrong or is done to the cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultSpec {
    /// Its name in reports; unique.
    pub name: String,
    /// What it is.
    pub kind: FaultKind,
    /// When it first happens.
    pub at: SimTime,
    /// It happens again each so long after `at`; once when absent. Longer than its length.
    pub every: Option<SimDuration>,
    /// It does not happen at this time or later.
    pub until: Option<SimTime>,
}

/// What a fault does.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// The broker handles nothing for so long, and then everything that came, in order (a
    /// garbage collection pause, a stopped process).
    Pause {
        /// The broker's id.
        broker: i32,
        /// How long.
        length: SimDuration,
    },
    /// Nothing sent over the link arrives before the end; then all of it does, in order.
    LinkStall {
        /// Which links.
        link: LinkSelector,
        /// How long.
        length: SimDuration,
    },
    /// Everything sent over the link takes so much longer.
    LinkDelay {
        /// Which links.
        link: LinkSelector,
        /// How long the fault lasts.
        length: SimDuration,
        /// How much longer each message takes.
        extra: SimDuration,
    },
    /// The controller moves leadership to `leader`, or elects the sitting leader again. It takes
    /// effect on all replicas at once. Not applied while `leader` is not in the ISR.
    Election {
        /// Index into [`ClusterSpec::topics`].
        topic: usize,
        /// The partition.
        partition: usize,
        /// The broker that is to lead.
        leader: i32,
    },
    /// Writes of a share group's leaders to the share coordinator that are sent meanwhile fail,
    /// lose their answers or are late.
    ShareWrites {
        /// Index into [`LagSpec::share_groups`].
        group: usize,
        /// What becomes of them.
        fault: WriteFault,
        /// How long the fault lasts.
        length: SimDuration,
    },
}

/// The links that a fault touches: all that fit both ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkSelector {
    /// Who sends the requests; any when absent.
    pub client: Option<LinkEnd>,
    /// The broker that answers; any when absent.
    pub broker: Option<i32>,
}

impl FaultKind {
    /// How long it lasts; an election is over at once.
    pub fn length(&self) -> SimDuration {
        match self {
            FaultKind::Pause { length, .. }
            | FaultKind::LinkStall { length, .. }
            | FaultKind::LinkDelay { length, .. }
            | FaultKind::ShareWrites { length, .. } => *length,
            FaultKind::Election { .. } => SimDuration::ZERO,
        }
    }
}
