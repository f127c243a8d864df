//! The numbers of a run by name: one table for expectations, `summary.csv` and the documentation.
//!
//! A name ends in its unit where it has one (`_ms`, `_per_s`, `_records`, `_bytes`); without one it
//! counts something.

mod lag;

use std::fmt;

use super::summary::{LatencyQuantiles, RunSummary};
use crate::engine::SimTime;

/// What a metric is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// How many of something; a whole number.
    Count,
    /// Milliseconds of virtual time, exact to the nanosecond.
    Milliseconds,
    /// So many in a second of virtual time.
    PerSecond,
}

impl Unit {
    /// `count`, `ms` or `1/s`.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Count => "count",
            Unit::Milliseconds => "ms",
            Unit::PerSecond => "1/s",
        }
    }
}

/// The value of a metric in one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricValue {
    /// Of a metric in [`Unit::Count`].
    Count(i64),
    /// Nanoseconds, of a metric in [`Unit::Milliseconds`].
    Nanos(u64),
    /// Whole milliseconds, of a metric in [`Unit::Milliseconds`] that may be longer than any run.
    Millis(i64),
    /// Of a metric in [`Unit::PerSecond`]; finite.
    PerSecond(f64),
}

impl MetricValue {
    /// The number in the metric's unit, for statistics and plots. Counts and nanoseconds above
    /// 2^53 lose their last digits.
    pub fn as_f64(self) -> f64 {
        match self {
            MetricValue::Count(count) => count as f64,
            MetricValue::Nanos(nanos) => nanos as f64 / 1e6,
            MetricValue::Millis(millis) => millis as f64,
            MetricValue::PerSecond(rate) => rate,
        }
    }
}

/// The number in the metric's unit: a whole number; milliseconds with as many decimals as the
/// nanoseconds need; a rate with three decimals.
impl fmt::Display for MetricValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MetricValue::Count(count) | MetricValue::Millis(count) => fmt::Display::fmt(&count, f),
            MetricValue::Nanos(nanos) => {
                let (whole, part) = (nanos / 1_000_000, nanos % 1_000_000);
                if part == 0 {
                    return f.pad(&whole.to_string());
                }
                let decimals = format!("{part:06}");
                f.pad(&format!("{whole}.{}", decimals.trim_end_matches('0')))
            }
            MetricValue::PerSecond(rate) => f.pad(&format!("{rate:.3}")),
        }
    }
}

/// What must have happened in a run for a metric to say anything: a check that had nothing to
/// check proves nothing.
#[derive(Clone, Copy, Debug)]
pub struct Premise {
    /// The premise as a sentence without a full stop.
    pub sentence: &'static str,
    /// Whether it held.
    pub holds: fn(&RunSummary) -> bool,
}

impl Premise {
    /// The run handled events at all.
    pub const RAN: Premise =
        Premise { sentence: "the run handled events", holds: |summary| summary.events > 0 };
    /// A run of the ISR check had a follower to judge.
    pub const ISR_CHECKED: Premise = Premise {
        sentence: "the ISR check found a follower in the ISR to look at",
        holds: |summary| summary.exercised.isr_checks > 0,
    };
    /// A replica outside the ISR asked to be let in.
    pub const JOIN_ATTEMPTED: Premise = Premise {
        sentence: "a replica outside the ISR fetched",
        holds: |summary| summary.exercised.join_attempts > 0,
    };
    /// A producer had something to send.
    pub const REQUESTED: Premise =
        Premise { sentence: "a request arose at a producer", holds: |summary| summary.requests > 0 };
    /// A producer had an answer.
    pub const ACKNOWLEDGED: Premise = Premise {
        sentence: "a request was answered without an error",
        holds: |summary| summary.requests_acked > 0,
    };
    /// Something was written.
    pub const APPENDED: Premise =
        Premise { sentence: "a leader appended a record", holds: |summary| summary.records_appended > 0 };
    /// A leader judged or overwrote timestamps.
    pub const STAMPED: Premise = Premise {
        sentence: "a leader looked at the timestamps of a batch",
        holds: |summary| summary.timestamps.batches_accepted + summary.timestamps.batches_rejected > 0,
    };
    /// A batch with timestamps was stored.
    pub const STAMPED_STORED: Premise = Premise {
        sentence: "a leader stored a batch with timestamps",
        holds: |summary| summary.timestamps.batches_accepted > 0,
    };
    /// The lag of a mirror was looked at.
    pub const MIRRORED: Premise = Premise {
        sentence: "the lag of a mirror was looked at",
        holds: |summary| summary.lag.mirror[0].samples > 0,
    };
    /// The lag of a share group was looked at.
    pub const SHARED: Premise = Premise {
        sentence: "the lag of a share group was looked at",
        holds: |summary| summary.lag.share.samples > 0,
    };
    /// The lag of a mirror or share group was looked at.
    pub const LAG: Premise = Premise {
        sentence: "the lag of a mirror or share group was looked at",
        holds: |summary| summary.lag.mirror[0].samples + summary.lag.share.samples > 0,
    };
    /// A follower fetched.
    pub const FETCHED: Premise =
        Premise { sentence: "a leader handled a fetch", holds: |summary| summary.fetches > 0 };
}

/// A number that a run comes to.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name in scenarios and as a column of `summary.csv`.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// What it counts or measures, as a sentence.
    pub doc: &'static str,
    /// When it says anything.
    pub premise: Premise,
    /// Whether it can be asked of one topic alone.
    pub per_topic: bool,
    /// Reads it from a run; none: it has no value in that run (the time of what never happened).
    pub value: fn(&RunSummary) -> Option<MetricValue>,
}

impl Metric {
    /// The metric of that name.
    pub fn find(name: &str) -> Option<&'static Metric> {
        METRICS.iter().find(|metric| metric.name == name)
    }

    /// Whether its value can only grow as a run goes on: true of counts, of sums of time and of
    /// the largest of something.
    pub fn only_grows(&self) -> bool {
        let is_quantile = self.name.starts_with("produce_latency_") && self.name != "produce_latency_max_ms";
        let is_lag =
            self.name.contains("_lag") && (self.name.ends_with("_last") || self.name.ends_with("_min"));
        self.unit != Unit::PerSecond && !is_quantile && !is_lag && self.name != "isr_shrink_first_ms"
    }
}

const fn metric(
    name: &'static str,
    unit: Unit,
    premise: Premise,
    value: fn(&RunSummary) -> Option<MetricValue>,
    doc: &'static str,
) -> Metric {
    Metric { name, unit, doc, premise, per_topic: false, value }
}

/// A number about timestamps, of one topic or of all.
const fn of_topic(metric: Metric) -> Metric {
    Metric { per_topic: true, ..metric }
}

fn count(value: u64) -> Option<MetricValue> {
    Some(MetricValue::Count(i64::try_from(value).unwrap_or(i64::MAX)))
}

fn nanos(value: u64) -> Option<MetricValue> {
    Some(MetricValue::Nanos(value))
}

fn millis(value: i64) -> Option<MetricValue> {
    Some(MetricValue::Millis(value))
}

fn time(value: Option<SimTime>) -> Option<MetricValue> {
    value.map(|at| MetricValue::Nanos(at.as_nanos()))
}

/// `value` for each second of the run; none for a run of no length.
fn per_second(value: u64, summary: &RunSummary) -> Option<MetricValue> {
    let seconds = summary.duration_ns as f64 / 1e9;
    (summary.duration_ns > 0).then(|| MetricValue::PerSecond(value as f64 / seconds))
}

/// A quantile of the produce latency; none without an observation.
fn latency(summary: &RunSummary, of: fn(&LatencyQuantiles) -> u64) -> Option<MetricValue> {
    let quantiles = &summary.produce_latency;
    (quantiles.count > 0).then(|| MetricValue::Nanos(of(quantiles)))
}

/// Every metric, in the order of the columns of `summary.csv`.
pub const METRICS: &[Metric] =
    &joined::<{ GENERAL.len() + lag::METRICS.len() + EVENTS.len() }>(&[GENERAL, lag::METRICS, EVENTS]);

/// One table of several.
const fn joined<const N: usize>(tables: &[&[Metric]]) -> [Metric; N] {
    let mut all = [EVENTS[0]; N];
    let (mut table, mut at) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[at] = tables[table][row];
            (row, at) = (row + 1, at + 1);
        }
        table += 1;
    }
    assert!(at == N, "every place has a metric");
    all
}

const EVENTS: &[Metric] =
    &[metric("events", Unit::Count, Premise::RAN, |s| count(s.events), "Events that the simulator handled.")];

#[rustfmt::skip]
const GENERAL: &[Metric] = {
    use Unit::{Count, Milliseconds as Ms, PerSecond};
    type P = Premise;
    &[
        metric("isr_shrinks", Count, P::ISR_CHECKED, |s| count(s.isr_shrinks),
            "Replicas removed from an ISR; a check that removes two counts two (`IsrShrinksPerSec`)."),
        metric("isr_expands", Count, P::ISR_CHECKED, |s| count(s.isr_expands),
            "Replicas that joined an ISR (`IsrExpandsPerSec`)."),
        metric("isr_flaps", Count, P::ISR_CHECKED, |s| count(s.flaps),
            "Removed replicas that came back."),
        metric("isr_shrink_first_ms", Ms, P::ISR_CHECKED, |s| time(s.first_shrink),
            "When the first replica was removed; no value if none was."),
        metric("isr_change_last_ms", Ms, P::ISR_CHECKED, |s| time(s.last_isr_change),
            "When a replica last left or joined; no value if none did."),
        metric("under_replicated_ms", Ms, P::ISR_CHECKED, |s| nanos(s.under_replicated_ns),
            "Time with fewer in-sync replicas than replicas, summed over partitions (`UnderReplicatedPartitions`)."),
        metric("under_min_isr_ms", Ms, P::ISR_CHECKED, |s| nanos(s.under_min_isr_ns),
            "Time with fewer in-sync replicas than `min.insync.replicas`, summed over partitions (`UnderMinIsrPartitionCount`)."),
        metric("at_min_isr_ms", Ms, P::ISR_CHECKED, |s| nanos(s.at_min_isr_ns),
            "Time with exactly `min.insync.replicas` in-sync replicas, summed over partitions (`AtMinIsrPartitionCount`)."),
        metric("hw_stalls", Count, P::APPENDED, |s| count(s.hw_stalls),
            "Times the high watermark stood below the log end for more than a second without moving."),
        metric("hw_stalled_ms", Ms, P::APPENDED, |s| nanos(s.hw_stalled_ns),
            "Time in such stalls, from the high watermark's last movement on."),
        metric("hw_stalled_ms_max", Ms, P::APPENDED, |s| nanos(s.hw_stall_max_ns),
            "The longest such stall."),
        metric("lag_messages_max", Count, P::FETCHED, |s| Some(MetricValue::Count(s.max_lag_messages)),
            "The largest lag of a follower's fetch on arrival at its leader, in records (`MaxLag`)."),
        metric("requests", Count, P::RAN, |s| count(s.requests),
            "Produce requests that arose at producers."),
        metric("requests_acked", Count, P::REQUESTED, |s| count(s.requests_acked),
            "Produce requests answered without an error (with acks=0: sent)."),
        metric("requests_failed", Count, P::REQUESTED, |s| count(s.requests_failed),
            "Produce requests given up: `delivery.timeout.ms`, `retries` or `buffer.memory` ran out."),
        metric("request_retries", Count, P::REQUESTED, |s| count(s.request_retries),
            "Times a produce request was sent again."),
        metric("request_timeouts", Count, P::REQUESTED, |s| count(s.request_timeouts),
            "Produce requests without an answer within `request.timeout.ms`."),
        metric("not_enough_replicas", Count, P::REQUESTED, |s| count(s.not_enough_replicas),
            "Answers with `NOT_ENOUGH_REPLICAS`, before or after the append."),
        metric("records_appended", Count, P::REQUESTED, |s| count(s.records_appended),
            "Records appended by leaders; a retry of what was appended already counts again."),
        metric("bytes_appended", Count, P::REQUESTED, |s| count(s.bytes_appended),
            "Bytes appended by leaders."),
        metric("records_acked", Count, P::REQUESTED, |s| count(s.records_acked),
            "Records in produce requests answered without an error."),
        metric("records_acked_per_s", PerSecond, P::REQUESTED, |s| per_second(s.records_acked, s),
            "Records in produce requests answered without an error, for each second of the run: the throughput."),
        metric("bytes_appended_per_s", PerSecond, P::REQUESTED, |s| per_second(s.bytes_appended, s),
            "Bytes appended by leaders for each second of the run (`BytesInPerSec`)."),
        metric("fetches", Count, P::RAN, |s| count(s.fetches),
            "Fetches handled by leaders."),
        metric("fetches_delayed", Count, P::FETCHED, |s| count(s.fetches_delayed),
            "Fetches that had to wait for data."),
        metric("produce_latency_min_ms", Ms, P::ACKNOWLEDGED, |s| latency(s, |q| q.min_ns),
            "The shortest produce latency, from when a request arose to its answer."),
        metric("produce_latency_mean_ms", Ms, P::ACKNOWLEDGED, |s| latency(s, |q| q.mean_ns),
            "The mean produce latency."),
        metric("produce_latency_p50_ms", Ms, P::ACKNOWLEDGED, |s| latency(s, |q| q.p50_ns),
            "The median produce latency, within 0.1 %."),
        metric("produce_latency_p90_ms", Ms, P::ACKNOWLEDGED, |s| latency(s, |q| q.p90_ns),
            "90 % of the produce latencies are not longer, within 0.1 %."),
        metric("produce_latency_p99_ms", Ms, P::ACKNOWLEDGED, |s| latency(s, |q| q.p99_ns),
            "99 % of the produce latencies are not longer, within 0.1 %."),
        metric("produce_latency_p999_ms", Ms, P::ACKNOWLEDGED, |s| latency(s, |q| q.p999_ns),
            "99.9 % of the produce latencies are not longer, within 0.1 %."),
        metric("produce_latency_max_ms", Ms, P::ACKNOWLEDGED, |s| latency(s, |q| q.max_ns),
            "The longest produce latency."),
        of_topic(metric("timestamp_batches_accepted", Count, P::STAMPED, |s| count(s.timestamps.batches_accepted),
            "Batches appended to topics with a policy for timestamps.")),
        of_topic(metric("timestamp_batches_rejected", Count, P::STAMPED, |s| count(s.timestamps.batches_rejected),
            "Batches rejected for their timestamps; nothing of them is appended, and they are not sent again.")),
        of_topic(metric("timestamp_records_rejected", Count, P::STAMPED, |s| count(s.timestamps.records_rejected),
            "Records in rejected batches, the good ones among them counted.")),
        of_topic(metric("timestamp_records_back", Count, P::STAMPED_STORED, |s| count(s.timestamps.records_back),
            "Records stored with a time below one that stands before them in the log.")),
        of_topic(metric("timestamp_back_ms_max", Ms, P::STAMPED_STORED, |s| millis(s.timestamps.back_max_ms),
            "How far below, at most.")),
        of_topic(metric("timestamp_ahead_ms_max", Ms, P::STAMPED_STORED, |s| millis(s.timestamps.ahead_max_ms),
            "How far a stored time was after the true time at which its record was made, at most.")),
        of_topic(metric("timestamp_behind_ms_max", Ms, P::STAMPED_STORED, |s| millis(s.timestamps.behind_max_ms),
            "How far a stored time was before the true time at which its record was made, at most.")),
        of_topic(metric("log_append_time_back_in_epoch", Count, P::STAMPED_STORED, |s| count(s.timestamps.append_time_back_in_epoch),
            "Batches whose LogAppendTime is below that of the batch before, both under one leader.")),
        of_topic(metric("log_append_time_back_across_epochs", Count, P::STAMPED_STORED, |s| count(s.timestamps.append_time_back_across_epochs),
            "Batches whose LogAppendTime is below that of the batch before, with an election between the two.")),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_end_in_their_unit() {
        for (index, metric) in METRICS.iter().enumerate() {
            assert!(METRICS[..index].iter().all(|other| other.name != metric.name), "{}", metric.name);
            let in_ms = metric.name.ends_with("_ms") || metric.name.ends_with("_ms_max");
            assert_eq!(in_ms, metric.unit == Unit::Milliseconds, "{}", metric.name);
            assert_eq!(metric.name.ends_with("_per_s"), metric.unit == Unit::PerSecond, "{}", metric.name);
            assert!(metric.doc.ends_with('.'), "{}", metric.name);
        }
        assert!(Metric::find("isr_flaps").is_some() && Metric::find("flap").is_none());
    }

    #[test]
    fn most_numbers_only_grow() {
        let others: Vec<&str> =
            METRICS.iter().filter(|metric| !metric.only_grows()).map(|metric| metric.name).collect();
        let wanted = [
            "isr_shrink_first_ms",
            "records_acked_per_s",
            "bytes_appended_per_s",
            "produce_latency_min_ms",
            "produce_latency_mean_ms",
            "produce_latency_p50_ms",
            "produce_latency_p90_ms",
            "produce_latency_p99_ms",
            "produce_latency_p999_ms",
            "mirror_lag_jira_last",
            "mirror_lag_jira_min",
            "mirror_lag_jira_corrected_last",
            "mirror_lag_jira_corrected_min",
            "mirror_lag_last_polled_last",
            "mirror_lag_last_polled_min",
            "mirror_lag_end_offsets_last",
            "mirror_lag_end_offsets_min",
            "share_lag_last",
            "share_lag_min",
        ];
        assert_eq!(others, wanted);
    }

    #[test]
    fn values_are_of_their_unit_and_absent_when_nothing_happened() {
        let mut summary = RunSummary::default();
        let absent: Vec<&str> = METRICS
            .iter()
            .filter(|metric| (metric.value)(&summary).is_none())
            .map(|metric| metric.name)
            .collect();
        assert!(absent.contains(&"isr_shrink_first_ms") && absent.contains(&"records_acked_per_s"));
        assert!(!absent.contains(&"isr_shrinks"));
        summary.duration_ns = 2_000_000_000;
        summary.records_acked = 3;
        summary.produce_latency.count = 1;
        summary.first_shrink = Some(SimTime::from_millis(20_000));
        summary.last_isr_change = summary.first_shrink;
        let known =
            super::super::LagCounts { last: Some(1), min: Some(-1), max: Some(2), ..Default::default() };
        summary.lag.mirror = [known; 4];
        summary.lag.share = known;
        for metric in METRICS {
            let value = (metric.value)(&summary).unwrap();
            let unit = match value {
                MetricValue::Count(_) => Unit::Count,
                MetricValue::Nanos(_) | MetricValue::Millis(_) => Unit::Milliseconds,
                MetricValue::PerSecond(_) => Unit::PerSecond,
            };
            assert_eq!(unit, metric.unit, "{}", metric.name);
        }
        let throughput = Metric::find("records_acked_per_s").unwrap();
        assert_eq!((throughput.value)(&summary), Some(MetricValue::PerSecond(1.5)));
    }

    #[test]
    fn values_are_written_without_losing_digits() {
        assert_eq!(MetricValue::Count(-3).to_string(), "-3");
        assert_eq!(MetricValue::Nanos(20_030_000_000).to_string(), "20030");
        assert_eq!(MetricValue::Nanos(1_500_001).to_string(), "1.500001");
        assert_eq!(MetricValue::Nanos(500_000).to_string(), "0.5");
        assert_eq!(MetricValue::Millis(-7).to_string(), "-7");
        assert_eq!(MetricValue::PerSecond(1.5).to_string(), "1.500");
        assert_eq!(format!("{:>6}", MetricValue::Nanos(2_000_000)), "     2");
    }

    #[test]
    fn premises_ask_what_was_exercised() {
        let mut summary = RunSummary::default();
        let shrinks = Metric::find("isr_shrinks").unwrap();
        assert!(!(shrinks.premise.holds)(&summary));
        summary.exercised.isr_checks = 1;
        assert!((shrinks.premise.holds)(&summary));
    }
}
