//! The campaign file: `campaign.toml` to a [`Campaign`], or every mistake in it with line and column. Owns what can be said
//! (the table in [`keys`]) and what it means; whether a solver is installed is found out later, by the plan.

pub mod keys;
mod template;
mod values;

pub use template::template;

use smt::Span;
use smt::error::{excerpt, position};
use std::path::{Path, PathBuf};
use std::time::Duration;
use values::{Reading, Values};

/// A mistake in a campaign file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

impl Mistake {
    /// The message with its place and an excerpt.
    pub fn render(&self, name: &str, source: &str) -> String {
        excerpt(&self.message, self.span, name, source)
    }

    /// Line and column, from 1.
    pub fn place(&self, source: &str) -> (usize, usize) {
        let place = position(source, self.span.start);
        (place.line, place.column)
    }
}

/// What ends work.
#[derive(Clone, PartialEq, Debug)]
pub struct CampaignLimits {
    /// The campaign's wall time.
    pub time: Option<Duration>,
    /// The campaign's tests.
    pub tests: Option<u64>,
    /// Work at the same time on this machine.
    pub jobs: Option<usize>,
    /// CPU time of one test.
    pub test_time: Duration,
    /// Megabytes of a solver.
    pub memory: u64,
    /// Whether findings are shrunk.
    pub reduce: bool,
    /// Reports a week for one tracker.
    pub reports_a_week: usize,
}

/// A solver under test, with one set of options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverTarget {
    /// How it is called on the page.
    pub name: String,
    /// The SPEC that starts it.
    pub spec: String,
}

/// A strategy and its settings.
#[derive(Clone, PartialEq, Debug)]
pub struct StrategyPlan {
    /// Its part of the CPU time.
    pub share: f64,
    /// Which tests it makes, and of what.
    pub settings: StrategySettings,
}

/// What a strategy can be told.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(tag = "strategy", rename_all = "lowercase", deny_unknown_fields)]
pub enum StrategySettings {
    /// Formulas of known truth.
    Truth {
        /// Theories beyond the enumeration, by name.
        beyond: Vec<String>,
        /// Chained transformations.
        depth: usize,
        /// What stands around the tests.
        #[serde(default, skip_serializing_if = "Frame::is_plain")]
        frame: Frame,
    },
    /// Approximations of seeds.
    Approx {
        /// Where the seeds are: paths on this machine, or one pack of the broker's.
        seeds: Vec<PathBuf>,
        /// Mutants of a seed.
        mutants: usize,
        /// Literals of a mutant.
        literals: usize,
        /// How often the result of a mutation is mutated again.
        rounds: usize,
        /// `target`, `status` or `references`.
        trust: String,
        /// What stands around the tests.
        #[serde(default, skip_serializing_if = "Frame::is_plain")]
        frame: Frame,
    },
    /// Evolution of slow formulas.
    Evolve {
        /// Formulas to begin with.
        seeds: Vec<PathBuf>,
        /// Who is not slow.
        reference: String,
        /// What formulas are made of.
        logic: Option<String>,
        /// Formulas of a batch.
        tests: u64,
        /// The long limit, in seconds.
        confirm: f64,
    },
    /// Other operators, terms and literals in seeds.
    Mutate {
        /// Where the seeds are.
        seeds: Vec<PathBuf>,
        /// Mutants of a seed.
        mutants: usize,
        /// What stands around the tests.
        frame: Frame,
    },
    /// Two seeds made one.
    Fusion {
        /// Where the seeds are.
        seeds: Vec<PathBuf>,
        /// Mutants of a pair.
        mutants: usize,
        /// What stands around the tests.
        frame: Frame,
    },
    /// All small formulas.
    Enumerate {
        /// What stands around the tests.
        frame: Frame,
    },
    /// Everything, in shares.
    All {
        /// Where seeds are; formulas that are grown without them.
        seeds: Vec<PathBuf>,
        /// What stands around the tests.
        frame: Frame,
    },
}

/// What stands around the tests of a strategy.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Contexts by name, or `all`; none for tests as they are made.
    pub contexts: Vec<String>,
    /// `safe` or `experimental`, if options are set.
    pub options: Option<String>,
}

impl Frame {
    /// Whether tests are sent as they are made.
    pub(crate) fn is_plain(&self) -> bool {
        self.contexts.is_empty() && self.options.is_none()
    }
}

impl StrategySettings {
    /// The strategy's name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            StrategySettings::Truth { .. } => "truth",
            StrategySettings::Approx { .. } => "approx",
            StrategySettings::Evolve { .. } => "evolve",
            StrategySettings::Mutate { .. } => "mutate",
            StrategySettings::Fusion { .. } => "fusion",
            StrategySettings::Enumerate { .. } => "enumerate",
            StrategySettings::All { .. } => "all",
        }
    }

    /// Where its seeds are.
    pub(crate) fn seeds_mut(&mut self) -> Option<&mut Vec<PathBuf>> {
        match self {
            StrategySettings::Truth { .. } | StrategySettings::Enumerate { .. } => None,
            StrategySettings::Approx { seeds, .. }
            | StrategySettings::Evolve { seeds, .. }
            | StrategySettings::Mutate { seeds, .. }
            | StrategySettings::Fusion { seeds, .. }
            | StrategySettings::All { seeds, .. } => Some(seeds),
        }
    }
}

/// A program to explore.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exploring {
    /// The source, module, class or archive to explore.
    pub program: PathBuf,
    /// How long one exploration lasts, in seconds.
    pub time: f64,
    /// The search strategy.
    pub search: String,
    /// Symbolic bytes of standard input.
    pub stdin: usize,
    /// Symbolic arguments.
    pub args: Vec<usize>,
    /// A function instead of the program.
    pub entry: Option<String>,
    /// Options for the compiler.
    pub flags: Vec<String>,
    /// The class of a Java program whose main is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
}

/// A program, its seeds and its share.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The program, its inputs and the search.
    pub exploring: Exploring,
    /// One exploration each.
    pub seeds: Vec<u64>,
    /// Its part of the CPU time.
    pub share: f64,
}

/// A campaign as its file has it; paths are made absolute.
#[derive(Clone, PartialEq, Debug)]
pub struct Campaign {
    /// Shown on the page and in summaries.
    pub name: String,
    /// Every random choice flows from it.
    pub seed: u64,
    /// The folder of the store.
    pub store: PathBuf,
    /// What ends work.
    pub limits: CampaignLimits,
    /// Solvers under test.
    pub targets: Vec<SolverTarget>,
    /// Solvers that are asked for the truth.
    pub references: Vec<String>,
    /// How tests are made; each runs on every target.
    pub strategies: Vec<StrategyPlan>,
    /// Programs to explore.
    pub programs: Vec<Program>,
}

impl Campaign {
    /// Reads a campaign file's text; `folder` is what its paths are relative to. All mistakes, in the order of the file.
    pub fn read(source: &str, folder: &Path) -> Result<Campaign, Vec<Mistake>> {
        let (campaign, mut mistakes, _) = Campaign::look(source, folder);
        mistakes.sort_by_key(|mistake| mistake.span.start);
        campaign.filter(|_| mistakes.is_empty()).ok_or(mistakes)
    }

    /// The same for whoever is going to run it: seeds and programs that are not there are mistakes too. A solver that is not there is
    /// none, since it may be a build that failed tonight; a run says so and tests the others.
    pub fn read_to_run(source: &str, folder: &Path) -> Result<Campaign, Vec<Mistake>> {
        let (campaign, mut mistakes, paths) = Campaign::look(source, folder);
        for (path, span) in paths.into_iter().filter(|(path, _)| !path.exists()) {
            mistakes.push(Mistake {
                span,
                message: format!("{}: there is no such file or folder", path.display()),
            });
        }
        mistakes.sort_by_key(|mistake| mistake.span.start);
        campaign.filter(|_| mistakes.is_empty()).ok_or(mistakes)
    }

    /// A campaign, what is wrong with its text, and the paths that it names.
    fn look(source: &str, folder: &Path) -> (Option<Campaign>, Vec<Mistake>, Vec<(PathBuf, Span)>) {
        let mut reading = Reading::new(source);
        let campaign = build(&mut reading, folder);
        (campaign, reading.mistakes, reading.paths)
    }
}

/// The most jobs that make sense.
const MAX_JOBS: u64 = 4096;

fn build(reading: &mut Reading, folder: &Path) -> Option<Campaign> {
    let head = reading.one("campaign");
    let limits = reading.one("limits");
    let targets: Vec<SolverTarget> =
        reading.all("target").iter().flat_map(|values| target(values, reading, folder)).collect();
    let references = reading.one("references").texts("solvers");
    let strategies =
        reading.all("strategy").iter().filter_map(|values| strategy(values, reading, folder)).collect();
    let programs =
        reading.all("explore").iter().filter_map(|values| program(values, reading, folder)).collect();
    let campaign = Campaign {
        name: head.text("name").unwrap_or_default(),
        seed: head.number("seed").unwrap_or(1),
        store: folder.join(head.text("store").unwrap_or_else(|| "campaign".into())),
        limits: CampaignLimits {
            time: limits.duration("time"),
            tests: limits.number("tests"),
            jobs: limits.number("jobs").map(|jobs| jobs as usize),
            test_time: limits.duration("test-time").unwrap_or(Duration::from_secs(5)),
            memory: limits.number("memory").unwrap_or(4096),
            reduce: limits.flag("reduce").unwrap_or(true),
            reports_a_week: limits.number("reports-a-week").unwrap_or(5) as usize,
        },
        targets,
        references,
        strategies,
        programs,
    };
    if campaign.name.trim().is_empty() && reading.mistakes.is_empty() {
        reading.wrong(head.span("name"), "the name is empty");
    }
    if limits.number("jobs").is_some_and(|jobs| !(1..=MAX_JOBS).contains(&jobs)) {
        let words = format!("jobs must be 1 to {MAX_JOBS}; without the key there is one a core");
        reading.wrong(limits.span("jobs"), words);
    }
    if !reading.mistakes.is_empty() {
        return None;
    }
    if campaign.strategies.is_empty() && campaign.programs.is_empty() {
        reading.wrong(Span::new(0, 0), "there is nothing to do: no [[strategy]] and no [[explore]]");
    } else if !campaign.strategies.is_empty() && campaign.targets.is_empty() {
        reading.wrong(Span::new(0, 0), "the strategies have nothing to test: no [[target]]");
    }
    Some(campaign)
}

fn target(values: &Values, reading: &mut Reading, folder: &Path) -> Vec<SolverTarget> {
    let (program, name) = match (values.text("solver"), values.text("path")) {
        (Some(solver), None) => {
            if values.has("name") {
                reading.wrong(
                    values.span("name"),
                    "only a target with a `path` has a `name`; a `solver` is called what it is",
                );
            }
            (solver.clone(), solver)
        }
        (None, Some(path)) => {
            let path = folder.join(path);
            let name = values.text("name").unwrap_or_else(|| path.display().to_string());
            (quoted(&path), name)
        }
        (None, None) => {
            reading.wrong(values.header, "a [[target]] needs `solver` or `path`");
            return Vec::new();
        }
        (Some(_), Some(_)) => {
            reading.wrong(values.span("path"), "a [[target]] has `solver` or `path`, not both");
            return Vec::new();
        }
    };
    if program.trim().is_empty() {
        reading.wrong(values.span("solver"), "the solver's name is empty");
    }
    let mut options = values.texts("options");
    if options.is_empty() {
        options.push(String::new());
    }
    options
        .iter()
        .map(|options| SolverTarget {
            name: format!("{name} {options}").trim_end().to_string(),
            spec: format!("{program} {options}").trim_end().to_string(),
        })
        .collect()
}

/// A path as one word of a SPEC.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains([' ', '\'', '"', '\\']) { format!("'{}'", text.replace('\'', "'\\''")) } else { text }
}

fn strategy(values: &Values, reading: &mut Reading, folder: &Path) -> Option<StrategyPlan> {
    let name = values.text("name")?;
    let section = keys::section("strategy").expect("the table has it");
    for key in section.keys.iter().filter(|key| !key.of.is_empty() && !key.of.contains(&name.as_str())) {
        if values.has(key.name) {
            reading.wrong(
                values.span(key.name),
                format!("`{}` is for {}, not for {name}", key.name, key.of.join(" and ")),
            );
        }
    }
    let number = |key, default: u64| values.number(key).unwrap_or(default) as usize;
    let seeds: Vec<PathBuf> = values.texts("seeds").iter().map(|seed| folder.join(seed)).collect();
    reading.paths.extend(seeds.iter().map(|seed| (seed.clone(), values.span("seeds"))));
    if seeds.is_empty() && ["approx", "mutate", "fusion"].contains(&name.as_str()) {
        reading.wrong(values.header, format!("`{name}` needs `seeds`"));
    }
    let frame = frame(values, reading);
    let settings = match name.as_str() {
        "truth" => {
            StrategySettings::Truth { beyond: values.texts("beyond"), depth: number("depth", 2), frame }
        }
        "approx" => StrategySettings::Approx {
            seeds,
            mutants: number("mutants", 300),
            literals: number("literals", 5),
            rounds: number("rounds", 1),
            trust: values.text("trust").unwrap_or_else(|| "target".into()),
            frame,
        },
        "mutate" => StrategySettings::Mutate { seeds, mutants: number("mutants", 200), frame },
        "fusion" => StrategySettings::Fusion { seeds, mutants: number("mutants", 200), frame },
        "enumerate" => StrategySettings::Enumerate { frame },
        "all" => {
            let options = match values.text("options").as_deref() {
                None => Some("safe".to_string()),
                Some("none") => None,
                Some(level) => Some(level.to_string()),
            };
            StrategySettings::All { seeds, frame: Frame { options, ..frame } }
        }
        "evolve" => StrategySettings::Evolve {
            seeds,
            reference: values.text("reference").unwrap_or_else(|| "cvc5".into()),
            logic: logic(values, reading),
            tests: number("tests", 200).max(1) as u64,
            confirm: values.duration("confirm").map_or(20.0, |time| time.as_secs_f64()),
        },
        _ => return None,
    };
    Some(StrategyPlan { share: values.share("share").unwrap_or(1.0), settings })
}

fn frame(values: &Values, reading: &mut Reading) -> Frame {
    let contexts = values.texts("contexts");
    if let Some(name) =
        contexts.iter().find(|name| *name != "all" && fuzz::context::Context::by_name(name).is_none())
    {
        let names: Vec<&str> = fuzz::context::CONTEXTS.iter().map(|context| context.name).collect();
        reading.wrong(values.span("contexts"), format!("no context `{name}`: all, {}", names.join(", ")));
    }
    Frame { contexts, options: values.text("options").filter(|level| level != "none") }
}

fn logic(values: &Values, reading: &mut Reading) -> Option<String> {
    let name = values.text("logic")?;
    if fuzz::evolve::grammar::Logic::by_name(&name).is_none() {
        let names: Vec<&str> = fuzz::evolve::grammar::LOGICS.iter().map(|logic| logic.name).collect();
        reading.wrong(values.span("logic"), format!("the logics are {}", names.join(", ")));
    }
    Some(name)
}

fn program(values: &Values, reading: &mut Reading, folder: &Path) -> Option<Program> {
    let program = folder.join(values.text("program")?);
    let extension = program.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !keys::PROGRAMS.contains(&extension) {
        let known: Vec<String> = keys::PROGRAMS.iter().map(|known| format!(".{known}")).collect();
        reading.wrong(values.span("program"), format!("not a {} file", known.join(", ")));
    }
    reading.paths.push((program.clone(), values.span("program")));
    let search = values.text("search").unwrap_or_else(|| "cover".into());
    if explore::search::Strategy::named(&search).is_none() {
        let names: Vec<&str> = explore::search::STRATEGIES.iter().map(|row| row.name).collect();
        reading.wrong(values.span("search"), format!("the searches are {}", names.join(", ")));
    }
    let mut seeds = values.numbers("seeds");
    if seeds.is_empty() {
        seeds.push(0);
    }
    seeds.sort_unstable();
    seeds.dedup();
    Some(Program {
        exploring: Exploring {
            program,
            time: values.duration("time").map_or(60.0, |time| time.as_secs_f64()),
            search,
            stdin: values.number("stdin").unwrap_or(0) as usize,
            args: values.numbers("args").iter().map(|&size| size as usize).collect(),
            entry: values.text("entry"),
            flags: values.texts("flags"),
            main: values.text("main"),
        },
        seeds,
        share: values.share("share").unwrap_or(1.0),
    })
}

#[cfg(test)]
mod tests;
