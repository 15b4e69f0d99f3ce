//! General simplex: the linear arithmetic core of DPLL(T), with integers and partial solutions.
//!
//! After Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)": linear forms get slack
//! variables, constraints are bounds on variables, and the search moves between bases of a sparse
//! tableau. All numbers are exact. The core knows neither terms nor literals: variables and forms are
//! its own ([`Var`], [`LinearForm`]), and each asserted bound carries a [`Reason`] of the caller, in
//! which conflicts and implied bounds are explained.
//!
//! | file | owns |
//! |---|---|
//! | `num` | exact rationals and infinitesimals |
//! | `form`, `constraint` | the vocabulary of the caller |
//! | `tableau`, `bounds`, `assignment` | the state |
//! | `check` | the search for a feasible assignment |
//! | `differences` | the same where all forms are differences, as shortest ways |
//! | `propagate` | bounds that rows imply, and the atoms they decide |
//! | `final_check` and `integer` | disequalities and integrality |
//! | `partial` | partial solutions |
//! | `sleep` | rows that are not needed for the time being |
//! | `model`, `optimise` | concrete numbers, extreme values |
//! | `conjunction` | a stand-alone branch and bound solver |
//!
//! The same calls give the same answers: no choice depends on addresses, hashes or time.

mod assignment;
mod bounds;
mod budget;
mod check;
mod conjunction;
mod constraint;
mod differences;
mod final_check;
mod form;
mod integer;
mod model;
pub mod num;
mod optimise;
mod partial;
mod propagate;
mod queue;
mod sleep;
mod tableau;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

pub use bounds::{BoundKind, Reason};
pub use budget::Budget;
pub use check::{Check, Conflict, FarkasTerm};
pub use conjunction::{Conjunction, ConjunctionAnswer};
pub use constraint::{Constraint, Relation};
pub use final_check::{Cut, Final, Split};
pub use form::{LinearForm, Var};
pub use optimise::{Extreme, Sense};
pub use partial::{Partial, PartialSink, rounded};
pub use propagate::{AtomId, Implied};

use assignment::Assignment;
use bounds::{Bounds, Cause, Why};
use integer::IntState;
use num::{Delta, Rational};
use partial::Watch;
use propagate::Propagation;
use queue::VarQueue;
use tableau::Tableau;

/// Counters of one core, for statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Pivots made.
    pub pivots: u64,
    /// Calls of [`Simplex::check`].
    pub checks: u64,
    /// Conflicts found, of all kinds.
    pub conflicts: u64,
    /// Bounds derived from rows.
    pub derived_bounds: u64,
    /// Splits requested for fractional integers.
    pub branches: u64,
    /// Gomory cuts produced.
    pub gomory_cuts: u64,
    /// Systems of integer equations solved.
    pub diophantine_systems: u64,
    /// Integer points found by moving non-basic variables, rounding or a cube.
    pub lucky_points: u64,
    /// Partial solutions shown.
    pub partials: u64,
}

#[derive(Clone, Debug)]
struct VarInfo {
    is_int: bool,
    /// The form over original variables for which this is the slack.
    definition: Option<LinearForm>,
    /// A slack without a row; see `sleep`.
    asleep: bool,
}

/// A disequality `var != value`.
#[derive(Clone, Debug)]
struct Disequality {
    var: Var,
    value: Rational,
    reason: Reason,
}

/// The simplex core.
///
/// Bounds are asserted, [`Simplex::check`] decides them over the rationals, and
/// [`Simplex::final_check`] adds integrality and disequalities. [`Simplex::push`] and
/// [`Simplex::pop_to`] bracket bounds and disequalities; variables, forms and atoms are permanent.
/// After a conflict the caller pops a level before it asserts anything else; a conflict at level 0 is
/// final.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    vars: Vec<VarInfo>,
    slacks: FxHashMap<LinearForm, Var>,
    tableau: Tableau,
    bounds: Bounds,
    assignment: Assignment,
    /// Basic variables that may violate a bound.
    infeasible: VarQueue,
    /// Slacks made since the last feasible assignment; their saved value is not meaningful.
    fresh_slacks: Vec<Var>,
    disequalities: Vec<Disequality>,
    disequality_marks: Vec<usize>,
    propagation: Propagation,
    integer: IntState,
    /// Whether some form is no difference of two integers or of two reals.
    has_other_forms: bool,
    /// Whether shortest ways are taken however few rows there are.
    #[cfg(test)]
    is_always_graph: bool,
    stats: Stats,
}

impl Simplex {
    /// An empty system.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new original variable with value 0 and no bounds.
    pub fn add_var(&mut self, is_int: bool) -> Var {
        self.new_var(is_int, None)
    }

    /// The variable `v` and the factor `f` with `form = f * v`; `None` for the form 0.
    ///
    /// A form in one variable is that variable; any other gets a slack variable, shared between all
    /// forms that are equal up to scaling. Slack variables may occur in `form`.
    pub fn form_var(&mut self, form: &LinearForm) -> Option<(Var, Rational)> {
        let (primitive, factor) = self.expand(form).primitive()?;
        if let [(var, _)] = primitive.terms() {
            return Some((*var, factor));
        }
        if let Some(&slack) = self.slacks.get(&primitive) {
            self.wake(slack);
            return Some((slack, factor));
        }
        let is_int = primitive.terms().iter().all(|(var, _)| self.is_int(*var));
        let value = self.evaluate(&primitive);
        let slack = self.new_var(is_int, Some(primitive.clone()));
        self.assignment.define(slack, value);
        self.fresh_slacks.push(slack);
        self.tableau.add_row(slack, primitive.terms());
        self.has_other_forms |= !self.is_difference(primitive.terms());
        self.propagation.add_definition(slack, primitive.terms());
        self.slacks.insert(primitive, slack);
        Some((slack, factor))
    }

    fn new_var(&mut self, is_int: bool, definition: Option<LinearForm>) -> Var {
        let var = Var::new(self.vars.len());
        if let Some(watch) = &mut self.assignment.watch {
            watch.add_var(var, is_int, definition.is_some());
        }
        self.vars.push(VarInfo { is_int, definition, asleep: false });
        self.tableau.add_column();
        self.bounds.add_var();
        self.assignment.add_var();
        self.infeasible.add_var();
        self.propagation.add_var();
        var
    }

    /// The form with slack variables replaced by their definitions.
    pub fn expand(&self, form: &LinearForm) -> LinearForm {
        if form.terms().iter().all(|(var, _)| !self.is_slack(*var)) {
            return form.clone();
        }
        let mut terms = Vec::new();
        for (var, coeff) in form.terms() {
            match &self.vars[var.index()].definition {
                None => terms.push((*var, coeff.clone())),
                Some(definition) => {
                    terms.extend(definition.terms().iter().map(|(v, c)| (*v, c * coeff)));
                }
            }
        }
        LinearForm::new(terms)
    }

    /// The value of a form in the current assignment.
    pub fn evaluate(&self, form: &LinearForm) -> Delta {
        let mut value = Delta::ZERO;
        for (var, coeff) in form.terms() {
            value.add_mul(coeff, self.assignment.get(*var));
        }
        value
    }

    /// The form for which `var` is the slack; `None` for an original variable.
    pub fn definition(&self, var: Var) -> Option<&LinearForm> {
        self.vars[var.index()].definition.as_ref()
    }

    /// Does the variable take integers only?
    #[inline]
    pub fn is_int(&self, var: Var) -> bool {
        self.vars[var.index()].is_int
    }

    /// Is the variable the slack of a form?
    #[inline]
    pub fn is_slack(&self, var: Var) -> bool {
        self.vars[var.index()].definition.is_some()
    }

    /// All variables in the order of creation.
    pub fn vars(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.vars.len()).map(Var::new)
    }

    /// The value of a variable in the current assignment; see [`Simplex::evaluate`] for forms.
    ///
    /// A slack that the core itself made for a cut or a split has a value only while it is bounded.
    pub fn value(&self, var: Var) -> &Delta {
        self.assignment.get(var)
    }

    /// The current bound of a variable.
    pub fn bound(&self, var: Var, kind: BoundKind) -> Option<&Delta> {
        self.bounds.value(var, kind)
    }

    /// Counters since creation.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Keeps the rounded assignment up to date from here on, so that searches can show partial solutions.
    pub fn watch_partials(&mut self) {
        let mut watch = Watch::default();
        for (index, info) in self.vars.iter().enumerate() {
            watch.add_var(Var::new(index), info.is_int, info.definition.is_some());
        }
        self.assignment.watch = Some(watch);
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.bounds.push();
        self.disequality_marks.push(self.disequalities.len());
    }

    /// The number of open levels.
    pub fn level(&self) -> usize {
        self.bounds.level()
    }

    /// Drops the levels above `level` and returns to the last feasible assignment.
    pub fn pop_to(&mut self, level: usize) {
        if level >= self.level() {
            return;
        }
        self.bounds.pop_to(level);
        self.disequalities.truncate(self.disequality_marks[level]);
        self.disequality_marks.truncate(level);
        self.propagation.backtrack(self.bounds.len());
        self.restore_feasible();
        self.drowse();
    }

    /// Returns to the last feasible assignment, corrected for what was asserted or added since.
    fn restore_feasible(&mut self) {
        let mut restored = self.assignment.rollback();
        for slack in std::mem::take(&mut self.fresh_slacks) {
            if let Some(definition) = &self.vars[slack.index()].definition {
                let value = self.evaluate(definition);
                self.assignment.define(slack, value);
                restored.push(slack);
            }
        }
        for var in restored {
            self.respect_bounds(var);
        }
    }

    /// Adds `var >= value`.
    pub fn assert_lower(&mut self, var: Var, value: Delta, reason: Reason) -> Result<(), Conflict> {
        self.assert_bound(var, BoundKind::Lower, value, reason)
    }

    /// Adds `var <= value`.
    pub fn assert_upper(&mut self, var: Var, value: Delta, reason: Reason) -> Result<(), Conflict> {
        self.assert_bound(var, BoundKind::Upper, value, reason)
    }

    /// Adds a bound of either kind.
    pub fn assert_bound(
        &mut self,
        var: Var,
        kind: BoundKind,
        value: Delta,
        reason: Reason,
    ) -> Result<(), Conflict> {
        self.set_bound(var, kind, value, Why::Asserted(reason)).map(|_| ())
    }

    /// Adds `var = value` as two bounds.
    pub fn assert_equal(&mut self, var: Var, value: Rational, reason: Reason) -> Result<(), Conflict> {
        self.assert_lower(var, Delta::from(value.clone()), reason)?;
        self.assert_upper(var, Delta::from(value), reason)
    }

    /// Adds a bound that follows from several constraints together, such as a cut.
    pub fn assert_implied(
        &mut self,
        var: Var,
        kind: BoundKind,
        value: Delta,
        premises: &[Reason],
    ) -> Result<(), Conflict> {
        let causes = self.bounds.causes(premises.iter().map(|reason| Cause::Reason(*reason)));
        self.set_bound(var, kind, value, Why::Derived(causes)).map(|_| ())
    }

    /// Adds `var != value`; the final check splits on it when the assignment violates it.
    pub fn assert_unequal(&mut self, var: Var, value: Rational, reason: Reason) -> Result<(), Conflict> {
        if self.is_int(var) && !value.is_int() {
            return Ok(());
        }
        if let Some(fixed) = self.bounds.fixed(var)
            && fixed.infinitesimal.is_zero()
            && fixed.real == value
        {
            let causes = [BoundKind::Lower, BoundKind::Upper]
                .into_iter()
                .filter_map(|kind| self.bounds.id(var, kind).map(Cause::Bound))
                .chain([Cause::Reason(reason)]);
            let causes: Vec<Cause> = causes.collect();
            return Err(self.conflict(causes, Vec::new()));
        }
        self.wake(var);
        self.disequalities.push(Disequality { var, value, reason });
        Ok(())
    }

    /// The bound that says the opposite of `var kind value`.
    pub fn complement(&self, var: Var, kind: BoundKind, value: &Delta) -> (BoundKind, Delta) {
        let one_step = if self.is_int(var) { Delta::from(1) } else { Delta::above(Rational::ZERO) };
        let value = self.tightened(var, kind, value);
        match kind {
            BoundKind::Lower => (BoundKind::Upper, &value - &one_step),
            BoundKind::Upper => (BoundKind::Lower, &value + &one_step),
        }
    }

    /// The strongest equivalent value of a bound: an integer for an integer variable.
    fn tightened(&self, var: Var, kind: BoundKind, value: &Delta) -> Delta {
        match kind {
            _ if !self.is_int(var) => value.clone(),
            BoundKind::Lower => Delta::from(value.ceil()),
            BoundKind::Upper => Delta::from(value.floor()),
        }
    }

    /// Installs a bound unless a stronger one is there; says whether it was new.
    fn set_bound(&mut self, var: Var, kind: BoundKind, value: Delta, why: Why) -> Result<bool, Conflict> {
        let value = self.tightened(var, kind, &value);
        self.set_exact_bound(var, kind, value, why)
    }

    /// [`Simplex::set_bound`] without rounding for integer variables.
    fn set_exact_bound(
        &mut self,
        var: Var,
        kind: BoundKind,
        value: Delta,
        why: Why,
    ) -> Result<bool, Conflict> {
        self.wake(var);
        if self.bounds.value(var, kind).is_some_and(|current| kind.admits(current, &value)) {
            return Ok(false);
        }
        let id = self.bounds.install(var, kind, value, why);
        let value = &self.bounds.record(id).value;
        let opposite = kind.opposite();
        if let Some(other) = self.bounds.id(var, opposite)
            && !kind.admits(&self.bounds.record(other).value, value)
        {
            let farkas = vec![self.farkas_term(id, Rational::ONE), self.farkas_term(other, Rational::ONE)];
            let conflict = self.conflict([Cause::Bound(id), Cause::Bound(other)], farkas);
            self.bounds.retract();
            return Err(conflict);
        }
        self.respect_bounds(var);
        Ok(true)
    }

    /// Moves a non-basic variable into its bounds; queues a basic one that is outside.
    fn respect_bounds(&mut self, var: Var) {
        let value = self.assignment.get(var);
        let Some(kind) = self.bounds.violation(var, value) else { return };
        if self.tableau.is_basic(var) {
            self.infeasible.push(var);
        } else if let Some(limit) = self.bounds.value(var, kind) {
            let step = limit - value;
            self.shift(var, &step);
        }
    }

    /// Moves a non-basic variable by `step` and the basic variables with it.
    fn shift(&mut self, var: Var, step: &Delta) {
        self.assignment.add_mul(var, &Rational::ONE, step);
        for &at in self.tableau.column(var) {
            let basic = self.tableau.basic(at.row);
            let value = self.assignment.add_mul(basic, self.tableau.coeff(at), step);
            if self.bounds.violation(basic, value).is_some() {
                self.infeasible.push(basic);
            }
        }
    }
}
