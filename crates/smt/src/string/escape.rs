//! String literals: what stands between the quotes of a script, and back.
//!
//! Two dialects differ in their escape sequences. SMT-LIB 2.6 and 2.7 know `\ud₃d₂d₁d₀` and `\u{d…}`, and every other
//! backslash is a character. The scripts that Z3 and CVC4 read before that standard use C's sequences, with `\xHH` and
//! octal digits for everything else, and have only the characters below 256. In both, `""` stands for one quote and a
//! raw Unicode scalar in UTF-8 for itself.

use std::fmt::Write;

use super::build::Builder;
use super::{MAX_CHAR, SmtString};

/// Which escape sequences a literal uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// SMT-LIB 2.6 and later: `\u0041`, `\u{41}`.
    Unicode,
    /// The SMT-LIB 2.5 era: `\x41`, `\101`, `\n`, `\\`.
    C,
    /// Both: `\u` where it opens an escape sequence of 2.6, C's sequences otherwise. Printed as [`Escapes::Unicode`].
    Both,
}

/// Why a literal has no value, or a value no literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EscapeError {
    /// The literal's bytes are not UTF-8 from this offset on.
    #[error("invalid UTF-8 in a string literal")]
    InvalidUtf8 {
        /// The offset of the first bad byte.
        offset: usize,
    },
    /// A raw scalar above [`MAX_CHAR`].
    #[error("U+{scalar:X} is above U+2FFFF, the last character of the theory of strings")]
    ScalarTooLarge {
        /// The code point that the escape stands for.
        scalar: u32,
        /// The offset of its first byte.
        offset: usize,
    },
    /// A quote that is not doubled.
    #[error("a single quote inside a string literal")]
    LoneQuote {
        /// The offset of the quote.
        offset: usize,
    },
    /// A character above 0xFF in the dialect that has none.
    #[error("the character 0x{0:X} has no escape sequence before SMT-LIB 2.6")]
    NotRepresentable(u32),
}

/// The value of a literal, given the bytes between its outer quotes, in which each quote is still doubled.
pub fn parse_literal(raw: &[u8], escapes: Escapes) -> Result<SmtString, EscapeError> {
    if raw.is_ascii() && memchr::memchr2(b'\\', b'"', raw).is_none() {
        return Ok(SmtString::from_latin1(raw));
    }
    let text = std::str::from_utf8(raw).map_err(|e| EscapeError::InvalidUtf8 { offset: e.valid_up_to() })?;
    let parse_escape: fn(&[u8]) -> Option<(u32, usize)> = match escapes {
        Escapes::Unicode => parse_unicode_escape,
        Escapes::C => parse_c_escape,
        Escapes::Both => |rest: &[u8]| parse_unicode_escape(rest).or_else(|| parse_c_escape(rest)),
    };
    let mut builder = Builder::with_capacity(raw.len());
    let mut offset = 0;
    while offset < raw.len() {
        let rest = &raw[offset..];
        let plain = memchr::memchr2(b'\\', b'"', rest).unwrap_or(rest.len());
        push_scalars(&mut builder, &text[offset..offset + plain], offset)?;
        let rest = &rest[plain..];
        offset += plain;
        let (c, width) = match rest.first() {
            None => break,
            Some(b'"') if rest.get(1) == Some(&b'"') => (u32::from('"'), 2),
            Some(b'"') => return Err(EscapeError::LoneQuote { offset }),
            Some(_) => parse_escape(rest).unwrap_or((u32::from('\\'), 1)),
        };
        builder.push(c);
        offset += width;
    }
    Ok(builder.finish())
}

/// Appends text that stands for itself; `offset` is its place in the literal.
fn push_scalars(builder: &mut Builder, text: &str, offset: usize) -> Result<(), EscapeError> {
    if text.is_ascii() {
        builder.push_latin1(text.as_bytes());
        return Ok(());
    }
    for (at, scalar) in text.char_indices() {
        let c = u32::from(scalar);
        if c > MAX_CHAR {
            return Err(EscapeError::ScalarTooLarge { scalar: c, offset: offset + at });
        }
        builder.push(c);
    }
    Ok(())
}

/// The literal of a value, with its quotes, in printable ASCII.
pub fn print_literal(value: &SmtString, escapes: Escapes) -> Result<String, EscapeError> {
    match escapes {
        Escapes::Unicode | Escapes::Both => Ok(print_unicode(value)),
        Escapes::C => print_c(value),
    }
}

/// The character and the width of the escape sequence that `rest`, which starts with a backslash, opens.
fn parse_unicode_escape(rest: &[u8]) -> Option<(u32, usize)> {
    let rest = rest.strip_prefix(b"\\u")?;
    let (digits, width) = match rest.strip_prefix(b"{") {
        Some(braced) => {
            let len = braced.iter().take(6).position(|&b| b == b'}')?;
            (&braced[..len], len + 4)
        }
        None => (rest.get(..4)?, 6),
    };
    let value = parse_digits(digits, 16)?;
    (value <= MAX_CHAR).then_some((value, width))
}

/// The single letters that stand for control characters in C.
const C_LETTERS: [(u8, u8); 8] = [
    (b'a', 0x07),
    (b'b', 0x08),
    (b'e', 0x1B),
    (b'f', 0x0C),
    (b'n', 0x0A),
    (b'r', 0x0D),
    (b't', 0x09),
    (b'v', 0x0B),
];

/// As [`parse_unicode_escape`], for C's sequences. A backslash before any other ASCII character stands for that
/// character, as in the solvers of that time; `\\` is an instance.
fn parse_c_escape(rest: &[u8]) -> Option<(u32, usize)> {
    let &letter = rest.get(1)?;
    if let Some(&(_, c)) = C_LETTERS.iter().find(|&&(name, _)| name == letter) {
        return Some((u32::from(c), 2));
    }
    let octal = rest[1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
    if octal > 0 {
        let value = parse_digits(&rest[1..1 + octal], 8)?;
        return (value <= 0xFF).then_some((value, 1 + octal));
    }
    match letter {
        b'x' if rest.get(2..4).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => {
            Some((parse_digits(&rest[2..4], 16)?, 4))
        }
        b'"' => None,
        _ => letter.is_ascii().then_some((u32::from(letter), 2)),
    }
}

/// The number that a few digits denote, `None` if there are none or one is no digit.
fn parse_digits(digits: &[u8], radix: u32) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0, |value, &b| Some(value * radix + char::from(b).to_digit(radix)?))
}

/// The characters that print as themselves.
fn is_printable(c: u32) -> bool {
    (0x20..=0x7E).contains(&c)
}

/// The literal in [`Escapes::Unicode`]. A backslash is always written as an escape, though the standard asks for that only
/// where it would open one: Z3 4.8.9 and 4.8.10 know the names of SMT-LIB 2.6 and still read C's escape sequences.
pub(super) fn print_unicode(value: &SmtString) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for c in value {
        match char::from_u32(c) {
            Some('"') => out.push_str("\"\""),
            Some('\\') => out.push_str("\\u{5c}"),
            Some(printable) if is_printable(c) => out.push(printable),
            _ => write!(out, "\\u{{{c:x}}}").expect("writing to a String cannot fail"),
        }
    }
    out.push('"');
    out
}

/// The literal in [`Escapes::C`].
fn print_c(value: &SmtString) -> Result<String, EscapeError> {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for c in value {
        match u8::try_from(c) {
            Err(_) => return Err(EscapeError::NotRepresentable(c)),
            Ok(b'"') => out.push_str("\"\""),
            Ok(b'\\') => out.push_str("\\\\"),
            Ok(byte) if is_printable(c) => out.push(char::from(byte)),
            Ok(byte) => write!(out, "\\x{byte:02x}").expect("writing to a String cannot fail"),
        }
    }
    out.push('"');
    Ok(out)
}
