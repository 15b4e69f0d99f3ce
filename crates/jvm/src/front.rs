//! From a file that a user names to a program: `.java` by the javac that is installed, `.class`, `.jar`.

use crate::archive::{ClassSource, Jar};
use crate::classfile::{ClassFile, MethodInfo};
use crate::program::{self, Program};
use explore::world::Setup;
use process::{Command, End, Limits};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The classes that programs may ask for inputs with, for programs that do not bring them along.
const SUPPORT: [(&str, &str); 3] = [
    ("soundline/Symbolic.java", include_str!("../java/soundline/Symbolic.java")),
    (
        "org/sosy_lab/sv_benchmarks/Verifier.java",
        include_str!("../java/org/sosy_lab/sv_benchmarks/Verifier.java"),
    ),
    ("gov/nasa/jpf/symbc/Debug.java", include_str!("../java/gov/nasa/jpf/symbc/Debug.java")),
];

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiler is not there.
    #[error("cannot compile Java: {0}\nhelp: on Debian and Ubuntu: apt-get install openjdk-17-jdk-headless")]
    Missing(String),
    /// The program has errors.
    #[error("javac refuses {}:\n{}", .0.display(), .1)]
    Refused(PathBuf, String),
    /// A file cannot be read or written, or is not what it should be.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, String),
    /// It cannot be run.
    #[error("{}: {}", .0.display(), .1)]
    Program(PathBuf, program::Error),
}

/// A program and its classes as one jar, to be kept beside its tests.
#[derive(Debug)]
pub struct Opened {
    /// The loaded program.
    pub program: Program,
    /// All its classes.
    pub archive: Vec<u8>,
}

/// Whether a file is one of these.
pub fn is_java(path: &Path) -> bool {
    matches!(path.extension().and_then(|extension| extension.to_str()), Some("java" | "class" | "jar"))
}

/// Opens a program. `main` is the class to run where the file does not say; an entry of the setup is `CLASS.METHOD`, with `(TYPES)` where several have the name. Options after
/// `--` go to javac; a class path among them is also the program's.
pub fn open(path: &Path, main: Option<&str>, mut setup: Setup, flags: &[String]) -> Result<Opened, Error> {
    let unreadable =
        |error: std::io::Error| Error::File(path.to_path_buf(), format!("cannot be read: {error}"));
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let mut given = main.map(str::to_string);
    if let Some((class, method)) = setup.entry.as_deref().and_then(class_and_method) {
        (given, setup.entry) = (Some(class), Some(method));
    }
    let mut sources = Vec::new();
    let named = match path.extension().and_then(|extension| extension.to_str()) {
        Some("java") => {
            let classes = compile(path, flags)?;
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
            let named = classes.keys().find(|name| name.rsplit('/').next() == Some(&stem)).cloned();
            let main = named.or_else(|| only_main(&classes));
            sources.push(ClassSource::Memory(classes));
            main
        }
        Some("class") => {
            let file = ClassFile::read(&bytes)
                .map_err(|error| Error::File(path.to_path_buf(), error.to_string()))?;
            let depth = file.name.matches('/').count() + 1;
            let root = path.ancestors().nth(depth).unwrap_or(Path::new("."));
            sources.push(ClassSource::Folder(if root.as_os_str().is_empty() {
                PathBuf::from(".")
            } else {
                root.to_path_buf()
            }));
            Some(file.name)
        }
        _ => {
            let jar = Jar::read(bytes).map_err(|error| Error::File(path.to_path_buf(), error))?;
            let main = manifest(&jar, "Main-Class:").map(|main| main.replace('.', "/"));
            let beside = manifest(&jar, "Class-Path:").unwrap_or_default();
            sources.push(ClassSource::Jar(Box::new(jar)));
            let folder = path.parent().unwrap_or(Path::new("."));
            // As for `java`, what is not there is no error.
            for entry in beside.split_whitespace().map(|entry| folder.join(entry)) {
                if entry.exists() {
                    sources.push(source(&entry)?);
                }
            }
            main
        }
    };
    for entry in class_path(flags) {
        sources.push(source(&entry)?);
    }
    let archive = pack(&sources);
    let main = given.or(named).ok_or_else(|| {
        Error::File(path.to_path_buf(), "it does not say which class to run: name it with --main".to_string())
    })?;
    let file = path.extension().is_some_and(|extension| extension == "java").then(|| path.to_path_buf());
    let program = Program::load(sources, setup, &main, file)
        .map_err(|error| Error::Program(path.to_path_buf(), error))?;
    Ok(Opened { program, archive })
}

/// Opens a program from the jar that was kept.
pub fn reopen(path: &Path, bytes: Vec<u8>, main: &str, setup: Setup) -> Result<Program, Error> {
    let jar = Jar::read(bytes).map_err(|error| Error::File(path.to_path_buf(), error))?;
    Program::load(vec![ClassSource::Jar(Box::new(jar))], setup, main, None)
        .map_err(|error| Error::Program(path.to_path_buf(), error))
}

/// The class and the method of `CLASS.METHOD` or `CLASS.METHOD(TYPES)`.
fn class_and_method(entry: &str) -> Option<(String, String)> {
    let (name, types) = entry.split_at(entry.find('(').unwrap_or(entry.len()));
    let (class, method) = name.rsplit_once('.')?;
    Some((class.to_string(), format!("{method}{types}")))
}

fn source(entry: &Path) -> Result<ClassSource, Error> {
    if entry.is_dir() {
        return Ok(ClassSource::Folder(entry.to_path_buf()));
    }
    let unreadable =
        |error: std::io::Error| Error::File(entry.to_path_buf(), format!("cannot be read: {error}"));
    let jar = Jar::read(std::fs::read(entry).map_err(unreadable)?);
    Ok(ClassSource::Jar(Box::new(jar.map_err(|error| Error::File(entry.to_path_buf(), error))?)))
}

/// The class path among the options of javac.
fn class_path(flags: &[String]) -> Vec<PathBuf> {
    let option = flags.iter().position(|flag| ["-cp", "-classpath", "--class-path"].contains(&flag.as_str()));
    let path = option.and_then(|at| flags.get(at + 1));
    path.into_iter()
        .flat_map(|path| path.split(':'))
        .filter(|entry| !entry.is_empty())
        .map(PathBuf::from)
        .collect()
}

/// What a jar's manifest says after a word.
fn manifest(jar: &Jar, word: &str) -> Option<String> {
    let text = String::from_utf8_lossy(&jar.get("META-INF/MANIFEST.MF")?.ok()?)
        .replace("\r\n", "\n")
        .replace("\n ", "");
    text.lines().find_map(|line| line.strip_prefix(word)).map(|said| said.trim().to_string())
}

/// Compiles a source file and whatever it needs beside it.
fn compile(path: &Path, flags: &[String]) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let wrong = |error: std::io::Error| Error::File(path.to_path_buf(), error.to_string());
    let folder = tempfile::tempdir().map_err(wrong)?;
    let (support, output) = (folder.path().join("support"), folder.path().join("classes"));
    std::fs::create_dir_all(&output).map_err(wrong)?;
    for (name, text) in SUPPORT {
        let file = support.join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(&support)).map_err(wrong)?;
        std::fs::write(file, text).map_err(wrong)?;
    }
    let parent = source_root(path);
    let command = Command::new("javac")
        .arguments(["-g", "-nowarn", "-Xlint:none", "-sourcepath"])
        .argument(format!("{}:{}", parent.display(), support.display()))
        .argument("-d")
        .argument(&output)
        .arguments(flags)
        .argument(path);
    let limits = Limits { memory: 8 << 30, output: 4 << 20, ..Limits::with_cpu(Duration::from_secs(120)) };
    let run = command
        .run(b"", &limits, &AtomicBool::new(false))
        .map_err(|error| Error::Missing(error.to_string()))?;
    if run.end != End::Exited(0) {
        return Err(Error::Refused(path.to_path_buf(), format!("{}{}", run.stdout, run.stderr)));
    }
    let compiled = ClassSource::Folder(output.clone());
    let mut classes = BTreeMap::new();
    for name in compiled.classes() {
        let bytes = std::fs::read(output.join(format!("{name}.class"))).map_err(wrong)?;
        classes.insert(name, bytes);
    }
    Ok(classes)
}

/// The class that has a `main`, if only one has: a source need not be named after its class.
fn only_main(classes: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let is_main =
        |method: &MethodInfo| method.name == "main" && method.descriptor == "([Ljava/lang/String;)V";
    let has_main =
        |bytes: &Vec<u8>| ClassFile::read(bytes).is_ok_and(|file| file.methods.iter().any(is_main));
    let mut with_main = classes.iter().filter(|class| has_main(class.1));
    let first = with_main.next()?;
    with_main.next().is_none().then(|| first.0.clone())
}

/// The folder that javac looks for other classes in: above that of the file's package, if the folders are named after it, else the file's.
fn source_root(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package ")?.split(';').next());
    let folders = package.map(|package| package.trim().replace('.', "/")).unwrap_or_default();
    let whole = std::path::absolute(parent).unwrap_or_else(|_| parent.to_path_buf());
    if folders.is_empty() || !whole.ends_with(&folders) {
        return parent.to_path_buf();
    }
    let depth = Path::new(&folders).components().count();
    whole.ancestors().nth(depth).map_or_else(|| parent.to_path_buf(), Path::to_path_buf)
}

/// All classes of the sources and the resources of jars in one jar, stored as they are. Of files with the same name the first counts,
/// as on a class path; the names of providers in several jars are put together.
fn pack(sources: &[ClassSource]) -> Vec<u8> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for source in sources {
        let classes = source.classes().into_iter().map(|name| format!("{name}.class"));
        for name in classes.chain(source.resources()) {
            let Ok(Some(bytes)) = source.get(&name) else { continue };
            match files.get_mut(&name) {
                Some(known) if name.starts_with("META-INF/services/") => {
                    known.push(b'\n');
                    known.extend(bytes);
                }
                Some(_) => {}
                None => drop(files.insert(name, bytes)),
            }
        }
    }
    Jar::write(&files)
}
