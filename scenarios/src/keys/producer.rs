//! `[[producer]]`.

use super::topic::CODECS;
use super::{ARRIVALS, INT_MAX};
use crate::key::{Default, Key, Kind, TableSpec};

/// The most producers of a scenario, clones counted.
pub(crate) const PRODUCERS_MAX: i64 = 100_000;

/// The table.
pub(crate) static PRODUCER: TableSpec = TableSpec {
    title: "[[producer]]",
    about: "One producer, or `count` clones of it. A request is one batch for one partition.",
    keys: &[
        Key {
            name: "name",
            kind: Kind::Name,
            default: Default::Required,
            about: "Its name; unique. Clones are called `NAME-0`, `NAME-1`, ….",
        },
        Key {
            name: "count",
            kind: Kind::Count { min: 1, max: PRODUCERS_MAX },
            default: Default::Says("one producer, with the name as it stands"),
            about: "How many clones of it there are; each has its own random streams.",
        },
        Key {
            name: "topic",
            kind: Kind::Name,
            default: Default::Says("the only topic"),
            about: "Where it writes.",
        },
        Key {
            name: "partition",
            kind: Kind::Partition,
            default: Default::Str("round-robin"),
            about: "A partition's number: always that one; `round-robin`: each in turn, from 0; `by-clone`: \
                    clone i always to partition i, beginning again at 0 when there are more clones.",
        },
        Key {
            name: "arrivals",
            kind: Kind::Table(&ARRIVALS),
            default: Default::Required,
            about: "When its requests arise.",
        },
        Key {
            name: "records.per.request",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Int(1),
            about: "Records in one request.",
        },
        Key {
            name: "record.bytes",
            kind: Kind::Bytes { min: 1, max: INT_MAX },
            default: Default::Int(100),
            about: "Bytes of one record, everything included.",
        },
        Key {
            name: "acks",
            kind: Kind::Acks,
            default: Default::Int(1),
            about: "Which answer it waits for: 0 none; 1 the leader's append; all the high watermark.",
        },
        Key {
            name: "max.in.flight.requests.per.connection",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: Default::Int(5),
            about: "Requests that may be without an answer on one connection.",
        },
        Key {
            name: "request.timeout.ms",
            kind: Kind::Millis { min: 1, max: INT_MAX },
            default: Default::Str("30s"),
            about: "Without an answer for so long, it disconnects and retries all that was in flight there.",
        },
        Key {
            name: "retries",
            kind: Kind::Count { min: 0, max: INT_MAX },
            default: Default::Int(INT_MAX),
            about: "How often a request is sent again.",
        },
        Key {
            name: "retry.backoff.ms",
            kind: Kind::Millis { min: 1, max: INT_MAX },
            default: Default::Str("100ms"),
            about: "How long it waits before it sends a request again. Kafka allows 0 too; here no time would \
                    pass between two tries.",
        },
        Key {
            name: "delivery.timeout.ms",
            kind: Kind::Millis { min: 1, max: INT_MAX },
            default: Default::Str("2m"),
            about: "A request that is older fails, wherever it is.",
        },
        Key {
            name: "buffer.memory",
            kind: Kind::Bytes { min: 1, max: i64::MAX },
            default: Default::Int(32 * 1024 * 1024),
            about: "Bytes that may wait or be in flight; a request beyond is refused.",
        },
        super::clock::OFFSET,
        super::clock::DRIFT,
        Key {
            name: "timestamp.unit",
            kind: Kind::Choice(&["none", "s", "ms", "us", "ns"]),
            default: Default::Str("ms"),
            about: "The unit of the timestamps that it writes; `none`: it writes −1. Only topics with a policy for \
                    timestamps look at them.",
        },
        Key {
            name: "record.spacing",
            kind: Kind::Duration { zero: true },
            default: Default::Str("0s"),
            about: "Time between one record of a request and the next; the last is made when the request arises.",
        },
        Key {
            name: "compression.type",
            kind: Kind::Choice(CODECS),
            default: Default::Str("none"),
            about: "The codec of its batches. Here it only decides how timestamps are stored.",
        },
    ],
    variants: &[],
    rest: None,
};
