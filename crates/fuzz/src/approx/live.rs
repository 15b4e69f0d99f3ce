//! Which terms are live at a place of a script: the constants and functions declared there, the variables bound around the
//! literal, and ground terms that the same assertion is made of.

use crate::tuning::approx_live::KEPT;
use smt::{Command, Flags, FunId, Op, Script, Sort, SortId, TermId, Terms, walk};

/// Terms by sort, and unary functions by the sort of their parameter.
#[derive(Clone, Debug, Default)]
pub struct Live {
    sorts: Vec<(SortId, Vec<TermId>)>,
    functions: Vec<FunId>,
}

impl Live {
    /// The terms of a sort.
    pub fn of(&self, sort: SortId) -> &[TermId] {
        self.sorts.iter().find(|(s, _)| *s == sort).map_or(&[], |(_, terms)| terms)
    }

    /// The sorts that have terms.
    pub(crate) fn sorts(&self) -> impl ExactSizeIterator<Item = SortId> + '_ {
        self.sorts.iter().map(|(sort, _)| *sort)
    }

    /// Declared functions of one parameter.
    pub(crate) fn functions(&self) -> &[FunId] {
        &self.functions
    }

    /// The variables bound around a literal.
    pub(crate) fn with_bound(terms: &Terms, variables: &[TermId]) -> Live {
        let mut live = Live::default();
        for &variable in variables {
            live.add(terms, variable);
        }
        live
    }

    /// Adds all of another.
    pub(crate) fn extend(&mut self, other: &Live) {
        for (sort, terms) in &other.sorts {
            match self.sorts.iter_mut().find(|(s, _)| s == sort) {
                Some((_, list)) => list.extend_from_slice(terms),
                None => self.sorts.push((*sort, terms.clone())),
            }
        }
        self.functions.extend_from_slice(&other.functions);
    }

    /// Makes a term available to snippets.
    pub(crate) fn add(&mut self, terms: &Terms, term: TermId) {
        let sort = terms.sort(term);
        if matches!(terms.sort_of(sort), Sort::RegLan | Sort::Function(..)) {
            return;
        }
        match self.sorts.iter_mut().find(|(s, _)| *s == sort) {
            Some((_, list)) if list.len() >= KEPT || list.contains(&term) => {}
            Some((_, list)) => list.push(term),
            None => self.sorts.push((sort, vec![term])),
        }
    }
}

/// From which command to which a declaration is in force.
#[derive(Clone, Copy, Debug)]
struct Span {
    fun: FunId,
    from: usize,
    to: usize,
}

/// The declarations of a script and their spans, push and pop followed.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    spans: Vec<Span>,
}

impl Declarations {
    /// The declarations of a script. Under `:global-declarations` they live longer than is assumed here.
    pub fn of(script: &Script) -> Declarations {
        let mut spans: Vec<Span> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut marks: Vec<usize> = Vec::new();
        for (at, command) in script.commands.iter().enumerate() {
            let mut close_to = open.len();
            match command {
                Command::DeclareFun(fun) | Command::DeclareConst(fun) => {
                    open.push(spans.len());
                    spans.push(Span { fun: *fun, from: at, to: usize::MAX });
                    continue;
                }
                Command::Push(n) => marks.extend(std::iter::repeat_n(open.len(), *n as usize)),
                Command::Pop(n) => {
                    (0..*n).for_each(|_| close_to = marks.pop().unwrap_or(0));
                }
                Command::ResetAssertions => {
                    marks.clear();
                    close_to = 0;
                }
                _ => {}
            }
            for closed in open.drain(close_to..) {
                spans[closed].to = at;
            }
        }
        Declarations { spans }
    }

    /// What is live in a command: what is declared there, and the ground terms of `formula`, which stands there.
    pub fn live_at(&self, terms: &mut Terms, command: usize, formula: TermId) -> Live {
        let mut live = Live::default();
        for span in self.spans.iter().filter(|s| s.from < command && command < s.to) {
            match *terms.fun(span.fun).params {
                [] => {
                    if let Ok(constant) = terms.apply(span.fun, &[]) {
                        live.add(terms, constant);
                    }
                }
                [_] => live.functions.push(span.fun),
                _ => {}
            }
        }
        // Literals only of sorts that something else is live of: `2.0` in a conversion does not bring arithmetic along.
        let is_ground = |t: TermId| !terms.flags(t).has(Flags::BOUND) && !terms.flags(t).has(Flags::BINDER);
        let reachable = walk::reachable(terms, &[formula]);
        for &term in reachable.iter().filter(|&&t| is_ground(t)) {
            if terms.sort(term) != SortId::BOOL && !matches!(terms.op(term), Op::Annot | Op::Const) {
                live.add(terms, term);
            }
        }
        for &term in reachable.iter().filter(|&&t| terms.op(t) == Op::Const) {
            if terms.sort(term) != SortId::BOOL && !live.of(terms.sort(term)).is_empty() {
                live.add(terms, term);
            }
        }
        live
    }
}
