//! What a trace shows.

use crate::common::Lab;
use std::path::Path;

/// The first removal of the library's `kafka-4485` under the old rule, and the return.
const REMOVAL: [&str; 8] =
    ["trace", "kafka-4485", "--criterion", "pre-4485", "--from", "19.99s", "--to", "20.031s"];

/// Compares with a kept file; `ISRLAB_BLESS=1` accepts what comes now.
#[track_caller]
fn is_kept(name: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trace/golden").join(name);
    if std::env::var_os("ISRLAB_BLESS").is_some() {
        std::fs::write(&path, got).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == got, "{name} is not what is printed now; ISRLAB_BLESS=1 accepts it\n~~~\n{got}\n~~~");
}

#[test]
fn the_removal_of_kafka_4485_as_text() {
    let got = Lab::new().run(&REMOVAL).code(0).err_is("");
    is_kept("kafka-4485.txt", &got.out);
    let shrink = got.out.lines().find(|line| line.contains(" isr-shrink ")).expect("the removal");
    assert!(shrink.trim_start().starts_with("20.000000000 "), "{shrink}");
    assert!(shrink.ends_with("broker 2 (lag-time, lag 19,999 ms) leaves: ISR [1,2,3] → [1,3]"), "{shrink}");
    // Columns are where the head says: every line has its kind at the same place.
    let mut lines = got.out.lines().skip(3);
    let head: Vec<char> = lines.next().unwrap().chars().collect();
    let at = head.windows(4).position(|four| four == ['k', 'i', 'n', 'd']).unwrap();
    for line in lines.take_while(|line| !line.is_empty()) {
        let line: Vec<char> = line.chars().collect();
        assert!(line[at - 1] == ' ' && line[at].is_ascii_lowercase(), "{}", line.iter().collect::<String>());
    }
}

#[test]
fn the_removal_of_kafka_4485_as_a_diagram() {
    let lab = Lab::new();
    let args: Vec<&str> = REMOVAL.iter().copied().chain(["--format", "mermaid"]).collect();
    let got = lab.run(&args).code(0).err_is("");
    is_kept("kafka-4485.mmd", &got.out);
    got.out_has(
        "    participant P0 as producer p\n    participant B1 as broker 1 (leader)\n    participant B2 ",
    )
    .out_has("Note over B1,B2: 20.000 s: orders-0: broker 2 (lag-time, lag 19,999 ms) leaves");
}

#[test]
fn json_lines_begin_and_end_with_the_run() {
    let lab = Lab::new();
    let args: Vec<&str> = REMOVAL.iter().copied().chain(["--format", "jsonl"]).collect();
    let got = lab.run(&args).code(0);
    let lines: Vec<serde_json::Value> =
        got.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (first, last) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!((&first["scenario"], &first["criterion"]), (&"kafka-4485".into(), &"pre-4485".into()));
    assert_eq!(
        (&first["seed"], &first["from_ms"], &first["until_ms"]),
        (&1.into(), &19990.into(), &20031.into())
    );
    assert_eq!((&last["run"], &last["lines"]), (&"complete".into(), &(lines.len() - 2).into()));
    let expand = lines.iter().find(|line| line["kind"] == "isr-expand").expect("the return");
    assert_eq!(expand["time_ms"], 20030);
    assert_eq!(expand["new_isr"], serde_json::json!([1, 2, 3]));
}

#[test]
fn the_criterion_is_said_where_it_was_not_asked_for() {
    let lab = Lab::new();
    let window = ["trace", "kafka-4485", "--from", "20s", "--to", "20s"];
    lab.run(&window)
        .code(0)
        .err_has("note: under pre-4485, the first that the scenario compares; the others are ");
    let with = |option: &'static str, name: &'static str| {
        let args: Vec<&str> = window.iter().copied().chain([option, name]).collect();
        lab.run(&args).code(0).err_is("")
    };
    let old = with("--profile", "kafka-0.10.1").out_has("kafka-4485 under kafka-0.10.1, seed 1");
    assert!(old.out.contains(" isr-shrink "));
    assert!(!with("--criterion", "post-4485").out.contains(" isr-shrink "));
}

#[test]
fn settings_seed_and_duration_are_taken() {
    let lab = Lab::new();
    let args =
        ["trace", "kafka-4485", "--set", "replica.lag.time.max.ms=5s", "--seed", "9", "--duration", "12s"];
    let args: Vec<&str> = args.into_iter().chain(["--around", "isr-shrink"]).collect();
    lab.run(&args).code(0).err_has("isr-shrink 1 is at 10.000 s").out_has("seed 9: from 9.950 s to 10.050 s");
}

#[test]
fn more_than_twelve_actors_are_named() {
    let lab = Lab::new();
    let text = crate::common::SMALL.replace("brokers = 2", "brokers = 13");
    lab.write("wide.toml", text);
    let got = lab.run(&["trace", "wide.toml", "--to", "100ms"]).code(0);
    got.out_has("who acts, and to whom a message arrives").out_has("broker 2             → broker 1");
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let section = readme.split("## Every event\n").nth(1).expect("the section");
    let line = section.lines().find(|line| line.starts_with("    cargo run ")).expect("the command");
    let words: Vec<&str> = line.split_whitespace().skip_while(|word| *word != "trace").collect();
    let got = Lab::new().run(&words).code(0);
    let shown = section.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());
    assert_eq!(shown, Some(got.out.trim_end()), "the README's block is not what the command prints");
}

#[test]
fn completions_know_the_formats() {
    Lab::new().run(&["completions", "bash"]).code(0).out_has("text jsonl mermaid chrome");
}
