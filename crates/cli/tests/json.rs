//! The documents of `--json` against what `docs/json.md` promises.

use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The blocks of the page, by name.
fn schemas() -> BTreeMap<String, Map<String, Json>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let blocks = page.split("```schema ").skip(1).map(|block| {
        let (name, rest) = block.split_once('\n').expect("a name");
        let text = rest.split("```").next().expect("a block");
        (name.to_string(), serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}")))
    });
    blocks.collect()
}

/// What a document lacks of what a block promises.
fn missing(schemas: &BTreeMap<String, Map<String, Json>>, name: &str, document: &Json) -> Vec<String> {
    let mut wrong = Vec::new();
    for (field, kind) in &schemas[name] {
        let (value, kind) = (document.get(field).unwrap_or(&Json::Null), kind.as_str().expect("a type"));
        let fits = |kind: &str| match kind {
            "number" => value.is_number(),
            "string" => value.is_string(),
            "bool" => value.is_boolean(),
            "object" => value.is_object(),
            "null" => value.is_null() && document.get(field).is_some(),
            _ => value.is_array(),
        };
        if !kind.split('|').any(fits) {
            wrong.push(format!("{name}.{field} is no {kind}: {value}"));
        }
        if let (Some(inner), Some(list)) = (kind.strip_prefix("array of "), value.as_array()) {
            wrong.extend(list.iter().flat_map(|item| missing(schemas, inner, item)));
        }
    }
    wrong
}

#[test]
fn documents_have_what_the_page_promises() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("good.smt2", "(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)");
    write("bad.smt2", "(declare-const x Int)\n(assert (> x y))(check-sat)");
    write("model", "((define-fun x () Int 0))");
    write(
        "a.wat",
        r#"(module (import "soundline" "sl_symbolic" (func $s (param i32 i32 i32))) (memory (export "memory") 1) (data (i32.const 9) "x\00")
           (func (export "_start") (call $s (i32.const 0) (i32.const 4) (i32.const 9))
             (if (i32.eq (i32.load (i32.const 0)) (i32.const 7)) (then unreachable))))"#,
    );
    write(
        "campaign.toml",
        "[campaign]\nname = \"x\"\n[[target]]\nsolver = \"z3\"\n[references]\nsolvers = [\"z3\"]\n[[strategy]]\nname = \"enumerate\"\n",
    );
    write("mistaken.toml", "[campaign]\nnam = 3\n");
    let rows: [(&str, &[&str], i32); 14] = [
        ("check", &["check", "good.smt2", "--json"], 0),
        ("check", &["check", "good.smt2", "bad.smt2", "--json"], 2),
        ("eval", &["eval", "good.smt2", "--model", "model", "--json"], 1),
        ("solve", &["solve", "good.smt2", "--json"], 0),
        ("solve", &["solve", "bad.smt2", "--json"], 2),
        ("explore", &["explore", "a.wat", "--out", "out", "--json"], 1),
        ("replay", &["replay", "out", "--json"], 1),
        (
            "fuzz",
            &["fuzz", "truth", "--solver", "z3", "--tests", "20", "--jobs", "1", "--out", "run", "--json"],
            0,
        ),
        ("race", &["race", "good.smt2", "--solver", "z3", "--json"], 0),
        ("campaign-check", &["campaign", "check", "--json"], 0),
        ("campaign-check", &["campaign", "check", "mistaken.toml", "--json"], 2),
        (
            "campaign-run",
            &["campaign", "run", "--tests", "20", "--jobs", "1", "--time-limit", "60", "--json"],
            0,
        ),
        ("campaign-status", &["campaign", "status", "--json"], 0),
        ("campaign-findings", &["campaign", "findings", "--json"], 0),
    ];
    let schemas = schemas();
    for (name, args, code) in rows {
        let run =
            Command::new(env!("CARGO_BIN_EXE_soundline")).args(args).current_dir(folder.path()).output();
        let run = run.expect("the binary runs");
        assert_eq!(run.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
        let document: Json = serde_json::from_slice(&run.stdout).expect("one document");
        assert_eq!(missing(&schemas, name, &document), Vec::<String>::new(), "{args:?}");
    }
    // The check can fail.
    assert!(!missing(&schemas, "check", &serde_json::json!({ "files": [{}] })).is_empty());
}

/// Errors are a document too, whatever the command and whatever is wrong; and people still read them.
#[test]
fn errors_are_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("a.smt2", "(declare-const x Int)(assert (> x 1))(check-sat)");
    write("bad.smt2", "(declare-const x Int)\n(assert (> x y))(check-sat)");
    write("twice", "((define-fun x () Int 0)\n(define-fun x () Int 1))");
    write("campaign.toml", "[campaign]\nname = \"x\"\nsede = 3\n");
    write("a.wat", "(module (memory 2000) (func (export \"_start\")))");
    let rows: [(&[&str], &str, u64, &str); 12] = [
        (&["check", "none.smt2"], "input", 0, "cannot read none.smt2"),
        (&["check"], "usage", 0, "required arguments"),
        (&["solve", "--engine", "none"], "usage", 0, "invalid value 'none'"),
        (&["eval", "bad.smt2", "--model", "twice"], "input", 1, "unknown symbol `y`"),
        (&["eval", "a.smt2", "--model", "twice"], "input", 1, "twice"),
        (&["solve", "none.smt2"], "input", 0, "none.smt2"),
        (&["race", "a.smt2", "--solver", "/none"], "input", 0, "/none"),
        (&["fuzz", "truth", "--solver", "z3", "--contexts", "sideways"], "usage", 0, "sideways"),
        (&["explore", "a.wat"], "input", 0, "--pages"),
        (&["replay", "nowhere"], "input", 0, "nowhere"),
        (&["campaign", "run"], "input", 1, "sede"),
        (&["campaign", "status", "nowhere"], "input", 0, "nowhere"),
    ];
    let schemas = schemas();
    for (args, kind, places, words) in rows {
        let run = Command::new(env!("CARGO_BIN_EXE_soundline"))
            .args(args)
            .arg("--json")
            .current_dir(folder.path())
            .output()
            .expect("the binary runs");
        let errors = String::from_utf8_lossy(&run.stderr).into_owned();
        let document: Json =
            serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{args:?}: {run:?}"));
        assert_eq!(missing(&schemas, "failure", &document), Vec::<String>::new(), "{args:?}");
        let error = &document["error"];
        assert_eq!(missing(&schemas, "failure-error", error), Vec::<String>::new(), "{args:?}");
        assert_eq!(
            (error["kind"].as_str(), run.status.code()),
            (Some(kind), Some(2)),
            "{args:?}: {document}"
        );
        assert_eq!(error["exit_code"], 2);
        let listed = error["places"].as_array().expect("places");
        assert_eq!(listed.len() as u64, places, "{args:?}: {document}");
        assert!(listed.iter().all(|place| place["line"].as_u64() > Some(0)), "{document}");
        assert!(error["message"].as_str().expect("words").contains(words), "{args:?}: {document}");
        assert!(errors.contains("error"), "{args:?}: people read nothing");
    }
    let run =
        Command::new(env!("CARGO_BIN_EXE_soundline")).args(["fmt", "none.smt2"]).output().expect("it runs");
    assert!(run.stdout.is_empty() && run.status.code() == Some(2));
}
