//! The fetch path: waiting, limits, and several partitions in one fetch.

mod common;

use common::*;
use isrlab_sim::cluster::Cluster;
use isrlab_sim::cluster::spec::*;

fn burst(at: u64, records: u32) -> Arrivals {
    Arrivals::Recorded { arrivals: vec![RecordedArrival { at: at_ms(at), records: Some(records) }] }
}

/// When a replica held `leo`, at a resolution of the samples.
fn held_at(log: &Log, replica: usize, leo: i64) -> u64 {
    log.samples.iter().find(|sample| sample.4[replica] >= leo).expect("it gets there").0
}

#[test]
fn a_fetch_without_data_waits_and_is_answered_at_the_append() {
    let mut spec = one_partition("post-4485", 2, 3_000);
    spec.producers[0].arrivals = burst(1_234, 1);
    let (log, summary) = run(&spec, 1, 1);
    // Samples show the state before the events of their time.
    assert_eq!(held_at(&log, 1, 1), 1_240);
    // Fetches at 1, 506, 1011, 1239, 1744, 2249, 2754 ms: each waits 500 ms and takes 5.
    assert_eq!((summary.fetches, summary.fetches_delayed), (7, 7));
}

#[test]
fn a_fetch_waits_for_min_bytes_or_its_time() {
    let mut spec = one_partition("post-4485", 2, 3_000);
    spec.replication.replica_fetch_min_bytes = 250;
    let (log, _) = run(&spec, 1, 1);
    // Records of 100 bytes at 5, 15, 25 ms: the third makes it enough.
    assert_eq!((held_at(&log, 1, 1), held_at(&log, 1, 3)), (31, 31));
    spec.producers[0].arrivals = burst(5, 1);
    let (log, _) = run(&spec, 1, 1);
    assert_eq!(held_at(&log, 1, 1), 507);
}

#[test]
fn max_bytes_limit_an_answer_but_never_to_nothing() {
    let mut spec = one_partition("post-4485", 2, 1_000);
    spec.producers[0].arrivals = burst(100, 25);
    spec.replication.replica_fetch_max_bytes = 1_000;
    let (log, _) = run(&spec, 1, 1);
    let held: Vec<u64> = [10, 20, 25].map(|leo| held_at(&log, 1, leo)).into();
    assert_eq!(held, [106, 111, 116]);
    spec.replication.replica_fetch_max_bytes = 1;
    let (log, _) = run(&spec, 1, 1);
    assert_eq!((held_at(&log, 1, 1), held_at(&log, 1, 25)), (106, 226));
}

#[test]
fn no_partition_starves_when_answers_are_full() {
    let mut spec = one_partition("post-4485", 2, 1_000);
    let partition = spec.topics[0].partitions[0].clone();
    spec.topics[0].partitions = vec![partition; 4];
    spec.replication.replica_fetch_response_max_bytes = 1_000;
    spec.producers = (0..4)
        .map(|number| ProducerSpec {
            partitioner: Partitioner::Partition(number),
            ..ProducerSpec::new(&format!("p{number}"), 0, burst(100, 100))
        })
        .collect();
    let (log, _) = run(&spec, 1, 50);
    let lags = |at: u64| -> Vec<i64> {
        log.samples.iter().filter(|sample| sample.0 == at).map(|sample| sample.2 - sample.4[1]).collect()
    };
    // Ten records an answer, one answer each 5 ms: 40 answers for all 400 records. Half way,
    // every partition has got its share (the 20th answer arrives at 200 ms itself).
    assert_eq!(lags(200), [50, 50, 50, 60]);
    assert_eq!(lags(350), [0, 0, 0, 0]);
}

#[test]
fn one_fetcher_serves_all_partitions_and_several_share_them() {
    let mut spec = one_partition("post-4485", 2, 10_000);
    let partition = spec.topics[0].partitions[0].clone();
    spec.topics[0].partitions = vec![partition; 6];
    spec.producers.clear();
    assert_eq!(run(&spec, 1, 0).1.fetches, 20);
    spec.replication.num_replica_fetchers = 3;
    assert_eq!(run(&spec, 1, 0).1.fetches, 60);
}

#[test]
fn kafka_2_4_and_2_5_answer_at_once_when_the_high_watermark_is_new() {
    let fetches = |profile: &str| {
        let mut spec = one_partition(profile, 2, 450);
        spec.producers[0].arrivals = burst(100, 1);
        run(&spec, 1, 0).1.fetches
    };
    // At 1 ms, and at 105 ms, which raises the high watermark after its own read.
    assert_eq!(fetches("kafka-2.3"), 2);
    assert_eq!(fetches("kafka-2.4"), 2);
    // The fetch at 205 ms finds a high watermark that was not sent yet and is answered at once,
    // and so is the next, for the one at 205 ms raised it again.
    let more = |profile: &str| {
        let mut spec = one_partition(profile, 2, 450);
        spec.producers[0].arrivals = Arrivals::Recorded {
            arrivals: [100, 200].map(|at| RecordedArrival { at: at_ms(at), records: None }).into(),
        };
        run(&spec, 1, 0).1.fetches
    };
    assert_eq!(more("kafka-2.3"), 3);
    assert_eq!(more("kafka-2.4"), 5);
    assert_eq!(more("kafka-2.5"), 5);
    assert_eq!(more("kafka-2.6"), 3);
}

#[test]
fn a_fetch_that_takes_no_time_at_all_is_refused() {
    use isrlab_sim::cluster::Cluster;
    use isrlab_sim::engine::SimDuration;
    let mut spec = one_partition("post-4485", 2, 1_000);
    spec.links.follower = round_trip(SimDuration::ZERO);
    assert!(Cluster::new(&spec, 1).is_ok());
    spec.replication.replica_fetch_min_bytes = 0;
    let error = Cluster::new(&spec, 1).err().expect("time would stand still").to_string();
    assert!(error.contains("replica.fetch.min.bytes") && error.contains("latency"), "{error}");
}

#[test]
fn recorded_fetches_arrive_when_they_should_and_no_more() {
    let mut spec = one_partition("post-4485", 2, 100);
    spec.replication.replica_fetch_min_bytes = 0;
    spec.brokers[1].fetch_arrivals = Some([10, 12, 40].map(at_ms).to_vec());
    let (log, summary) = run(&spec, 1, 1);
    // The answer to the first is back at 15 ms: the time at 12 ms is passed over.
    assert_eq!((summary.fetches, held_at(&log, 1, 1), held_at(&log, 1, 4)), (2, 16, 46));
    spec.brokers[1].fetch_arrivals = Some([10, 10].map(at_ms).to_vec());
    assert!(Cluster::new(&spec, 1).is_err());
}

#[test]
fn earlier_terms_must_leave_what_a_clean_election_can_find() {
    use isrlab_sim::protocol::ReplicaSet;
    let mut followers = [EarlierFollower::default(); REPLICAS_MAX];
    followers[1].log_end_offset = 3;
    let sound = EarlierTerms { isr: ReplicaSet::first(2), log_end_offset: 5, high_watermark: 3, followers };
    let accepted = |earlier: EarlierTerms| {
        let mut spec = one_partition("post-4485", 2, 100);
        spec.topics[0].partitions[0].start = PartitionStart::ElectedAfter(Box::new(earlier));
        Cluster::new(&spec, 1).is_ok()
    };
    assert!(accepted(sound));
    assert!(!accepted(EarlierTerms { isr: ReplicaSet::only(1), ..sound }));
    assert!(!accepted(EarlierTerms { isr: ReplicaSet::first(3), ..sound }));
    assert!(!accepted(EarlierTerms { high_watermark: 4, ..sound }), "above what a member holds");
    assert!(accepted(EarlierTerms { isr: ReplicaSet::only(0), high_watermark: 4, ..sound }));
    assert!(!accepted(EarlierTerms { log_end_offset: 2, high_watermark: 2, ..sound }));
}
