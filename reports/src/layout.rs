//! Names for the numbers that a run speaks in.

use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::protocol::ReplicaSet;
use std::fmt::Write;

/// One partition: its topic, its number, its replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionName {
    /// The topic's name.
    pub topic: String,
    /// The partition's number within the topic.
    pub number: usize,
    /// The replicas' brokers by slot, the first leader first.
    pub brokers: Vec<i32>,
}

impl PartitionName {
    /// The brokers of a set of slots, `1;2;3`: in the order of the assignment.
    pub fn brokers_of(&self, set: ReplicaSet) -> String {
        let mut text = String::new();
        for slot in set.iter() {
            let separator = if text.is_empty() { "" } else { ";" };
            match self.brokers.get(slot) {
                Some(broker) => write!(text, "{separator}{broker}"),
                None => write!(text, "{separator}slot {slot}"),
            }
            .expect("a String takes everything");
        }
        text
    }
}

/// All partitions of a cluster, numbered as in [`isrlab_sim::cluster::Observer`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    /// The partitions through all topics, in the order of the specification.
    pub partitions: Vec<PartitionName>,
}

impl Layout {
    /// The partitions of `spec`.
    pub fn of(spec: &ClusterSpec) -> Self {
        let partitions = spec.topics.iter().flat_map(|topic| {
            topic.partitions.iter().enumerate().map(|(number, partition)| PartitionName {
                topic: topic.name.clone(),
                number,
                brokers: partition.replicas.clone(),
            })
        });
        Layout { partitions: partitions.collect() }
    }
}
