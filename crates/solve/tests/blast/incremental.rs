//! Sequences of queries on one engine: the same verdicts as on fresh ones, and work that is not done twice.

use crate::generate::Pool;
use random::Rng;
use smt::{Evaluator, Op, SortId, TermId, Terms, read_script};
use solve::blast::Blast;
use solve::engine::{Budget, Engine, NoPartials, Query, Verdict};

fn kind(terms: &mut Terms, engine: &mut Blast, assertions: &[TermId]) -> bool {
    let query = Query::new(assertions.to_vec());
    match engine.solve(terms, &query, &mut Budget::unlimited(), &mut NoPartials) {
        Verdict::Sat(model) => {
            let mut evaluator = Evaluator::new(terms, &model);
            assert!(assertions.iter().all(|&a| evaluator.truth(a) == Ok(true)));
            true
        }
        Verdict::Unsat(core) => {
            // A core is unsatisfiable by itself, for an engine without memory.
            let core: Vec<TermId> = core.iter().map(|&i| assertions[i]).collect();
            let query = Query::new(core);
            let again = Blast::new().solve(terms, &query, &mut Budget::unlimited(), &mut NoPartials);
            assert!(matches!(again, Verdict::Unsat(_)));
            false
        }
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

fn variables(terms: &mut Terms) -> Vec<TermId> {
    let (word, bit) = (terms.bit_vec_sort(4), terms.bit_vec_sort(2));
    let array = terms.array_sort(bit, word);
    let s = terms.symbol("S");
    let uninterpreted = terms.make_sort(smt::Sort::Uninterpreted(s, Box::default()));
    let over_s = terms.array_sort(uninterpreted, uninterpreted);
    vec![
        terms.symbol_constant("x", word),
        terms.symbol_constant("y", word),
        terms.symbol_constant("i", bit),
        terms.symbol_constant("m", array),
        terms.symbol_constant("n", array),
        terms.symbol_constant("p", SortId::BOOL),
        terms.symbol_constant("a", uninterpreted),
        terms.symbol_constant("b", uninterpreted),
        terms.symbol_constant("k", over_s),
        terms.symbol_constant("l", over_s),
    ]
}

#[test]
fn sequences_equal_fresh_solving() {
    let mut seen = [0, 0];
    for seed in 0..12 {
        let mut random = Rng::new(seed);
        let mut terms = Terms::new();
        let vars = variables(&mut terms);
        let mut pool = Pool::new(&mut terms, &vars, 5);
        let formulas: Vec<TermId> = (0..12).map(|_| pool.formula(&mut terms, &mut random, 8)).collect();
        let mut engine = Blast::new();
        let mut stack: Vec<TermId> = Vec::new();
        for _ in 0..20 {
            if random.below(3) == 0 {
                stack.truncate(random.below(stack.len() + 1));
            }
            stack.push(random.pick(&formulas));
            let incremental = kind(&mut terms, &mut engine, &stack);
            let fresh = kind(&mut terms, &mut Blast::new(), &stack);
            assert_eq!(incremental, fresh, "seed {seed}");
            seen[usize::from(fresh)] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}

fn counter(engine: &Blast, name: &str) -> u64 {
    engine.counters().iter().find(|c| c.0 == name).expect("a counter").1
}

/// The second query of a path adds its own conjunct to the circuit and nothing of the prefix again.
#[test]
fn a_shared_prefix_is_encoded_once() {
    let mut terms = Terms::new();
    let text = "(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))
        (assert (bvult (bvmul x y) (bvudiv y x)))(assert (bvslt x y))(assert (= (bvand x #x00ff) #x0011))";
    let all: Vec<TermId> = read_script(&mut terms, text).script.assertions().collect();
    let mut engine = Blast::new();
    assert!(kind(&mut terms, &mut engine, &all[..2]));
    let before = counter(&engine, "aig-nodes");
    assert!(kind(&mut terms, &mut engine, &all));
    let added = counter(&engine, "aig-nodes") - before;
    assert!(before > 1000 && added < 40, "{before} nodes, then {added}");
    assert_eq!(counter(&engine, "encodings"), 1);
}

/// Another, shorter arena is noticed.
#[test]
fn another_arena_starts_anew() {
    let mut engine = Blast::new();
    let long = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(assert (= (bvmul x y) (bvadd x y #x01)))(assert (bvult x y))";
    let short = "(declare-const p Bool)(assert p)";
    for text in [long, short] {
        let mut terms = Terms::new();
        let assertions: Vec<TermId> = read_script(&mut terms, text).script.assertions().collect();
        kind(&mut terms, &mut engine, &assertions);
    }
}

/// Unrelated queries do not pile up for ever.
#[test]
fn what_old_queries_left_is_given_up() {
    let mut terms = Terms::new();
    let mut engine = Blast::new();
    let sort = terms.bit_vec_sort(32);
    for i in 0..60 {
        let (x, y) =
            (terms.symbol_constant(&format!("x{i}"), sort), terms.symbol_constant(&format!("y{i}"), sort));
        let (product, sum) = (terms.mk(Op::BvMul, &[x, y]), terms.mk(Op::BvAdd, &[x, y]));
        let assertion = terms.mk(Op::BvUlt, &[sum, product]);
        assert!(kind(&mut terms, &mut engine, &[assertion]));
    }
    let encodings = counter(&engine, "encodings");
    assert!((2..10).contains(&encodings), "{encodings} encodings");
}
