//! `[[broker]]`.

use crate::key::{Default, Key, Kind, LIST_MAX, TableSpec};

/// The most brokers of a scenario.
pub(crate) const BROKERS_MAX: i64 = 1_000;

/// The table.
pub(crate) static BROKER: TableSpec = TableSpec {
    title: "[[broker]]",
    about: "One broker. With `brokers = N` only the brokers that are unlike the others need a table.",
    keys: &[
        Key {
            name: "id",
            kind: Kind::Count { min: 0, max: i32::MAX as i64 },
            default: Default::Required,
            about: "Its id; unique.",
        },
        Key {
            name: "service.time",
            kind: Kind::Distribution,
            default: Default::Str("0s"),
            about: "How long a request handler is busy with one request.",
        },
        Key {
            name: "num.io.threads",
            kind: Kind::Count { min: 1, max: 100_000 },
            default: Default::Int(8),
            about: "Request handlers: how many requests are handled at the same time.",
        },
        Key {
            name: "first.fetch",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "When its fetchers send their first fetch.",
        },
        Key {
            name: "isr.check.phase",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "The ISR check runs at this time plus one period, plus two, and so on.",
        },
        Key {
            name: "isr.check.first",
            kind: Kind::Duration { zero: true },
            default: Default::Says("one period after `isr.check.phase`"),
            about: "When the ISR check first runs; then after each period.",
        },
        Key {
            name: "fetches",
            kind: Kind::List { item: &Kind::Duration { zero: true }, min: 0, max: LIST_MAX },
            default: Default::Says("`first.fetch`, and then each fetch follows the answer to the one before"),
            about: "When fetches of each of its fetchers reach the leader, in rising order, whatever the link                     takes. A time at which the answer to the fetch before is not back yet is passed over; after                     the last one it fetches no more.",
        },
        super::clock::OFFSET,
        super::clock::DRIFT,
    ],
    variants: &[],
    rest: None,
};
