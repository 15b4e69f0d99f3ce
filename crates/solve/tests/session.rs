//! Texts in, answers out: the command loop against what SMT-LIB says a solver prints.

use smt::model::read_model;
use smt::{Reader, Terms};
use solve::session::{Session, SessionSettings};
use solve::verify::satisfies;

fn answers(text: &str) -> String {
    Session::new(SessionSettings::default()).expect("the engine auto").submit(text).text
}

/// A text and its answers.
static TABLE: &[(&str, &str)] = &[
    ("", ""),
    ("; a comment (check-sat)\n", ""),
    ("(check-sat)", "sat\n"),
    ("(assert false)(check-sat)", "unsat\n"),
    ("(set-option :print-success true)(set-logic QF_LIA)(assert true)(exit)", "success\nsuccess\nsuccess\nsuccess\n"),
    ("(echo \"a \"\"b\"\"\")", "\"a \"\"b\"\"\"\n"),
    // Levels.
    ("(push 2)(assert false)(get-info :assertion-stack-levels)(check-sat)(pop)(check-sat)", "(:assertion-stack-levels 2)\nunsat\nsat\n"),
    ("(pop 1)", "(error \"line 1 column 6: cannot pop 1 of 0 assertion levels\")\n"),
    ("(push)(declare-const x Int)(pop)(assert (= x 1))", "(error \"line 1 column 44: unknown symbol `x`\")\n"),
    // Models and values.
    ("(declare-const x Int)(assert (= x 5))(check-sat)(get-model)", "sat\n(\n  (define-fun x () Int 5)\n)\n"),
    ("(declare-const x Int)(declare-fun f (Int) Bool)(assert (= x (- 5)))(check-sat)(get-value (x (+ x 1) (f x)))", "sat\n((x (- 5))\n ((+ x 1) (- 4))\n ((f x) false))\n"),
    ("(declare-const x Int)(check-sat)(declare-const y Bool)(get-value (y))", "sat\n((y false))\n"),
    ("(get-model)", "(error \"there is no model: the last command that matters was no check-sat\")\n"),
    ("(assert false)(check-sat)(get-model)", "unsat\n(error \"there is no model: the answer was unsat\")\n"),
    ("(check-sat)(assert true)(get-value (true))", "sat\n(error \"there is no model: the last command that matters was no check-sat\")\n"),
    ("(set-option :produce-models false)(check-sat)(get-model)", "sat\n(error \"models are not produced: (set-option :produce-models true) comes first\")\n"),
    ("(declare-const x Int)(assert (= x 0))(check-sat)(get-value ((div x x)))", "sat\n(error \"(div x x) has no value: division by zero\")\n"),
    // Cores.
    (
        "(set-option :produce-unsat-cores true)(declare-const p Bool)(declare-const q Bool)
         (assert (! p :named a))(assert (! q :named |b c|))(assert (! (and q (not p)) :named d))(check-sat)(get-unsat-core)",
        "unsat\n(a d)\n",
    ),
    ("(set-option :produce-unsat-cores true)(assert (! false :named |b c|))(check-sat)(get-unsat-core)", "unsat\n(|b c|)\n"),
    ("(assert (! false :named a))(check-sat)(get-unsat-core)", "unsat\n(error \"cores are not produced: (set-option :produce-unsat-cores true) comes first\")\n"),
    ("(set-option :produce-unsat-cores true)(check-sat)(get-unsat-core)", "sat\n(error \"there is no core: the last answer was not unsat\")\n"),
    (
        "(set-option :produce-unsat-assumptions true)(declare-const p Bool)(declare-const q Bool)(assert p)
         (check-sat-assuming (q (not p)))(get-unsat-assumptions)(check-sat-assuming (q))(check-sat)",
        "unsat\n((not p))\nsat\nsat\n",
    ),
    ("(declare-const x Int)(check-sat-assuming (x))", "(error \"an assumption must be Boolean: x\")\n"),
    // Asking.
    ("(declare-const p Bool)(assert (! p :named a))(assert (or p a))(get-assertions)", "((! p :named a)\n (or p a))\n"),
    ("(get-info :name)(get-info :error-behavior)(get-info :reason-unknown)(get-info :nonsense)", "(:name \"soundline\")\n(:error-behavior continued-execution)\n(error \"the last answer was not unknown\")\nunsupported\n"),
    ("(set-info :source |a b|)(get-info :source)", "(:source |a b|)\n"),
    ("(get-option :produce-models)(set-option :random-seed 7)(get-option :random-seed)(get-option :x)", "true\n7\nunsupported\n"),
    ("(get-proof)(frobnicate (a))(set-option :smt.nonsense 10)", "unsupported\nunsupported\nunsupported\n"),
    ("(set-option :diagnostic-output-channel \"stdout\")(get-option :diagnostic-output-channel)(set-option :diagnostic-output-channel \"/tmp/x\")", "\"stdout\"\nunsupported\n"),
    ("(set-option :regular-output-channel \"stdout\")(set-option :regular-output-channel \"stderr\")(set-option :regular-output-channel 7)", "unsupported\n(error \":regular-output-channel is a string, not 7\")\n"),
    ("(set-option :produce-proofs false)(set-option :produce-proofs true)", "unsupported\n"),
    ("(get-option :timeout)(set-option :timeout 500)(get-option :timeout)(get-option :rlimit)(set-option :reproducible-resource-limit 9)(get-option :rlimit)", "4294967295\n500\n0\n9\n"),
    ("(set-option :verbosity x)", "(error \":verbosity is a number, not x\")\n"),
    ("(set-option :produce-assertions false)(get-assertions)", "(error \"assertions are not kept for asking: (set-option :produce-assertions true) comes first\")\n"),
    // Assignments.
    ("(get-assignment)", "(error \"assignments are not produced: (set-option :produce-assignments true) comes first\")\n"),
    ("(set-option :produce-assignments true)(get-assignment)", "(error \"there is no assignment: the last answer was not sat\")\n"),
    (
        "(set-option :produce-assignments true)(declare-const x Int)(assert (! (or (! (> x 3) :named big) (! (< x 3) :named small)) :named any))
         (assert (= x 1))(assert (= (! (+ x 1) :named two) 2))(check-sat)(get-assignment)",
        "sat\n((big false) (small true) (any true))\n",
    ),
    // What is wrong.
    ("(set-logic QF_BV)(set-logic QF_BV)", "(error \"the logic is set already\")\n"),
    ("(assert true)(set-logic QF_BV)", "(error \"the logic must be set before the first assertion\")\n"),
    ("(assert true)(set-option :produce-unsat-cores true)", "(error \":produce-unsat-cores must be set before the first assertion\")\n"),
    ("(set-option :print-success maybe)", "(error \":print-success is true or false, not maybe\")\n"),
    ("(assert 1)", "(error \"line 1 column 9: expected a term of sort Bool, found one of sort Int\")\n"),
    ("x (check-sat)", "(error \"line 1 column 1: expected a command, starting with `(`, found `x`\")\nsat\n"),
    ("(check-sat", "(error \"line 1 column 11: the text ends inside a command, expected `)`\")\n"),
    // Starting again.
    ("(assert false)(reset)(check-sat)", "sat\n"),
    ("(set-logic QF_BV)(check-sat)(reset)(set-logic QF_LIA)(check-sat)", "sat\nsat\n"),
    ("(declare-const p Bool)(push)(assert false)(reset-assertions)(assert p)(check-sat)", "sat\n"),
    (
        "(declare-const x Int)(reset-assertions)(declare-const x Bool)(assert (not x))(check-sat)(get-model)",
        "sat\n(\n  (define-fun x () Bool false)\n)\n",
    ),
    ("(declare-datatype E ((c (s E))))(declare-const e E)(check-sat)", "(error \"line 1 column 19: `E` has no values: each of its constructors takes one to begin with\")\n(error \"line 1 column 50: unknown sort `E`\")\nunknown\n"),
    // A letter that the standard does not know needs bars.
    ("(declare-const größe Int)(assert (= |größe| 3))(check-sat)(get-value (größe))", "sat\n((|größe| 3))\n"),
    ("(exit)(check-sat)", ""),
    // Nothing decides this, and the reason is told.
    ("(declare-const s String)(assert (= (str.len (str.replace_all s \"a\" \"bb\")) 77))(check-sat)(get-info :reason-unknown)", "unknown\n(:reason-unknown unsupported)\n"),
];

/// The limits that a text sets itself, as z3 names them.
#[test]
fn a_text_limits_its_own_checks() {
    // A product of two 64-bit primes; the time limit is for the one who runs the test.
    let hard = "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))(assert (= (bvmul ((_ zero_extend 64) x) ((_ zero_extend 64) y)) #x7fffffffffffffe77fffffffffffffe7))
        (assert (bvugt x #x0000000000000001))(assert (bvugt y #x0000000000000001))(assert (bvult x y))(check-sat)(get-info :reason-unknown)";
    for (option, reason) in [
        (":timeout 50", "timeout"),
        (":rlimit 20000", "resource-limit"),
        (":reproducible-resource-limit 20000", "resource-limit"),
    ] {
        let reply = answers(&format!("(set-option {option}){hard}"));
        assert_eq!(reply, format!("unknown\n(:reason-unknown {reason})\n"), "{option}");
    }
}

#[test]
fn verbose_checks_tell_who_answered() {
    let mut session = Session::new(SessionSettings::default()).expect("the engine auto");
    let reply = session.submit("(set-option :verbosity 1)(declare-const x Int)(assert (> x 7))(check-sat)");
    assert_eq!(reply.text, "sat\n");
    assert!(reply.diagnostics.starts_with("; check 1: sat by "), "{}", reply.diagnostics);
    let reply = session.submit("(set-option :diagnostic-output-channel \"stdout\")(check-sat)");
    assert!(reply.diagnostics.is_empty() && reply.text.starts_with("; check 2: sat by "), "{}", reply.text);
}

/// What a level leaves behind is given back, and answers stay right: terms that take the ids of others are others.
#[test]
fn a_long_session_does_not_grow() {
    let mut session = Session::new(SessionSettings::default()).expect("the engine auto");
    session.submit("(declare-const x (_ BitVec 32))(declare-const y Int)(assert (bvult x #x00010000))");
    let mut largest = 0;
    for round in 0..60u32 {
        session.submit("(push 1)");
        let mut text = String::new();
        for i in 0..500 {
            text.push_str(&format!("(assert (distinct (bvadd x #x{:08x}) #x{i:08x}))", round * 1000 + i));
        }
        session.submit(&text);
        session.submit(&format!(
            "(assert (= y {round}))(assert (= (bvand x #x000000ff) #x{:08x}))",
            round % 256
        ));
        assert_eq!(session.submit("(check-sat)").text, "sat\n");
        assert_eq!(session.submit("(get-value (y))").text, format!("((y {round}))\n"));
        assert_eq!(session.submit("(assert (bvugt x #x00010000))(check-sat)").text, "unsat\n");
        session.submit("(pop 1)");
        largest = largest.max(session.terms().len());
    }
    assert!(largest < 40_000, "{largest} terms");
    assert_eq!(
        session.submit("(assert (= x #x00000007))(check-sat)(get-value (x))").text,
        "sat\n((x #x00000007))\n"
    );
    let checks = session.statistics().into_iter().find(|(name, _)| *name == "checks");
    assert_eq!(checks, Some(("checks", 121)));
}

/// Preparation and encoding keep to the limits too: pairs of `distinct`, definitions that double, recursion in evaluation.
#[test]
fn limits_hold_before_and_after_the_search() {
    use std::fmt::Write;
    let names: Vec<String> = (0..3_000).map(|i| format!("x{i}")).collect();
    let mut distinct =
        names.iter().fold(String::new(), |text, name| text + "(declare-const " + name + " Int)");
    write!(distinct, "(assert (distinct {}))(check-sat)", names.join(" ")).unwrap();
    let mut doubling = String::from("(declare-fun g (Int Int) Int)(define-fun f0 ((x Int)) Int (g x 1))");
    for i in 1..=60 {
        write!(doubling, "(define-fun f{i} ((x Int)) Int (f{} (f{} x)))", i - 1, i - 1).unwrap();
    }
    doubling.push_str("(declare-const a Int)(assert (= (f60 a) 0))(check-sat)");
    let recursive = "(define-fun-rec fib ((n Int)) Int (ite (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
        (declare-const a Int)(assert (= (fib (+ 100 (* 0 a))) 0))(check-sat)";
    for text in [distinct.as_str(), doubling.as_str(), recursive] {
        let settings = SessionSettings {
            time_limit: Some(std::time::Duration::from_secs(1)),
            memory: 256 << 20,
            ..SessionSettings::default()
        };
        let start = std::time::Instant::now();
        let reply = Session::new(settings).expect("an engine").submit(text);
        assert_eq!((reply.text.as_str(), reply.errors), ("unknown\n", 0), "{text:.60}");
        assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}: {text:.60}", start.elapsed());
    }
}

/// After a rejected command that says what is asserted, neither `sat` nor `unsat` answers the question that was meant.
#[test]
fn nothing_is_answered_about_assertions_that_were_rejected() {
    let rows = [
        ("(declare-const x Int)(assert (> x 0 y))(assert (< x 5))(check-sat)", "unknown"),
        ("(declare-const x Int)(assert (= x true))(assert (distinct x x))(check-sat)", "unknown"),
        // The error is the declaration's; the assertion is lost without one.
        ("(declare-const x Itn)(assert (> x 0))(check-sat)", "unknown"),
        // A definition that hides an operator.
        (
            "(declare-const x Int)(define-fun abs ((a Int)) Int (+ a true))(assert (= (abs x) 3))(check-sat)",
            "unknown",
        ),
        ("(declare-const x Int)(push 1)(assert (> x y))(check-sat)(pop 1)(check-sat)", "unknown sat"),
        ("(declare-const x Int)(assert (> x y))(push 1)(check-sat)(pop 1)(check-sat)", "unknown unknown"),
        ("(declare-const x Int)(assert (> x y))(reset-assertions)(check-sat)", "sat"),
        (
            "(declare-const x Int)(assert (> x y))(reset)(declare-const x Int)(assert (> x 1))(check-sat)",
            "sat",
        ),
        ("(declare-const x Int)(push 1)(pop 7)(check-sat)", "unknown"),
        ("(declare-const x Int)(assert (> x 1))(get-value (y))(set-info)(check-sat)", "sat"),
    ];
    for (text, wanted) in rows {
        // At once, and command by command as a client sends them.
        for whole in [true, false] {
            let mut session = Session::new(SessionSettings::default()).expect("an engine");
            let mut answers = Vec::new();
            let mut errors = 0;
            let mut splitter = smt::lexer::CommandSplitter::default();
            let parts: Vec<&str> = if whole {
                vec![text]
            } else {
                std::iter::from_fn(|| splitter.next(text.as_bytes())).map(|range| &text[range]).collect()
            };
            for part in parts {
                let reply = session.submit(part);
                errors += reply.errors;
                answers.extend(reply.checks.iter().map(|check| check.answer.word()));
            }
            assert_eq!(answers.join(" "), wanted, "{text}");
            assert!(errors > 0, "{text}");
            if wanted.ends_with("unknown") {
                let reply = session.submit("(get-info :reason-unknown)");
                assert_eq!(reply.text, "(:reason-unknown rejected-command)\n");
            }
        }
    }
}

#[test]
fn texts_and_their_answers() {
    for (text, expected) in TABLE {
        assert_eq!(answers(text), *expected, "{text}");
    }
}

#[test]
fn lines_are_counted_across_texts() {
    let mut session = Session::new(SessionSettings::default()).expect("the engine auto");
    assert_eq!(
        session.submit("(set-logic ALL)\n\n(declare-const x Foo)").text,
        "(error \"line 3 column 18: unknown sort `Foo`\")\n"
    );
    let reply = session.submit("\n (assert (> x 0))");
    assert_eq!(
        reply.text,
        "(error \"line 4 column 17: the command uses a symbol whose declaration had an error\")\n"
    );
    assert_eq!(reply.errors, 1);
    assert_eq!(session.submit("\n(check-sat)").text, "unknown\n");
}

/// Where a model says what `fp.min` and `fp.max` make of zeros, its text does so too, and only there.
#[test]
fn a_choice_of_zeros_is_part_of_the_text() {
    let zeros = "(declare-const x Float32)(declare-const y Float32)
        (assert (and (fp.isZero x) (fp.isZero y) (distinct x y)))";
    let open = format!("{zeros}(assert (distinct (fp.min x y) (fp.min y x)))");
    let fixed = format!("{zeros}(assert (fp.isZero x))(assert (fp.eq (fp.add RNE x y) y))");
    for (text, relies) in [(open, true), (fixed, false)] {
        let printed = answers(&format!("{text}(check-sat)(get-model)"));
        assert_eq!(printed.contains("@fp.min"), relies, "{printed}");
        let mut terms = Terms::new();
        let mut reader = Reader::new();
        let script = reader.read(&mut terms, &text).script;
        let model = read_model(&mut terms, &reader, &printed).expect("a model");
        let conjuncts: Vec<_> = script.assertions().collect();
        assert!(satisfies(&terms, &model, &conjuncts), "{printed}");
    }
}

#[test]
fn engines_must_exist() {
    assert!(
        Session::new(SessionSettings { engine: "no-such".into(), ..SessionSettings::default() }).is_none()
    );
}

#[test]
fn a_flag_ends_a_check_before_it_begins() {
    let settings = SessionSettings::default();
    settings.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut session = Session::new(settings).expect("the engine auto");
    let text = "(declare-const x Int)(assert (= (* x x) 16))(check-sat)(get-info :reason-unknown)";
    assert_eq!(session.submit(text).text, "unknown\n(:reason-unknown interrupted)\n");
}
