//! The summary: what was counted, how it was explored, and coverage over time.

use super::Subject;
use super::crash::describe;
use super::test::seconds;
use crate::concolic::{AddressPolicy, Options};
use crate::coverage::Coverage;
use crate::search::{Counters, Exploration, Moment, Progress, Source};
use crate::target::RunLimits;
use crate::world::Setup;
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;
use std::time::Duration;

/// The summary of an exploration. `paths`, `tests`, `crashes`, `branches_covered`, `lines_covered`, `partials_used` and
/// `stop_reason` are promised.
pub fn document(subject: Subject<'_>, found: &Exploration) -> Json {
    document_of(subject, &found.progress(), Some(found))
}

/// The summary of an exploration that has begun and found nothing yet.
pub(super) fn begun(subject: Subject<'_>) -> Json {
    let coverage = Coverage::new(subject.target.sites());
    let moment = Moment { time: Duration::ZERO, tests: 0, branches: 0, lines: 0, source: Source::Seed };
    let progress = Progress {
        moment,
        tests: &[],
        crashes: &[],
        coverage: &coverage,
        timeline: &[],
        counters: &Counters::default(),
        queries: &[],
    };
    document_of(subject, &progress, None)
}

/// The summary of an exploration that goes on, or that ended.
pub(super) fn document_of(subject: Subject<'_>, found: &Progress<'_>, end: Option<&Exploration>) -> Json {
    let counters = found.counters;
    let partials = counters.sources.partials();
    let sources: Vec<Json> = counters
        .sources
        .rows()
        .map(|(source, engine, tally)| {
            let mut row = json!({ "source": source.name(), "engine": engine });
            for (name, count) in tally.columns() {
                row[name] = json!(count);
            }
            row
        })
        .collect();
    let (covered, branches) = found.coverage.branches();
    let crashes: Vec<Json> = found.crashes.iter().map(|crash| describe(subject.target, crash)).collect();
    let timeline: Vec<Json> = found
        .timeline
        .iter()
        .map(|moment| {
            json!({ "seconds": seconds(moment.time), "tests": moment.tests, "branches": moment.branches, "lines": moment.lines, "source": moment.source.name() })
        })
        .collect();
    let solver: Map<String, Json> = end
        .map_or(&[][..], |end| &end.solver_counters)
        .iter()
        .map(|(name, count)| (name.to_string(), json!(count)))
        .collect();
    let mut document = json!({
        "program": subject.file.display().to_string(),
        "flags": subject.flags,
        "fuel": subject.settings.fuel,
        "search": subject.settings.strategy.name,
        "partials": subject.settings.sources.any(),
        "partials_from": subject.settings.sources.to_string(),
        "engine": subject.settings.engine,
        "seed": subject.settings.seed,
        "stop_reason": end.map_or("running", |end| end.stop_reason.word()),
        "seconds": seconds(found.moment.time),
        "solver_seconds": seconds(counters.solver_time),
        "paths": counters.paths,
        "tests": found.tests.len(),
        "only_new": subject.settings.only_new,
        "crashes": crashes.len(),
        "crash_list": crashes,
        "branches_covered": covered,
        "branches": branches,
        "lines_covered": found.coverage.lines().len(),
        "lines": subject.target.sites().lines().len(),
    });
    let counted = json!({
        "partials_used": partials.paths,
        "partials_run": partials.run,
        "partials_fresh": partials.fresh,
        "queries_saved": counters.queries_saved,
        "partials_delivered": partials.delivered,
        "queries": counters.queries,
        "sat": counters.sat,
        "unsat": counters.unsat,
        "unknown": counters.unknown,
        "postponed": counters.postponed,
        "not_nearby": counters.not_nearby,
        "halted": counters.halted,
        "backup": subject.settings.backup.as_ref().map(|backup| backup.name()),
        "backup_asked": counters.backup_asked,
        "backup_answered": counters.backup_answered,
        "jobs": subject.settings.jobs,
        "divergences": counters.divergences,
        "forgotten": counters.forgotten,
        "discarded": counters.discarded,
        "unfinished": counters.unfinished,
        "coverage_over_time": timeline,
        "runs": counters.runs[0],
        "runs_on_terms": counters.runs[1],
        "sources": sources,
        "solver": solver,
    });
    if let Json::Object(all) = &mut document {
        all.extend(counted.as_object().cloned().unwrap_or_default());
        all.extend(subject.target.describe());
    }
    document
}

/// The setup that a summary tells of; none if it tells of none.
pub fn setup_from(summary: &Json) -> Option<Setup> {
    let setup = summary.get("setup")?;
    let size = |json: &Json| json.as_u64().and_then(|size| usize::try_from(size).ok());
    let file = |json: &Json| Some((json.get("name")?.as_str()?.to_string(), size(json.get("size")?)?));
    Some(Setup {
        stdin: size(setup.get("stdin")?)?,
        args: setup.get("args")?.as_array()?.iter().map(size).collect::<Option<_>>()?,
        files: setup.get("files")?.as_array()?.iter().map(file).collect::<Option<_>>()?,
        entry: setup.get("entry")?.as_str().map(str::to_string),
        pointee: size(setup.get("pointee")?)?,
        leaks: setup.get("leaks").and_then(Json::as_bool).unwrap_or(false),
        env: match setup.get("env").and_then(Json::as_array) {
            Some(env) => env.iter().map(file).collect::<Option<_>>()?,
            None => Vec::new(),
        },
        sized: setup.get("sized").and_then(Json::as_bool).unwrap_or(false),
        pages: setup.get("pages").and_then(Json::as_u64).and_then(|pages| u32::try_from(pages).ok()),
        lazy: setup.get("lazy").and_then(Json::as_bool).unwrap_or(false),
        lengths: setup.get("lengths").and_then(Json::as_array).map_or(Vec::new(), |all| {
            let pair =
                |json: &Json| Some((json.get(0)?.as_str()?.to_string(), json.get(1)?.as_str()?.to_string()));
            all.iter().filter_map(pair).collect()
        }),
    })
}

/// The files that a summary names, and the options that they were compiled with.
pub fn source_from(summary: &Json) -> Option<(Vec<PathBuf>, Vec<String>)> {
    let flag = |json: &Json| json.as_str().map(str::to_string);
    let named = summary.get("files").and_then(Json::as_array).filter(|files| !files.is_empty());
    let files = match named {
        Some(files) => files.iter().map(|file| file.as_str().map(PathBuf::from)).collect::<Option<_>>()?,
        None => vec![summary.get("program")?.as_str()?.into()],
    };
    let flags = summary.get("flags")?.as_array()?.iter().map(flag).collect::<Option<_>>()?;
    Some((files, flags))
}

/// The choices of the concolic domain that a summary tells of.
pub fn options_from(summary: &Json) -> Options {
    let region = summary.get("region").and_then(Json::as_u64).and_then(|bytes| u32::try_from(bytes).ok());
    let loads = match region {
        None => Options::default().loads,
        Some(0) => AddressPolicy::Concretise,
        Some(bytes) => AddressPolicy::Region(bytes),
    };
    Options { loads, ..Options::default() }
}

/// The limits of the runs that a summary tells of.
pub fn limits_from(summary: &Json) -> RunLimits {
    let fuel = summary.get("fuel").and_then(Json::as_u64);
    RunLimits { fuel: fuel.unwrap_or(RunLimits::default().fuel), ..RunLimits::default() }
}
