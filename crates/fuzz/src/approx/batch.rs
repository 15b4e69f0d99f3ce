//! A batch: one seed, its skeletons, and its mutants (Yao et al. 2021, Algorithm 2 without the solver).

use super::apply::{apply, replace};
use super::build::Build;
use super::direction::Direction;
use super::fragment::Fragment;
use super::live::{Declarations, Live};
use super::seed::Seed;
use super::skeleton::{Occurrence, Skeleton};
use super::text::Printed;
use super::{ApproxSettings, Rules, Skeletons, cnf, inject, rules};
use crate::case::{Batch, Expectation, Mutation, Origin, Rejected, TestCase, Verdict};
use crate::tuning::approx_batch::TRIES;
use random::Rng;
use smt::print::{Style, script_to_string};
use smt::{Command, Op, Script, TermId, Terms};
use std::collections::HashMap;
use std::sync::Arc;

/// What the next case is.
enum State {
    /// The seed itself, whose verdict everything else follows from.
    Seed,
    /// Nothing before the verdicts are known.
    Waiting,
    /// The other skeleton of the seed, unchanged, and then mutants: so many were given.
    Mutating(usize),
    /// Nothing more.
    Done,
}

pub(super) struct SeedBatch {
    terms: Terms,
    rng: Rng,
    name: String,
    options: ApproxSettings,
    fragment: Fragment,
    expected: Vec<Expectation>,
    /// The seed in the skeletons that are mutated.
    bases: Vec<Base>,
    state: State,
}

/// The seed in one skeleton.
struct Base {
    script: Arc<Script>,
    declarations: Declarations,
    /// The literals that may be mutated, once the verdicts are known.
    skeleton: Skeleton,
    /// Which way each command's formula may be approximated.
    directions: Vec<Option<Direction>>,
    live: HashMap<usize, Live>,
    printed: Option<Printed>,
}

impl SeedBatch {
    pub(super) fn new(seed: &Seed, options: ApproxSettings, rng: Rng) -> Result<SeedBatch, Rejected> {
        let mut terms = Terms::new();
        let prepared = seed.load(&mut terms)?;
        let fragment = Fragment::of(&terms, &prepared.script);
        let mut scripts = Vec::new();
        if options.skeletons != Skeletons::Polarity {
            scripts.push(cnf::clausify(&mut terms, &prepared.script));
        }
        if options.skeletons != Skeletons::Cnf {
            scripts.insert(0, prepared.script);
        }
        let expectation = |status: &Option<Verdict>| match status.filter(|_| options.trust_status) {
            Some(Verdict::Sat) => Expectation::Sat,
            Some(Verdict::Unsat) => Expectation::Unsat { core: None },
            Some(Verdict::Unknown) | None => Expectation::Open,
        };
        Ok(SeedBatch {
            terms,
            rng,
            name: seed.name(),
            options,
            fragment,
            expected: prepared.status.iter().map(expectation).collect(),
            bases: scripts.into_iter().map(Base::new).collect(),
            state: State::Seed,
        })
    }

    /// The verdicts are known: finds the literals that may be mutated.
    fn begin(&mut self) {
        let verdicts: Vec<Verdict> = self.expected.iter().filter_map(Expectation::verdict).collect();
        if verdicts.len() < self.expected.len() {
            self.state = State::Waiting;
            return;
        }
        for base in &mut self.bases {
            base.find_literals(&self.terms, &verdicts);
        }
        self.state = State::Mutating(0);
    }

    fn case(&self, base: usize) -> TestCase {
        TestCase {
            script: (*self.bases[base].script).clone(),
            expected: self.expected.clone(),
            origin: Origin::Seed(self.name.clone()),
        }
    }

    /// A mutant of a base; `None` if nothing could be mutated.
    fn mutant(&mut self, base: usize) -> Option<TestCase> {
        let Self { terms, rng, options, fragment, bases, .. } = self;
        let base = &mut bases[base];
        let mut script = (*base.script).clone();
        let mut mutations: Vec<Mutation> = Vec::new();
        let mut grown = Skeleton::default();
        for round in 0..options.rounds.max(1) {
            if round > 0 {
                grown = changed_literals(terms, &script, &mutations);
            }
            let skeleton = if round == 0 { &base.skeleton } else { &grown };
            for site in choose(rng, skeleton, options.literals) {
                let command = site.command as usize;
                let Some(direction) = base.directions[command] else { continue };
                let seed_formula = match base.script.commands[command] {
                    Command::Assert(formula) => formula,
                    _ => continue,
                };
                let live = base
                    .live
                    .entry(command)
                    .or_insert_with(|| base.declarations.live_at(terms, command, seed_formula));
                let bound = skeleton.bound_around(terms, site);
                let around;
                let live = if bound.is_empty() {
                    &*live
                } else {
                    let mut with_bound = Live::with_bound(terms, &bound);
                    with_bound.extend(live);
                    around = with_bound;
                    &around
                };
                let mut build = Build { terms, rng, fragment: *fragment, live };
                let Some((rule, after)) =
                    mutate(&mut build, site.literal, direction.at(site.positive), options.rules)
                else {
                    continue;
                };
                let path = skeleton.path(site);
                let Command::Assert(formula) = &mut script.commands[command] else { continue };
                if let Some(new) = replace(terms, *formula, &path, site.literal, after) {
                    *formula = new;
                    mutations.push(Mutation { rule, command, path, before: site.literal, after });
                }
            }
        }
        if mutations.is_empty() {
            return None;
        }
        let origin = Origin::Mutant { name: self.name.clone(), seed: base.script.clone(), mutations };
        Some(TestCase { script, expected: self.expected.clone(), origin })
    }
}

impl Base {
    fn new(script: Script) -> Base {
        Base {
            declarations: Declarations::of(&script),
            skeleton: Skeleton::default(),
            directions: vec![None; script.commands.len()],
            script: Arc::new(script),
            live: HashMap::new(),
            printed: None,
        }
    }

    fn find_literals(&mut self, terms: &Terms, verdicts: &[Verdict]) {
        self.directions = directions(&self.script, verdicts);
        for (at, command) in self.script.commands.iter().enumerate() {
            if let (Command::Assert(formula), Some(_)) = (command, self.directions[at]) {
                self.skeleton.add(terms, at, *formula);
            }
        }
    }
}

/// Which way each assertion may be approximated: over if all queries that see it are satisfiable, under if all are
/// unsatisfiable. One that none or both kinds see stays as it is.
fn directions(script: &Script, verdicts: &[Verdict]) -> Vec<Option<Direction>> {
    #[derive(Clone, Copy, Default)]
    struct Seen {
        sat: bool,
        unsat: bool,
    }
    let mut directions = vec![None; script.commands.len()];
    // What the queries above each assertion of the stack are; handed down when the assertion goes.
    let mut stack: Vec<(usize, Seen)> = Vec::new();
    let mut marks: Vec<usize> = Vec::new();
    let mut settle = |stack: &mut Vec<(usize, Seen)>, keep: usize| {
        while stack.len() > keep
            && let Some((command, seen)) = stack.pop()
        {
            directions[command] = match (seen.sat, seen.unsat) {
                (true, false) => Some(Direction::Over),
                (false, true) => Some(Direction::Under),
                _ => None,
            };
            if let Some((_, below)) = stack.last_mut() {
                below.sat |= seen.sat;
                below.unsat |= seen.unsat;
            }
        }
    };
    let mut verdicts = verdicts.iter();
    for (at, command) in script.commands.iter().enumerate() {
        match command {
            Command::Assert(_) => stack.push((at, Seen::default())),
            Command::Push(n) => marks.extend(std::iter::repeat_n(stack.len(), *n as usize)),
            Command::Pop(n) => {
                for _ in 0..*n {
                    settle(&mut stack, marks.pop().unwrap_or(0));
                }
            }
            Command::ResetAssertions => {
                marks.clear();
                settle(&mut stack, 0);
            }
            command if command.is_query() => {
                let verdict = verdicts.next();
                if let Some((_, seen)) = stack.last_mut() {
                    seen.sat |= verdict != Some(&Verdict::Unsat);
                    seen.unsat |= verdict != Some(&Verdict::Sat);
                }
            }
            _ => {}
        }
    }
    settle(&mut stack, 0);
    directions
}

/// The literals of the commands that were mutated.
fn changed_literals(terms: &Terms, script: &Script, mutations: &[Mutation]) -> Skeleton {
    let mut skeleton = Skeleton::default();
    for command in changed_commands(mutations) {
        if let Command::Assert(formula) = script.commands[command] {
            skeleton.add(terms, command, formula);
        }
    }
    skeleton
}

fn changed_commands(mutations: &[Mutation]) -> Vec<usize> {
    let mut commands: Vec<usize> = mutations.iter().map(|m| m.command).collect();
    commands.sort_unstable();
    commands.dedup();
    commands
}

/// Some of a skeleton's literals, each once: one to `most`, rarely Boolean symbols where there are others.
fn choose(rng: &mut Rng, skeleton: &Skeleton, most: usize) -> Vec<Occurrence> {
    if skeleton.is_empty() {
        return Vec::new();
    }
    let wanted = 1 + rng.below(most.clamp(1, skeleton.len()));
    let mut numbers: Vec<usize> = Vec::with_capacity(wanted);
    for _ in 0..TRIES * wanted {
        let theory = !skeleton.literals.is_empty() && !rng.one_in(8);
        let number = rng.below(if theory { skeleton.literals.len() } else { skeleton.len() });
        if numbers.len() < wanted && !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers.into_iter().map(|n| skeleton.site(n)).collect()
}

/// Approximates a literal by one of the two strategies (Section 4.2), or by the other where the first has nothing to say.
fn mutate(
    b: &mut Build<'_>,
    literal: TermId,
    direction: Direction,
    rules: Rules,
) -> Option<(&'static str, TermId)> {
    if rules == Rules::Pst {
        return transform(b, literal, direction);
    }
    if rules == Rules::Both
        && b.rng.one_in(2)
        && let Some(found) = transform(b, literal, direction)
    {
        return Some(found);
    }
    if let Some(snippet) = inject::snippet(b) {
        return Some(match direction {
            Direction::Over => ("inject-or", b.or(literal, snippet)),
            Direction::Under => ("inject-and", b.and(literal, snippet)),
        });
    }
    if rules == Rules::Lpi { None } else { transform(b, literal, direction) }
}

/// A rule on an atom; on a negated one either on the equivalent atom, or the negation of the opposite approximation.
fn transform(b: &mut Build<'_>, literal: TermId, direction: Direction) -> Option<(&'static str, TermId)> {
    if b.terms.op(literal) != Op::Not {
        return rules::transform(b, literal, direction);
    }
    let atom = b.terms.args(literal)[0];
    if b.rng.one_in(2)
        && let Some(equivalent) = rules::complement(b, atom)
        && let Some(found) = rules::transform(b, equivalent, direction)
    {
        return Some(found);
    }
    let (rule, after) = rules::transform(b, atom, direction.flip())?;
    Some((rule, b.not(after)))
}

impl Batch for SeedBatch {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn next(&mut self) -> Option<TestCase> {
        match self.state {
            State::Seed => {
                self.begin();
                Some(self.case(0))
            }
            State::Waiting | State::Done => None,
            State::Mutating(given) => {
                self.state = State::Mutating(given + 1);
                let bases = self.bases.len();
                if given + 1 < bases {
                    return Some(self.case(given + 1));
                }
                let given = given + 1 - bases;
                if given >= self.options.mutants {
                    self.state = State::Done;
                    return None;
                }
                let mutant = self.mutant(given % bases).or_else(|| self.mutant((given + 1) % bases));
                if mutant.is_none() {
                    self.state = State::Done;
                }
                mutant
            }
        }
    }

    fn settle(&mut self, verdicts: &[Verdict]) {
        if !matches!(self.state, State::Waiting) {
            return;
        }
        if verdicts.len() != self.expected.len() || verdicts.contains(&Verdict::Unknown) {
            self.state = State::Done;
            return;
        }
        for (expected, verdict) in self.expected.iter_mut().zip(verdicts) {
            if *expected == Expectation::Open {
                *expected = match verdict {
                    Verdict::Unsat => Expectation::Unsat { core: None },
                    _ => Expectation::Sat,
                };
            }
        }
        self.begin();
    }

    fn rebuild(&mut self, case: &TestCase, mutations: &[Mutation]) -> Option<Script> {
        let Origin::Mutant { seed, .. } = &case.origin else { return None };
        Some(apply(&mut self.terms, seed, mutations))
    }

    fn write(&mut self, case: &TestCase, style: Style, out: &mut String) {
        let Self { terms, bases, .. } = self;
        if let Origin::Mutant { seed, mutations, .. } = &case.origin
            && let Some(base) = bases.iter_mut().find(|base| Arc::ptr_eq(&base.script, seed))
            && case.script.commands.len() == seed.commands.len()
        {
            if base.printed.as_ref().is_none_or(|printed| !printed.is_in(style)) {
                base.printed = Some(Printed::new(terms, seed, style));
            }
            if let Some(printed) = &mut base.printed {
                return printed.write(terms, &case.script, &changed_commands(mutations), out);
            }
        }
        out.push_str(&script_to_string(terms, &case.script, style));
    }
}
