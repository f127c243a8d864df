//! How a topic treats timestamps: the rule set, the type, the limits.

use super::batch::{Compression, TimestampType};
use crate::protocol::types::TimeMs;
use std::str::FromStr;

/// Whose rules decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimestampRules {
    /// `kafka-3026`: the text of KAFKA-3026. Differences are exact; an accepted compressed batch
    /// with CreateTime gets −1 in its wrapper, which says that the times are in the inner
    /// messages; no word on the type bit.
    Kafka3026,
    /// `0.10`: Kafka 0.10 with message format 1. One limit both ways, the first bad record ends
    /// the check, timestamp −1 is like any other.
    V0_10,
    /// `2024`: Kafka with batch format 2. Limits before and after (3.6; up to then, one limit both
    /// ways), every bad record is listed, timestamp −1 is exempt.
    V2024,
}

impl TimestampRules {
    /// All of them, oldest first.
    pub const ALL: [TimestampRules; 3] =
        [TimestampRules::Kafka3026, TimestampRules::V0_10, TimestampRules::V2024];

    /// The name in scenarios and reports.
    pub fn name(self) -> &'static str {
        match self {
            TimestampRules::Kafka3026 => "kafka-3026",
            TimestampRules::V0_10 => "0.10",
            TimestampRules::V2024 => "2024",
        }
    }

    /// Whether two limits can differ: the one before and the one after the broker's clock.
    pub fn has_two_limits(self) -> bool {
        self == TimestampRules::V2024
    }

    /// The name of the one limit, both ways.
    pub fn limit_name(self) -> &'static str {
        match self {
            TimestampRules::Kafka3026 => "max.message.time.difference.ms",
            TimestampRules::V0_10 | TimestampRules::V2024 => "message.timestamp.difference.max.ms",
        }
    }

    /// Milliseconds that `timestamp` is before `now`, and after it, as the rules reckon them.
    /// Kafka's own differences wrap around at 64 bits.
    #[inline]
    pub(super) fn distances(self, timestamp: TimeMs, now: TimeMs) -> (TimeMs, TimeMs) {
        match self {
            TimestampRules::Kafka3026 => {
                let clamped =
                    |difference: i128| difference.clamp(-i128::from(i64::MAX), i64::MAX.into()) as i64;
                let before = clamped(i128::from(now) - i128::from(timestamp));
                (before, -before)
            }
            TimestampRules::V0_10 => {
                let distance = timestamp.wrapping_sub(now).wrapping_abs();
                (distance, distance)
            }
            TimestampRules::V2024 => {
                let before = now.wrapping_sub(timestamp);
                (before, before.wrapping_neg())
            }
        }
    }
}

impl FromStr for TimestampRules {
    type Err = String;

    /// # Errors
    /// A message that lists the rule sets there are.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = TimestampRules::ALL.into_iter().find(|rules| rules.name() == text);
        found.ok_or_else(|| {
            let names = TimestampRules::ALL.map(TimestampRules::name).join(", ");
            format!("there are no timestamp rules '{text}'; there are {names}")
        })
    }
}

/// How far a CreateTime may be from the broker's clock, milliseconds, 0 or more. Exactly at a
/// limit is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimestampLimits {
    /// `message.timestamp.before.max.ms`: how far in the past.
    pub before_max: TimeMs,
    /// `message.timestamp.after.max.ms`: how far in the future.
    pub after_max: TimeMs,
}

impl TimestampLimits {
    /// The default of both until 4.0, where `message.timestamp.after.max.ms` became an hour.
    pub const NONE: TimestampLimits = TimestampLimits { before_max: i64::MAX, after_max: i64::MAX };

    /// `message.timestamp.difference.max.ms`: the same both ways.
    pub const fn symmetric(difference_max: TimeMs) -> Self {
        TimestampLimits { before_max: difference_max, after_max: difference_max }
    }
}

/// The times that a policy lets through at some reading of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllowedTimes {
    /// The earliest, milliseconds.
    pub from: TimeMs,
    /// The latest, milliseconds. In Kafka's own rules both wrap around at 64 bits, so that it may
    /// be below `from`.
    pub to: TimeMs,
}

impl std::fmt::Display for AllowedTimes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}, {}]", self.from, self.to)
    }
}

/// How a topic treats timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimestampPolicy {
    /// Whose rules.
    pub rules: TimestampRules,
    /// `message.timestamp.type`.
    pub timestamp_type: TimestampType,
    /// The limits of CreateTime.
    pub limits: TimestampLimits,
    /// `compression.type` of the topic; none: `producer`, which keeps the producer's.
    pub compression: Option<Compression>,
}

impl TimestampPolicy {
    /// A policy of these rules with their defaults: CreateTime, no limits, the producer's codec.
    pub const fn new(rules: TimestampRules) -> Self {
        TimestampPolicy {
            rules,
            timestamp_type: TimestampType::CreateTime,
            limits: TimestampLimits::NONE,
            compression: None,
        }
    }

    /// The times that it lets through when the broker's clock reads `now`.
    pub fn allowed(&self, now: TimeMs) -> AllowedTimes {
        let TimestampLimits { before_max, after_max } = self.limits;
        match self.rules {
            TimestampRules::Kafka3026 => {
                AllowedTimes { from: now.saturating_sub(before_max), to: now.saturating_add(after_max) }
            }
            TimestampRules::V0_10 | TimestampRules::V2024 => {
                AllowedTimes { from: now.wrapping_sub(before_max), to: now.wrapping_add(after_max) }
            }
        }
    }

    /// Whether a CreateTime is within the limits when the broker's clock reads `now`; the rules'
    /// treatment of timestamp −1 is not in it.
    #[inline]
    pub fn is_within_limits(&self, timestamp: TimeMs, now: TimeMs) -> bool {
        let (before, after) = self.rules.distances(timestamp, now);
        before <= self.limits.before_max && after <= self.limits.after_max
    }
}

/// The rules, the type and what limits there are: `2024 CreateTime before 60000 ms after 10000 ms`.
impl std::fmt::Display for TimestampPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.rules.name(), self.timestamp_type.name())?;
        let TimestampLimits { before_max, after_max } = self.limits;
        if self.timestamp_type == TimestampType::LogAppendTime {
            return Ok(());
        }
        if before_max == after_max && before_max < i64::MAX {
            return write!(f, " difference {before_max} ms");
        }
        for (what, limit) in [("before", before_max), ("after", after_max)] {
            if limit < i64::MAX {
                write!(f, " {what} {limit} ms")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_sets_come_back_by_name() {
        for rules in TimestampRules::ALL {
            assert_eq!(rules.name().parse(), Ok(rules));
        }
        assert!("0.11".parse::<TimestampRules>().unwrap_err().contains("kafka-3026, 0.10, 2024"));
    }

    #[test]
    fn only_kafkas_own_differences_wrap_around() {
        let now = 1_600_000_000_000;
        let limited = |rules| TimestampPolicy {
            limits: TimestampLimits::symmetric(1000),
            ..TimestampPolicy::new(rules)
        };
        // now − Long.MIN is beyond 64 bits and wraps to a negative number: "1.6e12 after".
        assert!(!limited(TimestampRules::Kafka3026).is_within_limits(i64::MIN, now));
        let wrapping = i64::MIN + now;
        assert!(limited(TimestampRules::V0_10).is_within_limits(wrapping, now));
        assert!(limited(TimestampRules::V2024).is_within_limits(wrapping, now));
        assert!(!limited(TimestampRules::Kafka3026).is_within_limits(wrapping, now));
    }

    #[test]
    fn a_policy_is_told_in_one_line() {
        let policy = |rules, before_max, after_max| TimestampPolicy {
            limits: TimestampLimits { before_max, after_max },
            ..TimestampPolicy::new(rules)
        };
        let told = [
            policy(TimestampRules::V2024, 60, 10).to_string(),
            policy(TimestampRules::V2024, i64::MAX, 10).to_string(),
            policy(TimestampRules::Kafka3026, 5, 5).to_string(),
            policy(TimestampRules::V0_10, i64::MAX, i64::MAX).to_string(),
            TimestampPolicy {
                timestamp_type: TimestampType::LogAppendTime,
                ..policy(TimestampRules::V0_10, 5, 5)
            }
            .to_string(),
        ];
        let expected = [
            "2024 CreateTime before 60 ms after 10 ms",
            "2024 CreateTime after 10 ms",
            "kafka-3026 CreateTime difference 5 ms",
            "0.10 CreateTime",
            "0.10 LogAppendTime",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn the_allowed_range_saturates_or_wraps() {
        let allowed = |rules| TimestampPolicy::new(rules).allowed(10);
        assert_eq!(allowed(TimestampRules::Kafka3026), AllowedTimes { from: 10 - i64::MAX, to: i64::MAX });
        assert_eq!(allowed(TimestampRules::V2024), AllowedTimes { from: 10 - i64::MAX, to: i64::MIN + 9 });
        assert_eq!(AllowedTimes { from: -1, to: 2 }.to_string(), "[-1, 2]");
    }
}
