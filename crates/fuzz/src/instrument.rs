//! Solvers built here with counters and assertions: `soundline coverage build`. Owns the steps from a crate of sources to a program
//! that counts what it executes; each is a command. A step that has succeeded leaves a note of what it did, and is not done again while
//! it would do the same, so that a build that was stopped goes on; what a stopped step left half done counts for nothing.
//!
//! The sources of Z3 are those of the crate `z3-src`, which come from the registry like any other crate. What is built is no release
//! of anybody's: it has Z3's own assertions switched on, and what they say is a finding.

use crate::evolve::coverage::sancov::{RUNTIME, VARIABLE};
use crate::tuning::instrument::{SHOWN, TOLD};
use process::{Command, End, Halt, Limits, Watch};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The crate of Z3's sources that is built where the user names none.
pub const Z3_SOURCES: &str = "503.2.2";

/// What is to be built, and where.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The folder for sources and products.
    pub folder: PathBuf,
    /// The version of the crate `z3-src`; not used if `sources` names a folder.
    pub version: String,
    /// A folder with sources of Z3, or of any program with a `CMakeLists.txt`.
    pub sources: Option<PathBuf>,
    /// CMake's target, and the name of the program that it makes.
    pub target: (String, String),
    /// How many files are compiled at the same time.
    pub jobs: usize,
    /// Stop before compiling.
    pub configure_only: bool,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A tool is missing.
    #[error("there is no {program} on the search path: {advice}")]
    Missing {
        /// The tool.
        program: &'static str,
        /// How to get it.
        advice: &'static str,
    },
    /// A step failed.
    #[error("{step}: {message}")]
    Step {
        /// Which.
        step: &'static str,
        /// The last lines of what it said.
        message: String,
    },
    /// A file or folder made trouble.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Ctrl-C.
    #[error("stopped; the same command goes on with the build")]
    Stopped,
}

/// What a build has led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built {
    /// The program; `None` if it was only configured.
    pub program: Option<PathBuf>,
    /// How many counters it has, as a run of it showed.
    pub counters: usize,
}

/// The tools, and how to get them.
const TOOLS: [(&str, &str); 3] = [
    ("clang", "install clang, which has the instrumentation"),
    ("clang++", "install clang, which has the instrumentation"),
    ("cmake", "install cmake, or: pip install cmake"),
];

/// One step: its name, its command, and what is there when it is done.
struct Step {
    name: &'static str,
    words: Vec<String>,
    product: PathBuf,
}

/// The steps that are done, in a folder of notes.
struct Steps<'a> {
    folder: PathBuf,
    /// What the steps so far did: a step whose predecessors did something else has to be done again.
    so_far: String,
    stop: &'a AtomicBool,
    progress: &'a mut dyn FnMut(&str),
}

/// Builds a program that counts what it executes and checks its assertions.
pub fn build(
    settings: &BuildSettings,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str),
) -> Result<Built, BuildError> {
    for (program, advice) in TOOLS {
        if crate::solver::table::on_path(program).is_none() {
            return Err(BuildError::Missing { program, advice });
        }
    }
    let folder = &settings.folder;
    write(&folder.join("soundline_coverage.c"), RUNTIME)?;
    let mut steps = Steps { folder: folder.join("steps"), so_far: RUNTIME.into(), stop, progress };
    let sources = match &settings.sources {
        Some(sources) => sources.clone(),
        None => {
            let manifest = folder.join("fetch/Cargo.toml");
            let content = manifest_of(&settings.version);
            write(&manifest, &content)?;
            write(&folder.join("fetch/src/lib.rs"), "")?;
            steps.so_far += &content;
            steps.take(&fetch(folder, &manifest))?;
            folder.join("vendor/z3-src/z3")
        }
    };
    steps.take(&runtime(folder))?;
    steps.take(&configure(folder, &sources)).map_err(with_advice)?;
    if settings.configure_only {
        return Ok(Built { program: None, counters: 0 });
    }
    let compile = compile(folder, settings);
    steps.take(&compile)?;
    let counters = counters(&compile.product, folder, stop)?;
    Ok(Built { program: Some(compile.product), counters })
}

/// Z3's sources want a newer cmake than many systems have.
fn with_advice(error: BuildError) -> BuildError {
    match error {
        BuildError::Step { step, message } if message.contains("or higher is required") => {
            let message = format!("{}\na newer cmake comes with: pip install cmake", message.trim_end());
            BuildError::Step { step, message }
        }
        other => other,
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// A package that depends on nothing but the sources.
fn manifest_of(version: &str) -> String {
    format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\nz3-src = \"={version}\"\n\n[workspace]\n"
    )
}

fn fetch(folder: &Path, manifest: &Path) -> Step {
    let vendor = folder.join("vendor");
    let words = ["cargo", "vendor", "--quiet", "--manifest-path", &text(manifest), &text(&vendor)];
    Step { name: "getting the sources", words: own(&words), product: vendor.join("z3-src/z3/CMakeLists.txt") }
}

fn runtime(folder: &Path) -> Step {
    let (source, product) = (folder.join("soundline_coverage.c"), folder.join("soundline_coverage.o"));
    let words = ["clang", "-O2", "-c", &text(&source), "-o", &text(&product)];
    Step { name: "compiling the runtime", words: own(&words), product }
}

/// A debug build has the assertions; optimisation makes it bearable.
fn configure(folder: &Path, sources: &Path) -> Step {
    let build = folder.join("build");
    let coverage = "-fsanitize-coverage=trace-pc-guard -g1";
    let words = [
        "cmake".into(),
        "-S".into(),
        text(sources),
        "-B".into(),
        text(&build),
        "-G".into(),
        "Unix Makefiles".into(),
        "-DCMAKE_BUILD_TYPE=Debug".into(),
        "-DCMAKE_C_COMPILER=clang".into(),
        "-DCMAKE_CXX_COMPILER=clang++".into(),
        "-DCMAKE_C_FLAGS_DEBUG=-O1".into(),
        "-DCMAKE_CXX_FLAGS_DEBUG=-O1".into(),
        format!("-DCMAKE_C_FLAGS={coverage}"),
        format!("-DCMAKE_CXX_FLAGS={coverage}"),
        format!("-DCMAKE_EXE_LINKER_FLAGS={}", text(&folder.join("soundline_coverage.o"))),
        "-DZ3_BUILD_LIBZ3_SHARED=OFF".into(),
        "-DZ3_BUILD_TEST_EXECUTABLES=OFF".into(),
        // The crate has no examples.
        "-DZ3_ENABLE_EXAMPLE_TARGETS=OFF".into(),
    ];
    Step { name: "configuring", words: words.into(), product: build.join("Makefile") }
}

fn compile(folder: &Path, settings: &BuildSettings) -> Step {
    let build = folder.join("build");
    let (target, program) = &settings.target;
    let jobs = settings.jobs.to_string();
    let words = ["cmake", "--build", &text(&build), "--target", target, "--parallel", &jobs];
    Step { name: "compiling", words: own(&words), product: build.join(program) }
}

fn own(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn write(path: &Path, content: &str) -> Result<(), BuildError> {
    let failed = |error| BuildError::Io { path: path.into(), error };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    std::fs::write(path, content).map_err(failed)
}

/// Compiling a solver takes up to an hour of CPU time a core; hours are the limit.
fn limits() -> Limits {
    let hours = Duration::from_secs(8 * 3600);
    Limits { wall: hours, memory: 32 << 30, output: 256 << 20, ..Limits::with_cpu(4 * hours) }
}

impl Steps<'_> {
    /// Does a step, unless it was done.
    fn take(&mut self, step: &Step) -> Result<(), BuildError> {
        self.so_far += &step.words.join("\n");
        let note = self.folder.join(step.name.replace(' ', "-"));
        let done = std::fs::read_to_string(&note).is_ok_and(|text| text == self.so_far);
        if done && step.product.exists() {
            (self.progress)(&format!("{}: done before", step.name));
            return Ok(());
        }
        // Whatever a step that was stopped has left would be taken for whole.
        if step.product.is_file() {
            std::fs::remove_file(&step.product)
                .map_err(|error| BuildError::Io { path: step.product.clone(), error })?;
        }
        self.run(step)?;
        write(&note, &self.so_far)
    }

    /// Runs the command of a step, and tells now and then how far it is.
    fn run(&mut self, step: &Step) -> Result<(), BuildError> {
        (self.progress)(step.name);
        let failed = |message: String| BuildError::Step { step: step.name, message };
        let (limits, start) = (limits(), Instant::now());
        let mut process =
            Command::of_words(&step.words).start().map_err(|error| failed(error.to_string()))?;
        let (mut said, mut told) = (String::new(), None);
        let halt = loop {
            let slice = Limits { wall: TOLD, ..limits };
            let watch =
                Watch { input: b"", marker: None, used: Duration::ZERO, limits: &slice, stop: self.stop };
            let halt = process.watch(&watch);
            let (out, err) = process.take_output();
            said = last_lines(&(said + &out + &err));
            if halt != Halt::Limit(End::WallLimit) || start.elapsed() >= limits.wall {
                break halt;
            }
            if let Some(share) = share_of(&said).filter(|share| told != Some(*share)) {
                (self.progress)(&format!("{}: {share}%", step.name));
                told = Some(share);
            }
        };
        let (end, _) = process.finish(halt).map_err(|error| failed(error.to_string()))?;
        match end {
            End::Stopped => Err(BuildError::Stopped),
            End::Exited(0) if step.product.exists() => Ok(()),
            _ => Err(failed(said)),
        }
    }
}

/// The end of what a command said.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut last = lines[lines.len().saturating_sub(SHOWN)..].join("\n");
    if text.ends_with('\n') {
        last.push('\n');
    }
    last
}

/// How far a build is, by the last line that tells: `[ 12%] Building ...`.
fn share_of(text: &str) -> Option<u32> {
    let share = |line: &str| line.trim_start().strip_prefix('[')?.split_once("%]")?.0.trim().parse().ok();
    text.lines().rev().find_map(share)
}

/// How many counters a run of the program leaves.
fn counters(program: &Path, folder: &Path, stop: &AtomicBool) -> Result<usize, BuildError> {
    use crate::evolve::coverage::{Output, Source, sancov::Sancov};
    const STEP: &str = "trying the program";
    let failed = |message: String| BuildError::Step { step: STEP, message };
    let file = folder.join("counters");
    let mut source = Sancov::new(file.clone());
    source.clear().map_err(|error| failed(error.0))?;
    let command = Command::new(program).argument("--version").variable(VARIABLE, text(&file));
    let run = command
        .run(b"", &Limits::with_cpu(Duration::from_secs(60)), stop)
        .map_err(|error| failed(error.to_string()))?;
    if run.end != End::Exited(0) {
        return Err(failed(format!("it ended with {:?}: {}", run.end, run.stderr)));
    }
    let coverage = source.collect(Output::default()).map_err(|error| failed(error.0))?;
    match coverage.lines() {
        0 => Err(failed("it counts nothing".into())),
        counters => Ok(counters),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    const PROGRAM: &str = "#include <cstdio>\n#include <cstring>\n#include <cassert>\n\
        static int work(int n) { assert(n < 5); return n * 2; }\n\
        int main(int argc, char **argv) {\n  if (argc > 1 && !std::strcmp(argv[1], \"--version\")) { std::puts(\"stand-in 1.0\"); return 0; }\n\
        \x20 std::printf(\"%d\\n\", work(argc));\n  return 0;\n}\n";
    const LISTS: &str =
        "cmake_minimum_required(VERSION 3.10)\nproject(standin CXX)\nadd_executable(standin main.cpp)\n";

    /// The steps on a small program in the place of Z3: it counts, its assertions are on, and nothing is done twice.
    #[test]
    fn a_small_program_is_built() {
        if TOOLS.iter().any(|(tool, _)| crate::solver::table::on_path(tool).is_none()) {
            eprintln!("skipped: this needs clang and cmake");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let sources = folder.path().join("sources");
        write(&sources.join("main.cpp"), PROGRAM).expect("written");
        write(&sources.join("CMakeLists.txt"), LISTS).expect("written");
        let settings = BuildSettings {
            folder: folder.path().join("out"),
            version: Z3_SOURCES.into(),
            sources: Some(sources),
            target: ("standin".into(), "standin".into()),
            jobs: 1,
            configure_only: false,
        };
        let (stop, mut said) = (AtomicBool::new(false), Vec::new());
        let built = build(&settings, &stop, &mut |text| said.push(text.to_string())).expect("a program");
        assert!(built.counters > 0);
        said.retain(|text| !text.ends_with('%'));
        assert_eq!(said, ["compiling the runtime", "configuring", "compiling"]);
        let program = built.program.expect("it was compiled");
        let limits = Limits::with_cpu(Duration::from_secs(10));
        let words = [text(&program), "1".into(), "2".into(), "3".into(), "4".into(), "5".into()];
        let run = process::run(&words, b"", &limits, &stop).expect("it runs");
        let answer = crate::solver::answer::read(&run);
        assert!(
            matches!(&answer.trouble, Some(crate::solver::answer::Trouble::Assertion(text)) if text.contains("n < 5")),
            "{answer:?}"
        );
        said.clear();
        build(&settings, &stop, &mut |text| said.push(text.to_string())).expect("the same");
        assert!(said.iter().all(|text| text.ends_with("done before")), "{said:?}");
        // A step that was stopped is done again, and what it left is not taken for its product.
        let other = BuildSettings { jobs: 2, ..settings.clone() };
        std::fs::write(&program, "half of it").expect("written");
        let stopped = build(&other, &stop, &mut |text| stop.store(text == "compiling", Ordering::Relaxed));
        assert!(matches!(stopped, Err(BuildError::Stopped)), "{stopped:?}");
        stop.store(false, Ordering::Relaxed);
        said.clear();
        let again = build(&other, &stop, &mut |text| said.push(text.to_string())).expect("a program");
        assert!(again.counters > 0);
        said.retain(|text| !text.ends_with('%'));
        assert_eq!(said, ["compiling the runtime: done before", "configuring: done before", "compiling"]);
        // A program that does not compile says why.
        write(&settings.sources.as_ref().expect("given").join("main.cpp"), "int main() { return x; }")
            .expect("written");
        std::fs::remove_file(&program).expect("removed");
        let error = build(&settings, &stop, &mut |_| {}).expect_err("no program");
        assert!(error.to_string().contains("undeclared"), "{error}");
    }

    #[test]
    fn builds_tell_how_far_they_are() {
        assert_eq!(share_of("[  3%] Building a\n[ 12%] Building b\nwarning: c\n"), Some(12));
        assert_eq!(share_of("-- Configuring done"), None);
    }

    #[test]
    fn the_sources_come_from_the_registry() {
        let manifest = manifest_of("503.2.2");
        assert!(manifest.contains("z3-src = \"=503.2.2\"") && manifest.contains("[workspace]"));
    }
}
