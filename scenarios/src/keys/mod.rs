//! The declarations of every table of the format.

mod arrivals;
mod broker;
mod clock;
mod distribution;
mod expect;
mod fault;
mod link;
mod mirror;
mod producer;
mod settings;
mod share_group;
mod step;
mod sweep;
mod top;
mod topic;

pub(crate) use arrivals::ARRIVALS;
pub(crate) use broker::{BROKER, BROKERS_MAX};
pub(crate) use distribution::DISTRIBUTION;
pub(crate) use expect::EXPECT;
pub(crate) use fault::FAULT;
pub(crate) use link::{LINK_DEFAULT, LINK_OVERRIDE, LINKS};
pub(crate) use mirror::{ACTORS_MAX, MIRROR};
pub(crate) use producer::{PRODUCER, PRODUCERS_MAX};
pub(crate) use settings::SETTINGS;
pub(crate) use share_group::SHARE_GROUP;
pub(crate) use step::{MIRROR_STEP, SHARE_STEP};
pub(crate) use sweep::SWEEP;
pub(crate) use top::{TABLES_MAX, TOP};
pub(crate) use topic::{PARTITIONS_MAX, TOPIC};

use crate::key::TableSpec;

/// Every table, in the order of the reference.
pub(crate) const TABLES: [&TableSpec; 17] = [
    &TOP,
    &SETTINGS,
    &BROKER,
    &TOPIC,
    &PRODUCER,
    &ARRIVALS,
    &LINKS,
    &LINK_DEFAULT,
    &LINK_OVERRIDE,
    &DISTRIBUTION,
    &FAULT,
    &MIRROR,
    &MIRROR_STEP,
    &SHARE_GROUP,
    &SHARE_STEP,
    &EXPECT,
    &SWEEP,
];

/// The largest value of a Kafka setting of type INT.
const INT_MAX: i64 = i32::MAX as i64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{Default, KIND, Kind};

    #[test]
    fn declarations_are_whole() {
        for spec in TABLES {
            for (index, key) in spec.all_keys().enumerate() {
                let place = format!("{} {}", spec.title, key.name);
                assert!(key.about.ends_with('.'), "{place}");
                assert_ne!(key.name, KIND, "{place}");
                // The schema says what is required, and it cannot for a name that may be spread
                // over nested tables.
                let required = matches!(key.default, Default::Required);
                assert!(!required || !key.name.contains('.'), "{place}");
                let twice = spec.keys.iter().filter(|other| other.name == key.name).count();
                assert!(twice <= 1 && (index < spec.keys.len() || twice == 0), "{place}");
                let given = match key.default {
                    Default::Int(value) => crate::read::default_int(&key.kind, value).is_some(),
                    Default::Str(text) => crate::read::default_str(&key.kind, text).is_some(),
                    Default::Required | Default::Says(_) => true,
                };
                assert!(given, "{place}: the default is not accepted");
                if let Kind::Table(inner) | Kind::Tables(inner) = key.kind {
                    assert!(TABLES.iter().any(|table| table.title == inner.title), "{place}");
                }
            }
        }
    }
}
