//! Evenly spaced values, and values with equal ratios.

use super::quantity::Quantity;

/// The most values of a range, and of an axis.
pub(super) const VALUES_MAX: usize = 10_000;

/// So many values from `first` to `last`, both included.
///
/// # Errors
/// Why there are no such values.
pub(super) fn values(
    first: Quantity,
    last: Quantity,
    count: usize,
    logarithmic: bool,
) -> Result<Vec<Quantity>, String> {
    if !(2..=VALUES_MAX).contains(&count) {
        return Err(format!("asks for {count} values; a range has 2 to {VALUES_MAX}"));
    }
    let real = |value: Quantity| match value {
        Quantity::Whole(whole) => Some(whole as f64),
        Quantity::Real(real) => Some(real),
        _ => None,
    };
    match (first, last) {
        (Quantity::Nanos(a), Quantity::Nanos(b)) => {
            let of = |value: i128| u64::try_from(value).map(Quantity::Nanos).ok();
            whole(a.into(), b.into(), count, logarithmic, of)
        }
        (Quantity::Bytes(a), Quantity::Bytes(b)) => whole(a.into(), b.into(), count, logarithmic, |value| {
            i64::try_from(value).map(Quantity::Bytes).ok()
        }),
        (Quantity::Whole(a), Quantity::Whole(b)) => whole(a.into(), b.into(), count, logarithmic, |value| {
            i64::try_from(value).map(Quantity::Whole).ok()
        }),
        _ => match (real(first), real(last)) {
            (Some(a), Some(b)) => reals(a, b, count, logarithmic),
            _ => Err(format!(
                "goes from {} to {}; both ends are durations, sizes or plain numbers",
                first.kind(),
                last.kind()
            )),
        },
    }
}

fn whole(
    first: i128,
    last: i128,
    count: usize,
    logarithmic: bool,
    quantity: impl Fn(i128) -> Option<Quantity>,
) -> Result<Vec<Quantity>, String> {
    check_ends(first < last, first > 0, logarithmic)?;
    let steps = count as i128 - 1;
    let at = |step: i128| match (step, logarithmic) {
        (0, _) => first,
        (step, _) if step == steps => last,
        // Half a step is added, so that the division rounds to the nearest.
        (step, false) => first + ((last - first) * step * 2 + steps).div_euclid(2 * steps),
        (step, true) => {
            let between = geometric(first as f64, last as f64, step as f64 / steps as f64);
            (three_digits(between).round() as i128).clamp(first, last)
        }
    };
    Ok((0..=steps).filter_map(|step| quantity(at(step))).collect())
}

fn reals(first: f64, last: f64, count: usize, logarithmic: bool) -> Result<Vec<Quantity>, String> {
    check_ends(first < last, first > 0.0, logarithmic)?;
    let steps = count - 1;
    let at = |step: usize| match (step, logarithmic) {
        (0, _) => first,
        (step, _) if step == steps => last,
        (step, false) => first + (last - first) * (step as f64 / steps as f64),
        (step, true) => three_digits(geometric(first, last, step as f64 / steps as f64)).clamp(first, last),
    };
    Ok((0..=steps).map(|step| Quantity::Real(at(step))).collect())
}

fn check_ends(rising: bool, positive: bool, logarithmic: bool) -> Result<(), String> {
    match (rising, positive, logarithmic) {
        (false, ..) => Err("does not rise: its first value must be below its last".to_owned()),
        (true, false, true) => Err("has a first value of 0 or less; with /log it must be above 0".to_owned()),
        _ => Ok(()),
    }
}

/// `first × (last / first) ^ share`, the same on every machine.
fn geometric(first: f64, last: f64, share: f64) -> f64 {
    first * libm::exp(libm::log(last / first) * share)
}

/// The nearest number with three significant digits; above 0.
fn three_digits(value: f64) -> f64 {
    let mut scale = 1.0;
    while value / scale >= 1_000.0 {
        scale *= 10.0;
    }
    while value / scale < 100.0 {
        scale /= 10.0;
    }
    // A scale below 1 is not exact in binary; multiplying by its inverse, a whole number, is.
    if scale >= 1.0 {
        (value / scale).round() * scale
    } else {
        (value / scale).round() / (1.0 / scale).round()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(key: &str, first: &str, last: &str, count: usize, logarithmic: bool) -> Vec<String> {
        let found = values(Quantity::of(key, first), Quantity::of(key, last), count, logarithmic).unwrap();
        found.into_iter().map(|value| value.as_override().unwrap()).collect()
    }

    #[test]
    fn linear_ranges_include_both_ends() {
        assert_eq!(
            texts("k", "1ms", "50ms", 8, false),
            ["1ms", "8ms", "15ms", "22ms", "29ms", "36ms", "43ms", "50ms"]
        );
        assert_eq!(texts("k", "1", "10", 4, false), ["1", "4", "7", "10"]);
        assert_eq!(texts("k", "-3", "0", 3, false), ["-3", "-1", "0"]);
        assert_eq!(texts("k", "0.5", "1", 3, false), ["0.5", "0.75", "1"]);
    }

    #[test]
    fn logarithmic_ranges_have_three_digits_and_exact_ends() {
        assert_eq!(texts("k", "1ms", "1s", 4, true), ["1ms", "10ms", "100ms", "1s"]);
        assert_eq!(texts("k", "1ms", "50ms", 5, true), ["1ms", "2.66ms", "7.07ms", "18.8ms", "50ms"]);
        assert_eq!(texts("k", "1.5", "1000", 3, true), ["1.5", "38.7", "1000"]);
        assert_eq!(texts("k", "0.001", "0.1", 3, true), ["0.001", "0.01", "0.1"]);
    }

    #[test]
    fn rounding_does_not_leave_the_range() {
        assert_eq!(texts("k", "1004", "1009", 3, true), ["1004", "1009", "1009"]);
        assert_eq!(texts("k", "1.004", "1.009", 3, true), ["1.004", "1.009", "1.009"]);
    }

    #[test]
    fn wrong_ranges_say_why() {
        let of = |text| Quantity::of("k", text);
        let why =
            |first, last, count, logarithmic| values(of(first), of(last), count, logarithmic).unwrap_err();
        assert!(why("5s", "1s", 3, false).contains("does not rise"));
        assert!(why("1s", "1s", 3, false).contains("does not rise"));
        assert!(why("0s", "1s", 3, true).contains("above 0"));
        assert!(why("1s", "5", 3, false).contains("from a duration to a whole number"));
        assert!(why("1s", "5s", 1, false).contains("2 to 10000"));
    }
}
