//! What a run comes to, in numbers.

use super::lag::summary::LagSummary;
use crate::engine::SimTime;
use crate::protocol::timestamp::NO_TIMESTAMP;

/// The numbers of one run. Times are of the virtual clock.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RunSummary {
    /// Virtual time that the run covered, nanoseconds.
    pub duration_ns: u64,
    /// Events handled.
    pub events: u64,
    /// Replicas removed from an ISR (one check that removes two counts two).
    pub isr_shrinks: u64,
    /// Replicas that joined an ISR.
    pub isr_expands: u64,
    /// Removed replicas that came back: an expand of a replica after its shrink.
    pub flaps: u64,
    /// When the first replica was removed.
    pub first_shrink: Option<SimTime>,
    /// When a replica last left or joined.
    pub last_isr_change: Option<SimTime>,
    /// Nanoseconds with fewer in-sync replicas than replicas, summed over partitions
    /// (`UnderReplicatedPartitions` > 0).
    pub under_replicated_ns: u64,
    /// Nanoseconds with fewer in-sync replicas than `min.insync.replicas`, summed over
    /// partitions (`UnderMinIsrPartitionCount` > 0).
    pub under_min_isr_ns: u64,
    /// Nanoseconds with exactly `min.insync.replicas` in-sync replicas, summed over partitions
    /// (`AtMinIsrPartitionCount` > 0).
    pub at_min_isr_ns: u64,
    /// Times the high watermark stood below the log end for longer than
    /// [`HW_STALL_THRESHOLD_MS`] without moving.
    pub hw_stalls: u64,
    /// Nanoseconds in such stalls, from the high watermark's last movement on.
    pub hw_stalled_ns: u64,
    /// The longest such stall, nanoseconds.
    pub hw_stall_max_ns: u64,
    /// The largest lag of a follower's fetch on arrival at its leader (`MaxLag`), records.
    pub max_lag_messages: i64,
    /// Requests that arose at producers.
    pub requests: u64,
    /// Requests that were answered without an error (acks=0: sent).
    pub requests_acked: u64,
    /// Requests given up: `delivery.timeout.ms`, `retries` or `buffer.memory` ran out.
    pub requests_failed: u64,
    /// Times a request was sent again.
    pub request_retries: u64,
    /// Requests for which no answer came within `request.timeout.ms`.
    pub request_timeouts: u64,
    /// Answers with `NOT_ENOUGH_REPLICAS`, before or after the append.
    pub not_enough_replicas: u64,
    /// Records appended by leaders (a retry of what was appended already counts again).
    pub records_appended: u64,
    /// Bytes appended by leaders.
    pub bytes_appended: u64,
    /// Records in requests answered without an error.
    pub records_acked: u64,
    /// Fetches handled by leaders.
    pub fetches: u64,
    /// Fetches that had to wait for data.
    pub fetches_delayed: u64,
    /// Produce latency from when a request arose to its answer.
    pub produce_latency: LatencyQuantiles,
    /// What became of timestamps, all topics together.
    pub timestamps: TimestampStats,
    /// The same by topic, in the order of the specification.
    pub topic_timestamps: Vec<TimestampStats>,
    /// The lags of mirrors and share groups.
    pub lag: LagSummary,
    /// What was exercised.
    pub exercised: Exercised,
}

/// What became of the timestamps on topics with a policy for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TimestampStats {
    /// Batches appended.
    pub batches_accepted: u64,
    /// Batches rejected for their timestamps.
    pub batches_rejected: u64,
    /// Records in rejected batches, the good ones among them counted.
    pub records_rejected: u64,
    /// Records stored with a time below one that stands before them in the log.
    pub records_back: u64,
    /// How far below, at most; milliseconds.
    pub back_max_ms: i64,
    /// Batches whose LogAppendTime is below that of the batch before, both under one leader.
    pub append_time_back_in_epoch: u64,
    /// The same, with an election between the two.
    pub append_time_back_across_epochs: u64,
    /// How far a stored time was after the true time at which its record was made, at most;
    /// milliseconds.
    pub ahead_max_ms: i64,
    /// How far before, at most; milliseconds.
    pub behind_max_ms: i64,
}

impl TimestampStats {
    /// A record is stored with `timestamp`, was made at `made` by a true clock, and the largest
    /// time before it in the log is `running_max`. One without a timestamp has no distance.
    pub(super) fn add_record(&mut self, timestamp: i64, made: i64, running_max: i64) {
        if timestamp == NO_TIMESTAMP {
            return;
        }
        if timestamp < running_max {
            self.records_back += 1;
            self.back_max_ms = self.back_max_ms.max(running_max.saturating_sub(timestamp));
        }
        self.ahead_max_ms = self.ahead_max_ms.max(timestamp.saturating_sub(made));
        self.behind_max_ms = self.behind_max_ms.max(made.saturating_sub(timestamp));
    }

    /// LogAppendTime went from `last` to `time`, under one leader or not.
    pub(super) fn add_step(&mut self, last: i64, time: i64, same_epoch: bool) {
        let back = u64::from(time < last);
        if same_epoch {
            self.append_time_back_in_epoch += back;
        } else {
            self.append_time_back_across_epochs += back;
        }
    }

    /// Adds what was found elsewhere.
    pub(super) fn add(&mut self, other: &TimestampStats) {
        self.batches_accepted += other.batches_accepted;
        self.batches_rejected += other.batches_rejected;
        self.records_rejected += other.records_rejected;
        self.records_back += other.records_back;
        self.back_max_ms = self.back_max_ms.max(other.back_max_ms);
        self.append_time_back_in_epoch += other.append_time_back_in_epoch;
        self.append_time_back_across_epochs += other.append_time_back_across_epochs;
        self.ahead_max_ms = self.ahead_max_ms.max(other.ahead_max_ms);
        self.behind_max_ms = self.behind_max_ms.max(other.behind_max_ms);
    }
}

impl RunSummary {
    /// The numbers that an event on a topic goes into: all topics', and its own.
    pub(super) fn timestamps_of(&mut self, topic: usize) -> [&mut TimestampStats; 2] {
        if self.topic_timestamps.len() <= topic {
            self.topic_timestamps.resize(topic + 1, TimestampStats::default());
        }
        [&mut self.timestamps, &mut self.topic_timestamps[topic]]
    }

    /// The same summary as if the topic's timestamps were all; for metrics of one topic.
    pub fn narrowed_to(&self, topic: usize) -> RunSummary {
        let timestamps = self.topic_timestamps.get(topic).copied().unwrap_or_default();
        RunSummary { timestamps, ..self.clone() }
    }
}

/// A high watermark that stands still below the log end for longer than this has stalled.
pub const HW_STALL_THRESHOLD_MS: u64 = 1_000;

/// Quantiles of a latency, nanoseconds; within 0.1 % of the exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LatencyQuantiles {
    /// Number of observations; all else is 0 when this is.
    pub count: u64,
    /// Smallest.
    pub min_ns: u64,
    /// Arithmetic mean, rounded.
    pub mean_ns: u64,
    /// Median.
    pub p50_ns: u64,
    /// 90 % are not longer.
    pub p90_ns: u64,
    /// 99 % are not longer.
    pub p99_ns: u64,
    /// 99.9 % are not longer.
    pub p999_ns: u64,
    /// Longest.
    pub max_ns: u64,
}

/// What a run exercised: a check that never had anything to check proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Exercised {
    /// Each kind of event and how often it was handled, by name.
    pub events: Vec<(&'static str, u64)>,
    /// Each fault and how often it was applied, by its name in the scenario.
    pub faults: Vec<(String, u64)>,
    /// Runs of the ISR check that found a follower in the ISR to look at.
    pub isr_checks: u64,
    /// Fetches by a replica outside the ISR.
    pub join_attempts: u64,
    /// Steps after which the invariants were checked.
    pub invariant_checks: u64,
    /// Steps after which the high watermark was above 0 and an ISR follower had fetched.
    pub hw_within_isr_premise: u64,
    /// Requests acknowledged with acks=all.
    pub acks_all_acknowledged: u64,
}
