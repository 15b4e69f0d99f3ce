//! Conflict analysis: the clause of the first unique implication point, the jump it allows, and the
//! bumping of what took part. Also the core of failed assumptions.

use super::arena::ClauseRef;
use super::lit::{Lit, Var};
use super::propagate::Conflict;
use super::search::Hooks;
use super::solver::{Reason, Solver};
pub(super) use crate::tuning::sat_analyze::{TIER1_GLUE, TIER2_GLUE};

/// Marks of a variable during one analysis.
pub(super) const SEEN: u8 = 1;
/// Minimisation found that the other seen literals imply it.
pub(super) const REMOVABLE: u8 = 2;
/// Minimisation found that they do not.
pub(super) const POISON: u8 = 4;

/// Seen literals of one decision level.
#[derive(Clone, Copy, Default)]
pub(super) struct LevelMark {
    pub(super) seen: u32,
    /// First place on the trail of a seen literal: nothing before it can be implied by seen ones.
    pub(super) first: u32,
}

#[derive(Default)]
pub(super) struct Analysis {
    pub(super) marks: Vec<u8>,
    /// Variables with marks.
    pub(super) seen: Vec<Var>,
    /// Variables with marks from minimisation only.
    pub(super) visited: Vec<Var>,
    /// The clause being learnt; the asserting literal comes first.
    pub(super) clause: Vec<Lit>,
    pub(super) levels: Vec<LevelMark>,
    pub(super) touched_levels: Vec<u32>,
    /// Stamps of levels for counting glue.
    glue_stamps: Vec<u64>,
    glue_clock: u64,
    /// Explanations that the theory gave in this analysis: where each ends.
    pub(super) explanation_ends: Vec<u32>,
    pub(super) explanations: Vec<Lit>,
    explained: Vec<Var>,
    /// Work stack of minimisation.
    pub(super) stack: Vec<(Var, u32)>,
}

impl Analysis {
    pub(super) fn grow(&mut self) {
        self.marks.push(0);
        // One level per variable at most, the root, and one empty level per true assumption.
        self.grow_levels(self.marks.len() + 1);
    }

    pub(super) fn grow_levels(&mut self, count: usize) {
        if self.levels.len() < count {
            self.levels.resize(count, LevelMark::default());
            self.glue_stamps.resize(count, 0);
        }
    }

    /// Literals of a fetched explanation.
    pub(super) fn explanation(&self, number: u32) -> &[Lit] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.explanation_ends[number - 1] as usize };
        &self.explanations[start..self.explanation_ends[number] as usize]
    }
}

impl Solver {
    /// Learns from a conflict: jumps back and asserts the negation of the first implication point. The
    /// conflict's highest level must not be the root.
    pub(super) fn learn(&mut self, conflict: Conflict, hooks: &mut Hooks<'_>) {
        self.counters.conflicts += 1;
        let level = self.conflict_level(conflict);
        self.backtrack(level);
        if level == 0 {
            self.set_unsat();
            return;
        }
        self.phases.remember(&self.trail[..self.control[level as usize - 1] as usize]);
        self.analyze(conflict, hooks);
        // The asserting literal joins the jump level, so its own level does not count.
        let glue = self.analysis.touched_levels.len().saturating_sub(1).max(1) as u32;
        self.restarts.conflict(glue, self.stable);
        if self.options.minimize {
            self.minimize();
            self.strengthen_by_binaries(glue);
        }
        self.bump_seen();
        let jump = self.place_second_watch();
        self.clear_analysis();
        self.backtrack(jump);
        self.assert_learnt(glue);
    }

    /// Highest level of a false clause. Theory conflicts may lie below the present level.
    fn conflict_level(&self, conflict: Conflict) -> u32 {
        let highest = |lits: &[Lit]| lits.iter().map(|&lit| self.level_of(lit)).max().unwrap_or(0);
        match conflict {
            Conflict::Binary(a, b) => highest(&[a, b]),
            Conflict::Clause(clause) => highest(self.arena.lits(clause)),
            Conflict::Theory => highest(&self.link.conflict),
        }
    }

    fn analyze(&mut self, conflict: Conflict, hooks: &mut Hooks<'_>) {
        self.analysis.clause.clear();
        // Room for the asserting literal.
        self.analysis.clause.push(Lit::from_raw(0));
        let mut open = 0;
        match conflict {
            Conflict::Binary(a, b) => open += self.see(a) + self.see(b),
            Conflict::Clause(clause) => open += self.see_clause(clause),
            Conflict::Theory => {
                for i in 0..self.link.conflict.len() {
                    open += self.see(self.link.conflict[i]);
                }
            }
        }
        let mut at = self.trail.len();
        loop {
            at -= 1;
            let lit = self.trail[at];
            let var = lit.var();
            if self.analysis.marks[var.index()] & SEEN == 0 {
                continue;
            }
            open -= 1;
            if open == 0 {
                self.analysis.clause[0] = !lit;
                break;
            }
            open += self.see_reason(lit, hooks);
        }
    }

    /// Marks the literals that forced `lit`; returns how many new ones are on the conflict level.
    fn see_reason(&mut self, lit: Lit, hooks: &mut Hooks<'_>) -> usize {
        match self.vars[lit.var().index()].reason {
            Reason::Binary(other) => self.see(other),
            Reason::Clause(clause) => self.see_clause(clause),
            Reason::Theory => {
                let number = self.explain(lit, hooks);
                self.see_explanation(number)
            }
            Reason::Explained(number) => self.see_explanation(number),
            // Only the decision opens its level, and it is the last seen literal there.
            Reason::Decision => 0,
        }
    }

    fn see_clause(&mut self, clause: ClauseRef) -> usize {
        let mut open = 0;
        for i in 0..self.arena.size(clause) {
            open += self.see(self.arena.lits(clause)[i]);
        }
        if self.arena.is_redundant(clause) {
            self.use_clause(clause);
        }
        open
    }

    fn see_explanation(&mut self, number: u32) -> usize {
        let mut open = 0;
        for i in 0..self.analysis.explanation(number).len() {
            open += self.see(self.analysis.explanation(number)[i]);
        }
        open
    }

    /// Marks one literal; returns 1 if it is new and on the conflict level.
    #[inline]
    fn see(&mut self, lit: Lit) -> usize {
        let var = lit.var();
        let info = self.vars[var.index()];
        if info.level == 0 || self.analysis.marks[var.index()] & SEEN != 0 {
            return 0;
        }
        self.analysis.marks[var.index()] |= SEEN;
        self.analysis.seen.push(var);
        let mark = &mut self.analysis.levels[info.level as usize];
        if mark.seen == 0 {
            mark.first = info.position;
            self.analysis.touched_levels.push(info.level);
        } else {
            mark.first = mark.first.min(info.position);
        }
        mark.seen += 1;
        if info.level == self.control.len() as u32 {
            return 1;
        }
        self.analysis.clause.push(lit);
        0
    }

    /// A learnt clause that takes part in a conflict survives the next reductions, and its glue is
    /// counted again since it often falls.
    fn use_clause(&mut self, clause: ClauseRef) {
        let mut glue = self.arena.glue(clause);
        if glue > TIER1_GLUE {
            let now = self.count_glue(clause);
            if now < glue {
                self.arena.set_glue(clause, now);
                glue = now;
            }
        }
        self.arena.set_used(clause, 1 + u32::from(glue <= TIER2_GLUE));
    }

    fn count_glue(&mut self, clause: ClauseRef) -> u32 {
        self.analysis.glue_clock += 1;
        let mut glue = 0;
        for lit in self.arena.lits(clause) {
            let stamp = &mut self.analysis.glue_stamps[self.vars[lit.var().index()].level as usize];
            if *stamp != self.analysis.glue_clock {
                *stamp = self.analysis.glue_clock;
                glue += 1;
            }
        }
        glue
    }

    /// Asks the theory why it propagated a literal, for the time of this analysis.
    fn explain(&mut self, lit: Lit, hooks: &mut Hooks<'_>) -> u32 {
        let theory = hooks.theory.as_deref_mut().expect("only a theory propagates with this reason");
        self.counters.theory_explanations += 1;
        let number = self.analysis.explanation_ends.len() as u32;
        let start = self.analysis.explanations.len();
        theory.explain(lit, &mut self.analysis.explanations);
        self.analysis.explanation_ends.push(self.analysis.explanations.len() as u32);
        debug_assert!(self.analysis.explanations[start..].iter().all(|&other| {
            other == lit
                || (self.val(other) < 0
                    && self.vars[other.var().index()].position < self.vars[lit.var().index()].position)
        }));
        self.vars[lit.var().index()].reason = Reason::Explained(number);
        self.analysis.explained.push(lit.var());
        number
    }

    /// Brings a literal of the second highest level to the second place; returns that level.
    fn place_second_watch(&mut self) -> u32 {
        let vars = &self.vars;
        let clause = &mut self.analysis.clause;
        let Some(at) = (1..clause.len()).max_by_key(|&i| vars[clause[i].var().index()].level) else {
            return 0;
        };
        clause.swap(1, at);
        vars[clause[1].var().index()].level
    }

    fn assert_learnt(&mut self, glue: u32) {
        let clause = std::mem::take(&mut self.analysis.clause);
        self.prove(&clause);
        self.counters.learnt += 1;
        self.counters.learnt_literals += clause.len() as u64;
        let unit = clause[0];
        let reason = match clause.len() {
            1 => Reason::Decision,
            2 => {
                self.attach_new(&clause, true, 1);
                Reason::Binary(clause[1])
            }
            _ => {
                let learnt = self.attach_new(&clause, true, glue.min(clause.len() as u32 - 1));
                self.arena.set_used(learnt, 1 + u32::from(glue <= TIER2_GLUE));
                Reason::Clause(learnt)
            }
        };
        self.assign(unit, reason);
        self.analysis.clause = clause;
    }

    fn clear_analysis(&mut self) {
        let analysis = &mut self.analysis;
        for var in analysis.seen.drain(..).chain(analysis.visited.drain(..)) {
            analysis.marks[var.index()] = 0;
        }
        for level in analysis.touched_levels.drain(..) {
            analysis.levels[level as usize] = LevelMark::default();
        }
        for var in analysis.explained.drain(..) {
            self.vars[var.index()].reason = Reason::Theory;
        }
        analysis.explanations.clear();
        analysis.explanation_ends.clear();
    }

    /// Collects the assumptions that together make the assumption `lit` false.
    pub(super) fn analyze_failed(&mut self, lit: Lit, hooks: &mut Hooks<'_>) {
        self.failed.clear();
        self.failed.push(lit);
        self.analysis.clause.clear();
        self.see(lit);
        let root = self.control.first().map_or(self.trail.len(), |&height| height as usize);
        for at in (root..self.trail.len()).rev() {
            let seen = self.trail[at];
            if self.analysis.marks[seen.var().index()] & SEEN == 0 {
                continue;
            }
            if self.vars[seen.var().index()].reason == Reason::Decision {
                // Below the free decisions, every decision is an assumption.
                if seen != lit {
                    self.failed.push(seen);
                }
            } else {
                self.see_reason(seen, hooks);
            }
        }
        self.clear_analysis();
        self.failed.sort_unstable();
        self.failed.dedup();
        let clause: Vec<Lit> = self.failed.iter().map(|&lit| !lit).collect();
        self.prove(&clause);
    }
}
