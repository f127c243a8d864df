//! `[[mirror]]`.

use super::{INT_MAX, MIRROR_STEP, PARTITIONS_MAX};
use crate::key::{Default, Key, Kind, TableSpec};

/// The most mirrors, and the most share groups, of a scenario.
pub(crate) const ACTORS_MAX: usize = 1_000;

/// The most of what happens to one of them at given times.
pub(crate) const STEPS_MAX: usize = 10_000;

/// The table.
pub(crate) static MIRROR: TableSpec = TableSpec {
    title: "[[mirror]]",
    about: "A source task of MirrorMaker 2: it reads a partition and writes another. Its replication offset lag is \
            told by four rules side by side.",
    keys: &[
        Key { name: "name", kind: Kind::Name, default: Default::Required, about: "Its name; unique." },
        Key {
            name: "source",
            kind: Kind::Name,
            default: Default::Required,
            about: "The topic that it reads.",
        },
        Key {
            name: "source.partition",
            kind: Kind::Count { min: 0, max: PARTITIONS_MAX - 1 },
            default: Default::Int(0),
            about: "The partition that it reads.",
        },
        Key {
            name: "target",
            kind: Kind::Name,
            default: Default::Required,
            about: "The topic that it writes.",
        },
        Key {
            name: "target.partition",
            kind: Kind::Count { min: 0, max: PARTITIONS_MAX - 1 },
            default: Default::Int(0),
            about: "The partition that it writes.",
        },
        Key {
            name: "source.latency",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "How long a request to the source is under way, and an answer as long.",
        },
        Key {
            name: "target.latency",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "How long a request to the target is under way, and an answer as long.",
        },
        Key {
            name: "poll.interval",
            kind: Kind::Duration { zero: false },
            default: Default::Str("100ms"),
            about: "From the return of a poll to the next one.",
        },
        Key {
            name: "offset.flush.interval.ms",
            kind: Kind::Millis { min: 1, max: INT_MAX },
            default: Default::Str("1m"),
            about: "How often the offsets of the task are flushed; a restart begins there.",
        },
        Key {
            name: "replication.record.lag.metric.refresh.interval",
            kind: Kind::Duration { zero: false },
            default: Default::Str("15s"),
            about: "How often the rule `end-offsets` samples the end offset (KIP-971).",
        },
        Key {
            name: "replication.record.lag.metric.last-replicated-offset-ttl",
            kind: Kind::Duration { zero: false },
            default: Default::Says("for ever, as Kafka has it with -1"),
            about: "After how long the rule `end-offsets` forgets the last replicated offset (KIP-971).",
        },
        Key {
            name: "restarts",
            kind: Kind::List { item: &Kind::Duration { zero: false }, min: 0, max: STEPS_MAX },
            default: Default::Says("never"),
            about: "When the task restarts, in rising order.",
        },
        Key {
            name: "source.recreated",
            kind: Kind::Duration { zero: false },
            default: Default::Says("never"),
            about: "When the source topic is deleted and made again: its offsets start at 0 again.",
        },
        Key {
            name: "gap.every",
            kind: Kind::Count { min: 2, max: INT_MAX },
            default: Default::Says("every offset holds a record"),
            about: "Each so manieth offset of the source holds no record (a transaction marker, a compacted record).",
        },
        Key {
            name: "gaps",
            kind: Kind::List { item: &Kind::Count { min: 0, max: i64::MAX / 2 }, min: 0, max: STEPS_MAX },
            default: Default::Says("none"),
            about: "Further offsets of the source that hold no record, in rising order.",
        },
        Key {
            name: "step",
            kind: Kind::Tables(&MIRROR_STEP),
            default: Default::Says("it goes its own way"),
            about: "A script, one table for each step: then the mirror does these and nothing of its own accord, and \
                    keys about its timing have no effect.",
        },
        Key {
            name: "record.bytes",
            kind: Kind::Bytes { min: 1, max: INT_MAX },
            default: Default::Int(100),
            about: "Bytes of a record in the target.",
        },
    ],
    variants: &[],
    rest: None,
};
