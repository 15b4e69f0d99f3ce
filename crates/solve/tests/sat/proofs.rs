//! DRAT output, checked forward.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use random::Rng;
use solve::sat::dimacs::Cnf;
use solve::sat::{Lit, SatAnswer, SatSettings};

use crate::formulas::{self, lit};
use crate::oracle::{check_proof, restless, toggled};

/// A writer whose bytes stay readable.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Solves and returns the outcome with the proof.
fn prove(cnf: &Cnf, options: SatSettings, queries: &[Vec<Lit>]) -> (SatAnswer, String) {
    let mut solver = Cnf { vars: cnf.vars, clauses: Vec::new() }.load(options);
    let text = Shared::default();
    solver.set_proof(Box::new(text.clone()));
    for clause in &cnf.clauses {
        solver.add_clause(clause);
    }
    let mut outcome = SatAnswer::Sat;
    for assumptions in queries {
        outcome = solver.solve(assumptions);
    }
    solver.finish_proof().expect("writing to memory");
    let bytes = text.0.lock().expect("one thread").clone();
    (outcome, String::from_utf8(bytes).expect("text"))
}

#[test]
fn proofs_of_random_formulas_hold() {
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let vars = 10 + rng.below(30);
        let cnf = formulas::random(vars, vars * 9 / 2, 3, seed);
        let options = if seed % 2 == 0 { restless() } else { toggled(rng.bits() % 0x300) };
        let mut queries: Vec<Vec<Lit>> = vec![vec![]];
        if seed % 3 == 0 {
            queries = (0..3).map(|_| vec![lit(&mut rng, vars), lit(&mut rng, vars)]).collect();
            queries.push(Vec::new());
        }
        let (outcome, proof) = prove(&cnf, options, &queries);
        let complete = check_proof(&cnf, &proof).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(complete, outcome == SatAnswer::Unsat, "seed {seed}");
    }
}

#[test]
fn proofs_of_structured_formulas_hold() {
    for cnf in [
        formulas::pigeonhole(4),
        formulas::parity(8, 1),
        formulas::multiplier_miter(2),
        formulas::adder_miter(3),
    ] {
        let (outcome, proof) = prove(&cnf, restless(), &[vec![]]);
        assert_eq!(outcome, SatAnswer::Unsat);
        assert_eq!(check_proof(&cnf, &proof), Ok(true));
    }
}

#[test]
fn the_checker_refuses_what_does_not_follow() {
    let cnf = formulas::pigeonhole(4);
    assert!(check_proof(&cnf, "0\n").is_err());
    assert!(check_proof(&cnf, "d 1 2 0\n").is_err());
    assert_eq!(check_proof(&cnf, ""), Ok(false));
}

#[test]
fn a_failing_writer_is_reported() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("disk full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut solver = formulas::pigeonhole(6).load(SatSettings::default());
    solver.set_proof(Box::new(Broken));
    assert_eq!(solver.solve(&[]), SatAnswer::Unsat);
    assert!(solver.finish_proof().is_err());
}
