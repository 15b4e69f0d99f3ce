//! Reduction: hierarchical delta debugging of SMT-LIB scripts. A script that shows something is made smaller and simpler
//! as long as a test says that it still shows it.
//!
//! The test is all that is known of the outside: a closure over a script and its arena. It decides what is kept (a wrong
//! answer, a crash at the same place, a slow run), in which dialect the script is printed and which solver is asked. No
//! solver is started here.
//!
//! A pass lists edits that are independent of each other; the search (`search.rs`) tries all of them at once and then
//! halves, several candidates at a time, with the outcome of one worker. The passes of the table `PASSES` run in rounds
//! until a whole round changes nothing: the result is 1-minimal with respect to them. Every candidate is sort-checked by
//! construction, read back from its text, lighter than what it replaces (`weight.rs`), and never tested twice.
//!
//! Hierarchical delta debugging is Misherghi and Su's ("HDD", ICSE 2006); many passes have counterparts in ddSMT (Kremer,
//! Niemetz and Preiner, "ddSMT 2.0", CAV 2021), which works on trees where this works on shared terms.

mod binders;
mod commands;
mod constants;
mod ddmin;
mod search;
mod sorts;
mod subterms;
mod symbols;
#[cfg(test)]
mod tests;
mod translate;
mod weight;

pub use ddmin::minimize;

use crate::StopReason;
use search::Search;
use smt::{Script, Terms};
use std::fmt;
use std::sync::atomic::AtomicBool;

/// What a reduction may cost.
#[derive(Clone, Debug)]
pub struct ReduceSettings {
    /// How many candidates are tested at the same time. The result is the same for every number.
    pub jobs: usize,
    /// How many tests a search in order may use.
    pub max_tests: u64,
}

impl Default for ReduceSettings {
    fn default() -> Self {
        ReduceSettings { jobs: 1, max_tests: 100_000 }
    }
}

/// Where a reduction stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReduceProgress {
    /// The round, from zero.
    pub round: usize,
    /// The pass that is running.
    pub pass: &'static str,
    /// Tests so far.
    pub tests: u64,
    /// Commands of the smallest script so far.
    pub commands: usize,
    /// Distinct nodes of its terms.
    pub nodes: usize,
    /// The length of its text.
    pub bytes: usize,
}

/// What one pass of one round did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepReport {
    /// The round, from zero.
    pub round: usize,
    /// The name of the pass at work.
    pub pass: &'static str,
    /// The tests it used.
    pub tests: u64,
    /// How many candidates were taken.
    pub accepted: u64,
    /// The length of the text before and after.
    pub bytes: (usize, usize),
}

/// The outcome of a reduction.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The arena of the script.
    pub terms: Terms,
    /// The smallest script that passed the test.
    pub script: Script,
    /// How many tests were used; those of candidates that were tried ahead and dropped are not counted.
    pub tests: u64,
    /// What each pass did, where it did anything.
    pub steps: Vec<StepReport>,
    /// Why it ended.
    pub stop: StopReason,
}

/// The test fails on the script that was to be reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotReproduced;

impl fmt::Display for NotReproduced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the script does not pass the test even before anything is removed")
    }
}

impl std::error::Error for NotReproduced {}

/// One way to make a script simpler.
struct Pass {
    name: &'static str,
    /// Whether early rounds leave small parts of long lists for later.
    coarse: bool,
    run: fn(&mut Search<'_>),
}

/// All passes in the order in which a round runs them: what removes most first, what only makes reading easier last.
static PASSES: &[Pass] = &[
    Pass { name: "assertions", coarse: false, run: commands::assertions },
    Pass { name: "scopes", coarse: false, run: commands::scopes },
    Pass { name: "queries", coarse: false, run: commands::queries },
    Pass { name: "unused", coarse: false, run: commands::unused },
    Pass { name: "annotations", coarse: false, run: binders::annotations },
    Pass { name: "inline", coarse: false, run: symbols::inline },
    Pass { name: "split", coarse: false, run: commands::split },
    Pass { name: "split-assertions", coarse: false, run: commands::assertions },
    Pass { name: "lists", coarse: true, run: commands::lists },
    Pass { name: "subterms", coarse: true, run: subterms::everywhere },
    Pass { name: "instantiate", coarse: true, run: binders::instantiate },
    Pass { name: "eliminate", coarse: false, run: symbols::eliminate },
    Pass { name: "merge", coarse: true, run: symbols::merge },
    Pass { name: "parameters", coarse: true, run: symbols::parameters },
    Pass { name: "sorts", coarse: false, run: sorts::narrow },
    Pass { name: "literals", coarse: true, run: subterms::literals },
    Pass { name: "occurrences", coarse: true, run: subterms::occurrences },
    Pass { name: "leftovers", coarse: false, run: commands::unused },
    Pass { name: "options", coarse: false, run: commands::options },
    Pass { name: "names", coarse: false, run: symbols::names },
];

/// Makes a script as small as the test allows. The test is run on the script itself first; it must be deterministic, and
/// it is called from several threads. Once `stop` is set no result of the test is used, and the best script so far is given.
pub fn reduce(
    terms: Terms,
    script: Script,
    test: &(dyn Fn(&Terms, &Script) -> bool + Sync),
    settings: &ReduceSettings,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&ReduceProgress),
) -> Result<Reduced, NotReproduced> {
    let mut search = Search::new(terms, script, test, settings, stop, progress);
    if !search.reproduces() {
        return Err(NotReproduced);
    }
    let mut steps = Vec::new();
    while search.may_go_on() {
        let before = search.weight.clone();
        search.unfinished = false;
        for pass in PASSES {
            steps.extend(run(&mut search, pass));
        }
        if search.weight == before && !search.unfinished {
            break;
        }
        search.round += 1;
    }
    let stop = search.stopped.unwrap_or(StopReason::Exhausted);
    Ok(Reduced { terms: search.terms, script: search.script, tests: search.tests, steps, stop })
}

fn run(search: &mut Search<'_>, pass: &Pass) -> Option<StepReport> {
    let (tests, accepted, bytes) = (search.tests, search.accepted, search.weight.bytes);
    (search.pass, search.coarse) = (pass.name, pass.coarse);
    (pass.run)(search);
    (search.tests > tests).then(|| StepReport {
        round: search.round,
        pass: pass.name,
        tests: search.tests - tests,
        accepted: search.accepted - accepted,
        bytes: (bytes, search.weight.bytes),
    })
}
