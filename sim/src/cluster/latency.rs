//! Quantiles of a latency in constant memory.

use super::summary::LatencyQuantiles;

/// Bits of a latency that are kept: quantiles are within 0.1 % of the exact value.
const BITS: u32 = 11;
/// Latencies below this have a bucket each; then, for each power of 2, half as many.
const EXACT: u64 = 1 << BITS;
const BUCKETS: usize = ((u64::BITS - BITS) as usize + 2) << (BITS - 1);

/// Counts latencies. Quantiles are within 0.1 % of the exact value, count, mean and the extremes
/// are exact. Memory does not depend on what is recorded.
#[derive(Clone, Debug)]
pub struct LatencyRecorder {
    /// How many there were of each bucket, in rising order.
    buckets: Box<[u64]>,
    count: u64,
    sum_ns: u128,
    min_ns: u64,
    max_ns: u64,
    /// The latest latency and how often it has come in a row, not counted above yet: where
    /// latencies are constant, counting one is an addition.
    latest_ns: u64,
    repeats: u64,
}

impl Default for LatencyRecorder {
    fn default() -> Self {
        LatencyRecorder {
            buckets: vec![0; BUCKETS].into_boxed_slice(),
            count: 0,
            sum_ns: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            latest_ns: 0,
            repeats: 0,
        }
    }
}

impl LatencyRecorder {
    /// Counts one latency.
    #[inline]
    pub fn record(&mut self, latency_ns: u64) {
        if latency_ns != self.latest_ns {
            self.count_latest();
            self.latest_ns = latency_ns;
        }
        self.repeats += 1;
    }

    fn count_latest(&mut self) {
        if self.repeats == 0 {
            return;
        }
        self.buckets[bucket(self.latest_ns)] += self.repeats;
        self.count += self.repeats;
        self.sum_ns += u128::from(self.latest_ns) * u128::from(self.repeats);
        self.min_ns = self.min_ns.min(self.latest_ns);
        self.max_ns = self.max_ns.max(self.latest_ns);
        self.repeats = 0;
    }

    /// What was seen; all 0 when nothing was.
    pub fn quantiles(&mut self) -> LatencyQuantiles {
        self.count_latest();
        if self.count == 0 {
            return LatencyQuantiles::default();
        }
        let count = u128::from(self.count);
        LatencyQuantiles {
            count: self.count,
            min_ns: self.min_ns,
            mean_ns: ((self.sum_ns + count / 2) / count) as u64,
            p50_ns: self.quantile(500),
            p90_ns: self.quantile(900),
            p99_ns: self.quantile(990),
            p999_ns: self.quantile(999),
            max_ns: self.max_ns,
        }
    }

    /// The smallest latency such that so many thousandths of all are not longer.
    fn quantile(&self, thousandths: u64) -> u64 {
        let wanted = (u128::from(self.count) * u128::from(thousandths)).div_ceil(1000) as u64;
        let mut seen = 0;
        let reached = self.buckets.iter().position(|&count| {
            seen += count;
            seen >= wanted
        });
        let last = reached.expect("all of them are in the buckets");
        longest(last).clamp(self.min_ns, self.max_ns)
    }
}

/// The bucket of a latency: its own, or that of its highest 11 bits.
#[inline]
fn bucket(latency_ns: u64) -> usize {
    let shift = (latency_ns | (EXACT - 1)).ilog2() - (BITS - 1);
    ((u64::from(shift) << (BITS - 1)) + (latency_ns >> shift)) as usize
}

/// The longest latency of a bucket.
fn longest(bucket: usize) -> u64 {
    let half = EXACT / 2;
    let bucket = bucket as u64;
    let shift = (bucket / half).saturating_sub(1);
    let highest_bits = bucket - shift * half;
    (highest_bits << shift) | ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Streams;
    use hdrhistogram::Histogram;

    #[test]
    fn nothing_seen_is_all_zero() {
        assert_eq!(LatencyRecorder::default().quantiles(), LatencyQuantiles::default());
    }

    #[test]
    fn quantiles_are_those_of_hdr_histogram() {
        let mut draws = Streams::new(5).stream("test", "latencies");
        for (count, magnitudes) in [(1, 1), (2, 20), (999, 12), (10_000, 44), (3_000, 63)] {
            let mut recorder = LatencyRecorder::default();
            let mut histogram = Histogram::<u64>::new(3).unwrap();
            for _ in 0..count {
                let magnitude = draws.below(magnitudes);
                let latency = draws.below(2 << magnitude);
                for _ in 0..1 + draws.below(3) {
                    recorder.record(latency);
                    histogram.record(latency).unwrap();
                }
            }
            let seen = recorder.quantiles();
            assert_eq!(seen.count, histogram.len());
            let exact = |quantile| histogram.value_at_quantile(quantile).clamp(seen.min_ns, seen.max_ns);
            let found = [seen.p50_ns, seen.p90_ns, seen.p99_ns, seen.p999_ns];
            assert_eq!(found, [0.5, 0.9, 0.99, 0.999].map(exact), "{count} of 2^{magnitudes}");
        }
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
        assert_eq!((seen.p50_ns, seen.p90_ns), (0, u64::MAX));
    }

    #[test]
    fn every_bucket_follows_the_one_before() {
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
        for at in 0..BUCKETS - 1 {
            let longest = longest(at);
            assert_eq!((bucket(longest), bucket(longest + 1)), (at, at + 1));
        }
    }
}
