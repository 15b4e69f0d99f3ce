//! Independence, as in KLEE (OSDI 2008, Section 3.3): conjuncts that share no symbol cannot influence each other, so a
//! query is solved as its connected components. A path condition that grows by one branch repeats all components but
//! one, and the cache behind this knows them.
//!
//! Queries with quantifiers stay whole: a quantifier can bound the size of a sort that other components use.

use crate::engine::{Budget, Engine, Partial, Partials, Query, Reason, Verdict};
use crate::verify::satisfies;
use rustc_hash::FxHashMap;
use smt::model::Interpretation;
use smt::{Flags, FunId, Model, Op, TermId, Terms, Value, walk};

/// Splits queries into independent parts in front of an engine.
pub(crate) struct Independence {
    inner: Box<dyn Engine>,
    enabled: bool,
    splits: u64,
    components: u64,
}

impl Independence {
    /// In front of an engine. Switched off, it passes every query on as it is.
    pub(crate) fn new(inner: Box<dyn Engine>, enabled: bool) -> Independence {
        Independence { inner, enabled, splits: 0, components: 0 }
    }
}

impl Engine for Independence {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let splittable = self.enabled
            && query.assertions.len() > 1
            && !query.assertions.iter().any(|&t| terms.flags(t).has(Flags::BINDER))
            && !leaves_zeros_open(terms, &query.assertions);
        let components = if splittable { components(terms, &query.assertions) } else { Vec::new() };
        if components.len() < 2 {
            return self.inner.solve(terms, query, budget, partials);
        }
        self.splits += 1;
        self.components += components.len() as u64;
        self.solve_parts(terms, query, &components, budget, partials)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut all =
            vec![("independence-splits", self.splits), ("independence-components", self.components)];
        all.extend(self.inner.counters());
        all
    }

    fn answered_by(&self) -> &'static str {
        self.inner.answered_by()
    }
}

impl Independence {
    /// Small components first: one of them may be unsatisfiable, and a hard one must not starve them.
    fn solve_parts(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        components: &[Component],
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let mut model = Model::default();
        let mut unknown: Option<Reason> = None;
        for component in components {
            let part = Query {
                assertions: component.conjuncts.iter().map(|&i| query.assertions[i]).collect(),
                ..query.clone()
            };
            let mut context = InContext { known: &model, partials };
            match self.inner.solve(terms, &part, budget, &mut context) {
                Verdict::Sat(found) => component.adopt(&mut model, &found),
                Verdict::Unsat(core) => {
                    return Verdict::Unsat(core.into_iter().map(|i| component.conjuncts[i]).collect());
                }
                Verdict::Unknown(reason) => {
                    unknown.get_or_insert(reason);
                    if reason == Reason::Interrupted {
                        break;
                    }
                }
            }
        }
        match unknown {
            Some(reason) => Verdict::Unknown(reason),
            // What SMT-LIB leaves open is one function for all parts: two of them may have chosen differently.
            None if shares_open(&model) && !satisfies(terms, &model, &query.assertions) => {
                self.inner.solve(terms, query, budget, partials)
            }
            None => Verdict::Sat(model),
        }
    }
}

/// Whether conjuncts share more than their symbols: what `fp.min` and `fp.max` make of zeros of opposite sign is the
/// model's choice, and one for all of them.
fn leaves_zeros_open(terms: &Terms, conjuncts: &[TermId]) -> bool {
    walk::reachable(terms, conjuncts).into_iter().any(|t| matches!(terms.op(t), Op::FpMin | Op::FpMax))
}

/// Conjuncts that are connected by the symbols they share.
#[derive(Clone, Debug, Default)]
struct Component {
    /// Their positions in the query.
    conjuncts: Vec<usize>,
    /// The symbols of the part's conjuncts.
    symbols: Vec<FunId>,
}

impl Component {
    /// Adds what a model says about this component's symbols. A model from the cache may list others, with values that
    /// the components they belong to do not agree with.
    fn adopt(&self, model: &mut Model, found: &Model) {
        for &fun in &self.symbols {
            if let Some(interpretation) = found.interpretation(fun) {
                model.insert(fun, interpretation.clone());
            }
        }
        model.adopt_open(found);
    }
}

/// Whether a model says what operators give where SMT-LIB leaves that open.
fn shares_open(model: &Model) -> bool {
    model.zero_divisions().next().is_some() || model.conversions().next().is_some()
}

/// Partial solutions of one component, completed by the values that the solved ones have.
struct InContext<'a> {
    known: &'a Model,
    partials: &'a mut dyn Partials,
}

impl Partials for InContext<'_> {
    fn wanted(&self) -> bool {
        self.partials.wanted()
    }

    fn take(&mut self, mut partial: Partial) {
        let known = |fun: FunId| -> Option<(FunId, Value)> {
            match self.known.interpretation(fun) {
                Some(Interpretation::Value(value)) => Some((fun, value.clone())),
                _ => None,
            }
        };
        partial.values.extend(self.known.functions().into_iter().filter_map(known));
        self.partials.take(partial);
    }
}

/// The components, smaller ones first, otherwise in the order of the query. Conjuncts without symbols are components of
/// their own.
fn components(terms: &Terms, conjuncts: &[TermId]) -> Vec<Component> {
    let mut groups = Groups { parent: (0..conjuncts.len()).collect() };
    let mut owner: FxHashMap<FunId, usize> = FxHashMap::default();
    let mut symbols: Vec<(FunId, usize)> = Vec::new();
    // A term that was seen belongs to the conjunct that it was seen in first: no walk enters it again.
    let mut seen: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut stack = Vec::new();
    for (i, &conjunct) in conjuncts.iter().enumerate() {
        stack.push(conjunct);
        while let Some(term) = stack.pop() {
            if !terms.flags(term).has(Flags::SYMBOL) && !terms.flags(term).has(Flags::DEFINED) {
                continue;
            }
            if let Some(&other) = seen.get(&term) {
                groups.join(i, other);
                continue;
            }
            seen.insert(term, i);
            if let Some(fun) = terms.as_fun(term) {
                let other = *owner.entry(fun).or_insert_with(|| {
                    symbols.push((fun, i));
                    i
                });
                groups.join(i, other);
            }
            stack.extend_from_slice(terms.args(term));
        }
    }
    let mut found: Vec<Component> = Vec::new();
    let mut place: FxHashMap<usize, usize> = FxHashMap::default();
    for i in 0..conjuncts.len() {
        let at = *place.entry(groups.root(i)).or_insert_with(|| {
            found.push(Component::default());
            found.len() - 1
        });
        found[at].conjuncts.push(i);
    }
    for (fun, i) in symbols {
        found[place[&groups.root(i)]].symbols.push(fun);
    }
    found.sort_by_key(|component| component.conjuncts.len());
    found
}

/// Union-find with path halving.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
