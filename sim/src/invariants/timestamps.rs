//! What must hold of stored timestamps.

use crate::protocol::TimeMs;
use crate::protocol::timestamp::{NO_TIMESTAMP, TimestampPolicy, TimestampRules};

/// Whether a stored CreateTime is within the limits of the broker's clock at the append, in exact
/// arithmetic: that Kafka's own wraps around at 64 bits is no excuse. The rule set `2024` lets
/// timestamp −1 through by intent.
pub fn create_time_within_limits(policy: &TimestampPolicy, timestamp: TimeMs, now: TimeMs) -> bool {
    if policy.rules == TimestampRules::V2024 && timestamp == NO_TIMESTAMP {
        return true;
    }
    let before = i128::from(now) - i128::from(timestamp);
    before <= i128::from(policy.limits.before_max) && -before <= i128::from(policy.limits.after_max)
}

/// Whether a LogAppendTime is not below the one before it, under one leader.
pub fn log_append_time_not_back(previous: TimeMs, timestamp: TimeMs) -> bool {
    previous <= timestamp
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::timestamp::TimestampLimits;

    #[test]
    fn limits_are_exact() {
        let policy = |rules| TimestampPolicy {
            limits: TimestampLimits { before_max: 60, after_max: 10 },
            ..TimestampPolicy::new(rules)
        };
        let within = |timestamp| create_time_within_limits(&policy(TimestampRules::V2024), timestamp, 1000);
        assert_eq!([939, 940, 1010, 1011].map(within), [false, true, true, false]);
        assert!(within(-1) && !within(-2));
        assert!(!create_time_within_limits(&policy(TimestampRules::V0_10), -1, 1000));
        assert!(!within(i64::MIN) && !within(i64::MIN + 1000) && !within(i64::MAX));
    }

    #[test]
    fn equal_times_are_no_step_back() {
        assert!(log_append_time_not_back(5, 5) && log_append_time_not_back(5, 6));
        assert!(!log_append_time_not_back(5, 4));
    }
}
