//! A distribution with the random stream that it draws from.

use crate::engine::{Distribution, SimDuration, Stream, Streams};

/// How many durations are drawn at once.
const AHEAD: usize = 6;

/// Durations drawn from a stream of their own, a few ahead: what is drawn does not depend on when,
/// and a draw then touches one cache line, instead of those of the generator too. With thousands
/// of connections that is most of what a draw costs.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct Draws {
    /// Index of the next one in `ready`; `AHEAD` when they are used up.
    next: u32,
    ready: [SimDuration; AHEAD],
    distribution: Distribution,
    stream: Stream,
}

impl Draws {
    pub(super) fn new(distribution: Distribution, streams: &Streams, actor: &str, purpose: &str) -> Self {
        let stream = streams.stream(actor, purpose);
        Draws { ready: [SimDuration::ZERO; AHEAD], next: AHEAD as u32, distribution, stream }
    }

    #[inline]
    pub(super) fn next(&mut self) -> SimDuration {
        if self.next as usize >= AHEAD {
            self.draw();
        }
        let duration = self.ready[self.next as usize];
        self.next += 1;
        duration
    }

    #[inline(never)]
    fn draw(&mut self) {
        for duration in &mut self.ready {
            *duration = self.distribution.sample(&mut self.stream);
        }
        self.next = 0;
    }
}

/// Draws durations; a constant one keeps no stream.
#[derive(Clone, Debug)]
pub(super) enum Sampler {
    Constant(SimDuration),
    Random(Box<Draws>),
}

impl Sampler {
    pub(super) fn new(distribution: Distribution, streams: &Streams, actor: &str, purpose: &str) -> Self {
        match distribution {
            Distribution::Constant(duration) => Sampler::Constant(duration),
            random => Sampler::Random(Box::new(Draws::new(random, streams, actor, purpose))),
        }
    }

    #[inline]
    pub(super) fn sample(&mut self) -> SimDuration {
        match self {
            Sampler::Constant(duration) => *duration,
            Sampler::Random(draws) => draws.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_ahead_draws_the_same() {
        let mean = SimDuration::from_millis(10);
        let sigma = 0.5;
        for distribution in
            [Distribution::Exponential { mean }, Distribution::LogNormal { median: mean, sigma }]
        {
            let streams = Streams::new(3);
            let mut ahead = Draws::new(distribution, &streams, "actor", "purpose");
            let mut stream = streams.stream("actor", "purpose");
            for _ in 0..50 {
                assert_eq!(ahead.next(), distribution.sample(&mut stream));
            }
        }
    }
}
