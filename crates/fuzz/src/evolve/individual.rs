//! Individuals (Section III-B): a script without quantifiers as the list of its assertions. Owns their normal form, in which
//! variables are named by sort and first occurrence, so that individuals that differ in names only are the same text and
//! are never run twice, and variables that nothing uses do not exist. Refuses what the operators below cannot change
//! soundly: binders, functions with arguments, datatypes, arrays.

use crate::case::Rejected;
pub(crate) use crate::tuning::evolve_individual::MAX_NODES;
use smt::{Command, Dialect, Op, Script, Sort, SortId, TermId, TermMap, Terms, Theory, print, walk};

/// A test case under evolution. Its terms live in the arena of the population.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Individual {
    assertions: Vec<TermId>,
}

impl Individual {
    /// The individual with these assertions, in normal form.
    pub fn new(terms: &mut Terms, assertions: &[TermId]) -> Individual {
        let mut map = TermMap::default();
        let mut names: Vec<(SortId, usize)> = Vec::new();
        for variable in variables(terms, assertions) {
            let sort = terms.sort(variable);
            let number = match names.iter_mut().find(|(s, _)| *s == sort) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    names.push((sort, 0));
                    0
                }
            };
            let renamed = self::variable(terms, sort, number);
            map.insert(variable, renamed);
        }
        Individual { assertions: terms.substitute(assertions, &map) }
    }

    /// What a script asserts, definitions unfolded and annotations dropped.
    pub fn from_script(terms: &mut Terms, script: &Script) -> Result<Individual, Rejected> {
        let asserted: Vec<TermId> = script.assertions().collect();
        let unfolded = terms.unfold(&asserted);
        let plain = terms.strip_annotations(&unfolded);
        if plain.is_empty() {
            return Err(Rejected("it asserts nothing".into()));
        }
        let (_, nodes) = walk::sizes(terms, &plain);
        if nodes > MAX_NODES {
            return Err(Rejected(format!("it has {nodes} nodes; at most {MAX_NODES} evolve")));
        }
        for term in walk::reachable(terms, &plain) {
            check(terms, term)?;
        }
        Ok(Individual::new(terms, &plain))
    }

    /// The formula: a conjunction of these terms.
    pub(crate) fn assertions(&self) -> &[TermId] {
        &self.assertions
    }

    /// The variables in the order of their first occurrence.
    pub(crate) fn variables(&self, terms: &Terms) -> Vec<TermId> {
        variables(terms, &self.assertions)
    }

    /// The script: logic, declarations, assertions, `check-sat`.
    pub(crate) fn script(&self, terms: &mut Terms, logic: &str) -> Script {
        let mut script = Script::default();
        script.push(Command::SetLogic(terms.symbol(logic)));
        for variable in self.variables(terms) {
            if let Some(fun) = terms.as_fun(variable) {
                script.push(Command::DeclareFun(fun));
            }
        }
        for &assertion in &self.assertions {
            script.push(Command::Assert(assertion));
        }
        script.push(Command::CheckSat);
        script
    }

    /// The script as text for a solver.
    pub(crate) fn text(&self, terms: &mut Terms, logic: &str, dialect: Dialect) -> String {
        let script = self.script(terms, logic);
        print::script_to_string(terms, &script, print::Style { dialect, share: false })
    }

    /// How many nodes it has, counted as trees.
    pub(crate) fn nodes(&self, terms: &Terms) -> u64 {
        walk::sizes(terms, &self.assertions).1
    }
}

/// The variable of a sort with a number: its name tells the sort, so that assertions of different individuals can stand
/// together without a name meaning two things.
pub(crate) fn variable(terms: &mut Terms, sort: SortId, number: usize) -> TermId {
    let prefix = match terms.sort_of(sort) {
        Sort::Bool => "b".into(),
        Sort::Int => "i".into(),
        Sort::Real => "r".into(),
        Sort::String => "s".into(),
        Sort::RoundingMode => "m".into(),
        Sort::BitVec(width) => format!("v{width}_"),
        Sort::Float(eb, sb) => format!("f{eb}_{sb}_"),
        _ => format!("x{}_", sort.index()),
    };
    terms.symbol_constant(&format!("{prefix}{number}"), sort)
}

/// Whether a term is a variable.
pub(crate) fn is_variable(terms: &Terms, term: TermId) -> bool {
    terms.op(term) == Op::Apply && terms.args(term).is_empty()
}

/// The variables of terms in the order of their first occurrence, reading from left to right.
pub(crate) fn variables(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen = std::collections::HashSet::new();
    let mut found = Vec::new();
    let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if is_variable(terms, term) {
                found.push(term);
            }
            stack.extend(terms.args(term).iter().rev());
        }
    }
    found
}

fn check(terms: &Terms, term: TermId) -> Result<(), Rejected> {
    let plain_sort = !matches!(
        terms.sort_of(terms.sort(term)),
        Sort::Array(..)
            | Sort::Uninterpreted(..)
            | Sort::Datatype(..)
            | Sort::Function(..)
            | Sort::Parameter(_)
    );
    let plain_node = match terms.op(term) {
        Op::Const => true,
        Op::Apply => is_variable(terms, term),
        op => op.info().theory != Theory::Language,
    };
    if plain_sort && plain_node {
        return Ok(());
    }
    Err(Rejected(format!(
        "it uses `{}`, which does not evolve",
        smt::text::shortened(&print::term_to_string(terms, term), 60)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(terms: &mut Terms, text: &str) -> Result<Individual, Rejected> {
        let reading = smt::read_script(terms, text);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        Individual::from_script(terms, &reading.script)
    }

    #[test]
    fn names_do_not_matter() {
        let mut terms = Terms::new();
        let one = "(declare-const x String)(declare-const y String)(declare-const unused Int)(assert (str.prefixof x y))";
        let two = "(declare-const y String)(declare-const x String)(assert (str.prefixof y x))";
        let (one, two) = (read(&mut terms, one).unwrap(), read(&mut terms, two).unwrap());
        assert_eq!(one, two);
        assert_eq!(
            one.text(&mut terms, "QF_S", Dialect::V26),
            "(set-logic QF_S)\n(declare-fun s0 () String)\n(declare-fun s1 () String)\n(assert (str.prefixof s0 s1))\n(check-sat)\n"
        );
    }

    #[test]
    fn the_order_of_occurrence_does_matter() {
        let mut terms = Terms::new();
        let text =
            "(declare-const a String)(declare-const b String)(assert (= a b))(assert (str.prefixof b a))";
        let individual = read(&mut terms, text).unwrap();
        assert!(individual.text(&mut terms, "QF_S", Dialect::V26).contains("(str.prefixof s1 s0)"));
    }

    #[test]
    fn what_does_not_evolve_is_refused_with_a_reason() {
        for text in [
            "(declare-fun f (Int) Int)(assert (= (f 1) 2))",
            "(assert (forall ((x Int)) (> x 0)))",
            "(declare-const a (Array Int Int))(assert (= (select a 0) 1))",
            "(check-sat)",
        ] {
            let mut terms = Terms::new();
            assert!(read(&mut terms, text).is_err(), "{text}");
        }
    }

    #[test]
    fn definitions_are_unfolded() {
        let mut terms = Terms::new();
        let text = "(declare-const x Int)(define-fun twice ((y Int)) Int (* 2 y))(assert (! (= (twice x) 4) :named a))";
        let individual = read(&mut terms, text).unwrap();
        assert!(individual.text(&mut terms, "QF_LIA", Dialect::V26).contains("(assert (= (* 2 i0) 4))"));
    }
}
