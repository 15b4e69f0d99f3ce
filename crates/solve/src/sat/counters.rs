//! What the solver did, in numbers. One table defines the fields, their order in print and their meaning.

use std::fmt;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counts since the solver was created.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Counters {
            /// All counters with their names, in a fixed order.
            pub fn rows(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }
    };
}

counters! {
    /// Calls of `solve`.
    solves,
    /// Literals chosen freely.
    decisions,
    /// Literals whose consequences were followed.
    propagations,
    /// Conflicts met by the search.
    conflicts,
    /// Returns to a low decision level.
    restarts,
    /// Decision levels that restarts could keep.
    reused_levels,
    /// Switches between stable and focused mode.
    mode_switches,
    /// Resets of the saved phases.
    rephased,
    /// Clauses learnt from conflicts.
    learnt,
    /// Literals in learnt clauses, after minimisation.
    learnt_literals,
    /// Literals that minimisation removed.
    minimised,
    /// Literals that binary strengthening removed.
    strengthened_by_binary,
    /// Rounds of clause-database reduction.
    reductions,
    /// Learnt clauses dropped by reduction.
    reduced,
    /// Compactions of the arena.
    collections,
    /// Rounds of inprocessing.
    inprocessings,
    /// Literals tried by probing.
    probed,
    /// Probes that failed and gave a unit.
    failed_literals,
    /// Clauses checked by vivification.
    vivify_checked,
    /// Clauses shortened or removed by vivification.
    vivified,
    /// Variables replaced by an equivalent literal.
    substituted,
    /// Clauses removed because another one implies them.
    subsumed,
    /// Clauses shortened by self-subsuming resolution.
    strengthened,
    /// Variables eliminated by resolution.
    eliminated,
    /// Eliminations that used a gate definition.
    gates,
    /// Clauses brought back because a caller mentioned an eliminated variable.
    restored,
    /// Variables fixed at the root.
    fixed,
    /// Literals that the theory propagated.
    theory_propagations,
    /// Conflicts that the theory reported.
    theory_conflicts,
    /// Explanations that the theory was asked for.
    theory_explanations,
    /// Lemmas that the theory added.
    lemmas,
    /// Complete assignments shown to the theory.
    final_checks,
    /// Partial assignments shown to the observer.
    observed_trails,
    /// Effort of search.
    search_ticks,
    /// Effort of inprocessing.
    inprocess_ticks,
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.rows() {
            writeln!(f, "{name:24} {value}")?;
        }
        Ok(())
    }
}
