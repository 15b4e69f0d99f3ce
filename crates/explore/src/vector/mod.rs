//! The instructions on 128-bit vectors, computed on bits.
//!
//! A domain makes the operands concrete; only moves, loads and stores keep what it knows of them, and those the compiler
//! builds from instructions on the two 64-bit halves. One row an instruction, by the form of its operands (`v` a vector,
//! `s` a scalar) and its result.

mod lanes;

use crate::op::{canonical32, canonical64, max32, max64, min32, min64};
use lanes::*;

macro_rules! with_vector_table {
    ($then:ident) => {
        $then! {
            v_v {
                V128Not(a) = !a;
                I8x16Abs(a) = map(a, i8::wrapping_abs);
                I8x16Neg(a) = map(a, i8::wrapping_neg);
                I8x16Popcnt(a) = map(a, |x: u8| x.count_ones() as u8);
                I16x8Abs(a) = map(a, i16::wrapping_abs);
                I16x8Neg(a) = map(a, i16::wrapping_neg);
                I32x4Abs(a) = map(a, i32::wrapping_abs);
                I32x4Neg(a) = map(a, i32::wrapping_neg);
                I64x2Abs(a) = map(a, i64::wrapping_abs);
                I64x2Neg(a) = map(a, i64::wrapping_neg);
                I16x8ExtAddPairwiseI8x16S(a) = pairs::<i8, i16>(a);
                I16x8ExtAddPairwiseI8x16U(a) = pairs::<u8, u16>(a);
                I32x4ExtAddPairwiseI16x8S(a) = pairs::<i16, i32>(a);
                I32x4ExtAddPairwiseI16x8U(a) = pairs::<u16, u32>(a);
                I16x8ExtendLowI8x16S(a) = widen::<i8, i16>(a, false);
                I16x8ExtendHighI8x16S(a) = widen::<i8, i16>(a, true);
                I16x8ExtendLowI8x16U(a) = widen::<u8, u16>(a, false);
                I16x8ExtendHighI8x16U(a) = widen::<u8, u16>(a, true);
                I32x4ExtendLowI16x8S(a) = widen::<i16, i32>(a, false);
                I32x4ExtendHighI16x8S(a) = widen::<i16, i32>(a, true);
                I32x4ExtendLowI16x8U(a) = widen::<u16, u32>(a, false);
                I32x4ExtendHighI16x8U(a) = widen::<u16, u32>(a, true);
                I64x2ExtendLowI32x4S(a) = widen::<i32, i64>(a, false);
                I64x2ExtendHighI32x4S(a) = widen::<i32, i64>(a, true);
                I64x2ExtendLowI32x4U(a) = widen::<u32, u64>(a, false);
                I64x2ExtendHighI32x4U(a) = widen::<u32, u64>(a, true);
                F32x4Ceil(a) = map(a, |x: f32| canonical32(x.ceil()));
                F32x4Floor(a) = map(a, |x: f32| canonical32(x.floor()));
                F32x4Trunc(a) = map(a, |x: f32| canonical32(x.trunc()));
                F32x4Nearest(a) = map(a, |x: f32| canonical32(x.round_ties_even()));
                F32x4Sqrt(a) = map(a, |x: f32| canonical32(x.sqrt()));
                F32x4Abs(a) = map(a, |x: u32| x & !(1 << 31));
                F32x4Neg(a) = map(a, |x: u32| x ^ (1 << 31));
                F64x2Ceil(a) = map(a, |x: f64| canonical64(x.ceil()));
                F64x2Floor(a) = map(a, |x: f64| canonical64(x.floor()));
                F64x2Trunc(a) = map(a, |x: f64| canonical64(x.trunc()));
                F64x2Nearest(a) = map(a, |x: f64| canonical64(x.round_ties_even()));
                F64x2Sqrt(a) = map(a, |x: f64| canonical64(x.sqrt()));
                F64x2Abs(a) = map(a, |x: u64| x & !(1 << 63));
                F64x2Neg(a) = map(a, |x: u64| x ^ (1 << 63));
                I32x4TruncSatF32x4S(a) = map(a, |x: f32| x as i32);
                I32x4TruncSatF32x4U(a) = map(a, |x: f32| x as u32);
                F32x4ConvertI32x4S(a) = map(a, |x: i32| x as f32);
                F32x4ConvertI32x4U(a) = map(a, |x: u32| x as f32);
                I32x4TruncSatF64x2SZero(a) = narrow(a, 0, |x: f64| x as i32);
                I32x4TruncSatF64x2UZero(a) = narrow(a, 0, |x: f64| x as u32);
                F64x2ConvertLowI32x4S(a) = widen::<i32, f64>(a, false);
                F64x2ConvertLowI32x4U(a) = widen::<u32, f64>(a, false);
                F32x4DemoteF64x2Zero(a) = narrow(a, 0, |x: f64| canonical32(x as f32));
                F64x2PromoteLowF32x4(a) = map(widen::<f32, f64>(a, false), canonical64);
            }
            vv_v {
                I8x16Swizzle(a, b) = swizzle(a, b);
                I8x16Eq(a, b) = compare(a, b, u8::eq);
                I8x16Ne(a, b) = compare(a, b, u8::ne);
                I8x16LtS(a, b) = compare(a, b, i8::lt);
                I8x16LtU(a, b) = compare(a, b, u8::lt);
                I8x16GtS(a, b) = compare(a, b, i8::gt);
                I8x16GtU(a, b) = compare(a, b, u8::gt);
                I8x16LeS(a, b) = compare(a, b, i8::le);
                I8x16LeU(a, b) = compare(a, b, u8::le);
                I8x16GeS(a, b) = compare(a, b, i8::ge);
                I8x16GeU(a, b) = compare(a, b, u8::ge);
                I16x8Eq(a, b) = compare(a, b, u16::eq);
                I16x8Ne(a, b) = compare(a, b, u16::ne);
                I16x8LtS(a, b) = compare(a, b, i16::lt);
                I16x8LtU(a, b) = compare(a, b, u16::lt);
                I16x8GtS(a, b) = compare(a, b, i16::gt);
                I16x8GtU(a, b) = compare(a, b, u16::gt);
                I16x8LeS(a, b) = compare(a, b, i16::le);
                I16x8LeU(a, b) = compare(a, b, u16::le);
                I16x8GeS(a, b) = compare(a, b, i16::ge);
                I16x8GeU(a, b) = compare(a, b, u16::ge);
                I32x4Eq(a, b) = compare(a, b, u32::eq);
                I32x4Ne(a, b) = compare(a, b, u32::ne);
                I32x4LtS(a, b) = compare(a, b, i32::lt);
                I32x4LtU(a, b) = compare(a, b, u32::lt);
                I32x4GtS(a, b) = compare(a, b, i32::gt);
                I32x4GtU(a, b) = compare(a, b, u32::gt);
                I32x4LeS(a, b) = compare(a, b, i32::le);
                I32x4LeU(a, b) = compare(a, b, u32::le);
                I32x4GeS(a, b) = compare(a, b, i32::ge);
                I32x4GeU(a, b) = compare(a, b, u32::ge);
                I64x2Eq(a, b) = compare(a, b, u64::eq);
                I64x2Ne(a, b) = compare(a, b, u64::ne);
                I64x2LtS(a, b) = compare(a, b, i64::lt);
                I64x2GtS(a, b) = compare(a, b, i64::gt);
                I64x2LeS(a, b) = compare(a, b, i64::le);
                I64x2GeS(a, b) = compare(a, b, i64::ge);
                F32x4Eq(a, b) = compare(a, b, f32::eq);
                F32x4Ne(a, b) = compare(a, b, f32::ne);
                F32x4Lt(a, b) = compare(a, b, f32::lt);
                F32x4Gt(a, b) = compare(a, b, f32::gt);
                F32x4Le(a, b) = compare(a, b, f32::le);
                F32x4Ge(a, b) = compare(a, b, f32::ge);
                F64x2Eq(a, b) = compare(a, b, f64::eq);
                F64x2Ne(a, b) = compare(a, b, f64::ne);
                F64x2Lt(a, b) = compare(a, b, f64::lt);
                F64x2Gt(a, b) = compare(a, b, f64::gt);
                F64x2Le(a, b) = compare(a, b, f64::le);
                F64x2Ge(a, b) = compare(a, b, f64::ge);
                V128And(a, b) = a & b;
                V128AndNot(a, b) = a & !b;
                V128Or(a, b) = a | b;
                V128Xor(a, b) = a ^ b;
                I8x16NarrowI16x8S(a, b) = narrow(a, b, |x: i16| x.clamp(-128, 127) as i8);
                I8x16NarrowI16x8U(a, b) = narrow(a, b, |x: i16| x.clamp(0, 255) as u8);
                I16x8NarrowI32x4S(a, b) = narrow(a, b, |x: i32| x.clamp(-32_768, 32_767) as i16);
                I16x8NarrowI32x4U(a, b) = narrow(a, b, |x: i32| x.clamp(0, 65_535) as u16);
                I8x16Add(a, b) = zip(a, b, u8::wrapping_add);
                I8x16AddSatS(a, b) = zip(a, b, i8::saturating_add);
                I8x16AddSatU(a, b) = zip(a, b, u8::saturating_add);
                I8x16Sub(a, b) = zip(a, b, u8::wrapping_sub);
                I8x16SubSatS(a, b) = zip(a, b, i8::saturating_sub);
                I8x16SubSatU(a, b) = zip(a, b, u8::saturating_sub);
                I8x16MinS(a, b) = zip(a, b, i8::min);
                I8x16MinU(a, b) = zip(a, b, u8::min);
                I8x16MaxS(a, b) = zip(a, b, i8::max);
                I8x16MaxU(a, b) = zip(a, b, u8::max);
                I8x16AvgrU(a, b) = zip(a, b, |x: u8, y: u8| average(x.into(), y.into()) as u8);
                I16x8Add(a, b) = zip(a, b, u16::wrapping_add);
                I16x8AddSatS(a, b) = zip(a, b, i16::saturating_add);
                I16x8AddSatU(a, b) = zip(a, b, u16::saturating_add);
                I16x8Sub(a, b) = zip(a, b, u16::wrapping_sub);
                I16x8SubSatS(a, b) = zip(a, b, i16::saturating_sub);
                I16x8SubSatU(a, b) = zip(a, b, u16::saturating_sub);
                I16x8Mul(a, b) = zip(a, b, u16::wrapping_mul);
                I16x8MinS(a, b) = zip(a, b, i16::min);
                I16x8MinU(a, b) = zip(a, b, u16::min);
                I16x8MaxS(a, b) = zip(a, b, i16::max);
                I16x8MaxU(a, b) = zip(a, b, u16::max);
                I16x8AvgrU(a, b) = zip(a, b, |x: u16, y: u16| average(x.into(), y.into()) as u16);
                I16x8Q15MulrSatS(a, b) = zip(a, b, q15);
                I32x4Add(a, b) = zip(a, b, u32::wrapping_add);
                I32x4Sub(a, b) = zip(a, b, u32::wrapping_sub);
                I32x4Mul(a, b) = zip(a, b, u32::wrapping_mul);
                I32x4MinS(a, b) = zip(a, b, i32::min);
                I32x4MinU(a, b) = zip(a, b, u32::min);
                I32x4MaxS(a, b) = zip(a, b, i32::max);
                I32x4MaxU(a, b) = zip(a, b, u32::max);
                I32x4DotI16x8S(a, b) = dot(a, b);
                I64x2Add(a, b) = zip(a, b, u64::wrapping_add);
                I64x2Sub(a, b) = zip(a, b, u64::wrapping_sub);
                I64x2Mul(a, b) = zip(a, b, u64::wrapping_mul);
                I16x8ExtMulLowI8x16S(a, b) = multiply::<i8, i16>(a, b, false);
                I16x8ExtMulHighI8x16S(a, b) = multiply::<i8, i16>(a, b, true);
                I16x8ExtMulLowI8x16U(a, b) = multiply::<u8, u16>(a, b, false);
                I16x8ExtMulHighI8x16U(a, b) = multiply::<u8, u16>(a, b, true);
                I32x4ExtMulLowI16x8S(a, b) = multiply::<i16, i32>(a, b, false);
                I32x4ExtMulHighI16x8S(a, b) = multiply::<i16, i32>(a, b, true);
                I32x4ExtMulLowI16x8U(a, b) = multiply::<u16, u32>(a, b, false);
                I32x4ExtMulHighI16x8U(a, b) = multiply::<u16, u32>(a, b, true);
                I64x2ExtMulLowI32x4S(a, b) = multiply::<i32, i64>(a, b, false);
                I64x2ExtMulHighI32x4S(a, b) = multiply::<i32, i64>(a, b, true);
                I64x2ExtMulLowI32x4U(a, b) = multiply::<u32, u64>(a, b, false);
                I64x2ExtMulHighI32x4U(a, b) = multiply::<u32, u64>(a, b, true);
                F32x4Add(a, b) = zip(a, b, |x: f32, y: f32| canonical32(x + y));
                F32x4Sub(a, b) = zip(a, b, |x: f32, y: f32| canonical32(x - y));
                F32x4Mul(a, b) = zip(a, b, |x: f32, y: f32| canonical32(x * y));
                F32x4Div(a, b) = zip(a, b, |x: f32, y: f32| canonical32(x / y));
                F32x4Min(a, b) = zip(a, b, min32);
                F32x4Max(a, b) = zip(a, b, max32);
                F32x4PMin(a, b) = zip(a, b, |x: f32, y: f32| if y < x { y } else { x });
                F32x4PMax(a, b) = zip(a, b, |x: f32, y: f32| if x < y { y } else { x });
                F64x2Add(a, b) = zip(a, b, |x: f64, y: f64| canonical64(x + y));
                F64x2Sub(a, b) = zip(a, b, |x: f64, y: f64| canonical64(x - y));
                F64x2Mul(a, b) = zip(a, b, |x: f64, y: f64| canonical64(x * y));
                F64x2Div(a, b) = zip(a, b, |x: f64, y: f64| canonical64(x / y));
                F64x2Min(a, b) = zip(a, b, min64);
                F64x2Max(a, b) = zip(a, b, max64);
                F64x2PMin(a, b) = zip(a, b, |x: f64, y: f64| if y < x { y } else { x });
                F64x2PMax(a, b) = zip(a, b, |x: f64, y: f64| if x < y { y } else { x });
            }
            vvv_v {
                V128Bitselect(a, b, c) = a & c | b & !c;
                I8x16Shuffle(a, b, c) = shuffle(a, b, c);
            }
            v_s {
                V128AnyTrue(a) = u64::from(a != 0);
                I8x16AllTrue(a) = all_true::<u8>(a);
                I16x8AllTrue(a) = all_true::<u16>(a);
                I32x4AllTrue(a) = all_true::<u32>(a);
                I64x2AllTrue(a) = all_true::<u64>(a);
                I8x16Bitmask(a) = bitmask::<u8>(a);
                I16x8Bitmask(a) = bitmask::<u16>(a);
                I32x4Bitmask(a) = bitmask::<u32>(a);
                I64x2Bitmask(a) = bitmask::<u64>(a);
            }
            s_v {
                I8x16Splat(s) = splat(s as u8);
                I16x8Splat(s) = splat(s as u16);
                I32x4Splat(s) = splat(s as u32);
                I64x2Splat(s) = splat(s);
                F32x4Splat(s) = splat(s as u32);
                F64x2Splat(s) = splat(s);
            }
            vs_v {
                I8x16Shl(a, s) = map(a, |x: u8| x.wrapping_shl(s as u32));
                I8x16ShrS(a, s) = map(a, |x: i8| x.wrapping_shr(s as u32));
                I8x16ShrU(a, s) = map(a, |x: u8| x.wrapping_shr(s as u32));
                I16x8Shl(a, s) = map(a, |x: u16| x.wrapping_shl(s as u32));
                I16x8ShrS(a, s) = map(a, |x: i16| x.wrapping_shr(s as u32));
                I16x8ShrU(a, s) = map(a, |x: u16| x.wrapping_shr(s as u32));
                I32x4Shl(a, s) = map(a, |x: u32| x.wrapping_shl(s as u32));
                I32x4ShrS(a, s) = map(a, |x: i32| x.wrapping_shr(s as u32));
                I32x4ShrU(a, s) = map(a, |x: u32| x.wrapping_shr(s as u32));
                I64x2Shl(a, s) = map(a, |x: u64| x.wrapping_shl(s as u32));
                I64x2ShrS(a, s) = map(a, |x: i64| x.wrapping_shr(s as u32));
                I64x2ShrU(a, s) = map(a, |x: u64| x.wrapping_shr(s as u32));
            }
            extract {
                I8x16ExtractLaneS(a, lane) = u64::from(i32::from(get::<i8>(a, lane)) as u32);
                I8x16ExtractLaneU(a, lane) = get::<u8>(a, lane).put();
                I16x8ExtractLaneS(a, lane) = u64::from(i32::from(get::<i16>(a, lane)) as u32);
                I16x8ExtractLaneU(a, lane) = get::<u16>(a, lane).put();
                I32x4ExtractLane(a, lane) = get::<u32>(a, lane).put();
                I64x2ExtractLane(a, lane) = get::<u64>(a, lane);
                F32x4ExtractLane(a, lane) = get::<u32>(a, lane).put();
                F64x2ExtractLane(a, lane) = get::<u64>(a, lane);
            }
            replace {
                I8x16ReplaceLane(a, s, lane) = set(a, lane, s as u8);
                I16x8ReplaceLane(a, s, lane) = set(a, lane, s as u16);
                I32x4ReplaceLane(a, s, lane) = set(a, lane, s as u32);
                I64x2ReplaceLane(a, s, lane) = set(a, lane, s);
                F32x4ReplaceLane(a, s, lane) = set(a, lane, s as u32);
                F64x2ReplaceLane(a, s, lane) = set(a, lane, s);
            }
        }
    };
}
pub(crate) use with_vector_table;

/// The low half first, as slots hold it.
fn join(slots: &[u64]) -> u128 {
    u128::from(slots[1]) << 64 | u128::from(slots[0])
}

fn split(vector: u128) -> [u64; 2] {
    [vector as u64, (vector >> 64) as u64]
}

macro_rules! define_vectors {
    (
        v_v { $($n1:ident($a1:ident) = $e1:expr;)* }
        vv_v { $($n2:ident($a2:ident, $b2:ident) = $e2:expr;)* }
        vvv_v { $($n3:ident($a3:ident, $b3:ident, $c3:ident) = $e3:expr;)* }
        v_s { $($n4:ident($a4:ident) = $e4:expr;)* }
        s_v { $($n5:ident($s5:ident) = $e5:expr;)* }
        vs_v { $($n6:ident($a6:ident, $s6:ident) = $e6:expr;)* }
        extract { $($n7:ident($a7:ident, $l7:ident) = $e7:expr;)* }
        replace { $($n8:ident($a8:ident, $s8:ident, $l8:ident) = $e8:expr;)* }
    ) => {
        /// An instruction on vectors.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum VectorOp { $($n1,)* $($n2,)* $($n3,)* $($n4,)* $($n5,)* $($n6,)* $($n7,)* $($n8,)* }

        impl VectorOp {
            /// How many slots its operands and its result take.
            pub(crate) fn shape(self) -> (usize, usize) {
                match self {
                    $(VectorOp::$n1 => (2, 2),)*
                    $(VectorOp::$n2 => (4, 2),)*
                    $(VectorOp::$n3 => (6, 2),)*
                    $(VectorOp::$n4 => (2, 1),)*
                    $(VectorOp::$n5 => (1, 2),)*
                    $(VectorOp::$n6 => (3, 2),)*
                    $(VectorOp::$n7 => (2, 1),)*
                    $(VectorOp::$n8 => (3, 2),)*
                }
            }

            /// Its result, in as many slots as its shape says.
            pub(crate) fn eval(self, slots: [u64; 6], lane: usize) -> [u64; 2] {
                match self {
                    $(VectorOp::$n1 => { let $a1 = join(&slots); split($e1) })*
                    $(VectorOp::$n2 => { let ($a2, $b2) = (join(&slots), join(&slots[2..])); split($e2) })*
                    $(VectorOp::$n3 => {
                        let ($a3, $b3, $c3) = (join(&slots), join(&slots[2..]), join(&slots[4..]));
                        split($e3)
                    })*
                    $(VectorOp::$n4 => { let $a4 = join(&slots); [$e4, 0] })*
                    $(VectorOp::$n5 => { let $s5 = slots[0]; split($e5) })*
                    $(VectorOp::$n6 => { let ($a6, $s6) = (join(&slots), slots[2]); split($e6) })*
                    $(VectorOp::$n7 => { let ($a7, $l7) = (join(&slots), lane); [$e7, 0] })*
                    $(VectorOp::$n8 => { let ($a8, $s8, $l8) = (join(&slots), slots[2], lane); split($e8) })*
                }
            }
        }
    };
}
with_vector_table!(define_vectors);
