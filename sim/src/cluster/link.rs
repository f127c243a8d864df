//! One direction of a connection: latency, bandwidth, order, and what faults do to it.

use super::sampler::Draws;
use crate::engine::{Distribution, SimDuration, SimTime, Streams};

/// One direction of one connection. What is sent later arrives no earlier.
///
/// Most links have a constant latency and no limit of bandwidth; what the others need lies apart,
/// so that a connection of the former is small.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    /// How long each message takes at least: the latency if it is constant, and what faults add.
    fixed: SimDuration,
    /// Nothing arrives earlier: it would overtake, or the link is stalled until then.
    floor: SimTime,
    varying: Option<Box<Varying>>,
}

/// What depends on chance, or on the size of the message.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Varying {
    /// Bytes per second; 0: no limit.
    bandwidth: u64,
    latency: Draws,
    /// When the sender has put the last message on the wire; with a bandwidth only.
    wire_free: SimTime,
}

impl Direction {
    /// A direction whose latencies are drawn from the stream of this actor and purpose.
    pub(super) fn new(
        latency: Distribution,
        bandwidth: Option<u64>,
        streams: &Streams,
        actor: &str,
        purpose: &str,
    ) -> Self {
        let bandwidth = bandwidth.unwrap_or(0);
        let (fixed, drawn) = match latency {
            Distribution::Constant(fixed) => (fixed, Distribution::Constant(SimDuration::ZERO)),
            drawn => (SimDuration::ZERO, drawn),
        };
        let varies = bandwidth != 0 || drawn != Distribution::Constant(SimDuration::ZERO);
        let varying = varies.then(|| {
            let latency = Draws::new(drawn, streams, actor, purpose);
            Box::new(Varying { bandwidth, latency, wire_free: SimTime::ZERO })
        });
        Direction { fixed, floor: SimTime::ZERO, varying }
    }

    /// When a message of `bytes` that is sent at `now` arrives.
    #[inline]
    pub(super) fn arrival(&mut self, now: SimTime, bytes: u64) -> SimTime {
        let sent = match &mut self.varying {
            None => now,
            Some(varying) => varying.sent(now, bytes),
        };
        self.floor = (sent + self.fixed).max(self.floor);
        self.floor
    }

    pub(super) fn stall_until(&mut self, end: SimTime) {
        self.floor = self.floor.max(end);
    }

    pub(super) fn add_delay(&mut self, extra: SimDuration) {
        self.fixed += extra;
    }

    pub(super) fn remove_delay(&mut self, extra: SimDuration) {
        self.fixed = SimDuration::from_nanos(self.fixed.as_nanos() - extra.as_nanos());
    }
}

impl Varying {
    /// When a message is off the wire and its latency is over.
    #[inline]
    fn sent(&mut self, now: SimTime, bytes: u64) -> SimTime {
        let mut sent = now;
        if self.bandwidth != 0 {
            let nanos = (u128::from(bytes) * 1_000_000_000 / u128::from(self.bandwidth)).min(u64::MAX.into());
            sent = self.wire_free.max(now) + SimDuration::from_nanos(nanos as u64);
            self.wire_free = sent;
        }
        sent + self.latency.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn direction(latency: Distribution, bandwidth: Option<u64>) -> Direction {
        Direction::new(latency, bandwidth, &Streams::new(1), "link", "latency")
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
