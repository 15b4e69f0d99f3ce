//! Integers in [-4, 4]: every assignment is tried.

use super::random::{BOOLS, INTS, Truth, truth};
use super::{read, solve, status};
use crate::engine::{Budget, Engine, NoPartials, Query, Verdict};
use crate::linear::Linear;
use random::Rng;

const LIMIT: i64 = 4;

/// Whether some assignment satisfies all formulas.
fn satisfiable(formulas: &[Truth]) -> bool {
    let side = 2 * LIMIT + 1;
    (0..side.pow(INTS as u32) << BOOLS).any(|code| {
        let bools: Vec<bool> = (0..BOOLS).map(|i| code >> i & 1 == 1).collect();
        let mut rest = code >> BOOLS;
        let ints: Vec<i64> = (0..INTS)
            .map(|_| {
                let value = rest % side - LIMIT;
                rest /= side;
                value
            })
            .collect();
        formulas.iter().all(|formula| formula.value(&ints, &bools))
    })
}

fn script(formulas: &[Truth]) -> String {
    let mut out = String::new();
    for i in 0..INTS {
        out += &format!("(declare-const x{i} Int)(assert (<= (- {LIMIT}) x{i} {LIMIT}))\n");
    }
    for i in 0..BOOLS {
        out += &format!("(declare-const p{i} Bool)\n");
    }
    for formula in formulas {
        out.push_str("(assert ");
        formula.print(&mut out);
        out.push_str(")\n");
    }
    out
}

#[test]
fn verdicts_agree_with_enumeration() {
    let mut verdicts = [0; 2];
    for seed in 0..400 {
        let mut random = Rng::new(seed);
        let count = random.between(2, 6);
        let formulas: Vec<Truth> = (0..count).map(|_| truth(&mut random, 2)).collect();
        let expected = satisfiable(&formulas);
        let source = script(&formulas);
        let verdict = solve(&source);
        assert_eq!(status(&verdict), if expected { "sat" } else { "unsat" }, "seed {seed}\n{source}");
        verdicts[usize::from(expected)] += 1;
    }
    assert!(verdicts[0] > 40 && verdicts[1] > 40, "{verdicts:?} of unsat and sat");
}

#[test]
fn cores_are_unsatisfiable_by_themselves() {
    let mut smaller = 0;
    for seed in 1000..1200 {
        let mut random = Rng::new(seed);
        let formulas: Vec<Truth> = (0..8).map(|_| truth(&mut random, 1)).collect();
        let source = script(&formulas);
        let (mut terms, query) = read(&source);
        let mut engine = Linear::new(seed);
        let verdict = engine.solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials);
        let Verdict::Unsat(core) = verdict else { continue };
        assert!(core.is_sorted() && core.iter().all(|&at| at < query.assertions.len()));
        smaller += usize::from(core.len() < query.assertions.len());
        let rest = Query::new(core.iter().map(|&at| query.assertions[at]).collect());
        let again = Linear::new(seed).solve(&mut terms, &rest, &mut Budget::unlimited(), &mut NoPartials);
        assert_eq!(status(&again), "unsat", "seed {seed}, core {core:?}\n{source}");
    }
    assert!(smaller > 40, "{smaller} cores leave something out");
}
