//! What explorations of Java programs write, tried on the tools that it is for: JUnit tests under JUnit, tests on a real `java`, coverage
//! in JaCoCo's format beside what is known of the program.

use explore::Target;
use explore::native::NativeProgram;
use explore::search::{self, Exploration, SearchSettings};
use explore::target::Run;
use explore::world::Setup;
use jvm::front::{self, Opened};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const TOOL: &str = r#"
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import soundline.Symbolic;
public class Tool {
    static int weigh(int c) {
        if (c == '\n') return 10;
        return c < 'a' ? 1 : 2;
    }
    static void never() {
        System.out.println("never");
    }
    public static void main(String[] args) throws IOException {
        int x = Symbolic.intInput("x");
        int c = System.in.read();
        System.out.println("weight " + weigh(c));
        if (args[0].equals("\"q")) throw new IllegalArgumentException("quoted");
        if (x == 1234 && c == 'z') throw new IllegalStateException("found");
        byte[] file = Files.readAllBytes(Path.of("in.txt"));
        assert file[0] != 7 : "seven";
        if (x == 99) System.exit(3);
        if (x == 1 && x == 2) never();
    }
}
"#;

fn explored(folder: &Path) -> (Opened, Exploration) {
    let file = folder.join("Tool.java");
    std::fs::write(&file, TOOL).expect("written");
    let setup = Setup {
        stdin: 1,
        args: vec![3],
        files: vec![("in.txt".to_string(), 2)],
        sized: true,
        ..Setup::default()
    };
    let mut opened = front::open(&file, None, setup, &[]).unwrap_or_else(|error| panic!("{error}"));
    opened.program = opened.program.with_junit(true);
    let settings = SearchSettings {
        time_limit: Some(Duration::from_secs(60)),
        only_new: true,
        ..SearchSettings::default()
    };
    let found = search::explore(&opened.program, &settings, &mut |_| {});
    assert_eq!(found.crashes.len(), 3, "{:?}", found.crashes);
    (opened, found)
}

fn jar(name: &str) -> PathBuf {
    let path = Path::new("/usr/share/java").join(name);
    assert!(path.exists(), "{} is missing (Debian: junit5)", path.display());
    path
}

#[test]
fn junit_tests_pass_under_junit() {
    let folder = tempfile::tempdir().expect("a folder");
    let (opened, found) = explored(folder.path());
    let (sources, classes) = (folder.path().join("tests"), folder.path().join("classes"));
    for made in [&sources, &classes] {
        std::fs::create_dir(made).expect("made");
    }
    let program = folder.path().join("program.jar");
    std::fs::write(&program, &opened.archive).expect("written");
    let mut files = Vec::new();
    for (number, test) in found.tests.iter().enumerate() {
        for (name, text) in opened.program.test_files(number + 1, test) {
            let path = sources.join(name.rsplit('/').next().expect("a name"));
            std::fs::write(&path, text).expect("written");
            files.push(path);
        }
    }
    // One that exits would take JUnit along, and has no test.
    assert!(files.len() >= 6 && files.len() < found.tests.len(), "{files:?}");
    let api = jar("junit-jupiter-api.jar");
    let path = format!("{}:{}", program.display(), api.display());
    let status = Command::new("javac").args(["-cp", &path, "-d"]).arg(&classes).args(&files).status();
    assert!(status.expect("javac (Debian: openjdk-17-jdk-headless) is installed").success());
    let console = jar("junit-platform-console-standalone.jar");
    let output = Command::new("java")
        .args(["-ea", "-jar"])
        .arg(&console)
        .args(["--disable-banner", "--details=summary", "--scan-classpath"])
        .arg(&classes)
        .arg("-cp")
        .arg(format!("{}:{}", classes.display(), program.display()))
        .current_dir(folder.path())
        .output()
        .expect("java (Debian: openjdk-17-jdk-headless) is installed");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    let successful = told.lines().find(|line| line.contains("tests successful")).unwrap_or_default();
    assert!(successful.contains(&format!(" {} tests", files.len())), "{told}");
}

#[test]
fn tests_do_the_same_on_a_real_java() {
    let folder = tempfile::tempdir().expect("a folder");
    let (opened, found) = explored(folder.path());
    let java = jvm::native::Native::new(&opened.archive, "Tool").expect("laid out");
    let mut crashes = 0;
    let judge = |run: &Run| {
        java.judge_test(&[], run, Duration::from_secs(20), &AtomicBool::new(false)).expect("java runs")
    };
    for test in &found.tests {
        let judgement = judge(&test.run);
        assert_eq!(judgement.difference, None, "{:?}", test.run);
        crashes += usize::from(judgement.crashed);
    }
    // Each of the three crashes is kept once, and again where a test that ends in it covers something new.
    assert!(crashes >= found.crashes.len(), "{crashes}");
    // The comparison can fail: with another input the program does not crash.
    let crash = Run { objects: Vec::new(), ..found.tests[found.crashes[0].test].run.clone() };
    assert!(judge(&crash).difference.is_some());
}

#[test]
fn jacoco_has_the_lines_and_branches_that_were_covered() {
    let folder = tempfile::tempdir().expect("a folder");
    let (opened, found) = explored(folder.path());
    let files = opened.program.coverage_files(&found.coverage);
    let [("jacoco.xml", xml)] = &files[..] else { panic!("{files:?}") };
    let line = |number: u32| {
        let start =
            xml.find(&format!("<line nr=\"{number}\" ")).unwrap_or_else(|| panic!("line {number}: {xml}"));
        xml[start..].split("/>").next().unwrap_or_default().to_string()
    };
    let number = |text: &str| TOOL.lines().position(|line| line.contains(text)).expect("a line") as u32 + 1;
    let weigh = line(number("c < 'a'"));
    assert!(weigh.contains("mi=\"0\"") && weigh.ends_with("mb=\"0\" cb=\"2\""), "{weigh}");
    assert!(!xml.contains("Symbolic"), "what asks for inputs is no code of the program: {xml}");
    let never = line(number("println(\"never\")"));
    assert!(never.contains("ci=\"0\""), "{never}");
    let half = line(number("x == 1 && x == 2"));
    assert!(half.ends_with("mb=\"1\" cb=\"3\""), "{half}");
    let method = xml.split("<method name=\"never\"").nth(1).and_then(|rest| rest.split("</method>").next());
    assert!(method.is_some_and(|text| text.contains("type=\"METHOD\" missed=\"1\" covered=\"0\"")), "{xml}");
    // The counters of the report are the sums of those of its lines.
    let sum = |name: &str| -> u32 {
        let quoted = format!(" {name}=\"");
        let values =
            xml.split(&quoted).skip(1).filter_map(|rest| rest.split('"').next()?.parse::<u32>().ok());
        values.sum()
    };
    let total = format!("<counter type=\"BRANCH\" missed=\"{}\" covered=\"{}\"/>", sum("mb"), sum("cb"));
    assert!(xml.rfind(&total).is_some_and(|at| xml[at..].ends_with("</report>\n")), "{total} {xml}");
    let python = "import sys, xml.dom.minidom as m; m.parseString(sys.stdin.buffer.read())";
    let mut child = Command::new("python3")
        .args(["-c", python])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    std::io::Write::write_all(child.stdin.as_mut().expect("a pipe"), xml.as_bytes()).expect("written");
    assert!(child.wait().expect("it ends").success(), "well-formed");
}
