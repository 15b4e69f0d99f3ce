//! Programs as their users have them: builds, archives, first inputs, dictionaries, campaigns of other fuzzers, threads and signals.

use serde_json::json;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn explore(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_soundline"))
        .current_dir(folder)
        .arg("explore")
        .args(["--no-native", "--time-limit", "20"])
        .args(args)
        .output()
        .expect("the binary runs")
}

fn text(run: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr))
}

/// The crashes of an exploration that found some.
#[track_caller]
fn crashes(run: &Output) -> Vec<String> {
    let text = text(run);
    assert!(matches!(run.status.code(), Some(0 | 1)), "{text}");
    text.lines()
        .filter_map(|line| Some(line.strip_prefix("crash: ")?.split(" (test").next()?.to_string()))
        .collect()
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    folder
}

const HEADER: &str = "int check(const char *text, int size);\n";
/// Reads behind its buffer if the text has as many letters k as the build says.
const CHECK: &str = r#"#include "check.h"
int check(const char *text, int size) {
    int count = 0;
    for (int i = 0; i < size; i++) count += text[i] == 'k';
    return count == LIMIT ? text[size] : count;
}
"#;
const MAIN: &str = r#"#include "check.h"
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 2 || strlen(argv[1]) < 3) return 1;
    char *copy = malloc(3);
    memcpy(copy, argv[1], 3);
    int count = check(copy, 3);
    free(copy);
    return count;
}
"#;

fn project() -> tempfile::TempDir {
    folder(&[("include/check.h", HEADER), ("src/check.c", CHECK), ("src/main.c", MAIN)])
}

#[test]
fn a_build_that_is_there_is_watched() {
    let folder = project();
    let makefile =
        "prog: main.o check.o\n\t$(CC) -o $@ $^\n%.o: src/%.c\n\t$(CC) -Iinclude -DLIMIT=2 -c $< -o $@\n";
    std::fs::write(folder.path().join("Makefile"), makefile).expect("written");
    let run = explore(folder.path(), &["--wrap", "--arg", "4", "--", "make"]);
    assert_eq!(crashes(&run), ["heap-buffer-overflow"], "{}", text(&run));
    let again = explore(folder.path(), &["--wrap", "--arg", "4", "--", "make"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again).contains("no C or C++ compiler was called"), "{}", text(&again));
}

#[test]
fn a_compilation_database_is_read() {
    let folder = project();
    let database = json!([
        { "directory": folder.path(), "file": "src/main.c", "command": "cc -Iinclude -c src/main.c -o main.o" },
        { "directory": folder.path(), "file": "src/check.c",
          "arguments": ["cc", "-Iinclude", "-DLIMIT=3", "-c", "src/check.c", "-o", "check.o"] },
    ]);
    std::fs::write(folder.path().join("compile_commands.json"), database.to_string()).expect("written");
    let run = explore(folder.path(), &["compile_commands.json", "--arg", "4"]);
    assert_eq!(crashes(&run), ["heap-buffer-overflow"], "{}", text(&run));
}

#[test]
fn first_contents_of_arguments_come_from_files_and_texts() {
    let folder = project();
    std::fs::write(folder.path().join("seed"), "kkx").expect("written");
    for arg in ["@seed", "=kkx"] {
        let args =
            ["src/main.c", "src/check.c", "--arg", arg, "--tests", "1", "--", "-Iinclude", "-DLIMIT=2"];
        let run = explore(folder.path(), &args);
        assert_eq!(crashes(&run), ["heap-buffer-overflow"], "{}", text(&run));
    }
    let run = explore(folder.path(), &["src/main.c", "--arg", "@nothing"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run).contains("cannot read nothing"), "{}", text(&run));
}

#[test]
fn objects_are_linked_and_those_of_this_machine_are_refused() {
    let folder = project();
    let compile = |target: &[&str], object: &str| {
        let done = Command::new("clang")
            .current_dir(folder.path())
            .args(target)
            .args(["-Iinclude", "-DLIMIT=1", "-O1", "-g", "-c", "src/check.c", "-o", object])
            .status();
        assert!(done.is_ok_and(|status| status.success()));
    };
    compile(&["--target=wasm32-wasi"], "check.o");
    compile(&[], "native.o");
    let run = explore(folder.path(), &["src/main.c", "check.o", "--arg", "4", "--", "-Iinclude"]);
    assert_eq!(crashes(&run), ["heap-buffer-overflow"], "{}", text(&run));
    let run = explore(folder.path(), &["src/main.c", "native.o", "--arg", "4", "--", "-Iinclude"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run).contains("--target=wasm32-wasi"), "{}", text(&run));
}

/// The array has as many elements as the parameter says: it is not null, and only what lies behind it is out of bounds.
#[test]
fn a_length_ties_an_array_to_a_parameter() {
    let source = "int sum(const int *array, unsigned size) {
    int all = 0;
    for (unsigned i = 0; i < size; i++) all ^= array[i];
    if (size == 3 && all == 77) return array[size];
    return all;
}
";
    let folder = folder(&[("sum.c", source)]);
    let run =
        explore(folder.path(), &["sum.c", "--entry", "sum", "--length", "array=size", "--pointee", "16"]);
    assert_eq!(crashes(&run), ["heap-buffer-overflow"], "{}", text(&run));
    assert!(text(&run).starts_with("explored: "), "{}", text(&run));
    assert!(text(&run).contains("sum.c:4"), "{}", text(&run));
    let run = explore(folder.path(), &["sum.c", "--entry", "sum", "--length", "other=size"]);
    assert_eq!(run.status.code(), Some(2), "{}", text(&run));
}

const THREADS: &str = r#"#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *add(void *value) {
    pthread_mutex_lock(&lock);
    total += *(unsigned char *)value;
    pthread_mutex_unlock(&lock);
    return value;
}
int main(void) {
    unsigned char in[2];
    pthread_t threads[2];
    if (read(0, in, 2) != 2) return 0;
    for (int i = 0; i < 2; i++) if (pthread_create(&threads[i], 0, add, &in[i])) return 3;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    if (total == 301 && in[0] == 200) abort();
    return 0;
}
"#;
const SIGNALS: &str = r#"#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile sig_atomic_t seen;
static void handle(int number) { seen = number; }
int main(void) {
    char in;
    if (read(0, &in, 1) != 1) return 0;
    signal(SIGINT, handle);
    if (in == 'r') {
        raise(SIGINT);
        if (seen == SIGINT) abort();
    }
    return 0;
}
"#;
const JUMPS: &str = r#"#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
static jmp_buf back;
static void leave(char in) { if (in == 'j') longjmp(back, 7); }
int main(void) {
    char in[2];
    if (read(0, in, 2) != 2) return 0;
    int came = setjmp(back);
    if (came == 0) leave(in[0]);
    else if (came == 7 && in[1] == '!') abort();
    return 0;
}
"#;

/// A library as it comes: its header speaks of main (as in a program), and its source has one for its own tests.
const TESTED: &str = r#"/* call it from main(); see below */
int first(const char *text) { return text[0] == 'k' ? text[100] : 0; }
#ifdef TEST
int main(void) { return first("k"); }
#endif
"#;
const TARGET: &str = r#"#include <stddef.h>
#include <stdint.h>
int first(const char *text);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size > 1 ? first((const char *)data) & 0 : 0; }
"#;

#[test]
fn a_main_that_is_not_compiled_leaves_a_harness_one() {
    let folder = folder(&[("tested.c", TESTED), ("target.c", TARGET)]);
    let run = explore(folder.path(), &["target.c", "tested.c"]);
    assert_eq!(crashes(&run), ["heap-buffer-overflow"], "{}", text(&run));
    let run = explore(folder.path(), &["target.c", "tested.c", "--time-limit", "2", "--", "-DTEST"]);
    assert!(!text(&run).contains("harness"), "its own main runs: {}", text(&run));
}

#[test]
fn an_earlier_exploration_says_what_is_symbolic() {
    let files = [("p.c", ASKS), ("seeds/deep/er/one", "magic!"), ("seeds/.state/none", "k")];
    let folder = folder(&files);
    let run = explore(folder.path(), &["p.c", "--seeds", "seeds", "--arg", "2", "--out", "out"]);
    assert_eq!(crashes(&run), ["abort"], "{}", text(&run));
    for from in ["out", "out/tests/000001.json"] {
        let run = explore(folder.path(), &["p.c", "--from", from]);
        assert_eq!(crashes(&run), ["abort"], "{from}: {}", text(&run));
    }
}

/// Gives up for an input that the seed leads to, and for an argument.
const ASKS: &str = r#"#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char text[6];
    if (read(0, text, 6) == 6 && memcmp(text, "magic", 5) == 0 && argc > 1 && argv[1][0] == 'x' && text[5] == '?') abort();
    return 0;
}
"#;

#[test]
fn threads_signals_and_long_jumps_work() {
    let folder = folder(&[("threads.c", THREADS), ("signals.c", SIGNALS), ("jumps.c", JUMPS)]);
    for name in ["threads.c", "signals.c", "jumps.c"] {
        let run = explore(folder.path(), &[name, "--stdin", "2"]);
        assert_eq!(crashes(&run), ["abort"], "{name}: {}", text(&run));
        assert!(text(&run).starts_with("explored: "), "{name}: {}", text(&run));
    }
}

/// The layout is AFL++'s: what another instance found is a first input, and what covers something new lies where it looks for it.
#[test]
fn a_campaign_of_another_fuzzer_is_joined() {
    let source = r#"#include <string.h>
#include <unistd.h>
int main(void) {
    char in[16] = {0};
    unsigned word;
    if (read(0, in, 15) < 8) return 1;
    memcpy(&word, in, 4);
    if (memcmp(in + 4, "MAGI", 4) == 0 && word * 2654435761u == 0x12345678u) return 42;
    return 0;
}
"#;
    let name = "sync/main/queue/id:000000,time:0,execs:0,orig:a";
    let own = "sync/main/queue/id:000001,sync:soundline,src:000000,+cov";
    let folder = folder(&[("hash.c", source), (name, "helloMAGIC"), (own, "what we had put there")]);
    let run = explore(folder.path(), &["hash.c", "--sync", "sync"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run));
    assert!(text(&run).contains("took 1 inputs from other instances"), "{}", text(&run));
    let queue = std::fs::read_dir(folder.path().join("sync/soundline/queue")).expect("a queue");
    let files: Vec<_> = queue.map(|entry| entry.expect("an entry").path()).collect();
    assert!(
        files
            .iter()
            .all(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("id:")))
    );
    let solves = |bytes: &[u8]| {
        let word = bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        word.wrapping_mul(2_654_435_761) == 0x1234_5678 && bytes[4..].starts_with(b"MAGI")
    };
    assert!(files.iter().any(|file| solves(&std::fs::read(file).expect("a file"))), "{files:?}");
}

/// Entries go both ways between a real AFL++ and us. They work one after the other, so that nothing depends on who is faster.
#[test]
fn afl_takes_what_was_found_here() {
    let source = r#"#include <stdio.h>
#include <string.h>
int main(void) {
    char in[32] = {0};
    if (fread(in, 1, 31, stdin) < 8) return 1;
    if (strncmp(in, "geometry", 8) == 0) puts("a keyword");
    if (in[0] == '[') puts("a section");
    return 0;
}
"#;
    let folder = folder(&[("reader.c", source), ("in/first", "some text")]);
    let afl = |name: &str, arguments: &[&str]| {
        let settings = [
            ("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"),
            ("AFL_SKIP_CPUFREQ", "1"),
            ("AFL_NO_AFFINITY", "1"),
            ("AFL_NO_UI", "1"),
            ("AFL_AUTORESUME", "1"),
        ];
        let mut command = Command::new(name);
        command.args(arguments).envs(settings).current_dir(folder.path()).stdin(Stdio::null()).output()
    };
    if afl("afl-clang-fast", &["--version"]).is_err() || afl("afl-fuzz", &["-hh"]).is_err() {
        testkit::missing("AFL++ (Debian: afl++)");
        return;
    }
    let built = afl("afl-clang-fast", &["-w", "-o", "reader", "reader.c"]).expect("it starts");
    assert!(built.status.success(), "{}", text(&built));
    let fuzz = |seconds: &str| {
        let run = afl("afl-fuzz", &["-M", "main", "-i", "in", "-o", "sync", "-V", seconds, "./reader"]);
        let run = run.expect("it starts");
        assert!(run.status.success(), "{}", text(&run));
    };
    fuzz("1");
    let run = explore(folder.path(), &["reader.c", "--sync", "sync", "--stdin", "31"]);
    assert!(text(&run).contains("took "), "{}", text(&run));
    assert!(!text(&run).contains("took 0 inputs"), "{}", text(&run));
    fuzz("3");
    let queue = std::fs::read_dir(folder.path().join("sync/main/queue")).expect("a queue");
    let names: Vec<String> =
        queue.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    assert!(names.iter().any(|name| name.contains("sync:soundline")), "{names:?}");
}

#[test]
fn a_dictionary_with_a_mistake_is_refused_with_its_line() {
    let folder = folder(&[
        ("good.dict", "# words\nfirst=\"alpha\"\n\"be\\x74a\"\n"),
        ("bad.dict", "\"alpha\"\n\nsecond=\"beta\n"),
        ("empty.c", "int main(void) { return 0; }\n"),
    ]);
    let run = explore(folder.path(), &["empty.c", "--dictionary", "bad.dict"]);
    assert_eq!(run.status.code(), Some(2), "{}", text(&run));
    assert!(text(&run).contains("bad.dict: line 3: the quotes are not closed"), "{}", text(&run));
    let run = explore(folder.path(), &["empty.c", "--dictionary", "good.dict"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run));
    let run = explore(folder.path(), &["empty.c", "--dictionary", "none.dict"]);
    assert_eq!(run.status.code(), Some(2), "{}", text(&run));
}
