//! How each solver release is asked about an application: by the operator's name, by an equivalent term where it does not
//! know the name or the number of arguments, or not at all, with the reason.

use crate::cases::Case;
use smt::print::{Style, write_term};
use smt::{Op, Sort, SortId, TermId, Terms, Theory, Value, walk};
use testkit::SolverKind;

/// How a solver is asked about what it does not know by its name.
enum How {
    /// By this term, in which `{0}` is the first argument, `{w}` its width, `{m}` its highest bit and `{i}` the first
    /// numeral.
    As(&'static str),
    /// By a term made of the arguments.
    Made(fn(&[String]) -> String),
    /// Not, for this reason.
    Not(&'static str),
}

/// What some solvers do not know by its name.
struct Unknown {
    solvers: &'static [SolverKind],
    ops: &'static [Op],
    /// For which applications; for all, if there is no condition.
    when: Option<fn(&Case) -> bool>,
    how: How,
}

use How::{As, Made, Not};
use SolverKind::{Cvc4, Cvc5, Z3};

const ALL: &[SolverKind] = &SolverKind::ALL;
const CVC: &[SolverKind] = &[Cvc5, Cvc4];
const NO_OVERFLOW: &[SolverKind] = &[Z3, Cvc4];

const fn unknown(solvers: &'static [SolverKind], ops: &'static [Op], how: How) -> Unknown {
    Unknown { solvers, ops, when: None, how }
}

static UNKNOWN: &[Unknown] = &[
    // SMT-LIB 2.7's overflow predicates, by their definitions in the logic QF_BV. cvc5 1.0.3 knows all but `bvnego`.
    unknown(ALL, &[Op::BvNego], As("(and (bvslt {0} (bvsub {0} {0})) (= {0} (bvneg {0})))")),
    unknown(NO_OVERFLOW, &[Op::BvUaddo], As("(bvult (bvadd {0} {1}) {0})")),
    unknown(
        NO_OVERFLOW,
        &[Op::BvSaddo],
        As("(let ((s (bvadd ((_ sign_extend 1) {0}) ((_ sign_extend 1) {1})))) \
            (distinct s ((_ sign_extend 1) ((_ extract {m} 0) s))))"),
    ),
    unknown(
        NO_OVERFLOW,
        &[Op::BvUmulo],
        As("(let ((p (bvmul ((_ zero_extend {w}) {0}) ((_ zero_extend {w}) {1})))) \
            (distinct p ((_ zero_extend {w}) ((_ extract {m} 0) p))))"),
    ),
    unknown(
        NO_OVERFLOW,
        &[Op::BvSmulo],
        As("(let ((p (bvmul ((_ sign_extend {w}) {0}) ((_ sign_extend {w}) {1})))) \
            (distinct p ((_ sign_extend {w}) ((_ extract {m} 0) p))))"),
    ),
    unknown(NO_OVERFLOW, &[Op::BvUsubo], As("(bvult {0} {1})")),
    unknown(
        NO_OVERFLOW,
        &[Op::BvSsubo],
        As("(let ((d (bvsub ((_ sign_extend 1) {0}) ((_ sign_extend 1) {1})))) \
            (distinct d ((_ sign_extend 1) ((_ extract {m} 0) d))))"),
    ),
    unknown(
        NO_OVERFLOW,
        &[Op::BvSdivo],
        As("(and (bvslt {0} (bvsub {0} {0})) (= {0} (bvneg {0})) (= {1} (bvnot (bvsub {1} {1}))))"),
    ),
    // SMT-LIB 2.7's conversions, by the older names.
    unknown(ALL, &[Op::UbvToInt], As("(bv2nat {0})")),
    unknown(
        ALL,
        &[Op::SbvToInt],
        As("(ite (bvslt {0} (bvsub {0} {0})) (- (bv2nat (bvneg {0}))) (bv2nat {0}))"),
    ),
    unknown(ALL, &[Op::IntToBv, Op::Nat2Bv], As("((_ int2bv {i}) {0})")),
    unknown(&[Z3], &[Op::Divisible], As("(= (mod {0} {i}) 0)")),
    // What takes any number of arguments in the standard, but not in these releases.
    Unknown {
        solvers: ALL,
        ops: &[Op::StrLt],
        when: Some(|case| case.args.len() > 2),
        how: Made(|args| chain("str.<", args)),
    },
    Unknown {
        solvers: ALL,
        ops: &[Op::StrLe],
        when: Some(|case| case.args.len() > 2),
        how: Made(|args| chain("str.<=", args)),
    },
    Unknown {
        solvers: CVC,
        ops: &[Op::Xor, Op::Add, Op::Mul, Op::StrConcat, Op::ReConcat, Op::ReUnion, Op::ReInter],
        when: Some(|case| case.args.len() == 1),
        how: As("{0}"),
    },
    Unknown { solvers: CVC, ops: &[Op::Distinct], when: Some(|case| case.args.len() == 1), how: As("true") },
    // The standard gives `re.none` for bounds that are not single characters in order; cvc5 and CVC4 refuse some of them.
    Unknown {
        solvers: CVC,
        ops: &[Op::ReRange],
        when: Some(|case| !is_character(case, 0) || !is_character(case, 1)),
        how: As("re.none"),
    },
    Unknown {
        solvers: &[Cvc4],
        ops: &[Op::ReRange],
        when: Some(|case| is_character(case, 0) && is_character(case, 1) && case.value(0) > case.value(1)),
        how: As("re.none"),
    },
    Unknown {
        solvers: &[Cvc4],
        ops: &[Op::ReRange],
        when: Some(|case| {
            is_character(case, 0) && is_character(case, 1) && !(is_latin(case, 0) && is_latin(case, 1))
        }),
        how: Not("CVC4 1.8 takes no characters above 255 as bounds"),
    },
    unknown(
        &[Z3],
        &[Op::StrReplaceRe, Op::StrReplaceReAll],
        Not("Z3 4.8.12 knows the name but answers `unknown`"),
    ),
    // Outside the standard.
    unknown(&[Cvc4], &[Op::BvRedOr], As("(ite (= {0} (bvsub {0} {0})) #b0 #b1)")),
    unknown(&[Cvc4], &[Op::BvRedAnd], As("(ite (= (bvnot {0}) (bvsub {0} {0})) #b1 #b0)")),
    Unknown {
        solvers: &[Cvc4],
        ops: &[Op::Abs],
        when: Some(|case| matches!(case.value(0), Value::Real(_))),
        how: As("(ite (< {0} 0.0) (- {0}) {0})"),
    },
    Unknown {
        solvers: &[Z3, Cvc4],
        ops: &[Op::Pow2],
        when: Some(|case| !is_negative(case, 0)),
        how: As("(^ 2 {0})"),
    },
    Unknown {
        solvers: &[Z3, Cvc4],
        ops: &[Op::Pow2],
        when: Some(|case| is_negative(case, 0)),
        how: Not("Z3 4.8.12 and CVC4 1.8 have no `int.pow2`"),
    },
    unknown(&[Z3, Cvc4], &[Op::IntAnd], As("(bv2nat (bvand ((_ int2bv {i}) {0}) ((_ int2bv {i}) {1})))")),
    unknown(&[Z3, Cvc4, Cvc5], &[Op::IntAndOf], Made(conjoined_bits)),
    Unknown {
        solvers: CVC,
        ops: &[Op::Power],
        when: Some(|case| is_negative(case, 1)),
        how: Not("cvc5 1.0.3 and CVC4 1.8 take natural exponents only"),
    },
    unknown(CVC, &[Op::FpToIeeeBv], Not("cvc5 and CVC4 have no inverse of `to_fp`")),
    unknown(&[Z3], &[Op::StrRev, Op::StrToLower, Op::StrToUpper], Not("Z3 4.8.12 has no such operator")),
    unknown(&[Cvc4], &[Op::StrToLower, Op::StrToUpper], Not("CVC4 1.8 has no such operator")),
    unknown(&[Z3], &[Op::SeqUpdate, Op::SeqRev, Op::SeqReplaceAll], Not("Z3 4.8.12 has no such operator")),
    unknown(&[Cvc5], &[Op::BagSetOf], As("(bag.duplicate_removal {0})")),
    unknown(&[Cvc5], &[Op::SetIsEmpty], As("(= (set.card {0}) 0)")),
];

/// `piand` by bit-vectors of as many bits as its first argument says; the packaged cvc5 does not have it yet.
fn conjoined_bits(args: &[String]) -> String {
    match args[0].parse::<u32>() {
        Ok(width) if width > 0 => {
            format!("(bv2nat (bvand ((_ int2bv {width}) {}) ((_ int2bv {width}) {})))", args[1], args[2])
        }
        _ => "0".into(),
    }
}

/// The application in a solver's words, or why it cannot be asked.
pub(crate) fn render(terms: &Terms, case: &Case, solver: SolverKind) -> Result<String, &'static str> {
    if lacks(solver, case.row.theory) {
        return Err("the packaged release does not have the theory");
    }
    refused(terms, case, solver)?;
    let args: Vec<String> = case.args.iter().map(|&a| plain(terms, a)).collect();
    let applies = |u: &&Unknown| {
        u.solvers.contains(&solver) && u.ops.contains(&case.row.op) && u.when.is_none_or(|when| when(case))
    };
    let text = match UNKNOWN.iter().find(applies).map(|u| &u.how) {
        Some(Not(reason)) => return Err(reason),
        Some(As(template)) => fill(terms, case, template, &args),
        Some(Made(make)) => make(&args),
        None if args.is_empty() => case.row.name.to_string(),
        None => {
            let [i, j] = case.indices;
            let head = match case.row.indices {
                0 => case.row.name.to_string(),
                1 => format!("(_ {} {i})", case.row.name),
                _ => format!("(_ {} {i} {j})", case.row.name),
            };
            format!("({head} {})", args.join(" "))
        }
    };
    Ok(match case.probe {
        Some(probe) => format!("(str.in_re {} {text})", plain(terms, probe)),
        None => text,
    })
}

/// Theories outside the standard that a solver does not have in the release that is packaged.
fn lacks(solver: SolverKind, theory: Theory) -> bool {
    match theory {
        Theory::Sequences => solver == Cvc4,
        Theory::Sets | Theory::Bags => solver != Cvc5,
        // cvc5 has them from 1.0.5 on; a test of the evaluator's own stands in for a judge.
        Theory::Fields => true,
        _ => false,
    }
}

/// Whether a solver cannot be asked about an operator at all.
pub(crate) fn is_unknown(solver: SolverKind, op: Op) -> bool {
    if lacks(solver, op.info().theory) {
        return true;
    }
    let floats = op.info().theory == Theory::Float || op == Op::FpToIeeeBv;
    (solver == Cvc4 && floats)
        || UNKNOWN.iter().any(|u| {
            u.solvers.contains(&solver) && u.ops.contains(&op) && u.when.is_none() && matches!(u.how, Not(_))
        })
}

const ARRAY_LITERALS: &str = "cvc5 1.0.3 and CVC4 1.8 take only literals as elements of constant arrays";

/// What a solver does not take, wherever it stands.
fn refused(terms: &Terms, case: &Case, solver: SolverKind) -> Result<(), &'static str> {
    if solver == Z3 {
        return Ok(());
    }
    for term in walk::reachable(terms, &[case.term]) {
        if solver == Cvc4 && has_floats(terms, terms.sort(term)) {
            return Err("CVC4 1.8 is packaged without SymFPU, which its floats need");
        }
        if terms.op(term) == Op::ConstArray && !is_literal(terms, terms.args(term)[0]) {
            return Err(ARRAY_LITERALS);
        }
    }
    match &case.outcome {
        Ok(value) if !has_literal_default(value) => Err(ARRAY_LITERALS),
        _ => Ok(()),
    }
}

fn has_floats(terms: &Terms, sort: SortId) -> bool {
    match *terms.sort_of(sort) {
        Sort::Float(..) | Sort::RoundingMode => true,
        Sort::Array(index, element) => has_floats(terms, index) || has_floats(terms, element),
        _ => false,
    }
}

/// Whether cvc5 and CVC4 read the text of this term as a constant.
fn is_literal(terms: &Terms, term: TermId) -> bool {
    match terms.as_value(term) {
        Some(value) => is_literal_value(value),
        None => terms.op(term) == Op::ConstArray && is_literal(terms, terms.args(term)[0]),
    }
}

/// Signs, fractions, `fp` and `store` are applications to them.
fn is_literal_value(value: &Value) -> bool {
    match value {
        Value::Int(i) => *i >= smt::IBig::ZERO,
        Value::Real(r) => *r >= smt::RBig::ZERO && r.is_int(),
        Value::Float(f) => f.is_nan() || f.is_infinite() || f.is_zero(),
        Value::Array(array) => array.entries.is_empty() && has_literal_default(value),
        _ => true,
    }
}

/// Whether the constant array in the text of an array value is one they take.
fn has_literal_default(value: &Value) -> bool {
    match value {
        Value::Array(array) => {
            let nested = array.entries.iter().all(|(i, e)| has_literal_default(i) && has_literal_default(e));
            nested && array.default.as_ref().is_none_or(is_literal_value)
        }
        _ => true,
    }
}

fn is_character(case: &Case, i: usize) -> bool {
    matches!(case.value(i), Value::String(s) if s.len() == 1)
}

fn is_latin(case: &Case, i: usize) -> bool {
    matches!(case.value(i), Value::String(s) if s.iter().all(|c| c <= 0xff))
}

fn is_negative(case: &Case, i: usize) -> bool {
    match case.value(i) {
        Value::Int(n) => *n < smt::IBig::ZERO,
        Value::Real(r) => *r < smt::RBig::ZERO,
        _ => false,
    }
}

fn chain(head: &str, args: &[String]) -> String {
    let pairs: Vec<String> = args.windows(2).map(|w| format!("({head} {} {})", w[0], w[1])).collect();
    format!("(and {})", pairs.join(" "))
}

fn plain(terms: &Terms, term: TermId) -> String {
    let mut out = String::new();
    write_term(&mut out, terms, term, Style { share: false, ..Style::default() });
    out
}

fn fill(terms: &Terms, case: &Case, template: &str, args: &[String]) -> String {
    let mut text = template.replace("{i}", &case.indices[0].to_string());
    if let Some(Sort::BitVec(width)) = case.args.first().map(|&a| terms.sort_of(terms.sort(a))) {
        text = text.replace("{w}", &width.to_string()).replace("{m}", &(width - 1).to_string());
    }
    for (i, arg) in args.iter().enumerate() {
        text = text.replace(&format!("{{{i}}}"), arg);
    }
    text
}
