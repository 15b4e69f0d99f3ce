//! The evaluator against real solvers: every operator of the table, on random ground applications with edge values.
//!
//! Each case is asked as `(assert (not (= application value)))`, to which a solver that agrees answers `unsat`. What a
//! solver release does not know is listed in `dialect`, where it is wrong in `deviations`, where the standard leaves the
//! value open in `openness`. `SOUNDLINE_DIFFERENTIAL_CASES` sets the number of cases an operator gets, and
//! `SOUNDLINE_DIFFERENTIAL_SEED` where they start.

mod cases;
mod deviations;
mod dialect;
mod openness;

use cases::Case;
use deviations::DEVIATIONS;
use smt::eval::Evaluation;
use smt::op::OpInfo;
use smt::print::value_to_string;
use smt::{Evaluator, Model, Op, Terms, Theory, Undefined, Value};
use std::collections::BTreeMap;
use testkit::{Answer, Rng, Solver, SolverKind};

/// Milliseconds that a solver gets for one ground application.
const QUERY_MS: u64 = 1500;
/// Seconds for one batch.
const BATCH_SECONDS: u64 = 60;
/// Queries that one process answers.
const BATCH: usize = 1000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// The cases of all operators, a given number each.
fn all_cases(terms: &mut Terms, default: u64) -> Vec<Case> {
    let (count, seed) =
        (setting("SOUNDLINE_DIFFERENTIAL_CASES", default), setting("SOUNDLINE_DIFFERENTIAL_SEED", 1));
    let mut cases = Vec::new();
    for row in Op::all() {
        let mut rng = Rng::named(seed, &format!("{:?}", row.op));
        cases.extend((0..count).map(|_| Case::new(terms, &mut rng, row)));
    }
    cases
}

/// What a solver says to one case.
struct Reply {
    case: usize,
    query: String,
    answer: Answer,
}

/// Asks a solver whether each case has the value that `claim` gives for it; `unsat` means that it has.
fn ask(solver: &Solver, terms: &Terms, cases: &[Case], claim: impl Fn(&Case) -> Option<Value>) -> Vec<Reply> {
    let mut asked = Vec::new();
    let mut queries = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        let Some(value) = claim(case) else { continue };
        if let Ok(text) = dialect::render(terms, case, solver.kind) {
            asked.push(i);
            queries.push(format!("(assert (not (= {text} {})))", value_to_string(terms, &value)));
        }
    }
    let mut replies = Vec::new();
    for (asked, queries) in asked.chunks(BATCH).zip(queries.chunks(BATCH)) {
        let answers = solver.ask("", queries, QUERY_MS, BATCH_SECONDS);
        for ((&case, query), answer) in asked.iter().zip(queries).zip(answers) {
            replies.push(Reply { case, query: query.clone(), answer });
        }
    }
    replies
}

/// All cases of all operators, asked of one solver.
fn agrees(kind: SolverKind, count: u64) {
    let Some(solver) = Solver::find(kind) else { return };
    let mut terms = Terms::new();
    let cases = all_cases(&mut terms, count);
    let replies = ask(&solver, &terms, &cases, |case| case.outcome.clone().ok());
    let mut confirmed: BTreeMap<Op, u64> = BTreeMap::new();
    let mut unanswered: BTreeMap<Op, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    // For each known deviation: the cases that it covers, and those of them on which the solver really deviates.
    let mut covered = vec![(0, 0); DEVIATIONS.len()];
    for Reply { case, query, answer } in &replies {
        let case = &cases[*case];
        let known = DEVIATIONS.iter().position(|d| {
            d.solver == kind
                && d.version == solver.version
                && d.ops.contains(&case.row.op)
                && (d.when)(&mut terms, case)
        });
        if let Some(i) = known {
            covered[i].0 += 1;
        }
        match (answer, known) {
            (Answer::Unsat, _) => *confirmed.entry(case.row.op).or_default() += 1,
            (Answer::Unknown, _) => *unanswered.entry(case.row.op).or_default() += 1,
            (Answer::Sat, Some(i)) => covered[i].1 += 1,
            (answer, _) => wrong.push(format!("{:?}: {query}\n    {answer:?}", case.row.op)),
        }
    }
    println!(
        "{} {}: {} of {} cases asked, {} confirmed, without an answer: {unanswered:?}",
        kind.program(),
        solver.version,
        replies.len(),
        cases.len(),
        confirmed.values().sum::<u64>(),
    );
    for (deviation, (all, really)) in DEVIATIONS.iter().zip(&covered).filter(|(_, (all, _))| *all > 0) {
        println!("{really} known deviations in {all} cases: {} ({})", deviation.condition, deviation.why);
        assert!(
            *all < 10 || really * 2 >= *all,
            "this deviation is stated too broadly: {}",
            deviation.condition
        );
    }
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
    for row in Op::all() {
        let confirmed = confirmed.get(&row.op).copied().unwrap_or(0);
        let needed = if matches!(row.evaluation, Evaluation::Opaque) { 0 } else { count / 5 };
        assert!(
            confirmed >= needed || dialect::is_unknown(kind, row.op),
            "only {confirmed} cases of `{}` ({:?}) were confirmed",
            row.name,
            row.op
        );
    }
}

/// Every operator with an evaluation is one that at least two of the solvers can be asked about, or one of the few that
/// only one of them has.
#[test]
fn every_operator_has_judges() {
    for row in Op::all().filter(|row| !matches!(row.evaluation, Evaluation::Opaque)) {
        let judges = SolverKind::ALL.into_iter().filter(|&s| !dialect::is_unknown(s, row.op)).count();
        let needed = match row.theory {
            Theory::Fields => 0,
            Theory::Sequences | Theory::Sets | Theory::Bags => 1,
            _ if matches!(row.op, Op::FpToIeeeBv | Op::StrToLower | Op::StrToUpper) => 1,
            _ => 2,
        };
        assert!(judges >= needed, "`{}` has {judges} judges", row.name);
    }
}

#[test]
fn z3_agrees() {
    agrees(SolverKind::Z3, 200);
}

#[test]
fn cvc5_agrees() {
    agrees(SolverKind::Cvc5, 200);
}

#[test]
fn cvc4_agrees() {
    agrees(SolverKind::Cvc4, 100);
}

/// The two ways of giving the arguments do not matter, and the value has the sort that the sort rule gave.
#[test]
fn values_have_their_sorts_with_and_without_a_model() {
    let mut terms = Terms::new();
    for case in all_cases(&mut terms, 100) {
        let ground = Evaluator::new(&terms, &Model::default()).eval(case.term);
        assert_eq!(ground, case.outcome, "{}", case.text(&terms));
        if let Ok(value) = &case.outcome {
            assert_eq!(value.sort(&mut terms), Some(terms.sort(case.term)), "{}", case.text(&terms));
        }
    }
}

/// A value is missing exactly where the standard leaves it open, or where the table promises none.
#[test]
fn values_are_open_exactly_where_the_standard_leaves_them_open() {
    let mut terms = Terms::new();
    for case in all_cases(&mut terms, 400) {
        let expected = openness::open(&case);
        match (&case.outcome, expected) {
            (Ok(_), None) => {}
            (Err(found), Some(reason)) if *found == reason => {}
            (found, expected) => panic!("{}: {found:?}, but open: {expected:?}", case.text(&terms)),
        }
    }
}

/// Where the standard leaves a value open, some solver lets it be one value and another.
#[test]
fn open_values_can_be_several() {
    let mut terms = Terms::new();
    let mut open: BTreeMap<Op, [u64; 2]> = BTreeMap::new();
    let cases = all_cases(&mut terms, 150);
    let standard = |case: &&Case| case.outcome.is_err() && case.row.theory.is_standard();
    let mut rng = Rng::new(3);
    let solvers: Vec<Solver> = SolverKind::ALL.into_iter().filter_map(Solver::find).collect();
    for solver in &solvers {
        let mut asked = Vec::new();
        let mut queries = Vec::new();
        for case in cases.iter().filter(standard) {
            let Ok(text) = dialect::render(&terms, case, solver.kind) else { continue };
            for value in openness::two_values(&mut rng, case) {
                asked.push(case.row.op);
                queries.push(format!("(assert (= {text} {}))", value_to_string(&terms, &value)));
            }
        }
        let answers = solver.ask("", &queries, QUERY_MS, BATCH_SECONDS);
        for (ops, answers) in asked.chunks(2).zip(answers.chunks(2)) {
            assert!(answers.iter().all(|a| !matches!(a, Answer::Error(_))), "{answers:?}");
            let several = answers.iter().all(|a| *a == Answer::Sat);
            open.entry(ops[0]).or_default()[usize::from(several)] += 1;
        }
    }
    println!("fixed by the solver, and open: {open:?}");
    assert!(solvers.is_empty() || open.len() == 8, "{open:?}");
    assert!(open.values().all(|[_, several]| *several > 0), "{open:?}");
}

/// A wrong `bvsmod` (with the sign of the dividend) is caught by each solver.
#[test]
fn planted_bug_is_caught() {
    fn wrong(case: &Case) -> Option<Value> {
        match (case.value(0), case.value(1)) {
            (Value::BitVec(a), Value::BitVec(b)) => Some(Value::BitVec(a.srem(b))),
            _ => None,
        }
    }
    let row: &'static OpInfo = Op::BvSmod.info();
    let mut terms = Terms::new();
    let mut rng = Rng::new(7);
    let cases: Vec<Case> = (0..100).map(|_| Case::new(&mut terms, &mut rng, row)).collect();
    let truly = cases.iter().filter(|c| wrong(c) != c.outcome.clone().ok()).count();
    assert!(truly > 5, "only {truly} cases show the planted bug");
    for solver in SolverKind::ALL.into_iter().filter_map(Solver::find) {
        for reply in ask(&solver, &terms, &cases, wrong) {
            let is_wrong = wrong(&cases[reply.case]) != cases[reply.case].outcome.clone().ok();
            let expected = if is_wrong { Answer::Sat } else { Answer::Unsat };
            assert_eq!(reply.answer, expected, "{:?}: {}", solver.kind, reply.query);
        }
        assert!(
            DEVIATIONS.iter().all(|d| !d.ops.contains(&Op::BvSmod)),
            "a deviation would hide the planted bug"
        );
    }
}

#[test]
fn undefined_is_reported_for_operators_without_evaluation() {
    let mut terms = Terms::new();
    let x = terms.real(1);
    let sine = terms.mk(Op::Sin, &[x]);
    let outcome = Evaluator::new(&terms, &Model::default()).eval(sine);
    assert_eq!(outcome, Err(Undefined::Unsupported("sin")));
}
