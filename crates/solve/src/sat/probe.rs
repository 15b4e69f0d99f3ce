//! Failed-literal probing on the roots of the binary implication graph: a literal whose propagation ends in a
//! conflict is false.

use super::lit::Lit;
use super::solver::{Reason, Solver};

impl Solver {
    /// Probes until the effort is spent, going on where the last round stopped.
    pub(super) fn probe(&mut self, effort: u64) {
        debug_assert_eq!(self.level(), 0);
        let limit = self.counters.inprocess_ticks + effort;
        let count = self.vals.len();
        for _ in 0..count {
            if self.unsat || self.counters.inprocess_ticks >= limit {
                return;
            }
            let lit = Lit::from_raw((self.schedule.next_probe % count) as u32);
            self.schedule.next_probe = (self.schedule.next_probe + 1) % count;
            if self.is_probe(lit) {
                self.probe_literal(lit);
            }
        }
    }

    /// A literal that implies others by binary clauses and is implied by none: probing it covers all that
    /// it implies.
    fn is_probe(&mut self, lit: Lit) -> bool {
        if !self.is_open(lit.var()) {
            return false;
        }
        self.counters.inprocess_ticks += 1;
        let in_binary = |lit: Lit| self.watches[lit.index()].iter().any(|watch| watch.is_binary());
        in_binary(!lit) && !in_binary(lit)
    }

    fn probe_literal(&mut self, lit: Lit) {
        self.counters.probed += 1;
        self.decide_on(lit);
        let failed = self.propagate_inprocessing().is_some();
        self.backtrack(0);
        if failed {
            self.counters.failed_literals += 1;
            self.prove(&[!lit]);
            self.assign(!lit, Reason::Decision);
            if self.propagate_inprocessing().is_some() {
                self.set_unsat();
            }
        }
    }
}
