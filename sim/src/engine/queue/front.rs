//! A few events, sorted.

/// Places in the front. The caller keeps it from overflowing.
const PLACES: usize = 64;

/// The most events that can be staged.
pub(super) const STAGED_MAX: usize = 24;
/// Staged events whose times differ by less than this can be sorted.
pub(super) const SPAN_MAX: u64 = 1 << 24;

const IN_ORDER: [u8; PLACES] = {
    let mut cells = [0; PLACES];
    let mut cell = 0;
    while cell < PLACES {
        cells[cell] = cell as u8;
        cell += 1;
    }
    cells
};

/// A short sorted list of events, the latest first, so that the soonest is taken
/// off its end. An insertion moves the sooner ones up by one, which for a handful
/// is quicker than any tree.
///
/// Only the times and the numbers of the events' cells move, never the events:
/// large events cost no more than small ones, and, more important, all moves are
/// of whole machine words. (A struct that is written field by field and soon read
/// as a whole makes the processor wait for its store buffer, which took longer
/// than all the rest.)
#[derive(Clone, Debug)]
pub(super) struct Front<E> {
    len: usize,
    times: [u64; PLACES],
    /// A permutation of all cells. The first `len` belong to `times`, the others
    /// are free.
    cells: [u8; PLACES],
    /// The cells used so far.
    events: Vec<E>,
}

impl<E: Copy> Front<E> {
    pub(super) fn new() -> Self {
        Self { len: 0, times: [0; PLACES], cells: IN_ORDER, events: Vec::with_capacity(PLACES) }
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
        PLACES
    }

    /// Inserts an event, the newest of its time.
    #[inline]
    pub(super) fn insert_newest(&mut self, time: u64, event: E) {
        self.insert(time, event, |sooner| sooner <= time);
    }

    /// Inserts an event, the oldest of its time.
    #[inline]
    pub(super) fn insert_oldest(&mut self, time: u64, event: E) {
        self.insert(time, event, |sooner| sooner < time);
    }

    /// Inserts an event after all events whose times come before it.
    #[inline]
    fn insert(&mut self, time: u64, event: E, comes_before: impl Fn(u64) -> bool) {
        let mut hole = self.len;
        let cell = self.cells[hole];
        match self.events.get_mut(usize::from(cell)) {
            Some(place) => *place = event,
            None => self.events.push(event),
        }
        while hole > 0 && comes_before(self.times[hole - 1]) {
            self.times[hole] = self.times[hole - 1];
            self.cells[hole] = self.cells[hole - 1];
            hole -= 1;
        }
        self.times[hole] = time;
        self.cells[hole] = cell;
        self.len += 1;
    }

    /// Puts an event in the empty front, to be sorted with others: the `index`-th one, the newer
    /// first among those with equal times.
    #[inline]
    pub(super) fn stage(&mut self, index: usize, time: u64, event: E) {
        self.times[index] = time;
        match self.events.get_mut(index) {
            Some(place) => *place = event,
            None => self.events.push(event),
        }
    }

    /// Makes the first `count` that were staged the contents of the front, as they are: each is
    /// no later than the one before.
    #[inline]
    pub(super) fn accept_staged(&mut self, count: usize) {
        debug_assert!(self.is_empty() && self.times[..count].is_sorted_by(|one, next| one >= next));
        self.cells = IN_ORDER;
        self.len = count;
    }

    /// Makes them the contents of the front in the order of their times; none is before `start`,
    /// nor [`SPAN_MAX`] or more after it.
    pub(super) fn sort_staged(&mut self, count: usize, start: u64) {
        debug_assert!(self.is_empty());
        self.cells = IN_ORDER;
        self.len = count;
        if count <= STAGED_MAX / 2 {
            self.sort_lanes::<{ STAGED_MAX / 2 }>(count, start);
        } else {
            self.sort_lanes::<STAGED_MAX>(count, start);
        }
    }

    /// Compares each with each, which for so few takes fewer steps than it seems, as the compiler
    /// does several at once, and none of them is a branch to be guessed wrong, of which an
    /// insertion has one for each event.
    #[inline(always)]
    fn sort_lanes<const LANES: usize>(&mut self, count: usize, start: u64) {
        let staged: [u64; LANES] = std::array::from_fn(|index| self.times[index]);
        // A greater key is popped later; those that are not used come after all, in their places.
        let keys: [i32; LANES] = std::array::from_fn(|index| {
            let key = (staged[index].wrapping_sub(start) as i32) << 6 | (LANES - index) as i32;
            if index < count { key } else { -(index as i32) }
        });
        // How many are greater: the place, the latest being at 0.
        let mut places = [0i32; LANES];
        for other in keys {
            for (place, &key) in places.iter_mut().zip(&keys) {
                *place += i32::from(other > key);
            }
        }
        for index in 0..LANES {
            let place = places[index] as usize % LANES;
            self.times[place] = staged[index];
            self.cells[place] = index as u8;
        }
    }

    /// The time of the soonest event.
    #[inline]
    pub(super) fn soonest_time(&self) -> Option<u64> {
        self.len.checked_sub(1).map(|last| self.times[last])
    }

    /// Takes the soonest event unless it is later than `limit`.
    #[inline]
    pub(super) fn pop_before(&mut self, limit: u64) -> Option<(u64, E)> {
        let last = self.len.checked_sub(1)?;
        let time = self.times[last];
        if time > limit {
            return None;
        }
        self.len = last;
        Some((time, self.events[usize::from(self.cells[last])]))
    }

    /// The event that is the `place`-th from the latest, which is 0.
    pub(super) fn nth_latest(&self, place: usize) -> (u64, E) {
        (self.times[place], self.events[usize::from(self.cells[place])])
    }

    /// Drops the latest events.
    pub(super) fn drop_latest(&mut self, count: usize) {
        self.times[..self.len].rotate_left(count);
        self.cells[..self.len].rotate_left(count);
        self.len -= count;
    }

    pub(super) fn retain(&mut self, keep: &mut impl FnMut(&E) -> bool) {
        let mut kept = 0;
        for place in 0..self.len {
            if keep(&self.events[usize::from(self.cells[place])]) {
                self.times.swap(kept, place);
                self.cells.swap(kept, place);
                kept += 1;
            }
        }
        self.len = kept;
    }
}
