//! Lemmas about one product: valid formulas over its factors and the unknown that stands for it, all linear.

use super::products::Product;
use smt::{IBig, Op, RBig, TermId, Terms};

/// A constant of the product's sort.
fn number(terms: &mut Terms, product: &Product, value: &RBig) -> TermId {
    if product.is_int {
        let (numerator, _) = value.clone().into_parts();
        terms.int(numerator)
    } else {
        terms.real(value.clone())
    }
}

fn implies(terms: &mut Terms, premises: &[TermId], conclusion: TermId) -> TermId {
    let mut args = premises.to_vec();
    args.push(conclusion);
    terms.mk(Op::Implies, &args)
}

/// What holds of every product: its sign, and of integers its order and its remainders.
pub(super) fn general(terms: &mut Terms, product: &Product) -> Vec<TermId> {
    let Product { a, b, result: p, is_int } = *product;
    let zero = number(terms, product, &RBig::ZERO);
    let mut lemmas = Vec::new();
    let is_zero = terms.mk(Op::Eq, &[p, zero]);
    let factors = [a, b].map(|f| terms.mk(Op::Eq, &[f, zero]));
    let some_zero = terms.mk(Op::Or, &factors);
    lemmas.push(terms.mk(Op::Eq, &[is_zero, some_zero]));
    let positive = terms.mk(Op::Gt, &[p, zero]);
    let both: Vec<TermId> = [Op::Gt, Op::Lt]
        .map(|op| {
            let signs = [a, b].map(|f| terms.mk(op, &[f, zero]));
            terms.mk(Op::And, &signs)
        })
        .to_vec();
    let same_sign = terms.mk(Op::Or, &both);
    lemmas.push(terms.mk(Op::Eq, &[positive, same_sign]));
    if is_int {
        lemmas.extend(of_integers(terms, product));
    } else {
        lemmas.extend(of_reals(terms, product));
    }
    lemmas
}

/// Reals: a factor beyond one, in size, makes the product larger than the other factor, and one within makes it smaller.
fn of_reals(terms: &mut Terms, product: &Product) -> Vec<TermId> {
    let Product { a, b, result: p, .. } = *product;
    let (zero, one) = (terms.real(RBig::ZERO), terms.real(RBig::ONE));
    let size = |terms: &mut Terms, t: TermId| {
        let (negative, minus) = (terms.mk(Op::Lt, &[t, zero]), terms.mk(Op::Neg, &[t]));
        terms.mk(Op::Ite, &[negative, minus, t])
    };
    let mut lemmas = Vec::new();
    let pairs: &[(TermId, TermId)] = if a == b { &[(a, b)] } else { &[(a, b), (b, a)] };
    for &(x, y) in pairs {
        let (x, y, p) = (size(terms, x), size(terms, y), size(terms, p));
        for op in [Op::Le, Op::Ge] {
            let (premise, conclusion) = (terms.mk(op, &[x, one]), terms.mk(op, &[p, y]));
            lemmas.push(implies(terms, &[premise], conclusion));
        }
    }
    lemmas
}

/// The squares of two factors beside their product: `(a - b)^2` and `(a + b)^2` are not negative.
pub(super) fn binomials(terms: &mut Terms, product: &Product, squares: [&Product; 2]) -> Vec<TermId> {
    let sum = terms.mk(Op::Add, &squares.map(|square| square.result));
    [2, -2]
        .map(|factor| {
            let factor = number(terms, product, &RBig::from(IBig::from(factor)));
            let twice = terms.mk(Op::Mul, &[factor, product.result]);
            terms.mk(Op::Ge, &[sum, twice])
        })
        .to_vec()
}

/// Integers: a product of non-zero factors is no nearer to zero than each factor; it is odd if both are; and squares leave few
/// remainders.
fn of_integers(terms: &mut Terms, product: &Product) -> Vec<TermId> {
    let Product { a, b, result: p, .. } = *product;
    let mut lemmas = Vec::new();
    let (zero, one, two) = (terms.int(0), terms.int(1), terms.int(2));
    let size = |terms: &mut Terms, t: TermId| terms.mk(Op::Abs, &[t]);
    let pairs: &[(TermId, TermId)] = if a == b { &[(a, b)] } else { &[(a, b), (b, a)] };
    for &(x, y) in pairs {
        let other = terms.mk(Op::Eq, &[y, zero]);
        let other = terms.mk(Op::Not, &[other]);
        let (large, small) = (size(terms, p), size(terms, x));
        let grows = terms.mk(Op::Ge, &[large, small]);
        lemmas.push(implies(terms, &[other], grows));
    }
    let odd = |terms: &mut Terms, t: TermId| {
        let rest = terms.mk(Op::Mod, &[t, two]);
        terms.mk(Op::Eq, &[rest, one])
    };
    let (odd_a, odd_b, odd_p) = (odd(terms, a), odd(terms, b), odd(terms, p));
    let both = terms.mk(Op::And, &[odd_a, odd_b]);
    lemmas.push(terms.mk(Op::Eq, &[odd_p, both]));
    if a == b {
        for (modulus, rests) in SQUARES {
            let modulus = terms.int(*modulus);
            let rest = terms.mk(Op::Mod, &[p, modulus]);
            let cases: Vec<TermId> = rests
                .iter()
                .map(|&r| {
                    let r = terms.int(r);
                    terms.mk(Op::Eq, &[rest, r])
                })
                .collect();
            lemmas.push(terms.mk(Op::Or, &cases));
        }
    }
    lemmas
}

/// Of two products the one with the larger factors is the larger, all in size: for products that share a factor, and for squares, whose
/// order is that of what is squared.
pub(super) fn between(terms: &mut Terms, first: &Product, second: &Product) -> Vec<TermId> {
    let mut lemmas = Vec::new();
    if first.is_int != second.is_int {
        return lemmas;
    }
    let size = |terms: &mut Terms, t: TermId| {
        let zero = if first.is_int { terms.int(0) } else { terms.real(RBig::ZERO) };
        let (negative, minus) = (terms.mk(Op::Lt, &[t, zero]), terms.mk(Op::Neg, &[t]));
        terms.mk(Op::Ite, &[negative, minus, t])
    };
    let zero = if first.is_int { terms.int(0) } else { terms.real(RBig::ZERO) };
    // What is compared, and the factor that both share.
    let pairs: Vec<(TermId, TermId, Option<TermId>)> = if first.a == first.b && second.a == second.b {
        vec![(first.a, second.a, None)]
    } else {
        let sides = |p: &Product| [(p.a, p.b), (p.b, p.a)];
        let shared = sides(first).into_iter().flat_map(|f| sides(second).map(|s| (f, s)));
        shared.filter(|(f, s)| f.0 == s.0 && f.1 != s.1).map(|(f, s)| (f.1, s.1, Some(f.0))).take(1).collect()
    };
    for (x, y, shared) in pairs {
        let (x, y) = (size(terms, x), size(terms, y));
        let (p, q) = (size(terms, first.result), size(terms, second.result));
        let same = shared.map(|factor| terms.mk(Op::Eq, &[factor, zero]));
        for op in [Op::Lt, Op::Gt, Op::Eq] {
            let (ordered, products) = (terms.mk(op, &[x, y]), terms.mk(op, &[p, q]));
            let lemma = implies(terms, &[ordered], products);
            // A factor of zero makes both products equal, whatever the others are.
            let excused = same.filter(|_| op != Op::Eq);
            lemmas.push(excused.map_or(lemma, |zero| terms.mk(Op::Or, &[zero, lemma])));
        }
    }
    lemmas
}

/// Two products whose factors are a constant apart are as far apart as that makes them: with a shared factor `b`, `a = c + k` gives `a b = c b +
/// k b`; of squares, `a = c + k` gives `a a = c c + 2 k c + k k`. The same for `a = k - c`. The constants are those of a model.
pub(super) fn apart(
    terms: &mut Terms,
    first: &Product,
    second: &Product,
    value: impl Fn(&Terms, TermId) -> Option<RBig>,
) -> Vec<TermId> {
    let mut lemmas = Vec::new();
    if first.is_int != second.is_int {
        return lemmas;
    }
    let squares = first.a == first.b && second.a == second.b;
    let shared = if squares {
        Some((first.a, second.a, None))
    } else {
        let sides = |p: &Product| [(p.a, p.b), (p.b, p.a)];
        sides(first)
            .into_iter()
            .flat_map(|f| sides(second).map(|s| (f, s)))
            .find(|(f, s)| f.0 == s.0 && f.1 != s.1)
            .map(|(f, s)| (f.1, s.1, Some(f.0)))
    };
    let Some((a, c, shared)) = shared else { return lemmas };
    let (Some(at_a), Some(at_c)) = (value(terms, a), value(terms, c)) else { return lemmas };
    for sign in [RBig::ONE, -RBig::ONE] {
        // a = sign c + k
        let k = &at_a - &sign * &at_c;
        let (sign_term, k_term) = (number(terms, first, &sign), number(terms, first, &k));
        let turned = terms.mk(Op::Mul, &[sign_term, c]);
        let moved = terms.mk(Op::Add, &[turned, k_term]);
        let premise = terms.mk(Op::Eq, &[a, moved]);
        let sum = match shared {
            Some(b) => {
                let q = terms.mk(Op::Mul, &[sign_term, second.result]);
                let more = terms.mk(Op::Mul, &[k_term, b]);
                terms.mk(Op::Add, &[q, more])
            }
            None => {
                let slope = number(terms, first, &(&sign * &k * RBig::from(IBig::from(2))));
                let (line, square) = (terms.mk(Op::Mul, &[slope, c]), number(terms, first, &(&k * &k)));
                terms.mk(Op::Add, &[second.result, line, square])
            }
        };
        let conclusion = terms.mk(Op::Eq, &[first.result, sum]);
        lemmas.push(implies(terms, &[premise], conclusion));
    }
    lemmas
}

/// A remainder of a product that its factors' remainders forbid, if the values have one: `a = r` and `b = s` modulo `m` give `a b = r s`.
pub(super) fn remainder(terms: &mut Terms, product: &Product, [a, b, p]: [&IBig; 3]) -> Option<TermId> {
    let rest = |n: &IBig, m: i64| {
        let m = IBig::from(m);
        let r = n % &m;
        if r < IBig::ZERO { r + m } else { r }
    };
    let modulus = MODULI.iter().copied().find(|&m| rest(&(a * b), m) != rest(p, m))?;
    let m = terms.int(modulus);
    let is = |terms: &mut Terms, t: TermId, n: &IBig| {
        let (own, r) = (terms.mk(Op::Mod, &[t, m]), terms.int(rest(n, modulus)));
        terms.mk(Op::Eq, &[own, r])
    };
    let premises = [is(terms, product.a, a), is(terms, product.b, b)];
    let conclusion = is(terms, product.result, &(a * b));
    Some(implies(terms, &premises, conclusion))
}

/// The moduli whose remainders are compared, in this order.
static MODULI: &[i64] = &[4, 3, 8, 5, 7, 9];

/// The remainders of squares.
static SQUARES: &[(i64, &[i64])] = &[(8, &[0, 1, 4]), (3, &[0, 1]), (5, &[0, 1, 4]), (7, &[0, 1, 2, 4])];

/// What a product that is wrong at a point would have to be there and beside it: its tangents.
pub(super) fn at_point(terms: &mut Terms, product: &Product, at_a: &RBig, at_b: &RBig) -> Vec<TermId> {
    let Product { a, b, result: p, .. } = *product;
    if a == b {
        return square_at(terms, product, at_a);
    }
    let (x, y) = (number(terms, product, at_a), number(terms, product, at_b));
    let corner = number(terms, product, &(at_a * at_b));
    let by_y = terms.mk(Op::Mul, &[y, a]);
    let by_x = terms.mk(Op::Mul, &[x, b]);
    let mut lemmas = Vec::new();
    for (factor, at, line) in [(a, x, by_x), (b, y, by_y)] {
        let here = terms.mk(Op::Eq, &[factor, at]);
        let exact = terms.mk(Op::Eq, &[p, line]);
        lemmas.push(implies(terms, &[here], exact));
    }
    // (a - x) (b - y) = p - y a - x b + x y has the sign of its factors.
    let plane = terms.mk(Op::Add, &[by_y, by_x]);
    let plane = terms.mk(Op::Sub, &[plane, corner]);
    for (first, second, beside) in [
        (Op::Lt, Op::Lt, Op::Gt),
        (Op::Gt, Op::Gt, Op::Gt),
        (Op::Lt, Op::Gt, Op::Lt),
        (Op::Gt, Op::Lt, Op::Lt),
    ] {
        let premises = [terms.mk(first, &[a, x]), terms.mk(second, &[b, y])];
        let conclusion = terms.mk(beside, &[p, plane]);
        lemmas.push(implies(terms, &premises, conclusion));
    }
    lemmas
}

/// Squares lie above all their tangents, and of integers above the line through two neighbours as well.
fn square_at(terms: &mut Terms, product: &Product, at: &RBig) -> Vec<TermId> {
    let Product { a, result: p, is_int, .. } = *product;
    let mut lemmas = Vec::new();
    let x = number(terms, product, at);
    let square = number(terms, product, &(at * at));
    let here = terms.mk(Op::Eq, &[a, x]);
    let exact = terms.mk(Op::Eq, &[p, square]);
    lemmas.push(implies(terms, &[here], exact));
    let one = RBig::from(IBig::ONE);
    let slopes: Vec<(RBig, RBig)> = if is_int {
        // Through n and n + 1, on both sides of the point.
        [at - &one, at.clone()].map(|n| (&n + &n + &one, &n * (&n + &one))).to_vec()
    } else {
        vec![(at + at, at * at)]
    };
    for (slope, offset) in slopes {
        let (slope, offset) = (number(terms, product, &slope), number(terms, product, &offset));
        let line = terms.mk(Op::Mul, &[slope, a]);
        let line = terms.mk(Op::Sub, &[line, offset]);
        lemmas.push(terms.mk(Op::Ge, &[p, line]));
    }
    // On one side of zero, squares are in the order of what is squared.
    let minus = number(terms, product, &-at.clone());
    let (low, high) = if *at >= RBig::ZERO { (minus, x) } else { (x, minus) };
    let inside = [terms.mk(Op::Ge, &[a, low]), terms.mk(Op::Le, &[a, high])];
    let below = terms.mk(Op::Le, &[p, square]);
    let inside = terms.mk(Op::And, &inside);
    lemmas.push(terms.mk(Op::Eq, &[inside, below]));
    lemmas
}
