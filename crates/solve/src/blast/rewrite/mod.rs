//! Word-level simplification: a table of local rules, applied bottom-up until none fits.
//!
//! Rules do not depend on the query, so what a term becomes is remembered for as long as the arena lives. After
//! rewriting, the operators that are left are `not`, `and`, `=` of two, `ite`, `bvnot`, `bvand`, `bvxor`, sums with
//! constant last, products, `bvudiv`, `bvurem`, shifts by terms, `bvult`, `bvslt`, `concat`, `extract`, `sign_extend`,
//! the overflow predicates, `select` and `store`; and for floats all but `fp.sub`, `fp.gt` and `fp.geq`.
//!
//! Every rule states its laws, what it matches and what it gives. A test reads them: the rule fires on what it matches, both
//! sides are equal under the evaluator for all values at small widths and for many at others, and both are rewritten to
//! the same term.

mod arith;
mod array;
mod bitwise;
mod boolean;
mod build;
mod compare;
mod desugar;
mod equality;
mod float;
mod linear;
mod polynomial;
mod slice;
#[cfg(test)]
mod tests;

pub(super) use build::{bit_vec, subtract};

use crate::tuning::blast_rewrite::FUEL_PER_TERM;
use build::constant_fold;
use rustc_hash::FxHashMap;
use smt::{Op, TermId, Terms};
use std::sync::LazyLock;

/// One rule: where it looks, what it does, and where it can be seen to work.
pub(super) struct Rule {
    /// The name by which tests and traces refer to the rule.
    #[cfg_attr(not(test), expect(dead_code, reason = "the laws are checked in tests"))]
    pub(super) id: &'static str,
    /// The operator at whose applications it looks.
    pub(super) op: Op,
    /// An equal term, if the rule fits. The arguments are rewritten already.
    pub(super) apply: fn(&mut Terms, TermId) -> Option<TermId>,
    /// What it matches and what it gives, at any width `{w}`, over words `x y z`, Booleans `p q r`, arrays `m n`, floats `f g h`
    /// and a rounding mode `k`; `{c}` and `{d}` are any constants, `{0}`, `{1}`, `{-1}` and `{min}` those constants, `{i}` and `{j}`
    /// positions with `i >= j`, and `{w1}`, `{w-2}`, `{w+1}`, `{w-i}`, `{w1-i}` and `{i-1}` what they say, `{w1}` being `{w}` less
    /// one. What it gives is written as people would write it; rewriting it to the end leads to the same term as rewriting the
    /// rule's own result.
    #[cfg_attr(not(test), expect(dead_code, reason = "the laws are checked in tests"))]
    pub(super) laws: &'static [(&'static str, &'static str)],
}

/// All rules; within one operator they are tried in this order.
fn rules() -> impl Iterator<Item = &'static Rule> {
    [
        desugar::RULES,
        boolean::RULES,
        equality::RULES,
        polynomial::RULES,
        compare::RULES,
        bitwise::RULES,
        arith::RULES,
        slice::RULES,
        array::RULES,
        float::RULES,
    ]
    .into_iter()
    .flatten()
}

/// The rules of each operator.
static BY_OP: LazyLock<Vec<Vec<&'static Rule>>> = LazyLock::new(|| {
    let mut table: Vec<Vec<&'static Rule>> = (0..smt::op::TABLE.len()).map(|_| Vec::new()).collect();
    for rule in rules() {
        table[rule.op as usize].push(rule);
    }
    table
});

/// Applies rules and remembers what terms became.
#[derive(Debug, Default)]
pub(super) struct Rewriter {
    done: FxHashMap<TermId, TermId>,
    /// How many rules were applied.
    pub(super) applied: u64,
}

enum Step {
    /// Rewrite a term.
    Visit(TermId),
    /// Its arguments are rewritten: rebuild it and try the rules.
    Build(TermId),
    /// It became another term, which is rewritten by now.
    Link(TermId, TermId),
}

impl Rewriter {
    /// The simplest equal term that the rules lead to.
    pub(super) fn rewrite(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let mut stack = vec![Step::Visit(root)];
        let mut fuel = FUEL_PER_TERM;
        let mut args = Vec::new();
        while let Some(step) = stack.pop() {
            match step {
                Step::Visit(term) if self.done.contains_key(&term) => {}
                Step::Visit(term) => {
                    fuel += FUEL_PER_TERM;
                    stack.push(Step::Build(term));
                    stack.extend(terms.args(term).iter().map(|&a| Step::Visit(a)));
                }
                Step::Build(term) => {
                    args.clear();
                    args.extend(terms.args(term).iter().map(|a| self.done[a]));
                    let rebuilt = terms.rebuild(term, &args);
                    if rebuilt != term
                        && let Some(&known) = self.done.get(&rebuilt)
                    {
                        self.done.insert(term, known);
                        continue;
                    }
                    // Until a rule has done better the term stands for itself, also in what the rule builds.
                    self.done.insert(rebuilt, rebuilt);
                    self.done.insert(term, rebuilt);
                    if fuel > 0
                        && let Some(better) = apply_rules(terms, rebuilt)
                    {
                        fuel -= 1;
                        self.applied += 1;
                        stack.push(Step::Link(term, better));
                        if rebuilt != term {
                            stack.push(Step::Link(rebuilt, better));
                        }
                        stack.push(Step::Visit(better));
                    }
                }
                Step::Link(term, better) => {
                    let best = self.done[&better];
                    self.done.insert(term, best);
                }
            }
        }
        self.done[&root]
    }
}

fn apply_rules(terms: &mut Terms, term: TermId) -> Option<TermId> {
    if let Some(value) = constant_fold(terms, term) {
        return Some(value);
    }
    let op = terms.op(term);
    first_better(terms, term, &BY_OP[op as usize])
}

/// The result of the first rule that changes the term. A rule may give the term itself: then the next one has its turn.
fn first_better(terms: &mut Terms, term: TermId, rules: &[&Rule]) -> Option<TermId> {
    rules.iter().find_map(|rule| (rule.apply)(terms, term).filter(|&better| better != term))
}
