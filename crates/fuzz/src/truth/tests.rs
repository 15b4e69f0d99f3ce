//! The strategy as a whole: every model satisfies its script, every script prints and reads back in both dialects, the
//! counts are what the documentation says.

use super::tables::{EQUIVALENCES, LAWS, OPERATIONS};
use super::*;
use crate::case::Expectation;
use smt::print::{Style, script_to_string};
use smt::{Dialect, Evaluator, Reader};

fn extended(depth: usize) -> Truth {
    let beyond = vec![Theory::Strings, Theory::Arith, Theory::BitVec, Theory::Float, Theory::Arrays];
    Truth::new(TruthSettings { beyond, depth, bound: 1, in_order: true })
}

/// Every case of the enumeration, and of so many random batches, with its batch.
fn for_all(truth: &Truth, random: u64, mut check: impl FnMut(&Cases<'_>, &TestCase)) {
    for number in 0..truth.planned() + random {
        let mut cases = truth.cases(number, Rng::numbered(7, number)).expect("a batch");
        while let Some(case) = cases.next() {
            check(&cases, &case);
        }
    }
}

fn name(case: &TestCase) -> &str {
    match &case.origin {
        Origin::Built(name) => name,
        other => panic!("not built: {other:?}"),
    }
}

#[test]
fn every_model_satisfies_its_script() {
    let (mut sat, mut unsat) = (0, 0);
    for_all(&extended(4), 40, |cases, case| {
        let Some(model) = cases.model() else {
            assert!(matches!(&case.expected[..], [Expectation::Unsat { .. }]));
            unsat += 1;
            return;
        };
        assert_eq!(case.expected, [Expectation::Sat]);
        let mut evaluator = Evaluator::new(cases.terms(), model);
        for assertion in case.script.assertions() {
            assert_eq!(evaluator.truth(assertion), Ok(true), "{}", name(case));
        }
        sat += 1;
    });
    assert!(sat > 20_000 && unsat > 1_500, "{sat} {unsat}");
}

#[test]
fn scripts_are_read_back_in_both_dialects() {
    let mut number = 0;
    for_all(&extended(3), 10, |cases, case| {
        number += 1;
        if number % 23 != 0 {
            return;
        }
        for dialect in [Dialect::V26, Dialect::V25] {
            let style = Style { dialect, share: true };
            let text = script_to_string(cases.terms(), &case.script, style);
            let mut terms = Terms::new();
            let reading = Reader::with_dialect(dialect).read(&mut terms, &text);
            assert!(reading.errors.is_empty(), "{text}\n{:?}", reading.errors);
            assert_eq!(script_to_string(&terms, &reading.script, style), text);
        }
    });
}

/// Names are unique within the enumeration, and the same numbers give the same tests.
#[test]
fn the_enumeration_is_deterministic_and_does_not_repeat_itself() {
    let mut seen = std::collections::BTreeSet::new();
    let (first, second) = (extended(2), extended(2));
    let mut scripts = Vec::new();
    for_all(&first, 2, |_, case| {
        scripts.push(case.script.clone());
        if !name(case).contains(" chain ") && !name(case).starts_with("operators ") {
            assert!(seen.insert(name(case).to_string()), "{} twice", name(case));
        }
    });
    let mut scripts = scripts.into_iter();
    for_all(&second, 2, |_, case| {
        assert_eq!(scripts.next().as_ref(), Some(&case.script), "{}", name(case));
    });
    assert_eq!(scripts.next(), None);
}

#[test]
fn counts_of_the_paper_and_ours() {
    let counts = Truth::new(TruthSettings::default()).counts();
    let table: Vec<_> = counts.iter().map(|c| (c.category.name(), c.patterns, c.paper, c.ours)).collect();
    assert_eq!(
        table,
        [
            ("operation", false, 12, 12),
            ("constant assignment", false, 4714, 4855),
            ("term synthesis", false, 1394, 8141),
            ("equivalent formula", false, 12, 12),
            ("equivalent formula", true, 12, 5),
            ("larger unsat core", false, 268, 276),
            ("larger unsat core", true, 268, 114),
            ("redundancy introduction", false, 178, 143),
            ("redundancy introduction", true, 178, 72),
        ]
    );
    assert!(counts.iter().all(|count| count.beyond == 0));
    assert_eq!(Truth::new(TruthSettings::default()).batches().map(|n| n > 100), Some(true));
    let extended = extended(1);
    assert_eq!(extended.batches(), None);
    let beyond: Vec<usize> = extended.counts().iter().map(|count| count.beyond).collect();
    assert_eq!(beyond, [24, 3791, 6988, 22, 0, 297, 0, 44, 0]);
}

#[test]
fn the_rows_of_the_tables_have_names_of_their_own() {
    let ids: Vec<&str> = OPERATIONS.iter().map(|row| row.name).collect();
    let ids =
        ids.into_iter().chain(EQUIVALENCES.iter().map(|row| row.id)).chain(LAWS.iter().map(|row| row.id));
    let mut seen = std::collections::BTreeSet::new();
    for id in ids {
        assert!(seen.insert(id), "{id} twice");
    }
    assert_eq!(LAWS.len(), 48);
}

#[test]
fn categories_take_turns_unless_the_order_is_kept() {
    let first_of = |in_order: bool| {
        let truth = Truth::new(TruthSettings { in_order, ..TruthSettings::default() });
        let first = [Category::ConstantAssignment, Category::Equivalent, Category::Redundancy]
            .map(|category| truth.first_batch(category).expect("a batch"));
        (first, truth.planned())
    };
    let ([_, _, late], planned) = first_of(true);
    assert!(late > planned / 2, "the paper's order has redundancies last");
    let (early, same) = first_of(false);
    assert!(early.iter().all(|&number| number < 9), "{early:?}");
    assert_eq!(same, planned);
}
