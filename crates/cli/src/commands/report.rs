//! `soundline report`: the page as static files.

use super::campaign::store_of;
use crate::input::{print_json, say};
use crate::{Failure, Outcome};
use ::campaign::store::Store;
use ::campaign::{import, site};
use std::path::{Path, PathBuf};

/// Write the page of a campaign, or of an output folder of fuzz or explore, as static files.
///
/// The files work from a file system and from any web server, and ask no foreign host for anything.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// A campaign file, a store, or an output folder
    #[arg(value_name = "DIR|FILE", default_value = "campaign.toml")]
    path: PathBuf,
    /// The site's folder: new, empty, or one that an earlier report wrote
    #[arg(long, value_name = "SITE", default_value = "site")]
    out: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What a path leads to, as a store.
pub(super) fn open(path: &Path) -> Result<Store, Failure> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        store_of(path)
    } else {
        Ok(import::open(path)?)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let store = open(&arguments.path)?;
    let files = site::write(&store, &arguments.out)?;
    let index = arguments.out.join("index.html");
    if arguments.json {
        print_json(&crate::documents::ReportWritten { files, index: &index });
    } else {
        say!("wrote {files} files; open {}", index.display());
    }
    Ok(Outcome::Clean)
}
