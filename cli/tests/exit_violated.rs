//! Exit code 1: an expectation or an invariant was violated.

mod common;

use common::*;

const FAILS: &str = r#"
[[expect]]
that = "the follower is removed"
metric = "isr_shrinks"
equals = 7
"#;

#[test]
fn an_expectation_that_fails_says_what_came_and_how_to_repeat_it() {
    let lab = Lab::new();
    lab.write("small.toml", format!("{SMALL}{FAILS}"));
    let got = lab.run(&["replay", "small.toml", "--seed", "5", "--duration", "3001ms"]);
    // In a run that is longer than the file says, a number that is too small stays so.
    let got = got.code(1).err_is("").out_has("✗ the follower is removed");
    let got = got.out_has("VIOLATED; wanted isr_shrinks = 7, got isr_shrinks = 0 (seed 5)");
    let got = got.out_has("expected in small.toml:15");
    let command = "isrlab replay small.toml --criterion post-4485 --set duration=3001ms --seed 5";
    let got = got.out_has(&format!("repeat it: {command}\n"));
    let again = lab.run_line(command).code(1);
    assert!(again.out.contains("got isr_shrinks = 0 (seed 5)"), "{}\n{}", got.shown(), again.shown());
}

#[test]
fn quiet_does_not_hide_what_is_wrong() {
    let lab = Lab::new();
    lab.write("small.toml", format!("{SMALL}{FAILS}"));
    lab.run(&["replay", "small.toml", "--quiet", "--no-files"]).code(1).err_is("").out_has("VIOLATED");
}

#[test]
fn the_json_tells_of_an_expectation_that_fails() {
    let lab = Lab::new();
    lab.write("small.toml", format!("{SMALL}{FAILS}"));
    let json = lab.run(&["replay", "small.toml", "--format", "json", "--no-files"]).code(1).err_is("").json();
    assert_eq!(json["exit_code"], 1);
    let expectation = &json["variants"][0]["expectations"][0];
    assert_eq!(expectation["verdict"], "violated");
    assert_eq!(expectation["got"], "isr_shrinks = 0");
    assert_eq!(expectation["place"], "small.toml:15");
}

#[test]
fn a_broken_invariant_shows_event_state_seed_and_the_command_that_repeats_it() {
    let lab = Lab::new();
    lab.write("kip-101.toml", KIP_101);
    let got = lab.run(&["replay", "kip-101.toml", "--seed", "3"]).code(1);
    let got = got.out_has("INVARIANT VIOLATED under kafka-0.10.2, seed 3, at 4.013 s\n  must hold: ");
    let got = got
        .out_has("fault second begins")
        .out_has("leader broker 2: LEO 400, HW 400")
        .out_has("acknowledged with acks=all: all below 401; under this leader, all below 0\n");
    let line = got.out.lines().find_map(|line| line.trim().strip_prefix("repeat it: "));
    let line = line.unwrap_or_else(|| panic!("no command that repeats it:\n{}", got.shown())).to_owned();
    assert_eq!(line, "isrlab replay kip-101.toml --profile kafka-0.10.2 --seed 3");
    let block = |got: &Got| {
        let start = got.out.find("INVARIANT VIOLATED").unwrap_or_else(|| panic!("{}", got.shown()));
        let length = got.out[start..].find("repeat it").unwrap_or_else(|| panic!("{}", got.shown()));
        got.out[start..start + length].to_owned()
    };
    let again = lab.run_line(&line).code(1);
    assert_eq!(block(&again), block(&got), "the command repeats something else");
    // The variant that keeps its promise is still there.
    assert!(got.out.contains("kafka-0.11.0 kept every replica in the ISR"), "{}", got.shown());
}

#[test]
fn the_files_of_a_broken_run_are_whole_and_say_so() {
    let lab = Lab::new();
    lab.write("kip-101.toml", KIP_101);
    lab.run(&["replay", "kip-101.toml", "--profile", "kafka-0.10.2", "--out", "out"]).code(1);
    for name in lab.names("out").iter().filter(|name| name.ends_with(".csv")) {
        is_whole_csv(name, &lab.bytes(&format!("out/{name}")));
    }
    let manifest: serde_json::Value = serde_json::from_str(&lab.read("out/manifest.json")).unwrap();
    assert_eq!((&manifest["state"], &manifest["runs_finished"]), (&"violated".into(), &0.into()));
}

#[test]
fn the_json_has_the_broken_invariant() {
    let lab = Lab::new();
    lab.write("kip-101.toml", KIP_101);
    let json = lab.run(&["replay", "kip-101.toml", "--format", "json", "--no-files"]).code(1).json();
    assert_eq!((&json["exit_code"], &json["violations_total"]), (&1.into(), &1.into()));
    let violation = &json["violations"][0];
    has_fields(
        violation,
        &["criterion", "seed", "invariant", "at_ns", "event_number", "event", "state", "command"],
    );
    assert_eq!(violation["at_ns"], 4_013_000_000_u64);
    assert_eq!(json["runs_finished"], 1);
}
