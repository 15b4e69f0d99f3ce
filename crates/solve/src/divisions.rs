//! Divisions by what may be zero. SMT-LIB leaves `/`, `div` and `mod` open there: each is some function of the dividend, which the model
//! chooses.
//!
//! For engines that know nothing of such functions the choice becomes a part of the query ([`Opened`]): `(div a b)` is `(ite (= b 0) c (div a
//! b))` with an unknown `c` for each dividend, and equal dividends have equal choices (Ackermann). The table of choices is put into the model
//! of the query. Engines that only search are better off without: to them, a zero divisor is a place to avoid.

use crate::defaults::default_value;
use crate::engine::{Partial, Partials, Query};
use crate::tuning::divisions::MAX_DIVISIONS;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::model::Table;
use smt::{Evaluator, FunId, IBig, Model, Op, RBig, SortId, TermId, Terms, Value, walk};

/// A query in which no division by zero counts.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// The conjuncts in their order, then what holds of the choices.
    pub(crate) query: Query,
    divisions: Vec<Division>,
    /// How many conjuncts there were before.
    conjuncts: usize,
}

/// A division by what may be zero, over the opened terms.
#[derive(Clone, Copy, Debug)]
struct Division {
    op: Op,
    dividend: TermId,
    divisor: TermId,
    /// What it gives for zero.
    choice: TermId,
}

impl Opened {
    /// Opens the divisions of a query. `None` if it has none by what may be zero, or too many.
    pub(crate) fn of(terms: &mut Terms, query: &Query) -> Option<Opened> {
        let open = |t: &TermId| divides(terms, *t) && may_be_zero(terms, &terms.args(*t)[1..]);
        let reachable = walk::reachable(terms, &query.assertions);
        let count = reachable.iter().filter(|t| open(t)).count();
        if count == 0 || count > MAX_DIVISIONS {
            return None;
        }
        let mut opening = Opening { terms, divisions: Vec::new(), known: FxHashMap::default() };
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in reachable {
            let args: Vec<TermId> = opening.terms.args(term).iter().map(|a| done[a]).collect();
            let new = if divides(opening.terms, term) && may_be_zero(opening.terms, &args[1..]) {
                let op = opening.terms.op(term);
                args[1..].iter().fold(args[0], |a, &b| opening.divided(op, a, b))
            } else if args == opening.terms.args(term) {
                term
            } else {
                opening.terms.rebuild(term, &args)
            };
            done.insert(term, new);
        }
        let mut assertions: Vec<TermId> = query.assertions.iter().map(|a| done[a]).collect();
        let divisions = opening.divisions;
        assertions.extend(agreements(terms, &divisions));
        let conjuncts = query.assertions.len();
        Some(Opened { query: Query { assertions, ..query.clone() }, divisions, conjuncts })
    }

    /// A model of the opened query as one of the query.
    pub(crate) fn model_back(&self, terms: &mut Terms, mut model: Model) -> Model {
        let mut tables: FxHashMap<Op, Table> = FxHashMap::default();
        for division in &self.divisions {
            let mut evaluator = Evaluator::new(terms, &model);
            let mut value = |t: TermId| evaluator.eval(t).ok();
            let zero = value(division.divisor).is_some_and(|divisor| is_zero(&divisor));
            if let (true, Some(dividend), Some(choice)) =
                (zero, value(division.dividend), value(division.choice))
            {
                tables.entry(division.op).or_default().entries.entry(vec![dividend]).or_insert(choice);
            }
        }
        for op in [Op::Div, Op::IntDiv, Op::Mod] {
            if let Some(mut table) = tables.remove(&op) {
                table.default = default_value(terms, if op == Op::Div { SortId::REAL } else { SortId::INT });
                model.set_zero_division(terms, op, table);
            }
        }
        model
    }

    /// The part of a core that is about the query.
    pub(crate) fn core_back(&self, core: Vec<usize>) -> Vec<usize> {
        core.into_iter().filter(|&at| at < self.conjuncts).collect()
    }

    /// A listener that sees the query's own constants alone.
    pub(crate) fn back<'a>(&'a self, terms: &Terms, partials: &'a mut dyn Partials) -> Back<'a> {
        let choices = self.divisions.iter().filter_map(|division| terms.as_fun(division.choice)).collect();
        Back { choices, partials }
    }
}

/// Takes choices out of partial solutions on their way to the listener.
pub(crate) struct Back<'a> {
    choices: FxHashSet<FunId>,
    partials: &'a mut dyn Partials,
}

impl Partials for Back<'_> {
    fn wanted(&self) -> bool {
        self.partials.wanted()
    }

    fn wants_values_of(&mut self, symbol: FunId) -> bool {
        !self.choices.contains(&symbol) && self.partials.wants_values_of(symbol)
    }

    fn take(&mut self, mut partial: Partial) {
        partial.values.retain(|(fun, _)| !self.choices.contains(fun));
        self.partials.take(partial);
    }
}

struct Opening<'a> {
    terms: &'a mut Terms,
    divisions: Vec<Division>,
    /// The unknowns by operator and dividend.
    known: FxHashMap<(Op, TermId), TermId>,
}

impl Opening<'_> {
    fn divided(&mut self, op: Op, dividend: TermId, divisor: TermId) -> TermId {
        let sort = self.terms.sort(dividend);
        let divisor_value = self.terms.as_value(divisor).map(is_zero);
        if divisor_value == Some(false) {
            return self.terms.mk(op, &[dividend, divisor]);
        }
        let choice = match self.known.get(&(op, dividend)) {
            Some(&known) => known,
            None => {
                let name = self.terms.fresh_symbol("by-zero!");
                let fun = self.terms.declare(name, &[], sort);
                let choice = self.terms.apply(fun, &[]).expect("a constant takes no arguments");
                self.known.insert((op, dividend), choice);
                choice
            }
        };
        self.divisions.push(Division { op, dividend, divisor, choice });
        if divisor_value == Some(true) {
            return choice;
        }
        let zero = zero(self.terms, sort);
        let test = self.terms.mk(Op::Eq, &[divisor, zero]);
        let quotient = self.terms.mk(op, &[dividend, divisor]);
        self.terms.mk(Op::Ite, &[test, choice, quotient])
    }
}

fn divides(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Div | Op::IntDiv | Op::Mod)
}

fn may_be_zero(terms: &Terms, divisors: &[TermId]) -> bool {
    divisors.iter().any(|&divisor| terms.as_value(divisor).is_none_or(is_zero))
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(i) => *i == IBig::ZERO,
        Value::Real(r) => *r == RBig::ZERO,
        _ => false,
    }
}

fn zero(terms: &mut Terms, sort: SortId) -> TermId {
    if sort == SortId::REAL { terms.real(RBig::ZERO) } else { terms.int(0) }
}

/// That equal dividends have equal choices.
fn agreements(terms: &mut Terms, divisions: &[Division]) -> Vec<TermId> {
    let mut apart: Vec<Division> = Vec::new();
    for division in divisions {
        if !apart.iter().any(|known| known.choice == division.choice) {
            apart.push(*division);
        }
    }
    let mut all = Vec::new();
    for (at, first) in apart.iter().enumerate() {
        for second in apart[at + 1..].iter().filter(|second| second.op == first.op) {
            if terms.as_value(first.dividend).is_some() && terms.as_value(second.dividend).is_some() {
                continue;
            }
            let same = terms.mk(Op::Eq, &[first.dividend, second.dividend]);
            let agree = terms.mk(Op::Eq, &[first.choice, second.choice]);
            all.push(terms.mk(Op::Implies, &[same, agree]));
        }
    }
    all
}

/// The divisions by what may be zero that have a meaning for zero: those that do not stand in a choice about it alone.
pub(crate) fn unguarded(terms: &Terms, assertions: &[TermId]) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    for term in walk::reachable(terms, assertions) {
        for (at, &arg) in terms.args(term).iter().enumerate() {
            if divides(terms, arg)
                && may_be_zero(terms, &terms.args(arg)[1..])
                && !guards(terms, term, at, arg)
            {
                found.insert(arg);
            }
        }
    }
    found
}

/// Whether a term is `(ite (= b 0) c (op a b))`, and the division is the one in it.
fn guards(terms: &Terms, term: TermId, at: usize, division: TermId) -> bool {
    let (Op::Ite, 2, &[_, divisor]) = (terms.op(term), at, terms.args(division)) else { return false };
    let test = terms.args(term)[0];
    matches!((terms.op(test), terms.args(test)), (Op::Eq, &[b, zero]) if b == divisor && terms.as_value(zero).is_some_and(is_zero))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Budget, Engine, NoPartials, Verdict};
    use crate::portfolio::Portfolio;
    use crate::verify::satisfies;
    use smt::read_script;

    /// What is asked of divisions by zero, and the answers: they are functions of the dividend, and nothing else is known of them.
    #[test]
    fn divisions_by_zero_are_functions_of_the_dividend() {
        let table = [
            ("(assert (= (div x 0) 7))(assert (= (mod x 0) (- 3)))", "sat"),
            ("(assert (= (div x 0) 7))(assert (= (div y 0) 8))", "sat"),
            ("(assert (= (div x 0) 7))(assert (= (div y 0) 8))(assert (= x y))", "unsat"),
            ("(assert (= (div x y) 7))(assert (= (div x z) 8))(assert (= y z 0))", "unsat"),
            ("(assert (< (mod x y) 0))(assert (< (div x y) 0))", "sat"),
            ("(assert (< (mod x y) 0))(assert (< y 0))", "unsat"),
            (
                "(assert (= (div x x) (div (div x x) x)))(assert (distinct (div (div x x) x) (div (div (div x x) x) x)))(assert (= x 0))",
                "unsat",
            ),
            ("(assert (distinct (div x y) (div x y)))", "unsat"),
            ("(assert (= (* x y) 6))(assert (= (div z (- (* x y) 6)) 5))", "sat"),
            (
                "(assert (= (/ r 0.0) 1.5))(assert (= (/ s r) 2.0))(assert (= r 0.0))(assert (distinct s 0.0))",
                "sat",
            ),
            ("(assert (= (/ r 0.0) 1.5))(assert (= (/ s r) 2.0))(assert (= r s 0.0))", "unsat"),
        ];
        for (text, expected) in table {
            let mut terms = Terms::new();
            let declared = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const r Real)(declare-const s Real)";
            let reading = read_script(&mut terms, &format!("{declared}{text}"));
            assert!(reading.errors.is_empty(), "{text}: {:?}", reading.errors);
            let query = Query::new(reading.script.assertions().collect());
            let mut budget = Budget::unlimited().slice(20_000_000);
            let answer = match Portfolio::new(1).solve(&mut terms, &query, &mut budget, &mut NoPartials) {
                Verdict::Sat(model) => {
                    assert!(satisfies(&terms, &model, &query.assertions), "{text}");
                    "sat"
                }
                Verdict::Unsat(core) => {
                    assert!(core.iter().all(|&at| at < query.assertions.len()), "{text}: {core:?}");
                    "unsat"
                }
                Verdict::Unknown(_) => "unknown",
            };
            assert_eq!(answer, expected, "{text}");
        }
    }

    #[test]
    fn opened_divisions_are_guarded() {
        let mut terms = Terms::new();
        let text =
            "(declare-const x Int)(declare-const y Int)(assert (= (div x y 2 0) (mod (div x 3) (div y x))))";
        let query = Query::new(read_script(&mut terms, text).script.assertions().collect());
        assert_eq!(unguarded(&terms, &query.assertions).len(), 3);
        let opened = Opened::of(&mut terms, &query).expect("open divisions");
        assert!(unguarded(&terms, &opened.query.assertions).is_empty());
        assert!(Opened::of(&mut terms, &opened.query).is_some(), "opening twice is no error");
        let closed = "(declare-const x Int)(assert (= (div x 2) (mod x 3)))";
        let query = Query::new(read_script(&mut terms, closed).script.assertions().collect());
        assert!(Opened::of(&mut terms, &query).is_none());
    }
}
