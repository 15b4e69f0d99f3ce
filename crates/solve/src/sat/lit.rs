//! Variables and literals: typed indices, `2 * variable + sign`, so that a literal indexes a table
//! directly and its negation is one bit away.

use std::fmt;
use std::ops::Not;

/// A Boolean variable, numbered from zero in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Var {
    /// Variable number `index`. It means something only to the solver that created that many.
    #[inline]
    pub fn new(index: usize) -> Var {
        debug_assert!(index < (u32::MAX / 2) as usize);
        Var(index as u32)
    }

    /// Number of the variable.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that holds when the variable is true.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that holds when the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal that holds when the variable has the given value.
    #[inline]
    pub fn lit(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl Lit {
    /// The variable of the literal.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is the variable itself and not its negation.
    #[inline]
    pub fn is_pos(self) -> bool {
        self.0 & 1 == 0
    }

    /// Index into tables with one entry per literal.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that a DIMACS file writes as `number`; `None` for zero and for numbers that are too big.
    pub fn from_dimacs(number: i64) -> Option<Lit> {
        let index = number.unsigned_abs().checked_sub(1)?;
        (index < u64::from(u32::MAX / 4)).then(|| Var(index as u32).lit(number > 0))
    }

    /// The number that stands for this literal in a DIMACS file.
    pub fn to_dimacs(self) -> i64 {
        let number = i64::from(self.0 >> 1) + 1;
        if self.is_pos() { number } else { -number }
    }

    /// Inverse of [`Lit::raw`].
    #[inline]
    pub(super) fn from_raw(raw: u32) -> Lit {
        Lit(raw)
    }

    /// The bare word, for the arena whose header words share a vector with literals.
    #[inline]
    pub(super) fn raw(self) -> u32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}
