//! What solvers can be set to without changing the truth: one or two options away from the default a solver takes another way to
//! the same verdict, and is wrong there more often.
//!
//! Owns the choice of a setting and its form: options are commands at the head of the script, so that a finding's script shows
//! which it needs and reduction drops the others. [`table`] has the options. Whether a release knows a row is found by asking it,
//! not by its version.

pub mod table;

use crate::case::Verdict;
use crate::solver::answer;
use crate::solver::{Limits, Solver, SolverError};
use random::Rng;
use smt::{Command, Script, Span, Terms};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Area, OptionRow, TABLE, concerns};

/// Which options may be set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Level {
    /// None: the defaults.
    None,
    /// Documented ones that the solver's maintainers support.
    #[default]
    Safe,
    /// Also those that are marked as experimental, or known to be less well kept.
    Experimental,
}

/// Options and their values, in the order of the table; empty for the defaults.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Setting(pub Vec<(&'static str, &'static str)>);

impl Setting {
    /// For people: `smt.bv.solver=2`, or `defaults`.
    pub(crate) fn words(&self) -> String {
        if self.0.is_empty() {
            return "defaults".into();
        }
        self.0.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// Puts the options at the head of a script, and simplifiers behind its logic.
    pub(crate) fn put(&self, terms: &mut Terms, script: &mut Script) {
        for (name, value) in &self.0 {
            let (at, command) = if *name == SIMPLIFIER {
                let is_head = |c: &Command| matches!(c, Command::SetLogic(_) | Command::SetOption(..));
                let after = script.commands.iter().rposition(is_head).map_or(0, |last| last + 1);
                (after, Command::Other(terms.symbol(&command(name, value))))
            } else {
                (0, Command::SetOption(terms.symbol(&format!(":{name}")), terms.symbol(value)))
            };
            script.commands.insert(at, command);
            script.spans.insert(at, Span::default());
        }
    }

    /// Whether a part of it is looked at only where there is one query and no scope: Z3 has another solver for the rest, which
    /// knows no tactics.
    pub(crate) fn is_for_one_query(&self) -> bool {
        self.0.iter().any(|(name, _)| *name == TACTIC)
    }
}

/// The row of the table that is a command of its own.
const SIMPLIFIER: &str = "set-simplifier";
/// The row that says what is done with a single query.
const TACTIC: &str = "tactic.default_tactic";

/// The simplifier or tactic that a script chooses, in words. What goes wrong only with one of these is its defect, whatever formula
/// shows it.
pub(crate) fn step_in(terms: &Terms, script: &Script) -> Option<String> {
    script.commands.iter().find_map(|command| match command {
        Command::Other(text) if is_simplifier(terms.name(*text)) => Some(terms.name(*text).to_string()),
        Command::SetOption(keyword, value) if terms.name(*keyword).strip_prefix(':') == Some(TACTIC) => {
            Some(format!("{TACTIC}={}", terms.name(*value)))
        }
        _ => None,
    })
}

/// The options of the solver's own that a script sets, in words. Those of the standard change no verdict.
pub(crate) fn set_in(terms: &Terms, script: &Script) -> Vec<String> {
    let own = |keyword: &str| TABLE.iter().any(|row| keyword.strip_prefix(':') == Some(row.name));
    let words = |command: &Command| match command {
        Command::SetOption(keyword, value) if own(terms.name(*keyword)) => {
            Some(format!("{}={}", terms.name(*keyword).trim_start_matches(':'), terms.name(*value)))
        }
        _ => None,
    };
    script.commands.iter().filter_map(words).filter(|set| !set.starts_with("produce-")).collect()
}

/// Whether a text sets what is looked at only for a single query.
pub(crate) fn needs_one_query(text: &str) -> bool {
    text.contains("(set-option :tactic.default_tactic ")
}

/// The command that sets an option.
pub(crate) fn command(name: &str, value: &str) -> String {
    if name == SIMPLIFIER { format!("({name} {value})") } else { format!("(set-option :{name} {value})") }
}

/// Whether a command chooses simplifiers.
pub(crate) fn is_simplifier(text: &str) -> bool {
    text.starts_with("(set-simplifier ")
}

/// The options of one solver.
#[derive(Debug)]
pub struct Choice {
    solver: Solver,
    level: Level,
    rows: Vec<&'static OptionRow>,
    /// Which rows and values the solver takes, as far as it was asked.
    known: Mutex<BTreeMap<(&'static str, &'static str), bool>>,
}

impl Choice {
    /// The options of a solver up to a level. Programs that the table does not know have none.
    pub fn new(solver: &Solver, level: Level) -> Choice {
        let family = solver.family();
        let rows = TABLE
            .iter()
            .filter(|row| row.solver == family && row.level <= level && level != Level::None)
            .collect();
        Choice { solver: solver.clone(), level, rows, known: Mutex::new(BTreeMap::new()) }
    }

    /// Every value of every row, each a setting of its own.
    pub(crate) fn singles(&self) -> Vec<Setting> {
        let of = |row: &&'static OptionRow| row.values.iter().map(|value| Setting(vec![(row.name, *value)]));
        self.rows.iter().flat_map(of).collect()
    }

    /// Which of [`Choice::singles`] are about something that a formula is about, in their order.
    pub(crate) fn concerning(&self, areas: &[Area]) -> Vec<bool> {
        let of = |row: &&'static OptionRow| row.values.iter().map(|value| concerns(row.name, value, areas));
        self.rows.iter().flat_map(of).collect()
    }

    /// The share of each of [`Choice::singles`], in their order.
    pub(crate) fn shares(&self) -> Vec<u32> {
        self.rows.iter().flat_map(|row| row.values.iter().map(|_| row.share)).collect()
    }

    /// One or two options; the defaults if there are none.
    pub(crate) fn pick(&self, rng: &mut Rng) -> Setting {
        let mut chosen: Vec<(&'static str, &'static str)> = Vec::new();
        for _ in 0..1 + usize::from(rng.one_in(3)) {
            let Some(row) = rng.choose(&self.rows) else { break };
            if chosen.iter().all(|(name, _)| *name != row.name) {
                chosen.push((row.name, rng.pick(row.values)));
            }
        }
        chosen.sort_unstable();
        Setting(chosen)
    }

    /// The part of a setting that the solver takes, found by asking it once for each option.
    pub(crate) fn usable(&self, setting: &Setting) -> Result<Setting, SolverError> {
        let mut kept = Vec::new();
        for &(name, value) in &setting.0 {
            let known = self.lock().get(&(name, value)).copied();
            let takes = match known {
                Some(takes) => takes,
                None => {
                    let takes = takes(&self.solver, name, value)?
                        && (self.level == Level::Experimental || !is_for_experts(&self.solver, name, value)?);
                    self.lock().insert((name, value), takes);
                    takes
                }
            };
            if takes {
                kept.push((name, value));
            }
        }
        Ok(Setting(kept))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(&'static str, &'static str), bool>> {
        self.known.lock().expect("the lock is never poisoned")
    }
}

/// Whether a solver solves a simple script with an option. A release that does not know an option says so, or dies of it.
fn takes(solver: &Solver, name: &str, value: &str) -> Result<bool, SolverError> {
    let (logic, set) = ("(set-logic QF_BV)", command(name, value));
    let head = if name == SIMPLIFIER { format!("{logic}\n{set}") } else { format!("{set}\n{logic}") };
    let script = format!("{head}\n(declare-fun x () (_ BitVec 2))\n(assert (bvult x #b10))\n(check-sat)\n");
    let limits = Limits { output: 64 << 10, ..Limits::with_cpu(Duration::from_secs(3)) };
    let run = solver.run(&script, &limits, &AtomicBool::new(false))?;
    let read = answer::read(&run);
    Ok(read.trouble.is_none() && read.replies.first().is_some_and(|reply| reply.verdict == Verdict::Sat))
}

/// How solvers word that an option is not ready, in lower case.
const NOT_READY: [&str; 4] = ["preliminary", "not ready", "experimental", "for debugging"];

/// Whether the solver itself says that an option is not for everybody: Z3 in the option's description, cvc5 by refusing it in its
/// stable mode. A release that does not know these questions says nothing, and the table's level stands.
fn is_for_experts(solver: &Solver, name: &str, value: &str) -> Result<bool, SolverError> {
    match solver.family() {
        "z3" if name == SIMPLIFIER => Ok(false),
        "z3" => {
            let told = solver.about_option(name)?.to_lowercase();
            let told = told.split_once("description:").map_or("", |(_, rest)| rest);
            Ok(NOT_READY.iter().any(|word| told.contains(word)))
        }
        "cvc5" => {
            let script = |option: &str| {
                format!("(set-option :safe-mode stable)\n{option}(set-logic QF_BV)\n(check-sat)\n")
            };
            let accepts = |text: String| -> Result<bool, SolverError> {
                let limits = Limits { output: 64 << 10, ..Limits::with_cpu(Duration::from_secs(3)) };
                let run = solver.run(&text, &limits, &AtomicBool::new(false))?;
                Ok(answer::read(&run).trouble.is_none())
            };
            Ok(accepts(script(""))? && !accepts(script(&format!("(set-option :{name} {value})\n")))?)
        }
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_at_the_head() {
        let mut terms = Terms::new();
        let mut script = smt::read_script(&mut terms, "(set-logic QF_BV)(check-sat)").script;
        let setting = Setting(vec![("sat.euf", "true"), ("smt.bv.solver", "2"), ("set-simplifier", "der")]);
        setting.put(&mut terms, &mut script);
        let text = smt::print::script_to_string(&terms, &script, smt::print::Style::default());
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "(set-option :smt.bv.solver 2)",
                "(set-option :sat.euf true)",
                "(set-logic QF_BV)",
                "(set-simplifier der)",
                "(check-sat)"
            ]
        );
        assert_eq!(step_in(&terms, &script).as_deref(), Some("(set-simplifier der)"));
        assert_eq!(set_in(&terms, &script), ["smt.bv.solver=2", "sat.euf=true"]);
        let setting = Setting(vec![("smt.bv.solver", "2"), ("sat.euf", "true")]);
        assert_eq!(setting.words(), "smt.bv.solver=2 sat.euf=true");
    }

    /// The solver's own word counts: Z3 calls `sat.euf` preliminary, and `smt.relevancy` nothing of the kind.
    #[test]
    fn what_a_solver_calls_preliminary_is_not_safe() {
        let store = crate::solver::Store::open();
        let solver = Solver::resolve("z3", &store).expect("scripts/check installs it");
        assert_eq!(is_for_experts(&solver, "sat.euf", "true").ok(), Some(true));
        assert_eq!(is_for_experts(&solver, "smt.relevancy", "1").ok(), Some(false));
        let setting = Setting(vec![("sat.euf", "true"), ("smt.relevancy", "1")]);
        let usable = |level| Choice::new(&solver, level).usable(&setting).expect("it runs").words();
        assert_eq!(usable(Level::Safe), "smt.relevancy=1");
        assert_eq!(usable(Level::Experimental), "sat.euf=true smt.relevancy=1");
    }

    #[test]
    fn options_are_about_what_their_names_say() {
        assert!(concerns("smt.seq.max_unfolding", "2", &[Area::Strings]));
        assert!(!concerns("smt.seq.max_unfolding", "2", &[Area::Bits, Area::Arrays]));
        assert!(concerns("smt.relevancy", "0", &[]));
        assert!(concerns("tactic.default_tactic", "\"(then fpa2bv smt)\"", &[Area::Floats]));
        assert!(!concerns("tactic.default_tactic", "\"(then fpa2bv smt)\"", &[Area::Numbers]));
        assert!(concerns("tactic.default_tactic", "smt", &[Area::Numbers]));
    }

    #[test]
    fn rows_are_in_order_and_say_something() {
        assert!(TABLE.is_sorted_by_key(|row| (row.solver, row.name)));
        assert!(
            TABLE.windows(2).all(|pair| (pair[0].solver, pair[0].name) != (pair[1].solver, pair[1].name))
        );
        assert!(TABLE.iter().all(|row| !row.values.is_empty() && row.level != Level::None));
    }
}
