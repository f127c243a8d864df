//! Results go to standard output, everything else to standard error.

use isrlab_reports::ExitCode;
use std::io::{ErrorKind, Write};

/// Prints a result; returns `code`, or says that the result could not be printed.
///
/// A reader that has seen enough and closed the pipe is no error.
pub fn result(text: &str, code: ExitCode) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            self::error(&format!("failed to print the result: {error}"));
            ExitCode::Inconclusive
        }
        _ => code,
    }
}

/// Prints what is wrong. If that fails too, there is nobody left to tell.
pub fn error(message: &str) {
    let _ = writeln!(std::io::stderr(), "error: {message}");
}

/// Prints what a person may want to know beside the result.
pub fn note(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}
