//! The timeline figure: for each variant a lane per replica, in or out of the ISR, over the lag
//! that decides about it; faults as grey bands; one time axis.

mod axis;
mod figure;
mod lag_area;
mod lanes;
mod palette;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text_width;
mod trace;

pub use figure::{Caption, figure};
#[cfg(feature = "png")]
pub use png::svg_to_png;
pub use trace::{COLUMNS, LagColumn, LagMetric, ReplicaColumn, Trace};

use crate::VERSION;
use crate::error::ReportError;
use crate::plan::Plan;
use crate::report::Report;
use std::path::Path;

/// The figure's file.
pub const SVG_FILE: &str = "timeline.svg";
/// The same as PNG.
pub const PNG_FILE: &str = "timeline.png";

/// The files that a replay draws.
pub fn files() -> &'static [&'static str] {
    if cfg!(feature = "png") { &[SVG_FILE, PNG_FILE] } else { &[SVG_FILE] }
}

/// Draws the first seed's runs. Without any run there is nothing to draw.
///
/// # Errors
/// If the PNG cannot be made.
pub fn render(
    plan: &Plan,
    report: &Report,
    traces: &[Option<Trace>],
    folder: &Path,
) -> Result<Vec<(&'static str, Vec<u8>)>, ReportError> {
    let drawn: Vec<(&str, &Trace)> = plan
        .variants
        .iter()
        .zip(traces)
        .filter_map(|(variant, trace)| Some((&*variant.name, trace.as_ref()?)))
        .collect();
    if drawn.is_empty() {
        return Ok(Vec::new());
    }
    let caption = Caption {
        scenario: &report.scenario,
        seed: plan.seeds[0],
        seeds: plan.seeds.len(),
        version: VERSION,
    };
    let svg = figure(&caption, &drawn);
    let mut files = Vec::new();
    #[cfg(feature = "png")]
    {
        let png = png::svg_to_png(&svg)
            .map_err(|reason| ReportError::Picture { path: folder.join(PNG_FILE), reason })?;
        files.push((PNG_FILE, png));
    }
    let _ = folder;
    files.insert(0, (SVG_FILE, svg.into_bytes()));
    Ok(files)
}
