//! The documents that `--json` prints, one type a document: these types are the formats. `docs/json.md` promises their fields to users, and a
//! test compares the two. Fields are added over time; none is renamed or removed.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::Path;

/// Any command that cannot do its work.
#[derive(Serialize)]
pub(crate) struct Failed<'a> {
    pub(crate) error: FailedBecause<'a>,
}

/// Why it cannot.
#[derive(Serialize)]
pub(crate) struct FailedBecause<'a> {
    /// `usage`, `input` or `internal`.
    pub(crate) kind: &'static str,
    /// What `soundline explain` knows it by.
    pub(crate) code: String,
    pub(crate) exit_code: u8,
    pub(crate) message: &'a str,
    /// The mistakes in a text of the user's.
    pub(crate) places: Vec<Place<'a>>,
}

/// A mistake in a text, with the file that it is in.
#[derive(Serialize)]
pub(crate) struct Place<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: &'a str,
}

/// `soundline check`.
#[derive(Serialize)]
pub(crate) struct Checked {
    pub(crate) files: Vec<CheckedFile>,
    /// How many files have errors.
    pub(crate) faulty: usize,
    /// How many errors there are in all files.
    pub(crate) errors: usize,
}

/// What is in a script.
#[derive(Serialize)]
pub(crate) struct CheckedFile {
    pub(crate) file: String,
    pub(crate) ok: bool,
    pub(crate) logic: Option<String>,
    pub(crate) theories: Vec<&'static str>,
    /// How often each command stands in the script.
    pub(crate) commands: BTreeMap<&'static str, u64>,
    /// How many functions the script declares or defines.
    pub(crate) functions: u64,
    /// How many subterms have each sort.
    pub(crate) sorts: BTreeMap<String, u64>,
    /// How many subterms apply each operator.
    pub(crate) operators: BTreeMap<&'static str, u64>,
    /// Subterms, shared ones counted once.
    pub(crate) dag_size: usize,
    /// Subterms, shared ones counted as often as they occur; at most 2^64 - 1.
    pub(crate) tree_size: u64,
    pub(crate) errors: Vec<Mistake>,
}

/// An error at a place in a file.
#[derive(Serialize)]
pub(crate) struct Mistake {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// What `soundline explain` takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    pub(crate) message: String,
}

/// `soundline eval`.
#[derive(Serialize)]
pub(crate) struct Evaluated {
    pub(crate) assertions: Vec<EvaluatedAssertion>,
    #[serde(rename = "true")]
    pub(crate) holds: usize,
    #[serde(rename = "false")]
    pub(crate) fails: usize,
    pub(crate) undefined: usize,
}

/// An assertion under the model.
#[derive(Serialize)]
pub(crate) struct EvaluatedAssertion {
    pub(crate) term: String,
    /// `true`, `false` or `undefined`.
    pub(crate) value: &'static str,
    /// Why the value is undefined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// For assertions that are not true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) because: Option<Blame>,
}

/// The innermost subterm to blame.
#[derive(Serialize)]
pub(crate) struct Blame {
    pub(crate) term: String,
    pub(crate) value: String,
    pub(crate) arguments: Vec<Valued>,
}

/// A term and its value.
#[derive(Serialize)]
pub(crate) struct Valued {
    pub(crate) term: String,
    pub(crate) value: String,
}

/// `soundline solve`.
#[derive(Serialize)]
pub(crate) struct Solved<'a> {
    pub(crate) engine: &'a str,
    pub(crate) seed: u64,
    /// `done` or `interrupted`.
    pub(crate) stop_reason: &'static str,
    pub(crate) files: &'a [SolvedFile],
}

/// The answers to one script.
#[derive(Serialize, Default)]
pub(crate) struct SolvedFile {
    pub(crate) file: String,
    pub(crate) checks: Vec<SolvedCheck>,
    /// Answers to commands that were refused, as SMT-LIB writes them: `(error "...")`.
    pub(crate) errors: Vec<String>,
    /// What the engines counted; missing after an internal failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) statistics: Option<Counters>,
    /// Only there, and true, if an engine failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) internal_failure: bool,
}

/// The answer to one `check-sat`.
#[derive(Serialize)]
pub(crate) struct SolvedCheck {
    /// Counts from one.
    pub(crate) check: usize,
    pub(crate) verdict: &'static str,
    pub(crate) seconds: f64,
    /// The engine that answered.
    pub(crate) engine: &'static str,
    pub(crate) conjuncts: usize,
    /// How many partial solutions were recorded.
    pub(crate) partials: usize,
    pub(crate) counters: Counters,
    /// Why the verdict is `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'static str>,
    /// What the script's `:status` promised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<String>,
    /// As SMT-LIB prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
}

/// Counters by name, in the order in which they are given.
#[derive(Default)]
pub(crate) struct Counters(pub(crate) Vec<(&'static str, u64)>);

impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// A line of the file of `soundline solve --partials`.
#[derive(Serialize)]
pub(crate) struct PartialLine<'a> {
    /// Constants and their values as SMT-LIB writes them.
    #[serde(serialize_with = "pairs")]
    pub(crate) values: Vec<(String, String)>,
    /// How many conjuncts it satisfies, of how many.
    pub(crate) holds: usize,
    pub(crate) total: usize,
    /// The first conjunct that it does not satisfy, from 0.
    pub(crate) first_false: Option<usize>,
    pub(crate) engine: &'static str,
    /// The engine's count of steps when it was there.
    pub(crate) step: u64,
    pub(crate) check: usize,
    pub(crate) file: &'a str,
}

fn pairs<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// `soundline solver list`.
#[derive(Serialize)]
pub(crate) struct SolverList<'a> {
    /// The folder with the releases.
    pub(crate) store: &'a Path,
    pub(crate) releases: Vec<StoredRelease<'a>>,
    pub(crate) search_path: Vec<FoundSolver<'a>>,
}

/// A release in the store.
#[derive(Serialize)]
pub(crate) struct StoredRelease<'a> {
    /// What `--solver` takes.
    pub(crate) spec: String,
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    pub(crate) folder: &'a Path,
    pub(crate) command: &'a [String],
}

/// A known solver on the search path.
#[derive(Serialize)]
pub(crate) struct FoundSolver<'a> {
    pub(crate) program: &'a str,
    pub(crate) version: &'a str,
    pub(crate) command: Vec<String>,
}

/// `soundline bisect`.
#[derive(Serialize)]
pub(crate) struct Bisected<'a> {
    pub(crate) solver: &'a str,
    /// For each query `sat`, `unsat`, or null where it is not known.
    pub(crate) expected: Vec<Option<&'static str>>,
    /// Who says so.
    pub(crate) expected_from: &'a str,
    pub(crate) first_wrong: Option<&'a str>,
    pub(crate) right_again: Option<&'a str>,
    pub(crate) changes: Vec<Change<'a>>,
    pub(crate) tested: Vec<TestedRelease<'a>>,
    /// Releases between equal neighbours.
    pub(crate) not_run: usize,
    pub(crate) stop_reason: &'static str,
}

/// Two neighbours that are judged differently.
#[derive(Serialize)]
pub(crate) struct Change<'a> {
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
}

/// A release that was run.
#[derive(Serialize)]
pub(crate) struct TestedRelease<'a> {
    pub(crate) version: &'a str,
    /// `right`, `wrong` or `open`.
    pub(crate) judgement: &'static str,
    pub(crate) reason: Option<&'a str>,
}

/// `soundline reduce` where the solver does nothing wrong: both are null.
#[derive(Serialize)]
pub(crate) struct NothingWrong {
    pub(crate) class: Option<&'static str>,
    pub(crate) reduced: Option<&'static str>,
}

/// `soundline reduce`.
#[derive(Serialize)]
pub(crate) struct Reduced<'a> {
    pub(crate) class: &'static str,
    pub(crate) title: &'static str,
    pub(crate) detail: &'a str,
    /// The text of the reduced script.
    pub(crate) reduced: &'a str,
    /// Where it was written; null with `--out -`.
    pub(crate) path: Option<&'a Path>,
    pub(crate) bytes_before: usize,
    pub(crate) bytes_after: usize,
    pub(crate) assertions: usize,
    /// How often the solver was run.
    pub(crate) tests: u64,
    pub(crate) seconds: f64,
}

/// `soundline race`.
#[derive(Serialize)]
pub(crate) struct Raced<'a> {
    pub(crate) stop_reason: &'static str,
    pub(crate) solvers: Vec<Racer<'a>>,
    pub(crate) disagreements: Vec<Contradiction<'a>>,
    pub(crate) runs: Vec<RaceRun<'a>>,
}

/// A solver's sums; times in seconds.
#[derive(Serialize)]
pub(crate) struct Racer<'a> {
    pub(crate) solver: &'a str,
    pub(crate) version: &'a str,
    pub(crate) command: Vec<String>,
    pub(crate) run: usize,
    pub(crate) solved: usize,
    pub(crate) sat: usize,
    pub(crate) unsat: usize,
    pub(crate) timeouts: usize,
    pub(crate) unsupported: usize,
    pub(crate) errors: usize,
    pub(crate) wrong: usize,
    pub(crate) time: f64,
    pub(crate) par2: f64,
}

/// A query on which solvers, or a solver and the status, disagree.
#[derive(Serialize)]
pub(crate) struct Contradiction<'a> {
    pub(crate) script: &'a str,
    /// Counts from one.
    pub(crate) query: usize,
    pub(crate) status: Option<&'static str>,
    pub(crate) sat: Vec<&'a str>,
    pub(crate) unsat: Vec<&'a str>,
}

/// One solver on one script; times in seconds, memory in bytes.
#[derive(Serialize)]
pub(crate) struct RaceRun<'a> {
    pub(crate) script: &'a str,
    pub(crate) solver: &'a str,
    pub(crate) verdicts: Vec<&'static str>,
    pub(crate) solved: bool,
    pub(crate) wrong: bool,
    pub(crate) trouble: Option<String>,
    pub(crate) cpu: f64,
    pub(crate) wall: f64,
    pub(crate) memory: u64,
}

/// `soundline fuzz`, but for `evolve`.
#[derive(Serialize)]
pub(crate) struct Fuzzed<'a> {
    pub(crate) strategy: &'static str,
    pub(crate) tests: u64,
    pub(crate) seed: u64,
    pub(crate) findings: Vec<fuzz::run::Entry>,
    /// Findings of the classes that never fail a run.
    pub(crate) observations: Vec<fuzz::run::Entry>,
    pub(crate) stop_reason: &'static str,
    pub(crate) seconds: f64,
    pub(crate) tests_per_second: f64,
    pub(crate) counters: &'a fuzz::run::Counters,
    pub(crate) solver: NamedSolver<'a>,
    pub(crate) references: Vec<NamedSolver<'a>>,
    /// Why the run tested next to nothing; null if it did test.
    pub(crate) health: Option<&'a str>,
    pub(crate) notes: &'a [String],
    /// Reports that a project's maintainers can be expected to read in a week.
    pub(crate) reports_a_week: usize,
}

/// A solver that took part.
#[derive(Serialize)]
pub(crate) struct NamedSolver<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    pub(crate) command: Vec<String>,
}

impl<'a> From<&'a fuzz::solver::Solver> for NamedSolver<'a> {
    fn from(solver: &'a fuzz::solver::Solver) -> NamedSolver<'a> {
        NamedSolver { name: &solver.name, version: &solver.version, command: solver.command_line() }
    }
}

/// `soundline coverage build`.
#[derive(Serialize)]
pub(crate) struct CoverageBuilt {
    /// What `--solver` takes; null with `--configure-only`.
    pub(crate) spec: Option<String>,
    /// How many counters the program has, as a run of it showed; 0 with `--configure-only`.
    pub(crate) counters: usize,
}

/// `soundline report`.
#[derive(Serialize)]
pub(crate) struct ReportWritten<'a> {
    pub(crate) files: usize,
    pub(crate) index: &'a Path,
}

/// `soundline campaign check`.
#[derive(Serialize)]
pub(crate) struct CampaignChecked<'a> {
    pub(crate) file: &'a Path,
    pub(crate) errors: Vec<Mistake>,
    /// How many lanes the file makes, if it has no errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lanes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) store: Option<&'a Path>,
}

/// `soundline campaign run`.
#[derive(Serialize)]
pub(crate) struct CampaignRan<'a> {
    pub(crate) campaign: &'a str,
    pub(crate) seed: u64,
    pub(crate) store: &'a Path,
    pub(crate) stop_reason: &'static str,
    pub(crate) items: u64,
    pub(crate) tests: u64,
    pub(crate) new_findings: u64,
    /// Crashes of explored programs.
    pub(crate) program_crashes: u64,
    /// Lanes that cannot be done here, and why.
    pub(crate) broken: &'a [String],
    pub(crate) seconds: f64,
}

/// `soundline campaign status`.
#[derive(Serialize)]
pub(crate) struct CampaignStatus<'a> {
    pub(crate) campaign: Option<&'a str>,
    pub(crate) seed: Option<u64>,
    pub(crate) stop_reason: Option<&'a str>,
    pub(crate) counters: &'a BTreeMap<String, u64>,
    pub(crate) findings: usize,
    pub(crate) observations: usize,
    pub(crate) lanes: Vec<LaneStatus<'a>>,
    pub(crate) workers: Vec<WorkerStatus<'a>>,
    /// The file of the store.
    pub(crate) store: &'a Path,
}

/// How far a lane is.
#[derive(Serialize)]
pub(crate) struct LaneStatus<'a> {
    pub(crate) strategy: &'a str,
    /// The solver or the program.
    pub(crate) subject: &'a str,
    pub(crate) active: bool,
    pub(crate) share: f64,
    /// How many there are, if they end.
    pub(crate) batches: Option<u64>,
    pub(crate) batches_done: u64,
    pub(crate) tests: u64,
    pub(crate) seconds: f64,
}

/// What a worker did.
#[derive(Serialize)]
pub(crate) struct WorkerStatus<'a> {
    pub(crate) name: &'a str,
    /// Seconds since 1970.
    pub(crate) seen: i64,
    pub(crate) items: u64,
    pub(crate) tests: u64,
}

/// `soundline campaign findings`.
#[derive(Serialize)]
pub(crate) struct FindingList<'a> {
    pub(crate) findings: Vec<ListedFinding<'a>>,
}

/// A finding of a campaign; times in seconds since 1970.
#[derive(Serialize)]
pub(crate) struct ListedFinding<'a> {
    pub(crate) class: &'a str,
    pub(crate) title: &'a str,
    pub(crate) fingerprint: &'a str,
    /// What the fingerprint is made of.
    pub(crate) about: &'a str,
    pub(crate) count: u64,
    /// Where `campaign export` writes it.
    pub(crate) path: String,
    pub(crate) target: &'a str,
    pub(crate) version: &'a str,
    pub(crate) logic: &'a str,
    pub(crate) assertions: u64,
    pub(crate) first_seen: i64,
    pub(crate) last_seen: i64,
    pub(crate) state: &'static str,
    pub(crate) url: Option<&'a str>,
    pub(crate) release: Option<&'a str>,
    pub(crate) newest_release: Option<&'a str>,
    pub(crate) strategy: &'a str,
    /// False for observations, which never fail a run.
    pub(crate) finding: bool,
}

/// `soundline replay`.
#[derive(Serialize)]
pub(crate) struct Replays {
    pub(crate) tests: usize,
    pub(crate) crashes: usize,
    pub(crate) divergences: usize,
    pub(crate) branches_covered: usize,
    pub(crate) branches: usize,
    pub(crate) lines_covered: usize,
    pub(crate) lines: usize,
    pub(crate) results: Vec<Replayed>,
    /// With `--native`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) native: Option<NativeReplays>,
}

/// One test, run again.
#[derive(Serialize)]
pub(crate) struct Replayed {
    pub(crate) test: String,
    pub(crate) ending: String,
    pub(crate) crashed: bool,
    /// How it differs from the stored run.
    pub(crate) divergence: Option<String>,
    /// With `--native`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) native: Option<NativeReplay>,
}

/// The natively compiled program on one test.
#[derive(Serialize)]
pub(crate) struct NativeReplay {
    pub(crate) ending: String,
    pub(crate) crashed: bool,
    /// How it differs from the run on the virtual machine.
    pub(crate) difference: Option<String>,
}

/// The natively compiled program on all tests.
#[derive(Serialize)]
pub(crate) struct NativeReplays {
    pub(crate) sanitizers: &'static str,
    pub(crate) crashes: usize,
    pub(crate) differences: usize,
}
