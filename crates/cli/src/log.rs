//! `SOUNDLINE_LOG`: what the libraries do, step by step, on standard error. `SOUNDLINE_LOG=debug` shows processes, batches and suspicions,
//! `SOUNDLINE_LOG=trace` also every job of a search and every turn of an engine; `SOUNDLINE_LOG=process=debug,solve=trace` chooses by crate. It
//! is for finding out why a run did what it did: the text may change at any time, and no program should read it.

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts the log if the environment asks for one. A value that is not understood is said to be so, and the command goes on.
pub(crate) fn start() {
    let Ok(wanted) = std::env::var("SOUNDLINE_LOG") else { return };
    match wanted.parse::<Targets>() {
        Ok(targets) => {
            let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
            tracing_subscriber::registry().with(targets).with(lines).init();
        }
        Err(error) => crate::input::say!("note: SOUNDLINE_LOG={wanted} is not understood ({error})"),
    }
}
