//! `soundline fuzz approx`.

use super::Common;
use crate::{Failure, Outcome};
use clap::ValueEnum;
use fuzz::approx::{Approx, ApproxSettings, Rules, Skeletons};
use fuzz::run::Trust;
use std::path::PathBuf;

/// Send approximations of seed formulas: what over-approximates a satisfiable formula is satisfiable, what
/// under-approximates an unsatisfiable one is unsatisfiable.
///
/// Skeletal approximation enumeration (Yao, Huang, Tang, Shi, Wu, Zhang): literals of a seed are weakened or strengthened by
/// proved rules or by predicates over terms that are live there, up to a number of literals a mutant. The seed's own verdict
/// is the solver's, the file's :status, or the references' (--trust). A mutant that contradicts it is confirmed, the mutations
/// that are not needed are undone, and the rest is reduced.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Seed files; a folder stands for all .smt2 files below it; may be repeated
    #[arg(long, value_name = "DIR", required = true)]
    seeds: Vec<PathBuf>,
    /// Who settles the verdict of a seed
    #[arg(long, value_enum, default_value_t = Trusted::Target)]
    trust: Trusted,
    /// Where literals are mutated: in the seed's own structure, in its conjunctive normal form, or by turns
    #[arg(long, value_enum, default_value_t = Skeleton::Both)]
    skeleton: Skeleton,
    /// Mutants of one seed
    #[arg(long, value_name = "N", default_value_t = ApproxSettings::default().mutants)]
    mutants: usize,
    /// The most literals that are mutated in one mutant
    #[arg(long, value_name = "N", default_value_t = ApproxSettings::default().literals)]
    literals: usize,
    /// Rounds of mutation: each mutates what the one before it made
    #[arg(long, value_name = "N", default_value_t = ApproxSettings::default().rounds)]
    rounds: usize,
    /// Only one of the paper's strategies: pst (predicate symbol transformation) or lpi (live predicate injection)
    #[arg(long, value_enum, value_name = "NAME")]
    only_rules: Option<OnlyRules>,
    /// Take the seeds in the order of their names instead of shuffling them, by turns of each logic and status
    #[arg(long)]
    in_order: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Trusted {
    /// The solver under test: its own contradictions are defects
    Target,
    /// What the file's :status says, and the solver under test where it says nothing
    Status,
    /// The references, where they agree
    References,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OnlyRules {
    /// Predicate symbol transformation
    Pst,
    /// Live predicate injection
    Lpi,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Skeleton {
    /// The seed's own Boolean structure
    Polarity,
    /// Tseitin's conjunctive normal form
    Cnf,
    /// By turns
    Both,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let seeds = arguments.common.seeds(&arguments.seeds, arguments.in_order)?;
    let settings = ApproxSettings {
        skeletons: match arguments.skeleton {
            Skeleton::Polarity => Skeletons::Polarity,
            Skeleton::Cnf => Skeletons::Cnf,
            Skeleton::Both => Skeletons::Both,
        },
        mutants: arguments.mutants,
        literals: arguments.literals,
        rounds: arguments.rounds,
        trust_status: arguments.trust == Trusted::Status,
        rules: match arguments.only_rules {
            Some(OnlyRules::Pst) => Rules::Pst,
            Some(OnlyRules::Lpi) => Rules::Lpi,
            None => Rules::Both,
        },
    };
    let trust = if arguments.trust == Trusted::References { Trust::References } else { Trust::Target };
    arguments.common.run(Approx::new(seeds, settings), "", trust, None)
}
