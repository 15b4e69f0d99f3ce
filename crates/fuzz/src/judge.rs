//! The oracles: what is wrong with an answer, given what is known of the script. Pure: it runs nothing, so what it returns
//! are suspicions, which [`crate::confirm`] has to confirm before anyone hears of them.
//!
//! Refusals, timeouts and lack of memory are results, not defects; an answer on an open value ([`smt::Undefined`]) is
//! never held against a solver.

use crate::case::{Expectation, Verdict};
use crate::exhibit::{Exhibit, ModelCheck};
use crate::solver::answer::{Answer, Reply, Trouble};

/// What kind of defect a finding is, the gravest first: the order in which maintainers want to hear of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// `unsat` where there is a model.
    WrongUnsat,
    /// `sat` where there is no model.
    WrongSat,
    /// `sat`, rightly or not, with a model under which an assertion is false.
    InvalidModel,
    /// An unsatisfiable core that is satisfiable.
    WrongCore,
    /// A failed assertion, a sanitizer's report, or an end by a signal.
    Crash,
    /// A time limit reached by the target where the reference answers quickly.
    Performance,
    /// A core that is larger than a minimal one.
    ImpreciseCore,
    /// A mutant that is not decided though its seed is.
    UnknownRegression,
    /// A mutant that takes far longer than its seed.
    Slowdown,
}

/// A row of the table of classes.
struct ClassInfo {
    class: Class,
    word: &'static str,
    title: &'static str,
    loud: bool,
}

/// The table of classes.
static CLASSES: &[ClassInfo] = &[
    ClassInfo {
        class: Class::WrongUnsat,
        word: "soundness",
        title: "answers unsat to a satisfiable formula",
        loud: true,
    },
    ClassInfo {
        class: Class::WrongSat,
        word: "soundness",
        title: "answers sat to an unsatisfiable formula",
        loud: true,
    },
    ClassInfo {
        class: Class::InvalidModel,
        word: "invalid-model",
        title: "gives an invalid model",
        loud: true,
    },
    ClassInfo {
        class: Class::WrongCore,
        word: "wrong-core",
        title: "gives an unsat core that is satisfiable",
        loud: true,
    },
    ClassInfo { class: Class::Crash, word: "crash", title: "crashes", loud: true },
    ClassInfo {
        class: Class::Performance,
        word: "performance",
        title: "is slow where another solver is not",
        loud: true,
    },
    ClassInfo {
        class: Class::ImpreciseCore,
        word: "imprecise-core",
        title: "gives an unsat core larger than needed",
        loud: false,
    },
    ClassInfo {
        class: Class::UnknownRegression,
        word: "unknown-regression",
        title: "does not decide a small change of a formula it decides",
        loud: false,
    },
    ClassInfo {
        class: Class::Slowdown,
        word: "slowdown",
        title: "is far slower on a small change of a formula",
        loud: false,
    },
];

impl Class {
    fn info(self) -> &'static ClassInfo {
        CLASSES.iter().find(|row| row.class == self).expect("the table has a row for every class")
    }

    /// All classes, the gravest first.
    pub fn all() -> impl Iterator<Item = Class> {
        CLASSES.iter().map(|row| row.class)
    }

    /// The class's word in summaries and folder names.
    pub fn word(self) -> &'static str {
        self.info().word
    }

    /// What the solver does, for a report's title: "Z3 4.8.0 ...".
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// Whether it is a finding; the others are observations, which are kept apart and never fail a run.
    pub fn is_loud(self) -> bool {
        self.info().loud
    }
}

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

/// A core that must still be solved again: it does not cover the one that is known to be unsatisfiable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenCore {
    /// The query, from 0.
    pub query: usize,
    /// The names that the solver gave.
    pub names: Vec<String>,
}

/// What the oracles say of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// What looks wrong, in the order of the queries.
    pub suspicions: Vec<Suspicion>,
    /// Cores of which only solving again can tell.
    pub open_cores: Vec<OpenCore>,
}

/// Compares an answer with what is known. `exhibit` gives the script as it was sent; it is only asked for if there is a
/// model to judge.
pub fn judge(
    expected: &[Expectation],
    answer: &Answer,
    exhibit: &mut dyn FnMut() -> Option<Exhibit>,
) -> Judgement {
    let mut judgement = Judgement::default();
    let mut read: Option<Option<Exhibit>> = None;
    for (query, (expectation, reply)) in expected.iter().zip(heard(answer)).enumerate() {
        let mut suspect = |class, detail| judgement.suspicions.push(Suspicion { class, query, detail });
        match (expectation, reply.verdict) {
            (Expectation::Sat, Verdict::Unsat) => {
                suspect(Class::WrongUnsat, "unsat, though the formula is satisfiable".into());
            }
            (Expectation::Unsat { .. }, Verdict::Sat) => {
                suspect(Class::WrongSat, "sat, though the formula is unsatisfiable".into());
            }
            (Expectation::Sat | Expectation::Open, Verdict::Sat) => {
                if let Some(model) = &reply.model
                    && let Some(exhibit) = read.get_or_insert_with(&mut *exhibit)
                    && let ModelCheck::Violates { assertion, because } = exhibit.check(query, model)
                {
                    let number = assertion + 1;
                    suspect(
                        Class::InvalidModel,
                        format!("under the model, assertion {number} is false: {because}"),
                    );
                }
            }
            (Expectation::Unsat { core: Some(known) }, Verdict::Unsat) => {
                if let Some(names) = &reply.core {
                    if !known.iter().all(|name| names.contains(name)) {
                        judgement.open_cores.push(OpenCore { query, names: names.clone() });
                    } else if names.len() > known.len() {
                        let detail = format!("{} assertions where {} are enough", names.len(), known.len());
                        suspect(Class::ImpreciseCore, detail);
                    }
                }
            }
            (Expectation::Unsat { core: None } | Expectation::Open, Verdict::Unsat)
            | (_, Verdict::Unknown) => {}
        }
    }
    if let Some(detail) = answer.trouble.as_ref().and_then(crash) {
        let query = answer.replies.len().min(expected.len().saturating_sub(1));
        judgement.suspicions.push(Suspicion { class: Class::Crash, query, detail });
    }
    judgement
}

/// The replies that can be held against a solver: none if it refused a part of the script, since it may have answered the rest.
pub fn heard(answer: &Answer) -> &[Reply] {
    match answer.trouble {
        Some(Trouble::Unsupported(_) | Trouble::Parse(_) | Trouble::Error(_)) => &[],
        _ => &answer.replies,
    }
}

/// What crashed, if the trouble is a crash.
pub fn crash(trouble: &Trouble) -> Option<String> {
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
        let mut exhibit = || Exhibit::read(script, Dialect::V26).ok();
        judge(expected, &answer, &mut exhibit).suspicions.iter().map(|s| s.class).collect()
    }

    #[test]
    fn every_class_has_one_row_and_they_are_in_order() {
        let all: Vec<Class> = Class::all().collect();
        assert!(all.is_sorted());
        assert_eq!(all.len(), CLASSES.len());
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
            let judgement = judge(&expected, &answer, &mut || None);
            (judgement.suspicions.len(), judgement.open_cores.len())
        };
        assert_eq!(with(&["b", "a"]), (0, 0));
        assert_eq!(with(&["a", "b", "c"]), (1, 0));
        assert_eq!(with(&["a", "c"]), (0, 1));
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
