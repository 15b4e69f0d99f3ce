//! Models as Z3, cvc5 and CVC4 print them: kept outputs of known releases, and what the solvers on the search path print.
//!
//! Each script of `cases/` is satisfiable; under every model of it each of its assertions is true, or undefined for a
//! reason that [`OPEN`] states.

use smt::model::read_model;
use smt::{Command, Evaluator, Reader, TermId, Terms, Undefined};
use std::path::{Path, PathBuf};
use testkit::{Solver, SolverKind};

/// A script, a release or any, the number of an assertion, and why its value is open under that model.
static OPEN: &[(&str, Option<SolverKind>, usize, Undefined)] = &[
    // Z3 prints an algebraic number, CVC4 an interval.
    ("reals-algebraic", None, 0, Undefined::Opaque),
    ("reals-algebraic", None, 1, Undefined::Opaque),
    // cvc5 and CVC4 do not print what division by zero gives.
    ("division-by-zero", Some(SolverKind::Cvc5), 2, Undefined::DivisionByZero),
    ("division-by-zero", Some(SolverKind::Cvc5), 3, Undefined::DivisionByZero),
    ("division-by-zero", Some(SolverKind::Cvc5), 4, Undefined::DivisionByZero),
    ("division-by-zero", Some(SolverKind::Cvc4), 2, Undefined::DivisionByZero),
    ("division-by-zero", Some(SolverKind::Cvc4), 3, Undefined::DivisionByZero),
    ("division-by-zero", Some(SolverKind::Cvc4), 4, Undefined::DivisionByZero),
    // No solver prints what conversions of NaN give.
    ("floats-conversion", None, 6, Undefined::FloatConversion),
    // Evaluation does not decide quantifiers over infinite sorts.
    ("arrays-lambda", None, 0, Undefined::Quantifier),
];

/// A script and a solver whose model of it cannot be read, with the reason.
static UNREADABLE: &[(&str, SolverKind, &str)] =
    &[("quoted-sorts", SolverKind::Z3, "Z3 4.8.12 prints the names of sorts without the bars they need")];

/// Scripts in theories that are no solver's but these.
static ONLY: &[(&str, &[SolverKind])] = &[
    ("sequences", &[SolverKind::Z3, SolverKind::Cvc5]),
    ("sets", &[SolverKind::Cvc5]),
    ("bags", &[SolverKind::Cvc5]),
];

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The scripts by name.
fn scripts() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(tests().join("cases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "smt2"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// The assertions that are in force at the end of a script.
fn assertions(commands: &[Command]) -> Vec<TermId> {
    let mut levels = vec![Vec::new()];
    for command in commands {
        match command {
            Command::Assert(term) => levels.last_mut().unwrap().push(*term),
            Command::Push(n) => levels.extend((0..*n).map(|_| Vec::new())),
            Command::Pop(n) => levels.truncate(levels.len() - *n as usize),
            _ => {}
        }
    }
    levels.concat()
}

/// The folders of kept models, with the solver that printed them.
static KEPT: &[(&str, SolverKind)] = &[
    ("z3-4.8.12", SolverKind::Z3),
    ("z3-4.8.12-not-compact", SolverKind::Z3),
    ("cvc5-1.0.3", SolverKind::Cvc5),
    ("cvc4-1.8", SolverKind::Cvc4),
];

/// What is wrong with a solver's answer to a script, if anything.
fn fault(name: &str, kind: SolverKind, script: &str, output: &str) -> Option<String> {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    let reading = reader.read(&mut terms, script);
    assert!(reading.errors.is_empty(), "{name}: {:?}", reading.errors);
    let model = match read_model(&mut terms, &reader, output) {
        Ok(model) => model,
        Err(error) => return Some(format!("{name}, {kind:?}: {}", error.render("model", output))),
    };
    for (i, assertion) in assertions(&reading.script.commands).into_iter().enumerate() {
        let is_open = |reason: &Undefined| {
            OPEN.iter()
                .any(|(n, k, at, why)| *n == name && k.is_none_or(|k| k == kind) && *at == i && why == reason)
        };
        match Evaluator::new(&terms, &model).truth(assertion) {
            Ok(true) => {}
            Err(reason) if is_open(&reason) => {}
            other => {
                let text = smt::print::term_to_string(&terms, assertion);
                return Some(format!("{name}, {kind:?}, assertion {i}: {other:?}\n{text}\n{output}"));
            }
        }
    }
    None
}

fn assert_no_faults(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn kept_models_satisfy_their_scripts() {
    let mut faults = Vec::new();
    for &(folder, kind) in KEPT {
        let folder = tests().join("models").join(folder);
        let mut models = 0;
        for (name, script) in scripts() {
            if let Ok(output) = std::fs::read_to_string(folder.join(format!("{name}.txt"))) {
                models += 1;
                faults.extend(fault(&name, kind, &script, &output));
            }
        }
        assert_eq!(models, std::fs::read_dir(&folder).unwrap().count(), "a model without a script");
    }
    assert_no_faults(&faults);
}

/// The kept models hold every form that solvers write values in.
#[test]
fn kept_models_show_every_form() {
    let mut all = String::new();
    for (folder, _) in KEPT {
        for entry in std::fs::read_dir(tests().join("models").join(folder)).unwrap() {
            all.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
        }
    }
    let forms = [
        "(model",
        "(lambda",
        "(as const",
        "(store",
        "(_ as-array",
        "root-obj",
        "witness",
        "div0",
        "mod0",
        "/0",
        "!val!",
        "(as @",
        "@uc_",
        "(_ -oo",
        "(_ NaN",
        "(_ -zero",
        "(fp #b",
        "\\u{2ffff}",
        "\"\"",
        "(/ (- 1",
        "(- (/ 1",
        "(ite ",
        "(as pair",
        "#b1",
        "#x",
    ];
    for form in forms {
        assert!(all.contains(form), "no kept model has `{form}`");
    }
}

#[test]
fn solvers_print_models_that_satisfy_the_scripts() {
    let mut faults = Vec::new();
    for kind in SolverKind::ALL {
        let Some(solver) = Solver::find(kind) else { continue };
        let mut unanswered = Vec::new();
        let is_readable = |name: &str| !UNREADABLE.iter().any(|(n, k, _)| *n == name && *k == kind);
        let knows = |name: &str| ONLY.iter().all(|(n, kinds)| *n != name || kinds.contains(&kind));
        for (name, script) in scripts().into_iter().filter(|(name, _)| is_readable(name) && knows(name)) {
            let output = solver.run(&script, 1000, 5);
            if output.starts_with("sat") {
                faults.extend(fault(&name, kind, &script, &output));
            } else {
                assert!(!output.starts_with("unsat"), "{kind:?} says `unsat` to {name}");
                unanswered.push(name);
            }
        }
        println!("{} {}: no model of {unanswered:?}", kind.program(), solver.version);
        assert!(unanswered.len() <= 8, "{kind:?} has no model of {unanswered:?}");
    }
    assert_no_faults(&faults);
}

/// A model with one value changed is noticed.
#[test]
fn wrong_models_are_noticed() {
    let (name, script) = scripts().into_iter().find(|(name, _)| name == "arrays-integers").unwrap();
    let kept = tests().join("models/cvc5-1.0.3/arrays-integers.txt");
    let output = std::fs::read_to_string(kept).unwrap();
    assert_eq!(fault(&name, SolverKind::Cvc5, &script, &output), None);
    let wrong = output.replace(" 7)", " 8)");
    assert_ne!(wrong, output);
    assert!(fault(&name, SolverKind::Cvc5, &script, &wrong).is_some());
}

/// Arrays that a model gives by terms are compared by what they hold.
#[test]
fn arrays_given_by_terms_are_compared() {
    let cases = [
        // All indices are listed.
        (
            "(_ BitVec 1)",
            "Int",
            "(lambda ((x (_ BitVec 1))) (ite (or (= x #b0) (= #b1 x)) 3 4))",
            "((as const A) 3)",
            Ok(true),
        ),
        (
            "String",
            "Bool",
            "(lambda ((s String)) (not (= s \"aa\")))",
            "(store ((as const A) true) \"aa\" false)",
            Ok(true),
        ),
        ("Int", "Bool", "(lambda ((i Int)) (= i 4))", "(store ((as const A) false) 5 true)", Ok(false)),
        (
            "Real",
            "Int",
            "(lambda ((r Real)) (ite (and (not (= r 0.0)) (= r 1.0)) 1 2))",
            "(store ((as const A) 2) 1.0 1)",
            Ok(true),
        ),
        // More than comparisons: no finite list describes it.
        ("Int", "Int", "(lambda ((i Int)) i)", "((as const A) 0)", Err(Undefined::Equality)),
        ("Int", "Bool", "(lambda ((i Int)) (< i 4))", "((as const A) true)", Err(Undefined::Equality)),
    ];
    for (index, element, left, right, expected) in cases {
        let mut terms = Terms::new();
        let mut reader = Reader::new();
        let script = format!(
            "(define-sort A () (Array {index} {element})) (declare-const a A) (declare-const b A) (assert (= a b))"
        );
        let reading = reader.read(&mut terms, &script);
        let model = format!("((define-fun a () A {left}) (define-fun b () A {right}))");
        let model = read_model(&mut terms, &reader, &model).unwrap();
        let assertion = assertions(&reading.script.commands)[0];
        assert_eq!(Evaluator::new(&terms, &model).truth(assertion), expected, "{left} = {right}");
    }
}

/// A model whose functions call each other without end has no value, and does not end the program either.
#[test]
fn models_that_go_round_in_circles_are_undefined() {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    let reading = reader.read(
        &mut terms,
        "(declare-fun f (Int) Int) (declare-const a (Array Int Int)) (assert (= (f 1) 0)) (assert (= (select a 1) 0))",
    );
    let model = "((define-fun f ((x Int)) Int (select (lambda ((y Int)) (ite (= y 1) (f x) 0)) 1))
                  (define-fun a () (Array Int Int) (_ as-array k))
                  (define-fun k ((x Int)) Int (ite (= x 1) (select a 1) 0)))";
    let model = read_model(&mut terms, &reader, model).unwrap();
    for assertion in assertions(&reading.script.commands) {
        assert!(matches!(Evaluator::new(&terms, &model).truth(assertion), Err(Undefined::Limit(_))));
    }
}

/// A language that a model gives means the same to every evaluator, also inside of another value's definition.
#[test]
fn a_language_of_a_model_is_judged() {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    let reading = reader.read(
        &mut terms,
        "(declare-const r RegLan) (declare-fun f (Int) RegLan) (declare-const s String)
         (assert (str.in_re s r)) (assert (str.in_re \"c\" r)) (assert (str.in_re s (f 7)))",
    );
    let model = "((define-fun r () RegLan (re.* (re.union (re.range \"a\" \"b\") (str.to_re \"dd\"))))
                  (define-fun f ((x Int)) RegLan (ite (= x 7) (re.++ r (str.to_re \"\")) re.none))
                  (define-fun s () String \"addb\"))";
    let model = read_model(&mut terms, &reader, model).unwrap();
    let truths: Vec<_> = assertions(&reading.script.commands)
        .into_iter()
        .map(|assertion| Evaluator::new(&terms, &model).truth(assertion))
        .collect();
    assert_eq!(truths, [Ok(true), Ok(false), Ok(true)]);
}

/// Algebraic numbers have a name and no value: nothing is computed with them, whether a constant, a function, an array or a bound
/// variable has one.
#[test]
fn algebraic_numbers_are_never_computed_with() {
    let declared = "(declare-const x Real)(declare-fun f (Int) Real)(declare-const a (Array Int Real))";
    let root = "(root-obj (+ (^ x 2) (- 2)) 2)";
    let model = format!(
        "((define-fun x () Real {root})(define-fun f ((i Int)) Real (ite (= i 0) {root} 1.0))\
         (define-fun a () (Array Int Real) (store ((as const (Array Int Real)) 1.0) 0 {root})))"
    );
    for assertion in [
        "(= (* x x) 2.0)",
        "(< (f 0) 2.0)",
        "(< (+ (select a 0) 1.0) 3.0)",
        "(exists ((q Real)) (and (= (* 1.0 q) (+ x 1.0)) (< 0.0 (* q q) 6.0)))",
        "(not (forall ((q Real)) (not (and (< 1.0 q) (= q x)))))",
    ] {
        let (mut terms, mut reader) = (Terms::new(), Reader::new());
        let script = reader.read(&mut terms, &format!("{declared}(assert {assertion})"));
        assert!(script.errors.is_empty(), "{assertion}");
        let model = read_model(&mut terms, &reader, &model).unwrap();
        let truth = Evaluator::new(&terms, &model).truth(assertions(&script.script.commands)[0]);
        assert!(truth.is_err(), "{assertion} is {truth:?}");
    }
}
