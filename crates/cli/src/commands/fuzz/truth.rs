//! `soundline fuzz truth`.

use super::Common;
use crate::input::print;
use crate::{Failure, Outcome};
use fuzz::run::Trust;
use fuzz::truth::{BEYOND, Truth, TruthSettings};
use smt::Theory;
use std::fmt::Write;

/// Send formulas that are satisfiable or unsatisfiable by construction.
///
/// First the enumeration of Bugariu and Mueller ("Automatically testing string solvers"): constants and synthesised terms
/// for twelve string operations, and unsatisfiable formulas from equivalent reformulations, contradictions and redundancies,
/// with expected models and minimal cores. With --beyond, tests without end follow: the other string operators and the
/// theories that are named, built in the same way from the operator table, their truth given by evaluation.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Go on after the enumeration with tests of these theories (comma separated, or all)
    #[arg(long, value_name = "THEORY,...", value_delimiter = ',', value_parser = theory)]
    beyond: Vec<Theories>,
    /// How many transformations are chained in the tests beyond the enumeration
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: usize,
    /// How many rounds the terms of the satisfiable tests grow
    #[arg(long, value_name = "N", default_value_t = 1)]
    bound: usize,
    /// Only tests whose construction's name contains this: an operation (replace), a table's row (E2, C7), a step
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Keep the paper's order, one category after the other, instead of taking turns
    #[arg(long)]
    in_order: bool,
    /// Print how many tests each category has, beside the paper's numbers, and stop
    #[arg(long)]
    counts: bool,
}

#[derive(Clone, Debug)]
struct Theories(Vec<Theory>);

fn theory(name: &str) -> Result<Theories, String> {
    if name == "all" {
        return Ok(Theories(BEYOND.iter().map(|(_, theory)| *theory).collect()));
    }
    match BEYOND.iter().find(|(n, _)| *n == name) {
        Some((_, theory)) => Ok(Theories(vec![*theory])),
        None => Err(format!("the theories are all, {}", BEYOND.map(|(n, _)| n).join(", "))),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let beyond = arguments.beyond.iter().flat_map(|theories| theories.0.iter().copied()).collect();
    let truth = Truth::new(TruthSettings {
        beyond,
        depth: arguments.depth,
        bound: arguments.bound,
        in_order: arguments.in_order,
    });
    if arguments.counts {
        print(&counts(&truth));
        return Ok(Outcome::Clean);
    }
    let about = counts(&truth);
    let outcome = arguments.common.run(&truth, &about, Trust::Target, arguments.only.clone())?;
    if !arguments.common.json {
        print(&truth.score().table());
    }
    Ok(outcome)
}

/// The table of categories.
fn counts(truth: &Truth) -> String {
    let mut out = format!(
        "{:<30} {:<8} {:<6} {:>7} {:>7} {:>7}\n",
        "category", "patterns", "", "here", "beyond", "paper"
    );
    for row in truth.counts() {
        let patterns = if row.patterns { "yes" } else { "no" };
        let (name, expected) = (row.category.name(), row.expected.word());
        writeln!(
            out,
            "{name:<30} {patterns:<8} {expected:<6} {:>7} {:>7} {:>7}",
            row.ours, row.beyond, row.paper
        )
        .expect("a string grows");
    }
    out
}
