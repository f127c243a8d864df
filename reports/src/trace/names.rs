//! Who is who in a run: names for the numbers that the simulator speaks in.

use crate::layout::Layout;
use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::cluster::spec::FaultKind;

/// Someone who acts in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Actor {
    /// A producer, by its index in the specification.
    Producer(usize),
    /// A broker, by its id.
    Broker(i32),
    /// A MirrorMaker 2 task, by its index.
    Mirror(usize),
    /// A share group, by its index.
    ShareGroup(usize),
    /// Whoever brings faults about.
    Faults,
}

/// Names of everyone and everything in a run.
#[derive(Clone, Debug)]
pub struct Names {
    layout: Layout,
    partitions: Vec<String>,
    producers: Vec<String>,
    mirrors: Vec<String>,
    groups: Vec<String>,
    faults: Vec<String>,
    fault_brokers: Vec<Option<i32>>,
    actors: Vec<Actor>,
}

impl Names {
    /// The names in `spec`.
    pub fn of(spec: &ClusterSpec) -> Self {
        let layout = Layout::of(spec);
        let named =
            |partition: &crate::layout::PartitionName| format!("{}-{}", partition.topic, partition.number);
        let fault_broker = |kind: &FaultKind| match kind {
            FaultKind::Pause { broker, .. } => Some(*broker),
            FaultKind::Election { leader, .. } => Some(*leader),
            FaultKind::LinkStall { link, .. } | FaultKind::LinkDelay { link, .. } => link.broker,
            FaultKind::ShareWrites { .. } => None,
        };
        let mut actors: Vec<Actor> = (0..spec.producers.len()).map(Actor::Producer).collect();
        actors.extend(spec.brokers.iter().map(|broker| Actor::Broker(broker.id)));
        actors.extend((0..spec.lag.mirrors.len()).map(Actor::Mirror));
        actors.extend((0..spec.lag.share_groups.len()).map(Actor::ShareGroup));
        actors.extend((!spec.faults.is_empty()).then_some(Actor::Faults));
        Names {
            partitions: layout.partitions.iter().map(named).collect(),
            layout,
            producers: spec.producers.iter().map(|producer| producer.name.clone()).collect(),
            mirrors: spec.lag.mirrors.iter().map(|mirror| mirror.name.clone()).collect(),
            groups: spec.lag.share_groups.iter().map(|group| group.name.clone()).collect(),
            faults: spec.faults.iter().map(|fault| fault.name.clone()).collect(),
            fault_brokers: spec.faults.iter().map(|fault| fault_broker(&fault.kind)).collect(),
            actors,
        }
    }

    /// Everyone, in the order of the columns: producers, brokers, mirrors, share groups, faults.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The partitions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// A partition as Kafka writes it, `orders-0`, by its number through all topics.
    pub fn partition(&self, partition: usize) -> &str {
        &self.partitions[partition]
    }

    /// The number through all topics of a partition that is written `orders-0`.
    pub fn find_partition(&self, name: &str) -> Option<usize> {
        self.partitions.iter().position(|known| known == name)
    }

    /// All partitions' names, in order.
    pub fn partitions(&self) -> &[String] {
        &self.partitions
    }

    /// All brokers' ids, in order.
    pub fn brokers(&self) -> Vec<i32> {
        let ids = self.actors.iter().filter_map(|actor| match actor {
            Actor::Broker(id) => Some(*id),
            _ => None,
        });
        ids.collect()
    }

    /// The broker of a replica.
    pub fn replica(&self, partition: usize, slot: usize) -> i32 {
        self.layout.partitions[partition].brokers[slot]
    }

    /// A producer's name.
    pub fn producer(&self, producer: usize) -> &str {
        &self.producers[producer]
    }

    /// A mirror's name.
    pub fn mirror(&self, mirror: usize) -> &str {
        &self.mirrors[mirror]
    }

    /// A share group's name.
    pub fn group(&self, group: usize) -> &str {
        &self.groups[group]
    }

    /// The actor of this name whose lag is watched.
    pub fn find_lag_actor(&self, name: &str) -> Actor {
        match self.mirrors.iter().position(|known| known == name) {
            Some(mirror) => Actor::Mirror(mirror),
            None => Actor::ShareGroup(self.groups.iter().position(|known| known == name).unwrap_or(0)),
        }
    }

    /// A fault's name.
    pub fn fault(&self, fault: usize) -> &str {
        &self.faults[fault]
    }

    /// The broker that a fault is done to, if it is one.
    pub fn fault_broker(&self, fault: usize) -> Option<i32> {
        self.fault_brokers[fault]
    }

    /// What an actor is called: `producer p`, `broker 2`.
    pub fn actor(&self, actor: Actor) -> String {
        match actor {
            Actor::Producer(producer) => format!("producer {}", self.producer(producer)),
            Actor::Broker(id) => format!("broker {id}"),
            Actor::Mirror(mirror) => format!("mirror {}", self.mirror(mirror)),
            Actor::ShareGroup(group) => format!("share group {}", self.group(group)),
            Actor::Faults => "faults".to_owned(),
        }
    }

    /// The same in a column's head: a producer's, mirror's or group's own name, `b2` for a broker.
    pub fn short(&self, actor: Actor) -> String {
        match actor {
            Actor::Producer(producer) => self.producer(producer).to_owned(),
            Actor::Broker(id) => format!("b{id}"),
            Actor::Mirror(mirror) => self.mirror(mirror).to_owned(),
            Actor::ShareGroup(group) => self.group(group).to_owned(),
            Actor::Faults => "faults".to_owned(),
        }
    }
}
