//! A text that was printed is printed again in the same words, whatever the arena knew before.

use smt::print::{Printer, Style, write_command};
use smt::{Dialect, Reader, Terms, read_script};
use std::path::{Path, PathBuf};

fn printed(source: &str, mut reader: Reader, style: Style) -> Option<String> {
    let terms = &mut Terms::new();
    let reading = reader.read(terms, source);
    let mut text = String::new();
    for command in &reading.script.commands {
        write_command(&mut text, terms, command, style);
        text.push('\n');
    }
    reading.errors.is_empty().then_some(text)
}

fn assert_stable(name: &str, source: &str) {
    for style in [Style::default(), Style { share: true, dialect: Dialect::V25 }] {
        let Some(once) = printed(source, Reader::new(), style) else { return };
        // The older dialect has no escape for characters above 255.
        if style.dialect == Dialect::V25 && once.contains("\\u{") {
            continue;
        }
        let Some(twice) = printed(&once, Reader::with_dialect(style.dialect), style) else { return };
        assert!(once == twice, "{name} ({style:?}):\n{}", first_difference(&once, &twice));
    }
}

fn first_difference(a: &str, b: &str) -> String {
    let pair = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    pair.map_or_else(|| "one is longer".into(), |(a, b)| format!("{a:.600}\n{b:.600}"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "smt2") {
            found.push(path);
        }
    }
}

#[test]
fn printing_twice_is_printing_once_on_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    for folder in [
        "corpus",
        "examples",
        "crates/smt/tests/cases",
        "crates/solve/tests/cases",
        "crates/fuzz/tests/seeds",
    ] {
        files(&root.join(folder), &mut all);
    }
    assert!(all.len() > 100, "the corpus is missing");
    for path in all {
        let source = std::fs::read_to_string(&path).expect("a text");
        // Deep and large ones add time, not forms.
        if source.len() < 1 << 17 {
            assert_stable(&path.display().to_string(), &source);
        }
    }
}

/// Names of `let` and the order of their groups came from the order in which the arena had met its terms.
#[test]
fn names_do_not_depend_on_what_was_read_before() {
    let declarations = "(declare-fun f (Int Int) Int)(declare-const a Int)(declare-const b Int)";
    let [x, y] = ["(f (+ a 1) (* a 2))", "(f (+ b 1) (* b 2))"];
    let rows = [
        format!("{declarations}(assert (let ((p {y})) (let ((q {x})) (= (f p q) (f q p)))))"),
        format!(
            "{declarations}(assert (let ((p {y}) (q {x})) (and (= q p) (= p q))))(assert (= (f {x} {y}) (f {x} (f {x} {y}))))"
        ),
        format!("{declarations}(assert (forall ((z Int)) (let ((p (f z {x}))) (= (f p {x}) (f {x} p)))))"),
        format!("{declarations}(assert (and (exists ((a Int)) (= a {y})) (= {y} (f {y} {x}) (f {y} {x}))))"),
        format!(
            "{declarations}(assert (forall ((a Int)) (exists ((b Int)) (forall ((a Int)) (= (f a b) (f {x} (f {x} {y})))))))"
        ),
    ];
    // Both variables of the binder need another name, and not the same.
    let twins = "(assert (exists ((k Int) (k Bool)) k))".to_string();
    for source in rows.iter().chain([&twins]) {
        assert_stable(source, source);
    }
}

/// The printer for many terms writes what the general one writes.
#[test]
fn both_printers_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    files(&root.join("corpus"), &mut all);
    let mut seen = 0;
    for path in all {
        let source = std::fs::read_to_string(&path).expect("a text");
        let mut terms = Terms::new();
        let script = read_script(&mut terms, &source).script;
        let mut printer = Printer::default();
        for term in script.terms() {
            let (mut general, mut special) = (String::new(), String::new());
            smt::print::write_term(&mut general, &terms, term, Style::default());
            printer.write_term(&mut special, &terms, term, Style::default());
            assert!(general == special, "{}", path.display());
            seen += usize::from(general.contains("(let "));
        }
    }
    assert!(seen > 0, "something is shared");
}
