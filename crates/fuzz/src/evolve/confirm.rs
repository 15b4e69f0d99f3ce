//! Afterwards: what of the result set is a defect. Members that reached the limit run again under a long one; those on which
//! the reference is quick are reduced while they stay slow, tried with other random seeds of the target, and told apart by
//! their traces and operators. Owns what "slow" and "the same" mean; findings are written by [`super::publish`].

use super::evaluate::{
    CoverageKind, Ending, Evaluate, EvolveError, Pair, PairOptions, Subject, Timing, TraceKind, timing,
};
use super::family;
use super::search::Member;
use super::trace::Trace;
use crate::case::Verdict;
use crate::reduce::{self, reduce};
use crate::solver::{Limits, Run, Solver, Store};
use smt::print::{Style, script_to_string};
use smt::{Op, Script, Terms, Theory, walk};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How confirming is done.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The long limit in CPU seconds (the paper: 2,400).
    pub limit: Duration,
    /// How many solvers run at the same time.
    pub jobs: usize,
    /// How many tests one reduction may use.
    pub reduction_tests: u64,
}

/// The reference must answer within this part of the limit that the target reaches.
const QUICK: u32 = 10;
/// Traces at least this alike are of the same defect.
const SAME: f64 = 0.9;
/// How many random seeds of the target are tried.
const SEEDS: u32 = 5;
/// While reducing, a run is slow that lasts this long; the result must be slow by the full limit.
const SLOW_ENOUGH: Duration = Duration::from_secs(2);

/// A member's run under the long limit.
#[derive(Clone, PartialEq, Debug)]
pub struct Rerun {
    /// The member's place in the result set.
    pub member: usize,
    /// The target's run; that of the search if it ended before its limit.
    pub target: Timing,
    /// The reference's.
    pub reference: Timing,
}

/// A confirmed performance defect.
#[derive(Clone, Debug)]
pub struct Defect {
    /// The formula as it was found.
    pub bug: String,
    /// The smallest formula that is still slow.
    pub reduced: String,
    /// Its assertions.
    pub assertions: usize,
    /// The names of its operators, sorted.
    pub operators: Vec<&'static str>,
    /// The target's run on the reduced formula under the search's limit.
    pub run: Run,
    /// The reference's time on it.
    pub reference: Timing,
    /// On how many of how many random seeds the target is slow.
    pub seeds: (u32, u32),
    /// Members of the result set that show it.
    pub count: u64,
    /// Runs of the target that the reduction cost.
    pub reduction_tests: u64,
    trace: Trace,
}

/// Runs the members again that reached the limit of the search; in their order, without those that the end cut off.
pub fn rerun(
    pair: &Pair,
    members: &[Member],
    options: &Options,
    stop: &AtomicBool,
) -> Result<Vec<Rerun>, EvolveError> {
    let results: Vec<Mutex<Option<Rerun>>> = members.iter().map(|_| Mutex::new(None)).collect();
    let failure: Mutex<Option<EvolveError>> = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let limits = Limits { wall: Limits::with_cpu(options.limit).wall, cpu: options.limit, ..pair.limits() };
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(member) = members.get(number) else { return };
            match rerun_one(pair, number, member, &limits, stop) {
                Ok(rerun) => *results[number].lock().expect("nobody panics with a result in hand") = rerun,
                Err(error) => {
                    failure.lock().expect("nobody panics with an error in hand").get_or_insert(error);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.jobs {
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
        timing(&pair.target.run(&member.text, limits, stop)?, limits.cpu)
    } else {
        Some(member.measurement.target.clone())
    };
    let Some(target) = target else { return Ok(None) };
    let text = translated(&member.text, pair.reference.dialect);
    let reference = timing(&pair.reference.run(&text, limits, stop)?, limits.cpu);
    Ok(reference.map(|reference| Rerun { member: number, target, reference }))
}

/// A script of ours in another dialect.
fn translated(text: &str, dialect: smt::Dialect) -> String {
    let mut terms = Terms::new();
    let script = smt::read_script(&mut terms, text).script;
    script_to_string(&terms, &script, Style { dialect, share: false })
}

/// Whether the target reached the limit where the reference decides quickly.
pub fn is_defect(target: &Timing, reference: &Timing, limit: Duration) -> bool {
    let decided = matches!(reference.ending, Ending::Answered(Verdict::Sat | Verdict::Unsat));
    target.ending == Ending::Timeout && decided && reference.seconds < limit.as_secs_f64() / f64::from(QUICK)
}

/// The defects among the members, the simplest first: reduced, tried with other seeds, each once. `progress` is told of each.
pub fn defects(
    pair: &Pair,
    store: &Store,
    members: &[Member],
    reruns: &[Rerun],
    options: &Options,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Defect),
) -> Result<Vec<Defect>, EvolveError> {
    let search_limit = pair.limits().cpu;
    let mut candidates: Vec<&Member> = reruns
        .iter()
        .filter(|rerun| is_defect(&rerun.target, &rerun.reference, search_limit))
        .map(|rerun| &members[rerun.member])
        .collect();
    candidates.sort_by_key(|member| member.complexity);
    let tracer = tracer(pair, store)?;
    let mut found: Vec<Defect> = Vec::new();
    for member in candidates {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let Some(defect) = confirm_one(pair, &tracer, store, member, options, stop)? else { continue };
        let same = |known: &Defect| {
            known.operators == defect.operators || known.trace.similarity(&defect.trace) >= SAME
        };
        match found.iter_mut().find(|known| same(known)) {
            Some(known) => known.count += 1,
            None => {
                progress(&defect);
                found.push(defect);
            }
        }
    }
    Ok(found)
}

/// Whoever takes the most telling trace that the target can give: a log of its steps, else what it prints.
fn tracer(pair: &Pair, store: &Store) -> Result<Pair, EvolveError> {
    let has_log = family::of(&pair.target.name).is_some_and(|family| family.log.is_some());
    let limits = pair.limits();
    let cpu = limits.cpu.min(SLOW_ENOUGH);
    let options = PairOptions {
        target: pair.target.name.clone(),
        reference: pair.reference.name.clone(),
        compare: false,
        limits: Limits { cpu, ..limits },
        coverage: CoverageKind::Blackbox,
        trace: if has_log { TraceKind::Log } else { TraceKind::Verbose },
        jobs: 1,
    };
    Pair::new(options, store)
}

fn confirm_one(
    pair: &Pair,
    tracer: &Pair,
    store: &Store,
    member: &Member,
    options: &Options,
    stop: &AtomicBool,
) -> Result<Option<Defect>, EvolveError> {
    let limits = pair.limits();
    let (reduced, tests) = reduced(pair, &member.text, options, stop);
    // The reduced formula must stand the full limit; if it does not, the formula as it was found may.
    for text in [reduced.as_str(), member.text.as_str()] {
        let run = pair.target.run(text, &limits, stop)?;
        let (Some(target), Some(reference)) =
            (timing(&run, limits.cpu), reference(pair, text, &limits, stop)?)
        else {
            return Ok(None);
        };
        if !is_defect(&target, &reference, limits.cpu) {
            continue;
        }
        let subject = Subject { target: text.into(), reference: text.into() };
        let Some(measured) = tracer.measure(0, &subject, stop)? else { return Ok(None) };
        let mut terms = Terms::new();
        let script = smt::read_script(&mut terms, text).script;
        return Ok(Some(Defect {
            bug: member.text.clone(),
            reduced: text.into(),
            assertions: script.assertions().count(),
            operators: operators(&terms, &script),
            run,
            reference,
            seeds: seeds(pair, store, text, stop)?,
            count: 1,
            reduction_tests: tests,
            trace: measured.trace,
        }));
    }
    Ok(None)
}

fn reference(
    pair: &Pair,
    text: &str,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<Option<Timing>, EvolveError> {
    let run = pair.reference.run(&translated(text, pair.reference.dialect), limits, stop)?;
    Ok(timing(&run, limits.cpu))
}

/// The smallest formula that a search finds on which the target is slow and the reference quick, and what it cost.
fn reduced(pair: &Pair, text: &str, options: &Options, stop: &AtomicBool) -> (String, u64) {
    let limits = pair.limits();
    let cpu = limits.cpu.min(SLOW_ENOUGH);
    let slow = Limits { cpu, ..limits };
    let quick = Limits { cpu: limits.cpu / QUICK, ..limits };
    let style = |solver: &Solver| Style { dialect: solver.dialect, share: false };
    let test = |terms: &Terms, script: &Script| {
        // A run that cannot be started shows nothing: the candidate is not taken.
        let says = |solver: &Solver, limits: &Limits| {
            let run = solver.run(&script_to_string(terms, script, style(solver)), limits, stop).ok()?;
            timing(&run, limits.cpu)
        };
        let Some(reference) = says(&pair.reference, &quick) else { return false };
        matches!(reference.ending, Ending::Answered(Verdict::Sat | Verdict::Unsat))
            && says(&pair.target, &slow).is_some_and(|target| target.ending == Ending::Timeout)
    };
    let mut terms = Terms::new();
    let script = smt::read_script(&mut terms, text).script;
    let reduction = reduce::Options { jobs: options.jobs, max_tests: options.reduction_tests };
    match reduce(terms, script, &test, &reduction, stop, &mut |_| {}) {
        Ok(reduced) => {
            (script_to_string(&reduced.terms, &reduced.script, style(&pair.target)), reduced.tests)
        }
        Err(reduce::NotReproduced) => (text.to_string(), 1),
    }
}

/// On how many of how many random seeds the target reaches the limit; none of none where the family has no such option.
fn seeds(pair: &Pair, store: &Store, text: &str, stop: &AtomicBool) -> Result<(u32, u32), EvolveError> {
    let Some(option) = family::of(&pair.target.name).and_then(|family| family.seed) else {
        return Ok((0, 0));
    };
    let limits = pair.limits();
    let mut slow = 0;
    for number in 1..=SEEDS {
        let spec = family::with_options(&pair.target.name, &[option], &number.to_string());
        let run = Solver::resolve(&spec, store)?.run(text, &limits, stop)?;
        slow += u32::from(timing(&run, limits.cpu).is_some_and(|target| target.ending == Ending::Timeout));
    }
    Ok((slow, SEEDS))
}

/// The names of the operators of a script, sorted; connectives only if there is nothing else.
fn operators(terms: &Terms, script: &Script) -> Vec<&'static str> {
    let ops: BTreeSet<Op> =
        walk::reachable(terms, &script.terms()).iter().map(|&term| terms.op(term)).collect();
    let named = |core: bool| -> Vec<&'static str> {
        let rows =
            ops.iter().filter(|op| !op.name().is_empty() && (op.info().theory == Theory::Core) == core);
        let names: BTreeSet<&'static str> = rows.map(|op| op.name()).collect();
        names.into_iter().collect()
    };
    let theory = named(false);
    if theory.is_empty() { named(true) } else { theory }
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

    #[test]
    fn operators_of_a_script() {
        let mut terms = Terms::new();
        let text = "(declare-const x String)(assert (not (= (str.len x) (+ 1 (str.to_int x)))))";
        let script = smt::read_script(&mut terms, text).script;
        assert_eq!(operators(&terms, &script), ["+", "str.len", "str.to_int"]);
    }
}
