//! What the log holds of an accepted batch, and what a consumer reads of it.

use super::batch::{Compression, NO_TIMESTAMP, SentBatch, SentRecord, TimestampType};
use crate::protocol::types::{Offset, TimeMs};

/// The header (format 2) or wrapper (format 1, compressed) of a stored batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoredHeader {
    /// Format 2: the time that the records' times are written relative to.
    pub base_timestamp: TimeMs,
    /// The wrapper's time, or the header's largest time: that of the append for LogAppendTime.
    pub max_timestamp: TimeMs,
    /// Whose clock it is from.
    pub timestamp_type: TimestampType,
}

/// Which time is written into a stored record itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RecordTimes {
    /// The one that it was sent with.
    AsSent,
    /// This one for all of them.
    All(TimeMs),
}

/// An accepted batch as the log holds it. It has no records of its own: what is asked of a record
/// is answered from the record as sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoredBatch {
    /// Offset of its first record.
    pub base_offset: Offset,
    /// One above the offset of its last record.
    pub end_offset: Offset,
    /// The codec that it is stored with.
    pub compression: Compression,
    /// Its header or wrapper; none for uncompressed messages of format 1.
    pub header: Option<StoredHeader>,
    /// Its largest time, which goes into the time index.
    pub max_timestamp: TimeMs,
    /// The offset that the time index keeps with it. It differs by rules and path: that of the
    /// record, of the batch's first or last one, or −1.
    pub offset_of_max_timestamp: Offset,
    /// The broker had to write the batch anew, instead of changing it in place.
    pub rebuilt: bool,
    pub(super) times: RecordTimes,
    pub(super) types: Option<TimestampType>,
    pub(super) has_timestamps: bool,
}

impl StoredBatch {
    /// The time written into a record itself, milliseconds.
    #[inline]
    pub fn inner_timestamp(&self, record: &SentRecord) -> TimeMs {
        match self.times {
            RecordTimes::AsSent if self.has_timestamps => record.timestamp,
            RecordTimes::AsSent => NO_TIMESTAMP,
            RecordTimes::All(timestamp) => timestamp,
        }
    }

    /// The type bit of a record itself (format 1).
    pub fn inner_type(&self, record: &SentRecord) -> TimestampType {
        self.types.unwrap_or(record.timestamp_type)
    }

    /// The time of a record as a consumer reads it, milliseconds: with LogAppendTime in the
    /// header or wrapper, the time that stands there, whatever the records hold.
    #[inline]
    pub fn timestamp(&self, record: &SentRecord) -> TimeMs {
        match self.header {
            Some(header) if header.timestamp_type == TimestampType::LogAppendTime => header.max_timestamp,
            _ => self.inner_timestamp(record),
        }
    }

    /// The type of a record's time as a consumer reads it.
    pub fn timestamp_type(&self, record: &SentRecord) -> TimestampType {
        self.header.map_or_else(|| self.inner_type(record), |header| header.timestamp_type)
    }

    /// Each record's offset and time as a consumer reads them. `batch` is the one that was
    /// accepted.
    pub fn read<'a>(&self, batch: &SentBatch<'a>) -> impl Iterator<Item = (Offset, TimeMs)> + use<'a> {
        let stored = *self;
        (stored.base_offset..)
            .zip(batch.records)
            .map(move |(offset, record)| (offset, stored.timestamp(record)))
    }
}
