//! Exit code 0: all held, and the run was complete.

mod common;

use common::*;

#[test]
fn a_library_scenario_holds_and_writes_its_folder() {
    let lab = Lab::new();
    let got = lab.run(&["replay", "kafka-4485"]).code(0).err_is("");
    let got = got.out_has("pre-4485            5×").out_has("post-4485           no");
    got.out_has("Files in isrlab-out/kafka-4485");
    let wanted = [
        "isr_changes.csv",
        "manifest.json",
        "produce_latency.csv",
        "summary.csv",
        "timeline.csv",
        "timeline.png",
        "timeline.svg",
    ];
    assert_eq!(lab.names("isrlab-out/kafka-4485"), wanted);
}

#[test]
fn quiet_says_nothing_when_all_held() {
    let lab = Lab::new();
    lab.run(&["replay", "kafka-4485", "--quiet", "--no-files"]).code(0).out_is("").err_is("");
    assert!(lab.names(".").is_empty(), "--no-files wrote {:?}", lab.names("."));
}

#[test]
fn a_variant_that_nothing_is_expected_of_is_noted_on_stderr() {
    let lab = Lab::new();
    let args = ["replay", "kafka-4485", "--profile", "kafka-2.0", "--no-files"];
    let note = "note: the scenario expects nothing under kafka-2.0; only the invariants are checked\n";
    lab.run(&args).code(0).err_is(note);
}

#[test]
fn a_scenario_file_is_found_with_and_without_a_folder() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.run(&["replay", "small.toml", "--no-files"]).code(0).out_has("small: 3 s of virtual time");
    lab.run(&["replay", "./small.toml", "--no-files"]).code(0);
    lab.write("plain", SMALL);
    lab.run(&["replay", "plain", "--no-files"]).code(0).out_has("plain: 3 s");
}

#[test]
fn help_and_version_are_results() {
    let lab = Lab::new();
    lab.run(&["--help"]).code(0).err_is("").out_has("Exit codes:");
    lab.run(&["replay", "--help"]).code(0).err_is("").out_has("--criterion");
    let version = format!("isrlab {}\n", env!("CARGO_PKG_VERSION"));
    lab.run(&["--version"]).code(0).out_is(&version);
}

#[test]
fn completions_know_every_verb() {
    let lab = Lab::new();
    for shell in ["bash", "zsh", "fish"] {
        let got = lab.run(&["completions", shell]).code(0).err_is("");
        for word in ["isrlab", "replay", "list", "show", "validate", "schema", "completions", "seeds"] {
            assert!(got.out.contains(word), "no {word} for {shell}:\n{}", got.shown());
        }
    }
}

#[test]
fn what_show_prints_is_a_scenario_file() {
    let lab = Lab::new();
    let text = lab.run(&["show", "kafka-4485"]).code(0).err_is("").out;
    lab.write("mine.toml", text);
    lab.run(&["validate", "mine.toml"]).code(0).out_has("mine.toml: is a sound scenario: KAFKA-4485");
    lab.run(&["replay", "mine.toml", "--quiet", "--no-files"]).code(0).out_is("");
}

#[test]
fn list_names_what_replay_takes() {
    let lab = Lab::new();
    let got = lab.run(&["list"]).code(0).err_is("");
    for name in ["kafka-4485", "follower-pause", "kip-16-batch", "idle-partition", "healthy"] {
        assert!(got.out.lines().any(|line| line.starts_with(&format!("{name}  "))), "{}", got.shown());
        lab.run(&["show", name]).code(0);
    }
}
