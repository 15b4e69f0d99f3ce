//! Tabu lists bounded in memory: points that were tried and must not be tried again soon.
//!
//! Paper 004 keeps every failed assignment forever. Here a list remembers the last so many, each as 64 bits: when two
//! points share their bits, one of them is passed over once, which costs an incomplete search nothing.

use random::mix;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The most recent points, the oldest forgotten first.
#[derive(Clone, Debug)]
pub(crate) struct Tabu {
    capacity: usize,
    order: VecDeque<u64>,
    set: FxHashSet<u64>,
}

impl Tabu {
    /// A list that remembers this many points, at least one.
    pub(crate) fn new(capacity: usize) -> Tabu {
        Tabu { capacity: capacity.max(1), order: VecDeque::new(), set: FxHashSet::default() }
    }

    /// Whether the point is on the list.
    #[inline]
    pub(crate) fn contains(&self, point: u64) -> bool {
        self.set.contains(&point)
    }

    /// Puts a point on the list; false if it was there.
    pub(crate) fn insert(&mut self, point: u64) -> bool {
        if !self.set.insert(point) {
            return false;
        }
        if self.order.len() == self.capacity
            && let Some(oldest) = self.order.pop_front()
        {
            self.set.remove(&oldest);
        }
        self.order.push_back(point);
        true
    }

    /// How many points are on the list.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }
}

/// What one variable's value contributes to the bits of a point; a point is the exclusive or of its variables.
#[inline]
pub(crate) fn share(var: usize, value: i128) -> u64 {
    mix(mix(value as u64 ^ mix(var as u64 + 1)) ^ (value >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_forgets_its_oldest_point_and_never_outgrows_its_bound() {
        let mut tabu = Tabu::new(3);
        for point in 0..1000 {
            assert!(tabu.insert(point));
            assert!(!tabu.insert(point), "a point is listed once");
            assert!(tabu.len() <= 3 && tabu.set.len() == tabu.order.len());
        }
        assert!(tabu.contains(999) && tabu.contains(997) && !tabu.contains(996));
    }

    #[test]
    fn swapping_two_values_changes_the_point() {
        let point = |values: [i128; 2]| share(0, values[0]) ^ share(1, values[1]);
        assert_ne!(point([3, 5]), point([5, 3]));
        assert_ne!(point([1, 1]), point([2, 2]));
        assert_ne!(point([1 << 64, 0]), point([0, 0]));
    }
}
