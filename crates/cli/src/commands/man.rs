//! `soundline man`: the manual pages, one a command, from the same definitions as the help.

use crate::input::say;
use crate::{Failure, Outcome};
use output::Folder;
use std::path::PathBuf;

/// Write the manual pages to a folder, one a command.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The folder: a new one, or one of an earlier time
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) -> Result<Outcome, Failure> {
    let (folder, _) = Folder::open(&arguments.folder, "man", false)?;
    command.build();
    let mut waiting = vec![(String::from("soundline"), command)];
    let mut pages = 0;
    while let Some((name, command)) = waiting.pop() {
        let mut page = Vec::new();
        // Names of commands live as long as the program; there are some dozens.
        let written =
            clap_mangen::Man::new(command.clone().name(&*String::leak(name.clone()))).render(&mut page);
        written.map_err(|error| Failure::Internal(error.to_string()))?;
        folder.write(&format!("{name}.1"), page).map_err(|error| Failure::Internal(error.to_string()))?;
        pages += 1;
        let below = command.get_subcommands().filter(|sub| sub.get_name() != "help");
        waiting.extend(below.map(|sub| (format!("{name}-{}", sub.get_name()), sub.clone())));
    }
    say!("{pages} pages in {}", arguments.folder.display());
    Ok(Outcome::Clean)
}
