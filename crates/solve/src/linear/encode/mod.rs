//! From terms to gates over bounds of linear forms.
//!
//! Terms are translated in the order of their ids, operands first, so no recursion is needed. Numbers become affine
//! expressions over variables of the simplex core, truth values become edges, and elements of uninterpreted sorts
//! become integers, of which only equality is ever asked. Operators that are not linear are defined by axioms
//! (`arith`, `choices`), functions by congruence (`functions`). Equations that say what a number is can be solved first
//! (`equations`).
//!
//! Products of variables and divisions whose divisor is not a constant are replaced by fresh variables. The encoding is
//! then weaker than the query: it is no longer `exact`.

mod arith;
mod choices;
mod equations;
pub(crate) mod foreign;
mod functions;

use self::choices::Choice;
use self::equations::Solved;
use self::foreign::Foreign;
use super::affine::Affine;
use super::gates::{Edge, Gates};
use crate::engine::{Budget, Query, Reason};
use crate::simplex::num::{Delta, Rational};
use crate::simplex::{LinearForm, Simplex, Var};
use crate::tuning::linear_encode::{BYTES_PER_PAIR, POLL_EVERY, TICKS_PER_OPERAND};
use rustc_hash::FxHashMap;
use smt::{Flags, FunId, Op, Sort, SortId, TermId, Terms, Value, walk};

/// What a term stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Truth(Edge),
    Number(Affine),
    /// An element of an uninterpreted sort, as an integer.
    Element(Affine),
    /// Something that other theories know under the name of the term.
    Node,
}

/// A function applied to arguments.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    pub(crate) fun: FunId,
    pub(crate) args: Vec<TermId>,
    pub(crate) result: TermId,
}

/// A query in the engine's own terms.
#[derive(Default)]
pub(crate) struct Encoding {
    pub(crate) simplex: Simplex,
    pub(crate) gates: Gates,
    /// The conjuncts.
    pub(crate) roots: Vec<Edge>,
    /// What the definitions of operators and functions say.
    pub(crate) axioms: Vec<Edge>,
    /// Whether every model of the encoding is one of the query.
    pub(crate) exact: bool,
    /// The constants, in the order of their terms.
    pub(crate) constants: Vec<(FunId, TermId)>,
    /// The applications of functions, operands first.
    pub(crate) applications: Vec<Application>,
    /// What is left to other theories, if there are any.
    pub(crate) foreign: Option<Foreign>,
    meanings: FxHashMap<TermId, Meaning>,
    /// The equations that were solved, whose conjuncts are `true` here.
    solved: Solved,
    /// Quotients by `(dividend, divisor)`; integer parts have the divisor 1.
    quotients: FxHashMap<(Affine, Rational), Var>,
    /// Products of two expressions, the smaller term first.
    products: FxHashMap<(TermId, TermId), Var>,
    /// The variables that stand for choices between constants.
    choices: FxHashMap<Var, Choice>,
    /// How many pairs may still be related, within the memory that there is.
    pairs_left: usize,
    token: smt::Token,
    /// What `(choice, limit, strict)` came to.
    comparisons: FxHashMap<(Var, Rational, bool), Edge>,
}

/// Translates a query, or says why that is not possible.
pub(crate) fn encode(terms: &Terms, query: &Query, budget: &mut Budget) -> Result<Encoding, Reason> {
    Encoding::empty(budget).completed(terms, query, budget)
}

/// Translates a query after its equations were solved.
pub(crate) fn encode_solved(terms: &Terms, query: &Query, budget: &mut Budget) -> Result<Encoding, Reason> {
    let mut encoding = Encoding::empty(budget);
    encoding.solve_equations(terms, query);
    encoding.completed(terms, query, budget)
}

/// Translates what is arithmetic and leaves the rest to other theories.
pub(crate) fn encode_with(
    terms: &Terms,
    query: &Query,
    foreign: Foreign,
    budget: &mut Budget,
) -> Result<Encoding, Reason> {
    Encoding { foreign: Some(foreign), ..Encoding::empty(budget) }.completed(terms, query, budget)
}

impl Encoding {
    fn empty(budget: &Budget) -> Encoding {
        Encoding {
            exact: true,
            pairs_left: budget.memory / BYTES_PER_PAIR,
            token: smt::Token::new(budget.stop_flag(), budget.deadline()),
            ..Encoding::default()
        }
    }

    fn completed(mut self, terms: &Terms, query: &Query, budget: &mut Budget) -> Result<Encoding, Reason> {
        for term in walk::reachable(terms, &query.assertions) {
            let operands = u32::try_from(terms.args(term).len()).unwrap_or(u32::MAX);
            if !budget.spend(TICKS_PER_OPERAND.saturating_mul(operands.saturating_add(1))) {
                return Err(budget.exhausted().unwrap_or(Reason::Time));
            }
            let meaning = self.translate(terms, term)?;
            self.meanings.insert(term, meaning);
        }
        self.add_congruences(budget)?;
        for &assertion in &query.assertions {
            let edge = self.truth(assertion)?;
            self.roots.push(edge);
        }
        Ok(self)
    }

    /// Solves equations and gives the unknowns in them their meanings.
    fn solve_equations(&mut self, terms: &Terms, query: &Query) {
        let mut solved = Solved::of(terms, &query.assertions);
        let (defined, open): (Vec<_>, Vec<_>) =
            solved.values().into_iter().partition(|(_, value)| value.is_some());
        for (term, _) in open {
            let var = self.simplex.add_var(terms.sort(term) == SortId::INT);
            self.meanings.insert(term, Meaning::Number(Affine::var(var)));
        }
        for (term, value) in defined {
            let Some(value) = value else { continue };
            let place = |(var, coeff): &(Var, Rational)| {
                let Some(Meaning::Number(own)) = self.meanings.get(&solved.unknown(*var)) else {
                    unreachable!("a value mentions unknowns without one");
                };
                (own.form.terms()[0].0, coeff.clone())
            };
            let form = LinearForm::new(value.form.terms().iter().map(place).collect());
            self.meanings.insert(term, Meaning::Number(Affine { form, constant: value.constant }));
        }
        self.solved = solved;
    }

    /// Whether equations were solved.
    pub(crate) fn has_solved(&self) -> bool {
        !self.solved.is_empty()
    }

    /// A core of the query, from conjuncts that have no common solution in this encoding: the equations join that were solved for what
    /// these conjuncts mention. Axioms may mention anything.
    pub(crate) fn whole_core(&self, terms: &Terms, query: &Query, mut core: Vec<usize>) -> Vec<usize> {
        let conjuncts: Vec<TermId> = core.iter().map(|&at| query.assertions[at]).collect();
        core.extend(self.solved.behind(terms, self.axioms.is_empty().then_some(&conjuncts[..])));
        core.sort_unstable();
        core.dedup();
        core
    }
}

impl Encoding {
    pub(crate) fn meaning(&self, term: TermId) -> Result<&Meaning, Reason> {
        self.meanings.get(&term).ok_or(Reason::Unsupported)
    }

    fn truth(&self, term: TermId) -> Result<Edge, Reason> {
        match self.meaning(term)? {
            Meaning::Truth(edge) => Ok(*edge),
            Meaning::Number(_) | Meaning::Element(_) | Meaning::Node => Err(Reason::Unsupported),
        }
    }

    fn truths(&self, terms: &[TermId]) -> Result<Vec<Edge>, Reason> {
        terms.iter().map(|&term| self.truth(term)).collect()
    }

    fn number(&self, term: TermId) -> Result<&Affine, Reason> {
        match self.meaning(term)? {
            Meaning::Number(affine) => Ok(affine),
            Meaning::Truth(_) | Meaning::Element(_) | Meaning::Node => Err(Reason::Unsupported),
        }
    }

    fn translate(&mut self, terms: &Terms, term: TermId) -> Result<Meaning, Reason> {
        if terms.flags(term).has(Flags::BINDER) || terms.flags(term).has(Flags::BOUND) {
            return Err(Reason::Unsupported);
        }
        if self.foreign.is_some() && foreign::is_foreign(terms, term) {
            return self.foreign_application(terms, term);
        }
        let args = terms.args(term);
        let truth = match terms.op(term) {
            Op::Const => return self.constant(terms, term),
            Op::Apply => return self.application(terms, term),
            Op::Not => !self.truth(args[0])?,
            Op::And => {
                let operands = self.truths(args)?;
                self.gates.and(operands)
            }
            Op::Or => {
                let operands = self.truths(args)?;
                self.gates.or(operands)
            }
            Op::Implies => {
                let mut operands = self.truths(args)?;
                let last = operands.len() - 1;
                operands[..last].iter_mut().for_each(|edge| *edge = !*edge);
                self.gates.or(operands)
            }
            Op::Xor => {
                let operands = self.truths(args)?;
                operands.into_iter().fold(Edge::FALSE, |sum, edge| !self.gates.iff(sum, edge))
            }
            Op::Eq => self.pairs(args.windows(2).map(|pair| (pair[0], pair[1])), Encoding::equal)?,
            Op::Distinct => {
                let pairs = (0..args.len()).flat_map(|i| (0..i).map(move |j| (args[j], args[i])));
                self.pairs(pairs, |encoding, a, b| Ok(!encoding.equal(a, b)?))?
            }
            Op::Le | Op::Lt | Op::Ge | Op::Gt => {
                let op = terms.op(term);
                let pairs = args.windows(2).map(|pair| (pair[0], pair[1]));
                self.pairs(pairs, |encoding, a, b| encoding.compare(op, a, b))?
            }
            Op::Ite => return self.ite(terms, term),
            _ => return self.arithmetic(terms, term),
        };
        Ok(Meaning::Truth(truth))
    }

    /// The conjunction of a relation over pairs.
    fn pairs(
        &mut self,
        pairs: impl Iterator<Item = (TermId, TermId)>,
        mut relation: impl FnMut(&mut Encoding, TermId, TermId) -> Result<Edge, Reason>,
    ) -> Result<Edge, Reason> {
        let mut edges = Vec::new();
        for (a, b) in pairs {
            self.pairs_left = self.pairs_left.checked_sub(1).ok_or(Reason::Memory)?;
            if self.pairs_left.is_multiple_of(POLL_EVERY) && self.token.is_over() {
                return Err(Reason::Time);
            }
            edges.push(relation(self, a, b)?);
        }
        Ok(self.gates.and(edges))
    }

    fn constant(&mut self, terms: &Terms, term: TermId) -> Result<Meaning, Reason> {
        Ok(match terms.as_value(term) {
            Some(Value::Bool(true)) => Meaning::Truth(Edge::TRUE),
            Some(Value::Bool(false)) => Meaning::Truth(Edge::FALSE),
            Some(Value::Int(number)) => Meaning::Number(Affine::constant(Rational::from(number.clone()))),
            Some(Value::Real(number)) => Meaning::Number(Affine::constant(Rational::from(number.clone()))),
            Some(_) if self.foreign.is_some() => Meaning::Node,
            _ => return Err(Reason::Unsupported),
        })
    }

    /// An unknown of a sort.
    fn fresh(&mut self, terms: &Terms, sort: SortId) -> Result<Meaning, Reason> {
        Ok(match terms.sort_of(sort) {
            Sort::Bool => Meaning::Truth(self.gates.free()),
            Sort::Int => Meaning::Number(Affine::var(self.simplex.add_var(true))),
            Sort::Real => Meaning::Number(Affine::var(self.simplex.add_var(false))),
            _ if self.foreign.is_some() => Meaning::Node,
            Sort::Uninterpreted(..) => Meaning::Element(Affine::var(self.simplex.add_var(true))),
            _ => return Err(Reason::Unsupported),
        })
    }

    fn equal(&mut self, a: TermId, b: TermId) -> Result<Edge, Reason> {
        if let Some(edge) = self.foreign_equality(a, b)? {
            return Ok(edge);
        }
        let (a, b) = (self.meaning(a)?.clone(), self.meaning(b)?.clone());
        self.same(&a, &b)
    }

    fn same(&mut self, a: &Meaning, b: &Meaning) -> Result<Edge, Reason> {
        match (a, b) {
            (Meaning::Truth(a), Meaning::Truth(b)) => Ok(self.gates.iff(*a, *b)),
            (Meaning::Number(a), Meaning::Number(b)) | (Meaning::Element(a), Meaning::Element(b)) => {
                Ok(self.is_zero(&a.minus(b)))
            }
            _ => Err(Reason::Unsupported),
        }
    }

    fn compare(&mut self, op: Op, a: TermId, b: TermId) -> Result<Edge, Reason> {
        let difference = self.number(a)?.minus(self.number(b)?);
        Ok(match op {
            Op::Le => self.at_most_zero(&difference),
            Op::Ge => self.at_least_zero(&difference),
            Op::Lt => !self.at_least_zero(&difference),
            _ => !self.at_most_zero(&difference),
        })
    }

    /// `affine = 0`
    fn is_zero(&mut self, affine: &Affine) -> Edge {
        let bounds = [self.at_most_zero(affine), self.at_least_zero(affine)];
        self.gates.and(bounds)
    }

    /// `affine >= 0`
    fn at_least_zero(&mut self, affine: &Affine) -> Edge {
        self.at_most_zero(&affine.scaled(&Rational::MINUS_ONE))
    }

    /// `affine <= 0`
    fn at_most_zero(&mut self, affine: &Affine) -> Edge {
        if let Some(edge) = self.choice_at_most_zero(affine) {
            return edge;
        }
        self.define_choices(affine);
        self.bound(affine)
    }

    /// `affine <= 0` as a bound on a variable of the core.
    fn bound(&mut self, affine: &Affine) -> Edge {
        let Some((var, factor)) = self.simplex.form_var(&affine.form) else {
            return if affine.constant.is_positive() { Edge::FALSE } else { Edge::TRUE };
        };
        let limit = &-&affine.constant / &factor;
        let is_int = self.simplex.is_int(var);
        if factor.is_positive() {
            let limit = if is_int { limit.floor() } else { limit };
            self.gates.at_most(var, Delta::from(limit))
        } else {
            // `var >= limit` is the negation of `var < limit`.
            let below =
                if is_int { Delta::from(&limit.ceil() - &Rational::ONE) } else { Delta::below(limit) };
            !self.gates.at_most(var, below)
        }
    }
}
