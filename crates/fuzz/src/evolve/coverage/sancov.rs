//! Sanitizer coverage: the counters that the runtime of this project (`runtime/soundline_coverage.c`) leaves in a file.
//! Owns the runtime's text, the advice how to build solvers with it, and the file's layout. Counters have no source
//! files: 256 consecutive guards, or 16 KiB of code, stand for one.

use super::{Coverage, Output, RowCount, Source, Unavailable};
use std::io::{ErrorKind, Read};
use std::path::PathBuf;

/// The C source of the runtime.
pub const RUNTIME: &str = include_str!("../../../runtime/soundline_coverage.c");

/// The environment variable that names the file.
pub(crate) const VARIABLE: &str = "SOUNDLINE_COVERAGE";

/// How the runtime's file begins, and the length of its head in 64-bit words.
const MAGIC: u64 = 0x3156_4f43_4c44_4e53;
const HEADER: usize = 4;
/// No file that the runtime writes is larger.
const MOST_BYTES: u64 = (4 + (1 << 22)) * 8;

/// How to build solvers with the runtime, for people.
pub const BUILD_HELP: &str = "\
Building a solver that counts what it executes
==============================================

  soundline coverage runtime > soundline_coverage.c

With Clang (a counter for each edge):

  clang -O2 -c soundline_coverage.c
  FLAGS=\"-O2 -fsanitize-coverage=trace-pc-guard\"

With GCC (a hash table of executed blocks):

  gcc -O2 -c soundline_coverage.c
  FLAGS=\"-O2 -fsanitize-coverage=trace-pc\"

Z3:

  cmake -S z3 -B z3/build-cov -DCMAKE_BUILD_TYPE=Release -DZ3_BUILD_LIBZ3_SHARED=OFF \\
        -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS=\"$FLAGS\" \\
        -DCMAKE_EXE_LINKER_FLAGS=\"$PWD/soundline_coverage.o\"
  cmake --build z3/build-cov --target shell

cvc5:

  cd cvc5 && CC=clang CXX=clang++ CXXFLAGS=\"$FLAGS\" LDFLAGS=\"$PWD/../soundline_coverage.o\" \\
        ./configure.sh production --static --auto-download --name=build-cov
  cmake --build build-cov --target cvc5-bin

Link statically: the addresses of a shared library differ from run to run. Then

  soundline fuzz evolve --solver \"z3/build-cov/z3 smt.string_solver=z3str3\" --coverage sancov ...

Without SOUNDLINE_COVERAGE in its environment the solver counts nothing. For gcov build with --coverage instead of $FLAGS
(no runtime needed) and use --coverage gcov: exact lines, but a run that is ended at its limit leaves no counts.
";

/// Reads the counters of a solver built with the runtime.
#[derive(Debug)]
pub struct Sancov {
    file: PathBuf,
}

impl Sancov {
    /// Counters in this file; each worker needs one of its own.
    pub fn new(file: PathBuf) -> Sancov {
        Sancov { file }
    }
}

impl Source for Sancov {
    fn environment(&self) -> Vec<(String, String)> {
        vec![(VARIABLE.into(), self.file.display().to_string())]
    }

    fn clear(&mut self) -> Result<(), Unavailable> {
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Unavailable(format!("cannot remove {}: {error}", self.file.display())))
            }
            _ => Ok(()),
        }
    }

    fn collect(&mut self, _: Output) -> Result<Coverage, Unavailable> {
        let file = std::fs::File::open(&self.file).map_err(|error| {
            Unavailable(format!(
                "the solver left no counters in {} ({error}): was it built with the coverage runtime?",
                self.file.display()
            ))
        })?;
        let mut bytes = Vec::new();
        let mut reader = file.take(MOST_BYTES);
        // Counters of guards that do not exist are a long tail of zeros: only what the header promises is read.
        let mut header = [0; HEADER * 8];
        reader.read_exact(&mut header).map_err(|_| Unavailable("the counters have no header".into()))?;
        let words = words(&header);
        let promised = match (words[0], words[1]) {
            (MAGIC, 1) => words[2],
            (MAGIC, 2) => words[2].saturating_mul(2),
            _ => return Err(Unavailable("the file of counters is not the runtime's".into())),
        };
        reader
            .take(promised.saturating_mul(8))
            .read_to_end(&mut bytes)
            .map_err(|error| Unavailable(format!("cannot read the counters: {error}")))?;
        Ok(if words[1] == 1 { guards(&bytes) } else { blocks(&bytes) })
    }
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks_exact(8)
        .map(|b| u64::from_ne_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
        .collect()
}

fn guards(bytes: &[u8]) -> Coverage {
    let row = |(at, count): (usize, u64)| RowCount { file: at as u64 / 256, row: at as u64, count };
    Coverage::new(words(bytes).into_iter().enumerate().filter(|(_, count)| *count > 0).map(row).collect())
}

fn blocks(bytes: &[u8]) -> Coverage {
    let pairs = words(bytes);
    let pairs = pairs.chunks_exact(2).filter(|pair| pair[0] != 0);
    Coverage::new(pairs.map(|p| RowCount { file: p[0] >> 14, row: p[0], count: p[1] }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::{Command, Stdio};

    /// Stands for a solver: work that depends on its input, and with `hang` no end.
    const PROGRAM: &str = r#"
        #include <stdio.h>
        #include <string.h>
        int even(int n) { return n % 2 == 0; }
        int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
        int main(int argc, char **argv) {
            int sum = 0;
            for (int i = 0; i < 100; i++) if (even(i)) sum++;
            if (argc > 1 && !strcmp(argv[1], "more")) sum += deep(1000);
            if (argc > 1 && !strcmp(argv[1], "hang")) { puts("hanging"); fflush(stdout); for (;;) sum++; }
            return sum == 0;
        }
    "#;

    /// What Clang's instrumentation does, written out: the calls that it would insert.
    const GUARDED: &str = r#"
        #include <stdint.h>
        void __sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *);
        void __sanitizer_cov_trace_pc_guard(uint32_t *);
        static uint32_t guards[600];
        int main(int argc, char **argv) {
            __sanitizer_cov_trace_pc_guard_init(guards, guards + 600);
            __sanitizer_cov_trace_pc_guard_init(guards, guards + 600);
            for (int i = 0; i < 7; i++) __sanitizer_cov_trace_pc_guard(&guards[3]);
            __sanitizer_cov_trace_pc_guard(&guards[599]);
            return 0;
        }
    "#;

    /// Compiles a program with the runtime; `None`, loudly, where there is no compiler.
    fn compile(folder: &Path, source: &str, flags: &[&str]) -> Option<PathBuf> {
        std::fs::write(folder.join("runtime.c"), RUNTIME).unwrap();
        std::fs::write(folder.join("program.c"), source).unwrap();
        let gcc = |arguments: &[&str]| Command::new("gcc").current_dir(folder).args(arguments).output();
        let Ok(output) = gcc(&["-Wall", "-Wextra", "-Werror", "-O2", "-c", "runtime.c"]) else {
            testkit::missing("gcc");
            return None;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = gcc(&[flags, &["-O1", "-fno-inline", "-c", "program.c"]].concat()).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = gcc(&["runtime.o", "program.o", "-o", "program"]).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(folder.join("program"))
    }

    fn run(source: &mut Sancov, program: &Path, argument: &str) -> Coverage {
        source.clear().unwrap();
        let mut command = Command::new(program);
        command.arg(argument).envs(source.environment());
        assert!(command.status().unwrap().success());
        source.collect(Output::default()).unwrap()
    }

    #[test]
    fn blocks_of_a_program_built_by_gcc() {
        let folder = tempfile::tempdir().unwrap();
        let Some(program) = compile(folder.path(), PROGRAM, &["-fsanitize-coverage=trace-pc"]) else {
            return;
        };
        let mut source = Sancov::new(folder.path().join("counters"));
        let (less, more) = (run(&mut source, &program, "less"), run(&mut source, &program, "more"));
        assert_eq!(less, run(&mut source, &program, "less"), "the same run has the same counters");
        assert!(less.rows().iter().any(|row| row.count == 100), "the body of the loop");
        assert!(more.lines() > less.lines() && more.rows().iter().any(|row| row.count >= 1000));
        let mut table = super::super::CountTable::default();
        table.score(&less);
        assert!(table.score(&more) > table.score(&less));
    }

    #[test]
    fn a_killed_program_leaves_its_counters() {
        let folder = tempfile::tempdir().unwrap();
        let Some(program) = compile(folder.path(), PROGRAM, &["-fsanitize-coverage=trace-pc"]) else {
            return;
        };
        let mut source = Sancov::new(folder.path().join("counters"));
        source.clear().unwrap();
        let mut command = Command::new(program);
        let mut child =
            command.arg("hang").envs(source.environment()).stdout(Stdio::piped()).spawn().unwrap();
        let mut word = [0; 7];
        child.stdout.as_mut().unwrap().read_exact(&mut word).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(source.collect(Output::default()).unwrap().rows().iter().any(|row| row.count == 100));
    }

    #[test]
    fn guards_as_clang_numbers_them() {
        let folder = tempfile::tempdir().unwrap();
        let Some(program) = compile(folder.path(), GUARDED, &[]) else { return };
        let mut source = Sancov::new(folder.path().join("counters"));
        let coverage = run(&mut source, &program, "");
        let expected = [RowCount { file: 0, row: 3, count: 7 }, RowCount { file: 2, row: 599, count: 1 }];
        assert_eq!(coverage.rows(), expected);
    }

    #[test]
    fn a_solver_without_the_runtime_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let mut source = Sancov::new(folder.path().join("counters"));
        assert!(source.collect(Output::default()).unwrap_err().0.contains("built with the coverage runtime"));
        std::fs::write(folder.path().join("counters"), [7u8; 64]).unwrap();
        assert!(source.collect(Output::default()).unwrap_err().0.contains("not the runtime's"));
    }
}
