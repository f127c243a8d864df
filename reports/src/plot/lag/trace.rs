//! What the figure keeps of a run: per pixel column the extremes of both lags, in memory that does
//! not grow with the run.

use crate::layout::Layout;
use crate::plot::COLUMNS;
use isrlab_sim::cluster::{ClusterSpec, LagSample, SHARE_RULE};
use isrlab_sim::protocol::mirror::LagRule;

/// Lags that are kept; a figure may draw fewer.
const LAGS_MAX: usize = 16;

/// What was seen of one number in one column, in order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first value.
    pub first: i64,
    /// The smallest.
    pub min: i64,
    /// The largest.
    pub max: i64,
    /// The last value.
    pub last: i64,
}

impl Stretch {
    fn add(seen: &mut Option<Stretch>, value: i64) {
        let stretch = seen.get_or_insert(Stretch { first: value, min: value, max: value, last: value });
        stretch.min = stretch.min.min(value);
        stretch.max = stretch.max.max(value);
        stretch.last = value;
    }
}

/// One pixel column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LagColumnTrace {
    /// The reported lag; none: it was not looked at, or unknown all the time.
    pub reported: Option<Stretch>,
    /// The true lag; none: it was not looked at.
    pub truth: Option<Stretch>,
    /// The reported lag was unknown at some look.
    pub unknown: bool,
}

/// What is kept of one lag: of a mirror by one rule, or of a share group.
#[derive(Clone, Debug, PartialEq)]
pub struct LagTrace {
    /// The mirror's or share group's name.
    pub actor: String,
    /// Its partition: `orders-0`.
    pub partition: String,
    /// The rule's name.
    pub rule: &'static str,
    /// By pixel column.
    pub columns: Vec<LagColumnTrace>,
    /// Looks at it.
    pub looks: u64,
    /// Looks at which it was unknown.
    pub unknown: u64,
    /// Looks at which it was known, and not the true one.
    pub wrong: u64,
}

impl LagTrace {
    /// An empty trace for each lag that is kept.
    pub fn all(spec: &ClusterSpec, layout: &Layout) -> Vec<LagTrace> {
        let name = |(topic, partition): (usize, usize)| {
            let before: usize = spec.topics[..topic].iter().map(|topic| topic.partitions.len()).sum();
            let name = &layout.partitions[before + partition];
            format!("{}-{}", name.topic, name.number)
        };
        let empty = |actor: &str, partition: String, rule| LagTrace {
            actor: actor.to_owned(),
            partition,
            rule,
            columns: vec![LagColumnTrace::default(); COLUMNS],
            looks: 0,
            unknown: 0,
            wrong: 0,
        };
        let mirrors = spec.lag.mirrors.iter().flat_map(|mirror| {
            LagRule::ALL.map(|rule| empty(&mirror.name, name(mirror.source), rule.name()))
        });
        let groups = spec.lag.share_groups.iter();
        let groups = groups.map(|group| empty(&group.name, name(group.partition), SHARE_RULE));
        mirrors.chain(groups).take(LAGS_MAX).collect()
    }

    /// Lags that there are, kept or not.
    pub fn total(spec: &ClusterSpec) -> usize {
        spec.lag.mirrors.len() * LagRule::ALL.len() + spec.lag.share_groups.len()
    }

    /// Whether a sample is of this lag.
    pub fn is_of(&self, sample: &LagSample<'_>) -> bool {
        self.rule == sample.rule && self.actor == sample.actor
    }

    /// The lag was looked at.
    pub fn sampled(&mut self, sample: &LagSample<'_>, column: usize) {
        let column = &mut self.columns[column];
        Stretch::add(&mut column.truth, sample.truth);
        self.looks += 1;
        match sample.reported {
            Some(lag) => {
                Stretch::add(&mut column.reported, lag);
                self.wrong += u64::from(lag != sample.truth);
            }
            None => {
                column.unknown = true;
                self.unknown += 1;
            }
        }
    }

    /// The lowest and the highest lag, reported or true; none: there was no look.
    pub fn extremes(&self) -> Option<(i64, i64)> {
        let both = self.columns.iter().flat_map(|column| [column.reported, column.truth]).flatten();
        both.map(|seen| (seen.min, seen.max)).reduce(|(low, high), (min, max)| (low.min(min), high.max(max)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_keeps_extremes_and_the_order_of_ends() {
        let mut seen = None;
        for value in [3, -1, 7, 2] {
            Stretch::add(&mut seen, value);
        }
        assert_eq!(seen, Some(Stretch { first: 3, min: -1, max: 7, last: 2 }));
    }
}
