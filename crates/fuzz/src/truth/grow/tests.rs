//! What is claimed of grown formulas, checked: models by evaluation, rewritings by evaluation under random values, and the whole
//! by solvers.

use super::*;
use crate::case::Verdict;
use crate::solver::{Limits, Solver, Store, answer};
use smt::print::{Style, script_to_string};
use smt::{Evaluator, Op};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn sample(theme: &'static Theme, count: usize) -> Vec<(Terms, Grown)> {
    let mut rng = Rng::named(5, theme.name);
    let mut found = Vec::new();
    for _ in 0..count * TRIES {
        let mut terms = Terms::new();
        if let Some(grown) = formula(&mut terms, theme, &mut rng) {
            found.push((terms, grown));
        }
        if found.len() >= count {
            break;
        }
    }
    found
}

#[test]
fn every_theme_grows_both_verdicts_and_models_hold() {
    for theme in THEMES {
        let (mut sat, mut unsat) = (0, 0);
        for (terms, grown) in sample(theme, 60) {
            match (&grown.expected, &grown.model) {
                (Expectation::Sat, Some(model)) => {
                    sat += 1;
                    let mut evaluator = Evaluator::new(&terms, model);
                    for &assertion in &grown.assertions {
                        assert_eq!(evaluator.truth(assertion), Ok(true), "{}", grown.name);
                    }
                }
                // By the intermediate value theorem: there is a solution that nobody has computed.
                (Expectation::Sat, None) if theme.law == Some(themes::Law::Crossing) => sat += 1,
                (Expectation::Unsat { .. }, None) => unsat += 1,
                other => panic!("{}: {other:?}", grown.name),
            }
        }
        assert!(sat > 5 && unsat > 5, "{}: {sat} sat, {unsat} unsat", theme.name);
    }
}

/// What bug reports need and is easily lost: quantifiers below quantifiers, a variable that hides another, datatypes that are made of
/// each other, functions of arrays, fields of several orders.
#[test]
fn shapes_of_bug_reports_grow() {
    let of = |theme: &str| sample(themes::Theme::by_name(theme).expect("a theme"), 120);
    let binds = |terms: &Terms, t: TermId| matches!(terms.op(t), Op::Forall | Op::Exists);
    let (mut nested, mut hidden) = (0, 0);
    for (terms, grown) in of("bool-quantified") {
        for outer in smt::walk::reachable(&terms, &grown.assertions) {
            if !binds(&terms, outer) {
                continue;
            }
            let (variables, body) = terms.args(outer).split_at(terms.args(outer).len() - 1);
            let inner = smt::walk::reachable(&terms, body);
            nested += usize::from(inner.iter().any(|&t| binds(&terms, t)));
            let hides = |t: &TermId| terms.args(*t).iter().any(|arg| variables.contains(arg));
            hidden += usize::from(inner.iter().filter(|&&t| binds(&terms, t)).any(hides));
        }
    }
    assert!(nested > 20 && hidden > 3, "{nested} {hidden}");
    let datatypes = of("datatypes");
    let is_forest = |c: &Command| matches!(c, Command::DeclareDatatypes(ids) if ids.len() == 2);
    let forests = datatypes.iter().filter(|(_, grown)| grown.declarations.iter().any(is_forest));
    assert!(forests.count() > 5);
    let takes_array = |terms: &Terms, grown: &Grown| {
        grown.declarations.iter().any(|command| match command {
            Command::DeclareFun(fun) => {
                terms.fun(*fun).params.iter().any(|&sort| matches!(terms.sort_of(sort), smt::Sort::Array(..)))
            }
            _ => false,
        })
    };
    assert!(of("bv-arrays").iter().filter(|(terms, grown)| takes_array(terms, grown)).count() > 3);
    let orders: std::collections::BTreeSet<String> = of("fields")
        .iter()
        .flat_map(|(terms, grown)| {
            smt::walk::reachable(terms, &grown.assertions)
                .into_iter()
                .filter_map(|t| match terms.sort_of(terms.sort(t)) {
                    smt::Sort::FiniteField(order) => Some(order.to_string()),
                    _ => None,
                })
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(orders.len() >= 4, "{orders:?}");
}

/// Each row of the table of rewritings, on applications with random values of small and odd sorts.
#[test]
fn rewritings_keep_the_value() {
    let mut rng = Rng::new(3);
    let mut tried = vec![0; rewrite::REWRITES.len()];
    for _ in 0..4000 {
        let mut terms = Terms::new();
        let theme = rng.pick(&THEMES.iter().collect::<Vec<_>>());
        let mut plot = Plot::new(&mut terms, theme, &mut rng);
        plot.grow();
        let (grown, model) = (plot.grown.clone(), plot.model.clone());
        for (term, before) in grown {
            for (number, (name, row)) in rewrite::REWRITES.iter().enumerate() {
                let Some(new) = row(&mut terms, term) else { continue };
                let after = Evaluator::new(&terms, &model).eval(new);
                assert_eq!(
                    after.as_ref(),
                    Ok(&before),
                    "{name}: {}",
                    smt::print::term_to_string(&terms, new)
                );
                tried[number] += 1;
            }
        }
        if tried.iter().all(|&n| n > 10) {
            break;
        }
    }
    for ((name, _), count) in rewrite::REWRITES.iter().zip(&tried) {
        assert!(*count > 5, "{name} was tried {count} times");
    }
}

#[test]
fn trying_all_values_tells_the_truth() {
    let read = |text: &str| {
        let mut terms = Terms::new();
        let script = smt::read_script(&mut terms, text).script;
        let assertions: Vec<TermId> = script.assertions().collect();
        let constants: Vec<TermId> = smt::walk::reachable(&terms, &assertions)
            .into_iter()
            .filter(|&t| terms.op(t) == Op::Apply)
            .collect();
        assemble::by_trying(&terms, &constants, &assertions).map(|model| model.is_some())
    };
    let x = "(declare-const x (_ BitVec 3))";
    assert_eq!(read(&format!("{x}(assert (= (bvmul x x) #b001))(assert (bvugt x #b101))")), Some(true));
    assert_eq!(read(&format!("{x}(assert (= (bvmul x x) #b010))")), Some(false));
    assert_eq!(read("(declare-const x Int)(assert (> x 0))"), None);
    // Open for one value, false for the others.
    assert_eq!(read("(declare-const p Bool)(assert p)(assert (= (div (ite p 1 2) 0) 3))"), None);
}

/// Solvers agree with what is claimed, or say that they do not know. Their known defects are told apart by the referee's model.
#[test]
fn solvers_agree_with_what_is_claimed() {
    let store = Store::open();
    let limits = Limits::with_cpu(Duration::from_secs(2));
    let solvers =
        ["z3", "cvc5"].map(|name| Solver::resolve(name, &store).expect("scripts/check installs it"));
    let (mut decided, mut contradicted) = (0, Vec::new());
    for theme in THEMES {
        for (mut terms, grown) in sample(theme, 12) {
            let script = grown.script(&mut terms, Some("ALL"));
            let text = script_to_string(&terms, &script, Style::default());
            let claimed = grown.expected.verdict().expect("a known truth");
            let verdicts: Vec<Verdict> = solvers
                .iter()
                .filter_map(|solver| {
                    let run = solver.run(&text, &limits, &AtomicBool::new(false)).expect("it runs");
                    answer::read(&run).replies.first().map(|reply| reply.verdict)
                })
                .filter(|verdict| *verdict != Verdict::Unknown)
                .collect();
            decided += verdicts.len();
            // A satisfiable formula was evaluated: whoever says otherwise is wrong. An unsatisfiable one must not be called
            // satisfiable by both.
            if claimed == Verdict::Unsat && verdicts.len() == 2 && verdicts.iter().all(|v| *v == Verdict::Sat)
            {
                contradicted.push(text);
            }
        }
    }
    assert!(contradicted.is_empty(), "{}", contradicted.join("\n"));
    assert!(decided > 200, "{decided}");
}

/// Z3 and cvc5 find no crossing that is not one, and no word outside of itself: a law that is wrong would be contradicted here by a
/// solver, and most of its formulas are easy enough to be decided.
#[test]
fn laws_hold() {
    let store = Store::open();
    let limits = Limits::with_cpu(Duration::from_secs(2));
    let solver = Solver::resolve("z3", &store).expect("scripts/check installs it");
    for theme in THEMES.iter().filter(|theme| theme.law.is_some()) {
        let (mut decided, mut by_law) = (0, 0);
        for (mut terms, grown) in sample(theme, 80) {
            let how = ["crossing", "word "].iter().any(|how| grown.name.contains(how));
            if !how {
                continue;
            }
            by_law += 1;
            let script = grown.script(&mut terms, Some("ALL"));
            let text = script_to_string(&terms, &script, Style::default());
            let run = solver.run(&text, &limits, &AtomicBool::new(false)).expect("it runs");
            let verdict = answer::read(&run).replies.first().map(|reply| reply.verdict);
            let Some(verdict) = verdict.filter(|verdict| *verdict != Verdict::Unknown) else { continue };
            decided += 1;
            assert_eq!(Some(verdict), grown.expected.verdict(), "{text}");
        }
        assert!(by_law > 20 && decided > 10, "{}: {decided} of {by_law}", theme.name);
    }
}
