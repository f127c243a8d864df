//! How well a sweep uses the cores: `cargo bench -p isrlab-reports --bench sweep`.
//!
//! The same sweep with one thread and with each number up to the cores of the machine, in turns.
//! Efficiency is the time with one thread ÷ (threads × the time with so many): 1.0 is linear. It
//! is wall time, so the machine must have nothing else to do; the CPU time beside it says what
//! more threads cost. The CSV, Parquet, plots and journal are written as in any sweep.

use cpu_time::ProcessTime;
use isrlab_reports::replay::Control;
use isrlab_reports::sweep::{self, SweepPlan, default_plots};
use isrlab_reports::{ClusterSimulator, ScenarioSource};
use isrlab_scenarios::Scenario;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const ROUNDS: usize = 5;

/// Wall and CPU seconds of a sweep, and its runs.
fn measure(threads: usize, seeds: u64) -> (f64, f64, usize) {
    let folder = tempfile::tempdir().expect("a folder for the benchmark");
    let scenario = Scenario::from_library("flapping-map").expect("a scenario of the library");
    let axes = scenario.sweep().expect("it has a [sweep] table").axes.clone();
    let plan = SweepPlan {
        source: ScenarioSource {
            name: scenario.name().to_owned(),
            reference: scenario.name().to_owned(),
            text: scenario.source_text().to_owned(),
        },
        profiles: scenario.variants().to_vec(),
        axes,
        seed_first: 1,
        seeds,
        shard: "1/1".parse().expect("a shard"),
        threads,
        out: folder.path().join("sweep"),
        plots: default_plots(),
        restart: false,
        strict: false,
        scenario,
    };
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {} };
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let report = sweep::run(&plan, &ClusterSimulator, control).expect("the sweep runs");
    (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64(), report.runs_finished)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    // `cargo test` runs a benchmark too, to see that it works: once, and small.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let (rounds, seeds) = if is_test { (1, 1) } else { (ROUNDS, 40) };
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut times: Vec<(Vec<f64>, Vec<f64>)> = vec![(vec![], vec![]); cores];
    let mut runs = 0;
    for _ in 0..rounds {
        for threads in 1..=cores {
            let (wall, cpu, done) = measure(threads, seeds);
            times[threads - 1].0.push(wall);
            times[threads - 1].1.push(cpu);
            runs = done;
        }
    }
    let medians: Vec<(f64, f64)> = times.into_iter().map(|(wall, cpu)| (median(wall), median(cpu))).collect();
    println!(
        "flapping-map, {runs} runs of 70 s of virtual time, medians of {rounds}; efficiency 1.0 is linear"
    );
    println!("{:>7}  {:>8}  {:>8}  {:>9}  {:>10}", "threads", "wall s", "CPU s", "runs/s", "efficiency");
    for (index, (wall, cpu)) in medians.iter().enumerate() {
        let threads = index + 1;
        let efficiency = medians[0].0 / (threads as f64 * wall);
        println!("{threads:>7}  {wall:>8.2}  {cpu:>8.2}  {:>9.0}  {efficiency:>10.2}", runs as f64 / wall);
    }
}
