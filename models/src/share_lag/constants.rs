//! The variant and the bound of a check.

use std::fmt;

use isrlab_sim::protocol::share::{ShareDefects, ShareSettings};

/// How the lag is made, and what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareVariant {
    /// KIP-1226: the summary first, then the end offset; nothing wrong.
    Kip1226,
    /// The end offset first, then the summary.
    EndFirst,
    /// The share coordinator fences nobody.
    NoFencing,
    /// The defect that moves the start offset back after a log start move.
    StartOffsetMovesBack,
    /// The defect that loses acquired offsets at a fail-over.
    LosesAcquired,
}

impl ShareVariant {
    /// All variants, in the order of the answer.
    pub const ALL: [Self; 5] =
        [Self::Kip1226, Self::EndFirst, Self::NoFencing, Self::StartOffsetMovesBack, Self::LosesAcquired];

    /// The variant's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kip1226 => "kip-1226",
            Self::EndFirst => "end-offset-first",
            Self::NoFencing => "no-fencing",
            Self::StartOffsetMovesBack => "start-offset-moves-back",
            Self::LosesAcquired => "loses-acquired",
        }
    }

    /// The settings of the share partition.
    pub fn settings(self) -> ShareSettings {
        ShareSettings {
            delivery_count_limit: ShareConstants::DELIVERIES,
            max_record_locks: ShareConstants::RECORDS_MAX,
            record_lock_duration_ms: 1,
            defects: ShareDefects {
                start_offset_moves_back: self == Self::StartOffsetMovesBack,
                loses_acquired_at_failover: self == Self::LosesAcquired,
            },
        }
    }
}

/// How large the model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShareConstants {
    /// Records ever produced, 1 to 3.
    pub records: u32,
    /// Leaders that fail, 0 to 2.
    pub failovers: u32,
    /// Writes that fail, 0 to 2.
    pub failures: u32,
    /// Whether a failed write may have been applied: only its answer is lost.
    pub lost_answers: bool,
    /// Moves of the log start, 0 to 2.
    pub log_moves: u32,
    /// Alterations of the group's offset, 0 or 1.
    pub alterations: u32,
}

impl ShareConstants {
    /// The delivery count limit.
    pub const DELIVERIES: u16 = 2;
    /// Most records.
    pub const RECORDS_MAX: u32 = 3;
    /// Writes under way at the same time.
    pub const WRITES: usize = 2;

    /// Nothing goes wrong.
    pub const fn plain(records: u32) -> Self {
        Self { records, failovers: 0, failures: 0, lost_answers: false, log_moves: 0, alterations: 0 }
    }

    /// Whether the model can be built.
    ///
    /// # Errors
    /// Names the constant that is out of range.
    pub fn validate(self) -> Result<(), ShareConstantsError> {
        let checks = [
            ("records", self.records, 1, Self::RECORDS_MAX),
            ("failovers", self.failovers, 0, 2),
            ("failures", self.failures, 0, 2),
            ("log-moves", self.log_moves, 0, 2),
            ("alterations", self.alterations, 0, 1),
        ];
        for (name, value, least, most) in checks {
            if !(least..=most).contains(&value) {
                return Err(ShareConstantsError { name, value, least, most });
            }
        }
        Ok(())
    }
}

impl fmt::Display for ShareConstants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, failovers, failures, lost_answers, log_moves, alterations } = self;
        write!(f, "R{records} F{failovers} W{failures} L{log_moves} A{alterations}")?;
        if *lost_answers { write!(f, " lost-answers") } else { Ok(()) }
    }
}

/// A constant out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareConstantsError {
    /// The constant, as on the command line without the dashes.
    pub name: &'static str,
    /// What it was.
    pub value: u32,
    /// The least that is accepted.
    pub least: u32,
    /// The most that is accepted.
    pub most: u32,
}

impl fmt::Display for ShareConstantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, least, most } = self;
        write!(f, "--{name} {value} is out of range for share-lag; accepted are {least} to {most}")
    }
}

impl std::error::Error for ShareConstantsError {}
