//! What the engine handles: bit-vectors, floats, Booleans and uninterpreted sorts, arrays between them, and functions over
//! them. Reals occur as constants, as choices between them, and as what floats are (`reals`).

use super::reals;
use rustc_hash::FxHashSet;
use smt::{Format, Op, Sort, SortId, TermId, Terms, Theory};

/// Remembers which terms were found to be within the engine's reach.
#[derive(Debug, Default)]
pub(super) struct Support {
    accepted: FxHashSet<TermId>,
    /// Whether a real was ever seen.
    pub(super) has_reals: bool,
    stack: Vec<TermId>,
}

impl Support {
    /// Whether all that occurs in the terms is handled.
    pub(super) fn covers(&mut self, terms: &Terms, roots: &[TermId]) -> bool {
        self.stack.clear();
        self.stack.extend_from_slice(roots);
        while let Some(term) = self.stack.pop() {
            if self.accepted.contains(&term) {
                continue;
            }
            if !node_is_handled(terms, term) {
                return false;
            }
            self.has_reals |= terms.sort(term) == SortId::REAL;
            self.accepted.insert(term);
            self.stack.extend_from_slice(terms.args(term));
        }
        true
    }
}

fn node_is_handled(terms: &Terms, term: TermId) -> bool {
    let op = terms.op(term);
    let reals = |t: TermId| terms.sort(t) == SortId::REAL;
    if reals(term) || terms.args(term).iter().any(|&a| reals(a)) {
        return reals::is_handled(terms, term);
    }
    sort_is_handled(terms, terms.sort(term))
        && match (op.info().theory, op) {
            (_, Op::Const) => is_scalar(terms, terms.sort(term)),
            (_, Op::ConstArray) => true,
            (_, Op::Apply) => function_is_handled(terms, term),
            (_, Op::UbvToInt | Op::SbvToInt | Op::IntToBv | Op::Bv2Nat | Op::Nat2Bv | Op::Int2Bv) => false,
            (Theory::Core | Theory::BitVec | Theory::Float | Theory::Arrays, _) => true,
            (_, Op::BvRedOr | Op::BvRedAnd | Op::FpToIeeeBv) => true,
            _ => false,
        }
}

fn function_is_handled(terms: &Terms, term: TermId) -> bool {
    let Some(fun) = terms.as_fun(term) else { return false };
    let decl = terms.fun(fun);
    decl.definition.is_none()
        && !terms.is_function_symbol(term)
        && decl.params.iter().all(|&p| is_scalar(terms, p))
        && (decl.params.is_empty() || is_scalar(terms, decl.result))
}

/// Sorts whose values are words of bits.
pub(super) fn is_scalar(terms: &Terms, sort: SortId) -> bool {
    match *terms.sort_of(sort) {
        Sort::Bool | Sort::BitVec(_) | Sort::RoundingMode | Sort::Uninterpreted(..) => true,
        Sort::Float(eb, sb) => Format { eb, sb }.is_supported(),
        _ => false,
    }
}

/// Whether a term is an array.
pub(super) fn is_array(terms: &Terms, term: TermId) -> bool {
    matches!(terms.sort_of(terms.sort(term)), Sort::Array(..))
}

fn sort_is_handled(terms: &Terms, sort: SortId) -> bool {
    match *terms.sort_of(sort) {
        Sort::Array(index, element) => is_scalar(terms, index) && is_scalar(terms, element),
        _ => is_scalar(terms, sort),
    }
}
