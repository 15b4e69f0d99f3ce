//! Instances of a table row's signature: which sorts and numerals one application of an operator may have. Panics for a
//! row it has no rule for, so that a new operator is covered by the tests or makes them fail.

use crate::{FORMATS, Rng, WIDTHS};
use smt::op::{Arg, Arity, OpInfo, Res};
use smt::{Op, SortId, Terms};

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
    let (num, any) = (rng.pick(&[SortId::INT, SortId::REAL]), any_sort(terms, rng));
    let (index, element) = (index_sort(terms, rng), any_sort(terms, rng));
    let mut sorts: Vec<SortId> = (0..count)
        .map(|i| match row.arg(i) {
            Arg::Bool => SortId::BOOL,
            Arg::Int => SortId::INT,
            Arg::Real => SortId::REAL,
            Arg::Num => num,
            Arg::Rm => SortId::ROUNDING_MODE,
            Arg::Str => SortId::STRING,
            Arg::Re => SortId::REG_LAN,
            Arg::Bv => terms.bit_vec_sort(width),
            Arg::BvAny => terms.bit_vec_sort(rng.pick(&WIDTHS)),
            Arg::Bv1 => terms.bit_vec_sort(1),
            Arg::Fp => terms.float_sort(format.0, format.1),
            Arg::FpAny => {
                let (eb, sb) = rng.pick(&FORMATS);
                terms.float_sort(eb, sb)
            }
            Arg::A => any,
            Arg::Arr => terms.array_sort(index, element),
            Arg::Index => index,
            Arg::Element => element,
        })
        .collect();
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
        Res::FormatOfFields => {
            // The format must be one that has names for its bits: exponents of one bit do not exist.
            sorts[1] = terms.bit_vec_sort(format.0);
            sorts[2] = terms.bit_vec_sort(format.1 - 1);
            [0; 2]
        }
        _ => match row.op {
            Op::RotateLeft | Op::RotateRight => [rng.below(2 * first_width as usize + 2) as u32, 0],
            Op::Divisible => [rng.pick(&[1, 2, 3, 7, 12, 1 << 31]), 0],
            Op::RePower => [rng.below(5) as u32, 0],
            Op::ReLoop => [rng.below(4) as u32, rng.below(5) as u32],
            _ => {
                assert_eq!(row.indices, 0, "no rule for the numerals of `{}`", row.name);
                [0; 2]
            }
        },
    };
    if row.op == Op::ToFpFromBits {
        sorts[0] = terms.bit_vec_sort(indices[0] + indices[1]);
    }
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
