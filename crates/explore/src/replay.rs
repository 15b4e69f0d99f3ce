//! Runs stored tests again: do they end as they did, along the path that they took?

use crate::coverage::Coverage;
use crate::report::test::StoredTest;
use crate::target::{Run, RunLimits, Symbols, Target};
use smt::Terms;

/// What became of one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// What the test did this time.
    pub run: Run,
    /// How it differs from what was stored; none if it does not.
    pub divergence: Option<String>,
}

/// Runs a test in both domains, and adds up what it covers.
pub fn replay(
    target: &dyn Target,
    test: &StoredTest,
    limits: &RunLimits,
    coverage: &mut Coverage,
) -> Replayed {
    let (mut concrete, trail) = target.run_concrete(&test.input, limits);
    coverage.add(&trail, target.sites());
    let (mut on_terms, path) =
        target.run_concolic(&test.input, &mut Terms::new(), &mut Symbols::default(), limits);
    concrete.settle(limits.fuel);
    on_terms.settle(limits.fuel);
    let ending = concrete.ending.to_string();
    let too_long = path.len() > limits.path;
    let path: Vec<(u64, bool)> =
        path.iter().take(limits.path).map(|entry| (target.address(entry.at), entry.taken)).collect();
    let parted = path.iter().zip(&test.path).position(|(new, old)| new != old);
    let divergence = if ending != test.ending {
        Some(format!("it ended with \"{ending}\" instead of \"{}\"", test.ending))
    } else if on_terms.ending != concrete.ending && !too_long {
        Some(format!("on terms it ended with \"{}\"", on_terms.ending))
    } else if let Some(at) = parted {
        Some(format!("it left its path at decision {} of {}", at + 1, test.path.len()))
    } else if path.len() != test.path.len() {
        Some(format!("it came to {} decisions instead of {}", path.len(), test.path.len()))
    } else {
        None
    };
    Replayed { run: concrete, divergence }
}
