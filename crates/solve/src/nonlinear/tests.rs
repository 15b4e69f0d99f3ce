//! Verdicts on small queries, and lemmas against the evaluator.

use super::lemmas::{at_point, general};
use super::products::Product;
use super::*;
use random::Rng;
use smt::{IBig, RBig, SortId, read_script};
use std::time::Duration;

fn solve(text: &str) -> &'static str {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, text);
    assert!(reading.errors.is_empty(), "{text}: {:?}", reading.errors);
    let query = Query::new(reading.script.assertions().collect());
    let mut budget = Budget::seconds(Duration::from_secs(20));
    match Nonlinear::new(1).solve(&mut terms, &query, &mut budget, &mut NoPartials) {
        Verdict::Sat(model) => {
            assert!(satisfies(&terms, &model, &query.assertions), "{text}");
            "sat"
        }
        Verdict::Unsat(core) => {
            assert!(core.iter().all(|&at| at < query.assertions.len()));
            "unsat"
        }
        Verdict::Unknown(_) => "unknown",
    }
}

#[test]
fn products_of_integers_and_reals() {
    let table = [
        ("(declare-const x Int)(assert (= (* x x) 7))", "unsat"),
        ("(declare-const x Int)(assert (= (* x x) 8))", "unsat"),
        ("(declare-const x Int)(assert (= (* x x) 49))", "sat"),
        ("(declare-const x Int)(assert (< (* x x) 0))", "unsat"),
        (
            "(declare-const x Int)(declare-const y Int)(assert (> x 0))(assert (> y 0))(assert (< (* x y) 0))",
            "unsat",
        ),
        (
            "(declare-const x Int)(declare-const y Int)(assert (> x 3))(assert (> y 4))(assert (< (* x y) 20))",
            "unsat",
        ),
        ("(declare-const x Int)(declare-const y Int)(assert (= (+ (* 2 x y) 1) (* 4 y x x)))", "unsat"),
        (
            "(declare-const x Int)(declare-const y Int)(assert (= (* x y) 35))(assert (> x 1))(assert (> y x))",
            "sat",
        ),
        ("(declare-const x Real)(assert (< (* x x) 0.0))", "unsat"),
        (
            "(declare-const x Real)(declare-const y Real)(assert (> (* x y) 10.0))(assert (< x 3.0))(assert (> x 0.0))",
            "sat",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(solve(text), expected, "{text}");
    }
}

/// With the unknown being the product, every lemma is true for all factors.
#[test]
fn lemmas_are_valid() {
    let mut random = Rng::new(5);
    for round in 0..400 {
        let is_int = round % 2 == 0;
        let mut terms = Terms::new();
        let sort = if is_int { SortId::INT } else { SortId::REAL };
        let [a, b, p] = ["a", "b", "p"].map(|name| terms.symbol_constant(name, sort));
        let b = if round % 4 < 2 { b } else { a };
        let product = Product { a, b, result: p, is_int };
        let number = |random: &mut Rng| {
            let numerator = RBig::from(IBig::from(random.below(41) as i64 - 20));
            if is_int { numerator } else { numerator / RBig::from(IBig::from(1 + random.below(3) as i64)) }
        };
        let (at_a, at_b) = (number(&mut random), number(&mut random));
        let at_b = if a == b { at_a.clone() } else { at_b };
        let mut lemmas = general(&mut terms, &product);
        lemmas.extend(at_point(&mut terms, &product, &at_a, &at_b));
        for _ in 0..20 {
            let x = number(&mut random);
            let y = if a == b { x.clone() } else { number(&mut random) };
            let z = &x * &y;
            let value = |r: RBig| if is_int { Value::Int(r.into_parts().0) } else { Value::Real(r) };
            let mut model = Model::default();
            for (symbol, r) in [(a, x), (b, y), (p, z)] {
                model.set(terms.as_fun(symbol).expect("a constant"), value(r));
            }
            for &lemma in &lemmas {
                let text = smt::print::term_to_string(&terms, lemma);
                assert_eq!(Evaluator::new(&terms, &model).truth(lemma), Ok(true), "{text} under {model:?}");
            }
        }
    }
}
