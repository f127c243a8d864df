//! A hierarchy of wheels for any number of events at any distance.

use super::Entry;

/// Bits of the time that one level looks at.
const BITS: u32 = 6;
const SLOTS: usize = 1 << BITS;
/// Levels that cover all 64 bits of a time.
const LEVELS: usize = u64::BITS.div_ceil(BITS) as usize;

const NONE: u32 = u32::MAX;

/// Slots in levels: an event lies on the level of the highest digit (of 6 bits)
/// in which its time differs from the wheel's own time, in the slot of that
/// digit. Level 0 slots hold one nanosecond each, and each level's slots are 64
/// times as wide as those of the level below.
///
/// The soonest events are in the first slot in use of the lowest level in use.
/// When that slot holds too many, the wheel's time moves to its start and its
/// events are dealt to lower levels. So an event moves at most once per level
/// whatever the times are, there is nothing to tune, and events with equal times
/// always share a slot, in order: no sequence number is needed.
///
/// Events are nodes of lists in one vector; it grows to the largest number
/// pending at once and no further.
#[derive(Clone, Debug)]
pub(super) struct Wheel<E> {
    now: u64,
    len: usize,
    nodes: Vec<Node<E>>,
    free: u32,
    slots: Box<[Slot]>,
    /// Per level, one bit for each slot in use.
    used: [u64; LEVELS],
    /// One bit for each level in use.
    used_levels: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node<E> {
    entry: Entry<E>,
    next: u32,
}

/// A list of nodes, the oldest first.
#[derive(Clone, Copy, Debug)]
struct Slot {
    head: u32,
    tail: u32,
    len: u32,
}

const EMPTY: Slot = Slot { head: NONE, tail: NONE, len: 0 };

impl<E: Copy> Wheel<E> {
    pub(super) fn new() -> Self {
        Self {
            now: 0,
            len: 0,
            nodes: Vec::new(),
            free: NONE,
            slots: vec![EMPTY; LEVELS * SLOTS].into_boxed_slice(),
            used: [0; LEVELS],
            used_levels: 0,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    /// The earliest time that can be pushed.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// Sets the time of an empty wheel.
    pub(super) fn restart(&mut self, now: u64) {
        debug_assert!(self.is_empty());
        self.now = now;
    }

    /// Adds an event that comes after all with its time.
    #[inline]
    pub(super) fn push_newest(&mut self, entry: Entry<E>) {
        let node = self.allocate(entry);
        self.link_newest(node);
    }

    /// Adds an event that comes before all with its time.
    pub(super) fn push_oldest(&mut self, entry: Entry<E>) {
        let node = self.allocate(entry);
        let (level, digit) = self.place(entry.time);
        let slot = &mut self.slots[level * SLOTS + digit];
        if slot.head == NONE {
            self.link_newest(node);
        } else {
            self.nodes[node as usize].next = slot.head;
            slot.head = node;
            slot.len += 1;
        }
    }

    /// Hands out all events, those with equal times in order.
    pub(super) fn take_all(&mut self, mut take: impl FnMut(Entry<E>)) {
        while let Some((level, digit)) = self.first_used() {
            let slot = self.take_slot(level, digit);
            self.drain(slot, &mut take);
        }
    }

    /// Hands out the soonest events, about `count` at most, those with equal
    /// times in order, and answers the end of the time they cover: no event before
    /// it is left. Hands out none if the soonest slot is after `limit`.
    pub(super) fn take_soonest(&mut self, count: usize, limit: u64, mut take: impl FnMut(Entry<E>)) -> u64 {
        while let Some((level, digit)) = self.first_used() {
            let shift = level as u32 * BITS;
            let above = u64::MAX.checked_shl(shift + BITS).unwrap_or(0);
            let start = (self.now & above) | (digit as u64) << shift;
            if start > limit {
                break;
            }
            self.now = start;
            let slot = self.slots[level * SLOTS + digit];
            if slot.len as usize <= count {
                self.take_slot(level, digit);
                self.drain(slot, &mut take);
                return start.saturating_add(1 << shift);
            }
            if level == 0 {
                self.take_oldest(digit, count, &mut take);
                return start;
            }
            self.take_slot(level, digit);
            self.deal(slot);
        }
        self.now
    }

    pub(super) fn retain(&mut self, keep: &mut impl FnMut(&E) -> bool) {
        for level in 0..LEVELS {
            let mut digits = self.used[level];
            while digits != 0 {
                let digit = digits.trailing_zeros() as usize;
                digits &= digits - 1;
                let mut node = self.take_slot(level, digit).head;
                while node != NONE {
                    let Node { entry, next } = self.nodes[node as usize];
                    if keep(&entry.event) {
                        self.link_newest(node);
                    } else {
                        self.release(node);
                    }
                    node = next;
                }
            }
        }
    }

    #[inline]
    fn place(&self, time: u64) -> (usize, usize) {
        debug_assert!(time >= self.now);
        let differing = (time ^ self.now) | 1;
        let level = differing.ilog2() / BITS;
        let digit = (time >> (level * BITS)) as usize % SLOTS;
        (level as usize, digit)
    }

    #[inline]
    fn first_used(&self) -> Option<(usize, usize)> {
        if self.used_levels == 0 {
            return None;
        }
        let level = self.used_levels.trailing_zeros() as usize;
        Some((level, self.used[level].trailing_zeros() as usize))
    }

    #[inline]
    fn allocate(&mut self, entry: Entry<E>) -> u32 {
        self.len += 1;
        let node = self.free;
        if node == NONE {
            assert!(self.nodes.len() < NONE as usize, "more than 2^32 - 1 events are pending");
            self.nodes.push(Node { entry, next: NONE });
            return (self.nodes.len() - 1) as u32;
        }
        let place = &mut self.nodes[node as usize];
        self.free = place.next;
        *place = Node { entry, next: NONE };
        node
    }

    #[inline]
    fn release(&mut self, node: u32) {
        self.nodes[node as usize].next = self.free;
        self.free = node;
        self.len -= 1;
    }

    #[inline]
    fn link_newest(&mut self, node: u32) {
        let (level, digit) = self.place(self.nodes[node as usize].entry.time);
        self.nodes[node as usize].next = NONE;
        let slot = &mut self.slots[level * SLOTS + digit];
        slot.len += 1;
        if slot.head == NONE {
            slot.head = node;
            self.used[level] |= 1 << digit;
            self.used_levels |= 1 << level;
        } else {
            self.nodes[slot.tail as usize].next = node;
        }
        slot.tail = node;
    }

    #[inline]
    fn take_slot(&mut self, level: usize, digit: usize) -> Slot {
        self.used[level] &= !(1 << digit);
        if self.used[level] == 0 {
            self.used_levels &= !(1 << level);
        }
        std::mem::replace(&mut self.slots[level * SLOTS + digit], EMPTY)
    }

    #[inline]
    fn drain(&mut self, slot: Slot, take: &mut impl FnMut(Entry<E>)) {
        let mut node = slot.head;
        while node != NONE {
            let Node { entry, next } = self.nodes[node as usize];
            take(entry);
            self.release(node);
            node = next;
        }
    }

    fn deal(&mut self, slot: Slot) {
        let mut node = slot.head;
        while node != NONE {
            let next = self.nodes[node as usize].next;
            self.link_newest(node);
            node = next;
        }
    }

    fn take_oldest(&mut self, digit: usize, count: usize, take: &mut impl FnMut(Entry<E>)) {
        for _ in 0..count {
            let node = self.slots[digit].head;
            let Node { entry, next } = self.nodes[node as usize];
            self.slots[digit].head = next;
            self.slots[digit].len -= 1;
            take(entry);
            self.release(node);
        }
    }
}
