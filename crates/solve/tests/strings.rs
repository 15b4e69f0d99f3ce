//! The engine `strings` on scripts with a status: no answer is wrong, and a good part is answered.

use solve::session::{Session, SessionSettings};
use std::path::{Path, PathBuf};
use testkit::scripts;

/// How many checks were answered, and which answers contradict the status of their script. Ticks keep it the same everywhere.
fn answers(paths: &[PathBuf], ticks: u64) -> (usize, usize, Vec<String>) {
    let (mut solved, mut all, mut wrong) = (0, 0, Vec::new());
    for path in paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut session = Session::new(SessionSettings::default()).expect("the engine auto");
        session.submit(&format!("(set-option :rlimit {ticks})(set-option :timeout 20000)"));
        // Several statuses in one file are several checks, in order: the session keeps the last one it read.
        for check in session.submit(&text).checks {
            let Some(expected) = check.expected.filter(|word| word != "unknown") else { continue };
            let answer = check.answer.word();
            all += 1;
            solved += usize::from(answer == expected);
            if answer != "unknown" && answer != expected {
                wrong.push(format!("{}: {answer} ({}), promised {expected}", path.display(), check.engine));
            }
        }
    }
    (solved, all, wrong)
}

#[test]
fn generated_scripts_are_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/QF_SLIA");
    let (solved, all, wrong) = answers(&scripts(&folder), 1_000_000);
    assert_eq!(wrong, Vec::<String>::new());
    assert!(all >= 10 && solved * 2 >= all, "{solved} of {all}");
}

/// Regressions of other solvers, where somebody put them beside the project.
#[test]
fn regressions_of_others_are_not_answered_wrongly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let is_about_strings = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.len() < 20_000
            && ["QF_S)", "QF_SLIA)", "QF_SNIA)"]
                .iter()
                .any(|logic| text.contains(&format!("(set-logic {logic}")))
    };
    let folders = ["regress", "seeds/QF_S", "seeds/QF_SLIA"];
    let paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| scripts(&root.join(folder)))
        .filter(is_about_strings)
        .step_by(5)
        .collect();
    if paths.is_empty() {
        eprintln!("skipped: no corpus beside the project");
        return;
    }
    let (solved, all, wrong) = answers(&paths, 150_000);
    assert_eq!(wrong, Vec::<String>::new());
    assert!(solved * 3 >= all, "{solved} of {all}");
}
