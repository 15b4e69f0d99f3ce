//! Sets of characters and the partition of the alphabet that a regular expression induces.
//!
//! An expression whose classes have `k` range ends tells at most `k + 1` kinds of characters apart, so derivatives are
//! taken by one representative of each kind instead of by each of 196,608 characters (Owens, Reppy and Turon, *Regular-
//! expression derivatives re-examined*, section 4.2).

use crate::string::MAX_CHAR;

/// A set of characters as its maximal ranges, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CharSet(Box<[(u32, u32)]>);

impl CharSet {
    pub(super) fn empty() -> CharSet {
        CharSet(Box::default())
    }

    pub(super) fn full() -> CharSet {
        CharSet::range(0, MAX_CHAR)
    }

    /// The characters from `lo` to `hi`, which must be in order.
    pub(super) fn range(lo: u32, hi: u32) -> CharSet {
        CharSet(Box::new([(lo, hi)]))
    }

    pub(super) fn contains(&self, c: u32) -> bool {
        let after = self.0.partition_point(|&(lo, _)| lo <= c);
        after > 0 && c <= self.0[after - 1].1
    }

    /// The union of any number of sets.
    pub(super) fn union<'a>(sets: impl Iterator<Item = &'a CharSet>) -> CharSet {
        let mut ranges: Vec<(u32, u32)> = sets.flat_map(|set| set.0.iter().copied()).collect();
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (lo, hi) in ranges {
            match merged.last_mut() {
                Some(last) if lo <= last.1 + 1 => last.1 = last.1.max(hi),
                _ => merged.push((lo, hi)),
            }
        }
        CharSet(merged.into())
    }

    pub(super) fn intersection(&self, other: &CharSet) -> CharSet {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut common = Vec::new();
        while let (Some(&&(a_lo, a_hi)), Some(&&(b_lo, b_hi))) = (a.peek(), b.peek()) {
            if a_lo.max(b_lo) <= a_hi.min(b_hi) {
                common.push((a_lo.max(b_lo), a_hi.min(b_hi)));
            }
            if a_hi < b_hi {
                a.next()
            } else {
                b.next()
            };
        }
        CharSet(common.into())
    }

    pub(super) fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }
}

/// The alphabet cut into blocks; each is known by its first character, its representative.
#[derive(Debug)]
pub(super) struct Partition(Box<[u32]>);

impl Partition {
    /// The representative of the block that a character belongs to.
    pub(super) fn representative(&self, c: u32) -> u32 {
        self.0[self.0.partition_point(|&start| start <= c) - 1]
    }

    /// The blocks as ranges of characters, ascending.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let ends = self.0.iter().skip(1).map(|start| start - 1).chain([MAX_CHAR]);
        self.0.iter().copied().zip(ends)
    }
}

/// Collects the places where a partition has to cut.
pub(super) struct Cuts(Box<[u64]>);

impl Cuts {
    pub(super) fn new() -> Cuts {
        let mut cuts = Cuts(vec![0; MAX_CHAR as usize / 64 + 1].into());
        cuts.before(0);
        cuts
    }

    /// Makes the characters from `lo` to `hi` a union of blocks.
    pub(super) fn around(&mut self, lo: u32, hi: u32) {
        self.before(lo);
        if hi < MAX_CHAR {
            self.before(hi + 1);
        }
    }

    pub(super) fn partition(&self) -> Partition {
        let mut starts = Vec::new();
        for (at, &word) in (0u32..).zip(&self.0) {
            let mut word = word;
            while word != 0 {
                starts.push(at * 64 + word.trailing_zeros());
                word &= word - 1;
            }
        }
        Partition(starts.into())
    }

    fn before(&mut self, c: u32) {
        self.0[c as usize / 64] |= 1 << (c % 64);
    }
}
