//! The types of values, functions and what modules import and export.

use std::fmt;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueType {
    /// A 32-bit integer.
    I32,
    /// A 64-bit integer.
    I64,
    /// A 32-bit float.
    F32,
    /// A 64-bit float.
    F64,
    /// A 128-bit vector, in two slots, the low half first.
    V128,
    /// A reference to a function.
    FuncRef,
    /// A reference to something of the host.
    ExternRef,
}

impl ValueType {
    /// How many slots it takes.
    pub(crate) fn slots(self) -> u16 {
        if self == ValueType::V128 { 2 } else { 1 }
    }
}

/// Slots of several values.
pub(crate) fn slots_of(types: &[ValueType]) -> u32 {
    types.iter().map(|ty| u32::from(ty.slots())).sum()
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FunctionType {
    /// What it takes.
    pub params: Vec<ValueType>,
    /// What it gives.
    pub results: Vec<ValueType>,
}

impl fmt::Display for ValueType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            ValueType::I32 => "i32",
            ValueType::I64 => "i64",
            ValueType::F32 => "f32",
            ValueType::F64 => "f64",
            ValueType::V128 => "v128",
            ValueType::FuncRef => "funcref",
            ValueType::ExternRef => "externref",
        };
        out.write_str(word)
    }
}

impl fmt::Display for FunctionType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |types: &[ValueType]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        write!(out, "({}) -> ({})", list(&self.params), list(&self.results))
    }
}

/// Bounds on the size of a memory (in pages) or of a table (in elements).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeLimits {
    /// The initial size.
    pub min: u32,
    /// The size beyond which it does not grow.
    pub max: Option<u32>,
}

/// What an import must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImportType {
    /// A function.
    Function(FunctionType),
    /// A table.
    Table(ValueType, SizeLimits),
    /// A memory.
    Memory(SizeLimits),
    /// A global of this type, and whether it is mutable.
    Global(ValueType, bool),
}

impl fmt::Display for ImportType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportType::Function(ty) => write!(out, "{ty}"),
            ImportType::Table(..) => out.write_str("a table"),
            ImportType::Memory(_) => out.write_str("a memory"),
            ImportType::Global(..) => out.write_str("a global"),
        }
    }
}

/// A module's wish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The module it wants it from.
    pub module: String,
    /// The name there.
    pub name: String,
    /// What it must be.
    pub ty: ImportType,
}

macro_rules! addresses {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);
        impl $name {
            /// The position among its kind in the machine.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

addresses! {
    /// A function of a machine.
    FunctionId;
    /// A table of a machine.
    TableId;
    /// A memory of a machine.
    MemoryId;
    /// A global of a machine.
    GlobalId;
}

/// Something that can be exported and imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extern {
    /// A function.
    Function(FunctionId),
    /// A table.
    Table(TableId),
    /// A memory.
    Memory(MemoryId),
    /// A global.
    Global(GlobalId),
}
