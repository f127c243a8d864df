//! What both figures share: heading, small multiples, caption.

use super::super::plan::SweepPlan;
use crate::VERSION;
pub(super) use crate::plot::figure::{WIDTH, style};
use crate::plot::figure::{one_line, paragraph};
use crate::plot::palette;
use crate::plot::svg::{Anchor, Svg};
use crate::plot::text_width::fitted;

/// Panels of a figure at most.
pub const PANELS_MAX: usize = 12;

/// Where panels stand.
pub struct Grid {
    /// Panels in a row.
    pub columns: usize,
    /// The width of a panel with its margins.
    pub width: f64,
}

impl Grid {
    /// Three panels in a row at most.
    pub fn of(panels: usize) -> Self {
        let columns = panels.clamp(1, 3);
        Grid { columns, width: WIDTH / columns as f64 }
    }

    /// The left end of a panel.
    pub fn left(&self, panel: usize) -> f64 {
        (panel % self.columns) as f64 * self.width
    }

    /// Rows of so many panels.
    pub fn rows(&self, panels: usize) -> usize {
        panels.div_ceil(self.columns)
    }
}

/// Writes the heading; returns where what follows may begin.
pub fn heading(svg: &mut Svg, plan: &SweepPlan, title: &str) -> f64 {
    let heading = format!("{}: {title}", one_line(&plan.source.name));
    svg.text(
        8.0,
        14.0,
        &fitted(&heading, 9.5, true, WIDTH - 16.0),
        style(9.5, true, palette::INK, Anchor::Start),
    );
    22.0
}

/// Writes the caption from `y` on; returns where it ends.
pub fn caption(svg: &mut Svg, y: f64, plan: &SweepPlan, mut parts: Vec<String>) -> f64 {
    let seeds = match plan.seeds {
        1 => format!("seed {}", plan.seed_first),
        seeds => format!("{seeds} seeds from {} on", plan.seed_first),
    };
    let changes = plan.overrides();
    parts.push(if changes.is_empty() { seeds } else { format!("{seeds}; {}", changes.join(", ")) });
    parts.push(format!("isrlab {VERSION}"));
    paragraph(svg, y, &parts.join(". "))
}

/// A number of at most three or four significant digits.
pub fn short(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        size if size == 0.0 || size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    match size {
        size if size >= 1e6 => format!("{value:.1e}"),
        _ => text.to_owned(),
    }
}
