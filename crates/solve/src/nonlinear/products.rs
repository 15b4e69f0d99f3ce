//! Products as unknowns: every product of two terms that are no constants gets a name, and stands for it. A division by such a term
//! is an unknown quotient whose product with the divisor is known, where the divisor is not zero; what it is there, SMT-LIB leaves open.
//! Powers of two get names as well.

use crate::tuning::nonlinear_products::MAX_POWER;
use rustc_hash::FxHashMap;
use smt::{IBig, Op, SortId, TermId, Terms, Value, walk};

/// A product and the unknown that stands for it. Both factors are linear over symbols and unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub(super) a: TermId,
    pub(super) b: TermId,
    pub(super) result: TermId,
    pub(super) is_int: bool,
}

/// A power of two and the unknown that stands for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Power {
    pub(super) exponent: TermId,
    pub(super) result: TermId,
}

/// The products of a query.
#[derive(Debug, Default)]
pub(super) struct Products {
    pub(super) list: Vec<Product>,
    /// Powers of two with unknown exponents.
    pub(super) powers: Vec<Power>,
    /// What holds of quotients and remainders.
    pub(super) facts: Vec<TermId>,
    known: FxHashMap<(TermId, TermId), TermId>,
    /// Quotient and remainder of integers, by what is divided and by what.
    divided: FxHashMap<(TermId, TermId), (TermId, TermId)>,
}

impl Products {
    /// The products of some assertions, and the assertions with unknowns in their place.
    pub(super) fn abstracted(terms: &mut Terms, assertions: &[TermId]) -> (Products, Vec<TermId>) {
        let mut products = Products::default();
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in walk::reachable(terms, assertions) {
            let args: Vec<TermId> = terms.args(term).iter().map(|a| done[a]).collect();
            let new = match terms.op(term) {
                Op::Mul => products.chain(terms, &args),
                Op::Power => match small_power(terms, args[1]) {
                    Some(n) => products.chain(terms, &vec![args[0]; n]),
                    None => terms.rebuild(term, &args),
                },
                Op::Pow2 if terms.as_value(args[0]).is_none() => products.power(terms, args[0]),
                Op::Div if args[1..].iter().any(|&a| terms.as_value(a).is_none()) => {
                    args[1..].iter().fold(args[0], |a, &b| products.quotient(terms, a, b))
                }
                Op::IntDiv if args[1..].iter().any(|&a| terms.as_value(a).is_none()) => {
                    args[1..].iter().fold(args[0], |a, &b| products.divided(terms, a, b).0)
                }
                Op::Mod if terms.as_value(args[1]).is_none() => products.divided(terms, args[0], args[1]).1,
                _ if args == terms.args(term) => term,
                _ => terms.rebuild(term, &args),
            };
            done.insert(term, new);
        }
        (products, assertions.iter().map(|a| done[a]).collect())
    }

    /// The product of several factors, two at a time; constants stay factors of the whole.
    fn chain(&mut self, terms: &mut Terms, factors: &[TermId]) -> TermId {
        let (constants, mut unknowns): (Vec<TermId>, Vec<TermId>) =
            factors.iter().partition(|&&f| terms.as_value(f).is_some());
        unknowns.sort_unstable();
        let mut product = unknowns.first().copied();
        for &factor in unknowns.iter().skip(1) {
            product = product.map(|so_far| self.of_two(terms, so_far, factor));
        }
        let all: Vec<TermId> = constants.into_iter().chain(product).collect();
        if let [only] = *all { only } else { terms.mk(Op::Mul, &all) }
    }

    fn unknown(&mut self, terms: &mut Terms, prefix: &str, sort: SortId) -> TermId {
        let name = terms.fresh_symbol(prefix);
        let fun = terms.declare(name, &[], sort);
        terms.apply(fun, &[]).expect("a constant takes no arguments")
    }

    fn power(&mut self, terms: &mut Terms, exponent: TermId) -> TermId {
        if let Some(known) = self.powers.iter().find(|power| power.exponent == exponent) {
            return known.result;
        }
        let result = self.unknown(terms, "power!", SortId::INT);
        self.powers.push(Power { exponent, result });
        result
    }

    /// `a / b` over the reals.
    fn quotient(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        if terms.as_value(b).is_some() {
            return terms.mk(Op::Div, &[a, b]);
        }
        if let Some(&(known, _)) = self.divided.get(&(a, b)) {
            return known;
        }
        let quotient = self.unknown(terms, "quotient!", SortId::REAL);
        let product = self.chain(terms, &[quotient, b]);
        let zero = terms.real(smt::RBig::ZERO);
        let (is_zero, exact) = (terms.mk(Op::Eq, &[b, zero]), terms.mk(Op::Eq, &[product, a]));
        self.facts.push(terms.mk(Op::Or, &[is_zero, exact]));
        self.divided.insert((a, b), (quotient, a));
        quotient
    }

    /// `a div b` and `a mod b`.
    fn divided(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
        if terms.as_value(b).is_some() {
            return (terms.mk(Op::IntDiv, &[a, b]), terms.mk(Op::Mod, &[a, b]));
        }
        if let Some(&known) = self.divided.get(&(a, b)) {
            return known;
        }
        let quotient = self.unknown(terms, "quotient!", SortId::INT);
        let rest = self.unknown(terms, "rest!", SortId::INT);
        let product = self.chain(terms, &[quotient, b]);
        let zero = terms.int(0);
        let sum = terms.mk(Op::Add, &[product, rest]);
        let size = terms.mk(Op::Abs, &[b]);
        let exact =
            [terms.mk(Op::Eq, &[sum, a]), terms.mk(Op::Ge, &[rest, zero]), terms.mk(Op::Lt, &[rest, size])];
        let exact = terms.mk(Op::And, &exact);
        let is_zero = terms.mk(Op::Eq, &[b, zero]);
        self.facts.push(terms.mk(Op::Or, &[is_zero, exact]));
        self.divided.insert((a, b), (quotient, rest));
        (quotient, rest)
    }

    fn of_two(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        let sort = terms.sort(a);
        let result = self.unknown(terms, "product!", sort);
        self.known.insert((a, b), result);
        self.list.push(Product { a, b, result, is_int: sort == SortId::INT });
        result
    }
}

/// An exponent from one to a few.
fn small_power(terms: &Terms, exponent: TermId) -> Option<usize> {
    let Some(Value::Int(n)) = terms.as_value(exponent) else { return None };
    let is_small = *n >= IBig::ONE && *n <= IBig::from(MAX_POWER);
    is_small.then(|| usize::try_from(n).ok()).flatten()
}
