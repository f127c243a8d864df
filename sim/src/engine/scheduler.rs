//! The clock and what is to happen: schedule, cancel, pop.

use super::queue::EventQueue;
use super::time::{SimDuration, SimTime};

/// When so many cancelled timers, and at least half of the queue, are dead
/// weight, they are swept out.
const CANCELLED_KEPT: usize = 64;

/// A virtual clock with the events that are to come.
///
/// Events are small values that say what happens, not closures; the owner of the
/// scheduler pops one and acts on it. Popping an event moves the clock to it.
#[derive(Clone, Debug)]
pub struct Scheduler<E> {
    now: SimTime,
    queue: EventQueue<Item<E>>,
    timers: Timers<E>,
}

/// A timer that was scheduled. It stays valid as a name for that timer for ever:
/// cancelling one that has fired or was cancelled does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimerId {
    slot: u32,
    generation: u32,
}

/// What is queued. The event of a timer lies in its slot, so that an item is no
/// larger than an event where the event is an enum with room to spare.
#[derive(Clone, Copy, Debug)]
enum Item<E> {
    Event(E),
    Timer(u32),
}

impl<E: Copy> Default for Scheduler<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy> Scheduler<E> {
    /// A clock at 0 and nothing to come.
    pub fn new() -> Self {
        Self { now: SimTime::ZERO, queue: EventQueue::new(), timers: Timers::new() }
    }

    /// The time of the last event popped.
    #[inline]
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// The number of events and timers that are still to come; those cancelled
    /// do not count.
    #[inline]
    pub fn pending(&self) -> usize {
        self.queue.len() - self.timers.cancelled
    }

    /// Schedules an event. At equal times events run in the order scheduled.
    ///
    /// Panics if `at` is before now, which is an error of the caller that no
    /// run should go on with.
    #[inline]
    pub fn schedule(&mut self, at: SimTime, event: E) {
        self.check_not_past(at);
        self.queue.push(at, Item::Event(event));
    }

    /// Schedules an event `delay` from now.
    #[inline]
    pub fn schedule_in(&mut self, delay: SimDuration, event: E) {
        self.queue.push(self.now + delay, Item::Event(event));
    }

    /// Schedules an event that can be cancelled. Panics if `at` is before now.
    #[inline]
    pub fn schedule_timer(&mut self, at: SimTime, event: E) -> TimerId {
        self.check_not_past(at);
        let id = self.timers.add(event);
        self.queue.push(at, Item::Timer(id.slot));
        id
    }

    /// Cancels a timer; answers whether it was still to come.
    ///
    /// The queue keeps a cancelled timer until its time, or until half of the
    /// queue is cancelled timers: what is kept is bounded by what is pending.
    #[inline]
    pub fn cancel(&mut self, timer: TimerId) -> bool {
        let was_pending = self.timers.cancel(timer);
        if self.timers.cancelled > CANCELLED_KEPT && self.timers.cancelled > self.queue.len() / 2 {
            self.sweep();
        }
        was_pending
    }

    /// Takes the next event and moves the clock to its time.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        self.pop_before(SimTime::MAX)
    }

    /// Takes the next event unless it is later than `limit`, in which case it
    /// stays and the clock with it. An event exactly at `limit` is taken.
    #[inline]
    pub fn pop_before(&mut self, limit: SimTime) -> Option<E> {
        let (time, item) = self.queue.pop_before(limit)?;
        match item {
            Item::Event(event) => {
                self.now = time;
                Some(event)
            }
            Item::Timer(slot) => self.fire_or_go_on(time, slot, limit),
        }
    }

    /// Out of line, so that events that are no timers pay one branch for them.
    #[inline(never)]
    fn fire_or_go_on(&mut self, mut time: SimTime, mut slot: u32, limit: SimTime) -> Option<E> {
        loop {
            if let Some(event) = self.timers.fire(slot) {
                self.now = time;
                return Some(event);
            }
            match self.queue.pop_before(limit)? {
                (at, Item::Event(event)) => {
                    self.now = at;
                    return Some(event);
                }
                (at, Item::Timer(next)) => (time, slot) = (at, next),
            }
        }
    }

    /// The number of events and timers for which memory is held, which depends
    /// on the largest number pending at once and not on the length of the run.
    pub fn capacity(&self) -> usize {
        self.queue.capacity() + self.timers.slots.capacity()
    }

    #[inline]
    fn check_not_past(&self, at: SimTime) {
        if at < self.now {
            past(at, self.now);
        }
    }

    #[cold]
    #[inline(never)]
    fn sweep(&mut self) {
        let timers = &mut self.timers;
        self.queue.retain(|item| match *item {
            Item::Event(_) => true,
            Item::Timer(slot) => timers.keep_or_free(slot),
        });
    }
}

#[cold]
#[inline(never)]
fn past(at: SimTime, now: SimTime) -> ! {
    panic!("an event was scheduled at {at}, but it is already {now}");
}

/// The timers that are queued, cancelled or not. A slot is used again only when
/// its timer has left the queue.
#[derive(Clone, Debug)]
struct Timers<E> {
    slots: Vec<TimerSlot<E>>,
    free: Vec<u32>,
    /// How many timers in the queue are cancelled.
    cancelled: usize,
}

#[derive(Clone, Copy, Debug)]
struct TimerSlot<E> {
    generation: u32,
    /// None once cancelled or fired.
    event: Option<E>,
}

impl<E: Copy> Timers<E> {
    fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), cancelled: 0 }
    }

    fn add(&mut self, event: E) -> TimerId {
        if let Some(slot) = self.free.pop() {
            let place = &mut self.slots[slot as usize];
            place.event = Some(event);
            return TimerId { slot, generation: place.generation };
        }
        let slot = u32::try_from(self.slots.len()).expect("fewer than 2^32 timers are pending");
        self.slots.push(TimerSlot { generation: 0, event: Some(event) });
        TimerId { slot, generation: 0 }
    }

    fn cancel(&mut self, timer: TimerId) -> bool {
        let Some(place) = self.slots.get_mut(timer.slot as usize) else {
            return false;
        };
        if place.generation != timer.generation || place.event.take().is_none() {
            return false;
        }
        self.cancelled += 1;
        true
    }

    /// The event of a timer that left the queue; none if it was cancelled.
    fn fire(&mut self, slot: u32) -> Option<E> {
        let event = self.slots[slot as usize].event.take();
        if event.is_none() {
            self.cancelled -= 1;
        }
        self.free(slot);
        event
    }

    fn keep_or_free(&mut self, slot: u32) -> bool {
        let keep = self.slots[slot as usize].event.is_some();
        if !keep {
            self.cancelled -= 1;
            self.free(slot);
        }
        keep
    }

    fn free(&mut self, slot: u32) {
        let place = &mut self.slots[slot as usize];
        // A slot whose generations are used up is left alone, lest an old
        // TimerId should cancel a new timer.
        if let Some(next) = place.generation.checked_add(1) {
            place.generation = next;
            self.free.push(slot);
        }
    }
}
