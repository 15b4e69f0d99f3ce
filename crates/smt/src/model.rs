//! Models: what a solver says each function stands for, and reading that as Z3, cvc5, CVC4 and Soundline print it.

use crate::conversion::Conversion;
use crate::error::{Error, ErrorKind};
use crate::eval::Evaluator;
use crate::graph::tabulate;
use crate::lexer::{Lexer, Token};
use crate::op::Op;
use crate::print::{put, value_to_string, write_sort, write_symbol};
use crate::read::Reader;
use crate::sort::SortId;
use crate::term::{FunId, TermId, Terms};
use crate::value::Value;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;

/// What a function stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum Interpretation {
    /// A constant's value.
    Value(Value),
    /// A function by its graph.
    Table(Table),
    /// A function by a term over its parameters.
    Definition {
        /// The parameters, as bound variables.
        vars: Box<[TermId]>,
        /// The value, a term over `vars`.
        body: TermId,
    },
}

/// A function by its graph: listed arguments and a default.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The listed values.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value for all other arguments, if the model gives one.
    pub default: Option<Value>,
}

impl Table {
    /// The value for these arguments.
    pub fn get(&self, args: &[Value]) -> Option<&Value> {
        self.entries.get(args).or(self.default.as_ref())
    }
}

/// What the symbols of a script stand for, as a solver says.
#[derive(Clone, Debug, Default)]
pub struct Model {
    functions: HashMap<FunId, Interpretation, FxBuildHasher>,
    /// What division by zero gives, by the rows of `ZERO_DIVISION`.
    zero_division: [Option<FunId>; 3],
    zero_signs: Option<ZeroSigns>,
    /// What conversions of floats give where SMT-LIB leaves them open.
    conversions: BTreeMap<Conversion, FunId>,
}

/// What `fp.min` and `fp.max` give for zeros of opposite sign. SMT-LIB leaves that to the model, for each operator and
/// order of arguments on its own; the same choice counts in all formats here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ZeroSigns {
    /// Whether `fp.min` gives the negative zero: for `+0, -0`, and for `-0, +0`.
    pub min: [bool; 2],
    /// The same for `fp.max`.
    pub max: [bool; 2],
}

/// What a model's text calls the choice: Boolean constants that say whether the result is negative. SMT-LIB keeps symbols that
/// begin with `@` for solvers.
static ZERO_SIGNS: [&str; 4] = ["@fp.min.pos.neg", "@fp.min.neg.pos", "@fp.max.pos.neg", "@fp.max.neg.pos"];

impl ZeroSigns {
    /// In the order of their names.
    fn all(self) -> [bool; 4] {
        let ([a, b], [c, d]) = (self.min, self.max);
        [a, b, c, d]
    }

    fn of([a, b, c, d]: [bool; 4]) -> ZeroSigns {
        ZeroSigns { min: [a, b], max: [c, d] }
    }
}

/// The operators that SMT-LIB leaves open at zero, what Z3's models call them there, and what cvc5 and Soundline do. SMT-LIB keeps
/// symbols that begin with `@` for solvers, so that no script has one of these.
static ZERO_DIVISION: [(Op, &str, &str); 3] = [
    (Op::Div, "/0", "@div_by_zero"),
    (Op::IntDiv, "div0", "@int_div_by_zero"),
    (Op::Mod, "mod0", "@mod_by_zero"),
];

impl Model {
    /// What a function stands for.
    pub fn interpretation(&self, fun: FunId) -> Option<&Interpretation> {
        self.functions.get(&fun)
    }

    /// Says what a function stands for.
    pub fn insert(&mut self, fun: FunId, interpretation: Interpretation) {
        self.functions.insert(fun, interpretation);
    }

    /// Gives a constant its value.
    pub fn set(&mut self, constant: FunId, value: Value) {
        self.insert(constant, Interpretation::Value(value));
    }

    /// The value of a constant.
    pub fn value(&self, constant: FunId) -> Option<&Value> {
        match self.functions.get(&constant) {
            Some(Interpretation::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// How many functions the model lists.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether it lists none.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The listed functions in the order of their declaration.
    pub fn functions(&self) -> Vec<FunId> {
        let mut all: Vec<FunId> = self.functions.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// The function that says what an operator gives for a zero divisor; it takes the dividend, or both.
    pub(crate) fn zero_division(&self, op: Op) -> Option<FunId> {
        ZERO_DIVISION.iter().position(|(o, ..)| *o == op).and_then(|i| self.zero_division[i])
    }

    /// All functions that say what division by zero gives.
    pub fn zero_divisions(&self) -> impl Iterator<Item = FunId> + '_ {
        self.zero_division.iter().flatten().copied()
    }

    /// Says what an operator gives for a zero divisor, by the dividend. Only `/`, `div` and `mod` are open there.
    pub fn set_zero_division(&mut self, terms: &mut Terms, op: Op, table: Table) {
        let Some(row) = ZERO_DIVISION.iter().position(|(o, ..)| *o == op) else { return };
        let sort = if op == Op::Div { SortId::REAL } else { SortId::INT };
        let name = terms.symbol(ZERO_DIVISION[row].2);
        let fun = terms.declare(name, &[sort], sort);
        self.insert(fun, Interpretation::Table(table));
        self.zero_division[row] = Some(fun);
    }

    /// Takes over what another model says where SMT-LIB leaves operators open; where both speak of the same arguments, this one's
    /// word stays.
    pub fn adopt_open(&mut self, other: &Model) {
        for (slot, theirs) in self.zero_division.iter_mut().zip(other.zero_division) {
            *slot = slot.or(theirs);
        }
        for (&conversion, &fun) in &other.conversions {
            self.conversions.entry(conversion).or_insert(fun);
        }
        self.zero_signs = self.zero_signs.or(other.zero_signs);
        for fun in other.zero_divisions().chain(other.conversions.values().copied()).collect::<Vec<_>>() {
            let Some(theirs) = other.functions.get(&fun) else { continue };
            match (self.functions.get_mut(&fun), theirs) {
                (None, _) => self.insert(fun, theirs.clone()),
                (Some(Interpretation::Table(own)), Interpretation::Table(theirs)) => {
                    for (args, value) in &theirs.entries {
                        own.entries.entry(args.clone()).or_insert_with(|| value.clone());
                    }
                }
                (Some(_), _) => {}
            }
        }
    }

    /// The choice for `fp.min` and `fp.max` of zeros of opposite sign, if the model makes one. Of the solvers only
    /// Soundline's own prints it.
    pub fn zero_signs(&self) -> Option<ZeroSigns> {
        self.zero_signs
    }

    /// Makes the choice for `fp.min` and `fp.max` of zeros of opposite sign.
    pub fn set_zero_signs(&mut self, signs: ZeroSigns) {
        self.zero_signs = Some(signs);
    }

    /// The function that says what a conversion gives where SMT-LIB leaves it open. It takes the arguments of the
    /// conversion; of the solvers only Soundline's own prints it.
    pub fn conversion(&self, conversion: Conversion) -> Option<FunId> {
        self.conversions.get(&conversion).copied()
    }

    /// All conversions that the model says something about, with their functions.
    pub fn conversions(&self) -> impl Iterator<Item = (Conversion, FunId)> + '_ {
        self.conversions.iter().map(|(&conversion, &fun)| (conversion, fun))
    }

    /// Says what a conversion gives where SMT-LIB leaves it open.
    pub fn set_conversion(&mut self, terms: &mut Terms, conversion: Conversion, table: Table) {
        let (params, result) = conversion.signature(terms);
        let name = terms.symbol(&conversion.name());
        let fun = terms.declare(name, &params, result);
        self.insert(fun, Interpretation::Table(table));
        self.conversions.insert(conversion, fun);
    }

    /// Leaves conversions open again.
    pub fn clear_conversions(&mut self) {
        for fun in std::mem::take(&mut self.conversions).into_values() {
            self.functions.remove(&fun);
        }
    }

    /// The model as SMT-LIB prints it, for the functions that have names of the script.
    pub fn to_smtlib(&self, terms: &Terms) -> String {
        let mut out = String::from("(\n");
        for fun in self.functions() {
            self.write_definition(&mut out, terms, fun);
        }
        for (name, sign) in
            self.zero_signs.into_iter().flat_map(|signs| ZERO_SIGNS.into_iter().zip(signs.all()))
        {
            put(&mut out, format_args!("  (define-fun {name} () Bool {sign})\n"));
        }
        out.push_str(")\n");
        out
    }

    fn write_definition(&self, out: &mut String, terms: &Terms, fun: FunId) {
        let decl = terms.fun(fun);
        out.push_str("  (define-fun ");
        write_symbol(out, terms.name(decl.name));
        out.push_str(" (");
        let name = |i: usize| match &self.functions[&fun] {
            Interpretation::Definition { vars, .. } => {
                terms.name(terms.bound_name(vars[i]).expect("a bound variable")).to_string()
            }
            _ => format!("x!{i}"),
        };
        for (i, &sort) in decl.params.iter().enumerate() {
            out.push_str(if i > 0 { " (" } else { "(" });
            write_symbol(out, &name(i));
            out.push(' ');
            write_sort(out, terms, sort);
            out.push(')');
        }
        out.push_str(") ");
        write_sort(out, terms, decl.result);
        out.push(' ');
        match &self.functions[&fun] {
            Interpretation::Value(value) => out.push_str(&value_to_string(terms, value)),
            Interpretation::Definition { body, .. } => {
                out.push_str(&crate::print::term_to_string(terms, *body))
            }
            Interpretation::Table(table) => {
                let mut depth = 0;
                let default = table.default.as_ref().or_else(|| table.entries.values().next_back());
                for (args, value) in &table.entries {
                    if Some(value) == default {
                        continue;
                    }
                    out.push_str("(ite ");
                    if args.len() > 1 {
                        out.push_str("(and");
                    }
                    for (i, arg) in args.iter().enumerate() {
                        put(
                            out,
                            format_args!(
                                "{}(= x!{i} {})",
                                if args.len() > 1 { " " } else { "" },
                                value_to_string(terms, arg)
                            ),
                        );
                    }
                    if args.len() > 1 {
                        out.push(')');
                    }
                    put(out, format_args!(" {} ", value_to_string(terms, value)));
                    depth += 1;
                }
                out.push_str(&default.map_or_else(|| "<open>".into(), |v| value_to_string(terms, v)));
                out.push_str(&")".repeat(depth));
            }
        }
        out.push_str(")\n");
    }
}

/// One definition of a model's text, before its body is read.
struct Definition {
    fun: FunId,
    vars: Vec<TermId>,
    body_at: usize,
}

/// Reads a model in the scopes of the script it belongs to: the output of `get-model` (with or without the word
/// `model`, with or without `sat` in front) or of `get-value`.
pub fn read_model(terms: &mut Terms, scopes: &Reader, source: &str) -> Result<Model, Error> {
    let mut reader = scopes.for_model();
    let mut lexer = Lexer::new(source);
    while let Token::Symbol("sat" | "unknown", _) = lexer.peek()? {
        lexer.next()?;
    }
    let mut model = Model::default();
    if lexer.peek()? == Token::End {
        lexer.next()?;
        let kind = ErrorKind::Expected { expected: "a model".into(), found: "the end of the text".into() };
        return Err(Error { kind, span: lexer.span() });
    }
    reader.open(&mut lexer)?;
    if lexer.peek()? == Token::Symbol("model", false) {
        lexer.next()?;
    }
    // All heads first: a body may mention a function that is defined further down.
    let mut definitions = Vec::new();
    let mut pairs = Vec::new();
    loop {
        match lexer.next()? {
            Token::Close => break,
            Token::Open => {
                let start = lexer.token_start;
                match lexer.peek()? {
                    Token::Symbol("define-fun" | "define-fun-rec" | "define-const", false) => {
                        let definition = head(terms, &mut reader, lexer, &definitions)?;
                        definitions.push(definition);
                    }
                    Token::Symbol(word, false) if word.starts_with("declare-") => {
                        declare(terms, &mut reader, lexer)?
                    }
                    Token::Symbol("forall", false) => {}
                    Token::Symbol("error", false) => {
                        lexer.skip_expression(start);
                        return Err(Error {
                            kind: ErrorKind::Other(source[start..lexer.position()].into()),
                            span: lexer.span(),
                        });
                    }
                    _ => pairs.push(lexer.position()),
                }
                if !lexer.skip_expression(start) {
                    let kind = ErrorKind::Truncated { inside: "a model", expected: "`)`".into() };
                    return Err(Error { kind, span: lexer.span() });
                }
            }
            token => {
                return Err(Error {
                    kind: ErrorKind::Expected { expected: "a definition".into(), found: token.describe() },
                    span: lexer.span(),
                });
            }
        }
    }
    for definition in definitions {
        let mut at = Lexer::starting_at(source, definition.body_at);
        reader.bind_locals(terms, &definition.vars);
        let result = terms.fun(definition.fun).result;
        let body = reader.typed_term(terms, &mut at, result);
        reader.unwind_locals();
        for (slot, (_, name, own)) in model.zero_division.iter_mut().zip(&ZERO_DIVISION) {
            if [*name, *own].contains(&terms.fun_name(definition.fun))
                && matches!(definition.vars.len(), 1 | 2)
            {
                *slot = Some(definition.fun);
            }
        }
        if let Some(conversion) = Conversion::by_name(terms.fun_name(definition.fun))
            && definition.vars.len() == conversion.signature(terms).0.len()
        {
            model.conversions.insert(conversion, definition.fun);
        }
        model
            .insert(definition.fun, Interpretation::Definition { vars: definition.vars.into(), body: body? });
    }
    let mut pairs_seen: HashMap<TermId, TermId, FxBuildHasher> = HashMap::default();
    for at in pairs {
        let mut at = Lexer::starting_at(source, at);
        let term = reader.term(terms, &mut at)?;
        let value = reader.typed_term(terms, &mut at, terms.sort(term))?;
        if pairs_seen.insert(term, value).is_some_and(|before| before != value) {
            let term = crate::print::term_to_string(terms, term);
            let kind = ErrorKind::Other(format!("the model gives `{term}` two values"));
            return Err(Error { kind, span: at.span() });
        }
        add_pair(terms, &mut model, term, value);
    }
    model.simplify(terms);
    model.take_zero_signs(terms);
    Ok(model)
}

/// Reads the head of a definition and declares its function where the script does not. What the script declares must have the
/// same signature here, and nothing is defined twice.
fn head(
    terms: &mut Terms,
    reader: &mut Reader,
    mut lexer: Lexer<'_>,
    before: &[Definition],
) -> Result<Definition, Error> {
    let is_const = lexer.next()? == Token::Symbol("define-const", false);
    let (name, span) = reader.symbol(terms, &mut lexer, "the name of a function")?;
    let vars = if is_const { Vec::new() } else { reader.sorted_vars(terms, &mut lexer)? };
    reader.unwind_locals();
    let result = reader.sort(terms, &mut lexer)?;
    let params: Vec<SortId> = vars.iter().map(|&v| terms.sort(v)).collect();
    let fun = terms.declare(name, &params, result);
    if before.iter().any(|definition| definition.fun == fun) {
        let kind = ErrorKind::Other(format!("the model defines `{}` twice", terms.name(name)));
        return Err(Error { kind, span });
    }
    if let Some(known) = reader.declared(terms, name) {
        let signature = |f: FunId| (&terms.fun(f).params, terms.fun(f).result);
        if signature(known) != signature(fun) {
            let [declared, here] = [known, fun].map(|f| signature_to_string(terms, f));
            let kind = ErrorKind::Other(format!(
                "the script declares `{}` as {declared}, not as {here}",
                terms.name(name)
            ));
            return Err(Error { kind, span });
        }
    }
    reader.declare(terms, fun);
    Ok(Definition { fun, vars, body_at: lexer.position() })
}

/// `(Int) Bool` or `Int`.
fn signature_to_string(terms: &Terms, fun: FunId) -> String {
    let (params, mut out) = (&terms.fun(fun).params, String::new());
    for (i, &sort) in params.iter().enumerate() {
        out.push_str(if i > 0 { " " } else { "(" });
        write_sort(&mut out, terms, sort);
    }
    out.push_str(if params.is_empty() { "" } else { ") " });
    write_sort(&mut out, terms, terms.fun(fun).result);
    out
}

/// `(declare-fun T!val!0 () T)` names an element of a sort's universe; other declarations repeat the script's.
fn declare(terms: &mut Terms, reader: &mut Reader, mut lexer: Lexer<'_>) -> Result<(), Error> {
    let is_fun = matches!(lexer.next()?, Token::Symbol("declare-fun", _));
    if is_fun {
        let (name, _) = reader.symbol(terms, &mut lexer, "the name of a function")?;
        let params = reader.sort_list(terms, &mut lexer)?;
        let sort = reader.sort(terms, &mut lexer)?;
        if params.is_empty() {
            let element = terms.constant(Value::Element(sort, name));
            reader.bind_element(terms, name, element);
        }
    }
    Ok(())
}

/// A line of `get-value`: only constants and applications to constants say something about the model.
fn add_pair(terms: &mut Terms, model: &mut Model, term: TermId, value: TermId) {
    let Some(fun) = terms.as_fun(term).filter(|_| terms.op(term) == Op::Apply) else { return };
    let evaluated = |t: TermId| Evaluator::new(terms, &Model::default()).eval(t).ok();
    let args: Option<Vec<Value>> = terms.args(term).iter().map(|&a| evaluated(a)).collect();
    if terms.args(term).is_empty() {
        model.insert(fun, Interpretation::Definition { vars: Box::default(), body: value });
    } else if let (Some(args), Some(value)) = (args, evaluated(value)) {
        let entry = model.functions.entry(fun).or_insert_with(|| Interpretation::Table(Table::default()));
        if let Interpretation::Table(table) = entry {
            table.entries.insert(args, value);
        }
    }
}

impl Model {
    /// Makes the choice of zeros out of the constants that stand for it.
    fn take_zero_signs(&mut self, terms: &Terms) {
        let mut signs = [false; 4];
        for fun in self.functions() {
            if let Some(i) = ZERO_SIGNS.iter().position(|name| terms.fun_name(fun) == *name)
                && let Some(Value::Bool(sign)) = self.value(fun)
            {
                signs[i] = *sign;
                self.functions.remove(&fun);
                self.zero_signs = Some(ZeroSigns::of(signs));
            }
        }
    }

    /// Turns definitions into values and graphs where they have them. Definitions may use each other (Z3 gives arrays by
    /// the functions that describe them), so what is known after one round may settle more in the next.
    fn simplify(&mut self, terms: &Terms) {
        let mut pending = self.functions();
        loop {
            let before = pending.len();
            pending.retain(|&fun| match self.settled(terms, fun) {
                Some(interpretation) => {
                    let open = interpretation.has(is_function);
                    if !open {
                        self.insert(fun, interpretation);
                    }
                    open
                }
                None => true,
            });
            if pending.len() == before || pending.is_empty() {
                break;
            }
        }
        // What is left is known by functions that have no graph.
        for fun in pending {
            if let Some(interpretation) = self.settled(terms, fun) {
                self.insert(fun, interpretation);
            }
        }
    }

    /// What a definition comes to under what is known of the model. A language stays as it was defined: its value means something
    /// to the evaluator that made it only.
    fn settled(&self, terms: &Terms, fun: FunId) -> Option<Interpretation> {
        let settled = match &self.functions[&fun] {
            Interpretation::Definition { vars, body } if vars.is_empty() => match terms.as_value(*body) {
                Some(value) => Some(Interpretation::Value(value.clone())),
                None => Evaluator::new(terms, self).eval(*body).ok().map(Interpretation::Value),
            },
            Interpretation::Definition { vars, body } => {
                tabulate(terms, self, vars, *body).map(Interpretation::Table)
            }
            known => Some(known.clone()),
        };
        settled.filter(|interpretation| !interpretation.has(is_language))
    }
}

impl Interpretation {
    /// Whether a value of it, or a part of one, is of a kind.
    fn has(&self, is: fn(&Value) -> bool) -> bool {
        match self {
            Interpretation::Value(value) => value.has_part(is),
            Interpretation::Table(table) => {
                table.entries.values().chain(&table.default).any(|value| value.has_part(is))
            }
            Interpretation::Definition { .. } => false,
        }
    }
}

/// A function cannot be compared.
fn is_function(value: &Value) -> bool {
    matches!(value, Value::Function(_))
}

fn is_language(value: &Value) -> bool {
    matches!(value, Value::Regex(_))
}
