//! One row a query, with its answer: what the engine is for, theory by theory.

use crate::engine::{Budget, Engine, Query, Verdict};
use crate::euf::Euf;
use crate::prepare::Preparation;
use smt::{TermId, Terms, read_script};

const UNSAT: &str = "unsat";
const SAT: &str = "sat";

/// Declarations, assertions, answer.
static TABLE: &[(&str, &str, &str)] = &[
    // Congruence.
    (UF, "(= (f a b) a) (not (= (f (f a b) b) a))", UNSAT),
    (UF, "(= (g (g (g a))) a) (= (g (g (g (g (g a))))) a) (not (= (g a) a))", UNSAT),
    (UF, "(= (g (g a)) b) (not (= (g a) a)) (p a) (not (p (g b)))", SAT),
    (UF, "(distinct a b c) (= (g a) (g b)) (= (g b) (g c))", SAT),
    (UF, "(or (= a b) (= a c)) (not (= (g a) (g b))) (not (= (g a) (g c)))", UNSAT),
    (UF, "(not (= (h (h (h x))) (h x)))", UNSAT),
    (UF, "(not (= (h (and x y)) (h (and y x))))", UNSAT),
    (UF, "(h x) (not (h (not x))) (not (h y)) x", SAT),
    (UF, "(= (ite x a b) c) (not (= a c)) (not (= b c))", UNSAT),
    // Functions of numbers.
    (NUM, "(= (+ r s) 1.0) (= (- r s) 0.0) (not (= (k r) (k 0.5)))", UNSAT),
    (NUM, "(<= i j) (>= i j) (not (= (m i) (m j)))", UNSAT),
    (NUM, "(< i j) (< j (+ i 2)) (not (= (m (+ i 1)) (m j)))", UNSAT),
    (NUM, "(= (m (m i)) j) (= (m i) (+ i 1)) (not (= (m (+ i 1)) j))", UNSAT),
    (NUM, "(= (m i) (+ i 1)) (= (m j) (- j 1)) (< i (m j)) (> (m i) 5)", SAT),
    (NUM, "(>= i 0) (<= i 2) (= (m 0) 7) (= (m 1) 7) (= (m 2) 7) (not (= (m i) 7))", UNSAT),
    // Arrays.
    (AX, "(distinct i j) (not (= (store (store a i x) j y) (store (store a j y) i x)))", UNSAT),
    (AX, "(not (= (store (store a i x) j y) (store (store a j y) i x)))", SAT),
    (AX, "(= (store a i x) (store b i x)) (not (= (select a j) (select b j))) (not (= i j))", UNSAT),
    (AX, "(not (= a b)) (= (store a i (select b i)) b)", SAT),
    (AX, "(= a (store b i x)) (= b (store a j y)) (not (= (select a i) x))", UNSAT),
    (AX, "(= a (store b i x)) (= b (store a j y)) (distinct a b)", SAT),
    (
        AX,
        "(= (t a) i) (= (t b) j) (distinct i j) (= (store a i (select b i)) b) (= (select a i) (select b i))",
        UNSAT,
    ),
    (ALIA, "(> (select a i) (select a j)) (<= i j) (>= i j)", UNSAT),
    (ALIA, "(> (select (store a i 5) j) 7) (< i (+ j 3)) (not (= (store a j 3) a))", SAT),
    (ALIA, "(= (select (store a i 5) (+ i 1)) 7) (not (= (select a (+ 1 i)) 7))", UNSAT),
    (
        ALIA,
        "(= (store ((as const (Array Int Int)) 1) i 3) (store ((as const (Array Int Int)) 2) 5 9))",
        UNSAT,
    ),
    (
        ALIA,
        "(= a (store ((as const (Array Int Int)) 1) i 3)) (= (select a 7) 3) (not (= (select a 8) 3))",
        SAT,
    ),
    (ALIA, "(= a ((as const (Array Int Int)) 1)) (not (= (select a i) 1))", UNSAT),
    (ALIA, "(not (= (select (select (store n i (store (select n i) j 7)) i) j) 7))", UNSAT),
    (
        ALIA,
        "(= (select (select n i) j) 7) (= (select (select n j) i) 8) (not (= (select n 3) (select n 4)))",
        SAT,
    ),
    (
        ALIA,
        "(= (select z a) 1) (= (select z b) 2) (= (store a 1 (select b 1)) b) (= (select a 1) (select b 1))",
        UNSAT,
    ),
    (ALIA, "(= (select z a) 1) (= (select z b) 2) (= (store a 1 (select b 1)) b)", SAT),
    // Datatypes.
    (DT, "((_ is cons) u) ((_ is cons) v) (= (tail u) v) (= (tail v) u)", UNSAT),
    (
        DT,
        "(not (= u v)) (distinct c d e) (not (= u nil)) (> (head u) 3) (= (head u) (head v)) ((_ is cons) v)",
        SAT,
    ),
    (DT, "(distinct b c d e)", UNSAT),
    (DT, "(= (cons i u) (cons j v)) (not (= i j))", UNSAT),
    (DT, "(= (cons i u) v) (= v nil)", UNSAT),
    (DT, "(not ((_ is red) b)) (not ((_ is green) b)) (not (= b blue))", UNSAT),
    (DT, "(distinct (cons i nil) (cons j nil)) (<= i j) (>= i j)", UNSAT),
    (DT, "(= (first q) (second q)) (not (= q (pair (second q) (first q))))", UNSAT),
];

const UF: &str = "(declare-sort U 0)(declare-fun f (U U) U)(declare-fun g (U) U)(declare-fun p (U) Bool)
    (declare-fun h (Bool) Bool)(declare-const a U)(declare-const b U)(declare-const c U)(declare-const x Bool)(declare-const y Bool)";
const NUM: &str =
    "(declare-fun k (Real) Real)(declare-fun m (Int) Int)(declare-const r Real)(declare-const s Real)
    (declare-const i Int)(declare-const j Int)";
const AX: &str = "(declare-sort I 0)(declare-sort E 0)(declare-const a (Array I E))(declare-const b (Array I E))
    (declare-const i I)(declare-const j I)(declare-const x E)(declare-const y E)(declare-fun t ((Array I E)) I)";
const ALIA: &str = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)(declare-const j Int)
    (declare-const n (Array Int (Array Int Int)))(declare-const z (Array (Array Int Int) Int))";
const DT: &str = "(declare-datatypes ((L 0) (C 0) (P 0))
    (((nil) (cons (head Int) (tail L))) ((red) (green) (blue)) ((pair (first Int) (second Int)))))
    (declare-const u L)(declare-const v L)(declare-const b C)(declare-const c C)(declare-const d C)(declare-const e C)
    (declare-const i Int)(declare-const j Int)(declare-const q P)";

fn query(terms: &mut Terms, declarations: &str, assertions: &str) -> Query {
    let source = format!("{declarations}(assert (and true {assertions}))");
    let reading = read_script(terms, &source);
    assert!(reading.errors.is_empty(), "{assertions}: {:?}", reading.errors);
    let assertions: Vec<TermId> = reading.script.assertions().collect();
    Preparation::default().prepare(terms, &assertions).query
}

#[test]
fn answers() {
    for &(declarations, assertions, expected) in TABLE {
        for seed in 0..2 {
            let mut terms = Terms::new();
            let query = query(&mut terms, declarations, assertions);
            let mut ignored = |_| ();
            let verdict = Euf::new(seed).solve(&mut terms, &query, &mut Budget::unlimited(), &mut ignored);
            let answer = match verdict {
                Verdict::Sat(_) => SAT.to_string(),
                Verdict::Unsat(core) => {
                    // What a core names is unsatisfiable by itself.
                    let part = Query::new(core.iter().map(|&at| query.assertions[at]).collect());
                    let again =
                        Euf::new(seed).solve(&mut terms, &part, &mut Budget::unlimited(), &mut ignored);
                    assert!(matches!(again, Verdict::Unsat(_)), "{assertions}: {core:?}");
                    UNSAT.to_string()
                }
                Verdict::Unknown(reason) => reason.to_string(),
            };
            assert_eq!(answer, expected, "{assertions}");
        }
    }
}

#[test]
fn partial_solutions_are_what_the_search_passed_through() {
    let mut terms = Terms::new();
    let query = query(
        &mut terms,
        ALIA,
        "(or (= i 1) (= i 2)) (> (select (store a i 5) j) 7) (distinct i j) (> (select a 1) 20)",
    );
    let mut seen = Vec::new();
    let mut listen = |partial: crate::engine::Partial| {
        if partial.engine == "euf" {
            seen.push(partial.values.len());
        }
    };
    let verdict = Euf::new(1).solve(&mut terms, &query, &mut Budget::unlimited(), &mut listen);
    assert!(matches!(verdict, Verdict::Sat(_)));
    // Each lists all constants that occur: a, i, j.
    assert!(!seen.is_empty() && seen.iter().all(|&count| count == 3), "{seen:?}");
}
