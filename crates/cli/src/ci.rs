//! What `--ci` adds to `fuzz` and `explore`: a budget by tests, and the formats that continuous integration reads.

use crate::Failure;
use campaign::{ci, import};
use output::Folder;
use std::path::Path;

/// The budget of a run that names none.
pub(crate) const TESTS: u64 = 2000;

/// Writes `junit.xml` and `results.sarif` into the output folder of a command that has ended.
pub(crate) fn write(out: &Path, command: &str) -> Result<(), Failure> {
    let store = import::open(out)?;
    let (folder, _) = Folder::open(out, command, false)?;
    folder.write("junit.xml", ci::junit(&store)?)?;
    folder.write("results.sarif", ci::sarif(&store)?)?;
    Ok(())
}
