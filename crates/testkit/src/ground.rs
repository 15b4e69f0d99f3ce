//! Ground terms of every sort, with the values where implementations go wrong: extremes, zeros, NaN, subnormals, empty
//! strings, code points at the ends of their ranges.

use crate::Rng;
use smt::{
    BitVec, Collection, CollectionValue, FieldValue, Float, Format, IBig, Op, RBig, RoundingMode, SmtString,
    Sort, SortId, TermId, Terms, UBig, Value,
};
use std::sync::Arc;

/// Widths of bit-vectors worth trying: one bit, around a byte and around machine words.
pub const WIDTHS: [u32; 8] = [1, 2, 7, 8, 32, 64, 65, 128];

/// Float formats worth trying: the smallest, small odd ones and the usual ones.
pub const FORMATS: [(u32, u32); 5] = [(2, 3), (3, 5), (5, 11), (8, 24), (11, 53)];

/// Code points at the ends of what ASCII, Latin-1, UTF-16 and SMT-LIB allow, and some that escapes are made of.
const CODE_POINTS: [u32; 22] = [
    0, 0x1f, 0x20, 0x22, 0x30, 0x39, 0x41, 0x5a, 0x5c, 0x61, 0x62, 0x75, 0x7a, 0x7b, 0x7e, 0x7f, 0x80, 0xff,
    0x100, 0xd800, 0x1_0000, 0x2_ffff,
];

/// Orders of finite fields worth trying: the smallest, odd ones, and one beyond half a machine word.
pub(crate) const ORDERS: [u64; 5] = [2, 3, 7, 17, 4_294_967_311];

/// Makes ground terms.
pub struct Ground<'a> {
    /// Where choices come from.
    pub rng: &'a mut Rng,
    /// The greatest code point of strings.
    pub max_char: u32,
}

impl<'a> Ground<'a> {
    /// Ground terms over all values.
    pub fn new(rng: &'a mut Rng) -> Ground<'a> {
        Ground { rng, max_char: 0x2_ffff }
    }

    /// A ground term of a sort; `None` for sorts whose values cannot be written without declarations.
    pub fn term(&mut self, terms: &mut Terms, sort: SortId) -> Option<TermId> {
        let value = match terms.sort_of(sort).clone() {
            Sort::RegLan => return Some(self.regex(terms, 3)),
            Sort::Array(index, element) => return self.array(terms, sort, index, element),
            Sort::Datatype(..) => return self.datatype(terms, sort, 3),
            Sort::Collection(kind, item) => return self.collection(terms, sort, kind, item),
            Sort::FiniteField(order) => {
                let value = UBig::from(self.rng.bits()) % order;
                Value::Field(Arc::new(FieldValue { sort, value }))
            }
            Sort::Bool => Value::Bool(self.rng.one_in(2)),
            Sort::Int => Value::Int(self.int()),
            Sort::Real => Value::Real(self.real()),
            Sort::RoundingMode => Value::Rm(self.rng.pick(&RoundingMode::ALL)),
            Sort::String => Value::String(self.string()),
            Sort::BitVec(width) => Value::BitVec(self.bits(width)),
            Sort::Float(eb, sb) => Value::Float(self.float(Format { eb, sb })),
            Sort::Uninterpreted(..) | Sort::Function(..) | Sort::Parameter(_) => return None,
        };
        Some(terms.constant(value))
    }

    /// An integer: often small, sometimes at the edge of a machine word, sometimes larger than any.
    pub fn int(&mut self) -> IBig {
        let magnitude = match self.rng.below(8) {
            0..=4 => return IBig::from(self.rng.between(-12, 12)),
            5 => IBig::ONE << self.rng.pick(&[7usize, 8, 31, 32, 63, 64, 127]),
            6 => IBig::from(self.rng.bits()),
            _ => IBig::from(self.rng.bits()) * IBig::from(self.rng.bits()),
        };
        let near = magnitude + IBig::from(self.rng.between(-1, 1));
        if self.rng.one_in(2) { -near } else { near }
    }

    /// A rational: integers, halves, tenths, and fractions that no decimal writes.
    pub fn real(&mut self) -> RBig {
        let denominator = match self.rng.below(6) {
            0 | 1 => UBig::ONE,
            2 => UBig::from(2u8),
            3 => UBig::from(self.rng.pick(&[3u8, 7, 10, 100])),
            4 => UBig::ONE << self.rng.pick(&[4usize, 24, 53, 150]),
            _ => UBig::from(self.rng.bits() | 1),
        };
        RBig::from_parts(self.int(), denominator)
    }

    /// A bit-vector: the ends of the signed and unsigned ranges, small ones, or any.
    pub fn bits(&mut self, width: u32) -> BitVec {
        match self.rng.below(9) {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            2 => BitVec::min_signed(width),
            3 => BitVec::min_signed(width).not(),
            4 | 5 => {
                let small = BitVec::from_u64(width, self.rng.below(12) as u64);
                if self.rng.one_in(2) { small.neg() } else { small }
            }
            // Around the width itself, which is where shifts end.
            6 => BitVec::from_int(width, &IBig::from(i64::from(width) + self.rng.between(-1, 1))),
            _ => {
                let words =
                    (0..width.div_ceil(64)).fold(UBig::ZERO, |n, _| (n << 64) | UBig::from(self.rng.bits()));
                BitVec::new(width, words)
            }
        }
    }

    /// A float: special values, the ends of the normal and subnormal ranges, small integers and halves, or any bits.
    pub fn float(&mut self, format: Format) -> Float {
        let negative = self.rng.one_in(2);
        let one_up =
            |f: Float, by: i64| Float::from_ordinal(format, &(f.ordinal() + IBig::from(by))).unwrap_or(f);
        match self.rng.below(14) {
            0 => Float::nan(format),
            1 => Float::infinity(format, negative),
            2 | 3 => Float::zero(format, negative),
            4 => Float::min_subnormal(format, negative),
            5 => Float::max_finite(format, negative),
            6 => one_up(Float::min_normal(format, negative), self.rng.between(-1, 1)),
            7 => one_up(Float::one(format, negative), self.rng.between(-2, 2)),
            8 | 9 => {
                let halves = RBig::from_parts(IBig::from(self.rng.between(-20, 20)), UBig::from(2u8));
                Float::from_real(self.rng.pick(&RoundingMode::ALL), &halves, format)
            }
            _ => Float::from_bits(format, self.bits(format.width()).to_ubig().clone()),
        }
    }

    /// A string: empty, digits, a few characters of a small alphabet (so that patterns occur), or any code points.
    pub fn string(&mut self) -> SmtString {
        let len = self.rng.below(6);
        let characters: Vec<u32> = match self.rng.below(8) {
            0 => Vec::new(),
            1 => (0..len).map(|_| u32::from(self.rng.pick(b"0123456789"))).collect(),
            2 => (0..len).map(|_| u32::from(self.rng.pick(b"09a-+ "))).collect(),
            3 | 4 => (0..len).map(|_| self.rng.pick(&CODE_POINTS).min(self.max_char)).collect(),
            5 => (0..len).map(|_| self.rng.between(0x20, 0x7e) as u32).collect(),
            _ => (0..len).map(|_| u32::from(self.rng.pick(b"ab"))).collect(),
        };
        SmtString::from_code_points(characters).expect("code points of the theory")
    }

    /// A regular expression over ground strings, built from all operators.
    pub fn regex(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        let leaf = depth == 0 || self.rng.one_in(4);
        if leaf {
            return match self.rng.below(9) {
                0 => terms.mk(Op::ReNone, &[]),
                1 => terms.mk(Op::ReAll, &[]),
                2 | 3 => terms.mk(Op::ReAllChar, &[]),
                4 | 5 => {
                    let (low, high) = self.rng.pick(&[("a", "b"), ("0", "9"), ("b", "b"), (" ", "~")]);
                    let (low, high) = (terms.string(low), terms.string(high));
                    terms.mk(Op::ReRange, &[low, high])
                }
                _ => {
                    let text = self.string();
                    let text = terms.constant(Value::String(text));
                    terms.mk(Op::StrToRe, &[text])
                }
            };
        }
        let mut inner = |terms: &mut Terms| self.regex(terms, depth - 1);
        let (a, b) = (inner(terms), inner(terms));
        let (low, high) = (self.rng.below(4) as u32, self.rng.below(5) as u32);
        match self.rng.below(11) {
            0 | 1 => terms.mk(Op::ReConcat, &[a, b]),
            2 | 3 => terms.mk(Op::ReUnion, &[a, b]),
            4 => terms.mk(Op::ReInter, &[a, b]),
            5 => terms.mk(Op::ReDiff, &[a, b]),
            6 => terms.mk(Op::ReStar, &[a]),
            7 => terms.mk(Op::ReComp, &[a]),
            8 => {
                let op = self.rng.pick(&[Op::RePlus, Op::ReOpt]);
                terms.mk(op, &[a])
            }
            9 => terms.mk_indexed(Op::RePower, [low, 0], &[a]),
            _ => terms.mk_indexed(Op::ReLoop, [low, high], &[a]),
        }
    }

    /// Up to three elements, joined by the operators of the theory. Small integers make elements meet.
    fn collection(
        &mut self,
        terms: &mut Terms,
        sort: SortId,
        kind: Collection,
        item: SortId,
    ) -> Option<TermId> {
        let mut all =
            terms.constant(Value::Collection(Arc::new(CollectionValue { sort, items: Vec::new() })));
        for number in 0..self.rng.below(4) {
            let element = match item {
                SortId::INT => terms.int(self.rng.between(-1, 3)),
                _ => self.term(terms, item)?,
            };
            let (part, join) = match kind {
                Collection::Seq => (terms.mk(Op::SeqUnit, &[element]), Op::SeqConcat),
                Collection::Set => (terms.mk(Op::SetSingleton, &[element]), Op::SetUnion),
                Collection::Bag => {
                    let often = terms.int(self.rng.between(-1, 3));
                    (terms.mk(Op::Bag, &[element, often]), Op::BagUnionDisjoint)
                }
            };
            all = if number == 0 { part } else { terms.mk(join, &[all, part]) };
        }
        Some(all)
    }

    /// A constant array with a few stores.
    fn array(&mut self, terms: &mut Terms, sort: SortId, index: SortId, element: SortId) -> Option<TermId> {
        let default = self.term(terms, element)?;
        let mut array = terms.const_array(sort, default).expect("an element of the right sort");
        for _ in 0..self.rng.below(4) {
            let (at, to) = (self.term(terms, index)?, self.term(terms, element)?);
            array = terms.mk(Op::Store, &[array, at, to]);
        }
        Some(array)
    }

    /// Constructors applied to ground terms; near the depth limit those that need no datatype.
    fn datatype(&mut self, terms: &mut Terms, sort: SortId, depth: u32) -> Option<TermId> {
        let Sort::Datatype(id, _) = terms.sort_of(sort).clone() else { return None };
        let ctors = terms.datatype(id).ctors.clone();
        let is_flat = |terms: &Terms, ctor: smt::CtorId| {
            let fields = &terms.ctor(ctor).fields;
            fields.iter().all(|&f| !matches!(terms.sort_of(terms.field(f).sort), Sort::Datatype(..)))
        };
        let flat: Vec<_> = ctors.iter().copied().filter(|&c| is_flat(terms, c)).collect();
        let ctor = self.rng.pick(if depth == 0 && !flat.is_empty() { &flat } else { &ctors });
        let mut args = Vec::new();
        for field in terms.ctor(ctor).fields.clone() {
            let field_sort = terms.field_sort(field, sort).ok()?;
            let arg = match terms.sort_of(field_sort) {
                Sort::Datatype(..) => self.datatype(terms, field_sort, depth.saturating_sub(1))?,
                _ => self.term(terms, field_sort)?,
            };
            args.push(arg);
        }
        terms.construct(ctor, &args, Some(sort)).ok()
    }
}
