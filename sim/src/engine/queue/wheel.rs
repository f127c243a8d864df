//! A hierarchy of wheels for any number of events at any distance.

use super::front::{Front, SPAN_MAX, STAGED_MAX};

/// Bits of the time that one level looks at.
const BITS: u32 = 12;
const SLOTS: usize = 1 << BITS;
/// Levels that cover all 64 bits of a time.
const LEVELS: usize = u64::BITS.div_ceil(BITS) as usize;

/// The most events handed out at once; a slot with more is dealt to a lower level.
const TAKE_MAX: usize = STAGED_MAX;
/// With so many events no further slot is looked at.
const TAKE_ENOUGH: usize = 8;
/// The highest level whose slots are narrow enough to be sorted by the front.
const SORTED_LEVEL_MAX: usize = 2;
const _: () = assert!(1 << (SORTED_LEVEL_MAX as u32 * BITS) <= SPAN_MAX);

const NONE: u32 = u32::MAX;

/// Slots in levels: an event lies on the level of the highest digit (of 12 bits)
/// in which its time differs from the wheel's own time, in the slot of that
/// digit. Level 0 slots hold one nanosecond each, and each level's slots are 4096
/// times as wide as those of the level below.
///
/// The soonest events are in the first slot in use of the lowest level in use.
/// When that slot holds too many, the wheel's time moves to its start and its
/// events are dealt to lower levels. So an event moves at most once per level
/// whatever the times are, there is nothing to tune, and events with equal times
/// always share a slot, in order: no sequence number is needed.
///
/// Events are nodes of lists in one vector, which grows to the largest number
/// pending at once and no further.
#[derive(Clone, Debug)]
pub(super) struct Wheel<E> {
    now: u64,
    len: usize,
    nodes: Vec<Node<E>>,
    free: u32,
    slots: Box<[Slot]>,
    /// What is left of a level 0 slot that was too long to be handed out at once,
    /// the oldest first. All have the wheel's time.
    rest: u32,
    used: [Used; LEVELS],
    /// One bit for each level in use.
    used_levels: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node<E> {
    time: u64,
    event: E,
    next: u32,
}

/// A list of nodes, the newest first: so a push need not look at another node.
#[derive(Clone, Copy, Debug)]
struct Slot {
    newest: u32,
    oldest: u32,
}

/// The events that are staged in the front.
#[derive(Clone, Copy)]
struct Staged {
    count: usize,
    /// The node of the oldest of the last slot.
    oldest: u32,
    /// They are of one slot, and none is later than a newer one: they were pushed in the order of
    /// their times.
    sorted: bool,
}

impl Default for Staged {
    fn default() -> Self {
        Staged { count: 0, oldest: NONE, sorted: true }
    }
}

/// The end of a slot that starts at `start`.
#[inline]
fn end(start: u64, level: usize) -> u64 {
    start.saturating_add(1 << (level as u32 * BITS))
}

const EMPTY: Slot = Slot { newest: NONE, oldest: NONE };

/// Which slots of a level are in use: one bit for each, and one for each word of
/// such bits.
#[derive(Clone, Copy, Debug)]
struct Used {
    words: u64,
    slots: [u64; SLOTS / 64],
}

impl<E: Copy> Wheel<E> {
    pub(super) fn new() -> Self {
        Self {
            now: 0,
            len: 0,
            nodes: Vec::new(),
            free: NONE,
            slots: vec![EMPTY; LEVELS * SLOTS].into_boxed_slice(),
            rest: NONE,
            used: [Used { words: 0, slots: [0; SLOTS / 64] }; LEVELS],
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

    /// Takes an empty wheel back to time 0, so that it accepts any event. The few
    /// that are pushed before its time moves on lie high and move a few times more.
    pub(super) fn restart(&mut self) {
        debug_assert!(self.is_empty());
        self.now = 0;
    }

    /// Adds an event that comes after all with its time.
    #[inline]
    pub(super) fn push_newest(&mut self, time: u64, event: E) {
        let (level, digit) = self.place(time);
        let next = self.slots[level * SLOTS + digit].newest;
        let node = self.free;
        if let Some(place) = self.nodes.get_mut(node as usize) {
            self.free = place.next;
            *place = Node { time, event, next };
            self.len += 1;
            self.mark_newest(level, digit, node);
        } else {
            let node = self.allocate(time, event);
            self.link_newest(node, time);
        }
    }

    /// Adds an event that comes before all with its time.
    pub(super) fn push_oldest(&mut self, time: u64, event: E) {
        if self.rest != NONE && time == self.now {
            let node = self.allocate(time, event);
            self.nodes[node as usize].next = self.rest;
            self.rest = node;
            return;
        }
        let (level, digit) = self.place(time);
        let oldest = self.slots[level * SLOTS + digit].oldest;
        if oldest == NONE {
            self.push_newest(time, event);
        } else {
            let node = self.allocate(time, event);
            self.nodes[node as usize].next = NONE;
            self.nodes[oldest as usize].next = node;
            self.slots[level * SLOTS + digit].oldest = node;
        }
    }

    /// Hands out all events, the newer first at equal times.
    pub(super) fn take_all(&mut self, mut take: impl FnMut(u64, E)) {
        while let Some((level, digit)) = self.first_used() {
            let slot = self.take_slot(level, digit);
            self.drain(slot.newest, &mut take);
        }
        let newest = self.reverse(self.rest);
        self.rest = NONE;
        self.drain(newest, &mut take);
    }

    /// Moves the soonest events, at most [`TAKE_MAX`], to the empty front, and answers the end of
    /// the time they cover: no event before it is left. Moves none if the soonest slot is after
    /// `limit`.
    pub(super) fn take_soonest(&mut self, limit: u64, front: &mut Front<E>) -> u64 {
        while self.rest == NONE {
            let Some((level, digit)) = self.first_used() else {
                return self.now;
            };
            let start = self.start(level, digit);
            if start > limit {
                return self.now;
            }
            self.now = start;
            let slot = self.take_slot(level, digit);
            let mut staged = Staged::default();
            if self.stage(slot, &mut staged, front) {
                if level > SORTED_LEVEL_MAX {
                    self.drain(slot.newest, &mut |time, event| front.insert_oldest(time, event));
                    return end(start, level);
                }
                self.release_list(slot, staged.oldest, staged.count);
                return self.fill(front, staged, start, end(start, level), limit);
            }
            let oldest = self.reverse(slot.newest);
            if level == 0 {
                self.rest = oldest;
            } else {
                self.deal(oldest);
            }
        }
        if self.now <= limit {
            self.take_rest(|time, event| front.insert_oldest(time, event));
        }
        self.now
    }

    /// Stages the next slots too while there are few events, as the front is filled for several
    /// at the price of one; then sorts them. Answers the end of the time they cover.
    fn fill(
        &mut self,
        front: &mut Front<E>,
        mut staged: Staged,
        start: u64,
        mut covered: u64,
        limit: u64,
    ) -> u64 {
        while staged.count < TAKE_ENOUGH {
            let Some((level, digit)) = self.first_used() else { break };
            let next = self.start(level, digit);
            if next > limit || end(next, level) - start > SPAN_MAX {
                break;
            }
            let slot = self.slots[level * SLOTS + digit];
            let before = staged;
            if !self.stage(slot, &mut staged, front) {
                staged = before;
                break;
            }
            staged.sorted = false;
            self.take_slot(level, digit);
            self.release_list(slot, staged.oldest, staged.count - before.count);
            self.now = next;
            covered = end(next, level);
        }
        if staged.sorted {
            front.accept_staged(staged.count);
        } else {
            front.sort_staged(staged.count, start);
        }
        covered
    }

    /// The start of a slot in use.
    #[inline]
    fn start(&self, level: usize, digit: usize) -> u64 {
        let shift = level as u32 * BITS;
        let above = u64::MAX.checked_shl(shift + BITS).unwrap_or(0);
        (self.now & above) | (digit as u64) << shift
    }

    pub(super) fn retain(&mut self, keep: &mut impl FnMut(&E) -> bool) {
        self.rest = self.retain_list(self.rest, keep);
        for level in 0..LEVELS {
            for word in 0..SLOTS / 64 {
                let mut digits = self.used[level].slots[word];
                while digits != 0 {
                    let digit = word * 64 + digits.trailing_zeros() as usize;
                    digits &= digits - 1;
                    let slot = self.take_slot(level, digit);
                    let oldest = self.reverse(slot.newest);
                    let oldest = self.retain_list(oldest, keep);
                    self.deal(oldest);
                }
            }
        }
    }

    /// Frees the nodes of a list that are not kept; answers its first node.
    fn retain_list(&mut self, first: u32, keep: &mut impl FnMut(&E) -> bool) -> u32 {
        let mut kept = NONE;
        let mut node = first;
        while node != NONE {
            let next = self.nodes[node as usize].next;
            if keep(&self.nodes[node as usize].event) {
                self.nodes[node as usize].next = kept;
                kept = node;
            } else {
                self.release(node);
            }
            node = next;
        }
        self.reverse(kept)
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
        let used = &self.used[level];
        let word = used.words.trailing_zeros() as usize;
        Some((level, word * 64 + used.slots[word].trailing_zeros() as usize))
    }

    #[inline]
    fn allocate(&mut self, time: u64, event: E) -> u32 {
        self.len += 1;
        let node = self.free;
        if node == NONE {
            assert!(self.nodes.len() < NONE as usize, "too many events are pending");
            self.nodes.push(Node { time, event, next: NONE });
            return (self.nodes.len() - 1) as u32;
        }
        let place = &mut self.nodes[node as usize];
        self.free = place.next;
        place.time = time;
        place.event = event;
        node
    }

    #[inline]
    fn release(&mut self, node: u32) {
        self.nodes[node as usize].next = self.free;
        self.free = node;
        self.len -= 1;
    }

    #[inline]
    fn link_newest(&mut self, node: u32, time: u64) {
        let (level, digit) = self.place(time);
        self.nodes[node as usize].next = self.slots[level * SLOTS + digit].newest;
        self.mark_newest(level, digit, node);
    }

    /// Makes a node, whose `next` has been set, the newest of a slot.
    #[inline]
    fn mark_newest(&mut self, level: usize, digit: usize, node: u32) {
        let slot = &mut self.slots[level * SLOTS + digit];
        if slot.newest == NONE {
            // The bits are set already where there is another node.
            slot.oldest = node;
            let used = &mut self.used[level];
            used.slots[digit / 64] |= 1 << (digit % 64);
            used.words |= 1 << (digit / 64);
            self.used_levels |= 1 << level;
        }
        slot.newest = node;
    }

    #[inline]
    fn take_slot(&mut self, level: usize, digit: usize) -> Slot {
        let used = &mut self.used[level];
        used.slots[digit / 64] &= !(1 << (digit % 64));
        if used.slots[digit / 64] == 0 {
            used.words &= !(1 << (digit / 64));
            if used.words == 0 {
                self.used_levels &= !(1 << level);
            }
        }
        std::mem::replace(&mut self.slots[level * SLOTS + digit], EMPTY)
    }

    /// Stages the events of a slot behind those that are staged; false: there are too many.
    #[inline]
    fn stage(&self, slot: Slot, staged: &mut Staged, front: &mut Front<E>) -> bool {
        let mut node = slot.newest;
        let mut last = u64::MAX;
        while node != NONE {
            if staged.count == TAKE_MAX {
                return false;
            }
            let Node { time, event, next } = self.nodes[node as usize];
            front.stage(staged.count, time, event);
            staged.sorted &= time <= last;
            staged.count += 1;
            staged.oldest = node;
            last = time;
            node = next;
        }
        true
    }

    /// Frees the nodes of a slot.
    #[inline]
    fn release_list(&mut self, slot: Slot, oldest: u32, count: usize) {
        self.nodes[oldest as usize].next = self.free;
        self.free = slot.newest;
        self.len -= count;
    }

    /// Hands out the events of a list and frees its nodes.
    #[inline]
    fn drain(&mut self, first: u32, take: &mut impl FnMut(u64, E)) {
        let mut node = first;
        while node != NONE {
            let Node { time, event, next } = self.nodes[node as usize];
            take(time, event);
            self.release(node);
            node = next;
        }
    }

    /// Hands out the oldest events of the rest.
    fn take_rest(&mut self, mut take: impl FnMut(u64, E)) {
        let first = self.rest;
        let mut last = first;
        for _ in 1..TAKE_MAX {
            let next = self.nodes[last as usize].next;
            if next == NONE {
                break;
            }
            last = next;
        }
        self.rest = std::mem::replace(&mut self.nodes[last as usize].next, NONE);
        let newest = self.reverse(first);
        self.drain(newest, &mut take);
    }

    /// Puts the nodes of a list, the oldest first, where they belong now.
    fn deal(&mut self, oldest: u32) {
        let mut node = oldest;
        while node != NONE {
            let Node { time, next, .. } = self.nodes[node as usize];
            self.link_newest(node, time);
            node = next;
        }
    }

    /// Turns a list round; answers its last node, now the first.
    fn reverse(&mut self, first: u32) -> u32 {
        let mut reversed = NONE;
        let mut node = first;
        while node != NONE {
            let next = std::mem::replace(&mut self.nodes[node as usize].next, reversed);
            reversed = node;
            node = next;
        }
        reversed
    }
}
