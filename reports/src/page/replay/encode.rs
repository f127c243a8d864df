//! Series as JSON of few bytes: the page decodes them.

use serde::Serialize;

/// Rising or slowly changing integers: the difference of each to the one before, in units of
/// their greatest common divisor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Deltas {
    /// What each difference is to be multiplied with.
    pub unit: i64,
    /// The differences; the first is to 0.
    pub deltas: Vec<i64>,
}

impl Deltas {
    /// Encodes integers.
    pub fn of(values: impl IntoIterator<Item = i64>) -> Self {
        let mut last = 0;
        let mut deltas: Vec<i64> = Vec::new();
        let mut unit = 0;
        for value in values {
            let delta = value.wrapping_sub(last);
            unit = greatest_common_divisor(unit, delta.unsigned_abs());
            deltas.push(delta);
            last = value;
        }
        let unit = i64::try_from(unit).unwrap_or(1).max(1);
        deltas.iter_mut().for_each(|delta| *delta /= unit);
        Deltas { unit, deltas }
    }

    /// Encodes times in nanoseconds.
    pub fn of_times(times: impl IntoIterator<Item = u64>) -> Self {
        Deltas::of(times.into_iter().map(|time| i64::try_from(time).unwrap_or(i64::MAX)))
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_steps_take_a_byte_each() {
        let times = Deltas::of_times([0, 100_000_000, 200_000_000, 300_000_000]);
        assert_eq!(times, Deltas { unit: 100_000_000, deltas: vec![0, 1, 1, 1] });
        assert_eq!(Deltas::of([]), Deltas { unit: 1, deltas: vec![] });
        assert_eq!(Deltas::of([0, 0]), Deltas { unit: 1, deltas: vec![0, 0] });
    }

    #[test]
    fn what_goes_down_and_far_comes_back_whole() {
        let values = [5, -15, i64::MAX, i64::MIN, 25];
        let encoded = Deltas::of(values);
        let mut sum = 0_i64;
        let decoded: Vec<i64> = encoded
            .deltas
            .iter()
            .map(|delta| {
                sum = sum.wrapping_add(delta.wrapping_mul(encoded.unit));
                sum
            })
            .collect();
        assert_eq!(decoded, values);
    }
}
