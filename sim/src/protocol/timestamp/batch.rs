//! A batch of records as its producer sends it.

use crate::protocol::types::{Offset, TimeMs};
use std::str::FromStr;

/// The timestamp of a record that has none (Kafka writes −1).
pub const NO_TIMESTAMP: TimeMs = -1;

/// Whose clock a timestamp is from: `message.timestamp.type`, and a bit of each batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimestampType {
    /// The producer's, when it made the record.
    CreateTime,
    /// The leader's, when it appended the batch.
    LogAppendTime,
}

impl TimestampType {
    /// Both.
    pub const ALL: [TimestampType; 2] = [TimestampType::CreateTime, TimestampType::LogAppendTime];

    /// The setting as Kafka writes it.
    pub fn name(self) -> &'static str {
        match self {
            TimestampType::CreateTime => "CreateTime",
            TimestampType::LogAppendTime => "LogAppendTime",
        }
    }
}

impl FromStr for TimestampType {
    type Err = String;

    /// # Errors
    /// A message that lists the values there are.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = TimestampType::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| {
            format!("message.timestamp.type cannot be '{text}'; it is CreateTime or LogAppendTime")
        })
    }
}

/// The codec of a batch. Only whether two are equal, and whether there is one, matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compression {
    /// Not compressed.
    None,
    /// gzip.
    Gzip,
    /// Snappy.
    Snappy,
    /// LZ4.
    Lz4,
    /// Zstandard (Kafka 2.1 and later).
    Zstd,
}

impl Compression {
    /// All of them.
    pub const ALL: [Compression; 5] =
        [Compression::None, Compression::Gzip, Compression::Snappy, Compression::Lz4, Compression::Zstd];

    /// `compression.type` as Kafka writes it.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Gzip => "gzip",
            Compression::Snappy => "snappy",
            Compression::Lz4 => "lz4",
            Compression::Zstd => "zstd",
        }
    }

    /// Whether there is a codec.
    pub fn is_compressed(self) -> bool {
        self != Compression::None
    }
}

impl FromStr for Compression {
    type Err = String;

    /// # Errors
    /// A message that lists the codecs there are.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Compression::ALL.into_iter().find(|codec| codec.name() == text);
        found.ok_or_else(|| {
            let names = Compression::ALL.map(Compression::name).join(", ");
            format!("compression.type cannot be '{text}'; it is one of {names}")
        })
    }
}

/// One record of a batch, as sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentRecord {
    /// Its offset within the batch. A producer counts from 0; some old ones did not, and Kafka
    /// rebuilds their compressed batches.
    pub inner_offset: Offset,
    /// Its time, milliseconds; [`NO_TIMESTAMP`]: none.
    pub timestamp: TimeMs,
    /// The type bit of its own (message format 1; a batch of format 2 has one in its header).
    /// Producers must not set it to LogAppendTime.
    pub timestamp_type: TimestampType,
}

impl SentRecord {
    /// The record at a place of a batch, its time by the producer's clock.
    pub fn at(index: usize, timestamp: TimeMs) -> Self {
        SentRecord { inner_offset: index as Offset, timestamp, timestamp_type: TimestampType::CreateTime }
    }
}

/// What stands in the header of a batch (format 2) or in the wrapper around compressed messages
/// (format 1), as sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentHeader {
    /// Format 2: the time that the records' times are written relative to. Format 1 has none.
    pub base_timestamp: TimeMs,
    /// The largest time of the records, as the producer says.
    pub max_timestamp: TimeMs,
    /// The type bit. Producers must not set it to LogAppendTime.
    pub timestamp_type: TimestampType,
}

impl SentHeader {
    /// What a sound producer writes for these records.
    pub fn of(records: &[SentRecord]) -> Self {
        SentHeader {
            base_timestamp: records.first().map_or(NO_TIMESTAMP, |record| record.timestamp),
            max_timestamp: records.iter().fold(NO_TIMESTAMP, |max, record| max.max(record.timestamp)),
            timestamp_type: TimestampType::CreateTime,
        }
    }
}

/// A batch as its producer sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentBatch<'a> {
    /// Whether its message format has timestamps at all: format 0, before KIP-32, has none, and
    /// every record's timestamp counts as [`NO_TIMESTAMP`].
    pub has_timestamps: bool,
    /// The producer's codec.
    pub compression: Compression,
    /// The header or wrapper. Uncompressed messages of format 1 have none; it is not looked at.
    pub header: SentHeader,
    /// The records, at least one.
    pub records: &'a [SentRecord],
}

impl<'a> SentBatch<'a> {
    /// What a sound producer sends.
    pub fn new(compression: Compression, records: &'a [SentRecord]) -> Self {
        SentBatch { has_timestamps: true, compression, header: SentHeader::of(records), records }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for kind in TimestampType::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        for codec in Compression::ALL {
            assert_eq!(codec.name().parse(), Ok(codec));
            assert_eq!(codec.is_compressed(), codec.name() != "none");
        }
        assert!("createtime".parse::<TimestampType>().unwrap_err().contains("CreateTime"));
        assert!("zip".parse::<Compression>().unwrap_err().contains("snappy"));
    }

    #[test]
    fn a_sound_header_has_the_first_and_the_largest_time() {
        let records = [SentRecord::at(0, 7), SentRecord::at(1, 9), SentRecord::at(2, 8)];
        let header = SentHeader::of(&records);
        assert_eq!((header.base_timestamp, header.max_timestamp), (7, 9));
        assert_eq!(SentHeader::of(&[]).max_timestamp, NO_TIMESTAMP);
    }
}
