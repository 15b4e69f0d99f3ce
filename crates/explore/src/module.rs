//! Decoding and validating a module. Function bodies stay bytes until a machine compiles them for an instance.

use crate::error::Error;
use crate::types::{FunctionType, Import, ImportType, SizeLimits, ValueType};
use std::ops::Range;
use std::sync::Arc;
use wasmparser::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExternalKind, Operator, Parser, Payload, TableInit,
    TypeRef, ValType, ValidPayload, Validator, WasmFeatures,
};

/// A validated module.
#[derive(Clone, Debug)]
pub struct Module {
    pub(crate) types: Vec<FunctionType>,
    pub(crate) imports: Vec<Import>,
    /// Type indices of all functions, imported ones first.
    pub(crate) functions: Vec<u32>,
    pub(crate) tables: Vec<(ValueType, SizeLimits, Constant)>,
    pub(crate) memories: Vec<SizeLimits>,
    pub(crate) globals: Vec<(ValueType, bool, Constant)>,
    pub(crate) exports: Vec<Export>,
    pub(crate) start: Option<u32>,
    pub(crate) elements: Vec<Elements>,
    pub(crate) data: Vec<Data>,
    /// Where the bodies of the module's own functions lie in its bytes.
    pub(crate) bodies: Vec<Range<usize>>,
    /// Where the code section's contents start; offsets of debug information count from there.
    pub(crate) code_start: u64,
    custom: Vec<(String, Range<usize>)>,
    bytes: Arc<[u8]>,
}

/// A name that a module gives to one of its items.
#[derive(Clone, Debug)]
pub(crate) struct Export {
    pub name: String,
    pub kind: ExportKind,
    pub index: u32,
}

/// The index space an export points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportKind {
    Function,
    Table,
    Memory,
    Global,
}

/// When a segment is copied.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    Passive,
    Declared,
    Active { target: u32, offset: Constant },
}

/// An element segment.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    pub mode: Mode,
    pub items: Vec<Constant>,
}

/// A data segment.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub mode: Mode,
    pub bytes: Arc<[u8]>,
}

/// A constant expression, in postfix order.
pub(crate) type Constant = Vec<ConstantOp>;

/// A step of a constant expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ConstantOp {
    Value(u128),
    Global(u32),
    Function(u32),
    Binary(crate::op::BinaryOp),
}

/// The features that are understood: WebAssembly 2.0 and extended constant expressions.
fn features() -> WasmFeatures {
    WasmFeatures::WASM2 | WasmFeatures::EXTENDED_CONST
}

impl Module {
    /// Decodes and validates the binary format.
    pub fn decode(bytes: &[u8]) -> Result<Module, Error> {
        let mut module = Module {
            types: Vec::new(),
            imports: Vec::new(),
            functions: Vec::new(),
            tables: Vec::new(),
            memories: Vec::new(),
            globals: Vec::new(),
            exports: Vec::new(),
            start: None,
            elements: Vec::new(),
            data: Vec::new(),
            bodies: Vec::new(),
            code_start: 0,
            custom: Vec::new(),
            bytes: bytes.into(),
        };
        let mut validator = Validator::new_with_features(features());
        let mut bodies = Vec::new();
        let mut parser = Parser::new(0);
        parser.set_features(features());
        for payload in parser.parse_all(bytes) {
            let payload = payload?;
            if let ValidPayload::Func(function, body) = validator.payload(&payload)? {
                bodies.push((function, body));
            }
            module.section(payload)?;
        }
        let mut allocations = Default::default();
        for (function, body) in bodies {
            let mut validator = function.into_validator(allocations);
            validator.validate(&body)?;
            allocations = validator.into_allocations();
        }
        Ok(module)
    }

    /// What the module imports, in order.
    pub(crate) fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// The names of exported functions with their types, in order.
    pub(crate) fn exported_functions(&self) -> impl Iterator<Item = (&str, &FunctionType)> {
        let functions = self.exports.iter().filter(|export| export.kind == ExportKind::Function);
        functions.map(|export| (export.name.as_str(), self.function_type(export.index)))
    }

    /// The contents of custom sections, such as debug information, by name and in order.
    pub(crate) fn custom_sections(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.custom.iter().map(|(name, range)| (name.as_str(), &self.bytes[range.clone()]))
    }

    /// How many functions are imported; their indices come first.
    pub(crate) fn imported_functions(&self) -> usize {
        self.imports.iter().filter(|import| matches!(import.ty, ImportType::Function(_))).count()
    }

    /// The type of a function by its index.
    pub(crate) fn function_type(&self, index: u32) -> &FunctionType {
        &self.types[self.functions[index as usize] as usize]
    }

    /// The bytes of a body, and their offset in the file.
    pub(crate) fn body(&self, own: usize) -> (&[u8], u64) {
        let range = self.bodies[own].clone();
        (&self.bytes[range.clone()], range.start as u64)
    }

    fn section(&mut self, payload: Payload<'_>) -> Result<(), Error> {
        match payload {
            Payload::TypeSection(reader) => {
                for ty in reader.into_iter_err_on_gc_types() {
                    let ty = ty?;
                    self.types.push(FunctionType {
                        params: value_types(ty.params())?,
                        results: value_types(ty.results())?,
                    });
                }
            }
            Payload::ImportSection(reader) => {
                for import in reader.into_imports() {
                    let import = import?;
                    let ty = self.import_type(import.ty)?;
                    self.imports.push(Import {
                        module: import.module.to_string(),
                        name: import.name.to_string(),
                        ty,
                    });
                }
            }
            Payload::FunctionSection(reader) => {
                for index in reader {
                    self.functions.push(index?);
                }
            }
            Payload::TableSection(reader) => {
                for table in reader {
                    let table = table?;
                    let init = match &table.init {
                        TableInit::RefNull => vec![ConstantOp::Value(0)],
                        TableInit::Expr(expr) => constant(expr)?,
                    };
                    let ty = value_type(ValType::Ref(table.ty.element_type))?;
                    self.tables.push((ty, limits(table.ty.initial, table.ty.maximum), init));
                }
            }
            Payload::MemorySection(reader) => {
                for memory in reader {
                    let memory = memory?;
                    self.memories.push(limits(memory.initial, memory.maximum));
                }
            }
            Payload::GlobalSection(reader) => {
                for global in reader {
                    let global = global?;
                    let ty = value_type(global.ty.content_type)?;
                    self.globals.push((ty, global.ty.mutable, constant(&global.init_expr)?));
                }
            }
            Payload::ExportSection(reader) => {
                for export in reader {
                    let export = export?;
                    let kind = match export.kind {
                        ExternalKind::Func | ExternalKind::FuncExact => ExportKind::Function,
                        ExternalKind::Table => ExportKind::Table,
                        ExternalKind::Memory => ExportKind::Memory,
                        ExternalKind::Global => ExportKind::Global,
                        ExternalKind::Tag => return Err(unsupported("exported tag")),
                    };
                    self.exports.push(Export { name: export.name.to_string(), kind, index: export.index });
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(reader) => {
                for element in reader {
                    self.elements.push(elements(element?)?);
                }
            }
            Payload::DataSection(reader) => {
                for segment in reader {
                    let segment = segment?;
                    let mode = match &segment.kind {
                        DataKind::Passive => Mode::Passive,
                        DataKind::Active { memory_index, offset_expr } => {
                            Mode::Active { target: *memory_index, offset: constant(offset_expr)? }
                        }
                    };
                    self.data.push(Data { mode, bytes: segment.data.into() });
                }
            }
            Payload::CodeSectionStart { unchecked_range, .. } => self.code_start = unchecked_range.start,
            Payload::CodeSectionEntry(body) => {
                let range = body.range();
                self.bodies.push(range.start as usize..range.end as usize);
            }
            Payload::CustomSection(section) => {
                let start = section.data_offset() as usize;
                self.custom.push((section.name().to_string(), start..start + section.data().len()));
            }
            _ => {}
        }
        Ok(())
    }

    fn import_type(&mut self, ty: TypeRef) -> Result<ImportType, Error> {
        Ok(match ty {
            TypeRef::Func(index) | TypeRef::FuncExact(index) => {
                self.functions.push(index);
                ImportType::Function(self.types[index as usize].clone())
            }
            TypeRef::Table(table) => ImportType::Table(
                value_type(ValType::Ref(table.element_type))?,
                limits(table.initial, table.maximum),
            ),
            TypeRef::Memory(memory) => ImportType::Memory(limits(memory.initial, memory.maximum)),
            TypeRef::Global(global) => ImportType::Global(value_type(global.content_type)?, global.mutable),
            TypeRef::Tag(_) => return Err(unsupported("imported tag")),
        })
    }
}

fn elements(element: wasmparser::Element<'_>) -> Result<Elements, Error> {
    let mode = match &element.kind {
        ElementKind::Passive => Mode::Passive,
        ElementKind::Declared => Mode::Declared,
        ElementKind::Active { table_index, offset_expr } => {
            Mode::Active { target: table_index.unwrap_or(0), offset: constant(offset_expr)? }
        }
    };
    let items = match element.items {
        ElementItems::Functions(reader) => reader
            .into_iter()
            .map(|index| Ok(vec![ConstantOp::Function(index?)]))
            .collect::<Result<_, Error>>()?,
        ElementItems::Expressions(_, reader) => {
            reader.into_iter().map(|expr| constant(&expr?)).collect::<Result<_, Error>>()?
        }
    };
    Ok(Elements { mode, items })
}

fn constant(expr: &ConstExpr<'_>) -> Result<Constant, Error> {
    use crate::op::BinaryOp;
    let mut steps = Vec::new();
    for operator in expr.get_operators_reader() {
        steps.push(match operator? {
            Operator::I32Const { value } => ConstantOp::Value(u128::from(value as u32)),
            Operator::I64Const { value } => ConstantOp::Value(u128::from(value as u64)),
            Operator::F32Const { value } => ConstantOp::Value(u128::from(value.bits())),
            Operator::F64Const { value } => ConstantOp::Value(u128::from(value.bits())),
            Operator::V128Const { value } => ConstantOp::Value(value.i128() as u128),
            Operator::RefNull { .. } => ConstantOp::Value(0),
            Operator::RefFunc { function_index } => ConstantOp::Function(function_index),
            Operator::GlobalGet { global_index } => ConstantOp::Global(global_index),
            Operator::I32Add => ConstantOp::Binary(BinaryOp::I32Add),
            Operator::I32Sub => ConstantOp::Binary(BinaryOp::I32Sub),
            Operator::I32Mul => ConstantOp::Binary(BinaryOp::I32Mul),
            Operator::I64Add => ConstantOp::Binary(BinaryOp::I64Add),
            Operator::I64Sub => ConstantOp::Binary(BinaryOp::I64Sub),
            Operator::I64Mul => ConstantOp::Binary(BinaryOp::I64Mul),
            Operator::End => break,
            _ => return Err(unsupported("constant expression")),
        });
    }
    Ok(steps)
}

/// Validation allows nothing that is refused here; a feature switched on by mistake would be.
fn unsupported(what: &str) -> Error {
    Error::Invalid { message: format!("unsupported {what}"), offset: 0 }
}

fn limits(min: u64, max: Option<u64>) -> SizeLimits {
    let clamp = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
    SizeLimits { min: clamp(min), max: max.map(clamp) }
}

fn value_types(types: &[ValType]) -> Result<Vec<ValueType>, Error> {
    types.iter().map(|&ty| value_type(ty)).collect()
}

pub(crate) fn value_type(ty: ValType) -> Result<ValueType, Error> {
    Ok(match ty {
        ValType::I32 => ValueType::I32,
        ValType::I64 => ValueType::I64,
        ValType::F32 => ValueType::F32,
        ValType::F64 => ValueType::F64,
        ValType::V128 => ValueType::V128,
        ValType::Ref(ty) if ty.is_func_ref() => ValueType::FuncRef,
        ValType::Ref(ty) if ty.is_extern_ref() => ValueType::ExternRef,
        ValType::Ref(_) => return Err(unsupported("reference type")),
    })
}
