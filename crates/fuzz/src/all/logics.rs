//! Which seeds a solver can take, by their logic: the solver is asked once about each name that comes up. A solver of bit-vectors would
//! refuse most seeds of a mixed collection, and each refusal costs a test.

use crate::approx::Seed;
use crate::case::Verdict;
use crate::solver::answer;
use crate::solver::{Limits, Solver};
use crate::tuning::all_logics::{CPU, OUTPUT};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// The logics of one solver, as far as it was asked.
#[derive(Debug)]
pub(super) struct Logics {
    solver: Solver,
    known: Mutex<BTreeMap<String, bool>>,
}

impl Logics {
    pub(super) fn new(solver: &Solver) -> Logics {
        Logics { solver: solver.clone(), known: Mutex::new(BTreeMap::new()) }
    }

    /// Whether the solver takes the logic that a seed names. A seed without one may be of any.
    pub(super) fn take(&self, seed: &Seed) -> bool {
        let kind = seed.kind();
        let logic = kind.split(' ').next().unwrap_or_default();
        if logic.is_empty() {
            return true;
        }
        let mut known = self.known.lock().expect("the lock is never poisoned");
        if let Some(&takes) = known.get(logic) {
            return takes;
        }
        let takes = self.ask(logic);
        known.insert(logic.to_string(), takes);
        takes
    }

    /// Whether the solver answers a query in a logic.
    fn ask(&self, logic: &str) -> bool {
        answers(&self.solver, &format!("(set-logic {logic})\n(check-sat)\n"))
    }
}

/// Whether a solver finds a script satisfiable, and has no complaint. One that cannot be started says so when a test is sent.
pub(super) fn answers(solver: &Solver, script: &str) -> bool {
    let limits = Limits { output: OUTPUT, ..Limits::with_cpu(CPU) };
    let Ok(run) = solver.run(script, &limits, &AtomicBool::new(false)) else { return true };
    let answer = answer::read(&run);
    answer.trouble.is_none() && answer.replies.first().is_some_and(|reply| reply.verdict == Verdict::Sat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Store;

    /// cvc5 refuses a logic that there is not; a seed that names none is taken.
    #[test]
    fn a_solver_is_asked_for_its_logics() {
        let cvc5 = Solver::resolve("cvc5", &Store::open()).expect("scripts/check installs it");
        let logics = Logics::new(&cvc5);
        let seed = |text: &str| Seed::Text("seed".into(), text.into());
        assert!(logics.take(&seed("(set-logic QF_BV)(set-info :status sat)")));
        assert!(!logics.take(&seed("(set-logic QF_NOTHING)")));
        assert!(logics.take(&seed("(assert true)")));
        let known = logics.known.lock().expect("no test panics");
        assert_eq!(
            known.iter().map(|(name, takes)| (name.as_str(), *takes)).collect::<Vec<_>>(),
            [("QF_BV", true), ("QF_NOTHING", false)]
        );
    }
}
