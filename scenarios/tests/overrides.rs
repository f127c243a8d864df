//! `--set KEY=VALUE`.

use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::spec::{Arrivals, ClusterSpec, FaultKind};
use isrlab_sim::engine::{Distribution, SimDuration};

fn set(scenario: &Scenario, edits: &[(&str, &str)]) -> Result<Scenario, String> {
    let edits: Vec<(String, String)> =
        edits.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    scenario.with_overrides(&edits).map_err(|error| error.to_string())
}

fn spec(scenario: &Scenario) -> ClusterSpec {
    scenario.cluster_spec(&scenario.variants()[0]).unwrap_or_else(|error| panic!("{error}"))
}

fn flapping() -> Scenario {
    Scenario::from_library("kafka-4485").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn values_of_every_section_can_be_set() {
    let edits = [
        ("duration", "80s"),
        ("seed", "7"),
        ("replica.lag.time.max.ms", "5s"),
        ("settings.min.insync.replicas", "2"),
        ("num.replica.fetchers", " 2 "),
        ("link.follower.response.latency", "1ms"),
        ("link.far.response.latency", "{ kind = \"log-normal\", median = \"2ms\", sigma = 0.4 }"),
        ("link.far.response.latency.sigma", "0.5"),
        ("link.producer.bandwidth", "1MiB"),
        ("broker.2.num.io.threads", "1"),
        ("topic.orders.min.insync.replicas", "3"),
        ("producer.p.record.bytes", "1KiB"),
        ("producer.p.acks", "all"),
        ("producer.p.arrivals.interval", "20ms"),
        ("producer.p.arrivals.until", "60s"),
        ("fault.f3-pause.for", "2s"),
    ];
    let scenario = set(&flapping(), &edits).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scenario.seed(), scenario.duration()), (7, SimDuration::from_secs(80)));
    assert_eq!(scenario.overrides().len(), edits.len());
    let spec = spec(&scenario);
    assert_eq!(spec.replication.replica_lag_time_max, SimDuration::from_secs(5));
    assert_eq!((spec.replication.min_insync_replicas, spec.replication.num_replica_fetchers), (2, 2));
    assert_eq!(spec.links.follower.response_latency, Distribution::Constant(SimDuration::from_millis(1)));
    let far = Distribution::LogNormal { median: SimDuration::from_millis(2), sigma: 0.5 };
    assert_eq!(spec.links.overrides[0].link.response_latency, far);
    assert_eq!(spec.links.producer.bandwidth, Some(1 << 20));
    assert_eq!(spec.brokers[1].io_threads, 1);
    assert_eq!(spec.topics[0].partitions[0].min_insync_replicas, Some(3));
    assert_eq!(spec.producers[0].record_bytes, 1024);
    let Arrivals::Constant { interval, until, .. } = spec.producers[0].arrivals else { panic!("constant") };
    assert_eq!((interval, until.is_some()), (SimDuration::from_millis(20), true));
    assert!(
        matches!(spec.faults[0].kind, FaultKind::Pause { length, .. } if length == SimDuration::from_secs(2))
    );
}

#[test]
fn later_overrides_win_and_earlier_ones_stay() {
    let once = set(&flapping(), &[("replica.lag.time.max.ms", "5s"), ("seed", "2")]).unwrap();
    let twice = set(&once, &[("replica.lag.time.max.ms", "6s")]).unwrap();
    assert_eq!(spec(&twice).replication.replica_lag_time_max, SimDuration::from_secs(6));
    assert_eq!(twice.seed(), 2);
}

#[test]
fn wrong_overrides_are_named_as_such() {
    let error = |key: &str, value: &str| set(&flapping(), &[(key, value)]).unwrap_err();
    assert_eq!(
        error("replica.lag.time.max.ms", "10"),
        "--set: settings.replica.lag.time.max.ms: makes replica.fetch.wait.max.ms (500ms) longer than \
         replica.lag.time.max.ms (10ms)\n   | replica.lag.time.max.ms=10\n   |                         ^^\n  \
         accepted: a wait of at most the lag time; Kafka refuses to start with more"
    );
    assert_eq!(
        error("producer.p.record.byts", "5"),
        "--set: producer.p.record.byts: is no known key\n   | producer.p.record.byts=5\n   | ^^^^^^^^^^^^^^^^^^^^^^\n  \
         accepted: the keys name, count, topic, partition, arrivals, records.per.request, record.bytes, acks, \
         max.in.flight.requests.per.connection, request.timeout.ms, retries, retry.backoff.ms, \
         delivery.timeout.ms, buffer.memory, clock.offset, clock.drift.ppm, \
         timestamp.unit, record.spacing, compression.type\n  help: did you mean \"record.bytes\"?"
    );
    let cases = [
        ("producer.q.acks", "1", "there is producer.p"),
        ("fault.f3-puase.for", "1s", "did you mean \"f3-pause\"?"),
        ("link.close.latency", "1s", "is nothing that can be set"),
        ("duratoin", "1s", "did you mean \"duration\"?"),
        ("", "1s", "is nothing that can be set"),
        (".", "", "is nothing that can be set"),
        ("title", "", "is an empty string"),
        ("duration", "1", "a duration has a unit"),
        ("expect.1.equals", "1", "is nothing that can be set"),
        ("broker", "1", "is nothing that can be set"),
        ("compare", "kafka-9", "did you mean \"kafka-3.9\"?"),
        ("seed", "-1", "is -1"),
    ];
    for (key, value, wanted) in cases {
        let text = error(key, value);
        assert!(text.contains("--set:") && text.contains(wanted), "{key}={value}: {text}");
    }
}

#[test]
fn what_an_override_leaves_out_is_no_mistake() {
    let short =
        set(&flapping(), &[("duration", "4s"), ("compare", "kafka-2.5")]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(short.variants(), ["kafka-2.5".parse().unwrap()]);
    let applying =
        short.expectations().iter().filter(|expectation| expectation.applies_to(&short.variants()[0]));
    // The one that names no profiles is for all that are compared.
    assert_eq!(applying.count(), 1);
}

#[test]
fn more_partitions_leave_the_expectations_to_the_first_one() {
    let scenario =
        set(&flapping(), &[("topic.orders.partitions", "1000")]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(spec(&scenario).topics[0].partitions.len(), 1000);
    // A file that has them itself must say which one it means.
    let text = flapping().source_text().replace("name = \"orders\"", "name = \"orders\"\npartitions = 2");
    let error = Scenario::parse(&text, "s.toml").unwrap_err().to_string();
    assert!(
        error.contains("expect.1.partition: is missing, and the topic has several partitions"),
        "{error}"
    );
}

#[test]
fn the_latency_of_a_link_replaces_that_of_each_way() {
    let text = |way: &str| {
        let base = Scenario::from_library("kafka-4485").unwrap();
        let changed = set(&base, &[(&format!("link.{way}"), "7ms")]).unwrap();
        let links = spec(&changed).links;
        (links.follower, links.overrides[0].link)
    };
    let constant = |ms: u64| isrlab_sim::engine::Distribution::Constant(SimDuration::from_millis(ms));
    let (follower, far) = text("follower.latency");
    assert_eq!((follower.request_latency, follower.response_latency), (constant(7), constant(7)));
    // The link of broker 2 says itself how long an answer takes.
    assert_eq!((far.request_latency, far.response_latency), (constant(7), constant(25)));
    let (follower, far) = text("far.latency");
    assert_eq!((follower.request_latency, follower.response_latency), (constant(0), constant(3)));
    assert_eq!((far.request_latency, far.response_latency), (constant(7), constant(7)));
}
