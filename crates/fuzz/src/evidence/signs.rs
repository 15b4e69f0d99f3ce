//! What shows a defect in an answer, given what is known of the script. Pure: it runs nothing, so what it returns are suspicions,
//! which [`super::confirm`] has to confirm before anyone hears of them.
//!
//! Refusals, timeouts and lack of memory are results, not defects; an answer on an open value ([`smt::Undefined`]) is never held
//! against a solver.

use super::class::{CLASSES, Class, Shows};
use super::sent::{ModelCheck, SentScript};
use crate::case::{Expectation, Verdict};
use crate::solver::answer::{Answer, Reply, Trouble};

/// Something that looks wrong with an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// What kind of defect it would be.
    pub class: Class,
    /// The query it is about, from 0.
    pub query: usize,
    /// What was seen, in words.
    pub detail: String,
}

/// A reply to one query, and what it is compared with.
pub(super) struct Look<'a> {
    query: usize,
    reply: &'a Reply,
    /// What is known of the query. `None`: nothing at all, not even that it is a test of ours; then every reply is looked at that
    /// could be wrong in this way.
    known: Option<&'a Expectation>,
    /// The script as it was sent, read back when a model is to be judged.
    script: &'a mut dyn FnMut(usize, &str) -> Option<ModelCheck>,
}

pub(super) fn wrong_unsat(look: &mut Look<'_>) -> Option<String> {
    let suspected = matches!(look.known, None | Some(Expectation::Sat));
    (suspected && look.reply.verdict == Verdict::Unsat)
        .then(|| "unsat, though the formula is satisfiable".into())
}

pub(super) fn wrong_sat(look: &mut Look<'_>) -> Option<String> {
    let suspected = matches!(look.known, None | Some(Expectation::Unsat { .. }));
    (suspected && look.reply.verdict == Verdict::Sat)
        .then(|| "sat, though the formula is unsatisfiable".into())
}

pub(super) fn invalid_model(look: &mut Look<'_>) -> Option<String> {
    let suspected = matches!(look.known, None | Some(Expectation::Sat | Expectation::Open));
    let model = look.reply.model.as_ref().filter(|_| suspected && look.reply.verdict == Verdict::Sat)?;
    match (look.script)(look.query, model)? {
        ModelCheck::Violates { assertion, because } => {
            Some(format!("under the model, assertion {} is false: {because}", assertion + 1))
        }
        ModelCheck::Satisfies | ModelCheck::Open(_) | ModelCheck::Unreadable(_) => None,
    }
}

/// A core that does not cover the known minimal one may be another minimal core: only solving it tells.
pub(super) fn wrong_core(look: &mut Look<'_>) -> Option<String> {
    let names = look.reply.core.as_ref().filter(|_| look.reply.verdict == Verdict::Unsat)?;
    let suspected = match look.known {
        None => true,
        Some(Expectation::Unsat { core: Some(known) }) => !covers(names, known),
        // The script asked for it and nobody knows a core.
        Some(Expectation::Unsat { core: None } | Expectation::Open) => true,
        Some(Expectation::Sat) => false,
    };
    suspected.then(|| format!("the core ({}) may be satisfiable", names.join(" ")))
}

pub(super) fn imprecise_core(look: &mut Look<'_>) -> Option<String> {
    let names = look.reply.core.as_ref().filter(|_| look.reply.verdict == Verdict::Unsat)?;
    let Some(Expectation::Unsat { core: Some(known) }) = look.known else { return None };
    (covers(names, known) && names.len() > known.len())
        .then(|| format!("{} assertions where {} are enough", names.len(), known.len()))
}

fn covers(names: &[String], known: &[String]) -> bool {
    known.iter().all(|name| names.contains(name))
}

/// What crashed, if the trouble is a crash.
pub(super) fn crash(trouble: &Trouble) -> Option<String> {
    match trouble {
        Trouble::Assertion(text) | Trouble::Sanitizer(text) => Some(text.clone()),
        Trouble::Signal(number) => Some(format!("ended by signal {number}{}", signal_name(*number))),
        Trouble::Unsupported(_)
        | Trouble::Parse(_)
        | Trouble::OutOfMemory
        | Trouble::Timeout
        | Trouble::Flood
        | Trouble::Error(_)
        | Trouble::Silent
        | Trouble::Stopped => None,
    }
}

fn signal_name(number: i32) -> &'static str {
    match number {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        11 => " (SIGSEGV)",
        _ => "",
    }
}

/// Compares an answer with what is known: what looks wrong, in the order of the queries. `script` gives the script as it was
/// sent; it is only asked for if there is a model to judge.
pub fn suspicions(
    expected: &[Expectation],
    answer: &Answer,
    script: &mut dyn FnMut() -> Option<SentScript>,
) -> Vec<Suspicion> {
    let mut found = Vec::new();
    let mut sent: Option<Option<SentScript>> = None;
    let mut check =
        |query: usize, model: &str| Some(sent.get_or_insert_with(&mut *script).as_mut()?.check(query, model));
    for (query, (known, reply)) in expected.iter().zip(heard(answer)).enumerate() {
        let mut look = Look { query, reply, known: Some(known), script: &mut check };
        for row in CLASSES {
            if let Shows::Reply(shows) = row.shows
                && let Some(detail) = shows(&mut look)
            {
                found.push(Suspicion { class: row.class, query, detail });
            }
        }
    }
    for row in CLASSES {
        if let (Shows::Trouble(shows), Some(trouble)) = (&row.shows, &answer.trouble)
            && let Some(detail) = shows(trouble)
        {
            let query = answer.replies.len().min(expected.len().saturating_sub(1));
            found.push(Suspicion { class: row.class, query, detail });
        }
    }
    found
}

/// The replies that may show a class, where nothing is known of the script.
pub(super) fn in_replies(
    class: Class,
    shows: fn(&mut Look<'_>) -> Option<String>,
    answer: &Answer,
    script: &mut SentScript,
) -> Vec<Suspicion> {
    let queries = script.queries();
    let mut check = |query: usize, model: &str| Some(script.check(query, model));
    let look = |(query, reply)| {
        let detail = shows(&mut Look { query, reply, known: None, script: &mut check })?;
        Some(Suspicion { class, query, detail })
    };
    heard(answer).iter().enumerate().take(queries).filter_map(look).collect()
}

/// The replies that can be held against a solver: none if it refused a part of the script, since it may have answered the rest.
pub(crate) fn heard(answer: &Answer) -> &[Reply] {
    match answer.trouble {
        Some(Trouble::Unsupported(_) | Trouble::Parse(_) | Trouble::Error(_)) => &[],
        _ => &answer.replies,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Dialect;

    fn reply(verdict: Verdict) -> Reply {
        Reply { verdict, model: None, core: None, values: None, reason_unknown: None }
    }

    fn classes(
        expected: &[Expectation],
        replies: Vec<Reply>,
        trouble: Option<Trouble>,
        script: &str,
    ) -> Vec<Class> {
        let answer = Answer { replies, trouble };
        let mut sent = || SentScript::read(script, Dialect::V26).ok();
        suspicions(expected, &answer, &mut sent).iter().map(|s| s.class).collect()
    }

    #[test]
    fn wrong_verdicts() {
        let unsat = Expectation::Unsat { core: None };
        let of = |expected: &Expectation, verdict| {
            classes(std::slice::from_ref(expected), vec![reply(verdict)], None, "")
        };
        assert_eq!(of(&Expectation::Sat, Verdict::Unsat), [Class::WrongUnsat]);
        assert_eq!(of(&unsat, Verdict::Sat), [Class::WrongSat]);
        for (expected, verdict) in [
            (&Expectation::Sat, Verdict::Sat),
            (&unsat, Verdict::Unsat),
            (&Expectation::Sat, Verdict::Unknown),
            (&unsat, Verdict::Unknown),
            (&Expectation::Open, Verdict::Unsat),
        ] {
            assert_eq!(of(expected, verdict), []);
        }
    }

    #[test]
    fn models_are_evaluated() {
        let script = "(declare-const x Int)(assert (> x 3))(check-sat)";
        let with = |value: &str| {
            let model = Some(format!("((define-fun x () Int {value}))"));
            classes(&[Expectation::Sat], vec![Reply { model, ..reply(Verdict::Sat) }], None, script)
        };
        assert_eq!(with("4"), []);
        assert_eq!(with("3"), [Class::InvalidModel]);
    }

    #[test]
    fn cores_are_compared_with_the_minimal_one() {
        let expected = [Expectation::Unsat { core: Some(vec!["a".into(), "b".into()]) }];
        let with = |names: &[&str]| {
            let core = Some(names.iter().map(|n| n.to_string()).collect());
            let answer = Answer { replies: vec![Reply { core, ..reply(Verdict::Unsat) }], trouble: None };
            suspicions(&expected, &answer, &mut || None).iter().map(|s| s.class).collect::<Vec<_>>()
        };
        assert_eq!(with(&["b", "a"]), []);
        assert_eq!(with(&["a", "b", "c"]), [Class::ImpreciseCore]);
        assert_eq!(with(&["a", "c"]), [Class::WrongCore]);
    }

    #[test]
    fn refusals_are_no_defects() {
        for trouble in
            [Trouble::Timeout, Trouble::OutOfMemory, Trouble::Unsupported("x".into()), Trouble::Silent]
        {
            assert_eq!(classes(&[Expectation::Sat], vec![], Some(trouble), ""), []);
        }
        // What was answered may be about the part of the script that was understood.
        let refused = Some(Trouble::Parse("unknown constant".into()));
        assert_eq!(classes(&[Expectation::Sat], vec![reply(Verdict::Unsat)], refused, ""), []);
        let assertion = Trouble::Assertion("ASSERTION VIOLATION".into());
        assert_eq!(classes(&[Expectation::Sat], vec![], Some(assertion), ""), [Class::Crash]);
    }
}
