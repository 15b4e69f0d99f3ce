//! A query over integers and strings as one over bit-vectors: exact for all values of its unknowns within bounds.

use super::num::{Num, bits_of};
use crate::divisions;
use crate::engine::{Budget, Reason};
use crate::strings::regex;
use crate::strings::text::{Alphabet, Text, and, not, or};
use crate::tuning::bounded_encode::{MAX_POWER, MOST_BITS, MOST_SHIFTED, WIDEST};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{BitVec, FunId, IBig, Op, SortId, TermId, Terms, Value, walk};

/// Bounds on unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Integers have so many bits, their sign included.
    pub(super) bits: u32,
    /// Strings have at most so many characters.
    pub(super) length: u32,
    pub(super) alphabet: Alphabet,
}

/// The query over bit-vectors.
pub(super) struct Encoding {
    /// One for each conjunct of the query, then what makes unknowns what they are.
    pub(super) assertions: Vec<TermId>,
    unknowns: Vec<Unknown>,
    /// Whether more was left out than values beyond the bounds: division by zero, characters beyond the alphabet.
    pub(super) restricted: bool,
    bounds: Bounds,
}

/// What stands for an unknown of the query.
enum Unknown {
    Int { fun: FunId, bits: FunId },
    Text { fun: FunId, bits: FunId, len: FunId },
}

/// What a term became.
#[derive(Clone, Copy)]
enum Meaning {
    Truth(TermId),
    Number(Num),
    Text(Text),
    /// A language, which only means something together with a string.
    Language,
}

struct Encoder<'a> {
    terms: &'a mut Terms,
    bounds: Bounds,
    done: FxHashMap<TermId, Meaning>,
    side: Vec<TermId>,
    unknowns: Vec<Unknown>,
    restricted: bool,
    /// Divisions whose meaning for zero counts.
    unguarded: FxHashSet<TermId>,
    size: u64,
}

/// Encodes the conjuncts of a query.
pub(super) fn encode(
    terms: &mut Terms,
    assertions: &[TermId],
    bounds: Bounds,
    budget: &mut Budget,
) -> Result<Encoding, Reason> {
    let unguarded = divisions::unguarded(terms, assertions);
    let mut encoder = Encoder {
        terms,
        bounds,
        done: FxHashMap::default(),
        side: Vec::new(),
        unknowns: Vec::new(),
        restricted: false,
        unguarded,
        size: 0,
    };
    for term in walk::reachable(encoder.terms, assertions) {
        if !budget.spend(16) {
            return Err(budget.exhausted().unwrap_or(Reason::Time));
        }
        let meaning = encoder.translate(term)?;
        encoder.measure(meaning)?;
        encoder.done.insert(term, meaning);
    }
    let mut all = Vec::new();
    for assertion in assertions {
        all.push(encoder.truth(*assertion)?);
    }
    all.append(&mut encoder.side);
    Ok(Encoding { assertions: all, unknowns: encoder.unknowns, restricted: encoder.restricted, bounds })
}

impl Encoder<'_> {
    fn measure(&mut self, meaning: Meaning) -> Result<(), Reason> {
        let width = match meaning {
            Meaning::Truth(_) | Meaning::Language => 1,
            Meaning::Number(num) => num.width,
            Meaning::Text(text) => text.cap * self.bounds.alphabet.width / 8,
        };
        // Products and searches in strings are quadratic in their width.
        self.size += u64::from(width) * u64::from(width / 16 + 1);
        if width > WIDEST || self.size > MOST_BITS { Err(Reason::Memory) } else { Ok(()) }
    }

    fn truth(&self, term: TermId) -> Result<TermId, Reason> {
        match self.done[&term] {
            Meaning::Truth(truth) => Ok(truth),
            _ => Err(Reason::Unsupported),
        }
    }

    fn number(&self, term: TermId) -> Result<Num, Reason> {
        match self.done[&term] {
            Meaning::Number(num) => Ok(num),
            _ => Err(Reason::Unsupported),
        }
    }

    fn text(&self, term: TermId) -> Result<Text, Reason> {
        match self.done[&term] {
            Meaning::Text(text) => Ok(text),
            _ => Err(Reason::Unsupported),
        }
    }

    fn numbers(&self, args: &[TermId]) -> Result<Vec<Num>, Reason> {
        args.iter().map(|&a| self.number(a)).collect()
    }

    fn texts(&self, args: &[TermId]) -> Result<Vec<Text>, Reason> {
        args.iter().map(|&a| self.text(a)).collect()
    }

    /// One of the kinds of meaning a term can have, by its sort.
    fn translate(&mut self, term: TermId) -> Result<Meaning, Reason> {
        let args = self.terms.args(term).to_vec();
        match self.terms.sort(term) {
            SortId::BOOL => Ok(Meaning::Truth(self.translate_truth(term, &args)?)),
            SortId::INT => Ok(Meaning::Number(self.translate_number(term, &args)?)),
            SortId::STRING => Ok(Meaning::Text(self.translate_text(term, &args)?)),
            SortId::REG_LAN => Ok(Meaning::Language),
            _ => Err(Reason::Unsupported),
        }
    }

    fn translate_truth(&mut self, term: TermId, args: &[TermId]) -> Result<TermId, Reason> {
        let alphabet = self.bounds.alphabet;
        let op = self.terms.op(term);
        Ok(match op {
            Op::Const => term,
            Op::Apply if args.is_empty() => term,
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor => self.rebuilt(term, args)?,
            Op::Ite => self.rebuilt(term, args)?,
            Op::Eq => {
                let mut all = Vec::new();
                for pair in args.windows(2) {
                    all.push(self.equal(pair[0], pair[1])?);
                }
                and(self.terms, &all)
            }
            Op::Distinct => {
                let mut all = Vec::new();
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[..i] {
                        let same = self.equal(a, b)?;
                        all.push(not(self.terms, same));
                    }
                }
                and(self.terms, &all)
            }
            Op::Le | Op::Lt | Op::Ge | Op::Gt => {
                let numbers = self.numbers(args)?;
                let mut all = Vec::new();
                for pair in numbers.windows(2) {
                    let (a, b) =
                        if matches!(op, Op::Ge | Op::Gt) { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
                    let strict = matches!(op, Op::Lt | Op::Gt);
                    all.push(if strict { a.lt(self.terms, b) } else { a.le(self.terms, b) });
                }
                and(self.terms, &all)
            }
            Op::Divisible => {
                let by = Num::small(self.terms, i64::from(self.terms.indices(term)[0]));
                let (_, rest) = self.number(args[0])?.div_mod(self.terms, by);
                let zero = Num::small(self.terms, 0);
                rest.eq(self.terms, zero)
            }
            Op::StrPrefixOf => alphabet.prefix_of(self.terms, self.text(args[0])?, self.text(args[1])?),
            Op::StrSuffixOf => alphabet.suffix_of(self.terms, self.text(args[0])?, self.text(args[1])?),
            Op::StrContains => alphabet.contains(self.terms, self.text(args[0])?, self.text(args[1])?),
            Op::StrIsDigit => alphabet.is_digit(self.terms, self.text(args[0])?),
            Op::StrLt | Op::StrLe => {
                let texts = self.texts(args)?;
                let mut all = Vec::new();
                for pair in texts.windows(2) {
                    let (less, not_more) = alphabet.less(self.terms, pair[0], pair[1]);
                    all.push(if op == Op::StrLt { less } else { not_more });
                }
                and(self.terms, &all)
            }
            Op::StrInRe => regex::matches(self.terms, alphabet, self.text(args[0])?, args[1])?,
            _ => return Err(Reason::Unsupported),
        })
    }

    fn rebuilt(&mut self, term: TermId, args: &[TermId]) -> Result<TermId, Reason> {
        let new: Vec<TermId> = args.iter().map(|&a| self.truth(a)).collect::<Result<_, _>>()?;
        Ok(self.terms.rebuild(term, &new))
    }

    fn equal(&mut self, a: TermId, b: TermId) -> Result<TermId, Reason> {
        Ok(match (self.done[&a], self.done[&b]) {
            (Meaning::Truth(a), Meaning::Truth(b)) => self.terms.mk(Op::Eq, &[a, b]),
            (Meaning::Number(a), Meaning::Number(b)) => a.eq(self.terms, b),
            (Meaning::Text(a), Meaning::Text(b)) => self.bounds.alphabet.eq(self.terms, a, b),
            _ => return Err(Reason::Unsupported),
        })
    }

    fn translate_number(&mut self, term: TermId, args: &[TermId]) -> Result<Num, Reason> {
        let alphabet = self.bounds.alphabet;
        let op = self.terms.op(term);
        Ok(match op {
            Op::Const => match self.terms.as_value(term) {
                Some(Value::Int(value)) => {
                    let value = value.clone();
                    Num::constant(self.terms, &value)
                }
                _ => return Err(Reason::Unsupported),
            },
            Op::Apply if args.is_empty() => self.unknown_number(term)?,
            Op::Ite => {
                let (condition, then, otherwise) =
                    (self.truth(args[0])?, self.number(args[1])?, self.number(args[2])?);
                Num::ite(self.terms, condition, then, otherwise)
            }
            Op::Neg => self.number(args[0])?.neg(self.terms),
            Op::Abs => self.number(args[0])?.abs(self.terms),
            Op::Add | Op::Sub | Op::Mul => {
                let numbers = self.numbers(args)?;
                let mut sum = numbers[0];
                for &next in &numbers[1..] {
                    sum = match op {
                        Op::Add => sum.add(self.terms, next),
                        Op::Sub => sum.sub(self.terms, next),
                        _ => sum.mul(self.terms, next),
                    };
                    self.measure(Meaning::Number(sum))?;
                }
                sum
            }
            Op::IntDiv | Op::Mod => {
                let numbers = self.numbers(args)?;
                let mut result = numbers[0];
                for &by in &numbers[1..] {
                    if self.unguarded.contains(&term) {
                        self.exclude_zero(by)?;
                    }
                    let (quotient, rest) = result.div_mod(self.terms, by);
                    result = if op == Op::IntDiv { quotient } else { rest };
                }
                result
            }
            Op::Power => {
                let (base, exponent) = (self.number(args[0])?, self.number(args[1])?);
                let exponent = exponent.value(self.terms).and_then(|n| u32::try_from(n).ok());
                let Some(n) = exponent.filter(|n| (1..=MAX_POWER).contains(n)) else {
                    return Err(Reason::Unsupported);
                };
                let mut power = base;
                for _ in 1..n {
                    power = power.mul(self.terms, base);
                    self.measure(Meaning::Number(power))?;
                }
                power
            }
            Op::Pow2 => self.power_of_two(self.number(args[0])?)?,
            Op::IntAnd => {
                let width = self.terms.indices(term)[0];
                self.conjoined(width, self.number(args[0])?, self.number(args[1])?)?
            }
            Op::IntAndOf => {
                let width = self.number(args[0])?.value(self.terms);
                let (a, b) = (self.number(args[1])?, self.number(args[2])?);
                match width.map(|width| if width < IBig::ZERO { Ok(0) } else { u32::try_from(width) }) {
                    Some(Ok(width)) => self.conjoined(width, a, b)?,
                    Some(Err(_)) => return Err(Reason::Memory),
                    None => return Err(Reason::Unsupported),
                }
            }
            Op::StrLen => self.text(args[0])?.len,
            Op::StrIndexOf => {
                let (text, pattern, from) = (self.text(args[0])?, self.text(args[1])?, self.number(args[2])?);
                alphabet.index_of(self.terms, text, pattern, from)
            }
            Op::StrToCode => alphabet.to_code(self.terms, self.text(args[0])?),
            Op::StrToInt => alphabet.to_int(self.terms, self.text(args[0])?),
            _ => return Err(Reason::Unsupported),
        })
    }

    /// The last bits of both, conjoined: a natural number.
    fn conjoined(&mut self, width: u32, a: Num, b: Num) -> Result<Num, Reason> {
        if width == 0 {
            return Ok(Num::small(self.terms, 0));
        }
        if width > WIDEST {
            return Err(Reason::Memory);
        }
        let bits = [a.at_width(self.terms, width), b.at_width(self.terms, width)];
        let bits = self.terms.mk(Op::BvAnd, &bits);
        Ok(Num { bits: self.terms.mk_indexed(Op::ZeroExtend, [1, 0], &[bits]), width: width + 1 })
    }

    /// Two to the power of a number, and zero for negative ones. Exponents that would make it too wide are left out.
    fn power_of_two(&mut self, exponent: Num) -> Result<Num, Reason> {
        if let Some(value) = exponent.value(self.terms) {
            return match u32::try_from(&value) {
                _ if value < IBig::ZERO => Ok(Num::small(self.terms, 0)),
                Ok(n) if n < WIDEST => Ok(Num::constant(self.terms, &(IBig::ONE << n as usize))),
                _ => Err(Reason::Memory),
            };
        }
        let most = IBig::ONE << (exponent.width as usize - 1).min(32);
        let limit = most.clone().min(IBig::from(MOST_SHIFTED));
        if limit < most {
            let limit = Num::constant(self.terms, &limit);
            let inside = exponent.lt(self.terms, limit);
            self.side.push(inside);
            self.restricted = true;
        }
        // One bit for the sign beyond the largest power.
        let width = u32::try_from(&limit).map_err(|_| Reason::Memory)? + 1;
        let width = width.max(exponent.width);
        let one = self.terms.constant(Value::BitVec(BitVec::from_int(width, &IBig::ONE)));
        let by = exponent.at_width(self.terms, width);
        let shifted = Num { bits: self.terms.mk(Op::BvShl, &[one, by]), width };
        let zero = Num::small(self.terms, 0);
        let negative = exponent.lt(self.terms, zero);
        Ok(Num::ite(self.terms, negative, zero, shifted))
    }

    /// Division by zero is left open by SMT-LIB: models in which it happens are left to others.
    fn exclude_zero(&mut self, by: Num) -> Result<(), Reason> {
        match by.value(self.terms) {
            Some(value) if value == IBig::ZERO => Err(Reason::Incomplete),
            Some(_) => Ok(()),
            None => {
                let zero = Num::small(self.terms, 0);
                let same = by.eq(self.terms, zero);
                self.side.push(not(self.terms, same));
                self.restricted = true;
                Ok(())
            }
        }
    }

    fn translate_text(&mut self, term: TermId, args: &[TermId]) -> Result<Text, Reason> {
        let alphabet = self.bounds.alphabet;
        Ok(match self.terms.op(term) {
            Op::Const => match self.terms.as_value(term) {
                Some(Value::String(text)) => {
                    let text = text.clone();
                    if text.len() > WIDEST as usize {
                        return Err(Reason::Memory);
                    }
                    alphabet.literal(self.terms, &text).ok_or(Reason::Incomplete)?
                }
                _ => return Err(Reason::Unsupported),
            },
            Op::Apply if args.is_empty() => {
                let (text, condition) = alphabet.unknown(self.terms, self.bounds.length);
                self.side.push(condition);
                let fun = |terms: &Terms, t: TermId| terms.as_fun(t).ok_or(Reason::Unsupported);
                self.unknowns.push(Unknown::Text {
                    fun: fun(self.terms, term)?,
                    bits: fun(self.terms, text.bits)?,
                    len: fun(self.terms, text.len.bits)?,
                });
                text
            }
            Op::Ite => {
                let (condition, then, otherwise) =
                    (self.truth(args[0])?, self.text(args[1])?, self.text(args[2])?);
                alphabet.ite(self.terms, condition, then, otherwise)
            }
            Op::StrConcat => {
                let texts = self.texts(args)?;
                let mut whole = texts[0];
                for &next in &texts[1..] {
                    whole = alphabet.concat(self.terms, whole, next);
                    self.measure(Meaning::Text(whole))?;
                }
                whole
            }
            Op::StrAt => alphabet.at(self.terms, self.text(args[0])?, self.number(args[1])?),
            Op::StrSubstr => {
                let (text, from, count) = (self.text(args[0])?, self.number(args[1])?, self.number(args[2])?);
                alphabet.substr(self.terms, text, from, count)
            }
            Op::StrReplace => {
                let texts = self.texts(args)?;
                alphabet.replace(self.terms, texts[0], texts[1], texts[2])
            }
            Op::StrFromCode => {
                let (text, known) = alphabet.code_to_text(self.terms, self.number(args[0])?);
                if known != TermId::TRUE {
                    self.side.push(known);
                }
                text
            }
            Op::StrFromInt => {
                let (text, condition) = alphabet.digits_of(self.terms, self.number(args[0])?);
                self.side.push(condition);
                text
            }
            Op::StrRev => alphabet.reverse(self.terms, self.text(args[0])?),
            Op::StrToLower => alphabet.case(self.terms, self.text(args[0])?, (0x41, 0x5a), 32),
            Op::StrToUpper => alphabet.case(self.terms, self.text(args[0])?, (0x61, 0x7a), -32),
            _ => return Err(Reason::Unsupported),
        })
    }

    fn unknown_number(&mut self, term: TermId) -> Result<Num, Reason> {
        let width = self.bounds.bits;
        let (name, sort) = (self.terms.fresh_symbol("number!"), self.terms.bit_vec_sort(width));
        let bits = self.terms.declare(name, &[], sort);
        let fun = self.terms.as_fun(term).ok_or(Reason::Unsupported)?;
        self.unknowns.push(Unknown::Int { fun, bits });
        let bits = self.terms.apply(bits, &[]).expect("a constant takes no arguments");
        Ok(Num { bits, width })
    }
}

impl Encoding {
    /// The values of the query's unknowns that values of the bit-vectors stand for; Booleans are what they are.
    pub(super) fn values_back(&self, value: impl Fn(FunId) -> Option<Value>) -> Vec<(FunId, Value)> {
        let bits = |fun: FunId| match value(fun) {
            Some(Value::BitVec(bits)) => Some(bits),
            _ => None,
        };
        let zero = || BitVec::zero(1);
        let mut values = Vec::new();
        for unknown in &self.unknowns {
            match unknown {
                Unknown::Int { fun, bits: own } => {
                    values.push((*fun, Value::Int(bits(*own).unwrap_or_else(zero).to_signed())));
                }
                Unknown::Text { fun, bits: own, len } => {
                    let len = bits(*len).unwrap_or_else(zero).to_u64().unwrap_or(0);
                    let len = len.min(u64::from(self.bounds.length)) as usize;
                    let own = bits(*own).unwrap_or_else(zero);
                    if let Some(text) = self.bounds.alphabet.value(own.to_ubig(), len) {
                        values.push((*fun, Value::String(text)));
                    }
                }
            }
        }
        values
    }

    /// That some unknown of the query is beyond its bounds. Lengths are given by what they became elsewhere.
    pub(super) fn beyond(
        &self,
        terms: &mut Terms,
        length: impl Fn(TermId) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut cases = Vec::new();
        for unknown in &self.unknowns {
            match unknown {
                Unknown::Int { fun, .. } => {
                    let term = terms.apply(*fun, &[]).ok()?;
                    let half = IBig::ONE << (self.bounds.bits as usize - 1);
                    let (least, end) = (terms.int(-half.clone()), terms.int(half));
                    cases.push(terms.mk(Op::Lt, &[term, least]));
                    cases.push(terms.mk(Op::Ge, &[term, end]));
                }
                Unknown::Text { fun, .. } => {
                    let term = terms.apply(*fun, &[]).ok()?;
                    let (length, most) = (length(term)?, terms.int(IBig::from(self.bounds.length)));
                    cases.push(terms.mk(Op::Gt, &[length, most]));
                }
            }
        }
        Some(or(terms, &cases))
    }
}

/// How many bits the largest constant takes.
pub(super) fn widest_constant(terms: &Terms, assertions: &[TermId]) -> u32 {
    let width = |term: TermId| match terms.as_value(term) {
        Some(Value::Int(value)) => bits_of(value),
        _ => 1,
    };
    walk::reachable(terms, assertions).into_iter().map(width).max().unwrap_or(1)
}
