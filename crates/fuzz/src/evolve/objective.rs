//! The objectives of Section III-C that are formulas: Eq. 1 (time) and Eq. 2 (complexity). Algorithm 2 is in
//! [`super::coverage`]. All of them are maximised.

use smt::{TermId, Terms, walk};
use std::collections::HashMap;

/// Eq. 1: the target's time, and on top of it what it needs beyond the reference.
pub(crate) fn t_score(target: f64, reference: f64) -> f64 {
    if target <= reference { target } else { target + (target - reference) }
}

/// The sum in Eq. 2 for these assertions: every node counts as many points as its level. An assertion's predicate and its
/// direct arguments are level 1, their arguments level 2, and so on, which is how the examples of Section III-C count.
pub(crate) fn complexity(terms: &Terms, assertions: &[TermId]) -> u64 {
    // For each term as a tree: how many nodes, and the sum of their distances from its root.
    let mut shapes: HashMap<TermId, (u64, u64)> = HashMap::new();
    for term in walk::reachable(terms, assertions) {
        let (mut nodes, mut depths) = (1u64, 0u64);
        for argument in terms.args(term) {
            let (n, d) = shapes[argument];
            nodes = nodes.saturating_add(n);
            depths = depths.saturating_add(d).saturating_add(n);
        }
        shapes.insert(term, (nodes, depths));
    }
    // Distance 0 and distance 1 are both level 1: the root counts one point more than its distance.
    assertions.iter().fold(0u64, |sum, root| sum.saturating_add(shapes[root].1).saturating_add(1))
}

/// Eq. 2: zero minus the complexity, so that more is better.
pub(crate) fn com_score(complexity: u64) -> f64 {
    -(complexity as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(assertions: &str) -> u64 {
        let mut terms = Terms::new();
        let text = format!(
            "(declare-fun var3 () Int)(declare-fun var0 () String)(declare-fun var2 () String){assertions}"
        );
        let reading = smt::read_script(&mut terms, &text);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let assertions: Vec<TermId> = reading.script.assertions().collect();
        complexity(&terms, &assertions)
    }

    const FIRST: &str = r#"(assert (< (str.to.int "8b8") 9))"#;
    const SECOND: &str = r#"(assert (> (str.indexof "+]YAPKJ8b8" var2 var3) (str.to.int var0)))"#;

    #[test]
    fn the_individuals_of_figure_1() {
        assert_eq!(of_text(&format!("{FIRST}{SECOND}")), 16, "individual C");
        assert_eq!(of_text(SECOND), 11, "individual D");
    }

    #[test]
    fn shared_subterms_count_wherever_they_stand() {
        assert_eq!(of_text("(assert (= (str.len var0) (str.len var0)))"), 3 + 2 * 2);
        assert_eq!(of_text("(assert true)"), 1);
        assert_eq!(of_text("(assert (not (= (str.len var0) 3)))"), 2 + 2 * 2 + 3);
    }

    #[test]
    fn doubling_a_thousand_times_does_not_overflow() {
        let mut terms = Terms::new();
        let mut term = terms.symbol_constant("i0", smt::SortId::INT);
        for _ in 0..1_000 {
            term = terms.mk(smt::Op::Add, &[term, term]);
        }
        let zero = terms.int(0);
        let assertion = terms.mk(smt::Op::Gt, &[term, zero]);
        assert_eq!(complexity(&terms, &[assertion]), u64::MAX);
    }

    #[test]
    fn time_scores() {
        assert!((t_score(5.0, 0.01731) - 9.98269).abs() < 1e-9, "the example of Section III-C");
        assert_eq!(t_score(0.5, 0.7), 0.5);
        assert_eq!(t_score(0.5, 0.5), 0.5);
    }
}
