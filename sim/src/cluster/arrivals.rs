//! When the next request of a producer arises.

use super::sampler::Draws;
use super::spec::{Arrivals, RecordedArrival};
use crate::engine::{Distribution, SimDuration, SimTime, Streams};

/// An arrival process under way. The usual one is kept small: with thousands of producers, each
/// cache line of them counts.
#[derive(Clone, Debug)]
pub(super) enum ArrivalProcess {
    Constant { next: SimTime, interval: SimDuration, until: SimTime },
    Poisson(Box<Poisson>),
    Other(Box<OtherProcess>),
}

/// A Poisson process under way.
#[derive(Clone, Debug)]
pub(super) struct Poisson {
    last: SimTime,
    until: SimTime,
    gaps: Draws,
}

/// An arrival process of another kind.
#[derive(Clone, Debug)]
pub(super) enum OtherProcess {
    OnOff(OnOff),
    Ramp(Ramp),
    Recorded { arrivals: Vec<RecordedArrival>, next: usize },
}

/// Bursts under way.
#[derive(Clone, Debug)]
pub(super) struct OnOff {
    on: SimDuration,
    cycle: SimDuration,
    first: SimDuration,
    interval: SimDuration,
    until: SimTime,
    cycle_start: SimTime,
    within: SimDuration,
}

/// A ramp under way: arrival k comes when the rate's integral over time reaches k.
#[derive(Clone, Debug)]
pub(super) struct Ramp {
    start: SimTime,
    over_s: f64,
    from_per_s: f64,
    to_per_s: f64,
    until: SimTime,
    count: u64,
}

/// A request that arises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) at: SimTime,
    /// Records in it, when not as the producer says.
    pub(super) records: Option<u32>,
}

impl ArrivalProcess {
    pub(super) fn new(arrivals: &Arrivals, streams: &Streams, producer: &str) -> Self {
        let end = |until: &Option<SimTime>| until.unwrap_or(SimTime::MAX);
        let other = match arrivals {
            Arrivals::Constant { first, interval, until } => {
                return ArrivalProcess::Constant { next: *first, interval: *interval, until: end(until) };
            }
            Arrivals::Poisson { start, mean, until } => {
                let gap = Distribution::Exponential { mean: *mean };
                let gaps = Draws::new(gap, streams, producer, "arrivals");
                let poisson = Poisson { last: *start, until: end(until), gaps };
                return ArrivalProcess::Poisson(Box::new(poisson));
            }
            Arrivals::OnOff { on, off, first, interval, until } => OtherProcess::OnOff(OnOff {
                on: *on,
                cycle: *on + *off,
                first: *first,
                interval: *interval,
                until: end(until),
                cycle_start: SimTime::ZERO,
                within: *first,
            }),
            Arrivals::Ramp { start, over, from_per_s, to_per_s, until } => OtherProcess::Ramp(Ramp {
                start: *start,
                over_s: over.as_nanos() as f64 / 1e9,
                from_per_s: *from_per_s,
                to_per_s: *to_per_s,
                until: end(until),
                count: 0,
            }),
            Arrivals::Recorded { arrivals } => OtherProcess::Recorded { arrivals: arrivals.clone(), next: 0 },
        };
        ArrivalProcess::Other(Box::new(other))
    }

    /// Whether arrivals may say how many records they have.
    #[inline]
    pub(super) fn names_records(&self) -> bool {
        matches!(self, ArrivalProcess::Other(_))
    }

    /// The next arrival, if there is one.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Arrival> {
        match self {
            ArrivalProcess::Constant { next, interval, until } => {
                let at = *next;
                *next = at + *interval;
                (at < *until).then_some(Arrival { at, records: None })
            }
            ArrivalProcess::Poisson(poisson) => {
                poisson.last += poisson.gaps.next();
                (poisson.last < poisson.until).then_some(Arrival { at: poisson.last, records: None })
            }
            ArrivalProcess::Other(other) => other.next(),
        }
    }
}

impl OtherProcess {
    #[inline(never)]
    fn next(&mut self) -> Option<Arrival> {
        let (at, until) = match self {
            OtherProcess::OnOff(bursts) => (bursts.next(), bursts.until),
            OtherProcess::Ramp(ramp) => (ramp.next(), ramp.until),
            OtherProcess::Recorded { arrivals, next } => {
                let arrival = *arrivals.get(*next)?;
                *next += 1;
                return Some(Arrival { at: arrival.at, records: arrival.records });
            }
        };
        (at < until).then_some(Arrival { at, records: None })
    }
}

impl OnOff {
    fn next(&mut self) -> SimTime {
        if self.within >= self.on {
            self.cycle_start += self.cycle;
            self.within = self.first;
        }
        let at = self.cycle_start + self.within;
        self.within += self.interval;
        at
    }
}

impl Ramp {
    /// Solves `from·t + (to − from)/(2·over)·t² = count` for t; after the ramp the rate stays.
    fn next(&mut self) -> SimTime {
        self.count += 1;
        let count = self.count as f64;
        let during = (self.from_per_s + self.to_per_s) / 2.0 * self.over_s;
        let seconds = if count >= during {
            self.over_s + (count - during) / self.to_per_s
        } else {
            let slope = (self.to_per_s - self.from_per_s) / self.over_s;
            let root = libm::sqrt(self.from_per_s * self.from_per_s + 2.0 * slope * count);
            2.0 * count / (self.from_per_s + root)
        };
        self.start + SimDuration::from_nanos((seconds * 1e9 + 0.5) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(arrivals: &Arrivals, count: usize) -> Vec<u64> {
        let mut process = ArrivalProcess::new(arrivals, &Streams::new(7), "producer");
        std::iter::from_fn(|| process.next()).take(count).map(|arrival| arrival.at.as_millis()).collect()
    }

    #[test]
    fn constant_counts_from_its_first_and_stops() {
        let arrivals = Arrivals::Constant {
            first: SimTime::from_millis(5),
            interval: SimDuration::from_millis(10),
            until: Some(SimTime::from_millis(25)),
        };
        assert_eq!(millis(&arrivals, 9), [5, 15]);
    }

    #[test]
    fn bursts_start_anew_in_each_cycle() {
        let arrivals = Arrivals::OnOff {
            on: SimDuration::from_millis(25),
            off: SimDuration::from_millis(10),
            first: SimDuration::from_millis(5),
            interval: SimDuration::from_millis(10),
            until: None,
        };
        assert_eq!(millis(&arrivals, 5), [5, 15, 40, 50, 75]);
    }

    #[test]
    fn a_ramp_doubles_its_rate_and_keeps_it() {
        let arrivals = Arrivals::Ramp {
            start: SimTime::from_secs(1),
            over: SimDuration::from_secs(10),
            from_per_s: 10.0,
            to_per_s: 30.0,
            until: None,
        };
        let times = millis(&arrivals, 1000);
        let within = |from: u64, to: u64| times.iter().filter(|&&at| at > from && at <= to).count();
        assert_eq!(within(0, 1000), 0);
        assert_eq!(within(1000, 11_000), 200);
        assert_eq!((within(1000, 2000), within(10_000, 11_000)), (11, 29));
        assert_eq!((within(12_000, 13_000), within(30_000, 31_000)), (30, 30));
    }

    #[test]
    fn poisson_has_its_mean_and_recorded_its_times() {
        let mean = SimDuration::from_millis(10);
        let poisson = Arrivals::Poisson { start: SimTime::ZERO, mean, until: None };
        let last = *millis(&poisson, 10_000).last().unwrap();
        assert!((97_000..103_000).contains(&last), "10,000 arrivals took {last} ms");
        let at = |ms, records| RecordedArrival { at: SimTime::from_millis(ms), records };
        let recorded = Arrivals::Recorded { arrivals: vec![at(3, None), at(3, Some(2)), at(9, None)] };
        assert_eq!(millis(&recorded, 9), [3, 3, 9]);
    }
}
