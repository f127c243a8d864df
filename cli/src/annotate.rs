//! What continuous integration is told.

use isrlab_reports::ReportError;
use isrlab_reports::ci::{self, Case};
use std::path::Path;

/// Writes the JUnit report, if one is asked for, and annotates a run of GitHub's, if this is one.
///
/// # Errors
/// If the report cannot be written.
pub fn tell(name: &str, cases: &[Case], junit: Option<&Path>) -> Result<(), ReportError> {
    if let Some(path) = junit {
        ci::write(path, name, cases)?;
    }
    if std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        for line in ci::annotations(name, cases).lines() {
            crate::output::note(line);
        }
    }
    Ok(())
}
