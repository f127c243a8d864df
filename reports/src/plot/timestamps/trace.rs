//! What the figure keeps of a run: per pixel column a few distances, in memory that does not
//! grow with the run.

use crate::layout::Layout;
use crate::plot::COLUMNS;
use crate::tables::timestamps::made;
use isrlab_sim::cluster::clock::ClockSpec;
use isrlab_sim::cluster::{BatchOutcome, ClusterSpec, StampedBatch};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::timestamp::{NO_TIMESTAMP, TimestampPolicy, TimestampType};

/// Partitions that are kept; a figure may draw fewer.
const PARTITIONS_MAX: usize = 6;
/// Distances that are kept of one column.
const KEPT_MAX: usize = 8;

/// What is kept of one partition.
#[derive(Clone, Debug, PartialEq)]
pub struct TimestampTrace {
    /// The partition's number through all topics.
    pub partition: usize,
    /// Its name: `orders-0`.
    pub name: String,
    /// How its topic treats timestamps.
    pub policy: TimestampPolicy,
    /// By column of the time at which records were made: distances of stored times from it,
    /// milliseconds, rising.
    pub stored: Vec<Vec<i64>>,
    /// The same of the sent times of rejected records.
    pub rejected: Vec<Vec<i64>>,
    /// Records stored.
    pub records_stored: u64,
    /// Records of rejected batches.
    pub records_rejected: u64,
}

impl TimestampTrace {
    /// An empty trace for each partition that is kept.
    pub fn all(spec: &ClusterSpec, layout: &Layout) -> Vec<Self> {
        let policies = spec.topics.iter().flat_map(|topic| topic.partitions.iter().map(|_| topic.timestamps));
        let partitions = layout.partitions.iter().zip(policies).enumerate();
        let kept = partitions.filter_map(|(partition, (name, policy))| {
            Some(TimestampTrace {
                partition,
                name: format!("{}-{}", name.topic, name.number),
                policy: policy?,
                stored: vec![Vec::new(); COLUMNS],
                rejected: vec![Vec::new(); COLUMNS],
                records_stored: 0,
                records_rejected: 0,
            })
        });
        kept.take(PARTITIONS_MAX).collect()
    }

    /// Adds a batch; `column` gives the pixel column of a time. A record without a timestamp is
    /// counted and has no distance.
    pub fn stamped(&mut self, batch: &StampedBatch<'_>, column: impl Fn(SimTime) -> usize) {
        for (index, record) in batch.batch.records.iter().enumerate() {
            let (columns, timestamp) = match batch.outcome {
                BatchOutcome::Appended(stored) => {
                    self.records_stored += 1;
                    (&mut self.stored, stored.timestamp(record))
                }
                BatchOutcome::Rejected(_) => {
                    self.records_rejected += 1;
                    (&mut self.rejected, record.timestamp)
                }
            };
            if timestamp != NO_TIMESTAMP {
                let made = made(batch, index);
                let distance = timestamp.saturating_sub(ClockSpec::default().read_ms(made));
                keep(&mut columns[column(made)], distance);
            }
        }
    }

    /// The limits before and after the leader's clock, milliseconds; those that there are.
    pub fn limits(&self) -> impl Iterator<Item = i64> {
        let TimestampPolicy { timestamp_type, limits, .. } = self.policy;
        let checks = timestamp_type == TimestampType::CreateTime;
        let both = [(limits.before_max, -1), (limits.after_max, 1)];
        both.into_iter()
            .filter(move |(limit, _)| checks && *limit < i64::MAX)
            .map(|(limit, sign)| sign * limit)
    }

    /// The smallest and the largest distance, 0 at least and at most.
    pub fn extremes(&self) -> (i64, i64) {
        let all = self.stored.iter().chain(&self.rejected).flatten();
        all.fold((0, 0), |(min, max), &distance| (min.min(distance), max.max(distance)))
    }
}

/// Adds a value to a few rising ones. When they are too many, the inner one that has the closest
/// neighbours goes: the extremes stay.
fn keep(values: &mut Vec<i64>, value: i64) {
    let Err(place) = values.binary_search(&value) else { return };
    values.insert(place, value);
    if values.len() > KEPT_MAX {
        let gap = |&index: &usize| i128::from(values[index + 1]) - i128::from(values[index - 1]);
        let crowded = (1..values.len() - 1).min_by_key(gap);
        values.remove(crowded.unwrap_or(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_of_a_column_are_kept_and_it_stays_small() {
        let mut values = Vec::new();
        for value in (0..1_000).chain([i64::MIN, i64::MAX, 5]) {
            keep(&mut values, value);
        }
        assert_eq!(values.len(), KEPT_MAX);
        assert_eq!((values.first(), values.last()), (Some(&i64::MIN), Some(&i64::MAX)));
        assert!(values.is_sorted());
    }
}
