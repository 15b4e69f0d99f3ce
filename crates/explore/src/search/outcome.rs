//! What comes out of an exploration: tests, crashes, counters, coverage over time.

use super::source::Source;
use super::tally::Counters;
use super::tree::Tree;
use crate::coverage::{Coverage, Fresh};
use crate::target::{Ending, Note, Run, Site, StackFrame, Target};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Why an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Every path was run.
    Explored,
    /// There is nothing left to try, but not every path was run: queries stayed open, or there were too many ways.
    Exhausted,
    /// The time is up.
    Time,
    /// There are as many tests as wanted.
    Tests,
    /// An interrupt came.
    Interrupted,
}

impl StopReason {
    /// The reason in a word.
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Explored => "explored",
            StopReason::Exhausted => "exhausted",
            StopReason::Time => "time",
            StopReason::Tests => "tests",
            StopReason::Interrupted => "interrupted",
        }
    }
}

/// Where a test's input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestOrigin {
    /// The first input.
    Seed,
    /// The solution of a query.
    Solution,
    /// A partial solution: its source, and the engine that passed through it.
    Partial(Source, &'static str),
}

impl TestOrigin {
    /// The origin in a word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            TestOrigin::Seed => "seed",
            TestOrigin::Solution => "solution",
            TestOrigin::Partial(..) => "partial",
        }
    }

    /// The source of inputs that it belongs to.
    pub(crate) fn source(self) -> Source {
        match self {
            TestOrigin::Seed => Source::Seed,
            TestOrigin::Solution => Source::Solve,
            TestOrigin::Partial(source, _) => source,
        }
    }
}

/// One path that was run.
#[derive(Clone, Debug)]
pub struct Test {
    /// Where its input comes from.
    pub origin: TestOrigin,
    /// What the run did.
    pub run: Run,
    /// The decisions that it came to, and how they went.
    pub path: Vec<(Site, bool)>,
    /// What it was the first to cover.
    pub fresh: Fresh,
    /// When it was found.
    pub time: Duration,
    /// Its crash among [`Exploration::crashes`].
    pub crash: Option<usize>,
}

/// A way in which the program fails.
#[derive(Clone, Debug)]
pub struct Crash {
    /// How.
    pub ending: Ending,
    /// Where, innermost first.
    pub stack: Vec<Site>,
    /// What is known of it beside.
    pub notes: Vec<Note>,
    /// The first test that failed so.
    pub test: usize,
    /// How many did.
    pub count: usize,
    /// What tells it from others.
    pub(crate) identity: CrashIdentity,
}

/// What makes two crashes of one program the same: their kind, the line of the innermost call of the program under test, and the functions that
/// it was called from. What recursion repeats counts once, so that an error in a recursive parser is one crash at every depth.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct CrashIdentity {
    kind: String,
    place: String,
    callers: Vec<String>,
}

impl CrashIdentity {
    /// How many calls are looked at: recursion may be as deep as the stack allows.
    const DEPTH: usize = 256;
    /// How many functions around the innermost one tell crashes apart.
    const CALLERS: usize = 2;

    pub(crate) fn of(target: &dyn Target, ending: Ending, stack: &[Site]) -> CrashIdentity {
        let sites = target.sites();
        let known = sites.own(stack);
        let frames = target.frames(&known[..known.len().min(CrashIdentity::DEPTH)]);
        let is_own = |frame: &&StackFrame| frame.line.as_ref().is_some_and(|line| sites.has_file(&line.file));
        let own: Vec<&StackFrame> = frames.iter().filter(is_own).collect();
        let frames = if own.is_empty() { frames.iter().collect() } else { own };
        let kind = ending.to_string();
        // At which call endless recursion runs out of stack, and an endless loop is cut off, is a matter of chance.
        if known.len() >= CrashIdentity::DEPTH {
            let first = frames.iter().map(|frame| &frame.function).min();
            return CrashIdentity { kind, place: first.cloned().unwrap_or_default(), callers: Vec::new() };
        }
        let place = frames.first().map(|frame| match ending {
            Ending::Hang => frame.function.clone(),
            _ => frame.to_string(),
        });
        let mut path: Vec<&str> = Vec::new();
        for frame in frames.iter().rev() {
            if let Some(before) = path.iter().position(|known| *known == frame.function) {
                path.truncate(before);
            }
            path.push(&frame.function);
        }
        let callers =
            path.iter().rev().skip(1).take(CrashIdentity::CALLERS).map(ToString::to_string).collect();
        CrashIdentity { kind, place: place.unwrap_or_default(), callers }
    }
}

impl Exploration {
    /// Takes a crash back that turned out to be none.
    pub(crate) fn dismiss(&mut self, number: usize) {
        self.crashes.remove(number);
        for test in &mut self.tests {
            test.crash = match test.crash {
                Some(crash) if crash == number => None,
                Some(crash) if crash > number => Some(crash - 1),
                other => other,
            };
        }
    }
}

/// A point of the curve of coverage over time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// Since the start.
    pub time: Duration,
    /// Tests so far.
    pub tests: usize,
    /// Branches covered.
    pub branches: usize,
    /// Lines covered.
    pub lines: usize,
    /// The source of the input that covered something.
    pub source: Source,
}

/// What an exploration has found so far.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// How far it is.
    pub moment: Moment,
    /// The tests; those that were there before stay where they are.
    pub tests: &'a [Test],
    /// The crashes; their counts grow.
    pub crashes: &'a [Crash],
    /// What was covered.
    pub coverage: &'a Coverage,
    /// Coverage over time.
    pub timeline: &'a [Moment],
    /// What was counted.
    pub counters: &'a Counters,
    /// The queries as SMT-LIB scripts, if they are kept.
    pub queries: &'a [String],
}

/// What an exploration found.
#[derive(Debug)]
pub struct Exploration {
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The tests that were kept, in the order in which they were found.
    pub tests: Vec<Test>,
    /// Crashes, those at the same place counted once.
    pub crashes: Vec<Crash>,
    /// What was covered.
    pub coverage: Coverage,
    /// The decisions that runs came to.
    pub tree: Tree,
    /// Coverage over time.
    pub timeline: Vec<Moment>,
    /// What was counted.
    pub counters: Counters,
    /// What the engines counted.
    pub solver_counters: Vec<(&'static str, u64)>,
    /// The queries as SMT-LIB scripts, if they were kept.
    pub queries: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

impl Exploration {
    /// What was found, as it is seen while an exploration goes on.
    pub(crate) fn progress(&self) -> Progress<'_> {
        let (tests, branches) = (self.tests.len(), self.coverage.branches().0);
        let source = self.timeline.last().map_or(Source::Seed, |last| last.source);
        let moment = Moment { time: self.time, tests, branches, lines: self.coverage.lines().len(), source };
        Progress {
            moment,
            tests: &self.tests,
            crashes: &self.crashes,
            coverage: &self.coverage,
            timeline: &self.timeline,
            counters: &self.counters,
            queries: &self.queries,
        }
    }
}
