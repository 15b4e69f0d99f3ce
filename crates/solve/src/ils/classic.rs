//! The engine `ils-classic`: Chen et al. 2019's algorithm (InSPeCT) as published.
//!
//! A Randomisation phase throws the same random points at all path conditions at once, within bounds that grow
//! (Algorithm 1). An Improvement phase then takes each path condition that is left, from a fresh small random point, and
//! counts variables up (Strategy 1) and down (Strategy 2), one at a time and all together, in small and in big steps
//! (Algorithm 2). Every path condition has a tabu list of the points that failed it. There is no objective function.
//!
//! A path condition that both strategies leave unsolved is given up: the engine ends after one pass and says `unknown`,
//! however much of the budget is left. A path condition may take so long and no longer (`with_each_limit`; the paper's is
//! two minutes), counted over both phases. Which phase solved what is counted, as in the paper's Table III.
//!
//! Where the paper is silent: the Randomisation phase stops after a number of points, so that runs repeat; where the tabu
//! list leaves no point within the bounds, they grow by one; tabu lists forget their oldest points.

use super::Counters;
use super::compile::compile;
use super::machine::Registers;
use super::problem::{constants, verified};
use super::program::{Program, Reg};
use super::tabu::{Tabu, share};
use crate::engine::{Budget, Engine, Partial, Partials, Query, Reason, Verdict};
use crate::engines::Joint;
use crate::tuning::ils_classic::{BIG_DELTA, DRAWS, ITERATIONS, PARTIALS, RANDOM_POINTS, TABU_POINTS};
use random::Rng;
use rustc_hash::FxHashMap;
use smt::{FunId, SortId, TermId, Terms, Value, walk};
use std::time::{Duration, Instant};

/// The name on the command line.
const NAME: &str = "ils-classic";

/// The paper's iterated local search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classic {
    /// The same seed gives the same run, as far as the clock does not cut it short.
    pub(crate) seed: u64,
    each: Option<Duration>,
    counters: Counters,
    /// How many path conditions each phase settled.
    settled: [u64; Phase::ALL.len()],
}

/// The steps of the algorithm that can solve a path condition (the columns of the paper's Table III), and giving up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Randomisation,
    /// The fresh point that the Improvement phase begins with.
    Initial,
    Strategy1,
    Strategy2,
    /// Neither strategy found a solution.
    Unsolvable,
    /// The limit for one path condition was reached.
    OutOfTime,
}

impl Phase {
    const ALL: [Phase; 6] = [
        Phase::Randomisation,
        Phase::Initial,
        Phase::Strategy1,
        Phase::Strategy2,
        Phase::Unsolvable,
        Phase::OutOfTime,
    ];

    /// The name of what counts it.
    fn counter(self) -> &'static str {
        match self {
            Phase::Randomisation => "solved-by-randomisation",
            Phase::Initial => "solved-by-initial-point",
            Phase::Strategy1 => "solved-by-strategy-1",
            Phase::Strategy2 => "solved-by-strategy-2",
            Phase::Unsolvable => "unsolvable",
            Phase::OutOfTime => "out-of-time",
        }
    }
}

/// A path condition that is not solved yet.
pub(super) struct Condition {
    query: usize,
    pub(super) program: Program,
    registers: Registers,
    conjuncts: Vec<Reg>,
    /// The place of each variable of the program among all variables.
    pub(super) vars: Vec<usize>,
    /// The program's variables by how often they occur, the most frequent first.
    pub(super) by_frequency: Vec<usize>,
    tabu: Tabu,
    /// The most conjuncts that held at one point, and how many partial solutions were given.
    most: usize,
    given: u64,
    /// How long it was worked on.
    spent: Duration,
}

/// The variables of all path conditions, with a random value each.
#[derive(Default)]
struct Pool {
    funs: Vec<(FunId, SortId)>,
    places: FxHashMap<FunId, usize>,
}

/// What all phases share.
pub(super) struct Run<'a> {
    pub(super) terms: &'a Terms,
    queries: &'a [Query],
    pool: Pool,
    pub(super) open: Vec<Condition>,
    pub(super) verdicts: Vec<Option<Verdict>>,
    /// The phase that settled each path condition.
    pub(super) phases: Vec<Option<Phase>>,
    phase: Phase,
    each: Option<Duration>,
    rng: Rng,
    pub(super) counters: &'a mut Counters,
    budget: &'a mut Budget,
    partials: &'a mut dyn Partials,
}

impl Classic {
    /// An engine with a seed.
    pub(crate) fn new(seed: u64) -> Classic {
        Classic { seed, ..Classic::default() }
    }

    /// The same with a limit on the time that one path condition may take.
    #[must_use]
    pub(crate) fn with_each_limit(self, each: Option<Duration>) -> Classic {
        Classic { each, ..self }
    }

    /// Solves several path conditions together, as the paper does.
    pub(crate) fn solve_together(
        &mut self,
        terms: &Terms,
        queries: &[Query],
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Joint {
        let mut run = Run::new(terms, queries, self.seed, &mut self.counters, budget, partials);
        run.each = self.each;
        run.read();
        run.settle();
        run.randomise();
        run.improve();
        // What is left was not tested to the end.
        let reason = run.budget.exhausted().unwrap_or(Reason::Incomplete);
        let (verdicts, phases) = (run.verdicts, run.phases);
        for phase in phases.iter().flatten() {
            self.settled[*phase as usize] += 1;
        }
        Joint {
            verdicts: verdicts.into_iter().map(|v| v.unwrap_or(Verdict::Unknown(reason))).collect(),
            ways: phases.into_iter().map(|phase| phase.map(Phase::counter)).collect(),
            work: self.counters.list(),
        }
    }
}

impl<'a> Run<'a> {
    /// Nothing is read yet.
    pub(super) fn new(
        terms: &'a Terms,
        queries: &'a [Query],
        seed: u64,
        counters: &'a mut Counters,
        budget: &'a mut Budget,
        partials: &'a mut dyn Partials,
    ) -> Run<'a> {
        Run {
            terms,
            queries,
            pool: Pool::default(),
            open: Vec::new(),
            verdicts: vec![None; queries.len()],
            phases: vec![None; queries.len()],
            phase: Phase::Randomisation,
            each: None,
            rng: Rng::new(seed),
            counters,
            budget,
            partials,
        }
    }

    /// Compiles all path conditions.
    pub(super) fn read(&mut self) {
        for (i, query) in self.queries.iter().enumerate() {
            let memory = self.budget.memory / self.queries.len();
            let (builder, regs) = match compile(self.terms, &query.assertions, &FxHashMap::default(), memory)
            {
                Ok(compiled) => compiled,
                Err(reason) => {
                    self.verdicts[i] = Some(Verdict::Unknown(reason));
                    continue;
                }
            };
            let roots: Vec<Reg> = query.assertions.iter().map(|a| regs[a]).collect();
            let (program, conjuncts) = builder.finish(&roots);
            let zero = dashu_int::IBig::ZERO;
            if let Some(i_false) = conjuncts.iter().position(|&c| program.constant(c) == Some(&zero)) {
                self.verdicts[i] = Some(Verdict::Unsat(vec![i_false]));
                continue;
            }
            for (fun, sort) in constants(self.terms, query) {
                self.pool.add(fun, sort);
            }
            self.open.push(Condition {
                query: i,
                vars: program.vars.iter().map(|fun| self.pool.places[fun]).collect(),
                by_frequency: by_frequency(self.terms, &query.assertions, &program),
                registers: Registers::new(&program),
                program,
                conjuncts,
                tabu: Tabu::new(TABU_POINTS),
                most: 0,
                given: 0,
                spent: Duration::ZERO,
            });
        }
    }

    /// Without variables there is nothing to choose: one look decides what the search will ever find.
    fn settle(&mut self) {
        for k in (0..self.open.len()).rev().filter(|&k| self.open[k].vars.is_empty()).collect::<Vec<_>>() {
            if !self.solves(k, &[]) {
                let query = self.open[k].query;
                self.verdicts[query] = Some(Verdict::Unknown(Reason::Incomplete));
                self.phases[query] = Some(Phase::Unsolvable);
            }
            self.open.swap_remove(k);
        }
    }

    /// Algorithm 1. The bound `i` grows by 1, 2, ... up to the number of variables, over and over.
    pub(super) fn randomise(&mut self) {
        let variables = self.pool.funs.len().max(1) as i64;
        let mut growing = bounds(variables);
        for _ in 0..RANDOM_POINTS {
            let bound = growing.next().expect("bounds grow forever");
            let point: Vec<i64> = self.pool.draw(bound, &mut self.rng);
            let mut order: Vec<usize> = (0..self.open.len()).collect();
            shuffle(&mut order, &mut self.rng);
            let mut solved = Vec::new();
            for k in order {
                let values: Vec<i64> = self.open[k].vars.iter().map(|&v| point[v]).collect();
                if !self.open[k].is_tabu(&values) {
                    if self.solves(k, &values) || self.give_up_late(k) {
                        solved.push(k);
                    }
                } else {
                    self.counters.tabu_hits += 1;
                }
            }
            solved.sort_unstable();
            solved.into_iter().rev().for_each(|k| drop(self.open.swap_remove(k)));
            if self.open.is_empty() || self.budget.exhausted().is_some() {
                return;
            }
        }
    }

    /// Algorithm 2: once over all path conditions that are left, in random order. Each is solved, given up, or out of time.
    pub(super) fn improve(&mut self) {
        let mut untested: Vec<usize> = self.open.iter().map(|c| c.query).collect();
        shuffle(&mut untested, &mut self.rng);
        for query in untested {
            if self.budget.exhausted().is_some() {
                return;
            }
            let Some(k) = self.open.iter().position(|c| c.query == query) else { continue };
            self.counters.restarts += 1;
            if self.improve_one(k) || self.give_up_late(k) {
                self.open.swap_remove(k);
            } else if self.budget.exhausted().is_none() {
                self.verdicts[query] = Some(Verdict::Unknown(Reason::Incomplete));
                self.phases[query] = Some(Phase::Unsolvable);
                self.open.swap_remove(k);
            }
        }
    }

    fn improve_one(&mut self, k: usize) -> bool {
        self.phase = Phase::Initial;
        let initial = self.fresh_point(k);
        if self.solves(k, &initial) {
            return true;
        }
        for (phase, sign) in [(Phase::Strategy1, 1), (Phase::Strategy2, -1)] {
            self.phase = phase;
            if self.strategy(k, &initial, sign) {
                return true;
            }
        }
        false
    }

    /// Whether a path condition has had all of its time; then it is out.
    fn give_up_late(&mut self, k: usize) -> bool {
        let late = self.is_late(k);
        if late {
            let query = self.open[k].query;
            self.verdicts[query] = Some(Verdict::Unknown(Reason::Time));
            self.phases[query] = Some(Phase::OutOfTime);
        }
        late
    }

    fn is_late(&self, k: usize) -> bool {
        self.each.is_some_and(|each| self.open[k].spent >= each)
    }

    /// A point in [-1, 1] that is not tabu; wider if there is none.
    pub(super) fn fresh_point(&mut self, k: usize) -> Vec<i64> {
        for bound in 1i64.. {
            for _ in 0..DRAWS {
                let point = self.pool.draw(bound, &mut self.rng);
                let values: Vec<i64> = self.open[k].vars.iter().map(|&v| point[v]).collect();
                if !self.open[k].is_tabu(&values) {
                    return values;
                }
                self.counters.tabu_hits += 1;
            }
        }
        unreachable!("some bound has a point that is not tabu")
    }

    /// Strategy 1 (sign 1) or 2 (sign -1): each variable alone, then all together, by 1 and then by the big delta.
    pub(super) fn strategy(&mut self, k: usize, initial: &[i64], sign: i64) -> bool {
        let order = self.open[k].by_frequency.clone();
        for delta in [sign, sign * BIG_DELTA] {
            for &var in &order {
                if self.count(k, initial, delta, &[var]) {
                    return true;
                }
            }
            if self.count(k, initial, delta, &order) {
                return true;
            }
        }
        false
    }

    /// Adds `delta` to some variables again and again, from the initial point.
    fn count(&mut self, k: usize, initial: &[i64], delta: i64, vars: &[usize]) -> bool {
        let mut values = initial.to_vec();
        for _ in 0..ITERATIONS {
            for &var in vars {
                values[var] += delta;
            }
            self.counters.moves += 1;
            if !self.budget.spend(1) || self.is_late(k) {
                return false;
            }
            if self.solves(k, &values) {
                return true;
            }
        }
        false
    }

    /// Whether a point solves a path condition; if not, it is tabu from now on.
    pub(super) fn solves(&mut self, k: usize, values: &[i64]) -> bool {
        let condition = &mut self.open[k];
        self.counters.evaluations += 1;
        self.budget.spend(1 + condition.program.code.len() as u32 / 32);
        // The clock is only looked at where somebody set a limit by it.
        let start = self.each.map(|_| Instant::now());
        let holding = condition.holding(values);
        condition.spent += start.map_or(Duration::ZERO, |start| start.elapsed());
        let query = condition.query;
        if holding == condition.conjuncts.len() {
            let assignment = self.pool.assignment(condition, values);
            if let Some(model) = verified(self.terms, &self.queries[query], assignment) {
                self.verdicts[query] = Some(Verdict::Sat(model));
                self.phases[query] = Some(self.phase);
                return true;
            }
        } else if holding > condition.most {
            condition.most = holding;
            if self.partials.wanted() && condition.given < PARTIALS {
                condition.given += 1;
                let values = self.pool.assignment(condition, values);
                self.partials.take(Partial { values, engine: NAME, step: self.counters.evaluations });
            }
        }
        self.open[k].tabu.insert(point_of(values));
        false
    }
}

impl Condition {
    pub(super) fn is_tabu(&self, values: &[i64]) -> bool {
        self.tabu.contains(point_of(values))
    }

    /// How many conjuncts hold.
    fn holding(&mut self, values: &[i64]) -> usize {
        for (var, &value) in values.iter().enumerate() {
            // A Boolean is true in the upper half of the range.
            let value = if self.program.boolean[var] { i64::from(value > 0) } else { value };
            self.registers.write(var as Reg, i128::from(value));
        }
        self.registers.run(&self.program);
        self.registers.collect();
        self.conjuncts.iter().filter(|&&c| self.registers.is_true(c)).count()
    }
}

impl Pool {
    fn add(&mut self, fun: FunId, sort: SortId) {
        let place = self.funs.len();
        if *self.places.entry(fun).or_insert(place) == place {
            self.funs.push((fun, sort));
        }
    }

    /// A value within the bounds for every variable.
    fn draw(&self, bound: i64, rng: &mut Rng) -> Vec<i64> {
        let width = 2 * bound as usize + 1;
        self.funs.iter().map(|_| rng.below(width) as i64 - bound).collect()
    }

    fn assignment(&self, condition: &Condition, values: &[i64]) -> Vec<(FunId, Value)> {
        let mut all: Vec<i64> = vec![0; self.funs.len()];
        for (&place, &value) in condition.vars.iter().zip(values) {
            all[place] = value;
        }
        let value = |(&(fun, sort), value): (&(FunId, SortId), i64)| match sort {
            SortId::BOOL => (fun, Value::Bool(value > 0)),
            _ => (fun, Value::Int(value.into())),
        };
        self.funs.iter().zip(all).map(value).collect()
    }
}

/// The bounds of Algorithm 1, lines 4 to 7: `i` grows by `j` for `j` from 1 to the number of variables.
pub(super) fn bounds(variables: i64) -> impl Iterator<Item = i64> {
    (1..=variables).cycle().scan(0i64, |bound, j| {
        // Far beyond any path condition's constants; the sums of Strategy 1 stay within 64 bits.
        *bound = (*bound + j).min(1 << 40);
        Some(*bound)
    })
}

/// Variables by how often they occur in the path condition as it is written: a shared term counts at each of its places.
fn by_frequency(terms: &Terms, assertions: &[TermId], program: &Program) -> Vec<usize> {
    let mut places: FxHashMap<TermId, u64> = FxHashMap::default();
    for &assertion in assertions {
        *places.entry(assertion).or_default() += 1;
    }
    let mut count: FxHashMap<FunId, u64> = FxHashMap::default();
    // Arguments have smaller ids: from the last term down, a term's places are known when it comes up.
    for term in walk::reachable(terms, assertions).into_iter().rev() {
        let here = places.get(&term).copied().unwrap_or(0);
        for &argument in terms.args(term) {
            let there = places.entry(argument).or_default();
            *there = there.saturating_add(here);
        }
        if let Some(fun) = terms.as_fun(term) {
            count.insert(fun, here);
        }
    }
    let mut vars: Vec<usize> = (0..program.vars.len()).collect();
    vars.sort_by_key(|&v| std::cmp::Reverse(count.get(&program.vars[v]).copied().unwrap_or(0)));
    vars
}

fn point_of(values: &[i64]) -> u64 {
    values.iter().enumerate().fold(0, |point, (var, &value)| point ^ share(var, i128::from(value)))
}

fn shuffle(items: &mut [usize], rng: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, rng.below(i + 1));
    }
}

impl Engine for Classic {
    fn name(&self) -> &'static str {
        NAME
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let mut verdicts = self.solve_together(terms, std::slice::from_ref(query), budget, partials).verdicts;
        verdicts.pop().unwrap_or(Verdict::Unknown(Reason::Incomplete))
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut all = self.counters.list();
        all.extend(Phase::ALL.into_iter().map(|phase| (phase.counter(), self.settled[phase as usize])));
        all
    }
}
