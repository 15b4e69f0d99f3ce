//! Vivification (Piette, Hamadi, Sais 2008; Li et al. 2020): assume the negation of a clause literal by literal;
//! a conflict or an implied literal shows that a part of the clause is enough.
//!
//! Literals are tried in order of occurrence and clauses in lexicographic order, so that neighbours share
//! decisions, which are kept.

use std::cmp::Reverse;

use super::analyze::{SEEN, TIER1_GLUE, TIER2_GLUE};
use super::arena::ClauseRef;
use super::lit::Lit;
use super::propagate::Conflict;
use super::solver::{Reason, Solver};

/// The groups of clauses, each with its share of the effort in percent.
const TIERS: [(Tier, u64); 4] = [(Tier::Good, 45), (Tier::Best, 15), (Tier::Rest, 15), (Tier::Original, 25)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tier {
    /// Learnt, kept for ever.
    Best,
    /// Learnt, kept while used.
    Good,
    /// Learnt, likely to go.
    Rest,
    /// Not learnt.
    Original,
}

/// A clause to be tried: its literals, ordered, are a range of a shared vector.
struct Candidate {
    clause: ClauseRef,
    start: usize,
    end: usize,
    tried: bool,
}

/// How the attempt to falsify a clause ended.
enum Ending {
    Conflict(Conflict),
    Implied(Lit),
    Falsified,
}

impl Solver {
    pub(super) fn vivify(&mut self, effort: u64) {
        let mut limit = self.counters.inprocess_ticks;
        for (tier, percent) in TIERS {
            limit += effort * percent / 100;
            if !self.unsat && self.counters.inprocess_ticks < limit {
                self.vivify_tier(tier, limit);
            }
        }
        if !self.unsat {
            self.collect_garbage();
        }
    }

    fn tier_of(&self, clause: ClauseRef) -> Tier {
        if !self.arena.is_redundant(clause) {
            return Tier::Original;
        }
        match self.arena.glue(clause) {
            glue if glue <= TIER1_GLUE => Tier::Best,
            glue if glue <= TIER2_GLUE => Tier::Good,
            _ => Tier::Rest,
        }
    }

    fn vivify_tier(&mut self, tier: Tier, limit: u64) {
        let clauses: Vec<ClauseRef> = self
            .arena
            .live()
            .filter(|&clause| self.arena.size(clause) > 2 && self.tier_of(clause) == tier)
            .collect();
        let mut lits = Vec::new();
        let candidates = self.vivify_schedule(&clauses, &mut lits);
        self.counters.inprocess_ticks += clauses.len() as u64;
        for candidate in candidates {
            if self.unsat || self.counters.inprocess_ticks >= limit {
                break;
            }
            self.vivify_clause(candidate.clause, &lits[candidate.start..candidate.end]);
        }
        self.ignored = None;
        self.backtrack(0);
    }

    /// Clauses in the order of trial: those not tried yet first.
    fn vivify_schedule(&self, clauses: &[ClauseRef], lits: &mut Vec<Lit>) -> Vec<Candidate> {
        let mut occurrences = vec![0u32; self.vals.len()];
        for &clause in clauses {
            for lit in self.arena.lits(clause) {
                occurrences[lit.index()] += 1;
            }
        }
        let key = |lit: &Lit| (Reverse(occurrences[lit.index()]), *lit);
        let mut candidates: Vec<Candidate> = clauses
            .iter()
            .map(|&clause| {
                let start = lits.len();
                lits.extend_from_slice(self.arena.lits(clause));
                lits[start..].sort_unstable_by_key(key);
                Candidate { clause, start, end: lits.len(), tried: self.arena.is_vivified(clause) }
            })
            .collect();
        candidates.sort_by(|a, b| {
            let (x, y) = (&lits[a.start..a.end], &lits[b.start..b.end]);
            a.tried.cmp(&b.tried).then_with(|| x.iter().map(key).cmp(y.iter().map(key)))
        });
        candidates
    }

    fn vivify_clause(&mut self, clause: ClauseRef, ordered: &[Lit]) {
        if self.arena.is_garbage(clause) {
            return;
        }
        self.counters.vivify_checked += 1;
        self.arena.set_vivified(clause);
        if ordered.iter().any(|&lit| self.root_val(lit) > 0) {
            self.discard(clause);
            return;
        }
        self.reuse_decisions(clause, ordered);
        self.ignored = Some(clause);
        let ending = self.falsify(ordered);
        let shorter = self.vivified_literals(clause, &ending);
        if shorter.len() < ordered.len() {
            self.vivify_replace(clause, &shorter);
        } else if matches!(ending, Ending::Implied(_)) && self.arena.is_redundant(clause) {
            // The other clauses propagate as much.
            self.counters.vivified += 1;
            self.discard(clause);
        }
        if matches!(ending, Ending::Conflict(_)) && self.level() > 0 {
            self.backtrack(self.level() - 1);
        }
    }

    /// Keeps the decisions that this clause would make too, and that do not depend on it.
    fn reuse_decisions(&mut self, clause: ClauseRef, ordered: &[Lit]) {
        if self.is_reason(clause) {
            self.backtrack(self.level_of(self.arena.lits(clause)[0]) - 1);
        }
        let open = ordered.iter().filter(|&&lit| self.root_val(lit) == 0);
        let shared = open
            .zip(&self.control)
            .take_while(|&(&lit, &height)| self.trail[height as usize] == !lit)
            .count();
        self.backtrack(shared as u32);
    }

    fn falsify(&mut self, ordered: &[Lit]) -> Ending {
        for &lit in ordered {
            match self.val(lit) {
                1 => return Ending::Implied(lit),
                0 => {
                    self.decide_on(!lit);
                    if let Some(conflict) = self.propagate_inprocessing() {
                        return Ending::Conflict(conflict);
                    }
                }
                _ => {}
            }
        }
        Ending::Falsified
    }

    /// The literals that the ending shows to be enough.
    fn vivified_literals(&mut self, clause: ClauseRef, ending: &Ending) -> Vec<Lit> {
        let mut shorter = Vec::new();
        match *ending {
            Ending::Falsified => {
                let lits = self.arena.lits(clause).iter().copied();
                return lits.filter(|&lit| self.is_decided(lit)).collect();
            }
            Ending::Implied(lit) => {
                shorter.push(lit);
                self.vivify_see_reason(lit);
            }
            Ending::Conflict(Conflict::Binary(a, b)) => {
                self.vivify_see(a);
                self.vivify_see(b);
            }
            Ending::Conflict(Conflict::Clause(conflict)) => self.vivify_see_clause(conflict),
            Ending::Conflict(Conflict::Theory) => unreachable!("inprocessing does not ask the theory"),
        }
        let root = self.control.first().map_or(self.trail.len(), |&height| height as usize);
        for at in (root..self.trail.len()).rev() {
            let lit = self.trail[at];
            if self.analysis.marks[lit.var().index()] & SEEN != 0 {
                if self.vars[lit.var().index()].reason == Reason::Decision {
                    shorter.push(!lit);
                } else {
                    self.vivify_see_reason(lit);
                }
            }
        }
        for var in self.analysis.seen.drain(..) {
            self.analysis.marks[var.index()] = 0;
        }
        shorter
    }

    fn is_decided(&self, lit: Lit) -> bool {
        let info = self.vars[lit.var().index()];
        info.level > 0 && info.reason == Reason::Decision
    }

    fn vivify_see(&mut self, lit: Lit) {
        let var = lit.var();
        if self.vars[var.index()].level > 0 && self.analysis.marks[var.index()] == 0 {
            self.analysis.marks[var.index()] = SEEN;
            self.analysis.seen.push(var);
        }
    }

    fn vivify_see_clause(&mut self, clause: ClauseRef) {
        self.counters.inprocess_ticks += 1;
        for i in 0..self.arena.size(clause) {
            self.vivify_see(self.arena.lits(clause)[i]);
        }
    }

    fn vivify_see_reason(&mut self, lit: Lit) {
        match self.vars[lit.var().index()].reason {
            Reason::Binary(other) => self.vivify_see(other),
            Reason::Clause(clause) => {
                self.counters.inprocess_ticks += 1;
                for i in 0..self.arena.size(clause) {
                    let other = self.arena.lits(clause)[i];
                    if other != lit {
                        self.vivify_see(other);
                    }
                }
            }
            Reason::Decision | Reason::Theory | Reason::Explained(_) => {}
        }
    }

    fn vivify_replace(&mut self, clause: ClauseRef, shorter: &[Lit]) {
        self.counters.vivified += 1;
        self.ignored = None;
        self.backtrack(0);
        let redundant = self.arena.is_redundant(clause);
        let glue = self.arena.glue(clause).min((shorter.len() as u32).saturating_sub(1)).max(1);
        let used = self.arena.used(clause);
        self.prove(shorter);
        self.discard(clause);
        if shorter.len() >= 2 {
            let new = self.attach_new(shorter, redundant, glue);
            self.arena.set_vivified(new);
            self.arena.set_used(new, used);
        } else {
            self.add_simplified(shorter, redundant, glue);
        }
    }
}
