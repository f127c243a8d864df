//! The second opinion: each bound is claimed to the checker, which must find that it holds and
//! that the next tighter one does not; each cycle is walked.

use super::bound::{Cycle, Extent};
use super::measure::{Extreme, Measure, Update};
use super::model::{Watch, Watched};
use super::setting::Setting;
use super::state::State;
use super::step::{Action, is_enabled, step};
use crate::checker::{Checkable, Options, Report, StopReason, Verdict, check};
use crate::trace::Trace;

/// What the second opinion came to.
#[derive(Clone, Debug)]
pub enum Opinion {
    /// The checker agrees.
    Agrees(Evidence),
    /// It does not; in words.
    Differs(String),
    /// It was cut short.
    Stopped(StopReason),
}

/// What an agreement rests on.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The claim at the bound: distinct states of the model with its counters.
    pub states: Option<u64>,
    /// How often the premise was true there.
    pub premise_states: u64,
    /// A shortest counterexample to the next tighter claim; none where nothing is tighter.
    pub counterexample: Option<Counterexample>,
    /// What the counter came to after one, two and three rounds of the cycle.
    pub rounds: Option<[u32; 3]>,
}

/// A shortest run that refutes a claim.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The claim.
    pub watch: Watch,
    /// The run, for readers.
    pub trace: Trace,
}

impl Counterexample {
    /// Where the printed run begins, and its actions: read off the trace itself, step by step, so
    /// that what is saved is what is printed.
    ///
    /// # Panics
    /// If the trace is not one of the claim's own.
    pub fn path(&self) -> (State, Vec<Action>) {
        use stateright::Model;
        let first = &self.trace.steps[0];
        let starts = self.watch.init_states().into_iter();
        let mut fitting = starts.filter(|start| self.watch.variables(start) == first.state);
        let found = fitting.find_map(|start| Some((start.state, self.follow(start)?)));
        found.expect("a trace follows the model from one of its initial states")
    }

    /// The actions of the trace, if it begins in this state: each has the step's label and leads to
    /// what the step shows.
    fn follow(&self, start: Watched) -> Option<Vec<Action>> {
        let mut at = start;
        let mut actions = Vec::new();
        for step in &self.trace.steps[1..] {
            let mut taken = None;
            self.watch.for_each_step(&at, |action, next| {
                let fits = self.watch.action_label(&at, &action) == step.action
                    && self.watch.variables(&next) == step.state;
                if fits {
                    taken = Some((action, next));
                }
            });
            let (action, next) = taken?;
            actions.push(action);
            at = next;
        }
        at.passed.then_some(actions)
    }
}

/// Asks the checker about one answer.
pub fn verify(setting: &Setting, measure: Measure, extent: &Extent, options: &Options) -> Opinion {
    match extent {
        Extent::Never => never(setting, measure, options),
        Extent::Exactly(bound) => exactly(setting, measure, *bound, options),
        Extent::Unbounded(cycle) => walk(setting, measure, cycle),
    }
}

fn never(setting: &Setting, measure: Measure, options: &Options) -> Opinion {
    let watch = Watch { setting: *setting, measure, bound: 0 };
    let report = check(&watch, options, &mut |_| {});
    if let Some(reason) = report.stopped {
        return Opinion::Stopped(reason);
    }
    match report.claims[0].premise_states {
        0 => Opinion::Agrees(Evidence { states: Some(report.distinct_states), ..Evidence::default() }),
        premises => Opinion::Differs(format!("the premise is true in {premises} states")),
    }
}

fn exactly(setting: &Setting, measure: Measure, bound: u8, options: &Options) -> Opinion {
    let holds = Watch { setting: *setting, measure, bound };
    let report = check(&holds, options, &mut |_| {});
    let mut evidence = Evidence {
        states: Some(report.distinct_states),
        premise_states: report.claims[0].premise_states,
        ..Evidence::default()
    };
    match verdict(&report) {
        Ok(Verdict::Holds) => {}
        Ok(_) => return Opinion::Differs(format!("{} is refuted", holds.title())),
        Err(reason) => return Opinion::Stopped(reason),
    }
    let tighter = match measure.extreme() {
        Extreme::Largest => bound.checked_sub(1),
        Extreme::Smallest => Some(bound + 1),
    };
    if let Some(bound) = tighter {
        let refuted = Watch { setting: *setting, measure, bound };
        let report = check(&refuted, options, &mut |_| {});
        match verdict(&report) {
            Ok(Verdict::Violated) => {}
            Ok(_) => return Opinion::Differs(format!("{} is not refuted", refuted.title())),
            Err(reason) => return Opinion::Stopped(reason),
        }
        let trace = report.claims.into_iter().next().and_then(|claim| claim.counterexample);
        evidence.counterexample = trace.map(|trace| Counterexample { watch: refuted, trace });
    }
    Opinion::Agrees(evidence)
}

fn verdict(report: &Report) -> Result<Verdict, StopReason> {
    match (report.claims[0].verdict, report.stopped) {
        (Verdict::Violated, _) => Ok(Verdict::Violated),
        (_, Some(reason)) => Err(reason),
        (verdict, None) => Ok(verdict),
    }
}

/// Walks a cycle once, twice and thrice, with counters that never stop, and looks at the end.
fn walk(setting: &Setting, measure: Measure, cycle: &Cycle) -> Opinion {
    let mut rounds = [0; 3];
    for (times, value) in (1..).zip(&mut rounds) {
        match walk_rounds(setting, measure, cycle, times) {
            Ok(found) => *value = found,
            Err(what) => return Opinion::Differs(what),
        }
    }
    if rounds[0] < rounds[1] && rounds[1] < rounds[2] {
        Opinion::Agrees(Evidence { rounds: Some(rounds), ..Evidence::default() })
    } else {
        Opinion::Differs(format!("the counter does not grow with the rounds: {rounds:?}"))
    }
}

fn walk_rounds(setting: &Setting, measure: Measure, cycle: &Cycle, times: usize) -> Result<u32, String> {
    let mut walker = Walker { setting, measure, state: cycle.start, counters: [0, 0], seen: None };
    walker.take(&cycle.approach)?;
    let anchor = walker.state;
    for _ in 0..times {
        walker.take(&cycle.round)?;
        if walker.state != anchor {
            return Err("a round does not end where it began".to_owned());
        }
    }
    walker.seen = None;
    walker.take(&cycle.tail)?;
    walker.seen.ok_or_else(|| "the tail does not look at the counter".to_owned())
}

/// Follows actions with counters that do not stop at any cap.
struct Walker<'a> {
    setting: &'a Setting,
    measure: Measure,
    state: State,
    counters: [u32; 2],
    seen: Option<u32>,
}

impl Walker<'_> {
    fn take(&mut self, actions: &[Action]) -> Result<(), String> {
        for &action in actions {
            if !is_enabled(self.setting, &self.state, action) {
                return Err(format!("{action} is not possible in {:?}", self.state));
            }
            let (effect, next) = step(self.setting, &self.state, action);
            let updates = self.measure.update(&self.state, action, &effect, &next);
            let old = self.counters;
            for (which, update) in updates.into_iter().enumerate() {
                self.counters[which] = match update {
                    Update::Keep => old[which],
                    Update::Grow => old[which] + 1,
                    Update::Set(value) => value.into(),
                    Update::CopyOther => old[1 - which],
                };
            }
            if self.measure.observes(&self.state, &effect, &next) {
                self.seen = Some(self.counters[0]);
            }
            self.state = next;
        }
        Ok(())
    }
}
