//! Numeric and memory instructions as types with a meaning on 64-bit slots.
//!
//! Every row of the `table` becomes a zero-sized type ([`ops`]) that implements [`Unary`], [`Binary`], [`Load`] or
//! [`Store`], and a variant of the enum of its form. A domain is generic over the type, so that the concrete one
//! compiles to the plain operation, and can look at the enum where it has a choice to make.
//!
//! A slot holds an `i32` zero-extended, an `f32` as its bits zero-extended, and a reference as zero (null) or one more
//! than what it refers to. Every float operation that computes gives the canonical NaN, so that a run is deterministic
//! and a term of the theory of floats, which has one NaN, describes it exactly; operations that WebAssembly defines on
//! bits (`abs`, `neg`, `copysign`, `reinterpret`, moves, loads and stores) keep payloads.

mod scalar;
pub(crate) mod table;

use crate::trap::Trap;
use scalar::{F32_SIGN, F64_SIGN};
pub use scalar::{Narrow, Word};
pub(crate) use scalar::{canonical32, canonical64, max32, max64, min32, min64, trunc};
use table::with_op_table;

/// An instruction with one operand.
pub trait Unary {
    /// Which one.
    const OP: UnaryOp;
    /// The result for this operand, or the trap.
    fn eval(a: u64) -> Result<u64, Trap>;
}

/// An instruction with two operands.
pub trait Binary {
    /// Which one.
    const OP: BinaryOp;
    /// The result for these operands, or the trap.
    fn eval(a: u64, b: u64) -> Result<u64, Trap>;
}

/// An integer comparison, which can branch.
pub trait Compare: Binary {
    /// Whether it holds.
    fn holds(a: u64, b: u64) -> bool;
}

/// An instruction that loads and widens.
pub trait Load {
    /// Which one.
    const OP: LoadOp;
    /// Whether it widens by the sign.
    const SIGNED: bool;
    /// The width of what it gives.
    const RESULT_BITS: u32;
    /// How many bytes it reads.
    const BYTES: usize = Self::Raw::BYTES;
    /// The type in memory.
    type Raw: Narrow;
    /// The slot for what was read.
    fn widen(raw: Self::Raw) -> u64;
}

/// An instruction that stores the low bytes of a slot.
pub trait Store {
    /// Which one.
    const OP: StoreOp;
    /// How many bytes it writes.
    const BYTES: usize = Self::Raw::BYTES;
    /// The type in memory.
    type Raw: Narrow;
}

/// What an expression of the table gives: a word, a truth value, or either or a trap.
trait Produce {
    fn produce(self) -> Result<u64, Trap>;
}

impl<T: Word> Produce for T {
    #[inline(always)]
    fn produce(self) -> Result<u64, Trap> {
        Ok(self.put())
    }
}

impl<T: Word> Produce for Result<T, Trap> {
    #[inline(always)]
    fn produce(self) -> Result<u64, Trap> {
        self.map(T::put)
    }
}

macro_rules! define_ops {
    (
        unary { $($un:ident($ua:ident: $ut:ty) = $ue:expr;)* }
        binary { $($bn:ident($ba:ident, $bb:ident: $bt:ty) = $be:expr;)* }
        integer { $($in:ident $ii:ident ($ia:ident, $ib:ident: $it:ty) = $ie:expr;)* }
        compare { $($cn:ident $ci:ident $cb:ident $cbi:ident not $cnot:ident ($ca:ident, $cc:ident: $ct:ty) = $ce:expr;)* }
        load { $($ln:ident: $lr:ty as $lt:ty;)* }
        store { $($sn:ident $_si:ident: $sr:ty;)* }
        multiply_add { $($_mn:ident = $_mm:ident $_ma:ident;)* }
        scaled { $($_zn:ident = $_zl:ident;)* }
    ) => {
        /// The instructions with one operand.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "the names are those of the WebAssembly instructions")]
        pub enum UnaryOp { $($un,)* }

        /// The instructions with two operands.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "the names are those of the WebAssembly instructions")]
        pub enum BinaryOp { $($bn,)* $($in,)* $($cn,)* }

        /// The instructions that load.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "the names are those of the WebAssembly instructions")]
        pub enum LoadOp { $($ln,)* }

        /// The instructions that store.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "the names are those of the WebAssembly instructions")]
        pub enum StoreOp { $($sn,)* }

        impl UnaryOp {
            /// All of them, in the table's order.
            pub const ALL: &[UnaryOp] = &[$(UnaryOp::$un,)*];

            /// The width of its operand.
            pub fn operand_bits(self) -> u32 {
                let bytes = match self { $(UnaryOp::$un => size_of::<$ut>(),)* };
                8 * bytes as u32
            }

            /// Its meaning, chosen at run time.
            pub fn eval(self, a: u64) -> Result<u64, Trap> {
                match self { $(UnaryOp::$un => ops::$un::eval(a),)* }
            }
        }

        impl BinaryOp {
            /// All of them, in the table's order.
            pub const ALL: &[BinaryOp] = &[$(BinaryOp::$bn,)* $(BinaryOp::$in,)* $(BinaryOp::$cn,)*];

            /// The width of its operands.
            pub fn operand_bits(self) -> u32 {
                let bytes = match self {
                    $(BinaryOp::$bn => size_of::<$bt>(),)*
                    $(BinaryOp::$in => size_of::<$it>(),)*
                    $(BinaryOp::$cn => size_of::<$ct>(),)*
                };
                8 * bytes as u32
            }

            /// Its meaning, chosen at run time.
            pub fn eval(self, a: u64, b: u64) -> Result<u64, Trap> {
                match self {
                    $(BinaryOp::$bn => ops::$bn::eval(a, b),)*
                    $(BinaryOp::$in => ops::$in::eval(a, b),)*
                    $(BinaryOp::$cn => ops::$cn::eval(a, b),)*
                }
            }
        }

        /// One type an instruction.
        #[expect(missing_docs, reason = "the names are those of the WebAssembly instructions")]
        pub mod ops {
            use super::*;
            $(pub struct $un;
            impl Unary for $un {
                const OP: UnaryOp = UnaryOp::$un;
                #[inline(always)]
                fn eval($ua: u64) -> Result<u64, Trap> {
                    let $ua = <$ut as Word>::take($ua);
                    Produce::produce($ue)
                }
            })*
            $(pub struct $bn;
            impl Binary for $bn {
                const OP: BinaryOp = BinaryOp::$bn;
                #[inline(always)]
                fn eval($ba: u64, $bb: u64) -> Result<u64, Trap> {
                    let ($ba, $bb) = (<$bt as Word>::take($ba), <$bt as Word>::take($bb));
                    Produce::produce($be)
                }
            })*
            $(pub struct $in;
            impl Binary for $in {
                const OP: BinaryOp = BinaryOp::$in;
                #[inline(always)]
                fn eval($ia: u64, $ib: u64) -> Result<u64, Trap> {
                    let ($ia, $ib) = (<$it as Word>::take($ia), <$it as Word>::take($ib));
                    Produce::produce($ie)
                }
            })*
            $(pub struct $cn;
            impl Binary for $cn {
                const OP: BinaryOp = BinaryOp::$cn;
                #[inline(always)]
                fn eval(a: u64, b: u64) -> Result<u64, Trap> {
                    Ok(u64::from(Self::holds(a, b)))
                }
            }
            impl Compare for $cn {
                #[inline(always)]
                fn holds($ca: u64, $cc: u64) -> bool {
                    let ($ca, $cc) = (<$ct as Word>::take($ca), <$ct as Word>::take($cc));
                    $ce
                }
            })*
            $(pub struct $ln;
            impl Load for $ln {
                const OP: LoadOp = LoadOp::$ln;
                const SIGNED: bool = <$lr>::MIN != 0;
                const RESULT_BITS: u32 = <$lt>::BITS;
                type Raw = $lr;
                #[inline(always)]
                fn widen(raw: $lr) -> u64 {
                    <$lt>::from(raw).put()
                }
            })*
            $(pub struct $sn;
            impl Store for $sn {
                const OP: StoreOp = StoreOp::$sn;
                type Raw = $sr;
            })*
        }
    };
}
with_op_table!(define_ops);
