//! Sums with constant factors: what a bit-vector term is modulo `2^w`, as multiples of terms and a constant.

use super::build::{bit_vec, constant, is_zero, under, width};
pub(super) use crate::tuning::blast_rewrite_linear::MAX_SUMMANDS;
use smt::{BitVec, Op, TermId, Terms};

/// A sum of multiples of terms, and a constant.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    /// The terms with their factors, ascending, none zero.
    pub(super) monomials: Vec<(TermId, BitVec)>,
    /// The summand without an unknown.
    pub(super) constant: BitVec,
}

impl Linear {
    /// How a term looks as a sum, one or two levels deep.
    pub(super) fn of(t: &Terms, term: TermId) -> Linear {
        let width = width(t, term);
        let mut sum = Linear { monomials: Vec::new(), constant: BitVec::zero(width) };
        sum.add(t, term, &BitVec::from_u64(width, 1), 3);
        sum.normalize();
        sum
    }

    fn add(&mut self, t: &Terms, term: TermId, factor: &BitVec, depth: u32) {
        if let Some(c) = bit_vec(t, term) {
            self.constant = self.constant.add(&c.mul(factor));
            return;
        }
        match (t.op(term), t.args(term)) {
            (Op::BvAdd, args) if depth > 0 && self.monomials.len() + args.len() <= MAX_SUMMANDS => {
                for &arg in args {
                    self.add(t, arg, factor, depth - 1);
                }
            }
            (Op::BvNeg, &[arg]) if depth > 0 => self.add(t, arg, &factor.neg(), depth - 1),
            (Op::BvMul, &[arg, c]) if depth > 0 && bit_vec(t, c).is_some() => {
                let c = bit_vec(t, c).expect("it was one").mul(factor);
                self.add(t, arg, &c, depth - 1);
            }
            (Op::Concat, &[high, low]) if depth > 0 && shifted(t, term, high, low).is_some() => {
                let arg = shifted(t, term, high, low).expect("it was one");
                let shift = BitVec::from_u64(factor.width(), u64::from(width(t, low)));
                self.add(t, arg, &factor.shl(&shift), depth - 1);
            }
            _ => self.monomials.push((term, factor.clone())),
        }
    }

    fn normalize(&mut self) {
        self.monomials.sort_unstable_by_key(|m| m.0);
        self.monomials.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.add(&next.1);
            }
            same
        });
        self.monomials.retain(|m| !m.1.is_zero());
    }

    /// Removes what both sums share; whether there was any.
    pub(super) fn cancel(&mut self, other: &mut Linear) -> bool {
        let before = self.monomials.len();
        let shared: Vec<(TermId, BitVec)> =
            self.monomials.iter().filter(|m| other.monomials.contains(m)).cloned().collect();
        self.monomials.retain(|m| !shared.contains(m));
        other.monomials.retain(|m| !shared.contains(m));
        let mut changed = self.monomials.len() < before;
        if !self.constant.is_zero() && self.constant == other.constant {
            self.constant = BitVec::zero(self.constant.width());
            other.constant = self.constant.clone();
            changed = true;
        }
        changed
    }

    /// The sum as a term: summands ascending, the constant last.
    pub(super) fn build(&self, t: &mut Terms) -> TermId {
        let width = self.constant.width();
        let mut summands: Vec<TermId> = self
            .monomials
            .iter()
            .map(|(term, factor)| {
                if factor.to_u64() == Some(1) {
                    *term
                } else if *factor == BitVec::ones(width) {
                    t.mk(Op::BvNeg, &[*term])
                } else {
                    let factor = constant(t, factor.clone());
                    t.mk(Op::BvMul, &[*term, factor])
                }
            })
            .collect();
        if !self.constant.is_zero() || summands.is_empty() {
            summands.push(constant(t, self.constant.clone()));
        }
        if let [only] = *summands { only } else { t.mk(Op::BvAdd, &summands) }
    }
}

/// What a concatenation moves to the left: `x << k` is written as low bits of `x` and `k` zeros.
fn shifted(t: &Terms, whole: TermId, high: TermId, low: TermId) -> Option<TermId> {
    let x = under(t, Op::Extract, high)?;
    let moves = is_zero(t, low) && t.indices(high)[1] == 0 && t.sort(x) == t.sort(whole);
    moves.then_some(x)
}

/// The inverse of an odd number modulo `2^w`.
pub(super) fn odd_inverse(value: &BitVec) -> Option<BitVec> {
    if !value.bit(0) {
        return None;
    }
    // Newton's iteration doubles the number of correct low bits, of which an odd number is its own inverse in three.
    let two = BitVec::new(value.width(), 2u32.into());
    let mut inverse = value.clone();
    let mut correct = 3;
    while correct < value.width() {
        inverse = inverse.mul(&two.sub(&value.mul(&inverse)));
        correct *= 2;
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_odd_numbers() {
        for width in [1, 2, 3, 5, 8, 13] {
            for n in 0..(1u64 << width.min(8)) {
                let value = BitVec::from_u64(width, n);
                match odd_inverse(&value) {
                    Some(inverse) => assert_eq!(inverse.mul(&value).to_u64(), Some(1)),
                    None => assert!(n % 2 == 0),
                }
            }
        }
    }
}
