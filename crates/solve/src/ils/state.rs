//! A point of the search: the variables' values, everything computed from them, and its weighted cost. Changing a
//! variable recomputes only what depends on it, and can be taken back; looking at a neighbour changes nothing.

use super::batch::{Rows, Seen, ValueRow, WIDTH};
use super::guide::{Cost, CostId, Literal, Relation, UNDEFINED, cost_of_distance};
use super::landscape::{Landscape, NO_CONJUNCT};
use super::lane::Cell;
use super::machine::{Number, Registers};
use super::problem::FAR;
use super::program::{Reg, Var};
use super::sweep::Track;
use super::tabu::share;
use crate::tuning::ils_state::FEW;
use dashu_base::Approximation;

/// A conjunct: a root of the cost DAG.
pub(crate) type Conjunct = usize;

/// A point, with a log by which the last changes can be taken back.
#[derive(Clone, Debug)]
pub(crate) struct SearchPoint<'l> {
    pub(crate) landscape: &'l Landscape,
    registers: Registers,
    /// The costs, and their shadows behind them.
    costs: Vec<u64>,
    weights: Vec<u32>,
    total: u128,
    point: u64,
    log: Log,
    rows: Rows,
    /// How many conjuncts' costs were computed.
    pub(crate) evaluations: u64,
}

/// Some values as a row; those that do not fit are looked at one by one anyway.
fn row(values: &[i128]) -> ValueRow {
    std::array::from_fn(|k| {
        values.get(k).or(values.first()).and_then(|&v| i64::try_from(v).ok()).unwrap_or(0)
    })
}

#[derive(Clone, Debug, Default)]
struct Log {
    registers: Vec<(Reg, i64)>,
    costs: Vec<(CostId, u64)>,
    /// Total, point and length of the pool before the first change.
    before: Option<(u128, u64, usize)>,
}

impl<'l> SearchPoint<'l> {
    /// All variables zero and all weights one.
    pub(crate) fn new(landscape: &'l Landscape) -> SearchPoint<'l> {
        let mut state = SearchPoint {
            landscape,
            registers: Registers::new(&landscape.program),
            costs: vec![0; 2 * landscape.guide.nodes.len()],
            weights: vec![1; landscape.guide.roots.len()],
            total: 0,
            point: 0,
            log: Log::default(),
            rows: Rows::default(),
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

    /// The total if a variable had another value.
    #[inline]
    pub(crate) fn probe(&mut self, var: Var, value: i128) -> u128 {
        let pool = self.registers.pool_len();
        let total = self.look(var, value);
        self.registers.shrink_pool(pool);
        total
    }

    /// The totals if a variable had other values.
    pub(crate) fn probe_all(&mut self, var: Var, values: &[i128], totals: &mut Vec<u128>) {
        for values in values.chunks(WIDTH) {
            // A few values are computed one by one in less time than together.
            let seen = (values.len() >= FEW).then(|| self.look_at_all(var, values));
            for (k, &value) in values.iter().enumerate() {
                let total = seen.as_ref().and_then(|seen| seen.total(k));
                totals.push(total.unwrap_or_else(|| self.probe(var, value)));
            }
        }
    }

    /// Computes at once what depends on a variable for several values, of which there are at most [`WIDTH`].
    fn look_at_all(&mut self, var: Var, values: &[i128]) -> Seen {
        let landscape = self.landscape;
        self.evaluations += landscape.cones[var as usize].conjuncts * values.len() as u64;
        let (batch, rows) = (landscape.batch(var), &mut self.rows);
        let mut seen = batch.look(&self.registers, &self.costs, &self.weights, self.total, row(values), rows);
        seen.keep(|k| values.get(k).is_some_and(|&value| i64::try_from(value).is_ok()));
        seen
    }

    /// For several values of a variable the difference of a comparison's sides, as far as it is within reach, and the
    /// total.
    pub(crate) fn probe_differences(
        &mut self,
        var: Var,
        values: &[i128],
        literal: Literal,
        found: &mut Vec<(Option<i128>, u128)>,
    ) {
        let landscape = self.landscape;
        let cells = [literal.a, literal.b]
            .map(|side| landscape.cones[var as usize].lane.cell(&landscape.program, side));
        for values in values.chunks(WIDTH) {
            let seen = (values.len() >= FEW).then(|| self.look_at_all(var, values));
            for (k, &value) in values.iter().enumerate() {
                found.push(match seen.as_ref().and_then(|seen| seen.total(k)) {
                    Some(total) => {
                        let places = cells.map(|cell| landscape.batch(var).place(cell));
                        let [a, b] = places.map(|place| i128::from(self.rows.numbers[place][k]));
                        (Some(a - b), total)
                    }
                    None => self.probe_difference(var, value, cells),
                });
            }
        }
    }

    /// The same for one value and the cells of a comparison.
    fn probe_difference(&mut self, var: Var, value: i128, cells: [Cell; 2]) -> (Option<i128>, u128) {
        let pool = self.registers.pool_len();
        let total = self.look(var, value);
        let [a, b] = cells.map(|cell| self.small(cell));
        self.registers.shrink_pool(pool);
        (a.zip(b).map(|(a, b)| a - b), total)
    }

    /// The bits of the point at which a variable has another value.
    #[inline]
    pub(crate) fn point_with(&self, var: Var, value: i128) -> u64 {
        self.point ^ share(var as usize, self.value(var)) ^ share(var as usize, value)
    }

    /// Tells those of some values, of which there are at most [`WIDTH`] at a time, for which the sides of a track agree.
    pub(crate) fn agreeing(&mut self, track: &Track, places: &[i128], found: &mut Vec<i128>) {
        let mut rows = std::mem::take(&mut self.rows);
        let fits = track.batch.fill(&self.registers, &mut rows.numbers);
        for values in places.chunks(WIDTH) {
            let seen = if fits { track.batch.agree(row(values), &mut rows.numbers) } else { [None; WIDTH] };
            for (&value, seen) in values.iter().zip(seen) {
                let seen = seen.filter(|_| i64::try_from(value).is_ok());
                if seen.unwrap_or_else(|| self.agree(track, value)) {
                    found.push(value);
                }
            }
        }
        self.rows = rows;
    }

    /// Whether the sides of a track agree if its variable had another value.
    fn agree(&mut self, track: &Track, value: i128) -> bool {
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

    /// Computes the shadows of all that depends on a variable; the total is theirs.
    #[inline]
    fn look(&mut self, var: Var, value: i128) -> u128 {
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
        total
    }

    /// Changes a variable.
    pub(crate) fn set(&mut self, var: Var, value: i128) {
        let before = (self.total, self.point, self.registers.pool_len());
        self.log.before.get_or_insert(before);
        self.point = self.point_with(var, value);
        self.total = self.look(var, value);
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

    /// Takes back all changes since the last [`SearchPoint::keep`] or [`SearchPoint::undo`].
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
        literal.relation.cost(a, b)
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
        if holds {
            return 0;
        }
        let (Approximation::Exact(distance) | Approximation::Inexact(distance, _)) = (a - b).to_f64();
        cost_of_distance(match literal.relation {
            Relation::Le | Relation::Eq => distance.abs(),
            Relation::Lt => distance.abs() + 1.0,
            Relation::Ne => 1.0,
        })
    }
}
