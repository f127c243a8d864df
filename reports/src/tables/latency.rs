//! Quantiles of a latency in constant memory.

use hdrhistogram::Histogram;
use isrlab_sim::cluster::LatencyQuantiles;

/// Counts latencies; quantiles are within 0.1 % of the exact value, count, mean and the extremes
/// exact.
pub struct LatencyRecorder {
    histogram: Histogram<u64>,
    sum_ns: u128,
    min_ns: u64,
    max_ns: u64,
}

impl Default for LatencyRecorder {
    fn default() -> Self {
        // Three significant digits, and room for any u64: the histogram grows to what it sees.
        let histogram = Histogram::new(3).expect("three digits are allowed");
        LatencyRecorder { histogram, sum_ns: 0, min_ns: u64::MAX, max_ns: 0 }
    }
}

impl LatencyRecorder {
    /// Counts one latency.
    pub fn record(&mut self, latency_ns: u64) {
        self.histogram.record(latency_ns).expect("the histogram grows to any value");
        self.sum_ns += u128::from(latency_ns);
        self.min_ns = self.min_ns.min(latency_ns);
        self.max_ns = self.max_ns.max(latency_ns);
    }

    /// What was seen; all 0 when nothing was.
    pub fn quantiles(&self) -> LatencyQuantiles {
        let count = self.histogram.len();
        if count == 0 {
            return LatencyQuantiles::default();
        }
        let quantile = |q: f64| self.histogram.value_at_quantile(q).clamp(self.min_ns, self.max_ns);
        let (total, half) = (u128::from(count), u128::from(count) / 2);
        LatencyQuantiles {
            count,
            min_ns: self.min_ns,
            mean_ns: ((self.sum_ns + half) / total) as u64,
            p50_ns: quantile(0.5),
            p90_ns: quantile(0.9),
            p99_ns: quantile(0.99),
            p999_ns: quantile(0.999),
            max_ns: self.max_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_seen_is_all_zero() {
        assert_eq!(LatencyRecorder::default().quantiles(), LatencyQuantiles::default());
    }

    #[test]
    fn quantiles_are_within_a_thousandth() {
        let mut recorder = LatencyRecorder::default();
        for micros in 1..=1000u64 {
            recorder.record(micros * 1000);
        }
        let seen = recorder.quantiles();
        assert_eq!((seen.count, seen.min_ns, seen.mean_ns, seen.max_ns), (1000, 1000, 500_500, 1_000_000));
        for (found, exact) in [(seen.p50_ns, 500_000), (seen.p90_ns, 900_000), (seen.p99_ns, 990_000)] {
            assert!(found.abs_diff(exact) * 1000 <= exact, "{found} is not {exact}");
        }
    }

    #[test]
    fn the_longest_latency_there_is_fits() {
        let mut recorder = LatencyRecorder::default();
        recorder.record(u64::MAX);
        recorder.record(0);
        let seen = recorder.quantiles();
        assert_eq!((seen.min_ns, seen.max_ns, seen.count), (0, u64::MAX, 2));
    }
}
