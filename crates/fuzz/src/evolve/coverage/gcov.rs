//! gcov, the paper's own source: a solver built with `--coverage` writes `.gcda` files when it exits, and `gcov
//! --json-format` turns them into counts of lines. Exact, and slow; a run that is ended at its limit writes nothing.

use super::{Coverage, Output, RowCount, Source, Unavailable};
use crate::evolve::trace::hash;
use process::{Command, Limits};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What gcov may use for 200 files of counts; its documents are long.
fn limits() -> Limits {
    Limits { output: 1 << 30, ..Limits::with_cpu(Duration::from_secs(600)) }
}

/// Collects `.gcda` files in a folder.
#[derive(Debug)]
pub struct Gcov {
    folder: PathBuf,
}

impl Gcov {
    /// Runs leave their counts in this folder, which is emptied before each; each worker needs one of its own.
    pub fn new(folder: PathBuf) -> Gcov {
        Gcov { folder }
    }
}

impl Source for Gcov {
    fn environment(&self) -> Vec<(String, String)> {
        vec![("GCOV_PREFIX".into(), self.folder.display().to_string())]
    }

    fn clear(&mut self) -> Result<(), Unavailable> {
        if self.folder.exists() {
            std::fs::remove_dir_all(&self.folder).map_err(|error| self.failed("empty", &error))?;
        }
        std::fs::create_dir_all(&self.folder).map_err(|error| self.failed("make", &error))
    }

    fn collect(&mut self, _: Output) -> Result<Coverage, Unavailable> {
        let data = data_files(&self.folder).map_err(|error| self.failed("read", &error))?;
        for file in &data {
            self.link_notes(file)?;
        }
        let mut rows = Vec::new();
        // Command lines have a limit; solvers have thousands of files.
        for some in data.chunks(200) {
            let run = Command::new("gcov")
                .arguments(["--json-format", "--stdout"])
                .arguments(some)
                .folder(&self.folder)
                .run(b"", &limits(), &AtomicBool::new(false))
                .map_err(|error| Unavailable(error.to_string()))?;
            for document in run.stdout.lines() {
                read_document(document, &mut rows);
            }
        }
        Ok(Coverage::new(rows))
    }
}

impl Gcov {
    fn failed(&self, what: &str, error: &std::io::Error) -> Unavailable {
        Unavailable(format!("cannot {what} {}: {error}", self.folder.display()))
    }

    /// gcov wants the notes of the compiler beside the counts: with a prefix the counts of `/build/a.gcda` are in
    /// `FOLDER/build/a.gcda`, and the notes still in `/build/a.gcno`.
    fn link_notes(&self, data: &Path) -> Result<(), Unavailable> {
        let Ok(inner) = data.strip_prefix(&self.folder) else { return Ok(()) };
        let notes = Path::new("/").join(inner).with_extension("gcno");
        let link = data.with_extension("gcno");
        if notes.exists() && !link.exists() {
            std::os::unix::fs::symlink(&notes, &link).map_err(|error| self.failed("write to", &error))?;
        }
        Ok(())
    }
}

/// All `.gcda` files below a folder, in order.
fn data_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|e| e == "gcda") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Adds the executed lines of one of gcov's documents.
fn read_document(text: &str, rows: &mut Vec<RowCount>) {
    let Ok(document) = serde_json::from_str::<serde_json::Value>(text) else { return };
    let list = |value: &serde_json::Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    for file in list(&document, "files") {
        let name = hash(file["file"].as_str().unwrap_or("").as_bytes());
        for line in list(&file, "lines") {
            if let (Some(row), Some(count)) = (line["line_number"].as_u64(), line["count"].as_u64()) {
                rows.push(RowCount { file: name, row, count });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const PROGRAM: &str = "int main(int argc, char **argv) {\n  int sum = 0;\n  for (int i = 0; i < 42; i++)\n    \
                           sum += i;\n  if (argc > 1)\n    sum = 0;\n  return sum == 1;\n}\n";

    #[test]
    fn lines_of_a_real_program() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("program.c"), PROGRAM).unwrap();
        let build =
            |arguments: &[&str]| Command::new("gcc").current_dir(folder.path()).args(arguments).output();
        let Ok(output) = build(&["--coverage", "-O0", "program.c", "-o", "program"]) else {
            testkit::missing("gcc");
            return;
        };
        assert!(output.status.success());
        if Command::new("gcov").arg("--version").output().is_err() {
            testkit::missing("gcov");
            return;
        }
        let mut source = Gcov::new(folder.path().join("counts"));
        let mut run = |arguments: &[&str]| {
            source.clear().unwrap();
            let mut command = Command::new(folder.path().join("program"));
            assert!(command.args(arguments).envs(source.environment()).status().unwrap().success());
            source.collect(Output::default()).unwrap()
        };
        let (less, more) = (run(&[]), run(&["x"]));
        let count =
            |coverage: &Coverage, line| coverage.rows().iter().find(|r| r.row == line).map(|r| r.count);
        assert_eq!(count(&less, 4), Some(42));
        assert_eq!((count(&less, 6), count(&more, 6)), (None, Some(1)));
        assert_eq!(more.lines(), less.lines() + 1);
    }

    #[test]
    fn what_is_no_document_is_no_row() {
        let mut rows = Vec::new();
        for text in
            ["", "{", "{\"files\": 3}", "{\"files\":[{\"lines\":[{\"line_number\":-1,\"count\":2}]}]}"]
        {
            read_document(text, &mut rows);
        }
        assert!(rows.is_empty());
        read_document(
            "{\"files\":[{\"file\":\"a.c\",\"lines\":[{\"line_number\":7,\"count\":2}]}]}",
            &mut rows,
        );
        assert_eq!(rows, [RowCount { file: hash(b"a.c"), row: 7, count: 2 }]);
    }
}
