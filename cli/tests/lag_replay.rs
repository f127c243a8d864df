//! Every counterexample of the lag models in the simulator: the saved scenario goes through the
//! same steps, sees the same state after each, and what is claimed is violated there, too.

use std::collections::BTreeSet;

use isrlab_models::checker::{Options, Verdict};
use isrlab_models::expected::lag_table;
use isrlab_models::mirror_lag::MirrorRule;
use isrlab_models::verb::{LagModel, LagRun};
use isrlab_scenarios::{ExpectationObserver, Scenario};
use isrlab_sim::cluster::{Cluster, LagParts, LagSample, Observer, RunOptions, RunSummary};

/// Counterexamples that no scenario can express, by model and claim, with the reason. There is
/// none: `LagRun::scenario` would say so in its error.
const NOT_EXPRESSED: [(&str, &str, &str); 0] = [];

/// What one look at a lag saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    at_us: u64,
    rule: String,
    reported: Option<i64>,
    truth: i64,
    then: Option<i64>,
    end_age_ms: Option<i64>,
    leo: Option<i64>,
    lro: Option<i64>,
    start_offset: i64,
    end_offset: i64,
    in_flight: BTreeSet<i64>,
    persisted_count: i64,
}

struct Eyes {
    expectations: ExpectationObserver,
    seen: Vec<Seen>,
}

impl Observer for Eyes {
    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        self.expectations.lag_sampled(sample);
        let common = Seen {
            at_us: sample.at.as_nanos() / 1_000,
            rule: sample.rule.to_owned(),
            reported: sample.reported,
            truth: sample.truth,
            end_age_ms: sample.end_age_ms,
            ..Seen::default()
        };
        self.seen.push(match sample.parts {
            LagParts::Mirror { leo, lro, truth_then } => Seen { then: truth_then, leo, lro, ..common },
            LagParts::Share { leader, persisted } => Seen {
                start_offset: leader.start_offset(),
                end_offset: leader.end_offset(),
                in_flight: leader.runs().flat_map(|(run, _)| run.first..=run.last).collect(),
                persisted_count: persisted.delivery_complete_count,
                ..common
            },
        });
    }
}

fn run(scenario: &Scenario) -> (Eyes, RunSummary) {
    let [profile] = scenario.variants() else { panic!("one profile is compared") };
    let spec = scenario.cluster_spec(profile).expect("it is compared");
    let mut eyes = Eyes { expectations: ExpectationObserver::new(scenario, profile), seen: Vec::new() };
    let mut cluster = Cluster::new(&spec, scenario.seed()).expect("a sound specification");
    let options = RunOptions { sample_every: Some(scenario.sample_every()) };
    let (_, summary) = cluster.run(&options, &mut eyes, &mut |_| true).expect("no invariant is broken");
    (eyes, summary)
}

/// What the scenario expects and does not get.
fn broken(scenario: &Scenario, eyes: &Eyes, summary: &RunSummary) -> Vec<String> {
    let verdicts = scenario.evaluate(&scenario.variants()[0], &eyes.expectations, summary);
    assert!(verdicts.iter().all(|verdict| verdict.premise_held));
    let broken = verdicts.iter().filter(|verdict| !verdict.held);
    broken
        .map(|verdict| format!("{}: {} instead of {}", verdict.expectation, verdict.got, verdict.wanted))
        .collect()
}

/// Whether a claim about a mirror is violated by what was seen last, judged without the model. `all` is what was
/// seen of the rule.
fn mirror_violates(claim: &str, rule: MirrorRule, all: &[Seen]) -> bool {
    let [before @ .., now] = all else { return false };
    let bound =
        i64::from(rule.staleness_bound().or(MirrorRule::ALL[0].staleness_bound()).expect("a poll has one"));
    match claim {
        "never-negative" => now.reported.is_some_and(|lag| lag < 0),
        "never-below-now" => now.reported.is_some_and(|lag| lag < now.truth),
        "never-below-then" => now.reported.zip(now.then).is_some_and(|(lag, then)| lag < then),
        "quiet-does-not-rise" => before.iter().any(|earlier| earlier.reported < now.reported),
        "quiet-ends-true" => now.truth == 0 && now.reported != Some(0),
        "lro-never-back" => before.last().is_some_and(|before| before.lro.is_some() && now.lro < before.lro),
        "unknown-until-known" => now.reported.is_some() && (now.leo.is_none() || now.lro.is_none()),
        "staleness-within-bound" => now.end_age_ms.is_some_and(|age| age > bound),
        "staleness-below-bound" => now.end_age_ms.is_some_and(|age| age >= bound),
        _ => panic!("{claim} is not known to this test"),
    }
}

fn share_violates(claim: &str, all: &[Seen]) -> bool {
    let [before @ .., now] = all else { return false };
    match claim {
        "exact-when-current" => now.reported.is_some_and(|lag| lag != now.truth),
        "never-negative" => now.reported.is_some_and(|lag| lag < 0),
        "never-understated" => now.reported.is_some_and(|lag| lag < now.truth),
        "start-offset-never-back" => before.iter().any(|earlier| earlier.start_offset > now.start_offset),
        "quiet-does-not-rise" => {
            before.last().is_some_and(|before| before.reported.is_some() && before.reported < now.reported)
        }
        "no-record-lost" => (now.start_offset..now.end_offset).any(|offset| !now.in_flight.contains(&offset)),
        "count-never-falls" => {
            before.last().is_some_and(|before| before.persisted_count > now.persisted_count)
        }
        _ => panic!("{claim} is not known to this test"),
    }
}

fn violates(check: LagRun, claim: &str, seen: &[Seen]) -> bool {
    match check {
        LagRun::Mirror(rule, _) => {
            let name = rule.lag_rule().name();
            let of_rule: Vec<Seen> = seen.iter().filter(|seen| seen.rule == name).cloned().collect();
            mirror_violates(claim, rule, &of_rule)
        }
        LagRun::Share(..) => share_violates(claim, seen),
    }
}

/// Replays every counterexample of a model; which there were, and what differed.
fn replay_all(model: LagModel) -> (BTreeSet<(String, String)>, Vec<String>) {
    let (mut replayed, mut differences) = (BTreeSet::new(), Vec::new());
    for condition in model.conditions() {
        for row in model.rows() {
            let check = model.run(row, condition).expect("its own");
            let report = check.check(&Options::default(), &mut |_| ()).expect("within range");
            for claim in &report.claims {
                let Some(found) = &claim.counterexample else { continue };
                let place = format!("{}, {}", report.model, claim.name);
                let text = match check.scenario(found) {
                    Ok(text) => text,
                    Err(error) => {
                        let listed = |(model, claim_name, reason): &(&str, &str, &str)| {
                            *model == report.model && *claim_name == claim.name && *reason == error
                        };
                        if !NOT_EXPRESSED.iter().any(listed) {
                            differences.push(format!("{place}: {error}"));
                        }
                        continue;
                    }
                };
                let scenario =
                    Scenario::parse(&text, "saved").unwrap_or_else(|e| panic!("{place}: {e}\n{text}"));
                let (eyes, summary) = run(&scenario);
                let last = eyes.seen.last().expect("a look").at_us;
                let until = scenario.duration().as_nanos() / 1_000 - 10;
                assert!(last >= until, "{place}: looked until {last} us of {until}");
                // At even times a step is taken, and a look may come before or after it.
                let between = |seen: &&Seen| seen.at_us <= until && seen.at_us % 20 == 10;
                let steps: Vec<Seen> = eyes.seen.iter().filter(between).cloned().collect();
                differences
                    .extend(broken(&scenario, &eyes, &summary).iter().map(|what| format!("{place}: {what}")));
                if !violates(check, claim.name, &steps) {
                    differences.push(format!("{place}: the simulator does not show it: {:?}", steps.last()));
                }
                replayed.insert((report.model.clone(), claim.name.to_owned()));
            }
        }
    }
    (replayed, differences)
}

/// Those of the table that are violated, of models whose names begin and whose sizes are so.
fn violated_in_table(model: &str, size: &str) -> BTreeSet<(String, String)> {
    let rows = lag_table().into_iter().filter(|row| row.verdict == Verdict::Violated);
    let has_size = |title: &str| title.starts_with(model) && title.split(' ').any(|word| word == size);
    rows.filter(|row| has_size(&row.model)).map(|row| (row.model, row.claim)).collect()
}

#[test]
fn the_simulator_goes_through_every_counterexample_of_mirror_lag() {
    for offsets in [2, 3] {
        let (replayed, differences) = replay_all(LagModel::Mirror { offsets });
        assert_eq!(differences, Vec::<String>::new());
        assert_eq!(replayed, violated_in_table("mirror-lag", &format!("O{offsets}")));
        assert!(replayed.len() > 100, "{}", replayed.len());
    }
}

#[test]
fn the_simulator_goes_through_every_counterexample_of_share_lag() {
    for (records, at_least) in [(1, 40), (2, 80)] {
        let (replayed, differences) = replay_all(LagModel::Share { records });
        assert_eq!(differences, Vec::<String>::new());
        assert_eq!(replayed, violated_in_table("share-lag", &format!("R{records}")));
        assert!(replayed.len() > at_least, "{}", replayed.len());
    }
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
    let asked = ["check", "share-lag", "--variant", "kip-1226", "--condition", "answer-lost"];
    let more = ["--claim", "quiet-does-not-rise", "--quiet", "--save", path];
    let (code, out, error) = isrlab(&[asked.as_slice(), &more].concat());
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    let (code, out, error) = isrlab(&["replay", path, "--no-files"]);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("quiet-does-not-rise is"), "{out}");

    let text = std::fs::read_to_string(&file).expect("written");
    for (from, to, got) in [
        ("\"write-answer-lost\"", "\"write-arrives\"", "start offset 1"),
        ("\"reported.lag\" = 1", "\"reported.lag\" = 2", "reported lag 1"),
        ("kind = \"release\"\noffset = 0", "kind = \"release\"\noffset = 1", "lag_script_steps_skipped = "),
    ] {
        assert!(text.contains(from), "{text}");
        std::fs::write(&file, text.replacen(from, to, 1)).expect("written");
        let (code, out, _) = isrlab(&["replay", path, "--no-files"]);
        assert_eq!(code, 1, "{to}: {out}");
        assert!(out.contains(got), "{to}: {out}");
    }
}

#[test]
fn where_nothing_is_refuted_nothing_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("saved.toml");
    let path = file.to_str().expect("a path");
    let asked = ["check", "mirror-lag", "--rule", "jira-corrected", "--condition", "plain"];
    let more = ["--claim", "never-negative", "--quiet", "--save", path];
    let (code, _, error) = isrlab(&[asked.as_slice(), &more].concat());
    assert_eq!(code, 3, "{error}");
    assert!(error.contains("there is no counterexample") && !file.exists(), "{error}");
}

/// With a folder for the traces each counterexample is there as a scenario, too.
#[test]
fn traces_have_a_scenario_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path");
    let asked = ["check", "mirror-lag", "--rule", "end-offsets", "--condition", "restart", "--quiet"];
    let (code, out, error) = isrlab(&[asked.as_slice(), &["--traces", path]].concat());
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    let saved = folder.path().join("end-offsets-restart-quiet-does-not-rise.toml");
    let (code, out, error) = isrlab(&["replay", saved.to_str().expect("a path"), "--no-files"]);
    assert_eq!(code, 0, "{out}{error}");
}
