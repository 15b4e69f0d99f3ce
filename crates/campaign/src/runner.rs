//! Work done by the libraries: an item becomes a run of `fuzz` or `explore` in a folder of its own, whose files are read and
//! whose folder goes. This is the whole seam to them: a range of numbered batches and a seed in, counts and findings out.

use crate::error::Error;
use crate::exploring::explore_once;
use crate::file::{Frame, StrategySettings};
use crate::guard::{self, FILES};
use crate::plan::{Lane, Plan, Work};
use crate::tested::Range;
use crate::work::{Beat, FamiliarKind, Found, Item, ItemResult, Runner};
use fuzz::StopReason;
use fuzz::all::{self, All, Framing};
use fuzz::approx::{Approx, ApproxSettings, Seed};
use fuzz::case::Strategy;
use fuzz::context::{CONTEXTS, Context};
use fuzz::enumerate::Enumerate;
use fuzz::evolve;
use fuzz::fusion::Fused;
use fuzz::mutate::Mutate;
use fuzz::options::Level;
use fuzz::run::{Entry, Event, Familiar, Health, RunSettings, Solvers, Trust};
use fuzz::solver::{Limits, Solver, Store as Releases};
use fuzz::truth::{BEYOND, Truth, TruthSettings};
use serde_json::Value as Json;
use smt::Theory;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

type Made = Arc<dyn Strategy + Send + Sync>;

/// What earlier runs know, by the SPEC of the target.
type Known = BTreeMap<String, BTreeMap<String, (u64, Option<String>)>>;

fn contexts(frame: &Frame) -> Vec<&'static Context> {
    if frame.contexts.iter().any(|name| name == "all") {
        return CONTEXTS.iter().collect();
    }
    frame.contexts.iter().filter_map(|name| Context::by_name(name)).collect()
}

fn level(frame: &Frame) -> Level {
    match frame.options.as_deref() {
        Some("experimental") => Level::Experimental,
        Some(_) => Level::Safe,
        None => Level::None,
    }
}

/// A strategy in what stands around its tests.
fn framed<S: Strategy + Send + Sync + 'static>(strategy: S, target: &Solver, frame: &Frame) -> Made {
    if frame.is_plain() {
        return Arc::new(strategy);
    }
    Arc::new(Framing::new(strategy, target, contexts(frame), level(frame)))
}

/// Does work by `fuzz` and `explore`.
#[derive(Default)]
pub struct Libraries {
    /// What is made once for a lane: its strategy and its solvers.
    made: Mutex<BTreeMap<String, (Made, Arc<Solvers>)>>,
    known: Mutex<Known>,
}

/// The theories of `beyond`.
fn theories(names: &[String]) -> Vec<Theory> {
    let wanted = |row: &&(&str, Theory)| names.iter().any(|name| name == "all" || name == row.0);
    BEYOND.iter().filter(wanted).map(|row| row.1).collect()
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
            Work::Fuzz { spec, settings, .. } => {
                Ok(self.made(&Task { plan, lane, spec, settings })?.0.batches())
            }
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
            Work::Fuzz { spec, settings, .. } => {
                let task = Task { plan, lane, spec, settings };
                match settings {
                    StrategySettings::Evolve { .. } => task.evolve(item, stop)?,
                    _ => self.fuzz(&task, item, stop)?,
                }
            }
            Work::Explore { exploring, seed } => explore_once(&failed(lane), exploring, *seed, stop, watch)?,
        };
        Ok(outcome.map(|mut outcome| {
            outcome.counters.insert("wall_micros".into(), start.elapsed().as_micros() as u64);
            outcome
        }))
    }

    fn learn(&self, spec: &str, kinds: &[FamiliarKind]) {
        let mut known = self.known();
        let known = known.entry(spec.to_string()).or_default();
        for kind in kinds {
            let (taken, fingerprint) = known.entry(kind.kind.clone()).or_default();
            *taken = (*taken).max(kind.taken);
            if kind.fingerprint.is_some() {
                fingerprint.clone_from(&kind.fingerprint);
            }
        }
    }
}

/// A lane that tests a solver, with the plan that it is of.
struct Task<'a> {
    plan: &'a Plan,
    lane: &'a Lane,
    spec: &'a str,
    settings: &'a StrategySettings,
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
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("nobody panics while it learns")
    }

    fn made(&self, task: &Task<'_>) -> Result<(Made, Arc<Solvers>), Error> {
        let &Task { plan, lane, spec, settings } = task;
        let wrong = failed(lane);
        let mut made = self.made.lock().expect("the lock is never poisoned");
        if let Some(known) = made.get(&lane.key) {
            return Ok(known.clone());
        }
        let solvers = Solvers::resolve(spec, &plan.references, &Releases::open())
            .map_err(|error| wrong(error.to_string()))?;
        let find = |paths: &[PathBuf]| Seed::find(paths).map_err(|rejected| wrong(rejected.0));
        let target = &solvers.target;
        let strategy: Made = match settings {
            StrategySettings::Truth { beyond, depth, frame } => {
                let settings =
                    TruthSettings { beyond: theories(beyond), depth: *depth, bound: 1, in_order: false };
                framed(Truth::new(settings), target, frame)
            }
            StrategySettings::Approx { seeds, mutants, literals, rounds, trust, frame } => {
                let seeds = find(seeds)?;
                let options = ApproxSettings {
                    mutants: *mutants,
                    literals: *literals,
                    rounds: *rounds,
                    trust_status: trust == "status",
                    ..ApproxSettings::default()
                };
                framed(Approx::new(seeds, options), target, frame)
            }
            StrategySettings::Mutate { seeds, mutants, frame } => {
                framed(Mutate::new(find(seeds)?, *mutants), target, frame)
            }
            StrategySettings::Fusion { seeds, mutants, frame } => {
                framed(Fused::new(find(seeds)?, *mutants), target, frame)
            }
            StrategySettings::Enumerate { frame } => framed(Enumerate::new(target.family()), target, frame),
            StrategySettings::All { seeds, frame } => {
                let seeds = if seeds.is_empty() { Vec::new() } else { find(seeds)? };
                let settings = all::AllSettings {
                    seeds,
                    contexts: contexts(frame),
                    themes: Vec::new(),
                    level: level(frame),
                    learns: false,
                };
                Arc::new(All::new(target, settings))
            }
            StrategySettings::Evolve { .. } => return Err(wrong("evolution has no batches of tests".into())),
        };
        let entry = (strategy, Arc::new(solvers));
        made.insert(lane.key.clone(), entry.clone());
        Ok(entry)
    }

    fn fuzz(&self, task: &Task<'_>, item: &Item, stop: &AtomicBool) -> Result<Option<ItemResult>, Error> {
        let &Task { plan, lane, spec, settings } = task;
        let wrong = failed(lane);
        let (strategy, solvers) = self.made(task)?;
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
        let before = self.known().get(spec).cloned().unwrap_or_default();
        let mut familiar = Familiar { kinds: before.clone(), seen: BTreeMap::new() };
        let summary =
            fuzz::run::run_familiar(&range, &solvers, &options, &mut familiar, stop, &mut |event| {
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
            .map(|entry| found(&options.out.join(&entry.path), entry))
            .collect::<Result<Vec<_>, Error>>()?;
        if summary.stop == StopReason::Interrupted {
            // What was found is sure, though the batches were not done.
            return Ok(Some(ItemResult { findings, stopped: true, ..ItemResult::default() }));
        }
        let changed = |(kind, now): &(String, (u64, Option<String>))| before.get(kind) != Some(now);
        let kinds = familiar.kinds.into_iter().filter(changed);
        let kinds = kinds
            .map(|(kind, (taken, fingerprint))| FamiliarKind { kind, taken, fingerprint })
            // What is too long to be stored is followed up again.
            .filter(|kind| kind.kind.len() <= guard::KIND)
            .collect();
        let tally = range.tally();
        Ok(Some(ItemResult {
            kinds,
            seen: familiar.seen,
            counters: counters.as_object().into_iter().flatten().filter_map(number).collect(),
            findings,
            logics: tally.logics,
            operators: tally.operators.into_iter().map(|(name, tests)| (name.to_string(), tests)).collect(),
            notes,
            ..ItemResult::default()
        }))
    }
}

impl Task<'_> {
    fn evolve(&self, item: &Item, stop: &AtomicBool) -> Result<Option<ItemResult>, Error> {
        let &Task { plan, lane, spec, settings } = self;
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
            begin.push(evolve::search::FirstFormula { name, text });
        }
        let chosen =
            logic.as_deref().and_then(evolve::grammar::Logic::by_name).unwrap_or(&evolve::grammar::LOGICS[0]);
        for number in item.first..item.first + item.count {
            let search = evolve::search::EvolutionSettings {
                logic: chosen,
                tests: Some(*tests),
                jobs: 1,
                seeds: begin.clone(),
                ..evolve::search::EvolutionSettings::new(random::mix(plan.seed ^ number))
            };
            let pair = evolve::evaluate::PairSettings {
                target: spec.to_string(),
                others: Vec::new(),
                references: vec![reference.clone()],
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
            for entry in summary.findings.iter().map(|found| &found.entry) {
                outcome.findings.push(found(&task.out.join(&entry.path), entry)?);
            }
            if stop.load(Ordering::Relaxed) {
                // What was found is sure, though the batch was not done.
                return Ok(Some(ItemResult {
                    findings: outcome.findings,
                    stopped: true,
                    ..ItemResult::default()
                }));
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
        }
        Ok(Some(outcome))
    }
}

/// A finding's folder with what the list says of it.
pub(crate) fn found(folder: &Path, about: &Entry) -> Result<Found, Error> {
    let files = finding_files(folder)?;
    let answer: Json =
        files.get("answer.json").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let cpu = answer["run"]["cpu_seconds"].as_f64().unwrap_or(0.0);
    Ok(Found {
        class: about.class.word().into(),
        title: about.class.title().into(),
        fingerprint: about.fingerprint.clone(),
        about: about.about.clone(),
        count: about.count,
        assertions: about.assertions as u64,
        version: answer["solver"]["version"].as_str().unwrap_or_default().into(),
        logic: files.get("reduced.smt2").map_or(String::new(), |text| logic_of(text)),
        newest: about.newest.clone(),
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
