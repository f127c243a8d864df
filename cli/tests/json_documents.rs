//! `--format json`: every verb prints one document, with the fields that are documented.

mod common;

use common::*;

#[test]
fn list() {
    let lab = Lab::new();
    let json = lab.run(&["list", "--format", "json"]).code(0).err_is("").json();
    let scenarios = json.as_array().unwrap();
    assert!(scenarios.len() >= 9);
    for scenario in scenarios {
        has_fields(scenario, &["name", "title", "duration_ms", "compare", "expectations"]);
        assert!(scenario["expectations"].as_u64() > Some(0), "{scenario:#}");
    }
}

#[test]
fn show() {
    let lab = Lab::new();
    let json = lab.run(&["show", "healthy", "--format", "json"]).code(0).err_is("").json();
    has_fields(&json, &["name", "title", "about", "text"]);
    assert_eq!(json["text"], lab.run(&["show", "healthy"]).out);
}

#[test]
fn validate() {
    let lab = Lab::new();
    lab.write("good.toml", SMALL);
    lab.write("bad.toml", SMALL.replace("brokers", "brokres"));
    let args = ["validate", "--format", "json", "good.toml", "bad.toml", "gone.toml"];
    let json = lab.run(&args).code(2).err_is("").json();
    let [good, bad, gone] = json.as_array().unwrap().as_slice() else { panic!("{json:#}") };
    has_fields(good, &["file", "sound", "diagnostics"]);
    assert_eq!(good["sound"], true);
    has_fields(bad, &["file", "sound", "diagnostics", "omitted"]);
    let diagnostics = bad["diagnostics"].as_array().unwrap();
    let first = diagnostics.iter().find(|one| one["key"] == "brokres").unwrap_or_else(|| panic!("{bad:#}"));
    has_fields(first, &["file", "line", "column", "key", "message", "accepted", "help"]);
    assert_eq!((&first["line"], &first["column"], &first["key"]), (&3.into(), &1.into(), &"brokres".into()));
    assert_eq!(first["help"], "did you mean \"brokers\"?");
    assert_eq!((&gone["sound"], &gone["diagnostics"][0]["line"]), (&false.into(), &serde_json::Value::Null));
}

#[test]
fn schema() {
    let lab = Lab::new();
    let json = lab.run(&["schema"]).code(0).err_is("").json();
    assert!(json["$schema"].as_str().unwrap().contains("json-schema.org"), "{json:#}");
    assert!(json["properties"]["duration"].is_object());
}

#[test]
fn replay() {
    let lab = Lab::new();
    let json = lab.run(&["replay", "kafka-4485", "--format", "json"]).code(0).err_is("").json();
    has_fields(
        &json,
        &[
            "version",
            "scenario",
            "exit_code",
            "duration_ns",
            "seeds",
            "command",
            "runs",
            "runs_finished",
            "variants",
            "violations_total",
            "violations",
            "not_exercised",
            "missing_total",
            "missing",
            "folder",
        ],
    );
    assert_eq!((&json["version"], &json["exit_code"]), (&env!("CARGO_PKG_VERSION").into(), &0.into()));
    let variant = &json["variants"][0];
    has_fields(variant, &["criterion", "runs_finished", "flapped", "metrics", "expectations", "exercised"]);
    has_fields(&variant["flapped"], &["runs", "share", "interval_95_wilson"]);
    let metric = ["unit", "runs", "mean", "standard_deviation", "interval_95_t", "min", "max"];
    for (name, value) in variant["metrics"].as_object().unwrap() {
        has_fields(value, &metric);
        assert!(isrlab_sim::cluster::metric::Metric::find(name).is_some(), "{name}");
    }
    assert_eq!(variant["metrics"].as_object().unwrap().len(), isrlab_sim::cluster::metric::METRICS.len());
    has_fields(
        &variant["expectations"][0],
        &[
            "expectation",
            "verdict",
            "runs_held",
            "runs_premise_never_met",
            "runs_violated",
            "runs_inconclusive",
            "seed",
            "got",
            "wanted",
            "premise",
            "place",
            "command",
        ],
    );
    has_fields(
        &variant["exercised"],
        &[
            "events",
            "faults",
            "isr_checks",
            "join_attempts",
            "invariant_checks",
            "hw_within_isr_premise",
            "acks_all_acknowledged",
        ],
    );
    has_fields(&json["folder"], &["path", "replaced", "files"]);
    has_fields(&json["folder"]["files"][0], &["file", "rows"]);
    assert_eq!(
        json["command"],
        serde_json::from_str::<serde_json::Value>(&lab.read("isrlab-out/kafka-4485/manifest.json")).unwrap()
            ["command"]
    );
}

#[test]
fn the_json_is_whole_whatever_quiet_says() {
    let lab = Lab::new();
    let args = ["replay", "healthy", "--duration", "1s", "--no-files", "--format", "json"];
    let loud = lab.run(&args).out;
    assert_eq!(lab.run(&[&args[..], &["--quiet"]].concat()).out, loud);
}
