//! What a sweep varies, and which expectations speak of which cell.

use isrlab_scenarios::{Axis, Scenario};

const TEXT: &str = r#"
title = "t"
duration = "1s"
compare = ["pre-4485"]
brokers = 2

[[topic]]
name = "t"
replicas = [1, 2]

[link.follower]
latency = "5ms"

[sweep]
vary = ["link.follower.latency=1ms,5ms,9ms", "replica.lag.time.max.ms=5s..10s/2"]
seeds = 3

[[expect]]
that = "as written"
metric = "isr_shrinks"
equals = 0

[[expect]]
that = "everywhere"
cells = "every"
metric = "isr_shrinks"
equals = 0

[[expect]]
that = "where it is near"
cells = ["link.follower.latency <= 5ms", "replica.lag.time.max.ms > 5s"]
share = 0.9
confidence = 0.99
metric = "isr_shrinks"
equals = 0
"#;

fn axes(scenario: &Scenario) -> Vec<Axis> {
    scenario.sweep().unwrap().axes.clone()
}

fn judged(scenario: &Scenario) -> Vec<&str> {
    let profile = scenario.variants()[0];
    let applying = scenario.expectations().iter().filter(|expectation| expectation.applies_to(&profile));
    applying.map(|expectation| expectation.that()).collect()
}

#[test]
fn the_table_gives_axes_and_seeds() {
    let scenario = Scenario::parse(TEXT, "t.toml").unwrap();
    let sweep = scenario.sweep().unwrap();
    assert_eq!(sweep.seeds, 3);
    let values: Vec<Vec<&str>> =
        sweep.axes.iter().map(|axis| axis.values().iter().map(|value| value.text()).collect()).collect();
    assert_eq!(values, [vec!["1ms", "5ms", "9ms"], vec!["5s", "10s"]]);
}

#[test]
fn expectations_speak_of_their_cells() {
    let scenario = Scenario::parse(TEXT, "t.toml").unwrap();
    let axes = axes(&scenario);
    assert_eq!(judged(&scenario), ["as written", "everywhere"], "a replay");
    let at = |latency, lag| scenario.at(&[(&axes[0], latency), (&axes[1], lag)]).unwrap();
    assert_eq!(judged(&at(0, 0)), ["everywhere"]);
    assert_eq!(judged(&at(0, 1)), ["everywhere", "where it is near"]);
    assert_eq!(judged(&at(1, 1)), ["as written", "everywhere", "where it is near"], "10 s is the default");
    assert_eq!(judged(&at(2, 1)), ["everywhere"]);
    let rule = at(0, 1).expectations()[1].share().unwrap();
    assert_eq!((rule.share, rule.confidence), (0.9, 0.99));
}

#[test]
fn a_cell_does_not_trip_over_expectations_about_another() {
    // Broker 3 has no replica in the second cell, and an expectation about it would be wrong there.
    let text = TEXT.replace("brokers = 2", "brokers = 3").replace("[1, 2]", "[1, 2, 3]").replace(
        "that = \"as written\"\nmetric = \"isr_shrinks\"\nequals = 0",
        "that = \"as written\"\nbroker = 3\nshrinks = []",
    );
    let scenario = Scenario::parse(&text, "t.toml").unwrap();
    let axis: Axis = "topic.t.replicas=[1,2,3],[1,2]".parse().unwrap();
    assert_eq!(judged(&scenario.at(&[(&axis, 0)]).unwrap()), ["as written", "everywhere"]);
    assert_eq!(judged(&scenario.at(&[(&axis, 1)]).unwrap()), ["everywhere"]);
}

#[test]
fn what_is_wrong_with_a_sweep_is_said() {
    for (from, to, wanted) in [
        ("1ms,5ms,9ms", "1ms,,9ms", "t.toml:15:9: sweep.vary: link.follower.latency has an empty value"),
        ("link.follower.latency=1ms", "link.follower.latency 1ms", "has no `=`"),
        (
            "replica.lag.time.max.ms=5s..10s/2",
            "link.follower.latency=1ms",
            "varies link.follower.latency twice",
        ),
        ("seeds = 3", "seeds = 0", "sweep.seeds: is 0"),
        ("seeds = 3", "seed = 3", "sweep.seed: is no known key"),
        ("\"every\"", "\"all\"", "expect.2.cells: is \"all\""),
        ("latency <= 5ms", "latency<=5ms", "blanks around it"),
        (
            "\"link.follower.latency <= 5ms\"",
            "\"link.folower.latency <= 5ms\"",
            "did you mean \"link.follower.latency\"?",
        ),
        ("share = 0.9\n", "", "is given without `share`"),
        ("latency <= 5ms", "latency < 1ms", "is met by no value of the sweep"),
        ("latency <= 5ms", "latency <= 5", "is met by no value of the sweep"),
        ("share = 0.9", "share = 1", "expect.3.share: is 1"),
        ("share = 0.9", "share = 1.1", "expect.3.share: is 1.1"),
    ] {
        let text = TEXT.replace(from, to);
        assert_ne!(text, TEXT, "{from}");
        let found = Scenario::parse(&text, "t.toml").unwrap_err().to_string();
        assert!(found.contains(wanted), "{to}:\n{found}");
    }
}

#[test]
fn an_expectation_without_a_cell_is_found() {
    let scenario = Scenario::parse(TEXT, "t.toml").unwrap();
    let profile = scenario.variants();
    let none = |axes: &[Axis], profiles: &[isrlab_sim::protocol::Profile]| -> Vec<&str> {
        let known = scenario.expectations().iter();
        known.filter(|known| known.names_no_cell_of(axes, profiles)).map(|known| known.that()).collect()
    };
    let axis = |given: &str| given.parse::<Axis>().unwrap();
    assert_eq!(none(&axes(&scenario), profile), Vec::<&str>::new());
    assert_eq!(none(&[], profile), ["where it is near"], "its keys are not varied");
    let far = [axis("link.follower.latency=6ms,7ms"), axis("replica.lag.time.max.ms=10s")];
    assert_eq!(none(&far, profile), ["where it is near"]);
    let near = [axis("link.follower.latency=5ms,7ms"), axis("replica.lag.time.max.ms=10s")];
    assert_eq!(none(&near, profile), Vec::<&str>::new());
    assert_eq!(none(&near, &["kafka-2.5".parse().unwrap()]), ["everywhere", "where it is near"]);
}

#[test]
fn wrong_values_are_found_in_their_cell() {
    let scenario = Scenario::parse(TEXT, "t.toml").unwrap();
    let at = |given: &str| {
        let axis: Axis = given.parse().unwrap();
        scenario.at(&[(&axis, 0)]).unwrap_err().to_string()
    };
    assert!(
        at("link.folower.latency=1ms").contains("is nothing that can be set"),
        "{}",
        at("link.folower.latency=1ms")
    );
    assert!(
        at("link.follower.latency=fast").contains("link.follower.latency"),
        "{}",
        at("link.follower.latency=fast")
    );
}
