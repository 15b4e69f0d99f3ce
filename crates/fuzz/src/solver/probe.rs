//! What a solver's strings look like, found by asking it. Releases of one solver differ in the escape sequences that they read
//! and print, and not in the order of their versions: Z3 4.8.9 and 4.8.10 know the names of SMT-LIB 2.6 and still print `\n`.
//! A model read in the wrong dialect looks invalid, which would be a false alarm.
//!
//! Owns the questions and what their answers mean; a solver without strings, or one that answers none of this, leaves the
//! decision to the [`super::table`].

use super::spec::{Solver, SolverError};
use process::Run;
use smt::string::{Escapes, parse_literal};
use smt::{Dialect, SmtString};
use std::sync::atomic::AtomicBool;

/// What a solver does with escape sequences.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Probe {
    /// Whether `\u{41}` is one character.
    pub reads_unicode: Option<bool>,
    /// Whether `\x41` is one character.
    pub reads_c: Option<bool>,
    /// How it prints a newline and a backslash: the literal without its quotes.
    pub prints: Option<String>,
    /// How it prints a backslash followed by `u{41}`.
    pub prints_unescaped: Option<String>,
    /// Whether it knows finite sets by Z3's names.
    pub finite_sets: bool,
}

/// Literals whose length tells how they are read.
const READ: [(&str, &str); 2] = [("unicode", "\\u{41}"), ("c", "\\x41")];

/// The script. Each question stands in a scope of its own, after its name.
fn script() -> String {
    let mut text =
        String::from("(set-option :produce-models true)\n(set-logic QF_SLIA)\n(declare-fun x () String)\n");
    for (name, literal) in READ {
        text.push_str(&format!(
            "(echo \"{name}\")\n(push 1)\n(assert (= (str.len \"{literal}\") 1))\n(check-sat)\n(pop 1)\n"
        ));
    }
    // The newline and the backslash, spelled for both kinds of readers: only one of the two lines is right for a solver.
    for literal in ["\\u{a}\\u{5c}", "\\x0a\\x5c"] {
        text.push_str(&format!(
            "(echo \"print\")\n(push 1)\n(assert (= x \"{literal}\"))\n(assert (= (str.len x) 2))\n(check-sat)\n(get-value (x))\n(pop 1)\n"
        ));
    }
    text.push_str(
        "(echo \"raw\")\n(push 1)\n(assert (= x \"\\u{5c}u{41}\"))\n(assert (= (str.len x) 6))\n(check-sat)\n(get-value (x))\n(pop 1)\n",
    );
    // Last, since some solvers end at the first sort that they do not know.
    text.push_str(
        "(echo \"sets\")\n(push 1)\n(declare-fun s () (FiniteSet Int))\n(assert (set.in 1 s))\n(echo \"known\")\n(pop 1)\n",
    );
    text
}

impl Probe {
    /// Finds out how a solver reads and prints strings.
    pub(super) fn ask(solver: &Solver) -> Result<Probe, SolverError> {
        let run = solver.run(&script(), &super::spec::brief(), &AtomicBool::new(false))?;
        Ok(Probe::read(&run))
    }

    fn read(run: &Run) -> Probe {
        let mut probe = Probe::default();
        let mut section = "";
        for line in run.stdout.lines().map(str::trim) {
            match line.trim_matches('"') {
                name @ ("unicode" | "c" | "print" | "raw" | "sets") => section = name,
                // Nothing, not even a complaint, stands between the two.
                "known" if section == "sets" => probe.finite_sets = true,
                _ if section == "sets" => section = "",
                "sat" if section == "unicode" => probe.reads_unicode = Some(true),
                "unsat" if section == "unicode" => probe.reads_unicode = Some(false),
                "sat" if section == "c" => probe.reads_c = Some(true),
                "unsat" if section == "c" => probe.reads_c = Some(false),
                _ if section == "print" && probe.prints.is_none() => probe.prints = printed(line),
                _ if section == "raw" && probe.prints_unescaped.is_none() => {
                    probe.prints_unescaped = printed(line);
                }
                _ => {}
            }
        }
        probe
    }

    /// The dialect; `None` if the answers do not tell.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        let printed = self.prints.as_deref()?;
        let value = SmtString::from_latin1(b"\n\\");
        let means = |escapes| parse_literal(printed.as_bytes(), escapes).is_ok_and(|read| read == value);
        match self.reads_unicode? {
            false => Some(Dialect::V25),
            true if means(Escapes::Unicode) => {
                let raw = self.prints_unescaped.as_deref() == Some("\\u{41}");
                Some(match (raw, self.finite_sets) {
                    (true, _) => Dialect::V26Raw,
                    (_, true) => Dialect::V26FiniteSets,
                    _ => Dialect::V26,
                })
            }
            true if means(Escapes::Both) => Some(Dialect::V26Both),
            true => None,
        }
    }

    /// What was found, in words for a report; empty if nothing was.
    pub(crate) fn words(&self) -> String {
        let Some(prints) = &self.prints else { return String::new() };
        let read: Vec<&str> = [(self.reads_unicode, "\\u{41}"), (self.reads_c, "\\x41")]
            .into_iter()
            .filter_map(|(reads, escape)| (reads == Some(true)).then_some(escape))
            .collect();
        format!("reads {} as one character, prints a newline and a backslash as {prints}", read.join(" and "))
    }
}

/// The literal in `((x "..."))`.
fn printed(line: &str) -> Option<String> {
    let inside = line.strip_prefix("((x \"")?.strip_suffix("\"))")?;
    Some(inside.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use process::End;
    use std::time::Duration;

    fn of(stdout: &str) -> Option<Dialect> {
        let zero = Duration::ZERO;
        let run = Run {
            stdout: stdout.into(),
            stderr: String::new(),
            end: End::Exited(0),
            cpu: zero,
            wall: zero,
            memory: 0,
        };
        Probe::read(&run).dialect()
    }

    /// What these releases print, as it was seen.
    #[test]
    fn answers_tell_the_dialect() {
        let newer = "unicode\nsat\nc\nunsat\nprint\nsat\n((x \"\\u{a}\\u{5c}\"))\nprint\nunsat\n(error \"model is not available\")\n";
        assert_eq!(of(newer), Some(Dialect::V26));
        assert_eq!(of(&format!("{newer}sets\nknown\n")), Some(Dialect::V26FiniteSets));
        assert_eq!(of(&format!("{newer}sets\n(error \"unknown sort\")\nknown\n")), Some(Dialect::V26));
        let raw = "unicode\nsat\nc\nunsat\nprint\nsat\n((x \"\\u{a}\\\"))\nraw\nsat\n((x \"\\u{41}\"))\n";
        assert_eq!(of(raw), Some(Dialect::V26Raw));
        let between = "unicode\nsat\nc\nsat\nprint\nsat\n((x \"\\n\\\\\"))\nprint\nsat\n((x \"\\n\\\\\"))\n";
        assert_eq!(of(between), Some(Dialect::V26Both));
        let older = "unicode\nunsat\nc\nsat\nprint\nunsat\n(error \"x\")\nprint\nsat\n((x \"\\n\\\\\"))\n";
        assert_eq!(of(older), Some(Dialect::V25));
        assert_eq!(of("(error \"no strings\")\n"), None);
        assert_eq!(of(""), None);
    }
}
