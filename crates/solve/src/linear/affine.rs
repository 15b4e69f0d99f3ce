//! Affine expressions: a linear form and a constant, the meaning of arithmetic terms.

use crate::simplex::num::Rational;
use crate::simplex::{LinearForm, Var};

/// `form + constant`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Affine {
    pub(crate) form: LinearForm,
    pub(crate) constant: Rational,
}

impl Affine {
    pub(crate) fn constant(constant: Rational) -> Affine {
        Affine { form: LinearForm::default(), constant }
    }

    pub(crate) fn var(var: Var) -> Affine {
        Affine { form: LinearForm::new(vec![(var, Rational::ONE)]), constant: Rational::ZERO }
    }

    /// The value of an expression without variables.
    pub(crate) fn as_constant(&self) -> Option<&Rational> {
        self.form.is_zero().then_some(&self.constant)
    }

    /// The sum of expressions with factors.
    pub(crate) fn sum<'a>(parts: impl IntoIterator<Item = (&'a Affine, Rational)>) -> Affine {
        let mut terms = Vec::new();
        let mut constant = Rational::ZERO;
        for (part, factor) in parts {
            terms.extend(part.form.terms().iter().map(|(var, coeff)| (*var, coeff * &factor)));
            constant.add_mul(&part.constant, &factor);
        }
        Affine { form: LinearForm::new(terms), constant }
    }

    pub(crate) fn scaled(&self, factor: &Rational) -> Affine {
        Affine::sum([(self, factor.clone())])
    }

    pub(crate) fn minus(&self, other: &Affine) -> Affine {
        Affine::sum([(self, Rational::ONE), (other, Rational::MINUS_ONE)])
    }

    /// The value under an assignment of all variables.
    pub(crate) fn value(&self, assignment: &[Rational]) -> Rational {
        let mut value = self.constant.clone();
        for (var, coeff) in self.form.terms() {
            value.add_mul(coeff, &assignment[var.index()]);
        }
        value
    }
}
