//! What a produce request asks for, and how it can fail.

use std::str::FromStr;

/// `acks`: how many replicas must have a record before its producer is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Acks {
    /// `acks=0`: no answer at all.
    None,
    /// `acks=1`: an answer after the leader's append.
    Leader,
    /// `acks=all` (−1): an answer once the high watermark has passed the record.
    All,
}

impl Acks {
    /// The setting as Kafka writes it: `0`, `1` or `all`.
    pub fn name(self) -> &'static str {
        match self {
            Acks::None => "0",
            Acks::Leader => "1",
            Acks::All => "all",
        }
    }
}

impl FromStr for Acks {
    type Err = String;

    /// # Errors
    /// A message that lists the values there are.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "0" => Ok(Acks::None),
            "1" => Ok(Acks::Leader),
            "all" | "-1" => Ok(Acks::All),
            _ => Err(format!("acks cannot be '{text}'; it is 0, 1 or all")),
        }
    }
}

/// Why a produce request was refused or failed, by Kafka's name of the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProduceError {
    /// `NOT_ENOUGH_REPLICAS` (19): acks=all and fewer in-sync replicas than
    /// `min.insync.replicas`; nothing was appended.
    NotEnoughReplicas,
    /// `NOT_ENOUGH_REPLICAS_AFTER_APPEND` (20): appended, but when the high watermark passed it
    /// the ISR was below `min.insync.replicas`.
    NotEnoughReplicasAfterAppend,
    /// `NOT_LEADER_OR_FOLLOWER` (6): the broker does not lead the partition.
    NotLeaderOrFollower,
    /// `INVALID_TIMESTAMP` (32): a record's time is too far from the broker's clock, or marked
    /// LogAppendTime; nothing was appended.
    InvalidTimestamp,
    /// The error that the text of KAFKA-3026 asks for; Kafka never had it, and it has no code.
    TimestampExceededThreshold,
    /// `UNKNOWN_SERVER_ERROR` (−1): the broker failed in a way that it has no error for.
    UnknownServerError,
}

impl ProduceError {
    /// Kafka's name of the error.
    pub fn name(self) -> &'static str {
        match self {
            ProduceError::NotEnoughReplicas => "NOT_ENOUGH_REPLICAS",
            ProduceError::NotEnoughReplicasAfterAppend => "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
            ProduceError::NotLeaderOrFollower => "NOT_LEADER_OR_FOLLOWER",
            ProduceError::InvalidTimestamp => "INVALID_TIMESTAMP",
            ProduceError::TimestampExceededThreshold => "TIMESTAMP_EXCEEDED_THRESHOLD",
            ProduceError::UnknownServerError => "UNKNOWN_SERVER_ERROR",
        }
    }

    /// Kafka's error code; none for an error that Kafka never had.
    pub fn kafka_code(self) -> Option<i16> {
        match self {
            ProduceError::NotEnoughReplicas => Some(19),
            ProduceError::NotEnoughReplicasAfterAppend => Some(20),
            ProduceError::NotLeaderOrFollower => Some(6),
            ProduceError::InvalidTimestamp => Some(32),
            ProduceError::TimestampExceededThreshold => None,
            ProduceError::UnknownServerError => Some(-1),
        }
    }

    /// Whether a producer sends the request again (Kafka's `RetriableException`). A batch with a
    /// bad timestamp would only be rejected again.
    pub fn is_retriable(self) -> bool {
        match self {
            ProduceError::NotEnoughReplicas
            | ProduceError::NotEnoughReplicasAfterAppend
            | ProduceError::NotLeaderOrFollower => true,
            ProduceError::InvalidTimestamp
            | ProduceError::TimestampExceededThreshold
            | ProduceError::UnknownServerError => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_kafkas_names_and_codes() {
        let told = [
            ProduceError::NotEnoughReplicas,
            ProduceError::NotEnoughReplicasAfterAppend,
            ProduceError::NotLeaderOrFollower,
        ]
        .map(|error| (error.name(), error.kafka_code()));
        let expected = [
            ("NOT_ENOUGH_REPLICAS", Some(19)),
            ("NOT_ENOUGH_REPLICAS_AFTER_APPEND", Some(20)),
            ("NOT_LEADER_OR_FOLLOWER", Some(6)),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn acks_come_back_by_name() {
        for acks in [Acks::None, Acks::Leader, Acks::All] {
            assert_eq!(acks.name().parse(), Ok(acks));
        }
        assert_eq!("-1".parse(), Ok(Acks::All));
        assert!("2".parse::<Acks>().unwrap_err().contains("0, 1 or all"));
    }
}
