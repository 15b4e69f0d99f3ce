//! Quantifiers over a few values: what is left when each is a conjunction or a disjunction of its instances. Whoever asks for it
//! knows why the values are enough; then a formula that no evaluator decides has a value.

use smt::walk::reachable;
use smt::{Op, SortId, TermId, TermMap, Terms, Value};

/// The formula with every quantifier replaced by its instances. `domain` gives the values of a sort.
pub fn expanded(terms: &mut Terms, formula: TermId, domain: &dyn Fn(SortId) -> Vec<Value>) -> TermId {
    let mut formula = formula;
    // Outer ones first (arguments have smaller numbers than applications): an instance of an outer one has values for its variables, so
    // that no replacement mentions a variable that a quantifier around it binds.
    while let Some(quantifier) = reachable(terms, &[formula])
        .into_iter()
        .filter(|&t| matches!(terms.op(t), Op::Forall | Op::Exists))
        .max()
    {
        let op = if terms.op(quantifier) == Op::Forall { Op::And } else { Op::Or };
        let (vars, body) = terms.binder(quantifier).expect("a quantifier binds");
        let (vars, body) = (vars.to_vec(), body);
        let mut instances = vec![body];
        for var in vars {
            let values: Vec<TermId> =
                domain(terms.sort(var)).into_iter().map(|value| terms.constant(value)).collect();
            instances = values
                .iter()
                .flat_map(|&value| terms.substitute(&instances, &TermMap::from_iter([(var, value)])))
                .collect();
        }
        instances.sort_unstable();
        instances.dedup();
        let whole = if let [one] = instances[..] { one } else { terms.mk(op, &instances) };
        formula = terms.substitute(&[formula], &TermMap::from_iter([(quantifier, whole)]))[0];
    }
    formula
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Evaluator, Model};

    #[test]
    fn instances_decide() {
        let mut terms = Terms::new();
        let text = "(assert (forall ((x Int)) (exists ((y Int)) (= (+ x y) 3))))\
                    (assert (forall ((x Int)) (exists ((y Int)) (= (+ x y) 9))))";
        let script = smt::read_script(&mut terms, text).script;
        let domain = |_| (0..4).map(|i: i32| Value::Int(i.into())).collect();
        let model = Model::default();
        let assertions: Vec<TermId> = script.assertions().collect();
        let truths: Vec<_> = assertions
            .into_iter()
            .map(|assertion| {
                let formula = expanded(&mut terms, assertion, &domain);
                Evaluator::new(&terms, &model).truth(formula)
            })
            .collect();
        assert_eq!(truths, [Ok(true), Ok(false)]);
    }
}
