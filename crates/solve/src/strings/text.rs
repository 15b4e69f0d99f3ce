//! Strings of bounded length as bit-vectors: the characters from the low end up, zeros beyond the length, and the length as a number.
//! Where the standard defines an operator on strings, its encoding is exact; the only bound is that on the unknowns.

use crate::bounded::num::{Num, bits_of};
use smt::{BitVec, IBig, Op, SmtString, TermId, Terms, UBig, Value};

/// A string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// `cap` characters of the alphabet's width.
    pub(crate) bits: TermId,
    /// How many characters there is room for; at least one.
    pub(crate) cap: u32,
    pub(crate) len: Num,
}

/// How wide characters are: a power of two, so that positions become shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alphabet {
    pub(crate) width: u32,
}

/// Characters below 256.
pub(crate) const NARROW: Alphabet = Alphabet { width: 8 };
/// All characters of the theory.
pub(crate) const WIDE: Alphabet = Alphabet { width: 32 };

/// The width of the length of a string.
pub(crate) fn length_width(cap: u32) -> u32 {
    bits_of(&IBig::from(cap))
}

pub(crate) fn and(terms: &mut Terms, args: &[TermId]) -> TermId {
    if args.contains(&TermId::FALSE) {
        return TermId::FALSE;
    }
    let mut kept: Vec<TermId> = args.iter().copied().filter(|&a| a != TermId::TRUE).collect();
    kept.dedup();
    match kept[..] {
        [] => TermId::TRUE,
        [only] => only,
        _ => terms.mk(Op::And, &kept),
    }
}

pub(crate) fn or(terms: &mut Terms, args: &[TermId]) -> TermId {
    if args.contains(&TermId::TRUE) {
        return TermId::TRUE;
    }
    let mut kept: Vec<TermId> = args.iter().copied().filter(|&a| a != TermId::FALSE).collect();
    kept.dedup();
    match kept[..] {
        [] => TermId::FALSE,
        [only] => only,
        _ => terms.mk(Op::Or, &kept),
    }
}

pub(crate) fn not(terms: &mut Terms, arg: TermId) -> TermId {
    match arg {
        TermId::TRUE => TermId::FALSE,
        TermId::FALSE => TermId::TRUE,
        _ if terms.op(arg) == Op::Not => terms.args(arg)[0],
        _ => terms.mk(Op::Not, &[arg]),
    }
}

fn bits(terms: &mut Terms, width: u32, value: u64) -> TermId {
    terms.constant(Value::BitVec(BitVec::from_u64(width, value)))
}

impl Alphabet {
    /// A constant; `None` if a character is not in the alphabet.
    pub(crate) fn literal(self, terms: &mut Terms, text: &SmtString) -> Option<Text> {
        if self.width < 32 && text.iter().any(|c| c >> self.width != 0) {
            return None;
        }
        let cap = (text.len() as u32).max(1);
        let chars: Vec<u32> = text.iter().collect();
        let mut value = UBig::ZERO;
        for &c in chars.iter().rev() {
            value = (value << self.width as usize) + UBig::from(c);
        }
        let bits = terms.constant(Value::BitVec(BitVec::new(cap * self.width, value)));
        let len = Num::small(terms, text.len() as i64);
        Some(Text { bits, cap, len })
    }

    /// The string that a value of the bits and one of the length stand for.
    pub(crate) fn value(self, bits: &UBig, len: usize) -> Option<SmtString> {
        let mask = (UBig::ONE << self.width as usize) - UBig::ONE;
        let char_at =
            |i: usize| u32::try_from(&((bits >> (i * self.width as usize)) & &mask)).unwrap_or(u32::MAX);
        SmtString::from_code_points((0..len).map(char_at))
    }

    /// The bits with room for so many characters. What is cut off must be zero.
    fn resized(self, terms: &mut Terms, text: Text, cap: u32) -> TermId {
        match cap.cmp(&text.cap) {
            std::cmp::Ordering::Equal => text.bits,
            std::cmp::Ordering::Greater => {
                terms.mk_indexed(Op::ZeroExtend, [(cap - text.cap) * self.width, 0], &[text.bits])
            }
            std::cmp::Ordering::Less => {
                terms.mk_indexed(Op::Extract, [cap * self.width - 1, 0], &[text.bits])
            }
        }
    }

    /// The same string with room for so many characters, which its length does not exceed.
    fn fitted(self, terms: &mut Terms, text: Text, cap: u32) -> Text {
        let bits = self.resized(terms, text, cap);
        Text { bits, cap, len: text.len.narrowed(terms, length_width(cap)) }
    }

    /// The character at a fixed position within the room.
    pub(crate) fn char_at(self, terms: &mut Terms, text: Text, position: u32) -> TermId {
        let (high, low) = ((position + 1) * self.width - 1, position * self.width);
        if text.cap == 1 {
            return text.bits;
        }
        if let Some(Value::BitVec(value)) = terms.as_value(text.bits) {
            let part = value.extract(high, low);
            return terms.constant(Value::BitVec(part));
        }
        terms.mk_indexed(Op::Extract, [high, low], &[text.bits])
    }

    /// Bits of `cap` characters moved by a number of characters, which is neither negative nor above `cap`.
    fn shifted(self, terms: &mut Terms, op: Op, bits_in: TermId, cap: u32, by: Num) -> TermId {
        let width = cap * self.width;
        let steps = self.width.trailing_zeros();
        let amount = match by.value(terms) {
            Some(value) if value == IBig::ZERO => return bits_in,
            Some(value) => {
                let value = value * IBig::from(self.width);
                terms.constant(Value::BitVec(BitVec::from_int(width, &value)))
            }
            None => {
                let low = bits(terms, steps, 0);
                let high = by.at_width(terms, width - steps);
                terms.mk(Op::Concat, &[high, low])
            }
        };
        terms.mk(op, &[bits_in, amount])
    }

    /// Ones for the first so many of `cap` characters.
    fn mask(self, terms: &mut Terms, cap: u32, count: Num) -> TermId {
        let ones = terms.constant(Value::BitVec(BitVec::ones(cap * self.width)));
        let above = self.shifted(terms, Op::BvShl, ones, cap, count);
        terms.mk(Op::BvNot, &[above])
    }

    pub(crate) fn concat(self, terms: &mut Terms, a: Text, b: Text) -> Text {
        let is_empty = |terms: &Terms, t: Text| t.len.value(terms) == Some(IBig::ZERO);
        if is_empty(terms, a) {
            return b;
        }
        if is_empty(terms, b) {
            return a;
        }
        let cap = a.cap + b.cap;
        let low = self.resized(terms, a, cap);
        let high = self.resized(terms, b, cap);
        let high = self.shifted(terms, Op::BvShl, high, cap, a.len);
        let bits = terms.mk(Op::BvOr, &[low, high]);
        let len = a.len.add(terms, b.len).narrowed(terms, length_width(cap));
        Text { bits, cap, len }
    }

    pub(crate) fn eq(self, terms: &mut Terms, a: Text, b: Text) -> TermId {
        let cap = a.cap.max(b.cap);
        let lengths = a.len.eq(terms, b.len);
        let sides = [self.resized(terms, a, cap), self.resized(terms, b, cap)];
        let chars = if sides[0] == sides[1] { TermId::TRUE } else { terms.mk(Op::Eq, &sides) };
        and(terms, &[lengths, chars])
    }

    pub(crate) fn ite(self, terms: &mut Terms, condition: TermId, a: Text, b: Text) -> Text {
        let cap = a.cap.max(b.cap);
        let sides = [self.resized(terms, a, cap), self.resized(terms, b, cap)];
        let bits =
            if sides[0] == sides[1] { sides[0] } else { terms.mk(Op::Ite, &[condition, sides[0], sides[1]]) };
        Text { bits, cap, len: Num::ite(terms, condition, a.len, b.len) }
    }

    fn empty(self, terms: &mut Terms) -> Text {
        Text { bits: bits(terms, self.width, 0), cap: 1, len: Num::small(terms, 0) }
    }

    pub(crate) fn substr(self, terms: &mut Terms, text: Text, from: Num, count: Num) -> Text {
        let zero = Num::small(terms, 0);
        let conditions = [zero.le(terms, from), from.lt(terms, text.len), zero.lt(terms, count)];
        let inside = and(terms, &conditions);
        let left = text.len.sub(terms, from);
        let short = count.lt(terms, left);
        let len = Num::ite(terms, short, count, left);
        let len = Num::ite(terms, inside, len, zero).narrowed(terms, length_width(text.cap));
        let moved = self.shifted(terms, Op::BvLshr, text.bits, text.cap, from);
        let mask = self.mask(terms, text.cap, len);
        let bits = terms.mk(Op::BvAnd, &[moved, mask]);
        let whole = Text { bits, cap: text.cap, len };
        // A fixed count needs no more room than that.
        match count.value(terms).and_then(|n| u32::try_from(n).ok()) {
            Some(n) if n < text.cap => self.fitted(terms, whole, n.max(1)),
            _ => whole,
        }
    }

    pub(crate) fn at(self, terms: &mut Terms, text: Text, position: Num) -> Text {
        let one = Num::small(terms, 1);
        self.substr(terms, text, position, one)
    }

    pub(crate) fn prefix_of(self, terms: &mut Terms, a: Text, b: Text) -> TermId {
        self.occurs_at(terms, b, a, 0)
    }

    pub(crate) fn suffix_of(self, terms: &mut Terms, a: Text, b: Text) -> TermId {
        let fits = a.len.le(terms, b.len);
        let distance = b.len.sub(terms, a.len);
        let moved = self.shifted(terms, Op::BvLshr, b.bits, b.cap, distance);
        let cap = a.cap.max(b.cap);
        let tail = Text { bits: moved, ..b };
        let sides = [self.resized(terms, tail, cap), self.resized(terms, a, cap)];
        let same = terms.mk(Op::Eq, &sides);
        and(terms, &[fits, same])
    }

    /// Whether a pattern stands in a text at a fixed position.
    fn occurs_at(self, terms: &mut Terms, text: Text, pattern: Text, position: u32) -> TermId {
        let start = Num::small(terms, i64::from(position));
        let end = start.add(terms, pattern.len);
        let fits = end.le(terms, text.len);
        if fits == TermId::FALSE || position > text.cap {
            return TermId::FALSE;
        }
        if position == text.cap {
            // Only the empty pattern stands at the end of the room.
            let zero = Num::small(terms, 0);
            let is_empty = pattern.len.eq(terms, zero);
            return and(terms, &[fits, is_empty]);
        }
        let rest_cap = text.cap - position;
        let (high, low) = (text.cap * self.width - 1, position * self.width);
        let rest =
            if position == 0 { text.bits } else { terms.mk_indexed(Op::Extract, [high, low], &[text.bits]) };
        let rest = Text { bits: rest, cap: rest_cap, len: text.len };
        if let Some(fixed) = pattern.len.value(terms).and_then(|n| u32::try_from(n).ok()) {
            if fixed == 0 {
                return fits;
            }
            if fixed > rest_cap {
                return TermId::FALSE;
            }
            let sides = [self.resized(terms, rest, fixed), self.resized(terms, pattern, fixed)];
            let same = terms.mk(Op::Eq, &sides);
            return and(terms, &[fits, same]);
        }
        let cap = rest_cap.max(pattern.cap);
        let rest = self.resized(terms, rest, cap);
        let mask = self.mask(terms, cap, pattern.len);
        let here = terms.mk(Op::BvAnd, &[rest, mask]);
        let pattern = self.resized(terms, pattern, cap);
        let same = terms.mk(Op::Eq, &[here, pattern]);
        and(terms, &[fits, same])
    }

    pub(crate) fn contains(self, terms: &mut Terms, text: Text, pattern: Text) -> TermId {
        let places: Vec<TermId> = (0..=text.cap).map(|at| self.occurs_at(terms, text, pattern, at)).collect();
        or(terms, &places)
    }

    pub(crate) fn index_of(self, terms: &mut Terms, text: Text, pattern: Text, from: Num) -> Num {
        let (zero, none) = (Num::small(terms, 0), Num::small(terms, -1));
        let mut found = none;
        for at in (0..=text.cap).rev() {
            let place = Num::small(terms, i64::from(at));
            let here = self.occurs_at(terms, text, pattern, at);
            let late = from.le(terms, place);
            let here = and(terms, &[here, late]);
            found = Num::ite(terms, here, place, found);
        }
        let inside = [zero.le(terms, from), from.le(terms, text.len)];
        let inside = and(terms, &inside);
        Num::ite(terms, inside, found, none)
    }

    pub(crate) fn replace(self, terms: &mut Terms, text: Text, pattern: Text, by: Text) -> Text {
        let zero = Num::small(terms, 0);
        let place = self.index_of(terms, text, pattern, zero);
        let found = zero.le(terms, place);
        if found == TermId::FALSE {
            return text;
        }
        // Where it is not found, the place must still be one within the room.
        let place = Num::ite(terms, found, place, zero).narrowed(terms, length_width(text.cap));
        let before = self.substr(terms, text, zero, place);
        let after = place.add(terms, pattern.len);
        let rest = self.substr(terms, text, after, text.len);
        let front = self.concat(terms, before, by);
        let whole = self.concat(terms, front, rest);
        self.ite(terms, found, whole, text)
    }

    /// `a < b`, and `a <= b`.
    pub(crate) fn less(self, terms: &mut Terms, a: Text, b: Text) -> (TermId, TermId) {
        let cap = a.cap.max(b.cap);
        let sides = [a, b].map(|text| {
            let bits = self.resized(terms, text, cap);
            self.reversed_room(terms, Text { bits, cap, len: text.len })
        });
        let below = terms.mk(Op::BvUlt, &sides);
        let same = terms.mk(Op::Eq, &sides);
        // Of two strings that differ in zeros at the end alone, the shorter one is less.
        let (shorter, not_longer) = (a.len.lt(terms, b.len), a.len.le(terms, b.len));
        let strictly = and(terms, &[same, shorter]);
        let weakly = and(terms, &[same, not_longer]);
        (or(terms, &[below, strictly]), or(terms, &[below, weakly]))
    }

    /// All characters of the room in the opposite order.
    fn reversed_room(self, terms: &mut Terms, text: Text) -> TermId {
        let chars: Vec<TermId> = (0..text.cap).map(|at| self.char_at(terms, text, at)).collect();
        if let [only] = chars[..] { only } else { terms.mk(Op::Concat, &chars) }
    }

    pub(crate) fn reverse(self, terms: &mut Terms, text: Text) -> Text {
        let bits = self.reversed_room(terms, text);
        let room = Num::small(terms, i64::from(text.cap));
        let unused = room.sub(terms, text.len);
        let bits = self.shifted(terms, Op::BvLshr, bits, text.cap, unused);
        Text { bits, ..text }
    }

    /// Every character in a range moved by the same distance.
    pub(crate) fn case(self, terms: &mut Terms, text: Text, (low, high): (u64, u64), distance: i64) -> Text {
        let distance = terms.constant(Value::BitVec(BitVec::from_int(self.width, &IBig::from(distance))));
        let chars: Vec<TermId> = (0..text.cap)
            .map(|at| {
                let c = self.char_at(terms, text, at);
                let inside = self.in_range(terms, c, low, high);
                let moved = terms.mk(Op::BvAdd, &[c, distance]);
                terms.mk(Op::Ite, &[inside, moved, c])
            })
            .collect();
        let chars: Vec<TermId> = chars.into_iter().rev().collect();
        let bits = if let [only] = chars[..] { only } else { terms.mk(Op::Concat, &chars) };
        Text { bits, ..text }
    }

    /// Whether a character is in a range.
    pub(crate) fn in_range(self, terms: &mut Terms, c: TermId, low: u64, high: u64) -> TermId {
        let most = if self.width >= 32 { u64::from(smt::string::MAX_CHAR) } else { (1 << self.width) - 1 };
        let high = high.min(most);
        if low > high {
            return TermId::FALSE;
        }
        let (lowest, highest) = (bits(terms, self.width, low), bits(terms, self.width, high));
        if low == high {
            return terms.mk(Op::Eq, &[c, lowest]);
        }
        let above = if low == 0 { TermId::TRUE } else { terms.mk(Op::BvUle, &[lowest, c]) };
        let below = if high == most { TermId::TRUE } else { terms.mk(Op::BvUle, &[c, highest]) };
        and(terms, &[above, below])
    }

    fn is_single(self, terms: &mut Terms, text: Text) -> TermId {
        let one = Num::small(terms, 1);
        text.len.eq(terms, one)
    }

    pub(crate) fn is_digit(self, terms: &mut Terms, text: Text) -> TermId {
        let (single, c) = (self.is_single(terms, text), self.char_at(terms, text, 0));
        let digit = self.in_range(terms, c, 0x30, 0x39);
        and(terms, &[single, digit])
    }

    pub(crate) fn to_code(self, terms: &mut Terms, text: Text) -> Num {
        let (single, c) = (self.is_single(terms, text), self.char_at(terms, text, 0));
        let code = terms.mk_indexed(Op::ZeroExtend, [1, 0], &[c]);
        let none = Num::small(terms, -1);
        Num::ite(terms, single, Num { bits: code, width: self.width + 1 }, none)
    }

    /// The string of a code, and the condition under which the alphabet has that character or none does.
    pub(crate) fn code_to_text(self, terms: &mut Terms, code: Num) -> (Text, TermId) {
        let (zero, most) = (Num::small(terms, 0), Num::small(terms, i64::from(smt::string::MAX_CHAR)));
        let inside = [zero.le(terms, code), code.le(terms, most)];
        let inside = and(terms, &inside);
        let c = code.at_width(terms, self.width);
        let nothing = self.empty(terms);
        let one = Num::small(terms, 1);
        let single = Text { bits: c, cap: 1, len: one };
        let text = self.ite(terms, inside, single, nothing);
        if self.width >= 32 {
            return (text, TermId::TRUE);
        }
        let last = Num::small(terms, (1 << self.width) - 1);
        let (known, outside) = (code.le(terms, last), not(terms, inside));
        (text, or(terms, &[known, outside]))
    }

    /// The number that digits spell, or -1.
    pub(crate) fn to_int(self, terms: &mut Terms, text: Text) -> Num {
        let (zero, ten) = (Num::small(terms, 0), Num::small(terms, 10));
        let mut spelled = zero;
        let mut all = vec![zero.lt(terms, text.len)];
        for at in 0..text.cap {
            let place = Num::small(terms, i64::from(at));
            let there = place.lt(terms, text.len);
            let c = self.char_at(terms, text, at);
            let digit = self.in_range(terms, c, 0x30, 0x39);
            let missing = not(terms, there);
            all.push(or(terms, &[missing, digit]));
            let low = if self.width == 4 { c } else { terms.mk_indexed(Op::Extract, [3, 0], &[c]) };
            let low = terms.mk_indexed(Op::ZeroExtend, [1, 0], &[low]);
            let more = spelled.mul(terms, ten).add(terms, Num { bits: low, width: 5 });
            // Digits after so many spell a number below the same power of ten.
            let room = IBig::from(10u8).pow(at as usize + 1);
            let more = more.narrowed(terms, bits_of(&room) + 1);
            spelled = Num::ite(terms, there, more, spelled);
        }
        let digits = and(terms, &all);
        let none = Num::small(terms, -1);
        Num::ite(terms, digits, spelled, none)
    }

    /// The digits of a number, as an unknown with a condition that fixes it.
    pub(crate) fn digits_of(self, terms: &mut Terms, number: Num) -> (Text, TermId) {
        // A number of so many bits has no more digits than this.
        let cap = number.width / 3 + 1;
        let unknown = self.unknown(terms, cap);
        let text = unknown.0;
        let (zero, one) = (Num::small(terms, 0), Num::small(terms, 1));
        let negative = number.lt(terms, zero);
        let is_empty = text.len.eq(terms, zero);
        let spelled = self.to_int(terms, text);
        let same = spelled.eq(terms, number);
        let first = self.char_at(terms, text, 0);
        let leading = self.in_range(terms, first, 0x30, 0x30);
        let (not_leading, single) = (not(terms, leading), text.len.eq(terms, one));
        let shortest = or(terms, &[not_leading, single]);
        let spells = and(terms, &[same, shortest]);
        let fixed = terms.mk(Op::Ite, &[negative, is_empty, spells]);
        (text, and(terms, &[fixed, unknown.1]))
    }

    /// An unknown string of at most so many characters, with the condition that makes it one.
    pub(crate) fn unknown(self, terms: &mut Terms, cap: u32) -> (Text, TermId) {
        let cap = cap.max(1);
        let mut symbol = |prefix: &str, width: u32| {
            let (name, sort) = (terms.fresh_symbol(prefix), terms.bit_vec_sort(width));
            let fun = terms.declare(name, &[], sort);
            terms.apply(fun, &[]).expect("a constant takes no arguments")
        };
        let width = length_width(cap);
        let (bits, len) = (symbol("chars!", cap * self.width), symbol("length!", width));
        let text = Text { bits, cap, len: Num { bits: len, width } };
        let (zero, most) = (Num::small(terms, 0), Num::small(terms, i64::from(cap)));
        let mut all = vec![zero.le(terms, text.len), text.len.le(terms, most)];
        let mask = self.mask(terms, cap, text.len);
        let kept = terms.mk(Op::BvAnd, &[bits, mask]);
        all.push(terms.mk(Op::Eq, &[kept, bits]));
        if self.width >= 32 {
            let highest = self::bits(terms, self.width, u64::from(smt::string::MAX_CHAR));
            for at in 0..cap {
                let c = self.char_at(terms, text, at);
                all.push(terms.mk(Op::BvUle, &[c, highest]));
            }
        }
        (text, and(terms, &all))
    }
}
