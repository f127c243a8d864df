//! What one model is a model of: criterion, cluster, behaviour and limits.

use std::fmt;

use isrlab_sim::protocol::criterion::LagLimits;
use isrlab_sim::protocol::{IsrCriterion, LeaderSettings, NewLeaderReset, Profile};

/// The longest time in ticks that a setting may name; ages are packed into six bits.
pub const MAX_TICKS: u8 = 50;

/// The most records that a setting may name; distances are packed into eight bits.
pub const MAX_RECORDS: u8 = 60;

/// How the follower that the questions are about behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Behaviour {
    /// Its next fetch arrives 1 … F ticks after its last, always.
    Diligent,
    /// It fetches when it likes, at most once a tick, and may stop for as long as it likes.
    Any,
    /// As [`Behaviour::Any`], and from some fetch on [`Behaviour::Diligent`] for ever.
    Returning,
}

impl Behaviour {
    /// All of them.
    pub const ALL: [Behaviour; 3] = [Behaviour::Diligent, Behaviour::Any, Behaviour::Returning];

    /// The name used on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Behaviour::Diligent => "diligent",
            Behaviour::Any => "any",
            Behaviour::Returning => "returning",
        }
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Start {
    /// An established leader: every follower is in the ISR, has just fetched, and has everything.
    Established,
    /// A new leader, before any follower has fetched from it. What it remembers is what
    /// [`NewLeaderReset`] leaves; the ISR is any that contains the leader; each member has at
    /// least what is committed (the election was clean), each other replica has anything.
    Election,
}

impl Start {
    /// Both.
    pub const ALL: [Start; 2] = [Start::Established, Start::Election];

    /// The name used on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Start::Established => "established",
            Start::Election => "election",
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The most records that a fetch is answered with, and the backlog up to which that is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimitedReads {
    /// Most records in an answer (`replica.fetch.max.bytes`, counted in records), at least 1.
    pub records: u8,
    /// The producer waits while a follower lacks this many records. Without such a bound the
    /// distance between two offsets, which limited reads make matter, has no largest value: the
    /// one bound of these models, and part of every answer that rests on it.
    pub backlog: u8,
}

/// One model. Time is in ticks, offsets in records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setting {
    /// The ISR criterion.
    pub criterion: IsrCriterion,
    /// What a new leader remembers.
    pub reset: NewLeaderReset,
    /// Followers: 1 or 2. The questions are about the first; the second behaves as
    /// [`Behaviour::Any`] (which includes all others), or, with `alike`, as the first does.
    pub followers: u8,
    /// D, `replica.lag.time.max.ms`: 1 … [`MAX_TICKS`].
    pub lag: u8,
    /// P, the period of the check: 1 … [`MAX_TICKS`].
    pub period: u8,
    /// F, the longest gap between two fetches of a diligent follower: 1 … [`MAX_TICKS`].
    pub gap: u8,
    /// w, the most records appended in a tick: 0 … [`MAX_RECORDS`].
    pub writes: u8,
    /// Exactly w records are appended in every tick, not up to w.
    pub steady: bool,
    /// b; `None`: a fetch is answered with all there is.
    pub reads: Option<LimitedReads>,
    /// M, `replica.lag.max.messages`; only `max-messages` reads it.
    pub messages_max: u8,
    /// How the first follower behaves.
    pub behaviour: Behaviour,
    /// The second follower behaves as the first does.
    pub alike: bool,
    /// Where a run begins.
    pub start: Start,
}

impl Setting {
    /// The setting of a criterion with its own check period and reset: one diligent follower,
    /// D = 4, F = 2, w = 1, M = 4, unlimited reads, an established leader.
    pub fn of(criterion: IsrCriterion) -> Self {
        Setting { criterion, reset: criterion.reset_as_recorded(), ..Setting::base() }.with_lag(4)
    }

    fn base() -> Self {
        Setting {
            criterion: IsrCriterion::Post4485,
            reset: NewLeaderReset::IsrNow,
            followers: 1,
            lag: 4,
            period: 2,
            gap: 2,
            writes: 1,
            steady: false,
            reads: None,
            messages_max: 4,
            behaviour: Behaviour::Diligent,
            alike: false,
            start: Start::Established,
        }
    }

    /// This setting with another D, and the check period that the criterion has at that D.
    pub fn with_lag(self, lag: u8) -> Self {
        let period = self.criterion.rules().check_period(i64::from(lag));
        Setting { lag, period: u8::try_from(period).expect("a period is at most its lag"), ..self }
    }

    /// Whether the setting can be explored.
    ///
    /// # Errors
    /// A sentence that names the part, its value and what would be accepted.
    pub fn validate(&self) -> Result<(), String> {
        let within = |what: &str, value: u8, low: u8, high: u8| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(format!("{what} is {value}; it must be {low} to {high}"))
            }
        };
        within("the number of followers", self.followers, 1, 2)?;
        within("the lag time D", self.lag, 1, MAX_TICKS)?;
        within("the check period P", self.period, 1, MAX_TICKS)?;
        within("the fetch gap F", self.gap, 1, MAX_TICKS)?;
        within("the writes w", self.writes, 0, MAX_RECORDS)?;
        within("the lag in messages M", self.messages_max, 1, MAX_RECORDS)?;
        if let Some(reads) = self.reads {
            within("the reads b", reads.records, 1, MAX_RECORDS)?;
            within("the backlog K", reads.backlog, self.writes.max(1), MAX_RECORDS)?;
        }
        Ok(())
    }

    /// The leader's settings in ticks and records.
    pub fn leader(&self) -> LeaderSettings {
        LeaderSettings {
            lag: LagLimits { time_max: i64::from(self.lag), messages_max: i64::from(self.messages_max) },
            new_leader_reset: self.reset,
            ..LeaderSettings::of_profile(&Profile::of_criterion(self.criterion))
        }
    }

    /// How the follower at `index` (0 or 1) behaves.
    pub fn behaviour_of(&self, index: usize) -> Behaviour {
        if index == 0 || self.alike { self.behaviour } else { Behaviour::Any }
    }

    /// Ages of the last caught-up time are kept up to this: D + 1, "more than lag".
    ///
    /// Exact: rules only ask whether the age is above D, and take the later of two times, which
    /// are both "more than lag ago" when their saturated ages are equal here.
    pub fn caught_up_cap(&self) -> u8 {
        self.lag + 1
    }

    /// Ages of the last fetch are kept up to this.
    ///
    /// Exact: a rule may copy the time of the last fetch into the last caught-up time, whose ages
    /// are kept up to D + 1; diligence asks whether the age is below F.
    pub fn fetch_cap(&self) -> u8 {
        match self.behaviour {
            Behaviour::Any => self.lag + 1,
            Behaviour::Diligent | Behaviour::Returning => self.gap.max(self.lag + 1),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setting { criterion, followers, lag, period, gap, writes, behaviour, start, .. } = self;
        write!(f, "{criterion}, {start}, n={followers}, {behaviour}, D={lag} P={period}")?;
        if *behaviour != Behaviour::Any {
            write!(f, " F={gap}")?;
        }
        write!(f, " w={writes}")?;
        if self.steady {
            f.write_str(" steady")?;
        }
        if *criterion == IsrCriterion::MaxMessages {
            write!(f, " M={}", self.messages_max)?;
        }
        if let Some(reads) = self.reads {
            write!(f, " b={} K={}", reads.records, reads.backlog)?;
        }
        if self.alike && *followers > 1 {
            f.write_str(" alike")?;
        }
        if *start == Start::Election {
            write!(f, " {}", reset_name(self.reset))?;
        }
        Ok(())
    }
}

/// The name of a reset in tables.
pub fn reset_name(reset: NewLeaderReset) -> &'static str {
    match reset {
        NewLeaderReset::FetchTimeNow => "fetch-time-now",
        NewLeaderReset::KeepTimes => "keep-times",
        NewLeaderReset::ForgetAll => "forget-all",
        NewLeaderReset::IsrNow => "isr-now",
        NewLeaderReset::IsrNowOthersNever => "isr-now-others-never",
    }
}
