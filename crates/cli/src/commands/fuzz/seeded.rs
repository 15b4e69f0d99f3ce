//! `soundline fuzz mutate`, `fusion` and `enumerate`.

use super::Common;
use crate::{Failure, Outcome};
use fuzz::approx::Seed;
use fuzz::enumerate::Enumerate;
use fuzz::fusion::Fused;
use fuzz::mutate::Mutate;
use fuzz::run::Trust;
use std::path::PathBuf;

/// Change operators, terms and literals of seed formulas.
///
/// Type-aware mutation as opfuzz and typefuzz have it, with a better oracle: a mutant that is true under the seed's model (or whose
/// assertions are negated where they are false) is satisfiable, whatever a solver says. Of other mutants a model is judged by
/// evaluation, and unsat is contradicted by a reference's model that evaluation accepts, never by a vote.
#[derive(clap::Args, Debug)]
pub(super) struct MutateArguments {
    #[command(flatten)]
    seeded: Seeded,
}

/// Make one formula of two seeds.
///
/// Semantic fusion: variables of one seed come to depend on variables of the other; the result is satisfiable if both seeds are,
/// and unsatisfiable if one is.
#[derive(clap::Args, Debug)]
pub(super) struct FusionArguments {
    #[command(flatten)]
    seeded: Seeded,
}

/// Send all small formulas, by size.
///
/// Bit-vectors of two bits, floats of five, integers, reals and strings; formulas that differ in names or the order of commutative
/// arguments only come once. The truth is found by trying values.
#[derive(clap::Args, Debug)]
pub(super) struct EnumerateArguments {
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args, Debug)]
struct Seeded {
    #[command(flatten)]
    common: Common,
    /// Seed files; a folder stands for all .smt2 files below it; may be repeated
    #[arg(long, value_name = "DIR", required = true)]
    seeds: Vec<PathBuf>,
    /// Mutants of one seed
    #[arg(long, value_name = "N", default_value_t = 200)]
    mutants: usize,
    /// Take the seeds in the order of their names instead of shuffling them, by turns of each logic and status
    #[arg(long)]
    in_order: bool,
}

impl Seeded {
    fn seeds(&self) -> Result<Vec<Seed>, Failure> {
        self.common.seeds(&self.seeds, self.in_order)
    }
}

pub(super) fn mutate(arguments: &MutateArguments) -> Result<Outcome, Failure> {
    let seeded = &arguments.seeded;
    let strategy = Mutate::new(seeded.seeds()?, seeded.mutants);
    seeded.common.run(strategy, "", Trust::Target, None)
}

pub(super) fn fusion(arguments: &FusionArguments) -> Result<Outcome, Failure> {
    let seeded = &arguments.seeded;
    let strategy = Fused::new(seeded.seeds()?, seeded.mutants);
    seeded.common.run(strategy, "", Trust::Target, None)
}

pub(super) fn enumerate(arguments: &EnumerateArguments) -> Result<Outcome, Failure> {
    let family = arguments.common.solvers()?.target.family();
    arguments.common.run(Enumerate::new(family), "", Trust::Target, None)
}
