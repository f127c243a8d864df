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
    /// What share groups did, up to the last look.
    pub groups: ShareCounts,
    /// Scripted steps that were taken, up to the last look.
    pub script_steps: u64,
    /// Scripted steps that were not possible when their time came.
    pub script_steps_skipped: u64,
}

/// What a share group did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ShareCounts {
    /// Records that its members have accepted or rejected.
    pub acknowledged: u64,
    /// Writes to the share coordinator that its leaders sent.
    pub writes: u64,
    /// Writes that a fault kept from arriving, or whose answer it kept back.
    pub writes_failed: u64,
    /// Writes that a fault made late.
    pub writes_late: u64,
    /// Answers with a higher lag than the one before, though nothing was produced and no offset
    /// altered between the two.
    pub quiet_rises: u64,
    /// The most by which one of those was higher.
    pub quiet_rise_max: i64,
}

impl ShareCounts {
    pub(super) fn add(&mut self, other: &ShareCounts) {
        self.acknowledged += other.acknowledged;
        self.writes += other.writes;
        self.writes_failed += other.writes_failed;
        self.writes_late += other.writes_late;
        self.quiet_rises += other.quiet_rises;
        self.quiet_rise_max = self.quiet_rise_max.max(other.quiet_rise_max);
    }
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
