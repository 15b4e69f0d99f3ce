//! Variables and linear forms: the vocabulary in which rows are stated.
//!
//! A [`LinearForm`] is homogeneous; constants belong to bounds. Its primitive form (coprime integer
//! coefficients, the first one positive) is what the core hash-conses, so `2x + 2y` and `-x - y`
//! share one slack variable.

use super::num::Rational;

/// A variable of the simplex core: an original one or the slack of a linear form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 variables"))
    }

    /// The position of the variable in the order of creation.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A sum of variables with coefficients: sorted by variable, each once, no zero coefficient.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinearForm {
    terms: Vec<(Var, Rational)>,
}

impl LinearForm {
    /// The sum of `terms`, which may repeat variables.
    pub fn new(mut terms: Vec<(Var, Rational)>) -> Self {
        terms.sort_by_key(|(var, _)| *var);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += &next.1;
            }
            same
        });
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Self { terms }
    }

    /// The terms in the order of the variables.
    pub fn terms(&self) -> &[(Var, Rational)] {
        &self.terms
    }

    /// Is this the form 0?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The primitive form `p` and the factor `f` with `self = f * p`; `None` for 0.
    pub fn primitive(&self) -> Option<(Self, Rational)> {
        let (_, first) = self.terms.first()?;
        let mut content = Rational::ZERO;
        for (_, coefficient) in &self.terms {
            content = content.gcd(coefficient);
        }
        if first.is_negative() {
            content = -content;
        }
        let terms = self.terms.iter().map(|(var, c)| (*var, c / &content)).collect();
        Some((Self { terms }, content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_equal_up_to_scaling() {
        let form = |terms: &[(usize, i64, i64)]| {
            LinearForm::new(
                terms.iter().map(|&(v, n, d)| (Var::new(v), Rational::new(n, d).expect("d != 0"))).collect(),
            )
        };
        let (p, f) = form(&[(1, -1, 2), (0, -3, 4), (1, 1, 1)]).primitive().expect("not zero");
        assert_eq!(p, form(&[(0, 3, 1), (1, -2, 1)]));
        assert_eq!(f, Rational::new(-1, 4).expect("not zero"));
        assert_eq!(form(&[(0, 6, 1), (1, -4, 1)]).primitive().expect("not zero").0, p);
        assert!(form(&[(0, 1, 1), (0, -1, 1)]).primitive().is_none());
    }
}
