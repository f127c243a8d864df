//! A distribution of durations, where a plain duration may stand as well.

use crate::key::{Default, Key, Kind, TableSpec, Variant};

const ANY: Kind = Kind::Duration { zero: true };

/// The table.
pub(crate) static DISTRIBUTION: TableSpec = TableSpec {
    title: "a distribution",
    about: "What may stand for a duration that differs from time to time. A plain duration, such as `\"2ms\"`, is \
            a constant one.",
    keys: &[],
    variants: &[
        Variant {
            name: "constant",
            about: "Always the same.",
            keys: &[Key { name: "value", kind: ANY, default: Default::Required, about: "The duration." }],
        },
        Variant {
            name: "uniform",
            about: "Every duration from `min` to `max` is as likely.",
            keys: &[
                Key { name: "min", kind: ANY, default: Default::Str("0s"), about: "The shortest." },
                Key {
                    name: "max",
                    kind: ANY,
                    default: Default::Required,
                    about: "The longest; not below `min`.",
                },
            ],
        },
        Variant {
            name: "exponential",
            about: "Short ones are the most likely, and there is no longest.",
            keys: &[Key { name: "mean", kind: ANY, default: Default::Required, about: "The mean." }],
        },
        Variant {
            name: "log-normal",
            about: "Most are near the median, and a few are far longer, as in real networks.",
            keys: &[
                Key {
                    name: "median",
                    kind: ANY,
                    default: Default::Required,
                    about: "Half of them are longer.",
                },
                Key {
                    name: "sigma",
                    kind: Kind::Number { min: 0.0, max: f64::MAX },
                    default: Default::Required,
                    about: "The standard deviation of the logarithm: with 0.5 one in six is longer than 1.65 \
                            medians, and one in 43 longer than 2.7.",
                },
            ],
        },
    ],
    rest: None,
};
