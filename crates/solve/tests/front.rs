//! Laws of everything that surrounds the engines: `auto` agrees with brute force over small domains, and neither the
//! caches nor the splitting into independent parts change a verdict, whatever was asked before.

use random::Rng;
use smt::eval::values_of;
use smt::{Command, Evaluator, FunId, Model, TermId, Terms, Value, read_script};
use solve::engine::{Budget, NoPartials, Query, Verdict};
use solve::engines;
use solve::profile::Profile;
use solve::session::{Answer, Session, SessionSettings};
use solve::verify::satisfies;

/// A family of random conjuncts over a few constants with small domains.
struct Family {
    declarations: &'static str,
    /// What keeps the domain small, as assertions.
    domain: &'static [&'static str],
    leaves: &'static [&'static str],
    functions: &'static [&'static str],
    relations: &'static [&'static str],
    /// All values that brute force must try for a numeric constant.
    numbers: std::ops::RangeInclusive<i64>,
}

static FAMILIES: &[Family] = &[
    Family {
        declarations: "(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 3))(declare-const c (_ BitVec 3))",
        domain: &[],
        leaves: &["a", "b", "c", "#b000", "#b001", "#b011", "#b101", "#b111"],
        functions: &[
            "bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvudiv", "bvurem", "bvsdiv", "bvsrem",
            "bvshl", "bvlshr", "bvashr",
        ],
        relations: &["=", "distinct", "bvult", "bvule", "bvsgt", "bvsge"],
        numbers: 0..=0,
    },
    Family {
        declarations: "(declare-const a Int)(declare-const b Int)(declare-const c Int)",
        domain: &["(<= (- 4) a 4)", "(<= (- 4) b 4)", "(<= (- 4) c 4)"],
        leaves: &["a", "b", "c", "0", "1", "2", "(- 3)"],
        functions: &["+", "-", "+"],
        relations: &["=", "distinct", "<", "<=", ">", ">="],
        numbers: -4..=4,
    },
    Family {
        declarations: "(declare-const a Int)(declare-const b Int)(declare-const c Int)",
        domain: &["(<= (- 4) a 4)", "(<= (- 4) b 4)", "(<= (- 4) c 4)"],
        leaves: &["a", "b", "c", "0", "1", "2", "(- 3)"],
        functions: &["+", "-", "*", "*"],
        relations: &["=", "distinct", "<", "<=", ">", ">="],
        numbers: -4..=4,
    },
    Family {
        declarations: "(declare-const a (_ FloatingPoint 2 3))(declare-const b (_ FloatingPoint 2 3))",
        domain: &[],
        leaves: &["a", "b", "(_ +zero 2 3)", "(fp #b0 #b01 #b00)", "(_ NaN 2 3)"],
        functions: &["fp.add RNE", "fp.sub RTZ", "fp.mul RTP", "fp.div RNE"],
        relations: &["=", "distinct", "fp.lt", "fp.leq", "fp.eq", "fp.gt"],
        numbers: 0..=0,
    },
];

impl Family {
    fn term(&self, rng: &mut Rng, depth: u64) -> String {
        if depth == 0 || rng.below(3) == 0 {
            return rng.pick(self.leaves).into();
        }
        let (f, x, y) = (rng.pick(self.functions), self.term(rng, depth - 1), self.term(rng, depth - 1));
        format!("({f} {x} {y})")
    }

    fn formula(&self, rng: &mut Rng, depth: u64) -> String {
        match rng.below(if depth == 0 { 1 } else { 5 }) {
            0 | 1 => format!("({} {} {})", rng.pick(self.relations), self.term(rng, 2), self.term(rng, 2)),
            2 => format!("(not {})", self.formula(rng, depth - 1)),
            3 => format!("(or {} {})", self.formula(rng, depth - 1), self.formula(rng, depth - 1)),
            _ => format!(
                "(ite {} {} {})",
                self.formula(rng, depth - 1),
                self.formula(rng, depth - 1),
                self.formula(rng, depth - 1)
            ),
        }
    }

    /// Whether there is a model, by trying everything.
    fn brute_force(&self, terms: &Terms, constants: &[FunId], conjuncts: &[TermId]) -> bool {
        let lists: Vec<Vec<Value>> = constants
            .iter()
            .map(|&c| {
                values_of(terms, terms.fun(c).result, 1 << 10)
                    .unwrap_or_else(|| self.numbers.clone().map(|i| Value::Int(i.into())).collect())
            })
            .collect();
        let count: usize = lists.iter().map(Vec::len).product();
        (0..count).any(|mut number| {
            let mut model = Model::default();
            for (&constant, list) in constants.iter().zip(&lists) {
                model.set(constant, list[number % list.len()].clone());
                number /= list.len();
            }
            let mut evaluator = Evaluator::new(terms, &model);
            conjuncts.iter().all(|&t| evaluator.truth(t) == Ok(true))
        })
    }
}

#[test]
fn auto_agrees_with_brute_force() {
    for (number, family) in FAMILIES.iter().enumerate() {
        let mut rng = Rng::new(0x9E37_79B9 + number as u64);
        let mut decided = 0;
        for _ in 0..40 {
            let mut source = family.declarations.to_string();
            for conjunct in family.domain {
                source.push_str(&format!("(assert {conjunct})"));
            }
            for _ in 0..2 + rng.below(3) {
                source.push_str(&format!("(assert {})", family.formula(&mut rng, 2)));
            }
            let mut terms = Terms::new();
            let reading = read_script(&mut terms, &source);
            assert!(reading.errors.is_empty(), "{source}: {:?}", reading.errors);
            let query = Query::new(reading.script.assertions().collect());
            let declared = |command: &Command| {
                if let Command::DeclareConst(fun) = command { Some(*fun) } else { None }
            };
            let constants: Vec<FunId> = reading.script.commands.iter().filter_map(declared).collect();
            let truth = family.brute_force(&terms, &constants, &query.assertions);
            // A new arena for every query: what an engine learnt belongs to the old one.
            let mut engine = engines::make(engines::AUTO, 1).expect("the portfolio");
            let mut budget = Budget::unlimited().slice(400_000);
            match engine.solve(&mut terms, &query, &mut budget, &mut NoPartials) {
                Verdict::Sat(model) => {
                    assert!(truth && satisfies(&terms, &model, &query.assertions), "{source}");
                    decided += 1;
                }
                Verdict::Unsat(core) => {
                    let core: Vec<TermId> = core.iter().map(|&i| query.assertions[i]).collect();
                    assert!(!family.brute_force(&terms, &constants, &core), "wrong core of {source}");
                    decided += 1;
                }
                Verdict::Unknown(reason) => {
                    let features = Profile::of(&terms, &query.assertions).features;
                    let decider = engines::TABLE.iter().find(|r| r.decides.is_some_and(|d| d.has(features)));
                    let name = decider.map(|row| row.name);
                    assert_eq!(name, None, "{reason} although there is an engine that decides {source}");
                }
            }
        }
        assert!(decided > 0, "family {number}");
    }
}

/// Random sequences of assertions, levels and checks over several groups of constants.
fn sequence(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut script = String::new();
    let names: Vec<String> = (0..9).map(|i| format!("p{i}")).collect();
    for name in &names {
        script.push_str(&format!("(declare-const {name} Bool)"));
    }
    let mut levels = 0;
    for _ in 0..60 {
        // Three groups of three constants, so that there is something to split.
        let group = 3 * rng.below(3);
        let mut literal = || {
            let name = &names[group + rng.below(3)];
            if rng.below(2) == 0 { name.clone() } else { format!("(not {name})") }
        };
        let clause = format!("(or {} {})", literal(), literal());
        let single = literal();
        match rng.below(8) {
            0 => {
                script.push_str("(push 1)");
                levels += 1;
            }
            1 if levels > 0 => {
                script.push_str("(pop 1)");
                levels -= 1;
            }
            2 | 3 => script.push_str(&format!("(assert {clause})")),
            4 => script.push_str(&format!("(assert {single})")),
            5 => script.push_str(&format!("(check-sat-assuming ({single} {}))", names[0])),
            _ => script.push_str("(check-sat)"),
        }
    }
    script
}

#[test]
fn caches_and_independence_do_not_change_verdicts() {
    let answers = |script: &str, cache: bool, independence: bool| -> (Vec<Answer>, u64) {
        let settings = SessionSettings { cache, independence, ..SessionSettings::default() };
        let mut session = Session::new(settings).expect("the engine auto");
        let reply = session.submit(script);
        assert_eq!(reply.errors, 0, "{}", reply.text);
        let hits = session
            .statistics()
            .iter()
            .filter(|(name, _)| name.starts_with("cache-") && !name.ends_with("misses"))
            .map(|(_, n)| n)
            .sum();
        (reply.checks.iter().map(|c| c.answer).collect(), hits)
    };
    let mut hits = 0;
    for seed in 1..60 {
        let script = sequence(seed);
        let (plain, none) = answers(&script, false, false);
        assert_eq!(none, 0);
        assert!(plain.iter().all(|a| matches!(a, Answer::Sat | Answer::Unsat)), "{script}");
        for (cache, independence) in [(true, false), (false, true), (true, true)] {
            let (other, found) = answers(&script, cache, independence);
            assert_eq!(plain, other, "{script}");
            hits += found;
        }
    }
    assert!(hits > 100, "the caches were not tested: {hits} hits");
}

#[test]
fn every_way_of_the_cache_is_taken() {
    let script = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
        (push)(assert (or p q))(assert r)(check-sat)(pop)
        (push)(assert r)(check-sat)(pop)
        (push)(assert (or p q))(assert r)(assert (or q r))(check-sat)(pop)
        (push)(assert p)(assert (not p))(check-sat)(check-sat)(assert q)(check-sat)(pop)";
    let settings = SessionSettings { independence: false, ..SessionSettings::default() };
    let mut session = Session::new(settings).expect("the engine auto");
    assert_eq!(session.submit(script).text, "sat\nsat\nsat\nunsat\nunsat\nunsat\n");
    let statistics = session.statistics();
    let count = |name: &str| statistics.iter().find(|(n, _)| *n == name).expect("counted").1;
    assert_eq!(
        [
            "cache-exact-hits",
            "cache-unsat-subset-hits",
            "cache-sat-superset-hits",
            "cache-model-reuses",
            "cache-misses"
        ]
        .map(count),
        [1, 1, 1, 1, 2]
    );
}
