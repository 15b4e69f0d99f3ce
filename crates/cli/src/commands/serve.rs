//! `soundline serve`: the live page.

use super::stop_on_interrupt;
use crate::input::{print, say};
use crate::{Failure, Outcome};
use ::campaign::serve::{ServeSettings, serve};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Show a campaign, or an output folder of fuzz or explore, as a page that updates itself.
///
/// The page reads; the one thing that it can change is a finding's state. On loopback it answers this machine alone. On any other
/// address it wants a token of at least 8 letters, given once as ?token=... or as a bearer token.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// A campaign file, a store, or an output folder
    #[arg(value_name = "DIR|FILE", default_value = "campaign.toml")]
    path: PathBuf,
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    listen: SocketAddr,
    /// What a caller must know; by default SOUNDLINE_TOKEN, if it is set
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let store = super::report::open(&arguments.path)?;
    let token = arguments
        .token
        .clone()
        .or_else(|| std::env::var("SOUNDLINE_TOKEN").ok())
        .filter(|token| !token.is_empty());
    let stop = stop_on_interrupt()?;
    serve(store, &ServeSettings { listen: arguments.listen, token }, &stop, &mut |address| {
        print(&format!("http://{address}/\n"));
        say!("Ctrl-C ends it");
    })?;
    Ok(Outcome::Clean)
}
