//! Bit-vectors seen as integers, as MuSE sees a Java program's ints (Zhang et al. 2020, Section 3.3): every bit-vector term becomes
//! the integer that it denotes as a signed number, arithmetic does not wrap, bit operations are integer arithmetic, and what has no
//! counterpart becomes a new unknown. The view is only a place to look for candidates: they are translated back and judged by the evaluator on
//! the original query, and that the view has no solution says nothing.

use crate::engine::{Budget, Partial, Partials, Query, Reason};
use crate::profile::{Features, Profile};
use crate::tuning::view::{MAX_BITS, MAX_SIZE, TICKS_PER_TERM};
use rustc_hash::FxHashMap;
use smt::walk::reachable;
use smt::{BitVec, FunId, IBig, Model, Op, Sort, SortId, TermId, Terms, Value};

/// What may occur in a query that is seen as integers.
const VIEWABLE: Features =
    Features::BIT_VEC.with(Features::BV_INT).with(Features::INT).with(Features::NONLINEAR);

/// A query over integers that stands for one over bit-vectors.
#[derive(Clone, Debug)]
pub(crate) struct IntegerView {
    /// The translated query, with a range for every unknown.
    pub(crate) query: Query,
    /// The bit-vector constant and its width behind each integer constant.
    originals: FxHashMap<FunId, (FunId, u32)>,
}

impl IntegerView {
    /// Translates a query; none if it is not about bit-vectors (and perhaps integers) alone, or too large. The budget pays for the view
    /// and for what engines make of it before they begin, which their own ticks hardly count.
    pub(crate) fn of(
        terms: &mut Terms,
        query: &Query,
        profile: &Profile,
        budget: &mut Budget,
    ) -> Result<Option<IntegerView>, Reason> {
        let fits = profile.features.has(Features::BIT_VEC) && VIEWABLE.has(profile.features);
        if !fits || profile.size > MAX_SIZE {
            return Ok(None);
        }
        let mut translation =
            Translation { terms, done: FxHashMap::default(), unknowns: Vec::new(), bits: MAX_BITS };
        for term in reachable(translation.terms, &query.assertions) {
            let before = translation.terms.len();
            let Some(new) = translation.node(term) else { return Ok(None) };
            translation.done.insert(term, new);
            pay(budget, 1 + translation.terms.len() - before)?;
        }
        let mut assertions: Vec<TermId> = query.assertions.iter().map(|t| translation.done[t]).collect();
        let mut originals = FxHashMap::default();
        for (int, bits, width) in std::mem::take(&mut translation.unknowns) {
            assertions.extend(translation.range(int, width));
            let int = translation.terms.as_fun(int).expect("unknowns are constants");
            originals.extend(bits.map(|bits| (int, (bits, width))));
        }
        pay(budget, reachable(terms, &assertions).len())?;
        Ok(Some(IntegerView { query: Query::new(assertions), originals }))
    }

    /// The values of the original constants.
    pub(crate) fn values_back(&self, values: &[(FunId, Value)]) -> Vec<(FunId, Value)> {
        values
            .iter()
            .map(|(fun, value)| match (self.originals.get(fun), value) {
                (Some((original, width)), Value::Int(i)) => {
                    (*original, Value::BitVec(BitVec::from_int(*width, i)))
                }
                _ => (*fun, value.clone()),
            })
            .collect()
    }

    /// The model of the original constants: a candidate.
    pub(crate) fn model_back(&self, model: &Model) -> Model {
        let values: Vec<(FunId, Value)> =
            model.functions().into_iter().filter_map(|f| Some((f, model.value(f)?.clone()))).collect();
        let mut back = Model::default();
        for (fun, value) in self.values_back(&values) {
            back.set(fun, value);
        }
        back
    }
}

/// Pays for so many terms.
fn pay(budget: &mut Budget, count: usize) -> Result<(), Reason> {
    let ticks = u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(TICKS_PER_TERM);
    if budget.spend(ticks) { Ok(()) } else { Err(budget.exhausted().unwrap_or(Reason::Time)) }
}

/// Translates partial solutions of a view back on their way to the listener.
pub(crate) struct Back<'a> {
    pub(crate) view: &'a IntegerView,
    pub(crate) engine: &'static str,
    pub(crate) partials: &'a mut dyn Partials,
}

impl Partials for Back<'_> {
    fn wanted(&self) -> bool {
        self.partials.wanted()
    }

    fn take(&mut self, partial: Partial) {
        let values = self.view.values_back(&partial.values);
        self.partials.take(Partial { values, engine: self.engine, step: partial.step });
    }
}

struct Translation<'a> {
    terms: &'a mut Terms,
    done: FxHashMap<TermId, TermId>,
    /// Integer unknowns, the bit-vector constants they stand for (if any) and their widths.
    unknowns: Vec<(TermId, Option<FunId>, u32)>,
    /// How many bits may still be conjoined one by one.
    bits: u32,
}

/// Operators whose counterpart takes the translated arguments as they are.
static COUNTERPARTS: &[(Op, Op)] = &[
    (Op::BvAdd, Op::Add),
    (Op::BvSub, Op::Sub),
    (Op::BvMul, Op::Mul),
    (Op::BvNeg, Op::Neg),
    (Op::BvUdiv, Op::IntDiv),
    (Op::BvUrem, Op::Mod),
    (Op::BvSmod, Op::Mod),
    (Op::BvSlt, Op::Lt),
    (Op::BvSle, Op::Le),
    (Op::BvSgt, Op::Gt),
    (Op::BvSge, Op::Ge),
];

impl Translation<'_> {
    fn node(&mut self, term: TermId) -> Option<TermId> {
        let op = self.terms.op(term);
        if let Some(value) = self.terms.as_value(term) {
            return Some(match value {
                Value::BitVec(bits) => {
                    let signed = bits.to_signed();
                    self.terms.int(signed)
                }
                _ => term,
            });
        }
        let width = self.width(term);
        if op == Op::Apply {
            let fun = self.terms.as_fun(term)?;
            let Some(width) = width else { return Some(term) };
            let name = format!("{}!int", self.terms.fun_name(fun));
            let int = self.terms.symbol_constant(&name, SortId::INT);
            self.unknowns.push((int, Some(fun), width));
            return Some(int);
        }
        let old = self.terms.args(term).to_vec();
        let args: Vec<TermId> = old.iter().map(|a| self.done[a]).collect();
        let widths: Vec<u32> = old.iter().map(|&a| self.width(a).unwrap_or(0)).collect();
        if let Some((_, counterpart)) = COUNTERPARTS.iter().find(|(o, _)| *o == op) {
            return self.terms.app(*counterpart, &args).ok();
        }
        match (op, &*args) {
            (Op::BvUlt, &[a, b]) | (Op::BvUgt, &[b, a]) => Some(self.unsigned_less(a, b)),
            (Op::BvUge, &[a, b]) | (Op::BvUle, &[b, a]) => {
                let less = self.unsigned_less(a, b);
                Some(self.terms.mk(Op::Not, &[less]))
            }
            (Op::BvSdiv, &[a, b]) => Some(self.truncated(Op::IntDiv, a, b)),
            (Op::BvSrem, &[a, b]) => Some(self.truncated(Op::Mod, a, b)),
            (Op::BvNot, &[a]) => Some(self.complement(a)),
            (Op::BvComp, &[a, b]) => {
                let (equal, yes, no) =
                    (self.terms.mk(Op::Eq, &[a, b]), self.terms.int(-1), self.terms.int(0));
                Some(self.terms.mk(Op::Ite, &[equal, yes, no]))
            }
            (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, b]) => Some(self.shift(op, a, b, widths[0])),
            (Op::BvAnd, _) => {
                self.fold(&old, &args, widths[0], |_, _, _, and| and).or_else(|| self.unknown(term))
            }
            (Op::BvOr, _) => self.fold(&old, &args, widths[0], Self::or).or_else(|| self.unknown(term)),
            (Op::BvXor, _) => self.fold(&old, &args, widths[0], Self::xor).or_else(|| self.unknown(term)),
            (Op::BvNand, _) => {
                let and = self.fold(&old, &args, widths[0], |_, _, _, and| and);
                and.map(|and| self.complement(and)).or_else(|| self.unknown(term))
            }
            (Op::BvNor, _) => {
                let or = self.fold(&old, &args, widths[0], Self::or);
                or.map(|or| self.complement(or)).or_else(|| self.unknown(term))
            }
            (Op::BvXnor, _) => {
                let xor = self.fold(&old, &args, widths[0], Self::xor);
                xor.map(|xor| self.complement(xor)).or_else(|| self.unknown(term))
            }
            (Op::RotateLeft | Op::RotateRight, &[a]) => {
                let by = self.terms.indices(term)[0] % widths[0];
                let left = if op == Op::RotateLeft { by } else { (widths[0] - by) % widths[0] };
                Some(self.rotate(a, left, widths[0]))
            }
            (Op::Extract, &[a]) => {
                let [high, low] = self.terms.indices(term);
                let factor = self.power(low);
                let shifted = if low == 0 { a } else { self.terms.mk(Op::IntDiv, &[a, factor]) };
                Some(if high + 1 == widths[0] { shifted } else { self.signed(shifted, high - low + 1) })
            }
            (Op::Concat, _) => {
                let mut whole = args[0];
                for (&low, &width) in args[1..].iter().zip(&widths[1..]) {
                    let factor = self.power(width);
                    let high = self.terms.mk(Op::Mul, &[whole, factor]);
                    let low = self.modulo(low, width);
                    whole = self.terms.mk(Op::Add, &[high, low]);
                }
                Some(whole)
            }
            (Op::ZeroExtend, &[a]) if self.terms.indices(term)[0] > 0 => Some(self.modulo(a, widths[0])),
            (Op::ZeroExtend | Op::SignExtend | Op::SbvToInt, &[a]) => Some(a),
            (Op::UbvToInt | Op::Bv2Nat, &[a]) => Some(self.modulo(a, widths[0])),
            (Op::IntToBv | Op::Nat2Bv | Op::Int2Bv, &[a]) => Some(a),
            _ if width.is_some() && op != Op::Ite => self.unknown(term),
            // An overflow test on bit-vectors has no counterpart among integers that do not overflow.
            _ if widths.iter().any(|&w| w > 0) && !matches!(op, Op::Eq | Op::Distinct | Op::Ite) => {
                Some(TermId::FALSE)
            }
            _ => self.terms.app_indexed(op, self.terms.indices(term), &args).ok(),
        }
    }

    fn width(&self, term: TermId) -> Option<u32> {
        match self.terms.sort_of(self.terms.sort(term)) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    fn power(&mut self, exponent: u32) -> TermId {
        self.terms.int(IBig::ONE << exponent as usize)
    }

    /// The value of the low bits as an unsigned number.
    fn modulo(&mut self, a: TermId, width: u32) -> TermId {
        let modulus = self.power(width);
        self.terms.mk(Op::Mod, &[a, modulus])
    }

    /// The value of the low bits as a signed number.
    fn signed(&mut self, a: TermId, width: u32) -> TermId {
        let (modulus, half) = (self.power(width), self.power(width - 1));
        let unsigned = self.terms.mk(Op::Mod, &[a, modulus]);
        let small = self.terms.mk(Op::Lt, &[unsigned, half]);
        let wrapped = self.terms.mk(Op::Sub, &[unsigned, modulus]);
        self.terms.mk(Op::Ite, &[small, unsigned, wrapped])
    }

    /// Division that rounds towards zero, or its remainder, which has the sign of the dividend.
    fn truncated(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let zero = self.terms.int(0);
        let positive = self.terms.mk(Op::Ge, &[a, zero]);
        let plain = self.terms.mk(op, &[a, b]);
        let negated = self.terms.mk(Op::Neg, &[a]);
        let mirrored = self.terms.mk(op, &[negated, b]);
        let mirrored = self.terms.mk(Op::Neg, &[mirrored]);
        self.terms.mk(Op::Ite, &[positive, plain, mirrored])
    }

    /// `a < b` of unsigned numbers, in terms of the signed ones.
    fn unsigned_less(&mut self, a: TermId, b: TermId) -> TermId {
        let zero = self.terms.int(0);
        let less = self.terms.mk(Op::Lt, &[a, b]);
        let a_small = self.terms.mk(Op::Ge, &[a, zero]);
        let b_large = self.terms.mk(Op::Lt, &[b, zero]);
        let below_large = self.terms.mk(Op::Or, &[a_small, less]);
        let below_small = self.terms.mk(Op::And, &[a_small, less]);
        match self.terms.as_value(b) {
            Some(Value::Int(b)) if *b < IBig::ZERO => below_large,
            Some(_) => below_small,
            None => self.terms.mk(Op::Ite, &[b_large, below_large, below_small]),
        }
    }

    /// `-a - 1`: the bits of `a` inverted, as integer arithmetic says it.
    fn complement(&mut self, a: TermId) -> TermId {
        let (negated, one) = (self.terms.mk(Op::Neg, &[a]), self.terms.int(1));
        self.terms.mk(Op::Sub, &[negated, one])
    }

    /// Operands from the left, two at a time, by what `join` makes of two signed numbers and the conjunction of their bits. None if
    /// there are too many bits to be conjoined.
    fn fold(
        &mut self,
        old: &[TermId],
        args: &[TermId],
        width: u32,
        join: fn(&mut Self, TermId, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        let mask = |this: &Self, at: usize| match this.terms.as_value(old[at]) {
            Some(Value::BitVec(bits)) => Some(bits.clone()),
            _ => None,
        };
        let (mut whole, mut constant) = (self.signed(args[0], width), mask(self, 0));
        for (at, &arg) in args.iter().enumerate().skip(1) {
            let arg = self.signed(arg, width);
            let and = match (mask(self, at), constant.take()) {
                (Some(mask), _) => self.masked(whole, &mask),
                (None, Some(mask)) => self.masked(arg, &mask),
                (None, None) => {
                    self.bits = self.bits.checked_sub(width)?;
                    self.conjoined(whole, arg, width)
                }
            };
            whole = join(self, whole, arg, and);
        }
        Some(whole)
    }

    /// `a | b = a + b - (a & b)`, for signed numbers too.
    fn or(&mut self, a: TermId, b: TermId, and: TermId) -> TermId {
        let sum = self.terms.mk(Op::Add, &[a, b]);
        self.terms.mk(Op::Sub, &[sum, and])
    }

    /// `a ^ b = a + b - 2 (a & b)`, for signed numbers too.
    fn xor(&mut self, a: TermId, b: TermId, and: TermId) -> TermId {
        let or = self.or(a, b, and);
        self.terms.mk(Op::Sub, &[or, and])
    }

    /// The bits of a signed number under a mask: each run of ones is a difference of two remainders, and the run with the sign is what
    /// is left of the number above it.
    fn masked(&mut self, a: TermId, mask: &BitVec) -> TermId {
        let (mut sum, mut at) = (self.terms.int(0), 0);
        while at < mask.width() {
            let low = at;
            while at < mask.width() && mask.bit(at) {
                at += 1;
            }
            if at > low {
                let upper = if at == mask.width() { a } else { self.modulo(a, at) };
                let lower = if low == 0 { self.terms.int(0) } else { self.modulo(a, low) };
                let run = self.terms.mk(Op::Sub, &[upper, lower]);
                sum = self.terms.mk(Op::Add, &[sum, run]);
            }
            at += 1;
        }
        sum
    }

    /// The conjunction of two signed numbers, bit by bit.
    fn conjoined(&mut self, a: TermId, b: TermId, width: u32) -> TermId {
        let zero = self.terms.int(0);
        let mut sum = zero;
        for at in 0..width {
            let half = self.power(at);
            let bits = [a, b].map(|number| {
                if at + 1 == width {
                    return self.terms.mk(Op::Lt, &[number, zero]);
                }
                let low = self.modulo(number, at + 1);
                self.terms.mk(Op::Ge, &[low, half])
            });
            let both = self.terms.mk(Op::And, &bits);
            let weight = if at + 1 == width { self.terms.mk(Op::Neg, &[half]) } else { half };
            let bit = self.terms.mk(Op::Ite, &[both, weight, zero]);
            sum = self.terms.mk(Op::Add, &[sum, bit]);
        }
        sum
    }

    /// A shift; by an unknown number of bits it is a choice between all shifts.
    fn shift(&mut self, op: Op, a: TermId, by: TermId, width: u32) -> TermId {
        let zero = self.terms.int(0);
        // What is left of a number that is shifted out altogether.
        let nothing = if op == Op::BvAshr {
            let (negative, minus) = (self.terms.mk(Op::Lt, &[a, zero]), self.terms.int(-1));
            self.terms.mk(Op::Ite, &[negative, minus, zero])
        } else {
            zero
        };
        let one = |this: &mut Self, bits: u32| {
            let factor = this.power(bits);
            match op {
                _ if bits == 0 => a,
                Op::BvShl => {
                    let shifted = this.terms.mk(Op::Mul, &[a, factor]);
                    this.signed(shifted, width)
                }
                Op::BvLshr => {
                    let unsigned = this.modulo(a, width);
                    this.terms.mk(Op::IntDiv, &[unsigned, factor])
                }
                _ => this.terms.mk(Op::IntDiv, &[a, factor]),
            }
        };
        if let Some(Value::Int(bits)) = self.terms.as_value(by) {
            let bits = u32::try_from(bits).ok().filter(|bits| *bits < width);
            return bits.map_or(nothing, |bits| one(self, bits));
        }
        (0..width).rev().fold(nothing, |rest, bits| {
            let shifted = one(self, bits);
            let count = self.terms.int(bits);
            let chosen = self.terms.mk(Op::Eq, &[by, count]);
            self.terms.mk(Op::Ite, &[chosen, shifted, rest])
        })
    }

    /// The bits of a number turned to the left.
    fn rotate(&mut self, a: TermId, left: u32, width: u32) -> TermId {
        if left == 0 {
            return a;
        }
        let (low, factor) = (self.modulo(a, width - left), self.power(left));
        let high = self.terms.mk(Op::Mul, &[low, factor]);
        let (unsigned, divisor) = (self.modulo(a, width), self.power(width - left));
        let wrapped = self.terms.mk(Op::IntDiv, &[unsigned, divisor]);
        let whole = self.terms.mk(Op::Add, &[high, wrapped]);
        self.signed(whole, width)
    }

    /// A bit-vector term without counterpart: any value of its width.
    fn unknown(&mut self, term: TermId) -> Option<TermId> {
        let width = self.width(term)?;
        let name = format!("bits!{}!int", term.index());
        let int = self.terms.symbol_constant(&name, SortId::INT);
        self.unknowns.push((int, None, width));
        Some(int)
    }

    /// The bounds of a signed number.
    fn range(&mut self, int: TermId, width: u32) -> [TermId; 2] {
        let half = IBig::ONE << (width as usize - 1);
        let (low, high) = (self.terms.int(-half.clone()), self.terms.int(half - IBig::ONE));
        [self.terms.mk(Op::Le, &[low, int]), self.terms.mk(Op::Le, &[int, high])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Evaluator;

    #[test]
    fn a_view_that_costs_more_than_there_is_is_not_made() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(32);
        let [x, y] = ["x", "y"].map(|name| terms.symbol_constant(name, sort));
        let both = terms.mk(Op::BvAnd, &[x, y]);
        for (conjunct, fits) in
            [(terms.mk(Op::BvSlt, &[x, y]), true), (terms.mk(Op::BvSlt, &[both, y]), false)]
        {
            let query = Query::new(vec![conjunct]);
            let profile = Profile::of(&terms, &query.assertions);
            let mut budget = Budget::unlimited().slice(5000);
            let view = IntegerView::of(&mut terms, &query, &profile, &mut budget);
            assert_eq!(view.as_ref().map(Option::is_some), if fits { Ok(true) } else { Err(&Reason::Time) });
            assert_eq!(budget.ticks_left() > 0, fits, "what was made is paid for");
        }
    }

    /// Every bit operation on all pairs of small numbers: the view says what the evaluator says.
    #[test]
    fn bit_operations_are_integer_arithmetic() {
        const WIDTH: u32 = 4;
        let binary = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvNand,
            Op::BvNor,
            Op::BvXnor,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(WIDTH);
        let [x, y] = ["x", "y"].map(|name| terms.symbol_constant(name, sort));
        let mut operations: Vec<TermId> = binary.iter().map(|&op| terms.mk(op, &[x, y])).collect();
        for constant in 0..16 {
            let constant = terms.bv(WIDTH, constant);
            operations.extend(binary.iter().map(|&op| terms.mk(op, &[x, constant])));
            operations.extend(binary.iter().map(|&op| terms.mk(op, &[constant, y])));
        }
        for by in 0..6 {
            operations.push(terms.mk_indexed(Op::RotateLeft, [by, 0], &[x]));
            operations.push(terms.mk_indexed(Op::RotateRight, [by, 0], &[x]));
        }
        for operation in operations {
            let target = terms.symbol_constant("target", sort);
            let query = Query::new(vec![terms.mk(Op::Eq, &[operation, target])]);
            let profile = Profile::of(&terms, &query.assertions);
            let view = IntegerView::of(&mut terms, &query, &profile, &mut Budget::unlimited());
            let view = view.expect("no limit").expect("bit-vectors can be viewed");
            let text = smt::print::term_to_string(&terms, operation);
            assert!(
                !view.query.assertions.iter().any(|&t| {
                    reachable(&terms, &[t])
                        .iter()
                        .copied()
                        .any(|t| terms.as_fun(t).is_some_and(|f| terms.fun_name(f).starts_with("bits!")))
                }),
                "{text} is no unknown"
            );
            let ints: Vec<(FunId, FunId)> = view.originals.iter().map(|(int, bits)| (*int, bits.0)).collect();
            for (a, b) in (0..16_u64).flat_map(|a| (0..16).map(move |b| (a, b))) {
                let mut model = Model::default();
                for (symbol, value) in [(x, a), (y, b)] {
                    let fun = terms.as_fun(symbol).expect("a symbol");
                    model.set(fun, Value::BitVec(BitVec::from_u64(WIDTH, value)));
                }
                let result = Evaluator::new(&terms, &model).eval(operation).expect("it has a value");
                model.set(terms.as_fun(target).expect("a symbol"), result);
                for &(int, bits) in &ints {
                    if let Some(Value::BitVec(value)) = model.value(bits).cloned() {
                        model.set(int, Value::Int(value.to_signed()));
                    }
                }
                let mut evaluator = Evaluator::new(&terms, &model);
                for &assertion in &view.query.assertions {
                    assert_eq!(evaluator.truth(assertion), Ok(true), "{text} with {a} and {b}");
                }
            }
        }
    }
}
