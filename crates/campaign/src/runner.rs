//! Work done by the libraries: an item becomes a run of `fuzz` or `explore` in a folder of its own, whose files are read and
//! whose folder goes. This is the whole seam to them: a range of numbered batches and a seed in, counts and findings out.

use crate::error::Error;
use crate::file::{Exploring, StrategySettings};
use crate::guard::FILES;
use crate::plan::{Lane, Plan, Work};
use crate::tested::Range;
use crate::work::{Beat, Explored, Found, Item, ItemResult, Runner};
use explore::report::{self, Subject};
use explore::search::{self, Moment, Settings, Strategy as Search};
use explore::world::Setup;
use explore::{Program, clang};
use fuzz::StopReason;
use fuzz::approx::{Approx, ApproxSettings, Seed};
use fuzz::case::Strategy;
use fuzz::evidence::Class;
use fuzz::evolve;
use fuzz::run::{Event, Health, RunSettings, Solvers, Trust};
use fuzz::solver::{Limits, Store as Releases};
use fuzz::truth::{Truth, TruthSettings};
use serde_json::Value as Json;
use smt::Theory;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

type Made = Arc<dyn Strategy + Send + Sync>;

/// Does work by `fuzz` and `explore`.
#[derive(Default)]
pub struct Libraries {
    /// What is made once for a lane: its strategy and its solvers.
    made: Mutex<BTreeMap<String, (Made, Arc<Solvers>)>>,
}

/// The theories of `beyond`.
const THEORIES: [(&str, Theory); 5] = [
    ("strings", Theory::Strings),
    ("arithmetic", Theory::Arith),
    ("bitvectors", Theory::BitVec),
    ("floats", Theory::Float),
    ("arrays", Theory::Arrays),
];

fn theories(names: &[String]) -> Vec<Theory> {
    let wanted = |row: &&(&str, Theory)| names.iter().any(|name| name == "all" || name == row.0);
    THEORIES.iter().filter(wanted).map(|row| row.1).collect()
}

/// The longest text that a note keeps.
const NOTE: usize = 500;
/// The most notes of one item.
const NOTES: usize = 5;

impl Runner for Libraries {
    fn batches(&self, plan: &Plan, lane: &str) -> Result<Option<u64>, Error> {
        let lane = find(plan, lane)?;
        match &lane.work {
            Work::Fuzz { settings: StrategySettings::Evolve { .. }, .. } => Ok(None),
            Work::Fuzz { spec, settings, .. } => Ok(self.made(plan, lane, spec, settings)?.0.batches()),
            Work::Explore { .. } => Ok(Some(1)),
        }
    }

    fn run(
        &self,
        plan: &Plan,
        item: &Item,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Beat),
    ) -> Result<Option<ItemResult>, Error> {
        let lane = find(plan, &item.lane)?;
        let start = Instant::now();
        let outcome = match &lane.work {
            Work::Fuzz { spec, settings: settings @ StrategySettings::Evolve { .. }, .. } => {
                self.evolve(plan, lane, spec, settings, item, stop)?
            }
            Work::Fuzz { spec, settings, .. } => self.fuzz(plan, lane, spec, settings, item, stop)?,
            Work::Explore { exploring, seed } => explore_once(lane, exploring, *seed, stop, watch)?,
        };
        Ok(outcome.map(|mut outcome| {
            outcome.counters.insert("wall_micros".into(), start.elapsed().as_micros() as u64);
            outcome
        }))
    }
}

fn find<'a>(plan: &'a Plan, key: &str) -> Result<&'a Lane, Error> {
    plan.lane(key).ok_or_else(|| Error::Work { lane: key.into(), reason: "the plan has no such lane".into() })
}

fn failed(lane: &Lane) -> impl Fn(String) -> Error + use<> {
    let lane = format!("{} on {}", lane.work.strategy(), lane.work.subject());
    move |reason| Error::Work { lane: lane.clone(), reason }
}

fn limits(plan: &Plan) -> Limits {
    Limits { memory: plan.memory << 20, ..Limits::with_cpu(Duration::from_secs_f64(plan.test_time)) }
}

impl Libraries {
    fn made(
        &self,
        plan: &Plan,
        lane: &Lane,
        spec: &str,
        settings: &StrategySettings,
    ) -> Result<(Made, Arc<Solvers>), Error> {
        let wrong = failed(lane);
        let mut made = self.made.lock().expect("the lock is never poisoned");
        if let Some(known) = made.get(&lane.key) {
            return Ok(known.clone());
        }
        let solvers = Solvers::resolve(spec, &plan.references, &Releases::open())
            .map_err(|error| wrong(error.to_string()))?;
        let strategy: Made = match settings {
            StrategySettings::Truth { beyond, depth } => Arc::new(Truth::new(TruthSettings {
                beyond: theories(beyond),
                depth: *depth,
                bound: 1,
                in_order: false,
            })),
            StrategySettings::Approx { seeds, mutants, literals, rounds, trust } => {
                let seeds = Seed::find(seeds).map_err(|rejected| wrong(rejected.0))?;
                let options = ApproxSettings {
                    mutants: *mutants,
                    literals: *literals,
                    rounds: *rounds,
                    trust_status: trust == "status",
                    ..ApproxSettings::default()
                };
                Arc::new(Approx::new(seeds, options))
            }
            StrategySettings::Evolve { .. } => return Err(wrong("evolution has no batches of tests".into())),
        };
        let entry = (strategy, Arc::new(solvers));
        made.insert(lane.key.clone(), entry.clone());
        Ok(entry)
    }

    fn fuzz(
        &self,
        plan: &Plan,
        lane: &Lane,
        spec: &str,
        settings: &StrategySettings,
        item: &Item,
        stop: &AtomicBool,
    ) -> Result<Option<ItemResult>, Error> {
        let wrong = failed(lane);
        let (strategy, solvers) = self.made(plan, lane, spec, settings)?;
        let trusting = matches!(settings, StrategySettings::Approx { trust, .. } if trust == "references");
        let folder = tempfile::tempdir().map_err(|error| Error::file(std::env::temp_dir(), error))?;
        let options = RunSettings {
            seed: plan.seed,
            tests: None,
            time: None,
            jobs: 1,
            fresh: false,
            out: folder.path().join("run"),
            limits: limits(plan),
            trust: if trusting { Trust::References } else { Trust::Target },
            reduce: plan.reduce,
            only: None,
        };
        let range = Range::new(&*strategy, plan.seed, item.first, item.count);
        let mut notes = Vec::new();
        let summary = fuzz::run::run(&range, &solvers, &options, stop, &mut |event| {
            if let Event::Note(text) = event
                && notes.len() < NOTES
            {
                notes.push(text.chars().take(NOTE).collect());
            }
        })
        .map_err(|error| wrong(error.to_string()))?;
        if let Health::Bad(reason) = &summary.health {
            notes.push(format!(
                "batches {} to {} tested next to nothing: {reason}",
                item.first,
                item.first + item.count - 1
            ));
        }
        let counters = serde_json::to_value(summary.counters).expect("a value of our own");
        let number = |(name, value): (&String, &Json)| Some((name.clone(), value.as_u64()?));
        let entries = summary.findings.iter().chain(&summary.observations);
        let findings = entries
            .map(|entry| {
                let about = About {
                    class: entry.class,
                    fingerprint: &entry.fingerprint,
                    about: &entry.about,
                    count: entry.count,
                    assertions: entry.assertions as u64,
                    newest: entry.newest.clone(),
                };
                found(&options.out.join(&entry.path), about)
            })
            .collect::<Result<Vec<_>, Error>>()?;
        if summary.stop == StopReason::Interrupted {
            // What was found is sure, though the batches were not done.
            return Ok(Some(ItemResult { findings, stopped: true, ..ItemResult::default() }));
        }
        let tally = range.tally();
        Ok(Some(ItemResult {
            counters: counters.as_object().into_iter().flatten().filter_map(number).collect(),
            findings,
            logics: tally.logics,
            operators: tally.operators.into_iter().map(|(name, tests)| (name.to_string(), tests)).collect(),
            notes,
            ..ItemResult::default()
        }))
    }

    fn evolve(
        &self,
        plan: &Plan,
        lane: &Lane,
        spec: &str,
        settings: &StrategySettings,
        item: &Item,
        stop: &AtomicBool,
    ) -> Result<Option<ItemResult>, Error> {
        let StrategySettings::Evolve { seeds, reference, logic, tests, confirm } = settings else {
            return Err(failed(lane)("not an evolution".into()));
        };
        let wrong = failed(lane);
        let folder = tempfile::tempdir().map_err(|error| Error::file(std::env::temp_dir(), error))?;
        let store = Releases::open();
        let mut outcome = ItemResult::default();
        let mut begin = Vec::new();
        for seed in Seed::find(seeds).map_err(|rejected| wrong(rejected.0))? {
            let (name, Seed::File(path)) = (seed.name(), &seed) else { continue };
            let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
            begin.push(evolve::search::Seed { name, text });
        }
        let chosen =
            logic.as_deref().and_then(evolve::grammar::Logic::by_name).unwrap_or(&evolve::grammar::LOGICS[0]);
        for number in item.first..item.first + item.count {
            let search = evolve::search::SearchSettings {
                logic: chosen,
                tests: Some(*tests),
                jobs: 1,
                seeds: begin.clone(),
                ..evolve::search::SearchSettings::new(random::mix(plan.seed ^ number))
            };
            let pair = evolve::evaluate::PairSettings {
                target: spec.to_string(),
                reference: reference.clone(),
                compare: search.variant.needs_reference(),
                limits: limits(plan),
                coverage: evolve::evaluate::CoverageKind::Blackbox,
                trace: evolve::evaluate::TraceKind::Verbose,
                jobs: 1,
            };
            let task = evolve::run::EvolveSettings {
                search,
                pair,
                confirm: Some(Duration::from_secs_f64(*confirm)),
                resume: false,
                out: folder.path().join(number.to_string()),
            };
            let summary = evolve::run::run(&task, &store, None, stop, &mut |_| {})
                .map_err(|error| wrong(error.to_string()))?;
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            for (name, value) in [
                ("tests", summary.counts.tests),
                ("rejected", summary.counts.rejected),
                ("generations", summary.generations as u64),
            ] {
                *outcome.counters.entry(name.into()).or_default() += value;
            }
            *outcome.logics.entry(chosen.name.to_string()).or_default() += summary.counts.tests;
            outcome.notes.extend(summary.trouble.clone());
            for entry in summary.findings.iter().map(|found| &found.entry) {
                let about = About {
                    class: entry.class,
                    fingerprint: &entry.fingerprint,
                    about: &entry.about,
                    count: entry.count,
                    assertions: entry.assertions as u64,
                    newest: None,
                };
                outcome.findings.push(found(&task.out.join(&entry.path), about)?);
            }
        }
        Ok(Some(outcome))
    }
}

/// What a list says of a finding.
pub(crate) struct About<'a> {
    pub(crate) class: Class,
    pub(crate) fingerprint: &'a str,
    pub(crate) about: &'a str,
    pub(crate) count: u64,
    pub(crate) assertions: u64,
    pub(crate) newest: Option<String>,
}

/// A finding's folder with what the list says of it.
pub(crate) fn found(folder: &Path, about: About<'_>) -> Result<Found, Error> {
    let files = finding_files(folder)?;
    let answer: Json =
        files.get("answer.json").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let cpu = answer["run"]["cpu_seconds"].as_f64().unwrap_or(0.0);
    Ok(Found {
        class: about.class.word().into(),
        title: about.class.title().into(),
        fingerprint: about.fingerprint.into(),
        about: about.about.into(),
        count: about.count,
        assertions: about.assertions,
        version: answer["solver"]["version"].as_str().unwrap_or_default().into(),
        logic: files.get("reduced.smt2").map_or(String::new(), |text| logic_of(text)),
        newest: about.newest,
        micros: (cpu * 1e6) as u64,
        files,
    })
}

/// The files of a finding's folder that we know, as far as they are not too long.
fn finding_files(folder: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut files = BTreeMap::new();
    for (name, longest) in FILES {
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes[..bytes.len().min(*longest)]).into_owned();
                files.insert(name.to_string(), text);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file(path, error)),
        }
    }
    Ok(files)
}

/// The logic that a script sets, or the theories that its operators are of.
fn logic_of(text: &str) -> String {
    let mut terms = smt::Terms::new();
    let reading = smt::read_script(&mut terms, text);
    if let Some(logic) = reading.script.logic() {
        return terms.name(logic).to_string();
    }
    let mut theories: Vec<String> = smt::walk::reachable(&terms, &reading.script.terms())
        .iter()
        .map(|&term| terms.op(term).info().theory)
        .filter(|theory| !matches!(theory, Theory::Language | Theory::Core))
        .map(|theory| format!("{theory:?}").to_lowercase())
        .collect();
    theories.sort();
    theories.dedup();
    theories.join("+")
}

/// Files of an exploration that are kept, by how their paths begin.
const KEPT: &[&str] = &["tests/", "crashes/", "coverage/lcov.info"];
/// How many tests of an exploration are kept one by one.
const TESTS: usize = 2_000;
/// The longest source or file that is kept.
const LONGEST: usize = 1 << 20;

fn explore_once(
    lane: &Lane,
    exploring: &Exploring,
    seed: u64,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Beat),
) -> Result<Option<ItemResult>, Error> {
    let wrong = failed(lane);
    let path = &exploring.program;
    let bytes = || std::fs::read(path).map_err(|error| Error::file(path, error));
    let module = match path.extension().and_then(|extension| extension.to_str()) {
        Some("c") => {
            bytes()?;
            let (files, entry) = (std::slice::from_ref(path), exploring.entry.as_deref());
            let project = clang::Project { files, entry, flags: &exploring.flags, checks: true };
            clang::compile(&project).map_err(|error| wrong(error.to_string()))?
        }
        Some("wat") => explore::text_to_binary(&bytes()?).map_err(&wrong)?,
        _ => bytes()?,
    };
    let setup = Setup {
        stdin: exploring.stdin,
        args: exploring.args.clone(),
        entry: exploring.entry.clone(),
        pointee: 32,
        ..Setup::default()
    };
    let program = Program::load(&module, setup).map_err(|error| wrong(error.to_string()))?;
    let flag = Arc::new(AtomicBool::new(false));
    let settings = Settings {
        strategy: Search::named(&exploring.search).unwrap_or(Settings::default().strategy),
        seed,
        time_limit: Some(Duration::from_secs_f64(exploring.time)),
        only_new: true,
        stop: flag.clone(),
        ..Settings::default()
    };
    let start = Instant::now();
    let mut told: Option<Beat> = None;
    let found = search::explore(&program, &settings, &mut |progress| {
        if stop.load(Ordering::Relaxed) {
            flag.store(true, Ordering::Relaxed);
        }
        let beat = beat(&progress.moment);
        if told.is_none_or(|told| (told.branches, told.lines) != (beat.branches, beat.lines)) {
            told = Some(beat);
            watch(beat);
        }
    });
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    for moment in &found.timeline {
        watch(beat(moment));
    }
    let folder = tempfile::tempdir().map_err(|error| Error::file(std::env::temp_dir(), error))?;
    let out = folder.path().join("out");
    let subject = Subject {
        file: path,
        flags: &exploring.flags,
        artefacts: &[("program.wasm", &module)],
        target: &program,
        settings: &settings,
    };
    report::write(&out, subject, &found).map_err(|error| wrong(error.to_string()))?;
    let explored = explored(&out)?;
    let counters = BTreeMap::from([
        ("tests".to_string(), found.tests.len() as u64),
        ("paths".to_string(), found.counters.paths as u64),
        ("queries".to_string(), found.counters.queries as u64),
        ("crashes".to_string(), found.crashes.len() as u64),
        ("solver_micros".to_string(), found.counters.solver_time.as_micros() as u64),
        ("explore_micros".to_string(), start.elapsed().as_micros() as u64),
    ]);
    Ok(Some(ItemResult { counters, exploration: Some(explored), ..ItemResult::default() }))
}

fn beat(moment: &Moment) -> Beat {
    Beat {
        micros: moment.time.as_micros() as u64,
        tests: moment.tests as u64,
        branches: moment.branches as u64,
        lines: moment.lines as u64,
    }
}

/// An exploration's folder, with the sources that its coverage names.
pub(crate) fn explored(folder: &Path) -> Result<Explored, Error> {
    let path = folder.join("summary.json");
    let summary = std::fs::read_to_string(&path).map_err(|error| Error::file(path, error))?;
    let mut files = BTreeMap::new();
    let mut names = Vec::new();
    below(folder, folder, &mut names)?;
    names.sort();
    let mut tests = 0;
    for (name, path) in names {
        tests += usize::from(name.starts_with("tests/"));
        let kept = KEPT.iter().any(|kept| name.starts_with(kept)) && !name.ends_with(".h");
        if kept && (tests <= TESTS || !name.starts_with("tests/")) {
            let bytes = std::fs::read(&path).map_err(|error| Error::file(&path, error))?;
            files.insert(name, String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned());
        }
    }
    let trace = files.get("coverage/lcov.info").cloned().unwrap_or_default();
    for (number, source) in trace.lines().filter_map(|line| line.strip_prefix("SF:")).enumerate() {
        // A source that is not here any more is shown as what it is: missing.
        if let Ok(bytes) = std::fs::read(source) {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned();
            files.insert(format!("source/{number}"), text);
        }
    }
    Ok(Explored { summary, files })
}

fn below(root: &Path, folder: &Path, names: &mut Vec<(String, PathBuf)>) -> Result<(), Error> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::file(folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| Error::file(folder, error))?.path();
        // The layout has two levels; links could lead anywhere.
        if path.is_dir()
            && !path.is_symlink()
            && path.strip_prefix(root).is_ok_and(|rest| rest.components().count() <= 2)
        {
            below(root, &path, names)?;
        } else if path.is_file()
            && let Ok(rest) = path.strip_prefix(root)
        {
            names.push((rest.display().to_string(), path));
        }
    }
    Ok(())
}
