//! The plots of a sweep, made from `cells.csv`: a heat map over two varied keys and lines over
//! one, a panel for each criterion.

mod data;
mod heat_map;
mod lines;
mod panels;
mod scale;

use super::plan::SweepPlan;
use crate::error::ReportError;
use crate::plot::both;
use rayon::prelude::*;
use std::path::Path;

/// What is drawn when nobody says: how often a removed replica came back, and how often one was
/// removed.
pub const METRICS: [&str; 2] = ["isr_flaps", "isr_shrinks"];

/// The figures of a sweep over so many keys.
fn figures(axes: usize) -> &'static [&'static str] {
    match axes {
        0 => &[],
        1 => &["lines"],
        _ => &["heat-map", "lines"],
    }
}

/// The files that a complete sweep draws.
pub fn files(plan: &SweepPlan) -> Vec<String> {
    let names = plan.plots.iter().flat_map(|metric| {
        let figures = figures(plan.axes.len()).iter();
        figures.flat_map(move |figure| ["svg", "png"].map(|kind| format!("{figure}-{metric}.{kind}")))
    });
    names.filter(|file| cfg!(feature = "png") || !file.ends_with(".png")).collect()
}

/// Draws them.
///
/// # Errors
/// If `cells.csv` cannot be read, or a PNG cannot be made.
pub fn render(plan: &SweepPlan, folder: &Path) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    if plan.axes.is_empty() {
        return Ok(Vec::new());
    }
    let all = data::read(plan, folder)?;
    let drawn =
        all.iter().flat_map(|data| figures(plan.axes.len()).iter().map(move |figure| (data, *figure)));
    // Most of the time goes into the pixels of the PNGs.
    let files = drawn.collect::<Vec<_>>().into_par_iter().map(|(data, figure)| {
        let svg = match figure {
            "heat-map" => heat_map::figure(plan, data),
            _ => lines::figure(plan, data),
        };
        let name = format!("{figure}-{}", data.metric);
        both(&format!("{name}.svg"), &format!("{name}.png"), svg, folder)
    });
    Ok(files.collect::<Result<Vec<_>, ReportError>>()?.concat())
}
