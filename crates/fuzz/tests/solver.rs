//! Real solvers and hostile programs under limits.

use fuzz::case::Verdict;
use fuzz::solver::{End, Limits, Solver, Store, answer};
use std::sync::atomic::AtomicBool;

fn store() -> Store {
    Store::at("/nonexistent")
}

#[test]
fn real_solvers_answer() {
    for name in ["z3", "cvc5", "cvc4"] {
        let Ok(solver) = Solver::resolve(name, &store()) else { continue };
        assert!(!solver.version.is_empty(), "{name}");
        let script = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n(assert (< x 3))\n(check-sat)\n";
        let run = solver.run(script, &Limits::default(), &AtomicBool::new(false)).unwrap();
        let answer = answer::read(&run);
        assert_eq!(answer.trouble, None, "{name}: {run:?}");
        let verdicts: Vec<Verdict> = answer.replies.iter().map(|reply| reply.verdict).collect();
        assert_eq!(verdicts, [Verdict::Sat, Verdict::Unsat], "{name}");
        assert!(
            answer.replies[0].model.as_deref().is_some_and(|model| model.contains("define-fun x")),
            "{name}"
        );
        assert!(run.cpu.as_micros() > 100 && run.memory > 1 << 20, "{name}: {run:?}");
        assert_eq!(run.end, End::Exited(0), "{name}");
    }
}
