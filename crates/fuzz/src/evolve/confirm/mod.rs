//! Afterwards: what of the result set is a defect. Members that reached the limit run again under a long one; those on which
//! the reference is quick are reduced while they stay slow (`trial`), and told apart by their traces and operators. Owns what
//! "slow" and "the same" mean, and the order and the end of confirming; findings are written by [`super::publish`].

mod trial;

use super::evaluate::{
    CoverageKind, Ending, Evaluate, EvolveError, Formula, Pair, PairSettings, Timing, TraceKind, timing,
};
use super::family;
use super::search::Member;
use super::trace::Trace;
use crate::case::Verdict;
use crate::finding::operators;
use crate::solver::{Limits, Run, Store};
use crate::tuning::evolve_confirm::{QUICK, SAME, TRACED};
use smt::Terms;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use trial::Trial;

/// How confirming is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfirmSettings {
    /// The long limit in CPU seconds (the paper: 2,400).
    pub limit: Duration,
    /// How many solvers run at the same time.
    pub jobs: usize,
    /// How many tests one reduction may use.
    pub reduction_tests: u64,
    /// No reduction begins when this time has passed; one that has begun is brought to its end.
    pub time: Duration,
}

/// A member's run under the long limit.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Rerun {
    /// The member's place in the result set.
    pub member: usize,
    /// The target's run; that of the search if it ended before its limit.
    pub target: Timing,
    /// The reference's run.
    pub reference: Timing,
}

/// A confirmed performance defect.
#[derive(Clone, Debug)]
pub(crate) struct SlowFormula {
    /// The formula as it was found.
    pub bug: String,
    /// The smallest formula that is still slow.
    pub reduced: String,
    /// How many assertions the reduced formula has.
    pub assertions: usize,
    /// The names of its operators, sorted.
    pub operators: Vec<&'static str>,
    /// The target's run on the reduced formula under the search's limit.
    pub run: Run,
    /// The quickest reference's time on it.
    pub reference: Timing,
    /// The name and version of that reference.
    pub quickest: (String, String),
    /// On how many of how many random seeds the target is slow.
    pub seeds: (u32, u32),
    /// Members of the result set that show it.
    pub count: u64,
    /// Runs of the target that the reduction cost.
    pub reduction_tests: u64,
    trace: Trace,
}

/// Runs the members again that reached the limit of the search; in their order, without those that the end cut off.
pub(crate) fn rerun(
    pair: &Pair,
    members: &[Member],
    settings: &ConfirmSettings,
    stop: &AtomicBool,
) -> Result<Vec<Rerun>, EvolveError> {
    let results: Vec<Mutex<Option<Rerun>>> = members.iter().map(|_| Mutex::new(None)).collect();
    let failure: Mutex<Option<EvolveError>> = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let limits = Limits { wall: Limits::with_cpu(settings.limit).wall, cpu: settings.limit, ..pair.limits() };
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(member) = members.get(number) else { return };
            match rerun_one(pair, number, member, &limits, stop) {
                Ok(rerun) => *results[number].lock().expect("the lock is never poisoned") = rerun,
                Err(error) => {
                    failure.lock().expect("the lock is never poisoned").get_or_insert(error);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..settings.jobs {
            scope.spawn(work);
        }
        work();
    });
    match failure.into_inner().expect("all workers have ended") {
        Some(error) => Err(error),
        None => {
            Ok(results.into_iter().filter_map(|r| r.into_inner().expect("all workers have ended")).collect())
        }
    }
}

fn rerun_one(
    pair: &Pair,
    number: usize,
    member: &Member,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<Option<Rerun>, EvolveError> {
    let target = if member.measurement.target.ending == Ending::Timeout {
        pair.targets_on(&member.text, limits, stop)?.map(|(_, timing)| timing)
    } else {
        Some(member.measurement.target.clone())
    };
    let Some(target) = target else { return Ok(None) };
    let reference = pair.references_on(&member.text, limits, stop)?;
    Ok(reference.map(|(_, reference)| Rerun { member: number, target, reference }))
}

/// Whether the target reached the limit where the reference decides quickly.
pub(crate) fn is_defect(target: &Timing, reference: &Timing, limit: Duration) -> bool {
    let decided = matches!(reference.ending, Ending::Answered(Verdict::Sat | Verdict::Unsat));
    target.ending == Ending::Timeout && decided && reference.seconds < limit.as_secs_f64() / f64::from(QUICK)
}

/// What confirming led to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Confirmation {
    /// The defects, each once, in the order in which they were confirmed.
    pub defects: Vec<SlowFormula>,
    /// Members that look like defects and were not reduced, for time was over.
    pub left: usize,
}

/// The defects among the members: reduced, tried with other seeds, each once. `progress` is told of each. As many at a time as
/// there are jobs; the next are always those that show the least of what is known, and among them the simplest.
pub(crate) fn defects(
    pair: &Pair,
    store: &Store,
    members: &[Member],
    reruns: &[Rerun],
    settings: &ConfirmSettings,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&SlowFormula),
) -> Result<Confirmation, EvolveError> {
    let search_limit = pair.limits().cpu;
    let mut candidates: Vec<Candidate> = reruns
        .iter()
        .filter(|rerun| is_defect(&rerun.target, &rerun.reference, search_limit))
        .map(|rerun| Candidate::new(&members[rerun.member]))
        .collect();
    let tracer = tracer(pair, store, settings.jobs)?;
    let trial = Trial::new(pair, store, stop)?;
    let start = Instant::now();
    let mut found: Vec<SlowFormula> = Vec::new();
    while !candidates.is_empty() && !stop.load(Ordering::Relaxed) && start.elapsed() < settings.time {
        candidates.sort_by_key(|candidate| (candidate.known(&found), candidate.member.complexity));
        let rest = candidates.split_off(settings.jobs.clamp(1, candidates.len()));
        let round = std::mem::replace(&mut candidates, rest);
        let confirmed: Vec<Result<Option<SlowFormula>, EvolveError>> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for (worker, Candidate { member, .. }) in round.iter().enumerate() {
                let (tracer, trial) = (&tracer, &trial);
                threads.push(scope.spawn(move || confirm_one(trial, tracer, worker, member, settings, stop)));
            }
            threads.into_iter().map(|thread| thread.join().expect("confirming does not panic")).collect()
        });
        for defect in confirmed {
            let Some(defect) = defect? else { continue };
            match found.iter_mut().find(|known| known.is_like(&defect)) {
                Some(known) => known.count += 1,
                None => {
                    progress(&defect);
                    found.push(defect);
                }
            }
        }
    }
    Ok(Confirmation { defects: found, left: candidates.len() })
}

/// A member that may be a defect.
struct Candidate<'a> {
    member: &'a Member,
    operators: BTreeSet<&'static str>,
}

impl Candidate<'_> {
    fn new(member: &Member) -> Candidate<'_> {
        let mut terms = Terms::new();
        let script = smt::read_script(&mut terms, &member.text).script;
        Candidate { member, operators: operators(&terms, &script).into_iter().collect() }
    }

    /// How many of the known defects may be what makes it slow: those all of whose operators it has.
    fn known(&self, found: &[SlowFormula]) -> usize {
        let shows = |defect: &&SlowFormula| defect.operators.iter().all(|name| self.operators.contains(name));
        found.iter().filter(shows).count()
    }
}

impl SlowFormula {
    fn is_like(&self, other: &SlowFormula) -> bool {
        self.operators == other.operators || self.trace.similarity(&other.trace) >= SAME
    }
}

/// Whoever takes the most telling trace that the target can give: a log of its steps, else what it prints.
fn tracer(pair: &Pair, store: &Store, jobs: usize) -> Result<Pair, EvolveError> {
    let has_log = family::of(&pair.target.name).is_some_and(|family| family.log.is_some());
    let limits = pair.limits();
    let cpu = limits.cpu.min(TRACED);
    let settings = PairSettings {
        target: pair.target.name.clone(),
        others: Vec::new(),
        references: Vec::new(),
        compare: false,
        limits: Limits { cpu, ..limits },
        coverage: CoverageKind::Blackbox,
        trace: if has_log { TraceKind::Log } else { TraceKind::Verbose },
        jobs,
    };
    Pair::new(settings, store)
}

fn confirm_one(
    trial: &Trial,
    tracer: &Pair,
    worker: usize,
    member: &Member,
    settings: &ConfirmSettings,
    stop: &AtomicBool,
) -> Result<Option<SlowFormula>, EvolveError> {
    let (Some(slow), tests) = trial.smallest(&member.text, settings.reduction_tests)? else {
        return Ok(None);
    };
    let subject = Formula { target: slow.text.clone(), reference: slow.text.clone() };
    let Some(measured) = tracer.measure(worker, &subject, stop)? else { return Ok(None) };
    let mut terms = Terms::new();
    let script = smt::read_script(&mut terms, &slow.text).script;
    Ok(Some(SlowFormula {
        bug: member.text.clone(),
        assertions: script.assertions().count(),
        operators: operators(&terms, &script),
        reduced: slow.text,
        run: slow.run,
        reference: slow.reference,
        quickest: slow.quickest,
        seeds: slow.seeds,
        count: 1,
        reduction_tests: tests,
        trace: measured.trace,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defect_is_slow_here_and_quick_there() {
        let limit = Duration::from_secs(5);
        let slow = Timing { seconds: 5.0, ending: Ending::Timeout };
        let timing = |seconds, verdict| Timing { seconds, ending: Ending::Answered(verdict) };
        assert!(is_defect(&slow, &timing(0.01, Verdict::Sat), limit));
        assert!(!is_defect(&slow, &timing(0.01, Verdict::Unknown), limit), "the reference gives up");
        assert!(!is_defect(&slow, &timing(2.0, Verdict::Unsat), limit), "the reference is slow as well");
        assert!(!is_defect(&timing(4.9, Verdict::Sat), &timing(0.01, Verdict::Sat), limit));
        assert!(!is_defect(&slow, &slow, limit));
    }
}
