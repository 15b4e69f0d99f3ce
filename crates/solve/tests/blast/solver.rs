//! Agreement with Z3 on larger random queries and on uninterpreted sorts, and its opinion of our cores.

use crate::generate::Pool;
use random::Rng;
use smt::print::{sort_to_string, term_to_string};
use smt::{FunId, Sort, SortId, TermId, Terms};
use solve::blast::Blast;
use solve::engine::{Budget, Engine, NoPartials, Query, Verdict};
use std::io::Write;
use std::process::{Command, Stdio};

/// Z3's answers to a script; `None` where Z3 is not installed.
pub(crate) fn z3(script: &str) -> Option<Vec<String>> {
    let mut child = Command::new("z3")
        .args(["-in", "-T:60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect())
}

fn declarations(terms: &Terms, roots: &[TermId]) -> String {
    let mut funs: Vec<FunId> =
        smt::walk::reachable(terms, roots).iter().filter_map(|&t| terms.as_fun(t)).collect();
    funs.sort_unstable();
    funs.dedup();
    let mut text = String::new();
    for fun in funs {
        let decl = terms.fun(fun);
        let params: Vec<String> = decl.params.iter().map(|&p| sort_to_string(terms, p)).collect();
        text += &format!(
            "(declare-fun {} ({}) {})",
            terms.fun_name(fun),
            params.join(" "),
            sort_to_string(terms, decl.result)
        );
    }
    text
}

fn check_text(terms: &Terms, assertions: &[TermId]) -> String {
    let mut text = format!("(push 1){}", declarations(terms, assertions));
    for &assertion in assertions {
        text += &format!("(assert {})\n", term_to_string(terms, assertion));
    }
    text + "(check-sat)(pop 1)\n"
}

/// Too large to print without sharing.
fn is_large_tree(terms: &Terms, assertion: TermId) -> bool {
    smt::walk::sizes(terms, &[assertion]).1 > 5_000
}

/// Random queries over some variables; each verdict and each core goes to Z3.
fn compare(seed: u64, queries: usize, width: u32, declare: fn(&mut Terms) -> Vec<TermId>, prelude: &str) {
    let mut random = Rng::new(seed);
    let mut script = String::from(prelude);
    let mut expected = Vec::new();
    for _ in 0..queries {
        let mut terms = Terms::new();
        let vars = declare(&mut terms);
        let mut pool = Pool::new(&mut terms, &vars, width);
        let mut assertions: Vec<TermId> =
            (0..1 + random.below(6)).map(|_| pool.formula(&mut terms, &mut random, 8)).collect();
        assertions.retain(|&a| !is_large_tree(&terms, a) && !mentions_newer_operators(&terms, a));
        let query = Query::new(assertions.clone());
        match Blast::new().solve(&mut terms, &query, &mut Budget::unlimited(), &mut NoPartials) {
            Verdict::Sat(_) => {
                expected.push("sat");
                script += &check_text(&terms, &assertions);
            }
            Verdict::Unsat(core) => {
                expected.push("unsat");
                let core: Vec<TermId> = core.into_iter().map(|i| assertions[i]).collect();
                script += &check_text(&terms, &core);
            }
            Verdict::Unknown(reason) => panic!("{reason}"),
        }
    }
    assert!(expected.iter().filter(|&&e| e == "sat").count() > queries / 10);
    assert!(expected.iter().filter(|&&e| e == "unsat").count() > queries / 10);
    if let Some(answers) = z3(&script) {
        assert_eq!(answers.len(), expected.len(), "{answers:?}");
        for (i, (ours, theirs)) in expected.iter().zip(&answers).enumerate() {
            assert_eq!(ours, theirs, "query {i}");
        }
    }
}

/// Z3 4.8.12 does not know SMT-LIB 2.7's overflow predicates and reductions under these names.
fn mentions_newer_operators(terms: &Terms, assertion: TermId) -> bool {
    smt::walk::reachable(terms, &[assertion]).into_iter().any(|t| testkit::is_overflow_predicate(terms.op(t)))
}

#[test]
fn words_and_arrays() {
    compare(
        11,
        120,
        12,
        |terms| {
            let (word, index) = (terms.bit_vec_sort(8), terms.bit_vec_sort(5));
            let array = terms.array_sort(index, word);
            ["x", "y", "z"]
                .iter()
                .map(|n| (n, word))
                .chain([(&"i", index), (&"j", index), (&"m", array), (&"n", array), (&"p", SortId::BOOL)])
                .map(|(n, s)| terms.symbol_constant(n, s))
                .collect()
        },
        "",
    );
}

#[test]
fn uninterpreted_sorts() {
    compare(
        12,
        150,
        2,
        |terms| {
            let name = terms.symbol("S");
            let sort = terms.make_sort(Sort::Uninterpreted(name, Box::default()));
            let array = terms.array_sort(sort, sort);
            let mut all: Vec<TermId> =
                ["a", "b", "c"].iter().map(|n| terms.symbol_constant(n, sort)).collect();
            all.extend(["m", "n", "k"].map(|n| terms.symbol_constant(n, array)));
            let f = terms.symbol("f");
            let f = terms.declare(f, &[sort], sort);
            for i in 0..4 {
                let applied = terms.apply(f, &[all[i % 3]]).expect("well sorted");
                let twice = terms.apply(f, &[applied]).expect("well sorted");
                all.extend([applied, twice]);
            }
            all
        },
        "(declare-sort S 0)\n",
    );
}
