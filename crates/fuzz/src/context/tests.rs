//! Every row keeps the truth: formulas whose truth is found by trying all values are put into each context, and what is then
//! expected of each query is found in the same way again, or asked of solvers where a row brings arrays or functions.

use super::*;
use crate::case::Verdict;
use crate::solver::{Limits, Solver, Store, answer};
use smt::eval::values_of;
use smt::model::Model;
use smt::print::{Style, script_to_string};
use smt::{Evaluator, Value, walk};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Small formulas, satisfiable and not.
const FORMULAS: [&str; 8] = [
    "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(assert (bvult x y))(assert (= (bvmul x y) #b10))",
    "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(assert (bvult x y))(assert (bvult y x))(assert (= x x))",
    "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(assert (=> p q))",
    "(declare-const p Bool)(declare-const x (_ BitVec 2))(assert (ite p (= x #b00) (= x #b11)))(assert (= (bvadd x #b01) #b00))(assert p)",
    "(declare-const x (_ BitVec 3))(assert (forall ((y (_ BitVec 2))) (bvuge x (concat #b0 y))))",
    "(declare-const p Bool)(assert (= p (str.in_re \"aab\" (re.* (re.range \"a\" \"b\")))))(assert (= p (str.in_re \"\" re.all)))",
    "(declare-const p Bool)(assert (= p (str.in_re \"ac\" (re.* (re.range \"a\" \"b\")))))(assert p)",
    "(declare-const x (_ BitVec 3))(assert (forall ((y (_ BitVec 3))) (=> (distinct x y) (bvugt x y))))(assert (= ((_ extract 0 0) x) #b0))",
];

/// The truth of some assertions, by trying all values of their constants; `None` if they are too many.
fn truth(terms: &Terms, assertions: &[TermId]) -> Option<Verdict> {
    // What definitions are made of counts too.
    let (mut roots, mut seen) = (assertions.to_vec(), 0);
    while seen < roots.len() {
        seen = roots.len();
        for term in walk::reachable(terms, &roots) {
            if let Some(definition) = terms.as_fun(term).and_then(|f| terms.fun(f).definition.as_ref())
                && !roots.contains(&definition.body)
            {
                roots.push(definition.body);
            }
        }
    }
    let constants: Vec<TermId> = walk::reachable(terms, &roots)
        .into_iter()
        .filter(|&t| {
            terms.op(t) == Op::Apply && terms.as_fun(t).is_some_and(|f| terms.fun(f).definition.is_none())
        })
        .collect();
    let mut lists: Vec<(TermId, Vec<Value>)> = Vec::new();
    for constant in constants {
        if !terms.args(constant).is_empty() {
            return None;
        }
        lists.push((constant, values_of(terms, terms.sort(constant), 16)?));
    }
    let total: usize = lists.iter().map(|(_, list)| list.len()).product();
    let satisfied = (0..total).any(|mut number| {
        let mut model = Model::default();
        for (constant, list) in &lists {
            model.set(terms.as_fun(*constant).expect("a constant"), list[number % list.len()].clone());
            number /= list.len();
        }
        let mut evaluator = Evaluator::new(terms, &model);
        assertions.iter().all(|&a| evaluator.truth(a).expect("everything has a value"))
    });
    Some(if satisfied { Verdict::Sat } else { Verdict::Unsat })
}

/// Every script that a row makes of a formula, and what it claims.
fn framed(context: &Context, source: &str) -> Vec<(Terms, Script, Vec<Expectation>)> {
    (0..4)
        .filter_map(|number| {
            let mut terms = Terms::new();
            let script = smt::read_script(&mut terms, &format!("(set-logic ALL){source}(check-sat)")).script;
            let known = truth(&terms, &script.assertions().collect::<Vec<_>>()).expect("a small formula");
            let expected = match known {
                Verdict::Sat => Expectation::Sat,
                _ => Expectation::Unsat { core: None },
            };
            let case = TestCase { script, expected: vec![expected], origin: Origin::Built("test".into()) };
            let problem = Problem::of(&terms, &case).expect("one query at the end");
            let (script, expected) = context.build(&mut terms, &problem, &mut Rng::numbered(7, number))?;
            Some((terms, script, expected))
        })
        .collect()
}

#[test]
fn the_truth_stays_by_trying_all_values() {
    let mut tried = 0;
    for context in CONTEXTS {
        for source in FORMULAS {
            for (terms, script, expected) in framed(context, source) {
                let queries = script.queries();
                assert_eq!(queries.len(), expected.len(), "{}", context.name);
                for (assertions, expectation) in queries.iter().zip(&expected) {
                    let (Some(claimed), Some(found)) = (expectation.verdict(), truth(&terms, assertions))
                    else {
                        continue;
                    };
                    tried += 1;
                    let text = script_to_string(&terms, &script, Style::default());
                    assert_eq!(claimed, found, "{}:\n{text}", context.name);
                }
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn solvers_agree_with_every_row() {
    let store = Store::open();
    let limits = Limits::with_cpu(Duration::from_secs(3));
    for name in ["z3", "cvc5"] {
        let solver = Solver::resolve(name, &store).expect("scripts/check installs it");
        for context in CONTEXTS.iter().filter(|context| context.suits(name)) {
            let mut decided = 0;
            // The last one is left out, since cvc5 is slow on it.
            for source in &FORMULAS[..7] {
                let Some((terms, script, expected)) = framed(context, source).pop() else { continue };
                let text = script_to_string(&terms, &script, Style::default());
                let run = solver.run(&text, &limits, &AtomicBool::new(false)).expect("it runs");
                let replies = answer::read(&run).replies;
                for (reply, expectation) in replies.iter().zip(&expected) {
                    if let (Some(claimed), Verdict::Sat | Verdict::Unsat) =
                        (expectation.verdict(), reply.verdict)
                    {
                        decided += 1;
                        assert_eq!(reply.verdict, claimed, "{name}, {}:\n{text}", context.name);
                    }
                }
            }
            // cvc5 does not find models of axioms over bit-vectors.
            let least = if ["axiom", "language"].contains(&context.name) { 1 } else { 3 };
            assert!(decided >= least, "{name} decides nothing in {}", context.name);
        }
    }
}

/// A planted mistake is found: a context that forgets an assertion.
#[test]
fn a_context_that_forgets_would_be_noticed() {
    let forgetful = Context {
        name: "forgetful",
        scope: ContextScope::Script,
        because: "",
        solvers: &[],
        build: |_, p, _| Some(Problem { assertions: p.assertions[..1].to_vec(), ..p.clone() }.plain()),
    };
    let (terms, script, expected) = framed(&forgetful, FORMULAS[1]).pop().expect("a script");
    assert_ne!(truth(&terms, &script.queries()[0]), expected[0].verdict());
}
