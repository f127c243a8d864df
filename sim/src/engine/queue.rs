//! The event queue: by time, and first in, first out at equal times.

mod early;
mod front;
mod wheel;

use super::time::SimTime;
use early::Early;
use front::Front;
use wheel::Wheel;

/// An event and its time in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    time: u64,
    event: E,
}

/// With more events than this the front sheds its later part.
const FRONT_MAX: usize = 32;
/// What the front keeps when it sheds.
const FRONT_KEPT: usize = 8;
/// A slot of the wheel with more events than this is divided before it is loaded.
const LOAD_MAX: usize = 12;

/// A priority queue of events, ordered by time and, at equal times, by the order
/// of the calls of [`push`](EventQueue::push).
#[derive(Clone, Debug)]
pub struct EventQueue<E> {
    /// The soonest events, sorted.
    front: Front<E>,
    /// Events before this time go to the front; all others behind it.
    front_end: u64,
    /// Events from `front_end` to before `early_end`: empty but for odd uses.
    early: Early<E>,
    /// Events from this time on go to the wheel.
    early_end: u64,
    /// All that is later.
    wheel: Wheel<E>,
    /// The time of the last event popped.
    floor: u64,
}

impl<E: Copy> Default for EventQueue<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy> EventQueue<E> {
    /// An empty queue.
    pub fn new() -> Self {
        Self {
            front: Front::with_capacity(FRONT_MAX + 1),
            front_end: u64::MAX,
            early: Early::new(),
            early_end: u64::MAX,
            wheel: Wheel::new(),
            floor: 0,
        }
    }

    /// The number of events in the queue.
    #[inline]
    pub fn len(&self) -> usize {
        self.front.len() + self.early.len() + self.wheel.len()
    }

    /// Whether the queue holds no event.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an event. Any time is allowed, also one before the last event popped.
    #[inline]
    pub fn push(&mut self, time: SimTime, event: E) {
        let entry = Entry { time: time.as_nanos(), event };
        if entry.time < self.front_end {
            self.front.insert(entry);
            if self.front.len() > FRONT_MAX {
                self.shed();
            }
        } else if entry.time < self.early_end {
            self.early.push_newest(entry);
        } else {
            self.wheel.push_newest(entry);
        }
    }

    /// Takes the soonest event.
    #[inline]
    pub fn pop(&mut self) -> Option<(SimTime, E)> {
        self.pop_before(SimTime::MAX)
    }

    /// Takes the soonest event unless it is later than `limit`.
    #[inline]
    pub fn pop_before(&mut self, limit: SimTime) -> Option<(SimTime, E)> {
        if self.front.is_empty() {
            self.refill(limit.as_nanos());
        }
        let entry = self.front.pop_before(limit.as_nanos())?;
        self.floor = entry.time;
        Some((SimTime::from_nanos(entry.time), entry.event))
    }

    /// The time of the soonest event. It may sort a few events, hence `&mut`.
    #[inline]
    pub fn peek_time(&mut self) -> Option<SimTime> {
        if self.front.is_empty() {
            self.refill(u64::MAX);
        }
        self.front.soonest().map(|entry| SimTime::from_nanos(entry.time))
    }

    /// Keeps the events for which `keep` answers true, in their order. Takes time
    /// in proportion to the length of the queue.
    pub fn retain(&mut self, mut keep: impl FnMut(&E) -> bool) {
        self.front.retain(&mut keep);
        self.early.retain(&mut keep);
        self.wheel.retain(&mut keep);
    }

    /// The number of events for which memory is held. It depends on the largest
    /// number of events pending at once, never on how many have passed through.
    pub fn capacity(&self) -> usize {
        self.front.capacity() + self.early.capacity() + self.wheel.capacity()
    }

    /// Moves the later part of a full front behind it. What is moved is older
    /// than anything there with the same time.
    #[cold]
    #[inline(never)]
    fn shed(&mut self) {
        if self.wheel.is_empty() {
            self.wheel.restart(self.floor);
        }
        let moved = self.front.len() - FRONT_KEPT;
        let soonest_moved = self.front.latest_first()[moved - 1].time;
        if self.early.is_empty() && soonest_moved >= self.wheel.now() {
            for entry in &self.front.latest_first()[..moved] {
                self.wheel.push_oldest(*entry);
            }
            self.early_end = soonest_moved;
        } else {
            for entry in &self.front.latest_first()[..moved] {
                self.early.push_oldest(*entry);
            }
        }
        self.front_end = soonest_moved;
        self.front.drop_latest(moved);
    }

    /// Fills an empty front with the soonest events, if there are any up to `limit`.
    #[inline(never)]
    fn refill(&mut self, limit: u64) {
        if !self.early.is_empty() {
            self.early.take_soonest(FRONT_KEPT, |entry| self.front.insert(entry));
            self.front_end = self.early.soonest_time().unwrap_or(self.early_end);
        } else if self.wheel.len() <= FRONT_KEPT {
            self.wheel.take_all(|entry| self.front.insert(entry));
            self.front_end = u64::MAX;
            self.early_end = u64::MAX;
        } else {
            let end = self.wheel.take_soonest(LOAD_MAX, limit, |entry| self.front.insert(entry));
            self.front_end = end;
            self.early_end = end;
        }
    }
}
