//! Algorithm 1: the loop of generations. Owns the population and its state; everything it decides depends on the seed, the
//! generation's number and the measurements alone, so that a stored run continues as if it had never stopped.

mod breed;
mod measure;
mod member;

pub use member::{FirstFormula, Member};

use super::coverage::CountTable;
use super::evaluate::{Ending, Evaluate, EvolveError, Formula, Measurement};
use super::generate::Size;
use super::grammar::{Grammar, Logic};
use super::individual::Individual;
use super::nsga;
use super::trace::hash;
use super::variant::{Crowding, Selection, Variant};
use crate::StopReason;
use crate::tuning::evolve_search::{KEPT_CONTRADICTIONS, MOST_TERMS};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use smt::Terms;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The parameters of a search.
#[derive(Clone, Debug)]
pub struct EvolutionSettings {
    /// What counts.
    pub variant: &'static Variant,
    /// What individuals are made of.
    pub logic: &'static Logic,
    /// How many live.
    pub population: usize,
    /// How likely two parents exchange assertions.
    pub crossover: f64,
    /// How likely a child mutates.
    pub mutation: f64,
    /// How large new individuals are.
    pub size: Size,
    /// Where all choices come from.
    pub seed: u64,
    /// At most this many formulas are measured.
    pub tests: Option<u64>,
    /// At most about this long.
    pub time: Option<Duration>,
    /// How many formulas are measured at the same time.
    pub jobs: usize,
    /// Formulas to begin with.
    pub seeds: Vec<FirstFormula>,
}

impl EvolutionSettings {
    /// The parameters of Section IV-B.
    pub fn new(seed: u64) -> EvolutionSettings {
        EvolutionSettings {
            variant: Variant::default_variant(),
            logic: &super::grammar::LOGICS[0],
            population: 40,
            crossover: 0.75,
            mutation: 0.25,
            size: Size::default(),
            seed,
            tests: None,
            time: None,
            jobs: 1,
            seeds: Vec::new(),
        }
    }
}

/// A line of the run's history, and of `generations.jsonl`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0.
    #[serde(rename = "generation")]
    pub number: u64,
    /// Formulas measured so far.
    pub tests: u64,
    /// Mean time score of the population (Fig. 4).
    pub mean_score: f64,
    /// The best time score.
    pub best_score: f64,
    /// How many reach the time limit.
    pub timeouts: usize,
    /// The mean of the third objective, over the population.
    pub mean_complexity: f64,
    /// Rows covered so far by all formulas.
    pub lines: usize,
}

/// What a run counts beside its history.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Formulas measured.
    pub tests: u64,
    /// Formulas that a solver did not take.
    pub rejected: u64,
    /// What it said to the last of them.
    pub last_rejection: Option<String>,
    /// Formulas on which the solvers contradict each other.
    pub contradictions: u64,
}

/// A run: what its generations have led to.
pub struct Evolution<'a> {
    settings: &'a EvolutionSettings,
    evaluate: &'a dyn Evaluate,
    terms: Terms,
    grammar: Grammar,
    /// The population, in the order of its selection.
    pub members: Vec<Member>,
    /// The number of the next generation.
    pub next: u64,
    /// What was covered.
    pub table: CountTable,
    /// One entry a generation.
    pub history: Vec<Generation>,
    /// What was counted.
    pub counts: Counts,
    /// Texts on which the solvers contradict each other, the first few.
    pub contradictions: Vec<String>,
    seen: FxHashSet<u64>,
}

/// A member as it was stored: everything but the individual, which its text tells.
pub(crate) struct RestoredMember {
    pub(super) text: String,
    pub(super) measurement: Measurement,
    pub(super) coverage_score: u64,
    pub(super) objectives: Vec<f64>,
    pub(super) distance: f64,
}

impl<'a> Evolution<'a> {
    /// A run that has not begun.
    pub fn new(settings: &'a EvolutionSettings, evaluate: &'a dyn Evaluate) -> Evolution<'a> {
        let mut terms = Terms::new();
        let grammar = Grammar::new(&mut terms, settings.logic);
        Evolution {
            settings,
            evaluate,
            terms,
            grammar,
            members: Vec::new(),
            next: 0,
            table: CountTable::default(),
            history: Vec::new(),
            counts: Counts::default(),
            contradictions: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// The parameters of the search.
    pub(crate) fn settings(&self) -> &EvolutionSettings {
        self.settings
    }

    /// The solvers that measure its formulas.
    pub(crate) fn solvers(&self) -> String {
        self.evaluate.solvers()
    }

    /// Evolves until a limit is reached. `each` is told of every whole generation, and may store it.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        each: &mut dyn FnMut(&Evolution) -> Result<(), EvolveError>,
    ) -> Result<StopReason, EvolveError> {
        let deadline = self.settings.time.map(|time| Instant::now() + time);
        loop {
            if let Some(reason) = self.stop_reason(stop, deadline) {
                return Ok(reason);
            }
            let fresh = if self.next == 0 { self.first() } else { self.offspring() };
            let bred = fresh.len();
            let fresh = self.within_limit(fresh);
            // A generation that a limit cut short counts for the result, but is bred again when the run continues.
            let whole = fresh.len() == bred;
            let whole = self.admit(fresh, stop, deadline)? && whole;
            self.score();
            self.select();
            self.note();
            if whole {
                self.next += 1;
                self.compact();
                each(self)?;
            }
        }
    }

    fn stop_reason(&self, stop: &AtomicBool, deadline: Option<Instant>) -> Option<StopReason> {
        if stop.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(StopReason::Time)
        } else if self.settings.tests.is_some_and(|tests| self.counts.tests >= tests) {
            Some(StopReason::Tests)
        } else {
            None
        }
    }

    /// The individuals that the limit on tests still allows.
    fn within_limit(&self, mut fresh: Vec<Individual>) -> Vec<Individual> {
        if let Some(tests) = self.settings.tests {
            let left = tests.saturating_sub(self.counts.tests);
            fresh.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        fresh
    }

    /// Measures individuals and adds them to the population; whether all of them were measured.
    fn admit(
        &mut self,
        fresh: Vec<Individual>,
        stop: &AtomicBool,
        deadline: Option<Instant>,
    ) -> Result<bool, EvolveError> {
        let subjects: Vec<_> = fresh.iter().map(|individual| self.subject(individual)).collect();
        let results = measure::all(self.evaluate, &subjects, self.settings.jobs, stop, deadline)?;
        let whole = results.iter().all(Option::is_some);
        for ((individual, subject), result) in fresh.into_iter().zip(subjects).zip(results) {
            let Some(measurement) = result else { continue };
            self.count(&subject.target, &measurement);
            self.members.push(Member::new(&self.terms, individual, subject.target, measurement));
        }
        Ok(whole)
    }

    fn count(&mut self, text: &str, measurement: &Measurement) {
        self.counts.tests += 1;
        let timings = [Some(&measurement.target), measurement.reference.as_ref()];
        let rejection = timings.into_iter().flatten().find_map(|timing| match &timing.ending {
            Ending::Rejected(message) => Some(message.clone()),
            _ => None,
        });
        if rejection.is_some() {
            self.counts.rejected += 1;
            self.counts.last_rejection = rejection;
        }
        if measurement.contradiction {
            self.counts.contradictions += 1;
            if self.contradictions.len() < KEPT_CONTRADICTIONS {
                self.contradictions.push(text.into());
            }
        }
    }

    /// Line 10 to 12: everyone is scored in every generation, since what is covered already is worth less and less.
    /// Running anyone again is not needed for that.
    fn score(&mut self) {
        for member in &mut self.members {
            member.coverage_score = self.table.score(&member.measurement.coverage);
            member.objectives = member.score(self.settings.variant.objectives);
        }
    }

    /// Line 13 to 17: who lives on, and with which crowding distance.
    fn select(&mut self) {
        let size = self.settings.population;
        let kept: Vec<(usize, f64)> = match self.settings.variant.selection {
            Selection::Culling => {
                let mut order: Vec<usize> = (0..self.members.len()).collect();
                let objective = |i: usize| self.members[i].objectives[0];
                order.sort_by(|&a, &b| objective(b).total_cmp(&objective(a)));
                order.into_iter().take(size).map(|i| (i, 0.0)).collect()
            }
            Selection::Pareto => {
                let points = self.points();
                let fronts = nsga::fronts(&points);
                let distances: Vec<Vec<f64>> =
                    fronts.iter().map(|front| self.crowding(&points, front)).collect();
                let mut of = vec![0.0; points.len()];
                for (front, distances) in fronts.iter().zip(&distances) {
                    for (&i, &distance) in front.iter().zip(distances) {
                        of[i] = distance;
                    }
                }
                nsga::survivors(&fronts, &distances, size).into_iter().map(|i| (i, of[i])).collect()
            }
        };
        let mut members: Vec<Option<Member>> = self.members.drain(..).map(Some).collect();
        for (i, distance) in kept {
            if let Some(mut member) = members[i].take() {
                member.distance = distance;
                self.members.push(member);
            }
        }
    }

    fn points(&self) -> Vec<Vec<f64>> {
        self.members.iter().map(|member| member.objectives.clone()).collect()
    }

    fn crowding(&self, points: &[Vec<f64>], front: &[usize]) -> Vec<f64> {
        match self.settings.variant.crowding {
            Crowding::Classic => nsga::classic(points, front),
            Crowding::Trace => nsga::similarity(front, |i, j| {
                self.members[i].measurement.trace.similarity(&self.members[j].measurement.trace)
            }),
        }
    }

    fn note(&mut self) {
        let count = self.members.len().max(1) as f64;
        let scores = || self.members.iter().map(Member::t_score);
        let generation = Generation {
            number: self.next,
            tests: self.counts.tests,
            mean_score: scores().sum::<f64>() / count,
            best_score: scores().fold(0.0, f64::max),
            timeouts: self.members.iter().filter(|m| m.measurement.target.ending == Ending::Timeout).count(),
            mean_complexity: self.members.iter().map(|m| m.complexity as f64).sum::<f64>() / count,
            lines: self.table.lines(),
        };
        self.history.push(generation);
    }

    /// Makes the arena anew from the texts, when the dead have filled it.
    fn compact(&mut self) {
        if self.terms.len() > MOST_TERMS {
            let texts: Vec<String> = self.members.iter().map(|member| member.text.clone()).collect();
            self.terms = Terms::new();
            self.grammar = Grammar::new(&mut self.terms, self.settings.logic);
            for (member, text) in self.members.iter_mut().zip(texts) {
                if let Ok(individual) = member::read(&mut self.terms, &text) {
                    member.individual = individual;
                }
            }
        }
    }

    /// The hashes of all texts that were ever made, in ascending order.
    pub(crate) fn seen(&self) -> Vec<u64> {
        let mut seen: Vec<u64> = self.seen.iter().copied().collect();
        seen.sort_unstable();
        seen
    }

    /// The members as they were stored, in their order, and the texts that were seen.
    pub(crate) fn restore(
        &mut self,
        stored: Vec<RestoredMember>,
        seen: impl IntoIterator<Item = u64>,
    ) -> Result<(), EvolveError> {
        for RestoredMember { text, measurement, coverage_score, objectives, distance } in stored {
            let individual = member::read(&mut self.terms, &text).map_err(|r| EvolveError::Resume(r.0))?;
            let mut member = Member::new(&self.terms, individual, text, measurement);
            (member.coverage_score, member.objectives, member.distance) =
                (coverage_score, objectives, distance);
            self.members.push(member);
        }
        self.seen.extend(seen);
        Ok(())
    }

    fn is_new(&mut self, text: &str) -> bool {
        self.seen.insert(hash(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests;
