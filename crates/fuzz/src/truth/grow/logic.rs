//! The logic that a formula belongs to, by its name in SMT-LIB: what it is made of decides, letter by letter. Solvers choose their
//! ways by this name, so that a formula under its own logic is another test than the same formula under `ALL`.
//!
//! A mix that has no name (integers beside bit-vectors, strings beside arrays) is `ALL`.

use smt::walk::reachable;
use smt::{Op, Sort, TermId, Terms};
use std::collections::BTreeSet;

/// What formulas are made of, as far as names of logics tell it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Quantifiers,
    Arrays,
    Functions,
    Bits,
    Floats,
    Datatypes,
    Strings,
    Fields,
    Integers,
    Reals,
    Products,
    /// Numbers that are bits or floats as well, and what no name has.
    Mixed,
}

/// The name of the smallest logic that has a formula's parts.
pub(crate) fn smallest(terms: &Terms, assertions: &[TermId]) -> String {
    let parts: BTreeSet<Part> = reachable(terms, assertions).iter().flat_map(|&t| of(terms, t)).collect();
    let has = |part| parts.contains(&part);
    let numbers = match (has(Part::Integers), has(Part::Reals), has(Part::Products)) {
        (false, false, _) => "",
        (true, false, false) => "LIA",
        (true, false, true) => "NIA",
        (false, true, false) => "LRA",
        (false, true, true) => "NRA",
        (true, true, false) => "LIRA",
        (true, true, true) => "NIRA",
    };
    let machine = has(Part::Bits) || has(Part::Floats);
    // Reals beside floats are what conversions need; the names of other mixtures are not agreed upon.
    let strange = (machine && !matches!(numbers, "" | "LRA"))
        || (numbers == "LRA" && has(Part::Bits) && !has(Part::Floats))
        || (has(Part::Strings) && (machine || has(Part::Reals) || has(Part::Arrays) || has(Part::Datatypes)))
        || (has(Part::Fields) && parts.len() > 1)
        || has(Part::Mixed);
    if strange {
        return "ALL".into();
    }
    let letters = [
        (Part::Arrays, "A"),
        (Part::Functions, "UF"),
        (Part::Bits, "BV"),
        (Part::Floats, "FP"),
        (Part::Datatypes, "DT"),
        (Part::Strings, "S"),
        (Part::Fields, "FF"),
    ];
    let mut name = String::from(if has(Part::Quantifiers) { "" } else { "QF_" });
    let before = name.len();
    letters.iter().filter(|(part, _)| has(*part)).for_each(|(_, letter)| name.push_str(letter));
    name.push_str(numbers);
    match &name[before..] {
        "" => name.push_str("UF"),
        // Extensional arrays have a name of their own.
        "A" => name.push('X'),
        _ => {}
    }
    name
}

fn of(terms: &Terms, term: TermId) -> Vec<Part> {
    let mut parts = Vec::new();
    match terms.sort_of(terms.sort(term)) {
        Sort::Bool => {}
        Sort::Int => parts.push(Part::Integers),
        Sort::Real => parts.push(Part::Reals),
        Sort::BitVec(_) => parts.push(Part::Bits),
        Sort::Float(..) | Sort::RoundingMode => parts.push(Part::Floats),
        Sort::String | Sort::RegLan => parts.push(Part::Strings),
        Sort::Array(..) => parts.push(Part::Arrays),
        Sort::Datatype(..) => parts.push(Part::Datatypes),
        Sort::Uninterpreted(..) => parts.push(Part::Functions),
        Sort::FiniteField(_) => parts.push(Part::Fields),
        Sort::Function(..) | Sort::Parameter(_) | Sort::Collection(..) => parts.push(Part::Mixed),
    }
    let args = terms.args(term);
    let variables = || args.iter().filter(|&&a| !is_number(terms, a)).count();
    match terms.op(term) {
        Op::Forall | Op::Exists => parts.push(Part::Quantifiers),
        Op::Apply if !args.is_empty() => parts.push(Part::Functions),
        Op::Mul if variables() > 1 => parts.push(Part::Products),
        Op::Div | Op::IntDiv | Op::Mod if !args[1..].iter().all(|&a| is_number(terms, a)) => {
            parts.push(Part::Products);
        }
        // A language is regular in every name with an S; that of constant arrays is not in any.
        Op::ConstArray => parts.push(Part::Mixed),
        _ => {}
    }
    parts
}

/// A literal, or the negation of one.
fn is_number(terms: &Terms, term: TermId) -> bool {
    match terms.op(term) {
        Op::Const => true,
        Op::Neg => terms.args(term).iter().all(|&a| terms.op(a) == Op::Const),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_logics() {
        let declarations = "(declare-const x Int)(declare-const r Real)(declare-const b (_ BitVec 2))(declare-fun f (Int) Int)\
                            (declare-const a (Array Int Int))(declare-const s String)(declare-const p Bool)\
                            (declare-const d (_ FloatingPoint 3 5))(declare-fun g ((_ FloatingPoint 3 5)) Bool)\
                            (declare-datatypes ((T 0)) (((c (n Int)))))(declare-const t T)(declare-const u (_ FiniteField 3))";
        for (formula, name) in [
            ("p", "QF_UF"),
            ("(> x 3)", "QF_LIA"),
            ("(= (* x x) 3)", "QF_NIA"),
            ("(= (div x 2) 3)", "QF_LIA"),
            ("(= (div 2 x) 3)", "QF_NIA"),
            ("(> (* 2 x) (- 3))", "QF_LIA"),
            ("(> (f x) 3)", "QF_UFLIA"),
            ("(= (select a x) (f 3))", "QF_AUFLIA"),
            ("(> (to_real x) r)", "QF_LIRA"),
            ("(= b #b00)", "QF_BV"),
            ("(fp.isNaN d)", "QF_FP"),
            ("(g d)", "QF_UFFP"),
            ("(= ((_ to_fp 3 5) RNE r) d)", "QF_FPLRA"),
            ("(= (str.len s) x)", "QF_SLIA"),
            ("(str.< s s)", "QF_S"),
            ("(= (n t) 3)", "QF_DTLIA"),
            ("(= (ff.mul u u) (as ff2 (_ FiniteField 3)))", "QF_FF"),
            ("(and (= u (as ff2 (_ FiniteField 3))) (= x 3))", "ALL"),
            ("(forall ((y Int)) (> y x))", "LIA"),
            ("(exists ((y (_ BitVec 2))) (= y b))", "BV"),
            ("(= (bv2nat b) x)", "ALL"),
            ("(= a ((as const (Array Int Int)) 3))", "ALL"),
        ] {
            let mut terms = Terms::new();
            let reading = smt::read_script(&mut terms, &format!("{declarations}(assert {formula})"));
            assert!(reading.errors.is_empty(), "{:?}", reading.errors);
            let assertions: Vec<TermId> = reading.script.assertions().collect();
            assert_eq!(smallest(&terms, &assertions), name, "{formula}");
        }
    }
}
