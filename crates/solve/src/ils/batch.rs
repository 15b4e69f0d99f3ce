//! Batches: the code of a lane, and the costs behind it, for several values of its variable at once.
//!
//! Most of the time of a straight line of cheap instructions goes into finding out which one is next. A batch finds out
//! once for a row of values, and the processor overlaps the work on them. Rows hold 64-bit integers and nothing else: where
//! a value overflows or has no value it is marked, and the machine computes it again on its own.

use super::guide::{Cost, CostId, Literal};
use super::landscape::{CostStep, NO_CONJUNCT};
use super::lane::{Cell, Lane};
use super::machine::Registers;
use super::program::{Code, Program, Reg};
pub(crate) use crate::tuning::ils_batch::WIDTH;
use rustc_hash::FxHashMap;

/// One number for each value of the variable.
pub(crate) type ValueRow = [i64; WIDTH];
/// One cost for each value of the variable.
pub(crate) type CostRow = [u64; WIDTH];

/// One instruction; it writes the row after that of the instruction before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    code: Code,
    a: u32,
    b: u32,
    c: u32,
}

/// A lane over rows.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// Registers that are read but do not depend on the variable: they fill the first rows. The variable is next.
    fixed: Box<[Reg]>,
    steps: Box<[Step]>,
}

/// The row of every cell that a batch reads or writes.
type Places = FxHashMap<Cell, u32>;

impl Batch {
    /// The batch of a lane, with rows for some more cells that are read once it has run.
    fn new(program: &Program, lane: &Lane, read: impl Iterator<Item = Cell>) -> (Batch, Places) {
        let shadows = program.code.len() as Cell;
        let mut places = Places::default();
        let mut fixed = Vec::new();
        let operands =
            |step: &super::lane::LaneStep| [step.a, step.b, step.c].into_iter().take(step.code.arity());
        for cell in lane.steps.iter().flat_map(operands).chain(read).filter(|&cell| cell < shadows) {
            places.entry(cell).or_insert_with(|| {
                fixed.push(cell);
                fixed.len() as u32 - 1
            });
        }
        let written = std::iter::once(lane.var).chain(lane.steps.iter().map(|step| step.to));
        places.extend(written.zip(fixed.len() as u32..).map(|(reg, row)| (reg + shadows, row)));
        let step = |step: &super::lane::LaneStep| {
            let mut rows = [0; 3];
            operands(step).zip(&mut rows).for_each(|(cell, row)| *row = places[&cell]);
            let [a, b, c] = rows;
            // What has one operand reads it twice, so that both rows exist.
            Step { code: step.code, a, b: if step.code.arity() == 1 { a } else { b }, c }
        };
        let steps = lane.steps.iter().map(step).collect();
        (Batch { fixed: fixed.into(), steps }, places)
    }

    /// How many rows there are.
    fn len(&self) -> usize {
        self.fixed.len() + 1 + self.steps.len()
    }

    /// Fills the rows that stay the same while the variable moves; false if one of them does not fit.
    fn fill(&self, registers: &Registers, rows: &mut Vec<ValueRow>) -> bool {
        rows.resize(rows.len().max(self.len()), [0; WIDTH]);
        self.fixed.iter().zip(rows).all(|(&reg, row)| match registers.word(reg) {
            Some(word) => {
                *row = [word; WIDTH];
                true
            }
            None => false,
        })
    }

    /// Computes all rows; where the mark is negative what is in them means nothing.
    fn run(&self, values: ValueRow, rows: &mut [ValueRow]) -> ValueRow {
        let mut marks = [0; WIDTH];
        let first = self.fixed.len();
        rows[first] = values;
        for (step, to) in self.steps.iter().zip(first + 1..) {
            let (done, rest) = rows.split_at_mut(to);
            let (x, y, z) = (&done[step.a as usize], &done[step.b as usize], &mut rest[0]);
            let m = &mut marks;
            match step.code {
                // Loops of their own, which become vector instructions.
                Code::Add => {
                    *z = std::array::from_fn(|k| x[k].wrapping_add(y[k]));
                    *m = std::array::from_fn(|k| m[k] | (x[k] ^ z[k]) & (y[k] ^ z[k]));
                }
                Code::Sub => {
                    *z = std::array::from_fn(|k| x[k].wrapping_sub(y[k]));
                    *m = std::array::from_fn(|k| m[k] | (x[k] ^ y[k]) & (x[k] ^ z[k]));
                }
                Code::Mul => each(x, y, z, m, |x, y| {
                    let (product, overflows) = x.overflowing_mul(y);
                    (product, -i64::from(overflows))
                }),
                Code::Div => each(x, y, z, m, |x, y| marked(x.checked_div_euclid(y))),
                Code::Mod => each(x, y, z, m, |x, y| marked(x.checked_rem_euclid(y))),
                Code::Quo => each(x, y, z, m, |x, y| marked(x.checked_div(y))),
                Code::Rem => each(x, y, z, m, |x, y| marked(x.checked_rem(y))),
                Code::Abs => each(x, y, z, m, |x, _| marked(x.checked_abs())),
                Code::Le => each(x, y, z, m, |x, y| (i64::from(x <= y), 0)),
                Code::Eq => each(x, y, z, m, |x, y| (i64::from(x == y), 0)),
                Code::Not => each(x, y, z, m, |x, _| (1 - x, 0)),
                Code::And | Code::Both => each(x, y, z, m, |x, y| (x & y, 0)),
                Code::Ite => {
                    let other = &done[step.c as usize];
                    for k in 0..WIDTH {
                        z[k] = if x[k] == 1 { y[k] } else { other[k] };
                    }
                }
                Code::Var | Code::Const => unreachable!("nothing is computed for {:?}", step.code),
            }
        }
        marks
    }
}

/// An instruction on rows: its result and a mark that is negative where there is none.
#[inline(always)]
fn each(
    x: &ValueRow,
    y: &ValueRow,
    z: &mut ValueRow,
    marks: &mut ValueRow,
    f: impl Fn(i64, i64) -> (i64, i64),
) {
    for k in 0..WIDTH {
        let (result, mark) = f(x[k], y[k]);
        z[k] = result;
        marks[k] |= mark;
    }
}

#[inline(always)]
fn marked(result: Option<i64>) -> (i64, i64) {
    result.map_or((0, -1), |result| (result, 0))
}

/// A batch that tells where two sides agree.
#[derive(Debug)]
pub(crate) struct Comparison {
    batch: Batch,
    sides: [u32; 2],
}

impl Comparison {
    /// The batch of a lane and the cells to compare after it.
    pub(crate) fn new(program: &Program, lane: &Lane, sides: [Cell; 2]) -> Comparison {
        let (batch, places) = Batch::new(program, lane, sides.into_iter());
        Comparison { batch, sides: sides.map(|side| places[&side]) }
    }

    /// Makes ready for [`Comparison::agree`] with the registers as they are; false if they do not fit.
    pub(crate) fn fill(&self, registers: &Registers, rows: &mut Vec<ValueRow>) -> bool {
        self.batch.fill(registers, rows)
    }

    /// For each value of the variable whether the sides agree; `None` where that is not known.
    #[inline]
    pub(crate) fn agree(&self, values: ValueRow, rows: &mut [ValueRow]) -> [Option<bool>; WIDTH] {
        let marks = self.batch.run(values, rows);
        let [a, b] = self.sides.map(|side| rows[side as usize]);
        std::array::from_fn(|k| (marks[k] >= 0).then(|| a[k] == b[k]))
    }
}

/// A batch with the costs that depend on its variable.
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    batch: Batch,
    /// Costs that are read but do not depend on the variable: they fill the first rows.
    fixed: Box<[CostId]>,
    steps: Box<[CostStep]>,
    /// Where the operands of the comparisons are.
    places: Places,
}

/// What a batch of values was seen to lead to.
pub(crate) struct Seen {
    totals: [u128; WIDTH],
    marks: ValueRow,
}

impl Seen {
    /// The total at one of the values, if it is known.
    #[inline]
    pub(crate) fn total(&self, k: usize) -> Option<u128> {
        (self.marks[k] >= 0).then_some(self.totals[k])
    }

    /// Forgets what was seen at all but some of the values.
    pub(crate) fn keep(&mut self, known: impl Fn(usize) -> bool) {
        self.marks = std::array::from_fn(|k| if known(k) { self.marks[k] } else { -1 });
    }
}

/// The rows of a batch and of its costs, kept to be used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) numbers: Vec<ValueRow>,
    costs: Vec<CostRow>,
}

impl Costs {
    /// The batch of a lane and of the costs behind it, of which there are `count` in all.
    pub(crate) fn new(program: &Program, lane: &Lane, costs: &[CostStep], count: usize) -> Costs {
        let read = |step: &CostStep| match step.cost {
            Cost::Literal(Literal { a, b, .. }) => [Some(a), Some(b)],
            _ => [None, None],
        };
        let (batch, places) = Batch::new(program, lane, costs.iter().flat_map(read).flatten());
        let mut fixed = Vec::new();
        let mut rows: FxHashMap<CostId, u32> = FxHashMap::default();
        for step in costs {
            if let Cost::Sum(a, b) | Cost::Min(a, b) = step.cost {
                for id in [a, b].into_iter().filter(|&id| (id as usize) < count) {
                    rows.entry(id).or_insert_with(|| {
                        fixed.push(id);
                        fixed.len() as u32 - 1
                    });
                }
            }
        }
        let written = costs.iter().map(|step| step.to + count as CostId);
        rows.extend(written.zip(fixed.len() as u32..));
        let step = |step: &CostStep| {
            let cost = match step.cost {
                Cost::Literal(Literal { relation, a, b }) => {
                    Cost::Literal(Literal { relation, a: places[&a], b: places[&b] })
                }
                Cost::Sum(a, b) => Cost::Sum(rows[&a], rows[&b]),
                Cost::Min(a, b) => Cost::Min(rows[&a], rows[&b]),
                constant @ (Cost::Holds | Cost::Never) => constant,
            };
            CostStep { cost, ..*step }
        };
        let steps = costs.iter().map(step).collect();
        Costs { batch, fixed: fixed.into(), steps, places }
    }

    /// The row of a cell that a comparison reads.
    pub(crate) fn place(&self, cell: Cell) -> usize {
        self.places[&cell] as usize
    }

    /// What the total becomes if the variable has these values, from the costs and the weights as they are.
    pub(crate) fn look(
        &self,
        registers: &Registers,
        costs: &[u64],
        weights: &[u32],
        total: u128,
        values: ValueRow,
        rows: &mut Rows,
    ) -> Seen {
        let mut totals = [total; WIDTH];
        let Rows { numbers, costs: computed } = rows;
        if !self.batch.fill(registers, numbers) {
            return Seen { totals, marks: [-1; WIDTH] };
        }
        let marks = self.batch.run(values, numbers);
        computed.clear();
        computed.extend(self.fixed.iter().map(|&id| [costs[id as usize]; WIDTH]));
        for step in &self.steps {
            let row: CostRow = match step.cost {
                Cost::Literal(Literal { relation, a, b }) => {
                    let (a, b) = (&numbers[a as usize], &numbers[b as usize]);
                    std::array::from_fn(|k| relation.cost(a[k], b[k]))
                }
                Cost::Sum(a, b) => pairwise(computed, a, b, u64::saturating_add),
                Cost::Min(a, b) => pairwise(computed, a, b, u64::min),
                Cost::Holds => [0; WIDTH],
                Cost::Never => [super::guide::UNDEFINED; WIDTH],
            };
            if step.conjunct != NO_CONJUNCT {
                let weight = u128::from(weights[step.conjunct as usize]);
                let old = weight * u128::from(costs[step.to as usize]);
                for (total, &new) in totals.iter_mut().zip(&row) {
                    *total = *total + weight * u128::from(new) - old;
                }
            }
            computed.push(row);
        }
        Seen { totals, marks }
    }
}

#[inline(always)]
fn pairwise(rows: &[CostRow], a: u32, b: u32, f: impl Fn(u64, u64) -> u64) -> CostRow {
    let (a, b) = (&rows[a as usize], &rows[b as usize]);
    std::array::from_fn(|k| f(a[k], b[k]))
}
