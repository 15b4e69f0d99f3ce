//! The strategy `fusion` (Winterer, Zhang and Su 2020): two seeds become one formula, in which variables of the one
//! depend on variables of the other. For variables `x` and `y` a fresh `z` is said to be `f(x, y)`; then `x` equals a term in `z`
//! and `y`, which takes its place here and there, and the same for `y`. The fused formula is equisatisfiable with the conjunction
//! of the seeds: satisfiable if both are, unsatisfiable if one is.
//!
//! Owns the table of functions (`FUSIONS`), each row checked against the evaluator, and the renaming that keeps the seeds'
//! symbols apart. Where both seeds have models, the fused one is evaluated too.

use crate::approx::Seed;
use crate::case::{Batch, Expectation, Origin, Rejected, Strategy, TestCase, Verdict};
use crate::context::Problem;
use crate::mutate::witness_of;
use crate::tuning::fusion::STEPS;
use random::Rng;
use rustc_hash::FxHashMap;
use smt::walk::reachable;
use smt::{Command, Evaluator, FunId, Model, Op, Script, Sort, SortId, TermId, TermMap, Terms};

/// What a fusion makes of `x`, `y`, `z` and a fresh Boolean: the value of `z`, and what equals `x` and `y` then.
type Fuse = fn(&mut Terms, TermId, TermId, TermId, TermId) -> Option<[TermId; 3]>;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Fusion {
    /// The name that reports and `mutations.json` use.
    pub name: &'static str,
    /// Whether it is for a sort.
    suits: fn(&Sort) -> bool,
    fuse: Fuse,
}

fn app(terms: &mut Terms, op: Op, args: &[TermId]) -> Option<TermId> {
    terms.app(op, args).ok()
}

/// How two variables are made one, and how each is got back.
pub(crate) static FUSIONS: &[Fusion] = &[
    Fusion {
        name: "sum",
        suits: |sort| matches!(sort, Sort::Int | Sort::Real),
        fuse: |t, x, y, z, _| {
            Some([app(t, Op::Add, &[x, y])?, app(t, Op::Sub, &[z, y])?, app(t, Op::Sub, &[z, x])?])
        },
    },
    Fusion {
        name: "difference",
        suits: |sort| matches!(sort, Sort::Int | Sort::Real),
        fuse: |t, x, y, z, _| {
            Some([app(t, Op::Sub, &[x, y])?, app(t, Op::Add, &[z, y])?, app(t, Op::Sub, &[x, z])?])
        },
    },
    Fusion {
        name: "bit-vector sum",
        suits: |sort| matches!(sort, Sort::BitVec(_)),
        fuse: |t, x, y, z, _| {
            Some([app(t, Op::BvAdd, &[x, y])?, app(t, Op::BvSub, &[z, y])?, app(t, Op::BvSub, &[z, x])?])
        },
    },
    Fusion {
        name: "bit-vector xor",
        suits: |sort| matches!(sort, Sort::BitVec(_)),
        fuse: |t, x, y, z, _| {
            Some([app(t, Op::BvXor, &[x, y])?, app(t, Op::BvXor, &[z, y])?, app(t, Op::BvXor, &[x, z])?])
        },
    },
    Fusion {
        name: "xor",
        suits: |sort| matches!(sort, Sort::Bool),
        fuse: |t, x, y, z, _| {
            Some([app(t, Op::Xor, &[x, y])?, app(t, Op::Xor, &[z, y])?, app(t, Op::Xor, &[x, z])?])
        },
    },
    Fusion {
        name: "concatenation",
        suits: |sort| matches!(sort, Sort::String),
        fuse: |t, x, y, z, _| {
            let zero = t.int(0);
            let (lx, ly) = (app(t, Op::StrLen, &[x])?, app(t, Op::StrLen, &[y])?);
            Some([
                app(t, Op::StrConcat, &[x, y])?,
                app(t, Op::StrSubstr, &[z, zero, lx])?,
                app(t, Op::StrSubstr, &[z, lx, ly])?,
            ])
        },
    },
    Fusion {
        name: "choice",
        suits: |sort| !matches!(sort, Sort::RegLan | Sort::Function(..)),
        fuse: |t, x, y, z, c| {
            Some([app(t, Op::Ite, &[c, x, y])?, app(t, Op::Ite, &[c, z, x])?, app(t, Op::Ite, &[c, y, z])?])
        },
    },
];

/// The strategy that makes one formula of two seeds.
#[derive(Clone, Debug)]
pub struct Fused {
    seeds: Vec<Seed>,
    mutants: usize,
}

impl Fused {
    /// So many fusions of each pair: every seed with one that the run's seed chooses.
    pub fn new(seeds: Vec<Seed>, mutants: usize) -> Fused {
        Fused { seeds, mutants }
    }

    /// A batch of one pair.
    pub(crate) fn of_pair<'a>(
        pair: [&Seed; 2],
        mutants: usize,
        rng: Rng,
    ) -> Result<Box<dyn Batch + 'a>, Rejected> {
        Ok(Box::new(Pair::new(pair, mutants, rng)?))
    }
}

impl Strategy for Fused {
    fn name(&self) -> &'static str {
        "fusion"
    }

    fn batches(&self) -> Option<u64> {
        Some(self.seeds.len() as u64)
    }

    fn batch(&self, number: u64, mut rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let first = usize::try_from(number).ok().and_then(|n| self.seeds.get(n));
        let first = first.ok_or_else(|| Rejected(format!("there is no seed number {number}")))?;
        // Seeds of one logic share more sorts.
        let alike: Vec<&Seed> =
            self.seeds.iter().filter(|s| s.kind() == first.kind() && *s != first).collect();
        let second = match rng.choose(&alike) {
            Some(second) if !rng.one_in(4) => second,
            _ => &self.seeds[rng.below(self.seeds.len())],
        };
        Fused::of_pair([first, second], self.mutants, rng)
    }
}

/// A seed of a pair.
struct Half {
    name: String,
    script: Script,
    problem: Problem,
    verdict: Option<Verdict>,
    witness: Option<Model>,
}

/// Two seeds in one arena.
struct Pair {
    terms: Terms,
    rng: Rng,
    halves: [Half; 2],
    /// Which seed was given last.
    given: usize,
    left: usize,
}

impl Pair {
    fn new(seeds: [&Seed; 2], mutants: usize, rng: Rng) -> Result<Pair, Rejected> {
        let mut terms = Terms::new();
        let mut load = |seed: &Seed, rename: bool| -> Result<Half, Rejected> {
            let name = seed.name();
            let mut script = seed.load(&mut terms)?.script;
            if rename {
                script = renamed(&mut terms, &script).ok_or_else(|| {
                    Rejected(format!("{name}: fusion takes no declared sorts or definitions"))
                })?;
            }
            let origin = Origin::Seed(name.clone());
            let case = TestCase { script, expected: vec![Expectation::Open], origin };
            let problem = Problem::of(&terms, &case)
                .ok_or_else(|| Rejected(format!("{name}: fusion takes scripts with one query at the end")))?;
            Ok(Half { name, script: case.script, problem, verdict: None, witness: None })
        };
        let halves = [load(seeds[0], false)?, load(seeds[1], true)?];
        Ok(Pair { terms, rng, halves, given: 0, left: mutants })
    }

    fn fused(&mut self) -> Option<TestCase> {
        let Pair { terms, rng, halves, .. } = self;
        let verdicts = [halves[0].verdict?, halves[1].verdict?];
        let expected = match verdicts {
            [Verdict::Sat, Verdict::Sat] => Expectation::Sat,
            [Verdict::Unsat, _] | [_, Verdict::Unsat] => Expectation::Unsat { core: None },
            _ => return None,
        };
        let mut declarations: Vec<Command> =
            halves.iter().flat_map(|h| h.problem.declarations.clone()).collect();
        let mut parts = [halves[0].problem.assertions.clone(), halves[1].problem.assertions.clone()];
        let (mut definitions, mut values, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..1 + rng.below(2) {
            let Some((x, y)) = common(terms, halves, rng) else { continue };
            let sort = terms.sort(x);
            let rows: Vec<&Fusion> = FUSIONS.iter().filter(|row| (row.suits)(terms.sort_of(sort))).collect();
            let row = rng.choose(&rows)?;
            let [z, c] = [sort, SortId::BOOL].map(|sort| {
                let name = terms.fresh_symbol("fused");
                let fun = terms.declare(name, &[], sort);
                declarations.push(Command::DeclareConst(fun));
                terms.apply(fun, &[]).expect("a constant takes no arguments")
            });
            let [value, for_x, for_y] = (row.fuse)(terms, x, y, z, c)?;
            for (part, constant, by) in [(0, x, for_x), (1, y, for_y)] {
                for assertion in &mut parts[part] {
                    if rng.one_in(2) {
                        *assertion =
                            terms.substitute(&[*assertion], &TermMap::from_iter([(constant, by)]))[0];
                    }
                }
            }
            definitions.push(terms.mk(Op::Eq, &[z, value]));
            values.push((z, c, value));
            names.push(row.name);
        }
        if names.is_empty() {
            return None;
        }
        let mut assertions = parts.concat();
        assertions.extend(definitions);
        let certain = expected == Expectation::Sat && holds(terms, halves, &values, &assertions);
        let all = terms.symbol("ALL");
        let settings = vec![Command::SetLogic(all)];
        let (script, expected) = Problem { settings, declarations, assertions, expected }.plain();
        let name = format!("{} with {}, {}", halves[0].name, halves[1].name, names.join(" "));
        Some(TestCase { script, expected, origin: Origin::Framed { name, certain } })
    }
}

/// Whether the seeds' models, with the values of the fresh constants, satisfy the fused formula.
fn holds(
    terms: &Terms,
    halves: &[Half; 2],
    fresh: &[(TermId, TermId, TermId)],
    assertions: &[TermId],
) -> bool {
    let [Some(first), Some(second)] = [&halves[0].witness, &halves[1].witness] else { return false };
    let mut model = first.clone();
    for fun in second.functions() {
        if let Some(interpretation) = second.interpretation(fun) {
            model.insert(fun, interpretation.clone());
        }
    }
    for &(z, c, value) in fresh {
        model.set(terms.as_fun(c).expect("a constant"), smt::Value::Bool(true));
        let Ok(value) = Evaluator::new(terms, &model).with_steps(STEPS).eval(value) else { return false };
        model.set(terms.as_fun(z).expect("a constant"), value);
    }
    let mut evaluator = Evaluator::new(terms, &model).with_steps(STEPS);
    assertions.iter().all(|&a| evaluator.truth(a) == Ok(true))
}

/// A constant of each seed, of one sort.
fn common(terms: &Terms, halves: &[Half; 2], rng: &mut Rng) -> Option<(TermId, TermId)> {
    let of = |half: &Half| -> Vec<TermId> {
        reachable(terms, &half.problem.assertions)
            .into_iter()
            .filter(|&t| {
                terms.op(t) == Op::Apply
                    && terms.args(t).is_empty()
                    && !terms.is_function_symbol(t)
                    && terms.as_fun(t).is_some_and(|f| terms.fun(f).definition.is_none())
            })
            .collect()
    };
    let (first, second) = (of(&halves[0]), of(&halves[1]));
    let pairs: Vec<(TermId, TermId)> = first
        .iter()
        .flat_map(|&x| second.iter().map(move |&y| (x, y)))
        .filter(|&(x, y)| terms.sort(x) == terms.sort(y))
        .take(400)
        .collect();
    rng.choose(&pairs)
}

/// The script with fresh names for all that it declares; `None` if it declares more than constants and functions.
fn renamed(terms: &mut Terms, script: &Script) -> Option<Script> {
    let mut names: FxHashMap<FunId, FunId> = FxHashMap::default();
    let mut out = Script::default();
    for command in &script.commands {
        match command {
            Command::DeclareFun(fun) | Command::DeclareConst(fun) => {
                let decl = terms.fun(*fun).clone();
                let name = terms.fresh_symbol("other");
                let new = terms.declare(name, &decl.params, decl.result);
                names.insert(*fun, new);
                out.push(Command::DeclareFun(new));
            }
            Command::Assert(term) => {
                let term = rename_term(terms, *term, &names)?;
                out.push(Command::Assert(term));
            }
            Command::SetLogic(_) | Command::SetInfo(..) | Command::CheckSat => out.push(command.clone()),
            _ => return None,
        }
    }
    Some(out)
}

fn rename_term(terms: &mut Terms, root: TermId, names: &FxHashMap<FunId, FunId>) -> Option<TermId> {
    let mut done = TermMap::default();
    let mut args = Vec::new();
    for term in reachable(terms, &[root]) {
        args.clear();
        args.extend(terms.args(term).iter().map(|a| *done.get(a).unwrap_or(a)));
        let fun =
            if terms.op(term) == Op::Apply { terms.as_fun(term).and_then(|f| names.get(&f)) } else { None };
        let new = match fun {
            Some(_) if terms.is_function_symbol(term) => return None,
            Some(&fun) => terms.apply(fun, &args).ok()?,
            None if terms.args(term) == &args[..] => term,
            None => terms.rebuild(term, &args),
        };
        if new != term {
            done.insert(term, new);
        }
    }
    Some(*done.get(&root).unwrap_or(&root))
}

impl Batch for Pair {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn next(&mut self) -> Option<TestCase> {
        if self.given < 2 {
            // The second seed is not asked before the first is settled, nor anything before both are.
            if self.given == 1 && self.halves[0].verdict.is_none() {
                return None;
            }
            let half = &self.halves[self.given];
            self.given += 1;
            let (script, expected) = (half.script.clone(), vec![Expectation::Open]);
            return Some(TestCase { script, expected, origin: Origin::Seed(half.name.clone()) });
        }
        self.left = self.left.checked_sub(1)?;
        (0..8).find_map(|_| self.fused())
    }

    fn witness(&mut self, models: &[Option<String>]) {
        if let (Some(Some(model)), Some(at)) = (models.first(), self.given.checked_sub(1)) {
            self.halves[at].witness = witness_of(&mut self.terms, &self.halves[at].script, model);
        }
    }

    fn settle(&mut self, verdicts: &[Verdict]) {
        if let (Some(at), [verdict]) = (self.given.checked_sub(1), verdicts) {
            self.halves[at].verdict.get_or_insert(*verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Value;

    /// With `z` as the row says, the two terms are `x` and `y`.
    #[test]
    fn every_row_gives_back_what_it_took() {
        let mut terms = Terms::new();
        let sorts = [
            SortId::INT,
            SortId::REAL,
            SortId::BOOL,
            SortId::STRING,
            terms.bit_vec_sort(3),
            terms.float_sort(3, 4),
        ];
        let mut tried = 0;
        for row in FUSIONS {
            for sort in sorts {
                if !(row.suits)(terms.sort_of(sort)) {
                    continue;
                }
                let mut rng = Rng::named(1, row.name);
                for _ in 0..20 {
                    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol_constant(name, sort));
                    let c = terms.symbol_constant("c", SortId::BOOL);
                    let [value, for_x, for_y] = (row.fuse)(&mut terms, x, y, z, c).expect("it fits");
                    let mut model = Model::default();
                    for var in [x, y] {
                        let value = crate::truth::random_value(&terms, &mut rng, sort);
                        model.set(terms.as_fun(var).expect("a constant"), value);
                    }
                    model.set(terms.as_fun(c).expect("a constant"), Value::Bool(rng.one_in(2)));
                    let value = Evaluator::new(&terms, &model).eval(value).expect("a value");
                    model.set(terms.as_fun(z).expect("a constant"), value);
                    let mut evaluator = Evaluator::new(&terms, &model);
                    assert_eq!(evaluator.eval(for_x), evaluator.eval(x), "{}", row.name);
                    assert_eq!(evaluator.eval(for_y), evaluator.eval(y), "{}", row.name);
                    tried += 1;
                }
            }
        }
        assert!(tried >= 200, "{tried}");
    }

    fn pair(second: &str, verdicts: [Verdict; 2], models: [Option<&str>; 2]) -> Vec<TestCase> {
        let first =
            "(declare-const x Int)(declare-fun f (Int) Int)(assert (> (f x) x))(assert (> x 2))(check-sat)";
        let seeds = [Seed::Text("a".into(), first.into()), Seed::Text("b".into(), second.into())];
        let mut batch = Pair::new([&seeds[0], &seeds[1]], 20, Rng::new(1)).expect("a pair");
        for (verdict, model) in verdicts.into_iter().zip(models) {
            batch.next().expect("a seed");
            let model = model.map(|m| {
                // The second seed's symbols have other names by now.
                let fun = batch.halves[1].script.commands.iter().find_map(|c| match c {
                    Command::DeclareFun(fun) => Some(*fun),
                    _ => None,
                });
                m.replace("OTHER", fun.map_or("", |f| batch.terms.fun_name(f)))
            });
            batch.witness(&[model]);
            batch.settle(&[verdict]);
        }
        std::iter::from_fn(|| batch.next()).collect()
    }

    #[test]
    fn what_is_expected_follows_from_both() {
        let second = "(declare-const x Int)(assert (= (* x x) 9))(check-sat)";
        let sat = pair(
            second,
            [Verdict::Sat; 2],
            [
                Some("((define-fun x () Int 3)(define-fun f ((a Int)) Int 7))"),
                Some("((define-fun OTHER () Int 3))"),
            ],
        );
        assert!(sat.len() > 10);
        assert!(sat.iter().all(|c| c.expected == [Expectation::Sat]));
        assert!(sat.iter().all(|c| matches!(c.origin, Origin::Framed { certain: true, .. })));
        let wrong = pair(second, [Verdict::Sat; 2], [None, Some("((define-fun OTHER () Int 4))")]);
        assert!(wrong.iter().all(|c| matches!(c.origin, Origin::Framed { certain: false, .. })));
        let unsat = pair(second, [Verdict::Sat, Verdict::Unsat], [None, None]);
        assert!(unsat.iter().all(|c| c.expected == [Expectation::Unsat { core: None }]));
        assert!(pair(second, [Verdict::Unknown, Verdict::Sat], [None, None]).is_empty());
    }
}
