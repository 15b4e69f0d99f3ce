//! One long-lived process that answers many scripts, each inside `push` and `pop`. Starting a process is most of the cost of an
//! easy test, and so is `(reset)` in Z3; hence the options and the logic at the head of a script, its prologue, stay as they are
//! while scripts with the same one follow each other.
//!
//! A script that cannot be undone (it resets, sets options in its midst, pops what it did not push ...) gets a fresh process;
//! a process that crashed, ran into a limit, grew or served long is replaced. Nothing else of an earlier script can be seen in
//! an answer, but a solver's bug may depend on it: whoever reports confirms with [`Solver::run`].

use super::spec::{Solver, SolverError};
use crate::tuning::solver_session::{MOST_MEMORY, MOST_SCRIPTS};
use process::{Command, End, Halt, Limits, Process, Run, Watch};
use smt::lexer::CommandSplitter;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A solver's process and its conversation.
pub struct Session {
    solver: Solver,
    limits: Limits,
    talk: Option<Talk>,
    /// What was sent to a process that is gone.
    last: Vec<String>,
    /// Whether the script that was asked last went to the process that lives on.
    told: bool,
    markers: u64,
}

/// A process in the middle of its life.
struct Talk {
    process: Process,
    /// The prologue in force.
    prologue: String,
    /// What the solver said to it; part of every answer.
    preface: String,
    scripts: u32,
    /// All that was sent, a script an entry, without our markers.
    sent: Vec<String>,
}

impl Session {
    /// A session; the process starts with the first script.
    pub fn new(solver: Solver, limits: Limits) -> Session {
        Session { solver, limits, talk: None, last: Vec::new(), told: false, markers: 0 }
    }

    /// The solver that the session's process runs.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// All that was sent to the process that answered last, in pieces that can be left out one by one; nothing if the last script
    /// had a process of its own.
    pub(crate) fn transcript(&self) -> &[String] {
        if !self.told {
            return &[];
        }
        self.talk.as_ref().map_or(&self.last, |talk| &talk.sent)
    }

    /// From now on a script may take this much CPU time.
    pub(crate) fn limit_cpu(&mut self, cpu: Duration) {
        self.limits.cpu = cpu;
    }

    /// Gives a whole script to the process, without `(exit)`. The run is like one of [`Solver::run`]; one that was answered in
    /// full ended with [`End::Exited`] and 0.
    pub fn ask(&mut self, text: &str, stop: &AtomicBool) -> Result<Run, SolverError> {
        let plan = if self.solver.scopes { Plan::of(text) } else { None };
        self.told = plan.is_some();
        let Some(plan) = plan else { return self.solver.run(text, &self.limits, stop) };
        let start = Instant::now();
        let (mut talk, fresh) = match self.talk.take() {
            Some(talk) if talk.prologue == plan.prologue => (talk, false),
            // Options of the solver's own may survive a reset, and what they do must not be seen in another script.
            Some(talk)
                if self.solver.resets && is_standard(&talk.prologue) && is_standard(&plan.prologue) =>
            {
                (talk, false)
            }
            _ => (self.start()?, true),
        };
        let before = if fresh { Duration::ZERO } else { talk.process.usage().cpu };
        let mut halt = Halt::Marker(0);
        if fresh || talk.prologue != plan.prologue {
            let reset = if fresh { "" } else { "(reset)\n" };
            let marker = self.marker();
            talk.sent.push(format!("{reset}{}", plan.prologue));
            let input = format!("{reset}{}(echo \"{marker}\")\n", plan.prologue);
            halt = self.watch(&mut talk, &input, &marker, before, stop);
            if let Halt::Marker(at) = halt {
                talk.preface = talk.process.take_output_before(at).0;
                talk.prologue.clone_from(&plan.prologue);
            }
        }
        if let Halt::Marker(_) = halt {
            let marker = self.marker();
            let body = format!("(push 1)\n{}\n(pop {})\n", plan.body, plan.open + 1);
            let input = format!("{body}(echo \"{marker}\")\n");
            talk.sent.push(body);
            halt = self.watch(&mut talk, &input, &marker, before, stop);
        }
        match halt {
            Halt::Marker(at) => Ok(self.answered(talk, at, before, start)),
            Halt::Ended | Halt::Limit(_) => self.broken(talk, halt, before, start),
        }
    }

    fn start(&self) -> Result<Talk, SolverError> {
        let process = Command::of_words(&self.solver.command_line()).start()?;
        Ok(Talk { process, prologue: String::new(), preface: String::new(), scripts: 0, sent: Vec::new() })
    }

    fn marker(&mut self) -> String {
        self.markers += 1;
        format!("--soundline-{}--", self.markers)
    }

    fn watch(&self, talk: &mut Talk, input: &str, marker: &str, used: Duration, stop: &AtomicBool) -> Halt {
        let (input, marker) = (input.as_bytes(), Some(marker));
        talk.process.watch(&Watch { input, marker, used, limits: &self.limits, stop })
    }

    fn answered(&mut self, mut talk: Talk, at: usize, before: Duration, start: Instant) -> Run {
        let (answer, stderr) = talk.process.take_output_before(at);
        let usage = talk.process.usage();
        let run = Run {
            stdout: format!("{}{answer}", talk.preface),
            stderr,
            end: End::Exited(0),
            cpu: usage.cpu.saturating_sub(before),
            wall: start.elapsed(),
            memory: usage.memory.max(talk.process.peak_memory()),
        };
        talk.scripts += 1;
        self.last.clear();
        if talk.scripts < MOST_SCRIPTS && usage.memory < MOST_MEMORY {
            self.talk = Some(talk);
        } else {
            self.last = talk.sent;
        }
        run
    }

    fn broken(
        &mut self,
        mut talk: Talk,
        halt: Halt,
        before: Duration,
        start: Instant,
    ) -> Result<Run, SolverError> {
        let wall = start.elapsed();
        let (answer, stderr) = talk.process.take_output();
        let stdout = format!("{}{answer}", talk.preface);
        self.last = std::mem::take(&mut talk.sent);
        let failed = |error| process::Error { program: self.solver.name.clone(), error };
        let (end, used) = talk.process.finish(halt).map_err(failed)?;
        Ok(Run { stdout, stderr, end, cpu: used.cpu.saturating_sub(before), wall, memory: used.memory })
    }
}

/// A script that can be undone.
#[derive(PartialEq, Eq, Debug)]
struct Plan {
    /// Options and logic, a command a line.
    prologue: String,
    /// The rest.
    body: String,
    /// How many levels the rest leaves open.
    open: u64,
}

impl Plan {
    fn of(text: &str) -> Option<Plan> {
        let mut splitter = CommandSplitter::default();
        let mut plan = Plan { prologue: String::new(), body: String::new(), open: 0 };
        while let Some(range) = splitter.next(text.as_bytes()) {
            let command = &text[range];
            let inside = command.trim_start_matches('(').trim_end_matches(')');
            let mut words = inside.split_whitespace();
            let (head, argument) = (words.next()?, words.next());
            match head {
                "set-option" | "set-logic" | "set-simplifier" if plan.body.is_empty() => {
                    // Declarations that survive a pop cannot be undone.
                    if argument == Some(":global-declarations") {
                        return None;
                    }
                    plan.prologue.push_str(command);
                    plan.prologue.push('\n');
                    continue;
                }
                // It changes nothing but, in some solvers, what is expected of the answer.
                "set-info" => continue,
                "set-option" | "set-logic" | "set-simplifier" | "reset" | "reset-assertions" | "exit" => {
                    return None;
                }
                "push" => plan.open += levels(argument)?,
                "pop" => plan.open = plan.open.checked_sub(levels(argument)?)?,
                _ => {}
            }
            plan.body.push_str(command);
            plan.body.push('\n');
        }
        (!splitter.is_open() && !plan.body.is_empty()).then_some(plan)
    }
}

/// Whether a prologue has options of the standard only.
fn is_standard(prologue: &str) -> bool {
    const STANDARD: [&str; 5] = [
        ":produce-models",
        ":produce-unsat-cores",
        ":produce-unsat-assumptions",
        ":print-success",
        ":produce-assignments",
    ];
    let options = prologue.lines().filter(|line| !line.starts_with("(set-logic "));
    options
        .filter_map(|line| line.split_once(' '))
        .all(|(_, rest)| rest.split_whitespace().next().is_some_and(|name| STANDARD.contains(&name)))
}

fn levels(argument: Option<&str>) -> Option<u64> {
    argument.map_or(Some(1), |number| number.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_can_be_undone_are_told_apart() {
        let plan = Plan::of(
            "; c\n(set-info :status sat)(set-option :produce-models true) (set-logic QF_S)\n(push)(push 2) (pop 1)(check-sat)",
        );
        let plan = plan.unwrap();
        assert_eq!(plan.prologue, "(set-option :produce-models true)\n(set-logic QF_S)\n");
        assert_eq!(plan.body, "(push)\n(push 2)\n(pop 1)\n(check-sat)\n");
        assert_eq!(plan.open, 2);
        for text in [
            "(check-sat)(reset)",
            "(check-sat)(exit)",
            "(pop 1)(check-sat)",
            "(assert true)(set-option :x true)(check-sat)",
            "(set-option :global-declarations true)(check-sat)",
            "(assert (= x 1)",
            "(echo \"open",
            "(push x)",
            "",
        ] {
            assert_eq!(Plan::of(text), None, "{text}");
        }
    }
}
