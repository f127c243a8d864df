//! From the specification to a cluster that is ready to run.

use super::Cluster;
use super::arrivals::ArrivalProcess;
use super::broker::{Broker, clock_ms};
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
use super::spec::{ClusterSpec, LinkEnd, LinkSpec};
use super::summary::RunSummary;
use super::timestamps::Timestamps;
use super::validate::{SpecError, validate};
use crate::engine::{Scheduler, SimDuration, SimTime, Streams};
use crate::protocol::LeaderSettings;
use crate::protocol::criterion::LagLimits;
use std::collections::BTreeMap;

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
