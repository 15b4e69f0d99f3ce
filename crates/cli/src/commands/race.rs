//! `soundline race`: several solvers over the same scripts; a table, and on request CSV and a cactus plot.

use super::{resolve, seconds, stop_on_interrupt};
use crate::documents::{Contradiction, RaceRun, Raced, Racer};
use crate::input::{expand, print, print_json, read_text, say};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use fuzz::benchmark::{Benchmark, describe};
use fuzz::case::Verdict;
use fuzz::plot::{Axis, Mark, Plot, Series};
use fuzz::race::{Disagreement, Race, RaceCell, run as run_race};
use fuzz::solver::{Limits, Solver, Store};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Run several solvers over the same scripts and compare them.
///
/// Every script is given to a fresh process of every solver, in the names of operators that the solver understands. Limits are in
/// CPU time, so that other work on the machine changes no result. A script is solved if every check-sat was decided, and not
/// against its :status. PAR-2 is the time of the solved scripts plus twice the limit for each other one. Ctrl-C ends the race and
/// keeps what is done.
///
/// Exit code 1 says that solvers contradict each other or a :status.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Scripts; a folder stands for all .smt2 files below it
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,
    /// A solver: a release (z3@4.8.10), a program or a command line; give it several times
    #[arg(long = "solver", required = true, value_name = "SPEC")]
    solvers: Vec<String>,
    /// CPU time for each script, in seconds
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    time_limit: Duration,
    /// Memory for each script, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    memory_limit: u64,
    /// Processes at a time; by default one for each core
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Write the results to a file, a line for each script and solver
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw a cactus plot: how many scripts each solver solves within which time each
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let store = Store::open();
    let resolve = |spec: &String| resolve(spec, &store);
    let solvers: Vec<Solver> = arguments.solvers.iter().map(resolve).collect::<Result<_, _>>()?;
    let mut scripts = Vec::new();
    for path in expand(&arguments.paths)? {
        let text = read_text(&path)?;
        scripts.push(Benchmark::new(path.display().to_string(), text));
    }
    [&arguments.csv, &arguments.plot].into_iter().flatten().try_for_each(|path| output::probe(path))?;
    let stop = stop_on_interrupt()?;
    let memory = arguments.memory_limit.saturating_mul(1 << 20);
    let limits = Limits { memory, ..Limits::with_cpu(arguments.time_limit) };
    let jobs = arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let (done, solved) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let progress = Mutex::new(ProgressLine::new());
    let race = run_race(&solvers, &scripts, &limits, jobs, &stop, &|row, column, cell| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let solved =
            solved.fetch_add(usize::from(cell.solved()), Ordering::Relaxed) + usize::from(cell.solved());
        let total = scripts.len() * solvers.len();
        let text = format!("runs, {solved} solved; {}: {}", solvers[column].name, scripts[row].name);
        progress.lock().expect("no panic").show_part(done, total, &text);
    })
    .map_err(Failure::from)?;
    progress.lock().expect("no panic").clear();
    let save = |path: &PathBuf, text: String| {
        output::write_whole(path, text).map_err(|error| Failure::Internal(error.to_string()))
    };
    arguments.csv.as_ref().map_or(Ok(()), |path| save(path, to_csv(&race, &solvers, &scripts)))?;
    arguments.plot.as_ref().map_or(Ok(()), |path| save(path, to_plot(&race, &solvers).svg()))?;
    let disagreements = race.disagreements(&scripts);
    let stopped = stop.load(Ordering::Relaxed);
    if arguments.json {
        print_json(&document(&race, &solvers, &scripts, &disagreements, stopped));
    } else {
        print(&to_text(&race, &solvers, &scripts, &disagreements));
        if stopped {
            say!("interrupted: the table holds what was done");
        }
    }
    Ok(if disagreements.is_empty() { Outcome::Clean } else { Outcome::Found })
}

fn to_text(race: &Race, solvers: &[Solver], scripts: &[Benchmark], disagreements: &[Disagreement]) -> String {
    let width = solvers.iter().map(|solver| solver.name.chars().count()).max().unwrap_or(0).clamp(6, 1_000);
    let versions =
        solvers.iter().map(|solver| solver.version.chars().count()).max().unwrap_or(0).clamp(7, 1_000);
    let mut text = format!(
        "{:<width$} {:>versions$} {:>7} {:>6} {:>6} {:>8} {:>11} {:>6} {:>6} {:>10} {:>10}\n",
        "solver",
        "version",
        "solved",
        "sat",
        "unsat",
        "timeout",
        "unsupported",
        "error",
        "wrong",
        "time",
        "PAR-2"
    );
    let mut line = |line: String| writeln!(text, "{line}").expect("writing to a string");
    for (column, solver) in solvers.iter().enumerate() {
        let s = race.score(column);
        line(format!(
            "{:<width$} {:>versions$} {:>7} {:>6} {:>6} {:>8} {:>11} {:>6} {:>6} {:>8.2} s {:>8.2} s",
            solver.name,
            solver.version,
            format!("{}/{}", s.solved, s.run),
            s.sat,
            s.unsat,
            s.timeouts,
            s.unsupported,
            s.errors,
            s.wrong,
            s.time.as_secs_f64(),
            s.par2.as_secs_f64(),
        ));
    }
    for d in disagreements {
        let who = |columns: &[usize]| match columns {
            [] => "none".into(),
            some => some.iter().map(|&c| solvers[c].name.as_str()).collect::<Vec<_>>().join(", "),
        };
        let status = d.status.map_or(String::new(), |status| format!(" (:status {})", status.word()));
        line(format!(
            "disagreement: {} check-sat {}{status}: sat by {}, unsat by {}",
            scripts[d.row].name,
            d.query + 1,
            who(&d.sat),
            who(&d.unsat)
        ));
    }
    text
}

fn words(cell: &RaceCell) -> Vec<&'static str> {
    cell.verdicts.iter().copied().map(Verdict::word).collect()
}

fn to_csv(race: &Race, solvers: &[Solver], scripts: &[Benchmark]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = String::from(
        "script,solver,version,verdicts,solved,wrong,trouble,cpu_seconds,wall_seconds,memory_bytes\n",
    );
    for (row, script) in scripts.iter().enumerate() {
        for (column, solver) in solvers.iter().enumerate() {
            let Some(cell) = &race.cells[row][column] else { continue };
            let trouble = cell.trouble.as_ref().map_or("".into(), describe);
            writeln!(
                text,
                "{},{},{},{},{},{},{},{:.6},{:.6},{}",
                quoted(&script.name),
                quoted(&solver.name),
                quoted(&solver.version),
                words(cell).join(" "),
                cell.solved(),
                cell.wrong,
                quoted(&trouble),
                cell.cpu.as_secs_f64(),
                cell.wall.as_secs_f64(),
                cell.memory
            )
            .expect("writing to a string");
        }
    }
    text
}

fn to_plot(race: &Race, solvers: &[Solver]) -> Plot {
    let series = solvers.iter().enumerate().map(|(column, solver)| Series {
        name: solver.name.clone(),
        points: race
            .cactus(column)
            .iter()
            .enumerate()
            .map(|(i, t)| ((i + 1) as f64, t.as_secs_f64()))
            .collect(),
        mark: Mark::Line,
    });
    Plot {
        title: "Scripts solved, each within a time".into(),
        x: Axis::counts("solved scripts"),
        y: Axis::log("CPU time of each, in seconds"),
        series: series.collect(),
    }
}

fn document<'a>(
    race: &'a Race,
    solvers: &'a [Solver],
    scripts: &'a [Benchmark],
    disagreements: &[Disagreement],
    stopped: bool,
) -> Raced<'a> {
    let names = |columns: &[usize]| columns.iter().map(|&c| solvers[c].name.as_str()).collect();
    let racers = solvers.iter().enumerate().map(|(column, solver)| {
        let s = race.score(column);
        Racer {
            solver: &solver.name,
            version: &solver.version,
            command: solver.command_line(),
            run: s.run,
            solved: s.solved,
            sat: s.sat,
            unsat: s.unsat,
            timeouts: s.timeouts,
            unsupported: s.unsupported,
            errors: s.errors,
            wrong: s.wrong,
            time: s.time.as_secs_f64(),
            par2: s.par2.as_secs_f64(),
        }
    });
    let runs = race.cells.iter().enumerate().flat_map(|(row, cells)| {
        cells.iter().enumerate().filter_map(move |(column, cell)| {
            let cell = cell.as_ref()?;
            Some(RaceRun {
                script: &scripts[row].name,
                solver: &solvers[column].name,
                verdicts: words(cell),
                solved: cell.solved(),
                wrong: cell.wrong,
                trouble: cell.trouble.as_ref().map(|trouble| describe(trouble).into_owned()),
                cpu: cell.cpu.as_secs_f64(),
                wall: cell.wall.as_secs_f64(),
                memory: cell.memory,
            })
        })
    });
    let disagreements = disagreements.iter().map(|d| Contradiction {
        script: &scripts[d.row].name,
        query: d.query + 1,
        status: d.status.map(Verdict::word),
        sat: names(&d.sat),
        unsat: names(&d.unsat),
    });
    Raced {
        stop_reason: if stopped { "interrupted" } else { "done" },
        solvers: racers.collect(),
        disagreements: disagreements.collect(),
        runs: runs.collect(),
    }
}
