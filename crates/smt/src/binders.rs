//! Bound variables: which occur free where, and one numbering of variables that hide each other.

use crate::op::Op;
use crate::term::{Flags, TermId, Terms};
use crate::walk::TermMap;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// The bound variables that occur free in terms, remembered.
#[derive(Default)]
pub(crate) struct FreeVars {
    known: HashMap<TermId, Rc<[TermId]>, FxBuildHasher>,
}

impl FreeVars {
    /// The bound variables that occur free in a term, in ascending order.
    pub(crate) fn of(&mut self, terms: &Terms, term: TermId) -> Rc<[TermId]> {
        if !terms.flags(term).has(Flags::BOUND) {
            return Rc::new([]);
        }
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let missing = |a: &TermId| terms.flags(*a).has(Flags::BOUND) && !self.known.contains_key(a);
            let before = stack.len();
            stack.extend(terms.args(t).iter().copied().filter(missing));
            if stack.len() == before {
                stack.pop();
                let set = self.free_in_args(terms, t);
                self.known.insert(t, set);
            }
        }
        self.known[&term].clone()
    }

    fn free_in_args(&self, terms: &Terms, term: TermId) -> Rc<[TermId]> {
        if terms.op(term) == Op::Bound {
            return Rc::new([term]);
        }
        let of = |t: TermId| -> &[TermId] { self.known.get(&t).map_or(&[], |set| set) };
        let mut set: Vec<TermId> = Vec::new();
        if let Some((vars, body)) = terms.binder(term) {
            set.extend(of(body).iter().filter(|v| !vars.contains(v)));
        } else if let Some(cases) = terms.match_cases(term) {
            set.extend(of(terms.args(term)[0]));
            for (_, vars, body) in cases {
                set.extend(of(body).iter().filter(|v| !vars.contains(v)));
            }
        } else {
            let args = terms.args(term);
            // Most terms have the same free variables as one of their arguments: share that set.
            if let Some(largest) = args.iter().max_by_key(|&&a| of(a).len())
                && args.iter().all(|&a| of(a).iter().all(|v| of(*largest).binary_search(v).is_ok()))
                && let Some(shared) = self.known.get(largest)
            {
                return shared.clone();
            }
            for &arg in args {
                set.extend(of(arg));
            }
        }
        set.sort_unstable();
        set.dedup();
        set.into()
    }
}

impl Terms {
    /// Numbers bound variables that hide each other by what is free in their scopes alone, so that a term does not depend
    /// on where it stood in a text: each variable gets the least number that no variable of its name has that is free in
    /// its binder.
    pub(crate) fn renumber(&mut self, term: TermId) -> TermId {
        let mut free = FreeVars::default();
        self.renumber_below(term, &mut free)
    }

    /// Rebuilds a term down to its outermost binders, which are renumbered one after the other. Recursion is over nested
    /// binders only, whose depth the arena bounds.
    fn renumber_below(&mut self, root: TermId, free: &mut FreeVars) -> TermId {
        let mut done = TermMap::default();
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            if !self.flags(term).has(Flags::BINDER) {
                done.insert(term, term);
            } else if matches!(self.op(term), Op::Forall | Op::Exists | Op::Lambda | Op::Match) {
                let new = self.renumber_binder(term, free);
                done.insert(term, new);
            } else {
                let before = stack.len();
                stack.extend(self.args(term).iter().copied().filter(|a| !done.contains_key(a)));
                if stack.len() == before {
                    let args: Vec<TermId> = self.args(term).iter().map(|a| done[a]).collect();
                    let new = self.rebuild(term, &args);
                    done.insert(term, new);
                }
            }
        }
        done[&root]
    }

    fn renumber_binder(&mut self, term: TermId, free: &mut FreeVars) -> TermId {
        let (mut args, parts): (Vec<TermId>, Vec<(Vec<TermId>, TermId)>) = match self.match_cases(term) {
            Some(cases) => {
                let parts = cases.into_iter().map(|(_, vars, body)| (vars.to_vec(), body)).collect();
                let scrutinee = self.args(term)[0];
                (vec![self.renumber_below(scrutinee, free)], parts)
            }
            None => {
                let (vars, body) = self.binder(term).expect("a binder");
                (Vec::new(), vec![(vars.to_vec(), body)])
            }
        };
        for (vars, body) in parts {
            // Only what is free in the scope itself is in the way, not the scrutinee or other cases of a `match`.
            let mut taken: Vec<TermId> = free.of(self, body).to_vec();
            taken.retain(|v| !vars.contains(v));
            let mut map = TermMap::default();
            for var in vars {
                let (name, sort) = (self.bound_name(var).expect("a bound variable"), self.sort(var));
                let new = (0..)
                    .map(|level| self.bound(name, sort, level))
                    .find(|v| !taken.contains(v))
                    .expect("numbers do not end");
                taken.push(new);
                args.push(new);
                if new != var {
                    map.insert(var, new);
                }
            }
            let body = if map.is_empty() { body } else { self.substitute(&[body], &map)[0] };
            args.push(self.renumber_below(body, free));
        }
        self.rebuild(term, &args)
    }
}
