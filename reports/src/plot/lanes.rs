//! A lane per replica: filled while it is in the ISR, empty while it is out, with a mark for
//! each time it left or joined.

use super::figure::Frame;
use super::palette::{self, look};
use super::svg::{Anchor, Svg, TextStyle, number};
use super::text_width::fitted;
use super::trace::{COLUMNS, PartitionTrace, ReplicaColumn, ReplicaTrace};

/// From one lane to the next.
pub const PITCH: f64 = 10.6;
/// A lane's height.
const HEIGHT: f64 = 8.4;
/// The least width at which a short absence is seen.
const GAP_MIN: f64 = 1.0;
/// The line that shows who leads.
pub const LEADER_WIDTH: f64 = 1.6;
/// Marks in a lane from which on they are small, and from which on they are mere ticks.
const MARKS_SMALL: usize = 60;
const MARKS_TICKS: usize = 120;

/// Draws all lanes of a partition from `top` down.
pub fn draw(svg: &mut Svg, frame: Frame, top: f64, partition: &PartitionTrace) {
    let moves = leadership_moves(partition);
    for (slot, replica) in partition.replicas.iter().enumerate() {
        let y = top + slot as f64 * PITCH;
        draw_lane(svg, frame, y, slot, replica, moves);
    }
}

/// What a lane shows in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    In,
    Out,
    /// In and out, as one column can be that is longer than an absence.
    Both,
    NotRun,
}

fn state(column: &ReplicaColumn) -> State {
    match (column.was_in, column.was_out) {
        (true, false) => State::In,
        (false, true) => State::Out,
        (true, true) => State::Both,
        (false, false) => State::NotRun,
    }
}

fn draw_lane(svg: &mut Svg, frame: Frame, y: f64, slot: usize, replica: &ReplicaTrace, moves: bool) {
    let look = look(slot);
    label(svg, frame, y, slot, replica, moves);
    let states: Vec<State> = replica.columns.iter().map(state).collect();
    let end = states.iter().rposition(|state| *state != State::NotRun).map_or(0, |last| last + 1);
    // The whole lane as filled, then what is missing cut out of it: so a short absence can be
    // drawn wider than it is without moving what is around it.
    svg.rect(frame.left, y, frame.x(end) - frame.left, HEIGHT, &palette::tint(look.colour), 1.0);
    for (from, to, state) in runs(&states[..end]) {
        let (left, right) = (frame.x(from), frame.x(to));
        let spare = ((GAP_MIN - (right - left)) / 2.0).max(0.0);
        let (left, right) = ((left - spare).max(frame.left), (right + spare).min(frame.x(end)));
        match state {
            State::Out => svg.rect(left, y, right - left, HEIGHT, "#fff", 1.0),
            // Many columns of both: it comes and goes faster than can be drawn.
            State::Both if to - from > 3 => svg.rect(left, y, right - left, HEIGHT, "#fff", 0.6),
            State::Both => svg.rect(left, y, right - left, HEIGHT, "#fff", 1.0),
            State::In | State::NotRun => {}
        }
    }
    let right = frame.x(end);
    svg.line((frame.left, y + HEIGHT), (right, y + HEIGHT), look.colour, 0.6, "");
    if moves {
        leadership(svg, frame, y, replica, end);
    }
    marks(svg, frame, y, replica);
}

fn label(svg: &mut Svg, frame: Frame, y: f64, slot: usize, replica: &ReplicaTrace, moves: bool) {
    let led = replica.columns.iter().any(|column| column.was_leader);
    let leader = if led && !moves { " (leader)" } else { "" };
    let text = fitted(&format!("broker {}{leader}", replica.broker), 6.5, false, frame.left - 12.0);
    let style = TextStyle { size: 6.5, bold: false, fill: look(slot).colour, anchor: Anchor::End };
    svg.text(frame.left - 5.0, y + 6.5, &text, style);
}

/// Whether more than one replica of the partition was seen to lead.
pub fn leadership_moves(partition: &PartitionTrace) -> bool {
    let led = |replica: &&ReplicaTrace| replica.columns.iter().any(|column| column.was_leader);
    partition.replicas.iter().filter(led).count() > 1
}

/// A dark line through the lane while the replica led.
fn leadership(svg: &mut Svg, frame: Frame, y: f64, replica: &ReplicaTrace, end: usize) {
    let mut now = false;
    let leads = replica.columns[..end].iter().map(|column| {
        if column.was_leader || column.lag.is_some() || column.lag_broken {
            now = column.was_leader;
        }
        now
    });
    for (from, to, leads) in runs(&leads.collect::<Vec<_>>()) {
        if leads {
            let middle = y + HEIGHT / 2.0;
            svg.line((frame.x(from), middle), (frame.x(to), middle), palette::INK, LEADER_WIDTH, "");
        }
    }
}

fn marks(svg: &mut Svg, frame: Frame, y: f64, replica: &ReplicaTrace) {
    let marked = replica.columns.iter().filter(|column| column.shrinks + column.expands > 0).count();
    let (half, height) = if marked > MARKS_SMALL { (1.1, 2.6) } else { (1.8, 3.4) };
    let (mut left, mut joined) = (String::new(), String::new());
    for (index, column) in replica.columns.iter().enumerate() {
        let x = frame.x(index) + frame.column_width() / 2.0;
        for (happened, path, base, down) in [
            (column.shrinks > 0, &mut left, y - 0.4, height),
            (column.expands > 0, &mut joined, y + HEIGHT + 0.4, -height),
        ] {
            if happened && marked > MARKS_TICKS {
                path.push_str(&format!("M{} {}v{}", number(x), number(base), number(down)));
            } else if happened {
                triangle(path, x, base, half, down);
            }
        }
    }
    for path in [left, joined].iter().filter(|path| !path.is_empty()) {
        if marked > MARKS_TICKS {
            svg.stroke(path, palette::INK, 0.4, "");
        } else {
            svg.fill(path, palette::INK, 1.0);
        }
    }
}

/// A triangle with its base at `y` and its point `height` below.
pub fn triangle(path: &mut String, x: f64, y: f64, half: f64, height: f64) {
    path.push_str(&format!(
        "M{} {}H{}L{} {}Z",
        number(x - half),
        number(y),
        number(x + half),
        number(x),
        number(y + height)
    ));
}

/// Stretches of equal values: from, to (exclusive), value.
pub fn runs<V: Copy + PartialEq>(values: &[V]) -> Vec<(usize, usize, V)> {
    let mut found: Vec<(usize, usize, V)> = Vec::new();
    for (index, &value) in values.iter().enumerate().take(COLUMNS) {
        match found.last_mut() {
            Some((_, to, last)) if *last == value => *to = index + 1,
            _ => found.push((index, index + 1, value)),
        }
    }
    found
}
