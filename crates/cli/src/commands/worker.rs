//! `soundline worker`: work for a campaign that another machine coordinates.

use super::stop_on_interrupt;
use crate::input::{print, say};
use crate::{Failure, Outcome};
use ::campaign::broker::{BrokerAccess, Working, connect, work};
use ::campaign::runner::Libraries;
use std::num::NonZeroUsize;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How a broker is reached; `campaign run` takes the same.
#[derive(clap::Args, Debug)]
pub(crate) struct BrokerArguments {
    /// A file with the broker's token
    #[arg(long, value_name = "FILE", requires = "broker")]
    token_file: Option<PathBuf>,
    /// A user of the broker's
    #[arg(long, value_name = "NAME", requires = "broker", requires = "password_file")]
    user: Option<String>,
    /// A file with the user's password
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE", requires = "broker")]
    nkey_file: Option<PathBuf>,
    /// A file of credentials, as nsc writes it
    #[arg(long, value_name = "FILE", requires = "broker")]
    credentials: Option<PathBuf>,
    /// A file with certificates of authorities that are believed, for tls://
    #[arg(long, value_name = "FILE", requires = "broker")]
    authorities: Option<PathBuf>,
    /// Send clear text to another host, where everybody on the way can read and change it
    #[arg(long, requires = "broker")]
    clear_text: bool,
    /// Seconds after which a worker that shows no sign of life loses its items to others
    #[arg(long, value_name = "S", default_value = "30", value_parser = super::seconds, requires = "broker")]
    patience: Duration,
}

impl BrokerArguments {
    pub(crate) fn access(&self, url: &str) -> BrokerAccess {
        BrokerAccess {
            url: url.to_string(),
            token_file: self.token_file.clone(),
            user: self.user.clone().zip(self.password_file.clone()),
            nkey_file: self.nkey_file.clone(),
            credentials: self.credentials.clone(),
            authorities: self.authorities.clone(),
            clear_text: self.clear_text,
        }
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }
}

/// Take work from a broker, do it, and send back what came of it.
///
/// A worker runs solvers that it knows by name and that are installed here, with options that touch no file; a command line from the
/// network only with --allow-commands. Ctrl-C gives the items at hand back.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The broker: nats://host:4222, or tls://host:4222
    #[arg(long, value_name = "URL", required = true)]
    broker: String,
    #[command(flatten)]
    access: BrokerArguments,
    /// How this worker is known; by default the host's name and the process
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Items at the same time; by default one a core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run command lines that come from the network
    #[arg(long)]
    allow_commands: bool,
    /// Install releases that are missing from the package index, by name and version
    #[arg(long)]
    install: bool,
}

/// A runtime for what talks to the network.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    built.map_err(|error| Failure::Internal(format!("cannot start: {error}")))
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let stop = stop_on_interrupt()?;
    let access = arguments.access.access(&arguments.broker);
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    // The folder is made here, or the work is refused: it is removed at the end, and other users can write to its parent.
    let folder = std::env::temp_dir().join(format!("soundline-packs-{}", std::process::id()));
    std::fs::DirBuilder::new()
        .mode(0o700)
        .create(&folder)
        .map_err(|error| Failure::Internal(format!("cannot make {}: {error}", folder.display())))?;
    let working = Working {
        name: arguments.name.clone().unwrap_or_else(|| format!("{}-{}", host.trim(), std::process::id())),
        jobs: arguments
            .jobs
            .or_else(|| std::thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get),
        allow_commands: arguments.allow_commands,
        install: arguments.install,
        folder: folder.clone(),
        patience: arguments.access.patience(),
    };
    let name = working.name.clone();
    let done = runtime()?.block_on(async {
        // Refused at once, not after the first item.
        drop(connect(&access, &name).await?);
        say!("worker {name}: {} jobs, broker {}", working.jobs, access.url);
        work(&access, working, Arc::new(Libraries::default()), stop, |text| say!("note: {text}")).await
    });
    // Packs are of use to this worker alone.
    std::fs::remove_dir_all(&folder).unwrap_or(());
    print(&format!("{} items done\n", done?));
    Ok(Outcome::Clean)
}
