//! What is measured along a run: counters, each the exact form of one reading of a question.

use std::fmt;

use super::setting::Setting;
use super::state::{Follower, State, UNKNOWN};
use super::step::{Action, Effect, Rule};

/// A quantity along a run whose largest (or smallest) observed value answers a question. All are
/// about the first follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// G1 as written: while in the ISR, ticks since the leader knew its LEO to be ≥ HW.
    KnownBelowHighWatermark,
    /// G1 as probably meant: while in the ISR, age of the oldest record that it does not hold.
    BehindByHeld,
    /// While in the ISR, age of the oldest record that the leader does not know it to hold.
    BehindByKnown,
    /// 1 when a diligent follower is removed.
    DiligentRemoved,
    /// At a removal, ticks since its last read that reached the LEO. Smallest.
    ReadBeforeRemoval,
    /// Ticks in a row that it is outside the ISR although diligent.
    Outside,
    /// 1 when it is removed at an instant at which a fetch like its last would let it join.
    LastFetchWouldJoin,
    /// 1 when it is removed at an instant at which its next fetch would let it join.
    NextFetchWouldJoin,
    /// As [`Measure::NextFetchWouldJoin`], just after the removal.
    NextFetchJoinsAfter,
    /// Removals while it is diligent.
    Removals,
    /// 1 when a step breaks an invariant about what is committed, and where.
    Broken,
    /// 1 when a lag in messages rises without an append, or a caught-up age other than by time.
    LagRises,
    /// Ticks since the last append (and since it became diligent) while it still lacks records.
    QuietByHeld,
    /// Ticks since the last append (and since it became diligent) while the leader does not know
    /// it to have everything.
    QuietByKnown,
    /// Ticks in a row that records stay uncommitted although the ISR is the leader alone.
    AloneUncommitted,
}

/// How a step changes one counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Not at all.
    Keep,
    /// By one upwards.
    Grow,
    /// To that value.
    Set(u8),
    /// To the value that the other counter had before the step.
    CopyOther,
}

/// The two counters of a measure: the measured one, and one that it may copy.
pub type Counters = [u8; 2];

/// Which end of the observed values answers the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The largest: "at most B".
    Largest,
    /// The smallest: "at least B".
    Smallest,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 15] = [
        Measure::KnownBelowHighWatermark,
        Measure::BehindByHeld,
        Measure::BehindByKnown,
        Measure::DiligentRemoved,
        Measure::ReadBeforeRemoval,
        Measure::Outside,
        Measure::LastFetchWouldJoin,
        Measure::NextFetchWouldJoin,
        Measure::NextFetchJoinsAfter,
        Measure::Removals,
        Measure::Broken,
        Measure::LagRises,
        Measure::QuietByHeld,
        Measure::QuietByKnown,
        Measure::AloneUncommitted,
    ];

    /// The name used on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Measure::KnownBelowHighWatermark => "g1-as-written",
            Measure::BehindByHeld => "g1-held",
            Measure::BehindByKnown => "g1-known",
            Measure::DiligentRemoved => "diligent-removed",
            Measure::ReadBeforeRemoval => "g2-at-removal",
            Measure::Outside => "g2-outside",
            Measure::LastFetchWouldJoin => "last-would-join",
            Measure::NextFetchWouldJoin => "next-would-join",
            Measure::NextFetchJoinsAfter => "next-joins-after",
            Measure::Removals => "removals",
            Measure::Broken => "invariants",
            Measure::LagRises => "lag-monotone",
            Measure::QuietByHeld => "drain-held",
            Measure::QuietByKnown => "drain-known",
            Measure::AloneUncommitted => "alone-uncommitted",
        }
    }

    /// What is measured, as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Measure::KnownBelowHighWatermark => {
                "while in the ISR: ticks since the leader knew the follower's LEO to be at or above the HW"
            }
            Measure::BehindByHeld => {
                "while in the ISR: age in ticks of the oldest record that the follower does not hold"
            }
            Measure::BehindByKnown => {
                "while in the ISR: age in ticks of the oldest record that the leader does not know the \
                 follower to hold"
            }
            Measure::DiligentRemoved => "whether a diligent follower is ever removed (1) or never (0)",
            Measure::ReadBeforeRemoval => {
                "at a removal: ticks since the follower's last read that reached the LEO, at least"
            }
            Measure::Outside => "ticks in a row that a diligent follower is outside the ISR",
            Measure::LastFetchWouldJoin => {
                "whether the follower is ever removed at an instant at which a fetch at the offset of its \
                 last would pass the join test"
            }
            Measure::NextFetchWouldJoin => {
                "whether the follower is ever removed at an instant at which its next fetch would pass the \
                 join test"
            }
            Measure::NextFetchJoinsAfter => {
                "whether, right after a removal, the follower's next fetch would pass the join test"
            }
            Measure::Removals => "removals of the follower while it is diligent",
            Measure::Broken => "whether any step breaks an invariant (1) or none does (0)",
            Measure::LagRises => {
                "whether any lag in messages rises without an append, or any caught-up age without time (1) \
                 or none does (0)"
            }
            Measure::QuietByHeld => {
                "while nothing is appended: ticks until a diligent follower holds everything"
            }
            Measure::QuietByKnown => {
                "while nothing is appended: ticks until the leader knows that a diligent follower holds \
                 everything"
            }
            Measure::AloneUncommitted => {
                "ticks in a row that the high watermark is below the leader's LEO although the ISR is the \
                 leader alone"
            }
        }
    }

    /// When the measure says anything at all.
    pub fn premise(self) -> &'static str {
        match self {
            Measure::KnownBelowHighWatermark | Measure::BehindByHeld | Measure::BehindByKnown => {
                "the follower is in the ISR"
            }
            Measure::DiligentRemoved | Measure::QuietByHeld | Measure::QuietByKnown | Measure::Removals => {
                "the follower is diligent"
            }
            Measure::Outside => "a diligent follower is outside the ISR",
            Measure::ReadBeforeRemoval
            | Measure::LastFetchWouldJoin
            | Measure::NextFetchWouldJoin
            | Measure::NextFetchJoinsAfter => "the follower is removed",
            Measure::Broken | Measure::LagRises => "always",
            Measure::AloneUncommitted => "the ISR is the leader alone",
        }
    }

    /// Which end of the observed values counts.
    pub fn extreme(self) -> Extreme {
        match self {
            Measure::ReadBeforeRemoval => Extreme::Smallest,
            _ => Extreme::Largest,
        }
    }

    /// The counters in an initial state.
    pub fn start(self) -> Counters {
        [0, 0]
    }

    /// How a step changes the counters. The answer depends on the step alone, never on a counter:
    /// that is what makes a cycle of kept and growing counters a proof that there is no bound.
    pub fn update(self, before: &State, action: Action, effect: &Effect, after: &State) -> [Update; 2] {
        use Update::{CopyOther, Grow, Keep, Set};
        let broken = Rule::broken_in;
        let (was, is) = (&before.followers[0], &after.followers[0]);
        let passes = action == Action::Tick;
        let fetched = matches!(action, Action::Fetch(1) | Action::Return(1));
        let while_true = |holds: bool| match (holds, passes) {
            (false, _) => Set(0),
            (true, true) => Grow,
            (true, false) => Keep,
        };
        let event = |happened: bool| [Set(u8::from(happened)), Keep];
        match self {
            Measure::KnownBelowHighWatermark => {
                let below = is.known == UNKNOWN || is.known > after.high_watermark;
                [while_true(below), Keep]
            }
            Measure::BehindByHeld => [behind_update(was, is, passes), Keep],
            Measure::BehindByKnown => {
                let known = if is.known == 0 {
                    Set(0)
                } else if fetched {
                    CopyOther
                } else if was.known == 0 {
                    Set(0)
                } else {
                    while_true(true)
                };
                [known, behind_update(was, is, passes)]
            }
            Measure::DiligentRemoved => event(effect.removed && was.diligent),
            Measure::ReadBeforeRemoval => {
                let age = if effect.reached_leo {
                    Set(0)
                } else if passes {
                    Grow
                } else {
                    Keep
                };
                [age, Keep]
            }
            Measure::Outside => [while_true(is.diligent && !after.in_isr(0)), Keep],
            Measure::LastFetchWouldJoin => event(effect.last_fetch_would_join),
            Measure::NextFetchWouldJoin => event(effect.next_fetch_would_join),
            Measure::NextFetchJoinsAfter => event(effect.next_fetch_joins_after),
            Measure::AloneUncommitted => [while_true(after.isr == 1 && after.high_watermark > 0), Keep],
            Measure::Removals => [if effect.removed && was.diligent { Grow } else { Keep }, Keep],
            Measure::Broken => event(broken(after).is_some_and(|rule| !rule.is_about_lag())),
            Measure::LagRises => event(broken(after).is_some_and(Rule::is_about_lag)),
            Measure::QuietByHeld | Measure::QuietByKnown => {
                let lacks = if self == Measure::QuietByHeld { is.held > 0 } else { is.known > 0 };
                let restarts = matches!(action, Action::Append(_)) || is.diligent != was.diligent;
                [if restarts { Set(0) } else { while_true(lacks && is.diligent) }, Keep]
            }
        }
    }

    /// Whether the measured counter is looked at after this step.
    pub fn observes(self, before: &State, effect: &Effect, after: &State) -> bool {
        match self {
            Measure::KnownBelowHighWatermark | Measure::BehindByHeld | Measure::BehindByKnown => {
                after.in_isr(0)
            }
            Measure::DiligentRemoved | Measure::Removals => before.followers[0].diligent,
            Measure::ReadBeforeRemoval
            | Measure::LastFetchWouldJoin
            | Measure::NextFetchWouldJoin
            | Measure::NextFetchJoinsAfter => effect.removed,
            Measure::Outside => after.followers[0].diligent && !after.in_isr(0),
            Measure::Broken | Measure::LagRises => true,
            Measure::AloneUncommitted => after.isr == 1,
            Measure::QuietByHeld | Measure::QuietByKnown => after.followers[0].diligent,
        }
    }

    /// Whether the measure is asked in a setting. Some need a follower that is diligent. With
    /// limited reads (question 7) only questions 2, 3 and the invariants are asked: the age of a
    /// record that a limited read left behind is not in the state.
    pub fn applies(self, setting: &Setting) -> bool {
        use super::setting::Behaviour;
        let asked_of_slow = matches!(
            self,
            Measure::DiligentRemoved
                | Measure::ReadBeforeRemoval
                | Measure::Outside
                | Measure::Removals
                | Measure::Broken
                | Measure::LagRises
        );
        let needs_diligence = matches!(
            self,
            Measure::DiligentRemoved
                | Measure::Outside
                | Measure::Removals
                | Measure::QuietByHeld
                | Measure::QuietByKnown
        );
        (asked_of_slow || setting.reads.is_none())
            && (!needs_diligence || setting.behaviour != Behaviour::Any)
    }
}

/// How the age of the oldest record that a follower does not hold changes, with unlimited reads.
fn behind_update(was: &Follower, is: &Follower, passes: bool) -> Update {
    if is.held == 0 || was.held == 0 {
        Update::Set(0)
    } else if passes {
        Update::Grow
    } else {
        Update::Keep
    }
}

/// Applies updates to counters that stop at `cap`.
pub fn updated(counters: Counters, updates: [Update; 2], cap: u8) -> Counters {
    let one = |own: u8, other: u8, update: Update| match update {
        Update::Keep => own,
        Update::Grow => cap.min(own.saturating_add(1)),
        Update::Set(value) => value.min(cap),
        Update::CopyOther => other,
    };
    [one(counters[0], counters[1], updates[0]), one(counters[1], counters[0], updates[1])]
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
