//! The kinds of errors, and the shades of closed bytes that tell them apart.

/// What was done wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the table below says what each is")]
pub enum Kind {
    HeapOverflow,
    HeapUseAfterFree,
    StackOverflow,
    StackUnderflow,
    UseAfterReturn,
    UseAfterScope,
    GlobalOverflow,
    AllocaOverflow,
    ContainerOverflow,
    Poisoned,
    Null,
    Wild,
    DoubleFree,
    InvalidFree,
    Mismatch,
    AllocationTooBig,
    CallocOverflow,
    Overlap,
    Leak,
    StackExhausted,
    SignedOverflow,
    Negation,
    Shift,
    DivisionOverflow,
    FloatCast,
    Bounds,
    Misaligned,
    Unreachable,
    MissingReturn,
    NullArgument,
    NullReturn,
    VlaBound,
    InvalidBool,
    InvalidBuiltin,
    PointerOverflow,
    FunctionType,
    Deadlock,
    SizeMismatch,
}

/// One kind.
#[derive(Clone, Copy, Debug)]
pub struct KindRow {
    /// Which one.
    pub kind: Kind,
    /// Its name: AddressSanitizer's where it has one.
    pub name: &'static str,
    /// Whether the run goes on after it: what is undefined has some result, and what comes after it is worth a test.
    pub goes_on: bool,
}

const fn fatal(kind: Kind, name: &'static str) -> KindRow {
    KindRow { kind, name, goes_on: false }
}

const fn undefined(kind: Kind, name: &'static str) -> KindRow {
    KindRow { kind, name, goes_on: true }
}

/// All kinds, in the order of the enum.
pub(crate) static KINDS: &[KindRow] = &[
    fatal(Kind::HeapOverflow, "heap-buffer-overflow"),
    fatal(Kind::HeapUseAfterFree, "heap-use-after-free"),
    fatal(Kind::StackOverflow, "stack-buffer-overflow"),
    fatal(Kind::StackUnderflow, "stack-buffer-underflow"),
    fatal(Kind::UseAfterReturn, "stack-use-after-return"),
    fatal(Kind::UseAfterScope, "stack-use-after-scope"),
    fatal(Kind::GlobalOverflow, "global-buffer-overflow"),
    fatal(Kind::AllocaOverflow, "dynamic-stack-buffer-overflow"),
    fatal(Kind::ContainerOverflow, "container-overflow"),
    fatal(Kind::Poisoned, "use-after-poison"),
    fatal(Kind::Null, "null-dereference"),
    fatal(Kind::Wild, "wild-pointer"),
    fatal(Kind::DoubleFree, "double-free"),
    fatal(Kind::InvalidFree, "invalid-free"),
    fatal(Kind::Mismatch, "alloc-dealloc-mismatch"),
    fatal(Kind::AllocationTooBig, "allocation-size-too-big"),
    fatal(Kind::CallocOverflow, "calloc-overflow"),
    fatal(Kind::Overlap, "memcpy-param-overlap"),
    undefined(Kind::Leak, "memory-leak"),
    fatal(Kind::StackExhausted, "stack-overflow"),
    undefined(Kind::SignedOverflow, "signed-integer-overflow"),
    undefined(Kind::Negation, "negation-overflow"),
    undefined(Kind::Shift, "shift-out-of-bounds"),
    undefined(Kind::DivisionOverflow, "undefined-division"),
    undefined(Kind::FloatCast, "float-cast-overflow"),
    undefined(Kind::Bounds, "index-out-of-bounds"),
    undefined(Kind::Misaligned, "misaligned-access"),
    fatal(Kind::Unreachable, "unreachable-code"),
    fatal(Kind::MissingReturn, "missing-return"),
    undefined(Kind::NullArgument, "null-argument"),
    undefined(Kind::NullReturn, "null-return"),
    undefined(Kind::VlaBound, "vla-bound-not-positive"),
    undefined(Kind::InvalidBool, "invalid-bool"),
    undefined(Kind::InvalidBuiltin, "invalid-builtin-argument"),
    undefined(Kind::PointerOverflow, "pointer-overflow"),
    fatal(Kind::FunctionType, "function-type-mismatch"),
    fatal(Kind::Deadlock, Kind::DEADLOCK),
    fatal(Kind::SizeMismatch, "new-delete-type-mismatch"),
];

impl Kind {
    /// What it may be to touch a byte that is closed: which of these it is depends on where the pointer comes from.
    pub(crate) const ACCESSES: &[Kind] = &[
        Kind::HeapOverflow,
        Kind::HeapUseAfterFree,
        Kind::StackOverflow,
        Kind::StackUnderflow,
        Kind::UseAfterReturn,
        Kind::UseAfterScope,
        Kind::GlobalOverflow,
        Kind::AllocaOverflow,
        Kind::Poisoned,
        Kind::Null,
        Kind::Wild,
    ];

    /// The name of what ends a run in which no thread can go on.
    pub(crate) const DEADLOCK: &str = "deadlock";

    /// The table's row for this kind.
    pub(crate) fn row(self) -> &'static KindRow {
        &KINDS[self as usize]
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.row().name)
    }
}

/// Why a byte is closed; zero is open. The values that the compiler writes are AddressSanitizer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shade(pub u8);

impl Shade {
    /// Before the first local of a frame.
    pub(crate) const STACK_LEFT: Shade = Shade(0xf1);
    /// Between two locals.
    pub(crate) const STACK_MID: Shade = Shade(0xf2);
    /// Behind the last local of a frame.
    pub(crate) const STACK_RIGHT: Shade = Shade(0xf3);
    /// A frame of a function that returned.
    pub(crate) const RETURNED: Shade = Shade(0xf5);
    /// Behind a global.
    pub(crate) const GLOBAL: Shade = Shade(0xf9);
    /// Beside an allocated block.
    pub(crate) const HEAP: Shade = Shade(0xfa);
    /// A block that was freed.
    pub(crate) const FREED: Shade = Shade(0xfd);
    /// Before and behind what `alloca` gave.
    pub(crate) const ALLOCA_LEFT: Shade = Shade(0xca);
    /// Behind it.
    pub(crate) const ALLOCA_RIGHT: Shade = Shade(0xcb);
    /// What a null pointer with an offset leads to.
    pub(crate) const NULL: Shade = Shade(0xe0);
    /// The last word of a frame that outlives its function: the compiler's own, which is always open.
    pub(crate) const OWN_WORD_VALUE: u8 = 0xee;

    /// What it is to touch such a byte.
    pub(crate) fn kind(self) -> Kind {
        match self.0 {
            0xf1 => Kind::StackUnderflow,
            0xf2 | 0xf3 => Kind::StackOverflow,
            0xf5 => Kind::UseAfterReturn,
            0xf8 => Kind::UseAfterScope,
            0xf9 => Kind::GlobalOverflow,
            0xfa => Kind::HeapOverflow,
            0xfd => Kind::HeapUseAfterFree,
            0xca | 0xcb => Kind::AllocaOverflow,
            0xfc => Kind::ContainerOverflow,
            0xe0 => Kind::Null,
            0xe1 => Kind::Wild,
            _ => Kind::Poisoned,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_enum() {
        for (i, row) in KINDS.iter().enumerate() {
            assert_eq!(row.kind as usize, i, "{}", row.name);
        }
        let mut names: Vec<&str> = KINDS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KINDS.len());
    }
}
