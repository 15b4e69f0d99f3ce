//! Time of the simplex core on generated systems: sparse reals, difference chains, knapsacks, and the
//! cost of showing partial solutions.

use std::hint::black_box;

use divan::Bencher;
use random::Rng;
use solve::simplex::num::Rational;
use solve::simplex::{Budget, Conjunction, ConjunctionAnswer, LinearForm, Partial, Relation, Var};

fn main() {
    divan::main();
}

fn form(terms: &[(Var, i64)]) -> LinearForm {
    LinearForm::new(terms.iter().map(|(var, c)| (*var, Rational::from(*c))).collect())
}

/// `rows` constraints of four variables each, satisfied by a planted point with slack up to `room`.
fn sparse(size: usize, rows: usize, is_int: bool, room: i64) -> Conjunction {
    let mut random = Rng::new(0x9e37_79b9_7f4a_7c15);
    let mut system = Conjunction::new();
    let vars: Vec<Var> = (0..size).map(|_| system.add_var(is_int)).collect();
    let point: Vec<i64> = (0..size).map(|_| random.between(-50, 50)).collect();
    for _ in 0..rows {
        let terms: Vec<(usize, i64)> = (0..4).map(|_| (random.below(size), random.between(-5, 5))).collect();
        let sum: i64 = terms.iter().map(|(var, c)| point[*var] * c).sum();
        let terms: Vec<(Var, i64)> = terms.iter().map(|(var, c)| (vars[*var], *c)).collect();
        system.add(&form(&terms), Relation::Le, &Rational::from(sum + random.between(0, room)));
    }
    system
}

/// A cycle of differences `x[i+1] - x[i] >= 1` with chords; closing it too tightly makes it infeasible.
fn differences(size: usize, feasible: bool) -> Conjunction {
    let mut random = Rng::new(0x1234_5678_9abc_def1);
    let mut system = Conjunction::new();
    let vars: Vec<Var> = (0..size).map(|_| system.add_var(true)).collect();
    for pair in vars.windows(2) {
        system.add(&form(&[(pair[1], 1), (pair[0], -1)]), Relation::Ge, &Rational::from(1));
    }
    for _ in 0..size {
        let (a, b) = (random.below(size), random.below(size));
        let (a, b) = (a.min(b), a.max(b));
        if a < b {
            let most = (b - a) as i64 + random.between(0, 3);
            system.add(&form(&[(vars[b], 1), (vars[a], -1)]), Relation::Le, &Rational::from(most));
        }
    }
    let span = size as i64 - if feasible { 1 } else { 2 };
    system.add(&form(&[(vars[size - 1], 1), (vars[0], -1)]), Relation::Le, &Rational::from(span));
    system
}

/// Bounded integers under a few dense equations with a planted solution.
fn knapsack(size: usize, rows: usize) -> Conjunction {
    let mut random = Rng::new(0xdead_beef_cafe_f00d);
    let mut system = Conjunction::new();
    let vars: Vec<Var> = (0..size).map(|_| system.add_var(true)).collect();
    let point: Vec<i64> = (0..size).map(|_| random.between(0, 5)).collect();
    for var in &vars {
        system.add(&form(&[(*var, 1)]), Relation::Ge, &Rational::from(0));
        system.add(&form(&[(*var, 1)]), Relation::Le, &Rational::from(5));
    }
    for _ in 0..rows {
        let weights: Vec<i64> = (0..size).map(|_| random.between(1, 30)).collect();
        let sum: i64 = weights.iter().zip(&point).map(|(w, x)| w * x).sum();
        let terms: Vec<(Var, i64)> = vars.iter().copied().zip(weights).collect();
        system.add(&form(&terms), Relation::Eq, &Rational::from(sum));
    }
    system
}

fn solve(bencher: Bencher<'_, '_>, system: Conjunction) {
    bencher.with_inputs(|| system.clone()).bench_local_values(|mut system| {
        let outcome = system.solve(&mut Budget::unlimited(), None);
        assert!(outcome != ConjunctionAnswer::Unknown);
        outcome
    });
}

#[divan::bench(args = [50, 100, 200])]
fn sparse_reals(bencher: Bencher<'_, '_>, size: usize) {
    solve(bencher, sparse(size, size, false, 3));
}

#[divan::bench(args = [50, 100, 200])]
fn sparse_integers(bencher: Bencher<'_, '_>, size: usize) {
    solve(bencher, sparse(size, size, true, 3));
}

#[divan::bench(args = [100, 300])]
fn difference_chain(bencher: Bencher<'_, '_>, size: usize) {
    solve(bencher, differences(size, true));
}

#[divan::bench(args = [100, 300])]
fn difference_chain_infeasible(bencher: Bencher<'_, '_>, size: usize) {
    solve(bencher, differences(size, false));
}

#[divan::bench(args = [(10, 1), (15, 2), (20, 3)])]
fn knapsack_equations(bencher: Bencher<'_, '_>, (size, rows): (usize, usize)) {
    solve(bencher, knapsack(size, rows));
}

/// The same systems as `sparse_integers`, with partial solutions shown to a sink that looks at them.
#[divan::bench(args = [50, 100, 200])]
fn sparse_integers_with_partials(bencher: Bencher<'_, '_>, size: usize) {
    let system = sparse(size, size, true, 3);
    bencher.with_inputs(|| system.clone()).bench_local_values(|mut system| {
        let mut shown = 0u64;
        let mut sink = |partial: Partial<'_>| {
            shown += 1;
            black_box(partial.values);
        };
        let outcome = system.solve(&mut Budget::unlimited(), Some(&mut sink));
        (outcome, shown)
    });
}

/// One thousand additions of integers or of fractions with small denominators.
#[divan::bench(args = [1, 60])]
fn thousand_additions(bencher: Bencher<'_, '_>, denominator: i64) {
    let mut random = Rng::new(1);
    let numbers: Vec<Rational> = (0..1000)
        .filter_map(|_| Rational::new(random.between(-1000, 1000), random.between(1, denominator)))
        .collect();
    bencher.bench_local(|| {
        for pair in numbers.windows(2) {
            black_box(&pair[0] + &pair[1]);
        }
    });
}
