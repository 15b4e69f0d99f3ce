//! Moves that are computed, not guessed: a conjunct that fails is made true by walking down to one cell, undoing
//! on the way every operation for the value that its result should have.
//!
//! Where an operation has no exact inverse (rounding, division, masks) a value nearby is taken: the move is a proposal, and the
//! search judges it by its cost as any other.

use super::arith::{BitsOp, FloatOp, bits_op, convert, float_neg, float_op, from_integer, to_integer};
use super::distance::Class;
use super::layout::{Layout, Origin};
use super::machine::Machine;
use super::program::{Code, Instr, Program, Slot};
use super::shape::{Shape, ones, signed};
use random::Rng;

/// What a register should hold.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Truth(u32, bool),
    Word(u32, u64),
}

/// Round to nearest, ties to even, as a word.
const RNE: u64 = 0;

/// The view of a program that walks down it.
pub(super) struct Inverter<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout,
    pub(super) machine: &'a Machine,
    pub(super) rng: &'a mut Rng,
}

impl Inverter<'_> {
    /// A cell and a value for it that may make a truth value true; `None` if the walk ends elsewhere.
    pub(super) fn propose(&mut self, root: u32) -> Option<(u32, u64)> {
        let mut goal = Goal::Truth(root, true);
        loop {
            let (slot, value) = match goal {
                Goal::Truth(r, truth) => (Slot::Gap(r), u64::from(truth)),
                Goal::Word(r, word) => (Slot::Word(r), word),
            };
            goal = match self.layout.origin(slot) {
                Origin::Cell(cell) => return Some((cell, value)),
                Origin::Constant => return None,
                Origin::Instr(i) => {
                    let program = self.program;
                    let instr = &program.instrs[i as usize];
                    match goal {
                        Goal::Truth(_, truth) => self.undo_truth(instr, truth)?,
                        Goal::Word(_, word) => self.undo_word(instr, word)?,
                    }
                }
            };
        }
    }

    fn word(&self, r: u32) -> u64 {
        self.machine.word(r)
    }

    fn holds(&self, r: u32) -> Option<bool> {
        self.machine.gap(r).truth()
    }

    fn can_change(&self, slot: Slot) -> bool {
        self.layout.origin(slot) != Origin::Constant
    }

    /// One of two words that can change (true for the first), at random if both can.
    fn first_of(&mut self, a: u32, b: u32) -> bool {
        match (self.can_change(Slot::Word(a)), self.can_change(Slot::Word(b))) {
            (true, true) => self.rng.one_in(2),
            (first, _) => first,
        }
    }

    fn shape(&self, i: u32) -> Shape {
        self.program.shapes[i as usize]
    }

    /// Mostly a few steps, sometimes many.
    fn some_steps(&mut self) -> i64 {
        let bits = if self.rng.one_in(4) { self.rng.below(61) } else { self.rng.below(4) };
        (self.rng.bits() >> (63 - bits)).max(1) as i64
    }

    fn undo_truth(&mut self, instr: &Instr, truth: bool) -> Option<Goal> {
        let Instr { a, b, c, .. } = *instr;
        Some(match instr.code {
            Code::Not => Goal::Truth(a, !truth),
            Code::And | Code::Or => {
                let all = (instr.code == Code::And) == truth;
                let list = &self.program.lists[a as usize..(a + b) as usize];
                let wanting: Vec<u32> = list
                    .iter()
                    .copied()
                    .filter(|&r| self.can_change(Slot::Gap(r)) && (!all || self.holds(r) != Some(truth)))
                    .collect();
                if wanting.is_empty() {
                    return None;
                }
                Goal::Truth(self.rng.pick(&wanting), truth)
            }
            Code::Iff => match self.rng.one_in(2) && self.can_change(Slot::Gap(a)) {
                true => Goal::Truth(a, self.holds(b)? == truth),
                false => Goal::Truth(b, self.holds(a)? == truth),
            },
            Code::IteGap => {
                let (active, other) = if self.holds(a)? { (b, c) } else { (c, b) };
                let flip = self.holds(other) == Some(truth) && self.rng.one_in(2);
                if flip || !self.can_change(Slot::Gap(active)) {
                    Goal::Truth(a, !self.holds(a)?)
                } else {
                    Goal::Truth(active, truth)
                }
            }
            Code::Same(width) if truth => self.copy(a, b, |_, w| w & ones(width)),
            Code::Same(width) => {
                let flip = 1 << self.rng.below(width as usize);
                self.copy(a, b, |_, w| w ^ flip)
            }
            Code::FloatSame(_) | Code::FloatEq(_) if truth => self.copy(a, b, |_, w| w),
            Code::FloatSame(s) | Code::FloatEq(s) => {
                let (shape, by) = (self.shape(s), self.some_steps());
                let by = if self.rng.one_in(2) { -by } else { by };
                self.copy(a, b, |_, w| shape.step(w, by))
            }
            // `not (x < y)` is wanted of `y <= x` too: a NaN is left to chance.
            Code::FloatLt(s) => self.apart(a, b, s, truth, i64::from(truth)),
            Code::FloatLe(s) => self.apart(a, b, s, truth, i64::from(!truth)),
            Code::FloatClass(s, class) => Goal::Word(a, self.member(s, class, truth, self.word(a))),
            Code::Ult => {
                let by = self.some_steps() as u64 - u64::from(!truth);
                // x < y: x is made y - by, or y is made x + by; the reverse for falsity.
                self.copy(a, b, |first, w| match first == truth {
                    true => w.saturating_sub(by),
                    false => w.saturating_add(by),
                })
            }
            Code::Slt(width) => {
                let by = self.some_steps() - i64::from(!truth);
                let top = (ones(width) >> 1) as i64;
                self.copy(a, b, |first, w| {
                    let w = signed(w, width);
                    let moved = if first == truth { w.saturating_sub(by) } else { w.saturating_add(by) };
                    moved.clamp(-top - 1, top) as u64 & ones(width)
                })
            }
            Code::ReadGap(site) => match self.machine.read(self.program, site)? {
                Slot::Gap(r) => Goal::Truth(r, truth),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Makes one of two words a function of the other; the function is told whether it is the first.
    fn copy(&mut self, a: u32, b: u32, f: impl Fn(bool, u64) -> u64) -> Goal {
        if self.first_of(a, b) {
            Goal::Word(a, f(true, self.word(b)))
        } else {
            Goal::Word(b, f(false, self.word(a)))
        }
    }

    /// Puts two floats in order (`low` first if `truth`), at least this many steps apart.
    fn apart(&mut self, a: u32, b: u32, shape: u32, truth: bool, at_least: i64) -> Goal {
        let shape = self.shape(shape);
        let by = self.some_steps() - 1 + at_least;
        // Zeros of both signs are one value: a step over zero takes two keys.
        let by = if by == 1 { 1 + i64::from(self.rng.one_in(2)) } else { by };
        self.copy(a, b, |first, w| shape.step(w, if first == truth { -by } else { by }))
    }

    /// A value inside or outside a class, near the present one where that makes sense.
    fn member(&mut self, shape: u32, class: Class, inside: bool, now: u64) -> u64 {
        let shape = self.shape(shape);
        let sign = if self.rng.one_in(2) { shape.sign } else { 0 };
        let between = |rng: &mut Rng, low: u64, high: u64| low + rng.bits() % (high - low + 1);
        match (class, inside) {
            (Class::Nan, true) => shape.nan,
            (Class::Infinite, true) => shape.infinity | sign,
            (Class::Zero, true) => sign,
            (Class::Normal, true) => between(self.rng, shape.min_normal, shape.infinity - 1) | sign,
            (Class::Subnormal, true) if shape.min_normal > 1 => {
                between(self.rng, 1, shape.min_normal - 1) | sign
            }
            (Class::Negative, true) | (Class::Positive, false) => shape.magnitude(now) | shape.sign,
            (Class::Positive, true) | (Class::Negative, false) => shape.magnitude(now),
            (Class::Nan, false) => between(self.rng, 0, shape.infinity) | sign,
            (Class::Infinite, false) => between(self.rng, 0, shape.infinity - 1) | sign,
            (Class::Zero, false) => between(self.rng, 1, shape.infinity) | sign,
            (Class::Normal, false) => sign,
            (Class::Subnormal, _) => shape.min_normal | sign,
        }
    }

    fn undo_word(&mut self, instr: &Instr, goal: u64) -> Option<Goal> {
        let Instr { a, b, c, .. } = *instr;
        Some(match instr.code {
            Code::Bits(op, width) => return self.undo_bits(op, width, a, b, goal),
            Code::Concat(low) => {
                let (high, rest) = (goal >> low, goal & ones(low));
                match (high == self.word(a), rest == self.word(b)) {
                    (false, true) => Goal::Word(a, high),
                    (true, false) => Goal::Word(b, rest),
                    _ if self.first_of(a, b) => Goal::Word(a, high),
                    _ => Goal::Word(b, rest),
                }
            }
            Code::Extract(width, low) => {
                let kept = self.word(a) & !(ones(width) << low);
                Goal::Word(a, kept | goal << low)
            }
            Code::SignExtend(from, _) => Goal::Word(a, goal & ones(from)),
            Code::FromGap => Goal::Truth(a, goal != 0),
            Code::IteWord => {
                let truth = self.holds(a)?;
                let (active, other) = if truth { (b, c) } else { (c, b) };
                let flip = self.word(other) == goal || self.rng.one_in(8);
                if self.can_change(Slot::Gap(a)) && (flip || !self.can_change(Slot::Word(active))) {
                    Goal::Truth(a, !truth)
                } else {
                    Goal::Word(active, goal)
                }
            }
            Code::Float(op, s) => return self.undo_float(op, s, a, b, goal),
            Code::Fma(s, _) => {
                let shape = self.shape(s);
                let (x, y, z) = (self.word(a), self.word(b), self.word(c));
                let op = |op, x, y| float_op(&shape, op, RNE, x, y, 0);
                let operands: Vec<u32> =
                    [a, b, c].into_iter().filter(|&r| self.can_change(Slot::Word(r))).collect();
                let chosen = self.rng.pick(&operands);
                let value = if chosen == c {
                    op(FloatOp::Sub, goal, op(FloatOp::Mul, x, y))
                } else {
                    op(FloatOp::Div, op(FloatOp::Sub, goal, z), if chosen == a { y } else { x })
                };
                Goal::Word(chosen, self.near(&shape, value))
            }
            Code::FloatNeg(s) => Goal::Word(a, float_neg(&self.shape(s), goal)),
            Code::FloatAbs(s) => {
                let shape = self.shape(s);
                let negative = self.rng.one_in(2) && !shape.is_nan(goal);
                Goal::Word(a, if negative { goal | shape.sign } else { goal })
            }
            Code::Extreme(..) => {
                if self.first_of(a, b) {
                    Goal::Word(a, goal)
                } else {
                    Goal::Word(b, goal)
                }
            }
            Code::Canonical(_) => Goal::Word(a, goal),
            Code::Convert(from, to) => {
                let from = self.shape(from);
                let back = convert(&self.shape(to), &from, RNE, goal);
                Goal::Word(a, self.near(&from, back))
            }
            Code::FromInteger(to, width, is_signed) => {
                Goal::Word(a, to_integer(&self.shape(to), RNE, goal, width, is_signed)?)
            }
            Code::ToInteger(from, width, is_signed) => {
                let from = self.shape(from);
                Goal::Word(a, from_integer(&from, RNE, goal, width, is_signed))
            }
            Code::Lookup(contents) => {
                let contents = &self.program.contents[contents as usize];
                Goal::Word(a, contents.place_of(goal, |many| self.rng.below(many)))
            }
            Code::ReadWord(site) => match self.machine.read(self.program, site)? {
                Slot::Word(r) => Goal::Word(r, goal),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The value itself, or one a few steps away: what rounding may ask for.
    fn near(&mut self, shape: &Shape, word: u64) -> u64 {
        match self.rng.below(4) {
            0 | 1 => word,
            2 => shape.step(word, self.rng.below(5) as i64 - 2),
            _ => {
                let by = self.some_steps();
                shape.step(word, if self.rng.one_in(2) { by } else { -by })
            }
        }
    }

    fn undo_float(&mut self, op: FloatOp, shape: u32, a: u32, b: u32, goal: u64) -> Option<Goal> {
        let shape = self.shape(shape);
        let (x, y) = (self.word(a), self.word(b));
        let compute = |op, x, y| float_op(&shape, op, RNE, x, y, 0);
        let first = self.first_of(a, b);
        let value = match (op, first) {
            (FloatOp::Add, true) => compute(FloatOp::Sub, goal, y),
            (FloatOp::Add, false) => compute(FloatOp::Sub, goal, x),
            (FloatOp::Sub, true) => compute(FloatOp::Add, goal, y),
            (FloatOp::Sub, false) => compute(FloatOp::Sub, x, goal),
            (FloatOp::Mul, _) if a == b => compute(FloatOp::Sqrt, goal, goal),
            (FloatOp::Mul, true) => compute(FloatOp::Div, goal, y),
            (FloatOp::Mul, false) => compute(FloatOp::Div, goal, x),
            (FloatOp::Div, true) => compute(FloatOp::Mul, goal, y),
            (FloatOp::Div, false) => compute(FloatOp::Div, x, goal),
            (FloatOp::Sqrt, _) => compute(FloatOp::Mul, goal, goal),
            (FloatOp::Rem, true) | (FloatOp::Integral, _) => goal,
            (FloatOp::Rem, false) | (FloatOp::Fma, _) => return None,
        };
        let unary = matches!(op, FloatOp::Sqrt | FloatOp::Integral);
        Some(Goal::Word(if first || unary { a } else { b }, self.near(&shape, value)))
    }

    fn undo_bits(&mut self, op: BitsOp, width: u32, a: u32, b: u32, goal: u64) -> Option<Goal> {
        let first = self.first_of(a, b);
        let (target, now, other) =
            if first { (a, self.word(a), self.word(b)) } else { (b, self.word(b), self.word(a)) };
        let compute = |op, x, y| bits_op(op, width, x, y);
        let value = match (op, first) {
            (BitsOp::And, _) => goal & other | now & !other,
            (BitsOp::Or, _) => goal & !other | now & other,
            (BitsOp::Xor, _) => goal ^ other,
            (BitsOp::Add, _) => compute(BitsOp::Sub, goal, other),
            (BitsOp::Sub, true) => compute(BitsOp::Add, goal, other),
            (BitsOp::Sub, false) => compute(BitsOp::Sub, other, goal),
            (BitsOp::Mul, _) if other & 1 == 1 => compute(BitsOp::Mul, goal, inverse(other)),
            (BitsOp::Mul, _) => compute(BitsOp::Udiv, goal, other),
            (BitsOp::Udiv | BitsOp::Sdiv, true) => compute(BitsOp::Mul, goal, other),
            (BitsOp::Udiv, false) => compute(BitsOp::Udiv, other, goal),
            (BitsOp::Sdiv, false) => compute(BitsOp::Sdiv, other, goal),
            (BitsOp::Urem, true) => {
                // The quotient stays if it can.
                let kept = compute(BitsOp::Sub, now, compute(BitsOp::Urem, now, other));
                compute(BitsOp::Add, kept, goal)
            }
            (BitsOp::Srem | BitsOp::Smod, true) => goal,
            (BitsOp::Shl, true) => {
                let lost = u64::from(width).saturating_sub(other).min(u64::from(width) - 1);
                compute(BitsOp::Lshr, goal, other) | now >> lost << lost
            }
            (BitsOp::Lshr | BitsOp::Ashr, true) => {
                compute(BitsOp::Shl, goal, other) | now & !(u64::MAX << other.min(63))
            }
            (BitsOp::Urem | BitsOp::Srem | BitsOp::Smod, false) => return None,
            (BitsOp::Shl | BitsOp::Lshr | BitsOp::Ashr, false) => {
                (0..u64::from(width)).find(|&n| compute(op, other, n) == goal)?
            }
        };
        Some(Goal::Word(target, value & ones(width)))
    }
}

/// The inverse of an odd number modulo `2^64`.
fn inverse(odd: u64) -> u64 {
    // Newton: each round doubles the number of correct bits, of which there are three at first.
    (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in (1..10_000u64).step_by(2).chain([u64::MAX, 0x9e37_79b9_7f4a_7c15]) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
