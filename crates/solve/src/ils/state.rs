//! A point of the search: the variables' values, everything computed from them, and its weighted cost. Changing a
//! variable recomputes only what depends on it, and can be taken back.

use super::guide::{Cost, CostId, Guide, Literal, Relation, UNDEFINED, cost_of_distance};
use super::machine::{Number, Registers};
use super::problem::FAR;
use super::program::{Program, Reg, Var};
use super::tabu::share;
use dashu_base::Approximation;

/// A conjunct: a root of the cost DAG.
pub(crate) type Conjunct = usize;

/// What depends on one variable, in an order in which it can be computed.
#[derive(Clone, Debug, Default)]
struct Cone {
    regs: Vec<Reg>,
    costs: Vec<CostId>,
    /// How many of the costs are conjuncts.
    conjuncts: u64,
}

/// A program, its costs, and what depends on what.
#[derive(Clone, Debug)]
pub(crate) struct Landscape {
    pub(crate) program: Program,
    pub(crate) guide: Guide,
    cones: Vec<Cone>,
    /// The conjunct whose cost a node is, or `u32::MAX`.
    conjunct_of: Vec<u32>,
}

impl Landscape {
    /// Finds what depends on every variable; `None` if that takes more than so many bytes.
    pub(crate) fn new(program: Program, guide: Guide, memory: usize) -> Option<Landscape> {
        let live_costs = live_costs(&guide);
        let live = live_registers(&program, &guide, &live_costs);
        let readers = program.readers();
        let mut cost_readers: Vec<Vec<CostId>> = vec![Vec::new(); guide.nodes.len()];
        let mut literals_of: Vec<Vec<CostId>> = vec![Vec::new(); program.code.len()];
        for (id, node) in guide.nodes.iter().enumerate().filter(|(id, _)| live_costs[*id]) {
            match *node {
                Cost::Sum(a, b) | Cost::Min(a, b) => {
                    cost_readers[a as usize].push(id as CostId);
                    cost_readers[b as usize].push(id as CostId);
                }
                Cost::Literal(literal) => {
                    literals_of[literal.a as usize].push(id as CostId);
                    literals_of[literal.b as usize].push(id as CostId);
                }
                Cost::Holds | Cost::Never => {}
            }
        }
        let mut conjunct_of = vec![u32::MAX; guide.nodes.len()];
        for (conjunct, &root) in guide.roots.iter().enumerate() {
            conjunct_of[root as usize] = conjunct as u32;
        }
        let mut cones = Vec::with_capacity(program.vars.len());
        let mut size = 0usize;
        for var in 0..program.vars.len() as Var {
            let mut regs = closure(vec![var], &readers);
            regs.retain(|&r| live[r as usize]);
            let first: Vec<CostId> =
                regs.iter().flat_map(|&r| literals_of[r as usize].iter().copied()).collect();
            let costs = closure(first, &cost_readers);
            regs.retain(|&r| r != var);
            size += 4 * (regs.len() + costs.len());
            if size > memory {
                return None;
            }
            let conjuncts = costs.iter().filter(|&&c| conjunct_of[c as usize] != u32::MAX).count() as u64;
            cones.push(Cone { regs, costs, conjuncts });
        }
        Some(Landscape { program, guide, cones, conjunct_of })
    }
}

fn live_costs(guide: &Guide) -> Vec<bool> {
    let mut live = vec![false; guide.nodes.len()];
    guide.roots.iter().for_each(|&r| live[r as usize] = true);
    for id in (0..live.len()).rev() {
        if let (true, Cost::Sum(a, b) | Cost::Min(a, b)) = (live[id], guide.nodes[id]) {
            live[a as usize] = true;
            live[b as usize] = true;
        }
    }
    live
}

/// The registers that a comparison needs; the connectives above them live in the cost DAG.
fn live_registers(program: &Program, guide: &Guide, live_costs: &[bool]) -> Vec<bool> {
    let mut live = vec![false; program.code.len()];
    for (node, _) in guide.nodes.iter().zip(live_costs).filter(|(_, live)| **live) {
        if let Cost::Literal(literal) = node {
            live[literal.a as usize] = true;
            live[literal.b as usize] = true;
        }
    }
    for reg in (0..live.len()).rev() {
        if live[reg] {
            program.code[reg].operands().for_each(|r| live[r as usize] = true);
        }
    }
    live
}

/// Everything that reads from the first ones, directly or not, in ascending order.
fn closure(first: Vec<u32>, readers: &[Vec<u32>]) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = first;
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            found.push(node);
            stack.extend_from_slice(&readers[node as usize]);
        }
    }
    found.sort_unstable();
    found
}

/// A point, with a log by which the last changes can be taken back.
#[derive(Clone, Debug)]
pub(crate) struct State<'l> {
    pub(crate) landscape: &'l Landscape,
    registers: Registers,
    costs: Vec<u64>,
    weights: Vec<u32>,
    total: u128,
    point: u64,
    log: Log,
    /// How many conjuncts' costs were computed.
    pub(crate) evaluations: u64,
}

#[derive(Clone, Debug, Default)]
struct Log {
    registers: Vec<(Reg, i64)>,
    costs: Vec<(CostId, u64)>,
    /// Total, point and length of the pool before the first change.
    before: Option<(u128, u64, usize)>,
}

impl<'l> State<'l> {
    /// All variables zero and all weights one.
    pub(crate) fn new(landscape: &'l Landscape) -> State<'l> {
        let mut state = State {
            landscape,
            registers: Registers::new(&landscape.program),
            costs: vec![0; landscape.guide.nodes.len()],
            weights: vec![1; landscape.guide.roots.len()],
            total: 0,
            point: 0,
            log: Log::default(),
            evaluations: 0,
        };
        for var in 0..landscape.program.vars.len() {
            state.point ^= share(var, 0);
        }
        for id in 0..state.costs.len() {
            state.costs[id] = state.compute_cost(id as CostId);
        }
        state.sum_up();
        state
    }

    /// The weighted cost; zero at a solution.
    #[inline]
    pub(crate) fn total(&self) -> u128 {
        self.total
    }

    /// The cost if all conjuncts weighed the same.
    pub(crate) fn unweighted(&self) -> u128 {
        self.landscape.guide.roots.iter().map(|&root| u128::from(self.costs[root as usize])).sum()
    }

    /// The bits that tell this point from others.
    #[inline]
    pub(crate) fn point(&self) -> u64 {
        self.point
    }

    /// The value of a variable, if it fits in 128 bits (all that moves write do).
    #[inline]
    pub(crate) fn value(&self, var: Var) -> i128 {
        self.registers.small(var).expect("variables are written as 128-bit numbers")
    }

    /// The value of a register, if it has one that is not far out of reach.
    #[inline]
    pub(crate) fn small(&self, reg: Reg) -> Option<i128> {
        self.registers.small(reg).filter(|v| (-FAR..=FAR).contains(v))
    }

    /// The cost of a node.
    #[inline]
    pub(crate) fn cost(&self, id: CostId) -> u64 {
        self.costs[id as usize]
    }

    /// The conjuncts that do not hold.
    pub(crate) fn violated(&self) -> impl Iterator<Item = Conjunct> + '_ {
        let roots = &self.landscape.guide.roots;
        (0..roots.len()).filter(|&c| self.costs[roots[c] as usize] > 0)
    }

    /// The weight of a conjunct.
    pub(crate) fn weight(&self, conjunct: Conjunct) -> u32 {
        self.weights[conjunct]
    }

    /// How much work it is to change a variable.
    #[inline]
    pub(crate) fn effort(&self, var: Var) -> u32 {
        let cone = &self.landscape.cones[var as usize];
        (1 + (cone.regs.len() + cone.costs.len()) / 32) as u32
    }

    /// Changes a variable.
    pub(crate) fn set(&mut self, var: Var, value: i128) {
        let before = (self.total, self.point, self.registers.pool_len());
        self.log.before.get_or_insert(before);
        self.point ^= share(var as usize, self.value(var)) ^ share(var as usize, value);
        self.log.registers.push((var, self.registers.raw(var)));
        self.registers.begin();
        self.registers.write(var, value);
        let landscape = self.landscape;
        let cone = &landscape.cones[var as usize];
        for &reg in &cone.regs {
            if let Some(old) = self.registers.refresh(&landscape.program, reg) {
                self.log.registers.push((reg, old));
            }
        }
        self.evaluations += cone.conjuncts;
        for &id in &cone.costs {
            if let Cost::Literal(Literal { a, b, .. }) = landscape.guide.nodes[id as usize]
                && !self.registers.has_changed(a)
                && !self.registers.has_changed(b)
            {
                continue;
            }
            let new = self.compute_cost(id);
            let old = self.costs[id as usize];
            let conjunct = landscape.conjunct_of[id as usize];
            if new != old {
                self.log.costs.push((id, old));
                self.costs[id as usize] = new;
                if conjunct != u32::MAX {
                    let weight = u128::from(self.weights[conjunct as usize]);
                    self.total = self.total + weight * u128::from(new) - weight * u128::from(old);
                }
            }
        }
    }

    /// Takes back all changes since the last [`State::keep`] or [`State::undo`].
    pub(crate) fn undo(&mut self) {
        let Some((total, point, pool)) = self.log.before.take() else { return };
        while let Some((reg, raw)) = self.log.registers.pop() {
            self.registers.restore(reg, raw);
        }
        while let Some((id, cost)) = self.log.costs.pop() {
            self.costs[id as usize] = cost;
        }
        (self.total, self.point) = (total, point);
        self.registers.shrink_pool(pool);
    }

    /// Makes the changes final.
    pub(crate) fn keep(&mut self) {
        self.log.before = None;
        self.log.registers.clear();
        self.log.costs.clear();
        self.registers.collect();
    }

    /// Moves to another point at once.
    pub(crate) fn jump(&mut self, values: &[i128]) {
        self.keep();
        self.point = 0;
        for (var, &value) in values.iter().enumerate() {
            self.registers.write(var as Reg, value);
            self.point ^= share(var, value);
        }
        self.registers.run(&self.landscape.program);
        for id in 0..self.costs.len() {
            self.costs[id] = self.compute_cost(id as CostId);
        }
        self.evaluations += self.weights.len() as u64;
        self.sum_up();
        self.keep();
    }

    /// The values of all variables.
    pub(crate) fn values(&self) -> Vec<i128> {
        (0..self.landscape.program.vars.len() as Var).map(|v| self.value(v)).collect()
    }

    /// Gives every conjunct a new weight.
    pub(crate) fn reweigh(&mut self, mut weight: impl FnMut(Conjunct, bool, u32) -> u32) {
        for conjunct in 0..self.weights.len() {
            let violated = self.costs[self.landscape.guide.roots[conjunct] as usize] > 0;
            self.weights[conjunct] = weight(conjunct, violated, self.weights[conjunct]);
        }
        self.sum_up();
    }

    fn sum_up(&mut self) {
        let roots = self.landscape.guide.roots.iter();
        self.total = roots
            .zip(&self.weights)
            .map(|(&root, &weight)| u128::from(weight) * u128::from(self.costs[root as usize]))
            .sum();
    }

    #[inline]
    fn compute_cost(&self, id: CostId) -> u64 {
        match self.landscape.guide.nodes[id as usize] {
            Cost::Literal(literal) => self.literal_cost(literal),
            Cost::Sum(a, b) => self.costs[a as usize].saturating_add(self.costs[b as usize]),
            Cost::Min(a, b) => self.costs[a as usize].min(self.costs[b as usize]),
            Cost::Holds => 0,
            Cost::Never => UNDEFINED,
        }
    }

    #[inline]
    fn literal_cost(&self, literal: Literal) -> u64 {
        let (Number::Small(a), Number::Small(b)) =
            (self.registers.number(literal.a), self.registers.number(literal.b))
        else {
            return self.big_literal_cost(literal);
        };
        let distance = match literal.relation {
            Relation::Le if a <= b => return 0,
            Relation::Lt if a < b => return 0,
            Relation::Eq if a == b => return 0,
            Relation::Ne if a != b => return 0,
            Relation::Le | Relation::Eq => a.abs_diff(b) as f64,
            Relation::Lt => a.abs_diff(b) as f64 + 1.0,
            Relation::Ne => 1.0,
        };
        cost_of_distance(distance)
    }

    #[cold]
    fn big_literal_cost(&self, literal: Literal) -> u64 {
        let (Some(a), Some(b)) = (self.registers.integer(literal.a), self.registers.integer(literal.b))
        else {
            return UNDEFINED;
        };
        let holds = match literal.relation {
            Relation::Le => a <= b,
            Relation::Lt => a < b,
            Relation::Eq => a == b,
            Relation::Ne => a != b,
        };
        let (Approximation::Exact(distance) | Approximation::Inexact(distance, _)) = (a - b).to_f64();
        if holds { 0 } else { cost_of_distance(distance.abs()) }
    }
}
