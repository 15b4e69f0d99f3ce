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
    let rows: [(&str, &[&str], i32); 9] = [
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
    let run = Command::new(env!("CARGO_BIN_EXE_soundline")).args(["check", "none.smt2", "--json"]).output();
    let run = run.expect("the binary runs");
    assert!(run.status.code() == Some(2) && run.stdout.is_empty() && !run.stderr.is_empty());
    // The check can fail.
    assert!(!missing(&schemas, "check", &serde_json::json!({ "files": [{}] })).is_empty());
}
