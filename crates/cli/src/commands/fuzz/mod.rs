//! `soundline fuzz`: what all strategies have in common on the command line, and how a run is shown. The run itself is
//! `fuzz::run`.

mod all;
mod approx;
mod evolve;
mod seeded;
mod show;
mod truth;

use crate::commands::{patiently, seconds, stop_on_interrupt};

use crate::input::complain;
use crate::{Failure, Outcome};
use fuzz::all::Framing;
use fuzz::approx::Seed;
use fuzz::case::Strategy;
use fuzz::context::{CONTEXTS, Context};
use fuzz::options::Level;
use fuzz::run::{RunSettings, Solvers, Trust};
use fuzz::solver::{Limits, Store};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Find defects in SMT solvers.
///
/// A run makes scripts whose truth is known, sends them to the solver under test and judges the answers: wrong verdicts,
/// models that evaluation rejects, unsatisfiable cores that are satisfiable, crashes. What looks wrong is confirmed in a
/// fresh process, by evaluation and by the reference solvers; what is confirmed is reduced and becomes a folder below
/// DIR/findings with bug.smt2, reduced.smt2, report.md (ready for an issue tracker), repro.sh and answer.json. Findings with
/// the same fingerprint are one finding with a count.
///
/// A SPEC names a solver: a release (z3@4.8.10, see soundline solver), a program on PATH (z3, cvc5, ...) or any command line
/// that reads SMT-LIB on standard input or from {file}; options may follow ("z3@4.8.10 smt.string_solver=z3str3").
///
/// Ctrl-C ends the run, keeps what was found, and --resume goes on from there.
///
/// Exit codes: 0 nothing found, 1 findings exist, 2 wrong usage, 3 the run tested nothing (the solver refuses or answers
/// nothing) or failed.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    strategy: Chosen,
}

#[derive(clap::Subcommand, Debug)]
enum Chosen {
    /// Formulas that are satisfiable or unsatisfiable by construction
    Truth(truth::Arguments),
    /// Approximations of seed formulas that must have the seed's verdict
    Approx(approx::Arguments),
    /// Formulas on which the solver is slow and a reference is not
    Evolve(evolve::Arguments),
    /// Seed formulas with other operators, terms and literals
    Mutate(seeded::MutateArguments),
    /// Two seed formulas made one
    Fusion(seeded::FusionArguments),
    /// All small formulas, by size
    Enumerate(seeded::EnumerateArguments),
    /// Everything, in shares
    All(all::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.strategy {
        Chosen::Truth(arguments) => truth::run(arguments),
        Chosen::Approx(arguments) => approx::run(arguments),
        Chosen::Evolve(arguments) => evolve::run(arguments),
        Chosen::Mutate(arguments) => seeded::mutate(arguments),
        Chosen::Fusion(arguments) => seeded::fusion(arguments),
        Chosen::Enumerate(arguments) => seeded::enumerate(arguments),
        Chosen::All(arguments) => all::run(arguments),
    }
}

/// What every strategy takes.
#[derive(clap::Args, Debug)]
pub(crate) struct Common {
    /// The solver under test
    #[arg(long, value_name = "SPEC")]
    solver: String,
    /// A solver that is asked for the truth before anything is reported; may be repeated. By default z3, cvc5 and
    /// soundline itself, as far as they are installed
    #[arg(long, value_name = "SPEC")]
    reference: Vec<String>,
    /// Stop after this time, in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Stop after this many tests
    #[arg(long, value_name = "N")]
    tests: Option<u64>,
    /// Workers, each with a solver process of its own; by default one a core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The seed of everything that is random; by default 1, or that of the run that is resumed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Put the tests into these contexts (comma separated, or all): plain, pushed, levels, exists ...; `all` uses all by default,
    /// the other strategies none
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    contexts: Vec<String>,
    /// Set options of the solver away from their defaults; `all` sets safe ones by default, the other strategies none
    #[arg(long, value_enum, value_name = "LEVEL")]
    options: Option<OptionsLevel>,
    /// A new process for every test, instead of sessions
    #[arg(long)]
    fresh: bool,
    /// Go on with the run whose folder --out names; it is an error if there is none
    #[arg(long, requires = "out")]
    resume: bool,
    /// Where findings go: a new folder, or that of an earlier run of the same strategy, solver and seed, which then goes on. By
    /// default soundline-fuzz, or the first of soundline-fuzz-2, -3 ... that does not exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// CPU seconds that one test may take
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    test_limit: Duration,
    /// Memory that a solver process may take, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    memory_limit: u64,
    /// Report findings as they are, without reducing them
    #[arg(long)]
    no_reduce: bool,
    /// For continuous integration: no progress line, a budget of 2000 tests unless --tests or --time-limit says otherwise, and
    /// junit.xml and results.sarif beside the findings
    #[arg(long)]
    ci: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum OptionsLevel {
    /// The defaults
    None,
    /// Documented options
    Safe,
    /// Also experimental ones
    Experimental,
}

impl OptionsLevel {
    fn level(self) -> Level {
        match self {
            OptionsLevel::None => Level::None,
            OptionsLevel::Safe => Level::Safe,
            OptionsLevel::Experimental => Level::Experimental,
        }
    }
}

impl Common {
    fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| unused("soundline-fuzz"))
    }

    /// The run's seed: as given, or that of the run that goes on.
    fn seed(&self) -> u64 {
        self.seed.or_else(|| fuzz::run::seed_of(&self.out())).unwrap_or(1)
    }

    /// The contexts that the user names.
    fn chosen_contexts(&self) -> Result<Vec<&'static Context>, Failure> {
        if self.contexts == ["all"] {
            return Ok(CONTEXTS.iter().collect());
        }
        let find = |name: &String| {
            let names = || CONTEXTS.iter().map(|context| context.name).collect::<Vec<_>>().join(", ");
            Context::by_name(name)
                .ok_or_else(|| Failure::Usage(format!("--contexts: `{name}` is none of all, {}", names())))
        };
        self.contexts.iter().map(find).collect()
    }

    /// The seeds in files and folders, shuffled by the run's seed or in their order.
    fn seeds(&self, paths: &[PathBuf], in_order: bool) -> Result<Vec<Seed>, Failure> {
        let seeds = Seed::find(paths).map_err(|rejected| Failure(rejected.0))?;
        Ok(if in_order { seeds } else { Seed::interleaved(seeds, self.seed()) })
    }

    fn settings(&self, trust: Trust, only: Option<String>) -> RunSettings {
        let out = self.out();
        RunSettings {
            seed: self.seed(),
            tests: self.tests.or((self.ci && self.time_limit.is_none()).then_some(crate::ci::TESTS)),
            time: self.time_limit,
            jobs: self
                .jobs
                .or_else(|| std::thread::available_parallelism().ok())
                .map_or(1, NonZeroUsize::get),
            fresh: self.fresh,
            out,
            limits: Limits { memory: self.memory_limit << 20, ..Limits::with_cpu(self.test_limit) },
            trust,
            reduce: !self.no_reduce,
            only,
        }
    }

    fn solvers(&self) -> Result<Solvers, Failure> {
        let waited = format!("{} and the referees to state their versions", self.solver);
        patiently(&waited, || Solvers::resolve(&self.solver, &self.reference, &Store::open()))
            .map_err(Failure::from)
    }

    /// Runs a strategy and shows it, after a text about it.
    fn run(
        &self,
        strategy: impl Strategy,
        about: &str,
        trust: Trust,
        only: Option<String>,
    ) -> Result<Outcome, Failure> {
        let solvers = self.solvers()?;
        let (contexts, level) =
            (self.chosen_contexts()?, self.options.map_or(Level::None, OptionsLevel::level));
        if contexts.is_empty() && level == Level::None {
            return self.run_with(&strategy, &solvers, about, trust, only);
        }
        let framing = Framing::new(strategy, &solvers.target, contexts, level);
        self.run_with(&framing, &solvers, about, trust, only)
    }

    fn run_with(
        &self,
        strategy: &dyn Strategy,
        solvers: &Solvers,
        about: &str,
        trust: Trust,
        only: Option<String>,
    ) -> Result<Outcome, Failure> {
        let settings = self.settings(trust, only);
        if trust == Trust::References && solvers.references.is_empty() {
            return Err(Failure::Usage("--trust references needs at least one --reference".into()));
        }
        if self.resume && fuzz::run::seed_of(&settings.out).is_none() {
            return Err(Failure(format!("{} holds no run that could go on", settings.out.display())));
        }
        let stop = stop_on_interrupt()?;
        complain(about);
        if self.ci {
            crate::progress::hide();
        }
        let mut show = show::Show::new(strategy.name(), solvers, &settings, self.json);
        let summary = fuzz::run::run(strategy, solvers, &settings, &stop, &mut |event| show.event(event))?;
        if self.ci {
            crate::ci::write(&settings.out, &format!("fuzz {}", strategy.name()))?;
        }
        Ok(show.end(&summary))
    }
}

/// A folder of this name, or with a number behind it, that does not exist.
fn unused(name: &str) -> PathBuf {
    let numbered = (2..).map(|number| PathBuf::from(format!("{name}-{number}")));
    let mut names = std::iter::once(PathBuf::from(name)).chain(numbered);
    names.find(|path| path.symlink_metadata().is_err()).expect("there are more numbers than folders")
}
