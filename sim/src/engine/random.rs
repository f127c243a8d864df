//! Reproducible random streams, one per (seed, actor, purpose).
//!
//! Each actor asks for a stream of its own for each purpose, so adding an actor
//! or a fault does not move the draws of another.
//!
//! The generator is ChaCha with 8 rounds: the same numbers on every platform, a
//! 256-bit key to hold the derivation below, and no statistical test is known to
//! tell it from chance. More rounds would only buy a margin against an attacker,
//! which a simulation does not have.
//!
//! # Derivation of a stream, fixed for ever
//!
//! 1. Write the message: the seed (8 bytes), the length of the actor in bytes
//!    (8 bytes), the actor, the length of the purpose (8 bytes), the purpose;
//!    numbers are little-endian, texts UTF-8. The lengths keep ("ab", "c") and
//!    ("a", "bc") apart.
//! 2. For lane = 0, 1, 2, 3: hash one byte with the value of lane and then the
//!    message with 64-bit FNV-1a, and pass the hash through SplitMix64's
//!    finalizer.
//! 3. The four results, little-endian, are the ChaCha key; nonce and counter
//!    start at 0.
//!
//! A test holds the first draws; a change of the derivation is a breaking change
//! of every recorded run.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The source of all random streams of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
}

impl Streams {
    /// The streams of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The seed, to be printed with every result.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The stream of one actor for one purpose, from its beginning.
    ///
    /// Asking twice gives the same draws twice; it does not continue.
    pub fn stream(&self, actor: &str, purpose: &str) -> Stream {
        Stream { generator: ChaCha8Rng::from_seed(key(self.seed, actor, purpose)) }
    }
}

/// A sequence of random draws that depends on nothing but seed, actor and purpose.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: ChaCha8Rng,
}

impl Stream {
    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number of `0..n`, each equally likely; panics if `n` is 0.
    ///
    /// For a probability that decides something, `below(den) < num` is exact.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a number below 0 was asked for");
        // Lemire's method: the high half of a product, with the few low halves
        // that would make some results likelier thrown away.
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let excess = n.wrapping_neg() % n;
            while (product as u64) < excess {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// A number of [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * TWO_POW_MINUS_53
    }

    /// A number of (0, 1], a multiple of 2⁻⁵³; its logarithm is finite.
    #[inline]
    pub fn unit_open(&mut self) -> f64 {
        ((self.next_u64() >> 11) + 1) as f64 * TWO_POW_MINUS_53
    }
}

const TWO_POW_MINUS_53: f64 = 1.0 / (1u64 << 53) as f64;

fn key(seed: u64, actor: &str, purpose: &str) -> [u8; 32] {
    let mut key = [0; 32];
    for (lane, word) in (0..).zip(key.chunks_exact_mut(8)) {
        let mut hash = FNV_OFFSET_BASIS;
        fnv1a(&mut hash, &[lane]);
        fnv1a(&mut hash, &seed.to_le_bytes());
        for text in [actor, purpose] {
            fnv1a(&mut hash, &(text.len() as u64).to_le_bytes());
            fnv1a(&mut hash, text.as_bytes());
        }
        word.copy_from_slice(&splitmix64_finalizer(hash).to_le_bytes());
    }
    key
}

const FNV_OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

fn fnv1a(hash: &mut u64, bytes: &[u8]) {
    for byte in bytes {
        *hash = (*hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME);
    }
}

fn splitmix64_finalizer(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_draws(seed: u64, actor: &str, purpose: &str) -> [u64; 4] {
        let mut stream = Streams::new(seed).stream(actor, purpose);
        std::array::from_fn(|_| stream.next_u64())
    }

    #[test]
    fn the_hash_is_fnv_1a_and_splitmix64() {
        let mut hash = FNV_OFFSET_BASIS;
        fnv1a(&mut hash, b"foobar");
        assert_eq!(hash, 0x8594_4171_f739_67e8);
        // The first output of SplitMix64 with state 0.
        assert_eq!(splitmix64_finalizer(0x9e37_79b9_7f4a_7c15), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn streams_differ_by_seed_actor_and_purpose() {
        let draws = [
            first_draws(1, "ab", "c"),
            first_draws(2, "ab", "c"),
            first_draws(1, "a", "bc"),
            first_draws(1, "ab", "d"),
            first_draws(1, "abc", ""),
            first_draws(1, "", "abc"),
        ];
        let distinct: std::collections::BTreeSet<u64> = draws.into_iter().flatten().collect();
        assert_eq!(distinct.len(), 24);
    }

    #[test]
    fn below_is_uniform_and_covers_its_range() {
        let mut stream = Streams::new(7).stream("test", "below");
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        // Five standard deviations of a binomial(60000, 1/6) are 456.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 456), "{counts:?}");
        // With n = 3 · 2⁶² a quarter of the draws must be thrown away, else the
        // multiples of 3 are twice as likely as others.
        let n = 3 << 62;
        let multiples = (0..30_000).filter(|_| stream.below(n).is_multiple_of(3)).count();
        assert!(multiples.abs_diff(10_000) < 409, "{multiples}");
        assert_eq!(stream.below(1), 0);
    }

    #[test]
    #[should_panic(expected = "below 0")]
    fn below_zero_is_refused() {
        Streams::new(0).stream("", "").below(0);
    }

    #[test]
    fn unit_draws_stay_in_their_intervals() {
        let mut stream = Streams::new(7).stream("test", "unit");
        let mut sum = 0.0;
        for _ in 0..100_000 {
            let unit = stream.unit();
            let open = stream.unit_open();
            assert!((0.0..1.0).contains(&unit) && open > 0.0 && open <= 1.0);
            sum += unit + open;
        }
        assert!((sum / 200_000.0 - 0.5).abs() < 0.004);
    }
}
