//! Reports: the text that goes into an issue tracker, and a script that shows the defect. Owns their wording: the formula
//! first, what is wrong and why that is certain, the exact release and options, nothing else. Whatever a solver printed is quoted,
//! and nothing in a report is about this machine: no path, no way of starting that only we have.

use super::{Finding, Fingerprint, Replacement, SolverInfo, without_folders};
use crate::evidence::{Evidence, ModelCheck, TRIED, WITNESS};
use crate::solver::table;
use crate::tuning::finding_report::SHOWN;
use output::quote::{block, code, line as one_line, markdown, shell};
use std::fmt::Write;
use std::path::Path;

/// `report.md`.
pub(crate) fn report(finding: &Finding) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |text: std::fmt::Arguments<'_>| writeln!(out, "{text}").expect("a string grows");
    let confirmed = &finding.confirmed;
    line(format_args!("# {} {}\n", markdown(&finding.solver.title()), confirmed.class.title()));
    line(format_args!("{}\n", block("smt2", &finding.reduced)));
    line(format_args!("**Observed:** {}.", markdown(&confirmed.detail)));
    if confirmed.class.is_loud() {
        line(format_args!("\n**Why it is wrong:** {}", why(&confirmed.evidence, &finding.reduced)));
    }
    for said in &confirmed.referees {
        let verdict = said.verdict.map_or("no answer", |v| v.word());
        let model = match &said.model {
            Some(ModelCheck::Satisfies) => ", with a model that evaluation accepts",
            Some(ModelCheck::Violates { .. }) => ", with a model that evaluation rejects",
            Some(ModelCheck::Open(_) | ModelCheck::Unreadable(_)) => ", with a model that has open values",
            None => "",
        };
        let solver =
            SolverInfo { name: said.solver.clone(), version: said.version.clone(), command: Vec::new() };
        line(format_args!("- {}: {verdict}{model}", markdown(&solver.title())));
    }
    line(format_args!("\n**Release:** {}", markdown(&finding.solver.title())));
    line(format_args!("\n**Command:** {}", code(&plain_command(&finding.solver))));
    line(format_args!(
        "\n**Cost:** {:.2} s CPU, {} MiB",
        confirmed.run.cpu.as_secs_f64(),
        confirmed.run.memory >> 20
    ));
    if let Some(newest) = &finding.newest {
        line(format_args!("\n**Newest release:** {}", markdown(newest)));
    }
    if !finding.diagnosis.is_empty() {
        line(format_args!("\n**Diagnosis:**"));
        for known in &finding.diagnosis {
            line(format_args!("- {}", markdown(known)));
        }
    }
    let output = confirmed.run.stdout.trim_end();
    if !output.is_empty() {
        line(format_args!("\n**Output:**\n{}", block("", &shown(output))));
    }
    let errors = confirmed.run.stderr.trim_end();
    if !errors.is_empty() {
        line(format_args!("\n**Standard error:**\n{}", block("", &shown(errors))));
    }
    line(format_args!("\n**Found by:** {}", markdown(&without_folders(&finding.origin))));
    if !finding.mutations.is_empty() {
        line(format_args!("\nThe seed (`seed.smt2`) differs in these literals only:"));
        for Replacement { rule, before, after } in &finding.mutations {
            line(format_args!("- {} became {} ({rule})", code(before), code(after)));
        }
    }
    let Fingerprint { short, text } = &finding.fingerprint;
    line(format_args!("\n**Fingerprint:** `{short}` ({})", markdown(text)));
    out
}

fn why(evidence: &Evidence, script: &str) -> String {
    match evidence {
        Evidence::Model { text, by } => {
            let from = match by.as_str() {
                WITNESS => "known before the solver was asked".into(),
                TRIED => "found by trying all values".into(),
                solver => format!("from {}", markdown(SolverInfo::program_of(solver))),
            };
            let model = block("smt2", &shown(&of_script(text, script)));
            format!("the formula is true under this model ({from}), by evaluation:\n{model}")
        }
        Evidence::RefutedModel(because) => {
            format!("the model it gives is refuted by evaluation: {}.", markdown(because))
        }
        Evidence::NoModel => {
            "it has no model: whatever values its constants have, an assertion is false, by evaluation."
                .into()
        }
        Evidence::Referees(names) => {
            let names: Vec<String> =
                names.iter().map(|name| markdown(SolverInfo::program_of(name))).collect();
            format!("{} contradict it.", names.join(", "))
        }
        Evidence::Construction => "the formula's truth is known by construction.".into(),
        Evidence::Metamorphic => {
            "it contradicts the same solver's answer to `seed.smt2`, of which this is an approximation."
                .into()
        }
        Evidence::Process(_) => "a solver answers, or refuses a script by an error.".into(),
    }
}

/// A model without what the script does not mention: it may be one of a larger script. Functions that only other functions of the
/// model use stay with these.
fn of_script(model: &str, script: &str) -> String {
    let inside = model.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let Some(inside) = inside else { return model.into() };
    let (mut at, mut items) = (0, Vec::new());
    while let Some((range, whole)) = smt::lexer::next_expression(inside, at) {
        at = range.end;
        let item = &inside[range];
        let name = item.strip_prefix("(define-fun").and_then(|rest| rest.split_whitespace().next());
        items.push((item, name.filter(|_| whole)));
    }
    // What is no definition says something about all of the model.
    let mut stays: Vec<bool> =
        items.iter().map(|(_, name)| name.is_none_or(|name| mentions(script, name))).collect();
    loop {
        let used =
            |name: &str| items.iter().zip(&stays).any(|((item, _), stays)| *stays && mentions(item, name));
        let more = (0..items.len()).find(|&i| !stays[i] && items[i].1.is_some_and(used));
        let Some(more) = more else { break };
        stays[more] = true;
    }
    let kept: Vec<&str> =
        items.iter().zip(&stays).filter(|(_, stays)| **stays).map(|((item, _), _)| *item).collect();
    format!("({})", kept.join("\n "))
}

/// Whether a text has a symbol: as a word of its own, unless the symbol itself has spaces or parentheses.
fn mentions(text: &str, symbol: &str) -> bool {
    let ends_word = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
    let plain = symbol.trim_matches('|');
    if plain.contains(ends_word) {
        return text.contains(plain);
    }
    text.split(ends_word).any(|word| word.trim_matches('|') == plain)
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}\n[...]", &text[..at]),
        None => text.to_string(),
    }
}

/// What a maintainer would type: the program, the options that it always gets and the user's, the script.
fn plain_command(solver: &SolverInfo) -> String {
    let options = solver.name.split_once(' ').map_or("", |(_, options)| options).trim();
    let program = SolverInfo::program_of(&solver.name);
    let program = program.split('@').next().unwrap_or(program);
    let known = Path::new(program).file_name().and_then(|name| table::by_name(name.to_str()?));
    let always: Vec<&str> = known.map_or(Vec::new(), |known| {
        known.always.iter().copied().filter(|word| !TOLD.contains(word)).collect()
    });
    let words = [&[program], &always[..], &options.split_whitespace().collect::<Vec<_>>()].concat().join(" ");
    if words.contains(FILE) { words.replace(FILE, "reduced.smt2") } else { format!("{words} reduced.smt2") }
}

/// Options that change what is printed, or that scripts set themselves.
const TOLD: &[&str] = &["--quiet", "--lang=smt2.6", "--produce-models"];

/// What stands for the script on a command line.
const FILE: &str = "{file}";

/// `repro.sh`: runs the solver on the reduced script beside it, from wherever it is called; with arguments, another solver.
pub(crate) fn repro(finding: &Finding) -> String {
    const SCRIPT: &str = "\"$here/reduced.smt2\"";
    let command: Vec<String> = finding
        .solver
        .command
        .iter()
        .enumerate()
        .map(|(i, word)| {
            // A program that was named by a relative path is found from anywhere by its full one.
            let full =
                if i == 0 && word.contains('/') { std::fs::canonicalize(Path::new(word)).ok() } else { None };
            let word = full.map_or_else(|| word.clone(), |path| path.display().to_string());
            let parts: Vec<String> = word
                .split(FILE)
                .map(|part| if part.is_empty() { String::new() } else { shell(part) })
                .collect();
            parts.join(SCRIPT)
        })
        .collect();
    let reads_file = finding.solver.command.iter().any(|word| word.contains(FILE));
    let input = if reads_file { String::new() } else { format!(" < {SCRIPT}") };
    format!(
        "#!/bin/sh\n# {} {}: {}\n# Expected: see report.md. Another build: {} SOLVER [OPTION]...\n\
         here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 1\n\
         if [ $# -gt 0 ]; then exec \"$@\" {SCRIPT}; fi\n\
         exec {}{input}\n",
        one_line(&finding.solver.title()),
        finding.confirmed.class.title(),
        one_line(&finding.confirmed.detail),
        "./repro.sh",
        command.join(" "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_gave_a_model_is_said_in_words() {
        for (by, words) in [
            (TRIED, "this model (found by trying all values), by"),
            (WITNESS, "this model (known before the solver was asked), by"),
            ("/opt/z3@4.8.0 -in", "this model (from z3@4.8.0), by"),
        ] {
            let evidence = Evidence::Model { text: "((define-fun x () Int 1))".into(), by: by.into() };
            let said = why(&evidence, "(declare-const x Int)");
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn witnesses_speak_of_the_script_alone() {
        let model = "((define-fun x () Int 1) (define-fun unused () Int 2))";
        assert_eq!(of_script(model, "(declare-const x Int)"), "((define-fun x () Int 1))");
        assert_eq!(of_script("sat", ""), "sat");
        // A name that is part of a word of the script is not in it.
        let model =
            "((define-fun a () Int 1) (define-fun f ((x Int)) Int (k!0 x)) (define-fun k!0 ((x Int)) Int 2))";
        let kept = "((define-fun f ((x Int)) Int (k!0 x))\n (define-fun k!0 ((x Int)) Int 2))";
        assert_eq!(of_script(model, "(declare-fun |f| (Int) Int)(assert (= (|f| 0) 2))"), kept);
    }
}
