//! The limits of broker timestamps, each value beside them, worked out by hand.

use isrlab_sim::protocol::timestamp::{
    AllowedTimes, Compression, SentBatch, SentRecord, TimestampLimits, TimestampPolicy, TimestampRules,
    TimestampType, validate,
};

const NOW: i64 = 1_600_000_000_000;
const D: i64 = 1000;

/// What came of a batch: what a consumer reads of each record, or which records are bad.
fn outcome(
    policy: &TimestampPolicy,
    compression: Compression,
    times: &[i64],
) -> Result<Vec<i64>, Vec<usize>> {
    let records: Vec<SentRecord> =
        times.iter().enumerate().map(|(index, &time)| SentRecord::at(index, time)).collect();
    let batch = SentBatch::new(compression, &records);
    match validate(policy, &batch, 5, NOW) {
        Ok(stored) => {
            assert_eq!((stored.base_offset, stored.end_offset), (5, 5 + times.len() as i64));
            Ok(stored.read(&batch).map(|(_, time)| time).collect())
        }
        Err(error) => Err(error.records.iter().map(|record| record.index).collect()),
    }
}

fn policy(
    rules: TimestampRules,
    timestamp_type: TimestampType,
    before_max: i64,
    after_max: i64,
) -> TimestampPolicy {
    TimestampPolicy {
        timestamp_type,
        limits: TimestampLimits { before_max, after_max },
        ..TimestampPolicy::new(rules)
    }
}

#[test]
fn at_the_limit_is_accepted_and_one_beyond_is_not() {
    use TimestampRules::{Kafka3026, V0_10, V2024};
    // Timestamp, and whether each rule set accepts it as CreateTime with a limit of 1000 ms.
    let table = [
        (-1, [(Kafka3026, false), (V0_10, false), (V2024, true)]),
        (NOW - D, [(Kafka3026, true), (V0_10, true), (V2024, true)]),
        (NOW - D - 1, [(Kafka3026, false), (V0_10, false), (V2024, false)]),
        (NOW + D, [(Kafka3026, true), (V0_10, true), (V2024, true)]),
        (NOW + D + 1, [(Kafka3026, false), (V0_10, false), (V2024, false)]),
    ];
    for compression in [Compression::None, Compression::Gzip] {
        for (timestamp, row) in table {
            for (rules, accepted) in row {
                let place = format!("{} {timestamp} {compression:?}", rules.name());
                let create = policy(rules, TimestampType::CreateTime, D, D);
                let expected = if accepted { Ok(vec![timestamp]) } else { Err(vec![0]) };
                assert_eq!(outcome(&create, compression, &[timestamp]), expected, "{place}");
                let append = policy(rules, TimestampType::LogAppendTime, D, D);
                assert_eq!(outcome(&append, compression, &[timestamp]), Ok(vec![NOW]), "{place}");
            }
        }
    }
}

#[test]
fn before_and_after_are_limits_of_their_own() {
    let limited = policy(TimestampRules::V2024, TimestampType::CreateTime, 60_000, 10_000);
    for compression in [Compression::None, Compression::Lz4] {
        for (timestamp, accepted) in
            [(NOW - 60_000, true), (NOW - 60_001, false), (NOW + 10_000, true), (NOW + 10_001, false)]
        {
            let expected = if accepted { Ok(vec![timestamp]) } else { Err(vec![0]) };
            assert_eq!(outcome(&limited, compression, &[timestamp]), expected, "{timestamp}");
        }
    }
}

#[test]
fn one_bad_record_rejects_the_batch_and_says_where() {
    for rules in TimestampRules::ALL {
        for bad in 0..3 {
            let mut times = [NOW; 3];
            times[bad] = NOW + D + 1;
            for compression in [Compression::None, Compression::Snappy] {
                let limited = policy(rules, TimestampType::CreateTime, D, D);
                assert_eq!(outcome(&limited, compression, &times), Err(vec![bad]), "{}", rules.name());
            }
        }
    }
    let two_bad = [NOW - D - 1, NOW, NOW + D + 1];
    for (rules, expected) in [
        (TimestampRules::Kafka3026, vec![0]),
        (TimestampRules::V0_10, vec![0]),
        (TimestampRules::V2024, vec![0, 2]),
    ] {
        let limited = policy(rules, TimestampType::CreateTime, D, D);
        assert_eq!(outcome(&limited, Compression::None, &two_bad), Err(expected));
    }
}

#[test]
fn the_error_has_name_code_and_range() {
    let records = [SentRecord::at(0, NOW), SentRecord::at(1, NOW + 10_001)];
    let error = |rules| {
        let limited = policy(rules, TimestampType::CreateTime, 60_000, 10_000);
        validate(&limited, &SentBatch::new(Compression::None, &records), 0, NOW).unwrap_err()
    };
    let expected = [
        (TimestampRules::Kafka3026, "TimestampExceededThresholdException", None),
        (TimestampRules::V0_10, "InvalidTimestampException", Some(32)),
        (TimestampRules::V2024, "RecordValidationException", Some(32)),
    ];
    for (rules, exception, code) in expected {
        let error = error(rules);
        assert_eq!((error.exception(), error.produce_error().kafka_code()), (exception, code));
        assert_eq!(error.allowed, AllowedTimes { from: NOW - 60_000, to: NOW + 10_000 });
        assert_eq!(error.records[0].index, 1);
    }
}

#[test]
fn wrong_units_pass_without_a_limit_and_fail_an_after_limit() {
    for timestamp in [NOW * 1000, NOW * 1_000_000] {
        let default = TimestampPolicy::new(TimestampRules::V0_10);
        assert_eq!(outcome(&default, Compression::None, &[timestamp]), Ok(vec![timestamp]));
        let limited = policy(TimestampRules::V2024, TimestampType::CreateTime, i64::MAX, 3_600_000);
        assert_eq!(outcome(&limited, Compression::None, &[timestamp]), Err(vec![0]));
    }
    // Seconds where milliseconds are meant are in January 1970: only a limit before finds them.
    let default = policy(TimestampRules::V2024, TimestampType::CreateTime, i64::MAX, 3_600_000);
    assert_eq!(outcome(&default, Compression::None, &[NOW / 1000]), Ok(vec![NOW / 1000]));
    let limited = policy(TimestampRules::V2024, TimestampType::CreateTime, 60_000, 3_600_000);
    assert_eq!(outcome(&limited, Compression::None, &[NOW / 1000]), Err(vec![0]));
}

#[test]
fn an_accepted_compressed_batch_carries_what_the_rules_say() {
    let records = [SentRecord::at(0, NOW + 2), SentRecord::at(1, NOW + 9), SentRecord::at(2, NOW + 4)];
    let stored = |rules, kind, compression| {
        let batch = SentBatch::new(compression, &records);
        validate(&policy(rules, kind, D, D), &batch, 100, NOW).unwrap()
    };
    use Compression::{Gzip, None};
    use TimestampRules::{Kafka3026, V0_10, V2024};
    use TimestampType::{CreateTime, LogAppendTime};
    // Header or wrapper time, largest time, its offset.
    let table = [
        (Kafka3026, CreateTime, Gzip, Some(-1), NOW + 9, 101),
        (Kafka3026, LogAppendTime, Gzip, Some(NOW), NOW, 100),
        (Kafka3026, CreateTime, None, Option::None, NOW + 9, 101),
        (Kafka3026, LogAppendTime, None, Option::None, NOW, 100),
        (V0_10, CreateTime, Gzip, Some(NOW + 9), NOW + 9, 102),
        (V0_10, LogAppendTime, Gzip, Some(NOW), NOW, 102),
        (V0_10, CreateTime, None, Option::None, NOW + 9, 101),
        (V0_10, LogAppendTime, None, Option::None, NOW, 100),
        (V2024, CreateTime, Gzip, Some(NOW + 9), NOW + 9, 102),
        (V2024, LogAppendTime, Gzip, Some(NOW), NOW, 102),
        (V2024, CreateTime, None, Some(NOW + 9), NOW + 9, 102),
        (V2024, LogAppendTime, None, Some(NOW), NOW, 102),
    ];
    for (rules, kind, compression, header, max, offset) in table {
        let stored = stored(rules, kind, compression);
        let place = format!("{} {} {compression:?}", rules.name(), kind.name());
        assert_eq!(stored.header.map(|header| header.max_timestamp), header, "{place}");
        assert_eq!((stored.max_timestamp, stored.offset_of_max_timestamp), (max, offset), "{place}");
        // The records of a compressed batch, or of a batch with a header, are never written anew.
        let inner = if kind == LogAppendTime && stored.header.is_none() { NOW } else { NOW + 4 };
        assert_eq!(stored.inner_timestamp(&records[2]), inner, "{place}");
    }
}

#[test]
fn no_time_and_no_clock_overflows() {
    let extremes = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    let mut accepted = 0;
    for rules in TimestampRules::ALL {
        for kind in TimestampType::ALL {
            for limit in [0, 1, 1000, i64::MAX] {
                for now in extremes {
                    for time in extremes {
                        let records = [SentRecord::at(0, time)];
                        let batch = SentBatch::new(Compression::None, &records);
                        let answer = validate(&policy(rules, kind, limit, limit), &batch, 0, now);
                        accepted += usize::from(answer.is_ok());
                    }
                }
            }
        }
    }
    // All 588 with LogAppendTime, and of CreateTime at least those at the clock itself: 3 × 4 × 7.
    assert!((588 + 84..1176).contains(&accepted), "{accepted}");
}
