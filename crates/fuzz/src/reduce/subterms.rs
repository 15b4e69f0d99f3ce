//! Passes over subterms, from the largest to the smallest: arguments left out, terms replaced by a constant of their sort,
//! by a term of their sort inside them, or by a variable.
//!
//! Terms are taken in classes of about equal size (a factor of two), so that a class is tried as a whole and cut down
//! by halves: thousands of nodes that do not matter go in a few tests, and a chain of a hundred thousand nodes has
//! seventeen classes. Within a class, replacements of terms inside each other go together: the outer ones win.

use super::constants::{simpler, simplest};
use super::search::Search;
use super::translate::{Built, Edits, least_arguments, replace, rewrite};
use super::weight::{Sizes, declarations, roots};
use crate::tuning::reduce_subterms::{DESCENDANTS, LOOK_AT, SIMPLER};
use smt::{Op, SortId, TermId, Terms};
use std::collections::HashMap;

/// One edit: what stands instead of a term, or of one argument of a term.
#[derive(Clone, Copy)]
enum Edit {
    Everywhere(TermId, TermId),
    Argument(TermId, usize, Option<TermId>),
}

/// One kind of replacement: the n-th that it has for a term, and how many are tried.
struct Kind {
    nth: fn(&mut Terms, &Variables, TermId, usize) -> Option<TermId>,
    count: usize,
}

/// The kinds of replacement in the order in which they are tried on a class of terms.
static KINDS: &[Kind] = &[
    Kind { nth: |terms, _, term, n| simplest(terms, terms.sort(term)).get(n).copied(), count: 2 },
    Kind { nth: |terms, _, term, n| descendant(terms, term, n), count: DESCENDANTS },
    Kind { nth: |terms, variables, term, _| variables.instead_of(terms, term), count: 1 },
];

/// The first declared constant of each sort.
struct Variables(HashMap<SortId, TermId>);

impl Variables {
    fn of(search: &mut Search<'_>) -> Variables {
        let mut first = HashMap::new();
        for fun in declarations(&search.script).collect::<Vec<_>>() {
            if search.terms.fun(fun).params.is_empty()
                && let Ok(term) = search.terms.apply(fun, &[])
            {
                first.entry(search.terms.sort(term)).or_insert(term);
            }
        }
        Variables(first)
    }

    /// Constants and variables have passes of their own.
    fn instead_of(&self, terms: &Terms, term: TermId) -> Option<TermId> {
        self.0.get(&terms.sort(term)).copied().filter(|_| !terms.args(term).is_empty())
    }
}

/// What an enumeration of edits needs to know of the current script.
struct Survey {
    sizes: Sizes,
    variables: Variables,
    /// How many steps had been taken when it was made.
    version: u64,
}

impl Survey {
    fn new(search: &mut Search<'_>) -> Survey {
        let sizes = Sizes::new(&search.terms, &roots(&search.terms, &search.script));
        Survey { sizes, variables: Variables::of(search), version: search.accepted }
    }

    fn refresh(&mut self, search: &mut Search<'_>) {
        if self.version != search.accepted {
            *self = Survey::new(search);
        }
    }

    /// The largest class that has terms.
    fn top(&self) -> u32 {
        self.sizes.all.iter().map(|&term| self.class(term)).max().unwrap_or(0)
    }

    /// The class of a term's size.
    fn class(&self, term: TermId) -> u32 {
        self.sizes.of(term).ilog2()
    }
}

/// Replaces terms by simpler ones, wherever they stand.
pub(super) fn everywhere(search: &mut Search<'_>) {
    let mut survey = Survey::new(search);
    for class in (0..=survey.top()).rev() {
        drop_arguments(search, &mut survey, class);
        for kind in KINDS {
            for n in 0..kind.count {
                replace_terms(search, &mut survey, class, &|terms, variables, term| {
                    (kind.nth)(terms, variables, term, n)
                });
            }
        }
    }
}

/// Replaces single occurrences of terms that occur several times.
pub(super) fn occurrences(search: &mut Search<'_>) {
    for kind in KINDS {
        for n in 0..kind.count {
            let variables = Variables::of(search);
            let edges = shared_edges(search, |terms, term| terms.op(term) != Op::Const);
            replace_edges(search, &edges, &|terms, term| (kind.nth)(terms, &variables, term, n));
        }
    }
}

/// Makes constants simpler, everywhere and then at single places.
pub(super) fn literals(search: &mut Search<'_>) {
    let nth = |terms: &mut Terms, term: TermId, rank: usize| {
        let value = terms.as_value(term)?.clone();
        simpler(terms, &value, terms.sort(term)).get(rank).copied()
    };
    // Taking a step again and again halves a number down to what is needed, so each is repeated while it helps.
    for rank in 0..SIMPLER {
        let mut survey = Survey::new(search);
        while replace_terms(search, &mut survey, 0, &|terms, _, term| nth(terms, term, rank)) {}
    }
    for rank in 0..SIMPLER {
        let edges = shared_edges(search, |terms, term| terms.op(term) == Op::Const);
        replace_edges(search, &edges, &|terms, term| nth(terms, term, rank));
    }
    indices(search);
}

/// Makes the numerals of `re.^` and `re.loop` smaller.
fn indices(search: &mut Search<'_>) {
    for step in [|_: u32| 0, |n: u32| n / 2, |n: u32| n.saturating_sub(1)] {
        for which in 0..2 {
            loop {
                let all = smt::walk::reachable(&search.terms, &roots(&search.terms, &search.script));
                let indexed = |t: &TermId| {
                    let op = search.terms.op(*t);
                    matches!(op, Op::RePower | Op::ReLoop) && search.terms.indices(*t)[which] > 0
                };
                let edits: Vec<TermId> = all.into_iter().filter(indexed).collect();
                let taken = search.maximize(&edits, &|terms, script, chosen| {
                    rewrite(terms, script, &|terms, term, args| {
                        if !chosen.contains(&&term) {
                            return Built::Default;
                        }
                        let mut indices = terms.indices(term);
                        indices[which] = step(indices[which]);
                        terms.app_indexed(terms.op(term), indices, args).map_or(Built::Fail, Built::Term)
                    })
                });
                if !taken {
                    break;
                }
            }
        }
    }
}

/// Leaves out arguments, of one class of sizes, of operators that take any number.
fn drop_arguments(search: &mut Search<'_>, survey: &mut Survey, class: u32) {
    survey.refresh(search);
    let mut edits = Vec::new();
    for &term in survey.sizes.all.iter().rev() {
        let args = search.terms.args(term);
        if search.terms.op(term) != Op::Concat && least_arguments(&search.terms, term) < args.len() {
            let in_class = (0..args.len()).filter(|&i| survey.class(args[i]) == class);
            edits.extend(in_class.map(|i| Edit::Argument(term, i, None)));
        }
    }
    apply_edits(search, &edits);
}

/// Replaces terms of one class of sizes.
fn replace_terms(
    search: &mut Search<'_>,
    survey: &mut Survey,
    class: u32,
    instead: &dyn Fn(&mut Terms, &Variables, TermId) -> Option<TermId>,
) -> bool {
    survey.refresh(search);
    // A bound variable stands in the list of its binder too, and truth values are as simple as can be.
    let is_site = |t: &TermId| {
        let truth = *t == TermId::TRUE || *t == TermId::FALSE;
        survey.class(*t) == class && !truth && search.terms.op(*t) != Op::Bound
    };
    let mut sites: Vec<TermId> = survey.sizes.all.iter().copied().filter(is_site).collect();
    sites.sort_by_key(|&term| std::cmp::Reverse((survey.sizes.of(term), term)));
    let mut edits = Vec::new();
    for term in sites {
        if let Some(other) = instead(&mut search.terms, &survey.variables, term)
            && is_simpler(&search.terms, term, other)
        {
            edits.push(Edit::Everywhere(term, other));
        }
    }
    apply_edits(search, &edits)
}

/// Whether a replacement goes from larger to smaller, from terms to variables, or from constants to lighter constants: so
/// that replacements that are made together never go in circles.
fn is_simpler(terms: &Terms, term: TermId, other: TermId) -> bool {
    let symbol_free = |t: TermId| terms.as_fun(t).is_none();
    let leaf = |t: TermId| terms.args(t).is_empty();
    match (terms.as_value(term), terms.as_value(other)) {
        (Some(old), Some(new)) => super::weight::value(new) < super::weight::value(old),
        (Some(_), None) => false,
        (None, Some(_)) => true,
        (None, None) if leaf(term) => leaf(other) && !symbol_free(term) && symbol_free(other),
        (None, None) => other != term,
    }
}

/// Arguments that occur in several places, with the applications they stand in.
fn shared_edges(search: &Search<'_>, wanted: impl Fn(&Terms, TermId) -> bool) -> Vec<(TermId, usize)> {
    let terms = &search.terms;
    let roots = roots(terms, &search.script);
    let all = smt::walk::reachable(terms, &roots);
    let mut uses: HashMap<TermId, usize> = HashMap::new();
    for &used in all.iter().flat_map(|&t| terms.args(t)).chain(&roots) {
        *uses.entry(used).or_default() += 1;
    }
    let is_binder = |t: TermId| matches!(terms.op(t), Op::Forall | Op::Exists | Op::Lambda | Op::Match);
    let mut edges = Vec::new();
    for &term in all.iter().rev().filter(|&&t| !is_binder(t)) {
        let shared = |&i: &usize| uses[&terms.args(term)[i]] > 1 && wanted(terms, terms.args(term)[i]);
        edges.extend((0..terms.args(term).len()).filter(shared).map(|i| (term, i)));
    }
    edges
}

fn replace_edges(
    search: &mut Search<'_>,
    edges: &[(TermId, usize)],
    instead: &dyn Fn(&mut Terms, TermId) -> Option<TermId>,
) {
    let mut edits = Vec::new();
    for &(term, i) in edges {
        let arg = search.terms.args(term)[i];
        if let Some(other) = instead(&mut search.terms, arg)
            && is_simpler(&search.terms, arg, other)
        {
            edits.push(Edit::Argument(term, i, Some(other)));
        }
    }
    apply_edits(search, &edits);
}

fn apply_edits(search: &mut Search<'_>, edits: &[Edit]) -> bool {
    search.maximize(edits, &|terms, script, chosen| {
        let mut edits = Edits::default();
        for &&edit in chosen {
            match edit {
                Edit::Everywhere(term, other) => {
                    edits.redirect.insert(term, other);
                }
                Edit::Argument(term, i, other) => {
                    edits.arguments.insert((term, i), other);
                }
            }
        }
        replace(terms, script, &edits)
    })
}

/// The n-th term of the same sort inside a term, the nearest first. Binders are not entered: what they bind means nothing
/// outside.
fn descendant(terms: &Terms, term: TermId, n: usize) -> Option<TermId> {
    let (mut queue, mut at, mut found) = (vec![term], 0, 0);
    while let Some(&here) = queue.get(at) {
        if here != term && terms.sort(here) == terms.sort(term) {
            if found == n {
                return Some(here);
            }
            found += 1;
        }
        at += 1;
        if !matches!(terms.op(here), Op::Forall | Op::Exists | Op::Lambda | Op::Match) {
            for &arg in terms.args(here) {
                if queue.len() < LOOK_AT && !queue.contains(&arg) {
                    queue.push(arg);
                }
            }
        }
    }
    None
}
