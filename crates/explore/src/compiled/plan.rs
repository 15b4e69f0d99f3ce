//! From the machine's code back to the module: which sites each WebAssembly instruction stands for.
//!
//! The interpreter runs register code that was compiled from the module, and sites are instructions of that code. To make the same
//! turns, marks and jumps, the module's own instructions are matched with the register instructions that they became, by their
//! offsets. Where a block of register code begins with a module's instruction, the block is marked there; blocks that begin
//! within one (behind a branch that carries operands along, or at the stubs of a `br_table`) follow from the way that was taken.

use crate::code::{Function, Instr};
use crate::coverage::{Entry, Outline};
use crate::target::Site;
use std::ops::Range;

/// What a conditional branch or a choice does in the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Its site.
    pub(super) site: u32,
    /// The entry of its first way.
    pub(super) ways: u32,
    /// Whether the machine asks for the opposite of the condition.
    pub(super) inverted: bool,
    /// What it costs if the condition is not zero, and if it is.
    pub(super) costs: [bool; 2],
}

/// What a `br_table` does in the machine.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    pub(super) site: u32,
    pub(super) ways: u32,
    /// The number of the default case.
    pub(super) default: u32,
    /// The cases that make a second jump, as bits.
    pub(super) twice: u64,
}

/// Numbers the ways and blocks of all functions.
#[derive(Debug, Default)]
pub(super) struct Planner {
    pub(super) outline: Outline,
}

/// One function while its module is rewritten.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    function: &'a Function,
    /// For each instruction of the machine whether a block begins there.
    leaders: Vec<bool>,
    /// The first instruction that is not yet matched.
    next: usize,
}

/// Why a module is not rewritten.
pub(super) type Refusal = &'static str;

impl Planner {
    fn entry(&mut self, entry: Entry) -> u32 {
        self.outline.entries.push(entry);
        self.outline.entries.len() as u32 - 1
    }
}

impl<'a> Plan<'a> {
    pub(super) fn new(function: &'a Function) -> Plan<'a> {
        let mut leaders = vec![false; function.code.len() + 1];
        leaders[0] = true;
        for (i, &instr) in function.code.iter().enumerate() {
            if let Some(&mut to) = { instr }.target() {
                leaders[to as usize] = true;
                leaders[i + 1] = true;
            }
            match instr {
                Instr::BrTable { cases, .. } => {
                    leaders[i + 1..=i + 2 + cases as usize].fill(true);
                }
                Instr::Call { .. }
                | Instr::CallHost { .. }
                | Instr::CallIndirect { .. }
                | Instr::Return
                | Instr::ReturnOne { .. }
                | Instr::ReturnMany { .. }
                | Instr::Unreachable => leaders[i + 1] = true,
                _ => {}
            }
        }
        Plan { function, leaders, next: 0 }
    }

    /// The machine's instructions that the one at an offset became; offsets ascend.
    pub(super) fn take(&mut self, offset: u32) -> Range<usize> {
        let offsets = &self.function.offsets;
        while self.next < offsets.len() && offsets[self.next] < offset {
            self.next += 1;
        }
        let start = self.next;
        while self.next < offsets.len() && offsets[self.next] == offset {
            self.next += 1;
        }
        start..self.next
    }

    pub(super) fn instr(&self, at: usize) -> Instr {
        self.function.code[at]
    }

    pub(super) fn site(&self, at: usize) -> u32 {
        self.function.first + at as u32
    }

    /// The sites of the block that begins at an instruction.
    fn block(&self, at: usize) -> Range<u32> {
        let end = (at + 1..).find(|&end| self.leaders[end] || end == self.function.code.len());
        self.site(at)..self.site(end.unwrap_or(at + 1))
    }

    /// The entry of the block that begins with these instructions, if one does.
    pub(super) fn mark(&self, planner: &mut Planner, instrs: &Range<usize>) -> Option<u32> {
        let begins = !instrs.is_empty() && self.leaders[instrs.start];
        begins.then(|| planner.entry(Entry { way: None, sites: vec![self.block(instrs.start)] }))
    }

    /// What a `br_if`, an `if` or a `select` does. `skips` if it jumps where its condition is zero.
    pub(super) fn turn(&self, planner: &mut Planner, instrs: &Range<usize>, is_if: bool) -> Option<Turn> {
        let branches = |at: &usize| {
            let mut instr = self.instr(*at);
            matches!(instr, Instr::Select { .. } | Instr::SelectWide { .. })
                || instr.target().is_some() && !matches!(instr, Instr::Jump { .. })
        };
        let at = instrs.clone().find(branches)?;
        let instr = self.instr(at);
        let select = matches!(instr, Instr::Select { .. } | Instr::SelectWide { .. });
        // What a branch takes along to its target is moved behind it.
        let carries = at + 1 < instrs.end;
        let skips = !select && (is_if || carries);
        let inverted = !select && (skips != matches!(instr, Instr::BrUnless { .. }));
        let leaves = carries && matches!(self.instr(instrs.end - 1), Instr::Jump { .. });
        let costs = match (select, skips) {
            (true, _) => [false, false],
            (false, true) => [leaves, true],
            (false, false) => [true, false],
        };
        let site = self.site(at);
        let ways = planner.outline.entries.len() as u32;
        for way in [false, true] {
            // Behind a branch that jumps if the condition is zero lies what is done if it is not.
            let behind = carries && way != inverted;
            let sites = if behind { vec![self.block(at + 1)] } else { Vec::new() };
            planner.entry(Entry { way: Some((Site(site), u32::from(way), false)), sites });
        }
        Some(Turn { site, ways, inverted, costs })
    }

    /// What a `br_table` does.
    pub(super) fn switch(
        &self,
        planner: &mut Planner,
        instrs: &Range<usize>,
    ) -> Result<Option<Switch>, Refusal> {
        let at = instrs.clone().find(|&at| matches!(self.instr(at), Instr::BrTable { .. }));
        let Some((at, Instr::BrTable { cases, .. })) = at.map(|at| (at, self.instr(at))) else {
            return Ok(None);
        };
        let ways = planner.outline.entries.len() as u32;
        let mut twice = 0;
        for case in 0..=cases {
            let jump = at + 1 + case as usize;
            let Instr::Jump { to } = self.instr(jump) else { return Err("a switch without jumps") };
            let mut sites = vec![self.block(jump)];
            // The target itself may be a loop that begins with this instruction.
            if (at + 2 + cases as usize..instrs.end).contains(&(to as usize)) {
                let stub = self.block(to as usize);
                let last = to as usize + stub.len() - 1;
                if matches!(self.instr(last), Instr::Jump { .. }) {
                    if case >= u64::BITS {
                        return Err("a switch of many cases that takes operands along");
                    }
                    twice |= 1 << case;
                }
                sites.push(stub);
            }
            planner.entry(Entry { way: Some((Site(self.site(at)), case, true)), sites });
        }
        Ok(Some(Switch { site: self.site(at), ways, default: cases, twice }))
    }

    /// The way of a call that must not fail and did not.
    pub(super) fn held(&self, planner: &mut Planner, site: u32) -> u32 {
        planner.entry(Entry { way: Some((Site(site), 1, false)), sites: Vec::new() })
    }
}
