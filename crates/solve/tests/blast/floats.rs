//! Floats: verdicts against brute force with the evaluator on a tiny format, and sessions with scopes and assumptions against
//! Z3 on larger ones.

use crate::solver::z3;
use random::Rng;
use smt::eval::values_of;
use smt::{Evaluator, Model, TermId, Terms, read_script};
use solve::blast::Blast;
use solve::engine::{Budget, Engine, NoPartials, Query, Verdict};
use solve::session::{Session, SessionSettings};

/// What formulas are made of. SMT-LIB leaves some operators open, and Z3 4.8.12 computes others wrongly: these are for brute force.
struct Grammar {
    format: (u32, u32),
    /// Whether all operators are used.
    all: bool,
}

impl Grammar {
    fn mode(&self, random: &mut Rng) -> &'static str {
        random.pick(&["RNE", "RNA", "RTP", "RTN", "RTZ", "k"])
    }

    fn float(&self, random: &mut Rng, depth: usize) -> String {
        let (eb, sb) = self.format;
        if depth == 0 || random.below(4) == 0 {
            return match random.below(6) {
                0 => format!("(fp #b{} #b{} #b{})", bits(random, 1), bits(random, eb), bits(random, sb - 1)),
                1 => format!("(_ {} {eb} {sb})", random.pick(&["+zero", "-zero", "+oo", "-oo", "NaN"])),
                2 => format!(
                    "((_ to_fp {eb} {sb}) {} {})",
                    self.mode(random),
                    random.pick(&["0.1", "1.0", "2.5", "(- 3.0)"])
                ),
                _ => random.pick(&["x", "y"]).to_string(),
            };
        }
        let mode = self.mode(random);
        let a = self.float(random, depth - 1);
        let choices = if self.all { 17 } else { 12 };
        match random.below(choices) {
            0 | 1 => format!("(fp.add {mode} {a} {})", self.float(random, depth - 1)),
            2 => format!("(fp.sub {mode} {a} {})", self.float(random, depth - 1)),
            3 | 4 => format!("(fp.mul {mode} {a} {})", self.float(random, depth - 1)),
            5 => format!("(fp.div {mode} {a} {})", self.float(random, depth - 1)),
            6 => format!("(fp.sqrt {mode} {a})"),
            7 => format!("(fp.neg {a})"),
            8 => format!("(fp.abs {a})"),
            9 => format!("(ite {} {a} {})", self.formula(random, depth - 1), self.float(random, depth - 1)),
            10 => format!("((_ to_fp {eb} {sb}) {mode} ((_ to_fp 4 6) {mode} {a}))"),
            11 => format!("((_ to_fp {eb} {sb}) {mode} {})", self.word(random, depth - 1)),
            12 => format!("(fp.rem {a} {})", self.float(random, depth - 1)),
            13 => format!(
                "(fp.fma {mode} {a} {} {})",
                self.float(random, depth - 1),
                self.float(random, depth - 1)
            ),
            14 => format!("(fp.roundToIntegral {mode} {a})"),
            15 => format!("(fp.min {a} {})", self.float(random, depth - 1)),
            _ => format!("(fp.max {a} {})", self.float(random, depth - 1)),
        }
    }

    fn word(&self, random: &mut Rng, depth: usize) -> String {
        if depth == 0 || !self.all {
            return format!("#b{}", bits(random, 4));
        }
        let sort = random.pick(&["ubv", "sbv"]);
        format!("((_ fp.to_{sort} 4) {} {})", self.mode(random), self.float(random, depth - 1))
    }

    fn formula(&self, random: &mut Rng, depth: usize) -> String {
        let down = depth.saturating_sub(1);
        match random.below(12) {
            0..=4 => {
                let op = random.pick(&["fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq", "="]);
                format!("({op} {} {})", self.float(random, down), self.float(random, down))
            }
            5 | 6 => {
                let op =
                    random.pick(&["NaN", "Infinite", "Zero", "Normal", "Subnormal", "Negative", "Positive"]);
                format!("(fp.is{op} {})", self.float(random, down))
            }
            7 if self.all => format!("(= {} {})", self.word(random, down), self.word(random, down)),
            8 if self.all => {
                let op = random.pick(&["<", "<=", ">", ">=", "=", "distinct"]);
                format!(
                    "({op} (fp.to_real {}) {})",
                    self.float(random, down),
                    random.pick(&["0.5", "(- 1.0)", "3.3"])
                )
            }
            9 | 10 if depth > 0 => {
                let op = random.pick(&["and", "or", "xor", "=>"]);
                format!("({op} {} {})", self.formula(random, down), self.formula(random, down))
            }
            _ if depth > 0 => format!("(not {})", self.formula(random, down)),
            _ => random.pick(&["(= k RNE)", "(= k RTP)", "(fp.lt x y)", "(fp.eq x y)"]).to_string(),
        }
    }

    fn declarations(&self) -> String {
        let (eb, sb) = self.format;
        let float = format!("(_ FloatingPoint {eb} {sb})");
        format!("(declare-const x {float})(declare-const y {float})(declare-const k RoundingMode)\n")
    }
}

fn bits(random: &mut Rng, width: u32) -> String {
    (0..width).map(|_| if random.below(2) == 1 { '1' } else { '0' }).collect()
}

/// Whether some values satisfy all assertions; values for which one of them is open do not count.
fn brute_force(terms: &Terms, assertions: &[TermId]) -> bool {
    let mut lists = Vec::new();
    for name in ["x", "y", "k"] {
        let fun = (0..terms.fun_count()).map(|i| terms.fun_at(i)).find(|&f| terms.fun_name(f) == name);
        let fun = fun.expect("it is declared");
        lists.push((fun, values_of(terms, terms.fun(fun).result, 1 << 10).expect("a small sort")));
    }
    let [(x, xs), (y, ys), (k, ks)] = &*lists else { panic!("three constants") };
    xs.iter().any(|a| {
        ys.iter().any(|b| {
            ks.iter().any(|c| {
                let mut model = Model::default();
                model.set(*x, a.clone());
                model.set(*y, b.clone());
                model.set(*k, c.clone());
                let mut evaluator = Evaluator::new(terms, &model);
                assertions.iter().all(|&f| evaluator.truth(f) == Ok(true))
            })
        })
    })
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let grammar = Grammar { format: (2, 3), all: true };
    let mut random = Rng::new(21);
    let mut seen = [0, 0];
    let mut unknown = 0;
    for round in 0..150 {
        let mut text = grammar.declarations();
        for _ in 0..1 + random.below(4) {
            text += &format!("(assert {})\n", grammar.formula(&mut random, 3));
        }
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, &text);
        assert!(reading.errors.is_empty(), "{text}: {:?}", reading.errors);
        let assertions: Vec<TermId> = reading.script.assertions().collect();
        let query = Query::new(assertions.clone());
        let verdict = Blast::new().solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials);
        match verdict {
            Verdict::Sat(model) => {
                let mut evaluator = Evaluator::new(&terms, &model);
                assert!(assertions.iter().all(|&f| evaluator.truth(f) == Ok(true)), "round {round}: {text}");
                seen[1] += 1;
            }
            Verdict::Unsat(core) => {
                let core: Vec<TermId> = core.into_iter().map(|i| assertions[i]).collect();
                assert!(!brute_force(&terms, &core), "round {round}: {text}");
                seen[0] += 1;
            }
            // Only where reals of infinities matter.
            Verdict::Unknown(reason) => {
                assert!(text.contains("to_real"), "round {round}: {reason}: {text}");
                unknown += 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 20) && unknown < 10, "{seen:?} {unknown}");
}

/// Sessions in which assertions come and go, and assumptions are made, as Z3 sees them.
#[test]
fn sessions_agree_with_z3() {
    let mut seen = [0, 0];
    for (seed, format) in [(31, (3, 4)), (32, (3, 5)), (33, (5, 11))] {
        let grammar = Grammar { format, all: false };
        let mut random = Rng::new(seed);
        let mut text = grammar.declarations();
        let mut depth = 0;
        for _ in 0..60 {
            // Nothing is asserted for good, so that much stays satisfiable.
            if depth > 0 && random.below(5) < 2 || depth > 3 {
                text += "(pop 1)\n";
                depth -= 1;
            }
            if depth == 0 || random.below(2) == 0 {
                text += "(push 1)\n";
                depth += 1;
            }
            text += &format!("(assert {})\n", grammar.formula(&mut random, 2));
            if random.below(2) == 0 {
                text += "(check-sat)\n";
            } else {
                let name = format!("b{}", random.below(1 << 30));
                let formula = grammar.formula(&mut random, 2);
                text += &format!(
                    "(push 1)(declare-const {name} Bool)(assert (= {name} {formula}))(check-sat-assuming ({name}))(check-sat-assuming ((not {name})))(pop 1)\n"
                );
            }
        }
        let reply = Session::new(SessionSettings::default()).expect("the engine auto").submit(&text);
        assert_eq!(reply.errors, 0, "{}", reply.text);
        let ours: Vec<&str> = reply.checks.iter().map(|check| check.answer.word()).collect();
        let theirs = z3(&text).expect("z3 is installed");
        assert_eq!(ours.len(), theirs.len(), "{theirs:?}");
        for (i, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(ours, theirs, "check {i} of seed {seed}: {text}");
            seen[usize::from(*ours == "sat")] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}
