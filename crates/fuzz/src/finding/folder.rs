//! Findings on disk: one folder a finding, written whole or not at all. Owns the layout (`bug.smt2`, `reduced.smt2`,
//! `seed.smt2`, `mutations.json`, `answer.json`, `report.md`, `repro.sh`); what they say is decided elsewhere.

use super::{Finding, Replacement, report, repro};
use crate::solver::{End, Run};
use output::Folder;
use serde_json::{Value as Json, json};
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
    pub fn name(&self, finding: &Finding) -> String {
        let class = finding.confirmed.class;
        let group = if class.is_loud() { "findings" } else { "observations" };
        format!("{group}/{}-{}", class.word(), finding.fingerprint.short)
    }

    /// Writes a finding's folder, in place of an older one of the same fingerprint.
    pub fn write(&self, finding: &Finding) -> Result<PathBuf, output::Error> {
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
    let pretty = |json: &Json| serde_json::to_string_pretty(json).expect("a value of our own") + "\n";
    let mut files = vec![
        ("bug.smt2", finding.bug.clone()),
        ("reduced.smt2", finding.reduced.clone()),
        ("answer.json", pretty(&answer(finding))),
        ("report.md", report(finding)),
        ("repro.sh", repro(finding)),
    ];
    if let Some(seed) = &finding.seed {
        files.push(("seed.smt2", seed.clone()));
        let list: Vec<Json> = finding
            .mutations
            .iter()
            .map(|Replacement { rule, before, after }| json!({ "rule": rule, "before": before, "after": after }))
            .collect();
        files.push(("mutations.json", pretty(&json!(list))));
    }
    files
}

/// `answer.json`: what the solver did with the reduced script.
fn answer(finding: &Finding) -> Json {
    let confirmed = &finding.confirmed;
    let reply = confirmed.answer.replies.get(confirmed.query);
    let referees: Vec<Json> = confirmed
        .referees
        .iter()
        .map(|said| {
            json!({
                "solver": said.solver,
                "version": said.version,
                "verdict": said.verdict.map(|v| v.word()),
                "model": said.model.as_ref().map(|m| format!("{m:?}")),
            })
        })
        .collect();
    json!({
        "class": confirmed.class.word(),
        "title": confirmed.class.title(),
        "fingerprint": finding.fingerprint.short,
        "fingerprint_text": finding.fingerprint.text,
        "query": confirmed.query + 1,
        "verdict": reply.map(|r| r.verdict.word()),
        "model": reply.and_then(|r| r.model.clone()),
        "core": reply.and_then(|r| r.core.clone()),
        "detail": confirmed.detail,
        "solver": {
            "name": finding.solver.name,
            "version": finding.solver.version,
            "command": finding.solver.command,
        },
        "run": run(&confirmed.run),
        "references": referees,
        "newest_release": finding.newest,
        "origin": finding.origin,
        "assertions": finding.assertions,
        "reduction_tests": finding.reduction_tests,
    })
}

fn run(run: &Run) -> Json {
    let (exit_status, signal) = match run.end {
        End::Exited(status) => (Some(status), None),
        End::Signalled(signal) => (None, Some(signal)),
        End::CpuLimit | End::WallLimit | End::MemoryLimit | End::OutputLimit | End::Stopped => (None, None),
    };
    json!({
        "stdout": run.stdout,
        "stderr": run.stderr,
        "end": format!("{:?}", run.end),
        "exit_status": exit_status,
        "signal": signal,
        "cpu_seconds": run.cpu.as_secs_f64(),
        "wall_seconds": run.wall.as_secs_f64(),
        "memory_bytes": run.memory,
    })
}
