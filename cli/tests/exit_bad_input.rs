//! Exit code 2: bad usage or input. Results are on stdout, and there are none.

mod common;

use common::*;

#[track_caller]
fn refused(lab: &Lab, args: &[&str], wanted: &str) {
    lab.run(args).code(2).out_is("").err_has(wanted);
}

#[test]
fn usage() {
    let lab = Lab::new();
    refused(&lab, &[], "Usage: isrlab <COMMAND>");
    refused(&lab, &["replay"], "<SCENARIO-or-FILE>");
    refused(&lab, &["reply"], "some similar subcommands exist: 'report', 'replay'");
    refused(&lab, &["replay", "healthy", "--sede", "1"], "--seed");
    refused(&lab, &["validate"], "<FILES>");
    refused(&lab, &["completions", "csh"], "[possible values: bash");
    refused(&lab, &["replay", "healthy", "--no-files", "--out", "x"], "cannot be used with");
    refused(&lab, &["list", "--format", "yaml"], "[possible values: text, json]");
}

#[test]
fn numbers_out_of_range() {
    let lab = Lab::new();
    let replay = |option: &'static str, value: &'static str, wanted: &str| {
        refused(&lab, &["replay", "healthy", "--no-files", option, value], wanted);
    };
    replay("--seed", "-1", "invalid value '-1' for '--seed <N>'");
    replay("--seed", "18446744073709551616", "number too large");
    replay("--seeds", "0", "0 is not in 1..=1000000");
    replay("--seeds", "1000001", "1000001 is not in 1..=1000000");
    replay("--seeds", "NaN", "invalid digit");
    replay("--threads", "0", "invalid value '0' for '--threads <N>'");
    let last = u64::MAX.to_string();
    let args = ["replay", "healthy", "--no-files", "--seed", &last, "--seeds", "2"];
    refused(&lab, &args, "the last seed is above 18446744073709551615; take a smaller first one");
    lab.run(&["replay", "healthy", "--no-files", "--seed", &last, "--duration", "1s"]).code(0);
}

#[test]
fn durations() {
    let lab = Lab::new();
    for (value, wanted) in [
        ("0s", "duration: is 0\n"),
        ("10", "help: a duration has a unit: \"10ms\" or \"10s\""),
        ("-5s", "\"-5s\", which does not start with a plain decimal number"),
        ("NaN", "\"NaN\", which does not start with a plain decimal number"),
        ("", "\"\", which does not start with a plain decimal number"),
        ("100y", "\"100y\", which has an unknown unit"),
        ("1e9s", "\"1e9s\", which has an unknown unit"),
        ("99999999999999999999s", "which is longer than the longest duration"),
        ("0.1ns", "not a whole number of nanoseconds"),
        ("10s\"\nx=\"", "unknown unit"),
        ("１０s", "plain decimal number"),
    ] {
        refused(&lab, &["replay", "healthy", "--no-files", "--duration", value], wanted);
    }
}

#[test]
fn unknown_scenarios_come_with_a_suggestion() {
    let lab = Lab::new();
    for verb in ["replay", "show"] {
        refused(
            &lab,
            &[verb, "kafka-4458"],
            "error: kafka-4458: is no scenario of the library\n  help: did you mean \"kafka-4485\"?\n",
        );
        refused(&lab, &[verb, "x"], "the library has healthy, ");
        refused(&lab, &[verb, ""], "a value is required");
    }
    let long = "é".repeat(2_000);
    refused(&lab, &["replay", &long], "is no scenario of the library");
    refused(&lab, &["replay", "kafka-4485.tml"], "kafka-4485");
    refused(&lab, &["replay", "healthy.toml"], "there is no such file");
    refused(&lab, &["replay", "."], "is a folder, not a scenario file");
    refused(&lab, &["validate", "nosuch.toml"], "error: nosuch.toml: there is no such file");
}

#[test]
fn unknown_criteria_name_the_known_ones() {
    let lab = Lab::new();
    refused(&lab, &["replay", "healthy", "--criterion", "post-4486"], "post-4485");
    refused(&lab, &["replay", "healthy", "--profile", "kafka-9"], "kafka-2.5");
    refused(&lab, &["replay", "healthy", "--criterion", "kafka-2.5"], "--criterion");
}

#[test]
fn a_bad_file_is_told_of_with_line_and_column() {
    let lab = Lab::new();
    lab.write("bad.toml", SMALL.replace("brokers = 2", "brokers = 2\nbrokesr = 2"));
    for verb in ["replay", "validate"] {
        refused(&lab, &[verb, "bad.toml"], "bad.toml:4:1: brokesr: is no known key");
    }
    lab.write("syntax.toml", "title = \n");
    refused(&lab, &["replay", "syntax.toml"], "syntax.toml:1:");
    lab.write("latin1.toml", b"title = \"x\"\nabout = \"caf\xe9\"\n");
    refused(&lab, &["replay", "latin1.toml"], "latin1.toml:2:13: is not UTF-8 here");
    lab.write("empty.toml", "");
    refused(&lab, &["validate", "empty.toml"], "empty.toml:1:1: title: is missing");
}

#[test]
fn validate_tells_of_every_file() {
    let lab = Lab::new();
    lab.write("good.toml", SMALL);
    lab.write("bad.toml", "title = 3\n");
    let got = lab.run(&["validate", "good.toml", "bad.toml", "gone.toml"]).code(2);
    let got = got.out_is("good.toml: is a sound scenario: small\n");
    got.err_has("bad.toml:1:9: title: ").err_has("gone.toml: there is no such file");
}

#[test]
fn overrides_that_are_wrong() {
    let lab = Lab::new();
    let set = |value: &str, wanted: &str| {
        refused(&lab, &["replay", "kafka-4485", "--no-files", "--set", value], wanted);
    };
    set("replica.lag.time.max.ms", "expected KEY=VALUE");
    set("=1", "expected KEY=VALUE");
    set("replica.lag.tme.max.ms=1", "did you mean \"replica.lag.time.max.ms\"?");
    set("replica.lag.time.max.ms=nan", "--set: settings.replica.lag.time.max.ms: is a float");
    set("replica.lag.time.max.ms=", "a duration of whole milliseconds");
    set("replica.lag.time.max.ms=0", "--set: settings.replica.lag.time.max.ms: is 0");
    set("broker.9.first.fetch=1ms", "broker.1, broker.2, broker.3");
    set("topic.orders.partitions=1000000", "an integer from 1 to 100000");
    set("fault.f3-pause.every=4s", "accepted: longer than `for`");
    set("fault.f3-pause.at=100s", "and the run ends at 70s");
    set("producer.p.record.bytes=99999999999", "an integer of bytes from 1 to 2147483647");
    set("producer.p.arrivals.interval=0s", "producer.p.arrivals.interval: is 0");
    set("producer.p.arrivals={kind=\"ramp\",from=1,to=1e300,over=\"1s\"}", "1000000000");
    set("sample.every=0s", "sample.every: is 0");
    set("compare=[]", "compare");
}

#[test]
fn a_folder_of_others_is_left_alone() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    std::fs::create_dir(lab.path("mine")).unwrap();
    lab.write("mine/thesis.txt", "years of work");
    refused(&lab, &["replay", "small.toml", "--out", "mine"], "nothing was touched");
    lab.write("mine/manifest.json", "{\"made_by\": \"somebody else\"}");
    refused(&lab, &["replay", "small.toml", "--out", "mine"], "nothing was touched");
    assert_eq!(lab.names("mine"), ["manifest.json", "thesis.txt"]);
    lab.write("file", "x");
    refused(&lab, &["replay", "small.toml", "--out", "file"], "file is a file, not a folder");
    assert_eq!(lab.read("file"), "x");
}

#[test]
fn recorded_arrivals_that_are_wrong() {
    let lab = Lab::new();
    let arrivals = "arrivals = { kind = \"recorded\", file = \"times.csv\" }";
    let text = SMALL.replace("arrivals = { kind = \"poisson\", mean = \"10ms\" }", arrivals);
    lab.write("recorded.toml", text);
    refused(&lab, &["replay", "recorded.toml"], "recorded.toml:13:");
    for (csv, wanted) in [
        ("", "has no column with a time"),
        ("time_ms\n", "has no rows"),
        ("time_ms\n2\n1\n", "times.csv:3: is earlier than the row before"),
        ("time_ms\n-1\n", "times.csv:2: \"-1\" is no time in ms"),
        ("time_ms\nNaN\n", "times.csv:2: \"NaN\" is no time in ms"),
        ("time_ms\n1,2\n", "has 2 columns, and the header has 1"),
        ("time_ms,records\n1,0\n", "is no number of records from 1"),
        ("time_s\n99999999999999999999\n", "is no time in s"),
        ("time_ms\n\"1\n2\n", "is no time in ms"),
    ] {
        lab.write("times.csv", csv);
        refused(&lab, &["replay", "recorded.toml", "--no-files"], wanted);
    }
    std::fs::remove_file(lab.path("times.csv")).unwrap();
    std::fs::create_dir(lab.path("times.csv")).unwrap();
    refused(&lab, &["replay", "recorded.toml"], "times.csv: is not a file");
}

#[test]
fn recorded_arrivals_as_spreadsheets_write_them() {
    let lab = Lab::new();
    let arrivals = "arrivals = { kind = \"recorded\", file = \"times.csv\" }";
    let text = SMALL.replace("arrivals = { kind = \"poisson\", mean = \"10ms\" }", arrivals);
    lab.write("recorded.toml", text);
    for csv in [
        "time_ms\n1\n2.5\n2.5\n",
        "\u{FEFF}\"time_ms\"\r\n\"1\"\r\n\"2.5\"\r\n\"2.5\"",
        "records, time_ms\n,1\n1,2.5\n1,2.5\n\n",
    ] {
        lab.write("times.csv", csv);
        let json = lab.run(&["replay", "recorded.toml", "--no-files", "--format", "json"]).code(0).json();
        assert_eq!(json["variants"][0]["metrics"]["records_appended"]["mean"], 3.0, "{csv:?}");
    }
}

#[test]
fn a_version_without_a_profile_is_told_which_one_to_take() {
    let lab = Lab::new();
    refused(&lab, &["replay", "healthy", "--profile", "3.6"], "its rules are those of kafka-3.3");
    refused(&lab, &["replay", "healthy", "--profile", "2.5"], "did you mean kafka-2.5?");
}

#[test]
fn what_a_scenario_would_sweep_is_checked_with_it() {
    let lab = Lab::new();
    let map = lab.run(&["show", "flapping-map"]).code(0).out;
    lab.write("map.toml", &map);
    lab.run(&["validate", "map.toml", "flapping-map"]).code(0);
    lab.write("map.toml", map.replace("median=1ms,", "median=fast,"));
    refused(&lab, &["validate", "map.toml"], "link.far.latency.median: is \"fast\"");
}
