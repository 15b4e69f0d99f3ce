//! Vectors as lanes: what the rows of the table are written with.

/// A lane of a vector.
pub(super) trait Lane: Copy {
    /// The width of a lane in bits.
    const BITS: usize;
    /// From the low bits.
    fn take(bits: u64) -> Self;
    /// Into the low bits; the others are zero.
    fn put(self) -> u64;
}

macro_rules! lanes {
    ($($t:ty: $raw:ty, $take:expr, $put:expr;)*) => {$(
        impl Lane for $t {
            const BITS: usize = <$raw>::BITS as usize;
            fn take(bits: u64) -> $t { let take: fn($raw) -> $t = $take; take(bits as $raw) }
            fn put(self) -> u64 { let put: fn($t) -> $raw = $put; u64::from(put(self)) }
        }
    )*};
}

lanes! {
    u8: u8, |b| b, |v| v;
    i8: u8, |b| b as i8, |v| v as u8;
    u16: u16, |b| b, |v| v;
    i16: u16, |b| b as i16, |v| v as u16;
    u32: u32, |b| b, |v| v;
    i32: u32, |b| b as i32, |v| v as u32;
    u64: u64, |b| b, |v| v;
    i64: u64, |b| b as i64, |v| v as u64;
    f32: u32, f32::from_bits, f32::to_bits;
    f64: u64, f64::from_bits, f64::to_bits;
}

/// Reads one lane of a vector.
pub(super) fn get<T: Lane>(v: u128, lane: usize) -> T {
    T::take((v >> (lane * T::BITS)) as u64)
}

/// The vector with one lane replaced.
pub(super) fn set<T: Lane>(v: u128, lane: usize, value: T) -> u128 {
    let mask = (u128::from(u64::MAX >> (64 - T::BITS))) << (lane * T::BITS);
    v & !mask | u128::from(value.put()) << (lane * T::BITS)
}

/// A vector from a function of the lane's position.
pub(super) fn build<T: Lane>(f: impl Fn(usize) -> T) -> u128 {
    (0..128 / T::BITS).fold(0, |v, lane| v | u128::from(f(lane).put()) << (lane * T::BITS))
}

/// The same in all lanes.
pub(super) fn splat<T: Lane>(value: T) -> u128 {
    build(|_| value)
}

/// A function of each lane.
pub(super) fn map<T: Lane, U: Lane>(a: u128, f: impl Fn(T) -> U) -> u128 {
    build(|i| f(get(a, i)))
}

/// A function of each pair of lanes.
pub(super) fn zip<T: Lane>(a: u128, b: u128, f: impl Fn(T, T) -> T) -> u128 {
    build(|i| f(get(a, i), get(b, i)))
}

/// All ones in the lanes that satisfy a comparison.
pub(super) fn compare<T: Lane>(a: u128, b: u128, f: impl Fn(&T, &T) -> bool) -> u128 {
    let ones = u128::from(u64::MAX >> (64 - T::BITS));
    let holds = |i| f(&get(a, i), &get(b, i));
    (0..128 / T::BITS).filter(|&i| holds(i)).fold(0, |v, i| v | ones << (i * T::BITS))
}

/// The lanes of half a vector, widened.
pub(super) fn widen<T: Lane, U: Lane + From<T>>(a: u128, high: bool) -> u128 {
    build(|i| U::from(get::<T>(a, i + usize::from(high) * (128 / U::BITS))))
}

/// Products of widened lanes of half of each vector.
pub(super) fn multiply<T: Lane, U: Lane + From<T> + std::ops::Mul<Output = U>>(
    a: u128,
    b: u128,
    high: bool,
) -> u128 {
    let start = usize::from(high) * (128 / U::BITS);
    build(|i| U::from(get::<T>(a, i + start)) * U::from(get::<T>(b, i + start)))
}

/// Sums of widened neighbours.
pub(super) fn pairs<T: Lane, U: Lane + From<T> + std::ops::Add<Output = U>>(a: u128) -> u128 {
    build(|i| U::from(get::<T>(a, 2 * i)) + U::from(get::<T>(a, 2 * i + 1)))
}

/// The lanes of both vectors, narrowed.
pub(super) fn narrow<T: Lane, U: Lane>(a: u128, b: u128, f: impl Fn(T) -> U) -> u128 {
    let half = 128 / T::BITS;
    build(|i| f(if i < half { get(a, i) } else { get(b, i - half) }))
}

/// Whether no lane is zero.
pub(super) fn all_true<T: Lane>(a: u128) -> u64 {
    u64::from((0..128 / T::BITS).all(|i| get::<T>(a, i).put() != 0))
}

/// The highest bit of every lane.
pub(super) fn bitmask<T: Lane>(a: u128) -> u64 {
    (0..128 / T::BITS).fold(0, |mask, i| mask | (get::<T>(a, i).put() >> (T::BITS - 1)) << i)
}

/// Bytes of the first vector at the positions that the second holds; zero beyond.
pub(super) fn swizzle(a: u128, positions: u128) -> u128 {
    build::<u8>(|i| match get::<u8>(positions, i) {
        at @ 0..16 => get(a, usize::from(at)),
        _ => 0,
    })
}

/// Bytes of both vectors at the positions that the third holds.
pub(super) fn shuffle(a: u128, b: u128, positions: u128) -> u128 {
    build::<u8>(|i| match usize::from(get::<u8>(positions, i)) {
        at @ 0..16 => get(a, at),
        at => get(b, at & 15),
    })
}

/// Pairwise products of 16-bit lanes, added to 32 bits.
pub(super) fn dot(a: u128, b: u128) -> u128 {
    let product = |i| i32::from(get::<i16>(a, i)) * i32::from(get::<i16>(b, i));
    build(|i| product(2 * i).wrapping_add(product(2 * i + 1)))
}

/// The rounded product of two fixed-point numbers of 15 fraction bits, saturated.
pub(super) fn q15(a: i16, b: i16) -> i16 {
    let product = (i32::from(a) * i32::from(b) + 0x4000) >> 15;
    product.min(i32::from(i16::MAX)) as i16
}

/// The rounded mean.
pub(super) fn average(a: u64, b: u64) -> u64 {
    (a + b).div_ceil(2)
}
