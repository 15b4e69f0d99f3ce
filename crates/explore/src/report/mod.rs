//! What comes out of an exploration, as files.
//!
//! ```text
//! DIR/program.wasm             what was explored
//! DIR/tests/000001.json        one file a test: input, origin, ending, path, what it covered
//! DIR/crashes/001/             report.txt, and regression.c where the program is C
//! DIR/coverage/lcov.info       coverage for other tools; coverage/index.html for people
//! DIR/test-suite/              the tests in the exchange format of Test-Comp
//! DIR/queries/000001.smt2      the queries, if they were kept
//! DIR/summary.json             counts, settings, coverage over time
//! ```

mod crash;
mod html;
mod lcov;
mod suite;
mod summary;
pub mod test;

pub use crash::{describe, write_c_regression};
pub use summary::{document, limits_from, options_from, setup_from, source_from};

use crate::search::{Exploration, Settings};
use crate::target::Target;
use serde_json::Value as Json;
use std::fs;
use std::io;
use std::path::Path;

/// What was explored, and how.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The file that the user named.
    pub file: &'a Path,
    /// The options that it was compiled with.
    pub flags: &'a [String],
    /// What is kept of the program beside its tests, by file name, so that it can be loaded again.
    pub artefacts: &'a [(&'a str, &'a [u8])],
    /// The program on its machine.
    pub target: &'a dyn Target,
    /// How it was explored.
    pub settings: &'a Settings,
}

/// Folders that are written anew.
const FOLDERS: &[&str] = &["tests", "crashes", "coverage", "test-suite", "queries"];

/// Writes everything to a folder; what an earlier exploration left there is replaced.
pub fn write(folder: &Path, subject: Subject<'_>, found: &Exploration) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for name in FOLDERS {
        match fs::remove_dir_all(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    for (name, bytes) in subject.artefacts {
        fs::write(folder.join(name), bytes)?;
    }
    let tests = folder.join("tests");
    fs::create_dir_all(&tests)?;
    for (i, found) in found.tests.iter().enumerate() {
        write_json(&tests.join(format!("{:06}.json", i + 1)), &test::to_json(subject.target, found))?;
    }
    crash::write(&folder.join("crashes"), subject, found)?;
    let coverage = folder.join("coverage");
    fs::create_dir_all(&coverage)?;
    fs::write(coverage.join("lcov.info"), lcov::text(subject.target.sites(), &found.coverage))?;
    fs::write(coverage.join("index.html"), html::page(subject, &found.coverage))?;
    suite::write(&folder.join("test-suite"), subject, found)?;
    if subject.settings.keep_queries {
        let queries = folder.join("queries");
        fs::create_dir_all(&queries)?;
        for (i, query) in found.queries.iter().enumerate() {
            fs::write(queries.join(format!("{:06}.smt2", i + 1)), query)?;
        }
    }
    write_json(&folder.join("summary.json"), &document(subject, found))
}

fn write_json(file: &Path, document: &Json) -> io::Result<()> {
    fs::write(file, format!("{document:#}\n"))
}

/// Text for HTML and XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
