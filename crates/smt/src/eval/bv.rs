//! FixedSizeBitVectors on values.

use super::{Call, EvalResult, Undefined};
use crate::bitvec::BitVec;
use crate::value::Value;
use dashu_int::IBig;

/// Vectors wider than this are not computed.
const MAX_COMPUTED: u32 = 1 << 24;

fn arg<'a>(call: &Call<'a>, i: usize) -> &'a BitVec {
    match &call.args[i] {
        Value::BitVec(bv) => bv,
        _ => unreachable!("the argument is a bit-vector"),
    }
}

fn bits(value: BitVec) -> EvalResult {
    Ok(Value::BitVec(value))
}

fn boolean(value: bool) -> EvalResult {
    Ok(Value::Bool(value))
}

fn check(width: u64) -> Result<(), Undefined> {
    if width > MAX_COMPUTED as u64 {
        Err(Undefined::Limit("a bit-vector is too wide to compute"))
    } else {
        Ok(())
    }
}

macro_rules! operations {
    ($($name:ident: $($kind:ident)? => $body:expr;)*) => {$(
        pub(crate) fn $name(call: &mut Call<'_>) -> EvalResult {
            check(arg(call, 0).width() as u64)?;
            let body: fn(&Call<'_>) -> _ = $body;
            operations!(@wrap $($kind)? body(call))
        }
    )*};
    (@wrap bits $e:expr) => { bits($e) };
    (@wrap bool $e:expr) => { boolean($e) };
}

operations! {
    not: bits => |c| arg(c, 0).not();
    neg: bits => |c| arg(c, 0).neg();
    and: bits => |c| fold(c, BitVec::and);
    or: bits => |c| fold(c, BitVec::or);
    xor: bits => |c| fold(c, BitVec::xor);
    nand: bits => |c| arg(c, 0).and(arg(c, 1)).not();
    nor: bits => |c| arg(c, 0).or(arg(c, 1)).not();
    xnor: bits => |c| arg(c, 0).xor(arg(c, 1)).not();
    add: bits => |c| fold(c, BitVec::add);
    sub: bits => |c| arg(c, 0).sub(arg(c, 1));
    mul: bits => |c| fold(c, BitVec::mul);
    udiv: bits => |c| arg(c, 0).udiv(arg(c, 1));
    urem: bits => |c| arg(c, 0).urem(arg(c, 1));
    sdiv: bits => |c| arg(c, 0).sdiv(arg(c, 1));
    srem: bits => |c| arg(c, 0).srem(arg(c, 1));
    smod: bits => |c| arg(c, 0).smod(arg(c, 1));
    shl: bits => |c| arg(c, 0).shl(arg(c, 1));
    lshr: bits => |c| arg(c, 0).lshr(arg(c, 1));
    ashr: bits => |c| arg(c, 0).ashr(arg(c, 1));
    comp: bits => |c| arg(c, 0).comp(arg(c, 1));
    redor: bits => |c| arg(c, 0).redor();
    redand: bits => |c| arg(c, 0).redand();
    extract: bits => |c| arg(c, 0).extract(c.indices[0], c.indices[1]);
    rotate_left: bits => |c| arg(c, 0).rotate_left(c.indices[0]);
    rotate_right: bits => |c| arg(c, 0).rotate_right(c.indices[0]);
    ult: bool => |c| arg(c, 0).ult(arg(c, 1));
    ule: bool => |c| !arg(c, 1).ult(arg(c, 0));
    ugt: bool => |c| arg(c, 1).ult(arg(c, 0));
    uge: bool => |c| !arg(c, 0).ult(arg(c, 1));
    slt: bool => |c| arg(c, 0).slt(arg(c, 1));
    sle: bool => |c| !arg(c, 1).slt(arg(c, 0));
    sgt: bool => |c| arg(c, 1).slt(arg(c, 0));
    sge: bool => |c| !arg(c, 0).slt(arg(c, 1));
    nego: bool => |c| arg(c, 0).nego();
    uaddo: bool => |c| arg(c, 0).uaddo(arg(c, 1));
    saddo: bool => |c| arg(c, 0).saddo(arg(c, 1));
    umulo: bool => |c| arg(c, 0).umulo(arg(c, 1));
    smulo: bool => |c| arg(c, 0).smulo(arg(c, 1));
    usubo: bool => |c| arg(c, 0).ult(arg(c, 1));
    ssubo: bool => |c| arg(c, 0).ssubo(arg(c, 1));
    sdivo: bool => |c| arg(c, 0).nego() && *arg(c, 1) == BitVec::ones(arg(c, 1).width());
}

fn fold(call: &Call<'_>, f: fn(&BitVec, &BitVec) -> BitVec) -> BitVec {
    (1..call.args.len()).fold(arg(call, 0).clone(), |acc, i| f(&acc, arg(call, i)))
}

pub(crate) fn concat(call: &mut Call<'_>) -> EvalResult {
    check((0..call.args.len()).map(|i| arg(call, i).width() as u64).sum())?;
    bits(fold(call, BitVec::concat))
}

pub(crate) fn repeat(call: &mut Call<'_>) -> EvalResult {
    check(arg(call, 0).width() as u64 * call.indices[0] as u64)?;
    bits(arg(call, 0).repeat(call.indices[0]))
}

pub(crate) fn zero_extend(call: &mut Call<'_>) -> EvalResult {
    bits(arg(call, 0).zero_extend(call.indices[0]))
}

pub(crate) fn sign_extend(call: &mut Call<'_>) -> EvalResult {
    check(arg(call, 0).width() as u64 + call.indices[0] as u64)?;
    bits(arg(call, 0).sign_extend(call.indices[0]))
}

pub(crate) fn ubv_to_int(call: &mut Call<'_>) -> EvalResult {
    Ok(Value::Int(IBig::from(arg(call, 0).to_ubig().clone())))
}

pub(crate) fn sbv_to_int(call: &mut Call<'_>) -> EvalResult {
    check(arg(call, 0).width() as u64)?;
    Ok(Value::Int(arg(call, 0).to_signed()))
}

pub(crate) fn int_to_bv(call: &mut Call<'_>) -> EvalResult {
    check(call.indices[0] as u64)?;
    let value = call.args[0].as_int().expect("the argument is an integer");
    bits(BitVec::from_int(call.indices[0], value))
}
