//! Linear arithmetic as a theory of the SAT core (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)").
//!
//! Every batch of literals that the search tells opens a level of the simplex core. Batches normally are cut as a
//! whole when the search backtracks; one that is cut in the middle is taken back and what remains is asserted again.

use super::atoms::{Atoms, literal, reason};
use super::limits::Limits;
use super::record::Recorder;
use crate::sat::{Assignment, Feedback, Lit, Theory, Var as SatVar};
use crate::simplex::num::{Delta, Rational};
use crate::simplex::{BoundKind, Budget, Check, Conflict, Cut, Final, Implied, Partial, Simplex, Split, Var};

/// Literals that were asserted together: positions in the told ones.
#[derive(Clone, Copy, Debug)]
struct Batch {
    start: usize,
    /// After the last literal that binds the arithmetic.
    end: usize,
}

/// The theory.
pub(super) struct Arithmetic<'a, 'b> {
    pub(super) simplex: Simplex,
    atoms: Atoms,
    limits: &'a Limits<'b>,
    recorder: Option<Recorder<'a>>,
    /// Literals that the search told.
    told: Vec<Lit>,
    /// How many of them were looked at.
    seen: usize,
    /// One for each level of the core.
    batches: Vec<Batch>,
    /// Told values by SAT variable.
    values: Vec<Option<bool>>,
    /// Why propagated literals hold, by SAT variable.
    implied: Vec<Option<Implied>>,
    /// The side of the latest split that the current value is closer to.
    preferred: Option<Lit>,
    /// The numbers of the accepted assignment.
    pub(super) model: Option<Vec<Rational>>,
    scratch: Vec<Implied>,
}

impl<'a, 'b> Arithmetic<'a, 'b> {
    pub(super) fn new(
        simplex: Simplex,
        atoms: Atoms,
        limits: &'a Limits<'b>,
        recorder: Option<Recorder<'a>>,
    ) -> Arithmetic<'a, 'b> {
        Arithmetic {
            simplex,
            atoms,
            limits,
            recorder,
            told: Vec::new(),
            seen: 0,
            batches: Vec::new(),
            values: Vec::new(),
            implied: Vec::new(),
            preferred: None,
            model: None,
            scratch: Vec::new(),
        }
    }

    fn value(&self, var: SatVar) -> Option<bool> {
        self.values.get(var.index()).copied().flatten()
    }

    fn grow(&mut self, var: SatVar) {
        if self.values.len() <= var.index() {
            self.values.resize(var.index() + 1, None);
            self.implied.resize(var.index() + 1, None);
        }
    }

    /// Asserts the told literals that were not looked at, in a level of their own. True: there were binding ones.
    fn assert_told(&mut self) -> Result<bool, Conflict> {
        let start = std::mem::replace(&mut self.seen, self.told.len());
        let Some(last) = self.told[start..].iter().rposition(|&lit| self.atoms.is_needed(lit)) else {
            return Ok(false);
        };
        let end = start + last + 1;
        self.batches.push(Batch { start, end });
        self.simplex.push();
        for position in start..end {
            let lit = self.told[position];
            if self.atoms.is_needed(lit) {
                self.assert_bound(lit)?;
            }
        }
        Ok(true)
    }

    fn assert_bound(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.atoms.bound(lit) {
            Some((var, kind, value)) => self.simplex.assert_bound(var, kind, value, reason(lit)),
            None => Ok(()),
        }
    }

    /// Runs a search of the core, with partial solutions if anybody listens.
    fn search<T>(
        &mut self,
        run: impl FnOnce(&mut Simplex, &mut Budget<'_>, Option<&mut dyn FnMut(Partial<'_>)>) -> T,
    ) -> T {
        let Arithmetic { simplex, limits, recorder, values, .. } = self;
        let before = limits.spent();
        let result = match recorder {
            None => limits.run(|budget| run(simplex, budget, None)),
            Some(recorder) => {
                let mut sink = |partial: Partial<'_>| recorder.record(&partial, values);
                limits.run(|budget| run(simplex, budget, Some(&mut sink)))
            }
        };
        if let Some(recorder) = recorder {
            recorder.earn(limits.spent() - before);
        }
        result
    }

    /// Makes a bound binding that the search decided before it was needed, in a level that any backtracking takes back.
    fn bind(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.batches.push(Batch { start: self.told.len(), end: self.told.len() });
        self.simplex.push();
        self.assert_bound(lit)
    }

    fn report(&self, conflict: &Conflict, out: &mut Feedback) {
        let clause: Vec<Lit> = conflict.reasons.iter().map(|&reason| !literal(reason)).collect();
        out.conflict(&clause);
    }

    /// Tells the search which atoms the bounds decide.
    fn propagate(&mut self, out: &mut Feedback) {
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        self.simplex.propagate(&mut found);
        for implied in &found {
            let lit = self.atoms.literal(implied.atom, implied.truth);
            self.grow(lit.var());
            // A value against a bound that does not bind may stand.
            if self.value(lit.var()).is_none() {
                self.implied[lit.var().index()] = Some(*implied);
                out.propagate(lit);
            }
        }
        self.scratch = found;
    }

    /// The SAT variable of `var <= at_most`, and whether it is new to the search.
    fn atom(&mut self, var: Var, at_most: &Delta, out: &mut Feedback) -> (SatVar, bool) {
        if let Some(name) = self.atoms.find(var, at_most) {
            return (name, false);
        }
        let name = out.new_var();
        out.observe(name);
        self.atoms.insert(&mut self.simplex, name, var, at_most.clone());
        (name, true)
    }

    /// Lets the search decide a split. True: it has to; false: it had decided, and the bound now binds.
    fn split(&mut self, split: &Split, view: &Assignment<'_>, out: &mut Feedback) -> Result<bool, Conflict> {
        let (name, is_new) = self.atom(split.var, &split.at_most, out);
        self.atoms.need(name.positive());
        self.atoms.need(name.negative());
        match view_value(view, name, is_new) {
            Some(value) => {
                self.bind(name.lit(value))?;
                Ok(false)
            }
            None => {
                let value = self.simplex.value(split.var);
                let down = value - &split.at_most < &split.at_least - value;
                self.preferred = Some(name.lit(down));
                // Not accepting is what counts: the new variable has to get a value.
                out.lemma(&[name.positive(), name.negative()]);
                Ok(true)
            }
        }
    }

    /// Adds a cut as a lemma. True: the search has to go on; false: the bound now binds.
    fn cut(&mut self, cut: &Cut, view: &Assignment<'_>, out: &mut Feedback) -> Result<bool, Conflict> {
        let (kind, value) = (cut.kind, &cut.value);
        let at_most = match kind {
            BoundKind::Upper => value.clone(),
            BoundKind::Lower => self.simplex.complement(cut.var, kind, value).1,
        };
        let (name, is_new) = self.atom(cut.var, &at_most, out);
        let lit = name.lit(kind == BoundKind::Upper);
        self.atoms.need(lit);
        if view_value(view, name, is_new) == Some(lit.is_pos()) {
            self.bind(lit)?;
            return Ok(false);
        }
        let mut clause: Vec<Lit> = cut.premises.iter().map(|&premise| !literal(premise)).collect();
        clause.push(lit);
        out.lemma(&clause);
        Ok(true)
    }
}

/// The value of an atom that the search may not know yet.
fn view_value(view: &Assignment<'_>, name: SatVar, is_new: bool) -> Option<bool> {
    if is_new { None } else { view.value(name.positive()) }
}

impl Theory for Arithmetic<'_, '_> {
    fn assert(&mut self, lits: &[Lit], out: &mut Feedback) {
        for &lit in lits {
            self.grow(lit.var());
            self.values[lit.var().index()] = Some(lit.is_pos());
        }
        self.told.extend_from_slice(lits);
        match self.assert_told() {
            Ok(true) => {}
            Ok(false) => return,
            Err(conflict) => return self.report(&conflict, out),
        }
        match self.search(|simplex, budget, sink| simplex.check(budget, sink)) {
            Check::Sat => self.propagate(out),
            Check::Conflict(conflict) => self.report(&conflict, out),
            // The search asks the same budget and stops.
            Check::Unknown => {}
        }
    }

    fn final_check(&mut self, view: &Assignment<'_>, out: &mut Feedback) {
        if let Err(conflict) = self.assert_told() {
            return self.report(&conflict, out);
        }
        loop {
            let step = match self.search(|simplex, budget, sink| simplex.final_check(budget, sink)) {
                Final::Sat => {
                    self.model = Some(self.simplex.model());
                    return;
                }
                // Accepted without a model: the engine answers that it does not know.
                Final::Unknown => return,
                Final::Conflict(conflict) => Err(conflict),
                Final::Split(split) => self.split(&split, view, out),
                Final::Cut(cut) => self.cut(&cut, view, out),
            };
            match step {
                Ok(true) => return,
                Ok(false) => {}
                Err(conflict) => return self.report(&conflict, out),
            }
        }
    }

    fn backtrack(&mut self, kept: usize) {
        for lit in self.told.drain(kept..) {
            self.values[lit.var().index()] = None;
        }
        self.preferred = None;
        let mut level = self.batches.partition_point(|batch| batch.start < kept);
        self.seen = self.seen.min(kept);
        if let Some(batch) = level.checked_sub(1).map(|last| self.batches[last])
            && batch.end > kept
        {
            level -= 1;
            self.seen = batch.start;
        }
        self.batches.truncate(level);
        self.simplex.pop_to(level);
    }

    fn explain(&mut self, lit: Lit, out: &mut Vec<Lit>) {
        if let Some(implied) = self.implied[lit.var().index()] {
            out.extend(self.simplex.explain(&implied).into_iter().map(|reason| !literal(reason)));
        }
    }

    fn decide(&mut self, _: &Assignment<'_>) -> Option<Lit> {
        self.preferred.take()
    }
}
