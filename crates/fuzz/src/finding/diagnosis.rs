//! Diagnosis: what a maintainer asks first. Which options make the defect go away, which of the releases at hand have it, what the
//! formula is about in words, and how sure we are. Owns the questions and their wording; what is a defect is decided elsewhere.

use crate::case::Verdict;
use crate::evidence::{Class, Confirmed, Defect, Evidence, Oracle, SentScript, heard, on_release};
use crate::options::{Choice, Level, Setting, command, is_simplifier};
use crate::solver::{Solver, SolverError, Store};
use smt::{Sort, walk};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// How many options are tried.
const OPTIONS: usize = 40;
/// How many releases are tried.
const RELEASES: usize = 8;

/// What is known of a confirmed defect on a script, a line each.
pub fn diagnosis(oracle: &Oracle<'_>, text: &str, confirmed: &Confirmed) -> Result<Vec<String>, SolverError> {
    let mut lines = Vec::new();
    let Ok(script) = SentScript::read(text, oracle.target.dialect) else { return Ok(lines) };
    lines.push(format!("The formula: {}.", in_words(&script)));
    lines.push(format!("How sure: {}.", how_sure(confirmed)));
    let needed = settings_in(text);
    if !needed.is_empty() {
        lines.push(format!("Needed: {}.", needed.join(", ")));
    }
    let wrong_verdict = match confirmed.class {
        Class::WrongUnsat => Verdict::Unsat,
        Class::WrongSat | Class::InvalidModel => Verdict::Sat,
        _ => return Ok(lines),
    };
    let flips = flipping(oracle, text, confirmed.query, wrong_verdict)?;
    if !flips.is_empty() {
        lines.push(format!("Another verdict, or none, with: {}.", flips.join(", ")));
    }
    lines.extend(releases(oracle, text, confirmed)?);
    Ok(lines)
}

/// The options that a script sets, apart from those that ask for models and cores.
fn settings_in(text: &str) -> Vec<String> {
    let asks = [":produce-models", ":produce-unsat-cores", ":global-declarations"];
    let set = text
        .lines()
        .filter_map(|line| line.strip_prefix("(set-option ")?.strip_suffix(')'))
        .filter(|option| !asks.iter().any(|name| option.starts_with(name)))
        .map(|option| format!("`{}`", option.trim_start_matches(':').replacen(' ', "=", 1)));
    let simplifiers = text.lines().filter(|line| is_simplifier(line)).map(|line| format!("`{line}`"));
    set.chain(simplifiers).collect()
}

/// Options of the solver's own, one at a time, with which the verdict is not the wrong one.
fn flipping(
    oracle: &Oracle<'_>,
    text: &str,
    query: usize,
    wrong: Verdict,
) -> Result<Vec<String>, SolverError> {
    let choice = Choice::new(oracle.target, Level::Safe);
    let mut singles: Vec<(u32, Setting)> = choice.shares().into_iter().zip(choice.singles()).collect();
    // Those that choose another procedure tell most.
    singles.sort_by_key(|(share, _)| std::cmp::Reverse(*share));
    let mut found = Vec::new();
    for (_, single) in singles.into_iter().take(OPTIONS) {
        if oracle.stop.load(Ordering::Relaxed) {
            break;
        }
        let [(name, value)] = single.0[..] else { continue };
        let is_set = text.contains(&format!("(set-option :{name} ")) || is_simplifier(&command(name, value));
        if is_set || choice.usable(&single)?.0.is_empty() {
            continue;
        }
        let (_, answer) = oracle.fresh(&format!("{}\n{text}", command(name, value)))?;
        let verdict = heard(&answer).get(query).map(|reply| reply.verdict);
        if answer.trouble.is_none() && verdict.is_some_and(|verdict| verdict != wrong) {
            found.push(format!("`{}` ({})", single.words(), verdict.map_or("", Verdict::word)));
        }
    }
    Ok(found)
}

/// Which of the releases in the store have the defect.
fn releases(oracle: &Oracle<'_>, text: &str, confirmed: &Confirmed) -> Result<Option<String>, SolverError> {
    let (store, family) = (Store::open(), oracle.target.family());
    let defect = Defect::of(confirmed);
    let (mut wrong, mut right) = (Vec::new(), Vec::new());
    let all: Vec<_> = store.list().into_iter().filter(|release| release.name == family).collect();
    let step = all.len().div_ceil(RELEASES).max(1);
    for release in all.iter().step_by(step) {
        if oracle.stop.load(Ordering::Relaxed) {
            break;
        }
        let Ok(solver) = Solver::resolve(&release.spec(), &store) else { continue };
        let said = on_release(oracle, &solver, text, &defect)?;
        if said.ends_with("shows the same defect") { &mut wrong } else { &mut right }
            .push(release.version.clone());
    }
    if wrong.is_empty() && right.is_empty() {
        return Ok(None);
    }
    let list = |versions: Vec<String>| if versions.is_empty() { "none".into() } else { versions.join(", ") };
    Ok(Some(format!("Releases at hand that show it: {}; that do not: {}.", list(wrong), list(right))))
}

/// What a script is about.
fn in_words(script: &SentScript) -> String {
    let terms = script.terms();
    let roots = script.script().terms();
    let mut sorts = BTreeSet::new();
    for term in walk::reachable(terms, &roots) {
        sorts.insert(match terms.sort_of(terms.sort(term)) {
            Sort::Bool => continue,
            Sort::Int => "integers",
            Sort::Real => "reals",
            Sort::BitVec(_) => "bit-vectors",
            Sort::Float(..) | Sort::RoundingMode => "floats",
            Sort::String => "strings",
            Sort::RegLan => "regular expressions",
            Sort::Array(..) => "arrays",
            Sort::Collection(smt::Collection::Seq, _) => "sequences",
            Sort::Collection(smt::Collection::Set, _) => "sets",
            Sort::Collection(smt::Collection::Bag, _) => "bags",
            Sort::FiniteField(_) => "finite fields",
            Sort::Datatype(..) => "datatypes",
            Sort::Uninterpreted(..) => "declared sorts",
            Sort::Function(..) | Sort::Parameter(_) => "functions as values",
        });
    }
    let assertions = script.script().assertions().count();
    let queries = script.queries();
    let about =
        if sorts.is_empty() { "Booleans".into() } else { sorts.into_iter().collect::<Vec<_>>().join(", ") };
    let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    format!(
        "{} and {} over {about}; operators: {}",
        plural(assertions, "assertion", "assertions"),
        plural(queries, "query", "queries"),
        super::operators(terms, script.script()).join(", ")
    )
}

fn how_sure(confirmed: &Confirmed) -> &'static str {
    match confirmed.evidence {
        Evidence::Model { .. } => "certain; the evaluator finds every assertion true under the model",
        Evidence::RefutedModel(_) => {
            "certain; the evaluator finds an assertion false under the model that was given"
        }
        Evidence::Construction => {
            "certain, as far as the construction is right; no other solver contradicts it"
        }
        Evidence::Metamorphic => "one of the solver's two answers is wrong",
        Evidence::Referees(_) => "as sure as the other solvers' agreement",
        Evidence::Process(_) => "certain; a fresh process shows it again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_in_words() {
        let text = "(set-option :produce-models true)\n(set-option :smt.bv.solver 2)\n(declare-const x (_ BitVec 2))\n(assert (bvult x #b10))\n(check-sat)";
        let script = SentScript::read(text, smt::Dialect::V26).expect("a script");
        assert_eq!(in_words(&script), "1 assertion and 1 query over bit-vectors; operators: bvult");
        assert_eq!(settings_in(text), ["`smt.bv.solver=2`"]);
    }
}
