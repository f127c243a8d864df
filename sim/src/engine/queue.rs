//! The event queue: by time, and first in, first out at equal times.
//!
//! Two structures behind one interface, each where it is best:
//!
//! - `front`: the soonest events, at most 32, as a sorted list. While no more are
//!   pending it is the whole queue.
//! - `wheel`: all others, unsorted in slots of a hierarchical timing wheel. When the
//!   front is empty the soonest slots are moved into it, and sorted there at once, by
//!   comparing each with each without a branch.
//!
//! The change is by size, with hysteresis: a 33rd event sends all but 8 to the wheel,
//! and they come back as a whole when the wheel holds 8 or fewer. A heap (`early`)
//! catches what fits neither: many events pushed to before the slot that a peek or a
//! bounded pop has already opened. An event moves at most once per level of the wheel
//! (six at most, one or two in a usual run), so no pattern of times makes pushing or
//! popping take time in proportion to the length of the queue; there are no widths to
//! tune, and no sequence numbers but in `early`.
//!
//! # The choice
//!
//! `cargo bench -p isrlab-sim --bench queue` holds this queue beside a binary heap, a
//! 4-ary heap, a sorted list, a calendar ring and a ladder queue. Events per CPU second
//! as ratios to the bare `BinaryHeap` loop, on the development machine, the mix of a run:
//!
//! | pending | 4 | 8 | 16 | 100 | 1000 | 3000 | 30000 |
//! |---|---|---|---|---|---|---|---|
//! | 4-ary heap | 1.9 | 1.2 | 0.9 | 0.9 | 0.7 | 0.7 | 0.8 |
//! | sorted list | 3.4 | 3.0 | 2.4 | 1.5 | 0.3 | – | – |
//! | calendar ring, 2 µs wide | 0.8 | 0.8 | 1.0 | 1.6 | 1.3 | 1.4 | 1.9 |
//! | ladder | 2.1 | 1.8 | 1.4 | 1.4 | 1.8 | 2.1 | 2.7 |
//! | this queue | 4.6 | 3.4 | 1.9 | 1.5 | 1.9 | 2.5 | 2.4 |
//!
//! The ring's width must be tuned to the gaps between events. The ladder is as quick with
//! thousands pending, but not with a few, and each of its buckets holds on to memory.

mod early;
mod front;
mod wheel;

use super::time::SimTime;
use early::Early;
use front::Front;
use wheel::Wheel;

/// With more events than this the front sheds its later part.
const FRONT_MAX: usize = 32;
/// What the front keeps when it sheds.
const FRONT_KEPT: usize = 8;

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
            front: Front::new(),
            front_end: u64::MAX,
            early: Early::new(),
            early_end: u64::MAX,
            wheel: Wheel::new(),
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
        let time = time.as_nanos();
        if time < self.front_end {
            self.front.insert_newest(time, event);
            if self.front.len() > FRONT_MAX {
                self.shed();
            }
        } else {
            self.push_behind(time, event);
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
        let (time, event) = self.front.pop_before(limit.as_nanos())?;
        Some((SimTime::from_nanos(time), event))
    }

    /// The time of the soonest event. It may sort a few events, hence `&mut`.
    #[inline]
    pub fn peek_time(&mut self) -> Option<SimTime> {
        if self.front.is_empty() {
            self.refill(u64::MAX);
        }
        self.front.soonest_time().map(SimTime::from_nanos)
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

    #[inline(never)]
    fn push_behind(&mut self, time: u64, event: E) {
        if time < self.early_end {
            self.early.push_newest(time, event);
        } else {
            self.wheel.push_newest(time, event);
        }
    }

    /// Moves the later part of a full front behind it. What is moved is older
    /// than anything there with the same time.
    #[cold]
    #[inline(never)]
    fn shed(&mut self) {
        if self.wheel.is_empty() {
            self.wheel.restart();
        }
        let moved = self.front.len() - FRONT_KEPT;
        let (soonest_moved, _) = self.front.nth_latest(moved - 1);
        let to_wheel = self.early.is_empty() && soonest_moved >= self.wheel.now();
        for place in 0..moved {
            let (time, event) = self.front.nth_latest(place);
            if to_wheel {
                self.wheel.push_oldest(time, event);
            } else {
                self.early.push_oldest(time, event);
            }
        }
        self.front.drop_latest(moved);
        self.front_end = soonest_moved;
        if to_wheel {
            self.early_end = soonest_moved;
        }
    }

    /// Fills an empty front with the soonest events, if there are any up to `limit`.
    #[inline(never)]
    fn refill(&mut self, limit: u64) {
        let front = &mut self.front;
        if !self.early.is_empty() {
            self.early.take_soonest(FRONT_KEPT, |time, event| front.insert_newest(time, event));
            self.front_end = self.early.soonest_time().unwrap_or(self.early_end);
        } else if self.wheel.len() <= FRONT_KEPT {
            self.wheel.take_all(|time, event| front.insert_oldest(time, event));
            self.front_end = u64::MAX;
            self.early_end = u64::MAX;
        } else {
            let end = self.wheel.take_soonest(limit, front);
            self.front_end = end;
            self.early_end = end;
        }
    }
}
