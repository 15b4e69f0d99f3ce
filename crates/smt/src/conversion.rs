//! Conversions of floats that have no value: NaN, infinities and what is out of range. SMT-LIB leaves the result to the model,
//! as a function of the arguments; here each such function has a name, so that a model can say what it is.

use crate::float::Format;
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::term::{TermId, Terms};

/// An operator that is open for some arguments, at one width and format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Conversion {
    /// `fp.to_ubv`, `fp.to_sbv`, `fp.to_real` or `fp.to_ieee_bv`.
    pub op: Op,
    /// The width of the result, where the operator has it as an index.
    pub width: u32,
    /// The format that it converts from.
    pub format: Format,
}

/// The operators. SMT-LIB keeps symbols that begin with `@` for solvers.
static NAMES: [(Op, &str); 4] = [
    (Op::FpToUbv, "@fp.to_ubv"),
    (Op::FpToSbv, "@fp.to_sbv"),
    (Op::FpToReal, "@fp.to_real"),
    (Op::FpToIeeeBv, "@fp.to_ieee_bv"),
];

impl Conversion {
    /// The conversion that a term applies.
    pub fn of(terms: &Terms, term: TermId) -> Option<Conversion> {
        let op = terms.op(term);
        NAMES.iter().find(|(o, _)| *o == op)?;
        match *terms.sort_of(terms.sort(*terms.args(term).last()?)) {
            Sort::Float(eb, sb) => {
                Some(Conversion { op, width: terms.indices(term)[0], format: Format { eb, sb } })
            }
            _ => None,
        }
    }

    /// What a model's text calls it: the operator, its width and the format, between points.
    pub fn name(&self) -> String {
        let (_, name) = NAMES.iter().find(|(op, _)| *op == self.op).expect("one of the operators");
        format!("{name}.{}.{}.{}", self.width, self.format.eb, self.format.sb)
    }

    /// The conversion of this name.
    pub fn by_name(name: &str) -> Option<Conversion> {
        let mut parts = name.rsplitn(4, '.');
        let mut number = || parts.next()?.parse::<u32>().ok();
        let (sb, eb, width) = (number()?, number()?, number()?);
        let base = parts.next()?;
        let (op, _) = NAMES.iter().find(|(_, name)| *name == base)?;
        let format = Format { eb, sb };
        format.is_supported().then_some(Conversion { op: *op, width, format })
    }

    /// The sorts of its arguments and its result.
    pub fn signature(&self, terms: &mut Terms) -> (Vec<SortId>, SortId) {
        let float = terms.float_sort(self.format.eb, self.format.sb);
        match self.op {
            Op::FpToReal => (vec![float], SortId::REAL),
            Op::FpToIeeeBv => (vec![float], terms.bit_vec_sort(self.format.width())),
            _ => (vec![SortId::ROUNDING_MODE, float], terms.bit_vec_sort(self.width)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (op, _) in NAMES {
            let conversion = Conversion { op, width: 7, format: Format::FLOAT32 };
            assert_eq!(Conversion::by_name(&conversion.name()), Some(conversion));
        }
        for name in ["@fp.to_ubv", "@fp.to_ubv.1.2", "@fp.to_ubv.8.1.1", "fp.to_ubv.8.3.5", "@fp.min.pos.neg"]
        {
            assert_eq!(Conversion::by_name(name), None, "{name}");
        }
    }
}
