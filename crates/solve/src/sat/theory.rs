//! The theory hook: one trait through which linear arithmetic and lazy array axioms take part in the search.
//!
//! The solver tells a theory the observed literals in trail order and says how many of them remain after
//! backtracking; it does so lazily, right before the next call, so that jumps over many levels cost one
//! call. Inprocessing never talks to a theory: observed variables are frozen, and what it
//! fixes at the root is told when the search goes on.

use super::lemma::Effect;
use super::lit::{Lit, Var};
use super::propagate::Conflict;
use super::search::Hooks;
use super::solver::{Reason, Solver};

/// A judge of the observed variables. It must not assume that literals are told one by one, nor that all
/// told literals are still assigned when `explain` is called.
pub trait Theory {
    /// More observed literals became true; Boolean propagation is at its fixpoint. Literals fixed at the
    /// root are told again in every `solve`.
    fn assert(&mut self, lits: &[Lit], out: &mut Feedback);

    /// All variables have values. The theory accepts by leaving `out` empty; otherwise it must exclude the
    /// assignment by a conflict or by lemmas, or create variables that are still to be assigned.
    fn final_check(&mut self, view: &Assignment<'_>, out: &mut Feedback);

    /// Only the first `kept` of the literals told by `assert` remain; at the end of a solve, none.
    fn backtrack(&mut self, kept: usize);

    /// Why a propagated literal holds: pushes the *other* literals of a valid clause that contains
    /// `lit`. All of them were false before `lit` was propagated.
    fn explain(&mut self, lit: Lit, out: &mut Vec<Lit>);

    /// A literal to decide next; assigned and eliminated ones are ignored.
    fn decide(&mut self, view: &Assignment<'_>) -> Option<Lit> {
        let _ = view;
        None
    }
}

/// What a theory answers. All clauses must be valid in the theory.
#[derive(Default)]
pub struct Feedback {
    pub(super) conflict: Option<Vec<Lit>>,
    pub(super) propagated: Vec<Lit>,
    pub(super) lemma_lits: Vec<Lit>,
    pub(super) lemma_ends: Vec<usize>,
    /// Variables of the solver, fresh ones included.
    vars: usize,
    fresh: usize,
    observed: Vec<Var>,
    preferred: Vec<Lit>,
}

impl Feedback {
    /// For what a theory has to say before the search: variables and lemmas, for a solver with this many variables.
    pub fn starting(vars: usize) -> Feedback {
        Feedback { vars, ..Feedback::default() }
    }

    fn reset(&mut self, vars: usize) {
        self.conflict = None;
        self.propagated.clear();
        self.lemma_lits.clear();
        self.lemma_ends.clear();
        self.vars = vars;
        self.fresh = 0;
        self.observed.clear();
        self.preferred.clear();
    }

    /// A clause whose literals are all false. The first one given counts.
    pub fn conflict(&mut self, clause: &[Lit]) {
        self.conflict.get_or_insert_with(|| clause.to_vec());
    }

    /// An observed literal that follows from the told ones; `Theory::explain` says how, if need be.
    pub fn propagate(&mut self, lit: Lit) {
        self.propagated.push(lit);
    }

    /// A clause to be kept, over any variables and of any value.
    pub fn lemma(&mut self, clause: &[Lit]) {
        self.lemma_lits.extend_from_slice(clause);
        self.lemma_ends.push(self.lemma_lits.len());
    }

    /// Creates a variable, to be used in lemmas.
    pub fn new_var(&mut self) -> Var {
        self.fresh += 1;
        self.vars += 1;
        Var::new(self.vars - 1)
    }

    /// Makes the theory see a variable, usually a new one. (An old one that has a value costs a restart.)
    pub fn observe(&mut self, var: Var) {
        self.observed.push(var);
    }

    /// Says which value of a variable to try first.
    pub fn prefer(&mut self, lit: Lit) {
        self.preferred.push(lit);
    }

    /// Whether the theory accepts, as far as it has answered.
    pub fn is_empty(&self) -> bool {
        self.conflict.is_none()
            && self.propagated.is_empty()
            && self.lemma_ends.is_empty()
            && self.fresh == 0
            && self.observed.is_empty()
    }
}

/// A view of the present assignment. Eliminated variables have no value in it: freeze what must be seen.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    solver: &'a Solver,
}

impl<'a> Assignment<'a> {
    pub(super) fn new(solver: &'a Solver) -> Assignment<'a> {
        Assignment { solver }
    }

    /// Value of a literal, if it has one.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.solver.val(lit) {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// All true literals in the order of their assignment.
    pub fn trail(&self) -> &'a [Lit] {
        &self.solver.trail
    }

    /// Number of decisions behind the assignment.
    pub fn level(&self) -> u32 {
        self.solver.level()
    }
}

/// What the solver has told the theory.
#[derive(Default)]
pub(super) struct Link {
    /// Start of the part of the trail that was not looked at.
    head: usize,
    /// Places on the trail of the told literals that are still assigned.
    told: Vec<u32>,
    /// How many of the literals that the theory holds are still assigned.
    valid: usize,
    /// How many literals the theory holds.
    held: usize,
    feedback: Feedback,
    batch: Vec<Lit>,
    /// The false clause of `Conflict::Theory`.
    pub(super) conflict: Vec<Lit>,
}

impl Link {
    /// The trail was cut to the given height.
    #[inline]
    pub(super) fn backtracked(&mut self, height: usize) {
        self.head = self.head.min(height);
        while self.told.last().is_some_and(|&position| position as usize >= height) {
            self.told.pop();
        }
        self.valid = self.valid.min(self.told.len());
    }

    fn synchronize(&mut self, theory: &mut dyn Theory) {
        if self.held > self.valid {
            theory.backtrack(self.valid);
            self.held = self.valid;
        }
    }
}

impl Solver {
    /// Takes what a theory has to say before the search. False: the clauses are contradictory.
    pub(crate) fn begin_with(&mut self, feedback: Feedback) -> bool {
        for _ in 0..feedback.fresh {
            self.new_var();
        }
        for &var in &feedback.observed {
            self.observe(var);
        }
        for &lit in &feedback.preferred {
            self.prefer(lit);
        }
        let mut start = 0;
        for &end in &feedback.lemma_ends {
            self.add_clause(&feedback.lemma_lits[start..end]);
            start = end;
        }
        !self.unsat
    }

    /// Propagation by clauses and by the theory until neither finds more.
    pub(super) fn propagate_all(&mut self, hooks: &mut Hooks<'_>) -> Option<Conflict> {
        loop {
            if let Some(conflict) = self.propagate() {
                return Some(conflict);
            }
            let theory = hooks.theory.as_deref_mut()?;
            if self.unsat || !self.tell(theory) {
                return None;
            }
            if let Some(conflict) = self.absorb(theory) {
                return Some(conflict);
            }
        }
    }

    /// Shows a complete assignment to the theory. False: the search has to go on.
    pub(super) fn accepted(&mut self, hooks: &mut Hooks<'_>) -> bool {
        let Some(theory) = hooks.theory.as_deref_mut() else { return true };
        self.counters.final_checks += 1;
        self.link.synchronize(theory);
        let mut feedback = std::mem::take(&mut self.link.feedback);
        feedback.reset(self.vars.len());
        theory.final_check(&Assignment::new(self), &mut feedback);
        let accepted = feedback.is_empty();
        self.link.feedback = feedback;
        if let Some(conflict) = self.absorb(theory) {
            self.handle(conflict, hooks);
        }
        accepted && !self.unsat
    }

    /// Hands over new observed literals. False: there were none.
    fn tell(&mut self, theory: &mut dyn Theory) -> bool {
        self.link.synchronize(theory);
        let mut batch = std::mem::take(&mut self.link.batch);
        batch.clear();
        for position in self.link.head..self.trail.len() {
            let lit = self.trail[position];
            if self.status[lit.var().index()].observed {
                self.link.told.push(position as u32);
                batch.push(lit);
            }
        }
        self.link.head = self.trail.len();
        let any = !batch.is_empty();
        if any {
            self.link.held = self.link.told.len();
            self.link.valid = self.link.held;
            let mut feedback = std::mem::take(&mut self.link.feedback);
            feedback.reset(self.vars.len());
            theory.assert(&batch, &mut feedback);
            self.link.feedback = feedback;
        }
        self.link.batch = batch;
        any
    }

    /// Puts the theory's answer to work: variables, lemmas, then the conflict and the propagations if
    /// no lemma has undone the assignment they are about.
    fn absorb(&mut self, theory: &mut dyn Theory) -> Option<Conflict> {
        let mut feedback = std::mem::take(&mut self.link.feedback);
        let restarted = self.absorb_variables(&feedback, theory);
        let mut effect = self.add_lemmas(&feedback);
        if restarted && matches!(effect, Effect::None) {
            effect = Effect::Jumped;
        }
        let mut conflict = match effect {
            Effect::None | Effect::Jumped => None,
            Effect::Conflict(conflict) => Some(conflict),
        };
        if let Some(clause) = feedback.conflict.take() {
            let falsified = clause.iter().all(|&lit| self.val(lit) < 0);
            debug_assert!(falsified || !matches!(effect, Effect::None));
            if falsified && conflict.is_none() {
                self.counters.theory_conflicts += 1;
                self.link.conflict = clause;
                conflict = Some(Conflict::Theory);
            }
        }
        if matches!(effect, Effect::None) && conflict.is_none() {
            conflict = self.absorb_propagations(&feedback, theory);
        }
        self.link.feedback = feedback;
        conflict
    }

    /// Creates and observes variables. True: the assignment was undone for it.
    fn absorb_variables(&mut self, feedback: &Feedback, theory: &mut dyn Theory) -> bool {
        let mut restarted = false;
        for _ in 0..feedback.fresh {
            self.new_var();
        }
        if feedback.fresh > 0 {
            self.analysis.grow_levels(self.vars.len() + self.assumptions.len() + 2);
        }
        for &lit in &feedback.preferred {
            self.prefer(lit);
        }
        for &var in &feedback.observed {
            if self.status[var.index()].observed {
                continue;
            }
            if self.vals[var.positive().index()] != 0 || self.status[var.index()].eliminated {
                // Its assignment was passed over: tell everything again from the start.
                self.backtrack(0);
                self.link.backtracked(0);
                self.link.synchronize(theory);
                restarted = true;
            }
            self.observe(var);
        }
        restarted
    }

    fn absorb_propagations(&mut self, feedback: &Feedback, theory: &mut dyn Theory) -> Option<Conflict> {
        for &lit in &feedback.propagated {
            debug_assert!(self.status[lit.var().index()].observed);
            match self.val(lit) {
                1 => {}
                0 => {
                    self.counters.theory_propagations += 1;
                    self.assign(lit, Reason::Theory);
                    if self.level() == 0 {
                        self.prove_units(self.trail.len() - 1);
                    }
                }
                _ => {
                    self.counters.theory_conflicts += 1;
                    self.link.conflict.clear();
                    self.link.conflict.push(lit);
                    theory.explain(lit, &mut self.link.conflict);
                    return Some(Conflict::Theory);
                }
            }
        }
        None
    }

    /// Leaves the theory without literals, at the end of a solve.
    pub(super) fn release_theory(&mut self, hooks: &mut Hooks<'_>) {
        self.link.backtracked(0);
        if let Some(theory) = hooks.theory.as_deref_mut() {
            self.link.synchronize(theory);
        }
        self.link.held = 0;
    }
}
