//! The table of engines: what each is called, what it takes, whether it can answer `unsat`, and how it is made. The command
//! line, the portfolio and the tests all read it; an engine that is not listed here does not exist.

use crate::anneal::Anneal;
use crate::blast::Blast;
use crate::bounded::Bounded;
use crate::engine::{Budget, Engine, Partials, Query, Verdict};
use crate::euf::Euf;
use crate::ils::{Classic, Ils};
use crate::linear::Linear;
use crate::nonlinear::Nonlinear;
use crate::portfolio::Portfolio;
use crate::profile::Features;
use smt::Terms;
use std::time::Duration;

/// One engine.
pub struct EngineRow {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for, in a line.
    pub about: &'static str,
    /// What may occur in a query that it takes. It may still find the query beyond it and say so.
    pub takes: Features,
    /// What a query must have some of to be its business in the portfolio; nothing if any query is.
    pub needs: Features,
    /// What may occur in a query that it decides, given time: both answers come out. `None` if it answers `sat` alone.
    pub decides: Option<Features>,
    /// Whether it gets divisions by what may be zero with a choice for zero ([`crate::divisions`]), as those do that can refute.
    pub(crate) opened: bool,
    /// Whether the portfolio uses it; what is kept for comparison alone stays out.
    pub plays: bool,
    /// Makes one, for a seed.
    pub make: fn(u64) -> Box<dyn Engine>,
    /// How it solves several queries together, if that is more than one after the other.
    pub together: Option<SolveTogether>,
}

/// Solves several queries together.
pub type SolveTogether = fn(JointSettings, &Terms, &[Query], &mut Budget, &mut dyn Partials) -> Joint;

/// What several queries are solved together with.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointSettings {
    /// The seed of everything that is random.
    pub seed: u64,
    /// The longest time for one of the queries, for engines that work on one at a time.
    pub each: Option<Duration>,
}

/// What solving several queries together came to.
#[derive(Clone, Debug, Default)]
pub struct Joint {
    /// As many verdicts as queries.
    pub verdicts: Vec<Verdict>,
    /// For each query the counter of the way in which it was settled, if the engine tells ways apart.
    pub ways: Vec<Option<&'static str>>,
    /// What was done for all of them, the ways left out.
    pub work: Vec<(&'static str, u64)>,
}

impl EngineRow {
    /// Whether a query with these features is its business.
    pub fn fits(&self, features: Features) -> bool {
        self.takes.has(features) && (self.needs == Features::NONE || features.meets(self.needs))
    }
}

/// All engines but the portfolio of them. Where several play, they take turns in this order.
pub static TABLE: &[EngineRow] = &[
    EngineRow {
        name: "ils",
        about: "non-linear integers: local search guided by the distance to satisfaction (sat or unknown)",
        takes: Features::INT.with(Features::NONLINEAR),
        needs: Features::NONLINEAR,
        decides: None,
        opened: false,
        plays: true,
        make: |seed| Box::new(Ils::new(seed)),
        together: Some(|setup, terms, queries, budget, partials| {
            let mut engine = Ils::new(setup.seed);
            let verdicts = engine.solve_together(terms, queries, budget, partials);
            Joint { ways: vec![None; verdicts.len()], verdicts, work: engine.counters() }
        }),
    },
    EngineRow {
        name: "euf",
        about: "functions, arrays, datatypes with linear arithmetic: congruence closure and lemmas",
        takes: EQUALITY.with(LINEAR).with(Features::NONLINEAR),
        needs: EQUALITY,
        decides: Some(EQUALITY.with(LINEAR)),
        opened: true,
        plays: true,
        make: |seed| Box::new(Euf::new(seed)),
        together: None,
    },
    EngineRow {
        name: "simplex",
        about: "linear arithmetic over integers and reals: general simplex in a SAT solver, branches and cuts",
        takes: LINEAR.with(Features::NONLINEAR).with(Features::FUNCTION).with(Features::SORT),
        needs: LINEAR,
        decides: Some(LINEAR),
        opened: true,
        plays: true,
        make: |seed| Box::new(Linear::new(seed)),
        together: None,
    },
    EngineRow {
        name: "nonlinear",
        about: "products over integers and reals: lemmas for simplex where it gets a product wrong",
        takes: EQUALITY.with(LINEAR).with(Features::NONLINEAR),
        needs: Features::NONLINEAR,
        decides: None,
        opened: true,
        plays: true,
        make: |seed| Box::new(Nonlinear::new(seed)),
        together: None,
    },
    EngineRow {
        name: "bounded",
        about: "non-linear integers: bit-blasting with growing widths; unsat where the query bounds its unknowns",
        takes: Features::INT.with(Features::NONLINEAR),
        needs: Features::NONLINEAR,
        decides: None,
        opened: true,
        plays: true,
        make: |seed| Box::new(Bounded::new("bounded", seed)),
        together: None,
    },
    EngineRow {
        name: "strings",
        about: "strings and integers: bit-blasting with growing lengths, lengths alone by simplex",
        takes: Features::STRING.with(Features::INT).with(Features::NONLINEAR),
        needs: Features::STRING,
        decides: None,
        opened: true,
        plays: true,
        make: |seed| Box::new(Bounded::new("strings", seed)),
        together: None,
    },
    EngineRow {
        name: "anneal",
        about: "floats with bit-vectors: optimisation of a distance to satisfaction (sat or unknown)",
        takes: Features::FLOAT
            .with(Features::BIT_VEC)
            .with(Features::REAL)
            .with(Features::ARRAY)
            .with(Features::FUNCTION),
        needs: Features::FLOAT,
        decides: None,
        opened: false,
        plays: true,
        make: |seed| Box::new(Anneal::with_seed(seed)),
        together: None,
    },
    EngineRow {
        name: "blast",
        about: "bit-vectors, floats, arrays and functions: bit-blasting to a SAT solver, axioms as they are violated",
        // Reals only as constants that are rounded to floats.
        takes: BITS.with(Features::FLOAT).with(Features::REAL),
        needs: Features::NONE,
        decides: Some(BITS.with(Features::FLOAT)),
        opened: false,
        plays: true,
        make: |_| Box::new(Blast::new()),
        together: None,
    },
    EngineRow {
        name: "ils-classic",
        about: "non-linear integers: local search with tabu lists as InSPeCT does it, several files together (sat or unknown)",
        takes: Features::INT.with(Features::NONLINEAR),
        needs: Features::NONLINEAR,
        decides: None,
        opened: false,
        plays: false,
        make: |seed| Box::new(Classic::new(seed)),
        together: Some(|setup, terms, queries, budget, partials| {
            Classic::new(setup.seed)
                .with_each_limit(setup.each)
                .solve_together(terms, queries, budget, partials)
        }),
    },
];

/// Bit-vectors with arrays and functions.
const BITS: Features = Features::BIT_VEC.with(Features::ARRAY).with(Features::FUNCTION).with(Features::SORT);

/// What congruence closure and lemmas over it are for.
pub(crate) const EQUALITY: Features =
    Features::ARRAY.with(Features::FUNCTION).with(Features::SORT).with(Features::DATATYPE);

/// Linear arithmetic.
const LINEAR: Features = Features::INT.with(Features::REAL).with(Features::MIXED);

/// The name of the portfolio.
pub const AUTO: &str = "auto";

/// The names that [`make`] knows.
pub fn names() -> Vec<&'static str> {
    std::iter::once(AUTO).chain(TABLE.iter().map(|row| row.name)).collect()
}

/// The row of an engine.
pub fn row(name: &str) -> Option<&'static EngineRow> {
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

    #[test]
    fn engines_take_what_they_decide() {
        for row in TABLE {
            assert!(row.takes.has(row.needs), "{}", row.name);
            assert!(row.decides.is_none_or(|decides| row.takes.has(decides)), "{}", row.name);
        }
    }
}
