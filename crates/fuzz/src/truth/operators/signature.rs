//! Which sorts and numerals an application of a table row may have here, and which rows are left out. What is chosen is
//! what the reference solvers read: widths of machine words, the usual float formats, no operator that only SMT-LIB 2.7 has.

use random::Rng;
use smt::op::{Arg, Arity, OpInfo, Res};
use smt::{Chosen, Op, Sort, SortId, Terms, Theory};

/// What applications are made of.
#[derive(Debug)]
pub(in crate::truth) struct Palette {
    pub(in crate::truth) theories: Vec<Theory>,
    pub(in crate::truth) widths: &'static [u32],
    pub(in crate::truth) formats: &'static [(u32, u32)],
    pub(in crate::truth) numbers: &'static [SortId],
    /// A declared sort, where there is one.
    pub(in crate::truth) declared: Option<SortId>,
}

impl Palette {
    /// Widths and formats that every solver reads.
    pub(super) fn usual(theories: Vec<Theory>) -> Palette {
        Palette { theories, widths: &WIDTHS, formats: &FORMATS, numbers: &NUMBERS, declared: None }
    }
}

/// Orders of finite fields: the smallest, odd ones, and one beyond a machine word's half.
pub(in crate::truth) const ORDERS: [u64; 5] = [2, 3, 7, 17, 4_294_967_311];
const WIDTHS: [u32; 7] = [1, 3, 8, 16, 32, 33, 64];
const NUMBERS: [SortId; 3] = [SortId::INT, SortId::INT, SortId::REAL];
/// What cvc5 reads without an experimental option.
const FORMATS: [(u32, u32); 2] = [(8, 24), (11, 53)];

/// Operators that Z3 4.8 or cvc5 1.0 does not read: later additions to the standard, and names that only some solvers have.
static NOT_EVERYWHERE: &[Op] = &[
    Op::Divisible,
    Op::BvNego,
    Op::BvUaddo,
    Op::BvSaddo,
    Op::BvUmulo,
    Op::BvSmulo,
    Op::BvUsubo,
    Op::BvSsubo,
    Op::BvSdivo,
    Op::UbvToInt,
    Op::SbvToInt,
    Op::IntToBv,
    Op::Nat2Bv,
    // cvc5's alone, or not in all of its releases.
    Op::SeqUpdate,
    Op::SeqRev,
    Op::SeqReplaceAll,
    Op::SetIsEmpty,
    Op::SetIsSingleton,
    Op::BagMember,
    Op::BagSetOf,
    // Of constants only, which is how the leaves of regular expressions are made.
    Op::ReRange,
];

/// Operators that the standard calls associative or chainable, but solvers read with two arguments only.
static BINARY: &[Op] = &[Op::StrLt, Op::StrLe, Op::Xor];

/// The rows of some theories.
pub(in crate::truth) fn rows(theories: &[Theory]) -> Vec<&'static OpInfo> {
    Op::all().filter(|row| theories.contains(&row.theory) && !NOT_EVERYWHERE.contains(&row.op)).collect()
}

/// Whether an operator may take this many arguments here: a sum of one term is none for every solver.
pub(in crate::truth) fn takes(row: &OpInfo, arguments: usize) -> bool {
    let most = if BINARY.contains(&row.op) { 2 } else { usize::MAX };
    let least = if matches!(row.arity, Arity::AtLeast(_)) { 2 } else { 0 };
    row.takes(arguments) && (least..=most).contains(&arguments)
}

/// The sorts of the arguments of one application, and its numerals.
pub(in crate::truth) struct Signature {
    pub(in crate::truth) sorts: Vec<SortId>,
    pub(in crate::truth) indices: [u32; 2],
}

/// A random application of a row to this many arguments, or to as many as it likes.
pub(in crate::truth) fn signature(
    terms: &mut Terms,
    rng: &mut Rng,
    row: &OpInfo,
    palette: &Palette,
    arguments: Option<usize>,
) -> Signature {
    let count = arguments.unwrap_or_else(|| match row.arity {
        Arity::Exact => row.args.len(),
        Arity::AtLeast(least) => {
            let count = usize::from(least).max(2) + usize::from(rng.one_in(4));
            if takes(row, count) { count } else { 2 }
        }
    });
    let (width, format) = (rng.pick(palette.widths), rng.pick(palette.formats));
    let number = rng.pick(palette.numbers);
    let any = scalar(terms, rng, palette);
    let (index, element) = (scalar(terms, rng, palette), scalar(terms, rng, palette));
    // Solvers know `abs` of integers, the standard also that of reals.
    let number = if row.op == Op::Abs { SortId::INT } else { number };
    let order = if row.theory == Theory::Fields { rng.pick(&ORDERS) } else { ORDERS[0] };
    let chosen = Chosen { width, format, number, any, index, element, order };
    let mut sorts = row.argument_sorts(terms, count, &chosen, &mut |terms, free| {
        if free == Arg::BvAny {
            return terms.bit_vec_sort(rng.pick(palette.widths));
        }
        let (eb, sb) = rng.pick(palette.formats);
        terms.float_sort(eb, sb)
    });
    let first_width = match sorts.first().map(|&sort| terms.sort_of(sort)) {
        Some(Sort::BitVec(width)) => *width,
        _ => 1,
    };
    let indices = match row.result {
        Res::WidthOfSlice => {
            let high = rng.below(first_width as usize) as u32;
            [high, rng.below(high as usize + 1) as u32]
        }
        Res::WidthTimes => [1 + rng.below(3) as u32, 0],
        // Beside small widths, small extensions: so that what is extended meets what is not.
        Res::WidthPlus if palette.widths.iter().all(|&width| width <= 4) => [rng.below(4) as u32, 0],
        Res::WidthPlus => [rng.pick(&[0, 1, 8, 32]), 0],
        Res::WidthIndex => [rng.pick(palette.widths), 0],
        Res::FormatIndices => [format.0, format.1],
        Res::FormatOfFields => [0; 2],
        _ => match row.op {
            Op::RotateLeft | Op::RotateRight => [rng.below(first_width as usize + 1) as u32, 0],
            Op::RePower => [rng.below(4) as u32, 0],
            Op::ReLoop => {
                let low = rng.below(3) as u32;
                [low, low + rng.below(3) as u32]
            }
            _ => [0; 2],
        },
    };
    row.fit_sorts(terms, &mut sorts, format, indices);
    Signature { sorts, indices }
}

/// A sort with values that can be written, of one of the theories.
fn scalar(terms: &mut Terms, rng: &mut Rng, palette: &Palette) -> SortId {
    let theory = rng.pick(&palette.theories);
    match theory {
        Theory::BitVec => terms.bit_vec_sort(rng.pick(palette.widths)),
        Theory::Float => {
            let (eb, sb) = rng.pick(palette.formats);
            terms.float_sort(eb, sb)
        }
        Theory::Strings => SortId::STRING,
        Theory::Arith | Theory::Arrays | Theory::Sequences | Theory::Sets | Theory::Bags => SortId::INT,
        Theory::Fields => terms.make_sort(Sort::FiniteField(rng.pick(&ORDERS).into())),
        Theory::Core | Theory::Language | Theory::Extension => match palette.declared {
            Some(declared) if !rng.one_in(3) => declared,
            _ => SortId::BOOL,
        },
    }
}
