//! What a leader does to the timestamps of a batch before it appends it.

use super::batch::{Compression, NO_TIMESTAMP, SentBatch, SentRecord, TimestampType};
use super::error::{RecordFault, RejectedRecord, TimestampError};
use super::policy::{TimestampPolicy, TimestampRules};
use super::stored::{RecordTimes, StoredBatch, StoredHeader};
use crate::protocol::types::{Offset, TimeMs};

/// Checks a batch that would be appended at `base_offset` while the leader's clock reads `now`,
/// and says how it is stored.
///
/// # Errors
/// Which records are not acceptable. Nothing of the batch may be appended then.
///
/// # Panics
/// If the batch has no record.
pub fn validate(
    policy: &TimestampPolicy,
    batch: &SentBatch<'_>,
    base_offset: Offset,
    now: TimeMs,
) -> Result<StoredBatch, TimestampError> {
    assert!(!batch.records.is_empty(), "a batch has at least one record");
    let rejected = match policy.rules {
        TimestampRules::Kafka3026 => first(batch, |record| fault_3026(policy, record, now)),
        TimestampRules::V0_10 => first(batch, |record| fault_0_10(policy, batch, record, now)),
        TimestampRules::V2024 => faults_2024(policy, batch, now),
    };
    if !rejected.is_empty() {
        let allowed = policy.allowed(now);
        return Err(TimestampError { rules: policy.rules, records: rejected, allowed });
    }
    Ok(match policy.rules {
        TimestampRules::Kafka3026 => store_3026(policy, batch, base_offset, now),
        TimestampRules::V0_10 => store_0_10(policy, batch, base_offset, now),
        TimestampRules::V2024 => store_2024(policy, batch, base_offset, now),
    })
}

/// The time of a record as the broker reads it: one marked LogAppendTime in the header or wrapper
/// has the time that stands there.
fn time_read(batch: &SentBatch<'_>, record: &SentRecord) -> TimeMs {
    if !batch.has_timestamps {
        NO_TIMESTAMP
    } else if batch.header.timestamp_type == TimestampType::LogAppendTime {
        batch.header.max_timestamp
    } else {
        record.timestamp
    }
}

/// The codec that a batch is stored with.
fn target(policy: &TimestampPolicy, batch: &SentBatch<'_>) -> Compression {
    policy.compression.unwrap_or(batch.compression)
}

/// The first record with a fault, as the only one.
fn first(
    batch: &SentBatch<'_>,
    mut fault: impl FnMut(&SentRecord) -> Option<RejectedRecord>,
) -> Vec<RejectedRecord> {
    let found = batch
        .records
        .iter()
        .enumerate()
        .find_map(|(index, record)| fault(record).map(|rejected| RejectedRecord { index, ..rejected }));
    found.into_iter().collect()
}

fn rejected(timestamp: TimeMs, fault: RecordFault) -> RejectedRecord {
    RejectedRecord { index: 0, timestamp, fault }
}

/// The text compares every CreateTime and knows no other fault.
fn fault_3026(policy: &TimestampPolicy, record: &SentRecord, now: TimeMs) -> Option<RejectedRecord> {
    let checked = policy.timestamp_type == TimestampType::CreateTime;
    let bad = checked && !policy.is_within_limits(record.timestamp, now);
    bad.then(|| rejected(record.timestamp, RecordFault::OutOfRange))
}

/// Kafka 0.10 compares every CreateTime, then looks at the type bit of the wrapper, or of an
/// uncompressed message. It does neither for messages of format 0 on the way to be compressed.
fn fault_0_10(
    policy: &TimestampPolicy,
    batch: &SentBatch<'_>,
    record: &SentRecord,
    now: TimeMs,
) -> Option<RejectedRecord> {
    let by_codec = batch.compression.is_compressed() || target(policy, batch).is_compressed();
    if by_codec && !batch.has_timestamps {
        return None;
    }
    let (timestamp, marked) = if batch.compression.is_compressed() {
        (time_read(batch, record), batch.header.timestamp_type)
    } else if batch.has_timestamps {
        (record.timestamp, record.timestamp_type)
    } else {
        (NO_TIMESTAMP, TimestampType::CreateTime)
    };
    let checked = policy.timestamp_type == TimestampType::CreateTime;
    if checked && !policy.is_within_limits(timestamp, now) {
        return Some(rejected(timestamp, RecordFault::OutOfRange));
    }
    (marked == TimestampType::LogAppendTime).then(|| rejected(timestamp, RecordFault::MarkedLogAppendTime))
}

/// Kafka as of 2024 looks at the limits, or else, with LogAppendTime or without a timestamp, at
/// the type bit of the header; and it cannot rebuild a batch with a negative time.
fn faults_2024(policy: &TimestampPolicy, batch: &SentBatch<'_>, now: TimeMs) -> Vec<RejectedRecord> {
    let checks_limits = policy.timestamp_type == TimestampType::CreateTime;
    let marked = batch.header.timestamp_type == TimestampType::LogAppendTime;
    let mut rejected = Vec::new();
    for (index, record) in batch.records.iter().enumerate() {
        let timestamp = time_read(batch, record);
        let fault = if checks_limits && timestamp != NO_TIMESTAMP {
            (!policy.is_within_limits(timestamp, now)).then_some(RecordFault::OutOfRange)
        } else {
            marked.then_some(RecordFault::MarkedLogAppendTime)
        };
        rejected.extend(fault.map(|fault| RejectedRecord { index, timestamp, fault }));
    }
    if rejected.is_empty() && target(policy, batch) != batch.compression {
        let negative = |record: &SentRecord| {
            let timestamp = time_read(batch, record);
            (timestamp < 0 && timestamp != NO_TIMESTAMP).then_some(RejectedRecord {
                index: 0,
                timestamp,
                fault: RecordFault::Negative,
            })
        };
        return first(batch, negative);
    }
    rejected
}

/// The largest time of a batch above −1, and the place of the first record that has it.
fn largest(batch: &SentBatch<'_>) -> Option<(TimeMs, usize)> {
    let mut found: Option<(TimeMs, usize)> = None;
    for (index, record) in batch.records.iter().enumerate() {
        let timestamp = time_read(batch, record);
        if timestamp > found.map_or(NO_TIMESTAMP, |(max, _)| max) {
            found = Some((timestamp, index));
        }
    }
    found
}

/// The text: the broker's clock over the times, or −1 in the wrapper of a compressed
/// batch, whose times are in its inner messages.
fn store_3026(policy: &TimestampPolicy, batch: &SentBatch<'_>, base: Offset, now: TimeMs) -> StoredBatch {
    let compression = target(policy, batch);
    let overwritten = policy.timestamp_type == TimestampType::LogAppendTime;
    let (max, index) = largest(batch).unwrap_or((NO_TIMESTAMP, 0));
    let header = compression.is_compressed().then_some(StoredHeader {
        base_timestamp: NO_TIMESTAMP,
        max_timestamp: if overwritten { now } else { NO_TIMESTAMP },
        timestamp_type: policy.timestamp_type,
    });
    StoredBatch {
        header,
        max_timestamp: if overwritten { now } else { max },
        offset_of_max_timestamp: if overwritten { base } else { base + index as Offset },
        rebuilt: compression != batch.compression,
        times: if overwritten && header.is_none() { RecordTimes::All(now) } else { RecordTimes::AsSent },
        types: Some(if header.is_some() { TimestampType::CreateTime } else { policy.timestamp_type }),
        ..stored(batch, compression, base)
    }
}

/// What all stored batches have in common.
fn stored(batch: &SentBatch<'_>, compression: Compression, base_offset: Offset) -> StoredBatch {
    StoredBatch {
        base_offset,
        end_offset: base_offset + batch.records.len() as Offset,
        compression,
        header: None,
        max_timestamp: NO_TIMESTAMP,
        offset_of_max_timestamp: -1,
        rebuilt: false,
        times: RecordTimes::AsSent,
        types: None,
        has_timestamps: batch.has_timestamps,
    }
}

/// Kafka 0.10: uncompressed messages are overwritten each, of compressed ones only the wrapper;
/// messages that a compressed batch is unpacked into keep what they had.
fn store_0_10(policy: &TimestampPolicy, batch: &SentBatch<'_>, base: Offset, now: TimeMs) -> StoredBatch {
    let compression = target(policy, batch);
    let uncompressed = !compression.is_compressed() && !batch.compression.is_compressed();
    let renumbered =
        (0..).zip(batch.records).any(|(expected, record): (Offset, _)| record.inner_offset != expected);
    let rebuilt =
        !batch.has_timestamps || (!uncompressed && (compression != batch.compression || renumbered));
    let last = base + batch.records.len() as Offset - 1;
    let overwritten = policy.timestamp_type == TimestampType::LogAppendTime;
    let (max, index) = largest_0_10(batch);
    let max_timestamp = if overwritten { now } else { max };
    let header = compression.is_compressed().then_some(StoredHeader {
        base_timestamp: NO_TIMESTAMP,
        max_timestamp,
        timestamp_type: policy.timestamp_type,
    });
    let of_record = index.map(|index| base + index as Offset);
    StoredBatch {
        header,
        max_timestamp,
        offset_of_max_timestamp: match (rebuilt, compression.is_compressed(), overwritten) {
            (false, false, true) => base,
            (false, false, false) => of_record.unwrap_or(-1),
            (true, false, false) => of_record.unwrap_or(last),
            (true, _, true) | (_, true, _) => last,
        },
        rebuilt,
        times: if uncompressed && overwritten { RecordTimes::All(now) } else { RecordTimes::AsSent },
        types: if uncompressed {
            Some(policy.timestamp_type)
        } else {
            (!batch.has_timestamps).then_some(TimestampType::CreateTime)
        },
        ..stored(batch, compression, base)
    }
}

/// As [`largest`], by the times of the messages themselves: a batch whose wrapper is marked
/// LogAppendTime has been rejected.
fn largest_0_10(batch: &SentBatch<'_>) -> (TimeMs, Option<usize>) {
    let sound = SentBatch {
        header: super::batch::SentHeader { timestamp_type: TimestampType::CreateTime, ..batch.header },
        ..*batch
    };
    largest(&sound).map_or((NO_TIMESTAMP, None), |(max, index)| (max, Some(index)))
}

/// Kafka as of 2024: only the header is changed, unless the codec changes.
fn store_2024(policy: &TimestampPolicy, batch: &SentBatch<'_>, base: Offset, now: TimeMs) -> StoredBatch {
    let compression = target(policy, batch);
    let rebuilt = compression != batch.compression;
    let overwritten = policy.timestamp_type == TimestampType::LogAppendTime;
    let marked = batch.header.timestamp_type == TimestampType::LogAppendTime;
    let last = base + batch.records.len() as Offset - 1;
    let largest = largest(batch);
    let max_timestamp = if overwritten { now } else { largest.map_or(NO_TIMESTAMP, |(max, _)| max) };
    let in_place_compressed = compression.is_compressed() && !rebuilt;
    let found = overwritten || largest.is_some() || in_place_compressed;
    let base_timestamp =
        if rebuilt { time_read(batch, &batch.records[0]) } else { batch.header.base_timestamp };
    StoredBatch {
        header: Some(StoredHeader { base_timestamp, max_timestamp, timestamp_type: policy.timestamp_type }),
        max_timestamp,
        offset_of_max_timestamp: if found { last } else { -1 },
        rebuilt,
        times: if rebuilt && marked {
            RecordTimes::All(batch.header.max_timestamp)
        } else {
            RecordTimes::AsSent
        },
        types: Some(policy.timestamp_type),
        ..stored(batch, compression, base)
    }
}
