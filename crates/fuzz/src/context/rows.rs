//! The table of contexts, and how each is built.

use super::{Context, ContextScope, Problem, Stage};
use crate::case::Expectation;
use random::Rng;
use smt::walk::reachable;
use smt::{AttributeValue, Command, FunId, Op, Script, Sort, SortId, TermId, TermMap, Terms};

/// What a row gives.
type Built = Option<(Script, Vec<Expectation>)>;

/// Solvers that take formulas for assumptions; the standard has literals only.
const FORMULAS_AS_ASSUMPTIONS: &[&str] = &["z3", "cvc5", "bitwuzla", "soundline"];
/// Solvers that tell which assumptions failed.
const FAILED_ASSUMPTIONS: &[&str] = &["z3", "cvc5", "bitwuzla", "yices-smt2", "soundline"];
/// Solvers with recursive definitions.
const RECURSION: &[&str] = &["z3", "cvc5"];
/// Solvers with constants that are regular expressions; the standard has none.
const LANGUAGES_AS_CONSTANTS: &[&str] = &["z3", "cvc5"];
/// Solvers with quantifiers.
const QUANTIFIERS: &[&str] = &["z3", "cvc5", "cvc4", "bitwuzla", "yices-smt2", "oxiz"];

/// The table of contexts; each row says why the truth stays.
pub static CONTEXTS: &[Context] = &[
    Context {
        name: "plain",
        scope: ContextScope::Script,
        because: "nothing is added",
        solvers: &[],
        build: |_, p, _| Some(p.plain()),
    },
    Context {
        name: "pushed",
        scope: ContextScope::Script,
        because: "a scope holds what is asserted in it",
        solvers: &[],
        build: pushed,
    },
    Context {
        name: "checked-twice",
        scope: ContextScope::Script,
        because: "a query changes nothing",
        solvers: &[],
        build: checked_twice,
    },
    Context {
        name: "growing",
        scope: ContextScope::Script,
        because: "nothing is satisfiable, and so is a part of what is satisfiable",
        solvers: &[],
        build: growing,
    },
    Context {
        name: "after-negation",
        scope: ContextScope::Script,
        because: "what was asserted in a scope goes with it",
        solvers: &[],
        build: after_negation,
    },
    Context {
        name: "after-unrelated",
        scope: ContextScope::Script,
        because: "what was asserted in a scope goes with it; two constants of a sort with two values can differ",
        solvers: &[],
        build: after_unrelated,
    },
    Context {
        name: "levels",
        scope: ContextScope::Script,
        because: "a part of what is satisfiable is satisfiable",
        solvers: &[],
        build: levels,
    },
    Context {
        name: "split",
        scope: ContextScope::Script,
        because: "what was asserted in a scope goes with it",
        solvers: &[],
        build: split,
    },
    Context {
        name: "walk",
        scope: ContextScope::Script,
        because: "a part of what is satisfiable is satisfiable, and what has an unsatisfiable part is not",
        solvers: &[],
        build: walk,
    },
    Context {
        name: "assuming-literals",
        scope: ContextScope::Script,
        because: "the fresh literals are free, so that assuming them is asserting what they imply",
        solvers: &[],
        build: assuming_literals,
    },
    Context {
        name: "assuming-equal",
        scope: ContextScope::Script,
        because: "the fresh literals are defined by what is assumed",
        solvers: &[],
        build: assuming_equal,
    },
    Context {
        name: "assuming-formulas",
        scope: ContextScope::Script,
        because: "assuming is asserting for one query",
        solvers: FORMULAS_AS_ASSUMPTIONS,
        build: assuming_formulas,
    },
    Context {
        name: "assuming-core",
        scope: ContextScope::Script,
        because: "the fresh literals are free; which of them failed is asked and judged by its own",
        solvers: FAILED_ASSUMPTIONS,
        build: assuming_core,
    },
    Context {
        name: "after-reset",
        scope: ContextScope::Script,
        because: "reset-assertions removes what was asserted, and declarations are global",
        solvers: &[],
        build: after_reset,
    },
    Context {
        name: "named",
        scope: ContextScope::Script,
        because: "names mean nothing; solvers keep track of cores, and a core is judged by its own",
        solvers: &[],
        build: named,
    },
    Context {
        name: "conjunction",
        scope: ContextScope::Formula,
        because: "asserting formulas is asserting their conjunction",
        solvers: &[],
        build: conjunction,
    },
    Context {
        name: "negated-disjunction",
        scope: ContextScope::Formula,
        because: "de Morgan",
        solvers: &[],
        build: negated_disjunction,
    },
    Context {
        name: "defined",
        scope: ContextScope::Formula,
        because: "a definition is an abbreviation",
        solvers: &[],
        build: |terms, p, rng| defined(terms, p, rng, false),
    },
    Context {
        name: "defined-rec",
        scope: ContextScope::Formula,
        because: "a definition that does not use itself is an abbreviation",
        solvers: RECURSION,
        build: |terms, p, rng| defined(terms, p, rng, true),
    },
    Context {
        name: "ite",
        scope: ContextScope::Formula,
        because: "both branches are the same value, whatever the fresh condition is",
        solvers: &[],
        build: in_ite,
    },
    Context {
        name: "part",
        scope: ContextScope::Formula,
        because: "a fresh constant that an assertion makes equal to a term can stand for it",
        solvers: &[],
        build: |terms, p, rng| for_part(terms, p, rng, false),
    },
    Context {
        name: "language",
        scope: ContextScope::Formula,
        because: "a fresh constant that an assertion makes equal to a language can stand for it",
        solvers: LANGUAGES_AS_CONSTANTS,
        build: |terms, p, rng| for_part(terms, p, rng, true),
    },
    Context {
        name: "exists",
        scope: ContextScope::Formula,
        because: "a formula is satisfiable if and only if some value of a constant satisfies it",
        solvers: QUANTIFIERS,
        build: exists,
    },
    Context {
        name: "axiom",
        scope: ContextScope::Formula,
        because: "a fresh function can be what its axiom says at every point",
        solvers: QUANTIFIERS,
        build: as_axiom,
    },
    Context {
        name: "function",
        scope: ContextScope::Formula,
        because: "a fresh function of a fresh constant can be every value that the constant it stands for can be",
        solvers: &[],
        build: in_function,
    },
    Context {
        name: "array",
        scope: ContextScope::Formula,
        because: "an element of a fresh array can be every value that the constant it stands for can be",
        solvers: &[],
        build: in_array,
    },
    Context {
        name: "objective",
        scope: ContextScope::Script,
        because: "an objective chooses among models",
        solvers: &["z3"],
        build: objective,
    },
    Context {
        name: "soft",
        scope: ContextScope::Script,
        because: "a soft assertion may be given up",
        solvers: &["z3"],
        build: soft,
    },
];

fn pushed(_: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    let outside = rng.one_in(2);
    if outside {
        stage.declare(p);
    }
    stage.open();
    if !outside {
        stage.declare(p);
    }
    stage.assert_all(&p.assertions);
    stage.check(p.expected.clone());
    Some(stage.end())
}

fn checked_twice(_: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    stage.assert_all(&p.assertions);
    stage.check(p.expected.clone());
    stage.check(p.expected.clone());
    Some(stage.end())
}

/// One assertion after the other in one scope, with a query before the first and after each.
fn growing(_: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    // A recursive definition may have no solution.
    let recursive = p.declarations.iter().any(|command| matches!(command, Command::DefineFunsRec(_)));
    stage.check(if recursive { Expectation::Open } else { Expectation::Sat });
    let part = if p.expected == Expectation::Sat { Expectation::Sat } else { Expectation::Open };
    let (last, before) = p.assertions.split_last()?;
    for &assertion in before {
        stage.assert_all(&[assertion]);
        stage.check(part.clone());
    }
    stage.assert_all(&[*last]);
    stage.check(p.expected.clone());
    Some(stage.end())
}

/// What a query of the formula's negation tells is left open: both may be satisfiable.
fn after_negation(terms: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    let all = all_of(terms, &p.assertions);
    let negation = terms.mk(Op::Not, &[all]);
    stage.open();
    stage.assert_all(&[negation]);
    stage.check(Expectation::Open);
    stage.close();
    stage.assert_all(&p.assertions);
    stage.check(p.expected.clone());
    Some(stage.end())
}

fn after_unrelated(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    let sorts = sorts_of(terms, p);
    let sort = rng.choose(&sorts).unwrap_or(SortId::BOOL);
    stage.open();
    let [a, b] = [(); 2].map(|()| fresh(terms, "other", &[], sort));
    stage.push_command(Command::DeclareConst(a.0));
    stage.push_command(Command::DeclareConst(b.0));
    let distinct = terms.mk(Op::Distinct, &[a.1, b.1]);
    stage.assert_all(&[distinct]);
    stage.check(Expectation::Sat);
    stage.close();
    stage.assert_all(&p.assertions);
    stage.check(p.expected.clone());
    Some(stage.end())
}

/// Each assertion in a scope of its own, with a query in each.
fn levels(_: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    let (last, before) = p.assertions.split_last()?;
    let part = if p.expected == Expectation::Sat { Expectation::Sat } else { Expectation::Open };
    for &assertion in before {
        stage.open();
        stage.assert_all(&[assertion]);
        stage.check(part.clone());
    }
    stage.open();
    stage.assert_all(&[*last]);
    stage.check(p.expected.clone());
    Some(stage.end())
}

/// A part, then something else in a scope that goes, then the rest.
fn split(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    let at = rng.below(p.assertions.len() + 1);
    let (first, rest) = p.assertions.split_at(at);
    stage.open();
    stage.assert_all(first);
    stage.open();
    let negated = terms.mk(Op::Not, &[rng.pick(&p.assertions)]);
    stage.assert_all(&[negated]);
    stage.check(Expectation::Open);
    stage.close();
    stage.open();
    stage.assert_all(rest);
    stage.check(p.expected.clone());
    Some(stage.end())
}

/// Scopes that open and close at random, with assertions, their negations and queries in between, and at the end all that is
/// asserted. What is known of a query depends on what is in force at it.
fn walk(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    // For each open scope: which assertions stand there, and whether the negation of one does.
    let mut levels: Vec<(Vec<usize>, bool)> = vec![(Vec::new(), false)];
    let known = |levels: &[(Vec<usize>, bool)]| {
        let negated = levels.iter().any(|(_, negated)| *negated);
        let all = (0..p.assertions.len()).all(|i| levels.iter().any(|(there, _)| there.contains(&i)));
        match p.expected {
            Expectation::Sat if !negated => Expectation::Sat,
            Expectation::Unsat { .. } if all => p.expected.clone(),
            _ => Expectation::Open,
        }
    };
    for _ in 0..4 + rng.below(8) {
        let inside = levels.len() > 1;
        let (there, negated) = levels.last_mut().expect("the outermost scope stays");
        match rng.below(8) {
            0 | 1 => {
                stage.open();
                levels.push((Vec::new(), false));
            }
            2 if inside => {
                stage.close();
                levels.pop();
            }
            // What is negated in the outermost scope could not be taken back.
            3 if inside => {
                let wrong = terms.mk(Op::Not, &[rng.pick(&p.assertions)]);
                stage.assert_all(&[wrong]);
                *negated = true;
            }
            4 | 5 => {
                let number = rng.below(p.assertions.len());
                stage.assert_all(&[p.assertions[number]]);
                there.push(number);
            }
            _ => stage.check(known(&levels)),
        }
    }
    while levels.iter().any(|(_, negated)| *negated) {
        stage.close();
        levels.pop();
    }
    let missing = |i: &usize| !levels.iter().any(|(there, _)| there.contains(i));
    let rest: Vec<TermId> = (0..p.assertions.len()).filter(missing).map(|i| p.assertions[i]).collect();
    stage.assert_all(&rest);
    stage.check(p.expected.clone());
    Some(stage.end())
}

fn assuming(terms: &mut Terms, p: &Problem, op: Op) -> Built {
    Some(assumed(terms, p, op).end())
}

/// The same, and the question which of the literals failed.
fn assuming_core(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let op = if rng.one_in(2) { Op::Implies } else { Op::Eq };
    let mut stage = assumed(terms, p, op);
    stage.option(terms, ":produce-unsat-assumptions", "true");
    if p.expected != Expectation::Sat {
        stage.push_command(Command::GetUnsatAssumptions);
    }
    Some(stage.end())
}

/// A fresh literal for each assertion, and one query that assumes them all.
fn assumed(terms: &mut Terms, p: &Problem, op: Op) -> Stage {
    let mut stage = Stage::new(p);
    stage.declare(p);
    let mut literals = Vec::new();
    for &assertion in &p.assertions {
        let (fun, literal) = fresh(terms, "assumed", &[], SortId::BOOL);
        stage.push_command(Command::DeclareConst(fun));
        let link = terms.mk(op, &[literal, assertion]);
        stage.assert_all(&[link]);
        literals.push(literal);
    }
    stage.check_assuming(&literals, p.expected.clone());
    stage
}

fn assuming_literals(terms: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    assuming(terms, p, Op::Implies)
}

fn assuming_equal(terms: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    assuming(terms, p, Op::Eq)
}

fn assuming_formulas(_: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    let at = rng.below(p.assertions.len());
    let (first, rest) = p.assertions.split_at(at);
    stage.assert_all(first);
    stage.check_assuming(rest, p.expected.clone());
    Some(stage.end())
}

fn after_reset(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.option(terms, ":global-declarations", "true");
    stage.declare(p);
    let negated = terms.mk(Op::Not, &[rng.pick(&p.assertions)]);
    stage.assert_all(&[negated]);
    stage.check(Expectation::Open);
    stage.push_command(Command::ResetAssertions);
    stage.assert_all(&p.assertions);
    stage.check(p.expected.clone());
    Some(stage.end())
}

fn named(terms: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.option(terms, ":produce-unsat-cores", "true");
    stage.declare(p);
    let keyword = terms.symbol(":named");
    for &assertion in &p.assertions {
        let name = terms.fresh_symbol("named");
        let attribute = smt::Attribute { keyword, value: AttributeValue::Text(name) };
        let term = terms.annotate(assertion, &[attribute], &[]);
        stage.assert_all(&[term]);
    }
    stage.check(p.expected.clone());
    if p.expected != Expectation::Sat {
        stage.push_command(Command::GetUnsatCore);
    }
    Some(stage.end())
}

fn with_assertions(p: &Problem, assertions: Vec<TermId>) -> Built {
    Some(Problem { assertions, ..p.clone() }.plain())
}

fn conjunction(terms: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    let all = all_of(terms, &p.assertions);
    with_assertions(p, vec![all])
}

fn negated_disjunction(terms: &mut Terms, p: &Problem, _: &mut Rng) -> Built {
    let negated: Vec<TermId> = p.assertions.iter().map(|&a| terms.mk(Op::Not, &[a])).collect();
    let any = if let [one] = negated[..] { one } else { terms.mk(Op::Or, &negated) };
    let all = terms.mk(Op::Not, &[any]);
    with_assertions(p, vec![all])
}

/// Each assertion is an application of a definition, whose parameters stand for up to two of its constants.
fn defined(terms: &mut Terms, p: &Problem, rng: &mut Rng, recursive: bool) -> Built {
    // A recursive definition is a quantified axiom, which logics without quantifiers do not have.
    let p = &if recursive { p.clone().with_all_logics(terms) } else { p.clone() };
    let mut stage = Stage::new(p);
    stage.declare(p);
    for &assertion in &p.assertions {
        let mut constants = constants_of(terms, &[assertion]);
        rng.shuffle(&mut constants);
        constants.truncate(rng.below(3));
        let (mut map, mut vars) = (TermMap::default(), Vec::new());
        for &constant in &constants {
            let name = terms.fresh_symbol("p");
            let var = terms.bound(name, terms.sort(constant), 0);
            map.insert(constant, var);
            vars.push(var);
        }
        let body = terms.substitute(&[assertion], &map)[0];
        let name = terms.fresh_symbol("def");
        let fun = if recursive {
            let params: Vec<SortId> = vars.iter().map(|&v| terms.sort(v)).collect();
            let fun = terms.declare_recursive(name, &params, SortId::BOOL);
            terms.set_definition(fun, &vars, body);
            stage.push_command(Command::DefineFunsRec([fun].into()));
            fun
        } else {
            let fun = terms.define(name, &vars, body);
            stage.push_command(Command::DefineFun(fun));
            fun
        };
        let call = terms.apply(fun, &constants).ok()?;
        stage.assert_all(&[call]);
    }
    stage.check(p.expected.clone());
    Some(stage.end())
}

/// A subterm `t` of each assertion becomes `(ite c t t')`, where `t'` is `t` with its arguments in an `ite` of their own.
fn in_ite(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let (fun, condition) = fresh(terms, "cond", &[], SortId::BOOL);
    let mut assertions = Vec::new();
    for &assertion in &p.assertions {
        let ground: Vec<TermId> = reachable(terms, &[assertion])
            .into_iter()
            .filter(|&t| is_ground_value(terms, t) && t != assertion)
            .collect();
        let Some(chosen) = rng.choose(&ground) else {
            assertions.push(terms.mk(Op::Ite, &[condition, assertion, assertion]));
            continue;
        };
        let either = terms.mk(Op::Ite, &[condition, chosen, chosen]);
        let map = TermMap::from_iter([(chosen, either)]);
        assertions.push(terms.substitute(&[assertion], &map)[0]);
    }
    let mut problem = Problem { assertions, ..p.clone() };
    problem.declarations.push(Command::DeclareConst(fun));
    Some(problem.plain())
}

/// A constant for a part of the formula, and an assertion that says what it is.
fn for_part(terms: &mut Terms, p: &Problem, rng: &mut Rng, languages: bool) -> Built {
    let is_language = |t: TermId| {
        matches!(terms.sort_of(terms.sort(t)), Sort::RegLan) && !terms.flags(t).has(smt::Flags::BOUND)
    };
    let is_part = |t: TermId| match languages {
        true => is_language(t),
        false => is_ground_value(terms, t) && !terms.args(t).is_empty() && !p.assertions.contains(&t),
    };
    let parts: Vec<TermId> = reachable(terms, &p.assertions).into_iter().filter(|&t| is_part(t)).collect();
    let part = rng.choose(&parts)?;
    let sort = terms.sort(part);
    let (fun, constant) = fresh(terms, "part", &[], sort);
    let equation = terms.mk(Op::Eq, &[constant, part]);
    let mut problem = p.clone();
    problem.assertions = terms.substitute(&p.assertions, &TermMap::from_iter([(part, constant)]));
    problem.assertions.insert(rng.below(p.assertions.len() + 1), equation);
    problem.declarations.push(Command::DeclareConst(fun));
    Some(problem.with_all_logics(terms).plain())
}

/// One or two constants become variables of an `exists`, or of a `forall` that is denied.
fn exists(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut constants = declared_constants(terms, p);
    rng.shuffle(&mut constants);
    constants.truncate(1 + usize::from(rng.one_in(3)));
    let (mut map, mut vars, mut problem) = (TermMap::default(), Vec::new(), p.clone());
    for &constant in &constants {
        let var = variable(terms, constant);
        map.insert(constant, var);
        vars.push(var);
        problem = without(terms, &problem, constant)?;
    }
    if vars.is_empty() {
        return None;
    }
    let all = all_of(terms, &p.assertions);
    let body = terms.substitute(&[all], &map)[0];
    let quantified = if rng.one_in(2) {
        terms.quantifier(Op::Exists, &vars, body).ok()?
    } else {
        let negated = terms.mk(Op::Not, &[body]);
        let forall = terms.quantifier(Op::Forall, &vars, negated).ok()?;
        terms.mk(Op::Not, &[forall])
    };
    problem.assertions = vec![quantified];
    Some(problem.with_all_logics(terms).plain())
}

/// A fresh bound variable of a constant's sort.
fn variable(terms: &mut Terms, constant: TermId) -> TermId {
    let name = terms.fresh_symbol("q");
    terms.bound(name, terms.sort(constant), 0)
}

/// A subterm becomes an application of a fresh function, of which an axiom with a pattern says what it is.
fn as_axiom(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let known = sorts_of(terms, p);
    let places: Vec<TermId> = reachable(terms, &p.assertions)
        .into_iter()
        .filter(|&t| is_ground_value(terms, t) && !terms.args(t).is_empty())
        .collect();
    let place = rng.choose(&places)?;
    let mut constants = constants_of(terms, &[place]);
    constants.retain(|&constant| known.contains(&terms.sort(constant)));
    rng.shuffle(&mut constants);
    constants.truncate(2);
    if constants.is_empty() {
        return None;
    }
    let vars: Vec<TermId> = constants.iter().map(|&constant| variable(terms, constant)).collect();
    let params: Vec<SortId> = constants.iter().map(|&constant| terms.sort(constant)).collect();
    let (fun, _) = fresh_function(terms, "fun", &params, terms.sort(place));
    let (call, at_vars) = (terms.apply(fun, &constants).ok()?, terms.apply(fun, &vars).ok()?);
    let map = TermMap::from_iter(constants.iter().copied().zip(vars.iter().copied()));
    let meaning = terms.substitute(&[place], &map)[0];
    let mut body = terms.mk(Op::Eq, &[at_vars, meaning]);
    if rng.one_in(2) {
        let pattern = smt::Attribute { keyword: terms.symbol(":pattern"), value: AttributeValue::Terms(1) };
        body = terms.annotate(body, &[pattern], &[at_vars]);
    }
    let axiom = terms.quantifier(Op::Forall, &vars, body).ok()?;
    let mut problem = p.clone();
    problem.assertions = terms.substitute(&p.assertions, &TermMap::from_iter([(place, call)]));
    problem.assertions.insert(0, axiom);
    problem.declarations.push(Command::DeclareFun(fun));
    Some(problem.with_all_logics(terms).plain())
}

fn in_function(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let constants = declared_constants(terms, p);
    let constant = rng.choose(&constants)?;
    let sort = terms.sort(constant);
    let sorts = sorts_of(terms, p);
    let param = rng.choose(&sorts).unwrap_or(SortId::BOOL);
    let (fun, _) = fresh_function(terms, "fun", &[param], sort);
    let (arg_fun, arg) = fresh(terms, "arg", &[], param);
    let call = terms.apply(fun, &[arg]).ok()?;
    replaced(terms, p, constant, call, &[fun, arg_fun])
}

fn in_array(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let constants = declared_constants(terms, p);
    let constant = rng.choose(&constants)?;
    let sort = terms.sort(constant);
    if sort == SortId::REG_LAN {
        return None;
    }
    let bits = terms.bit_vec_sort(rng.pick(&[1, 2, 8]));
    let index = rng.pick(&[SortId::INT, SortId::BOOL, bits]);
    let array_sort = terms.array_sort(index, sort);
    let (array_fun, mut array) = fresh(terms, "arr", &[], array_sort);
    let (index_fun, at) = fresh(terms, "idx", &[], index);
    let mut funs = vec![array_fun, index_fun];
    if rng.one_in(2) {
        // A store at an index that may or may not be the same: what is read can still be every value, since the element that is
        // stored is fresh too.
        let (element_fun, element) = fresh(terms, "elem", &[], sort);
        let (other_fun, other) = fresh(terms, "idx", &[], index);
        array = terms.app(Op::Store, &[array, other, element]).ok()?;
        funs.extend([element_fun, other_fun]);
    }
    let read = terms.app(Op::Select, &[array, at]).ok()?;
    replaced(terms, p, constant, read, &funs)
}

/// The problem with a term for a constant; the functions are declared at the end.
fn replaced(terms: &mut Terms, p: &Problem, constant: TermId, by: TermId, funs: &[FunId]) -> Built {
    let mut problem = without(terms, p, constant)?;
    problem.assertions = terms.substitute(&p.assertions, &TermMap::from_iter([(constant, by)]));
    problem.declarations.extend(funs.iter().map(|&fun| Command::DeclareFun(fun)));
    Some(problem.with_all_logics(terms).plain())
}

/// A bit-vector or an integer is to be small or large.
fn objective(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let goals: Vec<TermId> = declared_constants(terms, p)
        .into_iter()
        .filter(|&t| matches!(terms.sort_of(terms.sort(t)), Sort::BitVec(_) | Sort::Int))
        .collect();
    let goal = rng.choose(&goals)?;
    let mut stage = Stage::new(p);
    stage.declare(p);
    stage.assert_all(&p.assertions);
    let goal = smt::print::term_to_string(terms, goal);
    let word = rng.pick(&["minimize", "maximize"]);
    stage.text(terms, &format!("({word} {goal})"));
    stage.check(p.expected.clone());
    Some(stage.end())
}

fn soft(terms: &mut Terms, p: &Problem, rng: &mut Rng) -> Built {
    let mut stage = Stage::new(p);
    stage.declare(p);
    stage.assert_all(&p.assertions);
    for _ in 0..1 + rng.below(2) {
        let chosen = rng.pick(&p.assertions);
        let wish = if rng.one_in(2) { terms.mk(Op::Not, &[chosen]) } else { chosen };
        let wish = smt::print::term_to_string(terms, wish);
        let weight = 1 + rng.below(3);
        stage.text(terms, &format!("(assert-soft {wish} :weight {weight})"));
    }
    stage.check(p.expected.clone());
    Some(stage.end())
}

impl Problem {
    /// The same in the logic `ALL`, where what was added may not belong to the problem's own.
    fn with_all_logics(mut self, terms: &mut Terms) -> Problem {
        let all = terms.symbol("ALL");
        for command in &mut self.settings {
            if let Command::SetLogic(logic) = command {
                *logic = all;
            }
        }
        self
    }
}

/// A fresh constant.
fn fresh(terms: &mut Terms, prefix: &str, params: &[SortId], sort: SortId) -> (FunId, TermId) {
    let (fun, _) = fresh_function(terms, prefix, params, sort);
    let term = terms.apply(fun, &[]).expect("a constant takes no arguments");
    (fun, term)
}

fn fresh_function(terms: &mut Terms, prefix: &str, params: &[SortId], sort: SortId) -> (FunId, SortId) {
    let name = terms.fresh_symbol(prefix);
    (terms.declare(name, params, sort), sort)
}

fn all_of(terms: &mut Terms, assertions: &[TermId]) -> TermId {
    if let [one] = assertions { *one } else { terms.mk(Op::And, assertions) }
}

/// Uninterpreted constants in terms, in the order of their creation.
fn constants_of(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    reachable(terms, roots)
        .into_iter()
        .filter(|&t| {
            terms.op(t) == Op::Apply
                && terms.args(t).is_empty()
                && !terms.is_function_symbol(t)
                && terms.sort(t) != SortId::REG_LAN
                && terms.as_fun(t).is_some_and(|fun| terms.fun(fun).definition.is_none())
        })
        .collect()
}

/// The constants that the problem declares and no definition mentions: they can go.
fn declared_constants(terms: &Terms, p: &Problem) -> Vec<TermId> {
    let bodies: Vec<TermId> = p
        .declarations
        .iter()
        .flat_map(|command| match command {
            Command::DefineFun(fun) | Command::DefineConst(fun) => vec![*fun],
            Command::DefineFunsRec(funs) => funs.to_vec(),
            _ => Vec::new(),
        })
        .filter_map(|fun| terms.fun(fun).definition.as_ref().map(|d| d.body))
        .collect();
    let used = reachable(terms, &bodies);
    constants_of(terms, &p.assertions).into_iter().filter(|t| !used.contains(t)).collect()
}

/// The problem without the declaration of a constant; `None` if it has none.
fn without(terms: &Terms, p: &Problem, constant: TermId) -> Option<Problem> {
    let fun = terms.as_fun(constant)?;
    let mut problem = p.clone();
    let before = problem.declarations.len();
    problem
        .declarations
        .retain(|command| !matches!(command, Command::DeclareFun(f) | Command::DeclareConst(f) if *f == fun));
    (problem.declarations.len() < before).then_some(problem)
}

/// The sorts of a problem's constants that are sure to have two values; recursion of sorts apart, all but declared ones.
fn sorts_of(terms: &Terms, p: &Problem) -> Vec<SortId> {
    let mut sorts: Vec<SortId> = constants_of(terms, &p.assertions)
        .into_iter()
        .map(|t| terms.sort(t))
        .filter(|&sort| {
            matches!(
                terms.sort_of(sort),
                Sort::Bool
                    | Sort::Int
                    | Sort::Real
                    | Sort::BitVec(_)
                    | Sort::Float(..)
                    | Sort::String
                    | Sort::RoundingMode
            )
        })
        .collect();
    sorts.sort_unstable();
    sorts.dedup();
    sorts
}

/// Whether a term can stand in an `ite`: it has a value of its own and no variable that something around it binds.
fn is_ground_value(terms: &Terms, term: TermId) -> bool {
    !terms.flags(term).has(smt::Flags::BOUND)
        && !terms.is_function_symbol(term)
        && terms.op(term) != Op::Annot
        && !matches!(terms.sort_of(terms.sort(term)), Sort::RegLan | Sort::Function(..))
}
