//! Who is measured next: the first population, and the offspring of each later one. Owns the promise that no formula is
//! made twice in a run.

use super::member::read;
use super::{Evolution, Formula};
use crate::evolve::crossover::crossover;
use crate::evolve::generate::generate;
use crate::evolve::individual::{Individual, MAX_NODES};
use crate::evolve::mutate::Mutator;
use crate::evolve::nsga;
use crate::evolve::variant::Selection;
use crate::tuning::evolve_search_breed::ATTEMPTS;
use random::Rng;

impl Evolution<'_> {
    /// The individual as both solvers get it.
    pub(super) fn subject(&mut self, individual: &Individual) -> Formula {
        let (target, reference) = self.evaluate.dialects();
        let logic = self.settings.logic.name;
        Formula {
            target: individual.text(&mut self.terms, logic, target),
            reference: individual.text(&mut self.terms, logic, reference),
        }
    }

    /// Line 1: the seeds that can evolve, in random order, and as many new individuals as are still missing.
    pub(super) fn first(&mut self) -> Vec<Individual> {
        let mut rng = Rng::numbered(self.settings.seed, 0);
        let mut seeds = self.settings.seeds.clone();
        rng.shuffle(&mut seeds);
        let mut fresh = Vec::new();
        for seed in &seeds {
            if fresh.len() == self.settings.population {
                break;
            }
            // A seed that cannot evolve was named when the seeds were read.
            if let Ok(individual) = read(&mut self.terms, &seed.text) {
                fresh.extend(self.new_only(individual));
            }
        }
        while fresh.len() < self.settings.population {
            match self.grown(&mut rng) {
                Some(individual) => fresh.push(individual),
                None => break,
            }
        }
        fresh
    }

    /// Line 6 and 7, 17 and 18: parents by tournament, children by crossover and mutation.
    pub(super) fn offspring(&mut self) -> Vec<Individual> {
        let mut rng = Rng::numbered(self.settings.seed, self.next);
        let parents = self.parents(&mut rng);
        let mut fresh = Vec::new();
        for pair in parents.chunks(2) {
            let one = self.members[pair[0]].individual.clone();
            let other = self.members[*pair.last().unwrap_or(&pair[0])].individual.clone();
            let children = if pair.len() == 2 && rng.unit() < self.settings.crossover {
                let (a, b) = crossover(&mut self.terms, &mut rng, &one, &other);
                let small = |i: &Individual| i.nodes(&self.terms) <= MAX_NODES;
                if small(&a) && small(&b) { [a, b] } else { [one, other] }
            } else {
                [one, other]
            };
            for child in children.into_iter().take(pair.len()) {
                fresh.extend(self.child(&mut rng, child));
            }
        }
        fresh
    }

    fn parents(&self, rng: &mut Rng) -> Vec<usize> {
        let size = self.settings.population;
        if self.members.is_empty() {
            return Vec::new();
        }
        let points = self.points();
        match self.settings.variant.selection {
            Selection::Culling => (0..size).map(|_| rng.below(self.members.len())).collect(),
            Selection::Pareto if self.next == 1 => {
                nsga::tournament_by_front(rng, &nsga::ranks(&nsga::fronts(&points)), size)
            }
            Selection::Pareto => {
                let distances: Vec<f64> = self.members.iter().map(|member| member.distance).collect();
                nsga::tournament_by_crowding(rng, &points, &distances, size)
            }
        }
    }

    /// A child that mutates by chance, and for certain as long as its text was seen before. If that leads nowhere, a
    /// new random formula.
    fn child(&mut self, rng: &mut Rng, mut child: Individual) -> Option<Individual> {
        if rng.unit() < self.settings.mutation {
            child = self.mutated(rng, &child);
        }
        for _ in 0..ATTEMPTS {
            if let Some(new) = self.new_only(child.clone()) {
                return Some(new);
            }
            child = self.mutated(rng, &child);
        }
        self.grown(rng)
    }

    fn mutated(&mut self, rng: &mut Rng, parent: &Individual) -> Individual {
        let (terms, grammar, size) = (&mut self.terms, &self.grammar, self.settings.size);
        Mutator { terms, rng, grammar, size }.mutate(parent)
    }

    fn grown(&mut self, rng: &mut Rng) -> Option<Individual> {
        (0..ATTEMPTS).find_map(|_| {
            let individual = generate(&mut self.terms, rng, &self.grammar, self.settings.size);
            self.new_only(individual)
        })
    }

    fn new_only(&mut self, individual: Individual) -> Option<Individual> {
        let text = self.subject(&individual).target;
        self.is_new(&text).then_some(individual)
    }
}
