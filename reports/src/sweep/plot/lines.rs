//! Lines with their interval over the last varied key, one for each value of the key before it;
//! a panel for each criterion.

use super::super::plan::SweepPlan;
use super::data::{MetricData, Point};
use super::panels::{Grid, PANELS_MAX, WIDTH, caption, heading, short, style};
use super::scale::{Places, axis_title, places};
use crate::plot::axis::{self as ticks};
use crate::plot::palette;
use crate::plot::svg::{Anchor, Svg, number};
use crate::plot::text_width::{fitted, text_width};

const TICK: f64 = 6.0;
const TITLE: f64 = 7.5;
const HEIGHT: f64 = 96.0;
/// Lines of a panel at most.
const LINES_MAX: usize = 6;

/// Draws the figure.
pub fn figure(plan: &SweepPlan, data: &MetricData) -> String {
    let Some((across, before)) = plan.axes.split_last() else { return String::new() };
    let shown = lines(plan);
    let mut panels = data.panels(plan);
    let left_out = panels.len().saturating_sub(PANELS_MAX);
    panels.truncate(PANELS_MAX);
    let grid = Grid::of(panels.len());
    let mut svg = Svg::default();
    let mut top = heading(&mut svg, plan, &data.title);
    if let Some(axis) = before.last() {
        top = key(
            &mut svg,
            top,
            &axis_title(axis),
            &shown.iter().map(|line| line.1.clone()).collect::<Vec<_>>(),
        );
    }
    let (low, high) = (data.min(true), data.max(true));
    let step = ticks::step(if high > low { high - low } else { 1.0 }, 5, false);
    let high = if high > low { (high / step).ceil() * step } else { low + step };
    let low = (low / step).floor() * step;
    let labels: Vec<f64> =
        (0..=((high - low) / step).round() as usize).map(|index| low + step * index as f64).collect();
    let margin_left =
        labels.iter().map(|value| text_width(&ticks::label(*value, step), TICK, false)).fold(0.0, f64::max)
            + 16.0;
    let inner = grid.width - margin_left - 14.0;
    let pitch = HEIGHT + 40.0;
    let along = places(across);
    for (index, (names, criterion)) in panels.iter().enumerate() {
        let (left, y) = (grid.left(index) + margin_left, top + 14.0 + (index / grid.columns) as f64 * pitch);
        let at = |x: f64, value: f64| (left + inner * x, y + HEIGHT - HEIGHT * (value - low) / (high - low));
        svg.open_group(names);
        let title = fitted(names, TITLE, true, grid.width - 14.0);
        svg.text(grid.left(index) + 8.0, y - 5.0, &title, style(TITLE, true, palette::INK, Anchor::Start));
        for value in &labels {
            let (_, tick_y) = at(0.0, *value);
            svg.line((left, tick_y), (left + inner, tick_y), palette::GRID, 0.5, "");
            let label = ticks::label(*value, step);
            svg.text(left - 3.0, tick_y + 2.1, &label, style(TICK, false, palette::INK, Anchor::End));
        }
        value_ticks(&mut svg, plan, &along, left, inner, y + HEIGHT);
        // The first line is drawn last, so that it is on top where lines coincide.
        for (line, (fixed, _)) in shown.iter().enumerate().rev() {
            let points: Vec<(f64, &Point)> = (0..across.values().len())
                .filter_map(|value| {
                    let key = ([fixed.as_slice(), &[value]].concat(), *criterion);
                    Some((along.at[value], data.cells.get(&key)?))
                })
                .collect();
            draw_line(&mut svg, line, &points, &at);
        }
        svg.close_group();
    }
    let y = top + 14.0 + grid.rows(panels.len()) as f64 * pitch;
    let mut parts = vec![format!("{} over {}", data.metric, axis_title(across))];
    if along.logarithmic {
        parts[0].push_str(", logarithmic");
    }
    if plan.seeds > 1 {
        let share = super::super::cell::EVENTS.iter().any(|event| event.name == data.metric);
        parts.push(format!("Bands: 95 % interval ({})", if share { "Wilson" } else { "Student's t" }));
    }
    let fixed = before.split_last().map_or(&[][..], |(_, fixed)| fixed);
    if !fixed.is_empty() {
        let first: Vec<String> =
            fixed.iter().map(|axis| format!("{}={}", axis.key(), axis.values()[0].text())).collect();
        parts.push(format!("At {}; the others are in cells.csv", first.join(", ")));
    }
    if before.last().is_some_and(|axis| axis.values().len() > shown.len()) {
        parts.push(format!("{} of its values are drawn", shown.len()));
    }
    if left_out > 0 {
        parts.push(format!("{left_out} more panels: see cells.csv"));
    }
    let y = caption(&mut svg, y, plan, parts);
    let description = format!("Lines of {} ({}), a panel for each criterion.", data.metric, data.title);
    svg.finish(WIDTH, y + 6.0, &data.title, &description)
}

/// The lines of each panel: the values of the keys before the last, and a label. Of the keys
/// before those two the first value is taken; of many values of the last but one, evenly chosen
/// ones.
fn lines(plan: &SweepPlan) -> Vec<(Vec<usize>, String)> {
    let before = &plan.axes[..plan.axes.len() - 1];
    let Some((axis, fixed)) = before.split_last() else { return vec![(vec![], String::new())] };
    let count = axis.values().len();
    let shown = count.min(LINES_MAX);
    (0..shown)
        .map(|index| {
            let value = if shown < 2 { 0 } else { index * (count - 1) / (shown - 1) };
            let at = fixed.iter().map(|_| 0).chain([value]).collect();
            (at, axis.values()[value].text().to_owned())
        })
        .collect()
}

fn key(svg: &mut Svg, y: f64, title: &str, labels: &[String]) -> f64 {
    let mut x = 8.0;
    svg.text(x, y + 4.0, title, style(TICK + 0.5, false, palette::SOFT_INK, Anchor::Start));
    x += text_width(title, TICK + 0.5, false) + 10.0;
    for (line, label) in labels.iter().enumerate() {
        let look = palette::look(line + 1);
        svg.line((x, y + 2.0), (x + 16.0, y + 2.0), look.colour, 1.4, look.dash);
        svg.text(x + 19.0, y + 4.2, label, style(TICK + 0.5, false, palette::INK, Anchor::Start));
        x += 19.0 + text_width(label, TICK + 0.5, false) + 10.0;
    }
    y + 10.0
}

fn value_ticks(svg: &mut Svg, plan: &SweepPlan, along: &Places, left: f64, width: f64, y: f64) {
    let Some(axis) = plan.axes.last() else { return };
    svg.line((left, y), (left + width, y), palette::AXIS, 0.6, "");
    let mut free_from = f64::MIN;
    for (value, at) in axis.values().iter().zip(&along.at) {
        let x = left + width * at;
        svg.line((x, y), (x, y + 2.0), palette::AXIS, 0.5, "");
        let label = value.in_column();
        let half = text_width(label, TICK, false) / 2.0;
        if x - half >= free_from {
            svg.text(x, y + 8.5, label, style(TICK, false, palette::INK, Anchor::Middle));
            free_from = x + half + 3.0;
        }
    }
    let title = fitted(&axis_title(axis), TICK + 0.5, false, width + 10.0);
    svg.text(left + width, y + 18.0, &title, style(TICK + 0.5, false, palette::SOFT_INK, Anchor::End));
}

fn draw_line(svg: &mut Svg, line: usize, points: &[(f64, &Point)], at: &dyn Fn(f64, f64) -> (f64, f64)) {
    let look = palette::look(line + 1);
    let place = |(x, y): (f64, f64)| format!("{} {}", number(x), number(y));
    let ends: Vec<(f64, f64, f64)> =
        points.iter().filter_map(|(x, point)| point.interval.map(|(low, high)| (*x, low, high))).collect();
    if ends.len() > 1 && ends.iter().any(|(_, low, high)| low < high) {
        let there = ends.iter().map(|(x, _, high)| place(at(*x, *high)));
        let back = ends.iter().rev().map(|(x, low, _)| place(at(*x, *low)));
        let path: Vec<String> = there.chain(back).collect();
        svg.fill(&format!("M{}z", path.join("L")), look.colour, 0.16);
    }
    let path: Vec<String> = points.iter().map(|(x, point)| place(at(*x, point.mean))).collect();
    if path.len() > 1 {
        svg.stroke(&format!("M{}", path.join("L")), look.colour, 1.2, look.dash);
    }
    for (x, point) in points {
        let (x, y) = at(*x, point.mean);
        svg.rect(x - 1.2, y - 1.2, 2.4, 2.4, look.colour, 1.0);
    }
    if let [(x, point)] = points {
        let (x, y) = at(*x, point.mean);
        svg.text(x + 4.0, y + 2.0, &short(point.mean), style(TICK, false, palette::INK, Anchor::Start));
    }
}
