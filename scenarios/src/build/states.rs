//! Expectations about the state of a partition at a time.

use isrlab_sim::engine::SimTime;

use super::{Context, World, lag_states};
use crate::expect::{Check, WantedState};
use crate::fields::{Datum, Fields};

/// The keys that say what the state is.
pub(crate) const KEYS: [&str; 4] = ["isr", "high.watermark", "log.ends", "known.log.ends"];

/// Reads an expectation with `when`; none: it is wrong, which has been noted.
pub(crate) fn state(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<Check> {
    let at: SimTime = fields.time("when")?;
    let mut problem = |key: &str, message: String, accepted: String| {
        context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(accepted);
    };
    let of_lag = lag_states::ACTORS.into_iter().find(|key| fields.has(key));
    if let Some(key) = of_lag
        && let Some(stray) = KEYS.into_iter().chain(["topic", "partition"]).find(|stray| fields.has(stray))
    {
        problem(
            stray,
            format!("does not go with `{key}`"),
            lag_states::keys().collect::<Vec<_>>().join(", "),
        );
        return None;
    }
    if of_lag.is_none()
        && let Some(stray) = lag_states::keys().find(|key| fields.has(key))
    {
        problem(stray, "is given without `mirror` or `share-group`".to_owned(), "one of the two".to_owned());
        return None;
    }
    if of_lag.is_none() && !KEYS.into_iter().any(|key| fields.has(key)) {
        problem("when", "is given, and nothing is expected then".to_owned(), KEYS.join(", "));
        return None;
    }
    let since = at - SimTime::ZERO;
    if since > world.end {
        problem(
            "when",
            format!("{since} is after the end of the run at {}", world.end),
            "a time within the run".to_owned(),
        );
        return None;
    }
    if !since.as_nanos().is_multiple_of(world.sample_every.as_nanos()) {
        let accepted = format!("a multiple of sample.every, {}", world.sample_every);
        problem("when", format!("is {since}, at which no sample is taken"), accepted);
        return None;
    }
    if of_lag.is_some() {
        return lag_states::lag(fields, at, world, context);
    }
    let topic = world.topics.resolve(fields, "topic", context)?;
    let partition = if fields.has("partition") { fields.integer("partition")? } else { 0 };
    let partition = world.topics.check_partition(topic, partition, fields, context)?;
    let replicas = world.topics.list[topic].partitions[partition].replicas.len();
    let wanted = WantedState {
        isr: match fields.has("isr") {
            false => None,
            true => {
                let mut ids: Vec<i32> =
                    integers(fields, "isr")?.into_iter().filter_map(|id| i32::try_from(id).ok()).collect();
                ids.sort_unstable();
                Some(ids)
            }
        },
        high_watermark: match fields.has("high.watermark") {
            false => None,
            true => Some(fields.integer("high.watermark")?),
        },
        log_ends: of_each("log.ends", replicas, fields, context)?,
        known_log_ends: of_each("known.log.ends", replicas, fields, context)?,
    };
    Some(Check::State {
        topic: world.topics.list[topic].name.clone(),
        partition,
        global_partition: world.topics.global_partition(topic, partition),
        at,
        wanted,
    })
}

fn integers(fields: &Fields, key: &str) -> Option<Vec<i64>> {
    let integer = |field: &crate::fields::Field| match field.datum {
        Some(Datum::Integer(value)) => Some(value),
        _ => None,
    };
    fields.list(key)?.iter().map(integer).collect()
}

/// An offset of each replica: `Some(None)` when the key is not given.
fn of_each(
    key: &str,
    replicas: usize,
    fields: &Fields,
    context: &mut Context<'_>,
) -> Option<Option<Vec<i64>>> {
    if !fields.has(key) {
        return Some(None);
    }
    let offsets = integers(fields, key)?;
    if offsets.len() != replicas {
        let message = format!("has {} elements", offsets.len());
        let accepted = format!("an offset for each of the {replicas} replicas");
        context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(accepted);
        return None;
    }
    Some(Some(offsets))
}
