//! Delta debugging of a list: the halving order in which parts of it are tried, and the minimisation of a list on which
//! a property holds (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).

use std::ops::Range;

/// The parts of a list in the order in which they are tried: the whole, then its first half with all of its parts, then
/// its second half. A part that was taken is not split. Going depth first makes the second half of a part that failed,
/// after its first half was taken, the same candidate as the whole part: it costs no second test.
pub(super) struct Halves {
    stack: Vec<Range<usize>>,
    floor: usize,
}

impl Halves {
    /// All parts of a list of this length that have at least `floor` elements (or are the whole).
    pub(super) fn new(len: usize, floor: usize) -> Halves {
        let stack = if len == 0 { Vec::new() } else { std::iter::once(0..len).collect() };
        Halves { stack, floor: floor.max(1) }
    }

    /// The next `n` parts, if none of them is taken.
    pub(super) fn peek(&self, n: usize) -> Vec<Range<usize>> {
        let mut ahead = Halves { stack: self.stack.clone(), floor: self.floor };
        let mut parts = Vec::new();
        while parts.len() < n
            && let Some(part) = ahead.stack.last().cloned()
        {
            parts.push(part);
            ahead.failed();
        }
        parts
    }

    /// The next part was taken.
    pub(super) fn taken(&mut self) -> Option<Range<usize>> {
        self.stack.pop()
    }

    /// The next part failed: its halves are next.
    pub(super) fn failed(&mut self) {
        if let Some(part) = self.stack.pop()
            && part.len() > self.floor
        {
            let middle = part.start + part.len().div_ceil(2);
            self.stack.push(middle..part.end);
            self.stack.push(part.start..middle);
        }
    }
}

/// A 1-minimal part of a list on which the test still succeeds: leaving out any single item makes it fail. The order of
/// the items is kept. The test is assumed to succeed on the whole list, which is not tested again.
///
/// ```
/// let needed = |items: &[i32]| items.contains(&3) && items.contains(&7);
/// let all: Vec<i32> = (0..100).collect();
/// assert_eq!(fuzz::reduce::minimize(&all, &mut |items| needed(items)), [3, 7]);
/// ```
pub fn minimize<T: Clone>(items: &[T], test: &mut dyn FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = items.to_vec();
    loop {
        let before = kept.clone();
        let mut keep = vec![true; before.len()];
        let mut parts = Halves::new(before.len(), 1);
        while let Some(part) = parts.peek(1).pop() {
            let chosen = |i: &usize| keep[*i] && !part.contains(i);
            let candidate: Vec<T> = (0..before.len()).filter(chosen).map(|i| before[i].clone()).collect();
            if test(&candidate) {
                keep[part].fill(false);
                kept = candidate;
                parts.taken();
            } else {
                parts.failed();
            }
        }
        // What was needed at first may be needless without what went later.
        if kept.len() == before.len() || kept.len() < 2 {
            return kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_visit_every_single_element() {
        for len in [1, 2, 3, 7, 16] {
            let mut parts = Halves::new(len, 1);
            let mut singles = Vec::new();
            while let Some(part) = parts.peek(1).pop() {
                if part.len() == 1 {
                    singles.push(part.start);
                }
                parts.failed();
            }
            assert_eq!(singles, (0..len).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_kept_is_minimal_and_cheap() {
        let all: Vec<u32> = (0..1000).collect();
        for needed in [vec![], vec![0], vec![999], vec![3, 500, 501], (100..110).collect::<Vec<u32>>()] {
            let mut tests = 0;
            let kept = minimize(&all, &mut |items| {
                tests += 1;
                needed.iter().all(|n| items.contains(n))
            });
            assert_eq!(kept, needed);
            assert!(tests <= 30 + 25 * needed.len(), "{tests} tests for {needed:?}");
        }
    }

    #[test]
    fn a_property_that_is_not_monotone_still_ends_minimal() {
        // An even number of elements that holds 4: leaving out one alone always fails, pairs may go.
        let holds = |items: &[u32]| items.len().is_multiple_of(2) && items.contains(&4);
        let kept = minimize(&(0..10).collect::<Vec<_>>(), &mut |items| holds(items));
        assert!(holds(&kept));
        for i in 0..kept.len() {
            let mut without = kept.clone();
            without.remove(i);
            assert!(!holds(&without));
        }
    }
}
