//! `[[share-group]]`.

use super::mirror::STEPS_MAX;
use super::{INT_MAX, PARTITIONS_MAX, SHARE_STEP};
use crate::key::{Default, Key, Kind, TableSpec};

/// The table.
pub(crate) static SHARE_GROUP: TableSpec = TableSpec {
    title: "[[share-group]]",
    about: "A share group (KIP-932) on one partition, and the lag that the group coordinator answers (KIP-1226).",
    keys: &[
        Key { name: "name", kind: Kind::Name, default: Default::Required, about: "Its name; unique." },
        Key {
            name: "topic",
            kind: Kind::Name,
            default: Default::Says("the only topic"),
            about: "The topic that it reads.",
        },
        Key {
            name: "partition",
            kind: Kind::Count { min: 0, max: PARTITIONS_MAX - 1 },
            default: Default::Int(0),
            about: "The partition that it reads.",
        },
        Key {
            name: "members",
            kind: Kind::Count { min: 1, max: 1_000 },
            default: Default::Int(1),
            about: "How many members it has.",
        },
        Key {
            name: "fetch.interval",
            kind: Kind::Duration { zero: false },
            default: Default::Str("10ms"),
            about: "From a member's acknowledgement, or a fetch that found nothing, to its next fetch.",
        },
        Key {
            name: "max.poll.records",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Int(500),
            about: "Most records that a member acquires at once.",
        },
        Key {
            name: "process.time",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "How long a member works on what it has acquired.",
        },
        Key {
            name: "release.every",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Says("no record"),
            about: "Each so manieth record is released at its first delivery.",
        },
        Key {
            name: "reject.every",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Says("no record"),
            about: "Each so manieth record is rejected.",
        },
        Key {
            name: "forget.every",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Says("no record"),
            about: "Each so manieth record is never acknowledged: its lock expires.",
        },
        Key {
            name: "group.share.delivery.count.limit",
            kind: Kind::Count { min: 1, max: 1_000 },
            default: Default::Int(5),
            about: "After so many deliveries a record is archived.",
        },
        Key {
            name: "group.share.partition.max.record.locks",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Int(200),
            about: "Most records in flight.",
        },
        Key {
            name: "group.share.record.lock.duration.ms",
            kind: Kind::Millis { min: 1, max: INT_MAX },
            default: Default::Str("30s"),
            about: "How long a member may hold a record.",
        },
        Key {
            name: "write.latency",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "How long a write to the share coordinator is under way, and its answer as long.",
        },
        Key {
            name: "describe.interval",
            kind: Kind::Duration { zero: false },
            default: Default::Str("1s"),
            about: "From one answer of the group coordinator to the next.",
        },
        Key {
            name: "describe.gap",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "From its reading of the summary to that of the end offset; shorter than `describe.interval`.",
        },
        Key {
            name: "describe.first",
            kind: Kind::Choice(&["summary", "end-offset"]),
            default: Default::Str("summary"),
            about: "Which of the two is read first. KIP-1226 has the summary; the other way round the lag can be negative.",
        },
        Key {
            name: "fencing",
            kind: Kind::Choice(&["on", "off"]),
            default: Default::Str("on"),
            about: "Whether the share coordinator refuses the writes of leaders of an older epoch or of older state, as Kafka's does.",
        },
        Key {
            name: "state.version",
            kind: Kind::Count { min: 0, max: 1 },
            default: Default::Int(1),
            about: "0: what is persisted at the beginning was written before the delivery complete count existed.",
        },
        Key {
            name: "fail.overs",
            kind: Kind::List { item: &Kind::Duration { zero: false }, min: 0, max: STEPS_MAX },
            default: Default::Says("never"),
            about: "When the share-partition leader fails and another takes over, in rising order.",
        },
        Key {
            name: "log.start.at",
            kind: Kind::List { item: &Kind::Duration { zero: false }, min: 0, max: STEPS_MAX },
            default: Default::Says("never"),
            about: "When the log start moves, in rising order.",
        },
        Key {
            name: "log.start.to",
            kind: Kind::List { item: &Kind::Count { min: 0, max: i64::MAX }, min: 0, max: STEPS_MAX },
            default: Default::Says("nowhere"),
            about: "Where it moves to, one offset for each time.",
        },
        Key {
            name: "alter.at",
            kind: Kind::List { item: &Kind::Duration { zero: false }, min: 0, max: STEPS_MAX },
            default: Default::Says("never"),
            about: "When the group's offset is altered, in rising order.",
        },
        Key {
            name: "alter.to",
            kind: Kind::List { item: &Kind::Count { min: 0, max: i64::MAX }, min: 0, max: STEPS_MAX },
            default: Default::Says("nowhere"),
            about: "What it is altered to, one offset for each time.",
        },
        Key {
            name: "step",
            kind: Kind::Tables(&SHARE_STEP),
            default: Default::Says("it goes its own way"),
            about: "A script, one table for each step: then the group does these and nothing of its own accord, and keys \
                    about its timing have no effect. It has one member.",
        },
        Key {
            name: "defect",
            kind: Kind::Choice(&["none", "start-offset-moves-back", "loses-acquired"]),
            default: Default::Str("none"),
            about: "A defect of Kafka's code of October 2024: `start-offset-moves-back` after the log start has passed acquired records; `loses-acquired` records at a fail-over.",
        },
    ],
    variants: &[],
    rest: None,
};
