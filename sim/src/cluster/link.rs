//! One direction of a connection: latency, bandwidth, order, and what faults do to it.

use crate::engine::{Distribution, SimDuration, SimTime, Stream, Streams};

/// How many latencies are drawn at once.
const AHEAD: usize = 3;
/// Stands for a latency too long for 32 bits.
const LONG: u32 = u32::MAX;

/// One direction of one connection. What is sent later arrives no earlier.
///
/// Most links have a constant latency and no limit of bandwidth; what the others need lies apart,
/// so that a connection of the former is small. Of latencies that are drawn, the next few stand
/// here: what is drawn does not depend on when, and with thousands of connections it is the reach
/// for the generator's state that a draw costs, more than its arithmetic.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct Direction {
    /// How long each message takes at least: the latency if it is constant, and what faults add.
    fixed: SimDuration,
    /// Nothing arrives earlier: it would overtake, or the link is stalled until then.
    floor: SimTime,
    varying: Option<Box<Varying>>,
    /// Latencies drawn ahead, nanoseconds, the next one at `left` − 1.
    ahead: [u32; AHEAD],
    left: u8,
    /// The bandwidth has a limit.
    limited: bool,
}

/// What depends on chance, or on the size of the message. The distribution and the beginning of
/// the generator's state share a cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Varying {
    latency: Distribution,
    stream: Stream,
    /// The latencies drawn ahead that are [`LONG`].
    long: [SimDuration; AHEAD],
    /// Bytes per second.
    bandwidth: u64,
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
        let (fixed, drawn) = match latency {
            Distribution::Constant(fixed) => (fixed, None),
            drawn => (SimDuration::ZERO, Some(drawn)),
        };
        let varying = (drawn.is_some() || bandwidth.is_some()).then(|| {
            Box::new(Varying {
                latency: drawn.unwrap_or(Distribution::Constant(SimDuration::ZERO)),
                stream: streams.stream(actor, purpose),
                long: [SimDuration::ZERO; AHEAD],
                bandwidth: bandwidth.unwrap_or(0),
                wire_free: SimTime::ZERO,
            })
        });
        let limited = bandwidth.is_some();
        Direction { fixed, floor: SimTime::ZERO, varying, ahead: [0; AHEAD], left: 0, limited }
    }

    /// When a message of `bytes` that is sent at `now` arrives.
    #[inline]
    pub(super) fn arrival(&mut self, now: SimTime, bytes: u64) -> SimTime {
        let mut arrival = now;
        if let Some(varying) = &mut self.varying {
            if self.limited {
                arrival = varying.put_on_the_wire(now, bytes);
            }
            if self.left == 0 {
                varying.draw(&mut self.ahead);
                self.left = AHEAD as u8;
            }
            self.left -= 1;
            let place = usize::from(self.left) % AHEAD;
            let drawn = self.ahead[place];
            arrival +=
                if drawn == LONG { varying.long[place] } else { SimDuration::from_nanos(drawn.into()) };
        }
        self.floor = (arrival + self.fixed).max(self.floor);
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
    /// Draws latencies, in the order from the last place to the first.
    #[inline(never)]
    fn draw(&mut self, ahead: &mut [u32; AHEAD]) {
        for (short, long) in ahead.iter_mut().zip(&mut self.long).rev() {
            let drawn = self.latency.sample(&mut self.stream);
            *short = u32::try_from(drawn.as_nanos()).unwrap_or(LONG);
            if *short == LONG {
                *long = drawn;
            }
        }
    }

    /// When the last byte of a message has left its sender.
    #[inline(never)]
    fn put_on_the_wire(&mut self, now: SimTime, bytes: u64) -> SimTime {
        let nanos = (u128::from(bytes) * 1_000_000_000 / u128::from(self.bandwidth)).min(u64::MAX.into());
        self.wire_free = self.wire_free.max(now) + SimDuration::from_nanos(nanos as u64);
        self.wire_free
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
    fn latencies_are_those_of_the_stream_in_order_long_ones_too() {
        let seconds = SimDuration::from_secs;
        let latency = Distribution::Uniform { min: seconds(1), max: seconds(8) };
        let mut link = direction(latency, None);
        let mut stream = Streams::new(1).stream("link", "latency");
        let mut longer_than_32_bits = 0;
        for number in 0..100 {
            // Messages so far apart that none waits for the one before.
            let now = SimTime::from_secs(10 * number);
            let drawn = latency.sample(&mut stream);
            longer_than_32_bits += u32::from(drawn.as_nanos() > u32::MAX.into());
            assert_eq!(link.arrival(now, 1), now + drawn);
        }
        assert!((1..100).contains(&longer_than_32_bits));
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
