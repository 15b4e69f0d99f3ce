//! Where inputs come from besides solutions: a table of sources, each switched on by `--partials`.
//!
//! An input that satisfies some of the conditions of a path is a partial solution, wherever it comes from. Zhang et al. 2020 take
//! them from what engines pass through on their way (`engine`); the others are ours. A source that needs no solver makes variants of
//! inputs that did something unusual: it implements [`Variants`] in a file of its own and has a row in [`VARIANTS`].

mod graft;
mod mutate;
mod sweep;

pub(super) use graft::{Group, Groups};

use super::order::Making;
use super::partial_runner::PartialRunner;
use crate::target::{Compared, Object};

/// A source of inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The first input.
    Seed,
    /// Solutions of queries.
    Solve,
    /// What engines pass through while they solve.
    Engine,
    /// A short search around an input that almost takes another way.
    Look,
    /// What other inputs say about the symbols of a condition.
    Graft,
    /// All values of the bytes of an unusual input.
    Sweep,
    /// Solutions of a part of a path condition.
    Parts,
    /// Random changes of unusual inputs.
    Mutate,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct SourceRow {
    /// Which source the row describes.
    pub source: Source,
    /// Its name after `--partials` and in summaries.
    pub name: &'static str,
    /// What it does, for `--help`.
    pub help: &'static str,
    /// Whether it can be switched on and off.
    pub optional: bool,
}

const fn row(source: Source, name: &'static str, help: &'static str, optional: bool) -> SourceRow {
    SourceRow { source, name, help, optional }
}

/// The table of sources, in the order of statistics.
pub static SOURCES: &[SourceRow] = &[
    row(Source::Seed, "seed", "the first input", false),
    row(Source::Solve, "solve", "solutions of queries", false),
    row(Source::Engine, "engine", "every assignment that an engine passes through while it solves", true),
    row(Source::Look, "look", "a short search around an input before its query is solved", true),
    row(
        Source::Graft,
        "graft",
        "parts of one input in another, where conditions are on the same symbols",
        true,
    ),
    row(Source::Sweep, "sweep", "all values of each byte of an unusual input", true),
    row(Source::Parts, "parts", "path conditions asked a few conditions at a time", true),
    row(
        Source::Mutate,
        "mutation",
        "random changes, other inputs' parts, words and compared operands in unusual inputs",
        true,
    ),
];

impl Source {
    /// The name in `--partials`, statistics and tests.
    pub fn name(self) -> &'static str {
        SOURCES.iter().find(|row| row.source == self).map_or("", |row| row.name)
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of sources that can be switched on and off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sources(u32);

impl Sources {
    /// Solutions only.
    pub const NONE: Sources = Sources(0);

    /// All of the table.
    pub fn all() -> Sources {
        Sources(SOURCES.iter().filter(|row| row.optional).fold(0, |all, row| all | row.source.bit()))
    }

    /// The set with this source alone.
    pub fn only(source: Source) -> Sources {
        Sources(source.bit())
    }

    /// The sources of a list of names with commas; `none` and `all` are lists too. The error is the name that is unknown.
    pub fn parse(text: &str) -> Result<Sources, String> {
        match text {
            "none" => return Ok(Sources::NONE),
            "all" => return Ok(Sources::all()),
            _ => {}
        }
        text.split(',').try_fold(Sources::NONE, |set, name| {
            let row = SOURCES.iter().find(|row| row.optional && row.name == name);
            row.map(|row| Sources(set.0 | row.source.bit())).ok_or_else(|| name.to_string())
        })
    }

    /// Whether a source is switched on.
    pub fn has(self, source: Source) -> bool {
        self.0 & source.bit() != 0
    }

    /// Whether any is.
    pub fn any(self) -> bool {
        self != Sources::NONE
    }

    /// Whether some source has turns of its own in strategies. Without, engines are the only source, and every distinct partial
    /// solution is an input, as Zhang et al. 2020, Algorithm 1, have it.
    pub(super) fn needs_turns(self) -> bool {
        [Source::Look, Source::Graft, Source::Sweep, Source::Mutate]
            .into_iter()
            .any(|source| self.has(source))
    }

    /// All sets, for tests.
    #[cfg(test)]
    pub(super) fn every() -> impl Iterator<Item = Sources> {
        let all = Sources::all().0;
        (0..=all).filter(move |set| set & !all == 0).map(Sources)
    }
}

impl std::fmt::Display for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Sources::NONE => f.write_str("none"),
            all if all == Sources::all() => f.write_str("all"),
            some => {
                let names: Vec<&str> =
                    SOURCES.iter().filter(|row| some.has(row.source)).map(|row| row.name).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

/// An input that did something unusual.
pub(super) struct News<'a> {
    /// Its place among the inputs that were run.
    pub(super) input: usize,
    /// What the conditions of its path are about, with fingerprints of what it says about it.
    pub(super) groups: &'a Groups,
    /// Whether it reached new code.
    pub(super) fresh: bool,
    /// Texts that its run compared and found different.
    pub(super) compared: &'a [Compared],
    /// The objects that its run asked for.
    pub(super) objects: &'a [Object],
}

/// A source that makes variants of inputs.
pub(super) trait Variants: Send {
    /// Hears of an input that did something unusual.
    fn note(&mut self, news: &News<'_>);
    /// The next input to vary, and how.
    fn next(&mut self) -> Option<(usize, Box<dyn Vary>)>;
    /// Varying an input cost so much, and so many of its variants were run for the first time.
    fn charge(&mut self, input: usize, ticks: u64, runs: usize);
}

/// How an input is varied: runs the variants one after the other.
pub(super) trait Vary: Send + std::fmt::Debug {
    /// Runs them.
    fn run(&self, partial_runner: &mut PartialRunner<'_>);
}

/// A source of variants, and how it is made.
pub(super) struct VariantsRow {
    pub(super) source: Source,
    pub(super) make: fn(&Making) -> Box<dyn Variants>,
}

/// All of them.
pub(super) static VARIANTS: &[VariantsRow] = &[
    VariantsRow { source: Source::Sweep, make: |making| Box::new(sweep::Sweeps::new(&making.tuning)) },
    VariantsRow { source: Source::Graft, make: |making| Box::new(graft::Grafts::new(&making.tuning)) },
    VariantsRow { source: Source::Mutate, make: |making| Box::new(mutate::Mutations::new(making)) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_as_they_are_printed() {
        for sources in Sources::every() {
            assert_eq!(Sources::parse(&sources.to_string()), Ok(sources));
        }
        assert_eq!(Sources::parse("engine,graft").map(|set| set.has(Source::Look)), Ok(false));
        assert_eq!(Sources::parse("engine,seed"), Err("seed".to_string()), "it cannot be switched");
        assert_eq!(Sources::parse(""), Err(String::new()));
    }
}
