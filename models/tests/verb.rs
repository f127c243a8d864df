//! The verb: its answer in each format, its exit codes, and what it says when something is wrong.

use std::time::Duration;

use clap::Parser;
use isrlab_models::async_isr::AsyncIsrConstants;
use isrlab_models::checker::{Engine, Limits};
use isrlab_models::replication::{Constants, Variant};
use isrlab_models::verb::args::{ExploreArgs, ReplicationArgs};
use isrlab_models::verb::{CheckReplication, Format, ModelName, check_replication, exit};

fn small() -> CheckReplication {
    CheckReplication { constants: Constants::new(2, 2, 2, 2), ..CheckReplication::default() }
}

fn only(variant: Variant) -> CheckReplication {
    CheckReplication { models: vec![ModelName::Replication(variant)], ..small() }
}

/// The exit code, the answer and the progress.
fn run(args: &CheckReplication) -> (u8, String, String) {
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let code = check_replication(args, &mut out, &mut progress);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (code, text(out), text(progress))
}

fn replication_only() -> CheckReplication {
    CheckReplication { models: Variant::ALL.map(ModelName::Replication).to_vec(), ..small() }
}

#[test]
fn the_matrix_of_two_replicas() {
    let (code, out, _) = run(&replication_only());
    let matrix = "\
Log truncation and fencing: R2 L2 M2 E2 — 2 replicas, at most 2 records in a log, 2 records ever written, leader epochs 0 to 2 (engine fast)
  variant            weak-isr        strong-isr      no-divergence   committed-is-forever  states  depth
  truncate-to-hw     violated in 9   violated in 10  violated in 15  violated in 12        10131   20
  kip-101            violated in 12  violated in 12  holds           holds                 9045    18
  kip-279            holds           holds           holds           holds                 9027    18
  kip-320-first-try  holds           holds           holds           holds                 8429    18
  kip-320            holds           holds           holds           holds                 5973    18
";
    assert!(out.starts_with(matrix), "{out}");
    assert!(out.ends_with("20 answers: 20 as expected.\n"), "{out}");
    assert_eq!(code, exit::OK);
}

#[test]
fn the_answer_depends_on_neither_threads_nor_the_clock() {
    let (_, once, _) = run(&replication_only());
    let (_, again, _) = run(&CheckReplication { threads: 2, ..replication_only() });
    assert_eq!(once, again);
}

#[test]
fn one_variant_shows_the_steps_of_its_counterexamples() {
    let (code, out, progress) = run(&only(Variant::Kip101));
    assert_eq!(code, exit::OK, "an old generation that is refuted as expected is no failure");
    assert!(out.contains("   1. the controller elects replica"), "{out}");
    assert!(out.contains("weak-isr VIOLATED"), "{out}");
    assert!(progress.contains("replication kip-101 R2 L2 M2 E2: done, 9045 states"), "{progress}");
}

#[test]
fn a_violation_outside_the_table_fails() {
    let args = CheckReplication { constants: Constants::new(2, 1, 2, 2), ..only(Variant::Kip101) };
    let (code, out, _) = run(&args);
    assert!(out.contains("with no expectation for this bound"), "{out}");
    let violated = out.contains("violated in");
    assert_eq!(code, if violated { exit::VIOLATED } else { exit::OK });
    let args = CheckReplication { constants: Constants::new(2, 3, 2, 2), ..only(Variant::TruncateToHw) };
    assert_eq!(run(&args).0, exit::VIOLATED);
    let args = CheckReplication { constants: Constants::new(2, 3, 2, 2), ..only(Variant::Kip320) };
    assert_eq!(run(&args).0, exit::OK);
}

#[test]
fn a_limit_makes_it_inconclusive_with_the_count_reached() {
    for engine in [Engine::Fast, Engine::Stateright] {
        let limits = Limits { max_states: Some(1000), ..Limits::default() };
        let args = CheckReplication { engine, limits, ..only(Variant::Kip320) };
        let (code, out, _) = run(&args);
        assert_eq!(code, exit::INCONCLUSIVE);
        assert!(out.contains("inconclusive"), "{out}");
        assert!(out.contains("≥ 1000"), "{out}");
        assert!(out.contains("1000 distinct states"), "{out}");
        assert!(out.contains("stopped by the limit on states"), "{out}");
    }
    let limits = Limits { timeout: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(run(&CheckReplication { limits, ..only(Variant::Kip320) }).0, exit::INCONCLUSIVE);
}

#[test]
fn strict_is_inconclusive_about_what_was_not_exercised() {
    // With one replica nothing is ever fetched.
    let alone = CheckReplication { constants: Constants::new(1, 1, 1, 0), ..only(Variant::Kip320) };
    let (code, out, _) = run(&alone);
    assert_eq!(code, exit::OK);
    assert!(
        out.contains("NOT EXERCISED: replication kip-320 R1 L1 M1 E0: action \"fetch\" was never taken"),
        "{out}"
    );
    assert_eq!(run(&CheckReplication { strict: true, ..alone }).0, exit::INCONCLUSIVE);
    assert_eq!(run(&CheckReplication { strict: true, ..small() }).0, exit::OK);
}

#[test]
fn bad_constants_are_named_with_what_is_accepted() {
    let (code, out, error) = run(&CheckReplication { constants: Constants::new(9, 2, 2, 2), ..small() });
    assert_eq!((code, out.as_str()), (exit::USAGE, ""));
    assert!(error.contains("error: --replicas 9 is out of range; accepted are 1 to 8"), "{error}");
}

#[test]
fn models_that_do_not_go_as_far_are_left_out_only_if_they_were_not_asked_for() {
    let bound = |models| CheckReplication { models, constants: Constants::new(1, 1, 1, 1), ..small() };
    let too_far = AsyncIsrConstants::new(5, 3, 3);
    let (code, out, note) = run(&CheckReplication { async_isr_constants: too_far, ..bound(vec![]) });
    assert_eq!(code, exit::OK);
    assert!(note.contains("note: the kip-497 models are left out: --replicas 5 is out of range"), "{note}");
    assert!(out.contains("20 answers") && !out.contains("kip-497"), "{out}");
    let asked = vec![ModelName::from_name("kip-497").expect("a model")];
    let (code, out, error) = run(&CheckReplication { async_isr_constants: too_far, ..bound(asked) });
    assert_eq!((code, out.as_str()), (exit::USAGE, ""));
    assert!(error.contains("accepted are 1 to 4"), "{error}");
}

#[test]
fn json_has_the_matrix_and_the_reports() {
    let (code, out, _) = run(&CheckReplication { format: Format::Json, ..only(Variant::Kip101) });
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["exit_code"], code);
    assert_eq!(value["matrix"][0]["variant"], "kip-101");
    assert_eq!(value["matrix"][0]["verdict"], "violated");
    assert_eq!(value["matrix"][0]["counterexample_states"], 12);
    assert_eq!(value["matrix"][0]["comparison"], "as expected");
    assert_eq!(value["matrix"][3]["claim"], "committed-is-forever");
    assert_eq!(value["reports"][0]["distinct_states"], 9045);
    assert_eq!(value["reports"][0]["stopped"], serde_json::Value::Null);
    assert_eq!(value["reports"][0]["claims"][0]["counterexample"]["steps"][11]["number"], 11);
    assert!(value["reports"][0]["actions"][5]["taken"].as_u64().is_some_and(|taken| taken > 0));
}

#[test]
fn junit_has_a_case_for_each_claim_and_fails_where_the_verb_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("junit.xml");
    let write = |args: CheckReplication| {
        let (code, ..) = run(&CheckReplication { junit: Some(junit.clone()), ..args });
        (code, std::fs::read_to_string(&junit).expect("written"))
    };
    let (code, xml) = write(only(Variant::Kip101));
    assert_eq!(code, exit::OK);
    assert!(
        xml.contains(r#"<testsuite name="kip-101" tests="4" failures="0" errors="0" skipped="0">"#),
        "{xml}"
    );
    assert_eq!(xml.matches("<testcase ").count(), 4);
    let other = Constants::new(2, 3, 2, 2);
    let (code, xml) = write(CheckReplication { constants: other, ..only(Variant::TruncateToHw) });
    assert_eq!(code, exit::VIOLATED);
    assert!(xml.contains(r#"<failure message="violated: for any replica"#), "{xml}");
    let limits = Limits { max_states: Some(10), ..Limits::default() };
    let (code, xml) = write(CheckReplication { limits, ..only(Variant::Kip320) });
    assert_eq!(code, exit::INCONCLUSIVE);
    assert_eq!(xml.matches("<skipped ").count(), 4);
}

#[test]
fn counterexamples_are_written_in_four_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    let traces = folder.path().join("new/traces");
    run(&CheckReplication { traces: Some(traces.clone()), ..only(Variant::Kip101) });
    let mut names: Vec<_> = std::fs::read_dir(traces)
        .expect("made")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    let expected = ["strong-isr", "weak-isr"]
        .map(|claim| ["itf.json", "json", "mmd", "txt"].map(|ending| format!("kip-101-{claim}.{ending}")));
    assert_eq!(names, expected.concat());
}

#[test]
fn what_cannot_be_written_is_inconclusive_and_says_where() {
    let junit = Some("/nowhere/at/all.xml".into());
    let (code, _, error) = run(&CheckReplication { junit, ..only(Variant::Kip320) });
    assert_eq!(code, exit::INCONCLUSIVE);
    assert!(error.contains("/nowhere/at/all.xml"), "{error}");
}

#[derive(Parser)]
struct Check {
    #[command(flatten)]
    args: ReplicationArgs,
}

#[derive(Parser)]
struct ExploreCommand {
    #[command(flatten)]
    args: ExploreArgs,
}

#[test]
fn the_command_line_says_all_that_the_verb_takes() {
    let line = "check --variant kip-320 --variant kip-497 --replicas 2 --log-size 3 --max-records 3 \
                --max-leader-epoch 1 --engine stateright --threads 2 --max-states 7 --timeout 2m \
                --max-memory 1MiB --strict --symmetry --format json --junit j.xml --traces t --show full";
    let args = Check::try_parse_from(line.split_whitespace()).expect("parses").args.plain(None);
    assert_eq!(args.constants, Constants::new(2, 3, 3, 1));
    assert_eq!(args.models.iter().map(|m| m.name()).collect::<Vec<_>>(), ["kip-320", "kip-497"]);
    assert_eq!((args.engine, args.threads, args.strict, args.symmetry), (Engine::Stateright, 2, true, true));
    assert_eq!(args.limits.timeout, Some(Duration::from_secs(120)));
    assert_eq!((args.limits.max_states, args.limits.max_memory), (Some(7), Some(1 << 20)));
    let default = Check::try_parse_from(["check"]).expect("parses").args.plain(None);
    assert_eq!(default.constants, CheckReplication::default().constants);
    assert_eq!(default.async_isr_constants, CheckReplication::default().async_isr_constants);
    for wrong in ["--variant kip-1", "--threads 0", "--timeout 5", "--engine quick", "--replicas x"] {
        let line = ["check"].into_iter().chain(wrong.split_whitespace());
        assert!(Check::try_parse_from(line).is_err(), "{wrong}");
    }
    assert!(ExploreCommand::try_parse_from(["explore", "kip-320", "--port", "0"]).is_ok());
    assert!(ExploreCommand::try_parse_from(["explore", "kip-1"]).is_err());
}
