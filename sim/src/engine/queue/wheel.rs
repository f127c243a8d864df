//! A hierarchy of wheels for any number of events at any distance.

/// Bits of the time that one level looks at.
const BITS: u32 = 6;
const SLOTS: usize = 1 << BITS;
/// Levels that cover all 64 bits of a time.
const LEVELS: usize = u64::BITS.div_ceil(BITS) as usize;

/// Events in one block of a slot's list.
const BLOCK: usize = 8;

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
/// A slot is a list of blocks of events, all from one pool, which grows to what
/// the largest number pending at once needs and no further.
#[derive(Clone, Debug)]
pub(super) struct Wheel<E> {
    now: u64,
    len: usize,
    blocks: Vec<Block<E>>,
    free: u32,
    slots: Box<[Slot]>,
    /// Per level, one bit for each slot in use.
    used: [u64; LEVELS],
    /// One bit for each level in use.
    used_levels: u32,
}

#[derive(Clone, Copy, Debug)]
struct Block<E> {
    entries: [(u64, E); BLOCK],
    next: u32,
}

/// A list of events, the oldest first. All blocks but the first are full from
/// their beginning, all but the last are full to their end.
#[derive(Clone, Copy, Debug)]
struct Slot {
    first: u32,
    last: u32,
    /// Where in the first block the oldest event is.
    start: u16,
    /// Where in the last block the newest event ends.
    end: u16,
    len: u32,
}

/// As if the last block were full, so that the next event asks for a new one.
const EMPTY: Slot = Slot { first: NONE, last: NONE, start: 0, end: BLOCK as u16, len: 0 };

impl<E: Copy> Wheel<E> {
    pub(super) fn new() -> Self {
        Self {
            now: 0,
            len: 0,
            blocks: Vec::new(),
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
        self.blocks.capacity() * BLOCK
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
        let place = level * SLOTS + digit;
        if usize::from(self.slots[place].end) == BLOCK {
            self.append_block(level, digit, time, event);
        }
        let slot = &mut self.slots[place];
        self.blocks[slot.last as usize].entries[usize::from(slot.end)] = (time, event);
        slot.end += 1;
        slot.len += 1;
        self.len += 1;
    }

    /// Adds an event that comes before all with its time.
    pub(super) fn push_oldest(&mut self, time: u64, event: E) {
        let (level, digit) = self.place(time);
        let place = level * SLOTS + digit;
        if self.slots[place].len == 0 {
            self.push_newest(time, event);
            return;
        }
        if self.slots[place].start == 0 {
            let block = self.allocate(time, event);
            self.blocks[block as usize].next = self.slots[place].first;
            self.slots[place].first = block;
            self.slots[place].start = BLOCK as u16;
        }
        let slot = &mut self.slots[place];
        slot.start -= 1;
        self.blocks[slot.first as usize].entries[usize::from(slot.start)] = (time, event);
        slot.len += 1;
        self.len += 1;
    }

    /// Hands out all events, those with equal times in order.
    pub(super) fn take_all(&mut self, mut take: impl FnMut(u64, E)) {
        while let Some((level, digit)) = self.first_used() {
            let slot = self.take_slot(level, digit);
            self.drain(slot, |_, time, event| take(time, event));
        }
    }

    /// Hands out the soonest events, about `count` at most, those with equal
    /// times in order, and answers the end of the time they cover: no event before
    /// it is left. Hands out none if the soonest slot is after `limit`.
    pub(super) fn take_soonest(&mut self, count: usize, limit: u64, mut take: impl FnMut(u64, E)) -> u64 {
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
                self.drain(slot, |_, time, event| take(time, event));
                return start.saturating_add(1 << shift);
            }
            if level == 0 {
                self.take_oldest(digit, count, &mut take);
                return start;
            }
            self.take_slot(level, digit);
            self.drain(slot, Self::push_newest);
        }
        self.now
    }

    pub(super) fn retain(&mut self, keep: &mut impl FnMut(&E) -> bool) {
        for level in 0..LEVELS {
            let mut digits = self.used[level];
            while digits != 0 {
                let digit = digits.trailing_zeros() as usize;
                digits &= digits - 1;
                let slot = self.take_slot(level, digit);
                self.drain(slot, |wheel, time, event| {
                    if keep(&event) {
                        wheel.push_newest(time, event);
                    }
                });
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

    #[inline(never)]
    fn append_block(&mut self, level: usize, digit: usize, time: u64, event: E) {
        let block = self.allocate(time, event);
        let slot = &mut self.slots[level * SLOTS + digit];
        if slot.first == NONE {
            slot.first = block;
            self.used[level] |= 1 << digit;
            self.used_levels |= 1 << level;
        } else {
            self.blocks[slot.last as usize].next = block;
        }
        slot.last = block;
        slot.end = 0;
    }

    /// A block with any content. (Without unsafe code a new one must be filled
    /// with something, and the event at hand will do.)
    #[inline]
    fn allocate(&mut self, time: u64, event: E) -> u32 {
        let block = self.free;
        if block == NONE {
            let block = self.blocks.len() as u32;
            assert!(block < NONE, "too many events are pending");
            self.blocks.push(Block { entries: [(time, event); BLOCK], next: NONE });
            return block;
        }
        let place = &mut self.blocks[block as usize];
        self.free = place.next;
        place.next = NONE;
        block
    }

    #[inline]
    fn release(&mut self, block: u32) {
        self.blocks[block as usize].next = self.free;
        self.free = block;
    }

    #[inline]
    fn take_slot(&mut self, level: usize, digit: usize) -> Slot {
        self.used[level] &= !(1 << digit);
        if self.used[level] == 0 {
            self.used_levels &= !(1 << level);
        }
        std::mem::replace(&mut self.slots[level * SLOTS + digit], EMPTY)
    }

    /// Hands out the events of a slot that was taken, and frees its blocks.
    #[inline]
    fn drain(&mut self, slot: Slot, mut take: impl FnMut(&mut Self, u64, E)) {
        self.len -= slot.len as usize;
        let mut block = slot.first;
        let mut start = usize::from(slot.start);
        while block != NONE {
            let end = if block == slot.last { usize::from(slot.end) } else { BLOCK };
            for place in start..end {
                let (time, event) = self.blocks[block as usize].entries[place];
                take(self, time, event);
            }
            let next = self.blocks[block as usize].next;
            self.release(block);
            block = next;
            start = 0;
        }
    }

    /// Hands out the oldest events of a level 0 slot that holds more than that.
    fn take_oldest(&mut self, digit: usize, count: usize, take: &mut impl FnMut(u64, E)) {
        for _ in 0..count {
            let slot = &mut self.slots[digit];
            let first = slot.first;
            let (time, event) = self.blocks[first as usize].entries[usize::from(slot.start)];
            take(time, event);
            slot.start += 1;
            slot.len -= 1;
            if usize::from(slot.start) == BLOCK {
                slot.start = 0;
                slot.first = self.blocks[first as usize].next;
                self.release(first);
            }
        }
        self.len -= count;
    }
}
