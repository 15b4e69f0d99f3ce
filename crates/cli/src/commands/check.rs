//! `soundline check`: parses and sort-checks, and says what is in a script.

use crate::documents::{Checked, CheckedFile};
use crate::input::{Input, expand, print, print_json};
use crate::{Failure, Outcome};
use smt::print::sort_to_string;
use smt::walk::{reachable, sizes};
use smt::{Dialect, Op, Terms, Theory};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Parse and sort-check SMT-LIB scripts.
///
/// Prints for every file its logic, its commands, the sorts and operators that occur with their counts, and the size of
/// its terms as a DAG (shared subterms once) and as a tree. Errors are reported with line, column and an excerpt, to the
/// end of the file.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Scripts; a folder stands for all .smt2 files below it, - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print errors and a final count only
    #[arg(long, short)]
    quiet: bool,
    /// How backslashes in strings are read; by default as :smt-lib-version says
    #[arg(long, value_name = "VERSION", value_parser = super::dialect)]
    dialect: Option<Dialect>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let mut documents = Vec::new();
    let (mut faulty, mut errors) = (0, 0);
    let files = expand(&arguments.files)?;
    for path in &files {
        let mut terms = Terms::new();
        let input = Input::read(&mut terms, path, arguments.dialect)?;
        errors += input.errors.len();
        faulty += usize::from(!input.errors.is_empty());
        let summary = summarise(&terms, &input);
        if arguments.json {
            documents.push(summary);
        } else {
            input.report();
            if !arguments.quiet {
                print(&to_text(&summary));
            }
        }
    }
    if arguments.json {
        print_json(&Checked { files: documents, faulty, errors });
    } else if files.len() > 1 || arguments.quiet {
        print(&format!("{} files, {faulty} with errors\n", files.len()));
    }
    Ok(if errors > 0 { Outcome::BadInput } else { Outcome::Clean })
}

fn summarise(terms: &Terms, input: &Input) -> CheckedFile {
    let mut commands = BTreeMap::new();
    let mut roots = input.script.terms();
    let mut functions = 0;
    for command in &input.script.commands {
        *commands.entry(command.name()).or_insert(0) += 1;
        let defined = command.functions();
        functions += defined.len() as u64;
        roots.extend(defined.iter().filter_map(|&fun| terms.fun(fun).definition.as_ref().map(|d| d.body)));
    }
    let (dag_size, tree_size) = sizes(terms, &roots);
    let (mut sorts, mut operators, mut theories) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for term in reachable(terms, &roots) {
        *sorts.entry(sort_to_string(terms, terms.sort(term))).or_insert(0) += 1;
        let op = terms.op(term);
        if !op.name().is_empty() {
            *operators.entry(op.name()).or_insert(0) += 1;
        }
        if let Some(theory) = theory_name(op) {
            theories.insert(op.info().theory, theory);
        }
    }
    let logic = input.script.logic().map(|logic| terms.name(logic).to_string());
    CheckedFile {
        file: input.name.clone(),
        ok: input.errors.is_empty(),
        logic,
        theories: theories.into_values().collect(),
        commands,
        functions,
        sorts,
        operators,
        dag_size,
        tree_size,
        errors: input.mistakes(),
    }
}

fn theory_name(op: Op) -> Option<&'static str> {
    match op.info().theory {
        Theory::Core => Some("Core"),
        Theory::Arith => Some("Arithmetic"),
        Theory::BitVec => Some("FixedSizeBitVectors"),
        Theory::Float => Some("FloatingPoint"),
        Theory::Strings => Some("UnicodeStrings"),
        Theory::Arrays => Some("ArraysEx"),
        Theory::Sequences => Some("sequences (extension)"),
        Theory::Sets => Some("sets (extension)"),
        Theory::Bags => Some("bags (extension)"),
        Theory::Fields => Some("finite fields (extension)"),
        Theory::Extension => Some("extensions"),
        Theory::Language => match op {
            Op::Construct | Op::Field | Op::Tester | Op::UpdateField | Op::Match => Some("datatypes"),
            _ => None,
        },
    }
}

fn to_text(summary: &CheckedFile) -> String {
    let mut out = String::new();
    let line = |out: &mut String, label: &str, value: &str| {
        writeln!(out, "  {label:<10} {value}").expect("writing to a string");
    };
    let state = match summary.errors.len() {
        0 => "ok".into(),
        1 => "1 error".into(),
        n => format!("{n} errors"),
    };
    writeln!(out, "{}: {state}", summary.file).expect("writing to a string");
    line(&mut out, "logic", summary.logic.as_deref().unwrap_or("none"));
    line(&mut out, "theories", &summary.theories.join(", "));
    line(&mut out, "commands", &counted(summary.commands.iter().map(|(k, v)| (*k, *v))));
    line(&mut out, "sorts", &counted(summary.sorts.iter().map(|(k, v)| (k.as_str(), *v))));
    line(&mut out, "operators", &counted(summary.operators.iter().map(|(k, v)| (*k, *v))));
    let tree =
        if summary.tree_size == u64::MAX { "more than 2^64".into() } else { summary.tree_size.to_string() };
    line(&mut out, "size", &format!("{} terms as a DAG, {tree} as a tree", summary.dag_size));
    out
}

/// `and 3, or 2, ...`, the most frequent first.
fn counted<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> String {
    let mut counts: Vec<(&str, u64)> = counts.collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let parts: Vec<String> = counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
    parts.join(", ")
}
