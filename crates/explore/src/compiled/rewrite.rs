//! A module into which records of its runs are written: turns, blocks, fuel, and a look at the shadow before each access.
//!
//! The result does what the module does, and in doing so leaves in a second memory what the interpreter's observer would have seen.
//! Everything that it imports is one of five functions (`runtime.wat`). Refused: vectors, changes of tables, passive data, and
//! imports other than functions; such modules are left to the interpreter.

use super::body::Writer;
use super::layout::Layout;
use super::plan::{Planner, Refusal};
use crate::code::Function;
use crate::coverage::Outline;
use crate::module::Module;
use crate::types::{FunctionType, Import, ImportType, ValueType};
use crate::world::functions::{Service, TABLE, provides};
use crate::world::wasi::Wasi;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ElementSection, ExportKind, ExportSection, FunctionSection, GlobalSection, ImportSection,
    InstructionSink, MemArg, MemArgTarget, MemorySection, MemoryType, TableSection, TypeSection, ValType,
};
use wasmparser::{Parser, Payload};

/// The imports of every rewritten module, in the order of `runtime.wat`.
pub(super) const IMPORTS: [&str; 5] = ["host", "host_many", "more", "settle", "bulk"];
const HOST: u32 = 0;
const HOST_MANY: u32 = 1;
/// How many arguments the first of them takes.
const FEW: usize = 3;
const MANY: usize = 9;

/// The functions of the runtime, in its order.
pub(super) const TURN: u32 = 0;
pub(super) const OUT: u32 = 1;
const WEIGH: u32 = 2;
pub(super) const BULK: u32 = 3;
pub(super) const CLOSED: u32 = 4;
pub(super) const CLOSED_STORE: u32 = 6;

/// Its globals, in its order. The names are exported.
pub(super) const GLOBALS: [&str; 8] = ["route", "last", "call", "fuel", "turns", "pages", "site", "depth"];
const ROUTE: u32 = 0;
const LAST: u32 = 1;
pub(super) const CALL: u32 = 2;
pub(super) const FUEL: u32 = 3;
const TURNS: u32 = 4;
pub(super) const PAGES: u32 = 5;
pub(super) const SITE: u32 = 6;
pub(super) const DEPTH: u32 = 7;

/// What a bulk operation is called between the module and its host.
pub(super) const GROW: i32 = 0;
pub(super) const FILL: i32 = 1;
pub(super) const COPY: i32 = 2;

/// What is written, and what it records.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) module: Vec<u8>,
    pub(super) outline: Outline,
    pub(super) layout: Layout,
}

/// What is known of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Original<'a> {
    pub(super) module: &'a Module,
    /// The machine's functions.
    pub(super) functions: &'a [Function],
    /// The function to run, by its index in the module.
    pub(super) entry: u32,
    /// The values of the module's globals when a run starts.
    pub(super) globals: &'a [u64],
    /// Whether it was compiled with red zones.
    pub(super) instrumented: bool,
}

/// The indices of the new module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indices {
    pub(super) imported: u32,
    own: u32,
    globals: u32,
    types: u32,
    /// Whether functions of the host are meant that are called through a table.
    through_table: bool,
}

impl Indices {
    pub(super) fn runtime(self, function: u32) -> u32 {
        IMPORTS.len() as u32 + self.own + 2 * self.imported + function
    }

    pub(super) fn global(self, global: u32) -> u32 {
        self.globals + global
    }
}

impl Reencode for Indices {
    type Error = Refusal;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Refusal>> {
        let first = IMPORTS.len() as u32;
        Ok(match function.checked_sub(self.imported) {
            Some(own) => first + own,
            None if self.through_table => first + self.own + self.imported + function,
            None => first + self.own + function,
        })
    }
}

/// The runtime's code refers to its own functions, globals and types.
struct Runtime(Indices);

impl Reencode for Runtime {
    type Error = Refusal;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Refusal>> {
        let own = function.checked_sub(IMPORTS.len() as u32);
        Ok(own.map_or(function, |own| self.0.runtime(own)))
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error<Refusal>> {
        Ok(self.0.global(global))
    }

    fn type_index(&mut self, ty: u32) -> Result<u32, Error<Refusal>> {
        Ok(self.0.types + ty)
    }
}

/// A reason in words.
pub(super) fn reason(error: Error<Refusal>) -> Refusal {
    match error {
        Error::UserError(reason) => reason,
        _ => "the module cannot be encoded again",
    }
}

/// Rewrites a module.
pub(super) fn rewrite(original: Original<'_>) -> Result<Rewritten, Refusal> {
    let module = original.module;
    if module.imports().iter().any(|import| !matches!(import.ty, ImportType::Function(_))) {
        return Err("it imports more than functions");
    }
    if module.memories.len() > 1 {
        return Err("it has several memories");
    }
    for (ty, ..) in &module.globals {
        value(*ty)?;
    }
    let (imported, own) = (module.imported_functions() as u32, module.bodies.len() as u32);
    let indices = Indices {
        imported,
        own,
        globals: module.globals.len() as u32,
        types: module.types.len() as u32,
        through_table: false,
    };
    let mut planner = Planner::default();
    let mut bodies = Vec::new();
    for position in 0..own {
        let index = imported + position;
        let function = original.functions.iter().find(|known| known.host.is_none() && known.index == index);
        let function = function.ok_or("a function is missing")?;
        bodies.push(Writer::new(original, indices, &mut planner, function).body(position as usize)?);
    }
    let layout = Layout::new(planner.outline.entries.len());
    let runtime =
        wat::parse_str(Layout::runtime(original.instrumented)).map_err(|_| "the runtime is not valid")?;
    let module = assemble(original, indices, &layout, &bodies, &runtime).map_err(reason)?;
    Ok(Rewritten { module, outline: planner.outline, layout })
}

pub(super) fn value(ty: ValueType) -> Result<ValType, Refusal> {
    match ty {
        ValueType::I32 => Ok(ValType::I32),
        ValueType::I64 => Ok(ValType::I64),
        ValueType::F32 => Ok(ValType::F32),
        ValueType::F64 => Ok(ValType::F64),
        _ => Err("it has vectors or references"),
    }
}

/// The sections of the new module: the program's, then the runtime's.
fn assemble(
    original: Original<'_>,
    mut indices: Indices,
    layout: &Layout,
    bodies: &[wasm_encoder::Function],
    runtime: &[u8],
) -> Result<Vec<u8>, Error<Refusal>> {
    let module = original.module;
    let (mut types, mut imports, mut functions) =
        (TypeSection::new(), ImportSection::new(), FunctionSection::new());
    let (mut tables, mut memories, mut globals) =
        (TableSection::new(), MemorySection::new(), GlobalSection::new());
    let (mut exports, mut elements, mut code) =
        (ExportSection::new(), ElementSection::new(), CodeSection::new());
    let values = |types: &[ValueType]| {
        types.iter().map(|&ty| value(ty)).collect::<Result<Vec<_>, _>>().map_err(Error::UserError)
    };
    for ty in &module.types {
        types.ty().function(values(&ty.params)?, values(&ty.results)?);
    }
    for payload in Parser::new(0).parse_all(module.bytes()) {
        match payload? {
            Payload::TableSection(section) => indices.parse_table_section(&mut tables, section)?,
            Payload::GlobalSection(section) => indices.parse_global_section(&mut globals, section)?,
            Payload::ElementSection(section) => {
                Indices { through_table: true, ..indices }.parse_element_section(&mut elements, section)?;
            }
            _ => {}
        }
    }
    let (imported, own) = module.functions.split_at(indices.imported as usize);
    own.iter().chain(imported).chain(imported).for_each(|&ty| {
        functions.function(ty);
    });
    bodies.iter().for_each(|body| {
        code.function(body);
    });
    for (import, &ty) in module.imports().iter().zip(imported) {
        code.function(&wrapper(indices, import, &module.types[ty as usize]).map_err(Error::UserError)?);
    }
    for ((index, import), &ty) in (0..).zip(module.imports()).zip(imported) {
        code.function(&trampoline(indices, index, import, &module.types[ty as usize]));
    }
    let mut runtime_functions = 0;
    for payload in Parser::new(0).parse_all(runtime) {
        let mut reencoder = Runtime(indices);
        match payload? {
            Payload::TypeSection(section) => reencoder.parse_type_section(&mut types, section)?,
            Payload::ImportSection(section) => reencoder.parse_import_section(&mut imports, section)?,
            Payload::FunctionSection(section) => {
                runtime_functions = section.count();
                reencoder.parse_function_section(&mut functions, section)?;
            }
            Payload::GlobalSection(section) => reencoder.parse_global_section(&mut globals, section)?,
            Payload::CodeSectionEntry(body) => reencoder.parse_function_body(&mut code, body)?,
            _ => {}
        }
    }
    functions.function(types.len());
    types.ty().function([], []);
    code.function(&run_function(original, indices));
    for pages in [layout.program_pages(), layout.record_pages()] {
        let (minimum, maximum) = (pages, Some(pages));
        memories.memory(MemoryType {
            minimum,
            maximum,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
    }
    for (at, name) in (0..).zip(GLOBALS) {
        exports.export(name, ExportKind::Global, indices.global(at));
    }
    exports.export("program", ExportKind::Memory, 0);
    exports.export("record", ExportKind::Memory, 1);
    exports.export("run", ExportKind::Func, indices.runtime(runtime_functions));

    let mut out = wasm_encoder::Module::new();
    out.section(&types).section(&imports).section(&functions).section(&tables).section(&memories);
    out.section(&globals).section(&exports).section(&elements).section(&code);
    Ok(out.finish())
}

/// What serves an import.
pub(super) fn service(import: &Import) -> Option<Service> {
    provides(import).map(|number| TABLE[number as usize].service)
}

/// A function of the host under its own type.
fn wrapper(indices: Indices, import: &Import, ty: &FunctionType) -> Result<wasm_encoder::Function, Refusal> {
    let number = provides(import).ok_or("it imports what the world does not have")?;
    let mut function = wasm_encoder::Function::new([]);
    let mut out = function.instructions();
    out.i32_const(number as i32).global_get(indices.global(SITE));
    let (host, most) = if ty.params.len() <= FEW { (HOST, FEW) } else { (HOST_MANY, MANY) };
    if ty.params.len() > most {
        return Err("a function of the host has too many parameters");
    }
    for (at, &ty) in (0..).zip(&ty.params) {
        out.local_get(at);
        widen(&mut out, value(ty)?);
    }
    for _ in ty.params.len()..most {
        out.i64_const(0);
    }
    out.call(host);
    match ty.results.first() {
        None => out.drop(),
        Some(ValueType::I32) => out.i32_wrap_i64(),
        Some(ValueType::F32) => out.i32_wrap_i64().f32_reinterpret_i32(),
        Some(ValueType::F64) => out.f64_reinterpret_i64(),
        Some(_) => &mut out,
    };
    if TABLE[number as usize].service == Service::Wasi(Wasi::RandomGet) {
        out.call(indices.runtime(WEIGH));
    }
    out.end();
    Ok(function)
}

/// The same where it is called through a table: that costs no fuel, but the call was charged. An assertion is a branch, which is recorded
/// where it is called by name only; through a table it is left to the interpreter.
fn trampoline(
    mut indices: Indices,
    index: u32,
    import: &Import,
    ty: &FunctionType,
) -> wasm_encoder::Function {
    let mut function = wasm_encoder::Function::new([]);
    let mut out = function.instructions();
    if service(import) == Some(Service::Assert) {
        out.unreachable().end();
        return function;
    }
    let fuel = indices.global(FUEL);
    out.global_get(fuel).i64_const(1).i64_add().global_set(fuel);
    for at in 0..ty.params.len() {
        out.local_get(at as u32);
    }
    out.call(indices.function_index(index).unwrap_or(0)).end();
    function
}

/// Sets everything to what it is at the start of a run, and calls the function to run with the arguments from the record.
fn run_function(original: Original<'_>, mut indices: Indices) -> wasm_encoder::Function {
    let mut function = wasm_encoder::Function::new([]);
    let mut out = function.instructions();
    for (at, ((ty, mutable, _), &bits)) in (0..).zip(original.module.globals.iter().zip(original.globals)) {
        if *mutable {
            match ty {
                ValueType::I64 => out.i64_const(bits as i64),
                ValueType::F32 => out.f32_const(f32::from_bits(bits as u32).into()),
                ValueType::F64 => out.f64_const(f64::from_bits(bits).into()),
                _ => out.i32_const(bits as i32),
            };
            out.global_set(at);
        }
    }
    for global in [ROUTE, LAST, CALL] {
        out.i64_const(0).global_set(indices.global(global));
    }
    for global in [TURNS, DEPTH] {
        out.i32_const(0).global_set(indices.global(global));
    }
    let ty = original.module.function_type(original.entry);
    for (at, ty) in (0..).zip(&ty.params) {
        let place = place(1, 8 * at);
        out.i32_const(0);
        match ty {
            ValueType::I64 => out.i64_load(place),
            ValueType::F32 => out.f32_load(place),
            ValueType::F64 => out.f64_load(place),
            _ => out.i32_load(place),
        };
    }
    out.call(indices.function_index(original.entry).unwrap_or(0));
    for _ in &ty.results {
        out.drop();
    }
    out.end();
    function
}

/// A place in one of the two memories.
pub(super) fn place(memory: u32, offset: u64) -> MemArg {
    MemArg { offset, align: 0, target: MemArgTarget::Memory(memory), ordering: None }
}

/// A value as 64 bits.
pub(super) fn widen(out: &mut InstructionSink<'_>, ty: ValType) {
    match ty {
        ValType::F32 => out.i32_reinterpret_f32().i64_extend_i32_u(),
        ValType::F64 => out.i64_reinterpret_f64(),
        ValType::I32 => out.i64_extend_i32_u(),
        _ => out,
    };
}
