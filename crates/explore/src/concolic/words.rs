//! Integer instructions as bit-vector terms.
//!
//! Truth values are `(ite c 1 0)` in WebAssembly's eyes; the condition inside is kept visible through the operations
//! that compilers apply to truth values, so that a path condition is the comparison and not a puzzle around it.

use super::Concolic;
use crate::op::BinaryOp;
use crate::target::negate;
use smt::{BitVec, Op, Sort, TermId, Value};

impl Concolic {
    /// A bit-vector constant.
    pub(super) fn word(&mut self, width: u32, bits: u64) -> TermId {
        let mask = u64::MAX >> (64 - width);
        self.terms.bv(width, bits & mask)
    }

    /// The width of a bit-vector term.
    pub(super) fn width(&self, term: TermId) -> u32 {
        match self.terms.sort_of(self.terms.sort(term)) {
            Sort::BitVec(width) => *width,
            other => unreachable!("a bit-vector is wanted, not {other:?}"),
        }
    }

    /// The bits of a term that is a constant bit-vector.
    pub(super) fn constant_bits(&self, term: TermId) -> Option<u64> {
        match self.terms.as_value(term)? {
            Value::BitVec(bits) => BitVec::to_u64(bits),
            _ => None,
        }
    }

    /// `1` if the condition holds, else `0`.
    pub(super) fn flag(&mut self, condition: TermId, width: u32) -> TermId {
        let (one, zero) = (self.word(width, 1), self.word(width, 0));
        match condition {
            TermId::TRUE => one,
            TermId::FALSE => zero,
            _ => self.terms.mk(Op::Ite, &[condition, one, zero]),
        }
    }

    /// The condition of a term that is a flag or the constant 0 or 1.
    fn unflag(&self, term: TermId) -> Option<TermId> {
        match self.constant_bits(term) {
            Some(0) => return Some(TermId::FALSE),
            Some(1) => return Some(TermId::TRUE),
            _ => {}
        }
        if self.terms.op(term) != Op::Ite {
            return None;
        }
        let &[condition, one, zero] = self.terms.args(term) else { return None };
        (self.constant_bits(one) == Some(1) && self.constant_bits(zero) == Some(0)).then_some(condition)
    }

    /// That a bit-vector is not zero.
    pub(super) fn truth(&mut self, term: TermId) -> TermId {
        if let Some(condition) = self.unflag(term) {
            return condition;
        }
        let zero = self.word(self.width(term), 0);
        let equal = self.terms.mk(Op::Eq, &[term, zero]);
        negate(&mut self.terms, equal)
    }

    /// Some bits of a term, looking through what only moves bits around.
    pub(super) fn extract(&mut self, mut term: TermId, mut high: u32, mut low: u32) -> TermId {
        loop {
            let width = self.width(term);
            if low == 0 && high + 1 == width {
                return term;
            }
            if let Some(bits) = self.constant_bits(term) {
                return self.word(high - low + 1, bits >> low);
            }
            let op = self.terms.op(term);
            let args = self.terms.args(term);
            match op {
                Op::ZeroExtend | Op::SignExtend if high < self.width(args[0]) => term = args[0],
                Op::ZeroExtend if low >= self.width(args[0]) => return self.word(high - low + 1, 0),
                Op::Extract => {
                    let below = self.terms.indices(term)[1];
                    (high, low) = (high + below, low + below);
                    term = args[0];
                }
                Op::Concat => {
                    // The last argument holds the lowest bits.
                    let mut below = 0;
                    let part = args.iter().rev().find_map(|&part| {
                        let start = below;
                        below += self.width(part);
                        (low >= start && high < below).then_some((part, start))
                    });
                    let Some((part, start)) = part else { break };
                    (high, low) = (high - start, low - start);
                    term = part;
                }
                _ => break,
            }
        }
        self.terms.mk_indexed(Op::Extract, [high, low], &[term])
    }

    /// A wider bit-vector of the same value.
    pub(super) fn extend(&mut self, term: TermId, width: u32, signed: bool) -> TermId {
        let by = width - self.width(term);
        if by == 0 {
            return term;
        }
        if !signed && let Some(condition) = self.unflag(term) {
            return self.flag(condition, width);
        }
        let op = if signed { Op::SignExtend } else { Op::ZeroExtend };
        self.terms.mk_indexed(op, [by, 0], &[term])
    }

    /// How many bits are set, by adding neighbours in parallel.
    pub(super) fn popcount(&mut self, term: TermId) -> TermId {
        let width = self.width(term);
        let mut sum = term;
        let masks = [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f];
        for (step, mask) in masks.into_iter().enumerate() {
            let (by, mask) = (self.word(width, 1 << step), self.word(width, mask));
            let shifted = self.terms.mk(Op::BvLshr, &[sum, by]);
            let odd = self.terms.mk(Op::BvAnd, &[shifted, mask]);
            let even = self.terms.mk(Op::BvAnd, &[sum, mask]);
            sum = self.terms.mk(Op::BvAdd, &[even, odd]);
        }
        let (ones, top) = (self.word(width, 0x0101_0101_0101_0101), self.word(width, u64::from(width) - 8));
        let bytes = self.terms.mk(Op::BvMul, &[sum, ones]);
        self.terms.mk(Op::BvLshr, &[bytes, top])
    }

    /// How many zeros stand above the highest one: smear it downwards and count what is left.
    pub(super) fn leading_zeros(&mut self, term: TermId) -> TermId {
        let width = self.width(term);
        let mut smeared = term;
        let mut by = 1;
        while by < width {
            let amount = self.word(width, u64::from(by));
            let shifted = self.terms.mk(Op::BvLshr, &[smeared, amount]);
            smeared = self.terms.mk(Op::BvOr, &[smeared, shifted]);
            by *= 2;
        }
        let above = self.terms.mk(Op::BvNot, &[smeared]);
        self.popcount(above)
    }

    /// How many zeros stand below the lowest one.
    pub(super) fn trailing_zeros(&mut self, term: TermId) -> TermId {
        let one = self.word(self.width(term), 1);
        let below = self.terms.mk(Op::BvSub, &[term, one]);
        let not = self.terms.mk(Op::BvNot, &[term]);
        let mask = self.terms.mk(Op::BvAnd, &[not, below]);
        self.popcount(mask)
    }

    /// An integer instruction that does not trap on these operands; none if it is not one on integers.
    pub(super) fn integer(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        use BinaryOp::*;
        let op = match op {
            I32Add | I64Add => Op::BvAdd,
            I32Sub | I64Sub => Op::BvSub,
            I32Mul | I64Mul => Op::BvMul,
            I32DivS | I64DivS => Op::BvSdiv,
            I32DivU | I64DivU => Op::BvUdiv,
            I32RemS | I64RemS => Op::BvSrem,
            I32RemU | I64RemU => Op::BvUrem,
            I32And | I64And => return Some(self.bitwise(Op::BvAnd, Op::And, a, b)),
            I32Or | I64Or => return Some(self.bitwise(Op::BvOr, Op::Or, a, b)),
            I32Xor | I64Xor => return Some(self.bitwise(Op::BvXor, Op::Xor, a, b)),
            I32Shl | I64Shl => return Some(self.shift(Op::BvShl, a, b)),
            I32ShrS | I64ShrS => return Some(self.shift(Op::BvAshr, a, b)),
            I32ShrU | I64ShrU => return Some(self.shift(Op::BvLshr, a, b)),
            I32Rotl | I64Rotl => return Some(self.rotate(Op::RotateLeft, Op::BvShl, Op::BvLshr, a, b)),
            I32Rotr | I64Rotr => return Some(self.rotate(Op::RotateRight, Op::BvLshr, Op::BvShl, a, b)),
            _ => {
                let condition = self.comparison(op, a, b)?;
                return Some(self.flag(condition, 32));
            }
        };
        Some(self.terms.mk(op, &[a, b]))
    }

    /// What an integer comparison asks; none if the instruction is not one.
    pub(super) fn comparison(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        use BinaryOp::*;
        let op = match op {
            I32Eq | I64Eq => return Some(self.equal(a, b)),
            I32Ne | I64Ne => {
                let equal = self.equal(a, b);
                return Some(negate(&mut self.terms, equal));
            }
            I32LtS | I64LtS => Op::BvSlt,
            I32LtU | I64LtU => Op::BvUlt,
            I32GtS | I64GtS => Op::BvSgt,
            I32GtU | I64GtU => Op::BvUgt,
            I32LeS | I64LeS => Op::BvSle,
            I32LeU | I64LeU => Op::BvUle,
            I32GeS | I64GeS => Op::BvSge,
            I32GeU | I64GeU => Op::BvUge,
            _ => return None,
        };
        Some(self.terms.mk(op, &[a, b]))
    }

    fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.constant_bits(a), self.constant_bits(b)) {
            (_, Some(0)) => {
                let truth = self.truth(a);
                negate(&mut self.terms, truth)
            }
            (_, Some(1)) if self.unflag(a).is_some() => self.truth(a),
            (Some(_), None) => self.equal(b, a),
            _ => self.terms.mk(Op::Eq, &[a, b]),
        }
    }

    /// A bitwise operation, which on flags is one on their conditions.
    fn bitwise(&mut self, op: Op, logical: Op, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match (self.unflag(a), self.unflag(b)) {
            (Some(c), Some(d))
                if !matches!((c, d), (TermId::TRUE | TermId::FALSE, TermId::TRUE | TermId::FALSE)) =>
            {
                let condition = match (logical, c, d) {
                    (Op::And, TermId::TRUE, other) | (Op::And, other, TermId::TRUE) => other,
                    (Op::Or | Op::Xor, TermId::FALSE, other) | (Op::Or | Op::Xor, other, TermId::FALSE) => {
                        other
                    }
                    (Op::Xor, TermId::TRUE, other) | (Op::Xor, other, TermId::TRUE) => {
                        negate(&mut self.terms, other)
                    }
                    _ => self.terms.mk(logical, &[c, d]),
                };
                self.flag(condition, width)
            }
            _ => self.terms.mk(op, &[a, b]),
        }
    }

    /// The amount modulo the width, as WebAssembly takes it.
    fn amount(&mut self, width: u32, b: TermId) -> TermId {
        let mask = u64::from(width) - 1;
        match self.constant_bits(b) {
            Some(bits) => self.word(width, bits & mask),
            None => {
                let mask = self.word(width, mask);
                self.terms.mk(Op::BvAnd, &[b, mask])
            }
        }
    }

    fn shift(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let amount = self.amount(self.width(a), b);
        self.terms.mk(op, &[a, amount])
    }

    fn rotate(&mut self, fixed: Op, there: Op, back: Op, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let amount = self.amount(width, b);
        if let Some(by) = self.constant_bits(amount) {
            return self.terms.mk_indexed(fixed, [by as u32, 0], &[a]);
        }
        let full = self.word(width, u64::from(width));
        let rest = self.terms.mk(Op::BvSub, &[full, amount]);
        // By zero, the rest is the whole width, and a shift by that gives zero.
        let (out, around) = (self.terms.mk(there, &[a, amount]), self.terms.mk(back, &[a, rest]));
        self.terms.mk(Op::BvOr, &[out, around])
    }
}
