//! Arithmetic, conversions and comparisons of bytecode in terms of the domain's operations. Nothing here decides where a run
//! goes but the tests of branches.

use crate::domain::Values;
use crate::op::{Arithmetic, Condition, Conversion};
use explore::op::{Binary, Compare, Unary, ops};
use explore::{Need, Site};

/// No operation that is used here traps.
#[inline(always)]
fn two<D: Values, O: Binary>(domain: &mut D, a: D::Value, b: D::Value) -> D::Value {
    domain.binary::<O>(Site::new(0), a, b).unwrap_or_default()
}

#[inline(always)]
fn one<D: Values, O: Unary>(domain: &mut D, a: D::Value) -> D::Value {
    domain.unary::<O>(Site::new(0), a).unwrap_or_default()
}

/// Whether an operation works on two slots, and whether its right operand does.
#[inline(always)]
pub(super) fn widths(op: Arithmetic) -> (usize, usize) {
    use Arithmetic as A;
    match op {
        A::LShl | A::LShr | A::LUshr => (2, 1),
        A::LAdd | A::LSub | A::LMul | A::LAnd | A::LOr | A::LXor => (2, 2),
        A::DAdd | A::DSub | A::DMul | A::DDiv | A::DRem => (2, 2),
        _ => (1, 1),
    }
}

#[inline(always)]
pub(super) fn arithmetic<D: Values>(domain: &mut D, op: Arithmetic, a: D::Value, b: D::Value) -> D::Value {
    use Arithmetic as A;
    match op {
        A::IAdd => two::<D, ops::I32Add>(domain, a, b),
        A::ISub => two::<D, ops::I32Sub>(domain, a, b),
        A::IMul => two::<D, ops::I32Mul>(domain, a, b),
        A::IAnd => two::<D, ops::I32And>(domain, a, b),
        A::IOr => two::<D, ops::I32Or>(domain, a, b),
        A::IXor => two::<D, ops::I32Xor>(domain, a, b),
        A::IShl => two::<D, ops::I32Shl>(domain, a, b),
        A::IShr => two::<D, ops::I32ShrS>(domain, a, b),
        A::IUshr => two::<D, ops::I32ShrU>(domain, a, b),
        A::LAdd => two::<D, ops::I64Add>(domain, a, b),
        A::LSub => two::<D, ops::I64Sub>(domain, a, b),
        A::LMul => two::<D, ops::I64Mul>(domain, a, b),
        A::LAnd => two::<D, ops::I64And>(domain, a, b),
        A::LOr => two::<D, ops::I64Or>(domain, a, b),
        A::LXor => two::<D, ops::I64Xor>(domain, a, b),
        A::LShl | A::LShr | A::LUshr => {
            let b = one::<D, ops::I64ExtendI32U>(domain, b);
            match op {
                A::LShl => two::<D, ops::I64Shl>(domain, a, b),
                A::LShr => two::<D, ops::I64ShrS>(domain, a, b),
                _ => two::<D, ops::I64ShrU>(domain, a, b),
            }
        }
        A::FAdd => two::<D, ops::F32Add>(domain, a, b),
        A::FSub => two::<D, ops::F32Sub>(domain, a, b),
        A::FMul => two::<D, ops::F32Mul>(domain, a, b),
        A::FDiv => two::<D, ops::F32Div>(domain, a, b),
        A::DAdd => two::<D, ops::F64Add>(domain, a, b),
        A::DSub => two::<D, ops::F64Sub>(domain, a, b),
        A::DMul => two::<D, ops::F64Mul>(domain, a, b),
        A::DDiv => two::<D, ops::F64Div>(domain, a, b),
        A::FRem | A::DRem => remainder(domain, op == A::DRem, a, b),
    }
}

/// Arithmetic on two `int`s.
#[inline(always)]
pub(super) fn integers<D: Values>(domain: &mut D, op: Arithmetic, a: D::Value, b: D::Value) -> D::Value {
    use Arithmetic as A;
    match op {
        A::IAdd => two::<D, ops::I32Add>(domain, a, b),
        A::ISub => two::<D, ops::I32Sub>(domain, a, b),
        A::IMul => two::<D, ops::I32Mul>(domain, a, b),
        A::IAnd => two::<D, ops::I32And>(domain, a, b),
        A::IOr => two::<D, ops::I32Or>(domain, a, b),
        A::IXor => two::<D, ops::I32Xor>(domain, a, b),
        A::IShl => two::<D, ops::I32Shl>(domain, a, b),
        A::IShr => two::<D, ops::I32ShrS>(domain, a, b),
        A::IUshr => two::<D, ops::I32ShrU>(domain, a, b),
        _ => unreachable!("decoding puts no other operation here"),
    }
}

/// The remainder of a truncating division. No theory of floats has it, so operands are taken as they are in this run.
#[cold]
#[inline(never)]
fn remainder<D: Values>(domain: &mut D, double: bool, a: D::Value, b: D::Value) -> D::Value {
    let a = domain.concretise(Site::new(0), Need::Host, a);
    let b = domain.concretise(Site::new(0), Need::Host, b);
    if double {
        let r = f64::from_bits(a) % f64::from_bits(b);
        D::constant(if r.is_nan() { f64::NAN.to_bits() & !(1 << 63) } else { r.to_bits() })
    } else {
        let r = f32::from_bits(a as u32) % f32::from_bits(b as u32);
        D::constant(u64::from(if r.is_nan() { 0x7fc0_0000 } else { r.to_bits() }))
    }
}

/// Slots of a conversion's operand and result.
#[inline(always)]
pub(super) fn conversion_widths(op: Conversion) -> (usize, usize) {
    use Conversion as C;
    match op {
        C::LNeg | C::DNeg | C::L2D | C::D2L => (2, 2),
        C::I2L | C::I2D | C::F2L | C::F2D => (1, 2),
        C::L2I | C::L2F | C::D2I | C::D2F => (2, 1),
        _ => (1, 1),
    }
}

#[inline(always)]
pub(super) fn convert<D: Values>(domain: &mut D, op: Conversion, a: D::Value) -> D::Value {
    use Conversion as C;
    match op {
        C::INeg => two::<D, ops::I32Sub>(domain, D::constant(0), a),
        C::LNeg => two::<D, ops::I64Sub>(domain, D::constant(0), a),
        C::FNeg => one::<D, ops::F32Neg>(domain, a),
        C::DNeg => one::<D, ops::F64Neg>(domain, a),
        C::I2L => one::<D, ops::I64ExtendI32S>(domain, a),
        C::I2F => one::<D, ops::F32ConvertI32S>(domain, a),
        C::I2D => one::<D, ops::F64ConvertI32S>(domain, a),
        C::L2I => one::<D, ops::I32WrapI64>(domain, a),
        C::L2F => one::<D, ops::F32ConvertI64S>(domain, a),
        C::L2D => one::<D, ops::F64ConvertI64S>(domain, a),
        C::F2I => one::<D, ops::I32TruncSatF32S>(domain, a),
        C::F2L => one::<D, ops::I64TruncSatF32S>(domain, a),
        C::F2D => one::<D, ops::F64PromoteF32>(domain, a),
        C::D2I => one::<D, ops::I32TruncSatF64S>(domain, a),
        C::D2L => one::<D, ops::I64TruncSatF64S>(domain, a),
        C::D2F => one::<D, ops::F32DemoteF64>(domain, a),
        C::I2B => one::<D, ops::I32Extend8S>(domain, a),
        C::I2C => two::<D, ops::I32And>(domain, a, D::constant(0xffff)),
        C::I2S => one::<D, ops::I32Extend16S>(domain, a),
    }
}

/// -1, 0 or 1: greater minus less.
pub(super) fn compare_long<D: Values>(domain: &mut D, a: D::Value, b: D::Value) -> D::Value {
    let greater = two::<D, ops::I64GtS>(domain, a, b);
    let less = two::<D, ops::I64LtS>(domain, a, b);
    two::<D, ops::I32Sub>(domain, greater, less)
}

/// -1, 0 or 1, and `nan` if one operand is NaN: then neither of two comparisons holds, and the other is counted negated.
pub(super) fn compare_float<D: Values>(
    domain: &mut D,
    double: bool,
    nan: i8,
    a: D::Value,
    b: D::Value,
) -> D::Value {
    let one_ = D::constant(1);
    macro_rules! pick {
        ($f:ident, $d:ident) => {
            if double { two::<D, ops::$d>(domain, a, b) } else { two::<D, ops::$f>(domain, a, b) }
        };
    }
    if nan < 0 {
        let greater = pick!(F32Gt, F64Gt);
        let at_least = pick!(F32Ge, F64Ge);
        let sum = two::<D, ops::I32Add>(domain, greater, at_least);
        two::<D, ops::I32Sub>(domain, sum, one_)
    } else {
        let less = pick!(F32Lt, F64Lt);
        let at_most = pick!(F32Le, F64Le);
        let sum = two::<D, ops::I32Add>(domain, less, at_most);
        two::<D, ops::I32Sub>(domain, one_, sum)
    }
}

#[inline(always)]
fn holds<D: Values, O: Compare>(domain: &mut D, at: Site, a: D::Value, b: D::Value) -> bool {
    domain.compare::<O>(at, a, b)
}

/// Whether a byte compares with a constant in the same way whatever it is. The JDK asks of every character whether it is a surrogate or
/// beyond Latin-1: for one that was read as a byte that is no decision.
#[cold]
#[inline(never)]
fn is_settled<D: Values>(domain: &D, condition: Condition, a: D::Value, b: D::Value) -> bool {
    let bound = D::bits(b) as i32;
    let settled = match condition {
        Condition::Eq | Condition::Ne => !(0..256).contains(&bound),
        Condition::Lt | Condition::Ge => !(1..256).contains(&bound),
        Condition::Gt | Condition::Le => !(0..255).contains(&bound),
    };
    settled && !D::is_symbolic(b) && domain.is_byte(a)
}

/// Whether to take a branch on two `int`s.
#[inline(always)]
pub(super) fn test<D: Values>(
    domain: &mut D,
    at: Site,
    condition: Condition,
    a: D::Value,
    b: D::Value,
) -> bool {
    let a =
        if D::is_symbolic(a) && is_settled(domain, condition, a, b) { D::constant(D::bits(a)) } else { a };
    match condition {
        Condition::Eq => holds::<D, ops::I32Eq>(domain, at, a, b),
        Condition::Ne => holds::<D, ops::I32Ne>(domain, at, a, b),
        Condition::Lt => holds::<D, ops::I32LtS>(domain, at, a, b),
        Condition::Ge => holds::<D, ops::I32GeS>(domain, at, a, b),
        Condition::Gt => holds::<D, ops::I32GtS>(domain, at, a, b),
        Condition::Le => holds::<D, ops::I32LeS>(domain, at, a, b),
    }
}

/// Whether to take a branch on two `long`s.
#[inline(always)]
pub(super) fn test_long<D: Values>(
    domain: &mut D,
    at: Site,
    condition: Condition,
    a: D::Value,
    b: D::Value,
) -> bool {
    match condition {
        Condition::Eq => holds::<D, ops::I64Eq>(domain, at, a, b),
        Condition::Ne => holds::<D, ops::I64Ne>(domain, at, a, b),
        Condition::Lt => holds::<D, ops::I64LtS>(domain, at, a, b),
        Condition::Ge => holds::<D, ops::I64GeS>(domain, at, a, b),
        Condition::Gt => holds::<D, ops::I64GtS>(domain, at, a, b),
        Condition::Le => holds::<D, ops::I64LeS>(domain, at, a, b),
    }
}

/// The truth value of a comparison of floats, false for NaN.
#[inline(always)]
pub(super) fn float_test<D: Values>(
    domain: &mut D,
    double: bool,
    condition: Condition,
    a: D::Value,
    b: D::Value,
) -> D::Value {
    macro_rules! pick {
        ($f:ident, $d:ident) => {
            if double { two::<D, ops::$d>(domain, a, b) } else { two::<D, ops::$f>(domain, a, b) }
        };
    }
    match condition {
        Condition::Eq => pick!(F32Eq, F64Eq),
        Condition::Ne => pick!(F32Ne, F64Ne),
        Condition::Lt => pick!(F32Lt, F64Lt),
        Condition::Ge => pick!(F32Ge, F64Ge),
        Condition::Gt => pick!(F32Gt, F64Gt),
        Condition::Le => pick!(F32Le, F64Le),
    }
}
