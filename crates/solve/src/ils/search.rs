//! The guided search: from a point, take the best move that a failing conjunct proposes; where none is better, make
//! failing conjuncts heavier and move on past what was tried lately; after too long without success, begin elsewhere.

use super::Counters;
use super::aim::{Aim, Move};
use super::divisors::Divisors;
use super::guide::{Cost, Literal, Relation};
use super::problem::Problem;
use super::program::Var;
use super::start::Starts;
use super::state::{Conjunct, SearchPoint};
use super::sweep::Sweeps;
use super::tabu::Tabu;
use crate::engine::Budget;
use crate::tuning::ils_search::{AIMED, HEAVIEST, NUDGED, PATIENCE, TABU_POINTS};
use random::Rng;
use rustc_hash::FxHashMap;
use std::rc::Rc;

mod chain;
mod lines;

/// What a slice of the search ended in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slice {
    /// All conjuncts cost nothing at the current point.
    Solved,
    /// The steps are used up, or the budget is.
    Over,
}

/// A search that can be continued.
pub(crate) struct Search<'p> {
    problem: &'p Problem,
    state: SearchPoint<'p>,
    rng: Rng,
    starts: Starts,
    divisors: Divisors,
    tabu: Tabu,
    /// The step until which each variable rests.
    rests: Vec<u64>,
    supports: FxHashMap<Literal, Rc<[Var]>>,
    sweeps: Sweeps,
    step: u64,
    /// Steps without improvement since the last restart.
    stuck: u64,
    restarts: u64,
    /// The least total since weights changed last.
    least: u128,
    /// The least unweighted cost since the last restart.
    lowest: u128,
    /// The best point of all restarts: how many conjuncts fail, and where.
    elite: (usize, Vec<i128>),
    candidates: Vec<Move>,
    /// Kept to be used again: the totals of candidates, and the order in which they are looked at.
    totals: Vec<Option<u128>>,
    order: Vec<u32>,
}

impl<'p> Search<'p> {
    /// A search at its first starting point.
    pub(crate) fn new(problem: &'p Problem, seed: u64) -> Search<'p> {
        let program = &problem.landscape.program;
        let starts = Starts::new(program, &problem.domains);
        let mut state = SearchPoint::new(&problem.landscape);
        let origin = starts.origin();
        state.jump(&origin);
        Search {
            problem,
            rng: Rng::new(seed),
            divisors: Divisors::default(),
            tabu: Tabu::new(TABU_POINTS),
            rests: vec![0; program.vars.len()],
            supports: FxHashMap::default(),
            sweeps: Sweeps::new(program),
            step: 0,
            stuck: 0,
            restarts: 0,
            least: state.total(),
            lowest: state.total(),
            elite: (usize::MAX, origin),
            candidates: Vec::new(),
            totals: Vec::new(),
            order: Vec::new(),
            starts,
            state,
        }
    }

    /// The current point.
    pub(crate) fn point(&self) -> Vec<i128> {
        self.state.values()
    }

    /// Searches for at most so many steps; tells every point that is better than those before it.
    pub(crate) fn run(
        &mut self,
        steps: u64,
        budget: &mut Budget,
        counters: &mut Counters,
        better: &mut dyn FnMut(&[i128], u64),
    ) -> Slice {
        let end = self.step.saturating_add(steps);
        while self.step < end {
            if self.state.total() == 0 {
                return Slice::Solved;
            }
            if !budget.spend(8) {
                return Slice::Over;
            }
            self.step += 1;
            if self.improve(budget, counters) {
                self.least = self.least.min(self.state.total());
                let cost = self.state.unweighted();
                if cost < self.lowest {
                    self.lowest = cost;
                    self.stuck = 0;
                    better(&self.state.values(), counters.moves);
                }
            } else {
                self.escape(counters);
            }
            counters.evaluations += std::mem::take(&mut self.state.evaluations);
        }
        if self.state.total() == 0 { Slice::Solved } else { Slice::Over }
    }

    /// Leaves the current point for good, though it costs nothing: the evaluator does not accept it.
    pub(crate) fn reject(&mut self, counters: &mut Counters) {
        self.tabu.insert(self.state.point());
        self.restart(counters);
    }

    /// Takes the best move that a failing conjunct proposes; false if none is better than staying.
    fn improve(&mut self, budget: &mut Budget, counters: &mut Counters) -> bool {
        let Some(literal) = self.failing_literal() else { return false };
        self.candidates.clear();
        self.propose(literal);
        let mut best = self.best_candidate(budget, counters);
        if best.is_none_or(|(total, _)| total >= self.state.total()) {
            let found = self.search_lines(literal, budget, counters);
            best = [best, found].into_iter().flatten().min_by_key(|(total, _)| *total);
        }
        if self.stuck > 0
            && best.is_none_or(|(total, _)| total >= self.state.total())
            && self.chain(literal, budget, counters)
        {
            return true;
        }
        if literal.relation == Relation::Eq
            && self.stuck > 0
            && best.is_none_or(|(total, _)| total >= self.state.total())
        {
            let found = self.sweep(literal, budget, counters);
            best = [best, found].into_iter().flatten().min_by_key(|(total, _)| *total);
        }
        let Some((total, chosen)) = best else { return false };
        let improves = total < self.state.total();
        if improves {
            self.take(chosen, counters);
        } else {
            self.candidates.clear();
            self.candidates.push(chosen);
        }
        improves
    }

    /// No move is better: failing conjuncts gain weight, and the least bad move is taken all the same.
    fn escape(&mut self, counters: &mut Counters) {
        self.stuck += 1;
        let patience = PATIENCE * luby(self.restarts + 1);
        if self.stuck > patience {
            return self.restart(counters);
        }
        let relax = self.rng.one_in(32);
        self.state.reweigh(|_, violated, weight| match (violated, relax) {
            (true, _) => (weight + 1).min(HEAVIEST),
            (false, true) => (weight - 1).max(1),
            (false, false) => weight,
        });
        self.least = self.state.total();
        if let Some(chosen) = self.candidates.first().copied() {
            self.take(chosen, counters);
        }
    }

    fn take(&mut self, chosen: Move, counters: &mut Counters) {
        let start = self.state.point();
        for (var, value) in chosen.changes() {
            self.state.set(var, value);
        }
        self.arrive(start, chosen.changes().map(|(var, _)| var), counters);
    }

    /// Settles down where some variables were moved to, from a point that is not visited again.
    fn arrive(&mut self, start: u64, moved: impl IntoIterator<Item = Var>, counters: &mut Counters) {
        self.tabu.insert(start);
        for var in moved {
            self.rests[var as usize] = self.step + 2 + self.rng.below(6) as u64;
        }
        self.state.keep();
        counters.moves += 1;
        let failing = self.state.violated().count();
        if failing < self.elite.0 {
            self.elite = (failing, self.state.values());
        }
    }

    fn restart(&mut self, counters: &mut Counters) {
        counters.restarts += 1;
        self.restarts += 1;
        let point = if self.restarts.is_multiple_of(3) {
            self.starts.beside(&self.elite.1, &mut self.rng)
        } else {
            self.starts.random(&mut self.rng)
        };
        self.state.jump(&point);
        self.begin();
    }

    fn begin(&mut self) {
        self.state.reweigh(|_, _, _| 1);
        self.rests.fill(0);
        self.stuck = 0;
        self.least = self.state.total();
        self.lowest = self.least;
    }

    /// A comparison that fails in a conjunct that fails; heavier conjuncts are chosen more often.
    fn failing_literal(&mut self) -> Option<Literal> {
        let weight: u64 = self.state.violated().map(|c| u64::from(self.state.weight(c))).sum();
        let mut ticket = self.rng.below(usize::try_from(weight).ok()?.max(1)) as u64;
        let mut chosen: Option<Conjunct> = None;
        for conjunct in self.state.violated() {
            chosen = Some(conjunct);
            match ticket.checked_sub(u64::from(self.state.weight(conjunct))) {
                Some(rest) => ticket = rest,
                None => break,
            }
        }
        let guide = &self.problem.landscape.guide;
        let mut id = guide.roots[chosen?];
        loop {
            let failing = |id: &u32| self.state.cost(*id) > 0;
            id = match guide.nodes[id as usize] {
                Cost::Literal(literal) => return Some(literal),
                Cost::Sum(a, b) => {
                    let options: Vec<u32> = [a, b].into_iter().filter(failing).collect();
                    self.rng.choose(&options)?
                }
                Cost::Min(a, b) => {
                    let cheaper = if self.state.cost(a) <= self.state.cost(b) { a } else { b };
                    if self.rng.one_in(4) { a ^ b ^ cheaper } else { cheaper }
                }
                Cost::Holds | Cost::Never => return None,
            };
        }
    }

    fn propose(&mut self, literal: Literal) {
        for _ in 0..AIMED {
            let mut aim = Aim {
                state: &self.state,
                domains: &self.problem.domains,
                rng: &mut self.rng,
                divisors: &mut self.divisors,
            };
            let aimed = aim.literal(literal);
            self.candidates.extend(aimed);
        }
        let support = self.support(literal);
        for _ in 0..NUDGED.min(support.len()) {
            let var = support[self.rng.below(support.len())];
            self.nudge(var);
        }
    }

    /// Small steps, powers of two, flipped bits, the negation, other variables' values and constants of the query.
    fn nudge(&mut self, var: Var) {
        let x = self.state.value(var);
        let power = 1i128 << self.rng.below(32);
        let other = self.rng.below(self.rests.len()) as Var;
        let copied = self.state.value(other);
        let constant = self.rng.choose(self.starts.constants()).unwrap_or(0);
        let values = [x + 1, x - 1, x + power, x - power, x ^ power, -x, copied, -copied, constant];
        let domain = self.problem.domains[var as usize];
        self.candidates.extend(values.map(|value| Move::one(var, domain.nearest(value))));
    }

    fn support(&mut self, literal: Literal) -> Rc<[Var]> {
        let program = &self.problem.landscape.program;
        self.supports
            .entry(literal)
            .or_insert_with(|| program.support(&[literal.a, literal.b]).into())
            .clone()
    }

    /// The cheapest candidate that is allowed, with its total.
    fn best_candidate(&mut self, budget: &mut Budget, counters: &mut Counters) -> Option<(u128, Move)> {
        let candidates = std::mem::take(&mut self.candidates);
        let totals = self.probe_all(&candidates, budget);
        let mut best: Option<(u128, Move)> = None;
        for (&candidate, &total) in candidates.iter().zip(&totals) {
            let Some(total) = total else { continue };
            if best.is_some_and(|(least, _)| least <= total) || self.is_tabu(candidate) {
                continue;
            }
            if !self.allowed(candidate, total) {
                counters.tabu_hits += 1;
                continue;
            }
            best = Some((total, candidate));
        }
        (self.candidates, self.totals) = (candidates, totals);
        self.candidates.clear();
        best
    }

    /// The total after each of some moves; `None` for those that change nothing. Moves of the same variable are looked at
    /// together, and the same move once.
    fn probe_all(&mut self, moves: &[Move], budget: &mut Budget) -> Vec<Option<u128>> {
        let mut totals = std::mem::take(&mut self.totals);
        totals.clear();
        totals.resize(moves.len(), None);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..moves.len() as u32);
        order.retain(|&i| moves[i as usize].changes().any(|(var, value)| self.state.value(var) != value));
        let chosen = |i: u32| &moves[i as usize];
        order.sort_unstable_by_key(|&i| (chosen(i).second, chosen(i).first));
        let together = |&i: &u32, &j: &u32| {
            chosen(i).second == chosen(j).second && chosen(i).first.0 == chosen(j).first.0
        };
        let (mut values, mut seen) = (Vec::new(), Vec::new());
        for group in order.chunk_by(together) {
            let Move { first: (var, _), second } = *chosen(group[0]);
            values.clear();
            values.extend(group.iter().map(|&i| chosen(i).first.1));
            values.dedup();
            budget.spend(self.state.effort(var) * values.len() as u32);
            seen.clear();
            match second {
                None => self.state.probe_all(var, &values, &mut seen),
                Some((second, other)) => {
                    budget.spend(self.state.effort(second) * values.len() as u32);
                    for &value in &values {
                        self.state.set(var, value);
                        seen.push(self.state.probe(second, other));
                        self.state.undo();
                    }
                }
            }
            let mut place = 0;
            for &i in group {
                place += usize::from(chosen(i).first.1 != values[place]);
                totals[i as usize] = Some(seen[place]);
            }
        }
        self.order = order;
        totals
    }

    /// Whether a move leads to a point that must not be visited.
    fn is_tabu(&self, candidate: Move) -> bool {
        let mut point = self.state.point();
        for (var, value) in candidate.changes() {
            point ^= self.state.point() ^ self.state.point_with(var, value);
        }
        self.tabu.contains(point)
    }

    /// A variable that moved lately rests, unless moving it leads where the search has not been.
    fn allowed(&self, candidate: Move, total: u128) -> bool {
        total < self.least || candidate.changes().all(|(var, _)| self.rests[var as usize] <= self.step)
    }
}

/// Luby's sequence 1 1 2 1 1 2 4 ...: restart lengths that suit whatever distribution the running time has.
fn luby(mut i: u64) -> u64 {
    loop {
        let bits = u64::BITS - i.leading_zeros();
        if i == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        i -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn luby_begins_as_published() {
        let begin: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(begin, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
