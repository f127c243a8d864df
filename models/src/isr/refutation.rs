//! A run that refutes a claim: a counterexample, or some rounds of a cycle.

use super::bound::{Cycle, Extent};
use super::measure::{Extreme, Measure};
use super::schedule::Schedule;
use super::setting::Setting;
use super::state::State;
use super::step::Action;
use super::verify::{Counterexample, Opinion, verify};
use crate::checker::{Checkable, Options, StopReason};

/// Rounds of a cycle: enough to see that it goes on.
const CYCLE_ROUNDS: usize = 3;

/// A run and the claim that it refutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// What is modelled.
    pub setting: Setting,
    /// What the claim is about.
    pub measure: Measure,
    /// The claim, on one line.
    pub claim: String,
    /// How the run refutes it, as sentences.
    pub story: Vec<String>,
    /// Where the run begins.
    pub start: State,
    /// What happens.
    pub actions: Vec<Action>,
}

impl Refutation {
    /// What refutes the next tighter bound than the answer to a question, or, where the answer is
    /// that there is no bound, that there is one. None: no tighter bound is possible.
    ///
    /// # Errors
    /// The search for a counterexample was cut short.
    pub fn of_answer(
        setting: &Setting,
        measure: Measure,
        extent: &Extent,
        options: &Options,
    ) -> Result<Option<Refutation>, StopReason> {
        if let Extent::Unbounded(cycle) = extent {
            return Ok(Some(Refutation::of_cycle(setting, measure, cycle)));
        }
        match verify(setting, measure, extent, options) {
            Opinion::Stopped(reason) => Err(reason),
            Opinion::Differs(_) => Ok(None),
            Opinion::Agrees(evidence) => {
                Ok(evidence.counterexample.as_ref().map(Refutation::of_counterexample))
            }
        }
    }

    /// A shortest counterexample to a claim, as its trace shows it.
    pub fn of_counterexample(counterexample: &Counterexample) -> Refutation {
        let watch = &counterexample.watch;
        let (start, actions) = counterexample.path();
        let relation = match watch.measure.extreme() {
            Extreme::Largest => "at most",
            Extreme::Smallest => "at least",
        };
        let claimed = format!("It is claimed: {} is {relation} {}.", watch.measure.sentence(), watch.bound);
        let found = counterexample.trace.conclusion.first().cloned().unwrap_or_default();
        Refutation {
            setting: watch.setting,
            measure: watch.measure,
            claim: watch.title(),
            story: vec![claimed, format!("It is not so: {found}.")],
            start,
            actions,
        }
    }

    /// The way to a cycle, a few rounds of it, and the step that looks at the measure then.
    pub fn of_cycle(setting: &Setting, measure: Measure, cycle: &Cycle) -> Refutation {
        let mut actions = cycle.approach.clone();
        for _ in 0..CYCLE_ROUNDS {
            actions.extend(&cycle.round);
        }
        actions.extend(&cycle.tail);
        Refutation {
            setting: *setting,
            measure,
            claim: format!("isr [{setting}]: {measure} has a bound"),
            story: vec![
                format!("It is claimed that there is a bound on this: {}.", measure.sentence()),
                format!(
                    "There is none: the run goes round a cycle of {} steps, here {CYCLE_ROUNDS} times, and each \
                     round makes it larger.",
                    cycle.round.len()
                ),
            ],
            start: cycle.start,
            actions,
        }
    }

    /// The run as a schedule.
    pub fn schedule(&self) -> Schedule {
        Schedule::of(&self.setting, &self.start, &self.actions)
    }
}
