//! Smaller cores: after a refutation, assumptions are left out one by one as long as that is cheap.

use crate::engine::Budget;
use crate::sat::{Hooks, Lit, SatAnswer, Solver};
use crate::tuning::blast_minimize::{MAX_DELETIONS, SHARE, TICKS};
use rustc_hash::FxHashSet;

/// The assumptions that failed, after the solver has said so with an effort in ticks, fewer if that is cheap to find out.
pub(super) fn core(solver: &mut Solver, effort: u64, budget: &mut Budget) -> Vec<Lit> {
    let mut core = solver.failed_assumptions().to_vec();
    let mut left = TICKS + effort / SHARE;
    if core.len() < 2 {
        return core;
    }
    reduce(solver, &core.clone(), &mut core, &mut left, budget);
    if core.len() > MAX_DELETIONS {
        return core;
    }
    let mut position = core.len();
    while position > 0 && left > 0 {
        position -= 1;
        let mut rest = core.clone();
        rest.remove(position);
        if reduce(solver, &rest, &mut core, &mut left, budget) {
            position = position.min(core.len());
        }
    }
    core
}

/// Solves under fewer assumptions; whether they fail too.
fn reduce(
    solver: &mut Solver,
    tried: &[Lit],
    core: &mut Vec<Lit>,
    left: &mut u64,
    budget: &mut Budget,
) -> bool {
    let mut spend = |ticks: u64| {
        *left = left.saturating_sub(ticks);
        *left > 0 && budget.spend(u32::try_from(ticks).unwrap_or(u32::MAX))
    };
    let outcome = solver.solve_with(tried, Hooks { budget: Some(&mut spend), ..Hooks::default() });
    if outcome == SatAnswer::Unsat {
        // Their order is kept, so that the deletions that were tried stay behind the position.
        let failed: FxHashSet<Lit> = solver.failed_assumptions().iter().copied().collect();
        core.retain(|lit| failed.contains(lit));
        return true;
    }
    false
}
