//! Diagnosis: what a maintainer asks first. Which options make the defect go away, which of the releases at hand have it and which were
//! the first, what the wrong run does that a right one does not, what the formula is about in words, and how sure we are. Owns the questions and their wording; what is a defect is decided elsewhere.

use super::contrast::{contrast, counters};
use crate::case::Verdict;
use crate::evidence::{
    Class, Confirmed, Defect, Evidence, Oracle, SentScript, heard, on_release, with_definitions,
};
use crate::options::{Choice, Level, Setting, command, is_simplifier};
use crate::solver::{Solver, SolverError, Store};
use crate::tuning::finding_diagnosis::{OPTIONS, RELEASES};
use smt::{Sort, walk};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

/// What is known of a confirmed defect on a script, a line each.
pub(crate) fn diagnosis(
    oracle: &Oracle<'_>,
    text: &str,
    confirmed: &Confirmed,
) -> Result<Vec<String>, SolverError> {
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
        Class::Crash => {
            lines.extend(Releases::ask(oracle, text, confirmed)?.words());
            return Ok(lines);
        }
        _ => return Ok(lines),
    };
    let flips = flipping(oracle, text, confirmed.query, wrong_verdict)?;
    if !flips.is_empty() {
        let words: Vec<String> = flips.iter().map(Flip::words).collect();
        lines.push(format!("Another verdict, or none, with: {}.", words.join(", ")));
    }
    let releases = Releases::ask(oracle, text, confirmed)?;
    lines.extend(releases.words());
    // The right run that is nearest: by an option of the same release, or else by another release.
    let decided = flips.iter().find(|flip| flip.verdict != Verdict::Unknown);
    let wrong = counters(oracle.target, text, &oracle.limits, oracle.stop)?;
    let right = match (decided, releases.nearest_right(oracle.target)) {
        (Some(flip), _) => {
            let text = format!("{}\n{text}", flip.command);
            Some((
                counters(oracle.target, &text, &oracle.limits, oracle.stop)?,
                format!("the run with `{}`", flip.setting),
            ))
        }
        (None, Some(release)) => {
            Some((counters(release, text, &oracle.limits, oracle.stop)?, release.version.clone()))
        }
        (None, None) => None,
    };
    // One that tells nothing has no statistics, or answers in another dialect.
    if let Some((right, other)) = right.filter(|(right, _)| !right.is_empty()) {
        lines.extend(contrast(&wrong, &right, &other));
    }
    Ok(lines)
}

/// The options that a script sets, apart from those that one of its commands needs.
fn settings_in(text: &str) -> Vec<String> {
    let asks: Vec<&str> = ASKS
        .iter()
        .filter(|(_, commands)| commands.iter().any(|command| text.contains(&format!("({command}"))))
        .map(|(option, _)| *option)
        .collect();
    let set = text
        .lines()
        .filter_map(|line| line.strip_prefix("(set-option ")?.strip_suffix(')'))
        .filter(|option| !asks.iter().any(|name| option.starts_with(name)))
        .map(|option| format!("`{}`", option.trim_start_matches(':').replacen(' ', "=", 1)));
    let simplifiers = text.lines().filter(|line| is_simplifier(line)).map(|line| format!("`{line}`"));
    set.chain(simplifiers).collect()
}

/// Options without which the standard has some commands refused.
const ASKS: &[(&str, &[&str])] = &[
    (":produce-models", &["get-model", "get-value", "check-sat"]),
    (":produce-unsat-cores", &["get-unsat-core"]),
    (":produce-unsat-assumptions", &["get-unsat-assumptions"]),
    (":global-declarations", &["reset-assertions"]),
];

/// An option with which the verdict is another one.
struct Flip {
    setting: String,
    command: String,
    verdict: Verdict,
}

impl Flip {
    fn words(&self) -> String {
        format!("`{}` ({})", self.setting, self.verdict.word())
    }
}

/// Options of the solver's own, one at a time, with which the verdict is not the wrong one.
fn flipping(oracle: &Oracle<'_>, text: &str, query: usize, wrong: Verdict) -> Result<Vec<Flip>, SolverError> {
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
        let command = command(name, value);
        let (_, answer) = oracle.fresh(&format!("{command}\n{text}"))?;
        let verdict = heard(&answer).get(query).map(|reply| reply.verdict);
        if let Some(verdict) = verdict.filter(|verdict| *verdict != wrong)
            && answer.trouble.is_none()
        {
            found.push(Flip { setting: single.words(), command, verdict });
        }
    }
    Ok(found)
}

/// Which of the releases in the store have the defect, oldest first.
struct Releases {
    asked: Vec<(Solver, bool)>,
}

impl Releases {
    /// Asks some releases, evenly spread, and then those between two that differ until they are neighbours.
    fn ask(oracle: &Oracle<'_>, text: &str, confirmed: &Confirmed) -> Result<Releases, SolverError> {
        let (store, family) = (Store::open(), oracle.target.family());
        // The options of the target's SPEC go with it: without them another release may not come to the defect at all.
        let options = oracle.target.name.split_once(' ').map_or("", |(_, options)| options);
        let defect = Defect::of(confirmed);
        let all: Vec<Solver> = store
            .list()
            .into_iter()
            .filter(|release| release.name == family)
            .filter_map(|release| Solver::resolve(&format!("{} {options}", release.spec()), &store).ok())
            .collect();
        let here = all.iter().position(|solver| solver.version == oracle.target.version);
        let known = here.map(|at| (at, true)).into_iter().collect();
        let shown = narrowed::<SolverError>(all.len(), RELEASES, known, &mut |at| {
            if oracle.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            Ok(Some(on_release(oracle, &all[at], text, &defect)?.ends_with("shows the same defect")))
        })?;
        let asked = all.into_iter().enumerate().filter_map(|(at, solver)| Some((solver, *shown.get(&at)?)));
        Ok(Releases { asked: asked.collect() })
    }

    /// The list, and where the defect came and went.
    fn words(&self) -> Vec<String> {
        if self.asked.is_empty() {
            return Vec::new();
        }
        let list = |wanted: bool| {
            let versions = self.asked.iter().filter(|(_, shows)| *shows == wanted);
            let versions: Vec<&str> = versions.map(|(solver, _)| solver.version.as_str()).collect();
            if versions.is_empty() { "none".into() } else { versions.join(", ") }
        };
        let mut lines =
            vec![format!("Releases at hand that show it: {}; that do not: {}.", list(true), list(false))];
        let versions = self.asked.iter().map(|(solver, shows)| (solver.version.as_str(), *shows));
        lines.extend(turns(&versions.collect::<Vec<_>>()));
        lines
    }

    /// The release without the defect that is nearest to the target, a later one before an earlier one.
    fn nearest_right(&self, target: &Solver) -> Option<&Solver> {
        let here = self.asked.iter().position(|(solver, _)| solver.version == target.version)?;
        let (before, after) = self.asked.split_at(here);
        let found = after.iter().chain(before.iter().rev()).find(|(_, shows)| !shows);
        found.map(|(solver, _)| solver)
    }
}

/// Asks about `most` of so many places beside those that are known, evenly spread, the first and the last among them, and about those in the middle between two
/// neighbours that differ, until nothing is left between them. An answer of `None` ends it.
fn narrowed<E>(
    count: usize,
    most: usize,
    mut known: BTreeMap<usize, bool>,
    ask: &mut dyn FnMut(usize) -> Result<Option<bool>, E>,
) -> Result<BTreeMap<usize, bool>, E> {
    let step = count.div_ceil(most).max(1);
    for at in (0..count).step_by(step).chain(count.checked_sub(1)) {
        if let std::collections::btree_map::Entry::Vacant(place) = known.entry(at) {
            let Some(shows) = ask(at)? else { return Ok(known) };
            place.insert(shows);
        }
    }
    loop {
        let places: Vec<(usize, bool)> = known.iter().map(|(&at, &shows)| (at, shows)).collect();
        let apart = places.windows(2).find(|pair| pair[0].1 != pair[1].1 && pair[1].0 > pair[0].0 + 1);
        let Some(pair) = apart else { return Ok(known) };
        let middle = usize::midpoint(pair[0].0, pair[1].0);
        let Some(shows) = ask(middle)? else { return Ok(known) };
        known.insert(middle, shows);
    }
}

/// Where a defect came and where it went, in words.
fn turns(versions: &[(&str, bool)]) -> Option<String> {
    let mut found = Vec::new();
    for pair in versions.windows(2) {
        match (pair[0], pair[1]) {
            ((right, false), (wrong, true)) => {
                found.push(format!("it came after {right}, with {wrong} at the latest"))
            }
            ((wrong, true), (right, false)) => {
                found.push(format!("it went after {wrong}, with {right} at the latest"))
            }
            _ => {}
        }
    }
    (!found.is_empty()).then(|| format!("Of these releases: {}.", found.join("; ")))
}

/// What a script is about.
fn in_words(script: &SentScript) -> String {
    let terms = script.terms();
    let (roots, _) = with_definitions(terms, &script.script().terms());
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
    let operators = super::operators(terms, script.script());
    let operators = if operators.is_empty() { "none".into() } else { operators.join(", ") };
    format!(
        "{} and {} over {about}; operators: {operators}",
        plural(assertions, "assertion", "assertions"),
        plural(queries, "query", "queries"),
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
        Evidence::NoModel => {
            "certain; the evaluator finds an assertion false under all values of the constants"
        }
        Evidence::Referees(_) => "as sure as the other solvers' agreement",
        Evidence::Process(_) => "certain; a fresh process shows it again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place where answers change is found whatever the step, and an end of the run cuts it short.
    #[test]
    fn releases_are_asked_until_neighbours_differ() {
        for first in 0..20 {
            let mut asked = 0;
            let known = narrowed(20, 4, BTreeMap::from([(11, 11 >= first)]), &mut |at| {
                asked += 1;
                Ok::<_, ()>(Some(at >= first))
            });
            let known: Vec<(usize, bool)> = known.expect("no trouble").into_iter().collect();
            assert!(asked <= 8, "{first}: {asked}");
            assert_eq!(known[0], (0, first == 0));
            assert_eq!(known.last(), Some(&(19, true)));
            if first > 0 {
                assert!(
                    known.windows(2).any(|pair| pair == [(first - 1, false), (first, true)]),
                    "{known:?}"
                );
            }
        }
        assert_eq!(
            narrowed(20, 4, BTreeMap::from([(3, true)]), &mut |_| Ok::<_, ()>(None)),
            Ok(BTreeMap::from([(3, true)]))
        );
        assert_eq!(narrowed(0, 4, BTreeMap::new(), &mut |_| Ok::<_, ()>(Some(true))), Ok(BTreeMap::new()));
        let versions = [("1.0", false), ("1.1", true), ("1.2", true), ("1.3", false)];
        let words = "Of these releases: it came after 1.0, with 1.1 at the latest; it went after 1.2, with 1.3 at the latest.";
        assert_eq!(turns(&versions).as_deref(), Some(words));
        assert_eq!(turns(&versions[1..3]), None);
    }

    #[test]
    fn scripts_in_words() {
        let text = "(set-option :produce-models true)\n(set-option :smt.bv.solver 2)\n(declare-const x (_ BitVec 2))\n(assert (bvult x #b10))\n(check-sat)";
        let script = SentScript::read(text, smt::Dialect::V26).expect("a script");
        assert_eq!(in_words(&script), "1 assertion and 1 query over bit-vectors; operators: bvult");
        assert_eq!(settings_in(text), ["`smt.bv.solver=2`"]);
        // What no command asks for is needed for itself.
        let cores = "(set-option :produce-unsat-cores true)\n(check-sat)\n";
        assert_eq!(settings_in(cores), ["`produce-unsat-cores=true`"]);
        assert!(settings_in(&format!("{cores}(get-unsat-core)")).is_empty());
        // What a definition is made of belongs to the formula.
        let text = "(define-fun-rec f ((a (Array Int Int))) Bool (= (select a 0) 1))(declare-const a (Array Int Int))(assert (f a))(check-sat)";
        let script = SentScript::read(text, smt::Dialect::V26).expect("a script");
        assert_eq!(in_words(&script), "1 assertion and 1 query over arrays, integers; operators: select");
    }
}
