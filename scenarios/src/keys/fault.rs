//! `[[fault]]`.

use crate::key::{Default, Key, Kind, TableSpec, Variant};

const ID: Kind = Kind::Count { min: 0, max: i32::MAX as i64 };

const FOR: Key = Key {
    name: "for",
    kind: Kind::Duration { zero: false },
    default: Default::Required,
    about: "How long it lasts.",
};

const GROUP: Key = Key {
    name: "share-group",
    kind: Kind::Name,
    default: Default::Says("the only share group"),
    about: "Which share group.",
};

const CLIENT_BROKER: Key = Key {
    name: "client.broker",
    kind: ID,
    default: Default::Says("any, unless `client.producer` is given"),
    about: "Only links over which the fetchers of this broker send requests.",
};

const CLIENT_PRODUCER: Key = Key {
    name: "client.producer",
    kind: Kind::Name,
    default: Default::Says("any, unless `client.broker` is given"),
    about: "Only links over which this producer (or this clone) sends requests.",
};

const BROKER: Key = Key {
    name: "broker",
    kind: ID,
    default: Default::Says("any"),
    about: "Only links on which this broker answers.",
};

/// The table.
pub(crate) static FAULT: TableSpec = TableSpec {
    title: "[[fault]]",
    about: "Something that goes wrong or is done to the cluster.",
    keys: &[
        Key {
            name: "name",
            kind: Kind::Name,
            default: Default::Required,
            about: "Its name in reports; unique.",
        },
        Key {
            name: "at",
            kind: Kind::Duration { zero: true },
            default: Default::Required,
            about: "When it first happens; before the end of the run.",
        },
        Key {
            name: "every",
            kind: Kind::Duration { zero: false },
            default: Default::Says("once"),
            about: "It happens again each so long after `at`; longer than it lasts.",
        },
        Key {
            name: "until",
            kind: Kind::Duration { zero: false },
            default: Default::Says("the end of the run"),
            about: "It does not happen at this time or later.",
        },
    ],
    variants: &[
        Variant {
            name: "pause",
            about: "A broker handles nothing, and then everything that came, in order: a garbage collection pause \
                    or a stopped process.",
            keys: &[
                Key { name: "broker", kind: ID, default: Default::Required, about: "Which broker." },
                FOR,
            ],
        },
        Variant {
            name: "link-stall",
            about: "Nothing that is sent over the links arrives before the end; then all of it does, in order.",
            keys: &[CLIENT_BROKER, CLIENT_PRODUCER, BROKER, FOR],
        },
        Variant {
            name: "link-delay",
            about: "Everything that is sent over the links takes longer.",
            keys: &[
                CLIENT_BROKER,
                CLIENT_PRODUCER,
                BROKER,
                FOR,
                Key {
                    name: "extra",
                    kind: Kind::Duration { zero: false },
                    default: Default::Required,
                    about: "How much longer each message takes.",
                },
            ],
        },
        Variant {
            name: "share-write-fails",
            about: "Writes to the share coordinator (`WriteShareGroupState`) that a share-partition leader sends \
                    meanwhile are not applied, and the leader learns that they failed \
                    (`COORDINATOR_NOT_AVAILABLE`).",
            keys: &[GROUP, FOR],
        },
        Variant {
            name: "share-write-answer-lost",
            about: "Such writes are applied, but their answers are lost: the leader takes them for failed.",
            keys: &[GROUP, FOR],
        },
        Variant {
            name: "share-write-late",
            about: "Such writes take longer to the share coordinator, and writes sent after them wait behind them.",
            keys: &[
                GROUP,
                FOR,
                Key {
                    name: "extra",
                    kind: Kind::Duration { zero: false },
                    default: Default::Required,
                    about: "How much longer each write takes.",
                },
            ],
        },
        Variant {
            name: "election",
            about: "The controller moves leadership, or elects the sitting leader again. It takes effect on all \
                    replicas at once, and is not applied while the broker is not in the ISR.",
            keys: &[
                Key {
                    name: "topic",
                    kind: Kind::Name,
                    default: Default::Says("the only topic"),
                    about: "Which topic.",
                },
                Key {
                    name: "partition",
                    kind: Kind::Count { min: 0, max: super::topic::PARTITIONS_MAX - 1 },
                    default: Default::Int(0),
                    about: "Which partition of it.",
                },
                Key {
                    name: "leader",
                    kind: ID,
                    default: Default::Required,
                    about: "The broker that is to lead; one of the partition's replicas.",
                },
            ],
        },
    ],
    rest: None,
};
