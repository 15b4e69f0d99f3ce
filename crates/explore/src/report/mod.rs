//! What comes out of an exploration, as files.
//!
//! ```text
//! DIR/program.wasm             what was explored
//! DIR/tests/000001.json        one file a test: input, origin, ending, path, what it covered
//! DIR/crashes/001/             report.txt, and regression.c where the program is C
//! DIR/index.html               the exploration as one page
//! DIR/coverage/lcov.info       coverage for other tools; coverage/index.html for people
//! DIR/test-suite/              the tests in the exchange format of Test-Comp
//! DIR/queries/000001.smt2      the queries, if they were kept
//! DIR/summary.json             counts, settings, coverage over time
//! DIR/soundline.json           the marker of our folders, with the list soundline.files (crate `output`)
//! ```

mod covering;
mod crash;
mod html;
mod lcov;
mod page;
mod suite;
mod summary;
pub mod test;
mod writer;

pub(crate) use crash::c_regression;
pub use crash::{details, folded};
pub use summary::{StoredExploration, Summary, document};
pub use writer::{Earlier, Writer};

use crate::search::{Exploration, SearchSettings};
use crate::target::Target;
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
    pub settings: &'a SearchSettings,
}

/// Writes everything that an exploration found to a new folder.
pub fn write(folder: &Path, subject: Subject<'_>, found: &Exploration) -> Result<(), output::Error> {
    Writer::begin(Earlier::open(folder, true)?, subject)?.finish(found)
}

/// Writes the standard inputs of the tests that cover something new to a folder, as raw files: what AFL++ and libFuzzer read.
pub fn write_corpus(folder: &Path, found: &Exploration) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, test) in found.tests.iter().enumerate() {
        let stdin = test.run.objects.iter().find(|object| object.name == "stdin");
        if let Some(stdin) = stdin.filter(|_| test.fresh.anything) {
            std::fs::write(folder.join(format!("soundline-{:06}", number + 1)), &stdin.bytes)?;
        }
    }
    Ok(())
}

/// A document as our files have it.
fn to_text(document: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(document).expect("text, numbers and lists of them") + "\n"
}

/// Text for HTML and XML.
fn escape(text: &str) -> String {
    output::quote::html(text)
}
