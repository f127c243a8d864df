//! The brokers' settings: what the scenario gives, over what the profile has.

use isrlab_sim::cluster::spec::{LinkSpec, LinksSpec, ReplicationSettings};
use isrlab_sim::engine::{Distribution, SimDuration};
use isrlab_sim::protocol::Profile;

use crate::diagnostic::Problems;
use crate::fields::Fields;
use crate::model::{Model, Placed, Settings};
use crate::source::Span;

/// The settings that are given.
pub(crate) fn settings(top: &Fields) -> Settings {
    let Some(fields) = top.table("settings") else { return Settings::default() };
    fn placed<T>(fields: &Fields, key: &str, value: Option<T>) -> Option<Placed<T>> {
        value.map(|value| Placed { value, span: fields.span_of(key) })
    }
    let duration = |key: &str| placed(fields, key, fields.duration(key));
    let bytes = |key: &str| placed(fields, key, fields.integer::<u64>(key));
    let count = |key: &str| placed(fields, key, fields.integer::<u32>(key));
    Settings {
        replica_lag_time_max: duration("replica.lag.time.max.ms"),
        replica_lag_max_messages: placed(
            fields,
            "replica.lag.max.messages",
            fields.integer("replica.lag.max.messages"),
        ),
        replica_fetch_wait_max: duration("replica.fetch.wait.max.ms"),
        replica_fetch_min_bytes: bytes("replica.fetch.min.bytes"),
        replica_fetch_max_bytes: bytes("replica.fetch.max.bytes"),
        replica_fetch_response_max_bytes: bytes("replica.fetch.response.max.bytes"),
        replica_fetch_backoff: duration("replica.fetch.backoff.ms"),
        num_replica_fetchers: count("num.replica.fetchers"),
        min_insync_replicas: count("min.insync.replicas"),
        isr_check_period: duration("isr.check.period"),
    }
}

/// All settings under a profile. What Kafka would refuse, and what would let the virtual clock
/// stand still, is noted.
pub(crate) fn replication(model: &Model, profile: &Profile, problems: &mut Problems) -> ReplicationSettings {
    let given = &model.settings;
    let mut all = ReplicationSettings::of_profile(profile);
    fn set<T: Copy>(target: &mut T, given: &Option<Placed<T>>) {
        if let Some(placed) = given {
            *target = placed.value;
        }
    }
    set(&mut all.replica_lag_time_max, &given.replica_lag_time_max);
    set(&mut all.replica_lag_max_messages, &given.replica_lag_max_messages);
    set(&mut all.replica_fetch_wait_max, &given.replica_fetch_wait_max);
    set(&mut all.replica_fetch_min_bytes, &given.replica_fetch_min_bytes);
    set(&mut all.replica_fetch_max_bytes, &given.replica_fetch_max_bytes);
    set(&mut all.replica_fetch_response_max_bytes, &given.replica_fetch_response_max_bytes);
    set(&mut all.replica_fetch_backoff, &given.replica_fetch_backoff);
    set(&mut all.num_replica_fetchers, &given.num_replica_fetchers);
    set(&mut all.min_insync_replicas, &given.min_insync_replicas);
    all.isr_check_period = given.isr_check_period.map(|placed| placed.value);
    check_wait(model, profile, &all, problems);
    check_time_passes(model, &all, problems);
    all
}

fn place<T>(setting: &Option<Placed<T>>) -> Option<Span> {
    setting.as_ref().map(|placed| placed.span)
}

/// Kafka refuses to start with a fetch wait above the lag time.
fn check_wait(model: &Model, profile: &Profile, all: &ReplicationSettings, problems: &mut Problems) {
    let (wait, lag) = (all.replica_fetch_wait_max, all.replica_lag_time_max);
    if wait <= lag {
        return;
    }
    let given = &model.settings;
    let wait_place = place(&given.replica_fetch_wait_max).map(|span| (span, "replica.fetch.wait.max.ms"));
    let lag_place = place(&given.replica_lag_time_max).map(|span| (span, "replica.lag.time.max.ms"));
    // Where both are given, the one that was given last is to blame: a `--set` before the file.
    let Some((span, key)) = wait_place.max(lag_place) else { return };
    let under = match wait_place.and(lag_place) {
        Some(_) => String::new(),
        None => format!(" under {}", profile.name),
    };
    let message = format!(
        "makes replica.fetch.wait.max.ms ({wait}) longer than replica.lag.time.max.ms ({lag}){under}"
    );
    problems
        .add(span, format!("settings.{key}"), message)
        .accepted("a wait of at most the lag time; Kafka refuses to start with more");
}

/// A fetch that is answered at once, over a link without delay, by a broker that takes no time,
/// would go round for ever at one moment.
fn check_time_passes(model: &Model, all: &ReplicationSettings, problems: &mut Problems) {
    let at_once = all.replica_fetch_min_bytes == 0 || all.replica_fetch_wait_max.is_zero();
    let free_broker = model.brokers.iter().any(|broker| is_never(&broker.service_time));
    if !at_once || !free_broker || !has_free_link(&model.links) {
        return;
    }
    let (key, span) = match (place(&model.settings.replica_fetch_min_bytes), all.replica_fetch_min_bytes) {
        (Some(span), 0) => ("replica.fetch.min.bytes", span),
        _ => (
            "replica.fetch.wait.max.ms",
            place(&model.settings.replica_fetch_wait_max).unwrap_or(Span::in_file(0..0)),
        ),
    };
    problems
        .add(
            span,
            format!("settings.{key}"),
            "answers a fetch at once, and neither the followers' links nor the brokers take any time: the \
             fetches would go round for ever without time passing",
        )
        .accepted("1 or more, or else a latency in [link.follower] or a service.time of the brokers");
}

fn has_free_link(links: &LinksSpec) -> bool {
    let free = |link: &LinkSpec| is_never(&link.request_latency) && is_never(&link.response_latency);
    free(&links.follower) || links.overrides.iter().any(|other| free(&other.link))
}

/// Whether a distribution is always 0.
fn is_never(distribution: &Distribution) -> bool {
    match *distribution {
        Distribution::Constant(value) => value.is_zero(),
        Distribution::Uniform { max, .. } => max.is_zero(),
        Distribution::Exponential { mean } => mean == SimDuration::ZERO,
        Distribution::LogNormal { median, .. } => median.is_zero(),
    }
}
