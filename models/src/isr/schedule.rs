//! A path of the model as a schedule: what arrives when, in ticks from the start, and what is so
//! after it in real offsets, as a simulator or a person can play it.

use std::fmt;

use isrlab_sim::protocol::{Offset, ReplicaSet};

use super::setting::{Setting, Start};
use super::state::{Expanded, State, UNKNOWN, expand};
use super::step::{Action, advance, is_enabled, step};

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

/// One event, its tick, counted from the beginning of the path, and what is so after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The tick, from 0.
    pub tick: u32,
    /// When within the tick, in thousandths: in the order of the schedule, and each check at
    /// [`CHECK_AT`], so that checks are whole periods apart.
    pub thousandths: u32,
    /// The event.
    pub event: Event,
    /// The state after it.
    pub after: Snapshot,
}

/// When a check runs within its tick, in thousandths.
pub const CHECK_AT: u32 = 500;

/// From one event of a tick to the next, in thousandths: the others before a check are three at
/// most, and so are those after it.
pub const APART: u32 = 100;

/// What the leader knows and the followers hold, in offsets from the beginning of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The leader's log end offset.
    pub log_end_offset: Offset,
    /// The high watermark.
    pub high_watermark: Offset,
    /// The ISR, as slots.
    pub isr: ReplicaSet,
    /// The log end offset of each follower as the leader knows it; −1 before its first fetch.
    pub known: Vec<Offset>,
    /// The log end offset of each follower.
    pub held: Vec<Offset>,
    /// Ticks since each follower was last caught up as the leader knows, up to D + 1.
    pub caught_up_age: Vec<i64>,
}

impl Snapshot {
    /// What a leader in the middle of a run knows; `base` is subtracted from its offsets.
    fn of(setting: &Setting, real: &Expanded, base: Offset) -> Snapshot {
        let offset = |offset: Offset| if offset < 0 { offset } else { offset - base };
        let followers = 0..usize::from(setting.followers);
        let known = |index: usize| *real.leader.follower(index + 1);
        let age = |index| known(index).caught_up_age(real.now).min(i64::from(setting.caught_up_cap()));
        Snapshot {
            log_end_offset: offset(real.leader.log_end_offset()),
            high_watermark: offset(real.leader.high_watermark()),
            isr: real.leader.isr(),
            known: followers.clone().map(|index| offset(known(index).log_end_offset)).collect(),
            held: followers.clone().map(|index| offset(real.held[index])).collect(),
            caught_up_age: followers.map(age).collect(),
        }
    }
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
    /// What is so before the first event.
    pub before: Snapshot,
    /// The events, in order.
    pub events: Vec<Timed>,
    /// Ticks that the path takes.
    pub ticks: u32,
}

/// What an election finds beside the logs: what the leader remembers of each follower from an
/// earlier term of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Election {
    /// Ticks since it was last caught up (capped).
    pub caught_up_age: Vec<u8>,
    /// Whether its last fetch found the log end where the new term begins.
    pub fetched_at_log_end: Vec<bool>,
}

impl Schedule {
    /// The schedule of `actions` from `start`.
    ///
    /// # Panics
    /// If an action is not enabled where it is taken; paths of the checker's are.
    pub fn of(setting: &Setting, start: &State, actions: &[Action]) -> Schedule {
        let followers = &start.followers[..usize::from(setting.followers)];
        let election = (setting.start == Start::Election).then(|| Election {
            caught_up_age: followers.iter().map(|follower| follower.caught_up_age).collect(),
            fetched_at_log_end: followers.iter().map(|follower| follower.seen != UNKNOWN).collect(),
        });
        let mut real = expand(setting, start);
        let lowest = real.held[..followers.len()].iter().fold(real.leader.high_watermark(), |a, &b| a.min(b));
        let mut schedule = Schedule {
            setting: *setting,
            phase: start.phase,
            election,
            before: Snapshot::of(setting, &real, lowest),
            events: Vec::new(),
            ticks: 0,
        };
        let mut state = *start;
        for &action in actions {
            assert!(is_enabled(setting, &state, action), "{action:?} is not enabled in {state:?}");
            let next = advance(setting, &real, action);
            let event = match action {
                Action::Append(records) => Some(Event::Append(records)),
                Action::Fetch(slot) | Action::Return(slot) => Some(Event::Fetch(slot)),
                Action::Check => Some(Event::Check { removed: real.leader.isr().without(next.leader.isr()) }),
                Action::Tick => None,
            };
            real = next;
            state = step(setting, &state, action).1;
            match event {
                Some(event) => schedule.push(event, Snapshot::of(setting, &real, lowest)),
                None => schedule.ticks += 1,
            }
        }
        schedule
    }

    fn push(&mut self, event: Event, after: Snapshot) {
        let tick = self.ticks;
        let before = self.events.last().filter(|timed| timed.tick == tick);
        let thousandths = match event {
            Event::Check { .. } => CHECK_AT,
            _ => before.map_or(0, |timed| timed.thousandths) + APART,
        };
        self.events.push(Timed { tick, thousandths, event, after });
    }

    /// The tick in which the path ends.
    pub fn last_tick(&self) -> u32 {
        self.ticks
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
