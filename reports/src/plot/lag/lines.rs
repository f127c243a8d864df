//! Steps: a value stays what it is until the next look.

use super::scale::Scale;
use super::trace::Stretch;
use crate::plot::figure::Frame;
use crate::plot::lanes::runs;
use crate::plot::svg::{Svg, number};

/// A line that turns so often within [`REACH`] columns to either side is an area there.
const TURNS: u32 = 4;
/// See [`TURNS`].
const REACH: usize = 8;
/// The area has the extremes of so many columns to either side: a wave's, not a column's.
const WAVE: usize = 5;

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Its colour.
    pub colour: &'static str,
    /// Its width in points.
    pub width: f64,
    /// Its dash; empty: solid.
    pub dash: &'static str,
}

/// Draws one number over all columns; none breaks the line.
pub fn draw(svg: &mut Svg, frame: Frame, y: &dyn Fn(f64) -> f64, values: &[Option<Stretch>], pen: Pen) {
    let turns = turns(values);
    let is_dense = |at: usize| near(&turns, at, REACH).iter().sum::<u32>() >= TURNS;
    let styles: Vec<Option<bool>> =
        values.iter().enumerate().map(|(at, value)| value.map(|_| is_dense(at))).collect();
    let mut before = None;
    for (from, to, style) in runs(&styles) {
        let Some(dense) = style else {
            before = None;
            continue;
        };
        let stretches: Vec<Stretch> = values[from..to].iter().flatten().copied().collect();
        if dense {
            let stretches = hull(&stretches);
            svg.fill(&area(frame, y, from, &stretches), pen.colour, 0.25);
            for edge in [|stretch: &Stretch| stretch.min, |stretch: &Stretch| stretch.max] {
                let edge: Vec<Stretch> = stretches.iter().map(|stretch| flat(edge(stretch))).collect();
                svg.stroke(&steps(frame, y, from, None, &edge), pen.colour, pen.width, pen.dash);
            }
        } else {
            svg.stroke(&steps(frame, y, from, before, &stretches), pen.colour, pen.width, pen.dash);
        }
        before = stretches.last().map(|last| last.last);
    }
}

/// The columns near one.
fn near<T>(columns: &[T], at: usize, reach: usize) -> &[T] {
    &columns[at.saturating_sub(reach)..(at + reach + 1).min(columns.len())]
}

/// By column: how often the line turns there, from rising to falling or back.
fn turns(values: &[Option<Stretch>]) -> Vec<u32> {
    let (mut at, mut rising) = (None, None);
    let of_column = |value: &Option<Stretch>| {
        let Some(stretch) = value else {
            (at, rising) = (None, None);
            return 0;
        };
        let mut turns = 0;
        for value in through(at, stretch) {
            if let Some(before) = at
                && before != value
            {
                turns += u32::from(rising == Some(value < before));
                rising = Some(value > before);
            }
            at = Some(value);
        }
        turns
    };
    values.iter().map(of_column).collect()
}

/// The values of a column in an order that they may have had: through the extremes, those on the
/// way first.
fn through(before: Option<i64>, stretch: &Stretch) -> [i64; 4] {
    let from_below = before.unwrap_or(stretch.first) <= stretch.min;
    let (first, second) = if from_below { (stretch.min, stretch.max) } else { (stretch.max, stretch.min) };
    [stretch.first, first, second, stretch.last]
}

/// The extremes near each column.
fn hull(stretches: &[Stretch]) -> Vec<Stretch> {
    let widened = |at: usize| {
        let near = near(stretches, at, WAVE);
        let min = near.iter().map(|stretch| stretch.min).min();
        let max = near.iter().map(|stretch| stretch.max).max();
        let own = stretches[at];
        Stretch { min: min.unwrap_or(own.min), max: max.unwrap_or(own.max), ..own }
    };
    (0..stretches.len()).map(widened).collect()
}

/// A value that stays.
pub fn flat(value: i64) -> Stretch {
    Stretch { first: value, min: value, max: value, last: value }
}

/// A path of steps from column `from` on, which begins where the line was `before`.
fn steps(
    frame: Frame,
    y: &dyn Fn(f64) -> f64,
    from: usize,
    before: Option<i64>,
    stretches: &[Stretch],
) -> String {
    let mut path = String::new();
    let mut at = None;
    for (index, stretch) in stretches.iter().enumerate() {
        let x = frame.x(from + index);
        if at.is_none() {
            let begin = before.unwrap_or(stretch.first);
            path.push_str(&format!("M{} {}", number(x), number(y(begin as f64))));
            at = Some(begin);
        }
        for value in through(at, stretch) {
            if at != Some(value) {
                path.push_str(&format!("H{}V{}", number(x), number(y(value as f64))));
                at = Some(value);
            }
        }
    }
    let end = frame.x(from + stretches.len());
    path.push_str(&format!("H{}", number(end)));
    path
}

/// The area between the extremes.
fn area(frame: Frame, y: &dyn Fn(f64) -> f64, from: usize, stretches: &[Stretch]) -> String {
    let mut path = String::new();
    let mut edge = |x: f64, value: i64| {
        let command = if path.is_empty() { 'M' } else { 'L' };
        path.push_str(&format!("{command}{} {}", number(x), number(y(value as f64))));
    };
    for (index, stretch) in stretches.iter().enumerate() {
        edge(frame.x(from + index), stretch.max);
        edge(frame.x(from + index + 1), stretch.max);
    }
    for (index, stretch) in stretches.iter().enumerate().rev() {
        edge(frame.x(from + index + 1), stretch.min);
        edge(frame.x(from + index), stretch.min);
    }
    path + "Z"
}

/// The places of a scale in a panel.
pub fn places(scale: Scale, top: f64, height: f64) -> impl Fn(f64) -> f64 {
    move |lag| top + scale.share(lag) * height
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_flat_between_its_steps_and_reaches_the_extremes() {
        let frame = Frame { left: 0.0, width: 800.0, margin_right: 0.0 };
        let y = |lag: f64| 10.0 - lag;
        let spike = Stretch { first: 1, min: 0, max: 5, last: 1 };
        assert_eq!(steps(frame, &y, 2, None, &[flat(1), flat(1), flat(3)]), "M2 9H4V7H5");
        assert_eq!(steps(frame, &y, 0, None, &[flat(1), spike]), "M0 9H1V5H1V10H1V9H2");
    }

    #[test]
    fn stairs_do_not_turn_and_waves_do() {
        let line = |values: &[i64]| values.iter().map(|&value| Some(flat(value))).collect::<Vec<_>>();
        assert_eq!(turns(&line(&[0, 1, 1, 3, 4])), [0, 0, 0, 0, 0]);
        assert_eq!(turns(&line(&[0, 1, 0, 0, 2])), [0, 0, 1, 0, 1]);
        let wave = Stretch { first: 1, min: 1, max: 2, last: 1 };
        assert_eq!(turns(&[Some(flat(1)), Some(wave), None, Some(wave)]), [0, 1, 0, 1]);
    }
}
