//! Single queries with known or brute-forced answers.

use random::Rng;
use solve::sat::dimacs::{self, Cnf, DimacsError};
use solve::sat::{Lit, SatAnswer, SatSettings};

use crate::formulas::{self, lit};
use crate::oracle::{brute_force, check_model, restless, toggled};

/// Solves with assumptions and checks the answer, the model or the core by brute force.
fn check_against_brute_force(cnf: &Cnf, options: SatSettings, assumptions: &[Lit]) {
    let mut solver = cnf.load(options);
    match solver.solve(assumptions) {
        SatAnswer::Sat => check_model(&solver, cnf, assumptions),
        SatAnswer::Unsat => {
            let core = solver.failed_assumptions();
            assert!(core.iter().all(|lit| assumptions.contains(lit)));
            assert!(!brute_force(cnf, core), "the core {core:?} is satisfiable");
        }
        SatAnswer::Unknown(stop) => panic!("stopped by {stop:?} without a limit"),
    }
}

#[test]
fn random_formulas_agree_with_brute_force_under_all_switches() {
    let mut rng = Rng::new(1);
    for round in 0..768 {
        let vars = 6 + rng.below(10);
        let clauses = vars * (30 + rng.below(30)) / 10;
        let cnf = formulas::random(vars, clauses, 2 + rng.below(3).max(1), round);
        let assumptions: Vec<Lit> = (0..rng.below(4)).map(|_| lit(&mut rng, vars)).collect();
        check_against_brute_force(&cnf, toggled(round), &assumptions);
    }
}

#[test]
fn mixed_clause_sizes_agree_with_brute_force() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let vars = 8 + rng.below(8);
        let mut cnf = Cnf { vars, clauses: Vec::new() };
        for _ in 0..vars * 3 {
            // Duplicates and tautologies included.
            let size = 1 + rng.below(2) + rng.below(2) + rng.below(3);
            cnf.clauses.push((0..size + 1).map(|_| lit(&mut rng, vars)).collect());
        }
        check_against_brute_force(&cnf, restless(), &[]);
        check_against_brute_force(&cnf, restless(), &[lit(&mut rng, vars), lit(&mut rng, vars)]);
    }
}

#[test]
fn threshold_formulas_agree_between_switches() {
    for seed in 0..8 {
        let cnf = formulas::random(120, 511, 3, seed);
        let mut answers = Vec::new();
        for options in [SatSettings::default(), toggled(0), toggled(0xff), toggled(0x1ff), toggled(0x2ff)] {
            let mut solver = cnf.load(options);
            let outcome = solver.solve(&[]);
            if outcome == SatAnswer::Sat {
                check_model(&solver, &cnf, &[]);
            }
            answers.push(outcome);
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?} for seed {seed}");
    }
}

#[test]
fn structured_formulas_have_their_known_answers() {
    let cases = [
        ("pigeonhole 6", formulas::pigeonhole(6), SatAnswer::Unsat),
        ("parity 16", formulas::parity(16, 3), SatAnswer::Unsat),
        ("multiplier 4", formulas::multiplier_miter(4), SatAnswer::Unsat),
        ("adder 12", formulas::adder_miter(12), SatAnswer::Unsat),
        ("factors of 3599", formulas::factoring(59 * 61, 6), SatAnswer::Sat),
        ("factors of 3583", formulas::factoring(3583, 6), SatAnswer::Unsat),
    ];
    for (name, cnf, expected) in &cases {
        for options in [SatSettings::default(), restless(), toggled(0), toggled(0x2ff)] {
            let mut solver = cnf.load(options);
            assert_eq!(solver.solve(&[]), *expected, "{name}");
            if *expected == SatAnswer::Sat {
                check_model(&solver, cnf, &[]);
            }
        }
    }
}

#[test]
fn factors_multiply_to_the_product() {
    let cnf = formulas::factoring(1021 * 1019, 10);
    let mut solver = cnf.load(SatSettings::default());
    assert_eq!(solver.solve(&[]), SatAnswer::Sat);
    let number = |from: usize| {
        (0..10).fold(0u64, |sum, bit| {
            sum | u64::from(solver.value(solve::sat::Var::new(from + bit).positive()) == Some(true)) << bit
        })
    };
    assert_eq!(number(0) * number(10), 1021 * 1019);
}

#[test]
fn all_techniques_take_part() {
    let mut total = std::collections::BTreeMap::new();
    for cnf in [
        formulas::random(100, 420, 3, 5),
        formulas::multiplier_miter(5),
        formulas::adder_miter(16),
        formulas::pigeonhole(6),
    ] {
        let mut solver = cnf.load(restless());
        solver.solve(&[]);
        for (name, value) in solver.counters().rows() {
            *total.entry(name).or_insert(0) += value;
        }
    }
    let idle: Vec<_> = total.iter().filter(|&(_, &value)| value == 0).map(|(name, _)| *name).collect();
    // Without a theory, an observer or later clauses these have nothing to do.
    let expected = [
        "final_checks",
        "lemmas",
        "observed_trails",
        "restored",
        "theory_conflicts",
        "theory_explanations",
        "theory_propagations",
    ];
    assert_eq!(idle, expected);
}

#[test]
fn the_same_input_gives_the_same_run() {
    let cnf = formulas::random(150, 640, 3, 9);
    let run = || {
        let mut solver = cnf.load(SatSettings::default());
        let outcome = solver.solve(&[]);
        (outcome, *solver.counters(), solver.value(solve::sat::Var::new(0).positive()))
    };
    assert_eq!(run(), run());
}

#[test]
fn trivial_contradictions_are_reported_at_once() {
    let mut solver = Cnf { vars: 2, clauses: Vec::new() }.load(SatSettings::default());
    let [a, b] = [0, 1].map(|index| solve::sat::Var::new(index).positive());
    assert!(solver.add_clause(&[a, b]));
    assert!(solver.add_clause(&[!a]));
    assert_eq!(solver.root_value(b), Some(true));
    assert!(!solver.add_clause(&[!b]));
    assert!(solver.is_unsat());
    assert_eq!(solver.solve(&[a]), SatAnswer::Unsat);
    assert!(solver.failed_assumptions().is_empty());
}

#[test]
fn dimacs_text_round_trips_and_bad_text_is_refused() {
    let cnf = formulas::random(9, 30, 3, 1);
    assert_eq!(dimacs::parse(&dimacs::print(&cnf)), Ok(cnf));
    let loose = dimacs::parse("c hello\np cnf 3 9\n1 -2\n 0 3\n0\n%\n0\n").expect("a formula");
    assert_eq!((loose.vars, loose.clauses.len()), (3, 2));
    assert_eq!(dimacs::parse("p cnf x 1"), Err(DimacsError::Header(1)));
    assert_eq!(dimacs::parse("\n1 a 0"), Err(DimacsError::Literal(2, "a".into())));
    assert_eq!(dimacs::parse("1 99999999999 0"), Err(DimacsError::Literal(1, "99999999999".into())));
    assert_eq!(dimacs::parse("1 2"), Err(DimacsError::Unclosed));
}

#[test]
#[should_panic(expected = "is false in the model")]
fn the_model_check_can_fail() {
    let cnf = formulas::random(5, 3, 3, 1);
    let mut solver = cnf.load(SatSettings::default());
    assert_eq!(solver.solve(&[]), SatAnswer::Sat);
    let wrong: Vec<Lit> =
        cnf.clauses[0].iter().map(|&lit| if solver.value(lit) == Some(true) { !lit } else { lit }).collect();
    let stricter = Cnf { vars: 5, clauses: vec![wrong] };
    check_model(&solver, &stricter, &[]);
}
