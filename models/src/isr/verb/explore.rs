//! Walking through an ISR model in a browser.

use std::io::Write;

use crate::checker::explore;
use crate::isr::model::Watch;
use crate::verb::exit;

/// Serves the model of one claim on the loopback address until the process ends; says where on
/// `progress`. Port 0 is any that is free. Returns only on an error, with the exit code.
pub fn explore_isr(watch: Watch, port: u16, progress: &mut dyn Write) -> u8 {
    use crate::checker::Checkable;
    if let Err(error) = watch.setting.validate() {
        let _ = writeln!(progress, "error: {error}");
        return exit::USAGE;
    }
    let title = watch.title();
    let served = explore(watch, port, |address| {
        let _ = writeln!(progress, "exploring {title} at http://{address}/ (end with Ctrl-C)");
        let _ = progress.flush();
    });
    match served {
        Ok(()) => exit::OK,
        Err(error) => {
            let _ = writeln!(progress, "error: {error}");
            exit::USAGE
        }
    }
}
