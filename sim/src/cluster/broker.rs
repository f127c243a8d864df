//! A broker: its request handlers, its pauses, and the clock of its ISR check.

use super::event::Event;
use super::sampler::Sampler;
use crate::engine::{SimDuration, SimTime};
use std::collections::VecDeque;

/// Brokers' clocks read this at virtual time 0, in milliseconds: so far from 0 that 0 and −1,
/// which Kafka writes for "never", are longer ago than any setting.
pub(super) const CLOCK_AT_START_MS: i64 = 1_600_000_000_000;

/// What a broker's clock reads at `now`: whole milliseconds, as Kafka's does.
#[inline]
pub(super) fn clock_ms(now: SimTime) -> i64 {
    CLOCK_AT_START_MS + now.as_millis() as i64
}

/// A broker under way.
#[derive(Debug)]
pub(super) struct Broker {
    pub(super) id: i32,
    /// Pauses that it is in; it handles nothing while there is one.
    pauses: u32,
    /// What came or became due in a pause, in order.
    deferred: VecDeque<Event>,
    service_time: Sampler,
    /// When each request handler is free.
    handlers: Vec<SimTime>,
    pub(super) check_period: SimDuration,
    /// When the next check is due.
    pub(super) next_check: SimTime,
}

impl Broker {
    pub(super) fn new(
        id: i32,
        service_time: Sampler,
        io_threads: u32,
        check_period: SimDuration,
        first_check: SimTime,
    ) -> Self {
        Broker {
            id,
            pauses: 0,
            deferred: VecDeque::new(),
            service_time,
            handlers: vec![SimTime::ZERO; io_threads as usize],
            check_period,
            next_check: first_check,
        }
    }

    #[inline]
    pub(super) fn is_paused(&self) -> bool {
        self.pauses > 0
    }

    /// Begins a pause; returns whether the broker was not in one.
    pub(super) fn pause(&mut self) -> bool {
        self.pauses += 1;
        self.pauses == 1
    }

    /// Ends one pause; returns whether the broker goes on.
    pub(super) fn resume(&mut self) -> bool {
        self.pauses -= 1;
        self.pauses == 0
    }

    pub(super) fn defer(&mut self, event: Event) {
        self.deferred.push_back(event);
    }

    /// The oldest of what came in the pause.
    pub(super) fn next_deferred(&mut self) -> Option<Event> {
        self.deferred.pop_front()
    }

    /// A request arrived: when the handler that takes it is done, or none if that costs no time.
    #[inline]
    pub(super) fn serve(&mut self, now: SimTime) -> Option<SimTime> {
        if matches!(self.service_time, Sampler::Constant(SimDuration::ZERO)) {
            return None;
        }
        let handler = self.handlers.iter_mut().min().expect("at least one handler");
        let done = now.max(*handler) + self.service_time.sample();
        *handler = done;
        Some(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_wait_for_a_free_handler() {
        let service = Sampler::Constant(SimDuration::from_millis(10));
        let mut broker = Broker::new(1, service, 2, SimDuration::from_secs(10), SimTime::ZERO);
        let done: Vec<u64> =
            (0..5).map(|at| broker.serve(SimTime::from_millis(at)).unwrap().as_millis()).collect();
        assert_eq!(done, [10, 11, 20, 21, 30]);
    }

    #[test]
    fn pauses_nest() {
        let mut broker = Broker::new(
            1,
            Sampler::Constant(SimDuration::ZERO),
            1,
            SimDuration::from_secs(10),
            SimTime::from_secs(11),
        );
        assert_eq!(broker.serve(SimTime::ZERO), None);
        assert!(broker.pause() && !broker.pause());
        assert!(!broker.resume() && broker.is_paused());
        assert!(broker.resume() && !broker.is_paused());
    }
}
