//! The variants of Table I as a table: which objectives count, how crowding is measured, how parents and survivors are
//! chosen. Beside each row the figures that the paper prints for it.

use serde::Serialize;

/// An objective; all are maximised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// Eq. 1: the target's time and what it needs beyond the reference.
    TimeDifference,
    /// The target's time alone.
    Time,
    /// Algorithm 2.
    Coverage,
    /// Eq. 2.
    Complexity,
}

/// How alike individuals of one front are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crowding {
    /// Eq. 3 and 4: by the similarity of traces.
    Trace,
    /// NSGA-II's own: by the distance in objective space.
    Classic,
}

/// How parents and survivors are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Algorithm 1: fronts, tournaments, crowding.
    Pareto,
    /// StringFuzz: individuals are ordered by their one objective, the best stay, parents are drawn from them at random.
    Culling,
}

/// A row of Table I as printed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Printed {
    /// Lines covered by all test cases of a run.
    pub total_lines: f64,
    /// Mean lines covered by a test case of the result set.
    pub mean_lines: f64,
    /// Mean time score of the result set.
    pub mean_score: f64,
    /// Test cases of the result set that the target does not solve in 2,400 s.
    pub timeouts: u32,
    /// Mean complexity of the result set.
    pub mean_complexity: f64,
}

/// A row of the paper's Table I: what the search looks at.
#[derive(Debug)]
pub struct Variant {
    /// Its name on the command line.
    pub name: &'static str,
    /// What the paper calls it: method and variant.
    pub title: &'static str,
    /// What is maximised.
    pub objectives: &'static [Objective],
    /// How alike individuals are kept apart.
    pub crowding: Crowding,
    /// How parents and survivors are chosen.
    pub selection: Selection,
    /// What the paper measured with Z3str3 4.8.10, 24 hours.
    pub printed: Printed,
}

use Objective::{Complexity, Coverage, Time, TimeDifference};

const fn printed(
    total_lines: f64,
    mean_lines: f64,
    mean_score: f64,
    timeouts: u32,
    mean_complexity: f64,
) -> Printed {
    Printed { total_lines, mean_lines, mean_score, timeouts, mean_complexity }
}

/// All variants in the order of Table I.
///
/// `only-time` keeps the other two objectives: the paper says that it differs from the default in the time objective only,
/// and its complexity in Table I is as low as the default's.
pub static VARIANTS: &[Variant] = &[
    Variant {
        name: "stringfuzz",
        title: "StringFuzz, Default",
        objectives: &[Time],
        crowding: Crowding::Classic,
        selection: Selection::Culling,
        printed: printed(15_332.1, 13_011.8, 4.33, 4, 44.07),
    },
    Variant {
        name: "stringfuzz-difference",
        title: "StringFuzz, Runtime-difference",
        objectives: &[TimeDifference],
        crowding: Crowding::Classic,
        selection: Selection::Culling,
        printed: printed(18_268.5, 13_048.7, 4.78, 5, 48.87),
    },
    Variant {
        name: "default",
        title: "MulStringFuzz, Default",
        objectives: &[TimeDifference, Coverage, Complexity],
        crowding: Crowding::Trace,
        selection: Selection::Pareto,
        printed: printed(21_188.5, 13_593.5, 7.85, 13, 22.88),
    },
    Variant {
        name: "only-time",
        title: "MulStringFuzz, Only-Time",
        objectives: &[Time, Coverage, Complexity],
        crowding: Crowding::Trace,
        selection: Selection::Pareto,
        printed: printed(20_093.2, 13_496.6, 4.25, 6, 21.26),
    },
    Variant {
        name: "no-coverage",
        title: "MulStringFuzz, No-Coverage",
        objectives: &[TimeDifference, Complexity],
        crowding: Crowding::Trace,
        selection: Selection::Pareto,
        printed: printed(18_326.2, 13_127.5, 5.93, 5, 20.5),
    },
    Variant {
        name: "no-complexity",
        title: "MulStringFuzz, No-Complexity",
        objectives: &[TimeDifference, Coverage],
        crowding: Crowding::Trace,
        selection: Selection::Pareto,
        printed: printed(22_161.1, 16_434.2, 8.98, 12, 95.5),
    },
    Variant {
        name: "default-crowding",
        title: "MulStringFuzz, Default-Crowding",
        objectives: &[TimeDifference, Coverage, Complexity],
        crowding: Crowding::Classic,
        selection: Selection::Pareto,
        printed: printed(21_570.6, 13_246.0, 7.56, 10, 26.03),
    },
];

impl Variant {
    /// The variant of this name.
    pub fn by_name(name: &str) -> Option<&'static Variant> {
        VARIANTS.iter().find(|variant| variant.name == name)
    }

    /// The paper's own method.
    pub(crate) fn default_variant() -> &'static Variant {
        &VARIANTS[2]
    }

    /// Whether the reference's time matters.
    pub fn needs_reference(&self) -> bool {
        self.objectives.contains(&TimeDifference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_default_is_the_default() {
        for (i, variant) in VARIANTS.iter().enumerate() {
            let found = VARIANTS.iter().position(|v| v.name == variant.name);
            assert_eq!(found, Some(i));
            assert!(
                variant.selection == Selection::Pareto || variant.objectives.len() == 1,
                "culling orders by one objective"
            );
        }
        assert_eq!(Variant::default_variant().name, "default");
        assert!(Variant::by_name("fastest").is_none());
        assert_eq!(VARIANTS.iter().filter(|v| !v.needs_reference()).count(), 2);
    }
}
