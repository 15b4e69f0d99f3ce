//! Products as unknowns: every product of two terms that are no constants gets a name, and stands for it.

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

/// The products of a query.
#[derive(Debug, Default)]
pub(super) struct Products {
    pub(super) list: Vec<Product>,
    known: FxHashMap<(TermId, TermId), TermId>,
}

/// Powers up to this one are products.
const MAX_POWER: i64 = 16;

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

    fn of_two(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        let sort = terms.sort(a);
        let name = terms.fresh_symbol("product!");
        let fun = terms.declare(name, &[], sort);
        let result = terms.apply(fun, &[]).expect("a constant takes no arguments");
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
