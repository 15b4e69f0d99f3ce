//! Places in an individual: occurrences of subterms, in reading order. Choices among places do not depend on the arena that
//! the terms live in, which is what makes a resumed run equal to one that was never stopped.

use super::individual::Individual;
use smt::{SortId, TermId, Terms};

/// An occurrence of a subterm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// Which assertion.
    pub assertion: usize,
    /// The way from the assertion to the subterm: argument numbers.
    pub path: Vec<u32>,
    /// What stands there.
    pub term: TermId,
}

impl Place {
    /// Whether this place is inside the other one, or the same.
    pub(crate) fn is_within(&self, other: &Place) -> bool {
        self.assertion == other.assertion && self.path.starts_with(&other.path)
    }
}

/// All places of an individual for which the predicate holds, in reading order.
pub(crate) fn places(terms: &Terms, individual: &Individual, holds: impl Fn(TermId) -> bool) -> Vec<Place> {
    let mut found = Vec::new();
    for (assertion, &root) in individual.assertions().iter().enumerate() {
        let mut stack = vec![(root, Vec::new())];
        while let Some((term, path)) = stack.pop() {
            for (at, &argument) in terms.args(term).iter().enumerate().rev() {
                let mut below: Vec<u32> = path.clone();
                below.push(at as u32);
                stack.push((argument, below));
            }
            if holds(term) {
                found.push(Place { assertion, path, term });
            }
        }
    }
    found
}

/// The assertions with another term of the same sort at a place. `None` if the sorts differ or the place does not exist.
pub(crate) fn put(
    terms: &mut Terms,
    assertions: &[TermId],
    place: &Place,
    new: TermId,
) -> Option<Vec<TermId>> {
    let mut way = vec![*assertions.get(place.assertion)?];
    for &at in &place.path {
        let argument = *terms.args(*way.last()?).get(at as usize)?;
        way.push(argument);
    }
    let old = way.pop()?;
    if terms.sort(old) != terms.sort(new) {
        return None;
    }
    let mut built = new;
    for (&parent, &at) in way.iter().zip(&place.path).rev() {
        let mut args = terms.args(parent).to_vec();
        args[at as usize] = built;
        built = terms.rebuild(parent, &args);
    }
    let mut changed = assertions.to_vec();
    changed[place.assertion] = built;
    Some(changed)
}

/// The distinct sorts of terms, in the order in which they come.
pub(crate) fn sorts_of(terms: &Terms, of: impl Iterator<Item = TermId>) -> Vec<SortId> {
    let mut sorts = Vec::new();
    for term in of {
        if !sorts.contains(&terms.sort(term)) {
            sorts.push(terms.sort(term));
        }
    }
    sorts
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::print::term_to_string;

    #[test]
    fn places_are_in_reading_order_and_can_be_replaced() {
        let mut terms = Terms::new();
        let text = "(declare-const x Int)(assert (< (+ x 1) (* 2 x)))(assert (= x 7))";
        let script = smt::read_script(&mut terms, text).script;
        let individual = Individual::from_script(&mut terms, &script).unwrap();
        let found = places(&terms, &individual, |_| true);
        let texts: Vec<String> = found.iter().map(|p| term_to_string(&terms, p.term)).collect();
        let expected =
            ["(< (+ i0 1) (* 2 i0))", "(+ i0 1)", "i0", "1", "(* 2 i0)", "2", "i0", "(= i0 7)", "i0", "7"];
        assert_eq!(texts, expected);
        let nine = terms.int(9);
        let changed = put(&mut terms, individual.assertions(), &found[6], nine).unwrap();
        assert_eq!(term_to_string(&terms, changed[0]), "(< (+ i0 1) (* 2 9))");
        assert!(found[6].is_within(&found[4]) && !found[4].is_within(&found[6]));
        assert_eq!(put(&mut terms, individual.assertions(), &found[6], TermId::TRUE), None);
    }
}
