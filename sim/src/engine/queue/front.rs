//! A few events, sorted.

use super::Entry;

/// A short list of events, the latest first, so that the soonest is popped off
/// its end. An insertion moves the sooner events up by one, which for a handful
/// is quicker than any tree.
#[derive(Clone, Debug)]
pub(super) struct Front<E> {
    entries: Vec<Entry<E>>,
}

impl<E: Copy> Front<E> {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity) }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// Inserts an event after all that are not later.
    #[inline]
    pub(super) fn insert(&mut self, entry: Entry<E>) {
        self.entries.push(entry);
        let mut hole = self.entries.len() - 1;
        while hole > 0 && self.entries[hole - 1].time <= entry.time {
            self.entries[hole] = self.entries[hole - 1];
            hole -= 1;
        }
        self.entries[hole] = entry;
    }

    #[inline]
    pub(super) fn soonest(&self) -> Option<&Entry<E>> {
        self.entries.last()
    }

    #[inline]
    pub(super) fn pop_before(&mut self, limit: u64) -> Option<Entry<E>> {
        self.entries.pop_if(|entry| entry.time <= limit)
    }

    #[inline]
    pub(super) fn latest_first(&self) -> &[Entry<E>] {
        &self.entries
    }

    pub(super) fn drop_latest(&mut self, count: usize) {
        self.entries.drain(..count);
    }

    pub(super) fn retain(&mut self, keep: &mut impl FnMut(&E) -> bool) {
        self.entries.retain(|entry| keep(&entry.event));
    }
}
