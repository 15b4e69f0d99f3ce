//! Two toy theories against brute force: difference constraints with lazy explanations and conflicts, and
//! at-most-k by lemmas with fresh variables at the final check.

use random::Rng;
use solve::sat::dimacs::Cnf;
use solve::sat::{Assignment, Feedback, Hooks, Lit, SatAnswer, Solver, Theory, Var};

use crate::formulas::{self, lit};
use crate::oracle::toggled;

/// An atom `x - y <= bound`, whose negation is `y - x <= -bound - 1`.
#[derive(Clone, Copy)]
struct Atom {
    var: Var,
    x: usize,
    y: usize,
    bound: i64,
}

/// Integer difference constraints by Bellman-Ford on what is told.
struct Differences {
    atoms: Vec<Atom>,
    points: usize,
    told: Vec<Lit>,
    /// Propagated literals with the literals that explain them.
    reasons: Vec<(Lit, Vec<Lit>)>,
    propagate: bool,
}

impl Differences {
    /// The constraint of a literal as an edge `(x, y, bound)` for `x - y <= bound`.
    fn edge(&self, lit: Lit) -> Option<(usize, usize, i64)> {
        let atom = self.atoms.iter().find(|atom| atom.var == lit.var())?;
        Some(if lit.is_pos() { (atom.x, atom.y, atom.bound) } else { (atom.y, atom.x, -atom.bound - 1) })
    }

    /// Literals of a negative cycle.
    fn negative_cycle(&self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let edges: Vec<(Lit, (usize, usize, i64))> =
            lits.iter().filter_map(|&lit| Some((lit, self.edge(lit)?))).collect();
        let mut distance = vec![0i64; self.points];
        let mut by: Vec<Option<usize>> = vec![None; self.points];
        let mut last = None;
        for _ in 0..=self.points {
            last = None;
            for (at, &(_, (x, y, bound))) in edges.iter().enumerate() {
                if distance[y] + bound < distance[x] {
                    distance[x] = distance[y] + bound;
                    by[x] = Some(at);
                    last = Some(x);
                }
            }
        }
        let mut point = last?;
        for _ in 0..self.points {
            point = edges[by[point].expect("on a cycle")].1.1;
        }
        let start = point;
        let mut cycle = Vec::new();
        loop {
            let at = by[point].expect("on a cycle");
            cycle.push(edges[at].0);
            point = edges[at].1.1;
            if point == start {
                return Some(cycle);
            }
        }
    }
}

impl Theory for Differences {
    fn assert(&mut self, lits: &[Lit], out: &mut Feedback) {
        self.told.extend_from_slice(lits);
        if let Some(cycle) = self.negative_cycle(&self.told) {
            out.conflict(&cycle.iter().map(|&lit| !lit).collect::<Vec<_>>());
            return;
        }
        if !self.propagate {
            return;
        }
        for atom in &self.atoms {
            for lit in [atom.var.positive(), atom.var.negative()] {
                if self.told.contains(&lit) || self.told.contains(&!lit) {
                    continue;
                }
                let with = [self.told.as_slice(), &[!lit]].concat();
                if let Some(mut cycle) = self.negative_cycle(&with) {
                    cycle.retain(|&other| other != !lit);
                    self.reasons.push((lit, cycle));
                    out.propagate(lit);
                }
            }
        }
    }

    fn final_check(&mut self, view: &Assignment<'_>, _: &mut Feedback) {
        assert!(self.atoms.iter().all(|atom| view.value(atom.var.positive()).is_some()));
        assert_eq!(self.told.len(), self.atoms.len(), "everything was told once");
        assert!(self.told.iter().all(|&lit| view.value(lit) == Some(true)));
    }

    fn backtrack(&mut self, kept: usize) {
        assert!(kept < self.told.len());
        self.told.truncate(kept);
    }

    fn explain(&mut self, lit: Lit, out: &mut Vec<Lit>) {
        let (_, reason) = self.reasons.iter().rev().find(|(of, _)| *of == lit).expect("propagated before");
        out.extend(reason.iter().map(|&other| !other));
    }
}

/// Brute force over the values of the atoms: is there an assignment of clauses and consistent differences?
fn differences_by_brute_force(cnf: &Cnf, theory: &Differences, assumptions: &[Lit]) -> bool {
    (0u32..1 << cnf.vars).any(|model| {
        let holds = |lit: &Lit| (model >> lit.var().index() & 1 == 1) == lit.is_pos();
        cnf.clauses.iter().all(|clause| clause.iter().any(holds)) && assumptions.iter().all(holds) && {
            let lits: Vec<Lit> =
                theory.atoms.iter().map(|atom| atom.var.lit(holds(&atom.var.positive()))).collect();
            theory.negative_cycle(&lits).is_none()
        }
    })
}

#[test]
fn difference_constraints_agree_with_brute_force() {
    let (mut propagations, mut explanations, mut answers) = (0, 0, [0, 0]);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let vars = 7 + rng.below(5);
        let atoms = vars - rng.below(4);
        let points = 3 + rng.below(3);
        let mut cnf = formulas::random(vars, vars * (12 + rng.below(12)) / 10, 2 + rng.below(2), seed);
        let mut solver = cnf.load(toggled(rng.bits() % 0x300));
        let mut theory = Differences {
            atoms: Vec::new(),
            points,
            told: Vec::new(),
            reasons: Vec::new(),
            propagate: seed % 4 > 0,
        };
        for index in 0..atoms {
            let x = rng.below(points);
            let y = (x + 1 + rng.below(points - 1)) % points;
            let bound = rng.below(5) as i64 - 2;
            theory.atoms.push(Atom { var: Var::new(index), x, y, bound });
            solver.observe(Var::new(index));
        }
        for _ in 0..4 {
            let assumptions: Vec<Lit> = (0..rng.below(3)).map(|_| lit(&mut rng, vars)).collect();
            let outcome =
                solver.solve_with(&assumptions, Hooks { theory: Some(&mut theory), ..Hooks::default() });
            assert!(theory.told.is_empty(), "the theory is released");
            let expected = differences_by_brute_force(&cnf, &theory, &assumptions);
            assert_eq!(outcome == SatAnswer::Sat, expected, "seed {seed}");
            answers[usize::from(expected)] += 1;
            if expected {
                let lits: Vec<Lit> = theory
                    .atoms
                    .iter()
                    .map(|atom| atom.var.lit(solver.value(atom.var.positive()) == Some(true)))
                    .collect();
                assert!(theory.negative_cycle(&lits).is_none());
                crate::oracle::check_model(&solver, &cnf, &assumptions);
            } else {
                let core = solver.failed_assumptions();
                assert!(core.iter().all(|lit| assumptions.contains(lit)));
                assert!(!differences_by_brute_force(&cnf, &theory, core));
            }
            let clause: Vec<Lit> = (0..3).map(|_| lit(&mut rng, vars)).collect();
            solver.add_clause(&clause);
            cnf.clauses.push(clause);
        }
        propagations += solver.counters().theory_propagations;
        explanations += solver.counters().theory_explanations;
    }
    assert!(propagations > 100 && explanations > 50, "{propagations} {explanations}");
    assert!(answers.iter().all(|&count| count > 100), "{answers:?}");
}

/// At most `limit` of the first `count` variables are true, through lemmas at the final check only. Each violation
/// adds one clause over fresh variables: `f or not a`, `f or not b`, ..., `not f or ...` in a random style.
struct AtMost {
    count: usize,
    limit: usize,
    rng: Rng,
    told: Vec<Lit>,
    eager: bool,
}

impl AtMost {
    fn lemmas(&mut self, chosen: &[Lit], out: &mut Feedback) {
        // The chosen literals, one more than allowed, are not all true. The lemma is cut in two by a new variable.
        let middle = 1 + self.rng.below(chosen.len());
        let fresh = out.new_var();
        if self.rng.below(2) == 0 {
            out.observe(fresh);
        }
        let negated: Vec<Lit> = chosen.iter().map(|&lit| !lit).collect();
        out.lemma(&[&negated[..middle], &[fresh.positive()]].concat());
        out.lemma(&[&negated[middle..], &[fresh.negative()]].concat());
        if self.rng.below(4) == 0 {
            out.lemma(&negated);
        }
        if self.rng.below(4) == 0 {
            out.conflict(&negated);
        }
    }
}

impl Theory for AtMost {
    fn assert(&mut self, lits: &[Lit], out: &mut Feedback) {
        self.told.extend_from_slice(lits);
        let count = self.count;
        let is_true = |lit: &&Lit| lit.is_pos() && lit.var().index() < count;
        let chosen: Vec<Lit> = self.told.iter().filter(is_true).take(self.limit + 1).copied().collect();
        if self.eager && chosen.len() > self.limit {
            self.lemmas(&chosen, out);
        }
    }

    fn final_check(&mut self, view: &Assignment<'_>, out: &mut Feedback) {
        let all = (0..self.count).map(|index| Var::new(index).positive());
        let chosen: Vec<Lit> =
            all.filter(|&lit| view.value(lit) == Some(true)).take(self.limit + 1).collect();
        if chosen.len() > self.limit {
            self.lemmas(&chosen, out);
        }
    }

    fn backtrack(&mut self, kept: usize) {
        self.told.truncate(kept);
    }

    fn explain(&mut self, lit: Lit, _: &mut Vec<Lit>) {
        unreachable!("{lit:?} was not propagated by this theory")
    }

    fn decide(&mut self, view: &Assignment<'_>) -> Option<Lit> {
        let var = Var::new(self.rng.below(self.count));
        (view.value(var.positive()).is_none() && self.rng.below(3) == 0).then(|| var.positive())
    }
}

#[test]
fn lemmas_with_fresh_variables_agree_with_brute_force() {
    let mut answers = [0, 0];
    let mut lemmas = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let vars = 8 + rng.below(5);
        let cnf = formulas::random(vars, vars * (15 + rng.below(15)) / 10, 3, seed);
        let mut solver: Solver = cnf.load(toggled(rng.bits() % 0x300));
        let count = 4 + rng.below(vars - 3);
        let limit = rng.below(count);
        for index in 0..count {
            // Those left out may be eliminated and come back with a lemma.
            if rng.below(3) > 0 {
                solver.observe(Var::new(index));
            } else if rng.below(2) == 0 {
                solver.freeze(Var::new(index));
            }
        }
        let mut theory = AtMost { count, limit, rng: Rng::new(seed), told: Vec::new(), eager: seed % 2 == 0 };
        for _ in 0..3 {
            let assumptions: Vec<Lit> = (0..rng.below(3)).map(|_| lit(&mut rng, vars)).collect();
            for index in 0..count {
                solver.freeze(Var::new(index));
            }
            let outcome =
                solver.solve_with(&assumptions, Hooks { theory: Some(&mut theory), ..Hooks::default() });
            for index in 0..count {
                solver.melt(Var::new(index));
            }
            let expected = (0u32..1 << vars).any(|model| {
                let holds = |lit: &Lit| (model >> lit.var().index() & 1 == 1) == lit.is_pos();
                (model & ((1 << count) - 1)).count_ones() as usize <= limit
                    && cnf.clauses.iter().all(|clause| clause.iter().any(holds))
                    && assumptions.iter().all(holds)
            });
            assert_eq!(outcome == SatAnswer::Sat, expected, "seed {seed}");
            answers[usize::from(expected)] += 1;
            if expected {
                crate::oracle::check_model(&solver, &cnf, &assumptions);
                let chosen = (0..count)
                    .filter(|&index| solver.value(Var::new(index).positive()) == Some(true))
                    .count();
                assert!(chosen <= limit);
            }
        }
        lemmas += solver.counters().lemmas;
    }
    assert!(answers.iter().all(|&count| count > 100), "{answers:?}");
    assert!(lemmas > 500);
}
