//! The lag of each follower over time, with the limit beyond which it is out.

use super::axis;
use super::figure::Frame;
use super::palette::{self, look};
use super::svg::{Anchor, Svg, TextStyle, number};
use super::text_width::fitted;
use super::trace::{LagColumn, LagMetric, PartitionTrace, Trace};
use crate::report::human;

/// The scale ends at so many times the limit, however far a lag grows: what happens near the
/// limit is to be seen.
const LIMITS_MAX: f64 = 3.0;
/// Values in a column from which on a line is drawn as a band between its extremes.
const DENSE: f64 = 3.0;

/// The scale of all areas with the same metric in one figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The height of an area.
    pub height: f64,
    /// The value at the top, in the unit of the ticks.
    top: f64,
    /// From one tick to the next.
    step: f64,
    /// What a value is divided by to be in the unit of the ticks.
    divisor: f64,
    /// The unit of the ticks.
    unit: &'static str,
}

impl Scale {
    /// A scale for the lags of `traces` and their limits. A limit of records far above all lags
    /// is left out: it would flatten them.
    pub fn of<'a>(traces: impl Iterator<Item = &'a Trace>, metric: LagMetric, height: f64) -> Self {
        let (mut lag_max, mut limit_max) = (0.0_f64, 0.0_f64);
        for trace in traces.filter(|trace| trace.metric == metric) {
            lag_max = lag_max.max(trace.lag_max().unwrap_or(0.0));
            if shows_limit(trace) {
                limit_max = limit_max.max(trace.limit);
            }
        }
        let capped = if limit_max > 0.0 { lag_max.min(LIMITS_MAX * limit_max) } else { lag_max };
        let value_max = capped.max(limit_max) * 1.08;
        let (divisor, unit) = match metric {
            LagMetric::Messages => (1.0, ""),
            LagMetric::Time => {
                let unit = axis::time_unit(value_max.max(1.0) * 1e6);
                (unit.nanos / 1e6, unit.name)
            }
        };
        let top = (value_max / divisor).max(if metric == LagMetric::Messages { 4.0 } else { 0.0 });
        let ticks_max = (height / 9.5) as usize;
        let step = axis::step(top, ticks_max, unit == "min" || unit == "h");
        Scale { height, top, step, divisor, unit }
    }

    /// Where a value lies; above the area when it is off the scale.
    fn y(&self, area_top: f64, value: f64) -> f64 {
        let share = (value / self.divisor / self.top).clamp(0.0, 1.5);
        area_top + self.height * (1.0 - share)
    }

    fn holds(&self, value: f64) -> bool {
        value / self.divisor <= self.top
    }
}

/// Whether the limit is drawn.
pub fn shows_limit(trace: &Trace) -> bool {
    trace.metric == LagMetric::Time || trace.lag_max().unwrap_or(0.0) > trace.limit / 4.0
}

/// Room above an area for what it says.
pub const HEADING: f64 = 8.0;

/// Draws the area of a partition from `top` down, with what it says above it.
pub fn draw(svg: &mut Svg, frame: Frame, top: f64, trace: &Trace, partition: &PartitionTrace, scale: Scale) {
    axes(svg, frame, top, scale);
    let limit_y = scale.y(top, trace.limit);
    if shows_limit(trace) {
        svg.line((frame.left, limit_y), (frame.right(), limit_y), palette::INK, 0.7, "2.5 1.5");
    }
    let mut ends = Vec::new();
    let mut off_scale = Vec::new();
    // A little more than the area, so that a line at its edge keeps its width.
    svg.open_clip(frame.left, top - 0.5, frame.width, scale.height + 1.0);
    for (slot, replica) in partition.replicas.iter().enumerate() {
        let lags: Vec<Option<&LagColumn>> =
            replica.columns.iter().map(|column| column.lag.as_ref()).collect();
        let broken: Vec<bool> = replica.columns.iter().map(|column| column.lag_broken).collect();
        draw_line(svg, frame, top, scale, slot, &lags, &broken);
        if let Some(last) = lags.iter().rev().find_map(|lag| *lag) {
            ends.push((scale.y(top, last.last).max(top), slot, replica.broker));
        }
        let most = lags.iter().flatten().map(|lag| lag.max).fold(0.0, f64::max);
        if !scale.holds(most) {
            off_scale.push(format!("broker {} up to {}", replica.broker, amount(trace.metric, most)));
        }
    }
    svg.close_group();
    end_labels(svg, frame, top, scale, ends);
    let mut meaning = match trace.metric {
        LagMetric::Time => "time since caught up".to_owned(),
        LagMetric::Messages => "lag in records".to_owned(),
    };
    if !off_scale.is_empty() {
        meaning.push_str(&format!("; off the scale: {}", off_scale.join(", ")));
    }
    let meaning = fitted(&meaning, 6.0, false, frame.width);
    let style = TextStyle { size: 6.0, bold: false, fill: palette::SOFT_INK, anchor: Anchor::Start };
    svg.text(frame.left, top - 2.6, &meaning, style);
}

/// A lag with its unit.
fn amount(metric: LagMetric, value: f64) -> String {
    match metric {
        LagMetric::Time => human::duration(value),
        LagMetric::Messages => human::count(value),
    }
}

fn axes(svg: &mut Svg, frame: Frame, top: f64, scale: Scale) {
    let ticks = axis::ticks(scale.top, scale.step);
    let style = TextStyle { size: 6.0, bold: false, fill: palette::SOFT_INK, anchor: Anchor::End };
    for (index, value) in ticks.iter().enumerate() {
        let y = scale.y(top, value * scale.divisor);
        if index > 0 {
            svg.line((frame.left, y), (frame.right(), y), palette::GRID, 0.4, "");
        }
        let unit = if index + 1 == ticks.len() && !scale.unit.is_empty() {
            format!(" {}", scale.unit)
        } else {
            String::new()
        };
        svg.text(frame.left - 5.0, y + 2.1, &format!("{}{unit}", axis::label(*value, scale.step)), style);
    }
    svg.line((frame.left, top), (frame.left, top + scale.height), palette::AXIS, 0.6, "");
    svg.line((frame.left, top + scale.height), (frame.right(), top + scale.height), palette::AXIS, 0.6, "");
}

fn draw_line(
    svg: &mut Svg,
    frame: Frame,
    top: f64,
    scale: Scale,
    slot: usize,
    lags: &[Option<&LagColumn>],
    broken: &[bool],
) {
    let look = look(slot);
    let seen = lags.iter().flatten();
    let columns = seen.clone().count();
    if columns == 0 {
        return;
    }
    let values: f64 = seen.map(|lag| f64::from(lag.count)).sum();
    let dense = values / columns as f64 >= DENSE;
    for stretch in stretches(lags, broken) {
        if dense {
            svg.fill(&envelope(frame, top, scale, &stretch), look.colour, 0.3);
            svg.stroke(&upper_edge(frame, top, scale, &stretch), look.colour, 0.7, "");
        } else {
            svg.stroke(&polyline(frame, top, scale, &stretch), look.colour, 1.0, look.dash);
        }
    }
}

/// The columns with values, cut where the lag was unknown.
fn stretches<'a>(lags: &[Option<&'a LagColumn>], broken: &[bool]) -> Vec<Vec<(usize, &'a LagColumn)>> {
    let mut found = vec![Vec::new()];
    for (index, lag) in lags.iter().enumerate() {
        if broken[index] && found.last().is_some_and(|last| !last.is_empty()) {
            found.push(Vec::new());
        }
        if let (Some(lag), Some(last)) = (lag, found.last_mut()) {
            last.push((index, *lag));
        }
    }
    found.retain(|stretch| !stretch.is_empty());
    found
}

fn polyline(frame: Frame, top: f64, scale: Scale, stretch: &[(usize, &LagColumn)]) -> String {
    let mut path = String::new();
    let mut last_y = None;
    for (index, lag) in stretch {
        let (low, high) = (lag.min, lag.max);
        let order =
            if lag.min_first { [lag.first, low, high, lag.last] } else { [lag.first, high, low, lag.last] };
        // The values of a column are spread over its width, so that a fall is a line.
        for (place, value) in order.into_iter().enumerate() {
            if place > 0 && lag.count == 1 {
                break;
            }
            let x = frame.x(*index) + frame.column_width() * (0.5 + place as f64) / 4.0;
            let y = scale.y(top, value);
            let command = if path.is_empty() { 'M' } else { 'L' };
            path.push_str(&format!("{command}{} {}", number(x), number(y)));
            last_y = Some(y);
        }
    }
    // A lone point is a short line.
    if let (1, Some(y)) = (stretch.len(), last_y) {
        let x = frame.x(stretch[0].0);
        path.push_str(&format!("M{} {y}H{}", number(x), number(x + 1.0), y = number(y)));
    }
    path
}

fn upper_edge(frame: Frame, top: f64, scale: Scale, stretch: &[(usize, &LagColumn)]) -> String {
    edge(frame, top, scale, stretch.iter().map(|(index, lag)| (*index, lag.max)))
}

fn edge(frame: Frame, top: f64, scale: Scale, values: impl Iterator<Item = (usize, f64)>) -> String {
    let mut path = String::new();
    for (index, value) in values {
        let x = frame.x(index) + frame.column_width() / 2.0;
        let command = if path.is_empty() { 'M' } else { 'L' };
        path.push_str(&format!("{command}{} {}", number(x), number(scale.y(top, value))));
    }
    path
}

fn envelope(frame: Frame, top: f64, scale: Scale, stretch: &[(usize, &LagColumn)]) -> String {
    let upper = upper_edge(frame, top, scale, stretch);
    let lower = edge(frame, top, scale, stretch.iter().rev().map(|(index, lag)| (*index, lag.min)));
    format!("{upper}L{}Z", lower.trim_start_matches('M'))
}

/// Names the lines at their right ends, moved apart where they would overlap.
fn end_labels(svg: &mut Svg, frame: Frame, top: f64, scale: Scale, mut ends: Vec<(f64, usize, i32)>) {
    const SPACING: f64 = 7.2;
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut places: Vec<f64> = Vec::new();
    for (y, _, _) in &ends {
        let least = places.last().map_or(top + 2.0, |last| last + SPACING);
        places.push(y.max(least));
    }
    let mut most = top + scale.height;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - SPACING;
    }
    for ((y, slot, broker), place) in ends.iter().zip(&places) {
        let style = TextStyle { size: 6.5, bold: false, fill: look(*slot).colour, anchor: Anchor::Start };
        let right = frame.right();
        svg.line((right + 1.0, *y), (right + 4.5, *place), look(*slot).colour, 0.5, "");
        let text = fitted(&format!("broker {broker}"), 6.5, false, frame.margin_right - 8.0);
        svg.text(right + 6.0, place + 2.3, &text, style);
    }
}
