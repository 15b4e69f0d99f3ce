//! Machine words as slots, and the float operations that Rust defines otherwise than WebAssembly.

/// The sign of an `f32`.
pub(crate) const F32_SIGN: u32 = 1 << 31;
/// The sign of an `f64`.
pub(crate) const F64_SIGN: u64 = 1 << 63;

/// A type that a slot can hold.
pub trait Word: Copy {
    /// Reads a slot.
    fn take(slot: u64) -> Self;
    /// Fills a slot.
    fn put(self) -> u64;
}

macro_rules! words {
    ($($t:ty: $take:expr, $put:expr;)*) => {$(
        impl Word for $t {
            #[inline(always)]
            fn take(slot: u64) -> $t { let take: fn(u64) -> $t = $take; take(slot) }
            #[inline(always)]
            fn put(self) -> u64 { let put: fn($t) -> u64 = $put; put(self) }
        }
    )*};
}

words! {
    u32: |s| s as u32, u64::from;
    i32: |s| s as i32, |v| u64::from(v as u32);
    u64: |s| s, |v| v;
    i64: |s| s as i64, |v| v as u64;
    f32: |s| f32::from_bits(s as u32), |v| u64::from(v.to_bits());
    f64: f64::from_bits, f64::to_bits;
    bool: |s| s as u32 != 0, u64::from;
}

/// A type as it lies in memory, little-endian.
pub trait Narrow: Copy {
    /// How many bytes a value takes in memory.
    const BYTES: usize;
    /// Reads it at an address, if it lies wholly inside.
    fn read(memory: &[u8], address: usize) -> Option<Self>;
    /// Writes the low bytes of a slot to an address, if they lie wholly inside.
    fn write(memory: &mut [u8], address: usize, slot: u64) -> Option<()>;
    /// Whether all its bytes are zero.
    fn is_zero(self) -> bool;
}

macro_rules! narrows {
    ($($t:ty)*) => {$(
        impl Narrow for $t {
            const BYTES: usize = size_of::<$t>();
            #[inline(always)]
            fn read(memory: &[u8], address: usize) -> Option<$t> {
                // An address has 34 bits at most: this is one comparison.
                let bytes = memory.get(address..address + size_of::<$t>())?.first_chunk()?;
                Some(<$t>::from_le_bytes(*bytes))
            }
            #[inline(always)]
            fn write(memory: &mut [u8], address: usize, slot: u64) -> Option<()> {
                let bytes = memory.get_mut(address..address + size_of::<$t>())?.first_chunk_mut()?;
                *bytes = (slot as $t).to_le_bytes();
                Some(())
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                self == 0
            }
        }
    )*};
}
narrows! { u8 i8 u16 i16 u32 i32 u64 i64 }

/// The value itself, for places that are hardly ever reached.
#[cold]
#[inline(never)]
fn rare<T>(value: T) -> T {
    value
}

macro_rules! floats {
    ($t:ty, $canonical:ident, $min:ident, $max:ident, $nan:expr) => {
        /// The value itself, or the canonical NaN.
        #[inline(always)]
        pub(crate) fn $canonical(value: $t) -> $t {
            // A branch that is hardly ever taken is faster than a choice that waits for the value.
            if value.is_nan() { rare(<$t>::from_bits($nan)) } else { value }
        }

        /// The lesser operand; NaN if one is; the zero with a sign if both are zero.
        #[inline(always)]
        pub(crate) fn $min(a: $t, b: $t) -> $t {
            if a < b {
                a
            } else if b < a {
                b
            } else if a == b {
                <$t>::from_bits(a.to_bits() | b.to_bits())
            } else {
                <$t>::from_bits($nan)
            }
        }

        /// The greater operand; NaN if one is; the zero without a sign if both are zero.
        #[inline(always)]
        pub(crate) fn $max(a: $t, b: $t) -> $t {
            if a > b {
                a
            } else if b > a {
                b
            } else if a == b {
                <$t>::from_bits(a.to_bits() & b.to_bits())
            } else {
                <$t>::from_bits($nan)
            }
        }
    };
}
floats!(f32, canonical32, min32, max32, 0x7fc0_0000);
floats!(f64, canonical64, min64, max64, 0x7ff8_0000_0000_0000);

/// Truncation of floats to integers, which traps where the result does not fit.
pub(crate) mod trunc {
    use crate::trap::Trap;

    macro_rules! truncate {
        ($name:ident -> $t:ty: $above:expr, $below:expr) => {
            /// Truncates a value strictly between the bounds. Both are `f64`s, and an `f32` is one exactly.
            #[inline(always)]
            pub(crate) fn $name(value: f64) -> Result<$t, Trap> {
                if value > $above && value < $below {
                    Ok(value as $t)
                } else {
                    Err(if value.is_nan() { Trap::InvalidConversion } else { Trap::IntegerOverflow })
                }
            }
        };
    }
    truncate!(i32_s -> i32: -2_147_483_649.0, 2_147_483_648.0);
    truncate!(i32_u -> u32: -1.0, 4_294_967_296.0);
    // No `f64` lies between -2^63 - 1 and -2^63: the greatest below the range is -2^63 - 2048.
    truncate!(i64_s -> i64: -9_223_372_036_854_777_856.0, 9_223_372_036_854_775_808.0);
    truncate!(i64_u -> u64: -1.0, 18_446_744_073_709_551_616.0);
}
