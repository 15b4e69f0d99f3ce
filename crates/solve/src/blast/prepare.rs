//! From assertions to conjuncts that are worth encoding: rewriting, splitting, and solving equalities for variables.
//!
//! An equality that determines a variable is removed and the variable replaced, round after round. All of this is
//! particular to one query, while encodings outlive it: so a variable that is part of an encoding already
//! is never replaced, lest the terms that earlier queries encoded be left unused. Each conjunct knows which assertions it
//! stands on.

use super::rewrite::{Rewriter, bit_vec, subtract};
use crate::engine::{Budget, Reason};
use crate::tuning::blast_prepare::{MAX_INVERSIONS, MAX_ROUNDS};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, TermId, Terms};

/// Which assertions something follows from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Why(u32);

enum Origin {
    Assertion(usize),
    Both(Why, Why),
}

/// The origins of conjuncts, shared as a DAG.
#[derive(Default)]
pub(super) struct Origins(Vec<Origin>);

impl Origins {
    fn push(&mut self, origin: Origin) -> Why {
        self.0.push(origin);
        Why(self.0.len() as u32 - 1)
    }

    fn both(&mut self, a: Why, b: Why) -> Why {
        if a == b { a } else { self.push(Origin::Both(a, b)) }
    }

    fn join(&mut self, a: Option<Why>, b: Option<Why>) -> Option<Why> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.both(a, b)),
            (a, b) => a.or(b),
        }
    }

    /// The positions of all assertions behind some origins, ascending.
    pub(super) fn assertions(&self, whys: &[Why]) -> Vec<usize> {
        let mut seen = vec![false; self.0.len()];
        let mut stack = whys.to_vec();
        let mut found = Vec::new();
        while let Some(why) = stack.pop() {
            if std::mem::replace(&mut seen[why.0 as usize], true) {
                continue;
            }
            match self.0[why.0 as usize] {
                Origin::Assertion(position) => found.push(position),
                Origin::Both(a, b) => stack.extend([a, b]),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// A formula that must hold, and what it stands on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conjunct {
    pub(super) term: TermId,
    pub(super) why: Why,
}

/// A query made ready.
#[derive(Default)]
pub(super) struct Prepared {
    /// What is left to satisfy.
    pub(super) conjuncts: Vec<Conjunct>,
    /// Replaced variables and their values, round by round; a value mentions variables of later rounds only.
    pub(super) rounds: Vec<Vec<(TermId, TermId)>>,
    /// A conjunct that became false.
    pub(super) contradiction: Option<Why>,
    pub(super) origins: Origins,
}

/// Prepares a query. Variables of `kept` are not replaced.
pub(super) fn prepare(
    terms: &mut Terms,
    rewriter: &mut Rewriter,
    kept: &FxHashSet<TermId>,
    assertions: &[TermId],
    budget: &mut Budget,
) -> Result<Prepared, Reason> {
    let mut prepared = Prepared::default();
    let mut open: Vec<Conjunct> = Vec::with_capacity(assertions.len());
    for (position, &assertion) in assertions.iter().enumerate() {
        let why = prepared.origins.push(Origin::Assertion(position));
        open.push(Conjunct { term: rewriter.rewrite(terms, assertion), why });
    }
    for _ in 0..MAX_ROUNDS {
        split(terms, &mut open, &mut prepared);
        if prepared.contradiction.is_some() {
            return Ok(prepared);
        }
        let solved = solve_round(terms, &open, kept);
        if solved.is_empty() {
            break;
        }
        if !budget.spend(open.len() as u32 + 1) {
            return Err(budget.exhausted().unwrap_or(Reason::Time));
        }
        let mut replacing = Replacing { solved: &solved, done: FxHashMap::default() };
        let sources: FxHashSet<usize> = solved.values().map(|s| s.conjunct).collect();
        let mut rest = Vec::with_capacity(open.len());
        for (i, conjunct) in open.iter().enumerate() {
            if sources.contains(&i) {
                continue;
            }
            let (term, used) = replacing.run(terms, conjunct.term, &mut prepared.origins);
            let term = rewriter.rewrite(terms, term);
            let why = used.map_or(conjunct.why, |used| prepared.origins.both(conjunct.why, used));
            rest.push(Conjunct { term, why });
        }
        let mut variables: Vec<TermId> = solved.keys().copied().collect();
        variables.sort_unstable();
        let round = variables
            .into_iter()
            .map(|var| {
                let value = replacing.run(terms, var, &mut prepared.origins).0;
                (var, rewriter.rewrite(terms, value))
            })
            .collect();
        prepared.rounds.push(round);
        open = rest;
    }
    split(terms, &mut open, &mut prepared);
    prepared.conjuncts = open;
    Ok(prepared)
}

/// Splits conjunctions, drops what is true or there twice, and finds plain contradictions.
fn split(terms: &Terms, open: &mut Vec<Conjunct>, prepared: &mut Prepared) {
    let mut seen: FxHashMap<TermId, Why> = FxHashMap::default();
    let mut flat = Vec::with_capacity(open.len());
    let mut stack: Vec<Conjunct> = open.drain(..).rev().collect();
    while let Some(conjunct) = stack.pop() {
        if conjunct.term == TermId::TRUE || seen.contains_key(&conjunct.term) {
            continue;
        }
        if conjunct.term == TermId::FALSE {
            prepared.contradiction = Some(conjunct.why);
            return;
        }
        seen.insert(conjunct.term, conjunct.why);
        if terms.op(conjunct.term) == Op::And {
            let parts = terms.args(conjunct.term).iter().rev();
            stack.extend(parts.map(|&term| Conjunct { term, why: conjunct.why }));
        } else {
            flat.push(conjunct);
        }
    }
    let negated = flat.iter().find_map(|c| {
        let inner = (terms.op(c.term) == Op::Not).then(|| terms.args(c.term)[0])?;
        seen.get(&inner).map(|&why| (c.why, why))
    });
    if let Some((a, b)) = negated {
        prepared.contradiction = Some(prepared.origins.both(a, b));
    }
    *open = flat;
}

/// A variable's value, by the conjunct at this position.
struct Solution {
    value: TermId,
    conjunct: usize,
    why: Why,
}

type Solutions = FxHashMap<TermId, Solution>;

fn solve_round(terms: &mut Terms, open: &[Conjunct], kept: &FxHashSet<TermId>) -> Solutions {
    let mut solved = Solutions::default();
    let mut order = Vec::new();
    for (position, conjunct) in open.iter().enumerate() {
        let eligible = |terms: &Terms, var: TermId, solved: &Solutions| {
            is_variable(terms, var) && !kept.contains(&var) && !solved.contains_key(&var)
        };
        if let Some((var, value)) = solve(terms, conjunct.term, &|t, v| eligible(t, v, &solved)) {
            order.push(var);
            solved.insert(var, Solution { value, conjunct: position, why: conjunct.why });
        }
    }
    break_cycles(terms, &order, &mut solved);
    solved
}

fn is_variable(terms: &Terms, term: TermId) -> bool {
    terms.op(term) == Op::Apply && terms.args(term).is_empty()
}

/// A variable and its value, if a formula says nothing else.
fn solve(
    terms: &mut Terms,
    formula: TermId,
    eligible: &dyn Fn(&Terms, TermId) -> bool,
) -> Option<(TermId, TermId)> {
    if eligible(terms, formula) {
        return Some((formula, TermId::TRUE));
    }
    let &[a, ref rest @ ..] = terms.args(formula) else { return None };
    match (terms.op(formula), rest) {
        (Op::Not, []) if eligible(terms, a) => Some((a, TermId::FALSE)),
        (Op::Not, []) if terms.op(a) == Op::Eq => {
            // There are two words of one bit, and two Booleans.
            let (x, y) = (terms.args(a)[0], terms.args(a)[1]);
            let flip = match terms.sort_of(terms.sort(x)) {
                Sort::Bool => Op::Not,
                Sort::BitVec(1) => Op::BvNot,
                _ => return None,
            };
            let not_y = terms.mk(flip, &[y]);
            let not_x = terms.mk(flip, &[x]);
            invert(terms, x, not_y, eligible).or_else(|| invert(terms, y, not_x, eligible))
        }
        (Op::Eq, &[b]) => invert(terms, a, b, eligible).or_else(|| invert(terms, b, a, eligible)),
        _ => None,
    }
}

/// Solves `side = value` for a variable within `side`, through operations that can be undone.
fn invert(
    terms: &mut Terms,
    side: TermId,
    value: TermId,
    eligible: &dyn Fn(&Terms, TermId) -> bool,
) -> Option<(TermId, TermId)> {
    let mut open = vec![(side, value, 0)];
    while let Some((side, value, depth)) = open.pop() {
        if eligible(terms, side) {
            if side == value {
                return None;
            }
            return Some((side, value));
        }
        if depth == MAX_INVERSIONS {
            continue;
        }
        let args = terms.args(side).to_vec();
        match terms.op(side) {
            op @ (Op::BvNot | Op::BvNeg | Op::Not) => {
                let value = terms.mk(op, &[value]);
                open.push((args[0], value, depth + 1));
            }
            op @ (Op::BvAdd | Op::BvXor) => {
                for (i, &arg) in args.iter().enumerate().rev() {
                    if !may_lead_to_variable(terms, arg) {
                        continue;
                    }
                    let others = args.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &o)| o);
                    let value = others.fold(value, |value, other| match op {
                        Op::BvAdd => subtract(terms, value, other),
                        _ => terms.mk(Op::BvXor, &[value, other]),
                    });
                    open.push((arg, value, depth + 1));
                }
            }
            _ => {}
        }
    }
    None
}

fn may_lead_to_variable(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Apply | Op::BvNot | Op::BvNeg | Op::BvAdd | Op::BvXor)
        && bit_vec(terms, term).is_none()
}

/// Drops solutions until no variable's value leads back to the variable.
fn break_cycles(terms: &Terms, order: &[TermId], solved: &mut Solutions) {
    enum Step {
        Enter(TermId),
        Leave(TermId),
    }
    let mut done: FxHashMap<TermId, bool> = FxHashMap::default();
    // The variables whose values are being followed.
    let mut path: Vec<TermId> = Vec::new();
    let mut stack: Vec<Step> = order.iter().rev().map(|&v| Step::Enter(v)).collect();
    while let Some(step) = stack.pop() {
        match step {
            Step::Enter(term) => match done.get(&term) {
                Some(true) => {}
                Some(false) => {
                    // A way back: the last variable on it stays a variable.
                    if let Some(var) = path.last() {
                        solved.remove(var);
                    }
                }
                None => {
                    done.insert(term, false);
                    stack.push(Step::Leave(term));
                    match solved.get(&term) {
                        Some(solution) => {
                            path.push(term);
                            stack.push(Step::Enter(solution.value));
                        }
                        None => stack.extend(terms.args(term).iter().map(|&a| Step::Enter(a))),
                    }
                }
            },
            Step::Leave(term) => {
                done.insert(term, true);
                if path.last() == Some(&term) {
                    path.pop();
                }
            }
        }
    }
}

/// Replaces solved variables, and notes whose equalities that took.
struct Replacing<'a> {
    solved: &'a Solutions,
    done: FxHashMap<TermId, (TermId, Option<Why>)>,
}

impl Replacing<'_> {
    fn run(&mut self, terms: &mut Terms, root: TermId, origins: &mut Origins) -> (TermId, Option<Why>) {
        let mut stack = vec![root];
        let mut args = Vec::new();
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let solution = self.solved.get(&term);
            match solution {
                Some(solution) if !self.done.contains_key(&solution.value) => stack.push(solution.value),
                Some(_) => {}
                None => stack.extend(terms.args(term).iter().filter(|a| !self.done.contains_key(a))),
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let result = match solution {
                Some(solution) => {
                    let (value, used) = self.done[&solution.value];
                    (value, origins.join(Some(solution.why), used))
                }
                None => {
                    args.clear();
                    let mut used = None;
                    for arg in terms.args(term) {
                        let (new, why) = self.done[arg];
                        args.push(new);
                        used = origins.join(used, why);
                    }
                    (terms.rebuild(term, &args), used)
                }
            };
            self.done.insert(term, result);
        }
        self.done[&root]
    }
}
