//! The scale of distances between times: in one unit where that will do, else in steps from a
//! millisecond to a billion years.

use crate::plot::axis;

/// Distances up to this many milliseconds are drawn to scale.
const TO_SCALE_MAX: f64 = 600_000.0;

/// Steps of the other scale, in milliseconds; straight in between.
const STEPS: [(f64, &str); 7] = [
    (0.0, "0"),
    (1e3, "1 s"),
    (3.6e6, "1 h"),
    (3.1536e10, "1 y"),
    (3.1536e13, "1,000 y"),
    (3.1536e16, "10⁶ y"),
    (3.1536e19, "10⁹ y"),
];

/// The scale of all panels of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The lowest and the highest position, in the scale's own measure.
    bottom: f64,
    top: f64,
    /// Milliseconds of one unit; none: in steps.
    unit_ms: Option<f64>,
    /// What the scale measures in, for its heading: `s`; empty: the ticks say it.
    pub unit: &'static str,
    step: f64,
}

impl Scale {
    /// A scale that holds distances from `min` to `max` milliseconds, 0 among them.
    pub fn of(min: i64, max: i64) -> Self {
        let (min, max) = (min as f64, max as f64);
        let reach = max.max(-min);
        if reach > TO_SCALE_MAX {
            let bottom = -step_position(-min).ceil();
            let top = step_position(max).ceil();
            return Scale { bottom: bottom - 0.3, top: top + 0.3, unit_ms: None, unit: "", step: 1.0 };
        }
        let unit = axis::time_unit(reach.max(1.0) * 1e6);
        let unit_ms = unit.nanos / 1e6;
        let length = ((max - min) / unit_ms).max(2.0 / unit_ms);
        let room = length * 0.08;
        let step = axis::step(length, 4, unit.name == "min");
        Scale {
            bottom: min / unit_ms - room,
            top: max / unit_ms + room,
            unit_ms: Some(unit_ms),
            unit: unit.name,
            step,
        }
    }

    fn position(&self, distance: f64) -> f64 {
        match self.unit_ms {
            Some(unit_ms) => distance / unit_ms,
            None if distance < 0.0 => -step_position(-distance),
            None => step_position(distance),
        }
    }

    /// Where a distance lies, 0 at the top and 1 at the bottom.
    pub fn share(&self, distance_ms: i64) -> f64 {
        self.share_of(self.position(distance_ms as f64))
    }

    fn share_of(&self, position: f64) -> f64 {
        ((self.top - position) / (self.top - self.bottom)).clamp(0.0, 1.0)
    }

    /// Whether it goes by steps, and needs more room.
    pub fn is_in_steps(&self) -> bool {
        self.unit_ms.is_none()
    }

    /// The ticks: where, and what they say.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let first = (self.bottom / self.step).ceil() as i64;
        let last = (self.top / self.step).floor() as i64;
        let label = |index: i64| {
            // The bundled fonts have no minus sign; a dash of its width does.
            let sign = if index < 0 { "–" } else { "" };
            match self.unit_ms {
                Some(_) => {
                    format!("{sign}{}", axis::label(index.unsigned_abs() as f64 * self.step, self.step))
                }
                None => format!("{sign}{}", STEPS[(index.unsigned_abs() as usize).min(STEPS.len() - 1)].1),
            }
        };
        (first..=last).map(|index| (self.share_of(index as f64 * self.step), label(index))).collect()
    }
}

/// The number of steps that a distance of 0 or more milliseconds comes to.
fn step_position(distance: f64) -> f64 {
    let above = STEPS.iter().position(|(step, _)| distance < *step).unwrap_or(STEPS.len() - 1);
    let (low, high) = (STEPS[above - 1].0, STEPS[above].0);
    (above - 1) as f64 + ((distance - low) / (high - low)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_distances_are_to_scale() {
        let scale = Scale::of(-90_000, 30_000);
        let labels: Vec<String> = scale.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!((scale.unit, labels), ("s", ["–50", "0"].map(String::from).to_vec()));
        let (low, zero, high) = (scale.share(-90_000), scale.share(0), scale.share(30_000));
        assert!(low > zero && zero > high && high > 0.0 && low < 1.0);
        assert!(((low - zero) / (zero - high) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn long_ones_go_by_steps() {
        let scale = Scale::of(-1_598_400_000_000, 1_599_998_400_000_000_000);
        let ticks = scale.ticks();
        assert_eq!(ticks.first().unwrap().1, "–1,000 y");
        assert_eq!(ticks.last().unwrap().1, "10⁹ y");
        assert_eq!(step_position(0.0), 0.0);
        assert_eq!(step_position(3.6e6), 2.0);
        assert_eq!(step_position(500.0), 0.5);
        assert_eq!(step_position(f64::MAX), 6.0);
    }

    #[test]
    fn no_distance_at_all_has_a_scale_too() {
        let scale = Scale::of(0, 0);
        assert!(scale.share(0) > 0.0 && scale.share(0) < 1.0 && !scale.ticks().is_empty());
    }
}
