//! Answers as real solvers print them: Z3 4.8.0 to 5.4, cvc5 1.0.3 and 1.4.2, CVC4 1.8.

use super::*;
use std::time::Duration;

fn ended(stdout: &str, stderr: &str, end: End) -> Answer {
    read(&Run {
        stdout: stdout.into(),
        stderr: stderr.into(),
        end,
        cpu: Duration::ZERO,
        wall: Duration::ZERO,
        memory: 0,
    })
}

fn said(stdout: &str) -> Answer {
    ended(stdout, "", End::Exited(0))
}

#[test]
fn what_follows_a_verdict_belongs_to_it() {
    let answer = said(
        "success\nsat\n(\n  (define-fun x () String\n    \"sat )\")\n)\n((x \"a\") (y 2))\n((z 3))\nunsat\n(a1 |a 2|)\nunknown\n\
         (:reason-unknown \"(incomplete strings)\")\n(:time 0.01 :memory 3)\n",
    );
    assert_eq!(answer.trouble, None);
    let [sat, unsat, unknown] = &answer.replies[..] else { panic!("{answer:?}") };
    assert_eq!(sat.verdict, Verdict::Sat);
    assert_eq!(sat.model.as_deref(), Some("(\n  (define-fun x () String\n    \"sat )\")\n)"));
    assert_eq!(sat.values.as_deref(), Some("((x \"a\") (y 2))\n((z 3))"));
    assert_eq!(sat.core, None);
    assert_eq!(unsat.verdict, Verdict::Unsat);
    assert_eq!(unsat.core, Some(vec!["a1".into(), "|a 2|".into()]));
    assert_eq!((unsat.model.clone(), unsat.values.clone()), (None, None));
    assert_eq!(unknown.verdict, Verdict::Unknown);
    assert_eq!(unknown.reason_unknown.as_deref(), Some("(incomplete strings)"));
}

#[test]
fn empty_lists_are_models_or_cores() {
    let answer = said("sat\n(\n)\nunsat\n()\nsat\n(model\n)\nunsat\n((not p) q)\n");
    assert_eq!(answer.replies[0].model.as_deref(), Some("(\n)"));
    assert_eq!(answer.replies[1].core, Some(vec![]));
    assert_eq!(answer.replies[2].model.as_deref(), Some("(model\n)"));
    assert_eq!(answer.replies[3].core, Some(vec!["(not p)".into(), "q".into()]));
}

#[test]
fn a_model_with_a_universe_is_a_model() {
    let z3 = "sat\n(\n  ;; universe for U:\n  ;;   U!val!0 \n  ;; -----------\n  ;; definitions for universe elements:\n  \
              (declare-fun U!val!0 () U)\n  ;; cardinality constraint:\n  (forall ((x U)) (= x U!val!0))\n  ;; -----------\n)\n";
    assert!(said(z3).replies[0].model.is_some());
}

/// Messages as printed on standard output, and what they are.
#[test]
fn complaints_are_told_apart() {
    use Trouble::*;
    type Is = fn(&Trouble) -> bool;
    let table: &[(&str, Is)] = &[
        // Z3
        ("(error \"line 3 column 18: unknown constant str.foo (String) \")", |t| matches!(t, Parse(_))),
        ("(error \"line 3 column 18: unknown constant str.is_digit (String) \")", |t| {
            matches!(t, Unsupported(_))
        }),
        ("(error \"line 3 column 17: Sorts Int and Bool are incompatible\")", |t| matches!(t, Parse(_))),
        ("(error \"line 2 column 21: invalid command, '(' expected\")", |t| matches!(t, Parse(_))),
        ("(error \"line 2 column 17: Invalid constant declaration: unknown sort 'Int'\")", |t| {
            matches!(t, Unsupported(_))
        }),
        ("unsupported", |t| matches!(t, Unsupported(_))),
        ("(error \"out of memory\")", |t| *t == OutOfMemory),
        ("timeout", |t| *t == Timeout),
        (
            "(error \"line 1 column 18: unknown parameter 'foo'\nLegal parameters are:\n  auto_config (bool)\")",
            |t| matches!(t, Unsupported(_)),
        ),
        (
            "(error \"line 4 column 15: unsat core construction is not enabled, use command (set-option :produce-unsat-cores true)\")",
            |t| matches!(t, Unsupported(_)),
        ),
        ("(error \"line 9 column 10: Overflow encountered when expanding old_vector\")", |t| {
            matches!(t, Error(_))
        }),
        (
            "ASSERTION VIOLATION\nFile: ../src/smt/theory_seq.cpp\nLine: 1234\nm.is_true(e)\n",
            |t| matches!(t, Assertion(text) if text.contains("theory_seq.cpp") && text.contains("1234")),
        ),
        // bitwuzla
        ("(error \"<string>:3:19: invalid sort 'String'\")", |t| matches!(t, Unsupported(_))),
        ("(error \"<string>:1:2: expected command at 'foo'\")", |t| matches!(t, Parse(_))),
        // cvc5, CVC4
        (
            "(error \"Parse Error: <stdin>:2.19: Symbol 'str.foo' not declared as a variable\n\n  (assert (str.foo x))\n           ^\n\")",
            |t| matches!(t, Parse(text) if !text.contains("assert")),
        ),
        (
            "(error \"Parse Error: <stdin>:1.20: Symbol 'Int' not declared as a type\n\n  (declare-const x Int)\n\")",
            |t| matches!(t, Unsupported(_)),
        ),
        (
            "(error \"Parse Error: <stdin>:1.12: Symbol y is not declared.\n\n  (assert (f y))\n             ^\n\")",
            |t| matches!(t, Parse(_)),
        ),
        (
            "(error \"Parse Error: <stdin>:2.18: Subexpressions must have the same type:\n\n  (assert (= x true))\n\")",
            |t| matches!(t, Parse(_)),
        ),
        ("(error \"Cannot get unsat core unless explicitly enabled (try --produce-unsat-cores)\")", |t| {
            matches!(t, Unsupported(_))
        }),
    ];
    for (message, is) in table {
        let trouble =
            said(&format!("{message}\n")).trouble.unwrap_or_else(|| panic!("{message}: no trouble"));
        assert!(is(&trouble), "{message}: {trouble:?}");
    }
}

#[test]
fn what_the_verdict_makes_void_is_no_complaint() {
    for message in [
        "(error \"line 4 column 10: model is not available\")",
        "(error \"line 5 column 15: unsat core is not available\")",
        "(error \"Cannot get model unless after a SAT or UNKNOWN response.\")",
        "(error \"Cannot get value unless after a SAT or UNKNOWN response.\")",
        "(error \"Cannot get unsat core unless in unsat mode.\")",
        "(error \"Cannot get model unless immediately preceded by SAT/NOT_ENTAILED or UNKNOWN response.\")",
    ] {
        let answer = ended(&format!("unsat\n{message}\n"), "", End::Exited(1));
        assert_eq!(answer.trouble, None, "{message}");
        assert_eq!(answer.replies.len(), 1);
    }
}

#[test]
fn deaths_are_told_apart() {
    use Trouble::*;
    let cvc5 = "Fatal failure within void cvc5::internal::theory::Foo::bar() at ../src/theory/foo.cpp:12\nCheck failure\n\n x > 0\n\n";
    assert!(
        matches!(ended("", cvc5, End::Signalled(6)).trouble, Some(Assertion(text)) if text.contains("foo.cpp:12"))
    );
    let libc = "boolector: src/core.c:77: check: Assertion `a != b' failed.\n";
    assert!(
        matches!(ended("", libc, End::Signalled(6)).trouble, Some(Assertion(text)) if text.contains("core.c:77"))
    );
    let memory =
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n";
    assert_eq!(ended("", memory, End::Signalled(6)).trouble, Some(OutOfMemory));
    let thrown = "terminate called after throwing an instance of 'z3_exception'\n";
    assert!(matches!(ended("", thrown, End::Signalled(6)).trouble, Some(Assertion(_))));
    let asan = "=================================================================\n==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n";
    assert!(matches!(ended("sat\n", asan, End::Exited(1)).trouble, Some(Sanitizer(_))));
    let ubsan = "../src/util/mpz.cpp:120:8: runtime error: signed integer overflow\n";
    assert!(matches!(ended("sat\n", ubsan, End::Exited(0)).trouble, Some(Sanitizer(_))));
    assert_eq!(ended("sat\n", "", End::Signalled(11)).trouble, Some(Signal(11)));
    assert_eq!(ended("", "Segmentation fault\n", End::Exited(139)).trouble, Some(Signal(11)));
    assert_eq!(ended("", "", End::Exited(0)).trouble, Some(Silent));
    assert_eq!(ended("", "", End::Exited(3)).trouble, Some(Error("exit code 3".into())));
    assert_eq!(ended("", "cvc5 interrupted by timeout.\n", End::Exited(134)).trouble, Some(Signal(6)));
    assert_eq!(ended("", "", End::CpuLimit).trouble, Some(Timeout));
    assert_eq!(ended("", "", End::WallLimit).trouble, Some(Timeout));
    assert_eq!(ended("sat\n", "", End::MemoryLimit).trouble, Some(OutOfMemory));
    assert_eq!(ended("sat\n", "", End::OutputLimit).trouble, Some(Flood));
    assert_eq!(ended("sat\n", "", End::Stopped).trouble, Some(Stopped));
}

#[test]
fn warnings_are_no_trouble() {
    let warning =
        "WARNING: optimization with quantified constraints is not supported\n; foo line: 19 position: 4\n";
    assert_eq!(ended("sat\n", warning, End::Exited(0)).trouble, None);
}

#[test]
fn quotes_inside_a_message_do_not_hide_what_follows() {
    let answer = said("(error \"line 3 column 5: unknown constant \"x\" (y \")\nsat\n");
    assert!(matches!(answer.trouble, Some(Trouble::Parse(_))));
    assert_eq!(answer.replies.len(), 1);
    assert_eq!(said("sat\n(model (define-fun x () Int 1)").replies[0].model, None);
}

#[test]
fn an_unknown_logic_is_no_refusal() {
    let told = "; ignoring unsupported logic AUFDTLIA line: 1 position: 1\n";
    assert_eq!(ended("unsupported\nsat\n", told, End::Exited(0)).trouble, None);
    assert!(matches!(said("unsupported\nsat\n").trouble, Some(Trouble::Unsupported(_))));
}

/// Z3 5.4.0 refuses a `push` with a simplifier that cannot go on, answers what is left and then dies.
#[test]
fn a_crash_does_not_hide_a_refusal() {
    let refused =
        "(error \"line 5 column 7: not handled by bvarray2uf\")\nsat\n((define-fun a () Bool false))\n";
    let answer = ended(refused, "", End::Signalled(11));
    assert_eq!((answer.replies.len(), answer.trouble), (0, Some(Trouble::Signal(11))));
    let answer = ended("sat\n((define-fun a () Bool false))\n", "", End::Signalled(11));
    assert_eq!(answer.replies.len(), 1);
}

/// With `sat.smt`, Z3 5.0.0 says that it does not handle strings, and calls the rest of the formula satisfiable.
#[test]
fn what_a_solver_leaves_open_is_a_refusal() {
    let stderr = "(declare-fun str.len (String) Int) not handled\n(declare-fun s () String) not handled\n";
    let answer = ended("sat\n", stderr, End::Exited(0));
    let message = "(declare-fun str.len (String) Int) not handled";
    assert_eq!(answer.trouble, Some(Trouble::Unsupported(message.into())));
    // A crash behind it is still one, but what was answered before it is not judged.
    let answer = ended("sat\n", stderr, End::Signalled(11));
    assert_eq!((answer.trouble, answer.replies.len()), (Some(Trouble::Signal(11)), 0));
    assert_eq!(ended("sat\n", "WARNING: x is not handled well\n", End::Exited(0)).trouble, None);
}
