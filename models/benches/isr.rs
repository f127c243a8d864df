//! States a second and memory of `check isr`: exploring, bounding, and the checker's second opinion.
//!
//! `cargo bench --bench isr` prints one line a measurement; times are of one thread.

use std::time::Instant;

use isrlab_models::checker::{Engine, Limits, Options, check};
use isrlab_models::isr::answer::answer;
use isrlab_models::isr::graph::Graph;
use isrlab_models::isr::measure::Measure;
use isrlab_models::isr::model::Watch;
use isrlab_models::isr::setting::{Behaviour, Setting};
use isrlab_sim::protocol::IsrCriterion;

fn main() {
    let setting = Setting {
        followers: 2,
        behaviour: Behaviour::Returning,
        lag: 4,
        ..Setting::of(IsrCriterion::Post4485)
    };
    let started = Instant::now();
    let graph = Graph::explore(&setting, &Limits::default()).expect("no limit");
    report("explore", graph.states().len() as u64, started);

    let started = Instant::now();
    let answers = answer(&setting, &Measure::ALL, &Limits::default()).expect("no limit");
    report("explore and bound every measure", answers.graph.states().len() as u64, started);

    let watch = Watch { setting, measure: Measure::Outside, bound: 2 * setting.gap };
    for engine in [Engine::Fast, Engine::Stateright] {
        let started = Instant::now();
        let report_of = check(&watch, &Options { engine, ..Options::default() }, &mut |_| {});
        report(&format!("check one bound with {}", engine.name()), report_of.distinct_states, started);
    }
    if let Some(peak) = peak_kib() {
        println!("peak memory {} MiB", peak / 1024);
    }
}

fn report(what: &str, states: u64, started: Instant) {
    let seconds = started.elapsed().as_secs_f64();
    println!("{what}: {states} states in {seconds:.3} s, {:.0} states/s", states as f64 / seconds);
}

/// The most memory that the process has held, in KiB; Linux only.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
