//! Instances of a row of the operator table: which sorts the arguments of one application have, once the caller has
//! chosen what the row leaves open. The row says which choices fit together.

use crate::op::{Arg, Op, OpInfo, Res};
use crate::sort::{Sort, SortId};
use crate::term::Terms;

/// What a row leaves open and one application fixes: arguments that the row gives the same letter have the same sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The width of bit-vectors.
    pub width: u32,
    /// The format of floats: bits of the exponent and of the significand.
    pub format: (u32, u32),
    /// `Int` or `Real`.
    pub number: SortId,
    /// What the letter for any sort stands for.
    pub any: SortId,
    /// The index of arrays.
    pub index: SortId,
    /// The element sort of arrays, sequences, sets and bags.
    pub element: SortId,
    /// The order of finite fields: a prime.
    pub order: u64,
}

impl OpInfo {
    /// The sorts of so many arguments. Arguments that may have any width or format, each for itself ([`Arg::BvAny`],
    /// [`Arg::FpAny`]), are asked for one by one.
    pub fn argument_sorts(
        &self,
        terms: &mut Terms,
        count: usize,
        chosen: &Chosen,
        choose: &mut dyn FnMut(&mut Terms, Arg) -> SortId,
    ) -> Vec<SortId> {
        (0..count)
            .map(|i| match self.arg(i) {
                Arg::Bool => SortId::BOOL,
                Arg::Int => SortId::INT,
                Arg::Real => SortId::REAL,
                Arg::Num => chosen.number,
                Arg::Rm => SortId::ROUNDING_MODE,
                Arg::Str => SortId::STRING,
                Arg::Re => SortId::REG_LAN,
                Arg::Bv => terms.bit_vec_sort(chosen.width),
                Arg::Bv1 => terms.bit_vec_sort(1),
                Arg::Fp => terms.float_sort(chosen.format.0, chosen.format.1),
                Arg::A => chosen.any,
                Arg::Arr => terms.array_sort(chosen.index, chosen.element),
                Arg::Index => chosen.index,
                // An instance has one element sort: what arrays and collections consist of is the same choice.
                Arg::Element | Arg::Item => chosen.element,
                Arg::Collection(kind) => terms.make_sort(Sort::Collection(kind, chosen.element)),
                Arg::Field => terms.make_sort(Sort::FiniteField(chosen.order.into())),
                free @ (Arg::BvAny | Arg::FpAny) => choose(terms, free),
            })
            .collect()
    }

    /// Makes sorts fit where a row's numerals or format determine them: the fields of a float, and the bits that are read as one.
    pub fn fit_sorts(&self, terms: &mut Terms, sorts: &mut [SortId], format: (u32, u32), indices: [u32; 2]) {
        if self.result == Res::FormatOfFields {
            sorts[1] = terms.bit_vec_sort(format.0);
            sorts[2] = terms.bit_vec_sort(format.1 - 1);
        }
        if self.op == Op::ToFpFromBits {
            sorts[0] = terms.bit_vec_sort(indices[0] + indices[1]);
        }
    }
}
