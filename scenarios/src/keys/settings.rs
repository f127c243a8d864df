//! `[settings]`: the broker settings that replication depends on, by Kafka's names.

use super::INT_MAX;
use crate::key::{Default, Key, Kind, MILLIS_MAX, TableSpec};

const PROFILE: Default = Default::Says("as the compared profile has it");

/// The most records that a lag can be compared with.
const MESSAGES_MAX: i64 = 1 << 53;

/// The table.
pub(crate) static SETTINGS: TableSpec = TableSpec {
    title: "[settings]",
    about: "The brokers' settings, by Kafka's own names, the same on all brokers. One that is not given is \
            as the compared profile has it, so that versions are compared with their own defaults.",
    keys: &[
        Key {
            name: "replica.lag.time.max.ms",
            kind: Kind::Millis { min: 1, max: MILLIS_MAX },
            default: PROFILE,
            about: "A follower that has not been caught up for longer than this leaves the ISR; at least \
                    `replica.fetch.wait.max.ms`. 10 s up to Kafka 2.4, 30 s from 2.5 on.",
        },
        Key {
            name: "replica.lag.max.messages",
            kind: Kind::Count { min: 0, max: MESSAGES_MAX },
            default: PROFILE,
            about: "A follower that is more records than this behind leaves the ISR; only `max-messages` \
                    (Kafka 0.8.2 and earlier) reads it. 4000.",
        },
        Key {
            name: "replica.fetch.wait.max.ms",
            kind: Kind::Millis { min: 0, max: INT_MAX },
            default: PROFILE,
            about: "How long the leader holds a follower's fetch back while there is too little to send; at \
                    most `replica.lag.time.max.ms`, or Kafka refuses to start. 500 ms.",
        },
        Key {
            name: "replica.fetch.min.bytes",
            kind: Kind::Bytes { min: 0, max: INT_MAX },
            default: PROFILE,
            about: "The least that a fetch is answered with before its wait is over; 0 answers at once. 1.",
        },
        Key {
            name: "replica.fetch.max.bytes",
            kind: Kind::Bytes { min: 0, max: INT_MAX },
            default: PROFILE,
            about: "The most of one partition in one answer; the first record is always sent. 1 MiB.",
        },
        Key {
            name: "replica.fetch.response.max.bytes",
            kind: Kind::Bytes { min: 0, max: INT_MAX },
            default: PROFILE,
            about: "The most of all partitions in one answer. 10 MiB from Kafka 0.10.1 on; no limit before.",
        },
        Key {
            name: "replica.fetch.backoff.ms",
            kind: Kind::Millis { min: 1, max: INT_MAX },
            default: PROFILE,
            about: "How long a fetcher waits after an error. 1 s. It is taken so that a broker's own settings \
                    can be used as they are, and has no effect: nothing here makes a fetch fail.",
        },
        Key {
            name: "num.replica.fetchers",
            kind: Kind::Count { min: 1, max: 1024 },
            default: PROFILE,
            about: "Fetchers from one broker to another; each partition has one of them. 1.",
        },
        Key {
            name: "min.insync.replicas",
            kind: Kind::Count { min: 1, max: INT_MAX },
            default: PROFILE,
            about: "A produce request with acks=all is refused while the ISR is smaller. 1.",
        },
        Key {
            name: "isr.check.period",
            kind: Kind::Duration { zero: false },
            default: Default::Says(
                "as the criterion has it: `replica.lag.time.max.ms`, or half of it from KAFKA-4485 on",
            ),
            about: "How often a broker looks for followers that are out of sync. Not a setting of Kafka's.",
        },
    ],
    variants: &[],
    rest: None,
};
