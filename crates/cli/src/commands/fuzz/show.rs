//! How a fuzzing run is shown: a progress line and notes on standard error, a summary or one JSON document on standard
//! output.

use crate::Outcome;
use crate::documents::{Fuzzed, NamedSolver};
use crate::input::{print, print_json, say};
use crate::progress::{ProgressLine, brief};
use fuzz::run::{Counters, Entry, Event, FollowUp, Health, RunSettings, Solvers, Summary};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Reports that a project's maintainers can be expected to read in a week.
const WEEKLY: usize = 5;

/// Notes that are shown before the rest is only counted.
const NOTES: usize = 20;

pub(super) struct Show<'a> {
    strategy: &'static str,
    solvers: &'a Solvers,
    settings: &'a RunSettings,
    json: bool,
    start: Instant,
    line: ProgressLine,
    findings: usize,
    notes: Vec<String>,
    /// Tests of earlier runs into the same folder, as the first counters tell.
    before: Option<u64>,
    following: Following,
}

/// What the workers do about suspicions.
#[derive(Default)]
struct Following {
    taken_up: usize,
    done: usize,
    /// The reduction that was heard of last: candidates and bytes.
    reducing: Option<(u64, usize)>,
}

impl Following {
    fn note(&mut self, step: FollowUp) {
        match step {
            FollowUp::Confirming => self.taken_up += 1,
            FollowUp::Reducing { tests, bytes } => self.reducing = Some((tests, bytes)),
            FollowUp::Done => {
                self.done += 1;
                self.reducing = None;
            }
        }
    }

    fn words(&self) -> String {
        let Following { taken_up, done, reducing } = self;
        match reducing {
            _ if taken_up == done => "testing".into(),
            None => format!("confirming {} of {taken_up}", done + 1),
            Some((tests, bytes)) => {
                format!("reducing {} of {taken_up} ({tests} runs, {bytes} bytes)", done + 1)
            }
        }
    }
}

impl<'a> Show<'a> {
    pub(super) fn new(
        strategy: &'static str,
        solvers: &'a Solvers,
        settings: &'a RunSettings,
        json: bool,
    ) -> Show<'a> {
        let names = |list: &[fuzz::solver::Solver]| {
            list.iter().map(|s| format!("{} ({})", s.name, s.version)).collect::<Vec<_>>().join(", ")
        };
        let line = ProgressLine::new();
        say!(
            "fuzz {strategy}: {} ({}), seed {}, {} jobs, findings in {}",
            solvers.target.name,
            solvers.target.version,
            settings.seed,
            settings.jobs,
            settings.out.display()
        );
        if solvers.referees.is_empty() {
            say!("note: no other solver is here to be asked for the truth; name one with --reference");
        } else {
            say!("asked for the truth: {}", names(&solvers.referees));
        }
        Show {
            strategy,
            solvers,
            settings,
            json,
            start: Instant::now(),
            line,
            findings: 0,
            notes: Vec::new(),
            before: None,
            following: Following::default(),
        }
    }

    pub(super) fn event(&mut self, event: Event) {
        match event {
            Event::Found(entry) => {
                self.findings += usize::from(entry.class.is_loud());
                if entry.class.is_loud() {
                    self.line.say(&format!(
                        "found {}: {} ({}), {} assertions",
                        entry.class.word(),
                        entry.about,
                        self.settings.out.join(&entry.path).display(),
                        entry.assertions
                    ));
                }
            }
            Event::Note(text) => {
                if self.notes.len() < NOTES {
                    self.line.say(&format!("note: {text}"));
                }
                self.notes.push(text);
            }
            Event::Progress(counters) => {
                self.before.get_or_insert(counters.tests);
                self.line.show(&self.progress(&counters));
            }
            Event::Follow(step) => self.following.note(step),
        }
    }

    fn progress(&self, counters: &Counters) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = counters.tests.saturating_sub(self.before.unwrap_or(0)) as f64 / seconds.max(0.001);
        format!(
            "{}{}: {} tests ({rate:.0}/s), {} findings; {} sat, {} unsat, {} unknown, {} timeouts, {} refused",
            self.following.words(),
            self.left(counters, rate),
            counters.tests,
            self.findings,
            counters.sat,
            counters.unsat,
            counters.unknown,
            counters.timeouts,
            counters.unsupported + counters.rejected,
        )
    }

    /// How long it will take yet, where that can be said: by the clock, or by the tests at this pace.
    fn left(&self, counters: &Counters, rate: f64) -> String {
        let by_clock = self.settings.time.map(|limit| limit.saturating_sub(self.start.elapsed()));
        let by_tests = self.settings.tests.filter(|_| rate > 0.0).and_then(|limit| {
            Duration::try_from_secs_f64(limit.saturating_sub(counters.tests) as f64 / rate).ok()
        });
        match by_clock.into_iter().chain(by_tests).min() {
            Some(left) => format!(", {} left", brief(left)),
            None => String::new(),
        }
    }

    /// Prints the summary.
    pub(super) fn end(mut self, summary: &Summary) -> Outcome {
        self.line.clear();
        if self.notes.len() > NOTES {
            say!("note: and {} more", self.notes.len() - NOTES);
        }
        if let Health::Bad(reason) = &summary.health {
            say!("error: this run tested next to nothing: {reason}");
        }
        if self.json {
            print_json(&self.document(summary));
        } else {
            print(&self.to_text(summary));
        }
        match (&summary.health, summary.findings.is_empty()) {
            (_, false) => Outcome::Found,
            (Health::Bad(_), true) => Outcome::Internal,
            (Health::Good, true) => Outcome::Clean,
        }
    }

    fn document<'s>(&'s self, summary: &'s Summary) -> Fuzzed<'s> {
        let seconds = summary.wall.as_secs_f64();
        let list = |entries: &[Entry]| -> Vec<Entry> {
            entries.iter().map(|entry| entry.below(&self.settings.out)).collect()
        };
        Fuzzed {
            strategy: self.strategy,
            tests: summary.counters.tests,
            seed: self.settings.seed,
            findings: list(&summary.findings),
            observations: list(&summary.observations),
            stop_reason: summary.stop.word(),
            seconds,
            tests_per_second: summary.counters.tests as f64 / seconds.max(0.001),
            counters: &summary.counters,
            solver: (&self.solvers.target).into(),
            references: self.solvers.referees.iter().map(NamedSolver::from).collect(),
            health: match &summary.health {
                Health::Good => None,
                Health::Bad(reason) => Some(reason),
            },
            notes: &self.notes,
            reports_a_week: WEEKLY,
        }
    }

    fn to_text(&self, summary: &Summary) -> String {
        let mut out = String::new();
        let mut line = |text: std::fmt::Arguments<'_>| writeln!(out, "{text}").expect("a string grows");
        let c = &summary.counters;
        line(format_args!(
            "{} tests in {:.1} s ({}): {} sat, {} unsat, {} unknown, {} timeouts, {} refused, {} crashes",
            c.tests,
            summary.wall.as_secs_f64(),
            summary.stop.word(),
            c.sat,
            c.unsat,
            c.unknown,
            c.timeouts,
            c.unsupported + c.rejected,
            c.crashes
        ));
        if c.unconfirmed + c.refuted + c.disputed > 0 {
            line(format_args!(
                "not reported: {} not shown again by a fresh process, {} refuted, {} disputed",
                c.unconfirmed, c.refuted, c.disputed
            ));
        }
        if summary.findings.is_empty() {
            line(format_args!("no findings"));
        } else {
            line(format_args!("{} findings, the gravest first:", summary.findings.len()));
            for entry in &summary.findings {
                line(format_args!(
                    "  {:<13} {:>5}x  {}  {}",
                    entry.class.word(),
                    entry.count,
                    self.settings.out.join(&entry.path).display(),
                    entry.about
                ));
            }
            if summary.findings.len() > WEEKLY {
                line(format_args!(
                    "report the gravest first, at most {WEEKLY} a week, and one a fingerprint"
                ));
            }
        }
        if !summary.observations.is_empty() {
            line(format_args!(
                "{} observations of the quieter classes in {}",
                summary.observations.len(),
                self.settings.out.join("observations").display()
            ));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_about_suspicions_is_said() {
        let mut following = Following::default();
        let rows = [
            (FollowUp::Confirming, "confirming 1 of 1"),
            (FollowUp::Reducing { tests: 4, bytes: 120 }, "reducing 1 of 1 (4 runs, 120 bytes)"),
            (FollowUp::Confirming, "reducing 1 of 2 (4 runs, 120 bytes)"),
            (FollowUp::Done, "confirming 2 of 2"),
            (FollowUp::Done, "testing"),
        ];
        assert_eq!(following.words(), "testing");
        for (step, words) in rows {
            following.note(step);
            assert_eq!(following.words(), words);
        }
    }
}
