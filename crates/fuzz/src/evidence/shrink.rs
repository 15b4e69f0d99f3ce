//! From a confirmed defect to a small one: the test that [`crate::reduce`] runs on every candidate. Since a candidate's truth is not known by construction any more, a wrong verdict
//! counts only where the evaluator or the referees establish the right one.

use super::class::Class;
use super::confirm::{Confirmed, Evidence, confirm_class};
use super::crash::{crash_key, crash_kin, crash_place};
use super::oracle::Oracle;
use super::sent::SentScript;
use crate::ask::{self, Questions};
use crate::case::Verdict;
use crate::reduce;
use crate::solver::answer::Answer;
use crate::solver::{Limits, Solver, SolverError, is_same_place};
use crate::tuning::evidence_shrink::{self, MAX_TESTS, MAX_TIME};
use smt::print::{Style, script_to_string};
use smt::{Command, Dialect, Script, Terms};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a candidate must still show.
#[derive(Clone, Debug)]
pub struct Defect {
    class: Class,
    crash: Option<String>,
    /// The functions in which it crashes, where candidates are compared by them: a run under the debugger for each that crashes.
    place: Option<Vec<String>>,
    /// Whether it is looked for in another release, whose messages are worded in another way.
    elsewhere: bool,
    /// A model of the original formula: it often fits the candidate too, and then no solver has to be asked.
    witness: Option<String>,
}

impl Defect {
    /// What makes a confirmed defect.
    pub fn of(confirmed: &Confirmed) -> Defect {
        let witness = match &confirmed.evidence {
            Evidence::Model { text, .. } => Some(text.clone()),
            _ => None,
        };
        Defect {
            class: confirmed.class,
            crash: crash_key(&confirmed.answer),
            place: None,
            elsewhere: false,
            witness,
        }
    }

    /// The class that every reduction step must keep.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether a script, as it is sent to the target, shows the defect; which query does, and what the fresh run was.
    pub(crate) fn shows(&self, oracle: &Oracle<'_>, text: &str) -> Result<Option<Confirmed>, SolverError> {
        let confirmed = confirm_class(oracle, text, self.class, self.witness.as_deref())?;
        // A crash is the same only with the same message, and one without a message at the same place.
        Ok(confirmed.filter(|now| {
            let now_key = crash_key(&now.answer);
            let same_message = match (&self.crash, &now_key) {
                _ if self.class != Class::Crash => true,
                (Some(known), Some(now)) if self.elsewhere => crash_kin(known) == crash_kin(now),
                (known, now) => known == now,
            };
            same_message && self.is_there(oracle, text, &now.answer)
        }))
    }

    /// Whether a crash is at the place that is kept. Where the debugger shows no stack, the signal has to do.
    fn is_there(&self, oracle: &Oracle<'_>, text: &str, answer: &Answer) -> bool {
        let Some(place) = &self.place else { return true };
        crash_place(oracle, text, answer).is_none_or(|now| is_same_place(place, &now))
    }
}

/// What is wrong with the target's answer to a script of the user's, if anything is: a crash, an invalid model, or a verdict
/// that the script's `:status`, the referees or a model contradict; with `slow`, a timeout where a referee is quick.
pub fn diagnose(
    oracle: &Oracle<'_>,
    text: &str,
    status: Option<Verdict>,
    slow: bool,
) -> Result<Option<Confirmed>, SolverError> {
    let classes = [Class::Crash, Class::WrongUnsat, Class::WrongSat, Class::InvalidModel, Class::WrongCore];
    let classes = if slow { &[Class::Performance][..] } else { &classes[..] };
    let (_, answer) = oracle.fresh(text)?;
    for &class in classes {
        // A verdict that the user vouches for is not called wrong.
        let contradicts_status = match class {
            Class::WrongUnsat => status == Some(Verdict::Unsat),
            Class::WrongSat => status == Some(Verdict::Sat),
            _ => false,
        };
        if contradicts_status {
            continue;
        }
        let defect =
            Defect { class, crash: crash_key(&answer), place: None, elsewhere: false, witness: None };
        if let Some(confirmed) = defect.shows(oracle, text)? {
            return Ok(Some(confirmed));
        }
    }
    Ok(None)
}

/// A user's script as it is sent to a target: in its dialect, and asking for models if it asks for nothing.
pub fn prepared(text: &str, dialect: Dialect) -> Result<String, String> {
    let mut terms = Terms::new();
    let reading = smt::read_script(&mut terms, text);
    if let Some(error) = reading.errors.first() {
        return Err(error.render("the script", text));
    }
    let asks = reading.script.commands.iter().any(|c| matches!(c, Command::GetModel | Command::GetUnsatCore));
    let questions = if asks { Questions::Verdicts } else { Questions::Models };
    Ok(ask::text(&terms, &reading.script, &[], dialect, questions))
}

/// The verdict that a script's `(set-info :status ...)` states.
pub fn status(text: &str) -> Option<Verdict> {
    let mut terms = Terms::new();
    let script = smt::read_script(&mut terms, text).script;
    script.commands.iter().rev().find_map(|command| match command {
        Command::SetInfo(keyword, value) if terms.name(*keyword) == ":status" => {
            Verdict::from_word(terms.name(*value)).filter(|verdict| *verdict != Verdict::Unknown)
        }
        _ => None,
    })
}

/// A defect on the smallest script that still shows it.
#[derive(Clone, Debug)]
pub struct Small {
    /// The script as it is sent to the target.
    pub text: String,
    /// The defect on it.
    pub confirmed: Confirmed,
    /// How many candidates were run.
    pub tests: u64,
}

impl Small {
    /// How many assertions are left.
    pub fn assertions(&self) -> usize {
        self.text.matches("(assert ").count()
    }
}

/// Up to so many other releases, the newest first, must be right or wrong about a reduced script as about the original.
pub const RELEASES: usize = evidence_shrink::RELEASES;

/// Reduces a script, given as it is sent to the target, on which a defect was confirmed. What the script itself shows is taken
/// from there, since its truth may be known only from where it came from; everything smaller must show the defect by
/// itself, and be right and wrong in the same of the `releases` as the script is: else a reduction slips to another defect that
/// happens to look alike. `None` if nothing smaller does.
pub fn shrink(
    oracle: &Oracle<'_>,
    text: &str,
    confirmed: &Confirmed,
    releases: &[&Solver],
    jobs: usize,
    progress: &mut dyn FnMut(&reduce::ReduceProgress),
) -> Result<Option<Small>, SolverError> {
    let mut defect = Defect::of(confirmed);
    let small = shrink_to(oracle, text, confirmed, &defect, releases, jobs, progress)?;
    // The debugger is slow: it is asked about every candidate only if a reduction without it has gone to another place.
    let place = crash_place(oracle, text, &confirmed.answer);
    defect.place = place;
    match &small {
        Some(found) if !defect.is_there(oracle, &found.text, &found.confirmed.answer) => {
            shrink_to(oracle, text, confirmed, &defect, releases, jobs, progress)
        }
        _ => Ok(small),
    }
}

fn shrink_to(
    oracle: &Oracle<'_>,
    text: &str,
    confirmed: &Confirmed,
    defect: &Defect,
    releases: &[&Solver],
    jobs: usize,
    progress: &mut dyn FnMut(&reduce::ReduceProgress),
) -> Result<Option<Small>, SolverError> {
    let start = Instant::now();
    let dialect = oracle.target.dialect;
    let style = Style { dialect, share: true };
    // Candidates need not take longer than the script itself did, by much.
    let cpu = oracle.limits.cpu.min(confirmed.run.cpu * 3 + Duration::from_secs(1));
    let quick = Oracle { limits: Limits { cpu, ..oracle.limits }, ..*oracle };
    let profile = Profile::of(&quick, text, defect, releases)?;
    let Ok(sent) = SentScript::read(text, dialect) else { return Ok(None) };
    let (terms, script) = sent.into_parts();
    let whole = script_to_string(&terms, &script, style);
    let failure = Mutex::new(None);
    let test = |terms: &Terms, script: &Script| {
        let candidate = script_to_string(terms, script, style);
        if candidate == whole {
            return true;
        }
        if start.elapsed() > MAX_TIME {
            return false;
        }
        match defect
            .shows(&quick, &candidate)
            .and_then(|shown| Ok(shown.is_some() && profile.fits(&quick, &candidate)?))
        {
            Ok(shown) => shown,
            Err(error) => {
                failure.lock().expect("no test panics").get_or_insert(error);
                false
            }
        }
    };
    let settings = reduce::ReduceSettings { jobs, max_tests: MAX_TESTS };
    let reduced = reduce::reduce(terms, script, &test, &settings, oracle.stop, progress);
    if let Some(error) = failure.into_inner().expect("no test panics") {
        return Err(error);
    }
    let Ok(reduced) = reduced else { return Ok(None) };
    let text = script_to_string(&reduced.terms, &reduced.script, style);
    // The last word has a run under the full limits.
    let confirmed = defect.shows(oracle, &text)?;
    Ok(confirmed.map(|confirmed| Small { text, confirmed, tests: reduced.tests }))
}

/// Which of a few releases show a defect.
struct Profile<'a> {
    defect: &'a Defect,
    releases: Vec<(&'a Solver, bool)>,
}

impl<'a> Profile<'a> {
    fn of(
        oracle: &Oracle<'_>,
        text: &str,
        defect: &'a Defect,
        releases: &[&'a Solver],
    ) -> Result<Profile<'a>, SolverError> {
        let mut profile = Profile { defect, releases: Vec::new() };
        // A crash has a message of its own to be known by.
        if defect.class != Class::Crash {
            for &release in releases {
                profile.releases.push((release, shows_on(oracle, release, text, defect)?));
            }
        }
        Ok(profile)
    }

    fn fits(&self, oracle: &Oracle<'_>, text: &str) -> Result<bool, SolverError> {
        for &(release, shows) in &self.releases {
            if shows_on(oracle, release, text, self.defect)? != shows {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn shows_on(oracle: &Oracle<'_>, release: &Solver, text: &str, defect: &Defect) -> Result<bool, SolverError> {
    let Some(text) = redressed(text, oracle.target.dialect, release.dialect) else { return Ok(false) };
    Ok(defect.shows(&Oracle { target: release, ..*oracle }, &text)?.is_some())
}

/// What another release says to a reduced script, in words.
pub(crate) fn on_release(
    oracle: &Oracle<'_>,
    release: &Solver,
    text: &str,
    defect: &Defect,
) -> Result<String, SolverError> {
    let Some(text) = redressed(text, oracle.target.dialect, release.dialect) else {
        return Ok(format!("{}: not tried", release.version));
    };
    let there = Oracle { target: release, ..*oracle };
    let same = Defect { elsewhere: true, ..defect.clone() }.shows(&there, &text)?.is_some();
    Ok(format!("{}: {}", release.version, if same { "shows the same defect" } else { "does not show it" }))
}

/// A script's text in another dialect.
fn redressed(text: &str, from: Dialect, to: Dialect) -> Option<String> {
    let sent = SentScript::read(text, from).ok()?;
    Some(script_to_string(sent.terms(), sent.script(), Style { dialect: to, share: true }))
}
