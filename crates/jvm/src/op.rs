//! The machine's own code: bytecode decoded once, with jump targets, constants and, where their class was already there,
//! members resolved. Long and double values take two slots as in bytecode, the value in the first, so that `dup2` and its
//! like need no types.

use crate::class::{Class, Method};
use crate::kind::Kind;

/// Where a decision lies, by number.
pub(crate) type SiteId = u32;

/// Comparisons of integers, with zero or with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
    /// Less or equal.
    Le,
}

/// Arithmetic on two operands of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    IAdd,
    ISub,
    IMul,
    IAnd,
    IOr,
    IXor,
    IShl,
    IShr,
    IUshr,
    LAdd,
    LSub,
    LMul,
    LAnd,
    LOr,
    LXor,
    LShl,
    LShr,
    LUshr,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    DAdd,
    DSub,
    DMul,
    DDiv,
    DRem,
}

/// Conversions and negations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conversion {
    INeg,
    LNeg,
    FNeg,
    DNeg,
    I2L,
    I2F,
    I2D,
    L2I,
    L2F,
    L2D,
    F2I,
    F2L,
    F2D,
    D2I,
    D2L,
    D2F,
    I2B,
    I2C,
    I2S,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Nop,
    /// A source line of the program begins.
    Line {
        site: SiteId,
    },
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    Null,
    /// A string literal by number.
    Literal(u32),
    /// Any other constant, by its place in the pool.
    Constant {
        index: u16,
        wide: bool,
    },
    Load(u16),
    Load2(u16),
    Store(u16),
    Store2(u16),
    ArrayLoad {
        kind: Kind,
        site: SiteId,
    },
    /// Loads an element whose index is a local.
    ArrayLoadLocal {
        kind: Kind,
        slot: u16,
        site: SiteId,
    },
    ArrayStore {
        kind: Kind,
        site: SiteId,
    },
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    IAdd,
    ISub,
    IMul,
    IAnd,
    Arithmetic(Arithmetic),
    /// Arithmetic on an `int` and a constant.
    IntConstant {
        op: Arithmetic,
        value: i32,
    },
    /// Arithmetic on an `int` and a local.
    IntLocal {
        op: Arithmetic,
        slot: u16,
    },
    /// Arithmetic on a `long` or `double` and a local.
    WideLocal {
        op: Arithmetic,
        slot: u16,
    },
    IDiv {
        site: SiteId,
    },
    IRem {
        site: SiteId,
    },
    LDiv {
        site: SiteId,
    },
    LRem {
        site: SiteId,
    },
    Increment {
        slot: u16,
        by: i32,
    },
    Convert(Conversion),
    LCmp,
    FCmp {
        nan: i8,
    },
    DCmp {
        nan: i8,
    },
    If {
        condition: Condition,
        to: u32,
        site: SiteId,
    },
    IfCompare {
        condition: Condition,
        to: u32,
        site: SiteId,
    },
    /// A branch on an `int` and a constant.
    IfConstant {
        condition: Condition,
        value: i32,
        to: u32,
        site: SiteId,
    },
    /// A branch on an `int` and a local.
    IfLocal {
        condition: Condition,
        slot: u16,
        to: u32,
        site: SiteId,
    },
    /// A branch on two locals.
    IfLocals {
        condition: Condition,
        left: u16,
        right: u16,
        to: u32,
        site: SiteId,
    },
    /// `lcmp` and a branch.
    IfLong {
        condition: Condition,
        to: u32,
        site: SiteId,
    },
    /// `fcmp` or `dcmp` and a branch: whether the comparison (false for NaN) is negated.
    IfFloat {
        condition: Condition,
        double: bool,
        negated: bool,
        to: u32,
        site: SiteId,
    },
    IfNull {
        null: bool,
        to: u32,
        site: SiteId,
    },
    IfSame {
        same: bool,
        to: u32,
        site: SiteId,
    },
    Goto(u32),
    Jsr(u32),
    Ret(u16),
    Switch {
        table: u32,
        site: SiteId,
    },
    Return,
    Return1,
    Return2,
    GetField {
        offset: u32,
        kind: Kind,
    },
    /// Reads a field of the object in a local.
    GetFieldLocal {
        slot: u16,
        offset: u32,
        kind: Kind,
    },
    PutField {
        offset: u32,
        kind: Kind,
    },
    GetStatic {
        class: u32,
        offset: u32,
        kind: Kind,
    },
    PutStatic {
        class: u32,
        offset: u32,
        kind: Kind,
    },
    /// A field instruction whose class was not there: `get` or put, static or not.
    Field {
        index: u16,
        get: bool,
        fixed: bool,
    },
    InvokeVirtual {
        index: u32,
        arguments: u16,
    },
    InvokeSpecial(&'static Method),
    InvokeStatic(&'static Method),
    InvokeInterface(&'static Method),
    /// `MethodHandle.invoke` and its like: the pool's index of the method.
    InvokePolymorphic {
        index: u16,
    },
    /// A call whose class was not there; the bytecode says which.
    Invoke {
        index: u16,
        opcode: u8,
    },
    InvokeDynamic {
        index: u16,
    },
    New(&'static Class),
    /// `new`, `anewarray`, `checkcast` or `instanceof` of a class that was not there.
    OnClass {
        index: u16,
        opcode: u8,
        site: SiteId,
    },
    NewArray {
        class: &'static Class,
        site: SiteId,
    },
    MultiNewArray {
        index: u16,
        dimensions: u8,
        site: SiteId,
    },
    ArrayLength,
    Throw,
    CheckCast(&'static Class),
    InstanceOf(&'static Class),
    MonitorEnter,
    MonitorExit,
}

/// A `tableswitch` or `lookupswitch`.
#[derive(Clone, Debug)]
pub(crate) enum Switch {
    /// From a lowest key on; the default is the last.
    Table(i32, Vec<u32>),
    /// Keys in order, targets, the default.
    Lookup(Vec<i32>, Vec<u32>, u32),
    /// The first of the two switches that a `switch` on strings is compiled to, by the hash of a string.
    Strings(Strings),
}

/// A switch on the hash of the string in a local. The code of each case begins with the question whether the string is some literal.
#[derive(Clone, Debug)]
pub(crate) struct Strings {
    /// The local.
    pub slot: u16,
    /// Hashes in order, each with the number of the literal that is asked for first.
    pub keys: Vec<(i32, u32)>,
    /// Where each goes.
    pub targets: Vec<u32>,
    /// Where other hashes go.
    pub default: u32,
}

/// An exception handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Catch {
    /// The first instruction that it covers.
    pub start: u32,
    /// The first after that it does not.
    pub end: u32,
    /// Where it begins.
    pub to: u32,
    /// The pool's index of the class; 0 catches all.
    pub class: u16,
}

/// The code of a method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// Instructions.
    pub ops: Vec<Op>,
    /// The offset in the bytecode of each.
    pub offsets: Vec<u16>,
    /// The tables of `tableswitch` and `lookupswitch`.
    pub switches: Vec<Switch>,
    /// Handlers.
    pub catches: Vec<Catch>,
    /// Slots of locals.
    pub locals: u32,
    /// Slots of locals and operands.
    pub slots: u32,
}
