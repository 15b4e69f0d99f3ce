//! Looking at terms: operators, arguments, indices, sorts, and the parts of binders, matches and annotations.

use super::{Attribute, CtorId, FieldId, Flags, FunId, MatchCase, TermId, Terms};
use crate::op::Op;
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::value::Value;

/// Looking at terms.
impl Terms {
    /// How many terms the arena has; their ids count from zero.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena is empty (it never is: it holds `true` and `false`).
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator or kind of a term.
    #[inline]
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The arguments of a term. For binders: the bound variables and then the body; for `match` see
    /// `Terms::match_cases`; for annotations: the term and then the terms of its attributes.
    #[inline]
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        &self.args[node.start as usize..(node.start + node.len) as usize]
    }

    /// The numerals of an indexed operator; zero where it has none.
    #[inline]
    pub fn indices(&self, term: TermId) -> [u32; 2] {
        self.nodes[term.index()].indices
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// What a node adds to the flags of its arguments.
    pub(crate) fn own_flags(&self, term: TermId) -> Flags {
        match self.op(term) {
            Op::Bound => Flags::BOUND,
            Op::Forall | Op::Exists | Op::Lambda | Op::Match => Flags::BINDER,
            Op::Annot => Flags::ANNOTATION,
            Op::Apply if self.fun(FunId(self.indices(term)[0])).definition.is_some() => Flags::DEFINED,
            Op::Apply | Op::AsArray => Flags::SYMBOL,
            _ => Flags::default(),
        }
    }

    /// What occurs in a term.
    #[inline]
    pub fn flags(&self, term: TermId) -> Flags {
        self.nodes[term.index()].flags
    }

    /// The value of a constant.
    #[inline]
    pub fn as_value(&self, term: TermId) -> Option<&Value> {
        let node = &self.nodes[term.index()];
        (node.op == Op::Const).then(|| &self.consts[node.indices[0] as usize])
    }

    /// The function of an application (also of a function symbol that stands for itself).
    #[inline]
    pub fn as_fun(&self, term: TermId) -> Option<FunId> {
        let node = &self.nodes[term.index()];
        matches!(node.op, Op::Apply | Op::AsArray).then_some(FunId(node.indices[0]))
    }

    /// Whether an application is a function symbol that stands for itself, as a map.
    pub fn is_function_symbol(&self, term: TermId) -> bool {
        let node = &self.nodes[term.index()];
        node.op == Op::Apply && node.indices[1] == 1
    }

    /// The name of a bound variable.
    pub fn bound_name(&self, term: TermId) -> Option<Symbol> {
        let node = &self.nodes[term.index()];
        (node.op == Op::Bound).then(|| Symbol::from_index(node.indices[0]))
    }

    /// The variables and the body of a quantifier or lambda.
    pub fn binder(&self, term: TermId) -> Option<(&[TermId], TermId)> {
        if !matches!(self.op(term), Op::Forall | Op::Exists | Op::Lambda) {
            return None;
        }
        let (body, vars) = self.args(term).split_last()?;
        Some((vars, *body))
    }

    /// The cases of a `match`, each with its variables and body.
    pub(crate) fn match_cases(&self, term: TermId) -> Option<Vec<(MatchCase, &[TermId], TermId)>> {
        if self.op(term) != Op::Match {
            return None;
        }
        let mut rest = &self.args(term)[1..];
        let mut cases = Vec::new();
        for &case in self.cases[self.indices(term)[0] as usize].iter() {
            let (vars, tail) = rest.split_at(case.vars as usize);
            cases.push((case, vars, tail[0]));
            rest = &tail[1..];
        }
        Some(cases)
    }

    /// The attributes of an annotated term.
    pub fn attributes(&self, term: TermId) -> Option<&[Attribute]> {
        (self.op(term) == Op::Annot).then(|| &*self.attributes[self.indices(term)[0] as usize])
    }

    /// The constructor of a constructor application or tester.
    pub fn as_ctor(&self, term: TermId) -> Option<CtorId> {
        matches!(self.op(term), Op::Construct | Op::Tester).then(|| CtorId(self.indices(term)[0]))
    }

    /// The field of a selector or update.
    pub fn as_field(&self, term: TermId) -> Option<FieldId> {
        matches!(self.op(term), Op::Field | Op::UpdateField).then(|| FieldId(self.indices(term)[0]))
    }

    /// The function with this id.
    pub fn fun_at(&self, index: usize) -> FunId {
        debug_assert!(index < self.funs.len());
        FunId(index as u32)
    }
}
