//! What can be set: by the caller for the whole session, by `set-option` in the text.

use crate::engines::AUTO;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What the caller decides.
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// The engine, by its name in the table.
    pub engine: String,
    /// The longest time for one check; the text may set a shorter one by `:timeout`.
    pub time_limit: Option<Duration>,
    /// The longest time for one path condition among several that are solved together, for engines that know of it.
    pub each_limit: Option<Duration>,
    /// How many bytes the tables of an engine may take.
    pub memory: usize,
    /// The seed, unless the text sets `:random-seed`.
    pub seed: u64,
    /// Whether answers are remembered.
    pub cache: bool,
    /// Whether queries are split into independent parts.
    pub independence: bool,
    /// Whether partial solutions are recorded.
    pub record: bool,
    /// Whether every `sat` is followed by its model.
    pub print_models: bool,
    /// Whether every check carries its model.
    pub keep_models: bool,
    /// Ends the check under way when it is set.
    pub stop: Arc<AtomicBool>,
}

impl Default for SessionSettings {
    fn default() -> Self {
        SessionSettings {
            engine: AUTO.into(),
            time_limit: None,
            each_limit: None,
            memory: 4 << 30,
            seed: 0,
            cache: true,
            independence: true,
            record: false,
            print_models: false,
            keep_models: false,
            stop: Arc::default(),
        }
    }
}

/// The options of the text.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) print_success: bool,
    pub(super) produce_models: bool,
    pub(super) produce_assignments: bool,
    pub(super) produce_assertions: bool,
    pub(super) produce_unsat_cores: bool,
    pub(super) produce_unsat_assumptions: bool,
    pub(super) global_declarations: bool,
    /// Milliseconds for a check; `NO_TIMEOUT` and zero are no limit, as with z3.
    timeout: u64,
    /// Ticks for a check; zero is no limit.
    resources: u64,
    /// From one on, every check is followed by a line about it on the diagnostic channel.
    pub(super) verbosity: u64,
    regular: Channel,
    pub(super) diagnostic: Channel,
    proofs: bool,
    seed: u64,
}

/// The value of `:timeout` that z3 prints for no limit.
const NO_TIMEOUT: u64 = u32::MAX as u64;

/// Where output goes. A session writes no files: text for either is handed to the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Channel {
    Stdout,
    Stderr,
}

impl Channel {
    fn text(self) -> &'static str {
        match self {
            Channel::Stdout => "\"stdout\"",
            Channel::Stderr => "\"stderr\"",
        }
    }
}

/// What became of a `set-option`.
pub(super) enum Setting {
    Done,
    /// The engines must be made again.
    Reseeded(u64),
    Unsupported,
    Wrong(String),
}

/// An option.
struct Row {
    keyword: &'static str,
    /// Whether it is fixed once something was asserted.
    early: bool,
    kind: Kind,
}

/// What an option holds, and where.
enum Kind {
    Flag(fn(&mut Options) -> &mut bool),
    Number(fn(&mut Options) -> &mut u64),
    /// A channel, and the only one that can be served if not both.
    Channel(fn(&mut Options) -> &mut Channel, Option<Channel>),
    /// A flag that cannot be true here.
    Never(fn(&mut Options) -> &mut bool),
}

/// The options of SMT-LIB 2.6 and 2.7, and z3's names for limits.
static TABLE: &[Row] = &[
    Row { keyword: ":print-success", early: false, kind: Kind::Flag(|o| &mut o.print_success) },
    Row { keyword: ":produce-models", early: true, kind: Kind::Flag(|o| &mut o.produce_models) },
    Row { keyword: ":produce-assignments", early: true, kind: Kind::Flag(|o| &mut o.produce_assignments) },
    Row { keyword: ":produce-unsat-cores", early: true, kind: Kind::Flag(|o| &mut o.produce_unsat_cores) },
    Row {
        keyword: ":produce-unsat-assumptions",
        early: true,
        kind: Kind::Flag(|o| &mut o.produce_unsat_assumptions),
    },
    Row { keyword: ":produce-assertions", early: true, kind: Kind::Flag(|o| &mut o.produce_assertions) },
    Row { keyword: ":interactive-mode", early: true, kind: Kind::Flag(|o| &mut o.produce_assertions) },
    Row { keyword: ":global-declarations", early: true, kind: Kind::Flag(|o| &mut o.global_declarations) },
    Row { keyword: ":produce-proofs", early: true, kind: Kind::Never(|o| &mut o.proofs) },
    Row { keyword: ":random-seed", early: false, kind: Kind::Number(|o| &mut o.seed) },
    Row { keyword: ":verbosity", early: false, kind: Kind::Number(|o| &mut o.verbosity) },
    Row { keyword: ":timeout", early: false, kind: Kind::Number(|o| &mut o.timeout) },
    Row { keyword: ":rlimit", early: false, kind: Kind::Number(|o| &mut o.resources) },
    Row { keyword: ":reproducible-resource-limit", early: false, kind: Kind::Number(|o| &mut o.resources) },
    Row {
        keyword: ":regular-output-channel",
        early: false,
        kind: Kind::Channel(|o| &mut o.regular, Some(Channel::Stdout)),
    },
    Row {
        keyword: ":diagnostic-output-channel",
        early: false,
        kind: Kind::Channel(|o| &mut o.diagnostic, None),
    },
];

impl Options {
    /// The defaults: models and assertions are there to be asked for, as with other solvers.
    pub(super) fn new(settings: &SessionSettings) -> Options {
        Options {
            print_success: false,
            produce_models: true,
            produce_assignments: false,
            produce_assertions: true,
            produce_unsat_cores: false,
            produce_unsat_assumptions: false,
            global_declarations: false,
            timeout: NO_TIMEOUT,
            resources: 0,
            verbosity: 0,
            regular: Channel::Stdout,
            diagnostic: Channel::Stderr,
            proofs: false,
            seed: settings.seed,
        }
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The longest time for a check, if the text limits it.
    pub(super) fn time_limit(&self) -> Option<Duration> {
        let limited = self.timeout != 0 && self.timeout != NO_TIMEOUT;
        limited.then(|| Duration::from_millis(self.timeout))
    }

    /// The most ticks for a check, if the text limits them.
    pub(super) fn resource_limit(&self) -> Option<u64> {
        (self.resources != 0).then_some(self.resources)
    }

    pub(super) fn set(&mut self, keyword: &str, value: &str, started: bool) -> Setting {
        let Some(row) = TABLE.iter().find(|row| row.keyword == keyword) else { return Setting::Unsupported };
        match row.kind {
            Kind::Flag(of) | Kind::Never(of) => {
                let value = match value {
                    "true" => true,
                    "false" => false,
                    _ => return Setting::Wrong(format!("{keyword} is true or false, not {value}")),
                };
                if value && matches!(row.kind, Kind::Never(_)) {
                    return Setting::Unsupported;
                }
                if row.early && started && *of(self) != value {
                    return Setting::Wrong(format!("{keyword} must be set before the first assertion"));
                }
                *of(self) = value;
                Setting::Done
            }
            Kind::Number(of) => match value.parse() {
                Ok(number) => {
                    *of(self) = number;
                    if keyword == ":random-seed" { Setting::Reseeded(number) } else { Setting::Done }
                }
                Err(_) => Setting::Wrong(format!("{keyword} is a number, not {value}")),
            },
            Kind::Channel(of, only) => {
                let known = [Channel::Stdout, Channel::Stderr].into_iter().find(|c| c.text() == value);
                match known {
                    Some(channel) if only.is_none_or(|only| only == channel) => {
                        *of(self) = channel;
                        Setting::Done
                    }
                    _ if !value.starts_with('"') => {
                        Setting::Wrong(format!("{keyword} is a string, not {value}"))
                    }
                    _ => Setting::Unsupported,
                }
            }
        }
    }

    /// The value of an option as text.
    pub(super) fn get(&self, keyword: &str) -> Option<String> {
        let mut copy = self.clone();
        Some(match TABLE.iter().find(|row| row.keyword == keyword)?.kind {
            Kind::Flag(of) | Kind::Never(of) => of(&mut copy).to_string(),
            Kind::Number(of) => of(&mut copy).to_string(),
            Kind::Channel(of, _) => of(&mut copy).text().into(),
        })
    }
}
