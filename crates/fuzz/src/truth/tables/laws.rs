//! Table 3 of Bugariu and Müller 2020: equalities of the theory, by which a variable (NC) or a constant (C) is written as a term. Where an
//! equality has a side condition, each of its conjuncts is a row entry of its own.
//!
//! The paper prints C22 for the digit 1 and C31 for the digit 9, one label more than there are digits between them; C30 is
//! therefore an equality of our own. An existential side condition (C19) is stated by a variable like any other.

use super::{INT, STRING, Variable};

/// `left = right` under the side conditions.
#[derive(Debug)]
pub struct Law {
    /// The paper's number.
    pub id: &'static str,
    /// The variables; for an NC row the first is the right-hand side.
    pub vars: &'static [Variable],
    /// The term that equals the variable or constant.
    pub left: &'static str,
    /// The variable or constant.
    pub right: &'static str,
    /// What must hold for it: conjuncts.
    pub side: &'static [&'static str],
}

/// How many rows are about variables; they come first.
pub(crate) const VARIABLE_LAWS: usize = 8;

const S: Variable = ("s", STRING);
const T: Variable = ("t", STRING);
const U: Variable = ("u", STRING);
const N: Variable = ("n", INT);
const I: Variable = ("i", INT);
const OFF: Variable = ("off", INT);
const LEN: Variable = ("len", INT);

macro_rules! laws {
    ($($id:literal $vars:expr, $left:literal = $right:literal if $side:expr;)*) => {
        /// The laws by which variables and constants are replaced, after Table 3 of Bugariu and Müller 2020.
        pub static LAWS: &[Law] = &[$(Law { id: $id, vars: &$vars, left: $left, right: $right, side: &$side }),*];
    };
}

laws! {
    "NC1" [S], "(str.at s 0)" = "s" if ["(= (str.len s) 1)"];
    "NC2" [S], "(str.++ s \"\")" = "s" if [];
    "NC3" [S], "(str.++ \"\" s)" = "s" if [];
    "NC4" [S], "(str.replace s s s)" = "s" if [];
    "NC5" [S, T, U], "(str.replace s t u)" = "s" if ["(= (str.contains s t) false)"];
    "NC6" [S, T, U], "(str.replace s t u)" = "s" if ["(= (str.indexof s t 0) (- 1))"];
    "NC7" [S], "(str.substr s 0 (str.len s))" = "s" if [];
    "NC8" [OFF, S], "(str.indexof s \"\" off)" = "off" if ["(>= off 0)", "(<= off (str.len s))"];

    "C1" [S, OFF], "(str.at s off)" = "\"\"" if ["(or (< off 0) (>= off (str.len s)))"];
    "C2" [], "(str.++ \"\" \"\")" = "\"\"" if [];
    "C3" [N], "(str.from_int n)" = "\"\"" if ["(< n 0)"];
    "C4" [], "(str.replace \"\" \"\" \"\")" = "\"\"" if [];
    "C5" [S, OFF, LEN], "(str.substr s off len)" = "\"\""
        if ["(or (< off 0) (>= off (str.len s)) (<= len 0))"];
    "C6" [N], "(str.from_int n)" = "\"0\"" if ["(= n 0)"];
    "C7" [N], "(str.from_int n)" = "\"1\"" if ["(= n 1)"];
    "C8" [N], "(str.from_int n)" = "\"2\"" if ["(= n 2)"];
    "C9" [N], "(str.from_int n)" = "\"3\"" if ["(= n 3)"];
    "C10" [N], "(str.from_int n)" = "\"4\"" if ["(= n 4)"];
    "C11" [N], "(str.from_int n)" = "\"5\"" if ["(= n 5)"];
    "C12" [N], "(str.from_int n)" = "\"6\"" if ["(= n 6)"];
    "C13" [N], "(str.from_int n)" = "\"7\"" if ["(= n 7)"];
    "C14" [N], "(str.from_int n)" = "\"8\"" if ["(= n 8)"];
    "C15" [N], "(str.from_int n)" = "\"9\"" if ["(= n 9)"];
    "C16" [S, T, OFF], "(str.indexof s t off)" = "(- 1)" if ["(or (< off 0) (> off (str.len s)))"];
    "C17" [S, T, OFF], "(str.indexof s t off)" = "(- 1)" if ["(= (str.contains s t) false)"];
    "C18" [S], "(str.to_int s)" = "(- 1)" if ["(= s \"\")"];
    "C19" [S, I], "(str.to_int s)" = "(- 1)" if [
        "(>= i 0)", "(< i (str.len s))",
        "(not (= (str.at s i) \"0\"))", "(not (= (str.at s i) \"1\"))", "(not (= (str.at s i) \"2\"))",
        "(not (= (str.at s i) \"3\"))", "(not (= (str.at s i) \"4\"))", "(not (= (str.at s i) \"5\"))",
        "(not (= (str.at s i) \"6\"))", "(not (= (str.at s i) \"7\"))", "(not (= (str.at s i) \"8\"))",
        "(not (= (str.at s i) \"9\"))"
    ];
    "C20" [S], "(str.len s)" = "0" if ["(= s \"\")"];
    "C21" [S], "(str.to_int s)" = "0" if ["(= s \"0\")"];
    "C22" [S], "(str.to_int s)" = "1" if ["(= s \"1\")"];
    "C23" [S], "(str.to_int s)" = "2" if ["(= s \"2\")"];
    "C24" [S], "(str.to_int s)" = "3" if ["(= s \"3\")"];
    "C25" [S], "(str.to_int s)" = "4" if ["(= s \"4\")"];
    "C26" [S], "(str.to_int s)" = "5" if ["(= s \"5\")"];
    "C27" [S], "(str.to_int s)" = "6" if ["(= s \"6\")"];
    "C28" [S], "(str.to_int s)" = "7" if ["(= s \"7\")"];
    "C29" [S], "(str.to_int s)" = "8" if ["(= s \"8\")"];
    "C30" [S, OFF], "(str.len (str.at s off))" = "1" if ["(>= off 0)", "(< off (str.len s))"];
    "C31" [S], "(str.to_int s)" = "9" if ["(= s \"9\")"];
    "C32" [S], "(str.contains s s)" = "true" if [];
    "C33" [S], "(= s s)" = "true" if [];
    "C34" [S], "(str.prefixof \"\" s)" = "true" if [];
    "C35" [S], "(str.prefixof s s)" = "true" if [];
    "C36" [S], "(str.suffixof s s)" = "true" if [];
    "C37" [S, T], "(str.contains s t)" = "false" if ["(= (str.indexof s t 0) (- 1))"];
    "C38" [S, T], "(= s t)" = "false" if ["(not (= (str.len s) (str.len t)))"];
    "C39" [S, T], "(str.prefixof s t)" = "false" if ["(= (str.contains t s) false)"];
    "C40" [S, T], "(str.suffixof s t)" = "false" if ["(= (str.contains t s) false)"];
}
