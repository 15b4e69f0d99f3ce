//! Table 1 of Bugariu and Müller 2020: the operations under test, each as a term over its arguments. After the paper's twelve come the
//! rest of the theory, which the paper leaves out; regular expressions are constants, since no solver has variables of them.

use super::{BOOL, INT, STRING, Variable};
use smt::SortId;

/// An operation with its arguments. The formula of step 1 is `term = res`.
#[derive(Debug)]
pub struct Operation {
    /// The paper's name, or the theory's for what the paper leaves out.
    pub name: &'static str,
    /// The application to variables.
    pub term: &'static str,
    /// The variables, in the order of the arguments.
    pub args: &'static [Variable],
    /// The sort of the result.
    pub result: SortId,
}

/// How many rows are the paper's; they come first.
pub(crate) const PAPER_OPERATIONS: usize = 12;

const S: Variable = ("s", STRING);
const T: Variable = ("t", STRING);
const U: Variable = ("u", STRING);
const N: Variable = ("n", INT);
const OFF: Variable = ("off", INT);
const LEN: Variable = ("len", INT);

const fn row(name: &'static str, term: &'static str, args: &'static [Variable], result: SortId) -> Operation {
    Operation { name, term, args, result }
}

/// Table 1 of Bugariu and Müller 2020, then rows of our own.
pub(crate) static OPERATIONS: &[Operation] = &[
    // Return a string.
    row("at", "(str.at s off)", &[S, OFF], STRING),
    row("concat", "(str.++ s t)", &[S, T], STRING),
    row("intToStr", "(str.from_int n)", &[N], STRING),
    row("replace", "(str.replace s t u)", &[S, T, U], STRING),
    row("substr", "(str.substr s off len)", &[S, OFF, LEN], STRING),
    // Return an integer.
    row("indexOf", "(str.indexof s t off)", &[S, T, OFF], INT),
    row("length", "(str.len s)", &[S], INT),
    row("strToInt", "(str.to_int s)", &[S], INT),
    // Return a Boolean.
    row("contains", "(str.contains s t)", &[S, T], BOOL),
    row("equals", "(= s t)", &[S, T], BOOL),
    row("prefixOf", "(str.prefixof s t)", &[S, T], BOOL),
    row("suffixOf", "(str.suffixof s t)", &[S, T], BOOL),
    // Beyond the paper: the other functions of the theory.
    row("replace_all", "(str.replace_all s t u)", &[S, T, U], STRING),
    row("from_code", "(str.from_code n)", &[N], STRING),
    row("to_code", "(str.to_code s)", &[S], INT),
    row("lt", "(str.< s t)", &[S, T], BOOL),
    row("le", "(str.<= s t)", &[S, T], BOOL),
    row("is_digit", "(str.is_digit s)", &[S], BOOL),
    // Beyond the paper: regular expressions, one operator a row.
    row("replace_re", "(str.replace_re s (re.+ (re.range \"a\" \"b\")) t)", &[S, T], STRING),
    row("replace_re-empty", "(str.replace_re s (re.* (str.to_re \"a\")) t)", &[S, T], STRING),
    row(
        "replace_re_all",
        "(str.replace_re_all s (re.union (str.to_re \"a\") (str.to_re \"0\")) t)",
        &[S, T],
        STRING,
    ),
    row("in_re-none", "(str.in_re s re.none)", &[S], BOOL),
    row("in_re-all", "(str.in_re s re.all)", &[S], BOOL),
    row("in_re-allchar", "(str.in_re s re.allchar)", &[S], BOOL),
    row("in_re-to_re", "(str.in_re s (str.to_re \"aa\"))", &[S], BOOL),
    row("in_re-concat", "(str.in_re s (re.++ (str.to_re \"a\") re.allchar))", &[S], BOOL),
    row("in_re-union", "(str.in_re s (re.union (str.to_re \"\") (str.to_re \"a\")))", &[S], BOOL),
    row("in_re-inter", "(str.in_re s (re.inter re.allchar (re.range \"0\" \"9\")))", &[S], BOOL),
    row("in_re-star", "(str.in_re s (re.* (str.to_re \"a\")))", &[S], BOOL),
    row("in_re-comp", "(str.in_re s (re.comp (str.to_re \"a\")))", &[S], BOOL),
    row("in_re-diff", "(str.in_re s (re.diff re.all re.allchar))", &[S], BOOL),
    row("in_re-plus", "(str.in_re s (re.+ (re.range \"a\" \"z\")))", &[S], BOOL),
    row("in_re-opt", "(str.in_re s (re.opt (str.to_re \"0\")))", &[S], BOOL),
    row("in_re-range", "(str.in_re s (re.range \"0\" \"a\"))", &[S], BOOL),
    row("in_re-power", "(str.in_re s ((_ re.^ 2) (str.to_re \"a\")))", &[S], BOOL),
    row("in_re-loop", "(str.in_re s ((_ re.loop 1 2) re.allchar))", &[S], BOOL),
];
