//! A part of the set of visited states: an open-addressing table and the states in the order they
//! were found, each with its parent.

use super::word::Word;

/// Identifies a visited state: shard number in the low bits, place in the shard above.
pub(super) type Id = u32;

pub(super) const SHARD_BITS: u32 = 6;
pub(super) const SHARDS: usize = 1 << SHARD_BITS;

/// The parent of an initial state.
pub(super) const NO_PARENT: Id = Id::MAX;

/// States looked up together, so that the memory accesses of one overlap those of the others.
const LOOKAHEAD: usize = 64;

pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

pub(super) fn id(shard: usize, place: usize) -> Option<Id> {
    let id = (place as u64) << SHARD_BITS | shard as u64;
    Id::try_from(id).ok().filter(|&id| id != NO_PARENT)
}

pub(super) fn place(id: Id) -> (usize, usize) {
    ((id as usize) & (SHARDS - 1), (id >> SHARD_BITS) as usize)
}

/// A state that was reached, and from where.
#[derive(Clone, Copy)]
pub(super) struct Candidate<W> {
    pub word: W,
    pub parent: Id,
}

/// The shard is full: memory, or the numbers for its states, ran out.
pub(super) struct Full;

pub(super) struct Shard<W> {
    number: usize,
    /// Linear probing; its length is a power of two, [`Word::EMPTY`] is free.
    table: Vec<W>,
    /// The states in the order found: breadth first.
    order: Vec<W>,
    parents: Vec<Id>,
    /// States before this place belong to levels already expanded.
    pub level_start: usize,
    /// States from this place on belong to the next level.
    pub level_end: usize,
}

impl<W: Word> Shard<W> {
    pub fn new(number: usize) -> Self {
        Self {
            number,
            table: vec![W::EMPTY; 64],
            order: Vec::new(),
            parents: Vec::new(),
            level_start: 0,
            level_end: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn state(&self, place: usize) -> W {
        self.order[place]
    }

    pub fn states(&self, places: std::ops::Range<usize>) -> &[W] {
        &self.order[places]
    }

    pub fn parent(&self, place: usize) -> Id {
        self.parents[place]
    }

    /// Bytes allocated.
    pub fn memory(&self) -> usize {
        (self.table.len() + self.order.capacity()) * size_of::<W>()
            + self.parents.capacity() * size_of::<Id>()
    }

    /// Adds what is new among `candidates`, in their order. `allow` is asked before memory is
    /// taken, with the bytes needed on top of what is held.
    pub fn insert_all(
        &mut self,
        candidates: &[Candidate<W>],
        mut allow: impl FnMut(usize) -> bool,
    ) -> Result<(), Full> {
        for batch in candidates.chunks(LOOKAHEAD) {
            if self.order.len() + batch.len() > self.table.len() / 4 * 3 {
                self.grow(&mut allow)?;
            }
            if self.order.len() + batch.len() > self.order.capacity() {
                self.reserve(batch.len(), &mut allow)?;
            }
            self.touch(batch);
            for candidate in batch {
                self.insert(*candidate)?;
            }
        }
        Ok(())
    }

    /// Starts the next level and says how many states it has.
    pub fn next_level(&mut self) -> usize {
        self.level_start = self.level_end;
        self.level_end = self.order.len();
        self.level_end - self.level_start
    }

    fn slot(&self, word: W) -> usize {
        word.mix() as usize & (self.table.len() - 1)
    }

    /// Reads the first slot of every candidate: independent loads, which overlap, so that the
    /// insertions that follow find them in the cache. (There is no safe prefetch instruction.)
    fn touch(&self, batch: &[Candidate<W>]) {
        let occupied = batch.iter().filter(|candidate| self.table[self.slot(candidate.word)] != W::EMPTY);
        std::hint::black_box(occupied.count());
    }

    fn insert(&mut self, candidate: Candidate<W>) -> Result<(), Full> {
        let mask = self.table.len() - 1;
        let mut slot = self.slot(candidate.word);
        loop {
            let found = self.table[slot];
            if found == candidate.word {
                return Ok(());
            }
            if found == W::EMPTY {
                break;
            }
            slot = (slot + 1) & mask;
        }
        assert!(candidate.word != W::EMPTY, "a state packs to the word that marks a free place");
        id(self.number, self.order.len()).ok_or(Full)?;
        self.table[slot] = candidate.word;
        self.order.push(candidate.word);
        self.parents.push(candidate.parent);
        Ok(())
    }

    fn grow(&mut self, allow: &mut impl FnMut(usize) -> bool) -> Result<(), Full> {
        let len = self.table.len() * 2;
        if !allow(len * size_of::<W>()) {
            return Err(Full);
        }
        self.table = Vec::new();
        self.table = vec![W::EMPTY; len];
        let mask = len - 1;
        for &word in &self.order {
            let mut slot = word.mix() as usize & mask;
            while self.table[slot] != W::EMPTY {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = word;
        }
        Ok(())
    }

    fn reserve(&mut self, more: usize, allow: &mut impl FnMut(usize) -> bool) -> Result<(), Full> {
        let more = more.max(self.order.len() / 2);
        // While a list moves to its new place both copies exist.
        let needed = (self.order.len() + more) * (size_of::<W>() + size_of::<Id>());
        if !allow(needed) {
            return Err(Full);
        }
        self.order.reserve_exact(more);
        self.parents.reserve_exact(more);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(words: impl Iterator<Item = u64>) -> Vec<Candidate<u64>> {
        words.map(|word| Candidate { word, parent: word as Id }).collect()
    }

    #[test]
    fn keeps_the_first_of_each_state_in_order_through_growth() {
        let mut shard = Shard::new(3);
        let words = (0..5000u64).chain(0..5000).chain(5000..6000);
        assert!(shard.insert_all(&candidates(words), |_| true).is_ok());
        assert_eq!(shard.states(0..shard.len()), (0..6000).collect::<Vec<u64>>());
        assert_eq!(shard.parent(4321), 4321);
    }

    #[test]
    fn stops_when_memory_is_refused_and_keeps_what_it_has() {
        let mut shard = Shard::new(0);
        let refused = shard.insert_all(&candidates(0..100_000), |bytes| bytes < 4096);
        assert!(refused.is_err());
        assert!(shard.len() > 0 && shard.memory() < 3 * 4096, "{}", shard.memory());
    }

    #[test]
    fn ids_tell_shard_and_place() {
        let id = super::id(63, 1000).expect("in range");
        assert_eq!(place(id), (63, 1000));
        assert_eq!(super::id(63, (1 << 26) - 1), None, "the last number means no parent");
        assert_eq!(super::id(0, 1 << 26), None);
    }
}
