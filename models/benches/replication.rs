//! Distinct states per second of both engines on the replication models.
//!
//! ```text
//! cargo bench -p isrlab-models                    # kip-320, R3 L2 M2 E2
//! cargo bench -p isrlab-models -- --threads 2 --runs 10
//! ```
//!
//! Prints CPU and wall time of the best of some runs, the ratio to TLC's 39 s on the same
//! specification (two cores, quiet machine), and checks the count each time.

use std::time::{Duration, Instant};

use clap::Parser;
use isrlab_models::checker::{Engine, Options, Report, check};
use isrlab_models::replication::{Constants, Replication, Variant};

/// What TLC took for kip-320 with R3 L2 M2 E2, in seconds.
const TLC_SECONDS: f64 = 39.0;
/// Distinct states of that space.
const STATES: u64 = 737_794;

#[derive(Parser)]
struct Arguments {
    /// Threads of the last row.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Runs of each row, of which the best counts.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let arguments = Arguments::parse();
    println!("kip-320, R3 L2 M2 E2: {STATES} distinct states; TLC: {TLC_SECONDS} s on two cores");
    println!("engine      threads  wall s  CPU s  M states/s  times TLC (wall)  memory MB");
    let rows = [(Engine::Stateright, 1), (Engine::Fast, 1), (Engine::Fast, arguments.threads)];
    for (engine, threads) in rows {
        let best = (0..arguments.runs.max(1)).map(|_| measure(engine, threads)).min_by_key(|m| m.wall);
        let Measured { wall, cpu, memory } = best.expect("at least one run");
        let wall = wall.as_secs_f64();
        println!(
            "{:<11} {threads:>7}  {wall:>6.3}  {:>5.3}  {:>10.2}  {:>16.0}  {:>9.1}",
            engine.name(),
            cpu.as_secs_f64(),
            STATES as f64 / wall / 1e6,
            TLC_SECONDS / wall,
            memory as f64 / 1e6
        );
    }
}

struct Measured {
    wall: Duration,
    cpu: Duration,
    memory: u64,
}

fn measure(engine: Engine, threads: usize) -> Measured {
    let model = Replication::<u64>::new(Variant::Kip320, Constants::new(3, 2, 2, 2), false).expect("fits");
    let options = Options { engine, threads, ..Options::default() };
    let mut memory = 0;
    let (started, cpu) = (Instant::now(), process_cpu());
    let report: Report =
        check(&model, &options, &mut |progress| memory = memory.max(progress.memory.unwrap_or(0)));
    let measured = Measured { wall: started.elapsed(), cpu: process_cpu().saturating_sub(cpu), memory };
    assert_eq!((report.distinct_states, report.is_whole()), (STATES, true));
    measured
}

/// CPU time of this process so far, to 10 ms; zero where the system does not tell.
fn process_cpu() -> Duration {
    const TICKS_PER_SECOND: u64 = 100;
    let Ok(text) = std::fs::read_to_string("/proc/self/stat") else { return Duration::ZERO };
    // The fields after the name, which ends at the last parenthesis: user and system time are the
    // 12th and 13th.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks: u64 = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
}
