//! Several solvers over the same scripts under the same limits: who solved what in which time, and who disagrees. Every script
//! gets a fresh process, so that no solver is helped or hurt by what came before. Numbers only; tables and plots are drawn
//! elsewhere.

use crate::benchmark::Benchmark;
use crate::case::Verdict;
use crate::solver::answer::{self, Trouble};
use crate::solver::{Limits, Solver, SolverError};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What a solver did with a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceCell {
    /// One verdict for each query of the script.
    pub verdicts: Vec<Verdict>,
    /// What went wrong.
    pub trouble: Option<Trouble>,
    /// CPU time.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
    /// The largest resident set in bytes.
    pub memory: u64,
    /// Whether a verdict contradicts the script's status.
    pub wrong: bool,
}

impl RaceCell {
    /// Whether every query was decided, and not against the status.
    pub fn solved(&self) -> bool {
        self.trouble.is_none()
            && !self.wrong
            && !self.verdicts.is_empty()
            && !self.verdicts.contains(&Verdict::Unknown)
    }
}

/// The results: a row a script, a column a solver; what was not run before the race was stopped is `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// Rows and columns.
    pub cells: Vec<Vec<Option<RaceCell>>>,
    limit: Duration,
}

/// A solver's sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RaceScore {
    /// Scripts that were run.
    pub run: usize,
    /// Scripts that were solved.
    pub solved: usize,
    /// Those that start with `sat`.
    pub sat: usize,
    /// Those that start with `unsat`.
    pub unsat: usize,
    /// Scripts on which it ran out of time.
    pub timeouts: usize,
    /// Scripts of which it does not support something.
    pub unsupported: usize,
    /// Scripts on which something else went wrong.
    pub errors: usize,
    /// Scripts whose status it contradicts.
    pub wrong: usize,
    /// CPU time of the solved ones.
    pub time: Duration,
    /// The same, plus twice the limit for each that was run and not solved.
    pub par2: Duration,
}

/// Two solvers that contradict each other, or one that contradicts the status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The script, by its place in the list.
    pub row: usize,
    /// Which of its queries, from 0.
    pub query: usize,
    /// What the status says.
    pub status: Option<Verdict>,
    /// Who says `sat`.
    pub sat: Vec<usize>,
    /// Who says `unsat`.
    pub unsat: Vec<usize>,
}

/// Runs the race on some threads. `done` is told each finished cell, from any of them.
pub fn run(
    solvers: &[Solver],
    scripts: &[Benchmark],
    limits: &Limits,
    jobs: usize,
    stop: &AtomicBool,
    done: &(dyn Fn(usize, usize, &RaceCell) + Sync),
) -> Result<Race, SolverError> {
    let cells = Mutex::new(vec![vec![None; solvers.len()]; scripts.len()]);
    let failure = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let work = || {
        while !stop.load(Ordering::Relaxed) && failure.lock().expect("no panic").is_none() {
            let ticket = next.fetch_add(1, Ordering::Relaxed);
            let (row, column) = (ticket / solvers.len().max(1), ticket % solvers.len().max(1));
            let Some(script) = scripts.get(row) else { return };
            match run_one(&solvers[column], script, limits, stop) {
                Ok(cell) if cell.trouble == Some(Trouble::Stopped) => return,
                Ok(cell) => {
                    done(row, column, &cell);
                    cells.lock().expect("no panic")[row][column] = Some(cell);
                }
                Err(error) => *failure.lock().expect("no panic") = Some(error),
            }
        }
    };
    if !solvers.is_empty() {
        std::thread::scope(|scope| {
            for _ in 0..jobs.max(1) {
                scope.spawn(work);
            }
        });
    }
    match failure.into_inner().expect("no panic") {
        Some(error) => Err(error),
        None => Ok(Race { cells: cells.into_inner().expect("no panic"), limit: limits.cpu }),
    }
}

fn run_one(
    solver: &Solver,
    script: &Benchmark,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<RaceCell, SolverError> {
    let run = solver.run(script.text_for(solver.dialect), limits, stop)?;
    let answer = answer::read(&run);
    let verdicts: Vec<Verdict> = answer.replies.iter().map(|reply| reply.verdict).collect();
    let contradicts = |(verdict, expected): (&Verdict, &Option<Verdict>)| {
        *verdict != Verdict::Unknown && expected.is_some_and(|expected| expected != *verdict)
    };
    let heard = matches!(answer.trouble, None | Some(Trouble::Timeout));
    let wrong = heard && verdicts.iter().zip(&script.expected).any(contradicts);
    Ok(RaceCell {
        verdicts,
        trouble: answer.trouble,
        cpu: run.cpu,
        wall: run.wall,
        memory: run.memory,
        wrong,
    })
}

impl Race {
    /// A solver's sum.
    pub fn score(&self, column: usize) -> RaceScore {
        let mut score = RaceScore::default();
        for cell in self.cells.iter().filter_map(|row| row[column].as_ref()) {
            score.run += 1;
            if cell.solved() {
                score.solved += 1;
                score.sat += usize::from(cell.verdicts[0] == Verdict::Sat);
                score.unsat += usize::from(cell.verdicts[0] == Verdict::Unsat);
                score.time += cell.cpu;
                score.par2 += cell.cpu;
                continue;
            }
            score.par2 += self.limit * 2;
            score.wrong += usize::from(cell.wrong);
            match &cell.trouble {
                None => {}
                Some(Trouble::Timeout) => score.timeouts += 1,
                Some(Trouble::Unsupported(_)) => score.unsupported += 1,
                Some(_) => score.errors += 1,
            }
        }
        score
    }

    /// Every contradiction.
    pub fn disagreements(&self, scripts: &[Benchmark]) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for (row, cells) in self.cells.iter().enumerate() {
            let heard = |cell: &RaceCell| matches!(cell.trouble, None | Some(Trouble::Timeout));
            let who = |query: usize, verdict: Verdict| -> Vec<usize> {
                let says = |cell: &Option<RaceCell>| {
                    cell.as_ref()
                        .is_some_and(|cell| heard(cell) && cell.verdicts.get(query) == Some(&verdict))
                };
                (0..cells.len()).filter(|&column| says(&cells[column])).collect()
            };
            let queries = cells.iter().flatten().map(|cell| cell.verdicts.len()).max().unwrap_or(0);
            for query in 0..queries {
                let (sat, unsat) = (who(query, Verdict::Sat), who(query, Verdict::Unsat));
                let status = scripts.get(row).and_then(|script| *script.expected.get(query)?);
                let against_status = match status {
                    Some(Verdict::Sat) => !unsat.is_empty(),
                    Some(Verdict::Unsat) => !sat.is_empty(),
                    Some(Verdict::Unknown) | None => false,
                };
                if against_status || (!sat.is_empty() && !unsat.is_empty()) {
                    found.push(Disagreement { row, query, status, sat, unsat });
                }
            }
        }
        found
    }

    /// The CPU times of a solver's solved scripts, shortest first: a line of a cactus plot.
    pub fn cactus(&self, column: usize) -> Vec<Duration> {
        let cells = self.cells.iter().filter_map(|row| row[column].as_ref());
        let mut times: Vec<Duration> = cells.filter(|cell| cell.solved()).map(|cell| cell.cpu).collect();
        times.sort();
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(verdicts: &[Verdict], trouble: Option<Trouble>, ms: u64, wrong: bool) -> Option<RaceCell> {
        let cpu = Duration::from_millis(ms);
        Some(RaceCell { verdicts: verdicts.into(), trouble, cpu, wall: cpu, memory: 1, wrong })
    }

    #[test]
    fn sums_and_contradictions() {
        use Verdict::*;
        let race = Race {
            cells: vec![
                vec![cell(&[Sat], None, 30, false), cell(&[Unsat], None, 10, true)],
                vec![
                    cell(&[Unsat, Sat], None, 20, false),
                    cell(&[Unsat], Some(Trouble::Timeout), 999, false),
                ],
                vec![
                    cell(&[Unknown], None, 5, false),
                    cell(&[Sat], Some(Trouble::Parse("x".into())), 5, false),
                ],
                vec![None, cell(&[], Some(Trouble::Unsupported("x".into())), 5, false)],
            ],
            limit: Duration::from_secs(1),
        };
        let first = race.score(0);
        assert_eq!((first.run, first.solved, first.sat, first.unsat), (3, 2, 1, 1));
        assert_eq!((first.time.as_millis(), first.par2.as_millis()), (50, 2050));
        let second = race.score(1);
        assert_eq!((second.run, second.solved, second.wrong), (4, 0, 1));
        assert_eq!((second.timeouts, second.unsupported, second.errors), (1, 1, 1));
        assert_eq!(second.par2.as_millis(), 8000);
        assert_eq!(race.cactus(0).iter().map(Duration::as_millis).collect::<Vec<_>>(), [20, 30]);
        let status = "(set-info :status sat)(check-sat)";
        let scripts: Vec<Benchmark> =
            ["a", "b", "c", "d"].map(|name| Benchmark::new(name.into(), status.into())).into();
        let found = race.disagreements(&scripts);
        let expected = |row, sat: &[usize], unsat: &[usize]| Disagreement {
            row,
            query: 0,
            status: Some(Sat),
            sat: sat.into(),
            unsat: unsat.into(),
        };
        // A verdict after a complaint (row 2, second solver) counts for nothing.
        assert_eq!(found, [expected(0, &[0], &[1]), expected(1, &[], &[0, 1])]);
    }
}
