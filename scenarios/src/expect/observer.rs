//! Collects during a run what expectations need.

use isrlab_sim::cluster::{IsrChange, IsrChangeKind, Observer};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::Profile;

use super::Check;
use crate::Scenario;

/// How many times beyond those that are expected are kept, to show what came instead.
const TIMES_BEYOND: usize = 8;

/// Collects what a scenario's expectations compare. Its memory does not grow with the run: of
/// each expectation it keeps as many times as are expected and a few more.
#[derive(Clone, Debug, Default)]
pub struct ExpectationObserver {
    /// One for each expectation, in their order; none where nothing is to be collected.
    pub(super) tracks: Vec<Option<Track>>,
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
        ExpectationObserver { tracks: tracks.collect() }
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
}

impl Times {
    fn add(&mut self, at: SimTime) {
        self.count += 1;
        if self.kept.len() < self.kept_max {
            self.kept.push(at);
        }
    }
}
