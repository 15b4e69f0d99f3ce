//! From conjuncts to a register program: who is searched for, what is computed, what is constant.
//!
//! Constants are folded by the machine itself while the program is built. Symbols that definitions determine are
//! registers of other terms; bit-vector symbols that occur side by side in a `concat` or `fp` are one cell,
//! so that a step of the search is a step of the float that they are the bytes of. How single operators are
//! lowered is in `lower`.

use super::arrays::without_writes;
use super::definitions::{Definitions, Literal, Source, conjuncts, definitions, is_symbol};
use super::distance::Gap;
use super::machine::{Machine, encode_word};
use super::order::order;
use super::program::{Call, Cell, Code, Instr, Kind, Program, Read, Slot, Table};
use super::shape::Shape;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Format, FunId, Op, Sort, SortId, TermId, Terms, Value};

/// Why there is no program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// An operator or sort is not handled.
    Unsupported,
    /// A conjunct is constant and not true.
    NeverTrue,
}

/// A program and the machine to run it on.
pub(super) struct Compiled {
    pub(super) program: Program,
    pub(super) machine: Machine,
    /// Whether a conjunct is constant and not true.
    pub(super) refusal: Option<Refusal>,
    /// Registers whose content never changes.
    pub(super) constants: FxHashSet<Slot>,
}

/// Programs have at most this many instructions.
const MAX_INSTRUCTIONS: usize = 4_000_000;

/// Compiles a query. With `liberal`, `fp.eq` counts as an equation that defines symbols.
pub(super) fn compile(terms: &mut Terms, assertions: &[TermId], liberal: bool) -> Result<Compiled, Refusal> {
    let literals = conjuncts(terms, assertions);
    let (literals, arrays) = without_writes(terms, literals).ok_or(Refusal::Unsupported)?;
    let mut definitions = definitions(terms, &literals, liberal);
    // Array definitions are evaluated after the search, from symbols that may occur nowhere else.
    let mut roots: Vec<TermId> = literals.iter().map(|l| l.term).collect();
    roots.extend(arrays.iter().flat_map(|&(_, value)| symbols_within(terms, value)));
    let order = order(terms, &roots, &mut definitions);
    let mut compiler = Compiler::new(terms, definitions);
    compiler.program.arrays = arrays;
    compiler.find_groups(&order);
    compiler.find_constant_reads(&order)?;
    for &term in &order {
        let slot = compiler.lower(term)?;
        compiler.slots.insert(term, slot);
        if compiler.program.instrs.len() > MAX_INSTRUCTIONS {
            return Err(Refusal::Unsupported);
        }
    }
    let refusal = compiler.add_roots(&literals);
    for &term in order.iter().filter(|&&t| is_symbol(compiler.terms, t)) {
        let fun = compiler.terms.as_fun(term).expect("a symbol is an application");
        let kind = compiler.kind(compiler.terms.sort(term)).expect("a lowered term has a kind");
        compiler.program.symbols.push((fun, compiler.slots[&term], kind));
    }
    let Compiler { program, machine, constant: constants, .. } = compiler;
    Ok(Compiled { program, machine, refusal, constants })
}

/// Symbols other than arrays that occur in an array term.
fn symbols_within(terms: &Terms, term: TermId) -> Vec<TermId> {
    smt::walk::reachable(terms, &[term]).into_iter().filter(|&t| is_symbol(terms, t)).collect()
}

/// Several bit-vector symbols that are one cell.
struct Group {
    width: u32,
    cell: Option<u32>,
}

pub(super) struct Compiler<'a> {
    pub(super) terms: &'a Terms,
    definitions: Definitions,
    pub(super) program: Program,
    machine: Machine,
    slots: FxHashMap<TermId, Slot>,
    /// Registers whose content never changes.
    constant: FxHashSet<Slot>,
    /// Registers that may be open.
    tainted: FxHashSet<Slot>,
    shapes: FxHashMap<Format, u32>,
    groups: Vec<Group>,
    /// Where a symbol or read is in its group.
    leaves: FxHashMap<TermId, (u32, u32, u32)>,
    /// Terms that are a group.
    wholes: FxHashMap<TermId, u32>,
    /// Formats in which bit-vector terms are read.
    read_as: FxHashMap<TermId, Format>,
    tables: FxHashMap<FunId, u32>,
}

impl<'a> Compiler<'a> {
    fn new(terms: &'a Terms, definitions: Definitions) -> Compiler<'a> {
        Compiler {
            terms,
            program: Program { chose: definitions.chose, ..Program::default() },
            definitions,
            machine: Machine::default(),
            slots: FxHashMap::default(),
            constant: FxHashSet::default(),
            tainted: FxHashSet::default(),
            shapes: FxHashMap::default(),
            groups: Vec::new(),
            leaves: FxHashMap::default(),
            wholes: FxHashMap::default(),
            read_as: FxHashMap::default(),
            tables: FxHashMap::default(),
        }
    }

    /// The register of a term that was lowered before.
    pub(super) fn slot(&self, term: TermId) -> Slot {
        self.slots[&term]
    }

    /// The registers of a term's arguments.
    pub(super) fn arg_slots(&self, term: TermId) -> Vec<Slot> {
        self.terms.args(term).iter().map(|a| self.slots[a]).collect()
    }

    pub(super) fn is_constant(&self, slot: Slot) -> bool {
        self.constant.contains(&slot)
    }

    pub(super) fn is_tainted(&self, slot: Slot) -> bool {
        self.tainted.contains(&slot) || matches!(slot, Slot::Wide(_))
    }

    /// The position of a format's shape, if the format fits a word.
    pub(super) fn shape(&mut self, format: Format) -> Option<u32> {
        if let Some(&found) = self.shapes.get(&format) {
            return Some(found);
        }
        let shape = Shape::new(format)?;
        let position = self.program.shapes.len() as u32;
        self.program.shapes.push(shape);
        self.shapes.insert(format, position);
        Some(position)
    }

    /// How values of a sort are held.
    pub(super) fn kind(&mut self, sort: SortId) -> Result<Kind, Refusal> {
        Ok(match *self.terms.sort_of(sort) {
            Sort::Bool => Kind::Bool,
            Sort::RoundingMode => Kind::Mode,
            Sort::BitVec(width) if width <= 64 => Kind::Bits(width),
            Sort::Float(eb, sb) => {
                let format = Format { eb, sb };
                if !format.is_supported() {
                    return Err(Refusal::Unsupported);
                }
                self.shape(format).map_or(Kind::Wide(sort), Kind::Float)
            }
            Sort::BitVec(_) | Sort::Real | Sort::Int => Kind::Wide(sort),
            _ => return Err(Refusal::Unsupported),
        })
    }

    /// Adds an instruction, or runs it at once if all its operands are constant.
    pub(super) fn emit(&mut self, code: Code, result: Kind, [a, b, c]: [u32; 3]) -> Slot {
        let to = match result {
            Kind::Bool => self.machine.add_gap(Gap::OPEN),
            Kind::Wide(_) => self.machine.add_wide(None),
            Kind::Mode | Kind::Bits(_) | Kind::Float(_) => self.machine.add_word(0),
        };
        let mut instr = Instr { code, guard: 0, to, a, b, c };
        let (mut is_constant, mut tainted_words, mut tainted) = (true, false, false);
        self.program.inputs(&instr, |slot| {
            is_constant &= self.constant.contains(&slot);
            tainted |= self.is_tainted(slot);
            tainted_words |= matches!(slot, Slot::Word(_)) && self.is_tainted(slot);
        });
        if tainted_words {
            instr.guard = guarded_operands(code);
        }
        let makes_open = matches!(code, Code::Extreme(..) | Code::ToInteger(..) | Code::Call(_));
        if tainted || makes_open {
            self.tainted.insert(to);
        }
        if is_constant {
            self.machine.run(self.terms, &self.program, &instr);
            self.constant.insert(to);
        } else {
            self.program.instrs.push(instr);
        }
        to
    }

    /// A constant.
    pub(super) fn constant(&mut self, value: &Value) -> Result<Slot, Refusal> {
        let slot = match value {
            Value::Bool(truth) => self.machine.add_gap(Gap::of(*truth)),
            Value::BitVec(bits) if bits.width() > 64 => self.machine.add_wide(Some(value.clone())),
            Value::Float(float) if self.shape(float.format()).is_none() => {
                self.machine.add_wide(Some(value.clone()))
            }
            Value::BitVec(_) | Value::Float(_) | Value::Rm(_) => {
                let word = encode_word(&self.program, value);
                self.machine.add_word(word)
            }
            Value::Real(_) | Value::Int(_) => self.machine.add_wide(Some(value.clone())),
            _ => return Err(Refusal::Unsupported),
        };
        self.constant.insert(slot);
        self.program.constants.push(value.clone());
        Ok(slot)
    }

    /// A word that is the same in every run.
    pub(super) fn constant_word(&mut self, word: u64) -> Slot {
        let slot = self.machine.add_word(word);
        self.constant.insert(slot);
        slot
    }

    /// A truth value that is the same in every run.
    pub(super) fn constant_gap(&mut self, truth: bool) -> Slot {
        let slot = self.machine.add_gap(Gap::of(truth));
        self.constant.insert(slot);
        slot
    }

    /// What a constant register holds.
    pub(super) fn constant_value(&self, slot: Slot, kind: Kind) -> Option<Value> {
        self.is_constant(slot).then(|| self.machine.value(&self.program, slot, kind)).flatten()
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

    /// Registers of one file as a list of operands.
    pub(super) fn list(&mut self, slots: &[Slot]) -> (u32, u32) {
        let start = self.program.lists.len() as u32;
        self.program.lists.extend(slots.iter().map(|&slot| match slot {
            Slot::Word(r) | Slot::Gap(r) | Slot::Wide(r) => r,
        }));
        (start, slots.len() as u32)
    }

    /// A place where the operator table is called.
    pub(super) fn add_call(&mut self, op: Op, indices: [u32; 2], sort: SortId, args: &[(Slot, Kind)]) -> u32 {
        self.program.calls.push(Call { op, indices, sort, args: args.to_vec() });
        self.program.calls.len() as u32 - 1
    }

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

    /// A read of an array symbol, or an application of a function.
    pub(super) fn lower_read(&mut self, term: TermId) -> Result<Slot, Refusal> {
        if let Some(&slot) = self.slots.get(&term) {
            return Ok(slot);
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
    fn find_constant_reads(&mut self, order: &[TermId]) -> Result<(), Refusal> {
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
    fn find_groups(&mut self, order: &[TermId]) {
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

    /// The conjuncts that are left to the search.
    fn add_roots(&mut self, literals: &[Literal]) -> Option<Refusal> {
        let mut refusal = None;
        let mut seen = FxHashSet::default();
        for literal in literals {
            let mut slot = self.slot(literal.term);
            let Slot::Gap(register) = slot else { return Some(Refusal::Unsupported) };
            if !literal.positive {
                slot = self.emit(Code::Not, Kind::Bool, [register, 0, 0]);
            }
            let Slot::Gap(register) = slot else { unreachable!("a negation is a truth value") };
            if self.is_constant(slot) {
                if !self.machine.gap(register).is_true() {
                    refusal = Some(Refusal::NeverTrue);
                }
            } else if seen.insert(register) {
                self.program.roots.push(register);
            }
        }
        refusal
    }
}

/// How many operands are words whose being open makes the result open. `ite` and reads see to it themselves, and calls
/// look at all their arguments.
fn guarded_operands(code: Code) -> u8 {
    match code {
        Code::Bits(..)
        | Code::Concat(_)
        | Code::Extreme(..)
        | Code::Same(_)
        | Code::FloatSame(_)
        | Code::FloatEq(_)
        | Code::FloatLt(_)
        | Code::FloatLe(_)
        | Code::Ult
        | Code::Slt(_) => 2,
        Code::Float(..) | Code::Fma(..) => 3,
        Code::Convert(..) | Code::FromInteger(..) | Code::ToInteger(..) => 1,
        Code::Extract(..)
        | Code::SignExtend(..)
        | Code::FloatNeg(_)
        | Code::FloatAbs(_)
        | Code::Canonical(_)
        | Code::FloatClass(..) => 1,
        Code::FromGap
        | Code::IteWord
        | Code::ReadWord(_)
        | Code::Not
        | Code::And
        | Code::Or
        | Code::Iff
        | Code::IteGap
        | Code::ReadGap(_)
        | Code::Call(_)
        | Code::IteWide
        | Code::Join(_) => 0,
    }
}
