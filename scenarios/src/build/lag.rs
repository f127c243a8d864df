//! The mirrors and share groups.

use isrlab_sim::cluster::spec::{FirstReading, LagSpec, MirrorSpec, PartitionRef, ShareGroupSpec};
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::protocol::share::{ShareDefects, ShareSettings};

use super::topics::Topics;
use super::{Context, scripts};
use crate::fields::{Datum, Fields};
use crate::keys::ACTORS_MAX;

/// Reads the `[[mirror]]` and `[[share-group]]` tables; none: something is wrong, and that has
/// been noted.
pub(crate) fn lag(
    top: &Fields,
    topics: &Topics,
    watch_interval: SimDuration,
    context: &mut Context<'_>,
) -> Option<LagSpec> {
    let mut sound = true;
    let mut names: Vec<String> = Vec::new();
    let mut mirrors = Vec::new();
    let mut share_groups = Vec::new();
    for fields in top.tables("mirror") {
        sound &= is_new(fields, &mut names, context);
        let mirror = mirror(fields, topics, context);
        sound &= mirror.is_some();
        mirrors.extend(mirror);
    }
    for fields in top.tables("share-group") {
        sound &= is_new(fields, &mut names, context);
        let group = share_group(fields, topics, context);
        sound &= group.is_some();
        share_groups.extend(group);
    }
    sound.then_some(LagSpec { watch_interval, mirrors, share_groups })
}

/// Whether the table's name is its own, and there are not too many.
fn is_new(fields: &Fields, names: &mut Vec<String>, context: &mut Context<'_>) -> bool {
    let Some(name) = fields.text("name") else { return false };
    let mut problem = |message: String, accepted: String| {
        context.problems.add(fields.span_of("name"), fields.path_of("name"), message).accepted(accepted);
        false
    };
    if names.contains(&name) {
        return problem(
            format!("is \"{name}\", which another mirror or share group has"),
            "a unique name".into(),
        );
    }
    if names.len() == ACTORS_MAX {
        return problem("makes too many mirrors and share groups".into(), format!("at most {ACTORS_MAX}"));
    }
    names.push(name);
    true
}

/// The partition that a topic's key and a partition's key name.
fn partition(
    fields: &Fields,
    topic_key: &str,
    partition_key: &str,
    topics: &Topics,
    context: &mut Context<'_>,
) -> Option<PartitionRef> {
    let topic = topics.resolve(fields, topic_key, context)?;
    let number: usize = fields.integer(partition_key)?;
    let partitions = topics.list[topic].partitions.len();
    if number >= partitions {
        context
            .problems
            .add(fields.span_of(partition_key), fields.path_of(partition_key), format!("is {number}"))
            .accepted(format!("0 to {}", partitions - 1));
        return None;
    }
    Some((topic, number))
}

/// Times in rising order.
fn times(fields: &Fields, key: &str, context: &mut Context<'_>) -> Option<Vec<SimTime>> {
    let mut times: Vec<SimTime> = Vec::new();
    let mut sound = true;
    for field in fields.list(key).unwrap_or_default() {
        let Some(Datum::Duration(since)) = field.datum else { return None };
        let at = SimTime::ZERO + since;
        if times.last().is_some_and(|last| *last >= at) {
            context
                .problems
                .add(
                    field.span,
                    fields.path_of(key),
                    format!("{since} is not after the time that precedes it"),
                )
                .accepted("times in rising order");
            sound = false;
        }
        times.push(at);
    }
    sound.then_some(times)
}

/// Times and the offset that goes with each.
fn steps(fields: &Fields, at: &str, to: &str, context: &mut Context<'_>) -> Option<Vec<(SimTime, i64)>> {
    let times = times(fields, at, context)?;
    let mut offsets = Vec::new();
    for field in fields.list(to).unwrap_or_default() {
        let Some(Datum::Integer(offset)) = field.datum else { return None };
        offsets.push(offset);
    }
    if times.len() != offsets.len() {
        let message = format!("has {} offsets, and `{at}` has {} times", offsets.len(), times.len());
        context
            .problems
            .add(fields.span_of(to), fields.path_of(to), message)
            .accepted("one offset for each time");
        return None;
    }
    Some(times.into_iter().zip(offsets).collect())
}

fn mirror(fields: &Fields, topics: &Topics, context: &mut Context<'_>) -> Option<MirrorSpec> {
    let source = partition(fields, "source", "source.partition", topics, context);
    let target = partition(fields, "target", "target.partition", topics, context);
    let restarts = times(fields, "restarts", context);
    let gaps = gaps(fields, context);
    let script = scripts::mirror(fields, context);
    if source.is_some() && source == target {
        context
            .problems
            .add(fields.span_of("target"), fields.path_of("target"), "is what the mirror reads")
            .accepted("another partition than the source");
        return None;
    }
    Some(MirrorSpec {
        name: fields.text("name")?,
        source: source?,
        target: target?,
        source_latency: fields.duration("source.latency")?,
        target_latency: fields.duration("target.latency")?,
        poll_interval: fields.duration("poll.interval")?,
        flush_interval: fields.duration("offset.flush.interval.ms")?,
        sample_interval: fields.duration("replication.record.lag.metric.refresh.interval")?,
        lro_time_to_live: fields.duration("replication.record.lag.metric.last-replicated-offset-ttl"),
        restarts: restarts?,
        source_recreated: fields.time("source.recreated"),
        gap_every: fields.integer("gap.every"),
        gaps: gaps?,
        record_bytes: fields.integer("record.bytes")?,
        script: script?,
    })
}

/// The offsets without a record.
fn gaps(fields: &Fields, context: &mut Context<'_>) -> Option<Vec<i64>> {
    let mut gaps: Vec<i64> = Vec::new();
    for field in fields.list("gaps").unwrap_or_default() {
        let Some(Datum::Integer(offset)) = field.datum else { return None };
        if gaps.last().is_some_and(|last| *last >= offset) {
            let message = format!("{offset} is not above the offset before it");
            let problem = context.problems.add(field.span, fields.path_of("gaps"), message);
            problem.accepted("offsets in rising order");
            return None;
        }
        gaps.push(offset);
    }
    Some(gaps)
}

fn share_group(fields: &Fields, topics: &Topics, context: &mut Context<'_>) -> Option<ShareGroupSpec> {
    let partition = partition(fields, "topic", "partition", topics, context);
    let fail_overs = times(fields, "fail.overs", context);
    let log_starts = steps(fields, "log.start.at", "log.start.to", context);
    let alterations = steps(fields, "alter.at", "alter.to", context);
    let script = scripts::share(fields, context);
    let (interval, gap) = (fields.duration("describe.interval")?, fields.duration("describe.gap")?);
    if gap >= interval {
        let message = format!("is {gap}, and `describe.interval` is {interval}");
        context
            .problems
            .add(fields.span_of("describe.gap"), fields.path_of("describe.gap"), message)
            .accepted("shorter than `describe.interval`");
        return None;
    }
    let defect = fields.text("defect")?;
    Some(ShareGroupSpec {
        name: fields.text("name")?,
        partition: partition?,
        members: fields.integer("members")?,
        fetch_interval: fields.duration("fetch.interval")?,
        max_records: fields.integer("max.poll.records")?,
        process_time: fields.duration("process.time")?,
        release_every: fields.integer("release.every"),
        reject_every: fields.integer("reject.every"),
        forget_every: fields.integer("forget.every"),
        settings: ShareSettings {
            delivery_count_limit: fields.integer("group.share.delivery.count.limit")?,
            max_record_locks: fields.integer("group.share.partition.max.record.locks")?,
            record_lock_duration_ms: fields.duration("group.share.record.lock.duration.ms")?.as_millis()
                as i64,
            defects: ShareDefects {
                start_offset_moves_back: defect == "start-offset-moves-back",
                loses_acquired_at_failover: defect == "loses-acquired",
            },
        },
        write_latency: fields.duration("write.latency")?,
        describe_interval: interval,
        describe_gap: gap,
        written_before_upgrade: fields.integer::<i64>("state.version")? == 0,
        fail_overs: fail_overs?,
        log_starts: log_starts?,
        alterations: alterations?,
        fencing: fields.text("fencing")? == "on",
        first_reading: match fields.text("describe.first")?.as_str() {
            "end-offset" => FirstReading::EndOffset,
            _ => FirstReading::Summary,
        },
        script: script?,
    })
}
