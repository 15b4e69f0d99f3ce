//! The path condition: what a run's inputs had to satisfy for it to go where it went.

use super::run::Fault;
use super::site::Site;
use crate::route::Route;
use smt::{Op, TermId, Terms};

/// One condition. The run's inputs satisfy the term if it was `taken`, else its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathEntry {
    /// A Boolean term over the symbolic inputs.
    pub term: TermId,
    /// Whether it holds in this run.
    pub taken: bool,
    /// The instruction that asked.
    pub at: Site,
    /// Why it asked.
    pub kind: PathKind,
    /// The way up to it.
    pub route: Route,
}

/// Why there is a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A conditional branch; `taken` says whether its condition was true (not zero).
    Branch,
    /// A choice between two values.
    Select,
    /// A jump by an index that went to this case; the index is the subject.
    Switch {
        /// The case that the run took.
        case: u32,
        /// The number of the default case.
        default: u32,
        /// The index.
        subject: TermId,
    },
    /// The condition under which the machine cannot go on here.
    Fault(Fault),
    /// The machine took the value that the subject has in this run.
    Concretised {
        /// What for, in a word.
        why: &'static str,
        /// The value's term.
        subject: TermId,
    },
    /// A symbolic address lies within the region of memory that the array stands for.
    Region,
    /// The host required it: inputs that do not satisfy it are of no interest.
    Assumption,
}

impl PathKind {
    /// Why the length of an input is taken as it is in a run.
    pub(crate) const LENGTH: &'static str = "length";
}

impl PathEntry {
    /// The condition as it holds in this run.
    pub(crate) fn literal(&self, terms: &mut Terms) -> TermId {
        if self.taken { self.term } else { negate(terms, self.term) }
    }
}

/// The negation, without a double one.
pub(crate) fn negate(terms: &mut Terms, term: TermId) -> TermId {
    match term {
        TermId::TRUE => TermId::FALSE,
        TermId::FALSE => TermId::TRUE,
        _ if terms.op(term) == Op::Not => terms.args(term)[0],
        _ => terms.mk(Op::Not, &[term]),
    }
}
