//! What a scenario says must hold, and whether it did.

mod evaluate;
mod lag;
mod observer;

pub use evaluate::Verdict;
pub(crate) use evaluate::{Length, evaluate};
pub use observer::ExpectationObserver;

use isrlab_sim::cluster::MetricValue;
use isrlab_sim::cluster::metric::Metric;
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::protocol::Profile;

use crate::source::Span;
use crate::sweep::{Axis, Cells};

/// In how many of the runs of a cell an expectation must hold, and how sure one must be of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareRule {
    /// The share of all possible runs, from 0 to 1.
    pub share: f64,
    /// The probability with which each bound on the share is right, from 0.5 to below 1.
    pub confidence: f64,
}

/// One `[[expect]]` block.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Its number among the blocks of the file, from 0.
    pub(crate) index: usize,
    /// Whether it speaks of this run at all; one about certain cells of a sweep does not speak
    /// of a replay.
    pub(crate) judged: bool,
    /// Of which cells of a sweep it speaks.
    pub(crate) cells: Cells,
    pub(crate) share: Option<ShareRule>,
    pub(crate) that: String,
    pub(crate) under: Vec<Profile>,
    pub(crate) given_faults: Vec<String>,
    pub(crate) check: Check,
    pub(crate) span: Span,
}

impl Expectation {
    /// The expectation as its author's sentence.
    pub fn that(&self) -> &str {
        &self.that
    }

    /// Its number among the `[[expect]]` blocks of the file, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The profiles and criteria under which it must hold.
    pub fn under(&self) -> &[Profile] {
        &self.under
    }

    /// Whether it names cells of a sweep, and a sweep over these keys under these profiles has none
    /// of them: it would be judged nowhere.
    pub fn names_no_cell_of(&self, axes: &[Axis], profiles: &[Profile]) -> bool {
        let under = profiles.iter().any(|profile| self.under.iter().any(|own| own.name == profile.name));
        match &self.cells {
            Cells::AsWritten => false,
            Cells::Every => !under,
            Cells::Where(conditions) => {
                let known =
                    conditions.iter().all(|condition| axes.iter().any(|axis| axis.key() == condition.key()));
                let met = axes.iter().all(|axis| {
                    let of_axis = || conditions.iter().filter(|condition| condition.key() == axis.key());
                    (0..axis.values().len())
                        .any(|value| of_axis().all(|condition| condition.is_met([(axis, value)].into_iter())))
                });
                !(under && known && met)
            }
        }
    }

    /// In what share of the runs it must hold; none: in each.
    pub fn share(&self) -> Option<ShareRule> {
        self.share
    }

    /// Whether it looks at the timeline, which must be sampled then.
    pub fn needs_samples(&self) -> bool {
        self.judged && matches!(self.check, Check::State { .. })
    }

    /// Whether it must hold under a profile.
    pub fn applies_to(&self, profile: &Profile) -> bool {
        self.judged && self.under.iter().any(|own| own.name == profile.name)
    }
}

/// What an expectation compares.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// A number of the summary, or of one topic: its name and number.
    Metric { metric: &'static Metric, topic: Option<(String, usize)>, bounds: Bounds },
    /// The times at which a replica, or any replica, left or joined an ISR.
    IsrTimes {
        topic: String,
        partition: usize,
        /// The number of the partition through all topics.
        global_partition: usize,
        broker: Option<i32>,
        shrinks: Option<Vec<SimTime>>,
        expands: Option<Vec<SimTime>>,
        within: SimDuration,
    },
    /// The state of a partition at a sampling time.
    State {
        topic: String,
        partition: usize,
        /// The number of the partition through all topics.
        global_partition: usize,
        at: SimTime,
        wanted: WantedState,
    },
    /// The lag of a mirror by a rule, or of a share group, at a sampling time.
    Lag {
        /// Its name.
        actor: String,
        /// A mirror's rule.
        rule: Option<String>,
        at: SimTime,
        wanted: Box<WantedLag>,
    },
}

/// What a lag is to be like at a time; what is none is not compared. The inner option is none
/// where the number is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WantedLag {
    pub reported: Option<Option<i64>>,
    pub truth: Option<i64>,
    pub then: Option<Option<i64>>,
    pub leo: Option<Option<i64>>,
    pub lro: Option<Option<i64>>,
    pub end_age_ms: Option<Option<i64>>,
    pub start_offset: Option<i64>,
    pub end_offset: Option<i64>,
    /// Rising.
    pub in_flight: Option<Vec<i64>>,
    pub persisted_start_offset: Option<Option<i64>>,
    pub persisted_count: Option<Option<i64>>,
}

/// What a partition is to be like at a time; what is none is not compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WantedState {
    /// Broker ids, rising.
    pub isr: Option<Vec<i32>>,
    pub high_watermark: Option<i64>,
    /// Of each replica, in the order of the assignment.
    pub log_ends: Option<Vec<i64>>,
    pub known_log_ends: Option<Vec<i64>>,
}

/// The values that a metric may have, both ends included. All are of the metric's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub least: Option<MetricValue>,
    pub most: Option<MetricValue>,
}
