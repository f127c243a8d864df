//! The produce path: acknowledgements, refusals, timeouts and retries.

mod common;

use common::*;
use isrlab_sim::cluster::spec::*;
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::Acks;

#[test]
fn acks_all_waits_for_the_fetch_that_shows_the_record() {
    let mut spec = one_partition("post-4485", 2, 1_000);
    spec.producers[0].acks = Acks::All;
    let (log, summary) = run(&spec, 1, 0);
    // A waiting fetch is answered at the append; the next one, 5 ms later, shows the record.
    assert_eq!(&log.produced[..3], [(10, 5), (20, 5), (30, 5)]);
    assert_eq!((summary.requests, summary.requests_acked), (100, 100));
    assert_eq!(summary.exercised.acks_all_acknowledged, 100);
    assert_eq!(summary.produce_latency.p99_ns / 1_000_000, 5);
}

#[test]
fn acks_1_is_answered_after_the_append_and_acks_0_when_sent() {
    let mut spec = one_partition("post-4485", 2, 1_000);
    spec.links.producer = LinkSpec::constant(ms(2));
    let (log, _) = run(&spec, 1, 0);
    assert_eq!(log.produced[0], (9, 4));
    spec.producers[0].acks = Acks::None;
    let (log, summary) = run(&spec, 1, 0);
    assert_eq!(log.produced[0], (5, 0));
    assert_eq!(summary.records_appended, 100);
}

#[test]
fn a_broker_handles_one_request_of_a_connection_at_a_time() {
    let mut spec = one_partition("post-4485", 2, 1_000);
    spec.producers[0].acks = Acks::All;
    // Four requests at once: each waits for the answer to the one before, a round trip later.
    spec.producers[0].arrivals = Arrivals::Recorded {
        arrivals: (0..4).map(|_| RecordedArrival { at: at_ms(100), records: None }).collect(),
    };
    let (log, _) = run(&spec, 1, 0);
    let latencies: Vec<u64> = log.produced.iter().map(|produced| produced.1).collect();
    assert_eq!(latencies, [5, 10, 15, 20]);
}

#[test]
fn max_in_flight_holds_requests_back() {
    let mut spec = one_partition("post-4485", 1, 1_000);
    spec.links.producer = LinkSpec::constant(ms(10));
    spec.producers[0].max_in_flight = 1;
    spec.producers[0].arrivals = Arrivals::Recorded {
        arrivals: (0..3).map(|_| RecordedArrival { at: at_ms(100), records: Some(2) }).collect(),
    };
    let (log, summary) = run(&spec, 1, 0);
    assert_eq!(log.produced, [(120, 20), (140, 40), (160, 60)]);
    assert_eq!(summary.records_appended, 6);
    spec.producers[0].max_in_flight = 2;
    assert_eq!(run(&spec, 1, 0).0.produced, [(120, 20), (120, 20), (140, 40)]);
}

#[test]
fn too_few_in_sync_replicas_refuse_acks_all_and_the_producer_retries() {
    let mut spec = one_partition("post-4485", 2, 40_000);
    spec.producers[0].acks = Acks::All;
    spec.replication.min_insync_replicas = 2;
    spec.faults = vec![pause(2, 5_000, 20_000)];
    let (log, summary) = run(&spec, 1, 0);
    // Last caught up just before 5 s: out at the check at 15 s.
    assert_eq!(log.shrinks, [(2, 15_000)]);
    assert_eq!(log.expands.len(), 1);
    assert!(summary.not_enough_replicas > 0 && summary.request_retries >= summary.not_enough_replicas);
    assert_eq!(summary.requests_failed, 0);
    assert!(summary.under_min_isr_ns > 9_900_000_000, "{} ns", summary.under_min_isr_ns);
    // What waited when the ISR shrank was appended, and answered with an error all the same.
    spec.producers[0].acks = Acks::Leader;
    assert_eq!(run(&spec, 1, 0).1.not_enough_replicas, 0);
}

#[test]
fn a_paused_leader_lets_requests_time_out_and_appends_a_duplicate() {
    let mut spec = one_partition("post-4485", 1, 20_000);
    spec.producers[0].request_timeout = ms(1_000);
    spec.producers[0].max_in_flight = 3;
    spec.producers[0].arrivals = Arrivals::Recorded {
        arrivals: [100, 110, 120].map(|at| RecordedArrival { at: at_ms(at), records: None }).into(),
    };
    spec.faults = vec![pause(1, 50, 1_500)];
    let (_, summary) = run(&spec, 1, 0);
    assert_eq!((summary.request_timeouts, summary.request_retries), (3, 3));
    assert_eq!((summary.requests, summary.requests_acked, summary.requests_failed), (3, 3, 0));
    // The first of the abandoned ones had reached the broker's socket: it is handled, and its
    // retry is appended again.
    assert_eq!(summary.records_appended, 4);
}

#[test]
fn a_request_that_cannot_be_delivered_in_time_fails() {
    let mut spec = one_partition("post-4485", 1, 20_000);
    spec.producers[0].request_timeout = ms(1_000);
    spec.producers[0].delivery_timeout = ms(2_500);
    spec.producers[0].arrivals =
        Arrivals::Recorded { arrivals: vec![RecordedArrival { at: at_ms(100), records: None }] };
    spec.faults = vec![pause(1, 50, 10_000)];
    let (_, summary) = run(&spec, 1, 0);
    assert_eq!((summary.requests_acked, summary.requests_failed), (0, 1));
    // Sent at 100, 1200 and 2300 ms; at 3300 ms it is too old to be sent again.
    assert_eq!((summary.request_timeouts, summary.request_retries), (3, 2));
    spec.producers[0].retries = 0;
    let (_, summary) = run(&spec, 1, 0);
    assert_eq!((summary.requests_failed, summary.request_timeouts, summary.request_retries), (1, 1, 0));
}

#[test]
fn a_full_buffer_refuses_requests() {
    let mut spec = one_partition("post-4485", 1, 1_000);
    spec.producers[0].buffer_memory = 250;
    spec.producers[0].arrivals = Arrivals::Recorded {
        arrivals: (0..4).map(|_| RecordedArrival { at: at_ms(100), records: None }).collect(),
    };
    spec.links.producer = LinkSpec::constant(ms(10));
    let (_, summary) = run(&spec, 1, 0);
    assert_eq!((summary.requests_acked, summary.requests_failed), (2, 2));
}

#[test]
fn service_time_is_shared_by_the_request_handlers() {
    let mut spec = one_partition("post-4485", 1, 1_000);
    spec.brokers[0].service_time = Distribution::Constant(ms(10));
    spec.brokers[0].io_threads = 2;
    // One producer each, for requests of one connection are handled one after the other.
    let producer = |name: &str| {
        let arrivals =
            Arrivals::Recorded { arrivals: vec![RecordedArrival { at: at_ms(100), records: None }] };
        ProducerSpec::new(name, 0, arrivals)
    };
    spec.producers = vec![producer("a"), producer("b"), producer("c")];
    assert_eq!(run(&spec, 1, 0).0.produced, [(110, 10), (110, 10), (120, 20)]);
}

#[test]
fn round_robin_reaches_all_partitions_in_turn() {
    let mut spec = one_partition("post-4485", 2, 1_000);
    let partition = spec.topics[0].partitions[0].clone();
    spec.topics[0].partitions = vec![partition.clone(), PartitionSpec { replicas: vec![2, 1], ..partition }];
    let (log, _) = run(&spec, 1, 500);
    let leos: Vec<(i32, i64)> = log.samples.iter().map(|sample| (sample.1, sample.2)).collect();
    assert_eq!(leos, [(1, 0), (2, 0), (1, 25), (2, 25), (1, 50), (2, 50)]);
}

#[test]
fn bandwidth_makes_large_requests_slow() {
    let mut spec = one_partition("post-4485", 1, 1_000);
    spec.links.producer.bandwidth = Some(1_000_000);
    spec.producers[0].record_bytes = 10_000 - 96;
    spec.producers[0].arrivals =
        Arrivals::Recorded { arrivals: vec![RecordedArrival { at: at_ms(100), records: None }] };
    let (log, _) = run(&spec, 1, 0);
    assert_eq!(log.produced, [(110, 10)]);
}

#[test]
fn interruption_ends_the_run_early_and_says_so() {
    use isrlab_sim::cluster::{Cluster, NoObserver, RunEnd, RunOptions};
    let mut spec = one_partition("post-4485", 2, 1_000_000_000);
    spec.producers[0].arrivals = every_ms(5, 1);
    let mut cluster = Cluster::new(&spec, 1).unwrap();
    let mut looks = 0;
    let (end, summary) = cluster
        .run(&RunOptions::default(), &mut NoObserver, &mut |now| {
            looks += 1;
            now < SimTime::from_secs(100)
        })
        .unwrap();
    assert_eq!(end, RunEnd::Interrupted);
    assert!(looks > 1 && summary.duration_ns >= SimDuration::from_secs(100).as_nanos());
}
