//! Replaced operators and exchanged subterms.

use super::Mutator;
use crate::evolve::grammar::Production;
use crate::evolve::individual::Individual;
use crate::evolve::place::{self, Place};
use smt::{Op, Sort, TermId};

/// Replaces an operator by another one of the logic that takes the same arguments and gives the same sort.
pub(super) fn replace_operator(m: &mut Mutator, parent: &Individual) -> Option<Individual> {
    let mut spots = place::places(m.terms, parent, |t| !m.terms.args(t).is_empty());
    m.rng.shuffle(&mut spots);
    for spot in spots {
        let alternatives = alternatives(m, spot.term);
        if !alternatives.is_empty() {
            let new = m.rng.pick(&alternatives);
            let changed = place::put(m.terms, parent.assertions(), &spot, new)?;
            return Some(Individual::new(m.terms, &changed));
        }
    }
    None
}

fn alternatives(m: &mut Mutator, term: TermId) -> Vec<TermId> {
    let (args, sort) = (m.terms.args(term).to_vec(), m.terms.sort(term));
    let mut found = Vec::new();
    for Production(op, ..) in m.grammar.logic.productions() {
        if op == m.terms.op(term) || op.info().indices > 0 || !op.info().takes(args.len()) {
            continue;
        }
        if let Ok(new) = m.terms.app(op, &args)
            && m.terms.sort(new) == sort
            && !found.contains(&new)
        {
            found.push(new);
        }
    }
    found
}

/// Exchanges two different subterms of the same sort.
pub(super) fn exchange_nodes(m: &mut Mutator, parent: &Individual) -> Option<Individual> {
    // Whole assertions are not worth exchanging: their order is no structure.
    let bounds_of_ranges = |p: &Place| range_bound(m, parent, p);
    let spots: Vec<Place> = place::places(m.terms, parent, |_| true)
        .into_iter()
        .filter(|p| !p.path.is_empty() && !bounds_of_ranges(p))
        .collect();
    let fits = |m: &Mutator, a: &Place, b: &Place| {
        a.term != b.term
            && m.terms.sort(a.term) == m.terms.sort(b.term)
            && !a.is_within(b)
            && !b.is_within(a)
            && !matches!(m.terms.sort_of(m.terms.sort(a.term)), Sort::RoundingMode)
    };
    let mut order: Vec<usize> = (0..spots.len()).collect();
    m.rng.shuffle(&mut order);
    for &one in &order {
        let partners: Vec<usize> =
            (0..spots.len()).filter(|&other| fits(m, &spots[one], &spots[other])).collect();
        if partners.is_empty() {
            continue;
        }
        let other = m.rng.pick(&partners);
        let half = place::put(m.terms, parent.assertions(), &spots[one], spots[other].term)?;
        let changed = place::put(m.terms, &half, &spots[other], spots[one].term)?;
        let child = Individual::new(m.terms, &changed);
        // Exchanging two variables everywhere, or the sides of a symmetric whole, is a change of names only.
        if child != *parent {
            return Some(child);
        }
    }
    None
}

fn range_bound(m: &Mutator, individual: &Individual, place: &Place) -> bool {
    let mut term = individual.assertions()[place.assertion];
    for &at in &place.path[..place.path.len().saturating_sub(1)] {
        term = m.terms.args(term)[at as usize];
    }
    matches!(m.terms.op(term), Op::ReRange)
}

#[cfg(test)]
mod tests {
    use super::super::tests::children;

    #[test]
    fn operators_are_replaced_by_those_of_the_same_signature() {
        let text =
            "(declare-const x String)(declare-const y String)(assert (str.prefixof x (str.++ y \"a\")))";
        let children = children("replace-operator", "QF_S", text);
        for predicate in ["str.suffixof", "str.contains", "=", "distinct"] {
            let wanted = format!("({predicate} s0 (str.++ s1 \"a\"))");
            assert!(children.iter().any(|c| c.contains(&wanted)), "{predicate}");
        }
        assert!(children.iter().all(|c| c.contains("\"a\"")), "the arguments stay");
    }

    #[test]
    fn a_replaced_operator_stays_linear() {
        let text = "(declare-const n Int)(assert (= (+ n n) 4))";
        for child in children("replace-operator", "QF_LIA", text) {
            assert!(!child.contains("(* i0 i0)") && !child.contains("(mod i0 i0)"), "{child}");
        }
        let nonlinear = children("replace-operator", "QF_NIA", text);
        assert!(nonlinear.iter().any(|c| c.contains("(* i0 i0)")));
    }

    #[test]
    fn nodes_of_one_sort_are_exchanged() {
        // From Figure 1: exchanging `var2` and "8b8" leads from individual B to individual C.
        let text = "(declare-fun var3 () Int)(declare-fun var0 () String)(declare-fun var2 () String)\
                    (assert (< (str.to_int var2) 9))\
                    (assert (> (str.indexof \"+]YAPKJ8b8\" \"8b8\" var3) (str.to_int var0)))";
        let children = children("exchange-nodes", "QF_S", text);
        let individual_c = "(assert (< (str.to_int \"8b8\") 9))\n\
                            (assert (> (str.indexof \"+]YAPKJ8b8\" s0 i0) (str.to_int s1)))";
        assert!(children.iter().any(|c| c.contains(individual_c)), "{children:?}");
    }

    #[test]
    fn nothing_to_exchange_is_no_child() {
        assert!(
            children("exchange-nodes", "QF_S", "(declare-const x String)(assert (= (str.len x) 1))")
                .iter()
                .all(|c| c.contains("(= 1 (str.len s0))"))
        );
    }
}
