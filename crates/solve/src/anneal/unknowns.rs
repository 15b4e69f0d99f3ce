//! What the search sets: symbols, elements of arrays, values of functions.
//!
//! Symbols that definitions determine are registers of other terms. Bit-vector symbols that occur side by side in a `concat` or
//! `fp` are one cell, so that a step of the search is a step of the float that they are the bytes of. Values of more
//! than 64 bits are several cells. A read of an array, or an application of a function, has a cell of its own, which counts if no
//! earlier read has the same arguments.

use super::compile::{Compiler, Refusal};
use super::definitions::{Source, is_symbol};
use super::distance::Gap;
use super::program::{Cell, Code, Kind, Read, Slot, Table};
use super::tables::Contents;
use rustc_hash::FxHashSet;
use smt::{Format, FunId, Op, Sort, SortId, TermId};

/// Several bit-vector symbols that are one cell.
pub(super) struct Group {
    width: u32,
    cell: Option<u32>,
}

impl Compiler<'_> {
    /// The register of a constant symbol.
    pub(super) fn lower_symbol(&mut self, term: TermId) -> Result<Slot, Refusal> {
        if let Some(slot) = self.leaf(term) {
            return Ok(slot);
        }
        match self.definitions.sources.get(&term).copied() {
            Some(Source::Term(other)) => Ok(self.slot(other)),
            Some(Source::Bits { term: other, width, low }) => self.slice(other, width, low),
            None => self.unknown(term, self.terms.sort(term)),
        }
    }

    /// Bits of a bit-vector or float.
    fn slice(&mut self, term: TermId, width: u32, low: u32) -> Result<Slot, Refusal> {
        let sort = self.terms.sort(term);
        let kind = self.kind(sort)?;
        match self.slot(term) {
            Slot::Word(r) => Ok(self.emit(Code::Extract(width, low), Kind::Bits(width), [r, 0, 0])),
            // The bits of a wide float have no operator that is defined for NaN.
            slot if matches!(self.terms.sort_of(sort), Sort::BitVec(_)) && width <= 64 => {
                let call = self.add_call(Op::Extract, [low + width - 1, low], sort, &[(slot, kind)]);
                Ok(self.emit(Code::Call(call), Kind::Bits(width), [0; 3]))
            }
            _ => Err(Refusal::Unsupported),
        }
    }

    /// A read of an array of constants.
    fn lookup(&mut self, term: TermId) -> Result<Slot, Refusal> {
        let &[array, place] = self.terms.args(term) else { return Err(Refusal::Unsupported) };
        let contents = match self.contents.get(&array) {
            Some(&known) => known,
            None => {
                let contents = Contents::of(self.terms, array).ok_or(Refusal::Unsupported)?;
                self.program.contents.push(contents);
                let position = self.program.contents.len() as u32 - 1;
                self.contents.insert(array, position);
                position
            }
        };
        let (Slot::Word(place), kind) = (self.slot(place), self.kind(self.terms.sort(term))?) else {
            return Err(Refusal::Unsupported);
        };
        Ok(self.emit(Code::Lookup(contents), kind, [place, 0, 0]))
    }

    /// A read of an array, or an application of a function.
    pub(super) fn lower_read(&mut self, term: TermId) -> Result<Slot, Refusal> {
        if let Some(&slot) = self.slots.get(&term) {
            return Ok(slot);
        }
        if self.terms.op(term) == Op::Select
            && matches!(self.terms.op(self.terms.args(term)[0]), Op::Store | Op::ConstArray)
        {
            return self.lookup(term);
        }
        let (fun, args) = self.read_of(term).ok_or(Refusal::Unsupported)?;
        let args: Vec<Slot> = args.iter().map(|a| self.slots[a]).collect();
        let table = self.table(fun, term)?;
        let own = self.unknown(term, self.terms.sort(term))?;
        let site = self.program.sites.len() as u32;
        let position = self.program.tables[table as usize].reads.len() as u32;
        self.program.sites.push((table, position));
        self.program.tables[table as usize].reads.push(Read { args, result: own, own });
        let kind = self.program.tables[table as usize].result;
        let code = if kind == Kind::Bool { Code::ReadGap(site) } else { Code::ReadWord(site) };
        let slot = self.emit(code, kind, [0; 3]);
        self.program.tables[table as usize].reads[position as usize].result = slot;
        Ok(slot)
    }

    /// What a read is of, and its arguments.
    fn read_of(&self, term: TermId) -> Option<(FunId, Vec<TermId>)> {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Select if self.terms.op(args[0]) == Op::Apply && self.terms.args(args[0]).is_empty() => {
                Some((self.terms.as_fun(args[0])?, vec![args[1]]))
            }
            Op::Apply if self.terms.fun(self.terms.as_fun(term)?).definition.is_none() => {
                Some((self.terms.as_fun(term)?, args.to_vec()))
            }
            _ => None,
        }
    }

    fn table(&mut self, fun: FunId, term: TermId) -> Result<u32, Refusal> {
        if let Some(&found) = self.tables.get(&fun) {
            return Ok(found);
        }
        let (_, args) = self.read_of(term).ok_or(Refusal::Unsupported)?;
        let result = self.kind(self.terms.sort(term))?;
        if matches!(result, Kind::Wide(_)) {
            return Err(Refusal::Unsupported);
        }
        let params = args.iter().map(|&a| self.kind(self.terms.sort(a))).collect::<Result<Vec<_>, _>>()?;
        let is_array = self.terms.op(term) == Op::Select;
        let table = self.program.tables.len() as u32;
        self.program.tables.push(Table { fun, is_array, params, result, reads: Vec::new() });
        self.tables.insert(fun, table);
        Ok(table)
    }

    /// Reads at constant places come first in their tables, so that each is a cell and nothing has to be looked up.
    pub(super) fn find_constant_reads(&mut self, order: &[TermId]) -> Result<(), Refusal> {
        for &term in order {
            let Some((fun, args)) = self.read_of(term).filter(|(_, args)| !args.is_empty()) else { continue };
            if args.iter().any(|&a| self.terms.as_value(a).is_none()) {
                continue;
            }
            let table = self.table(fun, term)?;
            let mut slots = Vec::new();
            for arg in args {
                let value = self.terms.as_value(arg).expect("a constant").clone();
                slots.push(self.constant(&value)?);
            }
            let slot = match self.leaf(term) {
                Some(slot) => slot,
                None => self.unknown(term, self.terms.sort(term))?,
            };
            self.slots.insert(term, slot);
            self.program.tables[table as usize].reads.push(Read { args: slots, result: slot, own: slot });
        }
        Ok(())
    }

    /// Finds `concat`s and `fp`s of symbols and constant reads that nothing else determines, the widest first, and notes
    /// in which formats bits are read.
    pub(super) fn find_groups(&mut self, order: &[TermId]) {
        for &term in order {
            if let Sort::Float(eb, sb) = *self.terms.sort_of(self.terms.sort(term)) {
                match self.terms.op(term) {
                    Op::ToFpFromBits => {
                        self.read_as.insert(self.terms.args(term)[0], Format { eb, sb });
                    }
                    Op::Fp => {
                        self.read_as.insert(term, Format { eb, sb });
                    }
                    _ => {}
                }
            }
        }
        let mut candidates: Vec<(u32, TermId)> = order
            .iter()
            .filter(|&&t| matches!(self.terms.op(t), Op::Concat | Op::Fp))
            .filter_map(|&t| Some((self.bit_width(t).filter(|&w| w <= 64)?, t)))
            .collect();
        candidates.sort_by_key(|&(width, term)| (std::cmp::Reverse(width), term));
        for (width, term) in candidates {
            self.try_group(term, width);
        }
    }

    fn bit_width(&self, term: TermId) -> Option<u32> {
        match *self.terms.sort_of(self.terms.sort(term)) {
            Sort::BitVec(width) => Some(width),
            Sort::Float(eb, sb) => Some(eb + sb),
            _ => None,
        }
    }

    fn try_group(&mut self, whole: TermId, width: u32) {
        let mut parts: Vec<(TermId, u32)> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![whole];
        while let Some(term) = stack.pop() {
            if matches!(self.terms.op(term), Op::Concat | Op::Fp) {
                stack.extend_from_slice(self.terms.args(term));
                continue;
            }
            let free = (is_symbol(self.terms, term) && !self.definitions.sources.contains_key(&term))
                || self.is_constant_read(term);
            if !free || self.leaves.contains_key(&term) || !seen.insert(term) {
                return;
            }
            // The stack gives the last argument, which has the low bits, first.
            parts.push((term, self.bit_width(term).expect("a bit-vector")));
        }
        let group = self.groups.len() as u32;
        let mut low = 0;
        for (term, width) in parts {
            self.leaves.insert(term, (group, width, low));
            low += width;
        }
        self.wholes.insert(whole, group);
        self.groups.push(Group { width, cell: None });
        if let Some(&format) = self.read_as.get(&whole) {
            self.group_cell(group, Some(format));
        }
    }

    fn is_constant_read(&self, term: TermId) -> bool {
        self.read_of(term).is_some_and(|(_, args)| {
            !args.is_empty() && args.iter().all(|&a| self.terms.as_value(a).is_some())
        }) && matches!(self.terms.sort_of(self.terms.sort(term)), Sort::BitVec(_))
    }

    fn group_cell(&mut self, group: u32, read_as: Option<Format>) -> u32 {
        if let Some(register) = self.groups[group as usize].cell {
            return register;
        }
        let width = self.groups[group as usize].width;
        let Slot::Word(register) = self.cell(Kind::Bits(width), read_as) else {
            unreachable!("bits are words")
        };
        self.groups[group as usize].cell = Some(register);
        register
    }

    /// The register of a symbol or read that is part of a group.
    fn leaf(&mut self, term: TermId) -> Option<Slot> {
        let &(group, width, low) = self.leaves.get(&term)?;
        let cell = self.group_cell(group, None);
        Some(self.emit(Code::Extract(width, low), Kind::Bits(width), [cell, 0, 0]))
    }

    /// The register of the bits of a term that is a whole group.
    pub(super) fn whole(&mut self, term: TermId) -> Option<u32> {
        let &group = self.wholes.get(&term)?;
        Some(self.group_cell(group, None))
    }

    /// A new cell.
    fn cell(&mut self, kind: Kind, read_as: Option<Format>) -> Slot {
        let slot = match kind {
            Kind::Bool => self.machine.add_gap(Gap::of(false)),
            _ => self.machine.add_word(0),
        };
        let read_as = read_as.and_then(|format| self.shape(format));
        self.program.cells.push(Cell { slot, kind, read_as });
        slot
    }

    /// A new value of a sort that the search sets; a wide one is several cells, of which the first has the high bits.
    fn unknown(&mut self, term: TermId, sort: SortId) -> Result<Slot, Refusal> {
        let kind = self.kind(sort)?;
        let Kind::Wide(_) = kind else {
            let format = self.read_as.get(&term).copied();
            return Ok(self.cell(kind, format));
        };
        let width = match *self.terms.sort_of(sort) {
            Sort::BitVec(width) => width,
            Sort::Float(eb, sb) => eb + sb,
            _ => return Err(Refusal::Unsupported),
        };
        let mut pieces = Vec::new();
        let top = (width - 1) % 64 + 1;
        for width in std::iter::once(top).chain((0..(width - top) / 64).map(|_| 64)) {
            pieces.push(self.cell(Kind::Bits(width), None));
        }
        let (start, len) = self.list(&pieces);
        let call = self.add_call(Op::Concat, [0; 2], sort, &[]);
        Ok(self.emit(Code::Join(call), kind, [start, len, 0]))
    }
}
