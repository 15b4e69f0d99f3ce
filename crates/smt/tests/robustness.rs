//! Hostile input: an answer or a clear error, in bounded time and memory, without a panic or a stack overflow. Tests run
//! on threads with small stacks, so that recursion on the input shows.

use proptest::prelude::*;
use smt::print::{Style, script_to_string, term_to_string};
use smt::{ErrorKind, Evaluator, Model, Reading, Terms, Value, read_bytes, read_script};

/// Reads a text on a thread with a stack of 512 KiB.
fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap()
}

fn errors(text: &str) -> Vec<String> {
    let mut terms = Terms::new();
    read_script(&mut terms, text).errors.iter().map(|e| e.kind.to_string()).collect()
}

#[test]
fn a_million_open_parentheses() {
    on_small_stack(|| {
        let mut terms = Terms::new();
        let text = "(".repeat(1_000_000);
        // No command starts with two parentheses, and the text ends inside it.
        assert_eq!(read_script(&mut terms, &text).errors.len(), 2);
        let text = format!("(assert {}", "(not ".repeat(1_000_000));
        let Reading { errors, .. } = read_script(&mut terms, &text);
        assert!(matches!(errors[..], [ref e] if matches!(e.kind, ErrorKind::Truncated { .. })), "{errors:?}");
    });
}

#[test]
fn a_million_nested_applications_are_read_printed_and_evaluated() {
    on_small_stack(|| {
        let depth = 1_000_000;
        let text = format!("(assert {}true{})", "(not ".repeat(depth), ")".repeat(depth));
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        assert!(reading.errors.is_empty());
        assert_eq!(script_to_string(&terms, &reading.script, Style::default()).trim_end(), text);
        let term = reading.script.assertions().next().unwrap();
        assert_eq!(Evaluator::new(&terms, &Model::default()).eval(term), Ok(Value::Bool(true)));
    });
}

#[test]
fn a_dag_of_depth_a_million_written_with_let() {
    on_small_stack(|| {
        let depth = 1_000_000;
        let mut text = String::from("(declare-const x Int)(assert (= x ");
        text.push_str("(let ((v0 (+ x 1))) ");
        for i in 1..depth {
            text.push_str(&format!("(let ((v{i} (+ v{} v{}))) ", i - 1, i - 1));
        }
        text.push_str(&format!("v{}", depth - 1));
        text.push_str(&")".repeat(depth + 2));
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        assert!(reading.errors.is_empty());
        let printed = script_to_string(&terms, &reading.script, Style::default());
        assert!(
            printed.len() < 4 * text.len(),
            "printing is linear: {} against {}",
            printed.len(),
            text.len()
        );
        let again = read_script(&mut terms, &printed);
        assert_eq!(again.script.commands, reading.script.commands);
    });
}

#[test]
fn a_hundred_megabytes_in_one_literal() {
    let big = 100 << 20;
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, &format!("(assert (= (str.len \"{}\") {big}))", "a".repeat(big)));
    assert!(reading.errors.is_empty());
    let term = reading.script.assertions().next().unwrap();
    assert_eq!(Evaluator::new(&terms, &Model::default()).eval(term), Ok(Value::Bool(true)));
    drop(terms);
    assert_eq!(
        errors(&format!("(assert (= 0 {}))", "7".repeat(big))),
        [format!("this number has {big} digits, more than 1000000")]
    );
    assert!(
        errors(&format!("(assert (= #b0 #b{}))", "1".repeat(1 << 20)))[0].contains("should be (_ BitVec 1)")
    );
    assert!(errors(&format!("(assert (= 0 {}", "x".repeat(big)))[0].len() < 100);
}

#[test]
fn truncated_files_end_in_an_error_at_every_byte() {
    let text = "(set-logic ALL)(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))\
        (define-fun f ((x Int)) Int (ite (> x 0) (- x) (let ((y (* x x))) (+ y 1))))\
        (assert (! (forall ((s String)) (match (as nil (L Int)) ((nil true) ((cons h t) (= h ((_ extract 3 0) #xff)))))) :named |a b|))";
    for end in 0..text.len() {
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text[..end]);
        let complete = text[..end].ends_with(')') && reading.errors.is_empty();
        assert!(complete || end == 0 || !reading.errors.is_empty(), "{}", &text[..end]);
    }
}

#[test]
fn odd_bytes_are_errors_with_a_place() {
    let mut terms = Terms::new();
    let reading = read_bytes(&mut terms, b"(assert true)\n(assert \0)");
    assert_eq!(reading.errors[0].kind, ErrorKind::Character('\0'));
    assert_eq!(reading.script.commands.len(), 1);
    let reading = read_bytes(&mut terms, b"(assert \xff)");
    assert_eq!((&reading.errors[0].kind, reading.errors[0].span.start), (&ErrorKind::Encoding, 8));
}

#[test]
fn huge_sorts_widths_and_counts_are_refused() {
    let deep = format!("(declare-const x {}Int{})", "(Array Int ".repeat(100_000), ")".repeat(100_000));
    on_small_stack(move || assert!(errors(&deep)[0].contains("too large")));
    let mut doubling = String::from("(define-sort A0 () (Array Int Int))");
    for i in 1..64 {
        doubling.push_str(&format!("(define-sort A{i} () (Array A{0} A{0}))", i - 1));
    }
    assert!(errors(&doubling)[0].contains("too large"));
    assert!(errors("(declare-const x (_ BitVec 4000000000))")[0].contains("bits"));
    assert!(errors("(assert (= ((_ repeat 4000000000) #b1) #b1))")[0].contains("bits"));
    assert!(errors("(push 4000000000)")[0].contains("levels"));
    let open: String = (0..100_000).map(|i| format!("(forall ((x{i} Int)) ")).collect();
    let binders = format!("(assert {open}true{})", ")".repeat(100_000));
    on_small_stack(move || assert!(errors(&binders)[0].contains("nested")));
}

#[test]
fn evaluation_is_bounded() {
    let undefined = |text: &str| {
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, text);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let term = reading.script.assertions().next().unwrap();
        Evaluator::new(&terms, &Model::default()).eval(term).unwrap_err().to_string()
    };
    assert!(undefined("(define-fun-rec f ((x Int)) Int (f (+ x 1))) (assert (= 0 (f 0)))").contains("deep"));
    let mut squares = String::from("(assert (let ((v0 12345678901234567890)) ");
    for i in 1..64 {
        squares.push_str(&format!("(let ((v{i} (* v{0} v{0}))) ", i - 1));
    }
    assert!(undefined(&format!("{squares}(= v63 0){}", ")".repeat(65))).contains("too large"));
    let mut doubling = String::from("(assert (let ((v0 \"0123456789\")) ");
    for i in 1..64 {
        doubling.push_str(&format!("(let ((v{i} (str.++ v{0} v{0}))) ", i - 1));
    }
    assert!(undefined(&format!("{doubling}(= v63 \"\"){}", ")".repeat(65))).contains("too large"));
}

#[test]
fn errors_do_not_stop_the_reading() {
    let mut terms = Terms::new();
    let text = "(declare-fun x () Nowhere)\n(assert (> x 0))\n(assert (+ 1))\n(declare-const y Int)\n(assert (= y 1))\n(assert (z))";
    let reading = read_script(&mut terms, text);
    let messages: Vec<String> = reading.errors.iter().map(|e| e.kind.to_string()).collect();
    // The use of `x` is not worth a message of its own: its declaration has one.
    assert_eq!(
        messages,
        [
            "unknown sort `Nowhere`",
            "expected a term of sort Bool, found one of sort Int",
            "unknown function `z`"
        ]
    );
    assert_eq!(reading.script.commands.len(), 2);
    assert_eq!(term_to_string(&terms, reading.script.assertions().next().unwrap()), "(= y 1)");
}

/// Pieces of scripts, so that random texts get past the first token.
fn pieces() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("(".to_string()),
        Just(")".to_string()),
        prop::sample::select(vec![
            "assert",
            "declare-fun",
            "declare-const",
            "define-fun",
            "define-fun-rec",
            "declare-datatypes",
            "push",
            "pop",
            "let",
            "forall",
            "exists",
            "match",
            "lambda",
            "!",
            "_",
            "as",
            "par",
            ":named",
            ":pattern",
            "x",
            "y",
            "Int",
            "Bool",
            "String",
            "RegLan",
            "Array",
            "BitVec",
            "const",
            "extract",
            "+",
            "-",
            "=",
            "and",
            "not",
            "ite",
            "select",
            "store",
            "str.++",
            "re.*",
            "re.loop",
            "fp",
            "to_fp",
            "bv5",
            "is",
            "update",
            "0",
            "1",
            "2.5",
            "#b01",
            "#xff",
            "\"s\"",
            "|q|",
            "((x Int))",
            "()",
        ])
        .prop_map(str::to_string),
        "[ -~]{0,3}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(token, 0..60).prop_map(|list| list.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever the text: no panic, and what was read is printed and read back.
    #[test]
    fn any_text_is_read_or_refused(text in pieces()) {
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        for error in &reading.errors {
            error.render("text", &text);
        }
        let printed = script_to_string(&terms, &reading.script, Style::default());
        let again = read_script(&mut terms, &printed);
        prop_assert!(again.errors.is_empty() || !reading.errors.is_empty(), "{printed}\n{:?}", again.errors);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut terms = Terms::new();
        read_bytes(&mut terms, &bytes);
    }
}

#[test]
fn a_chain_of_writes_to_an_array_is_evaluated_without_a_copy_for_each() {
    let count = 100_000;
    let mut text = String::from("(define-fun a0 () (Array Int Int) ((as const (Array Int Int)) 0))");
    let chain = |from: &str, range: std::ops::Range<u32>| {
        let mut chain = "(store ".repeat(range.len()) + from;
        range.for_each(|i| chain.push_str(&format!(" {i} {})", i * 7 + 1)));
        chain
    };
    let half = chain("a0", 0..count / 2);
    let whole = chain("half", count / 2..count);
    // The array in the middle is asked for before it is written to, and after.
    text.push_str(&format!("(assert (let ((half {half})) (let ((whole {whole})) (and"));
    text.push_str("(= (select half 49999) 349994)(= (select whole 99999) 699994)");
    text.push_str("(= (select half 50000) 0)(= (select whole 50000) 350001)))))");
    on_small_stack(move || {
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let term = reading.script.assertions().next().unwrap();
        assert_eq!(Evaluator::new(&terms, &Model::default()).eval(term), Ok(Value::Bool(true)));
    });
}

/// The reader looked at a keyword behind a constructor's name for ever. Found by `mutations`.
#[test]
fn a_keyword_in_a_tester_is_an_error() {
    let mut terms = Terms::new();
    let text = "(declare-datatypes ((T 0)) (((c))))(declare-const x T)(assert ((_ is (c :a b)) x))";
    let reading = read_script(&mut terms, text);
    assert_eq!(reading.errors.len(), 1, "{:?}", reading.errors);
    assert!(reading.errors[0].to_string().contains("a sort"), "{}", reading.errors[0]);
}

#[test]
fn a_datatype_has_values() {
    let refused = [
        "(declare-datatype E ((c (s E))))",
        "(declare-datatypes ((A 0) (B 0)) (((a (x B))) ((b (y A)))))",
        "(declare-datatypes ((A 0) (B 0)) (((a)) ((b (y B)) (b2 (z A) (w B)))))",
        "(declare-datatype E ((c (s (Array Int E)))))",
        "(declare-datatypes ((T 1)) ((par (X) ((node (left (T X)) (right (T X)))))))",
        "(declare-datatypes () ((E (c (s E)))))",
    ];
    for text in refused {
        // The second time the datatype is in the arena.
        let twice = errors(&format!("{text}{text}(declare-const e E)"));
        assert!(
            twice[0].contains("has no values") && twice[1].contains("has no values"),
            "{text}: {twice:?}"
        );
    }
    let chain: String = (0..2_000).map(|i| format!("((c{i} (s{i} D{})))", i + 1)).collect();
    let names: String = (0..=2_000).map(|i| format!("(D{i} 0)")).collect();
    for text in [
        "(declare-datatype L ((cons (h Int) (t L)) (nil)))",
        "(declare-datatype T ((node (s (Seq T)))))",
        "(declare-datatypes ((A 0) (B 0)) (((a (x B))) ((b (y A)) (stop))))",
        "(declare-datatype Box (par (X) ((box (it X)))))",
        &format!("(declare-datatypes ({names}) ({chain}((end))))"),
    ] {
        assert!(errors(text).is_empty(), "{text:.200}: {:?}", errors(text));
    }
}

#[test]
fn what_reset_assertions_leaves_may_be_used_or_declared_anew() {
    let before = "(declare-const x Int)(declare-sort U 0)(declare-datatype E ((e)))(assert (! (> x 0) :named n))(push)(declare-const y U)";
    for (after, wanted) in [
        ("(assert (> x 0))(declare-const z U)", None),
        (
            "(declare-const x Bool)(assert x)(declare-sort U 1)(declare-datatype E ((f)))(assert (! x :named n))(declare-const y Int)",
            None,
        ),
        ("(declare-const x Bool)(declare-const x Bool)", Some("`x` is declared already")),
        ("(define-sort U () Int)(define-sort U () Int)", Some("`U` is declared already")),
        ("(assert (= y y))", Some("unknown symbol `y`")),
    ] {
        assert_eq!(
            errors(&format!("{before}(reset-assertions){after}")).first().map(String::as_str),
            wanted,
            "{after}"
        );
        let kept = errors(&format!(
            "(set-option :global-declarations true){before}(reset-assertions)(declare-const x Bool)"
        ));
        assert_eq!(kept, ["`x` is declared already"]);
    }
}
