//! Formulas that are satisfiable by construction (Bugariu and Müller 2020, Section 3.1): an operation's equation with some variables
//! fixed to what a concrete execution gave (constant assignment), and equations between terms of equal value whose constants
//! became variables (term synthesis). The executable semantics is `smt`'s evaluator.

use super::formula::{Formula, model_of};
use super::tables::{BOOL, INT, OPERATIONS, OperationTerms, STRING, Tables};
use random::Rng;
use rustc_hash::FxHashSet;
use smt::walk::TermMap;
use smt::{Evaluator, Op, SmtString, SortId, TermId, Terms, Value};

/// Boundary values of strings: empty, of length one, a digit, a quote, an escape sequence, a character that is not ASCII
/// (all characters exist in the 2.5 dialect, too), and longer ones in which shorter ones occur.
static STRINGS: &[&[u8]] = &[b"", b"a", b"0", b"\"", b"\\x0a", b"\n", b"\xe9", b"aa0"];
/// Valid and invalid positions and lengths; also code points and digits.
static INTS: &[i32] = &[-1, 0, 2];

/// The constants from which the pool of term synthesis is grown.
static POOL_STRINGS: &[&[u8]] = &[b"a", b""];
static POOL_INTS: &[i32] = &[-1, 0];

/// The constants of constant assignment, by sort.
pub(crate) fn boundary(sort: SortId) -> Vec<Value> {
    match sort {
        STRING => STRINGS.iter().map(|s| Value::String(SmtString::from_latin1(s))).collect(),
        INT => INTS.iter().map(|&i| Value::Int(i.into())).collect(),
        BOOL => vec![Value::Bool(false), Value::Bool(true)],
        other => unreachable!("no operation of the tables takes sort {}", other.index()),
    }
}

/// The equation `operation(arguments) = result` in which the variables in `fixed` (a bit an argument, the highest for the
/// result) are constants. The values of all arguments are given, that of the result follows.
pub(crate) fn assignment(terms: &mut Terms, row: &OperationTerms, args: &[Value], fixed: u8) -> Formula {
    let constants: Vec<TermId> = args.iter().map(|value| terms.constant(value.clone())).collect();
    let all = TermMap::from_iter(row.args.iter().copied().zip(constants.iter().copied()));
    let ground = terms.substitute(&[row.term], &all)[0];
    let result =
        smt::eval::eval(terms, &Default::default(), ground).expect("operations on strings are total");
    let result_constant = terms.constant(result.clone());
    let equation = terms.mk(Op::Eq, &[row.term, row.result]);
    let mut map = TermMap::default();
    let mut model = Vec::new();
    let variables = row.args.iter().zip(&constants).chain([(&row.result, &result_constant)]);
    for (i, (&var, &constant)) in variables.enumerate() {
        if fixed >> i & 1 == 1 {
            map.insert(var, constant);
        } else {
            let value = terms.as_value(constant).expect("a constant").clone();
            model.push((var, value));
        }
    }
    let formula = terms.substitute(&[equation], &map)[0];
    Formula::sat(vec![formula], model)
}

/// A term of the pool, over variables that stand for the constants it was grown from.
#[derive(Clone, Debug)]
pub(crate) struct PoolTerm {
    pub(crate) term: TermId,
    pub(crate) value: Value,
}

/// All applications of operations up to a bound, one for each operation and value.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// The variables that stand for the initial constants, with their values.
    pub(crate) atoms: Vec<(TermId, Value)>,
    /// What may stand for arguments and results.
    pub(crate) entries: Vec<PoolTerm>,
}

impl Pool {
    /// The pool after `bound` rounds.
    pub(crate) fn grow(terms: &mut Terms, tables: &Tables, operations: usize, bound: usize) -> Pool {
        let strings = POOL_STRINGS.iter().map(|s| (STRING, Value::String(SmtString::from_latin1(s))));
        let ints = POOL_INTS.iter().map(|&i| (INT, Value::Int(i.into())));
        let atoms: Vec<(TermId, Value)> = strings
            .chain(ints)
            .enumerate()
            .map(|(i, (sort, value))| (terms.symbol_constant(&format!("const{i}"), sort), value))
            .collect();
        let model = model_of(terms, &atoms);
        let mut entries: Vec<PoolTerm> =
            atoms.iter().map(|(term, value)| PoolTerm { term: *term, value: value.clone() }).collect();
        let mut seen: FxHashSet<(usize, Value)> = FxHashSet::default();
        for _ in 0..bound {
            let mut next = Vec::new();
            for (number, row) in tables.operations[..operations].iter().enumerate() {
                for choice in choices(terms, row, &entries) {
                    let args = choice.iter().map(|&i| entries[i].term);
                    let map = TermMap::from_iter(row.args.iter().copied().zip(args));
                    let term = terms.substitute(&[row.term], &map)[0];
                    let Ok(value) = Evaluator::new(terms, &model).eval(term) else { continue };
                    if seen.insert((number, value.clone())) {
                        next.push(PoolTerm { term, value });
                    }
                }
            }
            // What is found in a round joins the pool; the constants themselves leave it after the first.
            entries.retain(|entry| terms.op(entry.term) != Op::Apply);
            entries.extend(next);
        }
        Pool { atoms, entries }
    }

    /// `operation(terms of the pool) = term of the pool`, with the constants made variables named in the order of their
    /// occurrence: all formulas of an operation, no two the same, each by its arguments and its right-hand side.
    pub(crate) fn formulas(&self, terms: &mut Terms, row: &OperationTerms) -> Vec<(Vec<usize>, usize)> {
        let model = model_of(terms, &self.atoms);
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut found = Vec::new();
        for choice in choices(terms, row, &self.entries) {
            let left = self.application(terms, row, &choice);
            let Ok(value) = Evaluator::new(terms, &model).eval(left) else { continue };
            for (right, entry) in self.entries.iter().enumerate() {
                if entry.value == value {
                    let formula = self.equation(terms, left, entry.term);
                    if seen.insert(formula.parts[0].term) {
                        found.push((choice.clone(), right));
                    }
                }
            }
        }
        found
    }

    /// One formula for an operation by random choice; where no term of the pool has the value, the operation is equated
    /// with itself on the same arguments.
    pub(crate) fn random_formula(&self, terms: &mut Terms, row: &OperationTerms, rng: &mut Rng) -> Formula {
        let pick = |arg: &TermId, rng: &mut Rng| {
            let fits = |&i: &usize| terms.sort(self.entries[i].term) == terms.sort(*arg);
            rng.pick(&(0..self.entries.len()).filter(fits).collect::<Vec<_>>())
        };
        let args: Vec<usize> = row.args.iter().map(|arg| pick(arg, rng)).collect();
        let left = self.application(terms, row, &args);
        let model = model_of(terms, &self.atoms);
        let value = Evaluator::new(terms, &model).eval(left).expect("operations on strings are total");
        let equal: Vec<TermId> =
            self.entries.iter().filter(|entry| entry.value == value).map(|entry| entry.term).collect();
        let right = if equal.is_empty() { left } else { rng.pick(&equal) };
        self.equation(terms, left, right)
    }

    /// One of [`Pool::formulas`].
    pub(crate) fn formula(
        &self,
        terms: &mut Terms,
        row: &OperationTerms,
        args: &[usize],
        right: usize,
    ) -> Formula {
        let left = self.application(terms, row, args);
        self.equation(terms, left, self.entries[right].term)
    }

    fn application(&self, terms: &mut Terms, row: &OperationTerms, args: &[usize]) -> TermId {
        let args = args.iter().map(|&i| self.entries[i].term);
        let map = TermMap::from_iter(row.args.iter().copied().zip(args));
        terms.substitute(&[row.term], &map)[0]
    }

    fn equation(&self, terms: &mut Terms, left: TermId, right: TermId) -> Formula {
        let equation = terms.mk(Op::Eq, &[left, right]);
        let mut map = TermMap::default();
        let mut model = Vec::new();
        for atom in in_order_of_occurrence(terms, equation) {
            let Some((_, value)) = self.atoms.iter().find(|(term, _)| *term == atom) else { continue };
            let (kind, sort) = if terms.sort(atom) == STRING { ("str", STRING) } else { ("int", INT) };
            let var = terms.symbol_constant(&format!("tmp_{kind}{}", model.len()), sort);
            map.insert(atom, var);
            model.push((var, value.clone()));
        }
        let renamed = terms.substitute(&[equation], &map)[0];
        Formula::sat(vec![renamed], model)
    }
}

/// All tuples of entries whose sorts fit the arguments of an operation, the last argument changing fastest.
fn choices(terms: &Terms, row: &OperationTerms, entries: &[PoolTerm]) -> Vec<Vec<usize>> {
    let fitting = |arg: &TermId| -> Vec<usize> {
        (0..entries.len()).filter(|&i| terms.sort(entries[i].term) == terms.sort(*arg)).collect()
    };
    row.args.iter().map(fitting).fold(vec![Vec::new()], |tuples, options| {
        let extend = |tuple: Vec<usize>| {
            options.iter().map(move |&option| [&tuple[..], &[option]].concat()).collect::<Vec<_>>()
        };
        tuples.into_iter().flat_map(extend).collect()
    })
}

/// How many tuples of boundary values the arguments of an operation can have.
pub(crate) fn boundary_tuples(row: usize) -> usize {
    OPERATIONS[row].args.iter().map(|&(_, sort)| boundary(sort).len()).product()
}

/// The tuple of this number, the last argument changing fastest.
pub(crate) fn boundary_tuple(row: usize, mut number: usize) -> Vec<Value> {
    let mut tuple: Vec<Value> = OPERATIONS[row]
        .args
        .iter()
        .rev()
        .map(|&(_, sort)| {
            let mut options = boundary(sort);
            let choice = number % options.len();
            number /= options.len();
            options.swap_remove(choice)
        })
        .collect();
    tuple.reverse();
    tuple
}

/// The variables of a term from left to right.
fn in_order_of_occurrence(terms: &Terms, root: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if terms.op(term) == Op::Apply && !found.contains(&term) {
            found.push(term);
        }
        stack.extend(terms.args(term).iter().rev());
    }
    found
}
