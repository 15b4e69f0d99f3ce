//! What a command is doing, on standard error: on a terminal one line that is as wide as the terminal and written over itself ten
//! times a second at most, elsewhere a plain line every ten seconds. Messages that stay go through [`ProgressLine::say`].

use crate::input::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Set by `--ci`: no progress line.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows no line from now on; messages stay.
pub(crate) fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// How much the user wants to hear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Volume {
    /// Results and errors only.
    Quiet,
    /// The line, and what was found.
    Usual,
    /// Plain lines that stay, every second.
    Verbose,
}

static VOLUME: AtomicU8 = AtomicU8::new(1);

/// Says how much the user wants to hear, for all that follows.
pub(crate) fn set_volume(volume: Volume) {
    VOLUME.store(volume as u8, Ordering::Relaxed);
}

fn volume() -> Volume {
    match VOLUME.load(Ordering::Relaxed) {
        0 => Volume::Quiet,
        1 => Volume::Usual,
        _ => Volume::Verbose,
    }
}

/// What says how far a run is: a line on a terminal that is rewritten, elsewhere a plain line now and then.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    /// How often a plain line is printed; none where the bar is shown, or nothing is.
    plain: Option<Duration>,
    printed: Instant,
}

impl ProgressLine {
    /// Redraws in a second: the spinner shows that something goes on even where no news come.
    const HERTZ: u8 = 10;

    pub(crate) fn new() -> ProgressLine {
        let terminal = std::io::stderr().is_terminal();
        let hidden = HIDDEN.load(Ordering::Relaxed);
        let plain = match (volume(), terminal || hidden) {
            (Volume::Quiet, _) | (Volume::Usual, true) => None,
            (Volume::Usual, false) => Some(Duration::from_secs(10)),
            (Volume::Verbose, _) => Some(Duration::from_secs(1)),
        };
        let drawn = terminal && !hidden && volume() == Volume::Usual;
        let target = if drawn {
            ProgressDrawTarget::stderr_with_hz(Self::HERTZ)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {elapsed:>3} {wide_msg}").expect("a template");
        bar.set_style(style);
        if drawn {
            bar.enable_steady_tick(Duration::from_millis(1000 / u64::from(Self::HERTZ)));
        }
        ProgressLine { bar, plain, printed: Instant::now() }
    }

    /// Shows what is being done, in place of what was shown before.
    pub(crate) fn show(&mut self, text: &str) {
        match self.plain {
            None => self.bar.set_message(output::quote::line(text)),
            Some(every) if self.printed.elapsed() >= every => {
                say!("{text}");
                self.printed = Instant::now();
            }
            Some(_) => {}
        }
    }

    /// Shows what is being done, how much of it is done, and how long the rest will take at this pace.
    pub(crate) fn show_part(&mut self, done: usize, total: usize, text: &str) {
        let rest = match (done, self.bar.elapsed().as_secs_f64()) {
            (1.., elapsed) if elapsed > 1.0 => {
                let left = elapsed / done as f64 * total.saturating_sub(done) as f64;
                format!(", {} left", brief(Duration::from_secs_f64(left)))
            }
            _ => String::new(),
        };
        self.show(&format!("{done} of {total}{rest}: {text}"));
    }

    /// Prints a message that stays.
    pub(crate) fn say(&mut self, text: &str) {
        if volume() != Volume::Quiet {
            self.bar.suspend(|| say!("{text}"));
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A time in one unit.
pub(crate) fn brief(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds @ 100..=5_999 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}
