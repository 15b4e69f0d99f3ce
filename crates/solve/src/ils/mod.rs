//! Iterated local search for integer path conditions (Chen et al. 2019): [`Ils`], guided by branch distance, and [`Classic`],
//! the paper's algorithm as it stands.
//!
//! Both run on a compiled form of the query (`program`, `machine`): straight-line code over 64-bit registers with big
//! integers where they overflow. Both are incomplete: they answer `sat` with a model that the evaluator accepted, or
//! `unknown`. They refuse everything but integers and truth values.

mod aim;
mod batch;
mod classic;
mod compile;
mod divisors;
mod eliminate;
mod exact;
mod guide;
mod guided;
mod landscape;
mod lane;
mod line;
mod machine;
mod problem;
mod program;
mod search;
mod start;
mod state;
mod sweep;
mod tabu;
#[cfg(test)]
mod tests;

pub(crate) use classic::Classic;
pub(crate) use guided::Ils;

/// What a search did, for `--stats`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    pub(crate) evaluations: u64,
    pub(crate) moves: u64,
    pub(crate) restarts: u64,
    pub(crate) tabu_hits: u64,
    pub(crate) linear_solves: u64,
}

impl Counters {
    fn list(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("evaluations", self.evaluations),
            ("moves", self.moves),
            ("restarts", self.restarts),
            ("tabu hits", self.tabu_hits),
            ("linear solves", self.linear_solves),
        ]
    }
}
