//! Collects during a run what expectations need.

use isrlab_sim::cluster::{IsrChange, IsrChangeKind, LagSample, Observer, ReplicaSample, Sample};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::Profile;

use super::lag::LagLook;
use super::{Check, WantedState};
use crate::Scenario;

/// How many times beyond those that are expected are kept, to show what came instead.
const TIMES_BEYOND: usize = 8;

/// Collects what a scenario's expectations compare. Its memory does not grow with the run: of
/// each expectation it keeps as many times as are expected and a few more.
#[derive(Clone, Debug, Default)]
pub struct ExpectationObserver {
    /// One for each expectation, in their order; none where nothing is to be collected.
    pub(super) tracks: Vec<Option<Track>>,
    /// The samples that expectations look at, by time, and how many of them are over.
    pub(super) looks: Vec<Look>,
    next_look: usize,
    /// The same of lags.
    pub(super) lag_looks: Vec<LagLook>,
    next_lag_look: usize,
}

/// A sample that one expectation looks at.
#[derive(Clone, Debug)]
pub(super) struct Look {
    at: SimTime,
    partition: usize,
    /// The number of the expectation.
    pub index: usize,
    /// What was seen, once it was.
    pub seen: Option<WantedState>,
}

/// The ISR changes that one expectation looks at.
#[derive(Clone, Debug)]
pub(super) struct Track {
    partition: usize,
    broker: Option<i32>,
    pub shrinks: Times,
    pub expands: Times,
}

/// The first times at which something happened, and how often it did.
#[derive(Clone, Debug)]
pub(super) struct Times {
    kept_max: usize,
    pub kept: Vec<SimTime>,
    pub count: u64,
}

impl ExpectationObserver {
    /// An observer for one run of `scenario` under `profile`.
    pub fn new(scenario: &Scenario, profile: &Profile) -> Self {
        let tracks = scenario.expectations().iter().map(|expectation| match &expectation.check {
            Check::IsrTimes { global_partition, broker, shrinks, expands, .. }
                if expectation.applies_to(profile) =>
            {
                let times = |wanted: &Option<Vec<SimTime>>| Times {
                    kept_max: wanted.as_ref().map_or(0, Vec::len) + TIMES_BEYOND,
                    kept: Vec::new(),
                    count: 0,
                };
                let (shrinks, expands) = (times(shrinks), times(expands));
                Some(Track { partition: *global_partition, broker: *broker, shrinks, expands })
            }
            _ => None,
        });
        let looks = scenario.expectations().iter().enumerate().filter_map(|(index, expectation)| {
            let Check::State { at, global_partition, .. } = expectation.check else { return None };
            let look = Look { at, partition: global_partition, index, seen: None };
            expectation.applies_to(profile).then_some(look)
        });
        let mut looks: Vec<Look> = looks.collect();
        looks.sort_by_key(|look| (look.at, look.partition));
        let applying = scenario.expectations().iter().enumerate();
        let applying = applying.filter(|(_, expectation)| expectation.applies_to(profile));
        let mut lag_looks: Vec<LagLook> =
            applying.filter_map(|(index, expectation)| LagLook::of(index, expectation)).collect();
        lag_looks.sort_by_key(|look| look.at);
        ExpectationObserver { tracks: tracks.collect(), looks, next_look: 0, lag_looks, next_lag_look: 0 }
    }
}

impl Observer for ExpectationObserver {
    fn isr_changed(&mut self, change: &IsrChange) {
        for track in self.tracks.iter_mut().flatten() {
            if track.partition != change.partition {
                continue;
            }
            let times = match change.kind {
                IsrChangeKind::Shrink => &mut track.shrinks,
                IsrChangeKind::Expand => &mut track.expands,
            };
            for replica in &change.replicas {
                if track.broker.is_none_or(|broker| broker == replica.broker) {
                    times.add(change.at);
                }
            }
        }
    }

    fn sampled(&mut self, sample: &Sample<'_>) {
        while let Some(look) = self.looks.get_mut(self.next_look)
            && (look.at, look.partition) <= (sample.at, sample.partition)
        {
            if (look.at, look.partition) == (sample.at, sample.partition) {
                look.seen = Some(seen(sample));
            }
            self.next_look += 1;
        }
    }

    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        while self.lag_looks.get(self.next_lag_look).is_some_and(|look| look.at < sample.at) {
            self.next_lag_look += 1;
        }
        let now = self.lag_looks[self.next_lag_look..].iter_mut().take_while(|look| look.at == sample.at);
        now.for_each(|look| look.take(sample));
    }
}

fn seen(sample: &Sample<'_>) -> WantedState {
    let replicas = sample.replicas;
    let of_each = |what: fn(&ReplicaSample) -> i64| Some(replicas.iter().map(what).collect());
    let mut isr: Vec<i32> =
        replicas.iter().filter(|replica| replica.in_isr).map(|replica| replica.broker).collect();
    isr.sort_unstable();
    WantedState {
        isr: Some(isr),
        high_watermark: Some(sample.high_watermark),
        log_ends: of_each(|replica| replica.leo),
        known_log_ends: of_each(|replica| replica.known_leo),
    }
}

impl Times {
    fn add(&mut self, at: SimTime) {
        self.count += 1;
        if self.kept.len() < self.kept_max {
            self.kept.push(at);
        }
    }
}
