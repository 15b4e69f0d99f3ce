//! Numbers in text: `Integer.parseInt` and `Long.parseLong` as one decision, whether the text is a number, and one term, which number it is.
//! The JDK's loop decides three times for every character, so that a search for one number goes through all shapes of text first.
//!
//! Where the text is no number, the JDK's method goes on at the statement that throws, with the frames and the line that it has there.
//! Text that is empty, longer than [`MAX_LENGTH`] or not in Latin-1, and a radix that there is not, are left to the bytecode: these are
//! the same in every domain, and so both domains take the same turns.

use super::NativeRow;
use super::intrinsics::{bytecode, digit_value, latin, unsigned};
use crate::domain::Values;
use crate::machine::{Done, Fault, Hook, Machine, NativeResult};
use crate::op::{Code, Op};
use explore::Site;
use explore::op::ops;

/// The longest text that becomes a term.
const MAX_LENGTH: u32 = 64;

/// The rows' types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Int,
    Long,
}

/// The statements of the JDK's methods that throw, in the order of their bytecode.
#[derive(Clone, Copy)]
enum Reason {
    BadSign,
    OnlySign,
    NoDigitOrTooLong,
    TooLarge,
}

impl Width {
    /// The class and method of the JDK, and its descriptor.
    fn method(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Width::Int => ("java/lang/Integer", "parseInt", "(Ljava/lang/String;I)I"),
            Width::Long => ("java/lang/Long", "parseLong", "(Ljava/lang/String;I)J"),
        }
    }

    /// The largest value.
    fn most(self) -> u64 {
        match self {
            Width::Int => i32::MAX as u64,
            Width::Long => i64::MAX as u64,
        }
    }

    fn add<D: Values>(self, m: &mut Machine<D>, a: D::Value, b: D::Value) -> D::Value {
        match self {
            Width::Int => m.domain.binary::<ops::I32Add>(Site::new(0), a, b),
            Width::Long => m.domain.binary::<ops::I64Add>(Site::new(0), a, b),
        }
        .unwrap_or_default()
    }

    fn multiply<D: Values>(self, m: &mut Machine<D>, a: D::Value, b: D::Value) -> D::Value {
        match self {
            Width::Int => m.domain.binary::<ops::I32Mul>(Site::new(0), a, b),
            Width::Long => m.domain.binary::<ops::I64Mul>(Site::new(0), a, b),
        }
        .unwrap_or_default()
    }

    /// Whether the first is at most the second, both without a sign, as 0 or 1.
    fn at_most<D: Values>(self, m: &mut Machine<D>, a: D::Value, b: D::Value) -> D::Value {
        match self {
            Width::Int => m.domain.binary::<ops::I32LeU>(Site::new(0), a, b),
            Width::Long => m.domain.binary::<ops::I64LeU>(Site::new(0), a, b),
        }
        .unwrap_or_default()
    }

    /// A small number from 0 on of 32 bits in this width.
    fn widen<D: Values>(self, m: &mut Machine<D>, small: D::Value) -> D::Value {
        match self {
            Width::Int => small,
            Width::Long => m.domain.unary::<ops::I64ExtendI32S>(Site::new(0), small).unwrap_or_default(),
        }
    }

    /// The number, or its negation where `negative` is 1 instead of 0.
    fn with_sign<D: Values>(self, m: &mut Machine<D>, number: D::Value, negative: D::Value) -> D::Value {
        // -x is (x ^ -1) - -1, and x is (x ^ 0) - 0.
        let (zero, at) = (D::constant(0), Site::new(0));
        let negative = self.widen(m, negative);
        match self {
            Width::Int => {
                let mask = m.domain.binary::<ops::I32Sub>(at, zero, negative).unwrap_or_default();
                let flipped = m.domain.binary::<ops::I32Xor>(at, number, mask).unwrap_or_default();
                m.domain.binary::<ops::I32Sub>(at, flipped, mask)
            }
            Width::Long => {
                let mask = m.domain.binary::<ops::I64Sub>(at, zero, negative).unwrap_or_default();
                let flipped = m.domain.binary::<ops::I64Xor>(at, number, mask).unwrap_or_default();
                m.domain.binary::<ops::I64Sub>(at, flipped, mask)
            }
        }
        .unwrap_or_default()
    }
}

fn both<D: Values>(m: &mut Machine<D>, a: D::Value, b: D::Value) -> D::Value {
    m.domain.binary::<ops::I32And>(Site::new(0), a, b).unwrap_or_default()
}

fn is_char<D: Values>(m: &mut Machine<D>, c: D::Value, wanted: char) -> D::Value {
    let wanted = D::constant(u64::from(u32::from(wanted)));
    m.domain.binary::<ops::I32Eq>(Site::new(0), c, wanted).unwrap_or_default()
}

/// Why the text of this run is no number, as the JDK's loop finds out.
fn reason(text: &[u8], radix: u32, most: u64) -> Reason {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        [first, ..] if *first < b'0' => return Reason::BadSign,
        _ => (false, text),
    };
    if digits.is_empty() {
        return Reason::OnlySign;
    }
    let most = most + u64::from(negative);
    let mut sum = 0_u64;
    for &c in digits {
        match char::from(c).to_digit(radix) {
            Some(digit) if sum <= most / u64::from(radix) => {
                sum *= u64::from(radix);
                if sum > most - u64::from(digit) {
                    return Reason::TooLarge;
                }
                sum += u64::from(digit);
            }
            _ => return Reason::NoDigitOrTooLong,
        }
    }
    Reason::NoDigitOrTooLong
}

/// Where the statement `throw NumberFormatException.forInputString(s, radix)` begins that a reason leads to.
fn throw_site(code: &Code, reason: Reason) -> Option<u32> {
    let throws = |ops: &[Op]| {
        matches!(ops, [Op::Load(0), Op::Load(1), Op::InvokeStatic(_) | Op::Invoke { .. }, Op::Throw])
    };
    let sites: Vec<usize> =
        (0..code.ops.len()).filter(|&i| code.ops.get(i..i + 4).is_some_and(throws)).collect();
    sites.get(reason as usize).or(sites.last()).map(|&site| site as u32)
}

fn parse<D: Values>(m: &mut Machine<D>, a: &[D::Value], width: Width) -> NativeResult<D> {
    let (class, name, descriptor) = width.method();
    let radix = m.plain(a[1]) as u32;
    let text = latin(m, D::bits(a[0]) as u32);
    let Some((array, length)) = text.filter(|text| (1..=MAX_LENGTH).contains(&text.1)) else {
        return bytecode(m, class, name, descriptor, a);
    };
    if !(2..=36).contains(&radix) {
        return bytecode(m, class, name, descriptor, a);
    }
    let first = unsigned(m, array, 0);
    let negative = is_char(m, first, '-');
    let positive = is_char(m, first, '+');
    let signed = m.domain.binary::<ops::I32Or>(Site::new(0), negative, positive).unwrap_or_default();
    let most = width.most();
    let negative_wide = width.widen(m, negative);
    let limit = width.add(m, D::constant(most), negative_wide);
    // A quotient of the two limits is the same but for powers of two.
    let quotient = most / u64::from(radix);
    let quotient = if (most + 1) / u64::from(radix) == quotient {
        D::constant(quotient)
    } else {
        width.add(m, D::constant(quotient), negative_wide)
    };
    let factor = D::constant(u64::from(radix));
    let mut valid = D::constant(1);
    let mut sum = D::constant(0);
    let mut bound = 0_u128;
    for i in 0..length {
        let c = unsigned(m, array, i);
        let mut digit = digit_value(m, c, radix);
        if i == 0 && length > 1 {
            digit = m.domain.choose(signed, D::constant(0), digit);
        }
        let is_digit =
            m.domain.binary::<ops::I32GeS>(Site::new(0), digit, D::constant(0)).unwrap_or_default();
        valid = both(m, valid, is_digit);
        let digit = width.widen(m, digit);
        // Few digits are never too large, whatever they are.
        bound = bound.saturating_mul(u128::from(radix)).saturating_add(u128::from(radix - 1));
        let is_long = bound > u128::from(most);
        if is_long {
            let fits = width.at_most(m, sum, quotient);
            valid = both(m, valid, fits);
        }
        let shifted = width.multiply(m, sum, factor);
        sum = width.add(m, shifted, digit);
        if is_long {
            let fits = width.at_most(m, sum, limit);
            valid = both(m, valid, fits);
        }
    }
    let site = Site::new(m.registry.shared_site(name, 1));
    if m.domain.guard::<ops::I32Ne>(site, valid, D::constant(0)) {
        return Ok(Done::Value(width.with_sign(m, sum, negative)));
    }
    let found = m.load(class)?.declared(name, descriptor);
    let Some(method) = found else { return bytecode(m, class, name, descriptor, a) };
    let text = m.heap.byte_array(array).to_vec();
    let Some(site) = throw_site(m.code_of(method)?, reason(&text, radix, most)) else {
        return bytecode(m, class, name, descriptor, a);
    };
    m.push_call(method, a, Hook::Before)?;
    if let Some(frame) = m.frames.last_mut() {
        frame.pc = site;
    }
    Err(Fault::Again)
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/Integer.parseInt(Ljava/lang/String;I)I", |m, a| parse(m, a, Width::Int)),
        ("java/lang/Long.parseLong(Ljava/lang/String;I)J", |m, a| parse(m, a, Width::Long)),
    ]
}
