//! What a seed's logic allows a mutant to say: nothing that the logic's name or the seed itself does not have already.
//! A mutant outside its logic would be rejected by the solvers, or be solved by other parts of them than the seed.

use smt::{Op, Script, SortId, TermId, Terms, walk};

/// How far arithmetic may go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arithmetic {
    /// Only `x - y` against a constant, or two variables against each other.
    Difference,
    /// Products and quotients by constants.
    Linear,
    /// Anything.
    Nonlinear,
}

/// The part of SMT-LIB that mutants of a seed keep to. Quantifiers, uninterpreted functions and sorts never come from a
/// mutation, and operators of a theory only stand over terms that the seed has of it: what is left is arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// How far arithmetic may go.
    pub arithmetic: Arithmetic,
    /// Whether the logic has arithmetic over the numbers that occur (a conversion to floats alone is none).
    pub numbers: bool,
    /// Whether integers may appear where the seed's literal has none (lengths of strings).
    pub integers: bool,
}

impl Fragment {
    /// The fragment of a script.
    pub fn of(terms: &Terms, script: &Script) -> Fragment {
        let logic = script.logic().map_or("ALL", |name| terms.name(name));
        let all = walk::reachable(terms, &script.terms());
        let arithmetic = if logic.ends_with("DL") {
            Arithmetic::Difference
        } else if ["NIA", "NRA", "NIRA"].iter().any(|part| logic.contains(part))
            || (logic == "ALL" && all.iter().any(|&t| is_nonlinear(terms, t)))
        {
            Arithmetic::Nonlinear
        } else {
            Arithmetic::Linear
        };
        let named = |parts: &[&str]| parts.iter().any(|part| logic.contains(part));
        let occurs = |sort: SortId| all.iter().any(|&t| terms.sort(t) == sort);
        let integers = named(&["IA", "IRA", "IDL"]) || occurs(SortId::INT);
        let numbers = logic == "ALL" || named(&["IA", "RA", "DL"]) || occurs(SortId::STRING);
        Fragment { arithmetic, numbers, integers }
    }
}

fn is_nonlinear(terms: &Terms, term: TermId) -> bool {
    let variable = |t: &&TermId| terms.as_value(**t).is_none();
    match terms.op(term) {
        Op::Mul => terms.args(term).iter().filter(variable).count() > 1,
        Op::Div | Op::IntDiv | Op::Mod => terms.args(term)[1..].iter().any(|t| variable(&t)),
        Op::Power => true,
        _ => false,
    }
}
