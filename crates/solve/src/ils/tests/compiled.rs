//! Compiled evaluation against the evaluator, at points where 64 bits are and are not enough.

use super::formulas::Formulas;
use crate::engine::{Budget, Query};
use crate::ils::compile::compile;
use crate::ils::guide::Cost;
use crate::ils::machine::Registers;
use crate::ils::problem::{Prepared, prepare};
use crate::ils::program::{Code, Reg};
use crate::ils::state::SearchPoint;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use smt::{Evaluator, IBig, Model, SortId, Terms, Value, read_script};

/// Values of all magnitudes, those around the limits of a machine word among them.
fn value(formulas: &mut Formulas) -> i128 {
    let edges = [i128::from(i64::MAX), i128::from(i64::MIN), 1 << 32, 1 << 80, 0];
    match formulas.rng.below(4) {
        0 => edges[formulas.rng.below(edges.len())] + formulas.rng.between_wide(-2, 2),
        1 => formulas.rng.between_wide(-5, 5),
        _ => {
            let size = 1i128 << formulas.rng.below(66);
            formulas.rng.between_wide(-size, size)
        }
    }
}

fn point(formulas: &mut Formulas) -> (Model, Vec<(smt::FunId, i128)>) {
    let mut model = Model::default();
    let mut values = Vec::new();
    for fun in formulas.vars() {
        let boolean = formulas.terms.fun(fun).result == SortId::BOOL;
        let x = if boolean { i128::from(formulas.rng.one_in(2)) } else { value(formulas) };
        values.push((fun, x));
        model.set(fun, if boolean { Value::Bool(x == 1) } else { Value::Int(IBig::from(x)) });
    }
    (model, values)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn registers_hold_what_the_evaluator_says(seed: u64) {
        let mut formulas = Formulas::new(seed, 3, 2, 1 << 40);
        let root = if seed.is_multiple_of(2) { formulas.int(4) } else { formulas.boolean(4) };
        let (builder, regs) = compile(&formulas.terms, &[root], &FxHashMap::default(), 1 << 30).unwrap();
        let (program, place) = builder.finish(&[regs[&root]]);
        let mut registers = Registers::new(&program);
        for _ in 0..10 {
            let (model, values) = point(&mut formulas);
            for (var, fun) in program.vars.iter().enumerate() {
                let (_, x) = values.iter().find(|(f, _)| f == fun).unwrap();
                registers.write(var as Reg, *x);
            }
            registers.run(&program);
            let expected = Evaluator::new(&formulas.terms, &model).eval(root).ok().map(|v| match v {
                Value::Bool(b) => IBig::from(u8::from(b)),
                Value::Int(i) => i,
                other => panic!("{other:?}"),
            });
            prop_assert_eq!(registers.integer(place[0]), expected);
        }
    }

    #[test]
    fn changing_variables_one_by_one_is_the_same_as_starting_afresh(seed: u64) {
        let mut formulas = Formulas::new(seed, 3, 2, 1 << 40);
        let query = Query::new((0..3).map(|_| formulas.boolean(3)).collect());
        let Ok(Prepared::Problem(problem)) = prepare(&formulas.terms, &query, 1 << 30, &mut Budget::unlimited()) else {
            return Ok(());
        };
        let vars = problem.landscape.program.vars.len();
        prop_assume!(vars > 0);
        let mut state = SearchPoint::new(&problem.landscape);
        for _ in 0..30 {
            let var = formulas.rng.below(vars);
            let boolean = problem.landscape.program.boolean[var];
            let x = if boolean { i128::from(formulas.rng.one_in(2)) } else { value(&mut formulas) };
            let (before, values) = (state.total(), state.values());
            let seen = (state.probe(var as Reg, x), state.point_with(var as Reg, x));
            prop_assert_eq!((state.total(), state.values()), (before, values.clone()));
            state.set(var as Reg, x);
            prop_assert_eq!(seen, (state.total(), state.point()));
            if formulas.rng.one_in(2) {
                state.undo();
                prop_assert_eq!((state.total(), state.values()), (before, values));
            } else {
                state.keep();
            }
            let mut fresh = SearchPoint::new(&problem.landscape);
            fresh.jump(&state.values());
            prop_assert_eq!(state.total(), fresh.total());
            prop_assert_eq!(state.point(), fresh.point());
        }
    }

    #[test]
    fn looking_at_several_values_at_once_is_the_same_as_one_by_one(seed: u64) {
        let mut formulas = Formulas::new(seed, 3, 2, 1 << 40);
        let query = Query::new((0..3).map(|_| formulas.boolean(3)).collect());
        let Ok(Prepared::Problem(problem)) = prepare(&formulas.terms, &query, 1 << 30, &mut Budget::unlimited()) else {
            return Ok(());
        };
        let landscape = &problem.landscape;
        prop_assume!(!landscape.program.vars.is_empty());
        let mut state = SearchPoint::new(landscape);
        for _ in 0..20 {
            let var = formulas.rng.below(landscape.program.vars.len()) as Reg;
            let boolean = landscape.program.boolean[var as usize];
            let mut any = || if boolean { i128::from(formulas.rng.one_in(2)) } else { value(&mut formulas) };
            let (values, next): (Vec<i128>, i128) = ((0..11).map(|_| any()).collect(), any());
            let one_by_one: Vec<u128> = values.iter().map(|&x| state.probe(var, x)).collect();
            let mut together = Vec::new();
            state.probe_all(var, &values, &mut together);
            prop_assert_eq!(&together, &one_by_one);
            for step in &landscape.cones[var as usize].costs {
                let Cost::Literal(literal) = landscape.guide.nodes[step.to as usize] else { continue };
                let mut seen = Vec::new();
                state.probe_differences(var, &values, literal, &mut seen);
                for (&x, (difference, total)) in values.iter().zip(seen) {
                    let mut there = state.clone();
                    there.set(var, x);
                    prop_assert_eq!(total, there.total());
                    let sides = there.small(literal.a).zip(there.small(literal.b));
                    prop_assert_eq!(difference, sides.map(|(a, b)| a - b));
                }
            }
            state.set(var, next);
            state.keep();
        }
    }

    #[test]
    fn a_point_costs_nothing_only_if_all_conjuncts_hold(seed: u64) {
        let mut formulas = Formulas::new(seed, 2, 1, 8);
        formulas.divides = seed.is_multiple_of(2);
        let query = Query::new((0..2).map(|_| formulas.boolean(3)).collect());
        let Ok(Prepared::Problem(problem)) = prepare(&formulas.terms, &query, 1 << 30, &mut Budget::unlimited()) else {
            return Ok(());
        };
        let mut state = SearchPoint::new(&problem.landscape);
        for _ in 0..40 {
            let values: Vec<i128> = problem.domains.iter().map(|d| d.nearest(formulas.rng.between_wide(-9, 9))).collect();
            state.jump(&values);
            let mut model = Model::default();
            problem.assignment(&values).into_iter().for_each(|(fun, value)| model.set(fun, value));
            let mut evaluator = Evaluator::new(&formulas.terms, &model);
            let truths: Vec<_> = query.assertions.iter().map(|&a| evaluator.truth(a)).collect();
            let holds = truths.iter().all(|t| *t == Ok(true));
            // Where SMT-LIB leaves a value open the evaluator says neither, or may still know the whole.
            if truths.iter().all(|t| t.is_ok()) && state.total() == 0 {
                prop_assert!(holds);
            }
            if holds && !formulas.divides {
                prop_assert_eq!(state.total(), 0);
            }
        }
    }
}

fn query_of(terms: &mut Terms, text: &str) -> Query {
    let reading = read_script(terms, text);
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    let assertions: Vec<_> = reading.script.assertions().collect();
    Query::new(terms.unfold(&assertions))
}

#[test]
fn division_as_c_spells_it_is_one_instruction() {
    let mut terms = Terms::new();
    let text = "(define-fun q ((a Int) (b Int)) Int (ite (>= a 0) (div a b) (- (div (- a) b))))
                (define-fun r ((a Int) (b Int)) Int (ite (>= a 0) (mod a b) (- (mod (- a) b))))
                (declare-const x Int) (declare-const y Int) (assert (= (q x y) (r x y)))";
    let query = query_of(&mut terms, text);
    let (builder, regs) = compile(&terms, &query.assertions, &FxHashMap::default(), 1 << 20).unwrap();
    let (program, _) = builder.finish(&[regs[&query.assertions[0]]]);
    let count = |code| program.code.iter().filter(|i| i.code == code).count();
    assert_eq!(program.code.len(), 6);
    assert_eq!([Code::Var, Code::Const, Code::Quo, Code::Rem, Code::Eq].map(count), [2, 1, 1, 1, 1]);
}

#[test]
fn bounds_and_equations_leave_nothing_to_search() {
    let mut terms = Terms::new();
    let text = "(declare-const x Int) (declare-const y Int) (declare-const z Int)
                (assert (<= 3 x 3)) (assert (= (+ (* 2 y) x) 13)) (assert (= (+ z (* y x)) 0))";
    let query = query_of(&mut terms, text);
    let Ok(Prepared::Problem(problem)) = prepare(&terms, &query, 1 << 20, &mut Budget::unlimited()) else {
        panic!("a problem")
    };
    assert_eq!(problem.landscape.program.vars.len(), 0);
    let values: Vec<Value> = problem.assignment(&[]).into_iter().map(|(_, v)| v).collect();
    assert_eq!(values, [3, 5, -15].map(|i| Value::Int(IBig::from(i))));
}
