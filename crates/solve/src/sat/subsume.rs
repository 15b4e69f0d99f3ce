//! Subsumption and self-subsuming resolution, forward, smaller clauses first (the one-watch scheme of
//! CaDiCaL: a clause is filed under its rarest literal only).

use super::analyze::TIER2_GLUE;
use super::arena::ClauseRef;
use super::lit::Lit;
use super::solver::Solver;
use crate::tuning::sat_subsume::SIZE_LIMIT;

/// What a smaller clause does to the one at hand.
enum Finding {
    Subsumed(ClauseRef),
    /// This literal can go.
    Strengthened(Lit),
}

impl Solver {
    /// Watches must be disconnected.
    pub(super) fn subsume(&mut self, effort: u64) {
        let limit = self.counters.inprocess_ticks + effort;
        let mut clauses: Vec<ClauseRef> =
            self.arena.live().filter(|&clause| self.takes_part_in_subsumption(clause)).collect();
        clauses.sort_by_key(|&clause| self.arena.size(clause));
        self.counters.inprocess_ticks += clauses.len() as u64 / 2;
        let mut filed: Vec<Vec<ClauseRef>> = vec![Vec::new(); self.vals.len()];
        let mut complete = true;
        for clause in clauses {
            if self.unsat || self.counters.inprocess_ticks >= limit {
                complete = false;
                break;
            }
            if self.added_literals(clause) >= 2 {
                self.try_subsume(clause, &filed);
            }
            if !self.arena.is_garbage(clause) {
                self.file(clause, &mut filed);
            }
        }
        if complete {
            self.status.iter_mut().for_each(|status| status.added = false);
        }
    }

    fn takes_part_in_subsumption(&self, clause: ClauseRef) -> bool {
        self.arena.size(clause) <= SIZE_LIMIT
            && (!self.arena.is_redundant(clause) || self.arena.glue(clause) <= TIER2_GLUE)
            && self.arena.lits(clause).iter().all(|&lit| self.val(lit) == 0)
    }

    fn added_literals(&self, clause: ClauseRef) -> usize {
        self.arena.lits(clause).iter().filter(|lit| self.status[lit.var().index()].added).count()
    }

    fn file(&self, clause: ClauseRef, filed: &mut [Vec<ClauseRef>]) {
        // A clause that subsumes a changed one without being changed was tried before.
        if self.added_literals(clause) == self.arena.size(clause) {
            let lits = self.arena.lits(clause);
            let rarest =
                lits.iter().min_by_key(|lit| filed[lit.index()].len()).expect("clauses have literals");
            filed[rarest.index()].push(clause);
        }
    }

    fn try_subsume(&mut self, clause: ClauseRef, filed: &[Vec<ClauseRef>]) {
        let lits = self.arena.lits(clause).to_vec();
        self.mark(&lits, true);
        let finding = self.find_subsuming(&lits, filed);
        self.mark(&lits, false);
        match finding {
            None => {}
            Some(Finding::Subsumed(by)) => {
                self.counters.subsumed += 1;
                if !self.arena.is_redundant(clause) {
                    self.arena.make_irredundant(by);
                }
                self.discard(clause);
            }
            Some(Finding::Strengthened(lit)) => {
                self.counters.strengthened += 1;
                self.remove_literals(clause, |_, other| other == lit);
            }
        }
    }

    fn find_subsuming(&mut self, lits: &[Lit], filed: &[Vec<ClauseRef>]) -> Option<Finding> {
        let mut weaker = None;
        for &lit in lits {
            for sign in [lit, !lit] {
                for &other in &filed[sign.index()] {
                    self.counters.inprocess_ticks += 1;
                    if self.arena.is_garbage(other) {
                        continue;
                    }
                    match self.check_subsuming(other) {
                        None => {}
                        Some(None) => return Some(Finding::Subsumed(other)),
                        Some(Some(flipped)) => weaker = Some(Finding::Strengthened(!flipped)),
                    }
                }
            }
        }
        weaker
    }

    /// Whether all literals of a clause are marked, but for at most one whose negation is.
    fn check_subsuming(&self, clause: ClauseRef) -> Option<Option<Lit>> {
        let mut flipped = None;
        for &lit in self.arena.lits(clause) {
            if self.marks[lit.index()] {
                continue;
            }
            if flipped.is_some() || !self.marks[(!lit).index()] {
                return None;
            }
            flipped = Some(lit);
        }
        Some(flipped)
    }
}
