//! Colours of a heat map, and places along an axis.

use crate::plot::palette;
use isrlab_scenarios::Axis;

/// From light to dark, so that more is darker in grey too: single-hue blues, which every kind of
/// colour-blindness tells apart.
const STOPS: [(u8, u8, u8); 5] =
    [(247, 251, 255), (198, 219, 239), (107, 174, 214), (33, 113, 181), (8, 48, 107)];

/// The colour of a share of the range, from 0 to 1, and that of text on it.
pub fn colour(share: f64) -> (String, &'static str) {
    let at = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let index = (at.floor() as usize).min(STOPS.len() - 2);
    let part = at - index as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
    let ((r, g, b), (r2, g2, b2)) = (STOPS[index], STOPS[index + 1]);
    let text = if share > 0.55 { "#ffffff" } else { palette::INK };
    (format!("#{:02x}{:02x}{:02x}", mix(r, r2), mix(g, g2), mix(b, b2)), text)
}

/// Where the values of an axis stand, each as a share of its length from 0 to 1.
pub struct Places {
    /// In the order of the values.
    pub at: Vec<f64>,
    /// Whether equal ratios are equally far apart.
    pub logarithmic: bool,
}

/// Numbers stand where they belong, on a logarithmic axis if they span more than a factor of 20
/// and are spaced so; other values stand at equal distances.
pub fn places(axis: &Axis) -> Places {
    let numbers: Option<Vec<f64>> = axis.values().iter().map(|value| value.number()).collect();
    let count = axis.values().len();
    let even =
        || (0..count).map(|index| if count > 1 { index as f64 / (count - 1) as f64 } else { 0.5 }).collect();
    let Some(numbers) = numbers.filter(|_| axis.is_numeric() && count > 1) else {
        return Places { at: even(), logarithmic: false };
    };
    let (low, high) =
        numbers.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    // In an evenly spaced axis the middle of the ends is near a value in the middle.
    let below_middle = numbers.iter().filter(|value| **value < (low + high) / 2.0).count();
    let logarithmic = low > 0.0 && high / low > 20.0 && below_middle * 3 > count * 2;
    let of = |value: f64| if logarithmic { libm::log(value) } else { value };
    let at = numbers.iter().map(|value| (of(*value) - of(low)) / (of(high) - of(low))).collect();
    Places { at, logarithmic }
}

/// `link.follower.latency (ms)`: the key, with the unit of its column if the key does not name it.
pub fn axis_title(axis: &Axis) -> String {
    match axis.unit() {
        Some(unit) if axis.column() != axis.key() => format!("{} ({unit})", axis.key()),
        _ => axis.key().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_darker() {
        let light = |share: f64| {
            let (text, _) = colour(share);
            let channel = |at: usize| f64::from(u8::from_str_radix(&text[at..at + 2], 16).unwrap());
            0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
        };
        for step in 0..100 {
            assert!(light(f64::from(step) / 100.0) > light(f64::from(step + 1) / 100.0), "{step}");
        }
        assert_eq!(colour(0.0).0, "#f7fbff");
        assert_eq!(colour(1.0), ("#08306b".to_owned(), "#ffffff"));
        assert_eq!(colour(7.0).0, colour(1.0).0);
    }

    #[test]
    fn numbers_stand_where_they_belong() {
        let of = |given: &str| places(&given.parse().unwrap());
        assert_eq!(of("a=1,2,5").at, [0.0, 0.25, 1.0]);
        assert!(!of("a=1..50/8").logarithmic);
        assert!(of("a=1..1000/4/log").logarithmic);
        assert_eq!(of("a=all,1,0").at, [0.0, 0.5, 1.0]);
        assert_eq!(of("a=3").at, [0.5]);
    }
}
