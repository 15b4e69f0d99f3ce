//! A point of the search: the variables' values, everything computed from them, and its weighted cost. Changing a
//! variable recomputes only what depends on it, and can be taken back; looking at a neighbour changes nothing.

use super::guide::{Cost, CostId, Literal, Relation, UNDEFINED, cost_of_distance};
use super::landscape::{Landscape, NO_CONJUNCT};
use super::machine::{Number, Registers};
use super::problem::FAR;
use super::program::{Reg, Var};
use super::sweep::Track;
use super::tabu::share;
use dashu_base::Approximation;

/// A conjunct: a root of the cost DAG.
pub(crate) type Conjunct = usize;

/// A point, with a log by which the last changes can be taken back.
#[derive(Clone, Debug)]
pub(crate) struct State<'l> {
    pub(crate) landscape: &'l Landscape,
    registers: Registers,
    /// The costs, and their shadows behind them.
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
            costs: vec![0; 2 * landscape.guide.nodes.len()],
            weights: vec![1; landscape.guide.roots.len()],
            total: 0,
            point: 0,
            log: Log::default(),
            evaluations: 0,
        };
        for var in 0..landscape.program.vars.len() {
            state.point ^= share(var, 0);
        }
        state.compute_costs();
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
        (1 + (cone.lane.steps.len() + cone.costs.len()) / 32) as u32
    }

    /// The total and the point if a variable had another value.
    #[inline]
    pub(crate) fn probe(&mut self, var: Var, value: i128) -> (u128, u64) {
        let pool = self.registers.pool_len();
        let seen = self.look(var, value);
        self.registers.shrink_pool(pool);
        seen
    }

    /// The values of two registers, as far as they are within reach, and the total and the point if a variable had
    /// another value.
    pub(crate) fn probe_pair(
        &mut self,
        var: Var,
        value: i128,
        pair: [Reg; 2],
    ) -> (Option<[i128; 2]>, u128, u64) {
        let pool = self.registers.pool_len();
        let (total, point) = self.look(var, value);
        let landscape = self.landscape;
        let lane = &landscape.cones[var as usize].lane;
        let [a, b] = pair.map(|reg| self.small(lane.cell(&landscape.program, reg)));
        self.registers.shrink_pool(pool);
        (a.zip(b).map(|(a, b)| [a, b]), total, point)
    }

    /// Whether the sides of a track agree if its variable had another value.
    #[inline]
    pub(crate) fn agree(&mut self, track: &Track, value: i128) -> bool {
        let pool = self.registers.pool_len();
        self.registers.look(&track.lane, value);
        let [a, b] = track.sides;
        let agree = match (self.registers.number(a), self.registers.number(b)) {
            (Number::Small(a), Number::Small(b)) => a == b,
            (Number::Big(a), Number::Big(b)) => a == b,
            _ => false,
        };
        self.registers.shrink_pool(pool);
        agree
    }

    /// Computes the shadows of all that depends on a variable.
    #[inline]
    fn look(&mut self, var: Var, value: i128) -> (u128, u64) {
        let landscape = self.landscape;
        let cone = &landscape.cones[var as usize];
        let shadows = landscape.guide.nodes.len();
        self.registers.look(&cone.lane, value);
        self.evaluations += cone.conjuncts;
        let mut total = self.total;
        for step in &cone.costs {
            let new = self.compute_cost(step.cost);
            self.costs[shadows + step.to as usize] = new;
            if step.conjunct != NO_CONJUNCT {
                let weight = u128::from(self.weights[step.conjunct as usize]);
                total = total + weight * u128::from(new) - weight * u128::from(self.costs[step.to as usize]);
            }
        }
        (total, self.point ^ share(var as usize, self.value(var)) ^ share(var as usize, value))
    }

    /// Changes a variable.
    pub(crate) fn set(&mut self, var: Var, value: i128) {
        let before = (self.total, self.point, self.registers.pool_len());
        self.log.before.get_or_insert(before);
        (self.total, self.point) = self.look(var, value);
        let landscape = self.landscape;
        let cone = &landscape.cones[var as usize];
        for reg in std::iter::once(var).chain(cone.lane.steps.iter().map(|step| step.to)) {
            if let Some(old) = self.registers.follow(reg) {
                self.log.registers.push((reg, old));
            }
        }
        let shadows = landscape.guide.nodes.len();
        for step in &cone.costs {
            let new = self.costs[shadows + step.to as usize];
            let old = std::mem::replace(&mut self.costs[step.to as usize], new);
            if new != old {
                self.log.costs.push((step.to, old));
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
        self.compute_costs();
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

    fn compute_costs(&mut self) {
        for (id, &node) in self.landscape.guide.nodes.iter().enumerate() {
            self.costs[id] = self.compute_cost(node);
        }
    }

    #[inline]
    fn compute_cost(&self, cost: Cost) -> u64 {
        match cost {
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
