//! Broker timestamps (KIP-32, KAFKA-3026): overwrite a batch's times, or check and reject it.
//!
//! [`validate`] is what a leader does to a batch before it appends it: with
//! `message.timestamp.type=LogAppendTime` it writes its own clock over the records' times, with
//! `CreateTime` it compares them with its clock and rejects the whole batch if one is too far
//! off. [`TimestampRules`] says whose rules: the text, Kafka 0.10, or Kafka as of 2024.
//! [`TimeIndex`] finds the first offset with a time at or above a given one, in a log whose
//! times need not rise.

mod batch;
mod error;
mod policy;
mod stored;
mod time_index;
mod validate;

pub use batch::{Compression, NO_TIMESTAMP, SentBatch, SentHeader, SentRecord, TimestampType};
pub use error::{RecordFault, RejectedRecord, TimestampError};
pub use policy::{AllowedTimes, TimestampLimits, TimestampPolicy, TimestampRules};
pub use stored::{StoredBatch, StoredHeader};
pub use time_index::{IndexedTime, TimeIndex};
pub use validate::validate;
