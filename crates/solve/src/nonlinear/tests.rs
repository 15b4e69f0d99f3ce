//! Verdicts on small queries, and lemmas against the evaluator.

use super::lemmas::{apart, at_point, between, binomials, general, remainder};
use super::products::{Power, Product};
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
        // Squares of neighbours, and products with a factor that is a constant apart.
        (
            "(declare-const i Int)(declare-const n Int)(declare-const s Int)(assert (= i (+ (* (- 2) s) (* i i))))
             (assert (< n i (+ n 2)))(assert (distinct n (- (* 2 s) (* n n))))",
            "unsat",
        ),
        (
            "(declare-const a Int)(declare-const b Int)(declare-const c Int)(assert (= (* a b) (+ (* c b) (* 3 b) 1)))
             (assert (<= (+ c 3) a (+ c 3)))",
            "unsat",
        ),
        // Remainders of products.
        ("(declare-const x Int)(declare-const y Int)(assert (= (+ (* 3 x y) 2) (* 9 y)))", "unsat"),
        ("(declare-const x Int)(assert (= (+ (* x x) x) 7))", "unsat"),
        // Squares of sums, and reals below one.
        ("(declare-const x Real)(declare-const y Real)(assert (> (* 2.0 x y) (+ (* x x) (* y y))))", "unsat"),
        ("(declare-const x Int)(declare-const y Int)(assert (< (+ (* x x) (* 2 x y) (* y y)) 0))", "unsat"),
        ("(declare-const x Real)(assert (< 0.0 x 1.0))(assert (> (* x x) x))", "unsat"),
        // Products beside functions and arrays.
        (
            "(declare-fun f (Int) Int)(declare-const x Int)(assert (= (f (* x x)) 3))(assert (= (f 4) 5))(assert (= x 2))",
            "unsat",
        ),
        ("(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)(assert (= (f x) (* y y)))(assert (< (f x) 0))", "unsat"),
        (
            "(declare-const a (Array Int Int))(declare-const x Int)(assert (= (* (select a x) (select a x)) 49))
             (assert (> (select a x) 0))",
            "sat",
        ),
        (
            "(declare-const a (Array Int Int))(declare-const x Int)(assert (= (* (select a x) (select a x)) 7))",
            "unsat",
        ),
        // Powers of two.
        ("(declare-const x Int)(assert (> x 0))(assert (= (mod (int.pow2 x) 2) 1))", "unsat"),
        ("(declare-const x Int)(assert (>= x 0))(assert (distinct 0 (div x (int.pow2 x))))", "unsat"),
        ("(declare-const x Int)(assert (<= 7 x 9))(assert (> (* 2 x x) (int.pow2 x)))", "unsat"),
        ("(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (< 0 y))(assert (> (int.pow2 x) (int.pow2 y)))", "unsat"),
        ("(declare-const x Int)(assert (= (int.pow2 x) 4096))", "sat"),
        ("(declare-const x Int)(assert (= (int.pow2 x) 4097))(assert (> x 0))", "unsat"),
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

/// The same for remainders and for powers of two.
#[test]
fn lemmas_about_remainders_and_powers_are_valid() {
    let mut random = Rng::new(7);
    let mut remainders = 0;
    for _ in 0..300 {
        let mut terms = Terms::new();
        let [a, b, p, q] = ["a", "b", "p", "q"].map(|name| terms.symbol_constant(name, SortId::INT));
        let product = Product { a, b, result: p, is_int: true };
        let mut number = |range: usize| IBig::from(random.below(range) as i64 - range as i64 / 3);
        let point = [number(30), number(30), number(90)];
        let (x, y) = (number(30), number(30));
        let at = IBig::from(random.below(12) as i64);
        let power = |n: &IBig| usize::try_from(n).map_or(IBig::ZERO, |n| IBig::ONE << n);
        let of_product = remainder(&mut terms, &product, point.each_ref());
        remainders += usize::from(of_product.is_some());
        let (first, second) = (Power { exponent: a, result: p }, Power { exponent: b, result: q });
        let mut of_powers = powers::general(&mut terms, first);
        of_powers.extend(powers::between(&mut terms, first, second));
        of_powers.extend(powers::at_point(&mut terms, first, &at, &power(&at)));
        let results = [(of_product.into_iter().collect(), &x * &y), (of_powers, power(&x))];
        for (lemmas, result) in results {
            let mut model = Model::default();
            for (symbol, value) in [(a, x.clone()), (b, y.clone()), (p, result), (q, power(&y))] {
                model.set(terms.as_fun(symbol).expect("a constant"), Value::Int(value));
            }
            for lemma in lemmas {
                let text = smt::print::term_to_string(&terms, lemma);
                assert_eq!(Evaluator::new(&terms, &model).truth(lemma), Ok(true), "{text}: {x} {y}");
            }
        }
    }
    assert!(remainders > 100, "{remainders}");
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
        let mut lemmas = between(&mut terms, &first, &second);
        assert!(!lemmas.is_empty());
        if squares {
            // The product of what is squared, for which a further unknown stands.
            let product = Product { a, b, result: c, is_int };
            lemmas.extend(binomials(&mut terms, &product, [&first, &second]));
        }
        // Constants of another point: far apart, or as the numbers below.
        let point: Vec<IBig> = (0..3).map(|_| IBig::from(random.below(5) as i64 - 2)).collect();
        let at = |_: &Terms, t: TermId| {
            [a, b, c].iter().position(|&s| s == t).map(|i| RBig::from(point[i].clone()))
        };
        let apart = apart(&mut terms, &first, &second, at);
        assert_eq!(apart.len(), 2);
        lemmas.extend(apart);
        let mut numbers: Vec<IBig> = (0..3).map(|_| IBig::from(random.below(5) as i64 - 2)).collect();
        if squares {
            numbers[2] = &numbers[0] * &numbers[1];
        }
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
