//! Scripts with their status inside, through `auto`: no answer is wrong, and only what is marked
//! `(set-info :soundline open)` may stay unknown.

use solve::session::{Session, SessionSettings};
use std::path::Path;
use std::time::Duration;

#[test]
fn answers_are_what_the_scripts_promise() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the cases").map(|e| e.expect("a file").path()).collect();
    paths.sort();
    assert!(paths.len() > 20);
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a script");
        let settings =
            SessionSettings { time_limit: Some(Duration::from_secs(20)), ..SessionSettings::default() };
        let open = text.contains("(set-info :soundline open)");
        let settings = if open {
            SessionSettings { time_limit: Some(Duration::from_millis(100)), ..settings }
        } else {
            settings
        };
        let reply = Session::new(settings).expect("the engine auto").submit(&text);
        assert_eq!(reply.errors, 0, "{name}: {}", reply.text);
        assert!(!reply.checks.is_empty(), "{name}");
        for check in reply.checks {
            let (promised, answer) = (check.expected.expect("a status"), check.answer.word());
            if answer != promised && !(open && answer == "unknown") {
                wrong.push(format!("{name}: {answer} ({}), promised {promised}", check.engine));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
