//! Findings: confirmed defects, one a fingerprint, each a folder that a maintainer can use. Owns what a finding consists
//! of; `folder` writes it down, `report` words it.

mod contrast;
mod diagnosis;
mod fingerprint;
mod folder;
mod report;

pub(crate) use diagnosis::diagnosis;
pub use fingerprint::Fingerprint;
pub(crate) use fingerprint::operators;
pub use folder::Folders;
pub(crate) use report::{report, repro};

use crate::evidence::Confirmed;

/// A confirmed defect and what is known of where it came from.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What makes it one finding.
    pub fingerprint: Fingerprint,
    /// The defect, as seen in the last fresh run of the smallest script.
    pub confirmed: Confirmed,
    /// The script as it was sent when the defect was first seen.
    pub bug: String,
    /// The smallest script that still shows it, as it is sent.
    pub reduced: String,
    /// Assertions in the reduced script.
    pub assertions: usize,
    /// What the test was made by: a construction's name, or the seed's file.
    pub origin: String,
    /// The seed as it was sent, where there was one.
    pub seed: Option<String>,
    /// The mutations that are needed, where there was a seed.
    pub mutations: Vec<Replacement>,
    /// The solver as the user named it, its version, and its command line.
    pub solver: SolverInfo,
    /// How the newest release that is at hand answers the reduced script, in words.
    pub newest: Option<String>,
    /// What else is known, a line each: flipping options, releases, the formula in words, how sure it is.
    pub diagnosis: Vec<String>,
    /// What the reduction cost, in runs of the solver.
    pub reduction_tests: u64,
}

/// A literal of a seed that was replaced, in words.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Replacement {
    /// By which rule.
    pub rule: String,
    /// As it stands in the seed.
    pub before: String,
    /// What stands there instead.
    pub after: String,
}

/// Which solver it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverInfo {
    /// As the user named it.
    pub name: String,
    /// What it says its version is.
    pub version: String,
    /// The command that is run.
    pub command: Vec<String>,
}

/// A text about where things came from without the folders of this machine: of words that are paths from a root or a folder that is
/// not named, the last part stays.
pub(crate) fn without_folders(text: &str) -> String {
    let plain = |word: &str| {
        let local = ["/", "./", "../", "~/"].iter().any(|start| word.starts_with(start));
        if local { word.rsplit('/').next().unwrap_or_default().to_string() } else { word.to_string() }
    };
    text.split(' ').map(plain).collect::<Vec<_>>().join(" ")
}

impl SolverInfo {
    /// The program and its release, for titles: "z3 4.8.0".
    pub(crate) fn title(&self) -> String {
        let program = SolverInfo::program_of(&self.name);
        let program = program.split('@').next().unwrap_or(program);
        format!("{program} {}", self.version)
    }

    /// The command line as it would be typed elsewhere: the program by its name alone.
    pub(crate) fn plain_command(&self) -> Vec<String> {
        let mut words = self.command.clone();
        if let Some(program) = words.first_mut() {
            *program = program.rsplit('/').next().unwrap_or_default().to_string();
        }
        words
    }

    /// The program of a SPEC, without its folder and its options.
    pub(crate) fn program_of(spec: &str) -> &str {
        let program = spec.split(' ').next().unwrap_or_default();
        program.rsplit('/').next().unwrap_or(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_names_a_folder_of_this_machine() {
        let rows = [
            ("./my-solver {file}", "my-solver {file}"),
            ("/opt/z3/bin/z3 -in", "z3 -in"),
            ("approx: /home/me/seeds/a.smt2, and/or", "approx: a.smt2, and/or"),
            ("z3@4.8.0 opt=a/b", "z3@4.8.0 opt=a/b"),
        ];
        for (text, plain) in rows {
            assert_eq!(without_folders(text), plain);
        }
    }
}
