//! `[[topic]]`.

use isrlab_sim::cluster::spec::REPLICAS_MAX;

use super::INT_MAX;
use crate::key::{Default, Key, Kind, TableSpec};

/// The most partitions of a scenario, all topics together.
pub(crate) const PARTITIONS_MAX: i64 = 100_000;

/// The id of a broker.
pub(super) const ID: Kind = Kind::Count { min: 0, max: i32::MAX as i64 };

/// The largest offset that a scenario can speak of.
pub(super) const OFFSET_MAX: i64 = 1 << 53;

/// An offset.
pub(super) const OFFSET: Kind = Kind::Count { min: 0, max: OFFSET_MAX };
/// The codecs there are.
pub(super) const CODECS: &[&str] = &["none", "gzip", "snappy", "lz4", "zstd"];

/// A limit of timestamps: Kafka's LONG.
const LIMIT: Kind = Kind::Millis { min: 0, max: i64::MAX };

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
            name: "earlier.isr",
            kind: Kind::List { item: &ID, min: 1, max: REPLICAS_MAX },
            default: Default::Says("all replicas"),
            about: "With `start = \"elected\"` and one partition: the brokers of the ISR that the leader is elected \
                    with.",
        },
        Key {
            name: "earlier.log.ends",
            kind: Kind::List { item: &OFFSET, min: 1, max: REPLICAS_MAX },
            default: Default::Says("all logs are empty"),
            about: "Likewise: the log end offset of each replica, in the order of `replicas`; none above the \
                    leader's. These records have 1 byte each.",
        },
        Key {
            name: "earlier.high.watermark",
            kind: OFFSET,
            default: Default::Says("the lowest log end in the ISR"),
            about: "Likewise: the new leader's high watermark; no member's log ends below it.",
        },
        Key {
            name: "earlier.caught.up.before",
            kind: Kind::List { item: &Kind::Duration { zero: true }, min: 1, max: REPLICAS_MAX },
            default: Default::Says("0 s"),
            about: "Likewise: for each follower, in the order of `replicas`, how long before the start it was last \
                    caught up, as the leader remembers it from an earlier term of its own, in whole milliseconds. \
                    Most versions forget it.",
        },
        Key {
            name: "earlier.fetched.at.log.ends",
            kind: Kind::List { item: &Kind::Count { min: -1, max: OFFSET_MAX }, min: 1, max: REPLICAS_MAX },
            default: Default::Says("unknown"),
            about: "Likewise: for each follower the leader's log end offset at its last fetch from it in an earlier \
                    term; -1: unknown. Most versions forget it.",
        },
        Key {
            name: "min.insync.replicas",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Says("as the brokers have it"),
            about: "The same setting for this topic.",
        },
        Key {
            name: "message.timestamp.type",
            kind: Kind::Choice(&["CreateTime", "LogAppendTime"]),
            default: Default::Says(
                "CreateTime if another of the keys about timestamps is given, else none are looked at",
            ),
            about: "Whose clock a record's time is from: its producer's, or the leader's, which is written over it.",
        },
        Key {
            name: "timestamp.rules",
            kind: Kind::Choice(&["kafka-3026", "0.10", "2024"]),
            default: Default::Says("2024 if another of the keys about timestamps is given"),
            about: "Whose rules: the text of KAFKA-3026, Kafka 0.10 with message format 1, or Kafka as of 2024. \
                    Not a setting of Kafka's.",
        },
        Key {
            name: "message.timestamp.difference.max.ms",
            kind: LIMIT,
            default: Default::Says("no limit"),
            about: "How far a CreateTime may be from the leader's clock, either way; rules `0.10` and, as Kafka had \
                    it until 4.0, `2024`.",
        },
        Key {
            name: "max.message.time.difference.ms",
            kind: LIMIT,
            default: Default::Says("no limit"),
            about: "The same as KAFKA-3026 calls it; rules `kafka-3026`.",
        },
        Key {
            name: "message.timestamp.before.max.ms",
            kind: LIMIT,
            default: Default::Says("no limit"),
            about: "How far a CreateTime may be before the leader's clock (Kafka 3.6); rules `2024`.",
        },
        Key {
            name: "message.timestamp.after.max.ms",
            kind: LIMIT,
            default: Default::Says("no limit; in Kafka an hour from 4.0 on"),
            about: "How far a CreateTime may be after the leader's clock (Kafka 3.6); rules `2024`.",
        },
        Key {
            name: "compression.type",
            kind: Kind::Choice(&["producer", "none", "gzip", "snappy", "lz4", "zstd"]),
            default: Default::Says("the producer's"),
            about: "The codec that batches are stored with; another one than the producer's makes the leader rebuild \
                    them. Here it only decides how timestamps are stored.",
        },
    ],
    variants: &[],
    rest: None,
};
