//! Statistics over seeds: mean with a t interval, share with a Wilson interval, quantiles.

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF};
use std::collections::BTreeMap;

/// An interval that covers the true value with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Mean, spread and extremes of what was seen, in constant memory (Welford's recurrence).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl Moments {
    /// Adds one observation.
    pub fn add(&mut self, value: f64) {
        if self.count == 0 {
            (self.min, self.max) = (value, value);
        }
        self.count += 1;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        let from_mean = value - self.mean;
        self.mean += from_mean / self.count as f64;
        self.squares += from_mean * (value - self.mean);
    }

    /// Number of observations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Arithmetic mean; none without observations.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Smallest observation.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// Largest observation.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }

    /// Standard deviation of the population that the observations are a sample of (divided by
    /// n − 1); none with fewer than two.
    pub fn standard_deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).max(0.0).sqrt())
    }

    /// The 95 % interval of the mean by Student's t; none with fewer than two observations.
    pub fn mean_interval(&self) -> Option<Interval> {
        let deviation = self.standard_deviation()?;
        let half = t_quantile_975(self.count - 1) * deviation / (self.count as f64).sqrt();
        Some(Interval { low: self.mean - half, high: self.mean + half })
    }
}

/// The 97.5 % quantile of the standard normal distribution.
const NORMAL_QUANTILE_975: f64 = 1.959_963_984_540_054;

/// The 97.5 % quantile of Student's t, by degrees of freedom: a table up to 30, above it the
/// Cornish–Fisher series, whose error there is below 0.0001.
pub fn t_quantile_975(degrees: u64) -> f64 {
    const TABLE: [f64; 30] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004, 2.262_157,
        2.228_139, 2.200_985, 2.178_813, 2.160_369, 2.144_787, 2.131_450, 2.119_905, 2.109_816, 2.100_922,
        2.093_024, 2.085_963, 2.079_614, 2.073_873, 2.068_658, 2.063_899, 2.059_539, 2.055_529, 2.051_831,
        2.048_407, 2.045_230, 2.042_272,
    ];
    match degrees {
        0 => f64::INFINITY,
        1..=30 => TABLE[degrees as usize - 1],
        _ => {
            let (z, n) = (NORMAL_QUANTILE_975, degrees as f64);
            let (z3, z5) = (z * z * z, z * z * z * z * z);
            z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
        }
    }
}

/// Wilson's 95 % interval for a share of `hits` in `total`; none when `total` is 0.
pub fn wilson_interval(hits: u64, total: u64) -> Option<Interval> {
    if total == 0 {
        return None;
    }
    let (n, z) = (total as f64, NORMAL_QUANTILE_975);
    let share = hits as f64 / n;
    let scale = 1.0 + z * z / n;
    let middle = (share + z * z / (2.0 * n)) / scale;
    let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    // The ends are exactly 0 and 1 there; rounding must not take them below or above.
    let low = if hits == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if hits == total { 1.0 } else { (middle + half).min(1.0) };
    Some(Interval { low, high })
}

/// The exact (Clopper–Pearson) lower and upper bound of a share of which `hits` of `total` are
/// seen, each right with probability `confidence`, from 0.5 to below 1; 0 and 1 when `total`
/// is 0. Rounded to nine decimals, so that every machine decides alike.
pub fn share_bounds(hits: u64, total: u64, confidence: f64) -> Interval {
    let quantile = |a: u64, b: u64, p: f64| {
        let beta = Beta::new(a as f64, b as f64).expect("both shapes are above 0");
        (beta.inverse_cdf(p) * 1e9).round() / 1e9
    };
    let low = if hits == 0 { 0.0 } else { quantile(hits, total - hits + 1, 1.0 - confidence) };
    let high = if hits == total { 1.0 } else { quantile(hits + 1, total - hits, confidence) };
    Interval { low, high }
}

/// How many different values are told apart exactly.
const EXACT_MAX: usize = 10_000;
/// Bits of a number that are left away when there are more: ten bits of the fraction stay, so
/// that a value is off by 0.1 % at most.
const BINNED_BITS: u32 = 42;

/// Quantiles in bounded memory: how often each value was seen, and beyond 10,000 different
/// ones how often one of nearly that value was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quantiles {
    /// By value, as bits that sort as the numbers do; the lowest ones cut off when binned.
    counts: BTreeMap<u64, u64>,
    is_binned: bool,
    total: u64,
}

impl Quantiles {
    /// Adds one observation, which is a number.
    pub fn add(&mut self, value: f64) {
        *self.counts.entry(self.key(value)).or_default() += 1;
        self.total += 1;
        if self.counts.len() > EXACT_MAX && !self.is_binned {
            self.is_binned = true;
            for (key, count) in std::mem::take(&mut self.counts) {
                *self.counts.entry(key >> BINNED_BITS).or_default() += count;
            }
        }
    }

    /// Whether every value was told apart.
    pub fn is_exact(&self) -> bool {
        !self.is_binned
    }

    /// The quantile of a share from 0 to 1, interpolated between the two nearest observations
    /// (type 7 of Hyndman and Fan, as in NumPy and R); none without observations.
    pub fn at(&self, share: f64) -> Option<f64> {
        let last = self.total.checked_sub(1)?;
        let rank = share.clamp(0.0, 1.0) * last as f64;
        let below = rank.floor();
        let (low, high) = (self.observation(below as u64)?, self.observation((below as u64 + 1).min(last))?);
        Some(low + (high - low) * (rank - below))
    }

    /// The observation of a rank from 0.
    fn observation(&self, rank: u64) -> Option<f64> {
        let mut seen = 0;
        let found = self.counts.iter().find(|(_, count)| {
            seen += **count;
            seen > rank
        });
        found.map(|(key, _)| self.value(*key))
    }

    fn key(&self, value: f64) -> u64 {
        // Both zeros are one value.
        let bits = (value + 0.0).to_bits();
        let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
        if self.is_binned { ordered >> BINNED_BITS } else { ordered }
    }

    fn value(&self, key: u64) -> f64 {
        // The bin of the smallest numbers is that of 0, which is far more common.
        if self.is_binned && key == 1 << (63 - BINNED_BITS) {
            return 0.0;
        }
        let ordered = if self.is_binned { (key << BINNED_BITS) | 1 << (BINNED_BITS - 1) } else { key };
        f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found} is not {expected} within {within}");
    }

    #[test]
    fn moments_of_a_small_sample() {
        let mut seen = Moments::default();
        assert_eq!((seen.mean(), seen.min(), seen.mean_interval()), (None, None, None));
        for value in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            seen.add(value);
        }
        assert_eq!((seen.mean(), seen.min(), seen.max()), (Some(5.0), Some(2.0), Some(9.0)));
        close(seen.standard_deviation().unwrap(), 2.138_089_935, 1e-9);
        // scipy.stats.t.interval(0.95, 7, loc=5, scale=2.13809/sqrt(8))
        let interval = seen.mean_interval().unwrap();
        close(interval.low, 3.212_51, 1e-4);
        close(interval.high, 6.787_49, 1e-4);
    }

    #[test]
    fn a_single_observation_has_no_interval() {
        let mut seen = Moments::default();
        seen.add(3.0);
        assert_eq!((seen.mean(), seen.mean_interval()), (Some(3.0), None));
    }

    #[test]
    fn t_goes_over_into_the_normal() {
        close(t_quantile_975(1), 12.7062, 1e-4);
        close(t_quantile_975(31), 2.039_513, 1e-4);
        close(t_quantile_975(99), 1.984_217, 1e-4);
        close(t_quantile_975(1_000_000), 1.959_966, 1e-5);
    }

    #[test]
    fn wilson_at_the_ends_and_between() {
        assert_eq!(wilson_interval(0, 0), None);
        let none = wilson_interval(0, 20).unwrap();
        assert_eq!(none.low, 0.0);
        close(none.high, 0.161_125, 1e-5);
        let all = wilson_interval(20, 20).unwrap();
        assert_eq!(all.high, 1.0);
        close(all.low, 0.838_875, 1e-5);
        let half = wilson_interval(10, 20).unwrap();
        close(half.low, 0.299_298, 1e-5);
        close(half.high, 0.700_702, 1e-5);
    }

    #[test]
    fn exact_bounds_of_a_share() {
        // scipy.stats.beta.ppf(0.05, 18, 3) and ppf(0.95, 19, 2)
        let bounds = share_bounds(18, 20, 0.95);
        close(bounds.low, 0.717_382, 1e-5);
        close(bounds.high, 0.981_935, 1e-5);
        // All of n: the lower bound is (1 − confidence)^(1/n).
        let all = share_bounds(20, 20, 0.95);
        close(all.low, 0.860_892, 1e-5);
        assert_eq!(all.high, 1.0);
        let none = share_bounds(0, 20, 0.95);
        assert_eq!(none.low, 0.0);
        close(none.high, 0.139_108, 1e-5);
        let unknown = share_bounds(0, 0, 0.95);
        assert_eq!((unknown.low, unknown.high), (0.0, 1.0));
    }

    #[test]
    fn quantiles_are_those_of_numpy() {
        let mut seen = Quantiles::default();
        assert_eq!(seen.at(0.5), None);
        for value in [7.0, -1.0, 3.0, 2.0] {
            seen.add(value);
        }
        // numpy.quantile([7, -1, 3, 2], [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1])
        for (share, wanted) in
            [(0.0, -1.0), (0.05, -0.55), (0.25, 1.25), (0.5, 2.5), (0.75, 4.0), (0.95, 6.4), (1.0, 7.0)]
        {
            close(seen.at(share).unwrap(), wanted, 1e-12);
        }
        let mut zeros = Quantiles::default();
        zeros.add(0.0);
        zeros.add(-0.0);
        assert_eq!(zeros.counts.len(), 1);
    }

    #[test]
    fn many_values_take_bounded_memory_and_stay_near() {
        let mut seen = Quantiles::default();
        for index in 0..200_000u64 {
            seen.add((index * 7_919 % 200_000) as f64 - 100_000.0);
        }
        assert!(!seen.is_exact() && seen.counts.len() < 40_000, "{}", seen.counts.len());
        let mut zeros = seen.clone();
        (0..300_000).for_each(|_| zeros.add(0.0));
        assert_eq!(zeros.at(0.5), Some(0.0));
        for share in [0.05, 0.25, 0.6, 0.95] {
            let exact = share * 199_999.0 - 100_000.0;
            let found = seen.at(share).unwrap();
            assert!((found - exact).abs() <= exact.abs() * 0.001, "{found} is not near {exact}");
        }
    }
}
