//! A heat map over the last two varied keys, a panel for each criterion.

use super::super::plan::SweepPlan;
use super::data::MetricData;
use super::panels::{Grid, PANELS_MAX, WIDTH, caption, heading, short, style};
use super::scale::{axis_title, colour};
use crate::plot::palette;
use crate::plot::svg::{Anchor, Svg};
use crate::plot::text_width::{fitted, text_width};
use isrlab_scenarios::Axis;

const TICK: f64 = 6.0;
const TITLE: f64 = 7.5;
const ROW_MAX: f64 = 22.0;

/// One panel: a criterion, and the values of the keys before the last two.
struct Panel {
    title: String,
    criterion: usize,
    fixed: Vec<usize>,
}

/// Draws the figure.
pub fn figure(plan: &SweepPlan, data: &MetricData) -> String {
    let (before, [down, across]) = plan.axes.split_at(plan.axes.len() - 2) else { return String::new() };
    let (panels, left_out) = panels(plan, data, before);
    let grid = Grid::of(panels.len());
    let mut svg = Svg::default();
    let top = heading(&mut svg, plan, &data.title);
    let label_width =
        down.values().iter().map(|value| text_width(value.in_column(), TICK, false)).fold(0.0, f64::max);
    let margin_left = (label_width + 22.0).min(grid.width * 0.4);
    let inner = grid.width - margin_left - 12.0;
    let row_height = (110.0 / down.values().len() as f64).clamp(4.0, ROW_MAX);
    let map_height = row_height * down.values().len() as f64;
    let pitch = map_height + 48.0;
    let (low, high) = (data.min(false), data.max(false));
    for (index, panel) in panels.iter().enumerate() {
        let left = grid.left(index) + margin_left;
        let y = top + 22.0 + (index / grid.columns) as f64 * pitch;
        svg.open_group(&panel.title);
        let title = fitted(&panel.title, TITLE, true, grid.width - 14.0);
        svg.text(grid.left(index) + 8.0, y - 13.0, &title, style(TITLE, true, palette::INK, Anchor::Start));
        let down_title = fitted(&axis_title(down), TICK + 0.5, false, grid.width - 14.0);
        let soft = style(TICK + 0.5, false, palette::SOFT_INK, Anchor::Start);
        svg.text(grid.left(index) + 8.0, y - 4.0, &down_title, soft);
        map(&mut svg, data, panel, (down, across), (left, y, inner, row_height), (low, high));
        svg.close_group();
    }
    let y = top + 16.0 + grid.rows(panels.len()) as f64 * pitch;
    colour_bar(&mut svg, y, low, high);
    let mut parts = vec![format!("{} over {} and {}", data.metric, axis_title(down), axis_title(across))];
    if low == high {
        parts.push("The same in every cell".to_owned());
    }
    if left_out > 0 {
        parts.push(format!("{left_out} more panels: see cells.csv"));
    }
    let y = caption(&mut svg, y + 30.0, plan, parts);
    let description = format!("Heat map of {} ({}), a panel for each criterion.", data.metric, data.title);
    svg.finish(WIDTH, y + 6.0, &data.title, &description)
}

/// The panels, and how many there would be beyond those that fit.
fn panels(plan: &SweepPlan, data: &MetricData, before: &[Axis]) -> (Vec<Panel>, usize) {
    let mut combinations: Vec<Vec<usize>> = vec![vec![]];
    for axis in before {
        combinations = combinations
            .iter()
            .flat_map(|known| (0..axis.values().len()).map(|value| [known.as_slice(), &[value]].concat()))
            .take(PANELS_MAX + 1)
            .collect();
    }
    let of_criterion = data.panels(plan);
    let all = before.iter().map(|axis| axis.values().len()).product::<usize>() * of_criterion.len();
    let panels = combinations.iter().flat_map(|fixed| {
        let settings = before.iter().zip(fixed);
        let settings: Vec<String> = settings
            .map(|(axis, value)| format!("{}={}", axis.key(), axis.values()[*value].text()))
            .collect();
        of_criterion.iter().map(move |(names, criterion)| {
            let title =
                if settings.is_empty() { names.clone() } else { format!("{names}, {}", settings.join(", ")) };
            Panel { title, criterion: *criterion, fixed: fixed.clone() }
        })
    });
    let panels: Vec<Panel> = panels.take(PANELS_MAX).collect();
    let left_out = all - panels.len();
    (panels, left_out)
}

fn map(
    svg: &mut Svg,
    data: &MetricData,
    panel: &Panel,
    (down, across): (&Axis, &Axis),
    (left, top, width, row_height): (f64, f64, f64, f64),
    (low, high): (f64, f64),
) {
    let column_width = width / across.values().len() as f64;
    let has_room = row_height >= 8.0;
    for row in 0..down.values().len() {
        // The first value stands at the bottom, as on any axis.
        let y = top + row_height * (down.values().len() - 1 - row) as f64;
        for column in 0..across.values().len() {
            let at = [panel.fixed.as_slice(), &[row, column]].concat();
            let x = left + column_width * column as f64;
            let Some(point) = data.cells.get(&(at, panel.criterion)) else {
                svg.line((x, y), (x + column_width, y + row_height), palette::GRID, 0.5, "");
                continue;
            };
            let share = if high > low { (point.mean - low) / (high - low) } else { 0.0 };
            let (fill, ink) = colour(share);
            svg.rect(x, y, column_width, row_height, &fill, 1.0);
            let text = short(point.mean);
            if has_room && text_width(&text, TICK, false) < column_width - 1.0 {
                let middle = (x + column_width / 2.0, y + row_height / 2.0 + 2.1);
                svg.text(middle.0, middle.1, &text, style(TICK, false, ink, Anchor::Middle));
            }
        }
        let every = (8.0 / row_height).ceil() as usize;
        if row % every == 0 {
            let label = down.values()[row].in_column();
            svg.text(
                left - 3.0,
                y + row_height / 2.0 + 2.1,
                label,
                style(TICK, false, palette::INK, Anchor::End),
            );
        }
    }
    let height = row_height * down.values().len() as f64;
    let frame = format!("M{left:.2} {top:.2}h{width:.2}v{height:.2}h-{width:.2}z");
    svg.stroke(&frame, palette::AXIS, 0.5, "");
    let widest =
        across.values().iter().map(|value| text_width(value.in_column(), TICK, false)).fold(0.0, f64::max);
    let every = ((widest + 3.0) / column_width).ceil().max(1.0) as usize;
    for (column, value) in across.values().iter().enumerate().step_by(every) {
        let x = left + column_width * (column as f64 + 0.5);
        svg.text(x, top + height + 8.0, value.in_column(), style(TICK, false, palette::INK, Anchor::Middle));
    }
    let title = fitted(&axis_title(across), TICK + 0.5, false, width + 10.0);
    svg.text(
        left + width,
        top + height + 17.0,
        &title,
        style(TICK + 0.5, false, palette::SOFT_INK, Anchor::End),
    );
}

fn colour_bar(svg: &mut Svg, y: f64, low: f64, high: f64) {
    const STEPS: usize = 32;
    const LENGTH: f64 = 128.0;
    if high <= low {
        return;
    }
    for step in 0..STEPS {
        let (fill, _) = colour(step as f64 / (STEPS - 1) as f64);
        svg.rect(8.0 + LENGTH / STEPS as f64 * step as f64, y, LENGTH / STEPS as f64 + 0.1, 7.0, &fill, 1.0);
    }
    svg.text(8.0, y + 15.0, &short(low), style(TICK, false, palette::INK, Anchor::Start));
    svg.text(8.0 + LENGTH, y + 15.0, &short(high), style(TICK, false, palette::INK, Anchor::End));
}
