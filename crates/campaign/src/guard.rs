//! What comes from elsewhere is hostile until it is checked: sizes, names, text. A worker checks what it is asked to run, a
//! coordinator checks what it gets back, and both refuse in words.

use crate::file::StrategySettings;
use crate::plan::{Plan, Work};
use crate::work::{Found, ItemResult};
use fuzz::evidence::Class;
use fuzz::solver::table;

/// The files of a finding's folder, and how large each may be.
pub(crate) const FILES: &[(&str, usize)] = &[
    ("bug.smt2", 4 << 20),
    ("reduced.smt2", 4 << 20),
    ("seed.smt2", 4 << 20),
    ("mutations.json", 1 << 20),
    ("answer.json", 8 << 20),
    ("report.md", 4 << 20),
    ("repro.sh", 64 << 10),
];

/// The most findings, names and notes of one outcome.
const MANY: usize = 10_000;
/// The longest name of anything.
const NAME: usize = 300;
/// The longest description of a kind of suspicion.
pub(crate) const KIND: usize = 2_000;
/// The longest sentence.
const SENTENCE: usize = 4_000;

fn plain(text: &str, longest: usize) -> bool {
    text.len() <= longest && !text.chars().any(|c| c.is_control() && c != '\n' && c != '\t')
}

/// Eight hexadecimal digits, as fingerprints and keys are.
pub(crate) fn is_short(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Why an outcome of another machine is not taken.
pub(crate) fn outcome(outcome: &ItemResult) -> Result<(), String> {
    for (what, names) in
        [("counter", &outcome.counters), ("logic", &outcome.logics), ("operator", &outcome.operators)]
    {
        if names.len() > MANY {
            return Err(format!("{} {what}s", names.len()));
        }
        if let Some((name, value)) =
            names.iter().find(|(name, value)| !plain(name, NAME) || **value > 1 << 50)
        {
            return Err(format!("the {what} {name:?} with {value}"));
        }
    }
    if outcome.findings.len() > MANY || outcome.notes.len() > MANY {
        return Err(format!("{} findings and {} notes", outcome.findings.len(), outcome.notes.len()));
    }
    if outcome.kinds.len() > MANY || outcome.seen.len() > MANY {
        return Err(format!("{} kinds and {} sightings", outcome.kinds.len(), outcome.seen.len()));
    }
    let known = |fingerprint: &String| is_short(fingerprint);
    if let Some(kind) = outcome
        .kinds
        .iter()
        .find(|kind| !plain(&kind.kind, KIND) || kind.taken > 1 << 32 || !kind.fingerprint.iter().all(known))
    {
        return Err(format!("a kind of suspicion of {} bytes", kind.kind.len()));
    }
    if !outcome.seen.iter().all(|(fingerprint, count)| is_short(fingerprint) && *count <= 1 << 50) {
        return Err("a sighting of nothing".into());
    }
    if let Some(note) = outcome.notes.iter().find(|note| !plain(note, SENTENCE)) {
        return Err(format!("a note of {} bytes, or with control characters", note.len()));
    }
    outcome.findings.iter().try_for_each(finding)?;
    match &outcome.exploration {
        Some(explored) => exploration(explored),
        None => Ok(()),
    }
}

/// Why a finding of another machine is not taken.
pub(crate) fn finding(found: &Found) -> Result<(), String> {
    if !is_short(&found.fingerprint) {
        return Err(format!("the fingerprint {:?}", found.fingerprint));
    }
    if !Class::all().any(|class| class.word() == found.class) {
        return Err(format!("the class {:?}", found.class));
    }
    let sentences = [&found.title, &found.about, &found.version, &found.logic];
    if let Some(text) = sentences.into_iter().chain(&found.newest).find(|text| !plain(text, SENTENCE)) {
        return Err(format!("a text of {} bytes, or with control characters", text.len()));
    }
    if found.count > 1 << 50 || found.assertions > 1 << 32 || found.micros > 1 << 50 {
        return Err("a number that is too large".into());
    }
    for (name, text) in &found.files {
        match FILES.iter().find(|(known, _)| known == name) {
            Some((_, longest)) if text.len() <= *longest => {}
            Some(_) => return Err(format!("{name} of {} bytes", text.len())),
            None => return Err(format!("a file {name:?}")),
        }
    }
    Ok(())
}

/// The largest file of an exploration.
const EXPLORATION_FILE: usize = 8 << 20;

fn exploration(explored: &crate::work::Explored) -> Result<(), String> {
    let total: usize = explored.files.values().map(String::len).sum();
    if explored.summary.len() > EXPLORATION_FILE
        || explored.files.len() > MANY
        || total > 8 * EXPLORATION_FILE
    {
        return Err(format!("an exploration of {} files with {total} bytes", explored.files.len()));
    }
    match explored.files.keys().find(|name| !is_relative(name)) {
        Some(name) => Err(format!("a file {name:?}")),
        None => Ok(()),
    }
}

/// A relative path of plain names.
pub(crate) fn is_relative(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= NAME
        && !name.contains(['\\', '\0'])
        && name.split('/').all(|part| !part.is_empty() && part != "." && part != ".." && plain(part, NAME))
}

/// Options of solvers that read or write files of their user's, by parts of their names.
const TOUCHING: &[&str] =
    &["file", "dump", "log", "output", "out=", "trace", "plugin", "proof-", "load", "import", "include"];

/// Why a worker does not run a plan. A name that the table of solvers has is fine, with options that name no file; everything
/// else is a command line, which only those run who were started with `--allow-commands`.
pub fn plan(plan: &Plan, allow_commands: bool) -> Result<(), String> {
    if plan.lanes.len() > MANY || !(0.0..=86_400.0).contains(&plan.test_time) || plan.memory > 1 << 24 {
        return Err("a plan out of all proportion".into());
    }
    let mut specs: Vec<&str> = plan.references.iter().map(String::as_str).collect();
    for lane in &plan.lanes {
        if !is_short(&lane.key) || !lane.share.is_finite() {
            return Err(format!("the lane {:?}", lane.key));
        }
        match &lane.work {
            Work::Fuzz { spec, settings, .. } => {
                specs.push(spec);
                if let StrategySettings::Evolve { reference, .. } = settings {
                    specs.push(reference);
                }
            }
            Work::Explore { exploring, .. } => {
                if let Some(flag) = exploring.flags.iter().find(|flag| !allow_commands && !is_flag(flag)) {
                    return Err(format!("the compiler's option {flag:?} needs --allow-commands"));
                }
            }
        }
    }
    match specs.into_iter().find(|spec| !allow_commands && !is_named(spec)) {
        Some(spec) => Err(format!(
            "{spec:?} is a command line; this worker runs solvers by name only (--allow-commands)"
        )),
        None => Ok(()),
    }
}

/// Options of a compiler that change what is computed and read or run nothing.
fn is_flag(flag: &str) -> bool {
    let rest = |prefix: &str| flag.strip_prefix(prefix);
    let word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_=-".contains(&byte));
    rest("-O").or_else(|| rest("-D")).or_else(|| rest("-W")).or_else(|| rest("-std=")).is_some_and(word)
        && !["-Wl,", "-Wp,", "-Wa,"].iter().any(|passed_on| flag.starts_with(passed_on))
}

/// Whether a SPEC names a solver of the table, with options that touch no file.
pub(crate) fn is_named(spec: &str) -> bool {
    let mut words = spec.split_whitespace();
    let Some(program) = words.next() else { return false };
    let (name, version) = program.split_once('@').unwrap_or((program, ""));
    let word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let safe = |option: &str| {
        option.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-=:,+".contains(&byte))
            && !TOUCHING.iter().any(|part| option.to_ascii_lowercase().contains(part))
            && !option.contains("..")
            && (option.starts_with('-') || option.contains('='))
    };
    (table::by_name(name).is_some() || name == "soundline") && word(version) && words.all(safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn solvers_by_name_and_nothing_else() {
        for spec in
            ["z3", "z3@4.8.10", "z3@4.8.10 smt.string_solver=z3str3", "cvc5 --strings-exp", "cvc5 --tlimit=5"]
        {
            assert!(is_named(spec), "{spec}");
        }
        for spec in [
            "",
            "/bin/sh",
            "sh -c ls",
            "../z3",
            "z3 /etc/passwd",
            "z3 -o:x {file}",
            "z3@../../x",
            "z3;ls",
            "cvc5 --dump-to=x",
            "z3 trace_file_name=x",
            "z3 'a b'",
            "cvc5 ..",
            "z3 script.smt2",
            "z3@4.8.10 $(ls)",
        ] {
            assert!(!is_named(spec), "{spec}");
        }
        for flag in ["-O1", "-DNDEBUG", "-DN=3", "-Wall", "-std=c11"] {
            assert!(is_flag(flag), "{flag}");
        }
        for flag in ["-Wl,-T,x", "-fplugin=x", "-I/etc", "-include", "/etc/passwd", "-DX=$(ls)", "-o"] {
            assert!(!is_flag(flag), "{flag}");
        }
    }

    #[test]
    fn hostile_outcomes_are_refused() {
        let good = Found {
            class: "soundness".into(),
            fingerprint: "0123abcd".into(),
            files: BTreeMap::from([("reduced.smt2".to_string(), "(check-sat)".to_string())]),
            ..Found::default()
        };
        assert_eq!(finding(&good), Ok(()));
        for bad in [
            Found { fingerprint: "../../etc".into(), ..good.clone() },
            Found { fingerprint: "0123ABCD".into(), ..good.clone() },
            Found { class: "<script>".into(), ..good.clone() },
            Found { about: "\u{1b}[2J".into(), ..good.clone() },
            Found { files: BTreeMap::from([("../x".to_string(), String::new())]), ..good.clone() },
            Found { files: BTreeMap::from([("repro.sh".to_string(), "x".repeat(70_000))]), ..good.clone() },
            Found { count: u64::MAX, ..good.clone() },
        ] {
            assert!(finding(&bad).is_err(), "{bad:?}");
        }
        for name in ["/etc/passwd", "a/../b", "", "a//b", "a\\b", "./a"] {
            assert!(!is_relative(name), "{name}");
        }
        assert!(is_relative("tests/000001.json"));
    }
}
