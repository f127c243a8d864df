//! A scenario that was read: everything of it that does not depend on the profile.

use isrlab_sim::cluster::spec::{BrokerSpec, FaultSpec, LagSpec, LinksSpec, ProducerSpec, TopicSpec};
use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::Profile;

use crate::expect::Expectation;
use crate::source::Span;
use crate::sweep::SweepSpec;

/// A scenario without its source.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub title: String,
    pub about: String,
    pub duration: SimDuration,
    pub seed: u64,
    pub sample_every: SimDuration,
    pub compare: Vec<Profile>,
    pub settings: Settings,
    pub brokers: Vec<BrokerSpec>,
    pub topics: Vec<TopicSpec>,
    pub producers: Vec<ProducerSpec>,
    pub links: LinksSpec,
    pub faults: Vec<FaultSpec>,
    pub lag: LagSpec,
    pub expectations: Vec<Expectation>,
    pub sweep: Option<SweepSpec>,
}

/// A value and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<T> {
    pub value: T,
    pub span: Span,
}

/// The settings that the scenario gives itself; the others are the profile's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub replica_lag_time_max: Option<Placed<SimDuration>>,
    pub replica_lag_max_messages: Option<Placed<i64>>,
    pub replica_fetch_wait_max: Option<Placed<SimDuration>>,
    pub replica_fetch_min_bytes: Option<Placed<u64>>,
    pub replica_fetch_max_bytes: Option<Placed<u64>>,
    pub replica_fetch_response_max_bytes: Option<Placed<u64>>,
    pub replica_fetch_backoff: Option<Placed<SimDuration>>,
    pub num_replica_fetchers: Option<Placed<u32>>,
    pub min_insync_replicas: Option<Placed<u32>>,
    pub isr_check_period: Option<Placed<SimDuration>>,
}
