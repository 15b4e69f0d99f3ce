//! UnicodeStrings on values.

use super::{Call, EvalResult};
use crate::regex::RegexId;
use crate::string::SmtString;
use crate::value::Value;
use dashu_int::IBig;

fn text<'a>(call: &Call<'a>, i: usize) -> &'a SmtString {
    match &call.args[i] {
        Value::String(s) => s,
        _ => unreachable!("the argument is a string"),
    }
}

fn int<'a>(call: &Call<'a>, i: usize) -> &'a IBig {
    call.args[i].as_int().expect("the argument is an integer")
}

fn regex(call: &Call<'_>, i: usize) -> RegexId {
    match &call.args[i] {
        Value::Regex(id) => *id,
        _ => unreachable!("the argument is a regular language"),
    }
}

fn regexes(call: &Call<'_>) -> Vec<RegexId> {
    (0..call.args.len()).map(|i| regex(call, i)).collect()
}

macro_rules! operations {
    ($($name:ident: $kind:ident => $body:expr;)*) => {$(
        pub(crate) fn $name(call: &mut Call<'_>) -> EvalResult {
            let body: fn(&mut Call<'_>) -> _ = $body;
            Ok(Value::$kind(body(call)))
        }
    )*};
}

operations! {
    len: Int => |c| IBig::from(text(c, 0).len());
    at: String => |c| text(c, 0).at(int(c, 1));
    substr: String => |c| text(c, 0).substr(int(c, 1), int(c, 2));
    prefix_of: Bool => |c| text(c, 0).prefix_of(text(c, 1));
    suffix_of: Bool => |c| text(c, 0).suffix_of(text(c, 1));
    contains: Bool => |c| text(c, 0).contains(text(c, 1));
    index_of: Int => |c| text(c, 0).index_of(text(c, 1), int(c, 2));
    is_digit: Bool => |c| text(c, 0).is_digit();
    to_code: Int => |c| text(c, 0).to_code();
    from_code: String => |c| SmtString::from_code(int(c, 0));
    to_int: Int => |c| text(c, 0).to_int();
    from_int: String => |c| SmtString::from_int(int(c, 0));
    lt: Bool => |c| (1..c.args.len()).all(|i| text(c, i - 1) < text(c, i));
    le: Bool => |c| (1..c.args.len()).all(|i| text(c, i - 1) <= text(c, i));
    to_re: Regex => |c| { let s = text(c, 0); c.regexes.literal(s) };
    re_none: Regex => |c| c.regexes.none();
    re_all: Regex => |c| c.regexes.all();
    re_allchar: Regex => |c| c.regexes.all_char();
    re_concat: Regex => |c| { let r = regexes(c); c.regexes.concat(&r) };
    re_union: Regex => |c| { let r = regexes(c); c.regexes.union(&r) };
    re_inter: Regex => |c| { let r = regexes(c); c.regexes.inter(&r) };
    re_star: Regex => |c| { let r = regex(c, 0); c.regexes.star(r) };
    re_comp: Regex => |c| { let r = regex(c, 0); c.regexes.comp(r) };
    re_diff: Regex => |c| (1..c.args.len()).fold(regex(c, 0), |r, i| { let s = regex(c, i); c.regexes.diff(r, s) });
    re_plus: Regex => |c| { let r = regex(c, 0); c.regexes.plus(r) };
    re_opt: Regex => |c| { let r = regex(c, 0); c.regexes.opt(r) };
    re_range: Regex => |c| { let (a, b) = (text(c, 0), text(c, 1)); c.regexes.range(a, b) };
    re_power: Regex => |c| { let r = regex(c, 0); c.regexes.power(r, c.indices[0].into()) };
    re_loop: Regex => |c| { let r = regex(c, 0); c.regexes.repeat(r, c.indices[0].into(), c.indices[1].into()) };
    reverse: String => |c| { let mut s: Vec<u32> = text(c, 0).iter().collect(); s.reverse(); string(s) };
    to_lower: String => |c| string(text(c, 0).iter().map(|x| if (0x41..=0x5a).contains(&x) { x + 32 } else { x }));
    to_upper: String => |c| string(text(c, 0).iter().map(|x| if (0x61..=0x7a).contains(&x) { x - 32 } else { x }));
}

fn string(code_points: impl IntoIterator<Item = u32>) -> SmtString {
    SmtString::from_code_points(code_points).expect("made of a string's own characters")
}

pub(crate) fn concat(call: &mut Call<'_>) -> EvalResult {
    let parts: Vec<&SmtString> = (0..call.args.len()).map(|i| text(call, i)).collect();
    Ok(Value::String(SmtString::concat(&parts)?))
}

pub(crate) fn replace(call: &mut Call<'_>) -> EvalResult {
    Ok(Value::String(text(call, 0).replace(text(call, 1), text(call, 2))?))
}

pub(crate) fn replace_all(call: &mut Call<'_>) -> EvalResult {
    Ok(Value::String(text(call, 0).replace_all(text(call, 1), text(call, 2))?))
}

pub(crate) fn replace_re(call: &mut Call<'_>) -> EvalResult {
    let (s, r, by) = (text(call, 0), regex(call, 1), text(call, 2));
    Ok(Value::String(s.replace_re(call.regexes, r, by)?))
}

pub(crate) fn replace_re_all(call: &mut Call<'_>) -> EvalResult {
    let (s, r, by) = (text(call, 0), regex(call, 1), text(call, 2));
    Ok(Value::String(s.replace_re_all(call.regexes, r, by)?))
}

pub(crate) fn in_re(call: &mut Call<'_>) -> EvalResult {
    let (s, r) = (text(call, 0), regex(call, 1));
    Ok(Value::Bool(call.regexes.matches(r, s)?))
}
