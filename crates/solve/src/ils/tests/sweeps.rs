//! Sweeps against plain enumeration.

use crate::engine::{Budget, Query};
use crate::ils::guide::{Cost, Literal};
use crate::ils::problem::{Prepared, Problem, prepare};
use crate::ils::state::SearchPoint;
use crate::ils::sweep::{self, Sweeps};
use random::Rng;
use smt::{Terms, read_script};

/// `x * y + (x mod 7) + (9 * x mod 40) = 1234`, in which nothing is linear enough to be eliminated.
const EQUATION: &str = "(declare-const x Int)(declare-const y Int)
    (assert (and (<= (- 300) x) (<= x 300) (<= 0 y) (<= y 50)))
    (assert (= (+ (* x y) (mod x 7) (mod (* 9 x) 40)) 1234))";

fn problem() -> Box<Problem> {
    let mut terms = Terms::new();
    let reading = read_script(&mut terms, EQUATION);
    assert!(reading.errors.is_empty(), "{:?}", reading.errors);
    let query = Query::new(reading.script.assertions().collect());
    match prepare(&terms, &query, 1 << 30, &mut Budget::unlimited()) {
        Ok(Prepared::Problem(problem)) => problem,
        _ => panic!("there is something to search"),
    }
}

fn equation(problem: &Problem) -> Literal {
    let guide = &problem.landscape.guide;
    let mut literals = guide.roots.iter().filter_map(|&root| match guide.nodes[root as usize] {
        Cost::Literal(literal) => Some(literal),
        _ => None,
    });
    literals.next_back().expect("the equation is a conjunct of its own")
}

#[test]
fn a_walk_tells_the_places_where_the_equation_holds_and_no_others() {
    let problem = problem();
    let program = &problem.landscape.program;
    let mut sweeps = Sweeps::new(program);
    let track = sweeps.track(program, equation(&problem), 0);
    let mut state = SearchPoint::new(&problem.landscape);
    let mut hits = 0;
    for y in 0..=50 {
        state.jump(&[0, y]);
        for stride in [1, 7, 40] {
            let mut found = Vec::new();
            sweep::walk(&mut state, &track, stride, problem.domains[0], &mut found);
            found.sort_unstable();
            let holds = |x: &i128| x * y + x.rem_euclid(7) + (9 * x).rem_euclid(40) == 1234;
            let expected: Vec<i128> = (-300..=300).filter(|x| x % stride == 0).filter(holds).collect();
            assert_eq!(found, expected, "y = {y}, stride {stride}");
            hits += found.len();
        }
    }
    assert!(hits > 0);
    assert_eq!(state.values(), [0, 50], "a walk changes nothing");
}

#[test]
fn strides_are_common_multiples_of_the_moduli_that_a_variable_runs_into() {
    let problem = problem();
    let sweeps = Sweeps::new(&problem.landscape.program);
    let mut rng = Rng::new(1);
    let mut seen: Vec<i128> = (0..200).map(|_| sweeps.stride(0, &mut rng)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [1, 7, 40, 280]);
    assert!((0..50).all(|_| sweeps.stride(1, &mut rng) == 1), "y is under no remainder");
}
