//! Verdicts on small queries, and lemmas against the evaluator.

use super::lemmas::{at_point, between, general};
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
        ("(declare-const x Int)(declare-const y Int)(assert (> y 0))(assert (< (mod x y) 0))", "unsat"),
        (
            "(declare-const x Int)(declare-const y Int)(assert (> x 0))(assert (> y x))(assert (distinct (div x y) 0))",
            "unsat",
        ),
        ("(declare-const x Int)(declare-const y Int)(assert (> y 7))(assert (= (mod x y) 5))(assert (= (div x y) 3))", "sat"),
        ("(declare-const x Real)(declare-const y Real)(assert (> x 0.0))(assert (> y 0.0))(assert (< (/ x y) 0.0))", "unsat"),
        ("(declare-const x Real)(declare-const y Real)(assert (> x y 0.0))(assert (<= (* x x) (* y y)))", "unsat"),
        (
            "(declare-const x Real)(declare-const y Real)(declare-const z Real)(assert (> x y 0.0))(assert (> z 0.0))
             (assert (< (* x z) (* y z)))",
            "unsat",
        ),
        ("(declare-const x Real)(assert (= (* x x) 2.25))(assert (> x 0.0))", "sat"),
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

/// The same for lemmas about two products, which share a factor or are squares.
#[test]
fn lemmas_about_two_products_are_valid() {
    let mut random = Rng::new(6);
    for round in 0..200 {
        let is_int = round % 2 == 0;
        let mut terms = Terms::new();
        let sort = if is_int { SortId::INT } else { SortId::REAL };
        let [a, b, c, p, q] = ["a", "b", "c", "p", "q"].map(|name| terms.symbol_constant(name, sort));
        let squares = round % 4 < 2;
        let (first, second) = if squares {
            (Product { a, b: a, result: p, is_int }, Product { a: b, b, result: q, is_int })
        } else {
            (Product { a, b, result: p, is_int }, Product { a: b, b: c, result: q, is_int })
        };
        let lemmas = between(&mut terms, &first, &second);
        assert!(!lemmas.is_empty());
        let numbers: Vec<IBig> = (0..3).map(|_| IBig::from(random.below(13) as i64 - 6)).collect();
        let value = |n: IBig| if is_int { Value::Int(n) } else { Value::Real(RBig::from(n)) };
        let of = |t: TermId| numbers[[a, b, c].iter().position(|&s| s == t).expect("a factor")].clone();
        let mut model = Model::default();
        for (symbol, number) in [a, b, c].into_iter().zip(&numbers) {
            model.set(terms.as_fun(symbol).expect("a constant"), value(number.clone()));
        }
        for product in [&first, &second] {
            let number = of(product.a) * of(product.b);
            model.set(terms.as_fun(product.result).expect("a constant"), value(number));
        }
        for lemma in lemmas {
            let text = smt::print::term_to_string(&terms, lemma);
            assert_eq!(Evaluator::new(&terms, &model).truth(lemma), Ok(true), "{text} under {model:?}");
        }
    }
}
