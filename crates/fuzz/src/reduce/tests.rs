//! Reductions through text: what a test looks for stays, and nothing else does.

use super::search::text;
use super::*;
use std::sync::atomic::{AtomicU64, Ordering};
use testkit::{Answer, Rng, Scope, Solver, SolverKind, TermGen, World};

type Test<'t> = &'t (dyn Fn(&Terms, &Script) -> bool + Sync);

fn run(input: &str, test: Test<'_>, settings: &ReduceSettings) -> Reduced {
    let mut terms = Terms::new();
    let reading = smt::read_script(&mut terms, input);
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    reduce(terms, reading.script, test, settings, &AtomicBool::new(false), &mut |_| {})
        .expect("it reproduces")
}

fn reduced(input: &str, test: Test<'_>) -> String {
    let result = run(input, test, &ReduceSettings::default());
    assert_eq!(result.stop, StopReason::Exhausted);
    text(&result.terms, &result.script)
}

/// What the test looks for, the script, and what is left of it.
static KEPT: &[(&str, &[&str], &str, &str)] = &[
    (
        "one operator of one assertion",
        &["str.at"],
        "(set-logic QF_SLIA)(set-info :status sat)(declare-const hello String)(declare-fun n () Int)
         (assert (= (str.at (str.++ hello \"world\") (+ n 1)) \"w\"))(assert (> n 100))(check-sat)(get-model)(exit)",
        "(assert (= (str.at \"\" 0) \"\"))\n",
    ),
    (
        "queries are kept if they are looked for",
        &["(check-sat)", "(get-model)"],
        "(declare-const x Int)(push 1)(assert (< x 5))(check-sat)(pop 1)(push 1)(assert (> x 7))(check-sat)(get-model)(pop 1)",
        "(check-sat)\n(get-model)\n",
    ),
    (
        "scopes go as a whole or as a pair",
        &["(push", "(pop", "distinct"],
        "(declare-const x Int)(push 1)(assert (< x 5))(check-sat)(pop 1)(push 1)(push 2)(assert (distinct x 7))(pop 2)(pop 1)(check-sat)",
        "(push 1)\n(assert (distinct 0 0))\n(pop 1)\n",
    ),
    (
        "conjunctions are split and cut",
        &["bvmul", "bvudiv"],
        "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))
         (assert (and (or (= x y) (bvult x #x00000010)) (and (= (bvmul x y) #x0000000f) (= (bvudiv x y) #x00000003))))(check-sat)",
        "(assert (= (bvmul #b0 #b0) #b0))\n(assert (= (bvudiv #b0 #b0) #b0))\n",
    ),
    (
        "definitions are inlined",
        &["mod", "assert"],
        "(declare-const x Int)(define-fun half ((a Int)) Int (div a 2))
         (define-fun odd ((a Int)) Bool (= (mod (half a) 2) 1))(assert (odd x))(assert (odd (+ x 2)))(check-sat)",
        "(assert (= (mod 0 0) 0))\n",
    ),
    (
        "recursive definitions are cut like everything else",
        &["define-fun-rec", "abs"],
        "(define-fun-rec f ((n Int)) Int (ite (<= n 0) (abs (+ n 17)) (+ n (f (- n 1)))))(declare-const x Int)
         (assert (= (f x) 10))(check-sat)",
        "(define-fun-rec f ((n Int)) Int (abs 0))\n",
    ),
    (
        "quantified variables are instantiated or left out",
        &["forall", "div"],
        "(declare-fun f (Int Int) Int)(assert (forall ((x Int) (y Int) (z Int))
           (! (=> (> x 0) (exists ((w Int)) (= (f x y) (div w (f y w))))) :pattern ((f x y)))))(check-sat)",
        "(assert (forall ((z Int)) (= 0 (div 0 0))))\n",
    ),
    (
        "names of assertions go if no command asks for them",
        &["re.opt"],
        "(set-option :produce-unsat-cores true)(declare-const s String)
         (assert (! (str.in_re s (re.++ (re.opt (str.to_re \"abc\")) (re.* re.allchar))) :named first))
         (assert (! (= s \"x\") :named second))(check-sat)(get-unsat-core)",
        "(assert (str.in_re \"\" (re.opt re.all)))\n",
    ),
    (
        "floats become small",
        &["fp.mul"],
        "(declare-const a (_ FloatingPoint 11 53))(declare-const r RoundingMode)
         (assert (fp.lt (fp.mul r a (fp #b0 #b10000000001 #x8000000000001)) ((_ to_fp 11 53) RTZ 2.5)))(check-sat)",
        "(assert (fp.lt (fp.mul RNE (_ +zero 2 3) (_ +zero 2 3)) (_ +zero 2 3)))\n",
    ),
    (
        "arrays follow their sorts",
        &["store", "declare-const"],
        "(declare-const memory (Array (_ BitVec 32) (_ BitVec 8)))(declare-const other (Array (_ BitVec 32) (_ BitVec 8)))
         (declare-const at (_ BitVec 32))
         (assert (= (store (store memory at #x01) (bvadd at #x00000001) #x02) other))(check-sat)",
        "(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))\n(assert (= (store a #b0 #b0) a))\n",
    ),
    (
        "uninterpreted sorts become Bool",
        &["distinct", "(next "],
        "(declare-sort Element 0)(declare-fun next (Element) Element)(declare-const start Element)(declare-const end Element)
         (assert (distinct (next (next start)) end))(check-sat)",
        "(declare-fun next (Bool) Bool)\n(assert (distinct (next true) true))\n",
    ),
    (
        "parameters that do not matter are left out",
        &["(f "],
        "(declare-fun f (Int Bool Int) Int)(declare-fun g (Int) Bool)(assert (= (f 1 (g 7) (f 2 false 3)) 4))(check-sat)",
        "(declare-fun f (Int) Int)\n(assert (= (f 0) 0))\n",
    ),
    (
        "operators that change widths follow the widths",
        &["concat", "extract", "zero_extend"],
        "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 16))
         (assert (= ((_ zero_extend 16) (concat ((_ extract 31 16) x) y)) (concat y ((_ extract 15 0) x) #x0001)))(check-sat)",
        "(assert (= ((_ zero_extend 0) ((_ extract 0 0) (concat #b0 #b0))) #b0))\n",
    ),
    (
        "datatypes and matches",
        &["match"],
        "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))(declare-const l List)
         (assert (= (match l ((nil 0) ((cons h t) (+ h 41)))) 42))(check-sat)",
        "(declare-datatypes ((List 0)) (((nil)(cons (head Int) (tail List)))))\n\
         (assert (= (match nil ((nil 0) ((cons h t) 0))) 0))\n",
    ),
    (
        "the logic becomes ALL if one must be set",
        &["set-logic", "(* "],
        "(set-logic QF_NIA)(declare-const x Int)(assert (= (* x x x) 27))(check-sat)",
        "(set-logic ALL)\n(assert (= (* 0 0) 0))\n",
    ),
    (
        "assumptions are left out",
        &["check-sat-assuming"],
        "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert (or p q r))(check-sat-assuming (p q r))",
        "(check-sat-assuming (true))\n",
    ),
];

#[test]
fn what_is_looked_for_stays_and_the_rest_goes() {
    let mut wrong = String::new();
    for (name, needles, input, expected) in KEPT {
        let output = reduced(input, &|terms, script| {
            let printed = text(terms, script);
            needles.iter().all(|needle| printed.contains(needle))
        });
        if output != *expected {
            wrong.push_str(&format!("{name}:\n{output}instead of\n{expected}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A thousand assertions over a hundred variables, of which the 617th matters.
fn many() -> String {
    let mut input = String::from("(set-logic QF_NIA)\n");
    (0..100).for_each(|i| input.push_str(&format!("(declare-const variable_{i} Int)\n")));
    for i in 0..1000 {
        let (a, b) = (i % 100, (i * 7 + 3) % 100);
        let term = match i {
            617 => format!("(= (mod (* variable_{a} variable_{b}) 17) 3)"),
            _ => format!("(or (< variable_{a} (+ variable_{b} {i})) (= variable_{b} (* 2 variable_{a})))"),
        };
        input.push_str(&format!("(assert {term})\n"));
    }
    input + "(check-sat)\n"
}

#[test]
fn one_culprit_among_a_thousand_assertions_takes_few_tests() {
    let calls = AtomicU64::new(0);
    let result = run(
        &many(),
        &|terms, script| {
            calls.fetch_add(1, Ordering::Relaxed);
            text(terms, script).contains("(mod (* variable_17")
        },
        &ReduceSettings::default(),
    );
    let left = text(&result.terms, &result.script);
    assert_eq!(left, "(declare-const variable_17 Int)\n(assert (= (mod (* variable_17 0) 0) 0))\n");
    assert!(result.tests < 150, "{} tests", result.tests);
    assert_eq!(result.tests, calls.into_inner());
}

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    let test: Test<'_> = &|terms, script| {
        let printed = text(terms, script);
        printed.contains("(mod ") && printed.matches("(or ").count() >= 3 && printed.contains("variable_5 ")
    };
    let outcomes: Vec<(String, u64)> = [1, 2, 5]
        .map(|jobs| run(&many(), test, &ReduceSettings { jobs, max_tests: 400 }))
        .iter()
        .map(|result| (text(&result.terms, &result.script), result.tests))
        .collect();
    assert_eq!(outcomes[0], outcomes[1]);
    assert_eq!(outcomes[0], outcomes[2]);
}

/// A chain of implications with `xor` at a third of its depth.
fn deep(depth: usize) -> String {
    let mut input =
        String::from("(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert ");
    (0..depth).for_each(|i| input.push_str(if i == depth / 3 { "(xor q " } else { "(=> (or p q) " }));
    input.push('r');
    input.push_str(&")".repeat(depth));
    input + ")(check-sat)"
}

#[test]
fn deep_terms_do_not_overflow_and_take_few_tests() {
    let test: Test<'_> = &|terms, script| operators(terms, script).contains(&smt::Op::Xor);
    let result = run(&deep(20_000), test, &ReduceSettings::default());
    assert_eq!(text(&result.terms, &result.script), "(assert (xor true true))\n");
    assert!(result.tests < 150, "{} tests", result.tests);

    let result = run(&deep(100_000), test, &ReduceSettings { jobs: 1, max_tests: 30 });
    assert_eq!(result.stop, StopReason::Tests);
    assert!(smt::walk::reachable(&result.terms, &result.script.terms()).len() < 100_000);
}

#[test]
fn limits_and_stops_end_with_the_best_so_far() {
    let test: Test<'_> = &|terms, script| text(terms, script).contains("(mod ");
    let result = run(&many(), test, &ReduceSettings { jobs: 1, max_tests: 12 });
    assert_eq!((result.stop, result.tests), (StopReason::Tests, 12));
    assert!(result.script.commands.len() < 1000);
    assert!(test(&result.terms, &result.script));

    let stop = AtomicBool::new(false);
    let calls = AtomicU64::new(0);
    let mut terms = Terms::new();
    let script = smt::read_script(&mut terms, &many()).script;
    let stopping = |terms: &Terms, script: &Script| {
        // The call that raises the flag is interrupted: what it says must not count.
        let last = calls.fetch_add(1, Ordering::Relaxed) == 8;
        stop.fetch_or(last, Ordering::Relaxed);
        last || test(terms, script)
    };
    let result = reduce(terms, script, &stopping, &ReduceSettings::default(), &stop, &mut |_| {}).unwrap();
    assert_eq!(result.stop, StopReason::Interrupted);
    assert!(test(&result.terms, &result.script));
    assert_eq!(calls.into_inner(), 9);
}

#[test]
fn what_does_not_reproduce_is_refused() {
    let mut terms = Terms::new();
    let script = smt::read_script(&mut terms, "(assert true)").script;
    let result = reduce(
        terms,
        script,
        &|_, _| false,
        &ReduceSettings::default(),
        &AtomicBool::new(false),
        &mut |_| {},
    );
    assert_eq!(result.err(), Some(NotReproduced));
}

#[test]
fn every_candidate_is_well_sorted_and_steps_add_up() {
    let input = KEPT.iter().find(|row| row.0 == "floats become small").expect("a row").2;
    let test: Test<'_> = &|terms, script| {
        let printed = text(terms, script);
        let reading = smt::read_script(&mut Terms::new(), &printed);
        assert!(reading.errors.is_empty(), "{printed}");
        printed.contains("fp.lt") && printed.contains("to_fp")
    };
    let result = run(input, test, &ReduceSettings::default());
    assert_eq!(result.tests, 1 + result.steps.iter().map(|step| step.tests).sum::<u64>());
    for pair in result.steps.windows(2) {
        assert!(pair[1].accepted > 0 || pair[1].bytes.0 == pair[1].bytes.1);
        assert_eq!(pair[0].bytes.1, pair[1].bytes.0);
    }
}

#[test]
fn a_second_reduction_finds_nothing_more() {
    for (name, needles, input, _) in KEPT {
        let test: Test<'_> = &|terms, script| {
            let printed = text(terms, script);
            needles.iter().all(|needle| printed.contains(needle))
        };
        let once = reduced(input, test);
        assert_eq!(reduced(&once, test), once, "{name}");
    }
}

#[test]
fn an_answer_of_a_real_solver_is_kept() {
    let Some(z3) = Solver::find(SolverKind::Z3) else { return };
    let input =
        "(set-logic QF_SLIA)(declare-const name String)(declare-const path String)(declare-const index Int)
        (assert (str.prefixof \"/home\" path))(assert (= index (str.indexof path name 1)))
        (assert (or (= name \"x\") (> (str.len name) 3)))
        (assert (and (str.contains path \"..\") (<= 0 index)))
        (assert (= (str.len (str.replace path \"..\" \"abc\")) (str.len path)))
        (assert (not (= path (str.++ name \"!\"))))(check-sat)";
    let test: Test<'_> = &|terms, script| {
        let printed = text(terms, script);
        printed.contains("str.replace")
            && z3.ask("", &[printed.replace("(check-sat)", "").replace("(set-logic QF_SLIA)", "")], 2000, 20)
                == [Answer::Unsat]
    };
    let result = run(input, test, &ReduceSettings { jobs: 2, max_tests: 1000 });
    assert!(test(&result.terms, &result.script));
    let left = text(&result.terms, &result.script);
    assert!(result.script.assertions().count() <= 2, "{left}");
    assert!(left.len() < 150, "{left}");
}

/// The operators that occur in a script.
fn operators(terms: &Terms, script: &Script) -> Vec<smt::Op> {
    let mut all: Vec<smt::Op> =
        smt::walk::reachable(terms, &script.terms()).iter().map(|&term| terms.op(term)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn random_scripts_over_all_theories_reduce_to_what_is_looked_for() {
    for seed in 0..30 {
        let (mut terms, mut rng) = (Terms::new(), Rng::new(seed));
        let world = World::new(&mut terms, smt::Reader::new());
        let mut script = world.declarations.clone();
        for _ in 0..3 {
            let formula = TermGen::new(&terms, &world, &mut rng, Scope::All).formula(&mut terms, 40);
            script.push(smt::Command::Assert(formula));
        }
        script.push(smt::Command::CheckSat);
        let wanted = rng.pick(&operators(&terms, &script));
        let before = text(&terms, &script);
        let test: Test<'_> = &|terms, script| {
            let printed = text(terms, script);
            let reading = smt::read_script(&mut Terms::new(), &printed);
            assert!(reading.errors.is_empty(), "{:?} in {printed}", reading.errors);
            operators(terms, script).contains(&wanted)
        };
        let stop = AtomicBool::new(false);
        let result =
            reduce(terms, script, test, &ReduceSettings::default(), &stop, &mut |_| {}).expect("it is there");
        assert_eq!(result.stop, StopReason::Exhausted);
        assert!(test(&result.terms, &result.script));
        let after = text(&result.terms, &result.script);
        assert!(result.script.assertions().count() <= 1, "{wanted:?}: {after}");
        assert!(after.len() < before.len() / 4, "{wanted:?}: {after}");
        assert!(result.tests < 400, "{} tests for {wanted:?}: {after}", result.tests);
    }
}

#[test]
fn a_value_under_a_model_is_kept() {
    // What must stay is a meaning, not a text: some assertion is false where all symbols are zero, and it multiplies.
    let input = "(declare-const x Int)(declare-const y Int)(declare-const z Int)
        (assert (< (* x y) (+ z 10)))(assert (and (= (+ x 1) 1) (not (= (* (+ x 3) (- y 2)) (* 6 (- 1))))))
        (assert (or (= z 0) (< (* z 5 x) (- 3))))(check-sat)";
    let test: Test<'_> = &|terms, script| {
        let mut model = smt::Model::default();
        for fun in (0..terms.fun_count()).map(|i| terms.fun_at(i)) {
            model.set(fun, smt::Value::Int(smt::IBig::ZERO));
        }
        script.assertions().any(|assertion| {
            let multiplies =
                smt::walk::reachable(terms, &[assertion]).iter().any(|&t| terms.op(t) == smt::Op::Mul);
            multiplies && smt::eval::eval(terms, &model, assertion) == Ok(smt::Value::Bool(false))
        })
    };
    assert_eq!(reduced(input, test), "(assert (not (= (* 0 0) 0)))\n");
}
