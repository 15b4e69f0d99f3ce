//! The solver's state and its public face: variables, clauses, models and cores.
//!
//! Between calls the solver rests at decision level zero with everything propagated. The state is
//! flat and owned; each technique is an `impl Solver` in its own file.

use std::io;

use super::analyze::Analysis;
use super::arena::{Arena, ClauseRef};
use super::counters::Counters;
use super::extend::Extension;
use super::heap::Heap;
use super::inprocess::Schedule;
use super::lit::{Lit, Var};
use super::options::SatSettings;
use super::phases::Phases;
use super::proof::Proof;
use super::queue::Queue;
use super::restart::Restarts;
use super::theory::Link;
use super::watch::Watch;

/// Why a variable has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// A decision, an assumption, or fixed at the root.
    Decision,
    /// The other literal of a binary clause, which is false.
    Binary(Lit),
    /// A longer clause.
    Clause(ClauseRef),
    /// The theory, which can be asked for an explanation.
    Theory,
    /// The theory; the explanation with this number was fetched during the running analysis.
    Explained(u32),
}

/// What is known of an assigned variable.
#[derive(Clone, Copy)]
pub(super) struct VarInfo {
    pub(super) level: u32,
    /// Place on the trail.
    pub(super) position: u32,
    pub(super) reason: Reason,
}

/// What callers and inprocessing decided about a variable.
#[derive(Clone, Copy, Default)]
pub(super) struct Status {
    /// Number of reasons not to eliminate it.
    pub(super) frozen: u32,
    pub(super) observed: bool,
    /// No longer in any clause; its value comes from the extension stack.
    pub(super) eliminated: bool,
    /// Its clauses changed since elimination last looked.
    pub(super) touched: bool,
    /// It is in a clause that subsumption has not seen.
    pub(super) added: bool,
}

/// An incremental CDCL solver.
#[derive(Default)]
pub struct Solver {
    pub(super) options: SatSettings,
    pub(super) counters: Counters,

    /// Value of each literal: 1 true, -1 false, 0 unassigned.
    pub(super) vals: Vec<i8>,
    pub(super) vars: Vec<VarInfo>,
    pub(super) status: Vec<Status>,
    pub(super) trail: Vec<Lit>,
    /// Height of the trail where each decision level starts; level 1 is at index 0.
    pub(super) control: Vec<u32>,
    /// Start of the part of the trail that is not yet propagated.
    pub(super) head: usize,
    /// Variables that are not eliminated.
    pub(super) active: usize,

    pub(super) arena: Arena,
    /// For each literal, the clauses in which it is watched.
    pub(super) watches: Vec<Vec<Watch>>,
    /// The clauses contradict each other at the root.
    pub(super) unsat: bool,
    /// Units of the root that clause simplification has already seen.
    pub(super) simplified: usize,

    pub(super) heap: Heap,
    /// What one bump adds to an EVSIDS score.
    pub(super) increment: f64,
    pub(super) queue: Queue,
    pub(super) stable: bool,
    pub(super) phases: Phases,
    pub(super) restarts: Restarts,
    pub(super) analysis: Analysis,
    pub(super) schedule: Schedule,
    pub(super) extension: Extension,
    pub(super) link: Link,
    pub(super) proof: Option<Proof>,

    pub(super) assumptions: Vec<Lit>,
    pub(super) failed: Vec<Lit>,
    pub(super) model: Vec<bool>,
    /// One mark per literal, false between uses.
    pub(super) marks: Vec<bool>,
    /// A clause that propagation must not use, while it is being vivified.
    pub(super) ignored: Option<ClauseRef>,
    /// Normal form of the clause being added.
    scratch: Vec<Lit>,
}

impl Solver {
    /// A solver without variables.
    pub fn new(options: SatSettings) -> Solver {
        let mut solver = Solver { options, increment: 1.0, ..Solver::default() };
        solver.init_schedule();
        solver
    }

    /// Creates a variable.
    pub fn new_var(&mut self) -> Var {
        let var = Var::new(self.vars.len());
        self.vals.extend([0, 0]);
        self.marks.extend([false, false]);
        self.vars.push(VarInfo { level: 0, position: 0, reason: Reason::Decision });
        self.status.push(Status { touched: true, ..Status::default() });
        self.watches.extend([Vec::new(), Vec::new()]);
        self.heap.grow();
        self.heap.insert(var);
        self.queue.grow();
        self.queue.append(var);
        self.phases.grow(self.options.initial_phase);
        self.analysis.grow();
        self.active += 1;
        var
    }

    /// Number of variables created so far.
    pub(crate) fn num_vars(&self) -> usize {
        self.vars.len()
    }

    /// Number of clauses of two or more literals that are kept, without learnt ones.
    pub fn num_clauses(&self) -> usize {
        self.arena.irredundant()
    }

    /// What the solver did so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Writes a DRAT proof of everything from here on. Meant for runs without a theory: its lemmas
    /// appear as if they followed from the clauses.
    pub fn set_proof(&mut self, out: Box<dyn io::Write + Send>) {
        self.proof = Some(Proof::new(out));
    }

    /// Ends the proof and reports the first failure to write it.
    pub fn finish_proof(&mut self) -> io::Result<()> {
        self.proof.take().map_or(Ok(()), Proof::finish)
    }

    /// Protects a variable from elimination. Clauses and assumptions may mention any variable, but one that
    /// was eliminated is brought back at some cost, and partial assignments do not show it.
    pub fn freeze(&mut self, var: Var) {
        self.reactivate(&[var.positive()]);
        self.status[var.index()].frozen += 1;
    }

    /// Takes back one `freeze`.
    pub fn melt(&mut self, var: Var) {
        let frozen = &mut self.status[var.index()].frozen;
        *frozen = frozen.saturating_sub(1);
    }

    /// Makes the theory see assignments of this variable, and freezes it.
    pub fn observe(&mut self, var: Var) {
        if !self.status[var.index()].observed {
            self.freeze(var);
            self.status[var.index()].observed = true;
        }
    }

    /// Adds a clause. Returns false when the clauses are contradictory at the root.
    pub fn add_clause(&mut self, lits: &[Lit]) -> bool {
        debug_assert_eq!(self.level(), 0);
        self.model.clear();
        if !self.unsat {
            self.reactivate(lits);
            self.add_root_clause(lits);
        }
        !self.unsat
    }

    /// Whether the clauses are known to be contradictory without assumptions.
    pub fn is_unsat(&self) -> bool {
        self.unsat
    }

    /// Value of a literal in the model of the last `Sat`; `None` if there is none.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.model.get(lit.var().index()).map(|&value| value == lit.is_pos())
    }

    /// Value of a literal that holds in all models, if that is known.
    pub fn root_value(&self, lit: Lit) -> Option<bool> {
        let fixed = self.vals[lit.index()] != 0 && self.vars[lit.var().index()].level == 0;
        fixed.then(|| self.vals[lit.index()] > 0)
    }

    /// Assumptions of the last `Unsat` that cannot hold together. Empty: unsatisfiable without any.
    pub fn failed_assumptions(&self) -> &[Lit] {
        &self.failed
    }

    // ---------------------------------------------------------------- shared by the techniques

    #[inline]
    pub(super) fn level(&self) -> u32 {
        self.control.len() as u32
    }

    #[inline]
    pub(super) fn val(&self, lit: Lit) -> i8 {
        self.vals[lit.index()]
    }

    /// Value of a literal at the root: 1, -1, or 0 if it is open there.
    #[inline]
    pub(super) fn root_val(&self, lit: Lit) -> i8 {
        if self.vars[lit.var().index()].level == 0 { self.vals[lit.index()] } else { 0 }
    }

    #[inline]
    pub(super) fn level_of(&self, lit: Lit) -> u32 {
        self.vars[lit.var().index()].level
    }

    /// Adds a clause of active variables at the root: drops duplicates and false literals, ignores
    /// tautologies and satisfied clauses.
    pub(super) fn add_root_clause(&mut self, lits: &[Lit]) {
        let mut clause = std::mem::take(&mut self.scratch);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if !tautology && !clause.iter().any(|&lit| self.root_val(lit) > 0) {
            clause.retain(|&lit| self.root_val(lit) == 0);
            if clause.len() < lits.len() {
                self.prove(&clause);
            }
            self.add_simplified(&clause, false, 0);
        }
        self.scratch = clause;
    }

    /// Adds a clause over distinct, unassigned literals at the root and propagates if it is a unit.
    pub(super) fn add_simplified(&mut self, clause: &[Lit], redundant: bool, glue: u32) {
        match *clause {
            [] => self.set_unsat(),
            [unit] => {
                self.assign(unit, Reason::Decision);
                if self.propagate().is_some() {
                    self.set_unsat();
                }
            }
            _ => {
                self.attach_new(clause, redundant, glue);
            }
        }
    }

    /// Stores a clause and watches its first two literals.
    pub(super) fn attach_new(&mut self, lits: &[Lit], redundant: bool, glue: u32) -> ClauseRef {
        let clause = self.arena.add(lits, redundant, glue);
        self.announce(lits, redundant);
        self.watch(clause);
        clause
    }

    /// Tells subsumption and elimination of a new clause.
    pub(super) fn announce(&mut self, lits: &[Lit], redundant: bool) {
        for lit in lits {
            let status = &mut self.status[lit.var().index()];
            status.added = true;
            status.touched |= !redundant;
        }
    }

    pub(super) fn watch(&mut self, clause: ClauseRef) {
        let lits = self.arena.lits(clause);
        let (a, b, binary) = (lits[0], lits[1], lits.len() == 2);
        self.watches[a.index()].push(Watch::new(b, clause, binary));
        self.watches[b.index()].push(Watch::new(a, clause, binary));
    }

    pub(super) fn set_unsat(&mut self) {
        if !self.unsat {
            self.unsat = true;
            self.prove(&[]);
        }
    }

    pub(super) fn is_open(&self, var: Var) -> bool {
        self.vals[var.positive().index()] == 0 && !self.status[var.index()].eliminated
    }

    /// Literals with a true mark are in the clause at hand.
    pub(super) fn mark(&mut self, lits: &[Lit], value: bool) {
        for lit in lits {
            self.marks[lit.index()] = value;
        }
    }
}
