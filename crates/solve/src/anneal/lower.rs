//! How each operator becomes instructions. Operators without an instruction of their own, and all that touch values of more
//! than 64 bits, call the operator table of the crate `smt`.

use super::arith::{BitsOp, FloatOp};
use super::compile::{Compiler, Refusal};
use super::distance::Class;
use super::machine::bits_operator;
use super::program::{Code, Kind, Slot};
use super::shape::ones;
use crate::tuning::anneal_lower::MAX_PAIRWISE;
use smt::eval::Evaluation;
use smt::{Op, TermId, Value};

/// The register number of a word.
fn word(slot: Slot) -> u32 {
    match slot {
        Slot::Word(r) => r,
        Slot::Gap(_) | Slot::Wide(_) => unreachable!("the sort says that it is a word"),
    }
}

/// The register number of a truth value.
fn gap(slot: Slot) -> u32 {
    match slot {
        Slot::Gap(r) => r,
        Slot::Word(_) | Slot::Wide(_) => unreachable!("the sort says that it is a truth value"),
    }
}

/// Operators on floats that round under a mode: what they are and how many floats they take.
fn float_operator(op: Op) -> Option<FloatOp> {
    Some(match op {
        Op::FpAdd => FloatOp::Add,
        Op::FpSub => FloatOp::Sub,
        Op::FpMul => FloatOp::Mul,
        Op::FpDiv => FloatOp::Div,
        Op::FpSqrt => FloatOp::Sqrt,
        Op::FpRoundToIntegral => FloatOp::Integral,
        _ => return None,
    })
}

fn class(op: Op) -> Option<Class> {
    Some(match op {
        Op::FpIsNaN => Class::Nan,
        Op::FpIsInfinite => Class::Infinite,
        Op::FpIsZero => Class::Zero,
        Op::FpIsNormal => Class::Normal,
        Op::FpIsSubnormal => Class::Subnormal,
        Op::FpIsNegative => Class::Negative,
        Op::FpIsPositive => Class::Positive,
        _ => return None,
    })
}

impl Compiler<'_> {
    /// The register of a term whose arguments have registers.
    pub(super) fn lower(&mut self, term: TermId) -> Result<Slot, Refusal> {
        let op = self.terms.op(term);
        if let Some(value) = self.terms.as_value(term) {
            return self.constant(&value.clone());
        }
        match op {
            Op::Apply if self.terms.args(term).is_empty() => return self.lower_symbol(term),
            Op::Apply | Op::Select => return self.lower_read(term),
            _ => {}
        }
        let args = self.arg_slots(term);
        let sorts: Vec<_> = self.terms.args(term).iter().map(|&a| self.terms.sort(a)).collect();
        let kinds = sorts.into_iter().map(|s| self.kind(s)).collect::<Result<Vec<_>, _>>()?;
        let kind = self.kind(self.terms.sort(term))?;
        if let (Op::Ite, Kind::Wide(_)) = (op, kind) {
            let [condition, Slot::Wide(then), Slot::Wide(otherwise)] = *args else {
                unreachable!("branches have the sort of the whole")
            };
            return Ok(self.emit(Code::IteWide, kind, [gap(condition), then, otherwise]));
        }
        if kinds.iter().any(|k| matches!(k, Kind::Wide(_))) || matches!(kind, Kind::Wide(_)) {
            return self.lower_call(term, &args, &kinds, kind);
        }
        if let Some(slot) = self.lower_core(term, &args, &kinds, kind)? {
            return Ok(slot);
        }
        let lowered = match kinds.iter().rev().find(|k| matches!(k, Kind::Float(_))) {
            Some(&Kind::Float(shape)) => self.lower_float(term, &args, &kinds, kind, shape)?,
            _ => None,
        };
        let lowered = match lowered {
            None => self.lower_bits(term, &args, &kinds, kind),
            some => some,
        };
        match lowered {
            Some(slot) => Ok(slot),
            None => self.lower_call(term, &args, &kinds, kind),
        }
    }

    /// Leaves an application to the operator table.
    fn lower_call(
        &mut self,
        term: TermId,
        args: &[Slot],
        kinds: &[Kind],
        kind: Kind,
    ) -> Result<Slot, Refusal> {
        let op = self.terms.op(term);
        if !matches!(op.info().evaluation, Evaluation::Strict(_)) {
            return Err(Refusal::Unsupported);
        }
        let args: Vec<_> = args.iter().copied().zip(kinds.iter().copied()).collect();
        let call = self.add_call(op, self.terms.indices(term), self.terms.sort(term), &args);
        Ok(self.emit(Code::Call(call), kind, [0; 3]))
    }

    fn not(&mut self, slot: Slot) -> Slot {
        self.emit(Code::Not, Kind::Bool, [gap(slot), 0, 0])
    }

    /// All of, or some of, several truth values.
    fn join(&mut self, code: Code, slots: &[Slot]) -> Slot {
        match slots {
            [] => return self.constant_gap(code == Code::And),
            [one] => return *one,
            _ => {}
        }
        let (start, len) = self.list(slots);
        self.emit(code, Kind::Bool, [start, len, 0])
    }

    /// `=` on two registers of one kind.
    fn same(&mut self, kind: Kind, a: Slot, b: Slot) -> Slot {
        if a == b && !self.is_tainted(a) {
            return self.constant_gap(true);
        }
        match kind {
            Kind::Bool => self.emit(Code::Iff, Kind::Bool, [gap(a), gap(b), 0]),
            Kind::Bits(width) => self.emit(Code::Same(width), Kind::Bool, [word(a), word(b), 0]),
            Kind::Mode => self.emit(Code::Same(3), Kind::Bool, [word(a), word(b), 0]),
            Kind::Float(shape) => self.emit(Code::FloatSame(shape), Kind::Bool, [word(a), word(b), 0]),
            Kind::Wide(_) => unreachable!("wide values are compared by a call"),
        }
    }

    fn lower_core(
        &mut self,
        term: TermId,
        args: &[Slot],
        kinds: &[Kind],
        kind: Kind,
    ) -> Result<Option<Slot>, Refusal> {
        let tainted = args.iter().any(|&a| self.is_tainted(a));
        Ok(Some(match self.terms.op(term) {
            Op::Not => self.not(args[0]),
            Op::And => self.join(Code::And, args),
            Op::Or => self.join(Code::Or, args),
            Op::Implies => {
                let mut slots = args.to_vec();
                let last = slots.len() - 1;
                for slot in &mut slots[..last] {
                    *slot = self.not(*slot);
                }
                self.join(Code::Or, &slots)
            }
            Op::Xor => {
                let mut odd = args[0];
                for &arg in &args[1..] {
                    let same = self.same(Kind::Bool, odd, arg);
                    odd = self.not(same);
                }
                odd
            }
            Op::Ite => {
                let [condition, then, otherwise] = *args else { unreachable!("three arguments") };
                match kind {
                    Kind::Bool => self.emit(Code::IteGap, kind, [gap(condition), gap(then), gap(otherwise)]),
                    _ => self.emit(Code::IteWord, kind, [gap(condition), word(then), word(otherwise)]),
                }
            }
            // The evaluator knows that a term equals itself, whatever its value.
            Op::Eq if self.terms.args(term).windows(2).all(|pair| pair[0] == pair[1]) => {
                self.constant_gap(true)
            }
            Op::Eq if args.len() == 2 => self.lower_equation(term, args, kinds[0]),
            // With more arguments one open one opens all, which pairs would not show.
            Op::Eq | Op::Distinct if !tainted && args.len() <= MAX_PAIRWISE => {
                let mut pairs = Vec::new();
                for i in 0..args.len() {
                    let to = if self.terms.op(term) == Op::Eq { (i + 2).min(args.len()) } else { args.len() };
                    for j in i + 1..to {
                        let same = self.same(kinds[0], args[i], args[j]);
                        pairs.push(if self.terms.op(term) == Op::Eq { same } else { self.not(same) });
                    }
                }
                self.join(Code::And, &pairs)
            }
            _ => return Ok(None),
        }))
    }

    /// `=` of two. Where one side is a constant and the other a chain of `ite`s, or a `bvcomp`, the conditions carry the
    /// distance, which the selected values cannot.
    fn lower_equation(&mut self, term: TermId, args: &[Slot], kind: Kind) -> Slot {
        let (left, right) = (self.terms.args(term)[0], self.terms.args(term)[1]);
        let (mut at, value) = match (self.is_constant(args[0]), self.is_constant(args[1])) {
            (false, true) => (left, args[1]),
            (true, false) => (right, args[0]),
            _ => return self.same(kind, args[0], args[1]),
        };
        if kind == Kind::Bool {
            return self.same(kind, args[0], args[1]);
        }
        let mut chain = Vec::new();
        while self.terms.op(at) == Op::Ite {
            let &[condition, then, otherwise] = self.terms.args(at) else { break };
            let condition = self.slot(condition);
            if self.is_tainted(condition) {
                break;
            }
            let here = self.same(kind, self.slot(then), value);
            chain.push((condition, here));
            at = otherwise;
        }
        let bottom = match (self.terms.op(at), self.constant_value(value, kind)) {
            (Op::BvComp, Some(Value::BitVec(bit))) => {
                let &[x, y] = self.terms.args(at) else { unreachable!("two arguments") };
                let sort = self.terms.sort(x);
                match self.kind(sort) {
                    Ok(Kind::Wide(_)) | Err(_) => self.same(kind, self.slot(at), value),
                    Ok(narrow) => {
                        let same = self.same(narrow, self.slot(x), self.slot(y));
                        if bit.is_zero() { self.not(same) } else { same }
                    }
                }
            }
            _ => self.same(kind, self.slot(at), value),
        };
        chain.into_iter().rev().fold(bottom, |rest, (condition, here)| {
            self.emit(Code::IteGap, Kind::Bool, [gap(condition), gap(here), gap(rest)])
        })
    }

    /// Operators with a float among their arguments; `shape` is that of the last one.
    fn lower_float(
        &mut self,
        term: TermId,
        args: &[Slot],
        kinds: &[Kind],
        kind: Kind,
        shape: u32,
    ) -> Result<Option<Slot>, Refusal> {
        let op = self.terms.op(term);
        if kinds[0] == Kind::Mode && self.is_tainted(args[0]) {
            return Ok(None);
        }
        if let Some(float_op) = float_operator(op) {
            let x = word(args[1]);
            let y = args.get(2).map_or(x, |&slot| word(slot));
            return Ok(Some(self.emit(Code::Float(float_op, shape), kind, [x, y, word(args[0])])));
        }
        if let Some(class) = class(op) {
            return Ok(Some(self.emit(Code::FloatClass(shape, class), kind, [word(args[0]), 0, 0])));
        }
        let one = [word(args[0]), 0, 0];
        Ok(Some(match op {
            Op::FpFma => {
                let [rounding, x, y, z] = [word(args[0]), word(args[1]), word(args[2]), word(args[3])];
                self.emit(Code::Fma(shape, rounding), kind, [x, y, z])
            }
            Op::FpRem => {
                let nearest = self.constant_word(0);
                let operands = [word(args[0]), word(args[1]), word(nearest)];
                self.emit(Code::Float(FloatOp::Rem, shape), kind, operands)
            }
            Op::FpNeg => self.emit(Code::FloatNeg(shape), kind, one),
            Op::FpAbs => self.emit(Code::FloatAbs(shape), kind, one),
            Op::FpMin | Op::FpMax => {
                self.emit(Code::Extreme(shape, op == Op::FpMax), kind, [word(args[0]), word(args[1]), 0])
            }
            Op::FpLt | Op::FpLeq | Op::FpGt | Op::FpGeq | Op::FpEq => {
                return Ok(self.lower_comparison(op, args, shape));
            }
            Op::ToFpFromFp => {
                let Kind::Float(to) = kind else { unreachable!("a float fits a word here") };
                self.emit(Code::Convert(shape, to), kind, [word(args[1]), 0, word(args[0])])
            }
            Op::FpToUbv | Op::FpToSbv => {
                let Kind::Bits(width) = kind else { unreachable!("at most 64 bits here") };
                let code = Code::ToInteger(shape, width, op == Op::FpToSbv);
                self.emit(code, kind, [word(args[1]), 0, word(args[0])])
            }
            _ => return Ok(None),
        }))
    }

    fn lower_comparison(&mut self, op: Op, args: &[Slot], shape: u32) -> Option<Slot> {
        if args.len() > 2 && (args.len() > MAX_PAIRWISE || args.iter().any(|&a| self.is_tainted(a))) {
            return None;
        }
        let code = match op {
            Op::FpEq => Code::FloatEq(shape),
            Op::FpLt | Op::FpGt => Code::FloatLt(shape),
            _ => Code::FloatLe(shape),
        };
        let pairs: Vec<Slot> = args
            .windows(2)
            .map(|pair| {
                let (a, b) = (word(pair[0]), word(pair[1]));
                let (a, b) = if matches!(op, Op::FpGt | Op::FpGeq) { (b, a) } else { (a, b) };
                self.emit(code, Kind::Bool, [a, b, 0])
            })
            .collect();
        Some(self.join(Code::And, &pairs))
    }

    /// Operators on bit-vectors, and those that make floats of them.
    fn lower_bits(&mut self, term: TermId, args: &[Slot], kinds: &[Kind], kind: Kind) -> Option<Slot> {
        let op = self.terms.op(term);
        let indices = self.terms.indices(term);
        let width = match kinds.iter().rev().find(|k| matches!(k, Kind::Bits(_))) {
            Some(&Kind::Bits(width)) => width,
            _ => return None,
        };
        if let Some(bits_op) = bits_operator(op) {
            return Some(args[1..].iter().fold(args[0], |all, &arg| self.bits(bits_op, width, all, arg)));
        }
        if let Some(whole) = self.whole(term) {
            return Some(match kind {
                Kind::Float(shape) => self.emit(Code::Canonical(shape), kind, [whole, 0, 0]),
                _ => Slot::Word(whole),
            });
        }
        Some(match op {
            Op::BvNot => {
                let all = self.constant_word(ones(width));
                self.bits(BitsOp::Xor, width, args[0], all)
            }
            Op::BvNeg => {
                let zero = self.constant_word(0);
                self.bits(BitsOp::Sub, width, zero, args[0])
            }
            Op::BvNand | Op::BvNor | Op::BvXnor => {
                let inner = match op {
                    Op::BvNand => BitsOp::And,
                    Op::BvNor => BitsOp::Or,
                    _ => BitsOp::Xor,
                };
                let inner = self.bits(inner, width, args[0], args[1]);
                let all = self.constant_word(ones(width));
                self.bits(BitsOp::Xor, width, inner, all)
            }
            Op::BvComp => {
                let same = self.same(kinds[0], args[0], args[1]);
                self.emit(Code::FromGap, kind, [gap(same), 0, 0])
            }
            Op::BvUlt => self.emit(Code::Ult, kind, [word(args[0]), word(args[1]), 0]),
            Op::BvUgt => self.emit(Code::Ult, kind, [word(args[1]), word(args[0]), 0]),
            Op::BvSlt => self.emit(Code::Slt(width), kind, [word(args[0]), word(args[1]), 0]),
            Op::BvSgt => self.emit(Code::Slt(width), kind, [word(args[1]), word(args[0]), 0]),
            Op::BvUle | Op::BvUge | Op::BvSle | Op::BvSge => {
                let code = if matches!(op, Op::BvUle | Op::BvUge) { Code::Ult } else { Code::Slt(width) };
                let (x, y) = (word(args[0]), word(args[1]));
                let (x, y) = if matches!(op, Op::BvUle | Op::BvSle) { (y, x) } else { (x, y) };
                let less = self.emit(code, kind, [x, y, 0]);
                self.not(less)
            }
            Op::Concat => self.concat(args, kinds),
            Op::Fp => {
                let Kind::Float(shape) = kind else { unreachable!("a float fits a word here") };
                let bits = self.concat(args, kinds);
                self.emit(Code::Canonical(shape), kind, [word(bits), 0, 0])
            }
            Op::ToFpFromBits => {
                let Kind::Float(shape) = kind else { unreachable!("a float fits a word here") };
                self.emit(Code::Canonical(shape), kind, [word(args[0]), 0, 0])
            }
            Op::ToFpFromSbv | Op::ToFpUnsigned if !self.is_tainted(args[0]) => {
                let Kind::Float(shape) = kind else { unreachable!("a float fits a word here") };
                let code = Code::FromInteger(shape, width, op == Op::ToFpFromSbv);
                self.emit(code, kind, [word(args[1]), 0, word(args[0])])
            }
            Op::Extract => {
                let [high, low] = indices;
                self.emit(Code::Extract(high - low + 1, low), kind, [word(args[0]), 0, 0])
            }
            Op::ZeroExtend => args[0],
            Op::SignExtend => {
                self.emit(Code::SignExtend(width, width + indices[0]), kind, [word(args[0]), 0, 0])
            }
            _ => return None,
        })
    }

    fn bits(&mut self, op: BitsOp, width: u32, a: Slot, b: Slot) -> Slot {
        self.emit(Code::Bits(op, width), Kind::Bits(width), [word(a), word(b), 0])
    }

    fn concat(&mut self, args: &[Slot], kinds: &[Kind]) -> Slot {
        let width = |kind: Kind| match kind {
            Kind::Bits(width) => width,
            _ => unreachable!("a bit-vector"),
        };
        let mut all = width(kinds[0]);
        let mut high = args[0];
        for (&low, &kind) in args[1..].iter().zip(&kinds[1..]) {
            all += width(kind);
            high = self.emit(Code::Concat(width(kind)), Kind::Bits(all), [word(high), word(low), 0]);
        }
        high
    }
}
