//! The invariants of ARCHITECTURE.md that can be read off the source text: who depends on whom, who starts processes, who prints,
//! where `unsafe` is, what recurses on terms, which hash maps are iterated. The tests read text, not syntax: where one is wrong
//! about a place, the place is named in a table below, with the reason why it is right.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates from below to above, and which of them each may use. `testkit` is for tests only.
const CRATES: &[(&str, &[&str])] = &[
    ("random", &[]),
    ("process", &[]),
    ("output", &[]),
    ("smt", &[]),
    ("solve", &["random", "smt"]),
    ("explore", &["output", "process", "random", "smt", "solve"]),
    ("jvm", &["explore", "output", "process", "random", "smt", "solve"]),
    ("fuzz", &["output", "process", "random", "smt"]),
    ("campaign", &["explore", "fuzz", "jvm", "output", "process", "random", "smt", "solve"]),
    ("cli", &["campaign", "explore", "fuzz", "jvm", "output", "process", "random", "smt", "solve"]),
    ("testkit", &["process", "random", "smt"]),
];

/// Functions that take a term and call a function of their own name, and why that is no recursion on the depth of an input.
const RECURSION: &[(&str, &str, &str)] = &[
    ("explore/src/concolic/words.rs", "equal", "calls itself once, with the sides exchanged"),
    ("smt/src/print/printer.rs", "write_term", "calls the free function of the same name"),
    ("smt/src/term/functions.rs", "apply_partially", "calls itself once, without arguments"),
    (
        "smt/src/term/functions.rs",
        "map_apply",
        "each call takes the arguments of one map sort off, and sorts are small",
    ),
    ("solve/src/blast/rewrite/linear.rs", "add", "counts its depth down from a small number"),
    ("solve/src/blast/rewrite/polynomial.rs", "expand", "counts its depth down from a small number"),
    ("solve/src/strings/regex.rs", "ends", "counts its depth down from a small number"),
    ("fuzz/src/evolve/grow.rs", "character", "calls the grammar's function of the same name"),
    ("fuzz/src/evolve/individual.rs", "variables", "calls another type's function of the same name"),
    ("fuzz/src/truth/grow/assemble.rs", "combination", "counts its depth down from a small number"),
    ("fuzz/src/truth/operators/values.rs", "literal", "recurses on sorts, which are small"),
    ("testkit/src/ground.rs", "regex", "counts its depth down from a small number"),
    ("testkit/src/ground.rs", "datatype", "counts its depth down from a small number"),
];

/// Hash maps and sets that are iterated where the order could show, and why it does not; or names that are no hash maps there.
const HASHES: &[(&str, &str, &str)] = &[
    ("explore/src/search/source/graft.rs", "groups", "a slice here"),
    ("fuzz/src/reduce/commands.rs", "chosen", "a slice here"),
    ("fuzz/src/reduce/translate.rs", "funs", "a slice here"),
    ("jvm/src/machine/mod.rs", "interned_now", "goes into another map"),
    ("solve/src/anneal/compile.rs", "slots", "a slice here"),
    ("solve/src/blast/axioms.rs", "tied", "a vector here"),
    ("solve/src/blast/lower.rs", "words", "a vector here"),
    ("solve/src/cache.rs", "set", "each element changes an entry of its own"),
    ("solve/src/known_answers.rs", "answers", "a vector here"),
];

/// What orders, sums up, or goes into another unordered thing, on a line that iterates or soon after.
const ORDERED: &[&str] = &[
    "sort", ".sum(", ".min(", ".max(", ".any(", ".all(", ".count(", "BTree", "HashSet", "HashMap", ".retain(",
];

struct Source {
    /// Below `crates/`.
    path: String,
    /// The lines before the tests at its end.
    lines: Vec<String>,
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates' folder").to_path_buf()
}

/// The sources of all crates but their tests.
fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(crates())
        .expect("the crates")
        .map(|entry| entry.expect("an entry").path().join("src"))
        .filter(|path| path.is_dir())
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_string();
            if path.is_dir() {
                folders.extend((name != "tests").then_some(path));
            } else if name.ends_with(".rs") && name != "tests.rs" {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source");
        let own = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let path = path.strip_prefix(crates()).expect("below the crates").display().to_string();
        Source { path, lines: own.lines().map(str::to_string).collect() }
    };
    files.into_iter().map(read).collect()
}

impl Source {
    /// The lines that are no comments, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines
            .iter()
            .enumerate()
            .map(|(at, line)| (at + 1, line.trim()))
            .filter(|(_, line)| !line.starts_with("//"))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where a word stands in a line, not as a part of another.
fn find_word(line: &str, word: &str) -> Option<usize> {
    line.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word))
}

fn allowed(table: &[(&str, &str, &str)], path: &str, name: &str) -> bool {
    table.iter().any(|(file, what, _)| *file == path && *what == name)
}

#[test]
fn crates_depend_on_those_below() {
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(crates()).expect("the crates") {
        let folder = entry.expect("an entry").path();
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_string();
        let Ok(text) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let (_, allowed) = CRATES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| {
            panic!("{name} has no row: say here, and in ARCHITECTURE.md, which crates it may use")
        });
        let dependencies = text.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines() {
            let used = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let ours = used == "testkit" || CRATES.iter().any(|(known, _)| *known == used);
            assert!(!ours || allowed.contains(&used), "{name} must not use {used}");
        }
        seen.insert(name);
    }
    for (position, (name, uses)) in CRATES.iter().enumerate() {
        let below: BTreeSet<&str> = CRATES[..position].iter().map(|(name, _)| *name).collect();
        assert!(uses.iter().all(|used| below.contains(used)), "{name} uses what is not below it");
    }
    assert!(seen.len() > 8, "{seen:?}");
}

#[test]
fn only_the_crate_process_starts_processes_and_has_unsafe_code() {
    for source in sources().iter().filter(|source| !source.path.starts_with("process/")) {
        for (number, line) in source.code() {
            let starts = line.contains("std::process::") && find_word(line, "Command").is_some();
            assert!(!starts, "{}:{number} starts a process by itself: {line}", source.path);
            assert!(!line.contains("fork(") && !line.contains("posix_spawn"), "{}:{number}", source.path);
        }
    }
    for source in sources().iter().filter(|source| source.path != "process/src/os.rs") {
        for (number, line) in source.code() {
            let word = find_word(line, "unsafe");
            assert!(word.is_none() || line.contains('"'), "{}:{number} is unsafe: {line}", source.path);
        }
    }
}

/// Who may start which programs: the folders and files of each crate that use crate `process` for more than its types.
const STARTERS: &[(&str, &str)] = &[
    ("explore/src/clang/", "the C compiler, and builds that are watched"),
    ("explore/src/native/", "programs under test, outside of the virtual world"),
    ("explore/src/rust/", "the Rust compiler"),
    ("fuzz/src/evolve/coverage/gcov.rs", "gcov, on the counts of a solver"),
    ("fuzz/src/instrument.rs", "the tools that build solvers"),
    ("fuzz/src/solver/", "solvers, pip and cargo for their releases, gdb for their crashes"),
    ("jvm/src/front.rs", "javac"),
    ("jvm/src/native.rs", "java, on programs under test"),
    ("testkit/src/solver.rs", "solvers that tests ask"),
];

#[test]
fn processes_are_started_where_they_belong() {
    let mut seen = BTreeSet::new();
    for source in sources().iter().filter(|source| !source.path.starts_with("process/")) {
        for (number, line) in source.code() {
            let uses = line.starts_with("use process::")
                && ["Command", "Process"].iter().any(|word| find_word(line, word).is_some());
            let calls = find_word(line, "process::run").is_some() || line.contains(" process::Command");
            if !uses && !calls || line.contains("std::process") {
                continue;
            }
            let starter = STARTERS.iter().find(|(place, _)| source.path.starts_with(place));
            assert!(starter.is_some(), "{}:{number} starts processes: {line}", source.path);
            seen.extend(starter.map(|row| row.0));
        }
    }
    assert_eq!(seen.len(), STARTERS.len(), "the table lists what is gone; only these are left: {seen:?}");
}

#[test]
fn only_campaigns_touch_the_store_and_the_network() {
    let words = ["TcpStream", "TcpListener", "UdpSocket", "UnixStream", "rusqlite", "async_nats", "axum"];
    for source in sources().iter().filter(|source| !source.path.starts_with("campaign/")) {
        for (number, line) in source.code() {
            let found = words.iter().find(|word| find_word(line, word).is_some());
            assert!(found.is_none(), "{}:{number} reaches the network or the store: {line}", source.path);
        }
    }
}

#[test]
fn the_search_knows_no_machine() {
    let machines = [
        "checks", "clang", "compile", "concolic", "host", "machine", "memory", "module", "native", "op",
        "program", "rust", "vector", "world",
    ];
    for source in sources().iter().filter(|source| source.path.starts_with("explore/src/search/")) {
        for (number, line) in source.code() {
            for machine in machines {
                let named = find_word(line, &format!("crate::{machine}")).is_some();
                assert!(!named, "{}:{number} names a machine: {line}", source.path);
            }
        }
    }
}

/// Who removes paths beside crate `output`, and why nothing of a user's is among them.
const REMOVERS: &[(&str, &str)] = &[
    ("cli/src/commands/worker.rs", "a temporary folder that it made"),
    ("explore/src/native/mod.rs", "below a temporary folder of its own"),
    ("fuzz/src/evolve/coverage/gcov.rs", "a temporary folder of its own"),
    ("fuzz/src/evolve/coverage/sancov.rs", "a temporary file of its own"),
    ("fuzz/src/evolve/evaluate.rs", "a temporary file of its own"),
    ("fuzz/src/instrument.rs", "in a test, what it built"),
    ("fuzz/src/solver/store/cargo.rs", "below a folder that it unpacked"),
    ("fuzz/src/solver/store/mod.rs", "below the folder of a release that it installs"),
    ("jvm/src/native.rs", "below a temporary folder of its own"),
];

#[test]
fn nothing_is_removed_that_we_did_not_write() {
    for source in sources().iter().filter(|source| !source.path.starts_with("output/")) {
        for (number, line) in source.code() {
            let removes = ["remove_file", "remove_dir", "remove_dir_all"]
                .iter()
                .any(|word| find_word(line, word).is_some() && line.contains("fs::"));
            let known = REMOVERS.iter().any(|(path, _)| *path == source.path);
            assert!(!removes || known, "{}:{number} removes a path: {line}", source.path);
        }
    }
}

/// The files of `smt` and `solve` that look at the clock: for the outer limit, and to report times.
const CLOCKS: &[&str] =
    &["smt/src/token.rs", "solve/src/engine.rs", "solve/src/ils/classic.rs", "solve/src/session/check.rs"];

#[test]
fn engines_count_ticks_and_nothing_is_random_by_itself() {
    for source in sources() {
        for (number, line) in source.code() {
            let secret = ["thread_rng", "getrandom", "RandomState"].iter().any(|word| line.contains(word));
            assert!(!secret, "{}:{number} has randomness without a seed: {line}", source.path);
            let engine = source.path.starts_with("solve/") || source.path.starts_with("smt/");
            let clock = line.contains("Instant::now") || line.contains("SystemTime::now");
            let known = CLOCKS.contains(&source.path.as_str());
            assert!(!engine || !clock || known, "{}:{number} looks at the clock: {line}", source.path);
        }
    }
}

#[test]
fn only_the_command_line_prints() {
    for source in sources()
        .iter()
        .filter(|source| !source.path.starts_with("cli/") && !source.path.starts_with("testkit/"))
    {
        for (number, line) in source.code() {
            for what in ["print!", "println!", "eprint!", "eprintln!", "dbg!"] {
                assert!(
                    find_word(line, what.trim_end_matches('!'))
                        .is_none_or(|at| !line[at..].starts_with(what)),
                    "{}:{number} prints: {line}",
                    source.path
                );
            }
        }
    }
}

#[test]
fn smt_and_solve_do_no_input_and_output() {
    let forbidden =
        ["std::fs", "std::net", "std::env", "std::process::", "File::open", "stdin()", "stdout()"];
    for source in sources().iter().filter(|s| s.path.starts_with("smt/") || s.path.starts_with("solve/")) {
        for (number, line) in source.code() {
            let found = forbidden.iter().find(|word| line.contains(**word));
            assert!(found.is_none(), "{}:{number} reaches outside: {line}", source.path);
        }
    }
}

#[test]
fn nothing_recurses_on_terms() {
    let mut used = BTreeSet::new();
    for source in sources() {
        for (at, line) in source.lines.iter().enumerate() {
            let indent: String = line.chars().take_while(|c| *c == ' ').collect();
            let Some(name) = function_name(line) else { continue };
            let Some(open) = (at..source.lines.len()).find(|&i| source.lines[i].ends_with(['{', ';'])) else {
                continue;
            };
            let signature = source.lines[at..=open].concat();
            if source.lines[open].ends_with(';') || !signature.contains("TermId") {
                continue;
            }
            let end = format!("{indent}}}");
            let body = source.lines[open + 1..].iter().take_while(|line| **line != end);
            let calls =
                body.filter(|line| !line.trim_start().starts_with("//")).any(|line| calls(line, name));
            if calls && allowed(RECURSION, &source.path, name) {
                used.insert((source.path.clone(), name.to_string()));
            } else {
                assert!(!calls, "{}:{} `{name}` recurses on terms", source.path, at + 1);
            }
        }
    }
    assert!(used.len() * 2 > RECURSION.len(), "the table lists what is gone; only these are left: {used:?}");
}

/// The name of the function that a line begins to define.
fn function_name(line: &str) -> Option<&str> {
    let at = find_word(line, "fn")?;
    if !line[..at].trim().split(' ').all(|word| {
        word.is_empty() || word.starts_with("pub") || ["const", "in"].contains(&word) || word.ends_with(')')
    }) {
        return None;
    }
    let rest = line[at + 2..].trim_start();
    Some(&rest[..rest.find(|c| !is_word(c))?]).filter(|name| !name.is_empty())
}

/// Whether a line calls a function of this name: by itself, or as a method of `self` or `Self`.
fn calls(line: &str, name: &str) -> bool {
    line.match_indices(&format!("{name}(")).any(|(at, _)| {
        let before = &line[..at];
        before.ends_with("self.")
            || before.ends_with("Self::")
            || !before.ends_with(|c| is_word(c) || ".:".contains(c))
    })
}

#[test]
fn no_hash_map_is_iterated_where_its_order_shows() {
    for source in sources() {
        let mut names = BTreeMap::new();
        for (_, line) in source.code() {
            for kind in ["HashMap", "HashSet"] {
                let Some(at) = line.find(kind) else { continue };
                let before = line[..at].trim_end_matches(|c| is_word(c) || c == ':' || c == '&' || c == ' ');
                let typed =
                    line[..at].trim_end_matches("Fx").trim_end_matches(['&', ' ']).trim_end_matches("mut");
                if let Some(name) =
                    typed.trim_end().strip_suffix(':').and_then(|rest| rest.rsplit(|c| !is_word(c)).next())
                {
                    names.insert(name.to_string(), ());
                } else if let Some(rest) = before.trim_end().strip_suffix('=') {
                    names.extend(
                        rest.trim_end().rsplit(|c| !is_word(c)).next().map(|name| (name.to_string(), ())),
                    );
                }
            }
        }
        names.remove("");
        for (number, line) in source.code() {
            let Some(name) = names.keys().find(|name| iterates(line, name)) else { continue };
            let near =
                source.lines[number - 1..].iter().take(4).map(String::as_str).collect::<Vec<_>>().concat();
            let fine = ORDERED.iter().any(|word| near.contains(word)) || allowed(HASHES, &source.path, name);
            assert!(fine, "{}:{number} iterates the hash map `{name}`: {line}", source.path);
        }
    }
}

fn iterates(line: &str, name: &str) -> bool {
    const WAYS: &[&str] = &[
        ".iter()",
        ".iter_mut()",
        ".keys()",
        ".values()",
        ".values_mut()",
        ".drain()",
        ".into_iter()",
        ".into_keys()",
        ".into_values()",
    ];
    let method = find_word(line, name)
        .is_some_and(|at| WAYS.iter().any(|way| line[at + name.len()..].starts_with(way)));
    let looped = line.starts_with("for ")
        && [format!(" in {name} {{"), format!(" in &{name} {{"), format!(" in &self.{name} {{")]
            .iter()
            .any(|way| line.contains(way.as_str()));
    method || looped
}

#[test]
fn files_say_what_they_own_and_stay_short() {
    let mut lengths = Vec::new();
    for source in sources() {
        let first = source.lines.first().map(String::as_str).unwrap_or_default();
        assert!(first.starts_with("//!"), "{} does not open with what it owns", source.path);
        assert!(source.lines.len() <= 1_100, "{} has {} lines", source.path, source.lines.len());
        lengths.push(source.lines.len());
    }
    lengths.sort_unstable();
    assert!(lengths[lengths.len() / 2] < 250, "the median is {}", lengths[lengths.len() / 2]);
}

/// A comment that repeats the name of what it stands above says nothing.
#[test]
fn comments_say_more_than_the_name() {
    let mut empty = Vec::new();
    for source in sources() {
        for (at, pair) in source.lines.windows(2).enumerate() {
            if says_nothing(&pair[0], &pair[1]) {
                empty.push(format!("{}:{}: {}", source.path, at + 1, pair[0].trim()));
            }
        }
    }
    assert!(empty.is_empty(), "{}", empty.join("\n"));
}

/// `/// Its name.` or `/// The name.` above `name: String`.
fn says_nothing(comment: &str, item: &str) -> bool {
    let text = comment.trim().strip_prefix("/// ").and_then(|rest| rest.strip_suffix('.'));
    let name = text.and_then(|text| text.strip_prefix("Its ").or_else(|| text.strip_prefix("The ")));
    let Some(name) = name else { return false };
    let item = item.trim();
    let item = item.strip_prefix("pub(crate) ").or_else(|| item.strip_prefix("pub(super) ")).unwrap_or(item);
    let item = item.strip_prefix("pub ").unwrap_or(item);
    let item = item.strip_prefix("fn ").unwrap_or(item);
    item.split(|c| !is_word(c)).next() == Some(name)
}

/// The crates and folders whose chosen numbers stand in a table.
const TABULATED: &[&str] = &["solve/", "fuzz/", "explore/src/search/"];

/// The files of these beside `tuning.rs` that have numeric constants, and what these are, since they steer nothing.
const ENCODINGS: &[(&str, &str)] = &[
    ("explore/src/search/forget.rs", "what the parts of a tree weigh, and what is remembered at most"),
    ("explore/src/search/mod.rs", "how long an exploration without work sleeps"),
    ("explore/src/search/order/queue.rs", "where the keys of second tries begin"),
    ("explore/src/search/outcome.rs", "what makes two crashes one, as docs/explore.md says"),
    ("explore/src/search/partial_runner.rs", "what is remembered at most"),
    ("explore/src/search/pool.rs", "how often the explorer looks at its workers"),
    ("explore/src/search/source/mutate/mod.rs", "what is remembered at most"),
    ("explore/src/search/spending.rs", "the scale of a count that is halved"),
    ("explore/src/search/witness.rs", "what is remembered at most"),
    ("fuzz/src/evidence/shrink.rs", "a row of the table, for other crates"),
    ("fuzz/src/evolve/coverage/sancov.rs", "the format of the runtime's file"),
    ("fuzz/src/evolve/run.rs", "a row of the table, for other crates"),
    ("fuzz/src/evolve/store.rs", "the version of a format"),
    ("fuzz/src/plot.rs", "the layout of a drawing"),
    ("fuzz/src/solver/store/wheel.rs", "the format of archives"),
    ("fuzz/src/truth/tables/equivalences.rs", "how many rows of the table are the paper's"),
    ("fuzz/src/truth/tables/laws.rs", "how many rows of the table are about variables"),
    ("fuzz/src/truth/tables/operations.rs", "how many rows of the table are the paper's"),
    ("solve/src/anneal/arith.rs", "a rounding mode as a word"),
    ("solve/src/anneal/invert.rs", "a rounding mode as a word"),
    ("solve/src/anneal/layout.rs", "no index"),
    ("solve/src/blast/float/mode.rs", "the bits of a rounding mode"),
    ("solve/src/euf/universe.rs", "tags of true and false"),
    ("solve/src/ils/guide.rs", "the scale of fixed-point costs"),
    ("solve/src/ils/landscape.rs", "no index"),
    ("solve/src/ils/machine.rs", "how registers encode values"),
    ("solve/src/linear/clausify.rs", "flags"),
    ("solve/src/sat/analyze.rs", "flags"),
    ("solve/src/sat/arena.rs", "how clauses are laid out"),
    ("solve/src/sat/heap.rs", "no index"),
    ("solve/src/sat/queue.rs", "no index"),
    ("solve/src/sat/substitute.rs", "no time"),
    ("solve/src/session/options.rs", "z3's word for no limit"),
    ("solve/src/simplex/differences.rs", "no index"),
    ("solve/src/simplex/tableau.rs", "no index"),
];

/// The constant of a number that a line defines.
fn numeric_constant(line: &str) -> Option<&str> {
    const KINDS: &[&str] = &["u8", "u16", "u32", "u64", "usize", "i64", "f64", "Duration"];
    let line = line.trim_start();
    let at = line.find("const ").filter(|&at| at == 0 || line.starts_with("pub"))?;
    let (name, rest) = line[at + 6..].split_once(": ")?;
    KINDS.contains(&rest.split_once(" =")?.0).then_some(name)
}

/// A chosen number stands in its crate's table.
#[test]
fn chosen_numbers_stand_in_the_tables() {
    let mut encodings = BTreeSet::new();
    for source in sources().iter().filter(|s| TABULATED.iter().any(|folder| s.path.starts_with(folder))) {
        for (number, line) in source.code().filter(|_| !source.path.ends_with("/tuning.rs")) {
            let Some(name) = numeric_constant(line) else { continue };
            assert!(
                ENCODINGS.iter().any(|(path, _)| *path == source.path),
                "{}:{number} chooses {name}: give it a row of tuning.rs, with unit and reason",
                source.path
            );
            encodings.insert(source.path.clone());
        }
    }
    let gone: Vec<_> = ENCODINGS.iter().filter(|(path, _)| !encodings.contains(*path)).collect();
    assert!(gone.is_empty(), "the table lists what is gone: {gone:?}");
}

/// The tables of chosen numbers, and how many rows each has at least.
const TABLES: &[(&str, usize)] =
    &[("solve/src/tuning.rs", 170), ("fuzz/src/tuning.rs", 80), ("explore/src/search/tuning.rs", 45)];

/// Name, unit and reason of a row of such a table.
fn tunable(line: &str) -> Option<(&str, &str, &str)> {
    let (rest, reason) = line.trim().strip_suffix("\";")?.rsplit_once("\", \"")?;
    let (rest, unit) = rest.rsplit_once(", \"")?;
    let name = rest.split(|c| !is_word(c)).next()?;
    Some((name, unit, reason))
}

#[test]
fn every_chosen_number_has_a_unit_and_a_reason() {
    for (table, least) in TABLES {
        let source = sources().into_iter().find(|source| source.path == *table).expect(table);
        let (mut group, mut seen) = ("", BTreeSet::new());
        for (number, line) in source.code() {
            if let Some(name) = line.strip_suffix(" {").filter(|name| name.chars().all(is_word)) {
                group = name;
            }
            let Some((name, unit, reason)) = tunable(line) else { continue };
            assert!(seen.insert((group, name)), "{table}:{number} {group}::{name} stands there twice");
            assert!(!unit.is_empty() && reason.len() > 12, "{table}:{number} {unit:?}, {reason:?}");
        }
        assert!(seen.len() >= *least, "{table} has only {} rows", seen.len());
    }
}

/// Public types of one name in several crates, and why that is one idea, or the word of a field that knows no other.
const SAME_NAMES: &[(&str, &str)] = &[
    ("Answer", "what a solver said to a query: another solver's text, or our own"),
    ("Class", "Java's word, and that of bug reports"),
    ("Command", "of a script, and of an operating system"),
    ("Counters", "what a run counted"),
    ("Coverage", "what of a program was executed; a solver is a program"),
    ("Ending", "how a run of a program ended; a solver is a program"),
    ("Error", "one for a crate or a step that can fail"),
    ("Event", "what those who watch a run are told"),
    ("Evidence", "why an error or a defect is one"),
    ("Field", "of a Java class, and of a datatype"),
    ("Judgement", "what the outcome of a run is worth"),
    ("Kind", "of errors, and of Java values: each in a crate of its own"),
    ("Limits", "what ends work from outside; in `smt` that of regular expressions"),
    ("Native", "a program outside of the virtual world: C's and Java's"),
    ("Need", "what is asked for next: of a value, and of an argument"),
    ("Origin", "where a test comes from"),
    ("Program", "what is explored: named in a campaign, on WebAssembly, on the JVM"),
    ("Reply", "what a solver prints"),
    ("Run", "of a process, and of a program under exploration"),
    ("Session", "an SMT-LIB dialogue: with another solver, and as one"),
    ("Signature", "Java's word, and that of operators"),
    ("Solver", "a SAT solver, our SMT solver, and other people's"),
    ("Stop", "why a machine or a search stops by itself"),
    ("StopReason", "why a search ended: each search has reasons of its own"),
    ("Store", "of findings, of releases, and WebAssembly's word for writing to memory"),
    ("Strategy", "of an exploration, and of fuzzing"),
    ("Summary", "what a run writes and prints at its end"),
    ("Theory", "of SMT-LIB, and of DPLL(T)"),
    ("Verdict", "the answer to a query, with and without its model"),
    (
        "World",
        "what a program finds around it: on WebAssembly and on the JVM; in tests what terms are made of",
    ),
];

/// The public type that a line defines.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ")?;
    let (kind, rest) = rest.split_once(' ')?;
    let name = rest.split(|c| !is_word(c)).next()?;
    let is_type = ["struct", "enum", "trait", "type", "union"].contains(&kind);
    Some(name).filter(|name| is_type && !name.is_empty())
}

#[test]
fn one_word_is_one_idea() {
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        let owner = source.path.split('/').next().unwrap_or_default();
        for name in source.code().filter_map(|(_, line)| public_type(line)) {
            crates.entry(name.to_string()).or_default().insert(owner.to_string());
        }
    }
    crates.retain(|_, owners| owners.len() > 1);
    let allowed: BTreeSet<&str> = SAME_NAMES.iter().map(|row| row.0).collect();
    let twice: Vec<_> = crates.iter().filter(|(name, _)| !allowed.contains(name.as_str())).collect();
    assert!(twice.is_empty(), "a second public type of a name needs another word (glossary): {twice:?}");
    let gone: Vec<_> = allowed.iter().filter(|name| !crates.contains_key(**name)).collect();
    assert!(gone.is_empty(), "the table lists what is gone: {gone:?}");
}

/// The tests above could pass because they see nothing: this plants what they look for.
#[test]
fn what_is_looked_for_is_seen() {
    assert!(says_nothing("    /// Its name.", "    pub name: String,"));
    assert!(says_nothing("/// The report.", "pub(crate) fn report() -> String {"));
    assert!(!says_nothing("/// The name in reports.", "name: String,"));
    assert_eq!(function_name("    pub(super) fn walk(&self, t: TermId) {"), Some("walk"));
    assert_eq!(function_name("    let fun = |fn_name| {"), None);
    assert!(calls("        self.walk(arg)", "walk") && calls("    walk(arg)", "walk"));
    assert!(!calls("    other.walk(arg)", "walk") && !calls("    rewalk(arg)", "walk"));
    assert!(iterates("for (a, b) in &self.seen {", "seen") && iterates("self.seen.keys().copied()", "seen"));
    assert!(!iterates("self.seen.contains(&x)", "seen"));
    assert_eq!(find_word("let unsafety = 1;", "unsafe"), None);
    assert_eq!(numeric_constant("pub(super) const MOST: u64 = 4;"), Some("MOST"));
    assert_eq!(numeric_constant("const NAME: &str = \"x\";"), None);
    assert_eq!(tunable("    MOST: u64 = 4, \"tries\", \"Enough.\";"), Some(("MOST", "tries", "Enough.")));
    assert_eq!(tunable("    let text = \"a\";"), None);
    assert_eq!(public_type("pub struct Query<'a> {"), Some("Query"));
    assert_eq!(public_type("pub(crate) enum Step {"), None);
    assert_eq!(public_type("pub struct $name(u32);"), None);
}
