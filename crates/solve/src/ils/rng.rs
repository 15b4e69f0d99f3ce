//! The search's own random numbers: SplitMix64, so that a run depends on its seed and on nothing else.

/// A deterministic stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `n`, which is not zero.
    #[inline]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True once in `n` times.
    #[inline]
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number in a closed interval that is not empty.
    pub(crate) fn between(&mut self, lo: i128, hi: i128) -> i128 {
        debug_assert!(lo <= hi);
        let wide = (u128::from(self.bits()) << 64) | u128::from(self.bits());
        match (hi.wrapping_sub(lo) as u128).checked_add(1) {
            Some(width) => lo.wrapping_add((wide % width) as i128),
            None => wide as i128,
        }
    }

    /// An element of a slice.
    #[inline]
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }
}

/// SplitMix64's finaliser: a bijection that scatters neighbouring numbers.
#[inline]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
