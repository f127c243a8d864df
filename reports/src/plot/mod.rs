//! The figures. The timeline: for each variant a lane per replica, in or out of the ISR, over the lag
//! that decides about it; faults as grey bands; one time axis.

pub(crate) mod axis;
pub(crate) mod figure;
mod lag;
mod lag_area;
mod lanes;
pub(crate) mod palette;
#[cfg(feature = "png")]
mod png;
pub(crate) mod svg;
pub(crate) mod text_width;
mod timestamps;
mod trace;

pub use figure::{Caption, figure};
pub use lag::{LagTrace, lag_figure};
#[cfg(feature = "png")]
pub use png::svg_to_png;
pub use timestamps::{TimestampTrace, timestamp_figure};
pub use trace::{COLUMNS, LagColumn, LagMetric, ReplicaColumn, Trace};

use crate::VERSION;
use crate::error::ReportError;
use crate::plan::Plan;
use crate::report::Report;
use crate::tables;
use std::path::Path;

/// The figure's file.
pub const SVG_FILE: &str = "timeline.svg";
/// The same as PNG.
pub const PNG_FILE: &str = "timeline.png";

/// Stored times against true ones; only if a topic has a policy for timestamps.
pub const TIMESTAMPS_SVG_FILE: &str = "timestamps.svg";
/// The same as PNG.
pub const TIMESTAMPS_PNG_FILE: &str = "timestamps.png";

/// Reported lags over true ones; only with mirrors or share groups.
pub const LAG_SVG_FILE: &str = "lag.svg";
/// The same as PNG.
pub const LAG_PNG_FILE: &str = "lag.png";

/// The files that a replay of a plan draws.
pub fn files(plan: &Plan) -> Vec<&'static str> {
    let mut files = vec![SVG_FILE, PNG_FILE];
    if plan.variants.iter().any(|variant| (tables::timestamps::TABLE.applies)(&variant.spec)) {
        files.extend([TIMESTAMPS_SVG_FILE, TIMESTAMPS_PNG_FILE]);
    }
    if plan.variants.iter().any(|variant| (tables::lag::TABLE.applies)(&variant.spec)) {
        files.extend([LAG_SVG_FILE, LAG_PNG_FILE]);
    }
    files.retain(|file| cfg!(feature = "png") || !file.ends_with(".png"));
    files
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
) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    let together = together(plan, traces);
    if together.is_empty() {
        return Ok(Vec::new());
    }
    let drawn: Vec<(&str, &Trace)> = together.iter().map(|(names, trace)| (names.as_str(), *trace)).collect();
    let caption = Caption {
        scenario: &report.scenario,
        seed: plan.seeds[0],
        seeds: plan.seeds.len(),
        overrides: &plan.overrides,
        version: VERSION,
    };
    let mut files = both(SVG_FILE, PNG_FILE, figure(&caption, &drawn), folder)?;
    if drawn.iter().any(|(_, trace)| !trace.timestamps.is_empty()) {
        let svg = timestamp_figure(&caption, &drawn);
        files.extend(both(TIMESTAMPS_SVG_FILE, TIMESTAMPS_PNG_FILE, svg, folder)?);
    }
    if drawn.iter().any(|(_, trace)| !trace.lags.is_empty()) {
        files.extend(both(LAG_SVG_FILE, LAG_PNG_FILE, lag_figure(&caption, &drawn), folder)?);
    }
    Ok(files)
}

/// The runs to draw, by name; those in which all that is drawn is the same are drawn once.
fn together<'a>(plan: &Plan, traces: &'a [Option<Trace>]) -> Vec<(String, &'a Trace)> {
    let mut together: Vec<(String, &Trace)> = Vec::new();
    for (variant, trace) in plan.variants.iter().zip(traces) {
        let Some(trace) = trace else { continue };
        match together.iter_mut().find(|(_, known)| *known == trace) {
            Some((names, _)) => {
                names.push_str(", ");
                names.push_str(&variant.name);
            }
            None => together.push((variant.name.to_string(), trace)),
        }
    }
    together
}

/// A figure as SVG and, where that is built in, as PNG.
pub(crate) fn both(
    svg_file: &str,
    png_file: &str,
    svg: String,
    folder: &Path,
) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    #[cfg(feature = "png")]
    {
        let png = png::svg_to_png(&svg)
            .map_err(|reason| ReportError::Picture { path: folder.join(png_file), reason })?;
        Ok(vec![(svg_file.to_owned(), svg.into_bytes()), (png_file.to_owned(), png)])
    }
    #[cfg(not(feature = "png"))]
    {
        let _ = (png_file, folder);
        Ok(vec![(svg_file.to_owned(), svg.into_bytes())])
    }
}
