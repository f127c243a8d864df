//! Refutations of the ISR models in the simulator: the saved scenario goes through the same states.

use isrlab_models::checker::{Engine, Limits, Options};
use isrlab_models::isr::answer::answer;
use isrlab_models::isr::expected::{expected, table};
use isrlab_models::isr::grid::grid_settings;
use isrlab_models::isr::measure::Measure;
use isrlab_models::isr::refutation::Refutation;
use isrlab_models::isr::scenario::{micros, scenario};
use isrlab_models::isr::schedule::{Event, Schedule, Snapshot, Timed};
use isrlab_models::isr::setting::Setting;
use isrlab_scenarios::{ExpectationObserver, Scenario};
use isrlab_sim::cluster::{Cluster, Observer, RunOptions, Sample, Step, StepKind};
use isrlab_sim::engine::SimTime;

/// Holds the simulator's steps against a schedule.
struct Follower<'a> {
    schedule: &'a Schedule,
    next: usize,
    differences: Vec<String>,
    expectations: ExpectationObserver,
}

impl Observer for Follower<'_> {
    fn isr_changed(&mut self, change: &isrlab_sim::cluster::IsrChange) {
        self.expectations.isr_changed(change);
    }

    fn sampled(&mut self, sample: &Sample<'_>) {
        self.expectations.sampled(sample);
    }

    fn stepped(&mut self, step: &Step<'_>) {
        let Some(wanted) = self.schedule.events.get(self.next) else {
            self.differences.push(format!("a step too many: {:?} at {}", step.kind, step.at));
            return;
        };
        let found = seen(&self.schedule.setting, step, &wanted.after);
        let same_time = step.at == SimTime::from_nanos(1_000 * micros(wanted));
        if !same_time || !is_event(step.kind, wanted) || found != wanted.after {
            self.differences
                .push(format!("step {}: {step:?} gives {found:?}, not {wanted:?}", self.next + 1));
        }
        self.next += 1;
    }
}

/// What the simulator's leader knows, in the model's words. What the followers hold is seen by
/// the scenario's own expectations, after the answer.
fn seen(setting: &Setting, step: &Step<'_>, wanted: &Snapshot) -> Snapshot {
    let followers = || (1..=usize::from(setting.followers)).map(|slot| step.leader.follower(slot));
    let cap = i64::from(setting.caught_up_cap());
    Snapshot {
        log_end_offset: step.leader.log_end_offset(),
        high_watermark: step.leader.high_watermark(),
        isr: step.leader.isr(),
        known: followers().map(|follower| follower.log_end_offset).collect(),
        held: wanted.held.clone(),
        caught_up_age: followers().map(|follower| follower.caught_up_age(step.clock_ms).min(cap)).collect(),
    }
}

fn is_event(kind: StepKind, wanted: &Timed) -> bool {
    match (kind, wanted.event) {
        (StepKind::Appended { records }, Event::Append(wanted)) => records == i64::from(wanted),
        (StepKind::Fetched { slot, .. }, Event::Fetch(wanted)) => slot == usize::from(wanted),
        (StepKind::Checked, Event::Check { .. }) => true,
        _ => false,
    }
}

/// Replays a refutation, and returns what differs.
fn replay(refutation: &Refutation) -> Vec<String> {
    let text = scenario(refutation).expect("a profile has these rules");
    let read = Scenario::parse(&text, "saved").unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let [profile] = read.variants() else { panic!("one profile is compared") };
    let spec = read.cluster_spec(profile).expect("it is compared");
    let schedule = refutation.schedule();
    let mut follower = Follower {
        schedule: &schedule,
        next: 0,
        differences: Vec::new(),
        expectations: ExpectationObserver::new(&read, profile),
    };
    let options = RunOptions { sample_every: Some(read.sample_every()) };
    let mut cluster = Cluster::new(&spec, read.seed()).expect("a sound specification");
    let (_, summary) = cluster.run(&options, &mut follower, &mut |_| true).expect("no invariant is broken");
    let mut differences = follower.differences;
    if follower.next < schedule.events.len() {
        differences.push(format!("only {} of {} steps", follower.next, schedule.events.len()));
    }
    for verdict in read.evaluate(profile, &follower.expectations, &summary) {
        if !verdict.held {
            differences
                .push(format!("{}: {} instead of {}", verdict.expectation, verdict.got, verdict.wanted));
        }
    }
    differences
}

/// The refutation behind an answer, if any claim about it can be refuted.
fn refutation(setting: &Setting, measure: Measure) -> Option<Refutation> {
    let answers = answer(setting, &[measure], &Limits::default()).expect("no limit");
    let extent = &answers.answers[0].bound.extent;
    let options = Options { engine: Engine::Fast, ..Options::default() };
    Refutation::of_answer(setting, measure, extent, &options).expect("no limit")
}

/// Replays the refutations of these questions; how many there were, and what differed.
fn replay_all(questions: &[(Setting, Measure)]) -> (usize, Vec<String>) {
    let mut replayed = 0;
    let mut differences = Vec::new();
    for (setting, measure) in questions {
        let Some(refutation) = refutation(setting, *measure) else { continue };
        replayed += 1;
        differences.extend(replay(&refutation).first().map(|what| format!("{setting}, {measure}: {what}")));
    }
    (replayed, differences)
}

#[test]
fn the_simulator_follows_a_refutation_of_every_line_of_the_table() {
    let grid = grid_settings();
    let speaks_of = |line: &isrlab_models::isr::expected::Expectation| {
        let applies = |setting: &&Setting| {
            line.measure.applies(setting)
                && expected(setting, line.measure).is_some_and(|found| std::ptr::eq(found, line))
        };
        // Some lines have nothing to refute in the smallest setting that they speak of.
        grid.iter().filter(applies).take(3).map(|setting| (*setting, line.measure)).collect::<Vec<_>>()
    };
    let questions: Vec<(Setting, Measure)> = table().iter().flat_map(speaks_of).collect();
    let (replayed, differences) = replay_all(&questions);
    assert_eq!(differences, Vec::<String>::new());
    assert!(replayed > 100, "{replayed} of {}", questions.len());
}

#[test]
fn the_simulator_follows_every_refutation_of_small_settings() {
    let small = grid_settings().into_iter().filter(|setting| {
        setting.lag == 2 && setting.period <= 2 && [1, 3].contains(&setting.gap) && setting.followers == 1
    });
    let questions: Vec<(Setting, Measure)> = small
        .flat_map(|setting| Measure::ALL.map(|measure| (setting, measure)))
        .filter(|(setting, measure)| measure.applies(setting))
        .collect();
    let (replayed, differences) = replay_all(&questions);
    assert_eq!(differences, Vec::<String>::new());
    assert!(replayed > 500, "{replayed} of {}", questions.len());
}

#[test]
fn a_schedule_that_is_changed_is_noticed() {
    let setting = Setting::of(isrlab_sim::protocol::IsrCriterion::Pre4485);
    let refutation = refutation(&setting, Measure::DiligentRemoved).expect("refuted");
    assert_eq!(replay(&refutation), Vec::<String>::new());
    let other = Setting { criterion: isrlab_sim::protocol::IsrCriterion::Proposed4485, ..setting };
    let wrong = scenario(&refutation).expect("a profile").replace("pre-4485", "proposed-4485");
    let read = Scenario::parse(&wrong, "saved").expect("sound");
    let profile = read.variants()[0];
    let mut observer = ExpectationObserver::new(&read, &profile);
    let spec = read.cluster_spec(&profile).expect("compared");
    let options = RunOptions { sample_every: Some(read.sample_every()) };
    let mut cluster = Cluster::new(&spec, 1).expect("sound");
    let (_, summary) = cluster.run(&options, &mut observer, &mut |_| true).expect("no invariant is broken");
    let held = |verdict: &isrlab_scenarios::Verdict| verdict.held;
    assert!(!read.evaluate(&profile, &observer, &summary).iter().all(held), "{other} removes nobody");
}

/// Runs the binary: exit code, standard output, standard error.
fn isrlab(arguments: &[&str]) -> (i32, String, String) {
    let output =
        assert_cmd::Command::cargo_bin("isrlab").expect("built").args(arguments).output().expect("run");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn a_saved_counterexample_replays_and_a_changed_one_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("saved.toml");
    let path = file.to_str().expect("a path");
    let asked = ["check", "isr", "--criterion", "pre-4485", "--lag", "2", "--gap", "1", "--followers", "1"];
    let more = ["--behaviour", "diligent", "--question", "removal", "--quiet", "--save", path];
    let (code, out, error) = isrlab(&[asked.as_slice(), &more].concat());
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    let (code, out, error) = isrlab(&["replay", path, "--no-files"]);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("the check removes follower 1"), "{out}");

    let text = std::fs::read_to_string(&file).expect("written");
    assert!(text.contains("It is claimed: whether a diligent follower is ever removed"), "{text}");
    let at = text.find("shrinks = [\"").expect("it is removed");
    let end = at + text[at..].find('\n').expect("a line");
    std::fs::write(&file, format!("{}shrinks = []{}", &text[..at], &text[end..])).expect("written");
    let (code, out, _) = isrlab(&["replay", path, "--no-files"]);
    assert_eq!(code, 1, "{out}");
}

#[test]
fn where_nothing_is_refuted_nothing_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("saved.toml");
    let path = file.to_str().expect("a path");
    let asked = ["check", "isr", "--criterion", "equal-leo", "--lag", "2", "--followers", "1"];
    let (code, _, error) = isrlab(
        &[
            asked.as_slice(),
            &[
                "--question",
                "removal",
                "--behaviour",
                "diligent",
                "--start",
                "established",
                "--gap",
                "1",
                "--save",
                path,
            ],
        ]
        .concat(),
    );
    assert_eq!(code, 3, "{error}");
    assert!(error.contains("there is no counterexample") && !file.exists(), "{error}");
}
