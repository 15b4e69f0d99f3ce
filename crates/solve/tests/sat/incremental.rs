//! Sequences of clauses and queries on one solver, with elimination between them.

use random::Rng;
use solve::sat::dimacs::Cnf;
use solve::sat::{Lit, SatAnswer, SatSettings, Solver, Var};

use crate::formulas::{self, lit};
use crate::oracle::{brute_force, check_model, restless, toggled};

fn check(solver: &mut Solver, cnf: &Cnf, assumptions: &[Lit]) -> bool {
    match solver.solve(assumptions) {
        SatAnswer::Sat => check_model(solver, cnf, assumptions),
        SatAnswer::Unsat => {
            let core = solver.failed_assumptions();
            assert!(core.iter().all(|lit| assumptions.contains(lit)));
            assert!(!brute_force(cnf, core), "the core {core:?} is satisfiable");
        }
        SatAnswer::Unknown(stop) => panic!("stopped by {stop:?} without a limit"),
    }
    !solver.is_unsat()
}

#[test]
fn growing_formulas_agree_with_brute_force_at_every_step() {
    let mut restored = 0;
    let mut eliminated = 0;
    for seed in 0..250 {
        let mut rng = Rng::new(seed);
        let vars = 8 + rng.below(8);
        let mut cnf = Cnf { vars, clauses: Vec::new() };
        let options = if seed % 2 == 0 { restless() } else { toggled(0x20 | (rng.bits() % 0x300)) };
        let mut solver = cnf.load(options);
        for _ in 0..12 {
            let more = formulas::random(vars, 1 + rng.below(vars), 2 + rng.below(2), rng.bits());
            for clause in more.clauses {
                solver.add_clause(&clause);
                cnf.clauses.push(clause);
            }
            let assumptions: Vec<Lit> = (0..rng.below(4)).map(|_| lit(&mut rng, vars)).collect();
            let var = Var::new(rng.below(vars));
            solver.freeze(var);
            let alive = check(&mut solver, &cnf, &assumptions);
            if rng.below(2) == 0 {
                solver.melt(var);
            }
            if !alive {
                break;
            }
        }
        restored += solver.counters().restored;
        eliminated += solver.counters().eliminated;
    }
    assert!(restored > 0 && eliminated > 0, "the sequences must exercise restoring");
}

#[test]
fn activation_literals_switch_clauses() {
    let base = formulas::random(60, 200, 3, 4);
    let mut solver = base.load(restless());
    for seed in 0..40 {
        let extra = formulas::random(60, 60, 3, 100 + seed);
        let activation = solver.new_var();
        let guarded =
            extra.clauses.iter().map(|clause| [clause.as_slice(), &[activation.negative()]].concat());
        for clause in guarded {
            solver.add_clause(&clause);
        }
        let outcome = solver.solve(&[activation.positive()]);
        let whole = Cnf { vars: 60, clauses: [base.clauses.as_slice(), &extra.clauses].concat() };
        assert_eq!(outcome, whole.load(SatSettings::default()).solve(&[]), "query {seed}");
        match outcome {
            SatAnswer::Sat => check_model(&solver, &whole, &[]),
            _ => assert_eq!(solver.failed_assumptions(), [activation.positive()]),
        }
        assert!(solver.add_clause(&[activation.negative()]));
    }
}

#[test]
fn satisfied_clauses_are_collected() {
    // Elimination may leave more clauses than it removes.
    let mut solver = formulas::random(50, 100, 3, 4).load(SatSettings { eliminate: false, ..restless() });
    let before = solver.num_clauses();
    let activation = solver.new_var();
    for clause in formulas::pigeonhole(6).clauses {
        solver.add_clause(&[clause.as_slice(), &[activation.negative()]].concat());
    }
    assert_eq!(solver.solve(&[activation.positive()]), SatAnswer::Unsat);
    solver.add_clause(&[activation.negative()]);
    for clause in formulas::random(50, 116, 3, 7).clauses {
        solver.add_clause(&clause);
    }
    let limit = before + 116;
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let assumptions: Vec<Lit> = (0..6).map(|_| lit(&mut rng, 50)).collect();
        solver.solve(&assumptions);
    }
    assert!(solver.num_clauses() <= limit, "{} clauses are left of {limit}", solver.num_clauses());
}

#[test]
fn equal_assumptions_and_opposite_ones_are_handled() {
    let cnf = formulas::random(10, 20, 3, 2);
    let [a, b] = [0, 1].map(|index| Var::new(index).positive());
    let mut solver = cnf.load(SatSettings::default());
    check(&mut solver, &cnf, &[a, a, b, a, b]);
    assert_eq!(solver.solve(&[b, a, a, !a]), SatAnswer::Unsat);
    assert_eq!(solver.failed_assumptions(), [a, !a]);
}
