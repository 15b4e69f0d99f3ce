//! Runs stored tests again: do they end as they did, along the path that they took? [`folder`] does it for all tests of an output folder, on
//! request also on the program outside of the virtual world ([`NativeProgram`]).

use crate::clang;
use crate::coverage::Coverage;
use crate::native::{self, Judgement, Native, NativeProgram};
use crate::report::StoredExploration;
use crate::report::test::StoredTest;
use crate::target::{Run, RunLimits, Symbols, Target};
use smt::Terms;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why the tests of a folder cannot be run again.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// What cannot be read.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not what an exploration writes.
    #[error("{} is not {expected}: {reason}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The flag went up.
    #[error("interrupted")]
    Interrupted,
    /// The program cannot be run outside of the virtual world.
    #[error("{0}")]
    NotNative(&'static str),
    /// The compiler refuses the program.
    #[error(transparent)]
    Compiler(#[from] clang::Error),
    /// A test cannot be run outside of the virtual world.
    #[error(transparent)]
    Native(#[from] native::Error),
}

impl StoredExploration {
    /// What the summary of an output folder tells.
    pub fn open(folder: &Path) -> Result<StoredExploration, Error> {
        let path = folder.join("summary.json");
        let text = read(&path)?;
        let unusable = |reason| Error::Unusable { path, expected: "the summary of an exploration", reason };
        StoredExploration::read(&text).map_err(unusable)
    }

    /// The program that was explored, compiled for this machine.
    pub fn native(&self) -> Result<Native, Error> {
        let (files, flags) = self
            .source()
            .filter(|(files, _)| files.iter().all(|file| clang::is_c(file)))
            .ok_or(Error::NotNative("--native needs a program that was explored as C or C++"))?;
        if self.setup.entry.is_some() {
            return Err(Error::NotNative(
                "--native runs whole programs; the buffers of --entry are laid out for wasm32",
            ));
        }
        // A file that is not there deserves a better message than the compiler's.
        for file in &files {
            read(file)?;
        }
        let project = clang::Project { files: &files, entry: None, flags: &flags, checks: true, units: &[] };
        Ok(Native::compile(&project)?)
    }
}

/// What became of all tests of a folder.
#[derive(Debug)]
pub struct Replays {
    /// By the order of their names.
    pub tests: Vec<TestReplay>,
    /// What they cover together.
    pub coverage: Coverage,
}

/// What became of a test of a folder.
#[derive(Debug)]
pub struct TestReplay {
    /// The name of its file, without the ending.
    pub name: String,
    /// The test on the virtual machine.
    pub replayed: Replayed,
    /// The test on the native program, if there is one.
    pub native: Option<Judgement>,
}

impl Replays {
    /// How many tests crash, or do something undefined and go on.
    pub fn crashes(&self) -> usize {
        self.count(|test| test.replayed.run.first_crash().is_some())
    }

    /// How many tests end otherwise than they did, or along another path.
    pub fn divergences(&self) -> usize {
        self.count(|test| test.replayed.divergence.is_some())
    }

    /// How many tests crash on the native program.
    pub fn native_crashes(&self) -> usize {
        self.count(|test| test.native.as_ref().is_some_and(|native| native.crashed))
    }

    /// How many tests do something else on the native program than on the virtual machine.
    pub fn native_differences(&self) -> usize {
        self.count(|test| test.native.as_ref().is_some_and(|native| native.difference.is_some()))
    }

    fn count(&self, is: impl Fn(&TestReplay) -> bool) -> usize {
        self.tests.iter().filter(|test| is(test)).count()
    }
}

/// Runs all tests of an output folder again, and on the native program too if one is given, there with at most so much CPU time each.
pub fn folder(
    folder: &Path,
    target: &dyn Target,
    limits: &RunLimits,
    native: Option<(&dyn NativeProgram, Duration)>,
    stop: &AtomicBool,
) -> Result<Replays, Error> {
    let mut all = Replays { tests: Vec::new(), coverage: Coverage::new(target.sites()) };
    for path in test_files(folder)? {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let test = StoredTest::open(&path)?;
        let replayed = replay(target, &test, limits, &mut all.coverage);
        let judgement = native
            .map(|(program, cpu)| program.judge_test(&test.objects, &replayed.run, cpu, stop))
            .transpose()?;
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
        all.tests.push(TestReplay { name, replayed, native: judgement });
    }
    Ok(all)
}

impl StoredTest {
    /// The test of a file.
    pub fn open(path: &Path) -> Result<StoredTest, Error> {
        let unusable = |reason| Error::Unusable { path: path.to_path_buf(), expected: "a test", reason };
        StoredTest::read(&read(path)?).map_err(unusable)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| Error::Unreadable { path: path.to_path_buf(), error })
}

/// The tests of an output folder, in order.
pub(crate) fn test_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let path = folder.join("tests");
    let unreadable = |error| Error::Unreadable { path: path.clone(), error };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// What became of one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// What the test did this time.
    pub run: Run,
    /// How it differs from what was stored; none if it does not.
    pub divergence: Option<String>,
}

/// Runs a test in both domains, and adds up what it covers.
pub fn replay(
    target: &dyn Target,
    test: &StoredTest,
    limits: &RunLimits,
    coverage: &mut Coverage,
) -> Replayed {
    let input = test.input();
    let (mut concrete, trail) = target.run_concrete(&input, limits);
    coverage.add(&trail, target.sites());
    let (mut on_terms, path) =
        target.run_concolic(&input, &mut Terms::new(), &mut Symbols::default(), limits);
    concrete.settle(limits.fuel);
    on_terms.settle(limits.fuel);
    let ending = concrete.ending.to_string();
    let too_long = path.len() > limits.path;
    let path: Vec<(u64, bool)> =
        path.iter().take(limits.path).map(|entry| (target.address(entry.at), entry.taken)).collect();
    let parted = path.iter().zip(&test.path).position(|(new, old)| new != old);
    let divergence = if ending != test.ending {
        Some(format!("it ended with \"{ending}\" instead of \"{}\"", test.ending))
    } else if on_terms.ending != concrete.ending && !too_long {
        Some(format!("on terms it ended with \"{}\"", on_terms.ending))
    } else if let Some(at) = parted {
        Some(format!("it left its path at decision {} of {}", at + 1, test.path.len()))
    } else if path.len() != test.path.len() {
        Some(format!("it came to {} decisions instead of {}", path.len(), test.path.len()))
    } else {
        None
    };
    Replayed { run: concrete, divergence }
}
