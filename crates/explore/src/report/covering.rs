//! Which tests cover a source line: the first one is known from the search, others from running tests once more. Only so much is
//! run, counted in jumps, that the report never costs more than a moment of the search did.

use super::Subject;
use crate::coverage::Coverage;
use crate::search::Exploration;
use crate::target::{Input, RunLimits};
use std::collections::BTreeMap;

/// Tests that a line leads to.
pub(super) const SHOWN: usize = 6;

/// The jumps and calls that all runs for this may make together: about a second of them.
const JUMPS: u64 = 20_000_000;

/// For each covered line, as a position in the target's lines, the numbers of tests that cover it: the first, and some others.
pub(super) fn tests(
    subject: Subject<'_>,
    found: &Exploration,
    number: &dyn Fn(usize) -> usize,
) -> BTreeMap<usize, Vec<usize>> {
    let mut tests: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, test) in found.tests.iter().enumerate() {
        for &line in &test.fresh.lines {
            tests.entry(line).or_default().push(number(at));
        }
    }
    let target = subject.target;
    let limits = RunLimits { fuel: subject.settings.fuel, ..RunLimits::default() };
    let mut left = JUMPS;
    for (at, test) in found.tests.iter().enumerate() {
        let Some(rest) = left.checked_sub(test.run.jumps.max(1)) else { break };
        left = rest;
        let input: Input =
            test.run.objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect();
        let (_, trail) = target.run_concrete(&input, &limits);
        let mut alone = Coverage::new(target.sites());
        for line in alone.add(&trail, target.sites()).lines {
            let known = tests.entry(line).or_default();
            if known.len() < SHOWN && !known.contains(&number(at)) {
                known.push(number(at));
            }
        }
    }
    tests
}
