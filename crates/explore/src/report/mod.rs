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

pub use crash::{c_regression, describe, details, folded};
pub use summary::{document, limits_from, options_from, setup_from, source_from};
pub use writer::{Earlier, Writer};

use crate::search::{Exploration, Settings};
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
    pub settings: &'a Settings,
}

/// Writes everything that an exploration found to a new folder.
pub fn write(folder: &Path, subject: Subject<'_>, found: &Exploration) -> Result<(), output::Error> {
    Writer::begin(Earlier::open(folder, true)?, subject)?.finish(found)
}

/// Text for HTML and XML.
fn escape(text: &str) -> String {
    output::quote::html(text)
}
