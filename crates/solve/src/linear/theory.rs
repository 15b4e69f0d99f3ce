//! Linear arithmetic as a theory of the SAT core (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)").
//!
//! Every batch of literals that the search tells opens a level of the simplex core. Batches normally are cut as a
//! whole when the search backtracks; one that is cut in the middle is taken back and what remains is asserted again.

use super::affine::Affine;
use super::atoms::{Atoms, literal, reason};
use super::limits::Limits;
use super::record::Recorder;
use crate::sat::{Assignment, Feedback, Lit, Theory, Var as SatVar};
use crate::simplex::num::{Delta, Rational};
use crate::simplex::{
    BoundKind, Budget, Check, Conflict, Cut, Final, Implied, Partial, Reason, Simplex, Split, Var,
};

/// Literals that were asserted together: positions in the told ones.
#[derive(Clone, Copy, Debug)]
struct Batch {
    start: usize,
    /// After the last literal that binds the arithmetic.
    end: usize,
    /// How many equalities of other theories were asserted before.
    equalities: usize,
}

/// An equality that another theory derived from told literals.
pub(crate) struct Derived {
    /// What is zero.
    pub(crate) difference: Affine,
    /// The literals that it stands on.
    pub(crate) premises: Vec<Lit>,
    /// How many literals had been told.
    pub(crate) told: usize,
}

/// The theory.
pub(crate) struct Arithmetic<'a, 'b> {
    pub(crate) simplex: Simplex,
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
    pub(crate) model: Option<Vec<Rational>>,
    scratch: Vec<Implied>,
    /// What other theories derived, in the order of the told literals.
    derived: Vec<Derived>,
    /// How many of these were asserted.
    asserted: usize,
}

impl<'a, 'b> Arithmetic<'a, 'b> {
    pub(crate) fn new(
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
            derived: Vec::new(),
            asserted: 0,
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
        let last = self.told[start..].iter().rposition(|&lit| self.atoms.is_needed(lit));
        let equalities = self.asserted;
        // What was derived may stand on any of the literals.
        let end = match last {
            _ if equalities < self.derived.len() => self.told.len(),
            Some(last) => start + last + 1,
            None => return Ok(false),
        };
        self.batches.push(Batch { start, end, equalities });
        self.simplex.push();
        self.assert_derived()?;
        for position in start..end {
            let lit = self.told[position];
            if self.atoms.is_needed(lit) {
                self.assert_bound(lit)?;
            }
        }
        Ok(true)
    }

    /// Asserts the equalities of other theories that are new.
    fn assert_derived(&mut self) -> Result<(), Conflict> {
        while self.asserted < self.derived.len() {
            let Derived { difference, premises, .. } = &self.derived[self.asserted];
            self.asserted += 1;
            let premises: Vec<Reason> = premises.iter().map(|&lit| reason(lit)).collect();
            match self.simplex.form_var(&difference.form) {
                None if difference.constant.is_zero() => {}
                None => return Err(Conflict { reasons: premises, farkas: Vec::new() }),
                Some((var, factor)) => {
                    let value = &-&difference.constant / &factor;
                    if self.simplex.is_int(var) && !value.is_int() {
                        return Err(Conflict { reasons: premises, farkas: Vec::new() });
                    }
                    let value = Delta::from(value);
                    self.simplex.assert_implied(var, BoundKind::Upper, value.clone(), &premises)?;
                    self.simplex.assert_implied(var, BoundKind::Lower, value, &premises)?;
                }
            }
        }
        Ok(())
    }

    /// Takes an equality that another theory derived from what was told.
    pub(crate) fn derive(&mut self, difference: Affine, premises: Vec<Lit>, told: usize) {
        self.derived.push(Derived { difference, premises, told });
    }

    /// Forgets what other theories derived: they will derive it again, perhaps in another order.
    pub(crate) fn forget_derived(&mut self) {
        self.derived.clear();
        self.asserted = 0;
        self.batches.iter_mut().for_each(|batch| batch.equalities = 0);
    }

    /// The SAT variables of the two bounds `difference <= 0` and `difference >= 0`, as literals that both bind, whatever their
    /// value; `None` if there is no unknown in it.
    pub(crate) fn bounds_of(&mut self, difference: &Affine, out: &mut Feedback) -> Option<[Lit; 2]> {
        let (var, factor) = self.simplex.form_var(&difference.form)?;
        let limit = &-&difference.constant / &factor;
        let is_int = self.simplex.is_int(var);
        let at_most = if is_int { Delta::from(limit.floor()) } else { Delta::from(limit.clone()) };
        let below = if is_int { Delta::from(&limit.ceil() - &Rational::ONE) } else { Delta::below(limit) };
        Some([self.whole_atom(var, &at_most, out).positive(), self.whole_atom(var, &below, out).negative()])
    }

    /// The SAT variable of `var <= at_most` of which both values bind. One that was told before it was needed would be missed, so a
    /// second variable may stand for the same bound.
    fn whole_atom(&mut self, var: Var, at_most: &Delta, out: &mut Feedback) -> SatVar {
        if let Some(name) = self.atoms.find_whole(var, at_most) {
            return name;
        }
        let name = out.new_var();
        out.observe(name);
        self.atoms.insert(&mut self.simplex, name, var, at_most.clone());
        self.atoms.need(name.positive());
        self.atoms.need(name.negative());
        self.atoms.seal(name);
        name
    }

    /// A new unknown number.
    pub(crate) fn add_unknown(&mut self, is_int: bool) -> Affine {
        Affine::var(self.simplex.add_var(is_int))
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
        let equalities = self.asserted;
        self.batches.push(Batch { start: self.told.len(), end: self.told.len(), equalities });
        self.simplex.push();
        self.assert_bound(lit)
    }

    fn report(&self, conflict: &Conflict, out: &mut Feedback) {
        let clause: Vec<Lit> = conflict.reasons.iter().map(|&reason| !literal(reason)).collect();
        if clause.is_empty() {
            out.lemma(&[]);
        } else {
            out.conflict(&clause);
        }
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

impl Arithmetic<'_, '_> {
    /// Takes literals without looking at them yet.
    pub(crate) fn tell(&mut self, lits: &[Lit]) {
        for &lit in lits {
            self.grow(lit.var());
            self.values[lit.var().index()] = Some(lit.is_pos());
        }
        self.told.extend_from_slice(lits);
    }

    /// Looks at what was told and derived.
    pub(crate) fn advance(&mut self, out: &mut Feedback) {
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
}

impl Theory for Arithmetic<'_, '_> {
    fn assert(&mut self, lits: &[Lit], out: &mut Feedback) {
        self.tell(lits);
        self.advance(out);
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
        if let Some(batch) = self.batches.get(level) {
            self.asserted = batch.equalities;
        }
        let kept_derived = self.derived.partition_point(|derived| derived.told <= kept);
        self.derived.truncate(kept_derived);
        self.asserted = self.asserted.min(kept_derived);
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
