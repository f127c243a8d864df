//! How a topic treats timestamps, and which ones a producer writes.

use isrlab_sim::cluster::spec::ProducerTimestamps;
use isrlab_sim::protocol::timestamp::{Compression, TimestampLimits, TimestampPolicy, TimestampRules};

use super::Context;
use super::clock::clock;
use crate::fields::Fields;

const BEFORE: &str = "message.timestamp.before.max.ms";
const AFTER: &str = "message.timestamp.after.max.ms";
const DIFFERENCE: &str = "message.timestamp.difference.max.ms";
const DIFFERENCE_3026: &str = "max.message.time.difference.ms";
const TYPE: &str = "message.timestamp.type";
const RULES: &str = "timestamp.rules";

/// The policy of a topic. `Some(None)`: it has none; none: something is wrong, which has been
/// noted.
pub(super) fn policy(fields: &Fields, context: &mut Context<'_>) -> Option<Option<TimestampPolicy>> {
    if ![TYPE, RULES, BEFORE, AFTER, DIFFERENCE, DIFFERENCE_3026].into_iter().any(|key| fields.has(key)) {
        return Some(None);
    }
    let rules = match fields.has(RULES) {
        true => fields.text(RULES)?.parse::<TimestampRules>().ok()?,
        false => TimestampRules::V2024,
    };
    let mut policy = TimestampPolicy::new(rules);
    if fields.has(TYPE) {
        policy.timestamp_type = fields.text(TYPE)?.parse().ok()?;
    }
    if fields.has("compression.type") {
        policy.compression = fields.text("compression.type")?.parse::<Compression>().ok();
    }
    policy.limits = limits(fields, rules, context)?;
    Some(Some(policy))
}

/// The limits, by the names that the rules have for them.
fn limits(fields: &Fields, rules: TimestampRules, context: &mut Context<'_>) -> Option<TimestampLimits> {
    let known: &[&str] = match rules {
        TimestampRules::Kafka3026 => &[DIFFERENCE_3026],
        TimestampRules::V0_10 => &[DIFFERENCE],
        TimestampRules::V2024 => &[BEFORE, AFTER, DIFFERENCE],
    };
    let both = fields.has(DIFFERENCE) && (fields.has(BEFORE) || fields.has(AFTER));
    for key in [BEFORE, AFTER, DIFFERENCE, DIFFERENCE_3026].into_iter().filter(|key| fields.has(key)) {
        if !known.contains(&key) {
            context
                .problems
                .add(
                    fields.span_of(key),
                    fields.path_of(key),
                    format!("does not go with the timestamp rules \"{}\"", rules.name()),
                )
                .accepted(known.join(", "));
            return None;
        }
        if both && key == DIFFERENCE {
            context
                .problems
                .add(fields.span_of(key), fields.path_of(key), "is given beside a limit before or after")
                .accepted("one limit both ways, or the two of them");
            return None;
        }
    }
    let limit = |key: &str| -> Option<i64> {
        if !fields.has(key) {
            return Some(i64::MAX);
        }
        Some(i64::try_from(fields.duration(key)?.as_millis()).unwrap_or(i64::MAX))
    };
    Some(match (fields.has(DIFFERENCE), fields.has(DIFFERENCE_3026)) {
        (true, _) => TimestampLimits::symmetric(limit(DIFFERENCE)?),
        (_, true) => TimestampLimits::symmetric(limit(DIFFERENCE_3026)?),
        _ => TimestampLimits { before_max: limit(BEFORE)?, after_max: limit(AFTER)? },
    })
}

/// What a producer writes; none: something is wrong, which has been noted.
pub(super) fn written(fields: &Fields) -> Option<ProducerTimestamps> {
    Some(ProducerTimestamps {
        clock: clock(fields)?,
        unit: fields.text("timestamp.unit")?.parse().ok()?,
        spacing: fields.duration("record.spacing")?,
        compression: fields.text("compression.type")?.parse().ok()?,
    })
}
