//! An exploration as an item of work: a program of any machine is loaded, explored for its time, and what its folder would hold is
//! kept. This is the seam to `explore` and `jvm`.

use crate::error::Error;
use crate::file::Exploring;
use crate::work::{Beat, Explored, ItemResult};
use explore::report::{self, Subject};
use explore::search::{self, Moment, SearchSettings, Strategy as Search};
use explore::world::Setup;
use explore::{Program, Target, clang};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Files of an exploration that are kept, by how their paths begin.
const KEPT: &[&str] = &["tests/", "crashes/", "coverage/lcov.info"];
/// How many tests of an exploration are kept one by one.
const TESTS: usize = 2_000;
/// The longest source or file that is kept.
const LONGEST: usize = 1 << 20;

/// Explores a program once; nothing if it was stopped.
pub(crate) fn explore_once(
    wrong: &dyn Fn(String) -> Error,
    exploring: &Exploring,
    seed: u64,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Beat),
) -> Result<Option<ItemResult>, Error> {
    let path = &exploring.program;
    let setup = Setup {
        stdin: exploring.stdin,
        args: exploring.args.clone(),
        entry: exploring.entry.clone(),
        pointee: 32,
        ..Setup::default()
    };
    let (artefact, bytes, program) = load(exploring, setup, wrong)?;
    let flag = Arc::new(AtomicBool::new(false));
    let settings = SearchSettings {
        strategy: Search::named(&exploring.search).unwrap_or(SearchSettings::default().strategy),
        seed,
        time_limit: Some(Duration::from_secs_f64(exploring.time)),
        only_new: true,
        stop: flag.clone(),
        ..SearchSettings::default()
    };
    let start = Instant::now();
    let mut told: Option<Beat> = None;
    let found = search::explore(&*program, &settings, &mut |progress| {
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
        artefacts: &[(artefact, &bytes)],
        target: &*program,
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

/// What is kept of a program under which name, and the program on its machine.
type Loaded = (&'static str, Vec<u8>, Box<dyn Target>);

/// A program on its machine.
fn load(exploring: &Exploring, setup: Setup, wrong: &dyn Fn(String) -> Error) -> Result<Loaded, Error> {
    let path = &exploring.program;
    // That the file is not there has a code of its own.
    std::fs::read(path).map_err(|error| Error::file(path, error))?;
    if jvm::front::is_java(path) {
        let opened = jvm::front::open(path, exploring.main.as_deref(), setup, &exploring.flags)
            .map_err(|error| wrong(error.to_string()))?;
        return Ok(("program.jar", opened.archive, Box::new(opened.program)));
    }
    let (files, entry) = (std::slice::from_ref(path), exploring.entry.as_deref());
    let project = clang::Project { files, entry, flags: &exploring.flags, checks: true, units: &[] };
    let module = explore::front::module(&project).map_err(|error| wrong(error.to_string()))?;
    let program = Program::load(&module, setup).map_err(|error| wrong(error.to_string()))?;
    Ok(("program.wasm", module, Box::new(program.with_files(vec![path.clone()]))))
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
