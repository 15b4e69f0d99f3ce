//! What arithmetic leaves to other theories: functions, arrays, datatypes and uninterpreted sorts.
//!
//! A term of theirs that is a number is an unknown here, one that is a truth value is a free Boolean, and any other is a *node* under its
//! own name. Numbers that occur in their terms are *shared*. Equalities between nodes or between shared numbers are free
//! Booleans, so that both sides can see them; an equality of shared numbers is tied to its two bounds by an axiom.

use super::{Encoding, Meaning};
use crate::engine::Reason;
use crate::linear::gates::Edge;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, SortId, TermId, Terms};

/// What is left to other theories.
#[derive(Default)]
pub(crate) struct Foreign {
    /// Numbers that other theories see.
    shared: FxHashSet<TermId>,
    /// The terms that are theirs, operands first.
    pub(crate) nodes: Vec<TermId>,
    /// Equalities that they see, with the Boolean that stands for each.
    pub(crate) equalities: Vec<(TermId, TermId, Edge)>,
    known: FxHashMap<(TermId, TermId), Edge>,
    /// Truth values that occur in their terms, with a Boolean that stands for each.
    pub(crate) truths: FxHashMap<TermId, Edge>,
    shown: FxHashSet<TermId>,
}

/// Whether a term is an application that arithmetic knows nothing of.
pub(crate) fn is_foreign(terms: &Terms, term: TermId) -> bool {
    match terms.op(term) {
        Op::Apply => !terms.args(term).is_empty(),
        Op::Select | Op::Store | Op::ConstArray | Op::Construct | Op::Field | Op::Tester => true,
        _ => false,
    }
}

fn is_number(terms: &Terms, term: TermId) -> bool {
    matches!(terms.sort_of(terms.sort(term)), Sort::Int | Sort::Real)
}

impl Foreign {
    /// Looks which numbers are shared.
    pub(crate) fn of(terms: &Terms, reachable: &[TermId]) -> Foreign {
        let mut foreign = Foreign::default();
        for &term in reachable.iter().filter(|&&term| is_foreign(terms, term)) {
            let numbers = terms.args(term).iter().chain([&term]).filter(|&&t| is_number(terms, t));
            foreign.shared.extend(numbers);
        }
        foreign
    }
}

impl Encoding {
    pub(super) fn foreign_application(&mut self, terms: &Terms, term: TermId) -> Result<Meaning, Reason> {
        let defined = |fun| terms.fun(fun).definition.is_some();
        if terms.as_fun(term).is_some_and(defined) || terms.is_function_symbol(term) {
            return Err(Reason::Unsupported);
        }
        for &arg in terms.args(term) {
            match self.meaning(arg)?.clone() {
                Meaning::Number(number) => self.define_choices(&number),
                Meaning::Truth(edge) => self.show_truth(arg, edge),
                Meaning::Element(_) => return Err(Reason::Unsupported),
                Meaning::Node => {}
            }
        }
        self.theirs().nodes.push(term);
        let meaning = self.fresh(terms, terms.sort(term))?;
        if let (Meaning::Truth(edge), true) = (&meaning, terms.sort(term) == SortId::BOOL) {
            self.theirs().truths.insert(term, *edge);
        }
        Ok(meaning)
    }

    /// Gives a truth value a Boolean of its own, which other theories can see whatever it is used for here.
    fn show_truth(&mut self, term: TermId, edge: Edge) {
        if !self.theirs().shown.insert(term) {
            return;
        }
        let seen = self.gates.free();
        let tied = self.gates.iff(seen, edge);
        self.axioms.push(tied);
        self.theirs().truths.insert(term, seen);
    }

    /// The equality of two terms that other theories see; `None` if it is for arithmetic alone.
    pub(super) fn foreign_equality(&mut self, a: TermId, b: TermId) -> Result<Option<Edge>, Reason> {
        let Some(foreign) = &self.foreign else { return Ok(None) };
        let key = (a.min(b), a.max(b));
        if let Some(&edge) = foreign.known.get(&key) {
            return Ok(Some(edge));
        }
        let shared = foreign.shared.contains(&a) && foreign.shared.contains(&b);
        let edge = match (self.meaning(a)?.clone(), self.meaning(b)?.clone()) {
            (Meaning::Node, Meaning::Node) if a == b => Edge::TRUE,
            (Meaning::Node, Meaning::Node) => {
                let edge = self.gates.free();
                self.theirs().equalities.push((a, b, edge));
                edge
            }
            (Meaning::Number(x), Meaning::Number(y)) if shared => {
                let same = self.is_zero(&x.minus(&y));
                if same == Edge::TRUE || same == Edge::FALSE {
                    same
                } else {
                    let edge = self.gates.free();
                    let tied = self.gates.iff(edge, same);
                    self.axioms.push(tied);
                    self.theirs().equalities.push((a, b, edge));
                    edge
                }
            }
            _ => return Ok(None),
        };
        self.theirs().known.insert(key, edge);
        Ok(Some(edge))
    }

    /// A node that equals one of two others, by a condition.
    pub(super) fn foreign_choice(
        &mut self,
        term: TermId,
        condition: Edge,
        then: TermId,
        otherwise: TermId,
    ) -> Result<(), Reason> {
        self.theirs().nodes.push(term);
        for (case, value) in [(!condition, then), (condition, otherwise)] {
            let key = (term.min(value), term.max(value));
            let same = self.gates.free();
            self.theirs().known.insert(key, same);
            self.theirs().equalities.push((term, value, same));
            let axiom = self.gates.or([case, same]);
            self.axioms.push(axiom);
        }
        Ok(())
    }

    fn theirs(&mut self) -> &mut Foreign {
        self.foreign.get_or_insert_default()
    }
}
