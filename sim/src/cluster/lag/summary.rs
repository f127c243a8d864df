//! What a lag came to over the samples of a run.

use crate::protocol::mirror::LagRule;

/// One rule's reports over the samples of a run, all actors together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LagCounts {
    /// Samples.
    pub samples: u64,
    /// Samples in which the rule reported nothing.
    pub unknown: u64,
    /// The last report; none: unknown.
    pub last: Option<i64>,
    /// The lowest report.
    pub min: Option<i64>,
    /// The highest report.
    pub max: Option<i64>,
    /// The most by which a report was below the truth; 0: never.
    pub below_max: i64,
    /// The most by which a report was above the truth; 0: never.
    pub above_max: i64,
    /// Samples in which it was not the truth.
    pub wrong: u64,
}

/// The lags of a run. Needs samples: without sampling all is empty.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LagSummary {
    /// Of mirrors, by the order of [`LagRule::ALL`].
    pub mirror: [LagCounts; LagRule::ALL.len()],
    /// Of share groups.
    pub share: LagCounts,
    /// Records that members of share groups have accepted or rejected, up to the last look.
    pub share_acknowledged: u64,
}

impl LagCounts {
    pub(super) fn note(&mut self, reported: Option<i64>, truth: i64) {
        self.samples += 1;
        self.last = reported;
        let Some(lag) = reported else {
            self.unknown += 1;
            return;
        };
        self.min = Some(self.min.map_or(lag, |min| min.min(lag)));
        self.max = Some(self.max.map_or(lag, |max| max.max(lag)));
        self.below_max = self.below_max.max(truth - lag);
        self.above_max = self.above_max.max(lag - truth);
        self.wrong += u64::from(lag != truth);
    }
}
