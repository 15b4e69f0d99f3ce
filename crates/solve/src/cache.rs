//! Answers known from earlier queries, as in KLEE's counterexample cache (OSDI 2008, Section 3.3): the same set of conjuncts
//! has the same answer; a superset of an unsatisfiable core is unsatisfiable; a subset of a satisfied set has its model;
//! and the model of a related set often works for this one, which the evaluator finds out.
//!
//! Terms are hash-consed, so a query is a set of ids. The cache is bounded: the oldest entries go.

use crate::engine::{Budget, Engine, Look, Partials, Query, Verdict};
use crate::tuning::cache::{MAX_CONJUNCTS, MAX_ENTRIES, MAX_TRIES};
use crate::verify::satisfies;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{ArenaId, Flags, Model, TermId, Terms};
use std::collections::VecDeque;

/// Remembers answers in front of an engine.
pub struct Cache<E: Engine + ?Sized = dyn Engine> {
    inner: Box<E>,
    /// The arena whose terms are known.
    arena: Option<ArenaId>,
    enabled: bool,
    satisfied: Sets<Model>,
    cores: Sets<()>,
    counts: Counts,
    /// Whether the last verdict was known.
    hit: bool,
    /// What engines answered since somebody asked for it; nobody does unless this is there.
    news: Option<Vec<CachedAnswer>>,
}

/// An answer that holds wherever the same conjuncts are asked.
#[derive(Clone, Debug)]
pub struct CachedAnswer {
    /// What was asked, or the part of it that contradicts itself.
    pub conjuncts: Vec<TermId>,
    /// What satisfies it; nothing does if this is not there.
    pub model: Option<Model>,
}

/// How often each way of answering worked.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    exact: u64,
    unsat_subset: u64,
    sat_superset: u64,
    sat_reused: u64,
    misses: u64,
    /// How many answers of other engines it heard of.
    heard: u64,
    /// How many arenas it was asked about.
    arenas: u64,
}

impl<E: Engine + ?Sized> Cache<E> {
    /// In front of an engine. Switched off, it passes every query on.
    pub fn new(inner: Box<E>, enabled: bool) -> Cache<E> {
        Cache {
            inner,
            arena: None,
            enabled,
            satisfied: Sets::default(),
            cores: Sets::default(),
            counts: Counts::default(),
            hit: false,
            news: None,
        }
    }

    /// What the engine answered since this was asked the last time, for others who have a cache of the same queries. Nothing is
    /// noted before the first time.
    pub fn news(&mut self) -> Vec<CachedAnswer> {
        self.news.replace(Vec::new()).unwrap_or_default()
    }

    /// Takes over an answer that another engine found, about terms of this arena. Whoever tells it vouches for it.
    pub fn hear(&mut self, terms: &Terms, known: CachedAnswer) {
        self.turn_to(terms);
        self.counts.heard += 1;
        let set = known.conjuncts.into_iter().collect();
        match known.model {
            Some(model) => self.satisfied.insert(set, model),
            None => self.cores.insert(set, ()),
        }
    }

    /// Forgets what it knows if it is about another arena, where the ids of terms mean something else.
    fn turn_to(&mut self, terms: &Terms) {
        if self.arena.as_ref() != Some(terms.identity()) {
            self.counts.arenas += 1;
            self.arena = Some(terms.identity().noted());
            (self.satisfied, self.cores) = (Sets::default(), Sets::default());
        }
    }

    fn look_up(&mut self, terms: &Terms, conjuncts: &[TermId]) -> Option<Verdict> {
        let set: FxHashSet<TermId> = conjuncts.iter().copied().collect();
        if let Some(core) = self.cores.subset_of(&set) {
            if core.len() == set.len() {
                self.counts.exact += 1;
            } else {
                self.counts.unsat_subset += 1;
            }
            return Some(Verdict::Unsat(
                (0..conjuncts.len()).filter(|&i| core.contains(&conjuncts[i])).collect(),
            ));
        }
        if let Some((size, model)) = self.satisfied.superset_of(&set) {
            if size == set.len() {
                self.counts.exact += 1;
            } else {
                self.counts.sat_superset += 1;
            }
            return Some(Verdict::Sat(model.clone()));
        }
        // The evaluator is lazy but not free: a model is tried on the conjuncts that it was not made for.
        for entry in self.satisfied.related_to(conjuncts, MAX_TRIES) {
            let (old, model) = self.satisfied.get(entry);
            let rest: Vec<TermId> = conjuncts.iter().copied().filter(|c| !old.contains(c)).collect();
            if satisfies(terms, model, &rest) {
                let model = model.clone();
                self.counts.sat_reused += 1;
                self.satisfied.insert(set, model.clone());
                return Some(Verdict::Sat(model));
            }
        }
        None
    }

    /// The known answer, or the engine's, which is known from then on.
    fn remember(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        ask: impl FnOnce(&mut E, &mut Terms) -> Verdict,
    ) -> Verdict {
        self.hit = false;
        self.turn_to(terms);
        // What a recursive function means can change under its name; everything else is fixed by the term.
        if !self.enabled || query.assertions.iter().any(|&t| terms.flags(t).has(Flags::DEFINED)) {
            return ask(&mut *self.inner, terms);
        }
        if let Some(known) = self.look_up(terms, &query.assertions) {
            self.hit = true;
            return known;
        }
        self.counts.misses += 1;
        let verdict = ask(&mut *self.inner, terms);
        let known = match &verdict {
            Verdict::Sat(model) => {
                CachedAnswer { conjuncts: query.assertions.clone(), model: Some(model.clone()) }
            }
            Verdict::Unsat(core) => {
                CachedAnswer { conjuncts: core.iter().map(|&i| query.assertions[i]).collect(), model: None }
            }
            Verdict::Unknown(_) => return verdict,
        };
        if let Some(news) = &mut self.news {
            news.push(known.clone());
        }
        let set = known.conjuncts.into_iter().collect();
        match known.model {
            Some(model) => self.satisfied.insert(set, model),
            None => self.cores.insert(set, ()),
        }
        verdict
    }
}

impl<E: Engine + Look + ?Sized> Look for Cache<E> {
    fn look(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        self.remember(terms, query, |inner, terms| inner.look(terms, query, budget, partials))
    }
}

impl<E: Engine + ?Sized> Engine for Cache<E> {
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
        self.remember(terms, query, |inner, terms| inner.solve(terms, query, budget, partials))
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let counts = self.counts;
        let mut all = vec![
            ("cache-exact-hits", counts.exact),
            ("cache-unsat-subset-hits", counts.unsat_subset),
            ("cache-sat-superset-hits", counts.sat_superset),
            ("cache-model-reuses", counts.sat_reused),
            ("cache-misses", counts.misses),
            ("cache-heard", counts.heard),
            ("arenas", counts.arenas),
        ];
        all.extend(self.inner.counters());
        all
    }

    fn answered_by(&self) -> &'static str {
        if self.hit { "cache" } else { self.inner.answered_by() }
    }
}

/// Sets of conjuncts with something attached, found by their elements.
struct Sets<T> {
    entries: VecDeque<(FxHashSet<TermId>, T)>,
    /// The number of the entry at the front; numbers never repeat.
    first: u64,
    /// For each conjunct the numbers of the entries that have it, ascending.
    index: FxHashMap<TermId, VecDeque<u64>>,
    conjuncts: usize,
}

impl<T> Default for Sets<T> {
    fn default() -> Self {
        Sets { entries: VecDeque::new(), first: 0, index: FxHashMap::default(), conjuncts: 0 }
    }
}

impl<T> Sets<T> {
    fn get(&self, number: u64) -> (&FxHashSet<TermId>, &T) {
        let (set, attached) = &self.entries[(number - self.first) as usize];
        (set, attached)
    }

    fn insert(&mut self, set: FxHashSet<TermId>, attached: T) {
        if set.len() > MAX_CONJUNCTS / 16 {
            return;
        }
        let number = self.first + self.entries.len() as u64;
        for &conjunct in &set {
            self.index.entry(conjunct).or_default().push_back(number);
        }
        self.conjuncts += set.len();
        self.entries.push_back((set, attached));
        while self.entries.len() > MAX_ENTRIES || self.conjuncts > MAX_CONJUNCTS {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        let Some((set, _)) = self.entries.pop_front() else { return };
        self.first += 1;
        self.conjuncts -= set.len();
        for conjunct in set {
            if let Some(numbers) = self.index.get_mut(&conjunct) {
                numbers.pop_front();
                if numbers.is_empty() {
                    self.index.remove(&conjunct);
                }
            }
        }
    }

    fn numbers(&self, conjunct: TermId) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.index.get(&conjunct).into_iter().flatten().copied()
    }

    /// A set all of whose elements are in the given one.
    fn subset_of(&self, set: &FxHashSet<TermId>) -> Option<&FxHashSet<TermId>> {
        let mut conjuncts: Vec<TermId> = set.iter().copied().filter(|c| self.index.contains_key(c)).collect();
        conjuncts.sort_unstable();
        let mut hits: FxHashMap<u64, usize> = FxHashMap::default();
        for conjunct in conjuncts {
            for number in self.numbers(conjunct) {
                let count = hits.entry(number).or_default();
                *count += 1;
                let (core, _) = self.get(number);
                if *count == core.len() {
                    return Some(core);
                }
            }
        }
        None
    }

    /// The size of a set that has all elements of the given one, and what is attached to it.
    fn superset_of(&self, set: &FxHashSet<TermId>) -> Option<(usize, &T)> {
        let rarest = set.iter().map(|c| self.index.get(c).map_or(0, VecDeque::len)).min()?;
        if rarest == 0 {
            return None;
        }
        // Which of the rarest elements is taken does not matter for the answer, only the smallest id makes it the same
        // in every run.
        let probe = set
            .iter()
            .copied()
            .filter(|c| self.index.get(c).map_or(0, VecDeque::len) == rarest)
            .min()
            .expect("the minimum is attained");
        let found = self.numbers(probe).rev().map(|n| self.get(n)).find(|(other, _)| set.is_subset(other))?;
        Some((found.0.len(), found.1))
    }

    /// The newest entries that share conjuncts with the query, those of its last conjuncts first: what a path condition
    /// was before it grew is what the most conjuncts are shared with.
    fn related_to(&self, conjuncts: &[TermId], most: usize) -> Vec<u64> {
        let mut found = Vec::new();
        for &conjunct in conjuncts.iter().rev() {
            for number in self.numbers(conjunct).rev().take(most) {
                if found.len() == most {
                    return found;
                }
                if !found.contains(&number) {
                    found.push(number);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{NoPartials, Reason};
    use smt::{BitVec, Op, SortId, Value};

    /// Answers nothing, or that there is no solution because of the last assertion.
    struct Last(bool);

    impl Engine for Last {
        fn name(&self) -> &'static str {
            "last"
        }

        fn solve(&mut self, _: &mut Terms, query: &Query, _: &mut Budget, _: &mut dyn Partials) -> Verdict {
            match self.0 {
                true => Verdict::Unsat(vec![query.assertions.len() - 1]),
                false => Verdict::Unknown(Reason::Incomplete),
            }
        }

        fn counters(&self) -> Vec<(&'static str, u64)> {
            Vec::new()
        }
    }

    #[test]
    fn what_one_cache_found_out_another_knows() {
        let mut terms = Terms::new();
        let [p, q] = ["p", "q"].map(|name| terms.symbol_constant(name, SortId::BOOL));
        let query = Query::new(vec![p, q]);
        let ask = |cache: &mut Cache<Last>, terms: &mut Terms, query: &Query| {
            cache.solve(terms, query, &mut Budget::unlimited(), &mut NoPartials)
        };
        let mut teller = Cache::new(Box::new(Last(true)), true);
        assert!(teller.news().is_empty());
        assert!(matches!(ask(&mut teller, &mut terms, &query), Verdict::Unsat(_)));
        let news = teller.news();
        assert_eq!(news.iter().map(|known| known.conjuncts.clone()).collect::<Vec<_>>(), [vec![q]]);
        assert!(matches!(ask(&mut teller, &mut terms, &query), Verdict::Unsat(_)));
        assert!(teller.news().is_empty(), "what was known is no news");

        let mut hearer = Cache::new(Box::new(Last(false)), true);
        assert!(matches!(ask(&mut hearer, &mut terms, &query), Verdict::Unknown(_)));
        for known in news {
            hearer.hear(&terms, known);
        }
        assert!(matches!(ask(&mut hearer, &mut terms, &query), Verdict::Unsat(core) if core == [1]));
        let byte = terms.bit_vec_sort(8);
        let x = terms.symbol_constant("x", byte);
        let five = terms.bv(8, 5);
        let is_five = terms.mk(Op::Eq, &[x, five]);
        let mut model = Model::default();
        model.set(terms.as_fun(x).expect("a symbol"), Value::BitVec(BitVec::from_u64(8, 5)));
        hearer.hear(&terms, CachedAnswer { conjuncts: vec![is_five, p], model: Some(model) });
        assert!(matches!(ask(&mut hearer, &mut terms, &Query::new(vec![is_five])), Verdict::Sat(_)));
    }
}
