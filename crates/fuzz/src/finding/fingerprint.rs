//! Fingerprints: what makes two findings one. A crash is its place; a wrong answer is its (reduced) script up to the names in it,
//! whoever contradicts it. Fingerprints are the same on every machine and in every release.

use crate::evidence::{Class, Confirmed, SentScript, crash_key};
use crate::options::{set_in, step_in};
use crate::solver::answer::Trouble;
use smt::print::{Style, write_term};
use smt::{Op, Script, Terms, walk};
use std::collections::{BTreeMap, BTreeSet};

/// The words of a fingerprint and their short form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint {
    /// What it is made of, for people.
    pub text: String,
    /// Eight hexadecimal digits, for names.
    pub short: String,
}

impl Fingerprint {
    /// The fingerprint with this text.
    pub fn new(text: String) -> Fingerprint {
        let short = format!("{:08x}", random::fnv(&text) >> 32);
        Fingerprint { text, short }
    }

    /// The fingerprint of a confirmed defect on a script; for a crash without a message, the functions in which it happens if they
    /// are known.
    pub fn of(confirmed: &Confirmed, script: &SentScript, place: Option<&[String]>) -> Fingerprint {
        let class = confirmed.class;
        if class == Class::Crash
            && let Some(key) = crash_key(&confirmed.answer)
        {
            // A signal says nothing about the place: the stack does, or else the operators of the reduced script.
            let silent = matches!(confirmed.answer.trouble, Some(Trouble::Signal(_)));
            let about = match place {
                _ if !silent => String::new(),
                Some(functions) => format!(" in {}", functions.join(" < ")),
                None => format!(" ({})", operators(script.terms(), script.script()).join(" ")),
            };
            let Fingerprint { text, short } = Fingerprint::new(format!("crash: {key}{about}"));
            // The name says which signal it was; the number was taken out with all others.
            let text =
                text.replace("ended by signal N (", "ended by a signal (").replace(" ()", " (no operators)");
            return Fingerprint { text, short };
        }
        let verdict =
            confirmed.answer.replies.get(confirmed.query).map_or("none", |reply| reply.verdict.word());
        // A reduced script keeps a simplifier or a tactic only where the defect needs it.
        if let Some(step) = step_in(script.terms(), script.script()) {
            return Fingerprint::new(format!("{} {verdict}: {step}", class.word()));
        }
        let mut text =
            format!("{} {verdict}: {}", class.word(), operators(script.terms(), script.script()).join(" "));
        // With an option the solver takes another way, and two ways to one wrong answer are two defects.
        let set = set_in(script.terms(), script.script());
        if !set.is_empty() {
            text.push_str(&format!(" with {}", set.join(" ")));
        }
        match class {
            Class::WrongUnsat | Class::WrongSat => {
                let short = Fingerprint::new(format!("{text} {}", shape(script))).short;
                Fingerprint { text, short }
            }
            _ => Fingerprint::new(text),
        }
    }
}

/// The assertions of a script with its own symbols and its literals numbered in the order in which they occur: scripts that differ
/// in names alone have the same shape, and so have those that differ in which literals they have, if the same ones are the same.
fn shape(script: &SentScript) -> String {
    let (terms, mut out) = (script.terms(), String::new());
    let (mut names, mut literals) = (BTreeMap::new(), BTreeMap::new());
    for term in script.script().terms() {
        let mut text = String::new();
        write_term(&mut text, terms, term, Style::default());
        for word in words(&text) {
            let symbol = word.strip_prefix('|').map_or(word, |inner| inner.trim_end_matches('|'));
            let literal = word.starts_with(|c: char| c.is_ascii_digit() || "\"#".contains(c));
            if literal {
                let next = literals.len();
                let number = *literals.entry(word.to_string()).or_insert(next);
                out.push_str(&format!(" c{number}"));
            } else if word.starts_with(['(', ')', ':']) || is_word_of_the_language(symbol) {
                out.push_str(&format!(" {word}"));
            } else {
                let next = names.len();
                let number = *names.entry(symbol.to_string()).or_insert(next);
                out.push_str(&format!(" s{number}"));
            }
        }
    }
    out
}

/// The words of a text that was printed: parentheses, literals, symbols.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' => 1,
            '"' | '|' => 1 + rest[1..].find(first).map_or(rest.len() - 1, |at| at + 1),
            _ => rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after.trim_start();
    }
    words
}

/// Whether a symbol means the same in every script.
fn is_word_of_the_language(name: &str) -> bool {
    const WORDS: [&str; 17] = [
        "let", "forall", "exists", "lambda", "match", "!", "_", "as", "true", "false", "Int", "Real", "Bool",
        "String", "RegLan", "BitVec", "Array",
    ];
    WORDS.contains(&name) || Op::by_name(name).is_some()
}

/// The names of the operators of a script's assertions and of the definitions in them, sorted; Boolean structure only if there is
/// nothing else.
pub(crate) fn operators(terms: &Terms, script: &Script) -> Vec<&'static str> {
    let mut roots = script.terms();
    let mut known = BTreeSet::new();
    let mut next = 0;
    while next < roots.len() {
        let called: Vec<_> =
            walk::reachable(terms, &roots[next..]).iter().filter_map(|&t| terms.as_fun(t)).collect();
        next = roots.len();
        for fun in called {
            if let Some(definition) = &terms.fun(fun).definition
                && known.insert(definition.body)
            {
                roots.push(definition.body);
            }
        }
    }
    let reached = walk::reachable(terms, &roots);
    let ops: BTreeSet<Op> = reached.iter().map(|&term| terms.op(term)).collect();
    let named = |boolean: bool| -> Vec<&'static str> {
        let mut names: Vec<&'static str> = ops
            .iter()
            // A name is no operator.
            .filter(|op| !op.name().is_empty() && **op != Op::Annot)
            .filter(|op| (op.info().theory == smt::Theory::Core) == boolean)
            .map(|op| op.name())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let theory = named(false);
    if theory.is_empty() { named(true) } else { theory }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Dialect;

    fn names(source: &str) -> Vec<&'static str> {
        let sent = SentScript::read(source, Dialect::V26).expect("a script");
        operators(sent.terms(), sent.script())
    }

    #[test]
    fn operators_are_the_theory_s() {
        let source = "(declare-const x String)(assert (not (= (str.len x) (str.to_int x))))(check-sat)";
        assert_eq!(names(source), ["str.len", "str.to_int"]);
        assert_eq!(names("(declare-const p Bool)(assert (and p (not p)))"), ["and", "not"]);
        // What is defined is a part of what is asserted, at any depth.
        let defined = "(declare-const x String)(define-fun-rec f ((n Int)) Bool (= (str.to_int x) n))\
                       (define-fun-rec g () Bool (f (str.len x)))(define-fun-rec h () Bool (str.< x x))(assert g)";
        assert_eq!(names(defined), ["str.len", "str.to_int"]);
    }

    /// What makes two findings one is the reduced script up to its names.
    #[test]
    fn shapes_do_not_depend_on_names() {
        let shape_of = |source: &str| shape(&SentScript::read(source, Dialect::V26).expect("a script"));
        let script = |t: &str, u: &str| {
            format!(
                "(declare-const {t} String)(declare-fun {u} (Int) Int)(assert (= (str.replace \"\" {t} \"a\") \"a\"))\
                     (assert (forall (({t}1 Int)) (= ({u} {t}1) (str.len {t}))))(check-sat)"
            )
        };
        assert_eq!(shape_of(&script("t", "f")), shape_of(&script("x", "g")));
        assert_eq!(shape_of(&script("t", "f")), shape_of(&script("t", "f").replace("\"a\"", "\"b\"")));
        assert_ne!(shape_of(&script("t", "f")), shape_of(&script("t", "f").replacen("\"a\"", "\"b\"", 1)));
        let [xy, xx] = ["(assert (< x y))", "(assert (< x x))"]
            .map(|assert| shape_of(&format!("(declare-const x Int)(declare-const y Int){assert}")));
        assert_ne!(xy, xx);
    }

    #[test]
    fn short_forms_are_stable() {
        assert_eq!(Fingerprint::new("crash: x".into()), Fingerprint::new("crash: x".into()));
        assert_eq!(Fingerprint::new(String::new()).short, "cbf29ce4");
    }
}
