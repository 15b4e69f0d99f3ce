//! Equalities of polynomials: both sides are multiplied out to see whether their difference is a constant.
//!
//! The expansion is only looked at, never built: circuits of expanded products would be larger than the ones written.

use super::Rule;
use super::build::*;
use crate::tuning::blast_rewrite_polynomial::{MAX_DEPTH, MAX_MONOMIALS};
use smt::{BitVec, Op, TermId, Terms};
use std::collections::BTreeMap;

pub(super) static RULES: &[Rule] = &[Rule {
    id: "eq-polynomial",
    op: Op::Eq,
    apply: decide,
    laws: &[
        ("(= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul z x)))", "true"),
        ("(= (bvmul x (bvadd y {1})) (bvadd (bvmul x y) x {1}))", "false"),
        ("(= (bvmul (bvadd x y) (bvadd x (bvneg y))) (bvadd (bvmul x x) (bvneg (bvmul y y))))", "true"),
    ],
}];

/// Products of terms with their factors; the empty product is the constant.
type Polynomial = BTreeMap<Vec<TermId>, BitVec>;

fn decide(t: &mut Terms, n: TermId) -> Option<TermId> {
    let (a, b) = pair(t, n)?;
    let multiplies = |x: TermId| {
        t.op(x) == Op::BvMul || t.op(x) == Op::BvAdd && t.args(x).iter().any(|&y| t.op(y) == Op::BvMul)
    };
    if !multiplies(a) && !multiplies(b) {
        return None;
    }
    let mut difference = expand(t, a, MAX_DEPTH)?;
    for (product, factor) in expand(t, b, MAX_DEPTH)? {
        accumulate(&mut difference, product, &factor.neg());
    }
    let constant = difference.remove(&Vec::new()).unwrap_or_else(|| BitVec::zero(width(t, a)));
    difference.is_empty().then(|| t.bool(constant.is_zero()))
}

fn accumulate(sum: &mut Polynomial, product: Vec<TermId>, factor: &BitVec) {
    let entry = sum.entry(product.clone()).or_insert_with(|| BitVec::zero(factor.width()));
    *entry = entry.add(factor);
    if entry.is_zero() {
        sum.remove(&product);
    }
}

fn expand(t: &Terms, term: TermId, depth: u32) -> Option<Polynomial> {
    let w = width(t, term);
    let one = BitVec::from_u64(w, 1);
    if let Some(c) = bit_vec(t, term) {
        let mut constant = Polynomial::new();
        accumulate(&mut constant, Vec::new(), c);
        return Some(constant);
    }
    let mut result = Polynomial::new();
    match t.op(term) {
        Op::BvAdd if depth > 0 => {
            for &arg in t.args(term) {
                for (product, factor) in expand(t, arg, depth - 1)? {
                    accumulate(&mut result, product, &factor);
                }
            }
        }
        Op::BvNeg if depth > 0 => {
            for (product, factor) in expand(t, t.args(term)[0], depth - 1)? {
                accumulate(&mut result, product, &factor.neg());
            }
        }
        Op::BvMul if depth > 0 => {
            accumulate(&mut result, Vec::new(), &one);
            for &arg in t.args(term) {
                let other = expand(t, arg, depth - 1)?;
                let mut next = Polynomial::new();
                for (p, c) in &result {
                    for (q, d) in &other {
                        let mut product: Vec<TermId> = p.iter().chain(q).copied().collect();
                        product.sort_unstable();
                        accumulate(&mut next, product, &c.mul(d));
                    }
                }
                result = next;
                if result.len() > MAX_MONOMIALS {
                    return None;
                }
            }
        }
        _ => accumulate(&mut result, vec![term], &one),
    }
    (result.len() <= MAX_MONOMIALS).then_some(result)
}
