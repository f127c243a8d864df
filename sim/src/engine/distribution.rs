//! Distributions of durations: latencies, service times, gaps between arrivals.
//!
//! Sampling uses integer arithmetic, the basic operations of IEEE 754 and the
//! `libm` crate, never the platform's own mathematical library, so the same
//! stream gives the same durations everywhere.

use std::fmt;

use super::random::Stream;
use super::time::SimDuration;

/// A distribution of durations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same; draws nothing from the stream.
    Constant(SimDuration),
    /// Every whole number of nanoseconds from `min` to `max`, both included.
    Uniform {
        /// The shortest.
        min: SimDuration,
        /// The longest; where it is below `min`, `min` is meant.
        max: SimDuration,
    },
    /// Gaps of a Poisson process. One draw per sample.
    Exponential {
        /// The mean; the median is 0.693 of it.
        mean: SimDuration,
    },
    /// `median · e^(sigma · z)` with a standard normal z. Two draws per sample.
    LogNormal {
        /// Half of the samples are longer. The mean is `median · e^(sigma² / 2)`.
        median: SimDuration,
        /// The standard deviation of the logarithm: at 0.5 one sample in six is
        /// longer than 1.65 medians and one in 43 longer than 2.7.
        sigma: f64,
    },
}

/// Why a distribution makes no sense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DistributionError {
    /// A uniform distribution whose longest is below its shortest.
    EmptyRange {
        /// The shortest, as given.
        min: SimDuration,
        /// The longest, as given.
        max: SimDuration,
    },
    /// A sigma that is negative or not a finite number.
    BadSigma(f64),
}

impl fmt::Display for DistributionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyRange { min, max } => {
                write!(f, "the maximum {max} is below the minimum {min}; expected max ≥ min")
            }
            Self::BadSigma(sigma) => {
                write!(f, "sigma is {sigma}; expected a finite number of 0 or more")
            }
        }
    }
}

impl std::error::Error for DistributionError {}

impl Distribution {
    /// Whether the parameters make sense.
    pub fn validate(&self) -> Result<(), DistributionError> {
        match *self {
            Self::Uniform { min, max } if max < min => Err(DistributionError::EmptyRange { min, max }),
            Self::LogNormal { sigma, .. } if !(sigma.is_finite() && sigma >= 0.0) => {
                Err(DistributionError::BadSigma(sigma))
            }
            _ => Ok(()),
        }
    }

    /// Draws a duration, rounded to the nearest nanosecond; one that is too long
    /// becomes [`SimDuration::MAX`].
    #[inline]
    pub fn sample(&self, stream: &mut Stream) -> SimDuration {
        match *self {
            Self::Constant(duration) => duration,
            Self::Uniform { min, max } => {
                min + SimDuration::from_nanos(up_to(stream, (max - min).as_nanos()))
            }
            Self::Exponential { mean } => scaled(mean, -libm::log(stream.unit_open())),
            Self::LogNormal { median, sigma } => scaled(median, libm::exp(sigma * standard_normal(stream))),
        }
    }
}

/// A number of `0..=max`.
#[inline]
fn up_to(stream: &mut Stream, max: u64) -> u64 {
    match max.checked_add(1) {
        Some(n) => stream.below(n),
        None => stream.next_u64(),
    }
}

/// The conversion saturates at both ends.
#[inline]
fn scaled(duration: SimDuration, factor: f64) -> SimDuration {
    SimDuration::from_nanos((duration.as_nanos() as f64 * factor + 0.5) as u64)
}

/// Box and Muller's method; the second number of the pair is not used, so a
/// sample depends on nothing but its own two draws.
#[inline]
fn standard_normal(stream: &mut Stream) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(stream.unit_open()));
    radius * libm::cos(std::f64::consts::TAU * stream.unit())
}
