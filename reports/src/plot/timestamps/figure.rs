//! The figure: one panel per variant and partition, the time at which records were made to the
//! right, and upwards how far the stored time is after it.

use super::scale::Scale;
use super::trace::TimestampTrace;
use crate::plot::figure::{
    Caption, Frame, MARGIN_LEFT, MARGIN_RIGHT, PANEL_GAP, PANEL_HEADER, WIDTH, bands, fault_rows, one_line,
    paragraph, style, time_axis,
};
use crate::plot::svg::{Anchor, Svg, number};
use crate::plot::text_width::{fitted, text_width};
use crate::plot::{Trace, axis, palette};
use std::fmt::Write;

/// Panels that a figure has at most, as far as the variants allow.
const PANELS_MAX: usize = 6;
const STORED: &str = "#0072b2";
const REJECTED: &str = "#d55e00";
const SMALL: f64 = 6.5;

/// Draws the timestamps of the variants' runs, by name.
pub fn timestamp_figure(caption: &Caption<'_>, variants: &[(&str, &Trace)]) -> String {
    let frame =
        Frame { left: MARGIN_LEFT, width: WIDTH - MARGIN_LEFT - MARGIN_RIGHT, margin_right: MARGIN_RIGHT };
    let mut svg = Svg::default();
    let title = format!("{}: stored time against true time", one_line(caption.scenario));
    let heading = style(9.5, true, palette::INK, Anchor::Start);
    svg.text(8.0, 14.0, &fitted(&title, 9.5, true, WIDTH - 16.0), heading);
    let per_variant = (PANELS_MAX / variants.len().max(1)).max(1);
    let panels: Vec<(&str, &Trace, &TimestampTrace)> = variants
        .iter()
        .flat_map(|(name, trace)| {
            trace.timestamps.iter().take(per_variant).map(move |own| (*name, *trace, own))
        })
        .collect();
    key(&mut svg, 25.0, &panels);
    let mut y = fault_rows(&mut svg, frame, 33.0, variants);
    let scale = common_scale(&panels);
    let height = match panels.len() {
        _ if scale.is_in_steps() => 86.0,
        0..=4 => 62.0,
        _ => 46.0,
    };
    for (name, trace, timestamps) in &panels {
        let name = if variants.len() > 1 { format!("{name}, ") } else { String::new() };
        y = panel(&mut svg, frame, y, &name, trace, timestamps, &scale, height);
    }
    let length = variants.iter().map(|(_, trace)| trace.duration_ns as f64).fold(0.0, f64::max);
    y = time_axis(&mut svg, frame, y - PANEL_GAP + 3.0, variants, axis::time_unit(length));
    y = paragraph(&mut svg, y + 12.0, &caption_text(caption, variants, per_variant));
    let description = format!(
        "How far the stored times of records are from the true times at which they were made. Seed {}, isrlab {}.",
        caption.seed, caption.version
    );
    svg.finish(WIDTH, y + 6.0, &title, &description)
}

/// One scale for all panels, so that they can be compared. Limits far beyond what was sent are
/// left out: they would flatten it.
fn common_scale(panels: &[(&str, &Trace, &TimestampTrace)]) -> Scale {
    let extremes = panels.iter().map(|(_, _, timestamps)| timestamps.extremes());
    let (min, max) = extremes.fold((0, 0), |(min, max), (low, high)| (min.min(low), max.max(high)));
    let reach = max.saturating_sub(min);
    let near =
        |limit: &i64| *limit >= min.saturating_sub(reach / 2) && *limit <= max.saturating_add(reach / 2);
    let limits = panels.iter().flat_map(|(_, _, timestamps)| timestamps.limits()).filter(near);
    let (min, max) = limits.fold((min, max), |(min, max), limit| (min.min(limit), max.max(limit)));
    Scale::of(min, max)
}

/// What the signs mean.
fn key(svg: &mut Svg, y: f64, panels: &[(&str, &Trace, &TimestampTrace)]) {
    let rejects = panels.iter().any(|(_, _, own)| own.records_rejected > 0);
    let limited = panels.iter().any(|(_, _, own)| own.limits().next().is_some());
    let mut x = 8.0;
    let mut entry = |svg: &mut Svg, text: &str, draw: &dyn Fn(&mut Svg, f64)| {
        draw(svg, x);
        svg.text(x + 14.0, y, text, style(SMALL, false, palette::INK, Anchor::Start));
        x += 14.0 + text_width(text, SMALL, false) + 12.0;
    };
    entry(svg, "stored", &|svg, x| svg.fill(&dot(x + 6.0, y - 2.2), STORED, 1.0));
    if rejects {
        entry(svg, "rejected, as sent", &|svg, x| {
            svg.stroke(&cross(x + 6.0, y - 2.2), REJECTED, 0.6, "");
        });
    }
    entry(svg, "the true time", &|svg, x| {
        svg.line((x, y - 2.2), (x + 11.0, y - 2.2), palette::AXIS, 0.8, "");
    });
    if limited {
        entry(svg, "limits of the leader's clock", &|svg, x| {
            svg.line((x, y - 2.2), (x + 11.0, y - 2.2), palette::INK, 0.7, "2.5 1.5");
        });
    }
}

fn dot(x: f64, y: f64) -> String {
    format!("M{} {}h1.8v1.8h-1.8z", number(x - 0.9), number(y - 0.9))
}

fn cross(x: f64, y: f64) -> String {
    let (left, top) = (number(x - 1.3), number(y - 1.3));
    format!("M{left} {top}l2.6 2.6m0 -2.6l-2.6 2.6")
}

/// One partition of one run; gives back where the next panel begins.
#[allow(clippy::too_many_arguments)]
fn panel(
    svg: &mut Svg,
    frame: Frame,
    top: f64,
    name: &str,
    trace: &Trace,
    timestamps: &TimestampTrace,
    scale: &Scale,
    height: f64,
) -> f64 {
    svg.open_group(&format!("{name}{}", timestamps.name));
    header(svg, frame, top, name, timestamps);
    let area_top = top + PANEL_HEADER;
    bands(svg, frame, area_top, area_top + height, trace);
    let y = |share: f64| area_top + share * height;
    for (share, label) in scale.ticks() {
        svg.line((frame.left, y(share)), (frame.right(), y(share)), palette::GRID, 0.4, "");
        let grey = style(6.0, false, palette::SOFT_INK, Anchor::End);
        svg.text(frame.left - 4.0, y(share) + 2.1, &label, grey);
    }
    let unit = if scale.unit.is_empty() { "off by".to_owned() } else { format!("off by ({})", scale.unit) };
    svg.text(frame.left - 4.0, top + 7.2, &unit, style(6.0, false, palette::SOFT_INK, Anchor::End));
    svg.line((frame.left, y(scale.share(0))), (frame.right(), y(scale.share(0))), palette::AXIS, 0.8, "");
    for limit in timestamps.limits() {
        let at = scale.share(limit);
        if at > 0.0 && at < 1.0 {
            svg.line((frame.left, y(at)), (frame.right(), y(at)), palette::INK, 0.7, "2.5 1.5");
        }
    }
    let drawn = [(&timestamps.stored, true), (&timestamps.rejected, false)];
    for (columns, is_stored) in drawn {
        let mut path = String::new();
        for (column, distances) in columns.iter().enumerate() {
            let x = frame.x(column) + frame.column_width() / 2.0;
            for &distance in distances {
                let at = y(scale.share(distance));
                let sign = if is_stored { dot(x, at) } else { cross(x, at) };
                write!(path, "{sign}").expect("a String takes everything");
            }
        }
        match (path.is_empty(), is_stored) {
            (true, _) => {}
            (false, true) => svg.fill(&path, STORED, 1.0),
            (false, false) => svg.stroke(&path, REJECTED, 0.6, ""),
        }
    }
    svg.close_group();
    area_top + height + PANEL_GAP
}

fn header(svg: &mut Svg, frame: Frame, top: f64, name: &str, timestamps: &TimestampTrace) {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let TimestampTrace { records_stored, records_rejected, .. } = timestamps;
    let facts = format!(
        "{}: {records_stored} record{} stored, {records_rejected} rejected",
        timestamps.policy,
        plural(*records_stored)
    );
    svg.text(frame.right(), top + 7.2, &facts, style(7.0, false, palette::INK, Anchor::End));
    let room = frame.width - text_width(&facts, 7.0, false) - 10.0;
    let title = fitted(&format!("{name}{}", one_line(&timestamps.name)), 8.0, true, room);
    svg.text(frame.left, top + 7.2, &title, style(8.0, true, palette::INK, Anchor::Start));
}

fn caption_text(caption: &Caption<'_>, variants: &[(&str, &Trace)], per_variant: usize) -> String {
    let mut text = caption.which_run();
    text.push_str(
        " Upwards: the stored time less the true time at which the record was made; to the right: that true time.",
    );
    if let Some((_, trace)) = variants.first() {
        let drawn = trace.timestamps.len().min(per_variant);
        if drawn < trace.partitions_total {
            let _ = write!(text, " Drawn: {drawn} of {} partitions.", trace.partitions_total);
        }
    }
    text
}
