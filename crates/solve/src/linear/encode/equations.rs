//! Equations that say what a number is, solved before anything else is translated.
//!
//! A conjunct `x = y + 3` makes `x` the expression `y + 3` wherever it occurs; the equation itself becomes `true`. A row for each
//! link of a chain of such equations would fill the tableau: each pivot puts one more variable into its neighbours.
//!
//! Two kinds of equations are solved. One with at most two unknowns never makes an expression longer. One with more is
//! solved for an unknown that stands in one other place at most and in no value so far, and only if the value is short. So no value
//! is longer than [`LONGEST`], and the work is linear in the number of equations.
//!
//! An integer is only solved for where its factor is 1 or -1 and all the rest is integral: then every solution of what remains is one
//! of the query. Refutations name the equations behind the values that they use ([`Solved::behind`]).

use crate::linear::affine::Affine;
use crate::simplex::num::Rational;
use crate::simplex::{LinearForm, Var};
use crate::tuning::linear_encode_equations::{LONGEST, MAX_OPERATORS};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, SortId, TermId, Terms, walk};

/// An unknown of the query with its value.
struct Definition {
    /// The equation's position in the query.
    conjunct: usize,
    /// The other unknowns of the equation as it was written.
    others: Vec<Var>,
    /// May mention unknowns that were solved for later.
    value: Affine,
}

/// Unknowns, under numbers of their own, and what equations say about them.
#[derive(Default)]
pub(super) struct Solved {
    unknowns: Vec<TermId>,
    numbers: FxHashMap<TermId, Var>,
    /// By unknown.
    definitions: Vec<Option<Definition>>,
    /// How many terms each unknown stands in.
    uses: FxHashMap<TermId, usize>,
    /// The unknowns that values mention.
    mentioned: FxHashSet<Var>,
}

impl Solved {
    /// Solves the equations among conjuncts.
    pub(super) fn of(terms: &Terms, conjuncts: &[TermId]) -> Solved {
        let mut solved = Solved::default();
        let is_equation = |term: TermId| terms.op(term) == Op::Eq && terms.args(term).len() == 2;
        if !conjuncts.iter().any(|&term| is_equation(term)) {
            return solved;
        }
        for term in walk::reachable(terms, conjuncts) {
            for &arg in terms.args(term).iter().filter(|&&arg| is_unknown(terms, arg)) {
                *solved.uses.entry(arg).or_insert(0) += 1;
            }
        }
        for (position, &conjunct) in conjuncts.iter().enumerate() {
            if is_equation(conjunct)
                && let Some(difference) = solved.difference(terms, conjunct)
            {
                solved.solve(terms, position, &difference);
            }
        }
        solved
    }

    /// The difference of an equation's sides, if it is linear without a look at anything but its operators.
    fn difference(&mut self, terms: &Terms, equation: TermId) -> Option<Affine> {
        let &[left, right] = terms.args(equation) else { return None };
        let mut sum = Vec::new();
        let mut constant = Rational::ZERO;
        let mut open = vec![(left, Rational::ONE), (right, Rational::MINUS_ONE)];
        let mut left_over = MAX_OPERATORS;
        while let Some((term, factor)) = open.pop() {
            left_over = left_over.checked_sub(1)?;
            let args = terms.args(term);
            match terms.op(term) {
                Op::Const => constant.add_mul(&factor, &numeral(terms, term)?),
                _ if is_unknown(terms, term) => sum.push((self.number(term), factor)),
                Op::Add => open.extend(args.iter().map(|&arg| (arg, factor.clone()))),
                Op::Sub => {
                    open.extend(args[1..].iter().map(|&arg| (arg, -&factor)));
                    open.push((args[0], factor));
                }
                Op::Neg => open.push((args[0], -&factor)),
                Op::ToReal => open.push((args[0], factor)),
                Op::Mul => match *args {
                    [a, b] => match (numeral(terms, a), numeral(terms, b)) {
                        (Some(by), _) => open.push((b, &factor * &by)),
                        (None, Some(by)) => open.push((a, &factor * &by)),
                        (None, None) => return None,
                    },
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(Affine { form: LinearForm::new(sum), constant })
    }

    fn number(&mut self, term: TermId) -> Var {
        *self.numbers.entry(term).or_insert_with(|| {
            self.unknowns.push(term);
            self.definitions.push(None);
            Var::new(self.unknowns.len() - 1)
        })
    }

    /// Solves `difference = 0` for one of its unknowns, if that is worth it.
    fn solve(&mut self, terms: &Terms, conjunct: usize, difference: &Affine) {
        let resolved = self.resolved(difference);
        let Some((form, factor)) = resolved.form.primitive() else { return };
        let constant = &resolved.constant / &factor;
        let Some(var) = self.pivot(terms, &form, &constant) else { return };
        let own = form.terms().iter().find(|(other, _)| *other == var).map(|(_, coeff)| coeff.clone());
        let Some(factor) = own.and_then(|coeff| coeff.recip()) else { return };
        let others = form.terms().iter().filter(|(other, _)| *other != var).cloned().collect();
        let rest = Affine { form: LinearForm::new(others), constant };
        let value = rest.scaled(&-factor);
        self.mentioned.extend(value.form.terms().iter().map(|(other, _)| *other));
        let others = difference.form.terms().iter().map(|(other, _)| *other).filter(|&other| other != var);
        let others = others.collect();
        self.definitions[var.index()] = Some(Definition { conjunct, others, value });
    }

    /// The unknown to solve for: the one that stands in the fewest places, the latest among equals.
    fn pivot(&self, terms: &Terms, form: &LinearForm, constant: &Rational) -> Option<Var> {
        let all = form.terms();
        let is_int = |var: Var| terms.sort(self.unknowns[var.index()]) == SortId::INT;
        // The coefficients of a primitive form are integers.
        let integral = constant.is_int() && all.iter().all(|(var, _)| is_int(*var));
        let uses = |var: Var| self.uses.get(&self.unknowns[var.index()]).copied().unwrap_or(0);
        let solvable = |(var, coeff): &&(Var, Rational)| {
            let exact = !is_int(*var) || integral && coeff.abs().is_one();
            let short =
                all.len() <= 2 || all.len() <= LONGEST && uses(*var) <= 2 && !self.mentioned.contains(var);
            exact && short
        };
        let rank = |(var, _): &&(Var, Rational)| (uses(*var), std::cmp::Reverse(*var));
        all.iter().filter(solvable).min_by_key(rank).map(|(var, _)| *var)
    }

    /// An expression without the unknowns that were solved for.
    fn resolved(&mut self, expression: &Affine) -> Affine {
        let mut open: Vec<Var> = expression.form.terms().iter().map(|(var, _)| *var).collect();
        // Values behind others come first, so that every value is short when it is used.
        while let Some(&var) = open.last() {
            let before = open.len();
            if let Some(definition) = &self.definitions[var.index()] {
                let inner = definition.value.form.terms().iter().map(|(inner, _)| *inner);
                open.extend(inner.filter(|inner| self.is_unresolved(*inner)));
            }
            if open.len() == before {
                open.pop();
                if let Some(definition) = &self.definitions[var.index()] {
                    let value = self.substituted(&definition.value);
                    if let Some(definition) = &mut self.definitions[var.index()] {
                        definition.value = value;
                    }
                }
            }
        }
        self.substituted(expression)
    }

    /// Whether the value of an unknown mentions unknowns that have values.
    fn is_unresolved(&self, var: Var) -> bool {
        let has_value = |(var, _): &(Var, Rational)| self.definitions[var.index()].is_some();
        let definition = self.definitions[var.index()].as_ref();
        definition.is_some_and(|definition| definition.value.form.terms().iter().any(has_value))
    }

    /// An expression with unknowns replaced by their values.
    fn substituted(&self, expression: &Affine) -> Affine {
        let value = |var: Var| self.definitions[var.index()].as_ref().map(|definition| &definition.value);
        let terms = expression.form.terms();
        if terms.iter().all(|(var, _)| value(*var).is_none()) {
            return expression.clone();
        }
        let base = Affine::constant(expression.constant.clone());
        let singles: Vec<Affine> = terms.iter().map(|(var, _)| Affine::var(*var)).collect();
        let parts = terms
            .iter()
            .zip(&singles)
            .map(|((var, coeff), single)| (value(*var).unwrap_or(single), coeff.clone()));
        Affine::sum(std::iter::once((&base, Rational::ONE)).chain(parts))
    }

    /// Every unknown that equations speak about, with its value if it was solved for. Values mention unknowns without one
    /// only.
    pub(super) fn values(&mut self) -> Vec<(TermId, Option<Affine>)> {
        (0..self.unknowns.len())
            .map(|index| {
                let var = Var::new(index);
                let value = self.definitions[index].is_some().then(|| self.resolved(&Affine::var(var)));
                (self.unknowns[index], value)
            })
            .collect()
    }

    /// The unknown behind a number of this module's own.
    pub(super) fn unknown(&self, var: Var) -> TermId {
        self.unknowns[var.index()]
    }

    /// Whether nothing was solved.
    pub(super) fn is_empty(&self) -> bool {
        self.definitions.iter().all(Option::is_none)
    }

    /// The positions of the equations that the values of the unknowns in some conjuncts stand on; of all of them with `None`.
    pub(super) fn behind(&self, terms: &Terms, conjuncts: Option<&[TermId]>) -> Vec<usize> {
        let mut open: Vec<Var> = match conjuncts {
            None => (0..self.unknowns.len()).map(Var::new).collect(),
            Some(conjuncts) => {
                let reachable = walk::reachable(terms, conjuncts).into_iter();
                reachable.filter_map(|term| self.numbers.get(&term).copied()).collect()
            }
        };
        let mut seen = vec![false; self.unknowns.len()];
        let mut found = Vec::new();
        while let Some(var) = open.pop() {
            if std::mem::replace(&mut seen[var.index()], true) {
                continue;
            }
            if let Some(definition) = &self.definitions[var.index()] {
                found.push(definition.conjunct);
                open.extend(&definition.others);
            }
        }
        found
    }
}

/// Whether a term is a number that the query leaves open.
fn is_unknown(terms: &Terms, term: TermId) -> bool {
    let is_number = [SortId::INT, SortId::REAL].contains(&terms.sort(term));
    is_number
        && terms.op(term) == Op::Apply
        && terms.args(term).is_empty()
        && terms.as_fun(term).is_some_and(|fun| terms.fun(fun).definition.is_none())
}

fn numeral(terms: &Terms, term: TermId) -> Option<Rational> {
    match terms.as_value(term)? {
        smt::Value::Int(number) => Some(Rational::from(number.clone())),
        smt::Value::Real(number) => Some(Rational::from(number.clone())),
        _ => None,
    }
}
