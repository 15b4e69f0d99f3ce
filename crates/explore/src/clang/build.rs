//! Builds that are there already: which files a program is made of, and with which flags each is compiled.
//!
//! Two ways to know: a `compile_commands.json`, or watching the build. Watching puts commands named like compilers first on the search
//! path; each writes down what it was called with and then calls the real one, so that the build goes on as it always does. From
//! what was written down follows which objects and archives a program was linked from, and which files these came from. The
//! files are then compiled for WebAssembly. Only flags that change the meaning of the source are taken over.

use super::Language;
use process::{Command, End, Limits};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A source file, and the flags that it is compiled with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Absolute, as the flags are.
    pub file: PathBuf,
    /// Flags with absolute paths.
    pub flags: Vec<String>,
}

/// Why the files of a program are not known.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is no compilation database.
    #[error("{}: not a compilation database: {reason}", file.display())]
    Database {
        /// What was named in place of a program.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// The build failed.
    #[error("the build failed: {reason}")]
    Build {
        /// Its last words.
        reason: String,
    },
    /// No compiler was called.
    #[error(
        "no C or C++ compiler was called by `{command}`\nhelp: is everything built already? Clean first; a compiler that is named by its full path is not seen"
    )]
    Nothing {
        /// What was run behind `--wrap --`.
        command: String,
    },
    /// Which program is meant is not clear.
    #[error("{}", if programs.is_empty() { "no program was linked".to_string() } else { format!("choose a program by --target NAME: {}", programs.join(", ")) })]
    Target {
        /// Those that the build linked.
        programs: Vec<String>,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
}

/// A call of a compiler, a linker or an archiver.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Call {
    folder: PathBuf,
    /// The tool first.
    words: Vec<String>,
}

/// The tools that are watched, and what stands in where one is not installed.
const TOOLS: &[(&str, &str)] = &[
    ("cc", "clang"),
    ("gcc", "clang"),
    ("gcc-12", "clang"),
    ("clang", "clang"),
    ("clang-14", "clang"),
    ("c99", "clang"),
    ("c++", "clang++"),
    ("g++", "clang++"),
    ("g++-12", "clang++"),
    ("clang++", "clang++"),
    ("clang++-14", "clang++"),
    ("ar", "ar"),
    ("gcc-ar", "ar"),
    ("llvm-ar", "ar"),
];

/// Flags that are taken over as they are.
const KEPT: &[&str] = &[
    "-fwrapv",
    "-fno-strict-aliasing",
    "-funsigned-char",
    "-fsigned-char",
    "-fshort-enums",
    "-fno-builtin",
    "-ffreestanding",
    "-fms-extensions",
];

/// Flags that have a path, in the same word or in the next.
const PATHS: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];

/// Flags whose next word is theirs and says nothing to us.
const SKIPPED: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-L", "-arch", "-T", "-Xlinker", "-u", "-z"];

/// The files of a compilation database. If several have a `main`, the target is the name of the file of the one that is meant.
pub fn from_database(file: &Path, target: Option<&str>) -> Result<Vec<Unit>, Error> {
    let wrong = |reason: String| Error::Database { file: file.to_path_buf(), reason };
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(file)?).map_err(|error| wrong(error.to_string()))?;
    let rows = json.as_array().ok_or_else(|| wrong("it is not a list".into()))?;
    let mut calls = Vec::new();
    for row in rows {
        let text = |key: &str| row.get(key).and_then(serde_json::Value::as_str);
        let listed = row.get("arguments").and_then(serde_json::Value::as_array);
        let words = match (listed, text("command")) {
            (Some(words), _) => words.iter().filter_map(|word| word.as_str().map(str::to_string)).collect(),
            (None, Some(command)) => split(command),
            (None, None) => return Err(wrong("a row has no command".into())),
        };
        calls.push(Call { folder: text("directory").unwrap_or(".").into(), words });
    }
    let mut units: Vec<Unit> = Vec::new();
    for unit in calls.iter().flat_map(|call| Reading::of(call).units()) {
        if !units.iter().any(|known| known.file == unit.file) {
            units.push(unit);
        }
    }
    choose_main(units, target)
}

/// Of the files that have a `main`, one stays.
fn choose_main(units: Vec<Unit>, target: Option<&str>) -> Result<Vec<Unit>, Error> {
    let has_main = |unit: &Unit| std::fs::read(&unit.file).is_ok_and(|text| super::defines(&text, "main"));
    let name =
        |unit: &Unit| unit.file.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
    let mains: Vec<bool> = units.iter().map(has_main).collect();
    let names: Vec<String> =
        units.iter().zip(&mains).filter(|(_, main)| **main).map(|(unit, _)| name(unit)).collect();
    let wanted = match (target, &names[..]) {
        (Some(target), _) => names.iter().find(|name| *name == target).cloned(),
        (None, [] | [_]) => return Ok(units),
        (None, _) => None,
    };
    let Some(wanted) = wanted else { return Err(Error::Target { programs: names }) };
    let stays = |(unit, main): (Unit, bool)| (!main || name(&unit) == wanted).then_some(unit);
    Ok(units.into_iter().zip(mains).filter_map(stays).collect())
}

/// Runs a build and gives the files of the program that it links; of several, the one whose file has the target's name.
pub fn watch(command: &[String], target: Option<&str>, stop: &AtomicBool) -> Result<Vec<Unit>, Error> {
    let folder = tempfile::tempdir()?;
    let (tools, log) = (folder.path().join("bin"), folder.path().join("log"));
    std::fs::create_dir_all(&tools)?;
    std::fs::create_dir_all(&log)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = |name: &str| std::env::split_paths(&path).map(|f| f.join(name)).find(|f| f.is_file());
    for (name, instead) in TOOLS {
        let Some(real) = installed(name).or_else(|| installed(instead)) else { continue };
        let script = format!(
            "#!/bin/sh\nlog=$(mktemp '{}/XXXXXXXXXX')\nprintf '%s\\0' \"$PWD\" '{name}' \"$@\" > \"$log\"\nexec '{}' \"$@\"\n",
            log.display(),
            real.display()
        );
        write_script(&tools.join(name), &script)?;
    }
    let mut search = OsString::from(&tools);
    search.push(":");
    search.push(&path);
    let limits = Limits { memory: 8 << 30, output: 64 << 20, ..Limits::with_cpu(Duration::from_secs(1800)) };
    let run = Command::of_words(command)
        .variable("PATH", &search)
        .run(b"", &limits, stop)
        .map_err(|error| Error::Build { reason: error.to_string() })?;
    if run.end != End::Exited(0) {
        let last: Vec<&str> = run.stderr.lines().rev().take(8).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        return Err(Error::Build { reason: last.join("\n") });
    }
    let mut calls = Vec::new();
    for entry in std::fs::read_dir(&log)? {
        let bytes = std::fs::read(entry?.path())?;
        let mut words = bytes.split(|&b| b == 0).map(|word| String::from_utf8_lossy(word).into_owned());
        let Some(folder) = words.next() else { continue };
        let mut words: Vec<String> = words.collect();
        words.pop();
        calls.push(Call { folder: folder.into(), words });
    }
    // The names of the logs are random: what is made of them must not depend on it.
    calls.sort_by(|a, b| (&a.folder, &a.words).cmp(&(&b.folder, &b.words)));
    if calls.is_empty() {
        return Err(Error::Nothing { command: command.join(" ") });
    }
    linked(&calls, target)
}

fn write_script(file: &Path, text: &str) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(file, text)?;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

/// The files of a program, from all calls of a build.
fn linked(calls: &[Call], target: Option<&str>) -> Result<Vec<Unit>, Error> {
    let readings: Vec<Reading> = calls.iter().map(Reading::of).collect();
    let mut objects: BTreeMap<PathBuf, Vec<Unit>> = BTreeMap::new();
    let mut archives: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut programs: Vec<(String, &Reading)> = Vec::new();
    for reading in &readings {
        match reading.makes {
            Makes::Object => {
                for unit in reading.units() {
                    let object = reading.output.clone().unwrap_or_else(|| reading.beside(&unit.file));
                    objects.insert(object, vec![unit]);
                }
            }
            Makes::Archive => {
                if let Some(output) = &reading.output {
                    archives.entry(output.clone()).or_default().extend(reading.inputs.iter().cloned());
                }
            }
            Makes::Program if !(reading.inputs.is_empty() && reading.sources.is_empty()) => {
                let output = reading.output.clone().unwrap_or_else(|| reading.folder.join("a.out"));
                let name = output.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
                programs.push((name, reading));
            }
            Makes::Program | Makes::Nothing => {}
        }
    }
    let chosen = match (target, &programs[..]) {
        (Some(target), all) => all.iter().find(|(name, _)| name == target),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some((_, program)) = chosen else {
        return Err(Error::Target { programs: programs.into_iter().map(|(name, _)| name).collect() });
    };
    let mut units: Vec<Unit> = program.units();
    let mut open: Vec<PathBuf> = program.inputs.iter().rev().cloned().collect();
    while let Some(input) = open.pop() {
        if let Some(made) = objects.get(&input) {
            for unit in made
                .iter()
                .filter(|unit| !units.iter().any(|known| known.file == unit.file))
                .cloned()
                .collect::<Vec<_>>()
            {
                units.push(unit);
            }
        } else if let Some(members) = archives.get(&input) {
            open.extend(members.iter().rev().cloned());
        }
    }
    Ok(units)
}

/// What a call makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Makes {
    Object,
    Archive,
    Program,
    Nothing,
}

/// A call as it is understood.
#[derive(Clone, Debug)]
struct Reading {
    folder: PathBuf,
    makes: Makes,
    output: Option<PathBuf>,
    /// Files that are not sources, absolute.
    inputs: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    flags: Vec<String>,
}

impl Reading {
    fn of(call: &Call) -> Reading {
        let at = |path: &str| plain(&call.folder.join(path));
        let tool = call.words.first().map_or("", String::as_str);
        let tool = tool.rsplit('/').next().unwrap_or(tool);
        let mut reading = Reading {
            folder: call.folder.clone(),
            makes: Makes::Program,
            output: None,
            inputs: Vec::new(),
            sources: Vec::new(),
            flags: Vec::new(),
        };
        let mut words = call.words.iter().skip(1).map(String::as_str);
        if tool == "ar" || tool.ends_with("-ar") {
            reading.makes = Makes::Archive;
            words.next();
            let mut files = words.filter(|word| !word.starts_with('-')).map(at);
            reading.output = files.next();
            reading.inputs = files.collect();
            return reading;
        }
        let mut libraries = Vec::new();
        while let Some(word) = words.next() {
            if let Some(flag) = PATHS.iter().find(|flag| word.starts_with(**flag)) {
                let path = match &word[flag.len()..] {
                    "" => words.next().unwrap_or_default(),
                    path => path,
                };
                reading.flags.extend([flag.to_string(), at(path).display().to_string()]);
                continue;
            }
            match word {
                "-c" => reading.makes = Makes::Object,
                "-E" | "-M" | "-MM" | "--version" | "-v" | "-dumpmachine" => reading.makes = Makes::Nothing,
                "-S" => reading.makes = Makes::Nothing,
                "-o" => reading.output = words.next().map(at),
                "-D" | "-U" => {
                    reading.flags.push(format!("{word}{}", words.next().unwrap_or_default()));
                }
                "-x" => {
                    words.next();
                }
                _ if word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-std=") => {
                    reading.flags.push(word.to_string());
                }
                _ if KEPT.contains(&word) => reading.flags.push(word.to_string()),
                _ if SKIPPED.contains(&word) => {
                    words.next();
                }
                _ if word.starts_with("-l") => libraries.push(format!("lib{}.a", &word[2..])),
                _ if word.starts_with('-') => {}
                _ => match Language::of(Path::new(word)) {
                    Some(Language::C | Language::Cpp) => reading.sources.push(at(word)),
                    Some(Language::Linked) | None => reading.inputs.push(at(word)),
                },
            }
        }
        // Libraries are looked for beside the program and in the folders of -L: all that matter were made by this build.
        let folders = call.words.windows(2).filter_map(|pair| match pair[0].strip_prefix("-L") {
            Some("") => Some(at(&pair[1])),
            Some(folder) => Some(at(folder)),
            None => None,
        });
        let folders: Vec<PathBuf> = folders.chain([call.folder.clone()]).collect();
        for library in libraries {
            reading.inputs.extend(folders.iter().map(|folder| folder.join(&library)));
        }
        if reading.makes == Makes::Program && reading.sources.is_empty() && reading.inputs.is_empty() {
            reading.makes = Makes::Nothing;
        }
        reading
    }

    fn units(&self) -> Vec<Unit> {
        self.sources.iter().map(|file| Unit { file: file.clone(), flags: self.flags.clone() }).collect()
    }

    /// Where `-c` without `-o` writes to.
    fn beside(&self, source: &Path) -> PathBuf {
        self.folder.join(source.file_stem().unwrap_or_default()).with_extension("o")
    }
}

/// A path without `.` and `..` parts.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The words of a command line, as a shell splits them.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split() {
        let rows: &[(&str, &[&str])] = &[
            ("cc -c a.c", &["cc", "-c", "a.c"]),
            ("cc '-DX=\"a b\"' \\\"y\\\"", &["cc", "-DX=\"a b\"", "\"y\""]),
            ("cc \"-DN=\\\"q\\\"\"  -I ''", &["cc", "-DN=\"q\"", "-I", ""]),
        ];
        for (line, words) in rows {
            assert_eq!(split(line), *words, "{line}");
        }
    }

    fn call(line: &str) -> Call {
        Call { folder: "/p".into(), words: split(line) }
    }

    #[test]
    fn a_program_is_made_of_objects_and_archives() {
        let calls = [
            call("ar rcs lib/libu.a u.o v.o"),
            call("cc -O2 -Wall -Iinc -DN=1 -MMD -MF d -c u.c -o u.o"),
            call("cc -c sub/../v.c"),
            call("gcc -std=c99 -c main.c -o main.o"),
            call("cc -o tool main.o -Llib -lu -lm"),
            call("cc -E conf.c"),
        ];
        let units = linked(&calls, None).expect("one program");
        let shown: Vec<String> =
            units.iter().map(|unit| format!("{} {}", unit.file.display(), unit.flags.join(" "))).collect();
        assert_eq!(shown, ["/p/main.c -std=c99", "/p/u.c -I /p/inc -DN=1", "/p/v.c "]);
        let two = [calls.to_vec(), vec![call("cc other.c -o other")]].concat();
        let error = linked(&two, None).expect_err("two programs").to_string();
        assert_eq!(error, "choose a program by --target NAME: tool, other");
        let units = linked(&two, Some("other")).expect("named");
        assert_eq!(units, [Unit { file: "/p/other.c".into(), flags: Vec::new() }]);
    }
}
