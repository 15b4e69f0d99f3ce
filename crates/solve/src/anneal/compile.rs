//! From conjuncts to a register program: who is searched for, what is computed, what is constant.
//!
//! Constants are folded by the machine itself while the program is built. What is searched for is in `unknowns`, how
//! single operators are lowered is in `lower`.

use super::arrays::without_writes;
use super::definitions::{Definitions, Literal, conjuncts, definitions, is_symbol};
use super::distance::Gap;
use super::machine::{Machine, encode_word};
use super::order::order;
use super::program::{Call, Code, Instr, Kind, Program, Slot};
use super::shape::Shape;
use super::unknowns::Group;
use crate::tuning::anneal_compile::MAX_INSTRUCTIONS;
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

pub(super) struct Compiler<'a> {
    pub(super) terms: &'a Terms,
    pub(super) definitions: Definitions,
    pub(super) program: Program,
    pub(super) machine: Machine,
    pub(super) slots: FxHashMap<TermId, Slot>,
    /// Registers whose content never changes.
    constant: FxHashSet<Slot>,
    /// Registers that may be open.
    tainted: FxHashSet<Slot>,
    shapes: FxHashMap<Format, u32>,
    pub(super) groups: Vec<Group>,
    /// Where a symbol or read is in its group.
    pub(super) leaves: FxHashMap<TermId, (u32, u32, u32)>,
    /// Terms that are a group.
    pub(super) wholes: FxHashMap<TermId, u32>,
    /// Formats in which bit-vector terms are read.
    pub(super) read_as: FxHashMap<TermId, Format>,
    pub(super) tables: FxHashMap<FunId, u32>,
    /// Where the contents of arrays of constants are.
    pub(super) contents: FxHashMap<TermId, u32>,
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
            contents: FxHashMap::default(),
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
            instr.guard = code.guarded_operands();
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

    /// A slot that holds this value from the start.
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
