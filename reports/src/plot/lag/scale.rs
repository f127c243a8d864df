//! The scale of lags, with 0 on it.

use crate::plot::axis;

/// From a number of records to a place in a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    bottom: f64,
    top: f64,
    step: f64,
}

impl Scale {
    /// A scale that holds lags from `min` to `max` records, and 0.
    pub fn of(min: i64, max: i64) -> Scale {
        let (min, max) = ((min as f64).min(0.0), (max as f64).max(0.0));
        let length = (max - min).max(1.0);
        // A lag is a whole number of records.
        let step = axis::step(length, 4, false).max(1.0);
        let room = length * 0.07;
        let bottom = if min < 0.0 { min - room } else { 0.0 };
        Scale { bottom, top: (min + length).max(max) + room, step }
    }

    /// Where a lag lies, 0 at the top and 1 at the bottom.
    pub fn share(&self, lag: f64) -> f64 {
        ((self.top - lag) / (self.top - self.bottom)).clamp(0.0, 1.0)
    }

    /// Whether there are lags below 0.
    pub fn is_negative(&self) -> bool {
        self.bottom < 0.0
    }

    /// The ticks, rising, and what they say.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let label = |value: f64| {
            let sign = if value < 0.0 { "-" } else { "" };
            (value, format!("{sign}{}", axis::label(value.abs(), self.step)))
        };
        let mut below: Vec<f64> = axis::ticks(-self.bottom, self.step).iter().skip(1).map(|at| -at).collect();
        below.reverse();
        below.into_iter().chain(axis::ticks(self.top, self.step)).map(label).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn zero_is_on_every_scale_and_ticks_are_whole_records() {
        assert_eq!(labels(Scale::of(0, 5)), ["0", "2", "4"]);
        assert_eq!(labels(Scale::of(0, 0)), ["0", "1"]);
        assert_eq!(labels(Scale::of(-295, 310)), ["-200", "0", "200"]);
        assert_eq!(labels(Scale::of(-120_000, 0)), ["-100,000", "-50,000", "0"]);
        let scale = Scale::of(-4, 4);
        assert!((scale.share(0.0) - 0.5).abs() < 1e-9 && scale.is_negative());
        assert!(!Scale::of(3, 9).is_negative() && Scale::of(3, 9).share(0.0) == 1.0);
    }
}
