//! Sweeps: the order of the grid, resuming, shards, what is kept of failing runs, statistics.

mod common;

use common::{contents, read_csv, script, summary};
use isrlab_reports::replay::Control;
use isrlab_reports::sweep::{self, SweepPlan, SweepReport, default_plots};
use isrlab_reports::{ClusterSimulator, ExitCode, ReportError, RunStop, ScenarioSource, Simulator};
use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::cluster::{Observer, Violation};
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::invariants::Invariant;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const TEXT: &str = r#"
title = "t"
duration = "300ms"
compare = ["pre-4485", "post-4485"]
brokers = 2

[[topic]]
name = "t"
replicas = [1, 2]

[[producer]]
name = "p"
topic = "t"
arrivals = { kind = "poisson", mean = "10ms" }

[link.follower]
latency = { kind = "log-normal", median = "5ms", sigma = 0.5 }

[[expect]]
that = "something is appended"
cells = "every"
metric = "records_appended"
"at.least" = 1

[[expect]]
that = "half of the runs have thirty records"
cells = "every"
share = 0.2
metric = "records_appended"
"at.least" = 30
"#;

fn plan(out: PathBuf, vary: &[&str], seeds: u64) -> SweepPlan {
    of_text(TEXT, out, vary, seeds)
}

fn of_text(text: &str, out: PathBuf, vary: &[&str], seeds: u64) -> SweepPlan {
    let scenario = Scenario::parse(text, "t.toml").unwrap();
    SweepPlan {
        source: ScenarioSource {
            name: scenario.name().to_owned(),
            reference: "t.toml".to_owned(),
            text: text.to_owned(),
        },
        profiles: scenario.variants().to_vec(),
        scenario,
        axes: vary.iter().map(|given| given.parse().unwrap()).collect(),
        seed_first: 5,
        seeds,
        shard: "1/1".parse().unwrap(),
        threads: 1,
        out,
        plots: default_plots(),
        restart: false,
        strict: false,
    }
}

const VARY: [&str; 2] = ["link.follower.latency.median=1ms,5ms,20ms", "producer.p.arrivals.mean=5ms..20ms/2"];

fn run(plan: &SweepPlan) -> SweepReport {
    run_by(plan, &ClusterSimulator).unwrap()
}

fn run_by(plan: &SweepPlan, simulator: &impl Simulator) -> Result<SweepReport, ReportError> {
    sweep::run(plan, simulator, Control { stop: &AtomicBool::new(false), progress: &|_| {} })
}

fn resume(folder: &Path, simulator: &impl Simulator) -> Result<SweepReport, ReportError> {
    sweep::resume(folder, 2, simulator, Control { stop: &AtomicBool::new(false), progress: &|_| {} })
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_in_the_order_of_the_grid() {
    let lab = tempfile::tempdir().unwrap();
    let mut whole = plan(lab.path().join("1"), &VARY, 3);
    let report = run(&whole);
    assert_eq!((report.runs, report.runs_finished), (36, 36));
    let wanted = contents(&whole.out);
    let names: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.contains(&"heat-map-isr_flaps.svg") && names.contains(&"lines-isr_shrinks.png"),
        "{names:?}"
    );
    assert!(names.contains(&"runs.parquet") && !names.contains(&"journal.jsonl"), "{names:?}");
    for threads in [2, 5] {
        whole.threads = threads;
        whole.out = lab.path().join(threads.to_string());
        run(&whole);
        assert!(contents(&whole.out) == wanted, "{threads} threads give other bytes");
    }
    let rows = read_csv(&whole.out.join("runs.csv"));
    let wanted_header = [
        "cell",
        "scenario",
        "criterion",
        "seed",
        "link.follower.latency.median_ms",
        "producer.p.arrivals.mean_ms",
    ];
    assert_eq!(rows[0][..6], wanted_header);
    assert_eq!(rows[1][..7], ["0", "t", "pre-4485", "5", "1", "5", "finished"]);
    assert_eq!(rows[36][..7], ["11", "t", "post-4485", "7", "20", "20", "finished"]);
}

#[test]
fn a_run_of_a_sweep_is_the_replay_that_its_command_says() {
    let lab = tempfile::tempdir().unwrap();
    let plan = plan(lab.path().join("sweep"), &VARY, 2);
    run(&plan);
    let swept = read_csv(&plan.out.join("runs.csv"));
    let row = &swept[1 + 2 * 7 + 1];
    let point = plan.point(7);
    let scenario = plan.scenario.at(&point).unwrap();
    let mut replay =
        isrlab_reports::Plan::of_scenario(&scenario, "t.toml", Some(&[*plan.profile(7)])).unwrap();
    replay.seeds = vec![6];
    replay.out = Some(lab.path().join("replay"));
    common::run(&replay, &ClusterSimulator).unwrap();
    let replayed = read_csv(&lab.path().join("replay/summary.csv"));
    let value = |table: &[Vec<String>], row: &[String], name: &str| {
        row[table[0].iter().position(|column| column == name).unwrap()].clone()
    };
    let columns: Vec<&String> = replayed[0].iter().filter(|column| !column.starts_with("scenario")).collect();
    assert!(columns.len() > 30);
    for column in columns {
        assert_eq!(value(&swept, row, column), value(&replayed, &replayed[1], column), "{column}");
    }
}

#[test]
fn shards_merge_to_the_bytes_of_the_whole() {
    let lab = tempfile::tempdir().unwrap();
    let whole = plan(lab.path().join("whole"), &VARY, 2);
    run(&whole);
    let wanted = contents(&whole.out);
    for count in [2usize, 5] {
        let mut folders: Vec<PathBuf> = (1..=count)
            .map(|index| {
                let mut shard = plan(lab.path().join(format!("{index}of{count}")), &VARY, 2);
                shard.shard = format!("{index}/{count}").parse().unwrap();
                run(&shard);
                shard.out
            })
            .collect();
        folders.rotate_left(1);
        let out = lab.path().join(format!("merged{count}"));
        let report = sweep::merge(&folders, &out).unwrap();
        assert_eq!(report.runs_finished, 24);
        assert!(contents(&out) == wanted, "{count} shards merge to other bytes");
        let missing = sweep::merge(&folders[1..], &lab.path().join("m")).err().unwrap().to_string();
        assert!(missing.contains(&format!("2/{count} is missing")), "{missing}");
        folders.push(folders[0].clone());
        let twice = sweep::merge(&folders, &lab.path().join("m")).err().unwrap().to_string();
        assert!(twice.contains("is there twice"), "{twice}");
        assert!(!lab.path().join("m").exists(), "a refused merge leaves nothing");
    }
    let shards = [lab.path().join("1of2"), lab.path().join("2of2")];
    let kept = contents(&shards[0]);
    let into = sweep::merge(&shards, &shards[0].join("../1of2")).err().unwrap().to_string();
    assert!(into.contains("is one of the shards") && contents(&shards[0]) == kept, "{into}");
    let runs = shards[1].join("runs.csv");
    let good = std::fs::read_to_string(&runs).unwrap();
    let lines: Vec<&str> = good.split_inclusive("\r\n").collect();
    let (without, twice) = (lines[..lines.len() - 1].concat(), [&good, lines[lines.len() - 1]].concat());
    let swapped = [lines[0], lines[2], lines[1], &lines[3..].concat()].concat();
    for (text, wanted) in
        [(without, "its manifest says 12"), (twice, "row 13"), (swapped, "row 1: it is of cell 1")]
    {
        std::fs::write(&runs, text).unwrap();
        let message = sweep::merge(&shards, &lab.path().join("m")).err().unwrap().to_string();
        assert!(message.contains(wanted), "{message}");
        assert!(!lab.path().join("m").exists());
    }
    std::fs::write(&runs, good).unwrap();
    let mut other = plan(lab.path().join("other"), &VARY, 3);
    other.shard = "2/2".parse().unwrap();
    run(&other);
    let mixed = [lab.path().join("1of2"), other.out.clone()];
    let message = sweep::merge(&mixed, &lab.path().join("m")).err().unwrap().to_string();
    assert!(message.contains("not of one sweep"), "{message}");
}

/// Runs the real simulator, counts the runs, and interrupts the sweep when there are `stop_at`.
struct Counting<'a> {
    runs: Mutex<BTreeMap<(String, u64), usize>>,
    finished: AtomicUsize,
    stop_at: usize,
    stop: &'a AtomicBool,
}

impl<'a> Counting<'a> {
    fn new(stop_at: usize, stop: &'a AtomicBool) -> Self {
        Counting { runs: Mutex::default(), finished: AtomicUsize::new(0), stop_at, stop }
    }
}

impl Simulator for Counting<'_> {
    fn run<O: Observer>(
        &self,
        spec: &ClusterSpec,
        seed: u64,
        sample_every: Option<SimDuration>,
        observer: &mut O,
        keep_going: &mut dyn FnMut(SimTime) -> bool,
    ) -> RunStop {
        let stop = ClusterSimulator.run(spec, seed, sample_every, observer, keep_going);
        if matches!(stop, RunStop::Finished(_)) {
            *self.runs.lock().unwrap().entry((format!("{spec:?}"), seed)).or_default() += 1;
        }
        if self.finished.fetch_add(1, Ordering::SeqCst) + 1 >= self.stop_at {
            self.stop.store(true, Ordering::SeqCst);
        }
        stop
    }
}

#[test]
fn an_interrupted_sweep_resumes_and_repeats_no_run() {
    let lab = tempfile::tempdir().unwrap();
    let whole = plan(lab.path().join("whole"), &VARY, 3);
    run(&whole);
    let wanted = contents(&whole.out);
    for (stop_at, threads) in [(1, 1), (7, 2), (20, 3), (36, 2)] {
        let mut cut = plan(lab.path().join(format!("cut{stop_at}")), &VARY, 3);
        cut.threads = threads;
        let stop = AtomicBool::new(false);
        let first = Counting::new(stop_at, &stop);
        let report = sweep::run(&cut, &first, Control { stop: &stop, progress: &|_| {} }).unwrap();
        let journaled = report.runs_finished;
        assert!(journaled >= 1.min(stop_at));
        if journaled < 36 {
            assert_eq!(report.exit_code(), ExitCode::Inconclusive);
            assert!(report.text().contains("isrlab sweep --resume"), "{}", report.text());
            let again = run_by(&cut, &ClusterSimulator).err().unwrap().to_string();
            assert!(again.contains("holds a sweep that is not finished"), "{again}");
        }
        let never = AtomicBool::new(false);
        let second = Counting::new(usize::MAX, &never);
        let report = resume(&cut.out, &second).unwrap();
        assert_eq!(report.runs_finished, 36);
        assert!(contents(&cut.out) == wanted, "stopped at {stop_at}: other bytes");
        let second_runs: usize = second.runs.lock().unwrap().values().sum();
        assert_eq!(second_runs, 36 - journaled, "stopped at {stop_at}");
        // And once more: nothing is missing, nothing is run, nothing is changed.
        let third = Counting::new(usize::MAX, &never);
        resume(&cut.out, &third).unwrap();
        assert_eq!(third.finished.load(Ordering::SeqCst), 0);
        assert!(contents(&cut.out) == wanted);
    }
}

#[test]
fn a_sweep_killed_at_any_byte_of_its_journal_resumes_to_the_same_bytes() {
    let lab = tempfile::tempdir().unwrap();
    let whole = plan(lab.path().join("whole"), &VARY[..1], 2);
    run(&whole);
    let wanted = contents(&whole.out);
    // A sweep that was stopped late, as a source of journals that end anywhere.
    let cut = plan(lab.path().join("cut"), &VARY[..1], 2);
    let stop = AtomicBool::new(false);
    sweep::run(&cut, &Counting::new(9, &stop), Control { stop: &stop, progress: &|_| {} }).unwrap();
    let journal = std::fs::read(cut.out.join("journal.jsonl")).unwrap();
    for step in 0..=23 {
        let folder = lab.path().join(format!("killed{step}"));
        std::fs::create_dir(&folder).unwrap();
        for (name, bytes) in contents(&cut.out) {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        let length = journal.len() * step / 23;
        std::fs::write(folder.join("journal.jsonl"), &journal[..length]).unwrap();
        // What a kill leaves of the tables does not matter: they are made anew.
        std::fs::write(folder.join("runs.csv"), "cell,scen").unwrap();
        resume(&folder, &ClusterSimulator).unwrap();
        assert!(contents(&folder) == wanted, "{length} bytes of the journal");
    }
}

#[test]
fn what_cannot_be_resumed_says_why_and_stays_untouched() {
    let lab = tempfile::tempdir().unwrap();
    let cut = plan(lab.path().join("cut"), &VARY[..1], 2);
    let stop = AtomicBool::new(false);
    sweep::run(&cut, &Counting::new(5, &stop), Control { stop: &stop, progress: &|_| {} }).unwrap();
    let journal = cut.out.join("journal.jsonl");
    let kept = std::fs::read_to_string(&journal).unwrap();
    let header = kept.lines().next().unwrap();
    let first = kept.lines().nth(1).unwrap();
    let few = first.replacen("\"metrics\":[", "\"metrics\":[null,", 1);
    for (text, wanted) in [
        (format!("{header}\n{first}\n{first}\n"), "damaged at line 3"),
        (format!("{header}\n{first}\n{}\n", first.replace("\"run\":0", "\"run\":99")), "damaged at line 3"),
        (format!("{header}\n{few}\n"), "damaged at line 2"),
        (format!("{header}\n{{}}\n"), "damaged at line 2"),
        // The journal of another sweep.
        (format!("{}\n{first}\n", header.replace("--seeds 2", "--seeds 3")), "damaged at line 1"),
    ] {
        std::fs::write(&journal, &text).unwrap();
        let message = resume(&cut.out, &ClusterSimulator).err().unwrap().to_string();
        assert!(message.contains(wanted), "{message}");
        assert_eq!(std::fs::read_to_string(&journal).unwrap(), text);
    }
    let manifest = cut.out.join("manifest.json");
    let good = std::fs::read_to_string(&manifest).unwrap();
    for (from, to, wanted) in [
        (
            format!("\"version\": \"{}\"", isrlab_reports::VERSION),
            "\"version\": \"9.9.9\"".into(),
            "made by isrlab 9.9.9",
        ),
        ("\"kind\": \"sweep\"".into(), "\"kind\": \"replay\"".into(), "another kind"),
        ("\"runs\": 12".into(), "\"runs\": 13".into(), "contradicts itself"),
        ("duration = ".into(), "durration = ".into(), "its scenario is wrong"),
        ("\"isr_flaps\"".into(), "\"../../x\"".into(), "contradicts itself"),
        ("\"first\": 5".into(), format!("\"first\": {}", u64::MAX), "the last seed is above"),
        ("{".into(), "[".to_owned(), "not one of a sweep"),
    ] {
        let changed = good.replacen(&from, &to, 1);
        assert_ne!(changed, good, "{from}");
        std::fs::write(&manifest, &changed).unwrap();
        let message = resume(&cut.out, &ClusterSimulator).err().unwrap().to_string();
        assert!(message.contains(wanted), "{message}");
    }
    let message = resume(lab.path(), &ClusterSimulator).err().unwrap().to_string();
    assert!(message.contains("it has no manifest.json"), "{message}");
}

fn violation() -> Violation {
    Violation {
        invariant: Invariant::HighWatermarkNeverBack,
        seed: 6,
        summary: summary(),
        at: SimTime::from_millis(7),
        event_number: 42,
        event: "a fetch, \"quoted\"".to_owned(),
        state: "HW 1".to_owned(),
    }
}

#[test]
fn a_failing_run_is_kept_with_its_command_and_the_rest_goes_on() {
    let lab = tempfile::tempdir().unwrap();
    let text = TEXT.replace("\"at.least\" = 1\n", "\"at.most\" = 2000\n");
    let plan = of_text(&text, lab.path().join("s"), &["replica.lag.time.max.ms=5s,6s"], 3);
    let failing = script(|spec, seed, _, _| match seed {
        6 if spec.replication.replica_lag_time_max.as_secs() == 6 => RunStop::Violated(Box::new(violation())),
        7 => {
            let mut summary = summary();
            summary.records_appended = 2_001;
            RunStop::Finished(summary)
        }
        _ => RunStop::Finished(summary()),
    });
    let report = run_by(&plan, &failing).unwrap();
    assert_eq!((report.runs_finished, report.runs_violated, report.failures_total), (12, 2, 6));
    assert_eq!(report.exit_code(), ExitCode::Violated);
    let rows = read_csv(&plan.out.join("failures.csv"));
    let column = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
    let kinds: Vec<(&str, &str, &str)> = rows[1..]
        .iter()
        .map(|row| (row[column("kind")].as_str(), row[column("seed")].as_str(), row[column("cell")].as_str()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("expectation", "7", "0"),
            ("expectation", "7", "1"),
            ("invariant", "6", "2"),
            ("expectation", "7", "2"),
            ("invariant", "6", "3"),
            ("expectation", "7", "3"),
        ]
    );
    assert_eq!(
        rows[3][column("command")],
        "isrlab replay t.toml --criterion pre-4485 --set replica.lag.time.max.ms=6s --seed 6"
    );
    assert!(rows[3][column("got")].contains("event 42: a fetch, \"quoted\""), "{:?}", rows[3]);
    let text = report.text();
    assert!(text.contains("✗ pre-4485 at replica.lag.time.max.ms=6s under seed 6"), "{text}");
    let runs = read_csv(&plan.out.join("runs.csv"));
    assert_eq!(runs.iter().filter(|row| row.contains(&"violated".to_owned())).count(), 2);
}

#[test]
fn the_cell_that_is_shown_is_the_first_of_the_worst_kind() {
    let lab = tempfile::tempdir().unwrap();
    let text = TEXT.replace("\"at.least\" = 1\n", "\"at.most\" = 2000\n");
    let plan = of_text(&text, lab.path().join("s"), &["replica.lag.time.max.ms=5s,6s,7s"], 1);
    let simulator = script(|spec, _, _, _| {
        let mut summary = summary();
        summary.records_appended =
            if spec.replication.replica_lag_time_max.as_secs() > 5 { 2_001 } else { 40 };
        RunStop::Finished(summary)
    });
    let report = run_by(&plan, &simulator).unwrap();
    let known = &report.expectations[0];
    assert_eq!((known.held, known.violated, known.first.cell), (2, 4, 2));
    let text = report.text();
    assert!(text.contains("first in pre-4485 at replica.lag.time.max.ms=6s"), "{text}");
}

#[test]
fn an_expectation_may_speak_of_a_share_of_the_seeds() {
    // 20 of 20, 10 of 20 and 0 of 20 against a share of 0.2 with 95 % confidence; and 6 of 20,
    // whose bounds are on both sides of it.
    for (hits, wanted) in
        [(20, "held"), (10, "held"), (6, "inconclusive"), (1, "inconclusive"), (0, "violated")]
    {
        let lab = tempfile::tempdir().unwrap();
        let plan = plan(lab.path().join("s"), &[], 20);
        let simulator = script(|_, seed, _, _| {
            let mut summary = summary();
            summary.records_appended = if seed < 5 + hits { 30 } else { 3 };
            RunStop::Finished(summary)
        });
        let report = run_by(&plan, &simulator).unwrap();
        let rows = read_csv(&plan.out.join("expectations.csv"));
        let column = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
        let row = rows.iter().find(|row| row[column("expectation")].starts_with("half")).unwrap();
        assert_eq!(row[column("verdict")], wanted, "{hits}: {row:?}");
        assert_eq!(row[column("violated")], (20 - hits).to_string());
        let low: f64 = row[column("share_low")].parse().unwrap();
        let high: f64 = row[column("share_high")].parse().unwrap();
        let share = hits as f64 / 20.0;
        assert!(low <= share && share <= high, "{low} {share} {high}");
        assert_eq!(rows[1][column("verdict")], "held");
        let told = report.text();
        if wanted != "held" {
            assert!(told.contains(&format!("it held in {hits} of 20 runs")), "{told}");
        }
        assert_eq!(report.failures_total, 0, "a share tolerates runs in which it does not hold");
        let code = match wanted {
            "held" => ExitCode::Held,
            "violated" => ExitCode::Violated,
            _ => ExitCode::Inconclusive,
        };
        assert_eq!(report.exit_code(), code, "{hits}");
    }
}

#[test]
fn an_expectation_that_is_judged_nowhere_is_told_of() {
    let lab = tempfile::tempdir().unwrap();
    let text = TEXT.replacen("cells = \"every\"", "cells = \"link.far.latency <= 5ms\"", 1);
    let mut plan = of_text(&text, lab.path().join("s"), &VARY, 2);
    let report = run(&plan);
    assert_eq!(report.unjudged, ["t.toml:19: something is appended"]);
    assert!(report.text().contains("names cells of which this sweep has none"), "{}", report.text());
    assert!(report.cases().unwrap().iter().any(|case| case.name.contains("something is appended")));
    plan.strict = true;
    assert_eq!(run(&plan).exit_code(), ExitCode::Inconclusive);
}

#[test]
fn a_sweep_at_work_is_not_restarted_by_another() {
    let lab = tempfile::tempdir().unwrap();
    let mut cut = plan(lab.path().join("s"), &VARY, 2);
    let stop = AtomicBool::new(false);
    sweep::run(&cut, &Counting::new(5, &stop), Control { stop: &stop, progress: &|_| {} }).unwrap();
    let kept = contents(&cut.out);
    let at_work = std::fs::File::open(cut.out.join("journal.jsonl")).unwrap();
    at_work.try_lock().unwrap();
    cut.restart = true;
    for refused in [run_by(&cut, &ClusterSimulator), resume(&cut.out, &ClusterSimulator)] {
        let message = refused.err().unwrap().to_string();
        assert!(message.contains("another process is at work"), "{message}");
        assert!(contents(&cut.out) == kept, "nothing is touched");
    }
    drop(at_work);
    assert_eq!(run(&cut).runs_finished, 24);
}

#[test]
fn a_shard_says_nothing_of_criteria_that_it_did_not_run() {
    let lab = tempfile::tempdir().unwrap();
    let mut shard = plan(lab.path().join("s"), &VARY, 2);
    shard.shard = "1/2".parse().unwrap();
    let report = run(&shard);
    assert!(!report.text().contains("post-4485 kept"), "{}", report.text());
    let cases = report.cases().unwrap();
    let of = |suite: &str| cases.iter().find(|case| case.suite == suite).unwrap().outcome.clone();
    assert_eq!(of("pre-4485"), isrlab_reports::ci::Outcome::Passed);
    assert!(matches!(of("post-4485"), isrlab_reports::ci::Outcome::Skipped(_)));
}

#[test]
fn a_sweep_with_a_broken_invariant_says_so_in_its_manifest() {
    let lab = tempfile::tempdir().unwrap();
    let plan = plan(lab.path().join("s"), &[], 2);
    run_by(&plan, &script(|_, _, _, _| RunStop::Violated(Box::new(violation())))).unwrap();
    let manifest = std::fs::read_to_string(plan.out.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"state\": \"violated\""), "{manifest}");
}

#[test]
fn a_page_about_something_else_goes_with_it() {
    let lab = tempfile::tempdir().unwrap();
    let plan = plan(lab.path().join("s"), &[], 2);
    run(&plan);
    std::fs::write(plan.out.join("report.html"), "of the sweep before").unwrap();
    std::fs::write(plan.out.join("mine.txt"), "not isrlab's").unwrap();
    run(&plan);
    assert!(!plan.out.join("report.html").exists() && plan.out.join("mine.txt").exists());
}

#[test]
fn statistics_of_a_cell_are_those_of_its_rows() {
    let lab = tempfile::tempdir().unwrap();
    let plan = plan(lab.path().join("s"), &VARY[..1], 20);
    run(&plan);
    let runs = read_csv(&plan.out.join("runs.csv"));
    let cells = read_csv(&plan.out.join("cells.csv"));
    let of = |name: &str| cells[0].iter().position(|column| column == name).unwrap();
    let metric = "records_appended";
    let at = runs[0].iter().position(|column| column == metric).unwrap();
    let mut values: Vec<f64> =
        runs[1..].iter().filter(|row| row[0] == "3").map(|row| row[at].parse().unwrap()).collect();
    values.sort_by(f64::total_cmp);
    let row = cells.iter().find(|row| row[0] == "3" && row[of("metric")] == metric).unwrap();
    let number = |name: &str| row[of(name)].parse::<f64>().unwrap();
    let mean = values.iter().sum::<f64>() / 20.0;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 19.0).sqrt();
    let close =
        |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-6 * wanted.abs(), "{found} {wanted}");
    close(number("mean"), mean);
    close(number("standard_deviation"), deviation);
    close(number("p50"), (values[9] + values[10]) / 2.0);
    close(number("p05"), values[0] + (values[1] - values[0]) * 0.95);
    close(number("min"), values[0]);
    close(number("max"), values[19]);
    close(number("interval_high") - mean, 2.093_024 * deviation / 20f64.sqrt());
    assert_eq!(row[of("interval_method")], "student-t");
    let share = cells.iter().find(|row| row[0] == "3" && row[of("metric")] == "flapped").unwrap();
    assert_eq!((share[of("unit")].as_str(), share[of("interval_method")].as_str()), ("share", "wilson"));
    assert_eq!(share[of("runs")], "20");
}

#[test]
fn parquet_has_the_columns_and_values_of_the_csv() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let lab = tempfile::tempdir().unwrap();
    let plan = plan(lab.path().join("s"), &["replica.lag.time.max.ms=5s,6s", "producer.p.acks=1,all"], 2);
    run(&plan);
    for table in ["runs", "cells", "expectations", "failures"] {
        let csv = read_csv(&plan.out.join(format!("{table}.csv")));
        let file = std::fs::File::open(plan.out.join(format!("{table}.parquet"))).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let schema = reader.metadata().file_metadata().schema();
        let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
        assert_eq!(names, csv[0], "{table}");
        let mut count = 0;
        for (row, wanted) in reader.get_row_iter(None).unwrap().zip(&csv[1..]) {
            count += 1;
            for ((name, field), text) in row.unwrap().get_column_iter().zip(wanted) {
                match field {
                    Field::Null => assert_eq!(text, "", "{table} {name}"),
                    Field::Str(value) => assert_eq!(value, text, "{table} {name}"),
                    Field::Long(value) => assert_eq!(value.to_string(), *text, "{table} {name}"),
                    Field::ULong(value) => assert_eq!(value.to_string(), *text, "{table} {name}"),
                    Field::Double(value) => {
                        assert_eq!(*value, text.parse::<f64>().unwrap(), "{table} {name}");
                    }
                    other => panic!("{table} {name}: {other:?}"),
                }
            }
        }
        assert_eq!(count, csv.len() - 1, "{table}");
    }
}

#[test]
fn a_grid_that_cannot_be_run_is_refused_before_anything_is() {
    let lab = tempfile::tempdir().unwrap();
    let refused = |plan: &SweepPlan| {
        let message = run_by(plan, &ClusterSimulator).err().unwrap().to_string();
        assert!(!plan.out.exists(), "{message}");
        message
    };
    let of = |vary: &[&str]| refused(&plan(lab.path().join("s"), vary, 1));
    assert!(of(&["link.folower.latency=1ms,2ms"]).contains("is nothing that can be set"));
    assert!(
        of(&["link.follower.latency.median=1ms,fast"])
            .contains("link.follower.latency.median=fast under pre-4485")
    );
    assert!(of(&["replica.lag.time.max.ms=5s", "replica.lag.time.max.ms=6s"]).contains("varied twice"));
    assert!(of(&["seed=1,2"]).contains("--seeds"));
    assert!(of(&["compare=pre-4485,equal-leo"]).contains("--criterion"));
    let mut set = plan(lab.path().join("s"), &["replica.lag.time.max.ms=5s,6s"], 1);
    set.scenario = set.scenario.with_overrides(&[("replica.lag.time.max.ms".into(), "7s".into())]).unwrap();
    assert!(refused(&set).contains("varied and set"));
    let mut shard = plan(lab.path().join("s"), &["replica.lag.time.max.ms=5s,6s"], 1);
    shard.shard = "5/9".parse().unwrap();
    assert!(refused(&shard).contains("shard 5/9 is empty: there are 4 cells"));
}

#[test]
fn a_key_that_makes_no_difference_is_told_of() {
    let lab = tempfile::tempdir().unwrap();
    let text = TEXT.replace(
        "[[expect]]\nthat = \"something",
        "[link.far]\n\"client.broker\" = 2\nlatency = \"9ms\"\n\n[[expect]]\nthat = \"something",
    );
    assert_ne!(text, TEXT);
    let report = run(&of_text(&text, lab.path().join("s"), &["link.far.latency=9ms,10ms"], 1));
    assert_eq!(report.notes, Vec::<String>::new());
    let plan = of_text(&text, lab.path().join("t"), &["title=a,b"], 1);
    let report = run(&plan);
    assert!(report.notes[0].contains("title makes no difference"), "{:?}", report.notes);
}

#[test]
fn the_columns_in_the_documentation_are_up_to_date() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/sweep.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let marker = "cargo test -p isrlab-reports --test sweep -->\n";
    let (written, _) = text.split_once(marker).expect("docs/sweep.md has the marker");
    common::assert_file(
        &page,
        format!("{written}{marker}\n{}", sweep::sweep_reference().trim_end()).as_bytes(),
    );
}

#[test]
fn every_column_has_a_name_of_its_own() {
    let lab = tempfile::tempdir().unwrap();
    let plan = plan(lab.path().join("s"), &[VARY[0], VARY[1], "duration=200ms,300ms"], 1);
    run(&plan);
    for table in ["runs", "cells", "expectations", "failures"] {
        let header = read_csv(&plan.out.join(format!("{table}.csv"))).remove(0);
        for (index, name) in header.iter().enumerate() {
            assert!(!header[..index].contains(name), "{table}: two columns are called {name}");
        }
    }
}
