//! Simulated annealing with basin hopping and restarts over the cells of a program (Zhang et al. 2020, Section 3.4, after XSat).
//!
//! The cost is the weighted sum of the conjuncts' distances. A basin is explored by random and computed moves on cells
//! that some failing conjunct depends on, accepted as Metropolis says while the temperature falls, then by steps of
//! halving size along every such cell until none improves. Some moves are chains: what a move breaks is repaired by computed moves
//! of other cells before all of them are judged together. From that local minimum the search hops: failing conjuncts get
//! heavier, a few cells are thrown elsewhere, and a basin that is worse than the last is kept only by chance.
//! After enough basins without progress everything starts anew.

use super::invert::Inverter;
use super::layout::Layout;
use super::machine::Machine;
use super::moves::Palette;
use super::program::{Cell, Program};
use super::zeros::Zeros;
use crate::engine::Budget;
use crate::tuning::anneal_search::{COLD, HEAVIER, HOT, MAX_ALIKE, MAX_CHAIN, MAX_SWEPT, PATIENCE};
use random::Rng;
use rustc_hash::{FxHashMap, FxHasher};
use smt::{FunId, Terms, Value};
use std::hash::Hasher;

/// What the search did so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    pub(super) evaluations: u64,
    pub(super) moves: u64,
    pub(super) restarts: u64,
    pub(super) basins: u64,
}

/// Where a basin ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// All conjuncts hold.
    Solved,
    /// A local minimum.
    Minimum,
    /// The budget is used up.
    Exhausted,
}

/// A search under way.
pub(super) struct Search {
    pub(super) program: Program,
    pub(super) machine: Machine,
    /// The constants of a choice that is searched for besides the query's own.
    pub(super) zeros: Option<Zeros>,
    layout: Layout,
    palettes: Vec<Palette>,
    /// The palette of each cell, and the cells of each palette.
    palette_of: Vec<u32>,
    peers: Vec<Vec<u32>>,
    weights: Vec<f64>,
    /// The distance of every conjunct.
    distances: Vec<f64>,
    failing: IndexSet,
    cost: f64,
    rng: Rng,
    /// The lowest plain sum of distances since the last restart, and basins since.
    best: f64,
    stale: u32,
    /// The last accepted minimum.
    anchor: Option<(f64, Vec<u64>)>,
    /// The lowest plain sum of distances at all, and the values of the symbols there.
    nearest: (f64, Vec<(FunId, Value)>),
    pub(super) counters: Counters,
    scratch: Vec<(u32, f64)>,
    broken: Vec<u32>,
    /// The values of the cells to begin with, if they are not zeros.
    near: Vec<u64>,
}

impl Search {
    /// A search that has not begun.
    pub(super) fn new(
        program: Program,
        machine: Machine,
        zeros: Option<Zeros>,
        seed: u64,
        near: &[(FunId, Value)],
    ) -> Search {
        let layout = Layout::new(&program);
        let near = if near.is_empty() { Vec::new() } else { super::near::cells(&program, &layout, near) };
        let mut index: FxHashMap<(super::program::Kind, Option<u32>), u32> = FxHashMap::default();
        let (mut palettes, mut palette_of, mut peers) = (Vec::new(), Vec::new(), Vec::<Vec<u32>>::new());
        for (i, &Cell { kind, read_as, .. }) in program.cells.iter().enumerate() {
            let palette = *index.entry((kind, read_as)).or_insert_with(|| {
                palettes.push(Palette::new(&program, kind, read_as));
                peers.push(Vec::new());
                palettes.len() as u32 - 1
            });
            palette_of.push(palette);
            peers[palette as usize].push(i as u32);
        }
        let roots = program.roots.len();
        Search {
            layout,
            machine,
            zeros,
            palettes,
            palette_of,
            peers,
            weights: vec![1.0; roots],
            distances: vec![0.0; roots],
            failing: IndexSet::new(roots),
            cost: 0.0,
            rng: Rng::named(seed, "anneal"),
            best: f64::INFINITY,
            stale: 0,
            anchor: None,
            nearest: (f64::INFINITY, Vec::new()),
            counters: Counters::default(),
            scratch: Vec::new(),
            broken: Vec::new(),
            near,
            program,
        }
    }

    /// Bytes that the search takes, roughly.
    pub(super) fn size(&self) -> usize {
        self.machine.size() + self.program.instrs.len() * 64
    }

    /// Whether the search has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.counters.restarts > 0
    }

    /// The symbol that a cell is, if it is one whose values a sweep sees all.
    pub(super) fn narrow_symbol(&self, cell: u32) -> Option<FunId> {
        let slot = self.program.cells[cell as usize].slot;
        let symbol = self.program.symbols.iter().find(|symbol| symbol.1 == slot)?;
        self.palette(cell).is_narrow().then_some(symbol.0)
    }

    /// Whether it began at an assignment that was given.
    pub(super) fn is_near(&self) -> bool {
        !self.near.is_empty()
    }

    /// Starts anew: first at zero or where it was told to, later at random.
    pub(super) fn restart(&mut self, terms: &Terms) {
        let first = !self.has_begun();
        self.counters.restarts += 1;
        for cell in 0..self.program.cells.len() {
            let value = match first {
                true => self.near.get(cell).copied().unwrap_or(0),
                false => self.palettes[self.palette_of[cell] as usize].initial(&mut self.rng),
            };
            self.machine.set_cell(self.program.cells[cell].slot, value);
        }
        self.weights.fill(1.0);
        self.best = f64::INFINITY;
        self.stale = 0;
        self.anchor = None;
        self.evaluate_all(terms);
    }

    /// Computes what only models need.
    pub(super) fn settle(&mut self, terms: &Terms) {
        for &i in self.layout.idle() {
            self.machine.run(terms, &self.program, &self.program.instrs[i as usize]);
        }
    }

    /// Whether all conjuncts hold.
    pub(super) fn is_solved(&self) -> bool {
        self.failing.list.is_empty()
    }

    /// Looks at all that can become of the cells below failing conjuncts, one at a time, and shows each. Goes to a solution if
    /// it saw one.
    pub(super) fn sweep(
        &mut self,
        terms: &Terms,
        budget: &mut Budget,
        wants: &mut dyn FnMut(&Search, u32) -> bool,
        seen: &mut dyn FnMut(&mut Search),
    ) -> Stop {
        let mut cells = self.failing_cells();
        cells.truncate(MAX_SWEPT);
        cells.retain(|&cell| wants(self, cell));
        let mut solution = None;
        let mut values = Vec::new();
        let mut exhausted = false;
        let mut alike: FxHashMap<u64, u32> = FxHashMap::default();
        'cells: for cell in cells {
            let slot = self.program.cells[cell as usize].slot;
            values.clear();
            alike.clear();
            self.palette(cell).sweep(self.machine.cell(slot), &mut values);
            for &value in &values {
                if !budget.spend(1 + self.layout.cone(cell).len() as u32 / 8) {
                    exhausted = true;
                    break 'cells;
                }
                self.machine.begin();
                self.apply(terms, cell, value);
                if solution.is_none() && self.solves(cell) {
                    solution = Some((cell, value));
                }
                let count = alike.entry(self.pattern(cell)).or_default();
                *count += 1;
                if *count <= MAX_ALIKE || count.is_power_of_two() {
                    seen(self);
                }
                self.machine.take_back();
            }
        }
        if let Some((cell, value)) = solution {
            self.try_move(terms, cell, value, f64::INFINITY);
        }
        match self.is_solved() {
            true => Stop::Solved,
            false if exhausted => Stop::Exhausted,
            false => Stop::Minimum,
        }
    }

    /// Tells which conjuncts on a cell hold from those that do not.
    fn pattern(&self, cell: u32) -> u64 {
        let mut hasher = FxHasher::default();
        for &root in self.layout.touched(cell) {
            hasher.write_u8(self.machine.gap(self.program.roots[root as usize]).is_true().into());
        }
        hasher.finish()
    }

    /// Whether all conjuncts hold now that a cell was given a value which is not judged yet.
    fn solves(&self, cell: u32) -> bool {
        let touched = self.layout.touched(cell);
        let holds = |root: u32| self.machine.gap(self.program.roots[root as usize]).is_true();
        touched.iter().all(|&root| holds(root))
            && self.failing.list.iter().all(|root| touched.binary_search(root).is_ok())
    }

    /// Explores one basin, to a local minimum.
    pub(super) fn basin(
        &mut self,
        terms: &Terms,
        budget: &mut Budget,
        improved: &mut dyn FnMut(&mut Search),
    ) -> Stop {
        self.counters.basins += 1;
        self.reweigh();
        let steps = 150 + 50 * self.program.cells.len().min(200) as u32;
        let cooling = (COLD / HOT).powf(1.0 / f64::from(steps));
        let mut temperature = HOT;
        let mut lowest = self.cost;
        for _ in 0..steps {
            if self.is_solved() {
                return Stop::Solved;
            }
            let Some((cell, value)) = self.propose() else { return Stop::Minimum };
            if !budget.spend(1 + self.layout.cone(cell).len() as u32 / 8) {
                return Stop::Exhausted;
            }
            let moves = self.counters.moves;
            if self.rng.one_in(3) {
                self.try_chain(terms, cell, value, temperature);
            } else {
                self.try_move(terms, cell, value, temperature);
            }
            temperature *= cooling;
            let better = self.cost < lowest;
            lowest = lowest.min(self.cost);
            if better || self.is_near() && self.counters.moves > moves {
                improved(self);
            }
        }
        self.descend(terms, budget)
    }

    /// Steps of halving size along every cell that a failing conjunct depends on, until none improves.
    fn descend(&mut self, terms: &Terms, budget: &mut Budget) -> Stop {
        loop {
            let before = self.cost;
            for cell in self.failing_cells() {
                let mut stride = self.palette(cell).strides();
                while stride > 0 {
                    let cost = self.cost;
                    for sign in [1, -1] {
                        if self.is_solved() {
                            return Stop::Solved;
                        }
                        if !budget.spend(1 + self.layout.cone(cell).len() as u32 / 8) {
                            return Stop::Exhausted;
                        }
                        let now = self.machine.cell(self.program.cells[cell as usize].slot);
                        let next = self.palette(cell).step(now, sign << (stride - 1));
                        self.try_move(terms, cell, next, 0.0);
                    }
                    if self.cost >= cost {
                        stride -= 1;
                    }
                }
            }
            if self.is_solved() {
                return Stop::Solved;
            }
            if self.cost >= before - 1e-12 {
                return Stop::Minimum;
            }
        }
    }

    /// How near the search came, and the values of the symbols there; none before the first minimum.
    pub(super) fn nearest(&self) -> (f64, &[(FunId, Value)]) {
        (self.nearest.0, &self.nearest.1)
    }

    /// Leaves a local minimum.
    pub(super) fn hop(&mut self, terms: &Terms) {
        let plain: f64 = self.distances.iter().sum();
        if plain < self.best - 1e-12 {
            self.best = plain;
            self.stale = 0;
            if plain < self.nearest.0 {
                self.settle(terms);
                self.nearest = (plain, super::model::values(self));
            }
        } else {
            self.stale += 1;
        }
        if self.stale > PATIENCE + self.program.cells.len().min(100) as u32 / 4 {
            self.restart(terms);
            return;
        }
        for &root in &self.failing.list {
            self.weights[root as usize] += HEAVIER;
        }
        // A worse basin than the last one is left for it, mostly.
        match self.anchor.take() {
            Some((cost, cells)) if plain > cost && self.rng.unit() >= ((cost - plain) / HOT).exp() => {
                for (cell, &value) in self.program.cells.iter().zip(&cells) {
                    self.machine.set_cell(cell.slot, value);
                }
                self.evaluate_all(terms);
                self.anchor = Some((cost, cells));
            }
            _ => {
                let cells = self.program.cells.iter().map(|c| self.machine.cell(c.slot)).collect();
                self.anchor = Some((plain, cells));
            }
        }
        self.reweigh();
        for _ in 0..1 + self.rng.below(3) {
            let Some(cell) = self.failing_cell() else { return };
            let value = self.palettes[self.palette_of[cell as usize] as usize].initial(&mut self.rng);
            self.try_move(terms, cell, value, f64::INFINITY);
        }
    }

    fn palette(&self, cell: u32) -> &Palette {
        &self.palettes[self.palette_of[cell as usize] as usize]
    }

    /// All cells that some failing conjunct depends on.
    fn failing_cells(&self) -> Vec<u32> {
        let support = |&root: &u32| self.layout.support(root).iter().copied();
        let mut cells: Vec<u32> = self.failing.list.iter().flat_map(support).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// A cell that some failing conjunct depends on.
    fn failing_cell(&mut self) -> Option<u32> {
        if self.failing.list.is_empty() {
            return None;
        }
        let root = self.rng.pick(&self.failing.list);
        let support = self.layout.support(root);
        if support.is_empty() { None } else { Some(self.rng.pick(support)) }
    }

    /// A cell and another value for it.
    fn propose(&mut self) -> Option<(u32, u64)> {
        if self.rng.one_in(3) {
            let root = self.rng.pick(&self.failing.list);
            if let Some(computed) = self.invert(root) {
                return Some(computed);
            }
        }
        let cell = self.failing_cell()?;
        let palette = self.palette_of[cell as usize] as usize;
        let peer = self.rng.pick(&self.peers[palette]);
        let peer = (peer != cell).then(|| self.machine.cell(self.program.cells[peer as usize].slot));
        let now = self.machine.cell(self.program.cells[cell as usize].slot);
        Some((cell, self.palettes[palette].neighbour(&mut self.rng, now, peer)))
    }

    /// Gives a cell a value; keeps it if Metropolis accepts the new cost.
    fn try_move(&mut self, terms: &Terms, cell: u32, value: u64, temperature: f64) {
        let slot = self.program.cells[cell as usize].slot;
        if self.machine.cell(slot) == value {
            return;
        }
        self.machine.begin();
        self.apply(terms, cell, value);
        self.judge(&[cell], temperature);
    }

    /// Gives a cell a value, then repairs what this broke by computed moves of other cells, and judges all of it together:
    /// conjuncts that share cells can only be moved along like this.
    fn try_chain(&mut self, terms: &Terms, cell: u32, value: u64, temperature: f64) {
        self.machine.begin();
        self.apply(terms, cell, value);
        let mut cells = vec![cell];
        while cells.len() < MAX_CHAIN
            && let Some((repairing, value)) = self.repair(&cells)
        {
            self.apply(terms, repairing, value);
            cells.push(repairing);
        }
        self.judge(&cells, temperature);
    }

    /// A move for a conjunct that held before these cells were moved, by another cell.
    fn repair(&mut self, moved: &[u32]) -> Option<(u32, u64)> {
        self.broken.clear();
        for &cell in moved {
            for &root in self.layout.touched(cell) {
                let holds = self.machine.gap(self.program.roots[root as usize]).is_true();
                if !holds && self.distances[root as usize] == 0.0 {
                    self.broken.push(root);
                }
            }
        }
        if self.broken.is_empty() {
            return None;
        }
        let root = self.rng.pick(&self.broken);
        (0..3).find_map(|_| self.invert(root).filter(|(cell, _)| !moved.contains(cell)))
    }

    /// A computed move towards the truth of a conjunct.
    fn invert(&mut self, root: u32) -> Option<(u32, u64)> {
        let mut inverter = Inverter {
            program: &self.program,
            layout: &self.layout,
            machine: &self.machine,
            rng: &mut self.rng,
        };
        let (cell, value) = inverter.propose(self.program.roots[root as usize])?;
        Some((cell, self.palette(cell).fitted(value)))
    }

    fn apply(&mut self, terms: &Terms, cell: u32, value: u64) {
        self.counters.evaluations += 1;
        self.machine.set_cell(self.program.cells[cell as usize].slot, value);
        for &i in self.layout.cone(cell) {
            self.machine.run(terms, &self.program, &self.program.instrs[i as usize]);
        }
    }

    /// Keeps or takes back the moves of these cells, as Metropolis says.
    fn judge(&mut self, cells: &[u32], temperature: f64) {
        let mut change = 0.0;
        self.scratch.clear();
        for (i, &cell) in cells.iter().enumerate() {
            for &root in self.layout.touched(cell) {
                // Each conjunct counts once.
                if i > 0 && cells[..i].iter().any(|&c| self.layout.touched(c).binary_search(&root).is_ok()) {
                    continue;
                }
                let distance = self.machine.gap(self.program.roots[root as usize]).to_true;
                change += self.weights[root as usize] * (distance - self.distances[root as usize]);
                self.scratch.push((root, distance));
            }
        }
        let accepted = change < 0.0
            || (temperature > 0.0 && (change == 0.0 || self.rng.unit() < (-change / temperature).exp()));
        if !accepted {
            self.machine.take_back();
            return;
        }
        self.machine.keep();
        self.counters.moves += cells.len() as u64;
        self.cost += change;
        for &(root, distance) in &self.scratch {
            self.distances[root as usize] = distance;
            self.failing.set(root, distance != 0.0);
        }
    }

    fn evaluate_all(&mut self, terms: &Terms) {
        self.counters.evaluations += 1;
        for &i in self.layout.live() {
            self.machine.run(terms, &self.program, &self.program.instrs[i as usize]);
        }
        for (root, &register) in self.program.roots.iter().enumerate() {
            self.distances[root] = self.machine.gap(register).to_true;
            self.failing.set(root as u32, self.distances[root] != 0.0);
        }
        self.reweigh();
    }

    /// The cost from scratch: differences add up errors of rounding.
    fn reweigh(&mut self) {
        self.cost = self.distances.iter().zip(&self.weights).map(|(d, w)| d * w).sum();
    }
}

/// A set of small numbers that can be drawn from.
struct IndexSet {
    list: Vec<u32>,
    position: Vec<u32>,
}

impl IndexSet {
    fn new(n: usize) -> IndexSet {
        IndexSet { list: Vec::new(), position: vec![u32::MAX; n] }
    }

    #[inline]
    fn set(&mut self, i: u32, member: bool) {
        let at = self.position[i as usize];
        match (member, at != u32::MAX) {
            (true, false) => {
                self.position[i as usize] = self.list.len() as u32;
                self.list.push(i);
            }
            (false, true) => {
                self.list.swap_remove(at as usize);
                if let Some(&moved) = self.list.get(at as usize) {
                    self.position[moved as usize] = at;
                }
                self.position[i as usize] = u32::MAX;
            }
            _ => {}
        }
    }
}
