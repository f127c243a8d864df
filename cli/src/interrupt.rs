//! Ctrl-C: the first asks the run to stop, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Catches Ctrl-C and the request to terminate; returns the flag that they set. To be called once.
pub fn catch() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let caught = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(isrlab_reports::ExitCode::Inconclusive as i32);
        }
        crate::output::note("stopping; once more ends at once");
    });
    if let Err(error) = caught {
        crate::output::note(&format!("note: Ctrl-C will end at once: {error}"));
    }
    stop
}
