//! The clusters that are measured.

use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::cluster::spec::*;
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::{Acks, Profile};

/// What is asked of a cluster; the rest is the same in all.
#[derive(Clone, Copy)]
pub struct Workload {
    /// Partitions, each with a producer of its own.
    pub partitions: usize,
    /// Followers of each partition.
    pub followers: usize,
    /// Virtual length of the run.
    pub length: SimDuration,
    /// `acks` of the producers.
    pub acks: Acks,
    /// How long a produce request is on its way, and an answer.
    pub produce: Distribution,
    /// How long a fetch is on its way, and an answer.
    pub fetch: SimDuration,
}

impl Workload {
    /// One partition, its producer on the leader's machine and asking for no answer.
    pub fn one_partition(followers: usize, length: SimDuration) -> Self {
        Workload {
            partitions: 1,
            followers,
            length,
            acks: Acks::None,
            produce: Distribution::Constant(SimDuration::ZERO),
            fetch: SimDuration::from_millis(1),
        }
    }

    /// Partitions with two followers, whose producers wait for the leader's answer.
    pub fn partitions(partitions: usize, length: SimDuration, produce: Distribution) -> Self {
        Workload {
            partitions,
            followers: 2,
            length,
            acks: Acks::Leader,
            produce,
            fetch: SimDuration::from_millis(5),
        }
    }

    /// The cluster: one broker more than followers, leaders in turn, one record per producer and
    /// millisecond.
    pub fn cluster(&self) -> ClusterSpec {
        let profile: Profile = "post-4485".parse().expect("a profile");
        let brokers = self.followers + 1;
        let partition = |number: usize| PartitionSpec {
            replicas: (0..brokers).map(|step| ((number + step) % brokers) as i32 + 1).collect(),
            start: PartitionStart::Established,
            min_insync_replicas: None,
        };
        ClusterSpec {
            profile,
            replication: ReplicationSettings::of_profile(&profile),
            duration: self.length,
            brokers: (1..=brokers as i32).map(BrokerSpec::new).collect(),
            topics: vec![TopicSpec {
                name: "t".into(),
                partitions: (0..self.partitions).map(partition).collect(),
                timestamps: None,
            }],
            producers: (0..self.partitions).map(|number| self.producer(number)).collect(),
            links: LinksSpec {
                follower: LinkSpec::constant(self.fetch),
                producer: LinkSpec {
                    request_latency: self.produce,
                    response_latency: self.produce,
                    bandwidth: None,
                },
                overrides: vec![],
            },
            faults: vec![],
            lag: Default::default(),
        }
    }

    fn producer(&self, number: usize) -> ProducerSpec {
        let arrivals = Arrivals::Constant {
            // Spread over the millisecond, so that few arise at the same time.
            first: SimTime::from_nanos(1_000_000 + 997 * number as u64 % 1_000_000),
            interval: SimDuration::from_millis(1),
            until: None,
        };
        ProducerSpec {
            partitioner: Partitioner::Partition(number),
            acks: self.acks,
            ..ProducerSpec::new(&format!("p{number}"), 0, arrivals)
        }
    }
}

/// A request's or answer's latency where there is jitter: 0.5 to 1.5 ms.
pub fn jitter() -> Distribution {
    Distribution::Uniform { min: SimDuration::from_micros(500), max: SimDuration::from_micros(1500) }
}
