//! What rules and snippets are built with: an arena, a random source, the fragment to stay in, and the terms that are live
//! at the place of the literal. Everything here is sort-checked; what does not fit is `None`, and another rule is tried.

use super::fragment::Fragment;
use super::live::Live;
use random::Rng;
use smt::{
    BitVec, Float, Format, IBig, Op, RBig, RoundingMode, SmtString, Sort, SortId, TermId, Terms, Value,
};

/// The workbench of one mutation.
pub struct Build<'a> {
    /// Where terms are made.
    pub terms: &'a mut Terms,
    /// Where choices come from.
    pub rng: &'a mut Rng,
    /// What the seed's logic allows.
    pub fragment: Fragment,
    /// The terms at hand.
    pub live: &'a Live,
}

impl Build<'_> {
    /// An application, if it is well sorted.
    pub fn app(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        self.terms.app(op, args).ok()
    }

    /// An application of an indexed operator, if it is well sorted.
    pub(crate) fn indexed(&mut self, op: Op, indices: [u32; 2], args: &[TermId]) -> Option<TermId> {
        self.terms.app_indexed(op, indices, args).ok()
    }

    /// The negation; of a negation, what was negated.
    pub fn not(&mut self, formula: TermId) -> TermId {
        if self.terms.op(formula) == Op::Not {
            return self.terms.args(formula)[0];
        }
        self.terms.mk(Op::Not, &[formula])
    }

    /// `(and a b)`
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.terms.mk(Op::And, &[a, b])
    }

    /// `(or a b)`
    pub(crate) fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.terms.mk(Op::Or, &[a, b])
    }

    /// What a sort is.
    pub(crate) fn sort(&self, term: TermId) -> &Sort {
        self.terms.sort_of(self.terms.sort(term))
    }

    /// The width of a bit-vector; 0 for anything else.
    pub fn width(&self, term: TermId) -> u32 {
        if let Sort::BitVec(width) = *self.sort(term) { width } else { 0 }
    }

    /// A random constant, of a sort whose constants can be written without declarations.
    pub(crate) fn constant(&mut self, sort: SortId) -> Option<TermId> {
        let value = match *self.terms.sort_of(sort) {
            Sort::Bool => Value::Bool(self.rng.one_in(2)),
            Sort::Int => Value::Int(self.integer()),
            Sort::Real => Value::Real(self.fraction()),
            Sort::RoundingMode => Value::Rm(self.rng.pick(&RoundingMode::ALL)),
            Sort::String => Value::String(self.string(0)),
            Sort::BitVec(width) => Value::BitVec(self.bits(width)),
            Sort::Float(eb, sb) => Value::Float(self.float(Format { eb, sb })),
            _ => return None,
        };
        Some(self.terms.constant(value))
    }

    /// A constant that compares with numbers: for floats, not `NaN`.
    pub(crate) fn number(&mut self, sort: SortId) -> Option<TermId> {
        let Sort::Float(eb, sb) = *self.terms.sort_of(sort) else { return self.constant(sort) };
        let format = Format { eb, sb };
        let value = self.float(format);
        let value = if value.is_nan() { Float::one(format, false) } else { value };
        Some(self.terms.constant(Value::Float(value)))
    }

    /// A live term of a sort, or a constant.
    pub(crate) fn term(&mut self, sort: SortId) -> Option<TermId> {
        let live = self.live.of(sort);
        if live.is_empty() || self.rng.one_in(4) {
            return self.constant(sort).or_else(|| (!live.is_empty()).then(|| self.rng.pick(live)));
        }
        Some(self.rng.pick(live))
    }

    /// A positive number of a numeric sort.
    pub(crate) fn positive(&mut self, sort: SortId) -> Value {
        let small = IBig::from(self.rng.between(1, 12));
        match sort {
            SortId::REAL if self.rng.one_in(3) => {
                Value::Real(RBig::from_parts(small, self.rng.pick(&[2u8, 4, 10]).into()))
            }
            SortId::REAL => Value::Real(RBig::from(small)),
            _ => Value::Int(small),
        }
    }

    /// A string constant that is not shorter than `least`, which is 0 or 1.
    pub(crate) fn string_constant(&mut self, least: usize) -> TermId {
        let string = self.string(least);
        self.terms.constant(Value::String(string))
    }

    fn integer(&mut self) -> IBig {
        match self.rng.below(10) {
            0..=7 => IBig::from(self.rng.between(-10, 10)),
            8 => IBig::from(self.rng.between(-1000, 1000)),
            _ => (IBig::ONE << self.rng.pick(&[8usize, 16, 31, 32, 63, 64])) + self.rng.between(-1, 1),
        }
    }

    fn fraction(&mut self) -> RBig {
        let numerator = self.integer();
        RBig::from_parts(numerator, self.rng.pick(&[1u8, 1, 1, 2, 3, 10]).into())
    }

    fn bits(&mut self, width: u32) -> BitVec {
        match self.rng.below(6) {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            2 => BitVec::min_signed(width),
            3 => BitVec::from_u64(width, self.rng.below(16) as u64),
            _ => BitVec::from_u64(width, self.rng.bits()),
        }
    }

    fn float(&mut self, format: Format) -> Float {
        let negative = self.rng.one_in(2);
        match self.rng.below(8) {
            0 => Float::zero(format, negative),
            1 => Float::one(format, negative),
            2 => Float::infinity(format, negative),
            3 => Float::nan(format),
            4 => Float::min_subnormal(format, negative),
            5 => Float::max_finite(format, negative),
            _ => {
                let halves = RBig::from_parts(IBig::from(self.rng.between(-20, 20)), 2u8.into());
                Float::from_real(RoundingMode::ALL[0], &halves, format)
            }
        }
    }

    fn string(&mut self, least: usize) -> SmtString {
        let letters = self.rng.pick(&["ab", "01", "a-z", "ABC", "/.:=&"]).as_bytes();
        let len = least + self.rng.below(4);
        let text: Vec<u8> = (0..len).map(|_| self.rng.pick(letters)).collect();
        SmtString::from_latin1(&text)
    }
}
