//! Ticks at round numbers.

/// A unit of virtual time and what it is in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeUnit {
    /// `ms`, `s`, `min`, `h`, …
    pub name: &'static str,
    /// Nanoseconds in it.
    pub nanos: f64,
}

/// The unit in which a length of time is told best on an axis.
pub fn time_unit(length_ns: f64) -> TimeUnit {
    let units =
        [("h", 3.6e12, 3.0), ("min", 6e10, 10.0), ("s", 1e9, 2.0), ("ms", 1e6, 2.0), ("µs", 1e3, 2.0)];
    let fits = units.into_iter().find(|(_, nanos, least)| length_ns >= nanos * least);
    let (name, nanos) = fits.map_or(("ns", 1.0), |(name, nanos, _)| (name, nanos));
    TimeUnit { name, nanos }
}

/// The smallest round step of which at most `count_max` fit into `length`. In minutes and hours
/// quarters are round, else 1, 2 and 5.
pub fn step(length: f64, count_max: usize, sexagesimal: bool) -> f64 {
    let least = length / count_max as f64;
    if least <= 0.0 || !least.is_finite() {
        return 1.0;
    }
    if sexagesimal && (1.0..=30.0).contains(&least) {
        let round = [1.0, 2.0, 5.0, 10.0, 15.0, 30.0].into_iter().find(|round| *round >= least);
        return round.unwrap_or(30.0);
    }
    // Powers by multiplication: the same on every machine.
    let mut power = 1.0;
    while power > least {
        power /= 10.0;
    }
    while power * 10.0 <= least {
        power *= 10.0;
    }
    let rounds = [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power);
    rounds.into_iter().find(|round| *round >= least * 0.999_999).unwrap_or(10.0 * power)
}

/// The multiples of `step` from 0 to `end`.
pub fn ticks(end: f64, step: f64) -> Vec<f64> {
    let count = (end / step + 1e-9).floor() as usize;
    (0..=count.min(1_000)).map(|index| index as f64 * step).collect()
}

/// A tick's label, with as many decimals as its step needs and thousands set apart.
pub fn label(value: f64, step: f64) -> String {
    let mut decimals = 0;
    let mut scaled = step;
    while decimals < 6 && (scaled - scaled.round()).abs() > 1e-6 {
        scaled *= 10.0;
        decimals += 1;
    }
    let text = format!("{value:.decimals$}");
    if decimals > 0 || text.len() < 5 {
        return text;
    }
    let mut grouped = String::new();
    for (index, digit) in text.chars().enumerate() {
        if index > 0 && (text.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let cases = [(70.0, 8, 10.0), (60.0, 8, 10.0), (1.0, 5, 0.2), (5000.0, 4, 2000.0), (0.003, 4, 0.001)];
        for (length, count, expected) in cases {
            assert!((step(length, count, false) - expected).abs() < 1e-9, "{length} in {count}");
        }
        assert_eq!(step(60.0, 8, true), 10.0);
        assert_eq!(step(120.0, 8, true), 15.0);
        assert_eq!(step(0.0, 8, false), 1.0);
    }

    #[test]
    fn units_fit_the_length() {
        for (ns, name) in
            [(70e9, "s"), (600e9, "min"), (3.6e12, "min"), (8.64e13, "h"), (5e8, "ms"), (10.0, "ns")]
        {
            assert_eq!(time_unit(ns).name, name, "{ns}");
        }
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        assert_eq!(label(0.4, 0.2), "0.4");
        assert_eq!(label(20.0, 10.0), "20");
        assert_eq!(label(12_000.0, 4_000.0), "12,000");
        assert_eq!(ticks(70.0, 20.0), [0.0, 20.0, 40.0, 60.0]);
    }
}
