//! Output folders of `soundline fuzz` and `soundline explore` as a store in memory, so that `serve` and `report` show them as they
//! show a campaign.

use crate::error::Error;
use crate::exploring::explored;
use crate::file::{Campaign, CampaignLimits};
use crate::file::{Exploring, Frame, StrategySettings};
use crate::plan::{Lane, Plan, Work};
use crate::runner::found;
use crate::store::Store;
use crate::store::queue::Next;
use crate::work::{Beat, ItemResult};
use fuzz::evidence::Class;
use fuzz::run::Entry;
use serde_json::Value as Json;
use std::path::Path;
use std::time::Duration;

/// Opens whatever a path leads to: a store, or a folder of `fuzz` or `explore`.
pub fn open(path: &Path) -> Result<Store, Error> {
    if !path.is_dir() || path.join(crate::store::FILE).exists() {
        return Store::open(path);
    }
    if path.join("summary.json").exists() && path.join("tests").is_dir() {
        return exploration(path);
    }
    if path.join("findings").is_dir()
        || path.join("observations").is_dir()
        || path.join("state.json").exists()
    {
        return fuzzing(path);
    }
    Err(Error::Usage(format!(
        "{}: neither a campaign's store nor a folder of `soundline fuzz` or `soundline explore`",
        path.display()
    )))
}

fn read(path: &Path) -> Result<Json, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    serde_json::from_str(&text).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))
}

/// A store with one lane, whose only item is handed out.
fn one_lane(name: &str, seed: u64, work: Work) -> Result<(Store, crate::work::Item), Error> {
    let lane = Lane { key: "00000000".into(), share: 1.0, work };
    let plan = Plan {
        name: name.into(),
        seed,
        test_time: 5.0,
        memory: 4096,
        reduce: true,
        references: Vec::new(),
        lanes: vec![lane],
    };
    let campaign = Campaign {
        name: name.into(),
        seed,
        store: ".".into(),
        limits: CampaignLimits {
            time: None,
            tests: None,
            jobs: None,
            test_time: Duration::from_secs(5),
            memory: 4096,
            reduce: true,
            reports_a_week: 5,
        },
        targets: Vec::new(),
        references: Vec::new(),
        strategies: Vec::new(),
        programs: Vec::new(),
    };
    let mut store = Store::in_memory()?;
    let id = store.begin(&campaign, "", &plan)?;
    store.set_batches("00000000", Some(1))?;
    let Next::Item(item) = store.take("import", false)? else { unreachable!("a new lane has a first item") };
    store.finish(id, "imported")?;
    Ok((store, item))
}

fn name_of(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    whole.file_name().map_or_else(|| "results".into(), |name| name.to_string_lossy().into_owned())
}

fn fuzzing(path: &Path) -> Result<Store, Error> {
    let state = if path.join("state.json").exists() { read(&path.join("state.json"))? } else { Json::Null };
    let mut outcome = ItemResult::default();
    let mut solver = String::new();
    for group in ["findings", "observations"] {
        let folder = path.join(group);
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut folders: Vec<_> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
        folders.sort();
        for folder in folders {
            let Ok(answer) = read(&folder.join("answer.json")) else { continue };
            let text = |key: &str| answer[key].as_str().unwrap_or_default();
            let Some(class) = Class::all().find(|class| class.title() == text("title")) else { continue };
            let count = state["findings"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|row| row["fingerprint"] == answer["fingerprint"]);
            let entry = Entry {
                class,
                fingerprint: text("fingerprint").into(),
                about: text("fingerprint_text").into(),
                path: folder.display().to_string(),
                count: count.and_then(|row| row["count"].as_u64()).unwrap_or(1),
                assertions: answer["assertions"].as_u64().map_or(0, |count| count as usize),
                newest: answer["newest_release"].as_str().map(str::to_string),
            };
            solver = answer["solver"]["name"].as_str().unwrap_or_default().to_string();
            let finding = found(&folder, &entry)?;
            // A folder that was made by hand is checked like one from another machine.
            if crate::guard::finding(&finding).is_ok() {
                outcome.findings.push(finding);
            }
        }
    }
    let number = |(name, value): (&String, &Json)| Some((name.clone(), value.as_u64()?));
    outcome.counters = state["counters"].as_object().into_iter().flatten().filter_map(number).collect();
    let settings = match state["strategy"].as_str() {
        Some("approx") => StrategySettings::Approx {
            seeds: Vec::new(),
            mutants: 0,
            literals: 0,
            rounds: 0,
            trust: "target".into(),
            frame: Frame::default(),
        },
        Some("mutate") => StrategySettings::Mutate { seeds: Vec::new(), mutants: 0, frame: Frame::default() },
        Some("fusion") => StrategySettings::Fusion { seeds: Vec::new(), mutants: 0, frame: Frame::default() },
        Some("enumerate") => StrategySettings::Enumerate { frame: Frame::default() },
        Some("all") => StrategySettings::All { seeds: Vec::new(), frame: Frame::default() },
        Some("evolve") => StrategySettings::Evolve {
            seeds: Vec::new(),
            reference: String::new(),
            logic: None,
            tests: 0,
            confirm: 0.0,
        },
        _ => StrategySettings::Truth { beyond: Vec::new(), depth: 0, frame: Frame::default() },
    };
    let work = Work::Fuzz { target: solver.clone(), spec: solver, settings };
    let (mut store, item) = one_lane(&name_of(path), state["seed"].as_u64().unwrap_or(1), work)?;
    store.record(&item, "import", &outcome)?;
    Ok(store)
}

fn exploration(path: &Path) -> Result<Store, Error> {
    let explored = explored(path)?;
    let summary: Json = serde_json::from_str(&explored.summary).unwrap_or_default();
    let number = |key: &str| summary[key].as_u64().unwrap_or(0);
    let exploring = Exploring {
        program: summary["program"].as_str().unwrap_or("program").into(),
        time: 0.0,
        search: summary["search"].as_str().unwrap_or_default().into(),
        stdin: 0,
        args: Vec::new(),
        entry: None,
        flags: Vec::new(),
        main: None,
    };
    let work = Work::Explore { exploring, seed: number("seed") };
    let (mut store, item) = one_lane(&name_of(path), number("seed"), work)?;
    let beats: Vec<Beat> = summary["coverage_over_time"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|moment| Beat {
            micros: (moment["seconds"].as_f64().unwrap_or(0.0) * 1e6) as u64,
            tests: moment["tests"].as_u64().unwrap_or(0),
            branches: moment["branches"].as_u64().unwrap_or(0),
            lines: moment["lines"].as_u64().unwrap_or(0),
        })
        .collect();
    store.beat(&item.lane, &beats)?;
    let counters =
        ["tests", "paths", "queries", "crashes"].map(|name| (name.to_string(), number(name))).into();
    store.record(
        &item,
        "import",
        &ItemResult { counters, exploration: Some(explored), ..ItemResult::default() },
    )?;
    Ok(store)
}
