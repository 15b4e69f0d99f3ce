//! Why a run ended abnormally. Traps are values: the machine returns them and stays intact for a look at its stack.

use crate::checks::Kind;
use crate::target::Fault;

/// The reason for which execution cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Trap {
    /// An `unreachable` instruction was executed.
    #[error("unreachable")]
    Unreachable,
    /// Integer division or remainder by zero.
    #[error("integer divide by zero")]
    DivisionByZero,
    /// A signed division, or a conversion of a float, whose result does not fit.
    #[error("integer overflow")]
    IntegerOverflow,
    /// A conversion of NaN to an integer.
    #[error("invalid conversion to integer")]
    InvalidConversion,
    /// A memory access that is not wholly inside the memory.
    #[error("out of bounds memory access")]
    MemoryOutOfBounds,
    /// A table access outside the table.
    #[error("out of bounds table access")]
    TableOutOfBounds,
    /// An indirect call through an index outside the table.
    #[error("undefined element")]
    UndefinedElement,
    /// An indirect call through a null reference.
    #[error("uninitialized element")]
    UninitializedElement,
    /// An indirect call to a function of another type.
    #[error("indirect call type mismatch")]
    IndirectCallType,
    /// The frame stack or the value stack reached its limit.
    #[error("call stack exhausted")]
    StackOverflow,
    /// An access that the memory allows and the program must not make, or another error that the checks noticed.
    #[error("{0}")]
    Violation(Kind),
    /// A host function ended the run; the code is the host's own.
    #[error("stopped by the host with code {0}")]
    Host(u32),
}

impl From<Trap> for Fault {
    fn from(trap: Trap) -> Fault {
        match trap {
            Trap::Unreachable => Fault::new("unreachable"),
            Trap::DivisionByZero => Fault::new("integer divide by zero"),
            Trap::IntegerOverflow => Fault::new("integer overflow"),
            Trap::InvalidConversion => Fault::new("invalid conversion to integer"),
            Trap::MemoryOutOfBounds => Fault::new("out of bounds memory access"),
            Trap::TableOutOfBounds => Fault::new("out of bounds table access"),
            Trap::UndefinedElement => Fault::new("undefined element"),
            Trap::UninitializedElement => Fault::new("uninitialized element"),
            Trap::IndirectCallType => Fault::new("indirect call type mismatch"),
            Trap::StackOverflow => Fault::new("call stack exhausted"),
            Trap::Violation(kind) => Fault::new(kind.row().name),
            Trap::Host(_) => Fault::named(&trap.to_string()),
        }
    }
}
