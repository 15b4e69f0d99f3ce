//! Crashes: what happened, where, and a C program that makes it happen again.

use super::Subject;
use crate::clang::HEADERS;
use crate::native::FUNCTIONS;
use crate::program::Program;
use crate::search::{Crash, CrashIdentity, Test};
use crate::target::{Object, ObjectKind, StackFrame, Target};
use output::{Error, Folder};
use serde::{Deserialize, Serialize};
use smt::text::put;
use std::fs;
use std::io;

/// A crash in `summary.json`: what, where, how often.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CrashSummary {
    kind: String,
    file: Option<String>,
    line: Option<u32>,
    details: Vec<String>,
    stack: Vec<String>,
    /// The number of its first test.
    test: usize,
    count: usize,
}

/// A crash in its folder, for programs: the same, and what tells it from others.
#[derive(Serialize)]
struct CrashDocument {
    #[serde(flatten)]
    summary: CrashSummary,
    identity: CrashIdentity,
}

/// The identity of the crash in a folder; none where its file is gone or damaged.
pub(super) fn stored_identity(text: &[u8]) -> Option<CrashIdentity> {
    #[derive(Deserialize)]
    struct Stored {
        identity: CrashIdentity,
    }
    serde_json::from_slice::<Stored>(text).ok().map(|stored| stored.identity)
}

/// A crash in words for programs.
pub(super) fn describe(target: &dyn Target, crash: &Crash) -> CrashSummary {
    let frames = target.frames(&crash.stack);
    let place = place(target, &frames).and_then(|frame| frame.line.clone());
    CrashSummary {
        kind: crash.ending.to_string(),
        file: place.as_ref().map(|line| line.file.clone()),
        line: place.as_ref().map(|line| line.line),
        details: details(target, crash),
        stack: folded(&frames),
        test: crash.test + 1,
        count: crash.count,
    }
}

/// What the checks know of a crash, in lines for people.
pub fn details(target: &dyn Target, crash: &Crash) -> Vec<String> {
    let mut lines = Vec::new();
    for note in &crash.notes {
        lines.push(note.text.clone());
        lines.extend(target.frames(&note.stack).iter().map(|frame| format!("    {frame}")));
    }
    lines
}

/// The longest group of frames that is looked for again right behind itself.
const LONGEST_CYCLE: usize = 8;
/// How often a group must follow itself to be folded.
const OFTEN: usize = 3;

/// A stack, a line for each call; where recursion repeats the same calls, they stand there once.
pub fn folded(frames: &[StackFrame]) -> Vec<String> {
    let (mut lines, mut at) = (Vec::new(), 0);
    while at < frames.len() {
        let repeats = |length: usize| {
            let group = &frames[at..at + length];
            frames[at..].chunks_exact(length).take_while(|next| *next == group).count()
        };
        let longest = LONGEST_CYCLE.min((frames.len() - at) / OFTEN);
        match (1..=longest).map(|length| (length, repeats(length))).find(|(_, times)| *times >= OFTEN) {
            Some((length, times)) => {
                lines.extend(frames[at..at + length].iter().map(StackFrame::to_string));
                let which = if length == 1 { "this call".into() } else { format!("these {length} calls") };
                lines.push(format!("... {which}, {} times", grouped(times)));
                at += length * times;
            }
            None => {
                lines.push(frames[at].to_string());
                at += 1;
            }
        }
    }
    lines
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The innermost call in the program's own source; an error in the C library is one of the line that calls it. Without such a call, the
/// innermost whose source is known.
fn place<'a>(target: &dyn Target, frames: &'a [StackFrame]) -> Option<&'a StackFrame> {
    let own =
        |frame: &&StackFrame| frame.line.as_ref().is_some_and(|line| target.sites().has_file(&line.file));
    frames.iter().find(own).or_else(|| frames.iter().find(|frame| frame.line.is_some()))
}

/// Writes the folder of a crash, with its first test and the number of that.
pub(super) fn write(
    folder: &Folder,
    subject: Subject<'_>,
    number: usize,
    crash: &Crash,
    (test_number, test): (usize, &Test),
) -> Result<(), Error> {
    let document = CrashDocument {
        summary: CrashSummary { test: test_number, ..describe(subject.target, crash) },
        identity: crash.identity.clone(),
    };
    let mut files = vec![
        ("crash.json", super::to_text(&document)),
        ("report.txt", text(subject.target, crash, test_number, test)),
        ("test.json", super::test::to_text(subject.target, test)),
    ];
    let regression = subject.target.regression(subject, crash, test);
    files.extend(regression.map_err(|error| Error::io(subject.file, error))?);
    folder.write_group(&format!("crashes/{number:03}"), &files).map(|_| ())
}

/// The files that repeat a crash of a C program that is run from its start.
pub(crate) fn c_regression(
    program: &Program,
    subject: Subject<'_>,
    crash: &Crash,
    test: &Test,
) -> io::Result<Vec<(&'static str, String)>> {
    let is_c = subject.file.extension().is_some_and(|extension| extension == "c");
    // A harness has no main to be called, and several files cannot be included in one.
    let single = program.files().len() <= 1 && !program.is_harness();
    if !is_c || !single || program.setup().entry.is_some() {
        return Ok(Vec::new());
    }
    let file = fs::canonicalize(subject.file)?.display().to_string();
    let mut files: Vec<(&str, String)> =
        HEADERS.iter().map(|(name, text)| (*name, text.to_string())).collect();
    files.push(("regression.c", regression(program, subject.flags, &file, crash, test)));
    Ok(files)
}

fn text(target: &dyn Target, crash: &Crash, number: usize, test: &Test) -> String {
    let mut out = format!("{}\n", crash.ending);
    for line in details(target, crash) {
        put(&mut out, format_args!("{line}\n"));
    }
    for line in folded(&target.frames(&crash.stack)) {
        put(&mut out, format_args!("    {line}\n"));
    }
    put(&mut out, format_args!("\ntest {number} ({}), {} such\n\n", test.origin.word(), crash.count));
    for object in &test.run.objects {
        put(&mut out, format_args!("{} = {}\n", object.name, literal(&object.bytes)));
    }
    for (name, bytes) in [("standard output", &test.run.stdout), ("standard error", &test.run.stderr)] {
        if !bytes.is_empty() {
            put(&mut out, format_args!("\n{name}:\n{}\n", String::from_utf8_lossy(bytes)));
        }
    }
    out
}

/// How a regression test answers what the program asks for: from a table.
const TABLE: &str = r#"#include <string.h>

struct object { const char *name; size_t size; const char *bytes; };
static const struct object objects[];
static size_t next_object;

static void next_input(void *target, size_t size) {
    const struct object *object = &objects[next_object];
    memset(target, 0, size);
    if (object->name) {
        memcpy(target, object->bytes, size < object->size ? size : object->size);
        next_object++;
    }
}

"#;

/// A C program that runs the program on the input of a test.
fn regression(program: &Program, flags: &[String], file: &str, crash: &Crash, test: &Test) -> String {
    let asked = |object: &&Object| matches!(object.kind, ObjectKind::Memory | ObjectKind::Scalar(_));
    let of = |kind: ObjectKind| test.run.objects.iter().filter(move |object| object.kind == kind);
    let mut out = format!(
        "/* Written by soundline explore: {}. Compile and run with\n     cc -g -I. -fsanitize=address,undefined regression.c -lm{} && ./a.out */\n",
        crash.ending,
        flags.iter().map(|flag| format!(" {flag}")).collect::<String>(),
    );
    out.push_str(FUNCTIONS);
    // A program may have these itself.
    for name in ["reach_error", "__VERIFIER_error"].into_iter().filter(|name| program.imports(name)) {
        put(
            &mut out,
            format_args!("void {name}(void) {{ fputs(\"error reached\\n\", stderr); abort(); }}\n"),
        );
    }
    out.push_str(TABLE);
    put(&mut out, format_args!("#define main program_main\n#include {}\n#undef main\n\n", quoted(file)));
    out.push_str("static const struct object objects[] = {\n");
    for object in test.run.objects.iter().filter(asked) {
        let (name, bytes) = (quoted(&object.name), literal(&object.bytes));
        put(&mut out, format_args!("    {{{name}, {}, {bytes}}},\n", object.bytes.len()));
    }
    out.push_str("    {0, 0, 0},\n};\n\nint main(void) {\n");
    for object in of(ObjectKind::File) {
        let name = quoted(object.name.trim_start_matches("file:"));
        put_file(&mut out, &name, &object.bytes, "fclose(file);");
    }
    for object in of(ObjectKind::Stdin) {
        put_file(
            &mut out,
            "\"stdin.bin\"",
            &object.bytes,
            "fclose(file); if (!freopen(\"stdin.bin\", \"rb\", stdin)) return 2;",
        );
    }
    out.push_str("    char *argv[] = {\"program\"");
    let mut count = 1;
    for object in of(ObjectKind::Argument) {
        let end = object.bytes.iter().position(|&byte| byte == 0).unwrap_or(object.bytes.len());
        put(&mut out, format_args!(", {}", literal(&object.bytes[..end])));
        count += 1;
    }
    put(
        &mut out,
        format_args!(
            ", 0}};\n    /* The program's main may take no arguments. */\n    int (*volatile start)(int, char **) = (int (*)(int, char **))(void *)program_main;\n    return start({count}, argv);\n}}\n"
        ),
    );
    out
}

fn put_file(out: &mut String, name: &str, bytes: &[u8], then: &str) {
    put(
        out,
        format_args!(
            "    {{ FILE *file = fopen({name}, \"wb\"); if (!file) return 2; fwrite({}, 1, {}, file); {then} }}\n",
            literal(bytes),
            bytes.len()
        ),
    );
}

/// Bytes as a C string; octal escapes have three digits, so that no digit after them belongs to them.
fn literal(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => put(&mut out, format_args!("\\{}", byte as char)),
            b'?' => out.push_str("\\?"),
            b' '..=b'~' => out.push(byte as char),
            _ => put(&mut out, format_args!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

fn quoted(text: &str) -> String {
    literal(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recursion_is_folded() {
        let frames = |names: &str| -> Vec<StackFrame> {
            names.chars().map(|name| StackFrame { function: name.to_string(), line: None }).collect()
        };
        let rows = [
            ("", ""),
            ("abc", "a|b|c"),
            ("aab", "a|a|b"),
            ("xaaab", "x|a|... this call, 3 times|b"),
            ("xabababm", "x|a|b|... these 2 calls, 3 times|m"),
        ];
        for (names, lines) in rows {
            assert_eq!(folded(&frames(names)).join("|"), lines, "{names}");
        }
        let deep = folded(&frames(&("f".repeat(4_161) + "m")));
        assert_eq!(deep, ["f", "... this call, 4,161 times", "m"]);
    }
}
