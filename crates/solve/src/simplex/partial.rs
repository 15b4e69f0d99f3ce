//! Partial solutions: the assignments that the search passes through (Zhang et al., "Multiplex
//! Symbolic Execution", Algorithm 2), rounded to the closest integers where the variables are
//! integers (Section 4.1).
//!
//! The rounded vector is kept up to date from the variables that changed, and an incremental hash of
//! it filters repetitions, so a partial solution costs as much as the values that a pivot moved. In
//! long searches the looks get rarer, so that what they cost does not grow with the search. Partial
//! solutions are candidates, never claims: nothing here looks at a constraint.

use crate::tuning::simplex_partial::{FILTER_CAPACITY, FREE_LOOKS};
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use super::form::Var;
use super::num::{Delta, Rational};

/// One assignment that the search passed through.
#[derive(Clone, Copy, Debug)]
pub struct Partial<'a> {
    /// The original variables in the order of creation.
    pub vars: &'a [Var],
    /// Their values; integers where the variable is an integer.
    pub values: &'a [Rational],
    /// Pivots made before this assignment.
    pub step: u64,
}

/// Where partial solutions go.
pub type PartialSink<'a> = dyn FnMut(Partial<'_>) + 'a;

/// The value that a partial solution shows for a variable.
///
/// A real value next to a strict bound gets a small concrete distance from it.
pub fn rounded(value: &Delta, is_int: bool) -> Rational {
    if is_int {
        value.real.round()
    } else if value.infinitesimal.is_zero() {
        value.real.clone()
    } else {
        let distance = Rational::new(1, 1024).unwrap_or_default();
        value.at(&distance)
    }
}

/// The rounded assignment, maintained while values change.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    vars: Vec<Var>,
    is_int: Vec<bool>,
    values: Vec<Rational>,
    /// The share of each value in the hash.
    prints: Vec<u64>,
    /// Place of each variable of the core in the vectors above.
    slot: Vec<Option<u32>>,
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    hash: u64,
    seen: FxHashSet<u64>,
    looks: u64,
    /// The pivot before which nothing is looked at.
    due: u64,
}

impl Watch {
    /// Follows one more variable of the core; slack variables are passed over.
    pub(super) fn add_var(&mut self, var: Var, is_int: bool, is_slack: bool) {
        if is_slack {
            self.slot.push(None);
            return;
        }
        let slot = self.vars.len() as u32;
        self.slot.push(Some(slot));
        self.vars.push(var);
        self.is_int.push(is_int);
        self.values.push(Rational::ZERO);
        self.is_changed.push(true);
        self.changed.push(slot);
        let print = fingerprint(slot, &Rational::ZERO);
        self.prints.push(print);
        self.hash ^= print;
    }

    /// Notes that the value of `var` may have changed.
    #[inline]
    pub(super) fn note(&mut self, var: Var) {
        if let Some(slot) = self.slot[var.index()]
            && !std::mem::replace(&mut self.is_changed[slot as usize], true)
        {
            self.changed.push(slot);
        }
    }

    /// Brings the vector up to date if it is time for that; the partial solution, if it is a new one.
    pub(super) fn observe(&mut self, value: &[Delta], step: u64) -> Option<Partial<'_>> {
        if step < self.due {
            return None;
        }
        self.due = step + self.looks / FREE_LOOKS;
        self.looks += 1;
        for slot in self.changed.drain(..) {
            let at = slot as usize;
            self.is_changed[at] = false;
            let new = rounded(&value[self.vars[at].index()], self.is_int[at]);
            if new != self.values[at] {
                let print = fingerprint(slot, &new);
                self.hash ^= std::mem::replace(&mut self.prints[at], print) ^ print;
                self.values[at] = new;
            }
        }
        if self.seen.len() >= FILTER_CAPACITY {
            self.seen.clear();
        }
        self.seen.insert(self.hash).then_some(Partial { vars: &self.vars, values: &self.values, step })
    }
}

/// A well mixed hash of one place and its value; the vector's hash is their exclusive or.
fn fingerprint(slot: u32, value: &Rational) -> u64 {
    let mut hasher = FxHasher::default();
    slot.hash(&mut hasher);
    value.hash(&mut hasher);
    let mut mixed = hasher.finish();
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_filtered_and_values_follow() {
        let (x, y) = (Var::new(0), Var::new(1));
        let mut watch = Watch::default();
        watch.add_var(x, true, false);
        watch.add_var(y, false, false);
        watch.add_var(Var::new(2), true, true);
        let mut value = vec![Delta::ZERO, Delta::ZERO, Delta::ZERO];
        assert!(watch.observe(&value, 0).is_some());
        assert!(watch.observe(&value, 1).is_none());
        value[0] = Delta::from(Rational::new(5, 3).expect("not zero"));
        value[1] = Delta::above(Rational::ONE);
        watch.note(x);
        watch.note(y);
        let partial = watch.observe(&value, 2).expect("new");
        assert_eq!(partial.values, [Rational::from(2), Rational::new(1025, 1024).expect("not zero")]);
        value[0] = Delta::from(2);
        watch.note(x);
        assert!(watch.observe(&value, 3).is_none(), "the same after rounding");
        value[0] = Delta::ZERO;
        value[1] = Delta::ZERO;
        watch.note(x);
        watch.note(y);
        assert!(watch.observe(&value, 4).is_none(), "the first one again");
    }

    #[test]
    fn looks_get_rarer_in_long_searches() {
        let x = Var::new(0);
        let mut watch = Watch::default();
        watch.add_var(x, true, false);
        let mut value = vec![Delta::ZERO];
        let mut shown = Vec::new();
        for step in 0..10_000 {
            value[0] = Delta::from(step as i64);
            watch.note(x);
            if let Some(partial) = watch.observe(&value, step) {
                assert_eq!(partial.values, [Rational::from(step as i64)], "up to date after a pause");
                shown.push(step);
            }
        }
        assert_eq!(shown[..64], (0..64).collect::<Vec<u64>>());
        assert!((500..2000).contains(&shown.len()), "{}", shown.len());
        let pauses: Vec<u64> = shown.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(pauses.is_sorted());
    }
}
