//! One direction of a connection: latency, bandwidth, order, and what faults do to it.

use super::sampler::Sampler;
use crate::engine::{SimDuration, SimTime};

/// One direction of one connection. What is sent later arrives no earlier.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    latency: Sampler,
    /// Bytes per second; 0: no limit.
    bandwidth: u64,
    /// When the sender has put the last message on the wire; with a bandwidth only.
    wire_free: SimTime,
    last_arrival: SimTime,
    /// Nothing arrives earlier than this while the link is stalled.
    stalled_until: SimTime,
    /// Added to each latency by faults.
    extra: SimDuration,
}

impl Direction {
    pub(super) fn new(latency: Sampler, bandwidth: Option<u64>) -> Self {
        Direction {
            latency,
            bandwidth: bandwidth.unwrap_or(0),
            wire_free: SimTime::ZERO,
            last_arrival: SimTime::ZERO,
            stalled_until: SimTime::ZERO,
            extra: SimDuration::ZERO,
        }
    }

    /// When a message of `bytes` that is sent at `now` arrives.
    #[inline]
    pub(super) fn arrival(&mut self, now: SimTime, bytes: u64) -> SimTime {
        let mut sent = now;
        if self.bandwidth != 0 {
            let nanos = (u128::from(bytes) * 1_000_000_000 / u128::from(self.bandwidth)).min(u64::MAX.into());
            sent = self.wire_free.max(now) + SimDuration::from_nanos(nanos as u64);
            self.wire_free = sent;
        }
        let arrival = sent + self.latency.sample() + self.extra;
        self.last_arrival = arrival.max(self.last_arrival).max(self.stalled_until);
        self.last_arrival
    }

    pub(super) fn stall_until(&mut self, end: SimTime) {
        self.stalled_until = self.stalled_until.max(end);
    }

    pub(super) fn add_delay(&mut self, extra: SimDuration) {
        self.extra += extra;
    }

    pub(super) fn remove_delay(&mut self, extra: SimDuration) {
        self.extra = SimDuration::from_nanos(self.extra.as_nanos() - extra.as_nanos());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Distribution, Streams};

    fn direction(latency: Distribution, bandwidth: Option<u64>) -> Direction {
        Direction::new(Sampler::new(latency, &Streams::new(1), "link", "latency"), bandwidth)
    }

    #[test]
    fn nothing_overtakes() {
        let jitter = Distribution::Uniform { min: SimDuration::ZERO, max: SimDuration::from_millis(50) };
        let mut link = direction(jitter, None);
        let mut last = SimTime::ZERO;
        for ms in 0..1000 {
            let now = SimTime::from_millis(ms);
            let arrival = link.arrival(now, 1);
            assert!(arrival >= last && arrival >= now);
            last = arrival;
        }
    }

    #[test]
    fn bandwidth_is_shared_by_what_is_on_the_wire() {
        let mut link = direction(Distribution::Constant(SimDuration::from_millis(5)), Some(1_000_000));
        assert_eq!(link.arrival(SimTime::ZERO, 10_000), SimTime::from_millis(15));
        assert_eq!(link.arrival(SimTime::ZERO, 10_000), SimTime::from_millis(25));
        assert_eq!(link.arrival(SimTime::from_millis(100), 1_000), SimTime::from_millis(106));
    }

    #[test]
    fn faults_hold_messages_and_delay_them() {
        let mut link = direction(Distribution::Constant(SimDuration::from_millis(5)), None);
        link.stall_until(SimTime::from_secs(1));
        assert_eq!(link.arrival(SimTime::from_millis(10), 1), SimTime::from_secs(1));
        assert_eq!(link.arrival(SimTime::from_millis(998), 1), SimTime::from_millis(1003));
        link.add_delay(SimDuration::from_millis(7));
        assert_eq!(link.arrival(SimTime::from_secs(2), 1), SimTime::from_millis(2012));
        link.remove_delay(SimDuration::from_millis(7));
        assert_eq!(link.arrival(SimTime::from_secs(3), 1), SimTime::from_millis(3005));
    }
}
