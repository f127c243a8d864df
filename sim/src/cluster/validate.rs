//! What the simulator relies on in a specification.

use super::clock::ClockSpec;
use super::spec::{
    Arrivals, ClusterSpec, EarlierTerms, FaultKind, FaultSpec, LinkEnd, LinkSpec, PartitionStart,
    Partitioner, ProducerSpec, REPLICAS_MAX,
};
use crate::engine::{Distribution, SimDuration, SimTime};
use crate::protocol::ReplicaSet;
use crate::protocol::timestamp::TimestampPolicy;

/// Why a specification makes no cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong, such as `topic 'orders', partition 0`.
    pub place: String,
    /// Why, and what would be accepted.
    pub message: String,
}

impl std::fmt::Display for SpecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for SpecError {}

fn require(
    condition: bool,
    place: impl FnOnce() -> String,
    message: impl FnOnce() -> String,
) -> Result<(), SpecError> {
    if condition { Ok(()) } else { Err(SpecError { place: place(), message: message() }) }
}

/// Checks what the simulator relies on.
pub(super) fn validate(spec: &ClusterSpec) -> Result<(), SpecError> {
    let whole = |duration: SimDuration| duration.as_nanos().is_multiple_of(1_000_000);
    let settings = &spec.replication;
    require(
        !spec.brokers.is_empty(),
        || "brokers".into(),
        || "there is none; at least one is needed".into(),
    )?;
    require(!spec.topics.is_empty(), || "topics".into(), || "there is none; at least one is needed".into())?;
    require(
        whole(settings.replica_lag_time_max) && !settings.replica_lag_time_max.is_zero(),
        || "replica.lag.time.max.ms".into(),
        || format!("{} is not a whole number of milliseconds above 0", settings.replica_lag_time_max),
    )?;
    require(
        settings.isr_check_period.is_none_or(|period| !period.is_zero()),
        || "ISR check period".into(),
        || "it must be above 0".into(),
    )?;
    require(
        settings.num_replica_fetchers >= 1,
        || "num.replica.fetchers".into(),
        || "it must be at least 1".into(),
    )?;
    require(
        settings.min_insync_replicas >= 1,
        || "min.insync.replicas".into(),
        || "it must be at least 1".into(),
    )?;
    for (index, broker) in spec.brokers.iter().enumerate() {
        let place = || format!("broker {}", broker.id);
        require(spec.brokers[..index].iter().all(|other| other.id != broker.id), place, || {
            "its id is taken by another; ids are unique".into()
        })?;
        require(broker.io_threads >= 1, place, || "num.io.threads must be at least 1".into())?;
        valid_distribution(&broker.service_time, place)?;
        let rising = |times: &[SimTime]| times.is_sorted_by(|earlier, later| earlier < later);
        require(broker.fetch_arrivals.as_deref().is_none_or(rising), place, || {
            "its fetches need times in rising order".into()
        })?;
        valid_clock(&broker.clock, place)?;
    }
    for topic in &spec.topics {
        valid_policy(topic.timestamps.as_ref(), || format!("topic '{}'", topic.name))?;
        require(
            !topic.partitions.is_empty(),
            || format!("topic '{}'", topic.name),
            || "it has no partition".into(),
        )?;
        for (number, partition) in topic.partitions.iter().enumerate() {
            let place = || format!("topic '{}', partition {number}", topic.name);
            let replicas = &partition.replicas;
            require((1..=REPLICAS_MAX).contains(&replicas.len()), place, || {
                format!("it has {} replicas; 1 to {REPLICAS_MAX} are possible", replicas.len())
            })?;
            for (index, id) in replicas.iter().enumerate() {
                require(spec.brokers.iter().any(|broker| broker.id == *id), place, || {
                    format!("replica {id} is on no broker; brokers are {:?}", broker_ids(spec))
                })?;
                require(!replicas[..index].contains(id), place, || {
                    format!("broker {id} has two replicas; each is on a broker of its own")
                })?;
            }
            require(partition.min_insync_replicas != Some(0), place, || {
                "min.insync.replicas must be at least 1".into()
            })?;
            if let PartitionStart::ElectedAfter(earlier) = &partition.start {
                validate_earlier(earlier, replicas.len(), place)?;
            }
        }
    }
    validate_time_passes(spec)?;
    for producer in &spec.producers {
        validate_producer(spec, producer)?;
    }
    for fault in &spec.faults {
        validate_fault(spec, fault)?;
    }
    validate_lag(spec)?;
    let links = [&spec.links.follower, &spec.links.producer];
    for link in links.into_iter().chain(spec.links.overrides.iter().map(|over| &over.link)) {
        let place = || "link".to_owned();
        valid_distribution(&link.request_latency, place)?;
        valid_distribution(&link.response_latency, place)?;
        require(link.bandwidth != Some(0), place, || "a bandwidth must be above 0 bytes per second".into())?;
    }
    Ok(())
}

/// What earlier terms left must be a state that a clean election can find.
fn validate_earlier(
    earlier: &EarlierTerms,
    replicas: usize,
    place: impl Fn() -> String,
) -> Result<(), SpecError> {
    let EarlierTerms { isr, log_end_offset, high_watermark, followers } = earlier;
    require(isr.contains(0) && isr.is_subset_of(ReplicaSet::first(replicas)), &place, || {
        "the ISR must contain the leader, and replicas only".into()
    })?;
    require((0..=*log_end_offset).contains(high_watermark), &place, || {
        format!("the high watermark is {high_watermark}; it must be 0 to the log end, {log_end_offset}")
    })?;
    for (slot, follower) in followers.iter().enumerate().take(replicas).skip(1) {
        let lowest = if isr.contains(slot) { *high_watermark } else { 0 };
        require((lowest..=*log_end_offset).contains(&follower.log_end_offset), &place, || {
            format!(
                "replica {slot} ends at {}; it must be {lowest} to {log_end_offset}",
                follower.log_end_offset
            )
        })?;
    }
    Ok(())
}

/// Mirrors and share groups name partitions that exist, and time passes in them.
fn validate_lag(spec: &ClusterSpec) -> Result<(), SpecError> {
    let exists = |(topic, partition): (usize, usize)| {
        spec.topics.get(topic).is_some_and(|topic| partition < topic.partitions.len())
    };
    let watched = !spec.lag.mirrors.is_empty() || !spec.lag.share_groups.is_empty();
    require(
        !watched || !spec.lag.watch_interval.is_zero(),
        || "lag".into(),
        || "the interval at which it is watched must be above 0".into(),
    )?;
    for mirror in &spec.lag.mirrors {
        let place = || format!("mirror '{}'", mirror.name);
        require(exists(mirror.source) && exists(mirror.target), place, || {
            "it names a partition that does not exist".into()
        })?;
        require(mirror.source != mirror.target, place, || "its source and target are the same".into())?;
        let intervals = [mirror.poll_interval, mirror.flush_interval, mirror.sample_interval];
        require(!intervals.iter().any(|interval| interval.is_zero()), place, || {
            "its poll, flush and sample intervals must be above 0".into()
        })?;
        require(mirror.gap_every.is_none_or(|every| every >= 2) && mirror.record_bytes >= 1, place, || {
            "a record must have at least 1 byte, and not every offset can be a gap".into()
        })?;
        let sorted = mirror.gaps.is_sorted() && mirror.script.is_sorted_by_key(|(at, _)| at);
        require(sorted, place, || "its gaps and the steps of its script must be in rising order".into())?;
    }
    for group in &spec.lag.share_groups {
        let place = || format!("share group '{}'", group.name);
        require(exists(group.partition), place, || "it names a partition that does not exist".into())?;
        require(group.members >= 1 && group.max_records >= 1, place, || {
            "it needs a member, and a member must be allowed a record".into()
        })?;
        require(!group.fetch_interval.is_zero() && !group.describe_interval.is_zero(), place, || {
            "its fetch and describe intervals must be above 0".into()
        })?;
        require(group.describe_gap < group.describe_interval, place, || {
            "an answer of the group coordinator must be over before the next".into()
        })?;
        require(group.script.is_sorted_by_key(|(at, _)| at), place, || {
            "the steps of its script must be in rising order".into()
        })?;
        let each = [group.release_every, group.reject_every, group.forget_every];
        let settings = &group.settings;
        let sound = settings.delivery_count_limit >= 1
            && settings.record_lock_duration_ms >= 1
            && !each.contains(&Some(0));
        require(sound, place, || "its limits must be at least 1".into())?;
    }
    Ok(())
}

/// A follower that is answered at once, over a link and by a broker that take no time, would
/// fetch for ever without time going by.
fn validate_time_passes(spec: &ClusterSpec) -> Result<(), SpecError> {
    let zero = |distribution: &Distribution| *distribution == Distribution::Constant(SimDuration::ZERO);
    let settings = &spec.replication;
    let answered_at_once = settings.replica_fetch_min_bytes == 0 || settings.replica_fetch_wait_max.is_zero();
    let takes_no_time = |link: &LinkSpec| zero(&link.request_latency) && zero(&link.response_latency);
    let follower_links = spec.links.overrides.iter().filter(|over| matches!(over.client, LinkEnd::Broker(_)));
    let mut links = follower_links.map(|over| &over.link).chain([&spec.links.follower]);
    let stuck = answered_at_once
        && links.any(takes_no_time)
        && spec.brokers.iter().any(|broker| zero(&broker.service_time));
    require(
        !stuck,
        || "replica.fetch.min.bytes".into(),
        || {
            "a fetch that never waits, over a link without latency, takes no time at all; make \
         replica.fetch.min.bytes and replica.fetch.wait.max.ms at least 1, or give the link a latency"
                .into()
        },
    )
}

fn broker_ids(spec: &ClusterSpec) -> Vec<i32> {
    spec.brokers.iter().map(|broker| broker.id).collect()
}

fn valid_distribution(distribution: &Distribution, place: impl FnOnce() -> String) -> Result<(), SpecError> {
    distribution.validate().map_err(|error| SpecError { place: place(), message: error.to_string() })
}

fn valid_clock(clock: &ClockSpec, place: impl FnOnce() -> String) -> Result<(), SpecError> {
    let drifts = ClockSpec::DRIFT_PPM_MIN..=ClockSpec::DRIFT_PPM_MAX;
    require(drifts.contains(&clock.drift_ppm), place, || {
        format!(
            "its clock drifts by {} ppm; {} to {} are possible",
            clock.drift_ppm,
            drifts.start(),
            drifts.end()
        )
    })
}

fn valid_policy(
    policy: Option<&TimestampPolicy>,
    place: impl FnOnce() -> String + Copy,
) -> Result<(), SpecError> {
    let Some(TimestampPolicy { rules, limits, .. }) = policy else { return Ok(()) };
    require(limits.before_max >= 0 && limits.after_max >= 0, place, || {
        "a limit of timestamps must be 0 or more".into()
    })?;
    require(rules.has_two_limits() || limits.before_max == limits.after_max, place, || {
        format!("the rules {} have one limit for timestamps, both ways", rules.name())
    })
}

fn validate_producer(spec: &ClusterSpec, producer: &ProducerSpec) -> Result<(), SpecError> {
    let place = || format!("producer '{}'", producer.name);
    require(producer.topic < spec.topics.len(), place, || "it names no topic".into())?;
    let partitions = spec.topics[producer.topic].partitions.len();
    if let Partitioner::Partition(partition) = producer.partitioner {
        require(partition < partitions, place, || {
            format!("partition {partition} does not exist; the topic has {partitions}, from 0")
        })?;
    }
    require(producer.records_per_request >= 1, place, || "records per request must be at least 1".into())?;
    require(producer.record_bytes >= 1, place, || "a record must have at least 1 byte".into())?;
    valid_clock(&producer.timestamps.clock, place)?;
    require(producer.max_in_flight >= 1, place, || {
        "max.in.flight.requests.per.connection must be at least 1".into()
    })?;
    require(!producer.request_timeout.is_zero(), place, || "request.timeout.ms must be above 0".into())?;
    require(!producer.retry_backoff.is_zero(), place, || "retry.backoff.ms must be above 0".into())?;
    let (sound, what) = match &producer.arrivals {
        Arrivals::Constant { interval, .. } => (!interval.is_zero(), "an interval above 0"),
        Arrivals::Poisson { mean, .. } => (!mean.is_zero(), "a mean above 0"),
        Arrivals::OnOff { on, first, interval, .. } => (
            !interval.is_zero() && !on.is_zero() && first < on,
            "an interval and an on time above 0, and a first request within it",
        ),
        Arrivals::Ramp { over, from_per_s, to_per_s, .. } => {
            let rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
            (!over.is_zero() && rate(from_per_s) && rate(to_per_s), "rates and a length above 0")
        }
        Arrivals::Recorded { arrivals } => (
            arrivals.is_sorted_by_key(|arrival| arrival.at)
                && arrivals.iter().all(|arrival| arrival.records != Some(0)),
            "times in rising order, with at least one record each",
        ),
    };
    require(sound, place, || format!("its arrivals need {what}"))
}

fn validate_fault(spec: &ClusterSpec, fault: &FaultSpec) -> Result<(), SpecError> {
    let place = || format!("fault '{}'", fault.name);
    let known = |id: i32| spec.brokers.iter().any(|broker| broker.id == id);
    let missing = |id: i32| format!("there is no broker {id}; brokers are {:?}", broker_ids(spec));
    if let Some(every) = fault.every {
        require(
            every > fault.kind.length() || (every == fault.kind.length() && !every.is_zero()),
            place,
            || {
                format!(
                    "it repeats each {every} and lasts {}; it must be over before it repeats",
                    fault.kind.length()
                )
            },
        )?;
    }
    match &fault.kind {
        FaultKind::Pause { broker, .. } => require(known(*broker), place, || missing(*broker)),
        FaultKind::LinkStall { link, .. } | FaultKind::LinkDelay { link, .. } => {
            if let Some(LinkEnd::Broker(id)) = link.client {
                require(known(id), place, || missing(id))?;
            }
            if let Some(LinkEnd::Producer(name)) = &link.client {
                require(spec.producers.iter().any(|producer| producer.name == *name), place, || {
                    format!("there is no producer '{name}'")
                })?;
            }
            require(link.broker.is_none_or(known), place, || missing(link.broker.unwrap_or_default()))
        }
        FaultKind::Election { topic, partition, leader } => {
            let replicas = spec.topics.get(*topic).and_then(|topic| topic.partitions.get(*partition));
            let replicas = replicas.map(|partition| partition.replicas.as_slice()).unwrap_or_default();
            require(replicas.contains(leader), place, || {
                format!("broker {leader} has no replica of that partition; its replicas are {replicas:?}")
            })
        }
        FaultKind::ShareWrites { group, .. } => {
            let groups = spec.lag.share_groups.len();
            require(*group < groups, place, || {
                format!("there is no share group number {group}; there are {groups}")
            })
        }
    }
}
