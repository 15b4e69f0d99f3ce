//! Choices: numbers that equal one of two others, by a condition.
//!
//! A choice is a variable with two axioms. A choice whose cases are constants, or such choices again, is compared with
//! constants without any arithmetic: `(ite c a b) <= k` is `(ite c (a <= k) (b <= k))`, down to truth values. State
//! machines written as nests of `ite` over numerals become purely Boolean that way. The axioms of such a choice are
//! added when a linear form mentions it.

use super::Encoding;
use crate::linear::affine::Affine;
use crate::linear::gates::Edge;
use crate::simplex::Var;
use crate::simplex::num::Rational;

/// A choice between constants.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    condition: Edge,
    then: Case,
    otherwise: Case,
    least: Rational,
    greatest: Rational,
    /// Whether its axioms were added.
    defined: bool,
}

#[derive(Clone, Debug)]
enum Case {
    Constant(Rational),
    /// A choice plus a constant.
    Choice(Var, Rational),
}

impl Encoding {
    /// A number that equals one of two others, by a condition.
    pub(super) fn choice(
        &mut self,
        condition: Edge,
        then: &Affine,
        otherwise: &Affine,
        is_int: bool,
    ) -> Affine {
        if condition == Edge::TRUE || then == otherwise {
            return then.clone();
        }
        if condition == Edge::FALSE {
            return otherwise.clone();
        }
        let var = self.simplex.add_var(is_int);
        match (self.case(then), self.case(otherwise)) {
            (Some(then), Some(otherwise)) => {
                let (a, b) = (self.range(&then), self.range(&otherwise));
                let (least, greatest) = (a.0.min(b.0), a.1.max(b.1));
                let choice = Choice { condition, then, otherwise, least, greatest, defined: false };
                self.choices.insert(var, choice);
            }
            _ => self.define_choice(var, condition, then, otherwise),
        }
        Affine::var(var)
    }

    fn case(&self, number: &Affine) -> Option<Case> {
        if let Some(constant) = number.as_constant() {
            return Some(Case::Constant(constant.clone()));
        }
        match number.form.terms() {
            [(var, coeff)] if coeff.is_one() && self.choices.contains_key(var) => {
                Some(Case::Choice(*var, number.constant.clone()))
            }
            _ => None,
        }
    }

    fn range(&self, case: &Case) -> (Rational, Rational) {
        match case {
            Case::Constant(constant) => (constant.clone(), constant.clone()),
            Case::Choice(var, offset) => {
                let choice = &self.choices[var];
                (&choice.least + offset, &choice.greatest + offset)
            }
        }
    }

    fn define_choice(&mut self, var: Var, condition: Edge, then: &Affine, otherwise: &Affine) {
        for (case, value) in [(!condition, then), (condition, otherwise)] {
            let same = self.is_zero(&Affine::var(var).minus(value));
            let axiom = self.gates.or([case, same]);
            self.axioms.push(axiom);
        }
    }

    /// Adds the axioms of the choices that an expression mentions, and of those behind them.
    pub(super) fn define_choices(&mut self, number: &Affine) {
        let mut open: Vec<Var> = number.form.terms().iter().map(|(var, _)| *var).collect();
        while let Some(var) = open.pop() {
            let Some(choice) = self.choices.get_mut(&var) else { continue };
            if std::mem::replace(&mut choice.defined, true) {
                continue;
            }
            let choice = choice.clone();
            let cases = [&choice.then, &choice.otherwise].map(|case| match case {
                Case::Constant(constant) => Affine::constant(constant.clone()),
                Case::Choice(inner, offset) => {
                    open.push(*inner);
                    Affine { constant: offset.clone(), ..Affine::var(*inner) }
                }
            });
            for (case, value) in [(!choice.condition, &cases[0]), (choice.condition, &cases[1])] {
                let difference = Affine::var(var).minus(value);
                let bounds = [self.bound(&difference), self.bound(&difference.scaled(&Rational::MINUS_ONE))];
                let same = self.gates.and(bounds);
                let axiom = self.gates.or([case, same]);
                self.axioms.push(axiom);
            }
            // The hull holds whatever the condition: the relaxation is tighter for it.
            let above = Affine::constant(choice.least).minus(&Affine::var(var));
            let below = Affine::var(var).minus(&Affine::constant(choice.greatest));
            let hull = [self.bound(&above), self.bound(&below)];
            self.axioms.extend(hull);
        }
    }

    /// `affine <= 0` for a choice between constants, scaled and shifted; `None` for any other expression.
    pub(super) fn choice_at_most_zero(&mut self, affine: &Affine) -> Option<Edge> {
        let [(var, coeff)] = affine.form.terms() else { return None };
        let choice = self.choices.get(var)?;
        if choice.defined {
            return None;
        }
        let limit = &-&affine.constant / coeff;
        Some(if coeff.is_positive() {
            self.choice_at_most(*var, limit, false)
        } else {
            !self.choice_at_most(*var, limit, true)
        })
    }

    /// `var <= limit`, or `var < limit` if strict, by the cases of the choices behind it, innermost first.
    fn choice_at_most(&mut self, var: Var, limit: Rational, strict: bool) -> Edge {
        let mut open = vec![(var, limit.clone())];
        while let Some((at, limit)) = open.last().cloned() {
            let key = (at, limit.clone(), strict);
            if self.comparisons.contains_key(&key) {
                open.pop();
                continue;
            }
            let choice = self.choices[&at].clone();
            let holds = |value: &Rational| if strict { *value < limit } else { *value <= limit };
            let edge = if holds(&choice.greatest) {
                Some(Edge::TRUE)
            } else if !holds(&choice.least) {
                Some(Edge::FALSE)
            } else {
                let mut edges = Vec::with_capacity(2);
                for case in [&choice.then, &choice.otherwise] {
                    match case {
                        Case::Constant(value) => {
                            edges.push(if holds(value) { Edge::TRUE } else { Edge::FALSE })
                        }
                        Case::Choice(inner, offset) => {
                            let inner = (*inner, &limit - offset);
                            match self.comparisons.get(&(inner.0, inner.1.clone(), strict)) {
                                Some(&edge) => edges.push(edge),
                                None => open.push(inner),
                            }
                        }
                    }
                }
                match edges[..] {
                    [then, otherwise] => Some(self.gates.ite(choice.condition, then, otherwise)),
                    _ => None,
                }
            };
            if let Some(edge) = edge {
                self.comparisons.insert(key, edge);
                open.pop();
            }
        }
        self.comparisons[&(var, limit, strict)]
    }
}
