//! What can be set: by the caller for the whole session, by `set-option` in the text.

use crate::engines::AUTO;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What the caller decides.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engine, by its name in the table.
    pub engine: String,
    /// The longest time for one check.
    pub time_limit: Option<Duration>,
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

impl Default for Settings {
    fn default() -> Self {
        Settings {
            engine: AUTO.into(),
            time_limit: None,
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

/// The options of SMT-LIB that mean something here.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) print_success: bool,
    pub(super) produce_models: bool,
    pub(super) produce_unsat_cores: bool,
    pub(super) produce_unsat_assumptions: bool,
    pub(super) global_declarations: bool,
    produce_assertions: bool,
    seed: u64,
}

/// What became of a `set-option`.
pub(super) enum Setting {
    Done,
    /// The engines must be made again.
    Reseeded(u64),
    Unsupported,
    Wrong(String),
}

/// A Boolean option.
struct Flag {
    keyword: &'static str,
    /// Whether it is fixed once something was asserted.
    early: bool,
    of: fn(&mut Options) -> &mut bool,
}

static FLAGS: &[Flag] = &[
    Flag { keyword: ":print-success", early: false, of: |o| &mut o.print_success },
    Flag { keyword: ":produce-models", early: true, of: |o| &mut o.produce_models },
    Flag { keyword: ":produce-unsat-cores", early: true, of: |o| &mut o.produce_unsat_cores },
    Flag { keyword: ":produce-unsat-assumptions", early: true, of: |o| &mut o.produce_unsat_assumptions },
    Flag { keyword: ":produce-assertions", early: true, of: |o| &mut o.produce_assertions },
    Flag { keyword: ":interactive-mode", early: true, of: |o| &mut o.produce_assertions },
    Flag { keyword: ":global-declarations", early: true, of: |o| &mut o.global_declarations },
];

impl Options {
    /// The defaults: models and assertions are there to be asked for, as with other solvers.
    pub(super) fn new(settings: &Settings) -> Options {
        Options {
            print_success: false,
            produce_models: true,
            produce_unsat_cores: false,
            produce_unsat_assumptions: false,
            global_declarations: false,
            produce_assertions: true,
            seed: settings.seed,
        }
    }

    pub(super) fn set(&mut self, keyword: &str, value: &str, started: bool) -> Setting {
        if let Some(flag) = FLAGS.iter().find(|f| f.keyword == keyword) {
            let value = match value {
                "true" => true,
                "false" => false,
                _ => return Setting::Wrong(format!("{keyword} is true or false, not {value}")),
            };
            if flag.early && started && *(flag.of)(self) != value {
                return Setting::Wrong(format!("{keyword} must be set before the first assertion"));
            }
            *(flag.of)(self) = value;
            return Setting::Done;
        }
        match (keyword, value.parse()) {
            (":random-seed", Ok(seed)) => {
                self.seed = seed;
                Setting::Reseeded(seed)
            }
            (":random-seed", Err(_)) => Setting::Wrong(format!("{keyword} is a number, not {value}")),
            _ => Setting::Unsupported,
        }
    }

    /// The value of an option as text.
    pub(super) fn get(&self, keyword: &str) -> Option<String> {
        if keyword == ":random-seed" {
            return Some(self.seed.to_string());
        }
        let flag = FLAGS.iter().find(|f| f.keyword == keyword)?;
        Some((flag.of)(&mut self.clone()).to_string())
    }
}
