//! The paper's construction for all theories, driven by `smt`'s operator table. Terms are grown from random inputs and
//! evaluated as they grow; what has no value (division by zero, `fp.min` of zeros of opposite sign) is thrown away.
//! Satisfiable: the term equals its value, with some inputs fixed. Unsatisfiable: all inputs are fixed and the term is said to
//! be something else; or a law that the table promises is denied, with nothing fixed.

pub(super) mod signature;
pub(super) mod values;

use super::chain::Named;
use super::formula::{Formula, model_of, variables_of};
use crate::tuning::truth_operators::{ATTEMPTS, LONGEST};
use random::Rng;
use signature::{Palette, rows, signature, takes};
use smt::op::{Laws, OpInfo};
use smt::{Evaluator, IBig, Op, Sort, SortId, TermId, Terms, Theory, Value};
use values::{literal, value};

/// A random formula over the operators of a theory, with up to `depth` applications below the outermost.
pub(crate) fn random(terms: &mut Terms, theory: Theory, depth: usize, rng: &mut Rng) -> Named {
    if rng.one_in(6)
        && let Some(denied) = denied_law(terms, theory, rng)
    {
        return denied;
    }
    let mut growth = Growth::new(terms, theory, rng);
    let (term, value) = growth.grow(depth);
    let Growth { inputs, names, .. } = growth;
    let inputs: Vec<(TermId, Value)> = {
        let used = variables_of(terms, &[term]);
        inputs.into_iter().filter(|(var, _)| used.contains(var)).collect()
    };
    if rng.one_in(2) {
        (satisfiable(terms, term, value, inputs, rng), format!("operators sat {}", names.join(" ")))
    } else {
        (unsatisfiable(terms, term, value, &inputs, rng), format!("operators unsat {}", names.join(" ")))
    }
}

/// `term = value` with some inputs fixed; or `term = res`, which only the inputs constrain.
fn satisfiable(
    terms: &mut Terms,
    term: TermId,
    value: Value,
    mut inputs: Vec<(TermId, Value)>,
    rng: &mut Rng,
) -> Formula {
    let mut parts = Vec::new();
    for (var, value) in &inputs {
        if rng.one_in(3) {
            parts.push(fixed(terms, *var, value));
        }
    }
    if rng.one_in(5) {
        let result = terms.symbol_constant("res", terms.sort(term));
        parts.push(terms.mk(Op::Eq, &[term, result]));
        inputs.push((result, value));
    } else {
        parts.push(fixed(terms, term, &value));
    }
    Formula::sat(parts, inputs)
}

/// All inputs fixed, and the term is not its value or is another one.
fn unsatisfiable(
    terms: &mut Terms,
    term: TermId,
    right: Value,
    inputs: &[(TermId, Value)],
    rng: &mut Rng,
) -> Formula {
    let parts: Vec<TermId> = inputs.iter().map(|(var, value)| fixed(terms, *var, value)).collect();
    let wrong = value(terms, rng, terms.sort(term));
    let claim = if wrong == right || rng.one_in(2) {
        fixed(terms, term, &right)
    } else {
        let equation = fixed(terms, term, &wrong);
        terms.mk(Op::Not, &[equation])
    };
    // Not every input need matter: the parts are a core, not a minimal one.
    Formula { minimal: false, ..Formula::unsat(terms, claim, &parts) }
}

/// `term = value`, or the term or its negation if it is Boolean.
pub(super) fn fixed(terms: &mut Terms, term: TermId, value: &Value) -> TermId {
    match value {
        Value::Bool(true) => term,
        Value::Bool(false) => terms.mk(Op::Not, &[term]),
        other => {
            let literal = literal(terms, other);
            terms.mk(Op::Eq, &[term, literal])
        }
    }
}

/// Terms under growth, with their values.
struct Growth<'a> {
    terms: &'a mut Terms,
    rng: &'a mut Rng,
    palette: Palette,
    rows: Vec<&'static OpInfo>,
    /// Variables, with the values that were chosen for them.
    inputs: Vec<(TermId, Value)>,
    /// Applications; those of regular expressions have no value that could be written.
    grown: Vec<(TermId, Option<Value>)>,
    /// The operators applied.
    names: Vec<&'static str>,
}

impl<'a> Growth<'a> {
    fn new(terms: &'a mut Terms, theory: Theory, rng: &'a mut Rng) -> Growth<'a> {
        let mut theories = vec![theory];
        if theory == Theory::Arrays {
            theories.push(rng.pick(&[Theory::Arith, Theory::BitVec]));
        }
        let mut rows = rows(&theories);
        if rng.one_in(4) {
            rows.extend(signature::rows(&[Theory::Core]));
        }
        Growth {
            terms,
            rng,
            palette: Palette::usual(theories),
            rows,
            inputs: Vec::new(),
            grown: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Grows up to `depth` applications and then on until one has a value that can be written.
    fn grow(&mut self, depth: usize) -> (TermId, Value) {
        let wanted = 1 + self.rng.below(2 * depth.max(1));
        for _ in 0..ATTEMPTS {
            let row = self.rng.pick(&self.rows);
            self.apply(row);
            if self.names.len() >= wanted
                && let Some((term, Some(value))) = self.grown.last()
                && !matches!(value, Value::Array(_))
            {
                return (*term, value.clone());
            }
        }
        let scalar = |(term, value): &(TermId, Option<Value>)| match value {
            Some(value) if !matches!(value, Value::Array(_)) => Some((*term, value.clone())),
            _ => None,
        };
        match self.grown.iter().rev().find_map(scalar) {
            Some(found) => found,
            None => (TermId::TRUE, Value::Bool(true)),
        }
    }

    /// Applies a row to operands of fitting sorts; nothing happens if the application has no value, or none worth having.
    fn apply(&mut self, row: &'static OpInfo) {
        let signature = signature(self.terms, self.rng, row, &self.palette, None);
        let args: Vec<TermId> = signature.sorts.iter().map(|&sort| self.operand(sort)).collect();
        let Ok(term) = self.terms.app_indexed(row.op, signature.indices, &args) else { return };
        if self.grown.iter().any(|(known, _)| *known == term) || self.terms.as_value(term).is_some() {
            return;
        }
        let value = if self.terms.sort(term) == SortId::REG_LAN {
            None
        } else {
            let model = model_of(self.terms, &self.inputs);
            match Evaluator::new(self.terms, &model).eval(term) {
                Ok(value) if is_modest(&value) => Some(value),
                _ => return,
            }
        };
        self.grown.push((term, value));
        self.names.push(row.name);
    }

    /// Something of a sort: what was grown last, if it fits, or another grown term, a variable or a constant.
    fn operand(&mut self, sort: SortId) -> TermId {
        let terms = &*self.terms;
        let fits = |term: &TermId| terms.sort(*term) == sort;
        let last = self.grown.last().map(|(term, _)| *term).filter(fits);
        if let Some(term) = last.filter(|_| !self.rng.one_in(4)) {
            return term;
        }
        let known = self.grown.iter().map(|(term, _)| *term).chain(self.inputs.iter().map(|(var, _)| *var));
        let known: Vec<TermId> = known.filter(fits).collect();
        if !known.is_empty() && self.rng.one_in(2) {
            return self.rng.pick(&known);
        }
        self.leaf(sort)
    }

    fn leaf(&mut self, sort: SortId) -> TermId {
        if sort == SortId::REG_LAN {
            return self.language();
        }
        let value = value(self.terms, self.rng, sort);
        let is_array = matches!(self.terms.sort_of(sort), Sort::Array(..));
        if !is_array && self.rng.one_in(3) {
            return literal(self.terms, &value);
        }
        let name = format!("x{}", self.inputs.len());
        let var = self.terms.symbol_constant(&name, sort);
        self.inputs.push((var, value));
        var
    }

    /// A small regular expression.
    fn language(&mut self) -> TermId {
        match self.rng.below(6) {
            0 => self.terms.mk(Op::ReAllChar, &[]),
            1 | 2 => {
                let (low, high) = self.rng.pick(&[("a", "b"), ("0", "9"), ("b", "z")]);
                let (low, high) = (self.terms.string(low), self.terms.string(high));
                self.terms.mk(Op::ReRange, &[low, high])
            }
            _ => {
                let text = self.rng.pick(&["", "a", "b", "ab", "0"]);
                let text = self.terms.string(text);
                self.terms.mk(Op::StrToRe, &[text])
            }
        }
    }
}

/// Whether a value is small enough to be tested with.
pub(super) fn is_modest(value: &Value) -> bool {
    match value {
        Value::Int(i) => is_short(i),
        Value::Real(r) => is_short(r.numerator()) && is_short(&r.denominator().clone().into()),
        Value::String(s) => s.len() <= LONGEST,
        Value::BitVec(bits) => bits.width() as usize <= 4 * LONGEST,
        _ => true,
    }
}

fn is_short(number: &IBig) -> bool {
    let limit = IBig::ONE << (4 * LONGEST);
    *number < limit && *number > -limit
}

/// A law of the operator table, and the two sides that it makes equal for an operator and three arguments.
type Sides = fn(&mut Terms, Op, &[TermId; 3]) -> Option<(TermId, TermId)>;

/// What each law says, with the number of arguments of the widest application in it.
static TABLE_LAWS: &[(&str, Laws, usize, Sides)] = &[
    ("commutative", Laws::COMMUTATIVE, 2, |terms, op, &[a, b, _]| {
        Some((terms.app(op, &[a, b]).ok()?, terms.app(op, &[b, a]).ok()?))
    }),
    ("associative", Laws::ASSOCIATIVE, 2, |terms, op, &[a, b, c]| {
        let (left, right) = (terms.app(op, &[a, b]).ok()?, terms.app(op, &[b, c]).ok()?);
        Some((terms.app(op, &[left, c]).ok()?, terms.app(op, &[a, right]).ok()?))
    }),
    ("idempotent", Laws::IDEMPOTENT, 2, |terms, op, &[a, _, _]| Some((terms.app(op, &[a, a]).ok()?, a))),
    ("chainable", Laws::CHAINABLE, 3, |terms, op, &[a, b, c]| {
        let (first, second) = (terms.app(op, &[a, b]).ok()?, terms.app(op, &[b, c]).ok()?);
        Some((terms.app(op, &[a, b, c]).ok()?, terms.mk(Op::And, &[first, second])))
    }),
    ("involution", Laws::INVOLUTION, 1, |terms, op, &[a, _, _]| {
        let once = terms.app(op, &[a]).ok()?;
        Some((terms.app(op, &[once]).ok()?, a))
    }),
    ("left-associative", Laws::LEFT, 3, |terms, op, &[a, b, c]| {
        let left = terms.app(op, &[a, b]).ok()?;
        Some((terms.app(op, &[a, b, c]).ok()?, terms.app(op, &[left, c]).ok()?))
    }),
];

/// The denial of a law that the operator table promises for all arguments.
fn denied_law(terms: &mut Terms, theory: Theory, rng: &mut Rng) -> Option<Named> {
    let mut candidates = Vec::new();
    for row in rows(&[theory]) {
        for law in TABLE_LAWS {
            // Languages are compared by membership only.
            let comparable = !row.args.contains(&smt::op::Arg::Re);
            if comparable && row.laws.has(law.1) && takes(row, law.2) {
                candidates.push((row, law));
            }
        }
    }
    if candidates.is_empty() {
        return None;
    }
    let (row, &(name, _, count, sides)) = rng.pick(&candidates);
    let sorts = signature(terms, rng, row, &Palette::usual(vec![theory]), Some(count)).sorts;
    let sort_at = |i: usize| sorts[i.min(sorts.len() - 1)];
    let args = [0, 1, 2].map(|i| terms.symbol_constant(&format!("x{i}"), sort_at(i)));
    let (left, right) = sides(terms, row.op, &args)?;
    let claim = terms.app(Op::Eq, &[left, right]).ok()?;
    Some((Formula::unsat(terms, claim, &[]), format!("operators law {} {name}", row.name)))
}

/// The logic of a formula: the smallest that solvers have special treatment for, where it is one of a few.
pub(crate) fn logic(terms: &Terms, formula: &Formula) -> &'static str {
    let (mut ints, mut bits, mut floats, mut others) = (false, false, false, false);
    for term in smt::walk::reachable(terms, &formula.terms()) {
        match terms.sort_of(terms.sort(term)) {
            Sort::Bool => {}
            Sort::Int => ints = true,
            Sort::BitVec(_) => bits = true,
            Sort::Float(..) | Sort::RoundingMode => floats = true,
            _ => others = true,
        }
    }
    match (ints, bits, floats, others) {
        (true, false, false, false) => "QF_NIA",
        (false, true, false, false) => "QF_BV",
        (false, _, true, false) => "QF_BVFP",
        _ => "ALL",
    }
}
