//! Arrays and functions by lazy axiom instantiation: the `validate` and `refine` of Zhang et al. 2020, Algorithm 3.
//!
//! The circuit knows reads, function applications and equalities of arrays only as inputs. Given one of its models, every
//! read is followed through the array terms (Brummayer and Biere, "Lemmas on demand for the extensional theory of arrays",
//! 2009): down through stores at other indices and through the chosen branch of an `ite`, across equalities that
//! hold, and, where an equality depends on it, up again. Two reads of one array at equal indices that differ
//! break congruence, a read that ends at a store to its index or at a constant array must find that element; each violation
//! gives a clause that is valid in the theory and false in the model. Equal arrays that are not to be equal get a
//! witness index (extensionality).

use super::float;
use super::lower::Lowering;
use super::support::is_array;
use super::valuation::{Key, Valuation, value_of};
use crate::tuning::blast_axioms::MAX_LEMMAS;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Conversion, Float, Format, FunId, Op, RoundingMode, Sort, TermId, Terms, UBig, Value};
use std::collections::VecDeque;

/// A formula and the value that it has in the clause.
pub(super) type Atom = (TermId, bool);

/// What a query says about arrays and functions.
#[derive(Debug, Default)]
pub(super) struct Axioms {
    seen: FxHashSet<TermId>,
    selects: Vec<TermId>,
    stores: Vec<TermId>,
    choices: Vec<TermId>,
    constants: Vec<TermId>,
    equalities: Vec<TermId>,
    applications: Vec<TermId>,
    /// Applications of operators that have no circuit at first.
    pub(super) lazy: Vec<TermId>,
}

impl Axioms {
    /// Takes note of all array and function terms in some formulas; returns the equalities of arrays that are new.
    pub(super) fn scan(&mut self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        let mut fresh = Vec::new();
        let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
        while let Some(term) = stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            let args = terms.args(term);
            match terms.op(term) {
                Op::Select => self.selects.push(term),
                Op::Store => self.stores.push(term),
                Op::ConstArray => self.constants.push(term),
                Op::Ite if is_array(terms, term) => self.choices.push(term),
                Op::Eq if is_array(terms, args[0]) => {
                    self.equalities.push(term);
                    fresh.push(term);
                }
                Op::Apply if !args.is_empty() => self.applications.push(term),
                op if float::is_open(op) => self.applications.push(term),
                op if float::is_lazy(op) => self.lazy.push(term),
                _ => {}
            }
            stack.extend(args.iter().rev());
        }
        fresh
    }

    /// Whether there is anything to check.
    pub(super) fn is_empty(&self) -> bool {
        self.selects.is_empty() && self.applications.is_empty() && self.equalities.is_empty()
    }

    /// The terms whose values [`Axioms::check`] looks at.
    pub(super) fn relevant(&self, terms: &Terms) -> Vec<TermId> {
        let words = |t: &TermId| terms.args(*t).iter().copied().filter(|&a| !is_array(terms, a));
        let nodes = self.stores.iter().chain(&self.choices).chain(&self.constants).flat_map(words);
        let inputs = self.selects.iter().chain(&self.applications);
        let inputs = inputs.flat_map(|t| words(t).chain([*t]));
        nodes.chain(inputs).chain(self.equalities.iter().copied()).collect()
    }

    /// Checks a model: the clauses that it violates, or what it says about arrays and functions.
    pub(super) fn check(&self, terms: &mut Terms, values: &mut Valuation<'_>) -> Check {
        let mut check = Check::default();
        self.check_functions(terms, values, &mut check);
        Reads::new(self, terms, values).follow(terms, values, &mut check);
        check
    }

    fn check_functions(&self, terms: &mut Terms, values: &mut Valuation<'_>, check: &mut Check) {
        let mut graph: FxHashMap<(Function, Vec<Key>), (TermId, Key)> = FxHashMap::default();
        for &term in &self.applications {
            let fun = Function::of(terms, term);
            let args = terms.args(term).to_vec();
            let keys: Vec<Key> = args.iter().map(|&a| values.key(a)).collect();
            let value = values.key(term);
            match graph.get(&(fun, keys.clone())) {
                None => {
                    check.graph.push((fun, keys.clone(), value.clone()));
                    graph.insert((fun, keys), (term, value));
                }
                Some((_, known)) if *known == value => {}
                Some(&(other, _)) => {
                    let mut clause: Vec<Atom> = Vec::new();
                    for (a, b) in args.into_iter().zip(terms.args(other).to_vec()) {
                        if a != b {
                            clause.push((terms.mk(Op::Eq, &[a, b]), false));
                        }
                    }
                    clause.push((terms.mk(Op::Eq, &[term, other]), true));
                    check.lemma(clause);
                }
            }
        }
    }
}

impl Axioms {
    /// The applications without a circuit whose words are not what the operator gives, the oldest first.
    pub(super) fn wrong_results(
        &self,
        terms: &mut Terms,
        lowering: &Lowering,
        values: &mut Valuation<'_>,
    ) -> Vec<TermId> {
        let mut wrong: Vec<TermId> = Vec::new();
        for &term in self.lazy.iter().filter(|&&term| lowering.is_lazy(term)) {
            let args = terms.args(term).to_vec();
            let mut value = |t: TermId| {
                let key = values.key(t);
                value_of(terms, terms.sort(t), &key)
            };
            let result = value(term);
            let args: Vec<Value> = args.into_iter().map(value).collect();
            if float::apply(terms.op(term), &args).is_none_or(|right| Value::Float(right) != result) {
                wrong.push(term);
            }
        }
        wrong.sort_unstable();
        wrong
    }
}

/// What is applied: a symbol, or an operator that SMT-LIB leaves open for some arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Function {
    Symbol(FunId),
    Conversion(Conversion),
}

impl Function {
    fn of(terms: &Terms, term: TermId) -> Function {
        match Conversion::of(terms, term) {
            Some(conversion) => Function::Conversion(conversion),
            None => Function::Symbol(terms.as_fun(term).expect("an application")),
        }
    }
}

/// What came of checking a model.
#[derive(Debug, Default)]
pub(super) struct Check {
    /// Valid clauses that are false in the model.
    pub(super) lemmas: Vec<Vec<Atom>>,
    /// What the model says of functions: arguments and value.
    pub(super) graph: Vec<(Function, Vec<Key>, Key)>,
    /// What the model says of array terms: index and element.
    pub(super) elements: Vec<(TermId, Key, Key)>,
    /// The element everywhere else, for array terms that are tied to constant arrays.
    pub(super) defaults: FxHashMap<TermId, Key>,
}

impl Check {
    fn lemma(&mut self, mut clause: Vec<Atom>) {
        clause.sort_unstable();
        clause.dedup();
        if self.lemmas.len() < MAX_LEMMAS && !self.lemmas.contains(&clause) {
            self.lemmas.push(clause);
        }
    }
}

/// A read on its way: what is read where, and by which steps it came.
#[derive(Clone, Debug)]
struct Read {
    index: TermId,
    key: Key,
    element: TermId,
    value: Key,
    /// The last of the steps behind it.
    steps: Option<usize>,
}

/// How a read got from one array to another: while this formula has this value.
#[derive(Debug)]
struct Link {
    condition: Atom,
    before: Option<usize>,
}

/// The state of following all reads of one model.
struct Reads<'q> {
    axioms: &'q Axioms,
    links: Vec<Link>,
    /// What is known of each array at each index.
    table: FxHashMap<TermId, FxHashMap<Key, Read>>,
    queue: VecDeque<(TermId, Read)>,
    /// Stores and choices above each array, and the other sides of equalities that hold.
    parents: FxHashMap<TermId, Vec<TermId>>,
    equal: FxHashMap<TermId, Vec<(TermId, TermId)>>,
    /// Arrays below an equality that holds: reads go up to these.
    tied: FxHashSet<TermId>,
}

impl<'q> Reads<'q> {
    fn new(axioms: &'q Axioms, terms: &Terms, values: &mut Valuation<'_>) -> Reads<'q> {
        let mut reads = Reads {
            axioms,
            links: Vec::new(),
            table: FxHashMap::default(),
            queue: VecDeque::new(),
            parents: FxHashMap::default(),
            equal: FxHashMap::default(),
            tied: FxHashSet::default(),
        };
        let mut open = Vec::new();
        for &equality in &axioms.equalities {
            if values.truth(equality) {
                let (a, b) = (terms.args(equality)[0], terms.args(equality)[1]);
                reads.equal.entry(a).or_default().push((b, equality));
                reads.equal.entry(b).or_default().push((a, equality));
                open.extend([a, b]);
            }
        }
        while let Some(array) = open.pop() {
            if !reads.tied.insert(array) {
                continue;
            }
            if let Some(below) = below(terms, values, array) {
                reads.parents.entry(below).or_default().push(array);
                open.push(below);
            }
        }
        reads
    }

    fn follow(mut self, terms: &mut Terms, values: &mut Valuation<'_>, check: &mut Check) {
        for &select in &self.axioms.selects {
            let (array, index) = (terms.args(select)[0], terms.args(select)[1]);
            self.start(values, array, index, select);
        }
        for &store in &self.axioms.stores {
            if self.tied.contains(&store) {
                let (index, element) = (terms.args(store)[1], terms.args(store)[2]);
                self.start(values, store, index, element);
            }
        }
        self.read_constants(terms, values, check);
        while let Some((array, read)) = self.queue.pop_front() {
            self.arrive(terms, values, array, read, check);
        }
        if check.lemmas.is_empty() {
            let mut arrays: Vec<TermId> = self.table.keys().copied().collect();
            arrays.sort_unstable();
            for array in arrays {
                let mut reads: Vec<&Read> = self.table[&array].values().collect();
                reads.sort_unstable_by(|a, b| a.key.cmp(&b.key));
                check.elements.extend(reads.into_iter().map(|r| (array, r.key.clone(), r.value.clone())));
            }
        }
    }

    fn start(&mut self, values: &mut Valuation<'_>, array: TermId, index: TermId, element: TermId) {
        let read = Read { index, key: values.key(index), element, value: values.key(element), steps: None };
        self.queue.push_back((array, read));
    }

    /// Constant arrays under an equality are read wherever it could matter: at the index of every store, and at one
    /// index that no store has, if there is one.
    fn read_constants(&mut self, terms: &mut Terms, values: &mut Valuation<'_>, check: &mut Check) {
        let tied: Vec<TermId> =
            self.axioms.constants.iter().copied().filter(|c| self.tied.contains(c)).collect();
        for &array in &tied {
            let element = terms.args(array)[0];
            let sort = terms.sort(array);
            let mut keys: FxHashSet<Key> = FxHashSet::default();
            for &store in &self.axioms.stores {
                let index = terms.args(store)[1];
                if terms.sort(store) == sort && self.tied.contains(&store) && keys.insert(values.key(index)) {
                    self.start(values, array, index, element);
                }
            }
            if let Some((index, key)) = unused_index(terms, array, &keys) {
                let value = values.key(element);
                let read = Read { index, key, element, value, steps: None };
                self.queue.push_back((array, read));
            }
        }
        // The element of a constant array is the default of everything that it is tied to.
        let mut open: Vec<(TermId, Key)> =
            tied.iter().map(|&array| (array, values.key(terms.args(array)[0]))).collect();
        while let Some((array, default)) = open.pop() {
            if check.defaults.contains_key(&array) {
                continue;
            }
            let across = self.equal.get(&array).into_iter().flatten().map(|&(other, _)| other);
            let up = self.parents.get(&array).into_iter().flatten().copied();
            let down = below(terms, values, array);
            open.extend(across.chain(up).chain(down).map(|other| (other, default.clone())));
            check.defaults.insert(array, default);
        }
    }

    fn arrive(
        &mut self,
        terms: &mut Terms,
        values: &mut Valuation<'_>,
        array: TermId,
        read: Read,
        check: &mut Check,
    ) {
        if let Some(known) = self.table.get(&array).and_then(|reads| reads.get(&read.key)) {
            if known.value != read.value {
                let known = known.clone();
                let clause = self.conflict(terms, &read, Some(&known), known.index, known.element);
                check.lemma(clause);
            }
            return;
        }
        self.table.entry(array).or_default().insert(read.key.clone(), read.clone());
        match (terms.op(array), terms.args(array)) {
            (Op::ConstArray, &[element]) if values.key(element) != read.value => {
                let clause = self.conflict(terms, &read, None, read.index, element);
                check.lemma(clause);
            }
            (Op::Store, &[below, at, element]) => {
                if values.key(at) != read.key {
                    self.pass_store(terms, &read, at, below);
                } else if values.key(element) != read.value {
                    let clause = self.conflict(terms, &read, None, at, element);
                    check.lemma(clause);
                }
            }
            (Op::Ite, &[condition, a, b]) => {
                let holds = values.truth(condition);
                self.pass(&read, (condition, holds), if holds { a } else { b });
            }
            _ => {}
        }
        for (other, equality) in self.equal.get(&array).cloned().unwrap_or_default() {
            self.pass(&read, (equality, true), other);
        }
        for parent in self.parents.get(&array).cloned().unwrap_or_default() {
            match *terms.args(parent) {
                [_, at, _] if terms.op(parent) == Op::Store => {
                    if values.key(at) != read.key {
                        self.pass_store(terms, &read, at, parent);
                    }
                }
                [condition, ..] => {
                    let holds = values.truth(condition);
                    self.pass(&read, (condition, holds), parent);
                }
                [] => unreachable!("only stores and choices stand above an array"),
            }
        }
    }

    fn pass_store(&mut self, terms: &mut Terms, read: &Read, at: TermId, to: TermId) {
        let same = terms.mk(Op::Eq, &[read.index, at]);
        self.pass(read, (same, false), to);
    }

    fn pass(&mut self, read: &Read, condition: Atom, to: TermId) {
        self.links.push(Link { condition, before: read.steps });
        let steps = Some(self.links.len() - 1);
        self.queue.push_back((to, Read { steps, ..read.clone() }));
    }

    /// The clause that says: if the reads get where they met and their indices are equal, so are the elements.
    fn conflict(
        &self,
        terms: &mut Terms,
        read: &Read,
        other: Option<&Read>,
        index: TermId,
        element: TermId,
    ) -> Vec<Atom> {
        let mut clause: Vec<Atom> = Vec::new();
        for mut at in [read.steps, other.and_then(|o| o.steps)] {
            while let Some(link) = at.map(|i| &self.links[i]) {
                clause.push((link.condition.0, !link.condition.1));
                at = link.before;
            }
        }
        if read.index != index {
            clause.push((terms.mk(Op::Eq, &[read.index, index]), false));
        }
        clause.push((terms.mk(Op::Eq, &[read.element, element]), true));
        clause
    }
}

/// The array that a store changes or that a choice chooses.
fn below(terms: &Terms, values: &mut Valuation<'_>, array: TermId) -> Option<TermId> {
    match (terms.op(array), terms.args(array)) {
        (Op::Store, &[below, ..]) => Some(below),
        (Op::Ite, &[condition, a, b]) => Some(if values.truth(condition) { a } else { b }),
        _ => None,
    }
}

/// An index that is not among these.
fn unused_index(terms: &mut Terms, array: TermId, used: &FxHashSet<Key>) -> Option<(TermId, Key)> {
    let Sort::Array(index, _) = *terms.sort_of(terms.sort(array)) else { return None };
    let width = match *terms.sort_of(index) {
        Sort::BitVec(width) => width,
        Sort::Float(eb, sb) => eb + sb,
        Sort::RoundingMode => 3,
        Sort::Bool => 1,
        _ => return None,
    };
    let bound = if width < 64 { 1u64 << width } else { u64::MAX };
    let mut key = vec![0u64; (width as usize).div_ceil(64)];
    let unused = (0..bound).filter(|&n| match *terms.sort_of(index) {
        Sort::Float(eb, sb) => float::is_canonical(Format { eb, sb }, n),
        Sort::RoundingMode => n < RoundingMode::ALL.len() as u64,
        _ => true,
    });
    let unused = unused.take(used.len() + 1).find(|&n| {
        key[0] = n;
        !used.contains(&key)
    })?;
    let term = match *terms.sort_of(index) {
        Sort::Bool => terms.bool(unused == 1),
        Sort::Float(eb, sb) => {
            terms.constant(Value::Float(Float::from_bits(Format { eb, sb }, UBig::from(unused))))
        }
        Sort::RoundingMode => terms.constant(Value::Rm(RoundingMode::ALL[unused as usize])),
        _ => terms.bv(width, unused),
    };
    Some((term, key))
}
