//! `soundline eval`: the value of each assertion under a model.

use crate::documents::{Blame, Evaluated, EvaluatedAssertion, Valued};
use crate::failure::TextMistake;
use crate::input::{print, print_json, read_clean, read_text, say};
use crate::{Failure, Outcome};
use smt::eval::{Explanation, explain, shown};
use smt::model::read_model;
use smt::print::{term_to_string, value_to_string};
use smt::{Dialect, Evaluator, TermId, Terms, Undefined, Value};
use std::fmt::Write;
use std::path::PathBuf;

/// Evaluate a script's assertions under a model.
///
/// The model is what get-model or get-value printed: Z3, cvc5, CVC4 and Soundline are understood, with or without the word
/// sat in front. Each assertion is true, false, or undefined where SMT-LIB leaves its value open and the model does not fix
/// it. For the ones that are not true, the subterm to blame is shown with the values it depends on.
///
/// Exit code: 0 if no assertion is false, 1 if one is, 2 for bad input.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The script
    #[arg(value_name = "SCRIPT")]
    script: PathBuf,
    /// The model, or - for standard input
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Evaluate what is asserted at the N-th check-sat (counting from 1); by default at the last one
    #[arg(long, value_name = "N")]
    query: Option<usize>,
    /// How backslashes in strings are read; by default as :smt-lib-version says
    #[arg(long, value_name = "VERSION", value_parser = super::dialect)]
    dialect: Option<Dialect>,
    /// The longest time, in seconds (fractions allowed); what has no value until then is undefined
    #[arg(long, value_name = "S", default_value = "60", value_parser = super::seconds)]
    time_limit: std::time::Duration,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let mut terms = Terms::new();
    let input = read_clean(&mut terms, &arguments.script, arguments.dialect)?;
    let assertions = match (arguments.query, input.script.queries()) {
        (None, queries) => {
            queries.into_iter().next_back().unwrap_or_else(|| input.script.assertions().collect())
        }
        (Some(n), queries) if (1..=queries.len()).contains(&n) => {
            queries.into_iter().nth(n - 1).expect("in range")
        }
        (Some(n), queries) => {
            return Err(Failure(format!(
                "there is no check-sat number {n}: the script has {}",
                queries.len()
            )));
        }
    };
    let name = arguments.model.display().to_string();
    let text = read_text(&arguments.model)?;
    if let Some(answer @ ("unsat" | "unknown" | "timeout")) = text.split_whitespace().next()
        && !text.contains("define-fun")
    {
        return Err(Failure(format!("{name} holds no model: the answer was {answer}")));
    }
    if let Some(deadline) = std::time::Instant::now().checked_add(arguments.time_limit) {
        terms.set_token(smt::Token::until(deadline));
    }
    let model = match read_model(&mut terms, &input.reader, &text) {
        Ok(model) => model,
        Err(error) => return Err(Failure::Text(vec![TextMistake::of(&error, &name, &text)])),
    };
    let mut evaluator = Evaluator::new(&terms, &model);
    let results: Vec<(TermId, Result<bool, Undefined>, Option<Explanation>)> =
        assertions.iter().map(|&t| (t, evaluator.truth(t), explain(&terms, &mut evaluator, t))).collect();
    let count =
        |wanted: fn(&Result<bool, Undefined>) -> bool| results.iter().filter(|(_, r, _)| wanted(r)).count();
    let (yes, no, open) = (count(|r| *r == Ok(true)), count(|r| *r == Ok(false)), count(Result::is_err));
    if arguments.json {
        let assertions = results.iter().map(|(t, r, e)| document(&terms, *t, r, e.as_ref())).collect();
        print_json(&Evaluated { assertions, holds: yes, fails: no, undefined: open });
    } else {
        for (i, (term, result, explanation)) in results.iter().enumerate() {
            print(&to_text(&terms, i + 1, *term, result, explanation.as_ref()));
        }
        print(&format!("{yes} true, {no} false, {open} undefined\n"));
    }
    if open > 0 && yes + no == 0 {
        say!("warning: no assertion has a value under this model: is it a model of this script?");
    }
    Ok(if no > 0 { Outcome::Found } else { Outcome::Clean })
}

fn verdict(result: &Result<bool, Undefined>) -> &'static str {
    match result {
        Ok(true) => "true",
        Ok(false) => "false",
        Err(_) => "undefined",
    }
}

fn outcome(terms: &Terms, outcome: &Result<Value, Undefined>) -> String {
    match outcome {
        Ok(value) => value_to_string(terms, value),
        Err(reason) => format!("undefined ({reason})"),
    }
}

fn document(
    terms: &Terms,
    term: TermId,
    result: &Result<bool, Undefined>,
    explanation: Option<&Explanation>,
) -> EvaluatedAssertion {
    let valued = |(t, o): &(TermId, _)| Valued { term: term_to_string(terms, *t), value: outcome(terms, o) };
    EvaluatedAssertion {
        term: term_to_string(terms, term),
        value: verdict(result),
        reason: result.as_ref().err().map(ToString::to_string),
        because: explanation.map(|explanation| Blame {
            term: term_to_string(terms, explanation.term),
            value: outcome(terms, &explanation.outcome),
            arguments: explanation.args.iter().map(valued).collect(),
        }),
    }
}

fn to_text(
    terms: &Terms,
    number: usize,
    term: TermId,
    result: &Result<bool, Undefined>,
    explanation: Option<&Explanation>,
) -> String {
    let mut out = format!("{number:>4} {:<9} {}\n", verdict(result), shown(terms, term));
    if let Some(explanation) = explanation {
        let mut line =
            |indent: usize, text: String| writeln!(out, "{:indent$}{text}", "").expect("writing to a string");
        let (blame, args) = explanation.words(terms);
        line(15, format!("because {blame}"));
        for (arg, value) in args {
            line(19, format!("where {arg} = {value}"));
        }
    }
    out
}
