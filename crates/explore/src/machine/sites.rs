//! What there is to cover: the places of a program where a run can go one way or another.

use super::Machine;
use crate::code::{Instr, Site};
use crate::domain::Domain;

impl<D: Domain> Machine<D> {
    /// Every place that branches, with the number of ways it can go: two for a conditional branch and a `select`, all
    /// cases with the default for a `br_table`. A branch around a call of a host function that reports is none of the source's.
    pub(crate) fn branches(&self, reports: impl Fn(u32) -> bool) -> Vec<(Site, u32)> {
        let functions = &self.program.functions;
        let is_report = |instr: Option<&Instr>| {
            let Some(&Instr::CallHost { function, .. }) = instr else { return false };
            functions[function as usize].host.is_some_and(&reports)
        };
        let mut branches = Vec::new();
        for function in &self.program.functions {
            for (position, &instr) in function.code.iter().enumerate() {
                let target = { instr }.target().copied();
                let jumps = target.is_some();
                let next = function.code.get(position + 1);
                let aside = target.and_then(|to| function.code.get(to as usize));
                if jumps && (is_report(next) || is_report(aside)) {
                    continue;
                }
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
    pub(crate) fn sites(&self) -> impl Iterator<Item = (Site, u32)> {
        self.program.functions.iter().flat_map(|function| {
            let sites = (function.first..).map(Site);
            sites.zip(function.offsets.iter().copied())
        })
    }
}
