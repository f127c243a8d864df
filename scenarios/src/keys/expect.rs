//! `[[expect]]`.

use isrlab_sim::cluster::spec::REPLICAS_MAX;

use super::topic::{ID, OFFSET, OFFSET_MAX};
use crate::key::{Default, Key, Kind, LIST_MAX, TableSpec};

/// That it holds in all possible runs cannot be seen from some of them.
const SHARE_MAX: f64 = 0.999_999;
const NO: Default = Default::Says("not compared");
const TIMES: Kind = Kind::List { item: &Kind::Duration { zero: true }, min: 0, max: LIST_MAX };

/// The table.
pub(crate) static EXPECT: TableSpec = TableSpec {
    title: "[[expect]]",
    about: "What must hold at the end of a run. It is one check: a `metric` with `equals`, `at.least`, `at.most` \
            or `between`; or the exact times of `shrinks` and `expands`; or the state of a partition, a `mirror` or a `share-group` at the time `when`. In a sweep it speaks of the `cells` that it names. Each has a premise, what must have \
            happened for it to mean anything; `--strict` turns a premise that did not hold into an error. It \
            speaks of a run as long as `duration` says: where `--duration` or `--set duration=` makes another \
            length, what the other length alone can have changed is a premise that did not hold, and no failure.",
    keys: &[
        Key {
            name: "that",
            kind: Kind::Text,
            default: Default::Required,
            about: "The expectation as a sentence.",
        },
        Key {
            name: "under",
            kind: Kind::OneOrList(&Kind::Profile),
            default: Default::Says("all that `compare` lists"),
            about: "The profiles and criteria under which it must hold; each is in `compare`.",
        },
        Key {
            name: "given.fault",
            kind: Kind::OneOrList(&Kind::Name),
            default: Default::Says("no fault"),
            about: "Faults that must have been applied for it to mean anything.",
        },
        Key {
            name: "cells",
            kind: Kind::OneOrList(&Kind::Text),
            default: Default::Says("those in which the cluster is as the scenario has it"),
            about: "Of which cells of a sweep it speaks: `every`, or those that meet each of these conditions, such as \
                    `link.follower.latency <= 20ms` (operators `<`, `<=`, `=`, `!=`, `>=`, `>`, with blanks around them; \
                    the key is one that the sweep varies). One with conditions is not judged in a replay.",
        },
        Key {
            name: "share",
            kind: Kind::Number { min: 0.0, max: SHARE_MAX },
            default: Default::Says("it must hold under each seed"),
            about: "It must hold in at least this share of all possible runs of a cell. It does if the exact \
                    (Clopper–Pearson) lower bound for that share is not below it, does not if the upper bound is \
                    below it, and is inconclusive between: more seeds are needed then.",
        },
        Key {
            name: "confidence",
            kind: Kind::Number { min: 0.5, max: 0.999_999 },
            default: Default::Says("0.95"),
            about: "How sure to be of `share`: each of the two bounds is right with this probability.",
        },
        Key {
            name: "metric",
            kind: Kind::Metric,
            default: Default::Says("`shrinks` or `expands`"),
            about: "The number to compare.",
        },
        Key { name: "equals", kind: Kind::Quantity, default: NO, about: "It is exactly this." },
        Key { name: "at.least", kind: Kind::Quantity, default: NO, about: "It is this or more." },
        Key { name: "at.most", kind: Kind::Quantity, default: NO, about: "It is this or less." },
        Key {
            name: "between",
            kind: Kind::List { item: &Kind::Quantity, min: 2, max: 2 },
            default: NO,
            about: "It is the first or more, and the second or less.",
        },
        Key {
            name: "shrinks",
            kind: TIMES,
            default: NO,
            about: "The times at which the replica left the ISR, all of them; `[]`: it never did.",
        },
        Key {
            name: "expands",
            kind: TIMES,
            default: NO,
            about: "The times at which the replica joined the ISR, all of them; `[]`: it never did.",
        },
        Key {
            name: "within",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "By how much each time may differ.",
        },
        Key {
            name: "when",
            kind: Kind::Duration { zero: true },
            default: NO,
            about: "A time within the run, a multiple of `sample.every`, at which the state of a partition is looked \
                    at, before anything else happens then.",
        },
        Key {
            name: "isr",
            kind: Kind::List { item: &ID, min: 1, max: REPLICAS_MAX },
            default: NO,
            about: "The brokers in the ISR then, in any order.",
        },
        Key { name: "high.watermark", kind: OFFSET, default: NO, about: "The leader's high watermark then." },
        Key {
            name: "log.ends",
            kind: Kind::List { item: &OFFSET, min: 1, max: REPLICAS_MAX },
            default: NO,
            about: "The log end offset of each replica then, in the order of the assignment: what it holds.",
        },
        Key {
            name: "known.log.ends",
            kind: Kind::List { item: &Kind::Count { min: -1, max: OFFSET_MAX }, min: 1, max: REPLICAS_MAX },
            default: NO,
            about: "The same as the leader knows it; -1: no fetch has told it yet.",
        },
        Key {
            name: "mirror",
            kind: Kind::Name,
            default: Default::Says("a partition's state"),
            about: "The mirror whose lag is looked at `when`.",
        },
        Key {
            name: "rule",
            kind: Kind::Choice(&["jira", "jira-corrected", "last-polled", "end-offsets"]),
            default: Default::Says("must be given with `mirror`"),
            about: "By which rule.",
        },
        Key {
            name: "share-group",
            kind: Kind::Name,
            default: Default::Says("a partition's state"),
            about: "The share group whose lag is looked at `when`.",
        },
        Key {
            name: "reported.lag",
            kind: Kind::Known,
            default: NO,
            about: "The lag reported last, in records.",
        },
        Key {
            name: "true.lag",
            kind: OFFSET,
            default: NO,
            about: "Records that are still to be replicated, or still to be delivered.",
        },
        Key {
            name: "lag.then",
            kind: Kind::Known,
            default: NO,
            about: "Of the records that were in the source when the end offset that the rule goes by was read, those \
                    still to be replicated; unknown: it was not read of the topic that is there now.",
        },
        Key {
            name: "leo",
            kind: Kind::Known,
            default: NO,
            about: "The end offset that a mirror's rule goes by; of `last-polled`: the last polled offset.",
        },
        Key {
            name: "lro",
            kind: Kind::Known,
            default: NO,
            about: "The last replicated offset of a mirror's rule.",
        },
        Key {
            name: "end.age",
            kind: Kind::Millis { min: 0, max: crate::key::MILLIS_MAX },
            default: NO,
            about: "Time since the end offset was read that the report goes by, in whole milliseconds.",
        },
        Key {
            name: "start.offset",
            kind: OFFSET,
            default: NO,
            about: "SPSO, as the share-partition leader has it.",
        },
        Key {
            name: "end.offset",
            kind: OFFSET,
            default: NO,
            about: "SPEO, exclusive: one above the last record in flight.",
        },
        Key {
            name: "in.flight",
            kind: Kind::List { item: &OFFSET, min: 0, max: LIST_MAX },
            default: NO,
            about: "The offsets from SPSO on of which the leader knows a state.",
        },
        Key {
            name: "persisted.start.offset",
            kind: Kind::Known,
            default: NO,
            about: "The start offset that the share coordinator has.",
        },
        Key {
            name: "persisted.count",
            kind: Kind::Known,
            default: NO,
            about: "The delivery complete count that the share coordinator has.",
        },
        Key {
            name: "broker",
            kind: Kind::Count { min: 0, max: i32::MAX as i64 },
            default: Default::Says("all replicas: a check that removes two gives two times"),
            about: "The broker of the replica.",
        },
        Key {
            name: "topic",
            kind: Kind::Name,
            default: Default::Says("the only topic"),
            about: "The topic of the replica or the partition; or of the metric, if it is one about timestamps: without it, such a \
                    metric is of all topics.",
        },
        Key {
            name: "partition",
            kind: Kind::Count { min: 0, max: super::topic::PARTITIONS_MAX - 1 },
            default: Default::Says("the only partition"),
            about: "The partition of the replica, or whose state it is.",
        },
    ],
    variants: &[],
    rest: None,
};
