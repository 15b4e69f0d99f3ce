//! Random incremental scripts against Z3, theory by theory: push, pop, check-sat, check-sat-assuming, models and cores.
//!
//! An answer of ours must be Z3's where both have one. After `sat` every assertion must have the value true, after `unsat` the assertions that
//! the core names must be unsatisfiable for Z3, and so must all assertions with the assumptions that are said to have failed. Formulas are grown from a table of productions for each theory. A test ends
//! after so many checks, or when its time is up: then it has tested less.

use random::Rng;
use solve::session::{Session, SessionSettings};
use std::time::{Duration, Instant};
use testkit::{Answer, Solver, SolverKind};

/// Checks for a theory, if there is time.
const CHECKS: usize = 2000;
/// What a theory may take.
const TIME: Duration = Duration::from_secs(25);
/// Checks of one script: Z3 is started once for each.
const CHECKS_PER_SCRIPT: usize = 50;

/// What is declared, and what terms of each sort are made of. A name in angle brackets is a term of that sort.
struct Theory {
    declarations: &'static str,
    productions: &'static [(&'static str, &'static [&'static str])],
}

const BOOL: &[&str] =
    &["p", "q", "(not <Bool>)", "(and <Bool> <Bool>)", "(or <Bool> <Bool>)", "(= <Bool> <Bool>)"];

const UF: Theory = Theory {
    declarations:
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const c U)(declare-fun f (U) U)
        (declare-fun g (U U) U)(declare-fun r (U) Bool)(declare-fun s (Bool) U)",
    productions: &[
        ("Bool", &["(= <U> <U>)", "(= <U> <U>)", "(distinct <U> <U> <U>)", "(r <U>)", "(r <U>)"]),
        ("U", &["a", "b", "c", "(f <U>)", "(f <U>)", "(g <U> <U>)", "(s <Bool>)", "(ite <Bool> <U> <U>)"]),
    ],
};
const UFLIA: Theory = Theory {
    declarations: "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-fun f (Int) Int)
        (declare-fun g (Int Int) Int)(declare-fun r (Int) Bool)",
    productions: &[
        (
            "Bool",
            &[
                "(= <Int> <Int>)",
                "(<= <Int> <Int>)",
                "(< <Int> <Int>)",
                "(distinct <Int> <Int>)",
                "(r <Int>)",
            ],
        ),
        (
            "Int",
            &[
                "x",
                "y",
                "z",
                "0",
                "1",
                "3",
                "(f <Int>)",
                "(g <Int> <Int>)",
                "(+ <Int> <Int>)",
                "(- <Int> 1)",
                "(* 2 <Int>)",
                "(ite <Bool> <Int> <Int>)",
            ],
        ),
    ],
};
const ARRAYS: Theory = Theory {
    declarations: "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)(declare-const j Int)
        (declare-const k Int)(declare-fun f (Int) Int)(declare-fun h ((Array Int Int)) Int)",
    productions: &[
        ("Bool", &["(= <Int> <Int>)", "(< <Int> <Int>)", "(= <Array> <Array>)", "(distinct <Array> <Array>)", "(= <Int> <Int>)"]),
        ("Int", &["i", "j", "k", "0", "1", "2", "(select <Array> <Int>)", "(select <Array> <Int>)", "(+ <Int> 1)", "(f <Int>)",
            "(h <Array>)"]),
        ("Array", &["a", "b", "(store <Array> <Int> <Int>)", "(store <Array> <Int> <Int>)", "(ite <Bool> <Array> <Array>)",
            "((as const (Array Int Int)) <Int>)"]),
    ],
};
const NESTED: Theory = Theory {
    declarations: "(declare-sort I 0)(declare-sort E 0)(declare-const i I)(declare-const j I)(declare-const x E)(declare-const y E)
        (declare-const a (Array I E))(declare-const b (Array I E))(declare-const m (Array I (Array I E)))
        (declare-const n (Array I (Array I E)))(declare-const v (Array (Array I E) I))(declare-const w (Array I Bool))",
    productions: &[
        ("Bool", &["(= <I> <I>)", "(= <E> <E>)", "(= <A> <A>)", "(= <M> <M>)", "(distinct <A> <A>)", "(select w <I>)", "(select w <I>)"]),
        ("I", &["i", "j", "(select v <A>)", "(ite <Bool> <I> <I>)"]),
        ("E", &["x", "y", "(select <A> <I>)", "(select <A> <I>)"]),
        ("A", &["a", "b", "(store <A> <I> <E>)", "(select <M> <I>)"]),
        ("M", &["m", "n", "(store <M> <I> <A>)"]),
    ],
};
const LIA: Theory = Theory {
    declarations: "(declare-const x Int)(declare-const y Int)(declare-const z Int)",
    productions: &[
        (
            "Bool",
            &[
                "(= <Int> <Int>)",
                "(<= <Int> <Int>)",
                "(< <Int> <Int>)",
                "(distinct <Int> <Int>)",
                "(= (mod <Int> 3) 0)",
            ],
        ),
        (
            "Int",
            &[
                "x",
                "y",
                "z",
                "0",
                "1",
                "7",
                "(+ <Int> <Int>)",
                "(- <Int> <Int>)",
                "(* 3 <Int>)",
                "(mod <Int> 3)",
                "(div <Int> 2)",
                "(abs <Int>)",
                "(ite <Bool> <Int> <Int>)",
            ],
        ),
    ],
};
const LRA: Theory = Theory {
    declarations: "(declare-const x Real)(declare-const y Real)(declare-const z Real)(declare-fun f (Real) Real)",
    productions: &[
        (
            "Bool",
            &["(= <Real> <Real>)", "(<= <Real> <Real>)", "(< <Real> <Real>)", "(distinct <Real> <Real>)"],
        ),
        (
            "Real",
            &[
                "x",
                "y",
                "z",
                "0.0",
                "1.0",
                "0.5",
                "(+ <Real> <Real>)",
                "(- <Real> <Real>)",
                "(* 2.0 <Real>)",
                "(/ <Real> 3.0)",
                "(f <Real>)",
                "(ite <Bool> <Real> <Real>)",
            ],
        ),
    ],
};
const IDL: Theory = Theory {
    declarations: "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const u Int)(declare-const v Int)",
    productions: &[
        (
            "Bool",
            &[
                "(<= (- <Int> <Int>) 2)",
                "(< (- <Int> <Int>) (- 1))",
                "(>= (- <Int> <Int>) 3)",
                "(= (- <Int> <Int>) 1)",
                "(distinct <Int> <Int> <Int>)",
                "(< <Int> <Int>)",
            ],
        ),
        ("Int", &["x", "y", "z", "u", "v"]),
    ],
};
const BV: Theory = Theory {
    declarations: "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))(declare-const z (_ BitVec 4))
        (declare-fun f ((_ BitVec 4)) (_ BitVec 4))(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))",
    productions: &[
        ("Bool", &["(= <W> <W>)", "(bvult <W> <W>)", "(bvsle <W> <W>)", "(distinct <W> <W>)"]),
        (
            "W",
            &[
                "x",
                "y",
                "z",
                "#x0",
                "#x1",
                "#x7",
                "#xf",
                "(bvadd <W> <W>)",
                "(bvmul <W> <W>)",
                "(bvudiv <W> <W>)",
                "(bvsrem <W> <W>)",
                "(bvshl <W> <W>)",
                "(bvashr <W> <W>)",
                "(bvxor <W> <W>)",
                "(f <W>)",
                "(select (store m <W> <W>) <W>)",
                "(ite <Bool> <W> <W>)",
            ],
        ),
    ],
};
const FP: Theory = Theory {
    declarations: "(declare-const x (_ FloatingPoint 2 3))(declare-const y (_ FloatingPoint 2 3))(declare-const r RoundingMode)",
    productions: &[
        (
            "Bool",
            &[
                "(= <F> <F>)",
                "(fp.lt <F> <F>)",
                "(fp.leq <F> <F>)",
                "(fp.isNaN <F>)",
                "(fp.eq <F> <F>)",
                "(fp.isSubnormal <F>)",
            ],
        ),
        (
            "F",
            &[
                "x",
                "y",
                "(_ +zero 2 3)",
                "(_ -oo 2 3)",
                "(fp #b0 #b01 #b00)",
                "(fp.add <R> <F> <F>)",
                "(fp.mul <R> <F> <F>)",
                "(fp.div <R> <F> <F>)",
                "(fp.neg <F>)",
                "(fp.abs <F>)",
                "(fp.sqrt <R> <F>)",
                "(fp.roundToIntegral <R> <F>)",
            ],
        ),
        ("R", &["r", "RNE", "RTZ", "RTP"]),
    ],
};
const DATATYPES: Theory = Theory {
    declarations: "(declare-datatypes ((L 0) (C 0)) (((nil) (cons (head Int) (tail L))) ((red) (green) (pick (of L)))))
        (declare-const u L)(declare-const v L)(declare-const c C)(declare-const d C)(declare-const i Int)(declare-const j Int)
        (declare-fun f (L) Int)",
    productions: &[
        ("Bool", &["(= <L> <L>)", "(= <C> <C>)", "((_ is cons) <L>)", "((_ is pick) <C>)", "((_ is nil) <L>)", "(< <Int> <Int>)"]),
        ("Int", &["i", "j", "0", "(f <L>)", "(+ <Int> 1)", "(head (cons <Int> <L>))"]),
        ("L", &["u", "v", "nil", "(cons <Int> <L>)", "(tail (cons <Int> <L>))", "(of (pick <L>))", "(ite <Bool> <L> <L>)"]),
        ("C", &["c", "d", "red", "green", "(pick <L>)"]),
    ],
};
/// Bounded, so that the engines `nonlinear` and `bounded` can decide.
const PRODUCTS: Theory = Theory {
    declarations: "(declare-const x Int)(declare-const y Int)(declare-const z Int)
        (assert (<= (- 5) x 5))(assert (<= (- 5) y 5))(assert (<= 0 z 6))",
    productions: &[
        ("Bool", &["(= <Int> <Int>)", "(<= <Int> <Int>)", "(< <Int> <Int>)", "(distinct <Int> <Int>)"]),
        (
            "Int",
            &[
                "x",
                "y",
                "z",
                "0",
                "1",
                "7",
                "(* <Int> <Int>)",
                "(* <Int> <Int>)",
                "(+ <Int> <Int>)",
                "(- <Int> <Int>)",
                "(mod <Int> 3)",
            ],
        ),
    ],
};
const STRINGS: Theory = Theory {
    declarations: "(declare-const s String)(declare-const t String)(declare-const i Int)
        (assert (<= (str.len s) 2))(assert (<= (str.len t) 3))(assert (<= (- 1) i 3))",
    productions: &[
        (
            "Bool",
            &[
                "(= <S> <S>)",
                "(= <S> <S>)",
                "(str.prefixof <S> <S>)",
                "(str.suffixof <S> <S>)",
                "(str.contains <S> <S>)",
                "(< <Int> <Int>)",
                "(str.in_re <S> (re.* (re.union (str.to_re \"a\") (str.to_re \"bc\"))))",
            ],
        ),
        ("Int", &["i", "0", "1", "(str.len <S>)", "(str.len <S>)", "(+ <Int> 1)"]),
        (
            "S",
            &[
                "s",
                "t",
                "\"a\"",
                "\"bc\"",
                "\"\"",
                "(str.++ <S> <S>)",
                "(str.substr <S> <Int> <Int>)",
                "(str.at <S> <Int>)",
            ],
        ),
    ],
};

/// A random term of a sort, of a depth at most.
fn grow(theory: &Theory, rng: &mut Rng, sort: &str, depth: usize) -> String {
    let own = theory.productions.iter().find(|(name, _)| *name == sort).map_or(&[][..], |(_, list)| *list);
    let general = if sort == "Bool" { BOOL } else { &[] };
    let all: Vec<&str> = own.iter().chain(general).copied().collect();
    let plain: Vec<&str> = all.iter().copied().filter(|text| !text.contains('<') || depth > 0).collect();
    let leaves: Vec<&str> = all.iter().copied().filter(|text| !is_open(text)).collect();
    let chosen = if depth == 0 { rng.pick(&leaves) } else { rng.pick(&plain) };
    let mut text = String::new();
    let mut rest = chosen;
    while let Some(at) = open_at(rest) {
        let end = at + rest[at..].find('>').expect("a sort ends");
        text.push_str(&rest[..at]);
        text.push_str(&grow(theory, rng, &rest[at + 1..end], depth.saturating_sub(1)));
        rest = &rest[end + 1..];
    }
    text + rest
}

/// Where the next hole begins: a bracket before a letter, which no comparison is.
fn open_at(text: &str) -> Option<usize> {
    text.char_indices()
        .find(|&(at, c)| c == '<' && text[at + 1..].starts_with(char::is_uppercase))
        .map(|(at, _)| at)
}

fn is_open(text: &str) -> bool {
    open_at(text).is_some()
}

/// One script: what was sent, what Z3 has to say to it, and our own answers.
struct Run {
    script: String,
    ours: Vec<String>,
    /// Cores: the assertions that they name.
    cores: Vec<String>,
}

fn run(theory: &Theory, seed: u64) -> Run {
    let mut rng = Rng::new(seed);
    let settings = SessionSettings { time_limit: Some(Duration::from_secs(2)), ..SessionSettings::default() };
    let mut session = Session::new(settings).expect("the portfolio");
    let mut script = format!("(declare-const p Bool)(declare-const q Bool){}\n", theory.declarations);
    session.submit(
        "(set-option :produce-unsat-cores true)(set-option :produce-models true)(set-option :produce-unsat-assumptions true)",
    );
    assert_eq!(session.submit(&script).errors, 0, "{script}");
    script.push_str("(push 1)\n");
    session.submit("(push 1)");
    let (mut ours, mut cores) = (Vec::new(), Vec::new());
    let mut levels: Vec<Vec<(String, String)>> = vec![Vec::new()];
    let mut names = 0;
    while ours.len() < CHECKS_PER_SCRIPT {
        match rng.below(8) {
            0 => {
                levels.push(Vec::new());
                script.push_str("(push 1)\n");
                session.submit("(push 1)");
            }
            1 | 2 if levels.len() > 1 => {
                levels.pop();
                script.push_str("(pop 1)\n");
                session.submit("(pop 1)");
            }
            1..=4 => {
                let formula = grow(theory, &mut rng, "Bool", 4);
                let name = format!("n{names}");
                names += 1;
                let reply = session.submit(&format!("(assert (! {formula} :named {name}))"));
                assert_eq!(reply.errors, 0, "{formula}: {}", reply.text);
                script.push_str(&format!("(assert {formula})\n"));
                levels.last_mut().expect("a level").push((name, formula));
            }
            _ => {
                let assumed = rng.one_in(3);
                let command = match assumed {
                    true => {
                        ["(check-sat-assuming (p (not q)))", "(check-sat-assuming ((not p)))"][rng.below(2)]
                    }
                    false => "(check-sat)",
                };
                script.push_str(command);
                script.push('\n');
                let answer = session.submit(command).text.trim().to_string();
                let asserted: Vec<&(String, String)> = levels.iter().flatten().collect();
                if answer == "sat" && !asserted.is_empty() {
                    let all: Vec<&str> = asserted.iter().map(|(_, formula)| formula.as_str()).collect();
                    let reply = session.submit(&format!("(get-value ((and true {})))", all.join(" "))).text;
                    assert!(reply.trim_end().ends_with("true))"), "seed {seed}: {reply}\n{script}");
                }
                if answer == "unsat" && !assumed {
                    let reply = session.submit("(get-unsat-core)").text;
                    let named: Vec<&str> =
                        reply.trim().trim_matches(|c| c == '(' || c == ')').split_whitespace().collect();
                    let core = asserted.iter().filter(|(name, _)| named.contains(&name.as_str()));
                    let core: Vec<String> = core.map(|(_, formula)| format!("(assert {formula})")).collect();
                    assert_eq!(core.len(), named.len(), "seed {seed}: {reply}");
                    cores.push(core.join("\n"));
                }
                if answer == "unsat" && assumed {
                    let failed = session.submit("(get-unsat-assumptions)").text;
                    let failed = failed.trim();
                    let inner = failed.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
                    let Some(inner) = inner else { panic!("seed {seed}: {failed}") };
                    let given = command.strip_prefix("(check-sat-assuming (").unwrap_or_default();
                    let known = ["p", "(not q)", "(not p)"].into_iter().filter(|known| given.contains(known));
                    let assumptions: Vec<&str> = known
                        .filter(|known| inner.replace("(not p)", "").contains(known) || inner == *known)
                        .collect();
                    let all = asserted.iter().map(|(_, formula)| formula.as_str()).chain(assumptions);
                    let all: Vec<String> = all.map(|formula| format!("(assert {formula})")).collect();
                    cores.push(all.join("\n"));
                }
                ours.push(answer);
                // A contradiction at the bottom would be there for good.
                if levels.len() == 1 && ours.last().is_some_and(|answer| answer == "unsat") {
                    levels[0].clear();
                    script.push_str("(pop 1)(push 1)\n");
                    session.submit("(pop 1)(push 1)");
                }
            }
        }
    }
    Run { script, ours, cores }
}

/// One check in so many may be unknown.
#[derive(Clone, Copy)]
struct Share(usize);

/// Compares answers of a theory; `planted` changes ours, to show that a difference is seen.
fn differences(theory: &Theory, checks: usize, known: Share, planted: bool) -> Vec<String> {
    let Some(z3) = Solver::find(SolverKind::Z3) else { return vec!["Z3 is missing".into()] };
    let started = Instant::now();
    let mut wrong = Vec::new();
    let (mut done, mut unknown, mut refused) = (0, 0, 0);
    for seed in 0.. {
        if done >= checks || started.elapsed() > TIME {
            break;
        }
        let Run { script, ours, cores } = run(theory, seed);
        let output = z3.run(&script, 2000, 60);
        // What follows an error is about another script; after a timeout there is nothing.
        let before = output.split("(error").next().unwrap_or_default();
        let theirs: Vec<&str> =
            before.lines().filter(|line| ["sat", "unsat", "unknown"].contains(line)).collect();
        // Z3 4.8.12 has errors of its own on floats.
        if theirs.is_empty() {
            refused += 1;
            continue;
        }
        for (at, (mine, theirs)) in ours.iter().zip(theirs).enumerate() {
            let mine = match (planted, mine.as_str()) {
                (true, "sat") => "unsat",
                (_, answer) => answer,
            };
            done += 1;
            unknown += usize::from(mine == "unknown");
            if mine != "unknown" && theirs != "unknown" && mine != theirs {
                wrong.push(format!("seed {seed}, check {at}: {mine}, Z3 says {theirs}"));
            }
        }
        let prelude = format!("(declare-const p Bool)(declare-const q Bool){}", theory.declarations);
        for (answer, core) in z3.ask(&prelude, &cores, 2000, 60).into_iter().zip(&cores) {
            if answer == Answer::Sat {
                wrong.push(format!("seed {seed}: no core:\n{core}"));
            }
        }
    }
    if refused * CHECKS_PER_SCRIPT * 4 > done {
        wrong.push(format!("Z3 did not take {refused} scripts"));
    }
    if unknown * known.0 > done {
        wrong.push(format!("{unknown} of {done} are unknown"));
    }
    wrong
}

macro_rules! theories {
    ($($name:ident: $theory:ident, $checks:expr, $known:expr;)*) => {
        $(#[test]
        fn $name() {
            assert_eq!(differences(&$theory, $checks, Share($known), false), Vec::<String>::new());
        })*
    };
}

theories! {
    functions: UF, CHECKS, 20;
    functions_of_integers: UFLIA, CHECKS, 20;
    arrays_of_integers: ARRAYS, CHECKS, 20;
    nested_arrays: NESTED, CHECKS, 20;
    linear_integers: LIA, CHECKS, 20;
    linear_reals: LRA, CHECKS, 20;
    differences_of_integers: IDL, CHECKS, 20;
    bit_vectors: BV, CHECKS, 20;
    floats: FP, CHECKS, 20;
    datatypes: DATATYPES, CHECKS, 20;
    products: PRODUCTS, CHECKS / 5, 4;
    strings: STRINGS, CHECKS / 5, 4;
}

#[test]
fn a_wrong_answer_is_seen() {
    let wrong = differences(&UF, CHECKS_PER_SCRIPT, Share(20), true);
    assert!(wrong.iter().any(|line| line.contains("unsat, Z3 says sat")), "{wrong:?}");
}
