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
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// A folder of raw standard inputs, which AFL++ and libFuzzer read. It is shared with them: what is there stays.
#[derive(Debug)]
pub struct Corpus {
    folder: PathBuf,
}

impl Corpus {
    /// Opens a folder, or makes it, and finds out whether it can be written.
    pub fn open(folder: &Path) -> Result<Corpus, output::Error> {
        std::fs::create_dir_all(folder).map_err(|error| output::Error::io(folder, error))?;
        let corpus = Corpus { folder: folder.to_path_buf() };
        output::probe(&corpus.place(1))?;
        Ok(corpus)
    }

    fn place(&self, number: usize) -> PathBuf {
        self.folder.join(format!("soundline-{number:06}"))
    }

    /// Adds the inputs of the tests that cover something new. An input that an earlier exploration wrote is not written again, and
    /// none takes the place of another.
    pub fn add(&self, found: &Exploration) -> Result<(), output::Error> {
        let mut number = 1;
        let mut known = BTreeSet::new();
        while let Ok(bytes) = std::fs::read(self.place(number)) {
            known.insert(bytes);
            number += 1;
        }
        for test in found.tests.iter().filter(|test| test.fresh.anything) {
            let Some(stdin) = test.run.objects.iter().find(|object| object.name == "stdin") else { continue };
            if known.insert(stdin.bytes.to_vec()) {
                while self.place(number).symlink_metadata().is_ok() {
                    number += 1;
                }
                output::write_whole(&self.place(number), &stdin.bytes)?;
            }
        }
        Ok(())
    }
}

/// A document as our files have it.
fn to_text(document: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(document).expect("text, numbers and lists of them") + "\n"
}

/// Text for HTML and XML.
fn escape(text: &str) -> String {
    output::quote::html(text)
}
