//! Tests on a real `java`: a second opinion on what this machine does.

use crate::target::DEADLOCK;
use explore::native::{Error, Judgement, NativeEnd, NativeProgram, NativeRun, write_below};
use explore::report::test::StoredObject;
use explore::target::{Ending, Object, ObjectKind, Run};
use process::{Command, Limits};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A program that can be run by `java`.
#[derive(Debug)]
pub struct Native {
    folder: tempfile::TempDir,
    main: String,
}

impl Native {
    /// Of the jar that was kept and the class whose `main` is run.
    pub fn new(jar: &[u8], main: &str) -> Result<Native, Error> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("program.jar"), jar)?;
        Ok(Native { folder, main: main.to_string() })
    }

    /// Runs it on the objects of a test, with assertions enabled, in a folder with the test's files.
    fn run(&self, objects: &[Object], limits: &Limits, stop: &AtomicBool) -> Result<NativeRun, Error> {
        let files = self.folder.path().join("files");
        match std::fs::remove_dir_all(&files) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => std::fs::create_dir(&files)?,
        }
        let jar = self.folder.path().join("program.jar");
        let mut command = Command::new("java").folder(&files).argument("-ea");
        let (mut stdin, mut arguments) = (Vec::new(), Vec::new());
        for Object { name, kind, bytes } in objects {
            let text = |bytes: &[u8]| {
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                // A character of an argument is a byte of the test.
                let text: String = bytes[..end].iter().map(|&byte| char::from(byte)).collect();
                text
            };
            match kind {
                ObjectKind::Stdin => stdin.clone_from(bytes),
                ObjectKind::Size { .. } => {}
                ObjectKind::Argument => arguments.push(text(bytes)),
                ObjectKind::Environment => {
                    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                    let value = std::ffi::OsString::from_vec(bytes[..end].to_vec());
                    command = command.variable(name.trim_start_matches("env:"), value);
                }
                ObjectKind::File => write_below(&files, name.trim_start_matches("file:"), bytes)?,
                _ => {
                    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                    command = command.argument(format!("-Dsoundline.{name}={hex}"));
                }
            }
        }
        let size = objects.iter().find(|object| matches!(object.kind, ObjectKind::Size { .. }));
        if let Some(size) = size.and_then(|size| size.bytes.first_chunk()) {
            stdin.truncate(u32::from_le_bytes(*size) as usize);
        }
        let command = command.argument("-cp").argument(&jar).argument(&self.main).arguments(&arguments);
        Ok(command.run(&stdin, limits, stop)?.into())
    }
}

impl NativeProgram for Native {
    fn place(&self) -> &'static str {
        "on a real java"
    }

    fn sanitizers(&self) -> Option<&'static str> {
        None
    }

    /// The objects are those that the program asked for in its run on our machine: another program may ask for others than the test has.
    fn judge_test(
        &self,
        _: &[StoredObject],
        run: &Run,
        cpu: Duration,
        stop: &AtomicBool,
    ) -> Result<Judgement, Error> {
        let mut limits = Limits::with_cpu(cpu);
        // Threads that wait for each other use no processor: only the clock ends them.
        if matches!(run.ending, Ending::Fault(fault) if fault.name() == DEADLOCK) {
            limits.wall = cpu;
        }
        Ok(judge(run, &self.run(&run.objects, &limits, stop)?))
    }
}

/// Compares a run by `java` with the one on this machine.
fn judge(run: &Run, native: &NativeRun) -> Judgement {
    let thrown = native.stderr.lines().find_map(exception);
    let (ending, crashed) = match (native.end, &thrown) {
        (NativeEnd::Exited(_), Some(class)) => (class.clone(), true),
        (NativeEnd::Exited(0), None) => ("returned".to_string(), false),
        (NativeEnd::Exited(code), None) => (format!("exited with {code}"), false),
        (NativeEnd::Signalled(signal), _) => (format!("ended by signal {signal}"), true),
        (NativeEnd::Unfinished, _) => ("unfinished".to_string(), false),
    };
    let ended = matches!(native.end, NativeEnd::Exited(_));
    let expected = match run.ending {
        Ending::Returned => "returned".to_string(),
        Ending::Exited(code) => format!("exited with {}", code & 0xff),
        Ending::Assertion => "java.lang.AssertionError".to_string(),
        Ending::Fault(fault) => fault.name().to_string(),
        Ending::Error | Ending::Discarded | Ending::Unfinished | Ending::Hang | Ending::Unsupported(_) => {
            return Judgement { ending, crashed, ended, difference: None };
        }
    };
    let difference = if native.end == NativeEnd::Unfinished {
        // A deadlock is one there as well.
        (expected != DEADLOCK).then(|| "it did not end in time".to_string())
    } else if ending != expected {
        Some(format!("{ending} instead of \"{expected}\""))
    } else {
        let ours = String::from_utf8_lossy(&run.stdout);
        (ours != native.stdout.as_str()).then(|| "the output is another".to_string())
    };
    Judgement { ending, crashed, ended, difference }
}

/// The class of the exception that a line of `java`'s standard error tells of.
fn exception(line: &str) -> Option<String> {
    let rest = line.strip_prefix("Exception in thread \"")?;
    let (_, rest) = rest.split_once("\" ")?;
    Some(rest.split([':', ' ']).next().unwrap_or(rest).to_string())
}
