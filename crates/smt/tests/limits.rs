//! Work that a short text can ask for without end is ended: by its size, or by the arena's token.

use smt::print::term_to_string;
use smt::{Evaluator, Model, Terms, Token, Undefined, read_script};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Far above what these take, far below what they took.
const SOON: Duration = Duration::from_secs(20);

fn soon() -> Token {
    Token::until(Instant::now() + Duration::from_millis(300))
}

fn read(source: &str) -> (Terms, smt::TermId) {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, source);
    assert!(reading.errors.is_empty(), "{:?}", reading.errors.first());
    let assertion = reading.script.assertions().next().expect("an assertion");
    (terms, assertion)
}

/// One walk for each definition of a chain took minutes.
#[test]
fn a_chain_of_definitions_is_unfolded_in_one_walk() {
    let mut source = String::from("(define-fun f0 ((x0 Int)) Int x0)\n");
    for i in 1..=10_000 {
        writeln!(source, "(define-fun f{i} ((x{i} Int)) Int (f{} (+ x{i} 1)))", i - 1).unwrap();
    }
    source.push_str("(declare-const a Int)(assert (= (f10000 a) (f10000 a) (f3 a)))");
    let (mut terms, assertion) = read(&source);
    let (start, before) = (Instant::now(), terms.len());
    let unfolded = terms.unfold(&[assertion])[0];
    assert!(start.elapsed() < SOON && terms.len() < before + 100_000, "{:?}", start.elapsed());
    let text = term_to_string(&terms, unfolded);
    assert!(text.matches("(+ ").count() >= 10_000, "{}", text.len());
    assert!(!text.contains("(f"), "a call is left");
}

#[test]
fn definitions_that_double_end_with_the_token() {
    let mut source = String::from("(declare-fun g (Int Int) Int)(define-fun f0 ((x Int)) Int (g x 1))\n");
    for i in 1..=60 {
        writeln!(source, "(define-fun f{i} ((x Int)) Int (f{} (f{} x)))", i - 1, i - 1).unwrap();
    }
    source.push_str("(declare-const a Int)(assert (= (f60 a) 0))");
    let (mut terms, assertion) = read(&source);
    terms.set_token(soon());
    let start = Instant::now();
    let unfolded = terms.unfold(&[assertion]);
    assert!(start.elapsed() < SOON);
    assert_eq!(unfolded, [assertion], "what is not done is left as it was");
}

#[test]
fn evaluation_ends_with_the_token_and_by_size() {
    let fibonacci = "(define-fun-rec fib ((n Int)) Int (ite (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
        (assert (= (fib 100) 0))";
    let (mut terms, assertion) = read(fibonacci);
    terms.set_token(soon());
    let (model, start) = (Model::default(), Instant::now());
    let outcome = Evaluator::new(&terms, &model).truth(assertion);
    assert!(matches!(outcome, Err(Undefined::Limit(_))), "{outcome:?}");
    assert!(start.elapsed() < SOON);

    for (sort, one) in [("Int", "3"), ("Real", "(/ 3.0 7.0)")] {
        let mut source = format!("(declare-const k {sort})(assert (let ((x0 {one})) ");
        for i in 1..=60 {
            write!(source, "(let ((x{i} (* x{} x{}))) ", i - 1, i - 1).unwrap();
        }
        write!(source, "(= x60 x0){}))", ")".repeat(60)).unwrap();
        let (terms, assertion) = read(&source);
        let start = Instant::now();
        let outcome = Evaluator::new(&terms, &model).truth(assertion);
        assert!(matches!(outcome, Err(Undefined::Limit(_))), "{outcome:?}");
        assert!(start.elapsed() < SOON, "{sort}: {:?}", start.elapsed());
    }
}

/// Numbers of the text that would become memory or the width of a format.
#[test]
fn numbers_of_a_text_do_not_become_memory() {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, "(declare-datatypes ((T 1000000000)) (((c))))");
    assert!(reading.errors[0].to_string().contains("at most 1000 parameters"), "{:?}", reading.errors);
    for (digits, prefix) in [(70_001, "#b"), (70_000, "#x")] {
        let literal = format!("{prefix}{}1", "0".repeat(digits - 1));
        let (terms, assertion) = read(&format!("(assert (= {literal} {literal}))"));
        assert!(term_to_string(&terms, assertion).contains(&literal));
    }
}
