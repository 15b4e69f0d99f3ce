//! Real files: every script of the project's corpus is read, sort-checked, printed and read back to the same terms, and so is a large
//! collection of real benchmarks where it stands beside the project.

use smt::print::{Style, script_to_string};
use smt::{Terms, read_bytes, read_script};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files that use extensions outside the standard: path below the corpus, tab, reason.
static EXTENSIONS: &str = include_str!("corpus_extensions.tsv");

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            found.push(path);
        }
    }
}

/// What is wrong with a file, if anything.
fn fault(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).unwrap();
    let mut terms = Terms::new();
    let reading = read_bytes(&mut terms, &bytes);
    if let Some(error) = reading.errors.first() {
        return Some(error.render(&path.display().to_string(), &String::from_utf8_lossy(&bytes)));
    }
    let text = script_to_string(&terms, &reading.script, Style::default());
    let again = read_script(&mut terms, &text);
    if let Some(error) = again.errors.first() {
        return Some(format!("printed text is not read back\n{}", error.render("printed", &text)));
    }
    (again.script.commands != reading.script.commands)
        .then(|| "printed text is read back as other terms".into())
}

#[test]
fn our_corpus_is_read_and_printed_back() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"), &mut found);
    assert!(found.len() >= 350, "only {} files", found.len());
    let wrong: Vec<String> = found.iter().filter_map(|path| fault(path)).collect();
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), found.len(), wrong.join("\n"));
}

#[test]
fn real_benchmarks_are_read_and_printed_back() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !corpus.is_dir() {
        println!("skipped: no corpus at {}", corpus.display());
        return;
    }
    let mut found = Vec::new();
    files(&corpus, &mut found);
    let known: HashMap<&str, &str> = EXTENSIONS.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut wrong = Vec::new();
    let mut surprising = Vec::new();
    for path in &found {
        let name = path.strip_prefix(&corpus).unwrap().display().to_string();
        match (fault(path), known.contains_key(&*name)) {
            (Some(message), false) => wrong.push(format!("{name}\n{message}")),
            (None, true) => surprising.push(name),
            _ => {}
        }
    }
    assert!(found.len() > 3000, "only {} files", found.len());
    assert!(surprising.is_empty(), "on the list of known faults but read without one: {surprising:#?}");
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), found.len(), wrong.join("\n"));
}
