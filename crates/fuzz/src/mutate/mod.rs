//! The strategy `mutate`: operators and terms of a seed replaced by others of the same sort, as opfuzz (Winterer, Zhang and Su
//! 2020, operators) and typefuzz (Park et al. 2021) do, with a better oracle where there is one. Their mutants have no known truth, and solvers are
//! compared. Here the seed's model, once the evaluator accepted it, is evaluated on the mutant, and what is false under it is
//! negated: the mutant is satisfiable, whatever a solver says. Mutants without such a witness are open: a model is judged by
//! evaluation, and `unsat` is contradicted by a referee's model that the evaluator accepts, never by a vote.
//!
//! One seed is one batch. `change` has the ways to change a term. Nothing here asks a solver.

mod change;

use crate::approx::Seed;
use crate::case::{Batch, Expectation, Origin, Rejected, Strategy, TestCase, Verdict};
use crate::context::Problem;
use crate::tuning::mutate::STEPS;
use random::Rng;
use smt::model::read_model;
use smt::print::{Style, script_to_string};
use smt::{Evaluator, Model, Op, Reader, Script, TermId, Terms};

/// The strategy that replaces operators, terms and literals of a seed.
#[derive(Clone, Debug)]
pub struct Mutate {
    seeds: Vec<Seed>,
    mutants: usize,
}

impl Mutate {
    /// So many mutants of each of these seeds, in this order.
    pub fn new(seeds: Vec<Seed>, mutants: usize) -> Mutate {
        Mutate { seeds, mutants }
    }

    /// A batch of one seed.
    pub(crate) fn of_seed<'a>(
        seed: &Seed,
        mutants: usize,
        rng: Rng,
    ) -> Result<Box<dyn Batch + 'a>, Rejected> {
        Ok(Box::new(Mutants::new(seed, mutants, rng)?))
    }
}

impl Strategy for Mutate {
    fn name(&self) -> &'static str {
        "mutate"
    }

    fn batches(&self) -> Option<u64> {
        Some(self.seeds.len() as u64)
    }

    fn batch(&self, number: u64, rng: Rng) -> Result<Box<dyn Batch + '_>, Rejected> {
        let seed = usize::try_from(number).ok().and_then(|n| self.seeds.get(n));
        let seed = seed.ok_or_else(|| Rejected(format!("there is no seed number {number}")))?;
        Mutate::of_seed(seed, self.mutants, rng)
    }
}

/// What comes next.
enum State {
    Seed,
    Waiting,
    Mutating(usize),
}

/// A seed and its mutants.
struct Mutants {
    terms: Terms,
    rng: Rng,
    name: String,
    script: Script,
    problem: Problem,
    /// A model of the seed that the evaluator accepts.
    witness: Option<Model>,
    state: State,
    mutants: usize,
}

impl Mutants {
    fn new(seed: &Seed, mutants: usize, rng: Rng) -> Result<Mutants, Rejected> {
        let mut terms = Terms::new();
        let script = seed.load(&mut terms)?.script;
        let name = seed.name();
        let case = TestCase { script, expected: vec![Expectation::Open], origin: Origin::Seed(name.clone()) };
        let problem = Problem::of(&terms, &case)
            .ok_or_else(|| Rejected(format!("{name}: mutate takes scripts with one query at the end")))?;
        let (witness, state) = (None, State::Seed);
        Ok(Mutants { terms, rng, name, script: case.script, problem, witness, state, mutants })
    }

    /// A mutant; `None` if nothing could be changed.
    fn mutant(&mut self) -> Option<TestCase> {
        let Mutants { terms, rng, problem, witness, .. } = self;
        let mut assertions = problem.assertions.clone();
        let mut names = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(assertions.len());
            if let Some((how, new)) = change::change(terms, &assertions, at, rng) {
                assertions[at] = new;
                names.push(how);
            }
        }
        if names.is_empty() {
            return None;
        }
        // A share stays as it is: what is unsatisfiable is never found by following a model.
        let follow = witness.as_ref().filter(|_| !rng.one_in(4));
        let known = follow.and_then(|model| follow_model(terms, model, &assertions));
        let (assertions, expected, certain) = match known {
            Some(satisfied) => (satisfied, Expectation::Sat, true),
            None => (assertions, Expectation::Open, false),
        };
        let (script, expected) = Problem { assertions, expected, ..problem.clone() }.plain();
        let name = format!("{}, {}", self.name, names.join(" "));
        Some(TestCase { script, expected, origin: Origin::Framed { name, certain } })
    }
}

/// The assertions, negated where they are false under the model; `None` if one has no value there.
fn follow_model(terms: &mut Terms, model: &Model, assertions: &[TermId]) -> Option<Vec<TermId>> {
    let truths: Vec<bool> = {
        let mut evaluator = Evaluator::new(terms, model).with_steps(STEPS);
        assertions.iter().map(|&a| evaluator.truth(a).ok()).collect::<Option<_>>()?
    };
    let pairs = assertions.iter().zip(truths);
    Some(pairs.map(|(&a, truth)| if truth { a } else { terms.mk(Op::Not, &[a]) }).collect())
}

/// A model's text as a model of a script in this arena.
pub(crate) fn witness_of(terms: &mut Terms, script: &Script, model: &str) -> Option<Model> {
    let text = script_to_string(terms, script, Style::default());
    let mut reader = Reader::new();
    // Functions are the same if their names and sorts are: reading the script again gives the scopes of its symbols.
    if !reader.read(terms, &text).errors.is_empty() {
        return None;
    }
    read_model(terms, &reader, model).ok()
}

impl Batch for Mutants {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn next(&mut self) -> Option<TestCase> {
        match self.state {
            State::Seed => {
                self.state = State::Waiting;
                let (script, expected) = (self.script.clone(), vec![Expectation::Open]);
                Some(TestCase { script, expected, origin: Origin::Seed(self.name.clone()) })
            }
            State::Waiting => None,
            State::Mutating(given) if given >= self.mutants => None,
            State::Mutating(given) => {
                self.state = State::Mutating(given + 1);
                (0..8).find_map(|_| self.mutant())
            }
        }
    }

    fn witness(&mut self, models: &[Option<String>]) {
        if let Some(Some(model)) = models.first() {
            self.witness = witness_of(&mut self.terms, &self.script, model).filter(|model| {
                let mut evaluator = Evaluator::new(&self.terms, model).with_steps(STEPS);
                self.problem.assertions.iter().all(|&a| evaluator.truth(a) == Ok(true))
            });
        }
    }

    fn settle(&mut self, _verdicts: &[Verdict]) {
        if matches!(self.state, State::Waiting) {
            self.state = State::Mutating(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &str = "(set-logic ALL)(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)\
        (assert (< (+ x (f y)) (* 2 y)))(assert (or (= x 3) (distinct (f x) y)))(check-sat)";

    fn cases(model: Option<&str>, count: usize) -> (Vec<TestCase>, Terms) {
        let seed = Seed::Text("seed".into(), SEED.into());
        let mut batch = Mutants::new(&seed, count, Rng::new(2)).expect("a seed");
        assert!(matches!(batch.next().expect("the seed").origin, Origin::Seed(_)));
        assert!(batch.next().is_none(), "nothing before the seed is settled");
        batch.witness(&[model.map(String::from)]);
        batch.settle(&[Verdict::Sat]);
        let cases: Vec<TestCase> = std::iter::from_fn(|| batch.next()).collect();
        (cases, batch.terms)
    }

    const MODEL: &str = "((define-fun x () Int 3) (define-fun y () Int 5) (define-fun f ((a Int)) Int 1))";

    #[test]
    fn mutants_with_a_witness_are_satisfiable() {
        let (cases, mut terms) = cases(Some(MODEL), 60);
        let known: Vec<&TestCase> = cases.iter().filter(|c| c.expected[0] == Expectation::Sat).collect();
        assert!(known.len() > 20 && known.len() < 60, "{} of {}", known.len(), cases.len());
        for case in known {
            let model = witness_of(&mut terms, &case.script, MODEL).expect("a model");
            let mut evaluator = Evaluator::new(&terms, &model);
            for assertion in case.script.assertions() {
                assert_eq!(evaluator.truth(assertion), Ok(true));
            }
        }
    }

    /// In a formula below one quantifier no term can stand elsewhere.
    #[test]
    fn a_formula_of_bound_variables_can_be_changed() {
        let text = "(assert (exists ((b Bool) (n Int)) (and b (< n 3))))(check-sat)";
        let seed = Seed::Text("seed".into(), text.into());
        for number in 0..40 {
            let mut batch = Mutants::new(&seed, 20, Rng::new(number)).expect("a seed");
            batch.next().expect("the seed");
            batch.settle(&[Verdict::Sat]);
            while let Some(case) = batch.next() {
                // Not every solver reads an exclusive or of one or of three.
                for term in smt::walk::reachable(&batch.terms, &case.script.terms()) {
                    let is_xor = batch.terms.op(term) == Op::Xor;
                    assert!(!is_xor || batch.terms.args(term).len() == 2);
                }
            }
        }
    }

    #[test]
    fn mutants_differ_and_a_wrong_witness_is_not_believed() {
        let wrong = MODEL.replace("Int 5", "Int 0");
        let (cases, terms) = cases(Some(&wrong), 40);
        assert!(cases.iter().all(|case| case.expected[0] == Expectation::Open));
        let texts: std::collections::BTreeSet<String> =
            cases.iter().map(|case| script_to_string(&terms, &case.script, Style::default())).collect();
        assert!(texts.len() > 25, "{}", texts.len());
    }
}
