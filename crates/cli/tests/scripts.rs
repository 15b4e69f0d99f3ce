//! `check`, `fmt` and `eval` as a user runs them: real files, real exit codes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn soundline(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_soundline"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> String {
    root().join("examples").join(name).display().to_string()
}

#[test]
fn a_closed_standard_error_changes_no_exit_code() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_soundline"));
    let status =
        command.args(["check", "/nowhere.smt2"]).stdout(Stdio::null()).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn check_says_what_is_in_a_script() {
    let output = soundline(
        &["check", "-"],
        "(set-logic QF_LIA)(declare-const x Int)(assert (and (> x 1) (< x (+ x x))))(check-sat)",
    );
    assert_eq!(code(&output), 0);
    let text = out(&output);
    for part in ["<stdin>: ok", "QF_LIA", "assert 1", "Int 3", "< 1", "6 terms as a DAG, 9 as a tree"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn check_reports_every_error_with_its_place() {
    let output = soundline(&["check", "-"], "(assert (> 1 true))\n(declare-const x Int)\n(assert (and x))\n");
    assert_eq!(code(&output), 2);
    let text = err(&output);
    assert!(text.contains("argument 2 of `>` should be Int, found Bool"), "{text}");
    assert!(text.contains("<stdin>:1:9") && text.contains("1 | (assert (> 1 true))"), "{text}");
    assert!(text.contains("<stdin>:3:9"), "{text}");
}

#[test]
fn check_as_json_is_one_document() {
    let output = soundline(&["check", "--json", &example("bits.smt2"), "-"], "(assert (foo))");
    assert_eq!(code(&output), 2);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["errors"], 1);
    assert_eq!(document["files"][0]["ok"], true);
    assert_eq!(document["files"][0]["logic"], "QF_ABV");
    assert_eq!(document["files"][0]["operators"]["bvmul"], 1);
    assert_eq!(document["files"][1]["errors"][0]["line"], 1);
    assert_eq!(document["files"][1]["errors"][0]["message"], "unknown function `foo`");
}

#[test]
fn a_missing_file_and_a_wrong_option_are_usage_errors() {
    let output = soundline(&["check", "no/such/file.smt2"], "");
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("cannot read no/such/file.smt2"));
    assert_eq!(code(&soundline(&["check", "--no-such-option"], "")), 2);
    assert_eq!(code(&soundline(&["fmt", "-", "--dialect", "3.0"], "")), 2);
}

#[test]
fn fmt_keeps_comments_and_shares_subterms() {
    let script = "; head\n(declare-const x Int) ; behind\n(assert (= (* (+ x 1 2 3) (+ x 1 2 3)) ; inside\n (+ x 1 2 3)))\n; end";
    let output = soundline(&["fmt", "-"], script);
    assert_eq!(code(&output), 0);
    assert_eq!(
        out(&output),
        "; head\n(declare-const x Int)\n; behind\n; inside\n(assert (let (($1 (+ x 1 2 3))) (= (* $1 $1) $1)))\n; end\n"
    );
    let plain = soundline(&["fmt", "-", "--no-let"], script);
    assert!(out(&plain).contains("(assert (= (* (+ x 1 2 3) (+ x 1 2 3)) (+ x 1 2 3)))"));
}

#[test]
fn fmt_translates_between_dialects() {
    let new = "(declare-const s String)\n(assert (= (str.to_int s) 65))\n(assert (str.in_re s (str.to_re \"\\u{41}\\u{7}\")))\n(assert (str.in_re s ((_ re.^ 3) re.none)))\n";
    let older = out(&soundline(&["fmt", "-", "--dialect", "2.5"], new));
    assert!(
        older.contains("str.to.int") && older.contains("(str.in.re s (str.to.re \"A\\x07\"))"),
        "{older}"
    );
    assert!(older.contains("(re.loop re.nostr 3 3)"), "{older}");
    let back = out(&soundline(&["fmt", "-", "--from", "2.5"], &older));
    assert!(back.contains("(assert (str.in_re s (str.to_re \"A\\u{7}\")))"), "{back}");
    let refused = soundline(&["fmt", "-"], "(assert");
    assert_eq!((code(&refused), out(&refused).as_str()), (2, ""));
}

#[test]
fn eval_judges_a_model_and_explains() {
    let model = "sat\n((define-fun name () String \"user:7up\") (define-fun rest () String \"7up\"))";
    let output = soundline(&["eval", &example("strings.smt2"), "--model", "-"], model);
    assert_eq!(code(&output), 1);
    let text = out(&output);
    assert!(text.contains("4 true, 1 false, 0 undefined"), "{text}");
    assert!(text.contains("where rest = \"7up\""), "{text}");
    let good = model.replace("7up", "up7");
    assert_eq!(code(&soundline(&["eval", &example("strings.smt2"), "--model", "-"], &good)), 0);
}

#[test]
fn eval_says_where_a_value_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("open.smt2");
    std::fs::write(
        &script,
        "(declare-const x Int)(declare-const y Int)(assert (= (div x y) 0))(assert (or (= y 0) (> x 5)))",
    )
    .unwrap();
    let script = script.display().to_string();
    let output = soundline(&["eval", &script, "--model", "-", "--json"], "((x 1) (y 0))");
    assert_eq!(code(&output), 0);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["assertions"][0]["value"], "undefined");
    assert_eq!(document["assertions"][0]["because"]["term"], "(div x y)");
    assert_eq!(document["assertions"][1]["value"], "true");
    let no_model = soundline(&["eval", &script, "--model", "-"], "unsat\n");
    assert_eq!(code(&no_model), 2);
    assert!(err(&no_model).contains("the answer was unsat"));
    let broken = soundline(&["eval", &script, "--model", "-"], "((define-fun x () Int");
    assert_eq!(code(&broken), 2);
}

/// The whole corpus through the binary: exactly the files with extensions outside the standard have errors.
#[test]
fn the_corpus_is_checked() {
    let corpus = root().join("../shared/corpus");
    if !corpus.is_dir() {
        println!("skipped: no corpus at {}", corpus.display());
        return;
    }
    let output = soundline(&["check", "--json", &corpus.display().to_string()], "");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let known = include_str!("../../smt/tests/corpus_extensions.tsv");
    let files = document["files"].as_array().unwrap();
    assert!(files.len() > 3000);
    assert_eq!(document["faulty"], known.lines().count());
    for file in files.iter().filter(|f| f["ok"] == false) {
        let name = file["file"].as_str().unwrap();
        assert!(known.lines().any(|line| name.ends_with(line.split('\t').next().unwrap())), "{name}");
    }
}

/// A model that cannot be the script's is an error with its line, not a row of undefined assertions.
#[test]
fn models_that_say_nothing_or_too_much_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("a.smt2");
    std::fs::write(&script, "(declare-const x Int)(declare-fun f (Int) Int)(assert (> (f x) 0))(check-sat)")
        .unwrap();
    let script = script.display().to_string();
    let eval = |model: &str| soundline(&["eval", &script, "--model", "-"], model);
    let rows = [
        ("", ":1:1", "expected a model"),
        ("sat\n", ":2:1", "expected a model"),
        ("; nothing\n", ":2:1", "expected a model"),
        ("(\n(define-fun x () Int 1)\n(define-fun x () Int 2)\n)", ":3:13", "the model defines `x` twice"),
        ("((define-fun x () Bool\n true))", ":1:14", "the script declares `x` as Int, not as Bool"),
        ("(\n(define-fun f ((a Bool)) Int 1))", ":2:13", "declares `f` as (Int) Int, not as (Bool) Int"),
        ("(\n(define-fun x () Int true))", ":2:", "Int"),
        ("((x\n true))", ":2:", "Int"),
        ("((x 1)\n (x 2))", ":2:", "two values"),
        ("unsat\n", "", "the answer was unsat"),
    ];
    for (model, place, message) in rows {
        let output = eval(model);
        assert_eq!(code(&output), 2, "{model}: {}", out(&output));
        assert!(err(&output).contains(place) && err(&output).contains(message), "{model}: {}", err(&output));
        assert!(out(&output).is_empty(), "{model}");
    }
    let output = eval("()");
    assert_eq!((code(&output), out(&output).contains("1 undefined")), (0, true));
    assert!(err(&output).contains("warning: no assertion has a value under this model"), "{}", err(&output));
    let output = eval("((define-fun x () Int 1) (define-fun f ((a Int)) Int 1))");
    assert!(code(&output) == 0 && err(&output).is_empty(), "{}", err(&output));
}
