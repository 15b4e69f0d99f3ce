//! Whether a formula is slow on all targets, whatever the first one's random choices, and quick on a reference; and the smallest formula
//! of which that is true. Owns the order of the runs: the cheapest that can refute comes first.

use super::{Ending, EvolveError, QUICK, Timing, family, is_defect, timing};
use crate::case::Verdict;
use crate::evolve::evaluate::Pair;
use crate::reduce::{self, reduce};
use crate::solver::{Limits, Run, Solver, Store};
use crate::tuning::evolve_confirm_trial::{SEEDS, SEEDS_OF_A_STEP, SLOW_ENOUGH, TRIES};
use smt::print::{Style, script_to_string};
use smt::{Script, Terms};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// A formula that is slow by the full limit.
#[derive(Debug)]
pub(super) struct Slow {
    pub(super) text: String,
    /// The first target's run with the seed that it has by itself.
    pub(super) run: Run,
    pub(super) reference: Timing,
    /// The name and version of the quickest reference.
    pub(super) quickest: (String, String),
    /// On how many of how many random seeds the target is slow.
    pub(super) seeds: (u32, u32),
}

/// Targets and references, and the first target with other random seeds.
pub(super) struct Trial<'a> {
    pair: &'a Pair,
    seeded: Vec<Solver>,
    stop: &'a AtomicBool,
}

impl<'a> Trial<'a> {
    pub(super) fn new(pair: &'a Pair, store: &Store, stop: &'a AtomicBool) -> Result<Trial<'a>, EvolveError> {
        let option = family::of(&pair.target.name).and_then(|family| family.seed);
        let spec =
            |option, number: u32| family::with_options(&pair.target.name, &[option], &number.to_string());
        let seeded = option
            .into_iter()
            .flat_map(|option| (1..=SEEDS).map(move |number| spec(option, number)))
            .map(|spec| Solver::resolve(&spec, store))
            .collect::<Result<_, _>>()?;
        Ok(Trial { pair, seeded, stop })
    }

    /// The smallest formula that is slow with every seed, or else with as many as the one that was found; and how many tests
    /// it took. `None` if nothing is slow, or the flag went up.
    pub(super) fn smallest(&self, text: &str, tests: u64) -> Result<(Option<Slow>, u64), EvolveError> {
        let (way, tests) = self.reduced(text, tests);
        // A formula that is slow for a short limit need not be for the full one: back on the way that the reduction took, in
        // growing steps, until one is.
        let back = (0..TRIES).map(|n| (1 << n) - 1).filter_map(|n| way.len().checked_sub(n + 1));
        let mut best: Option<Slow> = None;
        for text in back.map(|at| way[at].as_str()).chain([text]) {
            let Some(slow) = self.slow(text)? else { continue };
            if best.as_ref().is_none_or(|best| slow.seeds.0 > best.seeds.0) {
                best = Some(slow);
            }
            if best.as_ref().is_some_and(|best| best.seeds.0 == best.seeds.1) {
                break;
            }
        }
        Ok((best, tests))
    }

    /// Whether a formula is slow by the full limit, and with how many seeds.
    fn slow(&self, text: &str) -> Result<Option<Slow>, EvolveError> {
        let limits = self.pair.limits();
        let Some((solver, reference)) = self.pair.references_on(text, &limits, self.stop)? else {
            return Ok(None);
        };
        let Some((run, target)) = self.pair.targets_on(text, &limits, self.stop)? else { return Ok(None) };
        if !is_defect(&target, &reference, limits.cpu) {
            return Ok(None);
        }
        let mut slow = 0;
        for solver in &self.seeded {
            let again = timing(&solver.run(text, &limits, self.stop)?, limits.cpu);
            slow += u32::from(again.is_some_and(|again| again.ending == Ending::Timeout));
        }
        let quickest = (solver.name.clone(), solver.version.clone());
        let seeds = (slow, self.seeded.len() as u32);
        Ok(Some(Slow { text: text.into(), run, reference, quickest, seeds }))
    }

    /// The formulas that a reduction went through, the smallest last, and how many tests it took.
    fn reduced(&self, text: &str, tests: u64) -> (Vec<String>, u64) {
        let limits = self.pair.limits();
        let slow = Limits { cpu: limits.cpu.min(SLOW_ENOUGH), ..limits };
        let quick = Limits { cpu: limits.cpu / QUICK, ..limits };
        let way = Mutex::new(Vec::new());
        let test = |terms: &Terms, script: &Script| {
            let write = |solver: &Solver| {
                script_to_string(terms, script, Style { dialect: solver.dialect, share: false })
            };
            // A run that cannot be started shows nothing: the candidate is not taken.
            let ending = |solver: &Solver, text: &str, limits: &Limits| {
                timing(&solver.run(text, limits, self.stop).ok()?, limits.cpu).map(|timing| timing.ending)
            };
            let decides = |solver: &Solver| {
                let ending = ending(solver, &write(solver), &quick);
                matches!(ending, Some(Ending::Answered(Verdict::Sat | Verdict::Unsat)))
            };
            if !self.pair.references.iter().any(decides) {
                return false;
            }
            let text = write(&self.pair.target);
            let seeded = self.seeded.iter().take(SEEDS_OF_A_STEP);
            let mut targets = std::iter::once(&self.pair.target).chain(&self.pair.others).chain(seeded);
            let is_slow =
                targets.all(|solver| ending(solver, &write(solver), &slow) == Some(Ending::Timeout));
            if is_slow {
                way.lock().expect("the lock is never poisoned").push(text);
            }
            is_slow
        };
        let mut terms = Terms::new();
        let script = smt::read_script(&mut terms, text).script;
        let settings = reduce::ReduceSettings { jobs: 1, max_tests: tests };
        let tests = match reduce(terms, script, &test, &settings, self.stop, &mut |_| {}) {
            Ok(reduced) => reduced.tests,
            Err(reduce::NotReproduced) => 1,
        };
        (way.into_inner().expect("the reduction has ended"), tests)
    }
}
