//! The model.

use std::fmt;

use isrlab_sim::protocol::timestamp::{Compression, NO_TIMESTAMP, SentBatch, SentRecord, validate};
use stateright::Model;

use super::claims::{self, Judged};
use super::state::{Entry, RECORDS_MAX, TimestampState};
use super::variant::TimestampVariant;
use crate::checker::{Checkable, Claim, Judgement};
use crate::trace::{Moment, Variable};

/// How large the model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimestampConstants {
    /// The last tick of a clock, 1 to 4; producers write times up to one more.
    pub max_clock: u8,
    /// Most records in the log, 1 to 4.
    pub max_records: u8,
    /// The highest leader epoch, 0 to 3; the first is 0.
    pub max_epoch: u8,
}

impl TimestampConstants {
    /// Constants in the order of the fields.
    pub const fn new(max_clock: u8, max_records: u8, max_epoch: u8) -> Self {
        Self { max_clock, max_records, max_epoch }
    }

    /// Whether the model can be built.
    ///
    /// # Errors
    /// Names the constant that is out of range.
    pub fn validate(self) -> Result<(), TimestampConstantsError> {
        let checks = [
            ("max-clock", self.max_clock, 1, 4),
            ("max-records", self.max_records, 1, RECORDS_MAX as u8),
            ("max-epoch", self.max_epoch, 0, 3),
        ];
        for (name, value, least, most) in checks {
            if !(least..=most).contains(&value) {
                return Err(TimestampConstantsError { name, value, least, most });
            }
        }
        Ok(())
    }
}

impl fmt::Display for TimestampConstants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C{} L{} E{}", self.max_clock, self.max_records, self.max_epoch)
    }
}

/// A constant out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampConstantsError {
    /// The constant, as on the command line without the dashes.
    pub name: &'static str,
    /// What it was.
    pub value: u8,
    /// The least that is accepted.
    pub least: u8,
    /// The most that is accepted.
    pub most: u8,
}

impl fmt::Display for TimestampConstantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, least, most } = self;
        write!(f, "--{name} {value} is out of range for timestamps; accepted are {least} to {most}")
    }
}

impl std::error::Error for TimestampConstantsError {}

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimestampAction {
    /// A broker's clock goes on by a tick.
    Tick {
        /// The broker, from 0.
        broker: u8,
    },
    /// A broker's clock steps back by a tick.
    StepBack {
        /// The broker, from 0.
        broker: u8,
    },
    /// A batch of one or two records reaches the leader.
    Produce {
        /// The times that the producer wrote.
        first: i64,
        /// That of the second record, if there is one.
        second: Option<i64>,
        /// Whether it is compressed.
        compressed: bool,
    },
    /// Leadership moves to the other broker.
    Elect,
}

const KINDS: [&str; 4] = ["tick", "produce", "elect", "clock steps back"];

/// Most steps back of a clock.
const STEPS_BACK_MAX: u8 = 1;

/// The time that makes Kafka's difference wrap around when the clock is at 1.
pub(super) const WRAPPING: i64 = i64::MIN + 1;

/// The model of one variant within one bound.
#[derive(Clone)]
pub struct Timestamps {
    pub(super) variant: TimestampVariant,
    pub(super) constants: TimestampConstants,
    judged: Vec<Judged>,
}

impl Timestamps {
    /// The model of `variant`.
    ///
    /// # Errors
    /// If the constants are out of range.
    pub fn new(
        variant: TimestampVariant,
        constants: TimestampConstants,
    ) -> Result<Self, TimestampConstantsError> {
        constants.validate()?;
        Ok(Self { variant, constants, judged: claims::of(&variant) })
    }

    /// The times that producers write. With LogAppendTime nobody looks at them: two will do.
    fn times(&self) -> Vec<i64> {
        let last = i64::from(self.constants.max_clock) + 1;
        let mut times = if self.variant.is_create_time() {
            (NO_TIMESTAMP..=last).collect()
        } else {
            vec![NO_TIMESTAMP, last]
        };
        times.extend(self.variant.wraps.then_some(WRAPPING));
        times
    }

    fn produce(&self, state: &TimestampState, times: &[i64], compressed: bool) -> TimestampState {
        let records: Vec<SentRecord> =
            times.iter().enumerate().map(|(index, &time)| SentRecord::at(index, time)).collect();
        let codec = if compressed { Compression::Gzip } else { Compression::None };
        let batch = SentBatch::new(codec, &records);
        let clock = state.leader_clock();
        let mut next = *state;
        next.rejected = None;
        match validate(&self.variant.policy, &batch, state.length.into(), clock) {
            Ok(stored) => {
                for (index, record) in records.iter().enumerate() {
                    next.append(Entry {
                        sent: record.timestamp,
                        stored: stored.timestamp(record),
                        clock,
                        epoch: state.epoch,
                        batch_size: records.len() as u8,
                        batch_index: index as u8,
                        header: stored.header.filter(|_| compressed).map(|header| header.max_timestamp),
                        batch_max: stored.max_timestamp,
                    });
                }
            }
            Err(error) => {
                let bad = |index: usize| error.records.iter().any(|record| record.index == index);
                if self.variant.keeps_good_records {
                    for (index, record) in records.iter().enumerate().filter(|(index, _)| !bad(*index)) {
                        next.append(Entry {
                            sent: record.timestamp,
                            stored: record.timestamp,
                            clock,
                            epoch: state.epoch,
                            batch_size: records.len() as u8,
                            batch_index: index as u8,
                            header: None,
                            batch_max: record.timestamp,
                        });
                    }
                }
                next.rejected = Some(next.log != state.log || next.length != state.length);
            }
        }
        next
    }
}

impl TimestampState {
    fn append(&mut self, entry: Entry) {
        self.log[usize::from(self.length)] = entry;
        self.length += 1;
    }
}

impl Model for Timestamps {
    type State = TimestampState;
    type Action = TimestampAction;

    /// Both clocks at 0, the first broker leads, nothing is written.
    fn init_states(&self) -> Vec<TimestampState> {
        vec![TimestampState::default()]
    }

    fn actions(&self, state: &TimestampState, actions: &mut Vec<TimestampAction>) {
        self.for_each_step(state, |action, _| actions.push(action));
    }

    fn next_state(&self, state: &TimestampState, action: TimestampAction) -> Option<TimestampState> {
        let mut outcome = None;
        self.for_each_step(state, |taken, next| {
            if taken == action {
                outcome = Some(next);
            }
        });
        outcome
    }
}

impl Checkable for Timestamps {
    fn title(&self) -> String {
        format!("timestamps {} {}", self.variant.name, self.constants)
    }

    fn bound(&self) -> String {
        let TimestampConstants { max_clock, max_records, max_epoch } = self.constants;
        format!(
            "2 brokers, clocks 0 to {max_clock}, batches of 1 or 2 records, {max_records} records, leader epochs 0 to {max_epoch}"
        )
    }

    fn action_kinds(&self) -> Vec<&'static str> {
        let count = if self.variant.clock_steps_back { 4 } else { 3 };
        KINDS[..count].to_vec()
    }

    fn action_kind(&self, action: &TimestampAction) -> usize {
        match action {
            TimestampAction::Tick { .. } => 0,
            TimestampAction::Produce { .. } => 1,
            TimestampAction::Elect => 2,
            TimestampAction::StepBack { .. } => 3,
        }
    }

    fn action_label(&self, from: &TimestampState, action: &TimestampAction) -> String {
        self.label(from, action)
    }

    fn claims(&self) -> Vec<Claim> {
        self.judged.iter().map(|judged| judged.claim).collect()
    }

    fn judge(&self, state: &TimestampState) -> Judgement {
        claims::judge(&self.judged, &self.variant, state)
    }

    fn variables(&self, state: &TimestampState) -> Vec<Variable> {
        self.describe(state)
    }

    fn conclusion(&self, claim: usize, path: &[Moment<TimestampState, TimestampAction>]) -> Vec<String> {
        self.conclude(self.judged[claim].claim.name, path)
    }

    fn for_each_step<F: FnMut(TimestampAction, TimestampState)>(&self, state: &TimestampState, mut visit: F) {
        let after = |change: &dyn Fn(&mut TimestampState)| {
            let mut next = TimestampState { rejected: None, ..*state };
            change(&mut next);
            next
        };
        for broker in 0..state.clocks.len() {
            let action = TimestampAction::Tick { broker: broker as u8 };
            if state.clocks[broker] < i64::from(self.constants.max_clock) {
                visit(action, after(&|next| next.clocks[broker] += 1));
            }
            let may_step_back = self.variant.clock_steps_back && state.steps_back < STEPS_BACK_MAX;
            if may_step_back && state.clocks[broker] > 0 {
                let next = after(&|next| {
                    next.clocks[broker] -= 1;
                    next.steps_back += 1;
                });
                visit(TimestampAction::StepBack { broker: broker as u8 }, next);
            }
        }
        if state.epoch < self.constants.max_epoch {
            let next = after(&|next| {
                next.leader = 1 - next.leader;
                next.epoch += 1;
            });
            visit(TimestampAction::Elect, next);
        }
        let room = self.constants.max_records.saturating_sub(state.length);
        let times = self.times();
        for compressed in [false, true] {
            for &first in times.iter().filter(|_| room >= 1) {
                let action = TimestampAction::Produce { first, second: None, compressed };
                visit(action, self.produce(state, &[first], compressed));
                for &second in times.iter().filter(|_| room >= 2) {
                    let action = TimestampAction::Produce { first, second: Some(second), compressed };
                    visit(action, self.produce(state, &[first, second], compressed));
                }
            }
        }
    }
}
