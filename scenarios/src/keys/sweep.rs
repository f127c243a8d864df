//! `[sweep]`.

use crate::key::{Default, Key, Kind, TableSpec};

/// The most keys that a sweep varies.
pub(crate) const AXES_MAX: usize = 8;

/// The table.
pub(crate) static SWEEP: TableSpec = TableSpec {
    title: "[sweep]",
    about: "What `isrlab sweep` varies when the command line does not say; `isrlab replay` passes it over. Every \
            combination of the values is run under everything that is compared, under each seed.",
    keys: &[
        Key {
            name: "vary",
            kind: Kind::List { item: &Kind::Text, min: 1, max: AXES_MAX },
            default: Default::Says("nothing: a sweep over seeds alone"),
            about: "The keys to vary and their values, each as `--vary` takes it: `KEY=V1,V2,…`, where a value may be a \
                    range `FIRST..LAST/COUNT`, evenly spaced, or `FIRST..LAST/COUNT/log`, with equal ratios (rounded to \
                    three digits). The key is one that `--set` takes.",
        },
        Key {
            name: "seeds",
            kind: Kind::Count { min: 1, max: 1_000_000 },
            default: Default::Int(1),
            about: "So many consecutive seeds, from `seed` on.",
        },
    ],
    variants: &[],
    rest: None,
};
