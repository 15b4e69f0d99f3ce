//! What runs usually do: which two branches come in a row, and about how often.
//!
//! Coverage does not see that a loop went round once more or that a function was called from somewhere else; pairs of branches
//! do, as fuzzers count them (AFL's edges and hit counts), with the call that the first of the two is in (as Angora has it, S&P
//! 2018): two letters of a keyword are no news when another was compared so far by the same function. Pairs are told apart by a
//! fingerprint, so two may count as one.

use crate::route::Route;
use crate::target::Site;

/// How many fingerprints there are.
const SIZE: usize = 1 << 14;

/// How often two branches came in a row in one run.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    counts: Vec<u8>,
    /// The last branch.
    last: Route,
    /// The innermost call.
    call: Route,
}

impl Default for Pairs {
    fn default() -> Pairs {
        Pairs::new(Vec::new())
    }
}

impl Pairs {
    /// None, in room that may have been used before.
    pub(crate) fn new(mut counts: Vec<u8>) -> Pairs {
        counts.clear();
        counts.resize(SIZE, 0);
        Pairs { counts, last: Route::default(), call: Route::default() }
    }

    /// The room, for others to use.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.counts)
    }

    /// What follows happens within a call from this site.
    #[inline(always)]
    pub(crate) fn within(&mut self, call: Option<Site>) {
        self.call = call.map_or(Route::default(), |at| Route::default().after(at, 0));
    }

    /// A branch went some way.
    #[inline(always)]
    pub(crate) fn turn(&mut self, at: Site, way: u32) {
        let pair = self.last.after(at, way);
        self.last = self.call.after(at, way);
        let count = &mut self.counts[(pair.0 >> (u64::BITS - SIZE.ilog2())) as usize];
        *count = count.saturating_add(1);
    }
}

/// About how often pairs came in some run, as bits.
#[derive(Clone, Debug)]
pub(crate) struct Habits(Vec<u8>);

impl Default for Habits {
    fn default() -> Habits {
        Habits(vec![0; SIZE])
    }
}

impl Habits {
    /// Adds a run.
    pub(crate) fn add(&mut self, pairs: &Pairs) {
        for (habit, &count) in self.0.iter_mut().zip(&pairs.counts) {
            *habit |= about(count);
        }
    }

    /// Whether a run would be the first with some pair, or the first with about so many of it.
    pub(crate) fn lack(&self, pairs: &Pairs) -> bool {
        // Most pairs never come: eight at a time are passed over.
        let (habits, _) = self.0.as_chunks::<8>();
        let (counts, _) = pairs.counts.as_chunks::<8>();
        habits.iter().zip(counts).any(|(habits, counts)| {
            *counts != [0; 8] && habits.iter().zip(counts).any(|(habit, &count)| about(count) & !habit != 0)
        })
    }
}

/// About how often: a bit for once, twice, three times, up to 7, 15, 31, 127, and more.
fn about(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        128.. => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_unusual_once_and_when_it_comes_much_more_often() {
        let mut habits = Habits::default();
        let mut is_unusual = |branches: &[u32]| {
            let mut pairs = Pairs::default();
            branches.iter().for_each(|&way| pairs.turn(Site(0), way));
            let unusual = habits.lack(&pairs);
            habits.add(&pairs);
            assert!(!habits.lack(&pairs));
            unusual
        };
        assert!(is_unusual(&[1, 1, 0]));
        assert!(!is_unusual(&[1, 1]));
        assert!(is_unusual(&[0, 1]), "the same branches in another order");
        assert!(is_unusual(&[1; 6]), "a loop that goes round more often");
        assert!(!is_unusual(&[1; 7]), "about as often");
    }

    #[test]
    fn the_same_branches_in_another_call_are_unusual() {
        let mut habits = Habits::default();
        let mut is_unusual = |calls: &[Option<u32>]| {
            let mut pairs = Pairs::default();
            for call in calls {
                pairs.within(call.map(Site));
                pairs.turn(Site(0), 1);
                pairs.turn(Site(1), 0);
            }
            let unusual = habits.lack(&pairs);
            habits.add(&pairs);
            unusual
        };
        assert!(is_unusual(&[None]));
        assert!(is_unusual(&[Some(7)]));
        assert!(is_unusual(&[Some(8)]), "from elsewhere");
        assert!(!is_unusual(&[Some(7)]));
    }
}
