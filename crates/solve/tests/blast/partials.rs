//! Partial solutions: they come, they are well sorted, and asking for them does not change the verdict.

use smt::{Model, TermId, Terms, Value, read_script};
use solve::blast::Blast;
use solve::engine::{Budget, Engine, NoPartials, Partial, Query, Verdict};

fn solve(text: &str) -> (Terms, Vec<TermId>, Verdict, Vec<Partial>) {
    let mut terms = Terms::new();
    let assertions: Vec<TermId> = read_script(&mut terms, text).script.assertions().collect();
    let query = Query::new(assertions.clone());
    let mut partials = Vec::new();
    let mut take = |p: Partial| partials.push(p);
    let verdict = Blast::new().solve(&mut terms, &query, &mut Budget::unlimited(), &mut take);
    let silent = Blast::new().solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials);
    assert_eq!(matches!(verdict, Verdict::Sat(_)), matches!(silent, Verdict::Sat(_)));
    (terms, assertions, verdict, partials)
}

fn check_sorts(terms: &mut Terms, partials: &[Partial]) {
    for partial in partials {
        assert_eq!(partial.engine, "blast");
        for (fun, value) in &partial.values {
            assert_eq!(value.clone().sort(terms), Some(terms.fun(*fun).result));
        }
    }
    assert!(partials.windows(2).all(|w| w[0].values != w[1].values), "no two in a row are the same");
}

/// Algorithm 3: each model of the abstraction that violates an axiom is one.
#[test]
fn refinements_are_partial_solutions() {
    let text = "(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))(declare-const n (Array (_ BitVec 8) (_ BitVec 8)))
        (declare-const i (_ BitVec 8))(declare-const j (_ BitVec 8))(declare-const k (_ BitVec 8))
        (assert (bvult (select (store m i #x05) j) (select (store m j #x09) k)))
        (assert (not (= (select m k) (select n j))))
        (assert (bvugt (bvadd (select n i) (select m j)) (bvadd (select n k) (select m i))))
        (assert (= (bvand i j) (bvor j k)))";
    let (mut terms, _, verdict, partials) = solve(text);
    assert!(matches!(verdict, Verdict::Sat(_)), "{verdict:?}");
    assert!(!partials.is_empty());
    check_sorts(&mut terms, &partials);
    // Arrays are among the values.
    assert!(partials.iter().any(|p| p.values.iter().any(|(_, v)| matches!(v, Value::Array(_)))));
}

/// Section 3.5: assignments of the SAT core, with values of replaced variables that satisfy their definitions.
#[test]
fn assignments_during_search_are_partial_solutions() {
    let text = "(declare-const x (_ BitVec 24))(declare-const y (_ BitVec 24))(declare-const z (_ BitVec 24))
        (assert (= z (bvadd x y)))
        (assert (= (bvmul x y) #x3f1d8b))(assert (bvult #x000001 x))(assert (bvult x #x001000))
        (assert (bvult #x000001 y))(assert (bvult y #x001000))(assert (bvult y z))";
    let (mut terms, assertions, _, partials) = solve(text);
    assert!(partials.len() > 3, "{}", partials.len());
    check_sorts(&mut terms, &partials);
    for partial in &partials {
        let mut model = Model::default();
        for (fun, value) in &partial.values {
            model.set(*fun, value.clone());
        }
        assert_eq!(model.len(), 3);
        assert_eq!(smt::Evaluator::new(&terms, &model).truth(assertions[0]), Ok(true));
    }
}
