//! Skeletal approximation enumeration (Yao et al. 2021): mutants of a seed whose verdict follows from the seed's.
//!
//! A seed is a Boolean skeleton over literals. Replacing literals by something they imply gives an over-approximation, which
//! is satisfiable if the seed is; replacing them by something that implies them gives an under-approximation, which is
//! unsatisfiable if the seed is (Theorems 3.1 and 4.1). Which way a literal may go depends on its polarity, which
//! [`skeleton`] finds in place and [`cnf`] makes plain; what may replace it is in [`rules`] (predicate symbol
//! transformation) and [`inject`] (live predicate injection).
//!
//! One seed is one batch. Its first case is the seed itself; when its verdicts are known the mutants follow. Nothing here
//! asks a solver.

mod apply;
mod batch;
pub mod build;
pub mod cnf;
pub mod direction;
pub mod fragment;
pub mod inject;
pub mod live;
pub mod rules;
mod seed;
pub mod skeleton;
mod text;

pub use apply::apply;
pub use direction::Direction;
pub use seed::Seed;

use crate::case::{Batch, Rejected, Strategy};
use batch::SeedBatch;
use random::Rng;

/// Which skeletons a seed's literals are found in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Skeletons {
    /// The seed's own Boolean structure, with the polarity of each literal in it.
    Polarity,
    /// Tseitin's conjunctive normal form.
    Cnf,
    /// By turns the one and the other.
    #[default]
    Both,
}

/// What is done to seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ApproxSettings {
    /// In which skeletons literals are mutated.
    pub skeletons: Skeletons,
    /// Mutants of a seed.
    pub mutants: usize,
    /// The most literals that are mutated in one round.
    pub literals: usize,
    /// Rounds: each mutates what the one before it made.
    pub rounds: usize,
    /// Whether a seed's `:status` is believed; otherwise its verdict is left open.
    pub trust_status: bool,
    /// Which of the two strategies mutate.
    pub rules: Rules,
}

/// The strategies of Section 4.2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// Predicate symbol transformation alone.
    Pst,
    /// Live predicate injection alone.
    Lpi,
    /// Both, by turns.
    #[default]
    Both,
}

impl Default for ApproxSettings {
    /// The paper's figures (Section 4.3).
    fn default() -> Self {
        ApproxSettings {
            skeletons: Skeletons::Both,
            mutants: 300,
            literals: 5,
            rounds: 1,
            trust_status: false,
            rules: Rules::Both,
        }
    }
}

/// The strategy `approx`.
#[derive(Clone, Debug)]
pub struct Approx {
    seeds: Vec<Seed>,
    options: ApproxSettings,
}

impl Approx {
    /// Mutates these seeds, one a batch, in this order.
    pub fn new(seeds: Vec<Seed>, options: ApproxSettings) -> Approx {
        Approx { seeds, options }
    }

    /// A batch of one seed.
    pub(crate) fn of_seed<'a>(
        seed: &Seed,
        options: ApproxSettings,
        rng: Rng,
    ) -> Result<Box<dyn Batch + 'a>, Rejected> {
        Ok(Box::new(SeedBatch::new(seed, options, rng)?))
    }
}

impl Strategy for Approx {
    fn name(&self) -> &'static str {
        "approx"
    }

    fn batches(&self) -> Option<u64> {
        Some(self.seeds.len() as u64)
    }

    fn batch(&self, number: u64, rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let seed = usize::try_from(number).ok().and_then(|n| self.seeds.get(n));
        let seed = seed.ok_or_else(|| Rejected(format!("there is no seed number {number}")))?;
        Ok(Box::new(SeedBatch::new(seed, self.options, rng)?))
    }
}
