//! Table 2 of Bugariu and Müller 2020: what an operation's equation follows from. The unsatisfiable formula of step 1 is the negated
//! claim together with the parts. Only the direction "parts imply claim" is relied upon: E4, E5 and E6 as printed are
//! stronger than the operation (`substr` beyond the end, a pattern that does not occur, leading zeros).
//!
//! Existential variables are variables like any other (Section 2.2); universal ones carry the paper's patterns.
//! The rows X1 and on say the same of the operations that the paper leaves out.

use super::{BOOL, INT, STRING, Variable};

/// A claim about an operation and the parts that imply it.
#[derive(Debug)]
pub struct Equivalence {
    /// The paper's number.
    pub id: &'static str,
    /// The variables of the claim.
    pub vars: &'static [Variable],
    /// The variables of the parts alone, which the paper binds existentially.
    pub inner: &'static [Variable],
    /// The equation of the operation.
    pub claim: &'static str,
    /// Conjuncts that imply the claim.
    pub parts: &'static [&'static str],
}

/// How many rows are the paper's; they come first.
pub(crate) const PAPER_EQUIVALENCES: usize = 12;

const S: Variable = ("s", STRING);
const T: Variable = ("t", STRING);
const U: Variable = ("u", STRING);
const RES: Variable = ("res", STRING);
const INT_RES: Variable = ("res", INT);
const BOOL_RES: Variable = ("res", BOOL);
const N: Variable = ("n", INT);
const I: Variable = ("i", INT);
const OFF: Variable = ("off", INT);
const LEN: Variable = ("len", INT);
const S1: Variable = ("s1", STRING);
const S2: Variable = ("s2", STRING);
const S3: Variable = ("s3", STRING);
const S4: Variable = ("s4", STRING);
const T1: Variable = ("t1", STRING);
const T2: Variable = ("t2", STRING);

macro_rules! equivalences {
    ($($id:literal $vars:expr, $inner:expr, $claim:literal <= [$($part:expr),* $(,)?];)*) => {
        /// Table 2 of Bugariu and Müller 2020, then rows of our own.
        pub static EQUIVALENCES: &[Equivalence] = &[$(Equivalence {
            id: $id, vars: &$vars, inner: &$inner, claim: $claim, parts: &[$($part),*],
        }),*];
    };
}

/// E6's condition: not empty, and digits only.
macro_rules! all_digits {
    () => {
        "(and (not (= s \"\")) (forall ((j Int)) (! (=> (and (>= j 0) (< j (str.len s))) \
         (or (= (str.at s j) \"0\") (= (str.at s j) \"1\") (= (str.at s j) \"2\") (= (str.at s j) \"3\") \
         (= (str.at s j) \"4\") (= (str.at s j) \"5\") (= (str.at s j) \"6\") (= (str.at s j) \"7\") \
         (= (str.at s j) \"8\") (= (str.at s j) \"9\"))) :pattern ((str.at s j)))))"
    };
}

equivalences! {
    "E1" [S, OFF, RES], [], "(= (str.at s off) res)" <= ["(= res (str.substr s off 1))"];
    "E2" [N, RES], [], "(= (str.from_int n) res)" <= [
        "(=> (< n 0) (= res \"\"))",
        "(=> (= n 0) (= res \"0\"))", "(=> (= n 1) (= res \"1\"))", "(=> (= n 2) (= res \"2\"))",
        "(=> (= n 3) (= res \"3\"))", "(=> (= n 4) (= res \"4\"))", "(=> (= n 5) (= res \"5\"))",
        "(=> (= n 6) (= res \"6\"))", "(=> (= n 7) (= res \"7\"))", "(=> (= n 8) (= res \"8\"))",
        "(=> (= n 9) (= res \"9\"))",
        "(=> (>= n 10) (= res (str.++ (str.from_int (div n 10)) (str.from_int (mod n 10)))))",
    ];
    "E3" [S, T, U, RES], [I, S1, S2, S3], "(= (str.replace s t u) res)" <= [
        "(= i (str.indexof s t 0))",
        "(=> (<= 0 i) (and (= s (str.++ s1 s2 s3)) (= (str.len s1) i) (= s2 t) (= res (str.++ s1 u s3))))",
        "(=> (< i 0) (= res s))",
    ];
    "E4" [S, OFF, LEN, RES], [S1, S2, S3], "(= (str.substr s off len) res)" <= [
        "(=> (and (>= off 0) (< off (str.len s)) (> len 0)) \
         (and (= s (str.++ s1 s2 s3)) (= (str.len s1) off) (= (str.len s2) len) (= res s2)))",
        "(=> (not (and (>= off 0) (< off (str.len s)) (> len 0))) (= res \"\"))",
    ];
    "E5" [S, T, OFF, INT_RES], [S1, S2, S4], "(= (str.indexof s t off) res)" <= [
        "(=> (and (= t \"\") (>= off 0) (<= off (str.len s))) (= res off))",
        "(=> (and (not (= t \"\")) (>= off 0) (<= off (str.len s))) \
         (and (= s (str.++ s1 s2 t s4)) (= off (str.len s1)) \
         (forall ((i Int)) (! (=> (and (>= i 0) (< i (str.len t))) \
         (= (str.contains (str.++ s2 (str.substr t 0 i)) t) false)) :pattern ((str.substr t 0 i)))) \
         (= res (str.len (str.++ s1 s2)))))",
        "(=> (not (and (>= off 0) (<= off (str.len s)))) (= res (- 1)))",
    ];
    "E6" [S, INT_RES], [], "(= (str.to_int s) res)" <= [
        concat!("(=> ", all_digits!(), " (= (str.from_int res) s))"),
        concat!("(=> (not ", all_digits!(), ") (= res (- 1)))"),
    ];
    "E7" [S, T], [S1, S3], "(= (str.contains s t) true)" <= ["(= s (str.++ s1 t s3))"];
    "E8" [S, T], [], "(= (str.contains s t) false)" <= [
        "(forall ((s1 String) (s2 String) (s3 String)) (! (=> (= s (str.++ s1 s2 s3)) (not (= s2 t))) \
         :pattern ((str.++ s1 s2 s3))))",
    ];
    "E9" [S, T], [T2], "(= (str.prefixof s t) true)" <= ["(= t (str.++ s t2))"];
    "E10" [S, T], [], "(= (str.prefixof s t) false)" <= [
        "(forall ((t1 String) (t2 String)) (! (=> (= t (str.++ t1 t2)) (not (= t1 s))) \
         :pattern ((str.++ t1 t2))))",
    ];
    "E11" [S, T], [T1], "(= (str.suffixof s t) true)" <= ["(= t (str.++ t1 s))"];
    "E12" [S, T], [], "(= (str.suffixof s t) false)" <= [
        "(forall ((t1 String) (t2 String)) (! (=> (= t (str.++ t1 t2)) (not (= t2 s))) \
         :pattern ((str.++ t1 t2))))",
    ];

    // Beyond the paper: the other functions of the theory.
    "X1" [S, T, BOOL_RES], [], "(= (str.<= s t) res)" <= ["(= res (or (= s t) (str.< s t)))"];
    "X2" [S, T, BOOL_RES], [], "(= (str.< s t) res)" <= ["(= res (not (str.<= t s)))"];
    "X3" [S, U], [T], "(= (str.< s u) true)" <= ["(str.< s t)", "(str.<= t u)"];
    "X4" [S, BOOL_RES], [N], "(= (str.is_digit s) res)" <= [
        "(= n (str.to_code s))", "(= res (and (<= 48 n) (<= n 57)))",
    ];
    "X5" [S, INT_RES], [], "(= (str.to_code s) res)" <= [
        "(=> (= (str.len s) 1) (= (str.from_code res) s))",
        "(=> (not (= (str.len s) 1)) (= res (- 1)))",
    ];
    "X6" [N, RES], [], "(= (str.from_code n) res)" <= [
        "(=> (and (>= n 0) (< n 196608)) (= (str.to_code res) n))",
        "(=> (not (and (>= n 0) (< n 196608))) (= res \"\"))",
    ];
    "X7" [S, T, U, RES], [I], "(= (str.replace_all s t u) res)" <= [
        "(= i (str.indexof s t 0))",
        "(=> (or (< i 0) (= t \"\")) (= res s))",
        "(=> (and (>= i 0) (not (= t \"\"))) (= res (str.++ (str.substr s 0 i) u \
         (str.replace_all (str.substr s (+ i (str.len t)) (str.len s)) t u))))",
    ];
    "X8" [S, U, RES], [], "(= (str.replace_re s (re.+ (re.range \"a\" \"b\")) u) res)" <= [
        "(not (str.in_re s (re.++ re.all (re.range \"a\" \"b\") re.all)))", "(= res s)",
    ];
    "X9" [S, U, RES], [], "(= (str.replace_re s (re.* (str.to_re \"a\")) u) res)" <= [
        "(= res (str.++ u s))",
    ];
    "X10" [S, U, RES], [], "(= (str.replace_re_all s (str.to_re \"ab\") u) res)" <= [
        "(= res (str.replace_all s \"ab\" u))",
    ];
    // Beyond the paper: regular expressions, one operator a row.
    "X11" [S], [S1, S2], "(= (str.in_re s (re.++ (re.+ (str.to_re \"a\")) (re.* (str.to_re \"b\")))) true)" <= [
        "(= s (str.++ s1 s2))", "(str.in_re s1 (re.+ (str.to_re \"a\")))",
        "(str.in_re s2 (re.* (str.to_re \"b\")))",
    ];
    "X12" [S, BOOL_RES], [], "(= (str.in_re s (re.union (str.to_re \"a\") (re.range \"0\" \"9\"))) res)" <= [
        "(= res (or (= s \"a\") (str.is_digit s)))",
    ];
    "X13" [S, BOOL_RES], [], "(= (str.in_re s (re.inter (re.* re.allchar) (re.range \"b\" \"d\"))) res)" <= [
        "(= res (and (= (str.len s) 1) (str.<= \"b\" s) (str.<= s \"d\")))",
    ];
    "X14" [S, BOOL_RES], [], "(= (str.in_re s (re.comp (str.to_re \"ab\"))) res)" <= [
        "(= res (not (= s \"ab\")))",
    ];
    "X15" [S, BOOL_RES], [], "(= (str.in_re s (re.diff re.allchar (str.to_re \"a\"))) res)" <= [
        "(= res (and (= (str.len s) 1) (not (= s \"a\"))))",
    ];
    "X16" [S, T], [], "(= (str.in_re (str.++ s t) (re.* (str.to_re \"ab\"))) true)" <= [
        "(str.in_re s (re.* (str.to_re \"ab\")))", "(str.in_re t (re.* (str.to_re \"ab\")))",
    ];
    "X17" [S, BOOL_RES], [], "(= (str.in_re s (re.opt (re.+ (str.to_re \"a\")))) res)" <= [
        "(= res (str.in_re s (re.* (str.to_re \"a\"))))",
    ];
    "X18" [S, BOOL_RES], [], "(= (str.in_re s ((_ re.^ 2) re.allchar)) res)" <= [
        "(= res (= (str.len s) 2))",
    ];
    "X19" [S, BOOL_RES], [], "(= (str.in_re s ((_ re.loop 1 3) re.allchar)) res)" <= [
        "(= res (and (<= 1 (str.len s)) (<= (str.len s) 3)))",
    ];
    "X20" [S, BOOL_RES], [T], "(= (str.in_re s (re.++ re.all (str.to_re \"ab\") re.all)) res)" <= [
        "(= t \"ab\")", "(= res (str.contains s t))",
    ];
    "X21" [S, BOOL_RES], [], "(= (str.in_re s (re.union re.none (str.to_re \"a\"))) res)" <= [
        "(= res (= s \"a\"))",
    ];
    "X22" [S], [S1, S2], "(= (str.in_re s (re.+ (re.range \"a\" \"c\"))) true)" <= [
        "(= s (str.++ s1 s2))", "(str.in_re s1 (re.range \"a\" \"c\"))",
        "(str.in_re s2 (re.* (re.range \"a\" \"c\")))",
    ];
}
