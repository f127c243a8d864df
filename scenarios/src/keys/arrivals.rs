//! `arrivals` of a producer.

use super::INT_MAX;
use crate::key::{Default, Key, Kind, LIST_MAX, TableSpec, Variant};

const UNTIL: Key = Key {
    name: "until",
    kind: Kind::Duration { zero: false },
    default: Default::Says("the end of the run"),
    about: "None arises at this time or later.",
};

/// The table.
pub(crate) static ARRIVALS: TableSpec = TableSpec {
    title: "arrivals",
    about: "When a producer's requests arise.",
    keys: &[],
    variants: &[
        Variant {
            name: "constant",
            about: "One each interval.",
            keys: &[
                Key {
                    name: "interval",
                    kind: Kind::Duration { zero: false },
                    default: Default::Required,
                    about: "Time from one to the next.",
                },
                Key {
                    name: "first",
                    kind: Kind::Duration { zero: true },
                    default: Default::Str("0s"),
                    about: "When the first arises.",
                },
                UNTIL,
            ],
        },
        Variant {
            name: "poisson",
            about: "A Poisson process.",
            keys: &[
                Key {
                    name: "mean",
                    kind: Kind::Duration { zero: false },
                    default: Default::Required,
                    about: "Mean time from one to the next.",
                },
                Key {
                    name: "start",
                    kind: Kind::Duration { zero: true },
                    default: Default::Str("0s"),
                    about: "When the process starts; the first arises one gap later.",
                },
                UNTIL,
            ],
        },
        Variant {
            name: "on-off",
            about: "Bursts: from time 0 on, each cycle has a part with requests and then one without.",
            keys: &[
                Key {
                    name: "on",
                    kind: Kind::Duration { zero: false },
                    default: Default::Required,
                    about: "Length of the part with requests.",
                },
                Key {
                    name: "off",
                    kind: Kind::Duration { zero: true },
                    default: Default::Required,
                    about: "Length of the part without.",
                },
                Key {
                    name: "interval",
                    kind: Kind::Duration { zero: false },
                    default: Default::Required,
                    about: "Time from one to the next.",
                },
                Key {
                    name: "first",
                    kind: Kind::Duration { zero: true },
                    default: Default::Str("0s"),
                    about: "From the begin of each cycle to its first request; below `on`.",
                },
                UNTIL,
            ],
        },
        Variant {
            name: "ramp",
            about: "The rate moves linearly from one value to another, and stays there.",
            keys: &[
                Key {
                    name: "from",
                    kind: RATE,
                    default: Default::Required,
                    about: "Requests per second at the start of the ramp.",
                },
                Key {
                    name: "to",
                    kind: RATE,
                    default: Default::Required,
                    about: "Requests per second at its end, and from then on.",
                },
                Key {
                    name: "over",
                    kind: Kind::Duration { zero: false },
                    default: Default::Required,
                    about: "How long the ramp takes.",
                },
                Key {
                    name: "start",
                    kind: Kind::Duration { zero: true },
                    default: Default::Str("0s"),
                    about: "When it starts.",
                },
                UNTIL,
            ],
        },
        Variant {
            name: "recorded",
            about: "At recorded times: those of a `file`, or `times`.",
            keys: &[
                Key {
                    name: "times",
                    kind: Kind::List { item: &Kind::Duration { zero: true }, min: 1, max: LIST_MAX },
                    default: Default::Says("those in `file`"),
                    about: "When requests arise, in rising order (equal times may follow each other).",
                },
                Key {
                    name: "records",
                    kind: Kind::List { item: &Kind::Count { min: 1, max: INT_MAX }, min: 1, max: LIST_MAX },
                    default: Default::Says("as `records.per.request` says"),
                    about: "How many records the request at each of the `times` has.",
                },
                Key {
                    name: "file",
                    kind: Kind::Text,
                    default: Default::Says("`times`"),
                    about: "A CSV file with a header, relative to the scenario's folder. Column `time_ns`, `time_us`, \
                        `time_ms` or `time_s`: when a request arises, a plain decimal number, in rising order \
                        (equal times may follow each other). Column `records`, optional: how many records it \
                        has, from 1 to 2147483647; empty: as `records.per.request` says. No other columns.",
                },
            ],
        },
    ],
    rest: None,
};

/// One request in 31 years, up to one each nanosecond.
const RATE: Kind = Kind::Number { min: 1e-9, max: 1e9 };
