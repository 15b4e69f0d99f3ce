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
        line(format_args!("\n**Why it is wrong:** {}", why(&confirmed.evidence)));
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

fn why(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Model { text, by } => {
            format!(
                "the formula is true under this model (from {by}), by evaluation:\n```smt2\n{}\n```",
                shown(text)
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
    use super::quote;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quote("smt.string_solver=z3str3"), "smt.string_solver=z3str3");
        assert_eq!(quote("it's"), "'it'\\''s'");
        assert_eq!(quote(""), "''");
    }
}
