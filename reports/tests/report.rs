//! What a replay says in the end: text, JSON, exit code.

mod common;

use common::{assert_golden, plan, run, run_with, script, short_run, summary};
use isrlab_reports::{
    ClusterSimulator, ExitCode, Judge, Plan, Report, RunJudge, RunStop, VERSION, Variant, Verdict,
    VerdictKind,
};
use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::{Observer, RunSummary, Violation};
use isrlab_sim::engine::SimTime;
use isrlab_sim::invariants::Invariant;

fn library(name: &str) -> Report {
    let scenario = Scenario::from_library(name).unwrap();
    let plan = Plan::of_scenario(&scenario, name, None).unwrap();
    run_with(&plan, &ClusterSimulator, &scenario).unwrap()
}

/// A judge that finds what it is told.
struct Fixed(VerdictKind);

struct FixedRun(VerdictKind);

impl Judge for Fixed {
    fn start<'a>(&'a self, _: &'a Variant, _: u64) -> Box<dyn RunJudge + 'a> {
        Box::new(FixedRun(self.0))
    }
}

impl Observer for FixedRun {}

impl RunJudge for FixedRun {
    fn verdicts(self: Box<Self>, _: &RunSummary) -> Vec<Verdict> {
        vec![Verdict {
            index: 0,
            share: None,
            expectation: "nobody leaves".to_owned(),
            kind: self.0,
            got: "isr_shrinks was 1".to_owned(),
            wanted: "isr_shrinks at most 0".to_owned(),
            premise: "the ISR check found a follower in the ISR to look at".to_owned(),
            place: "demo.toml:7".to_owned(),
        }]
    }
}

fn judged(kind: VerdictKind, strict: bool) -> Report {
    let plan = Plan { strict, ..plan(&["pre-4485"], 2, 1, None) };
    let no_faults = |mut summary: RunSummary| {
        summary.exercised.faults.clear();
        summary
    };
    let simulator = script(|_, _, observer, _| RunStop::Finished(no_faults(short_run(observer))));
    run_with(&plan, &simulator, &Fixed(kind)).unwrap()
}

#[test]
fn the_library_scenario_reads_as_recorded() {
    let report = library("kafka-4485");
    assert_golden("kafka-4485.txt", report.text().as_bytes());
    assert_golden("kafka-4485.json", report.json().replace(VERSION, "VERSION").as_bytes());
}

#[test]
fn many_seeds_read_as_recorded() {
    let report = run(&plan(&["pre-4485", "kafka-2.5"], 3, 1, None), &ClusterSimulator).unwrap();
    assert_golden("seeds.txt", report.text().as_bytes());
}

#[test]
fn lines_fit_a_hundred_columns() {
    for report in [library("kafka-4485"), library("healthy"), judged(VerdictKind::Violated, false)] {
        for line in report.text().lines().filter(|line| !line.contains("repeat it:")) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn verdicts_make_the_exit_code() {
    for (kind, strict, expected) in [
        (VerdictKind::Held, true, ExitCode::Held),
        (VerdictKind::Violated, false, ExitCode::Violated),
        (VerdictKind::Inconclusive, false, ExitCode::Inconclusive),
        (VerdictKind::PremiseNeverMet, false, ExitCode::Held),
        (VerdictKind::PremiseNeverMet, true, ExitCode::Inconclusive),
    ] {
        assert_eq!(judged(kind, strict).exit_code(), expected, "{kind:?}, strict: {strict}");
    }
    let text = judged(VerdictKind::Violated, false).text();
    assert!(
        text.contains(
            "✗ nobody leaves\n      pre-4485: VIOLATED in 2 of 2 runs; wanted isr_shrinks at most 0"
        ),
        "{text}"
    );
    assert!(text.contains("repeat it: isrlab replay demo --criterion pre-4485"), "{text}");
    let text = judged(VerdictKind::PremiseNeverMet, false).text();
    assert!(text.contains("warning: under pre-4485, the premise of 'nobody leaves' never held"), "{text}");
}

#[test]
fn a_fault_that_was_never_applied_is_told_and_strict_does_not_pass_it() {
    let simulator = script(|_, _, observer, _| RunStop::Finished(short_run(observer)));
    let mut plan = plan(&["pre-4485"], 1, 1, None);
    let report = run(&plan, &simulator).unwrap();
    assert_eq!(report.exit_code(), ExitCode::Held);
    assert!(report.text().contains("warning: under pre-4485, fault 'broker 3 paused' was never applied"));
    plan.strict = true;
    assert_eq!(run(&plan, &simulator).unwrap().exit_code(), ExitCode::Inconclusive);
}

#[test]
fn a_violated_invariant_comes_with_all_that_repeats_it() {
    let simulator = script(|_, seed, observer, _| {
        if seed == 1 {
            return RunStop::Finished(short_run(observer));
        }
        RunStop::Violated(Box::new(Violation {
            at: SimTime::from_millis(1_500),
            event_number: 77,
            event: "fetch of broker 2".to_owned(),
            invariant: Invariant::HighWatermarkNeverBack,
            state: "LEO 5\nHW 3".to_owned(),
            seed,
            summary: summary(),
        }))
    });
    let folder = tempfile::tempdir().unwrap();
    let report = run(&plan(&["kafka-0.10.1"], 15, 2, Some(folder.path().to_owned())), &simulator).unwrap();
    assert_eq!(report.exit_code(), ExitCode::Violated);
    assert_eq!((report.violations_total, report.violations.len()), (14, 10));
    let text = report.text();
    for part in [
        "INVARIANT VIOLATED under kafka-0.10.1, seed 2, at 1.500 s",
        "must hold: the high watermark never falls under one leader",
        "event 77: fetch of broker 2",
        "  LEO 5\n  HW 3\n",
        "repeat it: isrlab replay demo --profile kafka-0.10.1 --set replica.lag.time.max.ms=10s --seed 2\n",
        "4 more runs violated an invariant.",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!((&json["exit_code"], &json["violations"][0]["seed"]), (&1.into(), &2.into()));
}

#[test]
fn nothing_ran_is_not_held() {
    for plan in [plan(&[], 3, 1, None), plan(&["pre-4485"], 0, 1, None)] {
        let report = run(&plan, &ClusterSimulator).unwrap();
        assert_eq!(report.exit_code(), ExitCode::NothingRan);
        assert!(report.text().contains("Nothing ran"), "{}", report.text());
    }
    let idle = script(|_, _, _, _| RunStop::Finished(RunSummary::default()));
    assert_eq!(run(&plan(&["pre-4485"], 1, 1, None), &idle).unwrap().exit_code(), ExitCode::NothingRan);
}
