//! Values as SMT-LIB text.

use super::{put, write_sort, write_sort_in, write_symbol};
use crate::bitvec::BitVec;
use crate::float::Float;
use crate::read::Dialect;
use crate::sort::{Collection, Sort};
use crate::string::{Escapes, print_literal};
use crate::term::Terms;
use crate::value::{CollectionValue, FunctionValue, Value};
use dashu_base::{Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A value as text.
pub fn value_to_string(terms: &Terms, value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, terms, value, Dialect::V26);
    out
}

/// Writes a value as a term that denotes it. Recursion is bounded: values nest no deeper than their sorts allow, and
/// the evaluator limits datatypes.
pub fn write_value(out: &mut String, terms: &Terms, value: &Value, dialect: Dialect) {
    match value {
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(i) => write_int(out, i),
        Value::Real(r) => write_real(out, r),
        Value::BitVec(bv) => write_bits(out, bv),
        Value::Float(f) => write_float(out, f),
        Value::Rm(mode) => out.push_str(mode.short_name()),
        Value::String(s) => {
            let text = match dialect {
                Dialect::V26 | Dialect::V26Both | Dialect::V26Raw | Dialect::V26FiniteSets => {
                    print_literal(s, Escapes::Unicode)
                }
                // What the older dialect cannot write is written in the newer one: the reader will tell.
                Dialect::V25 => print_literal(s, Escapes::C).or_else(|_| print_literal(s, Escapes::Unicode)),
            };
            out.push_str(&text.expect("every string has a 2.6 literal"));
        }
        Value::Regex(_) => out.push_str("<regular language>"),
        Value::Array(array) => {
            for _ in &array.entries {
                out.push_str("(store ");
            }
            match &array.default {
                Some(default) => {
                    out.push_str("((as const ");
                    write_sort_in(out, terms, array.sort, dialect);
                    out.push_str(") ");
                    write_value(out, terms, default, dialect);
                    out.push(')');
                }
                None => out.push_str("<unlisted elements open>"),
            }
            for (index, element) in &array.entries {
                out.push(' ');
                write_value(out, terms, index, dialect);
                out.push(' ');
                write_value(out, terms, element, dialect);
                out.push(')');
            }
        }
        Value::Datatype(data) => {
            let name = terms.name(terms.ctor(data.ctor).name);
            let parametric = !terms.datatype(terms.ctor(data.ctor).datatype).params.is_empty();
            if !data.fields.is_empty() {
                out.push('(');
            }
            if parametric {
                out.push_str("(as ");
            }
            write_symbol(out, name);
            if parametric {
                out.push(' ');
                write_sort_in(out, terms, data.sort, dialect);
                out.push(')');
            }
            for field in &data.fields {
                out.push(' ');
                write_value(out, terms, field, dialect);
            }
            if !data.fields.is_empty() {
                out.push(')');
            }
        }
        Value::Collection(collection) => write_collection(out, terms, collection, dialect),
        Value::Field(element) => {
            put(out, format_args!("(as ff{} ", element.value));
            write_sort(out, terms, element.sort);
            out.push(')');
        }
        Value::Element(sort, name) => {
            out.push_str("(as ");
            write_symbol(out, terms.name(*name));
            out.push(' ');
            write_sort(out, terms, *sort);
            out.push(')');
        }
        Value::Function(function) => match &**function {
            FunctionValue::Lambda(term, _) => {
                super::write_term(out, terms, *term, super::Style { dialect, share: true })
            }
            FunctionValue::Symbol(fun, _) => write_symbol(out, terms.fun_name(*fun)),
        },
        Value::Opaque(_, text) => out.push_str(text),
    }
}

/// A collection as a term: its elements one by one, joined two at a time where the operator takes two.
fn write_collection(out: &mut String, terms: &Terms, collection: &CollectionValue, dialect: Dialect) {
    let Sort::Collection(kind, _) = *terms.sort_of(collection.sort) else {
        unreachable!("the sort of a collection")
    };
    let (unit, join) = match kind {
        Collection::Seq => ("(seq.unit ", "(seq.++ "),
        Collection::Set => ("(set.singleton ", "(set.union "),
        Collection::Bag => ("(bag ", "(bag.union_disjoint "),
    };
    let groups: Vec<&[Value]> = match kind {
        Collection::Bag => collection.items.chunk_by(|a, b| a == b).collect(),
        _ => collection.items.chunks(1).collect(),
    };
    if groups.is_empty() {
        put(out, format_args!("(as {} ", kind.empty()));
        write_sort_in(out, terms, collection.sort, dialect);
        out.push(')');
    }
    for (i, group) in groups.iter().enumerate() {
        if i + 1 < groups.len() {
            out.push_str(join);
        }
        out.push_str(unit);
        write_value(out, terms, &group[0], dialect);
        if kind == Collection::Bag {
            put(out, format_args!(" {}", group.len()));
        }
        out.push(')');
        out.push_str(if i + 1 < groups.len() { " " } else { "" });
    }
    out.extend(std::iter::repeat_n(')', groups.len().saturating_sub(1)));
}

fn write_int(out: &mut String, value: &IBig) {
    if value.is_negative() {
        put(out, format_args!("(- {})", value.unsigned_abs()));
    } else {
        put(out, format_args!("{value}"));
    }
}

/// Decimals with more places than this are written as fractions.
const MAX_PLACES: usize = 20;

fn write_real(out: &mut String, value: &RBig) {
    let negative = value.is_negative();
    if let Some(decimal) = as_decimal(value) {
        if negative {
            put(out, format_args!("(- {decimal})"));
        } else {
            out.push_str(&decimal);
        }
        return;
    }
    let numerator = value.numerator().unsigned_abs();
    if negative {
        put(out, format_args!("(/ (- {numerator}.0) {}.0)", value.denominator()));
    } else {
        put(out, format_args!("(/ {numerator}.0 {}.0)", value.denominator()));
    }
}

/// The magnitude as a decimal, if it has few places.
fn as_decimal(value: &RBig) -> Option<String> {
    let magnitude = value.numerator().unsigned_abs();
    if value.is_int() {
        return Some(format!("{magnitude}.0"));
    }
    // The denominator must divide a power of ten.
    let mut power = UBig::ONE;
    for places in 1..=MAX_PLACES {
        power *= UBig::from(10u8);
        if &power % value.denominator() == UBig::ZERO {
            let digits = (magnitude * (power / value.denominator())).to_string();
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            return Some(format!("{whole}.{fraction}"));
        }
    }
    None
}

fn write_bits(out: &mut String, value: &BitVec) {
    let width = value.width() as usize;
    if width.is_multiple_of(4) {
        write_padded(out, "#x", &value.to_ubig().in_radix(16).to_string(), width / 4);
    } else {
        write_padded(out, "#b", &value.to_ubig().in_radix(2).to_string(), width);
    }
}

/// Digits with zeros in front. A width of the formatter is at most 65,535, and literals are longer.
fn write_padded(out: &mut String, prefix: &str, digits: &str, width: usize) {
    out.push_str(prefix);
    out.extend(std::iter::repeat_n('0', width.saturating_sub(digits.len())));
    out.push_str(digits);
}

fn write_float(out: &mut String, value: &Float) {
    let format = value.format();
    let special = if value.is_nan() {
        "NaN"
    } else if value.is_infinite() {
        if value.is_negative() { "-oo" } else { "+oo" }
    } else if value.is_zero() {
        if value.is_negative() { "-zero" } else { "+zero" }
    } else {
        let (sign, exponent, significand) = value.parts();
        put(out, format_args!("(fp #b{} ", u8::from(sign)));
        write_bits(out, &BitVec::new(format.eb, exponent));
        out.push(' ');
        write_bits(out, &BitVec::new(format.sb - 1, significand));
        out.push(')');
        return;
    };
    put(out, format_args!("(_ {special} {} {})", format.eb, format.sb));
}
