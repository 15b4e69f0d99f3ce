//! From C and C++ to WebAssembly, or to this machine's own code, by the clang that is installed. The compiler runs under limits: a program
//! can make a compiler work for ever (templates, macros that double), and a compiler left behind would have to be found and ended by hand.
//!
//! Several files become one module. With checks, every source file is first brought into the compiler's intermediate language, where the
//! accesses that it makes are made to stay (`keep.rs`), and a part of the C library is replaced by ours (`support.c`).

pub mod build;
mod keep;
mod tries;

use process::{Command, End, Limits};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The headers that programs include to ask for inputs.
pub(crate) const HEADERS: &[(&str, &str)] =
    &[("soundline.h", include_str!("soundline.h")), ("klee/klee.h", include_str!("klee.h"))];

/// What the libraries for WebAssembly do not have, or not as programs need it.
const WASM_HEADERS: &[(&str, &str)] = &[
    ("setjmp.h", include_str!("setjmp.h")),
    ("pthread.h", include_str!("pthread.h")),
    ("__config_site", include_str!("config_site.h")),
    ("string", include_str!("strings.h")),
];

/// Writes the headers into a folder, which is to be one that the compiler looks into.
pub(crate) fn write_headers(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join("klee"))?;
    HEADERS.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

/// The Debian packages that compile C to WebAssembly.
pub(crate) const PACKAGES: &str = "clang lld wasi-libc libclang-rt-dev-wasm32";

/// What one run of the compiler may use. The largest programs that we know compile in seconds.
fn limits() -> Limits {
    Limits { memory: 4 << 30, output: 4 << 20, ..Limits::with_cpu(Duration::from_secs(120)) }
}

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiler is not there, or not for WebAssembly.
    #[error(
        "cannot compile C to WebAssembly: {reason}\nhelp: on Debian and Ubuntu: apt-get install {PACKAGES}"
    )]
    Missing {
        /// What is missing.
        reason: String,
    },
    /// The program has errors.
    #[error("clang refuses {}:\n{messages}", file.display())]
    Refused {
        /// The source file that clang was given.
        file: PathBuf,
        /// What clang says.
        messages: String,
    },
    /// The compiler did not come to an end.
    #[error("clang does not finish {}: it reached its limit of {limit}", file.display())]
    Unfinished {
        /// The source file that clang was given.
        file: PathBuf,
        /// Which limit, in words.
        limit: &'static str,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
}

/// What is compiled, and how.
#[derive(Clone, Copy, Debug)]
pub struct Project<'a> {
    /// C and C++ files, and objects and archives for WebAssembly to link them with.
    pub files: &'a [PathBuf],
    /// The function that is to be explored: the module is a library that exports it.
    pub entry: Option<&'a str>,
    /// Options for the compiler.
    pub flags: &'a [String],
    /// Whether memory errors and undefined behaviour are to be noticed.
    pub checks: bool,
    /// Options of single files, beside those for all.
    pub units: &'a [build::Unit],
}

/// What a file is to the compiler, by its extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// An object or an archive, which is linked only.
    Linked,
}

/// The extensions that the compiler takes.
pub(crate) const EXTENSIONS: &[(&str, Language)] = &[
    ("c", Language::C),
    ("cc", Language::Cpp),
    ("cpp", Language::Cpp),
    ("cxx", Language::Cpp),
    ("c++", Language::Cpp),
    ("C", Language::Cpp),
    ("o", Language::Linked),
    ("a", Language::Linked),
    ("bc", Language::Linked),
    ("ll", Language::Linked),
];

impl Language {
    /// The language of a file.
    pub fn of(file: &Path) -> Option<Language> {
        let extension = file.extension()?.to_str()?;
        EXTENSIONS.iter().find(|row| row.0 == extension).map(|row| row.1)
    }
}

/// Whether a file is compiled from C or C++.
pub fn is_c(file: &Path) -> bool {
    matches!(Language::of(file), Some(Language::C | Language::Cpp))
}

impl Project<'_> {
    /// The options of a file: its own, and those for all but the standard of the other language.
    fn flags_of(&self, file: &Path) -> Vec<&str> {
        let own = self.units.iter().find(|unit| unit.file == file).map_or(&[][..], |unit| &unit.flags);
        let cpp = Language::of(file) == Some(Language::Cpp);
        let fits = |flag: &&str| !flag.starts_with("-std=") || flag.contains("++") == cpp;
        own.iter().chain(self.flags).map(String::as_str).filter(fits).collect()
    }

    fn is_cpp(&self) -> bool {
        self.files.iter().any(|file| Language::of(file) == Some(Language::Cpp))
    }

    /// Whether it is a harness for a fuzzer: a function that takes bytes, without a `main` that calls it.
    pub fn is_harness(&self) -> bool {
        let sources = self.files.iter().filter(|file| Language::of(file) != Some(Language::Linked));
        let texts: Vec<(&PathBuf, Vec<u8>)> =
            sources.filter_map(|file| Some((file, std::fs::read(file).ok()?))).collect();
        let takes_bytes = texts.iter().any(|(_, text)| defines(text, "LLVMFuzzerTestOneInput"));
        // Libraries keep a `main` for their tests, or speak of one: what counts is what the compiler sees.
        let has_main = || texts.iter().any(|(file, text)| defines(text, "main") && self.keeps_main(file));
        self.entry.is_none() && takes_bytes && !has_main()
    }

    /// Whether a file that mentions `main` still does so without comments and what the preprocessor leaves out. One that cannot be
    /// preprocessed does.
    fn keeps_main(&self, file: &Path) -> bool {
        let preprocessed = || -> Result<Vec<u8>, Error> {
            let folder = tempfile::tempdir()?;
            write_headers(folder.path())?;
            for (name, text) in WASM_HEADERS {
                std::fs::write(folder.path().join(name), text)?;
            }
            let output = folder.path().join("preprocessed");
            let cpp = Language::of(file) == Some(Language::Cpp);
            let command = compiler(cpp, folder.path()).arguments(["-E", "-P"]).argument(file);
            compiled(&command.argument("-o").argument(&output).arguments(self.flags_of(file)), file)?;
            Ok(std::fs::read(output)?)
        };
        preprocessed().map_or(true, |text| defines(&text, "main"))
    }
}

/// Whether a text has a name as a word, followed by a parenthesis. Not exact, as comments count.
fn defines(text: &[u8], name: &str) -> bool {
    let text = String::from_utf8_lossy(text);
    let word = |byte: Option<char>| byte.is_some_and(|byte| byte.is_alphanumeric() || byte == '_');
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], text[at + name.len()..].trim_start());
        !word(before.chars().next_back()) && behind.starts_with('(')
    })
}

/// -O1 keeps lines and branches near the source's while locals live in registers. The C library emulates what it can of signals,
/// mapped memory and clocks.
const OPTIONS: &[&str] = &[
    "--target=wasm32-wasi",
    "-O1",
    "-g",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-mmutable-globals",
    "-Qunused-arguments",
    "-D_WASI_EMULATED_SIGNAL",
    "-D_WASI_EMULATED_MMAN",
    "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-D_WASI_EMULATED_GETPID",
];

/// The standard that g++ takes since 11 and clang++ since 16: programs are written for it that an older compiler refuses. A user's own
/// `-std=` comes behind it and counts.
const CPP_STANDARD: &str = "-std=gnu++17";
/// `delete` says how large the object is that it takes for it, as GCC has it by itself: an object of another class is noticed.
const SIZED_DELETE: &str = "-fsized-deallocation";

const LIBRARIES: &[&str] = &[
    "-lm",
    "-lc-printscan-long-double",
    "-lwasi-emulated-signal",
    "-lwasi-emulated-mman",
    "-lwasi-emulated-process-clocks",
    "-lwasi-emulated-getpid",
];

/// Where Debian has the C library's headers. Those of this machine lie above, and must not be found.
pub(crate) const HEADERS_OF_WASI: &str = "/usr/include/wasm32-wasi";

/// What is noticed of undefined behaviour, and no more than that: each kind costs a branch where it may happen. Null pointers
/// are left to the machine, which notices them at no cost.
const UNDEFINED: &[&str] = &[
    "-fsanitize=signed-integer-overflow,shift,float-cast-overflow,bounds,alignment,unreachable,return,nonnull-attribute,\
     returns-nonnull-attribute,vla-bound,bool,builtin,integer-divide-by-zero",
    "-fsanitize-minimal-runtime",
    "-fno-builtin-malloc",
    "-fno-builtin-free",
    "-fno-builtin-calloc",
    "-fno-builtin-realloc",
    // Ours look whether the result fits.
    "-fno-builtin-abs",
    "-fno-builtin-labs",
    "-fno-builtin-llabs",
];

/// The pass that lays red zones around locals and globals. It leaves accesses alone: the machine looks at each.
const RED_ZONES: &[&str] = &[
    "-Xclang",
    "-fsanitize=address",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-mllvm",
    "-asan-instrument-reads=false",
    "-mllvm",
    "-asan-instrument-writes=false",
    "-mllvm",
    "-asan-instrument-byval=false",
    "-mllvm",
    "-asan-instrument-atomics=false",
    "-mllvm",
    "-asan-use-after-return=always",
];

/// Two accesses in two branches stay two, each with its line.
const APART: &[&str] = &[
    "-mllvm",
    "-simplifycfg-sink-common=false",
    "-mllvm",
    "-simplifycfg-hoist-common=false",
    "-mllvm",
    "-enable-tail-merge=false",
];

/// The stack is what Linux gives to a process, and lies below everything else, so that running over it is noticed.
const LAYOUT: &[&str] = &["-Wl,--stack-first", "-Wl,-z,stack-size=8388608"];

/// Compiles and links a project. With an entry the module is a library that exports the function.
pub fn compile(project: &Project<'_>) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir()?;
    write_headers(folder.path())?;
    for (name, text) in WASM_HEADERS {
        std::fs::write(folder.path().join(name), text)?;
    }
    let output = folder.path().join("program.wasm");
    let mut objects = Vec::new();
    for (number, file) in project.files.iter().enumerate() {
        objects.push(match Language::of(file) {
            Some(Language::C | Language::Cpp) => object(project, file, folder.path(), number)?,
            Some(Language::Linked) | None => file.clone(),
        });
    }
    let mut link = compiler(project.is_cpp(), folder.path()).arguments(&objects);
    if project.checks {
        link = link.argument(own(folder.path(), "support", include_str!("support.c"))?);
        link = link.argument("-Wl,--export=__heap_base");
    }
    let always = concat!(include_str!("endings.c"), include_str!("compare.c"));
    link = link.argument(own(folder.path(), "library", always)?);
    link = link.argument(own(folder.path(), "threads", include_str!("threads.c"))?);
    if project.is_cpp() {
        link = link.argument(own(folder.path(), "exceptions", include_str!("exceptions.c"))?);
        let objects = Objects::read(&objects);
        let replaced = numbers(&objects);
        if !replaced.is_empty() {
            link = link.argument(own_cpp(folder.path(), "numbers", include_str!("numbers.cc"))?);
            link = link.arguments(replaced);
        }
        for part in PARTS.iter().filter(|part| part.marks.iter().any(|mark| objects.mention(mark))) {
            link = link.argument(own_cpp(folder.path(), part.name, part.text)?);
        }
    }
    if project.is_harness() {
        link = link.argument(own(folder.path(), "harness", HARNESS)?);
    }
    // A function that is declared and never defined is imported, and found missing when the module is linked to the world.
    link = link.arguments(["-Wl,--allow-undefined", "-Wl,--export=__stack_pointer"]).arguments(LAYOUT);
    link = link.argument("-Wl,--wrap=__secs_to_zone");
    if let Some(entry) = project.entry {
        link = link.argument("-mexec-model=reactor").argument(format!("-Wl,--export={entry}"));
    }
    link = link.argument("-o").argument(&output).arguments(LIBRARIES).arguments(project.flags);
    compiled(&link, project.files.first().map_or(Path::new("the program"), PathBuf::as_path))?;
    Ok(std::fs::read(output)?)
}

/// The `main` of a harness.
pub(crate) const HARNESS: &str = include_str!("harness.c");

/// The compiler with what it always gets.
fn compiler(cpp: bool, folder: &Path) -> Command {
    let mut command = Command::new(if cpp { "clang++" } else { "clang" }).arguments(OPTIONS);
    if cpp {
        command = command.arguments([CPP_STANDARD, SIZED_DELETE]);
    }
    command = command.argument("-isystem").argument(folder);
    if Path::new(HEADERS_OF_WASI).is_dir() {
        command = command.argument("-nostdlibinc");
        if cpp {
            command =
                command.arguments(["-nostdinc++", "-isystem"]).argument(format!("{HEADERS_OF_WASI}/c++/v1"));
        }
        command = command.argument("-isystem").argument(HEADERS_OF_WASI);
    }
    command
}

/// Compiles a C file of ours, without checks.
fn own(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    let source = folder.join(format!("{name}.c"));
    let object = source.with_extension("o");
    std::fs::write(&source, text)?;
    let command = compiler(false, folder).arguments(["-O2", "-g0", "-fno-builtin", "-c"]);
    compiled(&command.argument(&source).argument("-o").argument(&object), &source)?;
    Ok(object)
}

/// Compiles a C++ file of ours, without checks. Exceptions pass through it as through a program's own files.
fn own_cpp(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    let source = folder.join(format!("{name}.cc"));
    let object = source.with_extension("o");
    std::fs::write(&source, text)?;
    let options = ["-std=c++17", "-g0", "-fno-builtin"].map(str::to_string);
    let lowered = lowered(folder, &source, name, &options)?;
    let command = compiler(true, folder).arguments(["-O2", "-g0", "-c"]).argument(lowered);
    compiled(&command.argument("-o").argument(&object), &source)?;
    Ok(object)
}

/// A C++ file in the compiler's intermediate language, with its exceptions as calls of ours.
fn lowered(
    folder: &Path,
    file: &Path,
    name: &str,
    flags: &[impl AsRef<std::ffi::OsStr>],
) -> Result<PathBuf, Error> {
    let text = folder.join(format!("{name}.ll"));
    let command = compiler(true, folder)
        .arguments(["-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"])
        .argument(file)
        .argument("-o")
        .argument(&text)
        .arguments(flags);
    compiled(&command, file)?;
    let unmarked = String::from_utf8_lossy(&std::fs::read(&text)?).into_owned();
    std::fs::write(&text, tries::twice(&tries::lower(&unmarked).0))?;
    Ok(text)
}

/// A part of the C++ library that Debian's for WebAssembly does not have. Only programs that ask for it pay for its compilation.
struct Part {
    name: &'static str,
    text: &'static str,
    /// What stands in the names of its functions.
    marks: &'static [&'static str],
}

const PARTS: &[Part] = &[
    Part {
        name: "threads_of_cpp",
        text: include_str!("threads.cc"),
        marks: &[
            "NSt3__25mutex",
            "NSt3__26thread",
            "NSt3__211timed_mutex",
            "NSt3__215recursive_mutex",
            "NSt3__221recursive_timed_mutex",
            "NSt3__218condition_variable",
            "NSt3__219__shared_mutex_base",
            "NSt3__218shared_timed_mutex",
            "NSt3__217__assoc_sub_state",
            "NSt3__211this_thread",
        ],
    },
    Part { name: "files_of_cpp", text: include_str!("files.cc"), marks: &["NSt3__24__fs10filesystem"] },
];

/// What the objects of a program are made of, to see which names they mention.
struct Objects(Vec<Vec<u8>>);

impl Objects {
    fn read(files: &[PathBuf]) -> Objects {
        Objects(files.iter().filter_map(|file| std::fs::read(file).ok()).collect())
    }

    fn mention(&self, name: &str) -> bool {
        let name = name.as_bytes();
        self.0.iter().any(|bytes| bytes.windows(name.len()).any(|window| window == name))
    }
}

/// The functions of `numbers.cc` by the part of their names that differs, and how the names go on.
const NUMBERS: &[(&str, &str)] = &[
    ("4stoi", "Pmi"),
    ("4stol", "Pmi"),
    ("5stoul", "Pmi"),
    ("5stoll", "Pmi"),
    ("6stoull", "Pmi"),
    ("4stof", "Pm"),
    ("4stod", "Pm"),
    ("5stold", "Pm"),
];

/// The options by which the linker takes ours for those that objects ask for.
fn numbers(objects: &Objects) -> Vec<String> {
    let names = NUMBERS.iter().map(|(name, end)| {
        format!("_ZNSt3__2{name}ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE{end}")
    });
    names.filter(|name| objects.mention(name)).map(|name| format!("-Wl,--wrap={name}")).collect()
}

/// Compiles a source file. With checks it goes through the intermediate language, where its accesses are kept and red zones are laid
/// before the optimiser sees it: afterwards, an access that leaves its object would be one that the optimiser may remove.
fn object(project: &Project<'_>, file: &Path, folder: &Path, number: usize) -> Result<PathBuf, Error> {
    let cpp = Language::of(file) == Some(Language::Cpp);
    let object = folder.join(format!("{number}.o"));
    let source = if project.checks {
        let text = folder.join(format!("{number}.ll"));
        let command = compiler(cpp, folder)
            .arguments(UNDEFINED)
            .arguments(RED_ZONES)
            .arguments(["-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"])
            .argument(file)
            .argument("-o")
            .argument(&text)
            .arguments(project.flags_of(file));
        compiled(&command, file)?;
        let unkept = String::from_utf8_lossy(&std::fs::read(&text)?).into_owned();
        let (lowered, throws) = tries::lower(&keep::keep_accesses(&unkept));
        std::fs::write(&text, lowered)?;
        // The pass writes the name of the file into the module: without the folder's, which is another one each time.
        let (form, guarded) =
            if throws { ("-S", format!("{number}.guarded.ll")) } else { ("-c", format!("{number}.bc")) };
        let command = compiler(cpp, folder)
            .arguments(RED_ZONES)
            .arguments(["-O0", form, "-emit-llvm"])
            .argument(format!("{number}.ll"))
            .argument("-o")
            .argument(&guarded)
            .folder(folder);
        compiled(&command, file)?;
        let guarded = folder.join(guarded);
        if throws {
            let text = String::from_utf8_lossy(&std::fs::read(&guarded)?).into_owned();
            std::fs::write(&guarded, tries::twice(&text))?;
        }
        guarded
    } else if cpp {
        lowered(folder, file, &number.to_string(), &project.flags_of(file))?
    } else {
        file.to_path_buf()
    };
    let mut command = compiler(cpp, folder).argument("-c").argument(source).argument("-o").argument(&object);
    if project.checks {
        command = command.arguments(APART);
    }
    if !project.checks && !cpp {
        command = command.arguments(project.flags_of(file));
    }
    compiled(&command, file)?;
    Ok(object)
}

/// Compiles a project for this machine, together with a file that answers the functions of the header.
pub(crate) fn compile_native(
    project: &Project<'_>,
    support: &Path,
    output: &Path,
    sanitizers: &[&str],
) -> Result<(), Error> {
    // The support file's folder is where the program finds its inputs.
    let folder = support.parent().unwrap_or(Path::new("."));
    write_headers(folder)?;
    let file = project.files.first().map_or(Path::new("the program"), PathBuf::as_path);
    let options = |command: Command| {
        // An optimiser may remove what is to be seen.
        command
            .arguments(["-O0", "-g", "-fno-omit-frame-pointer", "-Qunused-arguments"])
            .arguments(sanitizers)
            .argument("-I")
            .argument(folder)
            .argument(format!("-DSOUNDLINE_FOLDER={:?}", folder.display().to_string()))
    };
    // Our part is C, whatever the program is.
    let mut own = vec![support.to_path_buf()];
    if project.is_harness() {
        let harness = folder.join("harness.c");
        std::fs::write(&harness, HARNESS)?;
        own.push(harness);
    }
    let mut link = options(Command::new(if project.is_cpp() { "clang++" } else { "clang" }));
    for source in own {
        let object = source.with_extension("o");
        let command =
            options(Command::new("clang")).argument("-c").argument(&source).argument("-o").argument(&object);
        compiled(&command, &source)?;
        link = link.argument(object);
    }
    // Each file in its own language, and with its own options.
    for (number, source) in project.files.iter().enumerate() {
        let object = folder.join(format!("unit{number}.o"));
        let cpp = Language::of(source) == Some(Language::Cpp);
        let mut command = options(Command::new(if cpp { "clang++" } else { "clang" }));
        if cpp {
            command = command.arguments([CPP_STANDARD, SIZED_DELETE]);
        }
        let command = command.arguments(project.flags_of(source)).argument("-c").argument(source);
        compiled(&command.argument("-o").argument(&object), source)?;
        link = link.argument(object);
    }
    link = link.argument("-o").argument(output).argument("-lm").arguments(project.flags);
    compiled(&link, file)
}

/// Runs the compiler.
fn compiled(command: &Command, file: &Path) -> Result<(), Error> {
    let never = AtomicBool::new(false);
    let run = command
        .run(b"", &limits(), &never)
        .map_err(|failed| Error::Missing { reason: format!("clang: {}", failed.error) })?;
    let unfinished = |limit| Error::Unfinished { file: file.to_path_buf(), limit };
    match run.end {
        End::Exited(0) => Ok(()),
        End::Exited(_) | End::Signalled(_) => Err(match missing(&run.stderr) {
            Some(reason) => Error::Missing { reason },
            None => Error::Refused { file: file.to_path_buf(), messages: helped(run.stderr) },
        }),
        End::CpuLimit => Err(unfinished("CPU time")),
        End::WallLimit | End::Stopped => Err(unfinished("time")),
        End::MemoryLimit => Err(unfinished("memory")),
        End::OutputLimit => Err(unfinished("messages")),
    }
}

/// The linker's messages, with what to do about objects of this machine.
fn helped(mut messages: String) -> String {
    if messages.contains("unknown file type") {
        messages.push_str(
            "help: objects and archives must be for WebAssembly: compile them by clang --target=wasm32-wasi, or name the sources\n",
        );
    }
    messages
}

/// The message that shows that a part of the tool chain is not there.
fn missing(messages: &str) -> Option<String> {
    const SIGNS: &[&str] = &[
        "wasm-ld",
        "crt1",
        "libclang_rt.builtins",
        "'stdio.h' file not found",
        "'stdlib.h' file not found",
        "'stddef.h' file not found",
        "unable to create target",
        "No available targets",
    ];
    let shows = |line: &&str| {
        SIGNS.iter().any(|sign| line.contains(sign))
            && ["not found", "cannot open", "unable to", "No available"].iter().any(|how| line.contains(how))
    };
    messages.lines().find(shows).map(str::to_string)
}
