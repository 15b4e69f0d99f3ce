//! A line on standard error that says how far a command is. Shown only where standard error is a terminal, and written over
//! itself; messages that stay go through [`Progress::say`].

use crate::input::{complain, say};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by `--ci`: nobody watches.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows no line from now on.
pub(crate) fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// Whether a line is shown: on a terminal that somebody watches.
pub(crate) fn is_shown() -> bool {
    std::io::stderr().is_terminal() && !HIDDEN.load(Ordering::Relaxed)
}

/// The line.
pub(crate) struct Progress {
    terminal: bool,
    shown: Option<Instant>,
}

impl Progress {
    const EVERY: Duration = Duration::from_millis(100);

    pub(crate) fn new() -> Progress {
        Progress { terminal: is_shown(), shown: None }
    }

    /// Shows a text in place of the one before, unless that one is too young.
    pub(crate) fn show(&mut self, text: &str) {
        if self.terminal && self.shown.is_none_or(|at| at.elapsed() >= Self::EVERY) {
            // A line that wraps could not be written over.
            let text: String = text.chars().take(100).collect();
            complain(&format!("\r\x1b[2K{text}"));
            self.shown = Some(Instant::now());
        }
    }

    /// Prints a message that stays.
    pub(crate) fn say(&mut self, text: &str) {
        self.clear();
        say!("{text}");
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            complain("\r\x1b[2K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
