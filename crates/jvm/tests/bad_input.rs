//! Programs that are not what they should be: each is refused with a message that says what is wrong, or fails as it does under `java`.

use explore::Target;
use explore::target::{Ending, Input, RunLimits};
use explore::world::Setup;
use jvm::archive::Jar;
use jvm::front;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Compiles files in a folder of their own.
fn compiled(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("javac");
    command.args(["-nowarn", "-Xlint:none", "-d"]).arg(folder.path());
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        command.arg(path);
    }
    let status = command.status().expect("javac (Debian: openjdk-17-jdk-headless) is installed");
    assert!(status.success());
    folder
}

fn refusal(path: &Path) -> String {
    match front::open(path, None, Setup::default(), &[]) {
        Ok(_) => panic!("{} is accepted", path.display()),
        Err(error) => error.to_string(),
    }
}

/// How the program of a class ends on no input, and what it says on standard error.
fn ending(path: &Path) -> (Ending, String) {
    let opened = front::open(path, None, Setup::default(), &[]).unwrap_or_else(|error| panic!("{error}"));
    let (run, _) = opened.program.run_concrete(&Input::new(), &RunLimits::default());
    (run.ending, String::from_utf8_lossy(&run.stderr).into_owned())
}

const PLAIN: &str =
    "public class Plain { static int f(int x) { return x; } public static void main(String[] a) { f(1); } }";

#[test]
fn class_files_that_are_cut_off_too_new_or_none_at_all() {
    let folder = compiled(&[("Plain.java", PLAIN)]);
    let path = folder.path().join("Plain.class");
    let bytes = std::fs::read(&path).expect("readable");
    for (change, words) in [
        (bytes[..bytes.len() / 2].to_vec(), ["Plain.class", "truncated"]),
        ([&bytes[..6], &[0, 70], &bytes[8..]].concat(), ["70", "version"]),
        (b"class Plain {}".to_vec(), ["Plain.class", "class file"]),
        (Vec::new(), ["Plain.class", "truncated"]),
    ] {
        std::fs::write(&path, &change).expect("written");
        let told = refusal(&path);
        assert!(words.iter().all(|word| told.contains(word)), "{told}");
    }
}

/// Whatever byte of a class is another one, nothing panics: the class is refused, or its program ends.
#[test]
fn damaged_class_files_never_panic() {
    let folder = compiled(&[("Plain.java", PLAIN)]);
    let path = folder.path().join("Plain.class");
    let bytes = std::fs::read(&path).expect("readable");
    for at in (8..bytes.len()).step_by(5) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x15;
        std::fs::write(&path, &damaged).expect("written");
        if let Ok(opened) = front::open(&path, None, Setup::default(), &[]) {
            let limits = RunLimits { fuel: 10_000, ..RunLimits::default() };
            opened.program.run_concrete(&Input::new(), &limits);
        }
    }
}

#[test]
fn bytecode_that_does_not_type_check_is_a_verify_error() {
    let folder = compiled(&[("Plain.java", PLAIN)]);
    let path = folder.path().join("Plain.class");
    let mut bytes = std::fs::read(&path).expect("readable");
    // `iload_0, ireturn` becomes `aload_0, ireturn`: an int taken for a reference.
    let at = bytes.windows(2).position(|pair| pair == [0x1a, 0xac]).expect("the body of f");
    bytes[at] = 0x2a;
    std::fs::write(&path, &bytes).expect("written");
    let (ending, stderr) = ending(&path);
    assert_eq!(ending.to_string(), "java.lang.VerifyError");
    assert!(stderr.contains("Plain.f"), "{stderr}");
    let java = Command::new("java").arg("-cp").arg(folder.path()).arg("Plain").output().expect("java runs");
    assert!(String::from_utf8_lossy(&java.stderr).contains("java.lang.VerifyError"));
}

#[test]
fn missing_classes_are_named() {
    let folder = compiled(&[(
        "User.java",
        "public class User { public static void main(String[] a) { Gone.f(); } } class Gone { static void f() {} }",
    )]);
    std::fs::remove_file(folder.path().join("Gone.class")).expect("removed");
    let (ending, stderr) = ending(&folder.path().join("User.class"));
    assert_eq!(ending.to_string(), "java.lang.NoClassDefFoundError");
    assert!(stderr.contains("Gone"), "{stderr}");
    let told = front::open(&folder.path().join("User.class"), Some("Elsewhere"), Setup::default(), &[]);
    let told = told.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told.contains("Elsewhere") && told.contains("missing"), "{told}");
    let told = front::open(&folder.path().join("User.class"), Some("org.app.Missing"), Setup::default(), &[]);
    let told = told.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told.contains("class org.app.Missing is missing"), "{told}");
}

#[test]
fn missing_natives_end_the_path_with_their_name() {
    let folder = compiled(&[(
        "Calls.java",
        "public class Calls { static native int f(long x); public static void main(String[] a) { f(1); } }",
    )]);
    let (ending, _) = ending(&folder.path().join("Calls.class"));
    assert_eq!(ending.to_string(), "unsupported: native method Calls.f(J)I");
}

#[test]
fn handles_that_are_not_modelled_end_the_path_with_their_name() {
    let folder = compiled(&[(
        "Loops.java",
        "import java.lang.invoke.*; public class Loops { static int add(int sum, int i) { return sum + i; } \
         public static void main(String[] a) throws Throwable { \
         MethodType type = MethodType.methodType(int.class, int.class, int.class); \
         MethodHandle body = MethodHandles.lookup().findStatic(Loops.class, \"add\", type); \
         MethodHandle five = MethodHandles.constant(int.class, 5); \
         System.out.println((int) MethodHandles.countedLoop(five, five, body).invokeExact()); } }",
    )]);
    let (ending, stderr) = ending(&folder.path().join("Loops.class"));
    assert_eq!(
        ending.to_string(),
        "unsupported: a method handle (java.lang.invoke.MethodHandles.countedLoop)",
        "{stderr}"
    );
}

#[test]
fn jars_without_a_main_class_and_files_that_are_no_jars() {
    let folder = compiled(&[("Plain.java", PLAIN)]);
    let bytes = std::fs::read(folder.path().join("Plain.class")).expect("readable");
    let jar = folder.path().join("plain.jar");
    std::fs::write(&jar, Jar::write(&BTreeMap::from([("Plain.class".to_string(), bytes)]))).expect("written");
    let told = refusal(&jar);
    assert!(told.contains("plain.jar") && told.contains("--main"), "{told}");
    let opened =
        front::open(&jar, Some("Plain"), Setup::default(), &[]).unwrap_or_else(|error| panic!("{error}"));
    let (run, _) = opened.program.run_concrete(&Input::new(), &RunLimits::default());
    assert_eq!(run.ending, Ending::Returned);
    std::fs::write(&jar, "PK no jar").expect("written");
    assert!(refusal(&jar).contains("plain.jar"));
    assert!(refusal(&folder.path().join("absent.jar")).contains("cannot be read"));
}

#[test]
fn sources_that_do_not_compile_are_refused_with_the_compilers_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Wrong.java");
    std::fs::write(&path, "public class Wrong {\n  int f() { return \"x\"; }\n}\n").expect("written");
    let told = refusal(&path);
    assert!(told.contains("Wrong.java:2") && told.contains("incompatible types"), "{told}");
    std::fs::write(&path, "public class Wrong { int f; }").expect("written");
    let told = refusal(&path);
    assert!(told.contains("main"), "{told}");
}

#[test]
fn an_entry_that_several_methods_have_is_named_with_its_parameters() {
    let text = "public class Over { static int f(int x) { return 1 / x; } static int f(String s, int[] a) { return 1; } }";
    let folder = compiled(&[("Over.java", text)]);
    let open = |entry: &str| {
        let setup = Setup { entry: Some(entry.to_string()), ..Setup::default() };
        front::open(&folder.path().join("Over.class"), None, setup, &[])
            .map(|opened| {
                opened.program.run_concrete(&Input::new(), &RunLimits::default()).0.ending.to_string()
            })
            .map_err(|error| error.to_string())
    };
    let told = open("Over.f").expect_err("there are two");
    assert!(told.contains("f(int)") && told.contains("f(String,int[])"), "{told}");
    assert_eq!(open("Over.f(int)").as_deref(), Ok("java.lang.ArithmeticException"));
    assert_eq!(open("Over.f(String, int[])").as_deref(), Ok("returned"));
    assert!(open("Over.f(long)").expect_err("there is none").contains("f(int)"));
    assert!(open("Over.g").expect_err("there is none").contains("no method g"));
}

#[test]
fn a_class_inside_another_is_named_with_a_dot() {
    let text = "public class Outer { static class Inner { static class Deep { static int f(int x) { return 1 / x; } } } }";
    let folder = compiled(&[("Outer.java", text)]);
    let open = |entry: &str| {
        let setup = Setup { entry: Some(entry.to_string()), ..Setup::default() };
        front::open(&folder.path().join("Outer.class"), None, setup, &[])
            .map(|opened| {
                opened.program.run_concrete(&Input::new(), &RunLimits::default()).0.ending.to_string()
            })
            .map_err(|error| error.to_string())
    };
    for entry in ["Outer.Inner.Deep.f", "Outer$Inner$Deep.f"] {
        assert_eq!(open(entry).as_deref(), Ok("java.lang.ArithmeticException"), "{entry}");
    }
    assert!(open("Outer.Other.f").expect_err("there is none").contains("class Outer.Other is missing"));
}

/// The first class in a file need not have the file's name.
#[test]
fn a_source_runs_the_only_class_that_has_a_main() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.java");
    let main = |name: &str| {
        format!("class {name} {{ public static void main(String[] a) {{ int x = 1 / a.length; }} }}")
    };
    std::fs::write(&path, format!("class Helper {{ }} {}", main("Start"))).expect("written");
    let (end, told) = ending(&path);
    assert!(matches!(end, Ending::Fault(_)) && told.contains("Start.main"), "{end:?} {told}");
    std::fs::write(&path, format!("{} {}", main("Start"), main("Other"))).expect("written");
    assert!(refusal(&path).contains("--main"));
}

#[test]
fn a_source_in_a_package_finds_the_classes_of_other_packages() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        (
            "org/a/Main.java",
            "package org.a;\npublic class Main { public static void main(String[] x) { org.b.Other.f(); } }",
        ),
        (
            "org/b/Other.java",
            "package org.b;\npublic class Other { public static void f() { throw new IllegalStateException(); } }",
        ),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    let (end, told) = ending(&folder.path().join("org/a/Main.java"));
    assert!(matches!(end, Ending::Fault(_)) && told.contains("org.b.Other.f"), "{end:?} {told}");
}
