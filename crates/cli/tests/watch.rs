//! A night from the command line: releases come from a package index of the test's own, one that lies, one that is mended and one
//! that lies again. The summary says what was fixed, what regressed and what to report, the gravest first and no more than the cap.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A release whose `sat` becomes `unsat`, and one that tells the truth.
const LIAR: &str = "#!/bin/sh\nz3 \"$@\" | sed -u 's/^sat$/unsat/'\n";
const HONEST: &str = "#!/bin/sh\nexec z3 \"$@\"\n";

struct Night {
    folder: tempfile::TempDir,
}

impl Night {
    fn soundline(&self, arguments: &[&str]) -> Output {
        let here = self.folder.path();
        let run = Command::new(env!("CARGO_BIN_EXE_soundline"))
            .args(arguments)
            .current_dir(here)
            .env("SOUNDLINE_HOME", here.join("home"))
            .env("PIP_NO_INDEX", "1")
            .env("PIP_FIND_LINKS", here.join("index"))
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
            .stdin(Stdio::null())
            .output()
            .expect("soundline runs");
        assert!(matches!(run.status.code(), Some(0 | 1)), "{arguments:?}: {}", text(&run.stderr));
        run
    }

    /// Puts a release of z3 on the index: a wheel with a program.
    fn publish(&self, version: &str, program: &str) {
        let index = self.folder.path().join("index");
        std::fs::create_dir_all(&index).expect("made");
        let name = format!("z3_solver-{version}");
        let make = "import sys, zipfile
name, version, folder = sys.argv[1:4]
with zipfile.ZipFile(f'{folder}/{name}-py3-none-any.whl', 'w') as wheel:
    wheel.writestr(f'{name}.data/data/bin/z3', sys.stdin.read())
    wheel.writestr(f'{name}.dist-info/METADATA', f'Metadata-Version: 2.1\\nName: z3-solver\\nVersion: {version}\\n')
    wheel.writestr(f'{name}.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{name}.dist-info/RECORD', '')
";
        let mut python = Command::new("python3")
            .args(["-c", make, &name, version, &index.display().to_string()])
            .stdin(Stdio::piped())
            .spawn()
            .expect("python3 is installed");
        python.stdin.take().expect("a pipe").write_all(program.as_bytes()).expect("written");
        assert!(python.wait().expect("it ends").success());
    }

    /// A night without fuzzing, in Markdown.
    fn watch(&self) -> String {
        let run = self.soundline(&["campaign", "watch", "--night", "1", "--share", "0", "--out", "night.md"]);
        let said = text(&run.stdout);
        assert_eq!(std::fs::read_to_string(self.folder.path().join("night.md")).expect("written"), said);
        said
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The lines of a section.
fn section<'a>(summary: &'a str, title: &str) -> Vec<&'a str> {
    let after = summary.split_once(&format!("## {title}\n")).map_or("", |(_, rest)| rest);
    after.split("\n## ").next().unwrap_or_default().lines().filter(|line| line.starts_with("- ")).collect()
}

#[test]
fn releases_are_installed_and_old_findings_are_asked_again() {
    let night = Night { folder: tempfile::tempdir().expect("a folder") };
    let here: &Path = night.folder.path();
    let source = "[campaign]\nname = \"nights\"\n[limits]\njobs = 1\nreduce = false\nreports-a-week = 2\n[[target]]\nsolver = \"z3@9.9.8\"\n[references]\nsolvers = [\"z3\"]\n[[strategy]]\nname = \"truth\"\n";
    std::fs::write(here.join("campaign.toml"), source).expect("written");
    night.publish("9.9.8", LIAR);
    // The release that the campaign tests is new here, and is fuzzed for a share of the night.
    let run = night.soundline(&["campaign", "watch", "--night", "20", "--share", "1"]);
    let summary = text(&run.stdout);
    assert_eq!(section(&summary, "New releases"), ["- z3@9.9.8"], "{summary}");
    let due = section(&summary, "To report, the gravest first");
    assert!(due.len() == 2 && due[0].contains("answers unsat"), "{summary}");
    assert_eq!(run.status.code(), Some(1));
    let findings = night.soundline(&["campaign", "findings"]);
    let names: Vec<String> = text(&findings.stdout).lines().map(|line| line[..8].to_string()).collect();
    assert!(names.len() >= 2, "{}", text(&findings.stdout));

    assert_eq!(section(&night.watch(), "New releases"), [""; 0]);
    night.publish("9.9.9", HONEST);
    let summary = night.watch();
    assert_eq!(section(&summary, "New releases"), ["- z3@9.9.9"], "{summary}");
    let fixed = section(&summary, "Fixed");
    assert!(names.iter().all(|name| fixed.iter().any(|line| line.contains(name.as_str()))), "{summary}");
    assert!(section(&summary, "To report, the gravest first").is_empty(), "{summary}");

    night.publish("9.9.10", LIAR);
    let summary = night.watch();
    let regressed = section(&summary, "Regressed");
    assert!(regressed.len() >= 2 && regressed[0].contains("z3@9.9.10"), "{summary}");
    assert_eq!(section(&summary, "To report, the gravest first").len(), 2, "{summary}");

    // An index that cannot be reached is said, and the night goes on.
    std::fs::remove_dir_all(here.join("index")).expect("removed");
    let summary = night.watch();
    assert!(section(&summary, "Not done")[0].contains("the package index cannot be reached"), "{summary}");
}
