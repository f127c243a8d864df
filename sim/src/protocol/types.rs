//! The numbers the protocol is written in.

/// A position in a log, 0-based. A log end offset and a high watermark are exclusive: they name
/// the first offset that is *not* there.
pub type Offset = i64;

/// A broker's clock reading. Kafka reads milliseconds; the protocol only subtracts and compares,
/// so a model may count ticks instead.
pub type TimeMs = i64;

/// Position of a replica in the partition's assignment, from 0. Small numbers instead of broker
/// ids keep a set of replicas in one machine word.
pub type ReplicaSlot = usize;

/// The leader has not yet had a fetch from this follower (Kafka writes −1).
pub const UNKNOWN_OFFSET: Offset = -1;
