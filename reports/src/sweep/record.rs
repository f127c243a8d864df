//! What is kept of one run: enough for every row that speaks of it.

use crate::judge::{Verdict, VerdictKind};
use crate::simulate::RunStop;
use isrlab_sim::cluster::{METRICS, MetricValue, RunSummary, Violation};
use serde::{Deserialize, Serialize};

/// One run that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Its number within the shard.
    pub run: usize,
    /// What became of it.
    pub outcome: RunOutcome,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunOutcome {
    /// It reached its end.
    Finished {
        /// Virtual time that it covered, nanoseconds.
        duration_ns: u64,
        /// The values of [`METRICS`], in their order.
        metrics: Vec<Option<Number>>,
        /// What became of the expectations, in their order.
        verdicts: Vec<RunVerdict>,
    },
    /// It broke an invariant.
    Violated {
        /// Virtual time of the step, nanoseconds.
        at_ns: u64,
        /// The invariant as a sentence.
        invariant: String,
        /// The number of the event in the run, and the event.
        event: String,
    },
}

/// A metric's value, as exact as it was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Number {
    /// A count.
    #[serde(rename = "c")]
    Count(i64),
    /// Nanoseconds.
    #[serde(rename = "n")]
    Nanos(u64),
    /// Milliseconds.
    #[serde(rename = "m")]
    Millis(i64),
    /// So many in a second, as bits: a JSON number might not come back the same.
    #[serde(rename = "r")]
    PerSecond(u64),
}

impl From<MetricValue> for Number {
    fn from(value: MetricValue) -> Self {
        match value {
            MetricValue::Count(count) => Number::Count(count),
            MetricValue::Nanos(nanos) => Number::Nanos(nanos),
            MetricValue::Millis(millis) => Number::Millis(millis),
            MetricValue::PerSecond(rate) => Number::PerSecond(rate.to_bits()),
        }
    }
}

impl From<Number> for MetricValue {
    fn from(number: Number) -> Self {
        match number {
            Number::Count(count) => MetricValue::Count(count),
            Number::Nanos(nanos) => MetricValue::Nanos(nanos),
            Number::Millis(millis) => MetricValue::Millis(millis),
            Number::PerSecond(bits) => MetricValue::PerSecond(f64::from_bits(bits)),
        }
    }
}

/// What became of one expectation in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunVerdict {
    /// Its number among the `[[expect]]` blocks of the scenario.
    pub index: usize,
    /// What became of it.
    pub kind: VerdictKind,
    /// What came, what was wanted, and the premise.
    pub words: [String; 3],
}

impl RunRecord {
    /// What is kept of a run that ended; none of one that was cut short or never began.
    pub fn of(run: usize, stop: RunStop, verdicts: impl FnOnce(&RunSummary) -> Vec<Verdict>) -> Option<Self> {
        let outcome = match stop {
            RunStop::Finished(summary) => {
                let verdicts = verdicts(&summary);
                finished(&summary, verdicts)
            }
            RunStop::Violated(violation) => violated(&violation),
            RunStop::Interrupted(_) | RunStop::Refused(_) => return None,
        };
        Some(RunRecord { run, outcome })
    }
}

fn finished(summary: &RunSummary, verdicts: Vec<Verdict>) -> RunOutcome {
    let metrics = METRICS.iter().map(|metric| (metric.value)(summary).map(Number::from));
    let verdicts = verdicts.into_iter().map(|verdict| RunVerdict {
        index: verdict.index,
        kind: verdict.kind,
        words: [verdict.got, verdict.wanted, verdict.premise],
    });
    RunOutcome::Finished {
        duration_ns: summary.duration_ns,
        metrics: metrics.collect(),
        verdicts: verdicts.collect(),
    }
}

fn violated(violation: &Violation) -> RunOutcome {
    RunOutcome::Violated {
        at_ns: violation.at.as_nanos(),
        invariant: violation.invariant.to_string(),
        event: format!("event {}: {}", violation.event_number, violation.event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_from_json_as_it_was() {
        let rates = [0.1 + 0.2, 1.0 / 3.0, 7e15 + 0.5, 5e-324];
        let mut metrics: Vec<Option<Number>> =
            rates.iter().map(|rate| Some(MetricValue::PerSecond(*rate).into())).collect();
        metrics.extend([None, Some(Number::Nanos(u64::MAX)), Some(Number::Count(i64::MIN))]);
        let verdict = RunVerdict {
            index: 3,
            kind: VerdictKind::Violated,
            words: ["a \"quoted\"\nline".into(), "日".into(), String::new()],
        };
        let outcome = RunOutcome::Finished { duration_ns: u64::MAX, metrics, verdicts: vec![verdict] };
        let record = RunRecord { run: 17, outcome };
        let text = serde_json::to_string(&record).unwrap();
        assert!(!text.contains('\n'));
        assert_eq!(serde_json::from_str::<RunRecord>(&text).unwrap(), record);
    }
}
