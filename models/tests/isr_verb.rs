//! `check isr` as a user meets it.

use clap::Parser;
use isrlab_models::isr::verb::IsrArgs;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    isr: IsrArgs,
}

/// Runs the verb with these arguments: exit code, standard output, standard error.
fn run(arguments: &[&str]) -> (u8, String, String) {
    let line = Line::try_parse_from(std::iter::once("isr").chain(arguments.iter().copied()))
        .unwrap_or_else(|error| panic!("{error}"));
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let code = line.isr.run(None, &mut out, &mut progress);
    (code, String::from_utf8(out).expect("UTF-8"), String::from_utf8(progress).expect("UTF-8"))
}

const SMALL: &[&str] = &["--followers", "1", "--lag", "2", "--gap", "1", "--start", "established"];

fn small(more: &[&'static str]) -> (u8, String, String) {
    run(&[SMALL, more].concat())
}

#[test]
fn the_old_rule_is_refuted_and_that_is_as_expected() {
    let (code, out, progress) = small(&["--criterion", "pre-4485", "--question", "removal", "--full"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("diligent-removed = 1"), "{out}");
    assert!(out.contains("tight:"), "{out}");
    assert!(progress.contains("states/s"), "{progress}");
}

#[test]
fn the_answer_does_not_depend_on_the_threads() {
    let one = small(&["--threads", "1", "--format", "json"]);
    let three = small(&["--threads", "3", "--format", "json"]);
    assert_eq!((one.0, one.1), (three.0, three.1));
}

#[test]
fn json_holds_the_claims_and_each_cycle() {
    let (code, out, _) = small(&["--criterion", "proposed-4485", "--format", "json"]);
    assert_eq!(code, 0);
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let answers = document["answers"].as_array().expect("answers");
    let outside = answers
        .iter()
        .find(|answer| answer["measure"] == "g2-outside" && answer["setting"]["behaviour"] == "returning")
        .expect("asked");
    assert_eq!(outside["answer"], "unbounded");
    assert!(!outside["cycle"]["round"].as_array().expect("a round").is_empty());
    assert!(document["claims"].as_array().expect("claims").len() > 8);
}

#[test]
fn a_limit_makes_it_inconclusive() {
    let (code, out, _) = small(&["--max-states", "10"]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("inconclusive"), "{out}");
}

#[test]
fn bad_numbers_are_refused_with_what_is_accepted() {
    let (code, _, progress) = run(&["--lag", "0"]);
    assert_eq!(code, 2);
    assert!(progress.contains("the lag time D is 0; it must be 1 to 50"), "{progress}");
    let (code, _, progress) = run(&["--grid", "--lag", "3"]);
    assert_eq!(code, 2);
    assert!(progress.contains("leave out --lag"), "{progress}");
}

#[test]
fn a_premise_that_is_never_true_fails_a_strict_run() {
    let never = &["--criterion", "proposed-4485", "--behaviour", "diligent", "--question", "g2"];
    assert_eq!(small(never).0, 0);
    let strict = [never.as_slice(), &["--strict"]].concat();
    assert_eq!(small(&strict).0, 1);
}

#[test]
fn counterexamples_and_junit_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("isr.xml");
    let traces = folder.path().join("traces");
    let arguments = [
        SMALL,
        &["--criterion", "pre-4485", "--question", "removal", "--behaviour", "diligent", "--junit"],
        &[junit.to_str().expect("a path"), "--traces", traces.to_str().expect("a path")],
    ]
    .concat();
    assert_eq!(run(&arguments).0, 0);
    let xml = std::fs::read_to_string(&junit).expect("written");
    assert!(xml.contains(r#"name="diligent-removed""#) && !xml.contains("<failure"), "{xml}");
    let mut names: Vec<String> = std::fs::read_dir(&traces)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    let wanted = ["itf.json", "json", "mmd", "schedule.txt", "txt"]
        .map(|extension| format!("00000-pre-4485-diligent-removed.{extension}"));
    assert_eq!(names, wanted);
    let text = std::fs::read_to_string(traces.join(&names[4])).expect("written");
    assert!(text.contains("the check runs") && text.contains("VIOLATED"), "{text}");
}
