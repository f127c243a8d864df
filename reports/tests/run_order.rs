//! The bytes of a replay do not depend on threads, and stay whole when it is interrupted.

mod common;

use common::{contents, plan, read_csv, run, sample, script, short_run, summary};
use isrlab_reports::replay::{self, Control, Progress};
use isrlab_reports::tables::tables_of;
use isrlab_reports::{ClusterSimulator, ExitCode, NoJudge, RunStop};
use isrlab_sim::cluster::RunSummary;
use isrlab_sim::engine::SimTime;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

#[test]
fn real_runs_give_the_same_bytes_on_any_number_of_threads() {
    let mut all = Vec::new();
    for threads in [1, 2, 7] {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(&["pre-4485", "post-4485"], 5, threads, Some(folder.path().to_owned()));
        let report = run(&plan, &ClusterSimulator).unwrap();
        assert_eq!((report.runs_finished, report.exit_code()), (10, ExitCode::Held));
        let mut json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
        json["folder"] = serde_json::Value::Null;
        all.push((contents(folder.path()), json.to_string()));
    }
    assert!(all[0].0.iter().any(|(name, bytes)| name == "timeline.csv" && bytes.len() > 100_000));
    assert!(all[0] == all[1] && all[0] == all[2]);
}

#[test]
fn runs_that_finish_out_of_order_are_written_in_order() {
    // The first run is the slowest; the rows of those behind it are too many for memory.
    let finished = AtomicUsize::new(0);
    let simulator = script(|_, seed, observer, _| {
        while seed == 1 && finished.load(Ordering::Relaxed) < 5 {
            std::thread::sleep(Duration::from_millis(1));
        }
        for step in 0..3_000 {
            sample(SimTime::from_millis(step * 10), observer);
        }
        finished.fetch_add(1, Ordering::Relaxed);
        RunStop::Finished(summary())
    });
    let folder = tempfile::tempdir().unwrap();
    run(&plan(&["pre-4485"], 8, 3, Some(folder.path().to_owned())), &simulator).unwrap();
    let parallel = contents(folder.path());
    let folder = tempfile::tempdir().unwrap();
    finished.store(5, Ordering::Relaxed);
    run(&plan(&["pre-4485"], 8, 1, Some(folder.path().to_owned())), &simulator).unwrap();
    assert!(parallel == contents(folder.path()));
    assert_eq!(read_csv(&folder.path().join("timeline.csv")).len(), 1 + 8 * 3_000 * 3);
}

#[test]
fn a_slow_first_run_does_not_let_the_others_run_away() {
    let started = Mutex::new(Vec::new());
    let simulator = script(|_, seed, _, _| {
        started.lock().unwrap().push(seed);
        if seed == 1 {
            // Long enough for the others to run into the window's end.
            std::thread::sleep(Duration::from_millis(200));
            let ahead = started.lock().unwrap().len();
            assert!(ahead < 100, "{ahead} runs started");
        }
        RunStop::Finished(summary())
    });
    let report = run(&plan(&["pre-4485"], 1_000, 2, None), &simulator).unwrap();
    assert_eq!(report.runs_finished, 1_000);
}

#[test]
fn an_interrupted_replay_has_whole_rows_and_says_what_is_missing() {
    for threads in [1, 2] {
        let stop = AtomicBool::new(false);
        let finished = AtomicUsize::new(0);
        let simulator = script(|_, seed, observer, keep_going| {
            if seed < 3 {
                finished.fetch_add(1, Ordering::Relaxed);
                return RunStop::Finished(short_run(observer));
            }
            while finished.load(Ordering::Relaxed) < 2 {
                std::thread::yield_now();
            }
            for step in 0.. {
                sample(SimTime::from_millis(step), observer);
                if seed == 3 && step == 2_000 {
                    stop.store(true, Ordering::Relaxed);
                }
                if !keep_going(SimTime::from_millis(step)) {
                    break;
                }
            }
            RunStop::Interrupted(RunSummary { duration_ns: 2_000_000_000, ..summary() })
        });
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(&["pre-4485"], 9, threads, Some(folder.path().to_owned()));
        let control = Control { stop: &stop, progress: &|_| {} };
        let report = replay::run(&plan, &simulator, &NoJudge, control).unwrap();
        assert_eq!(report.exit_code(), ExitCode::Inconclusive);
        assert_eq!((report.runs_finished, report.missing_total), (2, 7));
        let text = report.text();
        assert!(text.contains("Interrupted: 2 of 9 runs reached their end"), "{text}");
        assert!(text.contains("pre-4485, seed 3: cut short at 2.000 s"), "{text}");
        assert!(text.contains("seed 9: not started"), "{text}");
        for table in tables_of(&plan) {
            let bytes = std::fs::read(folder.path().join(table.file)).unwrap();
            assert!(bytes.ends_with(b"\r\n"), "{}", table.file);
            read_csv(&folder.path().join(table.file));
        }
        assert_eq!(read_csv(&folder.path().join("summary.csv")).len(), 3);
        let timeline = read_csv(&folder.path().join("timeline.csv"));
        let rows_of_3 = timeline.iter().filter(|row| row[2] == "3").count();
        assert!(rows_of_3 >= 2_001 * 3, "{rows_of_3}");
        let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).unwrap();
        assert!(manifest.contains("\"state\": \"interrupted\""));
    }
}

#[test]
fn few_rows_are_handed_over_while_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("isr_changes.csv");
    let simulator = script(|_, _, observer, keep_going| {
        short_run(observer);
        std::thread::sleep(Duration::from_millis(1_100));
        assert!(keep_going(SimTime::from_secs(21)));
        sample(SimTime::from_secs(21), observer);
        assert_eq!(read_csv(&path).len(), 3, "the rows are in the file before the run ends");
        RunStop::Finished(summary())
    });
    run(&plan(&["pre-4485"], 1, 1, Some(folder.path().to_owned())), &simulator).unwrap();
}

#[test]
fn progress_comes_to_the_whole() {
    let last = Mutex::new(Progress::default());
    let control =
        Control { stop: &AtomicBool::new(false), progress: &|progress| *last.lock().unwrap() = *progress };
    let plan = plan(&["pre-4485", "post-4485"], 2, 1, None);
    replay::run(&plan, &ClusterSimulator, &NoJudge, control).unwrap();
    let last = *last.lock().unwrap();
    assert_eq!((last.runs, last.runs_done), (4, 4));
    assert_eq!((last.virtual_ns, last.virtual_ns_done), (120_000_000_000, 120_000_000_000));
    assert!(last.events_done > 1_000);
}

#[test]
fn a_panic_in_one_run_does_not_leave_the_others_waiting() {
    let simulator = script(|_, seed, _, _| {
        assert!(seed != 1, "as planned");
        RunStop::Finished(summary())
    });
    let plan = plan(&["pre-4485"], 500, 2, None);
    assert!(std::panic::catch_unwind(|| run(&plan, &simulator).map(|_| ()).ok()).is_err());
}
