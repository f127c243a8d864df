//! Streams and distributions: recorded draws, and the statistics of many.
//!
//! The recorded draws were computed by a separate program from the documentation of
//! `engine::Streams`. If one of these tests fails, every recorded run has changed.

use isrlab_sim::engine::{Distribution, DistributionError, SimDuration, Stream, Streams};

const MILLI: SimDuration = SimDuration::from_millis(1);

fn draws<const N: usize>(seed: u64, actor: &str, purpose: &str) -> [u64; N] {
    let mut stream = Streams::new(seed).stream(actor, purpose);
    std::array::from_fn(|_| stream.next_u64())
}

#[test]
fn streams_give_the_recorded_draws() {
    assert_eq!(
        draws(0, "", ""),
        [0x13659c0cc124fabd, 0x299f3ba4f01520ab, 0x9e590cb6b1d9f006, 0xb6683cc79103a25d]
    );
    assert_eq!(
        draws(u64::MAX, "broker-é", "latency"),
        [0x737f5a2d531f5e56, 0xf5c1d43a9d56cfa2, 0x18ed2740e58026e5, 0x316e3cf93107e9f4]
    );
    let long: [u64; 40] = draws(42, "producer-1", "arrivals");
    assert_eq!(long[..2], [0xcd6f1c534808a8d5, 0x3ce9433855b2425a]);
    assert_eq!(long[39], 0xa23f885bb664bc50);
}

#[test]
fn another_actor_moves_no_draw() {
    let alone: [u64; 8] = draws(9, "follower-1", "latency");
    let streams = Streams::new(9);
    let mut first = streams.stream("follower-1", "latency");
    let mut second = streams.stream("follower-2", "latency");
    let beside: [u64; 8] = std::array::from_fn(|_| {
        second.next_u64();
        first.next_u64()
    });
    assert_eq!(alone, beside);
}

fn first_samples(distribution: Distribution) -> [u64; 4] {
    let mut stream = Streams::new(1).stream("test", "golden");
    std::array::from_fn(|_| distribution.sample(&mut stream).as_nanos())
}

#[test]
fn distributions_give_the_recorded_samples() {
    let uniform = Distribution::Uniform { min: MILLI, max: SimDuration::from_millis(2) };
    assert_eq!(first_samples(uniform), [1_436_205, 1_124_823, 1_013_427, 1_681_510]);
    let exponential = Distribution::Exponential { mean: MILLI };
    assert_eq!(first_samples(exponential), [829_642, 2_080_858, 4_310_444, 383_444]);
    let log_normal = Distribution::LogNormal { median: MILLI, sigma: 0.5 };
    assert_eq!(first_samples(log_normal), [1_577_639, 542_026, 516_372, 671_977]);
}

#[test]
fn a_constant_draws_nothing() {
    let mut stream = Streams::new(1).stream("test", "golden");
    let mut untouched = stream.clone();
    assert_eq!(Distribution::Constant(MILLI).sample(&mut stream), MILLI);
    assert_eq!(stream.next_u64(), untouched.next_u64());
}

/// Sorted samples and their mean, in units of a millisecond.
fn many_samples(distribution: Distribution) -> (Vec<f64>, f64) {
    let mut stream = Streams::new(3).stream("test", "statistics");
    let mut samples: Vec<f64> =
        (0..200_000).map(|_| distribution.sample(&mut stream).as_nanos() as f64 / 1e6).collect();
    samples.sort_by(f64::total_cmp);
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    (samples, mean)
}

fn assert_near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 0.02, "{found} is not near {expected}");
}

#[test]
fn means_and_quantiles_are_those_of_the_distributions() {
    let quantile = |samples: &[f64], part: f64| samples[(part * samples.len() as f64) as usize];

    let (samples, mean) = many_samples(Distribution::Uniform { min: MILLI, max: MILLI * 3 });
    assert_near(mean, 2.0);
    assert_near(quantile(&samples, 0.25), 1.5);
    assert!(samples[0] >= 1.0 && samples[samples.len() - 1] <= 3.0);

    let (samples, mean) = many_samples(Distribution::Exponential { mean: MILLI * 5 });
    assert_near(mean, 5.0);
    assert_near(quantile(&samples, 0.5), 5.0 * std::f64::consts::LN_2);
    assert_near(quantile(&samples, 0.99), 5.0 * 4.605_170);

    let (samples, mean) = many_samples(Distribution::LogNormal { median: MILLI * 2, sigma: 0.5 });
    assert_near(mean, 2.0 * 1.133_148);
    assert_near(quantile(&samples, 0.5), 2.0);
    assert_near(quantile(&samples, 0.841_345), 2.0 * 1.648_721);
    assert_near(quantile(&samples, 0.158_655), 2.0 / 1.648_721);
}

#[test]
fn samples_saturate_and_are_never_negative() {
    let sample_all = |distribution: Distribution| {
        let mut stream: Stream = Streams::new(5).stream("test", "extremes");
        (0..1_000).map(|_| distribution.sample(&mut stream)).collect::<Vec<_>>()
    };
    let longest = Distribution::Exponential { mean: SimDuration::MAX };
    assert!(sample_all(longest).contains(&SimDuration::MAX));
    let widest = Distribution::LogNormal { median: MILLI, sigma: 1e6 };
    let samples = sample_all(widest);
    assert!(samples.contains(&SimDuration::MAX) && samples.contains(&SimDuration::ZERO));
    let nothing = Distribution::Exponential { mean: SimDuration::ZERO };
    assert!(sample_all(nothing).iter().all(|sample| sample.is_zero()));
    let all = Distribution::Uniform { min: SimDuration::ZERO, max: SimDuration::MAX };
    assert!(sample_all(all).iter().any(|sample| sample.as_nanos() > u64::MAX / 2));
    let point = Distribution::Uniform { min: MILLI, max: MILLI };
    assert!(sample_all(point).iter().all(|sample| *sample == MILLI));
}

#[test]
fn parameters_that_make_no_sense_are_named() {
    let empty = Distribution::Uniform { min: MILLI * 2, max: MILLI };
    assert_eq!(
        empty.validate().unwrap_err().to_string(),
        "the maximum 1ms is below the minimum 2ms; expected max ≥ min"
    );
    for sigma in [-0.1, f64::INFINITY] {
        let bad = Distribution::LogNormal { median: MILLI, sigma };
        assert_eq!(bad.validate(), Err(DistributionError::BadSigma(sigma)));
    }
    assert!(Distribution::LogNormal { median: MILLI, sigma: f64::NAN }.validate().is_err());
    assert_eq!(Distribution::LogNormal { median: MILLI, sigma: 0.0 }.validate(), Ok(()));
}
