//! A distribution with the random stream that it draws from.

use crate::engine::{Distribution, SimDuration, Stream, Streams};

/// Draws durations. A constant one keeps no stream: most links of a large cluster are constant.
#[derive(Clone, Debug)]
pub(super) enum Sampler {
    Constant(SimDuration),
    Random(Box<(Distribution, Stream)>),
}

impl Sampler {
    pub(super) fn new(distribution: Distribution, streams: &Streams, actor: &str, purpose: &str) -> Self {
        match distribution {
            Distribution::Constant(duration) => Sampler::Constant(duration),
            random => Sampler::Random(Box::new((random, streams.stream(actor, purpose)))),
        }
    }

    #[inline]
    pub(super) fn sample(&mut self) -> SimDuration {
        match self {
            Sampler::Constant(duration) => *duration,
            Sampler::Random(random) => {
                let (distribution, stream) = &mut **random;
                distribution.sample(stream)
            }
        }
    }
}
