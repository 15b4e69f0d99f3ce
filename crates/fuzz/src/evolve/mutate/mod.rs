//! The mutation operators of Section III-E, one file a family, as a table. A mutation either gives a well-sorted child
//! within the logic or says that it does not apply. Refuses to know what a child is worth.

mod assertions;
mod literals;
mod operators;
mod variables;

use super::generate::Size;
use super::grammar::Grammar;
use super::individual::{Individual, MAX_NODES};
use random::Rng;
use smt::Terms;

/// What mutations work with.
pub(crate) struct Mutator<'a> {
    /// Where the terms live.
    pub terms: &'a mut Terms,
    /// Where the choices come from.
    pub rng: &'a mut Rng,
    /// What new terms are grown from.
    pub grammar: &'a Grammar,
    /// How large new assertions are.
    pub size: Size,
}

/// One mutation operator.
#[derive(Debug)]
pub struct MutationRow {
    /// The name in statistics and findings.
    pub name: &'static str,
    apply: fn(&mut Mutator, &Individual) -> Option<Individual>,
}

/// The operators in the order of the paper.
pub(crate) static MUTATIONS: &[MutationRow] = &[
    MutationRow { name: "new-variable", apply: variables::new_variable },
    MutationRow { name: "delete-variable", apply: variables::delete_variable },
    MutationRow { name: "add-assertion", apply: assertions::add_assertion },
    MutationRow { name: "delete-assertion", apply: assertions::delete_assertion },
    MutationRow { name: "fuzz-literal", apply: literals::fuzz_literal },
    MutationRow { name: "replace-operator", apply: operators::replace_operator },
    MutationRow { name: "exchange-nodes", apply: operators::exchange_nodes },
];

impl Mutator<'_> {
    /// A child by this operator; `None` if it does not apply, or if the child leaves the logic or is too large.
    pub(crate) fn apply(&mut self, mutation: &MutationRow, parent: &Individual) -> Option<Individual> {
        let child = (mutation.apply)(self, parent)?;
        let fits =
            child.nodes(self.terms) <= MAX_NODES && self.grammar.logic.holds(self.terms, child.assertions());
        fits.then_some(child)
    }

    /// A child by the first of the operators, in random order, that applies; the parent if none does.
    pub(crate) fn mutate(&mut self, parent: &Individual) -> Individual {
        let mut order: Vec<&MutationRow> = MUTATIONS.iter().collect();
        self.rng.shuffle(&mut order);
        order.into_iter().find_map(|mutation| self.apply(mutation, parent)).unwrap_or_else(|| parent.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::generate;
    use super::super::grammar::{LOGICS, Logic};
    use super::*;
    use smt::Dialect;

    /// Applies an operator to a script many times; all children as texts, in which the parent never is.
    pub(super) fn children(name: &str, logic: &str, text: &str) -> Vec<String> {
        let mut terms = Terms::new();
        let grammar = Grammar::new(&mut terms, Logic::by_name(logic).unwrap());
        let reading = smt::read_script(&mut terms, text);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let parent = Individual::from_script(&mut terms, &reading.script).unwrap();
        let mutation = MUTATIONS.iter().find(|m| m.name == name).unwrap();
        let mut found = Vec::new();
        for seed in 0..200 {
            let (mut rng, size) = (Rng::new(seed), Size::default());
            let mut mutator = Mutator { terms: &mut terms, rng: &mut rng, grammar: &grammar, size };
            if let Some(child) = mutator.apply(mutation, &parent) {
                assert_ne!(child, parent, "{name} changes something");
                let text = child.text(&mut terms, "L", Dialect::V26);
                found.push(text);
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The assertions of a text made by [`children`].
    pub(super) fn assertions(text: &str) -> Vec<&str> {
        text.lines().filter(|line| line.starts_with("(assert")).collect()
    }

    #[test]
    fn every_child_is_well_sorted_and_stays_in_its_logic() {
        for logic in LOGICS {
            let mut terms = Terms::new();
            let grammar = Grammar::new(&mut terms, logic);
            let mut applied = vec![0; MUTATIONS.len()];
            for seed in 0..40 {
                let mut rng = Rng::new(seed);
                let mut individual = generate(&mut terms, &mut rng, &grammar, Size::default());
                for step in 0..MUTATIONS.len() * 3 {
                    let at = step % MUTATIONS.len();
                    let size = Size::default();
                    let mut mutator = Mutator { terms: &mut terms, rng: &mut rng, grammar: &grammar, size };
                    let Some(child) = mutator.apply(&MUTATIONS[at], &individual) else { continue };
                    applied[at] += 1;
                    let text = child.text(&mut terms, logic.name, Dialect::V26);
                    let reading = smt::read_script(&mut terms, &text);
                    assert!(reading.errors.is_empty(), "{}: {text}", MUTATIONS[at].name);
                    let again = Individual::from_script(&mut terms, &reading.script).unwrap();
                    assert_eq!(again, child, "{text}");
                    assert!(logic.holds(&terms, child.assertions()), "{}: {text}", MUTATIONS[at].name);
                    individual = child;
                }
            }
            assert!(applied.iter().all(|&n| n > 10), "{}: {applied:?}", logic.name);
        }
    }
}
