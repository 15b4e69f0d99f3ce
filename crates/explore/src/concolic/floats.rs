//! Float instructions as terms of the theory of floats.
//!
//! The term of a float value is either its bits (what came from memory or from an integer, NaN payloads and all) or a
//! float (what an operation computed: its NaN is the canonical one, as it is in the machine). Each form is turned into
//! the other where an instruction wants it; a form that was made from the other is remembered, so that a float that
//! goes through memory or `reinterpret` comes back as the term it was. `abs`, `neg` and `copysign` are defined on bits,
//! and their results have both forms.

use super::Concolic;
use crate::op::{BinaryOp, UnaryOp};
use crate::target::negate;
use smt::{Float, Format, Op, RoundingMode, Sort, TermId, UBig, Value};

/// How many bits, and the format they are read in.
pub(super) fn format(width: u32) -> Format {
    if width == 32 { Format::FLOAT32 } else { Format::FLOAT64 }
}

impl Concolic {
    /// The float that these bits are.
    pub(super) fn float_constant(&mut self, width: u32, bits: u64) -> TermId {
        self.terms.constant(Value::Float(Float::from_bits(format(width), UBig::from(bits))))
    }

    fn rounding(&mut self, mode: RoundingMode) -> TermId {
        self.terms.constant(Value::Rm(mode))
    }

    /// A term of either form, as a float.
    pub(super) fn as_float(&mut self, term: TermId) -> TermId {
        let width = match self.terms.sort_of(self.terms.sort(term)) {
            Sort::BitVec(width) => *width,
            _ => return term,
        };
        if let Some(&float) = self.floats.get(&term) {
            return float;
        }
        if let Some(bits) = self.constant_bits(term) {
            return self.float_constant(width, bits);
        }
        let Format { eb, sb } = format(width);
        self.terms.mk_indexed(Op::ToFpFromBits, [eb, sb], &[term])
    }

    /// A term of either form, as bits.
    pub(super) fn as_bits(&mut self, term: TermId) -> TermId {
        let Sort::Float(eb, sb) = *self.terms.sort_of(self.terms.sort(term)) else { return term };
        let width = eb + sb;
        let nan = self.word(width, if width == 32 { 0x7fc0_0000 } else { 0x7ff8 << 48 });
        let is_nan = self.terms.mk(Op::FpIsNaN, &[term]);
        let bits = self.terms.mk(Op::FpToIeeeBv, &[term]);
        let bits = self.terms.mk(Op::Ite, &[is_nan, nan, bits]);
        self.floats.insert(bits, term);
        bits
    }

    /// A unary instruction that takes or gives a float and does not trap; none if it is not one.
    pub(super) fn float_unary(&mut self, op: UnaryOp, a: TermId) -> Option<TermId> {
        use RoundingMode::{Rne, Rtn, Rtp, Rtz};
        use UnaryOp::*;
        Some(match op {
            F32Abs | F64Abs => self.on_bits(a, Op::FpAbs, Op::BvAnd, |width| (1 << (width - 1)) - 1),
            F32Neg | F64Neg => self.on_bits(a, Op::FpNeg, Op::BvXor, |width| 1 << (width - 1)),
            F32Ceil | F64Ceil => self.rounded(Op::FpRoundToIntegral, Rtp, a),
            F32Floor | F64Floor => self.rounded(Op::FpRoundToIntegral, Rtn, a),
            F32Trunc | F64Trunc => self.rounded(Op::FpRoundToIntegral, Rtz, a),
            F32Nearest | F64Nearest => self.rounded(Op::FpRoundToIntegral, Rne, a),
            F32Sqrt | F64Sqrt => self.rounded(Op::FpSqrt, Rne, a),
            F32DemoteF64 => {
                let a = self.as_float(a);
                self.converted(Op::ToFpFromFp, 32, a)
            }
            F64PromoteF32 => {
                let a = self.as_float(a);
                self.converted(Op::ToFpFromFp, 64, a)
            }
            F32ConvertI32S | F32ConvertI64S => self.converted(Op::ToFpFromSbv, 32, a),
            F32ConvertI32U | F32ConvertI64U => self.converted(Op::ToFpUnsigned, 32, a),
            F64ConvertI32S | F64ConvertI64S => self.converted(Op::ToFpFromSbv, 64, a),
            F64ConvertI32U | F64ConvertI64U => self.converted(Op::ToFpUnsigned, 64, a),
            I32ReinterpretF32 | I64ReinterpretF64 => self.as_bits(a),
            F32ReinterpretI32 | F64ReinterpretI64 => a,
            _ => {
                let (conversion, saturating) = Truncation::of(op)?;
                let a = self.as_float(a);
                if saturating { self.saturated(conversion, a) } else { self.truncated(conversion, a) }
            }
        })
    }

    /// An operation that WebAssembly defines on the sign bit, in both forms.
    fn on_bits(&mut self, a: TermId, float: Op, bits: Op, mask: impl Fn(u32) -> u64) -> TermId {
        let (raw, value) = (self.as_bits(a), self.as_float(a));
        let width = self.width(raw);
        let mask = self.word(width, mask(width));
        let result = self.terms.mk(bits, &[raw, mask]);
        let float = self.terms.mk(float, &[value]);
        self.floats.insert(result, float);
        result
    }

    fn rounded(&mut self, op: Op, mode: RoundingMode, a: TermId) -> TermId {
        let (mode, a) = (self.rounding(mode), self.as_float(a));
        self.terms.mk(op, &[mode, a])
    }

    fn converted(&mut self, op: Op, width: u32, a: TermId) -> TermId {
        let mode = self.rounding(RoundingMode::Rne);
        let Format { eb, sb } = format(width);
        self.terms.mk_indexed(op, [eb, sb], &[mode, a])
    }

    /// A binary float instruction; none if it is not one.
    pub(super) fn float_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        use BinaryOp::*;
        let (compare, negated) = match op {
            F32Eq | F64Eq => (Op::FpEq, false),
            F32Ne | F64Ne => (Op::FpEq, true),
            F32Lt | F64Lt => (Op::FpLt, false),
            F32Gt | F64Gt => (Op::FpGt, false),
            F32Le | F64Le => (Op::FpLeq, false),
            F32Ge | F64Ge => (Op::FpGeq, false),
            _ => return self.float_arithmetic(op, a, b),
        };
        let (a, b) = (self.as_float(a), self.as_float(b));
        let mut condition = self.terms.mk(compare, &[a, b]);
        if negated {
            condition = negate(&mut self.terms, condition);
        }
        Some(self.flag(condition, 32))
    }

    fn float_arithmetic(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        use BinaryOp::*;
        let op = match op {
            F32Add | F64Add => Op::FpAdd,
            F32Sub | F64Sub => Op::FpSub,
            F32Mul | F64Mul => Op::FpMul,
            F32Div | F64Div => Op::FpDiv,
            F32Min | F64Min => return Some(self.extremum(Op::FpLt, a, b)),
            F32Max | F64Max => return Some(self.extremum(Op::FpGt, a, b)),
            F32Copysign | F64Copysign => return Some(self.copysign(a, b)),
            _ => return None,
        };
        let (a, b) = (self.as_float(a), self.as_float(b));
        let mode = self.rounding(RoundingMode::Rne);
        Some(self.terms.mk(op, &[mode, a, b]))
    }

    /// The lesser or greater operand; NaN if one is; of two zeros the lesser is the negative one.
    fn extremum(&mut self, better: Op, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.as_float(a), self.as_float(b));
        let nan = match *self.terms.sort_of(self.terms.sort(a)) {
            Sort::Float(eb, sb) => self.terms.constant(Value::Float(Float::nan(Format { eb, sb }))),
            ref other => unreachable!("a float is wanted, not {other:?}"),
        };
        let negative = self.terms.mk(Op::FpIsNegative, &[a]);
        let equal = match better {
            Op::FpLt => self.terms.mk(Op::Ite, &[negative, a, b]),
            _ => self.terms.mk(Op::Ite, &[negative, b, a]),
        };
        let (first, second) = (self.terms.mk(better, &[a, b]), self.terms.mk(better, &[b, a]));
        let second = self.terms.mk(Op::Ite, &[second, b, equal]);
        let ordered = self.terms.mk(Op::Ite, &[first, a, second]);
        let (a_nan, b_nan) = (self.terms.mk(Op::FpIsNaN, &[a]), self.terms.mk(Op::FpIsNaN, &[b]));
        let any_nan = self.terms.mk(Op::Or, &[a_nan, b_nan]);
        self.terms.mk(Op::Ite, &[any_nan, nan, ordered])
    }

    fn copysign(&mut self, a: TermId, b: TermId) -> TermId {
        let (a_bits, b_bits) = (self.as_bits(a), self.as_bits(b));
        let width = self.width(a_bits);
        let magnitude = self.extract(a_bits, width - 2, 0);
        let sign = self.extract(b_bits, width - 1, width - 1);
        let result = self.terms.mk(Op::Concat, &[sign, magnitude]);
        let a = self.as_float(a);
        let plus = self.terms.mk(Op::FpAbs, &[a]);
        let minus = self.terms.mk(Op::FpNeg, &[plus]);
        let one = self.word(1, 1);
        let negative = self.terms.mk(Op::Eq, &[sign, one]);
        let float = self.terms.mk(Op::Ite, &[negative, minus, plus]);
        self.floats.insert(result, float);
        result
    }

    fn truncated(&mut self, conversion: Truncation, a: TermId) -> TermId {
        let op = if conversion.signed { Op::FpToSbv } else { Op::FpToUbv };
        let mode = self.rounding(RoundingMode::Rtz);
        self.terms.mk_indexed(op, [conversion.target, 0], &[mode, a])
    }

    fn saturated(&mut self, conversion: Truncation, a: TermId) -> TermId {
        let [nan, below, above] = self.out_of_range(conversion, a);
        let width = conversion.target;
        let (least, greatest) =
            if conversion.signed { (1 << (width - 1), (1 << (width - 1)) - 1) } else { (0, u64::MAX) };
        let mut result = self.truncated(conversion, a);
        for (condition, bits) in [(above, greatest), (below, least), (nan, 0)] {
            let bound = self.word(width, bits);
            result = self.terms.mk(Op::Ite, &[condition, bound, result]);
        }
        result
    }

    /// The conditions under which a float has no integer: it is NaN, too small, too great.
    pub(super) fn out_of_range(&mut self, conversion: Truncation, a: TermId) -> [TermId; 3] {
        let nan = self.terms.mk(Op::FpIsNaN, &[a]);
        // The bounds are exact in the float's own format: the first integer below the range is not always in it.
        let (bound, inclusive) = match (conversion.signed, conversion.target, conversion.source) {
            (false, _, _) => (-1.0, true),
            (true, 32, 64) => (-2_147_483_649.0, true),
            (true, 32, _) => (-2_147_483_648.0, false),
            (true, _, _) => (-9_223_372_036_854_775_808.0, false),
        };
        let bits = conversion.target - u32::from(conversion.signed);
        let limit = f64::from(bits).exp2();
        let [bound, limit] = [bound, limit].map(|value: f64| self.float_literal(conversion.source, value));
        let below = self.terms.mk(if inclusive { Op::FpLeq } else { Op::FpLt }, &[a, bound]);
        let above = self.terms.mk(Op::FpGeq, &[a, limit]);
        [nan, below, above]
    }

    fn float_literal(&mut self, width: u32, value: f64) -> TermId {
        let bits = if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
        self.float_constant(width, bits)
    }
}

/// A conversion of a float to an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truncation {
    pub signed: bool,
    /// The width of the integer.
    pub target: u32,
    /// The width of the float.
    pub source: u32,
}

impl Truncation {
    /// What a truncating instruction converts, and whether it saturates.
    pub(super) fn of(op: UnaryOp) -> Option<(Truncation, bool)> {
        use UnaryOp::*;
        let (signed, target, source, saturating) = match op {
            I32TruncF32S => (true, 32, 32, false),
            I32TruncF32U => (false, 32, 32, false),
            I32TruncF64S => (true, 32, 64, false),
            I32TruncF64U => (false, 32, 64, false),
            I64TruncF32S => (true, 64, 32, false),
            I64TruncF32U => (false, 64, 32, false),
            I64TruncF64S => (true, 64, 64, false),
            I64TruncF64U => (false, 64, 64, false),
            I32TruncSatF32S => (true, 32, 32, true),
            I32TruncSatF32U => (false, 32, 32, true),
            I32TruncSatF64S => (true, 32, 64, true),
            I32TruncSatF64U => (false, 32, 64, true),
            I64TruncSatF32S => (true, 64, 32, true),
            I64TruncSatF32U => (false, 64, 32, true),
            I64TruncSatF64S => (true, 64, 64, true),
            I64TruncSatF64U => (false, 64, 64, true),
            _ => return None,
        };
        Some((Truncation { signed, target, source }, saturating))
    }
}
