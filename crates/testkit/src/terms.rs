//! Random well-sorted terms of all theories: operators of the table, uninterpreted functions, datatypes, `match`,
//! quantifiers, annotations. Terms are grown bottom-up from a pool, so that subterms are shared as in real files.

use crate::{Ground, Rng, signature};
use smt::op::OpInfo;
use smt::{
    Attribute, AttributeValue, Command, CtorId, DatatypeId, Flags, FunId, Op, Reader, Script, Sort, SortId,
    TermId, Terms, Theory, walk,
};
use std::collections::BTreeMap;

/// Declarations of every kind, with names that need quoting among them.
const DECLARATIONS: &str = r#"
(declare-sort U 0)
(declare-datatypes ((Color 0)) (((red) (green) (blue))))
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-datatypes ((Pair 2)) ((par (X Y) ((pair (first X) (second Y))))))
(declare-datatypes ((Tree 0) (Forest 0))
  (((node (label String) (children Forest))) ((empty) (grow (tree Tree) (rest Forest)))))
(declare-fun f (Int) Int)
(declare-fun g (U Int) U)
(declare-fun p (U Bool) Bool)
(declare-fun |h of| (String (_ BitVec 8)) Real)
(declare-fun |let| (Color) (_ FloatingPoint 3 5))
(define-fun twice ((x Int)) Int (* 2 x))
(define-fun-rec len ((l List)) Int (match l ((nil 0) ((cons h t) (+ 1 (len t))))))
"#;

/// The sorts that get constants and bound variables.
const SORTS: &[&str] = &[
    "Bool",
    "Int",
    "Real",
    "String",
    "RoundingMode",
    "(_ BitVec 1)",
    "(_ BitVec 8)",
    "(_ BitVec 65)",
    "(_ FloatingPoint 2 3)",
    "(_ FloatingPoint 8 24)",
    "(Array Int Int)",
    "(Array (_ BitVec 8) Bool)",
    "U",
    "Color",
    "List",
    "(Pair Int Bool)",
    "Tree",
    "Forest",
];

/// For each datatype with fields a `match` on a constant of it; the variables are those of [`World::variable`].
const MATCHES: &[&str] = &[
    "(match c4!13 ((red true) (green false) (blue true)))",
    "(match c0!14 ((nil true) ((cons x1 x14) false)))",
    "(match c0!15 (((pair x1 x0) true)))",
    "(match c0!17 ((empty true) (x17 false)))",
];

/// Which kinds of terms are grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Everything.
    All,
    /// Strings, regular expressions, integers and Booleans, which the 2.5-era dialect writes in its own way.
    Strings,
    /// What has a value in every model: no binders, no annotations, no definitions, no uninterpreted sorts.
    Plain,
}

/// Declared sorts, datatypes, functions and constants, and the reader that knows them.
pub struct World {
    /// The commands that declare everything.
    pub declarations: Script,
    /// The reader in whose scopes the terms stand.
    pub reader: Reader,
    /// The sorts of constants and variables.
    pub sorts: Vec<SortId>,
    /// The constants, some for each sort.
    pub constants: Vec<TermId>,
    variables: Vec<TermId>,
    functions: Vec<FunId>,
    matches: Vec<TermId>,
    datatypes: Vec<(SortId, DatatypeId)>,
}

impl World {
    /// The declarations, read into an arena by a reader with nothing declared.
    pub fn new(terms: &mut Terms, mut reader: Reader) -> World {
        let reading = reader.read(terms, DECLARATIONS);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let functions = ["f", "g", "p", "h of", "let", "twice", "len"];
        let functions = (0..terms.fun_count())
            .map(|i| terms.fun_at(i))
            .filter(|&fun| functions.contains(&terms.fun_name(fun)))
            .collect();
        let sorts: Vec<SortId> =
            SORTS.iter().map(|text| reader.read_sort(terms, text).expect("a sort")).collect();
        let mut declarations = reading.script;
        let (mut constants, mut variables) = (Vec::new(), Vec::new());
        for (i, &sort) in sorts.iter().enumerate() {
            for n in [0, 4] {
                let constant = terms.symbol_constant(&format!("c{n}!{i}"), sort);
                let fun = terms.as_fun(constant).expect("a constant");
                reader.declare(terms, fun);
                declarations.push(Command::DeclareConst(fun));
                constants.push(constant);
            }
            let name = terms.symbol(&format!("x{i}"));
            variables.push(terms.bound(name, sort, 0));
        }
        let matches = MATCHES.iter().map(|text| reader.read_term(terms, text).expect("a match")).collect();
        let datatypes = sorts
            .iter()
            .filter_map(|&sort| match *terms.sort_of(sort) {
                Sort::Datatype(id, _) => Some((sort, id)),
                _ => None,
            })
            .collect();
        World { declarations, reader, sorts, constants, variables, functions, matches, datatypes }
    }

    /// The bound variable of a sort.
    pub fn variable(&self, terms: &Terms, sort: SortId) -> Option<TermId> {
        self.variables.iter().copied().find(|&v| terms.sort(v) == sort)
    }
}

/// Grows terms.
pub struct TermGen<'a> {
    world: &'a World,
    rng: &'a mut Rng,
    scope: Scope,
    rows: Vec<&'static OpInfo>,
    pool: BTreeMap<SortId, Vec<TermId>>,
    names: u32,
}

impl<'a> TermGen<'a> {
    /// A pool that holds the constants and, with binders, the variables of a world.
    pub fn new(terms: &Terms, world: &'a World, rng: &'a mut Rng, scope: Scope) -> TermGen<'a> {
        let rows = Op::all()
            .filter(|row| match scope {
                Scope::All => true,
                // The older dialect writes a power as a loop, which is another term.
                Scope::Strings => {
                    (matches!(row.theory, Theory::Strings | Theory::Core) && row.op != Op::RePower)
                        || row.op == Op::Add
                }
                Scope::Plain => row.theory.is_standard(),
            })
            .collect();
        let mut pool: BTreeMap<SortId, Vec<TermId>> = BTreeMap::new();
        let variables = world.variables.iter().filter(|_| scope == Scope::All);
        for &leaf in world.constants.iter().chain(variables) {
            let sort = terms.sort(leaf);
            let kept = match scope {
                Scope::All => true,
                Scope::Strings => [SortId::STRING, SortId::INT, SortId::BOOL].contains(&sort),
                Scope::Plain => !matches!(terms.sort_of(sort), Sort::Uninterpreted(..)),
            };
            if kept {
                pool.entry(sort).or_default().push(leaf);
            }
        }
        TermGen { world, rng, scope, rows, pool, names: 0 }
    }

    /// A closed Boolean term, grown in this many steps.
    pub fn formula(&mut self, terms: &mut Terms, steps: usize) -> TermId {
        for _ in 0..steps {
            let grown = self.step(terms);
            self.pool.entry(terms.sort(grown)).or_default().push(grown);
        }
        // The formula speaks of the latest terms of every sort.
        let mut parts: Vec<TermId> = self.pool[&SortId::BOOL].iter().rev().take(3).copied().collect();
        for (_, grown) in self.pool.iter().filter(|(sort, _)| **sort != SortId::BOOL) {
            let latest: Vec<TermId> = grown.iter().rev().take(3).copied().collect();
            if latest.len() > 1 {
                parts.push(terms.mk(Op::Eq, &latest));
            }
        }
        let formula = terms.mk(Op::Or, &parts);
        self.close(terms, formula)
    }

    fn step(&mut self, terms: &mut Terms) -> TermId {
        let most = if self.scope == Scope::All { 12 } else { 6 };
        match self.rng.below(most) {
            0..=5 => self.operator(terms),
            6 => self.apply(terms),
            7 => self.construct(terms),
            8 => self.take_apart(terms),
            9 => self.case_split(terms),
            10 => self.annotate(terms),
            _ => self.bind(terms),
        }
    }

    /// A term of a sort: mostly one that is there already.
    fn pick(&mut self, terms: &mut Terms, sort: SortId) -> TermId {
        match self.pool.get(&sort) {
            Some(known) if !self.rng.one_in(4) => {
                // Later terms are deeper.
                let from = if self.rng.one_in(2) { known.len().saturating_sub(5) } else { 0 };
                known[from + self.rng.below(known.len() - from)]
            }
            known => {
                let known = known.cloned();
                if self.scope == Scope::Strings && sort == SortId::REG_LAN {
                    return terms.mk(Op::ReAllChar, &[]);
                }
                let max_char = if self.scope == Scope::Strings { 0xff } else { 0x2_ffff };
                match ((Ground { rng: self.rng, max_char }).term(terms, sort), known) {
                    (Some(ground), _) => ground,
                    (None, Some(known)) => self.rng.pick(&known),
                    (None, None) => panic!("no term of this sort"),
                }
            }
        }
    }

    fn operator(&mut self, terms: &mut Terms) -> TermId {
        loop {
            let row = self.rng.pick(&self.rows);
            let mut signature = signature(terms, self.rng, row);
            // Polymorphic operators also see the sorts that a world declares.
            if matches!(row.op, Op::Eq | Op::Distinct | Op::Ite) && self.rng.one_in(2) {
                let sorts: Vec<SortId> = self.pool.keys().copied().collect();
                let sort = self.rng.pick(&sorts);
                let from = usize::from(row.op == Op::Ite);
                signature.sorts[from..].fill(sort);
            }
            let strings = [SortId::STRING, SortId::INT, SortId::BOOL, SortId::REG_LAN];
            if self.scope == Scope::Strings && !signature.sorts.iter().all(|s| strings.contains(s)) {
                continue;
            }
            let args: Vec<TermId> = signature.sorts.iter().map(|&s| self.pick(terms, s)).collect();
            return terms.mk_indexed(row.op, signature.indices, &args);
        }
    }

    fn apply(&mut self, terms: &mut Terms) -> TermId {
        let fun = self.rng.pick(&self.world.functions);
        let params = terms.fun(fun).params.clone();
        let args: Vec<TermId> = params.iter().map(|&s| self.pick(terms, s)).collect();
        terms.apply(fun, &args).expect("arguments of the right sorts")
    }

    fn ctor(&mut self, terms: &Terms) -> (SortId, CtorId) {
        let (sort, id) = self.rng.pick(&self.world.datatypes);
        (sort, self.rng.pick(&terms.datatype(id).ctors))
    }

    fn construct(&mut self, terms: &mut Terms) -> TermId {
        let (sort, ctor) = self.ctor(terms);
        let fields = terms.ctor(ctor).fields.clone();
        let mut args = Vec::new();
        for field in fields {
            let field_sort = terms.field_sort(field, sort).expect("a field of the sort");
            args.push(self.pick(terms, field_sort));
        }
        terms.construct(ctor, &args, Some(sort)).expect("fields of the right sorts")
    }

    /// A tester, a selector or an update.
    fn take_apart(&mut self, terms: &mut Terms) -> TermId {
        let (sort, ctor) = self.ctor(terms);
        let whole = self.pick(terms, sort);
        let fields = terms.ctor(ctor).fields.clone();
        if fields.is_empty() || self.rng.one_in(3) {
            return terms.test_ctor(ctor, whole).expect("a constructor of the sort");
        }
        let field = self.rng.pick(&fields);
        if self.rng.one_in(2) {
            return terms.select_field(field, whole).expect("a field of the sort");
        }
        let field_sort = terms.field_sort(field, sort).expect("a field of the sort");
        let part = self.pick(terms, field_sort);
        terms.update_field(field, whole, part).expect("a value of the field's sort")
    }

    /// One of the world's matches with another scrutinee and other bodies.
    fn case_split(&mut self, terms: &mut Terms) -> TermId {
        let template = self.rng.pick(&self.world.matches);
        let args = terms.args(template).to_vec();
        let scrutinee = self.pick(terms, terms.sort(args[0]));
        let mut new = vec![scrutinee];
        for &arg in &args[1..] {
            let is_body = terms.op(arg) != Op::Bound;
            let part = if is_body { self.pick(terms, terms.sort(arg)) } else { arg };
            new.push(part);
        }
        terms.rebuild(template, &new)
    }

    fn annotate(&mut self, terms: &mut Terms) -> TermId {
        let sort = self.rng.pick(&self.pool.keys().copied().collect::<Vec<_>>());
        let term = self.pick(terms, sort);
        self.names += 1;
        let value = terms.symbol(&format!("name!{}", self.names));
        let attribute = match self.rng.below(3) {
            0 => (":weight", AttributeValue::Text(terms.symbol("3"))),
            1 => (":no-value", AttributeValue::None),
            _ => (":note", AttributeValue::Text(value)),
        };
        let attribute = Attribute { keyword: terms.symbol(attribute.0), value: attribute.1 };
        terms.annotate(term, &[attribute], &[])
    }

    /// A quantifier over one or two variables, with a pattern now and then.
    fn bind(&mut self, terms: &mut Terms) -> TermId {
        let mut body = self.pick(terms, SortId::BOOL);
        let mut vars = bound_in(terms, body);
        while vars.len() > 2 {
            vars.remove(self.rng.below(vars.len()));
        }
        if vars.is_empty() {
            vars.push(self.rng.pick(&self.world.variables));
        }
        if self.rng.one_in(3) {
            let keyword = terms.symbol(":pattern");
            let attribute = Attribute { keyword, value: AttributeValue::Terms(vars.len() as u32) };
            body = terms.annotate(body, &[attribute], &vars);
        }
        let op = self.rng.pick(&[Op::Forall, Op::Exists]);
        terms.quantifier(op, &vars, body).expect("a Boolean body")
    }

    /// Binds every variable that occurs; binding one that is bound already does no harm.
    fn close(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        let vars = bound_in(terms, formula);
        terms.quantifier(Op::Forall, &vars, formula).expect("a Boolean body")
    }
}

/// The bound variables that occur in a term.
fn bound_in(terms: &Terms, term: TermId) -> Vec<TermId> {
    if !terms.flags(term).has(Flags::BOUND) {
        return Vec::new();
    }
    walk::reachable(terms, &[term]).into_iter().filter(|&t| terms.op(t) == Op::Bound).collect()
}
