//! Java programs print the same under a real JVM and under this machine: output, errors and exit code.
//!
//! Each program has many small cases (instructions, exceptions, collections, text, threads). All are compiled by one `javac`.

use explore::world::Setup;
use jvm::archive::Source;
use jvm::machine::Stop;
use jvm::program::Program;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn java_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/java");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the programs are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    files
}

/// The folder with all classes; the compiler is needed, so its absence fails the test.
fn classes() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let status = Command::new("javac")
                .args(["-nowarn", "-Xlint:none", "-d"])
                .arg(folder.path())
                .args(java_files())
                .status()
                .expect("javac (Debian: openjdk-17-jdk-headless) is installed");
            assert!(status.success(), "the programs compile");
            folder
        })
        .path()
}

fn compare(class: &str) {
    let folder = classes();
    let java = Command::new("java")
        .args(["-ea", "-cp"])
        .arg(folder)
        .arg(class)
        .output()
        .expect("java (Debian: openjdk-17-jdk-headless) is installed");
    let program = Program::load(vec![Source::Folder(folder.to_path_buf())], Setup::default(), class, None)
        .unwrap_or_else(|error| panic!("{class}: {error}"));
    let (stop, world) = program.run_plain(&Default::default(), u64::MAX);
    let (expected, found) = (String::from_utf8_lossy(&java.stdout), String::from_utf8_lossy(&world.stdout));
    for (number, (theirs, ours)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(theirs, ours, "{class}: line {}", number + 1);
    }
    assert_eq!(expected.lines().count(), found.lines().count(), "{class}: {stop:?}");
    assert_eq!(String::from_utf8_lossy(&java.stderr), String::from_utf8_lossy(&world.stderr), "{class}");
    let code = match stop {
        Stop::Returned(_) => 0,
        Stop::Exited(code) => code,
        Stop::Uncaught(_) => 1,
        other => panic!("{class}: {other:?}"),
    };
    assert_eq!(java.status.code(), Some(code), "{class}");
}

#[test]
fn programs_print_what_java_prints() {
    let files = java_files();
    assert!(files.len() >= 10, "{files:?}");
    for file in files {
        compare(file.file_stem().and_then(|stem| stem.to_str()).expect("a name"));
    }
}
