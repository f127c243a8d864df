//! What cluster a scenario makes.

use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::spec::{
    Arrivals, BrokerSpec, ClusterSpec, FaultKind, LinkEnd, LinkSelector, LinkSpec, PartitionStart,
    Partitioner, ProducerSpec, ReplicationSettings,
};
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::{Acks, Profile};

fn spec_under(text: &str, profile: &str) -> ClusterSpec {
    let text = format!("title = \"T\"\nduration = \"10s\"\n{text}");
    let scenario = Scenario::parse(&text, "s.toml").unwrap_or_else(|error| panic!("{error}"));
    let profile: Profile = profile.parse().unwrap();
    scenario.cluster_spec(&profile).unwrap_or_else(|error| panic!("{error}"))
}

fn spec(text: &str) -> ClusterSpec {
    spec_under(text, "equal-leo")
}

fn replicas(spec: &ClusterSpec) -> Vec<Vec<i32>> {
    spec.topics[0].partitions.iter().map(|partition| partition.replicas.clone()).collect()
}

const ARRIVALS: &str = "arrivals = { kind = \"constant\", interval = \"1ms\" }";

#[test]
fn defaults_are_those_of_the_simulator_and_of_the_profile() {
    let text = format!(
        "brokers = 2\n[[topic]]\nname = \"t\"\nreplication.factor = 2\n[[producer]]\nname = \"p\"\n{ARRIVALS}"
    );
    for profile in Profile::all() {
        let spec = spec_under(&text, profile.name);
        assert_eq!(spec.replication, ReplicationSettings::of_profile(&profile));
        assert_eq!(spec.brokers, [BrokerSpec::new(1), BrokerSpec::new(2)]);
        let interval = SimDuration::from_millis(1);
        let arrivals = Arrivals::Constant { first: SimTime::ZERO, interval, until: None };
        assert_eq!(spec.producers, [ProducerSpec::new("p", 0, arrivals)]);
        let link = LinkSpec::constant(SimDuration::from_micros(500));
        assert_eq!((spec.links.follower, spec.links.producer), (link, link));
        let partition = &spec.topics[0].partitions[0];
        assert_eq!((&partition.start, partition.min_insync_replicas), (&PartitionStart::Established, None));
    }
}

#[test]
fn a_setting_that_is_given_holds_under_every_profile() {
    let text = "brokers = 1\n[settings]\nreplica.lag.time.max.ms = 7000\nreplica.fetch.max.bytes = \"2MiB\"\n\
                \"isr.check.period\" = \"1ms\"\n[[topic]]\nname = \"t\"\nreplicas = [1]\n";
    for profile in ["kafka-0.8.2", "kafka-2.4", "kafka-2.5"] {
        let settings = spec_under(text, profile).replication;
        assert_eq!(settings.replica_lag_time_max, SimDuration::from_secs(7));
        assert_eq!(settings.replica_fetch_max_bytes, 2 << 20);
        assert_eq!(settings.isr_check_period, Some(SimDuration::from_millis(1)));
    }
}

#[test]
fn replicas_are_spread_as_kafka_spreads_them() {
    let text = "brokers = 4\n[[topic]]\nname = \"t\"\npartitions = 9\nreplication.factor = 3\n";
    // Kafka's rule with the first broker as the start and no shift, as its documentation draws it.
    let wanted =
        [[1, 2, 3], [2, 3, 4], [3, 4, 1], [4, 1, 2], [1, 3, 4], [2, 4, 1], [3, 1, 2], [4, 2, 3], [1, 4, 2]];
    assert_eq!(replicas(&spec(text)), wanted);
}

#[test]
fn replicas_are_placed_by_hand() {
    let topic = "brokers = 3\n[[topic]]\nname = \"t\"\n";
    let rotated = spec(&format!("{topic}partitions = 4\nreplicas = [3, 1, 2]"));
    assert_eq!(replicas(&rotated), [[3, 1, 2], [1, 2, 3], [2, 3, 1], [3, 1, 2]]);
    let listed = spec(&format!("{topic}replicas = [[2, 1], [3]]\nstart = \"elected\""));
    assert_eq!(replicas(&listed), [vec![2, 1], vec![3]]);
    assert_eq!(listed.topics[0].partitions[1].start, PartitionStart::Elected);
}

#[test]
fn clones_have_names_partitions_and_links_of_their_own() {
    let text = format!(
        "brokers = 2\n[[topic]]\nname = \"t\"\npartitions = 2\nreplicas = [1, 2]\n\
         [[producer]]\nname = \"p\"\ncount = 3\npartition = \"by-clone\"\nacks = -1\n{ARRIVALS}\n\
         [link.producer]\nlatency = \"1ms\"\nbandwidth = \"10MiB/s\"\n\
         [link.slow]\nclient.producer = \"p\"\nbroker = 2\nresponse.latency = \"9ms\"\n\
         [link.exact]\nclient.producer = \"p-1\"\nlatency = {{ kind = \"uniform\", max = \"1ms\" }}\n\
         [link.back]\nclient.broker = 2\n\
         [[fault]]\nname = \"cut\"\nkind = \"link-stall\"\nat = \"1s\"\nfor = \"1s\"\nclient.producer = \"p-2\"\n\
         [[fault]]\nname = \"all\"\nkind = \"link-delay\"\nat = \"1s\"\nfor = \"1s\"\nextra = \"1ms\"\n"
    );
    let spec = spec(&text);
    let names: Vec<&str> = spec.producers.iter().map(|producer| producer.name.as_str()).collect();
    assert_eq!(names, ["p-0", "p-1", "p-2"]);
    let partitions: Vec<Partitioner> = spec.producers.iter().map(|producer| producer.partitioner).collect();
    assert_eq!(partitions, [0, 1, 0].map(Partitioner::Partition));
    assert_eq!(spec.producers[0].acks, Acks::All);

    let constant = |millis| Distribution::Constant(SimDuration::from_millis(millis));
    let slow =
        LinkSpec { request_latency: constant(1), response_latency: constant(9), bandwidth: Some(10 << 20) };
    let overrides: Vec<(&str, &LinkEnd)> =
        spec.links.overrides.iter().map(|link| (link.name.as_str(), &link.client)).collect();
    let clone = |name: &str| LinkEnd::Producer(name.to_owned());
    let wanted = [
        ("slow", &clone("p-0")),
        ("slow", &clone("p-1")),
        ("slow", &clone("p-2")),
        ("exact", &clone("p-1")),
        ("back", &LinkEnd::Broker(2)),
    ];
    assert_eq!(overrides, wanted, "in the order of the file");
    assert_eq!((spec.links.overrides[0].link, spec.links.overrides[0].broker), (slow, Some(2)));
    let uniform = Distribution::Uniform { min: SimDuration::ZERO, max: SimDuration::from_millis(1) };
    assert_eq!(spec.links.overrides[3].link.request_latency, uniform);
    assert_eq!(spec.links.overrides[4].link, LinkSpec::constant(SimDuration::from_micros(500)));

    let cut = LinkSelector { client: Some(clone("p-2")), broker: None };
    assert_eq!(spec.faults[0].kind, FaultKind::LinkStall { link: cut, length: SimDuration::from_secs(1) });
    let all = LinkSelector { client: None, broker: None };
    let (length, extra) = (SimDuration::from_secs(1), SimDuration::from_millis(1));
    assert_eq!(spec.faults[1].kind, FaultKind::LinkDelay { link: all, length, extra });
}

#[test]
fn every_kind_of_arrivals_is_read() {
    let arrivals = |table: &str| {
        let text = format!(
            "brokers = 1\n[[topic]]\nname = \"t\"\nreplicas = [1]\n[[producer]]\nname = \"p\"\n[producer.arrivals]\n{table}"
        );
        spec(&text).producers[0].arrivals.clone()
    };
    let (ms, at) = (SimDuration::from_millis, SimTime::from_millis);
    assert_eq!(
        arrivals("kind = \"poisson\"\nmean = \"2ms\"\nstart = \"1s\"\nuntil = \"2s\""),
        Arrivals::Poisson { start: at(1_000), mean: ms(2), until: Some(at(2_000)) }
    );
    assert_eq!(
        arrivals("kind = \"on-off\"\non = \"2ms\"\noff = \"0s\"\ninterval = \"1ms\""),
        Arrivals::OnOff { on: ms(2), off: ms(0), first: ms(0), interval: ms(1), until: None }
    );
    assert_eq!(
        arrivals("kind = \"ramp\"\nfrom = 1\nto = 2.5\nover = \"1s\""),
        Arrivals::Ramp { start: at(0), over: ms(1_000), from_per_s: 1.0, to_per_s: 2.5, until: None }
    );
}
