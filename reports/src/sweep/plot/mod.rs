//! The plots of a sweep, made from `cells.csv`.

use super::plan::SweepPlan;
use crate::error::ReportError;
use std::path::Path;

/// The files that a complete sweep draws.
pub fn files(_plan: &SweepPlan) -> Vec<String> {
    Vec::new()
}

/// Draws them.
///
/// # Errors
/// If `cells.csv` cannot be read, or a PNG cannot be made.
pub fn render(_plan: &SweepPlan, _folder: &Path) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    Ok(Vec::new())
}
