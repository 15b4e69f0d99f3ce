//! Findings on disk: one folder a finding, written whole or not at all. Owns the layout (`bug.smt2`, `reduced.smt2`,
//! `seed.smt2`, `mutations.json`, `answer.json`, `report.md`, `repro.sh`); what they say is decided elsewhere.

use super::{Finding, report, repro, without_folders};
use crate::solver::{End, Run};
use output::Folder;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folders of a run's findings.
#[derive(Clone, Debug)]
pub struct Folders {
    root: Arc<Folder>,
}

impl Folders {
    /// The findings of a run that writes to `root`.
    pub fn new(root: Arc<Folder>) -> Folders {
        Folders { root }
    }

    /// Where a finding goes, relative to the run's folder: loud ones under `findings`, the others under `observations`.
    pub(crate) fn name(&self, finding: &Finding) -> String {
        let class = finding.confirmed.class;
        let group = if class.is_loud() { "findings" } else { "observations" };
        format!("{group}/{}-{}", class.word(), finding.fingerprint.short)
    }

    /// Writes a finding's folder, in place of an older one of the same fingerprint.
    pub(crate) fn write(&self, finding: &Finding) -> Result<PathBuf, output::Error> {
        let path = self.root.write_group(&self.name(finding), &files(finding))?;
        let script = path.join("repro.sh");
        make_executable(&script).map_err(|error| output::Error::io(&script, error))?;
        Ok(path)
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// The files of a finding's folder.
fn files(finding: &Finding) -> Vec<(&'static str, String)> {
    let mut files = vec![
        ("bug.smt2", finding.bug.clone()),
        ("reduced.smt2", finding.reduced.clone()),
        ("answer.json", pretty(&answer(finding))),
        ("report.md", report(finding)),
        ("repro.sh", repro(finding)),
    ];
    if let Some(seed) = &finding.seed {
        files.push(("seed.smt2", seed.clone()));
        files.push(("mutations.json", pretty(&finding.mutations)));
    }
    files
}

fn pretty(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).expect("a value of our own") + "\n"
}

/// `answer.json`: what the solver did with the reduced script.
#[derive(Serialize)]
struct AnswerFile<'a> {
    class: &'static str,
    title: &'static str,
    fingerprint: &'a str,
    /// What the fingerprint is made of.
    fingerprint_text: &'a str,
    /// The query that the finding is about, from 1.
    query: usize,
    verdict: Option<&'static str>,
    model: Option<&'a str>,
    core: Option<&'a [String]>,
    detail: &'a str,
    solver: SolverEntry<'a>,
    run: RunEntry<'a>,
    references: Vec<ReferenceEntry<'a>>,
    /// How the newest release at hand answers, in words.
    newest_release: Option<&'a str>,
    /// What made the test.
    origin: String,
    assertions: usize,
    /// Runs of the solver that the reduction took.
    reduction_tests: u64,
}

/// The solver that is wrong.
#[derive(Serialize)]
struct SolverEntry<'a> {
    name: String,
    version: &'a str,
    command: Vec<String>,
}

/// The fresh run that shows the defect.
#[derive(Serialize)]
struct RunEntry<'a> {
    stdout: &'a str,
    stderr: &'a str,
    end: String,
    /// If it exited by itself.
    exit_status: Option<i32>,
    /// If a signal ended it.
    signal: Option<i32>,
    cpu_seconds: f64,
    wall_seconds: f64,
    memory_bytes: u64,
}

/// What a referee said.
#[derive(Serialize)]
struct ReferenceEntry<'a> {
    solver: String,
    version: &'a str,
    verdict: Option<&'static str>,
    /// What the evaluator says of its model.
    model: Option<String>,
}

fn answer(finding: &Finding) -> AnswerFile<'_> {
    let confirmed = &finding.confirmed;
    let reply = confirmed.answer.replies.get(confirmed.query);
    let references = confirmed.referees.iter().map(|said| ReferenceEntry {
        solver: without_folders(&said.solver),
        version: &said.version,
        verdict: said.verdict.map(|v| v.word()),
        model: said.model.as_ref().map(|m| format!("{m:?}")),
    });
    AnswerFile {
        class: confirmed.class.word(),
        title: confirmed.class.title(),
        fingerprint: &finding.fingerprint.short,
        fingerprint_text: &finding.fingerprint.text,
        query: confirmed.query + 1,
        verdict: reply.map(|r| r.verdict.word()),
        model: reply.and_then(|r| r.model.as_deref()),
        core: reply.and_then(|r| r.core.as_deref()),
        detail: &confirmed.detail,
        solver: SolverEntry {
            name: without_folders(&finding.solver.name),
            version: &finding.solver.version,
            command: finding.solver.plain_command(),
        },
        run: run(&confirmed.run),
        references: references.collect(),
        newest_release: finding.newest.as_deref(),
        origin: without_folders(&finding.origin),
        assertions: finding.assertions,
        reduction_tests: finding.reduction_tests,
    }
}

fn run(run: &Run) -> RunEntry<'_> {
    let (exit_status, signal) = match run.end {
        End::Exited(status) => (Some(status), None),
        End::Signalled(signal) => (None, Some(signal)),
        End::CpuLimit | End::WallLimit | End::MemoryLimit | End::OutputLimit | End::Stopped => (None, None),
    };
    RunEntry {
        stdout: &run.stdout,
        stderr: &run.stderr,
        end: format!("{:?}", run.end),
        exit_status,
        signal,
        cpu_seconds: run.cpu.as_secs_f64(),
        wall_seconds: run.wall.as_secs_f64(),
        memory_bytes: run.memory,
    }
}
