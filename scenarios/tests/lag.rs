//! Mirrors and share groups in scenarios: what the defects change, and what mistakes are answered.

use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::{Cluster, LagSample, NoObserver, Observer, RunOptions, RunSummary};

fn summary(scenario: &Scenario, observer: &mut impl Observer) -> RunSummary {
    let spec = scenario.cluster_spec(&scenario.variants()[0]).unwrap_or_else(|error| panic!("{error}"));
    let mut cluster = Cluster::new(&spec, 1).unwrap_or_else(|error| panic!("{error}"));
    let options = RunOptions::default();
    cluster.run(&options, observer, &mut |_| true).unwrap_or_else(|violation| panic!("{violation}")).1
}

/// A library scenario with one text replaced by another.
fn changed(name: &str, from: &str, to: &str) -> Result<Scenario, String> {
    let entry = isrlab_scenarios::library().iter().find(|entry| entry.name == name).expect("in the library");
    assert!(entry.text.contains(from), "{name} has no {from}");
    Scenario::parse(&entry.text.replace(from, to), "changed.toml").map_err(|error| error.to_string())
}

#[test]
fn without_its_defect_each_share_group_ends_at_0() {
    for (name, defect, with) in [
        ("share-lag-loses-acquired", "loses-acquired", 1),
        ("share-lag-moves-back", "start-offset-moves-back", 2),
    ] {
        let defective = Scenario::from_library(name).unwrap();
        assert_eq!(summary(&defective, &mut NoObserver).lag.share.last, Some(with), "{name}");
        let line = format!("defect = \"{defect}\"");
        let plain = changed(name, &line, "defect = \"none\"").unwrap();
        assert_eq!(summary(&plain, &mut NoObserver).lag.share.last, Some(0), "{name} without it");
    }
}

/// State written before the upgrade: unknown until the first write.
#[test]
fn a_share_group_from_before_the_upgrade_has_no_lag_until_it_writes() {
    let old =
        changed("share-lag", "name = \"workers\"", "name = \"workers\"\n\"state.version\" = 0\nfoo = 1");
    assert!(old.unwrap_err().contains("foo"));
    let old = "name = \"workers\"\n\"state.version\" = 0";
    let old = changed("share-lag", "name = \"workers\"", old).unwrap();
    let summary = summary(&old, &mut NoObserver);
    assert!(summary.lag.share.unknown > 0 && summary.lag.share.last == Some(0));
}

/// Every sample says the truth, the report and the ages, in the order of the rules.
#[test]
fn each_look_at_a_mirror_is_told_by_every_rule() {
    #[derive(Default)]
    struct Told(Vec<(String, Option<i64>, i64, Option<i64>)>);
    impl Observer for Told {
        fn lag_sampled(&mut self, sample: &LagSample<'_>) {
            if sample.at.as_millis() == 1_050 {
                self.0.push((sample.rule.to_owned(), sample.reported, sample.truth, sample.end_age_ms));
            }
        }
    }
    let mut told = Told::default();
    summary(&Scenario::from_library("mirror-lag").unwrap(), &mut told);
    // At 1.05 s record 10 is produced just now or not yet; 0 to 7 are in the target.
    let truth = told.0[0].2;
    assert!((2..=3).contains(&truth), "{truth}");
    let expected = [
        ("jira", Some(5), Some(50)),
        ("jira-corrected", Some(4), Some(50)),
        ("last-polled", Some(5), Some(50)),
        ("end-offsets", None, Some(1_050)),
    ];
    let got: Vec<_> =
        told.0.iter().map(|(rule, reported, _, age)| (rule.as_str(), *reported, *age)).collect();
    assert_eq!(got, expected);
}

#[test]
fn mistakes_are_answered_with_what_would_do() {
    let cases = [
        ("mirror-lag", "target = \"us.orders\"", "target = \"orders\"", "another partition than the source"),
        ("mirror-lag", "target = \"us.orders\"", "target = \"us.order\"", "us.orders"),
        ("mirror-lag-restart", "[\"29.97s\"]", "[\"29s\", \"28s\"]", "times in rising order"),
        (
            "share-lag",
            "\"describe.gap\" = \"20ms\"",
            "\"describe.gap\" = \"1s\"",
            "shorter than `describe.interval`",
        ),
        (
            "share-lag-moves-back",
            "\"log.start.to\" = [13]",
            "\"log.start.to\" = []",
            "one offset for each time",
        ),
        ("share-lag-moves-back", "start-offset-moves-back\"\n\n", "nothing\"\n\n", "loses-acquired"),
        ("mirror-lag", "name = \"us\"", "name = \"us\"\n\"source.partition\" = 1", "0 to 0"),
        ("mirror-lag", "name = \"us\"", "name = \"us\"\ngaps = [4, 4]", "offsets in rising order"),
        (
            "mirror-lag",
            "name = \"us\"",
            "name = \"us\"\nstep = [{ at = \"1s\", kind = \"poll\" }]",
            "poll-returns",
        ),
        (
            "mirror-lag",
            "name = \"us\"",
            "name = \"us\"\nstep = [{ at = \"1s\", kind = \"flush\" }, { at = \"1s\", kind = \"flush\" }]",
            "steps in rising order",
        ),
        (
            "mirror-lag",
            "name = \"us\"",
            "name = \"us\"\nstep = [{ at = \"1s\", kind = \"callback\" }]",
            "an integer",
        ),
        (
            "share-lag-failed-writes",
            "share-group = \"write-fails\"\nat",
            "share-group = \"x\"\nat",
            "write-fails, answers-lost",
        ),
        ("share-lag-failed-writes", "share-group = \"write-fails\"\nat", "at", "write-fails, answers-lost"),
        (
            "share-lag-failed-writes",
            "share-group = \"write-fails\"\n\"reported.lag\" = 0",
            "\"reported.lag\" = 0",
            "one of the two",
        ),
        ("share-lag-failed-writes", "\"in.flight\" = [18, 19]", "lro = 3", "start.offset"),
        ("share-lag-failed-writes", "\"in.flight\" = [18, 19]", "topic = \"jobs\"", "reported.lag"),
        ("share-lag-failed-writes", "\"in.flight\" = [18, 19]", "mirror = \"us\"", "one of the two"),
        (
            "share-lag-failed-writes",
            "when = \"5.05s\"",
            "when = \"0s\"",
            "10ms, at which lags are first looked at",
        ),
        (
            "share-lag-failed-writes",
            "\"reported.lag\" = 5",
            "\"reported.lag\" = \"none\"",
            "an integer, or \"unknown\"",
        ),
        (
            "mirror-lag",
            "[[expect]]",
            "[[expect]]\nthat = \"x\"\nwhen = \"1s\"\nmirror = \"us\"\nleo = 1\n[[expect]]",
            "last-polled or end-offsets",
        ),
        (
            "mirror-lag",
            "[[expect]]",
            "[[expect]]\nthat = \"x\"\nwhen = \"1s\"\nmirror = \"us\"\nrule = \"jira\"\n[[expect]]",
            "reported.lag, true.lag",
        ),
    ];
    for (name, from, to, accepted) in cases {
        let error = changed(name, from, to).unwrap_err();
        assert!(error.contains(accepted), "{to}: {error}");
    }
}

/// What an expectation says of a lag at a time is held against what was seen then, and told.
#[test]
fn a_lag_at_a_time_is_compared() {
    use isrlab_scenarios::ExpectationObserver;
    let name = "share-lag-failed-writes";
    let verdicts = |scenario: &Scenario| {
        let profile = scenario.variants()[0];
        let mut observer = ExpectationObserver::new(scenario, &profile);
        let summary = summary(scenario, &mut observer);
        scenario.evaluate(&profile, &observer, &summary)
    };
    let sound = verdicts(&Scenario::from_library(name).unwrap());
    assert!(sound.iter().all(|verdict| verdict.held && verdict.premise_held));
    for (from, to, got) in [
        ("\"reported.lag\" = 0", "\"reported.lag\" = \"unknown\"", "reported lag 0, true lag 1"),
        ("= 5\n\"true.lag\" = 7", "= 5\n\"true.lag\" = 6", "reported lag 5, true lag 7"),
        ("\"in.flight\" = [18, 19]", "\"in.flight\" = [19]", "in flight [18, 19]"),
        ("\"persisted.count\" = 2", "\"persisted.count\" = 1", "persisted count 2"),
        ("\"persisted.start.offset\" = 18", "\"start.offset\" = 19", "start offset 18"),
    ] {
        let verdicts = verdicts(&changed(name, from, to).unwrap());
        let broken: Vec<_> = verdicts.iter().filter(|verdict| !verdict.held).collect();
        assert_eq!(broken.len(), 1, "{to}");
        assert!(broken[0].got.contains(got), "{to}: {}", broken[0].got);
    }
}

/// Late writes make the lag too high, and only as long as they are under way.
#[test]
fn late_writes_make_the_lag_too_high() {
    let late = |text: &str| {
        let faults = text.find("[[fault]]").expect("it has faults");
        let expects = text.find("[[expect]]").expect("it has expectations");
        let fault = "[[fault]]\nname = \"late\"\nkind = \"share-write-late\"\nshare-group = \"answers-lost\"\n\
                     at = \"1s\"\nfor = \"1s\"\nextra = \"2s\"\n";
        format!("{}{fault}{}", &text[..faults], &text[expects..expects])
    };
    let entry = isrlab_scenarios::library().iter().find(|entry| entry.name == "share-lag-failed-writes");
    let scenario = Scenario::parse(&late(entry.unwrap().text), "late.toml").unwrap();
    let late = summary(&scenario, &mut NoObserver).lag;
    // Without faults the lag is at most 4 in either group.
    assert!(late.share.max > Some(4) && late.share.last == Some(0), "{:?}", late.share);
    assert_eq!((late.groups.writes_failed, late.groups.quiet_rises), (0, 0));
    assert!(late.groups.writes_late >= 9, "{:?}", late.groups);
}

/// The numbers of a leader's writes begin anew when it reads altered state. The answer to a write
/// from before must not be taken for one to a write of now.
#[test]
fn an_answer_from_before_an_alteration_settles_nothing() {
    use isrlab_scenarios::ExpectationObserver;
    let text = r#"
title = "An alteration while a write is under way"
duration = "1s"
compare = ["kafka-3.9"]
"sample.every" = "10ms"
[[broker]]
id = 1
[[topic]]
name = "jobs"
replicas = [1]
[[producer]]
name = "shop"
topic = "jobs"
arrivals = { kind = "recorded", times = ["5ms"] }
[link.producer]
latency = "0s"
# Record 0 is acquired at 10 ms and accepted at 30 ms: write 1. It is applied at 110 ms, and its answer comes at
# 190 ms. Altered at 120 ms, the leader reads again; record 0 is accepted again at 150 ms or before: write 1 of the new state,
# which is answered at 310 ms at the earliest.
[[share-group]]
name = "workers"
"fetch.interval" = "10ms"
"process.time" = "20ms"
"write.latency" = "80ms"
"alter.at" = ["120ms"]
"alter.to" = [0]
[[expect]]
that = "the old answer does not settle the new write"
when = "250ms"
share-group = "workers"
"start.offset" = 0
"true.lag" = 1
[[expect]]
that = "its own does"
when = "400ms"
share-group = "workers"
"start.offset" = 1
"true.lag" = 0
"#;
    let scenario = Scenario::parse(text, "altered.toml").unwrap();
    let profile = scenario.variants()[0];
    let mut observer = ExpectationObserver::new(&scenario, &profile);
    let summary = summary(&scenario, &mut observer);
    assert_eq!(summary.lag.groups.writes, 2);
    for verdict in scenario.evaluate(&profile, &observer, &summary) {
        assert!(verdict.held, "{}: {} instead of {}", verdict.expectation, verdict.got, verdict.wanted);
    }
}
