//! The memory of a sweep does not grow with the number of its runs.

#[path = "common/allocator.rs"]
mod allocator;
mod common;

use common::{script, summary};
use isrlab_reports::RunStop;
use isrlab_reports::ScenarioSource;
use isrlab_reports::replay::Control;
use isrlab_reports::sweep::{self, SweepPlan, default_plots};
use isrlab_scenarios::Scenario;
use std::sync::atomic::AtomicBool;

/// The most bytes beyond those at the start, for one cell of so many runs.
fn peak(seeds: u64) -> usize {
    let lab = tempfile::tempdir().unwrap();
    let scenario = Scenario::from_library("healthy").unwrap();
    let plan = SweepPlan {
        source: ScenarioSource { name: "healthy".into(), reference: "healthy".into(), text: String::new() },
        profiles: scenario.variants()[..1].to_vec(),
        scenario,
        axes: vec![],
        seed_first: 1,
        seeds,
        shard: "1/1".parse().unwrap(),
        threads: 2,
        out: lab.path().join("s"),
        plots: default_plots(),
        restart: false,
        strict: false,
    };
    let simulator = script(|_, seed, _, _| {
        let mut summary = summary();
        // As many different values as there are seeds.
        summary.records_appended = seed;
        RunStop::Finished(summary)
    });
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {} };
    let (report, peak) = allocator::peak_of(|| sweep::run(&plan, &simulator, control).unwrap());
    assert_eq!(report.runs_finished as u64, seeds);
    peak
}

#[test]
fn ten_times_the_runs_take_the_same_memory() {
    // The Parquet writer holds a row group of 16,384 rows; from there on nothing may grow.
    let (few, many) = (peak(20_000), peak(200_000));
    assert!(many < few + few / 4, "{few} bytes for 20,000 runs, {many} for 200,000");
}
