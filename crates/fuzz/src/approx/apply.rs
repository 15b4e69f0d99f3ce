//! Applying mutations to a seed: each replaces what stands at a path, and any subset of a mutant's mutations gives another
//! mutant with the same expectation, which is what undoing them one by one needs.

use super::skeleton::step;
use crate::case::Mutation;
use smt::{Command, Script, TermId, Terms};

/// The seed with these mutations applied in order.
///
/// A mutation that rewrote the result of another is left out where that other one is: its literal does not stand there.
pub fn apply(terms: &mut Terms, seed: &Script, mutations: &[Mutation]) -> Script {
    let mut script = seed.clone();
    for mutation in mutations {
        let Some(Command::Assert(formula)) = script.commands.get_mut(mutation.command) else { continue };
        if let Some(new) = replace(terms, *formula, &mutation.path, mutation.before, mutation.after) {
            *formula = new;
        }
    }
    script
}

/// The formula with `after` in the place of `before`, which must stand at the end of the path as a literal.
pub(super) fn replace(
    terms: &mut Terms,
    formula: TermId,
    path: &[u32],
    before: TermId,
    after: TermId,
) -> Option<TermId> {
    let mut spine = Vec::with_capacity(path.len());
    let mut at = formula;
    for &argument in path {
        step(terms, at, argument as usize)?;
        spine.push(at);
        at = *terms.args(at).get(argument as usize)?;
    }
    if at != before {
        return None;
    }
    let mut new = after;
    let mut args = Vec::new();
    for (&parent, &argument) in spine.iter().zip(path).rev() {
        args.clear();
        args.extend_from_slice(terms.args(parent));
        args[argument as usize] = new;
        new = terms.rebuild(parent, &args);
    }
    Some(new)
}
