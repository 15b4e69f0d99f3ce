//! The engine `ils-classic`: Chen et al. 2019's algorithm (InSPeCT) as published.
//!
//! A Randomisation phase throws the same random points at all path conditions at once, within bounds that grow
//! (Algorithm 1). An Improvement phase then takes each path condition that is left, from a fresh small random point, and
//! counts variables up (Strategy 1) and down (Strategy 2), one at a time and all together, in small and in big steps
//! (Algorithm 2). Every path condition has a tabu list of the points that failed it. There is no objective function.
//!
//! Where the paper is silent: the Randomisation phase stops after a number of points, so that runs repeat; the
//! Improvement phase is repeated until the budget ends; where the tabu list leaves no point within the bounds, they grow
//! by one; tabu lists forget their oldest points.

use super::Counters;
use super::compile::compile;
use super::machine::Registers;
use super::problem::{constants, verified};
use super::program::{Code, Program, Reg};
use super::tabu::{Tabu, share};
use crate::engine::{Budget, Partial, Partials, Query, Reason, Verdict};
use random::Rng;
use rustc_hash::FxHashMap;
use smt::{FunId, SortId, Terms, Value};

/// The name on the command line.
const NAME: &str = "ils-classic";
/// How often a strategy repeats its step (Section IV-B: "10 is the best threshold").
const ITERATIONS: i64 = 10;
/// The big step (Section IV-B: "100 is the best threshold for the big delta value").
const BIG_DELTA: i64 = 100;
/// Points that the Randomisation phase tries.
const RANDOM_POINTS: u64 = 1 << 14;
/// Points that one path condition's tabu list remembers.
const TABU_POINTS: usize = 1 << 16;
/// Draws of a point that is not tabu before the bounds grow.
const DRAWS: usize = 64;
/// So many partial solutions are given for one path condition.
const PARTIALS: u64 = 1024;

/// The paper's iterated local search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classic {
    /// The same seed gives the same run, as far as the clock does not cut it short.
    pub(crate) seed: u64,
    counters: Counters,
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
    rng: Rng,
    pub(super) counters: &'a mut Counters,
    budget: &'a mut Budget,
    partials: &'a mut dyn Partials,
}

impl Classic {
    /// An engine with a seed.
    pub(crate) fn new(seed: u64) -> Classic {
        Classic { seed, counters: Counters::default() }
    }

    /// Solves several path conditions together, as the paper does.
    pub(crate) fn solve_together(
        &mut self,
        terms: &Terms,
        queries: &[Query],
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Vec<Verdict> {
        let mut run = Run::new(terms, queries, self.seed, &mut self.counters, budget, partials);
        run.read();
        run.settle();
        run.randomise();
        while !run.open.is_empty() && run.budget.exhausted().is_none() {
            run.improve();
        }
        let reason = run.budget.exhausted().unwrap_or(Reason::Incomplete);
        run.verdicts.into_iter().map(|v| v.unwrap_or(Verdict::Unknown(reason))).collect()
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
                by_frequency: by_frequency(&program),
                registers: Registers::new(&program),
                program,
                conjuncts,
                tabu: Tabu::new(TABU_POINTS),
                most: 0,
                given: 0,
            });
        }
    }

    /// Without variables there is nothing to choose: one look decides what the search will ever find.
    fn settle(&mut self) {
        for k in (0..self.open.len()).rev().filter(|&k| self.open[k].vars.is_empty()).collect::<Vec<_>>() {
            if !self.solves(k, &[]) {
                self.verdicts[self.open[k].query] = Some(Verdict::Unknown(Reason::Incomplete));
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
                    if self.solves(k, &values) {
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

    /// Algorithm 2, once over all path conditions that are left, in random order.
    fn improve(&mut self) {
        self.counters.restarts += 1;
        let mut untested: Vec<usize> = self.open.iter().map(|c| c.query).collect();
        shuffle(&mut untested, &mut self.rng);
        for query in untested {
            let Some(k) = self.open.iter().position(|c| c.query == query) else { continue };
            if self.improve_one(k) {
                self.open.swap_remove(k);
            }
        }
    }

    fn improve_one(&mut self, k: usize) -> bool {
        let initial = self.fresh_point(k);
        if self.solves(k, &initial) {
            return true;
        }
        for sign in [1, -1] {
            if self.strategy(k, &initial, sign) {
                return true;
            }
        }
        false
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
            if !self.budget.spend(1) {
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
        let holding = condition.holding(values);
        let query = condition.query;
        if holding == condition.conjuncts.len() {
            let assignment = self.pool.assignment(condition, values);
            if let Some(model) = verified(self.terms, &self.queries[query], assignment) {
                self.verdicts[query] = Some(Verdict::Sat(model));
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

fn by_frequency(program: &Program) -> Vec<usize> {
    let mut count = vec![0u64; program.code.len()];
    for instr in program.code.iter().filter(|i| !matches!(i.code, Code::Var | Code::Const)) {
        instr.operands().for_each(|operand| count[operand as usize] += 1);
    }
    let mut vars: Vec<usize> = (0..program.vars.len()).collect();
    vars.sort_by_key(|&v| std::cmp::Reverse(count[v]));
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

engine_for_one!(Classic);
