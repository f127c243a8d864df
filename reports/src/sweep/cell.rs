//! The statistics of one cell: in memory that does not grow with its runs.

use super::record::{RunOutcome, RunRecord};
use crate::replay::{ExpectationResult, FirstCase};
use crate::stats::{Moments, Quantiles};
use isrlab_sim::cluster::{METRICS, MetricValue};

/// The values of a run's metrics by name; 0 where there is none.
type Values<'a> = dyn Fn(&str) -> f64 + 'a;

/// Something that happens in a run or does not; over a cell it is a share.
pub struct Event {
    /// Its name among the metrics.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Whether it happened, from the metrics' values.
    happened: fn(&Values<'_>) -> bool,
}

/// The shares, in the order of their rows.
pub const EVENTS: [Event; 5] = [
    Event {
        name: "flapped",
        meaning: "share of runs in which a removed replica came back",
        happened: |metric| metric("isr_flaps") > 0.0,
    },
    Event {
        name: "shrunk",
        meaning: "share of runs in which a replica was removed",
        happened: |metric| metric("isr_shrinks") > 0.0,
    },
    Event {
        name: "under_min_isr",
        meaning: "share of runs with fewer in-sync replicas than `min.insync.replicas` at some time",
        happened: |metric| metric("under_min_isr_ms") > 0.0,
    },
    Event {
        name: "hw_stalled",
        meaning: "share of runs in which the high watermark stood still below the log end for more than a second",
        happened: |metric| metric("hw_stalls") > 0.0,
    },
    Event {
        name: "requests_lost",
        meaning: "share of runs in which a produce request was given up",
        happened: |metric| metric("requests_failed") > 0.0,
    },
];

/// One metric over the runs of a cell.
#[derive(Clone, Debug, Default)]
pub struct MetricStats {
    /// Mean, spread, extremes.
    pub moments: Moments,
    /// Quantiles.
    pub quantiles: Quantiles,
}

/// A cell so far.
pub struct CellStats {
    /// Runs that reached their end.
    pub finished: u64,
    /// Runs that broke an invariant.
    pub violated: u64,
    /// Every metric, in the order of [`METRICS`].
    pub metrics: Vec<MetricStats>,
    /// In how many runs each of [`EVENTS`] happened.
    pub events: [u64; EVENTS.len()],
    /// The expectations that were judged, in the order of the scenario, each with its number.
    pub expectations: Vec<(usize, ExpectationResult)>,
}

impl CellStats {
    /// Nothing yet.
    pub fn new() -> Self {
        CellStats {
            finished: 0,
            violated: 0,
            metrics: METRICS.iter().map(|_| MetricStats::default()).collect(),
            events: [0; EVENTS.len()],
            expectations: Vec::new(),
        }
    }

    /// Takes in a run. `begin` makes the result of an expectation that is seen for the first
    /// time, by its number; `case` tells of this run.
    pub fn add(
        &mut self,
        record: &RunRecord,
        begin: impl Fn(usize, FirstCase) -> ExpectationResult,
        case: impl Fn(&[String; 3]) -> FirstCase,
    ) {
        let RunOutcome::Finished { metrics, verdicts, .. } = &record.outcome else {
            self.violated += 1;
            return;
        };
        self.finished += 1;
        let values: Vec<Option<f64>> =
            metrics.iter().map(|value| value.map(|value| MetricValue::from(value).as_f64())).collect();
        for (stats, value) in self.metrics.iter_mut().zip(&values) {
            if let Some(value) = value {
                stats.moments.add(*value);
                stats.quantiles.add(*value);
            }
        }
        let of = |name: &str| {
            let index = METRICS.iter().position(|metric| metric.name == name);
            index.and_then(|index| values[index]).unwrap_or(0.0)
        };
        for (count, event) in self.events.iter_mut().zip(&EVENTS) {
            *count += u64::from((event.happened)(&of));
        }
        for verdict in verdicts {
            let known = self.expectations.iter().position(|(index, _)| *index == verdict.index);
            let at = known.unwrap_or_else(|| {
                self.expectations.push((verdict.index, begin(verdict.index, case(&verdict.words))));
                self.expectations.len() - 1
            });
            self.expectations[at].1.add(verdict.kind, || case(&verdict.words));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_speak_of_metrics_that_there_are() {
        for event in &EVENTS {
            let asked = |name: &str| {
                assert!(METRICS.iter().any(|metric| metric.name == name), "{name}");
                1.0
            };
            assert!((event.happened)(&asked), "{}", event.name);
            assert!(!(event.happened)(&|_| 0.0), "{}", event.name);
            assert!(METRICS.iter().all(|metric| metric.name != event.name), "{}", event.name);
        }
    }
}
