//! Ctrl-C: the first asks the run to stop, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Catches Ctrl-C and the request to terminate; returns the flag that they set.
pub fn catch() -> &'static AtomicBool {
    let caught = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(isrlab_reports::ExitCode::Inconclusive as i32);
        }
        crate::output::note("stopping; once more ends at once");
    });
    if let Err(error) = caught {
        crate::output::note(&format!("note: Ctrl-C will end at once: {error}"));
    }
    &STOP
}
