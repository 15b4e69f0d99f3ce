//! Where terms grow: constants and functions with their values, and applications with the values that follow from them.

use super::themes::Theme;
use crate::truth::operators::is_modest;
use crate::truth::operators::signature::{ORDERS, Palette, rows, signature};
use crate::truth::operators::values::{literal, value};
use crate::tuning::truth_grow_plot::{ATTEMPTS, DOMAIN, STEPS};
use random::Rng;
use smt::model::{Interpretation, Table};
use smt::op::OpInfo;
use smt::{
    Collection, Command, CtorId, DatatypeValue, Evaluator, FunId, Model, Op, Sort, SortId, TermId, TermMap,
    Terms, Theory, Value,
};
use std::sync::Arc;

/// The rows that a theme applies.
fn chosen_rows(theme: &Theme) -> Vec<&'static OpInfo> {
    if theme.only.is_empty() {
        return rows(theme.theories);
    }
    theme.only.iter().map(|op| op.info()).collect()
}

/// The names of bound variables.
const VARIABLES: [&str; 3] = ["q0", "q1", "q2"];

/// Terms under growth.
pub(super) struct Plot<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) rng: &'a mut Rng,
    pub(super) theme: &'static Theme,
    palette: Palette,
    rows: Vec<&'static OpInfo>,
    /// Constants, with the values that were chosen for them.
    pub(super) constants: Vec<(TermId, Value)>,
    pub(super) functions: Vec<FunId>,
    pub(super) model: Model,
    /// Applications with their values.
    pub(super) grown: Vec<(TermId, Value)>,
    languages: Vec<TermId>,
    /// The datatypes, and their constructors, of which at least one has no field of any datatype.
    data: Vec<(SortId, Vec<CtorId>)>,
    pub(super) declarations: Vec<Command>,
    pub(super) names: Vec<&'static str>,
    /// How many variables were bound.
    variables: usize,
}

impl<'a> Plot<'a> {
    pub(super) fn new(terms: &'a mut Terms, theme: &'static Theme, rng: &'a mut Rng) -> Plot<'a> {
        let palette = Palette {
            theories: theme.theories.to_vec(),
            widths: theme.widths,
            formats: theme.formats,
            numbers: theme.numbers,
            declared: None,
        };
        let mut plot = Plot {
            terms,
            rng,
            theme,
            palette,
            rows: chosen_rows(theme),
            constants: Vec::new(),
            functions: Vec::new(),
            model: Model::default(),
            grown: Vec::new(),
            languages: Vec::new(),
            data: Vec::new(),
            declarations: Vec::new(),
            names: Vec::new(),
            variables: 0,
        };
        if theme.sorts {
            plot.declare_sort();
        }
        if theme.datatypes {
            plot.declare_datatype();
        }
        plot
    }

    /// A sort of which the standard says no more than that it has elements; the values of the plot are a few that differ.
    fn declare_sort(&mut self) {
        let name = self.terms.symbol("U");
        self.palette.declared = Some(self.terms.make_sort(Sort::Uninterpreted(name, Box::default())));
        self.declarations.push(Command::DeclareSort(name, 0));
    }

    /// Whether values of a sort can be written as terms: those of a declared sort have no literals.
    pub(super) fn is_writable(&self, sort: SortId) -> bool {
        let mut open = vec![sort];
        while let Some(sort) = open.pop() {
            match *self.terms.sort_of(sort) {
                Sort::Uninterpreted(..) => return false,
                Sort::Array(index, element) => open.extend([index, element]),
                // Fields may be of the declared sort.
                Sort::Datatype(..) if self.palette.declared.is_some() => return false,
                _ => {}
            }
        }
        true
    }

    /// Grows a handful of applications.
    pub(super) fn grow(&mut self) {
        let wanted = 2 + self.rng.below(6);
        for _ in 0..ATTEMPTS {
            if self.grown.len() >= wanted {
                break;
            }
            match self.rng.below(8) {
                0 if self.theme.functions => self.apply_function(),
                1 if self.theme.quantifiers => self.quantify(),
                1 | 2 if !self.data.is_empty() => self.use_datatype(),
                3 if self.theme.arrays => self.use_array(),
                4 if self.theme.quantifiers && self.rng.one_in(2) => self.quantify(),
                _ => {
                    let row = self.rng.pick(&self.rows);
                    self.apply(row);
                }
            }
        }
    }

    /// Applies a row to operands of fitting sorts; nothing happens if the application has no value, or none worth having.
    fn apply(&mut self, row: &'static OpInfo) {
        let signature = signature(self.terms, self.rng, row, &self.palette, None);
        let args: Vec<TermId> = signature.sorts.iter().map(|&sort| self.operand(sort)).collect();
        let Ok(term) = self.terms.app_indexed(row.op, signature.indices, &args) else { return };
        if self.terms.sort(term) == SortId::REG_LAN {
            self.languages.push(term);
            return;
        }
        self.keep(term, row.name);
    }

    /// Keeps a term that has a value.
    fn keep(&mut self, term: TermId, name: &'static str) {
        if self.terms.as_value(term).is_some() || self.grown.iter().any(|(known, _)| *known == term) {
            return;
        }
        let outcome = Evaluator::new(self.terms, &self.model).with_steps(STEPS).eval(term);
        if let Ok(value) = outcome
            && is_modest(&value)
        {
            self.grown.push((term, value));
            self.names.push(name);
        }
    }

    /// Something of a sort: a grown term, a constant or a literal.
    pub(super) fn operand(&mut self, sort: SortId) -> TermId {
        if sort == SortId::REG_LAN {
            return self.language();
        }
        let terms = &*self.terms;
        let fits = |term: &TermId| terms.sort(*term) == sort;
        let grown: Vec<TermId> = self.grown.iter().map(|(term, _)| *term).filter(fits).collect();
        if !grown.is_empty() && !self.rng.one_in(3) {
            return self.rng.pick(&grown);
        }
        let constants: Vec<TermId> = self.constants.iter().map(|(term, _)| *term).filter(fits).collect();
        if !constants.is_empty() && !self.rng.one_in(3) {
            return self.rng.pick(&constants);
        }
        let value = self.value(sort);
        let writable = !matches!(value, Value::Array(_) | Value::Datatype(_)) && self.is_writable(sort);
        if writable && self.rng.one_in(3) {
            return literal(self.terms, &value);
        }
        self.constant(sort, value)
    }

    /// A new constant, with the value that it grows from.
    pub(super) fn constant(&mut self, sort: SortId, value: Value) -> TermId {
        let name = format!("x{}", self.constants.len());
        let name = self.terms.symbol(&name);
        let fun = self.terms.declare(name, &[], sort);
        let term = self.terms.apply(fun, &[]).expect("a constant takes no arguments");
        self.model.set(fun, value.clone());
        self.constants.push((term, value));
        self.declarations.push(Command::DeclareConst(fun));
        term
    }

    /// A random value of a sort.
    pub(super) fn value(&mut self, sort: SortId) -> Value {
        match self.terms.sort_of(sort).clone() {
            Sort::Datatype(..) => self.data_value(sort, 3),
            Sort::Uninterpreted(..) => {
                let name = self.rng.pick(&["u0", "u1", "u2", "u3"]);
                Value::Element(sort, self.terms.symbol(name))
            }
            Sort::Array(index, element) => {
                let mut array = smt::ArrayValue::constant(sort, self.value(element));
                for _ in 0..self.rng.below(3) {
                    let (at, what) = (self.value(index), self.value(element));
                    array.store(at, what);
                }
                Value::Array(Arc::new(array))
            }
            _ => value(self.terms, self.rng, sort),
        }
    }

    /// A regular expression: of literals, or of terms.
    pub(super) fn language(&mut self) -> TermId {
        if !self.languages.is_empty() && self.rng.one_in(2) {
            return self.rng.pick(&self.languages);
        }
        match self.rng.below(8) {
            // What follows from a term is not known before the term is.
            4 | 5 if self.theme.only.contains(&Op::StrInRe) => {
                let term = self.operand(SortId::STRING);
                self.terms.mk(Op::StrToRe, &[term])
            }
            0 => self.terms.mk(Op::ReAllChar, &[]),
            // A range whose ends are no letters is empty.
            6 if self.theme.only.contains(&Op::ReRange) => {
                let (low, high) = (self.operand(SortId::STRING), self.operand(SortId::STRING));
                self.terms.mk(Op::ReRange, &[low, high])
            }
            1 | 2 => {
                let (low, high) =
                    self.rng.pick(&[("a", "b"), ("0", "9"), ("b", "z"), ("b", "a"), ("ab", "z")]);
                let (low, high) = (self.terms.string(low), self.terms.string(high));
                self.terms.mk(Op::ReRange, &[low, high])
            }
            3 => {
                let term = self.operand(SortId::STRING);
                self.terms.mk(Op::StrToRe, &[term])
            }
            _ => {
                let text = self.rng.pick(&["", "a", "b", "ab", "0"]);
                let text = self.terms.string(text);
                self.terms.mk(Op::StrToRe, &[text])
            }
        }
    }

    /// A sort that the theme has values of.
    pub(super) fn sort(&mut self) -> SortId {
        if let Some((data, _)) = self.rng.choose(&self.data)
            && self.rng.one_in(3)
        {
            return data;
        }
        match self.rng.pick(self.theme.theories) {
            Theory::BitVec => self.terms.bit_vec_sort(self.rng.pick(self.theme.widths)),
            Theory::Float => {
                let (eb, sb) = self.rng.pick(self.theme.formats);
                self.terms.float_sort(eb, sb)
            }
            Theory::Strings => SortId::STRING,
            Theory::Sequences => self.collection(Collection::Seq),
            Theory::Sets => self.collection(Collection::Set),
            Theory::Bags => self.collection(Collection::Bag),
            Theory::Fields => self.terms.make_sort(Sort::FiniteField(self.rng.pick(&ORDERS).into())),
            Theory::Arith => self.rng.pick(self.theme.numbers),
            _ => match self.palette.declared {
                Some(declared) if !self.rng.one_in(3) => declared,
                _ => SortId::BOOL,
            },
        }
    }

    fn collection(&mut self, kind: Collection) -> SortId {
        self.terms.make_sort(Sort::Collection(kind, SortId::INT))
    }

    /// Applies an uninterpreted function, whose graph gets the point that is needed.
    fn apply_function(&mut self) {
        let fun = if self.functions.is_empty() || (self.functions.len() < 2 && self.rng.one_in(3)) {
            let params: Vec<SortId> = (0..1 + self.rng.below(2)).map(|_| self.parameter()).collect();
            let result = self.sort();
            let name = self.terms.symbol(&format!("f{}", self.functions.len()));
            let fun = self.terms.declare(name, &params, result);
            let default = Some(self.value(result));
            self.model.insert(fun, Interpretation::Table(Table { entries: Default::default(), default }));
            self.functions.push(fun);
            self.declarations.push(Command::DeclareFun(fun));
            fun
        } else {
            self.rng.pick(&self.functions)
        };
        let params = self.terms.fun(fun).params.clone();
        let args: Vec<TermId> = params.iter().map(|&sort| self.operand(sort)).collect();
        let Ok(term) = self.terms.apply(fun, &args) else { return };
        self.keep(term, "function");
    }

    /// A sort of a parameter. Results are no arrays: some solvers have functions of arrays, and none to arrays.
    fn parameter(&mut self) -> SortId {
        let sort = self.sort();
        if self.theme.arrays && self.rng.one_in(4) {
            let index = self.sort();
            return self.terms.array_sort(index, sort);
        }
        sort
    }

    fn use_array(&mut self) {
        let (index, mut element) = (self.sort(), self.sort());
        if self.rng.one_in(4) {
            let inner = self.sort();
            element = self.terms.array_sort(inner, element);
        }
        let known: Vec<TermId> = self
            .constants
            .iter()
            .map(|(term, _)| *term)
            .chain(self.grown.iter().map(|(term, _)| *term))
            .filter(|&t| matches!(self.terms.sort_of(self.terms.sort(t)), Sort::Array(..)))
            .collect();
        let array = match self.rng.choose(&known) {
            Some(array) if !self.rng.one_in(3) => array,
            _ => {
                let sort = self.terms.array_sort(index, element);
                // cvc5 has arrays that are one value everywhere, and not one term.
                let is_data = matches!(self.terms.sort_of(element), Sort::Datatype(..));
                let terms_too = self.rng.one_in(3) || is_data;
                if self.rng.one_in(3) && (terms_too || self.is_writable(element)) {
                    let element = match terms_too {
                        true => self.operand(element),
                        false => {
                            let value = self.value(element);
                            literal(self.terms, &value)
                        }
                    };
                    let Ok(array) = self.terms.const_array(sort, element) else { return };
                    array
                } else {
                    self.operand(sort)
                }
            }
        };
        let Sort::Array(index, element) = *self.terms.sort_of(self.terms.sort(array)) else { return };
        let at = self.operand(index);
        if self.rng.one_in(2) {
            let term = self.terms.mk(Op::Select, &[array, at]);
            self.keep(term, "select");
        } else {
            let what = self.operand(element);
            let term = self.terms.mk(Op::Store, &[array, at, what]);
            self.keep(term, "store");
        }
    }

    /// Binds constants of a Boolean term by a quantifier over finite sorts.
    fn quantify(&mut self) {
        let body = self.operand(SortId::BOOL);
        let Some(term) = self.bound(body) else { return };
        self.keep(term, "quantifier");
    }

    /// A quantifier that binds one or two of the constants in a formula; `None` if none is of a small sort. The variables of
    /// every other one are those of a quantifier inside, or have one of a few names, so that one hides another; some solvers refuse that.
    pub(super) fn bound(&mut self, body: TermId) -> Option<TermId> {
        let inside = smt::walk::reachable(self.terms, &[body]);
        let mut finite: Vec<TermId> = self.constants.iter().map(|(term, _)| *term).collect();
        finite.retain(|t| inside.contains(t));
        finite.retain(|&t| smt::eval::values_of(self.terms, self.terms.sort(t), DOMAIN).is_some());
        self.rng.shuffle(&mut finite);
        finite.truncate(1 + self.rng.below(2));
        let shared = self.rng.one_in(2);
        let first = self.rng.below(VARIABLES.len());
        let mut map = TermMap::default();
        for (number, &constant) in finite.iter().enumerate() {
            let sort = self.terms.sort(constant);
            let is_inner = |t: &TermId| self.terms.op(*t) == Op::Bound && self.terms.sort(*t) == sort;
            let inner = inside.iter().copied().find(|t| is_inner(t) && !map.values().any(|v| v == t));
            let name = if shared {
                VARIABLES[(first + number) % VARIABLES.len()].to_string()
            } else {
                format!("b{}", self.variables)
            };
            self.variables += 1;
            let name = self.terms.symbol(&name);
            let var = inner.filter(|_| shared).unwrap_or_else(|| self.terms.bound(name, sort, 0));
            if map.values().any(|v| *v == var) {
                continue;
            }
            map.insert(constant, var);
        }
        finite.retain(|constant| map.contains_key(constant));
        let bound = self.terms.substitute(&[body], &map)[0];
        let vars: Vec<TermId> = finite.iter().map(|constant| map[constant]).collect();
        let op = self.rng.pick(&[Op::Forall, Op::Exists]);
        if vars.is_empty() { None } else { self.terms.quantifier(op, &vars, bound).ok() }
    }

    /// One of a few shapes: an enumeration, a record, a list, a tree, a tree whose nodes are lists.
    fn declare_datatype(&mut self) {
        let names: Vec<_> = ["T", "c0", "c1", "c2", "s0", "s1", "s2"].map(|n| self.terms.symbol(n)).into();
        let id = self.terms.new_datatype(names[0], &[]);
        let sort = self.terms.datatype_sort(id);
        let (first, second) = (self.plain_sort(), self.plain_sort());
        let shape = self.rng.below(5);
        if shape == 4 {
            return self.declare_forest(first);
        }
        let ctors = match shape {
            0 => (1..4).map(|i| self.terms.new_ctor(id, names[i], &[])).collect(),
            1 => vec![self.terms.new_ctor(id, names[1], &[(names[4], first), (names[5], second)])],
            2 => vec![
                self.terms.new_ctor(id, names[1], &[]),
                self.terms.new_ctor(id, names[2], &[(names[4], first), (names[5], sort)]),
            ],
            _ => vec![
                self.terms.new_ctor(id, names[1], &[(names[4], first)]),
                self.terms.new_ctor(id, names[2], &[(names[5], sort), (names[6], sort)]),
            ],
        };
        self.data.push((sort, ctors));
        self.declarations.push(Command::DeclareDatatypes([id].into()));
    }

    /// Two datatypes that are made of each other: trees, and lists of trees.
    fn declare_forest(&mut self, leaf: SortId) {
        let [tree, forest] = ["T", "F"].map(|name| {
            let name = self.terms.symbol(name);
            self.terms.new_datatype(name, &[])
        });
        let [trees, forests] = [tree, forest].map(|id| self.terms.datatype_sort(id));
        let names = ["leaf", "node", "none", "more", "n0", "f0", "t1", "f1"].map(|n| self.terms.symbol(n));
        let of_tree = vec![
            self.terms.new_ctor(tree, names[0], &[(names[4], leaf)]),
            self.terms.new_ctor(tree, names[1], &[(names[5], forests)]),
        ];
        let of_forest = vec![
            self.terms.new_ctor(forest, names[2], &[]),
            self.terms.new_ctor(forest, names[3], &[(names[6], trees), (names[7], forests)]),
        ];
        self.data.extend([(trees, of_tree), (forests, of_forest)]);
        self.declarations.push(Command::DeclareDatatypes([tree, forest].into()));
    }

    fn plain_sort(&mut self) -> SortId {
        if let Some(declared) = self.palette.declared
            && self.rng.one_in(2)
        {
            return declared;
        }
        let bits = self.terms.bit_vec_sort(self.rng.pick(self.theme.widths));
        self.rng.pick(&[SortId::INT, SortId::BOOL, bits])
    }

    /// A value of a datatype, at most so deep.
    fn data_value(&mut self, sort: SortId, depth: u32) -> Value {
        let all = self.ctors_of(sort);
        let flat: Vec<CtorId> = all.iter().copied().filter(|&c| !self.nests(c)).collect();
        let ctor = if depth <= 1 { self.rng.pick(&flat) } else { self.rng.pick(&all) };
        let fields = self.terms.ctor(ctor).fields.clone();
        let mut values = Vec::new();
        for &field in fields.iter() {
            let field_sort = self.terms.field(field).sort;
            values.push(if self.ctors_of(field_sort).is_empty() {
                self.value(field_sort)
            } else {
                self.data_value(field_sort, depth.saturating_sub(1))
            });
        }
        let nested = values.iter().map(|v| if let Value::Datatype(d) = v { d.depth } else { 0 }).max();
        let depth = 1 + nested.unwrap_or(0);
        Value::Datatype(Arc::new(DatatypeValue { sort, ctor, fields: values.into(), depth }))
    }

    /// The constructors of a datatype; none for any other sort.
    fn ctors_of(&self, sort: SortId) -> Vec<CtorId> {
        self.data.iter().find(|(data, _)| *data == sort).map_or(Vec::new(), |(_, ctors)| ctors.clone())
    }

    fn nests(&self, ctor: CtorId) -> bool {
        let is_data = |sort: SortId| self.data.iter().any(|(data, _)| *data == sort);
        self.terms.ctor(ctor).fields.iter().any(|&field| is_data(self.terms.field(field).sort))
    }

    /// A constructor, a selector of the right constructor, a tester or an equation.
    fn use_datatype(&mut self) {
        let Some((sort, ctors)) = self.rng.choose(&self.data) else { return };
        let ctor = self.rng.pick(&ctors);
        let fields = self.terms.ctor(ctor).fields.clone();
        match self.rng.below(3) {
            0 => {
                let args: Vec<TermId> = fields
                    .iter()
                    .map(|&f| self.terms.field(f).sort)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|s| self.operand(s))
                    .collect();
                let Ok(term) = self.terms.construct(ctor, &args, None) else { return };
                self.keep(term, "constructor");
            }
            1 if !fields.is_empty() => {
                let of = self.operand(sort);
                // A selector of another constructor has no value that the standard fixes, and is not kept.
                let Ok(term) = self.terms.select_field(self.rng.pick(&fields), of) else { return };
                self.keep(term, "selector");
            }
            _ => {
                let of = self.operand(sort);
                let Ok(term) = self.terms.test_ctor(ctor, of) else { return };
                self.keep(term, "tester");
            }
        }
    }
}
