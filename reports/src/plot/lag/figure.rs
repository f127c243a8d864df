//! The figure: one panel per variant, rule and partition.

use super::lines::{self, Pen, flat, places};
use super::scale::Scale;
use super::trace::{LagTrace, Stretch};
use crate::plot::figure::{
    Caption, Frame, MARGIN_LEFT, PANEL_GAP, PANEL_HEADER, WIDTH, bands_of, fault_rows_of, one_line,
    paragraph, style, time_axis,
};
use crate::plot::lanes::runs;
use crate::plot::svg::{Anchor, Svg};
use crate::plot::text_width::{fitted, text_width};
use crate::plot::trace::FaultTrace;
use crate::plot::{Trace, axis, palette};
use isrlab_sim::engine::SimTime;
use std::fmt::Write;

/// Panels that a figure has at most, as far as the variants allow.
const PANELS_MAX: usize = 8;
/// Room for the labels of the lines.
const MARGIN_RIGHT: f64 = 58.0;
const SMALL: f64 = 6.5;
/// The true lag lies wide under the reported one, so that both are seen where they agree.
const TRUE: Pen = Pen { colour: "#e69f00", width: 2.2, dash: "" };
const REPORTED: Pen = Pen { colour: "#0072b2", width: 0.9, dash: "5 1" };
/// Height of the strip that says when a lag is unknown.
const STRIP: f64 = 6.0;

/// Draws the lags of the variants' runs, by name.
pub fn lag_figure(caption: &Caption<'_>, variants: &[(&str, &Trace)]) -> String {
    let frame =
        Frame { left: MARGIN_LEFT, width: WIDTH - MARGIN_LEFT - MARGIN_RIGHT, margin_right: MARGIN_RIGHT };
    let mut svg = Svg::default();
    let title = format!("{}: reported and true lag", one_line(caption.scenario));
    let heading = style(9.5, true, palette::INK, Anchor::Start);
    svg.text(8.0, 14.0, &fitted(&title, 9.5, true, WIDTH - 16.0), heading);
    let per_variant = (PANELS_MAX / variants.len().max(1)).max(1);
    let panels: Vec<(&str, &Trace, &LagTrace)> = variants
        .iter()
        .flat_map(|(name, trace)| trace.lags.iter().take(per_variant).map(move |lag| (*name, *trace, lag)))
        .collect();
    let faults = faults(variants);
    key(&mut svg, 25.0, &panels, !faults.is_empty());
    let mut y = fault_rows_of(&mut svg, frame, 33.0, &faults);
    let (min, max) = common_extremes(&panels);
    let height = match panels.len() {
        0..=2 => 84.0,
        3..=4 => 62.0,
        _ => 46.0,
    };
    let mut has_own = false;
    for (name, trace, lag) in &panels {
        let name = if variants.len() > 1 { format!("{name}, ") } else { String::new() };
        let scale = scale_of(lag, min, max);
        has_own |= scale != Scale::of(min, max);
        y = panel(&mut svg, frame, y, &name, trace, lag, scale, height);
    }
    let length = variants.iter().map(|(_, trace)| trace.duration_ns as f64).fold(0.0, f64::max);
    y = time_axis(&mut svg, frame, y - PANEL_GAP + 3.0, variants, axis::time_unit(length));
    y = paragraph(&mut svg, y + 12.0, &caption_text(caption, variants, per_variant, has_own));
    let description = format!(
        "The lag that each rule reports, and the true number of records, over virtual time. Seed {}, isrlab {}.",
        caption.seed, caption.version
    );
    svg.finish(WIDTH, y + 6.0, &title, &description)
}

/// All that happened: to mirrors and share groups, and the scenario's faults. It is the same in
/// all variants; one that was interrupted has less.
fn faults<'a>(variants: &[(&str, &'a Trace)]) -> Vec<&'a FaultTrace> {
    let Some((_, trace)) = variants.iter().max_by_key(|(_, trace)| trace.end_ns) else { return Vec::new() };
    trace.marks.iter().chain(&trace.faults).filter(|fault| fault.count > 0).collect()
}

/// The lowest and the highest lag of all panels, and 0.
fn common_extremes(panels: &[(&str, &Trace, &LagTrace)]) -> (i64, i64) {
    let extremes = panels.iter().filter_map(|(_, _, lag)| lag.extremes());
    extremes.fold((0, 0), |(min, max), (low, high)| (min.min(low), max.max(high)))
}

/// One scale for all panels, so that they can be compared; but a lag that would be flat on it has
/// its own.
fn scale_of(lag: &LagTrace, min: i64, max: i64) -> Scale {
    const FLAT: i64 = 8;
    let (low, high) = lag.extremes().unwrap_or_default();
    let own = high.max(0).saturating_sub(low.min(0));
    if own.saturating_mul(FLAT) < max.saturating_sub(min) {
        return Scale::of(low, high);
    }
    Scale::of(min, max)
}

/// What the signs mean.
fn key(svg: &mut Svg, y: f64, panels: &[(&str, &Trace, &LagTrace)], has_faults: bool) {
    let mut x = 8.0;
    let mut entry = |svg: &mut Svg, text: &str, draw: &dyn Fn(&mut Svg, f64)| {
        draw(svg, x);
        svg.text(x + 14.0, y, text, style(SMALL, false, palette::INK, Anchor::Start));
        x += 14.0 + text_width(text, SMALL, false) + 12.0;
    };
    let line = |pen: Pen| {
        move |svg: &mut Svg, x: f64| {
            svg.line((x, y - 2.2), (x + 11.0, y - 2.2), pen.colour, pen.width, pen.dash)
        }
    };
    entry(svg, "reported lag", &line(REPORTED));
    entry(svg, "true lag", &line(TRUE));
    if panels.iter().any(|(_, _, lag)| lag.unknown > 0) {
        entry(svg, "the lag is unknown", &|svg, x| strip(svg, x, y - 5.2, 11.0));
    }
    if has_faults {
        entry(svg, "fault", &|svg, x| svg.rect(x, y - 5.6, 11.0, 7.0, palette::BAND, 0.18));
    }
}

/// A stretch of time in which a lag is unknown.
fn strip(svg: &mut Svg, x: f64, y: f64, width: f64) {
    svg.rect(x, y, width, STRIP, &palette::tint(REPORTED.colour), 0.55);
}

/// One lag of one run; gives back where the next panel begins.
#[allow(clippy::too_many_arguments)]
fn panel(
    svg: &mut Svg,
    frame: Frame,
    top: f64,
    name: &str,
    trace: &Trace,
    lag: &LagTrace,
    scale: Scale,
    height: f64,
) -> f64 {
    svg.open_group(&format!("{name}{} {}", lag.actor, lag.rule));
    header(svg, frame, top, name, lag);
    let area_top = top + PANEL_HEADER;
    let bottom = area_top + STRIP + height;
    let concern = |fault: &&FaultTrace| fault.actor.as_ref().is_none_or(|actor| *actor == lag.actor);
    bands_of(svg, frame, area_top, bottom, trace.marks.iter().chain(&trace.faults).filter(concern));
    unknown(svg, frame, area_top, lag);
    let y = places(scale, area_top + STRIP, height);
    ticks(svg, frame, &y, scale);
    let column = |of: fn(&super::trace::LagColumnTrace) -> Option<Stretch>| {
        lag.columns.iter().map(of).collect::<Vec<Option<Stretch>>>()
    };
    let (truth, reported) = (filled(column(|column| column.truth)), known(lag));
    lines::draw(svg, frame, &y, &truth, TRUE);
    lines::draw(svg, frame, &y, &reported, REPORTED);
    let last = |values: &[Option<Stretch>]| {
        let end = values.iter().rposition(Option::is_some)?;
        Some((frame.x(end + 1), values[end]?.last))
    };
    let ends = [("reported", REPORTED, last(&reported)), ("true", TRUE, last(&truth))];
    end_labels(svg, frame, area_top + STRIP, bottom, &y, ends);
    svg.close_group();
    bottom + PANEL_GAP
}

/// The reported lag by column: where it was not looked at it is what it was, unless it was
/// unknown last.
fn known(lag: &LagTrace) -> Vec<Option<Stretch>> {
    let mut now = None;
    let mut values = Vec::with_capacity(lag.columns.len());
    let end = lag.columns.iter().rposition(|column| column.truth.is_some()).map_or(0, |last| last + 1);
    for column in &lag.columns[..end] {
        values.push(match (column.reported, column.unknown) {
            (Some(seen), _) => {
                now = Some(seen.last);
                Some(seen)
            }
            (None, true) => {
                now = None;
                None
            }
            (None, false) => now.map(flat),
        });
    }
    values
}

/// The true lag by column: where it was not looked at it is what it was.
fn filled(mut values: Vec<Option<Stretch>>) -> Vec<Option<Stretch>> {
    let end = values.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    values.truncate(end);
    let mut now: Option<i64> = None;
    for value in &mut values {
        if value.is_none() {
            *value = now.map(flat);
        }
        now = value.map(|seen| seen.last);
    }
    values
}

/// When the reported lag was unknown: a strip above the lines.
fn unknown(svg: &mut Svg, frame: Frame, top: f64, lag: &LagTrace) {
    const SIZE: f64 = 5.5;
    let mut now = false;
    let columns = lag.columns.iter().map(|column| {
        if column.truth.is_some() {
            now = column.unknown;
        }
        now
    });
    let mut columns: Vec<bool> = columns.collect();
    // After the last look nothing is known of the lag, not that it is unknown.
    let end = lag.columns.iter().rposition(|column| column.truth.is_some()).map_or(0, |last| last + 1);
    columns[end..].fill(false);
    for (from, to, is_unknown) in runs(&columns) {
        if !is_unknown {
            continue;
        }
        let (left, width) = (frame.x(from), (frame.x(to) - frame.x(from)).max(0.8));
        strip(svg, left, top, width);
        if text_width("unknown", SIZE, false) + 3.0 <= width {
            let ink = style(SIZE, false, palette::INK, Anchor::Start);
            svg.text(left + 1.5, top + 4.7, "unknown", ink);
        }
    }
}

fn ticks(svg: &mut Svg, frame: Frame, y: &dyn Fn(f64) -> f64, scale: Scale) {
    let grey = style(6.0, false, palette::SOFT_INK, Anchor::End);
    let ticks = scale.ticks();
    for (number, (value, label)) in ticks.iter().enumerate() {
        let at = y(*value);
        svg.line((frame.left, at), (frame.right(), at), palette::GRID, 0.4, "");
        let unit = if number + 1 == ticks.len() { " records" } else { "" };
        svg.text(frame.left - 4.0, at + 2.1, &format!("{label}{unit}"), grey);
    }
    let zero = if scale.is_negative() { palette::INK } else { palette::AXIS };
    svg.line((frame.left, y(0.0)), (frame.right(), y(0.0)), zero, 0.6, "");
}

fn header(svg: &mut Svg, frame: Frame, top: f64, name: &str, lag: &LagTrace) {
    let known = lag.looks - lag.unknown;
    let facts = match (lag.looks, known) {
        (0, _) => "not looked at".to_owned(),
        (_, 0) => "unknown at every look".to_owned(),
        _ => {
            let percent = |part: u64, of: u64| (100 * part + of / 2) / of;
            let unknown = match lag.unknown {
                0 => String::new(),
                unknown => format!("unknown at {} % of the looks, else ", percent(unknown, lag.looks).max(1)),
            };
            format!("{unknown}wrong at {} %", percent(lag.wrong, known))
        }
    };
    svg.text(frame.right(), top + 7.2, &facts, style(7.0, false, palette::INK, Anchor::End));
    let room = frame.width - text_width(&facts, 7.0, false) - 10.0;
    let title = format!("{name}{}: {}, {}", lag.rule, one_line(&lag.actor), one_line(&lag.partition));
    let title = fitted(&title, 8.0, true, room);
    svg.text(frame.left, top + 7.2, &title, style(8.0, true, palette::INK, Anchor::Start));
}

/// Where a line ends, and its last value; none: there is no line.
type LineEnd = Option<(f64, i64)>;

/// Names the lines at their right ends, moved apart where they would overlap.
fn end_labels(
    svg: &mut Svg,
    frame: Frame,
    top: f64,
    bottom: f64,
    y: &dyn Fn(f64) -> f64,
    ends: [(&str, Pen, LineEnd); 2],
) {
    const SPACING: f64 = 7.4;
    let mut known: Vec<(f64, f64, String, Pen)> = ends
        .into_iter()
        .filter_map(|(name, pen, end)| {
            let (x, value) = end?;
            Some((x, y(value as f64), format!("{name} {value}"), pen))
        })
        .collect();
    // The higher one first; at the same height the reported one.
    known.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut place = known.iter().map(|end| end.1).collect::<Vec<f64>>();
    if let [upper, lower] = place[..] {
        let apart = (SPACING - (lower - upper)).max(0.0) / 2.0;
        let shift = (top + 2.0 - (upper - apart)).max(0.0) - (lower + apart - (bottom - 1.0)).max(0.0);
        place = vec![upper - apart + shift, lower + apart + shift];
    }
    for ((x, at, text, pen), place) in known.iter().zip(place) {
        let right = frame.right();
        // A line that ends before, as one that becomes unknown does, is named where it ends.
        let far = right - x > 3.0;
        if !far {
            svg.line((right + 1.0, *at), (right + 4.5, place), pen.colour, 0.5, "");
        }
        let ink = if pen.colour == TRUE.colour { "#8a5a00" } else { pen.colour };
        let text = if far { format!("last {text}") } else { text.clone() };
        let text = fitted(&text, SMALL, false, frame.margin_right - 8.0);
        svg.text(right + 6.0, place + 2.3, &text, style(SMALL, false, ink, Anchor::Start));
    }
}

fn caption_text(
    caption: &Caption<'_>,
    variants: &[(&str, &Trace)],
    per_variant: usize,
    has_own: bool,
) -> String {
    let mut text = caption.which_run();
    text.push_str(
        " Upwards: records; steps, and where they are denser than can be drawn the area between the lowest and the \
         highest.",
    );
    if has_own {
        text.push_str(" A panel that would be flat on the others' scale has its own.");
    }
    if let Some((_, trace)) = variants.first() {
        let drawn = trace.lags.len().min(per_variant);
        if drawn < trace.lags_total {
            let _ = write!(text, " Drawn: {drawn} of {} lags.", trace.lags_total);
        }
    }
    for (name, trace) in variants.iter().filter(|(_, trace)| trace.end_ns < trace.duration_ns) {
        let _ = write!(text, " {name} was cut short at {}.", SimTime::from_nanos(trace.end_ns));
    }
    text
}
