//! The executable semantics: the value of a term under a model, or why it has none.
//!
//! This is the judge of the whole project. A value is given exactly where SMT-LIB and the model fix it; everything else
//! is [`Undefined`] with the reason. Evaluation is lazy (`and`, `or`, `=>` and `ite` need not know all their arguments),
//! memoised on the DAG, and runs on an explicit stack under a budget of steps.

pub(crate) mod arith;
pub(crate) mod array;
pub(crate) mod bv;
pub(crate) mod collection;
pub(crate) mod core;
mod domain;
mod explain;
pub(crate) mod field;
pub(crate) mod fp;
mod machine;
pub(crate) mod string;

pub use array::canonical as canonical_array;
pub use domain::{candidates, values_of};
pub use explain::{Explanation, explain, shown};
pub use machine::Evaluator;

use crate::model::Model;
use crate::regex::Regexes;
use crate::sort::SortId;
use crate::string::LimitReached;
use crate::term::Terms;
use crate::value::Value;

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Undefined {
    /// `/`, `div` or `mod` by zero, which SMT-LIB leaves to the model, and the model does not say.
    #[error("division by zero")]
    DivisionByZero,
    /// `fp.min` or `fp.max` of zeros of opposite sign.
    #[error("fp.min or fp.max of zeros of opposite sign")]
    ZeroSigns,
    /// A float that has no value in the sort it is converted to.
    #[error("conversion of a float that is NaN, infinite or out of range")]
    FloatConversion,
    /// A quantifier that enumeration and samples do not decide.
    #[error("a quantifier that evaluation cannot decide")]
    Quantifier,
    /// A function or constant that the model does not list, or not for these arguments.
    #[error("the model does not list `{0}`")]
    Unlisted(String),
    /// An element of an array that the model does not list.
    #[error("the model does not list this element of an array")]
    UnlistedElement,
    /// `seq.nth` outside of the sequence, which the solvers leave to the model.
    #[error("seq.nth outside of the sequence")]
    OutsideSequence,
    /// A selector applied to another constructor.
    #[error("selector `{0}` applied to another constructor")]
    WrongSelector(String),
    /// A value that is known only by a name, such as an algebraic number.
    #[error("a value that is not known exactly")]
    Opaque,
    /// An operator outside the standard that has no evaluation.
    #[error("`{0}` has no evaluation")]
    Unsupported(&'static str),
    /// Equality of functions.
    #[error("equality of functions or regular languages that evaluation cannot decide")]
    Equality,
    /// The evaluation would take too many steps or too much memory.
    #[error("{0}")]
    Limit(&'static str),
}

/// What an operator's evaluation function sees.
pub struct Call<'a> {
    /// The values of the arguments.
    pub args: &'a [Value],
    /// The numerals of an indexed operator.
    pub indices: [u32; 2],
    /// The sort of the application.
    pub sort: SortId,
    /// The arena.
    pub terms: &'a Terms,
    /// The regular expressions of this evaluation.
    pub regexes: &'a mut Regexes,
}

/// A value, or why there is none.
pub type EvalResult = Result<Value, Undefined>;

/// How an operator is evaluated.
#[derive(Clone, Copy)]
pub enum Evaluation {
    /// From the values of all its arguments.
    Strict(fn(&mut Call<'_>) -> EvalResult),
    /// From its arguments one after the other, as far as they are needed; told how many there are.
    Lenient(fn(&[EvalResult], usize) -> Need),
    /// By the evaluator itself.
    Node,
    /// Not at all.
    Opaque,
}

impl std::fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Evaluation::Strict(_) => "Strict",
            Evaluation::Lenient(_) => "Lenient",
            Evaluation::Node => "Node",
            Evaluation::Opaque => "Opaque",
        })
    }
}

/// What a lenient operator says after seeing its first arguments.
pub enum Need {
    /// The value is known.
    Done(EvalResult),
    /// The argument at this position is needed next.
    Arg(usize),
    /// All arguments were seen; with the given one undefined the application is.
    Undefined(usize),
}

impl From<LimitReached> for Undefined {
    fn from(_: LimitReached) -> Self {
        Undefined::Limit("a string or regular expression is too large to evaluate")
    }
}

/// Model and arena, for convenience.
pub fn eval(terms: &Terms, model: &Model, term: crate::term::TermId) -> EvalResult {
    Evaluator::new(terms, model).eval(term)
}
