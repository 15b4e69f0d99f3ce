//! From a validated body to internal code, in one pass.
//!
//! The compiler runs the operand stack in its mind: an operand is in the slot of its height, or still the local or the
//! constant it was pushed as ([`stack`]). Some pairs of instructions become one. Blocks become labels ([`control`]); code after an unconditional branch is
//! skipped. It trusts the validator and refuses only frames of more slots than the code format can name.

mod control;
mod operators;
mod stack;
#[cfg(test)]
mod tests;
mod vectors;

use crate::code::{FRAME, Function, Instr, Program, Slot};
use crate::error::Error;
use crate::module::{Module, value_type};
use crate::types::{FunctionType, ValueType, slots_of};
use control::{Control, Label};
use stack::Operand;
use wasmparser::{BinaryReader, FunctionBody};

/// Where the machine keeps what a module names by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linkage {
    pub instance: u32,
    pub types: Vec<u32>,
    pub functions: Vec<u32>,
    pub tables: Vec<u32>,
    pub memories: Vec<u32>,
    /// The first slot of each global, and its type.
    pub globals: Vec<(u32, ValueType)>,
    /// The address of the first element segment; the others follow.
    pub elements: u32,
    /// The address of the first data segment; the others follow.
    pub data: u32,
}

/// Compiles the module's own function of this position, whose first instruction gets the site `first`.
pub(crate) fn compile(
    module: &Module,
    linkage: &Linkage,
    program: &Program,
    own: usize,
    first: u32,
) -> Result<Function, Error> {
    let index = module.imported_functions() + own;
    let ty = module.function_type(index as u32);
    let (bytes, start) = module.body(own);
    let body = FunctionBody::new(BinaryReader::new(bytes, start));

    let mut compiler = Compiler::new(module, linkage, program, ty);
    let mut locals = body.get_locals_reader()?;
    for _ in 0..locals.get_count() {
        let (count, ty) = locals.read()?;
        let ty = value_type(ty)?;
        (0..count).for_each(|_| compiler.add_local(ty));
    }
    compiler.enter_function(ty);
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        let (operator, offset) = operators.read_with_offset()?;
        compiler.offset = (offset - module.code_start) as u32;
        compiler.operator(operator)?;
    }
    if compiler.peak >= FRAME as u32 {
        return Err(Error::TooLarge { what: "a function's frame", limit: FRAME as u64 });
    }
    Ok(Function {
        ty: linkage.types[module.functions[index] as usize],
        params: slots_of(&ty.params) as u16,
        locals: compiler.first_operand as u16,
        results: slots_of(&ty.results) as u16,
        slots: compiler.peak,
        memory: linkage.memories.first().copied().unwrap_or(0),
        first,
        code: compiler.code.into(),
        pool: compiler.pool.into(),
        offsets: compiler.offsets.into(),
        index: index as u32,
        instance: linkage.instance,
        host: None,
    })
}

struct Compiler<'a> {
    module: &'a Module,
    linkage: &'a Linkage,
    program: &'a Program,
    results: &'a [ValueType],
    /// The slot and the type of each local.
    locals: Vec<(Slot, ValueType)>,
    /// The slot of the lowest operand: how many slots the locals take.
    first_operand: u32,
    /// One more than the highest slot used.
    peak: u32,
    operands: Vec<Operand>,
    controls: Vec<Control>,
    labels: Vec<Label>,
    /// Whether the code at hand can be reached.
    reachable: bool,
    /// How many blocks were entered in unreachable code.
    dead: u32,
    code: Vec<Instr>,
    offsets: Vec<u32>,
    pool: Vec<u64>,
    /// The offset of the operator at hand.
    offset: u32,
    /// Instructions before this index must stay as they are: a branch may lead behind them.
    barrier: usize,
}

impl<'a> Compiler<'a> {
    fn new(
        module: &'a Module,
        linkage: &'a Linkage,
        program: &'a Program,
        ty: &'a FunctionType,
    ) -> Compiler<'a> {
        let mut compiler = Compiler {
            module,
            linkage,
            program,
            results: &ty.results,
            locals: Vec::new(),
            first_operand: 0,
            peak: slots_of(&ty.results),
            operands: Vec::new(),
            controls: Vec::new(),
            labels: Vec::new(),
            reachable: true,
            dead: 0,
            code: Vec::new(),
            offsets: Vec::new(),
            pool: Vec::new(),
            offset: 0,
            barrier: 0,
        };
        ty.params.iter().for_each(|&ty| compiler.add_local(ty));
        compiler
    }

    fn add_local(&mut self, ty: ValueType) {
        self.locals.push((self.first_operand as Slot, ty));
        self.first_operand += u32::from(ty.slots());
        self.peak = self.peak.max(self.first_operand);
    }

    fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
        self.offsets.push(self.offset);
    }

    /// Emits an instruction, as one with the instruction before if that computes an operand of it and nothing else.
    fn emit_fused(&mut self, instr: Instr) {
        let last = self.code.last().filter(|_| self.code.len() > self.barrier).copied();
        // An operand's own slot is free once it is popped; a local is not.
        let first_operand = self.first_operand;
        match last.and_then(|last| last.fuse(instr, |slot| u32::from(slot) >= first_operand)) {
            Some(fused) => {
                self.code.pop();
                self.offsets.pop();
                self.emit(fused);
            }
            None => self.emit(instr),
        }
    }
}
