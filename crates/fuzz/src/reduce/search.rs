//! The search that all passes share: given edits that can be made together, find many whose result still passes the test.
//! Owns the current script, the cache of texts that were tried, and the workers; knows nothing of what edits mean.
//!
//! Every candidate is made in a copy of the arena from the script that the pass started with, so that failed candidates
//! leave nothing behind and edits stay valid while others are taken. It is printed and read back before it is tested: what
//! does not read as the same commands is no candidate.

use super::ddmin::Halves;
use super::weight::{Weight, weigh};
use super::{ReduceProgress, ReduceSettings};
use crate::StopReason;
use crate::tuning::reduce_search::{COARSE_LEVELS, GROWTH, MODEST, REPORT_EVERY};
use smt::{Script, Terms, print};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Says of a script whether what is looked for is still there.
pub(super) type Test<'t> = &'t (dyn Fn(&Terms, &Script) -> bool + Sync);

/// Makes a candidate from the current script and some edits, all in order; `None` if they do not go together.
pub(super) type Apply<'a, E> = &'a (dyn Fn(&mut Terms, &Script, &[&E]) -> Option<Script> + Sync);

/// A candidate that passed.
struct Passed {
    terms: Terms,
    script: Script,
    weight: Weight,
}

/// What was found out about a candidate.
enum Tried {
    /// Not lighter, not well-formed, or not made at all.
    Void,
    /// Its text was tested: now, or before (the hash of the text tells which).
    Tested { text: u64, passed: Option<Box<Passed>> },
}

/// What is known of a text.
#[derive(Clone, Copy)]
struct Known {
    passed: bool,
    /// Whether a search in order would have tested it by now; speculative tests wait to be counted.
    counted: bool,
}

/// The state of a reduction.
pub(super) struct Search<'t> {
    pub(super) terms: Terms,
    pub(super) script: Script,
    pub(super) weight: Weight,
    pub(super) tests: u64,
    pub(super) accepted: u64,
    /// Why the search cannot go on, if it cannot.
    pub(super) stopped: Option<StopReason>,
    /// The pass and the round that are running, for reports.
    pub(super) pass: &'static str,
    pub(super) round: usize,
    /// Whether the pass leaves small parts of long lists to later rounds, and whether one did in this round.
    pub(super) coarse: bool,
    pub(super) unfinished: bool,
    settings: &'t ReduceSettings,
    test: Test<'t>,
    stop: &'t AtomicBool,
    known: Mutex<HashMap<u64, Known>>,
    progress: &'t mut dyn FnMut(&ReduceProgress),
}

impl<'t> Search<'t> {
    pub(super) fn new(
        terms: Terms,
        script: Script,
        test: Test<'t>,
        settings: &'t ReduceSettings,
        stop: &'t AtomicBool,
        progress: &'t mut dyn FnMut(&ReduceProgress),
    ) -> Search<'t> {
        let weight = weigh(&terms, &script, text(&terms, &script).len());
        Search {
            terms,
            script,
            weight,
            tests: 0,
            accepted: 0,
            stopped: None,
            pass: "",
            round: 0,
            coarse: false,
            unfinished: false,
            settings,
            test,
            stop,
            known: Mutex::new(HashMap::new()),
            progress,
        }
    }

    /// Whether the script as it is passes the test.
    pub(super) fn reproduces(&mut self) -> bool {
        self.tests += 1;
        (self.test)(&self.terms, &self.script)
    }

    /// Takes as many edits as the test lets through: all at once, or else by halves. In the early rounds of a coarse pass
    /// small parts of long lists are left for later, since another pass may make most of them pointless. True if any
    /// edit was taken.
    pub(super) fn maximize<E: Sync>(&mut self, edits: &[E], apply: Apply<'_, E>) -> bool {
        let levels = (COARSE_LEVELS << self.round.min(5)).min(usize::BITS as usize - 1);
        let floor = if self.coarse { edits.len() >> levels } else { 1 };
        self.unfinished |= floor > 1;
        let mut parts = Halves::new(edits.len(), floor);
        let mut chosen: Vec<usize> = Vec::new();
        let mut best: Option<Box<Passed>> = None;
        while self.may_go_on() {
            let ahead = parts.peek(self.settings.jobs.max(1));
            if ahead.is_empty() {
                break;
            }
            let lightest = best.as_ref().map_or(&self.weight, |best| &best.weight).clone();
            let base = Base {
                terms: &self.terms,
                script: &self.script,
                bytes: self.weight.bytes,
                test: self.test,
                known: &self.known,
            };
            let candidate = |part: &Range<usize>| {
                let mut all: Vec<usize> = chosen.iter().copied().chain(part.clone()).collect();
                all.sort_unstable();
                let list: Vec<&E> = all.iter().map(|&i| &edits[i]).collect();
                base.try_edits(&list, apply, &lightest)
            };
            for outcome in in_order(&ahead, self.settings.jobs, self.stop, &candidate) {
                if !self.count(&outcome) {
                    break;
                }
                match outcome {
                    Tried::Tested { passed: Some(passed), .. } => {
                        chosen.extend(parts.taken().expect("the part that was looked at"));
                        best = Some(passed);
                        self.accepted += 1;
                        // What follows was made without this edit.
                        break;
                    }
                    _ => parts.failed(),
                }
            }
        }
        let Some(best) = best else { return false };
        (self.terms, self.script, self.weight) = (best.terms, best.script, best.weight);
        self.compact();
        self.report();
        true
    }

    /// Whether nothing says that the search must end.
    pub(super) fn may_go_on(&mut self) -> bool {
        if self.stopped.is_none() && self.stop.load(Ordering::Relaxed) {
            self.stopped = Some(StopReason::Interrupted);
        }
        self.stopped.is_none()
    }

    /// Counts the tests of an outcome that a search in order comes to; false if the search must stop before it. A test
    /// that was interrupted may have said anything, so nothing counts once the stop flag is up.
    fn count(&mut self, outcome: &Tried) -> bool {
        if !self.may_go_on() {
            return false;
        }
        if let Tried::Tested { text, .. } = outcome {
            let known = self.known.get_mut().expect("no worker panicked");
            let entry = known.get_mut(text).expect("tested texts are known");
            if !entry.counted {
                if self.tests >= self.settings.max_tests {
                    self.stopped = Some(StopReason::Tests);
                    return false;
                }
                entry.counted = true;
                self.tests += 1;
                if self.tests.is_multiple_of(REPORT_EVERY) {
                    self.report();
                }
            }
        }
        true
    }

    fn report(&mut self) {
        (self.progress)(&ReduceProgress {
            round: self.round,
            pass: self.pass,
            tests: self.tests,
            commands: self.weight.commands,
            nodes: self.weight.nodes,
            bytes: self.weight.bytes,
        });
    }

    /// Leaves behind what the arena holds of scripts that are gone.
    fn compact(&mut self) {
        if self.terms.len() < 4 * self.weight.nodes + 1000 {
            return;
        }
        let mut terms = Terms::new();
        let reading = smt::read_script(&mut terms, &text(&self.terms, &self.script));
        if reading.errors.is_empty() {
            (self.terms, self.script) = (terms, reading.script);
        }
    }
}

/// What workers see of a search.
struct Base<'s> {
    terms: &'s Terms,
    script: &'s Script,
    /// The length of its text.
    bytes: usize,
    test: Test<'s>,
    known: &'s Mutex<HashMap<u64, Known>>,
}

impl Base<'_> {
    fn try_edits<E>(&self, edits: &[&E], apply: Apply<'_, E>, lightest: &Weight) -> Tried {
        let mut terms = self.terms.clone();
        let Some(script) = apply(&mut terms, self.script, edits) else { return Tried::Void };
        let printed = text(&terms, &script);
        let weight = weigh(&terms, &script, printed.len());
        if printed.len() > GROWTH * self.bytes.max(MODEST) || weight >= *lightest {
            return Tried::Void;
        }
        let hash = hash_of(&printed);
        let known = self.known.lock().expect("no worker panicked").get(&hash).copied();
        if known.is_some_and(|known| !known.passed) {
            return Tried::Tested { text: hash, passed: None };
        }
        if known.is_none() && !reads_back(&printed, &script) {
            return Tried::Void;
        }
        let passed = known.is_some() || (self.test)(&terms, &script);
        if known.is_none() {
            let entry = Known { passed, counted: false };
            self.known.lock().expect("no worker panicked").entry(hash).or_insert(entry);
        }
        Tried::Tested { text: hash, passed: passed.then(|| Box::new(Passed { terms, script, weight })) }
    }
}

/// The text by which scripts are told apart.
pub(super) fn text(terms: &Terms, script: &Script) -> String {
    print::script_to_string(terms, script, print::Style::default())
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Whether a text reads without errors as commands of the same kinds: every symbol is declared where it is used.
fn reads_back(text: &str, script: &Script) -> bool {
    let reading = smt::read_script(&mut Terms::new(), text);
    let same = |(a, b)| std::mem::discriminant::<smt::Command>(a) == std::mem::discriminant(b);
    reading.errors.is_empty()
        && reading.script.commands.len() == script.commands.len()
        && reading.script.commands.iter().zip(&script.commands).all(same)
}

/// Tries candidates, several at a time; the outcomes up to the first that passed, in order. Later candidates are not
/// begun once one passed, and what they gave is dropped: the result is that of one worker.
fn in_order(
    parts: &[Range<usize>],
    jobs: usize,
    stop: &AtomicBool,
    candidate: &(dyn Fn(&Range<usize>) -> Tried + Sync),
) -> Vec<Tried> {
    let (next, first) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let outcomes: Vec<Mutex<Option<Tried>>> = parts.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= parts.len() || i > first.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                return;
            }
            let outcome = candidate(&parts[i]);
            if matches!(outcome, Tried::Tested { passed: Some(_), .. }) {
                first.fetch_min(i, Ordering::Relaxed);
            }
            *outcomes[i].lock().expect("no worker panicked") = Some(outcome);
        }
    };
    if jobs <= 1 || parts.len() == 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(parts.len()) {
                scope.spawn(work);
            }
        });
    }
    let last = first.into_inner();
    outcomes
        .into_iter()
        .take(last.saturating_add(1))
        .map_while(|outcome| outcome.into_inner().expect("no worker panicked"))
        .collect()
}
