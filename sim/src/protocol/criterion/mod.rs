//! The criteria for membership of the in-sync replica set.
//!
//! A criterion is four small rules and a period: when a fetch shows that its follower is caught
//! up ([`CaughtUpRule`]), when a member is out of sync ([`OutOfSyncRule`]), when a replica may
//! join ([`JoinRule`]), and whose log end offsets hold the high watermark back
//! ([`HighWatermarkRule`]). [`IsrCriterion::rules`] is the table; a new criterion is a new rule
//! where it needs one, and a line there.

mod caught_up;
mod high_watermark;
mod join;
mod out_of_sync;

pub use caught_up::CaughtUpRule;
pub use high_watermark::HighWatermarkRule;
pub use join::{JoinRule, JoinView};
pub use out_of_sync::{LagLimits, OutOfSyncRule};

use super::profile::NewLeaderReset;
use super::types::TimeMs;
use std::str::FromStr;

/// A criterion for ISR membership, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IsrCriterion {
    /// Kafka up to 0.8.2: out after no fetch for the lag time, or when more than
    /// `replica.lag.max.messages` behind.
    MaxMessages,
    /// Kafka 0.9.0 to 0.10.1 (KIP-16): caught up only by a fetch at the leader's log end offset.
    Pre4485,
    /// The rule as the text of KAFKA-4485 proposes it. No release has it.
    Proposed4485,
    /// Kafka 0.10.2 to 2.0.0 (KAFKA-4485 as merged).
    Post4485,
    /// Kafka 2.0.1 (KAFKA-7128): to join, also at the start of the leader's epoch.
    EpochStart,
    /// Kafka 2.1 and later (KAFKA-7152): a follower at the leader's log end offset stays.
    EqualLeo,
}

/// The rules that make up a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsrRules {
    /// When a fetch shows its follower to be caught up, and since when.
    pub caught_up: CaughtUpRule,
    /// When the check removes a member.
    pub out_of_sync: OutOfSyncRule,
    /// When a fetch adds a replica.
    pub join: JoinRule,
    /// Whose log end offsets the high watermark waits for.
    pub high_watermark: HighWatermarkRule,
    /// The check runs each `replica.lag.time.max.ms` divided by this.
    pub check_period_divisor: TimeMs,
}

impl IsrCriterion {
    /// All criteria, oldest first.
    pub const ALL: [IsrCriterion; 6] = [
        IsrCriterion::MaxMessages,
        IsrCriterion::Pre4485,
        IsrCriterion::Proposed4485,
        IsrCriterion::Post4485,
        IsrCriterion::EpochStart,
        IsrCriterion::EqualLeo,
    ];

    /// The name used in scenarios, on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            IsrCriterion::MaxMessages => "max-messages",
            IsrCriterion::Pre4485 => "pre-4485",
            IsrCriterion::Proposed4485 => "proposed-4485",
            IsrCriterion::Post4485 => "post-4485",
            IsrCriterion::EpochStart => "epoch-start",
            IsrCriterion::EqualLeo => "equal-leo",
        }
    }

    /// The Kafka versions that had it.
    pub fn versions(self) -> &'static str {
        match self {
            IsrCriterion::MaxMessages => "0.8.2 and earlier",
            IsrCriterion::Pre4485 => "0.9.0 to 0.10.1",
            IsrCriterion::Proposed4485 => "none: the text of KAFKA-4485",
            IsrCriterion::Post4485 => "0.10.2 to 2.0.0",
            IsrCriterion::EpochStart => "2.0.1",
            IsrCriterion::EqualLeo => "2.1 and later",
        }
    }

    /// The rules of the criterion.
    pub const fn rules(self) -> IsrRules {
        use {CaughtUpRule as C, HighWatermarkRule as H, JoinRule as J, OutOfSyncRule as O};
        let (caught_up, out_of_sync, join, high_watermark, check_period_divisor) = match self {
            IsrCriterion::MaxMessages => (C::AnyFetch, O::StuckOrSlow, J::AtHighWatermark, H::Isr, 1),
            IsrCriterion::Pre4485 => (C::AtLogEnd, O::NotCaughtUp, J::AtHighWatermark, H::Isr, 1),
            IsrCriterion::Proposed4485 => (C::Proposed4485, O::NotCaughtUp, J::CaughtUp, H::Isr, 2),
            IsrCriterion::Post4485 => {
                (C::AtPreviousLogEnd, O::NotCaughtUp, J::AtHighWatermark, H::IsrAndCaughtUp, 2)
            }
            IsrCriterion::EpochStart => {
                (C::AtPreviousLogEnd, O::NotCaughtUp, J::AtHighWatermarkAndEpochStart, H::IsrAndCaughtUp, 2)
            }
            IsrCriterion::EqualLeo => (
                C::AtPreviousLogEnd,
                O::NotCaughtUpAndBehind,
                J::AtHighWatermarkAndEpochStart,
                H::IsrAndCaughtUp,
                2,
            ),
        };
        IsrRules { caught_up, out_of_sync, join, high_watermark, check_period_divisor }
    }

    /// What the code that first had the criterion did with follower state at a new leader.
    ///
    /// `post-4485` is KAFKA-4485 as it was merged, which forgot everything; that was mended
    /// (KAFKA-4441) before the first release that contained it, so the profiles of released
    /// versions differ from the bare criterion here.
    pub const fn reset_as_recorded(self) -> NewLeaderReset {
        match self {
            IsrCriterion::MaxMessages => NewLeaderReset::FetchTimeNow,
            IsrCriterion::Pre4485 | IsrCriterion::Proposed4485 => NewLeaderReset::KeepTimes,
            IsrCriterion::Post4485 => NewLeaderReset::ForgetAll,
            IsrCriterion::EpochStart => NewLeaderReset::IsrNow,
            IsrCriterion::EqualLeo => NewLeaderReset::IsrNowOthersNever,
        }
    }
}

impl IsrRules {
    /// How often the check runs (`isr-expiration`), in the unit of `lag_time_max`; at least 1.
    pub fn check_period(&self, lag_time_max: TimeMs) -> TimeMs {
        (lag_time_max / self.check_period_divisor).max(1)
    }
}

impl std::fmt::Display for IsrCriterion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for IsrCriterion {
    type Err = String;

    /// # Errors
    /// A message that lists the names there are.
    fn from_str(name: &str) -> Result<Self, String> {
        IsrCriterion::ALL.into_iter().find(|criterion| criterion.name() == name).ok_or_else(|| {
            let known: Vec<&str> = IsrCriterion::ALL.iter().map(|criterion| criterion.name()).collect();
            format!("no criterion is called '{name}'; known are {}", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for criterion in IsrCriterion::ALL {
            assert_eq!(criterion.name().parse(), Ok(criterion));
        }
        let error = "post".parse::<IsrCriterion>().unwrap_err();
        assert!(error.contains("'post'") && error.contains("post-4485"), "{error}");
    }

    #[test]
    fn criteria_name_themselves_and_their_versions() {
        let told: Vec<String> = IsrCriterion::ALL
            .iter()
            .map(|criterion| format!("{criterion}: {}", criterion.versions()))
            .collect();
        assert_eq!(
            told,
            [
                "max-messages: 0.8.2 and earlier",
                "pre-4485: 0.9.0 to 0.10.1",
                "proposed-4485: none: the text of KAFKA-4485",
                "post-4485: 0.10.2 to 2.0.0",
                "epoch-start: 2.0.1",
                "equal-leo: 2.1 and later",
            ]
        );
    }

    #[test]
    fn check_periods_follow_the_versions() {
        let periods: Vec<i64> =
            IsrCriterion::ALL.iter().map(|criterion| criterion.rules().check_period(10_001)).collect();
        assert_eq!(periods, [10_001, 10_001, 5_000, 5_000, 5_000, 5_000]);
        assert_eq!(IsrCriterion::Post4485.rules().check_period(1), 1);
    }
}
