//! Difference constraints by shortest ways against the same constraints by pivots.

use crate::simplex::num::Delta;
use crate::simplex::{BoundKind, Budget, Check, LinearForm, Reason, Simplex, Var};
use crate::tuning::simplex_differences::LEAST_ROWS;
use random::Rng;

/// A bound on `x - y`, or on `x` alone.
#[derive(Clone, Copy)]
struct Row {
    x: usize,
    y: Option<usize>,
    kind: BoundKind,
    value: i64,
    strict: bool,
}

const VARS: usize = 7;

fn system(by_pivots: bool, is_int: bool) -> (Simplex, Vec<Var>) {
    let mut simplex = Simplex::new();
    (simplex.is_always_graph, simplex.has_other_forms) = (!by_pivots, by_pivots);
    let vars = (0..VARS).map(|_| simplex.add_var(is_int)).collect();
    (simplex, vars)
}

fn assert_row(simplex: &mut Simplex, vars: &[Var], row: Row, reason: usize) -> Result<(), Vec<Reason>> {
    let var = match row.y {
        None => vars[row.x],
        Some(y) => {
            let form = LinearForm::new(vec![(vars[row.x], 1.into()), (vars[y], (-1).into())]);
            simplex.form_var(&form).expect("two variables").0
        }
    };
    // The slack may be that of the difference the other way round.
    let turned = simplex
        .definition(var)
        .is_some_and(|form| form.terms().iter().any(|(v, c)| *v == vars[row.x] && c.is_negative()));
    let (kind, value) = if turned { (row.kind.opposite(), -row.value) } else { (row.kind, row.value) };
    let value = match (row.strict, kind) {
        (false, _) => Delta::from(value),
        (true, BoundKind::Upper) => Delta::below(value.into()),
        (true, BoundKind::Lower) => Delta::above(value.into()),
    };
    simplex.assert_bound(var, kind, value, Reason(reason as u32)).map_err(|conflict| conflict.reasons)
}

fn check(simplex: &mut Simplex) -> Result<(), Vec<Reason>> {
    match simplex.check(&mut Budget::unlimited(), None) {
        Check::Sat => Ok(()),
        Check::Conflict(conflict) => Err(conflict.reasons),
        Check::Unknown => unreachable!("no limit"),
    }
}

#[test]
fn shortest_ways_agree_with_pivots() {
    let mut rng = Rng::new(31);
    let (mut conflicts, mut unpivoted) = (0, 0);
    for round in 0..400 {
        let is_int = round % 2 == 0;
        let (mut graph, vars) = system(false, is_int);
        let (mut pivots, others) = system(true, is_int);
        let mut rows: Vec<Row> = Vec::new();
        for _ in 0..24 {
            // Now and then some levels are left.
            if rng.one_in(8) && !rows.is_empty() {
                let kept = rng.below(rows.len());
                rows.truncate(kept);
                graph.pop_to(kept);
                pivots.pop_to(kept);
            }
            let x = rng.below(VARS);
            let y = Some((x + 1 + rng.below(VARS - 1)) % VARS).filter(|_| !rng.one_in(4));
            let kind = if rng.one_in(2) { BoundKind::Upper } else { BoundKind::Lower };
            let row = Row { x, y, kind, value: rng.between(-3, 6), strict: !is_int && rng.one_in(3) };
            let at = rows.len();
            rows.push(row);
            graph.push();
            pivots.push();
            let by_graph = assert_row(&mut graph, &vars, row, at).and_then(|()| check(&mut graph));
            let by_pivots = assert_row(&mut pivots, &others, row, at).and_then(|()| check(&mut pivots));
            assert_eq!(by_graph.is_ok(), by_pivots.is_ok(), "round {round}");
            match by_graph {
                Ok(()) => {
                    for var in graph.vars() {
                        for kind in [BoundKind::Lower, BoundKind::Upper] {
                            let value = graph
                                .definition(var)
                                .map_or_else(|| graph.value(var).clone(), |form| graph.evaluate(form));
                            assert!(graph.bound(var, kind).is_none_or(|bound| kind.admits(&value, bound)));
                        }
                    }
                }
                Err(reasons) => {
                    conflicts += 1;
                    // The reasons alone are a conflict, by pivots.
                    let (mut alone, vars) = system(true, is_int);
                    let told = reasons.iter().try_for_each(|reason| {
                        let at = reason.0 as usize;
                        assert_row(&mut alone, &vars, rows[at], at)
                    });
                    assert!(told.and_then(|()| check(&mut alone)).is_err(), "round {round}: {reasons:?}");
                    rows.pop();
                    graph.pop_to(at);
                    pivots.pop_to(at);
                }
            }
        }
        unpivoted += u32::from(graph.stats().pivots == 0);
    }
    assert!(conflicts > 200, "{conflicts}");
    assert_eq!(unpivoted, 400, "pivots were made");
}

/// A chain of `x - y <= -1` as long as the table asks for, its end at most `last` behind its start: how it ends, and how many pivots that took.
fn chain(is_int: &dyn Fn(usize) -> bool, last: i64) -> (bool, u64) {
    let mut core = Simplex::default();
    let vars: Vec<Var> = (0..=LEAST_ROWS).map(|at| core.add_var(is_int(at))).collect();
    let row = |x, y, kind, value| Row { x, y: Some(y), kind, value, strict: false };
    let mut rows: Vec<Row> = (0..LEAST_ROWS).map(|at| row(at, at + 1, BoundKind::Upper, -1)).collect();
    rows.push(row(0, LEAST_ROWS, BoundKind::Lower, last));
    let mut told = Ok(());
    for (at, row) in rows.into_iter().enumerate() {
        told = told.and_then(|()| assert_row(&mut core, &vars, row, at));
    }
    let holds = told.and_then(|()| check(&mut core)).is_ok();
    (holds, core.stats().pivots)
}

#[test]
fn many_differences_take_shortest_ways_by_themselves() {
    let length = LEAST_ROWS as i64;
    for is_int in [true, false] {
        assert_eq!(chain(&|_| is_int, -length), (true, 0));
        assert_eq!(chain(&|_| is_int, 1 - length), (false, 0));
    }
    let (holds, pivots) = chain(&|at| at % 2 == 0, -length);
    assert!(holds && pivots > 0, "an integer and a real in one difference are left to pivots");
}
