//! The rule and the bound of a check.

use std::fmt;

use isrlab_sim::protocol::mirror::LagRule;

/// A rule, with what matters to its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MirrorRule {
    /// A rule that never forgets the LRO.
    Plain(LagRule),
    /// `end-offsets` with a time to live of the LRO.
    EndOffsetsExpiring,
}

impl MirrorRule {
    /// All rules, in the order of the answer.
    pub const ALL: [Self; 5] = [
        Self::Plain(LagRule::Jira),
        Self::Plain(LagRule::JiraCorrected),
        Self::Plain(LagRule::LastPolled),
        Self::Plain(LagRule::EndOffsets),
        Self::EndOffsetsExpiring,
    ];

    /// Ticks after which [`MirrorRule::EndOffsetsExpiring`] forgets the LRO.
    pub const TIME_TO_LIVE: u8 = 2;

    /// The protocol's rule.
    pub fn lag_rule(self) -> LagRule {
        match self {
            Self::Plain(rule) => rule,
            Self::EndOffsetsExpiring => LagRule::EndOffsets,
        }
    }

    /// The rule's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain(rule) => rule.name(),
            Self::EndOffsetsExpiring => "end-offsets-expiring",
        }
    }

    /// Whether end offsets are sampled on a timer.
    pub fn samples(self) -> bool {
        self.lag_rule() == LagRule::EndOffsets
    }

    /// Whether the LRO's age matters.
    pub fn expires(self) -> bool {
        self == Self::EndOffsetsExpiring
    }

    /// The greatest age in ticks of the end offset that a report goes by, where there is one: a
    /// poll's answer is read at the source, is under way, is used until the next one is there,
    /// which is asked for after a poll period and under way as long; a sample's period runs from
    /// sample to sample. `last-polled` goes by what it polled last, however long ago.
    pub fn staleness_bound(self) -> Option<u8> {
        match self.lag_rule() {
            LagRule::Jira | LagRule::JiraCorrected => {
                Some(MirrorConstants::POLL_PERIOD + 2 * MirrorConstants::ANSWER_TIME)
            }
            LagRule::EndOffsets => Some(MirrorConstants::SAMPLE_PERIOD + MirrorConstants::ANSWER_TIME),
            LagRule::LastPolled => None,
        }
    }
}

/// How large the model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MirrorConstants {
    /// Offsets of the source log, 1 to 4.
    pub offsets: u32,
    /// Offsets that hold no record (transaction markers, compacted), 0 to 2.
    pub gaps: u32,
    /// Restarts of the task, 0 to 2.
    pub restarts: u32,
    /// Times the source topic is deleted and made again, 0 or 1.
    pub recreations: u32,
    /// Whether the producer's callbacks come in any order.
    pub any_order: bool,
}

impl MirrorConstants {
    /// Most ticks from the answer of a poll to the next poll.
    pub const POLL_PERIOD: u8 = 1;
    /// Most ticks that an answer is under way.
    pub const ANSWER_TIME: u8 = 1;
    /// Most ticks from one sample to the next.
    pub const SAMPLE_PERIOD: u8 = 2;
    /// Ages are counted up to here.
    pub const AGE_MAX: u8 = 6;

    /// Nothing but records and one restart.
    pub const fn plain(offsets: u32) -> Self {
        Self { offsets, gaps: 0, restarts: 0, recreations: 0, any_order: false }
    }

    /// Whether the model can be built.
    ///
    /// # Errors
    /// Names the constant that is out of range.
    pub fn validate(self) -> Result<(), MirrorConstantsError> {
        let checks = [
            ("offsets", self.offsets, 1, 4),
            ("gaps", self.gaps, 0, 2),
            ("restarts", self.restarts, 0, 2),
            ("recreations", self.recreations, 0, 1),
        ];
        for (name, value, least, most) in checks {
            if !(least..=most).contains(&value) {
                return Err(MirrorConstantsError { name, value, least, most });
            }
        }
        Ok(())
    }
}

impl fmt::Display for MirrorConstants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offsets, gaps, restarts, recreations, any_order } = self;
        write!(f, "O{offsets} G{gaps} R{restarts} N{recreations}")?;
        if *any_order { write!(f, " any-order") } else { Ok(()) }
    }
}

/// A constant out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorConstantsError {
    /// The constant, as on the command line without the dashes.
    pub name: &'static str,
    /// What it was.
    pub value: u32,
    /// The least that is accepted.
    pub least: u32,
    /// The most that is accepted.
    pub most: u32,
}

impl fmt::Display for MirrorConstantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, least, most } = self;
        write!(f, "--{name} {value} is out of range for mirror-lag; accepted are {least} to {most}")
    }
}

impl std::error::Error for MirrorConstantsError {}
