//! What is explored: a program on some machine, behind the one trait that the search, the reports and replays know.
//!
//! [`Target`] is the seam between machines and everything that is not about a machine. A machine runs an input twice over: on
//! values alone, fast, for what it covers ([`Trail`]) and the way it takes; and on terms, for its path condition. Both name
//! the program's instructions by dense [`Site`]s, the same in both, and [`Sites`] says where these are in the source.
//! Nothing above this seam knows instructions, memory or a file format; nothing below it knows of queries and strategies.

mod input;
mod path;
mod run;
mod site;

pub use input::{Input, Object, ObjectKind, Objects, Origin, Scalar, Symbols};
pub(crate) use path::negate;
pub use path::{PathEntry, PathKind};
pub use run::{Compared, Ending, Failure, Fault, Note, Run, RunLimits};
pub use site::{Line, Site, Sites, StackFrame};

use crate::coverage::{Coverage, Trail};
use crate::report::Subject;
use crate::search::{Crash, Test};
use serde_json::{Map, Value as Json};
use smt::Terms;
use std::io;

/// A program on a machine, ready to be run as often as one likes, from several threads at the same time.
///
/// What holds for every implementation, and what the search relies on:
///
/// - A run depends on its input alone. What an [`Input`] does not say is zero.
/// - Both domains take the same way: they make the same [`Route`](crate::route::Route) steps in the same order, one for each
///   conditional branch and each switch, symbolic or not. An entry of a path carries the route up to it.
/// - The conditions of a path hold under the run's input, by the evaluator, and any input that satisfies all of them takes the
///   same path.
/// - Sites and [`Sites`] are fixed when the program is loaded.
pub trait Target: Sync + std::fmt::Debug {
    /// Runs on values alone, and says what was executed.
    fn run_concrete(&self, input: &Input, limits: &RunLimits) -> (Run, Trail);

    /// Runs on terms of the arena, and gives the path condition. Parts of the input become symbols by [`Symbols`]. A run ends
    /// (unfinished) soon after its path has more entries than the limits allow.
    fn run_concolic(
        &self,
        input: &Input,
        terms: &mut Terms,
        symbols: &mut Symbols,
        limits: &RunLimits,
    ) -> (Run, Vec<PathEntry>);

    /// Where the sites are.
    fn sites(&self) -> &Sites;

    /// Texts that the program may be waiting for, such as keywords among its constants.
    fn words(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// The number that stands for a site in stored tests. It is the same whenever the same program is loaded again.
    fn address(&self, site: Site) -> u64;

    /// A stack in words, innermost call first.
    fn frames(&self, stack: &[Site]) -> Vec<StackFrame>;

    /// The name of the function that a site is in.
    fn function(&self, site: Site) -> String;

    /// The language of the source, and the function that is run, for the exchange format of tests.
    fn language(&self) -> (&'static str, String);

    /// What a summary says about the program's surroundings: enough to load it again for a replay.
    fn describe(&self) -> Map<String, Json>;

    /// Files beside a kept test, below the output folder: tests in the language of the source, where somebody wants them.
    fn test_files(&self, _number: usize, _test: &Test) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Coverage in the formats of the language's own tools, by name below `coverage/`.
    fn coverage_files(&self, _coverage: &Coverage) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The files that repeat a crash without this project, such as a program in the language of the source, by name.
    fn regression(&self, _: Subject<'_>, _: &Crash, _: &Test) -> io::Result<Vec<(&'static str, String)>> {
        Ok(Vec::new())
    }
}
