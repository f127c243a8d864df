//! What a scenario needs to say exactly what happened: recorded fetches, inline arrivals, earlier terms, and
//! the state at a time.

use isrlab_scenarios::{ExpectationObserver, Scenario};
use isrlab_sim::cluster::spec::{Arrivals, PartitionStart};
use isrlab_sim::cluster::{Cluster, RunOptions};
use isrlab_sim::engine::SimTime;

const TEXT: &str = r#"title = "T"
duration = "10ms"
sample.every = "1ms"
compare = "pre-4485"

[settings]
"replica.fetch.min.bytes" = 0

[[broker]]
id = 1
isr.check.first = "500us"

[[broker]]
id = 2
fetches = ["2ms", "5ms"]

[[topic]]
name = "t"
replicas = [1, 2]
start = "elected"
earlier.isr = [1, 2]
earlier.log.ends = [5, 3]
earlier.high.watermark = 2
earlier.caught.up.before = ["7ms"]
earlier.fetched.at.log.ends = [4]

[[producer]]
name = "p"
topic = "t"
arrivals = { kind = "recorded", times = ["3ms", "3ms"], records = [2, 1] }

[link.follower]
request.latency = "1us"
response.latency = "0s"

[link.producer]
latency = "0s"

[[expect]]
that = "the leader knows nothing before the first fetch"
when = "2ms"
isr = [2, 1]
high.watermark = 2
log.ends = [5, 3]
known.log.ends = [5, -1]

[[expect]]
that = "then what was asked for, and the answer is there"
when = "5ms"
log.ends = [8, 5]
known.log.ends = [8, 3]

[[expect]]
that = "after the last fetch nothing moves"
when = "10ms"
high.watermark = 5
log.ends = [8, 8]
known.log.ends = [8, 5]
"#;

fn verdicts(text: &str) -> Vec<(bool, String)> {
    let scenario = Scenario::parse(text, "s.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let profile = scenario.variants()[0];
    let spec = scenario.cluster_spec(&profile).unwrap();
    let mut observer = ExpectationObserver::new(&scenario, &profile);
    let options = RunOptions { sample_every: Some(scenario.sample_every()) };
    let (_, summary) = Cluster::new(&spec, 1).unwrap().run(&options, &mut observer, &mut |_| true).unwrap();
    let verdicts = scenario.evaluate(&profile, &observer, &summary);
    verdicts.into_iter().map(|verdict| (verdict.held, verdict.got)).collect()
}

#[test]
fn the_state_is_as_expected_at_each_time() {
    for (held, got) in verdicts(TEXT) {
        assert!(held, "{got}");
    }
}

#[test]
fn another_state_is_told() {
    let wrong = TEXT.replace("high.watermark = 5", "high.watermark = 6");
    let last = verdicts(&wrong).pop().unwrap();
    let got = "t-0 at 0.010 s: high watermark 5, log ends [8, 8], known log ends [8, 5]";
    assert_eq!(last, (false, got.to_owned()));
}

#[test]
fn everything_reaches_the_specification() {
    let scenario = Scenario::parse(TEXT, "s.toml").unwrap();
    let spec = scenario.cluster_spec(&scenario.variants()[0]).unwrap();
    assert_eq!(spec.brokers[0].isr_check_first, Some(SimTime::from_nanos(500_000)));
    let fetches = spec.brokers[1].fetch_arrivals.as_deref();
    assert_eq!(fetches, Some([2, 5].map(SimTime::from_millis).as_slice()));
    let Arrivals::Recorded { arrivals } = &spec.producers[0].arrivals else { panic!("recorded") };
    let records: Vec<Option<u32>> = arrivals.iter().map(|arrival| arrival.records).collect();
    assert_eq!(records, [Some(2), Some(1)]);
    let PartitionStart::ElectedAfter(earlier) = &spec.topics[0].partitions[0].start else {
        panic!("elected")
    };
    let follower = earlier.followers[1];
    assert_eq!((earlier.log_end_offset, earlier.high_watermark, follower.log_end_offset), (5, 2, 3));
    assert_eq!((follower.caught_up_before.as_millis(), follower.fetched_at_log_end), (7, Some(4)));
}

#[test]
fn what_is_wrong_is_told_with_its_key() {
    for (from, to, key, message) in [
        ("[\"2ms\", \"5ms\"]", "[\"5ms\", \"5ms\"]", "broker.2.fetches", "does not come after"),
        ("records = [2, 1]", "records = [2]", "arrivals.records", "has 1 elements, and `times` has 2"),
        ("times = [\"3ms\", \"3ms\"], ", "", "arrivals.records", "is given without `times`"),
        ("times =", "file = \"x.csv\", times =", "arrivals.times", "is given beside `file`"),
        (", times = [\"3ms\", \"3ms\"], records = [2, 1]", "", "arrivals.file", "is missing"),
        ("start = \"elected\"", "", "topic.t.earlier.isr", "is given"),
        ("earlier.isr = [1, 2]", "earlier.isr = [2]", "topic.t.earlier.isr", "lacks the leader"),
        ("earlier.isr = [1, 2]", "earlier.isr = [1, 9]", "topic.t.earlier.isr", "names 9"),
        ("ends = [5, 3]", "ends = [5, 6]", "topic.t.earlier.log.ends", "more than the leader"),
        ("ends = [5, 3]", "ends = [5]", "topic.t.earlier.log.ends", "has 1 elements"),
        (
            "earlier.high.watermark = 2",
            "earlier.high.watermark = 4",
            "topic.t.earlier.high.watermark",
            "ends at 3",
        ),
        ("[\"7ms\"]", "[\"7us\"]", "topic.t.earlier.caught.up.before", "has 7us"),
        ("when = \"2ms\"", "when = \"2.5ms\"", "expect.1.when", "no sample is taken"),
        ("when = \"10ms\"", "when = \"11ms\"", "expect.3.when", "after the end of the run"),
        ("when = \"2ms\"\n", "", "expect.1.isr", "is given without `when`"),
        ("when = \"2ms\"", "when = \"2ms\"\nshrinks = []", "expect.1.shrinks", "does not go with `when`"),
        ("known.log.ends = [5, -1]", "known.log.ends = [5]", "expect.1.known.log.ends", "has 1 elements"),
    ] {
        let changed = TEXT.replacen(from, to, 1);
        assert_ne!(changed, TEXT, "{from}");
        let problems = Scenario::parse(&changed, "s.toml").err().unwrap_or_else(|| panic!("accepted: {to}"));
        let found = problems.list().iter().any(|one| one.key.ends_with(key) && one.message.contains(message));
        assert!(found, "{to}: wanted {key}: {message}, got\n{problems}");
    }
}
