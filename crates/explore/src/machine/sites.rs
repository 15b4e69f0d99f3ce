//! What there is to cover: the places of a program where a run can go one way or another.

use super::Machine;
use crate::code::{Instr, Site};
use crate::domain::Domain;

impl<D: Domain> Machine<D> {
    /// Every place that branches, with the number of ways it can go: two for a conditional branch and a `select`, all
    /// cases with the default for a `br_table`.
    pub fn branches(&self) -> Vec<(Site, u32)> {
        let mut branches = Vec::new();
        for function in &self.program.functions {
            for (position, &instr) in function.code.iter().enumerate() {
                let jumps = { instr }.target().is_some();
                let ways = match instr {
                    Instr::Jump { .. } => continue,
                    Instr::BrTable { cases, .. } => cases + 1,
                    Instr::Select { .. } | Instr::SelectWide { .. } => 2,
                    _ if jumps => 2,
                    _ => continue,
                };
                branches.push((Site(function.first + position as u32), ways));
            }
        }
        branches
    }

    /// Every site with the offset of its instruction in the code section, in order.
    pub fn sites(&self) -> impl Iterator<Item = (Site, u32)> {
        self.program.functions.iter().flat_map(|function| {
            let sites = (function.first..).map(Site);
            sites.zip(function.offsets.iter().copied())
        })
    }
}
