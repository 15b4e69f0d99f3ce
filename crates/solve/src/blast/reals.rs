//! Reals that come from floats: comparisons of `fp.to_real` with each other and with constants become comparisons of floats, and
//! choices between reals become choices between what is done with them.
//!
//! Where a float is NaN or infinite, `fp.to_real` is any real. Comparisons are then left open, each on its own: what has no
//! model even so is unsatisfiable, and what has one is judged by the evaluator, which takes 0 for the open value.

use crate::engine::Reason;
use crate::tuning::blast_reals::MAX_LEAVES;
use rustc_hash::FxHashMap;
use smt::{Float, Format, Op, RoundingMode, Sort, SortId, TermId, Terms, Value, walk};

/// What terms became, for as long as the arena lives.
#[derive(Debug, Default)]
pub(super) struct Reals {
    done: FxHashMap<TermId, TermId>,
    /// The comparisons that are open where a float has no real.
    open: FxHashMap<(Op, TermId, TermId), TermId>,
}

/// Whether a term of a real sort, or a comparison of reals, is of the kind that is handled here.
pub(super) fn is_handled(terms: &Terms, term: TermId) -> bool {
    match terms.op(term) {
        Op::Const | Op::Ite | Op::FpToReal | Op::ToFpFromReal => true,
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Distinct => terms.args(term).len() == 2,
        _ => false,
    }
}

fn is_real(terms: &Terms, term: TermId) -> bool {
    terms.sort(term) == SortId::REAL
}

impl Reals {
    /// The same assertions without reals, other than constants that are rounded.
    pub(super) fn replace(
        &mut self,
        terms: &mut Terms,
        assertions: &[TermId],
    ) -> Result<Vec<TermId>, Reason> {
        let missing: Vec<TermId> =
            assertions.iter().copied().filter(|a| !self.done.contains_key(a)).collect();
        for term in walk::reachable(terms, &missing) {
            if self.done.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> = terms.args(term).iter().map(|a| self.done[a]).collect();
            let over_reals = args.iter().any(|&a| is_real(terms, a));
            let new = match (terms.op(term), &*args) {
                (op @ (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Distinct), &[a, b]) if over_reals => {
                    self.compare(terms, op, a, b)?
                }
                (Op::ToFpFromReal, &[mode, real]) => rounded(terms, term, mode, real)?,
                _ if args == terms.args(term) => term,
                _ => terms.rebuild(term, &args),
            };
            self.done.insert(term, new);
        }
        Ok(assertions.iter().map(|a| self.done[a]).collect())
    }

    fn compare(&mut self, terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Result<TermId, Reason> {
        let (op, a, b, negate) = match op {
            Op::Gt => (Op::Lt, b, a, false),
            Op::Ge => (Op::Le, b, a, false),
            Op::Distinct => (Op::Eq, a, b, true),
            _ => (op, a, b, false),
        };
        let (left, right) = (leaves(terms, a)?, leaves(terms, b)?);
        if left.len() * right.len() > MAX_LEAVES {
            return Err(Reason::Unsupported);
        }
        let mut cases = Vec::new();
        for (guard, x) in &left {
            for (other, y) in &right {
                let holds = self.compare_leaves(terms, op, *x, *y)?;
                cases.push(terms.mk(Op::And, &[*guard, *other, holds]));
            }
        }
        let some = if let [only] = *cases { only } else { terms.mk(Op::Or, &cases) };
        Ok(if negate { terms.mk(Op::Not, &[some]) } else { some })
    }

    fn compare_leaves(&mut self, terms: &mut Terms, op: Op, x: TermId, y: TermId) -> Result<TermId, Reason> {
        let (p, q) = (source(terms, x), source(terms, y));
        let exact = match (p, q) {
            (None, None) => {
                let Some((Value::Real(x), Value::Real(y))) = terms.as_value(x).zip(terms.as_value(y)) else {
                    return Err(Reason::Unsupported);
                };
                let holds = match op {
                    Op::Lt => x < y,
                    Op::Le => x <= y,
                    _ => x == y,
                };
                return Ok(terms.bool(holds));
            }
            (Some(p), Some(q)) => {
                let (p, q) = (widened(terms, p, q), widened(terms, q, p));
                terms.mk(of_floats(op), &[p, q])
            }
            (Some(p), None) => beside_constant(terms, op, p, y, false)?,
            (None, Some(q)) => beside_constant(terms, op, q, x, true)?,
        };
        let open = match self.open.get(&(op, x, y)) {
            Some(&open) => open,
            None => {
                let name = terms.fresh_symbol("blast!real!");
                let fun = terms.declare(name, &[], SortId::BOOL);
                let open = terms.apply(fun, &[]).expect("a constant takes no arguments");
                self.open.insert((op, x, y), open);
                open
            }
        };
        let mut beyond = Vec::new();
        for float in [p, q].into_iter().flatten() {
            beyond.push(terms.mk(Op::FpIsNaN, &[float]));
            beyond.push(terms.mk(Op::FpIsInfinite, &[float]));
        }
        let beyond = terms.mk(Op::Or, &beyond);
        Ok(terms.mk(Op::Ite, &[beyond, open, exact]))
    }
}

/// What a real may be, and when.
fn leaves(terms: &mut Terms, real: TermId) -> Result<Vec<(TermId, TermId)>, Reason> {
    let mut found = Vec::new();
    let mut open = vec![(TermId::TRUE, real)];
    while let Some((guard, term)) = open.pop() {
        if let (Op::Ite, &[condition, a, b]) = (terms.op(term), terms.args(term)) {
            let not = terms.mk(Op::Not, &[condition]);
            for (condition, branch) in [(condition, a), (not, b)] {
                open.push((terms.mk(Op::And, &[guard, condition]), branch));
            }
        } else {
            found.push((guard, term));
        }
        if found.len() + open.len() > MAX_LEAVES {
            return Err(Reason::Unsupported);
        }
    }
    Ok(found)
}

/// The float that a real comes from.
fn source(terms: &Terms, real: TermId) -> Option<TermId> {
    (terms.op(real) == Op::FpToReal).then(|| terms.args(real)[0])
}

fn format(terms: &Terms, float: TermId) -> Format {
    match *terms.sort_of(terms.sort(float)) {
        Sort::Float(eb, sb) => Format { eb, sb },
        _ => unreachable!("the term is a float"),
    }
}

fn of_floats(op: Op) -> Op {
    match op {
        Op::Lt => Op::FpLt,
        Op::Le => Op::FpLeq,
        _ => Op::FpEq,
    }
}

/// A float in a format that has all numbers of another one as well.
fn widened(terms: &mut Terms, float: TermId, other: TermId) -> TermId {
    let (a, b) = (format(terms, float), format(terms, other));
    if a == b {
        return float;
    }
    let mode = terms.constant(Value::Rm(RoundingMode::Rne));
    let indices = [a.eb.max(b.eb) + 1, a.sb.max(b.sb)];
    terms.mk_indexed(Op::ToFpFromFp, indices, &[mode, float])
}

/// A finite float beside a constant: below it means below the next float above it, and so on.
fn beside_constant(
    terms: &mut Terms,
    op: Op,
    float: TermId,
    constant: TermId,
    constant_first: bool,
) -> Result<TermId, Reason> {
    let format = format(terms, float);
    let Some(Value::Real(real)) = terms.as_value(constant) else { return Err(Reason::Unsupported) };
    let above = Float::from_real(RoundingMode::Rtp, real, format);
    let below = Float::from_real(RoundingMode::Rtn, real, format);
    if op == Op::Eq && above != below {
        return Ok(TermId::FALSE);
    }
    // x < c: x < above; x <= c: x <= below; c < x: below < x; c <= x: above <= x.
    let nearest = if (op == Op::Lt) != constant_first { above } else { below };
    let nearest = terms.constant(Value::Float(nearest));
    let args = if constant_first { [nearest, float] } else { [float, nearest] };
    Ok(terms.mk(of_floats(op), &args))
}

/// A real that is rounded: a choice between constants.
fn rounded(terms: &mut Terms, term: TermId, mode: TermId, real: TermId) -> Result<TermId, Reason> {
    let indices = terms.indices(term);
    let mut result = None;
    for (guard, leaf) in leaves(terms, real)? {
        if terms.as_value(leaf).is_none() {
            return Err(Reason::Unsupported);
        }
        let float = terms.mk_indexed(Op::ToFpFromReal, indices, &[mode, leaf]);
        result = Some(match result {
            None => float,
            Some(rest) => terms.mk(Op::Ite, &[guard, float, rest]),
        });
    }
    result.ok_or(Reason::Unsupported)
}
