//! Why a batch was rejected.

use super::policy::{AllowedTimes, TimestampRules};
use crate::protocol::produce::ProduceError;
use crate::protocol::types::TimeMs;

/// What is wrong with a record of a rejected batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordFault {
    /// Its time is too far from the broker's clock.
    OutOfRange,
    /// It is marked LogAppendTime, which only a broker may do.
    MarkedLogAppendTime,
    /// Its time is negative and not −1, and the batch has to be rebuilt (`2024`).
    Negative,
}

/// A record that made its batch be rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RejectedRecord {
    /// Its place in the batch, from 0.
    pub index: usize,
    /// Its time as the broker read it, milliseconds.
    pub timestamp: TimeMs,
    /// What is wrong with it.
    pub fault: RecordFault,
}

/// A batch was rejected: nothing of it was appended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimestampError {
    /// The rules that rejected it.
    pub rules: TimestampRules,
    /// The offending records by rising index, at least one. `kafka-3026` and `0.10` stop at the
    /// first; `2024` lists all that are out of range or wrongly marked.
    pub records: Vec<RejectedRecord>,
    /// The times that would have been accepted.
    pub allowed: AllowedTimes,
}

impl TimestampError {
    /// What is wrong with the first offending record.
    pub fn fault(&self) -> RecordFault {
        self.records[0].fault
    }

    /// The exception that the broker throws, by Kafka's simple class name.
    pub fn exception(&self) -> &'static str {
        match (self.rules, self.fault()) {
            (TimestampRules::Kafka3026, _) => "TimestampExceededThresholdException",
            (_, RecordFault::Negative) => "IllegalArgumentException",
            (TimestampRules::V0_10, _) => "InvalidTimestampException",
            (TimestampRules::V2024, _) => "RecordValidationException",
        }
    }

    /// The error of the produce answer.
    pub fn produce_error(&self) -> ProduceError {
        match (self.rules, self.fault()) {
            (TimestampRules::Kafka3026, _) => ProduceError::TimestampExceededThreshold,
            (_, RecordFault::Negative) => ProduceError::UnknownServerError,
            _ => ProduceError::InvalidTimestamp,
        }
    }
}

impl std::fmt::Display for TimestampError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.exception())?;
        for (position, record) in self.records.iter().enumerate() {
            let separator = if position == 0 { "" } else { "; " };
            let RejectedRecord { index, timestamp, .. } = record;
            match record.fault {
                RecordFault::OutOfRange => write!(
                    f,
                    "{separator}the timestamp {timestamp} of record {index} is not in {}",
                    self.allowed
                )?,
                RecordFault::MarkedLogAppendTime => write!(
                    f,
                    "{separator}record {index} is marked LogAppendTime, which a producer must not do"
                )?,
                RecordFault::Negative => {
                    write!(f, "{separator}the timestamp {timestamp} of record {index} is negative")?;
                }
            }
        }
        Ok(())
    }
}

impl std::error::Error for TimestampError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(rules: TimestampRules, fault: RecordFault) -> TimestampError {
        let record = |index| RejectedRecord { index, timestamp: -7, fault };
        TimestampError {
            rules,
            records: vec![record(1), record(3)],
            allowed: AllowedTimes { from: 0, to: 9 },
        }
    }

    #[test]
    fn each_error_has_kafkas_name_and_code() {
        use RecordFault::{MarkedLogAppendTime, Negative, OutOfRange};
        use TimestampRules::{Kafka3026, V0_10, V2024};
        let cases = [
            (Kafka3026, OutOfRange, "TimestampExceededThresholdException", None),
            (V0_10, OutOfRange, "InvalidTimestampException", Some(32)),
            (V0_10, MarkedLogAppendTime, "InvalidTimestampException", Some(32)),
            (V2024, OutOfRange, "RecordValidationException", Some(32)),
            (V2024, MarkedLogAppendTime, "RecordValidationException", Some(32)),
            (V2024, Negative, "IllegalArgumentException", Some(-1)),
        ];
        for (rules, fault, exception, code) in cases {
            let error = error(rules, fault);
            assert_eq!((error.exception(), error.produce_error().kafka_code()), (exception, code));
            assert!(!error.produce_error().is_retriable());
        }
    }

    #[test]
    fn the_message_names_records_and_range() {
        let text = error(TimestampRules::V2024, RecordFault::OutOfRange).to_string();
        assert_eq!(
            text,
            "RecordValidationException: the timestamp -7 of record 1 is not in [0, 9]; \
             the timestamp -7 of record 3 is not in [0, 9]"
        );
    }
}
