//! Members of the population: an individual, what was measured of it, what that is worth.

use crate::case::Rejected;
use crate::evolve::evaluate::Measurement;
use crate::evolve::individual::Individual;
use crate::evolve::objective;
use crate::evolve::variant::Objective;
use smt::Terms;

/// A formula to begin with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstFormula {
    /// Where it comes from.
    pub name: String,
    /// The SMT-LIB text.
    pub text: String,
}

/// A member of the population.
#[derive(Clone, Debug)]
pub struct Member {
    /// The formula as terms.
    pub individual: Individual,
    /// Its text in the target's dialect.
    pub text: String,
    /// What was measured.
    pub measurement: Measurement,
    /// The sum in Eq. 2.
    pub complexity: u64,
    /// Algorithm 2 in this generation.
    pub coverage_score: u64,
    /// What the variant maximises, in its order.
    pub objectives: Vec<f64>,
    /// The crowding distance in its front.
    pub distance: f64,
}

impl Member {
    /// A member that has not been scored yet.
    pub fn new(terms: &Terms, individual: Individual, text: String, measurement: Measurement) -> Member {
        let complexity = objective::complexity(terms, individual.assertions());
        Member {
            individual,
            text,
            measurement,
            complexity,
            coverage_score: 0,
            objectives: Vec::new(),
            distance: 0.0,
        }
    }

    /// Eq. 1; the target's time where no reference was run.
    pub(crate) fn t_score(&self) -> f64 {
        let target = self.measurement.target.seconds;
        self.measurement.reference.as_ref().map_or(target, |r| objective::t_score(target, r.seconds))
    }

    /// The point in objective space. What a solver does not take is worse than everything else in every objective.
    pub(crate) fn score(&self, objectives: &[Objective]) -> Vec<f64> {
        let valid = self.measurement.is_valid();
        let one = |objective: &Objective| match objective {
            _ if !valid => f64::NEG_INFINITY,
            Objective::TimeDifference => self.t_score(),
            Objective::Time => self.measurement.target.seconds,
            Objective::Coverage => self.coverage_score as f64,
            Objective::Complexity => objective::com_score(self.complexity),
        };
        objectives.iter().map(one).collect()
    }
}

/// The individual that a text is.
pub(super) fn read(terms: &mut Terms, text: &str) -> Result<Individual, Rejected> {
    let reading = smt::read_script(terms, text);
    if let Some(error) = reading.errors.first() {
        return Err(Rejected(error.to_string()));
    }
    Individual::from_script(terms, &reading.script)
}
