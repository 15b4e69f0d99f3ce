//! Who depends on whom in a program, from the search's point of view: what to run after a cell changed, which
//! conjuncts it can move, and which cells can move a conjunct.

use super::program::{Program, Slot};
use crate::tuning::anneal_layout::MAX_CONES;

/// No instruction, no cell.
const NONE: u32 = u32::MAX;

/// Where a register's content comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The search sets it.
    Cell(u32),
    /// An instruction computes it.
    Instr(u32),
    /// It never changes.
    Constant,
}

/// The dependencies of a program.
#[derive(Debug)]
pub(super) struct Layout {
    words: Vec<Origin>,
    gaps: Vec<Origin>,
    wides: Vec<Origin>,
    /// The instructions to run when a cell changed, in order.
    cones: Vec<Vec<u32>>,
    /// The conjuncts that a cell can move, as positions among the roots, ascending.
    touched: Vec<Vec<u32>>,
    /// The cells that can move a conjunct.
    support: Vec<Vec<u32>>,
    /// All instructions that some conjunct depends on.
    live: Vec<u32>,
    /// All others: what only models need.
    idle: Vec<u32>,
    all_roots: Vec<u32>,
    all_cells: Vec<u32>,
}

impl Layout {
    pub(super) fn new(program: &Program) -> Layout {
        let mut layout = Layout {
            words: Vec::new(),
            gaps: Vec::new(),
            wides: Vec::new(),
            cones: Vec::new(),
            touched: vec![Vec::new(); program.cells.len()],
            support: vec![Vec::new(); program.roots.len()],
            live: Vec::new(),
            idle: Vec::new(),
            all_roots: (0..program.roots.len() as u32).collect(),
            all_cells: (0..program.cells.len() as u32).collect(),
        };
        for (i, cell) in program.cells.iter().enumerate() {
            layout.note(cell.slot, Origin::Cell(i as u32));
        }
        for (i, instr) in program.instrs.iter().enumerate() {
            layout.note(instr.to, Origin::Instr(i as u32));
        }
        layout.find_live(program);
        layout.find_cones(program);
        layout
    }

    fn note(&mut self, slot: Slot, origin: Origin) {
        let (file, register) = match slot {
            Slot::Word(r) => (&mut self.words, r as usize),
            Slot::Gap(r) => (&mut self.gaps, r as usize),
            Slot::Wide(r) => (&mut self.wides, r as usize),
        };
        if file.len() <= register {
            file.resize(register + 1, Origin::Constant);
        }
        file[register] = origin;
    }

    /// Where a register's content comes from.
    #[inline]
    pub(super) fn origin(&self, slot: Slot) -> Origin {
        let found = match slot {
            Slot::Word(r) => self.words.get(r as usize),
            Slot::Gap(r) => self.gaps.get(r as usize),
            Slot::Wide(r) => self.wides.get(r as usize),
        };
        found.copied().unwrap_or(Origin::Constant)
    }

    /// The instructions to run when a cell changed.
    #[inline]
    pub(super) fn cone(&self, cell: u32) -> &[u32] {
        self.cones.get(cell as usize).unwrap_or(&self.live)
    }

    /// The conjuncts that a cell can move.
    #[inline]
    pub(super) fn touched(&self, cell: u32) -> &[u32] {
        if self.cones.is_empty() { &self.all_roots } else { &self.touched[cell as usize] }
    }

    /// The cells that can move a conjunct.
    #[inline]
    pub(super) fn support(&self, root: u32) -> &[u32] {
        if self.cones.is_empty() { &self.all_cells } else { &self.support[root as usize] }
    }

    /// The instructions that conjuncts depend on.
    pub(super) fn live(&self) -> &[u32] {
        &self.live
    }

    /// The instructions that no conjunct depends on.
    pub(super) fn idle(&self) -> &[u32] {
        &self.idle
    }

    fn find_live(&mut self, program: &Program) {
        let mut live = vec![false; program.instrs.len()];
        let mut stack: Vec<Slot> = program.roots.iter().map(|&r| Slot::Gap(r)).collect();
        while let Some(slot) = stack.pop() {
            if let Origin::Instr(i) = self.origin(slot)
                && !std::mem::replace(&mut live[i as usize], true)
            {
                program.inputs(&program.instrs[i as usize], |slot| stack.push(slot));
            }
        }
        for i in 0..program.instrs.len() as u32 {
            if live[i as usize] { &mut self.live } else { &mut self.idle }.push(i);
        }
    }

    /// Cones of 64 cells at a time: a bit for each of them is passed down the program.
    fn find_cones(&mut self, program: &Program) {
        let mut cones = vec![Vec::new(); program.cells.len()];
        let mut reached = vec![0u64; program.instrs.len()];
        let mut root_of = vec![NONE; self.gaps.len()];
        for (i, &root) in program.roots.iter().enumerate() {
            if let Some(entry) = root_of.get_mut(root as usize) {
                *entry = i as u32;
            }
        }
        let mut total = 0;
        for block in 0..program.cells.len().div_ceil(64) {
            let first = block as u32 * 64;
            let bit = |cell: u32| if cell / 64 == block as u32 { 1u64 << (cell % 64) } else { 0 };
            for &i in &self.live {
                let mut bits = 0;
                program.inputs(&program.instrs[i as usize], |slot| match self.origin(slot) {
                    Origin::Cell(cell) => bits |= bit(cell),
                    Origin::Instr(input) => bits |= reached[input as usize],
                    Origin::Constant => {}
                });
                reached[i as usize] = bits;
                total += bits.count_ones() as usize;
                while bits != 0 {
                    cones[(first + bits.trailing_zeros()) as usize].push(i);
                    bits &= bits - 1;
                }
            }
            if total > MAX_CONES {
                return;
            }
        }
        for (cell, cone) in cones.iter().enumerate() {
            let mut touch = |slot: Slot| {
                if let Slot::Gap(r) = slot
                    && let Some(&root) = root_of.get(r as usize).filter(|&&root| root != NONE)
                {
                    self.touched[cell].push(root);
                    self.support[root as usize].push(cell as u32);
                }
            };
            touch(program.cells[cell].slot);
            cone.iter().for_each(|&i| touch(program.instrs[i as usize].to));
            self.touched[cell].sort_unstable();
        }
        self.cones = cones;
    }
}
