//! Findings on disk: one folder a finding, written whole or not at all. Owns the layout (`bug.smt2`, `reduced.smt2`,
//! `seed.smt2`, `mutations.json`, `answer.json`, `report.md`, `repro.sh`); what they say is decided elsewhere.

use super::{Finding, Replacement, report, repro};
use crate::solver::{End, Run};
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that no one ever sees half of it.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let new = path.with_file_name(name);
    let mut file = fs::File::create(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    fs::rename(&new, path)
}

/// The folder of a run's findings.
#[derive(Clone, Debug)]
pub struct Folders {
    root: PathBuf,
}

impl Folders {
    /// The findings of a run that writes to `out`.
    pub fn new(out: &Path) -> Folders {
        Folders { root: out.to_path_buf() }
    }

    /// Where a finding goes: loud ones under `findings`, the others under `observations`.
    pub fn path(&self, finding: &Finding) -> PathBuf {
        let class = finding.confirmed.class;
        let group = if class.is_loud() { "findings" } else { "observations" };
        self.root.join(group).join(format!("{}-{}", class.word(), finding.fingerprint.short))
    }

    /// Writes a finding's folder, in place of an older one of the same fingerprint.
    pub fn write(&self, finding: &Finding) -> io::Result<PathBuf> {
        let path = self.path(finding);
        let parent = path.parent().expect("a finding's folder is below the run's");
        fs::create_dir_all(parent)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let new = parent.join(format!(".{name}.new"));
        if new.exists() {
            fs::remove_dir_all(&new)?;
        }
        fs::create_dir(&new)?;
        for (file, text) in files(finding) {
            fs::write(new.join(file), text)?;
        }
        make_executable(&new.join("repro.sh"))?;
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        fs::rename(&new, &path)?;
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
