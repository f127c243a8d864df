//! A run that breaks an invariant.

use crate::common::{KIP_101, Lab};

#[test]
fn the_violation_is_the_last_line_in_every_format() {
    let lab = Lab::new();
    lab.write("kip-101.toml", KIP_101);
    let run = |format: &'static str| {
        let window = ["--profile", "kafka-0.10.2", "--from", "4.01s", "--to", "5s", "--format", format];
        let args: Vec<&str> = ["trace", "kip-101.toml"].into_iter().chain(window).collect();
        lab.run(&args).code(1).err_has("error: invariant violated at 4.013 s by event ")
    };
    let text = run("text");
    let last = text.out.lines().rev().nth(2).unwrap();
    assert!(last.contains(" violation ") && last.contains("it must hold that "), "{}", text.shown());
    text.out_has("the run was violated at 4.013 s");
    let jsonl = run("jsonl");
    let lines: Vec<serde_json::Value> =
        jsonl.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (violation, end) = (&lines[lines.len() - 2], &lines[lines.len() - 1]);
    assert_eq!((&violation["kind"], &violation["partition"]), (&"violation".into(), &"orders-0".into()));
    assert_eq!((&end["run"], &end["time_ms"]), (&"violated".into(), &4013.into()));
    let truncated = lines.iter().find(|line| line["kind"] == "truncated").expect("a log that was cut");
    assert!(truncated["leo"].as_i64() < truncated["from_offset"].as_i64());
    run("mermaid").out_has("it must hold that ").out_has("4.013 s: the run was violated");
    let chrome = run("chrome").json();
    let events = chrome["traceEvents"].as_array().unwrap();
    assert!(events.iter().any(|event| event["name"] == "violation" && event["s"] == "g"));
}

#[test]
fn a_violation_before_the_window_is_told_too() {
    let lab = Lab::new();
    lab.write("kip-101.toml", KIP_101);
    let args = ["trace", "kip-101.toml", "--profile", "kafka-0.10.2", "--from", "5s"];
    lab.run(&args).code(1).out_is("").err_has("error: invariant violated at 4.013 s");
    let args = ["trace", "kip-101.toml", "--profile", "kafka-0.10.2", "--to", "4s", "--kind", "elected"];
    lab.run(&args).code(4);
}
