//! Filters, formats and criteria that name what is not there.

use crate::common::Lab;
use crate::refused;

#[test]
fn names_that_are_unknown_come_with_those_that_are_known() {
    let lab = Lab::new();
    let wrong = |options: &[&str], wanted: &str| {
        let args: Vec<&str> = ["kafka-4485"].iter().chain(options).copied().collect();
        refused(&lab, 2, &args, wanted);
    };
    wrong(
        &["--partition", "orders"],
        "--partition orders: the scenario has no such partition; accepted: orders-0\n",
    );
    wrong(&["--partition", "orders-1"], "accepted: orders-0\n");
    wrong(&["--broker", "9"], "--broker 9: the scenario has no such broker; accepted: 1, 2, 3\n");
    wrong(&["--broker", "-1"], "--broker -1: the scenario has no such broker");
    wrong(&["--broker", "two"], "invalid value 'two' for '--broker <ID>'");
    wrong(&["--kind", "hw"], "--kind hw: no kind of line is called 'hw'; there are request-arises, ");
    wrong(&["--kind", "end"], "no kind of line is called 'end'");
    wrong(&["--criterion", "post"], "no criterion is called 'post'");
    wrong(&["--criterion", "post-4485", "--profile", "kafka-2.5"], "cannot be used with");
    wrong(&["--set", "replica.lag.tme.max.ms=1"], "did you mean \"replica.lag.time.max.ms\"?");
}

#[test]
fn json_is_refused_with_a_hint() {
    let lab = Lab::new();
    refused(
        &lab,
        2,
        &["kafka-4485", "--format", "json"],
        "a trace is not one JSON document: take --format jsonl",
    );
    refused(&lab, 2, &["kafka-4485", "--format", "yaml"], "[possible values: text, jsonl, mermaid, chrome]");
}

#[test]
fn every_line_that_a_broker_filter_keeps_is_in_the_whole_trace() {
    let lab = Lab::new();
    let run = |options: &[&str]| {
        let window = ["trace", "kafka-4485", "--from", "19.9s", "--to", "20.1s", "--format", "jsonl"];
        let args: Vec<&str> = window.iter().chain(options).copied().collect();
        let out = lab.run(&args).code(0).out;
        let lines = out.lines().map(str::to_owned).collect::<Vec<_>>();
        lines[1..lines.len() - 1].to_vec()
    };
    let (whole, of_two) = (run(&[]), run(&["--broker", "2"]));
    assert!(of_two.len() > 20 && of_two.len() < whole.len());
    assert!(of_two.iter().all(|line| whole.contains(line)));
    assert!(of_two.iter().any(|line| line.contains("\"isr-shrink\"")), "broker 2 is removed");
    assert!(!of_two.iter().any(|line| line.contains("\"fault-starts\"")), "the fault is broker 3's");
}
