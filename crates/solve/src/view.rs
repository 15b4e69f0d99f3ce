//! Bit-vectors seen as integers, as MuSE sees a Java program's ints (Zhang et al. 2020, Section 3.3): every bit-vector term becomes
//! the integer that it denotes as a signed number, arithmetic does not wrap, and what has no simple counterpart becomes a
//! new unknown. The view is only a place to look for candidates: they are translated back and judged by the evaluator on
//! the original query, and that the view has no solution says nothing.

use crate::engine::{Partial, Partials, Query};
use crate::profile::{Features, Profile};
use rustc_hash::FxHashMap;
use smt::walk::reachable;
use smt::{BitVec, FunId, IBig, Model, Op, Sort, SortId, TermId, Terms, Value};

/// Queries with more terms than this are not translated.
const MAX_SIZE: usize = 50_000;
/// What may occur in a query that is seen as integers.
const VIEWABLE: Features =
    Features::BIT_VEC.with(Features::BV_INT).with(Features::INT).with(Features::NONLINEAR);

/// A query over integers that stands for one over bit-vectors.
#[derive(Clone, Debug)]
pub struct IntegerView {
    /// The translated query, with a range for every unknown.
    pub query: Query,
    /// The bit-vector constant and its width behind each integer constant.
    originals: FxHashMap<FunId, (FunId, u32)>,
}

impl IntegerView {
    /// Translates a query, if it is about bit-vectors (and perhaps integers) alone and not too large.
    pub fn of(terms: &mut Terms, query: &Query, profile: &Profile) -> Option<IntegerView> {
        let fits = profile.features.has(Features::BIT_VEC) && VIEWABLE.has(profile.features);
        if !fits || profile.size > MAX_SIZE {
            return None;
        }
        let mut translation = Translation { terms, done: FxHashMap::default(), unknowns: Vec::new() };
        for term in reachable(translation.terms, &query.assertions) {
            let new = translation.node(term)?;
            translation.done.insert(term, new);
        }
        let mut assertions: Vec<TermId> = query.assertions.iter().map(|t| translation.done[t]).collect();
        let mut originals = FxHashMap::default();
        for (int, bits, width) in std::mem::take(&mut translation.unknowns) {
            assertions.extend(translation.range(int, width));
            let int = translation.terms.as_fun(int).expect("unknowns are constants");
            originals.extend(bits.map(|bits| (int, (bits, width))));
        }
        Some(IntegerView { query: Query { assertions }, originals })
    }

    /// The values of the original constants.
    pub fn values_back(&self, values: &[(FunId, Value)]) -> Vec<(FunId, Value)> {
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
    pub fn model_back(&self, model: &Model) -> Model {
        let values: Vec<(FunId, Value)> =
            model.functions().into_iter().filter_map(|f| Some((f, model.value(f)?.clone()))).collect();
        let mut back = Model::default();
        for (fun, value) in self.values_back(&values) {
            back.set(fun, value);
        }
        back
    }
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
        let constant = |i: usize| self.terms.as_value(old[i]).cloned();
        match (op, &*args) {
            (Op::BvUlt, &[a, b]) | (Op::BvUgt, &[b, a]) => Some(self.unsigned_less(a, b)),
            (Op::BvUge, &[a, b]) | (Op::BvUle, &[b, a]) => {
                let less = self.unsigned_less(a, b);
                Some(self.terms.mk(Op::Not, &[less]))
            }
            (Op::BvSdiv, &[a, b]) => Some(self.truncated(Op::IntDiv, a, b)),
            (Op::BvSrem, &[a, b]) => Some(self.truncated(Op::Mod, a, b)),
            (Op::BvNot, &[a]) => {
                let (negated, one) = (self.terms.mk(Op::Neg, &[a]), self.terms.int(1));
                Some(self.terms.mk(Op::Sub, &[negated, one]))
            }
            (Op::BvComp, &[a, b]) => {
                let (equal, yes, no) =
                    (self.terms.mk(Op::Eq, &[a, b]), self.terms.int(-1), self.terms.int(0));
                Some(self.terms.mk(Op::Ite, &[equal, yes, no]))
            }
            (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, _]) => match constant(1) {
                Some(Value::BitVec(by)) if by.to_u64().is_some_and(|by| by < u64::from(widths[0])) => {
                    let factor = self.power(by.to_u64().expect("small") as u32);
                    let op = if op == Op::BvShl { Op::Mul } else { Op::IntDiv };
                    Some(self.terms.mk(op, &[a, factor]))
                }
                _ => self.unknown(term),
            },
            (Op::BvAnd, &[a, b]) => match (constant(0), constant(1)) {
                (_, Some(Value::BitVec(mask))) if low_mask(&mask).is_some() => {
                    Some(self.modulo(a, low_mask(&mask).expect("a mask")))
                }
                (Some(Value::BitVec(mask)), _) if low_mask(&mask).is_some() => {
                    Some(self.modulo(b, low_mask(&mask).expect("a mask")))
                }
                _ => self.unknown(term),
            },
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

/// `k` if the value has exactly its lowest `k` bits set, with at least one and not all of them.
fn low_mask(bits: &BitVec) -> Option<u32> {
    let ones = (0..bits.width()).take_while(|&i| bits.bit(i)).count() as u32;
    let rest_is_zero = (ones..bits.width()).all(|i| !bits.bit(i));
    (rest_is_zero && ones > 0 && ones < bits.width()).then_some(ones)
}
