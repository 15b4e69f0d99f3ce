//! A script as it was sent, read back on its own, so that models can be judged: what is evaluated is the text that the
//! solver saw, not what its maker meant. Owns the reading of models in the script's scopes; concludes nothing about solvers.

use crate::options::is_simplifier;
use crate::tuning::evidence_sent::{QUANTIFIED_STEPS, SHOWN};
use smt::eval::explain;
use smt::model::read_model;
use smt::print::{Style, term_to_string, write_command};
use smt::text::shortened;
use smt::{Command, CommandClass, Dialect, Evaluator, Model, Reader, Script, TermId, Terms};

/// What evaluation says of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelCheck {
    /// Every assertion in force is true.
    Satisfies,
    /// An assertion in force is false.
    Violates {
        /// Which of the assertions in force, from 0.
        assertion: usize,
        /// The subterm to blame, in words.
        because: String,
    },
    /// None is false, and one has no value that the standard or the model fixes.
    Open(String),
    /// The text is no model of this script.
    Unreadable(String),
}

/// A script read back from the text that was sent.
#[derive(Debug)]
pub struct SentScript {
    terms: Terms,
    reader: Reader,
    script: Script,
    queries: Vec<Vec<TermId>>,
    /// For each query, how many of the last terms are assumptions that its core is about: none where it is about names.
    assumed: Vec<usize>,
}

/// For each query, its assumptions if those that failed are asked for.
fn assumed(script: &Script) -> Vec<usize> {
    let mut assumed = Vec::new();
    let mut assumptions = 0;
    for command in &script.commands {
        match (command, assumed.last_mut()) {
            (Command::CheckSat, _) => {
                assumptions = 0;
                assumed.push(0);
            }
            (Command::CheckSatAssuming(terms), _) => {
                assumptions = terms.len();
                assumed.push(0);
            }
            (Command::GetUnsatAssumptions, Some(last)) => *last = assumptions,
            _ => {}
        }
    }
    assumed
}

fn shown(text: &str) -> String {
    shortened(text, SHOWN)
}

impl SentScript {
    /// Reads the text; the message of the first error if it is no script.
    pub fn read(text: &str, dialect: Dialect) -> Result<SentScript, String> {
        let mut terms = Terms::new();
        let mut reader = Reader::with_dialect(dialect);
        let reading = reader.read(&mut terms, text);
        if let Some(error) = reading.errors.first() {
            return Err(error.to_string());
        }
        let queries = reading.script.queries();
        let assumed = assumed(&reading.script);
        Ok(SentScript { terms, reader, script: reading.script, queries, assumed })
    }

    /// The arena of the script.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The script as the solver read it.
    pub(crate) fn script(&self) -> &Script {
        &self.script
    }

    /// The arena and the script.
    pub(crate) fn into_parts(self) -> (Terms, Script) {
        (self.terms, self.script)
    }

    /// How many queries there are.
    pub(crate) fn queries(&self) -> usize {
        self.queries.len()
    }

    /// Whether what a solver printed is a model of the query.
    pub fn check(&mut self, query: usize, model: &str) -> ModelCheck {
        match read_model(&mut self.terms, &self.reader, model) {
            Ok(model) => self.evaluate(query, &model),
            Err(error) => ModelCheck::Unreadable(error.to_string()),
        }
    }

    /// One query as a script of its own: what is declared and defined before it, what is asserted there, one `check-sat`
    /// and a request for a model. With `only`, the assertions of these names alone.
    pub(crate) fn alone(&self, query: usize, dialect: Dialect, only: Option<&[String]>) -> String {
        self.excerpt(query, dialect, only, false)
    }

    /// The same in the logic `ALL`, for solvers that hold a script to the letter of its logic.
    pub(crate) fn alone_in_all(&self, query: usize, dialect: Dialect, only: Option<&[String]>) -> String {
        self.excerpt(query, dialect, only, true)
    }

    fn excerpt(&self, query: usize, dialect: Dialect, only: Option<&[String]>, all: bool) -> String {
        let mut out = String::from("(set-option :produce-models true)\n");
        if all {
            out.push_str("(set-logic ALL)\n");
        }
        let style = Style { dialect, share: true };
        let mut passed = 0;
        for command in &self.script.commands {
            match (command, command.class()) {
                (Command::SetLogic(_), _) if all => {}
                (Command::SetLogic(_), _) | (_, CommandClass::Declaration) => {
                    write_command(&mut out, &self.terms, command, style);
                    out.push('\n');
                }
                (_, CommandClass::Query) => passed += 1,
                _ => {}
            }
            if passed > query {
                break;
            }
        }
        for assertion in self.in_force(query, only) {
            write_command(&mut out, &self.terms, &Command::Assert(assertion), style);
            out.push('\n');
        }
        out.push_str("(check-sat)\n(get-model)\n");
        out
    }

    /// What is asserted at a query, its assumptions included. With `only`, the assertions of these names alone.
    pub(super) fn in_force(&self, query: usize, only: Option<&[String]>) -> Vec<TermId> {
        let kept = only.and_then(|core| self.kept(query, core));
        let terms = self.queries[query].iter().enumerate();
        terms.filter(|(place, _)| kept.as_ref().is_none_or(|kept| kept[*place])).map(|(_, &t)| t).collect()
    }

    /// The script as a session sends it: what follows the options and the logic stands inside a `push`.
    pub(crate) fn within_push(&self, dialect: Dialect) -> String {
        let mut out = String::new();
        let style = Style { dialect, share: true };
        let mut pushed = false;
        for command in &self.script.commands {
            let is_setting = match command {
                Command::Other(text) => is_simplifier(self.terms.name(*text)),
                _ => command.class() == CommandClass::Setting,
            };
            if !is_setting && !pushed {
                out.push_str("(push 1)\n");
                pushed = true;
            }
            write_command(&mut out, &self.terms, command, style);
            out.push('\n');
        }
        out
    }

    /// Which of the terms in force a core keeps: what it names, and all that it is not about. `None` if it names something
    /// else, so that nothing follows from it.
    fn kept(&self, query: usize, core: &[String]) -> Option<Vec<bool>> {
        let (force, assumed) = (&self.queries[query], self.assumed[query]);
        let mut found = vec![false; core.len()];
        let mut named = |word: &str| {
            let place = core.iter().position(|item| item.trim_matches('|') == word.trim_matches('|'));
            place.map(|place| found[place] = true).is_some()
        };
        let keep = |(place, &term): (usize, &TermId)| match (assumed, place + assumed < force.len()) {
            (0, _) => self.name_of(term).is_none_or(&mut named),
            (_, true) => true,
            (_, false) => named(&term_to_string(&self.terms, term)),
        };
        let kept = force.iter().enumerate().map(keep).collect();
        found.iter().all(|&found| found).then_some(kept)
    }

    /// Whether a core leaves a term of the query out: otherwise there is nothing to ask.
    pub(crate) fn leaves_out(&self, query: usize, core: &[String]) -> bool {
        self.kept(query, core).is_some_and(|kept| kept.contains(&false))
    }

    /// The name that an assertion's `:named` annotation gives it.
    fn name_of(&self, assertion: TermId) -> Option<&str> {
        self.terms.attributes(assertion)?.iter().find_map(|attribute| {
            let smt::AttributeValue::Text(name) = attribute.value else { return None };
            (self.terms.name(attribute.keyword) == ":named").then(|| self.terms.name(name))
        })
    }

    fn evaluate(&self, query: usize, model: &Model) -> ModelCheck {
        let mut evaluator = Evaluator::new(&self.terms, model);
        // Where a quantifier ranges over an infinite sort, most steps are spent on what cannot be decided anyway.
        let quantified = self.queries[query].iter().any(|&a| self.terms.flags(a).has(smt::Flags::BINDER));
        if quantified {
            evaluator = evaluator.with_steps(QUANTIFIED_STEPS);
        }
        let mut open = None;
        for (index, &assertion) in self.queries[query].iter().enumerate() {
            match evaluator.truth(assertion) {
                Ok(true) => {}
                Ok(false) => {
                    let because = match explain(&self.terms, &mut evaluator, assertion) {
                        None => shown(&term_to_string(&self.terms, assertion)),
                        Some(blame) => {
                            let (mut text, args) = blame.words(&self.terms);
                            // What is written as a value says it itself.
                            let values: Vec<String> = args
                                .into_iter()
                                .filter(|(term, value)| term != value)
                                .map(|(term, value)| format!("{term} = {value}"))
                                .collect();
                            if !values.is_empty() {
                                text.push_str(" where ");
                                text.push_str(&shown(&values.join(", ")));
                            }
                            text
                        }
                    };
                    return ModelCheck::Violates { assertion: index, because };
                }
                Err(reason) => open = open.or(Some(reason.to_string())),
            }
        }
        // A definition that uses itself is an axiom of its own, which may have no solution.
        let open = open.or_else(|| self.has_recursion().then(|| "a definition uses itself".to_string()));
        open.map_or(ModelCheck::Satisfies, ModelCheck::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, model: &str) -> ModelCheck {
        SentScript::read(script, Dialect::V26).expect("a script").check(0, model)
    }

    #[test]
    fn a_query_alone_has_what_is_in_force() {
        let source = "(set-logic QF_LIA)(declare-const x Int)(push 1)(assert (! (> x 0) :named a))(check-sat)(pop 1)\
                      (assert (! (< x 0) :named b))(assert (! (< x 5) :named c))(check-sat)";
        let script = SentScript::read(source, Dialect::V26).expect("a script");
        let alone = script.alone(1, Dialect::V26, None);
        assert!(!alone.contains(":named a") && alone.contains(":named b") && alone.contains(":named c"));
        let core = script.alone(1, Dialect::V26, Some(&["c".to_string()]));
        assert!(!core.contains(":named b") && core.contains(":named c"));
    }

    #[test]
    fn a_core_keeps_what_it_is_not_about() {
        let source = "(declare-const p Bool)(declare-const q Bool)(assert p)(assert (! q :named n))(assert (! (not p) :named m))(check-sat)\
                      (check-sat-assuming (p (not q) q))(get-unsat-assumptions)";
        let script = SentScript::read(source, Dialect::V26).expect("a script");
        let asserted = |query: usize, core: &[&str]| {
            let core: Vec<String> = core.iter().map(|item| item.to_string()).collect();
            let alone = script.alone(query, Dialect::V26, Some(&core));
            (alone.matches("(assert").count(), script.leaves_out(query, &core))
        };
        // What has no name is in every core.
        assert_eq!(asserted(0, &["m"]), (2, true));
        assert_eq!(asserted(0, &["|n|", "m"]), (3, false));
        // Every assertion is in force whatever failed.
        assert_eq!(asserted(1, &["q", "(not q)"]), (5, true));
        assert_eq!(asserted(1, &["p", "q", "(not q)"]), (6, false));
        // One that names something else says nothing.
        assert_eq!(asserted(0, &["m", "x"]), (3, false));
    }

    #[test]
    fn sessions_push_after_the_settings() {
        let source = "(set-option :produce-models true)(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)";
        let pushed = SentScript::read(source, Dialect::V26).expect("a script").within_push(Dialect::V26);
        let lines: Vec<&str> = pushed.lines().collect();
        assert_eq!(lines[1..4], ["(set-logic QF_LIA)", "(push 1)", "(declare-const x Int)"]);
        assert_eq!(lines.len(), 6);
    }

    #[test]
    fn models_are_judged_by_evaluation() {
        let script =
            "(declare-const x Int)(declare-const y Int)(assert (> x y))(assert (> (div x y) 5))(check-sat)";
        let model = |x: &str, y: &str| format!("((define-fun x () Int {x}) (define-fun y () Int {y}))");
        assert_eq!(check(script, &model("12", "2")), ModelCheck::Satisfies);
        let ModelCheck::Violates { assertion: 1, because } = check(script, &model("4", "2")) else {
            panic!("the second assertion is false")
        };
        assert!(because.contains("(div x y) = 2"), "{because}");
        let constant = "((as const (Array Int Int)) 1)";
        let arrays = format!("(declare-const a (Array Int Int))(assert (= a {constant}))(check-sat)");
        let zero = "((define-fun a () (Array Int Int) ((as const (Array Int Int)) 0)))";
        let ModelCheck::Violates { because, .. } = check(&arrays, zero) else { panic!("0 is not 1") };
        assert!(because.contains("where a = ") && because.matches(constant).count() == 1, "{because}");
        assert!(matches!(check(script, &model("4", "0")), ModelCheck::Open(_)));
        assert!(matches!(check(script, "(define-fun"), ModelCheck::Unreadable(_)));
        // No model is one of a script whose definition has no solution; an assertion that is false stays false.
        let recursive =
            |assert: &str| format!("(define-fun-rec f ((n Int)) Int (+ 1 (f n))){assert}(check-sat)");
        assert!(matches!(check(&recursive("(assert true)"), "()"), ModelCheck::Open(_)));
        assert!(matches!(check(&recursive("(assert false)"), "()"), ModelCheck::Violates { .. }));
    }
}
