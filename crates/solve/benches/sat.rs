//! The SAT core beside batsat and CaDiCaL, on generated formulas, loading included.
//!
//! `cargo bench -p solve --features contestants --bench sat`, optionally with a filter such as `factoring`.

#[path = "../tests/sat/formulas.rs"]
mod formulas;

use batsat::SolverInterface;
use divan::Bencher;
use solve::sat::dimacs::Cnf;
use solve::sat::{SatAnswer, SatSettings};

fn main() {
    divan::main();
}

/// The solvers that run side by side.
#[derive(Clone, Copy, Debug)]
enum Contestant {
    Ours,
    Batsat,
    Cadical,
}

use Contestant::{Batsat, Cadical, Ours};

const ALL: [Contestant; 3] = [Ours, Batsat, Cadical];

impl Contestant {
    /// Whether the formula is satisfiable.
    fn solve(self, cnf: &Cnf) -> bool {
        match self {
            Ours => cnf.load(SatSettings::default()).solve(&[]) == SatAnswer::Sat,
            Batsat => {
                let mut solver = batsat::BasicSolver::default();
                let vars: Vec<batsat::Var> = (0..cnf.vars).map(|_| solver.new_var_default()).collect();
                let lit = |lit: &solve::sat::Lit| batsat::Lit::new(vars[lit.var().index()], lit.is_pos());
                for clause in &cnf.clauses {
                    solver.add_clause_reuse(&mut clause.iter().map(lit).collect());
                }
                solver.solve_limited(&[]) == batsat::lbool::TRUE
            }
            Cadical => {
                let mut solver: cadical::Solver = cadical::Solver::new();
                for clause in &cnf.clauses {
                    solver.add_clause(clause.iter().map(|lit| lit.to_dimacs() as i32));
                }
                solver.solve() == Some(true)
            }
        }
    }
}

fn run(bencher: Bencher<'_, '_>, contestant: Contestant, formulas: &[(Cnf, Option<bool>)]) {
    bencher.bench_local(|| {
        for (cnf, expected) in formulas {
            let answer = contestant.solve(cnf);
            assert!(expected.is_none_or(|expected| expected == answer), "{contestant:?} is wrong");
        }
    });
}

fn random(vars: usize, count: u64) -> Vec<(Cnf, Option<bool>)> {
    (0..count).map(|seed| (formulas::random(vars, vars * 426 / 100, 3, seed), None)).collect()
}

/// Fifty easy queries: the cost of setting up and of a few propagations.
#[divan::bench(args = ALL, sample_count = 5)]
fn easy_random_3sat_150_vars(bencher: Bencher<'_, '_>, contestant: Contestant) {
    let formulas: Vec<_> = (0..50).map(|seed| (formulas::random(150, 570, 3, seed), None)).collect();
    run(bencher, contestant, &formulas);
}

#[divan::bench(args = ALL, sample_count = 3)]
fn random_3sat_200_vars(bencher: Bencher<'_, '_>, contestant: Contestant) {
    run(bencher, contestant, &random(200, 10));
}

#[divan::bench(args = ALL, sample_count = 3)]
fn random_3sat_250_vars(bencher: Bencher<'_, '_>, contestant: Contestant) {
    run(bencher, contestant, &random(250, 4));
}

#[divan::bench(args = ALL, sample_count = 3)]
fn adder_miter_32_bits(bencher: Bencher<'_, '_>, contestant: Contestant) {
    run(bencher, contestant, &[(formulas::adder_miter(32), Some(false))]);
}

#[divan::bench(args = ALL, sample_count = 3)]
fn multiplier_miter_7_bits(bencher: Bencher<'_, '_>, contestant: Contestant) {
    run(bencher, contestant, &[(formulas::multiplier_miter(7), Some(false))]);
}

#[divan::bench(args = ALL, sample_count = 3)]
fn parity_of_60_nodes(bencher: Bencher<'_, '_>, contestant: Contestant) {
    run(bencher, contestant, &[(formulas::parity(60, 1), Some(false))]);
}

#[divan::bench(args = ALL, sample_count = 3)]
fn pigeonhole_9(bencher: Bencher<'_, '_>, contestant: Contestant) {
    run(bencher, contestant, &[(formulas::pigeonhole(9), Some(false))]);
}

/// Several products, since the time to find one pair of factors is a matter of luck.
fn factoring(factors: &[(u64, u64)], width: usize) -> Vec<(Cnf, Option<bool>)> {
    factors.iter().map(|(p, q)| (formulas::factoring(p * q, width), Some(true))).collect()
}

#[divan::bench(args = ALL, sample_count = 3)]
fn factoring_32_bits(bencher: Bencher<'_, '_>, contestant: Contestant) {
    let factors = [(62_597, 54_787), (65_521, 50_021), (60_013, 59_999), (49_999, 48_611), (64_877, 33_029)];
    run(bencher, contestant, &factoring(&factors, 16));
}

#[divan::bench(args = ALL, sample_count = 3)]
fn factoring_36_bits(bencher: Bencher<'_, '_>, contestant: Contestant) {
    let factors = [(250_027, 221_197), (262_139, 200_003), (199_999, 180_001)];
    run(bencher, contestant, &factoring(&factors, 18));
}

/// A prime product has no factors: the whole space must be refuted.
#[divan::bench(args = ALL, sample_count = 3)]
fn factoring_a_27_bit_prime(bencher: Bencher<'_, '_>, contestant: Contestant) {
    run(bencher, contestant, &[(formulas::factoring(134_217_689, 14), Some(false))]);
}
