//! Prints how large the report of a folder is and how long it takes:
//!
//! ```text
//! cargo run --release -p isrlab-reports --example report_size -- DIR…
//! ```

use isrlab_reports::page;
use isrlab_reports::replay::Control;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> ExitCode {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    if folders.is_empty() {
        eprintln!("wanted are folders that isrlab has written");
        return ExitCode::from(2);
    }
    let stop = AtomicBool::new(false);
    for folder in &folders {
        let started = Instant::now();
        match page::render(Path::new(folder), Control { stop: &stop, progress: &|_| {} }) {
            Ok((kind, text)) => {
                let (seconds, kilobytes) = (started.elapsed().as_secs_f64(), text.len() as f64 / 1e3);
                println!("{folder}: {kind:?}, {kilobytes:.0} kB in {seconds:.2} s");
            }
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::from(error.exit_code() as u8);
            }
        }
    }
    ExitCode::SUCCESS
}
