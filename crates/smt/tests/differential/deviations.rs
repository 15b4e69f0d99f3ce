//! Where a solver release is known to be wrong: for each row the arguments on which it errs, as a predicate, and why the
//! standard gives the evaluator's value. A test holds each row to account: most cases that satisfy its predicate must
//! really be answered wrongly.

use crate::cases::Case;
use smt::{Evaluator, Float, Format, Op, RBig, RoundingMode, TermId, TermMap, Terms, Value, walk};
use testkit::SolverKind;

/// A known error of a solver release.
pub(crate) struct Deviation {
    pub(crate) solver: SolverKind,
    pub(crate) version: &'static str,
    pub(crate) ops: &'static [Op],
    /// On which arguments, in words.
    pub(crate) condition: &'static str,
    /// On which arguments.
    pub(crate) when: fn(&mut Terms, &Case) -> bool,
    /// Why the evaluator's value is the right one.
    pub(crate) why: &'static str,
}

/// Everything that takes or gives a regular expression.
const REGULAR: &[Op] = &[
    Op::StrInRe,
    Op::StrReplaceRe,
    Op::StrReplaceReAll,
    Op::ReConcat,
    Op::ReUnion,
    Op::ReInter,
    Op::ReStar,
    Op::ReComp,
    Op::ReDiff,
    Op::RePlus,
    Op::ReOpt,
    Op::RePower,
    Op::ReLoop,
    Op::Eq,
    Op::Distinct,
    Op::Ite,
];

/// The smallest format, in which some implementations have too few bits for their intermediate exponents.
const TINY: Format = Format { eb: 2, sb: 3 };

/// All known errors.
pub(crate) static DEVIATIONS: &[Deviation] = &[
    Deviation {
        solver: SolverKind::Z3,
        version: "4.8.12",
        ops: &[Op::FpFma],
        condition: "format (2, 3), finite arguments, factors other than zero, and x * y + z other than zero",
        when: |_, case| {
            let [Some(x), Some(y), Some(z)] = [1, 2, 3].map(|i| exact(case, i, TINY)) else { return false };
            x != RBig::ZERO && y != RBig::ZERO && &x * &y + &z != RBig::ZERO
        },
        why: "IEEE 754-2008, 5.4.1: fusedMultiplyAdd is x * y + z rounded once; Z3 gives 2 for 3.5 * 3.5 rounded up, and \
              exact arithmetic on all pairs of factors confirms the evaluator",
    },
    Deviation {
        solver: SolverKind::Z3,
        version: "4.8.12",
        ops: &[Op::FpRoundToIntegral],
        condition: "format (2, 3), a nearest rounding mode, and a subnormal that rounds to zero",
        when: |_, case| {
            let nearest = matches!(mode(case), RoundingMode::Rne | RoundingMode::Rna);
            let Some(x) = exact(case, 1, TINY) else { return false };
            nearest && x != RBig::ZERO && matches!(&case.outcome, Ok(Value::Float(f)) if f.is_zero())
        },
        why: "IEEE 754-2008, 5.9: the nearest integral value of 1/4 is 0, and 1/2 is a tie whose even neighbour is 0; Z3 \
              gives 1",
    },
    Deviation {
        solver: SolverKind::Cvc5,
        version: "1.0.3",
        ops: &[Op::FpAdd, Op::FpSub],
        condition: "format (2, 3), and both arguments finite and other than zero",
        when: |_, case| {
            let [Some(x), Some(y)] = [1, 2].map(|i| exact(case, i, TINY)) else { return false };
            x != RBig::ZERO && y != RBig::ZERO
        },
        why: "IEEE 754-2008, 5.4.1: cvc5 gives 3.5 for 1 + 3.5; of the 2420 sums of such arguments it gets 2196 wrong, and \
              exact arithmetic and Z3 confirm the evaluator on all of them",
    },
    Deviation {
        solver: SolverKind::Cvc5,
        version: "1.0.3",
        ops: &[Op::FpRem],
        condition: "format (2, 3), and a remainder whose sign is not the dividend's",
        when: |_, case| {
            let [Some(x), Some(_)] = [0, 1].map(|i| exact(case, i, TINY)) else { return false };
            let Ok(Value::Float(result)) = &case.outcome else { return false };
            result.to_real().is_some_and(|r| r * x < RBig::ZERO)
        },
        why: "IEEE 754-2008, 5.3.1: x - y * n with n the integer nearest to x / y; cvc5 subtracts wrongly in this format",
    },
    Deviation {
        solver: SolverKind::Cvc5,
        version: "1.0.3",
        ops: &[Op::FpRoundToIntegral],
        condition: "format (2, 3) and a fraction, or format (3, 5) and a result beyond the greatest finite number",
        when: |_, case| {
            let overflow = matches!(&case.outcome, Ok(Value::Float(f)) if f.is_infinite());
            exact(case, 1, TINY).is_some_and(|x| !x.is_int())
                || (overflow && exact(case, 1, Format { eb: 3, sb: 5 }).is_some())
        },
        why: "IEEE 754-2008, 5.9: the result is an integral value or, beyond the range, infinite; in these formats the \
              greatest finite number has a fraction, and cvc5 makes a bit pattern that equals no value",
    },
    Deviation {
        solver: SolverKind::Cvc5,
        version: "1.0.3",
        ops: &[Op::ToFpFromSbv],
        condition: "to format (2, 3), of one bit with RTP, or of two bits away from zero, other than zero",
        when: |_, case| {
            let Value::BitVec(bits) = case.value(1) else { return false };
            let away = match mode(case) {
                RoundingMode::Rtp => !bits.is_negative(),
                RoundingMode::Rtn => bits.is_negative(),
                _ => false,
            };
            let one = bits.width() == 1 && mode(case) == RoundingMode::Rtp;
            case.indices == [2, 3] && !bits.is_zero() && (one || (bits.width() == 2 && away))
        },
        why: "FloatingPoint: the integers -2 to 1 are values of the format, so no rounding mode changes them",
    },
    Deviation {
        solver: SolverKind::Cvc5,
        version: "1.0.3",
        ops: &[Op::ToFpUnsigned],
        condition: "to format (2, 3), of at most three bits, with RTP, other than zero",
        when: |_, case| {
            let Value::BitVec(bits) = case.value(1) else { return false };
            case.indices == [2, 3] && bits.width() <= 3 && !bits.is_zero() && mode(case) == RoundingMode::Rtp
        },
        why: "FloatingPoint: the integers 1, 2 and 3 are values of the format, so no rounding mode changes them",
    },
    Deviation {
        solver: SolverKind::Cvc5,
        version: "1.0.3",
        ops: REGULAR,
        condition: "a power or loop that ends at 0, of a language that is its own star, is taken for that language, \
                    and that changes the value",
        when: |terms, case| changes(terms, case, |terms, term| own_star(terms, term, false)),
        why: "UnicodeStrings: ((_ re.^ 0) e) is the empty string alone, and ((_ re.loop 0 0) e) is ((_ re.^ 0) e)",
    },
    Deviation {
        solver: SolverKind::Cvc4,
        version: "1.8",
        ops: &[Op::ReDiff],
        condition: "more than two arguments, all but the first two of which are ignored (and repetitions are read as in \
                    the next row), and that changes the value",
        when: |terms, case| {
            let wrong =
                |terms: &mut Terms, term| two_of_diff(terms, term).or_else(|| own_star(terms, term, true));
            case.args.len() > 2 && changes(terms, case, wrong)
        },
        why: "UnicodeStrings: re.diff is left-associative",
    },
    Deviation {
        solver: SolverKind::Cvc4,
        version: "1.8",
        ops: REGULAR,
        condition: "a power or loop that ends at 0 or below its beginning, of a language that is its own star, is \
                    taken for that language, and that changes the value",
        when: |terms, case| changes(terms, case, |terms, term| own_star(terms, term, true)),
        why: "UnicodeStrings: ((_ re.^ 0) e) is the empty string alone, ((_ re.loop i n) e) is re.none if i > n",
    },
];

/// The exact value of a float argument of a format, if it is finite and of that format.
fn exact(case: &Case, i: usize, format: Format) -> Option<RBig> {
    match case.value(i) {
        Value::Float(f) if f.format() == format => Float::to_real(f),
        _ => None,
    }
}

fn mode(case: &Case) -> RoundingMode {
    match case.value(0) {
        Value::Rm(mode) => *mode,
        other => panic!("a rounding mode, not {other:?}"),
    }
}

/// Whether a case has another value if a solver reads some of its subterms in a wrong way.
fn changes(terms: &mut Terms, case: &Case, wrong: fn(&mut Terms, TermId) -> Option<TermId>) -> bool {
    let mut read = TermMap::default();
    for term in walk::reachable(terms, &[case.term]) {
        let args: Vec<TermId> = terms.args(term).iter().map(|a| read[a]).collect();
        let rebuilt = terms.rebuild(term, &args);
        let as_read = wrong(terms, rebuilt).unwrap_or(rebuilt);
        read.insert(term, as_read);
    }
    let model = smt::Model::default();
    Evaluator::new(terms, &model).eval(read[&case.term]) != case.outcome
}

/// The body of a repetition that a star is not affected by, except by repetitions that have no first round.
fn own_star(terms: &mut Terms, term: TermId, empty_loops: bool) -> Option<TermId> {
    match (terms.op(term), terms.indices(term)) {
        (Op::RePower, [0, _]) | (Op::ReLoop, [0, 0]) => {}
        (Op::ReLoop, [low, high]) if low > high && empty_loops => {}
        _ => return None,
    }
    let body = terms.args(term)[0];
    let star = terms.mk(Op::ReStar, &[body]);
    let same = terms.mk(Op::Eq, &[body, star]);
    let model = smt::Model::default();
    (Evaluator::new(terms, &model).eval(same) == Ok(Value::Bool(true))).then_some(body)
}

fn two_of_diff(terms: &mut Terms, term: TermId) -> Option<TermId> {
    match *terms.args(term) {
        [a, b, _, ..] if terms.op(term) == Op::ReDiff => Some(terms.mk(Op::ReDiff, &[a, b])),
        _ => None,
    }
}
