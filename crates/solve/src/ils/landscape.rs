//! A compiled query as the search sees it: the program, its costs, and what has to be computed when a variable changes.

use super::batch::Costs;
use super::guide::{Cost, CostId, Guide, Literal};
use super::lane::Lane;
use super::program::{Program, Var};
use crate::engine::{Budget, Reason};
use std::cell::OnceCell;

/// Bytes that one step of a cone and of its batch takes, roughly.
const STEP_BYTES: usize = 64;

/// What depends on one variable.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    pub(crate) lane: Lane,
    pub(crate) costs: Box<[CostStep]>,
    /// How many of the costs are conjuncts.
    pub(crate) conjuncts: u64,
    /// The same for several values at once, made when it is first asked for.
    batch: OnceCell<Costs>,
}

/// A cost that depends on a variable. As in a [`Lane`], its operands are settled to be the values at the current point or
/// their shadows; the costs' shadows, too, lie behind the costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostStep {
    pub(crate) cost: Cost,
    pub(crate) to: CostId,
    /// The conjunct whose cost this is, or [`NO_CONJUNCT`].
    pub(crate) conjunct: u32,
}

/// Marks costs that are parts of conjuncts only.
pub(crate) const NO_CONJUNCT: u32 = u32::MAX;

/// A program, its costs, and what depends on what.
#[derive(Clone, Debug)]
pub(crate) struct Landscape {
    pub(crate) program: Program,
    pub(crate) guide: Guide,
    pub(crate) cones: Vec<Cone>,
}

impl Landscape {
    /// Finds what depends on every variable, within so many bytes and a budget. What depends on all of them together can be as much as the
    /// square of the query.
    pub(crate) fn new(
        program: Program,
        guide: Guide,
        memory: usize,
        budget: &mut Budget,
    ) -> Result<Landscape, Reason> {
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
        let mut conjunct_of = vec![NO_CONJUNCT; guide.nodes.len()];
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
            let steps = regs.len() + costs.len();
            size += STEP_BYTES * steps;
            if size > memory {
                return Err(Reason::Memory);
            }
            if !budget.spend(u32::try_from(steps).unwrap_or(u32::MAX)) {
                return Err(budget.exhausted().unwrap_or(Reason::Time));
            }
            let lane = Lane::new(&program, var, &regs);
            let costs = settle(&program, &guide, &lane, &costs, &conjunct_of);
            let conjuncts = costs.iter().filter(|step| step.conjunct != NO_CONJUNCT).count() as u64;
            cones.push(Cone { lane, costs, conjuncts, batch: OnceCell::new() });
        }
        Ok(Landscape { program, guide, cones })
    }

    /// What depends on a variable, for several values at once.
    #[inline]
    pub(crate) fn batch(&self, var: Var) -> &Costs {
        let cone = &self.cones[var as usize];
        let make = || Costs::new(&self.program, &cone.lane, &cone.costs, self.guide.nodes.len());
        cone.batch.get_or_init(make)
    }
}

/// Settles for some costs in ascending order where their operands are once a lane has run.
fn settle(
    program: &Program,
    guide: &Guide,
    lane: &Lane,
    costs: &[CostId],
    conjunct_of: &[u32],
) -> Box<[CostStep]> {
    let cell = |id: CostId| match costs.binary_search(&id) {
        Ok(_) => id + guide.nodes.len() as CostId,
        Err(_) => id,
    };
    let step = |&to: &CostId| {
        let cost = match guide.nodes[to as usize] {
            Cost::Literal(Literal { relation, a, b }) => {
                Cost::Literal(Literal { relation, a: lane.cell(program, a), b: lane.cell(program, b) })
            }
            Cost::Sum(a, b) => Cost::Sum(cell(a), cell(b)),
            Cost::Min(a, b) => Cost::Min(cell(a), cell(b)),
            constant @ (Cost::Holds | Cost::Never) => constant,
        };
        CostStep { cost, to, conjunct: conjunct_of[to as usize] }
    };
    costs.iter().map(step).collect()
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
