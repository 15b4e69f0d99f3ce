//! The crate as others use it: owned solvers on threads of their own, interrupts, streams, and answers of another solver.

use smt::{Op, SortId, Terms};
use solve::engine::Reason;
use solve::solver::{Answer, Interrupt, Solver, Stream};
use std::time::Duration;

fn is_send<T: Send>() {}

#[test]
fn everything_can_go_to_another_thread() {
    is_send::<Terms>();
    is_send::<Solver>();
    is_send::<Interrupt>();
    is_send::<Stream>();
    is_send::<solve::session::Session>();
    let workers: Vec<_> = (0..4)
        .map(|n| {
            let mut solver = Solver::new();
            let x = solver.constant("x", SortId::INT);
            std::thread::spawn(move || {
                let bound = solver.terms_mut().int(n);
                let equal = solver.terms_mut().mk(Op::Eq, &[x, bound]);
                solver.assert(equal);
                let Answer::Sat(model) = solver.check() else { panic!("{n} is one") };
                let fun = solver.terms().as_fun(x).expect("a symbol");
                model.value(fun).and_then(|v| v.as_int().cloned())
            })
        })
        .collect();
    for (n, worker) in workers.into_iter().enumerate() {
        assert_eq!(worker.join().expect("an answer"), Some(smt::IBig::from(n)));
    }
}

#[test]
fn levels_and_assumptions() {
    let mut solver = Solver::new();
    solver.read("(declare-const p Bool)(declare-const q Bool)(assert (or p q))").expect("a script");
    let [p, q] = ["p", "q"].map(|name| solver.constant(name, SortId::BOOL));
    let [not_p, not_q] = [p, q].map(|t| solver.terms_mut().mk(Op::Not, &[t]));
    solver.push();
    solver.assert(not_p);
    assert!(matches!(solver.check(), Answer::Sat(_)));
    let either = solver.assertions()[0];
    let Answer::Unsat(core) = solver.check_assuming(&[not_q]) else { panic!("a conflict") };
    assert_eq!(core, [either, not_p, not_q]);
    assert!(solver.pop() && !solver.pop());
    assert!(matches!(solver.check_assuming(&[not_q]), Answer::Sat(_)));
    assert!(solver.read("(assert (> 1 true))").is_err());
}

/// A factorisation that nobody finishes: an interrupt, the clock and the ticks end it.
#[test]
fn checks_end_when_they_are_told_to() {
    let hard = "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))
        (assert (= (bvmul ((_ zero_extend 64) x) ((_ zero_extend 64) y)) #x7fffffffffffffe77fffffffffffffe7))
        (assert (bvugt x #x0000000000000001))(assert (bvugt y #x0000000000000001))(assert (bvult x y))";
    let mut solver = Solver::new();
    solver.read(hard).expect("a script");
    solver.set_tick_limit(Some(30_000));
    assert!(matches!(solver.check(), Answer::Unknown(Reason::Time)));
    solver.set_tick_limit(None);
    solver.set_time_limit(Some(Duration::from_millis(50)));
    assert!(matches!(solver.check(), Answer::Unknown(Reason::Time)));
    solver.set_time_limit(None);
    let interrupt = solver.interrupt();
    let worker = std::thread::spawn(move || {
        let answer = solver.check();
        (solver, answer)
    });
    interrupt.set();
    let (mut solver, answer) = worker.join().expect("an answer");
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{answer:?}");
    interrupt.clear();
    solver.set_tick_limit(Some(30_000));
    assert!(matches!(solver.check(), Answer::Unknown(Reason::Time)));
}

#[test]
fn partial_solutions_come_as_an_iterator() {
    let mut solver = Solver::with_engine("simplex", 0).expect("an engine");
    let text = "(declare-const x Int)(declare-const y Int)(assert (> (+ (* 3 x) (* 5 y)) 17))(assert (< (- (* 7 x) y) 2))(assert (> x 5))";
    solver.read(text).expect("a script");
    let mut stream = solver.stream(&[]);
    let first = stream.next().expect("a partial solution");
    assert_eq!(first.engine, "simplex");
    let (solver, answer) = stream.finish();
    assert!(matches!(answer, Answer::Sat(_)));
    // Dropped early, it ends by itself.
    drop(solver.stream(&[]));
}

#[test]
fn answers_of_others_are_judged() {
    let mut solver = Solver::new();
    solver
        .read("(declare-sort T 0)(declare-fun f (T) Int)(declare-const t T)(assert (> (f t) 3))")
        .expect("a script");
    let script = solver.script(&[]);
    assert!(
        script.contains("(declare-sort T 0)") && script.ends_with("(check-sat)\n(get-model)\n"),
        "{script}"
    );
    let model = "sat\n((declare-fun T!val!0 () T)(define-fun t () T T!val!0)(define-fun f ((x T)) Int 7))";
    assert!(matches!(solver.accept(&[], model), Answer::Sat(_)));
    let wrong = model.replace('7', "2");
    assert!(matches!(solver.accept(&[], &wrong), Answer::Unknown(Reason::Incomplete)));
    assert!(matches!(solver.accept(&[], "unsat"), Answer::Unsat(core) if core.len() == 1));
    assert!(matches!(solver.accept(&[], "segfault"), Answer::Unknown(_)));
}
