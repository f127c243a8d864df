//! Expectations about a lag at a time.

use isrlab_sim::engine::SimTime;

use super::{Context, World};
use crate::expect::{Check, WantedLag};
use crate::fields::{Datum, Fields};

/// The keys that say whose lag it is.
pub(crate) const ACTORS: [&str; 2] = ["mirror", "share-group"];

/// What a mirror's lag can be asked.
const OF_MIRRORS: [&str; 4] = ["lag.then", "leo", "lro", "rule"];

/// What a share group's lag can be asked.
const OF_GROUPS: [&str; 5] =
    ["start.offset", "end.offset", "in.flight", "persisted.start.offset", "persisted.count"];

/// What either can.
const OF_BOTH: [&str; 3] = ["reported.lag", "true.lag", "end.age"];

/// All keys of such an expectation but those that say whose lag it is.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    OF_MIRRORS.into_iter().chain(OF_GROUPS).chain(OF_BOTH)
}

/// Reads an expectation with `when` and `mirror` or `share-group`; none: it is wrong, which has
/// been noted.
pub(crate) fn lag(
    fields: &Fields,
    at: SimTime,
    world: &World<'_>,
    context: &mut Context<'_>,
) -> Option<Check> {
    let is_mirror = fields.has("mirror");
    let mut problem = |key: &str, message: &str, accepted: String| {
        context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(accepted);
        None
    };
    if is_mirror && fields.has("share-group") {
        return problem("share-group", "is given beside `mirror`", "one of the two".to_owned());
    }
    let (own, others) =
        if is_mirror { (&OF_MIRRORS[..], &OF_GROUPS[..]) } else { (&OF_GROUPS[..], &OF_MIRRORS[..]) };
    let asked: Vec<&str> = OF_BOTH.iter().chain(own).copied().filter(|key| *key != "rule").collect();
    if let Some(stray) = others.iter().find(|key| fields.has(key)) {
        let message = if is_mirror { "does not go with `mirror`" } else { "does not go with `share-group`" };
        return problem(stray, message, asked.join(", "));
    }
    if !asked.iter().any(|key| fields.has(key)) {
        return problem("when", "is given, and nothing is expected of the lag then", asked.join(", "));
    }
    if is_mirror && !fields.has("rule") {
        let accepted = "jira, jira-corrected, last-polled or end-offsets";
        return problem("rule", "is missing", accepted.to_owned());
    }
    if at == SimTime::ZERO {
        let accepted = format!("{}, at which lags are first looked at, or later", world.sample_every);
        return problem("when", "is 0s", accepted);
    }
    let (kind, names) =
        if is_mirror { ("mirror", &world.mirrors) } else { ("share-group", &world.share_groups) };
    let actor = names[world.actor(names, kind, fields, context)?].clone();
    let rule = if is_mirror { Some(fields.text("rule")?) } else { None };
    let integer = |key: &str| -> Option<Option<i64>> {
        if fields.has(key) { Some(Some(fields.integer(key)?)) } else { Some(None) }
    };
    let wanted = WantedLag {
        reported: known(fields, "reported.lag")?,
        truth: integer("true.lag")?,
        then: known(fields, "lag.then")?,
        leo: known(fields, "leo")?,
        lro: known(fields, "lro")?,
        end_age_ms: if fields.has("end.age") {
            Some(Some(fields.duration("end.age")?.as_millis() as i64))
        } else {
            None
        },
        start_offset: integer("start.offset")?,
        end_offset: integer("end.offset")?,
        in_flight: offsets(fields, "in.flight")?,
        persisted_start_offset: known(fields, "persisted.start.offset")?,
        persisted_count: known(fields, "persisted.count")?,
    };
    Some(Check::Lag { actor, rule, at, wanted: Box::new(wanted) })
}

/// A number or "unknown": `Some(None)` when it is not given, and so not compared.
fn known(fields: &Fields, key: &str) -> Option<Option<Option<i64>>> {
    let Some(field) = fields.entries.get(key) else { return Some(None) };
    match field.datum.as_ref()? {
        Datum::Integer(value) => Some(Some(Some(*value))),
        _ => Some(Some(None)),
    }
}

fn offsets(fields: &Fields, key: &str) -> Option<Option<Vec<i64>>> {
    if !fields.has(key) {
        return Some(None);
    }
    let offset = |field: &crate::fields::Field| match field.datum {
        Some(Datum::Integer(value)) => Some(value),
        _ => None,
    };
    Some(Some(fields.list(key)?.iter().map(offset).collect::<Option<_>>()?))
}
