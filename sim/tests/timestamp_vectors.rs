//! What Kafka's own validator answered for each recorded batch, and what ours does.

mod common;

use common::vectors;
use isrlab_sim::protocol::timestamp::{
    Compression, RecordFault, SentBatch, SentHeader, SentRecord, StoredBatch, TimestampError,
    TimestampLimits, TimestampPolicy, TimestampRules, TimestampType, validate,
};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Case {
    name: String,
    version: String,
    magic: Option<u8>,
    source_compression: String,
    target_compression: String,
    topic_timestamp_type: String,
    now: i64,
    difference_max_ms: Option<i64>,
    before_max_ms: Option<i64>,
    after_max_ms: Option<i64>,
    offset_counter: i64,
    records: Vec<InputRecord>,
    wrapper: Option<Wrapper>,
    batch: Option<Header>,
    expect: Expect,
}

#[derive(Deserialize)]
struct InputRecord {
    offset: Option<i64>,
    timestamp: i64,
    log_append_time_bit: Option<bool>,
}

#[derive(Deserialize)]
struct Wrapper {
    timestamp: i64,
    log_append_time_bit: bool,
}

#[derive(Deserialize)]
struct Header {
    base_timestamp: i64,
    max_timestamp: i64,
    log_append_time_bit: bool,
}

#[derive(Deserialize)]
struct Expect {
    accepted: bool,
    offset_counter: i64,
    exception: Option<String>,
    error: Option<String>,
    error_code: Option<i16>,
    message: Option<String>,
    record_errors: Option<Vec<RecordError>>,
    max_timestamp: Option<i64>,
    shallow_offset_of_max_timestamp: Option<i64>,
    message_size_maybe_changed: Option<bool>,
    records: Option<Vec<ReadRecord>>,
    shallow: Option<Vec<Shallow>>,
    batches: Option<Vec<Stored>>,
}

#[derive(Deserialize)]
struct RecordError {
    index: usize,
    message: String,
}

#[derive(Deserialize)]
struct ReadRecord {
    offset: i64,
    timestamp: i64,
    timestamp_type: String,
}

/// A stored outer message of format 1, with its inner ones.
#[derive(Deserialize)]
struct Shallow {
    offset: i64,
    timestamp: i64,
    timestamp_type: String,
    compression: String,
    #[serde(default)]
    inner: Vec<ReadRecord>,
}

/// A stored batch of format 2.
#[derive(Deserialize)]
struct Stored {
    base_offset: i64,
    last_offset: i64,
    base_timestamp: i64,
    max_timestamp: i64,
    timestamp_type: String,
    compression: String,
    inner_timestamps: Vec<i64>,
}

fn marked(bit: bool) -> TimestampType {
    if bit { TimestampType::LogAppendTime } else { TimestampType::CreateTime }
}

fn policy(case: &Case) -> TimestampPolicy {
    let rules = if case.version == "0.10" { TimestampRules::V0_10 } else { TimestampRules::V2024 };
    let limits = case.difference_max_ms.map(TimestampLimits::symmetric);
    TimestampPolicy {
        rules,
        timestamp_type: case.topic_timestamp_type.parse().unwrap(),
        limits: limits.unwrap_or_else(|| TimestampLimits {
            before_max: case.before_max_ms.unwrap(),
            after_max: case.after_max_ms.unwrap(),
        }),
        compression: Some(case.target_compression.parse().unwrap()),
    }
}

fn sent_records(case: &Case) -> Vec<SentRecord> {
    let record = |(index, record): (usize, &InputRecord)| SentRecord {
        inner_offset: record.offset.unwrap_or(index as i64),
        timestamp: record.timestamp,
        timestamp_type: marked(record.log_append_time_bit.unwrap_or(false)),
    };
    case.records.iter().enumerate().map(record).collect()
}

fn sent_batch<'a>(case: &Case, records: &'a [SentRecord]) -> SentBatch<'a> {
    let header = match (&case.wrapper, &case.batch) {
        (Some(wrapper), _) => SentHeader {
            base_timestamp: -1,
            max_timestamp: wrapper.timestamp,
            timestamp_type: marked(wrapper.log_append_time_bit),
        },
        (None, Some(header)) => SentHeader {
            base_timestamp: header.base_timestamp,
            max_timestamp: header.max_timestamp,
            timestamp_type: marked(header.log_append_time_bit),
        },
        (None, None) => SentHeader::of(records),
    };
    SentBatch {
        has_timestamps: case.magic != Some(0),
        compression: case.source_compression.parse().unwrap(),
        header,
        records,
    }
}

fn check_rejected(place: &str, error: &TimestampError, case: &Case) {
    let expect = &case.expect;
    assert_eq!(Some(error.exception()), expect.exception.as_deref(), "{place}: exception");
    let produce_error = error.produce_error();
    assert_eq!(Some(produce_error.name()), expect.error.as_deref(), "{place}: error");
    assert_eq!(produce_error.kafka_code(), expect.error_code, "{place}: error code");
    if let Some(expected) = &expect.record_errors {
        let got: Vec<usize> = error.records.iter().map(|record| record.index).collect();
        let indices: Vec<usize> = expected.iter().map(|record| record.index).collect();
        assert_eq!(got, indices, "{place}: offending records");
        for (record, expected) in error.records.iter().zip(expected) {
            check_message(place, error, record.timestamp, record.fault, &expected.message);
        }
    } else {
        let [record] = error.records[..] else { panic!("{place}: one record ends the check") };
        let message = expect.message.as_deref().unwrap();
        check_message(place, error, record.timestamp, record.fault, message);
    }
}

/// Kafka's message has the time and the range, or the type, in words.
fn check_message(place: &str, error: &TimestampError, timestamp: i64, fault: RecordFault, message: &str) {
    let says = |text: &str| assert!(message.contains(text), "{place}: '{message}' does not say '{text}'");
    match fault {
        RecordFault::OutOfRange => {
            says(&format!("Timestamp {timestamp} of message"));
            says(&format!("within [{}, {}", error.allowed.from, error.allowed.to));
        }
        RecordFault::MarkedLogAppendTime => says("Producer should not set timestamp type to LogAppendTime"),
        RecordFault::Negative => says(&format!("Invalid negative timestamp {timestamp}")),
    }
}

fn check_accepted(place: &str, stored: &StoredBatch, records: &[SentRecord], expect: &Expect) {
    assert_eq!(stored.end_offset, expect.offset_counter, "{place}: offset counter");
    assert_eq!(
        (Some(stored.max_timestamp), Some(stored.offset_of_max_timestamp)),
        (expect.max_timestamp, expect.shallow_offset_of_max_timestamp),
        "{place}: largest timestamp and its offset"
    );
    assert_eq!(Some(stored.rebuilt), expect.message_size_maybe_changed, "{place}: rebuilt");
    let got: Vec<(i64, i64, &str)> = (stored.base_offset..)
        .zip(records)
        .map(|(offset, record)| (offset, stored.timestamp(record), stored.timestamp_type(record).name()))
        .collect();
    let read = expect.records.as_deref().unwrap();
    let expected: Vec<(i64, i64, &str)> =
        read.iter().map(|record| (record.offset, record.timestamp, &*record.timestamp_type)).collect();
    assert_eq!(got, expected, "{place}: what a consumer reads");
    if let Some(shallow) = &expect.shallow {
        check_shallow(place, stored, records, shallow);
    }
    if let Some(batches) = &expect.batches {
        let [batch] = &batches[..] else { panic!("{place}: one batch is stored") };
        check_batch(place, stored, records, batch);
    }
}

fn check_shallow(place: &str, stored: &StoredBatch, records: &[SentRecord], shallow: &[Shallow]) {
    let inner = |record: &SentRecord| (stored.inner_timestamp(record), stored.inner_type(record).name());
    let Some(header) = stored.header else {
        assert_eq!(shallow.len(), records.len(), "{place}: stored messages");
        for ((offset, record), expected) in (stored.base_offset..).zip(records).zip(shallow) {
            assert_eq!(
                ((offset, inner(record)), stored.compression.name()),
                ((expected.offset, (expected.timestamp, &*expected.timestamp_type)), &*expected.compression),
                "{place}: stored message"
            );
        }
        return;
    };
    let [wrapper] = shallow else { panic!("{place}: one wrapper is stored") };
    assert_eq!(
        (
            stored.end_offset - 1,
            header.max_timestamp,
            header.timestamp_type.name(),
            stored.compression.name()
        ),
        (wrapper.offset, wrapper.timestamp, &*wrapper.timestamp_type, &*wrapper.compression),
        "{place}: wrapper"
    );
    let got: Vec<(i64, &str)> = records.iter().map(inner).collect();
    let expected: Vec<(i64, &str)> =
        wrapper.inner.iter().map(|record| (record.timestamp, &*record.timestamp_type)).collect();
    assert_eq!(got, expected, "{place}: inner messages");
}

fn check_batch(place: &str, stored: &StoredBatch, records: &[SentRecord], batch: &Stored) {
    let header = stored.header.unwrap();
    assert_eq!(
        (stored.base_offset, stored.end_offset - 1),
        (batch.base_offset, batch.last_offset),
        "{place}"
    );
    assert_eq!(
        (
            header.base_timestamp,
            header.max_timestamp,
            header.timestamp_type.name(),
            stored.compression.name()
        ),
        (batch.base_timestamp, batch.max_timestamp, &*batch.timestamp_type, &*batch.compression),
        "{place}: header"
    );
    let inner: Vec<i64> = records.iter().map(|record| stored.inner_timestamp(record)).collect();
    assert_eq!(inner, batch.inner_timestamps, "{place}: inner timestamps");
}

fn run(place: &str, case: &Case) {
    let policy = policy(case);
    let records = sent_records(case);
    let batch = sent_batch(case, &records);
    match validate(&policy, &batch, case.offset_counter, case.now) {
        Ok(stored) => {
            assert!(case.expect.accepted, "{place}: Kafka rejected it: {:?}", case.expect.message);
            check_accepted(place, &stored, &records, &case.expect);
            assert_eq!(stored.compression, case.target_compression.parse::<Compression>().unwrap());
        }
        Err(error) => {
            assert!(!case.expect.accepted, "{place}: Kafka accepted it; we say {error}");
            check_rejected(place, &error, case);
        }
    }
}

/// Runs all recordings of a folder; returns (files, cases, rejected ones).
fn run_folder(folder: &Path) -> (usize, usize, usize) {
    let (mut cases, mut rejected) = (0, 0);
    let files = vectors::for_each(folder, |file, case: Case| {
        run(&format!("{}, case {}", file.display(), case.name), &case);
        cases += 1;
        rejected += usize::from(!case.expect.accepted);
    });
    (files, cases, rejected)
}

#[test]
fn timestamp_vectors_of_the_project() {
    // The counts are those of the recordings: a file that went missing is noticed.
    assert_eq!(run_folder(&vectors::project_folder("timestamps")), (4, 557, 136));
}

#[test]
fn timestamp_vectors_of_the_folder_named_by_timestamp_vectors() {
    vectors::run_named_by("TIMESTAMP_VECTORS", run_folder);
}
