//! `[[topic]]`.

use super::INT_MAX;
use crate::key::{Default, Key, Kind, TableSpec};

/// The most partitions of a scenario, all topics together.
pub(crate) const PARTITIONS_MAX: i64 = 100_000;

/// The table.
pub(crate) static TOPIC: TableSpec = TableSpec {
    title: "[[topic]]",
    about: "One topic. `replication.factor` spreads its partitions over all brokers as Kafka does; `replicas` \
            places them by hand. One of the two must be given.",
    keys: &[
        Key { name: "name", kind: Kind::Name, default: Default::Required, about: "Its name; unique." },
        Key {
            name: "partitions",
            kind: Kind::Count { min: 1, max: PARTITIONS_MAX },
            default: Default::Says("1, or as many as `replicas` has lists"),
            about: "How many partitions it has; at most 100000 in all topics together.",
        },
        Key {
            name: "replication.factor",
            kind: Kind::Count { min: 1, max: isrlab_sim::cluster::spec::REPLICAS_MAX as i64 },
            default: Default::Says("as `replicas` says"),
            about: "Replicas of each partition. Leaders go round the brokers in the order of their ids, and the \
                    followers are the brokers after the leader, each round shifted by one.",
        },
        Key {
            name: "replicas",
            kind: Kind::Replicas,
            default: Default::Says("as `replication.factor` says"),
            about: "Broker ids of the replicas, at most 8, the leader first. One list holds for every partition, \
                    with the leader moving on by one from partition to partition; a list of lists gives each \
                    partition its own.",
        },
        Key {
            name: "start",
            kind: Kind::Choice(&["established", "elected"]),
            default: Default::Str("established"),
            about: "What has gone before: `established`: the leader has led for long, and every replica is in the \
                    ISR and caught up at time 0; `elected`: the leader is elected at time 0 with every replica in \
                    the ISR, and remembers what the version remembers.",
        },
        Key {
            name: "min.insync.replicas",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Says("as the brokers have it"),
            about: "The same setting for this topic.",
        },
    ],
    variants: &[],
    rest: None,
};
