//! Budgets, memory caps and the observer of partial assignments.

use solve::sat::{Assignment, Hooks, SatAnswer, SatSettings, Stop, Var};

use crate::formulas;
use crate::oracle::check_model;

#[test]
fn an_exhausted_budget_leaves_a_usable_solver() {
    let hard = formulas::pigeonhole(8);
    let mut solver = hard.load(SatSettings::default());
    let activation = solver.new_var();
    let easy = formulas::random(72, 200, 3, 1);
    for clause in &easy.clauses {
        solver.add_clause(&[clause.as_slice(), &[activation.negative()]].concat());
    }
    for limit in [0, 10_000, 50_000] {
        let mut left: i64 = limit;
        let mut budget = |ticks: u64| {
            left -= ticks as i64;
            left > 0
        };
        let outcome = solver.solve_with(&[], Hooks { budget: Some(&mut budget), ..Hooks::default() });
        assert_eq!(outcome, SatAnswer::Unknown(Stop::Budget));
        assert_eq!(solver.value(Var::new(0).positive()), None);
    }
    assert_eq!(solver.solve(&[]), SatAnswer::Unsat);
}

#[test]
fn the_memory_cap_stops_the_search() {
    let cnf = formulas::random(200, 852, 3, 6);
    let mut solver =
        cnf.load(SatSettings { memory_limit: 6_000, reduce_interval: 1_000_000, ..SatSettings::default() });
    assert_eq!(solver.solve(&[]), SatAnswer::Unknown(Stop::Memory));
}

#[test]
fn partial_assignments_are_shown_at_a_bounded_rate() {
    let cnf = formulas::random(150, 640, 3, 9);
    let mut solver = cnf.load(SatSettings::default());
    let mut shown = 0u64;
    let mut observer = |view: &Assignment<'_>| {
        shown += 1;
        assert!(
            view.trail().iter().all(|&lit| view.value(lit) == Some(true) && view.value(!lit) == Some(false))
        );
        assert!(view.level() > 0);
    };
    let outcome = solver.solve_with(&[], Hooks { on_trail: Some(&mut observer), ..Hooks::default() });
    if outcome == SatAnswer::Sat {
        check_model(&solver, &cnf, &[]);
    }
    let counters = solver.counters();
    assert_eq!(shown, counters.observed_trails);
    let early = (0..8).filter(|n| 1 << n <= counters.conflicts).count() as u64;
    // One without a decision is not shown.
    let due = counters.restarts + counters.conflicts / 256 + early;
    assert!(shown <= due && shown + 2 >= due, "{shown} of {due}");
    assert!(shown > 1);
}
