//! Walks over DAGs: reachable terms, sizes, substitution, unfolding of definitions. Iterative and memoised; the
//! scratch space is reusable, since generators walk many small terms of a large arena.

use crate::binders::FreeVars;
use crate::op::Op;
use crate::term::{Flags, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// How many terms unfolding may add to an arena.
const MAX_UNFOLDED: usize = 1 << 24;
/// Steps between two looks at the arena's token.
const POLL_EVERY: u32 = 1024;

/// A map from terms to terms.
pub type TermMap = HashMap<TermId, TermId, FxBuildHasher>;

/// A walk that has seen this share of the arena marks terms in an array as large as the arena; before, in a set. So a walk costs no more
/// than what it visits, however large the arena is.
const SPARSE_SHARE: usize = 16;

/// Reusable marks: which terms the current walk has seen.
#[derive(Clone, Debug, Default)]
pub struct Walker {
    few: HashSet<TermId, FxBuildHasher>,
    /// The same in the order of the walk.
    listed: Vec<TermId>,
    stamps: Vec<u32>,
    now: u32,
    stack: Vec<TermId>,
}

impl Walker {
    /// All terms that occur in the roots, arguments before the applications they stand in.
    pub fn reachable(&mut self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        self.visit(terms, roots, |term| found.push(term));
        // Arguments have smaller ids.
        found.sort_unstable();
        found
    }

    /// Calls `f` once for every term that occurs in the roots, in no particular order.
    pub fn visit(&mut self, terms: &Terms, roots: &[TermId], mut f: impl FnMut(TermId)) {
        if self.now == u32::MAX {
            self.stamps.clear();
            self.now = 0;
        }
        self.now += 1;
        self.few.clear();
        self.listed.clear();
        self.stack.clear();
        self.stack.extend_from_slice(roots);
        // Marks that a walk before this one paid for are there to be used.
        let sparse = if self.stamps.len() < terms.len() { terms.len() / SPARSE_SHARE } else { 0 };
        while self.few.len() < sparse {
            let Some(term) = self.stack.pop() else { return };
            if self.few.insert(term) {
                self.listed.push(term);
                f(term);
                self.stack.extend_from_slice(terms.args(term));
            }
        }
        if self.stamps.len() < terms.len() {
            self.stamps.resize(terms.len(), 0);
        }
        for term in self.listed.drain(..) {
            self.stamps[term.index()] = self.now;
        }
        while let Some(term) = self.stack.pop() {
            let stamp = &mut self.stamps[term.index()];
            if *stamp == self.now {
                continue;
            }
            *stamp = self.now;
            f(term);
            self.stack.extend_from_slice(terms.args(term));
        }
    }
}

/// All terms that occur in the roots, arguments before the applications they stand in.
pub fn reachable(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    Walker::default().reachable(terms, roots)
}

/// How large terms are: as a DAG (shared subterms once) and as a tree (saturating).
pub fn sizes(terms: &Terms, roots: &[TermId]) -> (usize, u64) {
    let all = reachable(terms, roots);
    let mut tree: HashMap<TermId, u64, FxBuildHasher> = HashMap::default();
    for &term in &all {
        let size = terms.args(term).iter().fold(1u64, |n, a| n.saturating_add(tree[a]));
        tree.insert(term, size);
    }
    (all.len(), roots.iter().fold(0u64, |n, r| n.saturating_add(tree[r])))
}

impl Terms {
    /// The application of the same operator to other arguments, of the same sorts as the old ones.
    ///
    /// # Panics
    /// If the sorts differ.
    pub fn rebuild(&mut self, term: TermId, args: &[TermId]) -> TermId {
        debug_assert_eq!(self.args(term).len(), args.len());
        if self.args(term) == args {
            return term;
        }
        assert!(
            self.args(term).iter().zip(args).all(|(&a, &b)| self.sort(a) == self.sort(b)),
            "rebuilding keeps the sorts of arguments"
        );
        let (op, indices, sort) = (self.op(term), self.indices(term), self.sort(term));
        match op {
            // These fold literals.
            Op::Neg | Op::Div | Op::Fp => self.mk_indexed(op, indices, args),
            _ => {
                let own = self.own_flags(term);
                self.intern(op, indices, args, sort, own)
            }
        }
    }

    /// The terms with some subterms replaced by others of the same sorts, everywhere they occur free. Bound variables
    /// that would capture a symbol of a replacement are renamed.
    pub fn substitute(&mut self, roots: &[TermId], map: &TermMap) -> Vec<TermId> {
        self.substitute_below(roots, map, &mut FreeVars::default())
    }

    fn substitute_below(&mut self, roots: &[TermId], map: &TermMap, free: &mut FreeVars) -> Vec<TermId> {
        // Binders of these variables need care; mostly there are none.
        let mut critical = crate::hash_set();
        let replacements: Vec<TermId> =
            map.values().copied().filter(|&t| self.flags(t).has(Flags::BOUND)).collect();
        critical.extend(map.keys().copied().filter(|&t| self.op(t) == Op::Bound));
        self.add_variables(&replacements, &mut critical);
        let mut done: TermMap = map.clone();
        if critical.is_empty() {
            for term in reachable(self, roots) {
                if !done.contains_key(&term) {
                    let new = self.rebuild_with(term, &done);
                    done.insert(term, new);
                }
            }
            return roots.iter().map(|r| done[r]).collect();
        }
        // Bodies that need care are not walked here, so that each is walked once and not once for every binder around it.
        let mut stack = roots.to_vec();
        while let Some(&term) = stack.last() {
            let before = stack.len();
            let new = if done.contains_key(&term) {
                None
            } else if self.is_binder(term) && self.args(term).iter().any(|a| critical.contains(a)) {
                Some(self.substitute_binder(term, map, free))
            } else {
                stack.extend(self.args(term).iter().copied().filter(|a| !done.contains_key(a)));
                if stack.len() > before {
                    continue;
                }
                Some(self.rebuild_with(term, &done))
            };
            if let Some(new) = new {
                done.insert(term, new);
            }
            stack.pop();
        }
        roots.iter().map(|r| done[r]).collect()
    }

    fn rebuild_with(&mut self, term: TermId, done: &TermMap) -> TermId {
        let args: Vec<TermId> = self.args(term).iter().map(|a| done[a]).collect();
        self.rebuild(term, &args)
    }

    fn is_binder(&self, term: TermId) -> bool {
        matches!(self.op(term), Op::Forall | Op::Exists | Op::Lambda | Op::Match)
    }

    /// Adds the bound variables that occur in terms.
    fn add_variables(&self, of: &[TermId], set: &mut hashbrown::HashSet<TermId, FxBuildHasher>) {
        Walker::default().visit(self, of, |t| {
            if self.op(t) == Op::Bound {
                set.insert(t);
            }
        });
    }

    /// Under a binder its own variables are not replaced, and they get new names if a replacement that happens there
    /// mentions them. Recursion is over nested binders, whose depth the arena bounds.
    #[cold]
    fn substitute_binder(&mut self, term: TermId, map: &TermMap, free: &mut FreeVars) -> TermId {
        let outer = free.of(self, term);
        let mut occurring = crate::hash_set();
        Walker::default().visit(self, &[term], |t| {
            if map.contains_key(&t) && (self.op(t) != Op::Bound || outer.contains(&t)) {
                occurring.insert(t);
            }
        });
        if occurring.is_empty() {
            return term;
        }
        let mut relevant = map.clone();
        relevant.retain(|key, _| occurring.contains(key));
        let mut mentioned = crate::hash_set();
        let replacements: Vec<TermId> = relevant.values().copied().collect();
        self.add_variables(&replacements, &mut mentioned);
        let parts: Vec<(Vec<TermId>, TermId)> = match self.match_cases(term) {
            Some(cases) => cases.into_iter().map(|(_, vars, body)| (vars.to_vec(), body)).collect(),
            None => {
                let (vars, body) = self.binder(term).expect("a binder");
                vec![(vars.to_vec(), body)]
            }
        };
        let mut args = Vec::new();
        if self.op(term) == Op::Match {
            let scrutinee = self.args(term)[0];
            args.push(self.substitute_below(&[scrutinee], &relevant, free)[0]);
        }
        for (vars, body) in parts {
            let mut inner = relevant.clone();
            for var in vars {
                inner.remove(&var);
                let var = if mentioned.contains(&var) {
                    let prefix = format!("{}!", self.name(self.bound_name(var).expect("a bound variable")));
                    let name = self.fresh_symbol(&prefix);
                    let fresh = self.bound(name, self.sort(var), 0);
                    inner.insert(var, fresh);
                    fresh
                } else {
                    var
                };
                args.push(var);
            }
            args.push(self.substitute_below(&[body], &inner, free)[0]);
        }
        self.rebuild(term, &args)
    }

    /// The terms without annotations.
    pub fn strip_annotations(&mut self, roots: &[TermId]) -> Vec<TermId> {
        self.rewrite(roots, Flags::ANNOTATION, |terms, term| {
            (terms.op(term) == Op::Annot).then(|| terms.args(term)[0])
        })
    }

    /// The terms with defined, non-recursive functions replaced by their bodies. Each call is unfolded once, wherever it
    /// occurs, so that the work is that of the result. Definitions can describe terms beyond any memory: where the arena grows
    /// by more than `MAX_UNFOLDED` terms, or its token ends the work, calls are left as they are.
    pub fn unfold(&mut self, roots: &[TermId]) -> Vec<TermId> {
        let most = self.len().saturating_add(MAX_UNFOLDED);
        let mut done = TermMap::default();
        let mut bodies = TermMap::default();
        let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
        let mut steps = 0u32;
        while let Some(&term) = stack.last() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(POLL_EVERY) && (self.len() > most || self.token().is_over()) {
                break;
            }
            if !self.flags(term).has(Flags::DEFINED) || done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let open = |a: &TermId| self.flags(*a).has(Flags::DEFINED) && !done.contains_key(a);
            stack.extend(self.args(term).iter().copied().filter(open));
            if stack.len() > before {
                continue;
            }
            let args: Vec<TermId> = self.args(term).iter().map(|a| *done.get(a).unwrap_or(a)).collect();
            let call = self.rebuild(term, &args);
            let body = match bodies.get(&call) {
                Some(&body) => Some(body),
                None => self.body_of_call(call),
            };
            let Some(body) = body else {
                done.insert(term, call);
                stack.pop();
                continue;
            };
            bodies.insert(call, body);
            match done.get(&body) {
                None if self.flags(body).has(Flags::DEFINED) => stack.push(body),
                known => {
                    let new = known.copied().unwrap_or(body);
                    done.insert(term, new);
                    stack.pop();
                }
            }
        }
        roots.iter().map(|r| *done.get(r).unwrap_or(r)).collect()
    }

    /// The terms with every `match` as a nest of `ite`: testers ask for the constructors in order, the last case needs no
    /// question, and selectors of the scrutinee stand for the variables.
    pub fn unfold_matches(&mut self, roots: &[TermId]) -> Vec<TermId> {
        self.rewrite(roots, Flags::BINDER, |terms, term| terms.match_as_choice(term))
    }

    fn match_as_choice(&mut self, term: TermId) -> Option<TermId> {
        let cases = self.match_cases(term)?;
        // A variable in the place of a constructor takes all that is left.
        let taken = cases.iter().position(|(case, ..)| case.ctor.is_none()).map_or(cases.len(), |at| at + 1);
        let cases: Vec<_> =
            cases[..taken].iter().map(|&(case, vars, body)| (case.ctor, vars.to_vec(), body)).collect();
        let scrutinee = self.args(term)[0];
        let mut choice = None;
        for (ctor, vars, body) in cases.into_iter().rev() {
            let parts = match ctor {
                Some(ctor) => {
                    let fields = self.ctor(ctor).fields.clone();
                    let select =
                        |field| self.select_field(field, scrutinee).expect("the reader checked the sorts");
                    fields.into_iter().map(select).collect()
                }
                None => vec![scrutinee],
            };
            let body = self.substitute(&[body], &vars.into_iter().zip(parts).collect())[0];
            choice = Some(match (choice, ctor) {
                (Some(rest), Some(ctor)) => {
                    let is_it = self.test_ctor(ctor, scrutinee).expect("the reader checked the sorts");
                    self.mk(Op::Ite, &[is_it, body, rest])
                }
                _ => body,
            });
        }
        choice
    }

    /// The body of a defined, non-recursive function for the arguments of a call.
    fn body_of_call(&mut self, call: TermId) -> Option<TermId> {
        let fun = self.as_fun(call).filter(|_| self.op(call) == Op::Apply)?;
        let definition = self.fun(fun).definition.clone().filter(|d| !d.recursive)?;
        if definition.vars.len() != self.args(call).len() {
            return None;
        }
        let args = self.args(call).to_vec();
        let map: TermMap =
            definition.vars.iter().copied().zip(args).filter(|(var, arg)| var != arg).collect();
        Some(if map.is_empty() { definition.body } else { self.substitute(&[definition.body], &map)[0] })
    }

    /// Rewrites bottom-up, once; only terms with the flag are looked at.
    fn rewrite(
        &mut self,
        roots: &[TermId],
        flag: Flags,
        mut rule: impl FnMut(&mut Terms, TermId) -> Option<TermId>,
    ) -> Vec<TermId> {
        let mut done = TermMap::default();
        for term in reachable(self, roots) {
            if !self.flags(term).has(flag) {
                continue;
            }
            let args: Vec<TermId> = self.args(term).iter().map(|a| *done.get(a).unwrap_or(a)).collect();
            let rebuilt = self.rebuild(term, &args);
            let new = rule(self, rebuilt).unwrap_or(rebuilt);
            done.insert(term, new);
        }
        roots.iter().map(|r| *done.get(r).unwrap_or(r)).collect()
    }
}
