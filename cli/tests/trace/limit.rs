//! A trace that is cut, and a diagram that is refused.

use crate::common::Lab;
use crate::refused;

#[test]
fn what_is_left_out_is_counted_and_told() {
    let lab = Lab::new();
    let got = lab.run(&["trace", "kafka-4485"]).code(3);
    let got = got.err_has("note: 10,000 lines of 75,780 are here, the last at ").err_has("--limit none");
    assert_eq!(got.out.lines().count(), 10_000 + 6);
    got.out_has("10,000 lines of 30,354 events; 65,780 lines more left out\n");
    let few = ["trace", "kafka-4485", "--format", "jsonl", "--limit", "3"];
    let got = lab.run(&few).code(3).out_has("\"lines\":3,\"left_out_lines\":75777");
    assert_eq!(got.out.lines().count(), 5, "{}", got.shown());
    let all = ["trace", "kafka-4485", "--limit", "none"];
    assert_eq!(lab.run(&all).code(0).out.lines().count(), 75_780 + 6);
}

#[test]
fn a_diagram_that_is_too_large_is_refused_and_leaves_no_file() {
    let lab = Lab::new();
    let whole = ["kafka-4485", "--format", "mermaid", "--out", "trace.mmd"];
    refused(&lab, 2, &whole, "error: the window has 23,253 messages, and a Mermaid diagram is kept to 200");
    assert!(lab.names(".").is_empty());
    let raised = ["trace", "kafka-4485", "--to", "1s", "--format", "mermaid", "--limit", "1000"];
    lab.run(&raised).code(0).out_has("sequenceDiagram\n");
}

#[test]
fn limits_that_are_none() {
    let lab = Lab::new();
    for limit in ["0", "-1", "many", ""] {
        refused(&lab, 2, &["kafka-4485", "--limit", limit], "expected a number from 1, or none");
    }
}
