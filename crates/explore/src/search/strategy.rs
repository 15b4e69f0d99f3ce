//! The strategies: each a row that says which orders of decisions it works off, what it does about them, and their shares.

use super::order::ORDERS;
use super::source::{Source, Sources};

/// What is done about the decision that an order gives, or without any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Solve for another way out.
    Solve,
    /// Search around the input that came there: what is easy is found without the proofs that others need.
    Look,
    /// Run variants of unusual inputs from a source that needs no solver.
    Vary(Source),
}

/// A turn: who chooses, what is done then, and its share of what is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    /// The name of an order in [`ORDERS`]; sources of variants have orders of their own, and none here.
    pub(super) order: &'static str,
    pub(super) effort: Effort,
    pub(super) share: u64,
}

/// A search strategy.
#[derive(PartialEq, Eq, Debug)]
pub struct Strategy {
    /// The name after `--search`.
    pub name: &'static str,
    /// What it does, for `--help`.
    pub help: &'static str,
    /// The turns where there are sources of inputs besides engines.
    with: &'static [Turn],
    /// The turns where the only inputs are solutions and what engines pass through on the way to them.
    plain: &'static [Turn],
    /// Whether decisions that unusual runs opened are preferred whatever the runs came from, or only those of partial solutions.
    pub(super) prefers_all: bool,
}

const fn solve(order: &'static str, share: u64) -> Turn {
    Turn { order, effort: Effort::Solve, share }
}

const fn look(order: &'static str, share: u64) -> Turn {
    Turn { order, effort: Effort::Look, share }
}

const fn vary(source: Source, share: u64) -> Turn {
    Turn { order: "", effort: Effort::Vary(source), share }
}

/// All strategies. What is not promising now may be the only way to what is, so `cover` does several things side by side (as
/// KLEE interleaves its strategies). With other sources than engines it looks around before it solves: proofs are dear. The other strategies
/// solve in their order, and go on beside it from where partial solutions led to something unusual. `dfs` then begins at the
/// other end as well, or a loop that it is lost in keeps it from the rest.
pub static STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "dfs",
        help: "the last decision of the last path first",
        with: &[
            solve("latest", 4),
            solve("untried", 2),
            look("unusual", 2),
            vary(Source::Sweep, 2),
            vary(Source::Graft, 3),
            vary(Source::Mutate, 2),
        ],
        plain: &[solve("latest", 1)],
        prefers_all: false,
    },
    Strategy {
        name: "bfs",
        help: "the decision nearest to the start first",
        with: &[
            solve("nearest", 4),
            look("unusual", 2),
            vary(Source::Sweep, 2),
            vary(Source::Graft, 3),
            vary(Source::Mutate, 2),
        ],
        plain: &[solve("nearest", 1)],
        prefers_all: false,
    },
    Strategy {
        name: "random",
        help: "any open decision",
        with: &[
            look("random", 2),
            look("unusual", 2),
            vary(Source::Sweep, 5),
            vary(Source::Graft, 4),
            vary(Source::Mutate, 4),
            solve("random", 1),
        ],
        plain: &[solve("random", 1)],
        prefers_all: false,
    },
    Strategy {
        name: "rcn",
        help: "random paths and decisions beside code not yet covered in turn, as KLEE searches by default",
        with: &[
            solve("random-path", 2),
            solve("uncovered", 2),
            look("unusual", 2),
            vary(Source::Sweep, 2),
            vary(Source::Graft, 3),
            vary(Source::Mutate, 2),
        ],
        plain: &[solve("random-path", 1), solve("uncovered", 1)],
        prefers_all: false,
    },
    Strategy {
        name: "cover",
        help: "decisions that lead to code not yet covered first",
        with: &[
            look("nearest", 2),
            look("beside", 2),
            look("unusual", 2),
            vary(Source::Sweep, 5),
            vary(Source::Graft, 6),
            vary(Source::Mutate, 6),
            solve("nearest", 1),
            solve("beside", 1),
        ],
        plain: &[solve("nearest", 1), solve("beside", 1), solve("unusual", 1)],
        prefers_all: true,
    },
];

impl Strategy {
    /// The strategy of a name.
    pub fn named(name: &str) -> Option<&'static Strategy> {
        STRATEGIES.iter().find(|row| row.name == name)
    }

    /// Its turns with some sources of inputs.
    pub(super) fn turns(&self, sources: Sources) -> Vec<Turn> {
        let enabled = |turn: &&Turn| match turn.effort {
            Effort::Solve => true,
            Effort::Look => sources.has(Source::Look),
            Effort::Vary(source) => sources.has(source),
        };
        let all = if sources.needs_turns() { self.with } else { self.plain };
        let turns: Vec<Turn> = all.iter().filter(enabled).copied().collect();
        debug_assert!(
            turns
                .iter()
                .all(|turn| { turn.order.is_empty() || ORDERS.iter().any(|row| row.name == turn.order) })
        );
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_followed() {
        for strategy in STRATEGIES {
            assert_eq!(Strategy::named(strategy.name), Some(strategy));
            for turn in strategy.with.iter().chain(strategy.plain) {
                let known = ORDERS.iter().any(|row| row.name == turn.order);
                assert_eq!(known, !matches!(turn.effort, Effort::Vary(_)), "{turn:?}");
                assert!(turn.share > 0);
            }
            assert!(strategy.plain.iter().all(|turn| turn.effort == Effort::Solve));
            // Whatever is switched off, everything is solved for in the end.
            for sources in Sources::every() {
                assert!(strategy.turns(sources).iter().any(|turn| turn.effort == Effort::Solve));
            }
        }
    }
}
