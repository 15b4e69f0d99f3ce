//! Java programs print the same under a real JVM and under this machine: output, errors and exit code.
//!
//! Each program has many small cases (instructions, exceptions, collections, text, threads). All are compiled by one `javac`. Together
//! they call every row of the table of natives, but for those that a list below names with the reason.

use explore::world::Setup;
use jvm::archive::ClassSource;
use jvm::machine::Stop;
use jvm::program::Program;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Rows that no program here calls, by the start of their names, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("soundline/Symbolic.", "inputs: tests/exploration.rs and tests/verdicts"),
    ("org/sosy_lab/sv_benchmarks/Verifier.", "inputs: the same functions"),
    ("gov/nasa/jpf/symbc/Debug.", "inputs: the same functions"),
    ("java/lang/invoke/LambdaForm.", "ends the run as unsupported: tests/bad_input.rs"),
    ("java/lang/invoke/MethodHandleImpl.", "ends the run as unsupported"),
    ("java/lang/invoke/BoundMethodHandle.", "ends the run as unsupported"),
    ("java/lang/invoke/DirectMethodHandle.", "ends the run as unsupported"),
    ("java/lang/invoke/Invokers.", "ends the run as unsupported"),
    ("java/lang/invoke/MethodHandles$Lookup.revealDirect(", "ends the run as unsupported"),
    ("java/lang/invoke/VarHandle.accessModeType(", "ends the run as unsupported"),
    ("java/lang/invoke/VarHandle.coordinateTypes(", "ends the run as unsupported"),
    ("java/lang/invoke/VarHandle.isAccessModeSupported(", "ends the run as unsupported"),
    ("java/net/NetworkInterface.", "there is no network here, and one where java runs"),
    ("java/net/Inet6Address.init(", "asked where the network has IPv6, which it has not here"),
    ("java/lang/System.load", "libraries of native code are not loaded"),
    ("jdk/internal/loader/NativeLibraries.", "libraries of native code are not loaded"),
    ("java/lang/ref/Finalizer.", "nothing is finalised, since garbage is not collected"),
    ("java/lang/ClassLoader.getSystemResourceAsStream(", "reads the program's jar: no program here has one"),
    (
        "java/lang/Class.desiredAssertionStatus0(",
        "stands behind desiredAssertionStatus, which has a row of its own",
    ),
    ("java/lang/Class.getProtectionDomain0(", "asked by security managers, which are not modelled"),
    ("java/lang/Class.checkMemberAccess(", "asked by security managers, which are not modelled"),
    ("java/security/AccessController.getInherited", "asked by security managers, which are not modelled"),
    ("jdk/internal/reflect/Reflection.areNestMates(", "asked where access is refused, which it is not here"),
    ("java/util/TimeZone.getSystemGMTOffsetID(", "asked where the system has no time zone"),
    ("sun/nio/ch/IOUtil.", "asked by channels of sockets"),
    ("sun/nio/ch/FileChannelImpl.unmap0(", "asked by the cleaner of mappings, which nobody closes"),
    ("java/io/FileCleanable.", "asked by the cleaner of files that nobody closed"),
    ("java/lang/invoke/MethodHandles$Lookup.<clinit>", "left out: nothing of it is used"),
    ("java/lang/invoke/MethodHandleNatives.<clinit>", "left out: nothing of it is used"),
    ("jdk/internal/misc/Unsafe.compareAndExchangeReference(", "the same function as for numbers"),
    ("java/lang/StringUTF16.equals(", "the same function as StringLatin1.equals"),
    ("sun/nio/fs/UnixNativeDispatcher.chmod0(", "sets attributes by a name that may be no link"),
    ("sun/nio/fs/UnixNativeDispatcher.fchmod(", "sets attributes of a file that is copied with them"),
    ("sun/nio/fs/UnixNativeDispatcher.utimes0(", "sets attributes by a name that may be no link"),
    ("sun/nio/fs/UnixNativeDispatcher.stat1(", "asked of other file systems than the default one"),
    ("sun/nio/fs/UnixNativeDispatcher.getgrgid(", "asked for the group of a file"),
    ("sun/nio/fs/LinuxNativeDispatcher.init()", "asked for extended attributes and file stores"),
    ("sun/nio/ch/FileDispatcherImpl.close0(", "the JDK closes by the descriptor"),
    ("jdk/internal/misc/Signal.", "signals are those of the process that java runs in"),
];

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
            make_constants(folder.path());
            folder
        })
        .path()
}

/// Writes a class that no compiler of Java writes, by the library that the JDK has for that.
fn make_constants(folder: &Path) {
    const EXPORT: [&str; 2] = ["--add-exports", "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/asm/MakeConstants.java");
    let compiled = Command::new("javac").args(EXPORT).arg("-d").arg(folder).arg(source).status();
    assert!(compiled.is_ok_and(|status| status.success()), "the writer compiles");
    let written =
        Command::new("java").args(EXPORT).arg("-cp").arg(folder).arg("MakeConstants").arg(folder).status();
    assert!(written.is_ok_and(|status| status.success()), "the class is written");
}

/// Compares a program on both, and gives the natives that it called.
fn compare(class: &str) -> Vec<&'static str> {
    let folder = classes();
    let place = tempfile::tempdir().expect("a temporary folder");
    let java = Command::new("java")
        .args(["-ea", "-cp"])
        .arg(folder)
        .arg(class)
        .current_dir(place.path())
        .output()
        .expect("java (Debian: openjdk-17-jdk-headless) is installed");
    let program =
        Program::load(vec![ClassSource::Folder(folder.to_path_buf())], Setup::default(), class, None)
            .unwrap_or_else(|error| panic!("{class}: {error}"));
    let (stop, world) = program.run_plain(&Default::default(), u64::MAX);
    let (expected, found) = (String::from_utf8_lossy(&java.stdout), String::from_utf8_lossy(&world.stdout));
    let pairs = expected.lines().zip(found.lines()).enumerate();
    let different: Vec<String> = pairs
        .filter(|(_, (theirs, ours))| theirs != ours)
        .map(|(number, (theirs, ours))| format!("line {}: {theirs}\n        here: {ours}", number + 1))
        .collect();
    assert!(different.is_empty(), "{class}:\n{}", different.join("\n"));
    assert_eq!(expected.lines().count(), found.lines().count(), "{class}: {stop:?}");
    assert_eq!(String::from_utf8_lossy(&java.stderr), String::from_utf8_lossy(&world.stderr), "{class}");
    let code = match stop {
        Stop::Returned(_) => 0,
        Stop::Exited(code) => code,
        Stop::Uncaught(_) => 1,
        other => panic!("{class}: {other:?}"),
    };
    assert_eq!(java.status.code(), Some(code), "{class}");
    program.natives_called(&Default::default(), u64::MAX)
}

#[test]
fn constants_that_are_made_by_bootstrap_methods() {
    compare("Constants");
}

/// Whether the installed JDK has a native: updates of one release add some and drop others.
fn is_in_the_jdk(native: &str) -> bool {
    let (class, method) = native.split_once('.').expect("a class and a method");
    let (name, descriptor) = method.split_at(method.find('(').expect("a descriptor"));
    let listing = Command::new("javap")
        .args(["-p", "-s", &class.replace('/', ".")])
        .output()
        .expect("javap (Debian: openjdk-17-jdk-headless) is installed");
    let listing = String::from_utf8_lossy(&listing.stdout);
    listing.lines().zip(listing.lines().skip(1)).any(|(method, below)| {
        method.contains(" native ")
            && method.contains(&format!(" {name}("))
            && below.trim() == format!("descriptor: {descriptor}")
    })
}

#[test]
fn which_natives_the_jdk_has() {
    assert!(is_in_the_jdk("java/lang/Object.hashCode()I"));
    assert!(!is_in_the_jdk("java/lang/Object.hashCode()J"));
    assert!(!is_in_the_jdk("java/lang/Object.toString()Ljava/lang/String;"));
}

#[test]
fn programs_print_what_java_prints() {
    let files = java_files();
    assert!(files.len() >= 10, "{files:?}");
    let mut called = BTreeSet::new();
    for file in files {
        called.extend(compare(file.file_stem().and_then(|stem| stem.to_str()).expect("a name")));
    }
    let is_elsewhere = |name: &str| ELSEWHERE.iter().any(|(start, _)| name.starts_with(start));
    let missing: Vec<&str> = jvm::natives::names()
        .into_iter()
        .filter(|name| !called.contains(name) && !is_elsewhere(name) && is_in_the_jdk(name))
        .collect();
    assert!(missing.is_empty(), "no program calls {}:\n{}", missing.len(), missing.join("\n"));
}
