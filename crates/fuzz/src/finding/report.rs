//! Reports: the text that goes into an issue tracker, and a script that shows the defect. Owns their wording: the formula
//! first, what is wrong and why that is certain, the exact release and options, nothing else.

use super::{Finding, Replacement};
use crate::evidence::{Evidence, ModelCheck};
use std::fmt::Write;

/// Longest model or output that is shown in full.
const SHOWN: usize = 4_000;

/// `report.md`.
pub fn report(finding: &Finding) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |text: std::fmt::Arguments<'_>| writeln!(out, "{text}").expect("a string grows");
    let confirmed = &finding.confirmed;
    line(format_args!("# {} {}\n", finding.solver.title(), confirmed.class.title()));
    line(format_args!("```smt2\n{}\n```\n", finding.reduced.trim_end()));
    line(format_args!("**Observed:** {}.", confirmed.detail));
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
        line(format_args!("- {} ({}): {verdict}{model}", said.solver, said.version));
    }
    line(format_args!("\n**Release:** {} (`{}`)", finding.solver.version, finding.solver.name));
    line(format_args!("\n**Command:** `{}`, script on standard input", finding.solver.command.join(" ")));
    line(format_args!(
        "\n**Cost:** {:.2} s CPU, {} MiB",
        confirmed.run.cpu.as_secs_f64(),
        confirmed.run.memory >> 20
    ));
    if let Some(newest) = &finding.newest {
        line(format_args!("\n**Newest release:** {newest}"));
    }
    if !finding.diagnosis.is_empty() {
        line(format_args!("\n**Diagnosis:**"));
        for known in &finding.diagnosis {
            line(format_args!("- {known}"));
        }
    }
    let output = confirmed.run.stdout.trim_end();
    if !output.is_empty() {
        line(format_args!("\n**Output:**\n```\n{}\n```", shown(output)));
    }
    let errors = confirmed.run.stderr.trim_end();
    if !errors.is_empty() {
        line(format_args!("\n**Standard error:**\n```\n{}\n```", shown(errors)));
    }
    line(format_args!("\n**Found by:** {}", finding.origin));
    if !finding.mutations.is_empty() {
        line(format_args!("\nThe seed (`seed.smt2`) differs in these literals only:"));
        for Replacement { rule, before, after } in &finding.mutations {
            line(format_args!("- `{before}` became `{after}` ({rule})"));
        }
    }
    line(format_args!("\n**Fingerprint:** `{}` ({})", finding.fingerprint.short, finding.fingerprint.text));
    out
}

fn why(evidence: &Evidence, script: &str) -> String {
    match evidence {
        Evidence::Model { text, by } => {
            format!(
                "the formula is true under this model (from {by}), by evaluation:\n```smt2\n{}\n```",
                shown(&of_script(text, script))
            )
        }
        Evidence::RefutedModel(because) => format!("the model it gives is refuted by evaluation: {because}."),
        Evidence::Referees(names) => format!("{} contradict it.", names.join(", ")),
        Evidence::Construction => "the formula's truth is known by construction.".into(),
        Evidence::Metamorphic => {
            "it contradicts the same solver's answer to `seed.smt2`, of which this is an approximation."
                .into()
        }
        Evidence::Process(what) => format!("{what}."),
    }
}

/// A model without what the script does not mention: it may be one of a larger script.
fn of_script(model: &str, script: &str) -> String {
    let inside = model.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let Some(inside) = inside else { return model.into() };
    let (mut at, mut kept) = (0, Vec::new());
    while let Some((range, whole)) = smt::lexer::next_expression(inside, at) {
        at = range.end;
        let item = &inside[range];
        let name = item.strip_prefix("(define-fun").and_then(|rest| rest.split_whitespace().next());
        match name {
            Some(name) if whole && !script.contains(name) => {}
            _ => kept.push(item),
        }
    }
    format!("({})", kept.join("\n "))
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}\n[...]", &text[..at]),
        None => text.to_string(),
    }
}

/// `repro.sh`: runs the solver on the reduced script beside it.
pub fn repro(finding: &Finding) -> String {
    let quoted: Vec<String> = finding.solver.command.iter().map(|word| quote(word)).collect();
    let command = if quoted.iter().any(|word| word.contains("{file}")) {
        quoted.join(" ").replace("{file}", "reduced.smt2")
    } else {
        format!("{} < reduced.smt2", quoted.join(" "))
    };
    format!(
        "#!/bin/sh\n# {} {}: {}\n# Expected: see report.md.\ncd \"$(dirname \"$0\")\" || exit 1\n{command}\n",
        finding.solver.version,
        finding.confirmed.class.title(),
        finding.confirmed.detail.replace('\n', " "),
    )
}

/// A word as the shell needs it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{of_script, quote};

    #[test]
    fn witnesses_speak_of_the_script_alone() {
        let model = "((define-fun x () Int 1) (define-fun unused () Int 2))";
        assert_eq!(of_script(model, "(declare-const x Int)"), "((define-fun x () Int 1))");
        assert_eq!(of_script("sat", ""), "sat");
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quote("smt.string_solver=z3str3"), "smt.string_solver=z3str3");
        assert_eq!(quote("it's"), "'it'\\''s'");
        assert_eq!(quote(""), "''");
    }
}
