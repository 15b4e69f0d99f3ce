//! A campaign of AFL++ with us as one of its instances. Instances share a folder: each has a folder of its own in it, with its
//! inputs below `queue`, and looks into those of the others now and then.

use crate::search::{Arrivals, Test};
use crate::seeds;
use crate::target::Input;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The name of our instance.
const INSTANCE: &str = "soundline";

/// How often the others' queues are looked at.
const EVERY: Duration = Duration::from_secs(1);

/// A campaign that we take part in.
#[derive(Debug)]
pub struct AflCampaign {
    folder: PathBuf,
    exchange: Mutex<Exchange>,
}

/// What was taken and put so far.
#[derive(Debug)]
struct Exchange {
    /// Entries of others that were seen.
    known: BTreeSet<PathBuf>,
    looked: Instant,
    /// The longest input that the program gets to see.
    longest: usize,
    taken: usize,
    too_long: usize,
    /// How many tests were looked at, and the number of our next entry.
    tests: usize,
    next: usize,
    put: usize,
    broken: Option<String>,
}

impl AflCampaign {
    /// Joins the campaign of a folder.
    pub fn join(folder: &Path) -> io::Result<AflCampaign> {
        let queue = folder.join(INSTANCE).join("queue");
        std::fs::create_dir_all(&queue).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot make {}: {error}", queue.display()))
        })?;
        // Numbers of an earlier run are not given out again: the others have seen them.
        let number =
            |path: PathBuf| path.file_name()?.to_str()?.strip_prefix("id:")?.get(..6)?.parse::<usize>().ok();
        let next = entries(&queue).into_iter().filter_map(number).max().map_or(0, |last| last + 1);
        let exchange = Exchange {
            known: BTreeSet::new(),
            looked: Instant::now(),
            longest: usize::MAX,
            taken: 0,
            too_long: 0,
            tests: 0,
            next,
            put: 0,
            broken: None,
        };
        Ok(AflCampaign { folder: folder.to_path_buf(), exchange: Mutex::new(exchange) })
    }

    fn exchange(&self) -> MutexGuard<'_, Exchange> {
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Longer inputs than this are left alone from now on.
    pub fn longest(&self, bytes: usize) {
        self.exchange().longest = bytes;
    }

    /// The entries of all other instances that were not taken yet, in the order of their names.
    pub fn take(&self) -> Vec<Vec<u8>> {
        let mut exchange = self.exchange();
        exchange.looked = Instant::now();
        let mut inputs = Vec::new();
        let others = listed(&self.folder).into_iter().filter(|path| path.is_dir());
        for instance in others.filter(|path| path.file_name().is_some_and(|name| name != INSTANCE)) {
            for file in entries(&instance.join("queue")) {
                if !exchange.known.insert(file.clone()) || is_ours(&file) {
                    continue;
                }
                // An entry that is gone again was of no use.
                let Ok(bytes) = std::fs::read(&file) else { continue };
                if bytes.len() > exchange.longest {
                    exchange.too_long += 1;
                } else {
                    exchange.taken += 1;
                    inputs.push(bytes);
                }
            }
        }
        inputs
    }

    /// Puts the inputs of new tests into our queue that cover something new.
    pub fn put(&self, tests: &[Test]) {
        let mut exchange = self.exchange();
        let from = std::mem::replace(&mut exchange.tests, tests.len()).min(tests.len());
        let queue = self.folder.join(INSTANCE).join("queue");
        for test in &tests[from..] {
            let stdin = test.run.objects.iter().find(|object| object.name == "stdin");
            let Some(stdin) = stdin.filter(|_| test.fresh.anything) else { continue };
            let name = format!("id:{:06},src:soundline,op:{}", exchange.next, test.origin.word());
            // The others may look at any moment: a file appears with all of its bytes.
            let (half, whole) = (queue.join(".writing"), queue.join(name));
            match std::fs::write(&half, &stdin.bytes).and_then(|()| std::fs::rename(&half, &whole)) {
                Ok(()) => {
                    exchange.next += 1;
                    exchange.put += 1;
                }
                Err(error) => exchange.broken = Some(format!("{}: {error}", whole.display())),
            }
        }
    }

    /// What was exchanged, in a line.
    pub fn summary(&self) -> String {
        let exchange = self.exchange();
        let mut text = format!(
            "took {} inputs from other instances ({} were too long; --stdin allows longer ones), put {} into {}",
            exchange.taken,
            exchange.too_long,
            exchange.put,
            self.folder.join(INSTANCE).join("queue").display(),
        );
        if let Some(error) = &exchange.broken {
            text.push_str(&format!("; could not write {error}"));
        }
        text
    }
}

impl Arrivals for AflCampaign {
    fn new_inputs(&self) -> Vec<Input> {
        if self.exchange().looked.elapsed() < EVERY {
            return Vec::new();
        }
        self.take().iter().map(|bytes| seeds::stdin(bytes)).collect()
    }
}

/// The entries of a queue, by name.
fn entries(queue: &Path) -> Vec<PathBuf> {
    let is_entry =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("id:"));
    listed(queue).into_iter().filter(is_entry).collect()
}

/// Whether another instance has an entry from us: AFL++ says so in its name.
fn is_ours(entry: &Path) -> bool {
    let name = entry.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.contains(&format!(",sync:{INSTANCE},"))
}

/// What is in a folder, by name; nothing if it cannot be read.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_or_else(|_| Vec::new(), |entries| entries.flatten().map(|entry| entry.path()).collect());
    all.sort();
    all
}
