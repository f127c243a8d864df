//! A heap for events that come before all the wheel can take.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A binary heap by time and age. It is used only when many events are pushed
/// between the last one popped and the start of the slot last loaded from the
/// wheel, which takes a peek or a bounded pop in between.
#[derive(Clone, Debug)]
pub(super) struct Early<E> {
    heap: BinaryHeap<Aged<E>>,
    newest: i64,
    oldest: i64,
}

#[derive(Clone, Copy, Debug)]
struct Aged<E> {
    time: u64,
    /// The order among equal times. Signed: what the front sheds comes before all.
    age: i64,
    event: E,
}

/// The soonest is the greatest, as the heap of the standard library wants it.
impl<E> Ord for Aged<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.time, other.age).cmp(&(self.time, self.age))
    }
}

impl<E> PartialOrd for Aged<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> PartialEq for Aged<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E> Eq for Aged<E> {}

impl<E: Copy> Early<E> {
    pub(super) fn new() -> Self {
        Self { heap: BinaryHeap::new(), newest: 0, oldest: 0 }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    pub(super) fn capacity(&self) -> usize {
        self.heap.capacity()
    }

    pub(super) fn soonest_time(&self) -> Option<u64> {
        self.heap.peek().map(|aged| aged.time)
    }

    /// Adds an event that comes after all with its time.
    pub(super) fn push_newest(&mut self, time: u64, event: E) {
        self.newest += 1;
        self.heap.push(Aged { time, age: self.newest, event });
    }

    /// Adds an event that comes before all with its time.
    pub(super) fn push_oldest(&mut self, time: u64, event: E) {
        self.oldest -= 1;
        self.heap.push(Aged { time, age: self.oldest, event });
    }

    /// Hands out the soonest events, at most `count`, in order.
    pub(super) fn take_soonest(&mut self, count: usize, mut take: impl FnMut(u64, E)) {
        for _ in 0..count {
            let Some(Aged { time, event, .. }) = self.heap.pop() else {
                return;
            };
            take(time, event);
        }
    }

    pub(super) fn retain(&mut self, keep: &mut impl FnMut(&E) -> bool) {
        self.heap.retain(|aged| keep(&aged.event));
    }
}
