//! A few events, sorted.

/// Places in the front. The caller keeps it from overflowing.
const PLACES: usize = 64;

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
        Self {
            len: 0,
            times: [0; PLACES],
            cells: std::array::from_fn(|cell| cell as u8),
            events: Vec::with_capacity(PLACES),
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
