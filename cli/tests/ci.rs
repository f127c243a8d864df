//! What continuous integration is told: JUnit XML and GitHub's annotations.

mod common;

use common::*;

const WRONG: &str = r#"
title = "an expectation that does not hold"
duration = "1s"
compare = ["pre-4485"]
brokers = 2

[[topic]]
name = "t"
replicas = [1, 2]

[[producer]]
name = "p"
topic = "t"
arrivals = { kind = "constant", interval = "10ms" }

[[expect]]
that = "50 % <of> \"it\" & more"
cells = "every"
metric = "records_appended"
equals = 1

[[expect]]
that = "something is appended"
cells = "every"
metric = "records_appended"
"at.least" = 1
"#;

fn lab() -> Lab {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("ci")).unwrap();
    lab.write("ci/wrong.toml", WRONG);
    lab
}

#[test]
fn a_replay_is_a_junit_report_of_its_expectations() {
    let lab = lab();
    lab.run(&["replay", "ci/wrong.toml", "--no-files", "--junit", "out.xml"]).code(1);
    let xml = lab.read("out.xml");
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"isrlab wrong\" tests=\"3\" skipped=\"0\" \
                failures=\"1\" errors=\"0\">\n    <testsuite name=\"pre-4485\" tests=\"3\"";
    assert!(xml.starts_with(head), "{xml}");
    assert!(xml.contains("name=\"50 % &lt;of&gt; &quot;it&quot; &amp; more\""), "{xml}");
    assert!(xml.contains("file=\"ci/wrong.toml\" line=\"16\""), "{xml}");
    assert!(xml.contains("repeat  isrlab replay ci/wrong.toml --criterion pre-4485 --seed 1"), "{xml}");
    assert!(xml.contains("name=\"something is appended\""), "{xml}");
}

#[test]
fn a_sweep_has_a_test_case_for_each_expectation_in_each_cell() {
    let lab = lab();
    let vary = "replica.lag.time.max.ms=5s,6s,7s";
    let args = ["sweep", "ci/wrong.toml", "--vary", vary, "--out", "s", "--junit", "out.xml"];
    lab.run(&args).code(1);
    let xml = lab.read("out.xml");
    assert!(xml.contains("tests=\"7\" skipped=\"0\" failures=\"3\""), "{xml}");
    assert!(xml.contains("name=\"something is appended [replica.lag.time.max.ms=6s]\""), "{xml}");
}

#[test]
fn github_shows_what_failed_beside_its_line() {
    let lab = lab();
    let args = ["replay", "ci/wrong.toml", "--no-files"];
    let output = lab.command(&args).env("GITHUB_ACTIONS", "true").output().unwrap();
    let got = Got::of(args.join(" "), output).code(1);
    let wanted = "::error file=ci/wrong.toml,line=16,title=wrong under pre-4485%3A 50 %25 <of> \"it\" & more::got \
                  records_appended = 100 (seed 1), wanted records_appended = 1\n";
    assert!(got.err.contains(wanted), "{}", got.err);
    assert!(!lab.run(&args).code(1).err.contains("::error"), "nobody else sees it");
}

#[test]
fn a_junit_file_that_cannot_be_written_is_told_of() {
    let lab = lab();
    let got = lab.run(&["replay", "ci/wrong.toml", "--no-files", "--junit", "nowhere/out.xml"]).code(3);
    assert!(got.err.contains("failed to write nowhere/out.xml"), "{}", got.err);
}
