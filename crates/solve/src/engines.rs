//! The table of engines: what each is called, what it takes, whether it can answer `unsat`, and how it is made. The command
//! line, the portfolio and the tests all read it; an engine that is not listed here does not exist.

use crate::anneal::Anneal;
use crate::engine::Engine;
use crate::portfolio::Portfolio;
use crate::profile::Features;

/// One engine.
pub struct Row {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for, in a line.
    pub about: &'static str,
    /// What may occur in a query that it takes. It may still find the query beyond it and say so.
    pub takes: Features,
    /// What a query must have some of to be its business in the portfolio; nothing if any query is.
    pub needs: Features,
    /// Whether it decides what it takes: then it answers `unsat` too, and needs no other engine beside it.
    pub complete: bool,
    /// Makes one, for a seed.
    pub make: fn(u64) -> Box<dyn Engine>,
}

impl Row {
    /// Whether a query with these features is its business.
    pub fn fits(&self, features: Features) -> bool {
        self.takes.has(features) && (self.needs == Features::NONE || features.meets(self.needs))
    }
}

/// All engines but the portfolio of them.
pub static TABLE: &[Row] = &[Row {
    name: "anneal",
    about: "floats with bit-vectors: optimisation of a distance to satisfaction (sat or unknown)",
    takes: Features::FLOAT
        .with(Features::BIT_VEC)
        .with(Features::REAL)
        .with(Features::ARRAY)
        .with(Features::FUNCTION),
    needs: Features::FLOAT,
    complete: false,
    make: |seed| Box::new(Anneal::with_seed(seed)),
}];

/// The name of the portfolio.
pub const AUTO: &str = "auto";

/// The names that [`make`] knows.
pub fn names() -> Vec<&'static str> {
    std::iter::once(AUTO).chain(TABLE.iter().map(|row| row.name)).collect()
}

/// The row of an engine.
pub fn row(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

/// Makes an engine by its name.
pub fn make(name: &str, seed: u64) -> Option<Box<dyn Engine>> {
    if name == AUTO { Some(Box::new(Portfolio::new(seed))) } else { row(name).map(|row| (row.make)(seed)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_called_what_the_table_calls_them() {
        for name in names() {
            assert_eq!(make(name, 1).expect("a row").name(), name);
        }
        assert!(make("no-such-engine", 1).is_none());
    }
}
