//! Fingerprints: what makes two findings one. A crash is its place; a wrong answer is the operators and the logic of its
//! (reduced) script and the referees that contradict it. Fingerprints are the same on every machine and in every release.

use crate::case::Verdict;
use crate::evidence::{Class, Confirmed, SentScript, crash_key};
use crate::solver::answer::Trouble;
use smt::{Op, Script, Terms, walk};
use std::collections::BTreeSet;

/// The words of a fingerprint and their short form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint {
    /// What it is made of, for people.
    pub text: String,
    /// Eight hexadecimal digits, for names.
    pub short: String,
}

impl Fingerprint {
    /// The fingerprint with this text.
    pub fn new(text: String) -> Fingerprint {
        let short = format!("{:08x}", random::fnv(&text) >> 32);
        Fingerprint { text, short }
    }

    /// The fingerprint of a confirmed defect on a script.
    pub fn of(confirmed: &Confirmed, script: &SentScript) -> Fingerprint {
        let class = confirmed.class;
        if class == Class::Crash
            && let Some(key) = crash_key(&confirmed.answer)
        {
            // A signal says nothing about the place: the operators of the reduced script do.
            let silent = matches!(confirmed.answer.trouble, Some(Trouble::Signal(_)));
            let about = if silent {
                format!(" ({})", operators(script.terms(), script.script()).join(" "))
            } else {
                String::new()
            };
            return Fingerprint::new(format!("crash: {key}{about}"));
        }
        let verdict =
            confirmed.answer.replies.get(confirmed.query).map_or("none", |reply| reply.verdict.word());
        let disagree: BTreeSet<&str> = confirmed
            .referees
            .iter()
            .filter(|t| t.verdict.is_some_and(|v| v != Verdict::Unknown && v.word() != verdict))
            .map(|t| t.solver.as_str())
            .collect();
        let against = match class {
            Class::WrongUnsat | Class::WrongSat if !disagree.is_empty() => {
                format!(" against {}", disagree.into_iter().collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        Fingerprint::new(format!(
            "{} {verdict}: {}{against}",
            class.word(),
            operators(script.terms(), script.script()).join(" ")
        ))
    }
}

/// The names of the operators of a script's assertions, sorted; Boolean structure only if there is nothing else.
pub fn operators(terms: &Terms, script: &Script) -> Vec<&'static str> {
    let reached = walk::reachable(terms, &script.terms());
    let ops: BTreeSet<Op> = reached.iter().map(|&term| terms.op(term)).collect();
    let named = |boolean: bool| -> Vec<&'static str> {
        let mut names: Vec<&'static str> = ops
            .iter()
            .filter(|op| !op.name().is_empty() && (op.info().theory == smt::Theory::Core) == boolean)
            .map(|op| op.name())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let theory = named(false);
    if theory.is_empty() { named(true) } else { theory }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Dialect;

    fn names(source: &str) -> Vec<&'static str> {
        let sent = SentScript::read(source, Dialect::V26).expect("a script");
        operators(sent.terms(), sent.script())
    }

    #[test]
    fn operators_are_the_theory_s() {
        let source = "(declare-const x String)(assert (not (= (str.len x) (str.to_int x))))(check-sat)";
        assert_eq!(names(source), ["str.len", "str.to_int"]);
        assert_eq!(names("(declare-const p Bool)(assert (and p (not p)))"), ["and", "not"]);
    }

    #[test]
    fn short_forms_are_stable() {
        assert_eq!(Fingerprint::new("crash: x".into()), Fingerprint::new("crash: x".into()));
        assert_eq!(Fingerprint::new(String::new()).short, "cbf29ce4");
    }
}
