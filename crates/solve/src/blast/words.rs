//! Circuits for words of bits, lowest bit first: what each bit-vector operation is made of.
//!
//! The circuits are those of a textbook; constants fall out of them by the graph's own simplification. Widths are the
//! caller's promise. Loops of quadratic size stop early once the graph is full.

use super::aig::{Aig, Bit};

/// A word that a circuit computes.
pub(super) type Word = Vec<Bit>;

/// The word of a constant.
pub(super) fn constant(value: &smt::BitVec) -> Word {
    (0..value.width()).map(|i| Bit::of(value.bit(i))).collect()
}

pub(super) fn not(a: &[Bit]) -> Word {
    a.iter().map(|&b| !b).collect()
}

/// The bitwise combination of two words.
pub(super) fn zip(aig: &mut Aig, a: &[Bit], b: &[Bit], f: fn(&mut Aig, Bit, Bit) -> Bit) -> Word {
    a.iter().zip(b).map(|(&a, &b)| f(aig, a, b)).collect()
}

pub(super) fn mux(aig: &mut Aig, c: Bit, a: &[Bit], b: &[Bit]) -> Word {
    a.iter().zip(b).map(|(&a, &b)| aig.mux(c, a, b)).collect()
}

pub(super) fn equal(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let same: Word = a.iter().zip(b).map(|(&a, &b)| !aig.xor(a, b)).collect();
    aig.and_all(&same)
}

pub(super) fn is_zero(aig: &mut Aig, a: &[Bit]) -> Bit {
    let zeros = not(a);
    aig.and_all(&zeros)
}

/// The sum with a carry going in, and the carry that comes out.
pub(super) fn add(aig: &mut Aig, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
    let mut sum = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let either = aig.xor(a, b);
        sum.push(aig.xor(either, carry));
        let both = aig.and(a, b);
        let passed = aig.and(either, carry);
        carry = aig.or(both, passed);
    }
    (sum, carry)
}

pub(super) fn sub(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Word {
    add(aig, a, &not(b), Bit::TRUE).0
}

pub(super) fn neg(aig: &mut Aig, a: &[Bit]) -> Word {
    add(aig, &vec![Bit::FALSE; a.len()], &not(a), Bit::TRUE).0
}

/// The low bits of the product, as many as `a` has. Rows of zeros cost nothing.
pub(super) fn mul(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Word {
    let constants = |w: &[Bit]| w.iter().filter(|b| b.constant() == Some(false)).count();
    // The operand with more known zeros selects the rows.
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    let width = a.len();
    let mut product = vec![Bit::FALSE; width];
    for (i, &row) in b.iter().enumerate() {
        if row == Bit::FALSE || aig.is_full() {
            continue;
        }
        let shifted: Word = a[..width - i].iter().map(|&bit| aig.and(bit, row)).collect();
        let (sum, _) = add(aig, &product[i..], &shifted, Bit::FALSE);
        product.splice(i.., sum);
    }
    product
}

/// Quotient and remainder by restoring division. For a zero divisor it gives all ones and the dividend, as SMT-LIB
/// wants it.
pub(super) fn divide(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> (Word, Word) {
    let width = a.len();
    let mut quotient = vec![Bit::FALSE; width];
    let mut wide_b = b.to_vec();
    wide_b.push(Bit::FALSE);
    let mut rest = vec![Bit::FALSE; width];
    for i in (0..width).rev() {
        if aig.is_full() {
            break;
        }
        rest.insert(0, a[i]);
        let (difference, fits) = add(aig, &rest, &not(&wide_b), Bit::TRUE);
        quotient[i] = fits;
        rest = mux(aig, fits, &difference, &rest);
        rest.pop();
    }
    (quotient, rest)
}

fn abs(aig: &mut Aig, a: &[Bit]) -> Word {
    let negated = neg(aig, a);
    mux(aig, sign(a), &negated, a)
}

fn negate_if(aig: &mut Aig, c: Bit, a: &[Bit]) -> Word {
    let negated = neg(aig, a);
    mux(aig, c, &negated, a)
}

/// The sign bit.
pub(super) fn sign(a: &[Bit]) -> Bit {
    a[a.len() - 1]
}

pub(super) fn sdiv(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Word {
    let (abs_a, abs_b) = (abs(aig, a), abs(aig, b));
    let quotient = divide(aig, &abs_a, &abs_b).0;
    let differ = aig.xor(sign(a), sign(b));
    negate_if(aig, differ, &quotient)
}

pub(super) fn srem(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Word {
    let (abs_a, abs_b) = (abs(aig, a), abs(aig, b));
    let rest = divide(aig, &abs_a, &abs_b).1;
    negate_if(aig, sign(a), &rest)
}

/// The remainder with the sign of the divisor: where the signs differ and the remainder is not zero, the divisor is added.
pub(super) fn smod(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Word {
    let (abs_a, abs_b) = (abs(aig, a), abs(aig, b));
    let rest = divide(aig, &abs_a, &abs_b).1;
    let signed = negate_if(aig, sign(a), &rest);
    let differ = aig.xor(sign(a), sign(b));
    let zero = is_zero(aig, &rest);
    let adjust = aig.and(differ, !zero);
    let adjusted = add(aig, &signed, b, Bit::FALSE).0;
    mux(aig, adjust, &adjusted, &signed)
}

/// Which way a shifter moves bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
}

/// A barrel shifter; what leaves the word is lost and `fill` comes in.
pub(super) fn shift(aig: &mut Aig, a: &[Bit], by: &[Bit], direction: Direction, fill: Bit) -> Word {
    let width = a.len();
    let mut word = a.to_vec();
    let mut too_far = Bit::FALSE;
    for (stage, &bit) in by.iter().enumerate() {
        if stage >= usize::BITS as usize - 1 || 1usize << stage >= width {
            too_far = aig.or(too_far, bit);
            continue;
        }
        let distance = 1 << stage;
        let moved: Word = (0..width)
            .map(|i| match direction {
                Direction::Left => i.checked_sub(distance).map_or(fill, |j| word[j]),
                Direction::Right => word.get(i + distance).copied().unwrap_or(fill),
            })
            .collect();
        word = mux(aig, bit, &moved, &word);
    }
    let filled = vec![fill; width];
    mux(aig, too_far, &filled, &word)
}

/// `a < b` unsigned.
pub(super) fn less(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let mut less = Bit::FALSE;
    for (&a, &b) in a.iter().zip(b) {
        let here = aig.and(!a, b);
        let not_greater = aig.or(!a, b);
        let below = aig.and(not_greater, less);
        less = aig.or(here, below);
    }
    less
}

/// `a < b` in two's complement: the same comparison with the roles of the sign bits exchanged.
pub(super) fn signed_less(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    let top = a.len() - 1;
    std::mem::swap(&mut a[top], &mut b[top]);
    less(aig, &a, &b)
}

pub(super) fn extend(a: &[Bit], by: usize, fill: Bit) -> Word {
    let mut word = a.to_vec();
    word.resize(a.len() + by, fill);
    word
}

/// Whether the least signed value is met.
pub(super) fn is_min_signed(aig: &mut Aig, a: &[Bit]) -> Bit {
    let low = is_zero(aig, &a[..a.len() - 1]);
    aig.and(sign(a), low)
}

/// Overflow of a signed sum or difference, from its exact value in one more bit.
fn leaves_range(aig: &mut Aig, exact: &[Bit]) -> Bit {
    aig.xor(exact[exact.len() - 1], exact[exact.len() - 2])
}

pub(super) fn signed_add_overflows(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let (a, b) = (extend(a, 1, sign(a)), extend(b, 1, sign(b)));
    let sum = add(aig, &a, &b, Bit::FALSE).0;
    leaves_range(aig, &sum)
}

pub(super) fn signed_sub_overflows(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let (a, b) = (extend(a, 1, sign(a)), extend(b, 1, sign(b)));
    let difference = sub(aig, &a, &b);
    leaves_range(aig, &difference)
}

pub(super) fn unsigned_mul_overflows(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let width = a.len();
    let product = mul(aig, &extend(a, width, Bit::FALSE), &extend(b, width, Bit::FALSE));
    !is_zero(aig, &product[width..])
}

pub(super) fn signed_mul_overflows(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let width = a.len();
    let product = mul(aig, &extend(a, width, sign(a)), &extend(b, width, sign(b)));
    // In range means that all bits above the sign repeat it.
    let ones = aig.and_all(&product[width - 1..]);
    let zeros = is_zero(aig, &product[width - 1..]);
    aig.and(!ones, !zeros)
}
