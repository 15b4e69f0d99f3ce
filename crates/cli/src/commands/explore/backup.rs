//! `--backup`: a foreign solver that is asked where the engines find no answer. `explore` starts no solvers, so the process is
//! `fuzz`'s, behind the seam that `explore` has for it.

use explore::search::{Backup, Reply};
use fuzz::case::Verdict;
use fuzz::solver::answer;
use fuzz::solver::{Limits, Solver};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A foreign solver.
#[derive(Debug)]
pub(super) struct Foreign {
    /// The solver of `--backup`.
    pub(super) solver: Solver,
    /// Ends a query when it is set.
    pub(super) stop: Arc<AtomicBool>,
}

impl Backup for Foreign {
    fn name(&self) -> String {
        self.solver.command_line().join(" ")
    }

    fn ask(&self, script: &str, limit: Duration) -> Reply {
        let text = format!("(set-option :produce-models true)\n{script}(get-model)\n");
        // The exploration has a time on the clock, so the query has too.
        let limits = Limits { wall: limit, ..Limits::with_cpu(limit) };
        // A solver that cannot be started has no answer; that it can was seen when it was resolved.
        let Ok(run) = self.solver.run(&text, &limits, &self.stop) else { return Reply::Unknown };
        match answer::read(&run).replies.into_iter().next() {
            Some(reply) => match (reply.verdict, reply.model) {
                (Verdict::Unsat, _) => Reply::Unsat,
                (Verdict::Sat, Some(model)) => Reply::Sat(model),
                _ => Reply::Unknown,
            },
            None => Reply::Unknown,
        }
    }
}
