//! `StrictMath` by the algorithms of fdlibm, as the JDK has them, and `Math` where HotSpot has machine code: there the C
//! library's functions, which like HotSpot's are within one unit in the last place.

use super::{NativeRow, fdlibm};
use crate::domain::Values;
use crate::machine::{Done, Machine, NativeResult};
use explore::Site;
use explore::op::ops;

fn one<D: Values>(m: &mut Machine<D>, a: &[D::Value], f: fn(f64) -> f64) -> NativeResult<D> {
    let x = f64::from_bits(m.plain(a[0]));
    Ok(Done::Value(D::constant(canonical(f(x)))))
}

fn two<D: Values>(m: &mut Machine<D>, a: &[D::Value], f: fn(f64, f64) -> f64) -> NativeResult<D> {
    let (x, y) = (f64::from_bits(m.plain(a[0])), f64::from_bits(m.plain(a[2])));
    Ok(Done::Value(D::constant(canonical(f(x, y)))))
}

fn canonical(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8 << 48 } else { value.to_bits() }
}

fn unary<D: Values, O: explore::op::Unary>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    Ok(Done::Value(m.domain.unary::<O>(Site::new(0), a[0]).unwrap_or_default()))
}

/// Remainder of a division rounded to the nearest, ties to even.
fn ieee_remainder(x: f64, y: f64) -> f64 {
    libm::remquo(x, y).0
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/StrictMath.sin(D)D", |m, a| one(m, a, fdlibm::sin)),
        ("java/lang/StrictMath.cos(D)D", |m, a| one(m, a, fdlibm::cos)),
        ("java/lang/StrictMath.tan(D)D", |m, a| one(m, a, libm::tan)),
        ("java/lang/StrictMath.asin(D)D", |m, a| one(m, a, libm::asin)),
        ("java/lang/StrictMath.acos(D)D", |m, a| one(m, a, libm::acos)),
        ("java/lang/StrictMath.atan(D)D", |m, a| one(m, a, libm::atan)),
        ("java/lang/StrictMath.log(D)D", |m, a| one(m, a, fdlibm::log)),
        ("java/lang/StrictMath.log10(D)D", |m, a| one(m, a, fdlibm::log10)),
        ("java/lang/StrictMath.sqrt(D)D", |m, a| unary::<D, ops::F64Sqrt>(m, a)),
        ("java/lang/StrictMath.IEEEremainder(DD)D", |m, a| two(m, a, ieee_remainder)),
        ("java/lang/StrictMath.atan2(DD)D", |m, a| two(m, a, fdlibm::atan2)),
        ("java/lang/StrictMath.sinh(D)D", |m, a| one(m, a, fdlibm::sinh)),
        ("java/lang/StrictMath.cosh(D)D", |m, a| one(m, a, fdlibm::cosh)),
        ("java/lang/StrictMath.tanh(D)D", |m, a| one(m, a, fdlibm::tanh)),
        ("java/lang/StrictMath.expm1(D)D", |m, a| one(m, a, libm::expm1)),
        ("java/lang/StrictMath.log1p(D)D", |m, a| one(m, a, libm::log1p)),
        ("java/lang/Math.sin(D)D", |m, a| one(m, a, f64::sin)),
        ("java/lang/Math.cos(D)D", |m, a| one(m, a, f64::cos)),
        ("java/lang/Math.tan(D)D", |m, a| one(m, a, f64::tan)),
        ("java/lang/Math.exp(D)D", |m, a| one(m, a, f64::exp)),
        ("java/lang/Math.log(D)D", |m, a| one(m, a, f64::ln)),
        ("java/lang/Math.log10(D)D", |m, a| one(m, a, f64::log10)),
        ("java/lang/Math.pow(DD)D", |m, a| {
            two(
                m,
                a,
                |x, y| if x.abs() == 1.0 && y.is_infinite() || y.is_nan() { f64::NAN } else { x.powf(y) },
            )
        }),
        ("java/lang/Math.fma(DDD)D", |m, a| {
            let [x, y, z] = [a[0], a[2], a[4]].map(|value| f64::from_bits(m.plain(value)));
            Ok(Done::Value(D::constant(canonical(libm::fma(x, y, z)))))
        }),
        ("java/lang/Math.fma(FFF)F", |m, a| {
            let [x, y, z] = [a[0], a[1], a[2]].map(|value| f32::from_bits(m.plain(value) as u32));
            let result = libm::fmaf(x, y, z);
            let bits = if result.is_nan() { 0x7fc0_0000 } else { result.to_bits() };
            Ok(Done::Value(D::constant(u64::from(bits))))
        }),
        ("java/lang/Math.sqrt(D)D", |m, a| unary::<D, ops::F64Sqrt>(m, a)),
        ("java/lang/Math.abs(D)D", |m, a| unary::<D, ops::F64Abs>(m, a)),
        ("java/lang/Math.abs(F)F", |m, a| unary::<D, ops::F32Abs>(m, a)),
        ("java/lang/Math.floor(D)D", |m, a| unary::<D, ops::F64Floor>(m, a)),
        ("java/lang/Math.ceil(D)D", |m, a| unary::<D, ops::F64Ceil>(m, a)),
        ("java/lang/Math.rint(D)D", |m, a| unary::<D, ops::F64Nearest>(m, a)),
    ]
}
