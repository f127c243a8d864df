//! The numbers of a run by name: one list for `summary.csv`, the aggregates and the JSON output.

use crate::tables::Millis;
use isrlab_sim::cluster::RunSummary;
use std::fmt;

/// A number of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricValue {
    /// A count.
    Count(u64),
    /// An offset difference or the like; may be negative.
    Signed(i64),
    /// A time or a length of time, nanoseconds; told in milliseconds.
    Nanos(u64),
    /// So many a second.
    Rate(f64),
    /// There is none: nothing happened that it could tell of.
    Unknown,
}

impl MetricValue {
    /// As a number in the unit of the metric's name.
    pub fn number(self) -> Option<f64> {
        match self {
            MetricValue::Count(value) => Some(value as f64),
            MetricValue::Signed(value) => Some(value as f64),
            MetricValue::Nanos(value) => Some(value as f64 / 1e6),
            MetricValue::Rate(value) => Some(value),
            MetricValue::Unknown => None,
        }
    }
}

/// As in the CSV; unknown is empty.
impl fmt::Display for MetricValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MetricValue::Count(value) => write!(f, "{value}"),
            MetricValue::Signed(value) => write!(f, "{value}"),
            MetricValue::Nanos(value) => write!(f, "{}", Millis(value)),
            MetricValue::Rate(value) => write!(f, "{value:.3}"),
            MetricValue::Unknown => Ok(()),
        }
    }
}

/// One number of a run.
#[derive(Clone, Copy)]
pub struct Metric {
    /// Its name, with its unit.
    pub name: &'static str,
    /// The unit in words.
    pub unit: &'static str,
    /// What it tells.
    pub meaning: &'static str,
    /// Reads it.
    pub of: fn(&RunSummary) -> MetricValue,
}

use MetricValue::{Count, Nanos, Rate, Signed, Unknown};

const fn metric(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    of: fn(&RunSummary) -> MetricValue,
) -> Metric {
    Metric { name, unit, meaning, of }
}

fn latency(run: &RunSummary, nanos: u64) -> MetricValue {
    if run.produce_latency.count == 0 { Unknown } else { Nanos(nanos) }
}

fn per_second(amount: u64, run: &RunSummary) -> MetricValue {
    if run.duration_ns == 0 { Unknown } else { Rate(amount as f64 / (run.duration_ns as f64 / 1e9)) }
}

/// The numbers of a run, in the order of `summary.csv`.
pub static METRICS: [Metric; 36] = [
    metric("duration_ms", "ms", "Virtual time that the run covered.", |r| Nanos(r.duration_ns)),
    metric("events", "events", "Events handled.", |r| Count(r.events)),
    metric("isr_shrinks", "replicas", "Replicas removed from an ISR; a check that removes two counts two (`IsrShrinksPerSec`).", |r| Count(r.isr_shrinks)),
    metric("isr_expands", "replicas", "Replicas that joined an ISR (`IsrExpandsPerSec`).", |r| Count(r.isr_expands)),
    metric("flaps", "replicas", "Removed replicas that came back: expands of a replica after its shrink.", |r| Count(r.flaps)),
    metric("first_shrink_ms", "ms", "When the first replica was removed. Empty: none was.", |r| r.first_shrink.map_or(Unknown, |at| Nanos(at.as_nanos()))),
    metric("last_isr_change_ms", "ms", "When a replica last left or joined. Empty: none did.", |r| r.last_isr_change.map_or(Unknown, |at| Nanos(at.as_nanos()))),
    metric("under_replicated_ms", "ms", "Time with fewer in-sync replicas than replicas, summed over partitions (`UnderReplicatedPartitions`).", |r| Nanos(r.under_replicated_ns)),
    metric("under_min_isr_ms", "ms", "Time with fewer in-sync replicas than `min.insync.replicas`, summed over partitions (`UnderMinIsrPartitionCount`).", |r| Nanos(r.under_min_isr_ns)),
    metric("at_min_isr_ms", "ms", "Time with exactly `min.insync.replicas` in-sync replicas, summed over partitions (`AtMinIsrPartitionCount`).", |r| Nanos(r.at_min_isr_ns)),
    metric("hw_stalls", "stalls", "Times the high watermark stood below the log end for longer than 1 s without moving.", |r| Count(r.hw_stalls)),
    metric("hw_stalled_ms", "ms", "Time in such stalls, each from the high watermark's last movement on.", |r| Nanos(r.hw_stalled_ns)),
    metric("hw_stall_ms_max", "ms", "The longest such stall.", |r| Nanos(r.hw_stall_max_ns)),
    metric("lag_messages_max", "records", "The largest lag of a follower's fetch on arrival at its leader (`MaxLag`).", |r| Signed(r.max_lag_messages)),
    metric("requests", "requests", "Requests that arose at producers.", |r| Count(r.requests)),
    metric("requests_acked", "requests", "Requests answered without an error (acks=0: sent).", |r| Count(r.requests_acked)),
    metric("requests_failed", "requests", "Requests given up: `delivery.timeout.ms`, `retries` or `buffer.memory` ran out.", |r| Count(r.requests_failed)),
    metric("request_retries", "requests", "Times a request was sent again.", |r| Count(r.request_retries)),
    metric("request_timeouts", "requests", "Requests for which no answer came within `request.timeout.ms`.", |r| Count(r.request_timeouts)),
    metric("not_enough_replicas", "answers", "Answers with `NOT_ENOUGH_REPLICAS`, before or after the append.", |r| Count(r.not_enough_replicas)),
    metric("records_appended", "records", "Records appended by leaders; a retry of what was appended already counts again.", |r| Count(r.records_appended)),
    metric("bytes_appended", "bytes", "Bytes appended by leaders.", |r| Count(r.bytes_appended)),
    metric("records_acked", "records", "Records in requests answered without an error.", |r| Count(r.records_acked)),
    metric("records_acked_per_s", "records per second", "The same per second of virtual time. Empty: the run had no length.", |r| per_second(r.records_acked, r)),
    metric("bytes_appended_per_s", "bytes per second", "Bytes appended per second of virtual time. Empty: the run had no length.", |r| per_second(r.bytes_appended, r)),
    metric("fetches", "fetches", "Fetches handled by leaders.", |r| Count(r.fetches)),
    metric("fetches_delayed", "fetches", "Fetches that had to wait for data (`PurgatorySize`).", |r| Count(r.fetches_delayed)),
    metric("produce_latency_count", "requests", "Requests that the produce latencies are of, whatever their `acks`.", |r| Count(r.produce_latency.count)),
    metric("produce_latency_ms_min", "ms", "Shortest time from when a request arose to its answer. This and all below are empty when there was none.", |r| latency(r, r.produce_latency.min_ns)),
    metric("produce_latency_ms_mean", "ms", "Arithmetic mean.", |r| latency(r, r.produce_latency.mean_ns)),
    metric("produce_latency_ms_p50", "ms", "Median, within 0.1 %, like all quantiles here.", |r| latency(r, r.produce_latency.p50_ns)),
    metric("produce_latency_ms_p90", "ms", "90 % of the requests took no longer.", |r| latency(r, r.produce_latency.p90_ns)),
    metric("produce_latency_ms_p99", "ms", "99 % took no longer.", |r| latency(r, r.produce_latency.p99_ns)),
    metric("produce_latency_ms_p999", "ms", "99.9 % took no longer.", |r| latency(r, r.produce_latency.p999_ns)),
    metric("produce_latency_ms_max", "ms", "Longest.", |r| latency(r, r.produce_latency.max_ns)),
    metric("invariant_checks", "checks", "Steps after which the invariants were checked.", |r| Count(r.exercised.invariant_checks)),
];
