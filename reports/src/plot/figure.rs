//! The figure as a whole: heading, key, faults, panels, time axis, caption.

use super::axis;
use super::lag_area::{self, Scale, shows_limit};
use super::lanes::{self, leadership_moves, runs, triangle};
use super::palette;
use super::svg::{Anchor, Svg, TextStyle};
use super::text_width::{fitted, text_width};
use super::trace::{COLUMNS, FaultTrace, LagMetric, PartitionTrace, Trace};
use isrlab_sim::engine::SimTime;

/// 180 mm, the width of a page's text, in points.
pub(crate) const WIDTH: f64 = 510.24;
pub(super) const MARGIN_LEFT: f64 = 74.0;
pub(super) const MARGIN_RIGHT: f64 = 46.0;
/// Panels that a figure has at most, as far as the variants allow.
const PANELS_MAX: usize = 6;
/// Faults with a row of their own.
const FAULT_ROWS_MAX: usize = 4;
/// Windows of one fault that are drawn as bands.
const BANDS_MAX: usize = 40;
const FAULT_PITCH: f64 = 8.5;
pub(super) const PANEL_HEADER: f64 = 11.0;
pub(super) const PANEL_GAP: f64 = 9.0;

/// Where the time axis lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Its left end.
    pub left: f64,
    /// Its length.
    pub width: f64,
    /// Room to the right of it.
    pub margin_right: f64,
}

impl Frame {
    /// Where a column begins.
    pub fn x(&self, column: usize) -> f64 {
        self.left + self.width * column as f64 / COLUMNS as f64
    }

    /// The width of a column.
    pub fn column_width(&self) -> f64 {
        self.width / COLUMNS as f64
    }

    /// The right end.
    pub fn right(&self) -> f64 {
        self.left + self.width
    }
}

/// What is told about the figure besides its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caption<'a> {
    /// The scenario's name.
    pub scenario: &'a str,
    /// The seed of the runs drawn.
    pub seed: u64,
    /// How many seeds there are; the first is drawn.
    pub seeds: usize,
    /// What was changed in the scenario, `KEY=VALUE`.
    pub overrides: &'a [String],
    /// The version that drew it.
    pub version: &'a str,
}

impl Caption<'_> {
    /// Which run it is, as a sentence: `Scenario kafka-4485, seed 1, isrlab 0.1.0.`
    pub fn which_run(&self) -> String {
        let mut text = format!("Scenario {}, seed {}", one_line(self.scenario), self.seed);
        if self.seeds > 1 {
            text.push_str(&format!(" (the first of {})", self.seeds));
        }
        if !self.overrides.is_empty() {
            text.push_str(&format!(", with {}", one_line(&self.overrides.join(", "))));
        }
        text.push_str(&format!(", isrlab {}.", self.version));
        text
    }
}

/// How a text looks.
pub(crate) const fn style(size: f64, bold: bool, fill: &'static str, anchor: Anchor) -> TextStyle {
    TextStyle { size, bold, fill, anchor }
}

/// Draws the runs of the variants, by name, one panel under the other.
pub fn figure(caption: &Caption<'_>, variants: &[(&str, &Trace)]) -> String {
    let frame =
        Frame { left: MARGIN_LEFT, width: WIDTH - MARGIN_LEFT - MARGIN_RIGHT, margin_right: MARGIN_RIGHT };
    let mut svg = Svg::default();
    let title = format!("{}: ISR and follower lag", one_line(caption.scenario));
    svg.text(
        8.0,
        14.0,
        &fitted(&title, 9.5, true, WIDTH - 16.0),
        style(9.5, true, palette::INK, Anchor::Start),
    );
    let has_lag = variants.iter().any(|(_, trace)| trace.lag_max().is_some());
    let mut y = key(&mut svg, 25.0, variants, has_lag) + 8.0;
    y = fault_rows(&mut svg, frame, y, variants);
    let unit =
        axis::time_unit(variants.iter().map(|(_, trace)| trace.duration_ns as f64).fold(0.0, f64::max));
    let per_variant = (PANELS_MAX / variants.len().max(1)).max(1);
    let panels: Vec<_> = variants
        .iter()
        .flat_map(|(name, trace)| {
            trace.partitions.iter().take(per_variant).map(move |partition| (*name, *trace, partition))
        })
        .collect();
    let lag_height = match panels.len() {
        _ if !has_lag => 0.0,
        0..=3 => 52.0,
        _ => 38.0,
    };
    for (name, trace, partition) in panels {
        y = panel(&mut svg, frame, y, name, trace, partition, variants, lag_height);
    }
    y = time_axis(&mut svg, frame, y - PANEL_GAP + 3.0, variants, unit);
    y = caption_lines(&mut svg, y + 12.0, caption, variants, per_variant);
    let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
    let description = format!(
        "For each of {}: which replicas were in the in-sync replica set over virtual time, and how far the followers \
         were behind. Seed {}, isrlab {}.",
        names.join(", "),
        caption.seed,
        caption.version
    );
    svg.finish(WIDTH, y + 6.0, &title, &description)
}

/// A name on one line.
pub(crate) fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the signs mean, from left to right, in as many lines as they need.
fn key(svg: &mut Svg, top: f64, variants: &[(&str, &Trace)], has_lag: bool) -> f64 {
    const SIZE: f64 = 6.5;
    let has = |metric| has_lag && variants.iter().any(|(_, trace)| trace.metric == metric);
    let mut entries =
        vec![("in the ISR", Sign::In), ("out", Sign::Out), ("left", Sign::Left), ("joined", Sign::Joined)];
    if has(LagMetric::Time) {
        entries.push(("replica.lag.time.max.ms", Sign::Limit));
    }
    if has_lag && variants.iter().any(|(_, trace)| trace.metric == LagMetric::Messages && shows_limit(trace))
    {
        entries.push(("replica.lag.max.messages", Sign::Limit));
    }
    if variants.iter().flat_map(|(_, trace)| &trace.partitions).any(leadership_moves) {
        entries.push(("leads", Sign::Leads));
    }
    if variants.iter().any(|(_, trace)| trace.faults.iter().any(|fault| fault.count > 0)) {
        entries.push(("fault", Sign::Fault));
    }
    let (mut x, mut y) = (8.0, top);
    for (text, sign) in entries {
        let width = 14.0 + text_width(text, SIZE, false) + 12.0;
        if x + width > WIDTH - 8.0 {
            (x, y) = (8.0, y + 10.0);
        }
        sign.draw(svg, x, y);
        svg.text(x + 14.0, y, text, style(SIZE, false, palette::INK, Anchor::Start));
        x += width;
    }
    y
}

#[derive(Clone, Copy)]
enum Sign {
    In,
    Out,
    Left,
    Joined,
    Leads,
    Limit,
    Fault,
}

impl Sign {
    /// Draws the sign left of a text whose base line is at `y`.
    fn draw(self, svg: &mut Svg, x: f64, y: f64) {
        let colour = palette::look(1).colour;
        let mut path = String::new();
        match self {
            Sign::In => {
                svg.rect(x, y - 5.2, 11.0, 6.0, &palette::tint(colour), 1.0);
                svg.line((x, y + 0.8), (x + 11.0, y + 0.8), colour, 0.6, "");
            }
            Sign::Out => svg.line((x, y + 0.8), (x + 11.0, y + 0.8), colour, 0.6, ""),
            Sign::Left => {
                triangle(&mut path, x + 8.0, y - 4.4, 2.0, 4.0);
                svg.fill(&path, palette::INK, 1.0);
            }
            Sign::Joined => {
                triangle(&mut path, x + 8.0, y - 0.2, 2.0, -4.0);
                svg.fill(&path, palette::INK, 1.0);
            }
            Sign::Leads => svg.line((x, y - 2.2), (x + 11.0, y - 2.2), palette::INK, lanes::LEADER_WIDTH, ""),
            Sign::Limit => svg.line((x, y - 2.2), (x + 11.0, y - 2.2), palette::INK, 0.7, "2.5 1.5"),
            Sign::Fault => svg.rect(x, y - 5.6, 11.0, 7.0, palette::BAND, 0.18),
        }
    }
}

/// One row per fault, with its name and where it was under way.
pub(super) fn fault_rows(svg: &mut Svg, frame: Frame, top: f64, variants: &[(&str, &Trace)]) -> f64 {
    // All variants have the same faults at the same times; one that was interrupted has fewer.
    let Some((_, trace)) = variants.iter().max_by_key(|(_, trace)| trace.end_ns) else { return top };
    let happened: Vec<&FaultTrace> = trace.faults.iter().filter(|fault| fault.count > 0).collect();
    fault_rows_of(svg, frame, top, &happened)
}

/// The rows of these faults, which have happened.
pub(super) fn fault_rows_of(svg: &mut Svg, frame: Frame, top: f64, happened: &[&FaultTrace]) -> f64 {
    if happened.is_empty() {
        return top;
    }
    let mut y = top;
    let grey = |anchor| style(6.5, false, palette::SOFT_INK, anchor);
    for fault in happened.iter().take(FAULT_ROWS_MAX) {
        let name = one_line(&fault.name);
        if text_width(&name, 6.5, false) <= frame.left - 12.0 {
            svg.text(frame.left - 5.0, y + 5.6, &name, grey(Anchor::End));
        } else {
            // Too long for the margin: a line of its own above the row.
            let name = fitted(&name, 6.5, false, frame.width);
            svg.text(frame.left, y + 5.6, &name, grey(Anchor::Start));
            y += FAULT_PITCH;
        }
        for (from, to, under_way) in runs(&fault.columns) {
            if under_way {
                let width = (frame.x(to) - frame.x(from)).max(0.8);
                svg.rect(frame.x(from), y + 1.0, width, 5.0, palette::FAULT, 1.0);
            }
        }
        svg.text(frame.right() + 6.0, y + 5.6, &format!("{}×", fault.count), grey(Anchor::Start));
        y += FAULT_PITCH;
    }
    if happened.len() > FAULT_ROWS_MAX {
        let more = format!("and {} more faults, as bands below", happened.len() - FAULT_ROWS_MAX);
        svg.text(frame.left, y + 5.6, &more, style(6.5, false, palette::SOFT_INK, Anchor::Start));
        y += FAULT_PITCH;
    }
    y + 5.0
}

/// One run of one partition; gives back where the next panel begins.
#[allow(clippy::too_many_arguments)]
fn panel(
    svg: &mut Svg,
    frame: Frame,
    top: f64,
    name: &str,
    trace: &Trace,
    partition: &PartitionTrace,
    variants: &[(&str, &Trace)],
    lag_height: f64,
) -> f64 {
    svg.open_group(name);
    header(svg, frame, top, name, trace, partition);
    let lanes_top = top + PANEL_HEADER;
    let lag_top = lanes_top + partition.replicas.len() as f64 * lanes::PITCH + lag_area::HEADING;
    let has_lag = lag_height > 0.0;
    let bottom = if has_lag { lag_top + lag_height } else { lag_top - lag_area::HEADING };
    bands(svg, frame, lanes_top - 1.5, bottom, trace);
    lanes::draw(svg, frame, lanes_top, partition);
    if has_lag {
        let scale = Scale::of(variants.iter().map(|(_, trace)| *trace), trace.metric, lag_height);
        lag_area::draw(svg, frame, lag_top, trace, partition, scale);
    }
    svg.close_group();
    bottom + PANEL_GAP
}

fn header(svg: &mut Svg, frame: Frame, top: f64, name: &str, trace: &Trace, partition: &PartitionTrace) {
    let facts = match partition.first_shrink {
        None => "no replica left the ISR".to_owned(),
        Some(at) => {
            let plural = |count: u64| if count == 1 { "" } else { "s" };
            format!(
                "{} shrink{}, {} expand{}, the first shrink at {}",
                partition.shrinks,
                plural(partition.shrinks),
                partition.expands,
                plural(partition.expands),
                SimTime::from_millis(at.as_millis())
            )
        }
    };
    svg.text(frame.right(), top + 7.2, &facts, style(7.0, false, palette::INK, Anchor::End));
    let room = frame.width - text_width(&facts, 7.0, false) - 10.0;
    let mut title = fitted(name, 8.0, true, room);
    if trace.partitions_total > 1 {
        let number = format!("-{}", partition.name.number);
        let room = room - text_width(&format!("{title}, {number}"), 8.0, true);
        title = format!("{title}, {}{number}", fitted(&one_line(&partition.name.topic), 8.0, true, room));
    }
    svg.text(frame.left, top + 7.2, &title, style(8.0, true, palette::INK, Anchor::Start));
}

/// Faults behind a panel. One that happens all the time is told by its row alone: its bands
/// would be a pattern, not a sign. What is under way at the same time is one band, so that
/// thousands of faults are no more to draw than there are columns.
pub(super) fn bands(svg: &mut Svg, frame: Frame, top: f64, bottom: f64, trace: &Trace) {
    bands_of(svg, frame, top, bottom, trace.faults.iter());
}

/// The bands of these faults.
pub(super) fn bands_of<'a>(
    svg: &mut Svg,
    frame: Frame,
    top: f64,
    bottom: f64,
    faults: impl Iterator<Item = &'a FaultTrace>,
) {
    let (mut lasting, mut instant) = (vec![false; COLUMNS], vec![false; COLUMNS]);
    for fault in faults.filter(|fault| runs(&fault.columns).len() <= 2 * BANDS_MAX) {
        let columns = if fault.is_instant { &mut instant } else { &mut lasting };
        columns.iter_mut().zip(&fault.columns).for_each(|(any, &here)| *any |= here);
    }
    for (from, to, _) in runs(&lasting).into_iter().filter(|(_, _, under_way)| *under_way) {
        let width = frame.x(to) - frame.x(from);
        svg.rect(frame.x(from), top, width, bottom - top, palette::BAND, palette::BAND_OPACITY);
    }
    for column in (0..COLUMNS).filter(|&column| instant[column]) {
        let x = frame.x(column) + frame.column_width() / 2.0;
        svg.line((x, top), (x, bottom), palette::AXIS, 0.7, "1 1");
    }
}

pub(super) fn time_axis(
    svg: &mut Svg,
    frame: Frame,
    top: f64,
    variants: &[(&str, &Trace)],
    unit: axis::TimeUnit,
) -> f64 {
    let end = variants.iter().map(|(_, trace)| trace.duration_ns as f64).fold(0.0, f64::max) / unit.nanos;
    let step = axis::step(end, 9, unit.name == "min" || unit.name == "h");
    svg.line((frame.left, top), (frame.right(), top), palette::AXIS, 0.6, "");
    for value in axis::ticks(end, step) {
        let x = frame.left + if end > 0.0 { frame.width * value / end } else { 0.0 };
        svg.line((x, top), (x, top + 3.0), palette::AXIS, 0.6, "");
        svg.text(x, top + 10.0, &axis::label(value, step), style(6.5, false, palette::INK, Anchor::Middle));
    }
    let middle = frame.left + frame.width / 2.0;
    let label = format!("virtual time ({})", unit.name);
    svg.text(middle, top + 19.5, &label, style(7.0, false, palette::INK, Anchor::Middle));
    top + 19.5
}

fn caption_lines(
    svg: &mut Svg,
    top: f64,
    caption: &Caption<'_>,
    variants: &[(&str, &Trace)],
    per_variant: usize,
) -> f64 {
    let mut text = caption.which_run();
    if let Some((_, trace)) = variants.first() {
        let drawn = trace.partitions.len().min(per_variant);
        if trace.partitions_total > drawn {
            let first = if drawn == 1 { "the first".to_owned() } else { format!("the first {drawn}") };
            let left = trace.partitions_total - drawn;
            text.push_str(&format!(
                " Drawn: {first} of {} partitions; {left} not drawn.",
                trace.partitions_total
            ));
        }
    }
    for (name, trace) in variants.iter().filter(|(_, trace)| trace.end_ns < trace.duration_ns) {
        text.push_str(&format!(" {name} was cut short at {}.", SimTime::from_nanos(trace.end_ns)));
    }
    paragraph(svg, top, &text)
}

/// A text in as many lines as it needs; gives back the base line of the last.
pub(crate) fn paragraph(svg: &mut Svg, top: f64, text: &str) -> f64 {
    const SIZE: f64 = 6.5;
    let mut y = top;
    let mut line = String::new();
    let grey = style(SIZE, false, palette::SOFT_INK, Anchor::Start);
    for word in text.split(' ') {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if text_width(&longer, SIZE, false) > WIDTH - 16.0 && !line.is_empty() {
            svg.text(8.0, y, &line, grey);
            y += 8.5;
            line = fitted(word, SIZE, false, WIDTH - 16.0);
        } else {
            line = longer;
        }
    }
    svg.text(8.0, y, &fitted(&line, SIZE, false, WIDTH - 16.0), grey);
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(one_line("a\nb  c"), "a b c");
    }
}
