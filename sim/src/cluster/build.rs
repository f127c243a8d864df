//! From the specification to a cluster that is ready to run.

use super::Cluster;
use super::arrivals::ArrivalProcess;
use super::broker::{Broker, clock_ms};
use super::clock::ClockSpec;
use super::event::Event;
use super::fault::Fault;
use super::fetcher::{FetchState, Fetcher, RecordedFetches, fetcher_number};
use super::lag::LagActors;
use super::latency::LatencyRecorder;
use super::link::Direction;
use super::partition::Partition;
use super::produce::{Connection, Producer, RequestTable};
use super::retry::Holds;
use super::sampler::Sampler;
use super::spec::{
    Arrivals, ClusterSpec, EarlierTerms, FaultKind, LinkEnd, LinkSpec, PartitionStart, Partitioner,
    REPLICAS_MAX,
};
use super::summary::RunSummary;
use super::timestamps::Timestamps;
use crate::engine::{Distribution, Scheduler, SimDuration, SimTime, Streams};
use crate::protocol::criterion::LagLimits;
use crate::protocol::timestamp::TimestampPolicy;
use crate::protocol::{LeaderSettings, ReplicaSet};
use std::collections::BTreeMap;

/// Why a specification makes no cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong, such as `topic 'orders', partition 0`.
    pub place: String,
    /// Why, and what would be accepted.
    pub message: String,
}

impl std::fmt::Display for SpecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for SpecError {}

fn require(
    condition: bool,
    place: impl FnOnce() -> String,
    message: impl FnOnce() -> String,
) -> Result<(), SpecError> {
    if condition { Ok(()) } else { Err(SpecError { place: place(), message: message() }) }
}

/// Checks what the simulator relies on.
fn validate(spec: &ClusterSpec) -> Result<(), SpecError> {
    let whole = |duration: SimDuration| duration.as_nanos().is_multiple_of(1_000_000);
    let settings = &spec.replication;
    require(
        !spec.brokers.is_empty(),
        || "brokers".into(),
        || "there is none; at least one is needed".into(),
    )?;
    require(!spec.topics.is_empty(), || "topics".into(), || "there is none; at least one is needed".into())?;
    require(
        whole(settings.replica_lag_time_max) && !settings.replica_lag_time_max.is_zero(),
        || "replica.lag.time.max.ms".into(),
        || format!("{} is not a whole number of milliseconds above 0", settings.replica_lag_time_max),
    )?;
    require(
        settings.isr_check_period.is_none_or(|period| !period.is_zero()),
        || "ISR check period".into(),
        || "it must be above 0".into(),
    )?;
    require(
        settings.num_replica_fetchers >= 1,
        || "num.replica.fetchers".into(),
        || "it must be at least 1".into(),
    )?;
    require(
        settings.min_insync_replicas >= 1,
        || "min.insync.replicas".into(),
        || "it must be at least 1".into(),
    )?;
    for (index, broker) in spec.brokers.iter().enumerate() {
        let place = || format!("broker {}", broker.id);
        require(spec.brokers[..index].iter().all(|other| other.id != broker.id), place, || {
            "its id is taken by another; ids are unique".into()
        })?;
        require(broker.io_threads >= 1, place, || "num.io.threads must be at least 1".into())?;
        valid_distribution(&broker.service_time, place)?;
        let rising = |times: &[SimTime]| times.is_sorted_by(|earlier, later| earlier < later);
        require(broker.fetch_arrivals.as_deref().is_none_or(rising), place, || {
            "its fetches need times in rising order".into()
        })?;
        valid_clock(&broker.clock, place)?;
    }
    for topic in &spec.topics {
        valid_policy(topic.timestamps.as_ref(), || format!("topic '{}'", topic.name))?;
        require(
            !topic.partitions.is_empty(),
            || format!("topic '{}'", topic.name),
            || "it has no partition".into(),
        )?;
        for (number, partition) in topic.partitions.iter().enumerate() {
            let place = || format!("topic '{}', partition {number}", topic.name);
            let replicas = &partition.replicas;
            require((1..=REPLICAS_MAX).contains(&replicas.len()), place, || {
                format!("it has {} replicas; 1 to {REPLICAS_MAX} are possible", replicas.len())
            })?;
            for (index, id) in replicas.iter().enumerate() {
                require(spec.brokers.iter().any(|broker| broker.id == *id), place, || {
                    format!("replica {id} is on no broker; brokers are {:?}", broker_ids(spec))
                })?;
                require(!replicas[..index].contains(id), place, || {
                    format!("broker {id} has two replicas; each is on a broker of its own")
                })?;
            }
            require(partition.min_insync_replicas != Some(0), place, || {
                "min.insync.replicas must be at least 1".into()
            })?;
            if let PartitionStart::ElectedAfter(earlier) = &partition.start {
                validate_earlier(earlier, replicas.len(), place)?;
            }
        }
    }
    validate_time_passes(spec)?;
    for producer in &spec.producers {
        validate_producer(spec, producer)?;
    }
    for fault in &spec.faults {
        validate_fault(spec, fault)?;
    }
    validate_lag(spec)?;
    let links = [&spec.links.follower, &spec.links.producer];
    for link in links.into_iter().chain(spec.links.overrides.iter().map(|over| &over.link)) {
        let place = || "link".to_owned();
        valid_distribution(&link.request_latency, place)?;
        valid_distribution(&link.response_latency, place)?;
        require(link.bandwidth != Some(0), place, || "a bandwidth must be above 0 bytes per second".into())?;
    }
    Ok(())
}

/// What earlier terms left must be a state that a clean election can find.
fn validate_earlier(
    earlier: &EarlierTerms,
    replicas: usize,
    place: impl Fn() -> String,
) -> Result<(), SpecError> {
    let EarlierTerms { isr, log_end_offset, high_watermark, followers } = earlier;
    require(isr.contains(0) && isr.is_subset_of(ReplicaSet::first(replicas)), &place, || {
        "the ISR must contain the leader, and replicas only".into()
    })?;
    require((0..=*log_end_offset).contains(high_watermark), &place, || {
        format!("the high watermark is {high_watermark}; it must be 0 to the log end, {log_end_offset}")
    })?;
    for (slot, follower) in followers.iter().enumerate().take(replicas).skip(1) {
        let lowest = if isr.contains(slot) { *high_watermark } else { 0 };
        require((lowest..=*log_end_offset).contains(&follower.log_end_offset), &place, || {
            format!(
                "replica {slot} ends at {}; it must be {lowest} to {log_end_offset}",
                follower.log_end_offset
            )
        })?;
    }
    Ok(())
}

/// Mirrors and share groups name partitions that exist, and time passes in them.
fn validate_lag(spec: &ClusterSpec) -> Result<(), SpecError> {
    let exists = |(topic, partition): (usize, usize)| {
        spec.topics.get(topic).is_some_and(|topic| partition < topic.partitions.len())
    };
    let watched = !spec.lag.mirrors.is_empty() || !spec.lag.share_groups.is_empty();
    require(
        !watched || !spec.lag.watch_interval.is_zero(),
        || "lag".into(),
        || "the interval at which it is watched must be above 0".into(),
    )?;
    for mirror in &spec.lag.mirrors {
        let place = || format!("mirror '{}'", mirror.name);
        require(exists(mirror.source) && exists(mirror.target), place, || {
            "it names a partition that does not exist".into()
        })?;
        require(mirror.source != mirror.target, place, || "its source and target are the same".into())?;
        let intervals = [mirror.poll_interval, mirror.flush_interval, mirror.sample_interval];
        require(!intervals.iter().any(|interval| interval.is_zero()), place, || {
            "its poll, flush and sample intervals must be above 0".into()
        })?;
        require(mirror.gap_every.is_none_or(|every| every >= 2) && mirror.record_bytes >= 1, place, || {
            "a record must have at least 1 byte, and not every offset can be a gap".into()
        })?;
    }
    for group in &spec.lag.share_groups {
        let place = || format!("share group '{}'", group.name);
        require(exists(group.partition), place, || "it names a partition that does not exist".into())?;
        require(group.members >= 1 && group.max_records >= 1, place, || {
            "it needs a member, and a member must be allowed a record".into()
        })?;
        require(!group.fetch_interval.is_zero() && !group.describe_interval.is_zero(), place, || {
            "its fetch and describe intervals must be above 0".into()
        })?;
        require(group.describe_gap < group.describe_interval, place, || {
            "an answer of the group coordinator must be over before the next".into()
        })?;
        let each = [group.release_every, group.reject_every, group.forget_every];
        let settings = &group.settings;
        let sound = settings.delivery_count_limit >= 1
            && settings.record_lock_duration_ms >= 1
            && !each.contains(&Some(0));
        require(sound, place, || "its limits must be at least 1".into())?;
    }
    Ok(())
}

/// A follower that is answered at once, over a link and by a broker that take no time, would
/// fetch for ever without time going by.
fn validate_time_passes(spec: &ClusterSpec) -> Result<(), SpecError> {
    let zero = |distribution: &Distribution| *distribution == Distribution::Constant(SimDuration::ZERO);
    let settings = &spec.replication;
    let answered_at_once = settings.replica_fetch_min_bytes == 0 || settings.replica_fetch_wait_max.is_zero();
    let takes_no_time = |link: &LinkSpec| zero(&link.request_latency) && zero(&link.response_latency);
    let follower_links = spec.links.overrides.iter().filter(|over| matches!(over.client, LinkEnd::Broker(_)));
    let mut links = follower_links.map(|over| &over.link).chain([&spec.links.follower]);
    let stuck = answered_at_once
        && links.any(takes_no_time)
        && spec.brokers.iter().any(|broker| zero(&broker.service_time));
    require(
        !stuck,
        || "replica.fetch.min.bytes".into(),
        || {
            "a fetch that never waits, over a link without latency, takes no time at all; make \
         replica.fetch.min.bytes and replica.fetch.wait.max.ms at least 1, or give the link a latency"
                .into()
        },
    )
}

fn broker_ids(spec: &ClusterSpec) -> Vec<i32> {
    spec.brokers.iter().map(|broker| broker.id).collect()
}

fn valid_distribution(distribution: &Distribution, place: impl FnOnce() -> String) -> Result<(), SpecError> {
    distribution.validate().map_err(|error| SpecError { place: place(), message: error.to_string() })
}

fn valid_clock(clock: &ClockSpec, place: impl FnOnce() -> String) -> Result<(), SpecError> {
    let drifts = ClockSpec::DRIFT_PPM_MIN..=ClockSpec::DRIFT_PPM_MAX;
    require(drifts.contains(&clock.drift_ppm), place, || {
        format!(
            "its clock drifts by {} ppm; {} to {} are possible",
            clock.drift_ppm,
            drifts.start(),
            drifts.end()
        )
    })
}

fn valid_policy(
    policy: Option<&TimestampPolicy>,
    place: impl FnOnce() -> String + Copy,
) -> Result<(), SpecError> {
    let Some(TimestampPolicy { rules, limits, .. }) = policy else { return Ok(()) };
    require(limits.before_max >= 0 && limits.after_max >= 0, place, || {
        "a limit of timestamps must be 0 or more".into()
    })?;
    require(rules.has_two_limits() || limits.before_max == limits.after_max, place, || {
        format!("the rules {} have one limit for timestamps, both ways", rules.name())
    })
}

fn validate_producer(spec: &ClusterSpec, producer: &super::spec::ProducerSpec) -> Result<(), SpecError> {
    let place = || format!("producer '{}'", producer.name);
    require(producer.topic < spec.topics.len(), place, || "it names no topic".into())?;
    let partitions = spec.topics[producer.topic].partitions.len();
    if let Partitioner::Partition(partition) = producer.partitioner {
        require(partition < partitions, place, || {
            format!("partition {partition} does not exist; the topic has {partitions}, from 0")
        })?;
    }
    require(producer.records_per_request >= 1, place, || "records per request must be at least 1".into())?;
    require(producer.record_bytes >= 1, place, || "a record must have at least 1 byte".into())?;
    valid_clock(&producer.timestamps.clock, place)?;
    require(producer.max_in_flight >= 1, place, || {
        "max.in.flight.requests.per.connection must be at least 1".into()
    })?;
    require(!producer.request_timeout.is_zero(), place, || "request.timeout.ms must be above 0".into())?;
    require(!producer.retry_backoff.is_zero(), place, || "retry.backoff.ms must be above 0".into())?;
    let (sound, what) = match &producer.arrivals {
        Arrivals::Constant { interval, .. } => (!interval.is_zero(), "an interval above 0"),
        Arrivals::Poisson { mean, .. } => (!mean.is_zero(), "a mean above 0"),
        Arrivals::OnOff { on, first, interval, .. } => (
            !interval.is_zero() && !on.is_zero() && first < on,
            "an interval and an on time above 0, and a first request within it",
        ),
        Arrivals::Ramp { over, from_per_s, to_per_s, .. } => {
            let rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
            (!over.is_zero() && rate(from_per_s) && rate(to_per_s), "rates and a length above 0")
        }
        Arrivals::Recorded { arrivals } => (
            arrivals.is_sorted_by_key(|arrival| arrival.at)
                && arrivals.iter().all(|arrival| arrival.records != Some(0)),
            "times in rising order, with at least one record each",
        ),
    };
    require(sound, place, || format!("its arrivals need {what}"))
}

fn validate_fault(spec: &ClusterSpec, fault: &super::spec::FaultSpec) -> Result<(), SpecError> {
    let place = || format!("fault '{}'", fault.name);
    let known = |id: i32| spec.brokers.iter().any(|broker| broker.id == id);
    let missing = |id: i32| format!("there is no broker {id}; brokers are {:?}", broker_ids(spec));
    if let Some(every) = fault.every {
        require(
            every > fault.kind.length() || (every == fault.kind.length() && !every.is_zero()),
            place,
            || {
                format!(
                    "it repeats each {every} and lasts {}; it must be over before it repeats",
                    fault.kind.length()
                )
            },
        )?;
    }
    match &fault.kind {
        FaultKind::Pause { broker, .. } => require(known(*broker), place, || missing(*broker)),
        FaultKind::LinkStall { link, .. } | FaultKind::LinkDelay { link, .. } => {
            if let Some(LinkEnd::Broker(id)) = link.client {
                require(known(id), place, || missing(id))?;
            }
            if let Some(LinkEnd::Producer(name)) = &link.client {
                require(spec.producers.iter().any(|producer| producer.name == *name), place, || {
                    format!("there is no producer '{name}'")
                })?;
            }
            require(link.broker.is_none_or(known), place, || missing(link.broker.unwrap_or_default()))
        }
        FaultKind::Election { topic, partition, leader } => {
            let replicas = spec.topics.get(*topic).and_then(|topic| topic.partitions.get(*partition));
            let replicas = replicas.map(|partition| partition.replicas.as_slice()).unwrap_or_default();
            require(replicas.contains(leader), place, || {
                format!("broker {leader} has no replica of that partition; its replicas are {replicas:?}")
            })
        }
    }
}

/// The settings of the leaders of a partition, in the clock's unit, milliseconds.
fn leader_settings(spec: &ClusterSpec, min_insync_replicas: Option<u32>) -> LeaderSettings {
    LeaderSettings {
        lag: LagLimits {
            time_max: spec.replication.replica_lag_time_max.as_millis() as i64,
            messages_max: spec.replication.replica_lag_max_messages,
        },
        min_insync_replicas: min_insync_replicas.unwrap_or(spec.replication.min_insync_replicas),
        ..LeaderSettings::of_profile(&spec.profile)
    }
}

/// The link from a client to a broker: the first override that fits, else the default.
fn link_for<'a>(spec: &'a ClusterSpec, client: &LinkEnd, broker: i32) -> &'a LinkSpec {
    let default = match client {
        LinkEnd::Broker(_) => &spec.links.follower,
        LinkEnd::Producer(_) => &spec.links.producer,
    };
    let mut overrides = spec.links.overrides.iter();
    overrides
        .find(|over| over.client == *client && over.broker.is_none_or(|id| id == broker))
        .map_or(default, |over| &over.link)
}

/// Both directions of a connection.
fn directions(link: &LinkSpec, streams: &Streams, actor: &str, to: &str) -> (Direction, Direction) {
    let direction = |latency, what: &str| {
        Direction::new(latency, link.bandwidth, streams, actor, &format!("{what} {to}"))
    };
    (
        direction(link.request_latency, "request latency to"),
        direction(link.response_latency, "response latency from"),
    )
}

impl Cluster {
    /// Builds the cluster and schedules its first events.
    ///
    /// # Errors
    /// What the specification has wrong. Everything that the scenario loader accepts is sound;
    /// this is for specifications made otherwise.
    pub fn new(spec: &ClusterSpec, seed: u64) -> Result<Cluster, SpecError> {
        validate(spec)?;
        let streams = Streams::new(seed);
        let broker_index: BTreeMap<i32, u32> =
            spec.brokers.iter().enumerate().map(|(index, broker)| (broker.id, index as u32)).collect();
        let period = spec.replication.isr_check_period.unwrap_or_else(|| {
            let lag_ms = spec.replication.replica_lag_time_max.as_millis() as i64;
            SimDuration::from_millis(spec.profile.criterion.rules().check_period(lag_ms) as u64)
        });
        let brokers = spec.brokers.iter().map(|broker| {
            let service =
                Sampler::new(broker.service_time, &streams, &format!("broker {}", broker.id), "service time");
            let first_check =
                broker.isr_check_first.unwrap_or(SimTime::ZERO + broker.isr_check_phase + period);
            Broker::new(broker.id, service, broker.io_threads, period, first_check)
        });
        let mut cluster = Cluster {
            scheduler: Scheduler::new(),
            end: SimTime::ZERO + spec.duration,
            seed,
            limits: spec.replication,
            answers_new_high_watermarks: spec.profile.answers_when_high_watermark_is_new,
            truncation: spec.profile.follower_truncation,
            settings: Vec::new(),
            topics: spec.topics.iter().map(|topic| topic.name.clone()).collect(),
            brokers: brokers.collect(),
            paused_brokers: 0,
            partitions: Vec::new(),
            leader_brokers: Vec::new(),
            fetchers: Vec::new(),
            waiting_fetches: 0,
            fetcher_index: BTreeMap::new(),
            producers: Vec::new(),
            connections: Vec::new(),
            requests: RequestTable::default(),
            holds: Holds::default(),
            timestamps: None,
            ready: Vec::new(),
            faults: Vec::new(),
            lag: LagActors::default(),
            stats: RunSummary::default(),
            latency: LatencyRecorder::default(),
            event_counts: [0; Event::KINDS.len()],
            broken: None,
            spec: spec.clone(),
            streams,
        };
        let first_partitions = cluster.add_partitions(spec, &broker_index);
        cluster.add_producers(spec, &first_partitions);
        cluster.timestamps = Timestamps::new(spec, cluster.partitions.len());
        cluster.faults = spec.faults.iter().map(Fault::new).collect();
        cluster.schedule_first_events();
        cluster.add_lag_actors(&spec.lag, &first_partitions);
        Ok(cluster)
    }

    /// Returns the number of each topic's first partition.
    fn add_partitions(&mut self, spec: &ClusterSpec, broker_index: &BTreeMap<i32, u32>) -> Vec<u32> {
        let clock = clock_ms(SimTime::ZERO);
        let mut first_partitions = Vec::with_capacity(spec.topics.len());
        for (topic, topic_spec) in spec.topics.iter().enumerate() {
            first_partitions.push(self.partitions.len() as u32);
            for (number, partition_spec) in topic_spec.partitions.iter().enumerate() {
                let settings = leader_settings(spec, partition_spec.min_insync_replicas);
                let settings_index = match self.settings.iter().position(|known| *known == settings) {
                    Some(index) => index,
                    None => {
                        self.settings.push(settings);
                        self.settings.len() - 1
                    }
                };
                let brokers: Vec<(u32, i32)> =
                    partition_spec.replicas.iter().map(|&id| (broker_index[&id], id)).collect();
                let mut partition = Partition::new(
                    self.partitions.len() as u32,
                    (topic as u32, number as u32),
                    settings_index as u32,
                    &brokers,
                    clock,
                );
                partition.start(&partition_spec.start, &settings, clock, &mut self.stats);
                self.leader_brokers.push(partition.leader_broker());
                self.partitions.push(partition);
                self.assign_fetchers(self.partitions.len() - 1);
            }
        }
        first_partitions
    }

    /// Gives each follower of a partition a fetcher from the leader's broker; returns them.
    pub(super) fn assign_fetchers(&mut self, index: usize) -> Vec<u32> {
        let partition = &self.partitions[index];
        let leader_broker = partition.leader_broker();
        let number = fetcher_number(
            &self.topics[partition.topic as usize],
            partition.number,
            self.limits.num_replica_fetchers,
        );
        let mut assigned = Vec::new();
        for slot in partition.leader.follower_slots() {
            let follower_broker = self.partitions[index].replica(slot).broker;
            let fetcher = self.fetcher_between(follower_broker, leader_broker, number);
            let since_fetch = self.fetchers[fetcher as usize].add(index as u32, slot);
            self.partitions[index].fetchers[slot] = fetcher;
            self.partitions[index].replica_mut(slot).since_fetch = since_fetch;
            assigned.push(fetcher);
        }
        assigned
    }

    fn fetcher_between(&mut self, follower: u32, leader: u32, number: u32) -> u32 {
        if let Some(&known) = self.fetcher_index.get(&(follower, leader, number)) {
            return known;
        }
        let id = |index: u32| self.brokers[index as usize].id;
        let client = LinkEnd::Broker(id(follower));
        let link = link_for(&self.spec, &client, id(leader));
        let actor = format!("broker {} fetcher {number}", id(follower));
        let (mut to_leader, mut to_follower) =
            directions(link, &self.streams, &actor, &format!("broker {}", id(leader)));
        self.apply_lasting_faults(&client, id(leader), [&mut to_leader, &mut to_follower]);
        let index = self.fetchers.len() as u32;
        self.fetchers.push(Fetcher {
            follower_broker: follower,
            leader_broker: leader,
            partitions: Vec::new(),
            state: FetchState::Idle,
            fetch_number: 0,
            newest_since: 0,
            gathered: 0,
            timer_pending: false,
            first: 0,
            recorded: self.spec.brokers[follower as usize]
                .fetch_arrivals
                .as_deref()
                .map(RecordedFetches::new),
            to_leader,
            to_follower,
        });
        self.fetcher_index.insert((follower, leader, number), index);
        index
    }

    fn add_producers(&mut self, spec: &ClusterSpec, first_partitions: &[u32]) {
        for (index, producer) in spec.producers.iter().enumerate() {
            let arrivals = ArrivalProcess::new(&producer.arrivals, &self.streams, &producer.name);
            let partitions = spec.topics[producer.topic].partitions.len() as u32;
            let first_partition = first_partitions[producer.topic];
            self.producers.push(Producer::new(producer.clone(), arrivals, first_partition, partitions));
            let client = LinkEnd::Producer(producer.name.clone());
            for broker in 0..self.brokers.len() {
                let id = self.brokers[broker].id;
                let link = link_for(&self.spec, &client, id);
                let actor = format!("producer {}", producer.name);
                let (to_broker, to_producer) =
                    directions(link, &self.streams, &actor, &format!("broker {id}"));
                let connection =
                    Connection::new(index as u32, producer, broker as u32, to_broker, to_producer);
                self.connections.push(connection);
            }
        }
    }

    fn schedule_first_events(&mut self) {
        for producer in 0..self.producers.len() {
            self.schedule_next_arrival(producer as u32);
        }
        for fetcher in 0..self.fetchers.len() {
            let broker = self.fetchers[fetcher].follower_broker as usize;
            let event = Event::FetcherStarts { fetcher: fetcher as u32 };
            self.scheduler.schedule(self.spec.brokers[broker].first_fetch, event);
        }
        for broker in 0..self.brokers.len() {
            let event = Event::IsrCheck { broker: broker as u32 };
            self.scheduler.schedule(self.brokers[broker].next_check, event);
        }
        for fault in 0..self.faults.len() {
            if let Some(at) = self.faults[fault].next_start() {
                self.scheduler.schedule(at, Event::FaultStarts { fault: fault as u32 });
            }
        }
    }
}
