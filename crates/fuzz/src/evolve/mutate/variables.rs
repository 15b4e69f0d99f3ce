//! New and deleted variables.

use super::Mutator;
use crate::evolve::grow::Grower;
use crate::evolve::individual::{self, Individual};
use crate::evolve::place;
use smt::{Op, SortId, TermId, TermMap};

/// Adds a variable, and an assertion that speaks of it.
pub(super) fn new_variable(m: &mut Mutator, parent: &Individual) -> Option<Individual> {
    let sort = m.rng.pick(&m.grammar.sorts);
    let known = parent.variables(m.terms);
    let number = known.iter().filter(|&&v| m.terms.sort(v) == sort).count();
    let fresh = individual::variable(m.terms, sort, number);
    let mut grower = Grower::new(m.terms, m.rng, m.grammar, most_of_a_sort(m.terms, &known));
    let mut assertion = None;
    // Most predicates have a place for the variable; if several have none it gets an equation.
    for _ in 0..4 {
        let grown = grower.assertion(m.size.depth);
        let alone = Individual::new(grower.terms, &[grown]);
        let spots = place::places(grower.terms, &alone, |t| grower.terms.sort(t) == sort);
        if !spots.is_empty() {
            let spot = grower.rng.pick(&spots);
            assertion = place::put(grower.terms, alone.assertions(), &spot, fresh).map(|all| all[0]);
            break;
        }
    }
    let assertion = match assertion {
        Some(assertion) => assertion,
        None => {
            let other = grower.term(sort, m.size.depth);
            grower.terms.mk(Op::Eq, &[fresh, other])
        }
    };
    let mut all = parent.assertions().to_vec();
    all.push(assertion);
    Some(Individual::new(m.terms, &all))
}

/// Replaces a variable everywhere by another one of its sort: each sort keeps one.
pub(super) fn delete_variable(m: &mut Mutator, parent: &Individual) -> Option<Individual> {
    let known = parent.variables(m.terms);
    let others = |v: TermId, sort: SortId, m: &Mutator| -> Vec<TermId> {
        known.iter().copied().filter(|&o| o != v && m.terms.sort(o) == sort).collect()
    };
    let deletable: Vec<TermId> =
        known.iter().copied().filter(|&v| !others(v, m.terms.sort(v), m).is_empty()).collect();
    if deletable.is_empty() {
        return None;
    }
    let gone = m.rng.pick(&deletable);
    let others = others(gone, m.terms.sort(gone), m);
    let heir = m.rng.pick(&others);
    let map: TermMap = [(gone, heir)].into_iter().collect();
    let changed = m.terms.substitute(parent.assertions(), &map);
    Some(Individual::new(m.terms, &changed))
}

/// How many variables the sort with the most has, at least one.
pub(super) fn most_of_a_sort(terms: &smt::Terms, variables: &[TermId]) -> usize {
    let count = |sort| variables.iter().filter(|&&v| terms.sort(v) == sort).count();
    place::sorts_of(terms, variables.iter().copied()).into_iter().map(count).max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assertions, children};

    const PARENT: &str = "(declare-const x String)(declare-const y String)(declare-const n Int)(assert (= (str.len x) n))(assert (= x y))";

    #[test]
    fn a_new_variable_comes_with_an_assertion_that_uses_it() {
        let children = children("new-variable", "QF_S", PARENT);
        assert!(children.len() > 50);
        for child in &children {
            assert_eq!(assertions(child).len(), 3, "{child}");
            assert!(
                child.contains("(declare-fun s2 () String)") || child.contains("(declare-fun i1 () Int)"),
                "{child}"
            );
        }
    }

    #[test]
    fn a_deleted_variable_is_replaced_by_another_of_its_sort() {
        let children = children("delete-variable", "QF_S", PARENT);
        let expected = "(set-logic L)\n(declare-fun s0 () String)\n(declare-fun i0 () Int)\n\
                        (assert (= (str.len s0) i0))\n(assert (= s0 s0))\n(check-sat)\n";
        assert_eq!(children, [expected]);
    }

    #[test]
    fn the_last_variable_of_a_sort_stays() {
        let text = "(declare-const x String)(declare-const n Int)(assert (= (str.len x) n))";
        assert!(children("delete-variable", "QF_S", text).is_empty());
    }
}
