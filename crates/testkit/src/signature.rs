//! Instances of a table row's signature: which sorts and numerals one application of an operator may have. Panics for a
//! row it has no rule for, so that a new operator is covered by the tests or makes them fail.

use crate::ground::ORDERS;
use crate::{FORMATS, Rng, WIDTHS};
use smt::op::{Arg, Arity, OpInfo, Res};
use smt::{Chosen, Op, SortId, Terms, Theory};

/// The sorts and numerals of one application.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The sorts of the arguments.
    pub sorts: Vec<SortId>,
    /// The numerals.
    pub indices: [u32; 2],
}

/// A random instance of a row's signature.
pub fn signature(terms: &mut Terms, rng: &mut Rng, row: &OpInfo) -> Signature {
    let count = match row.arity {
        Arity::Exact => row.args.len(),
        Arity::AtLeast(n) => n as usize + rng.pick(&[0, 0, 1, 2]),
    };
    let (width, format) = (rng.pick(&WIDTHS), rng.pick(&FORMATS));
    let (number, any) = (rng.pick(&[SortId::INT, SortId::REAL]), any_sort(terms, rng));
    let (index, element) = (index_sort(terms, rng), any_sort(terms, rng));
    // Collections are of what all solvers that have them can compare.
    let element = match row.theory {
        Theory::Sequences | Theory::Sets | Theory::Bags => {
            rng.pick(&[SortId::INT, SortId::INT, SortId::BOOL, SortId::STRING])
        }
        _ => element,
    };
    let order = if row.theory == Theory::Fields { rng.pick(&ORDERS) } else { ORDERS[0] };
    let chosen = Chosen { width, format, number, any, index, element, order };
    let mut sorts = row.argument_sorts(terms, count, &chosen, &mut |terms, free| {
        if free == Arg::BvAny {
            return terms.bit_vec_sort(rng.pick(&WIDTHS));
        }
        let (eb, sb) = rng.pick(&FORMATS);
        terms.float_sort(eb, sb)
    });
    let first_width = match sorts.first().map(|&s| terms.sort_of(s)) {
        Some(smt::Sort::BitVec(width)) => *width,
        _ => 1,
    };
    let indices = match row.result {
        Res::WidthOfSlice => {
            let high = rng.below(first_width as usize) as u32;
            [high, rng.below(high as usize + 1) as u32]
        }
        Res::WidthTimes => [rng.pick(&[1, 2, 3, 8]), 0],
        Res::WidthPlus => [rng.pick(&[0, 1, 7, 64]), 0],
        Res::WidthIndex => [rng.pick(&WIDTHS), 0],
        Res::FormatIndices => [format.0, format.1],
        Res::FormatOfFields => [0; 2],
        _ => match row.op {
            Op::RotateLeft | Op::RotateRight => [rng.below(2 * first_width as usize + 2) as u32, 0],
            Op::Divisible => [rng.pick(&[1, 2, 3, 7, 12, 1 << 31]), 0],
            Op::IntAnd => [rng.pick(&[1, 2, 5, 8, 33]), 0],
            Op::RePower => [rng.below(5) as u32, 0],
            Op::ReLoop => [rng.below(4) as u32, rng.below(5) as u32],
            _ => {
                assert_eq!(row.indices, 0, "no rule for the numerals of `{}`", row.name);
                [0; 2]
            }
        },
    };
    row.fit_sorts(terms, &mut sorts, format, indices);
    Signature { sorts, indices }
}

/// Any sort whose values can be written: what `=` and `ite` are tried with.
fn any_sort(terms: &mut Terms, rng: &mut Rng) -> SortId {
    match rng.below(11) {
        0 => SortId::BOOL,
        1 => SortId::INT,
        2 => SortId::REAL,
        3 => SortId::STRING,
        4 => SortId::ROUNDING_MODE,
        5 | 6 => terms.bit_vec_sort(rng.pick(&[1, 8, 65])),
        7 | 8 => {
            let (eb, sb) = rng.pick(&FORMATS);
            terms.float_sort(eb, sb)
        }
        _ => {
            let (index, element) = (index_sort(terms, rng), index_sort(terms, rng));
            let array = terms.array_sort(index, element);
            if rng.one_in(4) { terms.array_sort(index, array) } else { array }
        }
    }
}

/// Sorts with one, few and infinitely many values.
fn index_sort(terms: &mut Terms, rng: &mut Rng) -> SortId {
    match rng.below(8) {
        0 => SortId::BOOL,
        1 | 2 => SortId::INT,
        3 => SortId::STRING,
        4 => SortId::REAL,
        5 => terms.float_sort(2, 3),
        _ => terms.bit_vec_sort(rng.pick(&[1, 2, 8])),
    }
}
