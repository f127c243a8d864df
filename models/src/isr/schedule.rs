//! A path of the model as a schedule: what arrives when, in ticks from the start and in real
//! offsets, as a simulator or a person can play it.

use std::fmt;

use isrlab_sim::protocol::{Offset, ReplicaSet};

use super::setting::{Setting, Start};
use super::state::State;
use super::step::{Action, step};

/// What happens at one moment of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The producer appends so many records.
    Append(u8),
    /// A fetch of that follower (from 1) arrives.
    Fetch(u8),
    /// The check runs, and removes these.
    Check {
        /// Who is removed.
        removed: ReplicaSet,
    },
}

/// One event and its tick, counted from the beginning of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The tick, from 0.
    pub tick: u32,
    /// The event; events of one tick happen in the order of the schedule.
    pub event: Event,
}

/// A path as a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The setting of the model.
    pub setting: Setting,
    /// Checks run at the ticks `t` with `(t + phase) % P == 0`.
    pub phase: u8,
    /// What an election begins with; `None` for an established leader.
    pub election: Option<Election>,
    /// The events, in order.
    pub events: Vec<Timed>,
    /// Ticks that the path takes.
    pub ticks: u32,
}

/// The initial state of a path that begins with an election.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Election {
    /// The ISR of the new leader.
    pub isr: ReplicaSet,
    /// Records that the new leader has above its high watermark.
    pub uncommitted: Offset,
    /// Records that each follower lacks.
    pub missing: Vec<Offset>,
    /// Ticks since each follower was last caught up, as the leader remembers it (capped).
    pub caught_up_age: Vec<u8>,
}

impl Schedule {
    /// The schedule of `actions` from `start`.
    ///
    /// # Panics
    /// If an action is not enabled where it is taken; paths of the checker's are.
    pub fn of(setting: &Setting, start: &State, actions: &[Action]) -> Schedule {
        let followers = usize::from(setting.followers);
        let election = (setting.start == Start::Election).then(|| Election {
            isr: ReplicaSet::from_bits(u32::from(start.isr)),
            uncommitted: Offset::from(start.high_watermark),
            missing: start.followers[..followers].iter().map(|f| Offset::from(f.held)).collect(),
            caught_up_age: start.followers[..followers].iter().map(|f| f.caught_up_age).collect(),
        });
        let mut schedule =
            Schedule { setting: *setting, phase: start.phase, election, events: Vec::new(), ticks: 0 };
        let mut state = *start;
        for &action in actions {
            assert!(
                super::step::is_enabled(setting, &state, action),
                "{action:?} is not enabled in {state:?}"
            );
            let (_, next) = step(setting, &state, action);
            let event = match action {
                Action::Append(records) => Some(Event::Append(records)),
                Action::Fetch(slot) | Action::Return(slot) => Some(Event::Fetch(slot)),
                Action::Check => {
                    Some(Event::Check { removed: ReplicaSet::from_bits(u32::from(state.isr & !next.isr)) })
                }
                Action::Tick => None,
            };
            match event {
                Some(event) => schedule.events.push(Timed { tick: schedule.ticks, event }),
                None => schedule.ticks += 1,
            }
            state = next;
        }
        schedule
    }

    /// The tick in which the path ends.
    pub fn last_tick(&self) -> u32 {
        self.ticks
    }

    /// When a follower's fetches arrive, in ticks.
    pub fn fetches_of(&self, slot: u8) -> Vec<u32> {
        let of_slot = |timed: &&Timed| timed.event == Event::Fetch(slot);
        self.events.iter().filter(of_slot).map(|timed| timed.tick).collect()
    }

    /// When records are appended, in ticks, and how many.
    pub fn appends(&self) -> Vec<(u32, u8)> {
        let appended = |timed: &Timed| match timed.event {
            Event::Append(records) => Some((timed.tick, records)),
            _ => None,
        };
        self.events.iter().filter_map(appended).collect()
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, timed) in self.events.iter().enumerate() {
            if number > 0 {
                f.write_str(", ")?;
            }
            let tick = timed.tick;
            match timed.event {
                Event::Append(records) => write!(f, "t{tick} append {records}")?,
                Event::Fetch(slot) => write!(f, "t{tick} fetch {slot}")?,
                Event::Check { removed } if removed.is_empty() => write!(f, "t{tick} check")?,
                Event::Check { removed } => write!(f, "t{tick} check removes {removed:?}")?,
            }
        }
        Ok(())
    }
}
