//! Lanes: the straight-line code that computes what some registers would be if one variable had another value.
//!
//! Every register has two cells: the one that holds its value at the current point, and a shadow. A lane writes shadows
//! only, and which of the two cells an operand is read from is settled when the lane is made. So a point next to the
//! current one is looked at without a log and without anything to take back.

use super::program::{Code, Program, Reg, Var};

/// A cell: a register's value, or its shadow.
pub(crate) type Cell = u32;

/// One instruction of a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneStep {
    pub(crate) code: Code,
    pub(crate) a: Cell,
    pub(crate) b: Cell,
    pub(crate) c: Cell,
    /// The register whose shadow is written.
    pub(crate) to: Reg,
}

/// What depends on one variable, in an order in which it can be computed.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub(crate) var: Var,
    pub(crate) steps: Box<[LaneStep]>,
}

impl Lane {
    /// The lane of a variable through some registers in ascending order, each of which depends on it.
    pub(crate) fn new(program: &Program, var: Var, regs: &[Reg]) -> Lane {
        let shadows = program.code.len() as Cell;
        let written = |r: Reg| r == var || regs.binary_search(&r).is_ok();
        let cell = |r: Reg| if written(r) { r + shadows } else { r };
        let step = |&to: &Reg| {
            let instr = program.code[to as usize];
            let mut cells = [0; 3];
            for (cell_of, operand) in cells.iter_mut().zip(instr.operands()) {
                *cell_of = cell(operand);
            }
            let [a, b, c] = cells;
            LaneStep { code: instr.code, a, b, c, to }
        };
        Lane { var, steps: regs.iter().filter(|&&r| r != var).map(step).collect() }
    }

    /// The lane of a variable to some registers, through nothing but what they need.
    pub(crate) fn to(program: &Program, var: Var, roots: &[Reg]) -> Lane {
        let mut depends = rustc_hash::FxHashSet::default();
        depends.insert(var);
        let mut regs = program.cone(roots);
        regs.retain(|&r| {
            let reads = program.code[r as usize].operands().any(|operand| depends.contains(&operand));
            reads && depends.insert(r)
        });
        Lane::new(program, var, &regs)
    }

    /// The cell in which a register's value is once the lane has run.
    pub(crate) fn cell(&self, program: &Program, reg: Reg) -> Cell {
        let written = reg == self.var || self.steps.binary_search_by_key(&reg, |step| step.to).is_ok();
        if written { reg + program.code.len() as Cell } else { reg }
    }
}
