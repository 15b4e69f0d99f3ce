//! Added and deleted assertions.

use super::Mutator;
use super::variables::most_of_a_sort;
use crate::evolve::grow::Grower;
use crate::evolve::individual::Individual;

/// Adds a random assertion over the variables that are there.
pub(super) fn add_assertion(m: &mut Mutator, parent: &Individual) -> Option<Individual> {
    let known = parent.variables(m.terms);
    let most = most_of_a_sort(m.terms, &known);
    let grown = Grower::new(m.terms, m.rng, m.grammar, most).assertion(m.size.depth);
    let mut all = parent.assertions().to_vec();
    all.insert(m.rng.below(all.len() + 1), grown);
    Some(Individual::new(m.terms, &all))
}

/// Deletes an assertion; one stays.
pub(super) fn delete_assertion(m: &mut Mutator, parent: &Individual) -> Option<Individual> {
    if parent.assertions().len() < 2 {
        return None;
    }
    let mut all = parent.assertions().to_vec();
    all.remove(m.rng.below(all.len()));
    Some(Individual::new(m.terms, &all))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assertions, children};

    const PARENT: &str = "(declare-const x String)(declare-const n Int)\
                          (assert (= (str.len x) n))(assert (> n 3))(assert (str.prefixof \"a\" x))";

    #[test]
    fn an_added_assertion_leaves_the_others() {
        let children = children("add-assertion", "QF_S", PARENT);
        assert!(children.len() > 50);
        for child in &children {
            let all = assertions(child);
            assert_eq!(all.len(), 4, "{child}");
            let operators = ["(= (str.len s", "(> i", "(str.prefixof \"a\" s"];
            assert!(operators.iter().all(|o| all.iter().any(|a| a.contains(o))), "{child}");
        }
    }

    #[test]
    fn a_deleted_assertion_is_one_of_them() {
        let children = children("delete-assertion", "QF_S", PARENT);
        assert_eq!(children.len(), 3);
        assert!(children.iter().all(|child| assertions(child).len() == 2));
    }

    #[test]
    fn the_last_assertion_stays() {
        assert!(children("delete-assertion", "QF_S", "(declare-const n Int)(assert (> n 3))").is_empty());
    }
}
