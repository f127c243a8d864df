//! The `DescribeShareGroupOffsets` response, byte for byte: against hand-worked examples, and in
//! version 0 against the `kafka-protocol` crate, whose release 0.18 has no version 1.

use isrlab_sim::protocol::share::ShareOffset;
use isrlab_sim::protocol::share::wire::{
    DescribeShareGroupOffsets, DescribedGroup, DescribedPartition, DescribedTopic, WireError,
};
use kafka_protocol::messages::DescribeShareGroupOffsetsResponse;
use kafka_protocol::protocol::{Decodable, Encodable};

const ID: [u8; 16] =
    [0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf];

/// One group with one partition that has a lag of 65 and one whose summary failed.
fn response() -> DescribeShareGroupOffsets {
    let good = ShareOffset { start_offset: 40, leader_epoch: 7, lag: 65, error_code: 0 };
    let failed = ShareOffset { start_offset: -1, leader_epoch: 0, lag: -1, error_code: 15 };
    let partitions = vec![
        DescribedPartition { index: 0, offset: good, error_message: None },
        DescribedPartition { index: 1, offset: failed, error_message: Some("no".to_owned()) },
    ];
    let topic = DescribedTopic { name: "t".to_owned(), id: ID, partitions };
    let group =
        DescribedGroup { id: "g1".to_owned(), topics: vec![topic], error_code: 0, error_message: None };
    DescribeShareGroupOffsets { throttle_time_ms: 3, groups: vec![group] }
}

/// The example, worked out by hand from the message's definition.
fn bytes(lags: [&[u8]; 2]) -> Vec<u8> {
    let mut out = vec![0, 0, 0, 3]; // ThrottleTimeMs
    out.extend([2]); // one group
    out.extend([3, b'g', b'1']); // GroupId
    out.extend([2]); // one topic
    out.extend([2, b't']); // TopicName
    out.extend(ID); // TopicId
    out.extend([3]); // two partitions
    out.extend([0, 0, 0, 0]); // PartitionIndex
    out.extend([0, 0, 0, 0, 0, 0, 0, 40]); // StartOffset
    out.extend([0, 0, 0, 7]); // LeaderEpoch
    out.extend(lags[0]); // Lag, version 1
    out.extend([0, 0]); // ErrorCode
    out.extend([0]); // ErrorMessage: null
    out.extend([0]); // tagged fields of the partition
    out.extend([0, 0, 0, 1]);
    out.extend([0xff; 8]);
    out.extend([0, 0, 0, 0]);
    out.extend(lags[1]);
    out.extend([0, 15]);
    out.extend([3, b'n', b'o']);
    out.extend([0]);
    out.extend([0]); // tagged fields of the topic
    out.extend([0, 0]); // ErrorCode of the group
    out.extend([0]); // ErrorMessage: null
    out.extend([0]); // tagged fields of the group
    out.extend([0]); // tagged fields of the response
    out
}

#[test]
fn version_1_carries_the_lag() {
    let expected = bytes([&[0, 0, 0, 0, 0, 0, 0, 65], &[0xff; 8]]);
    assert_eq!(response().encode(1), Ok(expected.clone()));
    assert_eq!(DescribeShareGroupOffsets::decode(&expected, 1), Ok(response()));
}

#[test]
fn version_0_carries_none_and_reads_as_minus_one() {
    let expected = bytes([&[], &[]]);
    assert_eq!(response().encode(0), Ok(expected.clone()));
    let mut without = response();
    without.groups[0].topics[0].partitions[0].offset.lag = -1;
    assert_eq!(DescribeShareGroupOffsets::decode(&expected, 0), Ok(without));
}

#[test]
fn version_0_is_what_the_kafka_protocol_crate_reads_and_writes() {
    let ours = response().encode(0).unwrap();
    let theirs = DescribeShareGroupOffsetsResponse::decode(&mut ours.as_slice(), 0).unwrap();
    let partitions = &theirs.groups[0].topics[0].partitions;
    assert_eq!((theirs.throttle_time_ms, partitions.len()), (3, 2));
    assert_eq!((partitions[0].start_offset, partitions[0].leader_epoch), (40, 7));
    assert_eq!((partitions[1].error_code, partitions[1].error_message.as_deref()), (15, Some("no")));
    let mut again = Vec::new();
    theirs.encode(&mut again, 0).unwrap();
    assert_eq!(again, ours);
    assert!(theirs.encode(&mut Vec::new(), 1).is_err(), "the crate has learnt version 1: use it");
}

#[test]
fn what_is_not_a_response_is_refused() {
    let whole = response().encode(1).unwrap();
    for length in 0..whole.len() {
        assert!(DescribeShareGroupOffsets::decode(&whole[..length], 1).is_err(), "{length} bytes");
    }
    let longer = [whole.as_slice(), &[0]].concat();
    assert_eq!(DescribeShareGroupOffsets::decode(&longer, 1), Err(WireError::TooLong));
    assert_eq!(response().encode(2), Err(WireError::UnknownVersion(2)));
    assert!(WireError::UnknownVersion(2).to_string().contains("0 and 1"));
}
