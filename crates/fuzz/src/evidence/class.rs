//! The table of classes: one row a class of defect, with everything that is particular to it. What the rows point to is in
//! `signs.rs` (what shows a class) and `confirm.rs` (what confirms it and what keeps it). A new class is a row and its functions.

use super::confirm::{self, Case, Evidence, Ruling};
use super::signs::{self, Look};
use crate::solver::SolverError;
use crate::solver::answer::Trouble;

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

/// Where a class shows.
pub(super) enum Shows {
    /// In the reply to a query, in words; with nothing known of the query, wherever the reply could be wrong in this way.
    Reply(fn(&mut Look<'_>) -> Option<String>),
    /// In how the process ended or what it complained about, in words.
    Trouble(fn(&Trouble) -> Option<String>),
    /// In a time limit that was reached. A test alone does not show it: whoever suspects it compares with another solver.
    Timeout,
    /// Only in a comparison with another run, by whoever made both runs.
    Comparison,
}

/// A row of the table.
pub(super) struct ClassRow {
    pub(super) class: Class,
    /// In summaries and folder names.
    pub(super) word: &'static str,
    /// What the solver does, for a report's title.
    pub(super) title: &'static str,
    /// Whether it is a finding. The others are observations: they are kept apart and never fail a run.
    pub(super) loud: bool,
    pub(super) shows: Shows,
    /// What a fresh run, the evaluator and the referees make of it.
    pub(super) rule: fn(&mut Case<'_>) -> Result<Ruling, SolverError>,
    /// Which evidence is enough under reduction, where nothing is known by construction.
    pub(super) keeps: fn(&Evidence) -> bool,
}

/// The table, in the order of [`Class`].
pub(super) static CLASSES: &[ClassRow] = &[
    ClassRow {
        class: Class::WrongUnsat,
        word: "soundness",
        title: "answers unsat to a satisfiable formula",
        loud: true,
        shows: Shows::Reply(signs::wrong_unsat),
        rule: confirm::wrong_unsat,
        keeps: |evidence| matches!(evidence, Evidence::Model { .. }),
    },
    ClassRow {
        class: Class::WrongSat,
        word: "soundness",
        title: "answers sat to an unsatisfiable formula",
        loud: true,
        shows: Shows::Reply(signs::wrong_sat),
        rule: confirm::wrong_sat,
        keeps: |evidence| matches!(evidence, Evidence::NoModel | Evidence::Referees(_)),
    },
    ClassRow {
        class: Class::InvalidModel,
        word: "invalid-model",
        title: "gives an invalid model",
        loud: true,
        shows: Shows::Reply(signs::invalid_model),
        rule: confirm::invalid_model,
        keeps: |evidence| matches!(evidence, Evidence::RefutedModel(_)),
    },
    ClassRow {
        class: Class::WrongCore,
        word: "wrong-core",
        title: "gives an unsat core that is satisfiable",
        loud: true,
        shows: Shows::Reply(signs::wrong_core),
        rule: confirm::wrong_core,
        keeps: |evidence| matches!(evidence, Evidence::Model { .. }),
    },
    ClassRow {
        class: Class::Crash,
        word: "crash",
        title: "crashes",
        loud: true,
        shows: Shows::Trouble(signs::crash),
        rule: confirm::as_seen,
        keeps: |evidence| matches!(evidence, Evidence::Process(_)),
    },
    ClassRow {
        class: Class::Performance,
        word: "performance",
        title: "is slow where another solver is not",
        loud: true,
        shows: Shows::Timeout,
        rule: confirm::slow,
        keeps: |evidence| matches!(evidence, Evidence::Process(_)),
    },
    ClassRow {
        class: Class::ImpreciseCore,
        word: "imprecise-core",
        title: "gives an unsat core larger than needed",
        loud: false,
        shows: Shows::Reply(signs::imprecise_core),
        rule: confirm::as_seen,
        keeps: |_| false,
    },
    ClassRow {
        class: Class::UnknownRegression,
        word: "unknown-regression",
        title: "does not decide a small change of a formula it decides",
        loud: false,
        shows: Shows::Comparison,
        rule: confirm::as_seen,
        keeps: |_| false,
    },
    ClassRow {
        class: Class::Slowdown,
        word: "slowdown",
        title: "is far slower on a small change of a formula",
        loud: false,
        shows: Shows::Comparison,
        rule: confirm::as_seen,
        keeps: |_| false,
    },
];

impl Class {
    pub(super) fn row(self) -> &'static ClassRow {
        CLASSES.iter().find(|row| row.class == self).expect("the table has a row for every class")
    }

    /// All classes, the gravest first.
    pub fn all() -> impl Iterator<Item = Class> {
        CLASSES.iter().map(|row| row.class)
    }

    /// The class's word in summaries and folder names. Both wrong verdicts share one.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// What the solver does, for a report's title: "Z3 4.8.0 ...".
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Whether it is a finding; the others are observations, which are kept apart and never fail a run.
    pub fn is_loud(self) -> bool {
        self.row().loud
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_one_row_and_they_are_in_order() {
        let all: Vec<Class> = Class::all().collect();
        assert!(all.is_sorted());
        assert_eq!(all.len(), Class::Slowdown as usize + 1);
        let titles: std::collections::BTreeSet<&str> = all.iter().map(|class| class.title()).collect();
        assert_eq!(titles.len(), all.len(), "a stored entry is read back by its title");
    }

    #[test]
    fn what_is_reduced_is_a_finding() {
        let model = Evidence::Model { text: String::new(), by: String::new() };
        let kinds = [
            model,
            Evidence::RefutedModel(String::new()),
            Evidence::NoModel,
            Evidence::Referees(Vec::new()),
            Evidence::Process(String::new()),
        ];
        for row in CLASSES {
            assert_eq!(kinds.iter().any(row.keeps), row.loud, "{}", row.word);
            let unfounded = [Evidence::Construction, Evidence::Metamorphic];
            assert!(!unfounded.iter().any(row.keeps), "{}: a smaller script has no construction", row.word);
        }
    }
}
