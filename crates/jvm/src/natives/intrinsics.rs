//! Text and boxes without forks: comparisons of strings and classes of characters, which the JDK computes by a loop with a branch for
//! every character, and boxes, which it looks up in a table, as one value of the domain. What the method says decides the path where the
//! program asks for it, once.
//!
//! Each row gives what the JDK's bytecode gives (`tests/differential/java/Latin.java` compares both for all characters of Latin-1, and `tests/verdicts/java/LatinTerms.java` terms with values). Where an argument is outside
//! of what a row covers, the bytecode itself is run.

use super::NativeRow;
use super::lang::value;
use crate::domain::Values;
use crate::heap::{HEADER, Ref};
use crate::kind::Kind;
use crate::machine::{Done, Hook, Machine, NativeResult};
use explore::Site;
use explore::op::ops;

/// Ranges of characters, first and last.
type Ranges = &'static [(u32, u32)];

const DIGITS: Ranges = &[(0x30, 0x39)];
const LETTERS: Ranges = &[
    (0x41, 0x5a),
    (0x61, 0x7a),
    (0xaa, 0xaa),
    (0xb5, 0xb5),
    (0xba, 0xba),
    (0xc0, 0xd6),
    (0xd8, 0xf6),
    (0xf8, 0xff),
];
const LETTERS_AND_DIGITS: Ranges = &[
    (0x30, 0x39),
    (0x41, 0x5a),
    (0x61, 0x7a),
    (0xaa, 0xaa),
    (0xb5, 0xb5),
    (0xba, 0xba),
    (0xc0, 0xd6),
    (0xd8, 0xf6),
    (0xf8, 0xff),
];
const UPPER: Ranges = &[(0x41, 0x5a), (0xc0, 0xd6), (0xd8, 0xde)];
const LOWER: Ranges = &[(0x61, 0x7a), (0xaa, 0xaa), (0xb5, 0xb5), (0xba, 0xba), (0xdf, 0xf6), (0xf8, 0xff)];
const WHITE: Ranges = &[(0x09, 0x0d), (0x1c, 0x20)];
const SPACE: Ranges = &[(0x20, 0x20), (0xa0, 0xa0)];
/// Letters whose lower case lies 32 above.
const HAS_LOWER: Ranges = UPPER;
/// Letters whose upper case lies 32 below.
const HAS_UPPER: Ranges = &[(0x61, 0x7a), (0xe0, 0xf6), (0xf8, 0xfe)];

const NOWHERE: fn() -> Site = || Site::new(0);

/// Arithmetic on `i32` of the domain; none of these traps.
macro_rules! int {
    ($m:expr, $op:ident, $a:expr, $b:expr) => {
        $m.domain.binary::<ops::$op>(NOWHERE(), $a, $b).unwrap_or_default()
    };
}

fn number<D: Values>(value: u32) -> D::Value {
    D::constant(u64::from(value))
}

/// Whether a character is in one of the ranges, as 0 or 1.
fn among<D: Values>(m: &mut Machine<D>, c: D::Value, ranges: Ranges) -> D::Value {
    if !D::is_symbolic(c) {
        let c = D::bits(c) as u32;
        return number::<D>(u32::from(ranges.iter().any(|range| (range.0..=range.1).contains(&c))));
    }
    let mut any = number::<D>(0);
    for &(first, last) in ranges {
        let inside = if first == last {
            int!(m, I32Eq, c, number::<D>(first))
        } else {
            let above = int!(m, I32Sub, c, number::<D>(first));
            int!(m, I32LtU, above, number::<D>(last - first + 1))
        };
        any = int!(m, I32Or, any, inside);
    }
    any
}

/// Whether a character is one of Latin-1. That is a decision where it is not plain to see.
fn is_latin<D: Values>(m: &mut Machine<D>, c: D::Value) -> bool {
    m.domain.is_byte(c) || m.domain.guard::<ops::I32LtU>(NOWHERE(), c, number::<D>(256))
}

/// Runs the bytecode that the row stands for.
pub(super) fn bytecode<D: Values>(
    m: &mut Machine<D>,
    class: &str,
    name: &str,
    descriptor: &str,
    a: &[D::Value],
) -> NativeResult<D> {
    let class = m.load(class)?;
    match class.declared(name, descriptor) {
        Some(method) => Ok(Done::Call(method, a.to_vec(), Hook::Plain)),
        None => Err(crate::machine::Fault::New("java/lang/NoSuchMethodError", Some(name.to_string()))),
    }
}

const CHARACTER: &str = "java/lang/Character";

fn class_of<D: Values>(
    m: &mut Machine<D>,
    a: &[D::Value],
    name: &'static str,
    ranges: Ranges,
) -> NativeResult<D> {
    if !is_latin(m, a[0]) {
        return bytecode(m, CHARACTER, name, "(I)Z", a);
    }
    Ok(Done::Value(among(m, a[0], ranges)))
}

/// The character itself, or so far away where it is in a range.
fn shifted<D: Values>(m: &mut Machine<D>, c: D::Value, ranges: Ranges, by: i32) -> D::Value {
    let moved = int!(m, I32Add, c, number::<D>(by as u32));
    let inside = among(m, c, ranges);
    m.domain.choose(inside, moved, c)
}

fn upper<D: Values>(m: &mut Machine<D>, c: D::Value) -> D::Value {
    let mut result = shifted(m, c, HAS_UPPER, -32);
    // The upper cases of these two are not in Latin-1.
    for (from, to) in [(0xb5, 0x39c), (0xff, 0x178)] {
        let same = int!(m, I32Eq, c, number::<D>(from));
        result = m.domain.choose(same, number::<D>(to), result);
    }
    result
}

fn digit<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    if D::is_symbolic(a[1]) || !is_latin(m, a[0]) {
        return bytecode(m, CHARACTER, "digit", "(II)I", a);
    }
    let radix = D::bits(a[1]) as u32;
    if !(2..=36).contains(&radix) {
        return Ok(Done::Value(number::<D>(u32::MAX)));
    }
    Ok(Done::Value(digit_value(m, a[0], radix)))
}

/// The value of a character of Latin-1 as a digit, -1 if it is none.
pub(super) fn digit_value<D: Values>(m: &mut Machine<D>, c: D::Value, radix: u32) -> D::Value {
    let mut result = number::<D>(u32::MAX);
    for (first, base, most) in [(0x30, 0, 10), (0x41, 10, 26), (0x61, 10, 26)] {
        let count = most.min(radix.saturating_sub(base));
        if count > 0 {
            let above = int!(m, I32Sub, c, number::<D>(first));
            let inside = int!(m, I32LtU, above, number::<D>(count));
            let digit = int!(m, I32Add, above, number::<D>(base));
            result = m.domain.choose(inside, digit, result);
        }
    }
    result
}

/// A byte of an array, as a number from 0 to 255.
pub(super) fn unsigned<D: Values>(m: &mut Machine<D>, array: Ref, at: u32) -> D::Value {
    let byte = m.domain.load(&m.heap, array + HEADER + at, Kind::Byte);
    int!(m, I32And, byte, number::<D>(255))
}

/// Whether so many bytes of two arrays are the same, as 0 or 1.
fn same<D: Values>(m: &mut Machine<D>, a: (Ref, u32), b: (Ref, u32), length: u32) -> D::Value {
    let mut all = number::<D>(1);
    for i in 0..length {
        let x = m.domain.load(&m.heap, a.0 + HEADER + a.1 + i, Kind::Byte);
        let y = m.domain.load(&m.heap, b.0 + HEADER + b.1 + i, Kind::Byte);
        if !D::is_symbolic(x) && !D::is_symbolic(y) {
            if D::bits(x) != D::bits(y) {
                return number::<D>(0);
            }
            continue;
        }
        let equal = int!(m, I32Eq, x, y);
        all = int!(m, I32And, all, equal);
    }
    all
}

impl<D: Values> Machine<D> {
    /// Whether two strings are the same text, as 0 or 1: the term that `String.equals` gives.
    pub(crate) fn same_text(&mut self, a: Ref, b: Ref) -> D::Value {
        let known = *self.known();
        let coder = |m: &Machine<D>, string: Ref| m.heap.bits(string + known.string_coder, Kind::Byte);
        if coder(self, a) != coder(self, b) {
            return number::<D>(0);
        }
        let (x, y) = (self.heap.u32(a + known.string_value), self.heap.u32(b + known.string_value));
        let length = self.heap.length(x);
        if length != self.heap.length(y) {
            return number::<D>(0);
        }
        same(self, (x, 0), (y, 0), length)
    }
}

/// `String.hashCode` as one term. The JDK's method keeps it in the string and asks first whether it did: a decision for each.
fn hash_code<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let known = *m.known();
    let string = D::bits(a[0]) as u32;
    let array = m.heap.u32(string + known.string_value);
    let is_latin = m.heap.bits(string + known.string_coder, Kind::Byte) == 0;
    let length = m.heap.length(array) >> u32::from(!is_latin);
    let mut hash = number::<D>(0);
    for i in 0..length {
        let c = match is_latin {
            true => unsigned(m, array, i),
            false => m.domain.load(&m.heap, array + HEADER + 2 * i, Kind::Char),
        };
        let product = int!(m, I32Mul, number::<D>(31), hash);
        hash = int!(m, I32Add, product, c);
    }
    Ok(Done::Value(hash))
}

fn equals<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (x, y) = (D::bits(a[0]) as u32, D::bits(a[1]) as u32);
    if x == y {
        return Ok(value::<D>(1));
    }
    if x == 0 || y == 0 || m.heap.length(x) != m.heap.length(y) {
        return Ok(value::<D>(0));
    }
    let length = m.heap.length(x);
    Ok(Done::Value(same(m, (x, 0), (y, 0), length)))
}

fn compare<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (x, y) = (D::bits(a[0]) as u32, D::bits(a[1]) as u32);
    if x == 0 || y == 0 {
        return Err(crate::machine::Fault::New("java/lang/NullPointerException", None));
    }
    let (p, q) = (m.heap.length(x), m.heap.length(y));
    // What comes after the first difference that is one for every input does not matter.
    let mut known = p.min(q);
    let mut result = number::<D>(p.wrapping_sub(q));
    for i in 0..p.min(q) {
        let (c, d) = (unsigned(m, x, i), unsigned(m, y, i));
        if !D::is_symbolic(c) && !D::is_symbolic(d) && D::bits(c) != D::bits(d) {
            (known, result) = (i, int!(m, I32Sub, c, d));
            break;
        }
    }
    for i in (0..known).rev() {
        let (c, d) = (unsigned(m, x, i), unsigned(m, y, i));
        if D::is_symbolic(c) || D::is_symbolic(d) {
            let difference = int!(m, I32Sub, c, d);
            let differs = int!(m, I32Ne, c, d);
            result = m.domain.choose(differs, difference, result);
        }
    }
    Ok(Done::Value(result))
}

/// The array and length of a string in Latin-1.
pub(super) fn latin<D: Values>(m: &Machine<D>, string: Ref) -> Option<(Ref, u32)> {
    let known = m.known();
    if string == 0 || m.heap.bits(string + known.string_coder, Kind::Byte) != 0 {
        return None;
    }
    let array = m.heap.u32(string + known.string_value);
    Some((array, m.heap.length(array)))
}

fn starts_with<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (text, prefix) = (latin(m, D::bits(a[0]) as u32), latin(m, D::bits(a[1]) as u32));
    let (Some(text), Some(prefix), false) = (text, prefix, D::is_symbolic(a[2])) else {
        return bytecode(m, "java/lang/String", "startsWith", "(Ljava/lang/String;I)Z", a);
    };
    let at = D::bits(a[2]) as i32;
    if at < 0 || i64::from(at) + i64::from(prefix.1) > i64::from(text.1) {
        return Ok(value::<D>(0));
    }
    Ok(Done::Value(same(m, (text.0, at as u32), (prefix.0, 0), prefix.1)))
}

/// `StringLatin1.regionMatchesCI`: characters are the same if their upper cases are.
fn region_matches<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    const DESCRIPTOR: &str = "([BI[BII)Z";
    let (x, y) = (D::bits(a[0]) as u32, D::bits(a[2]) as u32);
    let starts = [a[1], a[3], a[4]].map(|value| (D::is_symbolic(value), D::bits(value) as u32));
    let [(false, p), (false, q), (false, length)] = starts else {
        return bytecode(m, "java/lang/StringLatin1", "regionMatchesCI", DESCRIPTOR, a);
    };
    let inside = |array: Ref, at: u32| {
        array != 0 && u64::from(at) + u64::from(length) <= u64::from(m.heap.length(array))
    };
    if !inside(x, p) || !inside(y, q) {
        return bytecode(m, "java/lang/StringLatin1", "regionMatchesCI", DESCRIPTOR, a);
    }
    let mut all = number::<D>(1);
    for i in 0..length {
        let (c, d) = (unsigned(m, x, p + i), unsigned(m, y, q + i));
        let (c, d) = (shifted(m, c, HAS_UPPER, -32), shifted(m, d, HAS_UPPER, -32));
        let equal = int!(m, I32Eq, c, d);
        all = int!(m, I32And, all, equal);
    }
    Ok(Done::Value(all))
}

/// Runs a method of the JDK whose decisions are of one piece: bytes that are decoded as text. The first one, whether all is ASCII, stays as
/// it is. What else it decides is which bytes are the beginnings, ends and errors of characters; nearly all of these shapes are of no
/// interest to a program, and each has dozens of decisions.
fn decoded<D: Values>(
    m: &mut Machine<D>,
    class: &str,
    name: &str,
    descriptor: &str,
    a: &[D::Value],
) -> NativeResult<D> {
    let mark = m.domain.decisions() as u32;
    match bytecode(m, class, name, descriptor, a)? {
        Done::Call(method, args, _) => Ok(Done::Call(method, args, Hook::Joined(mark))),
        done => Ok(done),
    }
}

const DECODER: &str = "java/nio/charset/CharsetDecoder";
const DECODE: &str = "(Ljava/nio/ByteBuffer;Ljava/nio/CharBuffer;Z)Ljava/nio/charset/CoderResult;";
const STRING_OF_BYTES: &str = "([BIILjava/nio/charset/Charset;)V";

/// Whether one of so many bytes is negative, that is, no character of ASCII.
fn has_negatives<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    const DESCRIPTOR: &str = "([BII)Z";
    let array = D::bits(a[0]) as u32;
    let (start, length) = (m.plain(a[1]) as u32, m.plain(a[2]) as u32);
    if array == 0 || u64::from(start) + u64::from(length) > u64::from(m.heap.length(array)) {
        return bytecode(m, "java/lang/StringCoding", "hasNegatives", DESCRIPTOR, a);
    }
    let mut all = number::<D>(0);
    for i in start..start + length {
        let byte = m.domain.load(&m.heap, array + HEADER + i, Kind::Byte);
        all = int!(m, I32Or, all, byte);
    }
    Ok(Done::Value(int!(m, I32LtS, all, number::<D>(0))))
}

/// `StringUTF16.compress` of so many characters: one decision, whether all are in Latin-1. The source is an array of characters, or of bytes
/// that are characters in pairs.
fn compress<D: Values>(m: &mut Machine<D>, a: &[D::Value], descriptor: &'static str) -> NativeResult<D> {
    let (from, to) = (D::bits(a[0]) as u32, D::bits(a[2]) as u32);
    let [start, target, length] = [a[1], a[3], a[4]].map(|value| m.plain(value) as u32);
    let pairs = descriptor.starts_with("([B");
    let inside = |array: Ref, at: u32, size: u32| {
        array != 0 && u64::from(size) * (u64::from(at) + u64::from(length)) <= u64::from(m.heap.length(array))
    };
    if !inside(from, start, 1 + u32::from(pairs)) || !inside(to, target, 1) {
        return bytecode(m, "java/lang/StringUTF16", "compress", descriptor, a);
    }
    let mut any = number::<D>(0);
    for i in 0..length {
        let c = m.domain.load(&m.heap, from + HEADER + 2 * (start + i), Kind::Char);
        if !m.domain.is_byte(c) {
            any = int!(m, I32Or, any, c);
        }
    }
    if !m.domain.guard::<ops::I32LtU>(NOWHERE(), any, number::<D>(256)) {
        return Ok(value::<D>(0));
    }
    for i in 0..length {
        let c = m.domain.load(&m.heap, from + HEADER + 2 * (start + i), Kind::Char);
        m.domain.store(&mut m.heap, to + HEADER + target + i, Kind::Byte, c);
    }
    Ok(value::<D>(length))
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/StringLatin1.equals([B[B)Z", |m, a| equals(m, a)),
        ("java/lang/StringUTF16.equals([B[B)Z", |m, a| equals(m, a)),
        ("java/util/Arrays.equals([B[B)Z", |m, a| equals(m, a)),
        ("java/lang/String.hashCode()I", |m, a| hash_code(m, a)),
        ("java/lang/StringLatin1.compareTo([B[B)I", |m, a| compare(m, a)),
        ("java/lang/String.startsWith(Ljava/lang/String;I)Z", |m, a| starts_with(m, a)),
        ("java/lang/StringLatin1.regionMatchesCI([BI[BII)Z", |m, a| region_matches(m, a)),
        (
            "java/nio/charset/CharsetDecoder.decode(Ljava/nio/ByteBuffer;Ljava/nio/CharBuffer;Z)Ljava/nio/charset/CoderResult;",
            |m, a| decoded(m, DECODER, "decode", DECODE, a),
        ),
        ("java/lang/String.<init>([BIILjava/nio/charset/Charset;)V", |m, a| {
            decoded(m, "java/lang/String", "<init>", STRING_OF_BYTES, a)
        }),
        ("java/lang/StringLatin1.canEncode(I)Z", |m, a| {
            if m.domain.is_byte(a[0]) {
                return Ok(value::<D>(1));
            }
            Ok(Done::Value(int!(m, I32LtU, a[0], number::<D>(256))))
        }),
        ("java/lang/StringCoding.hasNegatives([BII)Z", |m, a| has_negatives(m, a)),
        ("java/lang/StringUTF16.compress([CI[BII)I", |m, a| compress(m, a, "([CI[BII)I")),
        ("java/lang/StringUTF16.compress([BI[BII)I", |m, a| compress(m, a, "([BI[BII)I")),
        ("java/lang/Character.isDigit(I)Z", |m, a| class_of(m, a, "isDigit", DIGITS)),
        ("java/lang/Character.isLetter(I)Z", |m, a| class_of(m, a, "isLetter", LETTERS)),
        ("java/lang/Character.isLetterOrDigit(I)Z", |m, a| {
            class_of(m, a, "isLetterOrDigit", LETTERS_AND_DIGITS)
        }),
        ("java/lang/Character.isAlphabetic(I)Z", |m, a| class_of(m, a, "isAlphabetic", LETTERS)),
        ("java/lang/Character.isUpperCase(I)Z", |m, a| class_of(m, a, "isUpperCase", UPPER)),
        ("java/lang/Character.isLowerCase(I)Z", |m, a| class_of(m, a, "isLowerCase", LOWER)),
        ("java/lang/Character.isWhitespace(I)Z", |m, a| class_of(m, a, "isWhitespace", WHITE)),
        ("java/lang/Character.isSpaceChar(I)Z", |m, a| class_of(m, a, "isSpaceChar", SPACE)),
        ("java/lang/Character.toLowerCase(I)I", |m, a| {
            if !is_latin(m, a[0]) {
                return bytecode(m, CHARACTER, "toLowerCase", "(I)I", a);
            }
            Ok(Done::Value(shifted(m, a[0], HAS_LOWER, 32)))
        }),
        ("java/lang/Character.toUpperCase(I)I", |m, a| {
            if !is_latin(m, a[0]) {
                return bytecode(m, CHARACTER, "toUpperCase", "(I)I", a);
            }
            Ok(Done::Value(upper(m, a[0])))
        }),
        ("java/lang/Character.digit(II)I", |m, a| digit(m, a)),
        ("java/lang/Integer.valueOf(I)Ljava/lang/Integer;", |m, a| {
            m.value_of(Kind::Int, a[0]).map(value::<D>)
        }),
        ("java/lang/Long.valueOf(J)Ljava/lang/Long;", |m, a| m.value_of(Kind::Long, a[0]).map(value::<D>)),
        ("java/lang/Short.valueOf(S)Ljava/lang/Short;", |m, a| m.value_of(Kind::Short, a[0]).map(value::<D>)),
        ("java/lang/Byte.valueOf(B)Ljava/lang/Byte;", |m, a| m.value_of(Kind::Byte, a[0]).map(value::<D>)),
        ("java/lang/Character.valueOf(C)Ljava/lang/Character;", |m, a| {
            m.value_of(Kind::Char, a[0]).map(value::<D>)
        }),
    ]
}
