//! A set of replicas of one partition, such as its ISR.

use super::types::ReplicaSlot;

/// A set of replica slots, one bit a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct ReplicaSet(u32);

impl ReplicaSet {
    /// The most replicas a partition can have here.
    pub const CAPACITY: usize = u32::BITS as usize;

    /// The set without members.
    pub const EMPTY: ReplicaSet = ReplicaSet(0);

    /// The set of slots `0 .. count`.
    ///
    /// # Panics
    /// If `count` is above [`ReplicaSet::CAPACITY`].
    pub fn first(count: usize) -> Self {
        assert!(count <= Self::CAPACITY, "at most 32 replicas, not {count}");
        ReplicaSet(if count == Self::CAPACITY { u32::MAX } else { (1 << count) - 1 })
    }

    /// The set with the one member `slot`.
    #[inline]
    pub fn only(slot: ReplicaSlot) -> Self {
        ReplicaSet(1 << slot)
    }

    /// The set whose members are the bits set in `bits`, bit 0 being slot 0.
    #[inline]
    pub fn from_bits(bits: u32) -> Self {
        ReplicaSet(bits)
    }

    /// One bit a member, bit 0 being slot 0.
    #[inline]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether `slot` is a member.
    #[inline]
    pub fn contains(self, slot: ReplicaSlot) -> bool {
        self.0 & (1 << slot) != 0
    }

    /// Adds `slot`.
    #[inline]
    pub fn insert(&mut self, slot: ReplicaSlot) {
        self.0 |= 1 << slot;
    }

    /// Takes `slot` out.
    #[inline]
    pub fn remove(&mut self, slot: ReplicaSlot) {
        self.0 &= !(1 << slot);
    }

    /// The members that are not in `other`.
    #[inline]
    pub fn without(self, other: ReplicaSet) -> Self {
        ReplicaSet(self.0 & !other.0)
    }

    /// The members that are also in `other`.
    #[inline]
    pub fn intersection(self, other: ReplicaSet) -> Self {
        ReplicaSet(self.0 & other.0)
    }

    /// Whether every member is also in `other`.
    #[inline]
    pub fn is_subset_of(self, other: ReplicaSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Number of members.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no member.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in rising order.
    pub fn iter(self) -> impl Iterator<Item = ReplicaSlot> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let slot = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(slot)
        })
    }
}

impl FromIterator<ReplicaSlot> for ReplicaSet {
    fn from_iter<I: IntoIterator<Item = ReplicaSlot>>(slots: I) -> Self {
        let mut set = ReplicaSet::EMPTY;
        for slot in slots {
            set.insert(slot);
        }
        set
    }
}

impl std::fmt::Debug for ReplicaSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in() {
        let mut set: ReplicaSet = [0, 3, 31].into_iter().collect();
        assert!(set.contains(0) && set.contains(3) && set.contains(31));
        assert!(!set.contains(1));
        assert_eq!(set.len(), 3);
        set.remove(3);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 31]);
        assert_eq!(set, ReplicaSet::from_bits(0x8000_0001));
        assert_eq!(set.bits(), 0x8000_0001);
    }

    #[test]
    fn first_holds_that_many() {
        assert_eq!(ReplicaSet::first(0), ReplicaSet::EMPTY);
        assert_eq!(ReplicaSet::first(3).iter().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(ReplicaSet::first(32).len(), 32);
    }

    #[test]
    fn subset_and_difference() {
        let all = ReplicaSet::first(3);
        let one = ReplicaSet::only(1);
        assert!(one.is_subset_of(all) && !all.is_subset_of(one));
        assert_eq!(all.without(one).iter().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(format!("{:?}", all.without(one)), "{0, 2}");
        assert!(one.without(one).is_empty());
        assert_eq!(all.intersection(ReplicaSet::from_bits(0b1010)), one);
    }
}
