//! Concrete numbers: a size for the infinitesimal, and with it a model.

use super::Simplex;
use super::bounds::BoundKind;
use super::form::Var;
use super::num::Rational;

impl Simplex {
    /// The values of all variables as rationals, for a feasible assignment, by index.
    ///
    /// The infinitesimal becomes a positive number so small that all bounds, strict ones included,
    /// and all disequalities that the assignment satisfies stay satisfied.
    pub fn model(&self) -> Vec<Rational> {
        let size = self.infinitesimal_size();
        let value = |var: Var| match self.definition(var) {
            None => self.assignment.get(var).at(&size),
            Some(definition) => self.evaluate(definition).at(&size),
        };
        self.vars().map(value).collect()
    }

    fn infinitesimal_size(&self) -> Rational {
        let mut size = Rational::ONE;
        for var in self.vars() {
            for kind in [BoundKind::Lower, BoundKind::Upper] {
                if let Some(limit) = self.largest_size(var, kind)
                    && limit < size
                {
                    size = limit;
                }
            }
        }
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        // Each disequality excludes one size at most, so this ends.
        while self.disequalities.iter().any(|d| {
            let value = self.assignment.get(d.var);
            !value.infinitesimal.is_zero() && value.at(&size) == d.value
        }) {
            size *= &half;
        }
        size
    }

    /// The largest size of the infinitesimal at which a bound holds; `None` if every size will do.
    fn largest_size(&self, var: Var, kind: BoundKind) -> Option<Rational> {
        let bound = self.bounds.value(var, kind)?;
        let value = self.assignment.get(var);
        let gap = value - bound;
        let (room, slope) = match kind {
            BoundKind::Lower => (gap.real, gap.infinitesimal),
            BoundKind::Upper => (-gap.real, -gap.infinitesimal),
        };
        slope.is_negative().then(|| &room / &slope.abs())
    }
}
