//! How heavy a script is. Every step of a reduction makes it lighter, so reductions end whatever the test says, and no two
//! passes can undo each other's work for ever.

use smt::{Command, FunId, Op, Script, Sort, SortId, TermId, Terms, Value};
use std::collections::HashSet;

/// The weight of a script: compared part by part, in this order. What makes the later parts heavier for the sake of an
/// earlier one (inlining a definition, eliminating a variable, narrowing a sort with conversions around it) is worth it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Weight {
    definitions: usize,
    symbols: usize,
    sorts: u64,
    /// Nodes of the terms as trees, saturating.
    tree: u64,
    /// Nodes of the terms as DAGs.
    pub(super) nodes: usize,
    constants: u128,
    pub(super) commands: usize,
    pub(super) bytes: usize,
}

/// All terms that a script holds, those of its definitions too.
pub(super) fn roots(terms: &Terms, script: &Script) -> Vec<TermId> {
    let mut all = script.terms();
    all.extend(definitions(script).filter_map(|fun| Some(terms.fun(fun).definition.as_ref()?.body)));
    all
}

/// The functions that a script defines.
pub(super) fn definitions(script: &Script) -> impl Iterator<Item = FunId> + '_ {
    script
        .commands
        .iter()
        .flat_map(|command| match command {
            Command::DefineFun(fun) | Command::DefineConst(fun) => std::slice::from_ref(fun),
            Command::DefineFunsRec(funs) => funs,
            _ => &[],
        })
        .copied()
}

/// The functions and constants that a script declares, in order.
pub(super) fn declarations(script: &Script) -> impl Iterator<Item = FunId> + '_ {
    script.commands.iter().filter_map(|command| match command {
        Command::DeclareFun(fun) | Command::DeclareConst(fun) => Some(*fun),
        _ => None,
    })
}

/// The sizes of terms as trees, saturating.
pub(super) struct Sizes {
    /// All terms that occur, arguments first.
    pub(super) all: Vec<TermId>,
    by_index: Vec<u64>,
}

impl Sizes {
    /// The sizes of everything that occurs in the roots.
    pub(super) fn new(terms: &Terms, roots: &[TermId]) -> Sizes {
        let all = smt::walk::reachable(terms, roots);
        let mut sizes = Sizes { by_index: vec![0; terms.len()], all: Vec::new() };
        for &term in &all {
            let size = terms.args(term).iter().fold(1u64, |n, &arg| n.saturating_add(sizes.of(arg)));
            sizes.by_index[term.index()] = size;
        }
        Sizes { all, ..sizes }
    }

    /// The size of a term that occurs.
    pub(super) fn of(&self, term: TermId) -> u64 {
        self.by_index[term.index()]
    }
}

/// Weighs a script; `bytes` is the length of its text.
pub(super) fn weigh(terms: &Terms, script: &Script, bytes: usize) -> Weight {
    let roots = roots(terms, script);
    let sizes = Sizes::new(terms, &roots);
    let mut symbols: HashSet<FunId> = HashSet::new();
    let mut sorts: HashSet<SortId> = HashSet::new();
    let mut constants = 0u128;
    for &term in &sizes.all {
        sorts.insert(terms.sort(term));
        symbols.extend(terms.as_fun(term));
        constants = constants.saturating_add(match terms.op(term) {
            Op::Const => terms.as_value(term).map_or(0, value),
            op if op.info().indices > 0 && terms.sort(term) == SortId::REG_LAN => {
                terms.indices(term).iter().map(|&i| u128::from(i)).sum()
            }
            _ => 0,
        });
    }
    for command in &script.commands {
        if let Command::Push(n) | Command::Pop(n) = command {
            constants = constants.saturating_add(u128::from(*n));
        }
    }
    for fun in declarations(script) {
        sorts.extend(terms.fun(fun).params.iter().copied());
        sorts.insert(terms.fun(fun).result);
    }
    Weight {
        definitions: definitions(script).count(),
        symbols: symbols.len(),
        sorts: sorts.iter().map(|&sort| sort_weight(terms, sort)).sum(),
        tree: roots.iter().fold(0, |n: u64, root| n.saturating_add(sizes.of(*root))),
        nodes: sizes.all.len(),
        constants,
        commands: script.commands.len(),
        bytes,
    }
}

/// The weight of a sort: its bits, with its parts. Recursion is bounded by the size of sorts.
pub(super) fn sort_weight(terms: &Terms, sort: SortId) -> u64 {
    let all = |list: &[SortId]| list.iter().map(|&s| sort_weight(terms, s)).sum::<u64>();
    match terms.sort_of(sort) {
        Sort::Bool => 1,
        Sort::BitVec(width) => 1 + u64::from(*width),
        Sort::Float(eb, sb) => 1 + u64::from(*eb) + u64::from(*sb),
        Sort::Int | Sort::RoundingMode => 2,
        Sort::Real | Sort::String | Sort::RegLan | Sort::Parameter(_) => 3,
        Sort::Array(index, element) => 1 + all(&[*index, *element]),
        Sort::Collection(_, item) => 2 + all(&[*item]),
        Sort::FiniteField(_) => 4,
        Sort::Uninterpreted(_, list) | Sort::Datatype(_, list) => 4 + all(list),
        Sort::Function(params, result) => 1 + all(params) + all(&[*result]),
    }
}

/// The weight of a constant: how far it is from the simplest of its sort.
pub(super) fn value(value: &Value) -> u128 {
    /// Beyond this, numbers weigh as much as they have digits.
    const LARGE: u128 = 1 << 96;
    let natural = |magnitude: &smt::UBig| match u128::try_from(magnitude.clone()) {
        Ok(n) if n < LARGE => n,
        _ => LARGE + magnitude.to_string().len() as u128,
    };
    let integer = |i: &smt::IBig| {
        let (sign, magnitude) = i.clone().into_parts();
        2 * natural(&magnitude) + u128::from(sign == smt::IBig::NEG_ONE.into_parts().0)
    };
    match value {
        Value::Bool(b) => u128::from(!b),
        Value::Int(i) => integer(i),
        Value::Real(r) => integer(r.numerator()) + 2 * (natural(r.denominator()) - 1),
        Value::BitVec(bits) => natural(bits.to_ubig()),
        Value::Float(float) if float.is_zero() => u128::from(float.is_negative()),
        Value::Float(float) => {
            let (format, bits) = (float.format(), float.bits());
            let is_set = |i: &u32| (&bits >> *i as usize) & smt::UBig::ONE == smt::UBig::ONE;
            match *float == smt::Float::one(format, false) {
                true => 2,
                false => 3 + (0..format.eb + format.sb).filter(is_set).count() as u128,
            }
        }
        Value::Rm(mode) => *mode as u128,
        Value::String(text) => text
            .iter()
            .map(|c| match char::from_u32(c) {
                Some('a') => 3,
                Some(c) if c.is_ascii_alphanumeric() => 4,
                Some(c) if c.is_ascii_graphic() => 5,
                _ => 6,
            })
            .sum(),
        _ => 0,
    }
}
