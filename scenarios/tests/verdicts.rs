//! How expectations are judged.

use isrlab_scenarios::{ExpectationObserver, Scenario, Verdict};
use isrlab_sim::cluster::{IsrCause, IsrChange, IsrChangeKind, IsrChangeReplica, Observer, RunSummary};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::ReplicaSet;

fn scenario(expect: &str) -> Scenario {
    let text = format!(
        "title = \"T\"\nduration = \"60s\"\nbrokers = 3\ncompare = [\"pre-4485\", \"post-4485\"]\n\
         [[topic]]\nname = \"a\"\npartitions = 2\nreplicas = [1, 2, 3]\n[[topic]]\nname = \"b\"\nreplicas = [1, 2]\n\
         [[fault]]\nname = \"gc\"\nkind = \"pause\"\nbroker = 2\nat = \"1s\"\nfor = \"1s\"\n\
         [[expect]]\nthat = \"it holds\"\n{expect}"
    );
    Scenario::parse(&text, "s.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A change of the ISR of a partition, numbered through all topics.
fn change(kind: IsrChangeKind, millis: u64, partition: usize, brokers: &[i32]) -> IsrChange {
    let replica = |&broker: &i32| IsrChangeReplica {
        slot: 1,
        broker,
        cause: IsrCause::LagTime,
        known_leo: 0,
        since_caught_up_ms: None,
    };
    IsrChange {
        at: SimTime::from_millis(millis),
        partition,
        kind,
        replicas: brokers.iter().map(replica).collect(),
        old_isr: ReplicaSet::first(3),
        new_isr: ReplicaSet::first(1),
        leo: 0,
        high_watermark: 0,
    }
}

fn judge(expect: &str, changes: &[IsrChange], summary: &RunSummary) -> Verdict {
    let scenario = scenario(expect);
    let profile = scenario.variants()[0];
    let mut observer = ExpectationObserver::new(&scenario, &profile);
    changes.iter().for_each(|change| observer.isr_changed(change));
    let mut verdicts = scenario.evaluate(&profile, &observer, summary);
    assert_eq!(verdicts.len(), 1);
    verdicts.remove(0)
}

fn checked() -> RunSummary {
    let mut summary = RunSummary::default();
    summary.exercised.isr_checks = 5;
    summary.exercised.join_attempts = 1;
    summary
}

use IsrChangeKind::{Expand, Shrink};

#[test]
fn times_are_of_one_replica_of_one_partition() {
    let changes = [
        change(Shrink, 20_000, 2, &[2]),
        change(Shrink, 20_000, 0, &[2, 3]),
        change(Expand, 20_030, 2, &[2]),
        change(Shrink, 40_001, 2, &[2]),
    ];
    let judged = |times: &str| judge(&format!("topic = \"b\"\nbroker = 2\n{times}"), &changes, &checked());
    let exact = judged("shrinks = [\"20s\", \"40.001s\"]\nexpands = [\"20.03s\"]");
    assert!(exact.held && exact.premise_held);
    assert_eq!(exact.got, "broker 2 of b-0: out at 20.000, 40.001 s, in at 20.030 s");
    assert_eq!(exact.wanted, exact.got);
    assert!(!judged("shrinks = [\"20s\", \"40s\"]").held);
    assert!(judged("shrinks = [\"20s\", \"40s\"]\nwithin = \"1ms\"").held);
    assert!(!judged("shrinks = [\"20s\"]").held, "one too many");
    assert!(!judged("shrinks = []").held);
    let both = judge("topic = \"a\"\npartition = 0\nshrinks = [\"20s\", \"20s\"]", &changes, &checked());
    assert!(both.held, "{both:?}");
    let other = judge("topic = \"a\"\npartition = 1\nshrinks = []", &changes, &checked());
    assert!(other.held && other.got == "any replica of a-1: out at no time");
}

#[test]
fn many_times_are_counted_and_not_all_kept() {
    let changes: Vec<IsrChange> = (0..1_000).map(|at| change(Shrink, at, 2, &[2])).collect();
    let verdict = judge("topic = \"b\"\nshrinks = []", &changes, &checked());
    assert!(!verdict.held && verdict.got.ends_with("0.007 s and 992 more times"), "{}", verdict.got);
}

#[test]
fn metrics_are_compared_in_their_unit() {
    let mut summary = checked();
    summary.isr_shrinks = 3;
    summary.under_replicated_ns = 40_000_000_000;
    let judged = |expect: &str| judge(expect, &[], &summary);
    for (expect, held) in [
        ("metric = \"isr_shrinks\"\nequals = 3", true),
        ("metric = \"isr_shrinks\"\nat.least = 4", false),
        ("metric = \"isr_shrinks\"\nat.most = 3", true),
        ("metric = \"isr_shrinks\"\nat.least = 1\nat.most = 2", false),
        ("metric = \"isr_shrinks\"\nbetween = [3, 9]", true),
        ("metric = \"under_replicated_ms\"\nequals = \"40s\"", true),
        ("metric = \"under_replicated_ms\"\nequals = 40000", true),
        ("metric = \"under_replicated_ms\"\nat.most = 39999.5", false),
        ("metric = \"isr_shrink_first_ms\"\nat.least = 0", false),
    ] {
        assert_eq!(judged(expect).held, held, "{expect}");
    }
    let verdict = judged("metric = \"under_replicated_ms\"\nbetween = [1, \"2s\"]");
    assert_eq!(
        (verdict.got.as_str(), verdict.wanted.as_str()),
        ("under_replicated_ms = 40000 ms", "under_replicated_ms = 1 to 2000 ms")
    );
    assert_eq!(
        judged("metric = \"isr_shrink_first_ms\"\nat.least = 0").got,
        "isr_shrink_first_ms = no value"
    );
}

#[test]
fn a_premise_that_did_not_hold_is_named() {
    let idle = RunSummary::default();
    let verdict = judge("metric = \"isr_shrinks\"\nequals = 0", &[], &idle);
    assert!(verdict.held && !verdict.premise_held);
    assert_eq!(verdict.premise, "the ISR check found a follower in the ISR to look at");

    let fault = "metric = \"isr_shrinks\"\nequals = 0\ngiven.fault = \"gc\"";
    let verdict = judge(fault, &[], &checked());
    assert_eq!((verdict.premise_held, verdict.premise.as_str()), (false, "the fault gc was applied"));
    let mut summary = checked();
    summary.exercised.faults = vec![("gc".to_owned(), 1)];
    assert!(judge(fault, &[], &summary).premise_held);

    // Who is said never to come back must have tried; who never left need not.
    let mut summary = checked();
    summary.exercised.join_attempts = 0;
    assert!(!judge("topic = \"b\"\nexpands = []", &[], &summary).premise_held);
    assert!(judge("topic = \"b\"\nshrinks = []\nexpands = []", &[], &summary).premise_held);
}

#[test]
fn expectations_apply_where_they_say() {
    let scenario = scenario("metric = \"isr_shrinks\"\nequals = 0\nunder = \"post-4485\"");
    let [pre, post] = [scenario.variants()[0], scenario.variants()[1]];
    let judged = |profile| {
        let observer = ExpectationObserver::new(&scenario, &profile);
        scenario.evaluate(&profile, &observer, &checked()).len()
    };
    assert_eq!((judged(pre), judged(post)), (0, 1));
    let verdict = &scenario.evaluate(&post, &ExpectationObserver::default(), &checked())[0];
    assert_eq!((verdict.file.as_str(), verdict.position.map(|at| at.line)), ("s.toml", Some(18)));
}

/// The verdict of a run of another length than the 60 s of the file.
fn judge_for(duration: &str, expect: &str, changes: &[IsrChange], summary: &RunSummary) -> Verdict {
    let overrides = [("duration".to_owned(), duration.to_owned())];
    let scenario = scenario(expect).with_overrides(&overrides).unwrap_or_else(|error| panic!("{error}"));
    let profile = scenario.variants()[0];
    let mut observer = ExpectationObserver::new(&scenario, &profile);
    changes.iter().for_each(|change| observer.isr_changed(change));
    scenario.evaluate(&profile, &observer, summary).remove(0)
}

#[test]
fn a_run_that_is_cut_short_is_held_only_to_the_times_it_reached() {
    let changes = [change(Shrink, 20_000, 2, &[2])];
    let judged = |duration: &str, times: &str| {
        let expect = format!("topic = \"b\"\nbroker = 2\n{times}");
        judge_for(duration, &expect, &changes, &checked())
    };
    let verdict = judged("30s", "shrinks = [\"20s\", \"40s\"]");
    assert!(verdict.held && !verdict.premise_held, "{verdict:?}");
    assert_eq!(verdict.premise, "the run reached 40.000 s, a time that it names; it ended at 30.000 s");
    // A wrong time within the run, or one that is missing, stays wrong.
    assert!(!judged("30s", "shrinks = [\"21s\", \"40s\"]").held);
    assert!(!judged("30s", "shrinks = [\"20s\", \"30s\", \"40s\"]").held);
    assert!(!judged("30s", "shrinks = []\nexpands = [\"40s\"]").held);
    // One that could still have come within its tolerance cannot be missed.
    let near = judged("30s", "shrinks = [\"20s\", \"29.999s\"]\nwithin = \"5ms\"");
    assert!(near.held && !near.premise_held);
    let reached = judged("30s", "shrinks = [\"20s\"]");
    assert!(reached.held && reached.premise_held);
}

#[test]
fn a_run_that_is_drawn_out_is_not_held_to_times_that_nobody_named() {
    let changes = [change(Shrink, 20_000, 2, &[2]), change(Shrink, 70_000, 2, &[2])];
    let judged = |times: &str, changes: &[IsrChange]| {
        judge_for("90s", &format!("topic = \"b\"\nbroker = 2\n{times}"), changes, &checked())
    };
    let verdict = judged("shrinks = [\"20s\"]", &changes);
    assert!(verdict.held && !verdict.premise_held, "{verdict:?}");
    let wanted = "the run ended at 60.000 s, up to which it names times, and not at 90.000 s";
    assert_eq!(verdict.premise, wanted);
    let early = [change(Shrink, 20_000, 2, &[2]), change(Shrink, 50_000, 2, &[2])];
    assert!(!judged("shrinks = [\"20s\"]", &early).held);
    assert!(!judged("shrinks = []", &changes[1..]).held, "never is never");
}

#[test]
fn a_bound_on_a_number_is_for_a_run_of_the_written_length() {
    let mut summary = checked();
    summary.isr_shrinks = 3;
    let judged = |duration: &str, bound: &str| {
        let verdict = judge_for(duration, &format!("metric = {bound}"), &[], &summary);
        (verdict.held, verdict.premise_held)
    };
    assert_eq!(judged("30s", "\"isr_shrinks\"\nequals = 5"), (true, false), "more could have come");
    assert_eq!(judged("30s", "\"isr_shrinks\"\nat.most = 2"), (false, true), "none can go");
    assert_eq!(judged("90s", "\"isr_shrinks\"\nequals = 2"), (true, false));
    assert_eq!(judged("90s", "\"isr_shrinks\"\nat.least = 4"), (false, true));
    assert_eq!(judged("90s", "\"isr_shrinks\"\nequals = 0"), (false, true), "never is never");
    assert_eq!(judged("30s", "\"isr_shrink_first_ms\"\nequals = \"20s\""), (true, false));
    assert_eq!(judged("60s", "\"isr_shrink_first_ms\"\nequals = \"20s\""), (false, true));
    let verdict = judge_for("30s", "metric = \"isr_shrinks\"\nequals = 5", &[], &summary);
    assert_eq!(verdict.premise, "the run lasted 60s, as the scenario is written for, and not 30s");
}
