//! What earlier terms left to a leader that is elected at the start: the keys `earlier.…` of a topic.

use isrlab_sim::cluster::spec::{EarlierFollower, EarlierTerms, PartitionStart, REPLICAS_MAX};
use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::ReplicaSet;

use super::Context;
use crate::fields::{Datum, Fields};

const KEYS: [&str; 5] = [
    "earlier.isr",
    "earlier.log.ends",
    "earlier.high.watermark",
    "earlier.caught.up.before",
    "earlier.fetched.at.log.ends",
];

/// How a topic's partitions start; none: the keys are wrong, which has been noted.
pub(crate) fn start(
    fields: &Fields,
    partitions: &[Vec<i32>],
    context: &mut Context<'_>,
) -> Option<PartitionStart> {
    let elected = fields.text("start")? == "elected";
    let Some(given) = KEYS.into_iter().find(|key| fields.has(key)) else {
        return Some(if elected { PartitionStart::Elected } else { PartitionStart::Established });
    };
    match partitions {
        [replicas] if elected => {
            earlier(fields, replicas, context).map(|terms| PartitionStart::ElectedAfter(Box::new(terms)))
        }
        _ => refuse(fields, given, "is given", "`start = \"elected\"` and one partition", context),
    }
}

fn refuse<T>(
    fields: &Fields,
    key: &str,
    message: impl Into<String>,
    accepted: impl Into<String>,
    context: &mut Context<'_>,
) -> Option<T> {
    context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(accepted);
    None
}

fn earlier(fields: &Fields, replicas: &[i32], context: &mut Context<'_>) -> Option<EarlierTerms> {
    let count = replicas.len();
    let isr = isr(fields, replicas, context)?;
    let log_ends = numbers(fields, "earlier.log.ends", count, 0, context)?;
    let fetched_at = numbers(fields, "earlier.fetched.at.log.ends", count - 1, -1, context)?;
    let caught_up = caught_up(fields, count - 1, context)?;
    let lowest = isr.iter().map(|slot| log_ends[slot]).min()?;
    let high_watermark = match fields.has("earlier.high.watermark") {
        true => fields.integer("earlier.high.watermark")?,
        false => lowest,
    };
    if log_ends.iter().any(|&end| end > log_ends[0]) {
        let accepted = "no log end above the first, the leader's";
        return refuse(
            fields,
            "earlier.log.ends",
            "has a replica with more than the leader",
            accepted,
            context,
        );
    }
    if high_watermark > lowest {
        let message = format!("is {high_watermark}, and a member of the ISR ends at {lowest}");
        let accepted = "at most what each member of the ISR holds";
        return refuse(fields, "earlier.high.watermark", message, accepted, context);
    }
    let mut followers = [EarlierFollower::default(); REPLICAS_MAX];
    for slot in 1..count {
        followers[slot] = EarlierFollower {
            log_end_offset: log_ends[slot],
            caught_up_before: caught_up[slot - 1],
            fetched_at_log_end: Some(fetched_at[slot - 1]).filter(|&offset| offset >= 0),
        };
    }
    Some(EarlierTerms { isr, log_end_offset: log_ends[0], high_watermark, followers })
}

fn isr(fields: &Fields, replicas: &[i32], context: &mut Context<'_>) -> Option<ReplicaSet> {
    let key = "earlier.isr";
    if !fields.has(key) {
        return Some(ReplicaSet::first(replicas.len()));
    }
    let mut isr = ReplicaSet::EMPTY;
    for field in fields.list(key)? {
        let Some(Datum::Integer(id)) = field.datum else { return None };
        match replicas.iter().position(|&replica| i64::from(replica) == id) {
            Some(slot) => isr.insert(slot),
            None => return refuse(fields, key, format!("names {id}"), "brokers with a replica", context),
        }
    }
    if !isr.contains(0) {
        return refuse(fields, key, "lacks the leader", format!("{} among them", replicas[0]), context);
    }
    Some(isr)
}

/// So many integers, or the default for each.
fn numbers(
    fields: &Fields,
    key: &str,
    count: usize,
    default: i64,
    context: &mut Context<'_>,
) -> Option<Vec<i64>> {
    if !fields.has(key) {
        return Some(vec![default; count]);
    }
    let list = fields.list(key)?;
    if list.len() != count {
        return refuse(fields, key, format!("has {} elements", list.len()), count.to_string(), context);
    }
    let integer = |field: &crate::fields::Field| match field.datum {
        Some(Datum::Integer(value)) => Some(value),
        _ => None,
    };
    list.iter().map(integer).collect()
}

fn caught_up(fields: &Fields, count: usize, context: &mut Context<'_>) -> Option<Vec<SimDuration>> {
    let key = "earlier.caught.up.before";
    if !fields.has(key) {
        return Some(vec![SimDuration::ZERO; count]);
    }
    let list = fields.list(key)?;
    if list.len() != count {
        return refuse(fields, key, format!("has {} elements", list.len()), count.to_string(), context);
    }
    let mut durations = Vec::new();
    for field in list {
        let Some(Datum::Duration(duration)) = field.datum else { return None };
        if !duration.as_nanos().is_multiple_of(1_000_000) {
            return refuse(fields, key, format!("has {duration}"), "whole milliseconds", context);
        }
        durations.push(duration);
    }
    Some(durations)
}
