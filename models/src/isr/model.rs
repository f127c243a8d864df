//! A measure and a bound as a model for the checker: the state, the measure's counters, and
//! whether the bound has been passed.
//!
//! Liveness-like questions ("how long can it stay outside?") are claims about a counter in the
//! state. stateright's `eventually` would not do: it looks at acyclic paths only and can miss a
//! case where two paths join.

use stateright::Model;

use super::measure::{Counters, Extreme, Measure, updated};
use super::schedule::Schedule;
use super::setting::{Behaviour, Setting};
use super::state::{State, UNKNOWN};
use super::step::{Action, Rule, for_each_step, initial_states};
use crate::checker::{Checkable, Claim, Judgement, Packed};
use crate::trace::{Message, Moment, Value, Variable};

/// The claim that a measure stays within a bound.
#[derive(Clone, Debug)]
pub struct Watch {
    /// What is modelled.
    pub setting: Setting,
    /// What is measured.
    pub measure: Measure,
    /// The measure's value is claimed to be at most this, or at least, as its
    /// [`Extreme`] says.
    pub bound: u8,
}

/// A state of a [`Watch`]. A state that passes the bound has no successors: what comes after it
/// says nothing more about the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The state of the model.
    pub state: State,
    /// The measure's counters, up to where the claim cannot tell larger ones apart.
    pub counters: Counters,
    /// The step into this state looked at the measure.
    pub observed: bool,
    /// And found the bound passed.
    pub passed: bool,
}

impl Watched {
    fn word(&self) -> u128 {
        self.state.pack()
            | u128::from(self.counters[0]) << 105
            | u128::from(self.counters[1]) << 113
            | u128::from(self.observed) << 121
            | u128::from(self.passed) << 122
    }
}

impl std::hash::Hash for Watched {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u128(self.word());
    }
}

impl Watch {
    /// The largest counter that the claim tells apart from a larger one.
    fn cap(&self) -> u8 {
        match self.measure.extreme() {
            Extreme::Largest => self.bound.saturating_add(1),
            Extreme::Smallest => self.bound,
        }
    }

    /// Takes one step with the counters beside it.
    pub fn follow(
        &self,
        from: &Watched,
        action: Action,
        effect: &super::step::Effect,
        next: State,
    ) -> Watched {
        let updates = self.measure.update(&from.state, action, effect, &next);
        let counters = updated(from.counters, updates, self.cap());
        let observed = self.measure.observes(&from.state, effect, &next);
        let passed = observed
            && match self.measure.extreme() {
                Extreme::Largest => counters[0] > self.bound,
                Extreme::Smallest => counters[0] < self.bound,
            };
        Watched { state: next, counters, observed, passed }
    }
}

impl Model for Watch {
    type State = Watched;
    type Action = Action;

    fn init_states(&self) -> Vec<Watched> {
        let begin = |state| Watched { state, counters: self.measure.start(), observed: false, passed: false };
        initial_states(&self.setting).into_iter().map(begin).collect()
    }

    fn actions(&self, from: &Watched, actions: &mut Vec<Action>) {
        self.for_each_step(from, |action, _| actions.push(action));
    }

    fn next_state(&self, from: &Watched, action: Action) -> Option<Watched> {
        let mut found = None;
        self.for_each_step(from, |taken, next| {
            if taken == action {
                found = Some(next);
            }
        });
        found
    }
}

impl Checkable for Watch {
    fn title(&self) -> String {
        let relation = match self.measure.extreme() {
            Extreme::Largest => "at most",
            Extreme::Smallest => "at least",
        };
        format!("isr [{}]: {} is {relation} {}", self.setting, self.measure, self.bound)
    }

    fn bound(&self) -> String {
        match self.setting.reads {
            None => "runs of any length; no bound".to_owned(),
            Some(reads) => {
                format!("runs of any length in which a follower lacks at most {} records", reads.backlog)
            }
        }
    }

    fn action_kinds(&self) -> Vec<&'static str> {
        let mut kinds = Action::KINDS.to_vec();
        if self.setting.behaviour != Behaviour::Returning {
            kinds.remove(Action::Return(1).kind());
        }
        kinds
    }

    fn action_kind(&self, action: &Action) -> usize {
        let returns = self.setting.behaviour == Behaviour::Returning;
        let without_return = !returns && action.kind() > Action::Return(1).kind();
        action.kind() - usize::from(without_return)
    }

    fn action_label(&self, from: &Watched, action: &Action) -> String {
        match action {
            Action::Fetch(slot) | Action::Return(slot) => {
                let held = from.state.followers[usize::from(*slot) - 1].held;
                format!("{action} (reads from {})", below(held))
            }
            _ => action.to_string(),
        }
    }

    fn message(&self, from: &Watched, action: &Action) -> Option<Message> {
        let text = self.action_label(from, action);
        let (sender, receiver) = match action {
            Action::Append(_) => ("producer".to_owned(), "leader".to_owned()),
            Action::Fetch(slot) | Action::Return(slot) => (format!("follower {slot}"), "leader".to_owned()),
            Action::Check => ("leader".to_owned(), "leader".to_owned()),
            Action::Tick => return None,
        };
        Some(Message { from: sender, to: receiver, text })
    }

    fn participants(&self) -> Vec<String> {
        let followers = (1..=self.setting.followers).map(|slot| format!("follower {slot}"));
        ["producer".to_owned(), "leader".to_owned()].into_iter().chain(followers).collect()
    }

    fn claims(&self) -> Vec<Claim> {
        vec![Claim {
            name: self.measure.name(),
            statement: self.measure.sentence(),
            premise: self.measure.premise(),
        }]
    }

    fn judge(&self, state: &Watched) -> Judgement {
        Judgement { premises: u32::from(state.observed), violated: u32::from(state.passed) }
    }

    fn variables(&self, watched: &Watched) -> Vec<Variable> {
        let state = &watched.state;
        let members = (0..3i64).filter(|slot| state.isr & 1 << slot != 0).map(Value::Int);
        let mut variables = vec![
            Variable::new("high watermark", below(state.high_watermark)),
            Variable::new("ISR", Value::Set(members.collect())),
            Variable::new("ticks since a multiple of P", i64::from(state.phase)),
            Variable::new("check due", state.check_due),
        ];
        for (index, follower) in state.followers.iter().enumerate().take(usize::from(self.setting.followers))
        {
            let slot = index + 1;
            let mut add = |name: &str, value: Value| {
                variables.push(Variable::new(format!("follower {slot}: {name}"), value));
            };
            add("holds up to", below(follower.held).into());
            add("known to hold up to", below(follower.known).into());
            add("LEO at its last fetch", below(follower.seen).into());
            add("ticks since caught up", capped(follower.caught_up_age, self.setting.caught_up_cap()));
            add("ticks since its last fetch", capped(follower.fetch_age, self.setting.fetch_cap()));
            add("diligent", follower.diligent.into());
        }
        if let Some(rule) = Rule::broken_in(state) {
            variables.push(Variable::new("broken", rule.sentence()));
        } else {
            variables.push(Variable::new("broken", "nothing"));
        }
        variables.push(Variable::new(self.measure.name(), capped(watched.counters[0], self.cap())));
        variables
    }

    fn conclusion(&self, _claim: usize, path: &[Moment<Watched, Action>]) -> Vec<String> {
        let actions: Vec<Action> = path.iter().filter_map(|moment| moment.action).collect();
        let schedule = Schedule::of(&self.setting, &path[0].state.state, &actions);
        let last = path[path.len() - 1].state;
        let more = match self.measure.extreme() {
            Extreme::Largest => "or more, which is above",
            Extreme::Smallest => "which is below",
        };
        let mut sentences = vec![format!(
            "at tick {} the measure is {}, {more} the claimed bound of {}",
            schedule.last_tick(),
            last.counters[0],
            self.bound
        )];
        sentences.push(format!("as a schedule: {schedule}"));
        sentences
    }

    fn for_each_step<F: FnMut(Action, Watched)>(&self, from: &Watched, mut visit: F) {
        if from.passed {
            return;
        }
        for_each_step(&self.setting, &from.state, |action, effect, next| {
            visit(action, self.follow(from, action, &effect, next));
        });
    }
}

impl Packed for Watch {
    type Word = u128;

    fn pack(&self, state: &Watched) -> u128 {
        state.word()
    }

    fn unpack(&self, word: u128) -> Watched {
        let byte = |at: u32| (word >> at & 0xff) as u8;
        Watched {
            state: State::unpack(word & ((1 << 105) - 1)),
            counters: [byte(105), byte(113)],
            observed: word >> 121 & 1 == 1,
            passed: word >> 122 & 1 == 1,
        }
    }
}

/// A distance below the log end offset, in words.
fn below(distance: u8) -> String {
    match distance {
        UNKNOWN => "unknown".to_owned(),
        0 => "LEO".to_owned(),
        _ => format!("LEO − {distance}"),
    }
}

/// A number that stands for itself or, at its cap, for anything from there on.
fn capped(value: u8, cap: u8) -> Value {
    if value >= cap { Value::Text(format!("{cap} or more")) } else { Value::Int(i64::from(value)) }
}
