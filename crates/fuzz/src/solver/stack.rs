//! Where a solver dies: the innermost functions of its stack, by gdb where there is one. A signal alone says nothing about the
//! place, and all of a solver's SIGSEGVs would be one finding.
//!
//! Owns the one run under the debugger and the reading of its frames. A program without symbols, a machine without gdb and a
//! system that forbids tracing give no stack, and whoever asked makes do with the script.

use super::spec::Solver;
use super::table::on_path;
use crate::tuning::solver_stack::{ASKED, FRAMES, READING};
use process::Limits;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

impl Solver {
    /// The innermost functions of the stack on which a script ends the solver, the innermost first. `None` if there is no
    /// debugger, the run does not end by a signal, or no function has a name.
    pub(crate) fn stack(&self, text: &str, limits: &Limits, stop: &AtomicBool) -> Option<Vec<String>> {
        let gdb = on_path("gdb")?;
        let mut file = tempfile::Builder::new().suffix(".smt2").tempfile().ok()?;
        file.write_all(text.as_bytes()).and_then(|()| file.flush()).ok()?;
        let (words, input) = self.words(file.path());
        let (program, arguments) = words.split_first()?;
        let mut line: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
        let input = input.unwrap_or(Path::new("/dev/null"));
        line.push(format!("< {}", quoted(&input.display().to_string())));
        let line = format!("set args {}", line.join(" "));
        let frames = format!("backtrace {ASKED}");
        let asked = ["set debuginfod enabled off", "set width 0", &line, "run", &frames];
        let mut command: Vec<&str> = vec![&gdb, "-batch", "-nx", "-q"];
        command.extend(asked.iter().flat_map(|step| ["-ex", step]));
        command.push(program);
        let limits = Limits {
            cpu: limits.cpu + READING,
            wall: limits.wall + READING,
            memory: limits.memory + (4 << 30),
            ..*limits
        };
        let run = process::run(&command, b"", &limits, stop).ok()?;
        run.stdout.contains("received signal").then(|| place(&run.stdout)).flatten()
    }
}

/// Whether two stacks, each the innermost functions first, show a solver dying at one place. The innermost function decides: it is
/// called in many ways, and a smaller script may come there by another. Where inlining or a recursion hides it, two common
/// functions do.
pub(crate) fn is_same_place(one: &[String], other: &[String]) -> bool {
    let common = one.iter().filter(|name| other.contains(name)).count();
    one.first() == other.first() || common >= 2
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The names of the innermost functions in what gdb prints. Where functions call each other again and again, which of them was
/// the last is chance: their names are sorted.
fn place(text: &str) -> Option<Vec<String>> {
    let frames: Vec<String> =
        text.lines().filter(|line| line.starts_with('#')).filter_map(function).take(3 * FRAMES).collect();
    let mut names: Vec<String> = Vec::new();
    for name in &frames {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    if names.len() < frames.len() && frames.len() == 3 * FRAMES {
        names.sort();
    }
    names.truncate(FRAMES);
    (!names.is_empty()).then_some(names)
}

/// Functions that only pass a failure on.
const MESSENGERS: &[&str] =
    &["raise", "abort", "gsignal", "__", "_IO_", "std::terminate", "std::__", "??", "<signal"];

/// The function of a frame, without its arguments; `None` if it has no name, or only passes a failure on.
fn function(frame: &str) -> Option<String> {
    let (_, rest) = frame.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let rest =
        if rest.starts_with("0x") { rest.split_once(" in ").map_or(rest, |(_, after)| after) } else { rest };
    let rest = rest.replace("(anonymous namespace)", "anonymous").replace("operator()", "operator_call");
    let (mut name, mut depth) = (String::new(), 0usize);
    for c in rest.chars() {
        match c {
            '<' if !name.ends_with("operator") => depth += 1,
            '>' if depth > 0 => depth -= 1,
            '(' if depth == 0 => break,
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    // Parts that the compiler split off belong to the whole.
    let whole = name.split('[').next()?.trim().split(' ').next_back()?.split('.').next()?.to_string();
    let passes = MESSENGERS.iter().any(|start| name.starts_with(start) || whole.starts_with(start));
    (!whole.is_empty() && !passes && !rest.starts_with("<signal")).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_gdb() {
        let text = "Program received signal SIGSEGV, Segmentation fault.\n\
                    0x0000000000acf24b in smt::mam_impl::pop_scope(unsigned int) ()\n\
                    #0  0x00007ffff7a in __pthread_kill_implementation () from /lib/libc.so.6\n\
                    #1  0x0000000000acf24b in smt::mam_impl::pop_scope(unsigned int) ()\n\
                    #2  0x00000000009538c5 in std::vector<int, std::allocator<int> >::at(unsigned long) const ()\n\
                    #3  (anonymous namespace)::run[abi:cxx11] (x=3) at a.cpp:7\n\
                    #4  0x1 in ?? ()\n\
                    #5  0x000 in rewriter_tpl<bv::cfg>::process_const<false>(app*) [clone .cold] ()\n";
        assert_eq!(
            place(text).expect("functions with names"),
            ["smt::mam_impl::pop_scope", "std::vector::at", "anonymous::run", "rewriter_tpl::process_const"]
        );
        assert_eq!(place("#0  0x000 in ?? ()\n"), None);
    }

    #[test]
    fn a_place_is_its_innermost_function() {
        let stack = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let place = stack(&["th::leaf", "th::check", "smt::loop", "main"]);
        assert!(is_same_place(&place, &stack(&["th::leaf", "th::propagate", "smt::other"])));
        assert!(is_same_place(&place, &stack(&["th::inlined", "th::check", "smt::loop"])));
        assert!(!is_same_place(&place, &stack(&["rw::simplify", "rw::apply", "smt::assert", "main"])));
    }

    #[test]
    fn recursion_is_one_place() {
        let frames = |first: usize| {
            (0..20).map(|i| format!("#{i}  0x0 in f{} (x=1)\n", (i + first) % 3)).collect::<String>()
        };
        assert_eq!(place(&frames(0)), place(&frames(1)));
    }

    #[test]
    fn a_real_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let (source, program) = (folder.path().join("a.c"), folder.path().join("a b"));
        let text = "int deep(volatile int *p) { return *p; }\nint main(void) { return deep((int *)0); }\n";
        std::fs::write(&source, text).expect("written");
        let built = std::process::Command::new("cc").args(["-O0", "-o"]).args([&program, &source]).status();
        if !built.is_ok_and(|status| status.success()) || on_path("gdb").is_none() {
            eprintln!("skipped: this needs cc and gdb");
            return;
        }
        let spec = format!("'{}'", program.display());
        let solver = Solver::resolve(&spec, &super::super::Store::at(folder.path())).expect("a program");
        let limits = Limits::with_cpu(std::time::Duration::from_secs(5));
        let stack = solver.stack("(check-sat)", &limits, &AtomicBool::new(false));
        // Where tracing is forbidden there is none.
        if let Some(stack) = stack {
            assert_eq!(stack[..2], ["deep", "main"]);
        }
    }
}
