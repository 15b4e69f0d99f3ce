//! `soundline explore` and `soundline replay` from outside: exit codes, the promised fields, messages.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output};

fn soundline(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_soundline")).args(args).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A module in the text format, so that no compiler is needed: a division by a number from standard input.
const PROGRAM: &str = r#"(module
  (import "soundline" "sl_symbolic" (func $symbolic (param i32 i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 100) "x\00")
  (func (export "_start")
    (call $symbolic (i32.const 0) (i32.const 4) (i32.const 100))
    (if (i32.gt_u (i32.load (i32.const 0)) (i32.const 1000))
      (then (return)))
    (i32.store (i32.const 8)
      (i32.div_u (i32.const 5) (i32.sub (i32.load (i32.const 0)) (i32.const 77))))))"#;

#[test]
fn a_crash_is_found_written_and_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("division.wat");
    std::fs::write(&program, PROGRAM).expect("written");
    let out = folder.path().join("out");
    let (program, out) = (program.to_str().expect("a path"), out.to_str().expect("a path"));

    let run = soundline(&["explore", program, "--json", "--out", out]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let summary: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!((&summary["paths"], &summary["tests"]), (&3.into(), &3.into()));
    assert_eq!((&summary["crashes"], &summary["stop_reason"]), (&1.into(), &"explored".into()));
    for promised in ["branches_covered", "lines_covered", "partials_used"] {
        assert!(summary[promised].is_u64(), "{promised}");
    }
    let report = std::fs::read_to_string(Path::new(out).join("crashes/001/report.txt")).expect("a report");
    assert!(
        report.starts_with("integer divide by zero\n") && report.contains("x = \"M\\000\\000\\000\""),
        "{report}"
    );

    let run = soundline(&["replay", out]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        text(&run.stdout)
            .ends_with("3 tests: 1 crash, 0 diverge; covered 2 of 2 branch directions, 0 of 0 lines\n")
    );

    let run = soundline(&["explore", program, "--from", &format!("{out}/tests/000001.json"), "--tests", "1"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stdout));
    assert!(text(&run.stdout).starts_with("tests: 1 paths, 1 tests, 0 crashes"), "{}", text(&run.stdout));
}

/// Two crashes of one test keep a folder each when the same program is explored into the same folder again.
#[test]
fn crashes_of_one_test_keep_their_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, out) = (folder.path().join("row.c"), folder.path().join("out"));
    let source = r#"#include <stdio.h>
int main(void) {
    char row[4];
    int at = getchar();
    if (at < 0 || at > 4) return 0;
    row[at] = 1;
    return 1 / (at - 4);
}"#;
    std::fs::write(&program, source).expect("written");
    let (program, out) = (program.to_str().expect("a path"), out.to_str().expect("a path"));
    let kinds = || {
        let report = |number: &str| {
            let crash = Path::new(out).join("crashes").join(number);
            let text = std::fs::read_to_string(crash.join("report.txt")).unwrap_or_default();
            let json: Json =
                serde_json::from_slice(&std::fs::read(crash.join("crash.json")).unwrap_or_default())
                    .unwrap_or_default();
            assert_eq!(json["kind"].as_str().unwrap_or_default(), text.lines().next().unwrap_or_default());
            text.lines().next().unwrap_or_default().to_string()
        };
        ["001", "002", "003", "004"].map(report)
    };
    let explore = || soundline(&["explore", program, "--stdin", "1", "--no-native", "--out", out]);
    assert_eq!(explore().status.code(), Some(1));
    let first = kinds();
    assert!(first[0] != first[1] && !first[1].is_empty(), "{first:?}");
    assert_eq!(explore().status.code(), Some(1));
    assert_eq!(kinds(), first);
    // The page names each crash and leads to its folder.
    let page = std::fs::read_to_string(Path::new(out).join("index.html")).expect("a page");
    for (kind, number) in first.iter().zip(["001", "002"]) {
        assert!(page.contains(&format!("<b>{kind}</b>")), "{page}");
        assert!(page.contains(&format!("crashes/{number}/report.txt")), "{page}");
    }
}

/// Without an option that names an input, standard input is symbolic, and so is its length.
#[test]
fn standard_input_is_symbolic_by_default() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("read.c");
    let source = r#"#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int first = getchar(), second = getchar();
    if (first == 'A' && second == EOF) abort();
    return 0;
}"#;
    std::fs::write(&program, source).expect("written");
    let run = soundline(&["explore", program.to_str().expect("a path"), "--json", "--no-native"]);
    assert_eq!(run.status.code(), Some(1), "{}{}", text(&run.stdout), text(&run.stderr));
    let summary: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(summary["crashes"], 1);
}

/// A test whose stored path was altered is shown as a divergence, and so is one whose ending was.
#[test]
fn an_altered_test_diverges() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("division.wat");
    std::fs::write(&program, PROGRAM).expect("written");
    let out = folder.path().join("out");
    let (program, folder) = (program.to_str().expect("a path"), out.to_str().expect("a path"));
    let run = soundline(&["explore", program, "--jobs", "2", "--out", folder]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let file = out.join("tests/000001.json");
    let stored: Json = serde_json::from_slice(&std::fs::read(&file).expect("a test")).expect("JSON");
    for (field, message) in [("path", "left its path at decision 1"), ("ending", "instead of \"altered\"")] {
        let mut altered = stored.clone();
        match field {
            "path" => {
                altered["path"][0][1] = (!stored["path"][0][1].as_bool().expect("a truth value")).into()
            }
            _ => altered["ending"] = "altered".into(),
        }
        std::fs::write(&file, altered.to_string()).expect("written");
        let run = soundline(&["replay", folder]);
        let shown = text(&run.stdout);
        assert!(shown.contains("1 diverge") && shown.contains(message), "{field}: {shown}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let rows = [
        (write("a.txt", ""), "or one .wasm or .wat file"),
        (write("a.wat", "(module (func"), "expected"),
        (write("b.wasm", "no module"), "invalid module"),
        (write("c.wat", "(module)"), "exports no function _start"),
        (write("d.wat", "(module (import \"env\" \"f\" (func)))"), "unknown import env.f"),
        (
            write("e.wat", "(module (import \"env\" \"reach_error\" (func (result i32))))"),
            "env.reach_error is declared as () -> (i32), and soundline provides () -> ()",
        ),
        ("missing.c".to_string(), "cannot read missing.c"),
    ];
    for (program, message) in rows {
        let run = soundline(&["explore", &program]);
        assert_eq!(run.status.code(), Some(2), "{program}");
        assert!(text(&run.stderr).contains(message), "{program}: {}", text(&run.stderr));
    }
    let run = soundline(&["explore", "a.c", "--backup", "no-such-solver-anywhere"]);
    assert_eq!(run.status.code(), Some(2), "{}", text(&run.stderr));
    let run = soundline(&["explore", "a.c", "--jobs", "0"]);
    assert!(text(&run.stderr).contains("not a number from 1 to"), "{}", text(&run.stderr));
    let run = soundline(&["replay", folder.path().to_str().expect("a path")]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("summary.json"), "{}", text(&run.stderr));
}

/// Programs that were written for other tools are taken as they are, and so are their regression tests.
#[test]
fn programs_for_other_tools_are_understood() {
    let rows = [
        (
            "klee.c",
            "#include <klee/klee.h>\n\
             int main(void) {\n\
                 int x = klee_int(\"x\"), y = klee_range(0, 10, \"y\");\n\
                 if (x == 77 && y == 9) klee_assert(y != 9);\n\
                 klee_assert(y < 10);\n\
                 return 0;\n\
             }\n",
            "assertion failed",
        ),
        (
            "declared.c",
            "extern int __VERIFIER_nondet_int(void);\n\
             extern void reach_error(void);\n\
             int main(void) { if (__VERIFIER_nondet_int() == 12345) reach_error(); return 0; }\n",
            "error reached",
        ),
        (
            "defined.c",
            "#include <assert.h>\n\
             #include \"soundline.h\"\n\
             void reach_error(void) { assert(0); }\n\
             int main(void) { if (__VERIFIER_nondet_int() == 12345) reach_error(); return 0; }\n",
            "Assertion",
        ),
    ];
    for (name, source, message) in rows {
        let folder = tempfile::tempdir().expect("a folder");
        let (program, out) = (folder.path().join(name), folder.path().join("out"));
        std::fs::write(&program, source).expect("written");
        let run = soundline(&[
            "explore",
            program.to_str().expect("a path"),
            "--out",
            out.to_str().expect("a path"),
        ]);
        if text(&run.stderr).contains("cannot compile C to WebAssembly") {
            testkit::missing(&text(&run.stderr));
            return;
        }
        assert_eq!(run.status.code(), Some(1), "{name}: {}", text(&run.stderr));
        let crashes = out.join("crashes");
        assert!(!crashes.join("002").exists(), "{name}");
        let clang = Command::new("clang")
            .args(["-I.", "regression.c"])
            .current_dir(crashes.join("001"))
            .output()
            .expect("clang was there");
        assert!(clang.status.success(), "{name}: {}", text(&clang.stderr));
        let again =
            Command::new("./a.out").current_dir(crashes.join("001")).output().expect("it was compiled");
        assert_eq!(again.status.code(), None, "{name}");
        assert!(text(&again.stderr).contains(message), "{name}: {}", text(&again.stderr));
    }
}

/// A crash on both machines, one that only natively is one, and a number that is wider natively.
const NATIVE: &str = r#"
#include <stdio.h>
#include "soundline.h"

int twice(int x) {
    return 2 * x;
}

int main(int count, char **values) {
    int x;
    sl_symbolic(&x, sizeof x, "x");
    printf("%s %d\n", values[0], count);
    if (x == 1)
        printf("%d\n", (int)sizeof(long));
    if (x == 0x7fffffff)
        return (x + count) < 0;
    if (getchar() == 'k' && values[1][0] == 'v') {
        FILE *file = fopen("data", "r");
        sl_assert(!file || fgetc(file) != 'x');
    }
    return 7;
}
"#;

#[test]
fn tests_are_run_natively_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, out) = (folder.path().join("widths.c"), folder.path().join("out"));
    std::fs::write(&program, NATIVE).expect("written");
    let (program, out) = (program.to_str().expect("a path"), out.to_str().expect("a path"));
    let run =
        soundline(&["explore", program, "--stdin", "1", "--arg", "1", "--file", "data=1", "--out", out]);
    if text(&run.stderr).contains("cannot compile C to WebAssembly") {
        testkit::missing(&text(&run.stderr));
        return;
    }
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let run = soundline(&["replay", out, "--native", "--json"]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let document: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(document["divergences"], 0, "{document:#}");
    let mut seen = [0; 3];
    for result in document["results"].as_array().expect("results") {
        let native = &result["native"];
        let difference = native["difference"].as_str().unwrap_or_default();
        match (result["crashed"].as_bool(), native["crashed"].as_bool()) {
            (Some(true), Some(true)) => {
                assert_eq!(difference, "");
                let ending = native["ending"].as_str().expect("an ending");
                // The program goes on after the overflow.
                let overflow = ending.contains("signed integer overflow");
                assert!(overflow || ending == "assertion failed", "{ending}");
                seen[usize::from(overflow)] += 1;
            }
            (Some(false), Some(false)) if !difference.is_empty() => {
                assert_eq!(difference, "line 2 of the output is \"8\" instead of \"4\"");
                seen[2] += 1;
            }
            _ => assert_eq!(result["ending"], native["ending"]),
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?} {document:#}");
    assert_eq!(document["native"]["crashes"], seen[0] + seen[1]);
    assert_eq!(document["native"]["differences"], seen[2]);

    let run = soundline(&["explore", program, "--entry", "twice", "--tests", "1", "--fresh", "--out", out]);
    assert!(run.status.code().is_some_and(|code| code < 2), "{}", text(&run.stderr));
    let run = soundline(&["replay", out, "--native"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("--native runs whole programs"), "{}", text(&run.stderr));
}

/// A program that does not end is reported as such, with its place; work on many bytes counts by their number.
#[test]
fn programs_that_do_not_end_hang() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let module = |body: &str| {
        format!(
            "(module (import \"wasi_snapshot_preview1\" \"random_get\" (func $random (param i32 i32) (result i32)))
               (memory (export \"memory\") 1000) (func $f (export \"_start\") {body}))"
        )
    };
    let rows = [
        ("loop.wat", module("(loop $l (br $l))")),
        (
            "fill.wat",
            module("(loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 60000000)) (br $l))"),
        ),
        ("random.wat", module("(loop $l (drop (call $random (i32.const 0) (i32.const 60000000))) (br $l))")),
    ];
    for (name, body) in rows {
        let (program, out) =
            (write(name, body), folder.path().join(format!("{name}.out")).display().to_string());
        let start = std::time::Instant::now();
        let run = soundline(&["explore", &program, "--json", "--time-limit", "60", "--out", &out]);
        assert!(start.elapsed() < std::time::Duration::from_secs(50), "{name}: {:?}", start.elapsed());
        assert_eq!(run.status.code(), Some(1), "{name}: {}", text_of(&run));
        let summary: Json = serde_json::from_slice(&run.stdout).expect("JSON");
        assert_eq!(
            (&summary["crashes"], &summary["crash_list"][0]["kind"]),
            (&1.into(), &"hang".into()),
            "{name}"
        );
        let run = soundline(&["replay", &out]);
        assert!(text(&run.stdout).contains("1 crash, 0 diverge"), "{name}: {}", text_of(&run));
        let run = soundline(&["explore", &program]);
        let shown = text(&run.stdout);
        assert!(shown.contains("crash: hang") && shown.contains("--fuel allows more"), "{name}: {shown}");
    }
    // A run that is only cut off by the clock says nothing about the program.
    let slow = write("slow.wat", module("(loop $l (br $l))"));
    let run = soundline(&["explore", &slow, "--fuel", "1000000000000", "--time-limit", "0.2"]);
    assert_eq!(run.status.code(), Some(0), "{}", text_of(&run));
    let start = write(
        "start.wat",
        "(module (func $s (loop $l (br $l))) (start $s) (func (export \"_start\")))".into(),
    );
    let run = soundline(&["explore", &start]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("ran out of fuel"), "{}", text_of(&run));
    let deep = write("deep.wat", module("(call $f)"));
    let run = soundline(&["explore", &deep]);
    assert!(text(&run.stdout).contains("... this call, "), "{}", text_of(&run));
}

/// Two crashes are none natively: a size that is only too much for 32 bits, and a structure that is aligned with larger pointers.
const SIZES: &str = "#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned char c[2];
    if (fread(c, 1, 2, stdin) != 2) return 0;
    char *block = malloc(c[0] == 0 ? 3u << 30 : 8);
    if (c[1] == 'x') block[9] = 1;
    struct state { void *at; int count; };
    union any { struct state state; double number; };
    static struct { char extra[sizeof(void *)]; struct state state; } own __attribute__((aligned(8)));
    if (c[1] == 'y') c[0] = ((union any *)&own.state)->state.count;
    free(block);
}
";

#[test]
fn a_crash_that_is_none_natively_leaves_no_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, out) = (folder.path().join("sizes.c"), folder.path().join("out"));
    std::fs::write(&program, SIZES).expect("written");
    let (program, out) = (program.to_str().expect("a path"), out.to_str().expect("a path"));
    let run = soundline(&["explore", program, "--stdin", "2", "--json", "--time-limit", "20", "--out", out]);
    assert_eq!(run.status.code(), Some(1), "{}", text_of(&run));
    let summary: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(summary["crashes"], 1, "{summary}");
    assert_eq!(summary["crash_list"][0]["kind"], "heap-buffer-overflow", "{summary}");
    let crashes = std::fs::read_dir(Path::new(out).join("crashes")).expect("crashes").flatten();
    let reports: Vec<String> =
        crashes.filter_map(|crash| std::fs::read_to_string(crash.path().join("report.txt")).ok()).collect();
    assert!(
        matches!(&reports[..], [only] if only.starts_with("heap-buffer-overflow") && only.contains("also natively")),
        "{reports:?}"
    );
}

fn text_of(run: &Output) -> String {
    text(&run.stdout) + &text(&run.stderr)
}

/// An error in a recursive function is one crash, however deep the recursion and wherever it began; two lines are two.
#[test]
fn recursion_makes_no_second_crash() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("nested.c");
    let source = r#"#include <stdio.h>
static int sum(void);
static int atom(int depth) {
    int c = getchar();
    if (c == '(') return sum();
    if (c == 'x') return 6 / (depth - depth);
    return c;
}
static int sum(void) {
    int value = atom(1);
    for (;;) {
        int c = getchar();
        if (c == '/') value = value / (atom(2) - '0');
        else return value;
    }
}
int main(void) {
    if (getchar() == '=') return sum();
    return sum() + 1;
}"#;
    std::fs::write(&program, source).expect("written");
    let program = program.to_str().expect("a path");
    let run = soundline(&["explore", program, "--stdin", "6", "--no-native", "--json", "--time-limit", "20"]);
    let summary: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    let mut lines: Vec<_> = summary["crash_list"]
        .as_array()
        .expect("crashes")
        .iter()
        .map(|crash| crash["line"].as_u64())
        .collect();
    lines.sort_unstable();
    // The line of the second division may overflow too (INT_MIN / -1 cannot be reached from bytes).
    assert_eq!(lines, [Some(6), Some(13)], "{summary}");
}

/// A run that comes to one error twice, and covers nothing new, is the test of that error.
#[test]
fn an_error_twice_in_a_run_has_a_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("twice.c");
    let source = r#"#include <stdio.h>
static int last;
static void grow(int by) {
    last = 2147483600 + by;
}
int main(void) {
    int c = getchar();
    grow(c);
    grow(c + 1);
    return last != 0;
}"#;
    std::fs::write(&program, source).expect("written");
    let (program, out) = (program.to_str().expect("a path"), folder.path().join("out"));
    let out = out.to_str().expect("a path");
    let run = soundline(&["explore", program, "--stdin", "1", "--no-native", "--json", "--out", out]);
    assert_eq!(run.status.code(), Some(1), "{}", text_of(&run));
    let summary: Json = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(summary["crashes"], 1, "{summary}");
    assert_eq!(summary["crash_list"][0]["line"], 4, "{summary}");
    let replayed = soundline(&["replay", out]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text_of(&replayed));
}

/// A loop that takes all fuel and ends natively is no hang.
#[test]
fn what_only_takes_long_is_no_hang() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("long.c");
    let source =
        "int main(void) { volatile int sum = 0; for (int i = 0; i < 5000000; i++) sum ^= i; return 0; }";
    std::fs::write(&program, source).expect("written");
    let program = program.to_str().expect("a path");
    for (native, crashes) in [(None, 0), (Some("--no-native"), 1)] {
        let arguments = ["explore", program, "--stdin", "1", "--json", "--time-limit", "20"];
        let run = soundline(&arguments.into_iter().chain(native).collect::<Vec<_>>());
        assert_eq!(run.status.code(), Some(crashes), "{}", text_of(&run));
        let summary: Json = serde_json::from_slice(&run.stdout).expect("JSON");
        assert_eq!(summary["crashes"], crashes, "{summary}");
    }
}
