//! The keys outside any table.

use super::{BROKER, EXPECT, FAULT, LINKS, MIRROR, PRODUCER, SETTINGS, SHARE_GROUP, SWEEP, TOPIC};
use crate::key::{Default, Key, Kind, LIST_MAX, TableSpec};

/// The document.
pub(crate) static TOP: TableSpec = TableSpec {
    title: "top level",
    about: "What the scenario is about, how long it runs, and what is compared.",
    keys: &[
        Key {
            name: "title",
            kind: Kind::Text,
            default: Default::Required,
            about: "One line that says what the scenario shows.",
        },
        Key {
            name: "about",
            kind: Kind::Text,
            default: Default::Says("nothing"),
            about: "The story, for a reader who does not know Kafka's code; several lines.",
        },
        Key {
            name: "duration",
            kind: Kind::Duration { zero: false },
            default: Default::Required,
            about: "How long the run is, in virtual time. What happens at this very time still counts.",
        },
        Key {
            name: "seed",
            kind: Kind::Count { min: 0, max: i64::MAX },
            default: Default::Int(1),
            about: "What all random draws depend on.",
        },
        Key {
            name: "compare",
            kind: Kind::OneOrList(&Kind::Profile),
            default: Default::Says("\"pre-4485\", \"post-4485\" and \"equal-leo\""),
            about: "The profiles and criteria to run the scenario under, in this order. A profile, such as \
                    `kafka-2.5`, has the rules and the defaults of a version; a criterion, such as \
                    `post-4485`, has its rules and the defaults of 0.10.2.",
        },
        Key {
            name: "sample.every",
            kind: Kind::Duration { zero: false },
            default: Default::Says(
                "a thousandth of the duration, rounded up to 1, 2 or 5 times a power of ten",
            ),
            about: "How often the timeline is sampled.",
        },
        Key {
            name: "brokers",
            kind: Kind::Count { min: 1, max: super::broker::BROKERS_MAX },
            default: Default::Says("the `[[broker]]` tables"),
            about: "So many brokers, with the ids 1, 2, …; a `[[broker]]` table then changes one of them.",
        },
        Key {
            name: "settings",
            kind: Kind::Table(&SETTINGS),
            default: Default::Says("the defaults of each compared profile"),
            about: "The brokers' settings, the same on all brokers.",
        },
        Key {
            name: "broker",
            kind: Kind::Tables(&BROKER),
            default: Default::Says("as `brokers` says"),
            about: "The brokers, one table each.",
        },
        Key {
            name: "topic",
            kind: Kind::Tables(&TOPIC),
            default: Default::Required,
            about: "The topics, one table each; at least one.",
        },
        Key {
            name: "producer",
            kind: Kind::Tables(&PRODUCER),
            default: Default::Says("nobody produces"),
            about: "The producers, one table each.",
        },
        Key {
            name: "link",
            kind: Kind::Table(&LINKS),
            default: Default::Says("the defaults of `[link.follower]` and `[link.producer]`"),
            about: "The network.",
        },
        Key {
            name: "fault",
            kind: Kind::Tables(&FAULT),
            default: Default::Says("nothing goes wrong"),
            about: "What goes wrong or is done to the cluster, one table each.",
        },
        Key {
            name: "mirror",
            kind: Kind::Tables(&MIRROR),
            default: Default::Says("nothing is mirrored"),
            about: "The source tasks of MirrorMaker 2, one table each.",
        },
        Key {
            name: "share-group",
            kind: Kind::Tables(&SHARE_GROUP),
            default: Default::Says("there is none"),
            about: "The share groups, one table each.",
        },
        Key {
            name: "expect",
            kind: Kind::Tables(&EXPECT),
            default: Default::Says("nothing is expected"),
            about: "What must hold, one table each.",
        },
        Key {
            name: "sweep",
            kind: Kind::Table(&SWEEP),
            default: Default::Says("the command line says it all"),
            about: "What `isrlab sweep` varies.",
        },
    ],
    variants: &[],
    rest: None,
};

/// The most tables in one array of tables.
pub(crate) const TABLES_MAX: usize = LIST_MAX / 100;
