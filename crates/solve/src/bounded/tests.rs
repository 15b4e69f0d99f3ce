//! The encodings against the evaluator, and answers by hand.

use super::Bounded;
use crate::engine::{Budget, Engine, NoPartials, Partial, Query, Verdict};
use crate::prepare::Preparation;
use random::Rng;
use smt::print::value_to_string;
use smt::{Evaluator, Model, SmtString, Terms, Value, read_script};

fn solve(engine: &mut dyn Engine, text: &str) -> (Verdict, Terms, Query) {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, text);
    assert!(reading.errors.is_empty(), "{:?}: {text}", reading.errors);
    let assertions: Vec<_> = reading.script.assertions().collect();
    let query = Preparation::default().prepare(&mut terms, &assertions).query;
    let verdict =
        engine.solve(&mut terms, &query, &mut Budget::unlimited().slice(30_000_000), &mut NoPartials);
    (verdict, terms, query)
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat(_) => "unsat",
        Verdict::Unknown(_) => "unknown",
    }
}

/// Terms over two strings and two integers, with every operator that is encoded.
static TEMPLATES: &[&str] = &[
    "(str.++ x y \"b\" x)",
    "(str.len (str.++ x y))",
    "(str.at x i)",
    "(str.substr x i j)",
    "(str.substr (str.++ y x) i 2)",
    "(str.prefixof x y)",
    "(str.prefixof \"a\" y)",
    "(str.suffixof x y)",
    "(str.suffixof \"1\" y)",
    "(str.contains x y)",
    "(str.contains (str.++ x y) \"1a\")",
    "(str.indexof x y i)",
    "(str.indexof (str.++ x y) \"a\" i)",
    "(str.replace x y \"bb\")",
    "(str.replace (str.++ x y) \"ab\" x)",
    "(str.< x y)",
    "(str.<= x y)",
    "(str.to_code x)",
    "(str.from_code i)",
    "(str.from_code (+ 95 i))",
    "(str.is_digit x)",
    "(str.to_int x)",
    "(str.to_int (str.++ \"1\" x))",
    "(str.from_int i)",
    "(str.from_int (* i j 37))",
    "(str.rev x)",
    "(str.to_upper x)",
    "(str.to_lower (str.++ x \"AZ\"))",
    "(ite (str.< x y) x (str.at y 0))",
    "(= x y (str.++ \"\" x))",
    "(distinct x y \"a\")",
    "(str.in_re x (re.* (re.union (str.to_re \"a\") (str.to_re \"bb\"))))",
    "(str.in_re x (re.++ (re.opt (str.to_re \"a\")) re.all (re.range \"0\" \"9\")))",
    "(str.in_re x (re.comp (re.++ re.allchar (re.+ (str.to_re \"a\")))))",
    "(str.in_re (str.++ x y) (re.inter (re.* re.allchar) (re.++ re.all (str.to_re \"b\") re.all)))",
    "(str.in_re x (re.++ (re.comp (str.to_re \"a\")) (str.to_re \"b\")))",
    "(str.in_re x (re.diff re.all ((_ re.loop 1 2) (re.range \"a\" \"b\"))))",
    "(str.in_re x ((_ re.^ 2) (re.union (str.to_re \"\") (re.range \"a\" \"z\"))))",
    "(str.in_re x (re.union re.none (re.range \"b\" \"a\") (re.range \"ab\" \"c\")))",
    "(+ (* i j) (- i) (abs j))",
    "(div (* 7 i) 3)",
    "(mod (- i 9) 4)",
    "(< i j (+ i 3))",
    "((_ divisible 3) (* i j))",
];

/// A value of a term is the only one: to be equal to it has a model, to differ from it has none.
#[test]
fn encodings_agree_with_the_evaluator() {
    let mut rng = Rng::new(17);
    let text = |rng: &mut Rng| {
        let chars = ["a", "b", "1", "a", "\\u{0}"];
        (0..rng.below(4)).map(|_| chars[rng.below(chars.len())]).collect::<String>()
    };
    let number = |n: i64| if n < 0 { format!("(- {})", -n) } else { n.to_string() };
    for round in 0..3 {
        for template in TEMPLATES {
            let (x, y) = (text(&mut rng), text(&mut rng));
            let (i, j) = (number(rng.between(-2, 4)), number(rng.between(-2, 4)));
            let declared =
                "(declare-const x String)(declare-const y String)(declare-const i Int)(declare-const j Int)";
            let bound =
                format!("(assert (= x \"{x}\"))(assert (= y \"{y}\"))(assert (= i {i}))(assert (= j {j}))");
            let ground = format!(
                "(define-fun x () String \"{x}\")(define-fun y () String \"{y}\")(define-fun i () Int {i})(define-fun j () Int {j})(assert (= {template} {template}))"
            );
            let mut terms = Terms::new();
            let reading = read_script(&mut terms, &ground);
            assert!(reading.errors.is_empty(), "{:?}: {ground}", reading.errors);
            let all: Vec<_> = reading.script.assertions().collect();
            let whole = terms.unfold(&all)[0];
            let term = terms.args(whole)[0];
            let value = Evaluator::new(&terms, &Model::default()).eval(term).expect("a value");
            let value = value_to_string(&terms, &value);
            for (relation, expected) in [("=", "sat"), ("distinct", "unsat")] {
                let script = format!("{declared}{bound}(assert ({relation} {template} {value}))");
                let (verdict, ..) = solve(&mut Bounded::new("strings", 0), &script);
                assert_eq!(word(&verdict), expected, "round {round}: {script}");
            }
        }
    }
}

/// Literals over two strings and an integer, for conjunctions of a few of them.
static LITERALS: &[&str] = &[
    "(= (str.++ x \"a\") (str.++ \"a\" x))",
    "(= (str.len x) (+ i 1))",
    "(< (str.len y) i)",
    "(str.prefixof x y)",
    "(str.suffixof (str.++ \"b\" x) y)",
    "(str.contains y \"ab\")",
    "(= (str.indexof y x 0) i)",
    "(= (str.at x i) \"b\")",
    "(= (str.substr y 1 i) x)",
    "(= (str.replace x \"a\" y) \"bb\")",
    "(str.in_re x (re.+ (re.union (str.to_re \"ab\") (str.to_re \"b\"))))",
    "(str.in_re y (re.++ re.all (str.to_re \"1\") (re.opt re.allchar)))",
    "(= (str.to_int y) i)",
    "(= (str.from_int i) x)",
    "(str.< x y)",
    "(= (str.to_code x) (+ 96 i))",
    "(str.<= (str.++ y \"a\") x)",
    "(> (* i i) (str.len (str.++ x y)))",
    "(= x (str.++ y y))",
    "(distinct x y)",
];

/// What is called unsatisfiable has no model among short strings.
#[test]
fn refutations_agree_with_enumeration() {
    let mut words = vec![String::new()];
    for from in 0..13 {
        words.extend(["a", "b", "1"].map(|c| format!("{}{c}", words[from])));
    }
    let mut rng = Rng::new(23);
    let (mut refuted, mut satisfied) = (0, 0);
    for _ in 0..60 {
        let conjuncts: Vec<String> = (0..3)
            .map(|_| {
                let literal = LITERALS[rng.below(LITERALS.len())];
                if rng.one_in(3) { format!("(not {literal})") } else { literal.to_string() }
            })
            .collect();
        let text = format!(
            "(declare-const x String)(declare-const y String)(declare-const i Int)(assert (and {}))",
            conjuncts.join(" ")
        );
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        assert!(reading.errors.is_empty(), "{:?}: {text}", reading.errors);
        let assertions: Vec<_> = reading.script.assertions().collect();
        let query = Preparation::default().prepare(&mut terms, &assertions).query;
        let mut budget = Budget::unlimited().slice(300_000);
        let verdict = Bounded::new("strings", 0).solve(&mut terms, &query, &mut budget, &mut NoPartials);
        satisfied += usize::from(matches!(verdict, Verdict::Sat(_)));
        let Verdict::Unsat(core) = verdict else { continue };
        refuted += 1;
        let core: Vec<_> = core.into_iter().map(|at| query.assertions[at]).collect();
        let [x, y] = ["x", "y"].map(|name| {
            let term = terms.symbol_constant(name, smt::SortId::STRING);
            terms.as_fun(term).expect("a symbol")
        });
        let i = terms.symbol_constant("i", smt::SortId::INT);
        let i = terms.as_fun(i).expect("a symbol");
        let value = |text: &str| Value::String(SmtString::from_text(text).expect("a string"));
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            for n in -1..5 {
                let mut model = Model::default();
                model.set(x, value(a));
                model.set(y, value(b));
                model.set(i, Value::Int(n.into()));
                assert!(!crate::verify::satisfies(&terms, &model, &core), "{a}, {b}, {n}: {text}");
            }
        }
    }
    assert!(refuted >= 5 && satisfied >= 15, "{refuted} refuted, {satisfied} satisfied");
}

#[test]
fn answers_by_hand() {
    let rows: &[(&str, &str, &str)] = &[
        ("strings", "(declare-const s String)(assert (= (str.len s) 77))", "sat"),
        (
            "strings",
            "(declare-const s String)(declare-const t String)(assert (= (str.++ s \"ab\" t) \"xxabyab\"))(assert (> (str.len s) 3))",
            "sat",
        ),
        (
            "strings",
            "(declare-const s String)(declare-const t String)(assert (= (str.++ s \"ab\" t) \"xxabyab\"))(assert (> (str.len s) 5))",
            "unsat",
        ),
        ("strings", "(declare-const s String)(assert (= (str.++ s s) (str.++ s \"a\" s)))", "unsat"),
        (
            "strings",
            "(declare-const s String)(assert (str.in_re s (re.+ (re.range \"0\" \"9\"))))(assert (= (str.to_int s) 4711))(assert (= (str.len s) 6))",
            "sat",
        ),
        (
            "strings",
            "(declare-const s String)(assert (str.prefixof \"GET \" s))(assert (str.contains s \"HTTP\"))(assert (= (str.indexof s \"HTTP\" 0) 9))",
            "sat",
        ),
        ("strings", "(declare-const s String)(assert (= (str.to_code s) 12345))", "sat"),
        (
            "strings",
            "(declare-const s String)(assert (str.in_re s (re.* (str.to_re \"ab\"))))(assert (= (str.len s) 3))",
            "unsat",
        ),
        (
            "strings",
            "(declare-const s String)(assert (< (str.len s) 2))(assert (str.contains s \"aa\"))",
            "unsat",
        ),
        // By ends and by letters.
        (
            "strings",
            "(declare-const s String)(declare-const t String)(assert (= (str.++ \"a\" s) (str.++ \"b\" t)))",
            "unsat",
        ),
        ("strings", "(declare-const s String)(assert (= (str.++ \"a\" s) (str.++ s \"b\")))", "unsat"),
        (
            "strings",
            "(declare-const s String)(assert (str.prefixof \"ab\" s))(assert (str.prefixof \"ac\" s))",
            "unsat",
        ),
        (
            "strings",
            "(declare-const s String)(declare-const t String)(assert (str.suffixof \"x\" (str.++ s t)))(assert (= (str.len t) 1))(assert (= t \"y\"))",
            "unsat",
        ),
        // Words that differ in the middle: beyond this engine.
        (
            "strings",
            "(declare-const s String)(declare-const t String)(assert (= (str.++ \"aaaab\" s) (str.++ \"aaaac\" t)))",
            "unknown",
        ),
        ("strings", "(declare-const i Int)(assert (= (str.from_int i) \"007\"))", "unsat"),
        (
            "bounded",
            "(declare-const x Int)(declare-const y Int)(assert (= (* x y) 10403))(assert (< 1 x y))",
            "sat",
        ),
        (
            "bounded",
            "(declare-const x Int)(declare-const y Int)(assert (= (* x y) 101))(assert (and (< 1 x 101) (< 1 y 101)))",
            "unsat",
        ),
        ("bounded", "(declare-const x Int)(assert (= (* x x x) 2))(assert (<= (- 5) x 5))", "unsat"),
        (
            "bounded",
            "(declare-const x Int)(declare-const y Int)(assert (<= 0 x 20))(assert (<= 0 y 20))(assert (> ((_ iand 4) x y) 12))",
            "sat",
        ),
        (
            "bounded",
            "(declare-const x Int)(declare-const y Int)(assert (<= 0 x 20))(assert (<= 0 y 20))(assert (> ((_ iand 4) x y) 15))",
            "unsat",
        ),
        ("bounded", "(declare-const x Int)(assert (= (piand 3 x 6) 4))(assert (< x 0))", "sat"),
        ("bounded", "(declare-const x Int)(assert (= (int.pow2 x) (+ x 5)))", "sat"),
        ("bounded", "(declare-const x Int)(assert (<= (- 9) x 15))(assert (= (int.pow2 x) 12))", "unsat"),
        (
            "bounded",
            "(declare-const x Int)(declare-const y Int)(assert (= (mod x y) 5))(assert (= (div x y) (- 3)))",
            "sat",
        ),
    ];
    for (engine, text, expected) in rows {
        let (verdict, _, query) = solve(&mut Bounded::new(engine, 0), text);
        assert_eq!(word(&verdict), *expected, "{text}");
        if let Verdict::Unsat(core) = verdict {
            assert!(
                !core.is_empty() && core.iter().all(|&at| at < query.assertions.len()),
                "{text}: {core:?}"
            );
        }
    }
}

#[test]
fn partial_solutions_have_strings_and_integers() {
    let mut terms = Terms::new();
    let text = "(declare-const s String)(declare-const i Int)(assert (str.in_re s (re.+ (re.union (str.to_re \"ab\") (str.to_re \"c\")))))
        (assert (= (* i i) (+ 21 (* 4 (str.len s)))))(assert (str.contains s \"cabc\"))(assert (= (mod (* i i i) 11) 3))";
    let query = Query::new(read_script(&mut terms, text).script.assertions().collect());
    let mut seen: Vec<Partial> = Vec::new();
    let mut take = |partial: Partial| seen.push(partial);
    let verdict = Bounded::new("strings", 0).solve(&mut terms, &query, &mut Budget::unlimited(), &mut take);
    assert!(matches!(verdict, Verdict::Sat(_)));
    assert!(!seen.is_empty());
    assert!(seen.iter().all(|p| p.engine == "strings" && p.values.len() == 2), "{:?}", seen[0]);
}
