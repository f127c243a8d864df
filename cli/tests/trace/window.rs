//! Windows that are wrong, and windows in which nothing happened.

use crate::common::{Lab, SMALL};
use crate::refused;

#[test]
fn windows_that_are_wrong() {
    let lab = Lab::new();
    let wrong = |options: &[&str], wanted: &str| {
        let args: Vec<&str> = ["kafka-4485"].iter().chain(options).copied().collect();
        refused(&lab, 2, &args, wanted);
    };
    wrong(
        &["--from", "3s", "--to", "2s"],
        "error: --from 3s --to 2s: the window ends before it starts; accepted: ",
    );
    wrong(&["--to", "71s"], "error: --to 71s: is after the end of the run; accepted: up to 70s");
    wrong(&["--from", "70.000000001s"], "error: --from 70.000000001s: is after the end of the run");
    wrong(&["--from", "5"], "invalid value '5' for '--from <T>': duration \"5\" has no unit");
    wrong(&["--to", "-1s"], "invalid value '-1s' for '--to <T>'");
    wrong(&["--to", "NaN"], "invalid value 'NaN' for '--to <T>'");
}

#[test]
fn the_ends_of_a_window_are_in_it() {
    let lab = Lab::new();
    let got = lab.run(&["trace", "kafka-4485", "--from", "20s", "--to", "20s", "--kind", "isr-shrink"]);
    got.code(0).out_has("1 line of 4 events");
    lab.run(&["trace", "kafka-4485", "--from", "70s"]).code(0).out_has(" isr-check ");
}

#[test]
fn nothing_in_the_window_is_exit_code_4() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    let empty = ["small.toml", "--from", "0.6ms", "--to", "0.7ms", "--format"];
    for format in ["text", "jsonl", "mermaid", "chrome"] {
        let args: Vec<&str> = empty.iter().copied().chain([format, "--out", "trace"]).collect();
        refused(&lab, 4, &args, "error: nothing happened from 0.000600 s to 0.000700 s (0 events there)");
    }
    let filtered = ["small.toml", "--kind", "elected"];
    refused(&lab, 4, &filtered, "error: nothing that --partition, --broker and --kind keep happened");
    assert_eq!(lab.names("."), ["small.toml"], "no file is left behind");
}
