//! From a linear constraint to bounds on a variable.

use super::Simplex;
use super::bounds::{BoundKind, Reason};
use super::check::Conflict;
use super::form::{LinearForm, Var};
use super::num::{Delta, Rational};

/// How a form relates to a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<=`
    Le,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `=`
    Eq,
    /// `!=`
    Ne,
}

impl Relation {
    /// The relation after both sides were multiplied by -1.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Le => Self::Ge,
            Self::Lt => Self::Gt,
            Self::Ge => Self::Le,
            Self::Gt => Self::Lt,
            Self::Eq | Self::Ne => self,
        }
    }

    /// Does the relation hold between two numbers?
    pub fn holds(self, left: &Rational, right: &Rational) -> bool {
        match self {
            Self::Le => left <= right,
            Self::Lt => left < right,
            Self::Ge => left >= right,
            Self::Gt => left > right,
            Self::Eq => left == right,
            Self::Ne => left != right,
        }
    }
}

/// A constraint in the terms of the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// The form was 0: the constraint is plainly true or false.
    Constant(bool),
    /// One bound.
    Bound(Var, BoundKind, Delta),
    /// A variable and the only value it may take.
    Equal(Var, Rational),
    /// A variable and a value it must not take.
    Unequal(Var, Rational),
}

impl Simplex {
    /// The constraint `form relation constant`; makes a slack variable if the form needs one.
    pub fn constraint(&mut self, form: &LinearForm, relation: Relation, constant: &Rational) -> Constraint {
        let Some((var, factor)) = self.form_var(form) else {
            return Constraint::Constant(relation.holds(&Rational::ZERO, constant));
        };
        let value = constant / &factor;
        let relation = if factor.is_negative() { relation.mirrored() } else { relation };
        match relation {
            Relation::Le => Constraint::Bound(var, BoundKind::Upper, Delta::from(value)),
            Relation::Lt => Constraint::Bound(var, BoundKind::Upper, Delta::below(value)),
            Relation::Ge => Constraint::Bound(var, BoundKind::Lower, Delta::from(value)),
            Relation::Gt => Constraint::Bound(var, BoundKind::Lower, Delta::above(value)),
            Relation::Eq => Constraint::Equal(var, value),
            Relation::Ne => Constraint::Unequal(var, value),
        }
    }

    /// Asserts a constraint.
    pub fn assert_constraint(&mut self, constraint: &Constraint, reason: Reason) -> Result<(), Conflict> {
        match constraint {
            Constraint::Constant(true) => Ok(()),
            Constraint::Constant(false) => Err(Conflict { reasons: vec![reason], farkas: Vec::new() }),
            Constraint::Bound(var, kind, value) => self.assert_bound(*var, *kind, value.clone(), reason),
            Constraint::Equal(var, value) => self.assert_equal(*var, value.clone(), reason),
            Constraint::Unequal(var, value) => self.assert_unequal(*var, value.clone(), reason),
        }
    }
}
