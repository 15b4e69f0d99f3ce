//! Literals: numerals, decimals, bit-vectors, strings, and the indexed ones such as `(_ bv5 8)` and `(_ NaN 8 24)`.

use super::sorts::field_order;
use super::{Dialect, Reader, Result, expected, literal_error};
use crate::bitvec::BitVec;
use crate::error::{Error, ErrorKind};
use crate::eval::field;
use crate::float::{Float, Format};
use crate::lexer::{Lexer, Token};
use crate::sort::Sort;
use crate::sortcheck::MAX_WIDTH;
use crate::string::{Escapes, MAX_CHAR, SmtString, parse_literal};
use crate::term::{TermId, Terms};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Numbers with more digits than this are refused: reading them would take longer than anyone waits.
pub(crate) const MAX_DIGITS: usize = 1_000_000;

impl Reader {
    /// The constant that a literal token denotes.
    #[inline]
    pub(super) fn literal(
        &mut self,
        terms: &mut Terms,
        lexer: &Lexer<'_>,
        token: Token<'_>,
    ) -> Result<TermId> {
        let value = match token {
            Token::Numeral(digits) => {
                let number = IBig::from(natural(lexer, digits)?);
                if self.numerals_are_real { Value::Real(RBig::from(number)) } else { Value::Int(number) }
            }
            Token::Decimal(text) => Value::Real(decimal(lexer, text)?),
            Token::Hex(digits) => Value::BitVec(radix(lexer, digits, 16, 4)?),
            Token::Binary(digits) => Value::BitVec(radix(lexer, digits, 2, 1)?),
            Token::Field(text) => field_element(terms, lexer, text)?,
            Token::String(raw) => Value::String(self.string_literal(lexer, raw)?),
            token => return Err(expected(lexer, "a term", token)),
        };
        Ok(terms.constant(value))
    }

    fn string_literal(&mut self, lexer: &Lexer<'_>, raw: &str) -> Result<SmtString> {
        let escapes = match self.dialect {
            Dialect::V26 | Dialect::V26Raw | Dialect::V26FiniteSets => Escapes::Unicode,
            Dialect::V25 => Escapes::C,
            Dialect::V26Both => Escapes::Both,
        };
        if self.in_model && self.dialect == Dialect::V26Raw && raw.contains("\\u") {
            return Err(literal_error(lexer, "this solver prints two strings like that".into()));
        }
        parse_literal(raw.as_bytes(), escapes).map_err(|e| literal_error(lexer, e.to_string()))
    }

    /// `(_ name indices...)` where it denotes a constant, the name being read already.
    pub(super) fn indexed_literal(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        name: &str,
    ) -> Result<Option<TermId>> {
        if let Some(digits) = name.strip_prefix("bv")
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            let value = natural(lexer, digits)?;
            let width = self.numeral(lexer, "a width")?;
            if width == 0 || width > MAX_WIDTH {
                return Err(literal_error(lexer, format!("a bit-vector has 1 to {MAX_WIDTH} bits")));
            }
            if dashu_base::BitTest::bit_len(&value) > width as usize {
                return Err(literal_error(lexer, format!("this value does not fit into {width} bits")));
            }
            return Ok(Some(terms.constant(Value::BitVec(BitVec::new(width, value)))));
        }
        let special: fn(Format) -> Float = match name {
            "+oo" => |f| Float::infinity(f, false),
            "-oo" => |f| Float::infinity(f, true),
            "+zero" => |f| Float::zero(f, false),
            "-zero" => |f| Float::zero(f, true),
            "NaN" => Float::nan,
            "char" | "Char" => return self.char_literal(terms, lexer).map(Some),
            _ => return Ok(None),
        };
        let format = Format {
            eb: self.numeral(lexer, "a number of exponent bits")?,
            sb: self.numeral(lexer, "a number of significand bits")?,
        };
        if !format.is_supported() {
            return Err(literal_error(lexer, "this float format is not supported".into()));
        }
        Ok(Some(terms.constant(Value::Float(special(format)))))
    }

    fn char_literal(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<TermId> {
        match lexer.next()? {
            Token::Hex(digits) => match u32::from_str_radix(digits, 16) {
                Ok(code) if code <= MAX_CHAR => {
                    Ok(terms.constant(Value::String(SmtString::from_code(&IBig::from(code)))))
                }
                _ => Err(literal_error(lexer, "a character is at most #x2FFFF".into())),
            },
            token => Err(expected(lexer, "a character such as #x41", token)),
        }
    }
}

/// `#f3m7`: the element 3 of the field of order 7.
#[cold]
fn field_element(terms: &mut Terms, lexer: &Lexer<'_>, text: &str) -> Result<Value> {
    let (value, order) = text.split_once('m').expect("the lexer saw both parts");
    let order = field_order(lexer, order)?;
    too_long(lexer, value)?;
    let value = IBig::from_str_radix(value, 10).map_err(|_| literal_error(lexer, "not a number".into()))?;
    let sort = terms.make_sort(Sort::FiniteField(order.clone()));
    Ok(field::element(sort, &order, &value))
}

fn too_long(lexer: &Lexer<'_>, digits: &str) -> Result<()> {
    if digits.len() > MAX_DIGITS {
        return Err(literal_error(
            lexer,
            format!("this number has {} digits, more than {MAX_DIGITS}", digits.len()),
        ));
    }
    Ok(())
}

#[inline]
fn natural(lexer: &Lexer<'_>, digits: &str) -> Result<UBig> {
    if let Ok(small) = digits.parse::<u64>() {
        return Ok(UBig::from(small));
    }
    too_long(lexer, digits)?;
    UBig::from_str_radix(digits, 10).map_err(|_| literal_error(lexer, "not a number".into()))
}

fn decimal(lexer: &Lexer<'_>, text: &str) -> Result<RBig> {
    let (whole, fraction) =
        text.split_once('.').ok_or_else(|| literal_error(lexer, "not a decimal".into()))?;
    let fraction = fraction.trim_end_matches('0');
    let digits = natural(lexer, &format!("{whole}{fraction}"))?;
    Ok(RBig::from_parts(IBig::from(digits), UBig::from(10u8).pow(fraction.len())))
}

fn radix(lexer: &Lexer<'_>, digits: &str, radix: u32, bits: usize) -> Result<BitVec> {
    let width = u32::try_from(digits.len() * bits).ok().filter(|&w| w <= MAX_WIDTH);
    let Some(width) = width else {
        return Err(literal_error(lexer, format!("a bit-vector has at most {MAX_WIDTH} bits")));
    };
    let value = match u64::from_str_radix(digits, radix) {
        Ok(small) => UBig::from(small),
        Err(_) => UBig::from_str_radix(digits, radix)
            .map_err(|_| Error { kind: ErrorKind::Literal("not a bit-vector".into()), span: lexer.span() })?,
    };
    Ok(BitVec::new(width, value))
}
