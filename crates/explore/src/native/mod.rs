//! Tests on this machine instead of the virtual one: the C program compiled natively, with sanitizers where there are any.
//!
//! A second opinion on both sides. The sanitizers see what WebAssembly lets pass (an overflow within the memory, undefined
//! arithmetic), and what both see is established independently of our machine. Differences are expected where a program
//! depends on the width of `long` and of pointers (32 bits on wasm32), on undefined behaviour, or on the world around it.
//!
//! This compiles the program, lays out a test's inputs, runs the program under limits (by the crate [`process`]) and compares the run
//! with the one on the virtual machine.

use crate::checks::Kind;
use crate::clang;
use crate::report::test::StoredObject;
use crate::search::Exploration;
use crate::target::{Ending, Note, Run};
use crate::world::MAX_OUTPUT;
use process::{End, Limits};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The functions of `soundline.h` in C, over a function `next_input` that is still to be given.
pub(crate) const FUNCTIONS: &str = include_str!("functions.c");
const INPUTS: &str = include_str!("inputs.c");

/// What can watch a native run, the best first: in words, and the options. The first needs libraries of the compiler's that are
/// often not installed; the second needs none and ends the program at undefined behaviour, without a word.
const SANITIZERS: &[(&str, &[&str])] = &[
    (
        "address and undefined behaviour sanitizers",
        &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    ),
    ("undefined behaviour traps", &["-fsanitize=undefined", "-fsanitize-trap=undefined"]),
    ("no sanitizers", &[]),
];

/// Debian's package of the sanitizers' libraries, for its clang.
pub const PACKAGE: &str = "libclang-rt-14-dev";

/// Why a test was not run natively.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The inputs of the test, or the program, cannot be written to a temporary folder.
    #[error("cannot lay out the inputs of a test: {0}")]
    LayOut(#[from] io::Error),
    /// The program, or what runs it, cannot be started.
    #[error(transparent)]
    Start(#[from] process::Error),
}

/// A program outside of the virtual world, on which a test can be tried.
pub trait NativeProgram {
    /// Where it runs, as messages say it: `natively`.
    fn place(&self) -> &'static str;

    /// What watches its runs; none if it is the program's usual machine alone.
    fn sanitizers(&self) -> Option<&'static str>;

    /// Runs a test with at most so much CPU time, and compares with its run on the virtual machine.
    fn judge_test(
        &self,
        objects: &[StoredObject],
        run: &Run,
        cpu: Duration,
        stop: &AtomicBool,
    ) -> Result<Judgement, Error>;
}

/// How long the test of a crash may take natively, in CPU time: crashes come early, and a user waits.
const CRASH_TIME: Duration = Duration::from_secs(10);

/// How long a program in which no thread can go on is waited for: it uses no CPU time.
const DEADLOCK_TIME: Duration = Duration::from_secs(5);

/// What the address sanitizer says of a size that no machine has.
const NO_ROOM: &str = "AddressSanitizer failed to allocate";

/// Tries the test of every crash on the native program, and notes down what came of it. A test that cannot be run is
/// left out, and so is all that is not done once `stop` is up. Gives how many crashes are none natively, because sizes and pointers have 64 bits
/// there, or because what took all fuel only took long: they are crashes no longer.
pub fn try_crashes(program: &dyn NativeProgram, found: &mut Exploration, stop: &AtomicBool) -> usize {
    let mut none = Vec::new();
    let place = match program.sanitizers() {
        Some(sanitizers) => format!("{} ({sanitizers})", program.place()),
        None => program.place().to_string(),
    };
    for (number, crash) in found.crashes.iter_mut().enumerate() {
        let run = &found.tests[crash.test].run;
        let objects: Vec<StoredObject> = run.objects.iter().map(StoredObject::from).collect();
        let judged = program.judge_test(&objects, run, CRASH_TIME, stop);
        if stop.load(Ordering::Relaxed) {
            // It was cut off, which says nothing about the crash.
            break;
        }
        let Ok(judgement) = judged else { continue };
        // A watched run with 64 bits that goes through shows that it is none. The sanitizer places objects as the machine does, so that an
        // address that is not aligned within one is not by chance.
        let narrow = is_of_32_bits(crash.ending) && program.sanitizers() == Some(SANITIZERS[0].0);
        if judgement.ended && (narrow || crash.ending == Ending::Hang) {
            none.push(number);
        }
        let also = if judgement.crashed { "also" } else { "not" };
        let text = format!("{also} {place}: {}", judgement.ending);
        crash.notes.push(Note { text, stack: Vec::new() });
    }
    for number in none.iter().rev() {
        found.dismiss(*number);
    }
    none.len()
}

/// Compiles a project for this machine, to try its crashes there; notes down why not where it cannot be compiled. None also without
/// crashes, once `stop` is up, and for a program that is not in C or C++ alone.
pub fn compile_for_crashes(
    project: &clang::Project<'_>,
    found: &mut Exploration,
    stop: &AtomicBool,
) -> Option<Native> {
    let is_c = project.files.iter().all(|file| clang::is_c(file));
    if found.crashes.is_empty() || !is_c || stop.load(Ordering::Relaxed) {
        return None;
    }
    let error = match Native::compile(project) {
        Ok(native) => return Some(native),
        Err(error) => error.to_string(),
    };
    // The compiler's first error says more than that it refuses the program.
    let said = error.lines().find(|line| line.contains("error: ")).or(error.lines().next());
    let text = format!("not tried natively: {}", said.unwrap_or_default());
    for crash in &mut found.crashes {
        crash.notes.push(Note { text: text.clone(), stack: Vec::new() });
    }
    None
}

/// A natively compiled program.
#[derive(Debug)]
pub struct Native {
    folder: tempfile::TempDir,
    sanitizers: &'static str,
}

/// How to run a test.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Invocation {
    /// The program and its arguments.
    command: Vec<OsString>,
    /// What it finds on standard input.
    stdin: Vec<u8>,
    /// What it finds in its environment.
    variables: Vec<(OsString, OsString)>,
}

impl Invocation {
    /// Runs the test in a process of its own under limits.
    fn run(&self, limits: &Limits, stop: &AtomicBool) -> Result<NativeRun, process::Error> {
        let mut command = process::Command::of_words(&self.command);
        for (name, value) in &self.variables {
            command = command.variable(name, value);
        }
        let run = command.run(&self.stdin, limits, stop)?;
        Ok(run.into())
    }
}

/// How a native run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeEnd {
    /// With an exit code.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
    /// A limit was reached.
    Unfinished,
}

/// What a native run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    /// How it ended.
    pub end: NativeEnd,
    /// Standard output; what is no UTF-8 is replaced.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
}

impl From<process::Run> for NativeRun {
    fn from(run: process::Run) -> NativeRun {
        let end = match run.end {
            End::Exited(code) => NativeEnd::Exited(code),
            End::Signalled(signal) => NativeEnd::Signalled(signal),
            End::CpuLimit | End::WallLimit | End::MemoryLimit | End::OutputLimit | End::Stopped => {
                NativeEnd::Unfinished
            }
        };
        NativeRun { end, stdout: run.stdout, stderr: run.stderr }
    }
}

/// What a native run says about a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// How it ended, in words.
    pub ending: String,
    /// Whether that is a crash.
    pub crashed: bool,
    /// Whether it ended by itself and got all the memory that it asked for.
    pub ended: bool,
    /// How it differs from the run on the virtual machine; none if it does not, or if that run says nothing.
    pub difference: Option<String>,
}

impl Native {
    /// Compiles a project for this machine, with the best sanitizers that the compiler has.
    pub(crate) fn compile(project: &clang::Project<'_>) -> Result<Native, clang::Error> {
        let folder = tempfile::tempdir()?;
        let support = folder.path().join("inputs.c");
        fs::write(&support, format!("{FUNCTIONS}{INPUTS}"))?;
        let program = folder.path().join("program");
        let mut last = None;
        for (sanitizers, options) in SANITIZERS {
            match clang::compile_native(project, &support, &program, options) {
                Ok(()) => return Ok(Native { folder, sanitizers }),
                Err(error) => last = Some(error),
            }
        }
        Err(last.expect("the table has rows"))
    }

    /// Whether the address sanitizer watches.
    pub fn is_watched(&self) -> bool {
        self.sanitizers == SANITIZERS[0].0
    }

    /// Lays out the inputs of a test, in the place of those of the test before.
    fn prepare(&self, objects: &[StoredObject]) -> io::Result<Invocation> {
        let files = self.folder.path().join("files");
        match fs::remove_dir_all(&files) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir(&files)?,
        }
        let mut invocation = Invocation {
            command: vec![self.folder.path().join("program").into_os_string()],
            stdin: Vec::new(),
            variables: Vec::new(),
        };
        let mut asked = Vec::new();
        for StoredObject { name, kind, bytes } in objects {
            match kind.as_str() {
                "stdin" => invocation.stdin.clone_from(bytes),
                "size" => {}
                "environment" => {
                    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                    let value = OsString::from_vec(bytes[..end].to_vec());
                    invocation.variables.push((name.trim_start_matches("env:").into(), value));
                }
                "argument" => {
                    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                    invocation.command.push(OsString::from_vec(bytes[..end].to_vec()));
                }
                "file" => write_below(&files, name.trim_start_matches("file:"), bytes)?,
                _ => {
                    asked.extend((bytes.len() as u32).to_le_bytes());
                    asked.extend(bytes);
                }
            }
        }
        fs::write(self.folder.path().join("objects.bin"), asked)?;
        Ok(invocation)
    }
}

impl NativeProgram for Native {
    fn place(&self) -> &'static str {
        "natively"
    }

    fn sanitizers(&self) -> Option<&'static str> {
        Some(self.sanitizers)
    }

    fn judge_test(
        &self,
        objects: &[StoredObject],
        run: &Run,
        cpu: Duration,
        stop: &AtomicBool,
    ) -> Result<Judgement, Error> {
        let mut invocation = self.prepare(objects)?;
        let mut limits = Limits::with_cpu(cpu);
        if run.failures.iter().any(|failure| failure.fault.name() == Kind::Leak.row().name) {
            invocation.variables.push(("ASAN_OPTIONS".into(), "detect_leaks=1".into()));
        }
        if is_deadlock(run) {
            limits.wall = DEADLOCK_TIME;
        }
        Ok(judge(run, &invocation.run(&limits, stop)?))
    }
}

/// Writes a file that stays below a folder; a name that leads out of it has no file natively.
pub fn write_below(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_));
    let path = Path::new(name);
    if !path.components().all(inside) {
        return Ok(());
    }
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, bytes)
}

/// Whether it may be an error for 32 bits alone: a size that is too big, or a structure that lies elsewhere where pointers are smaller than
/// the numbers beside them.
fn is_of_32_bits(ending: Ending) -> bool {
    let misaligned = Kind::Misaligned.row().name;
    is_too_big(ending) || matches!(ending, Ending::Fault(fault) if fault.name() == misaligned)
}

fn is_too_big(ending: Ending) -> bool {
    matches!(ending, Ending::Fault(fault) if fault.name() == Kind::AllocationTooBig.row().name)
}

fn is_deadlock(run: &Run) -> bool {
    matches!(run.ending, Ending::Fault(fault) if fault.name() == Kind::DEADLOCK)
}

/// Compares a native run with the one on the virtual machine.
fn judge(run: &Run, native: &NativeRun) -> Judgement {
    let endless = run.ending == Ending::Hang || is_deadlock(run);
    let (ending, crashed) = match native.end {
        // The sanitizer refuses the size and says so; the program goes on without the memory.
        NativeEnd::Exited(_) if is_too_big(run.ending) && native.stderr.contains(NO_ROOM) => {
            (NO_ROOM.to_string(), true)
        }
        NativeEnd::Exited(0) => ("returned".to_string(), false),
        NativeEnd::Exited(code) => (format!("exited with {code}"), false),
        NativeEnd::Signalled(signal) => {
            let said = native.stderr.lines().find_map(complaint);
            (said.unwrap_or_else(|| format!("ended by signal {signal}")), true)
        }
        NativeEnd::Unfinished if endless => ("it does not end".to_string(), true),
        NativeEnd::Unfinished => ("unfinished".to_string(), false),
    };
    // Of an exit code the system keeps eight bits.
    let code = match run.ending {
        Ending::Returned => Some(0),
        Ending::Exited(code) => Some((code & 0xff) as i32),
        Ending::Fault(_)
        | Ending::Assertion
        | Ending::Error
        | Ending::Discarded
        | Ending::Unfinished
        | Ending::Hang
        | Ending::Unsupported(_) => None,
    };
    let difference = match (run.ending, native.end) {
        (Ending::Discarded | Ending::Unfinished | Ending::Hang | Ending::Unsupported(_), _) => None,
        (_, NativeEnd::Unfinished) if !endless => Some("it did not end in time".to_string()),
        (_, NativeEnd::Exited(exit)) if code == Some(exit) => different_output(run, &native.stdout),
        _ if crashed && run.first_crash().is_some() => None,
        _ => Some(format!("{ending} instead of \"{}\"", run.ending)),
    };
    let ended = matches!(native.end, NativeEnd::Exited(_)) && !native.stderr.contains(NO_ROOM);
    Judgement { ending, crashed, ended, difference }
}

/// What a sanitizer, an assertion or our own functions say of a crash.
fn complaint(line: &str) -> Option<String> {
    const SIGNS: &[&str] =
        &["ERROR: AddressSanitizer: ", "ERROR: LeakSanitizer: ", "runtime error: ", "Assertion `"];
    let ours = matches!(line, "assertion failed" | "error reached").then_some(line);
    let said =
        SIGNS.iter().find_map(|sign| line.find(sign).map(|at| line[at..].trim_start_matches("ERROR: ")));
    // Addresses differ from run to run.
    const ADDRESSES: &[&str] = &[" on address ", " on 0x", " of address 0x", " of misaligned address 0x"];
    let end = |text: &str| ADDRESSES.iter().filter_map(|sign| text.find(sign)).min().unwrap_or(text.len());
    ours.or(said).map(|text| text[..end(text)].to_string())
}

fn different_output(run: &Run, native: &str) -> Option<String> {
    let ours = String::from_utf8_lossy(&run.stdout);
    let same = if run.stdout.len() < MAX_OUTPUT { ours == native } else { native.starts_with(&*ours) };
    if same {
        return None;
    }
    let at = ours.lines().zip(native.lines()).position(|(ours, native)| ours != native);
    let at = at.unwrap_or_else(|| ours.lines().count().min(native.lines().count()));
    let line = |text: &str| text.lines().nth(at).map_or("nothing".to_string(), |line| format!("{line:?}"));
    Some(format!("line {} of the output is {} instead of {}", at + 1, line(native), line(&ours)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trap::Trap;

    fn run(ending: Ending, stdout: &str) -> Run {
        Run {
            ending,
            objects: Vec::new(),
            stdout: stdout.into(),
            stderr: Vec::new(),
            stack: Vec::new(),
            jumps: 0,
            failures: Vec::new(),
            compared: Vec::new(),
        }
    }

    fn native(end: NativeEnd, stdout: &str, stderr: &str) -> NativeRun {
        NativeRun { end, stdout: stdout.into(), stderr: stderr.into() }
    }

    #[test]
    fn judgements() {
        let trap = Ending::Fault(Trap::DivisionByZero.into());
        let too_big = Ending::Fault(Trap::Violation(Kind::AllocationTooBig).into());
        let deadlock = Ending::Fault(Trap::Violation(Kind::Deadlock).into());
        let asan = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x1";
        let rows = [
            (run(Ending::Returned, "a\n"), native(NativeEnd::Exited(0), "a\n", ""), None),
            (run(Ending::Exited(0x1ff), ""), native(NativeEnd::Exited(255), "", ""), None),
            (
                run(Ending::Returned, "a\nb\n"),
                native(NativeEnd::Exited(0), "a\nc\n", ""),
                Some("line 2 of the output is \"c\" instead of \"b\""),
            ),
            (
                run(Ending::Returned, "a\n"),
                native(NativeEnd::Exited(0), "", ""),
                Some("line 1 of the output is nothing instead of \"a\""),
            ),
            (run(trap, ""), native(NativeEnd::Signalled(8), "", ""), None),
            (
                run(trap, ""),
                native(NativeEnd::Exited(0), "", ""),
                Some("returned instead of \"integer divide by zero\""),
            ),
            (
                run(Ending::Returned, ""),
                native(NativeEnd::Signalled(6), "", asan),
                Some("AddressSanitizer: heap-buffer-overflow instead of \"returned\""),
            ),
            (run(Ending::Discarded, ""), native(NativeEnd::Signalled(6), "", ""), None),
            (
                run(too_big, ""),
                native(
                    NativeEnd::Exited(1),
                    "",
                    "==7==WARNING: AddressSanitizer failed to allocate 0xff bytes",
                ),
                None,
            ),
            (run(deadlock, ""), native(NativeEnd::Unfinished, "", ""), None),
            (run(Ending::Hang, ""), native(NativeEnd::Unfinished, "", ""), None),
            (
                run(deadlock, ""),
                native(NativeEnd::Exited(0), "", ""),
                Some("returned instead of \"deadlock\""),
            ),
            (
                run(Ending::Returned, ""),
                native(NativeEnd::Unfinished, "", ""),
                Some("it did not end in time"),
            ),
        ];
        for (run, native, difference) in rows {
            let judgement = judge(&run, &native);
            assert_eq!(judgement.difference.as_deref(), difference, "{run:?} {native:?}");
            let confirmed = difference.is_none()
                && (native.end == NativeEnd::Unfinished || native.stderr.contains(NO_ROOM));
            assert_eq!(judgement.crashed, matches!(native.end, NativeEnd::Signalled(_)) || confirmed);
        }
    }
}
