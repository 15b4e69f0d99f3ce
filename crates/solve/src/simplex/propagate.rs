//! Bound propagation: bounds that asserted bounds imply, directly or through a row.
//!
//! The caller registers the atoms it knows (`x <= c`, `x >= c`). [`Simplex::propagate`] looks at the
//! bounds that are new since the last call, derives what the rows around them imply, and reports the
//! atoms that are decided. Each report names its causes; the reasons are collected on demand by
//! [`Simplex::explain`]. For integers, [`Simplex::tighten`] keeps the derived bounds; it works on the
//! definitions of the slacks, whose integer coefficients make it much cheaper than tableau rows.

use super::Simplex;
use super::bounds::{BoundId, BoundKind, Cause, Causes, Reason, Why};
use super::check::Conflict;
use super::form::Var;
use super::num::{Delta, Rational};
use crate::tuning::simplex_propagate::{EFFORT, MAX_ROW, MAX_TIGHTENED, TIGHTENING_ROUNDS};

/// An atom that the caller registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(u32);

impl AtomId {
    /// The position of the atom in the order of registration.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An atom decided by the current bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The atom whose truth follows.
    pub atom: AtomId,
    /// Whether it or its negation is implied.
    pub truth: bool,
    causes: Causes,
}

/// Atoms of one variable, sorted by value.
#[derive(Clone, Debug, Default)]
struct Atoms {
    lower: Vec<(Delta, AtomId)>,
    upper: Vec<(Delta, AtomId)>,
}

impl Atoms {
    fn is_empty(&self) -> bool {
        self.lower.is_empty() && self.upper.is_empty()
    }

    /// Atoms that a new bound decides and the previous one did not.
    fn decided(
        &self,
        kind: BoundKind,
        new: &Delta,
        old: Option<&Delta>,
        mut report: impl FnMut(AtomId, bool),
    ) {
        // (list, truth, is the value decided?) for both lists under a bound of this kind.
        let (same, other) = match kind {
            BoundKind::Lower => (&self.lower, &self.upper),
            BoundKind::Upper => (&self.upper, &self.lower),
        };
        let implied = |atom: &Delta, bound: &Delta| kind.admits(bound, atom);
        let refuted = |atom: &Delta, bound: &Delta| !kind.admits(atom, bound);
        for (value, atom) in same {
            if implied(value, new) && !old.is_some_and(|old| implied(value, old)) {
                report(*atom, true);
            }
        }
        for (value, atom) in other {
            if refuted(value, new) && !old.is_some_and(|old| refuted(value, old)) {
                report(*atom, false);
            }
        }
    }
}

/// State of propagation.
#[derive(Clone, Debug, Default)]
pub(super) struct Propagation {
    atoms: Vec<Atoms>,
    /// The slacks in whose definition a variable occurs, the variable itself if it is a slack.
    definitions: Vec<Vec<Var>>,
    atom_count: u32,
    /// Bound records before this one have been propagated.
    head: usize,
    /// Bound records before this one have been used for integer tightening.
    tightened: usize,
}

impl Propagation {
    pub(super) fn add_var(&mut self) {
        self.atoms.push(Atoms::default());
        self.definitions.push(Vec::new());
    }

    pub(super) fn add_definition(&mut self, slack: Var, terms: &[(Var, Rational)]) {
        self.definitions[slack.index()].push(slack);
        for (var, _) in terms {
            self.definitions[var.index()].push(slack);
        }
    }

    pub(super) fn backtrack(&mut self, records: usize) {
        self.head = self.head.min(records);
        self.tightened = self.tightened.min(records);
    }
}

/// A row as a sum that is 0.
type Terms = Vec<(Var, Rational)>;

/// A bound that a row implies.
struct RowBound {
    var: Var,
    kind: BoundKind,
    value: Delta,
}

impl Simplex {
    /// Registers the atom `var >= value` or `var <= value`.
    pub fn add_atom(&mut self, var: Var, kind: BoundKind, value: &Delta) -> AtomId {
        let value = self.tightened(var, kind, value);
        let atom = AtomId(self.propagation.atom_count);
        self.propagation.atom_count += 1;
        let atoms = &mut self.propagation.atoms[var.index()];
        let list = match kind {
            BoundKind::Lower => &mut atoms.lower,
            BoundKind::Upper => &mut atoms.upper,
        };
        let at = list.partition_point(|(other, _)| *other <= value);
        list.insert(at, (value, atom));
        atom
    }

    /// Appends the atoms that bounds asserted since the last call decide. Effort is bounded, so not
    /// every consequence is found.
    pub fn propagate(&mut self, out: &mut Vec<Implied>) {
        let start = std::mem::replace(&mut self.propagation.head, self.bounds.len());
        for index in start..self.bounds.len() {
            let (id, old) = self.bounds.change(index);
            let bound = self.bounds.record(id);
            let mut decided = Vec::new();
            self.propagation.atoms[bound.var.index()].decided(
                bound.kind,
                &bound.value,
                old,
                |atom, truth| decided.push((atom, truth)),
            );
            for (atom, truth) in decided {
                let causes = self.bounds.causes([Cause::Bound(id)]);
                out.push(Implied { atom, truth, causes });
            }
        }
        for row in self.rows_of_changes(start) {
            let terms: Terms =
                self.tableau.row(row).iter().map(|entry| (entry.var, entry.coeff.clone())).collect();
            let wanted = |core: &Self, var: Var| !core.propagation.atoms[var.index()].is_empty();
            for bound in self.row_bounds(&terms, wanted) {
                let mut decided = Vec::new();
                self.propagation.atoms[bound.var.index()].decided(
                    bound.kind,
                    &bound.value,
                    self.bounds.value(bound.var, bound.kind),
                    |atom, truth| decided.push((atom, truth)),
                );
                if decided.is_empty() {
                    continue;
                }
                let causes = self.row_causes(&terms, &bound);
                out.extend(decided.into_iter().map(|(atom, truth)| Implied { atom, truth, causes }));
            }
        }
    }

    /// The constraints that imply an atom; valid until the level of the report is left.
    pub fn explain(&mut self, implied: &Implied) -> Vec<Reason> {
        self.bounds.explain_list(implied.causes)
    }

    /// Derives bounds of integer variables from definitions and keeps them, a few rounds long.
    pub fn tighten(&mut self) -> Result<(), Conflict> {
        for _ in 0..TIGHTENING_ROUNDS {
            let start = std::mem::replace(&mut self.propagation.tightened, self.bounds.len());
            let slacks = self.definitions_of_changes(start);
            if slacks.is_empty() {
                break;
            }
            for slack in slacks {
                let Some(definition) = self.definition(slack) else { continue };
                let mut terms: Terms = definition.terms().to_vec();
                terms.push((slack, Rational::MINUS_ONE));
                for bound in self.row_bounds(&terms, |core, var| core.is_int(var)) {
                    if bound.value.real.to_i64().is_none_or(|value| value.abs() > MAX_TIGHTENED) {
                        continue;
                    }
                    let causes = self.row_causes(&terms, &bound);
                    self.set_bound(bound.var, bound.kind, bound.value, Why::Derived(causes))?;
                }
            }
        }
        Ok(())
    }

    /// The slacks whose definition mentions a bound recorded from `start` on, within the effort.
    fn definitions_of_changes(&self, start: usize) -> Vec<Var> {
        let mut slacks = Vec::new();
        let mut effort = 0;
        for index in start..self.bounds.len() {
            let (id, _) = self.bounds.change(index);
            for &slack in &self.propagation.definitions[self.bounds.record(id).var.index()] {
                let len = self.definition(slack).map_or(0, |form| form.terms().len());
                if len <= MAX_ROW && effort + len <= EFFORT {
                    effort += len;
                    slacks.push(slack);
                }
            }
        }
        slacks.sort_unstable();
        slacks.dedup();
        slacks
    }

    /// The rows around the bounds that were recorded from `start` on, within the effort of one call.
    fn rows_of_changes(&self, start: usize) -> Vec<u32> {
        let mut rows = Vec::new();
        let mut effort = 0;
        for index in start..self.bounds.len() {
            let (id, _) = self.bounds.change(index);
            let var = self.bounds.record(id).var;
            for &at in self.tableau.column(var) {
                let len = self.tableau.row(at.row).len();
                if len <= MAX_ROW && effort + len <= EFFORT {
                    effort += len;
                    rows.push(at.row);
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The bounds that a row implies and that are stronger than the current ones, for wanted variables.
    fn row_bounds(
        &mut self,
        terms: &[(Var, Rational)],
        wanted: impl Fn(&Self, Var) -> bool,
    ) -> Vec<RowBound> {
        let mut found = Vec::new();
        // The row is `sum = 0`. With the least possible sum of all other entries at `rest`, an entry is
        // at most `-rest`; with the greatest one, at least that.
        for sum_side in [BoundKind::Lower, BoundKind::Upper] {
            let Some((sum, unbounded)) = self.row_sum(terms, sum_side) else { continue };
            for (var, coeff) in terms {
                if unbounded.is_some_and(|only| only != *var) || !wanted(self, *var) {
                    continue;
                }
                let side = entry_side(sum_side, coeff);
                let mut rest = sum.clone();
                if unbounded.is_none()
                    && let Some(own) = self.bounds.value(*var, side)
                {
                    rest.add_mul(&-coeff, own);
                }
                let kind = side.opposite();
                // Whether `-rest / coeff` is stronger than the current bound shows without a division.
                if let Some(current) = self.bounds.value(*var, kind) {
                    let mut gap = rest.clone();
                    gap.add_mul(coeff, current);
                    let stronger = match sum_side {
                        BoundKind::Lower => gap > Delta::ZERO,
                        BoundKind::Upper => gap < Delta::ZERO,
                    };
                    if !stronger {
                        continue;
                    }
                }
                let value = self.tightened(*var, kind, &(-&rest).div(coeff));
                found.push(RowBound { var: *var, kind, value });
            }
        }
        self.stats.derived_bounds += found.len() as u64;
        found
    }

    /// The extreme sum of a row under its bounds: `None` if two entries are unbounded, otherwise the
    /// sum of the bounded entries and the unbounded one, if any.
    fn row_sum(&self, terms: &[(Var, Rational)], side: BoundKind) -> Option<(Delta, Option<Var>)> {
        let mut sum = Delta::ZERO;
        let mut unbounded = None;
        for (var, coeff) in terms {
            match self.bounds.value(*var, entry_side(side, coeff)) {
                Some(value) => sum.add_mul(coeff, value),
                None if unbounded.is_some() => return None,
                None => unbounded = Some(*var),
            }
        }
        Some((sum, unbounded))
    }

    /// The bounds from which a row implies `bound`.
    fn row_causes(&mut self, terms: &[(Var, Rational)], bound: &RowBound) -> Causes {
        let Some((_, own)) = terms.iter().find(|(var, _)| *var == bound.var) else {
            return self.bounds.causes([]);
        };
        let sum_side = entry_side(bound.kind.opposite(), own);
        let ids: Vec<BoundId> = terms
            .iter()
            .filter(|(var, _)| *var != bound.var)
            .filter_map(|(var, coeff)| self.bounds.id(*var, entry_side(sum_side, coeff)))
            .collect();
        self.bounds.causes(ids.into_iter().map(Cause::Bound))
    }
}

/// The bound of a variable that gives the extreme value of `coeff * var` on `side`.
fn entry_side(side: BoundKind, coeff: &Rational) -> BoundKind {
    if coeff.is_positive() { side } else { side.opposite() }
}
