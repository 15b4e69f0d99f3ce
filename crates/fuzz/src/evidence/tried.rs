//! The truth of a query whose constants have few values: all are tried, and evaluation decides. Reduced scripts are mostly of this
//! kind, and then no solver has to be believed.

use super::sent::SentScript;
use crate::truth::grow::by_trying;
use smt::walk::reachable;
use smt::{Command, FunId, Model, Op, TermId, Terms};
use std::collections::BTreeSet;

impl SentScript {
    /// A model of the query's assertions, `Some(None)` if there is none, and `None` if trying cannot tell: a constant has too many
    /// values, a function is free, the standard leaves a value open, or a definition uses itself. With `only`, of the
    /// assertions of these names alone.
    pub(super) fn tried(&self, query: usize, only: Option<&[String]>) -> Option<Option<Model>> {
        let terms = self.terms();
        if self.has_recursion() {
            return None;
        }
        let assertions = self.in_force(query, only);
        let (roots, _) = with_definitions(terms, &assertions);
        let mut constants = Vec::new();
        for term in reachable(terms, &roots) {
            let free = terms.as_fun(term).is_some_and(|fun| terms.fun(fun).definition.is_none());
            match terms.op(term) {
                Op::Apply if free && terms.args(term).is_empty() => constants.push(term),
                Op::Apply if free => return None,
                _ => {}
            }
        }
        by_trying(terms, &constants, &assertions)
    }

    /// Whether a definition uses itself. Such a definition is an axiom that may have no solution, so that a model of the
    /// assertions is none of the script.
    pub(super) fn has_recursion(&self) -> bool {
        let terms = self.terms();
        let defined = self.script().commands.iter().flat_map(|command| match command {
            Command::DefineFunsRec(funs) => funs.to_vec(),
            _ => Vec::new(),
        });
        let body = |fun: FunId| terms.fun(fun).definition.as_ref().map(|definition| definition.body);
        let uses =
            |fun: FunId| body(fun).is_some_and(|body| with_definitions(terms, &[body]).1.contains(&fun));
        defined.into_iter().any(uses)
    }
}

/// Terms and the bodies of all definitions that they use, and the functions of these.
pub(crate) fn with_definitions(terms: &Terms, roots: &[TermId]) -> (Vec<TermId>, BTreeSet<FunId>) {
    let (mut roots, mut used, mut next) = (roots.to_vec(), BTreeSet::new(), 0);
    while next < roots.len() {
        let called = reachable(terms, &roots[next..]).into_iter().filter_map(|term| terms.as_fun(term));
        next = roots.len();
        for fun in called {
            if let Some(definition) = &terms.fun(fun).definition
                && used.insert(fun)
            {
                roots.push(definition.body);
            }
        }
    }
    (roots, used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Dialect;

    fn tried(source: &str) -> Option<bool> {
        let script = SentScript::read(source, Dialect::V26).expect("a script");
        script.tried(0, None).map(|model| model.is_some())
    }

    #[test]
    fn few_values_decide() {
        let x = "(declare-const x (_ BitVec 2))(define-fun f ((y (_ BitVec 2))) Bool (= (bvmul x y) #b01))";
        assert_eq!(tried(&format!("{x}(assert (f x))(check-sat)")), Some(true));
        assert_eq!(tried(&format!("{x}(assert (f x))(assert (= x #b10))(check-sat)")), Some(false));
        assert_eq!(tried("(assert false)(check-sat)"), Some(false));
        // What is not in force, too many values, free functions, an open value.
        assert_eq!(tried("(push 1)(assert false)(pop 1)(check-sat)"), Some(true));
        assert_eq!(tried("(declare-const n Int)(assert (> n n))(check-sat)"), None);
        assert_eq!(tried("(declare-fun g (Bool) Bool)(assert (g true))(check-sat)"), None);
        assert_eq!(tried("(assert (= (div 1 0) 0))(check-sat)"), None);
    }

    /// No Boolean is its own negation, so that the script has no model, whatever is asserted.
    #[test]
    fn what_uses_itself_is_not_tried() {
        assert_eq!(tried("(define-fun-rec f () Bool true)(assert f)(check-sat)"), Some(true));
        assert_eq!(tried("(define-fun-rec f () Bool (not f))(check-sat)"), None);
        let two = "(define-funs-rec ((f () Bool) (g () Bool)) ((not g) f))(assert true)(check-sat)";
        assert_eq!(tried(two), None);
    }
}
