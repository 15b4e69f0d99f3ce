//! `soundline fuzz all`.

use super::{Common, OptionsLevel};
use crate::{Failure, Outcome};
use fuzz::all::{All, AllSettings};
use fuzz::options::Level;
use fuzz::run::Trust;
use fuzz::truth::grow::themes::{THEMES, Theme};
use std::path::PathBuf;

/// Do everything, in shares that are learned.
///
/// Formulas of known truth over all theories, all small formulas, mutants and fusions of seeds (grown ones, or yours with --seeds),
/// each in one of many contexts (after a push, under assumptions, inside a definition or a quantifier ...) and, in half of the
/// tests, with one or two options of the solver away from the default. What leads to behaviour that was not seen before is done
/// more often.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Seed files; a folder stands for all .smt2 files below it; may be repeated. Old bug reports are the best
    #[arg(long, value_name = "DIR")]
    seeds: Vec<PathBuf>,
    /// Only formulas of these themes (comma separated): bv-moves, polynomials, languages ...; a wrong name lists all
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = theme)]
    themes: Vec<&'static Theme>,
}

fn theme(name: &str) -> Result<&'static Theme, String> {
    let names = || THEMES.iter().map(|theme| theme.name).collect::<Vec<_>>().join(", ");
    Theme::by_name(name).ok_or_else(|| format!("the themes are {}", names()))
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let common = &arguments.common;
    let seeds = common.seeds(&arguments.seeds, false)?;
    let level = common.options.map_or(Level::Safe, OptionsLevel::level);
    let themes = arguments.themes.clone();
    let settings = AllSettings { seeds, contexts: common.chosen_contexts()?, themes, level, learns: true };
    let solvers = common.solvers()?;
    let strategy = All::new(&solvers.target, settings);
    common.run_with(&strategy, &solvers, "", Trust::Target, None)
}
