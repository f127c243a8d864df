//! Options that change a scenario.

mod common;

use common::*;

#[test]
fn a_setting_can_be_replaced() {
    let lab = Lab::new();
    let args = ["replay", "follower-pause", "--no-files", "--format", "json", "--criterion", "post-4485"];
    let shrinks = |more: &[&str]| {
        let got = lab.run(&[&args[..], more].concat());
        got.json()["variants"][0]["metrics"]["isr_shrinks"]["mean"].as_f64().unwrap()
    };
    assert_eq!(shrinks(&["--set", "replica.lag.time.max.ms=60s"]), 0.0);
    assert_eq!(shrinks(&["--set", "replica.lag.time.max.ms = 60000"]), 0.0);
    assert!(
        shrinks(&["--set", "replica.lag.time.max.ms=60s", "--set", "replica.lag.time.max.ms=1s"]) > 0.0,
        "the last one counts"
    );
}

#[test]
fn criteria_and_profiles_replace_those_that_are_compared() {
    let lab = Lab::new();
    let args = ["replay", "kafka-4485", "--no-files", "--format", "json"];
    let more = ["--profile", "kafka-0.10.1", "--criterion", "pre-4485", "--criterion", "pre-4485"];
    let json = lab.run(&[&args[..], &more[..]].concat()).code(0).json();
    let names: Vec<&str> = json["variants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|variant| variant["criterion"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["pre-4485", "kafka-0.10.1"]);
}

#[test]
fn the_manifest_makes_the_folder_again() {
    let lab = Lab::new();
    lab.write("my small.toml", SMALL);
    let args = ["replay", "my small.toml", "--seed", "7", "--seeds", "2", "--duration", "2s", "--out", "a"];
    lab.run(&[&args[..], &["--set", "producer.p.acks=1"]].concat()).code(0);
    let manifest: serde_json::Value = serde_json::from_str(&lab.read("a/manifest.json")).unwrap();
    let command = manifest["command"].as_str().unwrap();
    let wanted = "isrlab replay 'my small.toml' --criterion post-4485 --set producer.p.acks=1 --set duration=2s --seed 7 --seeds 2";
    assert_eq!(command, wanted);
    lab.write("again.toml", manifest["scenario_text"].as_str().unwrap());
    assert_eq!(lab.read("again.toml"), SMALL);
    let again = command.replace("'my small.toml'", "my_small.toml");
    std::fs::rename(lab.path("my small.toml"), lab.path("my_small.toml")).unwrap();
    lab.run_line(&format!("{again} --out b")).code(0);
    // The scenario's name is in every row; all else must be the same.
    for name in ["summary.csv", "timeline.csv", "produce_latency.csv", "isr_changes.csv"] {
        let (a, b) = (lab.read(&format!("a/{name}")), lab.read(&format!("b/{name}")));
        assert_eq!(a.replace("my small", "my_small"), b, "{name}");
    }
}

#[test]
fn a_run_that_is_cut_short_says_so_and_fails_nothing() {
    let lab = Lab::new();
    let args = ["replay", "kafka-4485", "--no-files", "--duration", "30s"];
    let got = lab.run(&args).code(0).out_has("? the old rule removes follower 2 at every check");
    let flat = got.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted =
        "it never happened that the run reached 40.000 s, a time that it names; it ended at 30.000 s";
    assert!(flat.contains(wanted), "{}", got.shown());
    let wanted = "it never happened that the run lasted 70s, as the scenario is written for, and not 30s";
    assert!(flat.contains(wanted), "{}", got.shown());
    lab.run(&[&args[..], &["--strict"]].concat()).code(3);
    // What goes wrong within the time that is left is still wrong.
    lab.run(&[&args[..], &["--set", "replica.lag.time.max.ms=5s"]].concat()).code(1);
}

#[test]
fn seeds_give_statistics() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    let args = ["replay", "small.toml", "--seed", "10", "--seeds", "5", "--out", "out"];
    let got = lab.run(&args).code(0).out_has("5 seeds (10 to 14)").out_has("Means over the runs");
    let json = lab.run(&[&args[..], &["--format", "json"]].concat()).code(0).json();
    assert_eq!(json["seeds"], serde_json::json!([10, 11, 12, 13, 14]));
    let records = &json["variants"][0]["metrics"]["records_appended"];
    let number = |key: &str| records[key].as_f64().unwrap_or_else(|| panic!("{key}: {records:#}"));
    assert_eq!((number("runs"), json["runs_finished"].as_u64()), (5.0, Some(5)));
    assert!(number("min") < number("mean") && number("mean") < number("max"), "{}", got.shown());
    let interval = &records["interval_95_t"];
    has_fields(interval, &["low", "high"]);
    assert!(
        interval["low"].as_f64() < Some(number("mean")) && Some(number("mean")) < interval["high"].as_f64()
    );
    // The same numbers from the rows of each run.
    let summary = lab.read("out/summary.csv");
    let mut lines = summary.lines();
    let column = lines.next().unwrap().split(',').position(|name| name == "records_appended").unwrap();
    let values: Vec<f64> = lines.map(|row| row.split(',').nth(column).unwrap().parse().unwrap()).collect();
    assert_eq!(values.iter().sum::<f64>() / 5.0, number("mean"), "{values:?}");
}

#[test]
fn a_seed_that_is_given_replaces_the_scenarios() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    let run = |seed: &[&str]| {
        let args = [&["replay", "small.toml", "--no-files", "--format", "json"][..], seed].concat();
        lab.run(&args).code(0).json()["variants"][0]["metrics"].clone()
    };
    assert_eq!(run(&["--seed", "3"]), run(&["--set", "seed=3"]));
    assert_ne!(run(&["--seed", "3"]), run(&["--seed", "4"]));
}
