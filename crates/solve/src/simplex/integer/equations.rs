//! Integer equations in the core: those that hold, and those that hold at the current vertex.
//!
//! Fixed integer variables and forms are equations; if they have no integer solution the bounds that fix
//! them are in conflict. Bounds at which non-basic variables merely sit are equations of the
//! vertex; the proof that they have no integer solution is a form to split on (Dillig, Dillig and
//! Aiken, "Cuts from Proofs").

use crate::simplex::Simplex;
use crate::simplex::bounds::{BoundKind, Cause};
use crate::simplex::check::Conflict;
use crate::simplex::final_check::Split;
use crate::simplex::form::{LinearForm, Var};
use crate::simplex::num::Rational;
use crate::tuning::simplex_integer_equations::{MAX_COEFFICIENT, MAX_VERTEX};

use super::diophantine::{Equation, Solved, solve};

impl Simplex {
    /// A conflict of the fixed integer variables and forms.
    pub(super) fn equations_conflict(&mut self) -> Option<Conflict> {
        let fixed: Vec<Var> =
            self.vars().filter(|&var| self.is_int(var) && self.bounds.fixed(var).is_some()).collect();
        if !fixed.iter().any(|&var| self.is_slack(var)) {
            return None;
        }
        let multipliers = self.refute_equations(&fixed)?;
        let mut causes = Vec::new();
        for (index, _) in multipliers {
            for kind in [BoundKind::Lower, BoundKind::Upper] {
                causes.extend(self.bounds.id(fixed[index], kind).map(Cause::Bound));
            }
        }
        Some(self.conflict(causes, Vec::new()))
    }

    /// A split on a form that no integer point of the vertex's equations satisfies.
    pub(super) fn proof_split(&mut self) -> Option<Split> {
        let tight: Vec<Var> = self
            .vars()
            .filter(|&var| self.is_int(var) && !self.tableau.is_basic(var))
            .filter(|&var| self.active_bound(var).is_some())
            .collect();
        if tight.len() > MAX_VERTEX {
            return None;
        }
        let multipliers = self.refute_equations(&tight)?;
        let terms = multipliers.into_iter().map(|(index, factor)| (tight[index], factor)).collect();
        let form = self.expand(&LinearForm::new(terms));
        let small = |c: &Rational| c.to_i64().is_some_and(|c| c.abs() < MAX_COEFFICIENT);
        let (primitive, _) = form.primitive()?;
        if !primitive.terms().iter().all(|(_, c)| small(c)) {
            return None;
        }
        let (var, _) = self.form_var(&form)?;
        let value = self.assignment.get(var);
        if value.is_int() {
            return None;
        }
        self.stats.branches += 1;
        Some(self.integer_split(var, value.floor()))
    }

    /// Multipliers that refute the equations `var = its current value`, if there are any.
    fn refute_equations(&mut self, vars: &[Var]) -> Option<Vec<(usize, Rational)>> {
        let equation = |var: &Var| {
            let constant = self.assignment.get(*var).real.clone();
            let terms = match self.definition(*var) {
                None => std::iter::once((var.index() as u32, Rational::ONE)).collect(),
                Some(form) => form.terms().iter().map(|(v, c)| (v.index() as u32, c.clone())).collect(),
            };
            Equation { terms, constant }
        };
        let equations: Vec<Equation> = vars.iter().map(equation).collect();
        self.stats.diophantine_systems += 1;
        match solve(equations, self.vars.len() as u32) {
            Solved::Refuted(multipliers) => Some(multipliers),
            Solved::Solvable | Solved::GaveUp => None,
        }
    }
}
