//! Machine words that hold a whole state.

use std::fmt::Debug;
use std::hash::Hash;

/// A machine word with bit fields of up to 32 bits.
pub trait Word: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// Bits in the word.
    const BITS: u32;

    /// All ones: marks a free place in a table, so no state packs to it.
    const EMPTY: Self;

    /// The `mask`ed bits from bit `shift` on.
    fn field(self, shift: u32, mask: u32) -> u32;

    /// The same word with the `mask`ed bits from bit `shift` on replaced by `value`, which must
    /// lie within `mask`.
    fn with_field(self, shift: u32, mask: u32, value: u32) -> Self;

    /// A hash of the whole word; a permutation is not needed, an even spread is.
    fn mix(self) -> u64;
}

/// An odd number without structure (2⁶⁴ divided by the golden ratio).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn fold(word: u64) -> u64 {
    let product = u128::from(word ^ (word >> 32)) * u128::from(GOLDEN);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Word for u64 {
    const BITS: u32 = u64::BITS;
    const EMPTY: Self = u64::MAX;

    #[inline]
    fn field(self, shift: u32, mask: u32) -> u32 {
        (self >> shift) as u32 & mask
    }

    #[inline]
    fn with_field(self, shift: u32, mask: u32, value: u32) -> Self {
        (self & !(u64::from(mask) << shift)) | u64::from(value) << shift
    }

    #[inline]
    fn mix(self) -> u64 {
        fold(self)
    }
}

impl Word for u128 {
    const BITS: u32 = u128::BITS;
    const EMPTY: Self = u128::MAX;

    #[inline]
    fn field(self, shift: u32, mask: u32) -> u32 {
        (self >> shift) as u32 & mask
    }

    #[inline]
    fn with_field(self, shift: u32, mask: u32, value: u32) -> Self {
        (self & !(u128::from(mask) << shift)) | u128::from(value) << shift
    }

    #[inline]
    fn mix(self) -> u64 {
        fold(self as u64 ^ fold((self >> 64) as u64).rotate_left(23))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields_do_not_touch_their_neighbours<W: Word>() {
        let ones = W::EMPTY;
        for shift in [0, 3, W::BITS - 5] {
            let cleared = ones.with_field(shift, 0b11111, 0b01010);
            assert_eq!(cleared.field(shift, 0b11111), 0b01010);
            assert_eq!(cleared.with_field(shift, 0b11111, 0b11111), ones);
        }
    }

    #[test]
    fn fields_are_read_back_and_leave_the_rest_alone() {
        fields_do_not_touch_their_neighbours::<u64>();
        fields_do_not_touch_their_neighbours::<u128>();
    }

    #[test]
    fn neighbouring_words_spread_over_shards_and_slots() {
        let mut shards = [0u32; 64];
        for word in 0u64..64 * 256 {
            shards[(word.mix() >> 58) as usize] += 1;
        }
        assert!(shards.iter().all(|&n| (128..512).contains(&n)), "{shards:?}");
    }
}
