//! A path condition, a few conditions at a time.
//!
//! Most of what comes before a decision has little to do with its other ways out, and what contradicts them is often one condition.
//! So the first question is about the last condition and those on the same symbols only; what its solution violates of the rest
//! is asked besides the next time. Whatever a part of the conditions excludes all of them exclude; what a part allows
//! is a solution if the others hold too, and a partial solution if they do not.

use smt::{Evaluator, FunId, Model, TermId, Terms, Value};
use solve::engine::Query;
use std::collections::HashSet;

/// What is asked of a path condition.
pub(in crate::search) struct Focus {
    /// The conditions before the decision, from the first, and whether each is asked.
    conditions: Vec<(TermId, bool)>,
    /// That none of the known ways is taken.
    wanted: Vec<TermId>,
}

impl Focus {
    /// All of it.
    pub(in crate::search) fn all(conditions: Vec<TermId>, wanted: Vec<TermId>) -> Focus {
        Focus { conditions: conditions.into_iter().map(|condition| (condition, true)).collect(), wanted }
    }

    /// The other ways out, with the last conditions that are on the same symbols (`close`) as far as they are small.
    pub(in crate::search) fn first(
        terms: &Terms,
        conditions: Vec<TermId>,
        wanted: Vec<TermId>,
        close: impl Fn(usize) -> bool,
        most: usize,
    ) -> Focus {
        let mut known = HashSet::new();
        add(terms, &mut known, &wanted);
        let most = known.len() + most;
        let mut focus = Focus::all(conditions, wanted);
        for (at, (condition, asked)) in focus.conditions.iter_mut().enumerate().rev() {
            *asked = known.len() < most && close(at);
            if *asked {
                add(terms, &mut known, &[*condition]);
            }
        }
        focus
    }

    /// All conditions from the first, and then that each known way is not taken.
    pub(in crate::search) fn conjuncts(&self) -> impl Iterator<Item = TermId> + '_ {
        self.conditions.iter().map(|(condition, _)| *condition).chain(self.wanted.iter().copied())
    }

    /// What is asked now.
    pub(in crate::search) fn query(&self) -> Query {
        let mut known = HashSet::new();
        let asked = self.conditions.iter().filter(|(_, asked)| *asked).map(|(condition, _)| condition);
        let assertions = asked.chain(&self.wanted).copied().filter(|&term| known.insert(term));
        Query::new(assertions.collect())
    }

    /// What is asked in the end.
    pub(in crate::search) fn whole(&self) -> Query {
        let conditions = self.conditions.iter().map(|(condition, _)| *condition).collect();
        Focus::all(conditions, self.wanted.clone()).query()
    }

    /// Asks besides what does not hold under an assignment from now on. False if there is nothing of the kind.
    pub(in crate::search) fn widen(&mut self, terms: &Terms, values: &[(FunId, Value)]) -> bool {
        let model = model_of(values);
        let mut evaluator = Evaluator::new(terms, &model);
        let mut wider = false;
        for (condition, asked) in self.conditions.iter_mut().filter(|(_, asked)| !asked) {
            *asked = evaluator.truth(*condition) != Ok(true);
            wider |= *asked;
        }
        wider
    }
}

/// What a query's model says about its own symbols, and the assignment nearby about all others. A model that is known from
/// another query may say more, which the conditions left out do not allow.
pub(in crate::search) fn assignment(
    terms: &Terms,
    query: &Query,
    near: &[(FunId, Value)],
    model: &Model,
) -> Vec<(FunId, Value)> {
    let mut own = HashSet::new();
    add(terms, &mut own, &query.assertions);
    let own: HashSet<FunId> = own.into_iter().filter_map(|term| terms.as_fun(term)).collect();
    let value = |(fun, value): &(FunId, Value)| {
        let found = model.value(*fun).filter(|_| own.contains(fun));
        (*fun, found.unwrap_or(value).clone())
    };
    near.iter().map(value).collect()
}

/// An assignment as a model.
pub(in crate::search) fn model_of(values: &[(FunId, Value)]) -> Model {
    let mut model = Model::default();
    for (fun, value) in values {
        model.set(*fun, value.clone());
    }
    model
}

/// Adds the terms that are reached from others.
fn add(terms: &Terms, known: &mut HashSet<TermId>, from: &[TermId]) {
    let mut open: Vec<TermId> = from.to_vec();
    while let Some(term) = open.pop() {
        if known.insert(term) {
            open.extend(terms.args(term));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{BitVec, Op};

    #[test]
    fn what_a_solution_violates_is_asked_besides() {
        let mut terms = Terms::new();
        let byte = terms.bit_vec_sort(8);
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol_constant(name, byte));
        let ten = terms.bv(8, 10);
        let small = [x, y, z].map(|symbol| terms.mk(Op::BvUlt, &[symbol, ten]));
        let five = terms.bv(8, 5);
        let wanted = terms.mk(Op::Eq, &[x, five]);
        let mut focus = Focus::first(&terms, small.to_vec(), vec![wanted], |at| at == 0, 256);
        assert_eq!(focus.query().assertions, [small[0], wanted], "those on the same symbols");
        assert_eq!(focus.whole().assertions, [small[0], small[1], small[2], wanted]);

        let values = |of: [u64; 3]| {
            let value = |(symbol, value): (TermId, u64)| {
                let fun = terms.as_fun(symbol).expect("a symbol");
                (fun, Value::BitVec(BitVec::from_u64(8, value)))
            };
            [x, y, z].into_iter().zip(of).map(value).collect::<Vec<_>>()
        };
        assert!(focus.widen(&terms, &values([5, 20, 0])));
        assert_eq!(focus.query().assertions, [small[0], small[1], wanted]);
        assert!(!focus.widen(&terms, &values([5, 0, 0])), "a solution of everything");

        let query = focus.query();
        let model = model_of(&values([5, 6, 7]));
        assert_eq!(
            assignment(&terms, &query, &values([1, 2, 3]), &model),
            values([5, 6, 3]),
            "z was not asked about"
        );
    }
}
