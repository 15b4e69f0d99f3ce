//! The core under random sequences of assertions, checks and backtracking.

use proptest::prelude::*;

use super::oracle::{Row, feasible_over_reals, refutes, row};
use crate::simplex::num::{Delta, Rational};
use crate::simplex::{
    AtomId, BoundKind, Budget, Check, Conflict, Constraint, Extreme, LinearForm, Reason, Relation, Sense,
    Simplex, Var,
};

const VARS: usize = 3;

#[derive(Clone, Debug)]
enum Step {
    Push,
    Pop,
    Assert(Row),
    Check,
    Propagate,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        2 => Just(Step::Push),
        2 => Just(Step::Pop),
        6 => row(VARS, 3, 5).prop_map(Step::Assert),
        3 => Just(Step::Check),
        2 => Just(Step::Propagate),
    ];
    prop::collection::vec(step, 1..40)
}

/// A core and what a caller knows about it.
struct Session {
    core: Simplex,
    vars: Vec<Var>,
    /// Every row ever asserted; the reason is the index.
    rows: Vec<Row>,
    /// Indices of the rows that hold now, with marks of the levels.
    active: Vec<usize>,
    marks: Vec<usize>,
    atoms: Vec<(AtomId, Row)>,
}

impl Session {
    fn new() -> Self {
        let mut core = Simplex::new();
        let vars: Vec<Var> = (0..VARS).map(|_| core.add_var(false)).collect();
        let mut atoms = Vec::new();
        for coeffs in [[1, 0, 0], [0, 1, 0], [1, -1, 0], [1, 1, 1]] {
            for (relation, kind) in [(Relation::Le, BoundKind::Upper), (Relation::Ge, BoundKind::Lower)] {
                for constant in [-2, 0, 3] {
                    let row = Row::new(&coeffs, relation, constant);
                    let (var, factor) = core.form_var(&row.form(&vars)).expect("not zero");
                    assert!(factor.is_one());
                    atoms.push((core.add_atom(var, kind, &Delta::from(constant)), row));
                }
            }
        }
        Self { core, vars, rows: Vec::new(), active: Vec::new(), marks: Vec::new(), atoms }
    }

    fn rows_of(&self, reasons: &[Reason]) -> Vec<Row> {
        reasons.iter().map(|reason| self.rows[reason.0 as usize].clone()).collect()
    }

    fn active_rows(&self) -> Vec<Row> {
        self.active.iter().map(|index| self.rows[*index].clone()).collect()
    }

    fn assert(&mut self, row: &Row) -> Result<(), Conflict> {
        let reason = Reason(self.rows.len() as u32);
        self.active.push(self.rows.len());
        self.rows.push(row.clone());
        let constraint =
            self.core.constraint(&row.form(&self.vars), row.relation, &Rational::from(row.constant));
        self.core.assert_constraint(&constraint, reason)
    }

    fn check_conflict(&self, conflict: &Conflict) {
        let rows = self.rows_of(&conflict.reasons);
        assert!(conflict.reasons.iter().all(|reason| self.active.contains(&(reason.0 as usize))));
        assert!(!feasible_over_reals(&rows, VARS), "{rows:?}");
        assert!(conflict.farkas.is_empty() || refutes(&self.core, &conflict.farkas));
    }

    fn check_state(&self) {
        self.core.tableau.assert_consistent();
        for var in self.core.vars() {
            if let Some(definition) = self.core.definition(var) {
                let mut sum = Delta::ZERO;
                for (term, coeff) in definition.terms() {
                    sum.add_mul(coeff, self.core.value(*term));
                }
                assert_eq!(&sum, self.core.value(var), "rows hold at all times");
            }
            if !self.core.tableau.is_basic(var) {
                assert_eq!(
                    self.core.bounds.violation(var, self.core.value(var)),
                    None,
                    "non-basic in bounds"
                );
            }
        }
    }

    fn bounds(&self) -> Vec<[Option<Delta>; 2]> {
        let bound = |var, kind| self.core.bound(var, kind).cloned();
        self.core.vars().map(|v| [bound(v, BoundKind::Lower), bound(v, BoundKind::Upper)]).collect()
    }

    fn pop(&mut self) -> bool {
        let Some(mark) = self.marks.pop() else { return false };
        self.active.truncate(mark);
        self.core.pop_to(self.marks.len());
        true
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sequences_agree_with_elimination(steps in steps()) {
        let mut session = Session::new();
        let mut snapshots = Vec::new();
        for step in steps {
            let mut conflict = None;
            match step {
                Step::Push => {
                    snapshots.push(session.bounds());
                    session.marks.push(session.active.len());
                    session.core.push();
                }
                Step::Pop => {
                    if session.pop() {
                        let before = snapshots.pop().expect("pushed");
                        prop_assert_eq!(&session.bounds()[..before.len()], &before[..]);
                    }
                }
                Step::Assert(row) => conflict = session.assert(&row).err(),
                Step::Check => match session.core.check(&mut Budget::unlimited(), None) {
                    Check::Conflict(found) => conflict = Some(found),
                    Check::Unknown => prop_assert!(false, "no budget to exhaust"),
                    Check::Sat => {
                        let rows: Vec<Row> = session.active_rows();
                        let weak: Vec<Row> =
                            rows.into_iter().filter(|row| row.relation != Relation::Ne).collect();
                        let model = session.core.model();
                        prop_assert!(weak.iter().all(|row| row.holds(&model[..VARS])), "{model:?}");
                    }
                },
                Step::Propagate => {
                    let mut implied = Vec::new();
                    session.core.propagate(&mut implied);
                    for one in implied {
                        let reasons = session.core.explain(&one);
                        let mut rows = session.rows_of(&reasons);
                        let (_, atom) = &session.atoms[one.atom.index()];
                        let mut negated = atom.clone();
                        negated.relation = match (atom.relation, one.truth) {
                            (Relation::Le, true) => Relation::Gt,
                            (Relation::Ge, true) => Relation::Lt,
                            (relation, _) => relation,
                        };
                        rows.push(negated);
                        prop_assert!(!feasible_over_reals(&rows, VARS), "{one:?} from {rows:?}");
                    }
                }
            }
            if let Some(conflict) = conflict {
                session.check_conflict(&conflict);
                if !session.pop() {
                    return Ok(());
                }
                snapshots.pop();
            }
            session.check_state();
        }
    }

    #[test]
    fn extreme_values_are_extreme(
        rows in prop::collection::vec(row(VARS, 3, 5), 1..6),
        objective in prop::collection::vec(-3i64..=3, VARS),
    ) {
        let rows: Vec<Row> = rows.into_iter().filter(|row| row.relation != Relation::Ne).collect();
        let mut session = Session::new();
        for row in &rows {
            if session.assert(row).is_err() {
                return Ok(());
            }
        }
        let row = |relation, constant| Row { coeffs: objective.clone(), relation, constant };
        let Some((var, factor)) = session.core.form_var(&row(Relation::Le, 0).form(&session.vars)) else {
            return Ok(());
        };
        // Scale by the sign of the factor so that the slack and the objective point the same way.
        let direction = if factor.is_positive() { Sense::Maximise } else { Sense::Minimise };
        match session.core.optimise(var, direction, &mut Budget::unlimited()) {
            Extreme::Unknown => prop_assert!(false, "no budget to exhaust"),
            Extreme::Conflict(conflict) => session.check_conflict(&conflict),
            Extreme::Unbounded => {
                let beyond = [rows, vec![row(Relation::Ge, 1_000_000)]].concat();
                prop_assert!(feasible_over_reals(&beyond, VARS));
            }
            Extreme::Optimal(value) => {
                prop_assert_eq!(session.core.value(var), &value);
                // The slack's extreme is n/d: no point has `slack > n/d`, that is `d * slack > n`.
                let n = value.real.numerator().to_i64().expect("small");
                let d = value.real.denominator().to_i64().expect("small");
                let definition = session.core.expand(&LinearForm::new(vec![(var, Rational::ONE)]));
                let mut coeffs = vec![0; VARS];
                for (term, coeff) in definition.terms() {
                    coeffs[term.index()] = coeff.to_i64().expect("small") * d;
                }
                let relation = if factor.is_positive() { Relation::Gt } else { Relation::Lt };
                let beyond = [rows.clone(), vec![Row { coeffs, relation, constant: n }]].concat();
                prop_assert!(!feasible_over_reals(&beyond, VARS), "not the extreme: {value}");
                let model = session.core.model();
                prop_assert!(rows.iter().all(|row| row.holds(&model[..VARS])), "{model:?}");
            }
        }
    }
}

#[test]
fn forms_share_their_slack() {
    let mut core = Simplex::new();
    let (x, y) = (core.add_var(true), core.add_var(true));
    let form = |a: i64, b: i64| LinearForm::new(vec![(x, Rational::from(a)), (y, Rational::from(b))]);
    let (slack, factor) = core.form_var(&form(2, 4)).expect("not zero");
    assert_eq!(factor, Rational::from(2));
    assert!(core.is_int(slack));
    assert_eq!(core.form_var(&form(-3, -6)), Some((slack, Rational::from(-3))));
    let sum = LinearForm::new(vec![(slack, Rational::ONE), (x, Rational::ONE)]);
    assert_eq!(core.form_var(&sum), core.form_var(&form(2, 2)));
    assert_eq!(core.form_var(&form(0, 5)), Some((y, Rational::from(5))));
    assert_eq!(core.constraint(&form(0, 0), Relation::Lt, &Rational::ZERO), Constraint::Constant(false));
}

#[test]
fn strict_bounds_get_room_in_the_model() {
    let mut core = Simplex::new();
    let (x, y) = (core.add_var(false), core.add_var(false));
    let small = Rational::new(1, 1_000_000).expect("not zero");
    let (slack, _) = core
        .form_var(&LinearForm::new(vec![(x, Rational::ONE), (y, Rational::MINUS_ONE)]))
        .expect("not zero");
    core.assert_lower(x, Delta::above(Rational::ZERO), Reason(0)).expect("free");
    core.assert_upper(y, Delta::below(small.clone()), Reason(1)).expect("free");
    core.assert_upper(slack, Delta::below(Rational::ZERO), Reason(2)).expect("free");
    core.assert_unequal(x, Rational::new(1, 2_000_000).expect("not zero"), Reason(3)).expect("free");
    assert_eq!(core.check(&mut Budget::unlimited(), None), Check::Sat);
    let model = core.model();
    let (x, y) = (&model[x.index()], &model[y.index()]);
    assert!(x.is_positive() && x < y && *y < small, "{x} {y}");
}

#[test]
fn sleeping_slacks_wake_up_unharmed() {
    let mut core = Simplex::new();
    let vars: Vec<Var> = (0..3).map(|_| core.add_var(true)).collect();
    let form = |k: i64| {
        let coeffs = [1, k, k * k - 7];
        LinearForm::new(vars.iter().zip(coeffs).map(|(v, c)| (*v, Rational::from(c))).collect())
    };
    let assert_forms = |core: &mut Simplex, count: i64| {
        (1..=count).map(|k| core.form_var(&form(k)).expect("not zero").0).collect::<Vec<_>>()
    };
    core.push();
    let slacks = assert_forms(&mut core, 30);
    core.integer.requested.clone_from(&slacks);
    for (slack, reason) in slacks.iter().zip(0..) {
        core.assert_lower(*slack, Delta::from(5), Reason(reason)).expect("no conflict yet");
    }
    assert_eq!(core.check(&mut Budget::unlimited(), None), Check::Sat);
    core.pop_to(0);
    assert!(slacks.iter().all(|slack| core.is_asleep(*slack)));
    assert_eq!(core.tableau.row_count(), 0);
    core.tableau.assert_consistent();
    assert_eq!(assert_forms(&mut core, 4), slacks[..4], "the same names after waking");
    for (slack, reason) in slacks[2..8].iter().zip(0..) {
        core.assert_upper(*slack, Delta::from(-5), Reason(reason)).expect("no conflict yet");
    }
    assert_eq!(core.tableau.row_count(), 8);
    core.tableau.assert_consistent();
    assert_eq!(core.check(&mut Budget::unlimited(), None), Check::Sat);
    for slack in &slacks[..8] {
        let definition = core.definition(*slack).expect("a slack").clone();
        assert_eq!(&core.evaluate(&definition), core.value(*slack));
    }
}
