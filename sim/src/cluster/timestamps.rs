//! Timestamps in the produce path: what producers write, what the leader does to it, and what is
//! counted of it. There is one of these only if a topic has a timestamp policy.

use super::Cluster;
use super::clock::ClockSpec;
use super::observer::{BatchOutcome, Observer, StampedBatch};
use super::spec::{ClusterSpec, ProducerTimestamps};
use super::summary::TimestampStats;
use crate::engine::{SimDuration, SimTime};
use crate::invariants::Invariant;
use crate::invariants::timestamps::{create_time_within_limits, log_append_time_not_back};
use crate::protocol::timestamp::{
    NO_TIMESTAMP, SentBatch, SentRecord, StoredBatch, TimestampPolicy, TimestampType, validate,
};
use crate::protocol::{Acks, Offset, ProduceError, TimeMs};
use std::collections::VecDeque;

/// What the log's end looked like after a batch.
#[derive(Clone, Copy, Debug)]
struct Mark {
    end_offset: Offset,
    /// The largest time up to there.
    running_max: TimeMs,
    /// The last LogAppendTime, and the leader epoch that it is from.
    appended: Option<(TimeMs, u32)>,
}

/// The times of one partition, in memory that does not grow with it: a mark for each batch above
/// the high watermark, which an election may cut off, and one for all below.
#[derive(Debug, Default)]
struct PartitionTimes {
    /// Elections so far.
    epoch: u32,
    marks: VecDeque<Mark>,
}

impl PartitionTimes {
    fn push(&mut self, mark: Mark, high_watermark: Offset) {
        self.marks.push_back(mark);
        while self.marks.get(1).is_some_and(|second| second.end_offset <= high_watermark) {
            self.marks.pop_front();
        }
    }

    /// A leader is elected whose log ends at `end_offset`.
    fn elect(&mut self, end_offset: Offset) {
        self.epoch += 1;
        while self.marks.back().is_some_and(|last| last.end_offset > end_offset) {
            self.marks.pop_back();
        }
    }
}

/// All that timestamps need.
#[derive(Debug)]
pub(super) struct Timestamps {
    /// By topic.
    policies: Vec<Option<TimestampPolicy>>,
    broker_clocks: Vec<ClockSpec>,
    producers: Vec<ProducerTimestamps>,
    partitions: Vec<PartitionTimes>,
    /// The records of the batch in hand.
    sent: Vec<SentRecord>,
    /// The batch in hand, found acceptable.
    accepted: Option<Stamped>,
}

/// A batch that the leader has found acceptable.
#[derive(Clone, Copy, Debug)]
struct Stamped {
    stored: StoredBatch,
    policy: TimestampPolicy,
    clock: TimeMs,
}

impl Timestamps {
    /// None if no topic has a policy.
    pub(super) fn new(spec: &ClusterSpec, partitions: usize) -> Option<Box<Self>> {
        let policies: Vec<_> = spec.topics.iter().map(|topic| topic.timestamps).collect();
        policies.iter().any(Option::is_some).then(|| {
            Box::new(Timestamps {
                policies,
                broker_clocks: spec.brokers.iter().map(|broker| broker.clock).collect(),
                producers: spec.producers.iter().map(|producer| producer.timestamps).collect(),
                partitions: (0..partitions).map(|_| PartitionTimes::default()).collect(),
                sent: Vec::new(),
                accepted: None,
            })
        })
    }

    /// A leader of the partition is elected whose log ends at `end_offset`.
    pub(super) fn elected(&mut self, partition: usize, end_offset: Offset) {
        self.partitions[partition].elect(end_offset);
    }

    /// The records of a request as its producer wrote them.
    fn write_records(&mut self, producer: u32, records: u32, created: SimTime) {
        let ProducerTimestamps { clock, unit, spacing, .. } = self.producers[producer as usize];
        self.sent.clear();
        self.sent.extend((0..records).map(|index| {
            let made = made_at(created, spacing, records, index as usize);
            SentRecord::at(index as usize, unit.timestamp(clock.read_ns(made)))
        }));
    }
}

/// When record `index` of a request was made: the last one when the request arose, the others
/// `spacing` apart before, the start of the run at the earliest.
fn made_at(created: SimTime, spacing: SimDuration, records: u32, index: usize) -> SimTime {
    let before = spacing.as_nanos().saturating_mul(u64::from(records) - 1 - index as u64);
    SimTime::from_nanos(created.as_nanos().saturating_sub(before))
}

impl Cluster {
    /// Checks the timestamps of a request before it is appended at `base`, if its topic has a
    /// policy for them.
    ///
    /// # Errors
    /// The error to answer with; nothing may be appended.
    // Out of the way of runs without timestamps.
    #[cold]
    #[inline(never)]
    pub(super) fn check_timestamps<O: Observer>(
        &mut self,
        number: u32,
        acks: Acks,
        base: Offset,
        now: SimTime,
        observer: &mut O,
    ) -> Result<(), ProduceError> {
        let Some(timestamps) = &mut self.timestamps else { return Ok(()) };
        timestamps.accepted = None;
        let request = self.requests.get(number);
        let index = request.partition as usize;
        let partition = &self.partitions[index];
        let topic = partition.topic as usize;
        let Some(policy) = timestamps.policies[topic] else { return Ok(()) };
        if acks == Acks::All && partition.leader.is_under_min_isr(&self.settings[partition.settings as usize])
        {
            // It is refused for want of replicas, and nobody looks into it.
            return Ok(());
        }
        let broker = self.partitions[index].leader_broker() as usize;
        let clock = timestamps.broker_clocks[broker].read_ms(now);
        timestamps.write_records(request.producer, request.records, request.created);
        let producer = timestamps.producers[request.producer as usize];
        let batch = SentBatch::new(producer.compression, &timestamps.sent);
        match validate(&policy, &batch, base, clock) {
            Ok(stored) => {
                timestamps.accepted = Some(Stamped { stored, policy, clock });
                Ok(())
            }
            Err(error) => {
                for stats in self.stats.timestamps_of(topic) {
                    stats.batches_rejected += 1;
                    stats.records_rejected += u64::from(request.records);
                }
                observer.stamped(&StampedBatch {
                    at: now,
                    partition: index,
                    policy: &policy,
                    broker_clock: clock,
                    first_made: made_at(request.created, producer.spacing, request.records, 0),
                    spacing: producer.spacing,
                    batch,
                    outcome: BatchOutcome::Rejected(&error),
                });
                Err(error.produce_error())
            }
        }
    }

    /// A request has been appended: if its timestamps were checked, counts it, checks what must
    /// hold of it, and tells the observer.
    #[cold]
    #[inline(never)]
    pub(super) fn note_stamped<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        let Some(timestamps) = &mut self.timestamps else { return };
        let Some(Stamped { stored, policy, clock }) = &timestamps.accepted.take() else { return };
        let request = self.requests.get(number);
        let index = request.partition as usize;
        let producer = timestamps.producers[request.producer as usize];
        let batch = SentBatch::new(producer.compression, &timestamps.sent);
        let times = &mut timestamps.partitions[index];
        let before = times.marks.back().copied();
        let mut running_max = before.map_or(NO_TIMESTAMP, |mark| mark.running_max);
        let mut found = TimestampStats { batches_accepted: 1, ..TimestampStats::default() };
        let mut within_limits = true;
        for (record_index, record) in batch.records.iter().enumerate() {
            let timestamp = stored.timestamp(record);
            within_limits &= stored.timestamp_type(record) == TimestampType::LogAppendTime
                || create_time_within_limits(policy, timestamp, *clock);
            let made = made_at(request.created, producer.spacing, request.records, record_index);
            found.add_record(timestamp, ClockSpec::default().read_ms(made), running_max);
            running_max = running_max.max(timestamp);
        }
        let mut not_back = true;
        let appends = policy.timestamp_type == TimestampType::LogAppendTime;
        if let (true, Some((last, epoch))) = (appends, before.and_then(|mark| mark.appended)) {
            not_back = epoch != times.epoch || log_append_time_not_back(last, *clock);
            found.add_step(last, *clock, epoch == times.epoch);
        }
        let high_watermark = self.partitions[index].leader.high_watermark();
        let appended = if appends { Some((*clock, times.epoch)) } else { None };
        times.push(Mark { end_offset: stored.end_offset, running_max, appended }, high_watermark);
        let broken = match (within_limits, not_back) {
            (false, _) => Some(Invariant::CreateTimeWithinLimits),
            (_, false) => Some(Invariant::LogAppendTimeNotBack),
            _ => None,
        };
        if let Some(invariant) = broken {
            self.broken.get_or_insert((index, invariant));
        }
        let topic = self.partitions[index].topic as usize;
        for stats in self.stats.timestamps_of(topic) {
            stats.add(&found);
        }
        observer.stamped(&StampedBatch {
            at: now,
            partition: index,
            policy,
            broker_clock: *clock,
            first_made: made_at(request.created, producer.spacing, request.records, 0),
            spacing: producer.spacing,
            batch,
            outcome: BatchOutcome::Appended(stored),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(end_offset: Offset, running_max: TimeMs) -> Mark {
        Mark { end_offset, running_max, appended: None }
    }

    #[test]
    fn marks_below_the_high_watermark_are_forgotten_and_cut_ones_are_gone() {
        let mut times = PartitionTimes::default();
        for (end, max) in [(1, 10), (2, 20), (3, 20), (4, 30)] {
            times.push(mark(end, max), 2);
        }
        let ends = |times: &PartitionTimes| -> Vec<Offset> {
            times.marks.iter().map(|mark| mark.end_offset).collect()
        };
        assert_eq!(ends(&times), [2, 3, 4]);
        times.elect(3);
        assert_eq!((ends(&times), times.epoch), (vec![2, 3], 1));
        assert_eq!(times.marks.back().unwrap().running_max, 20);
    }

    #[test]
    fn records_are_made_before_their_request_arises() {
        let made =
            |index| made_at(SimTime::from_millis(25), SimDuration::from_millis(10), 4, index).as_millis();
        assert_eq!([made(0), made(1), made(2), made(3)], [0, 5, 15, 25]);
    }
}
