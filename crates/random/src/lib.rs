//! The random source of all of Soundline: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
//! 2014). The same seed gives the same choices on every machine and in every release, which is why this is not left to a
//! crate whose algorithm may change. It is no source of secrets.
//!
//! ```
//! let mut rng = random::Rng::named(7, "widths");
//! let same = random::Rng::named(7, "widths").below(100);
//! assert_eq!(rng.below(100), same);
//! ```

/// A seeded random source.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The source of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The source for one of several named purposes, so that adding one does not change the others.
    pub fn named(seed: u64, name: &str) -> Rng {
        Rng(seed ^ fnv(name))
    }

    /// The source of the `index`-th of many equal pieces of work, whoever does the others and in whatever order.
    pub fn numbered(seed: u64, index: u64) -> Rng {
        let mut rng = Rng(seed ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03));
        Rng(rng.bits())
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `n`, which is not 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low) as usize + 1) as i64
    }

    /// A number from `low` to `high`, both included, for searches that look beyond machine words.
    pub fn between_wide(&mut self, low: i128, high: i128) -> i128 {
        debug_assert!(low <= high);
        let wide = (u128::from(self.bits()) << 64) | u128::from(self.bits());
        match (high.wrapping_sub(low) as u128).checked_add(1) {
            Some(width) => low.wrapping_add((wide % width) as i128),
            None => wide as i128,
        }
    }

    /// True once in `n` times.
    #[inline]
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts the items into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// One of the items, of which there is at least one.
    #[inline]
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// One of the items, if there is any.
    #[inline]
    pub fn choose<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(self.pick(items)) }
    }
}

/// SplitMix64's finaliser: a bijection that scatters neighbouring numbers, good for hashing them too.
#[inline]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// FNV-1a, 64 bits: the same number for a text on every machine and in every release. Not for secrets.
pub fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_published_sequence() {
        // The reference implementation's first outputs for seed 1234567.
        let mut rng = Rng::new(1_234_567);
        let outputs: Vec<u64> = (0..3).map(|_| rng.bits()).collect();
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn wide_intervals_are_kept_to_and_filled() {
        let mut rng = Rng::new(3);
        let seen: std::collections::BTreeSet<i128> = (0..200).map(|_| rng.between_wide(-3, 3)).collect();
        assert!(seen.into_iter().eq(-3..=3));
        assert_eq!(rng.between_wide(i128::MAX, i128::MAX), i128::MAX);
        let far = (0..200).map(|_| rng.between_wide(i128::MIN, i128::MAX));
        assert!(far.filter(|n| n.unsigned_abs() > 1 << 120).count() > 100);
        assert_eq!(rng.choose::<u8>(&[]), None);
    }

    #[test]
    fn numbered_sources_differ() {
        let firsts: std::collections::BTreeSet<u64> = (0..1000).map(|i| Rng::numbered(7, i).bits()).collect();
        assert_eq!(firsts.len(), 1000);
        assert_eq!(Rng::numbered(7, 3).bits(), Rng::numbered(7, 3).bits());
    }

    #[test]
    fn a_shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..100).collect();
        Rng::new(1).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
